"""The picture of TRAILS is the control: whole turns by touching it alone, by the buttons alone; and every decision fits."""

import random
import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from scoring.games import PLAYS
from scoring.trails.box import BADGES, FIRST_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, Leave, Wildlife
from scoring.trails.moves.reveals import NameCard
from scoring.trails.moves.trail_setup import LaySites
from scoring.trails.state import AtSite, Earn
from tests.browser.fitting import out_of_reach
from tests.browser.phone import Phone
from tests.browser.seating import Seated, seated
from tests.browser.tables import hold
from tests.browser.tables import laid as at_table
from tests.browser.thumb import press, tap
from tests.support.other_secrets import serving
from tests.support.positions import laid
from tests.support.random_games import random_game

pytestmark = pytest.mark.browser

PLAY = PLAYS["trails"]
SEED, MOVES, MOST = 5, 70, 1  # of the decisions of a game, so many may need a scroll


def touch(phone: Phone, words: str) -> None:
    """Tap what the picture calls so, in its middle."""
    press(phone, phone.find("#p-picture").get_by_label(re.compile(words)).first)


def shown(table: Seated, number: int) -> Seated:
    table.all_show(number)
    return table


def test_a_hike_the_bear_and_a_badge_are_told_on_the_picture_alone(two):
    ana, bo = two
    before = two.table.number
    touch(ana, "^Hike 2 to the leaf site")
    shown(two, before + 1)
    touch(bo, "^Canteen: hike 3 to the acorn site")
    shown(two, before + 2)
    touch(bo, "^Rolled rock")
    shown(two, before + 3)
    state = two.table.state
    assert ([player.at for player in state.players], state.bear) == ([2, 3], "rock")
    touch(ana, "^Hike 2 to the photo")
    shown(two, before + 4)
    two.play(0, Leave())
    touch(bo, "^Hike 1 to the photo")
    shown(two, before + 6)
    two.play(1, Leave())
    touch(ana, "^Hike 2 to Trail End")
    shown(two, before + 8)
    touch(ana, "^Rolled leaf")
    shown(two, before + 9)
    assert isinstance(two.table.state.tasks[-1], Earn)
    badge = next(
        move.badge for move in EarnBadge.candidates(two.table.state, 0) if PLAY.legal(two.table.state, 0, move)
    )
    touch(ana, "^Earn the badge lying here")
    press(ana, ana.find(f'.whole-screen .pick[value="{badge}"]'))
    shown(two, before + 10)
    assert two.table.state.players[0].badges == (badge,)


def test_a_card_is_named_by_two_taps_and_the_unnamed_one_is_meant(two):
    bo = two.phones[1]
    before = two.table.number
    for number, badge in enumerate(("climber-acorn", "science"), 1):
        touch(bo, "^Name the badge lying here")
        press(bo, bo.find(f'.whole-screen .pick[value="{badge}"]'))
        shown(two, before + number)
    assert two.table.state.trailhead == ("climber-acorn", "science")


def test_tap_on_a_card_at_an_end_in_reach_names_it_and_does_not_hike(two):
    ana, bo = two
    version = two.play(0, Hike(2))
    expect(bo.find("#p-picture").get_by_label("Hike 6 to Trail End")).to_have_count(1)
    for phone, end in ((ana, "trailhead"), (bo, "trail-end")):
        card = phone.find(f'#p-picture a[href*="draft.name={end}"]').first
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        assert box
        phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
        press(phone, phone.find('.whole-screen .pick[value="science"]'))
        version += 1
        shown(two, version)
    state = two.table.state
    assert (state.trailhead[0], state.trail_end[0], state.players[1].at) == ("science", "science", 0)


def test_tap_on_a_named_card_leads_to_where_its_name_is_fixed(two):
    ana, bo = two
    shown(two, two.play(1, NameCard("trail-end", "science")))
    touch(bo, "^Fix: not Science")
    bo.page.wait_for_url("**/tell#name-trail-end")
    expect(bo.find("#name-trail-end summary")).to_be_in_viewport()


def test_the_names_a_card_can_have_fit_the_screen_and_there_is_a_way_back(two):
    bo = two.phones[1]
    touch(bo, "^Name the badge lying here")
    expect(bo.find(".whole-screen .pick")).to_have_count(len({*BADGES}))
    assert out_of_reach(bo) == []
    press(bo, bo.link("Back"))
    expect(bo.find("#p-picture")).to_be_visible()


def test_a_tap_on_a_plate_that_is_told_earns_it(two):
    ana, bo = two
    two.play(0, Hike(1))
    version = two.table.number
    ana.say(two.path, 0, Leave())
    bo.say(two.path, 1, Hike(6, canteen=True))
    bo.say(two.path, 1, Wildlife("rock", "rock"))
    bo.say(two.path, 1, NameCard("trail-end", "first-aid-rock"))
    shown(two, version + 4)
    touch(bo, r"^Earn First Aid \(rock\)$")
    shown(two, version + 5)
    assert two.table.state.players[1].badges == ("first-aid-rock",)


def test_the_picture_shows_the_hiker_and_all_that_can_be_reached_on_foot(two):
    ana, _ = two
    far = ana.find("#p-picture button.tap:not(.far)")
    expect(far).to_have_count(2)
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    ana.page.set_viewport_size({"width": 640, "height": 360})
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    expect(ana.find("#moves .move.primary").first).to_be_in_viewport(ratio=1)
    ana.page.set_viewport_size({"width": 360, "height": 640})


@pytest.mark.long("a rarer case in a browser")
def test_every_decision_of_a_random_game_is_on_the_screen(server, new_phone):
    names = ["Ana", "Bo", "Cleo"]
    log: list = []
    random_game(PLAY, laid(names), random.Random(SEED), log)
    table = seated(server, new_phone, *names)
    missed = []
    for number, (seat, move) in enumerate(log[:MOVES]):
        phone = table.phones[seat]
        phone.go(f"{table.path}/seat/{seat}")
        missed += [(number, what) for what in out_of_reach(phone)][:1]
        phone.say(table.path, seat, move)
    assert len(missed) <= MOST, missed


# Buttons of the sheet whose signs stick out of them.
CUT = """() => [...document.querySelectorAll("#p-sheet .move.cell")].filter((each) => {
  const inner = [...each.children].map((child) => child.getBoundingClientRect()), { left, right } = each.getBoundingClientRect();
  return each.scrollWidth > each.clientWidth || inner.some((box) => box.left < left || box.right > right);
}).map((each) => each.getAttribute("aria-label"))"""


def test_signs_of_the_night_exchange_fit_their_buttons(small_server, new_phone):
    server = small_server(8)
    told = at_table(server, "trails", 2, [(0, LaySites(FIRST_GAME)), (0, Hike(1))])
    night = replace(told.state, sun=6, turn=0, tasks=(AtSite("exchange"),)).with_player(0, cubes=(2, 2, 2), at=1)
    last = replace(told.steps[-1], after=night)
    phone = new_phone("Ana", address=server.address)
    hold(phone, server, 0)
    with serving(server.store, replace(told, steps=(*told.steps[:-1], last))):
        phone.go(f"/t/{told.code}/seat/0")
        expect(phone.find("#p-sheet .give .cell")).to_have_count(3)
        assert phone.page.evaluate(CUT) == []


@pytest.mark.long("a rarer case in a browser")
def test_by_buttons_alone_a_random_game_goes_as_it_was_told(server, new_phone):
    names = ["Ana", "Bo"]
    log: list = []
    state = random_game(PLAY, laid(names), random.Random(SEED), log)
    table = seated(server, new_phone, *names)
    told = [len(log) - 1, *range(40)]
    for number, (seat, move) in enumerate(log):
        if number in told:
            table.phones[seat].go(f"{table.path}/seat/{seat}")
            before = table.table
            tap(table.phones[seat], before.state, seat, move)
            table.phones[seat].shows(before.number + 1)
        else:
            table.phones[seat].say(table.path, seat, move)
    assert table.table.state == state
