"""Where a tile may be placed on a map, and why not."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import CAMPSITE_MILES
from scoring.alpine_trails.map.grid import (
    Sides,
    describe_cell,
    edge_cells,
    is_connected,
    tiles_by_cell,
    without_tile,
)
from scoring.alpine_trails.map.tiles import (
    DIRECTION_NAMES,
    DIRECTIONS,
    EXITS_SIMPLEST_FIRST,
    Cell,
    PlacedTile,
    Tile,
    TrailMap,
    name_with_article,
    rotations,
    tile_name,
)
from scoring.alpine_trails.map.trails import distances_to_camps, is_loop_closing
from scoring.kernel.english import pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import Reason


def objections(tiles: TrailMap, placed: PlacedTile, rulings: dict[str, str] | None = None) -> Iterator[Reason]:
    """Yield all reasons against adding a tile to a map in its cell."""
    if placed.cell in tiles_by_cell(tiles):
        name = name_with_article(tiles_by_cell(tiles)[placed.cell])
        yield Reason("occupied", r.PLACE_EMPTY, f"This square is taken: {name}. Choose an empty square.")
        return
    sides = edge_cells(tiles).get(placed.cell)
    if sides is None:
        yield Reason("not-adjacent", r.PLACE_ADJACENT, "This square does not touch your map. Place tiles edge to edge.")
        return
    match placed.kind:
        case "trail":
            yield from _trail_objections(tiles, placed, sides)
        case "terrain":
            yield from _blocked_end_objections(tiles, placed, sides, r.PLACE_TERRAIN)
        case "waterfall":
            yield from _blocked_end_objections(tiles, placed, sides, r.PLACE_WATERFALL)
        case "campsite":
            yield from _campsite_objections(tiles, placed.cell, sides, rulings or {})
        case "lake" if not sides.ends:
            yield Reason("no-end-here", r.LAKES_AT_ENDS, "No trail ends here. A lake goes at the end of a trail.")
        case "base":
            yield Reason("one-base-camp", r.BASE_CAMP, "Your base camp is already on your map.")


def _trail_objections(tiles: TrailMap, placed: PlacedTile, sides: Sides) -> Iterator[Reason]:
    for letter in placed.exits:
        if letter in sides.walls:
            name = name_with_article(_neighbor(tiles, placed.cell, letter))
            text = f"To the {DIRECTION_NAMES[letter]}, the trail would run into {name}."
            yield Reason("runs-into", r.TRAIL_RUNS_ON, text)
    yield from _blocked_end_objections(tiles, placed, sides, r.TRAIL_RUNS_ON)
    if not _has_trail_connection(placed, sides):
        text = "This trail must connect to base camp, a campsite or another trail. Rotate it or choose another square."
        yield Reason("not-connected", r.TRAIL_CONNECTED, text)


def _has_trail_connection(trail: PlacedTile | Tile, sides: Sides) -> bool:
    return any(letter in trail.exits for letter in sides.ends + sides.camps)


def _blocked_end_objections(tiles: TrailMap, placed: PlacedTile, sides: Sides, rule: r.Rule) -> Iterator[Reason]:
    for letter in sides.ends:
        if letter not in placed.exits:
            name = tile_name(_neighbor(tiles, placed.cell, letter))
            yield Reason("blocks-end", rule, f"This would block the trail to the {DIRECTION_NAMES[letter]} ({name}).")


def _campsite_objections(tiles: TrailMap, cell: Cell, sides: Sides, rulings: dict[str, str]) -> Iterator[Reason]:
    if not sides.ends:
        yield Reason("no-end-here", r.CAMPSITE_AT_END, "No trail ends here. A campsite goes at the end of a trail.")
        return
    if chosen_option(rulings, r.CAMPSITE_MEASURE) == "table":
        return
    if sides.camps and chosen_option(rulings, r.CAMP_BESIDE_CAMP) == "near":
        text = "This square touches base camp or a campsite, which is 0 miles away. "
        text += f"A campsite needs {CAMPSITE_MILES} miles."
        yield Reason("touching", r.CAMPSITE_TOUCHING, text)
    for camp, (miles, tile_miles) in distances_to_camps(
        tiles, cell, chosen_option(rulings, r.FORK_ON_THE_WAY) == "yes"
    ).items():
        if miles < CAMPSITE_MILES:
            kind = tiles_by_cell(tiles)[camp].kind
            camp_name = "Base camp" if kind == "base" else f"The campsite {describe_cell(tiles, camp)}"
            steps_text = f" ({' + '.join(map(str, tile_miles))})" if len(tile_miles) > 1 else ""
            distance_text = f"{pluralize(miles, 'mile')} away by trail{steps_text}"
            text = (
                f"{camp_name} is only {distance_text}. "
                f"A campsite needs {CAMPSITE_MILES} miles: {CAMPSITE_MILES - miles} more."
            )
            yield Reason("too-near", r.CAMPSITE_SIX, text)


def _neighbor(tiles: TrailMap, cell: Cell, letter: str) -> PlacedTile:
    east, south = DIRECTIONS[letter]
    return tiles_by_cell(tiles)[cell[0] + east, cell[1] + south]


@lru_cache(maxsize=64)
def legal_placements(tiles: TrailMap, tile: Tile) -> Mapping[Cell, tuple[int, ...]]:
    """Return the cells where a tile side fits, each with the quarter turns that fit.

    A campsite fits wherever a trail ends; `objections` also checks its distance from other camps.
    """
    turned_tiles = rotations(tile).items()
    found = {
        cell: tuple(quarters for quarters, turned_tile in turned_tiles if _can_fit(turned_tile, sides))
        for cell, sides in edge_cells(tiles).items()
    }
    return MappingProxyType({cell: fits for cell, fits in found.items() if fits})


@lru_cache(maxsize=64)
def legal_exits(tiles: TrailMap) -> Mapping[Cell, tuple[str, ...]]:
    """Return the cells where a trail fits, each with its possible exits, simplest shapes first."""
    found = {
        cell: tuple(exits for exits in EXITS_SIMPLEST_FIRST if _can_fit(Tile("trail", exits=exits), sides))
        for cell, sides in edge_cells(tiles).items()
    }
    return MappingProxyType({cell: fits for cell, fits in found.items() if fits})


def loop_closing_exits(tiles: TrailMap, rulings: dict[str, str]) -> Mapping[Cell, tuple[str, ...]]:
    """Return the cells where a trail can close a loop, each with the exits that do."""
    return _loop_closing_exits(tiles, chosen_option(rulings, r.LOOP_THROUGH_CAMPS) == "yes")


@lru_cache(maxsize=64)
def _loop_closing_exits(tiles: TrailMap, through_camps: bool) -> Mapping[Cell, tuple[str, ...]]:
    found = {
        cell: tuple(exits for exits in fits if is_loop_closing(tiles, cell, exits, through_camps))
        for cell, fits in legal_exits(tiles).items()
    }
    return MappingProxyType({cell: fits for cell, fits in found.items() if fits})


def _can_fit(tile: Tile, sides: Sides) -> bool:
    """Return whether a tile fits the sides of a cell.

    This must agree with `objections`, which is slower because it gives reasons.
    """
    if tile.kind in ("lake", "campsite"):
        return bool(sides.ends)
    if tile.kind != "trail":
        return not sides.ends and tile.kind != "base"
    for letter in sides.walls:
        if letter in tile.exits:
            return False
    for letter in sides.ends:
        if letter not in tile.exits:
            return False
    return _has_trail_connection(tile, sides)


def put_tile_objections(tiles: TrailMap, placed: PlacedTile) -> Iterator[Reason]:
    """Yield why a correction cannot put a tile in a cell, even if it breaks placement rules."""
    old = tiles_by_cell(tiles).get(placed.cell)
    if (placed.kind == "base") != (old is not None and old.kind == "base"):
        yield Reason(
            "one-base-camp", r.BASE_CAMP, "Base camp stays on its two squares. Change only its terrain or icons."
        )
    if old is None and placed.cell not in edge_cells(tiles):
        yield Reason("not-adjacent", r.PLACE_ADJACENT, "This square does not touch the map. Place tiles edge to edge.")


def remove_tile_objections(tiles: TrailMap, cell: Cell) -> Iterator[Reason]:
    """Yield why no tile can be removed from a cell of a map."""
    old = tiles_by_cell(tiles).get(cell)
    if old is None:
        yield Reason("no-tile", r.COMPONENTS, "There is no tile on this square.")
    elif old.kind == "base":
        yield Reason("one-base-camp", r.BASE_CAMP, "Base camp cannot be removed.")
    elif not is_connected(without_tile(tiles, cell)):
        yield Reason(
            "falls-apart", r.PLACE_ADJACENT, "Removing this tile would split the map. Remove the tiles beyond it first."
        )


def can_place(tiles: TrailMap, placed: PlacedTile, rulings: dict[str, str] | None = None) -> bool:
    """Return whether there is no objection to a tile in its cell."""
    return next(objections(tiles, placed, rulings), None) is None
