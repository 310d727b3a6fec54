"""What has been played here: the list of results, the players, files to keep and to take in, results typed by hand."""

import csv
import datetime
import io
from collections.abc import Iterable, Mapping

from flask import Blueprint, Response, abort, render_template, request, stream_with_context

from companion.history import charts, statistics
from companion.history.result import COLUMNS, Result, as_text, folded, on_day, rows
from companion.pages import pages
from companion.service import import_export
from companion.service.clock import now, wrong_clock
from companion.storage.history import A_PAGE, History, Refused
from companion.web import context
from companion.web.forms import DayForm, ResultForm
from companion.web.sessions import device
from companion.web.sheets import download
from scoring.games import GAMES
from scoring.kernel.documents import parsed
from scoring.kernel.errors import Malformed

blueprint = Blueprint("history", __name__)
PLAYER = f"/history/players/<int(max={context.LARGEST_ID}):id>"
MOST_OF_A_STRANGER = 100  # tables, results and players of a file
TYPED = ("game", "ended", "players", "minutes", "where", "note")  # what of a result can be typed in
LONGEST_FILE = 2_000_000  # bytes: what is taken in while somebody waits for the page


def _history() -> History:
    return context.referee().history


@blueprint.get("/history")
def history():
    """The results, the latest first, with a search; who played."""
    return _listed()


def _listed(refused: str = "", note: str = "", status: int = 200):
    kept, phone = _history(), device()
    search, game, page = request.args.get("q", "")[:100], request.args.get("game", ""), request.args.get("page", 0, int)
    if game and game not in GAMES:
        abort(404)
    page, player, players = min(max(page, 0), 10**6), context.number(request.args, "player"), tuple(kept.players(phone))
    if player and player not in {each.id for each in players}:  # or this phone has not met that one
        abort(404)
    return render_template(
        "history/history.html",
        page=pages.HistoryPage(
            found=kept.found(phone, search, game, page, player=player),
            search=search,
            of=game,
            player=player,
            number=page,
            more=A_PAGE,
            players=players,
            games=tuple(each.box for each in GAMES.values()),
            owner=_owns(),
            hidden=tuple(kept.hidden()) if _owns() else (),
            unread=kept.unread(),
            bgg=kept.bgg(),
            refused=refused,
            note=note,
        ),
    ), status


def _owns() -> bool:
    return context.referee().boxes.owners.has(device())


def _only_the_owner() -> None:
    if not _owns():
        abort(
            403, "Only the owner\u2019s phone can do that. How a phone becomes it stands under \u201cThe owner\u201d."
        )


@blueprint.get(PLAYER)
def player(id: int):
    """What a player's results add up to; for the owner, what can be done about a name."""
    return _player(id)


def _player(id: int, refused: str = "", status: int = 200):
    kept, phone = _history(), device()
    name, known = kept.player(id), kept.known_as()
    results = kept.results_of(id, phone)
    if name is None or (not results and not _owns()):
        abort(404)
    in_games = tuple(statistics.in_games(results, id, known))
    called = kept.called()
    others = {each.id: each.name for each in kept.players(phone) if each.id != id}
    return render_template(
        "history/player.html",
        page=pages.PlayerPage(
            id=id,
            name=name,
            names=tuple(kept.names_of(id)),
            in_games=in_games,
            against=tuple(statistics.against(results, id, known)),
            called=others,
            evenings={
                each.game.key: charts.evenings(
                    [r for r in results if r.game == each.game.key], each.game, _now(results, known, called), name
                )
                for each in in_games
            },
            latest=tuple(reversed(results[-5:])),
            owner=_owns(),
            refused=refused,
        ),
    ), status


def _now(results: Iterable[Result], known: Mapping[str, int], called: Mapping[int, str]) -> dict[str, str]:
    """Return how the players of some results are called now, by the names that stand there."""
    names = {part.name for result in results for part in result.players}
    return {name: called[known[folded(name)]] for name in names if folded(name) in known}


@blueprint.post(PLAYER)
def change(id: int):
    """Rename a player, put two together or apart, forget one: the owner's."""
    _only_the_owner()
    kept, form = _history(), request.form
    if kept.player(id) is None:
        abort(404)
    try:
        match form.get("do"):
            case "rename":
                kept.rename(id, form.get("name", ""))
            case "merge":
                into = context.number(form, "into")
                kept.merge(id, into)
                return context.go("history.player", id=into)
            case "part":
                return context.go("history.player", id=kept.part(id, form.get("name", "")))
            case "forget":
                if form.get("sure") != "yes":
                    raise Refused("Tick that you are sure; it cannot be taken back.")
                kept.forget(id)
                context.forget_drawn()
                return context.go("history.history")
            case _:
                raise Malformed("do: one of the buttons of the page is needed")
    except Refused as fault:
        return _player(id, str(fault), 409)
    return context.go("history.player", id=id)


@blueprint.post("/history/bgg")
def numbers():
    """Keep the games' numbers at BoardGameGeek."""
    _only_the_owner()
    for key in GAMES:
        typed = request.form.get(key, "").strip()
        if not (typed.isascii() and typed.isdecimal() and len(typed) < 8) and typed:
            return _listed(
                f"\u201c{typed[:40]}\u201d is no number of BoardGameGeek: those are digits, as in the address of a game there.",
                status=422,
            )
        _history().number(key, int(typed or 0))
    return context.go("history.history")


# Typed by hand


@blueprint.route("/history/new", methods=["GET", "POST"])
def by_hand():
    """Type in how a game came out that was played elsewhere."""
    return _typed_in()


@blueprint.route("/r/<id>/correct", methods=["GET", "POST"])
def correct(id: str):
    """Correct a typed result, or the day of a table's result."""
    found = context.result(id)
    if not _history().may_change(device(), found.id):
        abort(403, "Only the owner\u2019s phone can fix this result, or the phone that typed it in.")
    return _typed_in(found) if found.by_hand else _day_of(found)


def _day_of(before: Result):
    """Show the form for the day of a table's result, or keep the corrected day."""
    wrong, sent = wrong_clock(context.referee().store), request.method == "POST"
    data = {"day": datetime.date.fromisoformat(before.date)}
    form = DayForm(request.form if sent else None, today=None if wrong else now().date(), data=data)
    if form.is_submitted() and form.validate() and form.day.data:
        context.limited("tables")
        _history().change(before.id, ended=on_day(before.ended, form.day.data), day_corrected=True)
        return context.go("results.result", id=before.id)
    page = pages.ByHandPage(form, (), before, wrong)
    return render_template("history/day.html", page=page), 422 if form.is_submitted() else 200


def _typed_in(before: Result | None = None):
    """Answer with the form of a result, or keep what it says: as a new one, or in place of what was typed before."""
    kept, wrong = _history(), wrong_clock(context.referee().store)
    form = ResultForm(
        request.form if request.method == "POST" else None, today=None if wrong else now().date(), before=before
    )
    if form.is_submitted() and form.validate():
        context.limited("tables")
        said = form.result
        if before:
            kept.change(before.id, **{name: getattr(said, name) for name in TYPED})
        else:
            before = kept.enter(said, device())
        return context.go("results.result", id=before.id)
    page = pages.ByHandPage(form, kept.names(device()), before, wrong)
    return render_template("history/by_hand.html", page=page), 422 if form.is_submitted() else 200


# Files


@blueprint.get("/history.csv")
def as_csv():
    """The results as a table for a spreadsheet, one row for each player."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([as_text(cell) for cell in row] for row in rows(_history().all(device())))
    return Response(out.getvalue(), mimetype="text/csv", headers=download("waymark-history.csv"))


@blueprint.get("/history.json")
def as_json():
    """Everything that is remembered, to be taken in elsewhere; for others than the owner, what their phone may see."""
    said = import_export.everything(context.referee(), device())
    return Response(stream_with_context(said), mimetype="application/json", headers=download("waymark-history.json"))


@blueprint.post("/history/file")
def take_in():
    """Take in a file of ours: everything, a play, or a table's log."""
    context.limited("tables")
    content = context.file_sent("file", LONGEST_FILE)
    if not content:
        return _listed("Choose a file first.", status=400)
    if len(content) > LONGEST_FILE:
        return _listed(
            "That file is too large for this page; on the computer that runs Waymark: waymark import FILE.", status=413
        )
    try:
        taken = import_export.take_in(
            context.referee(), parsed(content), device(), most=None if _owns() else MOST_OF_A_STRANGER
        )
    except Malformed as fault:
        return _listed(import_export.refusal(fault), status=400)
    if taken.code:
        return context.go("lobby.lobby", code=taken.code)
    return _listed(note=import_export.in_words(taken))


@blueprint.get("/history/<any(file, bgg):form>")
def sent(form: str):
    """Where a form was answered, opened again: the page it came from."""
    return context.go("history.history")
