"""Tables in the middle of a random game, laid through the referee: to look at pages as they are then."""

import random

import msgspec
from flask.sessions import SecureCookieSessionInterface

from companion.referee import new_tap
from companion.table import Table
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.browser.phone import Phone
from tests.browser.serving import SmallServer
from tests.driver import random_game

NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")
SEED = 7


def evening(game: str, players: int, seed: int = SEED) -> list[tuple[int, Move]]:
    """Return the (seat, move) of a random game, the same for the same seed."""
    moves: list[tuple[int, Move]] = []
    random_game(PLAYS[game], PLAYS[game].usual(list(NAMES[:players])), random.Random(seed), moves)
    return moves


def device(seat: int) -> str:
    return f"phone {seat}"


def laid(server: SmallServer, game: str, players: int, moves: list[tuple[int, Move]]) -> Table:
    """Open a table, everybody on a phone of their own, and play."""
    referee, play = server.referee, PLAYS[game]
    table = referee.open(device(0), play.key, msgspec.to_builtins(play.usual(list(NAMES[:players]))))
    for seat in range(players):
        table = referee.sit(table.code, device(seat), new_tap(), seat)
    for seat, move in moves:
        table = referee.play(table.code, device(seat), new_tap(), seat, msgspec.to_builtins(move))
    return table


def hold(phone: Phone, server: SmallServer, seat: int) -> None:
    """Give a phone the key of a seat's device."""
    signer = SecureCookieSessionInterface().get_signing_serializer(server.app)
    assert signer
    key = signer.dumps({"device": device(seat), "_permanent": True})
    phone.context.add_cookies([{"name": "waymark", "value": str(key), "url": server.address}])
