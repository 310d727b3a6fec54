"""What a table of ON THE TRAIL may be set up with."""

from collections.abc import Iterator

from scoring.kernel.document import name_fault
from scoring.kernel.rule import Reason, Ruling
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.box import TRAIL_CARDS
from scoring.on_the_trail.facts import check
from scoring.on_the_trail.state import BOT, NOT_SAID, Setup

SEATS = (1, 2)  # alone against the bot, or two

# What every table starts with, see state.start.
START = (r.SETUP_HAND, r.SOLO_DECK, r.SOLO_STARTS)


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield what speaks against starting with this set-up."""
    yield from check_names(list(setup.players))
    said = [card for card in setup.order if card != NOT_SAID]
    if len(set(said)) < len(said) or not set(said) <= set(range(TRAIL_CARDS)) or len(setup.order) > TRAIL_CARDS:
        yield Reason("trail-order", r.SETUP_TRAIL, f"Each of the {TRAIL_CARDS} Trail cards lies in the row once.")
    elif list(setup.order[: len(said)]) != said:
        text = "Tell the Trail cards from the start on; a place is left open with those after it."
        yield Reason("trail-gap", r.SETUP_TRAIL, text)
    yield from check(setup.facts)
    yield from check_rulings(setup.rulings, r.RULINGS)


def check_names(names: list[str]) -> Iterator[Reason]:
    """Yield what speaks against these players."""
    if len(names) not in SEATS:
        yield Reason("player-count", r.PLAYERS, f"One or two people race, not {len(names)}.")
    for name in names:
        if name != name.strip():
            yield Reason("name-spaces", r.PLAYERS, "A name does not start or end with a space.")
        elif fault := name_fault(name):
            yield Reason("name", r.PLAYERS, f"{fault[0].upper()}{fault[1:]}.")
    runners = [*names, BOT] if len(names) == 1 else names
    if len({name.casefold() for name in runners}) < len(runners):
        yield Reason("same-name", r.PLAYERS, f"Two runners are called {names[0]}; add an initial.")


def check_rulings(chosen: dict[str, str], rulings: tuple[Ruling, ...]) -> Iterator[Reason]:
    """Yield what speaks against these rulings."""
    by_id = {ruling.id: ruling for ruling in rulings}
    for id, option in chosen.items():
        if id not in by_id:
            yield Reason("no-ruling", rulings[0].rule, f"There is no ruling \u201c{id}\u201d; there are {', '.join(by_id)}.")
        elif by_id[id].option(option) is None:
            yield Reason("no-option", by_id[id].rule, f"\u201c{option}\u201d is no reading of \u201c{by_id[id].question}\u201d")


def usual(names: list[str]) -> Setup:
    """Return the set-up most tables start from; one player races the bot."""
    return Setup(tuple(names))
