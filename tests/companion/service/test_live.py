""" "Version N is out": heard by every open page, across processes, and nothing else travels there."""

import asyncio
import functools
import threading
from collections.abc import Callable, Iterator

import pytest
from flask import request

from companion.service import live as hub
from companion.service.live import Full, Live
from companion.service.referee import Referee
from companion.storage.store import Busy, Damaged, Store
from tests.support.log_builder import BO, HOST, Told
from tests.support.phones import Phone, Seated

pytestmark = pytest.mark.slow("a server with real connections, which wait")

OPENING = Told("Ana", "Bo").log[0]


@pytest.fixture
def code(store: Store) -> str:
    return store.open(OPENING).code


@pytest.fixture
def live(store: Store, monkeypatch: pytest.MonkeyPatch) -> Live:
    monkeypatch.setattr(hub, "WATCH", 0.005)
    return Live(store, 8)


class Ear:
    """A page that listens; what it hears next is awaited."""

    def __init__(self, live: Live, code: str, number: int):
        self.gone = asyncio.get_running_loop().create_future()
        self._news = live.listen(code, number, self.gone)

    async def next(self) -> int | None:
        return await asyncio.wait_for(anext(self._news), 10)

    async def rest(self) -> list[int | None]:
        return [each async for each in self._news]


def together(test: Callable) -> Callable:
    """Run a test that awaits, in a loop of its own."""

    @functools.wraps(test)
    def run(**fixtures: object) -> None:
        asyncio.run(test(**fixtures))

    return run


@together
async def test_a_listener_hears_the_version_there_is_and_then_every_newer_one(live: Live, code: str):
    ear = Ear(live, code, 7)
    assert await ear.next() == 7
    live.announce(code, 8)
    assert await ear.next() == 8


@together
async def test_versions_that_come_quickly_are_heard_as_the_last_of_them(live: Live, code: str):
    ear = Ear(live, code, 1)
    await ear.next()
    for number in (2, 3, 4):
        live.announce(code, number)
    await asyncio.sleep(0)  # the loop hears all three before the page does
    assert await ear.next() == 4


@together
async def test_an_older_version_is_not_heard(live: Live, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "HEARTBEAT", 0.001)
    ear = Ear(live, code, 5)
    await ear.next()
    live.announce(code, 4)
    live.announce(code, 5)
    assert await ear.next() is None


@together
async def test_an_announcement_wakes_the_pages_of_its_own_table_and_nobody_else(store: Store, live: Live, code: str):
    ear, others = Ear(live, code, 1), [Ear(live, store.open(OPENING).code, 1) for _ in range(3)]
    for each in (ear, *others):
        await each.next()
    waiting = [asyncio.ensure_future(each.next()) for each in (ear, *others)]
    await asyncio.sleep(0)
    woken = [news for room in live._rooms.values() for news in room.listeners]
    live.announce(code, 2)
    live.announce("ZZZZZ", 9)
    await asyncio.sleep(0)
    assert [news.is_set() for news in woken] == [True, False, False, False]
    assert await waiting[0] == 2
    for each in waiting[1:]:
        each.cancel()


@together
async def test_who_connects_late_hears_the_newest_version_known(live: Live, code: str):
    early = Ear(live, code, 1)
    await early.next()
    live.announce(code, 9)
    await early.next()
    assert await Ear(live, code, 7).next() == 9


@together
async def test_a_heartbeat_comes_when_there_is_no_news(live: Live, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "HEARTBEAT", 0.001)
    ear = Ear(live, code, 1)
    assert [await ear.next() for _ in range(3)] == [1, None, None]
    live.announce(code, 2)
    while (heard := await ear.next()) is None:
        pass
    assert heard == 2


@together
async def test_a_listener_is_woken_from_any_thread(live: Live, code: str):
    ear = Ear(live, code, 1)
    await ear.next()
    waiting = asyncio.ensure_future(ear.next())
    await asyncio.sleep(0)
    await asyncio.to_thread(live.announce, code, 2)
    assert await waiting == 2


@together
async def test_it_ends_for_a_phone_that_has_gone_and_when_the_server_closes(live: Live, code: str):
    left, stays = Ear(live, code, 1), Ear(live, code, 1)
    assert await left.next() == await stays.next() == 1
    left.gone.set_result(None)
    assert await asyncio.wait_for(left.rest(), 10) == []
    ending = asyncio.ensure_future(stays.rest())
    await asyncio.sleep(0)
    live.close()
    assert await asyncio.wait_for(ending, 10) == []
    assert live._rooms == {}


def test_places_are_counted_and_given_back_once(store: Store):
    live = Live(store, 2)
    first, second = live.join("ana", "here"), live.join("bo", "there")
    with pytest.raises(Full):
        live.join("cy", "elsewhere")
    first()
    first()
    third = live.join("cy", "elsewhere")
    with pytest.raises(Full):
        live.join("di", "nowhere")
    for leave in (second, third):
        leave()
    assert live.listeners == 0 and not live._taken


def test_one_phone_and_one_address_leave_places_for_the_others(store: Store):
    live = Live(store, 40)
    for _ in range(hub.OF_ONE_PHONE):
        live.join("greedy", "here")
    with pytest.raises(Full):
        live.join("greedy", "there")
    for number in range(20 - hub.OF_ONE_PHONE):
        live.join(f"stranger {number}", "here")
    with pytest.raises(Full):
        live.join("one stranger more", "here")
    live.join("ana", "home")


@pytest.fixture
def other(store: Store) -> Iterator[Referee]:
    """Another process on the same file."""
    other = Store(store.path)
    yield Referee(other, Live(other, 1))
    other.db.conn.close()


@together
async def test_what_another_process_has_written_is_heard(live: Live, code: str, other: Referee):
    ear = Ear(live, code, 1)
    assert await ear.next() == 1
    other.sit(code, BO, "tap", 1)
    assert await ear.next() == 2


@together
async def test_a_commit_is_noticed_whichever_thread_is_free(
    live: Live, code: str, other: Referee, store: Store, monkeypatch: pytest.MonkeyPatch
):
    looks, look = 0, store.data_version

    def counted() -> int:
        nonlocal looks
        looks += 1
        return look()

    monkeypatch.setattr(store, "data_version", counted)
    ear, held = Ear(live, code, 1), threading.Event()
    assert await ear.next() == 1
    while looks < 2:
        await asyncio.sleep(0)
    busy = asyncio.ensure_future(asyncio.to_thread(held.wait, 10))
    await asyncio.sleep(0)
    try:
        other.sit(code, BO, "tap", 1)
        assert await ear.next() == 2
    finally:
        held.set()
        await busy


@together
async def test_what_another_process_wrote_since_the_page_was_drawn_is_heard_at_once(
    live: Live, code: str, other: Referee
):
    other.sit(code, BO, "tap", 1)
    assert await Ear(live, code, 1).next() == 2


@together
async def test_a_file_that_cannot_be_read_for_a_while_costs_no_stream(store, live, code, other, monkeypatch):
    ear = Ear(live, code, 1)
    assert await ear.next() == 1
    look, faults = store.data_version, iter([Busy("held"), Damaged("torn")])

    def faulty() -> int:
        for fault in faults:
            raise fault
        return look()

    monkeypatch.setattr(store, "data_version", faulty)
    other.sit(code, BO, "tap", 1)
    assert await ear.next() == 2


@together
async def test_a_version_is_announced_when_it_is_committed(code: str, store: Store):
    live = Live(store, 1)
    ear = Ear(live, code, 1)
    await ear.next()
    await asyncio.to_thread(Referee(store, live).sit, code, HOST, "tap", 0)
    assert await ear.next() == 2 == store.newest(code)


# The stream as phones get it: see also test_server.


def test_who_listens_is_said_by_the_view_and_the_table_must_be_there(two: Seated, phone: Phone):
    with two.phone(1).http as http:
        answer = http.get(f"{two.path}/live", headers={"Accept-Encoding": "gzip"})
        listens = request.environ["waymark.listens"]
    assert answer.mimetype == "text/event-stream" and "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-cache" and answer.headers["X-Accel-Buffering"] == "no"
    assert (listens.code, listens.version, listens.device) == (two.code, 3, two.phone(1).device)
    assert phone.get("/t/BCDFG/live").status_code == 404
