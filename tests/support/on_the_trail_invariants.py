"""ON THE TRAIL at random: the tables, the counts of the box, the secrets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.on_the_trail.box import DECK, DECK_SIZE, SETBACKS
from scoring.on_the_trail.cards import NONE, choices, minus, plus, within
from scoring.on_the_trail.state import Player, State
from tests.support.invariants import NAMES, Table, usual_setups
from tests.support.on_the_trail_table import BOX, HALF_KNOWN

PLAY = PLAYS["on-the-trail"]


def add_up(states: Sequence[State]) -> None:
    """Assert that decks and piles are those of the box, in each state of a race and from one to the next."""
    for state in states:
        for player in state.players:
            deck_adds_up(state, player)
        piles_add_up(state)
    for before, after in pairwise(states):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.at >= old.at and new.home >= old.home and new.out >= old.out, after
    _round_is_complete(states)


def deck_adds_up(state: State, player: Player) -> None:
    assert min(*player.hand, *player.discard, player.unseen, player.lost, player.deck) >= 0, state
    assert within(plus(player.hand, player.discard), DECK), state
    assert player.held + player.deck + sum(player.discard) + player.lost == DECK_SIZE, state
    assert state.tracking == "light" or player.lost == 0, state
    assert state.tracking == "open" or player.hand == NONE, state
    assert not player.bot or (player.held == 0 and not player.setbacks and not player.boosts), state
    assert not (player.home and player.out), state
    way = len(state.legs)
    assert player.at <= way and player.home == (state.complete and player.at == way and player.at > 0), state


def piles_add_up(state: State) -> None:
    setbacks = Counter([*state.setback_discard, *(id for player in state.players for id in player.setbacks)])
    for id, number in setbacks.items():
        assert number <= SETBACKS[id].copies, state
    boosts = [id for player in state.players for id in player.boosts]
    assert len(set(boosts)) == len(boosts), state


def _round_is_complete(states: Sequence[State]) -> None:
    """Assert that a race ends with as many turns for both, unless somebody has left it."""
    last = states[-1]
    if any(player.out for player in last.players):
        return
    turns = Counter(
        before.turn for before, after in pairwise(states) if (before.turn, before.over) != (after.turn, after.over)
    )
    assert turns[0] == turns[1], last
    assert any(player.home for player in last.players), last


def with_secret(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with another hand at one seat, more or fewer of its cards told."""
    player = state.players[seat]
    if state.tracking == "light" or player.bot:
        return state
    told = rng.randint(0, player.held)
    hand = rng.choice(choices(told, minus(DECK, player.discard)))
    return state.with_player(seat, hand=hand, unseen=player.held - told, deduced=rng.choice((NONE, hand)))


def _table(label: str, players: int, **changes) -> Table:
    return Table(PLAY, label, replace(PLAY.usual(list(NAMES[:players])), **changes), add_up, with_secret)


SILENT = {ruling.id: ruling.options[-1].id for ruling in PLAY.box.rulings}
TABLES = [
    *(Table(PLAY, label, setup, add_up, with_secret) for label, setup in usual_setups(PLAY)),
    _table("2 open", 2, tracking="open"),
    _table("2 known box", 2, tracking="open", facts=BOX, order=(3, 1, 4, 0, 2)),
    _table("2 half known box", 2, tracking="open", facts=HALF_KNOWN),
    _table("2 light known box", 2, tracking="light", facts=BOX, rulings=SILENT),
    _table("1 known box", 1, tracking="open", facts=BOX, order=(4, 3, 2, 1, 0), seed=7),
    _table("1 light flipped by hand", 1, tracking="light", bot_deck="cards", facts=HALF_KNOWN),
]
