"""The tables that random games are played at, and the marks of tests that use them all.

The tables of a game with turns are in `tests/support/<folder>_invariants.py`, where the folder is that of the game in
`scoring`. A score entry without such a module is played with its default setups.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from scoring.games import GAMES
from scoring.kernel.game import Game
from tests.support.game_names import folder_of
from tests.support.invariants import TableConfig, default_tables


def invariants_module(game: Game) -> str:
    """Return the name of the module with the tables of a game."""
    return f"tests.support.{folder_of(game.box.key)}_invariants"


def tables_of(game: Game) -> list[TableConfig]:
    """Return the tables of a game: those of its module, and default ones for the rest."""
    module = invariants_module(game)
    tables: list[TableConfig] = import_module(module).TABLES if find_spec(module) else []
    covered = {table.tracked.key for table in tables}
    missing = [tracked for tracked in game.tracked_games if tracked.key not in covered]
    return [*tables, *(table for tracked in missing for table in default_tables(tracked))]


TABLES = [table for game in GAMES.values() for table in tables_of(game)]
TABLE_COUNTS = Counter(table.tracked.key for table in TABLES)

OTHER_RULINGS_MARK = pytest.mark.long("random games by the other rulings")
OTHER_PLAYER_COUNT_MARK = pytest.mark.long("random games of a number of players in between")
SPECIAL_TABLE_MARK = pytest.mark.slow("random games at a table of a kind of its own")


def table_case(table: TableConfig) -> Any:
    """Return a table as a test case; `make quick` has only the fewest and the most players."""
    seats, player_counts = len(table.setup.players), table.tracked.box.player_counts
    between = [OTHER_PLAYER_COUNT_MARK] if seats not in (player_counts[0], player_counts[-1]) else []
    marks = (
        between
        if table.label == str(seats)
        else [OTHER_RULINGS_MARK]
        if "other" in table.label
        else [SPECIAL_TABLE_MARK]
    )
    return pytest.param(table, id=table.name.replace(" ", "-"), marks=marks)


for_every_table = pytest.mark.parametrize("table", [table_case(table) for table in TABLES])


@contextmanager
def seeded_rng(seed: str) -> Iterator[random.Random]:
    """Provide a generator with this seed, and name the seed in any error that is raised."""
    try:
        yield random.Random(seed)
    except BaseException as fault:
        fault.add_note(f"the seed of this game: {seed!r}")
        raise
