"""A player's map as a grid of cells; x grows to the east and y to the south.

Results about recent maps are cached, so repeated calls are cheap.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.alpine_trails.map.tiles import CAMP_KINDS, DIRECTIONS, OPPOSITE, Cell, PlacedTile, TrailMap, tile_name
from scoring.kernel.english import with_article


@lru_cache(maxsize=256)
def tiles_by_cell(tiles: TrailMap) -> Mapping[Cell, PlacedTile]:
    """Return the tiles of a map by cell."""
    return MappingProxyType({tile.cell: tile for tile in tiles})


def neighbors(cell: Cell) -> Iterator[tuple[str, Cell]]:
    """Yield the four cells side by side with a cell, each with the letter of its direction."""
    x, y = cell
    for letter, (east, south) in DIRECTIONS.items():
        yield letter, (x + east, y + south)


class Sides(NamedTuple):
    """The sides of a cell that have a neighbor, as letters; other sides are free or have a lake."""

    ends: str  # a trail leads into the cell
    camps: str  # a camp, next to which trails and anything else may be placed
    walls: str  # tiles that a trail cannot run into


@lru_cache(maxsize=256)
def edge_cells(tiles: TrailMap) -> Mapping[Cell, Sides]:
    """Return the empty cells side by side with a tile, each with its occupied sides."""
    by_cell = {tile.cell: tile for tile in tiles}
    empty = dict.fromkeys(cell for tile in tiles for _, cell in neighbors(tile.cell) if cell not in by_cell)
    return MappingProxyType({cell: _sides(by_cell, cell) for cell in empty})


def _sides(by_cell: Mapping[Cell, PlacedTile], cell: Cell) -> Sides:
    ends = camps = walls = ""
    for letter, neighbor in neighbors(cell):
        tile = by_cell.get(neighbor)
        if tile is None or tile.kind == "lake":
            continue
        if tile.kind in CAMP_KINDS:
            camps += letter
        elif OPPOSITE[letter] in tile.exits:
            ends += letter
        else:
            walls += letter
    return Sides(ends, camps, walls)


def open_ends(tiles: TrailMap) -> tuple[Cell, ...]:
    """Return the empty cells that a trail leads into, where lakes are placed at the end."""
    return tuple(cell for cell, sides in edge_cells(tiles).items() if sides.ends)


@lru_cache(maxsize=256)
def with_lakes(tiles: TrailMap) -> TrailMap:
    """Return the map with a lake at the end of every open trail."""
    return (*tiles, *(PlacedTile(x, y, "lake") for x, y in open_ends(tiles)))


def describe_cell(tiles: TrailMap, cell: Cell) -> str:
    """Return the location of a cell as text: "2 east, 1 north of base camp"."""
    base = min(tile.cell for tile in tiles if tile.kind == "base")
    east, south = cell[0] - base[0], cell[1] - base[1]
    steps = [f"{abs(east)} {'east' if east > 0 else 'west'}"] if east else []
    steps += [f"{abs(south)} {'south' if south > 0 else 'north'}"] if south else []
    return f"{', '.join(steps)} of base camp" if steps else "at base camp"


def location_text(tiles: TrailMap, cell: Cell) -> str:
    """Return the location of a cell, to follow the name of a tile; empty without a map."""
    return f", {describe_cell(tiles, cell)}" if tiles else ""


def describe_tile(tiles: TrailMap, placed: PlacedTile) -> str:
    """Return a tile as text, with its animal or without the animal of the tile it replaces."""
    old = tiles_by_cell(tiles).get(placed.cell)
    name = with_article(tile_name(placed))
    if placed.animal:
        return f"{name} with the {placed.animal}"
    return f"{name} without the {old.animal}" if old and old.animal else name


def with_tile(tiles: TrailMap, placed: PlacedTile) -> TrailMap:
    """Return a map with a tile added, or replaced if its cell is occupied."""
    if placed.cell not in tiles_by_cell(tiles):
        return (*tiles, placed)
    return tuple(placed if tile.cell == placed.cell else tile for tile in tiles)


def without_tile(tiles: TrailMap, cell: Cell) -> TrailMap:
    """Return a map without the tile in a cell."""
    return tuple(tile for tile in tiles if tile.cell != cell)


def is_connected(tiles: TrailMap) -> bool:
    """Return whether all tiles are connected side by side."""
    return len(cells_side_by_side(tiles, [tile.cell for tile in tiles[:1]])) == len(tiles_by_cell(tiles))


def cells_side_by_side(tiles: TrailMap, start: Iterable[Cell]) -> set[Cell]:
    """Return the cells of a map that tiles side by side connect to some of them."""
    by_cell = tiles_by_cell(tiles)
    return reachable_cells(start, lambda cell: [other for _, other in neighbors(cell) if other in by_cell])


def reachable_cells(start: Iterable[Cell], next_cells: Callable[[Cell], Iterable[Cell]]) -> set[Cell]:
    """Return the cells that lead from some cells, step by step, with the first ones."""
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for cell in next_cells(waiting.pop()):
            if cell not in seen:
                seen.add(cell)
                waiting.append(cell)
    return seen
