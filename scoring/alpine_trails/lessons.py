"""When players of ALPINE TRAILS meet the lessons of `lessons.toml`."""

from collections.abc import Iterator

from scoring.alpine_trails.box import TILES_PER_ROUND, TRAIL_TILES
from scoring.alpine_trails.forecast import forecast_for
from scoring.alpine_trails.map.tiles import TERRAINS, PlacedTile
from scoring.alpine_trails.moves.placing import PlaceCampsite
from scoring.alpine_trails.state import Player, Setup, State
from scoring.alpine_trails.turn import tile_objections, waterfalls_left
from scoring.kernel.english import pluralize
from scoring.kernel.lessons import Lessons, read_lesson_texts

ROUND_OF_LOOPS, ROUND_OF_CAMPSITES = 3, 4  # from which a player has read enough for more
MILES_OF_A_LONG_PATH = 5  # from which the longest path is worth a lesson
MILES_NEAR_A_CAMPSITE = 2  # missing at most, so that one more tile can be enough


def decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the ids of the lessons about what a player may decide now."""
    player = view.players[seat]
    if view.is_play_over:
        return
    if player.waterfalls_to_place:
        yield "waterfall"
    elif player.tiles:
        if player.offered_forks:
            yield "animal-offered"
        if player.kept_animals:
            yield "animal-kept"
        if not any(tile_objections(view, seat)):
            yield from _tile_lessons(view, seat)


def _tile_lessons(view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about where a tile may go, and what it can bring."""
    player = view.players[seat]
    entered, round_number = _entered_tiles(view, player), _player_round(view, player)
    yield "tile"
    yield "connect"
    # One thing after another, as long as a player has much to read.
    if entered >= 1:
        yield "turning"
    if round_number >= 2:
        yield "round"
        yield "habitat"
    if round_number == view.rounds:
        yield "last-round"
    if view.solo:
        yield "solo-fork"
    yield from _forecast_lessons(view, seat, round_number)


def _forecast_lessons(view: State, seat: int, round_number: int) -> Iterator[str]:
    """Yield the lessons about loops, campsites and paths.

    They come once the map is close to one, or after some rounds.
    """
    forecast = forecast_for(view, seat, {})
    if waterfalls_left(view) and (forecast.loop_cells or round_number >= ROUND_OF_LOOPS):
        yield "loop"
    has_fork = any(tile.is_fork for tile in view.players[seat].tiles)
    if has_fork or forecast.path_miles >= MILES_OF_A_LONG_PATH:
        yield "path"
    miles = forecast.miles_to_campsite
    if miles == 0 and not any(PlaceCampsite(0, 0).timing_objections(view, seat)):
        yield "campsite-now"
    elif miles in range(1, MILES_NEAR_A_CAMPSITE + 1) or round_number >= ROUND_OF_CAMPSITES:
        yield "campsite"


def events(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the ids of the lessons about what a player has met in a step."""
    old, new = before.players[seat], view.players[seat]
    # A tile that appears without being used is a correction.
    if view.is_play_over or _entered_tiles(view, new) <= _entered_tiles(before, old):
        return
    yield from _placed_tile_lessons(view, new.tiles[len(old.tiles) :])
    if _player_round(view, new) > _player_round(before, old) and new.goal is None:
        yield "goal-card"


def _placed_tile_lessons(view: State, placed: tuple[PlacedTile, ...]) -> Iterator[str]:
    """Yield the lessons about tiles that a player has placed."""
    for tile in placed:
        if tile.is_fork and not view.solo:
            yield "fork-placed"
        if tile.kind == "campsite":
            yield "campsite-placed"


def _entered_tiles(state: State, player: Player) -> int:
    """Return how many tiles of the bag a player has used in the whole game."""
    return TILES_PER_ROUND * (state.round - 1) + player.tiles_used


def _player_round(state: State, player: Player) -> int:
    """Return the round of a player's next tile, which may be ahead of the table's."""
    return 1 + _entered_tiles(state, player) // TILES_PER_ROUND


def setup_values(setup: Setup) -> dict[str, object]:
    """Return the values in the texts of the setup: the tiles in the bag and the others."""
    others = TRAIL_TILES - setup.tiles
    return {
        "players": pluralize(len(setup.players), "player"),
        "tiles": setup.tiles,
        "rest": f"the other {pluralize(others, 'trail tile')}" if others else "all other tiles",
    }


def setup_gaps(view: State) -> dict[str, tuple[int, ...]]:
    """Return the seats that still have to enter something, for each step of the setup."""
    seats = tuple(range(len(view.players)))
    return {
        "animals": () if all(view.facts.animal(terrain) for terrain in TERRAINS) else seats,
        "camp": tuple(seat for seat in seats if not view.players[seat].tiles),
    }


LESSONS = Lessons(read_lesson_texts(__file__), decisions, events, setup_values, setup_gaps)
