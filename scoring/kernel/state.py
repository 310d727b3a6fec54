"""The base class of game states that have a struct for each player."""

from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct
from msgspec.structs import replace


class WithPlayers(Struct, frozen=True):
    """A state with `players`, a tuple of structs in the order of the seats."""

    if TYPE_CHECKING:  # This is not a field here, so that subclasses can order their fields.
        players: tuple[Any, ...]

    def with_player(self, seat: int, **changes) -> Self:
        """Return the state with one player's fields changed."""
        players = self.players
        changed = replace(players[seat], **changes)
        return replace(self, players=(*players[:seat], changed, *players[seat + 1 :]))
