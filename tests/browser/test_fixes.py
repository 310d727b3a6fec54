"""Refusals name their rule; corrections need the other players, house rulings need all."""

import re

import pytest
from playwright.sync_api import Locator, expect

from scoring.kernel.move import chosen_option
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.rules import CANTEEN_STAY, RULES
from tests.browser.phone import Phone
from tests.browser.repair_taps import request_repair as apply_repair
from tests.browser.repair_taps import start_repair
from tests.browser.seated_tables import SeatedTable
from tests.browser.trails_taps import open_card_names, open_reveal_page, tap_button

pytestmark = pytest.mark.browser


@pytest.mark.long("a rarer case in a browser")
def test_illegal_move_shows_reason_and_links_to_its_rule(table_of_two):
    ana, bo = table_of_two
    table_of_two.play(0, Hike(5, canteen=True))
    ana.wait_for_version(table_of_two.play(1, Hike(2)))
    refused = ana.unfold("refused-moves").locator("li.refused")
    expect(refused.filter(has_text="Your canteen is empty. Refill it at the Trailhead.")).to_have_count(1)
    too_far = refused.filter(has_text="Hike 2")
    expect(too_far).to_contain_text("You can\u2019t hike past Trail End. It is 1 tile ahead.")
    too_far.locator("a.cite").tap()
    ana.page.wait_for_url("**/rules/trails/hike-ends")
    expect(ana.find("h1")).to_have_text(RULES["hike-ends"].text)


def test_refused_tap_shows_visible_reason_with_link_to_rule(table_of_two):
    ana, bo = table_of_two
    arrive_at_trail_end(table_of_two)
    ana.expect_in_console("422")
    tap_button(ana, open_card_names(ana, "trail-end").locator('.pick[value="climber-acorn"]'))
    alert = ana.find("[role=alert]:not(#error-banner)")
    expect(alert).to_contain_text("You need 4 more acorns. Climber (acorn) costs 5 acorns.")
    expect(alert).to_be_in_viewport()
    alert.locator("a.cite").tap()
    ana.page.wait_for_url("**/rules/trails/earn-cost")
    expect(ana.find("h1")).to_have_text(RULES["earn-cost"].text)


def test_correction_is_confirmed_on_other_phone_and_logged(table_of_two):
    ana, bo = table_of_two
    request_correction(ana, 1, "Leaves", "plus 1", times=2)
    expect(bo.find(".proposal")).to_contain_text("Ana asks")
    expect(bo.find(".proposal")).to_contain_text("Bo\u2019s leaves 1 \u2192 3")
    bo.link("Preview").tap()
    expect(bo.find(".differences")).to_have_text(re.compile(r"You\s*leaves\s+1 \u2192 becomes\s+3"))
    expect(bo.find(".proposal")).to_contain_text("The players affected must agree.")
    assert table_of_two.table.state.players[1].cubes == (1, 1, 1)
    agree_on_other_phone(table_of_two)
    for phone in table_of_two:
        expect(phone.find(".log .entry", has_text="Ana corrected: Bo\u2019s leaves 1 \u2192 3")).to_have_count(1)
    expect(bo.find(".summary-value-cell:has(.icon-leaf) .num")).to_have_text("3")
    assert table_of_two.table.state.players[1].cubes == (1, 3, 1)


def test_own_things_are_fixed_without_asking_and_undone(table_of_two):
    ana, bo = table_of_two
    request_correction(ana, 0, "Leaves", "plus 1", times=2)
    table_of_two.wait_for_version(table_of_two.table.version)
    assert table_of_two.table.state.players[0].cubes == (1, 3, 1) and table_of_two.table.proposals == ()
    expect(bo.find("section.repair-notices")).to_contain_text("Ana corrected: leaves 1 \u2192 3.")
    for phone in table_of_two:
        expect(phone.find(".proposal")).to_have_count(0)
    start_repair(ana, table_of_two.table.steps[-1].id, "Remove this move")
    expect(ana.find("main")).to_contain_text("No one else has to agree. The others see one line about it.")
    assert apply_repair(ana, table_of_two) == ()
    assert table_of_two.table.state.players[0].cubes == (1, 1, 1)
    expect(bo.find("section.repair-notices")).to_contain_text("Ana undid: corrected: leaves 1 \u2192 3.")


@pytest.mark.long("a rarer case in a browser")
def test_corrections_of_several_players_and_table_make_one_question(table_of_two):
    ana, bo = table_of_two
    open_reveal_page(ana)
    tap_stepper(ana, 0, "Leaves", "plus 1")
    tap_stepper(ana, 1, "Rocks", "minus 1")
    ana.unfold("edit-2").locator('select[name="is.bear"]').select_option("leaf")
    open_fix_page(ana)
    expect(bo.find(".proposal")).to_have_count(1)
    bo.link("Preview").tap()
    for part in ("leaves 1 \u2192 becomes  2", "rocks 1 \u2192 becomes  0", "bear"):
        expect(bo.find(".differences")).to_contain_text(part)
    agree_on_other_phone(table_of_two)
    state = table_of_two.table.state
    assert [player.cubes for player in state.players] == [(1, 2, 1), (1, 1, 0)]
    assert (state.bear, state.sun) == ("leaf", 0)
    expect(ana.find("#trail")).to_have_attribute("aria-label", re.compile("The bear is at the leaf site"))


@pytest.mark.long("a rarer case in a browser")
def test_correction_approved_later_keeps_moves_played_meanwhile(table_of_two):
    ana, bo = table_of_two
    request_correction(ana, 1, "Leaves", "plus 1", times=2)
    table_of_two.play(0, Hike(1), Skip())
    agree_on_other_phone(table_of_two)
    state = table_of_two.table.state
    assert (state.players[0].space, state.players[1].cubes) == (1, (1, 3, 1))


def test_declined_correction_changes_nothing(table_of_two):
    ana, bo = table_of_two
    request_correction(ana, 1, "Rocks", "minus 1", times=1)
    bo.button("Decline", exact=True).tap()
    expect(ana.find(".log .entry", has_text="Ana asked: Bo\u2019s rocks 1 \u2192 0. Bo declined.")).to_have_count(1)
    assert table_of_two.table.state.players[1].cubes == (1, 1, 1)


@pytest.mark.long("a rarer case in a browser")
def test_correction_without_change_is_refused_with_reason(table_of_two):
    ana, bo = table_of_two
    ana.expect_in_console("422")
    open_reveal_page(ana)
    open_fix_page(ana)
    expect(ana.find("[role=alert]:not(#error-banner)")).to_contain_text("This changes nothing.")


@pytest.mark.long("a rarer case in a browser")
def test_house_ruling_changes_when_all_agree_and_moves_follow_it(table_of_two):
    ana, bo = table_of_two
    table_of_two.play(0, Hike(1), Skip())
    table_of_two.play(1, Hike(2))
    open_reveal_page(ana)
    interpretation = CANTEEN_STAY.options[1]
    ruling_section(ana, interpretation.text).tap()
    ana.page.wait_for_url("**/seat/0")
    expect(bo.find(".proposal")).to_contain_text(interpretation.text)
    agree_on_other_phone(table_of_two)
    assert chosen_option(table_of_two.table.state.rulings, CANTEEN_STAY) == interpretation.id
    table_of_two.play(0, Hike(0, canteen=True))
    open_reveal_page(ana)
    expect(ana.find("#rulings .on", has_text=interpretation.text)).to_have_count(1)


def agree_on_other_phone(table: SeatedTable) -> None:
    """Agree on Bo's phone, and wait until all phones show it."""
    before = table.table.version
    table.phones[1].button("Agree").tap()
    table.wait_for_version(before + 1)


def request_correction(phone: Phone, seat: int, field_name: str, direction: str, times: int) -> None:
    """Ask the table to correct how many of a thing a player has."""
    open_reveal_page(phone)
    tap_stepper(phone, seat, field_name, direction, times)
    open_fix_page(phone)
    phone.page.wait_for_url("**/seat/*")


def tap_stepper(phone: Phone, seat: int, field_name: str, direction: str, times: int = 1) -> None:
    """Tap a player's number of a thing up or down."""
    part = phone.unfold(f"edit-{seat}")
    field = part.locator(".field", has=phone.page.get_by_label(field_name, exact=True))
    for _ in range(times):
        field.get_by_role("button", name=direction).tap()


def open_fix_page(phone: Phone) -> None:
    phone.find("#right").get_by_role("button", name="Fix it").tap()


def ruling_section(phone: Phone, text: str) -> Locator:
    return phone.find("#rulings button", has_text=text)


def arrive_at_trail_end(table: SeatedTable) -> None:
    """Bring the first hiker to Trail End with one cube of each kind, before unnamed badges."""
    table.play(0, Hike(6, canteen=True), RollWildlife("photo", "photo"), Skip())
