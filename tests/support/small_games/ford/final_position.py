"""Final-position documents of FORD, from files and forms."""

from msgspec import Struct

from scoring.kernel.parsing import read_names, read_players, read_rulings
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.state import Hand

PLAYER_COUNTS = (2, 3)


class FinalPlayer(Struct, frozen=True):
    """One player of a final-position document; score entry asks for each field but the name."""

    name: str
    step: int = 0
    hand: Hand = "right"


class FinalPosition(Struct, frozen=True):
    """The input for scoring a finished game."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}


def read_final_position(document: dict) -> FinalPosition:
    """Return the input for scoring from a final-position document.

    :raises InvalidInputError: with one line that names the place of the error.
    """
    players = [player for _, _, player in read_names(read_players(document, FinalPlayer, PLAYER_COUNTS))]
    return FinalPosition(tuple(players), read_rulings(document, r.RULINGS))
