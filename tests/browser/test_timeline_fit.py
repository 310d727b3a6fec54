"""The timeline pages fit a phone in every game; all controls are named and can be tapped."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.games_with_mistakes import KNOCK_ON
from tests.browser.phone import Phone
from tests.browser.repair_taps import (
    approve_by_all,
    enter_move,
    find_question,
    follow_control,
    open_snapshot,
    open_table_with_mistake,
    request_repair,
    start_repair,
)
from tests.browser.test_pages_fit import page_faults_in_both_schemes
from tests.browser.trails_taps import open_reveal_page as tell_the_app
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

LONG_NAMES = ("Anastasia-Maria Papadopoulou-Smith", "Bo", "Wolfeschlegelsteinhausenbergerdorff")


def assert_page_fits(phone: Phone, heading: str = "") -> None:
    """Assert that the shown page fits in both color schemes, fully unfolded, and reload it."""
    if heading:
        expect(phone.find("h1")).to_have_text(heading)
    assert page_faults_in_both_schemes(phone) == [], phone.page.url
    phone.page.reload()


@pytest.mark.long("every page in a browser")
@parametrize_cases("name", KNOCK_ON)
def test_every_page_of_repair_fits_phone(name: str, server, new_phone):
    mistake = KNOCK_ON[name]
    table = open_table_with_mistake(server, new_phone, mistake, names=LONG_NAMES)
    asker, own = table.phones[mistake.asker], f"{table.path}/seat/{mistake.asker}"
    asker.submit_form(f"{own}/asks", consent="everybody")  # of a correction that concerns only own things, too
    table.wait_for_version(table.table.version)
    approve_by_all(table)
    (first, _), (later, _) = mistake.wrong_moves
    wrong = table.table.steps[first]
    asker.follow_link("/log#latest")
    assert_page_fits(asker, "Game log")
    asker.go(own)
    open_snapshot(asker, wrong.id)
    assert_page_fits(asker, re.compile("^As it was before move"))
    follow_control(asker, asker.link("Add a move before this"))
    assert_page_fits(asker, "What happened?")
    asker.go(own)
    start_repair(asker, wrong.id, "Rewind to here")
    assert_page_fits(asker, "After the fix")
    asker.go(own)
    start_repair(asker, wrong.id, "Enter another move")
    assert_page_fits(asker, "What happened?")
    enter_move(asker, table, *mistake.actual_log[first])
    assert_page_fits(asker, "A later move no longer works")
    enter_move(asker, table, *mistake.actual_log[later])
    assert_page_fits(asker, "After the fix")
    waiting_seats = request_repair(asker, table)
    assert_page_fits(asker)
    other = table.phones[waiting_seats[0]]
    expect(find_question(other).get_by_role("button", name="Agree")).to_have_count(1)
    assert_page_fits(other)
    follow_control(other, other.link("Preview"))
    assert_page_fits(other, "Preview")
    other.go(f"{table.path}/seat/{waiting_seats[0]}")
    approve_by_all(table)
    asker.go(own)
    expect(asker.find("section.repair-notices")).to_have_count(1)
    assert_page_fits(asker)
    follow_control(asker, asker.find("section.repair-notices a"))
    assert_page_fits(asker, "Correction")
    follow_control(asker, asker.find("main .log a").last)
    assert_page_fits(asker, re.compile("^Removed by"))
    for page in (own, f"{table.path}/board", table.path, f"{own}/log"):
        asker.go(page)
        assert_page_fits(asker)
    asker.go(own)
    tell_the_app(asker)
    assert_page_fits(asker, "Fix a mistake")
