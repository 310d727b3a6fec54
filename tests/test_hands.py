"""What hands must do at the real table, and what happened last, on phones and in the table view."""

import pytest

from companion import pages as build
from companion.entries import Played
from companion.table import plain_move
from scoring.trails.correcting import CorrectPlayer
from scoring.trails.hiking import Hike, Photograph
from scoring.trails.telling import NameCard, NoteHand
from tests.phones import Seated
from tests.told_table import ANA, BO, all_at

TO_PHOTO = (Hike(4, canteen=True), Photograph(pay="acorn"))
PUT_BACK = "Put the other photo face up on the discard pile."
TOOK = "Ana drew two photos and kept one for an acorn. \u22121 acorn. +1 photo."


def hands_of(told) -> tuple[str, ...]:
    """Return what hands must do as Bo's phone has it, and anybody's."""
    said = build.table_page(told.table, BO, 1).hands
    assert said == build.table_page(told.table, ANA, 0).hands == build.table_page(told.table, "a television").hands
    return said


def test_hands_are_told_what_the_last_move_asks_of_them_until_the_next_one():
    told = all_at("Ana", "Bo")
    assert hands_of(told) == ()
    told.play(0, *TO_PHOTO)
    assert hands_of(told) == (PUT_BACK,)
    told.play(1, Hike(1))
    assert hands_of(told) == ()


@pytest.mark.parametrize("seat, move", [(0, NoteHand("science")), (1, NameCard("trailhead", "science"))])
def test_what_is_noted_or_told_besides_leaves_hands_what_they_have_to_do(seat, move):
    told = all_at("Ana", "Bo")
    told.play(0, *TO_PHOTO)
    told.play(seat, move)
    assert hands_of(told) == (PUT_BACK,)


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


def test_a_phone_whose_turn_it_is_says_what_happened_and_every_phone_what_hands_must_do(two: Seated):
    for move in TO_PHOTO:
        two.say(0, move)
    assert two.page(0).with_class("since") == [] != two.page(1).with_class("since")
    assert TOOK in two.page(1).text
    for page in (two.page(0), two.page(1), two.phone(1).open(f"{two.path}/board")):
        assert PUT_BACK in page.text


def test_what_stands_among_the_news_is_not_said_twice(two: Seated):
    two.say(0, CorrectPlayer(player=1, acorn=3))
    two.tap(1, "answer", {"proposal": str(two.table.number), "yes": "0"})
    assert two.page(0).with_class("news") != [] == two.page(0).with_class("since")
