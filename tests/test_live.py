""" "Version N is out": heard by every open page, across processes, and nothing else travels there."""

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
import waitress
from flask import Flask
from waitress import wasyncore

from companion import __main__ as commands
from companion import live as hub
from companion.live import Full, Live
from companion.referee import Referee
from companion.store import Store
from scoring.trails.hiking import Hike
from scoring.trails.telling import NoteHand
from tests.phones import Phone, Seated
from tests.told_table import BO, HOST, Told

OPENING = Told("Ana", "Bo").log[0]


@pytest.fixture
def code(store: Store) -> str:
    return store.open(OPENING).code


@pytest.fixture
def live(store: Store, monkeypatch: pytest.MonkeyPatch) -> Live:
    monkeypatch.setattr(hub, "WATCH", 0.005)
    return Live(store, 2)


def test_a_listener_hears_the_version_there_is_and_then_every_newer_one(live: Live, code: str):
    news = live.listen(code, 7)
    assert next(news) == 7
    live.announce(code, 8)
    assert next(news) == 8


def test_versions_that_come_quickly_are_heard_as_the_last_of_them(live: Live, code: str):
    news = live.listen(code, 1)
    next(news)
    for number in (2, 3, 4):
        live.announce(code, number)
    assert next(news) == 4


def test_an_older_version_and_another_tables_are_not_heard(live: Live, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "HEARTBEAT", 0.001)
    news = live.listen(code, 5)
    next(news)
    live.announce(code, 4)
    live.announce(code, 5)
    live.announce("ZZZZZ", 9)
    assert next(news) is None


def test_who_connects_late_hears_the_newest_version_known(live: Live, code: str):
    live.announce(code, 9)
    assert next(live.listen(code, 7)) == 9


def test_a_heartbeat_comes_when_there_is_no_news(live: Live, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "HEARTBEAT", 0.001)
    news = live.listen(code, 1)
    assert [next(news) for _ in range(3)] == [1, None, None]
    live.announce(code, 2)
    assert [next(news) for _ in range(2)] == [2, None]


def test_a_waiting_listener_is_woken(live: Live, code: str):
    news, heard = live.listen(code, 1), []
    next(news)
    listener = threading.Thread(target=lambda: heard.append(next(news)))
    listener.start()
    live.announce(code, 2)
    listener.join(10)
    assert heard == [2]


def test_it_ends_for_a_phone_that_has_gone(live: Live, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "GLANCE", 0.001)
    there = iter([True, True, False])
    assert list(live.listen(code, 1, gone=lambda: not next(there))) == [1]


def test_places_are_counted_and_given_back_once(live: Live):
    first, second = live.join(), live.join()
    with pytest.raises(Full):
        live.join()
    first()
    first()
    third = live.join()
    with pytest.raises(Full):
        live.join()
    for leave in (second, third):
        leave()
    assert live._listeners == 0


@pytest.fixture
def other(store: Store) -> Iterator[Referee]:
    """Another process on the same file."""
    other = Store(store.path)
    yield Referee(other, Live(other, 1))
    other.db.conn.close()


def test_what_another_process_has_written_is_heard(live: Live, code: str, other: Referee):
    leave = live.join()
    news = live.listen(code, 1)
    assert next(news) == 1
    other.sit(code, BO, "tap", 1)
    assert next(news) == 2
    leave()


def test_what_another_process_wrote_since_the_page_was_drawn_is_heard_at_once(live: Live, code: str, other: Referee):
    other.sit(code, BO, "tap", 1)
    assert next(live.listen(code, 1)) == 2


def test_what_another_process_wrote_before_the_watch_began_is_heard_too(live: Live, code: str, other: Referee):
    news = live.listen(code, 1)
    assert next(news) == 1
    other.sit(code, BO, "tap", 1)
    leave = live.join()
    assert next(news) == 2
    leave()


def test_a_version_is_announced_when_it_is_committed(code: str, store: Store):
    live = Live(store, 1)
    news = live.listen(code, 1)
    next(news)
    Referee(store, live).sit(code, HOST, "tap", 0)
    assert next(news) == 2 == store.newest(code)


# The stream as phones get it.


@pytest.fixture(autouse=True)
def own_places(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every test start with all places free, and nobody watch for it afterwards."""
    referee = app.extensions["waymark"]
    live = Live(referee.store, app.config["LISTENERS"])
    monkeypatch.setattr(referee, "live", live)
    yield
    live._listeners = 0


def chunks(two: Seated, seat: int = 0) -> Iterator[str]:
    answer = two.phone(seat).get(f"{two.path}/live")
    assert answer.status_code == 200 and answer.mimetype == "text/event-stream"
    return (chunk if isinstance(chunk, str) else chunk.decode() for chunk in answer.response)


def test_the_stream_says_which_version_is_out_and_nothing_else(two: Seated, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "HEARTBEAT", 0.001)
    heard = chunks(two, seat=1)
    assert next(heard) == "event: version\ndata: 3\n\n"
    two.say(0, NoteHand("climber-rock"))
    assert next(heard) == "event: version\ndata: 4\n\n"
    assert next(heard) == ": still here\n\n"
    two.say(0, Hike(2))
    assert next(heard) == "event: version\ndata: 5\n\n"


def test_the_stream_is_not_kept_nor_held_up_on_its_way(two: Seated):
    answer = two.phone(0).http.get(f"{two.path}/live", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "no-cache" and answer.headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in answer.headers
    answer.close()


def test_the_stream_of_a_table_that_is_not_there_is_not_there(phone: Phone):
    assert phone.get("/t/BCDFG/live").status_code == 404


def places(two: Seated) -> int:
    return two.referee.live._listeners


def test_when_every_place_is_taken_the_page_is_told_to_ask_later(two: Seated, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(two.referee.live, "_most", 2)
    streams = [two.phone(seat).get(f"{two.path}/live") for seat in (0, 1)]
    full = two.phone(0).get(f"{two.path}/live")
    assert full.status_code == 503 and int(full.headers["Retry-After"]) > 0
    streams[0].close()
    assert two.phone(0).get(f"{two.path}/live").status_code == 200
    assert places(two) == 2


LEAVING = {
    "after a while": lambda answer: (next(iter(answer.response)), answer.close()),
    "before the first byte": lambda answer: answer.close(),
    "twice": lambda answer: (answer.close(), answer.close()),
}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=list(LEAVING))
def test_the_place_of_a_phone_that_leaves_is_free_again(two: Seated, leave):
    answer = two.phone(0).http.get(f"{two.path}/live", buffered=False)
    assert places(two) == 1
    leave(answer)
    assert places(two) == 0


def test_asking_for_the_head_of_the_stream_takes_no_place(two: Seated):
    two.phone(0).http.head(f"{two.path}/live").close()
    assert places(two) == 0


@pytest.fixture
def served(two: Seated) -> Iterator[int]:
    """The port of the app behind the server of `waymark serve`."""
    server = commands._listen(waitress, two.app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server.effective_port
    server.trigger.pull_trigger(lambda: wasyncore.close_all(server._map))
    thread.join()
    two.referee.live.announce(two.code, 99)  # whoever still listens writes, and sees that nobody reads
    server.task_dispatcher.shutdown()


def test_while_twelve_phones_listen_the_table_still_answers(two: Seated, served: int):
    with ExitStack() as open_pages:

        def ask(path: str) -> http.client.HTTPResponse:
            connection = open_pages.enter_context(closing(http.client.HTTPConnection("127.0.0.1", served, timeout=20)))
            connection.request("GET", path)
            return open_pages.enter_context(connection.getresponse())

        streams = [ask(f"{two.path}/live") for _ in range(12)]
        assert {b"".join(stream.readline() for _ in range(3)) for stream in streams} == {b"event: version\ndata: 3\n\n"}
        assert ask(f"{two.path}/board").status == 200
        two.say(0, Hike(2))
        assert {b"".join(stream.readline() for _ in range(3)) for stream in streams} == {b"event: version\ndata: 4\n\n"}


def test_the_place_of_a_phone_that_has_hung_up_is_free_before_the_next_heartbeat(
    two: Seated, served: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hub, "GLANCE", 0.01)
    with closing(http.client.HTTPConnection("127.0.0.1", served, timeout=20)) as phone:
        phone.request("GET", f"{two.path}/live")
        with phone.getresponse() as stream:
            assert stream.readline() and places(two) == 1
    until = time.monotonic() + hub.HEARTBEAT / 2
    while places(two) and time.monotonic() < until:
        time.sleep(0.01)
    assert places(two) == 0


def test_there_are_more_threads_than_listeners(app: Flask):
    assert commands.SERVER["threads"] >= app.config["LISTENERS"] + 8
