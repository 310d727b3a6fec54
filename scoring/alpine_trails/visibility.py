"""What each seat may see: the state without the others' goals."""

from msgspec.structs import replace

from scoring.alpine_trails.state import State


def view(state: State, seat: int | None) -> State:
    """Return the state as a seat may see it.

    Other players' goals stay hidden until all maps are complete.
    """
    if state.is_over:
        return state
    return state.with_others_changed(seat, lambda player: replace(player, goal=None) if player.goal else player)
