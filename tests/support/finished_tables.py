"""Build finished tables quickly, as the start of history tests."""

import functools
import io
import random
from pathlib import Path

from msgspec import to_builtins
from PIL import Image

from companion.log.table import Table, to_data
from companion.service.live import LiveUpdates
from companion.service.referee import Referee, new_tap
from companion.storage.store import Store
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.move import Move
from tests.conftest import disable_fsync
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

HOST_DEVICE = "the host's phone"


@functools.cache
def large_photo() -> bytes:
    """Return a photo of several megabytes, as phones take them."""
    buffer = io.BytesIO()
    Image.effect_noise((2400, 1800), 120).convert("RGB").save(buffer, "JPEG", quality=95)
    return buffer.getvalue()


def open_instance(folder: Path) -> Referee:
    """Return the referee of an empty instance."""
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / "tables.db")
    disable_fsync(store)
    return Referee(store, LiveUpdates(store, 0))


@functools.cache
def random_game_moves(game: str, names: tuple[str, ...], seed: int) -> tuple[tuple[int, Move], ...]:
    """Return the moves of a whole random game."""
    record: list[tuple[int, Move]] = []
    random_game(TRACKED_GAMES[game], ready_setup(list(names), game), random.Random(seed), record)
    return tuple(record)


def random_game_table(
    referee: Referee, game: str, *names: str, seed: int = 7, steps: int | None = None, device: str = HOST_DEVICE
) -> Table:
    """Return a table of a random game, whole or its first `steps`; one phone holds all seats."""
    table = referee.open_table(device, game, to_builtins(ready_setup(list(names), game)))
    for seat in range(len(table.seats)):
        table = referee.sit(table, device, new_tap(), seat)
    for seat, move in random_game_moves(game, names, seed)[:steps]:
        table = referee.play(table, device, new_tap(), seat, to_data(move))
    return table


def scored_table(referee: Referee, *names: str, game: str = "trails", device: str = HOST_DEVICE) -> Table:
    """Return a finished score-entry table where no player has entered anything."""
    key = GAMES[game].score_entry.key
    table = referee.open_table(device, key, referee.default_setup(TRACKED_GAMES[key], list(names)))
    for seat in range(len(names)):
        table = referee.sit(table, device, new_tap(), seat)
    while not table.is_over:
        seat = table.tracked.flow.to_move(table.state)[0]
        table = referee.play(table, device, new_tap(), seat, {"type": "done"})
    return table
