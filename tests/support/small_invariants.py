"""The tables of the two small games that random games are played at."""

import random
from collections.abc import Sequence

from msgspec.structs import replace

from scoring.kernel.tracked_game import Play
from tests.support.invariants import Table, usual_setups
from tests.support.small_games import ford, peaks

PLAYS: dict[str, Play] = {play.key: play for game in (peaks.GAME, ford.GAME) for play in game.plays}


def nothing_to_count(states: Sequence) -> None:
    """What the boxes of these games hold is in their documents, which are read at each step."""
    for state in states:
        assert [player.name for player in state.players] == [player.name for player in states[0].players]


def other_hand(state: ford.State, seat: int, rng: random.Random) -> ford.State:
    hand = state.players[seat].hand
    return state if hand is None else state.with_player(seat, hand="left" if hand == "right" else "right")


def no_secret(state, seat: int, rng: random.Random):
    return replace(state)


TABLES = [
    Table(play, label, setup, nothing_to_count, other_hand if play is ford.PLAY else no_secret)
    for play in PLAYS.values()
    for label, setup in usual_setups(play)
]
