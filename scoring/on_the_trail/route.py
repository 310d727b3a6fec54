"""The route: the legs of the Trail cards in their order, as far as they are known."""

from msgspec.structs import replace

from scoring.on_the_trail.box import TRAIL_CARDS, Colour, Stop
from scoring.on_the_trail.card_facts import Leg
from scoring.on_the_trail.state import Player, State


def is_at_finish(state: State, runner: int) -> bool:
    return state.is_route_complete and state.players[runner].legs_run == len(state.legs)


def can_be_at_finish(state: State, runner: int) -> bool:
    """Return whether a runner's spot may be the finish, as far as the route is known."""
    return not state.is_route_complete and state.players[runner].legs_run >= len(state.legs) and can_trail_end(state)


def can_trail_end(state: State) -> bool:
    """Return whether the known route may end at the finish: on the last card, with a known leg."""
    if len(state.order) < TRAIL_CARDS or state.frontier not in (None, state.order[-1]):
        return False
    return bool(state.facts.cards[state.order[-1]].legs)


def next_leg(state: State, runner: int) -> Leg | None:
    """Return the leg ahead of a runner, or None if it is unknown."""
    legs, legs_run = state.legs, state.players[runner].legs_run
    return legs[legs_run] if legs_run < len(legs) else None


def next_leg_colour(state: State, runner: int) -> Colour | None:
    leg = next_leg(state, runner)
    return leg.colour if leg else None


def legs_until_finish(state: State, runner: int, number: int) -> int | None:
    """Return how many of some legs a runner can run; None if an unknown finish may be nearer."""
    least = state.least_length - state.players[runner].legs_run
    return min(number, least) if number <= least or state.is_route_complete else None


def find_spot(state: State, legs_run: int) -> tuple[int, int] | None:
    """Return the Trail card and leg number that lead to a spot on the route; None at the start."""
    for card in state.order if legs_run else ():
        if legs_run <= len(state.facts.cards[card].legs):
            return card, legs_run - 1
        legs_run -= len(state.facts.cards[card].legs)
    return None


def stop_at(state: State, legs_run: int) -> Stop | None:
    """Return the kind of stop on a spot of the route, or None if unknown; the start is neutral."""
    return state.legs[legs_run - 1].stop if legs_run else "neutral"


def is_on_known_trail(state: State, player: Player) -> bool:
    """Return whether a runner's spot is on the known Trail.

    A finisher must be at its end, other runners before it if it may end at the finish.
    """
    last = len(state.legs)
    if player.finished:
        return state.is_route_complete and player.legs_run == last
    return 0 <= player.legs_run < last + (not can_trail_end(state))


def possible_next_cards(state: State) -> tuple[int, ...]:
    """Return the Trail cards that may come next: all with known legs, and one without."""
    left = [card for card in range(TRAIL_CARDS) if card not in state.order]
    unknown = [card for card in left if not state.facts.cards[card].legs]
    return tuple(card for card in left if card not in unknown[1:])


def lay_forced_card(state: State) -> State:
    """Return the state with the next Trail card added if only one card is possible."""
    if state.frontier is None and len(state.order) < TRAIL_CARDS and len(possible_next_cards(state)) == 1:
        return replace(state, order=(*state.order, *possible_next_cards(state)))
    return state
