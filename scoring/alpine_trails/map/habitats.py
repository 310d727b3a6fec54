"""Habitats of a map, and the tiles in the eight cells around waterfalls and tents."""

from functools import lru_cache

from msgspec import Struct

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import neighbors, tiles_by_cell
from scoring.alpine_trails.map.tiles import Cell, PlacedTile, TrailMap
from scoring.kernel.move import chosen_option

SURROUNDING_OFFSETS: tuple[Cell, ...] = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


class Habitat(Struct, frozen=True):
    """Tiles of one terrain that are side by side, with the sum of their icons."""

    terrain: str | None
    icons: int
    cells: tuple[Cell, ...]


@lru_cache(maxsize=256)
def habitats(tiles: TrailMap, includes_trails: bool = True) -> tuple[Habitat, ...]:
    """Return all habitats of a map.

    :param includes_trails: whether trail sides belong to habitats.
    """
    kinds = ("base", "terrain", "trail") if includes_trails else ("base", "terrain")
    left = {tile.cell: tile for tile in tiles if tile.terrain and tile.kind in kinds}
    found = []
    while left:
        first = next(iter(left))
        group, waiting = [left.pop(first)], [first]
        while waiting:
            for _, neighbor in neighbors(waiting.pop()):
                if neighbor in left and left[neighbor].terrain == group[0].terrain:
                    group.append(left.pop(neighbor))
                    waiting.append(neighbor)
        found.append(Habitat(group[0].terrain, sum(tile.icons for tile in group), tuple(tile.cell for tile in group)))
    return tuple(found)


def largest_habitat(tiles: TrailMap, terrain: str | None, rulings: dict[str, str] | None = None) -> Habitat | None:
    """Return the largest habitat of a terrain, or None."""
    rulings = rulings or {}
    by_tiles = chosen_option(rulings, r.LARGEST_HABITAT) == "tiles"
    found = [
        habitat
        for habitat in habitats(tiles, chosen_option(rulings, r.TRAIL_HABITATS) == "yes")
        if habitat.terrain == terrain
    ]
    return max(found, key=lambda habitat: (len(habitat.cells) if by_tiles else 0, habitat.icons), default=None)


def surrounding_tiles(tiles: TrailMap, cell: Cell) -> tuple[PlacedTile, ...]:
    """Return the tiles in the eight cells around a cell."""
    by_cell = tiles_by_cell(tiles)
    cells = ((cell[0] + east, cell[1] + south) for east, south in SURROUNDING_OFFSETS)
    return tuple(by_cell[surrounding_cell] for surrounding_cell in cells if surrounding_cell in by_cell)


def tiles_around_waterfalls(tiles: TrailMap) -> dict[Cell, tuple[PlacedTile, ...]]:
    """Return the waterfalls of a map by cell, each with the tiles around it, worth a point each."""
    return {tile.cell: surrounding_tiles(tiles, tile.cell) for tile in tiles if tile.kind == "waterfall"}


def tiles_around_kind(tiles: TrailMap, kind: str) -> tuple[PlacedTile, ...]:
    """Return the tiles around any tile of a kind, corners included, each tile once."""
    return tuple(
        dict.fromkeys(
            neighbor for tile in tiles if tile.kind == kind for neighbor in surrounding_tiles(tiles, tile.cell)
        )
    )
