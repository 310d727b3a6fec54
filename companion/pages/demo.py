"""The demo of a game: a recorded table that plays itself, as a newcomer's phone shows it."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.steps import Step
from companion.log.table import Table
from companion.pages.lessons import current_lesson
from companion.pages.seat import SeatPage, seat_page
from companion.pages.setup_guide import setup_card
from companion.storage.lessons import Learner
from scoring.kernel.box import Box
from scoring.kernel.english import end_sentence

FOLDER = Path(__file__).parents[1] / "demo"  # a log for each game, recorded by `tests.support.record_demos`
VIEWER = 0  # the seat whose phone the demo shows
DEVICE = "demo 0"  # that holds it
SECONDS, WORDS_PER_SECOND = 3, 3  # for which a frame stays, and more for each word that there is to read


@dataclass(frozen=True)
class Frame:
    """A moment of the demo: the table, and what the viewer has read."""

    table: Table
    learner: Learner
    next_text: str  # what happens next; may be empty


@dataclass(frozen=True)
class DemoPage:
    """One frame of a demo, with the page of the viewer's seat."""

    seat_page: SeatPage
    number: int  # of the frame, from 0
    count: int
    next_text: str
    is_playing: bool

    @property
    def game(self) -> Box:
        return self.seat_page.game

    @property
    def read_text(self) -> str:
        """Return the lesson or the step of the setup that the viewer reads; may be empty."""
        lesson, card = self.seat_page.lesson, self.seat_page.setup_card
        return lesson.text if lesson else card.step.text if card else ""

    @property
    def seconds(self) -> int:
        """Return the time until the next frame."""
        return SECONDS + len(f"{self.read_text} {self.next_text}".split()) // WORDS_PER_SECOND

    @property
    def is_last(self) -> bool:
        return self.number == self.count - 1


def has_demo(key: str) -> bool:
    return (FOLDER / f"{key}.json").is_file()


def demo_page(key: str, number: int, is_playing: bool) -> DemoPage:
    """Build the frame of a demo with this number, or the nearest one."""
    frames = demo_frames(key)
    number = min(max(0, number), len(frames) - 1)
    frame = frames[number]
    page = seat_page(frame.table, DEVICE, VIEWER, learner=frame.learner)
    return DemoPage(page, number, len(frames), frame.next_text, is_playing and number < len(frames) - 1)


@functools.lru_cache(maxsize=8)
def demo_frames(key: str) -> tuple[Frame, ...]:
    """Return a frame for each lesson, each decision of the viewer and each other turn."""
    return tuple(_frames(tuple(_tables(key))))


def _tables(key: str) -> Iterator[Table]:
    """Yield the table after each entry of the recorded log."""
    log = msgspec.convert(msgspec.json.decode((FOLDER / f"{key}.json").read_bytes())["log"], list[Entry])
    table = None
    for entry in log:
        table = load_entry(table, f"DEMO-{key}", entry)
        yield table


def _frames(tables: tuple[Table, ...]) -> Iterator[Frame]:
    learner, last = Learner(is_taught=True), tables[-1]
    for table in tables:
        if setup_card(table):
            yield Frame(table, learner, "")
            continue
        if table.setup_guide is None:  # the players are still taking their seats
            continue
        next_step = last.steps[len(table.steps)] if len(table.steps) < len(last.steps) else None
        next_text = end_sentence(next_step.text) if next_step and not next_step.move.is_secret else ""
        is_shown = next_step is None or _is_shown(last, next_step)
        while current := current_lesson(table, VIEWER, learner):
            yield Frame(table, learner, next_text)
            learner = Learner(True, {**learner.read, current.lesson.id: current.reading})
            is_shown = next_step is None
        if is_shown:
            yield Frame(table, learner, next_text)


def _is_shown(table: Table, next_step: Step) -> bool:
    """Return whether the viewer makes a step, or another turn begins with it."""
    is_own_decision = next_step.seat == VIEWER and not next_step.move.out_of_turn
    return is_own_decision or next_step.id in table.turn_starts
