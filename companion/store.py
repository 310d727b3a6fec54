"""Where logs are kept: SQLite through sqlite-utils. Appends, loads, folds what is new; knows no HTTP."""

import secrets
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlite_utils

from companion.migrations import migrations
from companion.table import Broken, Entry, Table, What, fold
from scoring.kernel.game import Game, Illegal, Malformed

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels: no words; no digits: nothing to mistake
CODE_LENGTH = 5
TABLES_IN_MEMORY = 200


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

    :raises Unreadable: when the file is no database of ours.
    """

    def __init__(self, path: Path):
        self.path = path
        self._local = threading.local()
        self._lock = threading.Lock()
        self._ids: dict[str, int] = {}
        self._tables: OrderedDict[str, Table] = OrderedDict()
        try:
            migrations.apply(self.db)
        except sqlite3.Error as fault:
            raise Unreadable(f"{path}: {fault}") from fault

    @property
    def db(self) -> sqlite_utils.Database:
        """Return this thread's connection. Every commit is on the disk before it returns (synchronous=FULL)."""
        if not hasattr(self._local, "db"):
            db = sqlite_utils.Database(sqlite3.connect(self.path, timeout=10, check_same_thread=False))
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            self._local.db = db
        return self._local.db

    def open(self, *entries: Entry, last: "Last | None" = None) -> Table:
        """Write a new table with its first entries and return it, under a code nobody has.

        With `last`, the table before it ends with that entry, or nothing is written.

        :raises Taken: when something was said at the table before.
        """
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
            table = None
            for entry in entries:
                table = fold(table, code, entry)
            try:
                with self.db.atomic():
                    id = self.db["tables"].insert({"code": code}).last_pk
                    for entry in entries:
                        self._insert(id, entry, tap=secrets.token_urlsafe(6))
                    if last:
                        self._insert(self._id(last.table.code), last.entry(code), last.tap)
            except sqlite3.IntegrityError as clash:
                if last and self.newest(last.table.code) != last.table.number:
                    raise Taken(last.table.number + 1) from clash
                continue
            self._ids[code] = id
            self._remember(table)
            return table

    def table(self, code: str) -> Table:
        """Return a table as its log stands now.

        :raises NoSuchTable: when no table has this code.
        :raises Broken: when the log cannot be followed.
        """
        id = self._id(code)
        with self._lock:
            table = self._tables.get(code)
        fresh = False
        for row in self.db.execute(
            "SELECT number, at, device, seat, what FROM entries WHERE table_id = ? AND number > ? ORDER BY number",
            [id, table.number if table else 0],
        ):
            table = fold(table, code, _entry(*row))
            fresh = True
        if fresh:
            self._remember(table)
        return table

    def _id(self, code: str) -> int:
        if code not in self._ids:
            row = self.db.execute("SELECT id FROM tables WHERE code = ?", [code]).fetchone()
            if row is None:
                raise NoSuchTable(code)
            self._ids[code] = row[0]
        return self._ids[code]

    def append(self, table: Table, entry: Entry, tap: str) -> None:
        """Write one entry after the table's last.

        :raises Taken: when another entry has that number; judge again on the table as it is now.
        :raises SeenTap: when this tap was written already.
        :raises Broken: when it does not follow from the log; then nothing is written.
        """
        after = fold(table, table.code, entry)
        try:
            with self.db.conn:
                self._insert(self._id(table.code), entry, tap)
        except sqlite3.IntegrityError as clash:
            if self.has_tap(table, tap):
                raise SeenTap(tap) from clash
            raise Taken(entry.number) from clash
        self._remember(after)

    def has_tap(self, table: Table, tap: str) -> bool:
        found = self.db.execute(
            "SELECT 1 FROM entries WHERE table_id = ? AND tap = ?", [self._id(table.code), tap]
        )
        return found.fetchone() is not None

    def newest(self, code: str) -> int:
        """Return the number of the last entry of a table."""
        newest = self.db.execute("SELECT MAX(number) FROM entries WHERE table_id = ?", [self._id(code)])
        return newest.fetchone()[0]

    def data_version(self) -> int:
        """Return a number that changes when another connection has committed."""
        return self.db.execute("PRAGMA data_version").fetchone()[0]

    def codes_of(self, device: str, limit: int = 12) -> list[str]:
        """Return the tables a phone has said something at, the latest first."""
        rows = self.db.execute(
            """SELECT code FROM entries JOIN tables ON tables.id = entries.table_id
               WHERE device = ? GROUP BY table_id ORDER BY MAX(at) DESC LIMIT ?""",
            [device, limit],
        )
        return [code for (code,) in rows]

    def facts(self, game: Game) -> Any:
        """Return what is known here of a game's box; facts of an older version that cannot be read are none."""
        row = self.db.execute("SELECT what FROM facts WHERE game = ?", [game.rules_key]).fetchone()
        try:
            return game.facts.checked(msgspec.json.decode(row[0])) if row else game.facts.type()
        except (Malformed, Illegal, msgspec.DecodeError):
            return game.facts.type()

    def keep_facts(self, game: Game, facts: Any) -> None:
        """Keep what is known of a game's box, for all later tables."""
        what = msgspec.json.encode(facts).decode()
        with self.db.atomic():
            self.db["facts"].upsert({"game": game.rules_key, "what": what}, pk="game")

    def log(self, code: str) -> list[tuple[int, str, str, int | None, str]]:
        """Return every entry of a table as it is stored, readable or not: number, at, device, seat, what.

        :raises NoSuchTable: when no table has this code.
        """
        rows = self.db.execute(
            """SELECT number, at, device, seat, what FROM entries
               JOIN tables ON tables.id = entries.table_id WHERE code = ? ORDER BY number""",
            [code],
        ).fetchall()
        if not rows:
            raise NoSuchTable(code)
        return rows

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
            self._tables.move_to_end(table.code)
            while len(self._tables) > TABLES_IN_MEMORY:
                self._tables.popitem(last=False)


def _entry(number: int, at: str, device: str, seat: int | None, what: str) -> Entry:
    try:
        return Entry(number, at, device, seat, msgspec.json.decode(what, type=What))
    except msgspec.DecodeError as fault:
        raise Broken(f"Entry {number} cannot be read: {fault}") from fault
