"""The fields of a position that everyone can see and the table can correct."""

from collections.abc import Iterator
from typing import get_args

from scoring.kernel.editable import Choice, EditableField, Number, OneOf, choices, ruling_fields, seat_domain
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.box import MAX_STEP
from tests.support.small_games.ford.state import Hand, State

STEP_DOMAIN = Number(maximum=MAX_STEP)
HAND_DOMAIN = OneOf(choices(get_args(Hand)))
IS_OVER_DOMAIN = OneOf((Choice("False", "no one", False), Choice("True", "a player", True)))


def editable_fields(state: State) -> Iterator[EditableField]:
    """Yield the public fields of a position."""
    for seat, player in enumerate(state.players):
        yield EditableField(f"players.{seat}.step", seat, "step", player.step, STEP_DOMAIN)
    for seat, player in enumerate(state.players if state.is_over and not state.hidden else ()):
        yield EditableField(f"players.{seat}.hand", seat, "hand", player.hand, HAND_DOMAIN)
    yield from ruling_fields(r.RULINGS, state)
    yield EditableField("turn", None, "turn", str(state.turn), seat_domain(state))
    yield EditableField("is_over", None, "across the river", str(state.is_over), IS_OVER_DOMAIN)
