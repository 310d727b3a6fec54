"""Set-ups in which what lies on the table has been told: for tests that begin with the first turn."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.trails.box import FIRST_GAME

# By game: what is asked as the first thing played, and how much is told where anything may be.
TOLD: dict[str, dict[str, Any]] = {"trails": {"sites": FIRST_GAME}, "on-the-trail": {"tracking": "open"}}


def laid(names: list[str], game: str = "trails") -> Any:
    """Return the usual set-up of a game with all of that told."""
    return replace(PLAYS[game].usual(names), **TOLD.get(game, {}))


def told_setup(names: list[str], game: str = "trails") -> dict[str, str]:
    """Return what of that is told on the form of the set-up: its fields; none for a game that asks for nothing first."""
    setup = to_builtins(laid(names, game))
    return fields({name: setup[name] for name in ("players", *TOLD[game])}) if game in TOLD else {}


def fields(setup: Any, path: str = "setup") -> dict[str, str]:
    """Return a set-up as the fields of its form."""
    if not isinstance(setup, dict | list | tuple):
        return {path: str(setup)}
    parts = setup.items() if isinstance(setup, dict) else enumerate(setup)
    return {name: value for key, part in parts for name, value in fields(part, f"{path}.{key}").items()}
