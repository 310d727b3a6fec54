"""Tests of concurrent and failing writes: nothing fails or counts by half."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.log.apply import apply_entry
from companion.log.entries import Entry, Played, SeatTaken
from companion.service.live import LiveUpdates
from companion.service.referee import Referee
from companion.storage import database
from companion.storage import store as store_module
from companion.storage.database import DamagedDataError, DatabaseBusyError, DiskFullError, StorageError
from companion.storage.store import Store
from tests.support.log_builder import ANA, BO, TIME, LogBuilder

OPENING = LogBuilder("Ana", "Bo").log[0]


@pytest.fixture
def other_process_store(store: Store) -> Iterator[Store]:
    """Yield a second store on the same file, like another process."""
    other = Store(store.path)
    yield other
    other.db.conn.close()


def sit(store: Store, code: str, seat: int = 0, device: str = ANA) -> None:
    table = store.table(code)
    entry = Entry(table.version + 1, TIME, device, seat, SeatTaken())
    store.append(apply_entry(table, entry), entry, f"sit {seat} {table.version}")


def write_between(
    monkeypatch: pytest.MonkeyPatch, store: Store, method: str, action: Callable[[], object]
) -> threading.Thread:
    """Run `action` in another thread during our write, after the first read of `method`."""
    method_itself, thread = getattr(store, method), threading.Thread(target=action)

    def interrupted(*arguments: object) -> object:
        found = method_itself(*arguments)
        if not thread.ident:
            thread.start()
            thread.join(0.2)  # it waits for our lock; where it need not, it has finished by now
        return found

    monkeypatch.setattr(store, method, interrupted)
    return thread


def test_a_table_is_opened_while_somebody_taps_at_another(
    store: Store, other_process_store: Store, monkeypatch: pytest.MonkeyPatch
):
    code = store.open_table(OPENING).code
    tap = write_between(monkeypatch, store, "unused_code", lambda: sit(other_process_store, code))
    opened = store.open_table(OPENING)
    tap.join(20)
    assert store.table(opened.code).version == 1 and store.table(code).seats == (ANA, None)


def test_card_facts_of_a_tap_count_with_the_tap_or_not_at_all(store: Store):
    table, entry = store.open_table(OPENING), Entry(2, TIME, ANA, 0, SeatTaken())
    after = apply_entry(table, entry)

    def also() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(StorageError):
        store.append(after, entry, "tap", also)
    assert store.latest_version(table.code) == 1 and store.table(table.code) == table
    store.append(after, entry, "tap")


def test_simultaneous_taps_and_new_tables_all_count(store: Store):
    """Eight threads write to two tables and open new ones; all of it counts once."""
    referee = Referee(store, LiveUpdates(store, 0))
    codes = [store.open_table(OPENING).code for _ in range(2)]
    errors: list[Exception] = []

    def busy(number: int) -> None:
        try:
            for turn in range(12):
                referee.sit(
                    referee.store.table(codes[number % 2]), f"phone {number}", f"sit {number} {turn}", number % 2
                )
                referee.store.open_table(OPENING)
        except Exception as error:
            errors.append(error)
        finally:
            store.db.conn.close()

    threads = [threading.Thread(target=busy, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert store.db["tables"].count == 2 + 8 * 12


# Errors of the file.


@pytest.fixture
def held_by_other_program(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """Yield the connection of another program that can lock the database."""
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.05)
    store.db.execute("PRAGMA busy_timeout = 50")
    another = sqlite3.connect(store.path, isolation_level=None)
    yield another
    another.close()


def test_database_held_by_another_program_is_read_and_not_written(
    store: Store, held_by_other_program: sqlite3.Connection
):
    code = store.open_table(OPENING).code
    held_by_other_program.execute("BEGIN IMMEDIATE")
    for write in (lambda: sit(store, code), lambda: store.open_table(OPENING)):
        with pytest.raises(DatabaseBusyError, match="was not saved. Try again in a moment"):
            write()
        assert store.table(code).version == 1
    held_by_other_program.execute("ROLLBACK")
    sit(store, code)
    assert store.table(code).seats == (ANA, None)


def test_writers_behind_a_stalled_write_are_refused_immediately(store: Store, monkeypatch: pytest.MonkeyPatch):
    """If they waited, every thread of the server would be blocked and no page would be answered."""
    monkeypatch.setattr(database, "WRITE_TIMEOUT", 0.01)
    code = store.open_table(OPENING).code
    begun, is_over = threading.Event(), threading.Event()

    def slow() -> None:
        with store.transaction():
            begun.set()
            is_over.wait(20)
        store.db.conn.close()

    first = threading.Thread(target=slow)
    first.start()
    begun.wait(20)
    with pytest.raises(DatabaseBusyError):
        sit(store, code)
    with store.table_lock(code):
        waiting = threading.Thread(target=lambda: pytest.raises(DatabaseBusyError, store.table_lock(code).__enter__))
        waiting.start()
        waiting.join(20)
        assert not waiting.is_alive()
    is_over.set()
    first.join(20)
    sit(store, code)


class ForeignLock:
    """A lock that another thread holds."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        assert not blocking, "waits"
        return False


def test_table_lock_behind_a_stalled_write_is_refused_immediately(store: Store, monkeypatch: pytest.MonkeyPatch):
    """Taps at one table would wait one after the other, each for as long as the first."""
    monkeypatch.setattr(store_module, "TABLE_LOCK_COUNT", 1)
    monkeypatch.setattr(store, "_table_locks", (ForeignLock(),))
    monkeypatch.setattr(store, "_write_started", time.monotonic() - 2 * database.WRITE_TIMEOUT)
    with pytest.raises(DatabaseBusyError), store.table_lock("BCDFG"):
        pass


def test_full_disk_is_reported_and_writes_continue_with_new_room(store: Store):
    code = store.open_table(OPENING).code
    full = store.db.execute("PRAGMA page_count").fetchone()[0]
    store.db.execute(f"PRAGMA max_page_count = {full}")
    with pytest.raises(
        DiskFullError, match="that runs Waymark is full. Your last action was not saved. Free some space there"
    ):
        for _ in range(200):
            store.open_table(OPENING)
    row_count = store.db["tables"].count
    assert store.table(code).version == 1
    store.db.execute("PRAGMA max_page_count = 1000000")
    store.open_table(OPENING)
    assert store.db["tables"].count == row_count + 1


def test_read_only_database_is_reported(store: Store):
    store.db.execute("PRAGMA query_only = 1")
    with pytest.raises(
        StorageError, match="The computer that runs Waymark cannot save tables: attempt to write a readonly"
    ):
        store.open_table(OPENING)


def test_input_output_error_without_free_space_is_a_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert type(database._storage_error(store.path, error)) is StorageError
    monkeypatch.setattr(database, "MIN_FREE_BYTES", 1 << 62)
    assert isinstance(database._storage_error(store.path, error), DiskFullError)


def test_damaged_pages_are_reported_and_other_tables_play_on(tmp_path: Path):
    store = Store(tmp_path / "waymark.sqlite3")
    codes = [store.open_table(OPENING).code for _ in range(40)]
    for code in codes:
        for seat in range(2):
            sit(store, code, seat, (ANA, BO)[seat])
    store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.db.conn.close()
    content = bytearray(store.path.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    entries = [
        page
        for page in range(2, len(content) // size)
        if content[page * size : (page + 1) * size].count(b'"Opened"') > 1
    ]
    middle = entries[len(entries) // 2] * size
    content[middle : middle + 100] = b"\xff" * 100
    store.path.write_bytes(content)
    found: dict[str, list[str]] = {"fine": [], "damaged": []}
    reopened = Store(store.path)
    for code in codes:
        try:
            assert reopened.table(code).seats == (ANA, BO)
            found["fine"].append(code)
        except DamagedDataError as error:
            assert "Save the readable part with waymark export" in str(error)
            found["damaged"].append(code)
    assert found["fine"] and found["damaged"]
    sit_again = reopened.table(found["fine"][0])
    hike = Entry(4, TIME, ANA, 0, Played({"type": "hike", "steps": 2}))
    reopened.append(apply_entry(sit_again, hike), hike, "hike")
    reopened.db.conn.close()


def test_text_that_is_not_utf_8_is_damage(store: Store):
    code = store.open_table(OPENING).code
    with store.db.conn:
        store.db.execute("UPDATE entries SET what = CAST(x'ff00fe' AS TEXT)")
    store.cache.clear()
    with pytest.raises(DamagedDataError):
        store.table(code)


def test_unreadable_list_of_tables_is_damage(store: Store, monkeypatch: pytest.MonkeyPatch):
    def torn(*_: object) -> None:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    store.table(store.open_table(OPENING).code)
    monkeypatch.setattr(store.db, "execute", torn)
    for ask in (store.table, store.latest_version, lambda code: store.has_tap(code, "tap")):
        with pytest.raises(DamagedDataError):
            ask("BCDFG")
