"""Tests of the lesson that a newcomer's page shows: which one, and each once."""

import pytest

from companion.log.entries import Played
from companion.log.table import Table
from companion.pages.lessons import asks_experience, current_lesson
from companion.storage.lessons import EXPERIENCED, Learner, Reading
from scoring.games import GAMES
from scoring.kernel.lessons import GOAL
from scoring.kernel.move import Move
from scoring.trails.moves.hiking import Hike, Skip
from tests.support.lesson_readers import NEWCOMER, TAUGHT_GAMES, read_lessons, tables_of_random_game
from tests.support.log_builder import LogBuilder, build_seated_log, leaf_edit

NEW = Learner(is_taught=None)


def reader_of(*ids: str) -> Learner:
    return Learner(True, {id: Reading("BCDFG", None) for id in ids})


def lesson_id(table: Table, seat: int, learner: Learner) -> str:
    current = current_lesson(table, seat, learner)
    return current.lesson.id if current else ""


def test_goal_comes_first_also_for_a_waiting_player():
    table = build_seated_log("Ana", "Bo").table
    assert [lesson_id(table, seat, NEWCOMER) for seat in (0, 1)] == [GOAL, GOAL]


def test_first_turn_follows_the_goal_when_the_player_is_to_move():
    table = build_seated_log("Ana", "Bo").table
    assert [lesson_id(table, seat, reader_of(GOAL)) for seat in (0, 1)] == ["hike", ""]


def test_experienced_and_unasked_players_get_no_lesson():
    table = build_seated_log("Ana", "Bo").table
    assert [lesson_id(table, 0, learner) for learner in (EXPERIENCED, NEW)] == ["", ""]
    assert [asks_experience(table, learner) for learner in (EXPERIENCED, NEW, NEWCOMER)] == [False, True, False]


@pytest.mark.parametrize("key", [GAMES[key].score_entry.key for key in TAUGHT_GAMES if GAMES[key].score_entry])
def test_score_entry_neither_asks_nor_teaches(key: str):
    table = LogBuilder("Ana", "Bo", game=key).table
    assert not asks_experience(table, NEW) and current_lesson(table, 0, NEWCOMER) is None


def test_request_that_waits_for_the_player_hides_the_lesson():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(1))
    builder.propose(0, Played(leaf_edit(1, 1)))
    assert [lesson_id(builder.table, seat, NEWCOMER) for seat in (0, 1)] == [GOAL, ""]


def trails_turn(builder: LogBuilder, seat: int, steps: int) -> None:
    """Play a whole turn, with the first legal choice at each decision after the hike."""
    builder.play(seat, Hike(steps))
    while seat in builder.table.tracked.flow.to_move(builder.table.state):
        tracked, state = builder.table.tracked, builder.table.state
        builder.play(
            seat, next(offer.move for offer in tracked.offers(state, seat, turn_kinds(builder)) if offer.is_legal)
        )


def turn_kinds(builder: LogBuilder) -> tuple[type[Move], ...]:
    return builder.table.tracked.available_moves(builder.table.state)


def test_lessons_about_events_wait_until_the_first_turn_is_over():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(4, canteen=True))
    learner = reader_of(GOAL, "hike", "photo")
    assert builder.table.state.players[0].canteen is False
    assert lesson_id(builder.table, 0, learner) == ""
    builder.play(0, Skip())
    assert lesson_id(builder.table, 0, learner) == "canteen"


def test_one_lesson_about_an_event_is_shown_from_turn_to_turn():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(4, canteen=True), Skip())
    for seat, steps in ((1, 1), (0, 2), (1, 1)):
        trails_turn(builder, seat, steps)
    known = reader_of(GOAL, *(lesson.id for lesson in builder.table.tracked.lessons.texts.turn), "facing", "earn")
    first = current_lesson(builder.table, 0, known)
    assert first is not None and first.reading.turn == 2
    after = Learner(True, {**known.read, first.lesson.id: first.reading})
    assert lesson_id(builder.table, 0, after) == ""


def test_lesson_about_an_event_ends_with_the_turn_that_it_belongs_to():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, Hike(4, canteen=True), Skip())
    learner = reader_of(GOAL, "hike", "photo", "facing", "trail-end")
    assert lesson_id(builder.table, 0, learner) == "canteen"
    trails_turn(builder, 1, 1)
    assert lesson_id(builder.table, 0, learner) == "canteen"
    trails_turn(builder, 0, 1)
    assert lesson_id(builder.table, 0, learner) == ""


@pytest.mark.parametrize("key", TAUGHT_GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_no_lesson_is_shown_twice_in_a_whole_game(key: str, seed: int):
    tables = tables_of_random_game(key, seed)
    for seat in range(len(tables[0].seats)):
        shown = [current.lesson.id for _, current in read_lessons(tables, seat)]
        assert len(shown) == len(set(shown)) > 5 and shown[0] == GOAL


@pytest.mark.parametrize("key", TAUGHT_GAMES)
def test_at_most_one_lesson_about_events_is_read_in_each_turn(key: str):
    tables = tables_of_random_game(key, 1)
    for seat in range(len(tables[0].seats)):
        turns = [current.reading.turn for _, current in read_lessons(tables, seat) if current.reading.turn is not None]
        assert len(turns) == len(set(turns)) and 0 not in turns


@pytest.mark.parametrize("key", TAUGHT_GAMES)
def test_lesson_about_a_decision_is_shown_when_it_is_first_needed(key: str):
    tables = tables_of_random_game(key, 1)
    for seat in range(len(tables[0].seats)):
        shown_at = {current.lesson.id: table for table, current in read_lessons(tables, seat)}
        needed: dict[str, Table] = {}
        for table in tables:
            tracked, lessons = table.tracked, table.tracked.lessons
            if seat in tracked.flow.to_move(table.state) and not table.is_over:
                for id in lessons.decisions(tracked.view(table.state, seat), seat):
                    needed.setdefault(id, table)
        late = [id for id, table in needed.items() if shown_at[id].version > table.version]
        assert late == []
