"""ALPINE TRAILS: a map scores the same wherever it lies, turned or mirrored; and what it scores is counted a second way."""

import random

import pytest
from msgspec.structs import replace

from scoring.alpine_trails.map.grid import cells
from scoring.alpine_trails.map.habitats import largest, waterfalls
from scoring.alpine_trails.map.paths import longest
from scoring.alpine_trails.map.tiles import BACK, CAMPS, STEPS, TERRAINS, Placed, TrailMap
from scoring.alpine_trails.points import GOAL_KINDS, Final, FinalPlayer, Goal, score
from scoring.alpine_trails.rules import RULINGS
from tests.support.alpine_trails_maps import grown
from tests.support.cases import cases, every_row

pytestmark = pytest.mark.slow("maps made up, each turned and moved")

SIZES = (0, 1, 2, 5, 8, 12, 20, 28, 32, 45, 64, 90, 110, 130)
GOALS = [Goal(kind, None if kind == "path-length" else terrain) for kind in GOAL_KINDS for terrain in TERRAINS]
GOALS += [Goal("tent-icons", "any"), Goal("waterfall-icons", "any")]


def shifted(tile: Placed) -> Placed:
    return replace(tile, x=tile.x + 17, y=tile.y - 40)


def turned(tile: Placed) -> Placed:
    return _exits(replace(tile, x=-tile.y, y=tile.x), dict(zip("NESW", "ESWN", strict=True)))


def mirrored(tile: Placed) -> Placed:
    return _exits(replace(tile, x=-tile.x), dict(zip("NESW", "NWSE", strict=True)))


def _exits(tile: Placed, becomes: dict[str, str]) -> Placed:
    exits = {becomes[letter] for letter in tile.exits}
    return replace(tile, exits="".join(letter for letter in "NESW" if letter in exits))


def moved(tiles: TrailMap, how, chance: random.Random) -> TrailMap:
    """Return a map with every tile moved, told in another order."""
    found = [how(tile) for tile in tiles]
    chance.shuffle(found)
    return tuple(found)


@cases("how", [mirrored, shifted, turned])
@every_row("seed", range(2 * len(SIZES)))
def test_a_score_is_unchanged_when_the_map_is(how, seed):
    chance = random.Random(seed)
    tiles = grown(chance, SIZES[seed % len(SIZES)], lakes=seed % 5 != 0)
    rulings = {ruling.id: chance.choice(ruling.options).id for ruling in RULINGS} if seed >= len(SIZES) else {}
    other = moved(tiles, how, chance)
    for goal in GOALS:
        before, after = (score(Final((FinalPlayer("Ana", each, goal=goal),), rulings)) for each in (tiles, other))
        categories = [id for id, _ in before.categories]
        assert [before.columns[0].of(id) for id in categories] == [after.columns[0].of(id) for id in categories]
        assert len(before.columns[0].warnings) == len(after.columns[0].warnings)


# Counted a second way


@every_row("seed", range(len(SIZES)))
def test_habitats_are_those_that_spreading_numbers_find(seed):
    tiles = grown(random.Random(seed), SIZES[seed])
    at = {tile.cell: tile for tile in tiles if tile.terrain}
    number = {cell: index for index, cell in enumerate(at)}
    for _ in at:  # each tile takes the smallest number of its neighbours, until no number changes
        for (x, y), tile in at.items():
            near = [(x + east, y + south) for east, south in STEPS.values()]
            number[x, y] = min(
                number[cell] for cell in (tile.cell, *near) if cell in at and at[cell].terrain == tile.terrain
            )
    for terrain in TERRAINS:
        sums: dict[int, int] = {}
        for cell, tile in at.items():
            if tile.terrain == terrain:
                sums[number[cell]] = sums.get(number[cell], 0) + tile.icons
        habitat = largest(tiles, terrain)
        assert (habitat.icons if habitat else 0) == max(sums.values(), default=0)


@every_row("seed", range(len(SIZES)))
def test_waterfalls_count_every_tile_a_step_or_a_corner_away(seed):
    tiles = grown(random.Random(seed), SIZES[seed])
    for (x, y), near in waterfalls(tiles).items():
        assert len(near) == sum(max(abs(tile.x - x), abs(tile.y - y)) == 1 for tile in tiles)


@every_row("seed", range(len(SIZES)))
def test_the_longest_path_is_the_one_found_by_walking_out_of_every_camp_and_fork(seed):
    tiles = grown(random.Random(seed), SIZES[seed])
    at = cells(tiles)
    starts = [tile for tile in tiles if tile.kind in CAMPS or tile.fork]
    walks = [walk(at, tile, letter) for tile in starts for letter in (tile.exits or "NESW")]
    assert max((path.miles for path in longest(tiles)), default=0) == max(walks, default=0)


def walk(at: dict, start: Placed, letter: str) -> int:
    """Return the miles of the plain trail that leaves a camp or fork this way, if it ends in a lake."""
    miles, tile = 0, start
    while True:
        east, south = STEPS[letter]
        tile = at.get((tile.x + east, tile.y + south))
        if tile is not None and tile.kind == "lake" and (miles or start.kind == "trail"):
            return miles
        if tile is None or tile.kind != "trail" or tile.fork or BACK[letter] not in tile.exits:
            return 0
        miles += tile.miles
        (letter,) = tile.exits.replace(BACK[letter], "")
