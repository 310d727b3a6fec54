"""The facts of a box and changes to them: show, enter, decide, undo, export, import."""

from collections.abc import Callable, Iterable

from flask import Blueprint, abort, render_template, request
from msgspec import Struct

from companion.log.table import to_data
from companion.pages import card_facts as card_facts_pages
from companion.pages import home as home_pages
from companion.service import card_facts_review as review
from companion.service.clock import clock_warning
from companion.storage.card_facts import CardFactsStore, card_facts_format, games_with_card_facts
from companion.system.limits import RateLimitError
from companion.web import context
from companion.web.forms import read_flat_fields
from companion.web.sessions import device
from companion.web.sheets import download_headers
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.english import end_sentence, join_words
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.parsing import parse_json
from scoring.kernel.rule import Reason

blueprint = Blueprint("card_facts", __name__)
MAX_FILE_BYTES = 100_000


def _card_facts() -> CardFactsStore:
    return context.referee().card_facts


@blueprint.get("/box/<key>")
def box(key: str):
    """Show the known facts of a game's box, with controls; for its owner also the changes."""
    return _render_box(_find_box(key))


@blueprint.post("/box/<key>")
def enter(key: str):
    """Set the values that a form names by their paths (`facts.<path>`), or remove a list entry."""
    game = _find_box(key)
    values, remove = read_flat_fields(request.form, "facts."), request.form.get("remove", "")

    def change(known: Struct) -> Struct:
        return card_facts_format(game).with_values(known, values, remove)

    return _handle_form(game, lambda: review.enter(_card_facts(), game, device(), change))


@blueprint.get("/box/<key>.json")
def export_file(key: str):
    """Export the known facts as a file for another owner."""
    data = {"waymark": 1, "game": key, "facts": to_data(_card_facts().facts(_find_box(key)))}
    return data, download_headers(f"{key}-box.json")


@blueprint.post("/box/<key>/file")
def import_file(key: str):
    """Import another owner's file; its changes wait for this owner's decision."""
    game = _find_box(key)
    file, content = request.files.get("file"), context.uploaded_file("file", MAX_FILE_BYTES)
    name = file.filename or "" if file else ""

    def import_facts() -> str:
        has_news = review.import_facts(_card_facts(), game, device(), name, facts_from_file(game, content))
        return "" if has_news else "This file has nothing new."

    return _handle_form(game, import_facts)


@blueprint.post("/box/<key>/change")
def decide_change(key: str):
    """Accept a change (all, the ticked or the new parts), decline it, undo it, or restore it."""
    game, boxes, form = _find_box(key), _card_facts(), request.form
    id = context.read_id(form, "change")
    decisions: dict[str, Callable[[], str | None]] = {
        "keep": lambda: review.accept(boxes, game, device(), id, form.getlist("thing")),
        "new": lambda: review.accept(boxes, game, device(), id, only_new=True),
        "decline": lambda: review.decline(boxes, game, device(), id),
        "again": lambda: review.restore(boxes, game, device(), id),
        "back": lambda: _kept_values_note(review.undo(boxes, game, device(), id)),
    }
    decision = decisions.get(form.get("say", ""))
    if decision is None or not id:
        raise InvalidInputError("Tap one of the buttons.")
    return _handle_form(game, decision)


def _kept_values_note(titles: list[str]) -> str:
    return f"Not undone, as it was changed again since then: {join_words(titles)}." if titles else ""


context.redirect_from_form(blueprint, "/box/<key>/<any(file, change):form>", "card_facts.box")


@blueprint.get("/owner")
def owner():
    """Show how to make this phone the owner's, or how to give that up."""
    return _render_owner()


@blueprint.post("/owner")
def change_owner():
    """Make this phone the owner's with the key, or give that up."""
    owners = _card_facts().owners
    if "leave" in request.form:
        owners.remove(device())
        return context.redirect_to("card_facts.owner")
    try:
        fits = owners.is_key(request.form.get("key", ""), device(), request.remote_addr or "")
    except RateLimitError as error:
        page, status = _render_owner(str(error), 429)
        return page, status, {"Retry-After": str(error.retry_after)}
    if not fits:
        return _render_owner("That is not the key. It is the eight letters shown when Waymark started.", 403)
    owners.add(device())
    return context.redirect_to("card_facts.owner")


def _render_owner(refused: str = "", status: int = 200):
    page = home_pages.OwnerPage(
        is_owner=context.is_owner(),
        waiting_counts=waiting_box_changes(),
        games=tuple(games_with_card_facts()),
        clock_warning=clock_warning(context.referee().store),
        refusal=refused,
    )
    return render_template("owner.html", page=page), status


@blueprint.app_template_global()
def waiting_box_changes() -> list[tuple[Box, int]]:
    """Return the number of waiting changes of each game on the owner's phone; none on others."""
    waiting = _card_facts().waiting_counts() if context.is_owner() else {}
    return [(game, waiting[game.key]) for game in games_with_card_facts() if game.key in waiting]


@blueprint.app_template_global()
def has_waiting_card_facts(code: str) -> bool:
    """Return whether facts entered at a table wait for the owner of the box."""
    return _card_facts().has_waiting(code)


def facts_from_file(box: Box, content: bytes):
    """Return the facts of an exported file.

    :raises InvalidInputError: with the place of the error in the file.
    :raises IllegalMoveError: if no box can have these facts.
    """
    if not content:
        raise InvalidInputError("Choose a file first.")
    if len(content) > MAX_FILE_BYTES:
        raise InvalidInputError("This file is too large for a Waymark file.")
    data = parse_json(content)
    if not isinstance(data, dict) or "facts" not in data:
        raise InvalidInputError("This is not a file with card details from Waymark.")
    if data.get("game") != box.key:
        raise InvalidInputError(f"This file is not for {box.title}.")
    return card_facts_format(box).from_data(data["facts"])


def _find_box(key: str) -> Box:
    game = GAMES.get(key)
    return game.box if game and game.box.card_facts else abort(404)


def _handle_form(box: Box, submit: Callable[[], str | None]):
    """Run a form's action and show the box; if it is refused, show why and change nothing."""
    try:
        note = submit()
    except IllegalMoveError as error:
        return _render_box(box, error.reasons, 422)
    except InvalidInputError as error:
        return _render_box(box, [end_sentence(str(error))], 400)
    except review.NotPossibleError as error:
        return _render_box(box, [str(error)], 409)
    if context.is_owner():
        context.referee().send_card_facts(box, device())
    if note or context.is_htmx_request():
        return _render_box(box, note=note or "")
    return context.redirect_to("card_facts.box", key=box.key)


def _render_box(box: Box, refused: Iterable[Reason | str] = (), status: int = 200, note: str = ""):
    before_id = context.read_id(request.args, "before")
    page = card_facts_pages.box_page(_card_facts(), box, device(), before_id, refused, note)
    return render_template("card_facts.html", page=page), status
