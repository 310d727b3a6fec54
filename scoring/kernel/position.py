"""The format of a position: everything on the table as a value that can be checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from scoring.kernel.editable import EditableField
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.parsing import read_struct
from scoring.kernel.rule import Reason
from scoring.kernel.state import StateT

PositionT = TypeVar("PositionT", bound=Struct)


@dataclass(frozen=True)
class PositionFormat(Generic[PositionT, StateT]):
    """How positions of one game are converted, checked and edited.

    `to_position` and `from_position` are inverses in every state of a game.
    """

    type: type[PositionT]  # the position; fields with a common value have a default
    to_position: Callable[[StateT], PositionT]  # state -> position
    from_position: Callable[[PositionT], StateT]  # position -> state
    position_errors: Callable[[StateT], Iterator[Reason]]  # state -> inconsistencies, one line each
    # state -> the fields that everyone can see
    editable_fields: Callable[[StateT], Iterator[EditableField]] = lambda state: iter(())
    # State, seat -> the fields that only this seat sees. No correction names them, but answers about moves do.
    own_fields: Callable[[StateT, int], Iterator[EditableField]] = lambda state, seat: iter(())

    def to_data(self, state: StateT) -> dict:
        """Return a state's position as plain data, ready for JSON."""
        return msgspec.to_builtins(self.to_position(state))

    def from_data(self, data: object) -> StateT:
        """Return the state for a position as plain data.

        :raises InvalidInputError: when it cannot be read, naming the place.
        :raises IllegalMoveError: when it is inconsistent.
        """
        state = self.from_position(read_struct(data, self.type))
        if reasons := list(self.position_errors(state)):
            raise IllegalMoveError(reasons)
        return state
