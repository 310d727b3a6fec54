"""What the pages of the past show: the story, the table at a moment of it, a repair being told, one that was made."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.log.entries import LogRewritten, SeatRequested, local_time
from companion.log.log_diff import rewrite_entry
from companion.log.log_text import Chapter, agreement_text, game_log, step_origin_text
from companion.log.preview import Preview, compare, preview_proposal, required_approvals, simulate
from companion.log.repair import (
    Drop,
    RepairOutcome,
    RepairPlan,
    Truncate,
    apply_repair,
    can_drop_blocked_step,
    can_repair_alone,
    has_secret_steps,
    plan_to_restore,
    plan_to_revert,
)
from companion.log.table import InvalidEntryError, Step, Table, conflict_text, quote_step
from companion.pages.menu import Menu
from companion.pages.pages import ProposalView, SeatPage, TableMixin, TablePage, table_page
from scoring.kernel.rule import Reason, Rule


@dataclass(frozen=True)
class GameLogPage(TableMixin):
    """The whole log, by chapters and turns."""

    table: TablePage
    chapters: list[Chapter]
    seat: int | None


@dataclass(frozen=True)
class SnapshotPage(TableMixin):
    """The table as it was before a step: the picture, what happened, what was possible, what can be done about it."""

    table: TablePage  # as it is now
    snapshot: TablePage
    seat: int | None  # through whose eyes, on this phone
    step_id: str
    text: str
    step_number: int  # of the step in the story, from 1; 0: it was set aside
    step_count: int  # in the story
    time: str
    attribution: str  # who told it instead of its player, by whose consent
    turn: SeatPage  # of the player whose step it is, as it was then
    preview: Preview  # from before the step to after it
    rules: tuple[Rule, ...]
    previous_id: str  # the id of the step before
    next_id: str
    removed_by: str  # who wanted it set aside
    can_pin: bool  # the table view may show it
    is_pinned: bool  # and does
    repair_plans: dict[str, str]  # what can be said of it: its words -> the plan as part of an address


@dataclass(frozen=True)
class RepairEditPage(TableMixin):
    """A repair that is being told."""

    table: TablePage
    seat: int  # of the phone's owner
    plan: RepairPlan
    turn: SeatPage | None  # where something is to be told: the turn's own page there
    start_text: str  # the step it begins at
    blocked_step_text: str  # the later step that does not stand; empty: none
    objections: tuple[str | Reason, ...]
    objections_for: str  # whose reasons these are, where that is another phone's player: they say "you"
    drop_plan: str  # the plan that goes on without it; empty: the order of turns needs it
    truncate_plan: str  # the plan that sets aside everything from it on; empty: nothing comes after
    remaining_count: int  # how many steps that would be
    preview: Preview | None  # what would differ, once the story is whole
    resulting_page: SeatPage | None  # the table as it would be then
    step_changes: tuple[tuple[str, str], ...]  # what becomes of which step: "told anew", "set aside"
    can_repair_alone: bool  # nobody has to be asked
    asked_names: tuple[str, ...]  # who would be asked
    can_claim: bool  # it can be laid beside what others say
    refusal: tuple[Reason | str, ...] = ()


@dataclass(frozen=True)
class RepairDetailPage(TableMixin):
    """A repair that was made: what was, what is, by whose consent; and the way back."""

    table: TablePage
    text: str
    time: str
    attribution: str
    removed: tuple[tuple[str, str], ...]  # id and words of each step that was set aside
    added: tuple[tuple[str, str], ...]  # of each that was told
    preview: Preview
    revert_plan: str  # the plan that brings back what was; empty: too much has been told since
    seat: int | None


def game_log_page(table: Table, device: str, seat: int | None) -> GameLogPage:
    """Build the log as a seat may read it, or everybody."""
    return GameLogPage(table_page(table, device), game_log(table, () if seat is None else (seat,)), seat)


def can_read(table: Table, step: Step, seats: tuple[int, ...]) -> bool:
    """Return whether a phone that holds some seats may read a step."""
    return not step.move.is_secret or step.seat in seats or table.is_over


def snapshot_page(table: Table, device: str, step_id: str, viewer_seat: int | None) -> SnapshotPage:
    """Build the table as it was before a step, for the eyes of a seat or everybody's.

    :raises DoesNotFollow: when this phone can read no such step.
    """
    step, mine = table.find_step(step_id), table.seats_of(device)
    if not can_read(table, step, mine):
        raise InvalidEntryError(f"there is no step {step_id} for this phone")
    was = table.at_state(step.before)  # it was so: what was secret then may be known by now
    turn = turn_page(was if was.is_over else table, step.before, device, viewer_seat, step.seat, snapshot_key=step.id)
    read = [each.id for each in table.steps if can_read(table, each, mine)]
    at = read.index(step.id) if step.id in read else None
    return SnapshotPage(
        table=table_page(table, device),
        snapshot=turn.table,
        seat=viewer_seat,
        step_id=step.id,
        text=step.text,
        step_number=0
        if at is None
        else at + 1,  # among those this phone can read: how many there are of others it cannot know
        step_count=len(read),
        time=local_time(step.created_at),
        attribution=step_origin_text(table, step),
        turn=turn,
        preview=compare(was, table.at_state(step.after), is_past=True),
        rules=step.move.cited_rules(),
        previous_id=read[at - 1] if at else "",
        next_id=read[at + 1] if at is not None and at + 1 < len(read) else "",
        is_pinned=table.pinned_step == step.id,
        can_pin=step.id in table.index_by_step and can_read(table, step, ()),
        removed_by=table.removed[step.id][1] if step.id in table.removed else "",
        repair_plans=_repair_plans(table, step, mine) if mine else {},
    )


def _repair_plans(table: Table, step: Step, own_seats: tuple[int, ...]) -> dict[str, str]:
    """Return what a phone can say of a step, each with its plan."""
    if step.id in table.removed:
        return (
            {"Put it back": plan_to_restore(table, step.id).encode()}
            if not step.move.is_secret or step.seat in own_seats
            else {}
        )
    own = step.seat in own_seats or not step.move.is_secret
    plans = {
        "Something else happened": RepairPlan(step.id, 1, is_open=True),
        "It did not happen": RepairPlan(step.id, 1),
        "Something is missing before it": RepairPlan(step.id, is_open=True),
        "Back to here": RepairPlan(step.id, edits=(Truncate(),)),
    }
    return {words: plan.encode() for words, plan in plans.items() if own or not plan.drop_count}


def turn_page(
    table: Table,
    state: Any,
    device: str,
    viewer_seat: int | None,
    seat: int,
    draft: dict[str, str] | None = None,
    *,
    snapshot_key: str,
) -> SeatPage:
    """Build the page of a player's turn in some state, through the eyes of a seat."""
    page = table_page(
        table.at_state(table.visible_state(state, viewer_seat)), device, viewer_seat, snapshot_key=snapshot_key
    )
    own = seat in table.seats_of(device)
    return SeatPage(page, seat, Menu(page.tracked, page.view, seat, is_own=own), (), None, draft or {})


def repair_edit_page(
    table: Table,
    device: str,
    seat: int,
    plan: RepairPlan,
    acting_seat: int | None = None,
    draft: dict[str, str] | None = None,
    refusal: Iterable[Reason | str] = (),
) -> RepairEditPage:
    """Build a repair as far as it has been told; `who` is the player of whom something is to be told now.

    :raises DoesNotFollow, Malformed: when the story has gone another way since.
    """
    mended = apply_repair(table, plan, seat)
    blocked = mended.blocked
    turn = None
    if (mended.plan.is_open or blocked) and not table.would_end(mended.state):
        asked = _acting_seat(table, mended, acting_seat)
        turn = turn_page(table, mended.state, device, seat, asked, draft, snapshot_key=f"mending {plan.encode()}")
    leave_out = plan.with_edit(Drop()).encode() if blocked and can_drop_blocked_step(table, mended, seat) else ""
    shown, after, free, asks = _simulate_repair(table, device, seat, mended)
    return RepairEditPage(
        table=table_page(table, device, seat),
        seat=seat,
        plan=mended.plan,
        turn=turn,
        start_text=quote_step(step)
        if (step := table.active_step(plan.start_step)) and can_read(table, step, table.seats_of(device))
        else "",
        blocked_step_text=quote_step(blocked.step) if blocked else "",
        objections=_blocking_objections(table, mended),
        objections_for=_name_on_other_phone(table, device, blocked.step.seat) if blocked else "",
        drop_plan=leave_out,
        truncate_plan=plan.with_edit(Truncate()).encode() if blocked else "",
        remaining_count=sum(can_read(table, step, table.seats_of(device)) for step in mended.remaining),
        preview=shown,
        resulting_page=after,
        step_changes=tuple(_step_changes(table, mended, seat)),
        can_repair_alone=free,
        asked_names=asks,
        can_claim=not has_secret_steps(table, mended.plan, mended),
        refusal=(*mended.refusal, *refusal),
    )


def _acting_seat(table: Table, outcome: RepairOutcome, requested_seat: int | None) -> int:
    """Return the player of whom something is to be told: whose step it was, if that can be, or whoever would have to move."""
    to_move = table.tracked.to_move(outcome.state)
    if requested_seat is not None and 0 <= requested_seat < len(table.seats):
        return requested_seat
    step = outcome.blocked.step if outcome.blocked else table.active_step(outcome.plan.start_step)
    instead = outcome.blocked is not None or outcome.plan.drop_count > 0
    if step and (step.seat in to_move or not to_move or (instead and step.move.out_of_turn)):
        return step.seat
    return min(to_move) if to_move else 0


def _blocking_objections(table: Table, outcome: RepairOutcome) -> tuple[str | Reason, ...]:
    """Return why a later step does not stand any more, as far as this phone may know."""
    blocked = outcome.blocked
    if blocked is None:
        return ()
    in_turn = not blocked.seats_to_move and table.tracked.to_move(outcome.state)
    return (
        blocked.objections
        if in_turn and blocked.objections
        else (conflict_text(table.tracked, outcome.state, blocked.step, ()),)
    )


def _name_on_other_phone(table: Table, device: str, seat: int) -> str:
    return "" if seat in table.seats_of(device) else table.names[seat]


def _simulate_repair(
    table: Table, device: str, seat: int, outcome: RepairOutcome
) -> tuple[Preview | None, SeatPage | None, bool, tuple[str, ...]]:
    """Return what would differ if a repair were in force and the table then, whether nobody is asked, and else who is."""
    if not outcome.is_complete or rewrite_entry(table, outcome.steps) == LogRewritten():
        return None, None, False, ()
    after = replace(table, steps=outcome.steps)
    shown, free = compare(table, after), can_repair_alone(table, device, outcome)
    asks = () if free else required_approvals(table, device, shown)[0]
    return (
        shown,
        _resulting_page(table, after, device, seat, shown, snapshot_key=f"mended {outcome.plan.encode()}"),
        free,
        tuple(table.names[each] for each in asks),
    )


def _resulting_page(
    table: Table, after: Table, device: str, viewer_seat: int | None, preview: Preview, *, snapshot_key: str
) -> SeatPage | None:
    """Build the table as it would be, with the things of whom it concerns; nothing where it would show what is secret."""
    if preview.ends_game:
        return None
    whose = preview.first_affected_seat if preview.first_affected_seat is not None else viewer_seat or 0
    return turn_page(table, after.state, device, viewer_seat, whose, snapshot_key=snapshot_key)


def _step_changes(table: Table, outcome: RepairOutcome, seat: int) -> Iterator[tuple[str, str]]:
    """Yield the words of each step that changes its place in the story, and what becomes of it; of notes only their own."""
    read = [step for step in (*outcome.steps, *outcome.removed) if can_read(table, step, (seat,))]
    stay = {step.id for step in outcome.steps}
    for step in read:
        if step.id in stay and step.id not in table.index_by_step:
            yield step.text, "put back" if step.id in table.removed else "told anew"
        elif step.id in stay and step.text != table.steps[table.index_by_step[step.id]].text:
            yield step.text, "as it is then"
        elif step.id not in stay and step.id in table.index_by_step:
            yield step.text, "set aside"


def repair_page(table: Table, device: str, number: int) -> RepairDetailPage:
    """Build a repair that was made.

    :raises DoesNotFollow: when this phone can read no such repair.
    """
    mine = table.seats_of(device)
    repair = next((repair for repair in table.repairs if repair.number == number), None)
    if repair is None or not any(can_read(table, step, mine) for step in (*repair.removed, *repair.added)):
        raise InvalidEntryError(f"there is no repair {number}")
    back = plan_to_revert(table, repair)
    return RepairDetailPage(
        table=table_page(table, device),
        text=repair.text,
        time=local_time(repair.created_at),
        attribution=agreement_text(table, table.agreements.get(repair.number)),
        removed=tuple((step.id, step.text) for step in repair.removed if can_read(table, step, mine)),
        added=tuple((step.id, step.text) for step in repair.added if can_read(table, step, mine)),
        preview=compare(table.at_state(repair.state_before), table.at_state(repair.state_after), is_past=True),
        revert_plan=back.encode() if back and mine else "",
        seat=mine[0] if mine else None,
    )


@dataclass(frozen=True)
class WhatIfPage(TableMixin):
    """The table as it would be if a question were answered with Yes."""

    table: TablePage
    proposal: ProposalView
    turn: SeatPage


def what_if_page(table: Table, device: str, number: int, viewer_seat: int | None) -> WhatIfPage:
    """Build the table as a proposal would make it.

    :raises DoesNotFollow: when nothing of the kind is asked, or it can no longer be.
    """
    proposal = table.find_proposal(number)
    if proposal is None or isinstance(proposal.proposable, SeatRequested):
        raise InvalidEntryError(f"nothing is asked under the number {number}")
    shown = preview_proposal(table, proposal)
    if not isinstance(shown, Preview):
        raise InvalidEntryError(f"what is asked under the number {number} is no longer possible")
    after = simulate(table, proposal.device, proposal.seat, proposal.proposable)
    turn = _resulting_page(table, after, device, viewer_seat, shown, snapshot_key=f"if {number}")
    if turn is None:
        raise InvalidEntryError("the game would be over")
    now = table_page(table, device)
    return WhatIfPage(now, next(each for each in now.proposals if each.number == number), turn)
