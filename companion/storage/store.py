"""Stores the logs of tables in SQLite: appends entries, loads tables. Independent of HTTP."""

import datetime
import logging
import os
import secrets
import shutil
import sqlite3
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
import sqlite_utils

from companion.log.apply import CorruptLogError, apply_entry, load_entry, mark_imported, open_table
from companion.log.entries import IMPORTED_DEVICE_PREFIX, Entry, Payload
from companion.log.table import Table
from companion.storage.migrations import known_migrations, migrations
from companion.system.files import make_private, private_opener, sync_folder
from companion.system.paths import KEY_NAMES

logger = logging.getLogger("waymark.store")

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so no words; no digits, so no look-alikes
CODE_LENGTH = 5
MAX_CACHED_STEPS = 100_000  # of all tables together; the least recently used table is evicted first
EMPTY_TABLE_WEIGHT = 20  # steps that a table without steps counts for
MAX_RECENT_TABLES = 60  # tables of a phone that home searches for unfinished ones
TABLE_LOCK_COUNT = 64  # locks that the tables share
BUSY_TIMEOUT = 5.0  # seconds a write waits for another program that has the file locked
WRITE_TIMEOUT = 2.5  # seconds a write waits for another write of this process, which must be blocked by then
RETRY_INTERVAL = 0.02  # seconds between attempts where SQLite itself does not wait
CLOSE_TIMEOUT_MS = 500  # how long closing waits for other programs


class TableNotFoundError(LookupError):
    """No table has this code."""


class UnreadableDatabaseError(Exception):
    """The database is not one of Waymark's or cannot be opened; the message has the reason."""


class StorageError(Exception):
    """The database cannot be read or written now, and nothing was written.

    The message suggests a remedy.
    """


class DiskFullError(StorageError):
    """The disk is full."""


class DatabaseBusyError(StorageError):
    """Another program has the database locked."""


class DamagedDataError(StorageError):
    """The stored data is damaged."""


class VersionConflictError(Exception):
    """Another entry was written first."""


class DuplicateTapError(Exception):
    """This tap has been written already."""


class PreviousTable(NamedTuple):
    """The table that a rematch follows, and the last entry to write there."""

    table: Table
    make_entry: Callable[[str], Entry]  # makes the entry from the new table's code
    tap: str


class Store:
    """The tables of an instance, with one connection per thread; safe for several processes.

    :raises UnreadableDatabaseError: when the file is not a database of Waymark, or a newer Waymark has written it.
    """

    def __init__(self, path: Path, first_letters: str = ALPHABET):
        """Open the database, creating or migrating it if necessary.

        :param first_letters: the possible first letters of the codes of new tables and results.
        """
        self.path = path
        self._first_letters = first_letters
        self._local = threading.local()
        self._connections: dict[threading.Thread, sqlite_utils.Database] = {}
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._write_started = 0.0  # when the running write began; 0 if no write is running
        self._table_locks = tuple(threading.RLock() for _ in range(TABLE_LOCK_COUNT))
        self._table_ids: dict[str, int] = {}
        self._cached_tables: OrderedDict[str, Table] = OrderedDict()
        self._cached_steps = 0  # of all cached tables
        self.damage = ""  # the first damage found in the file
        try:
            _create_if_missing(path)
            refuse_newer(self.db)
            if migrations.pending(self.db):
                with self.transaction() as db:  # one process migrates, the others wait for it
                    migrations.apply(db)
        except OSError as error:
            raise UnreadableDatabaseError(f"{path}: {error.strerror}") from error
        except (sqlite3.Error, StorageError) as error:
            raise UnreadableDatabaseError(f"{path}: {error.__cause__ or error}") from error

    @property
    def db(self) -> sqlite_utils.Database:
        """Return this thread's connection.

        Every commit is on the disk before it returns (synchronous=FULL).
        """
        known = getattr(self._local, "db", None)
        if known is None or (self._local.only_reads and not self.is_full):
            if known:
                known.close()
            with self._translate_errors():
                self._local.db, self._local.only_reads = self._connect()
            with self._lock:
                ended = [thread for thread in self._connections if not thread.is_alive()]
                for thread in ended:  # Python may leave their connections open for a long time
                    self._connections.pop(thread).close()
                self._connections[threading.current_thread()] = self._local.db
        return self._local.db

    def _connect(self) -> tuple[sqlite_utils.Database, bool]:
        """Return a new connection, and whether it is read-only because the disk is full."""
        db = sqlite_utils.Database(sqlite3.connect(self.path, timeout=BUSY_TIMEOUT, check_same_thread=False))
        try:
            _use_wal(db)
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        except sqlite3.OperationalError:
            db.close()
            log, _ = wal_files(self.path)
            if not self.is_full or (log.exists() and log.stat().st_size):
                raise
            address = f"{self.path.absolute().as_uri()}?immutable=1"
            return sqlite_utils.Database(sqlite3.connect(address, uri=True, check_same_thread=False)), True
        return db, False

    def close(self) -> None:
        """Close all connections and merge SQLite's WAL file into the database.

        No other thread may use the store. If another process has the database open, SQLite keeps the WAL file.
        """
        with self._lock:
            own_connection = self._connections.pop(threading.current_thread(), None)
            for db in self._connections.values():
                db.close()
            self._connections.clear()
        if own_connection:
            with suppress(sqlite3.Error):  # the database may be damaged, or locked by another program
                own_connection.execute(f"PRAGMA busy_timeout = {CLOSE_TIMEOUT_MS}")
                own_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            own_connection.close()
        self._local = threading.local()

    @property
    def is_full(self) -> bool:
        """Return whether the disk has too little room to write; reading is still possible."""
        return shutil.disk_usage(self.path.parent).free < MIN_FREE_BYTES

    @contextmanager
    def transaction(self) -> Iterator[sqlite_utils.Database]:
        """Run one exclusive write transaction; a nested call joins the outer transaction.

        The threads of this process queue for a lock here, because SQLite's waiting sleeps too long.

        :raises StorageError: when the database cannot be written; nothing has been written then.
        """
        if self.db.conn.in_transaction:
            yield self.db
            return
        if self.is_full:
            raise DiskFullError(_DISK_FULL_TEXT)
        self._acquire(self._write_lock)
        try:
            with self._translate_errors():
                self._write_started = time.monotonic()
                try:
                    self.db.conn.execute("BEGIN IMMEDIATE")
                    yield self.db
                    self.db.conn.commit()
                except BaseException:
                    self.db.conn.rollback()
                    raise
                finally:
                    self._write_started = 0.0
        finally:
            self._write_lock.release()

    @contextmanager
    def table_lock(self, code: str) -> Iterator[None]:
        """Let one thread at a time decide about a table; concurrent decisions would be repeated.

        :raises DatabaseBusyError: when the lock is not free in time.
        """
        lock = self._table_locks[hash(code) % TABLE_LOCK_COUNT]
        self._acquire(lock)
        try:
            yield
        finally:
            lock.release()

    def _acquire(self, lock: "threading.Lock | threading.RLock") -> None:
        """Acquire a lock, without waiting for a write that another program blocks.

        :raises DatabaseBusyError: when the lock is not free in time.
        """
        if lock.acquire(blocking=False):
            return
        is_held_up = self._write_started and time.monotonic() - self._write_started > WRITE_TIMEOUT
        if is_held_up or not lock.acquire(timeout=WRITE_TIMEOUT):
            raise DatabaseBusyError(_BUSY_TEXT)

    def find_damage(self) -> str:
        """Check the whole database, and return one line about its first damage or an empty text.

        This takes long for large files. The result is also kept in `damage`.
        """
        try:
            with self._translate_errors():
                found = self.db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except DamagedDataError as error:
            found = str(error.__cause__)
        self.damage = "" if found == "ok" else " ".join(found.split())
        return self.damage

    def interrupt(self) -> None:
        """Interrupt the running statements of all connections; none of their changes are written."""
        with self._lock:
            for db in self._connections.values():
                db.conn.interrupt()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise SQLite's errors as a `StorageError` with a message for players."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise _storage_error(self.path, error) from error

    def open_table(
        self,
        first_entry: Entry,
        *entries: Entry,
        previous: "PreviousTable | None" = None,
        also_write: Callable[[Table], None] = lambda table: None,
    ) -> Table:
        """Write a new table with its first entries under an unused code, and return it.

        :param previous: the table that this one follows; its last entry is written in the same transaction.
        :param also_write: writes further data in the same transaction.
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
                self._insert_entry(id, entry, tap=secrets.token_urlsafe(6))
            if previous:
                self._insert_entry(self._table_id(previous.table.code), previous.make_entry(code), previous.tap)
            also_write(table)
        self._table_ids[code] = id
        self._cache_table(table)
        return table

    def random_code(self, length: int) -> str:
        """Return a random code whose first letter is one of this store's first letters."""
        return "".join(secrets.choice(letters) for letters in (self._first_letters, *[ALPHABET] * (length - 1)))

    def unused_code(self) -> str:
        """Return a code that no table or remembered result has."""
        while True:
            code = self.random_code(CODE_LENGTH)
            known = "SELECT 1 FROM tables WHERE code = ?1 UNION SELECT 1 FROM results WHERE code = ?1"
            if self.db.execute(known, [code]).fetchone() is None:
                return code

    def table(self, code: str) -> Table:
        """Return the current state of a table.

        :raises TableNotFoundError: when no table has this code.
        :raises CorruptLogError: when the log cannot be replayed.
        :raises StorageError: when the database cannot be read.
        """
        with self._lock:
            table = self._cached_tables.get(code)
        known = table.version if table else 0
        rows = self.query(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number >= ? ORDER BY number",
            [self._table_id(code), known],
        )
        if not rows:  # another process has deleted the table
            self._evict_table(code)
            raise TableNotFoundError(code)
        new = rows[1:] if known else rows
        try:
            for row in new:
                table = load_entry(table, code, _decode_entry(*row))
        except CorruptLogError as error:
            logger.error("%s", error, exc_info=error.__cause__)
            raise
        assert table  # its first entry opens it
        if rows[-1][2].startswith(IMPORTED_DEVICE_PREFIX):
            table = mark_imported(table)
        if new:
            self._cache_table(table)
        return table

    def table_at_entry(self, code: str, number: int) -> Table:
        """Return the state of a table after an entry.

        :raises TableNotFoundError, CorruptLogError, StorageError: as `table` does.
        """
        rows = self.query(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number <= ? ORDER BY number",
            [self._table_id(code), number],
        )
        table = None
        for row in rows:
            table = load_entry(table, code, _decode_entry(*row))
        if table is None:
            raise TableNotFoundError(code)
        return table

    def _table_id(self, code: str) -> int:
        if code not in self._table_ids:
            found = self.query("SELECT id FROM tables WHERE code = ?", [code])
            if not found:
                raise TableNotFoundError(code)
            self._table_ids[code] = found[0][0]
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
        self._cache_table(new_table)

    def has_tap(self, code: str, tap: str) -> bool:
        """Return whether a tap has been written at a table."""
        return bool(self.query("SELECT 1 FROM entries WHERE table_id = ? AND tap = ?", [self._table_id(code), tap]))

    def latest_version(self, code: str) -> int:
        """Return the number of a table's last entry; 0 when the table was deleted."""
        return self.query("SELECT MAX(number) FROM entries WHERE table_id = ?", [self._table_id(code)])[0][0] or 0

    def data_version(self) -> int:
        """Return a number that changes whenever another connection has committed.

        Only numbers from the same thread can be compared.
        """
        return self.query("PRAGMA data_version")[0][0]

    def codes(self) -> list[str]:
        """Return the codes of all tables, the first opened first."""
        return [code for (code,) in self.query("SELECT code FROM tables ORDER BY id")]

    def has_table(self, code: str) -> bool:
        """Return whether a table has this code."""
        return bool(self.query("SELECT 1 FROM tables WHERE code = ?", [code]))

    def read_log(self, code: str) -> list[tuple]:
        """Return the entries of a table as stored: number, at, device, seat, what.

        :raises TableNotFoundError: when no table has this code.
        """
        return self.query(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? ORDER BY number",
            [self._table_id(code)],
        )

    def write_entries(self, code: str, entries: Sequence[Entry], new_tap: Callable[[], str]) -> None:
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
        rows = self.query(
            f"""WITH RECURSIVE at(id) AS (
                    SELECT MAX(table_id) FROM entries WHERE device = ?1
                    UNION ALL
                    SELECT (SELECT MAX(table_id) FROM entries WHERE device = ?1 AND table_id < at.id) """
            f"""FROM at WHERE id IS NOT NULL
                    LIMIT {MAX_RECENT_TABLES if only_unfinished else "?2"}
                )
                SELECT tables.code FROM at JOIN tables ON tables.id = at.id {"WHERE" if only_unfinished else ""}
                {
                "NOT EXISTS (SELECT 1 FROM results WHERE results.code = tables.code AND over)"
                if only_unfinished
                else ""
            } LIMIT ?2""",
            [device, limit],
        )
        return [code for (code,) in rows]

    def unfinished_codes(self, limit: int) -> list[str]:
        """Return the codes of the latest tables without a final result."""
        final_results = "SELECT 1 FROM results WHERE results.code = tables.code AND over"
        return [
            code
            for (code,) in self.query(
                f"SELECT code FROM tables WHERE NOT EXISTS ({final_results}) ORDER BY id DESC LIMIT ?", [limit]
            )
        ]

    def query(self, sql: str, parameters: Sequence = ()) -> list[tuple]:
        """Return the rows of a query.

        :raises StorageError: when the database cannot be read.
        """
        with self._translate_errors():
            return self.db.execute(sql, parameters).fetchall()

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

    def _cache_table(self, table: Table) -> None:
        with self._lock:
            known = self._cached_tables.get(table.code)
            if known is None or known.version < table.version:
                self._cached_tables[table.code] = table
                self._cached_steps += _cache_weight(table) - (_cache_weight(known) if known else 0)
            self._cached_tables.move_to_end(table.code)
            while self._cached_steps > MAX_CACHED_STEPS and len(self._cached_tables) > 1:
                _, forgotten = self._cached_tables.popitem(last=False)
                self._cached_steps -= _cache_weight(forgotten)

    def _evict_table(self, code: str) -> None:
        with self._lock:
            self._table_ids.pop(code, None)
            if table := self._cached_tables.pop(code, None):
                self._cached_steps -= _cache_weight(table)

    def clear_cache(self) -> None:
        """Clear the cache, because stored entries have been changed."""
        with self._lock:
            self._cached_tables.clear()
            self._cached_steps = 0

    def check(self) -> None:
        """Check that the database can be read and written.

        :raises StorageError: when it cannot.
        """
        if self.damage:
            raise DamagedDataError(DAMAGED_TEXT)
        with self.transaction() as db:
            db.execute("SELECT 1 FROM entries LIMIT 1").fetchone()
            db.execute("DELETE FROM tables WHERE id < 0")  # deletes nothing, but makes SQLite check that it can write

    def latest_entry_time(self) -> datetime.datetime | None:
        """Return the time of the latest entry of all tables, as recorded in the entry."""
        last_number = "SELECT MAX(number) FROM entries WHERE table_id = tables.id"
        found = self.query(
            f"SELECT MAX(at) FROM tables JOIN entries ON table_id = tables.id AND number = ({last_number})"
        )[0][0]
        try:
            return datetime.datetime.fromisoformat(found) if found else None
        except ValueError:  # an imported log may have any text as a time
            return None

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
        for code in codes:
            self._evict_table(code)
        return codes


def _create_if_missing(path: Path) -> None:
    """Create the database if it is missing.

    It appears as a whole, so that no process can open an incomplete one.

    :raises UnreadableDatabaseError: when the file has been lost or emptied.
    """
    log, _ = files = wal_files(path)
    has_log = log.exists() and log.stat().st_size  # checked before the database, which is created first
    refuse_empty(path)
    if not path.exists():
        if has_log:
            raise UnreadableDatabaseError(
                f"{path} is missing, although {log.name} is there: {_RESTORE_HINT} delete {log.name} to start over."
            )
        _create(path)
    make_private(path, *files)


def _create(path: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    new_file = Path(name)
    try:
        new_file.chmod(0o600)  # regardless of the umask
        with closing(sqlite3.connect(new_file)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            migrations.apply(sqlite_utils.Database(db))
        try:
            os.link(new_file, path)
        except FileExistsError:
            return  # another process was faster
        except OSError:  # the file system of a memory card has no links
            with suppress(FileExistsError), open(path, "xb", opener=private_opener) as file:
                file.write(new_file.read_bytes())
                file.flush()
                os.fsync(file.fileno())
    finally:
        for leftover in (new_file, *wal_files(new_file)):
            leftover.unlink(missing_ok=True)
    sync_folder(path.parent)


def _use_wal(db: sqlite_utils.Database) -> None:
    """Switch a database to WAL, waiting for other processes because SQLite does not wait here."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_INTERVAL)


def wal_files(path: Path) -> tuple[Path, Path]:
    """Return the files that SQLite may keep beside a database, the write-ahead log first."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def refuse_empty(path: Path) -> None:
    """Refuse an empty database: Waymark never leaves one, so its content has been lost.

    :raises UnreadableDatabaseError: when the file is empty.
    """
    if path.exists() and not path.stat().st_size:
        keys_hint = ", although keys are beside it" if any(path.with_name(key).exists() for key in KEY_NAMES) else ""
        raise UnreadableDatabaseError(f"{path} is empty{keys_hint}: {_RESTORE_HINT} delete the file to start over.")


def timestamp(ago: datetime.timedelta = datetime.timedelta()) -> str:
    """Return the current or an earlier time as in entries: UTC, ISO 8601, with milliseconds."""
    return (datetime.datetime.now(datetime.UTC) - ago).isoformat(timespec="milliseconds")


def _cache_weight(table: Table) -> int:
    return EMPTY_TABLE_WEIGHT + len(table.steps) + len(table.removed) + len(table.repairs)


def refuse_newer(db: sqlite_utils.Database) -> None:
    """Refuse a database with a migration that this version does not know.

    :raises UnreadableDatabaseError: when there is one.
    """
    unknown = sorted({step.name for step in migrations.applied(db)} - known_migrations())
    if unknown:
        raise UnreadableDatabaseError(
            f"a newer Waymark has written them ({unknown[0]}). Update Waymark; nothing has been changed."
        )


_RESTORE_HINT = "restore a backup with waymark restore --force, or"
_BUSY_TEXT = "Another program holds the file of the tables. What you did has not counted; try again in a moment."
_DISK_FULL_TEXT = (
    "The computer that runs Waymark has no room left on its disk. What you did has not counted; make room there."
)
DAMAGED_TEXT = "The database is damaged. Restore a backup, or save what can be read with waymark export --all."
_ERRORS_BY_CODE = {  # SQLite's primary error codes
    sqlite3.SQLITE_FULL: (DiskFullError, _DISK_FULL_TEXT),
    sqlite3.SQLITE_BUSY: (DatabaseBusyError, _BUSY_TEXT),
    sqlite3.SQLITE_LOCKED: (DatabaseBusyError, _BUSY_TEXT),
    sqlite3.SQLITE_CORRUPT: (
        DamagedDataError,
        "What is stored here is damaged and cannot be read. waymark export saves what can be.",
    ),
    sqlite3.SQLITE_NOTADB: (
        DamagedDataError,
        "The file of the tables is damaged and cannot be read. waymark export saves what can be.",
    ),
}
MIN_FREE_BYTES = 1 << 20  # with less, a disk counts as full, regardless of SQLite's error


def _storage_error(path: Path, error: sqlite3.DatabaseError) -> StorageError:
    """Return the error to raise for an error of SQLite, with a message for players.

    The transaction has been rolled back, so nothing was written.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if "decode" in str(error):  # invalid UTF-8: an error raised by Python, without a code of SQLite
        code = sqlite3.SQLITE_CORRUPT
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and shutil.disk_usage(path.parent).free < MIN_FREE_BYTES:
        code = sqlite3.SQLITE_FULL
    kind, text = _ERRORS_BY_CODE.get(
        code, (StorageError, f"The tables cannot be written on the computer that runs Waymark: {error}.")
    )
    return kind(text)


def _decode_entry(number: int, created_at: str, device: str, seat: int | None, payload: str) -> Entry:
    try:
        return Entry(number, created_at, device, seat, msgspec.json.decode(payload, type=Payload))
    except msgspec.DecodeError as error:
        raise CorruptLogError(f"Entry {number} cannot be read: {error}") from error
