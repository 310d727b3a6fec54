"""Previews of a change: the fields, points and steps that differ, and the players affected."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.log.apply import apply_entry
from companion.log.entries import Entry, OldChange, SeatRequested, TableChange
from companion.log.log_diff import LogDiff, diff_logs
from companion.log.proposals import OUTDATED_PROPOSAL_TEXT
from companion.log.replay import ConflictingStepError, InvalidEntryError
from companion.log.table import Proposal, Table
from scoring.kernel.editable import FieldDifference, compare_fields
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.sheet import Sheet


@dataclass(frozen=True)
class Preview:
    """The differences between a table and the same table after a change."""

    differences: tuple[FieldDifference, ...]  # fields of the position that differ
    points: tuple[FieldDifference, ...]  # points of each player, from public information
    log_diff: LogDiff
    # whether the change would end the game; its secrets stay hidden until it does
    ends_game: bool = False

    @property
    def marks(self) -> str:
        """Return the marks of the differences on the table picture, separated by single spaces."""
        return " ".join(dict.fromkeys(difference.mark for difference in self.differences if difference.mark))

    @property
    def first_affected_seat(self) -> int | None:
        """Return the seat of the first difference that belongs to a player, or None."""
        return next((difference.seat for difference in self.differences if difference.seat is not None), None)

    @property
    def affected_seats(self) -> set[int | None]:
        """Return the seats whose fields, points or steps differ; None stands for shared fields."""
        if self.ends_game:
            return {None}
        # Asking about a secret note would reveal it.
        public_steps = (step for step in self.log_diff.changed_steps if not step.move.is_secret)
        # A correction does not count as a step of the player who entered it.
        moved_seats = {step.seat for step in public_steps if not step.move.needs_consent}
        return {difference.seat for difference in (*self.differences, *self.points)} | moved_seats


def simulate(table: Table, device: str, seat: int | None, proposable: TableChange | OldChange) -> Table:
    """Return the table after a hypothetical change.

    :raises IllegalMoveError: if the rules refuse a move.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the change refers to something that does not exist.
    """
    return apply_entry(table, Entry(table.version + 1, table.updated_at, device, seat, proposable))


def compare(old: Table, new: Table, *, is_past: bool = False) -> Preview:
    """Return the differences between two tables that everyone may see.

    :param is_past: whether both states really occurred, so that `new` needs no extra secrecy.
    """
    tracked, log_diff = old.tracked, diff_logs(old, new.steps)
    if not is_past and old.would_end(new.state):
        return Preview((), (), log_diff, ends_game=True)
    old_view, new_view = (
        tracked.view(old.state, None),
        tracked.view(new.state, None) if is_past else old.visible_state(new.state, None),
    )
    fields = (
        compare_fields(
            tracked.position_format.editable_fields(old_view), tracked.position_format.editable_fields(new_view)
        )
        if tracked.position_format
        else ()
    )
    sheets = [tracked.box.score(tracked.final_position(view)) for view in (old_view, new_view)]
    return Preview(tuple(fields), tuple(_points(*sheets, is_itemized=tracked.is_score_entry)), log_diff)


def _points(old: Sheet, new: Sheet, *, is_itemized: bool) -> Iterator[FieldDifference]:
    """Yield the differing points: totals and, in score entry, each category."""
    for seat, (old_column, new_column) in enumerate(zip(old.columns, new.columns, strict=True)):
        for id, title in new.categories if is_itemized else ():
            if old_column.points_in(id) != new_column.points_in(id):
                yield FieldDifference(seat, title, str(old_column.points_in(id)), str(new_column.points_in(id)))
        if old_column.total != new_column.total:
            yield FieldDifference(seat, "points", str(old_column.total), str(new_column.total))


def preview_proposal(table: Table, proposal: Proposal) -> Preview | str | None:
    """Return the preview of a proposal, or why it is no longer possible.

    For a seat request there is no preview, so this returns None.
    """
    cache = table.preview_cache
    if proposal.number not in cache:
        if isinstance(proposal.proposable, SeatRequested):
            return None
        try:
            cache[proposal.number] = compare(
                table, simulate(table, proposal.device, proposal.seat, proposal.proposable)
            )
        except InvalidEntryError:
            cache[proposal.number] = OUTDATED_PROPOSAL_TEXT
        except (IllegalMoveError, ConflictingStepError) as error:
            cache[proposal.number] = str(error)
    return cache[proposal.number]
