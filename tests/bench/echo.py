"""The least a live page can do, to measure against.

An echo: what one says, all hear; nothing is stored, nothing drawn. And a bare table: what one says is on the disk before
the others are told, and all get a page of the usual size; it is the same page for everybody, and nobody is asked who he is.
"""

import queue
import sqlite3
import sys
import threading
from pathlib import Path

import waitress
from flask import Flask, Response, request

from companion.__main__ import SERVER
from companion.live import HEARTBEAT

PAGE = '<main data-version="{}"><input name="csrf_token" value="none">' + "x" * 24_000  # as long as a phone's own region
app = Flask(__name__)
listeners: list[queue.SimpleQueue] = []
at_table: list[queue.SimpleQueue] = []
kept = Path(sys.argv[-1]) / "bare.sqlite3"
own = threading.local()


@app.post("/say")
def say():
    """Put a text in every listener's queue."""
    for listener in list(listeners):
        listener.put(request.form["text"])
    return "said"


@app.get("/live")
def live():
    """Push each text to a listener."""
    return stream(listeners, ": here\n\n")


@app.post("/t/bare/seat/<int:seat>/play")
def play(seat: int):
    """Keep what is said, then tell everybody, then answer."""
    with db() as writing:
        number = writing.execute("INSERT INTO said (what) VALUES (?)", [request.form["move"]]).lastrowid
    for listener in list(at_table):
        listener.put(number)
    return PAGE.format(number)


@app.get("/t/bare/seat/<int:seat>")
@app.get("/t/bare/seat/<int:seat>/now")
def now(seat: int):
    """Show the newest version."""
    return PAGE.format(newest())


@app.get("/t/bare/live")
def table_live():
    """Push each version to a phone at the table."""
    return stream(at_table, f"event: version\ndata: {newest()}\n\n")


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


def stream(listeners: list[queue.SimpleQueue], first: str) -> Response:
    """Return a stream of what comes into a listener's queue."""
    heard: queue.SimpleQueue = queue.SimpleQueue()
    listeners.append(heard)

    def said():
        try:
            yield first
            while True:
                try:
                    yield f"event: version\ndata: {heard.get(timeout=HEARTBEAT)}\n\n"
                except queue.Empty:
                    yield ": still here\n\n"
        finally:
            listeners.remove(heard)

    return Response(said(), mimetype="text/event-stream", headers={"Cache-Control": "no-cache"})


if __name__ == "__main__":
    server = waitress.create_server(app, host="127.0.0.1", port=0, **SERVER)
    print(f"http://127.0.0.1:{server.effective_port}", flush=True)
    server.run()
