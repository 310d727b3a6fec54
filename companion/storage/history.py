"""The history of an instance: its results, photos and players. Independent of HTTP.

A phone sees the results of tables it has played at and the results it has added; the owner's phones see all.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.history.result import Result, build_result, name_key, replace_name, search_text, with_entered_values
from companion.log.apply import CorruptLogError
from companion.log.table import Table
from companion.storage.erasure import PLACEHOLDER_NAME, erase_in_logs, is_placeholder, new_placeholder
from companion.storage.owner import Owners
from companion.storage.store import Store, TableNotFoundError, timestamp
from scoring.games import GAMES
from scoring.kernel.parsing import MAX_NAME_LENGTH

ID_LENGTH = 6  # letters of a result's id; a table's code has five
PAGE_SIZE = 30  # results per page
MAX_PHOTOS = 12  # per result
RECENT_RESULTS = 30  # results whose players are suggested in name fields

PLAYER_FILTER = "results.id IN (SELECT result FROM parts JOIN names ON names.name = parts.name AND names.player = ?)"

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(Result).decode


class HistoryError(Exception):
    """The requested change of a player or a result is not possible; the message has the reason."""


class Player(NamedTuple):
    """A player known to the instance."""

    id: int
    name: str
    games_played: int
    wins: int


class Photo(NamedTuple):
    """The metadata of a photo."""

    id: str
    device: str
    created_at: str


class SearchResults(NamedTuple):
    """A page of search results, the latest first."""

    results: list[Result]
    total: int  # the number of results on all pages


class History:
    """The results, photos and players of one instance."""

    def __init__(self, store: Store, owners: Owners):
        self._store = store
        self._owners = owners

    # Recording results

    def record_entry(self, before: Table, after: Table) -> None:
        """Save the result of a table that is over, or withdraw it when the game goes on after all.

        Runs in the transaction that writes the entry.
        """
        if after.is_over:
            new_devices = set(after.last_entry_by) - set(before.last_entry_by)
            if not before.is_over or new_devices or before.sheet != after.sheet:
                self._write_result(after)
        elif before.is_over:
            with self._store.transaction() as db:
                db.conn.execute("UPDATE results SET over = 0 WHERE code = ?", [after.code])
                table_condition = "result IN (SELECT id FROM results WHERE code = ?)"
                db.conn.execute(f"UPDATE parts SET counts = 0 WHERE {table_condition}", [after.code])

    def _write_result(self, table: Table) -> None:
        known = self.result_of_table(table.code, only_over=False)
        result = build_result(table, known.id if known else self._store.unused_code(ID_LENGTH))
        if known:
            result = with_entered_values(result, known)
        self.save(result, table.host, table.last_entry_by)

    def catch_up(self, on_progress: Callable[[int, int], object] = lambda number, of: None) -> None:
        """Record the results of tables that were over before the history existed."""
        waiting = self._store.query(
            "SELECT unread.id, code FROM unread LEFT JOIN tables ON tables.id = unread.id ORDER BY unread.id"
        )
        for number, (id, code) in enumerate(waiting, 1):
            try:
                table = self._store.table_at_entry(code, 10**9) if code else None
            except (CorruptLogError, TableNotFoundError):  # such a table cannot be opened either
                table = None
            with self._store.transaction() as db:
                if table and table.is_over:
                    self._write_result(table)
                db.conn.execute("DELETE FROM unread WHERE id = ?", [id])
            on_progress(number, len(waiting))

    def unread_count(self) -> int:
        """Return the number of tables whose result is not recorded yet."""
        return self._store.query("SELECT COUNT(*) FROM unread")[0][0]

    def save(self, result: Result, device: str, viewer_devices: Iterable[str] = ()) -> None:
        """Save a result, replacing any result with the same id.

        :param viewer_devices: the phones that may see the result, in addition to those that may already.
        """
        with self._store.transaction() as db:
            db.table("results").upsert(
                {
                    "id": result.id, "code": result.code or None, "game": result.game, "ended": result.ended,
                    "device": device, "over": 1, "hidden": int(result.hidden), "words": search_text(result),
                    "what": _encode(result).decode(),
                },
                pk="id",
            )  # fmt: skip
            db.conn.execute("DELETE FROM parts WHERE result = ?", [result.id])
            for seat, part in enumerate(result.players):
                name = None if part.bot or is_placeholder(part.name) else name_key(part.name)
                has_won = part.winner and not result.is_solo
                row = [result.id, seat, name, int(has_won), int(not result.hidden)]
                db.conn.execute("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", row)
                if name is not None and not db.execute("SELECT 1 FROM names WHERE name = ?", [name]).fetchone():
                    player = db.table("players").insert({"name": part.name}).last_pk
                    db.conn.execute("INSERT INTO names VALUES (?, ?)", [name, player])
            phones = {
                *viewer_devices,
                *(phone for (phone,) in db.execute("SELECT device FROM seen WHERE result = ?", [result.id])),
            }
            db.conn.execute("DELETE FROM seen WHERE result = ?", [result.id])
            db.conn.executemany(
                "INSERT INTO seen VALUES (?, ?, ?)",
                [(phone, result.ended, result.id) for phone in {*phones, device} if phone],
            )

    def enter_result(self, result: Result, device: str) -> Result:
        """Save a result that a player typed, and return it with its new id."""
        with self._store.transaction():
            result = replace(result, id=self._store.unused_code(ID_LENGTH), by_hand=True)
            self.save(result, device)
        return result

    def import_result(self, result: Result, device: str) -> bool:
        """Save a result from a file unless its id is known; return whether it was new."""
        with self._store.transaction():
            if result.id and self._find_one("id = ?", result.id):
                return False
            code = "" if result.code and self.result_of_table(result.code, only_over=False) else result.code
            self.save(replace(result, id=result.id or self._store.unused_code(ID_LENGTH), code=code), device)
        return True

    def grant_access(self, device: str, code: str) -> None:
        """Let a phone see the result of a table."""
        if device and (result := self.result_of_table(code)):
            with self._store.transaction() as db:
                db.conn.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", [device, result.ended, result.id])

    # Reading and changing results

    def result(self, id: str) -> Result | None:
        """Return a result, unless its table is being played again."""
        return self._find_one("id = ? AND over", id)

    def result_of_table(self, code: str, only_over: bool = True) -> Result | None:
        """Return the result of a table.

        :param only_over: return None when the game has gone on since.
        """
        return self._find_one("code = ? AND over >= ?", code, int(only_over))

    def _find_one(self, condition: str, *parameters: object) -> Result | None:
        found = self._decode_results(self._store.query(f"SELECT what FROM results WHERE {condition}", parameters))
        return found[0] if found else None

    def can_see(self, device: str, id: str) -> bool:
        """Return whether a phone may see a result."""
        rows = self._store.query("SELECT 1 FROM seen WHERE device = ? AND result = ?", [device, id])
        return bool(rows) or self._owners.is_owner(device)

    def can_change(self, device: str, id: str) -> bool:
        """Return whether a phone may hide or change a result.

        The owner's phones may, and the phone on which the result was typed.
        """
        query = "SELECT 1 FROM results WHERE id = ? AND device = ? AND code IS NULL"
        return self._owners.is_owner(device) or bool(self._store.query(query, [id, device]))

    def change(self, id: str, **changes: object) -> None:
        """Change fields of a result: whether it is hidden, its place, or typed values."""
        with self._store.transaction() as db:
            if result := self.result(id):
                (device,) = db.execute("SELECT device FROM results WHERE id = ?", [id]).fetchone()
                self.save(replace(result, **changes), device)

    def search(
        self,
        device: str,
        query: str = "",
        game_key: str = "",
        page_number: int = 0,
        page_size: int = PAGE_SIZE,
        player_id: int = 0,
    ) -> SearchResults:
        """Return the results of a phone that contain all words of a query, the latest first.

        :param player_id: return only results of this player, under any of the player's names; 0 for all.
        """
        source, parameters = self._visible_source(device)
        conditions = ["over", "NOT hidden"]
        for word in name_key(query).split()[:8]:
            conditions.append("words LIKE ? ESCAPE '\\'")
            parameters.append(f"%{_escape_like(word)}%")
        if game_key:
            conditions.append("game = ?")
            parameters.append(game_key)
        if player_id:
            conditions.append(PLAYER_FILTER)
            parameters.append(player_id)
        from_clause = f"FROM {source} WHERE {' AND '.join(conditions)}"
        order = "seen.ended" if "seen" in source else "results.ended"
        rows = self._store.query(
            f"SELECT what {from_clause} ORDER BY {order} DESC, id LIMIT ? OFFSET ?",
            [*parameters, page_size, page_number * page_size],
        )
        (total,) = self._store.query(f"SELECT COUNT(*) {from_clause}", parameters)[0]
        return SearchResults(self._decode_results(rows), total)

    def latest_results(self, device: str, limit: int) -> list[Result]:
        """Return the latest results that a phone may see."""
        source, parameters = self._visible_source(device)
        order = "seen.ended" if "seen" in source else "results.ended"
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND NOT hidden ORDER BY {order} DESC LIMIT ?", [*parameters, limit]
        )
        return self._decode_results(rows)

    def visible_results(self, device: str, includes_hidden: bool = False) -> list[Result]:
        """Return all results that a phone may see, the earliest first.

        :param includes_hidden: include hidden results, for an export.
        """
        source, parameters = self._visible_source(device)
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND hidden <= ? ORDER BY results.ended, id",
            [*parameters, int(includes_hidden)],
        )
        return self._decode_results(rows)

    def all_results(self) -> list[Result]:
        """Return all results of the instance, including hidden ones, the earliest first."""
        return self._decode_results(self._store.query("SELECT what FROM results WHERE over ORDER BY ended, id"))

    def hidden_results(self) -> list[Result]:
        """Return the hidden results, the latest first."""
        return self._decode_results(
            self._store.query("SELECT what FROM results WHERE hidden AND over ORDER BY ended DESC")
        )

    def _visible_source(self, device: str) -> tuple[str, list]:
        """Return the FROM clause of the results that a phone may see, and its parameters."""
        if self._owners.is_owner(device):
            return "results", []
        return "seen CROSS JOIN results ON results.id = seen.result AND seen.device = ?", [device]

    def _decode_results(self, rows: Iterable[tuple]) -> list[Result]:
        """Decode stored results, leaving out those of games that no longer exist."""
        return [result for (data, *_) in rows if (result := _decode(data)).game in GAMES]

    # Photos

    def add_photo(self, id: str, device: str, photo: bytes, small: bytes) -> None:
        """Add a photo to a result.

        :raises HistoryError: when the result has the maximum number of photos.
        """
        with self._store.transaction() as db:
            (photo_count,) = db.execute("SELECT COUNT(*) FROM photos WHERE result = ?", [id]).fetchone()
            if photo_count >= MAX_PHOTOS:
                raise HistoryError(f"A result has {MAX_PHOTOS} photos at most; remove one first.")
            db.conn.execute(
                "INSERT INTO photos VALUES (?, ?, ?, ?, ?, ?)",
                [secrets.token_hex(8), id, device, timestamp(), photo, small],
            )

    def photos(self, id: str) -> list[Photo]:
        """Return the photos of a result, the earliest first."""
        return [
            Photo(*row)
            for row in self._store.query("SELECT id, device, at FROM photos WHERE result = ? ORDER BY rowid", [id])
        ]

    def photo(self, id: str, photo_id: str, is_small: bool) -> bytes | None:
        """Return a photo of a result as JPEG."""
        found = self._store.query(
            f"SELECT {'small' if is_small else 'photo'} FROM photos WHERE result = ? AND id = ?", [id, photo_id]
        )
        return found[0][0] if found else None

    def remove_photo(self, id: str, photo_id: str) -> None:
        """Delete a photo permanently."""
        self._store.db.conn.execute("PRAGMA secure_delete = ON")
        with self._store.transaction() as db:
            db.conn.execute("DELETE FROM photos WHERE result = ? AND id = ?", [id, photo_id])

    # Players

    def players(self, device: str) -> list[Player]:
        """Return the players in the results of a phone, those with the most games first."""
        own_source = (
            ""
            if self._owners.is_owner(device)
            else "seen CROSS JOIN parts ON parts.result = seen.result AND seen.device = ?"
        )
        counts = self._store.query(
            f"SELECT parts.name, COUNT(*), SUM(winner) FROM {own_source or 'parts'} "
            "WHERE counts AND name NOT NULL GROUP BY parts.name",
            [device] if own_source else [],
        )
        known, current_names = self.ids_by_name(), self.names_by_id()
        sums: dict[int, tuple[int, int]] = {}
        for name, plays, wins in counts:
            old_sums = sums.get(known[name], (0, 0))
            sums[known[name]] = (old_sums[0] + plays, old_sums[1] + wins)
        players = [Player(id, current_names[id], *sums_of_player) for id, sums_of_player in sums.items()]
        return sorted(players, key=lambda player: (-player.games_played, name_key(player.name)))

    def recent_names(self, device: str) -> tuple[str, ...]:
        """Return the names of the players in a phone's latest results, for suggestions.

        The players with the most games come first.
        """
        known, current_names = self.ids_by_name(), self.names_by_id()
        names = (
            name_key(part.name)
            for result in self.latest_results(device, RECENT_RESULTS)
            for part in result.players
            if not part.bot
        )
        return tuple(
            current_names[id] for id, _ in Counter(known[name] for name in names if name in known).most_common()
        )

    def names_by_id(self) -> dict[int, str]:
        """Return the current names of all players by their ids."""
        return dict(self._store.query("SELECT id, name FROM players"))

    def player_name(self, id: int) -> str | None:
        """Return the current name of a player."""
        found = self._store.query("SELECT name FROM players WHERE id = ?", [id])
        return found[0][0] if found else None

    def aliases(self, id: int) -> list[str]:
        """Return all names of a player in normalized form."""
        return [name for (name,) in self._store.query("SELECT name FROM names WHERE player = ? ORDER BY name", [id])]

    def ids_by_name(self) -> dict[str, int]:
        """Return the ids of all players by their normalized names."""
        return dict(self._store.query("SELECT name, player FROM names"))

    def export_players(self) -> list[dict]:
        """Return all players with all their names as data for an export."""
        aliases_by_id: dict[int, list[str]] = {}
        for name, player in self._store.query("SELECT name, player FROM names ORDER BY name"):
            aliases_by_id.setdefault(player, []).append(name)
        current_names = self.names_by_id()
        return [
            {"name": current_names[id], "names": names}
            for id, names in sorted(aliases_by_id.items(), key=lambda item: item[1])
        ]

    def import_player(self, name: str, names: Iterable[str]) -> bool:
        """Import a player with some names; return whether the player is new.

        A known player with any of these names gets the others, too.
        """
        known = self.ids_by_name()
        names = [name_key(alias)[:MAX_NAME_LENGTH] for alias in names if alias.strip() and not is_placeholder(alias)]
        player = next((known[alias] for alias in names if alias in known), None)
        with self._store.transaction() as db:
            is_new = player is None and bool(names)
            if is_new:
                player = db.table("players").insert({"name": name[:MAX_NAME_LENGTH]}).last_pk
            db.conn.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", [(alias, player) for alias in names])
        return is_new

    def bgg_ids(self) -> dict[str, int]:
        """Return the known BoardGameGeek ids by game; an id entered here has precedence."""
        stored_ids = dict(self._store.query("SELECT game, number FROM bgg"))
        return {key: number for key, game in GAMES.items() if (number := stored_ids.get(key) or game.box.bgg_id)}

    def set_bgg_id(self, game_key: str, bgg_id: int, overwrites: bool = True) -> None:
        """Store a game's BoardGameGeek id.

        :param bgg_id: the id; 0 if the game has no id.
        :param overwrites: replace an id that was stored before.
        """
        with self._store.transaction() as db:
            conflict_action = "REPLACE" if overwrites else "IGNORE"
            db.conn.execute(f"INSERT OR {conflict_action} INTO bgg VALUES (?, ?)", [game_key, bgg_id])

    def results_of_player(self, id: int, device: str) -> list[Result]:
        """Return the results of a player that a phone may see, the earliest first."""
        source, parameters = self._visible_source(device)
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND NOT hidden AND {PLAYER_FILTER} "
            "ORDER BY results.ended, results.id",
            [*parameters, id],
        )
        return self._decode_results(rows)

    def rename(self, id: int, name: str) -> None:
        """Rename a player; the new name and all previous ones mean this player from now on.

        :raises HistoryError: when the name is invalid or another player has it.
        """
        name = " ".join(name.split())
        if not 1 <= len(name) <= MAX_NAME_LENGTH:
            raise HistoryError(f"A name has 1 to {MAX_NAME_LENGTH} characters.")
        if is_placeholder(name):
            raise HistoryError(f"Players who were forgotten are called {PLACEHOLDER_NAME}; choose another name.")
        with self._store.transaction() as db:
            holder = db.execute("SELECT player FROM names WHERE name = ?", [name_key(name)]).fetchone()
            if holder and holder[0] != id:
                raise HistoryError(f"Another player is called {name}. To make one of the two, put them together.")
            db.conn.execute("UPDATE players SET name = ? WHERE id = ?", [name, id])
            db.conn.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", [name_key(name), id])

    def merge(self, id: int, into_id: int) -> None:
        """Merge a player into another one, who keeps the name and gets all results.

        :raises HistoryError: when they have played against each other, or are not two existing players.
        """
        if id == into_id or self.player_name(id) is None or self.player_name(into_id) is None:
            raise HistoryError("Choose another player.")
        with self._store.transaction() as db:
            common_result = db.execute(
                """SELECT results.what FROM parts AS one JOIN parts AS other ON one.result = other.result
                   JOIN results ON results.id = one.result JOIN names AS a ON a.name = one.name AND a.player = ?
                   JOIN names AS b ON b.name = other.name AND b.player = ? LIMIT 1""",
                [id, into_id],
            ).fetchone()
            if common_result:
                result = _decode(common_result[0])
                raise HistoryError(
                    f"They have played {result.box.title} against each other on {result.date}: they are two."
                )
            db.conn.execute("UPDATE names SET player = ? WHERE player = ?", [into_id, id])
            db.conn.execute("DELETE FROM players WHERE id = ?", [id])

    def split(self, id: int, name: str) -> int:
        """Make one of a player's names a separate player, and return the new player's id.

        :raises HistoryError: when the player does not have this name, or has no other.
        """
        with self._store.transaction() as db:
            names = self.aliases(id)
            if name not in names or len(names) == 1:
                raise HistoryError("This player has no other name.")
            spelling = next((candidate for candidate in self._spellings(name) if name_key(candidate) == name), name)
            player = db.table("players").insert({"name": spelling}).last_pk
            assert isinstance(player, int)
            db.conn.execute("UPDATE names SET player = ? WHERE name = ?", [player, name])
        return player

    def _spellings(self, name: str) -> list[str]:
        """Return the names of the players in one result with this name."""
        rows = self._store.query(
            "SELECT what FROM results JOIN parts ON parts.result = results.id AND parts.name = ? LIMIT 1", [name]
        )
        return [part.name for (data,) in rows for part in _decode(data).players]

    def erase_player(self, id: int) -> None:
        """Erase a player's names from results, logs, verdicts and card facts.

        The results of other players stay, with a placeholder as the name.
        """
        self._store.db.conn.execute("PRAGMA secure_delete = ON")  # overwritten data must not remain in the file
        with self._store.transaction() as db:
            for name in self.aliases(id):
                self._erase_in_results(name, erase_in_logs(self._store, name))
            db.conn.execute("DELETE FROM names WHERE player = ?", [id])
            db.conn.execute("DELETE FROM players WHERE id = ?", [id])
        self._store.cache.clear()
        name_key.cache_clear()
        self._store.query("PRAGMA wal_checkpoint(TRUNCATE)")

    def _erase_in_results(self, name: str, replacements: Mapping[str, Mapping[str, str]]) -> None:
        """Replace a player's name in the results.

        :param replacements: the replacements of the name's spellings in the logs, by the code of each table; a result
            without a table gets a new placeholder.
        """
        with self._store.transaction() as db:
            for (data,) in db.execute(
                "SELECT what FROM results JOIN parts ON parts.result = results.id WHERE parts.name = ?", [name]
            ).fetchall():
                result = _decode(data)
                for part in result.players:
                    if name_key(part.name) == name:
                        placeholder = replacements.get(result.code, {}).get(part.name)
                        result = _erase_name(
                            result, part.name, placeholder or new_placeholder(player.name for player in result.players)
                        )
                db.conn.execute(
                    "UPDATE results SET what = ?, words = ? WHERE id = ?",
                    [_encode(result).decode(), search_text(result), result.id],
                )
            db.conn.execute("UPDATE parts SET name = NULL WHERE name = ?", [name])


def _erase_name(result: Result, name: str, replacement: str) -> Result:
    return replace(
        result,
        players=tuple(replace(part, name=replacement) if part.name == name else part for part in result.players),
        verdict=replace_name(name, replacement, result.verdict),
        note=replace_name(name, replacement, result.note),
        where=replace_name(name, replacement, result.where),
    )


def _escape_like(word: str) -> str:
    """Return a word with the wildcards of LIKE escaped."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
