"""Configure the tables random games are played at, with the invariants of each game."""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from tests.support.player_names import NAMES

GAMES_TO_PLAY = int(os.environ.get("WAYMARK_GAMES", "0"))
SEED = os.environ.get("WAYMARK_SEED", "1")
DEFAULT_GAME_COUNT = 1  # games at each table if WAYMARK_GAMES is not set
IS_THOROUGH = GAMES_TO_PLAY >= 100  # As in `make test-all`.


@dataclass(frozen=True)
class TableConfig:
    """One kind of table that random games are played at, with invariants of its game."""

    tracked: TrackedGame
    label: str
    setup: Any
    # asserts in every state of a game that the pieces are those of the box
    assert_adds_up: Callable[[Sequence[Any]], None]
    with_other_secret: Callable[[Any, int, random.Random], Any]  # returns the state with another secret at one seat
    # Converts a move as older logs store it to today's form.
    normalize_move: Callable[[Any, Move], Move] = lambda state, move: move

    @property
    def name(self) -> str:
        return f"{self.tracked.key} {self.label}"

    def seeds(self, table_count: int, step: int = 1) -> list[str]:
        """Return the seeds of the games to play here, or every `step`-th of them.

        :param table_count: number of tables of this game, which share the games to play.
        """
        games = -(-GAMES_TO_PLAY // table_count) or DEFAULT_GAME_COUNT
        return [f"{SEED} {self.name} {number}" for number in range(0, games, step)]


def sample_size(number: int) -> int:
    """Return how many of so many random cases to try: all in `make test-all`, else an eighth."""
    return number if IS_THOROUGH else -(-number // 8)


def default_setups(tracked: TrackedGame) -> list[tuple[str, Any]]:
    """Return labeled setups for each player count, with default and with all other rulings."""
    others = {ruling.id: ruling.options[-1].id for ruling in tracked.box.rulings}
    plain = [(str(seats), tracked.setup_format.default(list(NAMES[:seats]))) for seats in tracked.box.player_counts]
    return plain + [(f"{label} other rulings", replace(setup, rulings=others)) for label, setup in plain]


def default_tables(tracked: TrackedGame) -> list[TableConfig]:
    """Return the tables of a game without secrets and without pieces to count."""
    return [
        TableConfig(tracked, label, setup, assert_same_players, unchanged_state)
        for label, setup in default_setups(tracked)
    ]


def assert_same_players(states: Sequence[Any]) -> None:
    """Assert that the players and their order stay the same."""
    names = [[player.name for player in state.players] for state in states]
    assert names == [names[0]] * len(names)


def unchanged_state(state: Any, seat: int, rng: random.Random) -> Any:
    """Return the state unchanged, as there are no secrets."""
    return state
