"""SIGKILL in the middle of play: what was acknowledged is there once, what is sent again counts once."""

import random
import threading
import time
from pathlib import Path

from scoring.games import PLAYS
from tests.support.random_games import random_game
from tests.torture.caller import Answer, Caller, Figures, Killed, Server

TABLES = 6
BETWEEN = (1, 120)  # moves acknowledged from a start to the next kill: however fast the computer is, some are
LEAST = 5  # kills, however slow the computer is
GAMES = ("trails", "parks")


class Hand:
    """Plays game after game at tables of its own, and insists on an answer to every tap."""

    def __init__(self, server: Server, number: int, stop: threading.Event):
        self.rng = random.Random(number)
        self.server, self.stop = server, stop
        self.caller = Caller(server.port)
        self.acknowledged: dict[str, list[str]] = {}  # table -> taps
        self.strange: list[str] = []
        self.again = 0
        self.thread = threading.Thread(target=self._play)
        self.thread.start()

    @property
    def moves(self) -> int:
        """Return how many moves were acknowledged so far."""
        return sum(map(len, list(self.acknowledged.values())))

    def _play(self) -> None:
        while not self.stop.is_set():
            game = PLAYS[self.rng.choice(GAMES)]
            table = self._opened(game.key)
            if table is None:
                continue
            moves: list = []
            random_game(game, game.usual(["Ana", "Bo"]), random.Random(self.rng.random()), moves)
            taps = self.acknowledged.setdefault(table.rpartition("/")[2], [])
            for number, (seat, move) in enumerate(moves):
                if self.stop.is_set():
                    return
                tap, tries = f"{table[-5:]}-{number}", [0]

                def say(seat=seat, move=move, tap=tap, tries=tries) -> Answer:
                    tries[0] += 1
                    return self.caller.play(f"{table}/seat/{seat}", move, tap)

                answer = self.caller.insist(say)
                self.again += tries[0] > 1
                if answer.status != 200:
                    self.strange.append(f"{answer.status} to {move} at {table}: {answer.body[:200]!r}")
                    break
                taps.append(tap)

    def _opened(self, game: str) -> str | None:
        try:
            return self.caller.open(game, "Ana", "Bo")
        except (Killed, KeyError):
            time.sleep(0.05)  # what was half done at a table nobody plays at is not looked at
            return None


def run(folder: Path, seconds: float) -> Figures:
    """Play at several tables and kill the server again and again: for so long, and longer until it was killed often enough."""
    server, figures, stop = Server(folder), Figures(), threading.Event()
    rng, until = random.Random(), time.monotonic() + seconds
    hands = [Hand(server, number, stop) for number in range(TABLES)]

    def going_on() -> bool:
        return time.monotonic() < until or figures.get("kills", 0) < LEAST

    while going_on():
        enough = sum(hand.moves for hand in hands) + rng.randint(*BETWEEN)
        while sum(hand.moves for hand in hands) < enough and going_on():
            time.sleep(0.005)
        server.kill()
        figures.count("kills")
        server.start()
    stop.set()
    for hand in hands:
        hand.thread.join(60)
    lost, doubled = [], []
    for hand in hands:
        for code, taps in hand.acknowledged.items():
            written = server.taps(code)
            lost += [f"{tap} at {code}" for tap in taps if tap not in written]
            doubled += [f"{tap} at {code}" for tap in taps if written.count(tap) > 1]
            steps = len(server.store.table(code).steps)
            if len(taps) <= steps <= len(taps) + 1:  # one may be written whose answer was not waited for
                continue
            doubled.append(f"{steps} steps of {len(taps)} taps at {code}")
        figures.count("moves acknowledged", hand.moves)
        figures.count("of these sent again", hand.again)
    figures.never("acknowledged moves lost", lost)
    figures.never("moves doubled", doubled)
    figures.never("answers that should not be", [each for hand in hands for each in hand.strange])
    figures.never("tracebacks", server.tracebacks)
    server.close()
    return figures
