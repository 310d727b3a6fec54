"""The two ways in which what was said can be wrong: it cannot be read, or the rules refuse it."""

from scoring.kernel.rule import Reason


class Malformed(ValueError):
    """What was said is no move, set-up, position or document of this game; the text names the place."""


class Illegal(ValueError):
    """The rules refuse a move, a set-up or a position; `reasons` says why."""

    def __init__(self, reasons: list[Reason]):
        super().__init__()
        self.reasons = reasons

    def __str__(self) -> str:
        return " ".join(map(str, self.reasons))
