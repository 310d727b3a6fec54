"""Errors of a map that is entered as a whole, and what may have been forgotten on it."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import BAG_SIZES, BASE_SQUARES, TILES_PER_ROUND
from scoring.alpine_trails.map.grid import (
    at_location,
    cells_side_by_side,
    describe_cell,
    is_connected,
    neighbors,
    tiles_by_cell,
)
from scoring.alpine_trails.map.paths import cells_to_measure
from scoring.alpine_trails.map.tiles import (
    CAMP_KINDS,
    DIRECTION_NAMES,
    OPPOSITE,
    Cell,
    PlacedTile,
    TrailMap,
    name_with_article,
    tile_errors,
)
from scoring.alpine_trails.map.trails import cells_joined_to_camp, count_loops
from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.rule import Reason, Rule

MAX_COORDINATE = 999  # far beyond what the components can reach


def map_errors(tiles: TrailMap, *, needs_lakes: bool = True, needs_miles: bool = False) -> Iterator[Reason]:
    """Yield why a map cannot have been built, with the marks of the tiles.

    :param needs_lakes: whether each trail must end, as on a finished map while the lakes last.
    :param needs_miles: whether the miles of each trail must be entered.
    """
    if errors := list(_grid_errors(tiles)):
        yield from errors
        return
    for tile in tiles:
        for reason in tile_errors(tile, needs_miles):
            yield _at(tile.cell, reason.code, reason.rule, _with_location(tiles, tile, reason.text))
    for tile, code, rule, text in _trail_defects(tiles):
        if code != "no-lake" or needs_lakes:
            yield _at(tile.cell, code, rule, _with_location(tiles, tile, text))
    yield from _end_errors(tiles)
    yield from _animal_errors(tiles)


def _at(cell: Cell, code: str, rule: Rule, text: str) -> Reason:
    return Reason(code, rule, text, marks=(f"{cell[0]},{cell[1]}",))


def _grid_errors(tiles: TrailMap) -> Iterator[Reason]:
    """Yield why the cells of a map are no map at all."""
    base = tuple(tile for tile in tiles if tile.kind == "base")
    if len(base) != BASE_SQUARES or not is_connected(base):
        yield Reason("one-base-camp", r.BASE_CAMP_SQUARES, "A map has one base camp, on two squares side by side.")
        return
    for cell, count in Counter(tile.cell for tile in tiles).items():
        if count > 1:
            yield _at(cell, "occupied", r.PLACE_EMPTY, f"There are {count} tiles {describe_cell(tiles, cell)}.")
        if max(map(abs, cell)) > MAX_COORDINATE:
            yield Reason("too-far", r.PLACE_ADJACENT, f"No map is wider than {MAX_COORDINATE} squares.")
    if not is_connected(tiles):
        reached = cells_side_by_side(tiles, [tile.cell for tile in base])
        for tile in tiles:
            if tile.cell not in reached:
                text = _with_location(tiles, tile, "cut off from base camp. Add the tile between.")
                yield _at(tile.cell, "falls-apart", r.PLACE_ADJACENT, text)


def _with_location(tiles: TrailMap, tile: PlacedTile, defect: str) -> str:
    """Return a sentence about a defect: "Campsite just east of base camp: cut off."."""
    return f"{capitalize_first(at_location(tiles, tile))}: {defect}"


def _trail_defects(tiles: TrailMap) -> Iterator[tuple[PlacedTile, str, Rule, str]]:
    """Yield the trails that do not fit: the tile, a code, the rule and the defect."""
    by_cell, joined_cells = tiles_by_cell(tiles), cells_joined_to_camp(tiles)
    for tile in by_cell.values():
        if tile.kind == "trail" and tile.cell not in joined_cells:
            yield tile, "not-connected", r.TRAIL_CONNECTED, "not connected to base camp."
        for letter, neighbor_cell in neighbors(tile.cell):
            neighbor = by_cell.get(neighbor_cell)
            if letter not in tile.exits or (neighbor and _can_lead_into(neighbor, letter)):
                continue
            if neighbor is None:
                yield tile, "no-lake", r.LAKES_AT_ENDS, f"no lake at its {DIRECTION_NAMES[letter]} end."
            else:
                text = f"runs into {name_with_article(neighbor)} to the {DIRECTION_NAMES[letter]}."
                yield tile, "runs-into", r.TRAIL_RUNS_ON, text


def _can_lead_into(tile: PlacedTile, letter: str) -> bool:
    """Return whether a trail can lead into a tile in a direction."""
    return tile.kind == "lake" or tile.kind in CAMP_KINDS or OPPOSITE[letter] in tile.exits


def _end_errors(tiles: TrailMap) -> Iterator[Reason]:
    """Yield the campsites and lakes to which no trail leads."""
    by_cell = tiles_by_cell(tiles)
    for cell, tile in by_cell.items():
        is_reached = any(
            OPPOSITE[letter] in by_cell[neighbor].exits for letter, neighbor in neighbors(cell) if neighbor in by_cell
        )
        if tile.kind in ("campsite", "lake") and not is_reached:
            rule = r.CAMPSITE_AT_END if tile.kind == "campsite" else r.LAKES_AT_ENDS
            text = f"No trail leads into the {at_location(tiles, tile)}. Draw its trail, or remove it."
            yield _at(cell, "no-end-here", rule, text)


def _animal_errors(tiles: TrailMap) -> Iterator[Reason]:
    """Yield animals that cannot be right together: the animal card has one for each terrain."""
    for tile in tiles:
        others = [other for other in tiles if other.animal and tile.animal and other is not tile]
        for other in others:
            if (other.animal == tile.animal) != (other.terrain == tile.terrain):
                text = (
                    f"The {tile.animal} is on {tile.terrain}, and the {other.animal} {describe_cell(tiles, other.cell)}"
                )
                text = f"{text} is on {other.terrain}. Each animal has one terrain."
                yield _at(tile.cell, "other-terrain", r.ANIMAL_CARD, text)
                break


def tiles_drawn(players: int) -> int:
    """Return how many tiles each player has drawn at the end of a game."""
    return BAG_SIZES[players] // players


def map_questions(
    tiles: TrailMap, players: int, rulings: dict[str, str], *, rounds: int = 0, discards: int = 0
) -> Iterator[str]:
    """Yield what may have been forgotten on a finished map, as questions.

    :param players: the number of players, who draw the same number of tiles each.
    :param rounds: the rounds entered while playing; 0 if none, for all rounds of a game.
    :param discards: the discarded tiles entered while playing.
    """
    kinds = Counter(tile.kind for tile in tiles)
    used = kinds["trail"] + kinds["terrain"] + kinds["campsite"]
    drawn = TILES_PER_ROUND * rounds or tiles_drawn(players)
    rounds_text = f" in {pluralize(rounds, 'round')}" if rounds else ""
    drawn_text = f"{drawn} tiles{rounds_text}" + (f" and discarded {discards}" if discards else "")
    missing = drawn - discards - used
    if missing > 0:
        discard_text = "" if discards else f"did you discard {missing}, or "
        missing_text = "is one missing" if missing == 1 else "are some missing"
        question = capitalize_first(f"{discard_text}{missing_text}?")
        yield f"You drew {drawn_text}, and your map uses {used}. {question}"
    elif missing < 0:
        yield f"You drew only {drawn_text}, and your map uses {used}. Is a tile wrong?"
    yield from waterfall_questions(tiles, rulings)


def waterfall_questions(
    tiles: TrailMap, rulings: dict[str, str], map_name: str = "Your map", *, unplaced: int = 0
) -> Iterator[str]:
    """Yield a question if a map has not as many waterfalls as loops.

    :param unplaced: the waterfalls that are earned, but not placed yet.
    """
    loops, waterfalls = count_loops(tiles, rulings), sum(tile.kind == "waterfall" for tile in tiles)
    loops_text, waterfalls_text = pluralize(loops, "loop"), pluralize(waterfalls, "waterfall")
    if waterfalls > loops:
        yield f"{map_name} has {waterfalls_text} and {loops_text}. Is a trail missing?"
    elif waterfalls + unplaced < loops:
        yield f"{map_name} has {loops_text} and {waterfalls_text}. Is a waterfall missing?"


@lru_cache(maxsize=256)
def final_warnings(
    tiles: TrailMap, rulings: tuple[tuple[str, str], ...] = (), counts_ties: bool = False
) -> tuple[tuple[Cell, str], ...]:
    """Return the defects of a finished map: the cell of a tile and a sentence for each.

    :param rulings: the house rules that differ from the default.
    :param counts_ties: see `cells_to_measure`.
    """
    to_measure, trail_defects = cells_to_measure(tiles, dict(rulings), counts_ties), list(_trail_defects(tiles))
    found = []
    for tile in tiles_by_cell(tiles).values():
        if tile.icons and tile.terrain is None:
            found.append((tile, "no terrain entered, so its icons belong to no habitat."))
        if tile.cell in to_measure:
            found.append((tile, "no miles entered, so it adds none to a path."))
        found += [(tile, defect) for other, _, _, defect in trail_defects if other is tile]
    return tuple((tile.cell, _with_location(tiles, tile, defect)) for tile, defect in found)
