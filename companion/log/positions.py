"""A table as a file: a log played again up to some entry, or the table as it lies; each made from the other."""

from typing import Any

import msgspec

from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.table import Table
from scoring.games import TRACKED_GAMES
from scoring.kernel.documents import error_at, unknown_word_error
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.tracked_game import TrackedGame


def replay_log(data: dict, until: int | None = None) -> Table:
    """Return the table of an exported log, up to the entry with a number or whole.

    :raises Malformed: when it is no log, or ends before that entry.
    :raises Broken: when the log cannot be followed.
    """
    try:
        log = msgspec.convert(data["log"], list[Entry])
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:
        raise InvalidInputError(str(fault)) from None
    if not log:
        raise InvalidInputError("the log is empty")
    if until is not None and until not in (entry.number for entry in log):
        raise InvalidInputError(f"there is no entry {until}; the log has {log[0].number} to {log[-1].number}")
    table = None
    for entry in log:
        table = load_entry(table, str(data.get("code", "?")), entry)
        if entry.number == until:
            break
    assert table  # its first entry opens it
    return table


def export_position(table: Table) -> dict:
    """Return the table as it lies as a file, with all its secrets.

    :raises Malformed: where nothing is tracked.
    """
    play = table.tracked
    if play.position_format is None:
        raise InvalidInputError(f"what is counted of {play.box.title} after the game is no table; it has no position")
    return {
        "waymark": 1,
        "game": play.key,
        "rules": play.box.version,
        "at": table.version,
        "position": play.position_format.to_data(table.state),
    }


def import_position(data: dict) -> tuple[TrackedGame, Any]:
    """Return the play and the state of a file that says how a table lies.

    :raises Malformed: when it cannot be read, naming the place.
    :raises Illegal: when it does not add up.
    """
    known = {key: play for key, play in TRACKED_GAMES.items() if play.position_format}
    key = data.get("game")
    if key not in known:
        raise (
            unknown_word_error("game", "game", key, known)
            if key is not None
            else error_at("game", f"which game? there are {', '.join(known)}")
        )
    play = known[key]
    assert play.position_format
    return play, play.position_format.from_data(data["position"])
