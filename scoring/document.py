"""Score final-position documents: one JSON object in, one score sheet out.

The sheet is plain data, ready for JSON.
"""

from typing import Any

from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import error_at, unknown_word_error
from scoring.kernel.sheet import Sheet


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
        key = document.get("game")
        if key is None:
            raise error_at("game", f"which game? there are {', '.join(GAMES)}")
        if not isinstance(key, str) or key not in GAMES:
            raise unknown_word_error("game", "game", key, GAMES)
        box = GAMES[key].box
        return box, box.read_final_position(document)
    except InvalidInputError as error:
        raise BadPosition(str(error)) from None


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
