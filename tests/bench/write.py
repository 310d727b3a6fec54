"""Benchmark the durable write of one move in the store against a bare INSERT."""

import secrets
import sqlite3
from collections.abc import Iterator

import msgspec

from companion.log.apply import apply_entry
from companion.log.entries import Entry, Opened, Played
from companion.log.table import to_data
from companion.storage.store import Store, timestamp
from tests.bench.games import TRAILS, default_setup, random_game_moves, temporary_instance
from tests.bench.report import Options, Row, make_row, percentile, time_call

CREATE = """CREATE TABLE entries (table_id INTEGER NOT NULL, number INTEGER NOT NULL, tap TEXT NOT NULL, \
at TEXT NOT NULL,
    device TEXT NOT NULL, seat INTEGER, what TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID"""


def run(options: Options) -> Iterator[Row]:
    """Write the moves of random games into the store and into a bare table, alternating."""
    ours, bare = [], []
    with temporary_instance() as folder:
        store = Store(folder / "waymark.sqlite3")
        db = sqlite3.connect(folder / "bare.sqlite3")
        for line in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON", CREATE):
            db.execute(line)
        for game in range(1 if options.quick else 4):
            created_at = timestamp()
            table = store.open_table(
                Entry(1, created_at, "host", None, Opened("trails", TRAILS.box.version, to_data(default_setup(4))))
            )
            for seat, move in random_game_moves(4, seed=game):
                entry = Entry(table.version + 1, created_at, "a phone like others", seat, Played(to_data(move)))
                tap, text = secrets.token_urlsafe(6), msgspec.json.encode(entry.payload).decode()
                ours.append(time_call(lambda: store.append(apply_entry(table, entry), entry, tap)))
                bare.append(
                    time_call(lambda: _insert(db, (game, entry.number, tap, created_at, entry.device, seat, text)))
                )
                table = store.table(table.code)
        db.close()
    times = f"{percentile(ours, 0.5) / percentile(bare, 0.5):.2f} times the bare INSERT"
    yield make_row("store a move", "ms", ours, note=f"p99 {percentile(ours, 0.99):.2f} ms; {times}")
    yield make_row("bare INSERT, same SQLite settings", "ms", bare, note=f"p99 {percentile(bare, 0.99):.2f} ms")


def _insert(db: sqlite3.Connection, values: tuple) -> None:
    with db:
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", values)
