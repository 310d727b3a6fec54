"""The lessons of a first game: each is met, cites rules, and is short."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from scoring.games import GAMES
from scoring.kernel.game import Game
from scoring.kernel.lessons import GOAL, Lesson, Lessons
from tests.support.invariant_tables import TABLES, seeded_rng
from tests.support.invariants import SEED, TableConfig
from tests.support.random_games import random_game

MAX_GAMES = 60  # at each table of a game; the rarest lesson is met by one player in twenty
MAX_WORDS_IN_SENTENCE, MAX_WORDS, MAX_SENTENCES = 18, 36, 2
MAX_WORDS_BEFORE_FIRST_MOVE = 60
OUT_OF_TURN_CHANCE = 0.1

GAMES_WITH_LESSONS = [game for game in GAMES.values() if game.tracked and game.tracked.lessons]
for_every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.box.key) for game in GAMES_WITH_LESSONS])


def _lessons(game: Game) -> Lessons:
    assert game.tracked and game.tracked.lessons
    return game.tracked.lessons


def _states(table: TableConfig, rng: random.Random) -> list[Any]:
    """Return the states of a random game."""
    log: list[tuple[int, Any]] = []
    random_game(table.tracked, table.setup, rng, log, out_of_turn_chance=OUT_OF_TURN_CHANCE)
    states = [table.tracked.initial_state(table.setup)]
    for seat, move in log:
        states.append(table.tracked.play(states[-1], seat, move))
    return states


def _lesson_ids(table: TableConfig, before: Any, state: Any, seat: int) -> Iterator[str]:
    """Yield the ids of the lessons that a seat meets in a step and at the decision after it."""
    lessons, tracked = table.tracked.lessons, table.tracked
    assert lessons
    view = tracked.view(state, seat)
    if before is not None:
        yield from lessons.events(tracked.view(before, seat), view, seat)
    if seat in tracked.flow.to_move(state):
        yield from lessons.decisions(view, seat)


@pytest.mark.timeout(600)
@for_every_game
def test_every_lesson_is_met_in_random_games(game: Game):
    missing = set(_lessons(game).by_id) - {GOAL}
    tables = [table for table in TABLES if table.tracked is game.tracked]
    for number in range(MAX_GAMES):
        for table in tables:
            with seeded_rng(f"{SEED} lessons {table.name} {number}") as rng:
                states = _states(table, rng)
                for before, state in pairwise([None, *states]):
                    for seat in range(len(table.setup.players)):
                        ids = set(_lesson_ids(table, before, state, seat))
                        assert ids <= set(_lessons(game).by_id), "an unknown lesson"
                        missing -= ids
            if not missing:
                return
    raise AssertionError(f"never met: {sorted(missing)}")


def _count_words(text: str) -> int:
    return len(re.findall(r"[\w’+-]+", text))


@for_every_game
def test_lessons_are_short(game: Game):
    for lesson in _lessons(game).by_id.values():
        assert "!" not in lesson.text, lesson
        sentences = re.split(r"(?<=[.?]) ", lesson.text)
        assert max(map(_count_words, sentences)) <= MAX_WORDS_IN_SENTENCE, lesson
        if lesson.id != GOAL:
            assert len(sentences) <= MAX_SENTENCES, lesson
            assert _count_words(lesson.text) <= MAX_WORDS, lesson


@for_every_game
def test_goal_and_first_turn_have_at_most_sixty_words(game: Game):
    texts = _lessons(game).texts
    longest_turn = max(_count_words(lesson.text) for lesson in texts.turn)
    assert _count_words(texts.goal.text) + longest_turn <= MAX_WORDS_BEFORE_FIRST_MOVE


@for_every_game
def test_lessons_cite_rules_of_their_game(game: Game):
    def unknown_rules(lesson: Lesson) -> list[str]:
        return [id for id in lesson.rules if id not in game.box.rules]

    lessons = _lessons(game)
    assert {lesson.id: unknown_rules(lesson) for lesson in lessons.by_id.values() if unknown_rules(lesson)} == {}
    assert all(lesson.rules for lesson in lessons.by_id.values())
    texts = lessons.texts
    assert len(lessons.by_id) == 1 + len(texts.turn) + len(texts.first), "two lessons have the same id"
