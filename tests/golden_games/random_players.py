"""Golden games by random players, for a game without its own module."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring.kernel.tracked_game import TrackedGame
from tests.golden_games.files import GameLog, game_to_json
from tests.support.player_names import NAMES
from tests.support.random_games import random_game


@dataclass(frozen=True)
class RandomGame:
    """A finished random game."""

    tracked: TrackedGame
    setup: Any
    log: GameLog
    state: Any

    def to_json(self) -> str:
        """Return the game as the content of its file."""
        return game_to_json(self.tracked, self.setup, self.log)


def play_golden_games(tracked: TrackedGame) -> Iterator[tuple[str, RandomGame]]:
    """Yield a name and a random game for each number of players."""
    for seats in tracked.box.player_counts:
        name, setup = f"{tracked.key}-{seats}", tracked.setup_format.default(list(NAMES[:seats]))
        log: GameLog = []
        state = random_game(tracked, setup, random.Random(name), log)
        yield name, RandomGame(tracked, setup, log, state)
