"""Tiles a player could build in ALPINE TRAILS; too many to list, so the app offers none."""

from collections.abc import Callable, Iterator
from typing import Any

from scoring.alpine_trails.box import MILES
from scoring.alpine_trails.entry_state import EntryState
from scoring.alpine_trails.map.grid import edge_cells
from scoring.alpine_trails.map.tiles import TERRAINS, Tile, rotations
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.points import Counts
from scoring.alpine_trails.score_entry import Count, CountAll, PutTile, TakeOff
from scoring.alpine_trails.state import State
from scoring.kernel.move import Move

# The tiles to try, in this order: these shapes first, then the rest.
TRAIL_SHAPES = ("NS", "NE", "NE", "NS", "NES", "NE", "NS", "NE", "NS", "NE", "NESW", "NE", "NS")


def tile_number(state: State, seat: int) -> int:
    return state.tiles_in_bag + len(state.players[seat].tiles) + 5 * seat


def trail_candidates(state: State, seat: int) -> Iterator[Move]:
    number = tile_number(state, seat)
    terrain, miles = TERRAINS[number % 4], MILES[number // 4 % len(MILES)]
    shape = Tile("trail", exits=TRAIL_SHAPES[number % len(TRAIL_SHAPES)])
    for x, y in edge_cells(state.players[seat].tiles):
        for tile in rotations(shape).values():
            yield PlaceTrail(terrain, tile.exits, miles, x, y)


def terrain_candidates(state: State, seat: int) -> Iterator[Move]:
    terrain = TERRAINS[tile_number(state, seat) // 3 % 4]
    for x, y in edge_cells(state.players[seat].tiles):
        yield PlaceTerrain(terrain, x, y)


def campsite_candidates(state: State, seat: int) -> Iterator[Move]:
    for x, y in edge_cells(state.players[seat].tiles):
        yield PlaceCampsite(x, y)


def waterfall_candidates(state: State, seat: int) -> Iterator[Move]:
    if state.players[seat].waterfalls_to_place:
        for x, y in edge_cells(state.players[seat].tiles):
            yield PlaceWaterfall(x, y)


def animal_candidates(state: State, seat: int) -> Iterator[Move]:
    player = state.players[seat]
    for animal in dict.fromkeys(() if state.is_over else player.kept_animals):
        for tile in player.tiles:
            if tile.kind == "terrain":
                yield PlaceAnimal(animal, tile.x, tile.y)


def count_candidates(state: EntryState, seat: int) -> Iterator[Move]:
    if not state.players[seat].tiles:
        for number, category in enumerate(Counts.__struct_fields__):
            yield Count(category, number)


def count_all_candidates(state: EntryState, seat: int) -> Iterator[Move]:
    if not state.players[seat].tiles:
        yield CountAll(8, 2, 2, 1, 14, 5, 2, 2, 10)


def put_tile_candidates(state: EntryState, seat: int) -> Iterator[Move]:
    tiles = state.players[seat].tiles
    for number, (x, y) in enumerate(edge_cells(tiles)):
        match (number + len(tiles)) % 5:
            case 0:
                yield PutTile(x, y, "terrain", "meadow", icons=2, animal="wolf" if number == 3 else None)
            case 1:
                yield PutTile(x, y, "waterfall" if len(tiles) % 2 else "campsite")
            case 2:
                yield PutTile(x, y, "trail", "forest", "NE", 2, 1)
            case _:
                yield PutTile(x, y, "trail", "rock", "NS" if number % 2 else "EW", 3, 1)


def take_off_candidates(state: EntryState, seat: int) -> Iterator[Move]:
    for tile in state.players[seat].tiles:
        yield TakeOff(tile.x, tile.y)


DRAFT_CANDIDATES: dict[type[Move], Callable[[Any, int], Iterator[Move]]] = {
    PlaceTrail: trail_candidates,
    PlaceTerrain: terrain_candidates,
    PlaceCampsite: campsite_candidates,
    PlaceWaterfall: waterfall_candidates,
    PlaceAnimal: animal_candidates,
    Count: count_candidates,
    CountAll: count_all_candidates,
    PutTile: put_tile_candidates,
    TakeOff: take_off_candidates,
}
