"""A game in the house: its box, its play where it is tracked, and its tally."""

from dataclasses import dataclass

from scoring.kernel.box import Box
from scoring.kernel.tracked_game import Play


@dataclass(frozen=True)
class Game:
    """Three values: what is in the box, how it is tracked at the table, how it is just scored."""

    box: Box
    play: Play | None
    tally: Play | None

    @property
    def plays(self) -> tuple[Play, ...]:
        """Return what a table can be opened for."""
        return tuple(each for each in (self.play, self.tally) if each is not None)
