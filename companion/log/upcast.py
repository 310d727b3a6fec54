"""Convert the log entries of earlier versions to the current types.

Stored entries stay as they are. They are converted each time a log is loaded, or one of its proposals is applied.
"""

from msgspec.structs import replace

from companion.log.entries import (
    Entry,
    LogRewritten,
    MoveRedone,
    MoveUndone,
    Proposable,
    Proposed,
    SeatRequested,
    TableChange,
)
from companion.log.old_corrections import OLD_CORRECTIONS, OldCorrection
from companion.log.table import Table
from scoring.kernel.move import Move
from scoring.kernel.parsing import convert_data
from scoring.kernel.tracked_game import TrackedGame


def upcast_entry(table: Table, entry: Entry) -> Entry:
    """Return a stored entry as it would be written today."""
    match entry.payload:
        case Proposed(SeatRequested(asks_holder=True), None):
            return entry
        case Proposed(change, None) as payload:
            asked_seats = table.other_seats(entry.device)
            # Logs of 0.1.0 ask the holder of a seat only if there is no one else to ask.
            if isinstance(change, SeatRequested) and entry.seat is not None:
                asked_seats = tuple(seat for seat in asked_seats if seat != entry.seat) or (entry.seat,)
            return replace(entry, payload=replace(payload, asked_seats=asked_seats))
    return entry


def upcast_change(table: Table, change: Proposable) -> TableChange | SeatRequested:
    """Return a change as it would be written now.

    Logs before 0.3 name a step to undo or redo. A step is redone before the steps that were entered after it, so this
    depends on the steps at the time when the change is applied.
    """
    match change:
        case MoveUndone(number):
            return LogRewritten(str(number), str(number))
        case MoveRedone(number):
            later = next((step.id for step in table.steps if step.number > number), "")
            return LogRewritten(later, replacement=(str(number),))
    return change


def decode_stored_move(tracked: TrackedGame, data: dict) -> Move:
    """Return the move of a stored entry.

    :raises InvalidInputError: if it was never a move of this game.
    """
    kind = OLD_CORRECTIONS.get(tracked.key, {}).get(str(data.get("type")))
    if kind is None:
        return tracked.decode(data)
    return OldCorrection(tracked.key, convert_data(data, kind.type))
