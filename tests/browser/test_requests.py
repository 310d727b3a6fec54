"""Test on a small phone that requests leave the moves on the first screen."""

import pytest
from playwright.sync_api import expect

from scoring.trails.moves.hiking import Hike
from tests.browser.phone import PHONE_SIZE, TABLET_SIZE, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_axe import axe_violations
from tests.browser.test_large_text import TWICE
from tests.browser.test_pages_fit import page_faults

pytestmark = pytest.mark.browser

MAX_BAND = 102  # px: two lines of 18 and answers of 44, with their padding and borders
MAX_ROW = 56  # px: two short lines beside a button of 44
MIN_TARGET = 44  # px
MOVES = "#fragment-actions button[name=move]"
BEAR = {"was.bear": "acorn", "is.bear": "rock"}
MANY_CHANGES = {f"was.players.{seat}.{kind}": "1" for seat in (0, 1) for kind in ("acorn", "leaf", "rock")}
MANY_CHANGES |= {name.replace("was", "is"): "2" for name in MANY_CHANGES}


@pytest.fixture
def table_of_three(server, new_phone) -> SeatedTable:
    return open_seated_table(server, new_phone, "Ana", "Bo", "Cy")


def ask(table: SeatedTable, seat: int, changes: dict[str, str]) -> None:
    """Ask for a correction of the position from a seat's phone."""
    phone, version = table.phones[seat], table.table.version + 1
    phone.submit_form(f"{table.path}/seat/{seat}/right", **changes)
    assert len(table.table.proposals) and table.table.version == version
    table.wait_for_version(version)


def lower_edges(phone: Phone) -> list[float]:
    """Return where the buttons of the moves end, in px from the top of the page."""
    return phone.find(MOVES).evaluate_all("buttons => buttons.map(button => button.getBoundingClientRect().bottom)")


def box(phone: Phone, selector: str) -> dict[str, float]:
    found = phone.find(selector).first.bounding_box()
    assert found, selector
    return found


def test_request_leaves_the_moves_on_the_screen(table_of_three: SeatedTable):
    ana = table_of_three.phones[0]
    ana.page.set_viewport_size(PHONE_SIZE)
    before = lower_edges(ana)
    ask(table_of_three, 2, MANY_CHANGES)
    band = box(ana, ".proposals")
    assert band["height"] <= MAX_BAND and band["width"] == PHONE_SIZE["width"]
    assert len(before) == len(lower_edges(ana)) > 0
    assert all(after <= old + band["height"] for old, after in zip(before, lower_edges(ana), strict=True))
    controls = [ana.button("Agree"), ana.button("Decline", exact=True), ana.link("Preview")]
    boxes = [control.bounding_box() for control in controls]
    assert len({control["y"] for control in boxes}) == 1 and all(each["height"] >= MIN_TARGET for each in boxes)
    assert box(ana, ".request-line")["height"] < 38  # two lines
    assert ana.find(".request-line").evaluate("line => line.scrollHeight <= line.clientHeight + 1")
    expect(ana.find(".request-line")).to_contain_text("Bo’s acorns 1 → 2, leaves 1 → 2, rocks 1 → 2")
    assert page_faults(ana) == []


def test_phones_that_need_not_answer_have_one_row(table_of_three: SeatedTable):
    ana, bo, cy = table_of_three
    ask(table_of_three, 2, {"was.players.1.leaf": "1", "is.players.1.leaf": "3"})
    for phone in (ana, cy):
        phone.page.set_viewport_size(PHONE_SIZE)
        assert box(phone, ".proposals")["height"] <= MAX_ROW
        expect(phone.find(".proposal")).to_contain_text("Waiting for Bo.")
        assert box(phone, ".proposal a")["height"] >= MIN_TARGET
    expect(ana.find(".proposal")).to_contain_text("Cy asks: Bo’s leaves 1 → 3.")
    expect(ana.find(".proposal button")).to_have_count(0)
    expect(cy.find(".proposal")).to_contain_text("You asked: Bo’s leaves 1 → 3.")
    assert box(cy, ".proposal button")["height"] >= MIN_TARGET
    cy.find(".proposal a").tap()
    expect(cy.find(".proposal")).to_contain_text("The players affected must agree.")
    version = table_of_three.table.version
    cy.button("Withdraw").tap()
    bo.wait_for_version(version + 1)
    assert table_of_three.table.proposals == ()
    expect(bo.find(".proposal")).to_have_count(0)


def test_request_folds_the_news_and_keeps_the_badges(table_of_three: SeatedTable):
    ana = table_of_three.phones[0]
    ana.page.set_viewport_size(PHONE_SIZE)
    for seat in range(3):
        table_of_three.play(seat, Hike(2))
    expect(ana.find(".turn-news > span:visible")).to_have_count(2)
    expect(ana.find(".turn-news .more")).to_be_hidden()
    ask(table_of_three, 1, BEAR)
    expect(ana.find(".turn-news > span:visible")).to_have_count(1)
    expect(ana.find(".turn-news .more")).to_have_text("1 more")
    expect(ana.find(".plate:visible")).to_have_count(4)
    assert lower_edges(ana)[-1] <= PHONE_SIZE["height"]


def test_long_own_request_is_a_short_sentence(table_of_three: SeatedTable):
    cy = table_of_three.phones[2]
    ask(table_of_three, 2, MANY_CHANGES)
    expect(cy.find(".request-line")).to_have_text("You asked for a change.")


def test_newest_of_two_requests_is_shown_and_the_other_unfolds(table_of_three: SeatedTable):
    ana, bo, cy = table_of_three
    ana.page.set_viewport_size(PHONE_SIZE)
    ask(table_of_three, 1, BEAR)
    ask(table_of_three, 2, MANY_CHANGES)
    assert box(ana, ".proposals")["height"] <= MAX_BAND
    expect(ana.button("Agree")).to_have_count(1)
    expect(ana.find(".proposal").first).to_contain_text("Cy asks:")
    more = ana.find("#other-requests > summary")
    expect(more).to_have_text("+1 more")
    size = more.bounding_box()
    assert min(size["width"], size["height"]) >= MIN_TARGET
    more.tap()
    expect(ana.button("Agree")).to_have_count(2)
    table_of_three.play(0, Hike(2))
    expect(ana.button("Agree")).to_have_count(2)  # it stays unfolded
    version = table_of_three.table.version
    ana.find("#other-requests").get_by_role("button", name="Decline").tap()
    table_of_three.wait_for_version(version + 1)
    assert [proposal.seat for proposal in table_of_three.table.proposals] == [2]
    expect(ana.find("#other-requests")).to_have_count(0)


@pytest.mark.parametrize("seat", [0, 2])
def test_requests_are_usable_at_twice_the_text_size(table_of_three: SeatedTable, seat: int):
    phone = table_of_three.phones[seat]
    phone.page.set_viewport_size(PHONE_SIZE)
    ask(table_of_three, 1, BEAR)
    ask(table_of_three, 2, MANY_CHANGES)
    phone.page.evaluate(TWICE)
    phone.find("#other-requests > summary").tap()
    assert page_faults(phone) == []
    for label in ("Agree", "Decline") if seat == 0 else ("Withdraw",):
        expect(phone.button(label, exact=True).first).to_be_visible()
    clipped = "parts => parts.filter(part => part.scrollWidth > part.clientWidth + 1).length"
    assert phone.find(".request-line, .proposal .button").evaluate_all(clipped) == 0


def test_requests_have_no_axe_violations(table_of_three: SeatedTable):
    ana, _, cy = table_of_three
    ask(table_of_three, 1, BEAR)
    ask(table_of_three, 2, MANY_CHANGES)
    number = table_of_three.table.proposals[0].number
    paths = (f"{table_of_three.path}/seat/0", f"{table_of_three.path}/if/{number}", f"{table_of_three.path}/board")
    found = [violation for path in paths for violation in axe_violations(ana, path)]
    assert found + axe_violations(cy, f"{table_of_three.path}/seat/2") == []


def test_table_view_shows_a_line_for_each_of_two_requests(table_of_three: SeatedTable, new_phone):
    ask(table_of_three, 1, BEAR)
    ask(table_of_three, 2, MANY_CHANGES)
    board = new_phone("board", viewport=TABLET_SIZE)
    board.go(f"{table_of_three.path}/board")
    expect(board.find(".proposal")).to_have_count(2)
    expect(board.find(".proposal").first).to_contain_text("Cy asks:")
    heights = board.find(".proposal").evaluate_all("lines => lines.map(line => line.getBoundingClientRect().height)")
    assert max(heights) < 50
    ask(table_of_three, 0, {**BEAR, "is.bear": "leaf"})
    expect(board.find(".proposal")).to_have_count(2)
    expect(board.find(".proposal").last).to_contain_text("+1 more")
