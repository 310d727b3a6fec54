"""Wait for a condition."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], message: str = "", seconds: float = 30) -> None:
    """Wait until a condition is true; fail after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, message
        time.sleep(0.005)
