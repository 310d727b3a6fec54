"""The pages of the past: the game log, snapshots of the table, and repairs."""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from msgspec.structs import replace

from companion.log.consent import consent_in_force, required_approvals
from companion.log.entries import ConsentPolicy, local_time
from companion.log.log_diff import LogDiff
from companion.log.log_text import Chapter, agreement_text, game_log, lines_of_player, step_origin_text
from companion.log.plans import Drop, RepairPlan, Truncate, plan_to_restore, plan_to_revert
from companion.log.preview import Preview, Simulation, compare, simulate_proposal
from companion.log.proposals import pending_proposal
from companion.log.replay import Outcome, replay
from companion.log.steps import InvalidEntryError, Step, conflict_text, quote_step
from companion.log.table import Table
from companion.pages.menu import Button, Menu
from companion.pages.seat import SeatPage
from companion.pages.table import REPAIR_KEY, ProposalView, TableMixin, TablePage, table_page
from scoring.kernel.rule import Reason, Rule
from scoring.kernel.state import GameState


@dataclass(frozen=True)
class GameLogPage(TableMixin):
    """The log of all players or of one, by chapters and turns."""

    chapters: list[Chapter]
    seat: int | None  # the seat that reads it
    player: int | None  # the seat whose turns it shows; None: those of all


class RepairChoice(NamedTuple):
    """A correction that a phone may make to a step."""

    kind: Literal["replace", "remove", "insert", "rollback", "restore"]
    plan: str  # encoded


StepChangeKind = Literal["inserted", "restored", "changed", "removed"]


class StepChange(NamedTuple):
    """A step that a repair changes."""

    kind: StepChangeKind
    text: str
    seat: int


@dataclass(frozen=True)
class SnapshotPage(TableMixin):
    """The table as it was before a step, what happened and was possible, and how to repair it."""

    snapshot: TablePage  # the position before the step; `table` has the current one
    seat: int | None  # the seat of this phone that views the page
    step_id: str
    text: str
    step_number: int  # of the step in the log, from 1; 0: it was removed
    step_count: int  # in the log, of those this phone may read
    time: str
    attribution: str  # who entered it for its player, and who agreed
    turn: SeatPage  # of the step's player, in that position
    preview: Preview  # from before the step to after it
    rules: tuple[Rule, ...]
    previous_id: str  # of the step before
    next_id: str
    removed_by: str  # who removed it
    can_pin: bool  # the table view may show it
    is_pinned: bool  # the table view shows it
    repair_choices: tuple[RepairChoice, ...]
    alternatives: tuple[Button, ...]  # the moves that this phone may put in place of the step


@dataclass(frozen=True)
class RepairEditPage(TableMixin):
    """A repair that is being edited."""

    seat: int  # of the phone's owner
    plan: RepairPlan
    turn: SeatPage | None  # where a move is to be entered: the page of that turn
    start_text: str  # the first step of the repair
    blocked_step_text: str  # the later step that became illegal; empty: none
    objections: tuple[str | Reason, ...]
    objections_for: str  # the player at another phone whom the objections address as "you"; empty: this phone's
    drop_plan: str  # the plan without the blocked step; empty: the turn order needs that step
    truncate_plan: str  # the plan that removes the blocked step and all after it; empty: no step is blocked
    remaining_count: int  # steps that `truncate_plan` would remove
    alternatives: tuple[Button, ...]  # the moves that are most like the blocked step, and possible in its place
    step_changes: tuple[StepChange, ...]
    can_claim: bool  # it can be entered as a competing account
    refusal: tuple[Reason | str, ...]
    # Set once the repair is complete:
    preview: Preview | None = None  # the differences
    resulting_page: SeatPage | None = None  # the table after the repair
    asked_names: tuple[str, ...] = ()  # who would have to agree; empty: no one
    consent: ConsentPolicy = "everybody"  # the setting that decides that


@dataclass(frozen=True)
class RepairDetailPage(TableMixin):
    """An applied repair: what it removed and added, who agreed, and how to revert it."""

    text: str
    time: str
    attribution: str
    removed: tuple[tuple[str, str], ...]  # id and text of each removed step
    added: tuple[tuple[str, str], ...]  # id and text of each added step
    preview: Preview
    revert_plan: str  # the plan that reverts the repair; empty: too much has been entered since
    seat: int | None


def game_log_page(table: Table, device: str, seat: int | None, player: int | None = None) -> GameLogPage:
    """Build the log as a seat may read it (None: as everyone may).

    :param player: the seat whose turns are shown; None, or a seat that the table does not have: those of all.
    """
    chapters = game_log(table, () if seat is None else (seat,))
    if player is None or player not in range(len(table.seats)):
        return GameLogPage(table_page(table, device), chapters, seat, None)
    return GameLogPage(table_page(table, device), lines_of_player(chapters, player), seat, player)


def can_read(table: Table, step: Step, seats: tuple[int, ...]) -> bool:
    """Return whether a phone that holds the given seats may read a step."""
    return not step.move.is_secret or step.seat in seats or table.is_over


def latest_steps(table: Table, seat: int, limit: int) -> list[Step]:
    """Return the latest steps that a seat may read, latest first."""
    return list(islice((step for step in reversed(table.steps) if can_read(table, step, (seat,))), limit))


def snapshot_page(table: Table, device: str, step_id: str, viewer_seat: int | None) -> SnapshotPage:
    """Build the table as it was before a step, as a seat may see it (None: as everyone may).

    :raises InvalidEntryError: if this phone can read no such step.
    """
    step, own_seats = table.find_step(step_id), table.seats_of(device)
    if not can_read(table, step, own_seats):
        raise InvalidEntryError(f"there is no step {step_id} for this phone")
    # If the game was over before this step, the notes that were secret may be shown.
    old_table = table.at_state(step.before)
    turn = turn_page(
        old_table if old_table.is_over else table, step.before, device, viewer_seat, step.seat, snapshot_key=step.id
    )
    repair_choices = _repair_choices(table, step, own_seats) if own_seats else ()
    can_replace = any(choice.kind == "replace" for choice in repair_choices)
    readable_ids = [other_step.id for other_step in table.steps if can_read(table, other_step, own_seats)]
    index = readable_ids.index(step.id) if step.id in readable_ids else None
    return SnapshotPage(
        table=table_page(table, device),
        snapshot=turn.table,
        seat=viewer_seat,
        step_id=step.id,
        text=step.text,
        # Counted among the steps this phone can read, so that it cannot learn how many others there are.
        step_number=0 if index is None else index + 1,
        step_count=len(readable_ids),
        time=local_time(step.created_at),
        attribution=step_origin_text(table, step),
        turn=turn,
        preview=compare(old_table, table.at_state(step.after), is_past=True),
        rules=step.move.cited_rules(),
        previous_id=readable_ids[index - 1] if index else "",
        next_id=readable_ids[index + 1] if index is not None and index + 1 < len(readable_ids) else "",
        is_pinned=table.pinned_step == step.id,
        can_pin=step.id in table.index_by_step and can_read(table, step, ()),
        removed_by=table.removed[step.id][1] if step.id in table.removed else "",
        repair_choices=repair_choices,
        alternatives=tuple(turn.menu.alternatives(step.move, _log_text(step))) if can_replace else (),
    )


def _repair_choices(table: Table, step: Step, own_seats: tuple[int, ...]) -> tuple[RepairChoice, ...]:
    """Return the corrections that a phone may make to a step.

    A note is corrected only by its own player.
    """
    may_edit = step.seat in own_seats or not step.move.is_secret
    if step.id in table.removed:
        return (RepairChoice("restore", plan_to_restore(table, step.id).encode()),) if may_edit else ()
    edits = (
        RepairChoice("replace", RepairPlan(step.id, 1, is_open=True).encode()),
        RepairChoice("remove", RepairPlan(step.id, 1).encode()),
    )
    return (
        *(edits if may_edit else ()),
        RepairChoice("insert", RepairPlan(step.id, is_open=True).encode()),
        RepairChoice("rollback", RepairPlan(step.id, edits=(Truncate(),)).encode()),
    )


def turn_page(
    table: Table,
    state: GameState,
    device: str,
    viewer_seat: int | None,
    seat: int,
    draft: dict[str, str] | None = None,
    *,
    snapshot_key: str,
) -> SeatPage:
    """Build the page of a player's turn in a given state, as another seat may see it."""
    page = table_page(
        table.at_state(table.visible_state(state, viewer_seat)), device, viewer_seat, snapshot_key=snapshot_key
    )
    is_own = seat in table.seats_of(device)
    return SeatPage(page, seat, Menu(page.tracked, page.view, seat, is_own=is_own), (), None, draft or {})


def repair_edit_page(
    table: Table,
    device: str,
    seat: int,
    plan: RepairPlan,
    acting_seat: int | None = None,
    draft: dict[str, str] | None = None,
    refusal: Iterable[Reason | str] = (),
) -> RepairEditPage:
    """Build the page of a repair so far.

    :param acting_seat: the player whose move is to be entered now; None: work it out.
    :raises InvalidEntryError, InvalidInputError: if the log has changed too much since.
    """
    outcome = replay(table, plan, seat)
    blocked, own_seats, turn = outcome.blocked, table.seats_of(device), None
    if (outcome.plan.is_open or blocked) and not table.would_end(outcome.state):
        turn_seat = _acting_seat(table, outcome, acting_seat)
        turn = turn_page(
            table, outcome.state, device, seat, turn_seat, draft, snapshot_key=f"{REPAIR_KEY} {plan.encode()}"
        )
    start_step = table.active_step(plan.start_step)
    page = RepairEditPage(
        table=table_page(table, device, seat),
        seat=seat,
        plan=outcome.plan,
        turn=turn,
        start_text=quote_step(start_step) if start_step and can_read(table, start_step, own_seats) else "",
        blocked_step_text=quote_step(blocked.step) if blocked else "",
        objections=_blocking_objections(table, outcome),
        objections_for=table.names[blocked.step.seat] if blocked and blocked.step.seat not in own_seats else "",
        drop_plan=outcome.plan.with_edit(Drop()).encode() if outcome.can_drop_blocked else "",
        truncate_plan=outcome.plan.with_edit(Truncate()).encode() if blocked else "",
        alternatives=_blocked_alternatives(blocked.step, turn) if blocked and turn else (),
        remaining_count=sum(can_read(table, step, own_seats) for step in outcome.remaining),
        step_changes=tuple(step_changes(outcome, (seat,))),
        can_claim=not outcome.has_secrets,
        refusal=(*outcome.refusal, *refusal),
    )
    if not outcome.is_complete or outcome.changes_nothing:
        return page
    new_table = replace(table, steps=outcome.steps)
    preview = compare(table, new_table)
    asked_seats = () if outcome.can_apply_alone(device) else required_approvals(table, device, preview)[0]
    snapshot_key = f"outcome {outcome.plan.encode()}"
    return dataclasses.replace(
        page,
        preview=preview,
        resulting_page=_resulting_page(table, new_table, preview, device, seat, snapshot_key=snapshot_key),
        asked_names=tuple(table.names[asked_seat] for asked_seat in asked_seats),
        consent=consent_in_force(table, outcome.rewrite),
    )


def _blocked_alternatives(step: Step, turn: SeatPage) -> tuple[Button, ...]:
    """Return the moves most like a step that became illegal, if its player is to move."""
    return tuple(turn.menu.closest_alternatives(step.move, _log_text(step))) if step.seat == turn.seat else ()


def _log_text(step: Step) -> str:
    return step.move.log_text(step.before, step.seat)


def _acting_seat(table: Table, outcome: Outcome, requested_seat: int | None) -> int:
    """Return whose move is to be entered: as requested, the step's player or one to move."""
    to_move = table.tracked.flow.to_move(outcome.state)
    if requested_seat is not None and 0 <= requested_seat < len(table.seats):
        return requested_seat
    step = outcome.blocked.step if outcome.blocked else table.active_step(outcome.plan.start_step)
    replaces_step = outcome.blocked is not None or outcome.plan.drop_count > 0
    if step and (step.seat in to_move or not to_move or (replaces_step and step.move.out_of_turn)):
        return step.seat
    return min(to_move) if to_move else 0


def _blocking_objections(table: Table, outcome: Outcome) -> tuple[str | Reason, ...]:
    """Return why a later step became illegal, as far as this phone may know."""
    blocked = outcome.blocked
    if blocked is None:
        return ()
    in_turn = not blocked.seats_to_move and table.tracked.flow.to_move(outcome.state)
    if in_turn and blocked.objections:
        return blocked.objections
    return (conflict_text(table.tracked, outcome.state, blocked.step, ()),)


def _resulting_page(
    table: Table, new_table: Table, preview: Preview, device: str, viewer_seat: int | None, *, snapshot_key: str
) -> SeatPage | None:
    """Build the page of the first affected seat after a change; None if the game would end."""
    if preview.ends_game:
        return None
    shown_seat = preview.first_affected_seat if preview.first_affected_seat is not None else viewer_seat or 0
    return turn_page(table, new_table.state, device, viewer_seat, shown_seat, snapshot_key=snapshot_key)


def step_changes(outcome: Outcome, seats: tuple[int, ...]) -> Iterator[StepChange]:
    """Yield the steps that a repair changes; secret notes only of the given seats."""
    table, kept_ids = outcome.table, {step.id for step in outcome.steps}
    for step in (*outcome.steps, *outcome.removed):
        if not can_read(table, step, seats):
            continue
        old_step = table.active_step(step.id)
        if step.id in kept_ids and old_step is None:
            yield StepChange("restored" if step.id in table.removed else "inserted", step.text, step.seat)
        elif step.id in kept_ids and old_step and step.text != old_step.text:
            yield StepChange("changed", step.text, step.seat)
        elif step.id not in kept_ids and old_step:
            yield StepChange("removed", step.text, step.seat)


def repair_page(table: Table, device: str, number: int) -> RepairDetailPage:
    """Build the page of an applied repair.

    :raises InvalidEntryError: if this phone can read no such repair.
    """
    own_seats = table.seats_of(device)
    repair = next((repair for repair in table.repairs if repair.number == number), None)
    if repair is None or not any(can_read(table, step, own_seats) for step in (*repair.removed, *repair.added)):
        raise InvalidEntryError(f"there is no repair {number}")
    revert_plan = plan_to_revert(table, repair)
    return RepairDetailPage(
        table=table_page(table, device),
        text=repair.text,
        time=local_time(repair.created_at),
        attribution=agreement_text(table, table.agreements.get(repair.number)),
        removed=tuple((step.id, step.text) for step in repair.removed if can_read(table, step, own_seats)),
        added=tuple((step.id, step.text) for step in repair.added if can_read(table, step, own_seats)),
        preview=compare(table.at_state(repair.state_before), table.at_state(repair.state_after), is_past=True),
        revert_plan=revert_plan.encode() if revert_plan and own_seats else "",
        seat=own_seats[0] if own_seats else None,
    )


@dataclass(frozen=True)
class WhatIfPage(TableMixin):
    """A proposal in full, with the table as it would be if it were approved."""

    proposal: ProposalView
    # None: there is no position to show, as it asks for a seat, is no longer possible, or would end the game.
    turn: SeatPage | None = None
    step_changes: tuple[StepChange, ...] = ()  # of a repair


def what_if_page(table: Table, device: str, number: int, viewer_seat: int | None) -> WhatIfPage:
    """Build the page of a proposal.

    :raises InvalidEntryError: if there is no such proposal.
    """
    proposal = pending_proposal(table, number)
    simulation, current_page = simulate_proposal(table, proposal), table_page(table, device)
    page = WhatIfPage(current_page, next(view for view in current_page.proposals if view.number == number))
    if not isinstance(simulation, Simulation):
        return page
    turn = _resulting_page(table, *simulation, device, viewer_seat, snapshot_key=f"if {number}")
    changes = _public_step_changes(simulation.preview.log_diff) if page.proposal.is_repair else ()
    return dataclasses.replace(page, turn=turn, step_changes=tuple(changes))


def _public_step_changes(log_diff: LogDiff) -> Iterator[StepChange]:
    """Yield the steps that a change of the log alters, without secret notes."""
    kinds: tuple[tuple[StepChangeKind, tuple[Step, ...]], ...] = (
        ("restored", log_diff.restored),
        ("inserted", log_diff.inserted),
        ("changed", log_diff.updated),
        ("removed", log_diff.removed),
    )
    return (
        StepChange(kind, step.text, step.seat) for kind, steps in kinds for step in steps if not step.move.is_secret
    )
