"""How often something may be asked for, by phone and by network address: all of it in one table, `ALLOWED`.

Each process counts for itself. Those who play are never shut out: what they do at their tables is bounded by `taps` alone.
"""

import functools
import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from typing import NamedTuple

from scoring.kernel.english import plural

KEYS = 4096  # phones or addresses a limit remembers, the latest
MINUTE, HOUR = 60.0, 3600.0  # seconds


class Rate(NamedTuple):
    """So many at once; used up, as many again in this time, one after the other."""

    most: int
    seconds: float


class Allowed(NamedTuple):
    """What one phone and one address may ask for. A phone can throw its cookie away, so the address is the backstop;
    a whole club may be behind one address, so it may do more."""

    what: str  # said to whoever has done too much of it
    phone: Rate
    address: Rate | None


ALLOWED = {
    "codes": Allowed("That was many wrong codes", Rate(10, MINUTE), Rate(40, 2 * MINUTE)),
    "tables": Allowed("That was many new tables", Rate(30, HOUR), Rate(240, HOUR)),
    "again": Allowed("That was many games one after the other", Rate(30, HOUR), None),
    "asks": Allowed("That was many questions", Rate(120, MINUTE), None),  # some take the judge half a second
    "photos": Allowed("That was many photos", Rate(24, HOUR), Rate(120, HOUR)),
    "taps": Allowed("That was many taps", Rate(6000, 10 * MINUTE), None),
}


class TooMany(Exception):
    """More than is allowed; the text says of what and when to try again, `wait` for how many seconds."""

    def __init__(self, wait: float, what: str = "That was a lot at once"):
        self.wait = max(1, math.ceil(wait))
        super().__init__(f"{what}. Try again in {_in_words(self.wait)}.")


def _in_words(seconds: int) -> str:
    return plural(seconds, "second") if seconds < 2 * MINUTE else plural(math.ceil(seconds / MINUTE), "minute")


class Limit:
    """One rate, counted for each key: a bucket that fills again drop by drop. The latest `keys` keys are remembered."""

    def __init__(self, most: int, seconds: float, keys: int = KEYS):
        self._drop = seconds / most
        self._seconds = seconds + 1e-6  # sums of drops are not exact
        self._keys = keys
        self._full: OrderedDict[Hashable, float] = OrderedDict()  # when each bucket will be full again
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Count one, or nothing.

        :raises TooMany: when there is none left.
        """
        with self._lock:
            now = time.monotonic()
            full = max(self._full.get(key, now), now) + self._drop
            wait = full - now - self._seconds
            if wait <= 0:
                self._full[key] = full
            if key in self._full:
                self._full.move_to_end(key)
            while len(self._full) > self._keys:
                self._full.popitem(last=False)
        if wait > 0:
            raise TooMany(wait)

    def give_back(self, key: Hashable) -> None:
        """Count one less: what was taken turned out to be in order."""
        with self._lock:
            if key in self._full:
                self._full[key] -= self._drop


class Limits:
    """Every limit of `ALLOWED`; `others` replace some of its entries."""

    def __init__(self, others: dict[str, Allowed] | None = None):
        self._allowed = ALLOWED | (others or {})
        self._limits = {
            what: {who: Limit(*rate) for who, rate in (("phone", allowed.phone), ("address", allowed.address)) if rate}
            for what, allowed in self._allowed.items()
        }

    def take(self, what: str, phone: str | None, address: str) -> Callable[[], None]:
        """Count one for a phone, where it is known, and for its address; return what gives it back.

        :raises TooMany: when either has none left; then neither is counted.
        """
        keys = {"phone": phone, "address": network(address)}
        taken = ExitStack()
        for who, limit in self._limits[what].items():
            if keys[who] is None:
                continue
            try:
                limit.take(keys[who])
            except TooMany as fault:
                taken.close()
                raise TooMany(fault.wait, self._allowed[what].what) from None
            taken.callback(limit.give_back, keys[who])
        return taken.close


@functools.lru_cache(maxsize=KEYS)
def network(address: str) -> str:
    """Return what counts as one address: all of IPv6 that one household or phone can choose from is one."""
    try:
        there = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if there.version == 4:
        return str(there)
    if there.ipv4_mapped:
        return str(there.ipv4_mapped)
    return str(ipaddress.ip_network((there, 64), strict=False))
