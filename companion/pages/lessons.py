"""The lesson that a newcomer's page shows: one at a time, each once."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.log.table import Table
from companion.pages.setup_guide import setup_card
from companion.pages.table import TableMixin, table_page
from companion.storage.lessons import Learner, Reading
from scoring.kernel.lessons import GOAL, Lesson, Lessons
from scoring.kernel.rule import Rule
from scoring.kernel.state import GameSetup, GameState


@dataclass(frozen=True)
class LessonsPage(TableMixin):
    """All lessons that a player has read, to read them again."""

    seat: int
    is_taught: bool
    lessons: tuple[Lesson, ...]  # the goal, then those that were read, the latest first
    not_met: tuple[Lesson, ...]  # after the game: those about what has not happened to the player yet

    def rules(self, lesson: Lesson) -> tuple[Rule, ...]:
        """Return the rules that a lesson teaches."""
        return tuple(self.game.rules[id] for id in lesson.rules)


def lessons_page(table: Table, device: str, seat: int, learner: Learner) -> LessonsPage:
    lessons = table.tracked.lessons
    assert lessons  # a game without lessons has no such page
    all_lessons = lessons.by_id | {lesson.id: lesson for lesson in lessons.end_by_category.values()}
    read = [all_lessons[id] for id in reversed(learner.read) if id != GOAL and id in all_lessons]
    unread = tuple(lesson for id, lesson in lessons.by_id.items() if id not in learner.read and id != GOAL)
    page, is_taught = table_page(table, device, seat), learner.is_taught is True
    not_met = unread if is_taught and table.is_over else ()
    return LessonsPage(page, seat, is_taught, (lessons.by_id[GOAL], *read), not_met)


def asks_experience(table: Table, learner: Learner) -> bool:
    """Return whether to ask a player whether they have played the game."""
    return table.tracked.lessons is not None and learner.is_taught is None and not table.is_over


@dataclass(frozen=True)
class CurrentLesson:
    """The lesson that a page shows, and what is saved once it has been read."""

    lesson: Lesson
    reading: Reading
    counted: tuple[str, ...] | None = None  # after the game: the categories of the sheet up to that of the lesson


def current_lesson(table: Table, seat: int, learner: Learner) -> CurrentLesson | None:
    """Return the lesson to show to a seat now, or None.

    A request that waits for the player comes before all lessons. Of these, the goal comes first, and alone during a
    guided setup; then what helps with a decision; then what the player has met since the start of the latest turn, the
    earliest first.
    """
    lessons = table.tracked.lessons
    if not learner.is_taught or lessons is None:
        return None
    if any(seat in proposal.waiting_seats for proposal in table.proposals):
        return None
    if table.is_over:
        return _unread_end_lesson(table, lessons, learner)
    for id in (GOAL, *(() if setup_card(table) else _decision_ids(table, seat, lessons))):
        if id not in learner.read:
            return CurrentLesson(lessons.by_id[id], Reading(table.code, None))
    if (turn := _turn_for_event(table, seat, learner)) is not None:
        for id in _event_ids(table, seat, lessons, _turns(table, seat)[-1]):
            if id not in learner.read:
                return CurrentLesson(lessons.by_id[id], Reading(table.code, turn))
    return None


def _unread_end_lesson(table: Table, lessons: Lessons[GameSetup, GameState], learner: Learner) -> CurrentLesson | None:
    """Return the next lesson about counting the points, or None."""
    for number, lesson in enumerate(lessons.end_by_category.values(), 1):
        if lesson.id not in learner.read:
            return CurrentLesson(lesson, Reading(table.code, None), tuple(lessons.end_by_category)[:number])
    return None


def _decision_ids(table: Table, seat: int, lessons: Lessons[GameSetup, GameState]) -> list[str]:
    """Return the lessons that help a seat to decide now, the most urgent first."""
    tracked = table.tracked
    if seat not in tracked.flow.to_move(table.state):
        return []
    wanted = set(lessons.decisions(tracked.view(table.state, seat), seat))
    return [id for id in lessons.by_id if id in wanted]


def _turn_for_event(table: Table, seat: int, learner: Learner) -> int | None:
    """Return the number of a player's turns if a lesson about an event may be shown, else None.

    No lesson is shown before the end of the first turn, and then at most one from the start of a turn to the next.
    """
    turns = _turns(table, seat)
    if not turns or Reading(table.code, len(turns)) in learner.read.values():
        return None
    first_state = table.find_step(turns[0]).before
    is_in_first_turn = len(turns) == 1 and table.tracked.is_turn_unfinished(first_state, table.state, seat)
    return None if is_in_first_turn else len(turns)


def _turns(table: Table, seat: int) -> list[str]:
    """Return the first step of each turn of a player, by ID."""
    return [id for id, name in table.turn_starts.items() if name == table.names[seat]]


def _event_ids(table: Table, seat: int, lessons: Lessons[GameSetup, GameState], first_step: str) -> Iterator[str]:
    """Yield the lessons about the events of a seat since a step; some of them repeatedly."""
    view = table.tracked.view
    for step in table.steps[table.index_by_step[first_step] :]:
        yield from lessons.events(view(step.before, seat), view(step.after, seat), seat)
