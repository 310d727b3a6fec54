"""Simulate phones with a test client: cookies, forms of our pages, and seats at a table."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, request
from msgspec import to_builtins
from werkzeug.test import TestResponse

from companion.log.table import Table, to_data
from companion.service.live import Subscription
from companion.service.referee import Referee
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support.page_parser import Page, parse_page
from tests.support.ready_setups import ENTERED_FIELDS

HTMX_HEADERS = {"HX-Request": "true"}
_taps = itertools.count()


def new_tap() -> str:
    return f"tap-{next(_taps)}"


class Phone:
    """A phone: a test client with its own cookie."""

    def __init__(self, app: Flask, address: str = "127.0.0.1"):
        self.app = app
        self.http = app.test_client()
        self.http.environ_base["REMOTE_ADDR"] = address
        self._token = ""

    @property
    def device(self) -> str:
        """Return the id in this phone's cookie."""
        self.token  # noqa: B018 - the first page gives the cookie
        with self.http.session_transaction() as session:
            return session["device"]

    @property
    def token(self) -> str:
        """Return a valid CSRF token of this phone."""
        if not self._token:
            self._token = parse_page(self.get("/").text).value("csrf_token")
        return self._token

    def get(self, path: str, htmx: bool = False, **arguments) -> TestResponse:
        return self.http.get(path, headers=HTMX_HEADERS if htmx else {}, **arguments)

    def post(self, path: str, form: dict | None = None, *, tap: str | None = None, htmx: bool = False) -> TestResponse:
        """Send a form with the hidden fields that our pages put in each."""
        sent = {"csrf_token": self.token, "tap": tap or new_tap(), **(form or {})}
        return self.http.post(path, data=sent, headers=HTMX_HEADERS if htmx else {})

    def become_owner(self) -> "Phone":
        """Return this phone after the owner's key has been entered on it."""
        self.app.extensions["waymark"].card_facts.owners.add(self.device)
        return self

    def open(self, path: str) -> Page:
        """Return a page, asserting that it exists."""
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status}"
        return parse_page(answer.text)


@dataclass
class SeatedTable:
    """A table with seated phones: phone n holds seat n, or the only phone holds all of them."""

    app: Flask
    code: str
    phones: tuple[Phone, ...]

    @property
    def referee(self) -> Referee:
        return self.app.extensions["waymark"]

    @property
    def table(self) -> Table:
        return self.referee.store.table(self.code)

    @property
    def path(self) -> str:
        return f"/t/{self.code}"

    def phone(self, seat: int) -> Phone:
        return self.phones[min(seat, len(self.phones) - 1)]

    def page(self, seat: int) -> Page:
        return self.phone(seat).open(f"{self.path}/seat/{seat}")

    def subscribe(self, seat: int | None) -> Callable[[], str | None]:
        """Open the stream of a seat's page, or of the table view on the first phone.

        Return a function that renders what it sends next.
        """
        path = f"{self.path}/board/live" if seat is None else f"{self.path}/seat/{seat}/live"
        with self.phone(seat or 0).http as http:
            http.get(path)
            subscription: Subscription = request.environ["waymark.listens"]

        def render() -> str | None:
            assert subscription.render_changes
            with self.app.request_context(subscription.environ):
                return subscription.render_changes()

        return render

    def fragment(self, seat: int) -> Page:
        return self.phone(seat).open(f"{self.path}/seat/{seat}/now")

    def play(self, seat: int, move: Move, *, tap: str | None = None) -> Table:
        """Play a move from a seat's phone through the referee, without a request."""
        device = self.phone(seat).device
        return self.referee.play(self.table, device, tap or new_tap(), seat, to_data(move))

    def submit(self, seat: int, action: str, form: dict, **options) -> TestResponse:
        """Send one of the forms of a seat's page: play, take-back, put-back, answer."""
        return self.phone(seat).post(f"{self.path}/seat/{seat}/{action}", form, **options)


def open_seated_table(
    app: Flask, *names: str, game: str = "trails", phones: int | None = None, is_taught: bool | None = False
) -> SeatedTable:
    """Open a table from a first phone and seat everyone, each on a phone or all on fewer.

    :param is_taught: whether the phones teach the players; None: they have not been asked yet.
    """
    all_phones = tuple(Phone(app) for _ in range(phones or len(names)))
    referee: Referee = app.extensions["waymark"]
    setup = {**referee.default_setup(TRACKED_GAMES[game], list(names)), **to_builtins(ENTERED_FIELDS.get(game, {}))}
    code = referee.open_table(all_phones[0].device, game, setup).code
    table = SeatedTable(app, code, all_phones)
    for seat in range(len(names)):
        answer = table.phone(seat).post(f"/t/{code}/sit", {"seat": str(seat)})
        assert answer.headers["Location"] == f"/t/{code}/seat/{seat}"
        if is_taught is not None:
            referee.learners.set_taught(table.phone(seat).device, names[seat], game, is_taught)
    return table
