"""Seats: takeover by approval, several seats on one phone, each page for its phone only."""

import re
import time

import pytest
from playwright.sync_api import expect

from companion.service import referee
from companion.system.presence import Presence
from scoring.trails.moves.hiking import Hike
from tests.browser.phone import TIMEOUT_MS, Phone
from tests.browser.seated_tables import SeatedTable, open_seated_table, open_table, sit
from tests.browser.trails_taps import tap_move
from tests.companion.web.test_presence import Clock

pytestmark = pytest.mark.browser


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table_of_three(start_in_process_server, new_phone, clock: Clock) -> SeatedTable:
    """Provide a table of Ana (host), Bo and Cy whose phones go silent by the test's clock."""
    # One address may hold half of them, and a page opens its stream before the previous one has ended.
    server = start_in_process_server(40)
    server.referee.presence = Presence(clock)
    return open_seated_table(server, new_phone, "Ana", "Bo", "Cy")


def request_seat_of_bo(table: SeatedTable, new_phone) -> Phone:
    spare = new_phone("spare", table.server.address)
    spare.go(table.path)
    spare.button(re.compile("Bo")).tap()
    expect(spare.find(".proposal")).to_contain_text("You asked for Bo")
    return spare


def test_phone_that_holds_seat_hands_it_over_with_one_tap(table_of_two, new_phone):
    ana, bo = table_of_two
    spare = request_seat_of_bo(table_of_two, new_phone)
    expect(bo.find(".proposal")).to_contain_text("Someone wants to take over your seat")
    bo.button("Hand over").tap()
    # Both the answer and the live update lead there; one of them is aborted.
    expect(bo.page).to_have_url(re.compile(f"{table_of_two.path}$"))
    spare.link(re.compile("Bo")).tap()
    spare.page.wait_for_url("**/seat/1")
    table = SeatedTable(table_of_two.server, table_of_two.code, (ana, spare))
    table.play(0, Hike(2))
    table.wait_for_version(table.play(1, Hike(1)))
    expect(ana.find(".log .entry", has_text="Bo moved to another phone")).to_have_count(1)


def test_seat_is_not_given_while_its_holder_declines(table_of_two, new_phone):
    ana, bo = table_of_two
    spare = request_seat_of_bo(table_of_two, new_phone)
    bo.button("Decline", exact=True).tap()
    expect(spare.find(".proposal")).to_have_count(0)
    expect(spare.button(re.compile("Bo"))).to_be_visible()
    table_of_two.play(0, Hike(2))
    table_of_two.wait_for_version(table_of_two.play(1, Hike(1)))


@pytest.mark.long("a rarer case in a browser")
def test_host_may_decide_on_seat_only_when_its_phone_is_silent(table_of_three, new_phone, clock):
    ana, bo, cy = table_of_three
    spare = request_seat_of_bo(table_of_three, new_phone)
    for phone in (ana, cy):  # one line; the answers have their own page
        expect(phone.find(".proposal")).to_contain_text("Someone wants to take over Bo")
        expect(phone.find(".proposal button")).to_have_count(0)
    ana.expect_in_console("403")
    clock.advance_minutes(30)  # Bo's page is open and receives updates.
    ana.find(".proposal a").tap()
    ana.button("Agree").tap()
    expect(ana.find(".refusal")).to_contain_text("only Bo can hand over the seat")
    assert table_of_three.table.seats[1] not in (None, table_of_three.table.proposals[0].device)
    bo.page.close()
    wait_until_gone(table_of_three, 1)
    clock.advance_minutes(5)
    approve_takeover(table_of_three, ana, cy)
    spare.link(re.compile("Bo")).tap()
    spare.page.wait_for_url("**/seat/1")


def approve_takeover(table: SeatedTable, *phones: Phone) -> None:
    """Approve on some phones, one after the other, that another phone takes over a silent seat."""
    for phone in phones:
        phone.go(f"{table.path}/if/{table.table.proposals[0].number}")
        version = table.table.version + 1
        phone.button("Agree").tap()
        phone.wait_for_version(version)


def wait_until_gone(table: SeatedTable, seat: int) -> None:
    """Wait until the server has noticed that a phone has closed its stream."""
    presence, phone = table.server.referee.presence, (table.code, table.table.seats[seat])
    until = time.monotonic() + TIMEOUT_MS / 1000
    while presence._listener_counts[phone]:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_returning_phone_is_notified_and_reclaims_seat_with_one_tap(table_of_three, new_phone, clock):
    ana, bo, cy = table_of_three
    spare = request_seat_of_bo(table_of_three, new_phone)
    bo.go("about:blank")
    wait_until_gone(table_of_three, 1)
    clock.advance_minutes(5)
    approve_takeover(table_of_three, ana, cy)
    bo.go(f"{table_of_three.path}/seat/1")
    expect(bo.find(".proposal")).to_contain_text("Your seat moved to another phone")
    spare.link(re.compile("Bo")).tap()
    spare.page.wait_for_url("**/seat/1")
    bo.button("Return to Bo\u2019s seat").tap()
    bo.page.wait_for_url("**/seat/1")
    expect(spare.page).to_have_url(re.compile(f"{table_of_three.path}$"))
    expect(ana.find(".log .entry", has_text="Bo returned to the seat")).to_have_count(1)


@pytest.mark.long("a rarer case in a browser")
def test_host_decides_after_delay_and_with_second_tap(start_in_process_server, new_phone, monkeypatch):
    monkeypatch.setattr(referee, "HOST_DECISION_DELAY", 5)  # seconds
    ana, bo = table = open_seated_table(start_in_process_server(40), new_phone, "Ana", "Bo")
    ana.submit_form(f"{table.path}/seat/0/right", **{"was.players.1.leaf": "1", "is.players.1.leaf": "4"})
    ana.wait_for_version(table.table.version)
    ana.find(".proposal a").tap()
    folded = ana.find("details", has_text="Decide for everyone")
    expect(folded).to_be_hidden()
    expect(folded).to_be_visible(timeout=10_000)  # without any action on the phone
    expect(ana.button("Decide for everyone")).to_be_hidden()
    ana.find("summary", has_text="Decide for everyone").tap()
    ana.button("Decide for everyone").tap()
    expect(bo.find(".log .entry", has_text="The host decided")).to_have_count(1)
    expect(bo.find("section.repair-notices")).to_contain_text("The host decided")
    assert table.table.state.players[1].cubes[1] == 4


def test_seat_of_another_phone_leads_to_lobby(table_of_two, new_phone):
    ana, bo = table_of_two
    spare = new_phone("spare")
    for page in ("", "/tell", "/log", "/now"):
        spare.go(f"{table_of_two.path}/seat/0{page}")
        assert spare.page.url.endswith(table_of_two.path)
    bo.go(f"{table_of_two.path}/seat/0")
    assert bo.page.url.endswith(table_of_two.path)


@pytest.mark.long("a rarer case in a browser")
def test_one_phone_with_all_seats_plays_a_round(server, new_phone):
    phone = new_phone("Ana and Bo")
    open_table(phone, "Ana", "Bo")
    lobby = phone.page.url
    sit(phone, "Ana")
    phone.go(lobby)
    sit(phone, "Bo")
    table = SeatedTable(server, lobby.rpartition("/")[2], (phone, phone))
    phone.switch_seat("Ana")
    phone.find("button.move:has-text('First-game layout')").tap()
    for seat, name in enumerate(("Ana", "Bo")):
        phone.page.wait_for_url(f"**/seat/{seat}")
        expect(phone.find("h1")).to_contain_text(f"{name}\u2019s turn")
        current = table.table
        tap_move(phone, current.state, seat, Hike(2))
        phone.wait_for_version(current.version + 1)
    expect(phone.find("h1")).to_contain_text("Ana\u2019s turn")
    phone.switch_seat("Bo")
    phone.page.wait_for_url("**/seat/1")
    assert [player.space for player in table.table.state.players] == [2, 2]


def test_released_seat_is_free_for_another_phone(table_of_two, new_phone):
    ana, bo = table_of_two
    bo.go(table_of_two.path)
    bo.find(".confirm-first > summary").tap()
    bo.button("Leave now").tap()
    spare = new_phone("spare")
    spare.go(table_of_two.path)
    sit(spare, "Bo")
    expect(ana.find(".log .entry", has_text="Bo joined")).to_have_count(2)
