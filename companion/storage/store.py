"""Where logs are kept: SQLite through sqlite-utils. Appends, loads, folds what is new; knows no HTTP."""

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

from companion.log.apply import Broken, brought, fold, follow, opened
from companion.log.entries import ELSEWHERE, Entry, What
from companion.log.table import Table
from companion.storage.migrations import known_steps, migrations
from companion.system.files import keep_private, private, sync_folder
from companion.system.paths import KEYS

log = logging.getLogger("waymark.store")

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: no words; no digits: nothing to mistake
CODE_LENGTH = 5
STEPS_IN_MEMORY = 100_000  # of all tables together; the table looked at last goes last
EMPTY = 20  # steps that a table counts for before its first
LATEST = 60  # tables of a phone among which home looks for those that are not over
TURNS = 64  # locks that the tables share
PATIENCE = 5.0  # seconds a write waits for another program that holds the file
STUCK = 2.5  # seconds a write waits for another write of ours; by then something holds that one up
RETRY = 0.02  # seconds between tries where SQLite does not wait by itself
AT_THE_END = 500  # milliseconds that closing waits for other programs


class NoSuchTable(LookupError):
    """There is no table with this code."""


class Unreadable(Exception):
    """The file of the tables is no database of ours, or cannot be opened; the text says which and why."""


class Trouble(Exception):
    """The file cannot be written or read now; nothing of what was to be written has been. The text says what to do."""


class Full(Trouble):
    """There is no room left on the disk."""


class Busy(Trouble):
    """Another program holds the file."""


class Damaged(Trouble):
    """What is stored here cannot be read."""


class Taken(Exception):
    """Somebody else's entry came first."""


class SeenTap(Exception):
    """This tap has been written already."""


class Last(NamedTuple):
    """What is said last at a table as its players go on to another."""

    table: Table
    entry: Callable[[str], Entry]  # the new table's code -> the entry
    tap: str


class Store:
    """The tables of one instance. One connection for each thread; safe from several processes.

    :raises Unreadable: when the file is no database of ours, or one of a newer Waymark.
    """

    def __init__(self, path: Path, letters: str = ALPHABET):
        """:param letters: those that the codes of new tables and results begin with."""
        self.path = path
        self._letters = letters
        self._local = threading.local()
        self._connections: dict[threading.Thread, sqlite_utils.Database] = {}
        self._lock = threading.Lock()
        self._writer = threading.Lock()
        self._writing_since = 0.0  # when the write began that goes on now
        self._turns = tuple(threading.RLock() for _ in range(TURNS))
        self._ids: dict[str, int] = {}
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._steps = 0  # of all tables in memory
        self.damage = ""  # found in the file
        try:
            _make(path)
            refuse_newer(self.db)
            if migrations.pending(self.db):
                with self.writing() as db:  # one process migrates, the others find it done
                    migrations.apply(db)
        except OSError as fault:
            raise Unreadable(f"{path}: {fault.strerror}") from fault
        except (sqlite3.Error, Trouble) as fault:
            raise Unreadable(f"{path}: {fault.__cause__ or fault}") from fault

    @property
    def db(self) -> sqlite_utils.Database:
        """Return this thread's connection. Every commit is on the disk before it returns (synchronous=FULL)."""
        known = getattr(self._local, "db", None)
        if known is None or (self._local.only_reads and not self.is_full):
            if known:
                known.close()
            with self._said():
                self._local.db, self._local.only_reads = self._connected()
            with self._lock:
                ended = [thread for thread in self._connections if not thread.is_alive()]
                for thread in ended:  # Python may leave what they had open for long
                    self._connections.pop(thread).close()
                self._connections[threading.current_thread()] = self._local.db
        return self._local.db

    def _connected(self) -> tuple[sqlite_utils.Database, bool]:
        """Return a new connection, and whether it is read-only because the disk is full."""
        db = sqlite_utils.Database(sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False))
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
        """Close all connections, with everything in the one file.

        No other thread may use the store. Where another process still uses the file, SQLite keeps the files beside it.
        """
        with self._lock:
            mine = self._connections.pop(threading.current_thread(), None)
            for db in self._connections.values():
                db.close()
            self._connections.clear()
        if mine:
            with suppress(sqlite3.Error):  # it may be damaged, or held by another program
                mine.execute(f"PRAGMA busy_timeout = {AT_THE_END}")
                mine.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            mine.close()
        self._local = threading.local()

    @property
    def is_full(self) -> bool:
        """Whether the disk has too little room to write: then everything can still be read."""
        return shutil.disk_usage(self.path.parent).free < LEAST_ROOM

    @contextmanager
    def writing(self) -> Iterator[sqlite_utils.Database]:
        """Give the file for one transaction, alone from its first read on; inside another it is part of that one.

        The threads of this process queue for it here: waiting for each other in SQLite, they would sleep too long.

        :raises Trouble: when nothing can be written; then nothing has been.
        """
        if self.db.conn.in_transaction:
            yield self.db
            return
        if self.is_full:
            raise Full(_NO_ROOM)
        self._take(self._writer)
        try:
            with self._said():
                self._writing_since = time.monotonic()
                try:
                    self.db.conn.execute("BEGIN IMMEDIATE")
                    yield self.db
                    self.db.conn.commit()
                except BaseException:
                    self.db.conn.rollback()
                    raise
                finally:
                    self._writing_since = 0.0
        finally:
            self._writer.release()

    @contextmanager
    def turn(self, code: str) -> Iterator[None]:
        """Let one thread at a time say something at a table: what is judged meanwhile would be judged again.

        :raises Busy: when nothing can be said for a while.
        """
        lock = self._turns[hash(code) % TURNS]
        self._take(lock)
        try:
            yield
        finally:
            lock.release()

    def _take(self, lock: "threading.Lock | threading.RLock") -> None:
        """Wait for a lock, but never behind a write that another program holds up.

        :raises Busy: when the lock cannot be had in a while.
        """
        if lock.acquire(blocking=False):
            return
        is_held_up = self._writing_since and time.monotonic() - self._writing_since > STUCK
        if is_held_up or not lock.acquire(timeout=STUCK):
            raise Busy(_HELD)

    def find_damage(self) -> str:
        """Check the whole file and return a line about its first damage, or an empty text.

        Large files take long. `damage` has it from then on.
        """
        try:
            with self._said():
                found = self.db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except Damaged as fault:
            found = str(fault.__cause__)
        self.damage = "" if found == "ok" else " ".join(found.split())
        return self.damage

    def interrupt(self) -> None:
        """Break off what the connections are doing now; nothing of it is written."""
        with self._lock:
            for db in self._connections.values():
                db.conn.interrupt()

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Say what SQLite complains of in a sentence people can act on."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as fault:
            raise _trouble(self.path, fault) from fault

    def open(
        self,
        first: Entry,
        *entries: Entry,
        last: "Last | None" = None,
        also: Callable[[Table], None] = lambda table: None,
    ) -> Table:
        """Write a new table with its first entries and return it, under a code nobody has.

        With `last`, the table before it ends with that entry, or nothing is written; nor is it without what `also` writes.

        :raises Taken: when something was said at the table before.
        """
        with self.writing() as db:
            if last and self.newest(last.table.code) != last.table.number:
                raise Taken(last.table.number + 1)
            code = self.free_code()
            table = opened(code, first)
            for entry in entries:
                table = follow(table, entry)
            id = db.table("tables").insert({"code": code}).last_pk
            assert id is not None  # a row has been inserted, so it has one
            for entry in (first, *entries):
                self._insert(id, entry, tap=secrets.token_urlsafe(6))
            if last:
                self._insert(self._id(last.table.code), last.entry(code), last.tap)
            also(table)
        self._ids[code] = id
        self._remember(table)
        return table

    def some_code(self, length: int) -> str:
        """Return letters by chance, the first of them one of this store's."""
        return "".join(secrets.choice(letters) for letters in (self._letters, *[ALPHABET] * (length - 1)))

    def free_code(self) -> str:
        """Return a code that no table has, nor had that is remembered still."""
        while True:
            code = self.some_code(CODE_LENGTH)
            known = "SELECT 1 FROM tables WHERE code = ?1 UNION SELECT 1 FROM results WHERE code = ?1"
            if self.db.execute(known, [code]).fetchone() is None:
                return code

    def table(self, code: str) -> Table:
        """Return a table as its log stands now.

        :raises NoSuchTable: when no table has this code.
        :raises Broken: when the log cannot be followed.
        :raises Trouble: when it cannot be read.
        """
        with self._lock:
            table = self._tables.get(code)
        known = table.number if table else 0
        rows = self.rows(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number >= ? ORDER BY number",
            [self._id(code), known],
        )
        if not rows:  # another process has put it away, with the entry we know last
            self._forget(code)
            raise NoSuchTable(code)
        new = rows[1:] if known else rows
        try:
            for row in new:
                table = fold(table, code, _entry(*row))
        except Broken as fault:
            log.error("%s", fault, exc_info=fault.__cause__)
            raise
        assert table  # its first entry opens it
        if rows[-1][2].startswith(ELSEWHERE):
            table = brought(table)
        if new:
            self._remember(table)
        return table

    def table_then(self, code: str, number: int) -> Table:
        """Return a table as its log stood with an entry.

        :raises NoSuchTable, Broken, Trouble: as for the table as it is.
        """
        rows = self.rows(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number <= ? ORDER BY number",
            [self._id(code), number],
        )
        table = None
        for row in rows:
            table = fold(table, code, _entry(*row))
        if table is None:
            raise NoSuchTable(code)
        return table

    def _id(self, code: str) -> int:
        if code not in self._ids:
            found = self.rows("SELECT id FROM tables WHERE code = ?", [code])
            if not found:
                raise NoSuchTable(code)
            self._ids[code] = found[0][0]
        return self._ids[code]

    def append(self, after: Table, entry: Entry, tap: str, also: Callable[[], None] = lambda: None) -> None:
        """Write one entry, and what `also` writes in the same transaction; `after` is what its table is with it.

        :raises Taken: when another entry has that number; judge again on the table as it is now.
        :raises SeenTap: when this tap was written already.
        :raises Trouble: when nothing can be written; then nothing has been.
        """
        try:
            with self.writing():
                self._insert(self._id(after.code), entry, tap)
                also()
        except sqlite3.IntegrityError as clash:
            if self.has_tap(after.code, tap):
                raise SeenTap(tap) from clash
            raise Taken(entry.number) from clash
        self._remember(after)

    def has_tap(self, code: str, tap: str) -> bool:
        """Return whether a tap has been written at a table."""
        return bool(self.rows("SELECT 1 FROM entries WHERE table_id = ? AND tap = ?", [self._id(code), tap]))

    def newest(self, code: str) -> int:
        """Return the number of the last entry of a table; 0 when it has gone."""
        return self.rows("SELECT MAX(number) FROM entries WHERE table_id = ?", [self._id(code)])[0][0] or 0

    def data_version(self) -> int:
        """Return a number that changes when another connection has committed; only those of one thread can be compared."""
        return self.rows("PRAGMA data_version")[0][0]

    def codes(self) -> list[str]:
        """Return the codes of all tables in the order in which they were opened."""
        return [code for (code,) in self.rows("SELECT code FROM tables ORDER BY id")]

    def has(self, code: str) -> bool:
        """Return whether there is a table with this code."""
        return bool(self.rows("SELECT 1 FROM tables WHERE code = ?", [code]))

    def log(self, code: str) -> list[tuple]:
        """Return the entries of a table as they are stored: number, at, device, seat, what.

        :raises NoSuchTable: when there is none.
        """
        return self.rows(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? ORDER BY number", [self._id(code)]
        )

    def write(self, code: str, entries: Sequence[Entry], tap: Callable[[], str]) -> None:
        """Write entries that came in a file to a table, which is made where there is none; they have been followed already."""
        with self.writing() as db:
            if not self.has(code):
                db.table("tables").insert({"code": code})
            for entry in entries:
                self._insert(self._id(code), entry, tap())

    def codes_of(self, device: str, limit: int = 12, *, open: bool = False) -> list[str]:
        """Return the tables a phone has said something at, the one opened last first, whatever the clock said.

        :param open: of its latest tables only those of which no result is known.
        """
        # From one table of the phone to the next: to read all its entries takes long where it has been at thousands.
        rows = self.rows(
            f"""WITH RECURSIVE at(id) AS (
                    SELECT MAX(table_id) FROM entries WHERE device = ?1
                    UNION ALL
                    SELECT (SELECT MAX(table_id) FROM entries WHERE device = ?1 AND table_id < at.id) FROM at WHERE id IS NOT NULL
                    LIMIT {LATEST if open else "?2"}
                )
                SELECT tables.code FROM at JOIN tables ON tables.id = at.id {"WHERE" if open else ""}
                {"NOT EXISTS (SELECT 1 FROM results WHERE results.code = tables.code AND over)" if open else ""} LIMIT ?2""",
            [device, limit],
        )
        return [code for (code,) in rows]

    def going_on(self, limit: int) -> list[str]:
        """Return the latest tables of which no final result is known."""
        over = "SELECT 1 FROM results WHERE results.code = tables.code AND over"
        return [
            code
            for (code,) in self.rows(
                f"SELECT code FROM tables WHERE NOT EXISTS ({over}) ORDER BY id DESC LIMIT ?", [limit]
            )
        ]

    def rows(self, sql: str, given: Sequence = ()) -> list[tuple]:
        """Return what a question to the file finds.

        :raises Trouble: when it cannot be read.
        """
        with self._said():
            return self.db.execute(sql, given).fetchall()

    def _insert(self, id: int, entry: Entry, tap: str) -> None:
        # Plain SQL: this is the one statement of every tap, and insert() looks the schema up first.
        self.db.conn.execute(
            "INSERT INTO entries (table_id, number, tap, at, device, seat, what) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [id, entry.number, tap, entry.at, entry.device, entry.seat, msgspec.json.encode(entry.what).decode()],
        )

    def _remember(self, table: Table) -> None:
        with self._lock:
            known = self._tables.get(table.code)
            if known is None or known.number < table.number:
                self._tables[table.code] = table
                self._steps += _weight(table) - (_weight(known) if known else 0)
            self._tables.move_to_end(table.code)
            while self._steps > STEPS_IN_MEMORY and len(self._tables) > 1:
                _, forgotten = self._tables.popitem(last=False)
                self._steps -= _weight(forgotten)

    def _forget(self, code: str) -> None:
        with self._lock:
            self._ids.pop(code, None)
            if table := self._tables.pop(code, None):
                self._steps -= _weight(table)

    def forget_tables(self) -> None:
        """Read every table anew from now on: what is stored of them has been changed."""
        with self._lock:
            self._tables.clear()
            self._steps = 0

    def check(self) -> None:
        """See whether tables can be read and written here.

        :raises Trouble: when they cannot.
        """
        if self.damage:
            raise Damaged(DAMAGED)
        with self.writing() as db:
            db.execute("SELECT 1 FROM entries LIMIT 1").fetchone()
            db.execute("DELETE FROM tables WHERE id < 0")  # none; but SQLite looks only now whether it may write

    def latest(self) -> datetime.datetime | None:
        """Return when the latest entry of any table was made, as the clock then said."""
        last = "SELECT MAX(number) FROM entries WHERE table_id = tables.id"
        found = self.rows(f"SELECT MAX(at) FROM tables JOIN entries ON table_id = tables.id AND number = ({last})")[0][
            0
        ]
        try:
            return datetime.datetime.fromisoformat(found) if found else None
        except ValueError:  # an imported log may have anything
            return None

    def older(self, before: str) -> list[tuple[str, str]]:
        """Return the tables at which nothing has been said since a time, each with when it was; the longest silent first.

        The table opened last is not among them: its number is not to be given again while others remember it.
        """
        return self.rows(
            """SELECT code, MAX(at) FROM tables LEFT JOIN entries ON tables.id = entries.table_id
               WHERE tables.id < (SELECT MAX(id) FROM tables)
               GROUP BY tables.id HAVING COALESCE(MAX(at), '') < ? ORDER BY 2, code""",
            [before],
        )

    def expire(self, before: str) -> list[str]:
        """Delete the tables that are `older`, all or none, and return their codes.

        :raises Trouble: when they cannot be deleted; then none has been.
        """
        with self.writing() as db:
            codes = [code for code, _ in self.older(before)]
            for code in codes:
                db.execute("DELETE FROM entries WHERE table_id = (SELECT id FROM tables WHERE code = ?)", [code])
                db.execute("DELETE FROM tables WHERE code = ?", [code])
        for code in codes:
            self._forget(code)
        return codes


def _make(path: Path) -> None:
    """Make the database if it is missing.

    It appears whole, so no process ever sees half of it.

    :raises Unreadable: when the file has been lost or emptied.
    """
    log, _ = beside = wal_files(path)
    has_log = log.exists() and log.stat().st_size  # before the look at the file, as that comes first
    refuse_empty(path)
    if not path.exists():
        if has_log:
            raise Unreadable(
                f"{path} is missing, although {log.name} is there: {_RESTORE} delete {log.name} to start over."
            )
        _make_new(path)
    keep_private(path, *beside)


def _make_new(path: Path) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    made = Path(name)
    try:
        made.chmod(0o600)  # whatever the umask
        with closing(sqlite3.connect(made)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            migrations.apply(sqlite_utils.Database(db))
        try:
            os.link(made, path)
        except FileExistsError:
            return  # another process was quicker
        except OSError:  # a memory card has no links
            with suppress(FileExistsError), open(path, "xb", opener=private) as file:
                file.write(made.read_bytes())
                file.flush()
                os.fsync(file.fileno())
    finally:
        for each in (made, *wal_files(made)):
            each.unlink(missing_ok=True)
    sync_folder(path.parent)


def _use_wal(db: sqlite_utils.Database) -> None:
    """Switch a database to WAL, waiting for another process; SQLite itself does not wait here."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(RETRY)


def wal_files(path: Path) -> tuple[Path, Path]:
    """Return the files that SQLite may keep beside a database: its write-ahead log first."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def refuse_empty(path: Path) -> None:
    """Refuse an empty database: Waymark never leaves one, so its content has been lost.

    :raises Unreadable: when the file is empty.
    """
    if path.exists() and not path.stat().st_size:
        although = ", although keys are beside it" if any(path.with_name(key).exists() for key in KEYS) else ""
        raise Unreadable(f"{path} is empty{although}: {_RESTORE} delete the file to start over.")


def stamp(ago: datetime.timedelta = datetime.timedelta()) -> str:
    """Return the time now, or some time ago, as entries have it: UTC, ISO 8601, to the millisecond."""
    return (datetime.datetime.now(datetime.UTC) - ago).isoformat(timespec="milliseconds")


def _weight(table: Table) -> int:
    return EMPTY + len(table.steps) + len(table.undone) + len(table.repairs)


def refuse_newer(db: sqlite_utils.Database) -> None:
    """:raises Unreadable: when the file has been through a migration that this Waymark does not know."""
    unknown = sorted({step.name for step in migrations.applied(db)} - known_steps())
    if unknown:
        raise Unreadable(f"a newer Waymark has written them ({unknown[0]}). Update Waymark; nothing has been changed.")


_RESTORE = "restore a backup with waymark restore --force, or"
_HELD = "Another program holds the file of the tables. What you did has not counted; try again in a moment."
_NO_ROOM = "The computer that runs Waymark has no room left on its disk. What you did has not counted; make room there."
DAMAGED = "The database is damaged. Restore a backup, or save what can be read with waymark export --all."
_FAULTS = {  # SQLite's primary error codes
    sqlite3.SQLITE_FULL: (Full, _NO_ROOM),
    sqlite3.SQLITE_BUSY: (Busy, _HELD),
    sqlite3.SQLITE_LOCKED: (Busy, _HELD),
    sqlite3.SQLITE_CORRUPT: (
        Damaged,
        "What is stored here is damaged and cannot be read. waymark export saves what can be.",
    ),
    sqlite3.SQLITE_NOTADB: (
        Damaged,
        "The file of the tables is damaged and cannot be read. waymark export saves what can be.",
    ),
}
LEAST_ROOM = 1 << 20  # bytes; with less a disk counts as full, whatever SQLite calls it


def _trouble(path: Path, fault: sqlite3.DatabaseError) -> Trouble:
    """Return a fault of the file in words. What was to be written has not been: its transaction was rolled back."""
    code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    if "decode" in str(fault):  # text that is no text: Python's own complaint, without a code
        code = sqlite3.SQLITE_CORRUPT
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and shutil.disk_usage(path.parent).free < LEAST_ROOM:
        code = sqlite3.SQLITE_FULL
    kind, text = _FAULTS.get(
        code, (Trouble, f"The tables cannot be written on the computer that runs Waymark: {fault}.")
    )
    return kind(text)


def _entry(number: int, at: str, device: str, seat: int | None, what: str) -> Entry:
    try:
        return Entry(number, at, device, seat, msgspec.json.decode(what, type=What))
    except msgspec.DecodeError as fault:
        raise Broken(f"Entry {number} cannot be read: {fault}") from fault
