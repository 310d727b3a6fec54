"""The course of a turn: what has to be decided now.

A game with steps that leave no choice also has `resolve_forced_steps` here.
"""

from typing import Literal

from tests.support.small_games.ford.state import State

Decision = Literal["roll", "show"]


def pending_decisions(state: State) -> tuple[Decision, ...]:
    """Return the decisions that are due; a move names those that it resolves."""
    return ("show",) if state.is_over else ("roll",)
