"""Tests of duplicates: which results are probably of the same game."""

import datetime
import time

import pytest
from msgspec.structs import replace

from companion.history.duplicates import are_similar_names, group_by_day, similar_result
from companion.history.result import PlayerResult, Result


def players(*names_and_points: tuple[str, int | None], **more) -> tuple[PlayerResult, ...]:
    return tuple(PlayerResult(name, points or 0, unscored=points is None, **more) for name, points in names_and_points)


def entered(game: str = "trails", ended: str = "2026-01-02", id: str = "AAAAAA", **more) -> Result:
    return Result(id, game, ended, **{"players": players(("Ana", 31), ("Bo", 29)), **more})


GUESTS = (PlayerResult("Guest", 31, guest=True), PlayerResult("Bo", 29))
OTHER_GUESTS = (PlayerResult("Bo", 29), PlayerResult("A neighbor", 31, guest=True))
RACE = (PlayerResult("Ana", winner=True), PlayerResult("Bo"))
LOST_RACE = (PlayerResult("Ana"), PlayerResult("Bo", winner=True))
SOLO_RACE = (PlayerResult("Ana", winner=True),)
BOT_RACE = (PlayerResult("Ana", 3, winner=True), PlayerResult("The bot", bot=True))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (entered(), entered(), True),
        (entered(), entered(players=players(("bo", 29), ("ANA ", 31))), True),
        (entered(), entered(players=players(("Anna", 31), ("Bo P.", 29))), True),
        (entered(), entered(ended="2026-01-02T12:00:00.000+00:00", code="BCDFG"), True),
        (entered(), entered(players=players(("Ana", 29), ("Bo", 31))), False),
        (entered(), entered(players=players(("Ana", 31), ("Bo", None))), True),
        (entered(), entered(players=players(("Anna", 31), ("Bo", 30))), None),
        (entered(), entered(players=players(("Ana", 31), ("Cy", 29))), None),
        (entered(), entered(players=players(("Ana", 31), ("Bo", 29), ("Cy", 2))), None),
        (entered(), entered("parks"), None),
        (entered(), entered(ended="2026-01-03"), None),
        (entered(), entered(hidden=True), None),
        (entered(players=GUESTS), entered(players=OTHER_GUESTS), True),
        (entered(players=GUESTS), entered(players=players(("Guest", 31), ("Bo", 29))), None),
        (entered("on-the-trail", players=RACE), entered("on-the-trail", players=RACE), True),
        (entered("on-the-trail", players=RACE), entered("on-the-trail", players=LOST_RACE), False),
        (entered("on-the-trail", players=SOLO_RACE), entered("on-the-trail", players=BOT_RACE), True),
    ],
)
def test_result_is_similar_to_one_of_the_same_day_and_players(one: Result, other: Result, expected: bool | None):
    found = similar_result(one, group_by_day([replace(other, id="BBBBBB")]))
    assert (found and found.has_same_outcome) == expected


def test_result_is_not_similar_to_itself():
    assert similar_result(entered(), group_by_day([entered()])) is None


def test_result_with_the_same_points_is_preferred():
    others = [entered(id="BBBBBB", players=players(("Ana", 1), ("Bo", 2))), entered(id="CCCCCC")]
    found = similar_result(entered(), group_by_day(others))
    assert found and found.result.id == "CCCCCC" and found.has_same_outcome


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("Ana", "ana ", True),
        ("Jose", "Jos\u00e9", True),
        ("Ana", "Anna", True),
        ("Max", "Maximilian", True),
        ("Bo", "Bo P.", True),
        ("O\u2019Neil", "ONeil", True),
        ("Bo", "Bob", False),
        ("Tim", "Tom", False),
        ("Ana", "Bo", False),
        ("\U0001f43b", "\U0001f98a", False),
        ("\U0001f43b", "\U0001f43b", True),
    ],
)
def test_names_are_similar_if_they_are_nearly_equal(name: str, other: str, expected: bool):
    assert are_similar_names(name, other) is are_similar_names(other, name) is expected


def test_ten_thousand_results_are_compared_quickly():
    days = [(datetime.date(2000, 1, 1) + datetime.timedelta(days=number // 3)).isoformat() for number in range(10_000)]
    start = time.process_time()
    groups = group_by_day([entered(ended=day, id="BBBBBB") for day in days])
    assert all(similar_result(entered(ended=day), groups) for day in days)
    assert time.process_time() - start < 10
