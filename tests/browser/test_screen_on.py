"""A phone keeps its screen on: by the Wake Lock API, or over plain HTTP by a silent video."""

import re

import pytest
from playwright.sync_api import expect

from scoring.trails.moves.hiking import Hike
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_axe import axe_violations_now
from tests.browser.test_live import SET_HIDDEN_SCRIPT

pytestmark = pytest.mark.browser

# A stub of the Wake Lock API that records its locks; `lockRule` is what the browser does.
WAKE_LOCK_STUB = """
window.locks = [];
window.lockRule = "allow";
Object.defineProperty(navigator, "wakeLock", { configurable: true, value: {
  async request(kind) {
    if (lockRule === "refuse") throw new DOMException("Low battery", "NotAllowedError");
    const lock = new EventTarget();
    lock.kind = kind;
    lock.released = false;
    lock.release = async () => { lock.released = true; lock.dispatchEvent(new Event("release")); };
    locks.push(lock);
    return lock;
  },
} });
"""
# Over plain HTTP there is no API. `needsTap` stands for an iPhone, where a video with sound may start in a tap only.
PLAIN_HTTP_STUB = """
delete Navigator.prototype.wakeLock;
window.plays = [];
window.needsTap = false;
window.originalPlay ??= HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  plays.push({ isMuted: this.muted, isInTap: window.event?.type === "click" || window.event?.type === "change" });
  if (needsTap && !plays.at(-1).isInTap) return Promise.reject(new DOMException("No tap", "NotAllowedError"));
  return originalPlay.call(this);
};
"""
APPLE_STUB = """
Object.defineProperty(navigator, "vendor", { value: "Apple Computer, Inc.", configurable: true });
window.needsTap = true;
"""
LOCKS = "locks.filter((lock) => !lock.released).length"
IS_PLAYING = "Boolean(document.querySelector('video') && !document.querySelector('video').paused)"
API_LOCALE, HTTP_LOCALE, APPLE_LOCALE = "en-IE", "en-IN", "en-NZ"  # Stubs stay on a page; the settings keep them apart.


def open_table(server, new_phone, locale: str, *stubs: str, **settings) -> SeatedTable:
    table = open_seated_table(server, new_phone, "Ana", "Bo", shows_pages=False, locale=locale, **settings)
    for seat, phone in enumerate(table):
        for stub in stubs:
            phone.page.add_init_script(stub)
        phone.go(f"{table.path}/seat/{seat}")
    return table


def switch_screen(phone: Phone) -> None:
    """Tap the switch in the menu of a seat or on the table view."""
    if phone.find("#menu").count():
        phone.unfold("menu")
    phone.find("label:has(#setting-screen)").tap()


def note(phone: Phone):
    return phone.find("#setting-screen-note")


def test_screen_is_not_kept_on_by_default(server, new_phone):
    ana, bo = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    ana.find("h1").tap()
    expect(ana.find("#setting-screen")).not_to_be_checked()
    expect(note(ana)).to_have_text("Uses more battery.")
    assert ana.page.evaluate("locks.length") == 0 and ana.find("video").count() == 0


def test_wake_lock_is_held_and_requested_again_when_the_page_is_back(server, new_phone):
    ana, bo = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    switch_screen(ana)
    expect(note(ana)).to_have_text("The screen stays on now. Uses more battery.")
    assert ana.page.evaluate("locks.map(({kind}) => kind)") == ["screen"]
    ana.page.evaluate(SET_HIDDEN_SCRIPT, True)
    ana.page.evaluate("locks[0].release()")  # as browsers do with a hidden page
    ana.page.evaluate(SET_HIDDEN_SCRIPT, False)
    ana.wait_until("locks.length === 2")
    expect(note(ana)).to_have_text("The screen stays on now. Uses more battery.")
    ana.page.reload()  # The choice is remembered, and needs no tap.
    ana.wait_until(f"{LOCKS} === 1")
    expect(ana.find("#setting-screen")).to_be_checked()
    switch_screen(ana)
    ana.wait_until(f"{LOCKS} === 0")
    expect(note(ana)).to_have_text("Uses more battery.")


def test_refused_wake_lock_is_explained_below_its_switch(server, new_phone):
    ana, bo = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    ana.page.evaluate("lockRule = 'refuse'")
    switch_screen(ana)
    expect(note(ana)).to_have_text("This browser refused. Set a longer screen timeout on the device.")
    ana.page.evaluate("lockRule = 'allow'")
    ana.find("h1").tap()
    expect(note(ana)).to_have_text("The screen stays on now. Uses more battery.")


def test_plain_http_page_plays_a_silent_video_behind_everything(server, new_phone):
    ana, bo = open_table(server, new_phone, HTTP_LOCALE, PLAIN_HTTP_STUB)
    switch_screen(ana)
    expect(note(ana)).to_have_text("The screen stays on now. Uses more battery.")
    video = ana.find("video")
    assert video.evaluate("video => [video.muted, video.loop, video.duration > 5]") == [True, False, True]
    assert video.bounding_box() == {"x": 0, "y": 0, "width": 360, "height": 640}  # Chromium wants it large.
    assert ana.page.evaluate("document.elementFromPoint(180, 300).localName") != "video"
    video.evaluate("video => { video.currentTime = 4.5 }")
    ana.wait_until("document.querySelector('video').currentTime < 4")  # It rewinds before its end.
    ana.page.reload()
    ana.wait_until(IS_PLAYING)
    switch_screen(ana)
    expect(video).to_have_count(0)


def test_iphone_over_plain_http_starts_again_at_the_first_tap(server, new_phone):
    ana, bo = open_table(server, new_phone, APPLE_LOCALE, PLAIN_HTTP_STUB, APPLE_STUB)
    switch_screen(ana)
    ana.wait_until(IS_PLAYING)
    assert ana.page.evaluate("plays") == [{"isMuted": False, "isInTap": True}]  # WebKit ignores a muted video.
    ana.page.reload()
    expect(note(ana)).to_have_text("Tap the page once to keep the screen on.")
    assert not ana.page.evaluate(IS_PLAYING)
    ana.find("h1").tap()
    ana.wait_until(IS_PLAYING)
    expect(note(ana)).to_have_text("The screen stays on now. Uses more battery and stops music.")


def test_video_that_cannot_play_is_explained(server, new_phone):
    ana, bo = open_table(server, new_phone, HTTP_LOCALE, PLAIN_HTTP_STUB)
    ana.expect_in_console("404|Failed to load")
    ana.page.route("**/silence.mp4*", lambda route: route.fulfill(status=404))
    switch_screen(ana)
    expect(note(ana)).to_have_text("This browser refused. Set a longer screen timeout on the device.")
    expect(ana.find("video")).to_have_count(0)


def test_menu_of_table_view_has_the_switch_and_keeps_it_after_moves(server, new_phone):
    table = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    tablet = new_phone("tablet", viewport=TABLET_SIZE, locale=API_LOCALE)
    tablet.page.add_init_script(WAKE_LOCK_STUB)
    tablet.go(f"{table.path}/board")
    tablet.unfold("menu")
    expect(tablet.find("label", has_text="Keep the screen on")).to_be_in_viewport()
    switch_screen(tablet)
    tablet.wait_until(f"{LOCKS} === 1")
    tablet.wait_for_version(table.play(0, Hike(2)))
    expect(tablet.find("#setting-screen")).to_be_checked()
    assert tablet.page.evaluate("locks.length") == 1


def test_screen_may_turn_off_after_the_end_of_the_game(server, new_phone):
    table = open_seated_table(server, new_phone, "Ana", "Bo", game="trails-tally", shows_pages=False, locale=API_LOCALE)
    ana, bo = table
    ana.page.add_init_script(WAKE_LOCK_STUB)
    ana.go(f"{table.path}/seat/0")
    switch_screen(ana)
    ana.wait_until(f"{LOCKS} === 1")
    for seat, phone in enumerate(table):
        phone.submit_form(f"{table.path}/seat/{seat}/play", move='{"type":"done"}')
    ana.wait_until(f"{LOCKS} === 0")
    expect(note(ana)).to_have_text("The game is over, so the screen may turn off.")


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (640, 360)], ids=str)
def test_menu_scrolls_to_its_last_switch(server, new_phone, size: tuple[int, int]):
    viewport = dict(zip(("width", "height"), size, strict=True))
    ana, bo = open_seated_table(server, new_phone, "Ana", "Bo", viewport=viewport)
    menu = ana.unfold("menu").locator("nav")
    box = menu.bounding_box()
    assert box["y"] + box["height"] <= size[1] and box["x"] >= 0
    assert menu.evaluate("menu => menu.scrollWidth <= menu.clientWidth")
    for name in ("sound", "vibration", "screen"):
        label = ana.find(f"label:has(#setting-{name})")
        label.scroll_into_view_if_needed()
        expect(label).to_be_in_viewport(ratio=0.95)
        assert label.bounding_box()["height"] >= 44


def test_open_menu_has_no_axe_violations(server, new_phone):
    ana, bo = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    ana.page.evaluate("lockRule = 'refuse'")
    switch_screen(ana)
    expect(note(ana)).to_have_class(re.compile("is-problem"))
    assert axe_violations_now(ana) == []


def test_switch_works_with_the_keyboard(server, new_phone):
    ana, bo = open_table(server, new_phone, API_LOCALE, WAKE_LOCK_STUB)
    ana.unfold("menu")
    ana.page.get_by_role("checkbox", name="Keep the screen on", exact=True).focus()
    ana.page.keyboard.press("Space")
    ana.wait_until(f"{LOCKS} === 1")
