"""Just scoring, in any game: everybody names what lies before them and says when that is all.

A tally has `players` with a `name` and whether they are `done`.
"""

from collections.abc import Iterator

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.kernel.state import WithPlayers


def to_move(tally: WithPlayers) -> tuple[int, ...]:
    """Return the seats that have not said they are done."""
    return tuple(seat for seat, player in enumerate(tally.players) if not player.done)


def prompt(tally: WithPlayers) -> str:
    waiting = [tally.players[seat].name for seat in to_move(tally)]
    return f"Counting: {', '.join(waiting)} to go." if waiting else "Everything is counted."


def changes(before: WithPlayers, after: WithPlayers) -> Iterator[str]:
    if not to_move(after) and to_move(before):
        yield "Everything is counted."


class Done(Move):
    """Say that your column is complete. A game names its own rule in a subclass."""

    def objections(self, state: WithPlayers, seat: int) -> Iterator[Reason]:
        return iter(())

    def apply(self, state: WithPlayers, seat: int) -> WithPlayers:
        return state.with_player(seat, done=True)

    @classmethod
    def candidates(cls, state: WithPlayers, seat: int) -> Iterator["Done"]:
        yield cls()

    def label(self, state: WithPlayers, seat: int) -> str:
        return "That is all I have"

    def icon(self, state: WithPlayers, seat: int) -> str:
        return "check"

    def told(self, state: WithPlayers, seat: int) -> str:
        return "is done counting"


class Reopen(Move):
    """Go on counting after having said you were done. A game names its own rule in a subclass."""

    anytime = True

    def objections(self, state: WithPlayers, seat: int) -> Iterator[Reason]:
        if not state.players[seat].done:
            yield Reason("still-counting", self.rules[0], "You are still counting.")

    def apply(self, state: WithPlayers, seat: int) -> WithPlayers:
        return state.with_player(seat, done=False)

    @classmethod
    def candidates(cls, state: WithPlayers, seat: int) -> Iterator["Reopen"]:
        if state.players[seat].done:
            yield cls()

    def label(self, state: WithPlayers, seat: int) -> str:
        return "Go on counting"

    def icon(self, state: WithPlayers, seat: int) -> str:
        return "pen"

    def told(self, state: WithPlayers, seat: int) -> str:
        return "goes on counting"
