"""Opens an instance's SQLite database: connections, transactions, errors."""

import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlite_utils

from companion.storage.migrations import known_migrations, migrations
from companion.system.files import make_private, private_opener, sync_folder
from companion.system.paths import KEY_NAMES

BUSY_TIMEOUT = 5.0  # seconds a write waits for another program that has the file locked
WRITE_TIMEOUT = 2.5  # seconds a write waits for another write of this process, which must be blocked by then
RETRY_INTERVAL = 0.02  # seconds between attempts where SQLite itself does not wait
CLOSE_TIMEOUT_MS = 500  # how long closing waits for other programs
MIN_FREE_BYTES = 1 << 20  # with less, a disk counts as full, regardless of SQLite's error


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


class Database:
    """An instance's database, with one connection per thread; safe for several processes.

    :raises UnreadableDatabaseError: when the file is not a database of Waymark, or a newer Waymark has written it.
    """

    def __init__(self, path: Path):
        """Open the database, creating or migrating it if necessary."""
        self.path = path
        self._local = threading.local()
        self._connections: dict[threading.Thread, sqlite_utils.Database] = {}
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._write_started = 0.0  # when the running write began; 0 if no write is running
        self.damage = ""  # the first damage found in the file
        try:
            _create_if_missing(path)
            refuse_newer(self.db)
            if migrations.pending(self.db):
                with self.transaction() as db:  # one process migrates, the others wait for it
                    migrations.apply(db)
        except OSError as error:
            raise UnreadableDatabaseError(f"Cannot open {path}: {error.strerror}.") from error
        except (sqlite3.Error, StorageError) as error:
            raise UnreadableDatabaseError(f"Cannot open {path}: {error.__cause__ or error}.") from error

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
            if not self.is_full or has_unmerged_writes(self.path):
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
        self.acquire(self._write_lock)
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

    def acquire(self, lock: "threading.Lock | threading.RLock") -> None:
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

    def query(self, sql: str, parameters: Sequence = ()) -> list[tuple]:
        """Return the rows of a query.

        :raises StorageError: when the database cannot be read.
        """
        with self._translate_errors():
            return self.db.execute(sql, parameters).fetchall()

    def column(self, sql: str, parameters: Sequence = ()) -> list[Any]:
        """Return the first column of a query's rows."""
        return [row[0] for row in self.query(sql, parameters)]

    def value(self, sql: str, parameters: Sequence = ()) -> Any:
        """Return the first value of a query's first row; None if there is no row."""
        return next(iter(self.column(sql, parameters)), None)

    def data_version(self) -> int:
        """Return a number that changes whenever another connection has committed.

        Only numbers from the same thread can be compared.
        """
        return self.value("PRAGMA data_version")

    def check(self) -> None:
        """Check that the database can be read and written.

        :raises StorageError: when it cannot.
        """
        if self.damage:
            raise DamagedDataError(DAMAGED_TEXT)
        with self.transaction() as db:
            db.execute("SELECT 1 FROM entries LIMIT 1").fetchone()
            db.execute("DELETE FROM tables WHERE id < 0")  # deletes nothing, but makes SQLite check that it can write

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise SQLite's errors as a `StorageError` with a message for players."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise _storage_error(self.path, error) from error


def _create_if_missing(path: Path) -> None:
    """Create the database if it is missing.

    It appears as a whole, so that no process can open an incomplete one.

    :raises UnreadableDatabaseError: when the file has been lost or emptied.
    """
    log, _ = files = wal_files(path)
    has_log = has_unmerged_writes(path)  # checked before the database, which is created first
    refuse_empty(path)
    if not path.exists():
        if has_log:
            raise UnreadableDatabaseError(
                f"{path} is missing, but {log.name} exists. {_RESTORE_HINT} delete {log.name} to start over."
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


def has_unmerged_writes(path: Path) -> bool:
    """Return whether a database's write-ahead log holds writes that the file itself may lack."""
    log, _ = wal_files(path)
    return log.exists() and log.stat().st_size > 0


def refuse_empty(path: Path) -> None:
    """Refuse an empty database: Waymark never leaves one, so its content has been lost.

    :raises UnreadableDatabaseError: when the file is empty.
    """
    if path.exists() and not path.stat().st_size:
        keys_hint = ", although its keys exist" if any(path.with_name(key).exists() for key in KEY_NAMES) else ""
        raise UnreadableDatabaseError(f"{path} is empty{keys_hint}. {_RESTORE_HINT} delete the file to start over.")


def refuse_newer(db: sqlite_utils.Database) -> None:
    """Refuse a database with a migration that this version does not know.

    :raises UnreadableDatabaseError: when there is one.
    """
    unknown = sorted({step.name for step in migrations.applied(db)} - known_migrations())
    if unknown:
        raise UnreadableDatabaseError(
            f"A newer version of Waymark wrote them ({unknown[0]}). Update Waymark. Nothing was changed."
        )


_RESTORE_HINT = "Restore a backup with waymark restore --force, or"
_BUSY_TEXT = "Another program is using the database. Your last action was not saved. Try again in a moment."
_DISK_FULL_TEXT = (
    "The disk of the computer that runs Waymark is full. Your last action was not saved. Free some space there."
)
DAMAGED_TEXT = "The database is damaged. Restore a backup, or save the readable part with waymark export --all."
_ERRORS_BY_CODE = {  # SQLite's primary error codes
    sqlite3.SQLITE_FULL: (DiskFullError, _DISK_FULL_TEXT),
    sqlite3.SQLITE_BUSY: (DatabaseBusyError, _BUSY_TEXT),
    sqlite3.SQLITE_LOCKED: (DatabaseBusyError, _BUSY_TEXT),
    sqlite3.SQLITE_CORRUPT: (
        DamagedDataError,
        "This data is damaged and cannot be read. Save the readable part with waymark export.",
    ),
    sqlite3.SQLITE_NOTADB: (
        DamagedDataError,
        "The database is damaged and cannot be read. Save the readable part with waymark export --all.",
    ),
}


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
        code, (StorageError, f"The computer that runs Waymark cannot save tables: {error}.")
    )
    return kind(text)
