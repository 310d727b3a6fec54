"""The trails of a map: connected cells, miles to camps, and the loops that earn waterfalls."""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from types import MappingProxyType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import neighbors, tiles_by_cell
from scoring.alpine_trails.map.tiles import CAMP_KINDS, DIRECTIONS, OPPOSITE, Cell, PlacedTile, TrailMap
from scoring.kernel.move import chosen_option

Links = Mapping[Cell, tuple[Cell, ...]]


@lru_cache(maxsize=256)
def links(tiles: TrailMap, includes_camps: bool = True) -> Links:
    """Return the cells that trails connect to each cell.

    Lakes end a trail and connect nothing. The two squares of base camp are connected.

    :param includes_camps: whether camps connect trails; else only trail tiles do.
    """
    at = tiles_by_cell(tiles)
    joined: dict[Cell, list[Cell]] = {}
    for cell, tile in at.items():
        if tile.kind == "trail":
            ways = tile.exits
        elif includes_camps and tile.kind in CAMP_KINDS:
            ways = "NESW"
        else:
            continue
        joined[cell] = []
        for letter in ways:
            east, south = DIRECTIONS[letter]
            there = at.get((cell[0] + east, cell[1] + south))
            if there is not None and _is_linked(tile, there, letter, includes_camps):
                joined[cell].append(there.cell)
    return MappingProxyType({cell: tuple(others) for cell, others in joined.items()})


def _is_linked(tile: PlacedTile, neighbor: PlacedTile, letter: str, includes_camps: bool) -> bool:
    if neighbor.kind == "trail":
        return OPPOSITE[letter] in neighbor.exits
    if tile.kind == "trail":
        return includes_camps and neighbor.kind in CAMP_KINDS
    return tile.kind == neighbor.kind == "base"


@lru_cache(maxsize=256)
def cells_joined_to_camp(tiles: TrailMap) -> frozenset[Cell]:
    """Return the cells that trails connect to base camp."""
    return frozenset(_reachable_cells(links(tiles), [tile.cell for tile in tiles if tile.kind == "base"]))


def _reachable_cells(links_by_cell: Links, start: list[Cell]) -> set[Cell]:
    seen, waiting = set(start), list(start)
    while waiting:
        for there in links_by_cell[waiting.pop()]:
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen


def distances_to_camps(
    tiles: TrailMap, cell: Cell, includes_forks: bool = True
) -> dict[Cell, tuple[int, tuple[int, ...]]]:
    """Return the camps that trails reach from an empty cell, with their distances.

    The result has by cell the miles of the shortest way and the miles of each tile on it. Of base
    camp, only the nearer square is included.

    :param includes_forks: whether the miles of forks count.
    """
    at, linked = tiles_by_cell(tiles), links(tiles)
    queue: list[tuple[int, Cell, tuple[int, ...]]] = []
    for letter, there in neighbors(cell):
        if there in at and OPPOSITE[letter] in at[there].exits:
            heappush(queue, (0, there, ()))
    seen: set[Cell] = set()
    found: dict[Cell, tuple[int, tuple[int, ...]]] = {}
    while queue:
        miles, here, way = heappop(queue)
        if here in seen:
            continue
        seen.add(here)
        tile = at[here]
        if tile.kind in CAMP_KINDS:
            if tile.kind == "campsite" or not any(at[camp].kind == "base" for camp in found):
                found[here] = miles, way
            continue
        walked = 0 if tile.is_fork and not includes_forks else tile.miles
        for there in linked[here]:
            if there not in seen:
                heappush(queue, (miles + walked, there, (*way, walked)))
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
    before = {cell: tuple(there for there in others if there != placed.cell) for cell, others in after.items()}
    ends = list(after[placed.cell])
    found = []
    while ends:
        start = ends.pop(0)
        group = _reachable_cells(before, [start])
        for end in [end for end in ends if end in group]:
            found.append((placed.cell, *_shortest_path(before, start, end)))
            ends.remove(end)
    return tuple(found)


@lru_cache(maxsize=64)
def _component_by_cell(tiles: TrailMap, includes_camps: bool) -> Mapping[Cell, Cell]:
    """Return for each cell a representative cell of its connected trails."""
    linked, first = links(tiles, includes_camps), {}
    for cell in linked:
        if cell not in first:
            first.update(dict.fromkeys(_reachable_cells(linked, [cell]), cell))
    return MappingProxyType(first)


def is_loop_closing(tiles: TrailMap, cell: Cell, exits: str, through_camps: bool) -> bool:
    """Return whether a trail in an empty cell would close a loop.

    This must agree with `closed_loops`, which finds the cells of the loop.

    :param through_camps: whether the loop may run through camps.
    """
    at, first = tiles_by_cell(tiles), _component_by_cell(tiles, through_camps)
    trail = PlacedTile(*cell, "trail", exits=exits)
    met = [
        first[there]
        for letter, there in neighbors(cell)
        if letter in exits and there in first and _is_linked(trail, at[there], letter, through_camps)
    ]
    return len(set(met)) < len(met)


def _shortest_path(links_by_cell: Links, start: Cell, end: Cell) -> tuple[Cell, ...]:
    came: dict[Cell, Cell | None] = {start: None}
    waiting = deque([start])
    while end not in came:
        here = waiting.popleft()
        for there in links_by_cell[here]:
            if there not in came:
                came[there] = here
                waiting.append(there)
    way, here = [], end
    while here is not None:
        way.append(here)
        here = came[here]
    return tuple(reversed(way))


def waterfalls_earned(tiles: TrailMap, placed: PlacedTile, rulings: dict[str, str] | None = None) -> int:
    """Return how many waterfalls a tile earns when it is placed."""
    rulings = rulings or {}
    if placed.kind == "campsite" and chosen_option(rulings, r.CAMPSITE_CLOSES_LOOP) == "no":
        return 0
    closed = len(closed_loops(tiles, placed, rulings))
    return closed if chosen_option(rulings, r.TWO_LOOPS) == "each" else min(closed, 1)
