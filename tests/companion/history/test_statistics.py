"""Tests of player statistics: averages, bests, streaks and head to head."""

import pytest
from msgspec.structs import replace

from companion.history.result import PlayerResult, Result
from companion.history.statistics import (
    LOST,
    MAX_OUTCOMES,
    SHARED,
    SOLO,
    UNKNOWN,
    WON,
    outcome,
    player_result_of,
    stats_by_game,
    stats_by_opponent,
)
from scoring.games import GAMES
from tests.support.parametrize import run_all_rows

PLAYER_IDS = {"ana": 1, "anna": 1, "bo": 2, "cy": 3}


def make_result(*players: tuple, game: str = "trails", day: int = 1) -> Result:
    """Return a result of players as (name, points, place) or (name, points, place, categories)."""
    parts = tuple(PlayerResult(name, points, place, place == 1, *more) for name, points, place, *more in players)
    return Result("AAAAAA", game, f"2026-01-{day:02}", parts)


def make_unrecorded_result(*players: tuple, game: str = "trails") -> Result:
    """Return a result of players as (name, points) whose winner is not recorded."""
    parts = tuple(PlayerResult(name, points) for name, points in players)
    return Result("AAAAAA", game, "2026-01-01", parts, decided_by="unknown")


def games_with_outcomes(*outcomes: str) -> list[Result]:
    """Return one game of Ana's for each outcome."""
    kinds = {
        WON: (("Ana", 2, 1), ("Bo", 1, 2)),
        LOST: (("Ana", 1, 2), ("Bo", 2, 1)),
        SHARED: (("Ana", 2, 1), ("Bo", 2, 1)),
        SOLO: (("Ana", 2, 1),),
    }
    unrecorded = make_unrecorded_result(("Ana", 2), ("Bo", 1))
    return [unrecorded if each == UNKNOWN else make_result(*kinds[each]) for each in outcomes]


@pytest.mark.parametrize("expected", [WON, LOST, SHARED, SOLO, UNKNOWN])
def test_outcome_of_a_game_follows_from_the_places(expected: str):
    (game,) = games_with_outcomes(expected)
    assert outcome(game, game.players[0]) == expected


def test_race_that_nobody_finishes_is_shared():
    race = Result("AAAAAA", "on-the-trail", "2026-01-01", (PlayerResult("Ana"), PlayerResult("Bo")))
    assert outcome(race, race.players[0]) == SHARED


def test_outcome_is_unknown_only_without_a_recorded_winner():
    race = make_unrecorded_result(("Ana", None), ("Bo", None), game="on-the-trail")
    assert outcome(race, race.players[0]) == outcome(race, race.players[1]) == UNKNOWN
    alone = make_unrecorded_result(("Ana", None))
    assert outcome(alone, alone.players[0]) == SOLO
    with_winner = replace(make_result(("Ana", 2, 1), ("Bo", 1, 2)), decided_by="unknown")
    assert [outcome(with_winner, part) for part in with_winner.players] == [WON, LOST]


STREAKS = [
    ((WON,), 1, 1),
    ((LOST,), 0, 0),
    ((WON, WON, LOST, WON), 1, 2),
    ((WON, WON, WON, SHARED), 0, 3),
    ((LOST, WON, SOLO, WON), 2, 2),
    ((SOLO,), 0, 0),
    ((WON, WON, UNKNOWN, WON), 1, 2),
]


@run_all_rows(("outcomes", "streak", "longest"), STREAKS)
def test_streak_ends_with_a_game_not_won_and_ignores_solo_games(outcomes: tuple, streak: int, longest: int):
    (game,) = stats_by_game(games_with_outcomes(*outcomes), 1, PLAYER_IDS)
    assert (game.streak, game.longest_streak) == (streak, longest)


def test_wins_count_only_games_against_opponents():
    (game,) = stats_by_game(games_with_outcomes(WON, SHARED, LOST, SOLO), 1, PLAYER_IDS)
    assert (game.games_played, game.wins, game.outcomes) == (4, 2, (WON, SHARED, LOST, SOLO))


def test_latest_outcomes_are_kept_up_to_a_limit():
    (game,) = stats_by_game(games_with_outcomes(*[LOST] * MAX_OUTCOMES, WON), 1, PLAYER_IDS)
    assert game.outcomes == (*[LOST] * (MAX_OUTCOMES - 1), WON) and game.games_played == MAX_OUTCOMES + 1


def test_averages_and_bests_are_by_game_and_by_known_category():
    results = [
        make_result(("Ana", 10, 1, {"badges": 6, "photos": 4}), ("Bo", 1, 2)),
        make_result(("Anna", 20, 1, {"badges": 20}), ("Bo", 1, 2), day=2),
        make_result(("Ana", 3, 2), ("Bo", 30, 1), day=3),
        make_result(("Ana", 50, 1), game="alpine-trails"),
    ]
    trails, alpine = stats_by_game(results, 1, PLAYER_IDS)
    assert (trails.game, trails.games_played, trails.average, trails.best_points) == (GAMES["trails"].box, 3, 11.0, 20)
    assert trails.best_result.date == "2026-01-02" and alpine.best_points == 50 and alpine.categories == ()
    assert [(category.title, category.average, category.best) for category in trails.categories[:2]] == [
        ("Badges", 13.0, 20),
        ("Photos", 2.0, 4),
    ]


def test_unknown_points_are_left_out_of_averages_and_bests():
    unknown = Result("AAAAAA", "trails", "2026-01-01", (PlayerResult("Ana", unscored=True), PlayerResult("Bo", 20)))
    known = make_result(("Ana", 31, 1), ("Bo", 20, 2))
    (both,), (none,) = stats_by_game([unknown, known], 1, PLAYER_IDS), stats_by_game([unknown], 1, PLAYER_IDS)
    assert (both.games_played, both.average, both.best_points) == (2, 31, 31)
    assert (none.games_played, none.average, none.best_result) == (1, None, None)


def test_guest_has_no_statistics():
    result = Result("AAAAAA", "trails", "2026-01-01", (PlayerResult("Ana", 2), PlayerResult("Bo", 3, guest=True)))
    assert player_result_of(result, 2, PLAYER_IDS) is None
    assert stats_by_opponent([result], 1, PLAYER_IDS) == []


def test_head_to_head_counts_games_ahead_behind_and_tied():
    results = [
        make_result(("Ana", 9, 1), ("Bo", 5, 2), ("Cy", 1, 3)),
        make_result(("Bo", 9, 1), ("Anna", 5, 2)),
        make_result(("Bo", 9, 1), ("Anna", 9, 1)),
        make_result(("Bo", 9, 1), ("Cy", 5, 2)),
        make_result(("Ana", 9, 1), ("Somebody", 5, 2)),
    ]
    bo, cy = stats_by_opponent(results, 1, PLAYER_IDS)
    assert (bo.player_id, bo.games_played, bo.ahead, bo.behind) == (2, 3, 1, 1)
    assert (cy.player_id, cy.games_played, cy.ahead, cy.behind) == (3, 1, 1, 0)


def test_bot_with_a_players_name_has_no_statistics():
    race = Result(
        "AAAAAA", "on-the-trail", "2026-01-01", (PlayerResult("Ana", 2, 1, True), PlayerResult("Bo", 0, 2, bot=True))
    )
    assert player_result_of(race, 2, PLAYER_IDS) is None and stats_by_opponent([race], 1, PLAYER_IDS) == []
