"""The page of a seat: whose turn it is, the player's own area, the moves, and the log."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from urllib.parse import urlencode

from companion.log.plans import RepairPlan, plan_to_restore
from companion.log.replay import replay
from companion.log.steps import Step
from companion.log.table import LogMessage, Table, visible_messages
from companion.pages.lessons import asks_experience, current_lesson
from companion.pages.menu import Button, Menu
from companion.pages.setup_guide import SetupCard
from companion.pages.table import TableMixin, table_page
from companion.storage.lessons import EXPERIENCED, Learner
from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.lessons import Lesson
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.sheet import Sheet
from scoring.kernel.tracked_game import Offer

LOG_LINES = 6  # on a phone; the full log has a page


@dataclass(frozen=True)
class LogLine:
    """One line of the log, with what this phone may do about it in one tap."""

    message: LogMessage
    text: str  # the step's current text
    action: str = ""  # "take_back" (undo), "put_back" (redo), or empty
    step_id: str = ""  # the step that the line records


@dataclass(frozen=True)
class SeatPage(TableMixin):
    """A phone's own page: whose turn it is, the table, the seat's things and moves, the log."""

    seat: int
    menu: Menu
    log: tuple[LogLine, ...]
    undoable_step: Step | None  # this phone's latest step, if one tap undoes it and nothing else
    # The move that this phone is building: the fields `draft.<name>` of its address.
    draft: dict[str, str]
    refusal: tuple[Reason | str, ...] = ()  # why the last tap was refused
    suggestions: tuple[Button, ...] = ()  # moves that the refused tap may have meant
    asks_experience: bool = False  # whether to ask the player whether they have played the game
    lesson: Lesson | None = None  # for a newcomer
    is_taught: bool = False  # whether the phone teaches the player
    # After the game: the categories counted so far, while the player reads how points are counted; None: all of them.
    counted_categories: tuple[str, ...] | None = None

    @property
    def draft_query(self) -> str:
        """Return the move being built as part of an address."""
        return urlencode({f"draft.{name}": value for name, value in self.draft.items()})

    @cached_property
    def view_helpers(self) -> dict[str, object]:
        """Return the values of the game's own view helpers, by name."""
        arguments = (self.table.view, self.seat, self.draft)
        return {name: helper(*arguments) for name, helper in self.table.tracked.view_helpers.items()}

    @cached_property
    def score(self) -> Sheet:
        """Return the score so far as this seat may know it; computed only if a template shows it."""
        return self.table.tracked.box.score(self.table.tracked.final_position(self.table.view))

    @property
    def setup_card(self) -> SetupCard | None:
        """Return the step of the guided setup, unless the player is building a move."""
        return None if self.draft else self.table.setup_card

    @property
    def is_my_turn(self) -> bool:
        return self.seat in self.table.to_move

    @property
    def is_waiting(self) -> bool:
        """Return whether the seat waits for other players."""
        return not (self.is_my_turn or self.table.is_over)

    @property
    def banner(self) -> tuple[str, str] | None:
        """Return the text to show in place of "Your turn", and the prompt; None: the default banner."""
        if self.table.turn_owner_name:
            return f"{self.table.turn_owner_name}\u2019s turn", self.table.prompt
        return self.table.tracked.text.banner(self.table.view, self.seat)


def seat_page(
    table: Table,
    device: str,
    seat: int,
    refusal: Iterable[Reason | str] = (),
    *,
    draft: dict[str, str] | None = None,
    refused_move: Move | None = None,
    learner: Learner = EXPERIENCED,
) -> SeatPage:
    """Build a phone's own page, with the move being built and the latest log lines."""
    page = table_page(table, device, seat)
    current = current_lesson(table, seat, learner)
    suggested_moves = table.tracked.suggestions(page.view, seat, refused_move) if refused_move else ()
    return SeatPage(
        table=page,
        seat=seat,
        menu=Menu(table.tracked, page.view, seat),
        log=tuple(log_lines(table, device, page.own_seats, seat, LOG_LINES)),
        undoable_step=_undoable_step(table, device, seat),
        draft=draft or {},
        refusal=tuple(refusal),
        suggestions=tuple(Button(Offer(move, ()), page.view, seat) for move in suggested_moves),
        asks_experience=asks_experience(table, learner),
        lesson=current.lesson if current else None,
        is_taught=learner.is_taught is True,
        counted_categories=current.counted if current else None,
    )


def log_lines(table: Table, device: str, seats: tuple[int, ...], seat: int | None, limit: int) -> Iterable[LogLine]:
    """Yield the log lines a phone may read, latest first, with what it may undo or redo alone."""
    for line in islice(visible_messages(table, (seat,) if seat is not None else ()), limit):
        step = table.active_step(line.number) if line.is_step else None
        removed = table.removed.get(str(line.number)) if line.is_step else None
        action = ""
        if step and step.seat in seats and can_undo(table, step, device):
            action = "take_back"
        elif removed and seats and can_redo(table, removed[0], device):
            action = "put_back"
        yield LogLine(line, step.text if step else line.text, action, str(line.number) if line.is_step else "")


def _undoable_step(table: Table, device: str, seat: int) -> Step | None:
    """Return the latest step of a phone, if one tap undoes it.

    Never an earlier step: that would leave the latest one wrong. A note of another seat stays off this page.
    """
    own_seats = table.seats_of(device)
    own_steps = (
        step for step in reversed(table.steps) if step.seat in own_seats and not isinstance(step.move, UseBoxFacts)
    )
    latest = next(own_steps, None)
    if latest is None or (latest.move.is_secret and latest.seat != seat):
        return None
    return latest if can_undo(table, latest, device) else None


def can_undo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap undoes a step without asking and without changing another step.

    Facts that the owner of a box entered are not a step of the player they are stored with.
    """
    return (
        not isinstance(step.move, UseBoxFacts)
        and table.can_change_step_alone(step, device)
        and not _reopens_reveal(table, step)
        and (step is table.steps[-1] or replay(table, RepairPlan(step.id, 1), step.seat).is_single_step)
    )


def _reopens_reveal(table: Table, step: Step) -> bool:
    """Return whether undoing a step would reopen play after the reveal has begun."""
    ended_play = step.after.is_over and not step.before.is_over
    return ended_play and not (table.is_over and step is table.steps[-1])


def can_redo(table: Table, step: Step, device: str) -> bool:
    """Return whether one tap redoes a step without asking and without changing another step."""
    if not table.can_change_step_alone(step, device):
        return False
    return replay(table, plan_to_restore(table, step.id), step.seat).is_single_step
