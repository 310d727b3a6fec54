"""Which phones are at their table: those that listen, and when the others were last heard of."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PHONES = 10_000  # remembered at most

Phone = tuple[str, str]  # the table's code and the device


class Presence:
    """Who is there, in the memory of this process alone: it is no part of any log, and a restart begins anew.

    Where several processes serve the tables, each knows of the phones it answers itself; whatever spreads the
    requests has to send those of one table to one process.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = PHONES):
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._heard: OrderedDict[Phone, float] = OrderedDict()  # the one heard of longest ago first
        self._listening: Counter[Phone] = Counter()
        self._since = clock()  # a phone not remembered may have been heard of as late as this

    def seen(self, code: str, device: str) -> None:
        """Note that a phone has just asked something for its table."""
        with self._lock:
            self._note((code, device))

    @contextmanager
    def listening(self, code: str, device: str) -> Iterator[None]:
        """Note that a phone is there as long as the block lasts: one of its pages listens."""
        phone = (code, device)
        with self._lock:
            self._listening[phone] += 1
        try:
            yield
        finally:
            with self._lock:
                self._listening[phone] -= 1
                if self._listening[phone] <= 0:
                    del self._listening[phone]
                self._note(phone)

    def silence(self, code: str, device: str) -> float:
        """Return for how many seconds nothing has been heard of a phone: none while it listens."""
        with self._lock:
            if (code, device) in self._listening:
                return 0.0
            return self._clock() - self._heard.get((code, device), self._since)

    def _note(self, phone: Phone) -> None:
        self._heard[phone] = self._clock()
        self._heard.move_to_end(phone)
        while len(self._heard) > self._most:
            _, self._since = self._heard.popitem(last=False)
