"""The press: sheets printed one at a time in a process of its own, which may die alone or be given up.

The web process never loads WeasyPrint. It hands the press a sheet to draw, and asks again until it is made. Between the
two processes go lines of JSON: a hello once the fonts are loaded, then one answer to each question. The process reads
the end of its input when the server has gone, however it went, and ends.
"""

import gc
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, BinaryIO, NamedTuple

import msgspec
from msgspec import Struct

from companion.system.paths import CHECKOUT

COMMAND = (sys.executable, "-m", "companion.rendering.print_queue")
WARM_UP = 60.0  # seconds: a small computer reads all its fonts the first time
LIMIT = 30.0  # seconds for one sheet
IDLE = 300.0  # seconds without a sheet, then the process ends and its memory is free
MOST_WAITING = 64
KEPT = 500  # finished sheets ...
KEPT_BYTES = 16_000_000  # ... of so much together, for those who ask again
FAULTS_KEPT = 60.0  # seconds: phones that share a sheet that cannot be made do not each have it tried again
WATCHING = 3  # threads of the server that wait for a sheet at once: the others are there for those who play
PATIENCE = 1.5  # seconds a browser is let wait for the sheet itself, instead of a page that asks again
PROGRAMS = 2  # the same for what cannot read such a page ...
PROGRAMS_PATIENCE = WARM_UP + 2 * LIMIT  # ... and waits for the sheet
PICTURE = "picture"  # in place of a paper: a PNG is made
PLAIN = "The plain page prints from any browser."
FULL = "Many sheets are being made at the moment."

log = logging.getLogger(__name__)


class Asked(Struct):
    """A sheet to be printed, as the process is asked for it; or a picture, which is no sheet of paper."""

    html: str
    paper: str


class Made(Struct):
    """A sheet that has been printed, or why not."""

    pdf: bytes = b""
    fault: str = ""


class NotMade(Exception):
    """A sheet cannot be made; the text says why, for people."""


class _Died(Exception):
    """The process ended before it answered."""


class Job:
    """A sheet somebody has asked for: waiting, on the press, or done with its PDF or a fault."""

    def __init__(self, key: tuple, paper: str, draw: Callable[[], str], who: str, player: bool, turn: int = 0):
        self.key = key
        self.paper = paper
        self._draw: Callable[[], str] | None = draw
        self.who = who
        self.player = player
        self.turn = turn
        self.done = threading.Event()  # set last, when the rest is right
        self.pdf = b""
        self.fault = ""
        self.ended = 0.0

    def drawn(self) -> str:
        """Draw the sheet, once: what draws it holds a whole table."""
        draw, self._draw = self._draw, None
        assert draw
        return draw()


class Press:
    """The queue before the process that prints, and the sheets it has lately made.

    Whoever asks for a sheet that is known, waiting or made, shares it. Players of a table come before strangers, and
    otherwise each address has its turn, so that nobody's many sheets hold up another's one.
    """

    def __init__(self, command: Sequence[str] = COMMAND, limit: float = LIMIT, idle: float = IDLE):
        self._command, self._limit, self._idle = command, limit, idle
        self._changed = threading.Condition()
        self._jobs: OrderedDict[tuple, Job] = OrderedDict()
        self._waiting: list[Job] = []
        self._turn = 0  # each address has one sheet made in each
        self._working = False
        self._watching = {False: threading.Semaphore(WATCHING), True: threading.Semaphore(PROGRAMS)}

    def ask(self, key: tuple, paper: str, draw: Callable[[], str], who: str, player: bool = False) -> Job:
        """Return the sheet with this key, to be drawn and printed if it is not known; one too many has a fault at once."""
        with self._changed:
            job = self._jobs.get(key)
            if job and job.fault and time.monotonic() > job.ended + FAULTS_KEPT:
                job = None
            if job:
                job.player |= player
                self._jobs.move_to_end(key)
                return job
            turn = max((each.turn + 1 for each in self._waiting if each.who == who), default=self._turn)
            job = self._jobs[key] = Job(key, paper, draw, who, player, turn)
            self._waiting.append(job)
            if len(self._waiting) > MOST_WAITING:
                last = self._in_order()[-1]
                self._waiting.remove(last)
                del self._jobs[last.key]
                last.fault = FULL
                last.done.set()
            if not self._working:
                self._working = True
                threading.Thread(target=self._work, name="press", daemon=True).start()
            self._changed.notify_all()
            return job

    def known(self, key: tuple) -> Job | None:
        """Return a sheet that has been asked for before."""
        with self._changed:
            return self._jobs.get(key)

    def forget(self) -> None:
        """Keep no sheet that has been made: what stands on them is to be forgotten."""
        with self._changed:
            for key in [key for key, job in self._jobs.items() if job.done.is_set()]:
                del self._jobs[key]

    def watch(self, job: Job, program: bool = False) -> None:
        """Wait for a sheet a moment, or where a program asks, as long as it may take; a few threads at once, no more."""
        if not job.done.is_set() and self._watching[program].acquire(blocking=False):
            try:
                job.done.wait(PROGRAMS_PATIENCE if program else PATIENCE)
            finally:
                self._watching[program].release()

    def before(self, job: Job) -> int:
        """Return how many sheets are made before this one, with that on the press now; none when it is there itself."""
        with self._changed:
            return self._in_order().index(job) + 1 if job in self._waiting else 0

    def _in_order(self) -> list[Job]:
        return sorted(self._waiting, key=lambda job: (not job.player, job.turn))

    def _work(self) -> None:
        """Print until there has been nothing to print for a while."""
        process = _Process(self._command)
        while job := self._next():
            try:
                job.pdf = self._printed(process, job)
            except NotMade as fault:
                job.fault = f"{fault} {PLAIN}"
            except Exception:  # whatever is wrong with one sheet, the next in the queue is made
                log.exception("A sheet could not be drawn")
                job.fault = f"This sheet could not be made. {PLAIN}"
            self._keep(job)
        process.end()

    def _next(self) -> Job | None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting, self._idle):
                self._working = False
                return None
            job = self._in_order()[0]
            self._waiting.remove(job)
            self._turn = max(self._turn, job.turn)
            return job

    def _printed(self, process: "_Process", job: Job) -> bytes:
        """Return a sheet; a process that dies over it is started anew once.

        :raises NotMade: when it takes too long, or cannot be made.
        """
        asked = Asked(job.drawn(), job.paper)
        for _ in range(2):
            try:
                return process.answer(asked, self._limit)
            except _Died as fault:
                log.warning("The press died over %s: status %s", job.key, fault)
            except OSError as fault:
                process.end()
                log.warning("The press cannot be started: %s", fault)
                raise NotMade(f"The press cannot be started: {fault.strerror}.") from None
        raise NotMade("The press died twice over this sheet.")

    def _keep(self, job: Job) -> None:
        """Keep a sheet that is done, and as many of the latest as there is room for."""
        with self._changed:
            job.ended = time.monotonic()
            job.done.set()
            self._jobs.move_to_end(job.key)
            ended = [each for each in self._jobs.values() if each.done.is_set()]
            size = sum(len(each.pdf) for each in ended)
            for left, each in zip(range(len(ended), 0, -1), ended, strict=True):
                if left <= KEPT and size <= KEPT_BYTES:
                    break
                size -= len(each.pdf)
                del self._jobs[each.key]


class _Running(NamedTuple):
    """A process that has been started, with its two pipes."""

    process: subprocess.Popen[bytes]
    asked: IO[bytes]
    answers: IO[bytes]


class _Process:
    """The process that prints: started when it is first asked, and again whenever it has ended."""

    def __init__(self, command: Sequence[str]):
        self._command = command
        self._running: _Running | None = None
        self._folder = ""

    def answer(self, asked: Asked, limit: float) -> bytes:
        """Return a sheet.

        :raises NotMade: when it takes longer than the limit, or cannot be printed.
        :raises _Died: when the process ended over it.
        :raises OSError: when there can be no such process.
        """
        running = self._running or self._started()
        return self._said(running, msgspec.json.encode(asked) + b"\n", limit)

    def _started(self) -> _Running:
        self._folder = tempfile.mkdtemp(prefix="waymark-press-")  # for the fonts it unpacks
        process = subprocess.Popen(
            [*self._command, self._folder],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )
        assert process.stdin and process.stdout  # both are pipes
        self._running = running = _Running(process, process.stdin, process.stdout)
        self._said(running, b"", WARM_UP)
        return running

    def _said(self, running: _Running, line: bytes, limit: float) -> bytes:
        late = threading.Event()

        def give_up() -> None:
            late.set()
            running.process.kill()

        timer = threading.Timer(limit, give_up)
        timer.daemon = True
        timer.start()
        try:
            running.asked.write(line)
            running.asked.flush()
            made = msgspec.json.decode(running.answers.readline(), type=Made)
        except (OSError, msgspec.DecodeError):
            self.end()
            if late.is_set():
                raise NotMade(
                    f"The press took longer than {limit:g} seconds over this sheet and was stopped."
                ) from None
            raise _Died(running.process.returncode) from None
        finally:
            timer.cancel()
        if made.fault:
            log.warning("The press could not print: %s", made.fault)
            raise NotMade("This sheet could not be made.")
        return made.pdf

    def end(self) -> None:
        """End the process if there is one, and clear its folder away."""
        running, self._running = self._running, None
        if running:
            running.process.kill()
            running.process.wait()
            with suppress(OSError):  # what it has not read is of no use any more
                running.asked.close()
            running.answers.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


# The process itself.


def main(folder: str) -> None:
    """Print what is asked for until nobody is there to ask; `folder` takes what is only for now."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server
    if hasattr(os, "nice"):
        os.nice(5)  # whoever taps comes first; a sheet must still be made in its time on a busy computer
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")  # where memory is short, rather this one than the server
    tempfile.tempdir = folder
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    asked: SimpleQueue[Asked] = SimpleQueue()
    threading.Thread(target=_read, args=(asked, folder), daemon=True).start()
    made = _warmed_up()
    gc.freeze()  # what a library has loaded is not looked through again with each sheet: a tenth of its time
    _say(output, made)
    while True:
        _say(output, _printed(asked.get()))


def _read(asked: "SimpleQueue[Asked]", folder: str) -> None:
    """Take in what is asked; at the end of the input nobody is there any more, whatever is being printed."""
    with os.fdopen(os.dup(0), "rb") as lines:
        for line in lines:
            asked.put(msgspec.json.decode(line, type=Asked))
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _say(output: BinaryIO, made: Made) -> None:
    try:
        output.write(msgspec.json.encode(made) + b"\n")
        output.flush()
    except BrokenPipeError:
        os._exit(0)


def _warmed_up() -> Made:
    """Load WeasyPrint, and the fonts for each paper, before the first sheet is timed."""
    from companion.rendering.pdf import PAPERS

    faults = [made.fault for made in (_printed(Asked("<p>Waymark</p>", paper)) for paper in PAPERS)]
    return Made(fault=next(filter(None, faults), ""))


def _printed(asked: Asked) -> Made:
    from companion.rendering import pdf as printing

    try:
        return Made(printing.png(asked.html) if asked.paper == PICTURE else printing.pdf(asked.html, asked.paper))
    except Exception as fault:
        return Made(fault=f"{type(fault).__name__}: {fault}")


if __name__ == "__main__":
    main(sys.argv[1])
