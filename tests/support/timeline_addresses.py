"""The pages of the past of a table: where each kind of them is, for a phone or for everybody."""

from collections.abc import Iterable, Iterator

from companion.log.entries import SeatAsked
from companion.log.repair import Out, Plan, Stop, Told, can_leave_out, mend
from companion.log.table import Step, Table, plain_move
from companion.pages.timeline import readable
from scoring.kernel.move import Move


def of_everybody(table: Table, most: int = 1000) -> list[str]:
    """Return the addresses that anybody may open: the story, moments, repairs, what questions would make of the table."""
    return ["log", *_of(table, _steps(table, (), most))]


def of_a_seat(table: Table, seat: int, told: Iterable[tuple[int, Move]] = (), most: int = 1000) -> list[str]:
    """Return the addresses of the past for the phone of a seat: moments, and repairs told there in every way.

    :param told: what somebody says happened instead, or was missing, at every step.
    :param most: so many steps are looked at, spread over the story.
    """
    steps = _steps(table, table.seats_of(table.seats[seat] or ""), most)
    plans = {plan.packed() for step in steps if table.step(step.id) for plan in plans_at(table, step, seat, told)}
    mending = [f"seat/{seat}/mend/{plan}" for plan in sorted(plans)]
    return [*_of(table, steps), *mending, *(f"{address}/now" for address in mending[:1])]


def _steps(table: Table, mine: tuple[int, ...], most: int) -> list[Step]:
    steps = [step for step in (*table.steps, *table.set_aside) if readable(table, step, mine)]
    return steps[:: max(1, len(steps) // most)]


def _of(table: Table, steps: list[Step]) -> Iterator[str]:
    for step in steps:
        yield from (f"log/{step.id}", f"log/{step.id}/now")
    readable_ids = {step.id for step in steps}
    for repair in table.repairs:
        if readable_ids & {step.id for step in (*repair.gone, *repair.fresh)}:
            yield f"log/{repair.number}/repair"
    for proposal in table.proposals:
        if not isinstance(proposal.wish, SeatAsked):
            yield f"if/{proposal.number}"


def plans_at(table: Table, step: Step, seat: int, told: Iterable[tuple[int, Move]] = ()) -> Iterator[Plan]:
    """Yield everything a phone can say of a step, as far as that goes: to a whole story, or to what does not stand."""
    begun = [Plan(step.id, 1, open=True), Plan(step.id, 1), Plan(step.id, open=True), Plan(step.id, here=(Stop(),))]
    yield from begun
    for other, move in told:
        for plan in (begun[0], begun[2]):
            begun.append(plan.saying(Told(other, plain_move(move))))
            yield begun[-1]
    for plan in begun:
        yield from _answers(table, plan, seat)


def _answers(table: Table, plan: Plan, seat: int) -> Iterator[Plan]:
    """Yield a plan with the answers to what does not stand: all is set aside, or one after another is left out."""
    mended = mend(table, plan, seat)
    for _ in range(4):
        if not mended.blocked:
            return
        yield plan.saying(Stop())
        if not can_leave_out(table, mended, seat):
            return
        plan = plan.saying(Out())
        yield plan
        mended = mend(table, plan, seat)
