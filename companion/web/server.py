"""The server: one asyncio loop for connections and streams, a few threads for the Flask app.

Requests are read whole before a thread handles them, and responses are sent whole after it is done: a slow phone
occupies no thread. A stream is a coroutine, so a thousand streams cost little but memory.
"""

import asyncio
import contextlib
import gc
import io
import logging
import logging.handlers
import signal
import socket
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn
from flask import Flask
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion.service.live import LiveUpdates, StreamLimitError, Subscription
from companion.system.files import make_private, private_opener
from companion.system.limits import RateLimiter, RateLimitError, address_key

# Python runs one thread at a time, so more would only wait for each other. With one, a long page holds up all others.
PAGE_THREADS = 2
# Forms may wait until the database can be written; they never occupy a thread that renders a page.
FORM_THREADS = 2
SLOW_THREADS = 6  # for slow requests: they wait for the print queue or for a write, or carry a file
SLOW_PATH_SUFFIXES = (  # the ends of the slow addresses
    ".pdf", "/picture.png", "/photos", "/history/file", "/history.json", "/history.csv", "/healthz",
)  # fmt: skip
MAX_WAITING_REQUESTS = 512  # requests waiting for a thread; further ones get 503
KB = 1024
MAX_BODY_BYTES = 512 * KB  # no form is longer, except those in MAX_UPLOAD_BYTES
# The longest body of a form with a file, by the end of its address.
MAX_UPLOAD_BYTES = {"/photos": 13 * KB * KB, "/history/file": 21 * KB * KB}
MAX_CONCURRENT_UPLOADS = 2  # read at the same time; further uploads wait
MAX_HEADER_BYTES = 32 * 1024  # bytes of a request before its body
BODY_TIMEOUT = 20.0  # seconds to receive a body
UPLOAD_TIMEOUT = 90.0  # seconds to receive a body with a file, which may have to wait
IDLE_TIMEOUT = 20.0  # seconds for a new connection to send a request
KEEP_ALIVE_TIMEOUT = 65  # seconds for a connection to send another request
MAX_CONNECTIONS_PER_ADDRESS = 400  # a whole club may share one address
LOCAL_ADDRESS_PREFIXES = ("127.", "::1")  # not counted: a proxy on this computer has its own limits
TLS_HANDSHAKE = b"\x16"  # the first byte of a phone that wants https; no HTTP request begins with it
HTTPS_REPORT_INTERVAL = 600.0  # seconds between two reports about one address
SHUTDOWN_GRACE = 0.4  # seconds to finish responses when the server stops
ACKNOWLEDGEMENT_TIMEOUT_MS = 30_000  # ms without an acknowledgement until a connection is dropped
GZIP_HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"  # of RFC 1952: no name, no time, unknown system
STREAM_WINDOW_BITS = 14  # a window of 16 kB reaches back to the last changes
LOG_BACKUPS = 2  # older log files to keep
SLOW_REQUEST_SECONDS = 0.5  # slower requests are logged

logger = logging.getLogger("waymark.server")

Receive = Callable[[], Awaitable[dict]]  # of ASGI
Send = Callable[[dict], Awaitable[None]]


@dataclass(frozen=True)
class WsgiResponse:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    subscription: Subscription | None = None


class BodyTooLongError(Exception):
    """The body of a request is longer than any that Waymark accepts."""


class ClientDisconnectedError(Exception):
    """The phone disconnected before its request was complete."""


class WsgiBridge:
    """The Flask app as an ASGI application."""

    def __init__(self, app: Flask, live: LiveUpdates):
        self._app = app
        self._live = live
        self._page_pool = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="table")
        self._form_pool = ThreadPoolExecutor(FORM_THREADS, thread_name_prefix="tap")
        self._slow_pool = ThreadPoolExecutor(SLOW_THREADS, thread_name_prefix="sheet")
        self._upload_slots = asyncio.Semaphore(MAX_CONCURRENT_UPLOADS)
        self._waiting_requests = 0

    async def __call__(self, scope: dict, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        try:
            answer = await self._respond(scope, receive)
        except ClientDisconnectedError:
            return
        if answer.subscription and scope["method"] == "GET":
            await self._stream(answer, answer.subscription, receive, send)
        else:
            await _send(send, answer)
        _log_request(scope, answer, time.perf_counter() - began)

    async def _respond(self, scope: dict, receive: Receive) -> WsgiResponse:
        try:
            body = await self._read_body(scope, receive)
        except BodyTooLongError:
            return _plain_response(413, "This request is too long.")
        except TimeoutError:
            return _plain_response(408, "This request took too long. Try again.")
        if self._waiting_requests >= MAX_WAITING_REQUESTS:
            return _plain_response(
                503, "Too many requests at the same moment. Try again in a moment.", (b"retry-after", b"2")
            )
        try:
            return await self._run(self._pool_for(scope), self._run_app, scope, body)
        except Exception:
            logger.exception("%s %s", scope["method"], scope["raw_path"].decode("latin-1"))
            return _plain_response(500, "Something went wrong.")

    async def _run(self, pool: ThreadPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in a thread of a pool; until then it counts as a waiting request."""
        self._waiting_requests += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, function, *arguments)
        finally:
            self._waiting_requests -= 1

    def _pool_for(self, scope: dict) -> ThreadPoolExecutor:
        if scope["path"].endswith(SLOW_PATH_SUFFIXES):
            return self._slow_pool
        return self._form_pool if scope["method"] == "POST" else self._page_pool

    def close(self) -> None:
        """Finish the responses in progress, and stop the threads."""
        for pool in (self._page_pool, self._form_pool, self._slow_pool):
            pool.shutdown(cancel_futures=True)

    async def _read_body(self, scope: dict, receive: Receive) -> bytes:
        """Return a request's body; only a few uploads are read at a time, to limit memory.

        :raises BodyTooLongError: as soon as the body is known to be longer than allowed; the rest is not read.
        :raises ClientDisconnectedError: if the phone has disconnected.
        :raises TimeoutError: if the body takes too long.
        """
        max_bytes = _max_body_bytes(scope)
        # The parser accepts only digits. A body in chunks has no length, and may be as long as allowed.
        length = int(dict(scope["headers"]).get(b"content-length", max_bytes))
        if length > max_bytes:
            raise BodyTooLongError
        if length <= MAX_BODY_BYTES:
            async with asyncio.timeout(BODY_TIMEOUT):
                return await _receive_body(receive, max_bytes)
        async with asyncio.timeout(UPLOAD_TIMEOUT), self._upload_slots:
            return await _receive_body(receive, max_bytes)

    def _run_app(self, scope: dict, body: bytes) -> WsgiResponse:
        """Run the Flask app, in a thread of the pool."""
        environ = build_environ(scope, body)
        started: list[tuple[str, list[tuple[str, str]]]] = []
        content: list[bytes] = []

        def start_response(
            status: str, headers: list[tuple[str, str]], exc_info: Any = None
        ) -> Callable[[bytes], object]:
            started.append((status, headers))
            return content.append  # WSGI offers it to applications that write before they return

        parts = self._app(environ, start_response)
        try:
            content.extend(parts)
        finally:
            if close := getattr(parts, "close", None):
                close()
        status, headers = started[-1]
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return WsgiResponse(int(status[:3]), encoded, b"".join(content), environ.pop("waymark.listens", None))

    async def _stream(self, response: WsgiResponse, subscription: Subscription, receive: Receive, send: Send) -> None:
        """Send each new version of a table; 503 if all stream slots are taken."""
        try:
            release_slot = self._live.reserve_slot(subscription.device, subscription.address)
        except StreamLimitError:
            return await _send(send, _plain_response(503, "Every place is taken.", (b"retry-after", b"5")))
        disconnected = asyncio.ensure_future(_wait_for_disconnect(receive))
        # The body of the view was empty, so its length is not that of the stream.
        headers = [header for header in response.headers if header[0] != b"content-length"]
        compress = str.encode
        if subscription.render_changes and "gzip" in subscription.environ.get("HTTP_ACCEPT_ENCODING", ""):
            headers.append((b"content-encoding", b"gzip"))
            compress = StreamCompressor().compress
        try:
            await send({"type": "http.response.start", "status": response.status, "headers": headers})
            versions = self._live.listen(subscription.code, subscription.version, disconnected)
            with subscription.presence:
                async with contextlib.aclosing(versions):
                    async for version in versions:
                        event = await self._event(subscription, version) if version else ": still here\n\n"
                        await send({"type": "http.response.body", "body": compress(event), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            disconnected.cancel()
            release_slot()

    async def _event(self, subscription: Subscription, version: int) -> str:
        """Return an event with the changes of the page that listens, or with the number of the version.

        An event without a name is swapped into the page by htmx.
        """
        changes = None
        if subscription.render_changes and self._waiting_requests < MAX_WAITING_REQUESTS:
            changes = await self._run(self._page_pool, self._render_changes, subscription)
        if changes is None:
            return f"event: version\ndata: {version}\n\n"
        return "".join(f"data: {line}\n" for line in changes.replace("\r", "\n").split("\n")) + "\n"

    def _render_changes(self, subscription: Subscription) -> str | None:
        """Render the changes of the page that listens; None: the phone fetches them."""
        assert subscription.render_changes
        try:
            with self._app.request_context(subscription.environ):
                return subscription.render_changes()
        except Exception:  # the phone gets the error when it fetches its page
            logger.exception("stream of %s", subscription.code)
            return None


class StreamCompressor:
    """Compresses the messages of a stream, as one gzip file without an end.

    Each message can be read immediately. Only the text that was sent last is kept: a zlib compressor takes five times
    the memory, and a server has many streams. The compression of pages in `companion/web/app.py` explains why the
    length reveals no secret.
    """

    def __init__(self):
        self._header, self._recent = GZIP_HEADER, b""

    def compress(self, text: str) -> bytes:
        # The phone has the recent text in its window, so a new compressor can refer to it.
        compressor = zlib.compressobj(wbits=-STREAM_WINDOW_BITS, zdict=self._recent)
        data = text.encode()
        message = self._header + compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)
        self._header, self._recent = b"", (self._recent + data)[-(1 << STREAM_WINDOW_BITS) :]
        return message


def build_environ(scope: dict, body: bytes) -> dict[str, Any]:
    """Return the WSGI environment of a request (PEP 3333).

    The texts in it are bytes decoded as latin-1, as WSGI requires; Flask decodes them again.

    :param scope: the request, as ASGI describes it.
    """
    server_name, server_port = scope["server"] or ("localhost", 80)
    client_address, client_port = scope["client"] or ("", "")
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",  # the app is at the root of the server
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server_name,
        "SERVER_PORT": str(server_port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client_address,
        "REMOTE_PORT": str(client_port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name_bytes, value_bytes in scope["headers"]:
        if b"_" in name_bytes:
            continue  # in WSGI it would be the same as a name with hyphens, such as one of a proxy
        name, value = name_bytes.decode("latin-1").upper().replace("-", "_"), value_bytes.decode("latin-1")
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    environ["CONTENT_LENGTH"] = str(len(body))
    # The body is whole now, even if it was sent in chunks.
    for key in ("HTTP_CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"):
        environ.pop(key, None)
    return environ


def _max_body_bytes(scope: dict) -> int:
    """Return how long the body of a request may be."""
    if scope["method"] == "POST":
        for end, max_bytes in MAX_UPLOAD_BYTES.items():
            if scope["path"].endswith(end):
                return max_bytes
    return MAX_BODY_BYTES


async def _receive_body(receive: Receive, max_bytes: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        body += message.get("body", b"")
        if len(body) > max_bytes:
            raise BodyTooLongError
        if not message.get("more_body"):
            return bytes(body)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, response: WsgiResponse) -> None:
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    await send({"type": "http.response.body", "body": response.body})


def _plain_response(status: int, text: str, *headers: tuple[bytes, bytes]) -> WsgiResponse:
    """Return a response made without the app.

    It closes the connection, because the rest of the request is not read.
    """
    body = f"{HTTPStatus(status).phrase}. {text}\n".encode()
    length = (b"content-length", str(len(body)).encode())
    kind = (b"content-type", b"text/plain; charset=utf-8")
    return WsgiResponse(
        status, [kind, length, (b"connection", b"close"), (b"cache-control", b"no-store"), *headers], body
    )


def _log_request(scope: dict, response: WsgiResponse, seconds: float) -> None:
    """Log server errors, refused forms and slow requests, without the phone or the content."""
    refused = response.status >= 400 and scope["method"] == "POST"
    if response.status >= 500 or refused or (seconds > SLOW_REQUEST_SECONDS and not response.subscription):
        path = scope["raw_path"].decode("latin-1")  # still encoded, so no character can break the log line
        logger.info("%s %s: %d after %.0f ms", scope["method"], path, response.status, seconds * 1000)


HTTPS_REFUSAL = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    b"Waymark does not speak https here. Its address begins with http://\n"
)


class LimitedProtocol(HttpToolsProtocol):
    """A connection with limits on how long it may be idle, and on how large a request may be.

    A phone that tries https gets a plain answer immediately. No certificate is needed to fail quickly, and then some
    browsers offer or try http.

    uvicorn has no options for these limits. So this class and `Server` use names that it does not document: of
    `HttpToolsProtocol` the methods that are overridden here, `client`, `transport`, `cycle` and
    `cycle.response_complete`; of `uvicorn.Server` `capture_signals`, `handle_exit`, `on_tick`, `shutdown`,
    `should_exit` and `server_state.connections`. A test of tests/companion/web/test_server.py checks each of them.
    """

    connections_by_address: Counter[str] = Counter()
    https_reports = RateLimiter(1, HTTPS_REPORT_INTERVAL)

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.idle_since = time.monotonic()
        self.unread_bytes = self.header_bytes = 0
        self.wants_https = False
        self.address = self.client[0] if self.client else ""
        self.connections_by_address[self.address] += 1
        if self.connections_by_address[self.address] > MAX_CONNECTIONS_PER_ADDRESS and not self.address.startswith(
            LOCAL_ADDRESS_PREFIXES
        ):
            transport.abort()
        elif hasattr(socket, "TCP_USER_TIMEOUT") and (connection := transport.get_extra_info("socket")):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, ACKNOWLEDGEMENT_TIMEOUT_MS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.connections_by_address[self.address] -= 1
        if self.connections_by_address[self.address] <= 0:
            del self.connections_by_address[self.address]

    def data_received(self, data: bytes) -> None:
        if self.cycle is None and not self.unread_bytes and data.startswith(TLS_HANDSHAKE):
            self._refuse_https()
        if self.is_idle:
            self.unread_bytes += len(data)
            if self.unread_bytes > MAX_HEADER_BYTES + MAX_BODY_BYTES:
                self.transport.abort()
                return
        if not self.wants_https:
            super().data_received(data)

    def _refuse_https(self) -> None:
        """Answer in plain HTTP, and report the phone in the terminal.

        The connection stays open for the rest of the handshake: closing it before would discard the answer.
        """
        self.wants_https = True
        self.transport.write(HTTPS_REFUSAL)
        self.transport.write_eof()
        with contextlib.suppress(RateLimitError, OSError):  # standard output may have been closed
            self.https_reports.take(address_key(self.address))
            print(f"A phone at {self.address} asked for https; its address must begin with http://", flush=True)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.header_bytes += len(name) + len(value)
        if self.header_bytes > MAX_HEADER_BYTES:
            raise ValueError("the head of the request is too long")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.unread_bytes = self.header_bytes = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.idle_since = time.monotonic()

    @property
    def is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


class Server(uvicorn.Server):
    """The server as users start it; it stops within a second, even with open streams."""

    def __init__(self, app: Flask, live: LiveUpdates):
        self.live = live
        self._bridge = WsgiBridge(app, live)
        super().__init__(
            uvicorn.Config(
                self._bridge,
                http=LimitedProtocol,
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_TIMEOUT,
                # asyncio accepts fractions of a second.
                timeout_graceful_shutdown=SHUTDOWN_GRACE,  # pyright: ignore[reportArgumentType]
            )
        )
        # Malformed requests from strangers are not worth a log line.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        with _signal_handler(self.handle_exit) as old_handlers:
            self.should_exit |= any(
                isinstance(handler, StopRequest) and handler.is_received for handler in old_handlers
            )
            yield

    async def on_tick(self, counter: int) -> bool:
        if counter % 20 == 0:
            self._close_idle_connections()
        return await super().on_tick(counter)

    def _close_idle_connections(self) -> None:
        """Close idle connections; one that has had a response may be idle a little longer."""
        now = time.monotonic()
        # Each was made by `http=LimitedProtocol`.
        connections = cast("set[LimitedProtocol]", self.server_state.connections)
        for connection in list(connections):
            allowed_idle = IDLE_TIMEOUT if connection.cycle is None else KEEP_ALIVE_TIMEOUT + IDLE_TIMEOUT
            if connection.is_idle and now - connection.idle_since > allowed_idle:
                connection.transport.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.live.close()
        await super().shutdown(sockets)

    def close(self) -> None:
        """Stop the threads after the server has stopped: none of them uses the store from then on."""
        self._bridge.close()
        self.live.shut_down()


class StopRequest:
    """Records SIGINT and SIGTERM that arrive before the server runs; it then stops immediately."""

    def __init__(self) -> None:
        self.is_received = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.is_received = True

    @contextlib.contextmanager
    def handle_signals(self) -> Iterator[None]:
        """Record the signals within the block; a running server takes them over."""
        with _signal_handler(self):
            yield


@contextlib.contextmanager
def _signal_handler(handler: Callable[[int, FrameType | None], None]) -> Iterator[list[Any]]:
    """Handle SIGINT and SIGTERM in this block; give the previous handlers."""
    in_main = threading.current_thread() is threading.main_thread()  # only the main thread may set handlers
    old_handlers = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM) if in_main}
    try:
        yield list(old_handlers.values())
    finally:
        for number, old_handler in old_handlers.items():
            signal.signal(number, old_handler)


class PrivateLogHandler(logging.handlers.RotatingFileHandler):
    """A log file that only this account can read."""

    def _open(self) -> io.TextIOWrapper:  # the documented method for subclasses to override
        file = open(  # noqa: SIM115 - the handler closes it
            self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=private_opener
        )
        return cast("io.TextIOWrapper", file)


def configure_logging(path: Path) -> None:
    """Log refused, slow and failed requests to a file; rotation keeps it to a few megabytes."""
    make_private(path, *(path.with_name(f"{path.name}.{number}") for number in range(1, LOG_BACKUPS + 1)))
    handler = PrivateLogHandler(path, maxBytes=1 << 20, backupCount=LOG_BACKUPS, delay=True, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    for name in ("waymark", "companion"):
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(logging.INFO)
        logging.getLogger(name).propagate = False
    logging.raiseExceptions = False  # a full disk is reported elsewhere


def tune_garbage_collector() -> None:
    """Collect new objects in small portions, and old ones rarely.

    Requests wait while objects are collected. Most old ones stay, such as tables, rules and templates.
    """
    gc.freeze()
    gc.set_threshold(1_000, 5, 500)


def raise_connection_limit() -> None:
    """Raise this process's limit of open files to the maximum the system allows."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that phones can reach; port 0 picks a free one.

    :raises OSError: if the address cannot be bound.
    """
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(address[:2], family=family, backlog=1024)
