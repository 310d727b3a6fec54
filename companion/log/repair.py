"""Mending the past: what somebody says really happened, played again on the table; what stands, and what stands in the way."""

import base64
import zlib
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from companion.log.entries import LogRewritten, NewMove
from companion.log.log_diff import rewrite_entry
from companion.log.table import InvalidEntryError, Repair, Step, Table, conflict_text, replay_step
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason

MAX_PLAN_BYTES = 20_000  # bytes of a plan, unpacked


class Drop(Struct, frozen=True, tag="out"):
    """The step that does not stand is left out."""


class Truncate(Struct, frozen=True, tag="stop"):
    """From here on everything is set aside."""


class Restore(Struct, frozen=True, tag="back"):
    """A step that was set aside is put here."""

    step: str


class Insert(Struct, frozen=True, tag="told"):
    """What happened here, by whom."""

    seat: int
    move: dict


class RepairPlan(Struct, frozen=True, omit_defaults=True):
    """A repair as far as somebody has told it: from where, how many steps there did not happen, and what did.

    After that comes what followed, as far as it stands; for each step that does not, something is said.
    """

    start_step: str = field(default="", name="at")  # the id of a step; empty: after the last one
    drop_count: int = field(default=0, name="out")  # so many steps from there did not happen
    edits: tuple[Insert | Restore | Truncate, ...] = field(default=(), name="here")  # what is put there
    is_open: bool = field(default=False, name="open")  # what happened there is still to be told
    resolutions: tuple[Insert | Drop | Truncate, ...] = field(
        default=(), name="said"
    )  # of what does not stand, one after another

    def with_edit(self, edit: Insert | Drop | Truncate) -> "RepairPlan":
        """Return the plan with one thing more: where it begins, if that is still open, or of the step that does not stand."""
        if self.is_open and not isinstance(edit, Drop):
            return replace(self, edits=(*self.edits, edit), is_open=False)
        return replace(self, resolutions=(*self.resolutions, edit))

    def encode(self) -> str:
        """Return the plan as part of an address."""
        return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def decode_plan(text: str) -> RepairPlan:
    """Return the plan that is part of an address.

    :raises Malformed: when it is none.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), MAX_PLAN_BYTES)
        return msgspec.json.decode(data, type=RepairPlan)
    except (ValueError, zlib.error, msgspec.DecodeError):
        raise InvalidInputError("this is no repair that Waymark has written") from None


@dataclass(frozen=True)
class BlockedStep:
    """A later step that does not stand any more."""

    step: Step
    objections: tuple[Reason, ...]  # why, as far as whoever asks may know
    seats_to_move: tuple[int, ...]  # who would still have to move there, where it would not be up to this step's player


@dataclass(frozen=True)
class RepairOutcome:
    """A story told otherwise, as far as it goes."""

    plan: RepairPlan
    steps: tuple[Step, ...]  # what stands, and what was told anew: that has the number of the next entry
    removed: tuple[Step, ...]  # what falls away, was left out or set aside
    remaining: tuple[Step, ...]  # what comes after the step that does not stand, and that step
    blocked: BlockedStep | None
    state: Any  # after the story so far: there the next thing is to be told
    refusal: tuple[Reason, ...] = ()  # why the last thing told was not taken; the plan is without it
    displaced_notes: tuple[Step, ...] = ()  # of what is set aside, notes that whoever tells this must not hear of

    @property
    def is_complete(self) -> bool:
        return not (self.blocked or self.refusal or self.plan.is_open)


def apply_repair(table: Table, plan: RepairPlan, viewer_seat: int | None = None) -> RepairOutcome:
    """Return what becomes of a table's story by a plan, for the eyes of a seat; without one, for nobody's who could tell.

    What still stands stays. In a turn that has changed, its player's own later steps fall away where they no longer fit.

    :raises DoesNotFollow: when the plan speaks of a step that is not there.
    :raises Malformed: when something told is no move of this game.
    """
    mending = RepairRun(table, plan.start_step, viewer_seat)
    for _ in range(min(plan.drop_count, len(mending.remaining))):
        mending.drop_step()
    for number, here in enumerate(plan.edits):
        if reasons := mending.apply_edit(here):
            return mending.outcome(replace(plan, edits=plan.edits[:number], is_open=True, resolutions=()), reasons)
    if plan.is_open:
        return mending.outcome(plan)
    mending.replay_remaining()
    for number, said in enumerate(plan.resolutions):
        if reasons := mending.apply_edit(said):
            return mending.outcome(replace(plan, resolutions=plan.resolutions[:number]), reasons)
        mending.replay_remaining()
    return mending.outcome(plan)


class RepairRun:
    """One pass over a story. What falls away of a changed turn is tried again once more of that turn has been told."""

    def __init__(self, table: Table, start_step: str, viewer_seat: int | None):
        start = table.index_of(start_step)
        self.table, self.viewer_seat, self.tracked = table, viewer_seat, table.tracked
        self.state = table.state_before(start)
        self.steps = list(table.steps[:start])
        self.remaining = deque(table.steps[start:])
        self.removed: list[Step] = []
        self.displaced_notes: list[Step] = []
        self.dropped_from_turn: list[Step] = []  # of a changed turn, since its last step that stands
        self.turn_by_step = table.turn_by_step
        self.changed_turns: set[Hashable] = set()  # turns
        self.inserted_count = 0
        self.blocked: BlockedStep | None = None

    def outcome(self, plan: RepairPlan, refusal: tuple[Reason, ...] = ()) -> RepairOutcome:
        aside = (*self.removed, *self.displaced_notes, *self.dropped_from_turn)
        return RepairOutcome(
            plan,
            tuple(self.steps),
            aside,
            tuple(self.remaining),
            self.blocked,
            self.state,
            refusal,
            tuple(self.displaced_notes),
        )

    def replay_remaining(self) -> None:
        """Play what comes after, as far as it stands."""
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
        to_move = self.tracked.to_move(self.state)
        seen = self.tracked.view(self.state, self.viewer_seat)
        waits = () if step.move.out_of_turn or step.seat in to_move else tuple(to_move)
        return BlockedStep(step, tuple(self.tracked.objections(seen, step.seat, step.move)), waits)

    def drop_step(self) -> None:
        """Set the next step aside; what its player did after it in that turn is asked anew."""
        if self.remaining:
            step = self.remaining.popleft()
            self.removed.append(step)
            self.changed_turns.add(self.turn_by_step[step.id])

    def apply_edit(self, edit: Insert | Restore | Drop | Truncate) -> tuple[Reason, ...]:
        """Do what was said; return why it cannot be, if it cannot."""
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
        """Set everything aside that comes after, but what others have noted, as far as that stands."""
        for step in self.remaining:
            if not (step.move.is_secret and self._can_displace_notes(step.seat)):
                self.removed.append(step)
            elif self._try_append(step):
                self.displaced_notes.append(step)
        self.remaining.clear()

    def _take_removed_step(self, id: str) -> Step:
        """Return a step that is not in the story, or not any more by this plan.

        :raises DoesNotFollow: when there is none.
        """
        if any(step.id == id for step in (*self.steps, *self.remaining)):
            raise InvalidEntryError(f"step {id} is in the story")
        self.removed = [step for step in self.removed if step.id != id]
        return self.table.find_step(id)

    def _insert(self, seat: int, data: dict) -> tuple[Reason, ...]:
        if not 0 <= seat < len(self.table.seats):
            raise InvalidEntryError(f"there is no seat {seat}")
        self.inserted_count += 1
        by = None if self.viewer_seat == seat else self.viewer_seat
        move = self.tracked.decode(data)
        turn = self._turn_of(seat)
        step = Step(self.table.version + 1, seat, move, None, None, "", self.inserted_count, entered_by=by)
        if reasons := self._try_append(step) if self._is_own(seat) else self._try_append_for_other(step):
            return reasons
        instead = self.blocked and self.blocked.step.seat == seat and self.blocked.step.move.out_of_turn
        if instead or not move.out_of_turn:  # what is only seen or noted by the way leaves a turn as it is
            self.changed_turns.add(turn)
            self.remaining.extendleft(reversed(self.dropped_from_turn))
            self.dropped_from_turn.clear()
        return ()

    def _is_own(self, seat: int) -> bool:
        """Return whether a seat is the teller's, or another one of the same phone."""
        return self.viewer_seat is None or self.table.seats[seat] == self.table.seats[self.viewer_seat]

    def _turn_of(self, seat: int) -> Hashable:
        """Return the turn, as it was told before, that something told of a player now belongs to."""
        if self.blocked and self.blocked.step.seat == seat:
            return self.turn_by_step[self.blocked.step.id]
        mine = (
            self.turn_by_step.get(step.id)
            for step in reversed(self.steps)
            if step.seat == seat and not step.move.out_of_turn
        )
        return next((turn for turn in mine if turn is not None), None)

    def _try_append(self, step: Step) -> tuple[Reason, ...]:
        """Put a step into the story here; return why not, if it cannot be."""
        try:
            self._append(replay_step(self.tracked, self.state, step))
        except IllegalMoveError as refusal:
            return self._refusal(step, refusal.reasons)
        return ()

    def _try_append_for_other(self, step: Step) -> tuple[Reason, ...]:
        """Put a step of another phone's player here; whoever tells it must not find out what that player has noted.

        So it is judged by what the teller may see, and where only that player's notes speak against it, they give way.
        """
        seen = self.tracked.view(self.state, self.viewer_seat)
        if reasons := tuple(self.tracked.objections(seen, step.seat, step.move)):
            return self._refusal(step, reasons)
        self._displace_notes(step)
        return self._try_append(step)

    def _can_displace_notes(self, seat: int) -> bool:
        """Return whether notes of a seat give way to what is told, without a word to whoever tells it."""
        return not self._is_own(seat) and not self.table.is_over

    def _displace_notes(self, step: Step) -> bool:
        """Set aside what another phone's player has noted, where nothing else speaks against a step; return whether so."""
        notes = [each for each in self.steps if each.move.is_secret and each.seat == step.seat]
        if not notes or not self._can_displace_notes(step.seat):
            return False
        seen = self.tracked.view(self.state, self.viewer_seat)
        legal = self.tracked.is_legal
        if legal(self.state, step.seat, step.move) or not legal(seen, step.seat, step.move):
            return False
        self.displaced_notes += notes
        self.steps = list(self.table.replay_steps((), [each for each in self.steps if each not in notes]))
        self.state = self.steps[-1].after if self.steps else self.table.initial_state
        return True

    def _refusal(self, step: Step, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        first, *more = reasons
        return (replace(first, text=conflict_text(self.tracked, self.state, step, reasons)), *more)


def changed_steps(table: Table, outcome: RepairOutcome) -> tuple[Step, ...]:
    """Return the steps that a repair sets aside, tells or puts back."""
    return (*outcome.removed, *(step for step in outcome.steps if step.id not in table.index_by_step))


def has_secret_steps(table: Table, plan: RepairPlan, outcome: RepairOutcome) -> bool:
    """Return whether a repair speaks of a note, which is its own player's alone."""
    told = (table.tracked.decode(each.move) for each in (*plan.edits, *plan.resolutions) if isinstance(each, Insert))
    return any(move.is_secret for move in told) or any(step.move.is_secret for step in changed_steps(table, outcome))


def can_repair_alone(table: Table, device: str, outcome: RepairOutcome) -> bool:
    """Return whether a phone may make a whole repair without asking; what gives way to it is nobody's to ask."""
    gave_way = {step.id for step in outcome.displaced_notes}
    steps = [step for step in changed_steps(table, outcome) if step.id not in gave_way]
    return table.can_change_steps_alone(steps, table.index_of(rewrite_entry(table, outcome.steps).start_step), device)


def is_single_step_repair(table: Table, plan: RepairPlan, seat: int) -> bool:
    """Return whether a repair undoes or redoes one step, and no other step changes its result.

    Notes of other players that give way to it do not count: the answer would reveal them.
    """
    if table.steps and plan == RepairPlan(table.steps[-1].id, 1):
        return True  # nothing comes after it
    mended = apply_repair(table, plan, seat)
    if not mended.is_complete:
        return False
    start = table.index_of(plan.start_step) - len(mended.displaced_notes)
    later = mended.steps[max(0, start) :]
    added = sum(step.id not in table.index_by_step for step in later)
    kept = (step for step in later if step.id in table.index_by_step and not step.move.is_secret)
    return added + len(mended.removed) - len(mended.displaced_notes) == 1 and all(
        step.text == table.steps[table.index_by_step[step.id]].text for step in kept
    )


def can_drop_blocked_step(table: Table, outcome: RepairOutcome, viewer_seat: int | None) -> bool:
    """Return whether the order of turns allows that the step which does not stand did not happen at all."""
    if outcome.blocked is None:
        return False
    step = outcome.blocked.step
    without = apply_repair(table, outcome.plan.with_edit(Drop()), viewer_seat).blocked
    return step.move.out_of_turn or without is None or step.seat not in without.seats_to_move


def plan_for_rewrite(table: Table, rewrite: LogRewritten) -> RepairPlan:
    """Return the plan that tells anew what a question asks for, however much has been told since it was asked.

    :raises DoesNotFollow: when that part of the story has been told otherwise.
    """
    start = table.index_of(rewrite.start_step)
    end = table.index_of(rewrite.last_step) + 1 if rewrite.last_step else start
    here = tuple(
        Insert(each.seat, each.move) if isinstance(each, NewMove) else Restore(each) for each in rewrite.replacement
    )
    return RepairPlan(rewrite.start_step, end - start, edits=here)


def plan_to_restore(table: Table, id: str) -> RepairPlan:
    """Return the plan that puts a step which was set aside in its place again: after what came before it then.

    :raises DoesNotFollow: when no such step has been set aside.
    """
    if id not in table.removed:
        raise InvalidEntryError(f"no step {id} has been set aside")
    return RepairPlan(_next_active_step(table, _previous_active_step(table, id)), edits=(Restore(id),))


def _previous_active_step(table: Table, id: str) -> str:
    """Return the step in force that came last before one that was set aside; empty: none did."""
    repair = next(repair for repair in reversed(table.repairs) if any(step.id == id for step in repair.removed))
    stretch = [step.id for step in repair.old_steps]
    for before in (*reversed(stretch[: stretch.index(id)]), repair.previous_step):
        if before in table.index_by_step:
            return before
    return _previous_active_step(table, repair.previous_step) if repair.previous_step else ""


def _next_active_step(table: Table, before: str) -> str:
    """Return the step that comes now after one in force, or first of all; empty: none does."""
    place = table.index_by_step[before] + 1 if before else 0
    return table.steps[place].id if place < len(table.steps) else ""


def plan_to_revert(table: Table, repair: Repair) -> RepairPlan | None:
    """Return the plan that tells the story as it was before a repair, if what it made of it still stands side by side."""
    places = [table.index_by_step.get(step.id, -1) for step in repair.new_steps]
    side_by_side = -1 not in places and all(place == places[0] + number for number, place in enumerate(places))
    known = {step.id for step in repair.new_steps} | set(table.removed)
    if not side_by_side or not {step.id for step in repair.old_steps} <= known:
        return None
    if repair.new_steps:
        at = repair.new_steps[0].id
    else:
        at = _next_active_step(
            table,
            repair.previous_step
            if repair.previous_step in table.index_by_step or not repair.previous_step
            else _previous_active_step(table, repair.previous_step),
        )
    return RepairPlan(at, len(repair.new_steps), edits=tuple(Restore(step.id) for step in repair.old_steps))
