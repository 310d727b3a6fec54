"""Addresses of the timeline pages of a table, for a phone or for everyone."""

from collections.abc import Iterable, Iterator

from companion.log.entries import SeatRequested
from companion.log.plans import Drop, Insert, RepairPlan, Truncate
from companion.log.replay import replay
from companion.log.steps import Step
from companion.log.table import Table, to_data
from companion.pages.timeline import can_read
from scoring.kernel.move import Move


def public_addresses(table: Table, max_steps: int = 1000) -> list[str]:
    """Return the public addresses: game log, snapshots, repairs, previews of questions."""
    return ["log", *_step_addresses(table, _readable_steps(table, (), max_steps))]


def seat_addresses(
    table: Table, seat: int, alternatives: Iterable[tuple[int, Move]] = (), max_steps: int = 1000
) -> list[str]:
    """Return the timeline addresses for the phone of a seat: snapshots and all kinds of repairs.

    :param alternatives: moves entered as replacement or as missing, at every step.
    :param max_steps: number of steps to visit, spread over the log.
    """
    steps = _readable_steps(table, table.seats_of(table.seats[seat] or ""), max_steps)
    plans = {
        plan.encode()
        for step in steps
        if table.active_step(step.id)
        for plan in plans_at_step(table, step, seat, alternatives)
    }
    repair_paths = [f"seat/{seat}/mend/{plan}" for plan in sorted(plans)]
    return [*_step_addresses(table, steps), *repair_paths, *(f"{address}/now" for address in repair_paths[:1])]


def _readable_steps(table: Table, own_seats: tuple[int, ...], max_steps: int) -> list[Step]:
    steps = [step for step in (*table.steps, *table.removed_steps) if can_read(table, step, own_seats)]
    return steps[:: max(1, len(steps) // max_steps)]


def _step_addresses(table: Table, steps: list[Step]) -> Iterator[str]:
    for step in steps:
        yield from (f"log/{step.id}", f"log/{step.id}/now")
    readable_ids = {step.id for step in steps}
    for repair in table.repairs:
        if readable_ids & {step.id for step in (*repair.removed, *repair.added)}:
            yield f"log/{repair.number}/repair"
    for proposal in table.proposals:
        if not isinstance(proposal.proposable, SeatRequested):
            yield f"if/{proposal.number}"


def plans_at_step(
    table: Table, step: Step, seat: int, alternatives: Iterable[tuple[int, Move]] = ()
) -> Iterator[RepairPlan]:
    """Yield every repair a phone can start at a step, up to a whole log or a conflicting step."""
    partial_plans = [
        RepairPlan(step.id, 1, is_open=True),
        RepairPlan(step.id, 1),
        RepairPlan(step.id, is_open=True),
        RepairPlan(step.id, edits=(Truncate(),)),
    ]
    yield from partial_plans
    for other, move in alternatives:
        for plan in (partial_plans[0], partial_plans[2]):
            partial_plans.append(plan.with_edit(Insert(other, to_data(move))))
            yield partial_plans[-1]
    for plan in partial_plans:
        yield from _plans_with_answers(table, plan, seat)


def _plans_with_answers(table: Table, plan: RepairPlan, seat: int) -> Iterator[RepairPlan]:
    """Yield a plan with answers to conflicting steps: remove all, or drop one after another."""
    outcome = replay(table, plan, seat)
    for _ in range(4):
        if not outcome.blocked:
            return
        yield plan.with_edit(Truncate())
        if not outcome.can_drop_blocked:
            return
        plan = plan.with_edit(Drop())
        yield plan
        outcome = replay(table, plan, seat)
