"""Tables that are over, quickly: what the tests of the history start from."""

import functools
import io
import random
from pathlib import Path

from msgspec import to_builtins
from PIL import Image

from companion.log.table import Table, plain_move
from companion.service.live import Live
from companion.service.referee import Referee, new_tap
from companion.storage.store import Store
from scoring.games import GAMES, PLAYS
from scoring.kernel.move import Move
from tests.conftest import hasten
from tests.support.positions import laid
from tests.support.random_games import random_game

HOST = "the host's phone"


@functools.cache
def large_photo() -> bytes:
    """Return a photo of several megabytes, as phones take them."""
    out = io.BytesIO()
    Image.effect_noise((2400, 1800), 120).convert("RGB").save(out, "JPEG", quality=95)
    return out.getvalue()


def instance(folder: Path) -> Referee:
    """Return the tables of an empty instance."""
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / "tables.db")
    hasten(store)
    return Referee(store, Live(store, 0))


@functools.cache
def moves_of(game: str, names: tuple[str, ...], seed: int) -> tuple[tuple[int, Move], ...]:
    """Return a whole random game."""
    record: list[tuple[int, Move]] = []
    random_game(PLAYS[game], laid(list(names), game), random.Random(seed), record)
    return tuple(record)


def played(
    referee: Referee, game: str, *names: str, seed: int = 7, steps: int | None = None, phone: str = HOST
) -> Table:
    """Return a table of a random game, whole or so many steps of it; one phone holds all seats."""
    table = referee.open(phone, game, to_builtins(laid(list(names), game)))
    for seat in range(len(table.seats)):
        table = referee.sit(table.code, phone, new_tap(), seat)
    for seat, move in moves_of(game, names, seed)[:steps]:
        table = referee.play(table.code, phone, new_tap(), seat, plain_move(move))
    return table


def counted(referee: Referee, *names: str, game: str = "trails", phone: str = HOST) -> Table:
    """Return a table that was only scored, and at which nobody had anything."""
    key = GAMES[game].tally.key
    table = referee.open(phone, key, referee.usual(PLAYS[key], list(names)))
    for seat in range(len(names)):
        table = referee.sit(table.code, phone, new_tap(), seat)
    while not table.over:
        seat = table.play.to_move(table.state)[0]
        table = referee.play(table.code, phone, new_tap(), seat, {"type": "done"})
    return table
