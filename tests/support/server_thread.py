"""Run the real server in a thread of this process, and read what a socket receives."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from companion.service.live import LiveUpdates
from companion.web import server

GZIP_BITS = 31  # of a decompressor: a gzip header and the largest window, as zlib documents


class ServerThread:
    """The server of `waymark serve` with an app, in a thread of this process."""

    def __init__(self, app: Flask, live: LiveUpdates):
        listening = server.open_socket("127.0.0.1", 0)
        self.port: int = listening.getsockname()[1]
        self.server = server.Server(app, live)
        self.thread = threading.Thread(target=self.server.run, args=([listening],))
        self.thread.start()
        while not self.server.started:
            time.sleep(0.001)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@contextmanager
def serve(app: Flask, live: LiveUpdates | None = None) -> Iterator[ServerThread]:
    """Serve an app during the block; streams end with it, so the app gets a new `LiveUpdates`."""
    if live is None:
        referee = app.extensions["waymark"]
        live = referee.live = LiveUpdates(referee.store, 1000)
    serving = ServerThread(app, live)
    try:
        yield serving
    finally:
        serving.stop()


def read_response(connection: socket.socket, end: bytes = b"") -> bytes:
    """Return the bytes from a connection until it ends, or until `end` has come."""
    received = bytearray()
    while not end or end not in received:
        try:
            chunk = connection.recv(1 << 16)
        except ConnectionResetError:
            break
        if not chunk:
            break
        received += chunk
    return bytes(received)
