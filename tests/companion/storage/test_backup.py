"""Tests of backup, restore and expiry of old tables, also while people play."""

import sqlite3
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from companion.log.apply import apply_entry
from companion.service.live import LiveUpdates
from companion.storage import backup
from companion.storage.store import Store, TableNotFoundError, VersionConflictError
from companion.system.paths import DATABASE_NAME
from companion.web.app import create_app
from tests.companion.storage.test_store import OPENING, hike
from tests.conftest import disable_fsync
from tests.support.command import has_failed_with
from tests.support.log_builder import build_seated_log, stored_entries
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable, open_seated_table

pytestmark = pytest.mark.slow("copies and damages databases, some while people play")


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    return tmp_path / "instance"


@pytest.fixture
def running_app(instance: Path):
    """Yield an app that has the tables open, like a running server."""
    app = create_app(instance)
    disable_fsync(app.extensions["waymark"].store)
    with closing(app.extensions["waymark"].store.db.conn):
        yield app


@pytest.fixture
def table_of_two(running_app: Flask) -> SeatedTable:
    table = open_seated_table(running_app, "Ana", "Bo")
    table.submit(0, "play", {"move": '{"type": "hike", "steps": 1}'})
    return table


@pytest.fixture
def backup_file(run_waymark, table_of_two: SeatedTable, instance: Path, tmp_path: Path) -> Path:
    result = run_waymark("backup", tmp_path / "evening.zip", "--instance", instance)
    assert (result.status, result.err) == (0, "") and result.out.startswith(f"Saved {tmp_path / 'evening.zip'}. ")
    return tmp_path / "evening.zip"


def exported_log(folder: Path, code: str) -> list:
    store = Store(folder / DATABASE_NAME)
    with closing(store.db.conn):
        return stored_entries(store, code)


def test_backup_of_a_running_server_includes_the_write_ahead_log(
    run_waymark, table_of_two: SeatedTable, backup_file: Path, instance: Path, tmp_path
):
    assert (instance / f"{DATABASE_NAME}-wal").stat().st_size > 0  # so copying only the database file would lose games
    assert (
        run_waymark("restore", backup_file, "--instance", tmp_path / "new").out
        == f"Restored the tables to {tmp_path / 'new'}.\n"
    )
    assert exported_log(tmp_path / "new", table_of_two.code) == exported_log(instance, table_of_two.code)
    assert (tmp_path / "new" / "secret").read_text() == (instance / "secret").read_text()


def test_restored_instance_keeps_the_seats_of_phones(
    table_of_two: SeatedTable, backup_file: Path, tmp_path: Path, run_waymark
):
    run_waymark("restore", backup_file, "--instance", tmp_path / "new")
    new_app = create_app(tmp_path / "new")
    with closing(new_app.extensions["waymark"].store.db.conn):
        cookie = table_of_two.phone(1).http.get_cookie("waymark").value
        phone = new_app.test_client()
        phone.set_cookie("waymark", cookie)
        assert phone.get(f"{table_of_two.path}/seat/1").status_code == 200


def test_backup_and_restored_files_are_private(backup_file: Path, tmp_path: Path, run_waymark):
    run_waymark("restore", backup_file, "--instance", tmp_path / "new")
    for path in (backup_file, *(tmp_path / "new").iterdir()):
        assert path.stat().st_mode & 0o077 == 0


def test_backup_is_consistent_while_others_write(table_of_two: SeatedTable, instance: Path, tmp_path: Path):
    stop = threading.Event()

    def play() -> None:
        store = Store(instance / DATABASE_NAME)
        disable_fsync(store)
        with closing(store.db.conn):
            while not stop.is_set():
                table = store.open_table(*build_seated_log("Ana", "Bo").log)
                store.append(apply_entry(table, hike(table, 0)), hike(table, 0), "tap")

    player = threading.Thread(target=play)
    player.start()
    try:
        for number in range(5):
            backup.backup(instance, tmp_path / f"{number}.zip")
    finally:
        stop.set()
        player.join()
    for number in range(5):
        folder = tmp_path / str(number)
        backup.restore(tmp_path / f"{number}.zip", folder)
        with closing(sqlite3.connect(folder / DATABASE_NAME)) as db:
            logs = db.execute("SELECT table_id, COUNT(*), MAX(number) FROM entries GROUP BY table_id").fetchall()
        assert logs and all(count == last and count in (3, 4) for _, count, last in logs[1:])


def test_existing_file_is_overwritten_only_with_force(run_waymark, backup_file: Path, instance: Path):
    before = backup_file.read_bytes()
    assert has_failed_with(
        run_waymark("backup", backup_file, "--instance", instance), "already exists. To replace it, add --force."
    )
    assert backup_file.read_bytes() == before
    assert run_waymark("backup", backup_file, "--instance", instance, "--force").status == 0


def test_failed_backup_leaves_no_files(run_waymark, backup_file: Path, instance: Path, monkeypatch: pytest.MonkeyPatch):
    before = backup_file.read_bytes()

    def full(self, *arguments, **keywords) -> None:
        raise OSError(28, "No space left on device", str(backup_file))

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    assert has_failed_with(
        run_waymark("backup", backup_file, "--instance", instance, "--force"), "No space left on device"
    )
    assert backup_file.read_bytes() == before and sorted(backup_file.parent.iterdir()) == [backup_file, instance]


def test_backup_that_is_not_possible_is_reported_in_one_line(
    run_waymark, backup_file: Path, instance: Path, tmp_path: Path
):
    assert has_failed_with(run_waymark("backup", tmp_path / "x.zip", "--instance", tmp_path), "has no tables yet")
    assert has_failed_with(run_waymark("backup", instance, "--instance", instance), "is a folder. Give a file name")
    assert has_failed_with(
        run_waymark("backup", tmp_path / "no" / "x.zip", "--instance", instance), "There is no folder"
    )
    (tmp_path / DATABASE_NAME).write_bytes(b"a shopping list" * 500)
    assert has_failed_with(
        run_waymark("backup", tmp_path / "x.zip", "--instance", tmp_path),
        "file is not a database. Save the readable part with waymark export --all.",
    )
    assert not (tmp_path / "x.zip").exists()


def test_restore_with_force_moves_existing_tables_to_a_folder(run_waymark, backup_file: Path, tmp_path: Path):
    new = tmp_path / "new"
    run_waymark("restore", backup_file, "--instance", new)
    assert has_failed_with(
        run_waymark("restore", backup_file, "--instance", new),
        "already has tables. To move them to a subfolder first, add --force",
    )
    store = Store(new / DATABASE_NAME)
    later = store.open_table(OPENING).code
    store.db.conn.close()
    result = run_waymark("restore", backup_file, "--instance", new, "--force")
    (old_folder,) = new.glob("before-*")
    assert result.status == 0 and str(old_folder) in result.out
    assert exported_log(old_folder, later) and (old_folder / "secret").exists()
    with pytest.raises(TableNotFoundError):
        exported_log(new, later)
    assert sorted(path.name for path in new.iterdir() if path != old_folder) == ["owner", "secret", DATABASE_NAME]
    assert (
        run_waymark("restore", backup_file, "--instance", new, "--force").status == 0
    )  # also when it happens twice in one second
    assert len(list(new.glob("before-*"))) == 2


def test_restore_under_a_running_server_is_refused(
    run_waymark, table_of_two: SeatedTable, backup_file: Path, instance: Path
):
    before = exported_log(instance, table_of_two.code)
    result = run_waymark("restore", backup_file, "--instance", instance, "--force")
    assert has_failed_with(result, f"Waymark is running with the tables in {instance}. Stop it first.")
    assert exported_log(instance, table_of_two.code) == before and not list(instance.glob("before-*"))
    assert table_of_two.referee.store.open_table(OPENING).version == 1  # and the server goes on


def test_restore_with_force_replaces_a_damaged_database(run_waymark, backup_file: Path, tmp_path: Path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / DATABASE_NAME).write_bytes(b"\0" * 9000)
    assert run_waymark("restore", backup_file, "--instance", tmp_path / "new", "--force").status == 0


def modify_backup(saved: Path, target: Path, **members: bytes) -> Path:
    """Write a copy of a backup with some members replaced or, if empty, removed."""
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(target, "w") as new:
        content = {name: old.read(name) for name in old.namelist()} | members
        for name, data in content.items():
            if data:
                new.writestr(name, data)
    return target


def newer_backup(saved: Path, folder: Path) -> bytes:
    with zipfile.ZipFile(saved) as archive:
        archive.extract(DATABASE_NAME, folder)
    with closing(sqlite3.connect(folder / DATABASE_NAME)) as db:
        db.execute(
            "UPDATE _sqlite_migrations SET name = 'tomorrow' WHERE id = (SELECT MAX(id) FROM _sqlite_migrations)"
        )
        db.commit()
    return (folder / DATABASE_NAME).read_bytes()


def damaged_backup(saved: Path, folder: Path) -> bytes:
    with zipfile.ZipFile(saved) as archive:
        tables = bytearray(archive.read(DATABASE_NAME))
    tables[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    return bytes(tables)


BAD_BACKUPS = {
    "nothing": (lambda saved, folder: folder / "gone.zip", "No such file or directory"),
    "a text": (lambda saved, folder: write_backup(folder, b"a shopping list"), "not a Waymark backup"),
    "is incomplete": (lambda saved, folder: write_backup(folder, saved.read_bytes()[:-300]), "not a Waymark backup"),
    "changed": (
        lambda saved, folder: write_backup(folder, saved.read_bytes().replace(b"secret", b"SECRET")),
        "not a Waymark backup",
    ),
    "other names": (
        lambda saved, folder: modify_backup(saved, folder / "x", **{"../../x": b"x"}),
        "not a Waymark backup",
    ),
    "without tables": (
        lambda saved, folder: modify_backup(saved, folder / "x", **{DATABASE_NAME: b""}),
        "not a Waymark backup",
    ),
    "no tables": (
        lambda saved, folder: modify_backup(saved, folder / "x", **{DATABASE_NAME: b"x" * 5000}),
        "file is not a database",
    ),
    "damaged": (
        lambda saved, folder: modify_backup(saved, folder / "x", **{DATABASE_NAME: damaged_backup(saved, folder)}),
        "The tables in ",
    ),
    "newer": (
        lambda saved, folder: modify_backup(saved, folder / "x", **{DATABASE_NAME: newer_backup(saved, folder)}),
        "A newer version of Waymark",
    ),
}


def write_backup(folder: Path, content: bytes) -> Path:
    (folder / "x").write_bytes(content)
    return folder / "x"


@parametrize_cases("damage", BAD_BACKUPS, first="damaged")
def test_invalid_backup_is_refused_and_changes_nothing(run_waymark, backup_file: Path, tmp_path: Path, damage: str):
    make, text = BAD_BACKUPS[damage]
    (tmp_path / "made").mkdir()
    assert has_failed_with(
        run_waymark("restore", make(backup_file, tmp_path / "made"), "--instance", tmp_path / "new"), text
    )
    assert not (tmp_path / "new").exists() or not list((tmp_path / "new").iterdir())


def test_backup_with_any_changed_byte_is_refused_or_correct(backup_file: Path, tmp_path: Path):
    content = backup_file.read_bytes()
    for place in range(0, len(content), 7):
        other = bytearray(content)
        other[place] ^= 0x55
        (tmp_path / "x").write_bytes(other)
        folder = tmp_path / f"new-{place}"
        try:
            backup.restore(tmp_path / "x", folder)
        except backup.BackupError:
            assert not folder.exists() or not list(folder.iterdir())


# Old tables.


@pytest.fixture
def old_tables(instance: Path) -> dict[str, str]:
    """Create three tables: two without entries since January, and one that is recent."""
    instance.mkdir()
    store = Store(instance / DATABASE_NAME)
    codes = {name: store.open_table(*build_seated_log("Ana", "Bo").log).code for name in ("first", "second", "last")}
    with store.transaction() as db:
        db.execute("UPDATE entries SET at = '9999-01-01T00:00:00.000+00:00' WHERE table_id = 3")
    store.db.conn.close()
    return codes


def test_inactive_tables_are_deleted_only_with_yes(run_waymark, old_tables: dict[str, str], instance: Path):
    result = run_waymark("expire", "--older-than", 30, "--instance", instance)
    listed = sorted(f"{old_tables[name]}  2 Jan 2026" for name in ("first", "second"))
    assert result.status == 0 and sorted(result.out.splitlines()[:2]) == listed
    assert result.out.endswith("2 inactive tables. To delete, make a backup and repeat with --yes.\n")
    assert exported_log(instance, old_tables["first"])
    assert run_waymark("expire", "--older-than", 30, "--instance", instance, "--yes").out.endswith(
        "Deleted 2 tables.\n"
    )
    assert exported_log(instance, old_tables["last"])
    for name in ("first", "second"):
        with pytest.raises(TableNotFoundError):
            exported_log(instance, old_tables[name])
    result = run_waymark("expire", "--older-than", 30, "--instance", instance)
    assert result.out == "No table has been inactive for 30 days.\n"


@pytest.mark.parametrize(
    ("days", "error"),
    [
        ("0", "0 is not in the range 1 to 99999."),
        ("-3", "-3 is not in the range 1 to 99999."),
        ("1.5", "'1.5' is not a valid whole number."),
        ("many", "'many' is not a valid whole number."),
    ],
)
def test_invalid_number_of_days_is_reported_in_one_line(
    run_waymark, old_tables: dict[str, str], instance: Path, days: str, error: str
):
    assert has_failed_with(run_waymark("expire", "--older-than", days, "--instance", instance, "--yes"), error)


def test_inactive_tables_are_deleted_together_or_not_at_all(old_tables: dict[str, str], instance: Path):
    store = Store(instance / DATABASE_NAME)
    with closing(store.db.conn):
        store.db.execute(
            f"CREATE TRIGGER no BEFORE DELETE ON tables WHEN old.code = '{old_tables['second']}' "
            "BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        with pytest.raises(sqlite3.IntegrityError):
            store.delete_inactive_tables("2027")
        assert stored_entries(store, old_tables["first"]) and stored_entries(store, old_tables["second"])


def test_another_process_finds_a_cached_table_deleted(old_tables: dict[str, str], instance: Path):
    running, other = Store(instance / DATABASE_NAME), Store(instance / DATABASE_NAME)
    with closing(running.db.conn), closing(other.db.conn):
        known = running.table(old_tables["first"])
        LiveUpdates(running, 4)
        other.delete_inactive_tables("2027")
        assert running.latest_version(known.code) == 0
        with pytest.raises(VersionConflictError):  # a simultaneous entry is not written
            running.append(known, hike(known, 0), "tap")
        for _ in range(2):
            with pytest.raises(TableNotFoundError):
                running.table(known.code)
        assert running.table(old_tables["last"]).version == 3


def test_id_of_a_deleted_table_is_not_reused(instance: Path):
    """Another process could take a new table with the same id for the one in its cache."""
    instance.mkdir()
    store, running = Store(instance / DATABASE_NAME), Store(instance / DATABASE_NAME)
    with closing(store.db.conn), closing(running.db.conn):
        first, last = (store.open_table(OPENING).code for _ in range(2))
        known = running.table(last)
        assert store.delete_inactive_tables("9999") == [first]
        new = store.open_table(OPENING)
        assert running.table(last) == known and running.table(new.code) == new
        assert store.delete_inactive_tables("9999") == [last]


def test_links_to_a_deleted_table_show_a_clear_page(table_of_two: SeatedTable):
    store = table_of_two.referee.store
    with store.transaction() as db:
        db.execute("UPDATE entries SET at = '2020'")
    open_seated_table(table_of_two.app, "Cy", "Di")
    assert table_of_two.code in store.delete_inactive_tables("2021")
    for path in (table_of_two.path, f"{table_of_two.path}/seat/0", f"{table_of_two.path}/board"):
        answer = table_of_two.phone(0).get(path)
        assert answer.status_code == 404 and f"There is no table with the code {table_of_two.code}." in answer.text
    assert table_of_two.code not in table_of_two.phone(0).get("/").text
