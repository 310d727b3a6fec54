"""Drafts of moves that a phone builds step by step: a tile described, turned and placed.

A phone sends each choice as text and may send anything. A missing or invalid choice defaults to the
previous tile, or to the tile on the map that is being changed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from scoring.alpine_trails.box import MAX_ICONS, MILES, TERRAIN_ICONS, TRAIL_ICONS, TRAIL_TILES
from scoring.alpine_trails.entry_state import EntryState
from scoring.alpine_trails.map.fitting import legal_exits, legal_placements, loop_closing_exits
from scoring.alpine_trails.map.grid import (
    at_location,
    base_camp_cells,
    direction_text,
    edge_cells,
    location_text,
    open_ends,
    tiles_by_cell,
)
from scoring.alpine_trails.map.tiles import (
    ANIMALS,
    EXITS_SIMPLEST_FIRST,
    TERRAINS,
    TRAIL_SHAPES,
    Animal,
    Cell,
    PlacedTile,
    Terrain,
    Tile,
    TileKind,
    TrailMap,
    place_tile,
    shape_name,
    tile_differences,
    trail_shape,
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
from scoring.alpine_trails.score_entry import PutTile, TakeOff
from scoring.alpine_trails.state import State
from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

# a turn, a correction, a map entered after the game, nothing
DraftMode = Literal["play", "fix", "enter", "look"]
HeldKind = Literal["", "base", "trail", "terrain", "campsite", "waterfall", "lake", "goat", "moose", "bear", "wolf"]
TILE_SIDES: tuple[HeldKind, ...] = ("trail", "terrain")
ALL_KINDS: tuple[HeldKind, ...] = (*TILE_SIDES, "campsite", "waterfall", "lake")
PIECE_KINDS: tuple[TileKind, ...] = ("terrain", "campsite", "waterfall", "lake")
# the modes in which a tile on the map can be picked up
EDIT_MODES = ("fix", "enter")
# fields of the page and of the cell that is pointed at, not of a tile
LOCATION_FIELDS = ("as", "fix", "x", "y")
# explicitly no animal; without a choice, the animal on the tile stays
NO_ANIMAL = "none"
# beyond every coordinate that can be entered
NO_COORDINATE = 10**6
T = TypeVar("T")
LegalCells = Mapping[str, Collection[Cell]]  # the cells where a game move could put it


class Spot(Struct, frozen=True):
    """A cell that can be pointed at: whether the held tile fits, and what else would fit."""

    x: int
    y: int
    fit: Literal["fits", "refused", "tile"]
    exits: tuple[str, ...] = ()  # exits of the trails that fit
    loop_exits: tuple[str, ...] = ()  # those that would close a loop
    other_kinds: tuple[str, ...] = ()  # other kinds that fit
    is_animal_spot: bool = False  # whether it holds a tile on which an animal may live
    location: str = ""  # where it is, after the name of its tile if it can be changed: "just east of base camp"
    direction: str = ""  # roughly where it is: "just east", "southwest"


class Draft(Struct, frozen=True):
    """The choices a phone has made so far, and the move they result in."""

    mode: DraftMode
    map_seat: int  # seat whose map it is about
    held_kind: HeldKind  # tile side, piece or animal that is held; empty: nothing to place
    choices: tuple[HeldKind, ...]  # kinds that could be held
    pointed_cell: Cell  # cell that was pointed at, possibly invalid
    # valid fields from the phone; `of` is the cell of the tile that they describe
    fields: dict[str, Any]
    picked_up: PlacedTile | None = None  # tile on the map that is being changed
    tiles_left: int = TRAIL_TILES  # tiles that can be entered before waiting for other players
    # whether an offered animal must be taken or left before a tile can be placed
    needs_animal_first: bool = False
    terrain: Terrain = "forest"
    # the shape that a trail should have
    shape: str = TRAIL_SHAPES[0]
    # exits of the held trail, as turned now
    exits: str = EXITS_SIMPLEST_FIRST[0]
    # exits after the next turn; over a cell in play, only turns that fit
    next_exits: str = EXITS_SIMPLEST_FIRST[0]
    miles: int = 2
    icons: int = TRAIL_ICONS
    animal: Animal | None = None
    target_cell: Cell | None = None
    held_tile: Tile | None = None
    spots: tuple[Spot, ...] = ()
    move: Move | None = None  # the resulting move, legal or not
    remove_move: Move | None = None
    objections: tuple[Reason, ...] = ()
    campsite_objection: str = ""  # why no campsite can be placed anywhere now
    # the change in words; empty if nothing would change
    text: str = ""

    @property
    def picked_up_text(self) -> str:
        """Return the description of the picked-up tile, capitalized."""
        return capitalize_first(self.picked_up.text) if self.picked_up else ""

    @staticmethod
    def located_text(tiles: TrailMap, tile: PlacedTile) -> str:
        """Return a tile of a map and where it is, capitalized."""
        return capitalize_first(at_location(tiles, tile))

    @property
    def chosen_kind(self) -> HeldKind:
        """Return the held kind, empty if it is only the default."""
        return self.held_kind if self._describes_a_tile or "what" in self.fields else ""

    @property
    def chosen_terrain(self) -> str:
        """Return the terrain, empty if it is only the default."""
        return self.terrain if self._describes_a_tile or "terrain" in self.fields else ""

    @property
    def chosen_miles(self) -> int:
        """Return the miles, 0 if they are only the default."""
        is_chosen = "miles" in self.fields or (self.held_kind == "trail" and self._describes_a_tile)
        return self.miles if is_chosen else 0

    @property
    def chosen_shape(self) -> str:
        """Return the shape of the trail, empty if it is only the default."""
        is_chosen = not {"shape", "way"}.isdisjoint(self.fields) or self._describes_a_tile
        return trail_shape(self.exits) if self.held_kind == "trail" and is_chosen else ""

    @property
    def _describes_a_tile(self) -> bool:
        """Return whether missing fields come from a tile of the map, so that they are no defaults."""
        return self.picked_up is not None or self.mode == "fix"

    @property
    def placed_tile(self) -> PlacedTile | None:
        """Return the held tile at the target cell, or None."""
        return place_tile(self.held_tile, *self.target_cell) if self.held_tile and self.target_cell else None


def draft_of_game(state: State, seat: int, fields: dict[str, Any]) -> Draft:
    """Return the draft of a phone at a tracked table."""
    fixed_seat = read_fixed_seat(state, fields, -1)
    if fixed_seat >= 0 and state.players[fixed_seat].tiles:
        return _with_target(
            _read_draft("fix", fixed_seat, ALL_KINDS, state.players[fixed_seat].tiles, fields), {}, state, seat
        )
    tiles, choices = state.players[seat].tiles, tuple(_placeable_kinds(state, seat))
    draft = _read_draft("play" if choices else "look", seat, choices, tiles, fields)
    tried: dict[HeldKind, Sequence[PlaceCampsite | PlaceAnimal]] = {
        kind: [PlaceAnimal(kind, tile.x, tile.y) for tile in tiles if tile.kind == "terrain"]
        for kind in ANIMALS
        if kind in choices
    }
    # An offered animal does not affect any tile.
    player, answered = state.players[seat], state.with_player(seat, offered_forks=())
    if "campsite" in choices:
        tried["campsite"] = [PlaceCampsite(x, y) for x, y in open_ends(tiles)]
        timing_objections = PlaceCampsite(0, 0).timing_objections(answered, seat)
        draft = replace(draft, campsite_objection=next((reason.text for reason in timing_objections), ""))
    fits = {
        kind: {(move.x, move.y) for move in moves if not any(move.objections(answered, seat))}
        for kind, moves in tried.items()
    }
    needs_animal_first = bool(player.offered_forks) and player.is_between_rounds
    return replace(
        _with_target(draft, fits, state, seat),
        tiles_left=state.tile_limit - player.tiles_used,
        needs_animal_first=needs_animal_first,
    )


def read_fixed_seat(state: State, fields: dict[str, Any], default: int) -> int:
    """Return the seat whose map the field `fix` names."""
    return _read_number(fields.get("fix"), range(len(state.players)), default)


def _placeable_kinds(state: State, seat: int) -> Iterator[HeldKind]:
    """Yield the kinds that a player could place on the map now, mandatory pieces first."""
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
    """Return the move that a rules question about a tile and a cell means.

    A trail is turned so that it fits, if possible.
    """
    fields = _expand_fields(fields)
    kind, _, form = str(fields.get("tile", "")).partition("-")
    x, y = _read_cell(fields)
    terrain: Terrain = _read_choice(TERRAINS, fields.get("terrain"), "forest")
    if NO_COORDINATE in (x, y):
        return None
    match kind:
        case "trail":
            shapes = [exits for exits in EXITS_SIMPLEST_FIRST if shape_name(exits) == form]
            fitting = legal_exits(state.players[seat].tiles).get((x, y), ())
            exits = next((exits for exits in shapes if exits in fitting), shapes[0] if shapes else None)
            return PlaceTrail(terrain, exits, MILES[0], x, y) if exits else None
        case "terrain":
            return PlaceTerrain(terrain, x, y)
        case "campsite":
            return PlaceCampsite(x, y)
        case "waterfall":
            return PlaceWaterfall(x, y)
    return None


class TileQuery(NamedTuple):
    """Whether a kind of tile may go into a cell of a map."""

    tile: str  # one of QUERY_TILES, or an animal
    move: Move
    is_legal: bool


# The kinds of tile to ask about, as a form names them.
QUERY_TILES = ("trail-straight", "trail-bend", "trail-fork", "terrain", "campsite", "waterfall")


def tile_queries(state: State, seat: int, fields: dict[str, str]) -> list[TileQuery]:
    """Return the possible tiles of the chosen cell, each with its answer; empty without a cell."""
    found = [(tile, move_to_query(state, seat, {**fields, "tile": tile})) for tile in QUERY_TILES]
    x, y = _read_cell(_expand_fields(fields))
    if NO_COORDINATE not in (x, y):
        kept = dict.fromkeys(state.players[seat].kept_animals)
        found += [(animal, PlaceAnimal(animal, x, y)) for animal in kept]
    return [TileQuery(tile, move, next(move.objections(state, seat), None) is None) for tile, move in found if move]


def draft_of_score_entry(state: EntryState, seat: int, fields: dict[str, Any]) -> Draft:
    """Return the draft of a phone that enters a map after the game."""
    tiles = state.players[seat].tiles
    if not tiles or state.players[seat].done:
        return _read_draft("look", seat, (), tiles, fields)
    return _with_target(_read_draft("enter", seat, ALL_KINDS, tiles, fields), {}, state, seat)


# Choices from the phone


def _read_draft(
    mode: DraftMode, map_seat: int, choices: tuple[HeldKind, ...], tiles: TrailMap, fields: dict[str, Any]
) -> Draft:
    """Return the tile as the phone described it.

    Missing fields come from the tile that is picked up, else from the last tile that was placed.
    A correction has no last tile, because its tiles are not placed one after another.
    """
    fields = _expand_fields(fields)
    cell = _read_cell(fields)
    picked_up = tiles_by_cell(tiles).get(cell) if mode in EDIT_MODES else None
    fields = _fields_of_tile(fields, f"{cell[0]},{cell[1]}" if picked_up else "") if mode in EDIT_MODES else fields
    placed = (picked_up,) if picked_up else () if mode == "fix" else tiles[::-1]
    last = picked_up or next((tile for tile in placed if tile.kind in TILE_SIDES), None)
    trail = next((tile for tile in placed if tile.kind == "trail"), None)
    # Its squares can be corrected, but it stays base camp.
    if picked_up and picked_up.kind == "base":
        choices = ("base",)
    default: HeldKind = picked_up.kind if picked_up else choices[0] if choices else ""
    kind: HeldKind = _read_choice(choices, fields.get("what"), default)
    exits = _read_choice(
        EXITS_SIMPLEST_FIRST, fields.get("way"), picked_up.exits if picked_up and picked_up.exits else ""
    )
    shape = trail_shape(exits or (trail.exits if trail else "")) or TRAIL_SHAPES[0]
    return Draft(
        mode,
        map_seat,
        kind,
        choices,
        cell,
        fields,
        picked_up,
        terrain=_read_choice(TERRAINS, fields.get("terrain"), (last and last.terrain) or "forest"),
        shape=_read_choice(TRAIL_SHAPES, fields.get("shape"), shape),
        exits=exits,
        miles=_read_number(fields.get("miles"), MILES, (trail and trail.miles) or 2),
        icons=_read_icons(kind, fields, picked_up),
        animal=_read_animal(picked_up, fields) if kind == "terrain" and mode != "play" else None,
    )


def _expand_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with a cell ("2,-1") and a compound key ("trail-forest") split up.

    A compound key holds a tile side and its terrain.
    """
    if isinstance(cell := fields.get("at"), str):
        x, _, y = cell.partition(",")
        fields = {name: value for name, value in fields.items() if name != "at"} | {"x": x, "y": y}
    if not isinstance(key := fields.get("key"), str):
        return fields
    kind, _, terrain = key.partition("-")
    other_fields = {name: value for name, value in fields.items() if name not in ("key", "what", "terrain")}
    return other_fields | {"what": kind} | ({"terrain": terrain} if terrain else {})


def _fields_of_tile(fields: dict[str, Any], tile: str) -> dict[str, Any]:
    """Return the fields that describe one tile, without those meant for another tile.

    :param tile: the tile's cell as text; empty for a tile that is not on the map yet.
    """
    if str(fields.get("of", "")) == tile:
        return fields
    return {name: fields[name] for name in LOCATION_FIELDS if name in fields} | ({"of": tile} if tile else {})


def _read_choice(choices: Sequence[T], value: Any, default: T) -> T:
    return next((choice for choice in choices if choice == value), default)


def _read_number(text: Any, allowed: Iterable[int], default: int) -> int:
    if not isinstance(text, str) or not text.removeprefix("-").isdecimal() or len(text) > 4:
        return default
    return int(text) if int(text) in allowed else default


def _read_cell(fields: dict[str, Any]) -> Cell:
    """Return the cell that was pointed at; a missing coordinate is NO_COORDINATE."""
    x, y = (_read_number(fields.get(name), range(-NO_COORDINATE, NO_COORDINATE), NO_COORDINATE) for name in "xy")
    return x, y


def _read_icons(held_kind: HeldKind, fields: dict[str, Any], picked_up: PlacedTile | None) -> int:
    """Return the number of icons, which only trail sides and base camp squares let one choose."""
    if held_kind not in ("trail", "base"):
        return TERRAIN_ICONS if held_kind == "terrain" else 0
    default = picked_up.icons if picked_up and picked_up.kind == held_kind else TRAIL_ICONS
    # A value such as "trail-3" only applies while a trail is held.
    kind, _, icons = str(fields.get("icons", "")).rpartition("-")
    return _read_number(icons if kind in ("", held_kind) else "", range(MAX_ICONS + 1), default)


def _read_animal(picked_up: PlacedTile | None, fields: dict[str, Any]) -> Animal | None:
    """Return the chosen animal, else the animal that is already on the picked-up tile."""
    if fields.get("animal") == NO_ANIMAL:
        return None
    return _read_choice(ANIMALS, fields.get("animal"), picked_up.animal if picked_up else None)


# Cells where it fits


def _held_tile(draft: Draft) -> Tile:
    """Return the tile that is held.

    :raises ValueError: if the held kind is not a tile.
    """
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
    draft: Draft, tiles: TrailMap, legal_cells: LegalCells, state: State | EntryState, seat: int
) -> Iterator[Spot]:
    """Yield every cell that can be pointed at, including each tile of a map that is corrected.

    While a tile is picked up, any other cell starts with a plain trail.
    """
    choices, held_kind = (ALL_KINDS, "trail") if draft.picked_up else (draft.choices, draft.held_kind)
    fitting, closed = (legal_exits(tiles), loop_closing_exits(tiles, state.rulings)) if "trail" in choices else ({}, {})
    fits = {**{kind: legal_placements(tiles, Tile(kind)) for kind in PIECE_KINDS if kind in choices}, **legal_cells}
    base = base_camp_cells(tiles)
    for cell in (*edge_cells(tiles), *(tile.cell for tile in tiles)):
        location = location_text(base, cell)
        fitting_kinds = tuple(kind for kind in fits if cell in fits[kind])
        trails, loops = fitting.get(cell, ()), closed.get(cell, ())
        # Leave out loops that would take a waterfall that players in earlier rounds may claim first.
        if loops and draft.mode == "play" and isinstance(state, State):
            waiting = {
                exits
                for exits in loops
                if any(waterfall_supply_objections(state, seat, PlacedTile(*cell, "trail", exits=exits)))
            }
            trails = tuple(exits for exits in trails if exits not in waiting)
            loops = tuple(exits for exits in loops if exits not in waiting)
        is_fitting = bool(trails) if held_kind == "trail" else held_kind in fitting_kinds
        if cell in edge_cells(tiles):
            if not set(choices) - set(ANIMALS):
                continue
            fit = "fits" if is_fitting else "refused"
            direction = direction_text(base, cell)
            yield Spot(*cell, fit, trails, loops, fitting_kinds, location=location, direction=direction)
        elif draft.mode in EDIT_MODES:
            yield Spot(*cell, "tile", location=at_location(tiles, tiles_by_cell(tiles)[cell]))
        elif fitting_kinds or (held_kind in ANIMALS and tiles_by_cell(tiles)[cell].kind == "terrain"):
            fit = "fits" if is_fitting else "refused"
            direction = direction_text(base, cell)
            yield Spot(
                *cell, fit, other_kinds=fitting_kinds, is_animal_spot=True, location=location, direction=direction
            )


def _with_held_tile(draft: Draft, tiles: TrailMap) -> Draft:
    """Return the draft with its held tile, over a cell turned as chosen or so that it fits."""
    if draft.held_kind in ANIMALS:
        return draft
    fitting = legal_exits(tiles).get(draft.pointed_cell, ())
    turns = (
        tuple(dict.fromkeys((*fitting, *EXITS_SIMPLEST_FIRST)))
        if draft.mode in EDIT_MODES
        else fitting or EXITS_SIMPLEST_FIRST
    )
    exits = draft.exits
    if exits not in turns or trail_shape(exits) != draft.shape:
        exits = next((turn for turn in turns if trail_shape(turn) == draft.shape), turns[0])
    draft = replace(draft, exits=exits, next_exits=turns[(turns.index(exits) + 1) % len(turns)])
    return replace(draft, held_tile=_held_tile(draft))


def _with_target(draft: Draft, legal_cells: LegalCells, state: State | EntryState, seat: int) -> Draft:
    """Return the draft with its spots and, at one of them, the move and its objections."""
    if not draft.held_kind:
        return draft
    tiles = state.players[draft.map_seat].tiles
    draft = replace(_with_held_tile(draft, tiles), spots=tuple(_spots(draft, tiles, legal_cells, state, seat)))
    if not any((spot.x, spot.y) == draft.pointed_cell for spot in draft.spots):
        return draft
    move, remove = _draft_moves(draft)
    draft = replace(
        draft,
        target_cell=draft.pointed_cell,
        move=move,
        remove_move=remove,
        objections=tuple(move.objections(state, seat)),
    )
    return replace(draft, text=_draft_text(draft, tiles))


# Resulting moves


def _draft_moves(draft: Draft) -> tuple[Move, Move | None]:
    """Return the moves for the target cell: one that places the tile and one that removes it."""
    x, y = draft.pointed_cell
    # An animal is not a tile, so any tile serves as a placeholder.
    held = draft.held_tile or Tile("terrain")
    if draft.mode in EDIT_MODES:
        values = astuple(place_tile(held, x, y))
        stays = draft.picked_up is None or draft.picked_up.kind == "base"
        if draft.mode == "fix":
            return CorrectTile(draft.map_seat, *values), None if stays else RemoveTile(draft.map_seat, x, y)
        return PutTile(*values), None if stays else TakeOff(x, y)
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


def _draft_text(draft: Draft, tiles: TrailMap) -> str:
    """Return the change, such as "3 miles \u2192 2 miles", or the new tile and its place."""
    new, old = draft.placed_tile, draft.picked_up
    direction = direction_text(base_camp_cells(tiles), draft.pointed_cell)
    if draft.held_kind in ANIMALS:
        return f"{draft.held_kind}, {direction}"
    if new is None or new == old:
        return ""
    return ", ".join(tile_differences(old, new)) if old else f"{new.short_text}, {direction}"
