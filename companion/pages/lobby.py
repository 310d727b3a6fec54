"""The lobby of a table and its setup."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.log.colors import color_keeper
from companion.log.table import Table
from companion.pages.table import TableMixin, table_page
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameSetup


@dataclass(frozen=True)
class ColorChoice:
    """A color that a player may choose for their piece."""

    key: str
    name: str
    is_chosen: bool
    keeper_name: str  # the player at another phone who has it; empty: it can be chosen


@dataclass(frozen=True)
class LobbyPage(TableMixin):
    """The lobby: who sits where, the code, the setup."""

    address: str
    qr: str
    color_choices: dict[int, tuple[ColorChoice, ...]]  # of the seats whose color this phone may choose
    refusal: tuple[str, ...] = ()  # why the last tap was refused
    local_address: str = ""  # the address with a name that only some phones know


@dataclass(frozen=True)
class SetupPage(TableMixin):
    """The setup of a table, as stored or as typed."""

    setup: GameSetup
    first_seat: int  # the starting player
    refusal: tuple[Reason, ...] = ()
    last_code: str = ""  # this phone's previous table, if its setup was different
    is_reused: bool = False  # the setup shown was copied from there


def lobby_page(
    table: Table, device: str, address: str, qr: str, refusal: tuple[str, ...] = (), *, local_address: str = ""
) -> LobbyPage:
    seats = (seat for seat, holder in enumerate(table.seats) if holder in (None, device) and table.piece_colors)
    choices = {seat: tuple(_color_choices(table, device, seat)) for seat in seats}
    return LobbyPage(table_page(table, device), address, qr, choices, refusal, local_address)


def _color_choices(table: Table, device: str, seat: int) -> Iterator[ColorChoice]:
    pieces = table.tracked.pieces
    for key, name in pieces.colors.items() if pieces else ():
        keeper = color_keeper(table, seat, key, device)
        yield ColorChoice(key, name, key == table.piece_colors[seat], "" if keeper is None else table.names[keeper])
