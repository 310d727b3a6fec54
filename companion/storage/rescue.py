"""Recovery of logs from a damaged database: reads every entry that is still readable."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlite_utils

from companion.storage.database import UnreadableDatabaseError, has_unmerged_writes, refuse_empty, refuse_newer
from companion.storage.store import CODE_PATTERN

JsonScalar = str | int | None
Row = tuple[JsonScalar, ...]  # number, at, device, seat, what; on a damaged page, each can have any type
LOOKAHEAD_ENTRIES = 500  # entries to try after the last known one: more than a page of the file holds
RESTORE_HINT = "Restore a backup with waymark restore --force."
READ_ERRORS = (sqlite3.Error, MemoryError, OverflowError)  # damaged pages can contain any lengths and numbers
# SQLite stores these columns in the table and in several indexes. Each is read from both ends, as far as possible.
# The keys are the sources; the values are the columns that a source is ordered by.
NUMBER_SOURCES = {
    "entries NOT INDEXED": ("table_id", "number"),
    "entries INDEXED BY sqlite_autoindex_entries_2": ("table_id", "tap"),
    "entries INDEXED BY entries_of_a_device": ("device", "table_id", "at"),
    "entries INDEXED BY idx_entries_device": ("device",),
}
CODE_SOURCES = {"tables NOT INDEXED": ("id",), "tables INDEXED BY idx_tables_code": ("code",)}

# SQLite can reach an entry in ascending or descending order, and either way may lead over a damaged page.
_ENTRY_QUERY = """SELECT number, at, device, seat, what FROM entries
            WHERE table_id = ?1 AND number BETWEEN ?2 AND ?2 ORDER BY number {} LIMIT 1"""


class RecoveredLog(NamedTuple):
    """The readable entries of a table's log, and the numbers of the entries that are lost."""

    rows: list[Row]
    missing_numbers: list[int]


class Rescue:
    """A database to recover logs from. It is never written to; migrations are not applied."""

    def __init__(self, db: sqlite3.Connection):
        self._db = db
        self.is_damaged = False  # could something not be read?
        self._last_numbers: dict[int, int] = {}  # the highest number found in any source, by table id
        for id, number in self._scan("table_id, number", NUMBER_SOURCES):
            if isinstance(id, int) and isinstance(number, int):
                self._last_numbers[id] = max(number, self._last_numbers.get(id, 0))
        self.tables = self._find_tables()

    def _find_tables(self) -> dict[str, int]:
        """Return the tables' ids by code; a table whose code is lost is named after its id."""
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
        """Return the readable entries of a table's log."""
        id = self.tables[code]
        rows: list[Row] = []
        number, last_number = 0, self._last_numbers.get(id, 0)
        while number < last_number + (LOOKAHEAD_ENTRIES if self.is_damaged else 0):
            number += 1
            row = self._fetch_one(_ENTRY_QUERY.format("ASC"), [id, number]) or self._fetch_one(
                _ENTRY_QUERY.format("DESC"), [id, number]
            )
            if row:
                rows.append(tuple(map(_json_scalar, row)))
                last_number = max(last_number, number)
        return RecoveredLog(rows, sorted(set(range(1, last_number + 1)) - {row[0] for row in rows}))

    def _scan(self, columns: str, sources: dict[str, tuple[str, ...]]) -> Iterator[tuple]:
        for source, order in sources.items():
            for direction in ("ASC", "DESC"):
                ordering = ", ".join(f"{column} {direction}" for column in order)
                yield from self._readable_rows(f"SELECT {columns} FROM {source} ORDER BY {ordering}")

    def _readable_rows(self, query: str) -> Iterator[tuple]:
        """Yield the rows of a query up to the first that cannot be read."""
        try:
            yield from self._db.execute(query)
        except READ_ERRORS as error:
            self.is_damaged |= "no such index" not in str(error)  # older versions did not have all indexes

    def _fetch_one(self, query: str, values: list) -> tuple | None:
        try:
            return self._db.execute(query, values).fetchone()
        except READ_ERRORS:
            self.is_damaged = True
            return None


def _json_scalar(value: bytes | float | JsonScalar) -> JsonScalar:
    """Return a value from a possibly damaged page as a JSON scalar."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value) if isinstance(value, float) else value


@contextmanager
def open_rescue(path: Path) -> Iterator[Rescue]:
    """Open a database to recover logs from it.

    :raises UnreadableDatabaseError: when SQLite cannot read it at all, or a newer Waymark has written it.
    """
    refuse_empty(path)
    with closing(_connect(path)) as db:
        db.text_factory = lambda text: text.decode(errors="replace")
        try:
            names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        except READ_ERRORS as error:
            raise UnreadableDatabaseError(f"Cannot read {path}: {error}. {RESTORE_HINT}") from error
        if not {"tables", "entries"} <= names:
            raise UnreadableDatabaseError(f"{path} is not a Waymark database.")
        try:
            refuse_newer(sqlite_utils.Database(db))
        except READ_ERRORS:
            pass  # the record of migrations is lost too
        yield Rescue(db)


def _connect(path: Path) -> sqlite3.Connection:
    """Return a read-only connection.

    If SQLite cannot create its files beside the database, it is opened as immutable.
    """
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            db.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            db.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN or has_unmerged_writes(path):
                raise
            db = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    except sqlite3.Error as error:
        raise UnreadableDatabaseError(f"Cannot read {path}: {error}. {RESTORE_HINT}") from error
    return db
