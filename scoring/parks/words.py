"""How PARKS is put into words: spaces, tokens, what is to be done now, what changed."""

from collections.abc import Iterator

from scoring.kernel.play import game_over, waits_for
from scoring.kernel.rule import Reason
from scoring.kernel.words import plural
from scoring.parks import rules as r
from scoring.parks.box import SEASON_TILES, SEASONS, SITES, TOKENS, Gain, HomeMade, Tokens, all_gear
from scoring.parks.state import (
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    SITES_IN_ROW,
    TABLE_TASKS,
    TRAILHEAD,
    AskTile,
    ChooseSide,
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

END_WORDS = {END_PARKS: "Trail End, Parks", END_PHOTO: "Trail End, Photo", END_GEAR: "Trail End, Gear"}
TOKEN = {token: token.capitalize() for token in TOKENS}
# What a gain is called on a button and in a sentence: an order to oneself.
TO_DO: dict[Gain, str] = {
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
    if space > SITES_IN_ROW:
        return END_WORDS.get(space, "Trail End")
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
    SecondPhoto: "pay for a second photo, or leave it",
    Pick: "choose what to do next, or leave it",
    DrawnGear: "say which gear card you drew",
    ChooseSide: "choose a side of your passion",
    PutDown: "put tokens back until twelve are left",
    AskTile: "say which season tile lies open",
    Lay: "lay the next tile of the Trail",
    PlaceBug: "roll the die for the Shutterbug",
}


def asks(state: State, task: Task) -> str:
    """Return what a task asks for, to be read after "First" or alone."""
    match task:
        case Pour(waters=waters):
            return f"fill a canteen row with your Water, or put {'it' if waters == 1 else f'all {waters}'} in the backpack"
        case Swap(token=token):
            return f"swap your {TOKEN[token]} for a Wildlife, or keep it"
        case Parks(visited=True):
            return "visit another park, or say that you are done"
        case Parks():
            return "reserve a park, or visit parks"
        case Do(what="roll"):
            return TO_DO["roll"]
        case Do(what=what):
            return f"{TO_DO[what]}, or leave it"
    return _ASKS[type(task)]


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.over:
        return "The game is over."
    words = asks(state, state.tasks[-1])
    if state.awards is not None:
        words = f"{SEASONS[state.season]} bonus: {words}"
    elif isinstance(state.tasks[-1], SetOut) and not any(
        player.on_trail for seat, player in enumerate(state.players) if seat != state.turn
    ):
        words = "move your hikers to Trail End, one after the other: all others are there"
    return f"{words[0].upper()}{words[1:]}."


def changes(before: State, after: State) -> Iterator[str]:
    """Yield what else changed between two states, a sentence each, for the log."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        yield from _changed("" if seat == before.turn else f"{new.name} ", old, new)
    if after.badge != before.badge and after.badge is not None:
        yield f"{after.players[after.badge].name} has the Shutterbug Badge."
    if after.first_hiker != before.first_hiker:
        yield f"{after.players[after.first_hiker].name} has the First Hiker token."
    if after.awards is not None and before.awards is None:
        yield from _award(after.players, after.awards, SEASON_TILES[after.tile].title)
    if after.season != before.season:
        if before.awards is None and before.tile:
            yield from _award(before.players, (), SEASON_TILES[before.tile].title)
        yield f"{SEASONS[after.season]} begins; lay the Trail anew."
    if after.over and not before.over:
        yield "The last season is over."


def _changed(who: str, old: Player, new: Player) -> Iterator[str]:
    gained = tuple(max(0, now - then) for now, then in zip(new.tokens, old.tokens, strict=True))
    paid = tuple(max(0, then - now) for now, then in zip(new.tokens, old.tokens, strict=True))
    if any(gained):
        yield f"{who}+{tokens(gained)}."
    if any(paid):
        yield f"{who}\u2212{tokens(paid)}."
    if new.photos > old.photos:
        yield f"{who}+{plural(new.photos - old.photos, 'photo')}."
    if old.campfire and not new.campfire:
        yield f"{who or 'The '}campfire goes out." if not who else f"{who.rstrip()}\u2019s campfire goes out."


def _award(players: tuple[Player, ...], seats: tuple[int, ...], title: str) -> Iterator[str]:
    names = " and ".join(players[seat].name for seat in seats)
    yield f"{title}: {names}." if names else f"{title}: nobody."


def first(state: State) -> Reason:
    """Return why a move is refused that is not what the turn asks for."""
    task = state.tasks[-1]
    if isinstance(task, SetOut):
        return Reason("hike-first", r.SITE_ACTION, "Your turn starts with a hike.")
    rule = r.TRAIL_AGAIN if isinstance(task, TABLE_TASKS) else r.TURN_STEPS
    return Reason("finish-first", rule, f"First {asks(state, task)}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if state.over:
        return game_over(r.WINNER)
    return waits_for([state.players[state.turn].name], r.TURN_ORDER, asks(state, state.tasks[-1]))
