"""The steps of a log, how they are replayed from another state, and why that is refused."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.english import join_words, quote
from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


class InvalidEntryError(Exception):
    """An entry refers to something that does not exist, such as a seat, a step or a question."""


class Step(Struct, frozen=True):
    """An active move with the states before and after it."""

    number: int  # number of the log entry that created it
    seat: int
    move: Move
    before: GameState
    after: GameState
    text: str
    part: int = 0  # position among several moves of one entry, from 1; 0: the only move
    created_at: str = ""  # time of the entry
    entered_by: int | None = None  # the seat that entered it; None: the player's own seat

    @property
    def id(self) -> str:
        return f"{self.number}.{self.part}" if self.part else str(self.number)


class ConflictingStepError(Exception):
    """The log cannot be rewritten this way: one of its steps would not be legal."""

    def __init__(self, step: Step, text: str, reasons: Sequence[Reason] = ()):
        super().__init__(text)
        self.step = step
        self.reasons = reasons


def quote_step(step: Step) -> str:
    """Return the action of a step in quotation marks, without its results."""
    return quote(step.move.action_text(step.before, step.seat))


def make_step(
    tracked: TrackedGame[GameSetup, GameState],
    state: GameState,
    number: int,
    seat: int,
    move: Move,
    *,
    is_checked: bool = False,
) -> Step:
    """Return the step that a legal move produces.

    :param is_checked: whether the move was checked before, so that it is not checked again.
    :raises IllegalMoveError: if the rules refuse the move.
    """
    new_state = (
        tracked.flow.resolve_forced_steps(move.apply(state, seat)) if is_checked else tracked.play(state, seat, move)
    )
    return Step(number, seat, move, state, new_state, tracked.log_sentence(state, new_state, seat, move))


def new_step(number: int, part: int, seat: int, move: Move, author_seat: int | None) -> Step:
    """Return a step for one of the new moves of an entry, without its states and its text.

    Replaying adds these.

    :param author_seat: the seat that enters it.
    """
    not_played: Any = None
    entered_by = None if author_seat == seat else author_seat
    return Step(number, seat, move, not_played, not_played, "", part, entered_by=entered_by)


def replay_step(tracked: TrackedGame[GameSetup, GameState], state: GameState, step: Step) -> Step:
    """Return a step replayed from another state; from its own state it is returned unchanged.

    :raises IllegalMoveError: if the rules refuse it there.
    """
    if step.before is state or step.before == state:
        return step
    new_state = tracked.play(state, step.seat, step.move)
    return replace(
        step, before=state, after=new_state, text=tracked.log_sentence(state, new_state, step.seat, step.move)
    )


def describe_conflict(
    tracked: TrackedGame[GameSetup, GameState], state: GameState, step: Step
) -> tuple[str, tuple[Reason, ...]]:
    """Return the text and the public reasons why a step is not legal in another state."""
    name = state.players[step.seat].name
    if step.move.is_secret:
        return f"This conflicts with one of {name}\u2019s private entries. {name} can undo that entry first.", ()
    reasons = tuple(tracked.objections(tracked.view(state, None), step.seat, step.move))
    conflict = conflict_text(tracked, state, step, reasons)
    citation = f" ({reasons[0].rule.citation})" if reasons and conflict == reasons[0].text else ""
    if step.before is None:  # a new move, which the log does not have yet
        return f"{conflict}{citation}", reasons
    return f"A later move would become impossible: {quote_step(step)}. {conflict}{citation}", reasons


def conflict_text(
    tracked: TrackedGame[GameSetup, GameState], state: GameState, step: Step, reasons: Sequence[Reason]
) -> str:
    """Return a sentence that explains why a step is not legal in a hypothetical state.

    :param reasons: the reasons the reader may know; empty if only a secret note of the player conflicts with it.
    """
    to_move = tracked.flow.to_move(state)
    if step.move.out_of_turn or step.seat in to_move:
        return (
            reasons[0].text
            if reasons
            else f"It conflicts with one of {state.players[step.seat].name}\u2019s private entries."
        )
    if not to_move:
        return "The game would already be over."
    names = join_words([state.players[seat].name for seat in to_move])
    if len(to_move) == 1 and not tracked.flow.is_simultaneous:
        return f"At this point, it is still {names}\u2019s turn."
    return f"At this point, {names} still {'has' if len(to_move) == 1 else 'have'} to act."
