"""What lies on a table of PARKS, thing by thing: shown where two tables differ, and set right by the table's consent."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from scoring.kernel.editable import Figure, Number, OneOf, SomeOf, Thing, ruled, things
from scoring.kernel.english import listed
from scoring.kernel.position import Lying
from scoring.parks import rules as r
from scoring.parks.box import (
    CANTEENS,
    END_SPACES,
    MOST_OF_A_KIND,
    SEASON_TILES,
    SEASONS,
    SITES,
    TOKENS,
    TRAILHEAD,
    HomeMade,
    Site,
    all_gear,
    all_parks,
    all_passions,
)
from scoring.parks.position import (
    AT_END,
    AT_START,
    END_NAMES,
    NOT_NAMED,
    TAKEN,
    NoCard,
    Step,
    Table,
    What,
    faults,
    says,
    state,
)
from scoring.parks.state import Deed, Extra, State
from scoring.parks.text import SHORT, TOKEN, gear_title, row

# What a figure can be, where it is the same at every table. Words have no article where several of a kind may lie.

NOUN = {what: words.removeprefix("a ") for what, words in SHORT.items()}
COUNT = Number(most=MOST_OF_A_KIND)
CAMPFIRE = OneOf((Thing("burning", "burning", True), Thing("out", "out", False)))
ROW = SomeOf(tuple(Thing(face, f"\u201c{NOUN[face]}\u201d", copies=copies) for face, copies in CANTEENS.items()))
WATER = OneOf((Thing("full", "full", True), Thing("empty", "empty", False)))
SIDE = OneOf((Thing("none", "not chosen", None), Thing("gear", "gear side"), Thing("end", "end side")))
SITE = OneOf(tuple(Thing(id, f"the {site.title} site") for id, site in SITES.items()))
NOT_LAID = OneOf((Thing("not laid", "not laid"), *SITE.things))
WEATHER = OneOf(things({"sun": "a Sun", "water": "a Water", "none": "nothing"}))
UNDER = OneOf(tuple(Thing(id, f"under the {site.title} site") for id, site in SITES.items() if site.face))
NOT_PLACED = OneOf((Thing("not placed", "not placed"), *UNDER.things))
END = SomeOf(tuple(Thing(name, end.title) for name, end in zip(END_NAMES, END_SPACES, strict=True)))
SEASON = OneOf(things(SEASONS))
TILE = OneOf((Thing("not named", "not named", None), *(Thing(id, tile.title) for id, tile in SEASON_TILES.items())))
USED = OneOf((Thing("used", "used", True), Thing("not used", "not used yet", False)))
OVER = OneOf((Thing("over", "over", True), Thing("on", "still on", False)))

DO: dict[What | Deed, str] = {
    "hike": "hike",
    "parks": "Parks action",
    "more parks": "visit to another park",
    "canteen": "canteen",
    "photo": "photo for a token",
    "canteen or photo": "canteen or photo",
    "second photo": "second photo",
    "trade": "token for Wildlife",
    "roll": "roll of the die",
    "reserve": "park to reserve",
    "buy": "gear to buy",
    "name the gear drawn": "gear drawn, to be named",
}
# What comes of something else is only there as long as it is to do.
COMES: dict[What | Deed, str] = {
    "choose a side": "side of the passion to choose",
    "put tokens back": "tokens to put back",
    "name the tile": "season tile to name",
    "lay the trail": "tiles to lay",
    "place the shutterbug": "Shutterbug to place",
}
TO_DO = tuple(Thing(do, words, {"do": do}) for do, words in DO.items())
EXTRA: dict[str, str] = {
    **NOUN,
    "reserve": DO["reserve"],
    "buy": DO["buy"],
    "canteen or photo": DO["canteen or photo"],
    "free photo": "free photo",
    "gear": "top gear card",
    "relight": "campfire relit",
    "2 sun, relight": "2 Sun and campfire relit",
}


class Cards(NamedTuple):
    """What can lie where, by the cards of a box."""

    open_park: OneOf
    reserve: SomeOf
    visited: SomeOf
    market: OneOf
    gear: SomeOf
    passion: OneOf


@lru_cache(maxsize=256)
def _cards(facts: HomeMade) -> Cards:
    parks, passions = things(tuple(all_parks(facts))), things(tuple(all_passions(facts)))
    gear = things({id: card.title for id, card in all_gear(facts).items()})
    unnamed = _no_card(NOT_NAMED, parks)
    return Cards(
        open_park=OneOf((unnamed, _no_card(TAKEN, parks), *parks)),
        reserve=SomeOf((replace(unnamed, copies=len(parks)), *parks)),
        visited=SomeOf(parks),
        market=OneOf((_no_card(NOT_NAMED, gear), *gear)),
        gear=SomeOf(gear),
        passion=OneOf((replace(_no_card(NOT_NAMED, passions), plain=None), *passions)),
    )


def _no_card(said: NoCard, named: Iterable[Thing]) -> Thing:
    """Return a place without a name, called by a key that is the name of no card: an owner may have one called "gone"."""
    key, names = said.card, {thing.key for thing in named}
    while key in names:
        key += "."
    return Thing(key, said.card, msgspec.to_builtins(said))


OPEN_CANTEEN = OneOf((_no_card(NOT_NAMED, ROW.things), *(Thing(face, NOUN[face]) for face in CANTEENS)))


@lru_cache(maxsize=256)
def _spaces(sites: tuple[Site | None, ...]) -> OneOf:
    """Return where a hiker can stand."""
    laid = (
        Thing(_site(number), f"the {SITES[site].title} site" if site else _site(number))
        for number, site in enumerate(sites, 1)
    )
    ends = (Thing(word, f"Trail End, {end.title}") for word, end in zip(AT_END, END_SPACES, strict=True))
    return OneOf((Thing(AT_START, "the Trailhead"), *laid, *ends))


def _site(number: int) -> str:
    return f"site {number}"


def in_full(state: State) -> Table:
    """Return what people would say of a table, with nothing left out that can be set right.

    Weather is said site by site. Hikers stand on a site of so-and-so number: they stay there when its tile is set right.
    """
    table = says(state)
    words = {TRAILHEAD: AT_START, **{space: word for word, space in AT_END.items()}}
    seats = []
    for seat, player in zip(table.players, state.players, strict=True):
        behind, ahead = (words.get(space, _site(space)) for space in player.hikers)
        seats.append(replace(seat, hikers=(behind, ahead)))
    return replace(table, players=tuple(seats), weather=tuple(token or "none" for token in state.weather))


def figures(state: State) -> Iterator[Figure]:
    """Yield what everybody sees on the table."""
    table, cards = in_full(state), _cards(state.facts)
    yield from _of_players(table, cards, _spaces(state.sites))
    yield from _trail(table)
    yield from _open_cards(table, cards)
    yield from _season(table)
    yield from _turn(state, table)
    yield from _box(state)


def _figure(at: str, whose: int | None, what: str, said: Any, can: Number | OneOf, **more: Any) -> Figure:
    """Return a figure of what the table as it lies says."""
    match can:
        case SomeOf():
            return Figure(at, whose, what, tuple(_key(can, each) for each in said), can, **more)
        case OneOf():
            return Figure(at, whose, what, _key(can, said), can, **more)
    return Figure(at, whose, what, said, can, **more)


def _key(can: OneOf, said: Any) -> str:
    if isinstance(said, str):
        return said
    plain = msgspec.to_builtins(said)
    return next(thing.key for thing in can.things if thing.value == plain)


_COUNTED = (
    *((token, TOKEN[token], COUNT) for token in TOKENS),
    ("photos", "photos", COUNT),
    ("campfire", "campfire", CAMPFIRE),
)
_ROWS = tuple(
    each
    for number, name in enumerate(("top", "middle", "bottom"))
    for each in (
        (f"{name}.canteens", f"canteens in {row(number)}", ROW),
        (f"{name}.water", row(number).removeprefix("the "), WATER),
    )
)


def _of_players(table: Table, cards: Cards, spaces: OneOf) -> Iterator[Figure]:
    cardboard = (
        ("visited", "visited parks", cards.visited),
        ("reserve", "reserve", cards.reserve),
        ("gear", "gear", cards.gear),
        ("passion", "passion", cards.passion),
        ("side", "side of the passion", SIDE),
        ("bought", "gear bought", COUNT),
        ("wild_photos", "photos paid with a Wildlife", COUNT),
    )
    for number, seat in enumerate(table.players):
        at = f"players.{number}"
        for name, what, can in _COUNTED:
            yield _figure(f"{at}.{name}", number, what, getattr(seat, name), can)
        for hiker, what in enumerate(("hiker behind", "hiker ahead")):
            yield _figure(f"{at}.hikers.{hiker}", number, what, seat.hikers[hiker], spaces)
        for name, what, can in (*_ROWS, *cardboard):
            yield _figure(f"{at}.{name}", number, what, attrgetter(name)(seat), can)


def _trail(table: Table) -> Iterator[Figure]:
    """Yield the Trail; what is still to be laid or placed there has a move of its own."""
    for number, site in enumerate(table.sites):
        free = site == "not laid"
        yield _figure(f"sites.{number}", None, _site(number + 1), site, NOT_LAID if free else SITE, fixed=free)
    for number, token in enumerate(table.weather):
        yield _figure(f"weather.{number}", None, f"weather on {_site(number + 1)}", token, WEATHER)
    free = table.shutterbug == "not placed"
    yield _figure("shutterbug", None, "Shutterbug", table.shutterbug, NOT_PLACED if free else UNDER, fixed=free)
    yield _figure("end_used", None, "used and empty at Trail End", table.end_used, END)


def _open_cards(table: Table, cards: Cards) -> Iterator[Figure]:
    for at, what, can in (
        ("parks", "open park", cards.open_park),
        ("market", "open gear", cards.market),
        ("canteens", "open canteen", OPEN_CANTEEN),
    ):
        for number, card in enumerate(getattr(table, at)):
            yield _figure(f"{at}.{number}", None, f"{what} {number + 1}", card, can)


def _season(table: Table) -> Iterator[Figure]:
    seats = tuple(Thing(str(number), seat.name, number) for number, seat in enumerate(table.players))
    yield _figure("season", None, "season", table.season, SEASON, also=(("tile", None),))
    asked = any(step.do == "name the tile" for step in table.to_do)
    yield _figure("tile", None, "season tile", table.tile, TILE, fixed=asked)  # asked for, it has a move of its own
    yield _figure("badge", None, "Shutterbug Badge", table.badge, OneOf((Thing("nobody", "nobody", None), *seats)))
    yield _figure("first_hiker", None, "First Hiker token", table.first_hiker, OneOf(seats))
    if table.counted:
        what = f"counted for \u201c{SEASON_TILES[table.counted.tile].title}\u201d"
        for number, counted in enumerate(table.counted.numbers):
            yield _figure(f"counted.numbers.{number}", number, what, counted, COUNT, fixed=True)
    if table.awards:  # the first one gets it now
        yield _figure("awards", None, "bonus still to come for", table.awards[1:], SomeOf(seats))


_TURN_BEGUN = (("set_off", ()), ("used", ()), ("second_used", False), ("passion_used", False))


def _turn(state: State, table: Table) -> Iterator[Figure]:
    seats = tuple(Thing(str(number), seat.name, number) for number, seat in enumerate(table.players))
    laying = tuple(step for step in table.to_do if step.do in ("lay the trail", "place the shutterbug"))
    begun = (("to_do", msgspec.to_builtins((*laying, Step("hike")))), *_TURN_BEGUN)
    yield _figure("turn", None, "turn", table.turn, OneOf(seats), also=() if table.over else begun)
    steps = tuple(Thing(_step_key(step), _step(state, step), msgspec.to_builtins(step)) for step in table.to_do)
    yield Figure(
        "to_do", None, "still to do", tuple(thing.key for thing in steps), _some(TO_DO, steps), fixed=table.over
    )
    waiting = tuple(_set_off(state, extra) for extra in table.set_off)
    works = tuple(_set_off(state, Extra(all_gear(state.facts)[id].effect, id)) for id in state.player.gear)
    yield Figure("set_off", None, "set off by gear", tuple(thing.key for thing in waiting), _some(works, waiting))
    gear = things({id: gear_title(state.facts, id) for id in state.player.gear})
    yield _figure("used", None, "gear used this turn", table.used, SomeOf(gear))
    yield _figure("second_used", None, "second photo of this turn", table.second_used, USED)
    yield _figure("passion_used", None, "gear side of the passion, this turn", table.passion_used, USED)
    ended = (("to_do", ()), ("set_off", ()))
    yield _figure("over", None, "game", table.over, OVER, also=(("to_do", ({"do": "hike"},)),) if table.over else ended)


def _some(known: tuple[Thing, ...], there: tuple[Thing, ...]) -> SomeOf:
    return SomeOf(tuple({thing.key: thing for thing in (*known, *there)}.values()))


def _step_key(step: Step) -> str:
    """Return its name; of what needs more words all of them, as JSON."""
    return step.do if step == Step(step.do) else msgspec.json.encode(step).decode()


def _step(state: State, step: Step) -> str:
    match step:
        case Step("pour", waters):
            return f"{waters} Water to pour"
        case Step("swap", _, str(token)):
            return f"{TOKEN[token]} to swap"
        case Step("gain later", _, str(token)):
            return f"{TOKEN[token]} to come"
        case Step("choose", of=extras):
            return f"choice of {listed([_extra(state, extra) for extra in extras])}"
    return _by_gear(state, (DO | COMES)[step.do], step.gear)


def _extra(state: State, extra: Extra) -> str:
    return _by_gear(state, EXTRA[extra.what], extra.gear)


def _by_gear(state: State, words: str, gear: str) -> str:
    return f"{words} by {gear_title(state.facts, gear)}" if gear else words


def _set_off(state: State, extra: Extra) -> Thing:
    return Thing(extra.gear, _extra(state, extra), msgspec.to_builtins(extra))


def _box(state: State) -> Iterator[Figure]:
    """Yield the cards of an owner's own, which are added by moves of their own, and how the table plays."""
    for group in ("parks", "gear", "passions"):
        if names := tuple(card.name for card in getattr(state.facts, group)):
            yield Figure(f"facts.{group}", None, f"{group} of our own", names, SomeOf(things(names)), fixed=True)
    yield from ruled(r.RULINGS, state)


LYING = Lying(type=Table, says=says, state=state, faults=faults, figures=figures)
