"""Tests of the print queue, which makes sheets one at a time in a separate process."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.rendering import pdf, print_queue
from companion.rendering.print_queue import PrintJob, PrintQueue
from companion.system.paths import CHECKOUT
from companion.web.app import create_app
from tests.support import pdf_content
from tests.support.page_parser import parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import NAMES
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow("a printing process that is killed and waited for")

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

# A printing process with the real protocol that obeys the text of the sheet and logs each start in a diary.
FAKE_PRINTER_SCRIPT = """
import os, signal, sys, time
from msgspec import json
from companion.rendering.print_queue import PrintReply, PrintRequest
def reply(**values):
    sys.stdout.buffer.write(json.encode(PrintReply(**values)) + b"\\n")
    sys.stdout.buffer.flush()
log = sys.argv[1]
before = open(log).read() if os.path.exists(log) else ""
open(log, "a").write("started\\n")
reply()
for line in sys.stdin.buffer:
    order = json.decode(line, type=PrintRequest).html
    open(log, "a").write(order + "\\n")
    if order == "die" or order == "die once" and order not in before:
        os.kill(os.getpid(), signal.SIGKILL)
    while order == "hang" or order == "wait" and not os.path.exists(log + ".go"):
        time.sleep(0.01)
    reply(error="a bug") if order == "refuse" else reply(pdf=b"%PDF- " + order.encode())
"""


class FakePrinters:
    """Print queues with fake printing processes, and the texts that those have received."""

    def __init__(self, folder: Path):
        self.diary = folder / "diary"

    def new_queue(self, **settings: float) -> PrintQueue:
        return PrintQueue(
            (sys.executable, "-c", FAKE_PRINTER_SCRIPT, str(self.diary)), **{"idle_timeout": 2.0, **settings}
        )

    def printed_texts(self) -> list[str]:
        return self.diary.read_text().split("\n")[:-1] if self.diary.exists() else []

    def release(self) -> None:
        """Let the sheets that wait be finished."""
        Path(f"{self.diary}.go").touch()


@pytest.fixture
def fake_printers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePrinters]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    printers = FakePrinters(tmp_path)
    yield printers
    printers.release()


_keys = count()


def request_sheet(machine: PrintQueue, html: str, owner: str = "ana", is_player: bool = True) -> PrintJob:
    return machine.submit((next(_keys),), "a4", lambda: html, owner, is_player)


def finished_pdf(job: PrintJob) -> bytes:
    assert job.finished.wait(30)
    assert not job.error, job.error
    return job.pdf


def failure_text(job: PrintJob) -> str:
    assert job.finished.wait(30)
    assert not job.pdf
    return job.error


# The process.


def test_sheets_are_printed_in_order_by_one_process(fake_printers: FakePrinters):
    machine = fake_printers.new_queue()
    jobs = [request_sheet(machine, f"sheet {number}") for number in range(5)]
    assert [finished_pdf(job) for job in jobs] == [f"%PDF- sheet {number}".encode() for number in range(5)]
    assert fake_printers.printed_texts() == ["started", *(f"sheet {number}" for number in range(5))]


def test_process_that_dies_once_is_restarted_and_prints_the_sheet(fake_printers: FakePrinters):
    machine = fake_printers.new_queue()
    jobs = [request_sheet(machine, html) for html in ("one", "die once", "two")]
    assert [finished_pdf(job) for job in jobs] == [b"%PDF- one", b"%PDF- die once", b"%PDF- two"]
    assert fake_printers.printed_texts() == ["started", "one", "die once", "started", "die once", "two"]


def test_sheet_that_kills_the_process_twice_fails_and_the_next_is_made(fake_printers: FakePrinters):
    machine = fake_printers.new_queue()
    first, second = request_sheet(machine, "die"), request_sheet(machine, "two")
    assert failure_text(first) == "Waymark failed twice to make this file. Any browser can print the plain page."
    assert finished_pdf(second) == b"%PDF- two"


def test_sheet_that_hangs_fails_after_the_timeout_and_the_next_is_made(fake_printers: FakePrinters):
    machine = fake_printers.new_queue(timeout=0.3)
    first, second = request_sheet(machine, "hang"), request_sheet(machine, "two")
    assert failure_text(first) == (
        "This file took longer than 0.3 seconds, so Waymark stopped making it. Any browser can print the plain page."
    )
    assert finished_pdf(second) == b"%PDF- two"
    assert fake_printers.printed_texts() == ["started", "hang", "started", "two"]


def test_sheet_that_cannot_be_rendered_fails_and_the_next_is_made(fake_printers: FakePrinters):
    machine = fake_printers.new_queue()
    undrawn = machine.submit(("undrawn",), "a4", lambda: 1 / 0, "ana", True)
    refused_one, last = request_sheet(machine, "refuse"), request_sheet(machine, "two")
    message = "Waymark could not make this file. Any browser can print the plain page."
    assert (failure_text(undrawn), failure_text(refused_one), finished_pdf(last)) == (message, message, b"%PDF- two")
    assert fake_printers.printed_texts().count("started") == 1


def test_process_that_cannot_start_is_reported_and_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert failure_text(request_sheet(PrintQueue(("/nowhere/python",)), "one")).startswith(
        "Waymark could not start making this file: No such file"
    )
    assert "failed twice" in failure_text(request_sheet(PrintQueue((sys.executable, "-c", "pass")), "one"))
    assert list(tmp_path.iterdir()) == []


def test_idle_process_ends_and_is_restarted_for_the_next_sheet(fake_printers: FakePrinters):
    machine = fake_printers.new_queue(idle_timeout=0.0)
    finished_pdf(request_sheet(machine, "one"))
    wait_until(lambda: not machine._is_working)
    finished_pdf(request_sheet(machine, "two"))
    assert fake_printers.printed_texts() == ["started", "one", "started", "two"]


QUEUE_SCRIPT = """
import sys, threading, time
from companion.rendering.print_queue import PrintQueue
machine = PrintQueue(timeout=600)
job = machine.submit(("one",), "a4", lambda: "<p>one", "ana")
assert job.finished.wait(60) and job.pdf
if sys.argv[1] == "busy":
    begun = threading.Event()
    def long_page():
        begun.set()
        return "<table>" * 300 + "x" * 3_000_000
    machine.submit(("two",), "a4", long_page, "ana")
    assert begun.wait(60)
print("ready", flush=True)
time.sleep(600)
"""


@parametrize_cases("state", ["idle", "busy"])
def test_process_ends_with_a_killed_server_and_leaves_no_files(tmp_path: Path, state: str):
    """This runs the real process; the pipes of the server end only when both processes are gone."""
    server = subprocess.Popen(
        [sys.executable, "-c", QUEUE_SCRIPT, state],
        cwd=CHECKOUT, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with server:
        assert server.stdout.readline() == b"ready\n"
        assert list(tmp_path.iterdir())
        server.send_signal(signal.SIGKILL)
        assert server.communicate(timeout=60) == (
            b"",
            b"",
        )  # the printing process has the pipes too, so this ends when it does
    assert list(tmp_path.iterdir()) == []


def test_process_ends_if_the_server_was_killed_while_it_wrote_a_request(tmp_path: Path):
    folder = tmp_path / "printing"
    folder.mkdir()
    worker = subprocess.Popen(
        [*print_queue.WORKER_COMMAND, str(folder)],
        cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with worker:
        _, errors = worker.communicate(b'{"html": "<table', timeout=60)
    assert (worker.returncode, errors) == (0, b"")
    assert not folder.exists()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities here")
def test_process_has_lower_priority_and_none_of_the_servers_files(tmp_path: Path):
    machine, file = PrintQueue(idle_timeout=2.0), (tmp_path / "kept").open("w")
    os.set_inheritable(file.fileno(), True)
    before = child_processes()  # the app of other tests may have a printing process
    finished_pdf(request_sheet(machine, "<p>one"))
    (child,) = [process for process in child_processes() if process not in before]
    assert os.getpriority(os.PRIO_PROCESS, child) == os.getpriority(os.PRIO_PROCESS, 0) + 5
    held = [os.readlink(each) for each in Path(f"/proc/{child}/fd").iterdir() if each.exists()]
    assert not [name for name in held if name == str(tmp_path / "kept") or "sqlite" in name or "socket" in name]
    os.kill(child, signal.SIGINT)  # Ctrl+C reaches it too
    finished_pdf(request_sheet(machine, "<p>two"))
    os.getpriority(os.PRIO_PROCESS, child)  # raises if the process is gone
    file.close()


def child_processes() -> list[int]:
    stat_files = (path for path in Path("/proc").glob("[0-9]*/stat"))
    return [
        int(path.parent.name)
        for path in stat_files
        if path.read_text().rpartition(")")[2].split()[1] == str(os.getpid())
    ]


# The queue.


def queue_with_held_sheet(printers: FakePrinters) -> PrintQueue:
    """Return a print queue that is busy with a sheet until `release` is called."""
    machine = printers.new_queue()
    request_sheet(machine, "wait")
    wait_until(lambda: "wait" in printers.printed_texts())
    return machine


def test_requests_for_the_same_sheet_share_one_job(fake_printers: FakePrinters):
    machine = queue_with_held_sheet(fake_printers)
    jobs = [machine.submit(("same",), "a4", lambda: "same", f"phone {number}") for number in range(20)]
    fake_printers.release()
    assert (
        {finished_pdf(job) for job in jobs}
        == {b"%PDF- same"}
        == {finished_pdf(machine.submit(("same",), "a4", lambda: "other", "late"))}
    )
    assert fake_printers.printed_texts() == ["started", "wait", "same"]


def test_players_come_before_strangers_and_owners_take_turns(fake_printers: FakePrinters):
    machine = queue_with_held_sheet(fake_printers)
    requests = [
        *[("stranger", f"s{number}", False) for number in (1, 2)],
        *[("ana", f"a{number}", True) for number in (1, 2, 3)],
        ("bo", "b1", True),
        ("other", "o1", False),
    ]
    jobs = [request_sheet(machine, html, client, player) for client, html, player in requests]
    assert [machine.jobs_ahead(job) for job in jobs] == [5, 7, 1, 3, 4, 2, 6]
    fake_printers.release()
    for job in jobs:
        finished_pdf(job)
    assert fake_printers.printed_texts()[2:] == ["a1", "b1", "a2", "a3", "s1", "o1", "s2"]
    assert {machine.jobs_ahead(job) for job in jobs} == {0}


def test_strangers_sheet_that_a_player_requests_too_moves_up(fake_printers: FakePrinters):
    machine = queue_with_held_sheet(fake_printers)
    first = request_sheet(machine, "first", "stranger", is_player=False)
    shared = machine.submit(("shared",), "a4", lambda: "shared", "stranger", False)
    assert [machine.jobs_ahead(job) for job in (first, shared)] == [1, 2]
    machine.submit(("shared",), "a4", lambda: "shared", "ana", True)
    assert [machine.jobs_ahead(job) for job in (first, shared)] == [2, 1]


def test_full_queue_drops_jobs_of_the_owner_with_most(fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(print_queue, "MAX_WAITING_JOBS", 8)
    machine = queue_with_held_sheet(fake_printers)
    flood = [request_sheet(machine, f"s{number}", "stranger", False) for number in range(20)]
    assert [job.error for job in flood] == [""] * 8 + [print_queue.QUEUE_FULL] * 12
    own_jobs = [request_sheet(machine, f"a{number}", client) for number, client in enumerate(("ana", "bo", "cy"))]
    assert [job.error for job in flood[:8]] == [""] * 5 + [print_queue.QUEUE_FULL] * 3
    fake_printers.release()
    assert {finished_pdf(job)[:5] for job in own_jobs + flood[:5]} == {b"%PDF-"}
    assert len(fake_printers.printed_texts()) == 10


def test_failed_sheet_is_not_retried_until_the_error_expires(
    fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch
):
    machine = fake_printers.new_queue()

    def again() -> PrintJob:
        return machine.submit(("same",), "a4", lambda: "refuse", "ana")

    assert failure_text(again()) == failure_text(again()) and fake_printers.printed_texts() == ["started", "refuse"]
    monkeypatch.setattr(print_queue, "ERROR_RETENTION", 0.0)
    assert failure_text(again()) and fake_printers.printed_texts() == ["started", "refuse", "refuse"]


@parametrize_cases("most", ["MAX_FINISHED_JOBS", "MAX_FINISHED_BYTES"])
def test_finished_sheets_are_cached_up_to_the_limits(
    fake_printers: FakePrinters, most: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(print_queue, most, {"MAX_FINISHED_JOBS": 4, "MAX_FINISHED_BYTES": 4 * len(b"%PDF- 0")}[most])
    machine = fake_printers.new_queue()
    for number in range(8):
        finished_pdf(machine.submit((number,), "a4", lambda number=number: str(number), "ana"))
        finished_pdf(machine.submit((0,), "a4", lambda: "0", "ana"))  # a sheet that is requested again and again stays
    assert [key for (key,) in machine._jobs] == [5, 6, 7, 0]
    assert fake_printers.printed_texts().count("0") == 1


# Over the web.


@pytest.fixture
def no_phone_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_queue, "BROWSER_WAIT_TIMEOUT", 0.0)


def get_as_browser(phone: Phone, path: str) -> TestResponse:
    return phone.http.get(path, headers=BROWSER)


def get_until_ready(phone: Phone, path: str) -> TestResponse:
    """Request a path as a browser does, again while the page asks to refresh."""
    for _ in range(600):
        answer = get_as_browser(phone, path)
        if "Refresh" not in answer.headers:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{path}: not made in half a minute")


def test_slow_sheet_is_a_page_that_refreshes_until_it_is_ready(
    table_of_two: SeatedTable, fake_printers: FakePrinters, no_phone_waits: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", queue_with_held_sheet(fake_printers))
    answer = get_as_browser(table_of_two.phone(0), f"{table_of_two.path}/score.pdf")
    page = parse_page(answer.text)
    assert (answer.status_code, answer.headers["Refresh"], answer.headers["Cache-Control"]) == (202, "1", "no-store")
    assert "Making your file" in page.text and "1 file ahead of yours." in page.text
    assert {f"{table_of_two.path}/print", f"{table_of_two.path}/score"} <= set(page.addresses)
    assert "2 files ahead of yours." in parse_page(get_as_browser(table_of_two.phone(1), "/pad/trails.pdf").text).text
    fake_printers.release()
    answer = get_until_ready(table_of_two.phone(0), f"{table_of_two.path}/score.pdf")
    assert answer.mimetype == "application/pdf" and answer.data.startswith(b"%PDF-")


def test_fast_sheet_is_sent_to_a_browser_directly(
    table_of_two: SeatedTable, fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", fake_printers.new_queue())
    monkeypatch.setattr(print_queue, "BROWSER_WAIT_TIMEOUT", 30.0)
    assert get_as_browser(table_of_two.phone(0), f"{table_of_two.path}/score.pdf").mimetype == "application/pdf"


def test_only_a_few_server_threads_wait_for_sheets(fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch):
    """Further requests are answered immediately, and so is every tap."""
    monkeypatch.setattr(print_queue, "BROWSER_WAIT_TIMEOUT", 30.0)
    machine = queue_with_held_sheet(fake_printers)
    job = request_sheet(machine, "one")
    waiting = [
        threading.Thread(target=machine.wait_for, args=(job, program)) for program in (False, True) for _ in range(8)
    ]
    for thread in waiting:
        thread.start()
    wait_until(
        lambda: (
            sum(thread.is_alive() for thread in waiting)
            == print_queue.MAX_BROWSER_WAITS + print_queue.MAX_PROGRAM_WAITS
        )
    )
    fake_printers.release()
    for thread in waiting:
        thread.join(30)
    machine.wait_for(job)  # the slot was released again
    assert [machine._wait_slots[program]._value for program in (False, True)] == [
        print_queue.MAX_BROWSER_WAITS,
        print_queue.MAX_PROGRAM_WAITS,
    ]


def test_sheet_that_cannot_be_made_links_to_the_printable_page(tmp_path: Path, fake_printers: FakePrinters):
    app = create_app(tmp_path / "instance")
    app.extensions["press"] = PrintQueue((sys.executable, "-c", "pass"))
    table = open_seated_table(app, "Ana", "Bo")
    answer = get_as_browser(table.phone(0), f"{table.path}/score.pdf")
    assert answer.status_code == 503 and "Refresh" not in answer.headers
    assert (
        "Waymark failed twice to make this file." in parse_page(answer.text).text
        and f"{table.path}/print" in parse_page(answer.text).addresses
    )
    app.extensions["waymark"].store.db.conn.close()


def test_page_refreshes_while_the_queue_is_full(
    table_of_two: SeatedTable, fake_printers: FakePrinters, no_phone_waits: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", queue_with_held_sheet(fake_printers))
    monkeypatch.setattr(print_queue, "MAX_WAITING_JOBS", 0)
    answer = get_as_browser(table_of_two.phone(0), f"{table_of_two.path}/score.pdf")
    assert answer.status_code == 503 and "Refresh" in answer.headers and "tries again automatically" in answer.text
    monkeypatch.setattr(print_queue, "MAX_WAITING_JOBS", 8)
    fake_printers.release()
    assert get_until_ready(table_of_two.phone(0), f"{table_of_two.path}/score.pdf").mimetype == "application/pdf"


def test_head_request_prints_nothing(
    table_of_two: SeatedTable, fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", fake_printers.new_queue())
    assert (
        table_of_two.phone(0).http.head(f"{table_of_two.path}/score.pdf").status_code == 202
        and fake_printers.printed_texts() == []
    )
    table_of_two.phone(0).get(f"{table_of_two.path}/score.pdf")
    answer = table_of_two.phone(0).http.head(f"{table_of_two.path}/score.pdf")
    assert answer.status_code == 200 and answer.mimetype == "application/pdf"


def test_files_of_a_table_are_not_cached_but_a_pad_is(
    table_of_two: SeatedTable, fake_printers: FakePrinters, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", fake_printers.new_queue())
    for path in ("score.json", "score.csv", "score.pdf", "qr.svg"):
        assert (
            table_of_two.phone(0).get(f"{table_of_two.path}/{path}").headers["Cache-Control"] == "private, no-store"
        ), path
    assert table_of_two.phone(0).get("/box/parks.json").headers["Cache-Control"] == "private, no-store"
    assert table_of_two.phone(0).get("/pad/trails.pdf").headers["Cache-Control"] == "public, max-age=86400"


def test_a_tap_is_answered_while_the_print_queue_is_busy(
    table_of_two: SeatedTable, fake_printers: FakePrinters, no_phone_waits: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(table_of_two.app.extensions, "press", queue_with_held_sheet(fake_printers))
    assert get_as_browser(table_of_two.phone(0), f"{table_of_two.path}/score.pdf").status_code == 202
    before = table_of_two.table.version
    assert table_of_two.submit(0, "play", {"move": '{"type":"hike","steps":2}'}, htmx=True).status_code == 200
    assert table_of_two.table.version == before + 1
    fake_printers.release()


# With the real process.


def is_pdf(answer: TestResponse) -> bool:
    return answer.mimetype == "application/pdf" and pdf_content.page_count(answer.data) == 1


@pytest.mark.long("many PDFs")
@parametrize_cases("phones", [2, 3, 4, 8])
def test_first_sheets_after_a_start_can_be_requested_simultaneously(
    app: Flask, phones: int, monkeypatch: pytest.MonkeyPatch
):
    """This happens when a game ends: several phones request sheets on different paper, and pads."""
    table = open_seated_table(app, *NAMES)
    monkeypatch.setitem(app.extensions, "press", PrintQueue(idle_timeout=2.0))
    monkeypatch.setattr(pdf, "render_pdf", None)  # nothing is printed in this process
    paths = [f"{table.path}/score.pdf", f"{table.path}/score.pdf?paper=letter", "/pad/trails.pdf", "/pad/parks.pdf"]
    barrier = threading.Barrier(phones)

    def ask_for(number: int) -> TestResponse:
        phone = Phone(app)
        barrier.wait()
        return get_until_ready(phone, paths[number % len(paths)])

    with ThreadPoolExecutor(phones) as pool:
        assert all(map(is_pdf, pool.map(ask_for, range(phones))))


@pytest.mark.long("several servers' processes")
def test_process_killed_while_printing_is_not_noticed_by_the_phone(app: Flask, monkeypatch: pytest.MonkeyPatch):
    table = open_seated_table(app, *NAMES)
    monkeypatch.setitem(app.extensions, "press", PrintQueue(idle_timeout=2.0))
    real, killed = print_queue._Worker._exchange, []

    def exchange(worker: print_queue._Worker, process: subprocess.Popen, line: bytes, limit: float) -> bytes:
        if line and not killed:
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGSTOP)  # it takes the sheet and does not answer
            threading.Timer(0.1, os.kill, (process.pid, signal.SIGKILL)).start()
        return real(worker, process, line, limit)

    monkeypatch.setattr(print_queue._Worker, "_exchange", exchange)
    monkeypatch.setattr(print_queue.logger, "warning", lambda *arguments: None)
    assert is_pdf(get_until_ready(table.phone(0), f"{table.path}/score.pdf")) and killed


@pytest.mark.long("two hundred PDFs")
def test_two_hundred_prints_from_fifty_phones_all_succeed(app: Flask, monkeypatch: pytest.MonkeyPatch):
    """Fifty phones request four of forty different sheets each while a table is played on."""
    monkeypatch.setitem(app.extensions, "press", PrintQueue(idle_timeout=2.0))
    monkeypatch.setattr(print_queue, "BROWSER_WAIT_TIMEOUT", 0.05)
    tables = [open_seated_table(app, "Ana", "Bo", game="trails-tally", phones=1) for _ in range(20)]
    open_table = open_seated_table(app, "Ana", "Bo")
    sizes = ("", "?paper=letter")
    sheets = [f"{table.path}/score.pdf{size}" for table in tables for size in sizes]

    def print_four(number: int) -> list[bool]:
        phone = Phone(app, f"192.0.2.{number}")
        return [is_pdf(get_until_ready(phone, sheets[(number * 4 + each) % len(sheets)])) for each in range(4)]

    with ThreadPoolExecutor(50) as pool:
        printed = pool.map(print_four, range(50))
        begun = open_table.table.version
        for steps in (1, 1, 2, 2):
            seat = open_table.table.tracked.flow.to_move(open_table.table.state)[0]
            legal = [
                offer.move for offer in open_table.table.tracked.offers(open_table.table.state, seat) if offer.is_legal
            ]
            open_table.play(seat, legal[steps % len(legal)])
        assert open_table.table.version == begun + 4
        results = [result for results in printed for result in results]
    assert len(results) == 200 and all(results)
