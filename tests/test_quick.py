"""The tests that `make quick` leaves out are there, and it leaves some of everything."""

import re

import pytest

from companion.where import CHECKOUT
from tests.conftest import LONGER, SLOW

QUICK = (
    "test_trails_hiking.py", "test_parks_gear.py", "test_alpine_points.py", "test_on_the_trail_running.py", "test_documents.py",
    "test_store.py", "test_table.py", "test_referee.py", "test_web.py", "test_pages.py", "test_told_games.py", "test_every_game.py",
)  # fmt: skip


@pytest.mark.parametrize("name", SLOW | LONGER)
def test_what_is_slow_is_there_and_has_a_reason(name: str):
    file, _, test = name.partition("::")
    assert (CHECKOUT / file).exists()
    assert not test or re.search(rf"^def {test}\(", (CHECKOUT / file).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("file", QUICK)
def test_some_of_everything_is_quick(file: str):
    assert f"tests/{file}" not in SLOW and (CHECKOUT / "tests" / file).exists()
