"""What the tests of the companion start from: the app, phones, tables where everybody has sat down."""

import datetime
import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec import to_builtins

from companion.cli.main import main
from companion.pages import pages
from companion.service import referee as refereeing
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage.store import Store
from companion.web.app import create_app, install_limits
from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.moves.reveals import NoteHand
from tests.support.command import CommandResult
from tests.support.log_builder import ANA, BO, HOST
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.positions import ready_setup
from tests.support.table_states import play_moves


def disable_fsync(store: Store) -> None:
    """Let this thread's commits return before they are on the disk: no test pulls the plug."""
    store.db.execute("PRAGMA synchronous = OFF")


class _WarningRecorder(logging.Handler):
    """Keeps what the app logs as unforeseen: every page answers, or says why not."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(self.format(record))


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The app with CSRF and everything else as it is served; its templates are read once for all tests."""
    app = create_app(tmp_path_factory.mktemp("instance"))
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture
def app(shared_app: Flask) -> Iterator[Flask]:
    """The app for one test, which opens tables of its own. Fails the test if anything unforeseen happens."""
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
    """Let seconds go by on the clock that says when something was said."""
    gone = [0.0]

    def stamp() -> str:
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=sum(gone))
        return now.isoformat(timespec="milliseconds")

    for module in (refereeing, pages):
        monkeypatch.setattr(module, "timestamp", stamp)
    return gone.append


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def table_of_two(app: Flask) -> SeatedTable:
    """A table of TRAILS: Ana and Bo, each with a phone of their own; Ana's is the host."""
    return open_seated_table(app, "Ana", "Bo")


@pytest.fixture
def table_of_three(app: Flask) -> SeatedTable:
    return open_seated_table(app, "Ana", "Bo", "Cy")


@pytest.fixture
def table_after_hikes(table_of_three: SeatedTable) -> SeatedTable:
    """Ana, Bo and Cy have hiked to the leaf site, Ana on to the photo, where she has left it. Bo has noted a badge before."""
    table_of_three.play(1, NoteHand("science"))
    return play_moves(table_of_three, [*((seat, Hike(2)) for seat in range(3)), (0, Hike(2)), (0, Skip())])


@pytest.fixture
def score_entry_table(app: Flask) -> SeatedTable:
    """Just score: Ana and Bo count what lies before them."""
    return open_seated_table(app, "Ana", "Bo", game="trails-tally")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A file of its own without an app."""
    store = Store(tmp_path / "waymark.sqlite3")
    yield store
    store.db.conn.close()


@pytest.fixture
def bare_referee(store: Store) -> Referee:
    """A referee without an app."""
    disable_fsync(store)
    return Referee(store, LiveUpdates(store, 4))


@pytest.fixture
def code(bare_referee: Referee) -> str:
    """A table of that referee with Ana and Bo, each on a phone; the host's is a third."""
    code = bare_referee.open_table(HOST, "trails", to_builtins(ready_setup(["Ana", "Bo"]))).code
    bare_referee.sit(code, ANA, "sit 0", 0)
    bare_referee.sit(code, BO, "sit 1", 1)
    return code


@pytest.fixture
def run_waymark(capsys: pytest.CaptureFixture[str]) -> Callable[..., CommandResult]:
    """The command line."""

    def run(*arguments: object) -> CommandResult:
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return CommandResult(status=status, out=out, err=err)

    return run


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[[object], Path]:
    """Write data as JSON, or bytes as they are; return the file."""

    def write(content: object) -> Path:
        path = tmp_path / "written.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder everybody can reach, for an account that may not write everywhere, as that of a computer's owner may."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        if os.geteuid() != os.getuid():
            os.seteuid(os.getuid())
