"""At the table: a phone's own page, the table view, moves, take-backs, consent, the live stream."""

import re
from collections.abc import Iterable
from contextlib import nullcontext

import msgspec
from flask import Blueprint, Response, current_app, render_template, request

from companion import pages, qr
from companion.forms import plain
from companion.live import Listens
from companion.referee import NotAllowed
from companion.seats import device
from companion.table import InTheWay, Table
from companion.web import at
from scoring.kernel.faults import Illegal, Malformed
from scoring.kernel.rule import Reason

blueprint = Blueprint("play", __name__, url_prefix="/t/<code>")


@blueprint.get("/seat/<int:seat>")
def seat(code: str, seat: int):
    """A phone's own page."""
    table = at.table(code)
    if seat not in table.seats_of(device()):
        return at.go("lobby.lobby", code=table.code)
    return render_template("seat.html", page=_seat_page(table, seat))


@blueprint.get("/seat/<int:seat>/now")
def seat_now(code: str, seat: int):
    """The live region of a phone's own page; nothing when the phone has this version."""
    table = at.table(code)
    if seat not in table.seats_of(device()):
        return at.go("lobby.lobby", code=table.code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return render_template("_seat.html", page=_seat_page(table, seat))


def _seat_page(table: Table, seat: int, refusal: Iterable[Reason | str] = ()) -> pages.SeatPage:
    """Return a phone's own page with what it is putting together: fields `draft.<name>` of its address or its form."""
    said = {name: value for name, value in plain(request.values, "draft.").items() if isinstance(value, str)}
    return pages.seat_page(table, device(), seat, refusal, said=said)


@blueprint.get("/seat/<int:seat>/tell")
def tell(code: str, seat: int):
    """What people tell the app outside a turn: cards they see, their own secrets, corrections, rulings."""
    return _own_page("tell.html", code, seat)


@blueprint.get("/seat/<int:seat>/log")
def log(code: str, seat: int):
    """The whole log, as this seat may read it."""
    return _own_page("log.html", code, seat)


def _own_page(template: str, code: str, seat: int):
    table = at.table(code)
    if seat not in table.seats_of(device()):
        return at.go("lobby.lobby", code=table.code)
    return render_template(template, page=pages.seat_page(table, device(), seat, all_lines=True))


@blueprint.get("/board")
def board(code: str):
    """The table view, for everybody's eyes."""
    return render_template("board.html", page=_board(at.table(code)))


@blueprint.get("/board/now")
def board_now(code: str):
    """The live region of the table view."""
    table = at.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return render_template("_board.html", page=_board(table))


def _board(table: Table) -> pages.BoardPage:
    address = at.whole_address("lobby.lobby", code=table.code)
    return pages.board_page(table, device(), address, qr.svg(address))


@blueprint.post("/seat/<int:seat>/play")
def play(code: str, seat: int):
    """Play a move: a button's JSON in `move`, or a form's own fields named `move.<field>`."""
    table = at.table(code)
    try:
        said = request.form.get("move")
        data, strict = (_json(said), True) if said is not None else (_typed(), False)
        after = at.referee().play(table.code, device(), at.tap(), seat, data, strict=strict)
    except Illegal as fault:
        return _answer(table.code, seat, fault.reasons, 422)
    except Malformed as fault:
        return _answer(table.code, seat, [f"That could not be read: {fault}"], 400)
    except NotAllowed as fault:
        return _answer(table.code, seat, [str(fault)], 403)
    return _shown(after, seat)


@blueprint.post("/seat/<int:seat>/step")
def step(code: str, seat: int):
    """Take a step back (`take_back`) or put it back (`put_back`), at once or by asking the table."""
    table = at.table(code)
    say = at.referee().put_back if "put_back" in request.form else at.referee().take_back
    number = request.form.get("put_back") or request.form.get("take_back") or "0"
    try:
        after = say(table.code, device(), at.tap(), seat, int(number) if re.fullmatch("[0-9]{1,9}", number) else 0)
    except InTheWay as fault:
        return _answer(table.code, seat, [str(fault)], 409)
    except NotAllowed as fault:
        return _answer(table.code, seat, [str(fault)], 403)
    return _shown(after, seat)


@blueprint.post("/seat/<int:seat>/answer")
def answer(code: str, seat: int):
    """Agree to what somebody asked of the table, or decline it."""
    table = at.table(code)
    number, yes = request.form.get("proposal", 0, int), request.form.get("yes") == "1"
    try:
        after = at.referee().answer(table.code, device(), at.tap(), number, yes)
    except NotAllowed as fault:
        return _answer(table.code, seat, [str(fault)], 403)
    return _shown(after, seat)


@blueprint.get("/seat/<int:seat>/<any(play, step, answer):form>")
def sent(code: str, seat: int, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return at.go("play.seat", code=code, seat=seat)


@blueprint.get("/log/<int:number>")
def line(code: str, number: int):
    """Which rule was that? One line of the log with the rules its move carried out."""
    table = at.table(code)
    page = pages.step_page(table, device(), number)
    return render_template("step.html", page=page) if page else at.go("lobby.lobby", code=table.code)


@blueprint.get("/live")
def live(code: str):
    """Say "version N is out" for as long as the page listens. Who may listen is decided here; the server's loop does it."""
    table = at.table(code)
    phone = device()
    there = at.presence().listening(table.code, phone) if table.seats_of(phone) else nullcontext()
    request.environ["waymark.listens"] = Listens(table.code, table.number, phone, request.remote_addr or "", there)
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})


def _json(text: str) -> dict:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise Malformed(str(fault)) from None


def _typed() -> dict:
    """Return the fields of a form; one that still says what it said when drawn (`was.<field>`) is left out."""
    was = plain(request.form, "was.")
    return {name: value for name, value in plain(request.form, "move.").items() if value != was.get(name)}


def _shown(table: Table, seat: int) -> Response:
    """Answer a tap with the table as it is now."""
    if not at.by_htmx():
        return at.go("play.seat", code=table.code, seat=seat)
    if seat not in table.seats_of(device()):
        return at.go("lobby.lobby", code=table.code)
    return current_app.make_response(render_template("_seat.html", page=_seat_page(table, seat)))


def _answer(code: str, seat: int, refusal: Iterable[Reason | str], status: int):
    """Answer a tap that was refused: the same page, with why on top."""
    table = at.referee().store.table(code)
    if seat not in table.seats_of(device()):
        return at.go("lobby.lobby", code=code)
    page = _seat_page(table, seat, refusal)
    return render_template("_seat.html" if at.by_htmx() else "seat.html", page=page), status
