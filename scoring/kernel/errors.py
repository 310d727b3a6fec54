"""The two ways in which what was said can be wrong: it cannot be read, or the rules refuse it."""

from scoring.kernel.english import MAX_MESSAGE_LENGTH, truncate_message
from scoring.kernel.rule import Reason


class InvalidInputError(ValueError):
    """What was said is no move, set-up, position or document of this game; the text names the place."""

    def __init__(self, text: str):
        super().__init__(truncate_message(text))


class IllegalMoveError(ValueError):
    """The rules refuse a move, a set-up or a position; `reasons` says why."""

    def __init__(self, reasons: list[Reason]):
        super().__init__()
        self.reasons = reasons

    def __str__(self) -> str:
        """Return the reasons as one message, as many of them as fit; the first in any case."""
        said = ""
        for reason in map(str, self.reasons):
            if said and len(f"{said} {reason}") > MAX_MESSAGE_LENGTH:
                break
            said = f"{said} {reason}".lstrip()
        return truncate_message(said)
