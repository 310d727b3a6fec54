"""Set-ups in which what lies on the table has been told: for tests that begin with the first turn."""

from typing import Any

from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.trails.box import FIRST_GAME

# By game: what is asked as the first thing played, and how much is told where anything may be.
TOLD: dict[str, dict[str, Any]] = {"trails": {"sites": FIRST_GAME}, "on-the-trail": {"tracking": "open"}}


def laid(names: list[str], game: str = "trails") -> Any:
    """Return the usual set-up of a game with all of that told."""
    return replace(PLAYS[game].usual(names), **TOLD.get(game, {}))
