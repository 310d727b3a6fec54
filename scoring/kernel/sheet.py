"""The score sheet: explained lines, totals as sums of lines, ranks and tie-breaks."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from scoring.kernel.english import join_words, plural_form, pluralize
from scoring.kernel.rule import Rule


class Line(Struct, frozen=True):
    """Some points: their source, why they are scored, and the rules behind them.

    `marks` names what to highlight on the picture of the table (a badge, a tile), in the game's own terms.
    """

    category: str
    label: str
    points: int
    because: str
    rules: tuple[Rule, ...]
    marks: tuple[str, ...] = ()
    # Whether the points are printed on the card or can be counted on the picture, so that paper needs no explanation.
    needs_no_explanation: bool = False


class TieBreak(Struct, frozen=True):
    """One tie-break of a game, with each player's value; the larger value is ahead."""

    id: str
    title: str
    rule: Rule
    values: tuple[int, ...]


class Contest(Struct, frozen=True):
    """A majority that scores points; the larger value is ahead."""

    title: str
    rule: Rule
    values: tuple[int, ...]  # one for each player
    noun: str = ""  # what the values count: "bird"; empty: the title says it

    @property
    def shortfalls(self) -> tuple[int, ...]:
        """Return how much each player lacks to tie with the one who has most."""
        most = max(self.values)
        return tuple(most - value for value in self.values)

    def describe(self, count: int, qualifier: str = "") -> str:
        """Return a count as text: "2 birds", or with a qualifier "2 more birds"."""
        noun = self.noun and (self.noun if count == 1 else plural_form(self.noun))
        return " ".join(filter(None, (str(count), qualifier, noun)))


class Column(Struct, frozen=True):
    """One player's column of the sheet."""

    name: str
    lines: tuple[Line, ...]
    rank: int
    winner: bool
    warnings: tuple[str, ...] = ()
    title: str = ""  # the player's title for the total, in a solo game with such ranks

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)

    def points_in(self, *categories: str) -> int:
        """Return the points of one category, or of several together."""
        return sum(line.points for line in self.lines if line.category in categories)


class Sheet(Struct, frozen=True):
    """A whole score sheet, from which the page, the PDF, the JSON and the CSV are rendered."""

    game: str
    categories: tuple[tuple[str, str], ...]  # (id, title)
    columns: tuple[Column, ...]
    decided_by: str  # "points", a tie-break's id, or "shared"
    result_text: str  # decided_by as a sentence
    tie_breaks: tuple[TieBreak, ...] = ()  # those that were needed, in order
    rulings: tuple[str, ...] = ()  # sentences for those that differ from the default
    contests: tuple[Contest, ...] = ()  # majorities, in the order of the categories
    all_tie_breaks: tuple[TieBreak, ...] = ()  # every tie-break of the game, in order, needed or not

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.winner)

    def result_text_for(self, seat: int) -> str:
        """Return the result for the player of a seat: "You win" if it begins with their win."""
        name_wins = f"{self.columns[seat].name} wins"
        if not self.result_text.startswith(name_wins):
            return self.result_text
        return f"You win{self.result_text.removeprefix(name_wins)}"


def rank_totals(totals: Sequence[int], tie_breaks: Sequence[TieBreak]) -> tuple[list[int], str]:
    """Return every player's rank (1, 2, 2, 4: ties share) and what decided rank 1.

    `tie_breaks` are given in order and settle all ranks, not only the first.
    """
    keys = [(total, *(tie_break.values[player] for tie_break in tie_breaks)) for player, total in enumerate(totals)]
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    best = max(keys)
    for depth in range(1, len(best) + 1):
        if sum(key[:depth] == best[:depth] for key in keys) == 1:
            return ranks, "points" if depth == 1 else tie_breaks[depth - 2].id
    return ranks, "shared"


def make_sheet(
    game: str,
    categories: tuple[tuple[str, str], ...],
    names: Sequence[str],
    lines: Sequence[Sequence[Line]],
    tie_breaks: Sequence[TieBreak] = (),
    rulings: tuple[str, ...] = (),
    contests: tuple[Contest, ...] = (),
) -> Sheet:
    """Return the sheet for explained lines: totals, ranks, winners and the result sentence."""
    totals = [sum(line.points for line in player) for player in lines]
    ranks, decided_by = rank_totals(totals, tie_breaks)
    columns = tuple(
        Column(name=name, lines=tuple(player), rank=rank, winner=rank == 1)
        for name, player, rank in zip(names, lines, ranks, strict=True)
    )
    ids = [tie_break.id for tie_break in tie_breaks]
    needed_count = 0 if decided_by == "points" else ids.index(decided_by) + 1 if decided_by in ids else len(ids)
    return Sheet(
        game=game,
        categories=categories,
        columns=columns,
        decided_by=decided_by,
        result_text=_result_text(columns, decided_by, tie_breaks),
        tie_breaks=tuple(tie_breaks[:needed_count]),
        rulings=rulings,
        contests=contests,
        all_tie_breaks=tuple(tie_breaks),
    )


def describe_gaps(sheet: Sheet, *, is_over: bool) -> Iterator[str]:
    """Yield for each player who is not first the points missing, and who would win a tie."""
    first = next((seat for seat, column in enumerate(sheet.columns) if column.winner), None)
    if first is None:
        return
    leader = sheet.columns[first]
    for seat, column in enumerate(sheet.columns):
        if column.winner:
            continue
        gap = leader.total - column.total
        if is_over:
            yield (
                f"{column.name} was {pluralize(gap, 'point')} behind {leader.name}."
                if gap
                else f"{column.name} lost the tiebreaker."
            )
        else:
            gap_text = f"needs {gap} more {'point' if gap == 1 else 'points'} to tie with" if gap else "is tied with"
            yield f"{column.name} {gap_text} {leader.name}. {_describe_tie(sheet, first, seat)}"


def _describe_tie(sheet: Sheet, first: int, seat: int) -> str:
    """Return who would win if two players tied, and why."""
    for tie_break in sheet.all_tie_breaks:
        ahead, behind = sorted((first, seat), key=lambda player: tie_break.values[player], reverse=True)
        values = tie_break.values[ahead], tie_break.values[behind]
        if values[0] != values[1]:
            name = sheet.columns[ahead].name
            return f"{name} would win the tiebreaker ({tie_break.title.lower()}: {values[0]} to {values[1]})."
    return "They would share the victory."


def _result_text(columns: tuple[Column, ...], decided_by: str, tie_breaks: Sequence[TieBreak]) -> str:
    first = [column.name for column in columns if column.winner]
    total = next(column.total for column in columns if column.winner)
    points = pluralize(total, "point")
    tied = [column.name for column in columns if column.total == total]
    if decided_by == "points":
        return f"{first[0]} wins with {points}."
    if decided_by == "shared":
        tried = join_words([tie_break.title.lower() for tie_break in tie_breaks])
        also = f", also tied in {tried}" if tried else ""
        return f"{join_words(first)} share the victory with {points} each{also}."
    depth = next(depth for depth, tie_break in enumerate(tie_breaks) if tie_break.id == decided_by)
    tie_break, earlier = tie_breaks[depth], tie_breaks[:depth]
    values = {column.name: value for column, value in zip(columns, tie_break.values, strict=True)}
    tried = {column.name: [criterion.values[player] for criterion in earlier] for player, column in enumerate(columns)}
    still_tied = [name for name in tied if name not in first and tried[name] == tried[first[0]]]
    other_values = ", ".join(f"{name} {values[name]}" for name in still_tied)
    return (
        f"{join_words(tied)} are tied at {points}. "
        f"{first[0]} wins by {tie_break.title.lower()}: {values[first[0]]} against {other_values}."
    )
