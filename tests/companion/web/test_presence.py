"""Tests of presence: which phones listen to their table, and how long others are silent."""

import threading

import pytest

from companion.system.presence import Presence
from tests.support.phones import Phone, SeatedTable
from tests.support.server_thread import read_response, serve


class Clock:
    """A clock that stops until a test advances it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def advance_minutes(self, minutes: float) -> None:
        self.now += 60 * minutes


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_silence_is_counted_from_the_last_request(clock: Clock):
    presence = Presence(clock)
    clock.now += 5
    presence.mark_seen("BCDFG", "bo")
    clock.now += 7
    assert presence.silence("BCDFG", "bo") == 7
    presence.mark_seen("BCDFG", "bo")
    assert presence.silence("BCDFG", "bo") == 0


def test_unknown_phone_has_been_silent_since_the_start(clock: Clock):
    presence = Presence(clock)
    clock.now += 9
    assert presence.silence("BCDFG", "bo") == 9


def test_phone_is_present_while_one_of_its_pages_listens(clock: Clock):
    presence = Presence(clock)
    with presence.listening("BCDFG", "bo"):
        with presence.listening("BCDFG", "bo"):
            clock.now += 900
        clock.now += 900
        assert presence.silence("BCDFG", "bo") == 0
    clock.now += 3
    assert presence.silence("BCDFG", "bo") == 3


def test_each_table_is_counted_separately(clock: Clock):
    presence = Presence(clock)
    clock.now += 60
    presence.mark_seen("BCDFG", "bo")
    with presence.listening("CDFGH", "bo"):
        clock.now += 60
        assert [presence.silence(code, "bo") for code in ("BCDFG", "CDFGH", "DFGHJ")] == [60, 0, 120]


def test_phone_silent_longest_is_forgotten_without_changing_others(clock: Clock):
    presence = Presence(clock, max_phones=2)
    for phone in ("ana", "bo", "ana", "cy"):
        clock.now += 60
        presence.mark_seen("BCDFG", phone)
    assert presence.silence("BCDFG", "bo") == 120  # forgotten, but known not to be silent for longer
    assert presence.silence("BCDFG", "never here") == 120
    assert presence.silence("BCDFG", "ana") == 60 and len(presence._last_seen) == 2


def test_simultaneous_threads_lose_no_listener():
    presence = Presence()
    barrier = threading.Barrier(8)

    def come_and_go() -> None:
        barrier.wait()
        for _ in range(500):
            with presence.listening("BCDFG", "bo"):
                presence.mark_seen("BCDFG", "bo")

    with presence.listening("BCDFG", "bo"):
        threads = [threading.Thread(target=come_and_go) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert presence._listener_counts == {("BCDFG", "bo"): 1}


@pytest.fixture
def presence(table_of_two: SeatedTable, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Presence:
    """Return the presence of the app with a fake clock, after ten minutes without any request."""
    presence = Presence(clock)
    monkeypatch.setattr(table_of_two.referee, "presence", presence)
    clock.advance_minutes(10)
    return presence


PRESENCE_PATHS = ["", "/now", "/seat/1", "/seat/1/now?have=3", "/seat/1/tell", "/seat/1/log", "/board", "/score"]


@pytest.mark.parametrize("path", PRESENCE_PATHS)
def test_any_request_of_a_phone_counts_as_presence(table_of_two: SeatedTable, presence: Presence, path: str):
    table_of_two.phone(1).get(table_of_two.path + path)
    assert presence.silence(table_of_two.code, table_of_two.phone(1).device) == 0
    assert presence.silence(table_of_two.code, table_of_two.phone(0).device) == 600


@pytest.mark.parametrize(
    ("action", "form"), [("play", {"move": "{}"}), ("step", {"take_back": "9"}), ("answer", {"proposal": "9"})]
)
def test_any_tap_counts_as_presence_even_if_refused(
    table_of_two: SeatedTable, presence: Presence, action: str, form: dict
):
    table_of_two.submit(1, action, form)
    assert presence.silence(table_of_two.code, table_of_two.phone(1).device) == 0


def test_listening_phone_is_present_until_its_page_closes(table_of_two: SeatedTable, presence: Presence, clock: Clock):
    device = table_of_two.phone(1).device
    with serve(table_of_two.app) as server, server.connect() as page:
        cookie = table_of_two.phone(1).http.get_cookie("waymark").value
        page.sendall(
            f"GET {table_of_two.path}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: waymark={cookie}\r\n\r\n".encode()
        )
        read_response(page, b"data: 3\n\n")
        clock.advance_minutes(10)
        assert presence.silence(table_of_two.code, device) == 0
    assert not presence._listener_counts
    clock.advance_minutes(1)
    assert presence.silence(table_of_two.code, device) == 60


def test_phones_without_a_seat_are_not_remembered(table_of_two: SeatedTable, presence: Presence, phone: Phone):
    phone.get(table_of_two.path)
    phone.get(f"{table_of_two.path}/live")
    assert not presence._last_seen and not presence._listener_counts
