"""The state of a game of TRAILS: players, Trail, Sun, pending tasks, and views by seat."""

from typing import Literal

from msgspec import Struct

from scoring.kernel.state import GameSetup, GameState, PlayerState
from scoring.trails.box import (
    BADGES,
    FIRST_GAME_SITES,
    PHOTOS_IN_BOX,
    RESOURCES_OF_EACH,
    Cubes,
    Photo,
    Resource,
    Site,
    SunIcon,
)

End = Literal["trailhead", "trail-end"]
PhotoSource = Literal["sun", "photography", "shutterbug", "sunshine"]  # the sources of a free photo

# gc=False: these values are trees without cycles, and very many are created.

RESOURCES: tuple[Resource, ...] = ("acorn", "leaf", "rock")
TRAILHEAD, TRAIL_END = 0, 6  # spaces of the Trail; the sites are 1 to 5
BADGES_IN_BOX = sum(badge.copies for badge in BADGES.values())
NO_CARD = ""  # a badge slot or hand without a card; None is an unnamed card


class Player(PlayerState, frozen=True, gc=False):
    """One player's hiker, canteen, resources and cards."""

    hiker: str  # its color
    space: int
    facing: int  # 1 toward Trail End, -1 toward the Trailhead
    canteen: bool = True
    cubes: Cubes = (1, 1, 1)
    badges: tuple[str, ...] = ()
    hand: str | None = None
    photos: tuple[Photo | None, ...] = ()
    revealed: bool = False

    @property
    def tiles_ahead(self) -> int:
        """Return how many tiles the hiker can hike before the end of the Trail."""
        return TRAIL_END - self.space if self.facing == 1 else self.space


# The tasks that are still pending in this turn. The last of State.tasks is next; the turn ends when it is empty.


class LayTrail(Struct, frozen=True, tag="Lay", gc=False):
    """Enter the order of the sites before the first turn; any seat may do so."""


class StartHike(Struct, frozen=True, tag="SetOut", gc=False):
    """Move the hiker."""


class SiteAction(Struct, frozen=True, tag="AtSite", gc=False):
    """Take the action of a site: the hiker's own, the bear's or the Sun's."""

    site: Site


class MoveBear(Struct, frozen=True, tag="Bear", gc=False):
    """Roll the Wildlife die and move the bear."""

    is_optional: bool = False  # whether it may be skipped: only as the bonus of a badge


class BearEncounter(Struct, frozen=True, tag="Encounter", gc=False):
    """Take the hiker's own site and meet the bear on it, in either order."""

    site: Site


class BothSites(Struct, frozen=True, tag="BothSites", gc=False):
    """Take the hiker's own site and the bear's new site, in either order.

    The bear has been met and has moved.
    """

    own_site: Site
    bear_site: Site


class TakePhoto(Struct, frozen=True, tag="TakePhoto", gc=False):
    """Take a free Photo action, with the Sun or from a badge."""

    source: PhotoSource = "sun"


class ChooseResource(Struct, frozen=True, tag="AnyResource", gc=False):
    """Gain one resource of choice (First Aid)."""


class RecyclingExchange(Struct, frozen=True, tag="Swap", gc=False):
    """Exchange one resource for two of another kind (Recycling)."""


class MoveSun(Struct, frozen=True, tag="MoveSun", gc=False):
    """Move the Sun one space toward the Trailhead; this step is forced."""


class EarnBadges(Struct, frozen=True, tag="Earn", gc=False):
    """Earn badges at this end of the Trail: those face-up there and the one in hand."""

    end: End


class EarnFreeBadge(Struct, frozen=True, tag="FreeBadge", gc=False):
    """Earn one more badge at this end without paying (Astronomy)."""

    end: End


class KeepEight(Struct, frozen=True, tag="KeepEight", gc=False):
    """Choose the resources to keep at the end of the turn."""


Task = (
    LayTrail
    | StartHike
    | SiteAction
    | MoveBear
    | BearEncounter
    | BothSites
    | TakePhoto
    | ChooseResource
    | RecyclingExchange
    | MoveSun
    | EarnBadges
    | EarnFreeBadge
    | KeepEight
)
LAY_TRAIL = (LayTrail(),)
START_HIKE = (StartHike(),)


class SunTrack(Struct, frozen=True, gc=False):
    """The icons of the Sun Track, each end from left to right.

    The leftmost icon of the Trailhead is the final spot.
    """

    trail_end: tuple[SunIcon, ...] = ()
    trailhead: tuple[SunIcon, ...] = ()


class State(GameState, frozen=True, gc=False):
    """Everything that was entered about a game of TRAILS."""

    players: tuple[Player, ...]
    sites: tuple[Site, ...]  # the five sites from the Trailhead to Trail End; the first is space 1
    track: SunTrack
    rulings: dict[str, str]
    turn: int
    bear: Site
    tasks: tuple[Task, ...] = START_HIKE
    sun: int = 0  # spaces the Sun has moved; len(sun_path) - 1 is the final spot
    sun_holder: int | None = None
    turns_left: int | None = None  # once the Sun is taken: turns still to come after this one
    trailhead: tuple[str | None, ...] = (None, None)  # face-up badges
    trail_end: tuple[str | None, ...] = (None, None)
    photo_deck: int = PHOTOS_IN_BOX
    photo_discard: int = 0
    photo_up: Photo | None = None  # the top of the photo discard pile, if named
    # The photos under the top one, the uppermost last, down to the lowest named one.
    photos_under: tuple[Photo | None, ...] = ()
    is_over: bool = False  # whether play has ended; the photos may still have to be revealed
    # How many sites have been entered, from the Trailhead; the rest of `sites` is in arbitrary order.
    sites_laid: int = 5
    last_time: tuple[Site, ...] = ()  # the sites of the previous game, until they are entered

    @property
    def sun_path(self) -> tuple[SunIcon | int, ...]:
        """Return the icons and sites (spaces 5 to 1) that the Sun passes, from start to final spot."""
        return (*reversed(self.track.trail_end), 5, 4, 3, 2, 1, *reversed(self.track.trailhead))

    @property
    def under_sun(self) -> SunIcon | int:
        return self.sun_path[self.sun]

    @property
    def is_sun_on_final_spot(self) -> bool:
        return self.sun == len(self.track.trail_end) + len(self.track.trailhead) + 4

    @property
    def nights(self) -> int:
        """Return how many sites have turned to night: those the Sun has passed (rulebook p. 11).

        They turn in order, from Trail End on.
        """
        return min(5, max(0, self.sun - len(self.track.trail_end)))

    def is_night(self, space: int) -> bool:
        """Return whether the site on a space has turned to night."""
        return self.sun > len(self.track.trail_end) + 5 - space

    def space_of(self, site: Site) -> int:
        return self.sites.index(site) + 1

    def site_at(self, space: int) -> Site | None:
        """Return the site on a space, or None at the Trailhead and Trail End."""
        return self.sites[space - 1] if TRAILHEAD < space < TRAIL_END else None

    def supply(self, resource: int) -> int:
        """Return how many cubes of a kind are under the Trail."""
        return max(0, RESOURCES_OF_EACH - self.held(resource))

    def held(self, resource: int) -> int:
        """Return how many cubes of a kind the players have.

        With stand-ins this can be more than the box holds.
        """
        return sum([player.cubes[resource] for player in self.players])

    def face_up(self, end: End) -> tuple[str | None, ...]:
        return self.trailhead if end == "trailhead" else self.trail_end

    @property
    def badge_deck(self) -> int:
        """Return how many badge cards are left to draw."""
        cards_in_play = sum(len(player.badges) + (player.hand != NO_CARD) for player in self.players)
        cards_in_play += sum(card != NO_CARD for card in (*self.trailhead, *self.trail_end))
        return BADGES_IN_BOX - cards_in_play

    @property
    def visible_badges(self) -> list[str | None]:
        """Return the badge cards that everyone can see, face-up at an end or earned."""
        cards = [*self.trailhead, *self.trail_end]
        for player in self.players:
            cards += player.badges
        return cards

    def visible_copies(self, badge: str) -> int:
        """Return how many copies of a badge everyone can see."""
        return self.visible_badges.count(badge)


class PlayerSetup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    hiker: str


class Setup(GameSetup, frozen=True):
    """The setup of a table: players in turn order, starting player first."""

    players: tuple[PlayerSetup, ...]
    sites: tuple[Site, ...] = ()  # empty: they are entered at the start of the game
    track: SunTrack = SunTrack()
    rulings: dict[str, str] = {}
    last_time: tuple[Site, ...] = ()  # the sites of the previous game, in a series


def start(setup: Setup) -> State:
    """Return the state before the first turn (rulebook pp. 4-5)."""
    four = len(setup.players) == 4
    players = tuple(
        Player(
            name=player.name,
            hiker=player.hiker,
            space=TRAIL_END if four and seat < 2 else TRAILHEAD,
            facing=-1 if four and seat < 2 else 1,
        )
        for seat, player in enumerate(setup.players)
    )
    sites = setup.sites or FIRST_GAME_SITES
    return State(
        players=players,
        sites=sites,
        track=setup.track,
        rulings=setup.rulings,
        turn=0,
        bear=sites[2],
        tasks=START_HIKE if setup.sites else LAY_TRAIL,
        sites_laid=len(setup.sites),
        last_time=() if setup.sites else setup.last_time,
    )


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act.

    These are all seats while the sites are entered, then one, then all that have photos to reveal.
    """
    if state.tasks == LAY_TRAIL:
        return tuple(range(len(state.players)))
    if not state.is_over:
        return (state.turn,)
    return tuple(seat for seat, player in enumerate(state.players) if not player.revealed)
