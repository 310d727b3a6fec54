"""Rate limits by phone and by network address, all listed in `ALLOWANCES`.

Each process counts separately. Players are never locked out: at their tables, only `taps` limits what they do.
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

MAX_KEYS = 4096  # the phones or addresses that a limit remembers; the least recent are forgotten
MINUTE, HOUR = 60.0, 3600.0  # seconds


class Rate(NamedTuple):
    """A number of requests that is allowed in a burst and refills evenly over `seconds`."""

    requests: int
    seconds: float


class Allowance(NamedTuple):
    """The rates of an action for one phone and for one address.

    A phone can delete its cookie, so the address is the backstop. Many phones of a club may share an address, so its
    rate is higher.
    """

    message: str  # the beginning of the error message
    phone: Rate
    address: Rate | None


ALLOWANCES = {
    "codes": Allowance("Too many wrong codes", Rate(10, MINUTE), Rate(40, 2 * MINUTE)),
    "tables": Allowance("Too many new tables", Rate(30, HOUR), Rate(240, HOUR)),
    "imports": Allowance("Too many imports", Rate(60, HOUR), Rate(240, HOUR)),
    "again": Allowance("Too many new games", Rate(30, HOUR), None),
    "asks": Allowance("Too many questions", Rate(120, MINUTE), None),  # the judge needs half a second for some
    "photos": Allowance("Too many photos", Rate(24, HOUR), Rate(120, HOUR)),
    "taps": Allowance("Too many taps", Rate(6000, 10 * MINUTE), None),
}


class RateLimitError(Exception):
    """A rate limit was exceeded; the message has the limit and when to try again.

    `retry_after` has the time to wait in seconds.
    """

    def __init__(self, retry_after: float, message: str = "Too many requests"):
        self.retry_after = max(1, math.ceil(retry_after))
        super().__init__(f"{message}. Try again in {_describe_seconds(self.retry_after)}.")


def _describe_seconds(seconds: int) -> str:
    return pluralize(seconds, "second") if seconds < 2 * MINUTE else pluralize(math.ceil(seconds / MINUTE), "minute")


class RateLimiter:
    """One rate limit, counted separately for each key with a token bucket.

    The latest `max_keys` keys are remembered.
    """

    def __init__(self, count: int, seconds: float, max_keys: int = MAX_KEYS):
        self._refill_seconds = seconds / count
        self._seconds = seconds + 1e-6  # tolerance for rounding errors in sums
        self._max_keys = max_keys
        self._full_times: OrderedDict[Hashable, float] = OrderedDict()  # when each bucket will be full again, by key
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> None:
        """Count one request, unless the limit is exceeded.

        :raises RateLimitError: when the limit is exceeded.
        """
        with self._lock:
            now = time.monotonic()
            full_time = max(self._full_times.get(key, now), now) + self._refill_seconds
            wait = full_time - now - self._seconds
            if wait <= 0:
                self._full_times[key] = full_time
            if key in self._full_times:
                self._full_times.move_to_end(key)
            while len(self._full_times) > self._max_keys:
                self._full_times.popitem(last=False)
        if wait > 0:
            raise RateLimitError(wait)

    def give_back(self, key: Hashable) -> None:
        """Uncount one request, because it turned out to be legitimate."""
        with self._lock:
            if key in self._full_times:
                self._full_times[key] -= self._refill_seconds


class RateLimiters:
    """All limits of `ALLOWANCES`; `overrides` replaces some of them."""

    def __init__(self, overrides: dict[str, Allowance] | None = None):
        self._allowances = ALLOWANCES | (overrides or {})
        self._limiters = {
            action: {
                scope: RateLimiter(*rate)
                for scope, rate in (("phone", allowance.phone), ("address", allowance.address))
                if rate
            }
            for action, allowance in self._allowances.items()
        }

    def take(self, action: str, phone: str | None, address: str) -> Callable[[], None]:
        """Count a request for a phone, if known, and its address; return a function to undo this.

        :raises RateLimitError: when either limit is exceeded; then neither counts the request.
        """
        keys = {"phone": phone, "address": address_key(address)}
        undo = ExitStack()
        for scope, limit in self._limiters[action].items():
            if keys[scope] is None:
                continue
            try:
                limit.take(keys[scope])
            except RateLimitError as error:
                undo.close()
                raise RateLimitError(error.retry_after, self._allowances[action].message) from None
            undo.callback(limit.give_back, keys[scope])
        return undo.close


@functools.lru_cache(maxsize=MAX_KEYS)
def address_key(address: str) -> str:
    """Return the key under which an address is counted: for IPv6, its /64 network.

    A household or a phone can choose any address in its /64 network.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))
