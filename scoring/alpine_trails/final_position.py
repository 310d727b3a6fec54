"""Final-position documents of ALPINE TRAILS: finished maps from a file or a form."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import (
    ANIMALS_OF_EACH,
    BASE_SQUARES,
    CAMPSITE_TILES,
    LAKE_BACKS,
    MAX_ICONS,
    MILES,
    TENTS,
    TERRAIN_ICONS,
    TILES_PER_ROUND,
    TRAIL_TILES,
    WATERFALL_TILES,
)
from scoring.alpine_trails.map.grid import cells_side_by_side, neighbors
from scoring.alpine_trails.map.tiles import (
    ANIMAL_PLURALS,
    ANIMALS,
    DIRECTIONS,
    TERRAIN_KINDS,
    TERRAINS,
    TILE_KINDS,
    Cell,
    PlacedTile,
    TrailMap,
)
from scoring.alpine_trails.points import (
    GOAL_KINDS,
    GOAL_TERRAINS,
    TERRAINS_BY_GOAL,
    Counts,
    Final,
    FinalPlayer,
    Goal,
    GoalTerrain,
)
from scoring.kernel.parsing import (
    check_range,
    error_at,
    quote_value,
    read_names,
    read_players,
    read_rulings,
    read_word,
    schema_only,
)

PLAYER_COUNTS = (1, 2, 3, 4, 5)
EXTRA_FIELDS = {"solo": bool}  # fields of the document beside the common ones
MAX_COORDINATE = 999  # far beyond what the components can reach


def _max_counts(players: int) -> dict[str, int]:
    """Return the maximum hand count of each category for one player.

    All trail tiles are in the bag, and each player gets the same share of them.

    :param players: the number of players who share the tiles.
    """
    share = TRAIL_TILES // (TILES_PER_ROUND * players) * TILES_PER_ROUND
    icons = MAX_ICONS * (share + BASE_SQUARES)
    return {
        **dict.fromkeys(TERRAINS, icons),
        "waterfalls": 8 * WATERFALL_TILES,
        "lakes": LAKE_BACKS,
        "tents": TENTS,
        "animals": len(ANIMALS),
        "path": MILES[-1] * share,
        "goal": icons,
    }


# With more players, each player's share is smaller.
_MULTIPLAYER_MAX_COUNTS = _max_counts(players=2)
# A solo player may have every animal in the box.
_SOLO_MAX_COUNTS = {**_max_counts(players=1), "animals": ANIMALS_OF_EACH * len(ANIMALS)}


def max_count(category: str, solo: bool) -> int:
    """Return the maximum hand count of a category."""
    return (_SOLO_MAX_COUNTS if solo else _MULTIPLAYER_MAX_COUNTS)[category]


_Coordinate = Annotated[int, schema_only(minimum=-MAX_COORDINATE, maximum=MAX_COORDINATE)]
_Terrain = Annotated[str, schema_only(enum=list(TERRAINS))]


class TileDocument(Struct, forbid_unknown_fields=True):
    """A tile of a map in a final-position document."""

    x: _Coordinate  # it grows to the east
    y: _Coordinate  # it grows to the south
    kind: Annotated[str, schema_only(enum=list(TILE_KINDS))]
    terrain: _Terrain | None = None
    exits: str = ""
    miles: Annotated[int, schema_only(enum=list(MILES))] | None = None
    icons: Annotated[int, schema_only(minimum=0, maximum=MAX_ICONS)] | UnsetType = UNSET  # UNSET counts as 0
    animal: Annotated[str, schema_only(enum=list(ANIMALS))] | None = None


class GoalDocument(Struct, forbid_unknown_fields=True):
    """The goal card of a player in a final-position document."""

    kind: Annotated[str, schema_only(enum=list(GOAL_KINDS))]
    terrain: Annotated[str, schema_only(enum=list(GOAL_TERRAINS))] | None = None


class PlayerDocument(Struct, forbid_unknown_fields=True):
    """A player of a final-position document, with a map or with counts."""

    name: str
    map: list[TileDocument] | None = None
    counts: Counts | None = None
    goal: GoalDocument | None = None


def read_final_position(document: dict) -> Final:
    """Return the final position that a document describes.

    :raises InvalidInputError: with one line that names the place of the error and the nearest valid value.
    """
    players = read_players(document, PlayerDocument, PLAYER_COUNTS, tuple(EXTRA_FIELDS))
    rulings = read_rulings(document, r.RULINGS)
    solo = _read_solo(document.get("solo", False), len(players))
    used: Counter[str] = Counter()
    finals = []
    for path, name, player in read_names(players):
        goal = _read_goal(player.goal, f"{path}.goal") if player.goal else None
        if (player.map is None) == (player.counts is None):
            raise error_at(
                path,
                'this needs a "map" or "counts"' if player.map is None else 'this needs "map" or "counts", not both',
            )
        tiles: TrailMap = ()
        if player.counts is not None:
            _check_counts(player.counts, f"{path}.counts", solo)
            _take_from_supply(_components_of_counts(player.counts), f"{path}.counts", used)
        else:
            tiles = _read_map(player.map, f"{path}.map", used)
        finals.append(FinalPlayer(name, tiles, player.counts, goal))
    return Final(tuple(finals), rulings, solo)


def _read_solo(solo: Any, players: int) -> bool:
    if not isinstance(solo, bool):
        raise error_at("solo", f"expected true or false, got {quote_value(solo)}")
    if solo and players != 1:
        raise error_at("solo", f"the solo game has 1 player, not {players}")
    return solo


def _read_goal(goal: GoalDocument, path: str) -> Goal:
    kind = read_word(goal.kind, GOAL_KINDS, f"{path}.kind", "goal")
    known: tuple[GoalTerrain, ...] = tuple(terrain for terrain in GOAL_TERRAINS if terrain in TERRAINS_BY_GOAL[kind])
    if not known:
        if goal.terrain is not None:
            raise error_at(f"{path}.terrain", f'a {kind} goal has no terrain; remove "{quote_value(goal.terrain)}"')
        return Goal(kind)
    if goal.terrain is None:
        raise error_at(f"{path}.terrain", f"this goal needs a terrain: {', '.join(known)}")
    return Goal(kind, read_word(goal.terrain, known, f"{path}.terrain", "terrain"))


# Maps


def _read_map(tile_documents: list[TileDocument], path: str, used: Counter[str]) -> TrailMap:
    tiles: dict[Cell, PlacedTile] = {}
    for number, document in enumerate(tile_documents):
        tile_path = f"{path}[{number}]"
        tile = _read_tile(document, tile_path)
        if tile.cell in tiles:
            index = list(tiles).index(tile.cell)
            raise error_at(tile_path, f"there is already a tile at {tile.x}, {tile.y}: {path}[{index}]")
        tiles[tile.cell] = tile
        _take_from_supply(_components_of_tile(tile), tile_path, used)
    trail_map = tuple(tiles.values())
    _check_base(trail_map, path)
    _check_connected(trail_map, path)
    return trail_map


def _read_tile(document: TileDocument, path: str) -> PlacedTile:
    for field, value in (("x", document.x), ("y", document.y)):
        if abs(value) > MAX_COORDINATE:
            raise error_at(
                f"{path}.{field}",
                f"a coordinate is from -{MAX_COORDINATE} to {MAX_COORDINATE}, not {quote_value(value)}",
            )
    kind = read_word(document.kind, TILE_KINDS, f"{path}.kind", "kind of tile")
    terrain = None if document.terrain is None else read_word(document.terrain, TERRAINS, f"{path}.terrain", "terrain")
    animal = None if document.animal is None else read_word(document.animal, ANIMALS, f"{path}.animal", "animal")
    _check_fields(document, path)
    exits = _read_exits(document.exits, f"{path}.exits") if kind == "trail" else ""
    if document.miles is not None:
        check_range(
            document.miles, MILES[0], MILES[-1], f"{path}.miles", f"a trail has {MILES[0]} to {MILES[-1]} miles"
        )
    icons = 0 if isinstance(document.icons, UnsetType) else document.icons
    if kind == "terrain" and document.icons is not UNSET:
        check_range(icons, TERRAIN_ICONS, TERRAIN_ICONS, f"{path}.icons", f"a terrain side has {TERRAIN_ICONS} icons")
    check_range(icons, 0, MAX_ICONS, f"{path}.icons", f"a tile has 0 to {MAX_ICONS} icons")
    return PlacedTile(document.x, document.y, kind, terrain, exits, document.miles or 0, icons, animal)


# The kinds of tile that may have each field.
KINDS_WITH_FIELD = {
    "terrain": TERRAIN_KINDS,
    "exits": ("trail",),
    "miles": ("trail",),
    "icons": TERRAIN_KINDS,
    "animal": ("terrain",),
}


def _check_fields(document: TileDocument, path: str) -> None:
    for field, kinds in KINDS_WITH_FIELD.items():
        if getattr(document, field) and document.kind not in kinds:
            raise error_at(
                f"{path}.{field}", f'a "{document.kind}" tile has no {field}; only these do: {", ".join(kinds)}'
            )


def _read_exits(exits: str, path: str) -> str:
    letters = [letter for letter in DIRECTIONS if letter in exits]
    if len(letters) == len(exits) and 2 <= len(letters) <= 4:
        return "".join(letters)
    nearest = "".join(letters) if len(letters) >= 2 else ""
    nearest = nearest or "".join(letter for letter in DIRECTIONS if letter in exits.upper())
    hint = f'; did you mean "{nearest}"?' if len(nearest) >= 2 else ""
    raise error_at(path, f'a trail has two to four different exits out of NESW, not "{quote_value(exits)}"{hint}')


def _check_base(tiles: TrailMap, path: str) -> None:
    base = [(number, tile) for number, tile in enumerate(tiles) if tile.kind == "base"]
    if len(base) != BASE_SQUARES:
        base_path = f"{path}[{base[BASE_SQUARES][0]}].kind" if len(base) > BASE_SQUARES else path
        raise error_at(base_path, f"a map has exactly two base squares; this one has {len(base)}")
    (_, first), (number, second) = base
    if second.cell not in dict(neighbors(first.cell)).values():
        raise error_at(
            f"{path}[{number}]", f"the two base squares must be adjacent; the other one is at {first.x}, {first.y}"
        )


def _check_connected(tiles: TrailMap, path: str) -> None:
    """Check that tiles side by side connect every tile to base camp.

    :raises InvalidInputError: if a tile is not connected.
    """
    reached = cells_side_by_side(tiles, (tile.cell for tile in tiles if tile.kind == "base"))
    for number, (x, y) in enumerate(tile.cell for tile in tiles):
        if (x, y) not in reached:
            raise error_at(f"{path}[{number}]", f"the tile at {x}, {y} is not connected to base camp edge to edge")


# Component supplies, shared by all players


class _Supply(Struct, frozen=True):
    count: int
    noun: str


SUPPLIES = {
    "trail": _Supply(TRAIL_TILES, "trail tiles"),
    "campsite": _Supply(CAMPSITE_TILES, "campsites"),
    "tent": _Supply(TENTS, "tents"),
    "waterfall": _Supply(WATERFALL_TILES, "waterfalls"),
    "back": _Supply(LAKE_BACKS, "campsite, waterfall and lake tiles"),
    **{animal: _Supply(ANIMALS_OF_EACH, ANIMAL_PLURALS[animal]) for animal in ANIMALS},
    "animal": _Supply(ANIMALS_OF_EACH * len(ANIMALS), "animals"),
}


def _components_of_tile(tile: PlacedTile) -> Iterator[tuple[str, int]]:
    """Yield the components that a tile on a map uses, with their number."""
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


def _components_of_counts(counts: Counts) -> Iterator[tuple[str, int]]:
    """Yield the components that a hand-counted map uses at least."""
    yield from (("tent", counts.tents), ("campsite", counts.tents), ("animal", counts.animals))
    waterfalls = -(-counts.waterfalls // 8)  # each scores at most 8
    yield from (("waterfall", waterfalls), ("back", counts.tents + waterfalls + counts.lakes))


def components_used(tiles: TrailMap, counts: Counts | None) -> Iterator[tuple[str, int]]:
    """Yield the components that a player's map or, at least, the player's counts use."""
    if counts is not None:
        yield from _components_of_counts(counts)
    for tile in tiles:
        yield from _components_of_tile(tile)


def _take_from_supply(parts: Iterable[tuple[str, int]], path: str, used: Counter[str]) -> None:
    for part, number in parts:
        used[part] += number
        supply = SUPPLIES[part]
        if used[part] > supply.count:
            raise error_at(path, f"the box has only {supply.count} {supply.noun}; this makes {used[part]}")


def _check_counts(counts: Counts, path: str, solo: bool) -> None:
    for field in counts.__struct_fields__:
        most = max_count(field, solo)
        check_range(getattr(counts, field), 0, most, f"{path}.{field}", f"this count is 0 to {most}")
