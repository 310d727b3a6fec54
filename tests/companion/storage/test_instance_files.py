"""The files of an instance: all tables in one file, for one account, whole, and never started over by mistake."""

import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import main as commands
from companion.cli.main import main
from companion.storage import store as storing
from companion.storage.migrations import migrations
from companion.storage.store import Full, Store, Unreadable
from companion.system.paths import KEYS, TABLES
from companion.web import server
from companion.web.app import create_app
from tests.companion.storage.test_store import OPENING
from tests.support.cases import cases
from tests.support.command import processes_that_wait, send_line
from tests.support.phones import Phone, Seated, seated

HIKE = {"move": '{"type":"hike","steps":2}'}


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    """The folder of an instance with tables and keys, which no process uses."""
    folder = tmp_path / "instance"
    app = create_app(folder)
    for names in (("Ana", "Bo"), ("Cy", "Di")):
        seated(app, *names)
    app.extensions["waymark"].store.close()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def unwritten(folder: Path) -> list[str]:
    """Return the files with content that is not in the one file yet."""
    return [path.name for path in folder.glob(f"{TABLES}-wal") if path.stat().st_size]


def codes(folder: Path) -> list[str]:
    with closing(Store(folder / TABLES)) as store:
        return store.codes()


# One file.


def test_store_closed_after_many_threads_leaves_one_file(tmp_path: Path):
    store = Store(tmp_path / TABLES)
    opened = []
    threads = [threading.Thread(target=lambda: opened.append(store.open(OPENING).code)) for _ in range(4)]
    waiting, done = threading.Event(), threading.Event()

    def keep_open() -> None:
        store.codes()
        waiting.set()
        done.wait(20)

    threads.append(threading.Thread(target=keep_open))
    for thread in threads:
        thread.start()
    for thread in threads[:-1]:
        thread.join(20)
    waiting.wait(20)
    store.close()
    assert names(tmp_path) == [TABLES]
    assert sorted(codes(tmp_path)) == sorted(opened)
    done.set()


def test_every_command_leaves_the_tables_in_one_file(instance: Path, tmp_path: Path, waymark):
    code, _ = codes(instance)
    log = tmp_path / "log.json"
    log.write_text(waymark("export", code, "--instance", instance).out)
    runs = [
        ("history",),
        ("history", "--json"),
        ("backup", tmp_path / "evening.zip"),
        ("export", "--all", tmp_path / "saved"),
        ("expire", "--older-than", "365", "--yes"),
        ("decide", code),
        ("import", log),
    ]
    found = {run: (waymark(*run, "--instance", instance).status, unwritten(instance)) for run in runs}
    assert found == dict.fromkeys(runs, (0, []))
    waymark("restore", tmp_path / "evening.zip", "--instance", tmp_path / "new")
    waymark("import", log, "--instance", tmp_path / "newer")
    assert [names(tmp_path / folder) for folder in ("new", "newer")] == [sorted([TABLES, *KEYS]), ["owner", TABLES]]


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
@pytest.mark.parametrize("keys", [KEYS, ()], ids=["with keys", "without keys"])
def test_empty_database_is_refused_by_every_command(instance: Path, keys: tuple, tmp_path: Path, monkeypatch, waymark):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "log.json"
    log.write_text(waymark("export", codes(instance)[0], "--instance", instance).out)
    for name in KEYS:
        if name not in keys:
            (instance / name).unlink()
    (instance / TABLES).write_bytes(b"")
    before = names(instance)
    for command in (*COMMANDS, ("import", log)):
        said = waymark(*command, "--instance", instance)
        assert (said.status, said.out) == (2, ""), command
        assert f"{TABLES} is empty" in said.err and "delete the file to start over" in said.err, command
        assert ("although keys are beside it" in said.err) is bool(keys), command
        assert names(instance) == before and not (instance / TABLES).stat().st_size, command


def test_missing_database_with_its_log_beside_it_is_refused(instance: Path, waymark):
    log = instance / f"{TABLES}-wal"
    (instance / TABLES).rename(log)
    said = waymark("serve", "--port", "0", "--instance", instance)
    assert said.status == 2 and f"{TABLES} is missing, although {log.name} is there" in said.err
    assert log.exists() and not (instance / TABLES).exists()


@pytest.fixture
def damaged(instance: Path) -> Path:
    """An instance with 8 KB of zeros in the middle of its file."""
    with open(instance / TABLES, "r+b") as file:
        file.seek((instance / TABLES).stat().st_size // 2 // 4096 * 4096)
        file.write(bytes(8192))
    return instance


def test_damage_in_the_middle_of_the_file_is_told_at_the_start(damaged: Path, monkeypatch, waymark):
    def until_it_is_found(app, listening) -> None:
        until = time.monotonic() + 60
        while not app.extensions["waymark"].store.damage and time.monotonic() < until:
            threading.Event().wait(0.01)

    monkeypatch.setattr(commands, "_run", until_it_is_found)
    said = waymark("serve", "--port", "0", "--host", "127.0.0.1", "--instance", damaged)
    assert (
        "The database is damaged. Restore a backup, or save what can be read with waymark export --all. (" in said.out
    )


def test_damage_is_told_on_the_health_page_and_to_the_owner(damaged: Path):
    app = create_app(damaged)
    referee = app.extensions["waymark"]
    phone, stranger = Phone(app), Phone(app)
    phone.post("/owner", {"key": referee.boxes.owners.key})
    assert phone.get("/healthz").status_code == 200 and "damaged" not in phone.open("/owner").text
    assert referee.store.find_damage() == referee.store.damage != ""
    health = phone.get("/healthz")
    assert (health.status_code, health.text) == (503, f"{storing.DAMAGED}\n")
    assert storing.DAMAGED in phone.open("/owner").text and storing.DAMAGED not in stranger.open("/owner").text
    referee.store.close()


def test_sound_database_has_no_damage(store: Store):
    store.open(OPENING)
    assert store.find_damage() == store.damage == ""


# For this account alone.


def shared(folder: Path) -> list[str]:
    """Return the files under a folder that other accounts have any right to."""
    return sorted(str(path) for path in folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o077)


@pytest.mark.slow("several starts")
@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_files_of_an_instance_are_private_whatever_the_umask(tmp_path: Path, umask: int, waymark, monkeypatch):
    monkeypatch.setattr(server.logging, "raiseExceptions", True)
    before = os.umask(umask)
    try:
        folder = tmp_path / "instance"
        app = create_app(folder)
        code = seated(app, "Ana", "Bo").code
        log = server.PrivateLog(folder / "waymark.log", maxBytes=1, backupCount=2, delay=True)
        for _ in range(4):
            log.emit(server.logging.makeLogRecord({"msg": "refused"}))
        log.close()
        (tmp_path / "saved").mkdir()
        (tmp_path / "saved" / f"{code}.json").touch()
        runs = [("backup", tmp_path / "evening.zip"), ("export", "--all", tmp_path / "saved")]
        assert [waymark(*run, "--instance", folder).status for run in runs] == [0, 0]
        assert f"{TABLES}-wal" in names(folder) and "waymark.log.2" in names(folder)
        assert shared(tmp_path) == []
        app.extensions["waymark"].store.close()
    finally:
        os.umask(before)


def test_old_files_become_private_at_the_start(instance: Path):
    for name in ("waymark.log", "waymark.log.1"):
        (instance / name).touch()
    for path in instance.iterdir():
        path.chmod(0o644)
    store = create_app(instance).extensions["waymark"].store
    server.keep_log(instance / "waymark.log")
    store.open(OPENING)
    assert shared(instance) == []
    store.close()


# Started together.


def test_new_folder_with_two_starts_has_one_database(tmp_path: Path, monkeypatch):
    link, opened = os.link, []

    def beaten(made: object, path: Path) -> None:
        monkeypatch.setattr(storing.os, "link", link)
        with closing(Store(path)) as quicker:
            opened.append(quicker.open(OPENING).code)
        link(made, path)

    monkeypatch.setattr(storing.os, "link", beaten)
    assert codes(tmp_path) == opened != []
    assert names(tmp_path) == [TABLES]


def test_new_folder_on_a_memory_card_has_a_database(tmp_path: Path, monkeypatch):
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(storing.os, "link", refuse)
    with closing(Store(tmp_path / TABLES)) as store:
        store.open(OPENING)
    assert len(codes(tmp_path)) == 1 and names(tmp_path) == [TABLES] and shared(tmp_path) == []


def old(path: Path) -> None:
    """Make a file of tables as an earlier version left it."""
    with closing(storing.sqlite_utils.Database(path)) as db:
        migrations.apply(db, stop_before="judge")


@pytest.mark.parametrize("look", [1, 2, 3])
def test_upgrade_by_two_starts_is_done_once(tmp_path: Path, monkeypatch, look: int):
    """Another process upgrades right after this one has looked for what is to be done."""
    old(tmp_path / TABLES)
    whole, looks = storing.migrations.pending, []

    def outdated(db: storing.sqlite_utils.Database) -> list:
        found = whole(db)
        looks.append(db)
        if len(looks) == look and not db.conn.in_transaction:
            Store(tmp_path / TABLES).close()
        return found

    monkeypatch.setattr(storing.migrations, "pending", outdated)
    with closing(Store(tmp_path / TABLES)) as store:
        store.open(OPENING)
        assert whole(store.db) == []


def test_start_waits_while_another_process_holds_the_file(tmp_path: Path, monkeypatch):
    old(tmp_path / TABLES)
    with closing(sqlite3.connect(tmp_path / TABLES, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        waited = []

        def release(_: float) -> None:
            if not waited:
                other.execute("ROLLBACK")
            waited.append(True)

        monkeypatch.setattr(storing, "PATIENCE", 0.01)
        monkeypatch.setattr(storing.time, "monotonic", lambda: 0.0)
        monkeypatch.setattr(storing.time, "sleep", release)
        with closing(Store(tmp_path / TABLES)) as store:
            store.open(OPENING)
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


@pytest.mark.slow("processes of their own")
@cases("before", [old, lambda path: None], ids=["old schema", "new folder"])
def test_processes_that_start_at_once_all_open_the_tables(tmp_path: Path, before):
    with processes_that_wait(3, TOGETHER) as processes:
        for number in range(8):
            folder = tmp_path / str(number)
            folder.mkdir()
            before(folder / TABLES)
            send_line(processes, str(folder / TABLES))
            assert [each.stdout.readline() for each in processes] == ["open\n"] * 3
            assert unwritten(folder) == []
            beside = set(names(folder)) - {
                TABLES
            }  # of two that close at the same moment, SQLite lets neither remove these
            assert beside <= {f"{TABLES}-wal", f"{TABLES}-shm"}


# A full disk.


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch):
    """A disk with no room left."""
    monkeypatch.setattr(storing.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))


def test_start_with_a_full_disk_reads_and_says_so(instance: Path, full, monkeypatch, waymark):
    monkeypatch.setattr(commands, "_run", lambda app, listening: None)
    said = waymark("serve", "--port", "0", "--host", "127.0.0.1", "--instance", instance)
    assert said.status == 0
    assert "The disk is full: tables can be read, but nothing can be entered until there is room.\n" in said.out
    assert waymark("history", "--instance", instance).status == 0


def test_full_disk_shows_tables_and_takes_taps_once_there_is_room(two: Seated, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(storing.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        two.app.logger.disabled = True
        page = two.phone(0).open(f"{two.path}/seat/0")
        assert "The disk of this Waymark is full." in page.text
        refused = two.tap(0, "play", HIKE)
        assert refused.status_code == 507 and "no room left" in refused.text
        two.app.logger.disabled = False
    assert two.table.number == 3
    assert "is full" not in two.phone(0).open(f"{two.path}/seat/0").text
    assert two.tap(0, "play", HIKE).status_code == 303 and two.table.number == 4


class NoRoomBeside(sqlite3.Connection):
    """A connection for which SQLite finds no room to make the files it needs beside the database."""

    def execute(self, sql: str, *given: object) -> sqlite3.Cursor:
        if "journal_mode" in sql:
            fault = sqlite3.OperationalError("disk I/O error")
            fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise fault
        return super().execute(sql, *given)


def test_disk_without_any_room_is_read_and_written_again_later(instance: Path, monkeypatch):
    connect = sqlite3.connect

    def connected(path: object, **how: object) -> sqlite3.Connection:
        return connect(path, **how, **({} if how.get("uri") else {"factory": NoRoomBeside}))

    with monkeypatch.context() as patch:
        patch.setattr(storing.sqlite3, "connect", connected)
        patch.setattr(storing.shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        store = Store(instance / TABLES)
        code, _ = store.codes()
        assert store.table(code).number == 3
        with pytest.raises(Full):
            store.open(OPENING)
    store.open(OPENING)
    assert len(store.codes()) == 3
    store.close()
    assert names(instance) == sorted([*KEYS, TABLES])


def test_copy_of_the_one_file_is_the_whole_instance(instance: Path, tmp_path: Path):
    (tmp_path / "copy").mkdir()
    shutil.copy(instance / TABLES, tmp_path / "copy")
    assert codes(tmp_path / "copy") == codes(instance) != []
    with pytest.raises(Unreadable):
        (tmp_path / "copy" / TABLES).write_bytes(b"")
        codes(tmp_path / "copy")


def test_command_stopped_by_a_fault_closes_the_tables(instance: Path):
    assert main(["decide", "BBBBB", "--instance", str(instance)]) == 2
    assert names(instance) == sorted([*KEYS, TABLES])
