"""Final-position documents of PEAKS, from files and forms."""

from typing import Literal

from msgspec import Struct

from scoring.kernel.parsing import error_at, read_name, read_players, read_rulings
from tests.support.small_games.peaks import rules as r
from tests.support.small_games.peaks.box import STONES

PLAYER_COUNTS = (3, 4, 5, 6, 7)


class FinalPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """One player of a final-position document; score entry asks for each field but the name."""

    name: str
    summits: int = 0
    cairns: int = 0
    weather: Literal["fair", "foul"] = "foul"
    guide: bool = False  # whether a guide was hired, so that a summit is worth only two points


class FinalPosition(Struct, frozen=True):
    """The input for scoring a finished game."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}


def read_final_position(document: dict) -> FinalPosition:
    """Return the input for scoring from a final-position document.

    :raises InvalidInputError: with one line that names the place of the error.
    """
    names: set[str] = set()
    players = read_players(document, FinalPlayer, PLAYER_COUNTS)
    for number, player in enumerate(players):
        read_name(player.name, f"players[{number}].name", names)
        if player.summits < 0 or player.cairns < 0:
            raise error_at(f"players[{number}]", "nobody has fewer than none")
    if sum(player.cairns for player in players) > STONES:
        raise error_at("players", f"the box has {STONES} stones")
    return FinalPosition(tuple(players), read_rulings(document, r.RULINGS))
