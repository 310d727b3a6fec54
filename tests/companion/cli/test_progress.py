"""Tests of the progress display: shown only on a terminal, and cleared afterwards."""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main, progress
from companion.cli.progress import Progress, waiting
from companion.rendering import pdf
from companion.system.paths import DATABASE_NAME
from tests.support.finished_tables import open_instance, scored_table


class Terminal(io.StringIO):
    """A terminal with an event that is set when something is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.shown.set()
        return super().write(text)

    @property
    def left(self) -> str:
        """Return the visible text of the last line."""
        line: list[str] = []
        for written in self.getvalue().split("\n")[-1].split("\r"):
            line[: len(written)] = written
        return "".join(line).rstrip()


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a fake terminal on which progress appears without a delay.

    This is not a fixture because pytest replaces standard error between fixtures and the test.
    """
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "SOON", 0.0)
    monkeypatch.setattr(progress, "TICK", 0.01)
    return terminal


def has_progress_thread() -> bool:
    return any(thread.name == "progress" for thread in threading.enumerate())


def test_work_of_unknown_length_shows_the_elapsed_time(monkeypatch: pytest.MonkeyPatch):
    terminal = watched(monkeypatch)
    with waiting("Copying the tables"):
        assert terminal.shown.wait(20) and terminal.left == "Copying the tables: 0 s"
    assert terminal.left == ""


def test_stopped_or_failed_work_leaves_a_clean_line(monkeypatch: pytest.MonkeyPatch):
    terminal = watched(monkeypatch)
    with pytest.raises(KeyboardInterrupt), waiting("Printing"):
        assert terminal.shown.wait(20)
        terminal.write("^C")  # what a terminal prints for Ctrl+C
        raise KeyboardInterrupt
    assert terminal.left == "" and not has_progress_thread()


def test_ctrl_c_while_the_line_is_written_leaves_a_clean_line(monkeypatch: pytest.MonkeyPatch):
    terminal = watched(monkeypatch)

    def stop() -> None:
        monkeypatch.undo()
        monkeypatch.setattr("sys.stderr", terminal)
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal, "flush", stop)
    with pytest.raises(KeyboardInterrupt), Progress("Tables written") as progress:
        progress(1, 9)
    assert "1 of 9" in terminal.getvalue() and terminal.left == ""


def test_no_progress_is_shown_without_a_terminal(monkeypatch: pytest.MonkeyPatch):
    terminal = watched(monkeypatch)
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with waiting("Printing"):
        assert not has_progress_thread()
    assert terminal.getvalue() == ""


def test_progress_line_is_never_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "12")
    terminal = watched(monkeypatch)
    with Progress("Tables taken in") as progress:
        progress(1, 9)
        assert terminal.left == "Tables ta"  # leaves room for the "^C" of Ctrl+C


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list in which commands record the work that they wait for."""
    reported: list[str] = []

    @contextmanager
    def record_title(title: str) -> Iterator[None]:
        reported.append(title)
        yield

    monkeypatch.setattr(main, "waiting", record_title)
    monkeypatch.setattr(pdf, "render_pdf", lambda html, paper: b"%PDF-")
    return reported


def test_every_slow_command_names_the_work_in_progress(run_waymark, write_file, titles: list[str], tmp_path: Path):
    folder = tmp_path / "instance"
    referee = open_instance(folder)
    table = scored_table(referee, "Ana", "Bo")
    scored_table(referee, "Cy", "Di", game="parks")
    referee.store.db.conn.close()
    (folder / "tables.db").rename(folder / DATABASE_NAME)
    log = write_file(run_waymark("export", table.code, "--instance", folder).out.encode())
    runs = {
        "Copying the tables": ("backup", tmp_path / "saved.zip", "--instance", folder),
        "Putting the tables back": ("restore", tmp_path / "saved.zip", "--instance", tmp_path / "new"),
        "Playing the log again": ("replay", log),
        "Printing": ("pad", "trails", "-o", tmp_path / "pad.pdf"),
    }
    for command, run in runs.items():
        result = run_waymark(*run)
        assert (result.status, result.err, titles.pop()) == (0, "", command)
    assert titles == []
