"""SIGKILL during play: acknowledged moves are stored once, repeated taps count once."""

import random
import threading
import time
from pathlib import Path

from scoring.games import TRACKED_GAMES
from tests.support.random_games import random_game
from tests.torture.http_phone import Answer, CallerPhone, Server, ServerGoneError, StressReport

TABLES = 6
# Moves acknowledged between a start and the next kill, so that some are on any computer.
MOVES_BETWEEN_KILLS = (1, 120)
MIN_KILLS = 5  # Kills, even on a slow computer.
GAMES = ("trails", "parks")


class SimulatedPlayer:
    """Player of game after game at own tables, who repeats each tap until it is answered."""

    def __init__(self, server: Server, number: int, stop: threading.Event):
        self.rng = random.Random(number)
        self.server, self.stop = server, stop
        self.caller = CallerPhone(server.port)
        self.acknowledged: dict[str, list[str]] = {}  # Taps by table code.
        self.unexpected_answers: list[str] = []
        self.resent_count = 0
        self.thread = threading.Thread(target=self._play)
        self.thread.start()

    @property
    def move_count(self) -> int:
        """Return how many moves were acknowledged so far."""
        return sum(map(len, list(self.acknowledged.values())))

    def _play(self) -> None:
        while not self.stop.is_set():
            game = TRACKED_GAMES[self.rng.choice(GAMES)]
            table = self._open_table(game.key)
            if table is None:
                continue
            moves: list = []
            random_game(game, game.setup_format.default(["Ana", "Bo"]), random.Random(self.rng.random()), moves)
            taps = self.acknowledged.setdefault(table.rpartition("/")[2], [])
            for number, (seat, move) in enumerate(moves):
                if self.stop.is_set():
                    return
                tap, tries = f"{table[-5:]}-{number}", [0]

                def send(seat=seat, move=move, tap=tap, tries=tries) -> Answer:
                    tries[0] += 1
                    return self.caller.play(f"{table}/seat/{seat}", move, tap)

                answer = self.caller.retry_until_answered(send)
                self.resent_count += tries[0] > 1
                if answer.status != 200:
                    self.unexpected_answers.append(f"{answer.status} to {move} at {table}: {answer.body[:200]!r}")
                    break
                taps.append(tap)

    def _open_table(self, game: str) -> str | None:
        try:
            return self.caller.open(game, "Ana", "Bo")
        except (ServerGoneError, KeyError):
            time.sleep(0.05)  # A table without acknowledged moves is not checked.
            return None


def run(folder: Path, seconds: float) -> StressReport:
    """Play at several tables and kill the server for `seconds`, and at least MIN_KILLS times."""
    server, report, stop = Server(folder), StressReport(), threading.Event()
    rng, until = random.Random(), time.monotonic() + seconds
    players = [SimulatedPlayer(server, number, stop) for number in range(TABLES)]

    def going_on() -> bool:
        return time.monotonic() < until or report.get("kills", 0) < MIN_KILLS

    while going_on():
        enough = sum(player.move_count for player in players) + rng.randint(*MOVES_BETWEEN_KILLS)
        while sum(player.move_count for player in players) < enough and going_on():
            time.sleep(0.005)
        server.kill()
        report.count("kills")
        server.start()
    stop.set()
    for player in players:
        player.thread.join(60)
    lost, doubled = [], []
    for player in players:
        for code, taps in player.acknowledged.items():
            written = server.tap_ids(code)
            lost += [f"{tap} at {code}" for tap in taps if tap not in written]
            doubled += [f"{tap} at {code}" for tap in taps if written.count(tap) > 1]
            steps = len(server.store.table(code).steps)
            if len(taps) <= steps <= len(taps) + 1:  # The last move may be stored although its answer was not awaited.
                continue
            doubled.append(f"{steps} steps of {len(taps)} taps at {code}")
        report.count("moves acknowledged", player.move_count)
        report.count("of these sent again", player.resent_count)
    report.expect_none("acknowledged moves lost", lost)
    report.expect_none("moves doubled", doubled)
    report.expect_none(
        "answers that should not be", [answer for player in players for answer in player.unexpected_answers]
    )
    report.expect_none("tracebacks", server.tracebacks)
    server.close()
    return report
