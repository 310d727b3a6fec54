"""A game in the house: its box, its play where it is tracked, and its tally."""

from dataclasses import dataclass

from scoring.kernel.box import Box
from scoring.kernel.tracked_game import TrackedGame


@dataclass(frozen=True)
class Game:
    """Three values: what is in the box, how it is tracked at the table, how it is just scored."""

    box: Box
    tracked: TrackedGame | None
    score_entry: TrackedGame | None

    @property
    def tracked_games(self) -> tuple[TrackedGame, ...]:
        """Return what a table can be opened for."""
        return tuple(each for each in (self.tracked, self.score_entry) if each is not None)
