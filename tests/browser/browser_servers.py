"""Servers for the phones: the real command, or an in-process app with few streams."""

from pathlib import Path

from companion.storage.card_facts import CardFactsStore
from companion.storage.store import Store
from companion.web.app import create_app
from tests.support.server_processes import free_port, start_waymark
from tests.support.server_thread import ServerThread


class Server:
    """`waymark serve` on its own port with its tables in a folder; can be restarted."""

    def __init__(self, instance: Path):
        self.instance = instance
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()
        self.store = Store(instance / "waymark.sqlite3")  # reads the tables as the server wrote them

    def start(self) -> None:
        """Start it and return when it answers."""
        self._process = start_waymark(self.instance, self.port, "--host", "0.0.0.0")

    @property
    def card_facts(self) -> CardFactsStore:
        """Return the stored card facts."""
        return CardFactsStore(self.store)

    def stop(self) -> None:
        self._process.stop()

    def close(self) -> None:
        self.stop()
        self.store.db.conn.close()
        assert "Traceback" not in self._process.output


class InProcessServer:
    """The same app in this process, with a limited number of event streams."""

    def __init__(self, instance: Path, listeners: int):
        app = create_app(instance, LISTENERS=listeners)
        self.app, self.referee = app, app.extensions["waymark"]
        self.store = self.referee.store
        self._server_thread = ServerThread(app, self.referee.live)
        self.address = f"http://127.0.0.1:{self._server_thread.port}"

    def close(self) -> None:
        self._server_thread.stop()
        self.store.db.conn.close()
