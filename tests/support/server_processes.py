"""Run several `waymark serve` processes behind one address, and a proxy in front."""

import contextlib
import http.client
import io
import itertools
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import NamedTuple

from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from companion.system.paths import CHECKOUT
from tests.support.page_parser import parse_page
from tests.support.ready_setups import ready_setup_form

PORTS = range(10_000, 30_000)
START_TIMEOUT = 30.0  # seconds
ANSWER_TIMEOUT = 90.0  # seconds; the first sheet a computer prints takes long
_taps = itertools.count()


def free_port() -> int:
    """Return a free port outside the ephemeral range, which outgoing connections use briefly."""
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port := secrets.choice(PORTS)))
            return port


class ServerProcess:
    """A server in its own process that answers on a port."""

    def __init__(self, command: list, port: int, log: Path, **options):
        self.port = port
        self.log = log
        with log.open("a") as output:
            self._process = subprocess.Popen(
                list(map(str, command)), stdout=output, stderr=subprocess.STDOUT, **options
            )
        until = time.monotonic() + START_TIMEOUT
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.05)  # The process has no other way to show that it is listening.
        self.stop()
        raise AssertionError(f"{command[0]} did not start: {log.read_text()}")

    def kill(self) -> None:
        """Kill it immediately, in the middle of its work."""
        self._process.kill()
        self._process.wait(20)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(20)

    close = stop

    @property
    def output(self) -> str:
        return self.log.read_text()


WAYMARK = (sys.executable, "-m", "tests.support.waymark_with_small_games")


def start_waymark(
    instance: Path,
    port: int,
    *options: object,
    command: tuple = WAYMARK,
    **process_options,
) -> ServerProcess:
    """Start `waymark serve`, with the small games too and its tables in a folder."""
    instance.mkdir(exist_ok=True)
    arguments = [*command, "serve", "--instance", instance, "--host", "127.0.0.1", "--port", port, *options]
    process_options = {"cwd": CHECKOUT, "env": {**os.environ, "PYTHONUNBUFFERED": "1"}, **process_options}
    return ServerProcess(arguments, port, instance.with_suffix(".log"), **process_options)


FORM_CONTENT_TYPE = "application/x-www-form-urlencoded"


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def redirect_path(self) -> str:
        """Return the path of the redirect."""
        return urllib.parse.urlsplit(self.headers["Location"]).path


class HttpPhone:
    """A phone that sends HTTP requests to a port, with one cookie for all servers behind it."""

    def __init__(self, port: int):
        self.port = port
        self._cookie = ""
        self._token = ""

    def get(self, path: str) -> Answer:
        return self._request("GET", path)

    def post(self, path: str, **form: object) -> Answer:
        form = {"csrf_token": self.token, "tap": f"tap-{next(_taps)}", **form}
        return self._request("POST", path, urllib.parse.urlencode(form))

    def upload_file(self, path: str, field: str, name: str, content: bytes) -> Answer:
        """Send a form with a file."""
        edge, body = encode_multipart({"csrf_token": self.token, field: FileStorage(io.BytesIO(content), name)})
        return self._request("POST", path, body, f"multipart/form-data; boundary={edge}")

    @property
    def token(self) -> str:
        if not self._token:
            self._token = parse_page(self.get("/").text).value("csrf_token")
        return self._token

    def _request(
        self, method: str, path: str, body: str | bytes | None = None, content_type: str = FORM_CONTENT_TYPE
    ) -> Answer:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_TIMEOUT)) as line:
            answer = self._send(line, method, path, body, content_type)
            if cookie := answer.headers["Set-Cookie"]:
                self._cookie = cookie.partition(";")[0]
            return Answer(answer.status, answer.headers, answer.read())

    def _send(
        self,
        line: http.client.HTTPConnection,
        method: str,
        path: str,
        body: str | bytes | None,
        content_type: str = FORM_CONTENT_TYPE,
    ) -> http.client.HTTPResponse:
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if body is not None:
            headers["Content-Type"] = content_type
        line.request(method, path, body, headers)
        return line.getresponse()

    @contextlib.contextmanager
    def open_stream(self, code: str):
        """Yield the lines of a table's live stream as they come."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_TIMEOUT)
        with contextlib.closing(line), self._send(line, "GET", f"/t/{code}/live", None) as answer:
            assert answer.status == 200
            yield (row.decode().strip() for row in answer)

    def open(self, *names: str, game: str = "trails") -> str:
        """Open a table and return its code."""
        answer = self.post(f"/new/{game}", **{f"names-{number}": name for number, name in enumerate(names)})
        assert answer.status == 303, answer.text
        if setup := ready_setup_form(list(names), game):
            assert self.post(f"{answer.redirect_path}/setup", **setup).status == 303
        return answer.redirect_path.rpartition("/")[2]

    def sit(self, code: str, seat: int) -> None:
        answer = self.post(f"/t/{code}/sit", seat=seat)
        assert (answer.status, answer.redirect_path) == (303, f"/t/{code}/seat/{seat}"), answer.text

    def hike(self, code: str, seat: int, steps: int = 1) -> Answer:
        return self.post(f"/t/{code}/seat/{seat}/play", move=f'{{"type": "hike", "steps": {steps}}}')
