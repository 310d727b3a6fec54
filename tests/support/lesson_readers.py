"""Newcomers who read every lesson of a random game as soon as it is shown."""

import functools
import random
from collections.abc import Iterator, Sequence

from msgspec import to_builtins

from companion.log.entries import Played
from companion.log.table import Table
from companion.pages.lessons import CurrentLesson, current_lesson
from companion.storage.lessons import Learner
from scoring.games import GAMES, TRACKED_GAMES
from tests.support.log_builder import LogBuilder
from tests.support.player_names import NAMES
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

TAUGHT_GAMES = [game.box.key for game in GAMES.values() if game.tracked and game.tracked.lessons]
NEWCOMER = Learner(is_taught=True)


@functools.cache
def tables_of_random_game(key: str, seed: int, player_count: int = 0) -> tuple[Table, ...]:
    """Return the table of a random game after each step.

    :param player_count: 0 for as many as can play.
    """
    names = list(NAMES[: player_count or TRACKED_GAMES[key].box.player_counts[-1]])
    log: list = []
    random_game(TRACKED_GAMES[key], ready_setup(names, key), random.Random(seed), log)
    builder = LogBuilder(*names, game=key).sit(*(f"phone {seat}" for seat in range(len(names))))
    tables = [builder.table]
    for seat, move in log:
        builder.add_entry(f"phone {seat}", Played(to_builtins(move)), seat)
        tables.append(builder.table)
    return tuple(tables)


def read_lessons(tables: Sequence[Table], seat: int) -> Iterator[tuple[Table, CurrentLesson]]:
    """Yield the lessons of a seat in a game, each with the table at which it is shown."""
    learner = NEWCOMER
    for table in tables:
        while current := current_lesson(table, seat, learner):
            yield table, current
            learner = Learner(True, {**learner.read, current.lesson.id: current.reading})
