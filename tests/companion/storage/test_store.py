"""Tests of the store: logs that are appended to once, shared by processes and crash-safe."""

import sqlite3
import threading

import pytest
import sqlite_utils
from msgspec import json

from companion.log.apply import CorruptLogError, apply_entry
from companion.log.entries import Entry, Opened, Payload, Played, SeatTaken
from companion.log.table import Table
from companion.storage import store as store_module
from companion.storage.database import StorageError
from companion.storage.store import (
    ALPHABET,
    CODE_LENGTH,
    DuplicateTapError,
    Store,
    TableNotFoundError,
    VersionConflictError,
)
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError
from tests.support.log_builder import ANA, BO, TIME, LogBuilder, build_seated_log, stored_entries

OPENING = LogBuilder("Ana", "Bo").log[0]


def hike(table: Table, seat: int, steps: int = 2, device: str = ANA) -> Entry:
    return Entry(table.version + 1, TIME, device, seat, Played({"type": "hike", "steps": steps}))


def sit(table: Table, seat: int, device: str) -> Entry:
    return Entry(table.version + 1, TIME, device, seat, SeatTaken())


def stored_rows(store: Store) -> list[tuple]:
    return store.db.execute("SELECT number, tap, device, seat FROM entries ORDER BY number").fetchall()


def append(store: Store, table: Table, entry: Entry, tap: str) -> None:
    """Write an entry after the last one that a table has."""
    store.append(apply_entry(table, entry), entry, tap)


def test_opened_table_is_stored_under_a_code_of_five_letters(store: Store):
    table = store.open_table(OPENING)
    assert len(table.code) == CODE_LENGTH and set(table.code) <= set(ALPHABET)
    assert store.table(table.code) == table
    ((number, created_at, device, seat, payload),) = stored_entries(store, table.code)
    assert (number, created_at, device, seat) == (1, TIME, OPENING.device, None)
    assert json.decode(payload, type=Payload) == OPENING.payload


def test_alphabet_has_no_vowels_and_no_ambiguous_characters():
    assert not set(ALPHABET) & set("AEIOUY0123456789") and len(set(ALPHABET)) == len(ALPHABET) == 20


def test_code_in_use_is_not_given_again(store: Store, monkeypatch: pytest.MonkeyPatch):
    letters = iter("BBBBBBBBBBBBBBC")
    monkeypatch.setattr(store_module.secrets, "choice", lambda alphabet: next(letters))
    assert [store.open_table(OPENING).code for _ in range(2)] == ["BBBBB", "BBBBC"]
    assert len(stored_rows(store)) == 2


def test_appended_entries_are_read_in_order(store: Store):
    code = store.open_table(OPENING).code
    for number, entry in enumerate(build_seated_log("Ana", "Bo").log[1:]):
        append(store, store.table(code), entry, f"tap {number}")
    table = store.table(code)
    append(store, table, hike(table, 0), "tap 9")
    assert [number for number, *_ in stored_entries(store, code)] == [1, 2, 3, 4]
    assert store.table(code).state.players[0].space == 2 and store.latest_version(code) == 4
    assert [row[1:] for row in stored_rows(store)[1:]] == [("tap 0", ANA, 0), ("tap 1", BO, 1), ("tap 9", ANA, 0)]


def test_two_entries_cannot_have_the_same_number(store: Store):
    table = store.open_table(OPENING)
    append(store, table, sit(table, 0, ANA), "ana")
    with pytest.raises(VersionConflictError):
        append(store, table, sit(table, 1, BO), "bo")
    assert store.table(table.code).seats == (ANA, None)


def test_tap_is_written_only_once(store: Store):
    table = store.open_table(OPENING)
    append(store, table, sit(table, 0, ANA), "tap")
    later = store.table(table.code)
    assert store.has_tap(later.code, "tap") and not store.has_tap(later.code, "another")
    with pytest.raises(DuplicateTapError):
        append(store, later, sit(later, 1, BO), "tap")
    assert store.latest_version(table.code) == 2


def test_same_tap_may_be_used_at_another_table(store: Store):
    tables = [store.open_table(OPENING) for _ in range(2)]
    for table in tables:
        append(store, table, sit(table, 0, ANA), "tap")
    assert [store.latest_version(table.code) for table in tables] == [2, 2]


@pytest.mark.parametrize(("setting", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
def test_database_settings_make_every_commit_durable(store: Store, setting: str, value: object):
    assert store.db.execute(f"PRAGMA {setting}").fetchone()[0] == value


def test_every_thread_has_a_separate_connection_to_the_same_tables(store: Store):
    code = store.open_table(OPENING).code
    entries = []

    def use_connection() -> None:
        entries.append(
            (store.db is not None, store.table(code).version, store.db.execute("PRAGMA synchronous").fetchone()[0])
        )
        entries.append(store.db)
        store.db.conn.close()

    thread = threading.Thread(target=use_connection)
    thread.start()
    thread.join()
    assert entries[0] == (True, 1, 2) and entries[1] is not store.db


@pytest.fixture
def other_process_store(store: Store):
    """Yield a second store on the same file, like another process."""
    other = Store(store.path)
    yield other
    other.db.conn.close()


def test_two_processes_see_each_others_entries(store: Store, other_process_store: Store):
    code = store.open_table(OPENING).code
    first = other_process_store.table(code)
    other_process_store.append(first, sit(first, 0, ANA), "one")
    table = store.table(code)
    append(store, table, sit(table, 1, BO), "two")
    assert store.table(code).seats == other_process_store.table(code).seats == (ANA, BO)
    assert store.table(code) == other_process_store.table(code)


def test_two_processes_cannot_write_the_same_number_or_tap(store: Store, other_process_store: Store):
    table = store.open_table(OPENING)
    stale = other_process_store.table(table.code)
    append(store, table, sit(table, 0, ANA), "tap")
    with pytest.raises(VersionConflictError):
        other_process_store.append(stale, sit(stale, 1, BO), "another")
    fresh = other_process_store.table(table.code)
    with pytest.raises(DuplicateTapError):
        other_process_store.append(fresh, sit(fresh, 1, BO), "tap")
    assert store.table(table.code).seats == (ANA, None)


def test_data_version_changes_when_another_process_commits(store: Store, other_process_store: Store):
    before = store.data_version()
    assert store.data_version() == before
    other_process_store.open_table(OPENING)
    assert store.data_version() != before


def test_reopened_file_loads_the_same_table(store: Store):
    """Only the log is stored, so a new process rebuilds the table from it."""
    code = store.open_table(OPENING).code
    for number, entry in enumerate(build_seated_log("Ana", "Bo").log[1:]):
        append(store, store.table(code), entry, f"sit {number}")
    for seat in (0, 1):
        table = store.table(code)
        append(store, table, hike(table, seat, device=(ANA, BO)[seat]), f"hike {seat}")
    reopened = Store(store.path)
    assert reopened.table(code) == store.table(code)
    assert [step.text for step in reopened.table(code).steps] == [
        "Ana hiked 2 tiles to the leaf site, +1 leaf.",
        "Bo hiked 2 tiles to the leaf site, +1 leaf.",
    ]
    reopened.db.conn.close()


def test_failed_write_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch):
    table = store.open_table(OPENING)

    def torn(*_: object) -> None:
        store.db.conn.execute("UPDATE entries SET tap = 'torn'")
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(store, "_insert_entry", torn)
    with pytest.raises(StorageError, match="The computer that runs Waymark cannot save tables: disk I/O error"):
        append(store, table, sit(table, 0, ANA), "tap")
    monkeypatch.undo()
    assert len(stored_rows(store)) == 1 and stored_rows(store)[0][1] != "torn"
    append(store, store.table(table.code), sit(table, 0, ANA), "tap")
    assert store.table(table.code).seats == (ANA, None)


def test_unknown_code_raises_table_not_found(store: Store):
    for ask in (store.table, store.latest_version, lambda code: store.has_tap(code, "tap")):
        with pytest.raises(TableNotFoundError, match="BCDFG"):
            ask("BCDFG")


DAMAGED_ENTRIES = [
    ('{"type":"Played","move":{"type":"hike","steps":9}}', "Entry 2 of table"),
    ('{"type":"Played","move":{"type":"fly"}}', "Entry 2 of table"),
    ('{"type":"Shouted"}', "Entry 2 cannot be read: Invalid value 'Shouted'"),
    ('{"type":"Played"}', "Entry 2 cannot be read: Object missing required field `move`"),
    ("not JSON", "Entry 2 cannot be read: JSON is malformed"),
    ("", "Entry 2 cannot be read: Input data was truncated"),
]


@pytest.mark.parametrize(("payload", "message"), DAMAGED_ENTRIES)
def test_corrupt_log_names_the_entry_and_other_tables_still_work(store: Store, payload: str, message: str, caplog):
    damaged, intact = store.open_table(OPENING).code, store.open_table(OPENING).code
    with store.db.conn:
        store.db.conn.execute(
            "INSERT INTO entries SELECT id, 2, 'tap', '', 'x', 0, ? FROM tables WHERE code = ?", [payload, damaged]
        )
    with pytest.raises(CorruptLogError) as error:
        store.table(damaged)
    assert message in str(error.value) and message in caplog.text
    assert store.table(intact).version == 1
    assert [row[4] for row in stored_entries(store, damaged)][1] == payload


def test_tables_of_a_phone_are_listed_last_opened_first(store: Store):
    days = ("2026-01-02", "2026-01-03", "1970-01-01")  # the last after a power cut, by a clock without a battery
    codes = [store.open_table(Entry(1, day, ANA, None, OPENING.payload)).code for day in days]
    foreign = store.open_table(OPENING).code
    table = store.table(foreign)
    append(store, table, Entry(2, "2026-01-09", BO, 1, SeatTaken()), "tap")
    assert store.codes_of_device(ANA) == codes[::-1]
    assert store.codes_of_device(BO) == [foreign] and store.codes_of_device("nobody") == []
    assert store.codes_of_device(ANA, limit=1) == codes[2:]


def test_cached_tables_are_evicted_and_reloaded(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_module, "MAX_CACHED_STEPS", 2 * store_module.EMPTY_TABLE_WEIGHT)
    codes = [store.open_table(OPENING).code for _ in range(4)]
    assert list(store.cache.tables) == codes[2:]
    assert [store.table(code).version for code in codes] == [1, 1, 1, 1]
    append(store, store.table(codes[3]), hike(store.table(codes[3]), 0), "tap")
    assert list(store.cache.tables) == codes[3:]  # one step more, so there is room for only one table
    assert store.cache.steps == store_module.EMPTY_TABLE_WEIGHT + 1


def test_opening_that_the_game_refuses_is_not_written(store: Store):
    entry = Entry(1, TIME, ANA, None, Opened("trails", TRACKED_GAMES["trails"].box.version, {"players": []}))
    with pytest.raises(IllegalMoveError):
        store.open_table(entry)
    assert stored_rows(store) == [] and sqlite_utils.Database(store.path)["tables"].count == 0
