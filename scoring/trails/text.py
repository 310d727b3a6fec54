"""The English texts of TRAILS: spaces, cubes, pending tasks, changes."""

from collections.abc import Iterator
from itertools import permutations

from scoring.kernel.english import capitalize_first, join_words, pluralize
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason, waiting_reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, SITES, SUN_ICON_TEXTS, Site
from scoring.trails.state import (
    LAY_TRAIL,
    RESOURCES,
    TRAIL_END,
    TRAILHEAD,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    End,
    KeepEight,
    LayTrail,
    MoveBear,
    MoveSun,
    Photo,
    RecyclingExchange,
    SiteAction,
    StartHike,
    State,
    TakePhoto,
    Task,
)

ORDINALS = ("first", "second", "third", "fourth", "fifth")
END_NAMES: dict[End, str] = {"trailhead": "the Trailhead", "trail-end": "Trail End"}


# Names used in positions

UNNAMED, NONE = "unnamed", "none"  # an unnamed card; no card

# The tasks of a turn by their names.
TASKS_BY_NAME: dict[str, Task] = {
    "hike": StartHike(),
    "lay the sites": LayTrail(),
    "move the Sun": MoveSun(),
    "roll the die": MoveBear(),
    "roll the die, or leave it": MoveBear(is_optional=True),
    "choose a resource": ChooseResource(),
    "exchange by Recycling": RecyclingExchange(),
    "keep eight": KeepEight(),
    "take the Sun\u2019s photo": TakePhoto("sun"),
    "take the photo of Photography": TakePhoto("photography"),
    "take a photo of Shutterbug": TakePhoto("shutterbug"),
    "take the photo of Sunshine": TakePhoto("sunshine"),
    **{f"do the {site} site": SiteAction(site) for site in SITES},
    **{f"do the {site} site and meet the bear": BearEncounter(site) for site in SITES},
    **{
        f"do the {own} site and, for the bear, the {other}": BothSites(own, other)
        for own, other in permutations(SITES, 2)
    },
    **{f"earn badges at {text}": EarnBadges(end) for end, text in END_NAMES.items()},
    **{f"earn a free badge at {text}": EarnFreeBadge(end) for end, text in END_NAMES.items()},
}
NAMES_BY_TASK = {task: text for text, task in TASKS_BY_NAME.items()}


def space_name(state: State, space: int) -> str:
    """Return the name of a space: "the leaf site", "Trail End"."""
    if space == TRAILHEAD:
        return END_NAMES["trailhead"]
    if space == TRAIL_END:
        return END_NAMES["trail-end"]
    return f"the {state.site_at(space)} site"


def describe_cubes(counts: tuple[int, ...], separator: str = ", ") -> str:
    """Return cubes as text: "2 acorns, 1 rock", or "nothing"."""
    return (
        separator.join(pluralize(count, kind) for count, kind in zip(counts, RESOURCES, strict=True) if count)
        or "nothing"
    )


# The one-time bonus of a badge, as a few words on a button; the gains of Cartography and Navigation are in the box.
BONUS_TEXTS: dict[str, str] = {
    "Astronomy": "a free badge",
    "First Aid": "any resource",
    "Photography": "a photo",
    "Recycling": "1 for 2",
    "Seeker": "the bear",
    "Shutterbug": "2 photos",
    "Sunshine": "Sun bonus",
}

# What a task asks of the player: an imperative phrase that can also follow "First ...".
_TASK_TEXTS: dict[type[Task], str] = {
    LayTrail: "say which site lies where",
    StartHike: "hike",
    TakePhoto: "take your photo, or leave it",
    ChooseResource: "choose a resource, or leave it",
    RecyclingExchange: "exchange a resource for two of another kind, or leave it",
    EarnBadges: "earn badges here, or move on",
    EarnFreeBadge: "choose the badge you earn for free, or leave it",
    KeepEight: "choose eight resources to keep",
}
_SITE_TEXTS: dict[Site, str] = {"exchange": "exchange a resource", "photo": "take a photo"}


def describe_task(task: Task) -> str:
    """Return the text of a task, for use after "First" or alone."""
    match task:
        case SiteAction(site):
            return f"{_SITE_TEXTS[site]}, or leave it" if site in _SITE_TEXTS else f"take the {site} site's action"
        case BearEncounter(site):
            return f"meet the bear, or do the {site} site first"
        case BothSites(own, bears):
            actions = [_SITE_TEXTS.get(site, f"do the {site} site") for site in sorted((own, bears))]
            optional = [site for site in (own, bears) if site in _SITE_TEXTS]
            return (
                f"{join_words(actions)}, in either order, "
                f"or leave {'them' if len(optional) == 2 else f'the {optional[0]}'}"
            )
        case MoveBear(optional):
            return "roll the Wildlife die, or leave it" if optional else "roll the Wildlife die"
    return _TASK_TEXTS[type(task)]


def prompt(state: State) -> str:
    """Return the prompt at the top of the page: what the player to move has to do now."""
    if state.is_over:
        waiting = [player.name for player in state.players if not player.revealed]
        return f"Photos are being revealed: {', '.join(waiting)} to go." if waiting else "The game is over."
    if state.tasks == LAY_TRAIL:
        return f"Which site lies {ORDINALS[state.sites_laid]}{'' if state.sites_laid else ', next to the Trailhead'}?"
    text = _describe_current_task(state)
    return f"{capitalize_first(text)}." if state.turns_left is None else f"The last turn: {text}."


def _describe_current_task(state: State) -> str:
    """Return the text of the current task, with the options at the start of a turn."""
    if not isinstance(state.tasks[-1], StartHike):
        return describe_task(state.tasks[-1])
    full = state.players[state.turn].canteen
    return "hike 1 or 2 tiles, or use the canteen" if full else "hike 1 or 2 tiles; the canteen is empty"


def banner(state: State, seat: int) -> tuple[str, str] | None:
    """Return the heading and prompt of a player's last turn, or None."""
    if state.is_over or state.turns_left is None or seat != state.turn:
        return None
    return "Your last turn", f"{_describe_current_task(state)}."


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield sentences for the log about other changes between two states."""
    if after.sites_laid > before.sites_laid and after.tasks != LAY_TRAIL:
        yield f"From the Trailhead: {', '.join(after.sites)}. The bear starts on the {after.bear} site."
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        prefix = "" if seat == before.turn else f"{new.name} "
        delta = [new_count - old_count for new_count, old_count in zip(new.cubes, old.cubes, strict=True)]
        if gained := describe_cubes(tuple(max(0, difference) for difference in delta)) if max(delta) > 0 else "":
            yield f"{prefix}+{gained}."
        if paid := describe_cubes(tuple(max(0, -difference) for difference in delta)) if min(delta) < 0 else "":
            yield f"{prefix}\u2212{paid}."
        if len(new.photos) > len(old.photos):
            yield f"{prefix}+{pluralize(len(new.photos) - len(old.photos), 'photo')}."
        if new.canteen and not old.canteen:
            yield "The canteen is full again."
    if after.sun != before.sun:
        yield from _describe_sun_move(before, after)
    if after.sun_holder is not None and before.sun_holder is None:
        yield f"{after.players[after.sun_holder].name} takes the Sun: everyone else has one more turn."
    if after.is_over and not before.is_over:
        yield "Play is over; reveal the photos."


def _describe_sun_move(before: State, after: State) -> Iterator[str]:
    under = after.under_sun
    if isinstance(under, int):
        yield f"The Sun moves over {space_name(after, under)}."
    else:
        end = "Trail End" if after.sun < len(after.track.trail_end) else "the Trailhead"
        location = "its final spot" if after.is_sun_on_final_spot else f"\u201c{SUN_ICON_TEXTS[under]}\u201d at {end}"
        yield f"The Sun moves to {location}."
    for space in range(1, TRAIL_END):
        if after.is_night(space) and not before.is_night(space):
            yield f"Night falls on {space_name(after, space)}."


def badge_title(id: str) -> str:
    """Return a badge's title: "Climber (rock)"."""
    return BADGES[id].title


PLAY_OVER = Reason("play-over", r.LAST_ROUND, "Play is over; only the photos are still to be revealed.")


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not fit the current task."""
    if state.is_over:
        return PLAY_OVER
    if state.tasks == LAY_TRAIL:
        return Reason("lay-first", r.SETUP_SITES, "First say how the sites lie.")
    if isinstance(state.tasks[-1], StartHike):
        return Reason("hike-first", r.HIKE_MUST, "Your turn starts with a hike.")
    return Reason("finish-first", r.TURN_STEPS, f"First {describe_task(state.tasks[-1])}.")


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if not state.is_over:
        return waiting_reason([state.players[state.turn].name], r.TURN_ORDER, describe_task(state.tasks[-1]))
    return PLAY_OVER if any(not player.revealed for player in state.players) else game_over_reason(r.WINNER)


def chapter(state: State) -> str:
    """Return the chapter of the log that a state belongs to."""
    if state.is_over:
        return "The reveal"
    if state.tasks == LAY_TRAIL:
        return "The set-up"
    taking_the_sun = state.turns_left == len(state.players) - 1
    return "" if state.turns_left is None or taking_the_sun else "Last round"


def describe_photo(photo: Photo) -> str:
    """Return a photo's face as text: "1 point, 1 bird"."""
    parts = [pluralize(photo.points, "point")] if photo.points or not photo.birds else []
    return ", ".join(parts + ([pluralize(photo.birds, "bird")] if photo.birds else []))


def card_key(card: str | None) -> str:
    """Return a badge card as it is named in positions."""
    return UNNAMED if card is None else card or NONE
