"""Scoring of a finished ALPINE TRAILS map by category, and the ranks of the solo game."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMAL_POINTS, LAKE_POINTS, LENGTH_GOAL_POINTS, RANKS, TENT_POINTS
from scoring.alpine_trails.map.finished import final_warnings
from scoring.alpine_trails.map.grid import describe_cell, tiles_by_cell
from scoring.alpine_trails.map.habitats import largest_habitat, tiles_around_kind, tiles_around_waterfalls
from scoring.alpine_trails.map.paths import Path, longest_paths
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS, Cell, PlacedTile, TrailMap
from scoring.kernel.english import capitalize_first, pluralize
from scoring.kernel.move import chosen_option
from scoring.kernel.rule import Rule, describe_house_rules
from scoring.kernel.sheet import Line, Sheet, make_sheet

GoalKind = Literal["path-length", "habitat-icons", "path-icons", "tent-icons", "waterfall-icons"]
GoalTerrain = Literal["forest", "rock", "meadow", "wetland", "any"]
GOAL_KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
GOAL_TERRAINS: tuple[GoalTerrain, ...] = get_args(GoalTerrain)
TERRAINS_BY_GOAL: dict[GoalKind, tuple[GoalTerrain | None, ...]] = {  # possible terrains for each kind of goal
    "path-length": (None,),
    "habitat-icons": TERRAINS,
    "path-icons": TERRAINS,
    "tent-icons": ("any", *TERRAINS),
    "waterfall-icons": ("any", *TERRAINS),
}

CATEGORIES = (
    ("habitats", "Habitats"),
    ("waterfalls", "Waterfalls"),
    ("lakes", "Lakes"),
    ("tents", "Tents"),
    ("animals", "Animals"),
    ("path", "Longest path"),
    ("goal", "Goal"),
)
PATH_START_TEXTS = {"base": "base camp", "campsite": "the campsite", "trail": "the fork"}


class Goal(Struct, frozen=True):
    """The scoring condition of a goal card.

    A path length goal has no terrain; tent and waterfall goals may have any terrain.
    """

    kind: GoalKind
    terrain: GoalTerrain | None = None


class Counts(Struct, frozen=True):
    """The hand counts of a map.

    Lakes, tents and animals are numbers of items, the path is in miles, the rest are points.
    """

    forest: int = 0
    rock: int = 0
    meadow: int = 0
    wetland: int = 0
    waterfalls: int = 0
    lakes: int = 0
    tents: int = 0
    animals: int = 0
    path: int = 0
    goal: int = 0


class FinalPlayer(Struct, frozen=True):
    """One player's part of a final position: a map and a goal, or hand counts."""

    name: str
    map: TrailMap = ()
    counts: Counts | None = None
    goal: Goal | None = None


class Final(Struct, frozen=True):
    """The final position of a game, as needed for scoring."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}
    solo: bool = False


def score(final: Final) -> Sheet:
    """Return the score sheet of a finished game, with explanations."""
    scored = make_sheet(
        game="alpine-trails",
        categories=CATEGORIES,
        names=[player.name for player in final.players],
        lines=[_cached_lines(player, tuple(final.rulings.items()), final.solo) for player in final.players],
        rulings=describe_house_rules(r.RULINGS, final.rulings),
    )
    columns = tuple(
        replace(column, warnings=_warnings(player, final.rulings))
        for column, player in zip(scored.columns, final.players, strict=True)
    )
    return add_solo_rank(replace(scored, columns=columns)) if final.solo else replace(scored, columns=columns)


def _warnings(player: FinalPlayer, rulings: dict[str, str]) -> tuple[str, ...]:
    found = final_warnings(player.map, tuple(rulings.items()), counts_tied_paths(player.goal))
    return tuple(text for _, text in found)


def counts_tied_paths(goal: Goal | None) -> bool:
    """Return whether a goal scores differently for different tied longest paths."""
    return goal is not None and goal.kind == "path-icons"


def add_solo_rank(scored: Sheet) -> Sheet:
    """Return the sheet of a solo game with the rank of its score."""
    (column,) = scored.columns
    title = solo_rank(column.total)
    text = f"{column.name} scores {pluralize(column.total, 'point')}: "
    text += f"{title.rstrip('.')}." if title else f"ranks start at {RANKS[-1][0]} points."
    return replace(scored, columns=(replace(column, title=title),), result_text=text)


def solo_rank(points: int) -> str:
    """Return the rank of a solo score; empty below the lowest rank."""
    return next((title for least, title in RANKS if points >= least), "")


@lru_cache(maxsize=512)
def _cached_lines(player: FinalPlayer, rulings: tuple[tuple[str, str], ...], solo: bool) -> tuple[Line, ...]:
    """Return all lines of a player, cached because pages show the score after every tap."""
    return tuple(player_lines(player, dict(rulings), solo))


def player_lines(player: FinalPlayer, rulings: dict[str, str], solo: bool) -> Iterator[Line]:
    """Yield all lines of a player, in the order of the sheet."""
    if player.counts is not None:
        yield from hand_count_lines(player.counts)
        return
    yield from habitat_lines(player.map, rulings)
    yield from waterfall_lines(player.map)
    for category, kind in (("lakes", "lake"), ("tents", "campsite")):  # Each campsite has a tent.
        cells = [tile.cell for tile in player.map if tile.kind == kind]
        yield from item_lines(category, len(cells), cells)
    yield from animal_lines(player.map, solo)
    path = scored_path(player.map, player.goal, rulings)
    yield from path_lines(player.map, path)
    if player.goal:
        yield GOAL_LINES[player.goal.kind](player.map, player.goal, path, rulings)


def marks(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return the marks of cells on the map picture: "x,y" for each."""
    return tuple(f"{x},{y}" for x, y in cells)


# Lines of a map


def habitat_lines(tiles: TrailMap, rulings: dict[str, str]) -> Iterator[Line]:
    """Yield the largest habitat of each terrain."""
    for terrain in TERRAINS:
        habitat = largest_habitat(tiles, terrain, rulings)
        if habitat is None or not habitat.icons:
            continue
        because = f"{pluralize(habitat.icons, 'icon')} on {pluralize(len(habitat.cells), 'tile')}."
        by_cell = tiles_by_cell(tiles)
        on_base = any(by_cell[cell].kind == "base" for cell in habitat.cells)
        rules = (r.SCORE_HABITATS, r.BASE_CAMP_SQUARES) if on_base else (r.SCORE_HABITATS,)
        yield Line("habitats", terrain.capitalize(), habitat.icons, because, rules, marks(habitat.cells))


def waterfall_lines(tiles: TrailMap) -> Iterator[Line]:
    """Yield one line for each waterfall, with the tiles around it."""
    for number, (cell, surrounding) in enumerate(tiles_around_waterfalls(tiles).items(), 1):
        because = capitalize_first(f"{describe_cell(tiles, cell)}: {pluralize(len(surrounding), 'tile')} around it.")
        tile_marks = marks((cell, *(tile.cell for tile in surrounding)))
        yield Line(
            "waterfalls",
            f"Waterfall {number}",
            len(surrounding),
            because,
            (r.SCORE_WATERFALLS,),
            tile_marks,
            needs_no_explanation=True,
        )


def animal_lines(tiles: TrailMap, solo: bool) -> Iterator[Line]:
    """Yield one line for each kind of animal.

    Several animals of a kind count in the solo game only.
    """
    for animal in ANIMALS:
        cells = [tile.cell for tile in tiles if tile.animal == animal]
        counted = cells if solo else cells[:1]
        because, rules = "On the map.", (r.SCORE_ANIMALS,)
        if len(cells) > 1:
            counts = f"{ANIMAL_POINTS} points each" if solo else "each type scores once"
            because = f"{len(cells)} on the map, {counts}."
            rules = (r.SCORE_ANIMALS, r.SOLO_ANIMALS if solo else r.ANIMAL_ONCE)
        if cells:
            yield Line(
                "animals",
                animal.capitalize(),
                ANIMAL_POINTS * len(counted),
                because,
                rules,
                marks(counted),
                needs_no_explanation=True,
            )


def scored_path(tiles: TrailMap, goal: Goal | None, rulings: dict[str, str]) -> Path | None:
    """Return the longest path; among tied paths, the best one for a goal that counts path icons."""
    tied = longest_paths(tiles, rulings)
    if goal and counts_tied_paths(goal):
        return max(tied, key=lambda path: _count_icons(_path_tiles(tiles, path, goal)), default=None)
    return tied[0] if tied else None


def path_lines(tiles: TrailMap, path: Path | None) -> Iterator[Line]:
    """Yield the line of the longest path; on a map with trails but no path, the reason."""
    if not path and any(tile.kind == "trail" for tile in tiles):
        because = "No trail from a lake leads back to a fork, a campsite or base camp."
        yield Line("path", "Longest path", 0, because, (r.SCORE_PATH, r.PATH_LOOSE))
    elif path:
        by_cell = tiles_by_cell(tiles)
        start = PATH_START_TEXTS[by_cell[path.start].kind]
        steps = " + ".join(str(miles) for miles in path.tile_miles) + (" mile" if path.miles == 1 else " miles")
        if not path.miles:
            because = f"There are 0 miles between the lake and {start}."
        elif path.is_pair:
            because = f"{steps} on two trails that end in one lake."
        else:
            because = f"{steps} from {'the lake' if path.end in by_cell else 'its open end'} back to {start}."
        yield Line("path", "Longest path", path.miles, because, (r.SCORE_PATH,), marks((path.end, *path.cells)))


# Categories in which each item scores the same: the noun, the points and the rule.
_POINTS_EACH = {
    "lakes": ("lake", LAKE_POINTS, r.SCORE_LAKES),
    "tents": ("tent", TENT_POINTS, r.SCORE_TENTS),
    "animals": ("animal", ANIMAL_POINTS, r.SCORE_ANIMALS),
}


def item_lines(category: str, number: int, cells: Iterable[Cell] = ()) -> Iterator[Line]:
    """Yield one line for all items of a category in which each scores the same."""
    noun, points, rule = _POINTS_EACH[category]
    if number:
        yield Line(category, pluralize(number, noun), points * number, f"{points} points each.", (rule,), marks(cells))


# Goals. Each function returns one line, with 0 points if there is nothing to score.


def length_goal_line(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    miles = path.miles if path else 0
    reached = [points_for_goal for least, points_for_goal in LENGTH_GOAL_POINTS if miles >= least]
    points = sum(reached) if chosen_option(rulings, r.LENGTH_GOAL) == "fifteen" else max(reached, default=0)
    most = max((least for least, _ in LENGTH_GOAL_POINTS if miles >= least), default=None)
    because = f"The longest path is {pluralize(miles, 'mile')} long, "
    because += f"at least {most}." if most else f"less than {LENGTH_GOAL_POINTS[0][0]}."
    return Line(
        "goal", "Goal: length of the longest path", points, because, (r.GOAL_LENGTH,), marks(path.cells if path else ())
    )


def habitat_goal_line(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    habitat = largest_habitat(tiles, goal.terrain, rulings)
    icons = habitat.icons if habitat else 0
    tile_marks = marks(habitat.cells if habitat else ())
    return Line(
        "goal",
        f"Goal: icons in the largest {goal.terrain} habitat",
        icons,
        _icons_text(icons),
        (r.GOAL_HABITAT,),
        tile_marks,
    )


def path_goal_line(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    counted = _path_tiles(tiles, path, goal) if path else ()
    path_text = ""
    if chosen_option(rulings, r.PATH_TIE) == "all" and len(tied := longest_paths(tiles, rulings)) > 1:
        counted = tuple(dict.fromkeys(tile for tied_path in tied for tile in _path_tiles(tiles, tied_path, goal)))
        path_text = f" on {len(tied)} paths"
    return _icon_goal_line("on the longest path", goal, counted, r.GOAL_PATH, path_text)


# Goals that count the icons around tiles: the kind of tile, the noun and the rule.
_GOALS_AROUND_TILES = {
    "tent-icons": ("campsite", "tents", r.GOAL_TENTS),
    "waterfall-icons": ("waterfall", "waterfalls", r.GOAL_WATERFALLS),
}


def surroundings_goal_line(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    kind, noun, rule = _GOALS_AROUND_TILES[goal.kind]
    counted = _tiles_of_goal_terrain(tiles_around_kind(tiles, kind), goal)
    return _icon_goal_line(f"around {noun}", goal, counted, rule)


GOAL_LINES = {
    "path-length": length_goal_line,
    "habitat-icons": habitat_goal_line,
    "path-icons": path_goal_line,
    "tent-icons": surroundings_goal_line,
    "waterfall-icons": surroundings_goal_line,
}


def _icon_goal_line(where: str, goal: Goal, counted: tuple[PlacedTile, ...], rule: Rule, path_text: str = "") -> Line:
    terrain = "" if goal.terrain == "any" else f"{goal.terrain} "
    label = f"Goal: {terrain}icons {where}"
    icons = _count_icons(counted)
    rules = (rule, r.GOAL_ANY) if goal.terrain == "any" else (rule,)
    return Line("goal", label, icons, _icons_text(icons, path_text), rules, marks(tile.cell for tile in counted))


def _icons_text(icons: int, path_text: str = "") -> str:
    """Return how icons score for a goal: "12 icons, 1 point each."."""
    points_text = ", 1 point each" if icons > 1 else ""
    return f"{pluralize(icons, 'icon') if icons else 'No icons'}{path_text}{points_text}."


def _path_tiles(tiles: TrailMap, path: Path, goal: Goal) -> tuple[PlacedTile, ...]:
    by_cell = tiles_by_cell(tiles)
    return _tiles_of_goal_terrain((by_cell[cell] for cell in path.cells), goal)


def _tiles_of_goal_terrain(tiles: Iterable[PlacedTile], goal: Goal) -> tuple[PlacedTile, ...]:
    return tuple(tile for tile in tiles if tile.icons and goal.terrain in ("any", tile.terrain))


def _count_icons(tiles: Iterable[PlacedTile]) -> int:
    return sum(tile.icons for tile in tiles)


# Lines of hand counts


def hand_count_lines(counts: Counts) -> Iterator[Line]:
    """Yield the lines of a player who entered hand counts."""
    because = "Entered as a total."
    for terrain in TERRAINS:
        if points := getattr(counts, terrain):
            yield Line("habitats", terrain.capitalize(), points, because, (r.SCORE_HABITATS,))
    if counts.waterfalls:
        yield Line("waterfalls", "Waterfalls", counts.waterfalls, because, (r.SCORE_WATERFALLS,))
    for category in _POINTS_EACH:
        yield from item_lines(category, getattr(counts, category))
    if counts.path:
        yield Line("path", "Longest path", counts.path, because, (r.SCORE_PATH,))
    if counts.goal:
        yield Line("goal", "Goal", counts.goal, because, (r.SCORE_GOAL,))
