"""The tables random games are played at, and what a game must tell of itself to be played there."""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame

GAMES_TO_PLAY = int(os.environ.get("WAYMARK_GAMES", "0"))
SEED = os.environ.get("WAYMARK_SEED", "1")
DEFAULT_GAME_COUNT = 1  # of games at each table, where WAYMARK_GAMES says nothing
IS_THOROUGH = GAMES_TO_PLAY >= 100  # as `make test-all` asks for
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")


@dataclass(frozen=True)
class TableConfig:
    """One kind of table that random games are played at, with what only its game can say."""

    tracked: TrackedGame
    label: str
    setup: Any
    assert_adds_up: Callable[[Sequence[Any]], None]  # asserts that the box adds up in each of the states of a game
    with_other_secret: Callable[[Any, int, random.Random], Any]  # the same state with another secret at one seat
    normalize_move: Callable[[Any, Move], Move] = lambda state, move: (
        move
    )  # a move as older logs say it, as it is offered today

    @property
    def name(self) -> str:
        return f"{self.tracked.key} {self.label}"

    def seeds(self, table_count: int, step: int = 1) -> list[str]:
        """Return the seeds of the games to play here, where the game has so many tables; or only one of `every`."""
        games = -(-GAMES_TO_PLAY // table_count) or DEFAULT_GAME_COUNT
        return [f"{SEED} {self.name} {number}" for number in range(0, games, step)]


def sample_size(number: int) -> int:
    """Return how many of so many cases made up at random to try: all in `make test-all`, an eighth elsewhere."""
    return number if IS_THOROUGH else -(-number // 8)


def default_setups(tracked: TrackedGame) -> list[tuple[str, Any]]:
    """Return a set-up for every number of players, by the default rulings and by all the others, with its label."""
    others = {ruling.id: ruling.options[-1].id for ruling in tracked.box.rulings}
    plain = [(str(seats), tracked.default_setup(list(NAMES[:seats]))) for seats in tracked.box.player_counts]
    return plain + [(f"{label} other rulings", replace(setup, rulings=others)) for label, setup in plain]
