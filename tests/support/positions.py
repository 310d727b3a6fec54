"""Set-ups in which what lies on the table has been told: for tests that begin with the first turn."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.trails.box import FIRST_GAME_SITES

# By game: what is asked as the first thing played, and how much is told where anything may be.
ENTERED_FIELDS: dict[str, dict[str, Any]] = {
    "trails": {"sites": FIRST_GAME_SITES},
    "on-the-trail": {"tracking": "open"},
}


def ready_setup(names: list[str], game: str = "trails") -> Any:
    """Return the usual set-up of a game with all of that told."""
    return replace(TRACKED_GAMES[game].default_setup(names), **ENTERED_FIELDS.get(game, {}))


def ready_setup_form(names: list[str], game: str = "trails") -> dict[str, str]:
    """Return what of that is told on the form of the set-up: its fields; none for a game that asks for nothing first."""
    setup = to_builtins(ready_setup(names, game))
    return (
        to_form_fields({name: setup[name] for name in ("players", *ENTERED_FIELDS[game])})
        if game in ENTERED_FIELDS
        else {}
    )


def to_form_fields(setup: Any, path: str = "setup") -> dict[str, str]:
    """Return a set-up as the fields of its form."""
    if not isinstance(setup, dict | list | tuple):
        return {path: str(setup)}
    parts = setup.items() if isinstance(setup, dict) else enumerate(setup)
    return {name: value for key, part in parts for name, value in to_form_fields(part, f"{path}.{key}").items()}
