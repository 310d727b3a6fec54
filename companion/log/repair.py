"""Repairs of the game log: replay a corrected log and report the steps that block it."""

import base64
import zlib
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from companion.log.entries import LogRewritten, NewMove
from companion.log.log_diff import rewrite_entry
from companion.log.replay import UNPLAYED, InvalidEntryError, Step, conflict_text, replay_step
from companion.log.table import Repair, Table
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameState

MAX_PLAN_BYTES = 20_000  # maximum size of an unpacked plan in bytes


class Drop(Struct, frozen=True, tag="out"):
    """Leave out the step that is no longer legal."""


class Truncate(Struct, frozen=True, tag="stop"):
    """Remove all remaining steps."""


class Restore(Struct, frozen=True, tag="back"):
    """Put a removed step in this place."""

    step: str


class Insert(Struct, frozen=True, tag="told"):
    """Add a move by a seat in this place."""

    seat: int
    move: dict


class RepairPlan(Struct, frozen=True, omit_defaults=True):
    """The edits of a repair: where it starts, how many steps it drops, and what it adds there.

    The later steps are then replayed. Each one that is no longer legal takes the next resolution.
    """

    # ID of the step where the repair starts; empty: after the last step
    start_step: str = field(default="", name="at")
    # number of steps dropped from there on
    drop_count: int = field(default=0, name="out")
    # added there, in this order
    edits: tuple[Insert | Restore | Truncate, ...] = field(default=(), name="here")
    # whether the player has yet to enter what happened there
    is_open: bool = field(default=False, name="open")
    # answers for the blocked steps, in order
    resolutions: tuple[Insert | Drop | Truncate, ...] = field(default=(), name="said")

    def with_edit(self, edit: Insert | Drop | Truncate) -> "RepairPlan":
        """Return the plan with one more edit at its start, or a resolution of the blocked step.

        The edit goes to the start of the repair while that is still open.
        """
        if self.is_open and not isinstance(edit, Drop):
            return replace(self, edits=(*self.edits, edit), is_open=False)
        return replace(self, resolutions=(*self.resolutions, edit))

    def encode(self) -> str:
        """Return the plan as text for a URL: URL-safe base64 of compressed JSON."""
        return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def decode_plan(text: str) -> RepairPlan:
    """Return the plan that a URL contains.

    :raises InvalidInputError: if the text is not an encoded plan.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_PLAN_BYTES)
        return msgspec.json.decode(data, type=RepairPlan)
    except (ValueError, zlib.error, msgspec.DecodeError):
        raise InvalidInputError("this is no repair that Waymark has written") from None


@dataclass(frozen=True)
class BlockedStep:
    """A later step that is no longer legal."""

    step: Step
    objections: tuple[Reason, ...]  # reasons that the viewer may know
    # seats that would still have to move, if it is not this player's turn
    seats_to_move: tuple[int, ...]


@dataclass(frozen=True)
class RepairOutcome:
    """The log that results from a repair plan, as far as it can be replayed."""

    plan: RepairPlan
    # kept and inserted steps; inserted steps have the number of the next entry
    steps: tuple[Step, ...]
    removed: tuple[Step, ...]  # steps dropped, truncated or no longer legal
    remaining: tuple[Step, ...]  # the blocked step and the steps after it
    blocked: BlockedStep | None
    state: GameState  # state after `steps`, where the next edit applies
    refusal: tuple[Reason, ...] = ()  # why the last edit was refused; the plan does not contain that edit
    displaced_notes: tuple[Step, ...] = ()  # removed secret notes that the viewer must not learn about

    @property
    def is_complete(self) -> bool:
        return not (self.blocked or self.refusal or self.plan.is_open)


def apply_repair(table: Table, plan: RepairPlan, viewer_seat: int | None = None) -> RepairOutcome:
    """Return the log that results from a repair plan, with the reasons a seat may see.

    Later steps that are still legal stay. In a changed turn, the player's own later steps are
    dropped when they are no longer legal.

    :param viewer_seat: the seat that makes the repair; without it, reasons are public and notes are not displaced.
    :raises InvalidEntryError: if the plan refers to a step that does not exist.
    :raises InvalidInputError: if an inserted move is not a move of this game.
    """
    run = RepairRun(table, plan.start_step, viewer_seat)
    for _ in range(min(plan.drop_count, len(run.remaining))):
        run.drop_step()
    for number, edit in enumerate(plan.edits):
        if reasons := run.apply_edit(edit):
            return run.outcome(replace(plan, edits=plan.edits[:number], is_open=True, resolutions=()), reasons)
    if plan.is_open:
        return run.outcome(plan)
    run.replay_remaining()
    for number, resolution in enumerate(plan.resolutions):
        if reasons := run.apply_edit(resolution):
            return run.outcome(replace(plan, resolutions=plan.resolutions[:number]), reasons)
        run.replay_remaining()
    return run.outcome(plan)


class RepairRun:
    """One pass over the log.

    Steps dropped from a changed turn are tried again after another move of that turn is inserted.
    """

    def __init__(self, table: Table, start_step: str, viewer_seat: int | None):
        start = table.index_of(start_step)
        self.table, self.viewer_seat, self.tracked = table, viewer_seat, table.tracked
        self.state = table.state_before(start)
        self.steps = list(table.steps[:start])
        self.remaining = deque(table.steps[start:])
        self.removed: list[Step] = []
        self.displaced_notes: list[Step] = []
        self.dropped_from_turn: list[Step] = []  # dropped since the last step of a changed turn that is still legal
        self.turn_by_step = table.turn_by_step
        self.changed_turns: set[Hashable] = set()
        self.inserted_count = 0
        self.blocked: BlockedStep | None = None

    def outcome(self, plan: RepairPlan, refusal: tuple[Reason, ...] = ()) -> RepairOutcome:
        removed = (*self.removed, *self.displaced_notes, *self.dropped_from_turn)
        return RepairOutcome(
            plan,
            tuple(self.steps),
            removed,
            tuple(self.remaining),
            self.blocked,
            self.state,
            refusal,
            tuple(self.displaced_notes),
        )

    def replay_remaining(self) -> None:
        """Replay the remaining steps up to the first one that is blocked."""
        self.blocked = None
        while self.remaining and not self.blocked:
            step = self.remaining[0]
            try:
                self._accept(replay_step(self.tracked, self.state, step))
            except IllegalMoveError:
                if self.turn_by_step[step.id] in self.changed_turns:
                    self.dropped_from_turn.append(self.remaining.popleft())
                elif step.move.is_secret and self._can_displace_notes(step.seat):
                    self.displaced_notes.append(self.remaining.popleft())
                elif not self._displace_notes(step):
                    self.blocked = self._blocked_step(step)

    def _accept(self, step: Step) -> None:
        self.remaining.popleft()
        if self.turn_by_step[step.id] in self.changed_turns:
            self.removed += self.dropped_from_turn
            self.dropped_from_turn.clear()
        self._append(step)

    def _append(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.after

    def _blocked_step(self, step: Step) -> BlockedStep:
        to_move = self.tracked.flow.to_move(self.state)
        view = self.tracked.view(self.state, self.viewer_seat)
        seats_to_move = () if step.move.out_of_turn or step.seat in to_move else tuple(to_move)
        return BlockedStep(step, tuple(self.tracked.objections(view, step.seat, step.move)), seats_to_move)

    def drop_step(self) -> None:
        """Remove the next step; its player must enter the rest of that turn again."""
        if self.remaining:
            step = self.remaining.popleft()
            self.removed.append(step)
            self.changed_turns.add(self.turn_by_step[step.id])

    def apply_edit(self, edit: Insert | Restore | Drop | Truncate) -> tuple[Reason, ...]:
        """Apply one edit and return the reasons why it is refused, if any."""
        match edit:
            case Drop():
                self.drop_step()
            case Truncate():
                self._truncate()
            case Restore(id):
                return self._try_append(self._take_removed_step(id))
            case Insert(seat, move):
                return self._insert(seat, move)
        return ()

    def _truncate(self) -> None:
        """Remove all later steps except the secret notes of other players that are still legal."""
        for step in self.remaining:
            if not (step.move.is_secret and self._can_displace_notes(step.seat)):
                self.removed.append(step)
            elif self._try_append(step):
                self.displaced_notes.append(step)
        self.remaining.clear()

    def _take_removed_step(self, id: str) -> Step:
        """Return a step that is not in the log, or that this plan has removed from it.

        :raises InvalidEntryError: if the step is still in the log or does not exist.
        """
        if any(step.id == id for step in (*self.steps, *self.remaining)):
            raise InvalidEntryError(f"step {id} is in the story")
        self.removed = [step for step in self.removed if step.id != id]
        return self.table.find_step(id)

    def _insert(self, seat: int, data: dict) -> tuple[Reason, ...]:
        if not 0 <= seat < len(self.table.seats):
            raise InvalidEntryError(f"there is no seat {seat}")
        self.inserted_count += 1
        author_seat = None if self.viewer_seat == seat else self.viewer_seat
        move = self.tracked.decode(data)
        turn = self._turn_of(seat)
        step = Step(
            self.table.version + 1, seat, move, UNPLAYED, UNPLAYED, "", self.inserted_count, entered_by=author_seat
        )
        if reasons := self._try_append(step) if self._is_own(seat) else self._try_append_for_other(step):
            return reasons
        replaces_blocked = self.blocked and self.blocked.step.seat == seat and self.blocked.step.move.out_of_turn
        if replaces_blocked or not move.out_of_turn:  # A move out of turn does not change the player's turn.
            self.changed_turns.add(turn)
            self.remaining.extendleft(reversed(self.dropped_from_turn))
            self.dropped_from_turn.clear()
        return ()

    def _is_own(self, seat: int) -> bool:
        """Return whether a seat belongs to the phone that makes the repair."""
        return self.viewer_seat is None or self.table.seats[seat] == self.table.seats[self.viewer_seat]

    def _turn_of(self, seat: int) -> Hashable:
        """Return the turn of the original log that a move inserted for a seat now belongs to."""
        if self.blocked and self.blocked.step.seat == seat:
            return self.turn_by_step[self.blocked.step.id]
        own_turns = (
            self.turn_by_step.get(step.id)
            for step in reversed(self.steps)
            if step.seat == seat and not step.move.out_of_turn
        )
        return next((turn for turn in own_turns if turn is not None), None)

    def _try_append(self, step: Step) -> tuple[Reason, ...]:
        """Append a step to the replayed log; return the reasons if it is not legal."""
        try:
            self._append(replay_step(self.tracked, self.state, step))
        except IllegalMoveError as error:
            return self._refusal(step, error.reasons)
        return ()

    def _try_append_for_other(self, step: Step) -> tuple[Reason, ...]:
        """Append a step of another phone's player without revealing that player's notes.

        The step is checked against what the viewer may see. If only that player's secret notes
        conflict with it, the notes are removed.
        """
        view = self.tracked.view(self.state, self.viewer_seat)
        if reasons := tuple(self.tracked.objections(view, step.seat, step.move)):
            return self._refusal(step, reasons)
        self._displace_notes(step)
        return self._try_append(step)

    def _can_displace_notes(self, seat: int) -> bool:
        """Return whether the secret notes of a seat may be removed without notice to the viewer."""
        return not self._is_own(seat) and not self.table.is_over

    def _displace_notes(self, step: Step) -> bool:
        """Remove another player's notes if only they make a step illegal; return whether it did."""
        notes = [other_step for other_step in self.steps if other_step.move.is_secret and other_step.seat == step.seat]
        if not notes or not self._can_displace_notes(step.seat):
            return False
        view = self.tracked.view(self.state, self.viewer_seat)
        is_legal = self.tracked.is_legal
        if is_legal(self.state, step.seat, step.move) or not is_legal(view, step.seat, step.move):
            return False
        self.displaced_notes += notes
        self.steps = list(
            self.table.replay_steps((), [other_step for other_step in self.steps if other_step not in notes])
        )
        self.state = self.steps[-1].after if self.steps else self.table.initial_state
        return True

    def _refusal(self, step: Step, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        first_reason, *other_reasons = reasons
        return (replace(first_reason, text=conflict_text(self.tracked, self.state, step, reasons)), *other_reasons)


def changed_steps(table: Table, outcome: RepairOutcome) -> tuple[Step, ...]:
    """Return the steps that a repair removes, inserts or restores."""
    return (*outcome.removed, *(step for step in outcome.steps if step.id not in table.index_by_step))


def has_secret_steps(table: Table, plan: RepairPlan, outcome: RepairOutcome) -> bool:
    """Return whether a repair contains a secret note, which only its own player may see."""
    moves = (table.tracked.decode(edit.move) for edit in (*plan.edits, *plan.resolutions) if isinstance(edit, Insert))
    return any(move.is_secret for move in moves) or any(step.move.is_secret for step in changed_steps(table, outcome))


def can_repair_alone(table: Table, device: str, outcome: RepairOutcome) -> bool:
    """Return whether a phone may make a whole repair without asking the table.

    Displaced notes are not considered, because asking about them would reveal them.
    """
    displaced_ids = {step.id for step in outcome.displaced_notes}
    steps = [step for step in changed_steps(table, outcome) if step.id not in displaced_ids]
    return table.can_change_steps_alone(steps, table.index_of(rewrite_entry(table, outcome.steps).start_step), device)


def is_single_step_repair(table: Table, plan: RepairPlan, seat: int) -> bool:
    """Return whether a repair undoes or redoes one step and changes no other step's result.

    Displaced notes of other players do not count, because the answer would reveal them.
    """
    if table.steps and plan == RepairPlan(table.steps[-1].id, 1):
        return True  # the step is the last one
    outcome = apply_repair(table, plan, seat)
    if not outcome.is_complete:
        return False
    start = table.index_of(plan.start_step) - len(outcome.displaced_notes)
    later_steps = outcome.steps[max(0, start) :]
    added_count = sum(step.id not in table.index_by_step for step in later_steps)
    kept_steps = (step for step in later_steps if step.id in table.index_by_step and not step.move.is_secret)
    return added_count + len(outcome.removed) - len(outcome.displaced_notes) == 1 and all(
        step.text == table.steps[table.index_by_step[step.id]].text for step in kept_steps
    )


def can_drop_blocked_step(table: Table, outcome: RepairOutcome, viewer_seat: int | None) -> bool:
    """Return whether the turn order allows the blocked step to be left out."""
    if outcome.blocked is None:
        return False
    step = outcome.blocked.step
    next_blocked = apply_repair(table, outcome.plan.with_edit(Drop()), viewer_seat).blocked
    return step.move.out_of_turn or next_blocked is None or step.seat not in next_blocked.seats_to_move


def plan_for_rewrite(table: Table, rewrite: LogRewritten) -> RepairPlan:
    """Return the plan that makes the same change as a proposed rewrite in today's log.

    :raises InvalidEntryError: if that part of the log has changed since the proposal.
    """
    start = table.index_of(rewrite.start_step)
    end = table.index_of(rewrite.last_step) + 1 if rewrite.last_step else start
    edits = tuple(
        Insert(reference.seat, reference.move) if isinstance(reference, NewMove) else Restore(reference)
        for reference in rewrite.replacement
    )
    return RepairPlan(rewrite.start_step, end - start, edits=edits)


def plan_to_restore(table: Table, id: str) -> RepairPlan:
    """Return the plan that restores a removed step after the steps that preceded it.

    :raises InvalidEntryError: if no such step was removed.
    """
    if id not in table.removed:
        raise InvalidEntryError(f"no step {id} has been set aside")
    return RepairPlan(_next_active_step(table, _previous_active_step(table, id)), edits=(Restore(id),))


def _previous_active_step(table: Table, id: str) -> str:
    """Return the ID of the last active step before a removed one, or an empty text."""
    repair = next(repair for repair in reversed(table.repairs) if any(step.id == id for step in repair.removed))
    old_ids = [step.id for step in repair.old_steps]
    for previous_id in (*reversed(old_ids[: old_ids.index(id)]), repair.previous_step):
        if previous_id in table.index_by_step:
            return previous_id
    return _previous_active_step(table, repair.previous_step) if repair.previous_step else ""


def _next_active_step(table: Table, previous_id: str) -> str:
    """Return the ID of the active step after another one, or an empty text.

    :param previous_id: the ID of an active step; empty for the start of the log.
    """
    index = table.index_by_step[previous_id] + 1 if previous_id else 0
    return table.steps[index].id if index < len(table.steps) else ""


def plan_to_revert(table: Table, repair: Repair) -> RepairPlan | None:
    """Return the plan that reverts a repair, or None if its new steps are no longer adjacent."""
    indices = [table.index_by_step.get(step.id, -1) for step in repair.new_steps]
    is_contiguous = -1 not in indices and all(index == indices[0] + number for number, index in enumerate(indices))
    known = {step.id for step in repair.new_steps} | set(table.removed)
    if not is_contiguous or not {step.id for step in repair.old_steps} <= known:
        return None
    if repair.new_steps:
        start_step = repair.new_steps[0].id
    else:
        start_step = _next_active_step(
            table,
            repair.previous_step
            if repair.previous_step in table.index_by_step or not repair.previous_step
            else _previous_active_step(table, repair.previous_step),
        )
    return RepairPlan(start_step, len(repair.new_steps), edits=tuple(Restore(step.id) for step in repair.old_steps))
