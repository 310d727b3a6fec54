"""Without JavaScript, forms and links can open a table, play, undo and show the score."""

import functools
import re

import pytest
from playwright.sync_api import expect

from scoring.trails.box import FIRST_GAME_SITES
from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.trail_setup import LaySites
from tests.browser.phone import Phone
from tests.browser.seated_tables import open_seated_table_by_hand
from tests.browser.trails_taps import find_control

pytestmark = pytest.mark.browser


@pytest.fixture
def table_without_scripts(server, new_phone):
    """Provide a table where no phone runs scripts."""
    table = open_seated_table_by_hand(server, functools.partial(new_phone, java_script_enabled=False), "Ana", "Bo")
    submit(table.phones[1], find_control(table.phones[1], table.table.state, 1, LaySites(FIRST_GAME_SITES)))
    table.phones[0].page.reload()
    return table


def submit(phone: Phone, button) -> None:
    """Tap a button that sends its form, and wait for the page it leads to."""
    with phone.page.expect_navigation():
        button.tap()


def test_turn_is_played_by_forms_and_links(table_without_scripts):
    ana, bo = table_without_scripts
    for move in (Hike(1), Exchange("acorn", "leaf")):
        submit(ana, find_control(ana, table_without_scripts.table.state, 0, move))
    expect(ana.find("h1")).to_contain_text("Bo\u2019s turn")
    bo.page.reload()
    expect(bo.find("h1")).to_contain_text("Your turn")
    submit(bo, bo.find("#fragment-actions").get_by_role("button", name=re.compile("Leaf site")))
    assert [player.space for player in table_without_scripts.table.state.players] == [1, 2]


def test_refused_tap_shows_reason_on_the_page_it_came_from(table_without_scripts):
    ana, bo = table_without_scripts
    bo.page.reload()
    submit(ana, find_control(ana, table_without_scripts.table.state, 0, Hike(2)))
    bo.page.reload()
    stale = find_control(bo, table_without_scripts.table.state, 1, Hike(2))
    ana.expect_in_console("422")
    bo.expect_in_console("422")
    submit(ana, ana.button("Undo").first)
    submit(bo, stale)
    expect(bo.find("[role=alert]:not(#error-banner)")).to_contain_text("It is Ana\u2019s turn: hike 1 or 2 tiles.")
    bo.go(bo.page.url)
    assert bo.page.url.endswith("/seat/1")
    expect(bo.find("h1")).to_contain_text("Ana\u2019s turn")


@pytest.mark.long("a rarer case in a browser")
def test_form_without_a_cookie_explains_it_and_leads_back_to_table(table_without_scripts):
    ana, bo = table_without_scripts
    ana.expect_in_console("400")
    ana.context.clear_cookies(name="waymark")
    submit(ana, find_control(ana, table_without_scripts.table.state, 0, Hike(2)))
    expect(ana.find("h1")).to_have_text("This phone sent no cookie")
    ana.link("Back to the table").tap()
    ana.page.wait_for_url(f"**{table_without_scripts.path}")
    expect(ana.find("main")).not_to_contain_text("This phone sent no cookie")  # it has kept the new one


@pytest.mark.long("a rarer case in a browser")
def test_step_is_undone_and_correction_approved(table_without_scripts):
    ana, bo = table_without_scripts
    submit(ana, find_control(ana, table_without_scripts.table.state, 0, Hike(2)))
    submit(ana, ana.button("Undo").first)
    expect(ana.find("h1")).to_contain_text("Your turn")
    ana.follow_link("/tell")
    for seat in (0, 1):
        ana.find(f"details#edit-{seat} > summary").tap()
        ana.find(f"details#edit-{seat}").get_by_label("Leaves", exact=True).fill("3")
    submit(ana, ana.find("#right").get_by_role("button", name="Fix it"))
    bo.page.reload()
    expect(bo.find(".proposal")).to_contain_text("Ana\u2019s leaves 1 \u2192 3; Bo\u2019s leaves 1 \u2192 3")
    submit(bo, bo.button("Agree"))
    assert [player.cubes for player in table_without_scripts.table.state.players] == [(1, 3, 1), (1, 3, 1)]


@pytest.mark.long("a rarer case in a browser")
def test_own_things_are_fixed_and_two_requests_answered(table_without_scripts):
    ana, bo = table_without_scripts
    for seat, amount in ((0, "3"), (1, "2"), (1, "4")):
        ana.follow_link("/tell")
        ana.find(f"details#edit-{seat} > summary").tap()
        ana.find(f"details#edit-{seat}").get_by_label("Leaves", exact=True).fill(amount)
        submit(ana, ana.find("#right").get_by_role("button", name="Fix it"))
    assert table_without_scripts.table.state.players[0].cubes == (1, 3, 1)
    bo.page.reload()
    expect(bo.find(".repair-notices")).to_contain_text("Ana corrected: leaves 1 \u2192 3.")
    expect(bo.button("Agree")).to_have_count(1)
    bo.find("#other-requests > summary").tap()
    submit(bo, bo.find("#other-requests").get_by_role("link", name="Preview"))
    submit(bo, bo.button("Agree"))
    submit(bo, bo.button("Decline"))
    assert table_without_scripts.table.state.players[1].cubes == (1, 2, 1)
    assert table_without_scripts.table.proposals == ()


@pytest.mark.long("a rarer case in a browser")
def test_repair_is_made_by_forms_and_links(table_without_scripts):
    ana, bo = table_without_scripts
    submit(ana, find_control(ana, table_without_scripts.table.state, 0, Hike(2)))
    bo.page.reload()
    submit(bo, find_control(bo, table_without_scripts.table.state, 1, Hike(2)))
    ana.page.reload()
    ana.follow_link("/log#latest")
    submit(ana, ana.find(".game-log a", has_text="Bo hiked 2"))
    expect(ana.find(".step-details")).to_contain_text("Bo hiked 2 tiles to the leaf site")
    submit(ana, ana.link("Enter another move"))
    submit(ana, ana.find("form.moves-form").get_by_role("button", name=re.compile("^1 tile: ")))
    expect(ana.find("h1")).to_have_text("After the fix")
    submit(ana, ana.button("Ask Bo"))
    expect(ana.find(".proposal")).to_contain_text("Waiting for Bo")
    bo.page.reload()
    submit(bo, bo.link("Preview"))
    expect(bo.find("h1")).to_have_text("Preview")
    submit(bo, bo.link("Back to Bo"))
    submit(bo, bo.button("Agree"))
    assert [player.space for player in table_without_scripts.table.state.players] == [2, 1]
    ana.page.reload()
    submit(ana, ana.find("section.repair-notices a"))
    expect(ana.find("h1")).to_have_text("Correction")
    expect(ana.find("main")).to_contain_text("agreed by Bo")


@pytest.mark.long("a rarer case in a browser")
def test_score_and_table_view_are_ordinary_pages(table_without_scripts):
    ana, bo = table_without_scripts
    submit(ana, find_control(ana, table_without_scripts.table.state, 0, Hike(2)))
    ana.follow_link("/score")
    assert ana.find("table.scores tr.total td").all_inner_texts() == ["0", "0"]
    ana.go(f"{table_without_scripts.path}/board")
    expect(ana.find("h1")).to_contain_text("Bo\u2019s turn")
