"""Simultaneous and repeated taps: every tap is answered, and everything counts once."""

import pytest
from playwright.sync_api import Locator, expect

from scoring.trails.moves.hiking import Hike
from scoring.trails.state import Photo
from tests.browser.phone import Phone
from tests.browser.seated_tables import open_seated_table
from tests.browser.trails_taps import find_control

pytestmark = pytest.mark.browser

# Sends the form of a button several times, as a tap does: sequentially, then all at the same time.
AGAIN_AND_AGAIN = """async (button) => {
  const body = new URLSearchParams(new FormData(button.form));
  body.append(button.name, button.value);
  const request = { method: "POST", body, headers: { "HX-Request": "true" } };
  const send = () => fetch(button.form.action, request).then((answer) => answer.status);
  return [await send(), await send(), ...(await Promise.all([send(), send(), send()]))];
}"""
# Taps the control under the finger, and again as soon as the page is redrawn, a tenth of a second later by the
# finger's clock, however slow this machine is.
TWICE = """async (button) => {
  const { left, top } = button.getBoundingClientRect();
  const at = { clientX: left + 40, clientY: top + 20, bubbles: true, cancelable: true, detail: 1 };
  const tap = (under, after) => {
    const click = new MouseEvent("click", at);
    Object.defineProperty(click, "timeStamp", { value: began + after });
    under.dispatchEvent(click);
  };
  const offered = () => document.querySelector("#fragment-actions button[name=move]");
  const began = performance.now(), first = offered().value;
  tap(button, 0);
  // Other news may come before the answer.
  while ((offered()?.value ?? first) === first) await new Promise(requestAnimationFrame);
  const under = offered();
  tap(under, 100);
  return under.value;
}"""


class HeldRequests:
    """Requests of some phones, held until all have sent one, then released one by one."""

    def __init__(self, *taps: tuple[Phone, Locator]):
        self.routes = [phone.hold_request("**/seat/*/*", button.tap) for phone, button in taps]

    def release(self, number: int) -> None:
        self.routes[number].continue_()


@pytest.mark.long("a rarer case in a browser")
def test_badges_named_simultaneously_on_two_phones_both_count(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    ana, bo = table
    before = table.table.version
    table.wait_for_version(before)
    held = HeldRequests((ana, ana.find('.pick[value="climber-rock"]')), (bo, bo.find('.pick[value="seeker-leaf"]')))
    held.release(0)
    held.release(1)
    table.wait_for_version(before + 2)
    assert [player.badges for player in table.table.state.players] == [("climber-rock",), ("seeker-leaf",)]


@pytest.mark.long("a rarer case in a browser")
def test_move_tapped_during_undo_of_hike_is_refused_with_reason(table_of_two):
    ana, bo = table_of_two
    version = table_of_two.play(0, Hike(2))
    bo.wait_for_version(version)
    bo.expect_in_console("422")
    held = HeldRequests(
        (ana, ana.find("form.undo button")), (bo, find_control(bo, table_of_two.table.state, 1, Hike(1)))
    )
    held.release(0)
    ana.wait_for_version(version + 1)
    held.release(1)
    expect(bo.find("[role=alert]:not(#error-banner)")).to_contain_text("It is Ana\u2019s turn: hike 1 or 2 tiles.")
    table_of_two.wait_for_version(version + 1)


@pytest.mark.long("a rarer case in a browser")
def test_undo_during_next_move_leads_to_conflicting_step(table_of_two):
    ana, bo = table_of_two
    version = table_of_two.play(0, Hike(2))
    bo.wait_for_version(version)
    held = HeldRequests(
        (ana, ana.find("form.undo button")), (bo, find_control(bo, table_of_two.table.state, 1, Hike(1)))
    )
    held.release(1)
    bo.wait_for_version(version + 1)
    held.release(0)
    expect(ana.find("h1")).to_have_text("A later move no longer works")
    expect(ana.find(".banner-note")).to_have_text("\u201cBo hiked 1 tile to the exchange site\u201d")
    table_of_two.wait_for_version(version + 1)


def test_double_click_hikes_once(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    find_control(ana, table_of_two.table.state, 0, Hike(2)).dblclick()
    bo.wait_for_version(before + 1)
    assert table_of_two.play(1, Hike(1)) == before + 2


def test_form_sent_repeatedly_counts_once_and_is_answered_each_time(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    answers = find_control(ana, table_of_two.table.state, 0, Hike(2)).evaluate(AGAIN_AND_AGAIN)
    assert answers == [200] * 5
    table_of_two.wait_for_version(before + 1)
    assert table_of_two.table.version == before + 1


def test_second_tap_too_soon_does_not_play_control_now_under_finger(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    under = find_control(ana, table_of_two.table.state, 0, Hike(1)).evaluate(TWICE)
    assert "exchange" in under  # The page now offers other moves in the same place.
    table_of_two.wait_for_version(before + 1)
    assert table_of_two.table.version == before + 1


@pytest.mark.long("a rarer case in a browser")
def test_tap_refused_twice_shows_reason_twice(table_of_two):
    ana, _ = table_of_two
    ana.expect_in_console("422")
    wrong = """button => { button.value = '{"type":"hike","steps":3}'; button.id = "wrong"; }"""
    find_control(ana, table_of_two.table.state, 0, Hike(1)).evaluate(wrong)
    button, alert = ana.find("#wrong"), ana.find("[role=alert]:not(#error-banner)")
    button.tap()
    expect(alert).to_contain_text("Hike 1 or 2 tiles, not 3.")
    alert.evaluate("alert => { alert.dataset.seen = 1; }")
    button.tap()
    expect(ana.find("[role=alert]:not([data-seen], #error-banner)")).to_contain_text("Hike 1 or 2 tiles, not 3.")
    expect(alert).to_have_count(1)


@pytest.mark.long("a rarer case in a browser")
def test_same_photo_tapped_three_times_quickly_counts_three_times(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally")
    ana, bo = table
    before = table.table.version
    ana.link("Photos").tap()
    face = ana.button("2 points", exact=True)
    for tapped in range(1, 4):
        face.tap()
        ana.wait_for_version(before + tapped)
    assert table.table.state.players[0].photos == (Photo(2, 0),) * 3
