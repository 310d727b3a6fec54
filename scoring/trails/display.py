"""Values for the pages of TRAILS: the visible part of the Trail, and the value of badges."""

from msgspec import Struct

from scoring.trails.box import BADGES, Cubes
from scoring.trails.points import badge_lines, final_position
from scoring.trails.state import (
    TRAIL_END,
    TRAILHEAD,
    BearEncounter,
    EarnBadges,
    EarnFreeBadge,
    End,
    LayTrail,
    MoveBear,
    StartHike,
    State,
)
from scoring.trails.text import BONUS_TEXTS, END_NAMES, describe_cubes
from scoring.trails.turn import badge_price

MAX_NIGHT_LEVEL = 4  # when the Sun is at its final spot


def scene(view: State) -> str:
    """Return how late it is by the Sun, from "night-level-0" to "night-level-4"."""
    return f"night-level-{MAX_NIGHT_LEVEL * view.sun // (len(view.sun_path) - 1)}"


def visible_space_range(view: State, seat: int, draft: dict[str, str]) -> tuple[int, int]:
    """Return the first and last space a player needs to see: their own and those within reach."""
    space = view.players[seat].space
    if seat == view.turn and not view.is_over:
        match view.tasks[-1]:
            case LayTrail() | MoveBear() | BearEncounter():
                return TRAILHEAD + 1, TRAIL_END - 1
            case StartHike():
                # The farthest hike without the canteen is two tiles.
                return _space_range(space, space + 2 * view.players[seat].facing)
    if space in (TRAILHEAD, TRAIL_END):
        return _space_range(space, 1 if space == TRAILHEAD else TRAIL_END - 1)
    return _space_range(space - 1, space + 1)


def _space_range(*spaces: int) -> tuple[int, int]:
    return max(TRAILHEAD, min(spaces)), min(TRAIL_END, max(spaces))


class BadgeValue(Struct, frozen=True):
    """What a badge costs a player now, and what it would give them."""

    price: Cubes
    points: int  # the increase in points from badges
    birds: int
    bonus: str


def badge_values(view: State, seat: int, draft: dict[str, str]) -> dict[str, BadgeValue]:
    """Return the values of the known badges that a player may earn now, by badge id."""
    if not (end := visited_end(view, seat, draft)):
        return {}
    free = isinstance(view.tasks[-1], EarnFreeBadge)
    known = filter(None, (*view.face_up(end), view.players[seat].hand))
    return {id: badge_value(view, seat, id, is_free=free) for id in known}


def badge_value(view: State, seat: int, id: str, *, is_free: bool = False) -> BadgeValue:
    """Return the value of a badge for a player, without the bonus for the most birds."""
    player, card = view.players[seat], BADGES[id]
    price = (0, 0, 0) if is_free else badge_price(card, player.badges)
    points = _badge_points(view.with_player(seat, badges=(*player.badges, id)), seat) - _badge_points(view, seat)
    gains = describe_cubes(card.gains, sign="+") if any(card.gains) else ""
    return BadgeValue(price, points, card.birds, BONUS_TEXTS.get(card.name, gains))


def _badge_points(view: State, seat: int) -> int:
    player = final_position(view).players[seat]
    return sum(line.points for line in badge_lines(player, view.rulings, has_most_birds=False))


def visited_end(view: State, seat: int, draft: dict[str, str]) -> End | None:
    """Return the end where a player may earn badges now."""
    match view.tasks[-1] if view.tasks else None:
        case EarnBadges(end) | EarnFreeBadge(end) if seat == view.turn:
            return end
    return None


def naming_target(view: State, seat: int, draft: dict[str, str]) -> str:
    """Return the place of the card that a phone is about to name: an end, "hand", or ""."""
    location = draft.get("name", "")
    cards = (
        (view.players[seat].hand,) if location == "hand" else view.face_up(location) if location in END_NAMES else ()
    )
    return location if None in cards and not view.is_over else ""


def bird_count(view: State, seat: int, draft: dict[str, str]) -> int:
    """Return how many birds a player has seen, as far as this phone knows."""
    return final_position(view).players[seat].birds
