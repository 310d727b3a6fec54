"""Computes how long each player of a tracked game took to act, from the times in its log."""

import datetime
from itertools import pairwise
from typing import NamedTuple

from companion.log.steps import Step
from companion.log.table import Table
from scoring.kernel.move import Phase

MAX_MINUTES_PER_ENTRY = 15  # a longer time without an entry is a break, or the clock was changed
HOW_IT_IS_MEASURED = (
    "Time before an entry counts for the player to act, without setup, shared steps, repairs and breaks over "
    f"{MAX_MINUTES_PER_ENTRY} minutes."
)


class PlayerTime(NamedTuple):
    """How long one player took to act."""

    name: str
    seconds: int
    share: int  # percent of the time of all players

    @property
    def text(self) -> str:
        """Return the time in words: "12 min", or "40 s" if it is less than a minute."""
        return f"{round(self.seconds / 60)} min" if self.seconds >= 60 else f"{self.seconds} s"


def player_times(table: Table, seconds: tuple[int, ...]) -> tuple[PlayerTime, ...]:
    """Return the times of the players in turn order; empty if there is nothing to compare.

    :param seconds: the time of each player, from `player_seconds`.
    """
    total = sum(seconds)
    if total == 0 or len(seconds) < 2:
        return ()
    times = zip(table.names, seconds, strict=False)  # a bot, which is last, has no seat
    return tuple(PlayerTime(name, time, round(100 * time / total)) for name, time in times)


def player_seconds(table: Table) -> tuple[int, ...]:
    """Return the seconds that the player of each seat took to act.

    The log's entries are read in the order in which they were made, so that no time counts twice. The time between two
    entries counts for the only player who was to act before the later one. Another player may have entered it, and it
    may be undone later. These times count for no one:

    - setup, and steps that several players could make, such as simultaneous ones;
    - the time before an undo or a repair, whose new steps have no times;
    - more than `MAX_MINUTES_PER_ENTRY` without an entry: a break, or a clock that was set forward;
    - a time that is not later than the one before it: the clock was set back.

    Where only the score was entered, every time is 0.
    """
    seconds = [0.0] * len(table.seats)
    for (earlier, _), (later, seat) in pairwise(_entry_times(table)):
        duration = (later - earlier).total_seconds()
        if seat is not None and 0 < duration <= 60 * MAX_MINUTES_PER_ENTRY:
            seconds[seat] += duration
    return tuple(map(round, seconds))


def _entry_times(table: Table) -> list[tuple[datetime.datetime, int | None]]:
    """Return the time of each entry that changed the game, and the only seat to act before it."""
    if table.tracked.is_score_entry:
        return []
    steps = sorted([*table.steps, *table.removed_steps], key=lambda step: step.number)
    entries = {step.number: (step.created_at, _seat_to_act(table, step)) for step in steps}
    entries |= {repair.number: (repair.created_at, None) for repair in table.repairs}
    times = (entries[number] for number in sorted(entries))
    return [(datetime.datetime.fromisoformat(time), seat) for time, seat in times if "T" in time]


def _seat_to_act(table: Table, step: Step) -> int | None:
    seats = table.tracked.flow.to_move(step.before)
    return seats[0] if len(seats) == 1 and step.move.phase is not Phase.SETUP else None
