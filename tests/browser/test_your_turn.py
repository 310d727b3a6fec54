"""Test with a browser that a phone tells its player about a turn that another player caused."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.trails.moves.hiking import Exchange, Hike, Skip
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_live import SET_HIDDEN_SCRIPT

pytestmark = pytest.mark.browser

# Stubs that record what the page does with the motor and the loudspeaker of a phone. `audioRule` is what the browser
# does when the page wants to play.
STUBS = """
window.vibrations = [];
window.chimes = [];
window.audioRule = "plays";
Object.defineProperty(navigator, "vibrate", { configurable: true, value: (pattern) => vibrations.push(pattern) });
window.audioAnswers = {
  plays: () => Promise.resolve(),
  waits: () => new Promise(() => {}),
  refuses: () => Promise.reject(new Error("no")),
};
window.AudioContext = class {
  currentTime = 0;
  destination = {};
  resume() { return audioAnswers[audioRule](); }
  suspend() { window.isSuspended = true; }
  createOscillator() {
    return {
      frequency: {},
      connect: (next) => next,
      start() { window.isSuspended = false; },
      stop() { setTimeout(() => this.onended()); },
    };
  }
  createGain() {
    const linearRampToValueAtTime = (value) => value && chimes.push(value);
    return { connect: (next) => next, gain: { setValueAtTime() {}, linearRampToValueAtTime, setTargetAtTime() {} } };
  }
};
"""
FEATURELESS = """
delete Navigator.prototype.vibrate;
delete Navigator.prototype.userActivation;
delete window.AudioContext;
Object.defineProperty(window, "localStorage", {
  configurable: true,
  get() { throw new DOMException("blocked", "SecurityError"); },
});
"""
NOTES = 2  # of a chime
POLL_INTERVAL = 16_000  # ms: a bit longer than a page in the background waits between requests
STUBBED_LOCALE = "en-GB"  # Stubs stay on a page, so only tests with these settings may use it again.


@pytest.fixture
def table(server, new_phone) -> SeatedTable:
    """Provide a table of Ana and Bo whose phones record vibrations and chimes; Ana is to move."""
    table = open_seated_table(server, new_phone, "Ana", "Bo", shows_pages=False, locale=STUBBED_LOCALE)
    for seat, phone in enumerate(table):
        phone.page.add_init_script(STUBS)
        phone.go(f"{table.path}/seat/{seat}")
    return table


def icon(phone: Phone) -> str:
    return re.search(r"[\w-]+\.svg", phone.find("link[rel=icon]").get_attribute("href")).group()


def touch(phone: Phone) -> None:
    """Tap where nothing happens: browsers allow vibration and sound after the first tap."""
    phone.find("h1").first.tap()
    phone.wait_until("navigator.userActivation.hasBeenActive")


def hide(page: Page) -> None:
    """Send a page that was tapped to the background, with a clock that a test can move on."""
    page.clock.install()
    page.reload()
    page.locator("h1").tap()
    page.evaluate(SET_HIDDEN_SCRIPT, True)


def switch(phone: Phone, name: str) -> None:
    """Tap a switch of the menu, and close the menu."""
    phone.unfold("menu").locator(f"label:has(#setting-{name})").tap()
    phone.find("#menu > summary").tap()


def evaluate_without_activation(phone: Phone, expression: str) -> Any:
    """Evaluate an expression on a page that stays untouched.

    For Playwright's own functions, browsers take the page as tapped.
    """
    devtools = phone.context.new_cdp_session(phone.page)
    result = devtools.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    devtools.detach()
    return result["result"]["value"]


def counts(phone: Phone) -> tuple[int, int]:
    """Return how often a phone has vibrated, and how many notes it has played."""
    return phone.page.evaluate("[vibrations.length, chimes.length]")


def test_title_and_icon_say_that_the_phone_is_to_move(table):
    ana, bo = table
    expect(ana.page).to_have_title("Your turn · TRAILS")
    expect(bo.page).to_have_title("Bo · TRAILS")
    assert (icon(ana), icon(bo)) == ("favicon-attention.svg", "favicon.svg")
    table.wait_for_version(table.play(0, Hike(2)))
    expect(bo.page).to_have_title("Your turn · TRAILS")
    expect(ana.page).to_have_title("Ana · TRAILS")
    assert (icon(ana), icon(bo)) == ("favicon.svg", "favicon-attention.svg")


def test_phone_vibrates_and_chimes_once_when_its_turn_begins(table):
    ana, bo = table
    switch(bo, "sound")
    bo.wait_until(f"chimes.length === {NOTES}")  # an example
    table.wait_for_version(table.play(0, Hike(2)))
    bo.wait_until(f"vibrations.length === 1 && chimes.length === {2 * NOTES}")
    bo.page.evaluate("requestRegion((url) => url.searchParams.delete('have'))")  # the same page again
    bo.wait_for_version(table.play(1, Hike(1)))  # Bo's turn goes on with another decision.
    expect(bo.page).to_have_title("Your turn · TRAILS")
    assert counts(bo) == [1, 2 * NOTES]
    assert counts(ana) == [0, 0]


def test_own_tap_that_leads_to_the_own_turn_is_not_noticed(table):
    ana, bo = table
    touch(ana)
    table.wait_for_version(table.play(0, Hike(2)))
    expect(ana.page).to_have_title("Ana · TRAILS")
    ana.find(".turnbar .undo button").tap()
    ana.wait_for_version(table.table.version)
    expect(ana.page).to_have_title("Your turn · TRAILS")
    assert counts(ana) == [0, 0]


def test_reload_is_not_noticed_and_needs_a_tap_before_sound(table):
    ana, bo = table
    switch(ana, "sound")
    ana.wait_until(f"chimes.length === {NOTES}")
    ana.page.reload()
    expect(ana.page).to_have_title("Your turn · TRAILS")
    assert counts(ana) == [0, 0]
    table.wait_for_version(table.play(0, Hike(2)))  # the first tap, which plays nothing
    for move in (Hike(1), Exchange("acorn", "leaf")):
        table.wait_for_version(table.play(1, move))
    ana.wait_until(f"vibrations.length === 1 && chimes.length === {NOTES}")
    assert ana.page.evaluate("isSuspended")


def test_untouched_phone_neither_vibrates_nor_complains(table):
    ana, bo = table
    table.play(0, Hike(2))
    read = partial(evaluate_without_activation, bo)
    bo.wait_for(lambda: read("document.title") == "Your turn · TRAILS", "Bo was not told")
    assert read("[vibrations.length, chimes.length, navigator.userActivation.hasBeenActive]") == [0, 0, False]


def test_page_with_forms_notices_a_turn(table):
    ana, bo = table
    bo.page.clock.install()
    bo.go(f"{table.path}/seat/1/tell")
    touch(bo)
    table.play(0, Hike(2))
    bo.page.clock.fast_forward(POLL_INTERVAL)
    expect(bo.page).to_have_title("Your turn · TRAILS")
    bo.wait_until("vibrations.length === 1")
    assert icon(bo) == "favicon-attention.svg"


def test_vibration_can_be_switched_off_and_stays_off(table):
    ana, bo = table
    expect(bo.find("#setting-vibration")).to_be_checked()
    switch(bo, "vibration")
    bo.page.reload()
    expect(bo.find("#setting-vibration")).not_to_be_checked()
    touch(bo)
    table.wait_for_version(table.play(0, Hike(2)))
    expect(bo.page).to_have_title("Your turn · TRAILS")
    assert counts(bo) == [0, 0]
    switch(bo, "vibration")
    bo.wait_until("vibrations.length === 1")


def test_switches_keep_their_state_when_the_menu_is_redrawn(table):
    ana, bo = table
    switch(bo, "sound")
    old_menu = "menu=old"  # so that the server sends it again
    bo.find("#fragment-menu").evaluate("(menu, etag) => (menu.dataset.fragment = etag)", old_menu)
    bo.wait_for_version(table.play(0, Hike(2)))
    expect(bo.find("#fragment-menu")).not_to_have_attribute("data-fragment", old_menu)
    expect(bo.find("#setting-sound")).to_be_checked()
    expect(bo.find("#setting-screen-note")).to_have_text("Uses more battery.")


@pytest.mark.parametrize("rule", ["waits", "refuses"])
def test_blocked_sound_is_explained_below_its_switch(table, rule: str):
    ana, bo = table
    ana.page.evaluate("rule => (audioRule = rule)", rule)
    switch(ana, "sound")
    note = ana.find("#setting-sound-note")
    expect(note).to_have_text("Your browser blocks sound. Tap the page once more.")
    ana.page.evaluate("audioRule = 'plays'")
    touch(ana)
    expect(note).to_have_text("Silent mode mutes it.")


def test_request_is_noticed_by_the_phone_that_must_answer(table):
    ana, bo = table
    touch(bo)
    table.phones[0].submit_form(f"{table.path}/seat/0/right", **{"was.players.1.leaf": "1", "is.players.1.leaf": "4"})
    expect(bo.page).to_have_title("Answer needed · TRAILS")
    bo.wait_until("vibrations.length === 1")
    bo.button("Agree").tap()
    expect(bo.page).to_have_title("Bo · TRAILS")
    assert counts(bo) == [1, 0] and counts(ana) == [0, 0]


@pytest.mark.parametrize("page", ["/seat/1/log", "/board", "", "/score"])
def test_turn_is_noticed_on_other_pages_of_the_table(table, page: str):
    ana, bo = table
    bo.go(f"{table.path}{page}")
    title = bo.page.title()
    bo.wait_until("streaming")
    touch(bo)
    ana.submit_move(table.path, 0, Hike(2))
    expect(bo.page).to_have_title("Your turn · TRAILS")
    bo.wait_until("vibrations.length === 1")
    assert icon(bo) == "favicon-attention.svg"
    bo.submit_move(table.path, 1, Hike(1))
    bo.submit_move(table.path, 1, Skip())
    expect(bo.page).to_have_title(title)
    assert counts(bo) == [1, 0]


def test_turn_is_noticed_in_the_background(table):
    ana, bo = table
    hide(bo.page)
    before = bo.version
    table.play(0, Hike(2))
    expect(bo.page).to_have_title("Bo · TRAILS")
    bo.page.clock.fast_forward(POLL_INTERVAL)
    expect(bo.page).to_have_title("Your turn · TRAILS")
    assert bo.version == before
    bo.page.evaluate(SET_HIDDEN_SCRIPT, False)
    bo.wait_for_version(table.table.version)
    assert counts(bo) == [1, 0]


def test_second_page_of_a_phone_does_not_notice_a_turn_again(table):
    ana, bo = table
    other = bo.context.new_page()
    other.add_init_script(STUBS)
    other.goto(bo.page.url)
    hide(other)
    touch(bo)
    table.play(0, Hike(2))
    bo.wait_until("vibrations.length === 1")
    other.clock.fast_forward(POLL_INTERVAL)
    expect(other).to_have_title("Your turn · TRAILS")
    assert other.evaluate("vibrations.length") == 0
    other.close()


def test_phone_with_two_of_three_seats_names_the_player_to_move(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", "Cy", shows_pages=False)
    ana, bo, cy = table
    cy.submit_form(f"{table.path}/stand", seat="2")
    bo.submit_form(f"{table.path}/sit", seat="2")
    bo.go(f"{table.path}/seat/1")
    for move in (Hike(1), Skip()):
        ana.submit_move(table.path, 0, move)
    expect(bo.page).to_have_title("Bo\u2019s turn · TRAILS")
    for move in (Hike(1), Skip()):
        bo.submit_move(table.path, 1, move)
    expect(bo.page).to_have_title("Cy\u2019s turn · TRAILS")


def test_phone_without_these_features_shows_title_and_no_dead_switches(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", shows_pages=False, locale="en-CA")
    ana, bo = table
    bo.page.add_init_script(FEATURELESS)
    bo.go(f"{table.path}/seat/1")
    ana.submit_move(table.path, 0, Hike(2))
    expect(bo.page).to_have_title("Your turn · TRAILS")
    bo.unfold("menu")
    for name, is_visible in (("sound", False), ("vibration", False), ("screen", True)):
        expect(bo.find(f"#setting-{name}")).to_be_visible(visible=is_visible)
