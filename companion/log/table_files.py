"""A table as a file: its log to be replayed, or its current position to be written."""

from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.table import Table
from scoring.document import position_document
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import convert_data


def replay_log(data: dict, until: int | None = None) -> Table:
    """Return the table of an exported log.

    :param until: number of the last entry to apply; without it, the whole log.
    :raises InvalidInputError: if the data is no log, or the log has no such entry.
    :raises CorruptLogError: if the log cannot be replayed.
    """
    log = convert_data(data["log"], list[Entry], "log")
    if not log:
        raise InvalidInputError("the log is empty")
    if until is not None and until not in (entry.number for entry in log):
        raise InvalidInputError(f"there is no entry {until}; the log has {log[0].number} to {log[-1].number}")
    table = None
    for entry in log:
        table = load_entry(table, str(data.get("code", "?")), entry)
        if entry.number == until:
            break
    assert table  # The first entry opens the table.
    return table


def export_position(table: Table) -> dict:
    """Return the current position as data for a file, including all secrets.

    :raises InvalidInputError: if the game has no position because it is only scored.
    """
    pieces = table.tracked.pieces
    state = pieces.with_stored_colors(table.state, table.piece_colors) if pieces else table.state
    return position_document(table.tracked, state, at=table.version)
