"""Export and import of an instance's games, or of one table's log to continue elsewhere.

Photos and phones are not exported. Importing the same file twice changes nothing the second time.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from companion.history.result import Result, build_result, is_time, name_key, result_error, with_entered_values
from companion.log.apply import CorruptLogError, load_entry
from companion.log.entries import IMPORTED_DEVICE_PREFIX, Entry
from companion.service.card_facts_review import import_facts
from companion.service.referee import MAX_INTERPRETATION_LENGTH, MAX_QUESTION_LENGTH, Referee
from companion.storage.bgg_ids import bgg_ids, set_bgg_id
from companion.storage.card_facts import FACTS_ERRORS, card_facts_format, games_with_card_facts
from companion.storage.own_rulings import export_rulings, import_rulings
from companion.storage.store import CODE_PATTERN, Store
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.english import end_sentence, join_words, pluralize, truncate_message
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.parsing import MAX_NAME_LENGTH, convert_data, name_error

FORMAT_VERSION = 1
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


BggIds = dict[str, Annotated[int, Meta(ge=0, lt=10_000_000)]]  # BoardGameGeek's ids by the key of the game


class PlayerRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A player in an export file."""

    name: str
    names: list[str]


class RulingRecord(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house rule of the owner's tables in an export file."""

    game: str
    question: Annotated[str, Meta(max_length=MAX_QUESTION_LENGTH)]
    reading: Annotated[str, Meta(max_length=MAX_INTERPRETATION_LENGTH)]
    at: str
    name: Annotated[str, Meta(max_length=400)]
    rule: Annotated[str, Meta(max_length=100)] = ""  # the ID of the printed rule that it replaces


class ExportFile(Struct):
    """The content of an export file; its tables and boxes are checked when they are imported."""

    tables: list = []
    results: list[Result] = []
    players: list[PlayerRecord] = []
    rulings: list[RulingRecord] = []
    bgg: BggIds = {}
    boxes: Any = None


class ImportCounts(NamedTuple):
    """The number of tables, results and players that an import has added."""

    tables: int = 0
    results: int = 0
    players: int = 0
    code: str = ""  # the table's code, if the file was the log of one table


class PartialImportError(InvalidInputError):
    """A file has an error, and the part before the error has been imported."""

    def __init__(self, text: str, counts: ImportCounts):
        super().__init__(text)
        self.counts = counts


def describe_import_error(error: InvalidInputError) -> str:
    """Return the sentence for a refused file: how much was imported, and the error."""
    counts = error.counts if isinstance(error, PartialImportError) else ImportCounts()
    summary = "Nothing was imported"
    if counts_text := _describe_counts(counts):
        summary = f"Only {counts_text} {'was' if sum(counts[:3]) == 1 else 'were'} imported"
    return truncate_message(end_sentence(f"{summary}: {error}"))


def _describe_counts(counts: ImportCounts) -> str:
    """Return how many tables, results and players an import has added, in words."""
    numbers = zip(counts[:3], ("table", "result", "player"), strict=True)
    return join_words([pluralize(number, noun) for number, noun in numbers if number])


def describe_import(counts: ImportCounts) -> str:
    """Return a sentence with the numbers of items that an import has added."""
    new = _describe_counts(counts)
    return f"Imported {new}." if new else "Everything in this file is already here."


def log_data(code: str, rows: Iterable[Sequence]) -> dict:
    """Return a log as data for an export; its phones are numbered.

    :param rows: number, at, device, seat and what of each entry, as stored.
    """
    phones: dict[object, str] = {}
    return {
        "waymark": FORMAT_VERSION,
        "code": code,
        "log": [
            {
                "number": number,
                "at": created_at,
                "device": phones.setdefault(device, f"phone {len(phones) + 1}"),
                "seat": seat,
                "what": _payload_data(payload),
            }
            for number, created_at, device, seat, payload in rows
        ],
    }


def _payload_data(payload: Any) -> object:
    """Return an entry's payload, or its raw text if it is damaged: an export saves everything."""
    try:
        return json.loads(payload)
    except (TypeError, ValueError):  # a damaged page may hold a number, or nothing
        return payload


# Export


def export_all(
    referee: Referee, device: str | None, on_progress: Callable[[int, int], object] = lambda exported, of: None
) -> Iterator[str]:
    """Yield all results, players and tables as one JSON document, piece by piece.

    :param device: export only the results and finished tables of this phone; None exports everything, including
        running games with their secrets.
    """
    store = referee.store
    is_owner = device is None or referee.card_facts.owners.is_owner(device)
    results = referee.results.all() if device is None else referee.results.visible(device, includes_hidden=True)
    player_names = {name_key(part.name) for result in results for part in result.players}
    players = [player for player in referee.players.export_players() if is_owner or player_names & set(player["names"])]
    yield f'{{"waymark":{FORMAT_VERSION},\n"players":{_json_list(map(_to_json, players))},\n'
    yield f'"results":{_json_list(msgspec.json.encode(result).decode() for result in results)},\n'
    if is_owner:
        facts = {game.key: msgspec.to_builtins(referee.card_facts.facts(game)) for game in games_with_card_facts()}
        yield f'"boxes":{_to_json(facts)},\n"bgg":{_to_json(bgg_ids(store))},\n'
        yield f'"rulings":{_json_list(map(_to_json, export_rulings(store)))},\n'
    yield '"tables":['
    codes = store.codes()
    if device is not None:
        finished_codes = {result.code for result in results}
        codes = [code for code in codes if code in finished_codes]
    for exported, code in enumerate(codes, 1):
        log = log_data(code, store.read_log(code))
        del log["waymark"]
        yield f"{',' if exported > 1 else ''}\n{_to_json(log)}"
        on_progress(exported, len(codes))
    yield "]}\n"


def _json_list(texts: Iterable[str]) -> str:
    return "[" + ",".join(f"\n{text}" for text in texts) + "]"


# Import


def import_data(
    referee: Referee,
    data: object,
    device: str = "",
    on_progress: Callable[[int, int], object] = lambda done, of: None,
    *,
    max_items: int | None = None,
) -> ImportCounts:
    """Import a full export, one game or one table; existing data is not changed.

    :param device: the phone that imports the file and sees its results from now on.
    :param max_items: the maximum number of tables, results and players in the file.
    :raises PartialImportError: when a table cannot be replayed; the players and the tables before it are imported.
    :raises InvalidInputError: when it is no file of Waymark, or has an error, whose place the message names;
        nothing has been imported.
    """
    file = _read_file(data)
    if max_items is not None and len(file.tables) + len(file.results) + len(file.players) > max_items:
        raise InvalidInputError(
            f"a phone can import at most {max_items} tables, results and players at a time; use the owner\u2019s phone"
        )
    boxes = _parse_card_facts(file.boxes)
    new_players = sum(referee.players.import_player(player.name, player.names) for player in file.players)
    new_tables = new_results = 0
    codes: dict[str, str] = {}  # code in the file -> code here
    results_by_code = {result.code: result for result in file.results if result.code}
    for index, table in enumerate(file.tables):
        try:
            imported = import_table(referee.store, table, f"tables[{index}]")
        except InvalidInputError as error:
            raise PartialImportError(str(error), ImportCounts(new_tables, new_results, new_players)) from None
        codes[imported.original_code] = imported.code
        new_tables += imported.is_new
        new_results += _import_table_result(referee, imported, results_by_code.get(imported.original_code), device)
        on_progress(index + 1, len(file.tables))
    for result in file.results:
        if result.code not in codes:
            has_table = referee.store.has_table(result.code)  # then its own log determines the result of that table
            new_results += referee.results.import_result(replace(result, code="") if has_table else result, device)
    if device == "" or referee.card_facts.owners.is_owner(device):
        import_rulings(referee.store, map(to_builtins, file.rulings))
        for game, number in file.bgg.items():
            if game in GAMES:
                set_bgg_id(referee.store, game, number, overwrites=False)
    _import_card_facts(referee, boxes, device)
    is_single_table = isinstance(data, dict) and "log" in data
    return ImportCounts(new_tables, new_results, new_players, next(iter(codes.values())) if is_single_table else "")


def _read_file(data: object) -> ExportFile:
    """Return the content of a file: a full export, one game or one table.

    :raises InvalidInputError: when it is no file of Waymark, or has an error, whose place the message names.
    """
    data = data if isinstance(data, dict) else {}
    version = data.get("waymark")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise InvalidInputError("this file is from a newer version of Waymark; update Waymark first")
    if version != FORMAT_VERSION:
        raise InvalidInputError("this is not a Waymark file")
    if "log" in data:
        data = {"tables": [data]}
    elif "result" in data:
        data = {"results": [data["result"]], "tables": [data["table"]] if data.get("table") else []}
    if not data.keys() & {"results", "tables", "players"}:
        raise InvalidInputError("this file contains no results, tables or players")
    file = convert_data({key: value for key, value in data.items() if value is not None}, ExportFile)
    if error := next(filter(None, map(result_error, file.results)), None):
        raise InvalidInputError(f"results: {error}")
    names = [player.name for player in file.players]
    names += [name[:MAX_NAME_LENGTH] for player in file.players for name in player.names if name.strip()]
    if error := next(filter(None, map(name_error, names)), None):
        raise InvalidInputError(f"players: {error}")
    return file


def _import_table_result(referee: Referee, imported: "ImportedTable", file_result: Result | None, device: str) -> bool:
    """Save the result of an imported table from its log; return whether it was new."""
    if referee.results.of_table(imported.code):
        referee.results.grant_access(device, imported.code)
        return False
    table = referee.store.table(imported.code) if imported.is_new else None
    if table is None or not table.is_over:
        return False
    result = build_result(table, file_result.id if file_result else "")
    if file_result:
        result = with_entered_values(result, file_result)
    return referee.results.import_result(result, device)


def _parse_card_facts(data: object) -> list[tuple[Box, Struct]]:
    """Return the card facts in a file, by their box.

    :raises InvalidInputError: when they are malformed or not possible.
    """
    try:
        return [
            (game, card_facts_format(game).from_data(data[game.key]))
            for game in games_with_card_facts()
            if isinstance(data, dict) and data.get(game.key) is not None
        ]
    except (IllegalMoveError, InvalidInputError) as error:
        raise InvalidInputError(f"boxes: {error}") from None


def _import_card_facts(referee: Referee, card_facts: list[tuple[Box, Struct]], device: str) -> None:
    """Import card facts: store them if none are known, or else queue them for review."""
    for game, facts in card_facts:
        known = referee.card_facts.facts(game)
        if known == card_facts_format(game).type():
            referee.card_facts.save_facts(game, facts)
        elif known != facts:
            with suppress(*FACTS_ERRORS):
                import_facts(referee.card_facts, game, device, "import", facts)


class ImportedTable(NamedTuple):
    """A table from a file."""

    code: str
    original_code: str  # its code in the file
    is_new: bool  # was the table, or a part of its log, missing here?


def import_table(store: Store, data: object, path: str = "") -> ImportedTable:
    """Import a table's log, to be viewed and played on; its seats are free.

    A table that exists already is not changed, unless the file continues its log: then the new entries are
    added. A table whose code belongs to another table gets a new code.

    :param path: the place of the table in the file, for error messages.
    :raises InvalidInputError: when the log is malformed or cannot be replayed.
    """
    path = f"{path}.log" if path else "log"
    if not isinstance(data, dict) or not isinstance(data.get("log"), list):
        raise InvalidInputError(f"{path}: must be a list of entries")
    original_code, file_log = str(data.get("code", "")), data["log"]
    digest = hashlib.sha256(_to_json(file_log).encode(errors="replace")).hexdigest()
    if existing_code := _find_existing_table(store, original_code, file_log, digest):
        return ImportedTable(existing_code, original_code, False)
    entries = _parse_log(file_log, path)
    with store.transaction() as db:  # check again: another request may have written since
        if existing_code := _find_existing_table(store, original_code, file_log, digest):
            return ImportedTable(existing_code, original_code, False)
        stored = _stored_log(store, original_code)
        if stored and _is_prefix(log_data(original_code, stored)["log"], file_log):
            devices = {entry.device: row[2] for entry, row in zip(entries, stored, strict=False)}
            new = [replace(entry, device=devices.get(entry.device, entry.device)) for entry in entries[len(stored) :]]
            store.write_entries(original_code, new)
            return ImportedTable(original_code, original_code, True)
        code = original_code if not stored and CODE_PATTERN.fullmatch(original_code) else store.unused_code()
        store.write_entries(code, entries)
        db.execute("INSERT OR REPLACE INTO arrivals VALUES (?, ?)", [digest, code])
    return ImportedTable(code, original_code, True)


def _find_existing_table(store: Store, original_code: str, entries: list, digest: str) -> str:
    """Return the code of the table that has all of a log already, or an empty text."""
    own_log = log_data(original_code, _stored_log(store, original_code))["log"]
    if entries and len(entries) <= len(own_log) and _is_prefix(own_log, entries):
        return original_code
    code = store.value("SELECT code FROM arrivals WHERE log = ?", [digest])
    return code if code and store.has_table(code) else ""


def _stored_log(store: Store, code: str) -> list[tuple]:
    """Return the stored entries of a table; none if it does not exist."""
    return store.read_log(code) if store.has_table(code) else []


def _is_prefix(log: list, other_log: list) -> bool:
    """Return whether one of two logs is the beginning of the other."""
    return all(entry == other_entry for entry, other_entry in zip(log, other_log, strict=False))


def _parse_log(log: list, path: str) -> list[Entry]:
    """Return a log's entries ready to store, with devices that no phone of this instance has.

    :raises InvalidInputError: when the log cannot be replayed, is empty, or lacks an entry.
    """
    entries = convert_data(log, list[Entry], path)
    try:
        msgspec.json.encode(entries)  # as they will be stored
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{path}: {error}") from None
    devices: dict[str, str] = {}
    imported: list[Entry] = []
    table = None
    for number, entry in enumerate(entries, 1):
        if not is_time(entry.created_at):
            raise InvalidInputError(f"{path}: entry {entry.number} has no valid time")
        if entry.number != number:
            raise InvalidInputError(f"{path}: entry {number} is missing")
        device = devices.setdefault(entry.device, f"{IMPORTED_DEVICE_PREFIX}{len(devices) + 1}")
        imported.append(replace(entry, device=device))
        try:
            table = load_entry(table, "", imported[-1])
        except CorruptLogError as error:
            raise InvalidInputError(f"{path}: {error}") from None
    if not imported:
        raise InvalidInputError(f"{path}: there are no entries")
    return imported
