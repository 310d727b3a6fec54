"""How TRAILS is put into words: spaces, cubes, what is to be done now, what changed."""

from collections.abc import Iterator
from itertools import permutations

from scoring.kernel.english import capital, listed, plural
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over, waits_for
from scoring.trails import rules as r
from scoring.trails.box import BADGES, SITES, SUN_ICON_WORDS, Site
from scoring.trails.state import (
    LAY,
    RESOURCES,
    TRAIL_END,
    TRAILHEAD,
    AnyResource,
    AtSite,
    Bear,
    BothSites,
    Earn,
    Encounter,
    End,
    FreeBadge,
    KeepEight,
    Lay,
    MoveSun,
    SetOut,
    State,
    Swap,
    TakePhoto,
    Task,
)

ORDINALS = ("first", "second", "third", "fourth", "fifth")
ENDS: dict[End, str] = {"trailhead": "the Trailhead", "trail-end": "Trail End"}


# The words of the table as it lies.

UNNAMED, NONE = "unnamed", "none"  # a card nobody has named yet; no card

# What is still to do in a turn.
TASKS: dict[str, Task] = {
    "hike": SetOut(),
    "lay the sites": Lay(),
    "move the Sun": MoveSun(),
    "roll the die": Bear(),
    "roll the die, or leave it": Bear(optional=True),
    "choose a resource": AnyResource(),
    "exchange by Recycling": Swap(),
    "keep eight": KeepEight(),
    "take the Sun\u2019s photo": TakePhoto("sun"),
    "take the photo of Photography": TakePhoto("photography"),
    "take a photo of Shutterbug": TakePhoto("shutterbug"),
    "take the photo of Sunshine": TakePhoto("sunshine"),
    **{f"do the {site} site": AtSite(site) for site in SITES},
    **{f"do the {site} site and meet the bear": Encounter(site) for site in SITES},
    **{
        f"do the {own} site and, for the bear, the {other}": BothSites(own, other)
        for own, other in permutations(SITES, 2)
    },
    **{f"earn badges at {words}": Earn(end) for end, words in ENDS.items()},
    **{f"earn a free badge at {words}": FreeBadge(end) for end, words in ENDS.items()},
}
SAID = {task: words for words, task in TASKS.items()}


def place(state: State, space: int) -> str:
    """Return a space in words: "the leaf site", "Trail End"."""
    if space == TRAILHEAD:
        return ENDS["trailhead"]
    if space == TRAIL_END:
        return ENDS["trail-end"]
    return f"the {state.site_at(space)} site"


def cubes(counts: tuple[int, ...]) -> str:
    """Return cubes in words: "2 acorns, 1 rock", or "nothing"."""
    return ", ".join(plural(count, kind) for count, kind in zip(counts, RESOURCES, strict=True) if count) or "nothing"


# What a badge brings at once, in the few words of a button; what Cartography and Navigation gain stands in the box.
BONUSES: dict[str, str] = {
    "Astronomy": "a free badge",
    "First Aid": "any resource",
    "Photography": "a photo",
    "Recycling": "1 for 2",
    "Seeker": "the bear",
    "Shutterbug": "2 photos",
    "Sunshine": "Sun bonus",
}

# What a task asks of the player: an order to themselves, and a phrase that finishes "First ...".
_ASKS: dict[type[Task], str] = {
    Lay: "say which site lies where",
    SetOut: "hike",
    TakePhoto: "take your photo, or leave it",
    AnyResource: "choose a resource, or leave it",
    Swap: "exchange a resource for two of another kind, or leave it",
    Earn: "earn badges here, or move on",
    FreeBadge: "choose the badge you earn for free, or leave it",
    KeepEight: "choose eight resources to keep",
}
_SITE_ASKS: dict[Site, str] = {"exchange": "exchange a resource", "photo": "take a photo"}


def asks(task: Task) -> str:
    """Return what a task asks for, to be read after "First" or alone."""
    match task:
        case AtSite(site):
            return f"{_SITE_ASKS[site]}, or leave it" if site in _SITE_ASKS else f"take the {site} site's action"
        case Encounter(site):
            return f"meet the bear, or do the {site} site first"
        case BothSites(own, bears):
            both = [_SITE_ASKS.get(site, f"do the {site} site") for site in sorted((own, bears))]
            optional = [site for site in (own, bears) if site in _SITE_ASKS]
            return f"{listed(both)}, in either order, or leave {'them' if len(optional) == 2 else f'the {optional[0]}'}"
        case Bear(optional):
            return "roll the Wildlife die, or leave it" if optional else "roll the Wildlife die"
    return _ASKS[type(task)]


def prompt(state: State) -> str:
    """Return one line for the head of the page: what the player whose turn it is has to do now."""
    if state.over:
        waiting = [player.name for player in state.players if not player.revealed]
        return f"Photos are being revealed: {', '.join(waiting)} to go." if waiting else "The game is over."
    if state.tasks == LAY:
        return f"Which site lies {ORDINALS[state.laid]}{'' if state.laid else ', next to the Trailhead'}?"
    words = _asks_now(state)
    return f"{capital(words)}." if state.turns_left is None else f"The last turn: {words}."


def _asks_now(state: State) -> str:
    """Return what the turn asks for, with what can be done at its beginning."""
    if not isinstance(state.tasks[-1], SetOut):
        return asks(state.tasks[-1])
    full = state.players[state.turn].canteen
    return "hike 1 or 2 tiles, or use the canteen" if full else "hike 1 or 2 tiles; the canteen is empty"


def calls(state: State, seat: int) -> tuple[str, str] | None:
    """Return what a player reads whose last turn it is, and what to do in it."""
    if state.over or state.turns_left is None or seat != state.turn:
        return None
    return "Your last turn", f"{_asks_now(state)}."


def changes(before: State, after: State) -> Iterator[str]:
    """Yield what else changed between two states, a sentence each, for the log."""
    if after.laid > before.laid and after.tasks != LAY:
        yield f"From the Trailhead: {', '.join(after.sites)}. The bear starts on the {after.bear} site."
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        who = "" if seat == before.turn else f"{new.name} "
        delta = [now - then for now, then in zip(new.cubes, old.cubes, strict=True)]
        if gained := cubes(tuple(max(0, d) for d in delta)) if max(delta) > 0 else "":
            yield f"{who}+{gained}."
        if paid := cubes(tuple(max(0, -d) for d in delta)) if min(delta) < 0 else "":
            yield f"{who}\u2212{paid}."
        if len(new.photos) > len(old.photos):
            yield f"{who}+{plural(len(new.photos) - len(old.photos), 'photo')}."
        if new.canteen and not old.canteen:
            yield "The canteen is full again."
    if after.sun != before.sun:
        yield from _sunset(before, after)
    if after.sun_holder is not None and before.sun_holder is None:
        yield f"{after.players[after.sun_holder].name} takes the Sun: everyone else has one more turn."
    if after.over and not before.over:
        yield "Play is over; reveal the photos."


def _sunset(before: State, after: State) -> Iterator[str]:
    under = after.under_sun
    if isinstance(under, int):
        yield f"The Sun moves over {place(after, under)}."
    else:
        end = "Trail End" if after.sun < len(after.track.trail_end) else "the Trailhead"
        spot = "its final spot" if after.on_final_spot else f"\u201c{SUN_ICON_WORDS[under]}\u201d at {end}"
        yield f"The Sun moves to {spot}."
    for space in range(1, TRAIL_END):
        if after.is_night(space) and not before.is_night(space):
            yield f"Night falls on {place(after, space)}."


def badge(id: str) -> str:
    """Return a badge's name as printed here: "Climber (rock)"."""
    return BADGES[id].title


PLAY_OVER = Reason("play-over", r.LAST_ROUND, "Play is over; only the photos are still to be revealed.")


def first(state: State) -> Reason:
    """Return why a move is refused that is not what the turn asks for."""
    if state.over:
        return PLAY_OVER
    if state.tasks == LAY:
        return Reason("lay-first", r.SETUP_SITES, "First say how the sites lie.")
    if isinstance(state.tasks[-1], SetOut):
        return Reason("hike-first", r.HIKE_MUST, "Your turn starts with a hike.")
    return Reason("finish-first", r.TURN_STEPS, f"First {asks(state.tasks[-1])}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if not state.over:
        return waits_for([state.players[state.turn].name], r.TURN_ORDER, asks(state.tasks[-1]))
    return PLAY_OVER if any(not player.revealed for player in state.players) else game_over(r.WINNER)


def chapter(state: State) -> str:
    """Return the part of the evening a state belongs to."""
    if state.over:
        return "The reveal"
    if state.tasks == LAY:
        return "The set-up"
    taking_the_sun = state.turns_left == len(state.players) - 1
    return "" if state.turns_left is None or taking_the_sun else "Last round"


def photo(points: int, birds: int) -> str:
    """Return a photo's face in words: "1 point, 1 bird"."""
    parts = [plural(points, "point")] if points or not birds else []
    return ", ".join(parts + ([plural(birds, "bird")] if birds else []))
