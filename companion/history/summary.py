"""Groups many results by month, game, players and pairs. Independent of storage."""

import functools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from companion.history.result import PlayerResult, Result, name_key


class Month(NamedTuple):
    """A month of a year."""

    year: int
    number: int  # from 1

    def __str__(self) -> str:
        return f"{self.year}-{self.number:02}"


class Score(NamedTuple):
    """The points of a player in a game."""

    points: int
    name: str
    result: Result


class PlayCount(NamedTuple):
    """The number of games played, and their length as far as it is known."""

    by_game: Counter[str]  # games played, by the key of their box
    timed: int  # games whose length is known
    minutes: int

    @property
    def plays(self) -> int:
        """Return the number of games played."""
        return self.by_game.total()


def count_plays(results: Sequence[Result]) -> PlayCount:
    """Return the number of games and their length."""
    minutes = [result.minutes for result in results if result.minutes]
    return PlayCount(Counter(result.game for result in results), len(minutes), sum(minutes))


@dataclass(frozen=True)
class Summary:
    """Results, also grouped by what they have in common; each group has the earliest first."""

    results: Sequence[Result]
    by_month: dict[Month, list[Result]]
    by_game: dict[str, list[Result]]
    by_player_count: dict[int, list[Result]]  # by the number of players without bots
    by_player: dict[str, list[Result]]  # by current name
    by_pair: dict[tuple[str, str], list[Result]]  # by the current names of two players, in order
    current_names: Mapping[str, str]  # by normalized name
    player_name: str  # of the only player whose pairs and scores are listed; empty: all

    @property
    def by_year(self) -> dict[int, list[Result]]:
        """Return the results by year."""
        years: dict[int, list[Result]] = {}
        for month, results in self.by_month.items():
            years.setdefault(month.year, []).extend(results)
        return years

    @functools.cached_property
    def margins(self) -> list[tuple[int, Result]]:
        """Return the known differences between first and second, the earliest result first."""
        return [(margin, result) for result in self.results if (margin := winning_margin(result)) is not None]

    def current_name(self, part: PlayerResult) -> str:
        """Return the current name of a player; the recorded one of bots, guests and deleted players."""
        return self.current_names.get(name_key(part.name), part.name) if part.is_person else part.name


def summarize(results: Iterable[Result], current_names: Mapping[str, str], player_name: str = "") -> Summary:
    """Return the summary of results.

    :param results: the results, earliest first.
    :param current_names: the players' current names by their normalized names.
    :param player_name: the current name of the player who took part in all of them; empty if there is none.
    """
    found = [*results]
    by_month, by_game, by_player_count, by_player, by_pair = (defaultdict[Any, list[Result]](list) for _ in range(5))
    find_name = functools.cache(lambda name: current_names.get(name_key(name), ""))
    for result in found:
        names = {find_name(part.name) for part in result.players if not (part.bot or part.guest)} - {""}
        by_month[result.date[: len("2026-11")]].append(result)
        by_game[result.game].append(result)
        by_player_count[len([part for part in result.players if not part.bot])].append(result)
        for name in sorted(names):
            by_player[name].append(result)
        for pair in combinations(sorted(names), 2):
            by_pair[pair].append(result)
    return Summary(
        results=found,
        by_month={Month(*map(int, month.split("-"))): group for month, group in by_month.items()},
        by_game=by_game,
        by_player_count=by_player_count,
        by_player=by_player,
        by_pair={pair: group for pair, group in by_pair.items() if not player_name or player_name in pair},
        current_names=current_names,
        player_name=player_name,
    )


def scores(summary: Summary, game_key: str) -> list[Score]:
    """Return the known points of people in the results of a game, the earliest first."""
    found = (
        Score(points, summary.current_name(part), result)
        for result in summary.by_game.get(game_key, ())
        for part in result.players
        if not part.bot and (points := result.points_of(part)) is not None
    )
    return [score for score in found if not summary.player_name or score.name == summary.player_name]


def winning_score(result: Result) -> int | None:
    """Return the points of the winner; None if they are unknown, also for a solo game or a race."""
    if result.is_solo:
        return None
    points = [result.points_of(part) for part in result.players if part.winner]
    return max((value for value in points if value is not None), default=None)


def winning_margin(result: Result) -> int | None:
    """Return the difference in points between first and second; 0 for a tie, decided or not.

    None if the result has no such difference: a solo game, a race, unknown points, no winner, or a winner who did not
    have the most points.
    """
    best = winning_score(result)
    points = [value for part in result.players if (value := result.points_of(part)) is not None]
    if best is None or len(points) < len(result.players):
        return None
    first, second = sorted(points, reverse=True)[:2]
    return first - second if best == first else None
