"""Tests of the players who are taught a game, and of the lessons they have read."""

import pytest

from companion.history.result import PlayerResult
from companion.service.referee import Referee
from companion.storage.erasure import erase_player
from companion.storage.lessons import EXPERIENCED, Learner, Learners, Reading
from tests.support.finished_tables import HOST_DEVICE, scored_table
from tests.support.parametrize import run_all_rows

PHONE, OTHER_PHONE = "a phone", "another phone"
READING = Reading("BCDFG", None)


@pytest.fixture
def learners(bare_referee: Referee) -> Learners:
    return bare_referee.learners


def test_new_player_must_be_asked(learners: Learners):
    assert learners.find(PHONE, "Ana", "trails") == Learner(is_taught=None)


@run_all_rows(
    "device, name, game, is_same",
    [
        (PHONE, " ANA ", "trails", True),
        (OTHER_PHONE, "Ana", "trails", False),
        (PHONE, "Bo", "trails", False),
        (PHONE, "Ana", "parks", False),
    ],
)
def test_answer_holds_for_phone_name_and_game(learners: Learners, device, name, game, is_same):
    learners.set_taught(PHONE, "Ana", "trails", is_taught=True)
    assert learners.find(device, name, game).is_taught == (True if is_same else None)


def test_player_with_a_finished_game_is_not_asked(bare_referee: Referee, learners: Learners):
    scored_table(bare_referee, "Ana", "Bo", game="trails")
    assert learners.find(PHONE, "ana", "trails") == EXPERIENCED
    assert learners.find(PHONE, "Ana", "parks").is_taught is None
    assert learners.find(PHONE, "Cy", "trails").is_taught is None


def test_player_with_a_finished_game_by_another_name_is_not_asked(bare_referee: Referee, learners: Learners):
    scored_table(bare_referee, "Ana", "Bo", game="trails")
    scored_table(bare_referee, "Anna", "Bo", game="parks")
    players = bare_referee.players
    players.merge(players.id("anna"), players.id("ana"))
    assert learners.find(PHONE, "Anna", "trails") == EXPERIENCED


def test_hidden_result_is_no_finished_game(bare_referee: Referee, learners: Learners):
    result = bare_referee.results.of_table(scored_table(bare_referee, "Ana", "Bo", game="trails").code)
    bare_referee.results.change(result.id, hidden=True)
    assert learners.find(PHONE, "Ana", "trails").is_taught is None
    assert PlayerResult("Ana", 0, 1).name in [part.name for part in result.players]


def test_lessons_stay_read_while_teaching_stops(learners: Learners):
    learners.set_taught(PHONE, "Ana", "trails", is_taught=True)
    for lesson in ("goal", "bear"):
        learners.mark_read(PHONE, "Ana", "trails", lesson, READING)
    learners.set_taught(PHONE, "Ana", "trails", is_taught=False)
    assert learners.find(PHONE, "Ana", "trails") == EXPERIENCED
    learners.set_taught(PHONE, "Ana", "trails", is_taught=True)
    assert list(learners.find(PHONE, "Ana", "trails").read) == ["goal", "bear"]


def test_first_reading_of_a_lesson_is_kept(learners: Learners):
    learners.set_taught(PHONE, "Ana", "trails", is_taught=True)
    learners.mark_read(PHONE, "Ana", "trails", "photos", Reading("BCDFG", 2))
    learners.mark_read(PHONE, "Ana", "trails", "photos", Reading("HJKLM", 7))
    assert learners.find(PHONE, "Ana", "trails").read == {"photos": Reading("BCDFG", 2)}


def test_start_over_forgets_the_lessons_of_one_player(learners: Learners):
    for name in ("Ana", "Bo"):
        learners.set_taught(PHONE, name, "trails", is_taught=True)
        learners.mark_read(PHONE, name, "trails", "goal", READING)
    learners.start_over(PHONE, "Ana", "trails")
    assert learners.find(PHONE, "Ana", "trails") == Learner(is_taught=True)
    assert learners.find(PHONE, "Bo", "trails").read == {"goal": READING}


def test_erased_player_leaves_no_lessons(bare_referee: Referee, learners: Learners):
    scored_table(bare_referee, "Zebulon", "Bo", game="trails", device=HOST_DEVICE)
    learners.set_taught(PHONE, "Zebulon", "parks", is_taught=True)
    learners.mark_read(PHONE, "Zebulon", "parks", "goal", READING)
    erase_player(bare_referee.store, bare_referee.players.id("zebulon"))
    rows = [bare_referee.store.query(f"SELECT * FROM {table}") for table in ("learners", "lessons")]
    assert rows == [[], []]
