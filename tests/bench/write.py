"""The durable write of one move, alone: on the disk before anybody is told, next to a bare INSERT."""

import secrets
import sqlite3
from collections.abc import Iterator

import msgspec

from companion.log.apply import follow
from companion.log.entries import Entry, Opened, Played
from companion.log.table import plain_move
from companion.storage.store import Store, stamp
from tests.bench.games import TRAILS, fresh_instance, recorded, setup
from tests.bench.report import Options, Row, percentile, row, timed

CREATE = """CREATE TABLE entries (table_id INTEGER NOT NULL, number INTEGER NOT NULL, tap TEXT NOT NULL, at TEXT NOT NULL,
    device TEXT NOT NULL, seat INTEGER, what TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID"""


def run(options: Options) -> Iterator[Row]:
    """Write the moves of random games, one by one, into the store and into a bare table beside it, by turns."""
    ours, bare = [], []
    with fresh_instance() as folder:
        store = Store(folder / "waymark.sqlite3")
        db = sqlite3.connect(folder / "bare.sqlite3")
        for line in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON", CREATE):
            db.execute(line)
        for game in range(1 if options.quick else 4):
            now = stamp()
            table = store.open(Entry(1, now, "host", None, Opened("trails", TRAILS.box.version, plain_move(setup(4)))))
            for seat, move in recorded(4, seed=game):
                entry = Entry(table.number + 1, now, "a phone like others", seat, Played(plain_move(move)))
                tap, text = secrets.token_urlsafe(6), msgspec.json.encode(entry.what).decode()
                ours.append(timed(lambda: store.append(follow(table, entry), entry, tap)))
                bare.append(timed(lambda: _insert(db, (game, entry.number, tap, now, entry.device, seat, text))))
                table = store.table(table.code)
        db.close()
    times = f"{percentile(ours, 0.5) / percentile(bare, 0.5):.2f} times the bare INSERT"
    yield row("store.append", "ms", ours, note=f"p99 {percentile(ours, 0.99):.2f} ms; {times}")
    yield row("bare INSERT, same pragmas", "ms", bare, note=f"p99 {percentile(bare, 0.99):.2f} ms")


def _insert(db: sqlite3.Connection, values: tuple) -> None:
    with db:
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", values)
