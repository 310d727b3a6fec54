"""Floods by hundreds of strangers while a table plays: taps are answered, sheets print."""

import random
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from scoring.games import TRACKED_GAMES
from tests.bench.report import percentile
from tests.support.random_games import random_game
from tests.torture.http_phone import CallerPhone, Server, ServerGoneError, StressReport

TRACKED_GAME = TRACKED_GAMES["trails"]
SLOW_CONNECTIONS, STREAMS = 420, 200  # Connections of strangers.
PHONES, SHEETS = 50, 200  # Phones that print, and sheets in all.


def run(folder: Path, seconds: float) -> StressReport:
    """Play at a table while strangers flood the server; then let many phones print together."""
    server, report, faults = Server(folder), StressReport(), []
    until = time.monotonic() + seconds * 0.7
    threads = [
        threading.Thread(target=_run_stranger, args=(stranger, server, until, report))
        for stranger in (hold_slow_connections, send_large_bodies, guess_codes, open_tables, hold_streams, print_pads)
    ]
    for thread in threads:
        thread.start()
    durations = play_games(server, until, faults)
    for thread in threads:
        thread.join(seconds + 60)
    report["taps of those who play, under floods"] = len(durations)
    report["their p99, ms"] = round(percentile(durations, 0.99), 1)
    print_concurrently(server, report, faults)
    report.expect_none("taps of those who play not answered", faults)
    report.expect_none("tracebacks", server.tracebacks)
    server.close()
    return report


def play_games(server: Server, until: float, failures: list[str]) -> list[float]:
    """Play game after game, faster than people; return the answer times in milliseconds."""
    durations, phone, seed = [], CallerPhone(server.port, "127.0.0.2"), 0
    while time.monotonic() < until:
        seed += 1
        table, moves = phone.open("trails", "Ana", "Bo"), []
        random_game(TRACKED_GAME, TRACKED_GAME.setup_format.default(["Ana", "Bo"]), random.Random(seed), moves)
        for number, (seat, move) in enumerate(moves):
            if time.monotonic() > until:
                break
            began = time.monotonic()
            try:
                answer = phone.play(f"{table}/seat/{seat}", move, f"tap {number}")
            except ServerGoneError as fault:
                failures.append(f"no answer: {fault}")
                break
            durations.append((time.monotonic() - began) * 1000)
            if answer.status != 200:
                failures.append(f"{answer.status}: {answer.body[:200]!r}")
                break
            time.sleep(0.02)
    return durations


def _run_stranger(stranger: Callable, server: Server, until: float, report: StressReport) -> None:
    with suppress(ServerGoneError, OSError):
        stranger(server, until, report)


def hold_slow_connections(server: Server, until: float, report: StressReport) -> None:
    """Open connections and send half a request."""
    connections: list[socket.socket] = []
    while time.monotonic() < until:
        with suppress(OSError):
            connection = socket.create_connection(
                ("127.0.0.1", server.port), 5, (f"127.3.0.{len(connections) % 250 + 1}", 0)
            )
            connection.sendall(
                random.choice(
                    (b"GET / HT", b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\nx", b"")
                )
            )
            connections.append(connection)
            report.count("slow connections")
        time.sleep(0 if len(connections) < SLOW_CONNECTIONS else 0.1)
    for connection in connections:
        connection.close()


def send_large_bodies(server: Server, until: float, report: StressReport) -> None:
    """Send bodies until the server stops reading."""
    chunk = b"x" * (1 << 20)
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 5, ("127.3.1.1", 0)) as connection:
            connection.sendall(b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 314572800\r\n\r\n")
            for _ in range(300):
                connection.sendall(chunk)
                report.count("MB sent in vain")
        time.sleep(0.05)


def guess_codes(server: Server, until: float, report: StressReport) -> None:
    """Guess table codes."""
    stranger = CallerPhone(server.port, "127.3.2.1")
    while time.monotonic() < until:
        code = "".join(random.choices("BCDFGHJKLMNPQRSTVWXZ", k=5))
        stranger.request("GET", f"/t/{code}")
        report.count("codes guessed")


def open_tables(server: Server, until: float, report: StressReport) -> None:
    """Open tables, each with a new phone."""
    while time.monotonic() < until:
        stranger = CallerPhone(server.port, "127.3.3.1")
        stranger.open_page("/new/trails")
        answer = stranger.post("/new/trails", **{"names-0": "A", "names-1": "B"})
        report.count("tables strangers asked for")
        report.count("tables strangers got", answer.status == 200)
        stranger.disconnect()


def hold_streams(server: Server, until: float, report: StressReport) -> None:
    """Hold live streams of the stranger's own table."""
    stranger = CallerPhone(server.port, "127.3.4.1")
    table = stranger.open("trails", "A", "B")
    connections = []
    while time.monotonic() < until:
        if len(connections) < STREAMS:
            connection = socket.create_connection(("127.0.0.1", server.port), 5, ("127.3.4.1", 0))
            connection.sendall(f"GET {table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            connections.append(connection)
            report.count("streams asked for")
        else:
            time.sleep(0.1)
    for connection in connections:
        connection.close()


def print_pads(server: Server, until: float, report: StressReport) -> None:
    """Print score pads, which needs no table code."""
    stranger = CallerPhone(server.port, "127.3.5.1")
    while time.monotonic() < until:
        game, paper = (
            random.choice(("trails", "parks", "alpine-trails", "on-the-trail")),
            random.choice(("a4", "letter")),
        )
        stranger.request("GET", f"/pad/{game}.pdf?paper={paper}", headers={"Accept": "text/html"})
        report.count("pads asked for")


def print_concurrently(server: Server, report: StressReport, failures: list[str]) -> None:
    """Let fifty phones print four sheets each of ten tables, while a table plays."""
    tables = [
        CallerPhone(server.port, f"127.4.0.{number + 1}").open("trails", f"Ana {number}", "Bo") for number in range(10)
    ]
    sheets: list[bytes] = []

    def print_four(number: int) -> None:
        phone = CallerPhone(server.port, f"127.4.1.{number + 1}")
        for sheet in range(SHEETS // PHONES):
            path, until = f"{tables[(number + sheet) % len(tables)]}/score.pdf", time.monotonic() + 120
            while time.monotonic() < until:
                with suppress(ServerGoneError):
                    answer = phone.request("GET", path, headers={"Accept": "text/html"})
                    if answer.body.startswith(b"%PDF-"):
                        sheets.append(answer.body)
                        break
                time.sleep(0.2)

    began = time.monotonic()
    threads = [threading.Thread(target=print_four, args=(number,)) for number in range(PHONES)]
    for thread in threads:
        thread.start()
    durations = []
    while any(thread.is_alive() for thread in threads):
        durations += play_games(server, time.monotonic() + 1, failures)
    report["sheets printed"] = len(sheets)
    report["seconds for them"] = round(time.monotonic() - began, 1)
    report["p99 of a tap meanwhile, ms"] = round(percentile(durations, 0.99), 1)
    report.expect_none("sheets that did not come", [None] * (SHEETS - len(sheets)))
