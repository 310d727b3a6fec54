"""Collect the reminders that players get after a move, as the table view shows them."""

from typing import Any

from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame


def reminder_texts(tracked: TrackedGame, before: Any, after: Any, move: Move) -> list[str]:
    """Return the reminders of all players, each with a name unless it is for everyone."""
    reminders = tracked.text.reminders(before, after, move)
    return [
        reminder.text if reminder.seat is None else f"{after.players[reminder.seat].name}: {reminder.text}"
        for reminder in reminders
    ]
