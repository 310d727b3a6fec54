"""Tiles of ALPINE TRAILS, held and placed. Exits are letters of NESW, in this order."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import MAX_ICONS, MILES, TERRAIN_ICONS
from scoring.kernel.english import join_words, pluralize, with_article
from scoring.kernel.rule import Reason

TileKind = Literal["base", "trail", "terrain", "waterfall", "campsite", "lake"]
Terrain = Literal["forest", "rock", "meadow", "wetland"]
Animal = Literal["goat", "moose", "bear", "wolf"]
Cell = tuple[int, int]

TILE_KINDS: tuple[TileKind, ...] = get_args(TileKind)
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)  # in the order of the printed sheet
ANIMALS: tuple[Animal, ...] = get_args(Animal)
CAMP_KINDS = ("base", "campsite")
TERRAIN_KINDS = ("base", "trail", "terrain")  # kinds that show a terrain
DIRECTIONS: dict[str, Cell] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
DIRECTION_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
ANIMAL_PLURALS: dict[Animal, str] = {"goat": "goats", "moose": "moose", "bear": "bears", "wolf": "wolves"}
# All possible exits of a trail tile.
VALID_EXITS = tuple("".join(shape) for sides in (2, 3, 4) for shape in combinations(DIRECTIONS, sides))
# Shapes of trails that a player can ask for; a crossing is a kind of fork.
TRAIL_SHAPES = ("straight", "bend", "fork")
# straight, bend, fork and crossing, before they are turned
UNROTATED_EXITS = ("NS", "NE", "NES", "NESW")


class Tile(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """One side of a tile that is not placed yet."""

    kind: TileKind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None

    @property
    def is_fork(self) -> bool:
        """Return whether the trail forks here."""
        return len(self.exits) > 2


class PlacedTile(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A tile on a map, as turned when it was placed."""

    x: int
    y: int
    kind: TileKind
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
        """Return the tile without its cell."""
        return Tile(self.kind, self.terrain, self.exits, self.miles, self.icons, self.animal)

    @property
    def is_fork(self) -> bool:
        """Return whether the trail forks here."""
        return len(self.exits) > 2

    @property
    def text(self) -> str:
        """Return the tile in words, with its animal: "meadow terrain tile with the wolf"."""
        return f"{tile_name(self)} with the {self.animal}" if self.animal else tile_name(self)

    @property
    def short_text(self) -> str:
        """Return the tile in few words, with its animal: "meadow terrain with the wolf"."""
        return f"{short_tile_name(self)} with the {self.animal}" if self.animal else short_tile_name(self)


TrailMap = tuple[PlacedTile, ...]  # tiles of a map, in the order of placement


def tile_name(tile: PlacedTile | Tile) -> str:
    """Return the name of a tile: "2-mile forest bend", "rock terrain tile", "campsite"."""
    match tile.kind:
        case "trail":
            miles = f"{tile.miles}-mile" if tile.miles else ""
            words = " ".join(part for part in (miles, tile.terrain) if part)
            return TRAIL_NAMES[shape_name(tile.exits)].format(words).replace("  ", " ").strip()
        case "terrain":
            return " ".join(part for part in (tile.terrain, "terrain tile") if part)
        case "base":
            return "base camp"
    return tile.kind


def short_tile_name(tile: PlacedTile | Tile) -> str:
    """Return a short name of a tile: "2-mile forest bend", "rock terrain"."""
    match tile.kind:
        case "trail":
            miles = f"{tile.miles}-mile " if tile.miles else ""
            return f"{miles}{tile.terrain} {SHAPE_WORDS[shape_name(tile.exits)]}"
        case "terrain":
            return f"{tile.terrain} terrain"
    return tile_name(tile)


def name_with_article(tile: PlacedTile | Tile) -> str:
    """Return the name of a tile with its article; base camp has none."""
    return tile_name(tile) if tile.kind == "base" else with_article(tile_name(tile))


# The kinds of tile that the log counts in a whole map, with their nouns.
MAP_NOUNS: dict[TileKind, str] = {
    "trail": "trail tile",
    "terrain": "terrain tile",
    "campsite": "campsite",
    "waterfall": "waterfall",
    "lake": "lake",
}


def tile_counts_text(tiles: TrailMap) -> str:
    """Return how many tiles of each kind are on a map: "10 trail tiles and a campsite"."""
    kinds = Counter(tile.kind for tile in tiles)
    return (
        join_words([pluralize(kinds[kind], noun) for kind, noun in MAP_NOUNS.items() if kinds[kind]])
        or "only base camp"
    )


def tile_differences(old: PlacedTile, new: PlacedTile) -> list[str]:
    """Return how two tiles differ, in words: "3 miles \u2192 2 miles", "rock \u2192 forest"."""
    if old.kind != new.kind:
        return [f"{old.text} \u2192 {new.text}"]
    values = [
        (old.terrain or "no terrain", new.terrain or "no terrain"),
        (miles_text(old.miles), miles_text(new.miles)),
        (icons_text(old.icons), icons_text(new.icons)),
        (old.animal or "no animal", new.animal or "no animal"),
    ]
    if shape_name(old.exits) == shape_name(new.exits):
        values.append((exits_text(old.exits), exits_text(new.exits)))
    else:
        old_shape, new_shape = (SHAPE_WORDS[shape_name(tile.exits)] for tile in (old, new))
        values.append((old_shape, f"{new_shape} ({exits_text(new.exits)})"))
    return [f"{old_value} \u2192 {new_value}" for old_value, new_value in values if old_value != new_value]


def miles_text(miles: int) -> str:
    """Return the miles of a trail in words: "2 miles"; 0 are not entered."""
    return pluralize(miles, "mile") if miles else "no miles entered"


def icons_text(icons: int) -> str:
    """Return a number of icons in words: "2 icons", "no icons"."""
    return pluralize(icons, "icon") if icons else "no icons"


def exits_text(exits: str) -> str:
    """Return where a trail leaves its tile: "north and east"."""
    return join_words([DIRECTION_NAMES[letter] for letter in exits])


def tile_errors(tile: Tile | PlacedTile, needs_miles: bool = True) -> Iterator[Reason]:
    """Yield the properties of a tile that no tile in the box can have.

    :param needs_miles: whether the miles of a trail must be entered; 0 miles are not entered.
    """
    match tile.kind:
        case "trail":
            yield from _exits_errors(tile.exits)
            if tile.miles not in MILES and (needs_miles or tile.miles):
                yield Reason("miles", r.TRAIL_SIDE, f"A trail is 1, 2 or 3 miles long, not {tile.miles}.")
            if tile.animal:
                yield Reason(
                    "animal", r.ANIMAL_PLACE, "A trail side cannot hold an animal. Place the animal on a terrain side."
                )
        case "terrain":
            if tile.exits or tile.miles:
                yield Reason("no-trail", r.TERRAIN_SIDE, "A terrain side has no trail. Leave out its miles and exits.")
        case "base":
            if tile.exits or tile.miles or tile.animal:
                text = "Base camp has terrain and icons, but no trail and no animal."
                yield Reason("bare", r.BASE_CAMP_SQUARES, text)
        case _ if tile.terrain or tile.exits or tile.miles or tile.icons or tile.animal:
            yield Reason("bare", r.HABITAT_BARE, f"A {tile.kind} has no terrain, trail or icons.")
    if tile.kind in TERRAIN_KINDS and tile.terrain is None:
        yield Reason("terrain", r.PLACE_SIDES, "Choose a terrain: forest, rock, meadow or wetland.")
    if tile.kind == "terrain" and tile.icons != TERRAIN_ICONS:
        yield Reason("icons", r.TERRAIN_SIDE, f"A terrain side has {TERRAIN_ICONS} icons, not {tile.icons}.")
    elif not 0 <= tile.icons <= MAX_ICONS:
        yield Reason("icons", r.SCORE_HABITATS, f"A tile has 0 to {MAX_ICONS} icons, not {tile.icons}.")


def _exits_errors(exits: str) -> Iterator[Reason]:
    sides = "".join(letter for letter in DIRECTIONS if letter in exits)
    if len(sides) != len(exits):
        yield Reason("exits", r.TRAIL_SHAPE, "Write the exits of a trail with the letters N, E, S and W, each once.")
    elif sides not in VALID_EXITS:
        yield Reason("exits", r.TRAIL_SHAPE, "A trail has two, three or four exits.")
    elif sides != exits:
        yield Reason(
            "exits", r.TRAIL_SHAPE, f"Write the exits of a trail in the order N, E, S, W: {sides}, not {exits}."
        )


def rotate(tile: Tile, quarters: int) -> Tile:
    """Return a tile turned clockwise by quarter turns."""
    letters = tuple(DIRECTIONS)
    exits = "".join(letter for place, letter in enumerate(letters) if letters[(place - quarters) % 4] in tile.exits)
    return replace(tile, exits=exits)


@lru_cache(maxsize=256)
def rotations(tile: Tile) -> Mapping[int, Tile]:
    """Return the distinct rotations of a tile, by clockwise quarter turns.

    A straight trail has two; a terrain side has one.
    """
    found: dict[int, Tile] = {}
    for quarters in range(4):
        if (turned := rotate(tile, quarters)) not in found.values():
            found[quarters] = turned
    return MappingProxyType(found)


def place_tile(tile: Tile, x: int, y: int) -> PlacedTile:
    """Return a tile placed in a cell."""
    return PlacedTile(x, y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons, tile.animal)


EXITS_SIMPLEST_FIRST: tuple[str, ...] = tuple(
    tile.exits for shape in UNROTATED_EXITS for tile in rotations(Tile("trail", exits=shape)).values()
)


# The name of a trail by its shape, with a place for its miles and terrain.
TRAIL_NAMES = {
    "straight": "straight {} trail",
    "bend": "{} bend",
    "fork": "{} fork",
    "crossing": "four-way {} fork",
    "": "{} trail",
}
# The shape of a trail in words.
SHAPE_WORDS = {"straight": "straight", "bend": "bend", "fork": "fork", "crossing": "four-way fork", "": "trail"}


def shape_name(exits: str) -> str:
    """Return the name of a trail's shape; empty without exits."""
    if len(exits) < 2:
        return ""
    if len(exits) == 2:
        return "straight" if exits in ("NS", "EW") else "bend"
    return "fork" if exits != UNROTATED_EXITS[-1] else "crossing"


def trail_shape(exits: str) -> str:
    """Return which of the shapes that a player can ask for a trail has; empty without exits."""
    return "fork" if len(exits) > 2 else shape_name(exits)
