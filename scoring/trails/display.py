"""Values for the pages of TRAILS: the value of badges, and those a player could earn next."""

from operator import sub
from typing import Literal

from msgspec import Struct

from scoring.trails.box import BADGES, Cubes
from scoring.trails.points import badge_lines, final_position
from scoring.trails.state import EarnBadges, EarnFreeBadge, End, Player, State
from scoring.trails.text import END_NAMES
from scoring.trails.turn import affordable_badges, badge_price

MAX_NIGHT_LEVEL = 4  # when the Sun is at its final spot
Place = End | Literal["hand"]
FEET = 2  # tiles of a hike without the canteen


def scene(view: State) -> str:
    """Return how late it is by the Sun, from "night-level-0" to "night-level-4"."""
    return f"night-level-{MAX_NIGHT_LEVEL * view.sun // (len(view.sun_path) - 1)}"


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
    return BadgeValue(price, points, card.birds, card.bonus)


def _badge_points(view: State, seat: int) -> int:
    player = final_position(view).players[seat]
    return sum(line.points for line in badge_lines(player, view.rulings, has_most_birds=False))


class PlannedBadge(Struct, frozen=True):
    """A badge that a player knows and could earn in a later turn."""

    badge: str
    place: str  # "in your hand", "at Trail End (canteen)"
    missing: Cubes  # that the player lacks; none: the player can pay for it


def planned_badges(view: State, seat: int, draft: dict[str, str]) -> tuple[PlannedBadge, ...]:
    """Return the badges that a player knows, those that lack the fewest resources first."""
    player = view.players[seat]
    cards: dict[Place, tuple[str | None, ...]] = {end: view.face_up(end) for end in END_NAMES}
    cards["hand"] = (player.hand,)
    places: list[tuple[str, Place]] = [(card, place) for place in cards for card in cards[place] if card]

    def urgency(place: tuple[str, Place]) -> tuple[int, bool]:
        return sum(_missing_cubes(player, place[0])), not _is_reachable(player, place[1])

    return tuple(
        PlannedBadge(card, _place_text(player, place), _missing_cubes(player, card))
        for card, place in sorted(places, key=urgency)
    )


def _missing_cubes(player: Player, card: str) -> Cubes:
    acorn, leaf, rock = map(sub, badge_price(BADGES[card], player.badges), player.cubes)
    return max(0, acorn), max(0, leaf), max(0, rock)


def _is_reachable(player: Player, place: Place) -> bool:
    """Return whether the next hike can end where a badge can be earned.

    A badge in the hand can be earned at both ends.
    """
    is_ahead = place in ("hand", "trail-end" if player.facing > 0 else "trailhead")
    return is_ahead and (player.canteen or player.tiles_ahead <= FEET)


def _place_text(player: Player, place: Place) -> str:
    if place == "hand":
        return "in your hand"
    needs_canteen = _is_reachable(player, place) and player.tiles_ahead > FEET
    return f"at {END_NAMES[place]}{' (canteen)' if needs_canteen else ''}"


def payable_badges(view: State, seat: int, draft: dict[str, str]) -> frozenset[str]:
    """Return the badges that a player's resources pay for."""
    player = view.players[seat]
    return frozenset(affordable_badges(player.cubes, player.badges))


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
