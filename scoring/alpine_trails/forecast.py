"""What a map promises while it grows: the longest path so far, how far the next campsite is, where a loop closes.

All of it is open on the table, except whether the player's own goal is a long path.
"""

from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import CAMPSITE_MILES, LENGTH_GOAL
from scoring.alpine_trails.map.fitting import closing, may
from scoring.alpine_trails.map.grid import open_ends, with_lakes
from scoring.alpine_trails.map.paths import longest
from scoring.alpine_trails.map.tiles import Cell, Placed, TrailMap
from scoring.alpine_trails.map.trails import ways_to_camps
from scoring.alpine_trails.state import State
from scoring.kernel.english import plural
from scoring.kernel.move import chosen


class Outlook(Struct, frozen=True):
    """What a map promises."""

    path: int = 0  # miles of the longest path, if a lake lay at each open end
    camp: int | None = None  # miles missing to the next campsite; none: no trail is open
    loops: int = 0  # cells where a trail would close one
    length_goal: bool = False  # the goal of this player scores for the length of the path

    @property
    def lines(self) -> tuple[str, ...]:
        """Return it in sentences."""
        steps = LENGTH_GOAL if self.length_goal else ()
        step = next((f"; the next step of the length goal is {miles}" for miles, _ in steps if miles > self.path), "")
        path = f"The longest path has {plural(self.path, 'mile')}{step}."
        camp = (
            "A campsite can be placed."
            if self.camp == 0
            else f"A campsite needs {plural(self.camp or 0, 'mile')} more."
        )
        if self.camp is None:
            camp = "No trail is open for a campsite."
        loop = f"A trail can close a loop in {plural(self.loops, 'cell')}." if self.loops else ""
        return tuple(filter(None, (path, camp, loop)))


def of_game(state: State, seat: int, said: dict[str, Any]) -> Outlook:
    """Return what a player's map promises."""
    player = state.players[seat]
    if not player.tiles:
        return Outlook()
    length_goal = bool(player.goal and player.goal.kind == "path-length")
    return replace(_of_map(player.tiles, tuple(state.rulings.items())), length_goal=length_goal)


@lru_cache(maxsize=64)
def _of_map(tiles: TrailMap, ruled: tuple[tuple[str, str], ...]) -> Outlook:
    rulings = dict(ruled)
    best = longest(with_lakes(tiles), rulings)
    missing = [_missing(tiles, cell, rulings) for cell in open_ends(tiles)]
    return Outlook(best[0].miles if best else 0, min(missing, default=None), len(closing(tiles, rulings)))


def _missing(tiles: TrailMap, cell: Cell, rulings: dict[str, str]) -> int:
    """Return the miles that a trail lacks for a campsite at its end."""
    if may(tiles, Placed(*cell, "campsite"), rulings):
        return 0
    reached = ways_to_camps(tiles, cell, chosen(rulings, r.FORK_ON_THE_WAY) == "yes").values()
    return max(1, CAMPSITE_MILES - min(miles for miles, _ in reached))
