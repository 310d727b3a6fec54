"""Turns of TRAILS by the picture alone and by buttons alone; every decision fits."""

import random
import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from scoring.games import TRACKED_GAMES
from scoring.trails.box import BADGES, FIRST_GAME_SITES
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard
from scoring.trails.moves.trail_setup import LaySites
from scoring.trails.state import EarnBadges, SiteAction
from tests.browser.midgame_tables import open_played_table, take_seat_device
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.trails_taps import tap_button, tap_move
from tests.browser.unreachable_choices import unreachable_choices
from tests.support.changed_secrets import substitute_table
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

pytestmark = pytest.mark.browser

TRACKED_GAME = TRACKED_GAMES["trails"]
SEED, MOVES, MOST = 5, 70, 1  # of the decisions of a game, how many may need a scroll


def tap_in_picture(phone: Phone, label: str) -> None:
    """Tap the middle of the element that has this label in the picture."""
    tap_button(phone, phone.find("#fragment-picture").get_by_label(re.compile(label)).first)


def wait_for_version(table: SeatedTable, number: int) -> SeatedTable:
    table.wait_for_version(number)
    return table


def test_hike_bear_and_badge_are_entered_on_picture_alone(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    tap_in_picture(ana, "^Hike 2 tiles to the leaf site")
    wait_for_version(table_of_two, before + 1)
    tap_in_picture(bo, "^Hike 3 tiles to the acorn site with the canteen")
    wait_for_version(table_of_two, before + 2)
    tap_in_picture(bo, "^Roll a rock")
    wait_for_version(table_of_two, before + 3)
    state = table_of_two.table.state
    assert ([player.space for player in state.players], state.bear) == ([2, 3], "rock")
    tap_in_picture(ana, "^Hike 2 tiles to the photo")
    wait_for_version(table_of_two, before + 4)
    table_of_two.play(0, Skip())
    tap_in_picture(bo, "^Hike 1 tile to the photo")
    wait_for_version(table_of_two, before + 6)
    table_of_two.play(1, Skip())
    tap_in_picture(ana, "^Hike 2 tiles to Trail End")
    wait_for_version(table_of_two, before + 8)
    tap_in_picture(ana, "^Roll a leaf")
    wait_for_version(table_of_two, before + 9)
    assert isinstance(table_of_two.table.state.tasks[-1], EarnBadges)
    badge = next(
        move.badge
        for move in EarnBadge.candidates(table_of_two.table.state, 0)
        if TRACKED_GAME.is_legal(table_of_two.table.state, 0, move)
    )
    tap_in_picture(ana, "^Earn the badge at ")
    tap_button(ana, ana.find(f'.full-screen .pick[value="{badge}"]'))
    wait_for_version(table_of_two, before + 10)
    assert table_of_two.table.state.players[0].badges == (badge,)


def test_card_is_named_by_two_taps_on_the_unnamed_card(table_of_two):
    bo = table_of_two.phones[1]
    before = table_of_two.table.version
    for number, badge in enumerate(("climber-acorn", "science"), 1):
        tap_in_picture(bo, "^Enter a badge at ")
        tap_button(bo, bo.find(f'.full-screen .pick[value="{badge}"]'))
        wait_for_version(table_of_two, before + number)
    assert table_of_two.table.state.trailhead == ("climber-acorn", "science")


def test_tap_on_card_at_reachable_end_names_it_and_does_not_hike(table_of_two):
    ana, bo = table_of_two
    version = table_of_two.play(0, Hike(2))
    expect(bo.find("#fragment-picture").get_by_label("Hike 6 tiles to Trail End with the canteen")).to_have_count(1)
    for phone, end in ((ana, "trailhead"), (bo, "trail-end")):
        card = phone.find(f'#fragment-picture a[href*="draft.name={end}"]').first
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        assert box
        phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
        tap_button(phone, phone.find('.full-screen .pick[value="science"]'))
        version += 1
        wait_for_version(table_of_two, version)
    state = table_of_two.table.state
    assert (state.trailhead[0], state.trail_end[0], state.players[1].space) == ("science", "science", 0)


def test_tap_on_named_card_leads_to_page_that_fixes_its_name(table_of_two):
    ana, bo = table_of_two
    wait_for_version(table_of_two, table_of_two.play(1, NameCard("trail-end", "science")))
    tap_in_picture(bo, "^Not Science\\? Fix it")
    bo.page.wait_for_url("**/tell#name-trail-end")
    expect(bo.find("#name-trail-end summary")).to_be_in_viewport()


def test_names_of_card_fit_screen_and_have_a_way_back(table_of_two):
    bo = table_of_two.phones[1]
    tap_in_picture(bo, "^Enter a badge at ")
    expect(bo.find(".full-screen .pick")).to_have_count(len({*BADGES}))
    assert unreachable_choices(bo) == []
    tap_button(bo, bo.link("Back"))
    expect(bo.find("#fragment-picture")).to_be_visible()


def test_tap_on_known_badge_earns_it(table_of_two):
    ana, bo = table_of_two
    table_of_two.play(0, Hike(1))
    version = table_of_two.table.version
    ana.submit_move(table_of_two.path, 0, Skip())
    bo.submit_move(table_of_two.path, 1, Hike(6, canteen=True))
    bo.submit_move(table_of_two.path, 1, RollWildlife("rock", "rock"))
    bo.submit_move(table_of_two.path, 1, NameCard("trail-end", "first-aid-rock"))
    wait_for_version(table_of_two, version + 4)
    tap_in_picture(bo, r"^Earn First Aid \(rock\)$")
    wait_for_version(table_of_two, version + 5)
    assert table_of_two.table.state.players[1].badges == ("first-aid-rock",)


def test_picture_shows_hiker_and_every_reachable_site(table_of_two):
    ana, _ = table_of_two
    far = ana.find("#fragment-picture button.tap-target:not(.canteen-hike)")
    expect(far).to_have_count(2)
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    ana.page.set_viewport_size({"width": 640, "height": 360})
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    expect(ana.find("#moves .move.primary").first).to_be_in_viewport(ratio=1)
    ana.page.set_viewport_size({"width": 360, "height": 640})


@pytest.mark.long("a rarer case in a browser")
def test_every_decision_of_random_game_is_on_the_screen(server, new_phone):
    names = ["Ana", "Bo", "Cleo"]
    log: list = []
    random_game(TRACKED_GAME, ready_setup(names), random.Random(SEED), log)
    table = open_seated_table(server, new_phone, *names)
    missed = []
    for number, (seat, move) in enumerate(log[:MOVES]):
        phone = table.phones[seat]
        phone.go(f"{table.path}/seat/{seat}")
        missed += [(number, label) for label in unreachable_choices(phone)][:1]
        phone.submit_move(table.path, seat, move)
    assert len(missed) <= MOST, missed


# Buttons of the sheet whose icons stick out of them.
CUT_TEXTS_SCRIPT = """() => [...document.querySelectorAll("#fragment-actions .move.compact")].filter((button) => {
  const { left, right } = button.getBoundingClientRect();
  const boxes = [...button.children].map((child) => child.getBoundingClientRect());
  return button.scrollWidth > button.clientWidth || boxes.some((box) => box.left < left || box.right > right);
}).map((button) => button.getAttribute("aria-label"))"""


def test_icons_of_night_exchange_fit_their_buttons(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    open_table = open_played_table(server, "trails", 2, [(0, LaySites(FIRST_GAME_SITES)), (0, Hike(1))])
    night = replace(open_table.state, sun=6, turn=0, tasks=(SiteAction("exchange"),)).with_player(
        0, cubes=(2, 2, 2), space=1
    )
    last = replace(open_table.steps[-1], after=night)
    phone = new_phone("Ana", address=server.address)
    take_seat_device(phone, server, 0)
    with substitute_table(server.store, replace(open_table, steps=(*open_table.steps[:-1], last))):
        phone.go(f"/t/{open_table.code}/seat/0")
        expect(phone.find("#fragment-actions .trade-grid .compact")).to_have_count(3)
        assert phone.page.evaluate(CUT_TEXTS_SCRIPT) == []


@pytest.mark.long("a rarer case in a browser")
def test_random_game_is_played_by_buttons_alone(server, new_phone):
    names = ["Ana", "Bo"]
    log: list = []
    state = random_game(TRACKED_GAME, ready_setup(names), random.Random(SEED), log)
    table = open_seated_table(server, new_phone, *names)
    entry_numbers = [len(log) - 1, *range(40)]
    for number, (seat, move) in enumerate(log):
        if number in entry_numbers:
            table.phones[seat].go(f"{table.path}/seat/{seat}")
            before = table.table
            tap_move(table.phones[seat], before.state, seat, move)
            table.phones[seat].wait_for_version(before.version + 1)
        else:
            table.phones[seat].submit_move(table.path, seat, move)
    assert table.table.state == state
