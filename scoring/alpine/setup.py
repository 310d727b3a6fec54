"""What a table of ALPINE TRAILS may be set up with ("Game Setup")."""

from collections.abc import Iterator

from scoring.alpine import facts
from scoring.alpine import rules as r
from scoring.alpine.box import BAG, TRAIL_TILES
from scoring.alpine.document import SEATS
from scoring.alpine.state import DRAWN, PlayerSetup, Setup
from scoring.alpine.tally import TallySetup
from scoring.kernel.document import name_fault
from scoring.kernel.rule import Reason, Rule, Ruling


def usual(names: list[str]) -> Setup:
    """Return the set-up most tables start from: as many tiles in the bag as the chart says."""
    return Setup(players=tuple(PlayerSetup(name) for name in names), tiles=BAG[len(names)])


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield what speaks against starting with this set-up."""
    yield from check_names([player.name for player in setup.players], r.PLAYERS)
    rule = r.SOLO_BAG if len(setup.players) == 1 else r.BAG
    share = DRAWN * max(1, len(setup.players))
    if not share <= setup.tiles <= TRAIL_TILES:
        yield Reason("bag-size", rule, f"The bag holds {share} to {TRAIL_TILES} tiles, not {setup.tiles}.")
    elif setup.tiles % share:
        near = setup.tiles - setup.tiles % share
        text = f"In a round {share} tiles are drawn, so {setup.tiles} do not come out even; {near} do."
        yield Reason("bag-size", rule, text)
    yield from facts.check(setup.facts)
    yield from check_rulings(setup.rulings, r.RULINGS)


def check_tally(setup: TallySetup) -> Iterator[Reason]:
    """Yield what speaks against counting for these players."""
    yield from check_names(list(setup.players), r.PLAYERS)
    yield from check_rulings(setup.rulings, r.RULINGS)


def check_names(names: list[str], rule: Rule) -> Iterator[Reason]:
    """Yield what speaks against these players."""
    if len(names) not in SEATS:
        yield Reason("player-count", rule, f"ALPINE TRAILS is for {SEATS[0]} to {SEATS[-1]} players, not {len(names)}.")
    for name in names:
        if name != name.strip():
            yield Reason("name-spaces", rule, "A name does not start or end with a space.")
        elif fault := name_fault(name):
            yield Reason("name", rule, f"{fault[0].upper()}{fault[1:]}.")
    folded = [name.casefold() for name in names]
    for name in names:
        if folded.count(name.casefold()) > 1:
            yield Reason("same-name", rule, f"Two players are called {name}; add an initial.")
            return


def check_rulings(chosen: dict[str, str], rulings: tuple[Ruling, ...]) -> Iterator[Reason]:
    """Yield what speaks against these rulings."""
    by_id = {ruling.id: ruling for ruling in rulings}
    for id, option in chosen.items():
        if id not in by_id:
            yield Reason("no-ruling", rulings[0].rule, f"There is no ruling \u201c{id}\u201d; there are {', '.join(by_id)}.")
        elif by_id[id].option(option) is None:
            yield Reason("no-option", by_id[id].rule, f"\u201c{option}\u201d is no reading of \u201c{by_id[id].question}\u201d")
