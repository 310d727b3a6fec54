"""The press: sheets are made one at a time in a process of its own, whatever happens to it; the tables play on meanwhile."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.rendering import pdf as printing
from companion.rendering import print_queue
from companion.rendering.print_queue import Job, Press
from companion.system.paths import CHECKOUT
from companion.web.app import create_app
from tests.support import pdf_content
from tests.support.cases import cases
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated, seated
from tests.support.table_states import NAMES

pytestmark = pytest.mark.slow("a printing process that is killed and waited for")

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

# A press that does what stands on the sheet, and speaks as the real one does; each start is a line in its diary.
ACTOR = """
import os, signal, sys, time
from msgspec import json
from companion.rendering.print_queue import Asked, Made
def say(**made):
    sys.stdout.buffer.write(json.encode(Made(**made)) + b"\\n")
    sys.stdout.buffer.flush()
diary = sys.argv[1]
before = open(diary).read() if os.path.exists(diary) else ""
open(diary, "a").write("started\\n")
say()
for line in sys.stdin.buffer:
    told = json.decode(line, type=Asked).html
    open(diary, "a").write(told + "\\n")
    if told == "die" or told == "die once" and told not in before:
        os.kill(os.getpid(), signal.SIGKILL)
    while told == "hang" or told == "wait" and not os.path.exists(diary + ".go"):
        time.sleep(0.01)
    say(fault="a bug") if told == "refuse" else say(pdf=b"%PDF- " + told.encode())
"""


class Stage:
    """Presses with actors at work, and what the actors have been told."""

    def __init__(self, folder: Path):
        self.diary = folder / "diary"

    def press(self, **settings: float) -> Press:
        return Press((sys.executable, "-c", ACTOR, str(self.diary)), **{"idle": 2.0, **settings})

    def told(self) -> list[str]:
        return self.diary.read_text().split("\n")[:-1] if self.diary.exists() else []

    def go(self) -> None:
        """Let those go on who wait."""
        Path(f"{self.diary}.go").touch()


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    stage = Stage(tmp_path)
    yield stage
    stage.go()


def until(there: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


_keys = count()


def ask(machine: Press, html: str, who: str = "ana", player: bool = True) -> Job:
    return machine.ask((next(_keys),), "a4", lambda: html, who, player)


def made(job: Job) -> bytes:
    assert job.done.wait(30)
    assert not job.fault, job.fault
    return job.pdf


def refused(job: Job) -> str:
    assert job.done.wait(30)
    assert not job.pdf
    return job.fault


# The process.


def test_sheets_are_made_in_turn_by_one_process(stage: Stage):
    machine = stage.press()
    jobs = [ask(machine, f"sheet {number}") for number in range(5)]
    assert [made(job) for job in jobs] == [f"%PDF- sheet {number}".encode() for number in range(5)]
    assert stage.told() == ["started", *(f"sheet {number}" for number in range(5))]


def test_a_process_that_dies_over_a_sheet_is_started_again_and_the_sheet_comes(stage: Stage):
    machine = stage.press()
    jobs = [ask(machine, html) for html in ("one", "die once", "two")]
    assert [made(job) for job in jobs] == [b"%PDF- one", b"%PDF- die once", b"%PDF- two"]
    assert stage.told() == ["started", "one", "die once", "started", "die once", "two"]


def test_a_sheet_it_dies_over_twice_is_said_and_the_next_one_comes(stage: Stage):
    machine = stage.press()
    first, second = ask(machine, "die"), ask(machine, "two")
    assert refused(first) == "The press died twice over this sheet. The plain page prints from any browser."
    assert made(second) == b"%PDF- two"


def test_a_sheet_that_hangs_is_given_up_after_its_time_and_the_next_one_comes(stage: Stage):
    machine = stage.press(limit=0.3)
    first, second = ask(machine, "hang"), ask(machine, "two")
    assert refused(first) == (
        "The press took longer than 0.3 seconds over this sheet and was stopped. The plain page prints from any browser."
    )
    assert made(second) == b"%PDF- two"
    assert stage.told() == ["started", "hang", "started", "two"]


def test_a_sheet_that_cannot_be_drawn_or_printed_is_said_and_the_next_one_comes(stage: Stage):
    machine = stage.press()
    undrawn = machine.ask(("undrawn",), "a4", lambda: 1 / 0, "ana", True)
    refused_one, last = ask(machine, "refuse"), ask(machine, "two")
    said = "This sheet could not be made. The plain page prints from any browser."
    assert (refused(undrawn), refused(refused_one), made(last)) == (said, said, b"%PDF- two")
    assert stage.told().count("started") == 1


def test_a_press_that_cannot_be_started_is_said_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert refused(ask(Press(("/nowhere/python",)), "one")).startswith("The press cannot be started: No such file")
    assert "died twice" in refused(ask(Press((sys.executable, "-c", "pass")), "one"))
    assert list(tmp_path.iterdir()) == []


def test_a_press_without_work_ends_and_is_started_again_when_asked(stage: Stage):
    machine = stage.press(idle=0.0)
    made(ask(machine, "one"))
    until(lambda: not machine._working)
    made(ask(machine, "two"))
    assert stage.told() == ["started", "one", "started", "two"]


ALONE = """
import sys, threading, time
from companion.rendering.print_queue import Press
machine = Press(limit=600)
job = machine.ask(("one",), "a4", lambda: "<p>one", "ana")
assert job.done.wait(60) and job.pdf
if sys.argv[1] == "busy":
    begun = threading.Event()
    def long_page():
        begun.set()
        return "<table>" * 300 + "x" * 3_000_000
    machine.ask(("two",), "a4", long_page, "ana")
    assert begun.wait(60)
print("ready", flush=True)
time.sleep(600)
"""


@cases("state", ["idle", "busy"])
def test_the_process_ends_with_the_server_however_that_ends_and_leaves_nothing_behind(tmp_path: Path, state: str):
    """The real one: whoever reads what the two of them say last reads to the end once both are gone."""
    server = subprocess.Popen(
        [sys.executable, "-c", ALONE, state],
        cwd=CHECKOUT, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with server:
        assert server.stdout.readline() == b"ready\n"
        assert list(tmp_path.iterdir())
        server.send_signal(signal.SIGKILL)
        assert server.communicate(timeout=60) == (b"", b"")  # the process has them too: this ends when it does
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities here")
def test_the_process_gives_way_to_those_who_tap_and_holds_nothing_of_the_servers(tmp_path: Path):
    machine, kept = Press(idle=2.0), (tmp_path / "kept").open("w")
    os.set_inheritable(kept.fileno(), True)
    before = children()  # the app of other tests may have a press of its own
    made(ask(machine, "<p>one"))
    (child,) = [each for each in children() if each not in before]
    assert os.getpriority(os.PRIO_PROCESS, child) == os.getpriority(os.PRIO_PROCESS, 0) + 5
    held = [os.readlink(each) for each in Path(f"/proc/{child}/fd").iterdir() if each.exists()]
    assert not [name for name in held if name == str(tmp_path / "kept") or "sqlite" in name or "socket" in name]
    os.kill(child, signal.SIGINT)  # Ctrl+C reaches it too
    made(ask(machine, "<p>two"))
    os.getpriority(os.PRIO_PROCESS, child)  # and it is there still
    kept.close()


def children() -> list[int]:
    of = (path for path in Path("/proc").glob("[0-9]*/stat"))
    return [int(path.parent.name) for path in of if path.read_text().rpartition(")")[2].split()[1] == str(os.getpid())]


# The queue.


def held(stage: Stage) -> Press:
    """Return a press with a sheet on it that is not made until told."""
    machine = stage.press()
    ask(machine, "wait")
    until(lambda: "wait" in stage.told())
    return machine


def test_who_asks_for_the_same_sheet_shares_it(stage: Stage):
    machine = held(stage)
    jobs = [machine.ask(("same",), "a4", lambda: "same", f"phone {number}") for number in range(20)]
    stage.go()
    assert (
        {made(job) for job in jobs} == {b"%PDF- same"} == {made(machine.ask(("same",), "a4", lambda: "other", "late"))}
    )
    assert stage.told() == ["started", "wait", "same"]


def test_players_come_before_strangers_and_one_address_after_the_other(stage: Stage):
    machine = held(stage)
    asked = [
        *[("stranger", f"s{number}", False) for number in (1, 2)],
        *[("ana", f"a{number}", True) for number in (1, 2, 3)],
        ("bo", "b1", True),
        ("other", "o1", False),
    ]
    jobs = [ask(machine, html, who, player) for who, html, player in asked]
    assert [machine.before(job) for job in jobs] == [5, 7, 1, 3, 4, 2, 6]
    stage.go()
    for job in jobs:
        made(job)
    assert stage.told()[2:] == ["a1", "b1", "a2", "a3", "s1", "o1", "s2"]
    assert {machine.before(job) for job in jobs} == {0}


def test_a_strangers_sheet_that_a_player_asks_for_too_is_a_players(stage: Stage):
    machine = held(stage)
    first = ask(machine, "first", "stranger", player=False)
    shared = machine.ask(("shared",), "a4", lambda: "shared", "stranger", False)
    assert [machine.before(job) for job in (first, shared)] == [1, 2]
    machine.ask(("shared",), "a4", lambda: "shared", "ana", True)
    assert [machine.before(job) for job in (first, shared)] == [2, 1]


def test_a_full_queue_turns_away_whoever_has_most_in_it(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(print_queue, "MOST_WAITING", 8)
    machine = held(stage)
    flood = [ask(machine, f"s{number}", "stranger", False) for number in range(20)]
    assert [job.fault for job in flood] == [""] * 8 + [print_queue.FULL] * 12
    ours = [ask(machine, f"a{number}", who) for number, who in enumerate(("ana", "bo", "cy"))]
    assert [job.fault for job in flood[:8]] == [""] * 5 + [print_queue.FULL] * 3
    stage.go()
    assert {made(job)[:5] for job in ours + flood[:5]} == {b"%PDF-"}
    assert len(stage.told()) == 10


def test_what_could_not_be_made_is_not_tried_again_for_each_who_asks(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    machine = stage.press()

    def again() -> Job:
        return machine.ask(("same",), "a4", lambda: "refuse", "ana")

    assert refused(again()) == refused(again()) and stage.told() == ["started", "refuse"]
    monkeypatch.setattr(print_queue, "FAULTS_KEPT", 0.0)
    assert refused(again()) and stage.told() == ["started", "refuse", "refuse"]


@cases("most", ["KEPT", "KEPT_BYTES"])
def test_finished_sheets_are_kept_a_while_and_no_more_than_there_is_room_for(
    stage: Stage, most: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(print_queue, most, {"KEPT": 4, "KEPT_BYTES": 4 * len(b"%PDF- 0")}[most])
    machine = stage.press()
    for number in range(8):
        made(machine.ask((number,), "a4", lambda number=number: str(number), "ana"))
        made(machine.ask((0,), "a4", lambda: "0", "ana"))  # one that is asked for again and again stays
    assert [key for (key,) in machine._jobs] == [5, 6, 7, 0]
    assert stage.told().count("0") == 1


# Over the web.


@pytest.fixture
def phones_wait_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_queue, "PATIENCE", 0.0)


def get(phone: Phone, path: str) -> TestResponse:
    return phone.http.get(path, headers=BROWSER)


def until_there(phone: Phone, path: str) -> TestResponse:
    """Ask as a browser does, again whenever the page says so."""
    for _ in range(600):
        answer = get(phone, path)
        if "Refresh" not in answer.headers:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{path}: not made in half a minute")


def test_a_sheet_that_takes_long_is_a_page_that_asks_again_until_it_is_there(
    two: Seated, stage: Stage, phones_wait_not: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(two.app.extensions, "press", held(stage))
    answer = get(two.phone(0), f"{two.path}/score.pdf")
    page = read(answer.text)
    assert (answer.status_code, answer.headers["Refresh"], answer.headers["Cache-Control"]) == (202, "1", "no-store")
    assert "Your sheet is being made" in page.text and "One sheet comes before it." in page.text
    assert {f"{two.path}/print", f"{two.path}/score"} <= set(page.addresses)
    assert "2 sheets come before it." in read(get(two.phone(1), "/pad/trails.pdf").text).text
    stage.go()
    answer = until_there(two.phone(0), f"{two.path}/score.pdf")
    assert answer.mimetype == "application/pdf" and answer.data.startswith(b"%PDF-")


def test_a_browser_is_given_the_sheet_itself_where_it_is_made_at_once(
    two: Seated, stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(two.app.extensions, "press", stage.press())
    monkeypatch.setattr(print_queue, "PATIENCE", 30.0)
    assert get(two.phone(0), f"{two.path}/score.pdf").mimetype == "application/pdf"


def test_only_a_few_threads_of_the_server_wait_for_sheets(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Whoever comes then is answered at once, and so is every tap."""
    monkeypatch.setattr(print_queue, "PATIENCE", 30.0)
    machine = held(stage)
    job = ask(machine, "one")
    waiting = [
        threading.Thread(target=machine.watch, args=(job, program)) for program in (False, True) for _ in range(8)
    ]
    for thread in waiting:
        thread.start()
    until(lambda: sum(thread.is_alive() for thread in waiting) == print_queue.WATCHING + print_queue.PROGRAMS)
    stage.go()
    for thread in waiting:
        thread.join(30)
    machine.watch(job)  # and it is given back
    assert [machine._watching[program]._value for program in (False, True)] == [
        print_queue.WATCHING,
        print_queue.PROGRAMS,
    ]


def test_a_sheet_that_cannot_be_made_leads_to_the_page_that_prints(tmp_path: Path, stage: Stage):
    app = create_app(tmp_path / "instance")
    app.extensions["press"] = Press((sys.executable, "-c", "pass"))
    table = seated(app, "Ana", "Bo")
    answer = get(table.phone(0), f"{table.path}/score.pdf")
    assert answer.status_code == 503 and "Refresh" not in answer.headers
    assert (
        "The press died twice over this sheet." in read(answer.text).text
        and f"{table.path}/print" in read(answer.text).addresses
    )
    app.extensions["waymark"].store.db.conn.close()


def test_where_the_queue_is_full_the_page_asks_again(
    two: Seated, stage: Stage, phones_wait_not: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(two.app.extensions, "press", held(stage))
    monkeypatch.setattr(print_queue, "MOST_WAITING", 0)
    answer = get(two.phone(0), f"{two.path}/score.pdf")
    assert answer.status_code == 503 and "Refresh" in answer.headers and "asks again by itself" in answer.text
    monkeypatch.setattr(print_queue, "MOST_WAITING", 8)
    stage.go()
    assert until_there(two.phone(0), f"{two.path}/score.pdf").mimetype == "application/pdf"


def test_to_look_ahead_prints_nothing(two: Seated, stage: Stage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(two.app.extensions, "press", stage.press())
    assert two.phone(0).http.head(f"{two.path}/score.pdf").status_code == 202 and stage.told() == []
    two.phone(0).get(f"{two.path}/score.pdf")
    answer = two.phone(0).http.head(f"{two.path}/score.pdf")
    assert answer.status_code == 200 and answer.mimetype == "application/pdf"


def test_files_of_a_table_are_kept_by_no_cache_and_a_pad_may_be(
    two: Seated, stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(two.app.extensions, "press", stage.press())
    for path in ("score.json", "score.csv", "score.pdf", "qr.svg"):
        assert two.phone(0).get(f"{two.path}/{path}").headers["Cache-Control"] == "private, no-store", path
    assert two.phone(0).get("/box/parks.json").headers["Cache-Control"] == "private, no-store"
    assert two.phone(0).get("/pad/trails.pdf").headers["Cache-Control"] == "public, max-age=86400"


def test_a_tap_is_answered_while_the_press_is_busy(
    two: Seated, stage: Stage, phones_wait_not: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(two.app.extensions, "press", held(stage))
    assert get(two.phone(0), f"{two.path}/score.pdf").status_code == 202
    before = two.table.number
    assert two.tap(0, "play", {"move": '{"type":"hike","steps":2}'}, htmx=True).status_code == 200
    assert two.table.number == before + 1
    stage.go()


# With the real process.


def printed(answer: TestResponse) -> bool:
    return answer.mimetype == "application/pdf" and pdf_content.pages(answer.data) == 1


@pytest.mark.long("many PDFs")
@cases("phones", [2, 3, 4, 8])
def test_the_first_sheets_after_a_start_may_be_asked_for_all_at_once(
    app: Flask, phones: int, monkeypatch: pytest.MonkeyPatch
):
    """As happens when a game ends: several phones, each on its own paper, and pads."""
    table = seated(app, *NAMES)
    monkeypatch.setitem(app.extensions, "press", Press(idle=2.0))
    monkeypatch.setattr(printing, "pdf", None)  # in this process nothing is printed
    paths = [f"{table.path}/score.pdf", f"{table.path}/score.pdf?paper=letter", "/pad/trails.pdf", "/pad/parks.pdf"]
    together = threading.Barrier(phones)

    def ask_for(number: int) -> TestResponse:
        phone = Phone(app)
        together.wait()
        return until_there(phone, paths[number % len(paths)])

    with ThreadPoolExecutor(phones) as pool:
        assert all(map(printed, pool.map(ask_for, range(phones))))


@pytest.mark.long("several servers' processes")
def test_a_process_killed_in_the_middle_of_a_sheet_is_not_noticed(app: Flask, monkeypatch: pytest.MonkeyPatch):
    table = seated(app, *NAMES)
    monkeypatch.setitem(app.extensions, "press", Press(idle=2.0))
    real, killed = print_queue._Process._said, []

    def said(process: print_queue._Process, running: print_queue._Running, line: bytes, limit: float) -> bytes:
        if line and not killed:
            killed.append(running.process.pid)
            os.kill(running.process.pid, signal.SIGSTOP)  # it takes the sheet and does not answer
            threading.Timer(0.1, os.kill, (running.process.pid, signal.SIGKILL)).start()
        return real(process, running, line, limit)

    monkeypatch.setattr(print_queue._Process, "_said", said)
    monkeypatch.setattr(print_queue.log, "warning", lambda *words: None)
    assert printed(until_there(table.phone(0), f"{table.path}/score.pdf")) and killed


@pytest.mark.long("two hundred PDFs")
def test_two_hundred_prints_from_fifty_phones_are_two_hundred_sheets_and_the_tables_play_on(
    app: Flask, monkeypatch: pytest.MonkeyPatch
):
    """Forty different sheets, asked for by fifty phones at once: each phone gets all of its four."""
    monkeypatch.setitem(app.extensions, "press", Press(idle=2.0))
    monkeypatch.setattr(print_queue, "PATIENCE", 0.05)
    tables = [seated(app, "Ana", "Bo", game="trails-tally", phones=1) for _ in range(20)]
    playing = seated(app, "Ana", "Bo")
    sizes = ("", "?paper=letter")
    sheets = [f"{table.path}/score.pdf{size}" for table in tables for size in sizes]

    def print_four(number: int) -> list[bool]:
        phone = Phone(app, f"192.0.2.{number}")
        return [printed(until_there(phone, sheets[(number * 4 + each) % len(sheets)])) for each in range(4)]

    with ThreadPoolExecutor(50) as pool:
        asked = pool.map(print_four, range(50))
        begun = playing.table.number
        for steps in (1, 1, 2, 2):
            seat = playing.table.play.to_move(playing.table.state)[0]
            legal = [offer.move for offer in playing.table.play.offers(playing.table.state, seat) if offer.legal]
            playing.say(seat, legal[steps % len(legal)])
        assert playing.table.number == begun + 4
        results = [result for results in asked for result in results]
    assert len(results) == 200 and all(results)
