"""When each lesson of a first game of TRAILS is needed; `lessons.toml` has their texts."""

from collections.abc import Iterator

from scoring.kernel.english import join_words
from scoring.kernel.lessons import Lessons, read_lesson_texts
from scoring.trails.box import HIKER_NAMES, SUN_ICON_TEXTS, SUN_PICTURES, Site, SunIcon
from scoring.trails.moves.hiking import photos_to_draw
from scoring.trails.state import (
    LAY_TRAIL,
    NO_CARD,
    START_HIKE,
    TRAIL_END,
    TRAILHEAD,
    BearEncounter,
    BothSites,
    EarnBadges,
    MoveBear,
    MoveSun,
    Player,
    Setup,
    SiteAction,
    StartHike,
    State,
    TakePhoto,
)
from scoring.trails.turn import RESOURCE_LIMIT, has_photos_left

TILES_ON_FOOT = 2  # that a hiker can go without the canteen


def decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the lessons that help with what a player may decide now."""
    player = view.players[seat]
    if view.is_over:
        return
    if isinstance(view.tasks[0], EarnBadges):
        yield from _end_decisions(view, view.tasks[0])
    match view.tasks[-1]:
        case StartHike():
            yield from _hike_decisions(view, player)
        case MoveBear():
            yield "bear-bonus" if view.site_at(player.space) is None else "bear"
        case BearEncounter(site):
            yield "bear"
            if _can_use_site(view, player, site):
                yield from _site_decisions(view, player, site)
        case BothSites(own_site, bear_site):
            yield from _site_decisions(view, player, own_site)
            yield from _site_decisions(view, player, bear_site)
        case SiteAction(site):
            yield from _site_decisions(view, player, site)
        case TakePhoto():
            yield from _photo_decisions(view, is_free=True)


def _hike_decisions(view: State, player: Player) -> Iterator[str]:
    yield "hike"
    if player.canteen or player.tiles_ahead <= TILES_ON_FOOT:
        yield from _end_lessons(view, is_trailhead=player.facing < 0)
    if view.sun_holder is not None:
        yield "last-turn"
    if view.site_at(player.space) is not None:
        yield "facing"
    if sum(player.cubes) >= RESOURCE_LIMIT - 1:
        yield "near-eight"


def _end_decisions(view: State, visit: EarnBadges) -> Iterator[str]:
    """Yield the lessons about a visit to an end of the Trail; earning badges comes last."""
    task = view.tasks[-1]
    is_before_sun_moves = MoveSun() in view.tasks
    if task == TakePhoto("sun"):
        yield "sun-mine"
    elif task is not visit and not is_before_sun_moves:
        yield "bonus"
    else:
        yield from _end_lessons(view, is_trailhead=visit.end == "trailhead")
    if task is visit:
        yield "earn"
    if is_before_sun_moves and isinstance(task, SiteAction) and isinstance(view.under_sun, int):
        yield "sun-site"


def _end_lessons(view: State, *, is_trailhead: bool) -> Iterator[str]:
    """Yield the lesson about an end of the Trail; once the Sun is taken, there is no Sun bonus."""
    if is_trailhead:
        yield "trailhead"
    elif view.sun_holder is None:
        yield "trail-end"


def _can_use_site(view: State, player: Player, site: Site) -> bool:
    """Return whether a player can take a site's action."""
    match site:
        case "exchange":
            return any(player.cubes)
        case "photo":
            return has_photos_left(view) and (view.is_night(view.space_of(site)) or any(player.cubes))
    return True


def _site_decisions(view: State, player: Player, site: Site) -> Iterator[str]:
    if not _can_use_site(view, player, site):
        return
    is_night = view.is_night(view.space_of(site))
    if site == "exchange":
        yield "exchange-night" if is_night else "exchange-day"
    elif site == "photo":
        yield from _photo_decisions(view, is_free=is_night)


def _photo_decisions(view: State, *, is_free: bool) -> Iterator[str]:
    if photos_to_draw(view) == 2:
        yield "photo-free" if is_free else "photo"
    if view.photo_discard:
        yield "photo-up"


def events(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about what a player has met in a step."""
    old, new = before.players[seat], view.players[seat]
    if _has_hiked(before, view, seat):
        yield from _arrival_events(before, view, seat)
    if old.canteen and not new.canteen:
        yield "canteen"
    if len(new.photos) > len(old.photos):
        yield "photos"
    if len(new.badges) > len(old.badges):
        yield "first-badge"
        if _draws_hand_badge(before, view, seat):
            yield "hand-earned"
    if view.sun > before.sun:
        yield from _sun_events(before, view)


def _has_hiked(before: State, view: State, seat: int) -> bool:
    """Return whether a player had to hike before a step and no longer has to."""
    return (before.turn, before.tasks) == (seat, START_HIKE) != (view.turn, view.tasks)


def _arrival_events(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about the tile where a hike ended, even if it left no decision."""
    space = view.players[seat].space
    site = view.site_at(space)
    if space in (TRAILHEAD, TRAIL_END):
        yield from _end_lessons(view, is_trailhead=space == TRAILHEAD)
    elif site in ("exchange", "photo") and site != before.bear:  # the bear may bring a resource to pay with
        if not any(before.players[seat].cubes) and not (site == "photo" and before.is_night(space)):
            yield "nothing"


def _draws_hand_badge(before: State, view: State, seat: int) -> bool:
    """Return whether an earned badge is surely the hand badge, and a new one is drawn.

    In the last turn, and with an empty deck, no badge is drawn.
    """
    old, new = before.players[seat], view.players[seat]
    is_last_turn = before.turns_left is not None
    if is_last_turn or not before.badge_deck or old.hand == NO_CARD or not isinstance(before.tasks[0], EarnBadges):
        return False
    # If the turn has ended, an unknown badge may already have replaced an unknown one.
    could_be_face_up = any(card in (None, new.badges[-1]) for card in before.face_up(before.tasks[0].end))
    return new.hand != old.hand or not could_be_face_up


def _sun_events(before: State, view: State) -> Iterator[str]:
    if view.nights > before.nights:
        yield "night"
    if view.is_sun_on_final_spot and view.sun_holder is None:
        yield "sun-last"


def setup_values(setup: Setup) -> dict[str, object]:
    """Return the values in the texts of the setup."""
    names = [player.name for player in setup.players]
    return {
        "players": len(names),
        "first": names[0],
        "second": names[1],
        "hikers": join_words([f"{player.name} {HIKER_NAMES[player.hiker]}" for player in setup.players]),
        "trail_end": join_words([*map(_icon_text, setup.track.trail_end)]),
        "sun_start": "its icon" if len(setup.track.trail_end) == 1 else "its rightmost icon",
        "trailhead": join_words([*map(_icon_text, setup.track.trailhead)]),
    }


def _icon_text(icon: SunIcon) -> str:
    """Return an icon of the Sun Track as text: "2 leaves", "a bear"."""
    has_number = SUN_PICTURES[icon][0] is not None
    return SUN_ICON_TEXTS[icon] if has_number else f"a {SUN_ICON_TEXTS[icon]}"


def setup_gaps(view: State) -> dict[str, tuple[int, ...]]:
    """Return the seats that may still enter something, by the step of the setup."""
    return {"sites": tuple(range(len(view.players))) if view.tasks == LAY_TRAIL else ()}


LESSONS = Lessons(read_lesson_texts(__file__), decisions, events, setup_values, setup_gaps)
