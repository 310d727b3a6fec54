"""ALPINE TRAILS as a final-position document: what a file or a form says of finished maps."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import (
    ANIMALS_OF_EACH,
    BASE_SQUARES,
    CAMPSITE_TILES,
    DRAWN,
    LAKE_BACKS,
    MILES,
    MOST_ICONS,
    TENTS,
    TERRAIN_ICONS,
    TRAIL_TILES,
    WATERFALL_TILES,
)
from scoring.alpine_trails.map.grid import beside
from scoring.alpine_trails.map.tiles import ANIMALS, KINDS, STEPS, TERRAIN_KINDS, TERRAINS, Cell, Placed, TrailMap
from scoring.alpine_trails.points import (
    GOAL_KINDS,
    GOAL_TERRAINS,
    GOALS_FOR,
    Counts,
    Final,
    FinalPlayer,
    Goal,
    GoalTerrain,
)
from scoring.kernel.documents import at, quoted, read_name, read_players, read_rulings, unknown

SEATS = (1, 2, 3, 4, 5)
FARTHEST = 999  # of a map's coordinates, far beyond what the box can reach


def _most_counted(players: int) -> dict[str, int]:
    """Return the most that can be counted by hand: what one player's share could come to, with all trail tiles in the bag."""
    share = TRAIL_TILES // (DRAWN * players) * DRAWN
    icons = MOST_ICONS * (share + BASE_SQUARES)
    return {
        **dict.fromkeys(TERRAINS, icons),
        "waterfalls": 8 * WATERFALL_TILES,
        "lakes": LAKE_BACKS,
        "tents": TENTS,
        "animals": len(ANIMALS),
        "path": MILES[-1] * share,
        "goal": icons,
    }


_TOGETHER = _most_counted(players=2)  # with more of them, a share is smaller
_ALONE = {**_most_counted(players=1), "animals": ANIMALS_OF_EACH * len(ANIMALS)}  # one may have every animal of the box


def most_counted(category: str, solo: bool) -> int:
    """Return the most that a category counted by hand can be."""
    return (_ALONE if solo else _TOGETHER)[category]


class _TileIn(Struct, forbid_unknown_fields=True):
    x: int
    y: int
    kind: str
    terrain: str | None = None
    exits: str = ""
    miles: int | None = None
    icons: int | UnsetType = UNSET  # none, where nobody says
    animal: str | None = None


class _GoalIn(Struct, forbid_unknown_fields=True):
    kind: str
    terrain: str | None = None


class _PlayerIn(Struct, forbid_unknown_fields=True):
    name: str
    map: list[_TileIn] | None = None
    counts: Counts | None = None
    goal: _GoalIn | None = None


def read_final(document: dict) -> Final:
    """Return what scoring needs from a final-position document.

    :raises Malformed: one line that names the place of the fault and the nearest right value.
    """
    players = read_players(document, _PlayerIn, SEATS, top=("solo",))
    rulings = read_rulings(document, r.RULINGS)
    solo = _read_solo(document.get("solo", False), len(players))
    names: set[str] = set()
    used: Counter[str] = Counter()
    finals = []
    for number, player in enumerate(players):
        place = f"players[{number}]"
        name = read_name(player.name, f"{place}.name", names)
        goal = _read_goal(player.goal, f"{place}.goal") if player.goal else None
        if (player.map is None) == (player.counts is None):
            raise at(
                place,
                'one of "map" and "counts" is needed' if player.map is None else 'either "map" or "counts", not both',
            )
        tiles: TrailMap = ()
        if player.counts is not None:
            _check_counts(player.counts, f"{place}.counts", solo)
            _use(_counted_parts(player.counts), f"{place}.counts", used)
        else:
            tiles = _read_map(player.map, f"{place}.map", used)
        finals.append(FinalPlayer(name, tiles, player.counts, goal))
    return Final(tuple(finals), rulings, solo)


def _read_solo(solo: Any, players: int) -> bool:
    if not isinstance(solo, bool):
        raise at("solo", f"expected true or false, got {quoted(solo)}")
    if solo and players != 1:
        raise at("solo", f"the solo game has 1 player, not {players}")
    return solo


def _read_goal(goal: _GoalIn, place: str) -> Goal:
    if goal.kind not in GOAL_KINDS:
        raise unknown(f"{place}.kind", "goal", goal.kind, GOAL_KINDS)
    known: tuple[GoalTerrain, ...] = tuple(terrain for terrain in GOAL_TERRAINS if terrain in GOALS_FOR[goal.kind])
    if not known:
        if goal.terrain is not None:
            raise at(f"{place}.terrain", f'a {goal.kind} goal names no terrain, not "{quoted(goal.terrain)}"')
        return Goal(goal.kind)
    if goal.terrain is None:
        raise at(f"{place}.terrain", f"this is needed: {', '.join(known)}")
    if goal.terrain not in known:
        raise unknown(f"{place}.terrain", "terrain", goal.terrain, known)
    return Goal(goal.kind, goal.terrain)


# Maps


def _read_map(given: list[_TileIn], place: str, used: Counter[str]) -> TrailMap:
    tiles: dict[Cell, Placed] = {}
    for number, each in enumerate(given):
        here = f"{place}[{number}]"
        tile = _read_tile(each, here)
        if tile.cell in tiles:
            other = list(tiles).index(tile.cell)
            raise at(here, f"a tile lies at {tile.x}, {tile.y} already: {place}[{other}]")
        tiles[tile.cell] = tile
        _use(_parts(tile), here, used)
    _check_base(tuple(tiles.values()), place)
    _check_whole(tiles, place)
    return tuple(tiles.values())


def _read_tile(given: _TileIn, place: str) -> Placed:
    for field, value in (("x", given.x), ("y", given.y)):
        if abs(value) > FARTHEST:
            raise at(f"{place}.{field}", f"a map reaches from -{FARTHEST} to {FARTHEST}, not to {quoted(value)}")
    if given.kind not in KINDS:
        raise unknown(f"{place}.kind", "kind of tile", given.kind, KINDS)
    if given.terrain is not None and given.terrain not in TERRAINS:
        raise unknown(f"{place}.terrain", "terrain", given.terrain, TERRAINS)
    if given.animal is not None and given.animal not in ANIMALS:
        raise unknown(f"{place}.animal", "animal", given.animal, ANIMALS)
    _check_fields(given, place)
    exits = _read_exits(given.exits, f"{place}.exits") if given.kind == "trail" else ""
    if given.miles is not None and given.miles not in MILES:
        raise _out_of_range(f"{place}.miles", "a trail has", MILES[0], MILES[-1], "miles", given.miles)
    icons = 0 if isinstance(given.icons, UnsetType) else given.icons
    if given.kind == "terrain" and given.icons not in (UNSET, TERRAIN_ICONS):
        raise at(
            f"{place}.icons",
            f"a terrain side shows {TERRAIN_ICONS} icons, not {quoted(icons)}; did you mean {TERRAIN_ICONS}?",
        )
    if not 0 <= icons <= MOST_ICONS:
        raise _out_of_range(f"{place}.icons", "a tile shows", 0, MOST_ICONS, "icons", icons)
    return Placed(given.x, given.y, given.kind, given.terrain, exits, given.miles or 0, icons, given.animal)


# The kinds of tile that can show each of these.
SHOWN_BY = {
    "terrain": TERRAIN_KINDS,
    "exits": ("trail",),
    "miles": ("trail",),
    "icons": TERRAIN_KINDS,
    "animal": ("terrain",),
}


def _check_fields(given: _TileIn, place: str) -> None:
    for field, kinds in SHOWN_BY.items():
        if getattr(given, field) and given.kind not in kinds:
            raise at(f"{place}.{field}", f'"{given.kind}" has no {field}; only these have: {", ".join(kinds)}')


def _read_exits(exits: str, place: str) -> str:
    letters = [letter for letter in STEPS if letter in exits]
    if len(letters) == len(exits) and 2 <= len(letters) <= 4:
        return "".join(letters)
    nearest = "".join(letters) if len(letters) >= 2 else ""
    nearest = nearest or "".join(letter for letter in STEPS if letter in exits.upper())
    hint = f'; did you mean "{nearest}"?' if len(nearest) >= 2 else ""
    raise at(place, f'a trail has two to four different exits of NESW, not "{quoted(exits)}"{hint}')


def _out_of_range(place: str, subject: str, least: int, most: int, noun: str, value: int) -> Exception:
    nearest = min(max(value, least), most)
    return at(place, f"{subject} {least} to {most} {noun}, not {quoted(value)}; did you mean {nearest}?")


def _check_base(tiles: TrailMap, place: str) -> None:
    base = [(number, tile) for number, tile in enumerate(tiles) if tile.kind == "base"]
    if len(base) != BASE_SQUARES:
        where = f"{place}[{base[BASE_SQUARES][0]}].kind" if len(base) > BASE_SQUARES else place
        raise at(where, f"a map has exactly two base squares, this one has {len(base)}")
    (_, one), (number, other) = base
    if other.cell not in dict(beside(one.cell)).values():
        raise at(f"{place}[{number}]", f"the two base squares lie side by side; the other one is at {one.x}, {one.y}")


def _check_whole(tiles: dict[Cell, Placed], place: str) -> None:
    """Refuse a tile that other tiles do not join, side by side, to base camp."""
    waiting = [tile.cell for tile in tiles.values() if tile.kind == "base"]
    reached = set(waiting)
    while waiting:
        for _, there in beside(waiting.pop()):
            if there in tiles and there not in reached:
                reached.add(there)
                waiting.append(there)
    for number, (x, y) in enumerate(tiles):
        if (x, y) not in reached:
            raise at(f"{place}[{number}]", f"no tiles side by side join the tile at {x}, {y} to base camp")


# What the box holds, over all players together


class _Supply(Struct, frozen=True):
    holds: int
    noun: str


SUPPLIES = {
    "trail": _Supply(TRAIL_TILES, "trail tiles"),
    "campsite": _Supply(CAMPSITE_TILES, "campsites"),
    "tent": _Supply(TENTS, "tents"),
    "waterfall": _Supply(WATERFALL_TILES, "waterfalls"),
    "back": _Supply(LAKE_BACKS, "campsite, waterfall and lake tiles"),
    **{animal: _Supply(ANIMALS_OF_EACH, f"of the {animal}") for animal in ANIMALS},
    "animal": _Supply(ANIMALS_OF_EACH * len(ANIMALS), "animals"),
}


def _parts(tile: Placed) -> Iterator[tuple[str, int]]:
    """Yield what of the box a tile on a map uses."""
    match tile.kind:
        case "trail" | "terrain":
            yield "trail", 1
        case "campsite":
            yield from (("campsite", 1), ("tent", 1), ("back", 1))
        case "waterfall":
            yield from (("waterfall", 1), ("back", 1))
        case "lake":
            yield "back", 1
    if tile.animal:
        yield from ((tile.animal, 1), ("animal", 1))


def _counted_parts(counts: Counts) -> Iterator[tuple[str, int]]:
    """Yield what of the box a map that was counted by hand uses at least."""
    yield from (("tent", counts.tents), ("campsite", counts.tents), ("animal", counts.animals))
    waterfalls = -(-counts.waterfalls // 8)  # each scores 8 at most
    yield from (("waterfall", waterfalls), ("back", counts.tents + waterfalls + counts.lakes))


def used_by(tiles: TrailMap, counts: Counts | None) -> Iterator[tuple[str, int]]:
    """Yield what of the box one player's map uses, or their counts do at least."""
    if counts is not None:
        yield from _counted_parts(counts)
    for tile in tiles:
        yield from _parts(tile)


def _use(parts: Iterable[tuple[str, int]], place: str, used: Counter[str]) -> None:
    for part, number in parts:
        used[part] += number
        supply = SUPPLIES[part]
        if used[part] > supply.holds:
            raise at(place, f"the box has {supply.holds} {supply.noun}; with this there would be {used[part]}")


def _check_counts(counts: Counts, place: str, solo: bool) -> None:
    for field in counts.__struct_fields__:
        value = getattr(counts, field)
        most = most_counted(field, solo)
        if not 0 <= value <= most:
            nearest = min(max(value, 0), most)
            raise at(f"{place}.{field}", f"this is 0 to {most}, not {quoted(value)}; did you mean {nearest}?")
