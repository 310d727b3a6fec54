"""Lessons for a first game: the steps of the setup, and texts when a player needs them."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.state import SetupT, StateT

GOAL = "goal"  # the id of the lesson that comes before all others


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One or two sentences that teach some rules when a player first needs them."""

    id: str
    text: str
    rules: tuple[str, ...]  # ids of the rules that it teaches


class Piece(Struct, frozen=True, forbid_unknown_fields=True):
    """What a picture of the setup shows: an icon, and what it stands for."""

    icon: str  # of `static/icons.svg`
    label: str


class SetupStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One physical action of the setup, before the first move."""

    id: str
    text: str  # `{name}` stands for a value of `Lessons.setup_values`
    rules: tuple[str, ...]
    pieces: tuple[Piece, ...]
    players: tuple[int, ...] = ()  # the numbers of players that need it; empty: all


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign on the screen, or the name of a card, and what it means."""

    word: str
    text: str
    icons: tuple[str, ...] = ()  # of `static/icons.svg`; empty: the word itself is the sign
    rules: tuple[str, ...] = ()


class LessonTexts(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one game, from its `lessons.toml`; they can be changed without touching code."""

    goal: Lesson  # how a player wins
    turn: tuple[Lesson, ...]  # about a player's first decisions
    first: tuple[Lesson, ...]  # about what a player meets for the first time, the most urgent first
    setup: tuple[SetupStep, ...] = ()
    end: tuple[Lesson, ...] = ()  # how the points are counted; the id is that of a category of the sheet, in its order
    label: tuple[Label, ...] = ()
    not_needed: dict[str, str] = {}  # rules that no text teaches, with the reason why a first game does not need them


def _no_values(setup: object) -> dict[str, object]:
    return {}


def _no_gaps(state: object) -> dict[str, tuple[int, ...]]:
    return {}


@dataclass(frozen=True)
class Lessons(Generic[SetupT, StateT]):
    """The lessons of one game.

    `decisions` and `events` get views of the seat, so that a lesson cannot reveal what others hide.
    """

    texts: LessonTexts
    # View and seat -> ids of the lessons that help with what the player may decide now.
    decisions: Callable[[StateT, int], Iterator[str]]
    # Views before and after a step, and seat -> ids of the lessons about what the player has met in this step.
    events: Callable[[StateT, StateT, int], Iterator[str]]
    # Setup -> the values of the placeholders in the texts of the setup, such as the number of tiles.
    setup_values: Callable[[SetupT], dict[str, object]] = _no_values
    # Public view -> for each step of the setup at which players enter something: the seats that have not yet.
    setup_gaps: Callable[[StateT], dict[str, tuple[int, ...]]] = _no_gaps

    @cached_property
    def by_id(self) -> dict[str, Lesson]:
        """Return the lessons of play by id, in the order of the file: the most urgent first."""
        return {lesson.id: lesson for lesson in (self.texts.goal, *self.texts.turn, *self.texts.first)}

    @cached_property
    def end_by_category(self) -> dict[str, Lesson]:
        """Return the lessons about counting the points, by category of the sheet."""
        return {lesson.id: replace(lesson, id=f"end-{lesson.id}") for lesson in self.texts.end}

    def setup_steps(self, setup: SetupT) -> tuple[SetupStep, ...]:
        """Return the steps of a setup with exact counts, for its number of players."""
        values, count = self.setup_values(setup), len(setup.players)
        return tuple(
            replace(step, text=step.text.format_map(values))
            for step in self.texts.setup
            if not step.players or count in step.players
        )


def read_lesson_texts(module_file: str) -> LessonTexts:
    """Return the texts in the `lessons.toml` beside a module.

    :param module_file: the `__file__` of the module.
    :raises msgspec.ValidationError: if a field is missing, unknown or of another type.
    """
    data = tomllib.loads(Path(module_file).with_name("lessons.toml").read_text(encoding="utf-8"))
    return msgspec.convert({**data, "goal": {"id": GOAL, **data["goal"]}}, LessonTexts)
