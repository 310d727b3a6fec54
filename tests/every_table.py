"""Every table that random games are played at, and what a test of all of them is marked with."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests import alpine_promises, on_the_trail_promises, parks_promises, small_promises, trails_promises

TABLES = [
    *trails_promises.TABLES,
    *parks_promises.TABLES,
    *alpine_promises.TABLES,
    *on_the_trail_promises.TABLES,
    *small_promises.TABLES,
]
TABLES_OF = Counter(table.play.key for table in TABLES)

at_every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name.replace(" ", "-"))


@contextmanager
def seed_named(seed: str) -> Iterator[random.Random]:
    """Give a generator from a seed, and name the seed in whatever goes wrong meanwhile."""
    try:
        yield random.Random(seed)
    except BaseException as fault:
        fault.add_note(f"the seed of this game: {seed!r}")
        raise
