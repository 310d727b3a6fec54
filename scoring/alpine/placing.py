"""The moves on one's own map: base camp, the two tiles of a round, a campsite instead of one, waterfalls."""

from collections.abc import Iterator

from scoring.alpine import rules as r
from scoring.alpine.box import MILES, MOST_ICONS, TENTS, TERRAIN_ICONS, TRAIL_ICONS
from scoring.alpine.state import Player, State, on_maps
from scoring.alpine.trailmap import (
    TERRAINS,
    Placed,
    Terrain,
    Tile,
    edge,
    faults,
    name,
    objections,
    put,
    turns,
    waterfalls_earned,
    where,
)
from scoring.alpine.turn import WATERFALL, no_tile, not_now, offer_fork, waterfalls_left
from scoring.alpine.words import SIGNS, a
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason

SHAPES = ("NS", "NE", "NES", "NESW")  # straight, bend, fork, crossing: as they lie before they are turned
CAMP_ICONS = 1  # of each square, as far as anybody knows
# The tiles that somebody who has no tile in the hand could think of, one after another: the shapes, and then the rest.
_THOUGHT_OF = ("NS", "NE", "NE", "NS", "NES", "NE", "NS", "NE", "NS", "NE", "NESW", "NE", "NS")


def _thought_of(state: State, seat: int) -> int:
    return state.bag + len(state.players[seat].tiles) + 5 * seat


class TakeCamp(Move):
    """Tell what the two squares of your base camp show."""

    answers = ("round",)
    rules = (r.BASE_CAMP, r.BASE_CAMP_SQUARES)

    terrain: Terrain
    icons: int = CAMP_ICONS
    other: Terrain | None = None  # of the second square, where the two differ
    other_icons: int = CAMP_ICONS

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].tiles:
            yield Reason("camp-told", r.BASE_CAMP, "Your base camp lies already.")
        if not (0 <= self.icons <= MOST_ICONS and 0 <= self.other_icons <= MOST_ICONS):
            yield Reason("icons", r.BASE_CAMP_SQUARES, f"A square shows 0 to {MOST_ICONS} icons.")
        if self.other == self.terrain:
            yield Reason("same-terrain", r.BASE_CAMP_SQUARES, "A second terrain is told only where it is another one.")

    def apply(self, state: State, seat: int) -> State:
        squares = (
            Placed(0, 0, "base", self.terrain, icons=self.icons),
            Placed(1, 0, "base", self.other or self.terrain, icons=self.other_icons),
        )
        return state.with_player(seat, tiles=squares)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["TakeCamp"]:
        if state.players[seat].tiles:
            return
        for icons in (1, 2, 0, 3, 4):
            for other_icons in (1, 2, 0, 3, 4):
                for terrain in TERRAINS:
                    for other in (None, *(each for each in TERRAINS if each != terrain)):
                        yield cls(terrain, icons, other, other_icons)

    def label(self, state: State, seat: int) -> str:
        return f"Base camp: {self._what()}"

    def icon(self, state: State, seat: int) -> str:
        return SIGNS[self.terrain]

    def told(self, state: State, seat: int) -> str:
        return f"sets out from base camp: {self._what()}"

    def _what(self) -> str:
        if self.other is None and self.icons == self.other_icons:
            return f"{self.terrain}, {self.icons} and {self.other_icons}"
        return f"{self.terrain} {self.icons}, {self.other or self.terrain} {self.other_icons}"


class PlaceTrail(Move):
    """Place one of your two tiles with its trail up, turned as you like."""

    answers = ("round",)
    rules = (r.PLACE_SIDES, r.PLACE_TURNED, r.PLACE_ADJACENT, r.TRAIL_CONNECTED, r.BASE_CAMP_SIDES)
    drafted = True

    terrain: Terrain
    exits: str  # as it lies: two to four letters of NESW, in this order
    miles: int
    x: int
    y: int
    icons: int = TRAIL_ICONS

    @property
    def placed(self) -> Placed:
        return Placed(self.x, self.y, "trail", self.terrain, self.exits, self.miles, self.icons)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from no_tile(state, seat)
        if wrong := list(faults(self.placed)):
            yield from wrong
        elif state.players[seat].tiles:
            yield from objections(state.players[seat].tiles, self.placed, state.rulings)

    def apply(self, state: State, seat: int) -> State:
        state = played(state, seat, self.placed)
        return offer_fork(state, seat, self.terrain) if self.placed.fork else state

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PlaceTrail"]:
        if state.ended:
            return
        number = _thought_of(state, seat)
        terrain, miles = TERRAINS[number % 4], MILES[number // 4 % len(MILES)]
        shape = Tile("trail", exits=_THOUGHT_OF[number % len(_THOUGHT_OF)])
        for x, y in edge(state.players[seat].tiles):
            for tile in turns(shape).values():
                yield cls(terrain, tile.exits, miles, x, y)

    def label(self, state: State, seat: int) -> str:
        return f"Place {a(name(self.placed))}{_there(state, seat, self.x, self.y)}"

    def icon(self, state: State, seat: int) -> str:
        return "fork" if len(self.exits) > 2 else "trail"

    def told(self, state: State, seat: int) -> str:
        return f"placed {a(name(self.placed))}{_there(state, seat, self.x, self.y)}"


class PlaceTerrain(Move):
    """Place one of your two tiles with its terrain up."""

    answers = ("round",)
    rules = (r.PLACE_SIDES, r.PLACE_ADJACENT, r.PLACE_TERRAIN, r.TERRAIN_SIDE)
    drafted = True

    terrain: Terrain
    x: int
    y: int
    icons: int = TERRAIN_ICONS

    @property
    def placed(self) -> Placed:
        return Placed(self.x, self.y, "terrain", self.terrain, icons=self.icons)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from no_tile(state, seat)
        if wrong := list(faults(self.placed)):
            yield from wrong
        elif state.players[seat].tiles:
            yield from objections(state.players[seat].tiles, self.placed, state.rulings)

    def apply(self, state: State, seat: int) -> State:
        return played(state, seat, self.placed)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PlaceTerrain"]:
        if not state.ended:
            terrain = TERRAINS[_thought_of(state, seat) // 3 % 4]
            for x, y in edge(state.players[seat].tiles):
                yield cls(terrain, x, y)

    def label(self, state: State, seat: int) -> str:
        return f"Place {a(name(self.placed))}{_there(state, seat, self.x, self.y)}"

    def icon(self, state: State, seat: int) -> str:
        return SIGNS[self.terrain]

    def told(self, state: State, seat: int) -> str:
        return f"placed {a(name(self.placed))}{_there(state, seat, self.x, self.y)}"


class PlaceCampsite(Move):
    """Put one of your two tiles back in the box and place a campsite with its tent ("Campsites")."""

    answers = ("round",)
    rules = (r.CAMPSITE_SWAP, r.CAMPSITE_ONE, r.CAMPSITE_AT_END, r.CAMPSITE_SIX, r.CAMPSITE_TENT)
    drafted = True

    x: int
    y: int

    @property
    def placed(self) -> Placed:
        return Placed(self.x, self.y, "campsite")

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from no_tile(state, seat)
        if state.players[seat].camped:
            yield Reason("one-campsite", r.CAMPSITE_ONE, "One of your two tiles is a campsite already; the other is placed.")
        if on_maps(state, "campsite") >= TENTS:
            yield Reason("no-tent-left", r.CAMPSITE_TENT, f"All {TENTS} tents are on the maps.")
        if state.players[seat].tiles:
            yield from objections(state.players[seat].tiles, self.placed, state.rulings)

    def apply(self, state: State, seat: int) -> State:
        return played(state, seat, self.placed).with_player(seat, camped=True)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PlaceCampsite"]:
        if not state.ended:
            for x, y in edge(state.players[seat].tiles):
                yield cls(x, y)

    def label(self, state: State, seat: int) -> str:
        return f"Place a campsite{_there(state, seat, self.x, self.y)}"

    def icon(self, state: State, seat: int) -> str:
        return "tent"

    def told(self, state: State, seat: int) -> str:
        return f"gave up a tile for a campsite{_there(state, seat, self.x, self.y)}"


class PlaceWaterfall(Move):
    """Place the waterfall that a loop has earned you, at once ("Loops/Waterfalls")."""

    answers = ("round",)
    rules = (r.LOOP, r.WATERFALL_AT_ONCE, r.PLACE_WATERFALL)
    drafted = True

    x: int
    y: int

    @property
    def placed(self) -> Placed:
        return put(WATERFALL, self.x, self.y)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        player = state.players[seat]
        yield from not_now(state, seat)
        if not state.ended and player.tiles and not player.waterfalls:
            yield Reason("no-waterfall", r.LOOP, "A waterfall is earned by a trail tile that closes a loop.")
        if player.tiles:
            yield from objections(player.tiles, self.placed, state.rulings)

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        return state.with_player(seat, tiles=(*player.tiles, self.placed), waterfalls=player.waterfalls - 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PlaceWaterfall"]:
        player = state.players[seat]
        if not state.ended and player.waterfalls:
            for x, y in edge(player.tiles):
                yield cls(x, y)

    def label(self, state: State, seat: int) -> str:
        return f"Place the waterfall{_there(state, seat, self.x, self.y)}"

    def icon(self, state: State, seat: int) -> str:
        return "waterfall"

    def told(self, state: State, seat: int) -> str:
        return f"placed a waterfall{_there(state, seat, self.x, self.y)}"


class Discard(Move):
    """Discard one of your two tiles: it leaves the game."""

    answers = ("round",)
    rules = (r.DISCARD_TILE,)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from no_tile(state, seat)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, used=state.players[seat].used + 1)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Discard"]:
        if not state.ended:
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "Discard a tile"

    def icon(self, state: State, seat: int) -> str:
        return "x"

    def told(self, state: State, seat: int) -> str:
        return "discarded a tile"


def played(state: State, seat: int, tile: Placed) -> State:
    """Return the state with one of a player's two tiles played: this one lies on the map now, and may have closed a loop."""
    player: Player = state.players[seat]
    earned = min(waterfalls_earned(player.tiles, tile, state.rulings), waterfalls_left(state))
    return state.with_player(seat, tiles=(*player.tiles, tile), used=player.used + 1, waterfalls=earned)


def _there(state: State, seat: int, x: int, y: int) -> str:
    """Return where a cell lies, to be read after what is placed there."""
    tiles = state.players[seat].tiles
    return f", {where(tiles, (x, y))}" if tiles else ""
