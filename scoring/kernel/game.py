"""The type of a registered game: its box, how it is tracked, and its score entry."""

from dataclasses import dataclass

from scoring.kernel.box import Box
from scoring.kernel.tracked_game import TrackedGame


@dataclass(frozen=True)
class Game:
    """A boxed game, how it is tracked move by move, and how it is scored at the end."""

    box: Box
    tracked: TrackedGame | None
    score_entry: TrackedGame | None

    @property
    def tracked_games(self) -> tuple[TrackedGame, ...]:
        """Return the tracked games that a table can be opened for."""
        return tuple(tracked_game for tracked_game in (self.tracked, self.score_entry) if tracked_game is not None)
