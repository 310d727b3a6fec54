"""Stores the logs of tables: appends entries, loads tables. Independent of HTTP."""

import datetime
import logging
import re
import secrets
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.log.apply import CorruptLogError, apply_entry, load_entry, mark_imported, open_table
from companion.log.entries import IMPORTED_DEVICE_PREFIX, Entry, Payload
from companion.log.table import Table
from companion.storage.database import Database

logger = logging.getLogger("waymark.store")

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words; no digits, so no look-alikes
CODE_LENGTH = 5
CODE_PATTERN = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
LARGEST_NUMBER = 2**63 - 1  # the largest integer of SQLite
MAX_CACHED_STEPS = 100_000  # of all tables together; the least recently used table is evicted first
EMPTY_TABLE_WEIGHT = 20  # steps that a table without steps counts for
MAX_RECENT_TABLES = 60  # tables of a phone that home searches for unfinished ones
TABLE_LOCK_COUNT = 64  # locks that the tables share
UNFINISHED = "NOT EXISTS (SELECT 1 FROM results WHERE results.code = tables.code AND over)"  # no final result


class TableNotFoundError(LookupError):
    """No table has this code."""


class VersionConflictError(Exception):
    """Another entry was written first."""


class DuplicateTapError(Exception):
    """This tap has been written already."""


class PreviousTable(NamedTuple):
    """The table that a rematch follows, and the last entry to write there."""

    table: Table
    make_entry: Callable[[str], Entry]  # makes the entry from the new table's code
    tap: str


class LatestEntry(NamedTuple):
    """The last entry of a table."""

    code: str
    number: int  # the version of the table
    created_at: str  # UTC, ISO 8601; an imported log may have any text


class TableCache:
    """The most recently used tables, at most `MAX_CACHED_STEPS` steps; the latest one always."""

    def __init__(self):
        self._lock = threading.RLock()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.steps = 0  # of all tables

    def get(self, code: str) -> Table | None:
        """Return a table, perhaps without its latest entries."""
        with self._lock:
            return self.tables.get(code)

    def add(self, table: Table) -> None:
        """Keep a table, unless it is known with more entries."""
        with self._lock:
            known = self.tables.get(table.code)
            if known is None or known.version < table.version:
                self.remove(table.code)
                self.tables[table.code] = table
                self.steps += _cache_weight(table)
            self.tables.move_to_end(table.code)
            while self.steps > MAX_CACHED_STEPS and len(self.tables) > 1:
                self.remove(next(iter(self.tables)))

    def remove(self, code: str) -> None:
        """Remove a table, if it is known."""
        with self._lock:
            if table := self.tables.pop(code, None):
                self.steps -= _cache_weight(table)

    def clear(self) -> None:
        """Remove all tables."""
        with self._lock:
            self.tables.clear()
            self.steps = 0


def _cache_weight(table: Table) -> int:
    return EMPTY_TABLE_WEIGHT + len(table.steps) + len(table.removed) + len(table.repairs)


class Store(Database):
    """The database of an instance, with the logs of its tables and a cache of them."""

    def __init__(self, path: Path, first_letters: str = ALPHABET):
        """Open the database, creating or migrating it if necessary.

        :param first_letters: the possible first letters of the codes of new tables and results.
        """
        super().__init__(path)
        self._first_letters = first_letters
        self._table_locks = tuple(threading.RLock() for _ in range(TABLE_LOCK_COUNT))
        self._table_ids: dict[str, int] = {}
        self.cache = TableCache()

    @contextmanager
    def table_lock(self, code: str) -> Iterator[None]:
        """Let one thread at a time decide about a table; concurrent decisions would be repeated.

        :raises DatabaseBusyError: when the lock is not free in time.
        """
        lock = self._table_locks[hash(code) % TABLE_LOCK_COUNT]
        self.acquire(lock)
        try:
            yield
        finally:
            lock.release()

    def open_table(
        self,
        first_entry: Entry,
        *entries: Entry,
        previous: PreviousTable | None = None,
    ) -> Table:
        """Write a new table with its first entries under an unused code, and return it.

        :param previous: the table that this one follows; its last entry is written in the same transaction.
        :raises VersionConflictError: when the previous table has a newer entry.
        """
        with self.transaction() as db:
            if previous and self.latest_version(previous.table.code) != previous.table.version:
                raise VersionConflictError(previous.table.version + 1)
            code = self.unused_code()
            table = open_table(code, first_entry)
            for entry in entries:
                table = apply_entry(table, entry)
            id = db.table("tables").insert({"code": code}).last_pk
            assert id is not None  # an inserted row has an id
            for entry in (first_entry, *entries):
                self._insert_entry(id, entry, new_tap())
            if previous:
                self._insert_entry(self._table_id(previous.table.code), previous.make_entry(code), previous.tap)
        self._table_ids[code] = id
        self.cache.add(table)
        return table

    def unused_code(self, length: int = CODE_LENGTH) -> str:
        """Return a random code that no table or remembered result has."""
        known = "SELECT 1 FROM tables WHERE code = ?1 UNION SELECT 1 FROM results WHERE code = ?1 OR id = ?1"
        while True:
            code = "".join(map(secrets.choice, (self._first_letters, *[ALPHABET] * (length - 1))))
            if not self.query(known, [code]):
                return code

    def table(self, code: str) -> Table:
        """Return the current state of a table.

        :raises TableNotFoundError: when no table has this code.
        :raises CorruptLogError: when the log cannot be replayed.
        :raises StorageError: when the database cannot be read.
        """
        cached = self.cache.get(code)
        known = cached.version if cached else 0
        rows = self.read_log(code, first=known)
        if not rows:  # another process has deleted the table
            self._forget_table(code)
            raise TableNotFoundError(code)
        try:
            table = _replay(code, cached, rows[1:] if known else rows)
        except CorruptLogError as error:
            logger.error("%s", error, exc_info=error.__cause__)
            raise
        if rows[-1][2].startswith(IMPORTED_DEVICE_PREFIX):
            table = mark_imported(table)
        if table.version > known:
            self.cache.add(table)
        return table

    def find_table(self, code: str) -> Table | None:
        """Return the current state of a table; None if there is no table that can be opened."""
        try:
            return self.table(code)
        except (CorruptLogError, TableNotFoundError):
            return None

    def current_table(self, table: Table) -> Table:
        """Return a table as it is now: the same, or loaded again if it has changed.

        Erasing a name changes a table without a new entry, but then the cache no longer has it.

        :raises TableNotFoundError, CorruptLogError, StorageError: as `table` does.
        """
        is_current = self.cache.get(table.code) is table and self.latest_version(table.code) == table.version
        return table if is_current else self.table(table.code)

    def table_at_entry(self, code: str, number: int) -> Table:
        """Return the state of a table after an entry.

        :raises TableNotFoundError, CorruptLogError, StorageError: as `table` does.
        """
        rows = self.read_log(code, last=number)
        if not rows:
            raise TableNotFoundError(code)
        return _replay(code, None, rows)

    def _table_id(self, code: str) -> int:
        if code not in self._table_ids:
            id = self.value("SELECT id FROM tables WHERE code = ?", [code])
            if id is None:
                raise TableNotFoundError(code)
            self._table_ids[code] = id
        return self._table_ids[code]

    def append(self, new_table: Table, entry: Entry, tap: str, also_write: Callable[[], None] = lambda: None) -> None:
        """Write an entry to the log of a table.

        :param new_table: the table with the entry applied.
        :param also_write: writes further data in the same transaction.
        :raises VersionConflictError: when another entry has this number; decide again on the current table.
        :raises DuplicateTapError: when this tap has been written already.
        :raises StorageError: when the database cannot be written; nothing has been written then.
        """
        try:
            with self.transaction():
                self._insert_entry(self._table_id(new_table.code), entry, tap)
                also_write()
        except sqlite3.IntegrityError as error:
            if self.has_tap(new_table.code, tap):
                raise DuplicateTapError(tap) from error
            raise VersionConflictError(entry.number) from error
        self.cache.add(new_table)

    def has_tap(self, code: str, tap: str) -> bool:
        """Return whether a tap has been written at a table."""
        return bool(self.query("SELECT 1 FROM entries WHERE table_id = ? AND tap = ?", [self._table_id(code), tap]))

    def latest_version(self, code: str) -> int:
        """Return the number of a table's last entry; 0 when the table was deleted."""
        return self.value("SELECT MAX(number) FROM entries WHERE table_id = ?", [self._table_id(code)]) or 0

    def codes(self) -> list[str]:
        """Return the codes of all tables, the first opened first."""
        return self.column("SELECT code FROM tables ORDER BY id")

    def has_table(self, code: str) -> bool:
        """Return whether a table has this code."""
        return bool(self.query("SELECT 1 FROM tables WHERE code = ?", [code]))

    def read_log(self, code: str, first: int = 0, last: int = LARGEST_NUMBER) -> list[tuple]:
        """Return the entries of a table as stored: number, at, device, seat, what.

        :param first: the number of the first entry to return; `last`, that of the last one.
        :raises TableNotFoundError: when no table has this code.
        """
        return self.query(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number BETWEEN ? AND ? "
            "ORDER BY number",
            [self._table_id(code), first, last],
        )

    def write_entries(self, code: str, entries: Sequence[Entry]) -> None:
        """Write imported entries to a table, which is created if it does not exist.

        :param entries: entries that are known to be valid.
        """
        with self.transaction() as db:
            if not self.has_table(code):
                db.table("tables").insert({"code": code})
            for entry in entries:
                self._insert_entry(self._table_id(code), entry, new_tap())

    def codes_of_device(self, device: str, limit: int = 12, *, only_unfinished: bool = False) -> list[str]:
        """Return the tables at which a phone has made an entry, the last opened first.

        :param only_unfinished: return only tables without a final result, from the phone's latest tables.
        """
        # The query skips from table to table, because a phone may have made thousands of entries.
        searched, condition = (MAX_RECENT_TABLES, UNFINISHED) if only_unfinished else (limit, "1")
        return self.column(
            f"""WITH RECURSIVE at(id) AS (
                    SELECT MAX(table_id) FROM entries WHERE device = ?1
                    UNION ALL
                    SELECT (SELECT MAX(table_id) FROM entries WHERE device = ?1 AND table_id < at.id)
                    FROM at WHERE id IS NOT NULL LIMIT ?2
                )
                SELECT tables.code FROM at JOIN tables ON tables.id = at.id WHERE {condition} LIMIT ?3""",
            [device, searched, limit],
        )

    def unfinished_codes(self, limit: int) -> list[str]:
        """Return the codes of the latest tables without a final result."""
        return self.column(f"SELECT code FROM tables WHERE {UNFINISHED} ORDER BY id DESC LIMIT ?", [limit])

    def latest_entries(self, codes: Sequence[str]) -> list[LatestEntry]:
        """Return the last entry of each table that still exists, in the order of the codes."""
        rows = self.query(
            """SELECT code, number, at FROM json_each(?) AS wanted JOIN tables ON tables.code = wanted.value
               JOIN entries ON table_id = tables.id
                   AND number = (SELECT MAX(number) FROM entries WHERE table_id = tables.id)
               ORDER BY wanted.key""",
            [msgspec.json.encode(codes).decode()],
        )
        return [LatestEntry(*row) for row in rows]

    def _insert_entry(self, id: int, entry: Entry, tap: str) -> None:
        # Plain SQL, because every tap runs this statement and sqlite-utils would look up the schema first.
        self.db.conn.execute(
            "INSERT INTO entries (table_id, number, tap, at, device, seat, what) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                id,
                entry.number,
                tap,
                entry.created_at,
                entry.device,
                entry.seat,
                msgspec.json.encode(entry.payload).decode(),
            ],
        )

    def _forget_table(self, code: str) -> None:
        self._table_ids.pop(code, None)
        self.cache.remove(code)

    def latest_entry_times(self, limit: int) -> list[str]:
        """Return the time that the last entry of each of the last opened tables records."""
        return self.column(
            """SELECT at FROM tables JOIN entries ON table_id = tables.id
                   AND number = (SELECT MAX(number) FROM entries WHERE table_id = tables.id)
               ORDER BY tables.id DESC LIMIT ?""",
            [limit],
        )

    def inactive_tables(self, before: str) -> list[tuple[str, str]]:
        """Return the tables without an entry since a time, as code and time of the last entry.

        The longest inactive come first. The last opened table is never among them, so that its id is not reused
        while others refer to it.
        """
        return self.query(
            """SELECT code, MAX(at) FROM tables LEFT JOIN entries ON tables.id = entries.table_id
               WHERE tables.id < (SELECT MAX(id) FROM tables)
               GROUP BY tables.id HAVING COALESCE(MAX(at), '') < ? ORDER BY 2, code""",
            [before],
        )

    def delete_inactive_tables(self, before: str) -> list[str]:
        """Delete the inactive tables, all or none, and return their codes.

        :raises StorageError: when they cannot be deleted; none has been deleted then.
        """
        with self.transaction() as db:
            codes = [code for code, _ in self.inactive_tables(before)]
            for code in codes:
                db.execute("DELETE FROM entries WHERE table_id = (SELECT id FROM tables WHERE code = ?)", [code])
                db.execute("DELETE FROM tables WHERE code = ?", [code])
                db.execute("DELETE FROM drafts WHERE code = ?", [code])
        for code in codes:
            self._forget_table(code)
        return codes


def new_tap() -> str:
    """Return the id of a tap that can be made on the page being rendered."""
    return secrets.token_urlsafe(6)


def timestamp(ago: datetime.timedelta = datetime.timedelta()) -> str:
    """Return the current or an earlier time as in entries: UTC, ISO 8601, with milliseconds."""
    return (datetime.datetime.now(datetime.UTC) - ago).isoformat(timespec="milliseconds")


def _decode_entry(number: int, created_at: str, device: str, seat: int | None, payload: str) -> Entry:
    try:
        return Entry(number, created_at, device, seat, msgspec.json.decode(payload, type=Payload))
    except msgspec.DecodeError as error:
        raise CorruptLogError(f"Entry {number} cannot be read: {error}") from error


def _replay(code: str, table: Table | None, rows: Iterable[tuple]) -> Table:
    """Return a table with stored entries applied; None is a table without entries.

    :raises CorruptLogError: when the log cannot be replayed.
    """
    for row in rows:
        table = load_entry(table, code, _decode_entry(*row))
    assert table  # its first entry opens it
    return table
