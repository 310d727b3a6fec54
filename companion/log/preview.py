"""What would differ if something were so: figures old and new for everybody, points, steps; and whom it concerns."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.log.apply import OUTDATED_PROPOSAL_TEXT, apply_entry
from companion.log.entries import ConsentPolicy, Entry, SeatRequested, TableChange
from companion.log.log_diff import LogDiff, diff_logs
from companion.log.table import ConflictingStepError, InvalidEntryError, Proposal, Table
from scoring.kernel.editable import FieldDifference, compare_fields
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.sheet import Sheet

CONSENT_LABELS: dict[ConsentPolicy, str] = {
    "concerned": "Those it concerns",
    "everybody": "Everybody",
    "most": "Most are enough",
    "trust": "Nobody: it holds at once, and everybody sees it",
}


@dataclass(frozen=True)
class Preview:
    """A table beside what it would be."""

    differences: tuple[FieldDifference, ...]  # of what lies there
    points: tuple[FieldDifference, ...]  # of each player, as far as everybody may count them
    log_diff: LogDiff
    ends_game: bool = False  # the game would be over: what is secret now is not shown before it is so

    @property
    def marks(self) -> str:
        """Return the marks of what differs on the picture of the table, with single spaces."""
        return " ".join(dict.fromkeys(each.mark for each in self.differences if each.mark))

    @property
    def first_affected_seat(self) -> int | None:
        """Return the first player whose things differ."""
        return next((each.seat for each in self.differences if each.seat is not None), None)

    @property
    def affected_seats(self) -> set[int | None]:
        """Return whose things differ, or whose steps; None: what is everybody's."""
        if self.ends_game:
            return {None}
        told = (
            step for step in self.log_diff.changed_steps if not step.move.is_secret
        )  # nobody else learns of a note by being asked
        played = {step.seat for step in told if not step.move.needs_consent}  # a correction is not of who told it
        return {each.seat for each in (*self.differences, *self.points)} | played


def simulate(table: Table, device: str, seat: int | None, proposable: TableChange) -> Table:
    """Return what a table would be if a wish came true now.

    :raises Illegal, InTheWay, DoesNotFollow: when it cannot.
    """
    return apply_entry(table, Entry(table.version + 1, table.updated_at, device, seat, proposable))


def compare(old: Table, new: Table, *, is_past: bool = False) -> Preview:
    """Return what differs from one table to another, as everybody may see it; or could, where both were so."""
    play, rewriting = old.tracked, diff_logs(old, new.steps)
    if not is_past and old.would_end(new.state):
        return Preview((), (), rewriting, ends_game=True)
    before, after = (
        play.view(old.state, None),
        play.view(new.state, None) if is_past else old.visible_state(new.state, None),
    )
    figures = (
        compare_fields(play.position_format.editable_fields(before), play.position_format.editable_fields(after))
        if play.position_format
        else ()
    )
    sheets = [play.box.score(play.final_position(view)) for view in (before, after)]
    return Preview(tuple(figures), tuple(_points(*sheets, is_itemized=play.is_score_entry)), rewriting)


def _points(old: Sheet, new: Sheet, *, is_itemized: bool) -> Iterator[FieldDifference]:
    """Yield the points that differ: totals, and where points are all there is, those of each category."""
    for seat, (was, now) in enumerate(zip(old.columns, new.columns, strict=True)):
        for id, title in new.categories if is_itemized else ():
            if was.points_in(id) != now.points_in(id):
                yield FieldDifference(seat, title, str(was.points_in(id)), str(now.points_in(id)))
        if was.total != now.total:
            yield FieldDifference(seat, "points", str(was.total), str(now.total))


def preview_proposal(table: Table, proposal: Proposal) -> Preview | str | None:
    """Return what would differ if a proposal were agreed now, or why it no longer can be; nothing for a seat."""
    known = table.preview_cache
    if proposal.number not in known:
        if isinstance(proposal.proposable, SeatRequested):
            return None
        try:
            known[proposal.number] = compare(
                table, simulate(table, proposal.device, proposal.seat, proposal.proposable)
            )
        except InvalidEntryError:
            known[proposal.number] = OUTDATED_PROPOSAL_TEXT
        except (IllegalMoveError, ConflictingStepError) as fault:
            known[proposal.number] = str(fault)
    return known[proposal.number]


def required_approvals(table: Table, device: str, outcome: Preview | None = None) -> tuple[tuple[int, ...], int]:
    """Return the seats that are asked about something, and how many of them are enough; 0: all.

    What has come out at the end of a game, and who is asked, always needs everybody.

    :param would: what would differ; without it, it concerns everybody.
    """
    others = table.other_seats(device)
    if outcome is None or table.was_over or table.consent == "everybody":
        return others, 0
    if table.consent == "trust":
        return (), 0
    if table.consent == "most":
        held = sum(holder is not None for holder in table.seats)
        mine = len(table.seats_of(device))
        return others, min(len(others), max(1, held // 2 + 1 - mine))
    concerned = tuple(each for each in others if each in outcome.affected_seats)
    return (concerned if concerned and None not in outcome.affected_seats else others), 0
