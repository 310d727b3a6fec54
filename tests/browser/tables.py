"""Tables in the middle of a random game, laid through the referee: to look at pages as they are then."""

import random
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from flask.sessions import SecureCookieSessionInterface
from playwright._impl._api_structures import SetCookieParam

from companion.log.table import Table
from companion.service.referee import new_tap
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.browser.phone import Phone
from tests.browser.serving import SmallServer
from tests.support.cases import TRACKED
from tests.support.random_games import random_game

NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")
LONG = (  # forty letters, with places to break and without
    "Anastasia-Maria Papadopoulou-Smith-Jones",
    "Wolfeschlegelsteinhausenbergerdorffsmith",
    "Bo",
    "Llanfairpwllgwyngyllgogerychwyrndrobwlll",
    "Jean-Baptiste Emmanuel Zorg de la Montañ",
)
SEED = 7


def evening(game: str, players: int, seed: int = SEED) -> list[tuple[int, Move]]:
    """Return the (seat, move) of a random game, the same for the same seed."""
    moves: list[tuple[int, Move]] = []
    random_game(PLAYS[game], PLAYS[game].usual(list(NAMES[:players])), random.Random(seed), moves)
    return moves


def device(seat: int) -> str:
    return f"phone {seat}"


def laid(
    server: SmallServer,
    game: str,
    players: int,
    moves: list[tuple[int, Move]],
    names: tuple[str, ...] = NAMES,
    by: Sequence[int] = range(9),
) -> Table:
    """Open a table and play; seat n is held by device number by[n], everybody's own unless told."""
    referee, play = server.referee, PLAYS[game]
    table = referee.open(device(0), play.key, msgspec.to_builtins(play.usual(list(names[:players]))))
    for seat in range(players):
        table = referee.sit(table.code, device(by[seat]), new_tap(), seat)
    for seat, move in moves:
        table = referee.play(table.code, device(by[seat]), new_tap(), seat, msgspec.to_builtins(move))
    return table


def key(server: SmallServer, seat: int) -> SetCookieParam:
    """Return the cookie of the device that holds a seat."""
    signer = SecureCookieSessionInterface().get_signing_serializer(server.app)
    assert signer
    value = str(signer.dumps({"device": device(seat), "_permanent": True}))
    return {"name": "waymark", "value": value, "url": server.address}


def hold(phone: Phone, server: SmallServer, seat: int) -> None:
    """Give a phone the key of a seat's device."""
    phone.context.add_cookies([key(server, seat)])


PARTS = (0, 0.5, 1)  # of an evening: how it begins, goes on, has ended
OF_A_SEAT = ("", "/tell", "/log")
OTHERS = ("/", "/about", "/owner", "/history", "/history/new", "/nowhere")


def pages_of_a_table(
    phone: Phone,
    server: SmallServer,
    game: str,
    of_a_table: Sequence[str],
    names: tuple[str, ...] = NAMES,
    parts: Sequence[float] = PARTS,
) -> Iterator[str]:
    """Yield the addresses of a full table at parts of an evening.

    The phone holds the seat whose turn it is.
    """
    play = PLAYS[game]
    players = play.box.seats[-1]
    moves = evening(game, players)
    for part in parts:
        table = laid(server, game, players, moves[: int(part * len(moves))], names)
        seat = next(iter(play.to_move(table.state)), 0)
        hold(phone, server, seat)
        yield from (f"/t/{table.code}/seat/{seat}{end}" for end in OF_A_SEAT)
        yield from (f"/t/{table.code}{end}" for end in of_a_table if end != "/setup" or not table.steps)


def pages_of_no_table(of_a_game: Sequence[str], games: Iterable[str] = TRACKED) -> list[str]:
    """Return the addresses of pages without a table, those of each game among them; one is of no page."""
    return [*OTHERS, *(path.format(key) for key in games for path in of_a_game)]
