"""Tests of the changes that the streams of a seat's page and of the table view send."""

import gc
import random
import re
import zlib
from collections.abc import Callable

import pytest
from flask import Flask

from companion.log.plans import RepairPlan, Truncate
from companion.log.table import to_data
from companion.rendering import fragments
from companion.service.live import Subscription
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.reveals import NoteHand
from tests.support.page_parser import parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, new_tap, open_seated_table
from tests.support.random_games import random_move
from tests.support.server_thread import GZIP_BITS, read_response, serve
from tests.support.waiting import wait_until

ANA, BO = 0, 1
TITLES = ("trails", "parks", "alpine-trails", "on-the-trail")
PLAYED_MOVES = 60
# Moves that are being built, as the address of a page says them.
DRAFTS = {
    "trails": ("draft.name=trailhead",),
    "alpine-trails": ("draft.fix=0&draft.x=1&draft.y=0", "draft.fix=1&draft.x=1&draft.y=0"),
}


def etags(text: str) -> list[str]:
    return re.findall('data-fragments="([^"]*)"', text)[0].split()


def sent_etags(text: str) -> list[str]:
    return re.findall('data-fragment="([^"]*)"', text)


def shown_etags(table: SeatedTable, seat: int | None) -> list[str]:
    path = "board" if seat is None else f"seat/{seat}"
    return etags(table.phone(seat or 0).get(f"{table.path}/{path}").text)


def play_random_move(table: SeatedTable, rng: random.Random) -> int:
    """Play a move of a player to move; return the seat."""
    tracked, state = table.table.tracked, table.table.state
    seat = tracked.flow.to_move(state)[0]
    kinds = list(tracked.available_moves(state))
    played = random_move(tracked, state, seat, rng, rng.sample(kinds, len(kinds)))
    assert played
    table.play(seat, played[0])
    return seat


@parametrize_cases("game", TITLES)
def test_changes_complete_the_page_of_every_waiting_phone_in_a_game(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    known = {seat: shown_etags(table, seat) for seat in (ANA, BO)}
    streams = [table.subscribe(seat) for seat in (ANA, BO)]
    rng = random.Random(1)
    for _ in range(PLAYED_MOVES):
        if table.table.is_over:
            return
        seat = play_random_move(table, rng)
        other = 1 - seat
        changes = streams[other]()
        assert changes and f'data-version="{table.table.version}"' in changes and "<main" not in changes
        assert set(etags(changes)) <= {*known[other], *sent_etags(changes)}
        known[other] = etags(changes)
        assert streams[seat]() is None  # the answer to the tap has the changes of its own move
        assert streams[other]() is None  # it has them already
        known[seat] = shown_etags(table, seat)
        assert shown_etags(table, other) == known[other]


def drop_a_step(table: SeatedTable) -> None:
    steps = table.table.steps
    plan = RepairPlan(steps[len(steps) // 2].id, 1, resolutions=(Truncate(),))
    table.referee.repair(table.table, table.phone(ANA).device, new_tap(), ANA, plan)


def change_names(table: SeatedTable) -> None:
    setup = to_data(table.table.setup)
    setup["players"] = [
        name if isinstance(player, str) else player | {"name": name}
        for player, name in zip(setup["players"], ("Anastasia", "Bob"), strict=True)
    ]
    table.referee.change_setup(table.table, table.phone(ANA).device, new_tap(), setup, first_seat=0)


def pin_first_step(table: SeatedTable) -> None:
    step = next(step for step in table.table.steps if not step.move.is_secret)
    table.referee.pin_step(table.table, table.phone(ANA).device, new_tap(), ANA, step.id)


# Changes of a table that are no moves, in this order.
TABLE_CHANGES: dict[str, Callable[[SeatedTable], object]] = {
    "names": change_names,
    "pinned step, until the next move": pin_first_step,
    "dropped step": drop_a_step,
    "house rule": lambda table: table.referee.write_ruling(
        table.table, table.phone(BO).device, new_tap(), BO, "May a player peek?", "No"
    ),
    "consent": lambda table: table.referee.change_consent(
        table.table, table.phone(ANA).device, new_tap(), ANA, "trust"
    ),
    "free seat": lambda table: table.referee.stand_up(table.table, table.phone(BO).device, new_tap(), BO),
}


@parametrize_cases("game", TITLES)
def test_every_change_of_a_table_is_shown_by_fragments_in_memory(app: Flask, game: str):
    table = open_seated_table(app, "Ana", "Bo", game=game)
    rng = random.Random(game)
    for change in TABLE_CHANGES.values():
        version = table.table.version
        change(table)
        assert table.table.version > version
        show_pages(table)
        for proposal in table.table.proposals:
            for seat in proposal.waiting_seats:
                table.referee.answer(table.table, table.phone(seat).device, new_tap(), proposal.number, True)
            show_pages(table)
        for _ in range(6):
            if None not in table.table.seats and not table.table.is_over:
                play_random_move(table, rng)
            show_pages(table)


def show_pages(table: SeatedTable) -> None:
    """Open the live pages, so that each fragment in memory is rendered again and compared."""
    assert fragments.IS_MEMORY_CHECKED
    for seat in (ANA, BO, None):
        if seat is None or table.table.seats[seat]:
            shown_etags(table, seat)
    for draft in DRAFTS.get(table.table.game_key, ()):
        assert table.phone(ANA).get(f"{table.path}/seat/0?{draft}").status_code == 200


@pytest.mark.parametrize(
    ("page", "stream"), [("seat/1", "seat/1/live"), ("board", "board/live"), ("", "live"), ("score", "live")]
)
def test_page_opens_its_own_stream(app: Flask, page: str, stream: str):
    table = open_seated_table(app, "Ana", "Bo")
    text = table.phone(BO).get(f"{table.path}/{page}".removesuffix("/")).text
    assert re.findall('hx-sse:connect="([^"]*)"', text) == [f"{table.path}/{stream}"]


def test_table_view_gets_its_changes(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    before, render = shown_etags(table, None), table.subscribe(None)
    table.play(ANA, Hike(1))
    assert render() is None  # its phone has moved, so its page of the seat shows the answer
    table.play(BO, NoteHand("climber-rock"))
    changes = render()
    assert changes and 0 < len(sent_etags(changes)) < len(before)
    assert set(etags(changes)) <= {*before, *sent_etags(changes)} and "Climber" not in changes


FETCHED: dict[str, Callable[[SeatedTable], object]] = {
    "page that was not shown": lambda table: None,
    "page with a move being built": lambda table: table.phone(BO).get(f"{table.path}/seat/1?draft.name=trailhead"),
    "seat that was given up": lambda table: (
        table.page(BO),
        table.referee.stand_up(table.table, table.phone(BO).device, new_tap(), BO),
    ),
}


@parametrize_cases("case", FETCHED)
def test_phone_has_to_fetch_its_page(app: Flask, case: str):
    table = open_seated_table(app, "Ana", "Bo", "Cleo")
    render = table.subscribe(BO)
    FETCHED[case](table)
    table.play(ANA, Hike(2))
    assert render() is None


def test_phone_with_several_seats_follows_the_turn_so_it_fetches_its_page(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", "Cleo", phones=2)
    table.page(BO)
    render = table.subscribe(BO)
    table.play(ANA, Hike(2))
    assert render() is None


def test_stream_of_another_seat_is_refused(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    assert table.phone(BO).get(f"{table.path}/seat/0/live").status_code == 303
    assert Phone(app).get(f"{table.path}/seat/0/live").status_code == 303


def test_closed_stream_leaves_nothing_in_memory(app: Flask):
    table = open_seated_table(app, "Ana", "Bo")
    table.page(BO)
    gc.collect()
    gc.disable()
    try:
        with serve(app) as server:
            with server.connect() as stream:
                open_stream(stream, table, "identity")
                read_response(stream, b"data: ")
                assert count_subscriptions() == 1
            wait_until(lambda: count_subscriptions() == 0)
    finally:
        gc.enable()


def count_subscriptions() -> int:
    return sum(isinstance(each, Subscription) for each in gc.get_objects())


def open_stream(connection, table: SeatedTable, encoding: str) -> None:
    cookie = table.phone(BO).http.get_cookie("waymark").value
    head = f"Host: 127.0.0.1\r\nCookie: waymark={cookie}\r\nAccept-Encoding: {encoding}\r\n"
    connection.sendall(f"GET {table.path}/seat/1/live HTTP/1.1\r\n{head}\r\n".encode())


def read_chunk(connection) -> bytes:
    """Return the next chunk of an answer, without its length."""
    length = b""
    while not length.endswith(b"\r\n"):
        length += connection.recv(1)
    rest = b""
    while len(rest) < int(length, 16) + 2:
        rest += connection.recv(int(length, 16) + 2 - len(rest))
    return rest[:-2]


@pytest.mark.parametrize("encoding", ["gzip, deflate", "identity"])
def test_stream_sends_the_changes_as_a_message_without_a_name(app: Flask, encoding: str):
    table = open_seated_table(app, "Ana", "Bo")
    table.page(BO)
    with serve(app) as server, server.connect() as stream:
        open_stream(stream, table, encoding)
        head = read_response_head(stream)
        decompressor = zlib.decompressobj(GZIP_BITS)
        is_compressed = b"content-encoding: gzip" in head
        decode = decompressor.decompress if is_compressed else bytes
        assert is_compressed == ("gzip" in encoding)
        assert decode(read_chunk(stream)).decode() == f"event: version\ndata: {table.table.version}\n\n"
        for move in (Hike(1), Exchange("acorn", "leaf")):
            table.play(ANA, move)
            message = decode(read_chunk(stream)).decode()
            lines = message.removesuffix("\n\n").split("\n")
            assert all(line.startswith("data: ") for line in lines)
            text = "\n".join(line.removeprefix("data: ") for line in lines)
            assert f'data-version="{table.table.version}"' in text
            assert etags(text) == shown_etags(table, BO) and parse_page(text).text


def read_response_head(connection) -> bytes:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    return head.lower()


def test_error_while_rendering_leaves_the_page_to_the_phone(app: Flask, monkeypatch):
    table = open_seated_table(app, "Ana", "Bo")
    table.page(BO)
    with serve(app) as server, server.connect() as stream:
        open_stream(stream, table, "identity")
        read_response(stream, b"data: ")
        version = table.play(ANA, Hike(1)).version
        monkeypatch.setattr("companion.web.play._build_seat_page", None)
        version = table.play(ANA, Exchange("acorn", "leaf")).version
        read_response(stream, f"event: version\ndata: {version}\n\n".encode())
