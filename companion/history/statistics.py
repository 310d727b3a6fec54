"""Computes a player's statistics by game, category and opponent. Independent of storage."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from companion.history.result import PlayerResult, Result, name_key
from scoring.kernel.box import Box

WON, SHARED, LOST, SOLO, UNKNOWN = "won", "shared", "lost", "alone", "unknown"
MAX_OUTCOMES = 20  # outcomes that are listed individually


class CategoryStats(NamedTuple):
    """A player's statistics in one category of a game."""

    title: str
    average: float
    best: int


class GameStats(NamedTuple):
    """A player's statistics in one game."""

    game: Box
    games_played: int
    wins: int  # including shared victories, without solo games
    average: float | None  # points; None if none are known
    best_result: Result | None  # the one with the most points
    best_points: int | None
    categories: tuple[CategoryStats, ...]
    outcomes: tuple[str, ...]  # the latest ones, earliest first
    streak: int  # consecutive wins up to the latest game
    longest_streak: int


class OpponentStats(NamedTuple):
    """A player's record against another player in all games, by who placed higher."""

    player_id: int
    games_played: int
    ahead: int
    behind: int  # in the other games they were tied


def player_result_of(result: Result, player_id: int, ids_by_name: Mapping[str, int]) -> PlayerResult | None:
    """Return a player's part in a result, or None.

    :param ids_by_name: the players' ids by their normalized names.
    """
    for part in result.players:
        if ids_by_name.get(name_key(part.name)) == player_id and part.is_person:
            return part
    return None


def outcome(result: Result, player_result: PlayerResult) -> str:
    """Return the outcome of a game for one of its players."""
    if result.is_solo:
        return SOLO
    if result.is_winner_unknown:
        return UNKNOWN
    if not player_result.winner:
        return SHARED if not result.winners else LOST
    return SHARED if len(result.winners) > 1 else WON


def stats_by_game(results: Sequence[Result], player_id: int, ids_by_name: Mapping[str, int]) -> list[GameStats]:
    """Return a player's statistics for each game, the most played first.

    :param results: the results, earliest first.
    """
    by_game: dict[str, list[tuple[Result, PlayerResult]]] = {}
    for result in results:
        if part := player_result_of(result, player_id, ids_by_name):
            by_game.setdefault(result.game, []).append((result, part))
    return sorted(
        (_game_stats(game_results) for game_results in by_game.values()), key=lambda stats: -stats.games_played
    )


def _game_stats(game_results: list[tuple[Result, PlayerResult]]) -> GameStats:
    box = game_results[0][0].box
    outcomes = [outcome(result, part) for result, part in game_results]
    pairs = [(result, points) for result, part in game_results if (points := result.points_of(part)) is not None]
    best_result, best_points = max(pairs, key=itemgetter(1), default=(None, None))
    return GameStats(
        game=box,
        games_played=len(game_results),
        wins=sum(result != SOLO and part.winner for result, (_, part) in zip(outcomes, game_results, strict=True)),
        average=sum(points for _, points in pairs) / len(pairs) if pairs else None,
        best_result=best_result,
        best_points=best_points,
        categories=tuple(_category_stats(box, [part for _, part in game_results if part.categories])),
        outcomes=tuple(outcomes[-MAX_OUTCOMES:]),
        streak=_streaks(outcomes)[-1],
        longest_streak=max(_streaks(outcomes)),
    )


def _category_stats(box: Box, player_results: list[PlayerResult]) -> list[CategoryStats]:
    """Return the averages and bests of the results whose categories are known."""
    points = {id: [part.categories.get(id, 0) for part in player_results] for id, _ in box.categories}
    return [
        CategoryStats(title, sum(points[id]) / len(player_results), max(points[id]))
        for id, title in box.categories
        if player_results
    ]


def _streaks(outcomes: Sequence[str]) -> list[int]:
    """Return the number of consecutive wins after each game, starting with 0 before the first.

    A solo game neither continues nor ends a streak. A game whose winner is unknown ends it.
    """
    streaks = [0]
    for result_kind in outcomes:
        streaks.append(streaks[-1] + 1 if result_kind == WON else streaks[-1] if result_kind == SOLO else 0)
    return streaks


def stats_by_opponent(results: Sequence[Result], player_id: int, ids_by_name: Mapping[str, int]) -> list[OpponentStats]:
    """Return a player's record against all opponents, those met most often first."""
    played, ahead, behind = Counter[int](), Counter[int](), Counter[int]()
    for result in results:
        own_result = player_result_of(result, player_id, ids_by_name)
        for part in result.players if own_result else ():
            opponent_id = ids_by_name.get(name_key(part.name))
            if own_result and part.is_person and opponent_id and opponent_id != player_id:
                played[opponent_id] += 1
                if own_result.place < part.place:
                    ahead[opponent_id] += 1
                elif own_result.place > part.place:
                    behind[opponent_id] += 1
    return [OpponentStats(id, count, ahead[id], behind[id]) for id, count in played.most_common()]
