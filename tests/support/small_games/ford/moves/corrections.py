"""Corrections of the state, which need the consent of the table, and rulings."""

from collections.abc import Iterator

from scoring.kernel.edit_position import make_edit_position_move
from scoring.kernel.move import Correction, make_adopt_move
from scoring.kernel.rule import Reason
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.position import POSITION_FORMAT, position_errors
from tests.support.small_games.ford.state import State


class Correct(Correction[State], tag="correct"):
    """Correct the step of a player."""

    title = "Correct a step"
    rules = (r.OVER,)

    player: int
    step: int

    def change_errors(self, state: State) -> Iterator[Reason]:
        if not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", r.PLAYERS, "There is no such player. Choose one at this table.")

    def position_errors(self, state: State) -> Iterator[Reason]:
        return position_errors(state)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(self.player, step=self.step)

    def describe_change(self, state: State) -> str:
        return f"{state.players[self.player].name} on step {self.step}"


EditPosition = make_edit_position_move(POSITION_FORMAT, (r.OVER,))
Adopt = make_adopt_move(r.RULINGS)
