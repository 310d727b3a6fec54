"""Preferences of a phone or its owner: dark mode, reduced motion, keyboard."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from scoring.trails.moves.hiking import Exchange, Hike
from tests.browser.parks_taps import open_table_with_trail
from tests.browser.phone import Phone
from tests.browser.repair_taps import approve_by_all, enter_move, follow_control, log_line, request_repair
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import find_control

pytestmark = pytest.mark.browser

BACKGROUND_SCRIPT = "getComputedStyle(document.body).backgroundColor"
TEXT_COLOR_SCRIPT = "getComputedStyle(document.body).color"
MOVING_PARTS_SCRIPT = """() => [...document.querySelectorAll("body, body *")].filter((part) => {
  const style = getComputedStyle(part);
  return parseFloat(style.transitionDuration) > 0 || parseFloat(style.animationDuration) > 0;
}).length"""
HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((each) => each.checkVisibility())
  .map((each) => Number(each.localName[1]))"""
MAX_TABS = 40  # tab presses at most to reach anything on a page


def lightness(colour: str) -> float:
    """Return the lightness of a CSS color, from 0 to 255."""
    return sum(float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")) / 3


def test_dark_mode_phone_gets_dark_pages(server, new_phone):
    light, dark = (new_phone(scheme, color_scheme=scheme) for scheme in ("light", "dark"))
    for phone in (light, dark):
        code = phone.submit_form("/new/trails", **{"names-0": "Ana", "names-1": "Bo"})
        for page in (
            "/",
            "/rules/trails",
            code,
            phone.submit_form(f"{code}/sit", seat="0"),
            f"{code}/board",
            f"{code}/score",
        ):
            phone.go(page)
            ground, ink = (lightness(phone.page.evaluate(colour)) for colour in (BACKGROUND_SCRIPT, TEXT_COLOR_SCRIPT))
            assert (ground > 180 and ink < 80) if phone is light else (ground < 80 and ink > 180), page


def repair_pages(table: SeatedTable) -> Iterator[str]:
    """Repair Ana's hike on Bo's phone; yield the name of each page it shows."""
    ana, bo = table
    step = str(table.play(0, Hike(2)))
    bo.submit_move(table.path, 1, Hike(2))
    bo.wait_for_version(table.table.version)
    bo.follow_link("/log#latest")
    yield "game log"
    follow_control(bo, log_line(bo, step))
    yield "snapshot"
    follow_control(bo, bo.link("Enter another move"))
    yield "what happened"
    enter_move(bo, table, 0, Hike(1))
    yield "blocked move"  # Ana's turn continues with an exchange.
    enter_move(bo, table, 0, Exchange("acorn", "leaf"))
    yield "after the fix"
    assert request_repair(bo, table) == (0,)
    yield "request"
    follow_control(bo, bo.find("section.proposal > a"))
    yield "preview"
    follow_control(bo, bo.link("Back to Bo"))
    approve_by_all(table)
    follow_control(bo, bo.find("section.repair-notices a"))
    yield "correction"


@pytest.mark.long("a rarer case in a browser")
def test_timeline_pages_follow_dark_mode_and_reduced_motion(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", color_scheme="dark", reduced_motion="reduce")
    bo = table.phones[1]
    for page in repair_pages(table):
        ground, ink = (lightness(bo.page.evaluate(colour)) for colour in (BACKGROUND_SCRIPT, TEXT_COLOR_SCRIPT))
        assert ground < 80 and ink > 180, page
        assert bo.page.evaluate(MOVING_PARTS_SCRIPT) == 0, page


@pytest.mark.long("every page in a browser")
def test_timeline_pages_are_read_aloud_in_order(table_of_two):
    """One main heading is first, no level is skipped, and visual marks are also in words."""
    bo = table_of_two.phones[1]
    for page in repair_pages(table_of_two):
        levels = bo.page.evaluate(HEADINGS)
        assert levels[0] == 1 and levels.count(1) == 1, page
        assert all(after <= before + 1 for before, after in pairwise(levels)), f"{page}: {levels}"
        snapshot = bo.find("main").aria_snapshot()
        if page in ("snapshot", "after the fix", "preview", "correction"):
            assert "becomes" in snapshot, page
        if page == "what happened":
            assert re.search(r'link "Ana.*to move"', snapshot)


@pytest.mark.long("a rarer case in a browser")
def test_repair_is_made_with_keyboard_alone(table_of_two):
    ana, bo = table_of_two
    table_of_two.play(0, Hike(2))
    table_of_two.play(1, Hike(2))

    def enter(wanted: Locator) -> None:
        tab_to(ana, wanted)
        with ana.page.expect_navigation():
            ana.page.keyboard.press("Enter")

    ana.wait_for_version(table_of_two.table.version)
    enter(ana.find(".log .entry a", has_text="Bo hiked 2"))
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.find(".step-details")).to_contain_text("Ana hiked 2")
    ana.page.keyboard.press("ArrowRight")
    expect(ana.find(".step-details")).to_contain_text("Bo hiked 2")
    enter(ana.link("Enter another move"))
    enter(ana.button(re.compile("^1 tile: ")))
    enter(ana.button("Ask Bo"))
    version = table_of_two.table.version
    bo.wait_for_version(version)
    tab_to(bo, bo.button("Agree"))
    bo.page.keyboard.press("Enter")
    table_of_two.wait_for_version(version + 1)
    assert [player.space for player in table_of_two.table.state.players] == [2, 1]


def test_reduced_motion_phone_has_no_moving_parts(server, new_phone):
    lively, still = (
        open_seated_table(server, new_phone, "Ana", "Bo", reduced_motion=motion).phones[0]
        for motion in ("no-preference", "reduce")
    )
    assert lively.page.evaluate(MOVING_PARTS_SCRIPT) > 0
    assert still.page.evaluate(MOVING_PARTS_SCRIPT) == 0


def test_turn_is_played_with_keyboard_alone(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    far = find_control(ana, table_of_two.table.state, 0, Hike(5, canteen=True))
    tab_to(ana, far)
    ana.page.keyboard.press("Enter")
    table_of_two.wait_for_version(before + 1)
    assert table_of_two.table.state.players[0].space == 5
    for played, move in enumerate((Hike(1), Exchange("acorn", "leaf")), 2):
        tab_to(bo, find_control(bo, table_of_two.table.state, 1, move))
        bo.page.keyboard.press("Enter")
        table_of_two.wait_for_version(before + played)
    expect(ana.find("h1")).to_contain_text("Your turn")


def test_first_tab_skips_the_page_header(table_of_two):
    ana, bo = table_of_two
    ana.page.keyboard.press("Tab")
    skip = ana.link("Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ana.page.keyboard.press("Enter")
    ana.page.keyboard.press("Tab")
    expect(ana.find("main :focus")).to_have_count(1)


@pytest.mark.long("a rarer case in a browser")
def test_focused_control_is_marked(table_of_two):
    ana, bo = table_of_two
    hike = find_control(ana, table_of_two.table.state, 0, Hike(2))
    tab_to(ana, hike)
    assert hike.evaluate("button => parseFloat(getComputedStyle(button).outlineWidth)") >= 2


def test_focus_leaves_element_hidden_by_a_choice(table_of_two):
    phone = table_of_two.phones[1]
    phone.find("#fragment-picture a.plate.unknown").first.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.find(".full-screen")).to_be_visible()  # It replaces the picture.
    expect(phone.find("#fragment-actions")).to_be_focused()
    assert_keeps_focus(phone)


@pytest.mark.long("a rarer case in a browser")
def test_letter_moves_focus_to_its_names_and_back(server, new_phone):
    table = open_table_with_trail(server, new_phone, "Ana", "Bo")
    phone = table.phones[0]
    phone.go(f"{table.path}/seat/0/tell")
    letters = phone.unfold("name-park").locator(".letter-picker").first
    letters.get_by_role("radio", name="G").focus()
    phone.page.keyboard.press("Space")
    expect(letters.locator(".card-options button").filter(visible=True).first).to_be_focused()
    assert_keeps_focus(phone)
    letters.get_by_role("radio", name="Back").focus()
    phone.page.keyboard.press("Space")
    expect(letters.get_by_role("radio").first).to_be_focused()
    assert_keeps_focus(phone)


def assert_keeps_focus(phone: Phone) -> None:
    """Assert that the focused element is still visible after more frames are drawn.

    A browser takes the focus from an element that gets hidden.
    """
    phone.wait_for_frames(12)
    assert phone.page.evaluate("document.activeElement.checkVisibility() && document.activeElement !== document.body")


def tab_to(phone: Phone, target: Locator) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(MAX_TABS):
        phone.page.keyboard.press("Tab")
        if target.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError(f"{MAX_TABS} tabs do not lead to {target}")
