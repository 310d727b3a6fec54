"""Tests of live updates: every open page learns the new version, across processes."""

import asyncio
import functools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import request

from companion.service import live as live_module
from companion.service.live import LiveUpdates, StreamLimitError
from companion.service.referee import Referee
from companion.storage.database import DamagedDataError, DatabaseBusyError
from companion.storage.store import Store
from tests.support.log_builder import BO, HOST, LogBuilder
from tests.support.phones import Phone, SeatedTable

pytestmark = pytest.mark.slow("a server with real connections, which wait")

OPENING = LogBuilder("Ana", "Bo").log[0]


@pytest.fixture
def code(store: Store) -> str:
    return store.open_table(OPENING).code


@pytest.fixture
def live(store: Store, monkeypatch: pytest.MonkeyPatch) -> LiveUpdates:
    monkeypatch.setattr(live_module, "POLL_INTERVAL", 0.005)
    return LiveUpdates(store, 8)


class Listener:
    """A page that listens to live updates; its next update can be awaited."""

    def __init__(self, live: LiveUpdates, code: str, number: int):
        self.gone = asyncio.get_running_loop().create_future()
        self._news = live.listen(code, number, self.gone)

    async def next(self) -> int | None:
        return await asyncio.wait_for(anext(self._news), 10)

    async def rest(self) -> list[int | None]:
        return [new async for new in self._news]


def run_async(test: Callable) -> Callable:
    """Run an asynchronous test in a new thread, since a browser test's thread has an event loop."""

    @functools.wraps(test)
    def run(**fixtures: object) -> None:
        with ThreadPoolExecutor(1) as executor:
            executor.submit(asyncio.run, test(**fixtures)).result()

    return run


@run_async
async def test_listener_gets_the_current_version_and_every_newer_one(live: LiveUpdates, code: str):
    listener = Listener(live, code, 7)
    assert await listener.next() == 7
    live.announce(code, 8)
    assert await listener.next() == 8


@run_async
async def test_quick_versions_are_delivered_as_the_latest_one(live: LiveUpdates, code: str):
    listener = Listener(live, code, 1)
    await listener.next()
    for number in (2, 3, 4):
        live.announce(code, number)
    await asyncio.sleep(0)  # the loop gets all three before the page does
    assert await listener.next() == 4


@run_async
async def test_older_version_is_not_delivered(live: LiveUpdates, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_module, "HEARTBEAT", 0.001)
    listener = Listener(live, code, 5)
    await listener.next()
    live.announce(code, 4)
    live.announce(code, 5)
    assert await listener.next() is None


@run_async
async def test_announcement_wakes_only_the_pages_of_its_table(store: Store, live: LiveUpdates, code: str):
    listener, others = Listener(live, code, 1), [Listener(live, store.open_table(OPENING).code, 1) for _ in range(3)]
    for each in (listener, *others):
        await each.next()
    waiting = [asyncio.ensure_future(each.next()) for each in (listener, *others)]
    await asyncio.sleep(0)
    events = [event for topic in live._topics.values() for event in topic.listeners]
    live.announce(code, 2)
    live.announce("ZZZZZ", 9)
    await asyncio.sleep(0)
    assert [event.is_set() for event in events] == [True, False, False, False]
    assert await waiting[0] == 2
    for each in waiting[1:]:
        each.cancel()


@run_async
async def test_late_listener_gets_the_newest_known_version(live: LiveUpdates, code: str):
    early = Listener(live, code, 1)
    await early.next()
    live.announce(code, 9)
    await early.next()
    assert await Listener(live, code, 7).next() == 9


@run_async
async def test_heartbeat_is_sent_when_there_is_no_news(live: LiveUpdates, code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_module, "HEARTBEAT", 0.001)
    listener = Listener(live, code, 1)
    assert [await listener.next() for _ in range(3)] == [1, None, None]
    live.announce(code, 2)
    while (version := await listener.next()) is None:
        pass
    assert version == 2


@run_async
async def test_listener_is_woken_from_any_thread(live: LiveUpdates, code: str):
    listener = Listener(live, code, 1)
    await listener.next()
    waiting = asyncio.ensure_future(listener.next())
    await asyncio.sleep(0)
    await asyncio.to_thread(live.announce, code, 2)
    assert await waiting == 2


@run_async
async def test_stream_ends_when_the_phone_leaves_or_the_server_closes(live: LiveUpdates, code: str):
    left, remaining = Listener(live, code, 1), Listener(live, code, 1)
    assert await left.next() == await remaining.next() == 1
    left.gone.set_result(None)
    assert await asyncio.wait_for(left.rest(), 10) == []
    ending = asyncio.ensure_future(remaining.rest())
    await asyncio.sleep(0)
    live.close()
    assert await asyncio.wait_for(ending, 10) == []
    assert live._topics == {}


def test_slots_are_counted_and_released_once(store: Store):
    live = LiveUpdates(store, 2)
    first, second = live.reserve_slot("ana", "here"), live.reserve_slot("bo", "there")
    with pytest.raises(StreamLimitError):
        live.reserve_slot("cy", "elsewhere")
    first()
    first()
    third = live.reserve_slot("cy", "elsewhere")
    with pytest.raises(StreamLimitError):
        live.reserve_slot("di", "nowhere")
    for leave in (second, third):
        leave()
    assert live.listeners == 0 and not live._listener_counts


def test_one_phone_or_address_cannot_take_all_slots(store: Store):
    live = LiveUpdates(store, 40)
    for _ in range(live_module.MAX_STREAMS_PER_PHONE):
        live.reserve_slot("greedy", "here")
    with pytest.raises(StreamLimitError):
        live.reserve_slot("greedy", "there")
    for number in range(20 - live_module.MAX_STREAMS_PER_PHONE):
        live.reserve_slot(f"stranger {number}", "here")
    with pytest.raises(StreamLimitError):
        live.reserve_slot("one stranger more", "here")
    live.reserve_slot("ana", "home")


@pytest.fixture
def other_process_store(store: Store) -> Iterator[Referee]:
    """Yield a referee with a second store on the same file, like another process."""
    other = Store(store.path)
    yield Referee(other, LiveUpdates(other, 1))
    other.db.conn.close()


@run_async
async def test_change_by_another_process_is_delivered(live: LiveUpdates, code: str, other_process_store: Referee):
    listener = Listener(live, code, 1)
    assert await listener.next() == 1
    other_process_store.sit(other_process_store.store.table(code), BO, "tap", 1)
    assert await listener.next() == 2


@run_async
async def test_commit_is_noticed_while_other_threads_are_busy(
    live: LiveUpdates, code: str, other_process_store: Referee, store: Store, monkeypatch: pytest.MonkeyPatch
):
    poll_count, data_version = 0, store.data_version

    def counted() -> int:
        nonlocal poll_count
        poll_count += 1
        return data_version()

    monkeypatch.setattr(store, "data_version", counted)
    listener, held = Listener(live, code, 1), threading.Event()
    assert await listener.next() == 1
    while poll_count < 2:
        await asyncio.sleep(0)
    busy = asyncio.ensure_future(asyncio.to_thread(held.wait, 10))
    await asyncio.sleep(0)
    try:
        other_process_store.sit(other_process_store.store.table(code), BO, "tap", 1)
        assert await listener.next() == 2
    finally:
        held.set()
        await busy


@run_async
async def test_change_since_the_page_was_rendered_is_delivered_immediately(
    live: LiveUpdates, code: str, other_process_store: Referee
):
    other_process_store.sit(other_process_store.store.table(code), BO, "tap", 1)
    assert await Listener(live, code, 1).next() == 2


@run_async
async def test_temporary_read_error_does_not_end_a_stream(store, live, code, other_process_store, monkeypatch):
    listener = Listener(live, code, 1)
    assert await listener.next() == 1
    data_version, errors = store.data_version, iter([DatabaseBusyError("held"), DamagedDataError("torn")])

    def faulty() -> int:
        for error in errors:
            raise error
        return data_version()

    monkeypatch.setattr(store, "data_version", faulty)
    other_process_store.sit(other_process_store.store.table(code), BO, "tap", 1)
    assert await listener.next() == 2


@run_async
async def test_version_is_announced_when_it_is_committed(code: str, store: Store):
    live = LiveUpdates(store, 1)
    listener = Listener(live, code, 1)
    await listener.next()
    await asyncio.to_thread(Referee(store, live).sit, store.table(code), HOST, "tap", 0)
    assert await listener.next() == 2 == store.latest_version(code)


# The stream as phones get it: see also test_server.


def test_live_view_names_its_listener_and_needs_an_existing_table(table_of_two: SeatedTable, phone: Phone):
    with table_of_two.phone(1).http as http:
        answer = http.get(f"{table_of_two.path}/live", headers={"Accept-Encoding": "gzip"})
        listens = request.environ["waymark.listens"]
    assert answer.mimetype == "text/event-stream" and "Content-Encoding" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-cache" and answer.headers["X-Accel-Buffering"] == "no"
    assert (listens.code, listens.version, listens.device) == (table_of_two.code, 3, table_of_two.phone(1).device)
    assert phone.get("/t/BCDFG/live").status_code == 404
