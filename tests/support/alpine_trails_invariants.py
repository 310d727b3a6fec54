"""Invariants of ALPINE TRAILS and its score entry: tables, piece counts, secrets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from scoring.alpine_trails.box import ANIMALS_OF_EACH, LAKE_BACKS, TENTS, TRAIL_TILES, WATERFALL_TILES
from scoring.alpine_trails.entry_state import EntryState
from scoring.alpine_trails.map.finished import final_warnings
from scoring.alpine_trails.map.grid import open_ends, tiles_by_cell
from scoring.alpine_trails.map.tiles import ANIMALS, TrailMap
from scoring.alpine_trails.map.trails import cells_joined_to_camp
from scoring.alpine_trails.moves.reveals import POSSIBLE_GOALS
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import TILES_PER_ROUND, AnimalCard, State
from scoring.games import TRACKED_GAMES
from tests.support.invariants import TableConfig, default_setups
from tests.support.player_names import NAMES

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
SCORE_ENTRY = TRACKED_GAMES["alpine-trails-tally"]


def assert_pieces_add_up(states: Sequence[State]) -> None:
    """Assert for each state that all maps are legal and all pieces are those of the box."""
    for state in states:
        _assert_box_adds_up(
            [player.tiles for player in state.players], [player.kept_animals for player in state.players]
        )
        for player in state.players:
            _assert_player_adds_up(state, player)
    for before, after in pairwise(states):
        assert after.round - before.round in (0, 1), after
        assert not (before.is_play_over and not after.is_play_over), after
    assert states[0].tiles_in_bag == states[0].bag_size - TILES_PER_ROUND * len(states[0].players)
    assert states[-1].tiles_in_bag == 0


def _assert_box_adds_up(maps: list[TrailMap], held: list[tuple[str, ...]]) -> None:
    counts = Counter(tile.kind for tiles in maps for tile in tiles)
    assert counts["trail"] + counts["terrain"] <= TRAIL_TILES
    assert counts["campsite"] <= TENTS
    assert counts["waterfall"] <= WATERFALL_TILES
    assert counts["campsite"] + counts["waterfall"] + counts["lake"] <= LAKE_BACKS
    animals = Counter(tile.animal for tiles in maps for tile in tiles if tile.animal)
    animals.update(animal for kept in held for animal in kept)
    assert all(animals[animal] <= ANIMALS_OF_EACH for animal in ANIMALS), animals


def _assert_player_adds_up(state: State, player) -> None:
    tiles = player.tiles
    assert len(tiles_by_cell(tiles)) == len(tiles), "two tiles in one cell"
    if not tiles:
        return
    assert Counter(tile.kind for tile in tiles)["base"] == 2
    played = sum(tile.kind in ("trail", "terrain", "campsite") for tile in tiles)
    assert played <= TILES_PER_ROUND * (state.round - 1) + player.tiles_used
    assert {tile.cell for tile in tiles if tile.kind == "trail"} <= cells_joined_to_camp(tiles), (
        "a trail is not joined to base camp"
    )
    assert not [text for _, text in final_warnings(tiles) if "no lake at" not in text], final_warnings(tiles)
    assert not (state.is_play_over and open_ends(tiles)) or _lake_count(state) == LAKE_BACKS, (
        "an open end without a lake"
    )
    for tile in tiles:
        assert not tile.animal or (tile.kind == "terrain" and state.facts.animal(tile.terrain) == tile.animal), tile
    if not state.solo:
        kinds = Counter([*player.kept_animals, *(tile.animal for tile in tiles if tile.animal)])
        assert max(kinds.values(), default=0) <= 1, kinds


def _lake_count(state: State) -> int:
    return sum(tile.kind in ("campsite", "waterfall", "lake") for player in state.players for tile in player.tiles)


def with_other_secret(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with another goal, or none, noted at a seat."""
    return state.with_player(seat, goal=rng.choice([None, *(Goal(kind, terrain) for kind, terrain in POSSIBLE_GOALS)]))


def assert_score_entry_adds_up(states: Sequence[EntryState]) -> None:
    """Assert that no player has entered more than the box holds."""
    for state in states:
        _assert_box_adds_up([player.tiles for player in state.players], [])
        for player in state.players:
            assert not (player.tiles and player.counts), player


def unchanged_state(state: EntryState, seat: int, rng: random.Random) -> EntryState:
    """Return the state unchanged: score entry has no secrets."""
    return state


KNOWN_CARD = AnimalCard(forest="bear", rock="goat", meadow="wolf", wetland="moose")
SHORT_SETUP = replace(TRACKED_GAME.setup_format.default(list(NAMES[:2])), tiles=12, facts=KNOWN_CARD)
TABLES = [
    *(
        TableConfig(TRACKED_GAME, label, setup, assert_pieces_add_up, with_other_secret)
        for label, setup in default_setups(TRACKED_GAME)
    ),
    TableConfig(TRACKED_GAME, "2 short, card known", SHORT_SETUP, assert_pieces_add_up, with_other_secret),
    *(
        TableConfig(SCORE_ENTRY, label, setup, assert_score_entry_adds_up, unchanged_state)
        for label, setup in default_setups(SCORE_ENTRY)
    ),
]
