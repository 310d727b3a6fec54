"""What a phone is putting together before it is said: a tile described bit by bit, turned, held over a cell of a map.

A phone says each of its choices in words, and may say anything. What it did not choose, or not well, is as it was last; of
a tile that lies on the map and is pointed at to be changed, as it lies there.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails.box import MAX_ICONS, MILES, TERRAIN_ICONS, TRAIL_ICONS, TRAIL_TILES
from scoring.alpine_trails.map.fitting import legal_exits, legal_placements, loop_closing_exits
from scoring.alpine_trails.map.grid import describe_cell, edge_cells, open_ends, tiles_by_cell
from scoring.alpine_trails.map.tiles import (
    ANIMALS,
    DIRECTION_NAMES,
    EXITS_SIMPLEST_FIRST,
    TERRAINS,
    Animal,
    Cell,
    PlacedTile,
    Terrain,
    Tile,
    TileKind,
    TrailMap,
    place_tile,
    shape_name,
    tile_name,
)
from scoring.alpine_trails.moves.corrections import CorrectTile, RemoveTile
from scoring.alpine_trails.moves.placing import (
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    waterfall_supply_objections,
)
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.score_entry import PutTile, ScoreEntryState, TakeOff
from scoring.alpine_trails.state import State
from scoring.kernel.english import capitalize_first, join_words, pluralize, with_article
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

DraftMode = Literal["play", "fix", "enter", "look"]  # a turn, a correction, a map after the game, nothing
HeldKind = Literal["", "base", "trail", "terrain", "campsite", "waterfall", "lake", "goat", "moose", "bear", "wolf"]
TILE_SIDES: tuple[HeldKind, ...] = ("trail", "terrain")
ALL_KINDS: tuple[HeldKind, ...] = (*TILE_SIDES, "campsite", "waterfall", "lake")
PIECE_KINDS: tuple[TileKind, ...] = ("terrain", "campsite", "waterfall", "lake")
EDIT_MODES = ("fix", "enter")  # the modes in which a tile that lies on the map can be picked up
LOCATION_FIELDS = ("as", "fix", "x", "y")  # what is said of the page and of the cell that is pointed at, not of a tile
NO_ANIMAL = "none"  # chosen by hand; nothing chosen is what lies there already
NO_COORDINATE = 10**6  # what is typed in as a cell lies nearer
T = TypeVar("T")
LegalCells = Mapping[str, Collection[Cell]]  # where a move of the game would put it


class Spot(Struct, frozen=True):
    """A cell that can be pointed at: what is held fits, or does not; and all that a phone has to know to hold something else."""

    x: int
    y: int
    fit: Literal["fits", "refused", "tile"]
    exits: tuple[str, ...] = ()  # the exits of the trails that fit
    loop_exits: tuple[str, ...] = ()  # those of them that would close a loop
    other_kinds: tuple[str, ...] = ()  # what else fits
    is_animal_spot: bool = False  # a tile lies there, where an animal may live


class Draft(Struct, frozen=True):
    """What a phone has put together so far, and what it could say with it."""

    mode: DraftMode
    map_seat: int  # the map it is about
    held_kind: HeldKind  # what is held: a side, a piece, an animal; nothing if there is nothing to place
    choices: tuple[HeldKind, ...]  # what could be held
    pointed_cell: Cell  # the cell that was pointed at, if it is one
    fields: dict[str, Any]  # what the phone said, as far as it still counts; `of` is the cell of the tile it describes
    picked_up: PlacedTile | None = None  # the tile that was picked up: it lies there, and is to be another one
    tiles_left: int = TRAIL_TILES  # tiles that can be said before others are waited for
    needs_animal_first: bool = False  # a tile can be put together, and said once an animal on offer is taken or left
    terrain: Terrain = "forest"
    exits: str = EXITS_SIMPLEST_FIRST[0]  # the exits of a trail, as it is held
    next_exits: str = EXITS_SIMPLEST_FIRST[0]  # the way it is turned next: over a cell, among those that fit
    miles: int = 2
    icons: int = TRAIL_ICONS
    animal: Animal | None = None
    target_cell: Cell | None = None
    held_tile: Tile | None = None
    spots: tuple[Spot, ...] = ()
    move: Move | None = None  # what can be said, if anything speaks against it or not
    remove_move: Move | None = None
    objections: tuple[Reason, ...] = ()
    campsite_objection: str = ""  # why there can be no campsite now, wherever it goes
    text: str = (
        ""  # of what can be said: what would lie there, and instead of what; none, where that is what lies there
    )

    @property
    def picked_up_text(self) -> str:
        """Return what has been picked up, as a sentence begins."""
        return capitalize_first(_describe_tile(self.picked_up)) if self.picked_up else ""

    @property
    def picked_up_name(self) -> str:
        """Return what has been picked up: "the 2 mile forest trail"."""
        return _definite_name(self.picked_up) if self.picked_up else ""

    @property
    def is_replacement(self) -> bool:
        """Return whether what was picked up would go: not changed, but replaced by a tile that is called otherwise."""
        return bool(self.picked_up and self.placed_tile and tile_name(self.placed_tile) != tile_name(self.picked_up))

    @property
    def placed_tile(self) -> PlacedTile | None:
        """Return the tile as it is held over the map."""
        return place_tile(self.held_tile, *self.target_cell) if self.held_tile and self.target_cell else None


def draft_of_game(state: State, seat: int, fields: dict[str, Any]) -> Draft:
    """Return what a phone has put together at a tracked table."""
    whose = _read_number(fields, "fix", range(len(state.players)), -1)
    if whose >= 0 and state.players[whose].tiles:
        return _with_target(_read_draft("fix", whose, ALL_KINDS, state.players[whose].tiles, fields), {}, state, seat)
    tiles, choices = state.players[seat].tiles, tuple(_placeable_kinds(state, seat))
    draft = _read_draft("play" if choices else "look", seat, choices, tiles, fields)
    tried: dict[HeldKind, Sequence[PlaceCampsite | PlaceAnimal]] = {
        what: [PlaceAnimal(what, tile.x, tile.y) for tile in tiles if tile.kind == "terrain"]
        for what in ANIMALS
        if what in choices
    }
    player, answered = (
        state.players[seat],
        state.with_player(seat, offered_forks=()),
    )  # an animal on offer changes no tile
    if "campsite" in choices:
        tried["campsite"] = [PlaceCampsite(x, y) for x, y in open_ends(tiles)]
        soon = PlaceCampsite(0, 0).timing_objections(answered, seat)
        draft = replace(draft, campsite_objection=next((reason.text for reason in soon), ""))
    fits = {
        what: {(move.x, move.y) for move in moves if not _objections(answered, seat, move)}
        for what, moves in tried.items()
    }
    waits = bool(player.offered_forks) and player.is_between_rounds
    return replace(
        _with_target(draft, fits, state, seat),
        tiles_left=state.tile_limit - player.tiles_used,
        needs_animal_first=waits,
    )


def _placeable_kinds(state: State, seat: int) -> Iterator[HeldKind]:
    """Yield what a player could put on the map now, what has to come first before the rest."""
    player = state.players[seat]
    if not player.tiles or state.is_over:
        return
    if not state.is_play_over:
        if player.waterfalls_to_place:
            yield "waterfall"
        elif player.tiles_used < state.tile_limit:
            yield from TILE_SIDES
            if player.is_between_rounds or not player.has_placed_campsite:
                yield "campsite"
    yield from dict.fromkeys(player.kept_animals)


def move_to_query(state: State, seat: int, fields: dict[str, Any]) -> Move | None:
    """Return the move that a question about a tile and a cell means; a trail is turned to fit."""
    fields = _expand_fields(fields)
    kind, _, form = str(fields.get("tile", "")).partition("-")
    x, y = (_read_number(fields, name, range(-NO_COORDINATE, NO_COORDINATE), NO_COORDINATE) for name in "xy")
    terrain: Terrain = _read_choice(TERRAINS, fields.get("terrain"), "forest")
    if NO_COORDINATE in (x, y):
        return None
    match kind:
        case "trail":
            shaped = [way for way in EXITS_SIMPLEST_FIRST if shape_name(way) == form]
            fitting = legal_exits(state.players[seat].tiles).get((x, y), ())
            way = next((way for way in shaped if way in fitting), shaped[0] if shaped else None)
            return PlaceTrail(terrain, way, MILES[0], x, y) if way else None
        case "terrain":
            return PlaceTerrain(terrain, x, y)
        case "campsite":
            return PlaceCampsite(x, y)
        case "waterfall":
            return PlaceWaterfall(x, y)
    return None


def draft_of_score_entry(state: ScoreEntryState, seat: int, fields: dict[str, Any]) -> Draft:
    """Return what a phone has put together of a map that is entered after the game."""
    tiles = state.players[seat].tiles
    if not tiles or state.players[seat].done:
        return _read_draft("look", seat, (), tiles, fields)
    return _with_target(_read_draft("enter", seat, ALL_KINDS, tiles, fields), {}, state, seat)


# What was said


def _read_draft(
    mode: DraftMode, map_seat: int, choices: tuple[HeldKind, ...], tiles: TrailMap, fields: dict[str, Any]
) -> Draft:
    """Return the tile as it was described. What was not said is as on the tile that is picked up, else as on the last one.

    A map that is set right has no last one: nobody is placing tiles there one after another.
    """
    fields = _expand_fields(fields)
    cell = (
        _read_number(fields, "x", range(-NO_COORDINATE, NO_COORDINATE), NO_COORDINATE),
        _read_number(fields, "y", range(-NO_COORDINATE, NO_COORDINATE), NO_COORDINATE),
    )
    lying = tiles_by_cell(tiles).get(cell) if mode in EDIT_MODES else None
    fields = _fields_of_tile(fields, f"{cell[0]},{cell[1]}" if lying else "") if mode in EDIT_MODES else fields
    placed = (lying,) if lying else () if mode == "fix" else tiles[::-1]
    last = lying or next((tile for tile in placed if tile.kind in TILE_SIDES), None)
    trail = next((tile for tile in placed if tile.kind == "trail"), None)
    if lying and lying.kind == "base":  # what it shows can be set right, it stays base camp
        choices = ("base",)
    usual: HeldKind = lying.kind if lying else choices[0] if choices else ""
    what: HeldKind = _read_choice(choices, fields.get("what"), usual)
    return Draft(
        mode,
        map_seat,
        what,
        choices,
        cell,
        fields,
        lying,
        terrain=_read_choice(TERRAINS, fields.get("terrain"), (last and last.terrain) or "forest"),
        exits=_read_choice(EXITS_SIMPLEST_FIRST, fields.get("way"), lying.exits if lying and lying.exits else ""),
        miles=_read_number(fields, "miles", MILES, (trail and trail.miles) or 2),
        icons=_read_icons(what, fields, lying),
        animal=_read_animal(lying, fields) if what == "terrain" and mode != "play" else None,
    )


def _expand_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what was said with a cell ("2,-1") and a key of the pad taken apart: "trail-forest" is a side and its terrain."""
    if isinstance(at := fields.get("at"), str):
        x, _, y = at.partition(",")
        fields = {name: value for name, value in fields.items() if name != "at"} | {"x": x, "y": y}
    if not isinstance(key := fields.get("key"), str):
        return fields
    what, _, terrain = key.partition("-")
    others = {name: value for name, value in fields.items() if name not in ("key", "what", "terrain")}
    return others | {"what": what} | ({"terrain": terrain} if terrain else {})


def _fields_of_tile(fields: dict[str, Any], tile: str) -> dict[str, Any]:
    """Return what was said of a tile by its cell, or of one that does not lie yet; what was said of another one is left out."""
    if str(fields.get("of", "")) == tile:
        return fields
    return {name: fields[name] for name in LOCATION_FIELDS if name in fields} | ({"of": tile} if tile else {})


def _read_choice(choices: Sequence[T], value: Any, default: T) -> T:
    return next((each for each in choices if each == value), default)


def _read_number(fields: dict[str, Any], name: str, allowed: Iterable[int], default: int) -> int:
    text = fields.get(name)
    if not isinstance(text, str) or not text.removeprefix("-").isdecimal() or len(text) > 4:
        return default
    return int(text) if int(text) in allowed else default


def _read_icons(held_kind: HeldKind, fields: dict[str, Any], picked_up: PlacedTile | None) -> int:
    """Return how many icons there are on a trail side or a square of base camp; of the others there is no choice."""
    if held_kind not in ("trail", "base"):
        return TERRAIN_ICONS if held_kind == "terrain" else 0
    usual = picked_up.icons if picked_up and picked_up.kind == held_kind else TRAIL_ICONS
    said_of, _, icons = str(fields.get("icons", "")).rpartition("-")  # "trail-3": not meant for what else is held
    return _read_number({"icons": icons if said_of in ("", held_kind) else ""}, "icons", range(MAX_ICONS + 1), usual)


def _read_animal(picked_up: PlacedTile | None, fields: dict[str, Any]) -> Animal | None:
    """Return the animal chosen by hand, else the one that is on the tile of the map already: it stays where it is."""
    if fields.get("animal") == NO_ANIMAL:
        return None
    return _read_choice(ANIMALS, fields.get("animal"), picked_up.animal if picked_up else None)


# Where it fits


def _held_tile(draft: Draft) -> Tile:
    """Return the tile that is held."""
    match draft.held_kind:
        case "trail":
            return Tile("trail", draft.terrain, draft.exits, draft.miles, draft.icons)
        case "terrain":
            return Tile("terrain", draft.terrain, icons=draft.icons, animal=draft.animal)
        case "base":
            return Tile("base", draft.terrain, icons=draft.icons)
        case "campsite" | "waterfall" | "lake":
            return Tile(draft.held_kind)
    raise ValueError(f"{draft.held_kind} is no tile")


def _spots(
    draft: Draft, tiles: TrailMap, legal_cells: LegalCells, state: State | ScoreEntryState, seat: int
) -> Iterator[Spot]:
    """Yield every cell that can be pointed at; where a map is changed, each of its tiles is one.

    While a tile is picked up, another cell begins with a plain trail.
    """
    choices, what = (ALL_KINDS, "trail") if draft.picked_up else (draft.choices, draft.held_kind)
    fitting, closed = (legal_exits(tiles), loop_closing_exits(tiles, state.rulings)) if "trail" in choices else ({}, {})
    fits = {**{each: legal_placements(tiles, Tile(each)) for each in PIECE_KINDS if each in choices}, **legal_cells}
    for cell in (*edge_cells(tiles), *(tile.cell for tile in tiles)):
        takes = tuple(each for each in fits if cell in fits[each])
        trails, loops = fitting.get(cell, ()), closed.get(cell, ())
        if (
            loops and draft.mode == "play" and isinstance(state, State)
        ):  # some take a waterfall that others may come to first
            waiting = {
                way
                for way in loops
                if any(waterfall_supply_objections(state, seat, PlacedTile(*cell, "trail", exits=way)))
            }
            trails = tuple(way for way in trails if way not in waiting)
            loops = tuple(way for way in loops if way not in waiting)
        held = bool(trails) if what == "trail" else what in takes
        if cell in edge_cells(tiles):
            if not set(choices) - set(ANIMALS):
                continue
            yield Spot(*cell, "fits" if held else "refused", trails, loops, takes)
        elif draft.mode in EDIT_MODES:
            yield Spot(*cell, "tile")
        elif takes or (what in ANIMALS and tiles_by_cell(tiles)[cell].kind == "terrain"):
            yield Spot(*cell, "fits" if held else "refused", other_kinds=takes, is_animal_spot=True)


def _with_held_tile(draft: Draft, tiles: TrailMap) -> Draft:
    """Return the draft with its tile as it is held: over a cell the way that was chosen, or else the first that fits."""
    if draft.held_kind in ANIMALS:
        return draft
    fitting = legal_exits(tiles).get(draft.pointed_cell, ())
    turns = (
        tuple(dict.fromkeys((*fitting, *EXITS_SIMPLEST_FIRST)))
        if draft.mode in EDIT_MODES
        else fitting or EXITS_SIMPLEST_FIRST
    )
    now = draft.exits if draft.exits in turns else turns[0]
    draft = replace(draft, exits=now, next_exits=turns[(turns.index(now) + 1) % len(turns)])
    return replace(draft, held_tile=_held_tile(draft))


def _with_target(draft: Draft, legal_cells: LegalCells, state: State | ScoreEntryState, seat: int) -> Draft:
    """Return the draft with its spots and, if it is held over one of them, what can be said and what speaks against it."""
    if not draft.held_kind:
        return draft
    tiles = state.players[draft.map_seat].tiles
    draft = replace(_with_held_tile(draft, tiles), spots=tuple(_spots(draft, tiles, legal_cells, state, seat)))
    if not any((spot.x, spot.y) == draft.pointed_cell for spot in draft.spots):
        return draft
    move, remove = _draft_moves(draft)
    draft = replace(
        draft, target_cell=draft.pointed_cell, move=move, remove_move=remove, objections=_objections(state, seat, move)
    )
    return replace(draft, text=_draft_text(draft, tiles))


# What can be said


def _draft_moves(draft: Draft) -> tuple[Move, Move | None]:
    """Return what can be said of the cell that is pointed at: that the tile lies there, or that none does."""
    x, y = draft.pointed_cell
    held = draft.held_tile or Tile("terrain")  # an animal is no tile
    if draft.mode in EDIT_MODES:
        shown = (x, y, held.kind, held.terrain, held.exits, held.miles, held.icons, held.animal)
        stays = draft.picked_up is None or draft.picked_up.kind == "base"
        if draft.mode == "fix":
            return CorrectTile(draft.map_seat, *shown), None if stays else RemoveTile(draft.map_seat, x, y)
        return PutTile(*shown), None if stays else TakeOff(x, y)
    match draft.held_kind:
        case "trail":
            return PlaceTrail(draft.terrain, held.exits, held.miles, x, y, held.icons), None
        case "terrain":
            return PlaceTerrain(draft.terrain, x, y, held.icons), None
        case "campsite":
            return PlaceCampsite(x, y), None
        case "goat" | "moose" | "bear" | "wolf" as animal:
            return PlaceAnimal(animal, x, y), None
    return PlaceWaterfall(x, y), None


def _objections(state: State | ScoreEntryState, seat: int, move: Move) -> tuple[Reason, ...]:
    return tuple(move.objections(state, seat))


def _draft_text(draft: Draft, tiles: TrailMap) -> str:
    """Return in words what would be said: what lies where, or what lies there instead of what."""
    new, old = draft.placed_tile, draft.picked_up
    if draft.held_kind in ANIMALS:
        return f"{draft.held_kind}, {describe_cell(tiles, draft.pointed_cell)}"
    if new is None or new == old:
        return ""
    if old is None:
        return f"{describe_held_tile(new)}, {describe_cell(tiles, new.cell)}"
    if tile_name(new) != tile_name(old):
        return f"{_describe_tile(new)} instead of {_describe_tile(old)}"
    return f"{_definite_name(old)} {', '.join(_difference_texts(old, new))}"


def describe_held_tile(tile: PlacedTile) -> str:
    """Return what a tile is called while it is laid: of a trail with its shape."""
    if tile.kind == "trail":
        return f"{tile.miles} mile {tile.terrain} {shape_name(tile.exits)}"
    return f"{tile_name(tile)} with the {tile.animal}" if tile.animal else tile_name(tile)


def _describe_tile(tile: PlacedTile) -> str:
    what = tile_name(tile) if tile.kind == "base" else with_article(tile_name(tile))
    return f"{what} with the {tile.animal}" if tile.animal else what


def _definite_name(tile: PlacedTile) -> str:
    return tile_name(tile) if tile.kind == "base" else f"the {tile_name(tile)}"


def _difference_texts(old: PlacedTile, new: PlacedTile) -> Iterator[str]:
    """Yield how a tile differs from one that is called the same."""
    if new.terrain != old.terrain:
        yield f"with {new.terrain} instead of {old.terrain or 'no terrain'}"
    if new.exits != old.exits:
        yield f"to the {_exits_text(new)} instead of the {_exits_text(old)}"
    if new.icons != old.icons:
        yield f"with {pluralize(new.icons, 'icon')} instead of {old.icons}"
    if new.animal != old.animal:
        now = f"with the {new.animal}" if new.animal else f"without the {old.animal}"
        yield f"{now} instead of the {old.animal}" if new.animal and old.animal else now


def _exits_text(tile: PlacedTile) -> str:
    return join_words([DIRECTION_NAMES[letter] for letter in tile.exits])
