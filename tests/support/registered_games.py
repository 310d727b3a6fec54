"""The games that tests run with: those of the app, and two small ones.

The small ones are in `tests/support/small_games`.
`tests/conftest.py` registers the small games before any test is collected. Every test that is parametrized by `GAMES`
or `TRACKED_GAMES` therefore also runs with a game that is only scored, and with a game for 3 to 7 players.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.game import Game
from scoring.kernel.tracked_game import TrackedGame
from tests.support.small_games import ford, peaks

SMALL_GAMES: dict[str, Game] = {game.box.key: game for game in (peaks.GAME, ford.GAME)}
# Without the small games, for tests of data that only the app's own games have.
APP_GAMES: dict[str, Game] = {key: game for key, game in GAMES.items() if key not in SMALL_GAMES}
APP_TRACKED_GAMES: dict[str, TrackedGame] = {
    tracked.key: tracked for game in APP_GAMES.values() for tracked in game.tracked_games
}


def register_small_games() -> None:
    """Add the small games to the registry of this process."""
    for key, game in SMALL_GAMES.items():
        GAMES[key] = game
        TRACKED_GAMES.update({tracked.key: tracked for tracked in game.tracked_games})


@contextmanager
def without_small_games() -> Iterator[None]:
    """Remove the small games from the registry for a while."""
    registries = (GAMES, TRACKED_GAMES)
    everything = [dict(registry) for registry in registries]
    try:
        for registry, app_only in zip(registries, (APP_GAMES, APP_TRACKED_GAMES), strict=True):
            registry.clear()
            registry.update(app_only)
        yield
    finally:
        for registry, everything_registered in zip(registries, everything, strict=True):
            registry.update(everything_registered)
