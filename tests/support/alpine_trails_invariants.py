"""ALPINE TRAILS and its tally at random: the tables, the counts of the box, the secrets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from scoring.alpine_trails.box import ANIMALS_OF_EACH, LAKE_BACKS, TENTS, TRAIL_TILES, WATERFALL_TILES
from scoring.alpine_trails.map.fitting import loose
from scoring.alpine_trails.map.grid import cells, open_ends
from scoring.alpine_trails.map.tiles import ANIMALS, TrailMap
from scoring.alpine_trails.map.trails import joined
from scoring.alpine_trails.moves.reveals import GOALS
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.score_entry import Tally
from scoring.alpine_trails.state import DRAWN, AnimalCard, State
from scoring.games import PLAYS
from tests.support.invariants import NAMES, Table, usual_setups

PLAY = PLAYS["alpine-trails"]
TALLY = PLAYS["alpine-trails-tally"]


def add_up(states: Sequence[State]) -> None:
    """Assert that all maps are legal and the tiles, tents and animals are those of the box, in each state of a game."""
    for state in states:
        _box_adds_up([player.tiles for player in state.players], [player.held for player in state.players])
        for player in state.players:
            _player_adds_up(state, player)
    for before, after in pairwise(states):
        assert after.round - before.round in (0, 1), after
        assert not (before.ended and not after.ended), after
    assert states[0].bag == states[0].tiles - DRAWN * len(states[0].players)
    assert states[-1].bag == 0


def _box_adds_up(maps: list[TrailMap], held: list[tuple[str, ...]]) -> None:
    out = Counter(tile.kind for tiles in maps for tile in tiles)
    assert out["trail"] + out["terrain"] <= TRAIL_TILES
    assert out["campsite"] <= TENTS
    assert out["waterfall"] <= WATERFALL_TILES
    assert out["campsite"] + out["waterfall"] + out["lake"] <= LAKE_BACKS
    animals = Counter(tile.animal for tiles in maps for tile in tiles if tile.animal)
    animals.update(animal for kept in held for animal in kept)
    assert all(animals[animal] <= ANIMALS_OF_EACH for animal in ANIMALS), animals


def _player_adds_up(state: State, player) -> None:
    tiles = player.tiles
    assert len(cells(tiles)) == len(tiles), "two tiles in one cell"
    if not tiles:
        return
    assert Counter(tile.kind for tile in tiles)["base"] == 2
    played = sum(tile.kind in ("trail", "terrain", "campsite") for tile in tiles)
    assert played <= DRAWN * (state.round - 1) + player.used
    assert {tile.cell for tile in tiles if tile.kind == "trail"} <= joined(tiles), "a trail is not joined to base camp"
    assert not [text for _, text in loose(tiles) if "has no lake" not in text], loose(tiles)
    assert not (state.ended and open_ends(tiles)) or _lakes(state) == LAKE_BACKS, "an open end without a lake"
    for tile in tiles:
        assert not tile.animal or (tile.kind == "terrain" and state.facts.animal(tile.terrain) == tile.animal), tile
    if not state.solo:
        kinds = Counter([*player.held, *(tile.animal for tile in tiles if tile.animal)])
        assert max(kinds.values(), default=0) <= 1, kinds


def _lakes(state: State) -> int:
    return sum(tile.kind in ("campsite", "waterfall", "lake") for player in state.players for tile in player.tiles)


def with_secret(state: State, seat: int, rng: random.Random) -> State:
    """Return the state with another goal, or none, noted at a seat."""
    return state.with_player(seat, goal=rng.choice([None, *(Goal(kind, terrain) for kind, terrain in GOALS)]))


def tally_adds_up(states: Sequence[Tally]) -> None:
    """Assert that nobody has entered what the box does not hold."""
    for state in states:
        _box_adds_up([player.tiles for player in state.players], [])
        for player in state.players:
            assert not (player.tiles and player.counts), player


def no_secret(state: Tally, seat: int, rng: random.Random) -> Tally:
    """Return the state as it is: whoever counts does so in the open."""
    return state


KNOWN_CARD = AnimalCard(forest="bear", rock="goat", meadow="wolf", wetland="moose")
SHORT = replace(PLAY.usual(list(NAMES[:2])), tiles=12, facts=KNOWN_CARD)
TABLES = [
    *(Table(PLAY, label, setup, add_up, with_secret) for label, setup in usual_setups(PLAY)),
    Table(PLAY, "2 short, card known", SHORT, add_up, with_secret),
    *(Table(TALLY, label, setup, tally_adds_up, no_secret) for label, setup in usual_setups(TALLY)),
]
