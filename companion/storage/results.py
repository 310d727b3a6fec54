"""The results of an instance's games. Independent of HTTP.

A phone sees the results of tables it has played at and the results it has added; the owner's phones see all.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.history.duplicates import SimilarResult, group_by_day, similar_result, with_current_names
from companion.history.result import (
    MAX_OTHER_IDS,
    Result,
    build_result,
    name_key,
    search_terms,
    search_text,
    with_entered_values,
)
from companion.log.apply import CorruptLogError
from companion.log.table import Table
from companion.storage.erasure import is_placeholder
from companion.storage.owner import Owners
from companion.storage.players import Players
from companion.storage.store import Store, TableNotFoundError
from scoring.games import GAMES
from scoring.kernel.errors import InvalidInputError

ID_LENGTH = 6  # letters of a result's id; a table's code has five
PAGE_SIZE = 30  # results per page
MAX_SEARCH_WORDS = 8
WORD_CONDITION = "words LIKE ? ESCAPE '\\'"

EARLIEST_FIRST = "ORDER BY listed.ended, rowid"  # those of one time as they were added
LATEST_FIRST = "ORDER BY listed.ended DESC, rowid DESC"
OF_PLAYER = "id IN (SELECT result FROM parts JOIN names ON names.name = parts.name AND names.player = ?)"

_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(Result).decode


class SearchResults(NamedTuple):
    """A page of search results, the latest first."""

    results: list[Result]
    total: int  # the number of results on all pages


class Results:
    """The results of one instance, each as the phones that may see it find it."""

    def __init__(self, store: Store, owners: Owners, players: Players):
        self._store = store
        self._owners = owners
        self._players = players

    # Recording

    def record_entry(self, before: Table, after: Table) -> None:
        """Save the result of a table that is over, or withdraw it when the game goes on after all.

        Runs in the transaction that writes the entry.
        """
        if after.is_over:
            new_devices = set(after.last_entry_by) - set(before.last_entry_by)
            has_changed = before.sheet != after.sheet or before.piece_colors != after.piece_colors
            if not before.is_over or new_devices or has_changed:
                self._record(after)
        elif before.is_over:
            with self._store.transaction() as db:
                db.execute("UPDATE results SET over = 0 WHERE code = ?", [after.code])
                table_condition = "result IN (SELECT id FROM results WHERE code = ?)"
                db.execute(f"UPDATE parts SET counts = 0 WHERE {table_condition}", [after.code])

    def _record(self, table: Table) -> None:
        known = self.of_table(table.code, only_over=False)
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
                    self._record(table)
                db.execute("DELETE FROM unread WHERE id = ?", [id])
            on_progress(number, len(waiting))

    def unread_count(self) -> int:
        """Return the number of tables whose result is not recorded yet."""
        return self._store.value("SELECT COUNT(*) FROM unread")

    def save(self, result: Result, device: str, viewer_devices: Iterable[str] = ()) -> None:
        """Save a result, replacing any result with the same id.

        :param viewer_devices: the phones that may see the result, in addition to those that may already.
        :raises InvalidInputError: when the result could not be read again, such as one with too long an id.
        """
        encoded = _encode(result)
        try:
            _decode(encoded)
        except msgspec.ValidationError as error:
            raise InvalidInputError(f"the result of {result.date} cannot be stored: {error}") from None
        with self._store.transaction() as db:
            db.table("results").upsert(
                {
                    "id": result.id, "code": result.code or None, "game": result.game, "ended": result.order_time,
                    "device": device, "over": 1, "hidden": int(result.hidden), "words": search_text(result),
                    "what": encoded.decode(),
                },
                pk="id",
            )  # fmt: skip
            db.execute("DELETE FROM parts WHERE result = ?", [result.id])
            for seat, part in enumerate(result.players):
                is_counted = part.is_person and not is_placeholder(part.name)
                name = name_key(part.name) if is_counted else None
                row = [result.id, seat, name, part.winner and not result.is_solo, not result.hidden]
                db.execute("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", row)
                if name is not None:
                    self._players.add(part.name, [name])
            db.execute("UPDATE OR REPLACE seen SET ended = ? WHERE result = ?", [result.order_time, result.id])
            for phone in filter(None, (device, *viewer_devices)):
                self._let_see(phone, result)

    def enter(self, result: Result, device: str) -> Result:
        """Save a result that a player typed, and return it with its new id."""
        with self._store.transaction():
            result = replace(result, id=self._store.unused_code(ID_LENGTH), by_hand=True)
            self.save(result, device)
        return result

    def import_result(self, result: Result, device: str) -> bool:
        """Save a result from a file unless its id is known; return whether it was new."""
        with self._store.transaction():
            if result.id and self._find("id = ?", result.id):
                return False
            self.add_imported(result, device)
        return True

    def add_imported(self, result: Result, device: str) -> str:
        """Save a result from a file, with a new id if it has none or its id is taken; return the id."""
        with self._store.transaction():
            has_free_id = result.id and not self._find("id = ?", result.id)
            id = result.id if has_free_id else self._store.unused_code(ID_LENGTH)
            code = "" if result.code and self.of_table(result.code, only_over=False) else result.code
            self.save(replace(result, id=id, code=code), device)
        return id

    def add_ids(self, id: str, other_ids: Iterable[str], device: str) -> None:
        """Add the ids that a result has in other programs, and let a phone see the result."""
        if result := self.find(id):
            all_ids = tuple(dict.fromkeys((*result.other_ids, *other_ids)))[:MAX_OTHER_IDS]
            if all_ids != result.other_ids:
                self.change(id, other_ids=all_ids)
            if device:
                self._let_see(device, result)

    def delete(self, id: str) -> None:
        """Delete a result with its photos."""
        with self._store.transaction() as db:
            db.execute("DELETE FROM results WHERE id = ?", [id])
            for table in ("parts", "seen", "photos"):
                db.execute(f"DELETE FROM {table} WHERE result = ?", [id])

    def grant_access(self, device: str, code: str) -> None:
        """Let a phone see the result of a table."""
        if device and (result := self.of_table(code)):
            self._let_see(device, result)

    def _let_see(self, device: str, result: Result) -> None:
        with self._store.transaction() as db:
            db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", [device, result.order_time, result.id])

    def change(self, id: str, **changes: object) -> None:
        """Change fields of a result: whether it is hidden, its place, or typed values."""
        with self._store.transaction():
            if result := self.find(id):
                device = self._store.value("SELECT device FROM results WHERE id = ?", [id])
                self.save(replace(result, **changes), device)

    # Reading

    def find(self, id: str) -> Result | None:
        """Return a result, unless its table is being played again."""
        return self._find("id = ? AND over", id)

    def of_table(self, code: str, only_over: bool = True) -> Result | None:
        """Return the result of a table.

        :param only_over: return None when the game has gone on since.
        """
        return self._find("code = ? AND over >= ?", code, only_over)

    def _find(self, condition: str, *parameters: object) -> Result | None:
        return next(iter(self._read(f"results WHERE {condition}", parameters)), None)

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
        source, parameters = self._visible(device)
        source += " AND NOT hidden"
        for term in search_terms(query)[:MAX_SEARCH_WORDS]:
            source += f" AND ({' OR '.join([WORD_CONDITION] * len(term))})"
            escaped = [re.sub(r"[\\%_]", r"\\\g<0>", word) for word in term]  # the wildcards of LIKE
            parameters += [f"%{word}%" for word in escaped]
        if game_key:
            source += " AND game = ?"
            parameters.append(game_key)
        if player_id:
            source += f" AND {OF_PLAYER}"
            parameters.append(player_id)
        total = self._store.value(f"SELECT COUNT(*) FROM {source}", parameters)
        page = [*parameters, page_size, page_number * page_size]
        return SearchResults(self._read(f"{source} {LATEST_FIRST} LIMIT ? OFFSET ?", page), total)

    def find_similar(self, result: Result) -> SimilarResult | None:
        """Return a result that is probably of the same game, or None; any phone may have added it."""
        in_utc = "ended >= date(?, '-1 day') AND ended < date(?, '+2 days')"  # the day may differ there
        others = self._read(f"results WHERE over AND game = ? AND {in_utc}", [result.game, result.date, result.date])
        names = self._players.current_names()
        groups = group_by_day(with_current_names(other, names) for other in others)
        return similar_result(with_current_names(result, names), groups)

    def latest_colors(self, device: str, game_key: str) -> dict[str, str]:
        """Return the color of each player's piece in their latest game, by normalized name.

        Only the latest page of results that the phone may see is searched.
        """
        colors: dict[str, str] = {}
        for result in self.search(device, game_key=game_key).results:
            for part in result.players:
                if part.color and part.is_person:
                    colors.setdefault(name_key(part.name), part.color)
        return colors

    def latest(self, device: str, limit: int) -> list[Result]:
        """Return the latest results that a phone may see."""
        source, parameters = self._visible(device)
        return self._read(f"{source} AND NOT hidden {LATEST_FIRST} LIMIT ?", [*parameters, limit])

    def visible(self, device: str, includes_hidden: bool = False) -> list[Result]:
        """Return all results that a phone may see, the earliest first.

        :param includes_hidden: include hidden results, for an export.
        """
        source, parameters = self._visible(device)
        return self._read(f"{source} AND hidden <= ? {EARLIEST_FIRST}", [*parameters, includes_hidden])

    def of_player(self, id: int, device: str) -> list[Result]:
        """Return the results of a player that a phone may see, the earliest first."""
        source, parameters = self._visible(device)
        return self._read(f"{source} AND NOT hidden AND {OF_PLAYER} {EARLIEST_FIRST}", [*parameters, id])

    def all(self) -> list[Result]:
        """Return all results of the instance, including hidden ones, the earliest first."""
        return self._read(f"results AS listed WHERE over {EARLIEST_FIRST}")

    def hidden(self) -> list[Result]:
        """Return the hidden results, the latest first."""
        return self._read(f"results AS listed WHERE hidden AND over {LATEST_FIRST}")

    def _visible(self, device: str) -> tuple[str, list]:
        """Return the source of a query for the results that a phone may see, and its parameters.

        Its order is that of `listed.ended`, for which both tables have an index, and then that in which results were
        added: a file with a whole day keeps its order.
        """
        if self._owners.is_owner(device):
            return "results AS listed WHERE over", []
        return "seen AS listed CROSS JOIN results ON id = listed.result AND listed.device = ? WHERE over", [device]

    def _read(self, source: str, parameters: Iterable = ()) -> list[Result]:
        """Return the results from a source, leaving out those of games that no longer exist."""
        results = map(_decode, self._store.column(f"SELECT what FROM {source}", [*parameters]))
        return [result for result in results if result.game in GAMES]
