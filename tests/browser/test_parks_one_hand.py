"""PARKS with one hand: trail setup, hikes by picture or buttons, naming cards when taken."""

import random
from collections import Counter

import pytest
from playwright.sync_api import Locator, expect

from scoring.parks import TRACKED_GAME
from scoring.parks.box import TRAIL_TILES
from scoring.parks.moves.hiking import Hike
from scoring.parks.state import State
from tests.browser.parks_game import find_game
from tests.browser.parks_taps import open_table_with_trail, tap_hike_key, tap_picture_move
from tests.browser.phone import Phone
from tests.browser.seated_tables import open_seated_table
from tests.browser.trails_taps import tap_button
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo")
SEED = 511
MOST_TAPS = 16  # at most, from the home page to a table that matches the real one
RARE_SHARE = 0.01  # share of the decisions that may need a scroll
# The lower edge of the last control of a decision, not counting folded sections.
REACH_SCRIPT = """() => Math.max(...[...document.querySelectorAll(
    "#fragment-actions :is(form[hx-post] button, label.move-key, .letter-picker label, .button-row :is(summary, a))"
  )]
  .filter((control) => control.checkVisibility()).map((control) => control.getBoundingClientRect().bottom))"""
PICTURE_VISIBLE_SCRIPT = """() => {
  const picture = document.querySelector("#fragment-picture").getBoundingClientRect();
  return [...document.querySelectorAll("#trail [id^=hiker-], #trail .fill-go")].every((each) => {
    const { left, right } = each.getBoundingClientRect();
    return left >= picture.left - 2 && right <= picture.right + 2;
  });
}"""


class TapCounter:
    """Counts taps."""

    def __init__(self):
        self.taps = 0

    def __call__(self, phone: Phone, button: Locator) -> None:
        self.taps += 1
        tap_button(phone, button)


def test_table_setup_from_home_page_takes_sixteen_taps(server, new_phone):
    phone, finger = new_phone("Ana", server.address), TapCounter()
    phone.go("/")
    finger(phone, phone.find('main a[href$="/new/parks"]').first)
    for number, name in enumerate(NAMES, 1):
        finger(phone, phone.page.get_by_label(f"Name {number}"))
        phone.page.get_by_label(f"Name {number}").fill(name)
    finger(phone, phone.button("Create the table"))
    phone.page.wait_for_url("**/t/*")
    finger(phone, phone.button("Ana"))
    phone.page.wait_for_url("**/seat/0")
    tiles = random.Random(1).sample(TRAIL_TILES, len(TRAIL_TILES))
    for number, tile in enumerate(tiles[:-1]):
        finger(phone, phone.find(f'#fragment-actions button[name=move][value*="{tile}"]'))
        expect(phone.find("#trail")).to_have_attribute("data-sites-laid", str(number + 1 if number < 6 else 8))
    finger(phone, phone.find('#fragment-actions button[name=move][value*="wildlife"]'))
    finger(phone, phone.find('#fragment-actions button[name=move][value*="spring-water"]'))
    expect(phone.find("h1")).to_contain_text("Move a hiker")
    state = server.store.table(phone.page.url.split("/")[-3]).state
    assert (*state.sites[:4], *state.sites[5:]) == tuple(tiles)
    assert (state.shutterbug, state.tile) == ("wildlife", "spring-water")
    assert finger.taps <= MOST_TAPS


def test_second_phone_placing_the_same_site_is_told_it_is_placed(server, new_phone):
    ana, bo = table = open_seated_table(server, new_phone, *NAMES, game="parks")
    bo.ignore_streamed_fragments()
    held = bo.hold_request("**/seat/1/now*", lambda: ana.find('#fragment-actions button[value*="forest"]').tap())
    bo.expect_in_console("422")
    bo.find('#fragment-actions button[value*="gear"]').tap()
    text = "Site 1 already has the Forest tile. Enter the tile at site 2."
    expect(bo.find("[role=alert]:not(#error-banner)")).to_contain_text(text)
    held.abort()
    assert table.table.state.sites[:2] == ("forest", None)


@pytest.mark.long("a rarer case in a browser")
def test_unnamed_park_is_visited_in_three_taps(server, new_phone):
    ana, _ = table = open_table_with_trail(server, new_phone, *NAMES)
    form = {f"is.players.0.{kind}": "2" for kind in ("forest", "mountain", "sun", "water", "wildlife")}
    ana.submit_form(f"{table.path}/seat/0/right", **form, **{key.replace("is.", "was."): "0" for key in form})
    ana.go(f"{table.path}/seat/0")
    before, finger = table.table.version, TapCounter()
    finger(ana, ana.find('#trail [data-click-target="to-5"]'))
    finger(ana, ana.find(".find-open .letter-picker > label", has_text="G"))
    finger(ana, ana.find(".find-open .card-options button", has_text="Gateway Arch"))
    ana.wait_for_version(before + 2)
    assert table.table.state.players[0].visited == ("Gateway Arch",)
    assert finger.taps == 3


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("by", ["the picture", "the buttons"])
def test_every_hike_of_game_is_made_by_picture_or_buttons(by, server, new_phone):
    moves = [(seat, move) for seat, move in find_game(NAMES, SEED)]
    table = open_seated_table(server, new_phone, *NAMES, game="parks")
    for phone_seat, phone in enumerate(table):
        phone.go(f"{table.path}/seat/{phone_seat}")
    taps, hikes = 0, 0
    for seat, move in moves:
        phone, state, before = table.phones[seat], table.table.state, table.table.version
        if not isinstance(move, Hike):
            phone.submit_move(table.path, seat, move)
            continue
        phone.wait_for_version(before)
        assert phone.page.evaluate(PICTURE_VISIBLE_SCRIPT)
        assert phone.page.evaluate(REACH_SCRIPT) <= 640
        hikes += 1
        if by == "the picture":
            taps += tap_picture_move(phone, state, move)
        else:
            taps += tap_hike_key(phone, move)
        phone.wait_for_version(before + 1)
    assert hikes > 20 and (taps < hikes * 1.6 if by == "the picture" else taps == hikes)


@pytest.mark.long("a rarer case in a browser")
def test_every_decision_of_game_is_on_the_screen(server, new_phone):
    """Five players: the largest picture and the longest news. One phone follows the turn."""
    names = ("Ana", "Bo", "Cleo", "Dimitri", "Eve")
    phone = new_phone("all")
    table = open_seated_table(server, lambda *_: phone, *names, game="parks")
    reach: Counter[str] = Counter()
    decisions = 0
    phone.go(f"{table.path}/seat/0")
    for seat, move in find_game(names, 1):
        current = table.table
        state: State = current.state
        if not move.out_of_turn:
            phone.wait_for_version(current.version)
            if not phone.page.url.endswith(f"/seat/{seat}"):  # Several players may go on.
                phone.go(f"{table.path}/seat/{seat}")
            decisions += 1
            if (low := phone.page.evaluate(REACH_SCRIPT)) > 640:
                reach[f"{type(state.task).__name__} {getattr(state.task, 'action', '')}: {low}"] += 1
        phone.submit_move(table.path, seat, move)
    assert TRACKED_GAME.flow.to_move(table.table.state) == ()
    assert reach.total() <= RARE_SHARE * decisions, reach


@pytest.mark.long("a rarer case in a browser")
def test_face_up_card_leads_to_where_it_is_named(server, new_phone):
    ana, _ = table = open_table_with_trail(server, new_phone, *NAMES)
    for link, choice, button, holds in (
        ("which-park", "Z", "Zion", lambda state: "Zion" in state.parks),
        ("which-gear", "sun", "journal-sun", lambda state: "journal-sun" in state.market),
        ("which-canteen", "", "trade", lambda state: "trade" in state.canteens),
    ):
        before = table.table.version
        ana.find(f'.displays a[href$="#{link}"]').first.tap()
        ana.page.wait_for_url(f"**/tell#{link}")
        part = ana.unfold(link.replace("which-", "name-"))
        if choice:
            part.locator(f"label:has(input[value='{choice}'])").first.tap()
        part.locator(f'button[value="{button}"]').tap()
        ana.wait_for_version(before + 1)
        assert holds(table.table.state)
    expect(ana.find(".displays")).to_contain_text("Zion")


def test_half_of_key_moves_the_hiker_with_its_number(server, new_phone):
    ana, bo = table = open_table_with_trail(server, new_phone, *NAMES)
    for seat, hike in ((0, Hike(0, 2)), (1, Hike(0, 1))):
        table.phones[seat].submit_move(table.path, seat, hike)
    ana.go(f"{table.path}/seat/0")
    before = table.table.version
    tap_button(ana, ana.find('#to-5 [data-number="2"]'))
    ana.wait_for_version(before + 1)
    assert table.table.state.players[0].hikers == (0, 5)
