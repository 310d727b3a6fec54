""" "Version N is out": told to every open page of a table, across threads and processes. Nothing else travels here."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field

from companion.storage.store import NoSuchTable, Store, Trouble

HEARTBEAT = 12.0  # seconds; only a written byte shows that a phone has gone without a word
WATCH = 0.25  # seconds between looks at what other processes have committed
OF_ONE_PHONE = 8  # streams: a browser has six connections to a host, over all its pages


class Full(Exception):
    """Every place for a listener is taken, or every one this phone or address may have; the page asks now and then instead."""


@dataclass(frozen=True)
class Listens:
    """What a view says of a phone that wants to hear of a table; the server's loop takes it from there."""

    code: str
    version: int  # that the view has read
    device: str
    address: str
    there: AbstractContextManager = field(default_factory=nullcontext)  # entered as long as it listens


@dataclass
class _Room:
    """A table with somebody listening."""

    newest: int = 0
    listeners: set[asyncio.Event] = field(default_factory=set)

    def hear(self, number: int) -> None:
        if number > self.newest:
            self.newest = number
            for news in self.listeners:
                news.set()


class Live:
    """Who listens to which table, and the newest version known. All but `announce` is for the server's own loop.

    One address can take half of the places at most: the other half is for those who come by another.
    """

    def __init__(self, store: Store, most: int):
        self._store = store
        self._most = most
        self._taken: Counter[tuple[str, str]] = Counter()
        self._rooms: dict[str, _Room] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watcher: asyncio.Task | None = None
        self._looks = ThreadPoolExecutor(1, "news")  # one thread: each has a connection, whose data_version is its own
        self._closed = False

    @property
    def listeners(self) -> int:
        """Return how many pages listen."""
        return self._taken["all", ""]

    def announce(self, code: str, number: int) -> None:
        """Tell that a table has reached a version; call it after the commit, from any thread."""
        if code in self._rooms and self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hear, code, number)

    def _hear(self, code: str, number: int) -> None:
        if room := self._rooms.get(code):
            room.hear(number)

    def join(self, device: str, address: str) -> Callable[[], None]:
        """Take a listener's place; return what gives it back, however often it is called.

        :raises Full: when there is none for this phone.
        """
        mine = {("all", ""): self._most, ("phone", device): OF_ONE_PHONE, ("address", address): max(1, self._most // 2)}
        if any(self._taken[each] >= most for each, most in mine.items()):
            raise Full
        self._taken.update(mine.keys())
        place = ExitStack()
        place.callback(self._leave, mine.keys())
        return place.close

    def _leave(self, places) -> None:
        self._taken.subtract(places)
        for each in places:
            if not self._taken[each]:
                del self._taken[each]

    async def listen(self, code: str, number: int, gone: asyncio.Future) -> AsyncGenerator[int | None, None]:
        """Yield the table's version now and whenever it grows, None when a heartbeat is due.

        It ends when the phone is `gone`, or the server closes. `number` is the version that was read before; what
        came since then is found here. Call `join` first.
        """
        self._begin()
        room, news = self._rooms.setdefault(code, _Room()), asyncio.Event()
        room.listeners.add(news)
        gone.add_done_callback(lambda _: news.set())
        try:
            room.hear(number)
            room.hear(await self._aside(self._newest, code))  # another process may have written since
            told = 0
            while not (self._closed or gone.done()):
                news.clear()
                if room.newest > told:
                    told = room.newest
                    yield told
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await news.wait()
                except TimeoutError:
                    yield None
        finally:
            room.listeners.discard(news)
            if not room.listeners and self._rooms.get(code) is room:
                del self._rooms[code]

    def close(self) -> None:
        """End every stream: the server closes."""
        self._closed = True
        for room in self._rooms.values():
            for news in room.listeners:
                news.set()

    def end(self) -> None:
        """End the thread that looks at the file; call it after the loop has stopped."""
        self._looks.shutdown(cancel_futures=True)

    def _aside(self, look: Callable, *given: object) -> asyncio.Future:
        """Look at the file without holding up the loop."""
        return asyncio.get_running_loop().run_in_executor(self._looks, look, *given)

    def _newest(self, code: str) -> int:
        try:
            return self._store.newest(code)
        except (Trouble, NoSuchTable):
            return 0  # the next look at the table says why

    def _begin(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._loop = asyncio.get_running_loop()
            self._watcher = self._loop.create_task(self._watch())

    async def _watch(self) -> None:
        """Look for other processes' commits while anybody listens."""
        seen = None  # the first look is at every table: something may have come before it
        while self._rooms and not self._closed:
            await asyncio.sleep(WATCH)
            seen, newest = await self._aside(self._look, seen, list(self._rooms))
            for code, number in newest.items():
                self._hear(code, number)

    def _look(self, seen: int | None, codes: list[str]) -> tuple[int | None, dict[str, int]]:
        try:
            version = self._store.data_version()
        except Trouble:
            return seen, {}
        return version, {code: self._newest(code) for code in codes} if version != seen else {}
