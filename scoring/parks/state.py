"""The state of a PARKS table: players, Trail, displays and the tasks of the current turn."""

from collections.abc import Sized
from itertools import cycle
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.kernel.state import GameSetup, GameState, PlayerState
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
    TRIGGER_TEXTS,
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
    count_on_parks,
    make_tokens,
)

# These values are trees without cycles and are created by the hundred thousand, hence gc=False.

TRAIL_END_SPACES = tuple(end.space for end in END_SPACES)
END_PARKS, END_PHOTO, END_GEAR = TRAIL_END_SPACES
CANTEEN_ROWS = 3  # on a player's board
CANTEENS_PER_ROW = 2
BACKPACK_CAPACITY = 12  # by the ruling backpack
MAX_PLAYERS_WITHOUT_CAMPFIRE = 3  # with more, campfires are lit when the game starts
NO_CARD = ""  # a display place whose card was taken; None is a card no one has named yet
Weather = Literal["", "sun", "water"]
ActionKind = Literal["canteen", "photo", "trade", "roll", "reserve", "buy", "canteen or photo"]


class Player(PlayerState, frozen=True, gc=False):
    """One player's side of the table; tokens are in the order of `TOKENS`."""

    tokens: Tokens = NO_TOKENS  # in the backpack
    hikers: tuple[int, int] = (TRAILHEAD, TRAILHEAD)  # their spaces, the one behind first
    campfire: bool = False  # whether it burns
    photos: int = 0
    visited: tuple[str, ...] = ()
    reserve: tuple[str | None, ...] = ()
    gear: tuple[str, ...] = ()
    canteens: tuple[tuple[Canteen, ...], ...] = ((), (), ())
    filled: tuple[bool, ...] = (False, False, False)  # whether each row holds Water
    passion: str | None = None
    side: Side | None = None  # of the passion, once its goal is met
    bought: int = 0  # gear cards paid for
    wild_photos: int = 0  # photos paid for with a Wildlife

    @property
    def is_on_trail(self) -> bool:
        """Return whether at least one hiker has not reached Trail’s End."""
        return self.hikers[0] < END_PARKS

    @property
    def has_one_hiker_left(self) -> bool:
        """Return whether exactly one hiker has not reached Trail’s End."""
        return self.is_on_trail and self.hikers[1] >= END_PARKS

    @property
    def fillable_rows(self) -> tuple[int, ...]:
        """Return the canteen rows that one Water could fill now."""
        return tuple(row for row in range(CANTEEN_ROWS) if self.canteens[row] and not self.filled[row])


class Extra(Struct, frozen=True, gc=False):
    """An optional gain from a gear card or a canteen, which may be taken or skipped."""

    what: Gain | Effect  # as the card names it
    gear: str = ""


# The tasks of a turn. The last one of State.tasks is next; the turn ends when no task is left.


class StartHike(Struct, frozen=True, tag="SetOut", gc=False):
    """Move a hiker."""


class PlaceWater(Struct, frozen=True, tag="Pour", gc=False):
    """Place Water just gained: in a canteen row or in the backpack."""

    count: int


class SwapGainedToken(Struct, frozen=True, tag="Swap", gc=False):
    """Swap a token just gained for a Wildlife (Botany, Rock Climbing), or keep it."""

    token: Literal["forest", "mountain"]


class DoAction(Struct, frozen=True, tag="Do", gc=False):
    """Carry out the action of a site, a gear card, a canteen or a park card."""

    action: ActionKind
    gear: str = ""  # id of the gear card that gives the action


class ParksAction(Struct, frozen=True, tag="Parks", gc=False):
    """Take a Parks action: reserve one park, or visit any number."""

    has_visited: bool = False  # whether a park was visited, so that none can be reserved


class SecondPhoto(Struct, frozen=True, tag="SecondPhoto", gc=False):
    """Pay for a second photo with the Shutterbug Badge, or skip it."""


class ChooseExtra(Struct, frozen=True, tag="Pick", gc=False):
    """Choose which of several gains to use next, or skip the rest."""

    extras: tuple[Extra, ...]


class NameDrawnGear(Struct, frozen=True, tag="DrawnGear", gc=False):
    """Name the gear card drawn from the deck."""


class ChooseSide(Struct, frozen=True, tag="ChooseSide", gc=False):
    """Choose the Gear Effect or the End Game Bonus of a passion whose goal is met."""


class ReturnTokens(Struct, frozen=True, tag="PutDown", gc=False):
    """Return tokens until the backpack holds twelve (ruling backpack)."""


class GainLater(Struct, frozen=True, tag="GainLater", gc=False):
    """Gain a postponed token: weather, or that of the first visitor (automatic)."""

    token: Literal["wildlife", "sun", "water"]


class NameSeasonTile(Struct, frozen=True, tag="AskTile", gc=False):
    """Name the face-up season tile; any player may."""


class LayTrail(Struct, frozen=True, tag="Lay", gc=False):
    """Lay the trail tile of the next free site; any player may."""


class RollForShutterbug(Struct, frozen=True, tag="PlaceBug", gc=False):
    """Roll the die for the Shutterbug; any player may."""


Task = (
    StartHike | PlaceWater | SwapGainedToken | DoAction | ParksAction | SecondPhoto | ChooseExtra | NameDrawnGear
    | ChooseSide | ReturnTokens | GainLater | NameSeasonTile | LayTrail | RollForShutterbug
)  # fmt: skip
TABLE_TASKS = (NameSeasonTile, LayTrail, RollForShutterbug)
START_HIKE = (StartHike(),)
# the tasks of a table whose tiles are not known yet
FIRST_TASKS: tuple[Task, ...] = (*START_HIKE, NameSeasonTile(), RollForShutterbug(), LayTrail())


class SeasonCount(Struct, frozen=True, gc=False):
    """The counts behind the bonus of the last finished season: its tile, and a number per seat."""

    tile: str
    numbers: tuple[int, ...]


class State(GameState, frozen=True, gc=False):
    """Everything Waymark knows about a table of PARKS."""

    players: tuple[Player, ...]
    sites: tuple[Site | None, ...]  # the nine sites from the Trailhead; None while the trail is being laid
    weather: tuple[Weather, ...]  # the token on each site
    tray: Tokens  # tokens in the trays; negative where stand-ins are used
    parks: tuple[str | None, ...]  # the face-up parks from left to right
    market: tuple[str | None, ...]  # the face-up gear cards
    rulings: dict[str, str]
    facts: CustomCards = CustomCards()
    canteens: tuple[Canteen | None, ...] = (None,) * DISPLAY_SIZES["canteens"]  # the face-up ones
    shutterbug: Site | None = None  # the site with the Shutterbug token
    badge: int | None = None  # the seat that has the Shutterbug Badge
    first_hiker: int | None = 0  # the seat with the First Hiker token; None if no one has taken it yet
    season: int = 0
    tile: str | None = None  # of this season
    turn: int = 0
    tasks: tuple[Task, ...] = START_HIKE
    triggered_extras: tuple[Extra, ...] = ()  # gains of triggered gear, for after the site's action
    used_gear: tuple[str, ...] = ()  # gear cards used this turn
    is_second_photo_used: bool = False  # whether the badge's second photo was taken this turn
    is_passion_used: bool = False  # whether the passion's Gear Effect was used this turn
    end_spaces_used: tuple[bool, bool, bool] = (False, False, False)  # spaces of Trail's End visited this season
    awards: tuple[int, ...] | None = None  # at the end of a season: the seats still to get its bonus
    season_count: SeasonCount | None = None
    # whether the table may have more tokens or photos than the box, from before a ruling limited them
    has_stand_ins: bool = False
    is_over: bool = False

    @property
    def player(self) -> Player:
        """Return the player whose turn it is."""
        return self.players[self.turn]

    @property
    def task(self) -> Task | None:
        """Return the next task, or None when the game is over."""
        return self.tasks[-1] if self.tasks and not self.is_over else None

    @property
    def starting_seat(self) -> int:
        """Return the seat that starts a season; without a token, the first player."""
        return self.first_hiker or 0

    @property
    def excess_tokens(self) -> int:
        """Return how many tokens exceed the backpack's capacity (ruling backpack)."""
        return sum(self.player.tokens) - BACKPACK_CAPACITY

    def end_space_at(self, space: int) -> EndSpace | None:
        """Return the space of Trail's End with this number, or None."""
        return END_SPACES[TRAIL_END_SPACES.index(space)] if space in TRAIL_END_SPACES else None

    def unused_end_space_at(self, space: int) -> EndSpace | None:
        """Return a space of Trail's End without a visitor this season, or None."""
        end = self.end_space_at(space)
        return end if end and not self.end_spaces_used[END_SPACES.index(end)] else None

    @property
    def park_deck(self) -> int:
        """Return the number of cards in the park deck."""
        out = sum(len(player.visited) + len(player.reserve) for player in self.players)
        return len(all_parks(self.facts)) - out - sum(card != NO_CARD for card in self.parks)

    @property
    def is_over_box_supply(self) -> bool:
        """Return whether the table has more tokens or photos than the box."""
        return min(*self.tray, self.photos_left) < 0

    @property
    def photos_left(self) -> int:
        """Return how many photos of the box are left; negative where stand-ins are used."""
        return PHOTOS_IN_BOX - sum(player.photos for player in self.players)

    @property
    def has_photos_left(self) -> bool:
        """Return whether a photo is left to take (ruling token-supply)."""
        return chosen_option(self.rulings, r.SUPPLY) == "stand-ins" or self.photos_left > 0

    @property
    def named_parks(self) -> set[str]:
        """Return every park that has been named, in any place."""
        named = {card for card in self.parks if card}
        for player in self.players:
            named.update(player.visited)
            named.update(card for card in player.reserve if card)
        return named

    @property
    def unnamed_parks(self) -> tuple[str, ...]:
        """Return every park that no one has named yet."""
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
        """Return whether a player has met the goal of a passion and not chosen its side yet."""
        passion = self.passion_of(seat)
        return passion is not None and not self.players[seat].side and self.count(seat, passion.goal) >= passion.number

    def has_ability(self, ability: str) -> bool:
        """Return whether the passion's Gear Effect can be used now (ruling passion-once)."""
        passion = self.passion_of(self.turn) if self.player.side == "gear" else None
        if passion is None or passion.gear != ability:
            return False
        return not self.is_passion_used or chosen_option(self.rulings, r.PASSION_USES) == "always"

    def gear_source(self, id: str) -> str:
        """Return a gear card of the current player as the source of a gain: "Journal".

        If the player has another card of this name, the name alone is ambiguous: "Journal, Water site".
        """
        known = all_gear(self.facts)
        is_ambiguous = any(known[other].name == known[id].name for other in self.player.gear if other != id)
        return f"{known[id].name}, {TRIGGER_TEXTS[known[id].when]}" if is_ambiguous else known[id].name

    def count(self, seat: int, kind: str) -> int:
        """Return a player's count of an item that passions or season tiles count."""
        player = self.players[seat]
        if kind in TOKENS or kind == "instants" or kind.startswith("parks "):
            return count_on_parks((all_parks(self.facts)[name] for name in player.visited), kind)
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


class Setup(GameSetup, frozen=True):
    """A table's setup; players are in turn order, the first one has the First Hiker token."""

    players: tuple[PlayerSetup, ...]
    # nine, from the Trailhead to Trail's End; empty if laying the tiles is the first move
    sites: tuple[Site, ...] = ()
    shutterbug: Site | None = None  # None if the die is rolled for it at the start
    tile: str | None = None  # the Spring tile
    parks: int = DISPLAY_SIZES["parks"]  # number of face-up parks
    gear: int = DISPLAY_SIZES["gear"]
    facts: CustomCards = CustomCards()
    rulings: dict[str, str] = {}


def start(setup: Setup) -> State:
    """Return the state before the first turn."""
    players = tuple(
        Player(
            name=player.name,
            passion=player.passion,
            tokens=player.tokens,
            canteens=((player.canteen,) if player.canteen else (), (), ()),
            campfire=not has_few_players(setup.players),
        )
        for player in setup.players
    )
    held = [sum(numbers) for numbers in zip(*(player.tokens for player in players), strict=True)]
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
        first_hiker=0 if chosen_option(setup.rulings, r.SPRING_TOKEN) == "first-player" else None,
        tile=setup.tile,
        tasks=START_HIKE if setup.sites and setup.shutterbug else FIRST_TASKS,
    )
    state = lay_weather(state)
    return replace(state, has_stand_ins=state.is_over_box_supply)


def has_few_players(players: Sized) -> bool:
    """Return whether there are so few players that their campfires are out when the game starts."""
    return len(players) <= MAX_PLAYERS_WITHOUT_CAMPFIRE


def bare_trail(parks: int) -> tuple[Site | None, ...]:
    """Return a Trail without tiles: only the Parks site, which is printed on the board."""
    return tuple("parks" if space == parks else None for space in range(1, SITE_COUNT + 1))


def default_weather(sites: tuple[Site | None, ...], rulings: dict[str, str]) -> tuple[Weather, ...]:
    """Return the weather of a new season: Sun and Water in turn from the second site on.

    The rulings weather-start and weather-parks apply.
    """
    kinds: tuple[Weather, Weather] = (
        ("sun", "water") if chosen_option(rulings, r.FIRST_WEATHER) == "sun" else ("water", "sun")
    )
    parks = sites.index("parks") if "parks" in sites else PARKS_SPACE - 1
    bare_sites = {0, parks} if chosen_option(rulings, r.PARKS_WEATHER) == "no" else {0}
    next_kinds = cycle(kinds)
    return tuple("" if site in bare_sites else next(next_kinds) for site in range(SITE_COUNT))


def lay_weather(state: State) -> State:
    """Return the state with the weather of a new season, as far as the supply lasts."""
    limited = chosen_option(state.rulings, r.SUPPLY) == "limited"
    tray, laid = list(state.tray), []
    for token in default_weather(state.sites, state.rulings):
        placed = token if token and not (limited and tray[TOKEN_INDEX[token]] <= 0) else ""
        if placed:
            tray[TOKEN_INDEX[placed]] -= 1
        laid.append(placed)
    return replace(state, weather=tuple(laid), tray=make_tokens(tray))


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may act: the current one, or all while the trail is laid."""
    if state.is_over:
        return ()
    return tuple(range(len(state.players))) if isinstance(state.task, TABLE_TASKS) else (state.turn,)
