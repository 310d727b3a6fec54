"""How a turn of TRAILS runs: what is done without asking, when a person must decide, when it ends."""

from functools import cache, lru_cache
from operator import ge, sub
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge, Cubes, Resource, cubes_at_site
from scoring.trails.state import (
    GONE,
    RESOURCES,
    SET_OUT,
    TRAIL_END,
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

RESOURCE_LIMIT = 8
LAST_ROUND_BONUS = "photo"  # what a Sunshine brings once the Sun is taken


def gain(state: State, seat: int, gains: Cubes) -> State:
    """Return the state after a player takes cubes, as far as they go (ruling cube-supply)."""
    acorn, leaf, rock = gains
    if chosen(state.rulings, r.CUBE_SUPPLY) == "limited":
        acorn = acorn and min(acorn, state.supply(0))
        leaf = leaf and min(leaf, state.supply(1))
        rock = rock and min(rock, state.supply(2))
    acorns, leaves, rocks = state.players[seat].cubes
    return state.with_player(seat, cubes=(acorns + acorn, leaves + leaf, rocks + rock))


@cache
def some(kind: Resource, number: int = 1) -> Cubes:
    """Return a number of cubes of one kind, in the order acorn, leaf, rock."""
    return number * (kind == "acorn"), number * (kind == "leaf"), number * (kind == "rock")


SUN_GAINS = {f"{number} {kind}": some(kind, number) for number in (1, 2) for kind in RESOURCES}


def arrive(state: State, seat: int, space: int) -> State:
    """Return the state as a hiker stops on a space, with what this starts (rulebook pp. 6-7, 9)."""
    site = state.site_at(space)
    if site is not None:
        task = Encounter(site) if site == state.bear else AtSite(site)
        return replace(state.with_player(seat, at=space), tasks=(task,))
    if space == TRAIL_END:
        return reach_trail_end(state.with_player(seat, at=space, facing=-1), seat)
    return replace(state.with_player(seat, at=space, facing=1, canteen=True), tasks=(Earn("trailhead"),))


def reach_trail_end(state: State, seat: int) -> State:
    """Return the state with the four steps of Trail End ahead, or the last round begun (rulebook pp. 7, 12)."""
    if state.sun_holder is not None:
        return replace(state, tasks=(Earn("trail-end"),))
    if state.on_final_spot:
        others = len(state.players) - 1
        return replace(state, sun_holder=seat, turns_left=others, tasks=(Earn("trail-end"), TakePhoto()))
    return sun_bonus(replace(state, tasks=(Earn("trail-end"), MoveSun())), seat)


def sun_bonus(state: State, seat: int, *, on_badge: bool = False) -> State:
    """Return the state with the bonus the Sun points to begun (rulebook p. 11); what a badge brings may be left."""
    under = LAST_ROUND_BONUS if state.sun_holder is not None else state.under_sun
    if isinstance(under, int):
        return then(state, AtSite(state.sites[under - 1]))
    if under == "photo":
        return then(state, TakePhoto("sunshine"))  # at Trail End the Sun is taken instead
    if under == "wildlife":
        return then(state, Bear(optional=on_badge))
    return gain(state, seat, SUN_GAINS[under])


def then(state: State, *tasks: Task) -> State:
    """Return the state with tasks put before those that wait; the last one is next."""
    return replace(state, tasks=state.tasks + tasks)


def done(state: State) -> State:
    """Return the state with the present task finished."""
    return replace(state, tasks=state.tasks[:-1])


def photos_left(state: State) -> bool:
    return state.photo_deck + state.photo_discard > 0


def brings(state: State, site: Resource) -> int:
    """Return how many cubes the site of a resource brings."""
    return cubes_at_site(state.is_night(state.space_of(site)))


def left_of(state: State, site: Resource) -> Literal["enough", "too few", "none"]:
    """Return whether what a site brings is left under it (ruling cube-supply)."""
    if chosen(state.rulings, r.CUBE_SUPPLY) != "limited":
        return "enough"
    left = state.supply(RESOURCES.index(site))
    return "none" if not left else "enough" if left >= brings(state, site) else "too few"


def price(badge: Badge, earned: tuple[str, ...]) -> Cubes:
    """Return what a badge costs whoever has earned these: Research is cheaper by one for each of its type (rulebook p. 15)."""
    if badge.name != "Research":
        return badge.cost
    discount = sum(BADGES[each].counts_as(badge.type) for each in earned)
    acorn, leaf, rock = badge.cost
    return max(0, acorn - discount), max(0, leaf - discount), max(0, rock - discount)


RESEARCH = tuple(badge for badge in BADGES.values() if badge.name == "Research")
_FIXED_PRICE = tuple(badge for badge in BADGES.values() if badge not in RESEARCH)


@lru_cache(maxsize=4096)  # with 15 of each kind in the box there are 16 ** 3 ways to hold cubes
def _covered(cubes: Cubes) -> tuple[str, ...]:
    """Return the badges of a fixed price that these cubes cover."""
    return tuple(badge.id for badge in _FIXED_PRICE if all(map(ge, cubes, badge.cost)))


@lru_cache(maxsize=4096)
def payable(cubes: Cubes, earned: tuple[str, ...]) -> tuple[str, ...]:
    """Return the badges that these cubes pay for, where these have been earned."""
    near = [badge for badge in RESEARCH if max(map(sub, badge.cost, cubes)) <= len(earned)]
    return (*_covered(cubes), *[badge.id for badge in near if all(map(ge, cubes, price(badge, earned)))])


def may_lie(badge: str, known: list[str | None]) -> bool:
    """Return whether a card nobody has named could be this badge, besides the known cards."""
    return known.count(badge) < BADGES[badge].copies


def known_to(state: State, seat: int) -> list[str | None]:
    """Return the cards a seat knows of: those everybody sees, and its own hand."""
    return [*state.in_sight, state.players[seat].hand]


def could_earn(state: State, seat: int, end: End) -> bool:
    """Return whether any card here may be within reach, for all that everybody knows.

    What the player has noted of their hand is left out: others would see it in how the visit goes on.
    """
    player = state.players[seat]
    if not (within_reach := payable(player.cubes, player.badges)):
        return False
    cards = state.face_up(end)
    if any(map(within_reach.__contains__, cards)):
        return True
    known = state.in_sight
    return (None in cards or player.hand != GONE) and any(may_lie(badge, known) for badge in within_reach)


# Each kind of task: what happens without asking, or None when a person must decide.


def _at_site(state: State, task: AtSite) -> State | None:
    if task.site in RESOURCES:
        return gain(done(state), state.turn, some(task.site, brings(state, task.site)))
    if task.site == "photo" and not photos_left(state):
        return done(state)
    return None if _free(state, task) or any(state.players[state.turn].cubes) else done(state)


def _free(state: State, task: AtSite) -> bool:
    return task.site == "photo" and state.is_night(state.space_of("photo"))


# Two sites in either order: what brings cubes comes first, for they may pay at the other. Where none is left to bring it
# comes last: the other may put some back. With too few left either can be better, so the player is asked.


def _encounter(state: State, task: Encounter) -> State | None:
    if task.site not in RESOURCES or (left := left_of(state, task.site)) == "too few":
        return None
    if left == "none":
        return then(done(state), AtSite(task.site), Bear())
    return then(done(state), Bear(), AtSite(task.site))


def _both_sites(state: State, task: BothSites) -> State | None:
    own, bears = AtSite(task.own), AtSite(task.bears)
    if own == bears:
        return then(done(state), own, bears)
    for first, other in ((bears, own), (own, bears)):
        if not _asks(state, first):
            left = left_of(state, first.site) if first.site in RESOURCES else "none"
            asked = left == "too few" and _asks(state, other)
            if asked and not _free(state, other):
                return None
            return then(done(state), *((first, other) if asked or left == "none" else (other, first)))
    return None


def _asks(state: State, task: AtSite) -> bool:
    """Return whether a site leaves a choice to the player now."""
    return _at_site(then(state, task), task) is None


def _any_resource(state: State) -> State | None:
    limited = chosen(state.rulings, r.CUBE_SUPPLY) == "limited"
    return done(state) if limited and not any(state.supply(kind) for kind in range(3)) else None


def _move_sun(state: State) -> State:
    return replace(done(state), sun=min(state.sun + 1, len(state.path) - 1))


def _earn(state: State, task: Earn) -> State | None:
    return None if could_earn(state, state.turn, task.end) else done(state)


def _free_badge(state: State, task: FreeBadge) -> State | None:
    cards = (*state.face_up(task.end), state.players[state.turn].hand)
    return done(state) if all(card == GONE for card in cards) else None


def _without_asking(state: State, task: Task) -> State | None:
    match task:
        case Lay() | SetOut() | Bear():
            return None
        case AtSite():
            return _at_site(state, task)
        case Earn():
            return _earn(state, task)
        case Encounter():
            return _encounter(state, task)
        case BothSites():
            return _both_sites(state, task)
        case MoveSun():
            return _move_sun(state)
        case TakePhoto():
            return None if photos_left(state) else done(state)
        case AnyResource():
            return _any_resource(state)
        case Swap():
            return None if any(state.players[state.turn].cubes) else done(state)
        case FreeBadge():
            return _free_badge(state, task)
        case KeepEight():  # a correction may have brought the cubes down to eight or fewer
            return done(state) if sum(state.players[state.turn].cubes) <= RESOURCE_LIMIT else None


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice, up to the next decision or the end."""
    while not state.over:
        if state.tasks is SET_OUT:
            return state
        if not state.tasks:
            state = end_turn(state)
        elif (after := _without_asking(state, state.tasks[-1])) is None:
            return state
        else:
            state = after
    return _reveal_the_named(state)


def end_turn(state: State) -> State:
    """Return the state after the end-of-turn checklist: eight resources, a badge in hand, two at each end."""
    if sum(state.players[state.turn].cubes) > RESOURCE_LIMIT:
        return replace(state, tasks=(KeepEight(),))
    if state.turns_left == 0:
        return replace(state, over=True)
    left = None if state.turns_left is None else state.turns_left - 1
    return replace(refill(state), tasks=SET_OUT, turn=(state.turn + 1) % len(state.players), turns_left=left)


def refill(state: State) -> State:
    """Return the state with earned cards replaced by ones not named yet, as far as the deck goes."""
    if state.players[state.turn].hand == GONE and state.badge_deck:
        state = state.with_player(state.turn, hand=None)
    return refill_ends(state)


def refill_ends(state: State) -> State:
    """Return the state with the gaps at both ends filled by cards not named yet, as far as the deck goes."""
    if GONE not in (*state.trailhead, *state.trail_end):
        return state
    deck, ends = state.badge_deck, []
    for cards in (state.trailhead, state.trail_end):
        new = []
        for card in cards:
            draw = card == GONE and deck > 0
            new.append(None if draw else card)
            deck -= draw
        ends.append(tuple(new))
    return replace(state, trailhead=ends[0], trail_end=ends[1])


def _reveal_the_named(state: State) -> State:
    if all(player.revealed or None in player.photos for player in state.players):
        return state
    return replace(
        state,
        players=tuple(replace(player, revealed=None not in player.photos) for player in state.players),
    )


def wanted(state: State) -> tuple[type[Task] | str]:
    """Return what is to be done now: the task of the turn, or the reveal."""
    return ("reveal",) if state.over else (type(state.tasks[-1]),)
