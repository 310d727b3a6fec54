"""Before the first turn: sites, first player, house rulings; and what is refused."""

import re

import pytest
from playwright.sync_api import expect

from scoring.trails.box import FIRST_GAME_SITES
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.trail_setup import LaySite, LaySites
from scoring.trails.rules import CANTEEN_STAY
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import tap_button

pytestmark = pytest.mark.browser

SITES = ("rock", "photo", "leaf", "exchange", "acorn")
PLACES = ("next to the Trailhead", *(f"{number} from the Trailhead" for number in ("second", "third", "fourth")))


@pytest.fixture
def table_without_setup(server, new_phone) -> SeatedTable:
    """Provide a TRAILS table whose setup has not been entered."""
    return open_seated_table(server, new_phone, "Ana", "Bo", is_bare=True)


def place_site(phone: Phone, site: str, index: int) -> None:
    tap_button(phone, phone.find(f'#moves button[value*=\'"site":"{site}","place":{index}\']'))


def test_sites_are_placed_with_one_tap_each_on_any_phone_and_last_is_deduced(table_without_setup):
    for place, site in enumerate(SITES[:4], 1):
        phone = table_without_setup.phones[place % 2]
        expect(phone.find("h1")).to_contain_text(f"Which site is {PLACES[place - 1]}")
        expect(phone.find("#moves .move-key.site")).to_have_count(6 - place)
        before = table_without_setup.table.version
        place_site(phone, site, place)
        table_without_setup.wait_for_version(before + 1)
    state = table_without_setup.table.state
    assert (state.sites, state.bear) == (SITES, "leaf")
    text = re.compile(r"rock \(day\), photo \(day\), leaf \(day\)")
    expect(table_without_setup.phones[1].find("#trail")).to_have_attribute("aria-label", text)
    table_without_setup.wait_for_version(table_without_setup.play(0, Hike(1)))
    expect(table_without_setup.phones[1].find("h1")).to_contain_text("Your turn")


def test_first_game_setup_is_one_tap(table_without_setup):
    table_without_setup.wait_for_version(table_without_setup.play(1, LaySites(FIRST_GAME_SITES)))
    assert table_without_setup.table.state.sites == FIRST_GAME_SITES
    expect(table_without_setup.phones[0].find("h1")).to_contain_text("Hike 1 or 2 tiles")


@pytest.mark.long("a rarer case in a browser")
def test_second_of_two_simultaneous_site_taps_is_refused(table_without_setup):
    ana, bo = table_without_setup
    bo.expect_in_console("422")
    held = bo.hold_request("**/play", lambda: place_site(bo, "leaf", 1))
    ana.submit_move(table_without_setup.path, 0, LaySite("rock", 1))
    held.continue_()
    expect(bo.find("[role=alert]:not(#error-banner)")).to_contain_text("The first site has already been entered: rock")
    assert table_without_setup.table.state.sites_laid == 1


@pytest.mark.long("a rarer case in a browser")
def test_open_page_shows_own_seat_after_setup_changes(table_without_setup):
    ana, bo = table_without_setup
    ana.go(f"{table_without_setup.path}/setup")
    ana.page.get_by_role("group", name="Starting player").locator("label", has_text="Bo").tap()
    ana.button("Save the setup").tap()
    ana.page.wait_for_url(f"**{table_without_setup.path}")
    bo.page.wait_for_url(f"**{table_without_setup.path}")
    bo.follow_link("/seat/0")
    expect(bo.find("h1")).to_contain_text("Which site is next to the Trailhead?")
    expect(bo.page).to_have_title("Your turn · TRAILS")


def test_house_ruling_is_chosen_before_first_step(table_without_setup):
    ana, bo = table_without_setup
    ana.go(f"{table_without_setup.path}/setup")
    ana.unfold("house-rulings").locator("label", has_text=CANTEEN_STAY.options[1].text).tap()
    ana.button("Save the setup").tap()
    ana.page.wait_for_url(f"**{table_without_setup.path}")
    assert table_without_setup.table.state.rulings[CANTEEN_STAY.id] == CANTEEN_STAY.options[1].id


@pytest.mark.long("a rarer case in a browser")
def test_setup_is_closed_after_first_move(table_of_two):
    ana, bo = table_of_two
    table_of_two.play(0, Hike(1))
    ana.go(table_of_two.path)
    expect(ana.find('main a[href$="/setup"]')).to_have_count(0)
