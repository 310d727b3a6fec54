"""A table's game, replayed as if the players had played by another option of a ruling."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from companion.log.preview import Preview, compare
from companion.log.steps import Step, conflict_text, replay_step
from companion.log.table import Table
from scoring.kernel.editable import FieldDifference
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import AdoptRuling
from scoring.kernel.rule import Option, Reason, Ruling
from scoring.kernel.state import GameState


@dataclass(frozen=True)
class NumberedStep:
    """A step of the log that everyone may read, with its number among these."""

    step: Step
    number: int


@dataclass(frozen=True)
class FirstDifference:
    """The first point of a game at which an option makes a difference."""

    at: NumberedStep | None  # None: before the first step, or at a secret one
    is_possible: bool = True  # whether the step is legal under the option
    ends_game: bool = False  # whether the game would end there
    new_text: str = ""  # what the log would say instead; empty: the same
    differences: tuple[FieldDifference, ...] = ()  # in the position and the points right after it


@dataclass(frozen=True)
class LeftOutStep:
    """A step that is illegal under an option, and that the replay leaves out."""

    at: NumberedStep
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class ReplayStop:
    """Why the rest of a game cannot be replayed."""

    at: NumberedStep | None  # the first step that does not fit; None: a secret one
    text: str = ""


@dataclass(frozen=True)
class OptionReplay:
    """What everyone may know of a game that is replayed by an option from the start."""

    first_difference: FirstDifference | None  # None: the option makes no difference in this game
    left_out: tuple[LeftOutStep, ...]
    stop: ReplayStop | None  # None: the whole game is replayed
    ends_game: bool  # whether the game would be over; its secrets stay hidden
    differences: tuple[FieldDifference, ...]  # in the position at the end of the replay
    totals: tuple[tuple[int, int], ...]  # each player's points in the log and in the replay, at the same step


def state_with_option(table: Table, state: GameState, ruling: Ruling, option: Option) -> GameState:
    """Return a state in which the table plays by an option."""
    rulings = {**state.rulings, ruling.id: option.id}
    return table.tracked.flow.resolve_forced_steps(replace(state, rulings=rulings))


def position_differences(preview: Preview, ruling: Ruling) -> tuple[FieldDifference, ...]:
    """Return the differences in the position, except for the ruling itself."""
    return tuple(difference for difference in preview.differences if difference.ruling_id != ruling.id)


def replay_with_option(table: Table, ruling: Ruling, option: Option) -> OptionReplay:
    """Replay a table's log as if an option had applied from the start.

    A step that is illegal then is left out. The replay stops where another player would be to move, or where a secret
    entry does not fit.
    """
    return _OptionRun(table, ruling, option).result()


class _OptionRun:
    """One replay of a log, step by step."""

    def __init__(self, table: Table, ruling: Ruling, option: Option):
        self.table = table
        self.ruling = ruling
        self.start = self.state = state_with_option(table, table.initial_state, ruling, option)
        self.replayed = dict[str, Step]()  # by step ID
        self.left_out = dict[str, LeftOutStep]()  # by step ID
        self.stop: ReplayStop | None = None
        self.stop_index = len(table.steps)
        readable = (step for step in table.steps if not step.move.is_secret or table.is_over)
        self.numbered = {step.id: NumberedStep(step, number) for number, step in enumerate(readable, 1)}

    def result(self) -> OptionReplay:
        """Replay the log, and compare it with the real game at the same step."""
        for index, step in enumerate(self.table.steps):
            if not self._is_adoption(step):
                self._replay(step)
            if self.stop:
                self.stop_index = index
                break
        real_state = self.table.state_before(self.stop_index)
        preview = self._compare(real_state, self.state)
        totals = () if preview.ends_game else self._totals(real_state, self.state)
        has_other_points = any(old != new for old, new in totals)
        return OptionReplay(
            first_difference=next(self._step_differences(has_other_points=has_other_points), None),
            left_out=tuple(self.left_out.values()),
            stop=self.stop,
            ends_game=preview.ends_game,
            differences=position_differences(preview, self.ruling),
            totals=totals,
        )

    def _is_adoption(self, step: Step) -> bool:
        return isinstance(step.move, AdoptRuling) and step.move.ruling == self.ruling.id

    def _replay(self, step: Step) -> None:
        """Replay a step, leave it out, or stop."""
        tracked = self.table.tracked
        try:
            replayed = self.replayed[step.id] = replay_step(tracked, self.state, step)
            self.state = replayed.after
        except IllegalMoveError:
            at = self.numbered.get(step.id)
            if at is None:
                self.stop = ReplayStop(None)
                return
            view = self.table.visible_state(self.state, None)
            reasons = tuple(tracked.objections(view, step.seat, step.move))
            if reasons and (step.move.out_of_turn or step.seat in tracked.flow.to_move(self.state)):
                self.left_out[step.id] = LeftOutStep(at, reasons)
            else:
                self.stop = ReplayStop(at, conflict_text(tracked, self.state, step, ()))

    def _step_differences(self, *, has_other_points: bool) -> Iterator[FirstDifference]:
        """Yield the steps that differ, in order.

        :param has_other_points: whether the totals differ in the end; if not, equal positions are not scored.
        """
        start = self._differences(self.table.initial_state, self.start, is_scored=has_other_points)
        if start.differences:
            yield start
        for step in self.table.steps[: self.stop_index]:
            at = self.numbered.get(step.id)
            if step.id in self.left_out:
                yield FirstDifference(at, is_possible=False)
            if at is None or step.id not in self.replayed:
                continue
            replayed = self.replayed[step.id]
            found = self._differences(step.after, replayed.after, at, is_scored=has_other_points)
            new_text = "" if replayed.text == step.text else replayed.text
            if found.differences or found.ends_game or new_text:
                yield FirstDifference(at, True, found.ends_game, new_text, found.differences)
        if self.stop:
            yield FirstDifference(self.stop.at, is_possible=False)

    def _differences(
        self, old: GameState, new: GameState, at: NumberedStep | None = None, *, is_scored: bool
    ) -> FirstDifference:
        """Return the differences after a step, of equal positions only if their scores differ."""
        if replace(new, rulings=old.rulings) == old and not (is_scored and self._has_other_points(old, new)):
            return FirstDifference(at)
        preview = self._compare(old, new)
        differences = (*position_differences(preview, self.ruling), *preview.points)
        return FirstDifference(at, ends_game=preview.ends_game, differences=differences)

    def _compare(self, old: GameState, new: GameState) -> Preview:
        return compare(self.table.at_state(old), self.table.at_state(new))

    def _has_other_points(self, old: GameState, new: GameState) -> bool:
        return any(old_total != new_total for old_total, new_total in self._totals(old, new))

    def _totals(self, old: GameState, new: GameState) -> tuple[tuple[int, int], ...]:
        """Return each player's points in the log and in the replay, as everyone may know them."""
        tracked, old_table = self.table.tracked, self.table.at_state(old)
        new_sheet = tracked.box.score(tracked.final_position(old_table.visible_state(new, None)))
        columns = zip(old_table.public_sheet.columns, new_sheet.columns, strict=True)
        return tuple((old_column.total, new_column.total) for old_column, new_column in columns)
