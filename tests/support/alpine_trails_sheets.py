"""Score sheets of ALPINE TRAILS with maps of any shape."""

import functools
import itertools
import random
from collections.abc import Sequence

from companion.rendering.print_pages import PrintPage, SheetLayout
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap
from scoring.alpine_trails.points import Final, FinalPlayer
from scoring.games import GAMES
from tests.support.alpine_trails_maps import random_map

NAMES = ("Ana", "Bo", "Cyprian", "Dimitra", "Ed")
TILES_BY_PLAYER_COUNT = {1: 35, 2: 35, 3: 35, 4: 30, 5: 25}
TERRAINS = ("forest", "rock", "meadow", "wetland")


def sheet_of_maps(
    maps: Sequence[TrailMap], names: Sequence[str] = NAMES, layout: SheetLayout | None = None
) -> PrintPage:
    """Return the sheet of a finished game with a map for each player."""
    box = GAMES["alpine-trails"].box
    players = tuple(FinalPlayer(name, tiles) for name, tiles in zip(names, maps, strict=False))
    final = Final(players, solo=len(players) == 1)
    return PrintPage(
        box, box.key, box.score(final), True, "2026-01-02", "BCDFG", None, final, layout=layout or SheetLayout()
    )


def block_map(width: int, height: int, tile_count: int) -> TrailMap:
    """Return a map of a given size: trails along two sides to lakes, terrain tiles inside."""
    edge = [(x, 0) for x in range(width)] + [(0, y) for y in range(1, height)]
    inside = ((x, y) for y in range(1, height) for x in range(1, width))
    cells = [*edge, *itertools.islice(inside, max(0, tile_count - len(edge)))]
    base = ((0, 0), (1, 0)) if width > 1 else ((0, 0), (0, 1))
    lakes = {(width - 1, 0), (0, height - 1)} - {*base}
    return tuple(
        PlacedTile(*cell, "lake") if cell in lakes else _block_tile(cell, cell in base, number)
        for number, cell in enumerate(cells)
    )


def _block_tile(cell: tuple[int, int], is_base: bool, number: int) -> PlacedTile:
    (x, y), terrain = cell, TERRAINS[number // 3 % 4]
    if is_base:
        return PlacedTile(x, y, "base", terrain, icons=1)
    if x and y:
        return PlacedTile(x, y, "terrain", terrain, icons=2)
    return PlacedTile(x, y, "trail", terrain, "NS" if x == 0 else "EW", 1 + number % 3, 1)


@functools.cache
def random_maps(player_count: int, seed: object) -> tuple[TrailMap, ...]:
    """Return the maps of a whole game, at random."""
    rng = random.Random(f"{seed} {player_count}")
    return tuple(random_map(rng, TILES_BY_PLAYER_COUNT[player_count] - 2) for _ in range(player_count))
