"""Setup of an ALPINE TRAILS table ("Game Setup")."""

from collections.abc import Iterator

from scoring.alpine_trails import card_facts
from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import BAG_SIZES, TILES_PER_ROUND, TRAIL_TILES
from scoring.alpine_trails.final_position import PLAYER_COUNTS
from scoring.alpine_trails.state import PlayerSetup, Setup
from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings

TITLE = "ALPINE TRAILS"


def default_setup(names: list[str]) -> Setup:
    """Return the default setup, with as many tiles in the bag as the rulebook says."""
    return Setup(players=tuple(PlayerSetup(name) for name in names), tiles=BAG_SIZES[len(names)], ahead=True)


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield the reasons why a game cannot start with a setup."""
    yield from check_names([player.name for player in setup.players], TITLE, PLAYER_COUNTS, r.PLAYERS)
    rule = r.SOLO_BAG if len(setup.players) == 1 else r.BAG
    share = TILES_PER_ROUND * max(1, len(setup.players))
    if not share <= setup.tiles <= TRAIL_TILES:
        yield Reason("bag-size", rule, f"Put {share} to {TRAIL_TILES} tiles in the bag, not {setup.tiles}.")
    elif setup.tiles % share:
        nearest = setup.tiles - setup.tiles % share
        text = f"Each round uses {share} tiles, so {setup.tiles} tiles leave some over. Use {nearest} tiles."
        yield Reason("bag-size", rule, text)
    yield from card_facts.check_animal_card(setup.facts)
    yield from check_rulings(setup.rulings, r.RULINGS)
