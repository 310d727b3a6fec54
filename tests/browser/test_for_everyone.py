"""Dark rooms, eyes that get dizzy, hands that use keys: the pages follow what a phone or its owner prefers."""

import pytest
from playwright.sync_api import Locator, expect

from scoring.trails.hiking import Exchange, Hike
from tests.browser.hand import control
from tests.browser.phone import Phone
from tests.browser.seating import seated

pytestmark = pytest.mark.browser

GROUND = "getComputedStyle(document.body).backgroundColor"
INK = "getComputedStyle(document.body).color"
MOVING = """() => [...document.querySelectorAll("body, body *")].filter((part) => {
  const style = getComputedStyle(part);
  return parseFloat(style.transitionDuration) > 0 || parseFloat(style.animationDuration) > 0;
}).length"""
TABS = 40  # to get anywhere on a page


def lightness(colour: str) -> float:
    """Return how light a CSS colour is, from 0 to 255."""
    return sum(float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")) / 3


def test_a_phone_in_dark_mode_gets_dark_pages(server, new_phone):
    light, dark = (new_phone(scheme, color_scheme=scheme) for scheme in ("light", "dark"))
    for phone in (light, dark):
        code = phone.send("/new/trails", **{"names-0": "Ana", "names-1": "Bo"})
        for page in ("/", "/rules/trails", code, phone.send(f"{code}/sit", seat="0"), f"{code}/board", f"{code}/score"):
            phone.go(page)
            ground, ink = (lightness(phone.page.evaluate(colour)) for colour in (GROUND, INK))
            assert (ground > 180 and ink < 80) if phone is light else (ground < 80 and ink > 180), page


def test_a_phone_that_asks_for_stillness_gets_it(server, new_phone):
    lively, still = (
        seated(server, new_phone, "Ana", "Bo", reduced_motion=motion).phones[0] for motion in ("no-preference", "reduce")
    )
    assert lively.page.evaluate(MOVING) > 0
    assert still.page.evaluate(MOVING) == 0


def test_a_turn_is_played_with_the_keyboard_alone(two):
    ana, bo = two
    before = two.table.number
    tab_to(ana, ana.find("details#canteen > summary"))
    ana.page.keyboard.press("Enter")
    far = control(ana, two.table.state, 0, Hike(5, canteen=True))
    tab_to(ana, far)
    ana.page.keyboard.press("Enter")
    two.all_show(before + 1)
    assert two.table.state.players[0].at == 5
    for played, move in enumerate((Hike(1), Exchange("acorn", "leaf")), 2):
        tab_to(bo, control(bo, two.table.state, 1, move))
        bo.page.keyboard.press("Enter")
        two.all_show(before + played)
    expect(ana.find("h1")).to_contain_text("Your turn, Ana")


def test_the_first_key_leads_past_the_head_of_the_page(two):
    ana, bo = two
    ana.page.keyboard.press("Tab")
    skip = ana.link("Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ana.page.keyboard.press("Enter")
    ana.page.keyboard.press("Tab")
    expect(ana.find("main :focus")).to_have_count(1)


def test_the_key_that_has_the_focus_is_marked(two):
    ana, bo = two
    hike = control(ana, two.table.state, 0, Hike(2))
    tab_to(ana, hike)
    assert hike.evaluate("button => parseFloat(getComputedStyle(button).outlineWidth)") >= 2


def tab_to(phone: Phone, wanted: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(TABS):
        phone.page.keyboard.press("Tab")
        if wanted.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError(f"{TABS} tabs do not lead to {wanted}")
