"""The position of FORD: everything on the table, as a checked value.

Its state is simple enough to be its own position. A game whose state has more than the table shows has a `Position`
struct here, and converts it from and to a state.
"""

from collections.abc import Iterator

from scoring.kernel.position import PositionFormat
from scoring.kernel.rule import Reason
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.box import ACROSS, MAX_STEP
from tests.support.small_games.ford.editable import editable_fields
from tests.support.small_games.ford.state import State


def position_errors(state: State) -> Iterator[Reason]:
    """Yield the inconsistencies of a position."""
    for player in state.players:
        if not 0 <= player.step <= MAX_STEP:
            text = f"{player.name} is on step {player.step}, but the last step is {MAX_STEP}."
            yield Reason("no-such-step", r.OVER, text)
    if not 0 <= state.turn < len(state.players):
        yield Reason("no-such-seat", r.PLAYERS, f"There is no player {state.turn}.")
    if state.is_over != any(player.step >= ACROSS for player in state.players):
        yield Reason("over", r.OVER, "The game ends when a player is across, and not before.")


POSITION_FORMAT = PositionFormat(
    type=State,
    to_position=lambda state: state,
    from_position=lambda position: position,
    position_errors=position_errors,
    editable_fields=editable_fields,
)
