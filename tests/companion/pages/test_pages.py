"""What each page shows, built from a table for a seat's eyes: moves, questions, the log, the score, the rules."""

import random

import pytest

from companion.log.entries import Declined, MoveRedone, MoveUndone, Played, Proposed, SeatRequested, local_date
from companion.pages import pages as build
from companion.pages.menu import Menu
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike, Photograph, Skip
from scoring.trails.moves.reveals import NoteHand, NotePhoto
from tests.support.cases import parametrize_cases, run_all_rows
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, LogBuilder, build_one_phone_log, build_seated_log
from tests.support.positions import ready_setup
from tests.support.random_games import random_game

TRAILS = GAMES["trails"].box


def test_the_heading_says_whose_turn_it_is_and_what_happened_last():
    told = build_seated_log("Ana", "Bo")
    told.play(0, Hike(2))
    told.play(0, NoteHand("science"))
    page = build.table_page(told.table, BO, 1)
    assert (page.code, page.version, page.names, page.to_move) == (told.table.code, 5, ("Ana", "Bo"), (1,))
    assert page.latest_text == "Ana hiked 2 to the leaf site. +1 leaf."
    assert page.prompt == "Hike 1 or 2 tiles, or use the canteen."
    assert (page.has_begun, page.is_over, page.own_seats, page.is_host) == (True, False, (1,), False)
    assert build.table_page(told.table, HOST).is_host


def test_the_lobby_shows_which_seats_are_free_held_or_mine():
    table = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO).table
    seats = build.table_page(table, BO).seats
    assert [(seat.number, seat.name, seat.is_held, seat.is_own) for seat in seats] == [
        (0, "Ana", True, False),
        (1, "Bo", True, True),
        (2, "Cy", False, False),
    ]


def test_every_page_drawn_has_a_tap_of_its_own():
    table = build_seated_log("Ana", "Bo").table
    assert len({build.table_page(table, ANA, 0).tap for _ in range(50)}) == 50


@pytest.mark.slow("whole games")
@parametrize_cases("game", TRACKED_GAMES)
@parametrize_cases("seed", range(2))
def test_the_buttons_are_those_the_rules_allow_although_the_page_knows_no_secret_but_its_own(game: str, seed: int):
    rules, record = TRACKED_GAMES[game], []
    names = ["Ana", "Bo", "Cy"][: rules.box.player_counts[-1]]
    random_game(rules, ready_setup(names, rules.key), random.Random(seed), record)
    state = rules.initial_state(ready_setup(names, rules.key))
    for seat, move in record[:120]:
        for other in range(len(names)):
            menu = Menu(rules, rules.view(state, other), other)
            shown = [button.move for kind in rules.moves for button in menu.legal_buttons(tag_of(kind))]
            assert shown == [offer.move for offer in rules.offers(state, other) if offer.is_legal]
        state = rules.play(state, seat, move)


def tag_of(kind: type[Move]) -> str:
    return kind.__struct_config__.tag


def test_what_is_refused_is_shown_with_its_reasons_and_without_what_may_be_said_at_any_time():
    told = build_seated_log("Ana", "Bo")
    told.play(0, Hike(2, canteen=True))
    told.play(1, Hike(1), Skip())
    refused = build.seat_page(told.table, ANA, 0).menu.refused_buttons()
    assert [(button.label, [reason.code for reason in button.reasons]) for button in refused] == [
        ("Canteen: hike 3 to the rock site", ["canteen-empty"])
    ]


def test_a_buttons_words_are_its_moves():
    button = build.seat_page(build_seated_log("Ana", "Bo").table, ANA, 0).menu.legal_buttons("hike")[0]
    assert (button.move, button.label, button.hint, button.icon) == (
        Hike(1),
        "Hike 1 to the exchange site",
        "1 for 2",
        "exchange",
    )


def line_actions(builder: LogBuilder, device: str, seat: int) -> dict[str, str]:
    """Return what a phone may do at once about each of the latest lines of its log."""
    log = build.seat_page(builder.table, device, seat).log
    return {line.message.text: line.action for line in log if line.action}


def test_a_line_of_the_log_has_a_button_where_its_step_can_be_taken_back_without_asking():
    told = build_seated_log("Ana", "Bo")
    told.play(0, NoteHand("science"), Hike(2))
    told.play(1, Hike(2))
    assert line_actions(told, ANA, 0) == {"Ana noted Science in hand.": "take_back"}  # Bo has moved since she hiked
    assert line_actions(told, BO, 1) == {"Bo hiked 2 to the leaf site. +1 leaf.": "take_back"}


def test_what_was_taken_back_can_be_put_back():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.add_entry(ANA, MoveUndone(hike), 0)
    text = "Ana hiked 2 to the leaf site. +1 leaf."
    assert line_actions(told, ANA, 0) == {text: "put_back"}
    assert line_actions(told, BO, 1) == {}
    told.add_entry(ANA, MoveRedone(hike), 0)
    assert line_actions(told, ANA, 0) == {text: "take_back"}


def test_who_only_looks_can_take_nothing_back():
    told = build_one_phone_log("Ana", "Bo")
    told.play(0, Hike(2))
    assert {line.action for line in build.board_page(told.table, HOST, "", "").log} == {""}


def test_others_notes_are_read_at_the_end_but_stay_their_own():
    told = revealed_log()
    ana, bo = "Ana noted a photo: 2 points.", "Bo noted a photo: 2 birds."
    lines = [line.message.text for line in build.seat_page(told.table, BO, 1).log]
    assert {ana, bo} <= set(lines)
    assert line_actions(told, BO, 1) == {}  # what has come out is changed by everybody's consent alone


def revealed_log() -> LogBuilder:
    """Return a table where Ana and Bo took a photo each and have named it at the end."""
    told = build_seated_log("Ana", "Bo")
    for seat in (0, 1):
        told.play(seat, Hike(4, canteen=True), Photograph(pay="acorn"))
    told.agree(1, told.propose(0, Played({"type": "correct-table", "sun": 7})))
    told.play(0, Hike(2), Skip())
    told.play(1, Hike(2))
    told.play(0, NotePhoto(2, 0))
    told.play(1, NotePhoto(0, 2))
    assert told.table.is_over
    return told


QUESTION = [  # phone: mine, asks_me, may_decide, about_me
    (ANA, (False, True, False, False)),
    (BO, (False, True, False, True)),
    (CY, (False, True, False, False)),
    (HOST, (False, False, True, False)),
    (STRANGER, (True, False, False, False)),
]


@run_all_rows(("device", "flags"), QUESTION)
def test_a_question_offers_each_phone_what_it_may_answer(device: str, flags: tuple[bool, ...]):
    told = build_seated_log("Ana", "Bo", "Cy")
    told.play(1, NoteHand("science"))
    told.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1)
    (question,) = build.table_page(told.table, device).proposals
    assert (question.is_own, question.needs_my_answer, question.can_decide, question.is_for_my_seat) == flags
    assert (question.text, question.proposer_name, question.seat_name) == (
        "Go on as Bo from another phone",
        "Somebody",
        "Bo",
    )
    assert (question.waiting_names, question.allowed_silence, question.has_secret_notes) == (
        ("Bo",),
        "5 minutes",
        device == BO,
    )
    told.add_entry(STRANGER, Declined(question.number))
    assert build.table_page(told.table, device).proposals == ()


def test_the_score_so_far_counts_what_everybody_may_know_and_the_last_one_everything():
    told = revealed_log()
    assert noted_photo_points(told, ANA) == [2, 0]
    told.add_entry(BO, MoveUndone(told.table.version), 1)
    assert not told.table.is_over
    assert noted_photo_points(told, ANA) == noted_photo_points(told, BO) == [0, 0]


def noted_photo_points(builder: LogBuilder, device: str) -> list[int]:
    return [column.points_in("photos") for column in build.sheet_page(builder.table, device, True).sheet.columns]


def test_the_end_is_announced_on_every_page():
    table = revealed_log().table
    assert (
        build.seat_page(table, ANA, 0).score.result_text
        == build.board_page(table, BO, "", "").result_text
        == "Bo wins with 4 points."
    )
    assert build.sheet_page(table, ANA, True).date == "2026-01-02"


def test_all_rules_stand_by_section_until_something_is_asked():
    page = build.rules_page(TRAILS, "")
    assert sum(len(rules) for _, rules in page.sections) == len(TRAILS.rules) and not page.matching_rules
    assert not build.rules_page(TRAILS, "bear").sections


@pytest.mark.parametrize("words", ["bear-same-site", "BEAR-SAME-SITE"])
def test_a_rule_is_found_by_its_id(words: str):
    assert build.rules_page(TRAILS, words).matching_rules[0].id == "bear-same-site"


@run_all_rows("id", TRAILS.rules)
def test_every_rule_has_a_page_with_those_around_it_and_the_ruling_that_settles_it(id: str):
    page = build.rule_page(GAMES["trails"], TRAILS.rules[id])
    assert [rule.id for rule in page.related] == list(page.rule.related)
    assert [page.ruling] == ([ruling for ruling in TRAILS.rulings if ruling.rule.id == id] or [None])


def test_every_ruling_is_shown_with_its_rule():
    assert [build.rule_page(GAMES["trails"], ruling.rule).ruling for ruling in TRAILS.rulings] == list(TRAILS.rulings)


def test_a_table_to_go_on_with_says_what_is_to_be_done_there():
    told = build_seated_log("Ana", "Bo")
    assert build.table_summary(told.table) == build.TableSummary(
        told.table.code,
        "TRAILS",
        ("Ana", "Bo"),
        "Hike 1 or 2 tiles, or use the canteen.",
        local_date(told.table.opened_at),
        False,
    )


def test_a_refusal_comes_with_the_page_it_belongs_to():
    table = build_seated_log("Ana", "Bo").table
    page = build.seat_page(table, BO, 1, ["It is not your turn."])
    assert page.refusal == ("It is not your turn.",) and not page.is_my_turn
    assert CorrectPlayer not in {type(button.move) for button in page.menu.refused_buttons()}
