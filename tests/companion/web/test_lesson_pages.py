"""Tests of lessons on the pages: the question, reading, stopping, reading again."""

import re

import pytest
from flask import Flask

from scoring.games import TRACKED_GAMES
from scoring.kernel.lessons import GOAL
from scoring.trails.moves.hiking import Hike
from tests.support.changed_secrets import strip_per_request_values
from tests.support.page_parser import parse_page
from tests.support.phones import SeatedTable, open_seated_table

NIA, OLI = 0, 1
NAMES = ("Nia", "Oli")  # no other test of the same app has finished a game with them
QUESTION = "Have you played TRAILS before?"
LESSONS = TRACKED_GAMES["trails"].lessons.by_id
GOAL_TEXT, HIKE_TEXT = LESSONS[GOAL].text, LESSONS["hike"].text


@pytest.fixture
def new_table(app: Flask) -> SeatedTable:
    """Return a table whose players have not been asked."""
    return open_seated_table(app, *NAMES, is_taught=None)


@pytest.fixture
def taught_table(app: Flask) -> SeatedTable:
    return open_seated_table(app, *NAMES, is_taught=True)


def card_text(table: SeatedTable, seat: int) -> str:
    """Return the text of the card above the choices, or nothing."""
    text = table.phone(seat).get(f"{table.path}/seat/{seat}").text
    card = re.search('<form class="lesson-card.*?</form>', text, re.DOTALL)
    return parse_page(card[0]).text if card else ""


def test_player_without_a_finished_game_is_asked(new_table: SeatedTable):
    assert QUESTION in card_text(new_table, NIA)
    assert QUESTION in card_text(new_table, OLI)


def test_newcomer_reads_the_goal_and_then_the_first_turn(new_table: SeatedTable):
    new_table.submit(NIA, "experience", {"new": "1"})
    new_table.submit(NIA, "guide", {"change": "close"})
    assert GOAL_TEXT in card_text(new_table, NIA)
    new_table.submit(NIA, "lesson", {"lesson": GOAL})
    assert HIKE_TEXT in card_text(new_table, NIA)
    new_table.submit(NIA, "lesson", {"lesson": "hike"})
    assert HIKE_TEXT not in card_text(new_table, NIA)
    assert QUESTION in card_text(new_table, OLI)


def test_second_tap_on_the_same_lesson_does_not_skip_the_next(taught_table: SeatedTable):
    for _ in range(2):
        taught_table.submit(NIA, "lesson", {"lesson": GOAL})
    assert HIKE_TEXT in card_text(taught_table, NIA)


def test_move_reads_the_lesson_above_it_also_if_it_is_undone(taught_table: SeatedTable):
    taught_table.submit(NIA, "lesson", {"lesson": GOAL})
    taught_table.submit(NIA, "play", {"move": '{"type":"hike","steps":1}'})
    step = taught_table.table.steps[-1]
    taught_table.submit(NIA, "step", {"take_back": step.id})
    assert taught_table.table.steps == ()
    assert HIKE_TEXT not in card_text(taught_table, NIA)


def test_refused_move_leaves_the_lesson_unread(taught_table: SeatedTable):
    taught_table.submit(NIA, "play", {"move": '{"type":"hike","steps":3}'})
    assert GOAL_TEXT in card_text(taught_table, NIA)


def test_player_who_moves_without_answering_is_not_asked_again(new_table: SeatedTable):
    new_table.submit(NIA, "play", {"move": '{"type":"hike","steps":1}'})
    assert card_text(new_table, NIA) == ""
    assert QUESTION in card_text(new_table, OLI)


def test_experienced_player_has_the_page_of_a_game_without_lessons(app: Flask, table_of_two: SeatedTable, monkeypatch):
    table_of_two.play(NIA, Hike(1))
    pages = [table_of_two.phone(seat).get(f"{table_of_two.path}/seat/{seat}").text for seat in (NIA, OLI)]
    monkeypatch.setitem(TRACKED_GAMES["trails"].__dict__, "lessons", None)
    app.extensions["pages"].rendered.cache_clear()
    without = [table_of_two.phone(seat).get(f"{table_of_two.path}/seat/{seat}").text for seat in (NIA, OLI)]
    assert list(map(strip_per_request_values, pages)) == list(map(strip_per_request_values, without))


def test_phone_with_two_seats_keeps_a_list_for_each(app: Flask):
    table = open_seated_table(app, *NAMES, phones=1, is_taught=None)
    assert "Has Nia played TRAILS before?" in card_text(table, NIA)
    table.submit(NIA, "experience", {"new": "1"})
    table.submit(NIA, "guide", {"change": "close"})
    table.submit(NIA, "lesson", {"lesson": GOAL})
    assert "Has Oli played" in card_text(table, OLI)
    table.submit(OLI, "experience", {"new": "1"})
    assert GOAL_TEXT in card_text(table, OLI)
    assert HIKE_TEXT in card_text(table, NIA)


def test_lessons_that_were_read_stay_read_at_another_table(app: Flask, taught_table: SeatedTable):
    taught_table.submit(NIA, "lesson", {"lesson": GOAL})
    referee, phone = taught_table.referee, taught_table.phone(NIA)
    setup = referee.default_setup(TRACKED_GAMES["trails"], ["Oli", "NIA"])
    code = referee.open_table(phone.device, "trails", setup).code
    phone.post(f"/t/{code}/sit", {"seat": "1"})
    assert GOAL_TEXT not in phone.open(f"/t/{code}/seat/1").text


def test_read_lessons_are_listed_with_their_rules(taught_table: SeatedTable):
    taught_table.submit(NIA, "lesson", {"lesson": GOAL})
    taught_table.submit(NIA, "lesson", {"lesson": "hike"})
    assert "Explain again" in taught_table.page(NIA).text
    page = taught_table.phone(NIA).open(f"{taught_table.path}/seat/0/lessons")
    assert page.text.index(GOAL_TEXT) < page.text.index(HIKE_TEXT)
    assert f"/rules/trails/{LESSONS['hike'].rules[0]}" in page.addresses


def test_teaching_stops_and_starts_again(taught_table: SeatedTable):
    taught_table.submit(NIA, "lessons/stop", {})
    assert card_text(taught_table, NIA) == "" and "Explain again" not in taught_table.page(NIA).text
    assert "Teach me this game" in taught_table.phone(NIA).open(f"{taught_table.path}/seat/0/lessons").text
    taught_table.submit(NIA, "lessons/start", {})
    assert GOAL_TEXT in card_text(taught_table, NIA)


def test_start_over_shows_all_lessons_again(taught_table: SeatedTable):
    taught_table.submit(NIA, "lesson", {"lesson": GOAL})
    taught_table.submit(NIA, "lessons/start_over", {})
    assert GOAL_TEXT in card_text(taught_table, NIA)


def test_page_of_another_seat_cannot_be_taught(taught_table: SeatedTable):
    for form in ("experience", "lesson", "lessons/stop"):
        answer = taught_table.phone(OLI).post(f"{taught_table.path}/seat/0/{form}", {"lesson": GOAL, "new": "0"})
        assert answer.headers["Location"] == taught_table.path
    assert GOAL_TEXT in card_text(taught_table, NIA)


def test_game_without_lessons_has_no_page_of_lessons(score_entry_table: SeatedTable):
    assert score_entry_table.phone(NIA).get(f"{score_entry_table.path}/seat/0/lessons").status_code == 404
