"""What each seat may see: the state without the others' secrets."""

from msgspec.structs import replace

from scoring.trails.state import NO_CARD, Player, State


def view(state: State, seat: int | None) -> State:
    """Return the state as one seat may see it, or as everyone sees it if the seat is None.

    Others' hand badges and photos are unknown until all photos are revealed.
    """
    if state.is_over and all(player.revealed for player in state.players):
        return state
    return state.with_others_changed(seat, _hide_secrets)


def _hide_secrets(player: Player) -> Player:
    hand = NO_CARD if player.hand == NO_CARD else None
    return replace(player, hand=hand, photos=(None,) * len(player.photos))
