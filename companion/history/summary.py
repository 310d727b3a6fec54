"""Groups many results by month, game, players and pairs. Independent of storage."""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeVar

from companion.history.result import PlayerResult, Result, current_name, name_key

Key = TypeVar("Key")


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

    results: Sequence[Result]  # the earliest first
    current_names: Mapping[str, str]  # by normalized name
    # The current name of the player who took part in all results, whose pairs and scores are listed; empty: all.
    player_name: str = ""

    @functools.cached_property
    def by_month(self) -> dict[Month, list[Result]]:
        """Return the results by month."""
        months = _group((result.date[: len("2026-11")], result) for result in self.results)
        return {Month(*map(int, month.split("-"))): results for month, results in months.items()}

    @property
    def by_year(self) -> dict[int, list[Result]]:
        """Return the results by year."""
        years: dict[int, list[Result]] = {}
        for month, results in self.by_month.items():
            years.setdefault(month.year, []).extend(results)
        return years

    @functools.cached_property
    def by_game(self) -> dict[str, list[Result]]:
        """Return the results by the key of their box."""
        return _group((result.game, result) for result in self.results)

    @property
    def by_player_count(self) -> dict[int, list[Result]]:
        """Return the results by the number of players without bots."""
        return _group((len([part for part in result.players if not part.bot]), result) for result in self.results)

    @functools.cached_property
    def by_player(self) -> dict[str, list[Result]]:
        """Return the results by the current names of their players."""
        return _group((name, result) for result, names in self._named for name in names)

    @property
    def by_pair(self) -> dict[tuple[str, str], list[Result]]:
        """Return the results by the current names of two players, in order."""
        if player := self.player_name:
            others = ((name, results) for name, results in self.by_player.items() if name != player)
            return {(min(player, name), max(player, name)): results for name, results in others}
        return _group((pair, result) for result, names in self._named for pair in combinations(names, 2))

    @functools.cached_property
    def margins(self) -> list[tuple[int, Result]]:
        """Return the known differences between first and second, the earliest result first."""
        return [(margin, result) for result in self.results if (margin := winning_margin(result)) is not None]

    def current_name(self, part: PlayerResult) -> str:
        """Return the current name of a player; the recorded one of bots, guests and deleted players."""
        return current_name(part, self.current_names)

    @functools.cached_property
    def _named(self) -> list[tuple[Result, list[str]]]:
        """Return the results with the current names of their people, in order."""
        find_name = functools.cache(lambda name: self.current_names.get(name_key(name)))
        return [
            (result, sorted({name for part in result.players if part.is_person and (name := find_name(part.name))}))
            for result in self.results
        ]


def _group(items: Iterable[tuple[Key, Result]]) -> dict[Key, list[Result]]:
    groups: dict[Key, list[Result]] = {}
    for key, result in items:
        groups.setdefault(key, []).append(result)
    return groups


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
