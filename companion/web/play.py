"""At the table: a phone's own page, the table view, moves, take-backs, consent, the live stream."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext

import msgspec
from flask import Blueprint, Response, current_app, render_template, request

from companion.log.repair import Plan, putting_back
from companion.log.table import DoesNotFollow, InTheWay, Table
from companion.pages import pages
from companion.rendering import qr
from companion.service.live import Listens
from companion.service.referee import NotAllowed, NotWhole
from companion.web import context
from companion.web.forms import plain, read_consent, set_right
from companion.web.sessions import device
from scoring.kernel.english import ended
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

blueprint = Blueprint("play", __name__, url_prefix="/t/<code>")


@blueprint.get("/seat/<int:seat>")
def seat(code: str, seat: int):
    """A phone's own page."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    return render_template("seat.html", page=_seat_page(table, seat))


@blueprint.get("/seat/<int:seat>/now")
def seat_now(code: str, seat: int):
    """The live region of a phone's own page; nothing when the phone has this version."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return context.gone_on(table) or render_template("_seat.html", page=_seat_page(table, _to_move(table, seat)))


def _to_move(table: Table, seat: int) -> int:
    """Return the seat to show on a phone that showed one: it follows the turn from seat to seat of its own."""
    turns = () if table.over else table.play.to_move(table.state)
    mine = table.seats_of(device())
    return seat if seat in turns else next((other for other in turns if other in mine), seat)


def _seat_page(
    table: Table, seat: int, refusal: Iterable[Reason | str] = (), refused: Move | None = None
) -> pages.SeatPage:
    """Return a phone's own page with what it is putting together: fields `draft.<name>` of its address or its form."""
    said = {name: value for name, value in plain(request.values, "draft.").items() if isinstance(value, str)}
    return pages.seat_page(table, device(), seat, refusal, said=said, refused=refused)


@blueprint.get("/seat/<int:seat>/tell")
def tell(code: str, seat: int):
    """What people tell the app outside a turn: cards they see, their own secrets, corrections, rulings."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    return render_template("tell.html", page=pages.seat_page(table, device(), seat))


@blueprint.get("/seat/<int:seat>/start")
def start(code: str, seat: int):
    """How the table lies in the middle of a game, for one that goes on here."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    if not table.begins:
        return context.go("play.tell", code=table.code, seat=seat)
    return render_template("start.html", page=pages.seat_page(table, device(), seat))


@blueprint.get("/board")
def board(code: str):
    """The table view, for everybody's eyes."""
    return render_template("board.html", page=_board(context.table(code)))


@blueprint.get("/board/now")
def board_now(code: str):
    """The live region of the table view."""
    table = context.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    if table.next and "have" in request.args:
        return context.go("play.board", code=table.next)
    return render_template("_board.html", page=_board(table))


def _board(table: Table) -> pages.BoardPage:
    address = context.whole_address("lobby.lobby", code=table.code)
    return pages.board_page(table, device(), address, qr.svg(address))


def _tapped(code: str, seat: int, say: Callable[[Table], Table]):
    """Answer a tap of a seat's page: with the table as it is then, or why it was refused."""
    table = context.table(code)
    try:
        return shown(say(table), seat)
    except Illegal as fault:
        return answer_refused(table.code, seat, fault.reasons, 422)
    except Malformed as fault:
        return answer_refused(table.code, seat, [ended(f"That could not be read: {fault}")], 400)
    except NotAllowed as fault:
        return answer_refused(table.code, seat, [str(fault)], 403)
    except InTheWay as fault:
        return answer_refused(table.code, seat, [str(fault)], 409)
    except NotWhole as fault:  # where what stands in the way is answered
        return context.go("past.mending", code=table.code, seat=seat, plan=fault.mended.plan.packed())


@blueprint.post("/seat/<int:seat>/play")
def play(code: str, seat: int):
    """Play a move: a button's JSON in `move`, or a form's own fields named `move.<field>`."""

    def say(table: Table) -> Table:
        data, strict = said_move()
        return context.referee().play(table.code, device(), context.tap(), seat, data, strict=strict)

    return _tapped(code, seat, say)


@blueprint.post("/seat/<int:seat>/right")
def right(code: str, seat: int):
    """Set right what lies on the table: the fields of a form of figures, those that were changed."""

    def say(table: Table) -> Table:
        move = set_right(table.play, table.play.view(table.state, seat), request.form)
        return context.referee().play(table.code, device(), context.tap(), seat, move)

    return _tapped(code, seat, say)


@blueprint.post("/seat/<int:seat>/step")
def step(code: str, seat: int):
    """Undo one step (`take_back`) or redo it (`put_back`), at once or by asking the table.

    Where other steps would change too, answer with the page that shows them first.
    """

    def say(table: Table) -> Table:
        tap = context.tap()
        try:
            if "put_back" in request.form:
                plan = putting_back(table, request.form["put_back"])
            else:
                plan = Plan(request.form.get("take_back", ""), 1)
                table.place_of(plan.at or "nothing")
        except DoesNotFollow:
            if context.has_counted():
                return table
            raise NotAllowed("There is no such step here any more.") from None
        return context.referee().mend(table.code, device(), tap, seat, plan, previewed=False)

    return _tapped(code, seat, say)


@blueprint.post("/seat/<int:seat>/asks")
def asks(code: str, seat: int):
    """Have another choice of who is asked at this table."""

    def say(table: Table) -> Table:
        consent = read_consent(request.form.get("consent"))
        return context.referee().agree_by(table.code, device(), context.tap(), seat, consent)

    return _tapped(code, seat, say)


@blueprint.post("/seat/<int:seat>/answer")
def answer(code: str, seat: int):
    """Agree to what somebody asked of the table, or decline it."""
    number, yes = request.form.get("proposal", 0, int), request.form.get("yes") == "1"
    return _tapped(code, seat, lambda table: context.referee().answer(table.code, device(), context.tap(), number, yes))


@blueprint.get("/seat/<int:seat>/<any(play, right, step, asks, answer):form>")
def sent(code: str, seat: int, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return context.go("play.seat", code=code, seat=seat)


@blueprint.get("/live")
def live(code: str):
    """Say "version N is out" for as long as the page listens. Who may listen is decided here; the server's loop does it."""
    table = context.table(code)
    phone = device()
    there = context.presence().listening(table.code, phone) if table.seats_of(phone) else nullcontext()
    request.environ["waymark.listens"] = Listens(table.code, table.number, phone, request.remote_addr or "", there)
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})


def said_move() -> tuple[dict, bool]:
    """Return the move that a form says, and whether its values have their types.

    :raises Malformed: when it cannot be read.
    """
    said = request.form.get("move")
    return (read_json(said), True) if said is not None else (typed(), False)


def read_json(text: str) -> dict:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise Malformed(str(fault)) from None


def typed() -> dict:
    """Return the fields of a form; one that still says what it said when drawn (`was.<field>`) is left out."""
    was = plain(request.form, "was.")
    return {name: value for name, value in plain(request.form, "move.").items() if value != was.get(name)}


def shown(table: Table, seat: int) -> Response:
    """Answer a tap with the table as it is now."""
    seat = _to_move(table, seat)
    if not context.by_htmx():
        return context.go("play.seat", code=table.code, seat=seat)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    return current_app.make_response(render_template("_seat.html", page=_seat_page(table, seat)))


def _refused(table: Table) -> Move | None:
    """Return the move that was refused, if it was one that can be read."""
    try:
        data, strict = said_move()
        return table.play.decode(data, strict=strict)
    except Malformed:
        return None


def answer_refused(code: str, seat: int, refusal: Iterable[Reason | str], status: int):
    """Answer a tap that was refused: the same page, with why on top."""
    table = context.referee().store.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=code)
    page = _seat_page(table, seat, refusal, _refused(table))
    return render_template("_seat.html" if context.by_htmx() else "seat.html", page=page), status
