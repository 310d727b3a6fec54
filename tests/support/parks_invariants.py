"""Invariants of PARKS and its score entry: tables, tokens and cards."""

import random
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move, chosen_option
from scoring.parks.box import (
    PHOTOS_IN_BOX,
    SITES,
    TOKENS,
    TOKENS_IN_BOX,
    CustomCards,
    CustomGear,
    CustomPark,
    CustomPassion,
    all_parks,
)
from scoring.parks.final_position import MAX_TOTAL_PHOTOS
from scoring.parks.moves.trail_setup import LayTile, next_site_number
from scoring.parks.rules import BACKPACK_LIMIT, RESERVED_PARKS, SUPPLY
from scoring.parks.score_entry import ScoreEntryState
from scoring.parks.state import END_GEAR, NO_CARD, START_HIKE, PlaceWater, State
from scoring.parks.turn import is_last_on_trail
from tests.support.invariants import TableConfig, default_setups
from tests.support.parks_table import ready_setup
from tests.support.player_names import NAMES

TRACKED_GAME = TRACKED_GAMES["parks"]
SCORE_ENTRY = TRACKED_GAMES["parks-tally"]
WATER_INDEX = TOKENS.index("water")


def assert_pieces_add_up(states: Sequence[State]) -> None:
    """Assert that tokens and cards are those of the box in each state, and seasons only advance."""
    for state in states:
        _assert_state_adds_up(state)
    for before, after in pairwise(states):
        assert after.season - before.season in (0, 1), after
        if (
            chosen_option(before.rulings, RESERVED_PARKS) == "three"
        ):  # A ruling may be adopted although the position violates it.
            for player, earlier in zip(after.players, before.players, strict=True):
                assert len(player.reserve) <= max(3, len(earlier.reserve)), after
        if chosen_option(before.rulings, SUPPLY) == "limited":
            assert all(left >= min(0, earlier) for left, earlier in zip(after.tray, before.tray, strict=True)), after
            assert photo_count(after) <= max(PHOTOS_IN_BOX, photo_count(before)), after
        if after.turn != before.turn and chosen_option(before.rulings, BACKPACK_LIMIT) == "twelve":
            assert sum(after.players[before.turn].tokens) <= 12, after
    assert states[-1].is_over and states[-1].season == 2, states[-1]


def photo_count(state: State) -> int:
    return sum(player.photos for player in state.players)


def token_totals(state: State) -> list[int]:
    """Return the total of each token, wherever the tokens are."""
    counts = list(state.tray)
    for player in state.players:
        counts = [number + held for number, held in zip(counts, player.tokens, strict=True)]
        counts[WATER_INDEX] += sum(player.filled)
    for token in filter(None, state.weather):
        counts[TOKENS.index(token)] += 1
    counts[WATER_INDEX] += sum(task.count for task in state.tasks if isinstance(task, PlaceWater))
    return counts


def _assert_state_adds_up(state: State) -> None:
    assert tuple(token_totals(state)) == TOKENS_IN_BOX, state
    between = state.tasks == START_HIKE and not is_last_on_trail(state)
    for player in state.players:
        assert min(player.tokens) >= 0 and player.photos >= 0, state
        assert player.hikers == tuple(sorted(player.hikers)) and player.hikers[1] <= END_GEAR, state
        assert all(len(row) <= 2 for row in player.canteens), state
        assert all(row or not full for row, full in zip(player.canteens, player.filled, strict=True)), state
        assert player.side is None or player.passion, state

    parks = [park for player in state.players for park in (*player.visited, *player.reserve) if park]
    parks += [park for park in state.parks if park]
    assert len(parks) == len(set(parks)) and set(parks) <= set(all_parks(state.facts)), state
    assert state.park_deck >= 0, state
    assert not between or NO_CARD not in state.parks or state.park_deck == 0, state
    sites = [site for site in state.sites if site]
    assert len(sites) == len(set(sites)) and (None in state.sites or sorted(sites) == sorted(SITES)), state


def unchanged_state(state: State, seat: int, rng: random.Random) -> State:
    """Return the state unchanged: the game has no secrets."""
    return state


def assert_score_entry_adds_up(states: Sequence[ScoreEntryState]) -> None:
    """Assert that no player has named more than the box holds."""
    for state in states:
        parks = [park for player in state.players for park in player.parks]
        assert len(parks) == len(set(parks)), state
        assert sum(player.photos for player in state.players) <= MAX_TOTAL_PHOTOS, state
        passions = [player.passion for player in state.players if player.passion]
        assert len(passions) == len(set(passions)), state


def with_site_number(state: State, move: Move) -> Move:
    """Return a tile move with the number of its site, which older logs do not store."""
    return replace(move, site=next_site_number(state)) if isinstance(move, LayTile) and not move.site else move


def rich_setup(setup):
    """Return a setup with passions, tokens and canteens from the start, and custom cards."""
    facts = CustomCards(
        parks=(CustomPark("Town Park", 2, sun=1, instant="roll"), CustomPark("Back Garden", 1, instant="badge")),
        gear=(CustomGear("Kite", 0, "die", "2 water"), CustomGear("Torch", 1, "photo", "reserve")),
        passions=(CustomPassion("Stargazing", "photos", 2, "two photos", "photos", 2),),
    )
    passions = ("Stargazing", "Botany", "Adventure", "Swimming", "Collecting")
    players = tuple(
        replace(player, passion=passion, tokens=(4, 4, 5, 5, 3), canteen="2 water")
        for player, passion in zip(setup.players, passions, strict=False)
    )
    return replace(setup, players=players, facts=facts, tile="spring-sun", parks=4, gear=2)


def passions_setup(setup):
    """Return a setup with the passions that make parks cheaper."""
    passions = ("Birdwatching", "Forestry", "Kayaking", "Mountaineering", "Rock Climbing")
    players = (
        replace(player, passion=passion, tokens=(3, 3, 3, 3, 2))
        for player, passion in zip(setup.players, passions, strict=False)
    )
    return replace(setup, players=tuple(players))


def many_choices_setup(setup):
    """Return a setup where tokens are soon swapped and free gear triggers several effects."""
    facts = CustomCards(
        gear=tuple(
            CustomGear(f"Torch {number}", 0, "photo", effect)
            for number, effect in enumerate(("roll", "canteen", "reserve") * 13, 1)
        ),
        passions=(
            CustomPassion("Gardening", "photos", 1, "forest to wildlife", "photos", 1),
            CustomPassion("Scrambling", "photos", 1, "mountain to wildlife", "photos", 1),
        ),
    )
    players = (
        replace(player, passion=card.name, tokens=(2, 2, 2, 2, 2), canteen="photo")
        for player, card in zip(setup.players, facts.passions, strict=True)
    )
    return replace(setup, players=tuple(players), facts=facts)


TABLES = [
    *(
        TableConfig(TRACKED_GAME, label, setup, assert_pieces_add_up, unchanged_state, with_site_number)
        for label, setup in default_setups(TRACKED_GAME)
    ),
    TableConfig(
        TRACKED_GAME,
        "3 with everything",
        rich_setup(ready_setup(*NAMES[:3])),
        assert_pieces_add_up,
        unchanged_state,
        with_site_number,
    ),
    TableConfig(
        TRACKED_GAME,
        "5 with passions",
        passions_setup(ready_setup(*NAMES)),
        assert_pieces_add_up,
        unchanged_state,
        with_site_number,
    ),
    *(
        TableConfig(
            TRACKED_GAME,
            f"2 with much to choose{label}",
            many_choices_setup(ready_setup(*NAMES[:2])),
            assert_pieces_add_up,
            unchanged_state,
            with_site_number,
        )
        for label in ("", ", again", ", by train", ", on foot")
    ),
    *(
        TableConfig(SCORE_ENTRY, label, setup, assert_score_entry_adds_up, unchanged_state)
        for label, setup in default_setups(SCORE_ENTRY)
    ),
]
