"""Differences between two versions of a log, as text and as entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from companion.log.entries import LogRewritten, NewMove
from companion.log.steps import Step, quote_step
from companion.log.table import Table, to_data
from scoring.kernel.english import end_sentence, pluralize


@dataclass(frozen=True)
class LogDiff:
    """The difference between two versions of a table's log."""

    first_changed: Step | None  # first step that differs; None: new steps come at the end
    removed: tuple[Step, ...]  # removed from the log
    restored: tuple[Step, ...]  # removed steps that are active again
    inserted: tuple[Step, ...]  # new steps
    is_truncation: bool  # whether no step follows the removed ones
    updated: tuple[Step, ...] = ()  # kept steps with another result

    @property
    def changed_steps(self) -> tuple[Step, ...]:
        return (*self.removed, *self.restored, *self.inserted)

    @property
    def secret_seat(self) -> int | None:
        """Return the seat whose secret notes are the only changes, or None."""
        seats = {step.seat if step.move.is_secret else None for step in self.changed_steps}
        return seats.pop() if len(seats) == 1 else None

    def _public_steps(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Return the steps that may be mentioned, without secret notes among other steps.

        This also hides how many secret notes there are.
        """
        return tuple(step for step in steps if not step.move.is_secret or self.secret_seat is not None)

    def _quote_steps(self, steps: Sequence[Step]) -> str:
        return ", then ".join(map(quote_step, self._public_steps(steps))) or "a note"

    def log_text(self, author_seat: int | None) -> str:
        """Return the predicate for the log line, to follow the name of the change's author."""
        return end_sentence(self._texts(author_seat)[0])

    @property
    def request_text(self) -> str:
        """Return the text of a request for this change."""
        return self._texts(None)[1]

    def short_request_text(self, author_seat: int | None) -> str:
        """Return the text of a request in a few words: for a changed move only what differs.

        For example "1 tile to the leaf site, not 2 tiles to the acorn site". A move of another player than the author
        has that player's name.
        """
        removed, restored, inserted = map(self._public_steps, (self.removed, self.restored, self.inserted))
        if (len(removed), len(restored), len(inserted)) != (1, 0, 1):
            return self.request_text
        old, new = removed[0], inserted[0]
        old_text, new_text = (_action_text(step, author_seat) for step in (old, new))
        if old_text == new_text:
            details = [step.move.log_details(step.before, step.seat) or "no cards" for step in (old, new)]
            return self.request_text if details[0] == details[1] else f"{details[1]}, not {details[0]}"
        old_words, new_words = old_text.split(), new_text.split()
        pairs = zip(old_words, new_words, strict=False)
        start = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])  # the words with which both begin
        if start == len(old_words):
            return new_text
        is_own = new.seat == author_seat and start < len(new_words)
        return f"{' '.join(new_words[start:]) if is_own else new_text}, not {' '.join(old_words[start:])}"

    def _texts(self, author_seat: int | None) -> tuple[str, str]:
        """Return the predicate for the log line, and the text of a request for this change."""
        removed, restored, inserted = map(self._public_steps, (self.removed, self.restored, self.inserted))
        start = f"starting with {self._quote_steps((self.first_changed,))}" if self.first_changed else "at the end"
        match len(removed), len(restored), len(inserted):
            case 0, 0, 0:
                return "corrected private entries", "Correct private entries"
            case 1, 0, 0:
                return f"undid: {_action_text(removed[0], author_seat)}", f"Undo {quote_step(removed[0])}"
            case 0, 1, 0:
                return f"redid: {_action_text(restored[0], author_seat)}", f"Redo {quote_step(restored[0])}"
            case 1, 0, 1:
                old, new = (_action_text(step, author_seat) for step in (removed[0], inserted[0]))
                if old == new:
                    return _same_text_correction(removed[0], inserted[0], new)
                request = f"Change {quote_step(removed[0])} to {quote_step(inserted[0])}"
                return f"corrected a move: {new} (was: {old})", request
            case 0, 0, _:
                missing = self._quote_steps(inserted)
                return f"added {missing}", f"Add {missing}"
            case count, 0, 0 if self.is_truncation:
                steps = f"{pluralize(count, 'move')}, back to before {self._quote_steps((removed[0],))}"
                return f"undid {steps}", f"Undo {steps}"
        counts = ((len(inserted), "added"), (len(restored), "restored"), (len(removed), "removed"))
        parts = ", ".join(f"{pluralize(count, 'move')} {verb}" for count, verb in counts if count)
        return f"corrected the log {start}: {parts}", f"Correct the log {start}: {parts}"


def _same_text_correction(old: Step, new: Step, text: str) -> tuple[str, str]:
    """Return the texts of a correction between two moves with equal log texts."""
    details, old_details = (step.move.log_details(step.before, step.seat) for step in (new, old))
    if details == old_details:
        return f"corrected a detail of a move: {text}", f"Change a detail of {quote_step(old)}"
    details, old_details = details or "no cards", old_details or "no cards"
    request = f"Change {quote_step(old)} from {old_details} to {details}"
    return f"corrected a move: {text}, {details} (was: {old_details})", request


def _action_text(step: Step, author_seat: int | None) -> str:
    """Return the action of a step, without the player's name if the player is the author."""
    return (step.move.log_text if step.seat == author_seat else step.move.action_text)(step.before, step.seat)


def diff_logs(table: Table, steps: Sequence[Step]) -> LogDiff:
    """Return the difference from a table's log to other steps."""
    kept_ids = {step.id for step in steps}
    removed = tuple(step for step in table.steps if step.id not in kept_ids)
    restored = tuple(step for step in steps if step.id in table.removed)
    inserted = tuple(step for step in steps if step.id not in table.index_by_step and step.id not in table.removed)
    start = _common_start(table.steps, steps)
    first_changed = table.steps[start] if start < len(table.steps) else None
    is_truncation = not restored and not inserted and all(step.move.is_secret for step in steps[start:])
    kept = ((table.active_step(step.id), step) for step in steps[start:])
    updated = tuple(step for old_step, step in kept if old_step and old_step.text != step.text)
    return LogDiff(first_changed, removed, restored, inserted, is_truncation, updated)


def _common_start(old: Sequence[Step], new: Sequence[Step]) -> int:
    """Return how many leading steps two logs share."""
    ids = ((old_id.id, new_id.id) for old_id, new_id in zip(old, new, strict=False))
    return next((index for index, (old_id, new_id) in enumerate(ids) if old_id != new_id), min(len(old), len(new)))


def common_ends(old: Sequence[Step], new: Sequence[Step]) -> tuple[int, int]:
    """Return how many leading and how many further trailing steps two logs share."""
    start = _common_start(old, new)
    return start, min(_common_start(old[start:][::-1], new[start:][::-1]), min(len(old), len(new)) - start)


def rewrite_entry(table: Table, steps: Sequence[Step]) -> LogRewritten:
    """Return the shortest rewrite that turns a table's log into other steps.

    Steps that the table does not know become new moves.
    """
    start, end = common_ends(table.steps, steps)
    old_end = len(table.steps) - end
    return LogRewritten(
        start_step=table.steps[start].id if start < len(table.steps) else "",
        last_step=table.steps[old_end - 1].id if old_end > start else "",
        replacement=tuple(_step_reference(table, step) for step in steps[start : len(steps) - end]),
    )


def _step_reference(table: Table, step: Step) -> str | NewMove:
    if step.id in table.index_by_step or step.id in table.removed:
        return step.id
    return NewMove(step.seat, to_data(step.move))
