"""Phones around a table, without their screens: each holds the live stream and fetches what its page would fetch."""

import re
import secrets
import time
from collections.abc import Iterator

import msgspec

from scoring.kernel.move import Move
from tests.bench.games import NAMES, recorded
from tests.bench.wire import Broken, Ears, Wire

TOKEN = re.compile(rb'name="csrf_token"[^>]*value="([^"]+)"')
SAID = re.compile(rb"data: (\d+)\n\n")
SHOWN = re.compile(rb'data-version="(\d+)"')
MARKS = re.compile(rb'data-marks="([^"]*)"')
FIRST, LAST = 400, 2000  # bytes of an answer: where a page says its version; one in pieces says it at its end
BY_HTMX = "HX-Request: true\r\n"


class Phone:
    """One open page of a table: a seat's, or the table view for those without one."""

    def __init__(self, port: int, address: str = "127.0.0.1"):
        self.port, self.address = port, address
        self.cookies: dict[str, str] = {}
        self.talk = Wire(port, self.cookies, address)
        self.page = ""
        self.token = ""
        self.shown = 0  # the version on the screen
        self.has = ""  # the pieces on the screen, as its header says it
        self.told_at = self.shown_at = 0.0
        self.posting = self.asking = False
        self.bytes = 0  # of the latest fragment, with its head

    def post(self, path: str, **form: str) -> str:
        """Send a form of a page; return where it leads."""
        answer = self.talk.ask("POST", path, {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), **form})
        if answer.status != 303:
            raise Broken(f"POST {path}: {answer.status}")
        return answer.header("Location")

    def look(self, path: str) -> None:
        """Open a page; every form of the phone carries its token from then on."""
        answer = self.talk.ask("GET", path)
        if answer.status != 200:
            raise Broken(f"GET {path}: {answer.status}")
        page = answer.content
        if token := TOKEN.search(page):
            self.token = token.group(1).decode()
        if shown := SHOWN.search(page):
            self.shown = int(shown.group(1))
        self.keep(page)

    def stay(self, page: str, ears: Ears) -> None:
        """Open a table's page and listen."""
        self.page = page
        self.look(page)
        self.stream, self.fetch = (Wire(self.port, self.cookies, self.address) for _ in range(2))
        ears.add(self.talk, self._answered)
        ears.add(self.fetch, self._fetched)
        ears.add(self.stream, self._told)
        self.stream.send("GET", page[: page.index("/", 3)] + "/live", headers="Accept: text/event-stream\r\n")

    def play(self, move: Move) -> None:
        """Tap a move; the answer is the new page."""
        said = msgspec.json.encode(move).decode()
        form = {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), "move": said}
        self.posting = True
        self.talk.send("POST", f"{self.page}/play", form, BY_HTMX + self.has)

    def at_a_new_table(self, game: str, seed: int) -> Iterator[tuple[str, dict[str, str]]]:
        """Open a table of four, take every seat, and yield what is posted there in a random game: path and form."""
        self.look(f"/new/{game}")
        table = self.post(f"/new/{game}", **{f"names-{seat}": name for seat, name in enumerate(NAMES)})
        for seat in range(len(NAMES)):
            self.post(f"{table}/sit", seat=str(seat))
        for seat, move in recorded(len(NAMES), seed, game):
            said = msgspec.json.encode(move).decode()
            form = {"csrf_token": self.token, "tap": secrets.token_urlsafe(6), "move": said}
            yield f"{table}/seat/{seat}/play", form

    def _told(self) -> None:
        """Hear "version N is out" and fetch, as the page's script does: unless the answer to a tap brings it."""
        said = [int(number) for number in SAID.findall(self.stream.held)]
        if not said:
            return
        del self.stream.held[: self.stream.held.rindex(b"\n\n")]
        self.told_at = time.perf_counter()
        if said[-1] > self.shown and not self.asking and not self.posting:
            self.asking = True
            self.fetch.send("GET", f"{self.page}/now?have={self.shown}", headers=BY_HTMX + self.has)

    def _answered(self) -> None:
        if answer := self.talk.take():
            self.posting = False
            self._show(answer)

    def _fetched(self) -> None:
        if answer := self.fetch.take():
            self.asking = False
            self._show(answer)

    def _show(self, answer) -> None:
        now, page = time.perf_counter(), answer.content
        shown = SHOWN.search(page, 0, FIRST) or SHOWN.search(page, max(0, len(page) - LAST))
        if answer.status != 200 or shown is None:
            raise Broken(f"{self.page}: {answer.status} {page[:300]!r}")
        if int(shown.group(1)) > self.shown:
            self.shown, self.shown_at, self.bytes = int(shown.group(1)), now, answer.wire
            self.keep(page)

    def keep(self, page: bytes) -> None:
        """Note the marks of a page's pieces: all that is told of them is what this phone has now."""
        if marks := MARKS.search(page, max(0, len(page) - LAST)):
            self.has = f"Waymark-Has: {marks.group(1).decode()}\r\n"


def sit_down(port: int, count: int, ears: Ears, address: str = "127.0.0.1") -> list[Phone]:
    """Open a table of four, seat as many phones as there are seats, and put the others before the table view."""
    phones = [Phone(port, address) for _ in range(count)]
    phones[0].look("/new/trails")
    table = phones[0].post("/new/trails", **{f"names-{seat}": name for seat, name in enumerate(NAMES)})
    for seat, phone in enumerate(phones):
        phone.look(table)
        phone.page = phone.post(f"{table}/sit", seat=str(seat)) if seat < len(NAMES) else f"{table}/board"
    for phone in phones:
        phone.stay(phone.page, ears)
    ears.until(lambda: all(phone.told_at and not phone.asking for phone in phones))
    return phones
