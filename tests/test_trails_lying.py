"""TRAILS: the table as it lies is said in full at every moment, and what does not add up there is found."""

import random

import msgspec
import pytest

from tests.driver import random_game
from tests.trails_promises import TABLES
from tests.trails_table import PLAY

TRACKED = [table for table in TABLES if table.play is PLAY]


def moments(table, number: int):
    """Yield each state of a random game in which people talk and settle rulings."""
    log: list = []
    random_game(PLAY, table.setup, random.Random(f"{table.name} {number}"), log, chatter=0.3)
    state = PLAY.begin(table.setup)
    yield state
    for seat, move in log:
        state = PLAY.play(state, seat, move)
        yield state


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("table", TRACKED, ids=lambda table: table.name.replace(" ", "-"))
def test_every_moment_of_a_game_can_be_said_and_adds_up(table, number):
    for state in moments(table, number):
        assert list(PLAY.lying.faults(state)) == []
        assert PLAY.lying.state(PLAY.lying.says(state)) == state
        assert PLAY.lying.read(msgspec.json.decode(msgspec.json.encode(PLAY.lying.plain(state)))) == state
