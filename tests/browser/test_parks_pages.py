"""The pages of PARKS fit a phone, show the next task, and work with forms and links alone."""

import functools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from companion.log.table import Table
from scoring.parks import TRACKED_GAME
from scoring.parks.moves.reveals import NamePark
from scoring.parks.state import State
from tests.browser.parks_game import GameLog, find_game
from tests.browser.parks_taps import find_control, open_table_with_trail
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table
from tests.browser.test_pages_fit import page_faults, page_faults_in_both_schemes
from tests.browser.trails_taps import tap_button

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Bo")
SEED = 821
NEXT = "#fragment-actions form.moves-form button:visible, #fragment-actions .letter-picker label:visible"
PAGES = ("", "/seat/0", "/seat/0/log", "/seat/0/tell", "/score", "/board", "/print")
# Tasks that occur in the turns of the golden game.
TASKS = {
    "StartHike", "PlaceWater", "DoAction buy", "DoAction canteen or photo", "DoAction photo", "DoAction trade",
    "DoAction roll", "ParksAction", "SecondPhoto", "ChooseSide", "NameSeasonTile", "LayTrail", "RollForShutterbug",
}  # fmt: skip


def current_task(state: State) -> str:
    """Return the name of the current task of a turn."""
    task = state.tasks[-1]
    return f"{type(task).__name__} {getattr(task, 'action', '')}".strip()


def first_move_of_each_task(moves: GameLog) -> dict[int, str]:
    """Return the moves of a game at which a task appears for the first time, with the task."""
    state, first = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(list(NAMES))), {}
    for number, (seat, move) in enumerate(moves):
        if not move.out_of_turn or current_task(state) == "NameSeasonTile":
            first.setdefault(current_task(state), number)
        state = TRACKED_GAME.play(state, seat, move)
    return {number: task for task, number in first.items()}


@pytest.mark.long("a whole game in a browser")
def test_each_task_of_turn_is_on_screen_and_reachable(server, new_phone):
    moves = find_game(NAMES, SEED)
    stops = first_move_of_each_task(moves)
    assert set(stops.values()) >= TASKS
    table = open_seated_table(server, new_phone, *NAMES, game="parks")
    for number, (seat, move) in enumerate(moves):
        if number in stops:
            phone = table.phones[seat]
            phone.go(f"{table.path}/seat/{seat}")
            expect(phone.find(NEXT).first).to_be_in_viewport(ratio=1)
            assert page_faults(phone) == [], stops[number]
        table.phones[seat].submit_move(table.path, seat, move)
    for page in PAGES:
        if page != "/seat/0/tell":
            table.phones[0].go(f"{table.path}{page}")
            assert page_faults(table.phones[0]) == [], page


@pytest.mark.long("a rarer case in a browser")
def test_pages_of_table_of_five_fit_phone(server, new_phone):
    names = ("Anastasia-Maria Papadopoulou-Smith", "Bo", "Cleo", "Dimitri", "Eve")
    phone = new_phone(names[0])
    table = open_seated_table(server, lambda *_: phone, *names, game="parks")
    for page in ("/setup", *PAGES):
        phone.go(f"{table.path}{page}")
        assert page_faults_in_both_schemes(phone) == [], page


@pytest.mark.long("a rarer case in a browser")
def test_card_facts_and_score_entry_fit_phone(server, new_phone):
    table = open_seated_table(server, new_phone, *NAMES, game="parks-tally")
    phone = table.phones[0]
    for path in (
        "/box/parks",
        "/new/parks",
        "/rules/parks",
        f"{table.path}/setup",
        *(f"{table.path}{page}" for page in PAGES),
    ):
        phone.go(path)
        assert page_faults(phone) == [], path


def tap_buttons(phone: Phone, *names: str | re.Pattern) -> None:
    """Tap buttons that send their form, each on the page that the last one led to."""
    for name in names:
        with phone.page.expect_navigation():
            phone.button(name).first.tap()


@pytest.fixture
def table_without_scripts(server, new_phone) -> SeatedTable:
    """Provide a table where no phone runs scripts."""
    return open_table_with_trail(server, functools.partial(new_phone, java_script_enabled=False), *NAMES)


def test_turn_is_played_by_forms_and_links(table_without_scripts):
    ana, bo = table_without_scripts
    tap_buttons(ana, re.compile("^Hike.* to the Parks site"))
    ana.find("#reserve-one > summary").tap()
    ana.find("#reserve-one .letter-picker > label", has_text="G").tap()
    park = ana.find('#reserve-one .card-options button[value="Gateway Arch"]')
    expect(park).to_be_visible()
    expect(ana.find('#reserve-one .card-options button[value="Zion"]')).to_be_hidden()
    with ana.page.expect_navigation():
        park.tap()
    assert table_without_scripts.table.state.players[0].reserve == ("Gateway Arch",)
    bo.page.reload()
    expect(bo.find("h1")).to_contain_text("Your turn")
    tap_buttons(bo, re.compile("Forest site"))
    assert table_without_scripts.table.state.players[1].tokens == (1, 0, 0, 0, 0)


@pytest.mark.long("a rarer case in a browser")
def test_correction_asks_only_for_changed_fields_and_applies_when_agreed(table_without_scripts):
    ana, bo = table_without_scripts
    ana.follow_link("/tell")
    ana.find("details#edit-1 > summary").tap()
    ana.find("details#edit-1").get_by_label("Sun", exact=True).fill("3")
    with ana.page.expect_navigation():
        ana.find("#right").get_by_role("button", name="Fix it").tap()
    bo.page.reload()
    expect(bo.find(".proposal")).to_contain_text("Bo\u2019s Sun 0 \u2192 3")
    tap_buttons(bo, "Agree")
    assert table_without_scripts.table.state.players[1].tokens == (0, 0, 3, 0, 0)


def request_correction(ana: Phone, bo: Phone, part: str, fill: dict[str, str]) -> None:
    """Request a correction of a player or the table, and have it approved."""
    enter_correction(ana, part, fill)
    bo.button("Agree").tap()
    expect(bo.find(".proposal")).to_have_count(0)


def enter_correction(ana: Phone, part: str, fill: dict[str, str]) -> None:
    """Enter a correction; no one has to agree to one of only the own things."""
    ana.follow_link("/tell")
    section = ana.unfold(part)
    for name, value in fill.items():
        field = section.locator(f'[name="{name}"]')
        field.select_option(value) if field.evaluate("field => field.tagName") == "SELECT" else field.fill(value)
    with ana.page.expect_navigation():
        ana.find("#right").get_by_role("button", name="Fix it").tap()


CORRECTIONS = [
    ("edit-1", {"more.players.1.visited": "Zion"}, lambda now: now.players[1].visited == ("Zion",)),
    ("edit-0", {"more.players.0.reserve": "Acadia"}, lambda now: now.players[0].reserve == ("Acadia",)),
    ("edit-1", {"more.players.1.gear": "compass-die"}, lambda now: now.players[1].gear == ("compass-die",)),
    (
        "edit-0",
        {"more.players.0.bottom.canteens": "parks", "is.players.0.bottom.water": "full"},
        lambda now: (now.players[0].canteens[2], now.players[0].filled[2]) == (("parks",), True),
    ),
    (
        "edit-0",
        {"is.players.0.passion": "Botany", "is.players.0.side": "end"},
        lambda now: now.players[0].side == "end",
    ),
    ("edit-2", {"is.badge": "1", "is.first_hiker": "1"}, lambda now: (now.badge, now.first_hiker) == (1, 1)),
    ("edit-2", {"is.weather.1": "water"}, lambda now: now.weather[1] == "water"),
    (
        "edit-2",
        {"is.sites.2": "gear", "is.sites.8": "sun"},
        lambda now: (now.sites[2], now.sites[8]) == ("gear", "sun"),
    ),
]


@pytest.mark.long("a rarer case in a browser")
def test_every_position_field_can_be_corrected(server, new_phone):
    ana, bo = table = open_table_with_trail(server, new_phone, *NAMES)
    for part, fill, holds in CORRECTIONS:
        request_correction(ana, bo, part, fill)
        assert holds(table.table.state), part


@pytest.mark.long("a rarer case in a browser")
def test_face_up_card_is_named_and_wrong_name_fixed(server, new_phone):
    ana, _ = table = open_seated_table(server, new_phone, *NAMES, game="parks")

    def name(part: str, button: str, *choices: str) -> None:
        version = table.table.version
        ana.follow_link("/tell")
        form = ana.unfold(part).locator("form").first
        for choice in choices:
            form.locator(f"label:has(input[value='{choice}'])").tap()
        form.locator(f'button[value="{button}"]').tap()
        ana.wait_for_version(version + 1)

    name("name-park", "Zion", "Z")
    name("name-park", "Yosemite", "Zion", "Y")
    name("name-gear", "journal-sun", "sun")
    name("name-canteen", "trade")
    name("name-tile", "spring-water")
    name("name-passion", "Botany")
    state = table.table.state
    assert (state.parks.count(None), "Yosemite" in state.parks) == (2, True)
    assert "journal-sun" in state.market and "trade" in state.canteens
    assert (state.tile, state.players[0].passion) == ("spring-water", "Botany")
    ana.follow_link("/tell")
    ana.unfold("name-park").get_by_label("Park name").fill("Zoin")
    ana.expect_in_console("422")
    ana.unfold("name-park").get_by_role("button", name="Enter park").tap()
    expect(ana.find("[role=alert]:not(#error-banner)")).to_contain_text("Did you mean \u201cZion\u201d?")


@pytest.mark.long("a rarer case in a browser")
def test_custom_card_is_added_once_and_known_to_later_tables(own_server, new_phone):
    phone = new_phone("Ana", own_server.address).become_owner(own_server.card_facts)
    phone.go("/box/parks")
    for group, fields in (
        ("parks", {"name": "Town Park", "points": "3", "sun": "2", "instant": "roll"}),
        ("gear", {"name": "Kite", "cost": "2", "when": "die", "effect": "2 water"}),
        (
            "passions",
            {"name": "Stargazing", "number": "2", "goal": "photos", "gear": "free gear", "each": "2", "end": "photos"},
        ),
    ):
        part = phone.unfold(f"add-{group}")
        for name, value in fields.items():
            field = part.locator(f'[name="facts.{group}.0.{name}"]')
            field.select_option(value) if field.evaluate("field => field.tagName") == "SELECT" else field.fill(value)
        with phone.page.expect_navigation():
            part.get_by_role("button", name="Save card").tap()
        expect(phone.find(".own-cards").last).to_contain_text(fields["name"])
    assert page_faults(phone) == []
    table = open_seated_table(own_server, new_phone, *NAMES, game="parks")
    ana = table.phones[0]
    ana.follow_link("/tell")
    ana.unfold("name-passion").get_by_role("button", name="Stargazing").tap()
    expect(ana.find(".own-area .passion")).to_contain_text("Stargazing: have 2 photos (0 of 2)")
    ana.follow_link("/tell")
    ana.unfold("name-park").locator('.letter-picker > label:has(input[value="T"])').tap()
    ana.unfold("name-park").get_by_role("button", name="Town Park").tap()
    expect(ana.find(".open-cards")).to_contain_text("Town Park")
    phone.go("/box/parks")
    phone.button("Remove Kite").tap()
    expect(phone.button("Remove Kite")).to_have_count(0)


def test_score_entry_counts_a_game(server, new_phone):
    table = open_seated_table(server, new_phone, *NAMES, game="parks-tally")

    def count(seat: int, button: Callable[[Phone], Locator]) -> Table:
        version = table.table.version
        phone = table.phones[seat]
        phone.wait_for_version(version)
        tap_button(phone, button(phone))
        phone.wait_for_version(version + 1)
        return table.table

    for seat, park in ((0, "Zion"), (0, "Acadia"), (1, "Everglades")):
        table.phones[seat].wait_for_version(table.table.version)
        table.phones[seat].find(f'.letter-picker label:has(input[value="{park[0]}"])').tap()
        count(seat, lambda phone: phone.find(f'.card-options button[value="{park}"]'))
    count(0, lambda phone: phone.find(".keypad").get_by_role("button", name="3", exact=True))
    count(
        0,
        lambda phone: phone.unfold("passion").get_by_role("button", name=re.compile("Mountaineering ?End Game Bonus")),
    )
    count(0, lambda phone: phone.button("Done"))
    expect(table.phones[1].find("#fragment-actions")).to_contain_text("Who has the First Hiker token?")
    count(0, lambda phone: phone.button("Change my count"))
    count(0, lambda phone: phone.button("I have the First Hiker token"))
    count(1, lambda phone: phone.button("Water", exact=True))
    expect(table.phones[0].find(".entry-total strong")).to_have_text("16")
    for seat in (0, 1):
        count(seat, lambda phone: phone.button("Done"))
    for phone, result_text in zip(table, ("You win", "Ana wins"), strict=True):
        expect(phone.find(".winner h2")).to_contain_text(f"{result_text} with 16 points")


@pytest.mark.long("a rarer case in a browser")
def test_card_is_paid_in_another_way_from_folded_section(server, new_phone):
    ana, _ = table = open_table_with_trail(server, new_phone, *NAMES)
    tokens = {"sun": "2", "wildlife": "2", "mountain": "1"}
    enter_correction(ana, "edit-0", {f"is.players.0.{kind}": count for kind, count in tokens.items()})
    ana.submit_move(table.path, 0, NamePark("Arches"))
    ana.go(f"{table.path}/seat/0")
    ana.button(re.compile("^Hike.* to the Parks site")).tap()
    expect(ana.find("#ways")).to_be_attached()
    hike = next(
        offer.move
        for offer in TRACKED_GAME.offers(table.table.state, 0)
        if offer.is_legal and getattr(offer.move, "sun", 0) == 2
    )
    before = table.table.version
    find_control(ana, table.table.state, hike).tap()
    ana.wait_for_version(before + 1)
    assert table.table.state.players[0].tokens == (0, 0, 2, 1, 0)  # the Water token that was on the Parks site
