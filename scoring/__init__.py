"""The rules core: pure functions over frozen values. No screen, no database, no clock, no dice."""

from scoring.document import BadPosition, score_document

__all__ = ["BadPosition", "score_document"]
