"""View helpers for the course: its height, stops to enter, known cards, selections."""

from scoring.on_the_trail.box import Card
from scoring.on_the_trail.cards import to_counts
from scoring.on_the_trail.route import can_be_at_finish, find_spot
from scoring.on_the_trail.state import State

Spot = tuple[int, int]  # a Trail card, and the number of its leg that leads to the stop


def unknown_stops(view: State, seat: int, draft: dict[str, str]) -> dict[int, Spot]:
    """Return the unknown stops of the known route by legs from the start, without the finish."""
    legs = view.legs
    finish = len(legs) if view.is_route_complete else None
    unknown = [number for number, leg in enumerate(legs, 1) if leg.stop is None and number != finish]
    spots = {number: find_spot(view, number) for number in unknown}
    return {number: spot for number, spot in spots.items() if spot}


def selected_stop(view: State, seat: int, draft: dict[str, str]) -> Spot | None:
    """Return the stop selected on a phone, or None."""
    spots = unknown_stops(view, seat, draft).values() if not view.is_over else ()
    return next((spot for spot in spots if draft.get("stop") == f"{spot[0]}.{spot[1]}"), None)


def selected_boost(view: State, seat: int, draft: dict[str, str]) -> str:
    """Return the Boost whose payment is being chosen on a phone, or ""."""
    ready = view.ready_boosts(seat) if seat == view.turn and not view.is_over else ()
    return next((id for id in ready if id == draft.get("boost")), "")


def deduced_cards(view: State, seat: int, draft: dict[str, str]) -> dict[Card, int]:
    """Return the cards of the last draw that follow from the rest of the deck, by kind."""
    return to_counts(view.players[seat].deduced)


def is_finish_possible(view: State, seat: int, draft: dict[str, str]) -> bool:
    """Return whether the runner to move may be at the finish, as far as the route is known."""
    return can_be_at_finish(view, view.turn)


def picture_height(view: State) -> int:
    """Return the height of the course on the picture of a result; a long one has two rows."""
    return 280 if len(view.legs) <= 11 else 572
