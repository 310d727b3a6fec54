"""Invariants of TRAILS and its score entry: tables, piece counts, secrets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import chosen_option
from scoring.trails.box import BADGES, PHOTOS_IN_BOX, RESOURCES_OF_EACH
from scoring.trails.rules import CUBE_SUPPLY
from scoring.trails.score_entry import ScoreEntryState
from scoring.trails.state import NO_CARD, START_HIKE, Photo, State, SunTrack
from tests.support.invariants import TableConfig, default_setups
from tests.support.player_names import NAMES

TRACKED_GAME = TRACKED_GAMES["trails"]
SCORE_ENTRY = TRACKED_GAMES["trails-tally"]
BADGE_CARD_COUNT = sum(badge.copies for badge in BADGES.values())


def assert_pieces_add_up(states: Sequence[State]) -> None:
    """Assert that cubes, photos and badges are those of the box, in and between states."""
    for state in takewhile(lambda state: chosen_option(state.rulings, CUBE_SUPPLY) == "limited", states):
        for kind in range(3):
            assert state.held(kind) <= RESOURCES_OF_EACH, state
            assert state.held(kind) + state.supply(kind) == RESOURCES_OF_EACH, state
    for state in states:
        _assert_state_adds_up(state)
    for before, after in pairwise(states):
        assert after.sun - before.sun in (0, 1), after
        assert not (before.is_over and not after.is_over), after


def _assert_state_adds_up(state: State) -> None:
    held = sum(len(player.photos) for player in state.players)
    assert state.photo_deck + state.photo_discard + held == PHOTOS_IN_BOX, state
    assert state.photo_up is None or state.photo_discard > 0, state
    assert state.photo_deck > 0 or state.photo_discard == 0, state
    for seat, player in enumerate(state.players):
        assert min(player.cubes) >= 0, state
        assert sum(player.cubes) <= 8 or (seat == state.turn and not state.is_over), state
        assert (player.space, player.facing) not in ((0, -1), (6, 1)), state

    public = [badge for player in state.players for badge in player.badges]
    public += [badge for badge in (*state.trailhead, *state.trail_end) if badge]
    counts = Counter(public)
    for badge, number in counts.items():
        assert number <= BADGES[badge].copies, state
    for player in state.players:  # Each by that player's knowledge, as two private notes may contradict each other.
        assert not player.hand or counts[player.hand] < BADGES[player.hand].copies, state

    unnamed = (*state.trailhead, *state.trail_end).count(None)
    hand_count = sum(player.hand != NO_CARD for player in state.players)
    assert len(public) + unnamed + hand_count + state.badge_deck == BADGE_CARD_COUNT, state
    assert state.badge_deck >= 0, state
    gaps = hand_count < len(state.players) or NO_CARD in (*state.trailhead, *state.trail_end)
    assert not gaps or state.badge_deck == 0 or state.tasks != START_HIKE or state.is_over, state


def with_other_secret(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with another badge in a hand that holds one, and with other photos."""
    player = state.players[seat]
    possible = [id for id, badge in BADGES.items() if state.visible_copies(id) < badge.copies]
    hand = player.hand if player.hand == NO_CARD else rng.choice([None, *possible])
    faces = [None, *(Photo(points, birds) for points in range(3) for birds in range(3))]
    return state.with_player(seat, hand=hand, photos=tuple(rng.choice(faces) for _ in player.photos))


def assert_score_entry_adds_up(states: Sequence[ScoreEntryState]) -> None:
    """Assert that no player has named more than the box holds."""
    for state in states:
        for badge, number in Counter(badge for player in state.players for badge in player.badges).items():
            assert number <= BADGES[badge].copies, state
        assert sum(len(player.photos) for player in state.players) <= PHOTOS_IN_BOX, state


def unchanged_state(state: ScoreEntryState, seat: int, rng: random.Random) -> ScoreEntryState:
    """Return the state unchanged: score entry has no secrets."""
    return state


MIXED_TRAIL_SETUP = replace(
    TRACKED_GAME.setup_format.default(list(NAMES[:3])),
    sites=("photo", "rock", "exchange", "acorn", "leaf"),
    track=SunTrack(trail_end=("2 leaf", "wildlife"), trailhead=("photo", "1 acorn")),
)
TABLES = [
    *(
        TableConfig(TRACKED_GAME, label, setup, assert_pieces_add_up, with_other_secret)
        for label, setup in default_setups(TRACKED_GAME)
    ),
    TableConfig(TRACKED_GAME, "3 mixed trail", MIXED_TRAIL_SETUP, assert_pieces_add_up, with_other_secret),
    *(
        TableConfig(SCORE_ENTRY, label, setup, assert_score_entry_adds_up, unchanged_state)
        for label, setup in default_setups(SCORE_ENTRY)
    ),
]
