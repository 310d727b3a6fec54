"""PARKS: the table as it lies, said and read again at every step of random games; what does not add up on one."""

import random

import pytest

from scoring.parks import PLAY
from tests.driver import random_game
from tests.parks_promises import TABLES

LYING = PLAY.lying
GAMES = [(table, seed) for table in TABLES if table.play is PLAY for seed in table.seeds(len(TABLES), every=20)]


@pytest.mark.parametrize("table, seed", GAMES, ids=lambda value: getattr(value, "name", value))
def test_a_table_is_said_and_read_again_at_every_step_and_adds_up(table, seed):
    log = []
    random_game(PLAY, table.setup, random.Random(seed), log, chatter=0.2)
    state = PLAY.begin(table.setup)
    for seat, move in [(0, None), *log]:
        state = PLAY.play(state, seat, move) if move else state
        assert LYING.state(LYING.says(state)) == state
        assert list(LYING.faults(state)) == []
        assert LYING.read(LYING.plain(state)) == state
