"""Tests of the files of an instance: private, consistent, and never recreated by mistake."""

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import serve
from companion.cli.main import main
from companion.storage import database
from companion.storage.database import DiskFullError, UnreadableDatabaseError
from companion.storage.migrations import migrations
from companion.storage.store import Store
from companion.system.paths import DATABASE_NAME, KEY_NAMES
from companion.web import server
from companion.web.app import create_app
from tests.companion.storage.test_store import OPENING
from tests.support.command import send_line, start_processes
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table

HIKE = {"move": '{"type":"hike","steps":2}'}


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    """Return the folder of an instance with tables and keys that no process uses."""
    folder = tmp_path / "instance"
    app = create_app(folder)
    for names in (("Ana", "Bo"), ("Cy", "Di")):
        open_seated_table(app, *names)
    app.extensions["waymark"].store.close()
    return folder


def file_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def unmerged_files(folder: Path) -> list[str]:
    """Return the write-ahead logs with content that is not in the database file yet."""
    return [path.name for path in folder.glob(f"{DATABASE_NAME}-wal") if path.stat().st_size]


def table_codes(folder: Path) -> list[str]:
    with closing(Store(folder / DATABASE_NAME)) as store:
        return store.codes()


# One file.


def test_store_closed_after_many_threads_leaves_one_file(tmp_path: Path):
    store = Store(tmp_path / DATABASE_NAME)
    opened = []
    threads = [threading.Thread(target=lambda: opened.append(store.open_table(OPENING).code)) for _ in range(4)]
    waiting, is_done = threading.Event(), threading.Event()

    def keep_open() -> None:
        store.codes()
        waiting.set()
        is_done.wait(20)

    threads.append(threading.Thread(target=keep_open))
    for thread in threads:
        thread.start()
    for thread in threads[:-1]:
        thread.join(20)
    waiting.wait(20)
    store.close()
    assert file_names(tmp_path) == [DATABASE_NAME]
    assert sorted(table_codes(tmp_path)) == sorted(opened)
    is_done.set()


def test_every_command_leaves_the_tables_in_one_file(instance: Path, tmp_path: Path, run_waymark):
    code, _ = table_codes(instance)
    log = tmp_path / "log.json"
    log.write_text(run_waymark("export", code, "--instance", instance).out)
    runs = [
        ("history",),
        ("history", "--json"),
        ("backup", tmp_path / "evening.zip"),
        ("export", "--all", tmp_path / "saved"),
        ("expire", "--older-than", "365", "--yes"),
        ("decide", code),
        ("import", log),
    ]
    found = {run: (run_waymark(*run, "--instance", instance).status, unmerged_files(instance)) for run in runs}
    assert found == dict.fromkeys(runs, (0, []))
    run_waymark("restore", tmp_path / "evening.zip", "--instance", tmp_path / "new")
    run_waymark("import", log, "--instance", tmp_path / "newer")
    assert [file_names(tmp_path / folder) for folder in ("new", "newer")] == [
        sorted([DATABASE_NAME, *KEY_NAMES]),
        ["owner", DATABASE_NAME],
    ]


# Emptied, lost, damaged.

COMMANDS = [
    ("serve", "--port", "0", "--host", "127.0.0.1"),
    ("history",),
    ("backup", "evening.zip"),
    ("export", "BCDFG"),
    ("export", "--all", "saved"),
    ("expire", "--older-than", "1"),
    ("decide", "BCDFG"),
]


@pytest.mark.slow("several starts")
@pytest.mark.parametrize("keys", [KEY_NAMES, ()], ids=["with keys", "without keys"])
def test_empty_database_is_refused_by_every_command(
    instance: Path, keys: tuple, tmp_path: Path, monkeypatch, run_waymark
):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log.json"
    log.write_text(run_waymark("export", table_codes(instance)[0], "--instance", instance).out)
    for name in KEY_NAMES:
        if name not in keys:
            (instance / name).unlink()
    (instance / DATABASE_NAME).write_bytes(b"")
    before = file_names(instance)
    for command in (*COMMANDS, ("import", log)):
        result = run_waymark(*command, "--instance", instance)
        assert (result.status, result.out) == (2, ""), command
        assert f"{DATABASE_NAME} is empty" in result.err and "delete the file to start over" in result.err, command
        assert ("although its keys exist" in result.err) is bool(keys), command
        assert file_names(instance) == before and not (instance / DATABASE_NAME).stat().st_size, command


def test_missing_database_with_its_log_is_refused(instance: Path, run_waymark):
    log = instance / f"{DATABASE_NAME}-wal"
    (instance / DATABASE_NAME).rename(log)
    result = run_waymark("serve", "--port", "0", "--instance", instance)
    assert result.status == 2 and f"{DATABASE_NAME} is missing, but {log.name} exists" in result.err
    assert log.exists() and not (instance / DATABASE_NAME).exists()


@pytest.fixture
def damaged_instance(instance: Path) -> Path:
    """Return an instance with 8 KB of zeros in the middle of its database."""
    with open(instance / DATABASE_NAME, "r+b") as file:
        file.seek((instance / DATABASE_NAME).stat().st_size // 2 // 4096 * 4096)
        file.write(bytes(8192))
    return instance


def test_damage_in_the_middle_of_the_file_is_reported_at_the_start(damaged_instance: Path, monkeypatch, run_waymark):
    def until_it_is_found(app, listening) -> None:
        deadline = time.monotonic() + 60
        while not app.extensions["waymark"].store.damage and time.monotonic() < deadline:
            threading.Event().wait(0.01)

    monkeypatch.setattr(serve, "_run_server", until_it_is_found)
    result = run_waymark("serve", "--port", "0", "--host", "127.0.0.1", "--instance", damaged_instance)
    assert (
        "The database is damaged. Restore a backup, or save the readable part with waymark export --all. ("
        in result.out
    )


def test_damage_is_reported_on_the_health_page_and_to_the_owner(damaged_instance: Path):
    app = create_app(damaged_instance)
    referee = app.extensions["waymark"]
    phone, stranger = Phone(app), Phone(app)
    phone.post("/owner", {"key": referee.card_facts.owners.key})
    assert phone.get("/healthz").status_code == 200 and "damaged" not in phone.open("/owner").text
    assert referee.store.find_damage() == referee.store.damage != ""
    health = phone.get("/healthz")
    assert (health.status_code, health.text) == (503, f"{database.DAMAGED_TEXT}\n")
    assert (
        database.DAMAGED_TEXT in phone.open("/owner").text and database.DAMAGED_TEXT not in stranger.open("/owner").text
    )
    referee.store.close()


def test_sound_database_has_no_damage(store: Store):
    store.open_table(OPENING)
    assert store.find_damage() == store.damage == ""


# Private files.


def readable_by_others(folder: Path) -> list[str]:
    """Return the files under a folder that other accounts have any right to."""
    return sorted(str(path) for path in folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o077)


@pytest.mark.slow("several starts")
@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_files_of_an_instance_are_private_with_any_umask(tmp_path: Path, umask: int, run_waymark, monkeypatch):
    monkeypatch.setattr(server.logging, "raiseExceptions", True)
    before = os.umask(umask)
    try:
        folder = tmp_path / "instance"
        app = create_app(folder)
        code = open_seated_table(app, "Ana", "Bo").code
        log = server.PrivateLogHandler(folder / "waymark.log", maxBytes=1, backupCount=2, delay=True)
        for _ in range(4):
            log.emit(server.logging.makeLogRecord({"msg": "refused"}))
        log.close()
        (tmp_path / "saved").mkdir()
        (tmp_path / "saved" / f"{code}.json").touch()
        runs = [("backup", tmp_path / "evening.zip"), ("export", "--all", tmp_path / "saved")]
        assert [run_waymark(*run, "--instance", folder).status for run in runs] == [0, 0]
        assert f"{DATABASE_NAME}-wal" in file_names(folder) and "waymark.log.2" in file_names(folder)
        assert readable_by_others(tmp_path) == []
        app.extensions["waymark"].store.close()
    finally:
        os.umask(before)


def test_old_files_become_private_at_the_start(instance: Path):
    for name in ("waymark.log", "waymark.log.1"):
        (instance / name).touch()
    for path in instance.iterdir():
        path.chmod(0o644)
    store = create_app(instance).extensions["waymark"].store
    server.configure_logging(instance / "waymark.log")
    store.open_table(OPENING)
    assert readable_by_others(instance) == []
    store.close()


# Simultaneous starts.


def test_new_folder_with_two_starts_has_one_database(tmp_path: Path, monkeypatch):
    link, opened = os.link, []

    def link_after_other_process(new_file: object, path: Path) -> None:
        monkeypatch.setattr(database.os, "link", link)
        with closing(Store(path)) as other_store:
            opened.append(other_store.open_table(OPENING).code)
        link(new_file, path)

    monkeypatch.setattr(database.os, "link", link_after_other_process)
    assert table_codes(tmp_path) == opened != []
    assert file_names(tmp_path) == [DATABASE_NAME]


def test_new_folder_on_a_memory_card_has_a_database(tmp_path: Path, monkeypatch):
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(database.os, "link", refuse)
    with closing(Store(tmp_path / DATABASE_NAME)) as store:
        store.open_table(OPENING)
    assert (
        len(table_codes(tmp_path)) == 1
        and file_names(tmp_path) == [DATABASE_NAME]
        and readable_by_others(tmp_path) == []
    )


def make_old_file(path: Path) -> None:
    """Create a database with an earlier schema."""
    with closing(database.sqlite_utils.Database(path)) as db:
        migrations.apply(db, stop_before="judge")


@pytest.mark.parametrize("migration_number", [1, 2, 3])
def test_upgrade_by_two_starts_is_done_once(tmp_path: Path, monkeypatch, migration_number: int):
    """Another process upgrades right after this one has looked for pending migrations."""
    make_old_file(tmp_path / DATABASE_NAME)
    pending, calls = database.migrations.pending, []

    def outdated(db: database.sqlite_utils.Database) -> list:
        found = pending(db)
        calls.append(db)
        if len(calls) == migration_number and not db.conn.in_transaction:
            Store(tmp_path / DATABASE_NAME).close()
        return found

    monkeypatch.setattr(database.migrations, "pending", outdated)
    with closing(Store(tmp_path / DATABASE_NAME)) as store:
        store.open_table(OPENING)
        assert pending(store.db) == []


def test_start_waits_while_another_process_holds_the_file(tmp_path: Path, monkeypatch):
    make_old_file(tmp_path / DATABASE_NAME)
    with closing(sqlite3.connect(tmp_path / DATABASE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        waited = []

        def release(_: float) -> None:
            if not waited:
                other.execute("ROLLBACK")
            waited.append(True)

        monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.01)
        monkeypatch.setattr(database.time, "monotonic", lambda: 0.0)
        monkeypatch.setattr(database.time, "sleep", release)
        with closing(Store(tmp_path / DATABASE_NAME)) as store:
            store.open_table(OPENING)
    assert waited


TOGETHER = """
import sys
from pathlib import Path
from companion.storage.store import Store
print("ready", flush=True)
for line in sys.stdin:
    Store(Path(line.strip())).close()
    print("open", flush=True)
"""


@pytest.mark.slow("separate processes")
@parametrize_cases("before", [make_old_file, lambda path: None], ids=["old schema", "new folder"])
def test_processes_that_start_simultaneously_all_open_the_tables(tmp_path: Path, before):
    with start_processes(3, TOGETHER) as processes:
        for number in range(8):
            folder = tmp_path / str(number)
            folder.mkdir()
            before(folder / DATABASE_NAME)
            send_line(processes, str(folder / DATABASE_NAME))
            assert [item.stdout.readline() for item in processes] == ["open\n"] * 3
            assert unmerged_files(folder) == []
            # Where two processes close at the same moment, SQLite lets neither remove these.
            extra_files = set(file_names(folder)) - {DATABASE_NAME}
            assert extra_files <= {f"{DATABASE_NAME}-wal", f"{DATABASE_NAME}-shm"}


# A full disk.


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch):
    """Simulate a disk with no room left."""
    monkeypatch.setattr(database.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))


def test_start_with_a_full_disk_reads_and_says_so(instance: Path, full_disk, monkeypatch, run_waymark):
    monkeypatch.setattr(serve, "_run_server", lambda app, listening: None)
    result = run_waymark("serve", "--port", "0", "--host", "127.0.0.1", "--instance", instance)
    assert result.status == 0
    assert "The disk is full. Players can look at tables, but moves are not saved. Free some space.\n" in result.out
    assert run_waymark("history", "--instance", instance).status == 0


def test_full_disk_shows_tables_and_takes_taps_once_there_is_room(table_of_two: SeatedTable, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(database.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        table_of_two.app.logger.disabled = True
        page = table_of_two.phone(0).open(f"{table_of_two.path}/seat/0")
        assert "The disk of the computer that runs Waymark is full." in page.text
        refused = table_of_two.submit(0, "play", HIKE)
        assert refused.status_code == 507 and "that runs Waymark is full" in refused.text
        table_of_two.app.logger.disabled = False
    assert table_of_two.table.version == 3
    assert "is full" not in table_of_two.phone(0).open(f"{table_of_two.path}/seat/0").text
    assert table_of_two.submit(0, "play", HIKE).status_code == 303 and table_of_two.table.version == 4


class FullDiskConnection(sqlite3.Connection):
    """A connection for which SQLite finds no room for its auxiliary files."""

    def execute(self, sql: str, *parameters: object) -> sqlite3.Cursor:
        if "journal_mode" in sql:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return super().execute(sql, *parameters)


def test_disk_without_any_room_is_read_and_written_again_later(instance: Path, monkeypatch):
    connect = sqlite3.connect

    def connected(path: object, **options: object) -> sqlite3.Connection:
        return connect(path, **options, **({} if options.get("uri") else {"factory": FullDiskConnection}))

    with monkeypatch.context() as patch:
        patch.setattr(database.sqlite3, "connect", connected)
        patch.setattr(database.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        store = Store(instance / DATABASE_NAME)
        code, _ = store.codes()
        assert store.table(code).version == 3
        with pytest.raises(DiskFullError):
            store.open_table(OPENING)
    store.open_table(OPENING)
    assert len(store.codes()) == 3
    store.close()
    assert file_names(instance) == sorted([*KEY_NAMES, DATABASE_NAME])


def test_copy_of_the_one_file_is_the_whole_instance(instance: Path, tmp_path: Path):
    (tmp_path / "copy").mkdir()
    shutil.copy(instance / DATABASE_NAME, tmp_path / "copy")
    assert table_codes(tmp_path / "copy") == table_codes(instance) != []
    with pytest.raises(UnreadableDatabaseError):
        (tmp_path / "copy" / DATABASE_NAME).write_bytes(b"")
        table_codes(tmp_path / "copy")


def test_command_stopped_by_an_error_closes_the_tables(instance: Path):
    assert main(["decide", "BBBBB", "--instance", str(instance)]) == 2
    assert file_names(instance) == sorted([*KEY_NAMES, DATABASE_NAME])
