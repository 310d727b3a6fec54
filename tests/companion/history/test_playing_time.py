"""Tests of the playing time: each interval of a log counts for the player to act, once."""

import datetime

import pytest

from companion.history.playing_time import MAX_MINUTES_PER_ENTRY, PlayerTime, player_seconds, player_times
from companion.log.entries import LogRewritten
from scoring.games import TRACKED_GAMES
from scoring.trails.moves.hiking import Hike
from tests.support.log_builder import LogBuilder, build_seated_log
from tests.support.player_names import names_for

START = datetime.datetime(2026, 1, 2, 20, tzinfo=datetime.UTC)
LIMIT = 60 * MAX_MINUTES_PER_ENTRY
UNDO = "undo"  # the latest step


def play(*actions: tuple[int, int | str]) -> LogBuilder:
    """Return a game of Ana and Bo.

    :param actions: each a time in seconds and the seat that hikes, or `UNDO`.
    """
    builder = build_seated_log("Ana", "Bo")
    for seconds, action in actions:
        builder.time = (START + datetime.timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
        if action == UNDO:
            last = builder.table.steps[-1]
            builder.add_entry(builder.table.seats[last.seat], LogRewritten(last.id, last.id), last.seat)
        else:
            builder.play(action, Hike(2))
    return builder


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([], (0, 0)),
        ([(100, 0)], (0, 0)),
        ([(100, 0), (220, 1)], (0, 120)),
        ([(100, 0), (220, 1), (250, 0)], (30, 120)),
        # a break, at and over the limit
        ([(0, 0), (LIMIT, 1)], (0, LIMIT)),
        ([(0, 0), (LIMIT + 1, 1), (LIMIT + 31, 0)], (30, 0)),
        # a clock that is set back and forward
        ([(9000, 0), (100, 1), (150, 0)], (50, 0)),
        ([(100, 0), (90_000, 1), (90_050, 0)], (50, 0)),
        # an undone step: the time until it counts once, the time until the undo for no one
        ([(0, 0), (20, 1), (25, UNDO), (32, 1), (36, 0)], (4, 27)),
        ([(0, 0), (20, 1), (25, UNDO), (30, UNDO), (37, 0), (47, 1)], (7, 30)),
    ],
)
def test_time_counts_for_the_player_to_act(actions: list, expected: tuple[int, ...]):
    assert player_seconds(play(*actions).table) == expected


def test_redone_step_keeps_its_time():
    builder = play((0, 0), (20, 1), (25, UNDO))
    removed = next(iter(builder.table.removed))
    builder.time = START.replace(second=45).isoformat(timespec="milliseconds")
    builder.add_entry(builder.table.seats[1], LogRewritten(replacement=(removed,)), 1)
    assert player_seconds(builder.table) == (0, 20)


@pytest.mark.parametrize("key", [key for key, tracked in TRACKED_GAMES.items() if tracked.is_score_entry])
def test_score_entry_has_no_times(key: str):
    table = build_seated_log(*names_for(key), game=key).table
    assert set(player_seconds(table)) == {0} and player_times(table, player_seconds(table)) == ()


def test_times_are_compared_in_percent():
    table = build_seated_log("Ana", "Bo").table
    assert player_times(table, (300, 100)) == (PlayerTime("Ana", 300, 75), PlayerTime("Bo", 100, 25))
    assert player_times(table, (0, 0)) == ()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59, "59 s"), (60, "1 min"), (89, "1 min"), (5400, "90 min")]
)
def test_time_is_in_minutes_or_seconds(seconds: int, text: str):
    assert PlayerTime("Ana", seconds, 50).text == text
