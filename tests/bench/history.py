"""Benchmark pages and start-up of an instance with thousands of finished tables.

Pages: home, history, a search, statistics, a player and a new table.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from flask import Flask
from msgspec.structs import replace

from companion.history.result import Result, build_result
from companion.rendering.templating import precompile
from companion.storage.store import ALPHABET
from companion.system.paths import CHECKOUT
from companion.web.app import create_app
from tests.bench.games import temporary_instance
from tests.bench.printing import finished_table
from tests.bench.report import Options, Row, make_row, time_call

TABLES = 5000
PAGE_TARGET, STATISTICS_TARGET, START_TARGET = 50, 250, 2000  # Milliseconds.
NAMES = ("Ana", "Bo", "Cy", "Di", "Eva", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lu")
START_SCRIPT = (
    "import sys; from pathlib import Path; from companion.web.app import create_app; "
    "app = create_app(Path(sys.argv[1])); app.extensions['waymark'].store.check(); app.test_client().get('/')"
)
PAGES = {
    "home page": "/",
    "history": "/history",
    "history, page 100": "/history?page=100",
    "history, search": "/history?q=ana+2024",
    "statistics": "/history/statistics",
    "player": "/history/players/1",
    "new table": "/new/trails",
}


def run(options: Options) -> Iterator[Row]:
    """Fill an instance with finished four-player games of one phone, and time its pages."""
    many = 500 if options.quick else TABLES
    with temporary_instance() as folder:
        app = create_app(folder)
        phone = app.test_client()
        phone.get("/")
        with phone.session_transaction() as session:
            device = session["device"]
        fill(app, device, many)
        precompile(app)  # As the server does once it listens.
        for label, path in PAGES.items():
            for phone_kind in ("phone at all tables", "owner's phone"):
                if phone_kind == "owner's phone":
                    app.extensions["waymark"].card_facts.owners.add(device)
                else:
                    app.extensions["waymark"].card_facts.owners.remove(device)
                first = time_call(lambda path=path: phone.get(path))
                values = [time_call(lambda path=path: phone.get(path)) for _ in range(5 if options.quick else 30)]
                yield make_row(
                    f"{label}: {phone_kind}",
                    "ms",
                    values,
                    target=STATISTICS_TARGET if label == "statistics" else PAGE_TARGET,
                    note=f"{many:,} tables; first request {first:.0f} ms",
                )
        app.extensions["waymark"].store.db.conn.close()
        yield make_row(
            "start until the first page is sent",
            "ms",
            [time_call(lambda: _start_server(folder)) for _ in range(3)],
            target=START_TARGET,
            note=f"{many:,} tables",
        )


def _start_server(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", START_SCRIPT, str(folder)], cwd=CHECKOUT, check=True)


def fill(app: Flask, device: str, table_count: int) -> None:
    """Write finished tables: the same game each time, with other players on other dates."""
    referee, dice = app.extensions["waymark"], random.Random(1)
    table = finished_table()
    result = build_result(table, "")
    now = datetime(2026, 11, 1, tzinfo=UTC)
    with referee.store.transaction() as db:
        for number in range(table_count):
            code = "".join(ALPHABET[number // 20**place % 20] for place in range(5))
            id = db.table("tables").insert({"code": code}).last_pk
            db.conn.executemany(
                "INSERT INTO entries (table_id, number, tap, at, device, seat, what) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (id, entry, f"tap {entry}", table.updated_at, device, 0, "{}")
                    for entry in range(1, table.version + 1)
                ],
            )
            names = dice.sample(NAMES, 4)
            parts = tuple(replace(part, name=name) for part, name in zip(result.players, names, strict=True))
            ended = (now - timedelta(hours=7 * number)).isoformat(timespec="milliseconds")
            kept = Result(
                "".join(dice.choices(ALPHABET, k=6)),
                result.game,
                ended,
                parts,
                verdict=result.verdict,
                minutes=45,
                code=code,
            )
            referee.results.save(kept, device, [device])
