"""Check-lists of the documents are complete, and forgotten steps are noticed.

`tests/support/checklists.toml` has an example of a change for each check-list. It is made in a copy of the checkout,
where the tests that the check-list names must pass. Without one of its files, the test beside that file must fail,
and its message must name the place to change.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.system.paths import CHECKOUT

NOT_COPIED = {".git", ".venv", "instance", "__pycache__"}
# Tests that play games at every table: only those of the changed game, and those of no game.
NARROWED = {"tests/scoring/kernel/test_invariants.py": "{key} or has_invariants or cover_every_game"}
PYTEST_OPTIONS = ["-p", "no:cacheprovider", "-m", "not (slow or long)"]  # as `make quick`
FAILED = (1, 2, 4)  # a test failed, could not be collected, or could not be imported


@dataclass(frozen=True)
class Row:
    """One row of a check-list."""

    files: tuple[str, ...]
    test: str = ""  # the file with the test that fails without the files
    message: str = ""  # a part of its message; empty if the check-list has none


@dataclass(frozen=True)
class Example:
    """A check-list with an example of a change."""

    document: str
    heading: str
    names: dict[str, str]  # the values of its placeholders
    changes: tuple[dict[str, str], ...]

    @property
    def rows(self) -> list[Row]:
        """Return the rows of the check-list, with the names of the example."""
        text = (CHECKOUT / self.document).read_text(encoding="utf-8")
        section = text.split(f"### {self.heading}\n", 1)[1].split("\n#", 1)[0]
        for name, value in self.names.items():
            section = section.replace(f"<{name}>", value)
        tables = re.findall(r"\| file \|(.*)\|\n\|[-|]+\|\n((?:\|.*\|\n)+)", section)
        return [read_row(line, "the test" in header) for header, body in tables for line in body.splitlines()]


def read_row(line: str, has_test: bool) -> Row:
    files, _, test, *message = (cell.strip() for cell in line.strip("|").split("|"))
    return Row(tuple(re.findall(r"`([^`]+)`", files)), test.strip("`") if has_test else "", *message)


EXAMPLES = [
    Example(data["document"], data["heading"], data["names"], tuple(data["change"]))
    for data in tomllib.loads((CHECKOUT / "tests/support/checklists.toml").read_text(encoding="utf-8"))["example"]
]
FORGOTTEN = [
    pytest.param(example, row, id=f"{example.heading}-{row.files[0]}".replace(" ", "-"))
    for example in EXAMPLES
    for row in example.rows
    if row.test
]


class Copy:
    """A copy of the checkout, and the changes of each example there."""

    def __init__(self, root: Path):
        self.root = root
        self._changes: dict[str, dict[str, bytes]] = {}
        for file in source_files():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / file, root / file)
        (root / "instance").mkdir(exist_ok=True)

    def changes_of(self, example: Example) -> dict[str, bytes]:
        """Return the content of each file that an example changes."""
        if example.heading not in self._changes:
            before = self._times()
            for change in example.changes:
                self._make(change)
            changed = sorted(file for file, time in self._times().items() if before.get(file) != time)
            contents = {file: (self.root / file).read_bytes() for file in changed}
            different = {file: content for file, content in contents.items() if content != original(file)}
            self._changes[example.heading] = different
            self._restore(contents)
        return self._changes[example.heading]

    @contextmanager
    def changed(self, contents: dict[str, bytes]) -> Iterator[None]:
        """Give files another content for a while."""
        try:
            for file, content in contents.items():
                (self.root / file).parent.mkdir(parents=True, exist_ok=True)
                (self.root / file).write_bytes(content)
            yield
        finally:
            self._restore(contents)

    def run(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, with the modules of the copy."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**os.environ, "WAYMARK_GAMES": "1", "PYTHONPATH": str(self.root)},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )

    def test(self, files: list[str], key: str) -> subprocess.CompletedProcess[str]:
        """Run test files as `make quick` does, and return the first run that fails, or the last one."""
        whole = [file for file in files if file not in NARROWED]
        runs = [(whole, [])] if whole else []
        runs += [([file], ["-k", NARROWED[file].format(key=key)]) for file in files if file in NARROWED]
        results = [self.run(["-m", "pytest", *PYTEST_OPTIONS, "-n", "0", *narrow, *names]) for names, narrow in runs]
        return next((result for result in results if result.returncode), results[-1])

    def _make(self, change: dict[str, str]) -> None:
        """Make one change: run a command, or change a file."""
        if command := change.get("command"):
            result = self.run(["-m", *shlex.split(command)])
            assert result.returncode == 0, result.stdout
            return
        file = self.root / change["file"]
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        find, text = change.get("find", ""), change["text"]
        assert find in old, f"tests/support/checklists.toml: {change['file']} has no {find!r}. Correct `find`."
        file.write_text(old.replace(find, text, 1) if find else old + text, encoding="utf-8")

    def _times(self) -> dict[str, int]:
        files = (file for file in self.root.rglob("*") if "__pycache__" not in file.parts and file.is_file())
        return {file.relative_to(self.root).as_posix(): file.stat().st_mtime_ns for file in files}

    def _restore(self, files: dict[str, bytes]) -> None:
        for file in files:
            content = original(file)
            if content is None:
                (self.root / file).unlink(missing_ok=True)
            else:
                (self.root / file).write_bytes(content)


def source_files() -> list[Path]:
    """Return the files of the checkout that are copied."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        output = subprocess.run(listing, cwd=CHECKOUT, check=True, capture_output=True).stdout.decode()
        files = [Path(name) for name in output.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):  # A checkout without git.
        files = [file.relative_to(CHECKOUT) for file in CHECKOUT.rglob("*")]
    return [file for file in files if not NOT_COPIED & {*file.parts} and (CHECKOUT / file).is_file()]


def original(file: str) -> bytes | None:
    """Return the content of a file of the checkout, or None if there is no such file."""
    return (CHECKOUT / file).read_bytes() if (CHECKOUT / file).exists() else None


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("checkout"))


def example_key(example: Example) -> str:
    return example.names.get("key", "")


@pytest.mark.slow("runs tests in a copy of the checkout")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.heading.replace(" ", "-"))
def test_change_by_a_checklist_passes_the_tests_it_names(copy: Copy, example: Example):
    changes = copy.changes_of(example)
    listed = {file for row in example.rows for file in row.files}
    extra, missing = sorted(listed - set(changes)), sorted(set(changes) - listed)
    assert not extra + missing, (
        f"{example.document}, {example.heading}: the example changes {missing}, which the list lacks, and not {extra}. "
        "Correct the list, or the example in tests/support/checklists.toml."
    )
    with copy.changed(changes):
        result = copy.test(sorted({row.test for row in example.rows if row.test}), example_key(example))
    assert result.returncode == 0, result.stdout


@pytest.mark.long("runs tests in a copy of the checkout for every step of every check-list")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("example, row", FORGOTTEN)
def test_forgotten_file_fails_a_test_that_names_the_next_step(copy: Copy, example: Example, row: Row):
    rest = {file: content for file, content in copy.changes_of(example).items() if file not in row.files}
    with copy.changed(rest):
        result = copy.test([row.test], example_key(example))
    assert result.returncode in FAILED, f"{row.test} does not notice that {row.files} is missing.\n{result.stdout}"
    file = Path(row.files[0])
    module = ".".join(file.with_suffix("").parts)
    places = (file.as_posix(), file.parent.as_posix(), file.name, module, f"python -m {STORED_NAMES_COMMAND}")
    message = result.stdout.replace(row.test, "")
    assert any(place in message for place in places), f"No place in the message of {row.test}:\n{result.stdout}"
    assert row.message in result.stdout, f"Another message than in {example.document}:\n{result.stdout}"


STORED_NAMES_COMMAND = "tests.support.stored_names --add"


@pytest.mark.slow("runs tests in a copy of the checkout")
def test_first_change_of_contributing_fails_the_tests_of_its_game(copy: Copy):
    file, folder = "scoring/trails/points.py", "tests/scoring/trails"
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert f"in `{file}`, set `TROPHY_POINTS` to 5" in text and f"pytest -n 0 {folder}\n" in text
    changed = re.sub(r"(?m)^TROPHY_POINTS = 4$", "TROPHY_POINTS = 5", (CHECKOUT / file).read_text(encoding="utf-8"))
    with copy.changed({file: changed.encode()}):
        result = copy.test([folder], "trails")
    assert result.returncode == 1 and "Bird Trophy" in result.stdout, result.stdout


@pytest.mark.long("runs the fast tests in a copy of the checkout")
@pytest.mark.timeout(1200)
def test_fast_tests_pass_with_a_new_game(copy: Copy):
    example = next(example for example in EXAMPLES if "only scored" in example.heading)
    with copy.changed(copy.changes_of(example)):
        parallel = ["-n", "auto", "--dist", "worksteal"]
        result = copy.run(["-m", "pytest", *PYTEST_OPTIONS, *parallel, "--ignore=tests/browser"])
    assert result.returncode == 0, result.stdout[-20_000:]
