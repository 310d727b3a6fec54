"""Build maps of ALPINE TRAILS for the tests, from a drawing or at random by the rules."""

import random
import re

from scoring.alpine_trails.map.fitting import can_place
from scoring.alpine_trails.map.grid import edge_cells, with_lakes
from scoring.alpine_trails.map.tiles import Cell, PlacedTile, Tile, TrailMap, place_tile, rotations

TERRAIN_LETTERS = {"f": "forest", "r": "rock", "m": "meadow", "w": "wetland"}
KIND_WORDS = {"lake": "lake", "fall": "waterfall", "camp": "campsite"}
TILE_PATTERN = re.compile(
    r"(?P<kind>lake|fall|camp)|(?P<base>B)?(?P<exits>[NESW]*)(?P<miles>\d?)(?P<terrain>[frmw])(?P<icons>\d?)"
)


def parse_map(text: str) -> TrailMap:
    """Return the map of a drawing: a row of words for each row of cells.

    `Br` is a square of base camp with a rock icon, `f` a forest side with two icons, `NS3f` a trail side of three
    miles in a forest with an icon. `f0` and `NS3f2` give the number of icons. The rest: `lake`, `fall`, `camp`, and
    `.` for an empty cell.
    """
    rows = [line.split() for line in text.strip().splitlines()]
    cells = [(x, y, word) for y, row in enumerate(rows) for x, word in enumerate(row) if word != "."]
    return tuple(parse_tile(word, x, y) for x, y, word in cells)


def parse_tile(word: str, x: int = 0, y: int = 0) -> PlacedTile:
    """Return the tile of a word of a drawing."""
    part = TILE_PATTERN.fullmatch(word)
    assert part, word
    if part["kind"]:
        return PlacedTile(x, y, KIND_WORDS[part["kind"]])
    kind = "base" if part["base"] else "trail" if part["exits"] else "terrain"
    icons = int(part["icons"] or (2 if kind == "terrain" else 1))
    return PlacedTile(x, y, kind, TERRAIN_LETTERS[part["terrain"]], part["exits"], int(part["miles"] or 0), icons)


def map_to_document(tiles: TrailMap) -> list[dict]:
    """Return a map in the format of a final-position document."""
    fields = PlacedTile.__struct_fields__
    return [{name: getattr(tile, name) for name in fields if getattr(tile, name) or name in "xy"} for tile in tiles]


TRAIL_SHAPES = ("NS", "NS", "NE", "NE", "NE", "NES", "NESW")


def random_tile(rng: random.Random) -> Tile:
    """Return a random tile that a player may draw, on one of its sides."""
    terrain = _random_terrain(rng)
    if rng.random() < 0.35:
        return Tile("terrain", terrain, icons=2)
    return Tile("trail", terrain, rng.choice(TRAIL_SHAPES), rng.randint(1, 3), 1)


def _random_terrain(rng: random.Random) -> str:
    return rng.choice(tuple(TERRAIN_LETTERS.values()))


def random_map(rng: random.Random, size: int, lakes: bool = True, camp_interval: int = 9) -> TrailMap:
    """Return a legal random map with `size` trail and terrain tiles.

    Camps and waterfalls are placed now and then, lakes at the ends of trails.
    """
    tiles: TrailMap = (
        PlacedTile(0, 0, "base", "rock", icons=1),
        PlacedTile(1, 0, "base", _random_terrain(rng), icons=1),
    )
    for number in range(size):
        tiles = (*tiles, _random_placement(rng, tiles))
        more = (
            Tile("waterfall")
            if number % camp_interval == camp_interval // 2
            else Tile("campsite")
            if number % camp_interval == camp_interval - 1
            else None
        )
        placed = more and _find_placement(rng, tiles, more, tuple(edge_cells(tiles)))
        tiles = (*tiles, placed) if placed else tiles
    return with_lakes(tiles) if lakes else tiles


def _random_placement(rng: random.Random, tiles: TrailMap) -> PlacedTile:
    """Return a random tile with a legal place, drawing until there is one."""
    while True:
        placed = _find_placement(rng, tiles, random_tile(rng), tuple(edge_cells(tiles)))
        if placed:
            return placed


def _find_placement(rng: random.Random, tiles: TrailMap, tile: Tile, cells: tuple[Cell, ...]) -> PlacedTile | None:
    tried = [place_tile(rotation, x, y) for x, y in cells for rotation in rotations(tile).values()]
    rng.shuffle(tried)
    return next((placed for placed in tried if can_place(tiles, placed)), None)
