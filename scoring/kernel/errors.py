"""The two errors of input: it cannot be read, or the rules refuse it."""

from typing import TYPE_CHECKING

from scoring.kernel.english import MAX_MESSAGE_LENGTH, truncate_message
from scoring.kernel.rule import Reason

if TYPE_CHECKING:
    from scoring.kernel.move import Move


class InvalidInputError(ValueError):
    """Input that is no move, setup, position or document of this game; the text names the place.

    :param text: what is wrong, without the place.
    :param place: where it is, such as "players[0].badges[2]", or an empty text.
    """

    def __init__(self, text: str, place: str = ""):
        super().__init__(truncate_message(f"{place}: {text}" if place else text))
        self.detail = truncate_message(text)


class IllegalMoveError(ValueError):
    """A move, setup or position that the rules refuse.

    `reasons` has every objection, and `move` the refused move.
    """

    def __init__(self, reasons: list[Reason], move: "Move | None" = None):
        super().__init__()
        self.reasons = reasons
        self.move = move

    def __str__(self) -> str:
        """Return the reasons as one message, as many as fit, but at least the first."""
        message = ""
        for reason in map(str, self.reasons):
            if message and len(f"{message} {reason}") > MAX_MESSAGE_LENGTH:
                break
            message = f"{message} {reason}".lstrip()
        return truncate_message(message)
