"""Erases a player's names from the whole database; only this changes stored log entries."""

import json
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from companion.history.result import Result, name_key, replace_name, search_text, unused_name
from companion.storage.imports import erase_in_imports
from companion.storage.store import Store

PLACEHOLDER_NAME = "Somebody"  # replaces an erased player's name in results that other players keep
SETUP_TAGS = ("Opened", "SetUp")  # payload types that name the players
# The fields of free text, by payload type.
TEXT_FIELDS = {"Judged": ("question", "answer", "because"), "OwnRuling": ("question", "reading")}
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def new_placeholder(other_names: Iterable[str]) -> str:
    """Return a name for an erased player that none of the other names equals."""
    return unused_name(PLACEHOLDER_NAME, set(map(name_key, other_names)))


def is_placeholder(name: str) -> bool:
    """Return whether this is the name of an erased player."""
    return name_key(name).rstrip("0123456789 ") == name_key(PLACEHOLDER_NAME)


def erase_player(store: Store, id: int) -> None:
    """Erase a player's names from results, logs, verdicts, card facts and lessons.

    The results of other players stay, with a placeholder as the name.
    """
    store.query("PRAGMA secure_delete = ON")  # overwritten data must not remain in the file
    with store.transaction() as db:
        for name in store.column("SELECT name FROM names WHERE player = ?", [id]):
            db.execute("DELETE FROM learners WHERE name = ?", [name])
            db.execute("DELETE FROM lessons WHERE name = ?", [name])
            erase_in_imports(store, name)
            _erase_in_results(store, name, _erase_in_logs(store, name))
        db.execute("DELETE FROM names WHERE player = ?", [id])
        db.execute("DELETE FROM players WHERE id = ?", [id])
    store.cache.clear()
    name_key.cache_clear()
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")


def _erase_in_results(store: Store, name: str, replacements: Mapping[str, Mapping[str, str]]) -> None:
    """Replace a player's name in the results.

    :param replacements: the replacements of the name's spellings in the logs, by the code of each table; a result
        without a table gets a new placeholder.
    """
    with store.transaction() as db:
        for data in store.column(
            "SELECT what FROM results JOIN parts ON parts.result = results.id WHERE parts.name = ?", [name]
        ):
            result = msgspec.json.decode(data, type=Result)
            for spelling in [part.name for part in result.players if name_key(part.name) == name]:
                placeholder = replacements.get(result.code, {}).get(spelling)
                result = _erase_in_result(
                    result, spelling, placeholder or new_placeholder(part.name for part in result.players)
                )
            db.execute(
                "UPDATE results SET what = ?, words = ? WHERE id = ?",
                [msgspec.json.encode(result).decode(), search_text(result), result.id],
            )
        db.execute("UPDATE parts SET name = NULL WHERE name = ?", [name])


def _erase_in_result(result: Result, name: str, replacement: str) -> Result:
    return replace(
        result,
        players=tuple(replace(part, name=replacement) if part.name == name else part for part in result.players),
        verdict=replace_name(name, replacement, result.verdict),
        note=replace_name(name, replacement, result.note),
        where=replace_name(name, replacement, result.where),
    )


def _erase_in_logs(store: Store, name: str) -> dict[str, dict[str, str]]:
    """Replace a player's name in every log, and in the card facts and house rules.

    :param name: the name in its normalized form (`name_key`).
    :return: by the code of each table, the replacement of each spelling of the name.
    """
    replacements: dict[str, dict[str, str]] = {}
    for id, code in _tables_of_player(store, name):
        entries = store.query("SELECT number, what FROM entries WHERE table_id = ? ORDER BY number", [id])
        rows = {number: json.loads(payload) for number, payload in entries}
        players = {player_name for payload in rows.values() for player_name in _player_names(payload)}
        for spelling in [player_name for player_name in players if name_key(player_name) == name]:
            replacement = new_placeholder(players)
            players.add(replacement)
            replacements.setdefault(code, {})[spelling] = replacement
            rows = {number: _rename_in_payload(payload, spelling, replacement) for number, payload in rows.items()}
            _erase_in_card_facts(store, spelling, replacement)
        with store.transaction() as db:
            db.conn.executemany(
                "UPDATE entries SET what = ? WHERE table_id = ? AND number = ?",
                [(_to_json(payload), id, number) for number, payload in rows.items()],
            )
    return replacements


def _tables_of_player(store: Store, name: str) -> list[tuple[int, str]]:
    """Return the ids and codes of the tables at which a player of this name has played."""
    setup_entries = store.query(
        """SELECT table_id, code, what FROM entries JOIN tables ON tables.id = table_id
           WHERE number = 1 OR what LIKE '{"type":"SetUp"%' ORDER BY table_id"""
    )
    return list(
        dict.fromkeys(
            (id, code)
            for id, code, payload in setup_entries
            if name in map(name_key, _player_names(json.loads(payload)))
        )
    )


def _player_names(payload: dict) -> Iterator[str]:
    """Yield the names of the players in an entry's setup."""
    if payload.get("type") in SETUP_TAGS:
        for player in payload.get("setup", {}).get("players", ()):
            yield player["name"] if isinstance(player, dict) else player


def _rename_in_payload(payload: dict, name: str, replacement: str) -> dict:
    """Return a payload with a player renamed in its setup and in free text."""
    if payload.get("type") in SETUP_TAGS:
        players = [_rename_player(player, name, replacement) for player in payload["setup"]["players"]]
        return {**payload, "setup": {**payload["setup"], "players": players}}
    if isinstance(payload.get("wish"), dict):
        return {**payload, "wish": _rename_in_payload(payload["wish"], name, replacement)}
    texts = {
        key: _rename_in_text(payload[key], name, replacement)
        for key in TEXT_FIELDS.get(payload.get("type", ""), ())
        if key in payload
    }
    return {**payload, **texts}


def _rename_player(player: object, name: str, replacement: str) -> object:
    if isinstance(player, dict):
        return {**player, "name": _rename_player(player["name"], name, replacement)}
    return replacement if player == name else player


def _rename_in_text(text: str | list[str], name: str, replacement: str) -> str | list[str]:
    return (
        [replace_name(name, replacement, part) for part in text]
        if isinstance(text, list)
        else replace_name(name, replacement, text)
    )


def _erase_in_card_facts(store: Store, name: str, replacement: str) -> None:
    with store.transaction() as db:
        for id, names in store.query("SELECT id, who FROM changes"):
            db.conn.execute("UPDATE changes SET who = ? WHERE id = ?", [replace_name(name, replacement, names), id])
        for row_id, *texts in store.query("SELECT rowid, question, reading, name FROM own_rulings"):
            new_texts = [replace_name(name, replacement, text) for text in texts]
            db.conn.execute(
                "UPDATE OR REPLACE own_rulings SET question = ?, reading = ?, name = ? WHERE rowid = ?",
                [*new_texts, row_id],
            )
