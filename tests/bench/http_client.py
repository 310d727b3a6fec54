"""Minimal HTTP client on plain sockets, so that the server is measured, not its client."""

import gzip
import re
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from urllib.parse import urlencode

from tests.bench.games import ROOT
from tests.support.server_thread import GZIP_BITS

# `waymark serve`; the instance folder follows.
SERVE_ARGUMENTS = ("companion", "serve", "--host", "127.0.0.1", "--port", "0", "--instance")
TIMEOUT = 15.0  # Seconds without a byte until the run fails.
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
COOKIE = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)


class UnexpectedAnswerError(RuntimeError):
    """The server did not answer as expected, so there is nothing to measure."""


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes
    byte_count: int  # Length of headers and body.

    @property
    def content(self) -> bytes:
        return gzip.decompress(self.body) if self.header("Content-Encoding") == "gzip" else self.body

    def header(self, name: str) -> str:
        found = re.search(rf"\r\n{name}: *([^\r]*)".encode(), self.head, re.IGNORECASE)
        return found.group(1).decode() if found else ""


class _Plain:
    def decompress(self, data: bytes) -> bytes:
        return data


class Connection:
    """One kept-alive connection; its cookies are shared with the phone's other connections."""

    def __init__(self, port: int, cookies: dict[str, str], address: str = "127.0.0.1"):
        self.port, self.address = port, address  # Each client needs its own address: the server has limits per address.
        self.cookies = cookies
        self.buffer = bytearray()
        self.on_bytes: Callable[[], None] = lambda: None
        self.selector: ConnectionSelector | None = None
        self.is_waiting = False
        self.decompressor = None  # of the event stream, once its head has arrived
        self.closed = True  # Like a browser, it connects for its first request: the server closes unused connections.

    def connect(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port), TIMEOUT, (self.address, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.closed = False
        if self.selector:
            self.selector.register(self)

    def send(self, method: str, path: str, form: dict[str, str] | None = None, headers: str = "") -> None:
        if self.closed:
            self.connect()
        self.is_waiting = True
        body = urlencode(form or {}).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept-Encoding: gzip\r\n{headers}"
        if cookies:
            head += f"Cookie: {cookies}\r\n"
        if form is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(f"{head}\r\n".encode() + body)

    def receive(self) -> None:
        some = self.socket.recv(1 << 18)
        if not some and self.is_waiting:
            raise UnexpectedAnswerError("the server closed a connection")
        if not some:  # The server may close an idle connection.
            self.closed = True
            self.selector.unregister(self)
            self.socket.close()
        self.buffer += some

    def take_answer(self) -> Answer | None:
        """Return the answer once it has arrived completely."""
        end = self.buffer.find(b"\r\n\r\n") + 4
        if end < 4:
            return None
        head = bytes(self.buffer[:end])
        length = LENGTH.search(head)
        size = end + (int(length.group(1)) if length else 0)
        if len(self.buffer) < size:
            return None
        answer = Answer(int(head[9:12]), head, bytes(self.buffer[end:size]), size)
        del self.buffer[:size]
        self.is_waiting = False
        for cookie in COOKIE.findall(head):
            name, _, value = cookie.decode().partition("=")
            self.cookies[name] = value
        return answer

    def take_events(self) -> bytes:
        """Return what an event stream has sent since the last call, in whole chunks and not compressed."""
        if self.decompressor is None:
            end = self.buffer.find(b"\r\n\r\n") + 4
            if end < 4:
                return b""
            is_compressed = b"\r\ncontent-encoding: gzip" in self.buffer[:end]
            self.decompressor = zlib.decompressobj(GZIP_BITS) if is_compressed else _Plain()
            del self.buffer[:end]
        events = b""
        while (start := self.buffer.find(b"\r\n") + 2) >= 2:
            end = start + int(self.buffer[: start - 2], 16)
            if len(self.buffer) < end + 2:
                break
            events += self.decompressor.decompress(bytes(self.buffer[start:end]))
            del self.buffer[: end + 2]
        return events

    def request(self, method: str, path: str, form: dict[str, str] | None = None, headers: str = "") -> Answer:
        """Send a request and wait for the answer."""
        self.send(method, path, form, headers)
        while (answer := self.take_answer()) is None:
            self.receive()
        return answer

    def close(self) -> None:
        if not self.closed:
            self.socket.close()


class ConnectionSelector:
    """Many connections read in one thread."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()

    def add(self, connection: Connection, on_bytes: Callable[[], None]) -> None:
        connection.on_bytes, connection.selector = on_bytes, self
        if not connection.closed:
            self.register(connection)

    def register(self, connection: Connection) -> None:
        self._selector.register(connection.socket, EVENT_READ, connection)

    def unregister(self, connection: Connection) -> None:
        self._selector.unregister(connection.socket)

    def run_until(self, is_done: Callable[[], bool]) -> None:
        """Dispatch received bytes until `is_done` returns True."""
        while not is_done():
            ready = self._selector.select(TIMEOUT)
            if not ready:
                raise UnexpectedAnswerError(f"no bytes for {TIMEOUT:.0f} seconds")
            for key, _ in ready:
                key.data.receive()
                key.data.on_bytes()

    def run_for(self, seconds: float) -> None:
        """Dispatch received bytes for some seconds."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            for key, _ in self._selector.select(left):
                key.data.receive()
                key.data.on_bytes()

    def release_all(self) -> None:
        """Stop listening, and leave every connection open."""
        for key in list(self._selector.get_map().values()):
            key.data.selector = None
        self._selector.close()

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.data.close()
        self._selector.close()


_processes: dict[int, int] = {}


def server_process_id(port: int) -> int:
    """Return the process id of a server that was started here."""
    return _processes[port]


@contextmanager
def run_server(*arguments: str) -> Iterator[int]:
    """Run `python -m ...`, a server that prints its address; yield its port, end it afterwards."""
    process = subprocess.Popen([sys.executable, "-m", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        found = (re.search(r"http://\S+:(\d+)", line) for line in process.stdout)
        port = next((int(address.group(1)) for address in found if address), None)
        if port is None:
            raise UnexpectedAnswerError(f"{' '.join(arguments)} ended with status {process.wait()}")
        _wait_for(port)
        _processes[port] = process.pid
        yield port
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise UnexpectedAnswerError(f"no answer at port {port}")
