"""What somebody's results add up to: averages, bests, streaks, head to head."""

import pytest

from companion.history.result import Part, Result
from companion.history.statistics import ALONE, LAST, LOST, SHARED, WON, against, in_games, outcome, part_of
from scoring.games import GAMES
from tests.support.cases import every_row

KNOWN = {"ana": 1, "anna": 1, "bo": 2, "cy": 3}


def result(*players: tuple, game: str = "trails", day: int = 1) -> Result:
    """Return a result of players as (name, points, place) or (name, points, place, categories)."""
    parts = tuple(Part(name, points, place, place == 1, *more) for name, points, place, *more in players)
    return Result("AAAAAA", game, f"2026-01-{day:02}", parts)


def games_of(*outcomes: str) -> list[Result]:
    """Return games of Ana's that came out so."""
    kinds = {
        WON: (("Ana", 2, 1), ("Bo", 1, 2)),
        LOST: (("Ana", 1, 2), ("Bo", 2, 1)),
        SHARED: (("Ana", 2, 1), ("Bo", 2, 1)),
        ALONE: (("Ana", 2, 1),),
    }
    return [result(*kinds[each]) for each in outcomes]


@pytest.mark.parametrize("how", [WON, LOST, SHARED, ALONE])
def test_an_outcome(how: str):
    (game,) = games_of(how)
    assert outcome(game, game.players[0]) == how


def test_a_race_that_nobody_finishes_is_shared():
    race = Result("AAAAAA", "on-the-trail", "2026-01-01", (Part("Ana"), Part("Bo")))
    assert outcome(race, race.players[0]) == SHARED


STREAKS = [
    ((WON,), 1, 1),
    ((LOST,), 0, 0),
    ((WON, WON, LOST, WON), 1, 2),
    ((WON, WON, WON, SHARED), 0, 3),
    ((LOST, WON, ALONE, WON), 2, 2),
    ((ALONE,), 0, 0),
]


@every_row(("outcomes", "streak", "longest"), STREAKS)
def test_a_streak_ends_with_a_game_that_is_not_won_and_a_game_alone_is_none(outcomes: tuple, streak: int, longest: int):
    (game,) = in_games(games_of(*outcomes), 1, KNOWN)
    assert (game.streak, game.longest) == (streak, longest)


def test_wins_are_games_won_against_somebody():
    (game,) = in_games(games_of(WON, SHARED, LOST, ALONE), 1, KNOWN)
    assert (game.plays, game.wins, game.outcomes) == (4, 2, (WON, SHARED, LOST, ALONE))


def test_the_last_outcomes_are_kept():
    (game,) = in_games(games_of(*[LOST] * LAST, WON), 1, KNOWN)
    assert game.outcomes == (*[LOST] * (LAST - 1), WON) and game.plays == LAST + 1


def test_averages_and_bests_are_by_game_and_by_category_where_those_are_known():
    results = [
        result(("Ana", 10, 1, {"badges": 6, "photos": 4}), ("Bo", 1, 2)),
        result(("Anna", 20, 1, {"badges": 20}), ("Bo", 1, 2), day=2),
        result(("Ana", 3, 2), ("Bo", 30, 1), day=3),
        result(("Ana", 50, 1), game="alpine-trails"),
    ]
    trails, alpine = in_games(results, 1, KNOWN)
    assert (trails.game, trails.plays, trails.average, trails.most) == (GAMES["trails"].box, 3, 11.0, 20)
    assert trails.best.date == "2026-01-02" and alpine.most == 50 and alpine.categories == ()
    assert [(each.title, each.average, each.best) for each in trails.categories[:2]] == [
        ("Badges", 13.0, 20),
        ("Photos", 2.0, 4),
    ]


def test_head_to_head_counts_who_came_in_before_whom():
    results = [
        result(("Ana", 9, 1), ("Bo", 5, 2), ("Cy", 1, 3)),
        result(("Bo", 9, 1), ("Anna", 5, 2)),
        result(("Bo", 9, 1), ("Anna", 9, 1)),
        result(("Bo", 9, 1), ("Cy", 5, 2)),
        result(("Ana", 9, 1), ("Somebody", 5, 2)),
    ]
    bo, cy = against(results, 1, KNOWN)
    assert (bo.player, bo.plays, bo.ahead, bo.behind, bo.level) == (2, 3, 1, 1, 1)
    assert (cy.player, cy.plays, cy.ahead, cy.behind, cy.level) == (3, 1, 1, 0, 0)


def test_a_bot_is_nobody_even_with_a_players_name():
    race = Result("AAAAAA", "on-the-trail", "2026-01-01", (Part("Ana", 2, 1, True), Part("Bo", 0, 2, bot=True)))
    assert part_of(race, 2, KNOWN) is None and against([race], 1, KNOWN) == []
