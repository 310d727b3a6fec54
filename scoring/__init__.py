"""Score games: pure functions over frozen values, with no screen, database, clock or dice."""

from scoring.document import BadPosition, score_document

__all__ = ["BadPosition", "score_document"]
