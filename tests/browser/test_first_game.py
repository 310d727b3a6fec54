"""A first game on phones: guided setup, lessons, a late phone, the demo."""

import random
import re

import pytest
from playwright.sync_api import expect

from companion.log.table import Table
from companion.pages.setup_guide import SetupCard, setup_card
from scoring.games import TRACKED_GAMES
from scoring.kernel.lessons import GOAL
from scoring.kernel.move import Move, Phase
from scoring.parks.moves import hiking
from scoring.trails.moves.hiking import Hike
from tests.browser.parks_taps import open_table_with_trail
from tests.browser.phone import Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table, open_table, sit
from tests.support import count_touches
from tests.support.count_touches import TITLES, TitlePlan

pytestmark = pytest.mark.browser

CARD, STEP = ".lesson-card p", ".setup-text"
PLANS = ["trails", "parks", "alpine-trails", "on-the-trail-unknown"]
FORM_STEPS = {"animals"}  # at which a form is filled in, and not a move made
NAMES = ("Nia", "Oli")  # no other test has finished a game with them; their phones hold seats 0 and 1


def lesson_text(key: str, id: str) -> str:
    lessons = TRACKED_GAMES[key].lessons
    assert lessons
    return lessons.by_id[id].text


def open_new_table(server, new_phone, *names: str, game: str) -> SeatedTable:
    """Open a table by the pages, and take the seats by tapping the names."""
    phones = tuple(new_phone(name, server.address) for name in names)
    open_table(phones[0], *names, game=game)
    address = phones[0].page.url
    for phone in phones:
        phone.go(address)
        sit(phone, phone.name)
    return SeatedTable(server, address.rpartition("/")[2], phones)


def tap_elsewhere(phone: Phone) -> None:
    """Tap the heading, so that the next tap is not taken for the second tap of a double tap."""
    phone.find(".turnbar h1").tap()


def tap_guide(phone: Phone, name: str | re.Pattern) -> None:
    phone.find(".setup-buttons").get_by_role("button", name=name).tap()


def set_up(table: SeatedTable, plan: TitlePlan, rng: random.Random) -> None:
    """Go through the guided setup by touch, on the phones in turn."""
    turn = 0
    while card := wait_for_step(table):
        move = None
        seat = NAMES.index(card.waiting_names[0]) if card.waiting_names else turn % 2
        if card.waits_for_entry and card.step.id not in FORM_STEPS:
            move = setup_move(plan, table.table, seat, rng)
        version = table.table.version
        tap_elsewhere(table.phones[seat])
        if move is None:
            tap_guide(table.phones[seat], re.compile("done|Enter later|Go on"))
        else:
            plan.play_move(table.phones[seat], table.table.state, seat, move, None)
        wait_for_change(table, card, version)
        turn += 1


def wait_for_step(table: SeatedTable) -> SetupCard | None:
    """Return the step of the guide once all phones show it, or None when they show none."""

    def is_shown() -> bool:
        card = setup_card(table.table)
        texts = [phone.find(STEP).all_inner_texts() for phone in table]
        return texts == [[card.step.text] if card else []] * len(table.phones)

    table.phones[0].wait_for(is_shown, "the phones do not show the step of the guide")
    return setup_card(table.table)


def wait_for_change(table: SeatedTable, card: SetupCard, version: int) -> None:
    """Wait until a tap is stored; the last entry of a step ticks it off as well."""

    def is_stored() -> bool:
        current = setup_card(table.table)
        return table.table.version > version and (
            current is None or current.step != card.step or current.waits_for_entry
        )

    table.phones[0].wait_for(is_stored, f"the table is still at version {version}")


def setup_move(plan: TitlePlan, table: Table, seat: int, rng: random.Random) -> Move | None:
    """Return a move that the setup asks of a seat now, if it asks for one."""
    kinds = tuple(kind for kind in plan.tracked.available_moves(table.state) if kind.phase is Phase.SETUP)
    return count_touches.common_move(plan, plan.tracked, table.state, seat, rng, kinds) if kinds else None


def play_round(table: SeatedTable, plan: TitlePlan, rng: random.Random) -> None:
    """Play by touch until each player has finished a turn."""
    tracked = plan.tracked
    while not all(has_finished_a_turn(table.table, seat) for seat in range(len(NAMES))):
        current = table.table
        seat = next(seat for seat in tracked.flow.to_move(current.state) if not has_finished_a_turn(current, seat))
        phone = table.phones[seat]
        phone.wait_for_version(current.version)
        move = count_touches.common_move(
            plan, tracked, current.state, seat, rng, tracked.available_moves(current.state)
        )
        assert move
        tap_elsewhere(phone)
        plan.play_move(phone, current.state, seat, move, None)
        phone.wait_for_version(current.version + 1)


def has_finished_a_turn(table: Table, seat: int) -> bool:
    starts = [id for id, name in table.turn_starts.items() if name == table.names[seat]]
    return bool(starts) and not table.tracked.is_turn_unfinished(table.find_step(starts[0]).before, table.state, seat)


@pytest.mark.parametrize("name", PLANS)
def test_newcomers_set_up_and_play_the_first_round(server, new_phone, name: str):
    plan, rng = TITLES[name], random.Random(name)
    table = open_new_table(server, new_phone, *NAMES, game=plan.game)
    for phone in table:
        expect(phone.find(CARD)).to_contain_text("Have you played")
        phone.button("First time").tap()
        expect(phone.find(STEP)).to_be_visible()
    for phone in table:
        expect(phone.find(CARD)).to_have_text(lesson_text(plan.game, GOAL))
        phone.button("Got it").tap()
        expect(phone.find(CARD)).to_have_count(0)
    set_up(table, plan, rng)
    turn_texts = [lesson.text for lesson in plan.tracked.lessons.texts.turn]
    first_to_move = table.phones[plan.tracked.flow.to_move(table.table.state)[0]]
    expect(first_to_move.find(STEP)).to_have_count(0)
    assert first_to_move.find(CARD).inner_text() in turn_texts
    play_round(table, plan, rng)
    assert [phone.unexpected for phone in table] == [[], []]


def test_one_newcomer_among_experts_is_taught_alone(server, new_phone):
    table = open_seated_table(server, new_phone, *NAMES, has_played=False)
    ana, bo = table
    ana.button("Played before").tap()
    expect(ana.find(CARD)).to_have_count(0)
    bo.button("First time").tap()
    expect(ana.find(STEP)).to_be_visible()
    tap_guide(ana, "Skip the steps")
    expect(bo.find(CARD)).to_have_text(lesson_text("trails", GOAL))
    expect(ana.find(CARD)).to_have_count(0)
    table.play(0, Hike(1))
    expect(ana.find(CARD)).to_have_count(0)


def test_lesson_is_gone_after_the_choice_that_it_is_about(server, new_phone):
    ana, _ = table = open_seated_table(server, new_phone, *NAMES, has_played=False)
    ana.button("First time").tap()
    tap_guide(ana, "Skip the steps")
    ana.button("Got it").tap()
    expect(ana.find(CARD)).to_have_text(lesson_text("trails", "hike"))
    table.play(0, Hike(2))
    ana.find(".undo button").tap()
    ana.wait_until("document.querySelector('.hike-keys')")
    expect(ana.find(CARD)).not_to_have_text(lesson_text("trails", "hike"))


def test_teaching_stops_from_the_menu(server, new_phone):
    ana, _ = open_seated_table(server, new_phone, *NAMES, has_played=False)
    ana.button("First time").tap()
    tap_guide(ana, "Skip the steps")
    ana.unfold("menu")
    ana.link("Explain again").tap()
    expect(ana.find("h1")).to_have_text("Explain again")
    ana.button("Stop teaching").tap()
    ana.page.wait_for_url("**/seat/0")
    expect(ana.find(CARD)).to_have_count(0)
    ana.unfold("menu")
    expect(ana.link("Explain again")).to_have_count(0)


def test_phone_that_joins_late_skips_the_setup(server, new_phone):
    ana, cy = (new_phone(name, server.address) for name in NAMES)
    open_table(ana, *NAMES)
    address = ana.page.url
    sit(ana, NAMES[0])
    ana.button("Played before").tap()
    expect(ana.find(CARD)).to_have_count(0)
    ana.button(re.compile("First-game layout")).tap()
    expect(ana.find(".hike-keys")).to_be_visible()
    ana.find("#hike-1").tap()
    ana.wait_until("!document.querySelector('.hike-keys')")
    cy.go(address)
    sit(cy, NAMES[1])
    cy.button("First time").tap()
    expect(cy.find(CARD)).to_have_text(lesson_text("trails", GOAL))
    expect(cy.find(STEP)).to_have_count(0)


def test_guide_and_lessons_work_without_scripts(server, new_phone):
    phone = new_phone("Ana", server.address, java_script_enabled=False)
    open_table(phone, *NAMES)
    phone.button(NAMES[0]).tap()
    phone.button("First time").tap()
    step = phone.find(STEP).inner_text()
    expect(phone.find(CARD)).to_have_text(lesson_text("trails", GOAL))
    tap_guide(phone, "Enter later")
    expect(phone.find(STEP)).not_to_have_text(step)
    tap_guide(phone, "Skip the steps")
    phone.button("Got it").tap()
    expect(phone.find(CARD).filter(has_text=lesson_text("trails", GOAL))).to_have_count(0)


def press(phone: Phone, selector: str) -> None:
    """Begin a long press in the middle of an element."""
    box = phone.find(selector).bounding_box()
    phone.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.mouse.down()


@pytest.mark.parametrize("selector", ["#hike-2", '[data-click-target="hike-2"]'])
def test_long_press_explains_a_sign_and_is_no_tap(server, new_phone, selector: str):
    ana, _ = table = open_seated_table(server, new_phone, "Ana", "Bo")
    version = table.table.version
    press(ana, selector)
    help_text = ana.find("#sign-help")
    expect(help_text).to_be_visible()
    ana.page.mouse.up()
    expect(help_text.locator("li").first).not_to_be_empty()
    assert table.table.version == version
    ana.find(".turnbar h1").tap()
    expect(help_text).to_have_count(0)
    table.play(0, Hike(2))


def test_long_press_is_no_tap_while_the_signs_are_loading(server, new_phone):
    ana, _ = table = open_seated_table(server, new_phone, "Ana", "Bo")
    version = table.table.version
    request = ana.hold_request("**/signs", lambda: press(ana, "#hike-2"))
    ana.page.mouse.up()
    request.continue_()
    expect(ana.find("#sign-help")).to_be_visible()
    assert table.table.version == version


def test_long_press_on_half_of_a_key_explains_the_key(server, new_phone):
    ana, _ = table = open_table_with_trail(server, new_phone, "Ana", "Bo")
    for seat, hike in enumerate((hiking.Hike(0, 2), hiking.Hike(0, 1))):
        table.phones[seat].submit_move(table.path, seat, hike)
    ana.go(f"{table.path}/seat/0")
    version = table.table.version
    press(ana, '#to-5 [data-number="2"]')
    expect(ana.find("#sign-help")).to_contain_text("Parks")
    ana.page.mouse.up()
    assert table.table.version == version


def test_demo_plays_itself(server, new_phone):
    phone = new_phone("Ana", server.address)
    phone.go("/")
    phone.link("Watch a demo").tap()
    phone.link("TRAILS", exact=True).tap()
    phone.page.wait_for_url(re.compile("frame=1"))
    expect(phone.find(STEP)).to_be_visible()
    phone.link("Pause").tap()
    phone.page.wait_for_url(re.compile("play=0"))
    phone.link("Next").tap()
    phone.page.wait_for_url(re.compile("frame=2.*play=0"))
