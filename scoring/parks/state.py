"""The PARKS table as one frozen value: players, Trail, displays, what is still to do this turn. Nothing is secret."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.kernel.state import WithPlayers
from scoring.parks import rules as r
from scoring.parks.box import (
    DISPLAY_SIZES,
    END_SPACES,
    NO_TOKENS,
    PARKS_SPACE,
    PHOTOS_IN_BOX,
    SITE_COUNT,
    TOKEN_INDEX,
    TOKENS,
    TOKENS_IN_BOX,
    TRAIL_TILES,
    TRAILHEAD,
    Canteen,
    CustomCards,
    Effect,
    EndSpace,
    Gain,
    Passion,
    Side,
    Site,
    Tokens,
    all_gear,
    all_parks,
    all_passions,
    make_tokens,
)

# gc=False: these values are trees, never cycles, and are made by the hundred thousand.

TRAIL_END_SPACES = tuple(end.space for end in END_SPACES)  # the three spaces of Trail End
END_PARKS, END_PHOTO, END_GEAR = TRAIL_END_SPACES
CANTEEN_ROWS = 3  # of canteens on a board
CANTEENS_PER_ROW = 2
BACKPACK_CAPACITY = 12  # by the ruling backpack
NO_CARD = ""  # a place in a display whose card was taken; None is a card nobody has named yet
Weather = Literal["", "sun", "water"]
ActionKind = Literal["canteen", "photo", "trade", "roll", "reserve", "buy", "canteen or photo"]


class Player(Struct, frozen=True, gc=False):
    """One player's side of the table. Tokens are counted in the order forest, mountain, sun, water, wildlife."""

    name: str
    tokens: Tokens = NO_TOKENS  # in the backpack
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
    def is_on_trail(self) -> bool:
        """Return whether a hiker has not reached Trail End."""
        return self.hikers[0] < END_PARKS

    @property
    def fillable_rows(self) -> tuple[int, ...]:
        """Return the rows a Water could fill now."""
        return tuple(row for row in range(CANTEEN_ROWS) if self.canteens[row] and not self.filled[row])


class Extra(Struct, frozen=True, gc=False):
    """Something gained that may be taken now or left: by a gear card, or by a canteen."""

    what: Gain | Effect  # in the words of the card
    gear: str = ""


# What is still to be done in this turn. The last of State.tasks is next; none left means the turn ends.


class StartHike(Struct, frozen=True, tag="SetOut", gc=False):
    """Move a hiker."""


class PlaceWater(Struct, frozen=True, tag="Pour", gc=False):
    """Decide where Water just gained goes: a canteen row or the backpack."""

    count: int


class SwapGainedToken(Struct, frozen=True, tag="Swap", gc=False):
    """Swap a token just gained for a Wildlife (Botany, Rock Climbing), or keep it."""

    token: Literal["forest", "mountain"]


class DoAction(Struct, frozen=True, tag="Do", gc=False):
    """Do what a site, gear, a canteen or a card gives."""

    action: ActionKind
    gear: str = ""  # the card that lets one do it


class ParksAction(Struct, frozen=True, tag="Parks", gc=False):
    """A Parks action: reserve one, or visit any number."""

    has_visited: bool = False  # a visit has been made: there is no reserving any more


class SecondPhoto(Struct, frozen=True, tag="SecondPhoto", gc=False):
    """Pay for a second photo with the Shutterbug Badge."""


class ChooseExtra(Struct, frozen=True, tag="Pick", gc=False):
    """Choose which of several things gained to do next, or leave them."""

    extras: tuple[Extra, ...]


class NameDrawnGear(Struct, frozen=True, tag="DrawnGear", gc=False):
    """Say which gear card was drawn from the deck."""


class ChooseSide(Struct, frozen=True, tag="ChooseSide", gc=False):
    """The passion's goal is met: choose its gear side or its end side."""


class ReturnTokens(Struct, frozen=True, tag="PutDown", gc=False):
    """Put tokens back until the backpack holds twelve (ruling backpack)."""


class GainLater(Struct, frozen=True, tag="GainLater", gc=False):
    """A token that comes after the action: weather, or Trail End's for the first one (done without asking)."""

    token: Literal["wildlife", "sun", "water"]


class NameSeasonTile(Struct, frozen=True, tag="AskTile", gc=False):
    """Say which season tile lies open. Anybody may."""


class LayTrail(Struct, frozen=True, tag="Lay", gc=False):
    """Say which trail tile lies on the next free site. Anybody may."""


class RollForShutterbug(Struct, frozen=True, tag="PlaceBug", gc=False):
    """Roll the die for the Shutterbug. Anybody may."""


Task = (
    StartHike | PlaceWater | SwapGainedToken | DoAction | ParksAction | SecondPhoto | ChooseExtra | NameDrawnGear | ChooseSide | ReturnTokens | GainLater
    | NameSeasonTile | LayTrail | RollForShutterbug
)  # fmt: skip
TABLE_TASKS = (NameSeasonTile, LayTrail, RollForShutterbug)
START_HIKE = (StartHike(),)
FIRST_TASKS: tuple[Task, ...] = (
    *START_HIKE,
    NameSeasonTile(),
    RollForShutterbug(),
    LayTrail(),
)  # what a table whose tiles nobody has told begins with


class SeasonCount(Struct, frozen=True, gc=False):
    """What was counted for the bonus of the last season that has ended: its tile, and each seat's number."""

    tile: str
    numbers: tuple[int, ...]


class State(WithPlayers, frozen=True, gc=False):
    """Everything the app has been told about a table of PARKS."""

    players: tuple[Player, ...]
    sites: tuple[Site | None, ...]  # the nine sites from the Trailhead; None while the trail is being laid
    weather: tuple[Weather, ...]  # the token that lies on each site
    tray: Tokens  # tokens in the trays; below zero where stand-ins are used
    parks: tuple[str | None, ...]  # the open ones from left to right
    market: tuple[str | None, ...]  # gear
    rulings: dict[str, str]
    facts: CustomCards = CustomCards()
    canteens: tuple[Canteen | None, ...] = (None,) * DISPLAY_SIZES["canteens"]  # the open ones
    shutterbug: Site | None = None  # the site its token lies under
    badge: int | None = None  # who has the Shutterbug Badge
    first_hiker: int = 0
    season: int = 0
    tile: str | None = None  # this season's
    turn: int = 0
    tasks: tuple[Task, ...] = START_HIKE
    triggered_extras: tuple[Extra, ...] = ()  # what gear has set off, for after the site's action
    used_gear: tuple[str, ...] = ()  # gear cards that have worked this turn
    is_second_photo_used: bool = False  # the badge's second photo, this turn
    is_passion_used: bool = False  # the passion's gear side, this turn
    end_spaces_used: tuple[bool, bool, bool] = (False, False, False)  # Trail End's spaces, this season
    awards: tuple[int, ...] | None = None  # at the end of a season: seats that still get its bonus
    season_count: SeasonCount | None = None
    has_stand_ins: bool = (
        False  # more tokens or photos lie here than are in the box, from before the table ruled them out
    )
    is_over: bool = False

    @property
    def player(self) -> Player:
        """Return the player whose turn it is."""
        return self.players[self.turn]

    @property
    def task(self) -> Task | None:
        """Return what is to be done next; nothing when the game is over."""
        return self.tasks[-1] if self.tasks and not self.is_over else None

    @property
    def excess_tokens(self) -> int:
        """Return how many tokens there are too many in the backpack (ruling backpack)."""
        return sum(self.player.tokens) - BACKPACK_CAPACITY

    def end_space_at(self, space: int) -> EndSpace | None:
        """Return the space of Trail End that this is, if it is one."""
        return END_SPACES[TRAIL_END_SPACES.index(space)] if space in TRAIL_END_SPACES else None

    def unused_end_space_at(self, space: int) -> EndSpace | None:
        """Return the space of Trail End where a hiker would be the first one this season."""
        return (
            END_SPACES[TRAIL_END_SPACES.index(space)]
            if space in TRAIL_END_SPACES and not self.end_spaces_used[TRAIL_END_SPACES.index(space)]
            else None
        )

    @property
    def park_deck(self) -> int:
        """Return how many park cards are left to draw."""
        out = sum(len(player.visited) + len(player.reserve) for player in self.players)
        return len(all_parks(self.facts)) - out - sum(card != NO_CARD for card in self.parks)

    @property
    def is_over_box_supply(self) -> bool:
        """Return whether more tokens or photos lie here than the box has."""
        return min(self.tray) < 0 or sum(player.photos for player in self.players) > PHOTOS_IN_BOX

    @property
    def has_photos_left(self) -> bool:
        """Return whether there is a photo to take (ruling token-supply)."""
        taken = sum(player.photos for player in self.players)
        return chosen_option(self.rulings, r.SUPPLY) == "stand-ins" or taken < PHOTOS_IN_BOX

    @property
    def named_parks(self) -> set[str]:
        """Return every park somebody has named, wherever it lies."""
        named = {card for card in self.parks if card}
        for player in self.players:
            named.update(player.visited)
            named.update(card for card in player.reserve if card)
        return named

    @property
    def unnamed_parks(self) -> tuple[str, ...]:
        """Return every park nobody has named yet."""
        named = self.named_parks
        return tuple(name for name in all_parks(self.facts) if name not in named)

    @property
    def tiles_left(self) -> tuple[Site, ...]:
        """Return the trail tiles that have not been laid yet."""
        return tuple(tile for tile in TRAIL_TILES if tile not in self.sites)

    def passion_of(self, seat: int) -> Passion | None:
        name = self.players[seat].passion
        return all_passions(self.facts)[name] if name else None

    def has_met_goal(self, seat: int) -> bool:
        """Return whether a player's passion is completed and not turned over yet."""
        passion = self.passion_of(seat)
        return passion is not None and not self.players[seat].side and self.count(seat, passion.goal) >= passion.number

    def has_ability(self, ability: str) -> bool:
        """Return whether the player whose turn it is can use a passion's gear side now (ruling passion-once)."""
        passion = self.passion_of(self.turn) if self.player.side == "gear" else None
        if passion is None or passion.gear != ability:
            return False
        return not self.is_passion_used or chosen_option(self.rulings, r.PASSION_USES) == "always"

    def count(self, seat: int, kind: str) -> int:
        """Return how many a player has of what passions and season tiles count."""
        player = self.players[seat]
        parks = [all_parks(self.facts)[name] for name in player.visited]
        if kind in ("parks instant", "instants"):
            return sum(park.instant != "" for park in parks)
        if kind.startswith("parks "):
            return sum(park.has_icon(kind.removeprefix("parks ")) for park in parks)
        if kind in TOKENS:
            return sum(park.icon_count(kind) for park in parks)
        return {
            "gear": len(player.gear),
            "gear bought": player.bought,
            "gear suns": sum(all_gear(self.facts)[id].cost for id in player.gear),
            "photos": player.photos,
            "wildlife photos": player.wild_photos,
            "canteens": sum(map(len, player.canteens)),
        }[kind]


class PlayerSetup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    passion: str | None = None  # may be named later
    tokens: Tokens = NO_TOKENS  # to start with
    canteen: Canteen | None = None  # to start with


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table says before it starts: players in turn order, the first one with the First Hiker token."""

    players: tuple[PlayerSetup, ...]
    sites: tuple[
        Site, ...
    ] = ()  # nine, from the Trailhead to Trail End; none: the tiles are laid as the first thing played
    shutterbug: Site | None = None  # none: the die is rolled for it then
    tile: str | None = None  # the Spring tile
    parks: int = DISPLAY_SIZES["parks"]  # how many lie open
    gear: int = DISPLAY_SIZES["gear"]
    facts: CustomCards = CustomCards()
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
        sites=setup.sites or bare_trail(PARKS_SPACE),
        weather=("",) * SITE_COUNT,
        tray=make_tokens(have - taken for have, taken in zip(TOKENS_IN_BOX, held, strict=True)),
        parks=(None,) * setup.parks,
        market=(None,) * setup.gear,
        facts=setup.facts,
        rulings=setup.rulings,
        shutterbug=setup.shutterbug,
        tile=setup.tile,
        tasks=START_HIKE if setup.sites and setup.shutterbug else FIRST_TASKS,
    )
    state = lay_weather(state)
    return replace(state, has_stand_ins=state.is_over_box_supply)


def bare_trail(parks: int) -> tuple[Site | None, ...]:
    """Return a Trail before its tiles are laid: the Parks site is printed on the board."""
    return tuple("parks" if space == parks else None for space in range(1, SITE_COUNT + 1))


def default_weather(sites: tuple[Site | None, ...], rulings: dict[str, str]) -> tuple[Weather, ...]:
    """Return a Sun and a Water by turns on the sites from the second on."""
    kinds: tuple[Weather, Weather] = (
        ("sun", "water") if chosen_option(rulings, r.FIRST_WEATHER) == "sun" else ("water", "sun")
    )
    weather: list[Weather] = [""]
    parks = sites.index("parks") if "parks" in sites else PARKS_SPACE - 1
    turns = 0
    for site in range(1, SITE_COUNT):
        if site == parks and chosen_option(rulings, r.PARKS_WEATHER) == "no":
            weather.append("")
        else:
            weather.append(kinds[turns % 2])
            turns += 1
    return tuple(weather)


def lay_weather(state: State) -> State:
    """Return the state with the weather of a new season, as far as the trays go."""
    limited = chosen_option(state.rulings, r.SUPPLY) == "limited"
    tray, laid = list(state.tray), []
    for token in default_weather(state.sites, state.rulings):
        there = token if token and not (limited and tray[TOKEN_INDEX[token]] <= 0) else ""
        if there:
            tray[TOKEN_INDEX[there]] -= 1
        laid.append(there)
    return replace(state, weather=tuple(laid), tray=make_tokens(tray))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act: one in a turn, everybody while the trail is laid anew."""
    if state.is_over:
        return ()
    return tuple(range(len(state.players))) if isinstance(state.task, TABLE_TASKS) else (state.turn,)


def view(state: State, seat: int | None) -> State:
    """Return the table as one seat may see it: all of it, for all lies open."""
    return state
