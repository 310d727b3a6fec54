"""The pieces of the players in a box, which differ only in color."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

StructT = TypeVar("StructT", bound=Struct)


@dataclass(frozen=True)
class Pieces:
    """The pieces of the players: what one is called, and the colors in the box.

    No rule depends on the color of a piece, so it is not part of a state; but old setups and states may have it.
    """

    noun: str  # what players call one: "hiker"
    colors: Mapping[str, str]  # the keys and names of the colors, in the order in which the seats get them by default
    player_field: str = ""  # the field of a player, in the setup and in the state, with the color; empty: there is none
    are_numbered: bool = False  # whether each has the number of its seat, counted from 1

    def stored_colors(self, players: Sequence[object]) -> tuple[str, ...]:
        """Return the colors that the players of a setup or state have; empty if it has no colors."""
        return tuple(getattr(player, self.player_field) for player in players) if self.player_field else ()

    def with_stored_colors(self, value: StructT, colors: Sequence[str]) -> StructT:
        """Return a setup or state whose players have these colors; unchanged if it has no colors."""
        if not self.player_field:
            return value
        players: Sequence[Any] = getattr(value, "players")  # noqa: B009 - a setup or state, see `GameSetup`
        colored = zip(players, colors, strict=False)
        return replace(value, players=tuple(replace(player, **{self.player_field: color}) for player, color in colored))
