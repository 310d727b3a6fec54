"""The moves of a turn and of the end: roll the die, and note the stone."""

from collections.abc import Iterator
from typing import get_args

from msgspec.structs import replace

from scoring.kernel.move import Move, MoveLabel, Phase
from scoring.kernel.rule import Reason
from tests.support.small_games.ford import rules as r
from tests.support.small_games.ford.box import ACROSS, SIDES
from tests.support.small_games.ford.state import Hand, State


class Roll(Move[State], tag="roll"):
    """Roll the die and move this number of steps."""

    title = "Roll the die"
    rules = (r.TURNS, r.DIE)
    resolves = ("roll",)
    phase = Phase.TURN_START

    die: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not 1 <= self.die <= SIDES:
            yield Reason("no-such-side", r.DIE, f"The die shows 1 to {SIDES}, not {self.die}.")

    def apply(self, state: State, seat: int) -> State:
        step = state.players[seat].step + self.die
        turn = (state.turn + 1) % len(state.players)
        return replace(state.with_player(seat, step=step), turn=turn, is_over=step >= ACROSS)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Roll"]:
        yield from map(cls, range(1, SIDES + 1))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Rolled {self.die}")

    def log_text(self, state: State, seat: int) -> str:
        return f"rolled {self.die}"


class Hide(Move[State], tag="hide"):
    """Note under which hand your stone is; at the end, show it."""

    title = "Enter your stone"
    rules = (r.STONE,)
    resolves = ("show",)
    out_of_turn = True
    is_secret = True

    hand: Hand

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].hand is not None:
            yield Reason("hidden", r.STONE, "You have already entered your stone.")

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=self.hand)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["Hide"]:
        if state.players[seat].hand is None:
            yield from map(cls, get_args(Hand))

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(f"Stone under my {self.hand} hand")

    def log_text(self, state: State, seat: int) -> str:
        return f"hid a stone under the {self.hand} hand"
