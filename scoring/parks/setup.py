"""The setup of a table of PARKS: checks and defaults."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from scoring.parks import rules as r
from scoring.parks.box import (
    MAX_DISPLAY_CARDS,
    MAX_START_TOKENS,
    SEASON_TILES,
    SEASONS,
    SITES,
    TRAIL_TILES,
    all_passions,
)
from scoring.parks.custom_cards import check_custom_cards
from scoring.parks.final_position import PLAYER_COUNTS
from scoring.parks.position import TITLE
from scoring.parks.state import PlayerSetup, Setup
from scoring.parks.text import unknown_name_reason


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield the reasons why a game cannot start with this setup."""
    yield from check_names([player.name for player in setup.players], TITLE, PLAYER_COUNTS, r.PLAYERS)
    yield from check_custom_cards(setup.facts)
    passions = [player.passion for player in setup.players if player.passion is not None]
    for passion in dict.fromkeys(passions):
        if passion not in all_passions(setup.facts):
            yield unknown_name_reason("passion", passion, all_passions(setup.facts))
        elif passions.count(passion) > 1:
            yield Reason(
                "passion-taken",
                r.SETUP_PASSIONS,
                f"Only one player can have the {passion} passion. Choose another one.",
            )
    for player in setup.players:
        if any(not 0 <= number <= MAX_START_TOKENS for number in player.tokens):
            yield Reason(
                "start-tokens",
                r.START_TOKENS,
                f"Enter 0 to {MAX_START_TOKENS} tokens of each Resource for each player.",
            )
            break
    if setup.sites and sorted(setup.sites) != sorted(SITES):
        tiles = ", ".join(SITES[tile].title for tile in TRAIL_TILES)
        yield Reason(
            "nine-sites", r.SETUP_TILES, f"Use the Parks site and each of the eight Trail Site tiles once: {tiles}."
        )
    if setup.shutterbug and not SITES[setup.shutterbug].face:
        yield Reason(
            "no-shutterbug",
            r.SHUTTERBUG_FACES,
            "The die has no face for this site. Choose another site for the Shutterbug token.",
        )
    if setup.tile is not None and (setup.tile not in SEASON_TILES or SEASON_TILES[setup.tile].season != SEASONS[0]):
        yield unknown_name_reason(
            "season tile", setup.tile, [id for id, tile in SEASON_TILES.items() if tile.season == SEASONS[0]]
        )
    if not 1 <= setup.parks <= MAX_DISPLAY_CARDS or not 1 <= setup.gear <= MAX_DISPLAY_CARDS:
        yield Reason("displays", r.SETUP_DISPLAYS, f"Enter 1 to {MAX_DISPLAY_CARDS} face-up parks and gear cards.")
    yield from check_rulings(setup.rulings, r.RULINGS)


def default_setup(names: list[str]) -> Setup:
    """Return a setup with nothing known yet: laying the tiles is the first move."""
    return Setup(players=tuple(map(PlayerSetup, names)))


def reuse_setup(setup: Setup, last: Setup) -> Setup:
    """Return a setup with the rulings, display sizes and start items of the last one."""
    tokens, canteen = last.players[0].tokens, last.players[0].canteen
    return replace(
        setup,
        players=tuple(replace(player, tokens=tokens, canteen=canteen) for player in setup.players),
        parks=last.parks,
        gear=last.gear,
        rulings=last.rulings,
    )
