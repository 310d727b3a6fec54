"""What a rewritten story does, in words and in entries: which steps go, which come, what the log says."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.log.entries import Anew, Rewrote
from companion.log.table import Step, Table, named, plain_move
from scoring.kernel.english import ended


@dataclass(frozen=True)
class Rewriting:
    """From one story of a table to another."""

    first: Step | None  # the first step that is another one; None: what is new comes last
    gone: tuple[Step, ...]  # set aside
    back: tuple[Step, ...]  # put in force again
    anew: tuple[Step, ...]  # told for the first time
    to_the_end: bool  # nothing comes after what is set aside

    @property
    def steps(self) -> tuple[Step, ...]:
        return (*self.gone, *self.back, *self.anew)

    @property
    def of_secrets(self) -> int | None:
        """Return the seat whose notes alone this is about, if it is."""
        seats = {step.seat if step.move.secret else None for step in self.steps}
        return seats.pop() if len(seats) == 1 else None

    def _open(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Return the steps that are spoken of: notes among others stay their players' alone, and so does how many they are."""
        return tuple(step for step in steps if not step.move.secret or self.of_secrets is not None)

    def _said(self, steps: Sequence[Step]) -> str:
        return ", then ".join(map(named, self._open(steps))) or "a note"

    @property
    def _from(self) -> str:
        return self._said((self.first,)) if self.first else "the end"

    @property
    def _shape(self) -> str:
        match len(self._open(self.gone)), len(self._open(self.back)), len(self._open(self.anew)):
            case 0, 0, 0:
                return "notes"
            case 1, 0, 0:
                return "taken back"
            case 0, 1, 0:
                return "put back"
            case 1, 0, 1:
                return "otherwise"
            case 0, 0, _:
                return "missing"
            case _, 0, 0 if self.to_the_end:
                return "back to"
        return "anew"

    @property
    def told(self) -> str:
        """Return what somebody did, as the log says it of a person."""
        match self._shape:
            case "notes":
                return "set notes right."
            case "taken back":
                return f"took back: {self._open(self.gone)[0].text}"
            case "put back":
                return f"put back: {self._open(self.back)[0].text}"
            case "otherwise":
                return ended(f"set right: {self._said(self.anew)}, not {self._said(self.gone)}")
            case "missing":
                return ended(f"told what was missing: {self._said(self.anew)}")
            case "back to":
                return f"went back to before {self._from}; {_steps(self._open(self.gone))} set aside."
        return f"set the story right from {self._from} on: {self._parts}."

    @property
    def asked(self) -> str:
        """Return what somebody asks for."""
        match self._shape:
            case "notes":
                return "Set notes right"
            case "taken back":
                return f"Take back {self._said(self.gone)}"
            case "put back":
                return f"Put back {self._said(self.back)}"
            case "otherwise":
                return f"{self._said(self.anew)}, not {self._said(self.gone)}"
            case "missing":
                return f"This was missing: {self._said(self.anew)}"
            case "back to":
                return f"Back to before {self._from}; {_steps(self._open(self.gone))} set aside"
        return f"Set the story right from {self._from} on: {self._parts}"

    @property
    def _parts(self) -> str:
        parts = ((self.anew, "told anew"), (self.back, "put back"), (self.gone, "set aside"))
        return ", ".join(f"{_steps(self._open(steps))} {how}" for steps, how in parts if self._open(steps))


def _steps(steps: Sequence[Step]) -> str:
    return "1 step" if len(steps) == 1 else f"{len(steps)} steps"


def rewriting_of(table: Table, story: Sequence[Step]) -> Rewriting:
    """Return what changes from the story of a table to another one."""
    told = {step.id for step in story}
    gone = tuple(step for step in table.steps if step.id not in told)
    back = tuple(step for step in story if step.id in table.undone)
    anew = tuple(step for step in story if step.id not in table.places and step.id not in table.undone)
    start = _alike(table.steps, story)
    first = table.steps[start] if start < len(table.steps) else None
    to_the_end = not back and not anew and all(step.move.secret for step in story[start:])
    return Rewriting(first, gone, back, anew, to_the_end)


def _alike(old: Sequence[Step], new: Sequence[Step]) -> int:
    """Return how many steps two stories have in common from their beginning."""
    ids = ((one.id, other.id) for one, other in zip(old, new, strict=False))
    return next((place for place, (one, other) in enumerate(ids) if one != other), min(len(old), len(new)))


def apart(old: Sequence[Step], new: Sequence[Step]) -> tuple[int, int]:
    """Return how many steps two stories have in common from their beginning, and besides those to their end."""
    start = _alike(old, new)
    return start, min(_alike(old[start:][::-1], new[start:][::-1]), min(len(old), len(new)) - start)


def entry_for(table: Table, story: Sequence[Step]) -> Rewrote:
    """Return the entry that makes a story of the table's own: the steps in between, where both begin and end alike.

    Steps of it that are not known to the table are told anew.
    """
    start, end = apart(table.steps, story)
    until = len(table.steps) - end
    return Rewrote(
        at=table.steps[start].id if start < len(table.steps) else "",
        until=table.steps[until - 1].id if until > start else "",
        tail=tuple(_told(table, step) for step in story[start : len(story) - end]),
    )


def _told(table: Table, step: Step) -> str | Anew:
    if step.id in table.places or step.id in table.undone:
        return step.id
    return Anew(step.seat, plain_move(step.move))
