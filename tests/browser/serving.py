"""The server the phones call: the command people type, or one in this process that refuses every stream."""

from pathlib import Path

from companion.storage.card_facts import Boxes
from companion.storage.store import Store
from companion.web.app import create_app
from tests.support.server_process import Served
from tests.support.servers import free_port, waymark


class Server:
    """`waymark serve` on a port of its own, with its tables in a folder; it can be stopped and started again."""

    def __init__(self, instance: Path):
        self.instance = instance
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()
        self.store = Store(instance / "waymark.sqlite3")  # to read the tables, as the server wrote them

    def start(self) -> None:
        """Start it and return when it answers."""
        self._process = waymark(self.instance, self.port, "--host", "0.0.0.0")

    @property
    def boxes(self) -> Boxes:
        """Return what is known of the boxes."""
        return Boxes(self.store)

    def stop(self) -> None:
        self._process.stop()

    def close(self) -> None:
        self.stop()
        self.store.db.conn.close()
        assert "Traceback" not in self._process.said


class SmallServer:
    """The same app in this process, with places for only so many listeners."""

    def __init__(self, instance: Path, listeners: int):
        app = create_app(instance, LISTENERS=listeners)
        self.app, self.referee = app, app.extensions["waymark"]
        self.store = self.referee.store
        self._served = Served(app, self.referee.live)
        self.address = f"http://127.0.0.1:{self._served.port}"

    def close(self) -> None:
        self._served.stop()
        self.store.db.conn.close()
