"""Mending the past: what somebody says really happened, played again on the table; what stands, and what stands in the way."""

import base64
import zlib
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.log.entries import Anew, Rewrote
from companion.log.log_diff import entry_for
from companion.log.table import DoesNotFollow, Repair, Step, Table, again, why_not
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.rule import Reason

LONGEST = 20_000  # bytes of a plan, unpacked


class Out(Struct, frozen=True, tag="out"):
    """The step that does not stand is left out."""


class Stop(Struct, frozen=True, tag="stop"):
    """From here on everything is set aside."""


class Back(Struct, frozen=True, tag="back"):
    """A step that was set aside is put here."""

    step: str


class Told(Struct, frozen=True, tag="told"):
    """What happened here, by whom."""

    seat: int
    move: dict


class Plan(Struct, frozen=True, omit_defaults=True):
    """A repair as far as somebody has told it: from where, how many steps there did not happen, and what did.

    After that comes what followed, as far as it stands; for each step that does not, something is said.
    """

    at: str = ""  # the id of a step; empty: after the last one
    out: int = 0  # so many steps from there did not happen
    here: tuple[Told | Back | Stop, ...] = ()  # what is put there
    open: bool = False  # what happened there is still to be told
    said: tuple[Told | Out | Stop, ...] = ()  # of what does not stand, one after another

    def saying(self, said: Told | Out | Stop) -> "Plan":
        """Return the plan with one thing more: where it begins, if that is still open, or of the step that does not stand."""
        if self.open and not isinstance(said, Out):
            return replace(self, here=(*self.here, said), open=False)
        return replace(self, said=(*self.said, said))

    def packed(self) -> str:
        """Return the plan as part of an address."""
        return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(self), 9)).decode().rstrip("=")


def unpacked(text: str) -> Plan:
    """Return the plan that is part of an address.

    :raises Malformed: when it is none.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), LONGEST)
        return msgspec.json.decode(data, type=Plan)
    except (ValueError, zlib.error, msgspec.DecodeError):
        raise Malformed("this is no repair that Waymark has written") from None


@dataclass(frozen=True)
class Blocked:
    """A later step that does not stand any more."""

    step: Step
    reasons: tuple[Reason, ...]  # why, as far as whoever asks may know
    waits: tuple[int, ...]  # who would still have to move there, where it would not be up to this step's player


@dataclass(frozen=True)
class Mended:
    """A story told otherwise, as far as it goes."""

    plan: Plan
    story: tuple[Step, ...]  # what stands, and what was told anew: that has the number of the next entry
    aside: tuple[Step, ...]  # what falls away, was left out or set aside
    rest: tuple[Step, ...]  # what comes after the step that does not stand, and that step
    blocked: Blocked | None
    state: Any  # after the story so far: there the next thing is to be told
    refused: tuple[Reason, ...] = ()  # why the last thing told was not taken; the plan is without it
    gave_way: tuple[Step, ...] = ()  # of what is set aside, notes that whoever tells this must not hear of

    @property
    def whole(self) -> bool:
        return not (self.blocked or self.refused or self.plan.open)


def mend(table: Table, plan: Plan, eyes: int | None = None) -> Mended:
    """Return what becomes of a table's story by a plan, for the eyes of a seat; without one, for nobody's who could tell.

    What still stands stays. In a turn that has changed, its player's own later steps fall away where they no longer fit.

    :raises DoesNotFollow: when the plan speaks of a step that is not there.
    :raises Malformed: when something told is no move of this game.
    """
    mending = _Mending(table, plan.at, eyes)
    for _ in range(min(plan.out, len(mending.rest))):
        mending.leave_out()
    for number, here in enumerate(plan.here):
        if reasons := mending.take(here):
            return mending.mended(replace(plan, here=plan.here[:number], open=True, said=()), reasons)
    if plan.open:
        return mending.mended(plan)
    mending.keep()
    for number, said in enumerate(plan.said):
        if reasons := mending.take(said):
            return mending.mended(replace(plan, said=plan.said[:number]), reasons)
        mending.keep()
    return mending.mended(plan)


class _Mending:
    """One pass over a story. What falls away of a changed turn is tried again once more of that turn has been told."""

    def __init__(self, table: Table, at: str, eyes: int | None):
        start = table.place_of(at)
        self.table, self.eyes, self.play = table, eyes, table.play
        self.state = table.before(start)
        self.story = list(table.steps[:start])
        self.rest = deque(table.steps[start:])
        self.aside: list[Step] = []
        self.gave_way: list[Step] = []
        self.fallen: list[Step] = []  # of a changed turn, since its last step that stands
        self.turns = table.turns
        self.changed: set[Hashable] = set()  # turns
        self.anew = 0
        self.blocked: Blocked | None = None

    def mended(self, plan: Plan, refused: tuple[Reason, ...] = ()) -> Mended:
        aside = (*self.aside, *self.gave_way, *self.fallen)
        return Mended(
            plan, tuple(self.story), aside, tuple(self.rest), self.blocked, self.state, refused, tuple(self.gave_way)
        )

    def keep(self) -> None:
        """Play what comes after, as far as it stands."""
        self.blocked = None
        while self.rest and not self.blocked:
            step = self.rest[0]
            try:
                self._stands(again(self.play, self.state, step))
            except Illegal:
                if self.turns[step.id] in self.changed:
                    self.fallen.append(self.rest.popleft())
                elif step.move.secret and self._gives_way(step.seat):
                    self.gave_way.append(self.rest.popleft())
                elif not self._forgets(step):
                    self.blocked = self._why_not(step)

    def _stands(self, step: Step) -> None:
        self.rest.popleft()
        if self.turns[step.id] in self.changed:
            self.aside += self.fallen
            self.fallen.clear()
        self._add(step)

    def _add(self, step: Step) -> None:
        self.story.append(step)
        self.state = step.after

    def _why_not(self, step: Step) -> Blocked:
        to_move = self.play.to_move(self.state)
        seen = self.play.view(self.state, self.eyes)
        waits = () if step.move.anytime or step.seat in to_move else tuple(to_move)
        return Blocked(step, tuple(self.play.objections(seen, step.seat, step.move)), waits)

    def leave_out(self) -> None:
        """Set the next step aside; what its player did after it in that turn is asked anew."""
        if self.rest:
            step = self.rest.popleft()
            self.aside.append(step)
            self.changed.add(self.turns[step.id])

    def take(self, said: Told | Back | Out | Stop) -> tuple[Reason, ...]:
        """Do what was said; return why it cannot be, if it cannot."""
        match said:
            case Out():
                self.leave_out()
            case Stop():
                self._stop()
            case Back(id):
                return self._put(self._known(id))
            case Told(seat, move):
                return self._tell(seat, move)
        return ()

    def _stop(self) -> None:
        """Set everything aside that comes after, but what others have noted, as far as that stands."""
        for step in self.rest:
            if not (step.move.secret and self._gives_way(step.seat)):
                self.aside.append(step)
            elif self._put(step):
                self.gave_way.append(step)
        self.rest.clear()

    def _known(self, id: str) -> Step:
        """Return a step that is not in the story, or not any more by this plan.

        :raises DoesNotFollow: when there is none.
        """
        if any(step.id == id for step in (*self.story, *self.rest)):
            raise DoesNotFollow(f"step {id} is in the story")
        self.aside = [step for step in self.aside if step.id != id]
        return self.table.known(id)

    def _tell(self, seat: int, data: dict) -> tuple[Reason, ...]:
        if not 0 <= seat < len(self.table.seats):
            raise DoesNotFollow(f"there is no seat {seat}")
        self.anew += 1
        by = None if self.eyes == seat else self.eyes
        move = self.play.decode(data)
        turn = self._turn_of(seat)
        step = Step(self.table.number + 1, seat, move, None, None, "", self.anew, by=by)
        if reasons := self._put(step) if self._is_own(seat) else self._put_for_another(step):
            return reasons
        instead = self.blocked and self.blocked.step.seat == seat and self.blocked.step.move.anytime
        if instead or not move.anytime:  # what is only seen or noted by the way leaves a turn as it is
            self.changed.add(turn)
            self.rest.extendleft(reversed(self.fallen))
            self.fallen.clear()
        return ()

    def _is_own(self, seat: int) -> bool:
        """Return whether a seat is the teller's, or another one of the same phone."""
        return self.eyes is None or self.table.seats[seat] == self.table.seats[self.eyes]

    def _turn_of(self, seat: int) -> Hashable:
        """Return the turn, as it was told before, that something told of a player now belongs to."""
        if self.blocked and self.blocked.step.seat == seat:
            return self.turns[self.blocked.step.id]
        mine = (self.turns.get(step.id) for step in reversed(self.story) if step.seat == seat and not step.move.anytime)
        return next((turn for turn in mine if turn is not None), None)

    def _put(self, step: Step) -> tuple[Reason, ...]:
        """Put a step into the story here; return why not, if it cannot be."""
        try:
            self._add(again(self.play, self.state, step))
        except Illegal as refusal:
            return self._refused(step, refusal.reasons)
        return ()

    def _put_for_another(self, step: Step) -> tuple[Reason, ...]:
        """Put a step of another phone's player here; whoever tells it must not find out what that player has noted.

        So it is judged by what the teller may see, and where only that player's notes speak against it, they give way.
        """
        seen = self.play.view(self.state, self.eyes)
        if reasons := tuple(self.play.objections(seen, step.seat, step.move)):
            return self._refused(step, reasons)
        self._forgets(step)
        return self._put(step)

    def _gives_way(self, seat: int) -> bool:
        """Return whether notes of a seat give way to what is told, without a word to whoever tells it."""
        return not self._is_own(seat) and not self.table.over

    def _forgets(self, step: Step) -> bool:
        """Set aside what another phone's player has noted, where nothing else speaks against a step; return whether so."""
        notes = [each for each in self.story if each.move.secret and each.seat == step.seat]
        if not notes or not self._gives_way(step.seat):
            return False
        seen = self.play.view(self.state, self.eyes)
        legal = self.play.legal
        if legal(self.state, step.seat, step.move) or not legal(seen, step.seat, step.move):
            return False
        self.gave_way += notes
        self.story = list(self.table.replayed((), [each for each in self.story if each not in notes]))
        self.state = self.story[-1].after if self.story else self.table.first
        return True

    def _refused(self, step: Step, reasons: Sequence[Reason]) -> tuple[Reason, ...]:
        first, *more = reasons
        return (replace(first, text=why_not(self.play, self.state, step, reasons)), *more)


def touched(table: Table, mended: Mended) -> tuple[Step, ...]:
    """Return the steps that a repair sets aside, tells or puts back."""
    return (*mended.aside, *(step for step in mended.story if step.id not in table.places))


def of_notes(table: Table, plan: Plan, mended: Mended) -> bool:
    """Return whether a repair speaks of a note, which is its own player's alone."""
    told = (table.play.decode(each.move) for each in (*plan.here, *plan.said) if isinstance(each, Told))
    return any(move.secret for move in told) or any(step.move.secret for step in touched(table, mended))


def freely(table: Table, device: str, mended: Mended) -> bool:
    """Return whether a phone may make a whole repair without asking; what gives way to it is nobody's to ask."""
    gave_way = {step.id for step in mended.gave_way}
    steps = [step for step in touched(table, mended) if step.id not in gave_way]
    return table.are_free(steps, table.place_of(entry_for(table, mended.story).at), device)


def changes_one_step(table: Table, plan: Plan, seat: int) -> bool:
    """Return whether a repair undoes or redoes one step, and no other step changes its result.

    Notes of other players that give way to it do not count: the answer would reveal them.
    """
    if table.steps and plan == Plan(table.steps[-1].id, 1):
        return True  # nothing comes after it
    mended = mend(table, plan, seat)
    if not mended.whole:
        return False
    start = table.place_of(plan.at) - len(mended.gave_way)
    later = mended.story[max(0, start) :]
    added = sum(step.id not in table.places for step in later)
    kept = (step for step in later if step.id in table.places and not step.move.secret)
    return added + len(mended.aside) - len(mended.gave_way) == 1 and all(
        step.text == table.steps[table.places[step.id]].text for step in kept
    )


def can_leave_out(table: Table, mended: Mended, eyes: int | None) -> bool:
    """Return whether the order of turns allows that the step which does not stand did not happen at all."""
    if mended.blocked is None:
        return False
    step = mended.blocked.step
    without = mend(table, mended.plan.saying(Out()), eyes).blocked
    return step.move.anytime or without is None or step.seat not in without.waits


def telling(table: Table, wish: Rewrote) -> Plan:
    """Return the plan that tells anew what a question asks for, however much has been told since it was asked.

    :raises DoesNotFollow: when that part of the story has been told otherwise.
    """
    start = table.place_of(wish.at)
    end = table.place_of(wish.until) + 1 if wish.until else start
    here = tuple(Told(each.seat, each.move) if isinstance(each, Anew) else Back(each) for each in wish.tail)
    return Plan(wish.at, end - start, here=here)


def putting_back(table: Table, id: str) -> Plan:
    """Return the plan that puts a step which was set aside in its place again: after what came before it then.

    :raises DoesNotFollow: when no such step has been set aside.
    """
    if id not in table.undone:
        raise DoesNotFollow(f"no step {id} has been set aside")
    return Plan(_after(table, _before(table, id)), here=(Back(id),))


def _before(table: Table, id: str) -> str:
    """Return the step in force that came last before one that was set aside; empty: none did."""
    repair = next(repair for repair in reversed(table.repairs) if any(step.id == id for step in repair.gone))
    stretch = [step.id for step in repair.was]
    for before in (*reversed(stretch[: stretch.index(id)]), repair.after):
        if before in table.places:
            return before
    return _before(table, repair.after) if repair.after else ""


def _after(table: Table, before: str) -> str:
    """Return the step that comes now after one in force, or first of all; empty: none does."""
    place = table.places[before] + 1 if before else 0
    return table.steps[place].id if place < len(table.steps) else ""


def undoing(table: Table, repair: Repair) -> Plan | None:
    """Return the plan that tells the story as it was before a repair, if what it made of it still stands side by side."""
    places = [table.places.get(step.id, -1) for step in repair.became]
    side_by_side = -1 not in places and all(place == places[0] + number for number, place in enumerate(places))
    known = {step.id for step in repair.became} | set(table.undone)
    if not side_by_side or not {step.id for step in repair.was} <= known:
        return None
    if repair.became:
        at = repair.became[0].id
    else:
        at = _after(
            table, repair.after if repair.after in table.places or not repair.after else _before(table, repair.after)
        )
    return Plan(at, len(repair.became), here=tuple(Back(step.id) for step in repair.was))
