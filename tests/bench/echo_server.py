"""Minimal live server behind the same web server, as a baseline for the benchmarks.

Echo: a posted message is announced to every listener; nothing is stored or rendered.

Bare table: a posted message is committed before the others are notified, and each of them fetches a page of the usual
size. The page is the same for everyone, and no session is checked.

Bare view: a posted message is committed, and the answer is one word.
"""

import itertools
import sqlite3
import sys
import threading
from pathlib import Path

from flask import Flask, Response, request

from companion.service.live import LiveUpdates, Subscription
from companion.web.server import Server, open_socket, raise_connection_limit, tune_garbage_collector

# As long as a phone's own region.
PAGE = '<main data-version="{}"><input name="csrf_token" value="none">' + "x" * 24_000
app = Flask(__name__)
DATABASE = Path(sys.argv[-1]) / "bare.sqlite3"
thread_local = threading.local()
write_lock = threading.Lock()  # Serializes writes, as the store does.
version_counter = itertools.count(1)
last = 0


class EmptyStore:
    """Stand-in for the store that knows only the newest version."""

    def latest_version(self, code: str) -> int:
        return newest_version() if code == "bare" else last

    def data_version(self) -> int:
        return 0


live = LiveUpdates(EmptyStore(), 3000)


@app.post("/send")
def post_message():
    """Announce a new version to every listener."""
    global last
    last = next(version_counter)
    live.announce("echo", last)
    return "sent"


@app.get("/live")
def echo_live():
    return stream("echo", last)


@app.post("/store")
def store_message():
    """Store the posted text in one durable commit."""
    store_text(request.form["move"])
    return "stored"


@app.post("/t/bare/seat/<int:seat>/play")
def play(seat: int):
    """Store the posted text, notify all listeners, then answer."""
    number = store_text(request.form["move"])
    live.announce("bare", number)
    return PAGE.format(number)


@app.get("/t/bare/seat/<int:seat>")
@app.get("/t/bare/seat/<int:seat>/now")
def show_newest(seat: int):
    """Return the page of the newest version."""
    return PAGE.format(newest_version())


@app.get("/t/bare/seat/<int:seat>/live")
def table_live(seat: int):
    """Push each version to a phone at the table."""
    return stream("bare", newest_version())


def store_text(text: str) -> int:
    with write_lock, connect() as writing:
        return writing.execute("INSERT INTO messages (text) VALUES (?)", [text]).lastrowid


def newest_version() -> int:
    return connect().execute("SELECT COALESCE(MAX(number), 0) FROM messages").fetchone()[0]


def connect() -> sqlite3.Connection:
    """Return this thread's connection, as durable as the store's."""
    if not hasattr(thread_local, "db"):
        thread_local.db = sqlite3.connect(DATABASE, timeout=10)
        thread_local.db.execute("PRAGMA journal_mode = WAL")
        thread_local.db.execute("PRAGMA synchronous = FULL")
        thread_local.db.execute("CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    return thread_local.db


def stream(code: str, version: int) -> Response:
    request.environ["waymark.listens"] = Subscription(
        code, version, str(next(version_counter)), "127.0.0.1", request.environ
    )
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-cache"})


if __name__ == "__main__":
    store_text("the table is open")  # The first subscriber needs a version to receive.
    listening = open_socket("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    raise_connection_limit()
    tune_garbage_collector()
    Server(app, live).run([listening])
