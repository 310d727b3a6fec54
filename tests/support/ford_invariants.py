"""Invariants of FORD: tables, and another secret."""

import random
from collections.abc import Sequence

from tests.support.invariants import TableConfig, default_setups
from tests.support.small_games.ford import TRACKED_GAME
from tests.support.small_games.ford.box import MAX_STEP
from tests.support.small_games.ford.state import State


def assert_steps_add_up(states: Sequence[State]) -> None:
    """Assert that no player has gone further than one roll from the last step."""
    for state in states:
        assert all(0 <= player.step <= MAX_STEP for player in state.players), state


def with_other_hand(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with a hidden stone under the other hand."""
    hand = state.players[seat].hand
    return state if hand is None else state.with_player(seat, hand="left" if hand == "right" else "right")


TABLES = [
    TableConfig(TRACKED_GAME, label, setup, assert_steps_add_up, with_other_hand)
    for label, setup in default_setups(TRACKED_GAME)
]
