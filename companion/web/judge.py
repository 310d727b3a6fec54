"""The judge: may I, what happens if, readings side by side, verdicts that are kept."""

from collections.abc import Callable

from flask import Blueprint, abort, render_template, request, url_for

from companion.log.table import DoesNotFollow, Table
from companion.pages import judge
from companion.rendering import pdf as printing
from companion.rendering import print_pages
from companion.service.referee import NotAllowed
from companion.web import context
from companion.web.forms import plain
from companion.web.play import read_json
from companion.web.sessions import device
from companion.web.sheets import as_pdf
from scoring.kernel.english import ended
from scoring.kernel.errors import Malformed
from scoring.kernel.move import Move

blueprint = Blueprint("asking", __name__, url_prefix="/t/<code>")

LONGEST = 120  # characters of a question


def _seat(table: Table) -> int | None:
    """Return the seat that asks: one of this phone's, as the address says, else the one to move, else its first."""
    mine, asked = table.seats_of(device()), request.values.get("seat", type=int)
    if asked in mine:
        return asked
    return next((seat for seat in table.play.to_move(table.state) if seat in mine), mine[0] if mine else None)


@blueprint.get("/ask")
def ask(code: str):
    """Where one asks, about this table at this moment, or before a step of it."""
    return _ask(context.table(code))


def _ask(table: Table, refusal: tuple[str, ...] = (), status: int = 200):
    context.limited("asks")
    words, step = request.args.get("q", "")[:LONGEST].strip(), request.args.get("step", "")
    kept = context.referee().boxes.own_rulings(table.play.box)
    try:
        page = judge.ask_page(
            table, device(), _seat(table), words, step, kept, refusal, context.number(request.args, "sent")
        )
    except DoesNotFollow:
        return context.go("asking.ask", code=table.code)
    return render_template("ask/ask.html", page=page), status


def _move(table: Table) -> Move:
    """:raises Malformed: when the address or the form names no move of the game."""
    return table.play.decode(read_json(request.values.get("move", "")))


def _asked(table: Table, seat: int) -> Move:
    """Return the move that is asked about, said as such or described.

    :raises Malformed: when it is no move of the game.
    """
    describe = table.play.worked_out.get("asked")
    if "move" in request.values or not describe:
        return _move(table)
    move = describe(table.play.view(table.state, seat), seat, plain(request.values, "draft."))
    if move is None:
        raise Malformed("draft: no such tile or cell")
    return move


def _called() -> str:
    """Return what the button says of which is asked."""
    return request.values.get("called", "")[:LONGEST]


@blueprint.get("/ask/may")
def may(code: str):
    """Whether a player may do something, why, the way there, and what comes of it."""
    table = context.table(code)
    seat = _seat(table)
    if seat is None:
        return context.go("lobby.lobby", code=table.code)
    context.limited("asks")
    try:
        page = judge.answer_page(table, device(), seat, _asked(table, seat), request.args.get("step", ""), _called())
    except (DoesNotFollow, Malformed):
        return context.go("asking.ask", code=table.code, seat=seat)
    return render_template("ask/answer.html", page=page)


@blueprint.post("/ask/keep")
def keep(code: str):
    """Keep an answer with the table, for all to read and to print."""
    table = context.table(code)
    seat, step = _seat(table), request.form.get("step", "")
    if seat is None:
        return context.go("lobby.lobby", code=table.code)
    try:
        move = _move(table)

        def verdict(now: Table):
            return judge.judged(judge.answer_page(now, device(), seat, move, step, _called()))

        after = context.referee().keep(table.code, device(), context.tap(), seat, verdict)
    except (DoesNotFollow, Malformed):
        return context.go("asking.ask", code=table.code, seat=seat)
    except NotAllowed as fault:
        return _ask(table, (str(fault),), 403)
    return context.go("asking.verdict", code=table.code, number=after.verdicts[-1].number)


@blueprint.get("/ask/ruling/<id>")
def ruling(code: str, id: str):
    """The readings of a point the book leaves open, each with what it would change here."""
    table = context.table(code)
    found = next((ruling for ruling in table.play.box.rulings if ruling.id == id), None) or abort(404)
    context.limited("asks")
    return render_template("ask/ruling.html", page=judge.ruling_page(table, device(), _seat(table), found))


@blueprint.get("/ask/sides")
def sides(code: str):
    """What each side says happened, side by side."""
    table = context.table(code)
    return render_template("ask/sides.html", page=judge.sides_page(table, device(), _seat(table)))


def _said(code: str, say: Callable[[Table, int], Table], then: str):
    """Answer a form of the judge: with the page it leads to, or why it was refused."""
    table = context.table(code)
    seat = _seat(table)
    if seat is None:
        return context.go("lobby.lobby", code=table.code)
    try:
        after = say(table, seat)
    except NotAllowed as fault:
        return _ask(table, (str(fault),), 403)
    except Malformed as fault:
        return _ask(table, (ended(f"That could not be read: {fault}"),), 400)
    written = after.number if after.number > table.number else None  # none: it was so already
    return context.go(then, code=table.code, seat=seat, sent=written)


@blueprint.post("/ask/sides")
def as_told(code: str):
    """Leave what happened as it is told: this seat's reading no longer stands beside it."""

    def say(table: Table, seat: int) -> Table:
        return context.referee().claim(table.code, device(), context.tap(), seat, None)

    return _said(code, say, "asking.sides")


@blueprint.post("/ask/own")
def own(code: str):
    """Write down how the table plays what the book is silent on."""

    def say(table: Table, seat: int) -> Table:
        question, reading = request.form.get("question", ""), request.form.get("reading", "")
        return context.referee().write_ruling(table.code, device(), context.tap(), seat, question, reading)

    return _said(code, say, "asking.ask")


@blueprint.get("/ask/<any(keep, own):form>")
def sent(code: str, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return context.go("asking.ask", code=code)


@blueprint.get("/verdict/<int:number>")
def verdict(code: str, number: int):
    """A verdict that was kept, for every phone."""
    table = context.table(code)
    try:
        return render_template("ask/verdict.html", page=_verdict(table, number))
    except DoesNotFollow:
        return context.go("asking.ask", code=table.code)


def _verdict(table: Table, number: int) -> judge.VerdictPage:
    """:raises DoesNotFollow: when there is no such verdict."""
    if not any(each.number == number for each in table.verdicts):
        raise DoesNotFollow(f"there is no verdict {number}")
    was = context.referee().store.table_then(table.code, number)
    return judge.verdict_page(table, was, device(), number, printing.can_print())


@blueprint.get("/verdict/<int:number>.pdf")
def verdict_pdf(code: str, number: int):
    """A verdict as PDF."""
    table, phone = context.table(code), device()
    try:
        page = _verdict(table, number)
    except DoesNotFollow:
        return context.go("asking.ask", code=table.code)

    def draw(size: str) -> str:
        return print_pages.html("print/verdict.html", size, page=page)

    ways = {
        "plain": url_for("asking.verdict_print", code=table.code, number=number),
        "back": url_for("asking.verdict", code=table.code, number=number),
    }
    sits = phone == table.host or bool(table.seats_of(phone))
    return as_pdf(f"{table.code}-verdict-{number}.pdf", (table.code, "verdict", number), draw, ways, sits)


@blueprint.get("/verdict/<int:number>/print")
def verdict_print(code: str, number: int):
    """A verdict as a plain page that any browser can print."""
    table = context.table(code)
    try:
        return render_template("print/verdict_page.html", page=_verdict(table, number))
    except DoesNotFollow:
        return context.go("asking.ask", code=table.code)
