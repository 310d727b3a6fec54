"""What is left out of `make quick` and `make test` has a reason, and what is left is some of everything."""

import re

from companion.where import CHECKOUT
from tests.cases import every_row

MARK = re.compile(r"pytest\.mark\.(slow|long)\b(\(\"[^\"]+\"\))?")
WHOLE_FILE = re.compile(r"^pytestmark = .*\b(slow|long)\b", re.MULTILINE)
QUICK = (
    "test_trails_hiking.py", "test_parks_gear.py", "test_alpine_points.py", "test_on_the_trail_running.py", "test_documents.py",
    "test_store.py", "test_table.py", "test_referee.py", "test_web.py", "test_pages.py", "test_told_games.py", "test_every_game.py",
)  # fmt: skip


def test_whatever_is_slow_or_long_has_a_reason():
    files = [file for file in (CHECKOUT / "tests").rglob("*.py") if file.name != "test_quick.py"]
    found = [(file.name, mark) for file in files for mark in MARK.finditer(file.read_text(encoding="utf-8"))]
    assert len(found) > 50
    assert [(file, mark[0]) for file, mark in found if not mark[2]] == []


@every_row("file", QUICK)
def test_some_of_everything_is_quick(file: str):
    assert not WHOLE_FILE.search((CHECKOUT / "tests" / file).read_text(encoding="utf-8"))
