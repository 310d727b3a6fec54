"""The course of a turn: forced steps, pending decisions, and its end."""

from collections.abc import Iterator
from functools import cache, lru_cache
from operator import ge, sub
from typing import Literal

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.trails import rules as r
from scoring.trails.box import BADGES, Badge, Cubes, Resource, cubes_per_visit
from scoring.trails.state import (
    NO_CARD,
    RESOURCES,
    START_HIKE,
    TRAIL_END,
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
    RecyclingExchange,
    SiteAction,
    StartHike,
    State,
    TakePhoto,
    Task,
)

RESOURCE_LIMIT = 8
LAST_ROUND_BONUS = "photo"  # the bonus of a Sunshine badge once the Sun is taken


def gain(state: State, seat: int, gains: Cubes) -> State:
    """Return the state after a player takes cubes, as far as they go (ruling cube-supply)."""
    acorn, leaf, rock = gains
    if chosen_option(state.rulings, r.CUBE_SUPPLY) == "limited":
        acorn = acorn and min(acorn, state.supply(0))
        leaf = leaf and min(leaf, state.supply(1))
        rock = rock and min(rock, state.supply(2))
    acorns, leaves, rocks = state.players[seat].cubes
    return state.with_player(seat, cubes=(acorns + acorn, leaves + leaf, rocks + rock))


def pay_cubes(state: State, seat: int, cost: Cubes) -> State:
    """Return the state after a player returns cubes to the supply."""
    cubes = tuple(held - due for held, due in zip(state.players[seat].cubes, cost, strict=True))
    return state.with_player(seat, cubes=cubes)


@cache
def cubes_of_kind(kind: Resource, number: int = 1) -> Cubes:
    """Return a number of cubes of one kind, in the order acorn, leaf, rock."""
    return number * (kind == "acorn"), number * (kind == "leaf"), number * (kind == "rock")


SUN_GAINS = {f"{number} {kind}": cubes_of_kind(kind, number) for number in (1, 2) for kind in RESOURCES}


def arrive(state: State, seat: int, space: int) -> State:
    """Return the state after a hiker stops on a space and starts its task.

    The rules are on rulebook pp. 6-7 and 9.
    """
    site = state.site_at(space)
    if site is not None:
        task = BearEncounter(site) if site == state.bear else SiteAction(site)
        return replace(state.with_player(seat, space=space), tasks=(task,))
    if space == TRAIL_END:
        return reach_trail_end(state.with_player(seat, space=space, facing=-1), seat)
    return replace(state.with_player(seat, space=space, facing=1, canteen=True), tasks=(EarnBadges("trailhead"),))


def reach_trail_end(state: State, seat: int) -> State:
    """Return the state with the steps of Trail End pending, or the last round started.

    The rules are on rulebook pp. 7 and 12.
    """
    if state.sun_holder is not None:
        return replace(state, tasks=(EarnBadges("trail-end"),))
    if state.is_sun_on_final_spot:
        other_players = len(state.players) - 1
        return replace(state, sun_holder=seat, turns_left=other_players, tasks=(EarnBadges("trail-end"), TakePhoto()))
    return sun_bonus(replace(state, tasks=(EarnBadges("trail-end"), MoveSun())), seat)


def sun_bonus(state: State, seat: int, *, is_from_badge: bool = False) -> State:
    """Return the state with the bonus under the Sun started (rulebook p. 11).

    :param is_from_badge: whether a badge gives the bonus, so that moving the bear is optional.
    """
    under = LAST_ROUND_BONUS if state.sun_holder is not None else state.under_sun
    if isinstance(under, int):
        return push_task(state, SiteAction(state.sites[under - 1]))
    if under == "photo":
        return push_task(state, TakePhoto("sunshine"))  # At Trail End the Sun is taken instead.
    if under == "wildlife":
        return push_task(state, MoveBear(is_optional=is_from_badge))
    return gain(state, seat, SUN_GAINS[under])


def push_task(state: State, *tasks: Task) -> State:
    """Return the state with tasks pushed on the stack; the last one is next."""
    return replace(state, tasks=state.tasks + tasks)


def pop_task(state: State) -> State:
    """Return the state with the current task finished."""
    return replace(state, tasks=state.tasks[:-1])


def has_photos_left(state: State) -> bool:
    return state.photo_deck + state.photo_discard > 0


def site_yield(state: State, site: Resource) -> int:
    """Return how many cubes the site of a resource gives."""
    return cubes_per_visit(state.is_night(state.space_of(site)))


def site_supply(state: State, site: Resource) -> Literal["enough", "too few", "none"]:
    """Return whether the cubes that a site gives are left (ruling cube-supply)."""
    if chosen_option(state.rulings, r.CUBE_SUPPLY) != "limited":
        return "enough"
    left = state.supply(RESOURCES.index(site))
    return "none" if not left else "enough" if left >= site_yield(state, site) else "too few"


def badge_price(badge: Badge, earned_badges: tuple[str, ...]) -> Cubes:
    """Return the cost of a badge for a player with these earned badges.

    Research costs one less for each badge of its type (rulebook p. 15).
    """
    if badge.name != "Research":
        return badge.cost
    discount = sum(BADGES[id].counts_as(badge.type) for id in earned_badges)
    acorn, leaf, rock = badge.cost
    return max(0, acorn - discount), max(0, leaf - discount), max(0, rock - discount)


RESEARCH_BADGES = tuple(badge for badge in BADGES.values() if badge.name == "Research")
_FIXED_PRICE_BADGES = tuple(badge for badge in BADGES.values() if badge not in RESEARCH_BADGES)


# With 15 cubes of each kind in the box there are 16 ** 3 ways to hold cubes.
@lru_cache(maxsize=4096)
def _affordable_fixed_price_badges(cubes: Cubes) -> tuple[str, ...]:
    """Return the badges with a fixed price that these cubes cover."""
    return tuple(badge.id for badge in _FIXED_PRICE_BADGES if all(map(ge, cubes, badge.cost)))


@lru_cache(maxsize=4096)
def affordable_badges(cubes: Cubes, earned_badges: tuple[str, ...]) -> tuple[str, ...]:
    """Return the badges that these cubes pay for, given the earned badges."""
    possible = [badge for badge in RESEARCH_BADGES if max(map(sub, badge.cost, cubes)) <= len(earned_badges)]
    return (
        *_affordable_fixed_price_badges(cubes),
        *[badge.id for badge in possible if all(map(ge, cubes, badge_price(badge, earned_badges)))],
    )


def has_unseen_copy(badge: str, visible: list[str | None]) -> bool:
    """Return whether an unnamed card could be this badge, given the known cards."""
    return visible.count(badge) < BADGES[badge].copies


def known_badges(state: State, seat: int) -> list[str | None]:
    """Return the cards that a seat knows: those everyone sees, and its own hand."""
    return [*state.visible_badges, state.players[seat].hand]


def can_earn_badge(state: State, seat: int, end: End) -> bool:
    """Return whether any card at an end may be affordable, as far as everyone knows.

    The player's note of their hand is ignored, as the course of the visit would reveal it to others.
    """
    player = state.players[seat]
    if not (affordable := affordable_badges(player.cubes, player.badges)):
        return False
    cards = state.face_up(end)
    if any(map(affordable.__contains__, cards)):
        return True
    known = state.visible_badges
    return (None in cards or player.hand != NO_CARD) and any(has_unseen_copy(badge, known) for badge in affordable)


# The state after a task, or None if a player must decide.


def _resolve_site_action(state: State, task: SiteAction) -> State | None:
    if task.site in RESOURCES:
        return gain(pop_task(state), state.turn, cubes_of_kind(task.site, site_yield(state, task.site)))
    if task.site == "photo" and not has_photos_left(state):
        return pop_task(state)
    return None if _is_free_photo(state, task) or any(state.players[state.turn].cubes) else pop_task(state)


def _is_free_photo(state: State, task: SiteAction) -> bool:
    return task.site == "photo" and state.is_night(state.space_of("photo"))


# Of two sites in either order, the one that gives cubes comes first, as the cubes may pay for the other. If none are
# left to give, it comes last, as the other may return some. With too few left, either order can be better, so the
# player decides.


def _resolve_bear_encounter(state: State, task: BearEncounter) -> State | None:
    if task.site not in RESOURCES or (left := site_supply(state, task.site)) == "too few":
        return None
    if left == "none":
        return push_task(pop_task(state), SiteAction(task.site), MoveBear())
    return push_task(pop_task(state), MoveBear(), SiteAction(task.site))


def _resolve_both_sites(state: State, task: BothSites) -> State | None:
    own, bears = SiteAction(task.own_site), SiteAction(task.bear_site)
    if own == bears:
        return push_task(pop_task(state), own, bears)
    for first, other in ((bears, own), (own, bears)):
        if not _needs_decision(state, first):
            left = site_supply(state, first.site) if first.site in RESOURCES else "none"
            needs_choice = left == "too few" and _needs_decision(state, other)
            if needs_choice and not _is_free_photo(state, other):
                return None
            return push_task(pop_task(state), *((first, other) if needs_choice or left == "none" else (other, first)))
    return None


def _needs_decision(state: State, task: SiteAction) -> bool:
    """Return whether a site leaves the player a choice now."""
    return _resolve_site_action(push_task(state, task), task) is None


def _resolve_task(state: State, task: Task) -> State | None:
    player = state.players[state.turn]
    match task:
        case SiteAction():
            return _resolve_site_action(state, task)
        case BearEncounter():
            return _resolve_bear_encounter(state, task)
        case BothSites():
            return _resolve_both_sites(state, task)
        case MoveSun():
            return replace(pop_task(state), sun=min(state.sun + 1, len(state.sun_path) - 1))
        case LayTrail() | StartHike() | MoveBear():
            has_choice = True
        case EarnBadges(end):
            has_choice = can_earn_badge(state, state.turn, end)
        case TakePhoto():
            has_choice = has_photos_left(state)
        case ChooseResource():
            limited = chosen_option(state.rulings, r.CUBE_SUPPLY) == "limited"
            has_choice = not limited or any(map(state.supply, range(3)))
        case RecyclingExchange():
            has_choice = any(player.cubes)
        case EarnFreeBadge(end):
            has_choice = any(card != NO_CARD for card in (*state.face_up(end), player.hand))
        case KeepEight():
            has_choice = sum(player.cubes) > RESOURCE_LIMIT  # A correction may have reduced the cubes.
    return None if has_choice else pop_task(state)


def forced_steps(state: State) -> Iterator[tuple[State, State]]:
    """Yield the states before and after each forced step that is left in this turn."""
    while state.tasks and (after := _resolve_task(state, state.tasks[-1])) is not None:
        yield state, after
        state = after


def resolve_forced_steps(state: State) -> State:
    """Return the state with all forced steps done, up to the next decision or the end."""
    while not state.is_over:
        if state.tasks is START_HIKE:
            return state
        if not state.tasks:
            state = end_turn(state)
        elif (after := _resolve_task(state, state.tasks[-1])) is None:
            return state
        else:
            state = after
    return _mark_revealed_players(state)


def end_turn(state: State) -> State:
    """Return the state after the end-of-turn checklist.

    The checklist is: at most eight resources, a badge in hand, two badges at each end.
    """
    if sum(state.players[state.turn].cubes) > RESOURCE_LIMIT:
        return replace(state, tasks=(KeepEight(),))
    if state.turns_left == 0:
        return replace(state, is_over=True)
    left = None if state.turns_left is None else state.turns_left - 1
    return replace(refill_badges(state), tasks=START_HIKE, turn=(state.turn + 1) % len(state.players), turns_left=left)


def refill_badges(state: State) -> State:
    """Return the state with earned badges replaced by unnamed cards while the deck lasts."""
    if state.players[state.turn].hand == NO_CARD and state.badge_deck:
        state = state.with_player(state.turn, hand=None)
    return refill_ends(state)


def refill_ends(state: State) -> State:
    """Return the state with gaps at both ends filled by unnamed cards while the deck lasts."""
    if NO_CARD not in (*state.trailhead, *state.trail_end):
        return state
    deck, new_ends = state.badge_deck, []
    for cards in (state.trailhead, state.trail_end):
        new = []
        for card in cards:
            draw = card == NO_CARD and deck > 0
            new.append(None if draw else card)
            deck -= draw
        new_ends.append(tuple(new))
    return replace(state, trailhead=new_ends[0], trail_end=new_ends[1])


def _mark_revealed_players(state: State) -> State:
    if all(player.revealed or None in player.photos for player in state.players):
        return state
    return replace(
        state,
        players=tuple(replace(player, revealed=None not in player.photos) for player in state.players),
    )


def pending_decisions(state: State) -> tuple[type[Task] | str]:
    """Return the current decision: the type of the turn's task, or "reveal"."""
    return ("reveal",) if state.is_over else (type(state.tasks[-1]),)
