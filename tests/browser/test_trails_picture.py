"""Turns of TRAILS by the picture alone and by buttons alone; every decision fits."""

import json
import random

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from scoring.games import TRACKED_GAMES
from scoring.trails.box import BADGES, FIRST_GAME_SITES
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.moves.reveals import NameCard, NoteHand
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
SEED, MOVES = 5, 70


def tap_in_picture(phone: Phone, selector: str) -> None:
    """Tap the middle of the first element of the picture that matches."""
    tap_button(phone, phone.find(f"#fragment-picture {selector}").first)


def tap_tile(phone: Phone, key: str) -> None:
    """Tap the tile of the picture that stands for a key, by the id of the key."""
    tap_in_picture(phone, f'.reach-tile[data-click-target="{key}"]')


def wait_for_version(table: SeatedTable, number: int) -> SeatedTable:
    table.wait_for_version(number)
    return table


def test_hike_and_bear_are_entered_on_picture_and_badge_by_its_key(table_of_two):
    ana, bo = table_of_two
    before = table_of_two.table.version
    tap_tile(ana, "hike-2")
    wait_for_version(table_of_two, before + 1)
    tap_tile(bo, "hike-3")
    wait_for_version(table_of_two, before + 2)
    tap_tile(bo, "roll-rock")
    wait_for_version(table_of_two, before + 3)
    state = table_of_two.table.state
    assert ([player.space for player in state.players], state.bear) == ([2, 3], "rock")
    tap_tile(ana, "hike-2")
    wait_for_version(table_of_two, before + 4)
    table_of_two.play(0, Skip())
    tap_tile(bo, "hike-1")
    wait_for_version(table_of_two, before + 6)
    table_of_two.play(1, Skip())
    tap_tile(ana, "hike-2")
    wait_for_version(table_of_two, before + 8)
    tap_tile(ana, "roll-leaf")
    wait_for_version(table_of_two, before + 9)
    assert isinstance(table_of_two.table.state.tasks[-1], EarnBadges)
    badge = next(
        move.badge
        for move in EarnBadge.candidates(table_of_two.table.state, 0)
        if TRACKED_GAME.is_legal(table_of_two.table.state, 0, move)
    )
    key = json.dumps({"type": "earn-badge", "badge": badge}, separators=(",", ":"))
    tap_button(ana, ana.find(f"#moves button[value='{key}']"))
    wait_for_version(table_of_two, before + 10)
    assert table_of_two.table.state.players[0].badges == (badge,)


def test_card_is_named_by_two_taps_on_the_unnamed_card(table_of_two):
    bo = table_of_two.phones[1]
    before = table_of_two.table.version
    for number, badge in enumerate(("climber-acorn", "science"), 1):
        tap_in_picture(bo, ".trailhead a.unknown")
        tap_button(bo, bo.find(f'.full-screen .pick[value="{badge}"]'))
        wait_for_version(table_of_two, before + number)
    assert table_of_two.table.state.trailhead == ("climber-acorn", "science")


def test_tap_on_card_at_reachable_end_names_it_and_does_not_hike(table_of_two):
    ana, bo = table_of_two
    version = table_of_two.play(0, Hike(2))
    expect(bo.find('.reach-tile[data-click-target="hike-6"]')).to_have_count(1)
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
    tap_in_picture(bo, ".trail-end a.all")
    bo.page.wait_for_url("**/tell#name-trail-end")
    expect(bo.find("#name-trail-end summary")).to_be_in_viewport()


def test_names_of_card_fit_screen_and_have_a_way_back(table_of_two):
    bo = table_of_two.phones[1]
    tap_in_picture(bo, "a.unknown")
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
    bo.submit_move(table_of_two.path, 1, NameCard("trail-end", "climber-acorn"))
    bo.submit_move(table_of_two.path, 1, NoteHand("climber-leaf"))
    wait_for_version(table_of_two, version + 6)
    tap_in_picture(bo, '[data-click-target="earn-first-aid-rock"]')
    wait_for_version(table_of_two, version + 7)
    assert table_of_two.table.state.players[1].badges == ("first-aid-rock",)


def test_picture_shows_hiker_and_every_reachable_site(table_of_two):
    ana, _ = table_of_two
    far = ana.find(".reach-tile:not(.by-canteen)")
    expect(far).to_have_count(2)
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    ana.page.set_viewport_size({"width": 640, "height": 360})
    for number in range(2):
        expect(far.nth(number)).to_be_in_viewport(ratio=0.99)
    expect(ana.find("#moves .move-key.primary").first).to_be_in_viewport(ratio=1)
    ana.page.set_viewport_size({"width": 360, "height": 640})


# The hikers and the bear that stick out of the picture, and whether the picture can be panned.
CUT_FIGURES_SCRIPT = """() => {
  const strip = document.querySelector(".strip"), { left, right, bottom } = strip.getBoundingClientRect();
  const figures = [...strip.querySelectorAll(".animated")].filter((figure) => {
    const boxes = [...figure.querySelectorAll("path, use, text")].map((part) => part.getBoundingClientRect());
    return boxes.some((box) => box.left < left - 1 || box.right > right + 1 || box.bottom > bottom + 1);
  });
  const pans = strip.scrollWidth > strip.clientWidth ? ["the picture pans"] : [];
  return [...figures.map((figure) => figure.id), ...pans];
}"""


def test_whole_track_and_all_figures_are_visible_without_panning(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    table = open_played_table(server, "trails", 4, [(0, LaySites(FIRST_GAME_SITES))])
    crowded = table.state
    for seat in range(4):
        crowded = crowded.with_player(seat, space=2, facing=(-1) ** seat)
    last = replace(table.steps[-1], after=replace(crowded, bear="leaf"))
    phone = new_phone("Ana", address=server.address)
    take_seat_device(phone, server, 0)
    with substitute_table(server.store, replace(table, steps=(*table.steps[:-1], last))):
        phone.go(f"/t/{table.code}/seat/0")
        assert phone.page.evaluate(CUT_FIGURES_SCRIPT) == []


def test_each_hike_is_one_key_with_its_number_in_the_picture(table_of_two):
    ana, _ = table_of_two
    keys = [json.loads(value) for value in ana.find("#moves button").evaluate_all("all => all.map(key => key.value)")]
    assert [key["steps"] for key in keys] == [1, 2, 3, 4, 5, 6]
    assert ana.find(".reach-tile .foot").all_inner_texts() == ["1", "2", "3", "4", "5", "6"]
    assert ana.find("#fragment-picture :is(button, input)").count() == 0


def test_keys_of_badges_and_end_turn_are_on_the_screen(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    table = open_played_table(server, "trails", 4, [(0, LaySites(FIRST_GAME_SITES)), (0, Hike(2))])
    phone = new_phone("Bo", address=server.address)
    take_seat_device(phone, server, 1)
    missed = []
    for known in ((None, None), ("climber-acorn", None), ("climber-acorn", "first-aid-rock")):
        for cubes in ((1, 1, 1), (2, 1, 2), (2, 2, 2), (3, 2, 3), (5, 0, 2), (3, 3, 2)):
            for turns_left in (None, 2):
                at_end = replace(
                    table.state, turn=1, tasks=(EarnBadges("trail-end"),), trail_end=known, turns_left=turns_left
                ).with_player(1, space=6, cubes=cubes)
                at_end = replace(at_end, sun_holder=None if turns_left is None else 0)
                last = replace(table.steps[-1], after=at_end)
                with substitute_table(server.store, replace(table, steps=(*table.steps[:-1], last))):
                    phone.go(f"/t/{table.code}/seat/1")
                    expect(phone.find("#moves .end-turn")).to_be_visible()
                    missed += [(known, cubes, turns_left, label) for label in unreachable_choices(phone)]
    assert missed == []


def test_keys_of_badges_are_on_the_screen_below_reminders(start_in_process_server, new_phone):
    server = start_in_process_server(8)
    moves = [(0, LaySites(FIRST_GAME_SITES)), (0, Hike(1)), (1, Hike(1)), (2, Hike(6, canteen=True))]
    table = open_played_table(server, "trails", 4, moves)
    last = replace(table.steps[-1], after=table.state.with_player(2, cubes=(1, 1, 2)))
    phone = new_phone("Cleo", address=server.address)
    take_seat_device(phone, server, 2)
    with substitute_table(server.store, replace(table, steps=(*table.steps[:-1], last))):
        phone.go(f"/t/{table.code}/seat/2")
        expect(phone.find("ul.reminders")).to_be_visible()
        expect(phone.find("#moves.many-moves .end-turn")).to_be_visible()
        assert unreachable_choices(phone) == []


def test_setup_frames_the_column_of_the_next_site(server, new_phone):
    ana, _ = open_seated_table(server, new_phone, "Ana", "Bo", is_bare=True)
    expect(ana.find("h1")).to_have_text("Setup Which site is next to the Trailhead?")
    expect(ana.find(".reach-tile.space-1")).to_have_count(1)


def test_waiting_phone_marks_the_player_who_hikes(table_of_two):
    bo = table_of_two.phones[1]
    row = bo.find(".waiting-player.is-active")
    expect(row.locator(".last-turn")).to_contain_text("Hiking now")
    expect(row.locator(".hiker-figure")).to_be_visible()


# The letters of discs in the color of each hiker that are hard to read: less than 4.5:1.
PALE_LETTERS_SCRIPT = """() => {
  const light = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  return ["", "brown", "green", "grey", "white", "red", "blue", "yellow", "black"].filter((color) => {
    const className = color ? `disc piece-${color}` : "disc";
    const disc = Object.assign(document.createElement("span"), { className, textContent: "A" });
    document.body.append(disc);
    const style = getComputedStyle(disc), values = [light(style.color), light(style.backgroundColor)];
    disc.remove();
    return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05) < 4.5;
  });
}"""


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_letters_of_discs_are_easy_to_read(table_of_two, color_scheme):
    page = table_of_two.phones[0].page
    page.emulate_media(color_scheme=color_scheme)
    assert page.evaluate(PALE_LETTERS_SCRIPT) == []


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
    assert missed == []


# Buttons of the sheet whose icons stick out of them.
CUT_TEXTS_SCRIPT = """() => [...document.querySelectorAll("#fragment-actions .move-key")].filter((button) => {
  const { left, right } = button.getBoundingClientRect();
  const boxes = [...button.children].map((child) => child.getBoundingClientRect());
  return button.scrollWidth > button.clientWidth || boxes.some((box) => box.left < left || box.right > right);
}).map((button) => button.textContent)"""


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
        expect(phone.find("#fragment-actions .trade")).to_have_count(3)
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
