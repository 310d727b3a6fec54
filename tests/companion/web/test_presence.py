"""Which phones are at their table: a phone that listens is there, of the others it is known how long they have been silent."""

import threading

import pytest

from companion.system.presence import Presence
from tests.support.phones import Phone, Seated
from tests.support.server_process import said, served


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def minutes(self, minutes: float) -> None:
        self.now += 60 * minutes


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_silence_is_counted_from_the_last_sign(clock: Clock):
    presence = Presence(clock)
    clock.now += 5
    presence.seen("BCDFG", "bo")
    clock.now += 7
    assert presence.silence("BCDFG", "bo") == 7
    presence.seen("BCDFG", "bo")
    assert presence.silence("BCDFG", "bo") == 0


def test_a_phone_not_heard_of_has_been_silent_since_the_start_and_not_for_ever(clock: Clock):
    presence = Presence(clock)
    clock.now += 9
    assert presence.silence("BCDFG", "bo") == 9


def test_a_phone_is_there_as_long_as_one_of_its_pages_listens(clock: Clock):
    presence = Presence(clock)
    with presence.listening("BCDFG", "bo"):
        with presence.listening("BCDFG", "bo"):
            clock.now += 900
        clock.now += 900
        assert presence.silence("BCDFG", "bo") == 0
    clock.now += 3
    assert presence.silence("BCDFG", "bo") == 3


def test_each_table_is_a_table_of_its_own(clock: Clock):
    presence = Presence(clock)
    clock.now += 60
    presence.seen("BCDFG", "bo")
    with presence.listening("CDFGH", "bo"):
        clock.now += 60
        assert [presence.silence(code, "bo") for code in ("BCDFG", "CDFGH", "DFGHJ")] == [60, 0, 120]


def test_of_too_many_phones_the_one_silent_longest_is_forgotten_and_nobody_gets_older_by_it(clock: Clock):
    presence = Presence(clock, most=2)
    for phone in ("ana", "bo", "ana", "cy"):
        clock.now += 60
        presence.seen("BCDFG", phone)
    assert presence.silence("BCDFG", "bo") == 120  # forgotten, and still known not to be silent for longer
    assert presence.silence("BCDFG", "never here") == 120
    assert presence.silence("BCDFG", "ana") == 60 and len(presence._heard) == 2


def test_many_threads_at_once_lose_nobody():
    presence = Presence()
    together = threading.Barrier(8)

    def come_and_go() -> None:
        together.wait()
        for _ in range(500):
            with presence.listening("BCDFG", "bo"):
                presence.seen("BCDFG", "bo")

    with presence.listening("BCDFG", "bo"):
        threads = [threading.Thread(target=come_and_go) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert presence._listening == {("BCDFG", "bo"): 1}


@pytest.fixture
def presence(two: Seated, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Presence:
    """The app's, with a clock of ours; nobody has been heard of for ten minutes."""
    presence = Presence(clock)
    monkeypatch.setattr(two.referee, "presence", presence)
    clock.minutes(10)
    return presence


ASKED = ["", "/now", "/seat/1", "/seat/1/now?have=3", "/seat/1/tell", "/seat/1/log", "/board", "/score"]


@pytest.mark.parametrize("path", ASKED)
def test_whatever_a_phone_asks_of_its_table_is_a_sign_of_it(two: Seated, presence: Presence, path: str):
    two.phone(1).get(two.path + path)
    assert presence.silence(two.code, two.phone(1).device) == 0
    assert presence.silence(two.code, two.phone(0).device) == 600


@pytest.mark.parametrize(
    ("what", "form"), [("play", {"move": "{}"}), ("step", {"take_back": "9"}), ("answer", {"proposal": "9"})]
)
def test_a_tap_is_a_sign_too_also_a_refused_one(two: Seated, presence: Presence, what: str, form: dict):
    two.tap(1, what, form)
    assert presence.silence(two.code, two.phone(1).device) == 0


def test_a_phone_that_listens_is_there_until_its_page_closes(two: Seated, presence: Presence, clock: Clock):
    device = two.phone(1).device
    with served(two.app) as here, here.connect() as page:
        cookie = two.phone(1).http.get_cookie("waymark").value
        page.sendall(f"GET {two.path}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: waymark={cookie}\r\n\r\n".encode())
        said(page, b"data: 3\n\n")
        clock.minutes(10)
        assert presence.silence(two.code, device) == 0
    assert not presence._listening
    clock.minutes(1)
    assert presence.silence(two.code, device) == 60


def test_phones_without_a_seat_are_not_remembered(two: Seated, presence: Presence, phone: Phone):
    phone.get(two.path)
    phone.get(f"{two.path}/live")
    assert not presence._heard and not presence._listening
