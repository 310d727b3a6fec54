"""The English texts of FORD: prompts, reasons and log lines."""

from collections.abc import Iterator

from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason, waiting_reason
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.box import ACROSS
from tests.support.small_games.ford.state import State


def prompt(state: State) -> str:
    """Return the prompt: the action that is due."""
    return "A player is across. Show your stones." if state.is_over else "Roll the die."


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield a sentence for each change that the text of the move does not mention."""
    if after.is_over and not before.is_over:
        yield from (f"{player.name} is across." for player in after.players if player.step >= ACROSS)


def chapter(state: State) -> str:
    """Return the chapter of the log."""
    return "Showing the stones" if state.is_over else ""


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move that resolves another decision is refused."""
    return Reason("show-first", r.OVER, "A player is across. Show your stone.")


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if not state.is_over:
        return waiting_reason([state.players[state.turn].name], r.TURNS, "roll the die")
    waiting = [state.players[other].name for other in state.hidden]
    return waiting_reason(waiting, r.OVER, "show the stone") if waiting else game_over_reason(r.OVER)
