"""Invariants of ON THE TRAIL: tables, piece counts, secrets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.on_the_trail.box import DECK, DECK_SIZE, SETBACKS
from scoring.on_the_trail.cards import NO_CARDS, add_cards, card_combinations, is_subset, subtract_cards
from scoring.on_the_trail.state import Player, State
from tests.support.invariants import TableConfig, default_setups
from tests.support.on_the_trail_table import CARD_FACTS, PARTIAL_CARD_FACTS
from tests.support.player_names import NAMES

TRACKED_GAME = TRACKED_GAMES["on-the-trail"]


def assert_pieces_add_up(states: Sequence[State]) -> None:
    """Assert that all decks and piles are those of the box, in each state and between states."""
    for state in states:
        for player in state.players:
            assert_deck_adds_up(state, player)
        assert_piles_add_up(state)
    for before, after in pairwise(states):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.legs_run >= old.legs_run and new.finished >= old.finished and new.out >= old.out, after
    _assert_round_is_complete(states)


def assert_deck_adds_up(state: State, player: Player) -> None:
    assert min(*player.hand, *player.discard, player.unknown_hand, player.unknown_discards, player.deck) >= 0, state
    assert is_subset(add_cards(player.hand, player.discard), DECK), state
    assert player.held + player.deck + sum(player.discard) + player.unknown_discards == DECK_SIZE, state
    assert state.tracking == "light" or player.unknown_discards == 0, state
    assert state.tracking == "open" or player.hand == NO_CARDS, state
    assert not player.bot or (player.held == 0 and not player.setbacks and not player.boosts), state
    assert not (player.finished and player.out), state
    leg_count = len(state.legs)
    assert player.legs_run <= leg_count and player.finished == (
        state.is_route_complete and player.legs_run == leg_count and player.legs_run > 0
    ), state


def assert_piles_add_up(state: State) -> None:
    setbacks = Counter([*state.setback_discard, *(id for player in state.players for id in player.setbacks)])
    for id, number in setbacks.items():
        assert number <= SETBACKS[id].copies, state
    boosts = [id for player in state.players for id in player.boosts]
    assert len(set(boosts)) == len(boosts), state


def _assert_round_is_complete(states: Sequence[State]) -> None:
    """Assert that both had the same number of turns at the end, unless a player has left."""
    last = states[-1]
    if any(player.out for player in last.players):
        return
    turns = Counter(
        before.turn
        for before, after in pairwise(states)
        if (before.turn, before.is_over) != (after.turn, after.is_over)
    )
    assert turns[0] == turns[1], last
    assert any(player.finished for player in last.players), last


def with_other_secret(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with another hand at one seat, with more or fewer of its cards known."""
    player = state.players[seat]
    if state.tracking == "light" or player.bot:
        return state
    count = rng.randint(0, player.held)
    hand = rng.choice(card_combinations(count, subtract_cards(DECK, player.discard)))
    return state.with_player(seat, hand=hand, unknown_hand=player.held - count, deduced=rng.choice((NO_CARDS, hand)))


def _table_config(label: str, players: int, **changes) -> TableConfig:
    return TableConfig(
        TRACKED_GAME,
        label,
        replace(TRACKED_GAME.setup_format.default(list(NAMES[:players])), **changes),
        assert_pieces_add_up,
        with_other_secret,
    )


LAST_OPTIONS = {ruling.id: ruling.options[-1].id for ruling in TRACKED_GAME.box.rulings}
TABLES = [
    *(
        TableConfig(TRACKED_GAME, label, setup, assert_pieces_add_up, with_other_secret)
        for label, setup in default_setups(TRACKED_GAME)
    ),
    _table_config("2 open", 2, tracking="open"),
    _table_config("2 known box", 2, tracking="open", facts=CARD_FACTS, order=(3, 1, 4, 0, 2)),
    _table_config("2 half known box", 2, tracking="open", facts=PARTIAL_CARD_FACTS),
    _table_config("2 light known box", 2, tracking="light", facts=CARD_FACTS, rulings=LAST_OPTIONS),
    _table_config("1 known box", 1, tracking="open", facts=CARD_FACTS, order=(4, 3, 2, 1, 0), seed=7),
    _table_config("1 light flipped by hand", 1, tracking="light", bot_deck="cards", facts=PARTIAL_CARD_FACTS),
]
