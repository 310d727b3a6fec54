"""The history of an instance: results and their photos, and the players it remembers. Knows no HTTP.

Who sees what: the phones that were at a table see its result, whoever typed one in sees that, the owner's phones see all.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.history.result import Result, build_result, name_key, replace_name, search_text, with_entered_values
from companion.log.apply import CorruptLogError
from companion.log.table import Table
from companion.storage.erasure import PLACEHOLDER_NAME, erase_in_logs, is_placeholder, new_placeholder
from companion.storage.owner import Owners
from companion.storage.store import Store, TableNotFoundError, timestamp
from scoring.games import GAMES
from scoring.kernel.documents import MAX_NAME_LENGTH

ID_LENGTH = 6  # of a result; a table's code has five
PAGE_SIZE = 30  # results
MAX_PHOTOS = 12  # of a result
RECENT_RESULTS = 30  # results whose players are offered where names are typed

PLAYER_FILTER = "results.id IN (SELECT result FROM parts JOIN names ON names.name = parts.name AND names.player = ?)"

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(Result).decode


class HistoryError(Exception):
    """This cannot be done with a player or a result; the text says why."""


class Player(NamedTuple):
    """Somebody the instance remembers."""

    id: int
    name: str
    games_played: int
    wins: int


class Photo(NamedTuple):
    """A photo of the real table, as it is listed."""

    id: str
    device: str
    created_at: str


class SearchResults(NamedTuple):
    """A page of results, the latest first."""

    results: list[Result]
    total: int  # of all that were looked for


class History:
    """The results, photos and players of one instance."""

    def __init__(self, store: Store, owners: Owners):
        self._store = store
        self._owners = owners

    # How a table came out is written with the entry that ends it

    def record_entry(self, before: Table, after: Table) -> None:
        """Write how a table came out, in the transaction of its last entry; or that it goes on after all."""
        if after.is_over:
            new = set(after.last_entry_by) - set(before.last_entry_by)
            if not before.is_over or new or before.sheet != after.sheet:
                self._write_result(after)
        elif before.is_over:
            with self._store.transaction() as db:
                db.conn.execute("UPDATE results SET over = 0 WHERE code = ?", [after.code])
                of_it = "result IN (SELECT id FROM results WHERE code = ?)"
                db.conn.execute(f"UPDATE parts SET counts = 0 WHERE {of_it}", [after.code])

    def _write_result(self, table: Table) -> None:
        known = self.result_of_table(table.code, only_over=False)
        result = build_result(table, known.id if known else self._new_id())
        if known:
            result = with_entered_values(result, known)
        self.save(result, table.host, table.last_entry_by)

    def catch_up(self, on_progress: Callable[[int, int], object] = lambda done, of: None) -> None:
        """Write how tables came out that were over before there was a history."""
        waiting = self._store.query(
            "SELECT unread.id, code FROM unread LEFT JOIN tables ON tables.id = unread.id ORDER BY unread.id"
        )
        for done, (id, code) in enumerate(waiting, 1):
            try:
                table = self._store.table_at_entry(code, 10**9) if code else None
            except (CorruptLogError, TableNotFoundError):  # it cannot be opened either
                table = None
            with self._store.transaction() as db:
                if table and table.is_over:
                    self._write_result(table)
                db.conn.execute("DELETE FROM unread WHERE id = ?", [id])
            on_progress(done, len(waiting))

    def unread_count(self) -> int:
        """Return at how many tables has not been looked yet."""
        return self._store.query("SELECT COUNT(*) FROM unread")[0][0]

    def save(self, result: Result, device: str, viewer_devices: Iterable[str] = ()) -> None:
        """Write a result, in place of what it was known as before; some phones may see it."""
        with self._store.transaction() as db:
            db.table("results").upsert(
                {
                    "id": result.id, "code": result.code or None, "game": result.game, "ended": result.ended, "device": device,
                    "over": 1, "hidden": int(result.hidden), "words": search_text(result), "what": _encode(result).decode(),
                },
                pk="id",
            )  # fmt: skip
            db.conn.execute("DELETE FROM parts WHERE result = ?", [result.id])
            for seat, part in enumerate(result.players):
                name = None if part.bot or is_placeholder(part.name) else name_key(part.name)
                won = part.winner and not result.is_solo
                said = [result.id, seat, name, int(won), int(not result.hidden)]
                db.conn.execute("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", said)
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
        """Write a result that was typed in, under an id of its own."""
        with self._store.transaction():
            result = replace(result, id=self._new_id(), by_hand=True)
            self.save(result, device)
        return result

    def _new_id(self) -> str:
        while True:
            id = self._store.random_code(ID_LENGTH)
            if not self._store.query("SELECT 1 FROM results WHERE id = ?", [id]):
                return id

    def import_result(self, result: Result, device: str) -> bool:
        """Write a result that came in a file, if it is not here; return whether it was not."""
        with self._store.transaction():
            if result.id and self._find_one("id = ?", result.id):
                return False
            code = "" if result.code and self.result_of_table(result.code, only_over=False) else result.code
            self.save(replace(result, id=result.id or self._new_id(), code=code), device)
        return True

    def grant_access(self, device: str, code: str) -> None:
        """Let a phone see how a table came out."""
        if device and (result := self.result_of_table(code)):
            with self._store.transaction() as db:
                db.conn.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", [device, result.ended, result.id])

    # Results

    def result(self, id: str) -> Result | None:
        """Return a result, of a table that is over still."""
        return self._find_one("id = ? AND over", id)

    def result_of_table(self, code: str, only_over: bool = True) -> Result | None:
        """Return the result of a table, if it is over; or how it came out before it went on."""
        return self._find_one("code = ? AND over >= ?", code, int(only_over))

    def _find_one(self, where: str, *parameters: Any) -> Result | None:
        found = self._decode_results(self._store.query(f"SELECT what FROM results WHERE {where}", parameters))
        return found[0] if found else None

    def can_see(self, device: str, id: str) -> bool:
        """Return whether a result is in the history of a phone."""
        seen = self._store.query("SELECT 1 FROM seen WHERE device = ? AND result = ?", [device, id])
        return bool(seen) or self._owners.is_owner(device)

    def can_change(self, device: str, id: str) -> bool:
        """Return whether a phone may leave a result out, or say more of it: the owner's, and the one that typed it in."""
        typed = "SELECT 1 FROM results WHERE id = ? AND device = ? AND code IS NULL"
        return self._owners.is_owner(device) or bool(self._store.query(typed, [id, device]))

    def change(self, id: str, **changes: Any) -> None:
        """Say something of a result otherwise: leave it out of lists and figures, where it was played, what was typed wrongly."""
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
        """Return those of a phone's results that have all words of a search, the latest first.

        :param player: only those in which this one played, under whatever name; 0: whoever played.
        """
        source, given = self._visible_source(device)
        where = ["over", "NOT hidden"]
        for word in name_key(query).split()[:8]:
            where.append("words LIKE ? ESCAPE '\\'")
            given.append(f"%{_escape_like(word)}%")
        if game_key:
            where.append("game = ?")
            given.append(game_key)
        if player_id:
            where.append(PLAYER_FILTER)
            given.append(player_id)
        said = f"FROM {source} WHERE {' AND '.join(where)}"
        order = "seen.ended" if "seen" in source else "results.ended"
        rows = self._store.query(
            f"SELECT what {said} ORDER BY {order} DESC, id LIMIT ? OFFSET ?",
            [*given, page_size, page_number * page_size],
        )
        (total,) = self._store.query(f"SELECT COUNT(*) {said}", given)[0]
        return SearchResults(self._decode_results(rows), total)

    def latest_results(self, device: str, limit: int) -> list[Result]:
        """Return the last results of tables this phone was at, or that it typed in; for the owner's, of all."""
        source, given = self._visible_source(device)
        order = "seen.ended" if "seen" in source else "results.ended"
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND NOT hidden ORDER BY {order} DESC LIMIT ?", [*given, limit]
        )
        return self._decode_results(rows)

    def visible_results(self, device: str, includes_hidden: bool = False) -> list[Result]:
        """Return all results of a phone in the order in which they came out; for an export also those left out."""
        source, given = self._visible_source(device)
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND hidden <= ? ORDER BY results.ended, id",
            [*given, int(includes_hidden)],
        )
        return self._decode_results(rows)

    def all_results(self) -> list[Result]:
        """Return all results there are, whoever may see them, in the order in which they came out."""
        return self._decode_results(self._store.query("SELECT what FROM results WHERE over ORDER BY ended, id"))

    def hidden_results(self) -> list[Result]:
        """Return the results that were left out, the latest first."""
        return self._decode_results(
            self._store.query("SELECT what FROM results WHERE hidden AND over ORDER BY ended DESC")
        )

    def _visible_source(self, device: str) -> tuple[str, list]:
        """Return where a phone's results are looked for, and what that asks for."""
        if self._owners.is_owner(device):
            return "results", []
        return "seen CROSS JOIN results ON results.id = seen.result AND seen.device = ?", [device]

    def _decode_results(self, rows: Iterable[tuple]) -> list[Result]:
        """Return results as they are stored, but those of games that are no longer in the house."""
        return [result for (what, *_) in rows if (result := _decode(what)).game in GAMES]

    # Photos of the real table

    def add_photo(self, id: str, device: str, photo: bytes, small: bytes) -> None:
        """Put a photo to a result.

        :raises Refused: when there are as many as a result can have.
        """
        with self._store.transaction() as db:
            (many,) = db.execute("SELECT COUNT(*) FROM photos WHERE result = ?", [id]).fetchone()
            if many >= MAX_PHOTOS:
                raise HistoryError(f"A result has {MAX_PHOTOS} photos at most; remove one first.")
            db.conn.execute(
                "INSERT INTO photos VALUES (?, ?, ?, ?, ?, ?)",
                [secrets.token_hex(8), id, device, timestamp(), photo, small],
            )

    def photos(self, id: str) -> list[Photo]:
        """Return the photos of a result, the first taken first."""
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
        """Delete a photo for good."""
        self._store.db.conn.execute("PRAGMA secure_delete = ON")
        with self._store.transaction() as db:
            db.conn.execute("DELETE FROM photos WHERE result = ? AND id = ?", [id, photo_id])

    # Players

    def players(self, device: str) -> list[Player]:
        """Return who played in the results of a phone, the most often first."""
        own = (
            ""
            if self._owners.is_owner(device)
            else "seen CROSS JOIN parts ON parts.result = seen.result AND seen.device = ?"
        )
        counted = self._store.query(
            f"SELECT parts.name, COUNT(*), SUM(winner) FROM {own or 'parts'} WHERE counts AND name NOT NULL GROUP BY parts.name",
            [device] if own else [],
        )
        known, called = self.ids_by_name(), self.names_by_id()
        sums: dict[int, tuple[int, int]] = {}
        for name, plays, wins in counted:
            before = sums.get(known[name], (0, 0))
            sums[known[name]] = (before[0] + plays, before[1] + wins)
        players = [Player(id, called[id], *both) for id, both in sums.items()]
        return sorted(players, key=lambda player: (-player.games_played, name_key(player.name)))

    def recent_names(self, device: str) -> tuple[str, ...]:
        """Return what those are called who played in a phone's last results, the most often first: to be typed no more."""
        known, called = self.ids_by_name(), self.names_by_id()
        names = (
            name_key(part.name)
            for result in self.latest_results(device, RECENT_RESULTS)
            for part in result.players
            if not part.bot
        )
        return tuple(called[id] for id, _ in Counter(known[name] for name in names if name in known).most_common())

    def names_by_id(self) -> dict[int, str]:
        """Return what all players are called now."""
        return dict(self._store.query("SELECT id, name FROM players"))

    def player_name(self, id: int) -> str | None:
        """Return the name of a player."""
        found = self._store.query("SELECT name FROM players WHERE id = ?", [id])
        return found[0][0] if found else None

    def aliases(self, id: int) -> list[str]:
        """Return what a player has been called, as names are compared."""
        return [name for (name,) in self._store.query("SELECT name FROM names WHERE player = ? ORDER BY name", [id])]

    def ids_by_name(self) -> dict[str, int]:
        """Return who is meant by each name."""
        return dict(self._store.query("SELECT name, player FROM names"))

    def export_players(self) -> list[dict]:
        """Return all players with all their names, as a file has them."""
        called: dict[int, list[str]] = {}
        for name, player in self._store.query("SELECT name, player FROM names ORDER BY name"):
            called.setdefault(player, []).append(name)
        written = self.names_by_id()
        return [{"name": written[id], "names": names} for id, names in sorted(called.items(), key=lambda each: each[1])]

    def import_player(self, name: str, names: Iterable[str]) -> bool:
        """Know a player by some names; whoever is known by one of them already is known by all. Return whether nobody was."""
        known = self.ids_by_name()
        names = [name_key(each)[:MAX_NAME_LENGTH] for each in names if each.strip() and not is_placeholder(each)]
        player = next((known[each] for each in names if each in known), None)
        with self._store.transaction() as db:
            new = player is None and bool(names)
            if new:
                player = db.table("players").insert({"name": name[:MAX_NAME_LENGTH]}).last_pk
            db.conn.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", [(each, player) for each in names])
        return new

    def bgg_ids(self) -> dict[str, int]:
        """Return the numbers of the games at BoardGameGeek, where they are known: those of the boxes, those told here."""
        told = dict(self._store.query("SELECT game, number FROM bgg"))
        return {key: number for key, game in GAMES.items() if (number := told.get(key) or game.box.bgg_id)}

    def set_bgg_id(self, game_key: str, bgg_id: int, overwrites: bool = True) -> None:
        """Keep a game's number at BoardGameGeek; 0: none is known. Not `over`: only where none was told."""
        with self._store.transaction() as db:
            said = "REPLACE" if overwrites else "IGNORE"
            db.conn.execute(f"INSERT OR {said} INTO bgg VALUES (?, ?)", [game_key, bgg_id])

    def results_of_player(self, id: int, device: str) -> list[Result]:
        """Return the results of a player that a phone may see, in the order in which they came out."""
        source, given = self._visible_source(device)
        rows = self._store.query(
            f"SELECT what FROM {source} WHERE over AND NOT hidden AND {PLAYER_FILTER} ORDER BY results.ended, results.id",
            [*given, id],
        )
        return self._decode_results(rows)

    def rename(self, id: int, name: str) -> None:
        """Call a player otherwise from now on; whoever types the new name is this player, too.

        :raises Refused: when it is no name, or another player's.
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
        """Make one player of two: the first is known as the second from now on.

        :raises Refused: when they have played against each other, or are not two.
        """
        if id == into_id or self.player_name(id) is None or self.player_name(into_id) is None:
            raise HistoryError("Choose another player.")
        with self._store.transaction() as db:
            together = db.execute(
                """SELECT results.what FROM parts AS one JOIN parts AS other ON one.result = other.result
                   JOIN results ON results.id = one.result JOIN names AS a ON a.name = one.name AND a.player = ?
                   JOIN names AS b ON b.name = other.name AND b.player = ? LIMIT 1""",
                [id, into_id],
            ).fetchone()
            if together:
                played = _decode(together[0])
                raise HistoryError(
                    f"They have played {played.box.title} against each other on {played.date}: they are two."
                )
            db.conn.execute("UPDATE names SET player = ? WHERE player = ?", [into_id, id])
            db.conn.execute("DELETE FROM players WHERE id = ?", [id])

    def split(self, id: int, name: str) -> int:
        """Make whoever was called by one of a player's names a player of their own, and return that one.

        :raises Refused: when the player has no such name, or no other.
        """
        with self._store.transaction() as db:
            names = self.aliases(id)
            if name not in names or len(names) == 1:
                raise HistoryError("This player has no other name.")
            written = next((each for each in self._spellings(name) if name_key(each) == name), name)
            player = db.table("players").insert({"name": written}).last_pk
            assert isinstance(player, int)
            db.conn.execute("UPDATE names SET player = ? WHERE name = ?", [player, name])
        return player

    def _spellings(self, name: str) -> list[str]:
        """Return how a name was written in the results."""
        rows = self._store.query(
            "SELECT what FROM results JOIN parts ON parts.result = results.id AND parts.name = ? LIMIT 1", [name]
        )
        return [part.name for (what,) in rows for part in _decode(what).players]

    def erase_player(self, id: int) -> None:
        """Take a player's names out of everything: results, logs, verdicts, boxes. Others' results stay."""
        self._store.db.conn.execute("PRAGMA secure_delete = ON")  # what is written over is not left lying in the file
        with self._store.transaction() as db:
            for name in self.aliases(id):
                self._erase_in_results(name, erase_in_logs(self._store, name))
            db.conn.execute("DELETE FROM names WHERE player = ?", [id])
            db.conn.execute("DELETE FROM players WHERE id = ?", [id])
        self._store.clear_cache()
        name_key.cache_clear()
        self._store.query("PRAGMA wal_checkpoint(TRUNCATE)")

    def _erase_in_results(self, name: str, replacements: Mapping[str, Mapping[str, str]]) -> None:
        """Call a player in the results as their tables do now; where no table is left, otherwise than everybody else."""
        with self._store.transaction() as db:
            for (what,) in db.execute(
                "SELECT what FROM results JOIN parts ON parts.result = results.id WHERE parts.name = ?", [name]
            ).fetchall():
                result = _decode(what)
                for part in result.players:
                    if name_key(part.name) == name:
                        instead = replacements.get(result.code, {}).get(part.name)
                        result = _erase_name(
                            result, part.name, instead or new_placeholder(each.name for each in result.players)
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
    """Return a word as LIKE takes it letter by letter."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
