"""Files with plays: those not yet confirmed, and the results that others have added."""

import datetime
import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from companion.exchange.plays import PlayFile
from companion.exchange.spreadsheet import Columns
from companion.history.result import name_key
from companion.storage.store import Store, timestamp

MAX_AGE = datetime.timedelta(days=1)  # of a file that is not confirmed
MAX_LISTED = 10  # confirmed imports that are listed


class Upload(Struct, frozen=True, omit_defaults=True):
    """A file that is not confirmed yet: its plays, or a table whose columns are being assigned."""

    file_name: str
    plays: PlayFile | None = None
    csv: bytes = b""  # the file, if it is a table
    columns: Columns = Columns()  # of the table
    names: dict[str, str] = {}  # the chosen names of players by their names in the file, normalized


class Import(NamedTuple):
    """A confirmed import."""

    id: str
    created_at: str
    file_name: str
    result_ids: tuple[str, ...]  # of the results that it has added


class Imports:
    """The imports of one instance."""

    def __init__(self, store: Store):
        self._store = store

    def add(self, device: str, upload: Upload) -> str:
        """Store a file until it is confirmed, in place of the phone's last; return its id."""
        oldest = (datetime.datetime.now(datetime.UTC) - MAX_AGE).isoformat(timespec="milliseconds")
        with self._store.transaction() as db:
            db.execute("DELETE FROM imports WHERE what NOT NULL AND (device = ? OR at < ?)", [device, oldest])
            id = secrets.token_hex(8)
            row = [id, device, timestamp(), upload.file_name, msgspec.json.encode(upload).decode(), "[]", "{}"]
            db.execute("INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return id

    def upload(self, id: str, device: str) -> Upload | None:
        """Return a file that a phone has sent; None if it was confirmed or deleted."""
        query = "SELECT what FROM imports WHERE id = ? AND device = ? AND what NOT NULL"
        data = self._store.value(query, [id, device])
        return msgspec.json.decode(data, type=Upload) if data else None

    def change(self, id: str, upload: Upload) -> None:
        """Store other choices for a file, unless it was confirmed."""
        with self._store.transaction() as db:
            data = msgspec.json.encode(upload).decode()
            db.execute("UPDATE imports SET what = ? WHERE id = ? AND what NOT NULL", [data, id])

    def discard(self, id: str) -> None:
        """Delete a file that is not confirmed, or the record of an import."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM imports WHERE id = ?", [id])

    def finish(self, id: str, result_ids: Sequence[str], names: Mapping[str, str]) -> None:
        """Record what a file has added, and delete the file.

        :param names: the chosen names of players, to be proposed for the next file of this phone.
        """
        results, chosen = (msgspec.json.encode(value).decode() for value in (result_ids, names))
        with self._store.transaction() as db:
            update = "UPDATE imports SET what = NULL, at = ?, results = ?, names = ? WHERE id = ?"
            db.execute(update, [timestamp(), results, chosen, id])

    def finished(self, device: str) -> list[Import]:
        """Return the imports of a phone that have added results, the latest first."""
        return self._read("device = ? AND results != '[]' ORDER BY at DESC LIMIT ?", device, MAX_LISTED)

    def find(self, id: str, device: str) -> Import | None:
        """Return a confirmed import of a phone; None if it was undone or never existed."""
        return next(iter(self._read("id = ? AND device = ?", id, device)), None)

    def _read(self, condition: str, *parameters: object) -> list[Import]:
        query = f"SELECT id, at, file, results FROM imports WHERE what IS NULL AND {condition}"
        return [
            Import(id, at, file, tuple(msgspec.json.decode(results)))
            for id, at, file, results in self._store.query(query, parameters)
        ]

    def chosen_names(self, device: str) -> dict[str, str]:
        """Return the names chosen for players in earlier files, by their normalized names."""
        query = "SELECT names FROM imports WHERE what IS NULL AND device = ? ORDER BY at"
        names: dict[str, str] = {}
        for data in self._store.column(query, [device]):
            names |= msgspec.json.decode(data)
        return names


def erase_in_imports(store: Store, name: str) -> None:
    """Delete the files that are not confirmed, and the choices of a name.

    :param name: the erased name, normalized.
    """
    with store.transaction() as db:
        db.execute("DELETE FROM imports WHERE what NOT NULL")
        for id, data in store.query("SELECT id, names FROM imports"):
            names = msgspec.json.decode(data)
            kept = {key: chosen for key, chosen in names.items() if name not in (key, name_key(chosen))}
            if kept != names:
                db.execute("UPDATE imports SET names = ? WHERE id = ?", [msgspec.json.encode(kept).decode(), id])
