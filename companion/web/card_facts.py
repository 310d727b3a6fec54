"""What is known of a box and what waits for its owner: to look at, tell, agree to and take back, to hand on as a file."""

from collections.abc import Callable, Iterable
from typing import Any

from flask import Blueprint, abort, jsonify, render_template, request

from companion.log.table import plain_move
from companion.pages import pages
from companion.storage.card_facts import Boxes, NotPossible, facts_of, games_with_boxes
from companion.system.limits import TooMany
from companion.web import context
from companion.web.forms import told
from companion.web.sessions import device
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.documents import parsed
from scoring.kernel.english import ended
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.rule import Reason

blueprint = Blueprint("boxes", __name__)
LONGEST_FILE = 100_000  # bytes


def _boxes() -> Boxes:
    return context.referee().boxes


@blueprint.get("/box/<key>")
def box(key: str):
    """What is known of a game's box, each value with its controls; for its owner, what waits and what has been."""
    return _shown(_game(key))


@blueprint.post("/box/<key>")
def tell(key: str):
    """Set the values a form names by their paths (`facts.<path>`), or remove an entry of a list."""
    game = _game(key)
    said, remove = told(request.form, "facts."), request.form.get("remove", "")
    return _done(
        game, lambda: _boxes().tell(game, device(), lambda known: facts_of(game).with_values(known, said, remove))
    )


@blueprint.get("/box/<key>.json")
def export(key: str):
    """What is known, as a file for another owner."""
    answer = jsonify({"waymark": 1, "game": key, "facts": plain_move(_boxes().facts(_game(key)))})
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}-box.json"'
    return answer


@blueprint.post("/box/<key>/file")
def take_in(key: str):
    """Look at another owner's file: what it says waits until the owner has seen what it adds and what it changes."""
    game = _game(key)
    file = request.files.get("file")

    def take() -> str:
        name, content = (file.filename or "", file.stream.read(LONGEST_FILE + 1)) if file else ("", b"")
        waits = _boxes().take_in(game, device(), name, from_file(game, content))
        return "" if waits else "The file says nothing that is not known here."

    return _done(game, take)


@blueprint.post("/box/<key>/change")
def change(key: str):
    """Decide about a change: keep it, what is ticked or what is new of it, or not; take it back, or have it wait again."""
    game, boxes, form = _game(key), _boxes(), request.form
    id = context.number(form, "change")
    decide: dict[str, Callable[[], Any]] = {
        "keep": lambda: boxes.agree(game, device(), id, form.getlist("thing")),
        "new": lambda: boxes.agree(game, device(), id, only_new=True),
        "decline": lambda: boxes.decline(game, device(), id),
        "again": lambda: boxes.bring_back(game, device(), id),
        "back": lambda: _stays(boxes.take_back(game, device(), id)),
    }
    say = decide.get(form.get("say", ""))
    if say is None or not id:
        raise Malformed("say: one of the buttons of the page is needed")
    return _done(game, say)


def _stays(titles: list[str]) -> str:
    return f"{' and '.join(titles)}: told otherwise since, and so as told last." if titles else ""


@blueprint.get("/box/<key>/<any(file, change):form>")
def sent(key: str, form: str):
    """Where a form was answered, opened again: the page it came from."""
    return context.go("boxes.box", key=_game(key).key)


@blueprint.get("/owner")
def owner():
    """How a phone becomes the owner's, and how it is no longer."""
    return _owner_page()


@blueprint.post("/owner")
def own():
    """Make this phone the owner's, with the key; or a stranger's again."""
    owners = _boxes().owners
    if "leave" in request.form:
        owners.remove(device())
        return context.go("boxes.owner")
    try:
        fits = owners.fits(request.form.get("key", ""), device(), request.remote_addr or "")
    except TooMany as fault:
        page, status = _owner_page(str(fault), 429)
        return page, status, {"Retry-After": str(fault.wait)}
    if not fits:
        return _owner_page("That is not the key. It stands where Waymark was started, in eight letters.", 403)
    owners.add(device())
    return context.go("boxes.owner")


def _owner_page(refused: str = "", status: int = 200):
    page = pages.OwnerPage(_boxes().owners.has(device()), box_waiting(), tuple(games_with_boxes()), refused)
    return render_template("owner.html", page=page), status


@blueprint.app_template_global()
def box_waiting() -> list[tuple[Box, int]]:
    """Return what waits for the owner, game by game, on the owner's phone; on others nothing."""
    boxes = _boxes()
    waiting = boxes.how_many_wait() if boxes.owners.has(device()) else {}
    return [(game, waiting[game.key]) for game in games_with_boxes() if game.key in waiting]


@blueprint.app_template_global()
def box_told(code: str) -> bool:
    """Return whether something told at a table waits for the owner of the box."""
    return _boxes().waits_for(code)


def from_file(game: Box, content: bytes):
    """Return the facts of an exported file.

    :raises Malformed: naming the place of the fault.
    :raises Illegal: when no box can be so.
    """
    if not content:
        raise Malformed("Choose a file first.")
    if len(content) > LONGEST_FILE:
        raise Malformed("That file is too large to be one of ours.")
    data = parsed(content)
    if not isinstance(data, dict) or "facts" not in data:
        raise Malformed("facts: a file written by Waymark has them; this one has not.")
    if data.get("game") != game.key:
        raise Malformed(f"game: this file is not for {game.title}")
    return facts_of(game).checked(data["facts"])


def _game(key: str) -> Box:
    game = GAMES.get(key)
    return game.box if game and game.box.facts else abort(404)


def _done(game: Box, say: Callable[[], str | None]):
    """Do what a form says and show the box after it; what is refused is shown with why, and nothing is changed."""
    try:
        note = say()
    except Illegal as fault:
        return _shown(game, fault.reasons, 422)
    except Malformed as fault:
        return _shown(game, [ended(str(fault))], 400)
    except NotPossible as fault:
        return _shown(game, [str(fault)], 409)
    if _boxes().owners.has(device()):
        context.referee().hand_on(game, device())
    if note or context.by_htmx():
        return _shown(game, note=note or "")
    return context.go("boxes.box", key=game.key)


def _shown(game: Box, refused: Iterable[Reason | str] = (), status: int = 200, note: str = ""):
    page = pages.box_page(_boxes(), game, device(), context.number(request.args, "before"), refused, note)
    return render_template("box.html", page=page), status
