"""Open tables in the middle of a random game through the referee, to look at their pages."""

import random
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from flask.sessions import SecureCookieSessionInterface
from playwright._impl._api_structures import SetCookieParam

from companion.log.table import Table
from companion.service.referee import new_tap
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.browser.browser_servers import InProcessServer
from tests.browser.phone import Phone
from tests.support.parametrize import TRACKED_KEYS
from tests.support.random_games import random_game
from tests.support.table_states import GENERAL_PAGES

NAMES = ("Ana", "Bo", "Cleo", "Dimitri", "Eve", "Fay", "Gustav")
# forty letters, with and without places to break the line
LONG_NAMES = (
    "Anastasia-Maria Papadopoulou-Smith-Jones",
    "Wolfeschlegelsteinhausenbergerdorffsmith",
    "Bo",
    "Llanfairpwllgwyngyllgogerychwyrndrobwlll",
    "Jean-Baptiste Emmanuel Zorg de la Montañ",
    "Hildegard",
    "Konstantinopolitanischerdudelsackpfeifer",
)
SEED = 7


def random_game_moves(game: str, players: int, seed: int = SEED) -> list[tuple[int, Move]]:
    """Return the (seat, move) pairs of a random game, the same for the same seed."""
    moves: list[tuple[int, Move]] = []
    random_game(
        TRACKED_GAMES[game], TRACKED_GAMES[game].setup_format.default(list(NAMES[:players])), random.Random(seed), moves
    )
    return moves


def device(seat: int) -> str:
    return f"phone {seat}"


def open_played_table(
    server: InProcessServer,
    game: str,
    players: int,
    moves: list[tuple[int, Move]],
    names: tuple[str, ...] = NAMES,
    devices: Sequence[int] = range(9),
) -> Table:
    """Open a table and play moves; seat n is held by device number `devices[n]`."""
    referee, tracked = server.referee, TRACKED_GAMES[game]
    table = referee.open_table(
        device(0), tracked.key, msgspec.to_builtins(tracked.setup_format.default(list(names[:players])))
    )
    for seat in range(players):
        table = referee.sit(table, device(devices[seat]), new_tap(), seat)
        referee.learners.set_taught(device(devices[seat]), names[seat], tracked.key, is_taught=False)
    for seat, move in moves:
        table = referee.play(table, device(devices[seat]), new_tap(), seat, msgspec.to_builtins(move))
    return table


def device_cookie(server: InProcessServer, seat: int) -> SetCookieParam:
    """Return the cookie of the device that holds a seat."""
    signer = SecureCookieSessionInterface().get_signing_serializer(server.app)
    assert signer
    value = str(signer.dumps({"device": device(seat), "_permanent": True}))
    return {"name": "waymark", "value": value, "url": server.address}


def take_seat_device(phone: Phone, server: InProcessServer, seat: int) -> None:
    """Give a phone the cookie of a seat's device."""
    phone.context.add_cookies([device_cookie(server, seat)])


GAME_PARTS = (0, 0.5, 1)  # shares of a game: beginning, middle, end
SEAT_PAGES = ("", "/tell", "/log")


def table_addresses(
    phone: Phone,
    server: InProcessServer,
    game: str,
    table_pages: Sequence[str],
    names: tuple[str, ...] = NAMES,
    game_parts: Sequence[float] = GAME_PARTS,
) -> Iterator[str]:
    """Yield the page addresses of a full table at several parts of a game.

    The phone holds the seat whose turn it is; for the last address of each part, the seat after it.
    """
    tracked = TRACKED_GAMES[game]
    players = tracked.box.player_counts[-1]
    moves = random_game_moves(game, players)
    for part in game_parts:
        table = open_played_table(server, game, players, moves[: int(part * len(moves))], names)
        seat = next(iter(tracked.flow.to_move(table.state)), 0)
        take_seat_device(phone, server, seat)
        yield from (f"/t/{table.code}/seat/{seat}{end}" for end in SEAT_PAGES)
        yield from (f"/t/{table.code}{end}" for end in table_pages if end != "/setup" or not table.steps)
        next_seat = (seat + 1) % players
        take_seat_device(phone, server, next_seat)
        yield f"/t/{table.code}/seat/{next_seat}"


def general_addresses(game_pages: Sequence[str], games: Iterable[str] = TRACKED_KEYS) -> list[str]:
    """Return addresses away from tables, including each game's and one that does not exist."""
    return [*GENERAL_PAGES, "/nowhere", *(path.format(key) for key in games for path in game_pages)]
