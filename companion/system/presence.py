"""Tracks which phones are present at their tables, and when each was last seen."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MAX_PHONES = 10_000  # the maximum number of remembered phones

TableDevice = tuple[str, str]  # the table's code and the device


class Presence:
    """The presence of phones, kept only in the memory of this process and lost on a restart.

    If several processes serve the tables, each knows only the phones it serves itself; the load balancer has to send
    all requests of a table to the same process.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_phones: int = MAX_PHONES):
        self._clock = clock
        self._max_phones = max_phones
        self._lock = threading.RLock()
        self._last_seen: OrderedDict[TableDevice, float] = OrderedDict()  # least recently seen first
        self._listener_counts: Counter[TableDevice] = Counter()
        self._unknown_last_seen = clock()  # phones not remembered were seen by then at the latest

    def mark_seen(self, code: str, device: str) -> None:
        """Record that a phone has just made a request for its table."""
        with self._lock:
            self._last_seen[code, device] = self._clock()
            self._last_seen.move_to_end((code, device))
            while len(self._last_seen) > self._max_phones:
                _, self._unknown_last_seen = self._last_seen.popitem(last=False)

    @contextmanager
    def listening(self, code: str, device: str) -> Iterator[None]:
        """Record that a phone is present for the duration of the block, while a page listens."""
        phone = (code, device)
        with self._lock:
            self._listener_counts[phone] += 1
        try:
            yield
        finally:
            with self._lock:
                self._listener_counts[phone] -= 1
                if self._listener_counts[phone] <= 0:
                    del self._listener_counts[phone]
                self.mark_seen(code, device)

    def silence(self, code: str, device: str) -> float:
        """Return the seconds since a phone was last seen; 0 while it listens."""
        with self._lock:
            if (code, device) in self._listener_counts:
                return 0.0
            return self._clock() - self._last_seen.get((code, device), self._unknown_last_seen)
