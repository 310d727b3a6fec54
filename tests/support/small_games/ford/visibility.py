"""What each seat may see: the state without the others' secrets."""

from msgspec.structs import replace

from tests.support.small_games.ford.state import State


def view(state: State, seat: int | None) -> State:
    """Return the state as one seat may see it, or as everyone sees it if the seat is None.

    Others' stones are hidden until everyone has shown theirs.
    """
    if state.is_over and not state.hidden:
        return state
    players = (player if other == seat else replace(player, hand=None) for other, player in enumerate(state.players))
    return replace(state, players=tuple(players))
