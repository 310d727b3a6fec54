"""The data of the page that paints a map: a finished one, or one in the middle of a game."""

from typing import Any

from msgspec import Struct

from scoring.alpine_trails.entry_state import EntryState, animals_on_tiles
from scoring.alpine_trails.map.grid import with_lakes
from scoring.alpine_trails.map.tiles import TERRAINS, Animal, Terrain, TrailMap
from scoring.alpine_trails.move_builder import read_fixed_seat
from scoring.alpine_trails.points import TERRAINS_BY_GOAL, GoalKind, GoalTerrain
from scoring.alpine_trails.state import AnimalCard, State


class MapPainter(Struct, frozen=True):
    """The data of the page that paints a map."""

    seat: int  # of the player whose map it is
    is_finished: bool  # whether all trails end in lakes, and the score follows
    tiles: TrailMap  # that are entered; in the middle of a game, with a lake at each open end
    animals: dict[Terrain, Animal]  # on the other players' maps, by terrain
    facts: AnimalCard  # that the table has entered
    drawn_tiles: int = 0  # by the player, without those discarded while playing; 0: not known
    # the terrains of each kind of goal; empty in the middle of a game, as goals are secret
    goals: dict[GoalKind, tuple[GoalTerrain | None, ...]] = {}

    def known_animals(self, box_facts: AnimalCard) -> dict[Terrain, Animal]:
        """Return the animal of each terrain that the box, the table or another map has entered."""
        known = dict(self.animals)
        for card in (box_facts, self.facts):
            known |= {terrain: animal for terrain in TERRAINS if (animal := card.animal(terrain))}
        return known


def painter_of_score_entry(state: EntryState, seat: int, fields: dict[str, Any]) -> MapPainter:
    """Return the data of the page that paints the finished map of a seat."""
    player = state.players[seat]
    return MapPainter(
        seat,
        is_finished=True,
        tiles=player.tiles,
        animals=_animals_of_others(state, seat),
        facts=state.facts,
        drawn_tiles=state.tiles_per_player - player.notes.discards,
        goals=TERRAINS_BY_GOAL,
    )


def painter_of_game(state: State, seat: int, fields: dict[str, Any]) -> MapPainter | None:
    """Return the data of the page that paints a map mid-game; None once lakes are placed.

    :param fields: the field `fix` has the seat of another player whose map is painted.
    """
    if state.is_play_over:
        return None
    owner = read_fixed_seat(state, fields, seat)
    return MapPainter(
        owner,
        is_finished=False,
        tiles=with_lakes(state.players[owner].tiles),
        animals=_animals_of_others(state, owner),
        facts=state.facts,
    )


def _animals_of_others(state: EntryState | State, seat: int) -> dict[Terrain, Animal]:
    return animals_on_tiles(
        tile for other, player in enumerate(state.players) if other != seat for tile in player.tiles
    )
