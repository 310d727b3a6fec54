"""The map of a player: where a tile may lie and why not, loops, habitats, waterfalls, trails and their miles.

A map is the tuple of its tiles in the order they were placed. x grows east and y grows south; exits are letters of NESW.
All that is found out about a map is kept as long as the map is in use, so asking twice costs nothing.
"""

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations
from typing import Literal, get_args

from msgspec import Struct

from scoring.alpine import rules as r
from scoring.alpine.box import MILES, MOST_ICONS
from scoring.kernel.move import chosen
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural

Kind = Literal["base", "trail", "terrain", "waterfall", "campsite", "lake"]
Terrain = Literal["forest", "rock", "meadow", "wetland"]
Animal = Literal["goat", "moose", "bear", "wolf"]
Cell = tuple[int, int]

KINDS: tuple[str, ...] = get_args(Kind)
TERRAINS: tuple[str, ...] = get_args(Terrain)  # in the order of the printed sheet
ANIMALS: tuple[str, ...] = get_args(Animal)
CAMPS = ("base", "campsite")
TERRAIN_KINDS = ("base", "trail", "terrain")  # the kinds that show a terrain
STEPS: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}
TOWARDS = {"N": "north", "E": "east", "S": "south", "W": "west"}
AROUND: tuple[Cell, ...] = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))
SHAPES = tuple("".join(shape) for sides in (2, 3, 4) for shape in combinations(STEPS, sides))  # of the trail of a tile
CAMPSITE_MILES = 6  # at least, from every other campsite and base camp (“Campsites”)


class Tile(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A side of a tile in the hand: what it shows, not yet where it lies."""

    kind: Kind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None


class Placed(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A tile as it lies on a map, turned as it is turned."""

    x: int
    y: int
    kind: Kind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None

    @property
    def cell(self) -> Cell:
        return self.x, self.y

    @property
    def tile(self) -> Tile:
        """Return the tile without its place."""
        return Tile(self.kind, self.terrain, self.exits, self.miles, self.icons, self.animal)

    @property
    def fork(self) -> bool:
        """Return whether the trail parts here."""
        return len(self.exits) > 2


TrailMap = tuple[Placed, ...]


# In the hand


def faults(tile: Tile | Placed) -> Iterator[Reason]:
    """Yield what is said of a tile that no tile of the box can show."""
    match tile.kind:
        case "trail":
            if tile.exits not in SHAPES:
                yield Reason("exits", r.TRAIL_SHAPE, "A trail leaves its tile on two, three or four sides.")
            if tile.miles not in MILES:
                yield Reason("miles", r.TRAIL_SIDE, f"A trail is 1, 2 or 3 miles long, not {tile.miles}.")
            if tile.animal:
                yield Reason("animal", r.ANIMAL_PLACE, "Animals live on terrain sides, not on a trail side.")
        case "terrain" if tile.exits or tile.miles:
            yield Reason("no-trail", r.TERRAIN_SIDE, "A terrain side shows no trail.")
        case "campsite" | "waterfall" | "lake" if tile.terrain or tile.exits or tile.miles or tile.icons or tile.animal:
            yield Reason("bare", r.HABITAT_BARE, f"A {tile.kind} shows no terrain and no trail.")
    if tile.kind in TERRAIN_KINDS and tile.terrain is None:
        yield Reason("terrain", r.PLACE_SIDES, "Which terrain does it show?")
    if not 0 <= tile.icons <= MOST_ICONS:
        yield Reason("icons", r.SCORE_HABITATS, f"A tile shows 0 to {MOST_ICONS} icons, not {tile.icons}.")


def turned(tile: Tile, quarters: int) -> Tile:
    """Return a tile turned clockwise by quarter turns."""
    exits = "".join(letter for letter in STEPS if _turned_back(letter, quarters) in tile.exits)
    return Tile(tile.kind, tile.terrain, exits, tile.miles, tile.icons, tile.animal)


def _turned_back(letter: str, quarters: int) -> str:
    letters = list(STEPS)
    return letters[(letters.index(letter) - quarters) % 4]


@lru_cache(maxsize=256)
def turns(tile: Tile) -> dict[int, Tile]:
    """Return the ways a tile can lie that differ, by quarter turns clockwise: two of a straight trail, one of a terrain."""
    ways: dict[str, int] = {}
    for quarters in range(4):
        ways.setdefault(turned(tile, quarters).exits, quarters)
    return {quarters: turned(tile, quarters) for quarters in ways.values()}


def put(tile: Tile, x: int, y: int) -> Placed:
    """Return a tile as it lies in a cell."""
    return Placed(x, y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons, tile.animal)


# The grid


@lru_cache(maxsize=256)
def cells(tiles: TrailMap) -> dict[Cell, Placed]:
    """Return the tiles by their cells."""
    return {tile.cell: tile for tile in tiles}


def beside(cell: Cell) -> Iterator[tuple[str, Cell]]:
    """Yield the four cells side by side with a cell, with the letter of the way there."""
    x, y = cell
    for letter, (east, south) in STEPS.items():
        yield letter, (x + east, y + south)


Side = Literal["free", "end", "camp", "lake", "wall"]


@lru_cache(maxsize=256)
def edge(tiles: TrailMap) -> dict[Cell, dict[str, Side]]:
    """Return the empty cells side by side with a tile, each with what lies on its four sides.

    "end" is a trail that comes out there, "camp" takes trails and anything else, "lake" ends a trail, "wall" is
    whatever a trail cannot run into, "free" is an empty cell.
    """
    at = cells(tiles)
    empty = dict.fromkeys(cell for tile in tiles for _, cell in beside(tile.cell) if cell not in at)
    return {cell: {letter: _side(at.get(there), letter) for letter, there in beside(cell)} for cell in empty}


def _side(tile: Placed | None, letter: str) -> Side:
    if tile is None:
        return "free"
    if tile.kind in CAMPS:
        return "camp"
    if tile.kind == "lake":
        return "lake"
    return "end" if BACK[letter] in tile.exits else "wall"


def open_ends(tiles: TrailMap) -> tuple[Cell, ...]:
    """Return the empty cells a trail runs out into: where the lakes go at the end."""
    return tuple(cell for cell, sides in edge(tiles).items() if "end" in sides.values())


@lru_cache(maxsize=256)
def with_lakes(tiles: TrailMap) -> TrailMap:
    """Return the map with a lake at the end of every open trail."""
    return (*tiles, *(Placed(x, y, "lake") for x, y in open_ends(tiles)))


def where(tiles: TrailMap, cell: Cell) -> str:
    """Return in words where a cell lies: "2 east, 1 north of base camp"."""
    base = min(tile.cell for tile in tiles if tile.kind == "base")
    east, south = cell[0] - base[0], cell[1] - base[1]
    steps = [f"{abs(east)} {'east' if east > 0 else 'west'}"] if east else []
    steps += [f"{abs(south)} {'south' if south > 0 else 'north'}"] if south else []
    return f"{', '.join(steps)} of base camp" if steps else "at base camp"


# Where a tile may lie


def objections(tiles: TrailMap, placed: Placed, rulings: dict[str, str] | None = None) -> Iterator[Reason]:
    """Yield everything that speaks against adding a tile to a map where it is held."""
    if placed.cell in cells(tiles):
        yield Reason("occupied", r.PLACE_EMPTY, f"A {name(cells(tiles)[placed.cell])} lies here already.")
        return
    sides = edge(tiles).get(placed.cell)
    if sides is None:
        yield Reason("not-adjacent", r.PLACE_ADJACENT, "No tile of your map lies side by side with this cell.")
        return
    match placed.kind:
        case "trail":
            yield from _against_trail(tiles, placed, sides)
        case "terrain":
            yield from _blocked(tiles, placed, sides, r.PLACE_TERRAIN)
        case "waterfall":
            yield from _blocked(tiles, placed, sides, r.PLACE_WATERFALL)
        case "campsite":
            yield from _against_campsite(tiles, placed.cell, sides, rulings or {})
        case "lake" if "end" not in sides.values():
            yield Reason("no-end-here", r.LAKES_AT_ENDS, "No trail ends here; a lake lies at the end of a trail.")
        case "base":
            yield Reason("one-base-camp", r.BASE_CAMP, "Your base camp is on the map already.")


def _against_trail(tiles: TrailMap, placed: Placed, sides: dict[str, Side]) -> Iterator[Reason]:
    for letter in placed.exits:
        if sides[letter] == "wall":
            into = name(_next(tiles, placed.cell, letter))
            yield Reason("runs-into", r.TRAIL_RUNS_ON, f"To the {TOWARDS[letter]} the trail would run into a {into}.")
    yield from _blocked(tiles, placed, sides, r.TRAIL_RUNS_ON)
    if not any(sides[letter] in ("end", "camp") for letter in placed.exits):
        text = "This trail would not be joined to base camp, a campsite or another trail."
        yield Reason("not-connected", r.TRAIL_CONNECTED, text)


def _blocked(tiles: TrailMap, placed: Placed, sides: dict[str, Side], rule: r.Rule) -> Iterator[Reason]:
    for letter, side in sides.items():
        if side == "end" and letter not in placed.exits:
            whose = name(_next(tiles, placed.cell, letter))
            yield Reason("blocks-end", rule, f"It would block the trail that comes from the {TOWARDS[letter]} ({whose}).")


def _against_campsite(tiles: TrailMap, cell: Cell, sides: dict[str, Side], rulings: dict[str, str]) -> Iterator[Reason]:
    if "end" not in sides.values():
        yield Reason("no-end-here", r.CAMPSITE_AT_END, "No trail ends here; a campsite lies at the end of a trail.")
        return
    if chosen(rulings, r.CAMPSITE_MEASURE) == "table":
        return
    for camp, (miles, way) in ways_to_camps(tiles, cell, chosen(rulings, r.FORK_ON_THE_WAY) == "yes").items():
        if miles < CAMPSITE_MILES:
            kind = cells(tiles)[camp].kind
            which = "Base camp" if kind == "base" else f"The campsite {where(tiles, camp)}"
            counted = f" ({' + '.join(str(mile) for mile in way)})" if len(way) > 1 else ""
            text = f"{which} is only {plural(miles, 'mile')} away by trail{counted}; a campsite needs {CAMPSITE_MILES}."
            yield Reason("too-near", r.CAMPSITE_SIX, text)


def _next(tiles: TrailMap, cell: Cell, letter: str) -> Placed:
    east, south = STEPS[letter]
    return cells(tiles)[cell[0] + east, cell[1] + south]


def name(tile: Placed | Tile) -> str:
    """Return what a tile is called: "2 mile forest trail", "rock tile", "campsite"."""
    match tile.kind:
        case "trail":
            what = "fork" if len(tile.exits) > 2 else "trail"
            miles = f"{tile.miles} mile" if tile.miles else ""
            return " ".join(part for part in (miles, tile.terrain, what) if part)
        case "terrain":
            return f"{tile.terrain or 'terrain'} tile"
        case "base":
            return "base camp"
    return tile.kind


@lru_cache(maxsize=64)
def legal(tiles: TrailMap, tile: Tile) -> dict[Cell, tuple[int, ...]]:
    """Return where a trail or terrain side, a waterfall or a lake may lie: by cell, the quarter turns that fit.

    Of a campsite, where a trail ends; whether that is far enough from other camps, `objections` knows.
    """
    ways = turns(tile).items()
    found = {cell: tuple(quarters for quarters, way in ways if _fits(way, sides)) for cell, sides in edge(tiles).items()}
    return {cell: fits for cell, fits in found.items() if fits}


def _fits(tile: Tile, sides: dict[str, Side]) -> bool:
    """Return whether a tile fits what lies round a cell. Must agree with `objections`, which takes longer to say why."""
    ends = [letter for letter, side in sides.items() if side == "end"]
    if tile.kind in ("lake", "campsite"):
        return bool(ends)
    if tile.kind != "trail":
        return not ends and tile.kind != "base"
    met = [sides[letter] for letter in tile.exits]
    return "wall" not in met and ("end" in met or "camp" in met) and all(letter in tile.exits for letter in ends)


def may(tiles: TrailMap, placed: Placed, rulings: dict[str, str] | None = None) -> bool:
    """Return whether nothing speaks against a tile where it is held."""
    return next(objections(tiles, placed, rulings), None) is None


# Trails


@lru_cache(maxsize=256)
def links(tiles: TrailMap, camps: bool = True) -> dict[Cell, tuple[Cell, ...]]:
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
    return {cell: tuple(others) for cell, others in joined.items()}


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


def _reach(linked: dict[Cell, tuple[Cell, ...]], start: list[Cell]) -> set[Cell]:
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


def _shortest(linked: dict[Cell, tuple[Cell, ...]], start: Cell, end: Cell) -> tuple[Cell, ...]:
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


# The longest path


class Path(Struct, frozen=True):
    """An out-and-back trail: its miles and the tiles that count, from the lake back to where it starts."""

    miles: int
    cells: tuple[Cell, ...]
    end: Cell  # the lake
    start: Cell  # the fork, campsite or square of base camp it is measured to
    steps: tuple[int, ...]  # the miles of each tile
    pair: bool = False  # two trails that meet at a lake, added up


@lru_cache(maxsize=256)
def arms(tiles: TrailMap, forks: bool = False, without_lake: bool = False) -> tuple[Path, ...]:
    """Return every trail that ends in a lake, measured back to the nearest fork, campsite or base camp.

    With `forks`, the miles of the fork count too; `without_lake`, trails that were left open count as well.
    A trail that is not joined to base camp is left out.
    """
    at, home = cells(tiles), joined(tiles)
    ends = [tile.cell for tile in tiles if tile.kind == "lake"]
    ends += open_ends(tiles) if without_lake else ()
    found = []
    for end in ends:
        for letter, there in beside(end):
            if there in at and there in home and BACK[letter] in at[there].exits:
                found.append(_arm(tiles, end, there, forks))
    return tuple(arm for arm in found if arm)


def _arm(tiles: TrailMap, end: Cell, here: Cell, forks: bool) -> Path | None:
    at, linked = cells(tiles), links(tiles)
    walked: list[Cell] = []
    before = end
    while at[here].kind == "trail" and not at[here].fork:
        walked.append(here)
        onward = [there for there in linked[here] if there != before]
        if not onward:  # between two lakes, or broken off
            return None
        before, here = here, onward[0]
    if forks and at[here].fork:
        walked.append(here)
    steps = tuple(at[cell].miles for cell in walked)
    return Path(sum(steps), tuple(walked), end, here, steps)


def longest(tiles: TrailMap, rulings: dict[str, str] | None = None) -> tuple[Path, ...]:
    """Return the longest path, or all that tie for it; none if no trail ends in a lake."""
    rulings = rulings or {}
    found = list(arms(tiles, chosen(rulings, r.FORK_MILES) == "yes", chosen(rulings, r.PATH_WITHOUT_LAKE) == "yes"))
    if chosen(rulings, r.SHARED_LAKE) == "joined":
        found = [*found, *_joined_pairs(found)]
    most = max((path.miles for path in found), default=0)
    return tuple(path for path in found if path.miles == most)


def _joined_pairs(found: list[Path]) -> Iterator[Path]:
    for number, one in enumerate(found):
        for other in found[:number]:
            if one.end == other.end and not set(one.cells) & set(other.cells):
                steps = (*reversed(one.steps), *other.steps)
                yield Path(sum(steps), (*reversed(one.cells), *other.cells), one.end, other.start, steps, True)


# Habitats and waterfalls


class Habitat(Struct, frozen=True):
    """Tiles of one terrain that lie side by side, and the icons on them."""

    terrain: Terrain
    icons: int
    cells: tuple[Cell, ...]


@lru_cache(maxsize=256)
def habitats(tiles: TrailMap, trails: bool = True) -> tuple[Habitat, ...]:
    """Return all habitats of a map; without `trails`, trail sides belong to none."""
    kinds = ("base", "terrain", "trail") if trails else ("base", "terrain")
    left = {tile.cell: tile for tile in tiles if tile.terrain and tile.kind in kinds}
    found = []
    while left:
        first = next(iter(left))
        group, waiting = [left.pop(first)], [first]
        while waiting:
            for _, there in beside(waiting.pop()):
                if there in left and left[there].terrain == group[0].terrain:
                    group.append(left.pop(there))
                    waiting.append(there)
        found.append(Habitat(group[0].terrain, sum(tile.icons for tile in group), tuple(tile.cell for tile in group)))
    return tuple(found)


def largest(tiles: TrailMap, terrain: str, rulings: dict[str, str] | None = None) -> Habitat | None:
    """Return the largest habitat of a terrain, if there is any."""
    rulings = rulings or {}
    found = [each for each in habitats(tiles, chosen(rulings, r.TRAIL_HABITATS) == "yes") if each.terrain == terrain]
    by_tiles = chosen(rulings, r.LARGEST_HABITAT) == "tiles"
    return max(found, key=lambda each: (len(each.cells) if by_tiles else 0, each.icons), default=None)


def around(tiles: TrailMap, cell: Cell) -> tuple[Placed, ...]:
    """Return the tiles in the eight cells round a cell."""
    at = cells(tiles)
    beyond = ((cell[0] + east, cell[1] + south) for east, south in AROUND)
    return tuple(at[there] for there in beyond if there in at)


def waterfalls(tiles: TrailMap) -> dict[Cell, tuple[Placed, ...]]:
    """Return the waterfalls of a map, each with the tiles round it: a point each."""
    return {tile.cell: around(tiles, tile.cell) for tile in tiles if tile.kind == "waterfall"}


def around_all(tiles: TrailMap, kind: str) -> tuple[Placed, ...]:
    """Return the tiles next to any tile of a kind, also across corners, each once."""
    return tuple(dict.fromkeys(near for tile in tiles if tile.kind == kind for near in around(tiles, tile.cell)))


# What does not fit


@lru_cache(maxsize=256)
def loose(tiles: TrailMap) -> tuple[tuple[Cell, str], ...]:
    """Return what is not as it should be at the end: a trail's cell, and a sentence."""
    at, home = cells(tiles), joined(tiles)
    found = []
    for cell, tile in at.items():
        if tile.icons and tile.terrain is None:
            found.append((cell, "names no terrain: its icons belong to no habitat"))
        if tile.kind == "trail" and not tile.miles and not tile.fork:
            found.append((cell, "names no miles: it adds none to a path"))
        if tile.kind == "trail" and cell not in home:
            found.append((cell, "is not joined to base camp"))
        for letter in tile.exits:
            east, south = STEPS[letter]
            there = at.get((cell[0] + east, cell[1] + south))
            match _side(there, letter):
                case "free":
                    found.append((cell, f"has no lake at its end to the {TOWARDS[letter]}"))
                case "wall":
                    found.append((cell, f"runs into a {name(there)} to the {TOWARDS[letter]}"))
    return tuple((cell, f"The {name(at[cell])} {where(tiles, cell)} {what}.") for cell, what in found)
