"""The least a live page can do, to measure against, behind the same server.

An echo: what one says, all hear; nothing is stored, nothing drawn. A bare table: what one says is on the disk before
the others are told, and all get a page of the usual size; it is the same page for everybody, and nobody is asked who he is.
And a bare view: what is said is on the disk, and the answer is a word.
"""

import itertools
import sqlite3
import sys
import threading
from pathlib import Path

from flask import Flask, Response, request

from companion.service.live import Listens, Live
from companion.web.server import Server, allow_many_connections, collect_seldom, listen

PAGE = (
    '<main data-version="{}"><input name="csrf_token" value="none">' + "x" * 24_000
)  # as long as a phone's own region
app = Flask(__name__)
kept = Path(sys.argv[-1]) / "bare.sqlite3"
own = threading.local()
writer = threading.Lock()  # as the store has one
said = itertools.count(1)
last = 0


class Nothing:
    """What is stored where nothing is: the newest version is the last said."""

    def newest(self, code: str) -> int:
        return newest() if code == "bare" else last

    def data_version(self) -> int:
        return 0


live = Live(Nothing(), 3000)


@app.post("/say")
def say():
    """Tell every listener."""
    global last
    last = next(said)
    live.announce("echo", last)
    return "said"


@app.get("/live")
def echo_live():
    return stream("echo", last)


@app.post("/keep")
def keep():
    """Keep what is said: one durable commit."""
    write(request.form["move"])
    return "kept"


@app.post("/t/bare/seat/<int:seat>/play")
def play(seat: int):
    """Keep what is said, then tell everybody, then answer."""
    number = write(request.form["move"])
    live.announce("bare", number)
    return PAGE.format(number)


@app.get("/t/bare/seat/<int:seat>")
@app.get("/t/bare/seat/<int:seat>/now")
def now(seat: int):
    """Show the newest version."""
    return PAGE.format(newest())


@app.get("/t/bare/live")
def table_live():
    """Push each version to a phone at the table."""
    return stream("bare", newest())


def write(what: str) -> int:
    with writer, db() as writing:
        return writing.execute("INSERT INTO said (what) VALUES (?)", [what]).lastrowid


def newest() -> int:
    return db().execute("SELECT COALESCE(MAX(number), 0) FROM said").fetchone()[0]


def db() -> sqlite3.Connection:
    """Return this thread's connection, as durable as the store's."""
    if not hasattr(own, "db"):
        own.db = sqlite3.connect(kept, timeout=10)
        own.db.execute("PRAGMA journal_mode = WAL")
        own.db.execute("PRAGMA synchronous = FULL")
        own.db.execute("CREATE TABLE IF NOT EXISTS said (number INTEGER PRIMARY KEY, what TEXT NOT NULL)")
    return own.db


def stream(code: str, version: int) -> Response:
    request.environ["waymark.listens"] = Listens(code, version, str(next(said)), "127.0.0.1")
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-cache"})


if __name__ == "__main__":
    write("the table is open")  # so that there is something to hear
    listening = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    allow_many_connections()
    collect_seldom()
    Server(app, live).run([listening])
