"""What each seat may see: all of it, as nothing is secret."""

from scoring.parks.state import State


def view(state: State, seat: int | None) -> State:
    """Return the state as one seat may see it: all of it, as nothing is secret."""
    return state
