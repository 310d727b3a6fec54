"""The route: the legs of the Trail cards in the order they lie, as far as the table knows them."""

from msgspec.structs import replace

from scoring.on_the_trail.box import TRAIL_CARDS, Colour, Stop
from scoring.on_the_trail.facts import Leg
from scoring.on_the_trail.state import Player, State


def is_at_finish(state: State, runner: int) -> bool:
    return state.is_route_complete and state.players[runner].legs_run == len(state.legs)


def can_be_at_finish(state: State, runner: int) -> bool:
    """Return whether a runner stands where the finish could be, for all the table knows."""
    return not state.is_route_complete and state.players[runner].legs_run >= len(state.legs) and can_trail_end(state)


def can_trail_end(state: State) -> bool:
    """Return whether the Trail may end where the known route does: on the last card, if a leg of it is known."""
    if len(state.order) < TRAIL_CARDS or state.frontier not in (None, state.order[-1]):
        return False
    return bool(state.facts.cards[state.order[-1]].legs)


def next_leg(state: State, runner: int) -> Leg | None:
    """Return the leg before a runner, or None where the table does not know it."""
    way, at = state.legs, state.players[runner].legs_run
    return way[at] if at < len(way) else None


def next_leg_colour(state: State, runner: int) -> Colour | None:
    leg = next_leg(state, runner)
    return leg.colour if leg else None


def find_spot(state: State, legs_run: int) -> tuple[int, int] | None:
    """Return the Trail card and the number of the leg that leads to a spot on the route; None at the start."""
    for card in state.order if legs_run else ():
        if legs_run <= len(state.facts.cards[card].legs):
            return card, legs_run - 1
        legs_run -= len(state.facts.cards[card].legs)
    return None


def stop_at(state: State, legs_run: int) -> Stop | None:
    """Return the kind of stop on a spot of the route; nothing happens at the start."""
    return state.legs[legs_run - 1].stop if legs_run else "neutral"


def is_on_known_trail(state: State, player: Player) -> bool:
    """Return whether the known Trail has the spot where a runner stands: its end for a finisher, one short of it for others."""
    last = len(state.legs)
    if player.finished:
        return state.is_route_complete and player.legs_run == last
    return 0 <= player.legs_run < last + (not can_trail_end(state))


def possible_next_cards(state: State) -> tuple[int, ...]:
    """Return the Trail cards that may lie next: those something is known of, and one that nobody has told yet."""
    left = [card for card in range(TRAIL_CARDS) if card not in state.order]
    blank = [card for card in left if not state.facts.cards[card].legs]
    return tuple(card for card in left if card not in blank[1:])


def lay_forced_card(state: State) -> State:
    """Return the state with the next Trail card laid where there is only one that it can be."""
    if state.frontier is None and len(state.order) < TRAIL_CARDS and len(possible_next_cards(state)) == 1:
        return replace(state, order=(*state.order, *possible_next_cards(state)))
    return state
