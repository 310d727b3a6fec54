"""The PARKS table as one frozen value: players, Trail, displays, what is still to do this turn. Nothing is secret."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.kernel.state import WithPlayers
from scoring.parks import rules as r
from scoring.parks.box import (
    IN_BOX,
    NOTHING,
    PARKS_SPACE,
    PHOTOS_IN_BOX,
    SHOWN,
    TILES,
    TOKENS,
    Canteen,
    Effect,
    Gain,
    HomeMade,
    Passion,
    Side,
    Site,
    Tokens,
    all_gear,
    all_parks,
    all_passions,
)

# gc=False: these values are trees, never cycles, and are made by the hundred thousand.

TRAILHEAD = 0  # the sites are spaces 1 to 9
SITES_IN_ROW = 9
END_PARKS, END_PHOTO, END_GEAR = 10, 11, 12  # the three spaces of Trail End
ENDS = (END_PARKS, END_PHOTO, END_GEAR)
ROWS = 3  # of canteens on a board
IN_A_ROW = 2
GONE = ""  # a place in a display whose card was taken; None is a card nobody has named yet
Weather = Literal["", "sun", "water"]


class Player(Struct, frozen=True, gc=False):
    """One player's side of the table. Tokens are counted in the order forest, mountain, sun, water, wildlife."""

    name: str
    tokens: Tokens = NOTHING  # in the backpack
    hikers: tuple[int, int] = (TRAILHEAD, TRAILHEAD)  # their spaces, the one behind first
    campfire: bool = False  # burning
    photos: int = 0
    visited: tuple[str, ...] = ()
    reserve: tuple[str | None, ...] = ()
    gear: tuple[str, ...] = ()
    canteens: tuple[tuple[Canteen, ...], ...] = ((), (), ())
    filled: tuple[bool, ...] = (False, False, False)  # rows with water in them
    passion: str | None = None
    side: Side | None = None  # of the passion, once its goal is met
    bought: int = 0  # gear cards paid for
    wild_photos: int = 0  # photos paid for with a Wildlife

    @property
    def on_trail(self) -> bool:
        """Return whether a hiker has not reached Trail End."""
        return self.hikers[0] < END_PARKS

    @property
    def fillable(self) -> tuple[int, ...]:
        """Return the rows a Water could fill now."""
        return tuple(row for row in range(ROWS) if self.canteens[row] and not self.filled[row])


class Extra(Struct, frozen=True, gc=False):
    """Something gained that may be taken now or left: by a gear card, or by a canteen."""

    what: Gain | Effect
    gear: str = ""


# What is still to be done in this turn. The last of State.tasks is next; none left means the turn ends.


class SetOut(Struct, frozen=True, tag=True, gc=False):
    """Move a hiker."""


class Pour(Struct, frozen=True, tag=True, gc=False):
    """Decide where Water just gained goes: a canteen row or the backpack."""

    waters: int


class Swap(Struct, frozen=True, tag=True, gc=False):
    """Swap a token just gained for a Wildlife (Botany, Rock Climbing), or keep it."""

    token: Literal["forest", "mountain"]


class Do(Struct, frozen=True, tag=True, gc=False):
    """Do what a site, gear, a canteen or a card gives."""

    what: Literal["canteen", "photo", "trade", "roll", "reserve", "buy", "canteen or photo"]


class Parks(Struct, frozen=True, tag=True, gc=False):
    """A Parks action: reserve one, or visit any number."""

    visited: bool = False  # a visit has been made: there is no reserving any more


class SecondPhoto(Struct, frozen=True, tag=True, gc=False):
    """Pay for a second photo with the Shutterbug Badge."""


class Pick(Struct, frozen=True, tag=True, gc=False):
    """Choose which of several things gained to do next, or leave them."""

    extras: tuple[Extra, ...]


class DrawnGear(Struct, frozen=True, tag=True, gc=False):
    """Say which gear card was drawn from the deck."""


class ChooseSide(Struct, frozen=True, tag=True, gc=False):
    """The passion's goal is met: choose its gear side or its end side."""


class PutDown(Struct, frozen=True, tag=True, gc=False):
    """Put tokens back until the backpack holds twelve (ruling backpack)."""


class GainLater(Struct, frozen=True, tag=True, gc=False):
    """A token that comes after the action: weather, or Trail End's for the first one (done without asking)."""

    token: Literal["wildlife", "sun", "water"]


class AskTile(Struct, frozen=True, tag=True, gc=False):
    """Say which season tile lies open. Anybody may."""


class Lay(Struct, frozen=True, tag=True, gc=False):
    """Say which trail tile lies on the next free site. Anybody may."""


class PlaceBug(Struct, frozen=True, tag=True, gc=False):
    """Roll the die for the Shutterbug. Anybody may."""


Task = (
    SetOut | Pour | Swap | Do | Parks | SecondPhoto | Pick | DrawnGear | ChooseSide | PutDown | GainLater
    | AskTile | Lay | PlaceBug
)  # fmt: skip
TABLE_TASKS = (AskTile, Lay, PlaceBug)
SET_OUT = (SetOut(),)


class State(WithPlayers, frozen=True, gc=False):
    """Everything the app has been told about a table of PARKS."""

    players: tuple[Player, ...]
    sites: tuple[Site | None, ...]  # the nine sites from the Trailhead; None while the trail is being laid
    weather: tuple[Weather, ...]  # the token that lies on each site
    tray: Tokens  # tokens in the trays; below zero where stand-ins are used
    parks: tuple[str | None, ...]  # the open ones from left to right
    market: tuple[str | None, ...]  # gear
    rulings: dict[str, str]
    facts: HomeMade = HomeMade()
    canteens: tuple[Canteen | None, ...] = (None,) * SHOWN["canteens"]  # the open ones
    shutterbug: Site | None = None  # the site its token lies under
    badge: int | None = None  # who has the Shutterbug Badge
    first_hiker: int = 0
    season: int = 0
    tile: str | None = None  # this season's
    turn: int = 0
    tasks: tuple[Task, ...] = SET_OUT
    ready: tuple[Extra, ...] = ()  # what gear has set off, for after the site's action
    used: tuple[str, ...] = ()  # gear cards that have worked this turn
    second_used: bool = False  # the badge's second photo, this turn
    passion_used: bool = False  # the passion's gear side, this turn
    end_used: tuple[bool, bool, bool] = (False, False, False)  # Trail End's spaces, this season
    awards: tuple[int, ...] | None = None  # at the end of a season: seats that still get its bonus
    over: bool = False

    @property
    def player(self) -> Player:
        """Return the player whose turn it is."""
        return self.players[self.turn]

    @property
    def park_deck(self) -> int:
        """Return how many park cards are left to draw."""
        out = sum(len(player.visited) + len(player.reserve) for player in self.players)
        return len(all_parks(self.facts)) - out - sum(card != GONE for card in self.parks)

    @property
    def photos_left(self) -> bool:
        """Return whether there is a photo to take (ruling token-supply)."""
        taken = sum(player.photos for player in self.players)
        return chosen(self.rulings, r.SUPPLY) == "stand-ins" or taken < PHOTOS_IN_BOX

    @property
    def named_parks(self) -> set[str]:
        """Return every park somebody has named, wherever it lies."""
        named = {card for card in self.parks if card}
        for player in self.players:
            named.update(player.visited)
            named.update(card for card in player.reserve if card)
        return named

    @property
    def tiles_left(self) -> tuple[Site, ...]:
        """Return the trail tiles that have not been laid yet."""
        return tuple(tile for tile in TILES if tile not in self.sites)

    def passion_of(self, seat: int) -> Passion | None:
        name = self.players[seat].passion
        return all_passions(self.facts)[name] if name else None

    def goal_met(self, seat: int) -> bool:
        """Return whether a player's passion is completed and not turned over yet."""
        player = self.players[seat]
        if player.side or not player.passion:
            return False
        passion = self.passion_of(seat)
        return self.count(seat, passion.goal) >= passion.number

    def has_ability(self, ability: str) -> bool:
        """Return whether the player whose turn it is can use a passion's gear side now (ruling passion-once)."""
        player = self.players[self.turn]
        if player.side != "gear" or self.passion_of(self.turn).gear != ability:
            return False
        return not self.passion_used or chosen(self.rulings, r.PASSION_USES) == "always"

    def count(self, seat: int, what: str) -> int:
        """Return how many a player has of what passions and season tiles count."""
        player = self.players[seat]
        parks = [all_parks(self.facts)[name] for name in player.visited]
        if what in ("parks instant", "instants"):
            return sum(park.instant != "" for park in parks)
        if what.startswith("parks "):
            return sum(park.shows(what.removeprefix("parks ")) for park in parks)
        if what in TOKENS:
            return sum(park.cost[TOKENS.index(what)] for park in parks)
        return {
            "gear": len(player.gear),
            "gear bought": player.bought,
            "gear suns": sum(all_gear(self.facts)[id].cost for id in player.gear),
            "photos": player.photos,
            "wildlife photos": player.wild_photos,
            "canteens": sum(map(len, player.canteens)),
        }[what]


class PlayerSetup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    passion: str | None = None  # may be named later
    tokens: Tokens = NOTHING  # to start with
    canteen: Canteen | None = None  # to start with


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table says before it starts: players in turn order, the first one with the First Hiker token."""

    players: tuple[PlayerSetup, ...]
    sites: tuple[Site, ...]  # nine, from the Trailhead to Trail End
    shutterbug: Site
    tile: str | None = None  # the Spring tile
    parks: int = SHOWN["parks"]  # how many lie open
    gear: int = SHOWN["gear"]
    facts: HomeMade = HomeMade()
    rulings: dict[str, str] = {}


def start(setup: Setup) -> State:
    """Return the table as it stands before the first turn."""
    burning = len(setup.players) > 3
    players = tuple(
        Player(
            name=player.name,
            passion=player.passion,
            tokens=player.tokens,
            canteens=((player.canteen,) if player.canteen else (), (), ()),
            campfire=burning,
        )
        for player in setup.players
    )
    held = [sum(player.tokens[kind] for player in players) for kind in range(len(TOKENS))]
    state = State(
        players=players,
        sites=setup.sites,
        weather=("",) * SITES_IN_ROW,
        tray=tuple(have - taken for have, taken in zip(IN_BOX, held, strict=True)),
        parks=(None,) * setup.parks,
        market=(None,) * setup.gear,
        facts=setup.facts,
        rulings=setup.rulings,
        shutterbug=setup.shutterbug,
        tile=setup.tile,
    )
    return lay_weather(state)


def lay_weather(state: State) -> State:
    """Return the state with a Sun and a Water by turns on the sites from the second on, as far as the trays go."""
    kinds: list[Weather] = ["sun", "water"] if chosen(state.rulings, r.FIRST_WEATHER) == "sun" else ["water", "sun"]
    on_parks = chosen(state.rulings, r.PARKS_WEATHER) == "yes"
    limited = chosen(state.rulings, r.SUPPLY) == "limited"
    tray, weather, turns = list(state.tray), [""], 0
    parks = state.sites.index("parks") if "parks" in state.sites else PARKS_SPACE - 1
    for place in range(1, SITES_IN_ROW):
        kind = kinds[turns % 2] if place != parks or on_parks else ""
        turns += kind != ""
        if kind and limited and tray[TOKENS.index(kind)] <= 0:
            kind = ""
        if kind:
            tray[TOKENS.index(kind)] -= 1
        weather.append(kind)
    return replace(state, weather=tuple(weather), tray=tuple(tray))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act: one in a turn, everybody while the trail is laid anew."""
    if state.over:
        return ()
    return tuple(range(len(state.players))) if isinstance(state.tasks[-1], TABLE_TASKS) else (state.turn,)


def view(state: State, seat: int | None) -> State:
    """Return the table as one seat may see it: all of it, for all lies open."""
    return state
