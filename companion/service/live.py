"""Live updates: announces new versions of a table to its open pages, across processes."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import Any

from companion.storage.database import StorageError
from companion.storage.store import Store, TableNotFoundError

HEARTBEAT = 12.0  # seconds; only a failed write shows that a phone has disconnected without closing
POLL_INTERVAL = 0.25  # seconds between checks for commits by other processes
MAX_STREAMS_PER_PHONE = 8  # a browser has six connections per host, over all its pages


class StreamLimitError(Exception):
    """No stream is left, overall or for this phone or address; the page polls instead."""


@dataclass(frozen=True)
class Subscription:
    """A phone's request for the updates of a table, handed from the view to the server's loop."""

    code: str
    version: int  # the version that the view has read
    device: str
    address: str
    environ: dict[str, Any]  # of the request (WSGI)
    presence: AbstractContextManager = field(default_factory=nullcontext)  # entered while the phone listens
    # Renders the changes of the page, in the context of the request; None: the phone has to fetch them.
    render_changes: Callable[[], str | None] | None = None


@dataclass
class _Topic:
    """A table with at least one listener."""

    version: int = 0
    listeners: set[asyncio.Event] = field(default_factory=set)

    def publish(self, version: int) -> None:
        if version > self.version:
            self.version = version
            for event in self.listeners:
                event.set()


class LiveUpdates:
    """The listeners of each table, and its latest known version.

    All methods except `announce` are for the server's event loop. One address can use at most half of the streams,
    so that the other half is left for phones at other addresses.
    """

    def __init__(self, store: Store, max_listeners: int):
        self._store = store
        self._max_listeners = max_listeners
        self._listener_counts: Counter[tuple[str, str]] = Counter()
        self._topics: dict[str, _Topic] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: asyncio.Task | None = None
        # One thread only, because data_version can be compared only within one connection, and each thread has its own.
        self._executor = ThreadPoolExecutor(1, "news")
        self._is_closed = False

    @property
    def listeners(self) -> int:
        """Return how many pages listen."""
        return self._listener_counts["all", ""]

    def announce(self, code: str, version: int) -> None:
        """Announce that a table has reached a version; call this after the commit, from any thread."""
        if code in self._topics and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._publish, code, version)

    def _publish(self, code: str, version: int) -> None:
        if topic := self._topics.get(code):
            topic.publish(version)

    def reserve_slot(self, device: str, address: str) -> Callable[[], None]:
        """Reserve a stream; return a function that releases it and may be called repeatedly.

        :raises StreamLimitError: when no stream is left for this phone.
        """
        limits = {
            ("all", ""): self._max_listeners,
            ("phone", device): MAX_STREAMS_PER_PHONE,
            ("address", address): max(1, self._max_listeners // 2),
        }
        if any(self._listener_counts[key] >= limit for key, limit in limits.items()):
            raise StreamLimitError
        self._listener_counts.update(limits.keys())
        slot = ExitStack()
        slot.callback(self._release_slot, limits.keys())
        return slot.close

    def _release_slot(self, keys) -> None:
        self._listener_counts.subtract(keys)
        for key in keys:
            if not self._listener_counts[key]:
                del self._listener_counts[key]

    async def listen(self, code: str, version: int, disconnected: asyncio.Future) -> AsyncGenerator[int | None, None]:
        """Yield the table's version now and after each change, and None when a heartbeat is due.

        It ends when `disconnected` is done or the server shuts down. Call `reserve_slot` first.

        :param version: the version read before the call; versions written since then are found here.
        """
        self._start_watcher()
        topic, event = self._topics.setdefault(code, _Topic()), asyncio.Event()
        topic.listeners.add(event)
        disconnected.add_done_callback(lambda _: event.set())
        try:
            topic.publish(version)
            topic.publish(await self._run_in_thread(self._read_version, code))  # another process may have written since
            sent_version = 0
            while not (self._is_closed or disconnected.done()):
                event.clear()
                if topic.version > sent_version:
                    sent_version = topic.version
                    yield sent_version
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await event.wait()
                except TimeoutError:
                    yield None
        finally:
            topic.listeners.discard(event)
            if not topic.listeners and self._topics.get(code) is topic:
                del self._topics[code]

    def close(self) -> None:
        """End every stream because the server shuts down."""
        self._is_closed = True
        for topic in self._topics.values():
            for event in topic.listeners:
                event.set()

    def shut_down(self) -> None:
        """Stop the thread that reads the database; call this after the loop has stopped."""
        self._executor.shutdown(cancel_futures=True)

    def _run_in_thread(self, function: Callable, *args: object) -> asyncio.Future:
        """Call a function that reads the database without blocking the loop."""
        return asyncio.get_running_loop().run_in_executor(self._executor, function, *args)

    def _read_version(self, code: str) -> int:
        try:
            return self._store.latest_version(code)
        except (StorageError, TableNotFoundError):
            return 0  # the next request for the table reports the error

    def _start_watcher(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._loop = asyncio.get_running_loop()
            self._watcher = self._loop.create_task(self._watch())

    async def _watch(self) -> None:
        """Poll for commits by other processes while any page listens."""
        data_version = None  # the first poll reads every table, because another process may have written before it
        while self._topics and not self._is_closed:
            await asyncio.sleep(POLL_INTERVAL)
            data_version, versions = await self._run_in_thread(self._read_versions, data_version, list(self._topics))
            for code, version in versions.items():
                self._publish(code, version)

    def _read_versions(self, data_version: int | None, codes: list[str]) -> tuple[int | None, dict[str, int]]:
        try:
            version = self._store.data_version()
        except StorageError:
            return data_version, {}
        return version, {code: self._read_version(code) for code in codes} if version != data_version else {}
