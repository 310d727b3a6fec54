"""Which phones are at their table: those that listen, and when the others were last heard of."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MAX_PHONES = 10_000  # remembered at most

TableDevice = tuple[str, str]  # the table's code and the device


class Presence:
    """Who is there, in the memory of this process alone: it is no part of any log, and a restart begins anew.

    Where several processes serve the tables, each knows of the phones it answers itself; whatever spreads the
    requests has to send those of one table to one process.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_phones: int = MAX_PHONES):
        self._clock = clock
        self._max_phones = max_phones
        self._lock = threading.Lock()
        self._last_seen: OrderedDict[TableDevice, float] = OrderedDict()  # the one heard of longest ago first
        self._listener_counts: Counter[TableDevice] = Counter()
        self._unknown_last_seen = clock()  # a phone not remembered may have been heard of as late as this

    def mark_seen(self, code: str, device: str) -> None:
        """Note that a phone has just asked something for its table."""
        with self._lock:
            self._mark_seen((code, device))

    @contextmanager
    def listening(self, code: str, device: str) -> Iterator[None]:
        """Note that a phone is there as long as the block lasts: one of its pages listens."""
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
                self._mark_seen(phone)

    def silence(self, code: str, device: str) -> float:
        """Return for how many seconds nothing has been heard of a phone: none while it listens."""
        with self._lock:
            if (code, device) in self._listener_counts:
                return 0.0
            return self._clock() - self._last_seen.get((code, device), self._unknown_last_seen)

    def _mark_seen(self, table_device: TableDevice) -> None:
        self._last_seen[table_device] = self._clock()
        self._last_seen.move_to_end(table_device)
        while len(self._last_seen) > self._max_phones:
            _, self._unknown_last_seen = self._last_seen.popitem(last=False)
