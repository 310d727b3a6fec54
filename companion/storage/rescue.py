"""What can be read of the tables, whatever has happened to their file: entry by entry, around what is damaged."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import sqlite_utils

from companion.storage.store import ALPHABET, CODE_LENGTH, UnreadableDatabaseError, refuse_empty, refuse_newer

JsonScalar = str | int | None
Row = tuple[JsonScalar, ...]  # number, at, device, seat, what: on a damaged page any of them can be anything
CODE_PATTERN = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
LOOKAHEAD_ENTRIES = 500  # entries looked for after the last that is known: more than a page of the file holds
READ_ERRORS = (sqlite3.Error, MemoryError, OverflowError)  # damaged pages can claim to hold anything
# Everything is written in several places; each is read from both its ends, as far as it can be. Place, and its order:
NUMBER_SOURCES = {
    "entries NOT INDEXED": ("table_id", "number"),
    "entries INDEXED BY sqlite_autoindex_entries_2": ("table_id", "tap"),
    "entries INDEXED BY entries_of_a_device": ("device", "table_id", "at"),
    "entries INDEXED BY idx_entries_device": ("device",),
}
CODE_SOURCES = {"tables NOT INDEXED": ("id",), "tables INDEXED BY idx_tables_code": ("code",)}

# SQLite comes to an entry from one side or the other, and either way may lead over a damaged page.
_ENTRY_QUERY = """SELECT number, at, device, seat, what FROM entries
            WHERE table_id = ?1 AND number BETWEEN ?2 AND ?2 ORDER BY number {} LIMIT 1"""


class RecoveredLog(NamedTuple):
    """What could be read of a table's log, and the numbers of the entries that could not."""

    rows: list[Row]
    missing_numbers: list[int]


class Rescue:
    """A file of tables to read from. Nothing is written to it, not even what a newer version would."""

    def __init__(self, db: sqlite3.Connection):
        self._db = db
        self.is_damaged = False  # something could not be read
        self._last_numbers: dict[int, int] = {}  # of each table, the highest number that any place knows of
        for id, number in self._scan("table_id, number", NUMBER_SOURCES):
            if isinstance(id, int) and isinstance(number, int):
                self._last_numbers[id] = max(number, self._last_numbers.get(id, 0))
        self.tables = self._find_tables()

    def _find_tables(self) -> dict[str, int]:
        """Return the tables there are, code to id; where a code is lost, it is a name made of the id."""
        codes: dict[int, str] = {}
        for id, code in self._scan("id, code", CODE_SOURCES):
            if isinstance(id, int) and isinstance(code, str) and CODE_PATTERN.fullmatch(code):
                codes.setdefault(id, code)
        for id in set(self._last_numbers) - set(codes):
            row = self._fetch_one("SELECT code FROM tables WHERE id = ?", [id])
            code = row[0] if row else None
            if isinstance(code, str) and CODE_PATTERN.fullmatch(code):
                codes[id] = code
            else:
                codes[id] = f"table-{id}"
                self.is_damaged = True
        return {code: id for id, code in sorted(codes.items())}

    def read_log(self, code: str) -> RecoveredLog:
        """Return what can be read of a table's log."""
        id = self.tables[code]
        rows: list[Row] = []
        number, last = 0, self._last_numbers.get(id, 0)
        while number < last + (LOOKAHEAD_ENTRIES if self.is_damaged else 0):
            number += 1
            row = self._fetch_one(_ENTRY_QUERY.format("ASC"), [id, number]) or self._fetch_one(
                _ENTRY_QUERY.format("DESC"), [id, number]
            )
            if row:
                rows.append(tuple(map(_json_scalar, row)))
                last = max(last, number)
        return RecoveredLog(rows, sorted(set(range(1, last + 1)) - {row[0] for row in rows}))

    def _scan(self, columns: str, sources: dict[str, tuple[str, ...]]) -> Iterator[tuple]:
        for place, order in sources.items():
            for way in ("ASC", "DESC"):
                by = ", ".join(f"{column} {way}" for column in order)
                yield from self._readable_rows(f"SELECT {columns} FROM {place} ORDER BY {by}")

    def _readable_rows(self, query: str) -> Iterator[tuple]:
        """Yield the rows of a query up to the first that cannot be read."""
        try:
            yield from self._db.execute(query)
        except READ_ERRORS as fault:
            self.is_damaged |= "no such index" not in str(fault)  # an older version had not all of them

    def _fetch_one(self, query: str, values: list) -> tuple | None:
        try:
            return self._db.execute(query, values).fetchone()
        except READ_ERRORS:
            self.is_damaged = True
            return None


def _json_scalar(value: Any) -> JsonScalar:
    """Return a value as JSON can hold it, whatever a damaged page makes of it."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value) if isinstance(value, float) else value


@contextmanager
def open_rescue(path: Path) -> Iterator[Rescue]:
    """Give what can be read of a file of tables.

    :raises Unreadable: when SQLite can make nothing of it, or a newer Waymark has written it.
    """
    refuse_empty(path)
    with closing(_connect(path)) as db:
        db.text_factory = lambda text: text.decode(errors="replace")
        try:
            names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        except READ_ERRORS as fault:
            instead = "Nothing in it can be found; waymark restore puts a backup in its place."
            raise UnreadableDatabaseError(f"{path}: {fault}. {instead}") from fault
        if not {"tables", "entries"} <= names:
            raise UnreadableDatabaseError(f"{path}: no tables of Waymark")
        try:
            refuse_newer(sqlite_utils.Database(db))
        except READ_ERRORS:
            pass  # which version wrote it is lost too
        yield Rescue(db)


def _connect(path: Path) -> sqlite3.Connection:
    """Return a connection that only reads; where SQLite may put nothing beside the file, it is read as it lies there."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            db.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as fault:
            db.close()
            newest = path.with_name(f"{path.name}-wal")  # what is not in the file itself yet
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN or (newest.exists() and newest.stat().st_size):
                raise
            db = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    except sqlite3.Error as fault:
        raise UnreadableDatabaseError(f"{path}: {fault}") from fault
    return db
