"""The replay of a changed log, for undo, repairs, requests, and the players' own accounts.

`replay` follows a plan and reports the steps that block it. `replay_rewrite` and `replay_steps` need every step legal.
"""

import dataclasses
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from companion.log.entries import Entry, LogRewritten, NewMove
from companion.log.log_diff import rewrite_entry
from companion.log.plans import Drop, Insert, RepairPlan, Restore, Truncate
from companion.log.seats import check_seat
from companion.log.steps import (
    ConflictingStepError,
    InvalidEntryError,
    Step,
    conflict_text,
    describe_conflict,
    new_step,
    replay_step,
)
from companion.log.table import Table
from companion.log.upcast import decode_stored_move
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


@dataclass(frozen=True)
class BlockedStep:
    """A later step that is no longer legal."""

    step: Step
    objections: tuple[Reason, ...]  # reasons that the viewer may know
    # seats that would still have to move, if it is not this player's turn
    seats_to_move: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The log that results from a plan, as far as it can be replayed, and what it changes."""

    table: Table  # before the change
    plan: RepairPlan
    # kept and inserted steps; inserted steps have the number of the next entry
    steps: tuple[Step, ...]
    removed: tuple[Step, ...]  # steps dropped, truncated or no longer legal
    remaining: tuple[Step, ...]  # the blocked step and the steps after it
    blocked: BlockedStep | None
    state: GameState  # state after `steps`, where the next edit applies
    entered_moves: tuple[Move, ...]  # all moves that the given plan enters, also those after a refused one
    refused: Step | None = None  # the step of an edit that is refused; `plan` ends before that edit
    refusal: tuple[Reason, ...] = ()  # why it is refused
    displaced_notes: tuple[Step, ...] = ()  # removed secret notes that the viewer must not learn about
    can_drop_blocked: bool = False  # whether the turn order allows the blocked step to be left out

    @property
    def is_complete(self) -> bool:
        return not (self.blocked or self.refusal or self.plan.is_open)

    @cached_property
    def rewrite(self) -> LogRewritten:
        """Return the shortest entry that makes this change; `LogRewritten()` if nothing changes."""
        return rewrite_entry(self.table, self.steps)

    @property
    def changes_nothing(self) -> bool:
        return self.rewrite == LogRewritten()

    @cached_property
    def changed_steps(self) -> tuple[Step, ...]:
        """Return the steps that are removed, inserted or restored."""
        return (*self.removed, *(step for step in self.steps if step.id not in self.table.index_by_step))

    @property
    def has_secrets(self) -> bool:
        """Return whether it changes a secret note, which only its own player may see."""
        return any(step.move.is_secret for step in self.changed_steps)

    @property
    def is_single_step(self) -> bool:
        """Return whether it undoes or redoes one step and changes no other step's result.

        Displaced notes of other players do not count, because the answer would reveal them.
        """
        if not self.is_complete:
            return False
        index_by_step, note_count = self.table.index_by_step, len(self.displaced_notes)
        later_steps = self.steps[max(0, self.table.index_of(self.plan.start_step) - note_count) :]
        added_count = sum(step.id not in index_by_step for step in later_steps)
        kept_steps = (step for step in later_steps if step.id in index_by_step and not step.move.is_secret)
        return added_count + len(self.removed) - note_count == 1 and all(
            step.text == self.table.steps[index_by_step[step.id]].text for step in kept_steps
        )

    def can_apply_alone(self, device: str) -> bool:
        """Return whether a phone may make the whole change without asking the table.

        Displaced notes are not considered, because asking about them would reveal them.
        """
        displaced_ids = {step.id for step in self.displaced_notes}
        steps = [step for step in self.changed_steps if step.id not in displaced_ids]
        return self.table.can_change_steps_alone(steps, self.table.index_of(self.rewrite.start_step), device)


def replay_steps(
    tracked: TrackedGame[GameSetup, GameState], state: GameState, steps: Iterable[Step]
) -> tuple[Step, ...]:
    """Return steps replayed from a state.

    :raises ConflictingStepError: if one of them is not legal there.
    """
    replayed = list[Step]()
    for step in steps:
        try:
            replayed.append(replay_step(tracked, state, step))
        except IllegalMoveError:
            raise ConflictingStepError(step, *describe_conflict(tracked, state, step)) from None
        state = replayed[-1].after
    return tuple(replayed)


def replay_rewrite(table: Table, entry: Entry, rewrite: LogRewritten, author_seat: int | None) -> tuple[Step, ...]:
    """Return the log after a stored rewrite.

    :param entry: the entry that applies it; its new steps get the entry's number.
    :raises InvalidInputError: if a new move cannot be read.
    :raises ConflictingStepError: if a step would not be legal.
    :raises InvalidEntryError: if the rewrite refers to steps that do not exist, or uses one twice.
    """
    start, end = table.replaced_range(rewrite)
    new_steps = (
        _stored_step(table, entry, part, reference, author_seat)
        if isinstance(reference, NewMove)
        else table.find_step(reference)
        for part, reference in enumerate(rewrite.replacement, 1)
    )
    steps = [*table.steps[:start], *new_steps, *table.steps[end:]]
    if len({step.id for step in steps}) < len(steps):
        raise InvalidEntryError("a step is in the log twice")
    return replay_steps(table.tracked, table.initial_state, steps)


def _stored_step(table: Table, entry: Entry, part: int, new_move: NewMove, author_seat: int | None) -> Step:
    """Return a step for a new move of an entry, before it is replayed."""
    move = decode_stored_move(table.tracked, new_move.move)
    seat = check_seat(table, new_move.seat)
    step = new_step(entry.number, part, seat, move, author_seat)
    return replace(step, created_at=entry.created_at)


def replay(table: Table, plan: RepairPlan, viewer_seat: int | None = None) -> Outcome:
    """Return the log that a plan leads to, with the reasons that a seat may see.

    Later steps that are still legal stay. In a changed turn, the player's own later steps are
    dropped when they are no longer legal.

    :param viewer_seat: the seat that makes the change; without it, reasons are public and notes are not displaced.
    :raises InvalidEntryError: if the plan refers to a step that does not exist.
    :raises InvalidInputError: if an inserted move is not a move of this game.
    """
    run = _Run(table, plan, viewer_seat)
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


class _Run:
    """One pass over the log.

    Steps dropped from a changed turn are tried again after another move of that turn is inserted.
    """

    def __init__(self, table: Table, plan: RepairPlan, viewer_seat: int | None):
        start = table.index_of(plan.start_step)
        self.table, self.viewer_seat, self.tracked = table, viewer_seat, table.tracked
        self.state = table.state_before(start)
        self.steps = list(table.steps[:start])
        self.remaining = deque(table.steps[start:])
        self.removed: list[Step] = []
        self.displaced_notes: list[Step] = []
        self.dropped_from_turn: list[Step] = []  # dropped since the last step of a changed turn that is still legal
        self.turn_by_step = table.turn_by_step
        self.changed_turns: set[Hashable] = set()
        inserts = (edit for edit in (*plan.edits, *plan.resolutions) if isinstance(edit, Insert))
        self.entered_moves = [self.tracked.decode(edit.move) for edit in inserts]
        self.inserted_count = 0
        self.refused: Step | None = None  # the latest step that could not be appended
        self.blocked: BlockedStep | None = None

    def outcome(self, plan: RepairPlan, refusal: tuple[Reason, ...] = ()) -> Outcome:
        """Return the result so far; the run must not be used after that."""
        outcome = Outcome(
            table=self.table,
            plan=plan,
            steps=tuple(self.steps),
            removed=(*self.removed, *self.displaced_notes, *self.dropped_from_turn),
            remaining=tuple(self.remaining),
            blocked=self.blocked,
            state=self.state,
            entered_moves=tuple(self.entered_moves),
            refused=self.refused if refusal else None,
            refusal=refusal,
            displaced_notes=tuple(self.displaced_notes),
        )
        return (
            dataclasses.replace(outcome, can_drop_blocked=self._can_drop_blocked(self.blocked))
            if self.blocked
            else outcome
        )

    def _can_drop_blocked(self, blocked: BlockedStep) -> bool:
        """Return whether the turn order allows the blocked step to be removed.

        It tries the removal, so nothing else can be done with this run afterwards.
        """
        if blocked.step.move.out_of_turn:
            return True
        self.drop_step()
        try:
            self.replay_remaining()
        except ConflictingStepError:
            return False
        return self.blocked is None or blocked.step.seat not in self.blocked.seats_to_move

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
            case Insert(seat):
                return self._insert(seat)
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
            raise InvalidEntryError(f"step {id} is in the log")
        self.removed = [step for step in self.removed if step.id != id]
        return self.table.find_step(id)

    def _insert(self, seat: int) -> tuple[Reason, ...]:
        """Insert the next move that the plan enters."""
        if not 0 <= seat < len(self.table.seats):
            raise InvalidEntryError(f"there is no seat {seat}")
        move, turn = self.entered_moves[self.inserted_count], self._turn_of(seat)
        self.inserted_count += 1
        step = new_step(self.table.version + 1, self.inserted_count, seat, move, self.viewer_seat)
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
        kept_steps = [other_step for other_step in self.steps if other_step not in notes]
        self.steps = list(replay_steps(self.tracked, self.table.initial_state, kept_steps))
        self.state = self.steps[-1].after if self.steps else self.table.initial_state
        return True

    def _refusal(self, step: Step, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        self.refused = step
        first_reason, *other_reasons = reasons
        return (replace(first_reason, text=conflict_text(self.tracked, self.state, step, reasons)), *other_reasons)
