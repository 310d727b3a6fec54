"""Setups in which the position on the table is entered, so that tests begin with a turn."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.trails.box import FIRST_GAME_SITES

# By game: the setup fields that are entered first, and how much of the optional ones.
ENTERED_FIELDS: dict[str, dict[str, Any]] = {
    "trails": {"sites": FIRST_GAME_SITES},
    "on-the-trail": {"tracking": "open"},
}


def ready_setup(names: list[str], game: str = "trails") -> Any:
    """Return the default setup of a game with the fields of `ENTERED_FIELDS`."""
    return replace(TRACKED_GAMES[game].setup_format.default(names), **ENTERED_FIELDS.get(game, {}))


def ready_setup_form(names: list[str], game: str = "trails") -> dict[str, str]:
    """Return the fields of `ENTERED_FIELDS` as the setup form sends them, or an empty dict."""
    setup = to_builtins(ready_setup(names, game))
    return (
        to_form_fields({name: setup[name] for name in ("players", *ENTERED_FIELDS[game])})
        if game in ENTERED_FIELDS
        else {}
    )


def to_form_fields(setup: Any, path: str = "setup") -> dict[str, str]:
    """Return a setup as the fields of its form."""
    if not isinstance(setup, dict | list | tuple):
        return {path: str(setup)}
    parts = setup.items() if isinstance(setup, dict) else enumerate(setup)
    return {name: value for key, part in parts for name, value in to_form_fields(part, f"{path}.{key}").items()}
