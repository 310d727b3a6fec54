"""What somebody with no tile in the hand could put together in ALPINE TRAILS: nobody could list it all, so the app lists none."""

from collections.abc import Callable, Iterator
from typing import Any

from scoring.alpine_trails.box import MILES
from scoring.alpine_trails.map.grid import edge
from scoring.alpine_trails.map.tiles import TERRAINS, Tile, turns
from scoring.alpine_trails.moves.placing import PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.wildlife import PlaceAnimal
from scoring.alpine_trails.points import Counts
from scoring.alpine_trails.score_entry import Count, CountAll, PutTile, TakeOff, Tally
from scoring.alpine_trails.state import State
from scoring.kernel.move import Move

# The tiles thought of, one after another: the shapes, and then the rest.
THOUGHT_OF = ("NS", "NE", "NE", "NS", "NES", "NE", "NS", "NE", "NS", "NE", "NESW", "NE", "NS")


def thought_of(state: State, seat: int) -> int:
    return state.bag + len(state.players[seat].tiles) + 5 * seat


def trails(state: State, seat: int) -> Iterator[Move]:
    number = thought_of(state, seat)
    terrain, miles = TERRAINS[number % 4], MILES[number // 4 % len(MILES)]
    shape = Tile("trail", exits=THOUGHT_OF[number % len(THOUGHT_OF)])
    for x, y in edge(state.players[seat].tiles):
        for tile in turns(shape).values():
            yield PlaceTrail(terrain, tile.exits, miles, x, y)


def terrains(state: State, seat: int) -> Iterator[Move]:
    terrain = TERRAINS[thought_of(state, seat) // 3 % 4]
    for x, y in edge(state.players[seat].tiles):
        yield PlaceTerrain(terrain, x, y)


def campsites(state: State, seat: int) -> Iterator[Move]:
    for x, y in edge(state.players[seat].tiles):
        yield PlaceCampsite(x, y)


def waterfalls(state: State, seat: int) -> Iterator[Move]:
    if state.players[seat].waterfalls:
        for x, y in edge(state.players[seat].tiles):
            yield PlaceWaterfall(x, y)


def animals(state: State, seat: int) -> Iterator[Move]:
    player = state.players[seat]
    for animal in dict.fromkeys(() if state.over else player.held):
        for tile in player.tiles:
            if tile.kind == "terrain":
                yield PlaceAnimal(animal, tile.x, tile.y)


def counts(state: Tally, seat: int) -> Iterator[Move]:
    if not state.players[seat].tiles:
        for number, category in enumerate(Counts.__struct_fields__):
            yield Count(category, number)


def all_counts(state: Tally, seat: int) -> Iterator[Move]:
    if not state.players[seat].tiles:
        yield CountAll(8, 2, 2, 1, 14, 5, 2, 2, 10)


def tiles(state: Tally, seat: int) -> Iterator[Move]:
    lying = state.players[seat].tiles
    for number, (x, y) in enumerate(edge(lying)):
        match (number + len(lying)) % 5:
            case 0:
                yield PutTile(x, y, "terrain", "meadow", icons=2, animal="wolf" if number == 3 else None)
            case 1:
                yield PutTile(x, y, "waterfall" if len(lying) % 2 else "campsite")
            case 2:
                yield PutTile(x, y, "trail", "forest", "NE", 2, 1)
            case _:
                yield PutTile(x, y, "trail", "rock", "NS" if number % 2 else "EW", 3, 1)


def taken_off(state: Tally, seat: int) -> Iterator[Move]:
    for tile in state.players[seat].tiles:
        yield TakeOff(tile.x, tile.y)


DRAFTS: dict[type[Move], Callable[[Any, int], Iterator[Move]]] = {
    PlaceTrail: trails,
    PlaceTerrain: terrains,
    PlaceCampsite: campsites,
    PlaceWaterfall: waterfalls,
    PlaceAnimal: animals,
    Count: counts,
    CountAll: all_counts,
    PutTile: tiles,
    TakeOff: taken_off,
}
