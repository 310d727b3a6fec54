"""The state of a game of FORD: the setup, the players, and whose turn it is."""

from typing import Literal

from scoring.kernel.state import GameSetup, GameState, PlayerState

Hand = Literal["left", "right"]


class Player(PlayerState, frozen=True):
    """One player's step and stone."""

    step: int = 0
    hand: Hand | None = None  # the hand with the stone; None if it has not been entered


class State(GameState, frozen=True):
    """Everything the app knows about a table of FORD."""

    players: tuple[Player, ...]
    rulings: dict[str, str]
    turn: int = 0
    is_over: bool = False  # whether a player is across, so that all stones are shown

    @property
    def hidden(self) -> tuple[int, ...]:
        """Return the seats whose stone has not been entered."""
        return tuple(seat for seat, player in enumerate(self.players) if player.hand is None)


class Setup(GameSetup, frozen=True):
    """A table's setup: the names in turn order, and the options of the rulings."""

    players: tuple[str, ...]
    rulings: dict[str, str] = {}


def start(setup: Setup) -> State:
    """Return the state before the first turn."""
    return State(tuple(Player(name) for name in setup.players), setup.rulings)


def to_move(state: State) -> tuple[int, ...]:
    """Return the seats that may move now; none if the game is over."""
    return state.hidden if state.is_over else (state.turn,)
