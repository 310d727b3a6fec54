"""Counts of a game log, for the pages of a game."""

from collections import Counter
from dataclasses import dataclass

from companion.log.table import Table
from scoring.kernel.move import Move, Phase


@dataclass(frozen=True)
class LogCounts:
    """The moves, turns and repairs so far, as everyone at the table may know them.

    A move that was undone does not count. Neither does a move that enters the setup, nor one that is allowed out of
    turn, such as a correction, a house rule, a secret note or the name of a card.
    """

    moves_by_seat: tuple[int, ...]
    turns_by_seat: tuple[int, ...]  # turns that have begun; see Table.turn_starts
    repairs: int  # undos, redos and other changes of the log

    @property
    def moves(self) -> int:
        return sum(self.moves_by_seat)


def count_log(table: Table) -> LogCounts:
    """Return the counts of a table's log; a bot has the last place."""
    moves = Counter(step.seat for step in table.steps if _is_counted(step.move))
    turns = Counter(table.turn_starts.values())
    return LogCounts(
        moves_by_seat=tuple(moves[seat] for seat in range(len(table.names))),
        turns_by_seat=tuple(turns[name] for name in table.names),
        repairs=sum(line.is_repair and not line.is_secret for line in table.messages),
    )


def _is_counted(move: Move) -> bool:
    return not (move.out_of_turn or move.is_secret or move.phase is Phase.SETUP)
