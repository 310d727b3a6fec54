"""Smoke test of the benchmarks: their games can be played at their tables."""

import pytest

from tests.bench.games import TRAILS, default_setup, random_game_moves


@pytest.mark.parametrize("players", TRAILS.box.player_counts)
def test_benchmark_moves_are_legal_at_benchmark_tables(players: int):
    state = TRAILS.initial_state(default_setup(players))
    for seat, move in random_game_moves(players, seed=1):
        state = TRAILS.play(state, seat, move)
    assert state.is_over
