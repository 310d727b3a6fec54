"""Tests of rate limits and body limits: floods and guesses have to wait, players never do."""

import itertools
import math
import sys
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.log.plans import Drop, RepairPlan, Truncate
from companion.storage.store import TableNotFoundError
from companion.system import limits
from companion.system.limits import ALLOWANCES, Allowance, Rate, RateLimiter, RateLimitError, RateLimiters, address_key
from companion.web.app import KB, MAX_FORM_BYTES, MAX_UPLOAD_BYTES, install_limits
from companion.web.card_facts import MAX_FILE_BYTES
from tests.support.page_parser import parse_page
from tests.support.parametrize import run_all_rows
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import play_moves, random_game_moves

HIKE = {"move": '{"type":"hike","steps":2}'}
STRANGER = "192.0.2.7"
PHONE, ADDRESS = (ALLOWANCES["codes"].phone.requests, ALLOWANCES["codes"].address.requests)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=math.ceil(time.monotonic()))
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


# One limit.


def remaining(limit: RateLimiter, key: object = "ana") -> int:
    """Return how many requests a key may make now."""
    for count in range(1000):
        try:
            limit.take(key)
        except RateLimitError:
            return count
    return 1000


def test_burst_is_followed_by_a_steady_rate(clock: SimpleNamespace):
    limit = RateLimiter(6, 60)
    assert remaining(limit) == 6
    with pytest.raises(RateLimitError) as error:
        limit.take("ana")
    assert error.value.retry_after == 10
    clock.now += 9.9
    assert remaining(limit) == 0
    clock.now += 0.1
    assert remaining(limit) == 1
    clock.now += 30
    assert remaining(limit) == 3
    clock.now += 3600
    assert remaining(limit) == 6


@pytest.mark.parametrize("rate", [rate for allowed in ALLOWANCES.values() for rate in allowed[1:] if rate], ids=str)
def test_request_after_the_stated_wait_is_accepted(clock: SimpleNamespace, rate: Rate):
    limit = RateLimiter(*rate)
    for _ in range(rate.requests):
        limit.take("ana")
    for _ in range(50):
        with pytest.raises(RateLimitError) as error:
            limit.take("ana")
        clock.now += error.value.retry_after
        limit.take("ana")
        while remaining(limit):
            pass


def test_each_key_is_counted_separately(clock: SimpleNamespace):
    limit = RateLimiter(3, 60)
    assert (remaining(limit, "ana"), remaining(limit, "bo"), remaining(limit, "ana")) == (3, 3, 0)


def test_given_back_request_is_not_counted(clock: SimpleNamespace):
    limit = RateLimiter(3, 60)
    for _ in range(50):
        limit.take("ana")
        limit.give_back("ana")
    limit.give_back("never seen")
    assert remaining(limit) == 3


def test_only_the_latest_keys_are_remembered_and_requests_keep_a_key(clock: SimpleNamespace):
    limit = RateLimiter(1, 60, max_keys=100)
    limit.take("ana")
    for number in range(10_000):
        limit.take(number)
        with pytest.raises(RateLimitError):
            limit.take("ana")
    assert len(limit._full_times) == 100


def test_simultaneous_requests_cannot_exceed_the_limit(clock: SimpleNamespace):
    """The second request comes after the first has read the limit but before it is counted."""
    limit, second = RateLimiter(1, 60), Thread(target=lambda: results.append(remaining(limit)))
    results = []

    class Looked(OrderedDict):
        def get(self, *arguments):
            found = super().get(*arguments)
            if not second.ident:
                second.start()
                second.join(0.2)  # it has finished by now or waits for the first
            return found

    limit._full_times = Looked()
    results.append(remaining(limit))
    second.join()
    assert sorted(results) == [0, 1]


@run_all_rows(
    ("seconds", "text"),
    [
        (0.2, "1 second"),
        (1.0, "1 second"),
        (1.1, "2 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (121, "3 minutes"),
    ],
)
def test_waiting_time_is_stated_in_words(seconds: float, text: str):
    assert str(RateLimitError(seconds, "That was much")) == f"That was much. Try again in {text}."


@run_all_rows(
    ("address", "other", "is_same"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("2001:db8::7", "2001:db8::8:1", True),
        ("2001:db8::7", "2001:db8:0:1::7", False),
        ("fe80::1%eth0", "fe80::1%wlan0", True),
        ("", "192.0.2.7", False),
        ("unix:", "unix:", True),
    ],
)
def test_addresses_of_one_household_or_phone_have_one_key(address: str, other: str, is_same: bool):
    assert (address_key(address) == address_key(other)) is is_same


def test_refusal_by_one_limit_does_not_count_for_the_other(clock: SimpleNamespace):
    limits = RateLimiters({"tables": Allowance("Much", Rate(2, 60), Rate(5, 60))})
    for _ in range(2):
        limits.take("tables", "ana", STRANGER)
    for _ in range(10):
        with pytest.raises(RateLimitError, match="^Much[.] Try again in 30 seconds[.]$"):
            limits.take("tables", "ana", STRANGER)
    for _ in range(3):
        limits.take("tables", None, STRANGER)
    with pytest.raises(RateLimitError):
        limits.take("tables", "bo", STRANGER)
    limits.take("tables", "bo", "192.0.2.8")
    limits.take("tables", "bo", "192.0.2.8")


# Guessing codes.


def guess_codes(phone: Phone, times: int = 1) -> list[int]:
    return [phone.get("/t/BBBBB").status_code for _ in range(times)]


def use_up_codes(app: Flask, address: str) -> None:
    """Guess from one address until it has to wait, with a new cookie each time."""
    for _ in range(1000):
        if guess_codes(Phone(app, address)) == [429]:
            return


def test_guessing_codes_is_limited_and_states_the_wait(app: Flask, clock: SimpleNamespace):
    guesser = Phone(app, STRANGER)
    assert guesser.device
    assert guess_codes(guesser, PHONE) == [404] * PHONE
    answer = guesser.get("/t/BBBBB")
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "6"
    assert "Too many wrong codes. Try again in 6 seconds." in parse_page(answer.text).text
    assert guesser.post("/join", {"code": "BBBBB"}).status_code == 429
    clock.now += 6
    assert guess_codes(guesser, 2) == [404, 429]


def test_throwing_the_cookie_away_does_not_help_a_guesser(app: Flask, clock: SimpleNamespace):
    answers = [guess_codes(Phone(app, STRANGER)) for _ in range(ADDRESS + 5)]
    assert answers == [[404]] * ADDRESS + [[429]] * 5
    assert guess_codes(Phone(app, "192.0.2.8")) == [404]


def test_one_guesser_does_not_use_up_the_limit_of_its_address(app: Flask, clock: SimpleNamespace):
    guesser = Phone(app, STRANGER)
    assert guesser.device
    for _ in range(20):
        guess_codes(guesser, 5)
        clock.now += 6
    assert guess_codes(Phone(app, STRANGER)) == [404]


def test_a_guesser_does_not_even_learn_which_code_is_right(table_of_two: SeatedTable, clock: SimpleNamespace):
    use_up_codes(table_of_two.app, STRANGER)
    for path in ("", "/board", "/score.json", "/live", "/seat/0"):
        assert Phone(table_of_two.app, STRANGER).get(table_of_two.path + path).status_code == 429
    assert Phone(table_of_two.app, STRANGER).post("/join", {"code": table_of_two.code}).status_code == 429


def test_players_behind_the_address_of_a_guesser_are_not_limited(table_of_two: SeatedTable, clock: SimpleNamespace):
    use_up_codes(table_of_two.app, "127.0.0.1")
    assert guess_codes(Phone(table_of_two.app)) == [429]
    for path in ("", "/now", "/board", "/score", "/seat/0", "/seat/0/now", "/seat/0/tell"):
        assert table_of_two.phone(0).get(table_of_two.path + path).status_code == 200, path
    assert table_of_two.submit(0, "play", HIKE, htmx=True).status_code == 200
    assert table_of_two.phone(1).get(f"{table_of_two.path}/seat/1").status_code == 200


def test_players_are_not_limited_after_a_restart(table_of_two: SeatedTable, clock: SimpleNamespace):
    install_limits(table_of_two.app)
    use_up_codes(table_of_two.app, "127.0.0.1")
    assert table_of_two.submit(0, "play", HIKE, htmx=True).status_code == 200
    assert table_of_two.phone(1).get(f"{table_of_two.path}/seat/1").status_code == 200
    assert guess_codes(table_of_two.phone(1)) == [429]


def test_known_spectator_is_not_limited(table_of_two: SeatedTable, clock: SimpleNamespace):
    tablet, new_phone = Phone(table_of_two.app), Phone(table_of_two.app)
    assert tablet.device and tablet.get(f"{table_of_two.path}/board").status_code == 200
    use_up_codes(table_of_two.app, "127.0.0.1")
    assert new_phone.get(f"{table_of_two.path}/board").status_code == 429
    assert tablet.get(f"{table_of_two.path}/board/now").status_code == 200


def test_phone_of_one_table_is_limited_at_other_tables(table_of_two: SeatedTable, clock: SimpleNamespace):
    other = open_seated_table(table_of_two.app, "Cy", "Di")
    use_up_codes(table_of_two.app, "127.0.0.1")
    assert table_of_two.phone(0).get(other.path).status_code == 429
    assert table_of_two.phone(0).get(table_of_two.path).status_code == 200


def test_right_codes_are_not_limited(table_of_two: SeatedTable, clock: SimpleNamespace):
    for _ in range(3 * ADDRESS):
        assert Phone(table_of_two.app, STRANGER).get(table_of_two.path).status_code == 200
    assert guess_codes(Phone(table_of_two.app, STRANGER)) == [404]


def test_right_codes_in_between_do_not_hide_guesses(table_of_two: SeatedTable, clock: SimpleNamespace):
    guesser = Phone(table_of_two.app, STRANGER)
    assert guesser.device
    for _ in range(PHONE):
        assert (guess_codes(guesser), guesser.get(table_of_two.path).status_code) == ([404], 200)
    assert guess_codes(guesser) == [429]


def test_a_code_is_counted_before_it_is_looked_up(app: Flask, clock: SimpleNamespace, monkeypatch):
    """Each look-up waits for all the others: no more requests than the limit may start one."""
    looked_up, all_requested = [], threading.Event()

    def look_up(code: str) -> None:
        looked_up.append(code)
        assert all_requested.wait(20)
        raise TableNotFoundError(code)

    monkeypatch.setattr(app.extensions["waymark"].store, "table", look_up)
    refused = threading.Semaphore(0)

    def ask(number: int) -> int:
        status = guess_codes(Phone(app, STRANGER))[0]
        refused.release()
        return status

    with ThreadPoolExecutor(ADDRESS + 20) as threads:
        answers = [threads.submit(ask, number) for number in range(ADDRESS + 20)]
        waited = [refused.acquire(timeout=20) for _ in range(20)]
        all_requested.set()
        statuses = [answer.result(20) for answer in answers]
    assert all(waited) and len(looked_up) == ADDRESS
    assert (statuses.count(404), statuses.count(429)) == (ADDRESS, 20)


def test_table_that_cannot_be_read_does_not_count_as_a_wrong_code(app: Flask, clock: SimpleNamespace, monkeypatch):
    def broken(code: str) -> None:
        raise TimeoutError

    with monkeypatch.context() as patch:
        patch.setattr(app.extensions["waymark"].store, "table", broken)
        patch.setattr(app.logger, "exception", lambda *_: None)
        for _ in range(2 * ADDRESS):
            assert guess_codes(Phone(app, STRANGER)) == [500]
    assert guess_codes(Phone(app, STRANGER)) == [404]


# Floods.


def open_tables(phone: Phone) -> int:
    return phone.post("/new/trails", {"names-0": "Ana", "names-1": "Bo"}).status_code


def set_limits(app: Flask, monkeypatch: pytest.MonkeyPatch, **others: Allowance) -> None:
    monkeypatch.setitem(app.config, "LIMITS", others)
    install_limits(app)


def test_opening_tables_is_limited_and_states_the_wait(app: Flask, clock: SimpleNamespace, monkeypatch):
    set_limits(app, monkeypatch, tables=ALLOWANCES["tables"]._replace(phone=Rate(3, 360), address=Rate(7, 840)))
    ana, bo, cy = (Phone(app, STRANGER) for _ in range(3))
    before = app.extensions["waymark"].store.db["tables"].count
    assert [open_tables(ana) for _ in range(4)] == [303, 303, 303, 429]
    answer = ana.post("/new/parks", {"names-0": "Ana", "names-1": "Bo"})
    assert answer.status_code == 429 and answer.headers["Retry-After"] == "120"
    assert "Too many new tables. Try again in 2 minutes." in parse_page(answer.text).text
    assert [open_tables(bo) for _ in range(3)] == [303] * 3
    assert [open_tables(cy), open_tables(cy), open_tables(Phone(app, "192.0.2.8"))] == [303, 429, 303]
    assert app.extensions["waymark"].store.db["tables"].count == before + 8
    clock.now += 120
    assert open_tables(ana) == 303


def test_invalid_form_opens_no_table_and_is_not_counted(app: Flask, clock: SimpleNamespace, monkeypatch):
    set_limits(app, monkeypatch, tables=Allowance("Much", Rate(1, 60), Rate(1, 60)))
    phone = Phone(app)
    for _ in range(5):
        assert phone.post("/new/trails", {"names-0": "Ana"}).status_code == 422
        assert phone.get("/new/trails").status_code == 200
    assert open_tables(phone) == 303


def test_many_phones_of_one_address_can_open_tables(app: Flask, clock: SimpleNamespace):
    assert [open_tables(Phone(app)) for _ in range(40)] == [303] * 40


def test_flood_of_tables_from_one_address_does_not_block_a_rematch(score_entry_table: SeatedTable, clock, monkeypatch):
    set_limits(score_entry_table.app, monkeypatch, tables=Allowance("Much", Rate(1, 60), Rate(1, 60)))
    assert [open_tables(Phone(score_entry_table.app)) for _ in range(2)] == [303, 429]
    for seat in (0, 1):
        score_entry_table.submit(seat, "play", {"move.type": "done"})
    assert score_entry_table.table.is_over
    assert score_entry_table.phone(0).post(f"{score_entry_table.path}/again").status_code == 303
    assert score_entry_table.table.next_code


def test_rematches_are_limited_by_phone(score_entry_table: SeatedTable, clock: SimpleNamespace, monkeypatch):
    set_limits(score_entry_table.app, monkeypatch, again=ALLOWANCES["again"]._replace(phone=Rate(1, 60)))
    for seat in (0, 1):
        score_entry_table.submit(seat, "play", {"move.type": "done"})
    assert [score_entry_table.phone(0).post(f"{score_entry_table.path}/again").status_code for _ in range(2)] == [
        303,
        429,
    ]
    assert score_entry_table.phone(1).post(f"{score_entry_table.path}/again").status_code == 303


def test_limit_of_taps_is_higher_than_anyone_can_tap(table_of_two: SeatedTable, clock: SimpleNamespace, monkeypatch):
    assert ALLOWANCES["taps"].phone.requests >= 1000 and ALLOWANCES["taps"].address is None
    set_limits(table_of_two.app, monkeypatch, taps=ALLOWANCES["taps"]._replace(phone=Rate(2, 60)))
    wrong = {"move": '{"type":"hike","steps":9}'}
    assert [table_of_two.submit(0, "play", wrong, htmx=True).status_code for _ in range(3)] == [422, 422, 429]
    assert table_of_two.submit(1, "play", wrong, htmx=True).status_code != 429
    assert table_of_two.phone(0).get(f"{table_of_two.path}/seat/0/now").status_code == 200
    clock.now += 30
    assert table_of_two.submit(0, "play", HIKE, htmx=True).status_code == 200


def test_repairs_count_as_taps(table_of_two: SeatedTable, clock: SimpleNamespace, monkeypatch):
    table_of_two.submit(0, "play", HIKE)
    set_limits(table_of_two.app, monkeypatch, taps=ALLOWANCES["taps"]._replace(phone=Rate(2, 60)))
    page = f"{table_of_two.path}/seat/0/mend/{RepairPlan('4', 1, is_open=True).encode()}"
    assert [table_of_two.phone(0).post(f"{page}/play?as=0", HIKE).status_code for _ in range(3)] == [303, 303, 429]
    assert table_of_two.phone(0).post(f"{page}/right?as=0", {}).status_code == 429
    assert table_of_two.phone(0).post(f"{page}/ask").status_code == 429
    assert table_of_two.phone(0).get(page).status_code == 200


# For three answers; the longest repair usually takes a third of that.
MOST_CALLS = 1_000_000
LONG = RepairPlan("4", resolutions=(Drop(),) * 5000)


@pytest.mark.parametrize(
    "plan",
    [
        LONG,
        RepairPlan("4", 10**12),
        RepairPlan("4", edits=(Truncate(),) * 900),
        RepairPlan("4", resolutions=(Drop(), Truncate()) * 400),
    ],
)
def test_repair_of_any_length_is_answered_quickly(table_of_two: SeatedTable, plan: RepairPlan):
    """Function calls are counted because the time would depend on the load of the computer."""
    play_moves(table_of_two, random_game_moves("trails", ("Ana", "Bo"))[:60])
    calls = itertools.count()
    sys.setprofile(lambda frame, event, argument: event == "call" and next(calls))
    try:
        for ending in ("", "/now"):
            assert table_of_two.phone(0).get(
                f"{table_of_two.path}/seat/0/mend/{plan.encode()}{ending}"
            ).status_code in (200, 303)
        assert table_of_two.phone(0).post(f"{table_of_two.path}/seat/0/mend/{plan.encode()}/ask").status_code in (
            303,
            403,
        )
    finally:
        sys.setprofile(None)
    assert next(calls) < MOST_CALLS


# Bodies.

FORM = "application/x-www-form-urlencoded"


def test_body_that_is_too_large_is_refused(table_of_two: SeatedTable):
    answer = table_of_two.phone(0).post(f"{table_of_two.path}/seat/0/play", {"move": "x" * MAX_FORM_BYTES})
    assert answer.status_code == 413
    fields = {f"setup.{number}": "x" for number in range(500)}
    assert table_of_two.phone(0).post(f"{table_of_two.path}/setup", fields).status_code == 400
    answer = table_of_two.phone(0).http.post(
        f"{table_of_two.path}/setup", data=fields, content_type="multipart/form-data"
    )
    assert answer.status_code == 413 and table_of_two.table.version == 3


class CountingBody:
    """A body that counts how much of it was read."""

    def __init__(self, size: int):
        self.left = self.size = size

    @property
    def bytes_read(self) -> int:
        return self.size - self.left

    def read(self, size: int = -1) -> bytes:
        size_read = self.left if size is None or size < 0 else min(size, self.left)
        self.left -= size_read
        return b"x" * size_read

    readline = read


def send_body(app: Flask, path: str, body: CountingBody, **headers: str) -> int:
    """Return the status of the answer to a form with this body."""
    environ = {"wsgi.input": body, "CONTENT_TYPE": FORM, "REMOTE_ADDR": STRANGER, **headers}
    return Phone(app).http.post(path, environ_overrides=environ).status_code


@pytest.mark.parametrize("path", ["/new/trails", "/box/parks", "/box/parks/file", "/nowhere", "/"])
def test_body_with_an_excessive_length_is_not_read(app: Flask, path: str):
    body = CountingBody(300_000_000)
    assert send_body(app, path, body, CONTENT_LENGTH=str(body.size)) in (404, 405, 413)
    assert body.bytes_read == 0


@pytest.mark.parametrize(("path", "most"), [("/new/trails", MAX_FORM_BYTES), ("/box/parks/file", 128 * KB)])
def test_body_without_a_length_is_read_only_up_to_the_limit(app: Flask, path: str, most: int):
    body = CountingBody(300_000_000)
    environ = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    assert send_body(app, path, body, **environ) in (400, 413)
    assert body.bytes_read == most


def test_largest_card_facts_file_fits_its_form(app: Flask):
    assert MAX_UPLOAD_BYTES.keys() <= app.view_functions.keys()
    assert MAX_UPLOAD_BYTES["card_facts.import_file"] > MAX_FILE_BYTES + 4 * KB
