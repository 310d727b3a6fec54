"""The base classes of setups and game states."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace


class GameSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is set up: the players in turn order, and the options that were chosen.

    A subclass may have `facts`, the known facts of the box, and a `seed` if the app draws at random.
    """

    if TYPE_CHECKING:  # These are not fields here, so that subclasses can order their fields.
        players: tuple[object, ...]
        rulings: dict[str, str]


class PlayerState(Struct, frozen=True):
    """One player's part of a state."""

    name: str


class GameState(Struct, frozen=True):
    """Everything that is known about a game; the players are in the order of the seats."""

    if TYPE_CHECKING:  # These are not fields here, so that subclasses can order their fields.
        players: tuple[PlayerState, ...]
        rulings: dict[str, str]

    is_over = False  # whether play has ended; secrets may still have to be shown. Games have a field or a property.

    def with_player(self, seat: int, **changes: object) -> Self:
        """Return the state with one player's fields changed."""
        players = self.players
        changed = replace(players[seat], **changes)
        return replace(self, players=(*players[:seat], changed, *players[seat + 1 :]))

    def with_others_changed(self, seat: int | None, change: Callable[[Any], PlayerState]) -> Self:
        """Return the state with every player but one changed, such as to hide their secrets."""
        players = (player if other == seat else change(player) for other, player in enumerate(self.players))
        return replace(self, players=tuple(players))


SetupT = TypeVar("SetupT", bound=GameSetup)
StateT = TypeVar("StateT", bound=GameState)
