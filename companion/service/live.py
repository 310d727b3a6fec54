""" "Version N is out": told to every open page of a table, across threads and processes. Nothing else travels here."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field

from companion.storage.store import StorageError, Store, TableNotFoundError

HEARTBEAT = 12.0  # seconds; only a written byte shows that a phone has gone without a word
POLL_INTERVAL = 0.25  # seconds between looks at what other processes have committed
MAX_STREAMS_PER_PHONE = 8  # streams: a browser has six connections to a host, over all its pages


class StreamLimitError(Exception):
    """Every place for a listener is taken, or every one this phone or address may have; the page asks now and then instead."""


@dataclass(frozen=True)
class Subscription:
    """What a view says of a phone that wants to hear of a table; the server's loop takes it from there."""

    code: str
    version: int  # that the view has read
    device: str
    address: str
    presence: AbstractContextManager = field(default_factory=nullcontext)  # entered as long as it listens


@dataclass
class _Topic:
    """A table with somebody listening."""

    version: int = 0
    listeners: set[asyncio.Event] = field(default_factory=set)

    def publish(self, version: int) -> None:
        if version > self.version:
            self.version = version
            for news in self.listeners:
                news.set()


class LiveUpdates:
    """Who listens to which table, and the newest version known. All but `announce` is for the server's own loop.

    One address can take half of the places at most: the other half is for those who come by another.
    """

    def __init__(self, store: Store, max_listeners: int):
        self._store = store
        self._max_listeners = max_listeners
        self._listener_counts: Counter[tuple[str, str]] = Counter()
        self._topics: dict[str, _Topic] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: asyncio.Task | None = None
        self._executor = ThreadPoolExecutor(
            1, "news"
        )  # one thread: each has a connection, whose data_version is its own
        self._is_closed = False

    @property
    def listeners(self) -> int:
        """Return how many pages listen."""
        return self._listener_counts["all", ""]

    def announce(self, code: str, version: int) -> None:
        """Tell that a table has reached a version; call it after the commit, from any thread."""
        if code in self._topics and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._publish, code, version)

    def _publish(self, code: str, version: int) -> None:
        if room := self._topics.get(code):
            room.publish(version)

    def reserve_slot(self, device: str, address: str) -> Callable[[], None]:
        """Take a listener's place; return what gives it back, however often it is called.

        :raises Full: when there is none for this phone.
        """
        mine = {
            ("all", ""): self._max_listeners,
            ("phone", device): MAX_STREAMS_PER_PHONE,
            ("address", address): max(1, self._max_listeners // 2),
        }
        if any(self._listener_counts[each] >= most for each, most in mine.items()):
            raise StreamLimitError
        self._listener_counts.update(mine.keys())
        place = ExitStack()
        place.callback(self._release_slot, mine.keys())
        return place.close

    def _release_slot(self, keys) -> None:
        self._listener_counts.subtract(keys)
        for each in keys:
            if not self._listener_counts[each]:
                del self._listener_counts[each]

    async def listen(self, code: str, version: int, disconnected: asyncio.Future) -> AsyncGenerator[int | None, None]:
        """Yield the table's version now and whenever it grows, None when a heartbeat is due.

        It ends when the phone is `gone`, or the server closes. `number` is the version that was read before; what
        came since then is found here. Call `join` first.
        """
        self._start_watcher()
        room, news = self._topics.setdefault(code, _Topic()), asyncio.Event()
        room.listeners.add(news)
        disconnected.add_done_callback(lambda _: news.set())
        try:
            room.publish(version)
            room.publish(await self._run_in_thread(self._read_version, code))  # another process may have written since
            told = 0
            while not (self._is_closed or disconnected.done()):
                news.clear()
                if room.version > told:
                    told = room.version
                    yield told
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await news.wait()
                except TimeoutError:
                    yield None
        finally:
            room.listeners.discard(news)
            if not room.listeners and self._topics.get(code) is room:
                del self._topics[code]

    def close(self) -> None:
        """End every stream: the server closes."""
        self._is_closed = True
        for room in self._topics.values():
            for news in room.listeners:
                news.set()

    def shut_down(self) -> None:
        """End the thread that looks at the file; call it after the loop has stopped."""
        self._executor.shutdown(cancel_futures=True)

    def _run_in_thread(self, function: Callable, *args: object) -> asyncio.Future:
        """Look at the file without holding up the loop."""
        return asyncio.get_running_loop().run_in_executor(self._executor, function, *args)

    def _read_version(self, code: str) -> int:
        try:
            return self._store.latest_version(code)
        except (StorageError, TableNotFoundError):
            return 0  # the next look at the table says why

    def _start_watcher(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._loop = asyncio.get_running_loop()
            self._watcher = self._loop.create_task(self._watch())

    async def _watch(self) -> None:
        """Look for other processes' commits while anybody listens."""
        seen = None  # the first look is at every table: something may have come before it
        while self._topics and not self._is_closed:
            await asyncio.sleep(POLL_INTERVAL)
            seen, newest = await self._run_in_thread(self._read_versions, seen, list(self._topics))
            for code, number in newest.items():
                self._publish(code, number)

    def _read_versions(self, data_version: int | None, codes: list[str]) -> tuple[int | None, dict[str, int]]:
        try:
            version = self._store.data_version()
        except StorageError:
            return data_version, {}
        return version, {code: self._read_version(code) for code in codes} if version != data_version else {}
