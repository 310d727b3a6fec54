"""Every table that random games are played at, and what a test of all of them is marked with."""

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
    small_invariants,
    trails_invariants,
)
from tests.support.invariants import Table

TABLES = [
    *trails_invariants.TABLES,
    *parks_invariants.TABLES,
    *alpine_trails_invariants.TABLES,
    *on_the_trail_invariants.TABLES,
    *small_invariants.TABLES,
]
TABLES_OF = Counter(table.play.key for table in TABLES)

OTHER_RULINGS = pytest.mark.long("random games by the other rulings")
IN_BETWEEN = pytest.mark.long("random games of a number of players in between")
OF_ITS_OWN = pytest.mark.slow("random games at a table of a kind of its own")


def case(table: Table) -> Any:
    """Return a table as a case: `make quick` has the fewest and the most players by the usual rulings."""
    seats, usual = len(table.setup.players), table.play.box.seats
    between = [IN_BETWEEN] if seats not in (usual[0], usual[-1]) else []
    marks = between if table.label == str(seats) else [OTHER_RULINGS] if "other" in table.label else [OF_ITS_OWN]
    return pytest.param(table, id=table.name.replace(" ", "-"), marks=marks)


at_every_table = pytest.mark.parametrize("table", [case(table) for table in TABLES])


@contextmanager
def seed_named(seed: str) -> Iterator[random.Random]:
    """Give a generator from a seed, and name the seed in whatever goes wrong meanwhile."""
    try:
        yield random.Random(seed)
    except BaseException as fault:
        fault.add_note(f"the seed of this game: {seed!r}")
        raise
