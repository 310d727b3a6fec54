"""What `make hand` counts with: the first moves of every title on one phone, and that a finger is counted as one."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.serving import SmallServer
from tests.support import thumb
from tests.support.touches import touches

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallServer]:
    server = SmallServer(tmp_path_factory.mktemp("instance") / "small", 8)
    yield server
    server.close()


@pytest.fixture
def take(browser: Browser, served: SmallServer) -> Iterator[Callable]:
    taken = []

    def one():
        taken.append(thumb.taken(browser, served))
        return taken[-1]

    yield one
    for phone in taken:
        phone.throw_away()


@pytest.mark.parametrize("title", thumb.TITLES)
def test_the_first_moves_of_a_title_are_made_by_hand(title, take, served):
    found = thumb.play(served, take(), title, 2, most=6)
    assert found.decisions == 6 and found.touched >= found.units
    assert not found.not_found


def test_a_touch_is_counted_and_so_is_what_is_unfolded_and_scrolled(take, served):
    phone = take()
    table = thumb.seated(served, phone, "trails", thumb.TITLES["trails"].setup("trails", 2))
    phone.go(f"/t/{table.code}/seat/0")
    phone.find("#p-sheet button[name=move]").first.tap()
    phone.shows(table.number + 1)
    assert (touches(phone).taps, touches(phone).pans) == (1, 0)
    phone.open("menu")
    phone.open("menu")  # is open
    assert touches(phone).taps == 2
    phone.find("#menu > summary").tap()
    phone.find("#p-log a").last.tap()
    phone.page.wait_for_url("**/log/*")
    assert (touches(phone).taps, touches(phone).pans) == (4, 1)
