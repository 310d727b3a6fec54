"""The players of an instance: each has an id, a name, and all names that mean this player."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from companion.history.result import Result, name_key
from companion.log.entries import format_date
from companion.storage.erasure import PLACEHOLDER_NAME, is_placeholder
from companion.storage.owner import Owners
from companion.storage.store import Store
from scoring.kernel.parsing import MAX_NAME_LENGTH


class PlayerError(Exception):
    """The requested change of a player is not possible; the message has the reason."""


class Player(NamedTuple):
    """A player in the results of a phone."""

    id: int
    name: str
    games_played: int
    wins: int


class Players:
    """The players of one instance. Names are found in their normalized form (`name_key`)."""

    def __init__(self, store: Store, owners: Owners):
        self._store = store
        self._owners = owners

    def visible(self, device: str) -> list[Player]:
        """Return the players in a phone's results, those with the most games first."""
        is_owner = self._owners.is_owner(device)
        source = "parts" if is_owner else "seen CROSS JOIN parts ON parts.result = seen.result AND seen.device = ?"
        rows = self._store.query(
            f"""SELECT players.id, players.name, SUM(games), SUM(wins) FROM (
                    SELECT name, COUNT(*) AS games, SUM(winner) AS wins FROM {source}
                    WHERE counts AND name NOT NULL GROUP BY name
                ) JOIN names USING (name) JOIN players ON players.id = names.player GROUP BY players.id""",
            [] if is_owner else [device],
        )
        return sorted((Player(*row) for row in rows), key=lambda player: (-player.games_played, name_key(player.name)))

    def id(self, name: str) -> int | None:
        """Return the id of the player with a normalized name; None if there is no such player."""
        return self._store.value("SELECT player FROM names WHERE name = ?", [name])

    def name(self, id: int) -> str | None:
        """Return the current name of a player; None if there is no such player."""
        return self._store.value("SELECT name FROM players WHERE id = ?", [id])

    def aliases(self, id: int) -> list[str]:
        """Return all names of a player in normalized form."""
        return self._store.column("SELECT name FROM names WHERE player = ? ORDER BY name", [id])

    def ids_by_name(self) -> dict[str, int]:
        """Return the ids of all players by their normalized names."""
        return dict(self._store.query("SELECT name, player FROM names"))

    def current_names(self) -> dict[str, str]:
        """Return the current names of all players by their normalized names."""
        return dict(
            self._store.query("SELECT names.name, players.name FROM names JOIN players ON players.id = names.player")
        )

    def names_in(self, results: Iterable[Result]) -> tuple[str, ...]:
        """Return the current names of the players of results, those with the most games first."""
        current_names = self.current_names()
        parts = (part for result in results for part in result.players if part.is_person)
        names = Counter(current_names.get(name_key(part.name)) for part in parts)
        return tuple(name for name, _ in names.most_common() if name)

    def export_players(self) -> list[dict]:
        """Return all players with all their names as data for an export."""
        rows = self._store.query(
            """SELECT players.id, players.name, names.name FROM names JOIN players ON players.id = names.player
               ORDER BY names.name"""
        )
        players: dict[int, dict] = {}
        for id, name, alias in rows:
            players.setdefault(id, {"name": name, "names": []})["names"].append(alias)
        return list(players.values())

    def add(self, name: str, aliases: Sequence[str]) -> bool:
        """Add a player with some normalized names; return whether the player is new.

        A known player with any of these names gets the others, too.
        """
        if not aliases:
            return False
        with self._store.transaction() as db:
            known = next(filter(None, map(self.id, aliases)), None)
            player = known or self._insert(name)
            db.conn.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", [(alias, player) for alias in aliases])
        return known is None

    def import_player(self, name: str, aliases: Iterable[str]) -> bool:
        """Add a player from a file; return whether the player is new."""
        names = [name_key(alias)[:MAX_NAME_LENGTH] for alias in aliases if alias.strip() and not is_placeholder(alias)]
        return self.add(name[:MAX_NAME_LENGTH], names)

    def _insert(self, name: str) -> int:
        with self._store.transaction() as db:
            id = db.table("players").insert({"name": name}).last_pk
        assert isinstance(id, int)
        return id

    def rename(self, id: int, name: str) -> None:
        """Rename a player; the new name and all previous ones mean this player from now on.

        :raises PlayerError: when the name is invalid or another player has it.
        """
        name = " ".join(name.split())
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise PlayerError(f"A name needs 1 to {MAX_NAME_LENGTH} characters.")
        if is_placeholder(name):
            raise PlayerError(f"Deleted players are shown as {PLACEHOLDER_NAME}. Choose another name.")
        with self._store.transaction() as db:
            if self.id(name_key(name)) not in (None, id):
                raise PlayerError(f"Another player is called {name}. Merge the two players, or choose another name.")
            db.execute("UPDATE players SET name = ? WHERE id = ?", [name, id])
            db.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", [name_key(name), id])

    def merge(self, id: int, into_id: int) -> None:
        """Merge a player into another one, who keeps the name and gets all results.

        :raises PlayerError: when they have played against each other, or are not two existing players.
        """
        if id == into_id or self.name(id) is None or self.name(into_id) is None:
            raise PlayerError("Choose another player.")
        with self._store.transaction() as db:
            common_result = self._store.value(
                """SELECT results.what FROM parts AS one JOIN parts AS other ON one.result = other.result
                   JOIN results ON results.id = one.result JOIN names AS a ON a.name = one.name AND a.player = ?
                   JOIN names AS b ON b.name = other.name AND b.player = ? LIMIT 1""",
                [id, into_id],
            )
            if common_result:
                result = msgspec.json.decode(common_result, type=Result)
                raise PlayerError(
                    f"You cannot merge these players. They played {result.box.title} against each other "
                    f"on {format_date(result.date)}."
                )
            db.execute("UPDATE names SET player = ? WHERE player = ?", [into_id, id])
            db.execute("DELETE FROM players WHERE id = ?", [id])

    def split(self, id: int, name: str) -> int:
        """Make one of a player's names a separate player, and return the new player's id.

        :raises PlayerError: when the player does not have this name, or has no other.
        """
        with self._store.transaction() as db:
            names = self.aliases(id)
            if name not in names or len(names) == 1:
                raise PlayerError("This player has no other name.")
            player = self._insert(self._spelling(name))
            db.execute("UPDATE names SET player = ? WHERE name = ?", [player, name])
        return player

    def _spelling(self, name: str) -> str:
        """Return a normalized name as a result spells it."""
        result = self._store.value(
            "SELECT what FROM results JOIN parts ON parts.result = results.id AND parts.name = ? LIMIT 1", [name]
        )
        players = msgspec.json.decode(result, type=Result).players if result else ()
        return next((part.name for part in players if name_key(part.name) == name), name)
