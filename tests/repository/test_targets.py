"""`make quick` and `make test` leave out only marked tests, and run some of every kind."""

import functools
import re

import pytest

from companion.system.paths import CHECKOUT

TESTS = CHECKOUT / "tests"
MARK = re.compile(r"pytest\.mark\.(slow|long)\b(\(\"[^\"]+\"\))?")
TEST = re.compile(r"^(?P<marks>(?:@.*\n(?:[ )\]}].*\n)*)*)(?:async )?def (?P<name>test_\w+)\(", re.MULTILINE)
FILE_MARK = re.compile(r"^pytestmark = (?:\[\n(?: .*\n)*\]|.*)$", re.MULTILINE)
QUICK = (
    "scoring/trails/test_hiking.py", "scoring/parks/test_gear.py", "scoring/alpine_trails/test_points.py",
    "scoring/on_the_trail/test_run_moves.py", "scoring/kernel/test_final_positions.py",
    "scoring/kernel/test_golden_games.py", "scoring/kernel/test_invariants.py",
    "companion/storage/test_store.py", "companion/log/test_table.py",
    "companion/service/test_referee.py", "companion/web/test_addresses.py", "companion/pages/test_pages.py",
)  # fmt: skip


@functools.cache
def targets() -> dict[str, str]:
    """Return the first target that runs each test: quick, test or test-all, by its marks."""
    found = {}
    for file in TESTS.rglob("test_*.py"):
        text = file.read_text(encoding="utf-8")
        of_the_file = " ".join(FILE_MARK.findall(text)) + (" mark.slow" if file.parent.name == "browser" else "")
        for test in TEST.finditer(text):
            marks = of_the_file + "".join(re.findall(r"^@.*$", test["marks"], re.MULTILINE))
            target = "test-all" if "mark.long" in marks else "test" if "mark.slow" in marks else "quick"
            found[f"{file.relative_to(CHECKOUT).as_posix()}::{test['name']}"] = target
    return found


def test_slow_or_long_mark_has_a_reason():
    files = [file for file in TESTS.rglob("*.py") if file.name != "test_targets.py"]
    found = [(file.name, mark) for file in files for mark in MARK.finditer(file.read_text(encoding="utf-8"))]
    assert len(found) > 50
    missing = [(file, mark[0]) for file, mark in found if not mark[2]]
    assert not missing, f'{missing}: write the reason into the mark, as in pytest.mark.slow("starts a server").'


@pytest.mark.parametrize("file", QUICK)
def test_quick_target_runs_some_of_everything(file: str):
    assert "quick" in {target for test, target in targets().items() if test.startswith(f"tests/{file}::")}
