"""The server the phones call: the command people type, or one in this process that refuses every stream."""

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path

from companion.app import create_app
from companion.boxes import Boxes
from companion.store import Store
from tests.serving import Served

ROOT = Path(__file__).resolve().parents[2]
STARTING = 20.0  # seconds


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`waymark serve` on a port of its own, with its tables in a folder; it can be stopped and started again."""

    def __init__(self, instance: Path):
        instance.mkdir(exist_ok=True)
        self.instance = instance
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = (instance / "said.txt").open("a+")
        self._process: subprocess.Popen | None = None
        self.start()
        self.store = Store(instance / "waymark.sqlite3")  # to read the tables, as the server wrote them

    def start(self) -> None:
        """Start it and return when it answers."""
        command = [sys.executable, "-m", "companion", "serve", "--port", str(self.port), "--instance", str(self.instance)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=self._log, stderr=subprocess.STDOUT)
        until = time.monotonic() + STARTING
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError(f"the server did not start: {self.said}")

    @property
    def boxes(self) -> Boxes:
        """Return what is known of the boxes."""
        return Boxes(self.store)

    @property
    def said(self) -> str:
        """Return what it has printed, complaints included."""
        return Path(self._log.name).read_text()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)

    def close(self) -> None:
        self.stop()
        self._log.close()
        self.store.db.conn.close()
        assert "Traceback" not in self.said


class SmallServer:
    """The same app in this process, with places for only so many listeners."""

    def __init__(self, instance: Path, listeners: int):
        app = create_app(instance, LISTENERS=listeners)
        self.referee = app.extensions["waymark"]
        self.store = self.referee.store
        self._served = Served(app, self.referee.live)
        self.address = f"http://127.0.0.1:{self._served.port}"

    def close(self) -> None:
        self._served.stop()
        self.store.db.conn.close()
