"""Dark rooms, eyes that get dizzy, hands that use keys: the pages follow what a phone or its owner prefers."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from scoring.trails.moves.hiking import Exchange, Hike
from tests.browser.parks_thumb import begun
from tests.browser.phone import Phone
from tests.browser.repair_thumb import all_agree, ask, led, line_of, tell
from tests.browser.seating import Seated, seated
from tests.browser.thumb import control

pytestmark = pytest.mark.browser

GROUND = "getComputedStyle(document.body).backgroundColor"
INK = "getComputedStyle(document.body).color"
MOVING = """() => [...document.querySelectorAll("body, body *")].filter((part) => {
  const style = getComputedStyle(part);
  return parseFloat(style.transitionDuration) > 0 || parseFloat(style.animationDuration) > 0;
}).length"""
HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((each) => each.checkVisibility())
  .map((each) => Number(each.localName[1]))"""
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


def pages_of_the_past(table: Seated) -> Iterator[str]:
    """Tell Ana's hike otherwise until Bo has agreed; yield every page on the way there, as Ana's phone shows it."""
    ana, bo = table
    step = str(table.play(0, Hike(2)))
    bo.say(table.path, 1, Hike(2))
    ana.shows(table.table.number)
    ana.follow("/log#latest")
    yield "the story"
    led(ana, line_of(ana, step))
    yield "a moment"
    led(ana, ana.link("Something else happened"))
    yield "what happened"
    tell(ana, table, 0, Hike(1))
    yield "what does not stand"  # Ana's turn goes on, with an exchange
    tell(ana, table, 0, Exchange("acorn", "leaf"))
    yield "what would be so"
    assert ask(ana, table) == (1,)
    yield "a question"
    led(ana, ana.link("See the table as it would be"))
    yield "if it were so"
    led(ana, ana.link("Back to Ana"))
    all_agree(table)
    led(ana, ana.find("section.news a"))
    yield "a repair"


@pytest.mark.long("a rarer case in a browser")
def test_the_pages_of_the_past_are_dark_in_the_dark_and_still_where_stillness_is_asked_for(server, new_phone):
    table = seated(server, new_phone, "Ana", "Bo", color_scheme="dark", reduced_motion="reduce")
    ana = table.phones[0]
    for page in pages_of_the_past(table):
        ground, ink = (lightness(ana.page.evaluate(colour)) for colour in (GROUND, INK))
        assert ground < 80 and ink > 180, page
        assert ana.page.evaluate(MOVING) == 0, page


@pytest.mark.long("every page in a browser")
def test_the_pages_of_the_past_are_read_aloud_in_order(two):
    """One main heading comes first, none below it skips a level, what is marked by strokes or colours is said in words."""
    for page in pages_of_the_past(two):
        levels = two.phones[0].page.evaluate(HEADINGS)
        assert levels[0] == 1 and levels.count(1) == 1, page
        assert all(after <= before + 1 for before, after in pairwise(levels)), f"{page}: {levels}"
        snapshot = two.phones[0].find("main").aria_snapshot()
        if page in ("a moment", "what would be so", "a question", "if it were so", "a repair"):
            assert "becomes" in snapshot, page
        if page == "what happened":
            assert re.search(r'link "Ana.*to move"', snapshot)


@pytest.mark.long("a rarer case in a browser")
def test_the_past_is_mended_with_the_keyboard_alone(two):
    ana, bo = two
    two.play(0, Hike(2))
    two.play(1, Hike(2))

    def enter(wanted: Locator) -> None:
        tab_to(ana, wanted)
        with ana.page.expect_navigation():
            ana.page.keyboard.press("Enter")

    ana.shows(two.table.number)
    enter(ana.find(".log .entry a", has_text="Bo hiked 2"))
    ana.page.keyboard.press("ArrowLeft")
    expect(ana.find(".happened")).to_contain_text("Ana hiked 2")
    ana.page.keyboard.press("ArrowRight")
    expect(ana.find(".happened")).to_contain_text("Bo hiked 2")
    enter(ana.link("Something else happened"))
    enter(ana.button(re.compile("^Hike 1 ")))
    enter(ana.button("Ask Bo"))
    asked = two.table.number
    bo.shows(asked)
    tab_to(bo, bo.button("Agree"))
    bo.page.keyboard.press("Enter")
    two.all_show(asked + 1)
    assert [player.at for player in two.table.state.players] == [2, 1]


def test_a_phone_that_asks_for_stillness_gets_it(server, new_phone):
    lively, still = (
        seated(server, new_phone, "Ana", "Bo", reduced_motion=motion).phones[0]
        for motion in ("no-preference", "reduce")
    )
    assert lively.page.evaluate(MOVING) > 0
    assert still.page.evaluate(MOVING) == 0


def test_a_turn_is_played_with_the_keyboard_alone(two):
    ana, bo = two
    before = two.table.number
    far = control(ana, two.table.state, 0, Hike(5, canteen=True))
    tab_to(ana, far)
    ana.page.keyboard.press("Enter")
    two.all_show(before + 1)
    assert two.table.state.players[0].at == 5
    for played, move in enumerate((Hike(1), Exchange("acorn", "leaf")), 2):
        tab_to(bo, control(bo, two.table.state, 1, move))
        bo.page.keyboard.press("Enter")
        two.all_show(before + played)
    expect(ana.find("h1")).to_contain_text("Your turn")


def test_the_first_key_leads_past_the_head_of_the_page(two):
    ana, bo = two
    ana.page.keyboard.press("Tab")
    skip = ana.link("Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    ana.page.keyboard.press("Enter")
    ana.page.keyboard.press("Tab")
    expect(ana.find("main :focus")).to_have_count(1)


@pytest.mark.long("a rarer case in a browser")
def test_the_key_that_has_the_focus_is_marked(two):
    ana, bo = two
    hike = control(ana, two.table.state, 0, Hike(2))
    tab_to(ana, hike)
    assert hike.evaluate("button => parseFloat(getComputedStyle(button).outlineWidth)") >= 2


def test_the_focus_does_not_stay_on_what_a_choice_hides(two):
    phone = two.phones[1]
    phone.find("#p-picture").get_by_label("Name the badge lying here").first.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.find(".whole-screen")).to_be_visible()  # in the picture's place
    expect(phone.find("#p-sheet")).to_be_focused()
    still_focused(phone)


@pytest.mark.long("a rarer case in a browser")
def test_a_letter_hands_the_focus_to_what_begins_with_it_and_back(server, new_phone):
    table = begun(server, new_phone, "Ana", "Bo")
    phone = table.phones[0]
    phone.go(f"{table.path}/seat/0/tell")
    letters = phone.open("name-park").locator(".letters").first
    letters.get_by_role("radio", name="G").focus()
    phone.page.keyboard.press("Space")
    expect(letters.locator(".found button").filter(visible=True).first).to_be_focused()
    still_focused(phone)
    letters.get_by_role("radio", name="Other letters").focus()
    phone.page.keyboard.press("Space")
    expect(letters.get_by_role("radio").first).to_be_focused()
    still_focused(phone)


def still_focused(phone: Phone) -> None:
    """Expect that the focus is where it was when some more frames have been drawn: a browser takes it from what is hidden."""
    phone.frames(12)
    assert phone.page.evaluate("document.activeElement.checkVisibility() && document.activeElement !== document.body")


def tab_to(phone: Phone, wanted: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(TABS):
        phone.page.keyboard.press("Tab")
        if wanted.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError(f"{TABS} tabs do not lead to {wanted}")
