"""Benchmark the server's time for one fragment: building, rendering, the whole request."""

import cProfile
import pstats
import re
from collections.abc import Iterator
from io import BytesIO

from flask import Flask, render_template
from flask.testing import FlaskClient

from companion.log.table import Table, to_data
from companion.pages import seat as seat_pages
from companion.service.referee import Referee, new_tap
from companion.web.app import create_app
from tests.bench.games import default_setup, random_game_moves, temporary_instance
from tests.bench.report import Options, Row, make_row, time_call

SEATS = 4
SEAT_REQUEST, BOARD_REQUEST = "seat page: whole request", "table view: whole request"


def run(options: Options) -> Iterator[Row]:
    """Play a game and render the page of every seat after each move."""
    with temporary_instance() as folder:
        app = create_app(folder)
        yield from _measure(app, options)


def _measure(app: Flask, options: Options) -> Iterator[Row]:
    referee: Referee = app.extensions["waymark"]
    phones = [app.test_client() for _ in range(SEATS)]
    devices, environs, table = _open_seated_table(app, referee, phones)
    board = _fragment_environ(phones[0], f"/t/{table.code}/board/now?have=0")
    times: dict[str, list[float]] = {}
    bytes_of: dict[str, int] = {}

    def note(label: str, job) -> None:
        times.setdefault(label, []).append(time_call(job))

    profiles = {"seat": cProfile.Profile(), "board": cProfile.Profile()}
    for seat, move in random_game_moves(SEATS, seed=3)[: 40 if options.quick else None]:
        table = referee.play(table, devices[seat], new_tap(), seat, to_data(move))
        other = (seat + 1) % SEATS
        with app.test_request_context(environ_overrides=dict(environs[seat])):
            pages = []
            note("seat page: build", lambda: pages.append(seat_pages.seat_page(table, devices[seat], seat)))
            note("seat page: render, new picture", lambda: render_template("_seat.html", page=pages[0]))
            note("seat page: render, cached picture", lambda: render_template("_seat.html", page=pages[0]))
        with app.test_request_context(environ_overrides=dict(environs[other])):
            pages = [seat_pages.seat_page(table, devices[other], other)]
            note("seat page: render, another player's turn", lambda: render_template("_seat.html", page=pages[0]))
        note(SEAT_REQUEST, lambda: bytes_of.update({SEAT_REQUEST: _call_app(app, environs[other])}))
        note(BOARD_REQUEST, lambda: bytes_of.update({BOARD_REQUEST: _call_app(app, board)}))
        note(
            "seat page: whole request without news (204)",
            lambda: _call_app(app, {**environs[other], "QUERY_STRING": f"have={table.version}"}),
        )
        if options.profile:
            profiles["seat"].runcall(_call_app, app, environs[other])
            profiles["board"].runcall(_call_app, app, board)
    for part, values in times.items():
        size = f"{bytes_of[part]:,} bytes at the end of the game" if part in bytes_of else ""
        yield make_row(part, "ms", values, note=size)
    if options.profile:
        for part, profile in profiles.items():
            print(f"\n{part}: where a request's time goes")
            pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(20).sort_stats(
                "cumulative"
            ).print_stats(50)


def _open_seated_table(app: Flask, referee: Referee, phones: list[FlaskClient]) -> tuple[list[str], list[dict], Table]:
    """Open a table and seat each phone; return phone ids, fragment requests and the table."""
    table = referee.open_table("host", "trails", to_data(default_setup(SEATS)))
    devices, environs = [], []
    for seat, phone in enumerate(phones):
        phone.get(f"/t/{table.code}")
        with phone.session_transaction() as session:
            devices.append(session["device"])
        table = referee.sit(table, devices[seat], new_tap(), seat)
        phone.get(f"/t/{table.code}/seat/{seat}")
        environs.append(_fragment_environ(phone, f"/t/{table.code}/seat/{seat}/now?have=0"))
    return devices, environs, table


def _fragment_environ(phone: FlaskClient, path: str) -> dict:
    """Return the WSGI environment of a phone's request for a fragment."""
    environ = phone.get(path, headers={"HX-Request": "true"}).request.environ
    return {key: value for key, value in environ.items() if not re.match("werkzeug|flask", key)}


def _call_app(app: Flask, environ: dict) -> int:
    """Call the app without a server; return the length of the response body."""
    answer = app({**environ, "wsgi.input": BytesIO()}, lambda status, headers, fault=None: None)
    try:
        return sum(map(len, answer))
    finally:
        answer.close()
