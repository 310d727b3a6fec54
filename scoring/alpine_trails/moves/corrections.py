"""Corrections and rulings, which the table must agree to."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.alpine_trails import position
from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import WATERFALL_TILES
from scoring.alpine_trails.card_facts import CARD_FACTS_FORMAT
from scoring.alpine_trails.map.finished import map_errors, waterfall_questions
from scoring.alpine_trails.map.fitting import put_tile_objections, remove_tile_objections
from scoring.alpine_trails.map.grid import (
    at_location,
    describe_change,
    in_entry_order,
    tiles_by_cell,
    with_tile,
    without_tile,
)
from scoring.alpine_trails.map.tiles import (
    TERRAINS,
    Animal,
    PlacedTile,
    Terrain,
    TileKind,
    TrailMap,
    tile_counts_text,
    tile_errors,
)
from scoring.alpine_trails.state import State, count_on_maps
from scoring.kernel.box_facts import make_use_box_facts_move
from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Correction, MoveLabel, make_adopt_move
from scoring.kernel.rule import Reason


class AlpineCorrection(Correction[State]):
    """A correction: `subject` names what it corrects, `new_value_text` its new value."""

    names_player = False

    def position_errors(self, state: State) -> Iterator[Reason]:
        return position.position_errors(state)

    def subject(self, state: State) -> str:
        raise NotImplementedError

    def new_value_text(self, state: State) -> str:
        raise NotImplementedError

    def describe_change(self, state: State) -> str:
        return f"{self.subject(state)}: {self.new_value_text(state)}"

    def log_text(self, state: State, seat: int) -> str:
        return f"{capitalize_first(self.subject(state))} corrected: {self.new_value_text(state)}"

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Fix {self.describe_change(state)}", icon="pen")


def no_such_player_reason() -> Reason:
    """Return the reason against a correction for a seat that the table does not have."""
    return Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")


def map_objections(state: State, player: int) -> Iterator[Reason]:
    """Yield why a player's map cannot be corrected."""
    if not 0 <= player < len(state.players):
        yield no_such_player_reason()
    elif not state.players[player].tiles:
        yield Reason("no-map", r.BASE_CAMP, f"{state.players[player].name} has no map yet.")


class MapCorrection(AlpineCorrection):
    """A correction of one cell of a player's map."""

    is_own_setup = True
    rules = (r.COMPONENTS, r.PLACE_ADJACENT)

    player: int
    x: int
    y: int

    def change_errors(self, state: State) -> Iterator[Reason]:
        errors = list(map_objections(state, self.player))
        yield from errors or self.cell_objections(state.players[self.player].tiles)

    def cell_objections(self, tiles: TrailMap) -> Iterator[Reason]:
        """Yield why the cell cannot be corrected like that."""
        raise NotImplementedError

    def subject(self, state: State) -> str:
        return f"{state.players[self.player].name}\u2019s map"


class CorrectTile(MapCorrection, tag="correct-tile"):
    """Put a tile on a player's map as it is on the table, or replace the tile that is there."""

    title = "Fix a tile"

    kind: TileKind
    terrain: Terrain | None = None
    exits: str = ""
    miles: int = 0
    icons: int = 0
    animal: Animal | None = None

    @property
    def placed(self) -> PlacedTile:
        return PlacedTile(self.x, self.y, self.kind, self.terrain, self.exits, self.miles, self.icons, self.animal)

    def cell_objections(self, tiles: TrailMap) -> Iterator[Reason]:
        yield from tile_errors(self.placed)
        yield from put_tile_objections(tiles, self.placed)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=with_tile(state.players[self.player].tiles, self.placed))

    def new_value_text(self, state: State) -> str:
        return describe_change(state.players[self.player].tiles, self.placed)


class RemoveTile(MapCorrection, tag="remove-tile"):
    """Remove a tile from a player's map that is not on the table."""

    title = "Remove a tile"

    def cell_objections(self, tiles: TrailMap) -> Iterator[Reason]:
        return remove_tile_objections(tiles, (self.x, self.y))

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=without_tile(state.players[self.player].tiles, (self.x, self.y)))

    def new_value_text(self, state: State) -> str:
        tiles = state.players[self.player].tiles
        old = tiles_by_cell(tiles).get((self.x, self.y))
        return f"{at_location(tiles, old) if old else 'tile'} removed"


class EnterMap(AlpineCorrection, tag="enter-map"):
    """Enter a player's whole map in the middle of a game, in place of the present one.

    All miles are needed: a trail that goes on can become the longest path, and campsites need their distance.
    """

    title = "Enter a whole map"
    is_own_setup = True
    rules = (r.COMPONENTS, r.PLACE_ADJACENT, r.TRAIL_CONNECTED, r.TRAIL_RUNS_ON)

    player: int
    tiles: TrailMap

    def change_errors(self, state: State) -> Iterator[Reason]:
        if not 0 <= self.player < len(state.players):
            yield no_such_player_reason()
        elif state.is_play_over:
            yield Reason("play-over", r.GAME_OVER, "The last round is over. Fix single tiles of the map instead.")
        else:
            yield from map_errors(self.tiles, needs_lakes=False, needs_miles=True)

    def questions(self, state: State, seat: int) -> Iterator[str]:
        name = "Your map" if self.player == seat else capitalize_first(self.subject(state))
        unplaced = state.players[self.player].waterfalls_to_place
        return waterfall_questions(self.tiles, state.rulings, name, unplaced=unplaced)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, tiles=in_entry_order(self.tiles, state.players[self.player].tiles))

    def subject(self, state: State) -> str:
        return f"{state.players[self.player].name}\u2019s map"

    def new_value_text(self, state: State) -> str:
        return tile_counts_text(self.tiles)

    def log_text(self, state: State, seat: int) -> str:
        return f"{capitalize_first(self.subject(state))} entered: {self.new_value_text(state)}"

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Enter {self.describe_change(state)}", icon="map")


class EnterAnimalHome(AlpineCorrection, tag="tell-animal"):
    """Correct which animal lives in a terrain; animals taken in error change with it."""

    title = "Fix the animal card"
    rules = (r.ANIMAL_CARD,)

    terrain: Terrain
    animal: Animal

    def change_errors(self, state: State) -> Iterator[Reason]:
        if (other_terrain := state.facts.terrain(self.animal)) and not state.facts.animal(self.terrain):
            text = f"The {self.animal} is the {other_terrain} animal. Enter another {other_terrain} animal first."
            yield Reason("other-terrain", r.ANIMAL_CARD, text)

    def position_errors(self, state: State) -> Iterator[Reason]:
        # A tile whose animal turns out to live elsewhere is corrected after the card.
        return iter(())

    def apply(self, state: State, seat: int) -> State:
        """Return the state after the correction.

        The two terrains swap their animals if the other one had it.
        """
        old, other_terrain = state.facts.animal(self.terrain), state.facts.terrain(self.animal)
        card = replace(state.facts, **({self.terrain: self.animal} | ({other_terrain: old} if other_terrain else {})))
        new_animals = {
            old_animal: card.animal(terrain) for terrain in TERRAINS if (old_animal := state.facts.animal(terrain))
        }
        players = tuple(
            replace(
                player,
                kept_animals=tuple(new_animals.get(animal, animal) for animal in player.kept_animals),
                tiles=tuple(
                    replace(tile, animal=new_animals.get(tile.animal, tile.animal)) if tile.animal else tile
                    for tile in player.tiles
                ),
            )
            for player in state.players
        )
        return replace(state, facts=card, players=players)

    def subject(self, state: State) -> str:
        return "the animal card"

    def new_value_text(self, state: State) -> str:
        return f"the {self.terrain} animal is the {self.animal}"

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Fix {self.describe_change(state)}", icon=self.animal)


def correction_errors(state: State) -> Iterator[Reason]:
    """Yield the inconsistencies of a position in which anything may have been corrected."""
    yield from position.position_errors(state)
    if (
        count_on_maps(state, "waterfall") + sum(player.waterfalls_to_place for player in state.players)
        > WATERFALL_TILES
    ):
        text = f"The box has only {WATERFALL_TILES} waterfalls, including those still to place."
        yield Reason("box-counts", r.WATERFALL_SUPPLY, text)


EditPosition = make_edit_position_move(
    position.POSITION_FORMAT, (r.COMPONENTS, r.DRAW_TWO, r.ROUND_OVER, r.ANIMAL_KEPT), position_errors=correction_errors
)

Adopt = make_adopt_move(r.RULINGS)

UseFacts = make_use_box_facts_move(CARD_FACTS_FORMAT, r.ANIMAL_CARD)
