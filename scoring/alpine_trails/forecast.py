"""Forecasts for an unfinished map: longest path, next campsite and loops.

All of this is public except whether the player's own goal is the path length.
"""

from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import CAMPSITE_MILES, LENGTH_GOAL_POINTS
from scoring.alpine_trails.map.fitting import can_place, loop_closing_exits
from scoring.alpine_trails.map.grid import open_ends, with_lakes
from scoring.alpine_trails.map.paths import longest_paths
from scoring.alpine_trails.map.tiles import Cell, PlacedTile, TrailMap
from scoring.alpine_trails.map.trails import distances_to_camps
from scoring.alpine_trails.state import State
from scoring.kernel.english import pluralize
from scoring.kernel.move import chosen_option


class Forecast(Struct, frozen=True):
    """The forecast for one map."""

    # miles of the longest path, with a lake at each open end
    path_miles: int = 0
    # miles missing for the next campsite; None: no trail is open
    miles_to_campsite: int | None = None
    # number of cells where a trail would close a loop
    loop_cells: int = 0
    # whether the player's goal scores the path length
    has_length_goal: bool = False

    @property
    def campsite_text(self) -> str:
        """Return the miles that a campsite still needs, in few words."""
        match self.miles_to_campsite:
            case None:
                return "no open trail"
            case 0:
                return "uses a tile"
            case miles:
                return f"{pluralize(miles, 'more mile')}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the forecast as sentences."""
        steps = LENGTH_GOAL_POINTS if self.has_length_goal else ()
        step = next((f" Your goal card scores at {miles} miles." for miles, _ in steps if miles > self.path_miles), "")
        path = f"Longest path: {pluralize(self.path_miles, 'mile')}.{step}"
        camp = (
            "You can place a campsite."
            if self.miles_to_campsite == 0
            else f"{pluralize(self.miles_to_campsite or 0, 'more mile')} to your next campsite."
        )
        if self.miles_to_campsite is None:
            camp = "A campsite needs an open trail end."
        loop = _loop_text(self.loop_cells) if self.loop_cells else ""
        return tuple(filter(None, (path, camp, loop)))


def _loop_text(squares: int) -> str:
    verb = "is" if squares == 1 else "are"
    return f"There {verb} {pluralize(squares, 'square')} where a trail would complete a loop."


def forecast_for(state: State, seat: int, draft: dict[str, Any]) -> Forecast:
    """Return the forecast for a player's map."""
    player = state.players[seat]
    if not player.tiles:
        return Forecast()
    length_goal = bool(player.goal and player.goal.kind == "path-length")
    return replace(_map_forecast(player.tiles, tuple(state.rulings.items())), has_length_goal=length_goal)


@lru_cache(maxsize=64)
def _map_forecast(tiles: TrailMap, ruling_items: tuple[tuple[str, str], ...]) -> Forecast:
    rulings = dict(ruling_items)
    best = longest_paths(with_lakes(tiles), rulings)
    missing = [_miles_missing(tiles, cell, rulings) for cell in open_ends(tiles)]
    return Forecast(best[0].miles if best else 0, min(missing, default=None), len(loop_closing_exits(tiles, rulings)))


def _miles_missing(tiles: TrailMap, cell: Cell, rulings: dict[str, str]) -> int:
    """Return how many miles a trail lacks for a campsite at its end."""
    if can_place(tiles, PlacedTile(*cell, "campsite"), rulings):
        return 0
    distances = distances_to_camps(tiles, cell, chosen_option(rulings, r.FORK_ON_THE_WAY) == "yes").values()
    return max(1, CAMPSITE_MILES - min(miles for miles, _ in distances))
