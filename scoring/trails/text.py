"""The English texts of TRAILS: spaces, resources, pending tasks, changes."""

from collections.abc import Iterator
from itertools import permutations

from scoring.kernel.english import capitalize_first, join_words, pluralize
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason, waiting_reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, SITES, SPACE_TITLES, SUN_ICON_NAMES, Site
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
    PhotoSource,
    RecyclingExchange,
    SiteAction,
    StartHike,
    State,
    TakePhoto,
    Task,
)
from scoring.trails.turn import RESOURCE_LIMIT

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

# What players read for a task, where its name in positions is worded differently.
_TASK_LABELS: dict[Task, str] = {
    LayTrail(): "enter the order of the sites",
    MoveBear(is_optional=True): "roll the die, or skip",
    RecyclingExchange(): "exchange (Recycling)",
    KeepEight(): "return all but 8 resources",
    TakePhoto("sun"): "take a photo (for taking the Sun)",
    TakePhoto("photography"): "take a photo (Photography)",
    TakePhoto("shutterbug"): "take a photo (Shutterbug)",
    TakePhoto("sunshine"): "take a photo (Sunshine)",
    **{SiteAction(site): f"the {site} site\u2019s action" for site in SITES},
    **{BearEncounter(site): f"the {site} site\u2019s action and the bear" for site in SITES},
    **{
        BothSites(own, other): f"the actions of the {own} site and the bear\u2019s {other} site"
        for own, other in permutations(SITES, 2)
    },
}


def task_label(task: Task) -> str:
    """Return a pending task as players read it: "the leaf site\u2019s action"."""
    return _TASK_LABELS.get(task, NAMES_BY_TASK[task])


def space_name(state: State, space: int) -> str:
    """Return the name of a space: "the leaf site", "Trail End"."""
    if space == TRAILHEAD:
        return END_NAMES["trailhead"]
    if space == TRAIL_END:
        return END_NAMES["trail-end"]
    return f"the {state.site_at(space)} site"


def describe_cubes(counts: tuple[int, ...], separator: str = ", ", sign: str = "") -> str:
    """Return resources as text: "2 acorns, 1 rock", or "nothing".

    :param sign: stands before each quantity: "+2 acorns, +1 rock".
    """
    quantities = [f"{sign}{pluralize(count, kind)}" for count, kind in zip(counts, RESOURCES, strict=True) if count]
    return separator.join(quantities) or "nothing"


def list_cubes(counts: tuple[int, ...]) -> str:
    """Return resources as a list in a sentence: "1 acorn, 2 leaves and 1 rock"."""
    return join_words(describe_cubes(counts).split(", "))


# What an exchange gives, by whether it is night.
EXCHANGE_GAINS = {False: "2 of a different type", True: "1 of each of the other two types"}

PHOTO_SOURCE_NAMES: dict[PhotoSource, str] = {
    "sun": "for taking the Sun",
    "photography": "Photography",
    "shutterbug": "Shutterbug",
    "sunshine": "Sunshine",
}
_BADGE_BY_TASK: dict[type[Task], str] = {
    ChooseResource: "First Aid",
    RecyclingExchange: "Recycling",
    EarnFreeBadge: "Astronomy",
}


def site_source(state: State, site: Site) -> str:
    """Return the source of a site action: "leaf site", "bear", "Sun bonus", "Sunshine"."""
    player, under = state.players[state.turn], state.under_sun
    if own_site := state.site_at(player.space):
        return f"{site} site" if site == own_site else "bear"
    # Away from the sites, the Sun, a Sunshine or the bear of a Seeker gives the action.
    badge = "" if MoveSun() in state.tasks or not player.badges else BADGES[player.badges[-1]].name
    if not isinstance(under, int) or state.site_at(under) != site or badge == "Seeker":
        return "bear"
    return "Sunshine" if badge == "Sunshine" else "Sun bonus"


def task_source(state: State) -> str:
    """Return the source of the task, unless it is the own site: "Sun bonus", "Seeker"."""
    player, task = state.players[state.turn], state.tasks[-1]
    match task:
        case TakePhoto(source):
            return PHOTO_SOURCE_NAMES[source]
        case SiteAction(site):
            source = site_source(state, site)
            return "" if source == f"{site} site" else source
        case MoveBear(is_optional=True) if player.badges:
            return BADGES[player.badges[-1]].name
        case MoveBear():
            return "Sun bonus" if state.site_at(player.space) is None else "bear"
    return _BADGE_BY_TASK.get(type(task), "")


def _site_phrase(state: State, site: Site) -> str:
    """Return the action of a site: "pay 1 resource for a photo"."""
    match site:
        case "exchange":
            return "exchange 1 resource"
        case "photo":
            return "take a free photo" if state.is_night(state.space_of(site)) else "pay 1 resource for a photo"
    return f"take the {site} site\u2019s action"


def describe_task(state: State) -> str:
    """Return the current task as an imperative phrase, alone or after "First"."""
    task, player = state.tasks[-1], state.players[state.turn]
    match task:
        case SiteAction("exchange" | "photo" as site):
            return f"{_site_phrase(state, site)}, or skip"
        case SiteAction(site):
            return _site_phrase(state, site)
        case BearEncounter(site):
            return f"roll the Wildlife die or take the {site} site\u2019s action, in either order"
        case BothSites(own, bears):
            optional = [site for site in (own, bears) if site in ("exchange", "photo")]
            skip = "both" if len(optional) == 2 else f"the {optional[0]}"
            return f"take the actions of the {own} site and the {bears} site, in either order, or skip {skip}"
        case MoveBear(is_optional):
            return "roll the Wildlife die, or skip" if is_optional else "roll the Wildlife die"
        case KeepEight():
            return f"return {pluralize(sum(player.cubes) - RESOURCE_LIMIT, 'resource')}"
    return _TASK_PHRASES[type(task)]


_TASK_PHRASES: dict[type[Task], str] = {
    LayTrail: "enter the order of the sites",
    StartHike: "hike 1 or 2 tiles",
    TakePhoto: "take a free photo, or skip",
    ChooseResource: "choose a resource, or skip",
    RecyclingExchange: "exchange 1 resource, or skip",
    EarnBadges: "earn badges, or end the turn",
    EarnFreeBadge: "choose a free badge, or skip",
}


def prompt(state: State) -> str:
    """Return the prompt at the top of the page: what the player to move has to do now."""
    if state.is_over:
        waiting = [player.name for player in state.players if not player.revealed]
        return f"Waiting for the photos of {join_words(waiting)}." if waiting else "The game is over."
    if state.tasks == LAY_TRAIL:
        number = state.sites_laid
        place = "is next to the Trailhead" if not number else f"is {ORDINALS[number]} from the Trailhead"
        return f"Which site {place}?"
    text = _prompt_sentence(state)
    return text if state.turns_left is None else f"Last turn. {text}"


def _prompt_sentence(state: State) -> str:
    """Return the current task as a sentence with its cause."""
    match state.tasks[-1]:
        case StartHike():
            player = state.players[state.turn]
            if player.tiles_ahead == 1:
                return f"Hike 1 tile to {space_name(state, player.space + player.facing)}."
            return f"Hike 1 or 2 tiles{', or use the canteen.' if player.canteen else '. The canteen is empty.'}"
        case BearEncounter(site):
            return f"Bear encounter: bear or {site} site first?"
        case BothSites(own, bears):
            return f"Bear encounter: {own} or {bears} site first?"
        case task:
            source = _prompt_source(state, task)
    return capitalize_first(f"{source}: {describe_task(state)}." if source else f"{describe_task(state)}.")


def _prompt_source(state: State, task: Task) -> str:
    """Return why a player is asked: "Sun bonus", "exchange site", "Trailhead"."""
    match task:
        case TakePhoto("sun"):
            return "Sun taken"
        case KeepEight():
            return f"{RESOURCE_LIMIT}-resource limit"
        case EarnBadges(end):
            return SPACE_TITLES[end]
        case SiteAction(site):
            source = site_source(state, site)
            return "bear\u2019s site" if source == "bear" else source
    source = task_source(state)
    return "bear encounter" if source == "bear" else source


def banner(state: State, seat: int) -> tuple[str, str] | None:
    """Return the heading and prompt for the setup, a last turn or photos, or None."""
    if state.tasks == LAY_TRAIL:
        return "Setup", prompt(state)
    if state.is_over:
        return None if state.players[seat].revealed else ("The game is over", "Enter your photos.")
    if state.turns_left is None or seat != state.turn:
        return None
    return "Your last turn", _prompt_sentence(state)


def final_call(view: State, seat: int | None) -> str:
    """Return the call of the last round, for a seat or (None) for everyone; empty before."""
    if view.turns_left is None or view.sun_holder is None or view.is_over:
        return ""
    if seat is None:
        return f"Last round: {view.players[view.sun_holder].name} took the Sun"
    if seat == view.turn:
        return "Last round: this is your last turn."
    return f"Last round: you have {'1 turn' if seat in next_seats(view) else 'no turn'} left."


def next_seats(state: State) -> tuple[int, ...]:
    """Return the seats in the order of their next turns.

    In the last round, those that have had their last turn are left out.
    """
    if state.is_over or state.tasks == LAY_TRAIL:
        return ()
    count = len(state.players)
    following = count - 1 if state.turns_left is None else state.turns_left
    return tuple((state.turn + step) % count for step in range(1, following + 1))


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield sentences for the log about other changes between two states."""
    if after.sites_laid > before.sites_laid and after.tasks != LAY_TRAIL:
        yield f"From the Trailhead: {join_words(after.sites)}. The bear started at the {after.bear} site."
    if after.sun != before.sun:
        yield f"The Sun moved to {sun_place(after)}."
        for space in range(1, TRAIL_END):
            if after.is_night(space) and not before.is_night(space):
                yield f"Night fell on {space_name(after, space)}."
    if after.sun_holder is not None and before.sun_holder is None:
        yield "Everyone else gets one last turn."
    if after.is_over and not before.is_over:
        yield "The game ended. Everyone revealed their photos."


def sun_place(state: State) -> str:
    """Return the place of the Sun: "the leaf site", "its final spot"."""
    under = state.under_sun
    if isinstance(under, int):
        return space_name(state, under)
    end = "trail-end" if state.sun < len(state.track.trail_end) else "trailhead"
    return "its final spot" if state.is_sun_on_final_spot else f"the {SUN_ICON_NAMES[under]} at {END_NAMES[end]}"


def badge_title(id: str) -> str:
    """Return a badge's title: "Climber (rock)"."""
    return BADGES[id].title


PLAY_OVER = Reason("play-over", r.LAST_ROUND, "The game is over. Only photos are still to be entered.")


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not fit the current task."""
    if state.is_over:
        return PLAY_OVER
    if state.tasks == LAY_TRAIL:
        text, unknown_fact = "First enter the order of the sites.", "the order of the sites"
        return Reason("lay-first", r.SETUP_SITES, text, unknown_fact=unknown_fact)
    if isinstance(state.tasks[-1], StartHike):
        return Reason("hike-first", r.HIKE_MUST, "Your turn starts with a hike. Hike first.")
    return Reason("finish-first", r.TURN_STEPS, f"First {describe_task(state)}.")


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if not state.is_over:
        return waiting_reason([state.players[state.turn].name], r.TURN_ORDER, describe_task(state))
    return PLAY_OVER if any(not player.revealed for player in state.players) else game_over_reason(r.WINNER)


def chapter(state: State) -> str:
    """Return the chapter of the log that a state belongs to."""
    if state.is_over:
        return "Photos"
    if state.tasks == LAY_TRAIL:
        return "Setup"
    taking_the_sun = state.turns_left == len(state.players) - 1
    return "" if state.turns_left is None or taking_the_sun else "Last round"


def describe_photo(photo: Photo) -> str:
    """Return a photo's face as text: "1 point, 1 bird"."""
    parts = [pluralize(photo.points, "point")] if photo.points or not photo.birds else []
    return ", ".join(parts + ([pluralize(photo.birds, "bird")] if photo.birds else []))


def card_key(card: str | None) -> str:
    """Return a badge card as it is named in positions."""
    return UNNAMED if card is None else card or NONE
