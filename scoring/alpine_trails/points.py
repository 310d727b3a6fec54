"""What a finished map of ALPINE TRAILS is worth, category by category as on the sheet, and the ranks of the solo game."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import ANIMAL, LAKE, LENGTH_GOAL, RANKS, TENT
from scoring.alpine_trails.map.fitting import loose
from scoring.alpine_trails.map.grid import cells, where
from scoring.alpine_trails.map.habitats import around_all, largest, waterfalls
from scoring.alpine_trails.map.paths import Path, longest
from scoring.alpine_trails.map.tiles import ANIMALS, TERRAINS, Cell, Placed, TrailMap
from scoring.kernel.english import plural
from scoring.kernel.move import chosen
from scoring.kernel.rule import Rule, house_rulings
from scoring.kernel.sheet import Line, Sheet, sheet

GoalKind = Literal["path-length", "habitat-icons", "path-icons", "tent-icons", "waterfall-icons"]
GoalTerrain = Literal["forest", "rock", "meadow", "wetland", "any"]
GOAL_KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
GOAL_TERRAINS: tuple[GoalTerrain, ...] = get_args(GoalTerrain)
GOALS_FOR: dict[GoalKind, tuple[GoalTerrain | None, ...]] = {  # which terrains a goal of each kind can be for
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
STARTS = {"base": "base camp", "campsite": "the campsite", "trail": "the fork"}


class Goal(Struct, frozen=True):
    """What a goal card scores for. A path length goal has no terrain; of tents and waterfalls it may be any."""

    kind: GoalKind
    terrain: GoalTerrain | None = None


class Counts(Struct, frozen=True):
    """A map counted by hand: `lakes`, `tents` and `animals` are how many, `path` is miles, the rest are points."""

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
    """What scoring needs of one player: a map and a goal, or what was counted by hand."""

    name: str
    map: TrailMap = ()
    counts: Counts | None = None
    goal: Goal | None = None


class Final(Struct, frozen=True):
    """What scoring needs of a finished game."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}
    solo: bool = False


def score(final: Final) -> Sheet:
    """Return the explained score sheet of a finished game."""
    scored = sheet(
        game="alpine-trails",
        categories=CATEGORIES,
        names=[player.name for player in final.players],
        lines=[_lines(player, tuple(final.rulings.items()), final.solo) for player in final.players],
        rulings=house_rulings(r.RULINGS, final.rulings),
    )
    columns = tuple(
        replace(column, warnings=tuple(text for _, text in loose(player.map)))
        for column, player in zip(scored.columns, final.players, strict=True)
    )
    return ranked_alone(replace(scored, columns=columns)) if final.solo else replace(scored, columns=columns)


def ranked_alone(scored: Sheet) -> Sheet:
    """Return the sheet of a solo game with the rank its score gives."""
    (column,) = scored.columns
    title = solo_rank(column.total)
    verdict = f"{column.name} scores {plural(column.total, 'point')}: "
    verdict += f"{title.rstrip('.')}." if title else f"the ranks begin at {RANKS[-1][0]}."
    return replace(scored, columns=(replace(column, title=title),), verdict=verdict)


def solo_rank(points: int) -> str:
    """Return the rank a solo score gives, or nothing below the lowest."""
    return next((title for least, title in RANKS if points >= least), "")


@lru_cache(maxsize=512)
def _lines(player: FinalPlayer, rulings: tuple[tuple[str, str], ...], solo: bool) -> tuple[Line, ...]:
    """Return all lines of a player; a page shows the score at every tap, and most maps are as they were."""
    return tuple(player_lines(player, dict(rulings), solo))


def player_lines(player: FinalPlayer, rulings: dict[str, str], solo: bool) -> Iterator[Line]:
    """Yield all lines of a player, in the order of the sheet."""
    if player.counts is not None:
        yield from counted_lines(player.counts)
        return
    yield from habitat_lines(player.map, rulings)
    yield from waterfall_lines(player.map)
    yield from lake_lines(player.map)
    yield from tent_lines(player.map)
    yield from animal_lines(player.map, solo)
    path = the_path(player.map, player.goal, rulings)
    yield from path_lines(player.map, path)
    if player.goal:
        yield GOALS[player.goal.kind](player.map, player.goal, path, rulings)


def marks(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return what to point at on the picture: "x,y" of each tile."""
    return tuple(f"{x},{y}" for x, y in cells)


# The map


def habitat_lines(tiles: TrailMap, rulings: dict[str, str]) -> Iterator[Line]:
    """Yield the largest habitat of each terrain."""
    for terrain in TERRAINS:
        habitat = largest(tiles, terrain, rulings)
        if habitat is None or not habitat.icons:
            continue
        because = f"{plural(habitat.icons, 'icon')} on {plural(len(habitat.cells), 'tile')}."
        at = cells(tiles)
        on_base = any(at[cell].kind == "base" for cell in habitat.cells)
        rules = (r.SCORE_HABITATS, r.BASE_CAMP_SQUARES) if on_base else (r.SCORE_HABITATS,)
        yield Line("habitats", terrain.capitalize(), habitat.icons, because, rules, marks(habitat.cells))


def waterfall_lines(tiles: TrailMap) -> Iterator[Line]:
    """Yield each waterfall with the tiles round it."""
    for number, (cell, near) in enumerate(waterfalls(tiles).items(), 1):
        because = f"{plural(len(near), 'tile')} around it; it lies {where(tiles, cell)}."
        pointed = marks((cell, *(tile.cell for tile in near)))
        yield Line(
            "waterfalls", f"Waterfall {number}", len(near), because, (r.SCORE_WATERFALLS,), pointed, printed=True
        )


def lake_lines(tiles: TrailMap) -> Iterator[Line]:
    """Yield one line for all lakes."""
    if lakes := _of_kind(tiles, "lake"):
        yield _each("lakes", "lake", len(lakes), LAKE, r.SCORE_LAKES, marks(lakes))


def tent_lines(tiles: TrailMap) -> Iterator[Line]:
    """Yield one line for all tents: one stands on every campsite."""
    if tents := _of_kind(tiles, "campsite"):
        yield _each("tents", "tent", len(tents), TENT, r.SCORE_TENTS, marks(tents))


def animal_lines(tiles: TrailMap, solo: bool) -> Iterator[Line]:
    """Yield one line for each kind of animal; more than one of a kind count in the solo game only."""
    for animal in ANIMALS:
        herd = [tile.cell for tile in tiles if tile.animal == animal]
        counted = herd if solo else herd[:1]
        because, rules = f"{ANIMAL} points.", (r.SCORE_ANIMALS,)
        if len(herd) > 1:
            counts = f"{ANIMAL} points each" if solo else "a kind counts once"
            because = f"{len(herd)} on the map; {counts}."
            rules = (r.SCORE_ANIMALS, r.SOLO_ANIMALS if solo else r.ANIMAL_ONCE)
        if herd:
            yield Line(
                "animals", animal.capitalize(), ANIMAL * len(counted), because, rules, marks(counted), printed=True
            )


def the_path(tiles: TrailMap, goal: Goal | None, rulings: dict[str, str]) -> Path | None:
    """Return the longest path; of those that tie, the one best for a goal that counts its icons."""
    tied = longest(tiles, rulings)
    if goal and goal.kind == "path-icons":
        return max(tied, key=lambda path: _icons(_path_tiles(tiles, path, goal)), default=None)
    return tied[0] if tied else None


def path_lines(tiles: TrailMap, path: Path | None) -> Iterator[Line]:
    """Yield the longest path; where the trails of a map make none, why not."""
    if not path and any(tile.kind == "trail" for tile in tiles):
        why = "No trail that ends in a lake is joined to base camp."
        yield Line("path", "Longest path", 0, why, (r.SCORE_PATH, r.PATH_LOOSE))
    elif path and not path.miles:
        at = cells(tiles)
        why = f"No mile lies between the lake and {STARTS[at[path.start].kind]}."
        yield Line("path", "Longest path", 0, why, (r.SCORE_PATH,), marks((path.end, *path.cells)))
    elif path:
        at = cells(tiles)
        steps = " + ".join(str(miles) for miles in path.steps) + (" mile" if path.miles == 1 else " miles")
        end = "the lake" if path.end in at else "its open end"
        because = f"{steps} from {end} back to {STARTS[at[path.start].kind]}."
        if path.pair:
            because = f"{steps} on two trails that meet at the lake."
        yield Line("path", "Longest path", path.miles, because, (r.SCORE_PATH,), marks((path.end, *path.cells)))


def _of_kind(tiles: TrailMap, kind: str) -> list[Cell]:
    return [tile.cell for tile in tiles if tile.kind == kind]


def _each(category: str, noun: str, number: int, worth: int, rule: Rule, pointed: tuple[str, ...] = ()) -> Line:
    return Line(category, plural(number, noun), worth * number, f"{worth} points each.", (rule,), pointed)


# Goals: each returns its line, of no points where there is nothing to score


def goal_length(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    miles = path.miles if path else 0
    reached = [worth for least, worth in LENGTH_GOAL if miles >= least]
    points = sum(reached) if chosen(rulings, r.LENGTH_GOAL) == "fifteen" else max(reached, default=0)
    most = max((least for least, _ in LENGTH_GOAL if miles >= least), default=None)
    because = f"The longest path has {plural(miles, 'mile')}, "
    because += f"{most} or more." if most else f"fewer than {LENGTH_GOAL[0][0]}."
    return Line("goal", "Goal: path length", points, because, (r.GOAL_LENGTH,), marks(path.cells if path else ()))


def goal_habitat(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    habitat = largest(tiles, goal.terrain, rulings)
    icons = habitat.icons if habitat else 0
    because = f"{plural(icons, 'icon')} in the largest {goal.terrain} habitat."
    pointed = marks(habitat.cells if habitat else ())
    return Line("goal", f"Goal: {goal.terrain} habitat", icons, because, (r.GOAL_HABITAT,), pointed)


def goal_path(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    counted = _path_tiles(tiles, path, goal) if path else ()
    where = "on the longest path"
    if chosen(rulings, r.PATH_TIE) == "all" and len(tied := longest(tiles, rulings)) > 1:
        counted = tuple(dict.fromkeys(tile for each in tied for tile in _path_tiles(tiles, each, goal)))
        where = f"on the {len(tied)} longest paths"
    return _icon_goal("path", goal, counted, where, r.GOAL_PATH)


def goal_tents(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    return _icon_goal(
        "tents", goal, _of_terrain(around_all(tiles, "campsite"), goal), "around your tents", r.GOAL_TENTS
    )


def goal_waterfalls(tiles: TrailMap, goal: Goal, path: Path | None, rulings: dict[str, str]) -> Line:
    near = _of_terrain(around_all(tiles, "waterfall"), goal)
    return _icon_goal("waterfalls", goal, near, "around your waterfalls", r.GOAL_WATERFALLS)


GOALS = {
    "path-length": goal_length,
    "habitat-icons": goal_habitat,
    "path-icons": goal_path,
    "tent-icons": goal_tents,
    "waterfall-icons": goal_waterfalls,
}


def _icon_goal(near: str, goal: Goal, counted: tuple[Placed, ...], where: str, rule: Rule) -> Line:
    terrain = "" if goal.terrain == "any" else f"{goal.terrain} "
    label = f"Goal: {terrain}icons, {near}"
    because = f"{plural(_icons(counted), f'{terrain}icon')} {where}."
    rules = (rule, r.GOAL_ANY) if goal.terrain == "any" else (rule,)
    return Line("goal", label, _icons(counted), because, rules, marks(tile.cell for tile in counted))


def _path_tiles(tiles: TrailMap, path: Path, goal: Goal) -> tuple[Placed, ...]:
    at = cells(tiles)
    return _of_terrain((at[cell] for cell in path.cells), goal)


def _of_terrain(tiles: Iterable[Placed], goal: Goal) -> tuple[Placed, ...]:
    return tuple(tile for tile in tiles if tile.icons and goal.terrain in ("any", tile.terrain))


def _icons(tiles: Iterable[Placed]) -> int:
    return sum(tile.icons for tile in tiles)


# Counted by hand


def counted_lines(counts: Counts) -> Iterator[Line]:
    """Yield the lines of a player who counted by hand."""
    by_hand = "Counted by hand."
    for terrain in TERRAINS:
        if points := getattr(counts, terrain):
            yield Line("habitats", terrain.capitalize(), points, by_hand, (r.SCORE_HABITATS,))
    if counts.waterfalls:
        yield Line("waterfalls", "Waterfalls", counts.waterfalls, by_hand, (r.SCORE_WATERFALLS,))
    if counts.lakes:
        yield _each("lakes", "lake", counts.lakes, LAKE, r.SCORE_LAKES)
    if counts.tents:
        yield _each("tents", "tent", counts.tents, TENT, r.SCORE_TENTS)
    if counts.animals:
        yield _each("animals", "animal", counts.animals, ANIMAL, r.SCORE_ANIMALS)
    if counts.path:
        yield Line("path", "Longest path", counts.path, by_hand, (r.SCORE_PATH,))
    if counts.goal:
        yield Line("goal", "Goal", counts.goal, by_hand, (r.SCORE_GOAL,))
