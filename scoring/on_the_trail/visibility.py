"""What each seat may see: the state without the others' secrets."""

from functools import partial

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.on_the_trail import rules as r
from scoring.on_the_trail.cards import NO_CARDS
from scoring.on_the_trail.state import Player, State


def view(state: State, seat: int | None) -> State:
    """Return the race as one seat may see it.

    Other hands, face-down cards and the bot's next cards are hidden until the race is over.
    """
    if state.is_over:
        return state
    return replace(state.with_others_changed(seat, partial(_hide_secrets, state)), seed=0)


def _hide_secrets(state: State, player: Player) -> Player:
    player = replace(player, hand=NO_CARDS, unknown_hand=player.held, deduced=NO_CARDS)
    if player.bot or chosen_option(state.rulings, r.DISCARDS_SEEN) == "open":
        return player
    return replace(player, discard=NO_CARDS, unknown_discards=player.unknown_discards + sum(player.discard))
