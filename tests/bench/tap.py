"""Benchmark the server's work for a tap, and the bytes that the other phones get."""

import time
from collections.abc import Iterator

import msgspec
from flask import Flask
from werkzeug.test import EnvironBuilder

from companion.log.table import to_data
from companion.web.app import create_app
from companion.web.server import StreamCompressor
from scoring.games import TRACKED_GAMES
from tests.bench.games import NAMES, random_game_moves, temporary_instance
from tests.bench.report import Options, Row, make_row
from tests.support.phones import Phone, SeatedTable, new_tap

# Milliseconds of a tap; bytes on the wire for a phone that waits.
TARGETS = {"trails": (2.3, 1000), "parks": (4.8, 1500), "alpine-trails": (5.0, 1000), "on-the-trail": (None, 1000)}
WARM_UP = 10  # Moves that are not counted.


def run(options: Options) -> Iterator[Row]:
    """Play a random game of each title with up to four phones."""
    for game in TARGETS:
        with temporary_instance() as folder:
            yield from _measure(create_app(folder), game, options)


def _measure(app: Flask, game: str, options: Options) -> Iterator[Row]:
    tracked = TRACKED_GAMES[game]
    count = min(len(NAMES), tracked.box.player_counts[-1])
    table = _open_table(app, game, count)
    streams = [(table.subscribe(seat), StreamCompressor().compress) for seat in range(count)]
    taps: list[float] = []
    sizes: list[float] = []
    for seat, move in random_game_moves(count, 1, game)[: 30 if options.quick else 120]:
        milliseconds = _answer_tap(table, seat, msgspec.json.encode(move).decode())
        for render, compress in (stream for other, stream in enumerate(streams) if other != seat):
            start = time.thread_time()
            changes = render()
            assert changes, "a phone that waits gets its changes"
            size = len(compress(changes))
            milliseconds += (time.thread_time() - start) * 1000
            sizes.append(size)
        taps.append(milliseconds)
    time_target, size_target = TARGETS[game]
    label = f"{tracked.box.title}, {count} phones"
    yield make_row(f"{label}: processor time of a tap", "ms", taps[WARM_UP:], target=time_target)
    yield make_row(f"{label}: another player's move", "bytes", sizes[WARM_UP * (count - 1) :], target=size_target)


def _open_table(app: Flask, game: str, count: int) -> SeatedTable:
    """Return a table with a phone at each seat, which shows its page."""
    phones = tuple(Phone(app) for _ in range(count))
    setup = TRACKED_GAMES[game].setup_format.default(list(NAMES[:count]))
    referee = app.extensions["waymark"]
    table = SeatedTable(app, referee.open_table(phones[0].device, game, to_data(setup)).code, phones)
    for seat, phone in enumerate(phones):
        referee.sit(table.table, phone.device, new_tap(), seat)
    for seat in range(count):
        table.page(seat)
    return table


def _answer_tap(table: SeatedTable, seat: int, move: str) -> float:
    """Have the app answer a tap; return its processor time in milliseconds."""
    phone = table.phone(seat)
    known = table.app.extensions["pages"].sent(table.code, f"seat-{seat}", phone.device).etags
    environ = EnvironBuilder(
        f"{table.path}/seat/{seat}/play",
        method="POST",
        data={"csrf_token": phone.token, "tap": new_tap(), "move": move},
        headers={
            "Cookie": f"waymark={phone.http.get_cookie('waymark').value}",
            "HX-Request": "true",
            "Known-Fragments": known,
            "Accept-Encoding": "gzip",
        },
    ).get_environ()
    statuses: list[str] = []
    start = time.thread_time()
    answer = table.app(environ, lambda status, headers, fault=None: statuses.append(status))
    b"".join(answer)
    milliseconds = (time.thread_time() - start) * 1000
    answer.close()
    assert statuses == ["200 OK"], statuses
    return milliseconds
