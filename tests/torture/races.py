"""Concurrent taps, openings and reveals: accepted moves are stored, refused ones are not."""

import random
import threading
import time
from pathlib import Path

from scoring.games import TRACKED_GAMES
from scoring.on_the_trail.moves.reveals import EnterLeg
from tests.torture.http_phone import CallerPhone, Server, ServerGoneError, StressReport

STORM_PHONES, OPENING_PHONES, REVEALING_PHONES = 6, 3, 3  # Phones for each kind of load.
TRACKED_GAME = TRACKED_GAMES["trails"]
ON_THE_TRAIL = TRACKED_GAMES["on-the-trail"]


def run(folder: Path, seconds: float) -> StressReport:
    """Let a dozen phones tap as fast as they are answered."""
    server, report = Server(folder), StressReport()
    answers: list[tuple[str, str, int, bytes]] = []  # Code, tap, status, start of the answer.
    faults: list[str] = []
    until = time.monotonic() + seconds
    table = CallerPhone(server.port).open("trails", "Ana", "Bo", "Cy")

    def storm(number: int) -> None:
        """Tap at an own table, or without success at the shared table, where the phone has no seat."""
        rng, caller, turn = random.Random(number), CallerPhone(server.port, f"127.0.1.{number + 1}"), 0
        own = caller.open("trails", "Ana", "Bo")
        while time.monotonic() < until:
            path = own if turn % 3 else table
            turn += 1
            state = server.store.table(path[-5:]).state
            seat = rng.randrange(2)
            moves = list(TRACKED_GAME.candidates(state, seat))
            tap = f"storm {number} {turn}"
            answer = caller.play(f"{path}/seat/{seat}", rng.choice(moves), tap)
            counted = answer.status == 200 and "HX-Redirect" not in answer.headers
            answers.append(
                (path[-5:], tap, 200 if counted else answer.status if answer.status != 200 else 403, answer.body[:200])
            )

    def open_tables(number: int) -> None:
        """Open tables; a new phone takes over before the limits stop the current one."""
        turn = 0
        while time.monotonic() < until:
            caller = CallerPhone(server.port, f"127.0.{20 + turn // 60 % 200}.{number + 1}")
            for game in ("trails", "on-the-trail", "trails-tally"):
                caller.open(game, "Ana", "Bo")
                report.count("tables opened")
            caller.disconnect()
            turn += 1

    def tell(number: int) -> None:
        """Enter facts of the box at own tables, as the cards are revealed."""
        rng, turn, opened, path = random.Random(number), 0, 0, ""
        while time.monotonic() < until:
            turn += 1
            state = path and server.store.table(path[-5:]).state
            moves = state and [
                move for move in ON_THE_TRAIL.candidates(state, 0, (EnterLeg,)) if ON_THE_TRAIL.is_legal(state, 0, move)
            ]
            if not moves:
                caller = CallerPhone(server.port, f"127.0.9.{opened % 250 + 1}")
                path, opened = caller.open("on-the-trail", "Ana", "Bo"), opened + 1
                continue
            tap = f"tell {number} {turn}"
            answer = caller.play(f"{path}/seat/0", rng.choice(moves), tap)
            answers.append((path[-5:], tap, answer.status, answer.body[:200]))

    def go(do, number: int) -> None:
        try:
            do(number)
        except (ServerGoneError, AssertionError, KeyError) as fault:
            faults.append(f"{do.__name__}: {type(fault).__name__} {fault}")
        finally:
            server.store.db.conn.close()
            del server.store._local.db

    crowd = [(storm, STORM_PHONES), (open_tables, OPENING_PHONES), (tell, REVEALING_PHONES)]
    threads = [threading.Thread(target=go, args=(do, number)) for do, many in crowd for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 60)
    written = {code: server.tap_ids(code) for code in {code for code, *_ in answers}}
    report["taps racing"] = len(answers)
    report["of these refused"] = sum(status != 200 for _, _, status, _ in answers)
    report.expect_none(
        "answered as counted, not written once",
        [(c, t) for c, t, s, _ in answers if s == 200 and written[c].count(t) != 1],
    )
    report.expect_none(
        "answered with an error, yet written", [(c, t, s) for c, t, s, _ in answers if s != 200 and t in written[c]]
    )
    report.expect_none(
        "answers that should not be",
        [*faults, *((s, body) for _, _, s, body in answers if s not in (200, 403, 409, 422))],
    )
    report.expect_none("tracebacks", server.tracebacks)
    server.close()
    return report
