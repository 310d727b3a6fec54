"""The benchmarks run when somebody asks for figures; that their games can be played is seen here."""

import pytest

from tests.bench.games import TRAILS, recorded, setup


@pytest.mark.parametrize("players", TRAILS.box.seats)
def test_its_games_are_played_at_its_tables(players: int):
    state = TRAILS.begin(setup(players))
    for seat, move in recorded(players, seed=1):
        state = TRAILS.play(state, seat, move)
    assert state.over
