"""The helpers of `make hand`: first moves of every title on one phone, counting of touches."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.browser_servers import InProcessServer
from tests.support import count_touches
from tests.support.touch_counter import read_touches

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def in_process_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    server = InProcessServer(tmp_path_factory.mktemp("instance") / "small", 8)
    yield server
    server.close()


@pytest.fixture
def new_phone_of(browser: Browser, in_process_server: InProcessServer) -> Iterator[Callable]:
    taken = []

    def one():
        taken.append(count_touches.new_counting_phone(browser, in_process_server))
        return taken[-1]

    yield one
    for phone in taken:
        phone.close()


@pytest.mark.parametrize("title", count_touches.TITLES)
def test_first_moves_of_title_are_played_by_thumb(title, new_phone_of, in_process_server):
    found = count_touches.play_game(in_process_server, new_phone_of(), title, 2, max_moves=6)
    assert found.decisions == 6 and found.touch_count >= found.units
    assert not found.not_found


def test_touches_unfolding_and_scrolling_are_counted(new_phone_of, in_process_server):
    phone = new_phone_of()
    table = count_touches.open_seated_table(in_process_server, phone, count_touches.TITLES["trails"], 2)
    phone.go(f"/t/{table.code}/seat/0")
    phone.find("#fragment-actions button[name=move]").first.tap()
    phone.wait_for_version(table.version + 1)
    assert (read_touches(phone).taps, read_touches(phone).pans) == (1, 0)
    phone.unfold("menu")
    phone.unfold("menu")  # The menu is open.
    assert read_touches(phone).taps == 2
    phone.find("#menu > summary").tap()
    phone.find("#fragment-log a").last.tap()
    phone.page.wait_for_url("**/log/*")
    assert (read_touches(phone).taps, read_touches(phone).pans) == (4, 1)
