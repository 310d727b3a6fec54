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

from scoring.kernel.english import pluralize

MAX_KEYS = 4096  # phones or addresses a limit remembers, the latest
MINUTE, HOUR = 60.0, 3600.0  # seconds


class Rate(NamedTuple):
    """So many at once; used up, as many again in this time, one after the other."""

    count: int
    seconds: float


class Allowance(NamedTuple):
    """What one phone and one address may ask for. A phone can throw its cookie away, so the address is the backstop;
    a whole club may be behind one address, so it may do more."""

    message: str  # said to whoever has done too much of it
    phone: Rate
    address: Rate | None


ALLOWANCES = {
    "codes": Allowance("That was many wrong codes", Rate(10, MINUTE), Rate(40, 2 * MINUTE)),
    "tables": Allowance("That was many new tables", Rate(30, HOUR), Rate(240, HOUR)),
    "again": Allowance("That was many games one after the other", Rate(30, HOUR), None),
    "asks": Allowance("That was many questions", Rate(120, MINUTE), None),  # some take the judge half a second
    "photos": Allowance("That was many photos", Rate(24, HOUR), Rate(120, HOUR)),
    "taps": Allowance("That was many taps", Rate(6000, 10 * MINUTE), None),
}


class RateLimitError(Exception):
    """More than is allowed; the text says of what and when to try again, `wait` for how many seconds."""

    def __init__(self, retry_after: float, message: str = "That was a lot at once"):
        self.retry_after = max(1, math.ceil(retry_after))
        super().__init__(f"{message}. Try again in {_describe_seconds(self.retry_after)}.")


def _describe_seconds(seconds: int) -> str:
    return pluralize(seconds, "second") if seconds < 2 * MINUTE else pluralize(math.ceil(seconds / MINUTE), "minute")


class RateLimiter:
    """One rate, counted for each key: a bucket that fills again drop by drop. The latest `keys` keys are remembered."""

    def __init__(self, count: int, seconds: float, max_keys: int = MAX_KEYS):
        self._refill_seconds = seconds / count
        self._seconds = seconds + 1e-6  # sums of drops are not exact
        self._max_keys = max_keys
        self._full_times: OrderedDict[Hashable, float] = OrderedDict()  # when each bucket will be full again
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Count one, or nothing.

        :raises TooMany: when there is none left.
        """
        with self._lock:
            now = time.monotonic()
            full = max(self._full_times.get(key, now), now) + self._refill_seconds
            wait = full - now - self._seconds
            if wait <= 0:
                self._full_times[key] = full
            if key in self._full_times:
                self._full_times.move_to_end(key)
            while len(self._full_times) > self._max_keys:
                self._full_times.popitem(last=False)
        if wait > 0:
            raise RateLimitError(wait)

    def give_back(self, key: Hashable) -> None:
        """Count one less: what was taken turned out to be in order."""
        with self._lock:
            if key in self._full_times:
                self._full_times[key] -= self._refill_seconds


class RateLimiters:
    """Every limit of `ALLOWED`; `others` replace some of its entries."""

    def __init__(self, overrides: dict[str, Allowance] | None = None):
        self._allowances = ALLOWANCES | (overrides or {})
        self._limiters = {
            what: {
                who: RateLimiter(*rate)
                for who, rate in (("phone", allowed.phone), ("address", allowed.address))
                if rate
            }
            for what, allowed in self._allowances.items()
        }

    def take(self, action: str, phone: str | None, address: str) -> Callable[[], None]:
        """Count one for a phone, where it is known, and for its address; return what gives it back.

        :raises TooMany: when either has none left; then neither is counted.
        """
        keys = {"phone": phone, "address": address_key(address)}
        taken = ExitStack()
        for who, limit in self._limiters[action].items():
            if keys[who] is None:
                continue
            try:
                limit.take(keys[who])
            except RateLimitError as fault:
                taken.close()
                raise RateLimitError(fault.retry_after, self._allowances[action].message) from None
            taken.callback(limit.give_back, keys[who])
        return taken.close


@functools.lru_cache(maxsize=MAX_KEYS)
def address_key(address: str) -> str:
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
