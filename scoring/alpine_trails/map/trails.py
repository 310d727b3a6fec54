"""The trails of a map: which cells they join, how many miles to a camp, and the loops that earn waterfalls."""

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from types import MappingProxyType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import beside, cells
from scoring.alpine_trails.map.tiles import BACK, CAMPS, STEPS, Cell, Placed, TrailMap
from scoring.kernel.move import chosen

Links = Mapping[Cell, tuple[Cell, ...]]


@lru_cache(maxsize=256)
def links(tiles: TrailMap, camps: bool = True) -> Links:
    """Return which cells trails join to which; without `camps`, trail tiles alone.

    Lakes end a trail and join nothing. The two squares of base camp are joined.
    """
    at = cells(tiles)
    joined: dict[Cell, list[Cell]] = {}
    for cell, tile in at.items():
        if tile.kind == "trail":
            ways = tile.exits
        elif camps and tile.kind in CAMPS:
            ways = "NESW"
        else:
            continue
        joined[cell] = []
        for letter in ways:
            east, south = STEPS[letter]
            there = at.get((cell[0] + east, cell[1] + south))
            if there is not None and _join(tile, there, letter, camps):
                joined[cell].append(there.cell)
    return MappingProxyType({cell: tuple(others) for cell, others in joined.items()})


def _join(tile: Placed, there: Placed, letter: str, camps: bool) -> bool:
    if there.kind == "trail":
        return BACK[letter] in there.exits
    if tile.kind == "trail":
        return camps and there.kind in CAMPS
    return tile.kind == there.kind == "base"


@lru_cache(maxsize=256)
def joined(tiles: TrailMap) -> frozenset[Cell]:
    """Return the cells that trails join to base camp."""
    return frozenset(_reach(links(tiles), [tile.cell for tile in tiles if tile.kind == "base"]))


def _reach(linked: Links, start: list[Cell]) -> set[Cell]:
    seen, waiting = set(start), list(start)
    while waiting:
        for there in linked[waiting.pop()]:
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return seen


def ways_to_camps(tiles: TrailMap, cell: Cell, forks: bool = True) -> dict[Cell, tuple[int, tuple[int, ...]]]:
    """Return how far the camps are that trails from an empty cell lead to: by cell, the miles and those of each tile.

    Each by its shortest way; of base camp the square that is nearer. Without `forks`, their own miles do not count.
    """
    at, linked = cells(tiles), links(tiles)
    queue: list[tuple[int, Cell, tuple[int, ...]]] = []
    for letter, there in beside(cell):
        if there in at and BACK[letter] in at[there].exits:
            heappush(queue, (0, there, ()))
    seen: set[Cell] = set()
    found: dict[Cell, tuple[int, tuple[int, ...]]] = {}
    while queue:
        miles, here, way = heappop(queue)
        if here in seen:
            continue
        seen.add(here)
        tile = at[here]
        if tile.kind in CAMPS:
            if tile.kind == "campsite" or not any(at[camp].kind == "base" for camp in found):
                found[here] = miles, way
            continue
        walked = 0 if tile.fork and not forks else tile.miles
        for there in linked[here]:
            if there not in seen:
                heappush(queue, (miles + walked, there, (*way, walked)))
    return found


def loops(tiles: TrailMap, placed: Placed, rulings: dict[str, str] | None = None) -> tuple[tuple[Cell, ...], ...]:
    """Return the circuits of trail that a placed tile closes, each as its cells in a row, the placed tile first.

    Whether a circuit may run through base camp and campsites is a ruling.
    """
    through = chosen(rulings or {}, r.LOOP_THROUGH_CAMPS) == "yes"
    if placed.kind != "trail" and not (through and placed.kind == "campsite"):
        return ()
    after = links((*tiles, placed), through)
    before = {cell: tuple(there for there in others if there != placed.cell) for cell, others in after.items()}
    ends = list(after[placed.cell])
    found = []
    while ends:
        start = ends.pop(0)
        group = _reach(before, [start])
        for end in [end for end in ends if end in group]:
            found.append((placed.cell, *_shortest(before, start, end)))
            ends.remove(end)
    return tuple(found)


@lru_cache(maxsize=64)
def _together(tiles: TrailMap, camps: bool) -> Mapping[Cell, Cell]:
    """Return by cell the first of all the cells that trails join it to."""
    linked, first = links(tiles, camps), {}
    for cell in linked:
        if cell not in first:
            first.update(dict.fromkeys(_reach(linked, [cell]), cell))
    return MappingProxyType(first)


def closes(tiles: TrailMap, cell: Cell, exits: str, through: bool) -> bool:
    """Return whether a trail would close a circuit, or one `through` camps, in an empty cell.

    Must agree with `loops`, which finds its cells.
    """
    at, first = cells(tiles), _together(tiles, through)
    trail = Placed(*cell, "trail", exits=exits)
    met = [
        first[there]
        for letter, there in beside(cell)
        if letter in exits and there in first and _join(trail, at[there], letter, through)
    ]
    return len(set(met)) < len(met)


def _shortest(linked: Links, start: Cell, end: Cell) -> tuple[Cell, ...]:
    came: dict[Cell, Cell | None] = {start: None}
    waiting = deque([start])
    while end not in came:
        here = waiting.popleft()
        for there in linked[here]:
            if there not in came:
                came[there] = here
                waiting.append(there)
    way, here = [], end
    while here is not None:
        way.append(here)
        here = came[here]
    return tuple(reversed(way))


def waterfalls_earned(tiles: TrailMap, placed: Placed, rulings: dict[str, str] | None = None) -> int:
    """Return how many waterfalls a tile earns when it is placed."""
    rulings = rulings or {}
    if placed.kind == "campsite" and chosen(rulings, r.CAMPSITE_CLOSES_LOOP) == "no":
        return 0
    closed = len(loops(tiles, placed, rulings))
    return closed if chosen(rulings, r.TWO_LOOPS) == "each" else min(closed, 1)
