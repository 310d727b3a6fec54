"""The print queue: renders sheets one at a time in a worker process that may fail.

The web process never loads WeasyPrint. It sends a sheet to the worker, and the page polls until the sheet is done. The
two processes exchange lines of JSON: a first reply once the fonts are loaded, then one reply per request. The worker
ends at the end of its input, that is when the server has ended, for whatever reason.
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
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

import msgspec
from msgspec import Struct

from companion.rendering import pdf
from companion.system.paths import CHECKOUT

WORKER_COMMAND = (sys.executable, "-m", "companion.rendering.print_queue")
WARM_UP_TIMEOUT = 60.0  # seconds; a small computer reads all its fonts the first time
SHEET_TIMEOUT = 30.0  # seconds for one sheet
IDLE_TIMEOUT = 300.0  # seconds without a sheet until the process ends and frees its memory
MAX_WAITING_JOBS = 64
MAX_FINISHED_JOBS = 500  # finished sheets to keep
MAX_FINISHED_BYTES = 16_000_000  # their total size
ERROR_RETENTION = 60.0  # seconds during which phones that share a failed sheet do not retry it
MAX_BROWSER_WAITS = 3  # threads that wait for a sheet at the same time; the others serve the game
BROWSER_WAIT_TIMEOUT = 1.5  # seconds a browser waits for the sheet before it gets a page that polls
MAX_PROGRAM_WAITS = 2  # the same for programs, which cannot poll with such a page
PROGRAM_WAIT_TIMEOUT = WARM_UP_TIMEOUT + 2 * SHEET_TIMEOUT  # seconds a program waits for the sheet
PICTURE = "picture"  # instead of a paper size: render a PNG
PLAIN_PAGE_HINT = "Any browser can print the plain page."
QUEUE_FULL = "Many files are being made right now."

logger = logging.getLogger(__name__)


class PrintRequest(Struct):
    """A request to the worker for a sheet on paper, or for a picture."""

    html: str
    paper: str


class PrintReply(Struct):
    """The worker's reply: the sheet, or an error."""

    pdf: bytes = b""
    error: str = ""


class PrintError(Exception):
    """A sheet cannot be made; the text gives users the reason."""


class _WorkerDiedError(Exception):
    """The worker process ended before it replied."""


@dataclass(eq=False)
class PrintJob:
    """A requested sheet: waiting, being printed, or finished with its PDF or an error."""

    key: tuple
    paper: str
    render_html: Callable[[], str] | None  # None as soon as it is called: it holds a whole table
    client_address: str
    is_player: bool
    round_number: int = 0
    finished: threading.Event = field(default_factory=threading.Event)  # set last, when all other fields are final
    pdf: bytes = b""
    error: str = ""
    ended_at: float = 0.0


class PrintQueue:
    """The queue of sheets for the worker process, and the latest finished sheets.

    Requests for the same key share one job. Players of a table come before strangers; apart from that the addresses
    take turns, so that many sheets of one address do not delay a single sheet of another.
    """

    def __init__(
        self,
        command: Sequence[str] = WORKER_COMMAND,
        timeout: float = SHEET_TIMEOUT,
        idle_timeout: float = IDLE_TIMEOUT,
    ):
        self._command, self._timeout, self._idle_timeout = command, timeout, idle_timeout
        self._changed = threading.Condition()
        self._jobs: OrderedDict[tuple, PrintJob] = OrderedDict()
        self._waiting_jobs: list[PrintJob] = []
        self._round_number = 0  # in each round, one sheet per address is printed
        self._is_working = False
        self._wait_slots = {False: threading.Semaphore(MAX_BROWSER_WAITS), True: threading.Semaphore(MAX_PROGRAM_WAITS)}

    def submit(
        self, key: tuple, paper: str, render_html: Callable[[], str], client_address: str, is_player: bool = False
    ) -> PrintJob:
        """Return the job with this key, queued if it is new.

        If the queue is full, its last job fails.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job and not (job.error and time.monotonic() > job.ended_at + ERROR_RETENTION):
                job.is_player |= is_player
                self._jobs.move_to_end(key)
                return job
            round_number = max(
                (
                    waiting.round_number + 1
                    for waiting in self._waiting_jobs
                    if waiting.client_address == client_address
                ),
                default=self._round_number,
            )
            job = self._jobs[key] = PrintJob(key, paper, render_html, client_address, is_player, round_number)
            self._waiting_jobs.append(job)
            if len(self._waiting_jobs) > MAX_WAITING_JOBS:
                rejected = self._ordered_jobs()[-1]
                self._waiting_jobs.remove(rejected)
                del self._jobs[rejected.key]
                rejected.error = QUEUE_FULL
                rejected.finished.set()
            if not self._is_working:
                self._is_working = True
                threading.Thread(target=self._run_worker, name="press", daemon=True).start()
            self._changed.notify_all()
            return job

    def find_job(self, key: tuple) -> PrintJob | None:
        """Return the job with this key, or None."""
        with self._changed:
            return self._jobs.get(key)

    def clear_finished(self) -> None:
        """Discard all finished sheets, because a name on them is being erased."""
        with self._changed:
            for key in [key for key, job in self._jobs.items() if job.finished.is_set()]:
                del self._jobs[key]

    def wait_for(self, job: PrintJob, is_program: bool = False) -> None:
        """Wait for a job (longer for a program), unless too many threads are waiting already."""
        if not job.finished.is_set() and self._wait_slots[is_program].acquire(blocking=False):
            try:
                job.finished.wait(PROGRAM_WAIT_TIMEOUT if is_program else BROWSER_WAIT_TIMEOUT)
            finally:
                self._wait_slots[is_program].release()

    def jobs_ahead(self, job: PrintJob) -> int:
        """Return how many sheets come before this one, with the current one; 0 if it is not waiting."""
        with self._changed:
            return self._ordered_jobs().index(job) + 1 if job in self._waiting_jobs else 0

    def _ordered_jobs(self) -> list[PrintJob]:
        return sorted(self._waiting_jobs, key=lambda job: (not job.is_player, job.round_number))

    def _run_worker(self) -> None:
        """Print until no sheet has been requested for a while."""
        process = _Worker(self._command)
        while job := self._next_job():
            try:
                job.pdf = self._print(process, job)
            except PrintError as error:
                job.error = f"{error} {PLAIN_PAGE_HINT}"
            except Exception:  # an error in one sheet must not stop the queue
                logger.exception("A sheet could not be drawn")
                job.error = f"Waymark could not make this file. {PLAIN_PAGE_HINT}"
            self._store_finished(job)
        process.end()

    def _next_job(self) -> PrintJob | None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting_jobs, self._idle_timeout):
                self._is_working = False
                return None
            job = self._ordered_jobs()[0]
            self._waiting_jobs.remove(job)
            self._round_number = max(self._round_number, job.round_number)
            return job

    def _print(self, worker: "_Worker", job: PrintJob) -> bytes:
        """Return a sheet; a worker that dies is restarted once.

        :raises PrintError: if it takes too long, or cannot be made.
        """
        render_html, job.render_html = job.render_html, None
        assert render_html  # a job is printed once
        request = PrintRequest(render_html(), job.paper)
        for _ in range(2):
            try:
                return worker.print_sheet(request, self._timeout)
            except _WorkerDiedError as error:
                logger.warning("The press died over %s: status %s", job.key, error)
            except OSError as error:
                worker.end()
                logger.warning("The press cannot be started: %s", error)
                raise PrintError(f"Waymark could not start making this file: {error.strerror}.") from None
        raise PrintError("Waymark failed twice to make this file.")

    def _store_finished(self, job: PrintJob) -> None:
        """Store a finished job, and discard the oldest ones beyond the limits."""
        with self._changed:
            job.ended_at = time.monotonic()
            job.finished.set()
            self._jobs.move_to_end(job.key)
            finished_jobs = [finished for finished in self._jobs.values() if finished.finished.is_set()]
            while (
                len(finished_jobs) > MAX_FINISHED_JOBS
                or sum(len(finished.pdf) for finished in finished_jobs) > MAX_FINISHED_BYTES
            ):
                del self._jobs[finished_jobs.pop(0).key]


class _Worker:
    """The worker process, started on first use and restarted whenever it has ended."""

    def __init__(self, command: Sequence[str]):
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = ""  # for the fonts that the process unpacks

    def print_sheet(self, request: PrintRequest, timeout: float) -> bytes:
        """Return a printed sheet.

        :raises PrintError: if it takes longer than the timeout, or cannot be printed.
        :raises _WorkerDiedError: if the process ended before it replied.
        :raises OSError: if the process cannot be started.
        """
        if not self._process:
            self._folder = tempfile.mkdtemp(prefix="waymark-press-")
            self._process = subprocess.Popen(
                [*self._command, self._folder],
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
            )
            self._exchange(self._process, b"", WARM_UP_TIMEOUT)
        return self._exchange(self._process, msgspec.json.encode(request) + b"\n", timeout)

    def _exchange(self, process: subprocess.Popen[bytes], line: bytes, timeout: float) -> bytes:
        """Send a line and return the sheet of the reply; after the timeout, the process is killed."""
        assert process.stdin and process.stdout  # both are pipes
        deadline = time.monotonic() + timeout
        timer = threading.Timer(timeout, process.kill)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            reply = msgspec.json.decode(process.stdout.readline(), type=PrintReply)
        except (OSError, msgspec.DecodeError):
            is_late = time.monotonic() >= deadline
            self.end()
            if is_late:
                raise PrintError(
                    f"This file took longer than {timeout:g} seconds, so Waymark stopped making it."
                ) from None
            raise _WorkerDiedError(process.returncode) from None
        finally:
            timer.cancel()
        if reply.error:
            logger.warning("The press could not print: %s", reply.error)
            raise PrintError("Waymark could not make this file.")
        return reply.pdf

    def end(self) -> None:
        """End the process, if it is running, and remove its folder."""
        if self._process:
            self._process.kill()
            self._process.communicate()  # waits for the end, and closes the pipes
            self._process = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


# The worker process


def main(folder: str) -> None:
    """Print requests until the server is gone; `folder` is for temporary files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server
    if hasattr(os, "nice"):
        os.nice(5)  # taps come first, but a busy computer must still finish a sheet in time
    with suppress(OSError):
        # If memory runs out, the system ends this process rather than the server.
        Path("/proc/self/oom_score_adj").write_text("500")
    tempfile.tempdir = folder
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not mix with the replies
    requests: SimpleQueue[PrintRequest] = SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests, folder), daemon=True).start()
    reply = _warm_up()
    gc.freeze()  # the libraries' objects are not garbage: scanning them would take a tenth of each sheet's time
    while True:
        with suppress(BrokenPipeError):  # the server is gone, so the other thread ends this process
            replies.write(msgspec.json.encode(reply) + b"\n")
            replies.flush()
        reply = _print(requests.get())


def _read_requests(requests: "SimpleQueue[PrintRequest]", folder: str) -> None:
    """Read requests; at the end of the input the server is gone, so end the process immediately."""
    with os.fdopen(os.dup(0), "rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):  # if not, the server was killed while it wrote
                requests.put(msgspec.json.decode(line, type=PrintRequest))
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _warm_up() -> PrintReply:
    """Load WeasyPrint, and the fonts for each paper, before the first sheet is timed."""
    replies = [_print(PrintRequest("<p>Waymark</p>", paper)) for paper in pdf.PAPER_SIZES]
    return next((reply for reply in replies if reply.error), PrintReply())


def _print(request: PrintRequest) -> PrintReply:
    try:
        if request.paper == PICTURE:
            return PrintReply(pdf.render_png(request.html))
        return PrintReply(pdf.render_pdf(request.html, request.paper))
    except Exception as error:
        return PrintReply(error=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(sys.argv[1])
