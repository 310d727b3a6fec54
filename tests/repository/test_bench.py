"""The benchmarks run when somebody asks for figures; that their games can be played is seen here."""

import pytest

from tests.bench.games import TRAILS, default_setup, random_game_moves


@pytest.mark.parametrize("players", TRAILS.box.player_counts)
def test_its_games_are_played_at_its_tables(players: int):
    state = TRAILS.initial_state(default_setup(players))
    for seat, move in random_game_moves(players, seed=1):
        state = TRAILS.play(state, seat, move)
    assert state.is_over
