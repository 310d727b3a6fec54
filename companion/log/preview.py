"""What would differ if something were so: figures old and new for everybody, points, steps; and whom it concerns."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.log.apply import CHANGED_SINCE, follow
from companion.log.entries import Change, Consent, Entry, SeatAsked
from companion.log.log_diff import Rewriting, rewriting_of
from companion.log.table import DoesNotFollow, InTheWay, Proposal, Table
from scoring.kernel.editable import Difference, differences
from scoring.kernel.errors import Illegal
from scoring.kernel.sheet import Sheet

CONSENTS: dict[Consent, str] = {
    "concerned": "Those it concerns",
    "everybody": "Everybody",
    "most": "Most are enough",
    "trust": "Nobody: it holds at once, and everybody sees it",
}


@dataclass(frozen=True)
class Preview:
    """A table beside what it would be."""

    differences: tuple[Difference, ...]  # of what lies there
    points: tuple[Difference, ...]  # of each player, as far as everybody may count them
    rewriting: Rewriting
    ends: bool = False  # the game would be over: what is secret now is not shown before it is so

    @property
    def marks(self) -> str:
        """Return the marks of what differs on the picture of the table, with single spaces."""
        return " ".join(dict.fromkeys(each.mark for each in self.differences if each.mark))

    @property
    def first(self) -> int | None:
        """Return the first player whose things differ."""
        return next((each.whose for each in self.differences if each.whose is not None), None)

    @property
    def whose(self) -> set[int | None]:
        """Return whose things differ, or whose steps; None: what is everybody's."""
        if self.ends:
            return {None}
        told = (
            step for step in self.rewriting.steps if not step.move.secret
        )  # nobody else learns of a note by being asked
        played = {step.seat for step in told if not step.move.consent}  # a correction is not of who told it
        return {each.whose for each in (*self.differences, *self.points)} | played


def if_so(table: Table, device: str, seat: int | None, wish: Change) -> Table:
    """Return what a table would be if a wish came true now.

    :raises Illegal, InTheWay, DoesNotFollow: when it cannot.
    """
    return follow(table, Entry(table.number + 1, table.at, device, seat, wish))


def compare(old: Table, new: Table, *, was: bool = False) -> Preview:
    """Return what differs from one table to another, as everybody may see it; or could, where both were so."""
    play, rewriting = old.play, rewriting_of(old, new.steps)
    if not was and old.would_end(new.state):
        return Preview((), (), rewriting, ends=True)
    before, after = play.view(old.state, None), play.view(new.state, None) if was else old.seen(new.state, None)
    figures = differences(play.lying.figures(before), play.lying.figures(after)) if play.lying else ()
    sheets = [play.box.score(play.final(view)) for view in (before, after)]
    return Preview(tuple(figures), tuple(_points(*sheets, whole=play.counting)), rewriting)


def _points(old: Sheet, new: Sheet, *, whole: bool) -> Iterator[Difference]:
    """Yield the points that differ: totals, and where points are all there is, those of each category."""
    for seat, (was, now) in enumerate(zip(old.columns, new.columns, strict=True)):
        for id, title in new.categories if whole else ():
            if was.of(id) != now.of(id):
                yield Difference(seat, title, str(was.of(id)), str(now.of(id)))
        if was.total != now.total:
            yield Difference(seat, "points", str(was.total), str(now.total))


def preview(table: Table, proposal: Proposal) -> Preview | str | None:
    """Return what would differ if a proposal were agreed now, or why it no longer can be; nothing for a seat."""
    known = table.previews
    if proposal.number not in known:
        if isinstance(proposal.wish, SeatAsked):
            return None
        try:
            known[proposal.number] = compare(table, if_so(table, proposal.device, proposal.seat, proposal.wish))
        except DoesNotFollow:
            known[proposal.number] = CHANGED_SINCE
        except (Illegal, InTheWay) as fault:
            known[proposal.number] = str(fault)
    return known[proposal.number]


def whom_to_ask(table: Table, device: str, would: Preview | None = None) -> tuple[tuple[int, ...], int]:
    """Return the seats that are asked about something, and how many of them are enough; 0: all.

    What has come out at the end of a game, and who is asked, always needs everybody.

    :param would: what would differ; without it, it concerns everybody.
    """
    others = table.others(device)
    if would is None or table.ended or table.consent == "everybody":
        return others, 0
    if table.consent == "trust":
        return (), 0
    if table.consent == "most":
        held = sum(holder is not None for holder in table.seats)
        mine = len(table.seats_of(device))
        return others, min(len(others), max(1, held // 2 + 1 - mine))
    concerned = tuple(each for each in others if each in would.whose)
    return (concerned if concerned and None not in would.whose else others), 0
