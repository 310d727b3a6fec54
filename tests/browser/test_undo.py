"""Undo and redo: own steps with one tap, others' by asking; all see who undid which step."""

import pytest
from playwright.sync_api import Locator, expect

from scoring.trails.moves.hiking import Exchange, Hike
from scoring.trails.moves.reveals import NameCard
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.repair_taps import follow_control, start_repair
from tests.browser.repair_taps import request_repair as ask_the_table
from tests.browser.seated_tables import SeatedTable

pytestmark = pytest.mark.browser


def log_line(phone: Phone, number: int) -> Locator:
    """Return the log line of an entry that has an undo or redo button."""
    return phone.find(f'.log .entry:has(button[value="{number}"])')


def struck_line(phone: Phone, text: str) -> Locator:
    return phone.find(".log .entry.undone", has_text=text)


def test_own_last_step_is_undone_with_one_tap_and_redone_with_another(table_of_two, new_phone):
    ana, bo = table_of_two
    board = new_phone("board", viewport=TABLET_SIZE)
    board.go(f"{table_of_two.path}/board")
    hiked = table_of_two.play(0, Hike(2))
    ana.find(".turnbar").get_by_role("button", name="Undo \u201cAna hiked").tap()
    board.wait_for_version(hiked + 1)
    expect(board.find("section.repair-notices")).to_contain_text("Ana undid: hiked 2 tiles to the leaf site")
    bo.wait_for_version(hiked + 1)
    notice = bo.find(".repair-notices")
    expect(notice).to_contain_text("Ana undid: hiked 2 tiles")
    expect(notice.locator(".icon-undo")).to_be_visible()
    assert notice.bounding_box()["height"] <= 26  # one line
    for phone in (ana, bo):
        phone.wait_for_version(hiked + 1)
        undone = struck_line(phone, "Ana hiked 2 tiles to the leaf site")
        expect(undone).to_contain_text("Removed by Ana")
        assert (
            undone.locator("span").first.evaluate("text => getComputedStyle(text).textDecorationLine") == "line-through"
        )
    expect(ana.find("h1")).to_contain_text("Your turn")
    assert table_of_two.table.state.players[0].space == 0

    log_line(ana, hiked).get_by_role("button", name="Redo").tap()
    for phone in (ana, bo, board):
        phone.wait_for_version(hiked + 2)
        expect(phone.find(".log .entry.undone")).to_have_count(0)
    expect(bo.find("h1")).to_contain_text("Your turn")
    assert table_of_two.table.state.players[0].space == 2


def test_step_of_another_player_is_undone_when_they_agree(table_of_two):
    ana, bo = table_of_two
    hiked = table_of_two.play(0, Hike(2))
    bo.wait_for_version(hiked)
    request_undo(bo, table_of_two, hiked)
    expect(ana.find(".proposal")).to_contain_text("Undo \u201cAna hiked 2 tiles to the leaf site")
    expect(bo.find(".proposal")).to_contain_text("Waiting for Ana")
    ana.button("Agree").tap()
    for phone in table_of_two:
        phone.wait_for_version(hiked + 2)
        expect(struck_line(phone, "Ana hiked 2")).to_contain_text("Removed by Bo")
        expect(phone.find(".proposal")).to_have_count(0)
    assert table_of_two.table.state.players[0].space == 0


def test_declined_undo_changes_nothing(table_of_two):
    ana, bo = table_of_two
    hiked = table_of_two.play(0, Hike(2))
    bo.wait_for_version(hiked)
    request_undo(bo, table_of_two, hiked)
    ana.wait_for_version(hiked + 1)
    ana.button("Decline", exact=True).tap()
    for phone in table_of_two:
        phone.wait_for_version(hiked + 2)
        expect(phone.find(".log .entry", has_text="Ana declined")).to_have_count(1)
        expect(phone.find(".log .entry.undone")).to_have_count(0)
        expect(phone.find(".proposal")).to_have_count(0)
    assert table_of_two.table.state.players[0].space == 2


@pytest.mark.long("a rarer case in a browser")
def test_undo_request_can_be_withdrawn(table_of_two):
    ana, bo = table_of_two
    hiked = table_of_two.play(0, Hike(2))
    bo.wait_for_version(hiked)
    request_undo(bo, table_of_two, hiked)
    bo.button("Withdraw").tap()
    for phone in table_of_two:
        phone.wait_for_version(hiked + 2)
        expect(phone.find(".proposal")).to_have_count(0)
    assert table_of_two.table.state.players[0].space == 2


@pytest.mark.long("a rarer case in a browser")
def test_undo_removes_dependent_steps_of_turn_and_log_restores_them(table_of_two):
    ana, bo = table_of_two
    hiked = table_of_two.play(0, Hike(1))
    exchanged = table_of_two.play(0, Exchange("acorn", "leaf"))
    expect(log_line(ana, hiked)).to_have_count(0)  # It would change more than this step, so a preview comes first.
    start_repair(ana, str(hiked), "Remove this move")
    expect(ana.find("main")).to_contain_text("Ana exchanged")
    assert ask_the_table(ana, table_of_two) == ()
    for phone in table_of_two:
        phone.wait_for_version(exchanged + 1)
        expect(phone.find(".log .entry.undone")).to_have_count(2)
    assert table_of_two.table.state == table_of_two.table.initial_state
    expect(ana.find("h1")).to_contain_text("Your turn")
    follow_control(ana, ana.find(".log .entry.undone a", has_text="Ana hiked 1"))
    expect(ana.find("h1")).to_have_text("Removed by Ana")
    follow_control(ana, ana.link("Restore this move"))
    assert ask_the_table(ana, table_of_two) == ()
    expect(bo.find(".log .entry.undone")).to_have_count(1)
    assert (table_of_two.table.state.players[0].space, table_of_two.table.state.players[0].cubes) == (1, (1, 1, 1))


def test_undo_of_older_step_keeps_later_steps(table_of_two):
    ana, bo = table_of_two
    named = table_of_two.play(0, NameCard("trailhead", "science"))
    hiked = table_of_two.play(0, Hike(2))
    log_line(ana, named).get_by_role("button", name="Undo").tap()
    for phone in table_of_two:
        phone.wait_for_version(hiked + 1)
        expect(struck_line(phone, "New badge at the Trailhead: Science")).to_have_count(1)
        expect(phone.find(".log .entry.undone")).to_have_count(1)
    assert table_of_two.table.state.players[0].space == 2
    assert table_of_two.table.state.trailhead == (None, None)


@pytest.mark.long("a rarer case in a browser")
def test_step_is_undone_from_the_full_game_log(table_of_two):
    ana, bo = table_of_two
    hiked = table_of_two.play(0, Hike(2))
    start_repair(ana, str(hiked), "Remove this move")
    expect(ana.find("h1")).to_have_text("After the fix")
    assert ask_the_table(ana, table_of_two) == ()
    bo.wait_for_version(hiked + 1)
    for phone in table_of_two:
        expect(struck_line(phone, "Ana hiked 2")).to_contain_text("Removed by Ana")
        expect(phone.find("section.repair-notices")).to_have_count(int(phone is bo))


def request_undo(phone: Phone, table: SeatedTable, number: int) -> None:
    """Tap a log line, state that it did not happen, and ask those who must agree."""
    expect(log_line(phone, number)).to_have_count(0)  # No button, because this phone may not undo it alone.
    follow_control(phone, phone.find(f'.log .entry a[href*="/log/{number}?"]'))
    follow_control(phone, phone.link("Remove this move"))
    assert ask_the_table(phone, table)
