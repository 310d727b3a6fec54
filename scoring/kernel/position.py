"""The table as it lies: everything a person standing at it would say, as a value that is checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from scoring.kernel.documents import read
from scoring.kernel.editable import Figure
from scoring.kernel.errors import Illegal
from scoring.kernel.rule import Reason


@dataclass(frozen=True)
class Lying:
    """How a table of one game is said, and what does not add up there.

    `says` and `state` undo each other at every moment of a game.
    """

    type: type[Struct]  # the table as it lies; what is usual has a default
    says: Callable[[Any], Any]  # state -> the table as it lies
    state: Callable[[Any], Any]  # the table as it lies -> state
    faults: Callable[[Any], Iterator[Reason]]  # state -> what does not add up, a line each
    figures: Callable[[Any], Iterator[Figure]] = lambda state: iter(
        ()
    )  # state -> what everybody sees lie there, thing by thing

    def plain(self, state: Any) -> dict:
        """Return a state as plain data, ready for JSON."""
        return msgspec.to_builtins(self.says(state))

    def read(self, data: Any) -> Any:
        """Return the state that plain data stands for.

        :raises Malformed: when it cannot be read, naming the place.
        :raises Illegal: when it does not add up.
        """
        state = self.state(read(data, self.type))
        if reasons := list(self.faults(state)):
            raise Illegal(reasons)
        return state
