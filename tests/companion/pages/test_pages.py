"""What each page shows, built from a table for a seat's eyes: moves, questions, the log, the score, the rules."""

import random

import pytest

from companion.log.entries import Declined, Played, Proposed, PutBack, SeatAsked, TookBack, day
from companion.pages import pages as build
from companion.pages.menu import Menu
from scoring.games import GAMES, PLAYS
from scoring.kernel.move import Move
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike, Leave, Photograph
from scoring.trails.moves.reveals import NoteHand, NotePhoto
from tests.support.cases import cases, every_row
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, Told, all_at, on_one_phone
from tests.support.positions import laid
from tests.support.random_games import random_game

TRAILS = GAMES["trails"].box


def test_the_heading_says_whose_turn_it_is_and_what_happened_last():
    told = all_at("Ana", "Bo")
    told.play(0, Hike(2))
    told.play(0, NoteHand("science"))
    page = build.table_page(told.table, BO, 1)
    assert (page.code, page.version, page.names, page.to_move) == (told.table.code, 5, ("Ana", "Bo"), (1,))
    assert page.latest == "Ana hiked 2 to the leaf site. +1 leaf."
    assert page.prompt == "Hike 1 or 2 tiles, or use the canteen."
    assert (page.begun, page.over, page.mine, page.host) == (True, False, (1,), False)
    assert build.table_page(told.table, HOST).host


def test_the_lobby_shows_which_seats_are_free_held_or_mine():
    table = Told("Ana", "Bo", "Cy").sit(ANA, BO).table
    seats = build.table_page(table, BO).seats
    assert [(seat.number, seat.name, seat.held, seat.mine) for seat in seats] == [
        (0, "Ana", True, False),
        (1, "Bo", True, True),
        (2, "Cy", False, False),
    ]


def test_every_page_drawn_has_a_tap_of_its_own():
    table = all_at("Ana", "Bo").table
    assert len({build.table_page(table, ANA, 0).tap for _ in range(50)}) == 50


@pytest.mark.slow("whole games")
@cases("game", PLAYS)
@cases("seed", range(2))
def test_the_buttons_are_those_the_rules_allow_although_the_page_knows_no_secret_but_its_own(game: str, seed: int):
    rules, record = PLAYS[game], []
    names = ["Ana", "Bo", "Cy"][: rules.box.seats[-1]]
    random_game(rules, laid(names, rules.key), random.Random(seed), record)
    state = rules.begin(laid(names, rules.key))
    for seat, move in record[:120]:
        for other in range(len(names)):
            menu = Menu(rules, rules.view(state, other), other)
            shown = [button.move for kind in rules.moves for button in menu.legal(tag(kind))]
            assert shown == [offer.move for offer in rules.offers(state, other) if offer.legal]
        state = rules.play(state, seat, move)


def tag(kind: type[Move]) -> str:
    return kind.__struct_config__.tag


def test_what_is_refused_is_shown_with_its_reasons_and_without_what_may_be_said_at_any_time():
    told = all_at("Ana", "Bo")
    told.play(0, Hike(2, canteen=True))
    told.play(1, Hike(1), Leave())
    refused = build.seat_page(told.table, ANA, 0).menu.refused()
    assert [(button.label, [reason.code for reason in button.reasons]) for button in refused] == [
        ("Canteen: hike 3 to the rock site", ["canteen-empty"])
    ]


def test_a_buttons_words_are_its_moves():
    button = build.seat_page(all_at("Ana", "Bo").table, ANA, 0).menu.legal("hike")[0]
    assert (button.move, button.label, button.hint, button.icon) == (
        Hike(1),
        "Hike 1 to the exchange site",
        "1 for 2",
        "exchange",
    )


def actions(told: Told, device: str, seat: int) -> dict[str, str]:
    """Return what a phone may do at once about each of the latest lines of its log."""
    log = build.seat_page(told.table, device, seat).log
    return {line.line.text: line.can for line in log if line.can}


def test_a_line_of_the_log_has_a_button_where_its_step_can_be_taken_back_without_asking():
    told = all_at("Ana", "Bo")
    told.play(0, NoteHand("science"), Hike(2))
    told.play(1, Hike(2))
    assert actions(told, ANA, 0) == {"Ana noted Science in hand.": "take_back"}  # Bo has moved since she hiked
    assert actions(told, BO, 1) == {"Bo hiked 2 to the leaf site. +1 leaf.": "take_back"}


def test_what_was_taken_back_can_be_put_back():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.say(ANA, TookBack(hike), 0)
    text = "Ana hiked 2 to the leaf site. +1 leaf."
    assert actions(told, ANA, 0) == {text: "put_back"}
    assert actions(told, BO, 1) == {}
    told.say(ANA, PutBack(hike), 0)
    assert actions(told, ANA, 0) == {text: "take_back"}


def test_who_only_looks_can_take_nothing_back():
    told = on_one_phone("Ana", "Bo")
    told.play(0, Hike(2))
    assert {line.can for line in build.board_page(told.table, HOST, "", "").log} == {""}


def test_others_notes_are_read_at_the_end_but_stay_their_own():
    told = revealed()
    ana, bo = "Ana noted a photo: 2 points.", "Bo noted a photo: 2 birds."
    lines = [line.line.text for line in build.seat_page(told.table, BO, 1).log]
    assert {ana, bo} <= set(lines)
    assert actions(told, BO, 1) == {}  # what has come out is changed by everybody's consent alone


def revealed() -> Told:
    """Return a table where Ana and Bo took a photo each and have named it at the end."""
    told = all_at("Ana", "Bo")
    for seat in (0, 1):
        told.play(seat, Hike(4, canteen=True), Photograph(pay="acorn"))
    told.agree(1, told.propose(0, Played({"type": "correct-table", "sun": 7})))
    told.play(0, Hike(2), Leave())
    told.play(1, Hike(2))
    told.play(0, NotePhoto(2, 0))
    told.play(1, NotePhoto(0, 2))
    assert told.table.over
    return told


QUESTION = [  # phone: mine, asks_me, may_decide, about_me
    (ANA, (False, True, False, False)),
    (BO, (False, True, False, True)),
    (CY, (False, True, False, False)),
    (HOST, (False, False, True, False)),
    (STRANGER, (True, False, False, False)),
]


@every_row(("device", "flags"), QUESTION)
def test_a_question_offers_each_phone_what_it_may_answer(device: str, flags: tuple[bool, ...]):
    told = all_at("Ana", "Bo", "Cy")
    told.play(1, NoteHand("science"))
    told.say(STRANGER, Proposed(SeatAsked(holder=True)), 1)
    (question,) = build.table_page(told.table, device).questions
    assert (question.mine, question.asks_me, question.may_decide, question.about_me) == flags
    assert (question.text, question.asker, question.seat) == ("Go on as Bo from another phone", "Somebody", "Bo")
    assert (question.waiting, question.patience, question.noted) == (("Bo",), "5 minutes", device == BO)
    told.say(STRANGER, Declined(question.number))
    assert build.table_page(told.table, device).questions == ()


def test_the_score_so_far_counts_what_everybody_may_know_and_the_last_one_everything():
    told = revealed()
    assert photo_points(told, ANA) == [2, 0]
    told.say(BO, TookBack(told.table.number), 1)
    assert not told.table.over
    assert photo_points(told, ANA) == photo_points(told, BO) == [0, 0]


def photo_points(told: Told, device: str) -> list[int]:
    return [column.of("photos") for column in build.sheet_page(told.table, device, True).sheet.columns]


def test_the_end_is_announced_on_every_page():
    table = revealed().table
    assert (
        build.seat_page(table, ANA, 0).score.verdict
        == build.board_page(table, BO, "", "").verdict
        == "Bo wins with 4 points."
    )
    assert build.sheet_page(table, ANA, True).date == "2026-01-02"


def test_all_rules_stand_by_section_until_something_is_asked():
    page = build.rules_page(TRAILS, "")
    assert sum(len(rules) for _, rules in page.sections) == len(TRAILS.rules) and not page.found
    assert not build.rules_page(TRAILS, "bear").sections


@pytest.mark.parametrize("words", ["bear-same-site", "BEAR-SAME-SITE"])
def test_a_rule_is_found_by_its_id(words: str):
    assert build.rules_page(TRAILS, words).found[0].id == "bear-same-site"


@every_row("id", TRAILS.rules)
def test_every_rule_has_a_page_with_those_around_it_and_the_ruling_that_settles_it(id: str):
    page = build.rule_page(GAMES["trails"], TRAILS.rules[id])
    assert [rule.id for rule in page.related] == list(page.rule.related)
    assert [page.ruling] == ([ruling for ruling in TRAILS.rulings if ruling.rule.id == id] or [None])


def test_every_ruling_is_shown_with_its_rule():
    assert [build.rule_page(GAMES["trails"], ruling.rule).ruling for ruling in TRAILS.rulings] == list(TRAILS.rulings)


def test_a_table_to_go_on_with_says_what_is_to_be_done_there():
    told = all_at("Ana", "Bo")
    assert build.resumable(told.table) == build.Resumable(
        told.table.code,
        "TRAILS",
        ("Ana", "Bo"),
        "Hike 1 or 2 tiles, or use the canteen.",
        day(told.table.opened),
        False,
    )


def test_a_refusal_comes_with_the_page_it_belongs_to():
    table = all_at("Ana", "Bo").table
    page = build.seat_page(table, BO, 1, ["It is not your turn."])
    assert page.refusal == ("It is not your turn.",) and not page.my_turn
    assert CorrectPlayer not in {type(button.move) for button in page.menu.refused()}
