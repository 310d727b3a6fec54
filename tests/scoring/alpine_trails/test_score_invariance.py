"""ALPINE TRAILS: a moved, rotated or mirrored map scores the same, also by other algorithms."""

import random

import pytest
from msgspec.structs import replace

from scoring.alpine_trails.map.grid import tiles_by_cell
from scoring.alpine_trails.map.habitats import largest_habitat, tiles_around_waterfalls
from scoring.alpine_trails.map.paths import longest_paths
from scoring.alpine_trails.map.tiles import CAMP_KINDS, DIRECTIONS, OPPOSITE, TERRAINS, PlacedTile, TrailMap
from scoring.alpine_trails.points import GOAL_KINDS, Final, FinalPlayer, Goal, score
from scoring.alpine_trails.rules import RULINGS
from tests.support.alpine_trails_maps import random_map
from tests.support.parametrize import parametrize_cases, run_all_rows

pytestmark = pytest.mark.slow("maps made up, each turned and moved")

SIZES = (0, 1, 2, 5, 8, 12, 20, 28, 32, 45, 64, 90, 110, 130)
GOALS = [Goal(kind, None if kind == "path-length" else terrain) for kind in GOAL_KINDS for terrain in TERRAINS]
GOALS += [Goal("tent-icons", "any"), Goal("waterfall-icons", "any")]


def shifted(tile: PlacedTile) -> PlacedTile:
    return replace(tile, x=tile.x + 17, y=tile.y - 40)


def turned(tile: PlacedTile) -> PlacedTile:
    return _exits(replace(tile, x=-tile.y, y=tile.x), dict(zip("NESW", "ESWN", strict=True)))


def mirrored(tile: PlacedTile) -> PlacedTile:
    return _exits(replace(tile, x=-tile.x), dict(zip("NESW", "NWSE", strict=True)))


def _exits(tile: PlacedTile, becomes: dict[str, str]) -> PlacedTile:
    exits = {becomes[letter] for letter in tile.exits}
    return replace(tile, exits="".join(letter for letter in "NESW" if letter in exits))


def transform_map(tiles: TrailMap, transform, rng: random.Random) -> TrailMap:
    """Return a map with every tile moved, in another order."""
    found = [transform(tile) for tile in tiles]
    rng.shuffle(found)
    return tuple(found)


@parametrize_cases("transformation", [mirrored, shifted, turned])
@run_all_rows("seed", range(2 * len(SIZES)))
def test_score_is_unchanged_by_moving_rotating_and_mirroring(transformation, seed):
    chance = random.Random(seed)
    tiles = random_map(chance, SIZES[seed % len(SIZES)], lakes=seed % 5 != 0)
    rulings = {ruling.id: chance.choice(ruling.options).id for ruling in RULINGS} if seed >= len(SIZES) else {}
    transformed = transform_map(tiles, transformation, chance)
    for goal in GOALS:
        before, after = (
            score(Final((FinalPlayer("Ana", map_tiles, goal=goal),), rulings)) for map_tiles in (tiles, transformed)
        )
        categories = [id for id, _ in before.categories]
        assert [before.columns[0].points_in(id) for id in categories] == [
            after.columns[0].points_in(id) for id in categories
        ]
        assert len(before.columns[0].warnings) == len(after.columns[0].warnings)


# Second implementations of the counting


@run_all_rows("seed", range(len(SIZES)))
def test_habitats_match_a_second_algorithm(seed):
    tiles = random_map(random.Random(seed), SIZES[seed])
    by_cell = {tile.cell: tile for tile in tiles if tile.terrain}
    number = {cell: index for index, cell in enumerate(by_cell)}
    for _ in by_cell:  # Each tile takes the smallest number of its neighbors, until no number changes.
        for (x, y), tile in by_cell.items():
            neighbors = [(x + east, y + south) for east, south in DIRECTIONS.values()]
            number[x, y] = min(
                number[cell]
                for cell in (tile.cell, *neighbors)
                if cell in by_cell and by_cell[cell].terrain == tile.terrain
            )
    for terrain in TERRAINS:
        sums: dict[int, int] = {}
        for cell, tile in by_cell.items():
            if tile.terrain == terrain:
                sums[number[cell]] = sums.get(number[cell], 0) + tile.icons
        habitat = largest_habitat(tiles, terrain)
        assert (habitat.icons if habitat else 0) == max(sums.values(), default=0)


@run_all_rows("seed", range(len(SIZES)))
def test_waterfalls_count_all_eight_tiles_around(seed):
    tiles = random_map(random.Random(seed), SIZES[seed])
    for (x, y), surrounding in tiles_around_waterfalls(tiles).items():
        assert len(surrounding) == sum(max(abs(tile.x - x), abs(tile.y - y)) == 1 for tile in tiles)


@run_all_rows("seed", range(len(SIZES)))
def test_longest_path_matches_walking_from_every_camp_and_fork(seed):
    tiles = random_map(random.Random(seed), SIZES[seed])
    by_cell = tiles_by_cell(tiles)
    starts = [tile for tile in tiles if tile.kind in CAMP_KINDS or tile.is_fork]
    walks = [trail_miles(by_cell, tile, letter) for tile in starts for letter in (tile.exits or "NESW")]
    assert max((path.miles for path in longest_paths(tiles)), default=0) == max(walks, default=0)


def trail_miles(tiles_by_cell: dict, start: PlacedTile, letter: str) -> int:
    """Return the miles of the plain trail in this direction from a camp or fork to a lake."""
    miles, tile = 0, start
    while True:
        east, south = DIRECTIONS[letter]
        tile = tiles_by_cell.get((tile.x + east, tile.y + south))
        if tile is not None and tile.kind == "lake" and (miles or start.kind == "trail"):
            return miles
        if tile is None or tile.kind != "trail" or tile.is_fork or OPPOSITE[letter] not in tile.exits:
            return 0
        miles += tile.miles
        (letter,) = tile.exits.replace(OPPOSITE[letter], "")
