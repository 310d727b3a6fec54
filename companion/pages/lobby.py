"""The lobby of a table and its setup."""

from dataclasses import dataclass

from companion.log.table import Table
from companion.pages.table import TableMixin, table_page
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameSetup


@dataclass(frozen=True)
class LobbyPage(TableMixin):
    """The lobby: who sits where, the code, the setup."""

    address: str
    qr: str
    refusal: tuple[str, ...] = ()  # why the last tap was refused


@dataclass(frozen=True)
class SetupPage(TableMixin):
    """The setup of a table, as stored or as typed."""

    setup: GameSetup
    first_seat: int  # the starting player
    refusal: tuple[Reason, ...] = ()
    last_code: str = ""  # this phone's previous table, if its setup was different
    is_reused: bool = False  # the setup shown was copied from there


def lobby_page(table: Table, device: str, address: str, qr: str, refusal: tuple[str, ...] = ()) -> LobbyPage:
    return LobbyPage(table_page(table, device), address, qr, refusal)
