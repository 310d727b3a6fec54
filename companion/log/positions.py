"""A table as a file: a log played again up to some entry, or the table as it lies; each made from the other."""

from typing import Any

import msgspec

from companion.log.apply import fold
from companion.log.entries import Entry
from companion.log.table import Table
from scoring.games import PLAYS
from scoring.kernel.documents import at, unknown
from scoring.kernel.errors import Malformed
from scoring.kernel.tracked_game import Play


def replayed(data: dict, until: int | None = None) -> Table:
    """Return the table of an exported log, up to the entry with a number or whole.

    :raises Malformed: when it is no log, or ends before that entry.
    :raises Broken: when the log cannot be followed.
    """
    try:
        log = msgspec.convert(data["log"], list[Entry])
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:
        raise Malformed(str(fault)) from None
    if not log:
        raise Malformed("the log is empty")
    if until is not None and until not in (entry.number for entry in log):
        raise Malformed(f"there is no entry {until}; the log has {log[0].number} to {log[-1].number}")
    table = None
    for entry in log:
        table = fold(table, str(data.get("code", "?")), entry)
        if entry.number == until:
            break
    assert table  # its first entry opens it
    return table


def as_lies(table: Table) -> dict:
    """Return the table as it lies as a file, with all its secrets.

    :raises Malformed: where nothing is tracked.
    """
    play = table.play
    if play.lying is None:
        raise Malformed(f"what is counted of {play.box.title} after the game is no table; it has no position")
    return {
        "waymark": 1,
        "game": play.key,
        "rules": play.box.version,
        "at": table.number,
        "position": play.lying.plain(table.state),
    }


def laid(data: dict) -> tuple[Play, Any]:
    """Return the play and the state of a file that says how a table lies.

    :raises Malformed: when it cannot be read, naming the place.
    :raises Illegal: when it does not add up.
    """
    known = {key: play for key, play in PLAYS.items() if play.lying}
    key = data.get("game")
    if key not in known:
        raise (
            unknown("game", "game", key, known)
            if key is not None
            else at("game", f"which game? there are {', '.join(known)}")
        )
    play = known[key]
    assert play.lying
    return play, play.lying.read(data["position"])
