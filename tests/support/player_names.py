"""Names for the players of test tables."""

from scoring.games import TRACKED_GAMES

NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")


def names_for(game: str, wanted: int = 2) -> tuple[str, ...]:
    """Return names for a table of a game: as many as wanted, or the nearest number that it allows.

    :param game: the key of a tracked game or a score entry.
    """
    return NAMES[: min(TRACKED_GAMES[game].box.player_counts, key=lambda count: abs(count - wanted))]
