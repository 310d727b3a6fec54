"""Benchmark many tables in parallel: moves per second, latency and open streams.

The baselines are a bare view and raw SQLite commits.
"""

import itertools
import re
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.web.server import raise_connection_limit
from scoring.games import TRACKED_GAMES
from tests.bench.games import random_game_moves, temporary_instance
from tests.bench.http_client import SERVE_ARGUMENTS, ConnectionSelector, run_server, server_process_id
from tests.bench.phones import HTMX_HEADER, Phone, seat_phones
from tests.bench.report import Options, Row, make_row, percentile

GAMES = ("trails", "parks", "alpine-trails")
TABLES = 20
TARGET_SHARE = 0.3  # Of the rate of the bare view.
P99_TARGETS = {"trails": 80.0, "parks": 100.0, "alpine-trails": 100.0}  # Milliseconds.
CLUB_P99_TARGET = 30.0  # Milliseconds.
CLUB_TABLES = 250  # Tables with four phones each.
MAX_MOVES_PER_SECOND = 2000  # Upper limit of the moves prepared for each second.
MOVE_INTERVAL = 10.0  # Seconds between two moves at a table of the club.
MEMORY_TARGET = 200.0  # Megabytes.


def run(options: Options) -> Iterator[Row]:
    """Load 20 tables of each game, the bare view and raw commits; then hold 1,000 streams."""
    seconds, rounds = (1.0, 2) if options.quick else (1.5, 16)
    found: dict[str, list[float]] = {}
    late: dict[str, list[float]] = {}
    with (
        temporary_instance() as folder,
        run_server(*SERVE_ARGUMENTS, str(folder)) as port,
        run_server("tests.bench.echo_server", str(folder)) as bare,
    ):
        players_by_game = {game: [SimulatedPlayer(port, game, seed) for seed in range(TABLES)] for game in GAMES}
        players_by_game["bare view"] = [SimulatedPlayer(bare) for _ in range(TABLES)]
        for each in players_by_game.values():
            play_concurrently(each, 1.0)  # Warms up templates and pages.
        for _ in range(rounds):
            for name, each in players_by_game.items():
                times = play_concurrently(each, seconds)
                found.setdefault(name, []).append(len(times) / seconds)
                late.setdefault(name, []).extend(times)
            found.setdefault("raw", []).append(_commit_rate(folder, seconds / 4))
        for each in itertools.chain.from_iterable(players_by_game.values()):
            each.close()
    for game in GAMES:
        shares = [ours / bare_view for ours, bare_view in zip(found[game], found["bare view"], strict=True)]
        label = f"{TABLES} tables of {TRACKED_GAMES[game].box.title}"
        yield make_row(f"{label}: moves", "moves/s", found[game], more_is_better=True)
        yield make_row(
            f"{label}: moves, against the bare view", "times", shares, more_is_better=True, target=TARGET_SHARE
        )
        yield make_row(f"{label}: tap answered", "ms", late[game])
        yield _p99_row(f"{label}: tap answered, p99", late[game], P99_TARGETS[game])
    yield make_row("bare Flask view with a durable commit", "answers/s", found["bare view"], more_is_better=True)
    yield _p99_row("bare Flask view with a durable commit, p99", late["bare view"], None)
    yield make_row("raw SQLite commits, one connection", "commits/s", found["raw"], more_is_better=True)
    yield from measure_club(5.0 if options.quick else 40.0)


def _p99_row(label: str, values: list[float], target: float | None) -> Row:
    late = percentile(values, 0.99)
    return Row(label, "ms", late, late, late, 1, target=target, note=f"of {len(values)} answers")


class SimulatedPlayer:
    """One phone that plays all seats of a table from a recording, as fast as it is answered.

    Without a game, it posts to the bare view.
    """

    def __init__(self, port: int, game: str = "", seed: int = 0):
        self.phone = Phone(port, f"127.0.1.{seed + 1}")
        self.game, self.seed = game, seed
        self._moves: deque[tuple[str, dict]] = deque()
        self.durations: list[float] = []
        self.sent_at = 0.0

    def submit(self) -> None:
        path, form = self._next_form()
        self.sent_at = time.perf_counter()
        self.phone.connection.send("POST", path, form, HTMX_HEADER + self.phone.fragments_header)

    def prepare_moves(self, moves: int) -> None:
        """Open tables until enough moves are prepared, outside the measured time."""
        while self.game and len(self._moves) < moves:
            self._moves.extend(self.phone.open_table_forms(self.game, self.seed))
            self.seed += TABLES

    def _next_form(self) -> tuple[str, dict]:
        return self._moves.popleft() if self.game else ("/store", {"move": '{"type":"hike","steps":2}'})

    def receive_answer(self) -> bool:
        """Process received bytes; return True once the answer is complete."""
        answer = self.phone.connection.take_answer()
        if answer is None:
            return False
        self.durations.append((time.perf_counter() - self.sent_at) * 1000)
        if answer.status != 200:
            raise RuntimeError(f"{self.game} {self.seed}: {answer.status} {answer.body[:300]!r}")
        self.phone.remember_fragments(answer.content)
        return True

    def close(self) -> None:
        self.phone.connection.close()


def play_concurrently(players: list[SimulatedPlayer], seconds: float) -> list[float]:
    """Let all players play for some seconds; return the time of each answer in milliseconds."""
    for player in players:
        player.prepare_moves(int(seconds * MAX_MOVES_PER_SECOND / TABLES))
        player.durations = []
    selector, until = ConnectionSelector(), time.perf_counter() + seconds
    for player in players:
        selector.add(player.phone.connection, _continue_until(player, until))
        player.submit()
    selector.run_until(lambda: time.perf_counter() > until and all(player.sent_at == 0.0 for player in players))
    selector.release_all()
    return [duration for player in players for duration in player.durations]


def _continue_until(player: SimulatedPlayer, until: float) -> Callable[[], None]:
    def on_bytes() -> None:
        if player.receive_answer():
            if time.perf_counter() < until:
                player.submit()
            else:
                player.sent_at = 0.0

    return on_bytes


def _commit_rate(folder: Path, seconds: float) -> float:
    """Return how many durable commits per second SQLite makes here by itself."""
    db = sqlite3.connect(folder / "raw.sqlite3")
    for line in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "CREATE TABLE IF NOT EXISTS messages (text TEXT)",
    ):
        db.execute(line)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        with db:
            db.execute("INSERT INTO messages VALUES ('hike 2')")
        done += 1
    db.close()
    return done / seconds


def measure_club(seconds: float) -> Iterator[Row]:
    """Hold four streams at each of 250 tables, and play one move at each every ten seconds."""
    raise_connection_limit()
    selector = ConnectionSelector()
    answered, redrawn = [], []
    with temporary_instance() as folder, run_server(*SERVE_ARGUMENTS, str(folder)) as port:
        tables = [seat_phones(port, 4, selector, f"127.0.2.{number % 250 + 1}") for number in range(CLUB_TABLES)]
        moves = [iter(random_game_moves(4, seed)) for seed in range(CLUB_TABLES)]
        start = time.perf_counter()
        for turn in range(int(seconds / MOVE_INTERVAL * CLUB_TABLES)):
            due = start + turn * MOVE_INTERVAL / CLUB_TABLES
            selector.run_for(max(0.0, due - time.perf_counter()))
            phones, (seat, move) = tables[turn % CLUB_TABLES], next(moves[turn % CLUB_TABLES])
            version, tap_time = phones[seat].shown_version + 1, time.perf_counter()
            phones[seat].play(move)
            selector.run_until(lambda: phones[seat].shown_version >= version)
            answered.append((phones[seat].shown_at - tap_time) * 1000)
            selector.run_until(lambda: all(phone.shown_version >= version for phone in phones))
            redrawn.append((max(phone.shown_at for phone in phones) - tap_time) * 1000)
        memory = _memory_use(server_process_id(port))
        selector.close()
    label = f"{4 * CLUB_TABLES:,} phones at {CLUB_TABLES} tables"
    yield make_row(f"{label}: tap answered", "ms", answered, note=f"a move every {MOVE_INTERVAL:.0f} s at each table")
    yield _p99_row(f"{label}: tap answered, p99", answered, CLUB_P99_TARGET)
    yield _p99_row(f"{label}: all four phones redrawn, p99", redrawn, CLUB_P99_TARGET)
    yield Row(f"{label}: memory of the server", "MB", memory, memory, memory, 1, target=MEMORY_TARGET)


def _memory_use(process: int) -> float:
    """Return the resident memory of a process, in megabytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
