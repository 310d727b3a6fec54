"""The tables of the two small games that random games are played at."""

import random
from collections.abc import Sequence

from msgspec.structs import replace

from scoring.kernel.tracked_game import TrackedGame
from tests.support.invariants import TableConfig, default_setups
from tests.support.small_games import ford, peaks

SMALL_GAMES: dict[str, TrackedGame] = {
    tracked.key: tracked for game in (peaks.GAME, ford.GAME) for tracked in game.tracked_games
}


def assert_same_players(states: Sequence) -> None:
    """Do nothing: the piece counts of these games are checked when their documents are read."""
    for state in states:
        assert [player.name for player in state.players] == [player.name for player in states[0].players]


def with_other_hand(state: ford.state.State, seat: int, rng: random.Random) -> ford.state.State:
    hand = state.players[seat].hand
    return state if hand is None else state.with_player(seat, hand="left" if hand == "right" else "right")


def unchanged_state(state, seat: int, rng: random.Random):
    return replace(state)


TABLES = [
    TableConfig(
        tracked, label, setup, assert_same_players, with_other_hand if tracked is ford.TRACKED_GAME else unchanged_state
    )
    for tracked in SMALL_GAMES.values()
    for label, setup in default_setups(tracked)
]
