"""The readable position format of PARKS: conversion from and to the state, and its errors."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.english import join_words
from scoring.kernel.move import chosen_option
from scoring.kernel.parsing import error_at, read_word
from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from scoring.parks import rules as r
from scoring.parks.box import (
    DISPLAY_SIZES,
    MAX_DISPLAY_CARDS,
    PARKS_SPACE,
    PHOTOS_IN_BOX,
    SEASON_TILES,
    SEASONS,
    SITE_COUNT,
    SITES,
    TOKENS,
    TOKENS_IN_BOX,
    TRAIL_TILES,
    TRAILHEAD,
    Canteen,
    CustomCards,
    Season,
    Side,
    Site,
    Token,
    Tokens,
    all_gear,
    all_parks,
    all_passions,
    make_tokens,
)
from scoring.parks.custom_cards import check_custom_cards
from scoring.parks.effects import subtract_tokens
from scoring.parks.final_position import PLAYER_COUNTS
from scoring.parks.state import (
    CANTEENS_PER_ROW,
    NO_CARD,
    TRAIL_END_SPACES,
    ActionKind,
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    GainLater,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    Player,
    ReturnTokens,
    RollForShutterbug,
    SeasonCount,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
    Weather,
    default_weather,
)
from scoring.parks.text import (
    TOKEN_NAMES,
    row_name,
    space_name,
    unknown_gear_reason,
    unknown_name_reason,
    unknown_park_reason,
)

TITLE = "PARKS"
# in the order of the rulebook
DEFAULT_SITES: tuple[Site, ...] = (*TRAIL_TILES[: PARKS_SPACE - 1], "parks", *TRAIL_TILES[PARKS_SPACE - 1 :])
TRAILHEAD_NAME = "trailhead"
NO_SEAT = -1
END_NAMES: tuple[Literal["parks", "photo", "gear"], ...] = ("parks", "photo", "gear")
END_SPACES_BY_NAME = {f"end {name}": space for name, space in zip(END_NAMES, TRAIL_END_SPACES, strict=True)}


class CardPlaceholder(Struct, frozen=True):
    """A place without a card name: the card has not been named, or was taken."""

    card: Literal["not named", "gone"]


NOT_NAMED, TAKEN = CardPlaceholder("not named"), CardPlaceholder("gone")


class CanteenRow(Struct, frozen=True):
    """A row of canteens on a player's board."""

    canteens: tuple[Canteen, ...] = ()
    water: bool = False


class PlayerPosition(Struct, frozen=True):
    """One player's components, and the spaces of their hikers."""

    name: str
    forest: int = 0  # in the backpack
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    hikers: tuple[str, str] = (TRAILHEAD_NAME, TRAILHEAD_NAME)  # a site by its tile or as "site 3", or "end photo"
    campfire: bool = False  # whether it burns
    photos: int = 0
    visited: tuple[str, ...] = ()
    reserve: tuple[str | CardPlaceholder, ...] = ()
    gear: tuple[str, ...] = ()
    top: CanteenRow = CanteenRow()
    middle: CanteenRow = CanteenRow()
    bottom: CanteenRow = CanteenRow()
    passion: str | None = None  # None if it has not been named
    side: Side | None = None  # None until its goal is met
    bought: int = 0  # gear cards paid for
    wild_photos: int = 0  # photos paid for with a Wildlife


TaskName = Literal[
    "hike", "pour", "swap", "parks", "more parks", "second photo", "choose", "name the gear drawn", "choose a side",
    "put tokens back", "gain later", "name the tile", "lay the trail", "place the shutterbug",
]  # fmt: skip
_TASKS_BY_NAME: dict[TaskName, Task] = {
    "hike": StartHike(),
    "parks": ParksAction(),
    "more parks": ParksAction(has_visited=True),
    "second photo": SecondPhoto(),
    "name the gear drawn": NameDrawnGear(),
    "choose a side": ChooseSide(),
    "put tokens back": ReturnTokens(),
    "name the tile": NameSeasonTile(),
    "lay the trail": LayTrail(),
    "place the shutterbug": RollForShutterbug(),
}


class PendingTask(Struct, frozen=True, omit_defaults=True):
    """A task that is still to be done in this turn."""

    do: TaskName | ActionKind
    waters: int = 0  # to place
    token: Token | None = None  # to swap, or to gain later
    gear: str = ""  # id of the gear card that gives the action
    of: tuple[Extra, ...] = ()  # to choose from


class Position(Struct, frozen=True):
    """A whole table of PARKS; the defaults describe the start of a plain turn."""

    players: tuple[PlayerPosition, ...]
    sites: tuple[Site | Literal["not laid"], ...] = DEFAULT_SITES
    weather: tuple[Literal["sun", "water", "none"], ...] | Literal["as laid"] = "as laid"
    shutterbug: Site | Literal["not placed"] = DEFAULT_SITES[0]
    parks: tuple[str | CardPlaceholder, ...] = (NOT_NAMED,) * DISPLAY_SIZES["parks"]  # from left to right
    market: tuple[str | CardPlaceholder, ...] = (NOT_NAMED,) * DISPLAY_SIZES["gear"]
    canteens: tuple[Canteen | CardPlaceholder, ...] = (NOT_NAMED,) * DISPLAY_SIZES["canteens"]
    season: Season = SEASONS[0]
    tile: str | None = None  # None if it has not been named
    badge: int | None = None  # seat of its owner; None if it is beside the board
    first_hiker: int = 0  # seat of its owner; -1 if no one has taken it yet
    # spaces of Trail’s End whose first visitor has left
    end_used: tuple[Literal["parks", "photo", "gear"], ...] = ()
    turn: int = 0
    to_do: tuple[PendingTask, ...] = (PendingTask("hike"),)  # the next one first
    set_off: tuple[Extra, ...] = ()  # gains of triggered gear, for after the site's action
    used: tuple[str, ...] = ()  # gear cards used this turn
    second_used: bool = False  # whether the badge's second photo was taken this turn
    passion_used: bool = False  # whether the passion's Gear Effect was used this turn
    awards: tuple[int, ...] = ()  # the seats still to get the season's bonus
    counted: SeasonCount | None = None  # for the last finished season
    # whether it may have more tokens or photos than the box, from before a ruling limited them
    stand_ins: bool = False
    over: bool = False
    facts: CustomCards = CustomCards()
    rulings: dict[str, str] = {}


def end_space_occupancy(state: State) -> tuple[bool, bool, bool]:
    """Return for each space of Trail’s End whether a hiker is there."""
    parks, photo, gear = (any(end in player.hikers for player in state.players) for end in TRAIL_END_SPACES)
    return parks, photo, gear


# Conversion from and to the state.


def to_position(state: State) -> Position:
    """Return the position of a table."""
    occupancy = end_space_occupancy(state)
    return Position(
        players=tuple(_to_player_position(state, player) for player in state.players),
        sites=tuple(site or "not laid" for site in state.sites),
        weather=_to_weather(state),
        shutterbug=state.shutterbug or "not placed",
        parks=tuple(map(_to_card, state.parks)),
        market=tuple(map(_to_card, state.market)),
        canteens=tuple(card or NOT_NAMED for card in state.canteens),
        season=SEASONS[state.season],
        tile=state.tile,
        badge=state.badge,
        first_hiker=NO_SEAT if state.first_hiker is None else state.first_hiker,
        end_used=tuple(
            name
            for name, used, is_occupied in zip(END_NAMES, state.end_spaces_used, occupancy, strict=True)
            if used and not is_occupied
        ),
        turn=state.turn,
        to_do=tuple(map(_to_pending_task, reversed(state.tasks))),
        set_off=state.triggered_extras,
        used=state.used_gear,
        second_used=state.is_second_photo_used,
        passion_used=state.is_passion_used,
        awards=state.awards or (),
        counted=state.season_count,
        stand_ins=state.has_stand_ins,
        over=state.is_over,
        facts=state.facts,
        rulings=state.rulings,
    )


def _to_weather(state: State) -> tuple[Literal["sun", "water", "none"], ...] | Literal["as laid"]:
    if state.weather == default_weather(state.sites, state.rulings):
        return "as laid"
    weather: list[Literal["sun", "water", "none"]] = [token or "none" for token in state.weather]
    return tuple(weather)


def _to_card(card: str | None) -> str | CardPlaceholder:
    return NOT_NAMED if card is None else card or TAKEN


def _to_player_position(state: State, player: Player) -> PlayerPosition:
    forest, mountain, sun, water, wildlife = player.tokens
    top, middle, bottom = (CanteenRow(held, full) for held, full in zip(player.canteens, player.filled, strict=True))
    behind, ahead = (_to_space_name(state, space) for space in player.hikers)
    return PlayerPosition(
        player.name, forest, mountain, sun, water, wildlife, (behind, ahead), player.campfire, player.photos,
        player.visited, tuple(map(_to_card, player.reserve)), player.gear, top, middle, bottom, player.passion,
        player.side, player.bought, player.wild_photos,
    )  # fmt: skip


def _to_space_name(state: State, space: int) -> str:
    if space == TRAILHEAD:
        return TRAILHEAD_NAME
    if space in TRAIL_END_SPACES:
        return list(END_SPACES_BY_NAME)[TRAIL_END_SPACES.index(space)]
    return state.sites[space - 1] or f"site {space}"


def _to_pending_task(task: Task) -> PendingTask:
    match task:
        case PlaceWater(waters):
            return PendingTask("pour", waters=waters)
        case SwapGainedToken(token):
            return PendingTask("swap", token=token)
        case GainLater(token):
            return PendingTask("gain later", token=token)
        case DoAction(action, gear):
            return PendingTask(action, gear=gear)
        case ChooseExtra(extras):
            return PendingTask("choose", of=extras)
    return PendingTask(next(name for name, named_task in _TASKS_BY_NAME.items() if named_task == task))


def from_position(table: Position) -> State:
    """Return the state for a position.

    :raises InvalidInputError: if a word is not known; the message names the place.
    """
    sites: tuple[Site | None, ...] = tuple(None if site == "not laid" else site for site in table.sites)
    if table.weather == "as laid":
        weather = default_weather(sites, table.rulings)
    else:
        weather: tuple[Weather, ...] = tuple("" if token == "none" else token for token in table.weather)
    players = tuple(
        _from_player_position(player, sites, f"players[{number}]") for number, player in enumerate(table.players)
    )
    tasks = tuple(_from_pending_task(step, f"to_do[{number}]") for number, step in enumerate(table.to_do))[::-1]
    state = State(
        players=players,
        sites=sites,
        weather=weather,
        tray=_remaining_tray(players, weather, tasks),
        parks=tuple(map(_from_card, table.parks)),
        market=tuple(map(_from_card, table.market)),
        rulings=table.rulings,
        facts=table.facts,
        canteens=tuple(None if isinstance(card, CardPlaceholder) else card for card in table.canteens),
        shutterbug=None if table.shutterbug == "not placed" else table.shutterbug,
        badge=table.badge,
        first_hiker=None if table.first_hiker == NO_SEAT else table.first_hiker,
        season=SEASONS.index(table.season),
        tile=table.tile,
        turn=table.turn,
        tasks=tasks,
        triggered_extras=table.set_off,
        used_gear=table.used,
        is_second_photo_used=table.second_used,
        is_passion_used=table.passion_used,
        awards=table.awards or None,
        season_count=table.counted,
        has_stand_ins=table.stand_ins,
        is_over=table.over,
    )
    parks, photo, gear = (
        is_occupied or name in table.end_used
        for is_occupied, name in zip(end_space_occupancy(state), END_NAMES, strict=True)
    )
    return replace(state, end_spaces_used=(parks, photo, gear))


def _from_card(card: str | CardPlaceholder) -> str | None:
    match card:
        case CardPlaceholder("not named"):
            return None
        case CardPlaceholder():
            return NO_CARD
    return card


def _from_player_position(player: PlayerPosition, sites: tuple[Site | None, ...], path: str) -> Player:
    first, second = (
        _from_space_name(space, sites, f"{path}.hikers[{number}]") for number, space in enumerate(player.hikers)
    )
    rows = player.top, player.middle, player.bottom
    return Player(
        name=player.name,
        tokens=(player.forest, player.mountain, player.sun, player.water, player.wildlife),
        hikers=(min(first, second), max(first, second)),
        campfire=player.campfire,
        photos=player.photos,
        visited=player.visited,
        reserve=tuple(map(_from_card, player.reserve)),
        gear=player.gear,
        canteens=tuple(row.canteens for row in rows),
        filled=tuple(row.water for row in rows),
        passion=player.passion,
        side=player.side,
        bought=player.bought,
        wild_photos=player.wild_photos,
    )


def _from_space_name(name: str, sites: tuple[Site | None, ...], path: str) -> int:
    known = _spaces_by_name(sites)
    read_word(name, known, path, "space")
    return known[name]


@lru_cache(maxsize=64)
def _spaces_by_name(sites: tuple[Site | None, ...]) -> Mapping[str, int]:
    """Return the spaces of a trail by their names in positions."""
    known = {TRAILHEAD_NAME: TRAILHEAD, **END_SPACES_BY_NAME}
    known |= {f"site {number}": number for number in range(1, len(sites) + 1)}
    known |= {site: number for number, site in enumerate(sites, 1) if site}
    return MappingProxyType(known)


def _from_pending_task(step: PendingTask, path: str) -> Task:
    match step:
        case PendingTask("pour", waters):
            return PlaceWater(waters)
        case PendingTask("swap", _, "forest" | "mountain" as token):
            return SwapGainedToken(token)
        case PendingTask("gain later", _, "wildlife" | "sun" | "water" as token):
            return GainLater(token)
        case PendingTask("choose"):
            return ChooseExtra(step.of)
        case PendingTask("canteen" | "photo" | "trade" | "roll" | "reserve" | "buy" | "canteen or photo" as action):
            return DoAction(action, step.gear)
    if step.do not in _TASKS_BY_NAME:
        raise error_at(f"{path}.token", "which token is needed here")
    return _TASKS_BY_NAME[step.do]


def _remaining_tray(players: tuple[Player, ...], weather: tuple[Weather, ...], tasks: tuple[Task, ...]) -> Tokens:
    """Return the tokens left in the trays: those that no one has and that are not placed."""
    placed = dict.fromkeys(TOKENS, 0) | Counter(filter(None, weather))
    placed["water"] += sum(sum(player.filled) for player in players)
    placed["water"] += sum(task.count for task in tasks if isinstance(task, PlaceWater))
    tray = subtract_tokens(TOKENS_IN_BOX, make_tokens(placed.values()))
    for player in players:
        tray = subtract_tokens(tray, player.tokens)
    return tray


# Position errors


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the errors of a position, one reason each."""
    wrong = [
        *check_names([player.name for player in state.players], TITLE, PLAYER_COUNTS, r.PLAYERS),
        *check_rulings(state.rulings, r.RULINGS),
        *check_custom_cards(state.facts),
        *_reference_errors(state),
    ]
    yield from wrong
    if not wrong:
        yield from _card_errors(state)
        yield from _token_errors(state)
        yield from _trail_errors(state)
        yield from _turn_errors(state)


def _reference_errors(state: State) -> Iterator[Reason]:
    """Yield the references to seats and cards that do not exist."""
    seats = range(len(state.players))
    if not {state.turn, state.starting_seat, *(state.awards or ()), *({state.badge} - {None})} <= {*seats}:
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
    gear = {*state.used_gear, *(card for card in state.market if card is not None)}
    gear |= {extra.gear for extra in state.triggered_extras if extra.gear}
    for player in state.players:
        gear |= {*player.gear}
        if player.passion is not None and player.passion not in all_passions(state.facts):
            yield unknown_name_reason("passion", player.passion, all_passions(state.facts))
    for task in state.tasks:
        match task:
            case DoAction(_, card) if card:
                gear.add(card)
            case ChooseExtra(extras):
                gear |= {extra.gear for extra in extras if extra.gear}
    for park in state.named_parks - {*all_parks(state.facts)}:
        yield unknown_park_reason(state.facts, park)
    for card in gear - {*all_gear(state.facts)}:
        yield unknown_gear_reason(state.facts, card)
    for tile in {state.tile, state.season_count.tile if state.season_count else None} - {None, *SEASON_TILES}:
        yield unknown_name_reason("season tile", str(tile), SEASON_TILES)
    if any(NO_CARD in player.reserve for player in state.players):
        yield Reason("no-such-card", r.RESERVE, "A reserve cannot have gaps.")
    for site in state.sites:
        if site is not None and state.sites.count(site) > 1:
            yield Reason(
                "nine-sites", r.SETUP_TILES, f"There is only one {SITES[site].title} site. Place each tile once."
            )
            break
    if len(state.sites) != SITE_COUNT or len(state.weather) != SITE_COUNT:
        yield Reason("nine-sites", r.SETUP_TILES, "The Trail has nine sites.")
    elif "parks" not in state.sites:
        yield Reason("nine-sites", r.PARKS_SITE, "The Trail has no Parks site, but it is printed on the board.")
    if not 1 <= len(state.parks) <= MAX_DISPLAY_CARDS or not 1 <= len(state.market) <= MAX_DISPLAY_CARDS:
        yield Reason("displays", r.SETUP_DISPLAYS, f"There are 1 to {MAX_DISPLAY_CARDS} face-up parks and gear cards.")
    if len(state.canteens) != DISPLAY_SIZES["canteens"]:
        yield Reason("displays", r.SETUP_DISPLAYS, f"There are {DISPLAY_SIZES['canteens']} face-up canteens.")


def _card_errors(state: State) -> Iterator[Reason]:
    places_by_park: defaultdict[str, list[str]] = defaultdict(list)
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for park in filter(None, state.parks):
        places_by_park[park].append("among the face-up parks")
    for player in state.players:
        for park in player.visited:
            places_by_park[park].append(f"visited by {player.name}")
        for park in filter(None, player.reserve):
            places_by_park[park].append(f"in {player.name}\u2019s reserve")
        if player.passion:
            holders[player.passion].append(player.name)
        elif player.side:
            yield Reason("no-passion", r.PASSION_SIDE, f"{player.name} has a side of a passion, but no passion.")
    for park, places in places_by_park.items():
        if len(places) > 1:
            yield Reason("park-once", r.PARK_ONCE, f"There is only one {park}, but it is {join_words(places)}.")
    if state.park_deck < 0:
        yield Reason("deck-empty", r.PARK_ONCE, "There are more parks on the table than in the box.")
    for passion, names in holders.items():
        if len(names) > 1:
            yield Reason(
                "passion-taken", r.SETUP_PASSIONS, f"There is only one {passion}, but {join_words(names)} have it."
            )


def _token_errors(state: State) -> Iterator[Reason]:
    for player in state.players:
        if min(*player.tokens, player.photos) < 0:
            yield Reason("box-counts", r.TOKEN_SUPPLY, f"{player.name} cannot have fewer than 0 of anything.")
        if min(player.bought, player.wild_photos) < 0:
            yield Reason(
                "counted",
                r.PASSION_GOAL,
                f"{player.name} cannot have bought gear or paid with Wildlife fewer than 0 times.",
            )
        for number, (held, full) in enumerate(zip(player.canteens, player.filled, strict=True)):
            if len(held) > CANTEENS_PER_ROW:
                yield Reason(
                    "row-full",
                    r.CANTEEN_ROWS,
                    f"{player.name}: {row_name(number)} has room for only two canteens.",
                )
            if full and not held:
                text = f"{player.name}: {row_name(number)} has no canteen, so it cannot have Water."
                yield Reason("row-empty", r.CANTEEN_BRINGS, text)
    if chosen_option(state.rulings, r.SUPPLY) == "limited" and not state.has_stand_ins:
        for token, left, number in zip(TOKENS, state.tray, TOKENS_IN_BOX, strict=True):
            if left < 0:
                yield Reason(
                    "box-counts",
                    r.TOKEN_SUPPLY,
                    f"There is more {TOKEN_NAMES[token]} on the table than the {number} in the box.",
                )
        if state.photos_left < 0:
            yield Reason(
                "box-counts", r.TOKEN_SUPPLY, f"There are more photos on the table than the {PHOTOS_IN_BOX} in the box."
            )


def _trail_errors(state: State) -> Iterator[Reason]:
    if state.shutterbug and not SITES[state.shutterbug].face:
        yield Reason("no-shutterbug", r.SHUTTERBUG_FACES, "The die has no face for the site with the Shutterbug token.")
    for player in state.players:
        if not all(TRAILHEAD <= space <= TRAIL_END_SPACES[-1] for space in player.hikers):
            yield Reason("no-such-space", r.END_CHOICE, f"{player.name} has a hiker off the Trail.")
    for end, used, is_occupied in zip(TRAIL_END_SPACES, state.end_spaces_used, end_space_occupancy(state), strict=True):
        if is_occupied and not used:
            yield Reason(
                "end-used", r.END_CHOICE, f"A hiker is on {space_name(state, end)}, so its bonus is already taken."
            )
    if state.tile and SEASON_TILES[state.tile].season != SEASONS[state.season]:
        yield Reason("other-season", r.SETUP_SEASON_TILE, f"The season tile is not for {SEASONS[state.season]}.")


def _turn_errors(state: State) -> Iterator[Reason]:
    kinds = [type(task) for task in state.tasks]
    if state.is_over:
        if state.tasks or state.season != len(SEASONS) - 1 or state.tile is None:
            yield Reason(
                "not-over",
                r.SEASONS,
                "The game is over only after Fall, with its season tile entered and nothing left to do.",
            )
        if any(player.is_on_trail for player in state.players):
            yield Reason("not-over", r.SEASON_OVER, "The game is over only when all hikers are at Trail\u2019s End.")
    elif not state.tasks:
        yield Reason("no-tasks", r.TURN_STEPS, "The game goes on, so a player must have something to do.")
    if StartHike in kinds[1:]:
        yield Reason("hike-first", r.SITE_ACTION, "A turn starts with a hike, so no hike can follow another step.")
    if (LayTrail in kinds) != (None in state.sites):
        yield Reason("trail-laid", r.TRAIL_AGAIN, "Trail tiles are entered exactly while a site has none.")
    if not state.is_over and (RollForShutterbug in kinds) != (state.shutterbug is None):
        yield Reason(
            "no-shutterbug",
            r.SETUP_SHUTTERBUG,
            "The Trail Die is rolled for the Shutterbug token exactly while it is off the Trail.",
        )
    if NameSeasonTile in kinds and state.tile:
        yield Reason("bonus-given", r.SETUP_SEASON_TILE, "The tile of this season has already been entered.")
    for task in state.tasks:
        if task == ChooseExtra(()) or (isinstance(task, PlaceWater) and task.count < 1):
            yield Reason("no-tasks", r.TURN_STEPS, "A step of the turn has nothing left to do.")
    if Counter(state.used_gear) - Counter(state.player.gear):
        yield Reason("gear-used", r.GEAR_ONCE, f"{state.player.name} used gear that is not on their board.")
    if state.awards and (state.season_count is None or state.season == len(SEASONS) - 1):
        yield Reason(
            "no-award", r.SEASON_BONUS, "Players take a season bonus only after it is counted, in Spring and Summer."
        )
    if state.season_count and len(state.season_count.numbers) != len(state.players):
        yield Reason("no-award", r.SEASON_BONUS, "The season bonus needs a count for every player.")
