"""Play at a table: a phone's own page, the table view, moves, undo, the live stream."""

import functools
from collections.abc import Callable, Iterable
from contextlib import nullcontext

import msgspec
from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion.log.plans import RepairPlan, plan_to_restore
from companion.log.steps import InvalidEntryError
from companion.log.table import Table
from companion.pages import board as board_pages
from companion.pages import seat as seat_pages
from companion.pages import table as table_pages
from companion.pages.lessons import asks_experience, current_lesson
from companion.pages.timeline import latest_steps
from companion.rendering import qr
from companion.service.live import Subscription
from companion.service.referee import IncompleteRepairError, NotAllowedError
from companion.web import context
from companion.web.forms import read_consent, read_draft, read_nested_fields, read_position_edit
from companion.web.sessions import device
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Move, Phase
from scoring.kernel.rule import Reason

LATEST_STEPS = 8  # on the page to fix a mistake; most are noticed within three turns

blueprint = Blueprint("play", __name__, url_prefix="/t/<code>")


@blueprint.get("/seat/<int:seat>")
def seat(code: str, seat: int):
    """Show a phone's own page."""
    return render_template("seat.html", page=_build_seat_page(context.own_table(code, seat), seat))


@blueprint.get("/seat/<int:seat>/now")
def seat_region(code: str, seat: int):
    """Return the live region of a phone's own page; 204 if the phone has the current version."""
    table = context.own_table(code, seat)
    if context.is_current(table):
        return Response(status=204)
    if table.next_code and "have" in request.args:
        return context.redirect_to_table(context.referee().store.table(table.next_code))
    return render_template("_seat.html", page=_build_seat_page(table, seat_to_show(table, seat)))


def seat_to_show(table: Table, seat: int) -> int:
    """Return the seat to show: the same, unless only another seat of this phone is to move."""
    to_move = () if table.is_over else table.tracked.flow.to_move(table.state)
    own_seats = table.seats_of(device())
    return seat if seat in to_move else next((own_seat for own_seat in to_move if own_seat in own_seats), seat)


def _build_seat_page(
    table: Table, seat: int, refusal: Iterable[Reason | str] = (), refused_move: Move | None = None
) -> seat_pages.SeatPage:
    """Build a phone's own page; the request's fields `draft.<name>` are the move being built."""
    draft = read_draft(request.values)
    return seat_pages.seat_page(
        table, device(), seat, refusal, draft=draft, refused_move=refused_move, learner=context.learner(table, seat)
    )


@blueprint.get("/seat/<int:seat>/tell")
def corrections(code: str, seat: int):
    """Show the latest steps, and the forms for cards, secret notes, corrections and rulings."""
    table = context.own_table(code, seat)
    page = seat_pages.seat_page(table, device(), seat)
    return render_template("corrections.html", page=page, steps=latest_steps(table, seat, LATEST_STEPS))


@blueprint.get("/seat/<int:seat>/start")
def midgame_start(code: str, seat: int):
    """Show the form for the position of a game that continues in the app from the middle."""
    table = context.own_table(code, seat)
    if not table.can_join_midgame:
        return context.redirect_to("play.corrections", code=table.code, seat=seat)
    return render_template("midgame_start.html", page=seat_pages.seat_page(table, device(), seat))


@blueprint.get("/board")
def board(code: str):
    """Show the table view, which everyone may see."""
    return render_template("board.html", page=_build_board_page(context.table(code)))


@blueprint.get("/board/now")
def board_region(code: str):
    """Return the live region of the table view; 204 if it has the current version."""
    table = context.table(code)
    if context.is_current(table):
        return Response(status=204)
    if table.next_code and "have" in request.args:
        return context.redirect_to("play.board", code=table.next_code)
    return render_template("_board.html", page=_build_board_page(table))


def _build_board_page(table: Table) -> board_pages.BoardPage:
    address = context.external_url("lobby.lobby", code=table.code)
    local_address = context.local_name_url("lobby.lobby", code=table.code)
    return board_pages.board_page(table, device(), address, qr.svg(address), local_address=local_address)


def handle_tap(view: Callable[[Table, int], Table]):
    """Pass the table and the seat of a tap to a view; show the new table or the refusal."""

    @functools.wraps(view)
    def respond(code: str, seat: int):
        table = context.table(code)
        try:
            new_table = view(table, seat)
        except IncompleteRepairError as error:  # redirect to the page that resolves the conflict
            plan = error.outcome.plan.encode()
            return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=plan)
        except context.REFUSALS as error:  # the referee has decided on the current table
            return _render_refusal(context.referee().store.current_table(table), seat, error)
        return render_table(new_table, seat)

    return respond


@blueprint.post("/seat/<int:seat>/play")
@handle_tap
def play(table: Table, seat: int) -> Table:
    """Play a move: a button's JSON in `move`, or a form's own fields named `move.<field>`."""
    data, strict = read_move()
    new_table = context.referee().play(table, device(), context.tap(), seat, data, strict=strict)
    _finish_lesson(table, new_table, seat)
    return context.tick_entered_step(table, new_table)


def _finish_lesson(table: Table, new_table: Table, seat: int) -> None:
    """Save that a player who has made a move of the turn has read the lesson above the choices.

    A player who has moved without answering whether the game is new is not asked again.
    """
    last = new_table.steps[-1] if len(new_table.steps) > len(table.steps) else None
    if last is None or last.seat != seat or last.move.out_of_turn or last.move.phase is Phase.SETUP:
        return
    learner = context.learner(table, seat)
    if current := current_lesson(table, seat, learner):
        context.mark_lesson_read(table, seat, current.lesson.id, current.reading)
    elif asks_experience(table, learner):
        context.set_taught(table, seat, is_taught=False)


@blueprint.post("/seat/<int:seat>/right")
@handle_tap
def edit_position(table: Table, seat: int) -> Table:
    """Correct the position by the changed fields of the edit form."""
    move = read_position_edit(table.tracked, table.tracked.view(table.state, seat), request.form)
    return context.referee().play(table, device(), context.tap(), seat, move)


@blueprint.post("/seat/<int:seat>/step")
@handle_tap
def undo_or_redo(table: Table, seat: int) -> Table:
    """Undo one step (`take_back`) or redo it (`put_back`), or ask the table to agree.

    If other steps would change too, redirect to the page that previews them.
    """
    tap = context.tap()
    try:
        if "put_back" in request.form:
            plan = plan_to_restore(table, request.form["put_back"])
        else:
            plan = RepairPlan(request.form.get("take_back", ""), 1)
            table.index_of(plan.start_step or "nothing")
    except InvalidEntryError:
        if context.is_tap_committed():
            return table
        raise NotAllowedError("This step no longer exists.") from None
    return context.referee().repair(table, device(), tap, seat, plan, is_previewed=False)


@blueprint.post("/seat/<int:seat>/actions")
@handle_tap
def finish_actions(table: Table, seat: int) -> Table:
    """Report that actions after a repair are done, or that the table was in line already."""
    repair, owner = request.form.get("repair", 0, int), request.form.get("owner", None, int)
    return context.referee().finish_actions(table, device(), context.tap(), seat, repair, owner)


@blueprint.post("/seat/<int:seat>/asks")
@handle_tap
def change_consent(table: Table, seat: int) -> Table:
    """Change who must agree at this table."""
    consent = read_consent(request.form.get("consent"))
    return context.referee().change_consent(table, device(), context.tap(), seat, consent)


@blueprint.post("/seat/<int:seat>/answer")
@handle_tap
def answer(table: Table, seat: int) -> Table:
    """Approve or decline a proposal."""
    return answer_proposal(table)


def answer_proposal(table: Table) -> Table:
    """Approve or decline the proposal that a form names."""
    number, agrees = request.form.get("proposal", 0, int), request.form.get("yes") == "1"
    return context.referee().answer(table, device(), context.tap(), number, agrees)


context.redirect_from_form(blueprint, "/seat/<int:seat>/<any(play, right, step, asks, answer):form>", "play.seat")
context.redirect_from_form(blueprint, "/seat/<int:seat>/<any(actions):form>", "play.seat")


@blueprint.get("/live")
@blueprint.get("/board/live", endpoint="board_live", defaults={"is_board": True})
@blueprint.get("/seat/<int:seat>/live", endpoint="seat_live")
def live(code: str, seat: int | None = None, is_board: bool = False):
    """Open the stream of a page.

    This view decides who may listen. The server's event loop sends what changes on the page of a seat or in the table
    view, and for other pages the number of each version.
    """
    table, phone = context.table(code) if seat is None else context.own_table(code, seat), device()
    listening = context.presence().listening(table.code, phone) if table.seats_of(phone) else nullcontext()
    render_changes = functools.partial(_render_changes, table.code, seat) if is_board or seat is not None else None
    request.environ["waymark.listens"] = Subscription(
        table.code, table.version, phone, request.remote_addr or "", request.environ, listening, render_changes
    )
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})


def _render_changes(code: str, seat: int | None) -> str | None:
    """Render the changes of a seat's page, or of the table view, since the phone got it.

    None if the phone has the page already, if the answer to its own tap has the changes, or if it has to fetch the
    page. A phone that builds a move decides what to keep, and a phone with several seats follows the turn.
    """
    phone, page = device(), "board" if seat is None else f"seat-{seat}"
    sent = current_app.extensions["pages"].sent(code, page, phone)
    table = context.referee().store.table(code)
    is_own_entry = table.last_entry_by.get(phone) == table.version
    if not 0 < sent.version < table.version or table.next_code or is_own_entry:
        return None
    if seat is None:
        return render_template("_board.html", page=_build_board_page(table), known=sent.etags)
    if table.seats_of(phone) != (seat,):
        return None
    return render_template("_seat.html", page=_build_seat_page(table, seat), known=sent.etags)


@blueprint.get("/attention")
def attention(code: str):
    """Return the turns and requests that wait for this phone, for pages that do not show them.

    A page in the background asks regularly, so this is no sign that a player is present.
    """
    table = context.table(code, marks_presence=False)
    return jsonify(table_pages.table_page(table, device()).attention)


def read_move() -> tuple[dict, bool]:
    """Return the move of a form, and whether its values already have their types.

    Of a form with fields it has those that differ from their `was.<field>`.

    :raises InvalidInputError: if it cannot be read.
    """
    if (text := request.form.get("move")) is not None:
        return read_json(text), True
    old, new = read_nested_fields(request.form, "was."), read_nested_fields(request.form, "move.")
    return {name: value for name, value in new.items() if value != old.get(name)}, False


def read_json(text: str) -> dict:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError(str(error)) from None


def render_table(table: Table, seat: int) -> Response:
    """Respond to a tap with the current table."""
    seat = seat_to_show(table, seat)
    if not context.is_htmx_request():
        return context.redirect_to("play.seat", code=table.code, seat=seat)
    context.require_own_seat(table, seat)
    return current_app.make_response(render_template("_seat.html", page=_build_seat_page(table, seat)))


def _render_refusal(table: Table, seat: int, error: Exception):
    """Respond to a refused tap: the same page, with the reasons on top.

    The page also has the moves that may have been meant.
    """
    context.require_own_seat(table, seat)
    reasons, status = context.refusal(error)
    page = _build_seat_page(table, seat, reasons, error.move if isinstance(error, IllegalMoveError) else None)
    return render_template("_seat.html" if context.is_htmx_request() else "seat.html", page=page), status
