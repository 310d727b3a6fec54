"""Tests of the server: slow, large and broken requests, live streams, and shutdown."""

import asyncio
import http.client
import logging
import random
import re
import select
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode
from wsgiref.validate import validator

import pytest
import uvicorn
from flask import Flask, request
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion.service.live import LiveUpdates, Subscription
from companion.storage import database
from companion.storage.store import Store
from companion.system.limits import RateLimiter
from companion.system.paths import CHECKOUT
from companion.web import server
from companion.web.app import MAX_UPLOAD_BYTES
from scoring.trails.moves.hiking import Hike
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable
from tests.support.server_processes import free_port
from tests.support.server_thread import GZIP_BITS, ServerThread, read_response, serve
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow("a server with real connections, which wait")


class EmptyStore:
    """A store without tables."""

    def latest_version(self, code: str) -> int:
        return 1

    def data_version(self) -> int:
        return 0


@pytest.fixture
def echo_app() -> Flask:
    """Return an app that answers with the data it received."""
    app = Flask("bare")

    @app.route("/", methods=["GET", "POST"])
    @app.route("/r/BCDFGH/photos", methods=["GET", "POST"])
    def echo():
        return f"{request.method} {len(request.get_data())} {request.args.get('q', '')}"

    @app.get("/thread")
    @app.get("/t/BCDFG/score.pdf")
    @app.get("/r/BCDFGH/picture.png")
    @app.get("/history.json")
    def thread():
        return threading.current_thread().name

    @app.get("/live")
    def live():
        request.environ["waymark.listens"] = Subscription(
            "T", 1, request.args.get("phone", ""), request.args.get("address", ""), request.environ
        )
        return "", {"Content-Type": "text/event-stream"}

    @app.get("/broken")
    def broken():
        raise SystemError("this is not answered by any handler of the app")

    app.config["PROPAGATE_EXCEPTIONS"] = True
    return app


@pytest.fixture
def live() -> LiveUpdates:
    return LiveUpdates(EmptyStore(), 40)


@pytest.fixture
def server_thread(echo_app: Flask, live: LiveUpdates) -> Iterator[ServerThread]:
    with serve(echo_app, live) as serving:
        yield serving


def send_request(server_thread: ServerThread, request: bytes) -> bytes:
    """Send some bytes and return the whole answer."""
    with server_thread.connect() as connection:
        connection.sendall(request)
        return read_response(connection)


def test_request_is_answered_in_any_transfer_form(server_thread: ServerThread):
    with server_thread.connect() as connection:
        connection.sendall(b"POST /?q=x HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
        connection.sendall(b"def")
        assert read_response(connection, b"POST 6 x").endswith(b"POST 6 x")
        connection.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        assert read_response(connection, b"POST 5 ").endswith(b"POST 5 ")


TOO_LARGE = {
    "a body that says it is too long": (b"Content-Length: %d\r\n\r\n" % (server.MAX_BODY_BYTES + 1), b"413"),
    "a length that is invalid": (b"Content-Length: -5\r\n\r\n", b"400"),
    "a body in pieces without an end": (
        b"Transfer-Encoding: chunked\r\n\r\n"
        + (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * (server.MAX_BODY_BYTES // 0x10000 + 1),
        b"413",
    ),
    "a head without an end": (b"".join(b"X-%d: %s\r\n" % (n, b"y" * 1000) for n in range(40)), b"400"),
}


@pytest.mark.parametrize(("rest", "status"), TOO_LARGE.values(), ids=list(TOO_LARGE))
def test_request_that_is_too_large_is_refused_before_it_is_read(
    server_thread: ServerThread, rest: bytes, status: bytes
):
    answer = send_request(server_thread, b"POST / HTTP/1.1\r\nHost: x\r\n" + rest)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


def photo_request(size: int, sent_size: int | None = None) -> bytes:
    """Return a request with a photo of this size, or only the beginning of the request."""
    head = b"POST /r/BCDFGH/photos HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size
    return head + b"x" * (size if sent_size is None else sent_size)


def test_photo_may_be_larger_than_a_form_up_to_a_limit(server_thread: ServerThread):
    assert send_request(server_thread, photo_request(5_000_000)).endswith(b"POST 5000000 ")
    assert send_request(server_thread, photo_request(server.MAX_UPLOAD_BYTES["/photos"] + 1, 0)).startswith(
        b"HTTP/1.1 413"
    )


def test_large_photos_are_limited_and_block_no_other_request(server_thread: ServerThread):
    """Further ones wait for their turn; a photo made smaller on the phone never waits."""
    large, chunked = server.MAX_BODY_BYTES + 1, b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"
    with ExitStack() as open_ones:
        slow = [open_ones.enter_context(server_thread.connect()) for _ in range(server.MAX_CONCURRENT_UPLOADS)]
        for each in slow:
            each.sendall(photo_request(large, 10))
            assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        waits = open_ones.enter_context(server_thread.connect())
        waits.sendall(b"POST /r/BCDFGH/photos HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + chunked)
        assert send_request(server_thread, photo_request(server.MAX_BODY_BYTES)).endswith(
            b"POST %d " % server.MAX_BODY_BYTES
        )
        waits.settimeout(0.2)
        with pytest.raises(TimeoutError):
            waits.recv(1)
        waits.settimeout(20)
        slow[0].sendall(b"x" * (large - 10))
        assert read_response(slow[0]).endswith(b"POST %d " % large)
        assert read_response(waits).endswith(b"POST 5 ")


@pytest.mark.parametrize(
    ("path", "pool"),
    [
        ("/thread", "table"),
        ("/t/BCDFG/score.pdf", "sheet"),
        ("/r/BCDFGH/picture.png", "sheet"),
        ("/history.json", "sheet"),
    ],
)
def test_slow_requests_have_separate_threads(server_thread: ServerThread, path: str, pool: str):
    answer = send_request(server_thread, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answer.rpartition(b"\r\n")[2].startswith(pool.encode())


def test_server_limit_allows_every_upload_form(app: Flask):
    for endpoint, most in MAX_UPLOAD_BYTES.items():
        (rule,) = app.url_map.iter_rules(endpoint)
        longest = next(
            (longest for end, longest in server.MAX_UPLOAD_BYTES.items() if rule.rule.endswith(end)),
            server.MAX_BODY_BYTES,
        )
        assert most <= longest, rule


BROKEN = [
    b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /%zz%ff%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET /?q=\xff%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET http://x:99999999/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n" * 1000 + b"GARBAGE\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
]


@pytest.mark.parametrize("sent", BROKEN, ids=lambda sent: str(sent[:24]))
def test_malformed_request_is_refused_and_others_are_answered(
    server_thread: ServerThread, sent: bytes, caplog: pytest.LogCaptureFixture
):
    with server_thread.connect() as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = read_response(connection)
    assert not answer or 200 <= int(answer[9:12]) < 500
    assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert caplog.records == []


@pytest.fixture
def https_reports(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[], list[str]]:
    """Return a function that returns the new reports about phones that asked for https."""
    monkeypatch.setattr(server.LimitedProtocol, "https_reports", RateLimiter(1, server.HTTPS_REPORT_INTERVAL))
    return lambda: [line for line in capsys.readouterr().out.splitlines() if "asked for https" in line]


def client_hello() -> bytes:
    """Return the first message of a TLS client."""
    outgoing = ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="waymark.example")
    with suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()


def test_https_fails_immediately_and_is_reported_once(server_thread: ServerThread, https_reports: Callable):
    for _ in range(3):
        with server_thread.connect() as connection, pytest.raises(ssl.SSLError, match="WRONG_VERSION_NUMBER"):
            ssl.create_default_context().wrap_socket(connection, server_hostname="waymark.example")
    assert https_reports() == ["A phone at 127.0.0.1 asked for https; its address must begin with http://"]
    assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize("size", [1, 100])
def test_https_answer_is_not_lost_if_the_handshake_arrives_in_parts(
    server_thread: ServerThread, https_reports: Callable, size: int
):
    hello = client_hello()
    with server_thread.connect() as connection:
        connection.sendall(hello[:size])
        answer = read_response(connection)
        assert answer.startswith(b"HTTP/1.1 400") and answer.endswith(b"Its address begins with http://\n")
        connection.sendall(hello[size:])
        assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0  # it has not been reset
    wait_until(lambda: not server_thread.server.server_state.connections)
    assert len(https_reports()) == 1


def test_connection_that_asked_for_https_is_closed_when_idle(
    server_thread: ServerThread, https_reports: Callable, monkeypatch: pytest.MonkeyPatch
):
    with server_thread.connect() as connection:
        connection.sendall(client_hello())
        read_response(connection)
        monkeypatch.setattr(server, "IDLE_TIMEOUT", -1)
        wait_until(lambda: not server_thread.server.server_state.connections)


def test_body_that_begins_like_https_is_read(server_thread: ServerThread, https_reports: Callable):
    with server_thread.connect() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
        connection.sendall(b"\x16\x03")
        assert b"POST 2" in read_response(connection)
    assert https_reports() == []


def test_error_of_the_app_is_a_plain_answer_and_is_logged(
    server_thread: ServerThread, caplog: pytest.LogCaptureFixture
):
    answer = send_request(server_thread, b"GET /broken HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 500") and b"Traceback" not in answer
    assert "SystemError" in caplog.text


def test_slow_phones_hold_no_thread(server_thread: ServerThread):
    """More phones than threads send half of a request; another phone is still answered."""
    with ExitStack() as open_ones:
        for _ in range(2 * server.PAGE_THREADS):
            slow = open_ones.enter_context(server_thread.connect())
            slow.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
        assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


def test_body_that_never_arrives_times_out(server_thread: ServerThread, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "BODY_TIMEOUT", 0.01)
    assert send_request(server_thread, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf").startswith(
        b"HTTP/1.1 408"
    )


@parametrize_cases("begun", [b"GET / HT", b""])
def test_idle_connection_is_closed_but_a_stream_is_not(
    server_thread: ServerThread, monkeypatch: pytest.MonkeyPatch, begun: bytes
):
    with server_thread.connect() as silent, server_thread.connect() as stream:
        stream.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        read_response(stream, b"data: 1\n\n")
        silent.sendall(begun)
        monkeypatch.setattr(server, "IDLE_TIMEOUT", -server.KEEP_ALIVE_TIMEOUT - 1)
        assert read_response(silent) == b""
        server_thread.server.live.announce("T", 2)
        assert read_response(stream, b"data: 2\n\n")


def test_connections_of_one_address_are_limited(monkeypatch: pytest.MonkeyPatch, server_thread: ServerThread):
    """Phones behind nginx are not counted here, because nginx does that."""
    monkeypatch.setattr(server, "MAX_CONNECTIONS_PER_ADDRESS", 2)
    connection_made = server.LimitedProtocol.connection_made

    def from_afar(self, transport: asyncio.Transport) -> None:
        monkeypatch.setattr(server, "LOCAL_ADDRESS_PREFIXES", ())
        connection_made(self, transport)

    monkeypatch.setattr(server.LimitedProtocol, "connection_made", from_afar)
    with server_thread.connect() as first, server_thread.connect() as second:
        for connection in (first, second):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"GET 0" in read_response(connection, b"GET 0")
        assert send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == b""
    deadline = time.monotonic() + 10
    while server.LimitedProtocol.connections_by_address and time.monotonic() < deadline:
        time.sleep(0.005)
    assert b"GET 0" in send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


HTTP_SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/t/caf\u00e9",
    "raw_path": b"/t/caf%C3%A9",
    "query_string": b"q=%C3%A9&have=3",
    "server": ("192.0.2.1", 8000),
    "client": ("192.0.2.9", 51000),
    "headers": [
        (b"host", b"table.local:8000"),
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"transfer-encoding", b"chunked"),
        (b"accept", b"text/html"),
        (b"x-name", b"caf\xe9"),
        (b"accept", b"image/png"),
    ],
}


def test_wsgi_environ_describes_the_request():
    environ = server.build_environ(HTTP_SCOPE, b"move=1")
    assert environ.pop("wsgi.input").read() == b"move=1"
    assert environ == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/t/caf\u00c3\u00a9",  # the bytes of UTF-8, each as a letter of latin-1
        "QUERY_STRING": "q=%C3%A9&have=3",
        "CONTENT_TYPE": "text/plain; charset=utf-8",
        "CONTENT_LENGTH": "6",
        "HTTP_HOST": "table.local:8000",
        "HTTP_ACCEPT": "text/html,image/png",
        "HTTP_X_NAME": "caf\u00e9",
        "SERVER_NAME": "192.0.2.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.9",
        "REMOTE_PORT": "51000",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def test_wsgi_environ_of_a_request_without_headers_and_addresses_is_complete():
    scope = {**HTTP_SCOPE, "method": "GET", "query_string": b"", "headers": [], "server": None, "client": None}
    environ = server.build_environ(scope, b"")
    keys = ("SERVER_NAME", "SERVER_PORT", "REMOTE_ADDR", "QUERY_STRING", "CONTENT_LENGTH")
    assert [environ[key] for key in keys] == ["localhost", "80", "", "", "0"]
    assert not [key for key in environ if key.startswith("HTTP_")] and "CONTENT_TYPE" not in environ


def test_header_with_an_underscore_cannot_replace_one_of_a_proxy():
    headers = [(b"x-forwarded-for", b"192.0.2.9"), (b"x_forwarded_for", b"127.0.0.1")]
    environ = server.build_environ({**HTTP_SCOPE, "headers": headers}, b"")
    assert environ["HTTP_X_FORWARDED_FOR"] == "192.0.2.9"


@pytest.mark.parametrize("scope", [HTTP_SCOPE, {**HTTP_SCOPE, "path": "/", "headers": []}], ids=["form", "no headers"])
def test_wsgi_environ_follows_the_standard(scope: dict):
    def app(environ: dict, start_response: Callable) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))]

    parts = validator(app)(server.build_environ(scope, b"move=1"), lambda status, headers, exc_info=None: None)
    with closing(parts):
        assert list(parts) == [b"move=1"]


UVICORN_CHANGED = "uvicorn has changed what companion/web/server.py uses of it; see LimitedProtocol there"
PROTOCOL_METHODS = (
    "connection_made", "connection_lost", "data_received", "on_header", "on_headers_complete", "on_response_complete",
)  # fmt: skip
UVICORN_METHODS = {
    HttpToolsProtocol: PROTOCOL_METHODS,
    uvicorn.Server: ("capture_signals", "handle_exit", "on_tick", "shutdown"),
}


def test_uvicorn_has_the_undocumented_names_that_the_server_uses(server_thread: ServerThread):
    with server_thread.connect() as client:
        wait_until(lambda: len(server_thread.server.server_state.connections) == 1)
        (connection,) = server_thread.server.server_state.connections
        assert connection.cycle is None and connection.client[0] == "127.0.0.1", UVICORN_CHANGED
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        read_response(client, b"GET 0")
        wait_until(lambda: connection.cycle.response_complete is True, UVICORN_CHANGED)
        connection.transport.close()
        assert read_response(client) == b"", UVICORN_CHANGED
    for base, names in UVICORN_METHODS.items():
        missing = [name for name in names if not callable(getattr(base, name, None))]
        assert not missing, f"{UVICORN_CHANGED}: {missing} of {base.__name__}"
    assert server_thread.server.should_exit is False, UVICORN_CHANGED


def test_request_is_refused_with_retry_when_too_many_wait_for_a_thread(
    server_thread: ServerThread, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server, "MAX_WAITING_REQUESTS", 0)
    answer = send_request(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 503") and b"retry-after: 2" in answer


def test_pages_are_answered_while_taps_wait_for_another_program(
    table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch
):
    """More taps than threads wait at one table; all answered as counted are written."""
    for name in ("WRITE_TIMEOUT", "BUSY_TIMEOUT"):
        monkeypatch.setattr(database, name, 60.0)
    store, entered = table_of_two.referee.store, threading.Semaphore(0)
    table_lock = store.table_lock

    @contextmanager
    def counted(code: str) -> Iterator[None]:
        entered.release()
        with table_lock(code):
            yield

    monkeypatch.setattr(store, "table_lock", counted)
    phone = table_of_two.phone(0)
    cookie = phone.http.get_cookie("waymark").value
    move = {"csrf_token": phone.token, "move": '{"type":"hike","steps":2}'}
    with (
        serve(table_of_two.app) as served,
        closing(sqlite3.connect(store.path, isolation_level=None)) as other,
        ExitStack() as open_ones,
    ):
        other.execute("BEGIN IMMEDIATE")
        taps = [open_ones.enter_context(served.connect()) for _ in range(3 * server.FORM_THREADS)]
        for number, connection in enumerate(taps):
            body = urlencode({**move, "tap": f"waiting {number}"})
            head = f"POST {table_of_two.path}/seat/0/play HTTP/1.1\r\nHost: localhost\r\nCookie: waymark={cookie}\r\n"
            kind = "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
            connection.sendall(f"{head}{kind}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        for _ in range(server.FORM_THREADS):
            assert entered.acquire(timeout=60)
        for path in ("/about", "/", f"{table_of_two.path}/seat/0"):
            page = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: waymark={cookie}\r\nConnection: close\r\n\r\n"
            assert send_request(served, page.encode()).startswith(b"HTTP/1.1 200")
        assert select.select(taps, [], [], 0)[0] == []
        other.execute("ROLLBACK")
        answers = [read_response(connection)[9:12] for connection in taps]
    written = store.query("SELECT tap FROM entries WHERE tap LIKE 'waiting %'")
    assert set(answers) <= {b"303", b"403", b"422", b"503"} and answers.count(b"303") == len(written) == 1


# Streams.


def test_stream_is_refused_with_retry_when_all_slots_are_taken(server_thread: ServerThread, live: LiveUpdates):
    with ExitStack() as open_ones:
        for _ in range(8):
            stream = open_ones.enter_context(server_thread.connect())
            stream.sendall(b"GET /live?phone=ana HTTP/1.1\r\nHost: x\r\n\r\n")
            read_response(stream, b"data: 1\n\n")
        full = send_request(server_thread, b"GET /live?phone=ana HTTP/1.1\r\nHost: x\r\n\r\n")
        assert full.startswith(b"HTTP/1.1 503") and b"retry-after: 5" in full
        with server_thread.connect() as another:
            another.sendall(b"GET /live?phone=bo HTTP/1.1\r\nHost: x\r\n\r\n")
            read_response(another, b"data: 1\n\n")
            assert live.listeners == 9
    wait_until(lambda: live.listeners == 0)


DISCONNECTS = {
    "hangs up": lambda connection: None,
    "breaks off": lambda connection: connection.setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00"
    ),
    "says it will say no more": lambda connection: connection.shutdown(socket.SHUT_WR),
}


def test_compressed_messages_are_one_gzip_file_that_is_readable_after_each():
    compressor, decompressor = server.StreamCompressor(), zlib.decompressobj(GZIP_BITS)
    words = [f"{random.Random(number).random()} \N{EVERGREEN TREE}" for number in range(2000)]
    sizes = []
    for count in (0, 1, 200, 200, 2000, 1, 200):  # 2000 words are more than what is kept
        text = " ".join(words[:count])
        message = compressor.compress(text)
        assert decompressor.decompress(message) == text.encode()
        sizes.append(len(message))
    assert sizes[3] < sizes[2] / 10  # it reaches back to the last message


@pytest.mark.parametrize("disconnect", DISCONNECTS.values(), ids=list(DISCONNECTS))
def test_slot_of_a_disconnected_phone_is_released_immediately(
    server_thread: ServerThread, live: LiveUpdates, disconnect: Callable[[socket.socket], None]
):
    with server_thread.connect() as connection:
        connection.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
        read_response(connection, b"data: 1\n\n")
        assert live.listeners == 1
        disconnect(connection)
    wait_until(lambda: live.listeners == 0)


def test_head_request_of_a_stream_takes_no_slot(server_thread: ServerThread, live: LiveUpdates):
    assert send_request(server_thread, b"HEAD /live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").startswith(
        b"HTTP/1.1 200"
    )
    assert live.listeners == 0


def test_table_is_answered_while_a_hundred_phones_listen(table_of_two: SeatedTable):
    with serve(table_of_two.app) as server, ExitStack() as open_pages:

        def ask(path: str) -> http.client.HTTPResponse:
            connection = open_pages.enter_context(
                closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20))
            )
            connection.request("GET", path)
            return open_pages.enter_context(connection.getresponse())

        streams = [ask(f"{table_of_two.path}/live") for _ in range(100)]
        assert {b"".join(stream.readline() for _ in range(3)) for stream in streams} == {b"event: version\ndata: 3\n\n"}
        assert ask(f"{table_of_two.path}/board").status == 200
        table_of_two.play(0, Hike(2))
        assert {b"".join(stream.readline() for _ in range(3)) for stream in streams} == {b"event: version\ndata: 4\n\n"}


# Shutdown.


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_server_stops_cleanly_and_soon_despite_open_streams(tmp_path: Path, signal_number: signal.Signals):
    command = [
        sys.executable,
        "-m",
        "companion",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--instance",
        str(tmp_path),
    ]
    process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    port = int(next(filter(None, (re.search(r"http://\S+:(\d+)", line) for line in process.stdout))).group(1))
    store = server_store(tmp_path)
    with socket.create_connection(("127.0.0.1", port)) as stream, socket.create_connection(("127.0.0.1", port)) as idle:
        idle.sendall(b"GET / HT")
        stream.sendall(f"GET /t/{store}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        read_response(stream, b"data: 1\n\n")
        process.send_signal(signal_number)
        assert process.wait(20) == 0  # an open stream must not keep it running
        assert read_response(stream).endswith(b"0\r\n\r\n")
    _, errors = process.communicate()
    assert errors == ""
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(("-wal", "-shm"))]
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "waymark.sqlite3", tmp_path / "copy")  # only the one file
    with closing(Store(tmp_path / "copy" / "waymark.sqlite3")) as copy:
        assert copy.codes() == [store]


# In its own process: only a main thread gets signals, and that of the tests may still run the event loop of a browser.
STOP_BEFORE_IT_RUNS = """
import os, sys
from contextlib import closing
from pathlib import Path
from companion.web import app, server

waymark = app.create_app(Path(sys.argv[1]))
with server.StopRequest().handle_signals(), closing(server.open_socket("127.0.0.1", 0)) as listening:
    os.kill(os.getpid(), int(sys.argv[2]))
    server.Server(waymark, waymark.extensions["waymark"].live).run([listening])
"""


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_stop_before_the_server_runs_ends_it_cleanly(tmp_path: Path, signal_number: signal.Signals):
    command = [sys.executable, "-c", STOP_BEFORE_IT_RUNS, str(tmp_path), str(int(signal_number))]
    result = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


def test_stop_as_soon_as_the_port_answers_ends_it_cleanly(tmp_path: Path):
    port = free_port()
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*command, "--instance", str(tmp_path)], cwd=CHECKOUT, stdout=pipe, stderr=pipe, text=True
    )
    while process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.002)  # there is no other sign that the process listens
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


def server_store(instance: Path) -> str:
    """Open a table in the server's database from this process and return its code."""
    from tests.support.log_builder import LogBuilder

    store = Store(instance / "waymark.sqlite3")
    code = store.open_table(LogBuilder("Ana", "Bo").log[0]).code
    store.db.conn.close()
    return code


def test_two_servers_cannot_listen_on_the_same_port():
    first = server.open_socket("127.0.0.1", 0)
    with closing(first), pytest.raises(OSError, match="in use"):
        server.open_socket("127.0.0.1", first.getsockname()[1])


def test_connection_limit_is_raised_to_the_allowed_maximum():
    resource = pytest.importorskip("resource")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    server.raise_connection_limit()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == most


def test_slow_and_refused_requests_are_logged_without_personal_data(server_thread: ServerThread, caplog, monkeypatch):
    caplog.set_level("INFO", logger="waymark.server")
    send_request(server_thread, b"GET /?q=secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert caplog.records == []
    send_request(
        server_thread, b"POST /nowhere?q=secret HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    monkeypatch.setattr(server, "SLOW_REQUEST_SECONDS", 0.0)
    send_request(server_thread, b"GET /?q=secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    messages = [record.getMessage() for record in caplog.records]
    assert [line.partition(" after ")[0] for line in messages] == ["POST /nowhere: 404", "GET /: 200"]
    assert "secret" not in caplog.text


def test_number_of_threads_is_limited(server_thread: ServerThread):
    before = set(threading.enumerate())  # servers of other tests may have left idle threads
    threads = [
        threading.Thread(
            target=send_request, args=(server_thread, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        )
        for _ in range(30)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(20)
    answered = [thread for thread in set(threading.enumerate()) - before if thread.name.startswith("table")]
    assert 0 < len(answered) <= server.PAGE_THREADS


def test_log_file_is_limited_in_size_and_ignores_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    loggers = [logging.getLogger(name) for name in ("waymark", "companion")]
    before = [(each.handlers[:], each.level, each.propagate) for each in loggers]
    monkeypatch.setattr(logging, "raiseExceptions", True)
    try:
        server.configure_logging(tmp_path / "waymark.log")
        server.logger.info("POST /nowhere: 404 after 2 ms")
        assert "INFO POST /nowhere: 404 after 2 ms" in (tmp_path / "waymark.log").read_text()
        (handler,) = {each for logger in loggers for each in logger.handlers} - {
            each for handlers_before, _, _ in before for each in handlers_before
        }
        assert handler.maxBytes and handler.backupCount and not logging.raiseExceptions
        handler.close()
    finally:
        for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
