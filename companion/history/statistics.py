"""What somebody's results add up to: by game, by category, against whom. Pure; knows no storage."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.history.result import Part, Result, folded
from scoring.kernel.box import Box

WON, SHARED, LOST, ALONE = "won", "shared", "lost", "alone"
LAST = 20  # outcomes that are shown one by one


class Category(NamedTuple):
    """What somebody made of one category of a game."""

    title: str
    average: float
    best: int


class InGame(NamedTuple):
    """What somebody made of one game."""

    game: Box
    plays: int
    wins: int  # against somebody; a shared victory is one
    average: float  # points
    best: Result | None  # with the most points
    most: int
    categories: tuple[Category, ...]
    outcomes: tuple[str, ...]  # the last ones, in the order in which they came out
    streak: int  # games won one after the other, up to the last
    longest: int


class Against(NamedTuple):
    """How somebody fared against another player, in all games: who came in before the other."""

    player: int
    plays: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        return self.plays - self.ahead - self.behind


def part_of(result: Result, player: int, known: Mapping[str, int]) -> Part | None:
    """Return a player's part in a result; `known` says who is meant by a name."""
    return next((part for part in result.players if not part.bot and known.get(folded(part.name)) == player), None)


def outcome(result: Result, part: Part) -> str:
    """Return how a game came out for one of its players."""
    if result.alone:
        return ALONE
    if not part.winner:
        return SHARED if not result.winners else LOST
    return SHARED if len(result.winners) > 1 else WON


def in_games(results: Sequence[Result], player: int, known: Mapping[str, int]) -> list[InGame]:
    """Return what a player made of each game, the most played first; results come in the order in which they came out."""
    by_game: dict[str, list[tuple[Result, Part]]] = {}
    for result in results:
        if part := part_of(result, player, known):
            by_game.setdefault(result.game, []).append((result, part))
    return sorted((_in_game(played) for played in by_game.values()), key=lambda each: -each.plays)


def _in_game(played: list[tuple[Result, Part]]) -> InGame:
    box = played[0][0].box
    outcomes = [outcome(result, part) for result, part in played]
    best = max(played, key=lambda each: each[1].points)
    return InGame(
        game=box,
        plays=len(played),
        wins=sum(result != ALONE and part.winner for result, (_, part) in zip(outcomes, played, strict=True)),
        average=sum(part.points for _, part in played) / len(played),
        best=best[0],
        most=best[1].points,
        categories=tuple(_categories(box, [part for _, part in played if part.categories])),
        outcomes=tuple(outcomes[-LAST:]),
        streak=_streaks(outcomes)[-1],
        longest=max(_streaks(outcomes)),
    )


def _categories(box: Box, parts: list[Part]) -> list[Category]:
    """Return the averages and bests of those results of which the categories are known."""
    points = {id: [part.categories.get(id, 0) for part in parts] for id, _ in box.categories}
    return [Category(title, sum(points[id]) / len(parts), max(points[id])) for id, title in box.categories if parts]


def _streaks(outcomes: Sequence[str]) -> list[int]:
    """Return how many games had been won one after the other up to each; a game alone is neither won nor lost."""
    streaks = [0]
    for each in outcomes:
        streaks.append(streaks[-1] + 1 if each == WON else streaks[-1] if each == ALONE else 0)
    return streaks


def against(results: Sequence[Result], player: int, known: Mapping[str, int]) -> list[Against]:
    """Return how a player fared against all others, those met most often first."""
    met: dict[int, list[int]] = {}
    for result in results:
        mine = part_of(result, player, known)
        for part in result.players if mine else ():
            other = known.get(folded(part.name))
            if mine and other not in (None, player) and not part.bot:
                figures = met.setdefault(other, [0, 0, 0])
                figures[0] += 1
                figures[1] += mine.place < part.place
                figures[2] += mine.place > part.place
    return sorted((Against(other, *figures) for other, figures in met.items()), key=lambda each: -each.plays)
