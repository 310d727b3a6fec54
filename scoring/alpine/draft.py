"""What a phone is putting together before it is said: a tile described bit by bit, turned, held over a cell of a map."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine.box import MILES, MOST_ICONS, TERRAIN_ICONS, TRAIL_ICONS
from scoring.alpine.placing import SHAPES, PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine.state import DRAWN, State
from scoring.alpine.tally import PutTile, TakeOff, Tally
from scoring.alpine.telling import CorrectTile, RemoveTile
from scoring.alpine.trailmap import ANIMALS, TERRAINS, Cell, Placed, Tile, TrailMap, cells, edge, legal, put, turns
from scoring.alpine.wildlife import PlaceAnimal
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

SIDES = ("trail", "terrain")
PIECES = ("campsite", "waterfall", "lake")
NO_ANIMAL = "none"  # chosen by hand; nothing chosen is what lies there already
NOWHERE = 10**6  # what is typed in as a cell lies nearer


class Spot(Struct, frozen=True):
    """A cell that can be pointed at: the tile fits as it is held, fits when it is turned, or does not fit."""

    x: int
    y: int
    fit: Literal["fits", "turns", "refused", "tile"]


class Draft(Struct, frozen=True):
    """What a phone has put together so far, and what it could say with it."""

    mode: Literal["play", "fix", "enter", "look"]  # a turn, a correction, a map after the game, nothing
    whose: int  # the map it is about
    what: str  # what is held: a side, a piece, an animal; nothing if there is nothing to place
    choices: tuple[str, ...]  # what could be held
    said: dict[str, str]  # what was chosen by hand; the rest is as it was last
    terrain: str = "forest"
    shape: str = "NS"
    miles: int = 2
    icons: int = TRAIL_ICONS
    animal: str = ""
    turn: int = 0
    turned: int = 0  # the way it is turned next
    cell: Cell | None = None
    held: Tile | None = None  # as it is turned
    spots: tuple[Spot, ...] = ()
    move: Move | None = None  # what can be said, if anything speaks against it or not
    remove: Move | None = None
    reasons: tuple[Reason, ...] = ()

    def but(self, **changes: Any) -> dict[str, str]:
        """Return the fields of this draft for an address or a form, with some changed; None leaves one out."""
        fields = {**self.said, **changes}
        return {f"draft.{name}": str(value) for name, value in fields.items() if value is not None}

    @property
    def animal_chosen(self) -> bool:
        """Return whether the animal was chosen by hand."""
        return _chooses_animal(self.said)

    @property
    def over(self) -> Placed | None:
        """Return the tile as it is held over the map."""
        return put(self.held, *self.cell) if self.held and self.cell else None


def of_game(state: State, seat: int, said: dict[str, Any]) -> Draft:
    """Return what a phone has put together at a tracked table."""
    said = _plain(said)
    whose = _number(said, "fix", range(len(state.players)), -1)
    if whose >= 0 and state.players[whose].tiles:
        return _correction(state, seat, whose, said)
    player = state.players[seat]
    choices = tuple(_can_place(state, seat))
    what = said.get("what", "")
    what = what if what in choices else choices[0] if choices else ""
    mode: Literal["play", "look"] = "play" if what else "look"
    draft = _described(mode, seat, what, choices, player.tiles, said)
    if what in ANIMALS:
        spots = [(tile.cell, PlaceAnimal(what, tile.x, tile.y)) for tile in player.tiles if tile.kind == "terrain"]
        return _aimed(
            draft, [Spot(x, y, "refused" if _against(state, seat, move) else "fits") for (x, y), move in spots], state, seat
        )
    if what == "campsite":
        ends = [cell for cell, sides in edge(player.tiles).items() if "end" in sides.values()]
        return _aimed(
            draft,
            [Spot(x, y, "refused" if _against(state, seat, PlaceCampsite(x, y)) else "fits") for x, y in ends],
            state,
            seat,
        )
    return _aimed(draft, _spots(draft, player.tiles), state, seat)


def _can_place(state: State, seat: int) -> Iterator[str]:
    """Yield what a player could put on the map now, what has to come first before the rest."""
    player = state.players[seat]
    if not player.tiles or state.over:
        return
    if not state.ended:
        if player.waterfalls:
            yield "waterfall"
        elif player.used < DRAWN:
            yield from SIDES
            if not player.camped:
                yield "campsite"
    yield from dict.fromkeys(player.held)


def _correction(state: State, seat: int, whose: int, said: dict[str, str]) -> Draft:
    """Return what is put together to set a map right: any tile, in any cell."""
    tiles = state.players[whose].tiles
    what = said.get("what", "")
    choices = (*SIDES, *PIECES)
    draft = _described("fix", whose, what if what in choices else choices[0], choices, tiles, said)
    return _aimed(draft, [*_spots(draft, tiles), *_on_tiles(tiles)], state, seat)


def of_tally(state: Tally, seat: int, said: dict[str, Any]) -> Draft:
    """Return what a phone has put together of a map that is entered after the game."""
    said = _plain(said)
    player = state.players[seat]
    choices = (*SIDES, *PIECES) if player.tiles and not player.done else ()
    what = said.get("what", "")
    what = what if what in choices else choices[0] if choices else ""
    draft = _described("enter" if choices else "look", seat, what, choices, player.tiles, said)
    if not choices:
        return draft
    return _aimed(draft, [*_spots(draft, player.tiles), *_on_tiles(player.tiles)], state, seat)


def _plain(said: dict[str, Any]) -> dict[str, str]:
    known = ("fix", "what", "terrain", "shape", "miles", "icons", "animal", "turn", "x", "y")
    return {name: value for name in known if isinstance(value := said.get(name), str)}


def _number(said: dict[str, str], name: str, among: Iterable[int], otherwise: int) -> int:
    text = said.get(name, "")
    number = int(text) if text.removeprefix("-").isdecimal() and len(text) < 5 else NOWHERE
    return number if number in among else otherwise


def _described(
    mode: Literal["play", "fix", "enter", "look"],
    whose: int,
    what: str,
    choices: tuple[str, ...],
    tiles: TrailMap,
    said: dict[str, str],
) -> Draft:
    """Return the tile as it was described; what was not said is as on the last tile of the map."""
    last = next((tile for tile in reversed(tiles) if tile.kind in SIDES), None)
    trail = next((tile for tile in reversed(tiles) if tile.kind == "trail"), None)
    usual = {"terrain": TERRAIN_ICONS, "trail": TRAIL_ICONS}.get(what, 0)
    terrain, shape = said.get("terrain"), said.get("shape")
    side, _, icons = said.get("icons", "").rpartition("-")  # "trail-3": said of one side, they are not meant for the other
    return Draft(
        mode,
        whose,
        what,
        choices,
        said,
        terrain=terrain if terrain in TERRAINS else last.terrain if last else "forest",
        shape=shape if shape in SHAPES else _shape(trail) if trail else SHAPES[0],
        miles=_number(said, "miles", MILES, trail.miles if trail else 2),
        icons=_number({"icons": icons if side in ("", what) else ""}, "icons", range(MOST_ICONS + 1), usual)
        if what in SIDES
        else 0,
        animal=_animal(tiles, said) if what == "terrain" and mode != "play" else "",
        turn=_number(said, "turn", range(4), 0),
    )


def _chooses_animal(said: dict[str, str]) -> bool:
    return said.get("animal") in (NO_ANIMAL, *ANIMALS)


def _animal(tiles: TrailMap, said: dict[str, str]) -> str:
    """Return the animal chosen by hand, else the one that is on the tile of the map already: it stays where it is."""
    if _chooses_animal(said):
        return said["animal"].removeprefix(NO_ANIMAL)
    lying = cells(tiles).get(_at(said))
    return lying.animal or "" if lying else ""


def _shape(tile: Placed) -> str:
    return next(shape for shape in SHAPES if any(way.exits == tile.exits for way in turns(Tile("trail", exits=shape)).values()))


def _tile(draft: Draft) -> Tile:
    """Return the tile that is held, before it is turned."""
    match draft.what:
        case "trail":
            return Tile("trail", draft.terrain, draft.shape, draft.miles, draft.icons)
        case "terrain":
            return Tile("terrain", draft.terrain, icons=draft.icons, animal=draft.animal or None)
    return Tile(draft.what)


def _spots(draft: Draft, tiles: TrailMap) -> list[Spot]:
    """Return the cells beside a map, by how the tile fits there."""
    if not draft.what:
        return []
    fitting, now = legal(tiles, _tile(draft)), _way(draft, tiles)
    return [
        Spot(*cell, "fits" if now in fitting.get(cell, ()) else "turns" if cell in fitting else "refused")
        for cell in edge(tiles)
    ]


def _on_tiles(tiles: TrailMap) -> list[Spot]:
    return [Spot(tile.x, tile.y, "tile") for tile in tiles]


def _way(draft: Draft, tiles: TrailMap) -> int:
    """Return the quarter turns a tile is held by; over a cell where it fits only turned, it is turned."""
    ways = turns(_tile(draft))
    now = draft.turn if draft.turn in ways else draft.turn % len(ways)
    fitting = legal(tiles, _tile(draft)).get(_at(draft.said), (now,))
    return now if now in fitting else next((quarters for quarters in fitting if quarters > now), fitting[0])


def _at(said: dict[str, str]) -> Cell:
    x, y = (_number(said, name, range(-NOWHERE, NOWHERE), NOWHERE) for name in "xy")
    return x, y


def _aimed(draft: Draft, spots: list[Spot], state: State | Tally, seat: int) -> Draft:
    """Return the draft with its spots and, if it is held over one of them, what can be said and what speaks against it."""
    if not draft.what:
        return draft
    tiles = state.players[draft.whose].tiles
    cell = _at(draft.said)
    here = any((spot.x, spot.y) == cell for spot in spots)
    if draft.what in ANIMALS:
        held, ways, now = None, {0: None}, 0
    else:
        now, ways = _way(draft, tiles), turns(_tile(draft))
        held = ways[now]
        ways = {quarters: ways[quarters] for quarters in legal(tiles, _tile(draft)).get(cell, ways)}
    later = [quarters for quarters in ways if quarters > now]
    after = later[0] if later else min(ways)
    values = {"turn": now, "turned": after, "held": held, "spots": tuple(spots)}
    if not here:
        return replace(draft, **values)
    move, remove = _moves(draft, held, cell, cells(tiles).get(cell))
    return replace(draft, **values, cell=cell, move=move, remove=remove, reasons=_against(state, seat, move) if move else ())


def _moves(draft: Draft, held: Tile | None, cell: Cell, lying: Placed | None) -> tuple[Move | None, Move | None]:
    """Return what can be said of a cell: that the tile lies there, or that none does."""
    x, y = cell
    if draft.mode in ("fix", "enter"):
        base = lying is not None and lying.kind == "base"  # its terrain can be set right, it stays base camp
        shown = (x, y, held.kind, held.terrain, held.exits, held.miles, held.icons, held.animal)
        if base:
            shown = (x, y, "base", draft.terrain, "", 0, draft.icons)
        free = lying is None or base
        if draft.mode == "fix":
            return CorrectTile(draft.whose, *shown), None if free else RemoveTile(draft.whose, x, y)
        return PutTile(*shown), None if free else TakeOff(x, y)
    match draft.what:
        case "trail":
            return PlaceTrail(held.terrain, held.exits, held.miles, x, y, held.icons), None
        case "terrain":
            return PlaceTerrain(held.terrain, x, y, held.icons), None
        case "campsite":
            return PlaceCampsite(x, y), None
        case "waterfall":
            return PlaceWaterfall(x, y), None
    return PlaceAnimal(draft.what, x, y), None


def _against(state: State | Tally, seat: int, move: Move) -> tuple[Reason, ...]:
    return tuple(move.objections(state, seat))
