"""Lessons for a first game: short texts, and when a player needs each of them."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic

import msgspec
from msgspec import Struct

from scoring.kernel.state import StateT

GOAL = "goal"  # the id of the lesson that comes before all others


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One or two sentences that teach some rules when a player first needs them."""

    id: str
    text: str
    rules: tuple[str, ...]  # ids of the rules that it teaches


class LessonTexts(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one game, from its `lessons.toml`; they can be changed without touching code."""

    goal: Lesson  # how a player wins
    turn: tuple[Lesson, ...]  # about a player's first decisions
    first: tuple[Lesson, ...]  # about what a player meets for the first time, the most urgent first


@dataclass(frozen=True)
class Lessons(Generic[StateT]):
    """The lessons of one game.

    Both functions get views of the seat, so that a lesson cannot reveal what others hide.
    """

    texts: LessonTexts
    # View and seat -> ids of the lessons that help with what the player may decide now.
    decisions: Callable[[StateT, int], Iterator[str]]
    # Views before and after a step, and seat -> ids of the lessons about what the player has met in this step.
    events: Callable[[StateT, StateT, int], Iterator[str]]

    @cached_property
    def by_id(self) -> dict[str, Lesson]:
        """Return all lessons by id, in the order of the file: the most urgent first."""
        return {lesson.id: lesson for lesson in (self.texts.goal, *self.texts.turn, *self.texts.first)}


def read_lesson_texts(module_file: str) -> LessonTexts:
    """Return the texts in the `lessons.toml` beside a module.

    :param module_file: the `__file__` of the module.
    :raises msgspec.ValidationError: if a field is missing, unknown or of another type.
    """
    data = tomllib.loads(Path(module_file).with_name("lessons.toml").read_text(encoding="utf-8"))
    return msgspec.convert({**data, "goal": {"id": GOAL, **data["goal"]}}, LessonTexts)
