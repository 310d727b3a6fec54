""" "Version N is out": told to every open page of a table, across threads and processes. Nothing else travels here."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from companion.store import Store

HEARTBEAT = 12.0  # seconds; where the server cannot say so, only a written byte shows that a phone has gone
GLANCE = 1.0  # seconds between looks whether the phone is still there
WATCH = 0.25  # seconds between looks at what other processes have committed


class Full(Exception):
    """Every place for a listener is taken; the page asks now and then instead."""


class Live:
    """Who listens to which table, and the newest version known."""

    def __init__(self, store: Store, most: int):
        self._store = store
        self._most = most
        self._listeners = 0
        self._newest: dict[str, int] = {}
        self._news = threading.Condition()
        self._watcher: threading.Thread | None = None

    def announce(self, code: str, number: int) -> None:
        """Tell that a table has reached a version; call it after the commit."""
        with self._news:
            if number > self._newest.get(code, 0):
                self._newest[code] = number
                self._news.notify_all()

    def join(self) -> Callable[[], None]:
        """Take a listener's place; return what gives it back, however often it is called.

        :raises Full: when there is none.
        """
        with self._news:
            if self._listeners >= self._most:
                raise Full
            self._listeners += 1
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, daemon=True)
                self._watcher.start()
        place = ExitStack()
        place.callback(self._leave)
        return place.close

    def _leave(self) -> None:
        with self._news:
            self._listeners -= 1

    def listen(self, code: str, number: int, gone: Callable[[], bool] = lambda: False) -> Iterator[int | None]:
        """Yield the table's version now and whenever it grows, None when a heartbeat is due; end when the phone has `gone`.

        Call `join` first.
        """
        self.announce(code, number)
        self.announce(code, self._store.newest(code))  # another process may have written since; from now on we watch
        told = 0
        while True:
            beat = time.monotonic() + HEARTBEAT
            with self._news:
                while (newest := self._newest[code]) <= told and (left := beat - time.monotonic()) > 0:
                    if gone():
                        return
                    self._news.wait(min(left, GLANCE))
            yield newest if newest > told else None
            told = newest

    def _watch(self) -> None:
        """Look for other processes' commits while anybody listens."""
        seen = None  # the first look is at every table: something may have come before it
        while True:
            time.sleep(WATCH)
            with self._news:
                if not self._listeners:
                    self._watcher = None
                    return
                codes = list(self._newest)
            version = self._store.data_version()
            if version != seen:
                seen = version
                for code in codes:
                    self.announce(code, self._store.newest(code))
