"""The tables random games are played at, and what a game must tell of itself to be played there."""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play

GAMES_TO_PLAY = int(os.environ.get("WAYMARK_GAMES", "0"))
SEED = os.environ.get("WAYMARK_SEED", "1")
USUAL_NUMBER = 1  # of games at each table, where WAYMARK_GAMES says nothing
THOROUGH = GAMES_TO_PLAY >= 100  # as `make test-all` asks for
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")


@dataclass(frozen=True)
class Table:
    """One kind of table that random games are played at, with what only its game can say."""

    play: Play
    label: str
    setup: Any
    add_up: Callable[[Sequence[Any]], None]  # asserts that the box adds up in each of the states of a game
    with_secret: Callable[[Any, int, random.Random], Any]  # the same state with another secret at one seat
    as_offered: Callable[[Any, Move], Move] = lambda state, move: (
        move
    )  # a move as older logs say it, as it is offered today

    @property
    def name(self) -> str:
        return f"{self.play.key} {self.label}"

    def seeds(self, tables: int, every: int = 1) -> list[str]:
        """Return the seeds of the games to play here, where the game has so many tables; or only one of `every`."""
        games = -(-GAMES_TO_PLAY // tables) or USUAL_NUMBER
        return [f"{SEED} {self.name} {number}" for number in range(0, games, every)]


def share(number: int) -> int:
    """Return how many of so many cases made up at random to try: all in `make test-all`, an eighth elsewhere."""
    return number if THOROUGH else -(-number // 8)


def usual_setups(play: Play) -> list[tuple[str, Any]]:
    """Return a set-up for every number of players, by the default rulings and by all the others, with its label."""
    others = {ruling.id: ruling.options[-1].id for ruling in play.box.rulings}
    plain = [(str(seats), play.usual(list(NAMES[:seats]))) for seats in play.box.seats]
    return plain + [(f"{label} other rulings", replace(setup, rulings=others)) for label, setup in plain]
