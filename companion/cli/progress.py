"""The progress of long work, as a line in the terminal; silent without a terminal."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from types import TracebackType
from typing import Self

EVERY = 0.1  # seconds from one to the next
SOON = 0.5  # seconds before the first output; most work ends earlier
TICK = 1.0  # seconds from one to the next where there is nothing but the time to say
BROKEN_OFF = len("^C")  # what Ctrl+C leaves behind the line


class Progress:
    """A progress line, called with the done and total amounts; it is removed at the end."""

    def __init__(self, what: str):
        self._what = what
        self.shows = bool(sys.stderr) and sys.stderr.isatty()
        self._next = time.monotonic() + SOON
        self._shown = 0  # letters, at most

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, of: int) -> None:
        self.say(f"{done} of {of}")

    def say(self, how_far: str) -> None:
        """Show a text as the progress; texts that follow too soon are skipped."""
        now = time.monotonic()
        if self.shows and now >= self._next:
            self._next = now + EVERY
            self._write(f"{self._what}: {how_far}"[: get_terminal_size().columns - BROKEN_OFF - 1])

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._write(" " * (self._shown + BROKEN_OFF) + "\r")

    def _write(self, text: str) -> None:
        self._shown = max(self._shown, len(text))  # before it is shown: Ctrl+C may come at any moment
        sys.stderr.write(f"\r{text.ljust(self._shown)}")
        sys.stderr.flush()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show the elapsed time of work whose progress is unknown."""
    over = threading.Event()

    def tell(progress: Progress) -> None:
        began = time.monotonic()
        while not over.wait(TICK):
            progress.say(f"{time.monotonic() - began:.0f} s")

    with Progress(what) as progress:
        teller = threading.Thread(target=tell, args=(progress,), name="progress", daemon=True)
        if progress.shows:
            teller.start()
        try:
            yield
        finally:
            over.set()
            if progress.shows:
                teller.join()
