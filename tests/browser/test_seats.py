"""Who sits where: a seat is taken over by consent, one phone may hold several, a seat's page is its phone's alone."""

import re

import pytest
from playwright.sync_api import expect

from scoring.trails.hiking import Hike
from tests.browser.hand import tap
from tests.browser.seating import Seated, open_table, sit

pytestmark = pytest.mark.browser


def test_the_seat_of_a_dead_phone_is_taken_over_when_the_others_agree(two, new_phone):
    ana, dead = two
    dead.page.close()
    spare = new_phone("spare")
    spare.go(two.path)
    spare.button(re.compile("Bo")).tap()
    expect(spare.find(".ask")).to_contain_text("Waiting for Ana")
    expect(ana.find(".ask")).to_contain_text("Go on as Bo from another phone")
    ana.button("Agree").tap()
    spare.link(re.compile("Bo")).tap()
    spare.page.wait_for_url("**/seat/1")
    table = Seated(two.server, two.code, (ana, spare))
    table.play(0, Hike(2))
    table.all_show(table.play(1, Hike(1)))
    expect(ana.find(".log .entry", has_text="Bo goes on from another phone")).to_have_count(1)


def test_the_phone_that_has_lost_its_seat_finds_itself_in_the_lobby(two, new_phone):
    ana, bo = two
    spare = new_phone("spare")
    spare.go(two.path)
    spare.button(re.compile("Bo")).tap()
    ana.button("Agree").tap()
    bo.page.wait_for_url(re.compile(f"{two.path}$"))


def test_nobody_gets_a_seat_while_its_holder_is_asked_and_says_no(two, new_phone):
    ana, bo = two
    spare = new_phone("spare")
    spare.go(two.path)
    spare.button(re.compile("Bo")).tap()
    ana.button("No", exact=True).tap()
    expect(spare.find(".ask")).to_have_count(0)
    expect(spare.button(re.compile("Bo"))).to_be_visible()
    two.play(0, Hike(2))
    two.all_show(two.play(1, Hike(1)))


def test_another_phones_seat_leads_to_the_lobby(two, new_phone):
    ana, bo = two
    spare = new_phone("spare")
    for page in ("", "/tell", "/log", "/now"):
        spare.go(f"{two.path}/seat/0{page}")
        assert spare.page.url.endswith(two.path)
    bo.go(f"{two.path}/seat/0")
    assert bo.page.url.endswith(two.path)


def test_one_phone_that_holds_all_seats_plays_a_round(server, new_phone):
    phone = new_phone("Ana and Bo")
    open_table(phone, "Ana", "Bo")
    lobby = phone.page.url
    sit(phone, "Ana")
    phone.go(lobby)
    sit(phone, "Bo")
    table = Seated(server, lobby.rpartition("/")[2], (phone, phone))
    for seat, name in enumerate(("Ana", "Bo")):
        phone.find(".tabs").get_by_role("link", name=re.compile(name)).tap()
        phone.page.wait_for_url(f"**/seat/{seat}")
        expect(phone.find("h1")).to_contain_text(f"Your turn, {name}")
        now = table.table
        tap(phone, now.state, seat, Hike(2))
        phone.shows(now.number + 1)
    phone.find(".tabs").get_by_role("link", name=re.compile("Ana")).tap()
    expect(phone.find("h1")).to_contain_text("Your turn, Ana")
    assert [player.at for player in table.table.state.players] == [2, 2]


def test_a_seat_given_up_is_free_for_another_phone(two, new_phone):
    ana, bo = two
    bo.go(two.path)
    bo.button(re.compile("Give up")).tap()
    spare = new_phone("spare")
    spare.go(two.path)
    sit(spare, "Bo")
    expect(ana.find(".log .entry", has_text="Bo sits down")).to_have_count(2)
