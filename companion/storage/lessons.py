"""Who is taught a game, and which lessons they have read. No log of a table contains this."""

from dataclasses import dataclass, field
from typing import NamedTuple

from companion.history.result import name_key
from companion.storage.store import Store


class Reading(NamedTuple):
    """When a player has read a lesson."""

    code: str  # of the table
    turn: int | None  # the number of turns that the player had begun; None for a lesson about a decision


@dataclass(frozen=True)
class Learner:
    """A player at one phone, as a learner of one game."""

    is_taught: bool | None  # None: the player must be asked first
    read: dict[str, Reading] = field(default_factory=dict)  # lessons by id, the latest last


EXPERIENCED = Learner(is_taught=False)


class Learners:
    """The learners of one instance, each known by phone, name and game."""

    def __init__(self, store: Store):
        self._store = store

    def find(self, device: str, name: str, game_key: str) -> Learner:
        """Return a player as a learner; one with a finished game here is not taught."""
        key = [device, name_key(name), game_key]
        is_taught = self._store.value("SELECT is_taught FROM learners WHERE device = ? AND name = ? AND game = ?", key)
        if is_taught is None:
            return EXPERIENCED if self._has_played(name, game_key) else Learner(None)
        if not is_taught:
            return EXPERIENCED
        rows = self._store.query(
            "SELECT lesson, code, turn FROM lessons WHERE device = ? AND name = ? AND game = ? ORDER BY rowid", key
        )
        return Learner(True, {lesson: Reading(code, turn) for lesson, code, turn in rows})

    def _has_played(self, name: str, game_key: str) -> bool:
        """Return whether there is a finished game of a player, under any name."""
        return bool(
            self._store.query(
                """SELECT 1 FROM parts JOIN results ON results.id = parts.result AND results.game = ?
                   WHERE counts AND parts.name IN (
                       SELECT alias.name FROM names JOIN names AS alias USING (player) WHERE names.name = ?
                   ) LIMIT 1""",
                [game_key, name_key(name)],
            )
        )

    def set_taught(self, device: str, name: str, game_key: str, is_taught: bool) -> None:
        """Save whether a player is taught. The lessons that were read stay read."""
        with self._store.transaction() as db:
            row = [device, name_key(name), game_key, is_taught]
            db.execute("INSERT OR REPLACE INTO learners VALUES (?, ?, ?, ?)", row)

    def mark_read(self, device: str, name: str, game_key: str, lesson: str, reading: Reading) -> None:
        """Save that a player has read a lesson; the first time counts."""
        with self._store.transaction() as db:
            row = [device, name_key(name), game_key, lesson, *reading]
            db.execute("INSERT OR IGNORE INTO lessons VALUES (?, ?, ?, ?, ?, ?)", row)

    def start_over(self, device: str, name: str, game_key: str) -> None:
        """Forget which lessons a player has read, such as for another player of that name."""
        with self._store.transaction() as db:
            key = [device, name_key(name), game_key]
            db.execute("DELETE FROM lessons WHERE device = ? AND name = ? AND game = ?", key)
