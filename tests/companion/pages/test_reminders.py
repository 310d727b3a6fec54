"""What hands must do at the real table, and what happened last, on phones and in the table view."""

import pytest
from flask import Flask

from companion.log.entries import Played
from companion.log.table import plain_move
from companion.pages import pages as build
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike, Photograph
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.cases import TRACKED
from tests.support.log_builder import ANA, BO, PHONES, all_at
from tests.support.phones import Seated, seated
from tests.support.table_states import moves

NAMES = ("Ana", "Bo")
TO_PHOTO = (Hike(4, canteen=True), Photograph(pay="acorn"))
PUT_BACK = "Put the other photo face up on the discard pile."
ANA_PUTS_BACK = "Ana, put the other photo face up on the discard pile."
TOOK = "Ana drew two photos and kept one for an acorn. \u22121 acorn. +1 photo."


def hands_of(told) -> tuple[str, ...]:
    """Return what the table view reminds people of; the acting player's phone alone does too, without the name."""
    said = build.table_page(told.table, "a television").hands
    assert [f"Ana, {each[:1].lower()}{each[1:]}" for each in build.table_page(told.table, ANA, 0).hands] == list(said)
    assert build.table_page(told.table, BO, 1).hands == ()
    return said


def test_hands_are_told_what_the_last_move_asks_of_them_until_the_next_one():
    told = all_at("Ana", "Bo")
    assert hands_of(told) == ()
    told.play(0, *TO_PHOTO)
    assert hands_of(told) == (ANA_PUTS_BACK,)
    told.play(1, Hike(1))
    assert hands_of(told) == ()


@pytest.mark.parametrize("seat, move", [(0, NoteHand("science")), (1, NameCard("trailhead", "science"))])
def test_what_is_noted_or_told_besides_leaves_hands_what_they_have_to_do(seat, move):
    told = all_at("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    told.play(seat, move)
    assert hands_of(told) == (ANA_PUTS_BACK,)


def test_what_was_set_right_lies_as_it_should():
    told = all_at("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    question = told.propose(0, Played(plain_move(CorrectPlayer(player=0, acorn=2))))
    told.agree(1, question)
    assert hands_of(told) == ()


def test_a_moment_of_the_story_asks_nothing_of_hands():
    told = all_at("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    then = told.table.standing(told.table.steps[-1].before)
    assert build.table_page(then, ANA, moment="5").hands == ()


def test_reminder_appears_on_the_phone_of_who_acts_and_with_a_name_on_the_table_view(two: Seated):
    for move in TO_PHOTO:
        two.say(0, move)
    assert two.page(0).with_class("since") == [] != two.page(1).with_class("since")
    assert TOOK in two.page(1).text
    assert PUT_BACK in two.page(0).text
    assert "the other photo face up" not in two.page(1).text
    assert ANA_PUTS_BACK in two.phone(1).open(f"{two.path}/board").text


def test_reminder_on_a_phone_of_two_seats_names_who_acts(app: Flask):
    table = seated(app, "Ana", "Bo", phones=1)
    for move in TO_PHOTO:
        table.say(0, move)
    assert ANA_PUTS_BACK in table.page(0).text and ANA_PUTS_BACK in table.page(1).text


@pytest.mark.parametrize("game", TRACKED)
def test_reminders_of_a_game_name_who_acts_and_stop_with_play(game: str):
    """Each player reads only their own reminders and what everyone does; there are none once play is over."""
    told, wrong, reminders = all_at(*NAMES, game=game), [], 0
    for seat, move in moves(game, NAMES):
        told.play(seat, move)
        board = build.table_page(told.table, "a television").hands
        for reader, name in enumerate(NAMES):
            own = build.table_page(told.table, PHONES[reader], reader).hands
            wrong += [text for text in own if text.startswith(tuple(f"{each}," for each in NAMES))]
            shared = [text for text in own if text in board]
            named = [text for text in board if text.startswith(f"{name}, ")]
            assert len(own) == len(shared) + len(named), (own, board)
        reminders += len(board)
        if getattr(told.table.state, "over", False):
            wrong += board
    assert (wrong, told.table.over) == ([], True) and reminders > 3


def test_what_stands_among_the_news_is_not_said_twice(two: Seated):
    two.say(0, CorrectPlayer(player=1, acorn=3))
    two.tap(1, "answer", {"proposal": str(two.table.number), "yes": "0"})
    assert two.page(0).with_class("news") != [] == two.page(0).with_class("since")
