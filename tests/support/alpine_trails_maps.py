"""Maps of ALPINE TRAILS for the tests: drawn as text, or grown at random by the rules."""

import random
import re

from scoring.alpine_trails.map.fitting import may
from scoring.alpine_trails.map.grid import edge, with_lakes
from scoring.alpine_trails.map.tiles import Cell, Placed, Tile, TrailMap, put, turns

TERRAINS = {"f": "forest", "r": "rock", "m": "meadow", "w": "wetland"}
KINDS = {"lake": "lake", "fall": "waterfall", "camp": "campsite"}
TOKEN = re.compile(
    r"(?P<kind>lake|fall|camp)|(?P<base>B)?(?P<exits>[NESW]*)(?P<miles>\d?)(?P<terrain>[frmw])(?P<icons>\d?)"
)


def drawn(text: str) -> TrailMap:
    """Return the map of a drawing: a row of words for each row of cells.

    `Br` is a square of base camp with a rock icon, `f` a forest side with two icons, `NS3f` a trail side of three
    miles in a forest with an icon, `f0` and `NS3f2` say the icons; then `lake`, `fall`, `camp`, and `.` for nothing.
    """
    rows = [line.split() for line in text.strip().splitlines()]
    words = [(x, y, word) for y, row in enumerate(rows) for x, word in enumerate(row) if word != "."]
    return tuple(tile(word, x, y) for x, y, word in words)


def tile(word: str, x: int = 0, y: int = 0) -> Placed:
    """Return the tile of a word of a drawing."""
    part = TOKEN.fullmatch(word)
    assert part, word
    if part["kind"]:
        return Placed(x, y, KINDS[part["kind"]])
    kind = "base" if part["base"] else "trail" if part["exits"] else "terrain"
    icons = int(part["icons"] or (2 if kind == "terrain" else 1))
    return Placed(x, y, kind, TERRAINS[part["terrain"]], part["exits"], int(part["miles"] or 0), icons)


def as_document(tiles: TrailMap) -> list[dict]:
    """Return a map as a final-position document has it."""
    fields = Placed.__struct_fields__
    return [{name: getattr(each, name) for name in fields if getattr(each, name) or name in "xy"} for each in tiles]


SHAPES = ("NS", "NS", "NE", "NE", "NE", "NES", "NESW")


def any_tile(chance: random.Random) -> Tile:
    """Return a tile that somebody may draw, on one of its sides."""
    terrain = _terrain(chance)
    if chance.random() < 0.35:
        return Tile("terrain", terrain, icons=2)
    return Tile("trail", terrain, chance.choice(SHAPES), chance.randint(1, 3), 1)


def _terrain(chance: random.Random) -> str:
    return chance.choice(tuple(TERRAINS.values()))


def grown(chance: random.Random, size: int, lakes: bool = True, every: int = 9) -> TrailMap:
    """Return a legal map with this many trail and terrain tiles, camps and waterfalls now and then, and lakes at its ends."""
    tiles: TrailMap = (Placed(0, 0, "base", "rock", icons=1), Placed(1, 0, "base", _terrain(chance), icons=1))
    for number in range(size):
        tiles = (*tiles, _anywhere(chance, tiles))
        more = (
            Tile("waterfall")
            if number % every == every // 2
            else Tile("campsite")
            if number % every == every - 1
            else None
        )
        placed = more and _fits(chance, tiles, more, tuple(edge(tiles)))
        tiles = (*tiles, placed) if placed else tiles
    return with_lakes(tiles) if lakes else tiles


def _anywhere(chance: random.Random, tiles: TrailMap) -> Placed:
    """Return a tile with a place where it may lie, drawing until there is one."""
    while True:
        placed = _fits(chance, tiles, any_tile(chance), tuple(edge(tiles)))
        if placed:
            return placed


def _fits(chance: random.Random, tiles: TrailMap, tile: Tile, cells: tuple[Cell, ...]) -> Placed | None:
    tried = [put(way, x, y) for x, y in cells for way in turns(tile).values()]
    chance.shuffle(tried)
    return next((placed for placed in tried if may(tiles, placed)), None)
