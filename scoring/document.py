"""Documents as plain data, ready for JSON: final positions, score sheets and positions."""

from typing import Any

import msgspec

from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.game import Game
from scoring.kernel.parsing import error_at, unknown_word_error
from scoring.kernel.sheet import Sheet
from scoring.kernel.state import GameSetup, GameState
from scoring.kernel.tracked_game import TrackedGame


class BadPosition(ValueError):
    """A document that cannot be scored; the text is one line that names the place of the error."""


def score_document(document: dict) -> dict:
    """Return the score of a finished game described by a document.

    The result has `game`, `decided_by`, `verdict` (who wins, as a sentence) and `players`, each with `name`, `total`,
    `rank`, `winner`, `categories` (points by category id) and `lines` (category, label, points, because, rules).

    :raises BadPosition: with one line that names the place and the nearest valid value.
    """
    return sheet_data(score_sheet(document))


def score_sheet(document: Any) -> Sheet:
    """Return the score sheet of a document.

    :raises BadPosition: with one line that names the place and the nearest valid value.
    """
    box, final = read_final_position(document)
    return box.score(final)


def read_final_position(document: Any) -> tuple[Box, Any]:
    """Return the box of a document's game and the input for its scoring.

    :raises BadPosition: with one line that names the place and the nearest valid value.
    """
    try:
        if not isinstance(document, dict):
            raise error_at("", "expected one JSON object")
        box = find_game(document.get("game")).box
        return box, box.read_final_position(document)
    except InvalidInputError as error:
        raise BadPosition(str(error)) from None


def find_game(key: object) -> Game:
    """Return the game with a key.

    :raises InvalidInputError: if there is no such game, with the nearest key.
    """
    if key is None:
        raise error_at("game", f"which game? there are {', '.join(GAMES)}")
    if not isinstance(key, str) or key not in GAMES:
        raise unknown_word_error("game", "game", key, GAMES)
    return GAMES[key]


def tracked_game(key: object) -> TrackedGame[GameSetup, GameState]:
    """Return the tracked game with a key.

    :raises InvalidInputError: if there is no such game, or it is only scored.
    """
    game = find_game(key)
    if game.tracked is None:
        raise error_at("game", f"{game.box.title} is only scored; it has no matches")
    return game.tracked


def to_plain_data(value: object) -> Any:
    """Return a value as data of the types that JSON has: with lists, without tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def position_document(tracked: TrackedGame, state: GameState, **more: object) -> dict:
    """Return a position as plain data, including all secrets.

    :param more: further fields of the document, which readers ignore.
    :raises InvalidInputError: if the game has no format for positions.
    """
    if tracked.position_format is None:
        raise InvalidInputError(f"{tracked.key} has no position")
    head = {"waymark": 1, "game": tracked.key, "rules": tracked.box.version}
    return head | more | {"position": to_plain_data(tracked.position_format.to_position(state))}


def read_position_document(document: Any) -> tuple[TrackedGame[GameSetup, GameState], GameState]:
    """Return the game and the state of a position document.

    :raises InvalidInputError: if it cannot be read; the text names the place.
    :raises IllegalMoveError: if the position is inconsistent.
    """
    if not isinstance(document, dict):
        raise error_at("", "expected one JSON object")
    tracked = tracked_game(document.get("game"))
    if tracked.position_format is None:
        raise error_at("game", f"{tracked.key} has no position")
    if "position" not in document:
        raise error_at("position", "this is needed")
    return tracked, tracked.position_format.from_data(document["position"])


def sheet_data(sheet: Sheet, *, is_over: bool = True) -> dict:
    """Return a sheet as plain data: the result format of `waymark score --json`.

    A game that is not over has no winner: its ranks, `decided_by` and `verdict` are null.
    """
    return {
        "game": sheet.game,
        "decided_by": sheet.decided_by if is_over else None,
        "verdict": sheet.result_text if is_over else None,
        "players": [
            {
                "name": column.name,
                "total": column.total,
                "rank": column.rank if is_over else None,
                "winner": is_over and column.winner,
                "categories": {id: column.points_in(id) for id, _ in sheet.categories},
                "lines": [
                    {
                        "category": line.category,
                        "label": line.label,
                        "points": line.points,
                        "because": line.because,
                        "rules": [rule.id for rule in line.rules],
                    }
                    for line in column.lines
                ],
                **({"title": column.title} if column.title and is_over else {}),
                **({"warnings": list(column.warnings)} if column.warnings else {}),
            }
            for column in sheet.columns
        ],
    }
