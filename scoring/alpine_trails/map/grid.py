"""A player's map as a grid of cells; x grows to the east and y to the south.

Results about recent maps are cached, so repeated calls are cheap.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.alpine_trails.map.tiles import (
    CAMP_KINDS,
    DIRECTIONS,
    OPPOSITE,
    Cell,
    PlacedTile,
    TrailMap,
    tile_differences,
)
from scoring.kernel.english import pluralize


@lru_cache(maxsize=256)
def tiles_by_cell(tiles: TrailMap) -> Mapping[Cell, PlacedTile]:
    """Return the tiles of a map by cell."""
    return MappingProxyType({tile.cell: tile for tile in tiles})


def neighbors(cell: Cell) -> Iterator[tuple[str, Cell]]:
    """Yield the four cells side by side with a cell, each with the letter of its direction."""
    x, y = cell
    for letter, (east, south) in DIRECTIONS.items():
        yield letter, (x + east, y + south)


def move_by(cell: Cell, letter: str, steps: int) -> Cell:
    """Return the cell some steps away in the direction of a letter."""
    east, south = DIRECTIONS[letter]
    return cell[0] + steps * east, cell[1] + steps * south


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


@lru_cache(maxsize=256)
def base_camp_cells(tiles: TrailMap) -> tuple[Cell, ...]:
    """Return the cells of base camp, the western or northern one first."""
    return tuple(sorted(tile.cell for tile in tiles if tile.kind == "base"))


def location_text(base: tuple[Cell, ...], cell: Cell) -> str:
    """Return where a cell is, seen from the nearest square of base camp.

    Examples are "just northeast of base camp", "3 squares east and 1 north of base camp" and "just south of base
    camp's west square". No two cells have the same text.

    :param base: the cells of base camp; see `base_camp_cells`.
    """
    (west, north), (last_x, last_y) = base[0], base[-1]
    east, south = _distances(base, cell)
    # A row or column of one square only: the other square has another cell at this distance.
    target = "base camp"
    if last_x > west and not east:
        target = f"base camp\u2019s {'west' if cell[0] == west else 'east'} square"
    elif last_y > north and not south:
        target = f"base camp\u2019s {'north' if cell[1] == north else 'south'} square"
    x_name, y_name = "east" if east > 0 else "west", "south" if south > 0 else "north"
    if not east and not south:
        return target
    if max(abs(east), abs(south)) == 1:
        return f"just {y_name if south else ''}{x_name if east else ''} of {target}"
    if not south or not east:
        return f"{pluralize(abs(east or south), 'square')} {x_name if east else y_name} of {target}"
    return f"{pluralize(abs(east), 'square')} {x_name} and {abs(south)} {y_name} of {target}"


# A direction leaves out one of its two parts if a cell is more than this many times as far the other way.
MAX_SLANT = 2


def direction_text(base: tuple[Cell, ...], cell: Cell) -> str:
    """Return roughly where a cell is, as seen from base camp: "just east", "southwest".

    :param base: the cells of base camp; see `base_camp_cells`.
    """
    east, south = _distances(base, cell)
    if not east and not south:
        return "base camp"
    is_near = max(abs(east), abs(south)) == 1
    x_name = ("east" if east > 0 else "west") if is_near or MAX_SLANT * abs(east) >= abs(south) else ""
    y_name = ("south" if south > 0 else "north") if is_near or MAX_SLANT * abs(south) >= abs(east) else ""
    direction = f"{y_name if south else ''}{x_name if east else ''}"
    return f"just {direction}" if is_near else direction


def _distances(base: tuple[Cell, ...], cell: Cell) -> tuple[int, int]:
    """Return how far east and south of the nearest square of base camp a cell is."""
    (west, north), (last_x, last_y) = base[0], base[-1]
    return cell[0] - min(max(cell[0], west), last_x), cell[1] - min(max(cell[1], north), last_y)


def distance(cell: Cell, other: Cell) -> int:
    """Return how many steps from side to side lead from one cell to another."""
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def describe_cell(tiles: TrailMap, cell: Cell) -> str:
    """Return where a cell of a map is; see `location_text`."""
    return location_text(base_camp_cells(tiles), cell)


def at_location(tiles: TrailMap, tile: PlacedTile) -> str:
    """Return a tile with its location: "2-mile rock bend just east of base camp".

    Without a map it is only the tile, and a square of base camp is its own location.
    """
    if not tiles:
        return tile.text
    location = describe_cell(tiles, tile.cell)
    if tile.kind == "base":
        return location
    return f"{tile.text} {location}"


def describe_change(tiles: TrailMap, placed: PlacedTile) -> str:
    """Return the changes that a placed tile makes on a map.

    Examples are "new campsite 2 squares east of base camp" and "tile just east of base camp, 3 miles \u2192 2 miles".
    """
    old = tiles_by_cell(tiles).get(placed.cell)
    if old is None:
        return f"new {at_location(tiles, placed)}"
    noun = "" if old.kind == "base" else "tile "
    differences = ", ".join(tile_differences(old, placed))
    return f"{noun}{describe_cell(tiles, placed.cell)}, {differences or 'no change'}"


def with_tile(tiles: TrailMap, placed: PlacedTile) -> TrailMap:
    """Return a map with a tile added, or replaced if its cell is occupied."""
    if placed.cell not in tiles_by_cell(tiles):
        return (*tiles, placed)
    return tuple(placed if tile.cell == placed.cell else tile for tile in tiles)


def without_tile(tiles: TrailMap, cell: Cell) -> TrailMap:
    """Return a map without the tile in a cell."""
    return tuple(tile for tile in tiles if tile.cell != cell)


def in_entry_order(tiles: TrailMap, before: TrailMap) -> TrailMap:
    """Return a map in the order in which its tiles are entered one by one.

    Tiles in cells of the map before come first, in its order. The others follow, each next to an earlier one.
    """
    by_cell = tiles_by_cell(tiles)
    cells = [cell for cell in (*tiles_by_cell(before), *base_camp_cells(tiles)) if cell in by_cell]
    for cell in cells:  # it grows on the way
        cells += [other for _, other in neighbors(cell) if other in by_cell and other not in cells]
    return tuple(by_cell[cell] for cell in dict.fromkeys(cells))


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
