"""Many tables at once: moves a second and how late the last answer is, next to a bare view and raw commits; open streams."""

import itertools
import re
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.web.server import allow_many_connections
from scoring.games import PLAYS
from tests.bench.games import fresh_instance, recorded
from tests.bench.phones import BY_HTMX, Phone, sit_down
from tests.bench.report import Options, Row, percentile, ratio, row
from tests.bench.wire import SERVE, Ears, process_of, serving

GAMES = ("trails", "parks", "alpine-trails")
TABLES = 20
SHARE = 0.3  # of the bare view
LATE = 100.0  # ms: p99
CLUB = 250  # tables with four phones each
MOST = 2000  # moves a second that are prepared for
EACH = 10.0  # seconds between two moves at a table of the club
MEMORY = 250.0  # MB


def run(options: Options) -> Iterator[Row]:
    """Play at 20 tables as fast as they are answered, a game after the other; say as much to the bare view; hold 1,000 streams."""
    seconds, rounds = (1.0, 2) if options.quick else (1.5, 16)
    found: dict[str, list[float]] = {}
    late: dict[str, list[float]] = {}
    with (
        fresh_instance() as folder,
        serving(*SERVE, str(folder)) as port,
        serving("tests.bench.echo", str(folder)) as bare,
    ):
        hands = {game: [Hand(port, game, seed) for seed in range(TABLES)] for game in GAMES}
        hands["bare view"] = [Hand(bare) for _ in range(TABLES)]
        for each in hands.values():
            at_once(each, 1.0)  # templates are read, pages are warm
        for _ in range(rounds):
            for name, each in hands.items():
                times = at_once(each, seconds)
                found.setdefault(name, []).append(len(times) / seconds)
                late.setdefault(name, []).extend(times)
            found.setdefault("raw", []).append(_commits(folder, seconds / 4))
        for each in itertools.chain.from_iterable(hands.values()):
            each.close()
    for game in GAMES:
        share = ratio(found[game], found["bare view"])
        note = f"{share:.2f} of the bare view (at least {SHARE}: {'yes' if share >= SHARE else 'NO'}); p50 {percentile(late[game], 0.5):.0f} ms"
        yield row(
            f"{TABLES} tables of {PLAYS[game].box.title} at once",
            "moves/s",
            found[game],
            more_is_better=True,
            note=note,
        )
        yield _late(f"{TABLES} tables of {PLAYS[game].box.title}, p99", late[game], LATE)
    yield row("a bare Flask view with one durable commit", "answers/s", found["bare view"], more_is_better=True)
    yield _late("the bare view, p99", late["bare view"], None)
    yield row("raw SQLite commits, one connection", "commits/s", found["raw"], more_is_better=True)
    yield from club(5.0 if options.quick else 40.0)


def _late(what: str, values: list[float], target: float | None) -> Row:
    late = percentile(values, 0.99)
    return Row(what, "ms", late, late, late, 1, target=target, note=f"of {len(values)}")


class Hand:
    """One phone that holds every seat of a table and plays what has been played before, as fast as it is answered; without
    a game it only says something to the bare view."""

    def __init__(self, port: int, game: str = "", seed: int = 0):
        self.phone = Phone(port, f"127.0.1.{seed + 1}")
        self.game, self.seed = game, seed
        self._moves: deque[tuple[str, dict]] = deque()
        self.took: list[float] = []
        self.said_at = 0.0

    def say(self) -> None:
        path, form = self._next()
        self.said_at = time.perf_counter()
        self.phone.talk.send("POST", path, form, BY_HTMX + self.phone.has)

    def prepare(self, moves: int) -> None:
        """Open tables until there is enough to say: that is not what is measured."""
        while self.game and len(self._moves) < moves:
            self._moves.extend(self.phone.at_a_new_table(self.game, self.seed))
            self.seed += TABLES

    def _next(self) -> tuple[str, dict]:
        return self._moves.popleft() if self.game else ("/keep", {"move": '{"type":"hike","steps":2}'})

    def answered(self) -> bool:
        """Take what has come; return whether that is the whole answer."""
        answer = self.phone.talk.take()
        if answer is None:
            return False
        self.took.append((time.perf_counter() - self.said_at) * 1000)
        if answer.status != 200:
            raise RuntimeError(f"{self.game} {self.seed}: {answer.status} {answer.body[:300]!r}")
        self.phone.keep(answer.content)
        return True

    def close(self) -> None:
        self.phone.talk.close()


def at_once(hands: list[Hand], seconds: float) -> list[float]:
    """Let all hands play for some seconds; return what each answer took, in milliseconds."""
    for hand in hands:
        hand.prepare(int(seconds * MOST / TABLES))
        hand.took = []
    ears, until = Ears(), time.perf_counter() + seconds
    for hand in hands:
        ears.add(hand.phone.talk, _go_on(hand, until))
        hand.say()
    ears.until(lambda: time.perf_counter() > until and all(hand.said_at == 0.0 for hand in hands))
    ears.forget()
    return [took for hand in hands for took in hand.took]


def _go_on(hand: Hand, until: float) -> Callable[[], None]:
    def on_bytes() -> None:
        if hand.answered():
            if time.perf_counter() < until:
                hand.say()
            else:
                hand.said_at = 0.0

    return on_bytes


def _commits(folder: Path, seconds: float) -> float:
    """Return how many commits a second SQLite makes durable here by itself."""
    db = sqlite3.connect(folder / "raw.sqlite3")
    for line in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "CREATE TABLE IF NOT EXISTS said (what TEXT)",
    ):
        db.execute(line)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        with db:
            db.execute("INSERT INTO said VALUES ('hike 2')")
        done += 1
    db.close()
    return done / seconds


def club(seconds: float) -> Iterator[Row]:
    """Hold four streams at each of 250 tables, and play a move at each every ten seconds."""
    allow_many_connections()
    ears = Ears()
    answered, redrawn = [], []
    with fresh_instance() as folder, serving(*SERVE, str(folder)) as port:
        tables = [sit_down(port, 4, ears, f"127.0.2.{number % 250 + 1}") for number in range(CLUB)]
        moves = [iter(recorded(4, seed)) for seed in range(CLUB)]
        start = time.perf_counter()
        for turn in range(int(seconds / EACH * CLUB)):
            due = start + turn * EACH / CLUB
            ears.pause(max(0.0, due - time.perf_counter()))
            phones, (seat, move) = tables[turn % CLUB], next(moves[turn % CLUB])
            version, at = phones[seat].shown + 1, time.perf_counter()
            phones[seat].play(move)
            ears.until(lambda: phones[seat].shown >= version)
            answered.append((phones[seat].shown_at - at) * 1000)
            ears.until(lambda: all(phone.shown >= version for phone in phones))
            redrawn.append((max(phone.shown_at for phone in phones) - at) * 1000)
        memory = _memory(process_of(port))
        ears.close()
    what = f"{4 * CLUB} streams at {CLUB} tables"
    yield row(f"{what}: tap answered", "ms", answered, note=f"a move each {EACH:.0f} s at each table")
    yield _late(f"{what}: tap answered, p99", answered, LATE)
    yield _late(f"{what}: all four redrawn, p99", redrawn, LATE)
    yield Row(f"{what}: memory of the server", "MB", memory, memory, memory, 1, target=MEMORY)


def _memory(process: int) -> float:
    """Return the resident memory of a process, in MB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
