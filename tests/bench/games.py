"""Games played by the benchmarks: random moves from fixed seeds."""

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support.random_games import random_game

ROOT = Path(__file__).resolve().parents[2]
TRAILS = TRACKED_GAMES["trails"]
NAMES = ("Ann", "Ben", "Cleo", "Dan")


def default_setup(players: int) -> Any:
    return TRAILS.setup_format.default(list(NAMES[:players]))


def random_game_moves(players: int, seed: int, game: str = "trails") -> list[tuple[int, Move]]:
    """Return the (seat, move) pairs of a random game, the same for the same seed."""
    moves: list[tuple[int, Move]] = []
    random_game(
        TRACKED_GAMES[game], TRACKED_GAMES[game].setup_format.default(list(NAMES[:players])), random.Random(seed), moves
    )
    return moves


@contextmanager
def temporary_instance() -> Iterator[Path]:
    """Create an empty instance folder on the disk of the real one, and delete it afterwards."""
    (ROOT / "instance").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=ROOT / "instance"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
