"""The table of PARKS as it lies: what people who stand at it would say, and what does not add up there."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.documents import at, unknown
from scoring.kernel.english import capital, listed
from scoring.kernel.move import chosen
from scoring.kernel.rule import Reason
from scoring.kernel.setup import check_names, check_rulings
from scoring.parks import rules as r
from scoring.parks.box import (
    IN_BOX,
    MOST_OPEN,
    PARKS_SPACE,
    PHOTOS_IN_BOX,
    SEASON_TILES,
    SEASONS,
    SHOWN,
    SITES,
    SITES_IN_ROW,
    TILES,
    TOKENS,
    TRAILHEAD,
    Canteen,
    HomeMade,
    Season,
    Side,
    Site,
    Token,
    Tokens,
    all_gear,
    all_parks,
    all_passions,
    tokens,
)
from scoring.parks.custom_cards import check
from scoring.parks.effects import minus
from scoring.parks.final_position import SEATS
from scoring.parks.state import (
    ENDS,
    GONE,
    IN_A_ROW,
    AskTile,
    ChooseSide,
    Counted,
    Deed,
    Do,
    DrawnGear,
    Extra,
    GainLater,
    Lay,
    Parks,
    Pick,
    PlaceBug,
    Player,
    Pour,
    PutDown,
    SecondPhoto,
    SetOut,
    State,
    Swap,
    Task,
    Weather,
    usual_weather,
)
from scoring.parks.text import TOKEN, no_such, no_such_gear, no_such_park, place, row

TITLE = "PARKS"
USUAL_SITES: tuple[Site, ...] = (
    *TILES[: PARKS_SPACE - 1],
    "parks",
    *TILES[PARKS_SPACE - 1 :],
)  # as the rulebook lists them
AT_START = "trailhead"
END_NAMES: tuple[Literal["parks", "photo", "gear"], ...] = ("parks", "photo", "gear")
AT_END = {f"end {name}": space for name, space in zip(END_NAMES, ENDS, strict=True)}


class NoCard(Struct, frozen=True):
    """A place without the name of a card: nobody has named it, or it was taken."""

    card: Literal["not named", "gone"]


NOT_NAMED, TAKEN = NoCard("not named"), NoCard("gone")


class Row(Struct, frozen=True):
    """A row of canteens, with Water in it or not."""

    canteens: tuple[Canteen, ...] = ()
    water: bool = False


class Seat(Struct, frozen=True):
    """What lies before one player, and where their hikers stand."""

    name: str
    forest: int = 0  # in the backpack
    mountain: int = 0
    sun: int = 0
    water: int = 0
    wildlife: int = 0
    hikers: tuple[str, str] = (AT_START, AT_START)  # a site by its tile or as "site 3", or "end photo"
    campfire: bool = False  # burning
    photos: int = 0
    visited: tuple[str, ...] = ()
    reserve: tuple[str | NoCard, ...] = ()
    gear: tuple[str, ...] = ()
    top: Row = Row()
    middle: Row = Row()
    bottom: Row = Row()
    passion: str | None = None  # nobody has told
    side: Side | None = None  # its goal is not met
    bought: int = 0  # gear cards paid for
    wild_photos: int = 0  # photos paid for with a Wildlife


What = Literal[
    "hike", "pour", "swap", "parks", "more parks", "second photo", "choose", "name the gear drawn", "choose a side",
    "put tokens back", "gain later", "name the tile", "lay the trail", "place the shutterbug",
]  # fmt: skip
_BY_NAME: dict[What, Task] = {
    "hike": SetOut(),
    "parks": Parks(),
    "more parks": Parks(visited=True),
    "second photo": SecondPhoto(),
    "name the gear drawn": DrawnGear(),
    "choose a side": ChooseSide(),
    "put tokens back": PutDown(),
    "name the tile": AskTile(),
    "lay the trail": Lay(),
    "place the shutterbug": PlaceBug(),
}


class Step(Struct, frozen=True, omit_defaults=True):
    """Something still to be done in this turn."""

    do: What | Deed
    waters: int = 0  # to pour
    token: Token | None = None  # to swap, or gained later
    gear: str = ""  # the card that lets one do it
    of: tuple[Extra, ...] = ()  # to choose from


class Table(Struct, frozen=True):
    """Everything that lies on a table of PARKS. What is left out is as it is at the start of a plain turn."""

    players: tuple[Seat, ...]
    sites: tuple[Site | Literal["not laid"], ...] = USUAL_SITES
    weather: tuple[Literal["sun", "water", "none"], ...] | Literal["as laid"] = "as laid"
    shutterbug: Site | Literal["not placed"] = USUAL_SITES[0]
    parks: tuple[str | NoCard, ...] = (NOT_NAMED,) * SHOWN["parks"]  # from left to right
    market: tuple[str | NoCard, ...] = (NOT_NAMED,) * SHOWN["gear"]
    canteens: tuple[Canteen | NoCard, ...] = (NOT_NAMED,) * SHOWN["canteens"]
    season: Season = SEASONS[0]
    tile: str | None = None  # nobody has told
    badge: int | None = None  # the seat that has it; none: it lies beside the board
    first_hiker: int = 0
    end_used: tuple[
        Literal["parks", "photo", "gear"], ...
    ] = ()  # spaces of Trail End that had a first visitor who has gone
    turn: int = 0
    to_do: tuple[Step, ...] = (Step("hike"),)  # the next one first
    set_off: tuple[Extra, ...] = ()  # gear that comes after the action of the site
    used: tuple[str, ...] = ()  # gear cards that have worked this turn
    second_used: bool = False  # the badge's second photo, this turn
    passion_used: bool = False  # the passion's gear side, this turn
    awards: tuple[int, ...] = ()  # the seats that still get the season's bonus
    counted: Counted | None = None  # for the last season that has ended
    stand_ins: bool = False  # more tokens or photos lie here than are in the box, from before the table ruled them out
    over: bool = False
    facts: HomeMade = HomeMade()
    rulings: dict[str, str] = {}


def standing(state: State) -> tuple[bool, bool, bool]:
    """Return at which spaces of Trail End somebody stands."""
    parks, photo, gear = (any(end in player.hikers for player in state.players) for end in ENDS)
    return parks, photo, gear


# From the state to what people say, and back.


def says(state: State) -> Table:
    """Return what people would say of a table."""
    stand = standing(state)
    return Table(
        players=tuple(_seat(state, player) for player in state.players),
        sites=tuple(site or "not laid" for site in state.sites),
        weather=_weather(state),
        shutterbug=state.shutterbug or "not placed",
        parks=tuple(map(_card, state.parks)),
        market=tuple(map(_card, state.market)),
        canteens=tuple(card or NOT_NAMED for card in state.canteens),
        season=SEASONS[state.season],
        tile=state.tile,
        badge=state.badge,
        first_hiker=state.first_hiker,
        end_used=tuple(
            name for name, used, here in zip(END_NAMES, state.end_used, stand, strict=True) if used and not here
        ),
        turn=state.turn,
        to_do=tuple(map(_step, reversed(state.tasks))),
        set_off=state.ready,
        used=state.used,
        second_used=state.second_used,
        passion_used=state.passion_used,
        awards=state.awards or (),
        counted=state.counted,
        stand_ins=state.stand_ins,
        over=state.over,
        facts=state.facts,
        rulings=state.rulings,
    )


def _weather(state: State) -> tuple[Literal["sun", "water", "none"], ...] | Literal["as laid"]:
    if state.weather == usual_weather(state.sites, state.rulings):
        return "as laid"
    said: list[Literal["sun", "water", "none"]] = [token or "none" for token in state.weather]
    return tuple(said)


def _card(card: str | None) -> str | NoCard:
    return NOT_NAMED if card is None else card or TAKEN


def _seat(state: State, player: Player) -> Seat:
    forest, mountain, sun, water, wildlife = player.tokens
    top, middle, bottom = (Row(held, full) for held, full in zip(player.canteens, player.filled, strict=True))
    behind, ahead = (_space(state, space) for space in player.hikers)
    return Seat(
        player.name, forest, mountain, sun, water, wildlife, (behind, ahead), player.campfire, player.photos, player.visited,
        tuple(map(_card, player.reserve)), player.gear, top, middle, bottom, player.passion, player.side, player.bought,
        player.wild_photos,
    )  # fmt: skip


def _space(state: State, space: int) -> str:
    if space == TRAILHEAD:
        return AT_START
    if space in ENDS:
        return list(AT_END)[ENDS.index(space)]
    return state.sites[space - 1] or f"site {space}"


def _step(task: Task) -> Step:
    match task:
        case Pour(waters):
            return Step("pour", waters=waters)
        case Swap(token):
            return Step("swap", token=token)
        case GainLater(token):
            return Step("gain later", token=token)
        case Do(what, gear):
            return Step(what, gear=gear)
        case Pick(extras):
            return Step("choose", of=extras)
    return Step(next(name for name, each in _BY_NAME.items() if each == task))


def state(table: Table) -> State:
    """Return the state of a table as people say it lies.

    :raises Malformed: naming the place of a word that means nothing here.
    """
    sites: tuple[Site | None, ...] = tuple(None if site == "not laid" else site for site in table.sites)
    if table.weather == "as laid":
        weather = usual_weather(sites, table.rulings)
    else:
        weather: tuple[Weather, ...] = tuple("" if token == "none" else token for token in table.weather)
    players = tuple(_player(seat, sites, f"players[{number}]") for number, seat in enumerate(table.players))
    tasks = tuple(_task(step, f"to_do[{number}]") for number, step in enumerate(table.to_do))[::-1]
    said = State(
        players=players,
        sites=sites,
        weather=weather,
        tray=_tray(players, weather, tasks),
        parks=tuple(map(_name, table.parks)),
        market=tuple(map(_name, table.market)),
        rulings=table.rulings,
        facts=table.facts,
        canteens=tuple(None if isinstance(card, NoCard) else card for card in table.canteens),
        shutterbug=None if table.shutterbug == "not placed" else table.shutterbug,
        badge=table.badge,
        first_hiker=table.first_hiker,
        season=SEASONS.index(table.season),
        tile=table.tile,
        turn=table.turn,
        tasks=tasks,
        ready=table.set_off,
        used=table.used,
        second_used=table.second_used,
        passion_used=table.passion_used,
        awards=table.awards or None,
        counted=table.counted,
        stand_ins=table.stand_ins,
        over=table.over,
    )
    parks, photo, gear = (here or name in table.end_used for here, name in zip(standing(said), END_NAMES, strict=True))
    return replace(said, end_used=(parks, photo, gear))


def _name(card: str | NoCard) -> str | None:
    match card:
        case NoCard("not named"):
            return None
        case NoCard():
            return GONE
    return card


def _player(seat: Seat, sites: tuple[Site | None, ...], place: str) -> Player:
    first, second = (_space_of(word, sites, f"{place}.hikers[{number}]") for number, word in enumerate(seat.hikers))
    rows = seat.top, seat.middle, seat.bottom
    return Player(
        name=seat.name,
        tokens=(seat.forest, seat.mountain, seat.sun, seat.water, seat.wildlife),
        hikers=(min(first, second), max(first, second)),
        campfire=seat.campfire,
        photos=seat.photos,
        visited=seat.visited,
        reserve=tuple(map(_name, seat.reserve)),
        gear=seat.gear,
        canteens=tuple(each.canteens for each in rows),
        filled=tuple(each.water for each in rows),
        passion=seat.passion,
        side=seat.side,
        bought=seat.bought,
        wild_photos=seat.wild_photos,
    )


def _space_of(word: str, sites: tuple[Site | None, ...], place: str) -> int:
    known = _spaces(sites)
    if word not in known:
        raise unknown(place, "space", word, known)
    return known[word]


@lru_cache(maxsize=64)
def _spaces(sites: tuple[Site | None, ...]) -> Mapping[str, int]:
    """Return the spaces of a trail by what people call them."""
    known = {AT_START: TRAILHEAD, **AT_END}
    known |= {f"site {number}": number for number in range(1, len(sites) + 1)}
    known |= {site: number for number, site in enumerate(sites, 1) if site}
    return MappingProxyType(known)


def _task(step: Step, place: str) -> Task:
    match step:
        case Step("pour", waters):
            return Pour(waters)
        case Step("swap", _, "forest" | "mountain" as token):
            return Swap(token)
        case Step("gain later", _, "wildlife" | "sun" | "water" as token):
            return GainLater(token)
        case Step("choose"):
            return Pick(step.of)
        case Step("canteen" | "photo" | "trade" | "roll" | "reserve" | "buy" | "canteen or photo" as what):
            return Do(what, step.gear)
    if step.do not in _BY_NAME:
        raise at(f"{place}.token", "which token is needed here")
    return _BY_NAME[step.do]


def _tray(players: tuple[Player, ...], weather: tuple[Weather, ...], tasks: tuple[Task, ...]) -> Tokens:
    """Return what is left in the trays: all that is in the box, less what lies elsewhere or is being poured."""
    lying = dict.fromkeys(TOKENS, 0) | Counter(filter(None, weather))
    lying["water"] += sum(sum(player.filled) for player in players)
    lying["water"] += sum(task.waters for task in tasks if isinstance(task, Pour))
    tray = minus(IN_BOX, tokens(lying.values()))
    for player in players:
        tray = minus(tray, player.tokens)
    return tray


# What does not add up.


def faults(state: State) -> Iterator[Reason]:
    """Yield what does not add up on a table."""
    wrong = [
        *check_names([player.name for player in state.players], TITLE, SEATS, r.PLAYERS),
        *check_rulings(state.rulings, r.RULINGS),
        *check(state.facts),
        *_what_is_not_there(state),
    ]
    yield from wrong
    if not wrong:
        yield from _parks_and_passions(state)
        yield from _tokens(state)
        yield from _trail(state)
        yield from _turn(state)


def _what_is_not_there(state: State) -> Iterator[Reason]:
    """Yield the seats and cards that a table speaks of and that nobody has, or no box."""
    seats = range(len(state.players))
    if not {
        state.turn,
        state.first_hiker,
        *(state.awards or ()),
        state.turn if state.badge is None else state.badge,
    } <= {*seats}:
        yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
    gear = {*state.used, *(card for card in state.market if card is not None)}
    gear |= {extra.gear for extra in state.ready if extra.gear}
    for player in state.players:
        gear |= {*player.gear}
        if player.passion is not None and player.passion not in all_passions(state.facts):
            yield no_such("passion", player.passion, all_passions(state.facts))
    for task in state.tasks:
        match task:
            case Do(_, card) if card:
                gear.add(card)
            case Pick(extras):
                gear |= {extra.gear for extra in extras if extra.gear}
    for park in state.named_parks - {*all_parks(state.facts)}:
        yield no_such_park(state.facts, park)
    for card in gear - {*all_gear(state.facts)}:
        yield no_such_gear(state.facts, card)
    for tile in {state.tile, state.counted.tile if state.counted else None} - {None, *SEASON_TILES}:
        yield no_such("season tile", str(tile), SEASON_TILES)
    if any(GONE in player.reserve for player in state.players):
        yield Reason("no-such-card", r.RESERVE, "There are no gaps in a reserve.")
    for site in state.sites:
        if site is not None and state.sites.count(site) > 1:
            yield Reason("nine-sites", r.SETUP_TILES, f"There is only one {SITES[site].title} site.")
            break
    if len(state.sites) != SITES_IN_ROW or len(state.weather) != SITES_IN_ROW:
        yield Reason("nine-sites", r.SETUP_TILES, "The Trail has nine sites.")
    elif "parks" not in state.sites:
        yield Reason("nine-sites", r.PARKS_SITE, "The Parks site is printed on the board.")
    if not 1 <= len(state.parks) <= MOST_OPEN or not 1 <= len(state.market) <= MOST_OPEN:
        yield Reason("displays", r.SETUP_DISPLAYS, f"1 to {MOST_OPEN} parks and gear cards lie open.")
    if len(state.canteens) != SHOWN["canteens"]:
        yield Reason("displays", r.SETUP_DISPLAYS, f"{SHOWN['canteens']} canteens lie open.")


def _parks_and_passions(state: State) -> Iterator[Reason]:
    lying: defaultdict[str, list[str]] = defaultdict(list)
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for park in state.parks:
        if park:
            lying[park].append("among the open parks")
    for player in state.players:
        for park in player.visited:
            lying[park].append(f"visited by {player.name}")
        for park in player.reserve:
            if park:
                lying[park].append(f"in the reserve of {player.name}")
        if player.passion:
            holders[player.passion].append(player.name)
        elif player.side:
            yield Reason(
                "no-passion", r.PASSION_SIDE, f"{player.name} has chosen a side of a passion nobody has named."
            )
    for park, places in lying.items():
        if len(places) > 1:
            yield Reason("park-once", r.PARK_ONCE, f"There is only one {park}, but it lies {listed(places)}.")
    if state.park_deck < 0:
        yield Reason("deck-empty", r.PARK_ONCE, "More parks lie on the table than there are.")
    for passion, names in holders.items():
        if len(names) > 1:
            yield Reason(
                "passion-taken", r.SETUP_PASSIONS, f"There is only one {passion}, but {listed(names)} have it."
            )


def _tokens(state: State) -> Iterator[Reason]:
    for player in state.players:
        if min(*player.tokens, player.photos) < 0:
            yield Reason("box-counts", r.TOKEN_SUPPLY, f"{player.name} cannot have fewer than none of something.")
        if min(player.bought, player.wild_photos) < 0:
            yield Reason("counted", r.PASSION_GOAL, f"{player.name} cannot have done something fewer than no times.")
        for number, (held, full) in enumerate(zip(player.canteens, player.filled, strict=True)):
            if len(held) > IN_A_ROW:
                yield Reason(
                    "row-full", r.CANTEEN_ROWS, f"{capital(row(number))} of {player.name} has room for two canteens."
                )
            if full and not held:
                text = f"Without a canteen no Water can be in {row(number)} of {player.name}."
                yield Reason("row-empty", r.CANTEEN_BRINGS, text)
    if chosen(state.rulings, r.SUPPLY) == "limited" and not state.stand_ins:
        for token, left, number in zip(TOKENS, state.tray, IN_BOX, strict=True):
            if left < 0:
                yield Reason(
                    "box-counts", r.TOKEN_SUPPLY, f"The box has {number} {TOKEN[token]}; more than that lie here."
                )
        if sum(player.photos for player in state.players) > PHOTOS_IN_BOX:
            yield Reason("box-counts", r.TOKEN_SUPPLY, f"The box has {PHOTOS_IN_BOX} photos; more than that lie here.")


def _trail(state: State) -> Iterator[Reason]:
    if state.shutterbug and not SITES[state.shutterbug].face:
        yield Reason("no-shutterbug", r.SHUTTERBUG_FACES, "The Shutterbug lies only under a site that is on the die.")
    for player in state.players:
        if not all(TRAILHEAD <= space <= ENDS[-1] for space in player.hikers):
            yield Reason("no-such-space", r.END_CHOICE, f"A hiker of {player.name} stands beside the Trail.")
    for end, used, here in zip(ENDS, state.end_used, standing(state), strict=True):
        if here and not used:
            yield Reason(
                "end-used", r.END_CHOICE, f"A hiker stands at {place(state, end)}: it has had its first visitor."
            )
    if state.tile and SEASON_TILES[state.tile].season != SEASONS[state.season]:
        yield Reason(
            "other-season", r.SETUP_SEASON_TILE, f"This is {SEASONS[state.season]}; its tile is not of this season."
        )


def _turn(state: State) -> Iterator[Reason]:
    kinds = [type(task) for task in state.tasks]
    if state.over:
        if state.tasks or state.season != len(SEASONS) - 1 or state.tile is None:
            yield Reason(
                "not-over", r.SEASONS, "The game is over when its third season is, with a tile that was counted."
            )
        if any(player.on_trail for player in state.players):
            yield Reason("not-over", r.SEASON_OVER, "The game is over when all hikers are at Trail End.")
    elif not state.tasks:
        yield Reason("no-tasks", r.TURN_STEPS, "A turn has something left to do.")
    if SetOut in kinds[1:]:
        yield Reason("hike-first", r.SITE_ACTION, "A turn starts with a hike: nothing waits until after it.")
    if (Lay in kinds) != (None in state.sites):
        yield Reason("trail-laid", r.TRAIL_AGAIN, "Tiles are laid as long as there are sites without one.")
    if not state.over and (PlaceBug in kinds) != (state.shutterbug is None):
        yield Reason(
            "no-shutterbug", r.SETUP_SHUTTERBUG, "The die is rolled for the Shutterbug as long as it lies nowhere."
        )
    if AskTile in kinds and state.tile:
        yield Reason("bonus-given", r.SETUP_SEASON_TILE, "The tile of this season has been named already.")
    for task in state.tasks:
        if task == Pick(()) or (isinstance(task, Pour) and task.waters < 1):
            yield Reason("no-tasks", r.TURN_STEPS, "Nothing is left of what there is to do.")
    if Counter(state.used) - Counter(state.player.gear):
        yield Reason("gear-used", r.GEAR_ONCE, f"More gear has worked than {state.player.name} has.")
    if state.awards and (state.counted is None or state.season == len(SEASONS) - 1):
        yield Reason("no-award", r.SEASON_BONUS, "A bonus is given once it has been counted, in Spring and Summer.")
    if state.counted and len(state.counted.numbers) != len(state.players):
        yield Reason("no-award", r.SEASON_BONUS, "A bonus is counted for every player.")
