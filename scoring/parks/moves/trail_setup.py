"""The moves that lay the Trail of a new season: its tiles in order, and the Shutterbug."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import capitalize_first
from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from scoring.parks import rules as r
from scoring.parks.box import DIE, GAIN_ICONS, GAIN_TEXTS, SITE_COUNT, SITE_OF_FACE, SITES, DieFace, Site
from scoring.parks.effects import pop_task
from scoring.parks.state import LayTrail, RollForShutterbug, State
from scoring.parks.turn import lay_tile


def next_site_number(state: State) -> int:
    """Return the number of the next free site, counted from the Trailhead."""
    return state.sites.index(None) + 1


class LayTile(Move[State], tag="lay-tile"):
    """Enter the trail tile of the next free site, counted from the Trailhead."""

    title = "Place a Trail Site tile"
    resolves = (LayTrail,)
    phase = Phase.SETUP
    names_player = False
    rules = (
        r.SETUP_TILES, r.TRAIL_AGAIN, r.HIKERS_RETURN, r.CAMPFIRE_RELIT, r.CANTEENS_EMPTIED, r.WEATHER_LEFT,
        r.GEAR_DISCARD,
    )  # fmt: skip

    tile: Site
    # The number keeps two phones from laying two tiles for one site; 0 is the next free one.
    site: int = 0

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        next_number = next_site_number(state)
        if self.site and self.site != next_number:
            tile = state.sites[self.site - 1] if 1 <= self.site <= SITE_COUNT else None
            tile_text = f"Site {self.site} already has the {SITES[tile].title} tile. " if tile else ""
            yield Reason("site-laid", r.SETUP_TILES, f"{tile_text}Enter the tile at site {next_number}.")
        elif self.tile not in state.tiles_left:
            text = (
                "The Parks site is printed on the board."
                if self.tile == "parks"
                else f"The {SITES[self.tile].title} tile is already on the Trail."
            )
            yield Reason("tile-lies", r.SETUP_TILES, f"{text} Enter another tile.")

    def apply(self, state: State, seat: int) -> State:
        return lay_tile(state, self.tile)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["LayTile"]:
        for tile in state.tiles_left:
            yield cls(tile, next_site_number(state))

    def label(self, state: State, seat: int) -> MoveLabel:
        title = SITES[self.tile].title
        place = f" at site {next_site_number(state)}" if None in state.sites else ""
        return MoveLabel(f"Place the {title} tile{place}", icon=self.tile, short=title)

    def log_text(self, state: State, seat: int) -> str:
        return f"Site {next_site_number(state)}: {SITES[self.tile].title}"


class PlaceShutterbug(Move[State], tag="place-shutterbug"):
    """Enter the face of the Trail Die; the Shutterbug is placed under the site of that face."""

    title = "Place the Shutterbug token"
    resolves = (RollForShutterbug,)
    phase = Phase.SETUP
    rules = (r.SETUP_SHUTTERBUG, r.SHUTTERBUG_FACES)
    names_player = False

    face: DieFace

    def apply(self, state: State, seat: int) -> State:
        return replace(pop_task(state), shutterbug=SITE_OF_FACE[self.face])

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["PlaceShutterbug"]:
        return map(cls, DIE)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(
            f"Roll {GAIN_TEXTS[self.face]}",
            hint=f"{SITES[SITE_OF_FACE[self.face]].title} site",
            icon=GAIN_ICONS.get(self.face, self.face),
            short=capitalize_first(GAIN_TEXTS[self.face]),
        )

    def log_text(self, state: State, seat: int) -> str:
        return f"Shutterbug token: under the {SITES[SITE_OF_FACE[self.face]].title} site"
