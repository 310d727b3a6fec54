"""The past of a table: its story, the table at any moment of it, and telling it otherwise."""

from collections.abc import Iterable
from contextlib import suppress

from flask import Blueprint, Response, render_template, request

from companion.log.entries import Rewrote
from companion.log.repair import Plan, Told, mend, telling, unpacked
from companion.log.table import DoesNotFollow, InTheWay, Table, plain_move
from companion.pages import timeline
from companion.service.referee import NotAllowed, NotWhole
from companion.web import context
from companion.web.forms import plain, set_right
from companion.web.play import said_move
from companion.web.sessions import device
from scoring.kernel.english import ended
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.rule import Reason

blueprint = Blueprint("past", __name__, url_prefix="/t/<code>")


@blueprint.get("/log")
def story(code: str):
    """The whole log by chapters and turns, as everybody may read it; a phone with a seat reads it there."""
    table = context.table(code)
    if mine := table.seats_of(device()):
        return context.go("past.own_story", code=table.code, seat=mine[0])
    return render_template("log.html", page=timeline.story_page(table, device(), None))


@blueprint.get("/seat/<int:seat>/log")
def own_story(code: str, seat: int):
    """The whole log, as this seat may read it."""
    table = context.table(code)
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    return render_template("log.html", page=timeline.story_page(table, device(), seat))


@blueprint.get("/log/<step>")
def moment(code: str, step: str):
    """The table as it was before a step, with the rules behind it and what can be said of it."""
    return _moment(code, step, "moment.html")


@blueprint.get("/log/<step>/now")
def moment_now(code: str, step: str):
    """The region of a moment, for a phone whose table has gone on."""
    if request.args.get("have", type=int) == context.table(code).number:
        return "", 204
    return _moment(code, step, "_moment.html")


def _moment(code: str, step: str, template: str):
    table = context.table(code)
    try:
        return render_template(template, page=timeline.moment_page(table, device(), step, _eyes(table)))
    except DoesNotFollow:
        return context.go("past.story", code=table.code)


def _eyes(table: Table) -> int | None:
    """Return the seat through whose eyes a phone looks: one of its own, as the address says, or its first."""
    mine, asked = table.seats_of(device()), request.args.get("seat", type=int)
    return asked if asked in mine else mine[0] if mine else None


@blueprint.get("/log/<int:number>/repair")
def repair(code: str, number: int):
    """A repair that was made: what was, what is, and by whose consent."""
    table = context.table(code)
    try:
        return render_template("repair.html", page=timeline.repair_page(table, device(), number))
    except DoesNotFollow:
        return context.go("past.story", code=table.code)


@blueprint.get("/if/<int:number>")
def if_so(code: str, number: int):
    """The table as it would be if a question were answered with Yes."""
    table = context.table(code)
    try:
        return render_template("if_so.html", page=timeline.if_so_page(table, device(), number, _eyes(table)))
    except DoesNotFollow:
        return context.go("lobby.lobby", code=table.code)


@blueprint.post("/seat/<int:seat>/show")
def show(code: str, seat: int):
    """Have the table view show a moment, or the table as it is."""
    table, step = context.table(code), request.form.get("step", "")
    try:
        context.referee().show(table.code, device(), context.tap(), seat, step)
    except NotAllowed:
        return context.go("past.story", code=table.code)
    return (
        context.go("past.moment", code=table.code, step=step)
        if step
        else context.go("play.seat", code=table.code, seat=seat)
    )


@blueprint.get("/seat/<int:seat>/again/<int:number>")
def again(code: str, seat: int, number: int):
    """What this phone asked for, told anew on the story as it stands now. What others ask for may hold notes of theirs."""
    table = context.table(code)
    proposal = table.proposal(number)
    if proposal and proposal.device == device() and isinstance(proposal.wish, Rewrote):
        with suppress(DoesNotFollow):
            return context.go("past.mending", code=table.code, seat=seat, plan=telling(table, proposal.wish).packed())
    return context.go("past.own_story", code=table.code, seat=seat)


# A repair is told on pages of its own; the plan so far is part of their address.

PLAN = "/seat/<int:seat>/mend/<plan>"


@blueprint.get(PLAN)
def mending(code: str, seat: int, plan: str):
    """A repair as far as it has been told."""
    return _mending(context.table(code), seat, plan, "mend.html")


@blueprint.get(f"{PLAN}/now")
def mending_now(code: str, seat: int, plan: str):
    """The region of a repair that is being told."""
    table = context.table(code)
    if request.args.get("have", type=int) == table.number:
        return "", 204
    return _mending(table, seat, plan, "_mend.html", gone="play.seat")


def _mending(
    table: Table,
    seat: int,
    plan: str,
    template: str,
    refusal: Iterable[Reason | str] = (),
    status: int = 200,
    gone: str = "past.own_story",
):
    """Answer with a repair as it stands; where the story has gone another way, lead to what is told of that now."""
    if seat not in table.seats_of(device()):
        return context.go("lobby.lobby", code=table.code)
    said = {name: value for name, value in plain(request.values, "draft.").items() if isinstance(value, str)}
    try:
        if "as" in request.args:
            said["as"] = request.args["as"]  # what is drafted for somebody stays theirs
        who = next((number for number in range(len(table.seats)) if str(number) == said.get("as")), None)
        page = timeline.mend_page(table, device(), seat, unpacked(plan), who, said, refusal)
    except (DoesNotFollow, Malformed):
        return context.go(gone, code=table.code, seat=seat)
    return render_template(template, page=page), status


@blueprint.post(f"{PLAN}/play")
def told(code: str, seat: int, plan: str):
    """Say what happened where the repair asks for it."""
    return _told(code, seat, plan, _move)


@blueprint.post(f"{PLAN}/right")
def lay(code: str, seat: int, plan: str):
    """Say what lay on the table where the repair asks for it."""
    return _told(code, seat, plan, _lying)


def _move(table: Table, seat: int, sofar: Plan) -> dict:
    data, strict = said_move()
    return plain_move(table.play.decode(data, strict=strict))


def _lying(table: Table, seat: int, sofar: Plan) -> dict:
    return set_right(table.play, table.play.view(mend(table, sofar, seat).state, seat), request.form)


def _told(code: str, seat: int, plan: str, say):
    table, who = context.table(code), request.args.get("as", 0, int)
    context.limited("taps")
    try:
        sofar = unpacked(plan)
        whole = sofar.saying(Told(who, say(table, seat, sofar)))
        mended = mend(table, whole, seat)
    except Malformed as fault:
        return _refused(table, seat, plan, [ended(f"That could not be read: {fault}")], 400)
    except DoesNotFollow:
        return context.go("past.story", code=table.code)
    if mended.refused:
        return _refused(table, seat, plan, mended.refused, 422)
    return context.go("past.mending", code=table.code, seat=seat, plan=whole.packed())


def _refused(table: Table, seat: int, plan: str, refusal: Iterable[Reason | str], status: int):
    return _mending(table, seat, plan, "_mend.html" if context.by_htmx() else "mend.html", refusal, status)


@blueprint.post(f"{PLAN}/ask")
def ask(code: str, seat: int, plan: str) -> Response | tuple:
    """Put the repair in force, or ask those who have to agree."""
    table, tap = context.table(code), context.tap()
    try:
        context.referee().mend(table.code, device(), tap, seat, unpacked(plan))
    except (NotWhole, Illegal, Malformed):
        return context.go("past.mending", code=table.code, seat=seat, plan=plan)
    except NotAllowed as fault:
        return _refused(table, seat, plan, [str(fault)], 403)
    except InTheWay as fault:  # a note of which this phone knows nothing
        return _refused(table, seat, plan, [str(fault)], 409)
    return context.go("play.seat", code=table.code, seat=seat)


@blueprint.post(f"{PLAN}/claim")
def claim(code: str, seat: int, plan: str) -> Response | tuple:
    """Put the repair beside what others say, with one thing more that is said to have happened, possible or not."""
    table, tap, who = context.table(code), context.tap(), request.args.get("as", 0, int)
    try:
        sofar = unpacked(plan)
        if "move" in request.form:
            sofar = sofar.saying(Told(who, _move(table, seat, sofar)))
        context.referee().claim(table.code, device(), tap, seat, sofar)
    except Malformed as fault:
        return _refused(table, seat, plan, [ended(f"That could not be read: {fault}")], 400)
    except NotAllowed as fault:
        return _refused(table, seat, plan, [str(fault)], 403)
    return context.go("asking.sides", code=table.code, seat=seat)


@blueprint.get(f"{PLAN}/<any(play, right, ask, claim):form>")
def sent(code: str, seat: int, plan: str, form: str):
    """Where a refused form was answered, opened again: the page it came from."""
    return context.go("past.mending", code=code, seat=seat, plan=plan)
