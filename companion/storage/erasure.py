"""Taking a name out of the logs. A log is only ever added to; that somebody wants to be forgotten is the one exception."""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from companion.history.result import folded, without
from companion.storage.store import Store

NOBODY = "Somebody"  # what a forgotten player is called where others' results stay
SET_UPS = ("Opened", "SetUp")  # entries that name the players
IN_WORDS = {"Judged": ("question", "answer", "because"), "OwnRuling": ("question", "reading")}  # what people wrote
_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def somebody(others: Iterable[str]) -> str:
    """Return a name for who was forgotten that nobody else has."""
    taken = {folded(other) for other in others}
    names = (NOBODY if number == 1 else f"{NOBODY} {number}" for number in count(1))
    return next(name for name in names if folded(name) not in taken)


def is_forgotten(name: str) -> bool:
    """Return whether this is what a forgotten player is called."""
    return folded(name).rstrip("0123456789 ") == folded(NOBODY)


def forget_in_logs(store: Store, name: str) -> dict[str, dict[str, str]]:
    """Call whoever is known by a name otherwise in every log, and in what the boxes keep of who told it.

    :param name: as names are compared.
    :return: by the code of each table, what is said there now instead of the name as it was written.
    """
    called: dict[str, dict[str, str]] = {}
    for id, code in _tables_of(store, name):
        entries = store.rows("SELECT number, what FROM entries WHERE table_id = ? ORDER BY number", [id])
        rows = {number: json.loads(what) for number, what in entries}
        players = {each for what in rows.values() for each in _players(what)}
        for written in [each for each in players if folded(each) == name]:
            instead = somebody(players)
            players.add(instead)
            called.setdefault(code, {})[written] = instead
            rows = {number: _renamed(what, written, instead) for number, what in rows.items()}
            _forget_in_boxes(store, written, instead)
        with store.writing() as db:
            db.conn.executemany(
                "UPDATE entries SET what = ? WHERE table_id = ? AND number = ?",
                [(_PLAIN(what), id, number) for number, what in rows.items()],
            )
    return called


def _tables_of(store: Store, name: str) -> list[tuple[int, str]]:
    """Return the tables at which somebody of a name has played, by their ids and codes."""
    named = store.rows(
        """SELECT table_id, code, what FROM entries JOIN tables ON tables.id = table_id
           WHERE number = 1 OR what LIKE '{"type":"SetUp"%' ORDER BY table_id"""
    )
    return list(
        dict.fromkeys((id, code) for id, code, what in named if name in map(folded, _players(json.loads(what))))
    )


def _players(what: dict) -> Iterator[str]:
    """Yield the players that an entry names in its set-up."""
    if what.get("type") in SET_UPS:
        for player in what.get("setup", {}).get("players", ()):
            yield player["name"] if isinstance(player, dict) else player


def _renamed(what: dict, name: str, instead: str) -> dict:
    """Return what an entry says, with a player called otherwise in its set-up and in what people wrote."""
    if what.get("type") in SET_UPS:
        players = [_called(player, name, instead) for player in what["setup"]["players"]]
        return {**what, "setup": {**what["setup"], "players": players}}
    if isinstance(what.get("wish"), dict):
        return {**what, "wish": _renamed(what["wish"], name, instead)}
    said = {key: _in_words(what[key], name, instead) for key in IN_WORDS.get(what.get("type", ""), ()) if key in what}
    return {**what, **said}


def _called(player: Any, name: str, instead: str) -> Any:
    if isinstance(player, dict):
        return {**player, "name": _called(player["name"], name, instead)}
    return instead if player == name else player


def _in_words(said: Any, name: str, instead: str) -> Any:
    return [without(name, instead, each) for each in said] if isinstance(said, list) else without(name, instead, said)


def _forget_in_boxes(store: Store, name: str, instead: str) -> None:
    with store.writing() as db:
        for id, who in store.rows("SELECT id, who FROM changes"):
            db.conn.execute("UPDATE changes SET who = ? WHERE id = ?", [without(name, instead, who), id])
        for row, *said in store.rows("SELECT rowid, question, reading, name FROM own_rulings"):
            told = [without(name, instead, each) for each in said]
            db.conn.execute(
                "UPDATE OR REPLACE own_rulings SET question = ?, reading = ?, name = ? WHERE rowid = ?", [*told, row]
            )
