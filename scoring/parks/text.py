"""How PARKS is put into words: spaces, tokens, what is to be done now, what changed."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from scoring.kernel.english import capital, cut, listed, plural
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over, waits_for
from scoring.parks import rules as r
from scoring.parks.box import (
    MOST,
    SEASON_TILES,
    SEASONS,
    SITES,
    TOKENS,
    TRAILHEAD,
    HomeMade,
    SeasonTile,
    Tokens,
    all_gear,
    all_parks,
)
from scoring.parks.box import tokens as together
from scoring.parks.season import count, in_backpack, winners
from scoring.parks.state import (
    TABLE_TASKS,
    AskTile,
    ChooseSide,
    Counted,
    Do,
    DrawnGear,
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
)

MOST_MEANT = 3  # names a reason asks back
TOKEN = {token: token.capitalize() for token in TOKENS}
# What a gain is called on a button and in a sentence: an order to oneself.
TO_DO: dict[str, str] = {
    "forest": "take a Forest",
    "mountain": "take a Mountain",
    "sun": "take a Sun",
    "water": "take a Water",
    "wildlife": "take a Wildlife",
    "2 sun": "take 2 Suns",
    "2 water": "take 2 Waters",
    "relight": "relight your campfire",
    "badge": "take the Shutterbug Badge",
    "canteen": "gain a canteen",
    "photo": "pay a token for a photo",
    "free photo": "take a free photo",
    "trade": "trade a token for a Wildlife",
    "roll": "roll the Trail Die",
    "reserve": "reserve a park",
    "parks": "reserve a park, or visit parks",
    "buy": "buy gear",
    "gear": "draw the top gear card",
    "canteen or photo": "gain a canteen, or pay a token for a photo",
}
SHORT = {
    "forest": "1 Forest",
    "mountain": "1 Mountain",
    "sun": "1 Sun",
    "water": "1 Water",
    "2 sun": "2 Sun",
    "2 water": "2 Water",
    "wildlife": "1 Wildlife",
    "canteen": "a canteen",
    "photo": "a photo for a token",
    "trade": "a token for Wildlife",
    "parks": "a Parks action",
    "badge": "the Shutterbug Badge",
    "roll": "a roll of the die",
}


def place(state: State, space: int) -> str:
    """Return a space in words: "the 2 Sun site", "Trail End, Photo"."""
    if space == TRAILHEAD:
        return "the Trailhead"
    if end := state.end_at(space):
        return f"Trail End, {end.title}"
    if not 1 <= space <= len(state.sites):
        return "Trail End"
    site = state.sites[space - 1]
    return f"the {SITES[site].title} site" if site else f"site {space}"


def tokens(counts: Tokens) -> str:
    """Return tokens in words: "2 Sun, 1 Water", or "nothing"."""
    return ", ".join(f"{count} {TOKEN[kind]}" for count, kind in zip(counts, TOKENS, strict=True) if count) or "nothing"


def row(number: int) -> str:
    return ("the top row", "the middle row", "the bottom row")[number]


def gear_title(facts: HomeMade, id: str) -> str:
    return all_gear(facts)[id].title


# What a task asks of the player: an order to themselves, and a phrase that finishes "First ...".
_ASKS: dict[type[Task], str] = {
    SetOut: "move a hiker",
    SecondPhoto: "pay for a second photo by the Shutterbug Badge, or leave it",
    Pick: "choose what to do next, or leave it",
    DrawnGear: "say which gear card you drew",
    ChooseSide: "choose a side of your passion",
    PutDown: "put tokens back until twelve are left",
    AskTile: "say which season tile lies open",
    Lay: "lay the next tile of the Trail",
    PlaceBug: "roll the die for the Shutterbug",
}


def asks(state: State, task: Task | None) -> str:
    """Return what a task asks for, to be read after "First" or alone."""
    match task:
        case Pour(waters):
            return (
                f"fill a canteen row with your Water, or put {'it' if waters == 1 else f'all {waters}'} in the backpack"
            )
        case Swap(token):
            return f"swap your {TOKEN[token]} for a Wildlife, or keep it"
        case Parks(visited=True):
            return "visit another park, or say that you are done"
        case Parks():
            return "reserve a park, visit parks, or leave them"
        case Do(what, gear):
            by = f" with {gear_title(state.facts, gear)}" if gear else ""
            return f"{TO_DO[what]}{by}" if what == "roll" else f"{TO_DO[what]}{by}, or leave it"
        case None:
            return "nothing"
    return _ASKS[type(task)]


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.over:
        return "The game is over."
    words = f"{capital(asks(state, state.task))}."
    if state.awards is not None and state.counted:
        return f"{_most(state, state.counted)}: {words[0].lower()}{words[1:]}"
    if isinstance(state.task, SetOut) and not any(
        player.on_trail for seat, player in enumerate(state.players) if seat != state.turn
    ):
        return "Move your hikers to Trail End, one after the other: all others are there."
    if isinstance(state.task, Lay) and state.counted:
        return f"{words} {_most(state, state.counted)}: {_names(state, winners(state, state.counted))}."
    return words


def _most(state: State, counted: Counted) -> str:
    """Return what a season's bonus was for, with the numbers: "Spring bonus, most Sun (Ana 3, Bo 1)"."""
    tile = SEASON_TILES[counted.tile]
    numbers = ", ".join(
        f"{player.name} {number}" for player, number in zip(state.players, counted.numbers, strict=True)
    )
    return f"{tile.season} bonus, most {_called(state, tile)} ({numbers})"


def counted_things(state: State, tile: SeasonTile) -> str:
    """Return what a season's tile counts, and where: "Sun in the backpack", "canteens" (rulings spring-counts, summer-counts)."""
    if tile.most not in TOKENS:
        return MOST[tile.most]
    return f"{TOKEN[tile.most]} {'in the backpack' if in_backpack(state, tile) else 'on visited parks'}"


def tile_title(state: State, tile: SeasonTile) -> str:
    """Return a season's tile as it is called at this table: "Spring: most Sun", "Summer: most Wildlife in the backpack"."""
    return f"{tile.season}: most {_called(state, tile)}"


def _called(state: State, tile: SeasonTile) -> str:
    """Return what a tile counts as log and banner call it: of Wildlife, the tile itself leaves open where it is counted."""
    return counted_things(state, tile) if tile.most == "wildlife" else MOST[tile.most]


def race(state: State, seat: int, said: dict[str, str]) -> str:
    """Return who leads for the season's tile, and by how much: "Most Sun in the backpack: Bo 3, Ana 1"."""
    if state.tile is None:
        return ""
    tile = SEASON_TILES[state.tile]
    numbers = sorted(((count(state, each, tile), -each) for each in range(len(state.players))), reverse=True)
    leading = ", ".join(f"{state.players[-each].name} {number}" for number, each in numbers)
    return f"Most {counted_things(state, tile)}: {leading}"


def _names(state: State, seats: tuple[int, ...]) -> str:
    return listed([state.players[seat].name for seat in seats]) or "nobody"


def changes(before: State, after: State) -> Iterator[str]:
    """Yield what else changed between two states, a sentence each, for the log."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        yield from _changed("" if seat == before.turn else f"{new.name} ", old, new)
    if after.badge != before.badge and after.badge is not None:
        yield f"{after.players[after.badge].name} has the Shutterbug Badge."
    if after.first_hiker != before.first_hiker:
        yield f"{after.players[after.first_hiker].name} has the First Hiker token."
    counted = after.counted
    begun = after.season != before.season and None in after.sites and None not in before.sites  # else it was set right
    ended = begun and before.tile  # a tile named late that nobody wins is only in the prompt
    if counted and before.awards is None and (after.awards is not None or ended):
        yield f"{tile_title(after, SEASON_TILES[counted.tile])}: {_names(after, winners(after, counted))}."
    if begun:
        yield f"{SEASONS[after.season]} begins; lay the Trail anew."
    if after.over and not before.over:
        yield "The last season is over."


def _changed(who: str, old: Player, new: Player) -> Iterator[str]:
    gained = together(max(0, now - then) for now, then in zip(new.tokens, old.tokens, strict=True))
    paid = together(max(0, then - now) for now, then in zip(new.tokens, old.tokens, strict=True))
    if any(gained):
        yield f"{who}+{tokens(gained)}."
    if any(paid):
        yield f"{who}\u2212{tokens(paid)}."
    if new.photos > old.photos:
        yield f"{who}+{plural(new.photos - old.photos, 'photo')}."
    if old.campfire and not new.campfire:
        yield f"{who or 'The '}campfire goes out." if not who else f"{who.rstrip()}\u2019s campfire goes out."


def first(state: State) -> Reason:
    """Return why a move is refused that is not what the turn asks for."""
    match state.task:
        case None:
            return game_over(r.WINNER)
        case SetOut():
            return Reason("hike-first", r.SITE_ACTION, "Your turn starts with a hike.")
        case Do("roll"):
            return Reason("finish-first", r.DIE_SITE, FIRST_ROLL)
        case task:
            rule = r.TRAIL_AGAIN if isinstance(task, TABLE_TASKS) else r.TURN_STEPS
            return Reason("finish-first", rule, f"First {asks(state, task)}.")


FIRST_ROLL = "First roll the Trail Die."


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if state.over:
        return game_over(r.WINNER)
    return waits_for([state.players[state.turn].name], r.TURN_ORDER, asks(state, state.task))


def nothing_to_tell(state: State) -> Iterator[Reason]:
    """Yield why there is nothing more to tell, once the game is over."""
    if state.over:
        yield game_over(r.SEASONS)


def near(word: str, known: Iterable[str]) -> list[str]:
    """Return the names that a word is a part of, or the one it is nearest to."""
    names = {name.casefold(): name for name in known}
    part = [name for folded, name in names.items() if word and word.casefold() in folded][:MOST_MEANT]
    return part or [names[folded] for folded in get_close_matches(word.casefold(), names, 1)]


def no_such(noun: str, word: str, known: Iterable[str]) -> Reason:
    """Return why a name is none of a card, with those that may be meant."""
    names = near(word, known)
    asked = " or ".join(f"\u201c{name}\u201d" for name in names)
    hint = f"; did you mean {asked}?" if names else "."
    return Reason(
        f"no-such-{noun.rsplit(maxsplit=1)[-1]}", r.COMPONENTS, f"There is no {noun} \u201c{cut(word)}\u201d{hint}"
    )


def no_such_park(facts: HomeMade, park: str) -> Reason:
    return no_such("park", park, all_parks(facts))


def no_such_gear(facts: HomeMade, gear: str) -> Reason:
    return no_such("gear", gear, all_gear(facts))
