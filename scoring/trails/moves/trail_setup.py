"""Moves that enter the order of the sites, before the first turn (rulebook p. 4)."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import join_words
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import FIRST_GAME_SITES, SITES, Site
from scoring.trails.state import START_HIKE, LayTrail, State
from scoring.trails.text import ORDINALS


class LaySite(Move[State], tag="lay-site"):
    """Enter the next site from the Trailhead; the last one follows from the others."""

    title = "Enter a site"
    entered_fact = "the order of the sites"
    resolves = (LayTrail,)
    phase = Phase.SETUP
    rules = (r.SETUP_SITES, r.SETUP_SHUFFLE_SITES)

    site: Site
    place: int  # 1 to 5; if two phones enter the same place, the second entry is refused

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if 1 <= self.place <= state.sites_laid:
            text = f"The {ORDINALS[self.place - 1]} site has already been entered: {state.sites[self.place - 1]}."
            yield Reason("site-told", r.SETUP_SITES, text)
        elif self.place != state.sites_laid + 1:
            text = f"First enter the {ORDINALS[state.sites_laid]} site from the Trailhead."
            yield Reason("next-site", r.SETUP_SITES, text)
        elif self.site in state.sites[: state.sites_laid]:
            text = f"The {self.site} site is already on the Trail. Choose another site."
            yield Reason("site-lies", r.SETUP_SITES, text)

    def apply(self, state: State, seat: int) -> State:
        entered = (*state.sites[: state.sites_laid], self.site)
        return lay_sites(state, (*entered, *(site for site in SITES if site not in entered)), len(entered))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LaySite"]:
        return (cls(site, state.sites_laid + 1) for site in SITES if site not in state.sites[: state.sites_laid])

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"The {self.site} site", icon=self.site)

    def log_text(self, state: State, seat: int) -> str:
        return f"placed the {self.site} site {ORDINALS[self.place - 1]}"


class LaySites(Move[State], tag="lay-sites"):
    """Enter the order of all five sites in one step."""

    title = "Enter all five sites"
    entered_fact = "the order of the sites"
    resolves = (LayTrail,)
    phase = Phase.SETUP
    rules = (r.SETUP_SITES, r.SETUP_FIRST_GAME)

    sites: tuple[Site, ...]

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if sorted(self.sites) != sorted(SITES):
            yield Reason("five-sites", r.SETUP_SITES, f"The Trail needs each site once: {join_words(SITES)}.")
        elif state.sites_laid:
            yield Reason("site-told", r.SETUP_SITES, f"The first site has already been entered: {state.sites[0]}.")

    def apply(self, state: State, seat: int) -> State:
        return lay_sites(state, self.sites, len(self.sites))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LaySites"]:
        if not state.sites_laid:
            yield from map(cls, dict.fromkeys(filter(None, (FIRST_GAME_SITES, state.last_time))))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            "First-game layout" if self.sites == FIRST_GAME_SITES else "Same as last game",
            hint=", ".join(self.sites),
            icon="trailhead",
        )

    def log_text(self, state: State, seat: int) -> str:
        return "placed the sites in the first-game layout" if self.sites == FIRST_GAME_SITES else "placed the sites"


def lay_sites(state: State, sites: tuple[Site, ...], count: int) -> State:
    """Return the state with a number of sites entered.

    Once a single site is left it is known, and the bear starts on the middle one.
    """
    if count < len(SITES) - 1:
        return replace(state, sites=sites, sites_laid=count)
    return replace(state, sites=sites, sites_laid=len(SITES), bear=sites[2], tasks=START_HIKE, last_time=())
