"""An instance's games as a file: all that is remembered, written and taken in again; a table's log, to be played on elsewhere.

Photos and phones are not in it. What is taken in twice is there once.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple, get_origin

import msgspec
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from companion.history.result import Result, folded, is_time, result_of, with_what_was_said
from companion.log.apply import Broken, fold
from companion.log.entries import ELSEWHERE, Entry
from companion.log.table import Table
from companion.service.referee import LONGEST_QUESTION, LONGEST_READING, Referee, new_tap
from companion.storage.card_facts import NO_BOX, facts_of, games_with_boxes
from companion.storage.history import History
from companion.storage.store import ALPHABET, CODE_LENGTH, Store
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.documents import LONGEST_NAME, name_fault
from scoring.kernel.english import ended, listed, plural
from scoring.kernel.errors import Illegal, Malformed

FORMAT = 1
_plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


Numbers = dict[str, Annotated[int, Meta(ge=0, lt=10_000_000)]]  # of the games at BoardGameGeek


class Remembered(Struct, frozen=True, forbid_unknown_fields=True):
    """A player, as a file has it."""

    name: str
    names: list[str]


class ToldRuling(Struct, frozen=True, forbid_unknown_fields=True):
    """How the owner's tables play what the book is silent on, as a file has it."""

    game: str
    question: Annotated[str, Meta(max_length=LONGEST_QUESTION)]
    reading: Annotated[str, Meta(max_length=LONGEST_READING)]
    at: str
    name: Annotated[str, Meta(max_length=400)]


class Taken(NamedTuple):
    """What a file brought that was not here."""

    tables: int = 0
    results: int = 0
    players: int = 0
    code: str = ""  # of the table, where it was one table's log


class Incomplete(Malformed):
    """A file has a fault, and what stands before it has been taken in."""

    def __init__(self, text: str, taken: Taken):
        super().__init__(text)
        self.taken = taken


def refusal(fault: Malformed) -> str:
    """Return the sentence for a refused file: how much was imported, and the fault."""
    taken = fault.taken if isinstance(fault, Incomplete) else Taken()
    new = _counted(taken)
    what = f"Only {new} {'was' if sum(taken[:3]) == 1 else 'were'} imported" if new else "Nothing was imported"
    return ended(f"{what}: {fault}")


def _counted(taken: Taken) -> str:
    """Return how many tables, results and players a file brought that were not here."""
    return listed(
        [plural(many, what) for many, what in zip(taken[:3], ("table", "result", "player"), strict=True) if many]
    )


def in_words(taken: Taken) -> str:
    """Return what a file brought, as a sentence."""
    return f"New here: {new}." if (new := _counted(taken)) else "All of it is here already; nothing has changed."


def log_data(code: str, rows: Iterable[Sequence]) -> dict:
    """Return a log as data; the phones in it are numbered.

    :param rows: number, at, device, seat and what of each entry, as they are stored.
    """
    phones: dict[Any, str] = {}
    return {
        "waymark": FORMAT,
        "code": code,
        "log": [
            {
                "number": number,
                "at": at,
                "device": phones.setdefault(device, f"phone {len(phones) + 1}"),
                "seat": seat,
                "what": _as_said(what),
            }
            for number, at, device, seat, what in rows
        ],
    }


def _as_said(what: Any) -> object:
    """Return what an entry says, or its text where it has been spoilt: an export rescues everything."""
    try:
        return json.loads(what)
    except (TypeError, ValueError):  # a damaged page may hold a number, or nothing
        return what


# Everything, written


def everything(
    referee: Referee, device: str | None, on_the_way: Callable[[int, int], object] = lambda done, of: None
) -> Iterator[str]:
    """Yield all that is remembered as one JSON document, piece by piece.

    :param device: the phone whose results and finished tables are wanted; None: everything there is, games that go on too,
        with their secrets.
    """
    store, history = referee.store, referee.history
    owner = device is None or referee.boxes.owners.has(device)
    results = history.all_there_are() if device is None else history.all(device, hidden=True)
    played = {folded(part.name) for result in results for part in result.players}
    players = [each for each in history.remembered() if owner or played & set(each["names"])]
    yield f'{{"waymark":{FORMAT},\n"players":{_listed(map(_plain, players))},\n'
    yield f'"results":{_listed(msgspec.json.encode(result).decode() for result in results)},\n'
    if owner:
        facts = {game.key: msgspec.to_builtins(referee.boxes.facts(game)) for game in games_with_boxes()}
        yield f'"boxes":{_plain(facts)},\n"bgg":{_plain(history.bgg())},\n'
        yield f'"rulings":{_listed(map(_plain, referee.boxes.rulings_told()))},\n'
    yield '"tables":['
    codes = store.codes()
    if device is not None:
        over = {result.code for result in results}
        codes = [code for code in codes if code in over]
    for done, code in enumerate(codes, 1):
        rows = store.log(code)
        yield f"{',' if done > 1 else ''}\n{_plain({key: value for key, value in log_data(code, rows).items() if key != 'waymark'})}"
        on_the_way(done, len(codes))
    yield "]}\n"


def _listed(texts: Iterable[str]) -> str:
    return "[" + ",".join(f"\n{text}" for text in texts) + "]"


# And taken in


def take_in(
    referee: Referee,
    data: object,
    device: str = "",
    on_the_way: Callable[[int, int], object] = lambda done, of: None,
    *,
    most: int | None = None,
) -> Taken:
    """Take in a file of everything, of a play or of a table; what is here already is left as it is.

    :param device: the phone that brings it, and sees its results from now on.
    :param most: how many tables, results and players there may be in it.
    :raises Incomplete: when a table in it cannot be followed; the players and the tables before it are here.
    :raises Malformed: when it is none of ours, with the place of the fault; then nothing of it is here.
    """
    data = data if isinstance(data, dict) else {}
    if data.keys() >= {"plays", "players"} and "waymark" not in data:
        raise Malformed("this is a file of BG Stats; Waymark imports only its own files")
    version = data.get("waymark")
    if isinstance(version, int) and version > FORMAT:
        raise Malformed("this file is from a newer version of Waymark")
    if version != FORMAT:
        raise Malformed("this is no file written by Waymark")
    alone = "log" in data
    if alone:
        data = {"tables": [data]}
    if "result" in data:
        data = {"results": [data["result"]], "tables": [data["table"]] if data.get("table") else []}
    if not data.keys() & {"results", "tables", "players"}:
        raise Malformed("waymark: there is neither a result nor a table in this file")
    results = _read(data, "results", list[Result])
    players = _read(data, "players", list[Remembered])
    if wrong := next((result for result in results if result.game not in GAMES), None):
        raise Malformed(f"results: there is no game \u201c{wrong.game[:40]}\u201d")
    if wrong := next((result for result in results if not is_time(result.ended)), None):
        raise Malformed(f"results: {wrong.id} did not end at a time")
    if wrong := next((result for result in results if len(result.players) > result.box.seats[-1]), None):
        raise Malformed(
            f"results: {wrong.box.title} takes {wrong.box.seats[-1]} players at most; {wrong.id} has {len(wrong.players)}"
        )
    names = [each.name for each in players] + [part.name for result in results for part in result.players]
    names += [name[:LONGEST_NAME] for each in players for name in each.names if name.strip()]
    if fault := next(filter(None, map(name_fault, names)), None):
        raise Malformed(f"players: {fault}")
    tables = data.get("tables", [])
    if not isinstance(tables, list):
        raise Malformed("tables: a list is needed")
    if most is not None and len(tables) + len(results) + len(players) > most:
        raise Malformed(
            f"tables: from this phone at most {most} tables, results and players at once; from the owner\u2019s, more"
        )
    rulings, numbers = _read(data, "rulings", list[ToldRuling]), _read(data, "bgg", Numbers)
    boxes = _boxes(data.get("boxes"))
    history = referee.history
    new_players = sum(history.remember(each.name, each.names) for each in players)
    codes: dict[str, str] = {}  # as in the file -> here
    new_tables = 0
    by_code = {result.code: result for result in results if result.code}
    new_results = 0
    for place, table in enumerate(tables):
        try:
            brought = bring(referee.store, table, f"tables[{place}]")
        except Malformed as fault:
            raise Incomplete(str(fault), Taken(new_tables, new_results, new_players)) from None
        codes[brought.asked] = brought.code
        new_tables += brought.new
        if history.of_table(brought.code):
            history.show_to(device, brought.code)
        elif brought.new:
            new_results += _finished(history, referee.store.table(brought.code), by_code.get(brought.asked), device)
        on_the_way(place + 1, len(tables))
    for result in results:
        if result.code not in codes:
            here = referee.store.has(result.code)  # then its own log says how that table came out
            new_results += history.bring(replace(result, code="") if here else result, device)
    if device == "" or referee.boxes.owners.has(device):
        referee.boxes.bring_rulings(map(to_builtins, rulings))
        for game, number in numbers.items():
            if game in GAMES:
                history.number(game, number, over=False)
    _take_boxes(referee, boxes, device)
    return Taken(new_tables, new_results, new_players, next(iter(codes.values())) if alone else "")


def _read(data: dict, key: str, kind: Any) -> Any:
    try:
        return msgspec.convert(data.get(key) or get_origin(kind)(), kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:  # the latter: half a surrogate pair
        raise Malformed(f"{key}: {fault}") from None


def _finished(history: History, table: Table, told: Result | None, device: str) -> bool:
    """Keep how a table that was brought came out, as its log tells; return whether it has."""
    if not table.over:
        return False
    result = result_of(table, told.id if told else "")
    if told:
        result = with_what_was_said(result, told)
    return history.bring(result, device)


def _boxes(told: object) -> list[tuple[Box, Any]]:
    """Return the facts of boxes in a file.

    :raises Malformed: when no box can be so.
    """
    try:
        return [
            (game, facts_of(game).checked(told[game.key]))
            for game in games_with_boxes()
            if isinstance(told, dict) and told.get(game.key) is not None
        ]
    except (Illegal, Malformed) as fault:
        raise Malformed(f"boxes: {fault}") from None


def _take_boxes(referee: Referee, boxes: list[tuple[Box, Any]], device: str) -> None:
    """Take in what is told of boxes: where nothing is known it is kept, else it waits for the owner to look at it."""
    for game, facts in boxes:
        known = referee.boxes.facts(game)
        if known == facts_of(game).type():
            referee.boxes.keep(game, facts)
        elif known != facts:
            with suppress(*NO_BOX):
                referee.boxes.take_in(game, device, "import", facts)


class Brought(NamedTuple):
    """A table that came in a file."""

    code: str
    asked: str  # its code there
    new: bool  # it was not here, or not all of it


def bring(store: Store, data: object, place: str = "") -> Brought:
    """Take in a table's log, to be looked at and played on: its seats are free.

    One that is here already is left as it is; one that has been played on elsewhere goes on here, too. Where its code is
    another table's, it gets a new one.

    :raises Malformed: when it is no log, or cannot be followed.
    """
    at = f"{place}." if place else ""
    if not isinstance(data, dict) or not isinstance(data.get("log"), list):
        raise Malformed(f"{at}log: a list of entries is needed")
    asked, theirs = str(data.get("code", "")), data["log"]
    seal = hashlib.sha256(_plain(theirs).encode(errors="replace")).hexdigest()
    if known := _here(store, asked, theirs, seal):
        return Brought(known, asked, False)
    _follow(theirs, at)
    with store.writing() as db:  # what was said here meanwhile is looked at again
        if known := _here(store, asked, theirs, seal):
            return Brought(known, asked, False)
        stored = store.log(asked) if store.has(asked) else []
        if stored and _same(log_data(asked, stored)["log"], theirs):
            numbered = log_data(asked, stored)["log"]
            phones = {each["device"]: row[2] for each, row in zip(numbered, stored, strict=True)}
            store.write(asked, _entries(theirs, at, phones)[len(stored) :], new_tap)
            return Brought(asked, asked, True)
        code = asked if not stored and _is_code(asked) else store.free_code()
        store.write(code, _entries(theirs, at, {}), new_tap)
        db.conn.execute("INSERT OR REPLACE INTO arrivals VALUES (?, ?)", [seal, code])
    return Brought(code, asked, True)


def _here(store: Store, asked: str, theirs: list, seal: str) -> str:
    """Return the code of the table that has all of a log already, or nothing."""
    ours = log_data(asked, store.log(asked))["log"] if store.has(asked) else []
    if theirs and len(theirs) <= len(ours) and _same(ours, theirs):
        return asked
    found = store.rows("SELECT code FROM arrivals WHERE log = ?", [seal])
    return found[0][0] if found and store.has(found[0][0]) else ""


def _same(one: list, other: list) -> bool:
    """Return whether one of two logs is how the other begins."""
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


def _is_code(code: str) -> bool:
    return len(code) == CODE_LENGTH and not set(code) - set(ALPHABET)


def _entries(log: list, at: str, phones: dict[str, str]) -> list[Entry]:
    """Return entries as they are stored: phones that nobody here has."""
    try:
        entries = msgspec.convert(log, list[Entry])
        msgspec.json.encode(entries)  # as they will be stored
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:
        raise Malformed(f"{at}log: {fault}") from None
    if wrong := next((entry for entry in entries if not is_time(entry.at)), None):
        raise Malformed(f"{at}log: entry {wrong.number} was not said at a time")
    return [
        replace(entry, device=phones.setdefault(entry.device, f"{ELSEWHERE}{len(phones) + 1}")) for entry in entries
    ]


def _follow(log: list, at: str) -> None:
    """:raises Malformed: when a log tells no table."""
    table = None
    try:
        for number, entry in enumerate(_entries(log, at, {}), 1):
            if entry.number != number:
                raise Malformed(f"{at}log: entry {number} is missing")
            table = fold(table, "", entry)
    except Broken as fault:
        raise Malformed(f"{at}log: {fault}") from None
    if table is None:
        raise Malformed(f"{at}log: it is empty")
