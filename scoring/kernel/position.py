"""The table as it lies: everything a person standing at it would say, as a value that is checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from scoring.kernel.documents import read_struct
from scoring.kernel.editable import EditableField
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.rule import Reason


@dataclass(frozen=True)
class PositionFormat:
    """How a table of one game is said, and what does not add up there.

    `says` and `state` undo each other at every moment of a game.
    """

    type: type[Struct]  # the table as it lies; what is usual has a default
    to_position: Callable[[Any], Any]  # state -> the table as it lies
    from_position: Callable[[Any], Any]  # the table as it lies -> state
    position_errors: Callable[[Any], Iterator[Reason]]  # state -> what does not add up, a line each
    editable_fields: Callable[[Any], Iterator[EditableField]] = lambda state: iter(
        ()
    )  # state -> what everybody sees lie there, thing by thing

    def to_data(self, state: Any) -> dict:
        """Return a state as plain data, ready for JSON."""
        return msgspec.to_builtins(self.to_position(state))

    def from_data(self, data: Any) -> Any:
        """Return the state that plain data stands for.

        :raises InvalidInputError: when it cannot be read, naming the place.
        :raises IllegalMoveError: when it does not add up.
        """
        state = self.from_position(read_struct(data, self.type))
        if reasons := list(self.position_errors(state)):
            raise IllegalMoveError(reasons)
        return state
