"""Phones at a table without a browser: each holds the live stream and fetches fragments."""

import re
import secrets
import time
from collections.abc import Iterator

import msgspec

from scoring.kernel.move import Move
from tests.bench.games import NAMES, random_game_moves
from tests.bench.http_client import Answer, Connection, ConnectionSelector, UnexpectedAnswerError

TOKEN_PATTERN = re.compile(rb'name="csrf_token"[^>]*value="([^"]+)"')
VERSION_EVENT_PATTERN = re.compile(rb"event: version\ndata: (\d+)")
SHOWN_VERSION_PATTERN = re.compile(rb'data-version="(\d+)"')
FRAGMENT_MARKS_PATTERN = re.compile(rb'data-fragments="([^"]*)"')
# Bytes of an answer searched for its version: a whole page has it at its start, one in fragments at its end.
HEAD_BYTES, TAIL_BYTES = 400, 2000
HTMX_HEADER = "HX-Request: true\r\n"


class Phone:
    """One open page of a table: a seat's, or the table view for phones without a seat."""

    def __init__(self, port: int, address: str = "127.0.0.1"):
        self.port, self.address = port, address
        self.cookies: dict[str, str] = {}
        self.connection = Connection(port, self.cookies, address)
        self.page = ""
        self.token = ""
        self.shown_version = 0  # The version on the screen.
        self.fragments_header = ""  # Request header that lists the fragments on the screen.
        self.notified_at = self.shown_at = 0.0
        self.is_posting = self.is_fetching = False
        self._unread = b""  # Of the stream: the beginning of a message.
        self.fragment_bytes = 0  # Of the latest fragment, headers included.

    def post(self, path: str, **form: str) -> str:
        """Send a form of a page; return the address it redirects to."""
        answer = self.connection.request(
            "POST", path, {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), **form}
        )
        if answer.status != 303:
            raise UnexpectedAnswerError(f"POST {path}: {answer.status}")
        return answer.header("Location")

    def open_page(self, path: str) -> None:
        """Open a page and keep its token for all later forms."""
        answer = self.connection.request("GET", path)
        if answer.status != 200:
            raise UnexpectedAnswerError(f"GET {path}: {answer.status}")
        page = answer.content
        if token := TOKEN_PATTERN.search(page):
            self.token = token.group(1).decode()
        if shown := SHOWN_VERSION_PATTERN.search(page):
            self.shown_version = int(shown.group(1))
        self.remember_fragments(page)

    def watch_page(self, page: str, selector: ConnectionSelector) -> None:
        """Open a table's page and its live stream."""
        self.page = page
        self.open_page(page)
        self.stream, self.fetch = (Connection(self.port, self.cookies, self.address) for _ in range(2))
        selector.add(self.connection, self._on_answer)
        selector.add(self.fetch, self._on_fragment)
        selector.add(self.stream, self._on_event)
        self.stream.send("GET", f"{page}/live", headers="Accept: text/event-stream\r\n")

    def play(self, move: Move) -> None:
        """Post a move; the answer is the new page."""
        data = msgspec.json.encode(move).decode()
        form = {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), "move": data}
        self.is_posting = True
        self.connection.send("POST", f"{self.page}/play", form, HTMX_HEADER + self.fragments_header)

    def open_table_forms(self, game: str, seed: int) -> Iterator[tuple[str, dict[str, str]]]:
        """Open a table of four, take every seat, and yield (path, form) for each random move."""
        self.open_page(f"/new/{game}")
        table = self.post(f"/new/{game}", **{f"names-{seat}": name for seat, name in enumerate(NAMES)})
        for seat in range(len(NAMES)):
            self.post(f"{table}/sit", seat=str(seat))
        for seat, move in random_game_moves(len(NAMES), seed, game):
            data = msgspec.json.encode(move).decode()
            form = {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), "move": data}
            yield f"{table}/seat/{seat}/play", form

    def _on_event(self) -> None:
        """Do as the page's script does: show the fragments of a message, or fetch the version that an event announces.

        A version that the answer of a tap brings is not fetched.
        """
        byte_count = len(self.stream.buffer)
        *messages, self._unread = (self._unread + self.stream.take_events()).split(b"\n\n")
        for message in messages:
            has_changes = message.startswith(b"data:")
            found = (SHOWN_VERSION_PATTERN if has_changes else VERSION_EVENT_PATTERN).search(message)
            if found is None:
                continue  # A sign of life.
            self.notified_at = time.perf_counter()
            is_busy = self.is_fetching or self.is_posting
            if has_changes and not is_busy:
                self._show(message, byte_count)
            elif int(found.group(1)) > self.shown_version and not is_busy:
                self.is_fetching = True
                path = f"{self.page}/now?have={self.shown_version}"
                self.fetch.send("GET", path, headers=HTMX_HEADER + self.fragments_header)

    def _on_answer(self) -> None:
        if answer := self.connection.take_answer():
            self.is_posting = False
            self._show_answer(answer)

    def _on_fragment(self) -> None:
        if answer := self.fetch.take_answer():
            self.is_fetching = False
            self._show_answer(answer)

    def _show_answer(self, answer: Answer) -> None:
        if answer.status != 200:
            raise UnexpectedAnswerError(f"{self.page}: {answer.status} {answer.content[:300]!r}")
        self._show(answer.content, answer.byte_count)

    def _show(self, page: bytes, byte_count: int) -> None:
        time_shown = time.perf_counter()
        shown = SHOWN_VERSION_PATTERN.search(page, 0, HEAD_BYTES) or SHOWN_VERSION_PATTERN.search(
            page, max(0, len(page) - TAIL_BYTES)
        )
        if shown is None:
            raise UnexpectedAnswerError(f"{self.page}: {page[:300]!r}")
        if int(shown.group(1)) > self.shown_version:
            self.shown_version, self.shown_at, self.fragment_bytes = int(shown.group(1)), time_shown, byte_count
            self.remember_fragments(page)

    def remember_fragments(self, page: bytes) -> None:
        """Store the marks of a page's fragments, which the server needs to know for the next one."""
        if marks := FRAGMENT_MARKS_PATTERN.search(page, max(0, len(page) - TAIL_BYTES)):
            self.fragments_header = f"Known-Fragments: {marks.group(1).decode()}\r\n"


def seat_phones(port: int, count: int, selector: ConnectionSelector, address: str = "127.0.0.1") -> list[Phone]:
    """Open a table of four and seat the phones; the rest open the table view."""
    phones = [Phone(port, address) for _ in range(count)]
    phones[0].open_page("/new/trails")
    table = phones[0].post("/new/trails", **{f"names-{seat}": name for seat, name in enumerate(NAMES)})
    for seat, phone in enumerate(phones):
        phone.open_page(table)
        phone.page = phone.post(f"{table}/sit", seat=str(seat)) if seat < len(NAMES) else f"{table}/board"
    for phone in phones:
        phone.watch_page(phone.page, selector)
    selector.run_until(lambda: all(phone.notified_at and not phone.is_fetching for phone in phones))
    return phones
