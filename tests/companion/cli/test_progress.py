"""Tests of notes on long work: shown only on a terminal, and on standard error."""

import io
from pathlib import Path

import pytest

from companion.cli.shared import progress_bar, show_status
from companion.rendering import pdf
from companion.system.paths import DATABASE_NAME
from tests.support.finished_tables import open_instance, scored_table


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("err", "is_shown"), [(Terminal, True), (io.StringIO, False)], ids=["a terminal", "a file"])
def test_progress_is_shown_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys, err: type, is_shown: bool):
    monkeypatch.setattr("sys.stderr", terminal := err())
    with pytest.raises(KeyboardInterrupt), progress_bar("Importing tables") as on_progress:
        for done in range(1, 5):
            on_progress(done, 8)
        raise KeyboardInterrupt
    show_status("Making the PDF")
    text = terminal.getvalue()
    assert is_shown == ("Importing tables" in text and "50%" in text) == text.endswith("\nMaking the PDF ...\n")
    assert is_shown or text == ""
    assert capsys.readouterr().out == ""


def test_work_without_steps_shows_no_progress(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress_bar("Loading tables"):
        pass
    assert terminal.getvalue() == ""


def test_process_without_standard_error_shows_no_progress(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr("sys.stderr", None)
    with progress_bar("Loading tables") as on_progress:
        on_progress(1, 2)
    show_status("Making the PDF")
    assert capsys.readouterr().out == ""


def test_progress_bar_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress_bar("Importing tables") as on_progress:
        on_progress(1, 2)
    line = terminal.getvalue().rpartition("\x1b[?25l")[2].partition("\x1b")[0]
    assert line.startswith("Importing tables") and len(line) <= 30


def test_every_slow_command_names_the_work_in_progress(
    run_waymark, write_file, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pdf, "render_pdf", lambda html, paper: b"%PDF-")
    folder = tmp_path / "instance"
    referee = open_instance(folder)
    table = scored_table(referee, "Ana", "Bo")
    scored_table(referee, "Cy", "Di", game="parks")
    referee.store.db.conn.close()
    (folder / "tables.db").rename(folder / DATABASE_NAME)
    log = write_file(run_waymark("export", table.code, "--instance", folder).out.encode())
    runs = {
        "Copying tables": ("backup", tmp_path / "saved.zip", "--instance", folder),
        "Restoring tables": ("restore", tmp_path / "saved.zip", "--instance", tmp_path / "new"),
        "Replaying the log": ("replay", log),
        "Making the PDF": ("pad", "trails", "-o", tmp_path / "pad.pdf"),
    }
    for work, command in runs.items():
        with monkeypatch.context() as patch:
            patch.setattr("sys.stderr", terminal := Terminal())
            assert (run_waymark(*command).status, terminal.getvalue()) == (0, f"{work} ...\n")
