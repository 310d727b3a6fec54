"""Before the first step: another order of the sites, another first player, house rulings; and what is refused."""

import re

import pytest
from playwright.sync_api import expect

from scoring.trails.hiking import Hike
from scoring.trails.rules import CANTEEN_STAY

pytestmark = pytest.mark.browser

SITES = ("rock", "photo", "leaf", "exchange", "acorn")


def test_the_sites_lie_in_another_order_and_another_player_starts(two):
    ana, bo = two
    ana.go(f"{two.path}/setup")
    for number, site in enumerate(SITES):
        ana.find(f'select[name="setup.sites.{number}"]').select_option(site)
    ana.page.get_by_role("group", name="First player").locator("label", has_text="Bo").tap()
    ana.button("Use this set-up").tap()
    ana.page.wait_for_url(f"**{two.path}")

    state = two.table.state
    assert state.sites == SITES
    assert [player.name for player in state.players] == ["Bo", "Ana"]
    assert state.bear == "leaf"
    ana.follow("/seat/1")
    bo.go(two.path)
    bo.follow("/seat/0")
    expect(bo.find("h1")).to_contain_text("Your turn")
    expect(bo.find("#trail")).to_have_attribute("aria-label", re.compile("rock by day, photo by day, leaf by day"))
    swapped = type(two)(two.server, two.code, (bo, ana))
    swapped.all_show(swapped.play(0, Hike(1)))
    expect(ana.find("h1")).to_contain_text("Your turn")


def test_a_page_open_while_the_set_up_changes_shows_its_own_seat_afterwards(two):
    ana, bo = two
    ana.go(f"{two.path}/setup")
    ana.page.get_by_role("group", name="First player").locator("label", has_text="Bo").tap()
    ana.button("Use this set-up").tap()
    ana.page.wait_for_url(f"**{two.path}")
    bo.page.wait_for_url(f"**{two.path}")
    bo.follow("/seat/0")
    expect(bo.find("h1")).to_contain_text("Your turn")


def test_a_site_laid_twice_is_refused_with_the_rule_and_what_was_typed_is_kept(two):
    ana, bo = two
    ana.expect_in_console("422")
    ana.go(f"{two.path}/setup")
    ana.find('select[name="setup.sites.0"]').select_option("leaf")
    ana.page.get_by_label("Name of player 1").fill("Anastasia")
    ana.button("Use this set-up").tap()
    expect(ana.page.get_by_role("alert")).to_contain_text("Each of the five sites lies on the Trail once")
    expect(ana.page.get_by_label("Name of player 1")).to_have_value("Anastasia")
    assert two.table.setup.players[0].name == "Ana"


def test_a_house_ruling_is_chosen_before_the_first_step(two):
    ana, bo = two
    ana.go(f"{two.path}/setup")
    ana.open("house-rulings").locator("label", has_text=CANTEEN_STAY.options[1].text).tap()
    ana.button("Use this set-up").tap()
    ana.page.wait_for_url(f"**{two.path}")
    assert two.table.state.rulings[CANTEEN_STAY.id] == CANTEEN_STAY.options[1].id


def test_the_set_up_is_closed_once_somebody_has_moved(two):
    ana, bo = two
    two.play(0, Hike(1))
    ana.go(two.path)
    expect(ana.find('main a[href$="/setup"]')).to_have_count(0)
