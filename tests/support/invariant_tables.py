"""The tables that random games are played at, and the marks of tests that use them all."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support import (
    alpine_trails_invariants,
    on_the_trail_invariants,
    parks_invariants,
    small_games_invariants,
    trails_invariants,
)
from tests.support.invariants import TableConfig

TABLES = [
    *trails_invariants.TABLES,
    *parks_invariants.TABLES,
    *alpine_trails_invariants.TABLES,
    *on_the_trail_invariants.TABLES,
    *small_games_invariants.TABLES,
]
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
