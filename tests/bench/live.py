"""Benchmark from a tap to all phones updated, against a minimal live server."""

import itertools
import time
from collections.abc import Iterator

from tests.bench.games import random_game_moves, temporary_instance
from tests.bench.http_client import SERVE_ARGUMENTS, Connection, ConnectionSelector, run_server
from tests.bench.phones import VERSION_EVENT_PATTERN, Phone, seat_phones
from tests.bench.report import Options, Row, make_row, percentile

PHONES = (4, 12)
MOVES = 300  # At least, in whole games.
WARM_UP = 20  # Moves that are not counted.
PAUSE = 0.01  # Seconds between moves: nobody taps before the page is drawn.
# Milliseconds: median and p99; times the median of the bare table.
TARGETS = {4: (None, 15.0, 2.0), 12: (None, None, 2.5)}


def run(options: Options) -> Iterator[Row]:
    """Play whole games with 4 and with 12 phones, alternating with the echo and the bare table."""
    found: dict[int, dict[str, list[float]]] = {count: {} for count in PHONES}
    with (
        temporary_instance() as folder,
        run_server(*SERVE_ARGUMENTS, str(folder)) as port,
        run_server("tests.bench.echo_server", str(folder)) as bare_port,
    ):
        _play_game(port, PHONES[-1], seed=0, max_moves=WARM_UP)
        _measure_echo(bare_port, PHONES[-1], WARM_UP)
        for seed in itertools.count(1):
            for count in PHONES:
                most = 40 if options.quick else None
                played = _play_game(port, count, seed, most)
                played |= _measure_echo(bare_port, count, len(played["updated"]))
                played["bare table"] = _play_at_bare_table(bare_port, count, seed, most)["updated"]
                for label, values in played.items():
                    found[count].setdefault(label, []).extend(values)
            if options.quick or all(len(measured["updated"]) >= MOVES for measured in found.values()):
                break
    for count, values in found.items():
        yield from _result_rows(count, values)


def _result_rows(count: int, values: dict[str, list[float]]) -> Iterator[Row]:
    median, late, bare_table = TARGETS.get(count, (None, None, None))
    sizes = f"fragments of {values['fragments'][-1]:,.0f} bytes at the end of the game"
    yield make_row(f"{count} phones: all redrawn", "ms", values["updated"], target=median, note=sizes)
    yield _p99_row(f"{count} phones: all redrawn, p99", values["updated"], late)
    for peer, target in (("bare table", bare_table), ("bare echo", None)):
        times = percentile(values["updated"], 0.5) / percentile(values[peer], 0.5)
        yield make_row(f"{count} phones: all redrawn, against the {peer}", "times", [times], target=target)
    yield make_row(f"{count} phones: all notified", "ms", values["notified"])
    yield _p99_row(f"{count} phones: all notified, p99", values["notified"], None)
    yield make_row(f"{count} phones: tap answered", "ms", values["answered"])
    yield make_row(f"{count} phones: bare table, all redrawn", "ms", values["bare table"])
    yield _p99_row(f"{count} phones: bare table, all redrawn, p99", values["bare table"], None)
    yield make_row(f"{count} phones: bare echo, all notified", "ms", values["bare echo"])
    yield _p99_row(f"{count} phones: bare echo, all notified, p99", values["bare echo"], None)


def _p99_row(label: str, values: list[float], target: float | None) -> Row:
    late = percentile(values, 0.99)
    return Row(label, "ms", late, late, late, 1, target=target, note=f"of {len(values)} moves")


def _play_game(port: int, count: int, seed: int, max_moves: int | None) -> dict[str, list[float]]:
    """Play a game through the phones; return the times of each move in milliseconds."""
    selector = ConnectionSelector()
    try:
        return _measure_moves(seat_phones(port, count, selector), selector, seed, max_moves)
    finally:
        selector.close()


def _play_at_bare_table(port: int, count: int, seed: int, max_moves: int | None) -> dict[str, list[float]]:
    """Post the same moves to the bare table."""
    selector = ConnectionSelector()
    try:
        phones = [Phone(port) for _ in range(count)]
        for seat, phone in enumerate(phones):
            phone.watch_page(f"/t/bare/seat/{seat}", selector)
        selector.run_until(lambda: all(phone.notified_at for phone in phones))
        return _measure_moves(phones, selector, seed, max_moves)
    finally:
        selector.close()


def _measure_moves(
    phones: list[Phone], selector: ConnectionSelector, seed: int, max_moves: int | None
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"updated": [], "notified": [], "answered": [], "fragments": []}
    for seat, move in random_game_moves(4, seed)[:max_moves]:
        version = phones[seat].shown_version + 1
        start = time.perf_counter()
        phones[seat].play(move)
        selector.run_until(
            lambda: all(phone.shown_version >= version and phone.notified_at > start for phone in phones)
        )
        found["updated"].append((max(phone.shown_at for phone in phones) - start) * 1000)
        found["notified"].append((max(phone.notified_at for phone in phones) - start) * 1000)
        found["answered"].append((phones[seat].shown_at - start) * 1000)
        found["fragments"].append(sum(phone.fragment_bytes for phone in phones))
        selector.run_until(lambda: not any(phone.is_posting or phone.is_fetching for phone in phones))
        time.sleep(PAUSE)
    return found


def _measure_echo(port: int, count: int, times: int) -> dict[str, list[float]]:
    """Echo a message to `count` listeners; return times until all have it, in milliseconds.

    A time ends when every listener has the message and the sender has its answer.
    """
    durations: list[float] = []
    selector = ConnectionSelector()
    updated_phones: set[int] = set()
    answered: list[int] = []
    sender = Connection(port, {})
    selector.add(sender, lambda: sender.take_answer() and answered.append(1))

    def listen(number: int) -> None:
        listener = Connection(port, {})

        def record_update() -> None:
            if VERSION_EVENT_PATTERN.search(listener.buffer):
                listener.buffer.clear()
                updated_phones.add(number)

        selector.add(listener, record_update)
        listener.send("GET", "/live")

    try:
        for number in range(count):
            listen(number)
        sender.send("POST", "/send", {"text": "first"})  # Before the first message there is no version to receive.
        selector.run_until(lambda: len(updated_phones) == count)
        for tap_number in range(times):
            updated_phones.clear()
            answered.clear()
            start = time.perf_counter()
            sender.send("POST", "/send", {"text": str(tap_number)})
            selector.run_until(lambda: len(updated_phones) == count and bool(answered))
            durations.append((time.perf_counter() - start) * 1000)
            time.sleep(PAUSE)
    finally:
        selector.close()
    return {"bare echo": durations}
