"""What a phone is putting together before it is said: a tile described bit by bit, turned, held over a cell of a map.

A phone says each of its choices in words, and may say anything. What it did not choose, or not well, is as it was last; of
a tile that lies on the map and is pointed at to be changed, as it lies there.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails.box import MILES, MOST_ICONS, TERRAIN_ICONS, TRAIL_ICONS, TRAIL_TILES
from scoring.alpine_trails.map.fitting import closing, legal, ways
from scoring.alpine_trails.map.grid import cells, edge, open_ends, where
from scoring.alpine_trails.map.tiles import (
    ANIMALS,
    TERRAINS,
    TOWARDS,
    WAYS,
    Animal,
    Cell,
    Kind,
    Placed,
    Terrain,
    Tile,
    TrailMap,
    name,
    put,
    shape,
)
from scoring.alpine_trails.moves.corrections import CorrectTile, RemoveTile
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall, falls_wait
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.score_entry import PutTile, TakeOff, Tally
from scoring.alpine_trails.state import State
from scoring.kernel.english import a, capital, listed, plural
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

Mode = Literal["play", "fix", "enter", "look"]  # a turn, a correction, a map after the game, nothing
What = Literal["", "base", "trail", "terrain", "campsite", "waterfall", "lake", "goat", "moose", "bear", "wolf"]
SIDES: tuple[What, ...] = ("trail", "terrain")
ANYTHING: tuple[What, ...] = (*SIDES, "campsite", "waterfall", "lake")
PIECES: tuple[Kind, ...] = ("terrain", "campsite", "waterfall", "lake")
CHANGES = ("fix", "enter")  # the modes in which a tile that lies on the map can be picked up
WHERE = ("as", "fix", "x", "y")  # what is said of the page and of the cell that is pointed at, not of a tile
NO_ANIMAL = "none"  # chosen by hand; nothing chosen is what lies there already
NOWHERE = 10**6  # what is typed in as a cell lies nearer
T = TypeVar("T")
Tried = Mapping[str, Collection[Cell]]  # where a move of the game would put it


class Spot(Struct, frozen=True):
    """A cell that can be pointed at: what is held fits, or does not; and all that a phone has to know to hold something else."""

    x: int
    y: int
    fit: Literal["fits", "refused", "tile"]
    ways: tuple[str, ...] = ()  # the exits of the trails that fit
    loops: tuple[str, ...] = ()  # those of them that would close a loop
    takes: tuple[str, ...] = ()  # what else fits
    home: bool = False  # a tile lies there, where an animal may live


class Draft(Struct, frozen=True):
    """What a phone has put together so far, and what it could say with it."""

    mode: Mode
    whose: int  # the map it is about
    what: What  # what is held: a side, a piece, an animal; nothing if there is nothing to place
    choices: tuple[What, ...]  # what could be held
    at: Cell  # the cell that was pointed at, if it is one
    said: dict[str, Any]  # what the phone said, as far as it still counts; `of` is the cell of the tile it describes
    lying: Placed | None = None  # the tile that was picked up: it lies there, and is to be another one
    left: int = TRAIL_TILES  # tiles that can be said before others are waited for
    waits: bool = False  # a tile can be put together, and said once an animal on offer is taken or left
    terrain: Terrain = "forest"
    way: str = WAYS[0]  # the exits of a trail, as it is held
    after: str = WAYS[0]  # the way it is turned next: over a cell, among those that fit
    miles: int = 2
    icons: int = TRAIL_ICONS
    animal: Animal | None = None
    cell: Cell | None = None
    held: Tile | None = None
    spots: tuple[Spot, ...] = ()
    move: Move | None = None  # what can be said, if anything speaks against it or not
    remove: Move | None = None
    reasons: tuple[Reason, ...] = ()
    no_camp: str = ""  # why there can be no campsite now, wherever it goes
    words: str = (
        ""  # of what can be said: what would lie there, and instead of what; none, where that is what lies there
    )

    @property
    def lies(self) -> str:
        """Return what has been picked up, as a sentence begins."""
        return capital(_in_words(self.lying)) if self.lying else ""

    @property
    def it(self) -> str:
        """Return what has been picked up: "the 2 mile forest trail"."""
        return _the(self.lying) if self.lying else ""

    @property
    def another(self) -> bool:
        """Return whether what was picked up would go: not changed, but replaced by a tile that is called otherwise."""
        return bool(self.lying and self.over and name(self.over) != name(self.lying))

    @property
    def over(self) -> Placed | None:
        """Return the tile as it is held over the map."""
        return put(self.held, *self.cell) if self.held and self.cell else None


def of_game(state: State, seat: int, said: dict[str, Any]) -> Draft:
    """Return what a phone has put together at a tracked table."""
    whose = _number(said, "fix", range(len(state.players)), -1)
    if whose >= 0 and state.players[whose].tiles:
        return _aimed(_described("fix", whose, ANYTHING, state.players[whose].tiles, said), {}, state, seat)
    tiles, choices = state.players[seat].tiles, tuple(_can_place(state, seat))
    draft = _described("play" if choices else "look", seat, choices, tiles, said)
    tried: dict[What, Sequence[PlaceCampsite | PlaceAnimal]] = {
        what: [PlaceAnimal(what, tile.x, tile.y) for tile in tiles if tile.kind == "terrain"]
        for what in ANIMALS
        if what in choices
    }
    player, answered = state.players[seat], state.with_player(seat, offered=())  # an animal on offer changes no tile
    if "campsite" in choices:
        tried["campsite"] = [PlaceCampsite(x, y) for x, y in open_ends(tiles)]
        soon = PlaceCampsite(0, 0).too_soon(answered, seat)
        draft = replace(draft, no_camp=next((reason.text for reason in soon), ""))
    fits = {
        what: {(move.x, move.y) for move in moves if not _against(answered, seat, move)}
        for what, moves in tried.items()
    }
    waits = bool(player.offered) and player.between
    return replace(_aimed(draft, fits, state, seat), left=state.left - player.used, waits=waits)


def _can_place(state: State, seat: int) -> Iterator[What]:
    """Yield what a player could put on the map now, what has to come first before the rest."""
    player = state.players[seat]
    if not player.tiles or state.over:
        return
    if not state.ended:
        if player.waterfalls:
            yield "waterfall"
        elif player.used < state.left:
            yield from SIDES
            if player.between or not player.camped:
                yield "campsite"
    yield from dict.fromkeys(player.held)


def asked(state: State, seat: int, said: dict[str, Any]) -> Move | None:
    """Return the move that a question about a tile and a cell means; a trail is turned to fit."""
    said = _keyed(said)
    kind, _, form = str(said.get("tile", "")).partition("-")
    x, y = (_number(said, name, range(-NOWHERE, NOWHERE), NOWHERE) for name in "xy")
    terrain: Terrain = _one_of(TERRAINS, said.get("terrain"), "forest")
    if NOWHERE in (x, y):
        return None
    match kind:
        case "trail":
            shaped = [way for way in WAYS if shape(way) == form]
            fitting = ways(state.players[seat].tiles).get((x, y), ())
            way = next((way for way in shaped if way in fitting), shaped[0] if shaped else None)
            return PlaceTrail(terrain, way, MILES[0], x, y) if way else None
        case "terrain":
            return PlaceTerrain(terrain, x, y)
        case "campsite":
            return PlaceCampsite(x, y)
        case "waterfall":
            return PlaceWaterfall(x, y)
    return None


def of_tally(state: Tally, seat: int, said: dict[str, Any]) -> Draft:
    """Return what a phone has put together of a map that is entered after the game."""
    tiles = state.players[seat].tiles
    if not tiles or state.players[seat].done:
        return _described("look", seat, (), tiles, said)
    return _aimed(_described("enter", seat, ANYTHING, tiles, said), {}, state, seat)


# What was said


def _described(mode: Mode, whose: int, choices: tuple[What, ...], tiles: TrailMap, said: dict[str, Any]) -> Draft:
    """Return the tile as it was described. What was not said is as on the tile that is picked up, else as on the last one.

    A map that is set right has no last one: nobody is placing tiles there one after another.
    """
    said = _keyed(said)
    cell = _number(said, "x", range(-NOWHERE, NOWHERE), NOWHERE), _number(said, "y", range(-NOWHERE, NOWHERE), NOWHERE)
    lying = cells(tiles).get(cell) if mode in CHANGES else None
    said = _of(said, f"{cell[0]},{cell[1]}" if lying else "") if mode in CHANGES else said
    placed = (lying,) if lying else () if mode == "fix" else tiles[::-1]
    last = lying or next((tile for tile in placed if tile.kind in SIDES), None)
    trail = next((tile for tile in placed if tile.kind == "trail"), None)
    if lying and lying.kind == "base":  # what it shows can be set right, it stays base camp
        choices = ("base",)
    usual: What = lying.kind if lying else choices[0] if choices else ""
    what: What = _one_of(choices, said.get("what"), usual)
    return Draft(
        mode,
        whose,
        what,
        choices,
        cell,
        said,
        lying,
        terrain=_one_of(TERRAINS, said.get("terrain"), (last and last.terrain) or "forest"),
        way=_one_of(WAYS, said.get("way"), lying.exits if lying and lying.exits else ""),
        miles=_number(said, "miles", MILES, (trail and trail.miles) or 2),
        icons=_icons(what, said, lying),
        animal=_animal(lying, said) if what == "terrain" and mode != "play" else None,
    )


def _keyed(said: dict[str, Any]) -> dict[str, Any]:
    """Return what was said with a cell ("2,-1") and a key of the pad taken apart: "trail-forest" is a side and its terrain."""
    if isinstance(at := said.get("at"), str):
        x, _, y = at.partition(",")
        said = {name: value for name, value in said.items() if name != "at"} | {"x": x, "y": y}
    if not isinstance(key := said.get("key"), str):
        return said
    what, _, terrain = key.partition("-")
    others = {name: value for name, value in said.items() if name not in ("key", "what", "terrain")}
    return others | {"what": what} | ({"terrain": terrain} if terrain else {})


def _of(said: dict[str, Any], tile: str) -> dict[str, Any]:
    """Return what was said of a tile by its cell, or of one that does not lie yet; what was said of another one is left out."""
    if str(said.get("of", "")) == tile:
        return said
    return {name: said[name] for name in WHERE if name in said} | ({"of": tile} if tile else {})


def _one_of(known: Sequence[T], said: Any, otherwise: T) -> T:
    return next((each for each in known if each == said), otherwise)


def _number(said: dict[str, Any], name: str, among: Iterable[int], otherwise: int) -> int:
    text = said.get(name)
    if not isinstance(text, str) or not text.removeprefix("-").isdecimal() or len(text) > 4:
        return otherwise
    return int(text) if int(text) in among else otherwise


def _icons(what: What, said: dict[str, Any], lying: Placed | None) -> int:
    """Return how many icons there are on a trail side or a square of base camp; of the others there is no choice."""
    if what not in ("trail", "base"):
        return TERRAIN_ICONS if what == "terrain" else 0
    usual = lying.icons if lying and lying.kind == what else TRAIL_ICONS
    said_of, _, icons = str(said.get("icons", "")).rpartition("-")  # "trail-3": not meant for what else is held
    return _number({"icons": icons if said_of in ("", what) else ""}, "icons", range(MOST_ICONS + 1), usual)


def _animal(lying: Placed | None, said: dict[str, Any]) -> Animal | None:
    """Return the animal chosen by hand, else the one that is on the tile of the map already: it stays where it is."""
    if said.get("animal") == NO_ANIMAL:
        return None
    return _one_of(ANIMALS, said.get("animal"), lying.animal if lying else None)


# Where it fits


def _tile(draft: Draft) -> Tile:
    """Return the tile that is held."""
    match draft.what:
        case "trail":
            return Tile("trail", draft.terrain, draft.way, draft.miles, draft.icons)
        case "terrain":
            return Tile("terrain", draft.terrain, icons=draft.icons, animal=draft.animal)
        case "base":
            return Tile("base", draft.terrain, icons=draft.icons)
        case "campsite" | "waterfall" | "lake":
            return Tile(draft.what)
    raise ValueError(f"{draft.what} is no tile")


def _spots(draft: Draft, tiles: TrailMap, tried: Tried, state: State | Tally, seat: int) -> Iterator[Spot]:
    """Yield every cell that can be pointed at; where a map is changed, each of its tiles is one.

    While a tile is picked up, another cell begins with a plain trail.
    """
    choices, what = (ANYTHING, "trail") if draft.lying else (draft.choices, draft.what)
    fitting, closed = (ways(tiles), closing(tiles, state.rulings)) if "trail" in choices else ({}, {})
    fits = {**{each: legal(tiles, Tile(each)) for each in PIECES if each in choices}, **tried}
    for cell in (*edge(tiles), *(tile.cell for tile in tiles)):
        takes = tuple(each for each in fits if cell in fits[each])
        trails, loops = fitting.get(cell, ()), closed.get(cell, ())
        if (
            loops and draft.mode == "play" and isinstance(state, State)
        ):  # some take a waterfall that others may come to first
            waiting = {way for way in loops if any(falls_wait(state, seat, Placed(*cell, "trail", exits=way)))}
            trails = tuple(way for way in trails if way not in waiting)
            loops = tuple(way for way in loops if way not in waiting)
        held = bool(trails) if what == "trail" else what in takes
        if cell in edge(tiles):
            if not set(choices) - set(ANIMALS):
                continue
            yield Spot(*cell, "fits" if held else "refused", trails, loops, takes)
        elif draft.mode in CHANGES:
            yield Spot(*cell, "tile")
        elif takes or (what in ANIMALS and cells(tiles)[cell].kind == "terrain"):
            yield Spot(*cell, "fits" if held else "refused", takes=takes, home=True)


def _held(draft: Draft, tiles: TrailMap) -> Draft:
    """Return the draft with its tile as it is held: over a cell the way that was chosen, or else the first that fits."""
    if draft.what in ANIMALS:
        return draft
    fitting = ways(tiles).get(draft.at, ())
    turns = tuple(dict.fromkeys((*fitting, *WAYS))) if draft.mode in CHANGES else fitting or WAYS
    now = draft.way if draft.way in turns else turns[0]
    draft = replace(draft, way=now, after=turns[(turns.index(now) + 1) % len(turns)])
    return replace(draft, held=_tile(draft))


def _aimed(draft: Draft, tried: Tried, state: State | Tally, seat: int) -> Draft:
    """Return the draft with its spots and, if it is held over one of them, what can be said and what speaks against it."""
    if not draft.what:
        return draft
    tiles = state.players[draft.whose].tiles
    draft = replace(_held(draft, tiles), spots=tuple(_spots(draft, tiles, tried, state, seat)))
    if not any((spot.x, spot.y) == draft.at for spot in draft.spots):
        return draft
    move, remove = _moves(draft)
    draft = replace(draft, cell=draft.at, move=move, remove=remove, reasons=_against(state, seat, move))
    return replace(draft, words=_words(draft, tiles))


# What can be said


def _moves(draft: Draft) -> tuple[Move, Move | None]:
    """Return what can be said of the cell that is pointed at: that the tile lies there, or that none does."""
    x, y = draft.at
    held = draft.held or Tile("terrain")  # an animal is no tile
    if draft.mode in CHANGES:
        shown = (x, y, held.kind, held.terrain, held.exits, held.miles, held.icons, held.animal)
        stays = draft.lying is None or draft.lying.kind == "base"
        if draft.mode == "fix":
            return CorrectTile(draft.whose, *shown), None if stays else RemoveTile(draft.whose, x, y)
        return PutTile(*shown), None if stays else TakeOff(x, y)
    match draft.what:
        case "trail":
            return PlaceTrail(draft.terrain, held.exits, held.miles, x, y, held.icons), None
        case "terrain":
            return PlaceTerrain(draft.terrain, x, y, held.icons), None
        case "campsite":
            return PlaceCampsite(x, y), None
        case "goat" | "moose" | "bear" | "wolf" as animal:
            return PlaceAnimal(animal, x, y), None
    return PlaceWaterfall(x, y), None


def _against(state: State | Tally, seat: int, move: Move) -> tuple[Reason, ...]:
    return tuple(move.objections(state, seat))


def _words(draft: Draft, tiles: TrailMap) -> str:
    """Return in words what would be said: what lies where, or what lies there instead of what."""
    new, old = draft.over, draft.lying
    if draft.what in ANIMALS:
        return f"{draft.what}, {where(tiles, draft.at)}"
    if new is None or new == old:
        return ""
    if old is None:
        return f"{in_hand(new)}, {where(tiles, new.cell)}"
    if name(new) != name(old):
        return f"{_in_words(new)} instead of {_in_words(old)}"
    return f"{_the(old)} {', '.join(_differs(old, new))}"


def in_hand(tile: Placed) -> str:
    """Return what a tile is called while it is laid: of a trail with its shape."""
    if tile.kind == "trail":
        return f"{tile.miles} mile {tile.terrain} {shape(tile.exits)}"
    return f"{name(tile)} with the {tile.animal}" if tile.animal else name(tile)


def _in_words(tile: Placed) -> str:
    what = name(tile) if tile.kind == "base" else a(name(tile))
    return f"{what} with the {tile.animal}" if tile.animal else what


def _the(tile: Placed) -> str:
    return name(tile) if tile.kind == "base" else f"the {name(tile)}"


def _differs(old: Placed, new: Placed) -> Iterator[str]:
    """Yield how a tile differs from one that is called the same."""
    if new.terrain != old.terrain:
        yield f"with {new.terrain} instead of {old.terrain or 'no terrain'}"
    if new.exits != old.exits:
        yield f"to the {_sides(new)} instead of the {_sides(old)}"
    if new.icons != old.icons:
        yield f"with {plural(new.icons, 'icon')} instead of {old.icons}"
    if new.animal != old.animal:
        now = f"with the {new.animal}" if new.animal else f"without the {old.animal}"
        yield f"{now} instead of the {old.animal}" if new.animal and old.animal else now


def _sides(tile: Placed) -> str:
    return listed([TOWARDS[letter] for letter in tile.exits])
