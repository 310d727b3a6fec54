"""What hands must do at the real table, and what happened last, on phones and in the table view."""

import pytest
from flask import Flask

from companion.log.entries import Played
from companion.log.table import to_data
from companion.pages import pages as build
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike, Photograph
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.cases import TRACKED_KEYS
from tests.support.log_builder import ANA, BO, DEVICES, build_seated_log
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.table_states import random_game_moves

NAMES = ("Ana", "Bo")
TO_PHOTO = (Hike(4, canteen=True), Photograph(pay="acorn"))
PUT_BACK = "Put the other photo face up on the discard pile."
ANA_PUTS_BACK = "Ana, put the other photo face up on the discard pile."
TOOK = "Ana drew two photos and kept one for an acorn. \u22121 acorn. +1 photo."


def reminders_of(builder) -> tuple[str, ...]:
    """Return what the table view reminds people of; the acting player's phone alone does too, without the name."""
    said = build.table_page(builder.table, "a television").reminders
    assert [f"Ana, {each[:1].lower()}{each[1:]}" for each in build.table_page(builder.table, ANA, 0).reminders] == list(
        said
    )
    assert build.table_page(builder.table, BO, 1).reminders == ()
    return said


def test_hands_are_told_what_the_last_move_asks_of_them_until_the_next_one():
    told = build_seated_log("Ana", "Bo")
    assert reminders_of(told) == ()
    told.play(0, *TO_PHOTO)
    assert reminders_of(told) == (ANA_PUTS_BACK,)
    told.play(1, Hike(1))
    assert reminders_of(told) == ()


@pytest.mark.parametrize("seat, move", [(0, NoteHand("science")), (1, NameCard("trailhead", "science"))])
def test_what_is_noted_or_told_besides_leaves_hands_what_they_have_to_do(seat, move):
    told = build_seated_log("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    told.play(seat, move)
    assert reminders_of(told) == (ANA_PUTS_BACK,)


def test_what_was_set_right_lies_as_it_should():
    told = build_seated_log("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    question = told.propose(0, Played(to_data(CorrectPlayer(player=0, acorn=2))))
    told.agree(1, question)
    assert reminders_of(told) == ()


def test_a_moment_of_the_story_asks_nothing_of_hands():
    told = build_seated_log("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    then = told.table.at_state(told.table.steps[-1].before)
    assert build.table_page(then, ANA, snapshot_key="5").reminders == ()


def test_reminder_appears_on_the_phone_of_who_acts_and_with_a_name_on_the_table_view(table_of_two: SeatedTable):
    for move in TO_PHOTO:
        table_of_two.play(0, move)
    assert table_of_two.page(0).tags_with_class("since") == [] != table_of_two.page(1).tags_with_class("since")
    assert TOOK in table_of_two.page(1).text
    assert PUT_BACK in table_of_two.page(0).text
    assert "the other photo face up" not in table_of_two.page(1).text
    assert ANA_PUTS_BACK in table_of_two.phone(1).open(f"{table_of_two.path}/board").text


def test_reminder_on_a_phone_of_two_seats_names_who_acts(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    for move in TO_PHOTO:
        table.play(0, move)
    assert ANA_PUTS_BACK in table.page(0).text and ANA_PUTS_BACK in table.page(1).text


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_reminders_of_a_game_name_who_acts_and_stop_with_play(game: str):
    """Each player reads only their own reminders and what everyone does; there are none once play is over."""
    told, wrong, reminders = build_seated_log(*NAMES, game=game), [], 0
    for seat, move in random_game_moves(game, NAMES):
        told.play(seat, move)
        board = build.table_page(told.table, "a television").reminders
        for reader, name in enumerate(NAMES):
            own = build.table_page(told.table, DEVICES[reader], reader).reminders
            wrong += [text for text in own if text.startswith(tuple(f"{each}," for each in NAMES))]
            shared = [text for text in own if text in board]
            named = [text for text in board if text.startswith(f"{name}, ")]
            assert len(own) == len(shared) + len(named), (own, board)
        reminders += len(board)
        if getattr(told.table.state, "is_over", False):
            wrong += board
    assert (wrong, told.table.is_over) == ([], True) and reminders > 3


def test_what_stands_among_the_news_is_not_said_twice(table_of_two: SeatedTable):
    table_of_two.play(0, CorrectPlayer(player=1, acorn=3))
    table_of_two.submit(1, "answer", {"proposal": str(table_of_two.table.version), "yes": "0"})
    assert table_of_two.page(0).tags_with_class("news") != [] == table_of_two.page(0).tags_with_class("since")
