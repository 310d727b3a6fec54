"""The trails of a map: connected cells, miles to camps, and the loops that earn waterfalls."""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from types import MappingProxyType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import neighbors, reachable_cells, tiles_by_cell
from scoring.alpine_trails.map.tiles import CAMP_KINDS, OPPOSITE, Cell, PlacedTile, TrailMap
from scoring.kernel.move import chosen_option

Links = Mapping[Cell, tuple[Cell, ...]]


@lru_cache(maxsize=256)
def links(tiles: TrailMap, includes_camps: bool = True) -> Links:
    """Return the cells that trails connect to each cell.

    Lakes end a trail and connect nothing. The two squares of base camp are connected.

    :param includes_camps: whether camps connect trails; else only trail tiles do.
    """
    by_cell = tiles_by_cell(tiles)
    linked: dict[Cell, tuple[Cell, ...]] = {}
    for cell, tile in by_cell.items():
        if tile.kind == "trail":
            exits = tile.exits
        elif includes_camps and tile.kind in CAMP_KINDS:
            exits = "NESW"
        else:
            continue
        linked[cell] = tuple(
            neighbor
            for letter, neighbor in neighbors(cell)
            if letter in exits and neighbor in by_cell and _is_linked(tile, by_cell[neighbor], letter, includes_camps)
        )
    return MappingProxyType(linked)


def _is_linked(tile: PlacedTile, neighbor: PlacedTile, letter: str, includes_camps: bool) -> bool:
    if neighbor.kind == "trail":
        return OPPOSITE[letter] in neighbor.exits
    if tile.kind == "trail":
        return includes_camps and neighbor.kind in CAMP_KINDS
    return tile.kind == neighbor.kind == "base"


@lru_cache(maxsize=256)
def cells_joined_to_camp(tiles: TrailMap) -> frozenset[Cell]:
    """Return the cells that trails connect to base camp."""
    return frozenset(reachable_cells((tile.cell for tile in tiles if tile.kind == "base"), links(tiles).__getitem__))


def distances_to_camps(
    tiles: TrailMap, cell: Cell, includes_forks: bool = True
) -> dict[Cell, tuple[int, tuple[int, ...]]]:
    """Return the camps that trails reach from an empty cell, with their distances.

    The result has by cell the miles of the shortest path and the miles of each tile on it. Of base
    camp, only the nearer square is included.

    :param includes_forks: whether the miles of forks count.
    """
    by_cell, linked = tiles_by_cell(tiles), links(tiles)
    queue: list[tuple[int, Cell, tuple[int, ...]]] = []
    for letter, neighbor in neighbors(cell):
        if neighbor in by_cell and OPPOSITE[letter] in by_cell[neighbor].exits:
            heappush(queue, (0, neighbor, ()))
    seen: set[Cell] = set()
    found: dict[Cell, tuple[int, tuple[int, ...]]] = {}
    while queue:
        miles, current, tile_miles = heappop(queue)
        if current in seen:
            continue
        seen.add(current)
        tile = by_cell[current]
        if tile.kind in CAMP_KINDS:
            if tile.kind == "campsite" or not any(by_cell[camp].kind == "base" for camp in found):
                found[current] = miles, tile_miles
            continue
        step_miles = 0 if tile.is_fork and not includes_forks else tile.miles
        for neighbor in linked[current]:
            if neighbor not in seen:
                heappush(queue, (miles + step_miles, neighbor, (*tile_miles, step_miles)))
    return found


def closed_loops(
    tiles: TrailMap, placed: PlacedTile, rulings: dict[str, str] | None = None
) -> tuple[tuple[Cell, ...], ...]:
    """Return the loops of trail that a placed tile closes, each as its cells from that tile on.

    A ruling decides whether a loop may run through base camp and campsites.
    """
    through = chosen_option(rulings or {}, r.LOOP_THROUGH_CAMPS) == "yes"
    if placed.kind != "trail" and not (through and placed.kind == "campsite"):
        return ()
    after = links((*tiles, placed), through)
    before = {
        cell: tuple(linked_cell for linked_cell in linked_cells if linked_cell != placed.cell)
        for cell, linked_cells in after.items()
    }
    ends = list(after[placed.cell])
    found = []
    while ends:
        start = ends.pop(0)
        group = reachable_cells([start], before.__getitem__)
        for end in [end for end in ends if end in group]:
            found.append((placed.cell, *_shortest_path(before, start, end)))
            ends.remove(end)
    return tuple(found)


@lru_cache(maxsize=64)
def _component_by_cell(tiles: TrailMap, includes_camps: bool) -> Mapping[Cell, Cell]:
    """Return for each cell a representative cell of its connected trails."""
    linked, component_by_cell = links(tiles, includes_camps), {}
    for cell in linked:
        if cell not in component_by_cell:
            component_by_cell.update(dict.fromkeys(reachable_cells([cell], linked.__getitem__), cell))
    return MappingProxyType(component_by_cell)


def count_loops(tiles: TrailMap, rulings: dict[str, str] | None = None) -> int:
    """Return how many loops the trails of a map form that do not consist of smaller ones.

    A ruling decides whether a loop may run through base camp and campsites.
    """
    through = chosen_option(rulings or {}, r.LOOP_THROUGH_CAMPS) == "yes"
    linked = links(tiles, through)
    components = set(_component_by_cell(tiles, through).values())
    return sum(map(len, linked.values())) // 2 - len(linked) + len(components)


def is_loop_closing(tiles: TrailMap, cell: Cell, exits: str, through_camps: bool) -> bool:
    """Return whether a trail in an empty cell would close a loop.

    This must agree with `closed_loops`, which finds the cells of the loop.

    :param through_camps: whether the loop may run through camps.
    """
    by_cell, component_by_cell = tiles_by_cell(tiles), _component_by_cell(tiles, through_camps)
    trail = PlacedTile(*cell, "trail", exits=exits)
    components = [
        component_by_cell[neighbor]
        for letter, neighbor in neighbors(cell)
        if letter in exits
        and neighbor in component_by_cell
        and _is_linked(trail, by_cell[neighbor], letter, through_camps)
    ]
    return len(set(components)) < len(components)


def _shortest_path(links_by_cell: Links, start: Cell, end: Cell) -> tuple[Cell, ...]:
    previous: dict[Cell, Cell | None] = {start: None}
    waiting = deque([start])
    while end not in previous:
        current = waiting.popleft()
        for neighbor in links_by_cell[current]:
            if neighbor not in previous:
                previous[neighbor] = current
                waiting.append(neighbor)
    path, current = [], end
    while current is not None:
        path.append(current)
        current = previous[current]
    return tuple(reversed(path))


def waterfalls_earned(tiles: TrailMap, placed: PlacedTile, rulings: dict[str, str] | None = None) -> int:
    """Return how many waterfalls a tile earns when it is placed."""
    rulings = rulings or {}
    if placed.kind == "campsite" and chosen_option(rulings, r.CAMPSITE_CLOSES_LOOP) == "no":
        return 0
    closed = len(closed_loops(tiles, placed, rulings))
    return closed if chosen_option(rulings, r.TWO_LOOPS) == "each" else min(closed, 1)
