"""What a phone shows beside the choice: the part of the Trail that matters now, and what a badge would bring."""

from msgspec import Struct

from scoring.kernel.english import plural
from scoring.trails.box import BADGES, Cubes
from scoring.trails.moves.hiking import Hike
from scoring.trails.points import badge_lines, final
from scoring.trails.state import TRAIL_END, TRAILHEAD, Bear, Earn, Encounter, End, FreeBadge, Lay, SetOut, State
from scoring.trails.text import BONUSES, ENDS
from scoring.trails.turn import price


def in_sight(view: State, seat: int, said: dict[str, str]) -> tuple[int, int]:
    """Return the first and the last space a player has to see now: where they are and all they may reach on foot."""
    here = view.players[seat].at
    if seat == view.turn and not view.over:
        match view.tasks[-1]:
            case Lay() | Bear() | Encounter():
                return TRAILHEAD + 1, TRAIL_END - 1
            case SetOut():
                return _between(here, *(here + steps * view.players[seat].facing for steps in Hike.on_foot(view, seat)))
    if here in (TRAILHEAD, TRAIL_END):
        return _between(here, 1 if here == TRAILHEAD else TRAIL_END - 1)
    return _between(here - 1, here + 1)


def _between(*spaces: int) -> tuple[int, int]:
    return max(TRAILHEAD, min(spaces)), min(TRAIL_END, max(spaces))


class Worth(Struct, frozen=True):
    """What a badge costs a player now, and what it would bring."""

    price: Cubes
    points: int  # on the badges, this one among them, more than before
    birds: int
    bonus: str


def badges_worth(view: State, seat: int, said: dict[str, str]) -> dict[str, Worth]:
    """Return what the badges would bring that a player may earn now and whose names are known here, by their ids."""
    if not (end := visited(view, seat, said)):
        return {}
    free = isinstance(view.tasks[-1], FreeBadge)
    known = filter(None, (*view.face_up(end), view.players[seat].hand))
    return {id: worth(view, seat, id, free=free) for id in known}


def worth(view: State, seat: int, id: str, *, free: bool = False) -> Worth:
    """Return what a badge would bring a player; who has seen the most birds is decided at the end."""
    player, card = view.players[seat], BADGES[id]
    due = (0, 0, 0) if free else price(card, player.badges)
    more = _on_badges(view.with_player(seat, badges=(*player.badges, id)), seat) - _on_badges(view, seat)
    return Worth(due, more, card.birds, BONUSES.get(card.name) or gains(card.gains))


def gains(cubes: Cubes) -> str:
    """Return cubes as a bonus: "+2 rocks"."""
    return ", ".join(
        f"+{plural(count, kind)}" for count, kind in zip(cubes, ("acorn", "leaf", "rock"), strict=True) if count
    )


def _on_badges(view: State, seat: int) -> int:
    player = final(view).players[seat]
    return sum(line.points for line in badge_lines(player, view.rulings, most_birds=False))


def visited(view: State, seat: int, said: dict[str, str]) -> End | None:
    """Return the end where a player may earn badges now."""
    match view.tasks[-1] if view.tasks else None:
        case Earn(end) | FreeBadge(end) if seat == view.turn:
            return end
    return None


def named(view: State, seat: int, said: dict[str, str]) -> str:
    """Return whose card a phone is about to name: an end's, or the one in the player's own hand."""
    where = said.get("name", "")
    cards = (view.players[seat].hand,) if where == "hand" else view.face_up(where) if where in ENDS else ()
    return where if None in cards and not view.over else ""


def birds(view: State, seat: int, said: dict[str, str]) -> int:
    """Return how many birds a player has seen, as far as this phone knows."""
    return final(view).players[seat].birds
