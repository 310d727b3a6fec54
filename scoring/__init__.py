"""Play and score games: pure functions over frozen values, without a clock, files or dice.

The names listed here, and the formats of the documents, stay the same within a major version. All other modules may
change in any version. `docs/library.md` shows how to use them.
"""

from scoring.document import BadPosition, score_document
from scoring.library import (
    GameInfo,
    IllegalMoveError,
    InvalidInputError,
    Match,
    Move,
    MoveExplanation,
    Option,
    Reason,
    Rule,
    Ruling,
    list_games,
    read_position,
    start_match,
)
from scoring.schema import json_schemas

__all__ = [
    "BadPosition",
    "GameInfo",
    "IllegalMoveError",
    "InvalidInputError",
    "Match",
    "Move",
    "MoveExplanation",
    "Option",
    "Reason",
    "Rule",
    "Ruling",
    "json_schemas",
    "list_games",
    "read_position",
    "score_document",
    "start_match",
]
