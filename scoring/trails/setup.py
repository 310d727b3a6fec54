"""What a table of TRAILS may be set up with (rulebook pp. 4-5)."""

from collections.abc import Iterator

from scoring.kernel.document import name_fault
from scoring.kernel.rule import Reason, Rule, Ruling
from scoring.trails import rules as r
from scoring.trails.box import FIRST_GAME, HIKERS, SITES, SUN_TRACKS
from scoring.trails.document import SEATS
from scoring.trails.state import PlayerSetup, Setup, SunTrack
from scoring.trails.tally import TallySetup

FINAL_SPOT = "photo"
LONGEST_END = 6  # icons at one end; the printed tiles have up to four

# What every table starts with, see state.start.
START = (
    r.SETUP_FIRST_GAME,
    r.SETUP_RESOURCES,
    r.SETUP_CANTEEN,
    r.SETUP_BEAR,
    r.SETUP_SUN,
    r.SETUP_HIKERS_FEW,
    r.SETUP_HIKERS_FOUR,
    r.SETUP_NO_VISIT,
)


def check_setup(setup: Setup) -> Iterator[Reason]:
    """Yield what speaks against starting with this set-up."""
    yield from check_names([player.name for player in setup.players], r.PLAYERS)
    hikers = [player.hiker for player in setup.players]
    for hiker in dict.fromkeys(hikers):
        if hiker not in HIKERS:
            yield Reason("no-such-hiker", r.SETUP_HIKER, f"There is no {hiker} hiker; there are {', '.join(HIKERS)}.")
        elif hikers.count(hiker) > 1:
            yield Reason("hiker-taken", r.SETUP_HIKER, f"Only one player can have the {hiker} hiker.")
    if sorted(setup.sites) != sorted(SITES):
        yield Reason("five-sites", r.SETUP_SITES, f"Each of the five sites lies on the Trail once: {', '.join(SITES)}.")
    track = setup.track
    if not track.trailhead or track.trailhead[0] != FINAL_SPOT:
        yield Reason("final-spot", r.SETUP_TRACK, "The leftmost icon of the Trailhead is the final spot, the photo.")
    if FINAL_SPOT in (*track.trail_end, *track.trailhead[1:]):
        yield Reason("final-spot", r.SETUP_TRACK, "The photo icon is the final spot; it is on the Sun Track once.")
    if not 1 <= len(track.trail_end) <= LONGEST_END or len(track.trailhead) > LONGEST_END:
        yield Reason("track-length", r.SETUP_TRACK, f"Each end of the Sun Track has 1 to {LONGEST_END} icons.")
    yield from check_rulings(setup.rulings, r.RULINGS)


def check_tally(setup: TallySetup) -> Iterator[Reason]:
    """Yield what speaks against counting for these players."""
    yield from check_names(list(setup.players), r.PLAYERS)
    yield from check_rulings(setup.rulings, r.RULINGS)


def check_names(names: list[str], rule: Rule) -> Iterator[Reason]:
    """Yield what speaks against these players."""
    if len(names) not in SEATS:
        yield Reason("player-count", rule, f"TRAILS is for {SEATS[0]} to {SEATS[-1]} players, not {len(names)}.")
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


def usual(names: list[str]) -> Setup:
    """Return the set-up of a first game: the sites as the rulebook suggests, the Sun Track as shipped."""
    trail_end, trailhead = SUN_TRACKS[len(names)]
    return Setup(
        players=tuple(PlayerSetup(name, hiker) for name, hiker in zip(names, HIKERS, strict=False)),
        sites=FIRST_GAME,
        track=SunTrack(trail_end, trailhead),
    )
