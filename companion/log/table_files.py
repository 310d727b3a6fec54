"""Import and export of a table as a file: its log, or its current position."""

import msgspec

from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.table import Table
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import error_at, unknown_word_error
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


def replay_log(data: dict, until: int | None = None) -> Table:
    """Return the table of an exported log.

    :param until: number of the last entry to apply; without it, the whole log.
    :raises InvalidInputError: if the data is no log, or the log has no such entry.
    :raises CorruptLogError: if the log cannot be replayed.
    """
    try:
        log = msgspec.convert(data["log"], list[Entry])
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise InvalidInputError(str(error)) from None
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
    tracked = table.tracked
    if tracked.position_format is None:
        raise InvalidInputError(
            f"what is counted of {tracked.box.title} after the game is no table; it has no position"
        )
    return {
        "waymark": 1,
        "game": tracked.key,
        "rules": tracked.box.version,
        "at": table.version,
        "position": tracked.position_format.to_data(table.state),
    }


def import_position(data: dict) -> tuple[TrackedGame[GameSetup, GameState], GameState]:
    """Return the tracked game and the state of a position file.

    :raises InvalidInputError: if it cannot be read; the text names the place.
    :raises IllegalMoveError: if the position is inconsistent.
    """
    games = {key: tracked for key, tracked in TRACKED_GAMES.items() if tracked.position_format}
    key = data.get("game")
    if key not in games:
        raise (
            unknown_word_error("game", "game", key, games)
            if key is not None
            else error_at("game", f"which game? there are {', '.join(games)}")
        )
    tracked = games[key]
    assert tracked.position_format
    return tracked, tracked.position_format.from_data(data["position"])
