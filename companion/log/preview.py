"""Previews of a change: the fields, points and steps that differ, and the players affected."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from companion.log.apply import apply_entry
from companion.log.changes import NOTHING_PREPARED, Prepared
from companion.log.entries import Entry, OldChange, SeatRequested, TableChange
from companion.log.log_diff import LogDiff, diff_logs
from companion.log.proposals import OUTDATED_PROPOSAL_TEXT
from companion.log.steps import ConflictingStepError, InvalidEntryError, Step
from companion.log.table import Proposal, Table
from scoring.games import GAMES
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
    def all_differences(self) -> tuple[FieldDifference, ...]:
        """Return the differences in the position and in the points."""
        return (*self.differences, *self.points)

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
        # A correction does not count as a step of the player who entered it.
        moved_seats = {step.seat for step in self.public_steps if not step.move.needs_consent}
        return {difference.seat for difference in self.all_differences} | moved_seats

    @property
    def public_steps(self) -> tuple[Step, ...]:
        """Return the steps that differ, without secret notes: asking about a note would reveal it."""
        return tuple(step for step in self.log_diff.changed_steps if not step.move.is_secret)

    def concerns_only(self, seats: Collection[int]) -> bool:
        """Return whether it changes nothing that concerns anyone but the players of some seats.

        Then all fields, points and steps that differ are theirs, and none of the fields affects others. No step of
        another player has another result, and the game does not end.
        """
        updated_steps = (step for step in self.log_diff.updated if not step.move.is_secret)
        stepping_seats = {step.seat for step in (*self.public_steps, *updated_steps)}
        affects_others = any(difference.affects_others for difference in self.differences)
        return not affects_others and self.affected_seats | stepping_seats <= {*seats}


class Simulation(NamedTuple):
    """A change that is not made yet: the table as it would be, and the differences.

    The referee writes an entry with this table, if device, seat and time are those of the entry.
    """

    table: Table
    preview: Preview

    def without_steps(self) -> "Simulation":
        """Return it with the state alone, to keep it with a table."""
        return self._replace(table=self.table.at_state(self.table.state))


def simulate(
    table: Table,
    device: str,
    seat: int | None,
    proposable: TableChange | OldChange,
    prepared: Prepared = NOTHING_PREPARED,
    created_at: str = "",
) -> Simulation:
    """Return the table after a change that is not made yet, and the differences.

    :param created_at: the time of the change; the current time, if the change may be made.

    :raises IllegalMoveError: if the rules refuse a move.
    :raises ConflictingStepError: if a later step would become illegal.
    :raises InvalidEntryError: if the change refers to something that does not exist.
    """
    entry = Entry(table.version + 1, created_at or table.updated_at, device, seat, proposable)
    new_table = apply_entry(table, entry, prepared)
    return Simulation(new_table, compare(table, new_table))


def compare(old: Table, new: Table, *, is_past: bool = False) -> Preview:
    """Return the differences between two tables that everyone may see.

    :param is_past: whether `new` needs no extra secrecy, because both states occurred or hide all secrets already.
    """
    tracked, log_diff = old.tracked, diff_logs(old, new.steps)
    if not is_past and old.would_end(new.state):
        return Preview((), (), log_diff, ends_game=True)
    new_view = new.public_view if is_past else old.visible_state(new.state, None)
    fields = (
        compare_fields(
            tracked.position_format.editable_fields(old.public_view), tracked.position_format.editable_fields(new_view)
        )
        if tracked.position_format
        else ()
    )
    new_sheet = new.public_sheet if is_past else tracked.box.score(tracked.final_position(new_view))
    points = _points(old.public_sheet, new_sheet, is_itemized=tracked.is_score_entry)
    return Preview(tuple(fields), tuple(points), log_diff)


def _points(old: Sheet, new: Sheet, *, is_itemized: bool) -> Iterator[FieldDifference]:
    """Yield the differing points: totals and, in score entry, each category."""
    for seat, (old_column, new_column) in enumerate(zip(old.columns, new.columns, strict=True)):
        for id, title in new.categories if is_itemized else ():
            if old_column.points_in(id) != new_column.points_in(id):
                yield FieldDifference(seat, title, str(old_column.points_in(id)), str(new_column.points_in(id)))
        if old_column.total != new_column.total:
            yield FieldDifference(seat, _total_title(new), str(old_column.total), str(new_column.total))


def _total_title(sheet: Sheet) -> str:
    """Return the title of a total: points, or in a race its only category."""
    return "points" if GAMES[sheet.game].box.has_points else sheet.categories[0][1]


def simulate_proposal(table: Table, proposal: Proposal) -> Simulation | str | None:
    """Return the simulation of a proposal, or why it is no longer possible.

    A seat request has no simulation. Others are computed once for each version of a table, and kept with the table.
    """
    cache = table.simulations
    if proposal.number not in cache:
        change = proposal.proposable
        if isinstance(change, SeatRequested):
            return None
        try:
            prepared = Prepared(move=proposal.move)
            simulation = simulate(table, proposal.device, proposal.seat, change, prepared)
            cache[proposal.number] = simulation.without_steps()
        except InvalidEntryError:
            cache[proposal.number] = OUTDATED_PROPOSAL_TEXT
        except (IllegalMoveError, ConflictingStepError) as error:
            cache[proposal.number] = str(error)
    return cache[proposal.number]


def preview_proposal(table: Table, proposal: Proposal) -> Preview | str | None:
    """Return the differences that a proposal would make, or as `simulate_proposal` does."""
    simulation = simulate_proposal(table, proposal)
    return simulation.preview if isinstance(simulation, Simulation) else simulation
