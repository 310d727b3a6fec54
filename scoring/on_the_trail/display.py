"""What a phone shows on the course: stops that nobody has told, and the one it is about to tell."""

from scoring.on_the_trail.route import place
from scoring.on_the_trail.state import State

Spot = tuple[int, int]  # a Trail card, and which of its legs leads to the stop


def untold_stops(view: State, seat: int, said: dict[str, str]) -> dict[int, Spot]:
    """Return the stops of the known route that nobody has told, by the legs from the start; the finish is none."""
    way = view.legs
    last = len(way) if view.complete else None
    spots = {at: place(view, at) for at, leg in enumerate(way, 1) if leg.stop is None and at != last}
    return {at: spot for at, spot in spots.items() if spot}


def telling_stop(view: State, seat: int, said: dict[str, str]) -> Spot | None:
    """Return the stop that a phone is about to tell."""
    spots = untold_stops(view, seat, said).values() if not view.over else ()
    return next((spot for spot in spots if said.get("stop") == f"{spot[0]}.{spot[1]}"), None)


def paid_boost(view: State, seat: int, said: dict[str, str]) -> str:
    """Return the Boost whose cards a phone is about to choose."""
    ready = view.ready(seat) if seat == view.turn and not view.over else ()
    return next((id for id in ready if id == said.get("boost")), "")
