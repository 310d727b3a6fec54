"""Repairs on phones, in every game: fix a wrong step with approval, and keep later steps."""

import re

import pytest
from playwright.sync_api import expect

from companion.log.steps import quote_step
from scoring.kernel.english import quote_sentence
from scoring.kernel.move import Move
from tests.browser.games_with_mistakes import FORGOTTEN, KNOCK_ON, NEIGHBOR_TAPS, WRONG_NOTES, Mistake
from tests.browser.phone import TABLET_SIZE, Phone
from tests.browser.repair_taps import (
    answer_question,
    approve_by_all,
    enter_move,
    find_question,
    follow_control,
    log_line,
    open_snapshot,
    open_table_with_mistake,
    request_repair,
    start_repair,
    tap_button,
    unfold_requests,
    visible_texts,
)
from tests.browser.seated_tables import SeatedTable
from tests.browser.test_live import NETWORK_ERRORS, SET_HIDDEN_SCRIPT
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.browser


def assert_as_without_mistake(table: SeatedTable, mistake: Mistake, server, new_phone) -> None:
    """Assert that every phone shows the table as if nothing had been entered wrongly."""
    assert [(step.seat, step.move) for step in table.table.steps] == list(mistake.actual_log)
    assert table.table.state == mistake.tracked.replay(table.table.setup, mistake.actual_log)
    assert_same_display(table, open_table_with_mistake(server, new_phone, mistake, mistake.actual_log))


def assert_same_display(table: SeatedTable, expected: SeatedTable) -> None:
    """Assert that each phone shows the same values as the same seat's phone at another table."""
    for seat, (phone, its_like) in enumerate(zip(table, expected, strict=True)):
        phone.go(f"{table.path}/seat/{seat}")
        assert visible_texts(phone) == visible_texts(its_like), phone.name


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", NEIGHBOR_TAPS)
def test_repair_of_neighbor_tap_many_turns_ago_keeps_later_steps(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker, wrong = table.phones[mistake.asker], table.table.steps[mistake.first_wrong_step]
    seat, right = mistake.actual_log[mistake.first_wrong_step]

    def asks() -> tuple[int, ...]:
        asker.go(f"{table.path}/seat/{mistake.asker}")
        start_repair(asker, wrong.id, "Enter another move")
        expect(asker.find(".banner-note")).to_contain_text(quote_step(wrong))
        enter_move(asker, table, seat, right)
        expect(asker.find("h1")).to_have_text("After the fix")
        expect(asker.find(".step-changes li:has(del)")).to_have_text(f"Removed: {quote_sentence(wrong.text)}")
        return request_repair(asker, table)

    waiting_seats = asks()
    assert mistake.asker not in waiting_seats
    informed_phones = [phone for phone in table if phone is not asker]
    if waiting_seats:
        before = table.table
        answer_question(table, waiting_seats[0], False)
        assert table.table.steps == before.steps
        for phone in table:
            expect(find_question(phone)).to_have_count(0)
        expect(asker.find("section.repair-notices")).to_contain_text("declined")
        assert asks() == waiting_seats
    for waiting_seat in waiting_seats:
        phone = table.phones[waiting_seat]
        expect(find_question(phone)).to_contain_text(f"{asker.name} asks")
        follow_control(phone, phone.link("Preview"))
        expect(phone.find("h1")).to_have_text("Preview")
        expect(find_question(phone)).to_contain_text(
            re.compile(f"Change (a detail of )?{re.escape(quote_step(wrong))}")
        )
        follow_control(phone, phone.link(re.compile("^Back to")))
    for phone in approve_by_all(table) if waiting_seats else informed_phones:
        expect(phone.find("section.repair-notices")).to_contain_text(
            re.compile(f"{asker.name} corrected a (detail of a )?move:")
        )
    for phone in table:
        phone.follow_link("/log#latest")
        log_entries = phone.find(".game-log .entry")
        expect(log_entries.filter(has_text=re.compile(f"{asker.name} corrected a (detail of a )?move:"))).to_have_count(
            1
        )
        expect(log_entries.filter(has_text=f"(entered by {asker.name}, agreed by")).to_have_count(
            int(seat != mistake.asker)
        )
        expect(log_line(phone, wrong.id)).to_have_count(0)
    assert_as_without_mistake(table, mistake, server, new_phone)


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", KNOCK_ON)
def test_later_step_that_became_illegal_is_reentered_with_turn_buttons(name: str, server, new_phone):
    mistake = KNOCK_ON[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker = table.phones[mistake.asker]
    (first, _), (later, _) = mistake.wrong_moves
    wrong, knocked = table.table.steps[first], table.table.steps[later]
    start_repair(asker, wrong.id, "Enter another move")
    enter_move(asker, table, *mistake.actual_log[first])
    expect(asker.find("h1")).to_have_text("A later move no longer works")
    expect(asker.find(".banner-note")).to_have_text(quote_step(knocked))
    expect(asker.find("nav.tabs [aria-current]")).to_contain_text(table.table.names[knocked.seat])
    enter_move(asker, table, *mistake.actual_log[later])
    expect(asker.find("h1")).to_have_text("After the fix")
    expect(asker.find(".step-changes li", has_text="New:")).to_have_count(2)
    if waiting_seats := request_repair(asker, table):
        answer_question(table, waiting_seats[0], False)
        assert [step.id for step in table.table.steps][first] == wrong.id

        start_repair(asker, wrong.id, "Enter another move")
        enter_move(asker, table, *mistake.actual_log[first])
        enter_move(asker, table, *mistake.actual_log[later])
        assert request_repair(asker, table) == waiting_seats
        approve_by_all(table)
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} corrected the log")).to_have_count(1)
    assert_as_without_mistake(table, mistake, server, new_phone)


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", FORGOTTEN)
def test_forgotten_step_is_inserted_where_it_happened(name: str, server, new_phone):
    mistake = FORGOTTEN[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker, after = table.phones[mistake.asker], table.table.steps[mistake.first_wrong_step]
    seat, missing = mistake.actual_log[mistake.first_wrong_step]

    def asks() -> tuple[int, ...]:
        start_repair(asker, after.id, "Add a move before this")
        expect(asker.find(".banner-note")).to_have_text(f"Before {quote_step(after)}")
        enter_move(asker, table, seat, missing)
        expect(asker.find("h1")).to_have_text("After the fix")
        expect(asker.find(".step-changes li:has(del)")).to_have_count(0)
        return request_repair(asker, table)

    if waiting_seats := asks():
        before = table.table
        answer_question(table, waiting_seats[0], False)
        assert table.table.steps == before.steps
        assert asks() == waiting_seats
        approve_by_all(table)
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} added \u201c")).to_have_count(1)
    assert_as_without_mistake(table, mistake, server, new_phone)


ONE_OF_EACH = ("trails: a badge", "parks: a name", "alpine: a tile", "race: a leg")


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", ONE_OF_EACH)
def test_table_returns_to_earlier_step_and_removed_steps_are_restored(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    full_table, place = table.table, len(table.table.steps) - 8
    asker, other = table.phones[mistake.asker], table.phones[mistake.asker - 1]
    start_repair(asker, full_table.steps[place].id, "Rewind to here")
    hidden = sum(step.move.is_secret and step.seat != mistake.asker for step in full_table.steps[place:])
    expect(asker.find(".step-changes li:has(del)")).to_have_count(8 - hidden)
    assert request_repair(asker, table)
    expect(find_question(other)).to_contain_text(f"Undo {len(public_steps(full_table.steps[place:]))} moves")
    approve_by_all(table)
    # Notes of other players stay where possible.
    assert public_steps(table.table.steps) == public_steps(full_table.steps[:place])
    for phone in table:
        expect(phone.find(".log .entry", has_text=f"{asker.name} undid")).to_have_count(1)

    other.follow_link("/log#latest")
    follow_control(other, other.find(".game-log .side-entry a", has_text=f"{asker.name} undid"))
    expect(other.find("h1")).to_have_text("Correction")
    follow_control(other, other.link("Undo this correction"))
    expect(other.find("h1")).to_have_text("After the fix")
    assert request_repair(other, table)
    approve_by_all(table)
    assert public_steps(table.table.steps) == public_steps(full_table.steps)
    assert table.table.state == full_table.state
    assert_same_display(table, open_table_with_mistake(server, new_phone, mistake))


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", ONE_OF_EACH)
def test_second_of_two_conflicting_repairs_still_applies_or_says_why_not(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    second = (mistake.asker + 1) % len(table.phones)
    asker, other = table.phones[mistake.asker], table.phones[second]
    wrong = table.table.steps[mistake.first_wrong_step]
    last = max(place for place, step in enumerate(table.table.steps) if step.seat != second)
    start_repair(asker, wrong.id, "Enter another move")
    enter_move(asker, table, *mistake.actual_log[mistake.first_wrong_step])
    assert request_repair(asker, table)
    for step in (wrong, table.table.steps[last]):
        start_repair(other, step.id, "Rewind to here")
        assert request_repair(other, table)

    approve_by_all(table)
    assert table.table.state == mistake.tracked.replay(table.table.setup, mistake.actual_log)
    message = "No longer possible."
    for phone in table:
        expect(find_question(phone)).to_have_count(2)
        expect(find_question(phone).filter(has_text=message)).to_have_count(1)
        expect(find_question(phone).filter(has_text=message).get_by_role("button", name="Agree")).to_have_count(0)
    withdraw = find_question(other).filter(has_text=message).get_by_role("button", name="Withdraw")
    unfold_requests(other, withdraw)
    tap_button(other, withdraw)
    for phone in table:
        expect(find_question(phone)).to_have_count(1)
    approve_by_all(table)
    assert table.table.state == mistake.tracked.replay(table.table.setup, mistake.actual_log[:last])


def public_steps(steps) -> list[tuple[int, Move]]:
    """Return the steps of a log that everyone may read."""
    return [(step.seat, step.move) for step in steps if not step.move.is_secret]


# Ways to interrupt a phone: how to suspend it and how to resume it.
def go_offline(phone: Phone) -> None:
    """Let all requests of a phone fail.

    The browser keeps the open stream, so the page ignores its changes.
    """
    phone.ignore_streamed_fragments()
    phone.context.set_offline(True)


INTERRUPTIONS = {
    "offline": (go_offline, lambda phone: phone.context.set_offline(False)),
    "put away": (
        lambda phone: phone.page.evaluate(SET_HIDDEN_SCRIPT, True),
        lambda phone: phone.page.evaluate(SET_HIDDEN_SCRIPT, False),
    ),
}


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases(("name", "how"), [*zip(ONE_OF_EACH, ("offline", "put away") * 2, strict=True)])
def test_turn_continues_during_repair_question_and_asker_sees_it_on_resume(name, how, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker = table.phones[mistake.asker]
    sleep, wake = INTERRUPTIONS[how]
    start_repair(asker, table.table.steps[mistake.first_wrong_step].id, "Enter another move")
    enter_move(asker, table, *mistake.actual_log[mistake.first_wrong_step])
    waiting_seats = request_repair(asker, table)
    assert waiting_seats
    asker.expect_in_console(NETWORK_ERRORS)
    sleep(asker)
    before = asker.version
    seat, move = mistake.actual_moves()[mistake.step_count]
    table.phones[seat].submit_move(table.path, seat, move)
    awake = [phone for phone in table if phone is not asker]
    for phone in awake:
        phone.wait_for_version(before + 1)
        expect(find_question(phone)).to_have_count(1)
    for number, waiting_seat in enumerate(waiting_seats, 2):
        tap_button(table.phones[waiting_seat], table.phones[waiting_seat].button("Agree"))
        for phone in awake:
            phone.wait_for_version(before + number)
    assert asker.version == before
    expect(find_question(asker)).to_have_count(1)

    wake(asker)
    asker.wait_for_version(table.table.version)
    expect(find_question(asker)).to_have_count(0)
    expect(asker.find("section.repair-notices")).to_contain_text(
        re.compile(f"{asker.name} corrected a (detail of a )?move:")
    )
    assert table.table.state == mistake.tracked.replay(table.table.setup, (*mistake.actual_log, (seat, move)))


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", ONE_OF_EACH)
def test_spectator_sees_question_repair_and_shared_snapshot(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker, wrong = table.phones[mistake.asker], table.table.steps[mistake.first_wrong_step]
    board, spectator = new_phone("board", viewport=TABLET_SIZE), new_phone("spectator")
    board.go(f"{table.path}/board")
    spectator.go(f"{table.path}/board")

    open_snapshot(asker, wrong.id)
    asker.button("Show this in the table view").tap()
    for phone in (board, spectator):
        expect(phone.find("h1")).to_have_text(re.compile("As it was before move [0-9]+"))
        expect(phone.find(".table-header > p")).to_have_text(wrong.text)
    follow_control(asker, asker.link("Enter another move"))
    enter_move(asker, table, *mistake.actual_log[mistake.first_wrong_step])
    assert request_repair(asker, table)
    for phone in (board, spectator):
        expect(find_question(phone)).to_contain_text(f"{asker.name} asks")
        expect(find_question(phone).get_by_role("button")).to_have_count(0)
    approve_by_all(table)
    for phone in (board, spectator):
        phone.wait_for_version(table.table.version)
        expect(phone.find("h1")).not_to_have_text(re.compile("As it was before"))
        expect(find_question(phone)).to_have_count(0)
        expect(phone.find("section.repair-notices")).to_contain_text(f"{asker.name} corrected a move:")
    spectator.go(f"{table.path}/log")
    follow_control(spectator, spectator.find(".game-log .side-entry a", has_text=f"{asker.name} corrected a move:"))
    expect(spectator.find("main")).to_contain_text(wrong.text)
    expect(spectator.link("Undo this correction")).to_have_count(0)
    spectator.go(f"{table.path}/log/{table.table.steps[mistake.first_wrong_step].id}")
    expect(spectator.find(".step-details")).to_be_visible()
    expect(spectator.find('main a[href*="/mend/"]')).to_have_count(0)


@pytest.mark.long("a rarer case in a browser")
@parametrize_cases("name", WRONG_NOTES)
def test_note_is_repaired_by_its_player_alone_without_news_to_others(name: str, server, new_phone):
    mistake = WRONG_NOTES[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    asker, *others = sorted(table, key=lambda phone: table.phones.index(phone) != mistake.asker)
    note = table.table.steps[mistake.first_wrong_step]
    for phone in others:
        phone.follow_link("/log#latest")
        expect(phone.find(".game-log")).not_to_contain_text(note.text)
        expect(log_line(phone, note.id)).to_have_count(0)
        phone.go(f"{table.path}/seat/{table.phones.index(phone)}")
    start_repair(asker, note.id, "Enter another move")
    enter_move(asker, table, *mistake.actual_log[mistake.first_wrong_step])
    assert request_repair(asker, table) == ()
    for phone in others:
        expect(phone.find("section.repair-notices, section.proposal")).to_have_count(0)
        expect(phone.find(".log")).not_to_contain_text("corrected")
    assert_as_without_mistake(table, mistake, server, new_phone)


@parametrize_cases("name", ONE_OF_EACH)
def test_steps_are_paged_by_swipe_keys_and_links(name: str, server, new_phone):
    mistake = NEIGHBOR_TAPS[name]
    table = open_table_with_mistake(server, new_phone, mistake)
    phone, steps = table.phones[mistake.asker], [step for step in table.table.steps if not step.move.is_secret]
    open_snapshot(phone, steps[-3].id)
    swipe(phone, -150)
    phone.page.wait_for_url(f"**/log/{steps[-2].id}?seat={mistake.asker}")
    swipe(phone, 150)
    phone.page.wait_for_url(f"**/log/{steps[-3].id}?seat={mistake.asker}")
    phone.page.keyboard.press("ArrowRight")
    phone.page.wait_for_url(f"**/log/{steps[-2].id}?seat={mistake.asker}")
    phone.link("Later").tap()
    phone.page.wait_for_url(f"**/log/{steps[-1].id}?seat={mistake.asker}")
    expect(phone.link("Later")).to_have_count(0)


def swipe(phone: Phone, distance: int) -> None:
    """Swipe sideways over the description of a step."""
    box = phone.find(".step-details p").bounding_box()
    at, y = box["x"] + box["width"] / 2 - distance / 2, box["y"] + 5
    hand = phone.context.new_cdp_session(phone.page)
    for kind, points in (
        ("touchStart", [{"x": at, "y": y}]),
        ("touchMove", [{"x": at + distance / 2, "y": y}]),
        ("touchMove", [{"x": at + distance, "y": y}]),
        ("touchEnd", []),
    ):
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    hand.detach()
