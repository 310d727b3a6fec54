"""The past of a table: its story, the table at any moment of it, and telling it otherwise."""

from collections.abc import Iterable
from contextlib import suppress

from flask import Blueprint, Response, render_template, request

from companion.log.entries import LogRewritten
from companion.log.repair import Insert, RepairPlan, apply_repair, decode_plan, plan_for_rewrite
from companion.log.table import ConflictingStepError, InvalidEntryError, Table, to_data
from companion.pages import timeline
from companion.service.referee import IncompleteRepairError, NotAllowedError
from companion.web import context
from companion.web.forms import read_nested_fields, read_position_edit
from companion.web.play import read_move
from companion.web.sessions import device
from scoring.kernel.english import end_sentence
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason

blueprint = Blueprint("timeline", __name__, url_prefix="/t/<code>")


@blueprint.get("/log")
def game_log(code: str):
    """The whole log by chapters and turns, as everybody may read it; a phone with a seat reads it there."""
    table = context.table(code)
    if mine := table.seats_of(device()):
        return context.redirect_to("timeline.seat_game_log", code=table.code, seat=mine[0])
    return render_template("log.html", page=timeline.game_log_page(table, device(), None))


@blueprint.get("/seat/<int:seat>/log")
def seat_game_log(code: str, seat: int):
    """The whole log, as this seat may read it."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.redirect_to("lobby.lobby", code=table.code)
    return render_template("log.html", page=timeline.game_log_page(table, device(), seat))


@blueprint.get("/log/<step>")
def snapshot(code: str, step: str):
    """The table as it was before a step, with the rules behind it and what can be said of it."""
    return _render_snapshot(code, step, "moment.html")


@blueprint.get("/log/<step>/now")
def snapshot_region(code: str, step: str):
    """The region of a moment, for a phone whose table has gone on."""
    if request.args.get("have", type=int) == context.table(code).version:
        return "", 204
    return _render_snapshot(code, step, "_moment.html")


def _render_snapshot(code: str, step: str, template: str):
    table = context.table(code)
    try:
        return render_template(template, page=timeline.snapshot_page(table, device(), step, _viewer_seat(table)))
    except InvalidEntryError:
        return context.redirect_to("timeline.game_log", code=table.code)


def _viewer_seat(table: Table) -> int | None:
    """Return the seat through whose eyes a phone looks: one of its own, as the address says, or its first."""
    mine, asked = table.seats_of(device()), request.args.get("seat", type=int)
    return asked if asked in mine else mine[0] if mine else None


@blueprint.get("/log/<int:number>/repair")
def repair_detail(code: str, number: int):
    """A repair that was made: what was, what is, and by whose consent."""
    table = context.table(code)
    try:
        return render_template("repair.html", page=timeline.repair_page(table, device(), number))
    except InvalidEntryError:
        return context.redirect_to("timeline.game_log", code=table.code)


@blueprint.get("/if/<int:number>")
def what_if(code: str, number: int):
    """The table as it would be if a question were answered with Yes."""
    table = context.table(code)
    try:
        return render_template("if_so.html", page=timeline.what_if_page(table, device(), number, _viewer_seat(table)))
    except InvalidEntryError:
        return context.redirect_to("lobby.lobby", code=table.code)


@blueprint.post("/seat/<int:seat>/show")
def pin_step(code: str, seat: int):
    """Have the table view show a moment, or the table as it is."""
    table, step = context.table(code), request.form.get("step", "")
    try:
        context.referee().pin_step(table.code, device(), context.tap(), seat, step)
    except NotAllowedError:
        return context.redirect_to("timeline.game_log", code=table.code)
    return (
        context.redirect_to("timeline.snapshot", code=table.code, step=step)
        if step
        else context.redirect_to("play.seat", code=table.code, seat=seat)
    )


@blueprint.get("/seat/<int:seat>/again/<int:number>")
def renew_proposal(code: str, seat: int, number: int):
    """What this phone asked for, told anew on the story as it stands now. What others ask for may hold notes of theirs."""
    table = context.table(code)
    proposal = table.find_proposal(number)
    if proposal and proposal.device == device() and isinstance(proposal.proposable, LogRewritten):
        with suppress(InvalidEntryError):
            return context.redirect_to(
                "timeline.repair_edit",
                code=table.code,
                seat=seat,
                plan=plan_for_rewrite(table, proposal.proposable).encode(),
            )
    return context.redirect_to("timeline.seat_game_log", code=table.code, seat=seat)


# A repair is told on pages of its own; the plan so far is part of their address.

PLAN_PATH = "/seat/<int:seat>/mend/<plan>"


@blueprint.get(PLAN_PATH)
def repair_edit(code: str, seat: int, plan: str):
    """A repair as far as it has been told."""
    return _render_repair_edit(context.table(code), seat, plan, "mend.html")


@blueprint.get(f"{PLAN_PATH}/now")
def repair_edit_region(code: str, seat: int, plan: str):
    """The region of a repair that is being told."""
    table = context.table(code)
    if request.args.get("have", type=int) == table.version:
        return "", 204
    return _render_repair_edit(table, seat, plan, "_mend.html", fallback_endpoint="play.seat")


def _render_repair_edit(
    table: Table,
    seat: int,
    plan: str,
    template: str,
    refusal: Iterable[Reason | str] = (),
    status: int = 200,
    fallback_endpoint: str = "timeline.seat_game_log",
):
    """Answer with a repair as it stands; where the story has gone another way, lead to what is told of that now."""
    if seat not in table.seats_of(device()):
        return context.redirect_to("lobby.lobby", code=table.code)
    said = {
        name: value for name, value in read_nested_fields(request.values, "draft.").items() if isinstance(value, str)
    }
    try:
        if "as" in request.args:
            said["as"] = request.args["as"]  # what is drafted for somebody stays theirs
        who = next((number for number in range(len(table.seats)) if str(number) == said.get("as")), None)
        page = timeline.repair_edit_page(table, device(), seat, decode_plan(plan), who, said, refusal)
    except (InvalidEntryError, InvalidInputError):
        return context.redirect_to(fallback_endpoint, code=table.code, seat=seat)
    return render_template(template, page=page), status


@blueprint.post(f"{PLAN_PATH}/play")
def insert_move(code: str, seat: int, plan: str):
    """Say what happened where the repair asks for it."""
    return _insert_step(code, seat, plan, _read_inserted_move)


@blueprint.post(f"{PLAN_PATH}/right")
def insert_position_edit(code: str, seat: int, plan: str):
    """Say what lay on the table where the repair asks for it."""
    return _insert_step(code, seat, plan, _read_inserted_position_edit)


def _read_inserted_move(table: Table, seat: int, plan: RepairPlan) -> dict:
    data, strict = read_move()
    return to_data(table.tracked.decode(data, strict=strict))


def _read_inserted_position_edit(table: Table, seat: int, plan: RepairPlan) -> dict:
    return read_position_edit(
        table.tracked, table.tracked.view(apply_repair(table, plan, seat).state, seat), request.form
    )


def _insert_step(code: str, seat: int, plan: str, read_step):
    table, who = context.table(code), request.args.get("as", 0, int)
    context.count_limit("taps")
    try:
        sofar = decode_plan(plan)
        whole = sofar.with_edit(Insert(who, read_step(table, seat, sofar)))
        mended = apply_repair(table, whole, seat)
    except InvalidInputError as fault:
        return _render_refusal(table, seat, plan, [end_sentence(f"That could not be read: {fault}")], 400)
    except InvalidEntryError:
        return context.redirect_to("timeline.game_log", code=table.code)
    if mended.refusal:
        return _render_refusal(table, seat, plan, mended.refusal, 422)
    return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=whole.encode())


def _render_refusal(table: Table, seat: int, plan: str, refusal: Iterable[Reason | str], status: int):
    return _render_repair_edit(
        table, seat, plan, "_mend.html" if context.is_htmx_request() else "mend.html", refusal, status
    )


@blueprint.post(f"{PLAN_PATH}/ask")
def submit_repair(code: str, seat: int, plan: str) -> Response | tuple:
    """Put the repair in force, or ask those who have to agree."""
    table, tap = context.table(code), context.tap()
    try:
        context.referee().repair(table.code, device(), tap, seat, decode_plan(plan))
    except (IncompleteRepairError, IllegalMoveError, InvalidInputError):
        return context.redirect_to("timeline.repair_edit", code=table.code, seat=seat, plan=plan)
    except NotAllowedError as fault:
        return _render_refusal(table, seat, plan, [str(fault)], 403)
    except ConflictingStepError as fault:  # a note of which this phone knows nothing
        return _render_refusal(table, seat, plan, [str(fault)], 409)
    return context.redirect_to("play.seat", code=table.code, seat=seat)


@blueprint.post(f"{PLAN_PATH}/claim")
def claim_account(code: str, seat: int, plan: str) -> Response | tuple:
    """Put the repair beside what others say, with one thing more that is said to have happened, possible or not."""
    table, tap, who = context.table(code), context.tap(), request.args.get("as", 0, int)
    try:
        sofar = decode_plan(plan)
        if "move" in request.form:
            sofar = sofar.with_edit(Insert(who, _read_inserted_move(table, seat, sofar)))
        context.referee().claim_account(table.code, device(), tap, seat, sofar)
    except InvalidInputError as fault:
        return _render_refusal(table, seat, plan, [end_sentence(f"That could not be read: {fault}")], 400)
    except NotAllowedError as fault:
        return _render_refusal(table, seat, plan, [str(fault)], 403)
    return context.redirect_to("judge.accounts", code=table.code, seat=seat)


@blueprint.get(f"{PLAN_PATH}/<any(play, right, ask, claim):form>")
def redirect_from_form(code: str, seat: int, plan: str, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return context.redirect_to("timeline.repair_edit", code=code, seat=seat, plan=plan)
