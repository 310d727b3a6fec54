"""The setup of a table of ON THE TRAIL: checks and defaults."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import TRAIL_CARDS
from scoring.on_the_trail.card_facts import check
from scoring.on_the_trail.state import BOT_NAME, UNKNOWN_CARD, Setup, State

TITLE = "ON THE TRAIL"
PLAYER_COUNTS = (1, 2)  # alone against the bot, or two


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield the reasons why a race cannot start with this setup."""
    yield from check_names(setup.players, TITLE, PLAYER_COUNTS, r.PLAYERS)
    if len(setup.players) == 1 and setup.players[0].casefold() == BOT_NAME.casefold():
        yield Reason("same-name", r.PLAYERS, f"The bot is already called {BOT_NAME}. Enter another name.")
    known = [card for card in setup.order if card != UNKNOWN_CARD]
    if len(set(known)) < len(known) or not set(known) <= set(range(TRAIL_CARDS)) or len(setup.order) > TRAIL_CARDS:
        yield Reason("trail-order", r.SETUP_TRAIL, f"Choose each of the {TRAIL_CARDS} Trail cards only once.")
    elif list(setup.order[: len(known)]) != known:
        text = "Enter the Trail cards from the start, without gaps. Leave the rest for later."
        yield Reason("trail-gap", r.SETUP_TRAIL, text)
    yield from check(setup.facts)
    yield from check_rulings(setup.rulings, r.RULINGS)


def default_setup(names: list[str]) -> Setup:
    """Return the default setup: light tracking; one player races the bot."""
    return Setup(tuple(names), tracking="light")


def defer_choices(setup: Setup) -> Setup:
    """Return the setup of a new table: the first flip decides who deals the bot's cards."""
    return replace(setup, bot_deck="ask") if len(setup.players) == 1 else setup


def rematch_setup(setup: Setup, last: State) -> Setup:
    """Return the setup of another race: the bot's cards are dealt as they were in the last one."""
    return replace(setup, bot_deck=last.bot_deck)
