"""A phone without a screen, over HTTP, and the server it calls, which may be killed."""

import http.client
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from companion.storage.store import Store
from scoring.kernel.move import Move
from tests.support.server_processes import free_port, start_waymark

TOKEN = re.compile(rb'name="csrf_token"[^>]*value="([^"]+)"')
TIMEOUT = 30.0  # Seconds to wait for an answer, or for a restarted server.
CONNECTION_ERRORS = (http.client.HTTPException, OSError)


class ServerGoneError(Exception):
    """The server closed the connection or could not be reached."""


class Answer:
    def __init__(self, answer: http.client.HTTPResponse):
        self.status = answer.status
        self.headers = answer.headers
        self.body = answer.read()


class CallerPhone:
    """One phone: its cookie and one connection from its own local address."""

    connected: set["CallerPhone"] = set()

    def __init__(self, port: int, address: str = "127.0.0.1"):
        self.port, self.address = port, address
        self.cookie = self.token = ""
        self._connection: http.client.HTTPConnection | None = None

    def request(
        self, method: str, path: str, form: dict | bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request and return its answer.

        :raises ServerGoneError: when no answer comes.
        """
        body = urlencode(form).encode() if isinstance(form, dict) else form
        sent = {"Cookie": self.cookie, **(headers or {})}
        if isinstance(form, dict):
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, TIMEOUT, (self.address, 0))
                self.connected.add(self)
            self._connection.request(method, path, body, sent)
            answer = Answer(self._connection.getresponse())
        except CONNECTION_ERRORS as fault:
            self.disconnect()
            raise ServerGoneError(str(fault)) from fault
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookie = cookie.partition(";")[0]
        return answer

    def disconnect(self) -> None:
        if self._connection:
            self._connection.close()
            self.connected.discard(self)
        self._connection = None

    def open_page(self, path: str) -> Answer:
        answer = self.request("GET", path)
        if found := TOKEN.search(answer.body):
            self.token = found.group(1).decode()
        return answer

    def post(self, path: str, tap: str = "", **form: object) -> Answer:
        """Send a form as htmx does; after a 503 send it again, as the page does."""
        sent = {"csrf_token": self.token, "tap": tap or secrets.token_urlsafe(6), **form}
        for wait in (0.5, 1, 2, 4, 0):
            answer = self.request("POST", path, sent, {"HX-Request": "true"})
            if answer.status != 503:
                break
            time.sleep(wait)
        return answer

    def play(self, seat: str, move: Move, tap: str) -> Answer:
        return self.post(f"{seat}/play", tap, move=msgspec.json.encode(move).decode())

    def open(self, game: str, *names: str) -> str:
        """Open a table, take every seat, and return its address."""
        self.open_page(f"/new/{game}")
        answer = self.post(f"/new/{game}", **{f"names-{row}": name for row, name in enumerate(names)})
        if "HX-Redirect" not in answer.headers:
            raise AssertionError(f"no table was opened: {answer.status} {answer.body[:300]!r}")
        table = answer.headers["HX-Redirect"]
        for seat in range(len(names)):
            self.post(f"{table}/sit", seat=seat)
        return table

    def retry_until_answered(self, send: Callable[[], Answer]) -> Answer:
        """Send the same request until it is answered, as a page does with an unanswered tap."""
        until = time.monotonic() + TIMEOUT
        while True:
            try:
                return send()
            except ServerGoneError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)


class Server:
    """`waymark serve` on its own port and instance folder."""

    def __init__(self, folder: Path):
        self.instance = folder / "instance"
        self.instance.mkdir(parents=True)
        self.port = free_port()
        self.start()
        self.store = Store(self.instance / "waymark.sqlite3")

    def start(self) -> None:
        self._process = start_waymark(self.instance, self.port)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        for caller in list(CallerPhone.connected):
            caller.disconnect()
        self._process.stop()
        self.store.db.conn.close()

    @property
    def tracebacks(self) -> list[str]:
        """Return the first lines of all tracebacks in its output and its log file."""
        files = [self._process.log, self.instance / "waymark.log"]
        output = "".join(file.read_text(errors="replace") for file in files if file.exists())
        return [line for line in output.splitlines() if "Traceback" in line]

    def tap_ids(self, code: str) -> list[str]:
        """Return the ids of all taps stored for a table, in their order."""
        rows = self.store.db.execute(
            "SELECT tap FROM entries JOIN tables ON tables.id = table_id WHERE code = ? ORDER BY number", [code]
        )
        return [tap for (tap,) in rows.fetchall()]


class StressReport(dict[str, float]):
    """Counts, and failures with an example of each."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[str] = []

    def count(self, label: str, amount: float = 1) -> None:
        self[label] = self.get(label, 0) + amount

    def expect_none(self, label: str, examples: list) -> None:
        """Count failures of one kind, and keep up to three examples."""
        self[label] = len(examples)
        self.failures += [f"{label}: {example}" for example in examples[:3]]
