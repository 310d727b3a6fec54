"""What each seat may see: the state without the others' goals."""

from msgspec.structs import replace

from scoring.alpine_trails.state import State


def view(state: State, seat: int | None) -> State:
    """Return the state as a seat may see it.

    Other players' goals stay hidden until all maps are complete.
    """
    if state.is_over:
        return state
    return replace(
        state,
        players=tuple(
            player if other == seat or player.goal is None else replace(player, goal=None)
            for other, player in enumerate(state.players)
        ),
    )
