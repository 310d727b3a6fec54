"""The lessons of a first game: each is met, cites rules, and is short."""

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scoring.games import GAMES
from scoring.kernel.game import Game
from scoring.kernel.lessons import GOAL, Lesson, Lessons
from tests.support.game_names import folder_of
from tests.support.invariant_tables import TABLES, seeded_rng
from tests.support.invariants import SEED, TableConfig
from tests.support.player_names import NAMES
from tests.support.random_games import random_game
from tests.support.rulebook_runs import shared_runs

MAX_GAMES = 60  # at each table of a game; the rarest lesson is met by one player in twenty
MAX_WORDS_IN_SENTENCE, MAX_WORDS, MAX_SENTENCES = 18, 36, 2
MAX_WORDS_BEFORE_FIRST_MOVE = 60
MAX_SETUP_STEPS, MAX_WORDS_OF_SIGN = 12, 3
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


def _all_texts(game: Game) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return every text of a game with its rules, by its place in the file."""
    texts = _lessons(game).texts
    found = {f"lesson {lesson.id}": (lesson.text, lesson.rules) for lesson in _lessons(game).by_id.values()}
    found |= {f"setup {step.id}": (step.text, step.rules) for step in texts.setup}
    found |= {f"end {lesson.id}": (lesson.text, lesson.rules) for lesson in texts.end}
    return found | {f"label {label.word}": (label.text, label.rules) for label in texts.label}


@for_every_game
def test_every_rule_is_taught_or_listed_as_not_needed(game: Game):
    taught = {id for _, rules in _all_texts(game).values() for id in rules}
    not_needed = _lessons(game).texts.not_needed
    file = f"scoring/{folder_of(game.box.key)}/lessons.toml"
    missing, listed_twice = set(game.box.rules) - taught - set(not_needed), taught & set(not_needed)
    assert not missing, f"No text teaches {sorted(missing)}. Name them in {file}: in a text, or under [not_needed]."
    assert not listed_twice, f"A text teaches {sorted(listed_twice)}. Remove them from [not_needed] in {file}."
    unknown = (taught | set(not_needed)) - set(game.box.rules)
    assert not unknown, f"There are no rules {sorted(unknown)}. Correct their ids in {file}."
    assert all(reason.strip() for reason in not_needed.values()), f"A reason under [not_needed] in {file} is empty."


@for_every_game
def test_all_texts_are_short_sentences(game: Game):
    for place, (text, _) in _all_texts(game).items():
        sentences = re.split(r"(?<=[.?]) ", text)
        assert max(map(_count_words, sentences)) <= MAX_WORDS_IN_SENTENCE, (place, text)
        assert text.endswith(".") and "!" not in text and "'" not in text, (place, text)
    assert all(_count_words(label.word) <= MAX_WORDS_OF_SIGN for label in _lessons(game).texts.label if label.icons)


@for_every_game
def test_no_text_has_seven_words_in_a_row_of_a_rulebook(game: Game):
    copied = {place: shared_runs(text) for place, (text, _) in _all_texts(game).items()}
    assert {place: runs for place, runs in copied.items() if runs} == {}


@for_every_game
def test_setup_has_few_steps_with_exact_counts(game: Game):
    assert game.tracked
    for count in game.box.player_counts:
        setup = game.tracked.setup_format.default(list(NAMES[:count]))
        steps = _lessons(game).setup_steps(setup)
        assert 5 <= len(steps) <= MAX_SETUP_STEPS
        assert len({step.id for step in steps}) == len(steps)
        assert [step for step in steps if "{" in step.text or not step.pieces] == []


@for_every_game
def test_setup_asks_only_for_what_is_not_entered(game: Game):
    assert game.tracked
    setup = game.tracked.setup_format.defer_choices(game.tracked.setup_format.default(list(NAMES[:2])))
    state = game.tracked.initial_state(setup)
    gaps = _lessons(game).setup_gaps(game.tracked.view(state, None))
    assert set(gaps) <= {step.id for step in _lessons(game).setup_steps(setup)}
    assert all(set(seats) <= set(range(2)) for seats in gaps.values())


@for_every_game
def test_signs_and_pieces_are_icons_of_the_app(game: Game):
    sprite = (Path(__file__).parents[3] / "static/icons.svg").read_text(encoding="utf-8")
    icons = set(re.findall('<symbol id="([^"]+)"', sprite))
    texts = _lessons(game).texts
    used = {piece.icon for step in texts.setup for piece in step.pieces}
    used |= {icon for label in texts.label for icon in label.icons}
    assert used <= icons


@for_every_game
def test_end_explains_each_category_of_the_sheet_in_its_order(game: Game):
    explained = [lesson.id for lesson in _lessons(game).texts.end]
    if game.box.has_points:
        assert explained == [id for id, _ in game.box.categories]
    else:
        assert explained
