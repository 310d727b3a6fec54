"""Fixtures: the app, phones, and tables where everybody has a seat."""

import datetime
import json
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec import to_builtins

os.environ["WAYMARK_CHECK_FRAGMENTS"] = (
    "1"  # also for the servers that tests start; it is read when a module is imported
)

from companion.cli.main import main
from companion.pages import table as table_pages
from companion.service import referee as referee_module
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage.store import Store
from companion.web.app import create_app, install_limits
from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.moves.reveals import NoteHand
from tests.support.command import CommandResult
from tests.support.log_builder import ANA, BO, HOST
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.ready_setups import ready_setup
from tests.support.registered_games import register_small_games
from tests.support.table_states import play_moves

# Before any test module is imported: their tables of cases list the registered games.
register_small_games()


def disable_fsync(store: Store) -> None:
    """Let this thread's commits return before they are on the disk; no test cuts the power."""
    store.db.execute("PRAGMA synchronous = OFF")


class _WarningRecorder(logging.Handler):
    """A log handler that records warnings and errors, which are unexpected in tests."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(self.format(record))


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Yield the complete app, including CSRF protection; all tests share its templates."""
    app = create_app(tmp_path_factory.mktemp("instance"))
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture
def app(shared_app: Flask) -> Iterator[Flask]:
    """Yield the app for one test, which opens its own tables.

    The test fails if the app logs a warning or an error.
    """
    install_limits(shared_app)
    unforeseen = _WarningRecorder()
    shared_app.logger.addHandler(unforeseen)
    yield shared_app
    shared_app.logger.removeHandler(unforeseen)
    assert unforeseen.records == []


@pytest.fixture
def referee(app: Flask) -> Referee:
    return app.extensions["waymark"]


@pytest.fixture
def advance_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that advances the clock of log entries by some seconds."""
    gone = [0.0]

    def stamp() -> str:
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=sum(gone))
        return now.isoformat(timespec="milliseconds")

    for module in (referee_module, table_pages):
        monkeypatch.setattr(module, "timestamp", stamp)
    return gone.append


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def table_of_two(app: Flask) -> SeatedTable:
    """Return a table of TRAILS with Ana and Bo, each with an own phone; Ana's is the host."""
    return open_seated_table(app, "Ana", "Bo")


@pytest.fixture
def table_of_three(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", "Cy")


@pytest.fixture
def table_after_hikes(table_of_three: SeatedTable) -> SeatedTable:
    """Return a table of Ana, Bo and Cy with the first moves made.

    All have hiked to the leaf site, and Ana has gone on to the photo site and skipped the photo.
    Bo has noted a badge before.
    """
    table_of_three.play(1, NoteHand("science"))
    return play_moves(table_of_three, [*((seat, Hike(2)) for seat in range(3)), (0, Hike(2)), (0, Skip())])


@pytest.fixture
def score_entry_table(app: Flask) -> SeatedTable:
    """Return a score entry of TRAILS for Ana and Bo."""
    return open_seated_table(app, "Ana", "Bo", game="trails-tally")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Yield the store of a new database without an app."""
    store = Store(tmp_path / "waymark.sqlite3")
    yield store
    store.db.conn.close()


@pytest.fixture
def bare_referee(store: Store) -> Referee:
    """Return a referee without an app."""
    disable_fsync(store)
    return Referee(store, LiveUpdates(store, 4))


@pytest.fixture
def code(bare_referee: Referee) -> str:
    """Return the code of a table with Ana and Bo on a phone each; the host has a third one."""
    code = bare_referee.open_table(HOST, "trails", to_builtins(ready_setup(["Ana", "Bo"]))).code
    bare_referee.sit(bare_referee.store.table(code), ANA, "sit 0", 0)
    bare_referee.sit(bare_referee.store.table(code), BO, "sit 1", 1)
    return code


@pytest.fixture
def run_waymark(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """Return a function that runs the command line."""

    def run(*arguments: object) -> CommandResult:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return CommandResult(status=status, out=out, err=err)

    return run


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[[object], Path]:
    """Return a function that writes data as JSON, or bytes unchanged, and returns the file."""

    def write(content: object) -> Path:
        path = tmp_path / "written.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """Yield a folder that every account can access, for tests that run as another account."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        if os.geteuid() != os.getuid():
            os.seteuid(os.getuid())


@pytest.fixture
def new_york_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the time zone of New York."""
    monkeypatch.setenv("TZ", "EST5EDT,M3.2.0,M11.1.0")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
