"""Checks and defaults of a FORD setup (leaflet p. 1)."""

from collections.abc import Iterator

from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.final_position import PLAYER_COUNTS
from tests.support.small_games.ford.state import Setup

TITLE = "FORD"


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield the objections to starting with this setup."""
    yield from check_names(setup.players, TITLE, PLAYER_COUNTS, r.PLAYERS)
    yield from check_rulings(setup.rulings, r.RULINGS)


def default_setup(names: list[str]) -> Setup:
    """Return the default setup."""
    return Setup(tuple(names))
