"""Final-position documents of PEAKS, from files and forms."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from scoring.kernel.parsing import error_at, read_names, read_players, read_rulings
from tests.support.small_games.peaks import rules as r
from tests.support.small_games.peaks.box import STONES

PLAYER_COUNTS = (3, 4, 5, 6, 7)
MAX_SUMMITS = 20


class FinalPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """One player of a final-position document; score entry asks for each field but the name."""

    name: str
    summits: Annotated[int, Meta(title="Summits reached", ge=0, le=MAX_SUMMITS)] = 0
    cairns: Annotated[int, Meta(title="Cairns built", ge=0, le=STONES)] = 0
    weather: Annotated[Literal["fair", "foul"], Meta(title="Weather on the last day")] = "foul"
    guide: Annotated[bool, Meta(title="Guide hired")] = False  # whether a summit is worth only two points


class FinalPosition(Struct, frozen=True):
    """The input for scoring a finished game."""

    players: tuple[FinalPlayer, ...]
    rulings: dict[str, str] = {}


def read_final_position(document: dict) -> FinalPosition:
    """Return the input for scoring from a final-position document.

    :raises InvalidInputError: with one line that names the place of the error.
    """
    players = [player for _, _, player in read_names(read_players(document, FinalPlayer, PLAYER_COUNTS))]
    if sum(player.cairns for player in players) > STONES:
        raise error_at("players", f"the box has only {STONES} stones")
    return FinalPosition(tuple(players), read_rulings(document, r.RULINGS))
