"""Moves on a player's own map: base camp, tiles, campsites, waterfalls and discards."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Self

from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import CAMP_ICONS, MAX_ICONS, MILES, TENTS, TERRAIN_ICONS, TRAIL_ICONS
from scoring.alpine_trails.map.fitting import legal_exits, loop_closing_exits, objections
from scoring.alpine_trails.map.grid import (
    at_location,
    describe_cell,
    distance,
    edge_cells,
    move_by,
    neighbors,
    open_ends,
    tiles_by_cell,
)
from scoring.alpine_trails.map.tiles import (
    EXITS_SIMPLEST_FIRST,
    OPPOSITE,
    TERRAINS,
    Cell,
    PlacedTile,
    Terrain,
    TrailMap,
    exits_text,
    icons_text,
    place_tile,
    shape_name,
    tile_errors,
)
from scoring.alpine_trails.map.trails import waterfalls_earned
from scoring.alpine_trails.moves.missing_tiles import missing_tiles_field
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.state import Player, State, count_on_maps
from scoring.alpine_trails.text import ICON_BY_TERRAIN
from scoring.alpine_trails.turn import (
    WATERFALL,
    base_camp_objections,
    max_upcoming_campsites,
    offer_fork,
    players_behind,
    shared_supply_objections,
    tile_objections,
    tiles_left,
    use_tile,
    waterfalls_left,
)
from scoring.kernel.editable import EditableField
from scoring.kernel.english import join_words, with_article
from scoring.kernel.move import Move, MoveLabel, Phase, chosen_option
from scoring.kernel.rule import Reason

# A crossing closes no more loops than this.
MAX_LOOPS_PER_TILE = 3
# possible icons of a square, most likely first
ICON_COUNTS = (1, 2, 0, *range(3, MAX_ICONS + 1))


def waterfall_supply_objections(state: State, seat: int, placed: PlacedTile) -> Iterator[Reason]:
    """Yield why a tile may not close a loop yet.

    The loop would take one of the last waterfalls before players in earlier rounds can.
    """
    if not (earlier_players := players_behind(state, seat)):
        return
    if earned := waterfalls_earned(state.players[seat].tiles, placed, state.rulings):
        loops_per_tile = MAX_LOOPS_PER_TILE if chosen_option(state.rulings, r.TWO_LOOPS) == "each" else 1
        most = {player.name: loops_per_tile * tiles for player, tiles in earlier_players}
        yield from shared_supply_objections("waterfall", waterfalls_left(state), earned, most)


class TakeCamp(Move, tag="take-camp"):
    """Enter the two squares of your base camp, in a game or in its score entry."""

    title = "Enter base camp"
    entered_fact = "your base camp"
    resolves = ("round",)
    phase = Phase.SETUP
    names_player = False
    rules = (r.BASE_CAMP, r.BASE_CAMP_SQUARES)

    terrain: Terrain
    icons: int = CAMP_ICONS
    other: Terrain | None = None  # terrain of the second square, if it differs
    other_icons: int = CAMP_ICONS
    upright: bool = False  # whether the second square is south of the first, not east of it

    def objections(self, state: Any, seat: int) -> Iterator[Reason]:
        if state.players[seat].tiles:
            yield Reason("camp-told", r.BASE_CAMP, "Your base camp is already on your map.")
        if not (0 <= self.icons <= MAX_ICONS and 0 <= self.other_icons <= MAX_ICONS):
            yield Reason("icons", r.BASE_CAMP_SQUARES, f"A square has 0 to {MAX_ICONS} icons.")
        if self.other == self.terrain:
            yield Reason(
                "same-terrain",
                r.BASE_CAMP_SQUARES,
                "Both squares have the same terrain. Leave the second terrain empty.",
            )

    def apply(self, state: Any, seat: int) -> Any:
        squares = (
            PlacedTile(0, 0, "base", self.terrain, icons=self.icons),
            PlacedTile(
                *((0, 1) if self.upright else (1, 0)), "base", self.other or self.terrain, icons=self.other_icons
            ),
        )
        return state.with_player(seat, tiles=squares)

    @classmethod
    def candidates(cls, state: Any, seat: int) -> Iterator[Self]:
        if state.players[seat].tiles:
            return
        for upright, icons, other_icons in product((False, True), ICON_COUNTS, ICON_COUNTS):
            for terrain, other in product(TERRAINS, (None, *TERRAINS)):
                if other != terrain:
                    yield cls(terrain, icons, other, other_icons, upright)

    def label(self, state: Any, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Base camp: {self.camp_text()}", icon=ICON_BY_TERRAIN[self.terrain], short=self.terrain.capitalize()
        )

    def log_text(self, state: Any, seat: int) -> str:
        return f"{state.players[seat].name}\u2019s base camp: {self.camp_text()}"

    def camp_text(self) -> str:
        """Return the base camp in words, with its terrains and icons."""
        upright_text = ", vertical" if self.upright else ""
        places = ("north", "south") if self.upright else ("west", "east")
        if self.other is None and self.icons == self.other_icons:
            return f"{self.terrain}, {icons_text(self.icons)} on each square{upright_text}"
        squares = [(self.terrain, self.icons), (self.other or self.terrain, self.other_icons)]
        if self.other is None:
            first, second = (icons_text(icons) for _, icons in squares)
            return f"{self.terrain}, {first} on the {places[0]} square and {second} on the {places[1]} square"
        pairs = zip(places, squares, strict=True)
        return join_words([f"{terrain} with {icons_text(icons)} ({place})" for place, (terrain, icons) in pairs])


# Objections that never go away: tiles stay on a map, and distances to a camp only become shorter.
PERMANENT_OBJECTIONS = frozenset(("occupied", "blocks-end", "runs-into", "touching", "too-near"))


def relevant_cells(state: State, seat: int, query: Move | None) -> Iterable[Cell]:
    """Return the empty cells where a tile can matter to a later move of the round.

    What may be placed in a cell depends on its neighbors. A waterfall requires a loop, and can be
    placed anywhere.

    :param query: the later move; without it, all empty cells beside the map are relevant.
    """
    tiles, last = state.players[seat].tiles, tiles_left(state, seat) == 1
    match query:
        case None:
            return edge_cells(tiles)
        case PlaceAnimal(x=x, y=y) if (x, y) not in tiles_by_cell(tiles):
            target = x, y
        case Place() if can_become_legal(tiles, query, state.rulings) and not (
            query.phase is Phase.TURN_START and last
        ):
            target = query.placed.cell
        case _:
            return ()
    if isinstance(query, PlaceWaterfall):
        return loop_closing_exits(tiles, state.rulings) if last else edge_cells(tiles)
    relevant = {target, *(cell for _, cell in neighbors(target)), *loop_closing_exits(tiles, state.rulings)}
    return () if target in tiles_by_cell(tiles) else relevant & edge_cells(tiles).keys()


def can_become_legal(tiles: TrailMap, query: Move | None, rulings: dict[str, str]) -> bool:
    """Return whether a tile that does not fit a cell could fit after others have been placed."""
    if not isinstance(query, Place):
        return True
    return not any(tile_errors(query.placed)) and not any(
        reason.code in PERMANENT_OBJECTIONS for reason in objections(tiles, query.placed, rulings)
    )


class Place(Move[State]):
    """Place something on your map; each kind of tile has its own subclass."""

    resolves = ("round",)
    built_in_steps = True

    @property
    def placed(self) -> PlacedTile:
        raise NotImplementedError

    def timing_objections(self, state: State, seat: int) -> Iterator[Reason]:
        """Yield why the player has nothing to place, regardless of the cell."""
        return tile_objections(state, seat)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from self.timing_objections(state, seat)
        if errors := list(tile_errors(self.placed)):
            yield from errors
        elif tiles := state.players[seat].tiles:
            yield from objections(tiles, self.placed, state.rulings)
            yield from waterfall_supply_objections(state, seat, self.placed)

    def apply(self, state: State, seat: int) -> State:
        """Return the state after the tile is placed, with the waterfalls that it earns."""
        player: Player = state.players[seat]
        earned = min(waterfalls_earned(player.tiles, self.placed, state.rulings), waterfalls_left(state))
        return use_tile(state, seat, tiles=(*player.tiles, self.placed), waterfalls_to_place=earned)

    def variants(self, state: State, seat: int) -> Iterator[Self]:
        """Yield this tile in every empty cell next to the map."""
        for x, y in edge_cells(state.players[seat].tiles):
            yield replace(self, x=x, y=y)

    def alternatives(self, state: State, seat: int) -> Iterable[Self]:
        """Return this tile in every empty cell next to the map, the nearest to its cell first."""
        cells = sorted(edge_cells(state.players[seat].tiles), key=lambda cell: distance(cell, self.placed.cell))
        return [replace(self, x=x, y=y) for x, y in cells]

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Place {self._placement_text(state, seat)}", icon=self._icon)

    def log_text(self, state: State, seat: int) -> str:
        return f"placed {self._placement_text(state, seat)}"

    def news_text(self, state: State, seat: int) -> str:
        return self.placed.short_text

    def _placement_text(self, state: State, seat: int) -> str:
        """Return the tile and its location as text: "a campsite 2 squares east of base camp"."""
        return with_article(at_location(state.players[seat].tiles, self.placed))

    @property
    def _icon(self) -> str:
        return self.placed.kind


class PlaceTrail(Place, tag="place-trail"):
    """Place one of your two tiles trail side up, turned as you like."""

    title = "Place a trail"
    phase = Phase.TURN_START
    rules = (
        r.PLACE_SIDES,
        r.PLACE_TURNED,
        r.PLACE_ADJACENT,
        r.TRAIL_CONNECTED,
        r.BASE_CAMP_SIDES,
        r.FORK_SIGN,
        r.SIGN_SUPPLY,
        r.FORK_ANNOUNCED,
        r.FORK_ANIMAL,
        r.LOOP,
        r.WATERFALL_SUPPLY,
        r.DRAW_TWO,
        r.ROUND_OVER,
        r.TRAIL_RUNS_ON,
        r.WATERFALL_AT_ONCE,
        r.BASE_CAMP,
    )

    terrain: Terrain
    # exits after turning: two to four letters of NESW, in this order
    exits: str
    miles: int
    x: int
    y: int
    icons: int = TRAIL_ICONS

    @property
    def placed(self) -> PlacedTile:
        return PlacedTile(self.x, self.y, "trail", self.terrain, self.exits, self.miles, self.icons)

    def variants(self, state: State, seat: int) -> Iterator[Self]:
        """Yield this tile with other miles, exits or terrain, and in other cells."""
        fitting = legal_exits(state.players[seat].tiles).get((self.x, self.y), ())
        yield from (replace(self, miles=miles) for miles in MILES if miles != self.miles)
        yield from (replace(self, exits=exits) for exits in fitting if exits != self.exits)
        yield from (replace(self, terrain=terrain) for terrain in TERRAINS if terrain != self.terrain)
        yield from super().variants(state, seat)

    def alternatives(self, state: State, seat: int) -> Iterable[Self]:
        """Return this tile, in every rotation, in every empty cell next to the map, nearest first."""
        turns = [exits for exits in EXITS_SIMPLEST_FIRST if shape_name(exits) == shape_name(self.exits)]
        turns.sort(key=lambda exits: exits != self.exits)
        return [
            turned
            for other in super().alternatives(state, seat)
            for exits in turns
            if (turned := replace(other, exits=exits)) != self
        ]

    def label(self, state: State, seat: int) -> MoveLabel:
        return replace(super().label(state, seat), hint=exits_text(self.exits))

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator[Self]:
        """Yield each way a trail can be placed.

        Its terrain never matters, and the most miles are at least as good as fewer.
        """
        fitting = legal_exits(state.players[seat].tiles)
        for x, y in relevant_cells(state, seat, query):
            for exits in fitting.get((x, y), ()):
                yield cls(TERRAINS[0], exits, MILES[-1], x, y)

    def apply(self, state: State, seat: int) -> State:
        state = super().apply(state, seat)
        return offer_fork(state, seat, self.terrain) if self.placed.is_fork else state

    @property
    def _icon(self) -> str:
        return "fork" if self.placed.is_fork else "trail"


class PlaceTerrain(Place, tag="place-terrain"):
    """Place one of your two tiles terrain side up."""

    title = "Place terrain"
    phase = Phase.TURN_START
    rules = (
        r.PLACE_SIDES,
        r.PLACE_ADJACENT,
        r.PLACE_TERRAIN,
        r.TERRAIN_SIDE,
        r.DRAW_TWO,
        r.WATERFALL_AT_ONCE,
        r.BASE_CAMP,
        r.ROUND_OVER,
    )

    terrain: Terrain
    x: int
    y: int
    icons: int = TERRAIN_ICONS

    @property
    def placed(self) -> PlacedTile:
        return PlacedTile(self.x, self.y, "terrain", self.terrain, icons=self.icons)

    def variants(self, state: State, seat: int) -> Iterator[Self]:
        """Yield this tile with another terrain, and in other cells."""
        yield from (replace(self, terrain=terrain) for terrain in TERRAINS if terrain != self.terrain)
        yield from super().variants(state, seat)

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator[Self]:
        """Yield each cell for a terrain side; its terrain only matters when placing an animal."""
        home = state.facts.terrain(query.animal) if isinstance(query, PlaceAnimal) else None
        for x, y in relevant_cells(state, seat, query):
            yield cls(home or TERRAINS[0], x, y)

    @property
    def _icon(self) -> str:
        return ICON_BY_TERRAIN[self.terrain]


class PlaceCampsite(Place, tag="place-campsite"):
    """Return one of your two tiles to the box and place a campsite with its tent ("Campsites")."""

    title = "Place a campsite"
    phase = Phase.TURN_START
    rules = (
        r.CAMPSITE_SWAP,
        r.CAMPSITE_ONE,
        r.CAMPSITE_AT_END,
        r.CAMPSITE_SIX,
        r.CAMPSITE_TENT,
        r.CAMPSITE_TOUCHING,
        r.DRAW_TWO,
        r.ROUND_OVER,
        r.WATERFALL_AT_ONCE,
        r.BASE_CAMP,
    )

    x: int
    y: int

    @property
    def placed(self) -> PlacedTile:
        return PlacedTile(self.x, self.y, "campsite")

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator[Self]:
        ends = open_ends(state.players[seat].tiles)
        for x, y in relevant_cells(state, seat, query):
            if (x, y) in ends:
                yield cls(x, y)

    def alternatives(self, state: State, seat: int) -> Iterable[Self]:
        """Return a campsite at the ends of trails and beside them, the nearest first.

        Where no trail ends, return it 2 squares further than those beside a camp.
        """
        tiles, cells = state.players[seat].tiles, list[Cell]()
        for end in sorted(open_ends(tiles), key=lambda cell: distance(cell, self.placed.cell)):
            cells += [end, *(cell for _, cell in neighbors(end))]
        if not cells:
            camp_sides = [(cell, OPPOSITE[side]) for cell, sides in edge_cells(tiles).items() for side in sides.camps]
            cells = sorted(
                (move_by(cell, letter, 2) for cell, letter in camp_sides),
                key=lambda cell: distance(cell, self.placed.cell),
            )
        return [type(self)(x, y) for x, y in dict.fromkeys(cells) if (x, y) not in tiles_by_cell(tiles)]

    def needed_fields(self, state: State, seat: int) -> Iterable[EditableField]:
        """Return the trails that can lead into an empty square: one, or two in a straight line."""
        tiles, cell = state.players[seat].tiles, self.placed.cell
        if cell in tiles_by_cell(tiles):
            return
        fitting = legal_exits(tiles)
        one = [
            (_longest_trail(beside, exits),)
            for letter, beside in neighbors(cell)
            for exits in fitting.get(beside, ())
            if OPPOSITE[letter] in exits and len(exits) == 2
        ]
        two = [
            (_longest_trail(move_by(cell, letter, 2), exits), _longest_trail(beside, exits))
            for letter, beside in neighbors(cell)
            for exits in fitting.get(move_by(cell, letter, 2), ())
            if set(exits) == {letter, OPPOSITE[letter]} and beside not in tiles_by_cell(tiles)
        ]
        if one or two:
            yield missing_tiles_field(seat, tiles, one or two[:1])

    def timing_objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from tile_objections(state, seat)
        if state.players[seat].has_placed_campsite and not state.players[seat].is_between_rounds:
            yield Reason(
                "one-campsite",
                r.CAMPSITE_ONE,
                "You already placed a campsite this round. Place or discard your other tile.",
            )
        left = TENTS - count_on_maps(state, "campsite")
        if left <= 0:
            yield Reason(
                "no-tent-left", r.CAMPSITE_TENT, f"No tent is left for a campsite. All {TENTS} are on the maps."
            )
        yield from shared_supply_objections(
            "tent",
            left,
            1,
            {player.name: max_upcoming_campsites(player, n) for player, n in players_behind(state, seat)},
        )

    def apply(self, state: State, seat: int) -> State:
        return super().apply(state, seat).with_player(seat, has_placed_campsite=True)

    def label(self, state: State, seat: int) -> MoveLabel:
        return replace(super().label(state, seat), hint="instead of one of your two tiles")

    def log_text(self, state: State, seat: int) -> str:
        return f"discarded a tile and placed {self._placement_text(state, seat)}"


class PlaceWaterfall(Place, tag="place-waterfall"):
    """Place a waterfall earned by a loop, immediately ("Loops/Waterfalls")."""

    title = "Place a waterfall"
    rules = (r.LOOP, r.WATERFALL_AT_ONCE, r.PLACE_WATERFALL, r.PLACE_ADJACENT, r.ROUND_OVER)

    x: int
    y: int

    @property
    def placed(self) -> PlacedTile:
        return place_tile(WATERFALL, self.x, self.y)

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator[Self]:
        player: Player = state.players[seat]
        if player.waterfalls_to_place and can_become_legal(player.tiles, query, state.rulings):
            for x, y in edge_cells(player.tiles):
                yield cls(x, y)

    def timing_objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from base_camp_objections(state, seat)
        if state.players[seat].tiles and not state.players[seat].waterfalls_to_place:
            yield Reason(
                "no-waterfall", r.LOOP, "You have no waterfall to place. Complete a loop with a trail tile first."
            )

    def news_text(self, state: State, seat: int) -> str:
        return ""  # The loop that earned it is news.

    def apply(self, state: State, seat: int) -> State:
        player = state.players[seat]
        return state.with_player(
            seat, tiles=(*player.tiles, self.placed), waterfalls_to_place=player.waterfalls_to_place - 1
        )


def _longest_trail(cell: Cell, exits: str) -> PlacedTile:
    """Return a trail with the most miles; its terrain does not matter."""
    return PlacedTile(*cell, "trail", TERRAINS[0], exits, MILES[-1], TRAIL_ICONS)


def place(state: State, seat: int, moves: Sequence[Move]) -> str:
    """Return the cell of the last of some moves, if it has one: "2 squares east of base camp"."""
    tiles = state.players[seat].tiles
    match moves[-1]:
        case Place() as move if tiles:
            return describe_cell(tiles, move.placed.cell)
        case PlaceAnimal(x=x, y=y) if tiles:
            return describe_cell(tiles, (x, y))
    return ""


class Discard(Move[State], tag="discard"):
    """Discard one of your two tiles, which leaves the game."""

    title = "Discard a tile"
    fixed_label = MoveLabel("Discard a tile", icon="x")
    fixed_log_text = "discarded a tile"
    resolves = ("round",)
    phase = Phase.TURN_START
    rules = (r.DISCARD_TILE, r.BASE_CAMP, r.DRAW_TWO, r.WATERFALL_AT_ONCE)

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        yield from tile_objections(state, seat)

    def apply(self, state: State, seat: int) -> State:
        return use_tile(state, seat)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Discard"]:
        yield cls()

    @classmethod
    def query_candidates(cls, state: State, seat: int, query: Move | None = None) -> Iterator["Discard"]:
        """Yield the move only if no other is asked about, as it makes no other move legal."""
        return iter(()) if query else cls.candidates(state, seat)
