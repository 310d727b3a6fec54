"""The past of a table: its game log, snapshots of earlier positions, and repairs."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from flask import Blueprint, Response, render_template, request

from companion.log.entries import LogRewritten
from companion.log.plans import Insert, RepairPlan, decode_plan, plan_for_rewrite
from companion.log.replay import replay
from companion.log.steps import ConflictingStepError, InvalidEntryError
from companion.log.table import Table, to_data
from companion.pages import timeline
from companion.service.referee import FOREIGN_NOTE_TEXT, IncompleteRepairError, NotAllowedError
from companion.web import context
from companion.web.forms import read_draft, read_position_edit
from companion.web.play import read_move
from companion.web.sessions import device
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

blueprint = Blueprint("timeline", __name__, url_prefix="/t/<code>")


@blueprint.get("/log")
def game_log(code: str):
    """Show the log by chapters and turns; redirect a phone with a seat to that seat's log."""
    table = context.table(code)
    if own_seats := table.seats_of(device()):
        return context.redirect_to("timeline.seat_game_log", code=table.code, seat=own_seats[0], _anchor="latest")
    return _render_game_log(table, None)


@blueprint.errorhandler(InvalidEntryError)
def redirect_to_game_log(error: InvalidEntryError):
    """Redirect a request about something that no longer exists to the log."""
    return context.redirect_to("timeline.game_log", code=(request.view_args or {})["code"], _anchor="latest")


@blueprint.get("/seat/<int:seat>/log")
def seat_game_log(code: str, seat: int):
    """Show the log as this seat may read it; with `?player=1`, the turns of one player."""
    return _render_game_log(context.own_table(code, seat), seat)


def _render_game_log(table: Table, seat: int | None) -> str:
    player = request.args.get("player", type=int)
    return render_template("game_log.html", page=timeline.game_log_page(table, device(), seat, player))


@blueprint.get("/log/<step>")
def snapshot(code: str, step: str):
    """Show the table as it was before a step, with the rules behind it and possible corrections."""
    return _render_snapshot(context.table(code), step, "snapshot.html")


@blueprint.get("/log/<step>/now")
def snapshot_region(code: str, step: str):
    """Return the live region of a snapshot page, for when the table has changed."""
    table = context.table(code)
    if context.is_current(table):
        return Response(status=204)
    return _render_snapshot(table, step, "_snapshot.html")


def _render_snapshot(table: Table, step: str, template: str) -> str:
    return render_template(template, page=timeline.snapshot_page(table, device(), step, _viewer_seat(table)))


def _viewer_seat(table: Table) -> int | None:
    """Return the seat a phone views as: its own seat named in the address, or its first."""
    own_seats, requested_seat = table.seats_of(device()), request.args.get("seat", type=int)
    return requested_seat if requested_seat in own_seats else own_seats[0] if own_seats else None


@blueprint.get("/log/<int:number>/repair")
def repair_detail(code: str, number: int):
    """Show an applied repair: the removed and added steps, and who agreed."""
    return render_template("repair_detail.html", page=timeline.repair_page(context.table(code), device(), number))


@blueprint.get("/if/<int:number>")
def what_if(code: str, number: int):
    """Show a proposal in full, with the table as it would be if it were approved."""
    table = context.table(code)
    try:
        return render_template("what_if.html", page=timeline.what_if_page(table, device(), number, _viewer_seat(table)))
    except InvalidEntryError:
        return context.redirect_to("lobby.lobby", code=table.code)


@blueprint.post("/seat/<int:seat>/show")
def pin_step(code: str, seat: int):
    """Pin a snapshot on the table view, or show the current position there again."""
    table, step = context.table(code), request.form.get("step", "")
    try:
        context.referee().pin_step(table, device(), context.tap(), seat, step)
    except NotAllowedError:
        return context.redirect_to("timeline.game_log", code=table.code, _anchor="latest")
    if step:
        return context.redirect_to("timeline.snapshot", code=table.code, step=step)
    return context.redirect_to("play.seat", code=table.code, seat=seat)


@blueprint.get("/seat/<int:seat>/again/<int:number>")
def renew_proposal(code: str, seat: int, number: int):
    """Redirect to this phone's proposed repair, rebuilt on the current log.

    The proposals of other devices are refused: they may hold secret notes.
    """
    table = context.table(code)
    proposal = table.find_proposal(number)
    if proposal and proposal.device == device() and isinstance(proposal.proposable, LogRewritten):
        with suppress(InvalidEntryError):
            plan = plan_for_rewrite(table, proposal.proposable).encode()
            return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=plan)
    return context.redirect_to("timeline.seat_game_log", code=table.code, seat=seat, _anchor="latest")


# The pages that edit a repair carry the plan so far as part of their address.

PLAN_PATH = "/seat/<int:seat>/mend/<plan>"


@blueprint.get(PLAN_PATH)
def repair_edit(code: str, seat: int, plan: str):
    """Show a repair as edited so far."""
    return _render_repair_edit(context.table(code), seat, plan, "repair_edit.html")


@blueprint.get(f"{PLAN_PATH}/now")
def repair_edit_region(code: str, seat: int, plan: str):
    """Return the live region of the page that edits a repair."""
    table = context.table(code)
    if context.is_current(table):
        return Response(status=204)
    return _render_repair_edit(table, seat, plan, "_repair_edit.html", fallback_endpoint="play.seat")


def _render_repair_edit(
    table: Table,
    seat: int,
    plan: str,
    template: str,
    refusal: Iterable[Reason | str] = (),
    status: int = 200,
    fallback_endpoint: str = "timeline.seat_game_log",
):
    """Render a repair as edited so far; redirect if the log no longer allows it."""
    context.require_own_seat(table, seat)
    draft = read_draft(request.values)
    if "as" in request.args:
        draft["as"] = request.args["as"]  # the move that is built for another player stays theirs
    try:
        acting_seat = next((number for number in range(len(table.seats)) if str(number) == draft.get("as")), None)
        page = timeline.repair_edit_page(table, device(), seat, decode_plan(plan), acting_seat, draft, refusal)
    except (InvalidEntryError, InvalidInputError):
        return context.redirect_to(fallback_endpoint, code=table.code, seat=seat)
    return render_template(template, page=page), status


@blueprint.post(f"{PLAN_PATH}/play")
def insert_move(code: str, seat: int, plan: str):
    """Insert a move where the repair needs one."""
    return _insert_step(code, seat, plan, lambda table, _: _read_move(table))


@blueprint.post(f"{PLAN_PATH}/right")
def insert_position_edit(code: str, seat: int, plan: str):
    """Insert a correction of the position where the repair needs one."""
    return _insert_step(code, seat, plan, lambda table, old_plan: _read_position_edit(table, seat, old_plan))


def _insert_step(code: str, seat: int, plan: str, read_step: Callable[[Table, RepairPlan], Move]) -> Response | tuple:
    table, acting_seat = context.table(code), request.args.get("as", 0, int)
    context.count_limit("taps")
    try:
        old_plan = decode_plan(plan)
        move = read_step(table, old_plan)
        if move.is_secret and acting_seat not in table.seats_of(device()):
            return _render_refusal(table, seat, plan, [FOREIGN_NOTE_TEXT], 422)
        new_plan = old_plan.with_edit(Insert(acting_seat, to_data(move)))
        if refusal := replay(table, new_plan, seat).refusal:
            return _render_refusal(table, seat, plan, refusal, 422)
    except InvalidInputError as error:
        return _render_refusal(table, seat, plan, *context.refusal(error))
    return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=new_plan.encode())


def _read_move(table: Table) -> Move:
    data, strict = read_move()
    return table.tracked.decode(data, strict=strict)


def _read_position_edit(table: Table, seat: int, plan: RepairPlan) -> Move:
    view = table.tracked.view(replay(table, plan, seat).state, seat)
    return table.tracked.decode(read_position_edit(table.tracked, view, request.form))


def _render_refusal(table: Table, seat: int, plan: str, refusal: Iterable[Reason | str], status: int):
    template = "_repair_edit.html" if context.is_htmx_request() else "repair_edit.html"
    return _render_repair_edit(table, seat, plan, template, refusal, status)


@blueprint.post(f"{PLAN_PATH}/ask")
def submit_repair(code: str, seat: int, plan: str) -> Response | tuple:
    """Apply the repair, or ask the players who must agree."""
    table, tap = context.table(code), context.tap()
    try:
        context.referee().repair(table, device(), tap, seat, decode_plan(plan))
    except (IncompleteRepairError, IllegalMoveError, InvalidInputError):
        return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=plan)
    except (NotAllowedError, ConflictingStepError) as error:  # in conflict is a secret note of another phone
        return _render_refusal(table, seat, plan, *context.refusal(error))
    return context.redirect_to("play.seat", code=table.code, seat=seat)


@blueprint.post(f"{PLAN_PATH}/claim")
def claim_account(code: str, seat: int, plan: str) -> Response | tuple:
    """Enter the repair as a competing account, with the form's move if it has one, legal or not."""
    table, tap, acting_seat = context.table(code), context.tap(), request.args.get("as", 0, int)
    try:
        account = decode_plan(plan)
        if "move" in request.form:
            account = account.with_edit(Insert(acting_seat, to_data(_read_move(table))))
        context.referee().claim_account(table, device(), tap, seat, account)
    except (InvalidInputError, NotAllowedError) as error:
        return _render_refusal(table, seat, plan, *context.refusal(error))
    return context.redirect_to("judge.accounts", code=table.code, seat=seat)


context.redirect_from_form(blueprint, f"{PLAN_PATH}/<any(play, right, ask, claim):form>", "timeline.repair_edit")
