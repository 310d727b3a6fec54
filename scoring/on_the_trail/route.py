"""The route: the legs of the Trail cards in the order they lie, as far as the table knows them."""

from msgspec.structs import replace

from scoring.on_the_trail.box import TRAIL_CARDS, Colour, Stop
from scoring.on_the_trail.facts import Leg
from scoring.on_the_trail.state import Player, State


def at_finish(state: State, runner: int) -> bool:
    return state.complete and state.players[runner].at == len(state.legs)


def may_be_finish(state: State, runner: int) -> bool:
    """Return whether a runner stands where the finish could be, for all the table knows."""
    return not state.complete and state.players[runner].at >= len(state.legs) and may_end(state)


def may_end(state: State) -> bool:
    """Return whether the Trail may end where the known route does: on the last card, if a leg of it is known."""
    if len(state.order) < TRAIL_CARDS or state.frontier not in (None, state.order[-1]):
        return False
    return bool(state.facts.cards[state.order[-1]].legs)


def next_leg(state: State, runner: int) -> Leg | None:
    """Return the leg before a runner, or None where the table does not know it."""
    way, at = state.legs, state.players[runner].at
    return way[at] if at < len(way) else None


def next_colour(state: State, runner: int) -> Colour | None:
    leg = next_leg(state, runner)
    return leg.colour if leg else None


def place(state: State, at: int) -> tuple[int, int] | None:
    """Return the Trail card and the number of the leg that leads to a spot on the route; None at the start."""
    for card in state.order if at else ():
        if at <= len(state.facts.cards[card].legs):
            return card, at - 1
        at -= len(state.facts.cards[card].legs)
    return None


def stop_at(state: State, at: int) -> Stop | None:
    """Return the kind of stop on a spot of the route; nothing happens at the start."""
    return state.legs[at - 1].stop if at else "neutral"


def has_spot(state: State, runner: Player) -> bool:
    """Return whether the known Trail has the spot where a runner stands: its end for a finisher, one short of it for others."""
    last = len(state.legs)
    if runner.home:
        return state.complete and runner.at == last
    return 0 <= runner.at < last + (not may_end(state))


def coming(state: State) -> tuple[int, ...]:
    """Return the Trail cards that may lie next: those something is known of, and one that nobody has told yet."""
    left = [card for card in range(TRAIL_CARDS) if card not in state.order]
    blank = [card for card in left if not state.facts.cards[card].legs]
    return tuple(card for card in left if card not in blank[1:])


def laid(state: State) -> State:
    """Return the state with the next Trail card laid where there is only one that it can be."""
    if state.frontier is None and len(state.order) < TRAIL_CARDS and len(coming(state)) == 1:
        return replace(state, order=(*state.order, *coming(state)))
    return state
