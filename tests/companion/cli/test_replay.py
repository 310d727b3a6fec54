"""Tests of `waymark export`, `waymark replay` and `waymark decide`, also with damaged files."""

import io
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

import pytest
from flask import Flask

from companion.cli.scores import sheet_text
from companion.service import import_export
from companion.storage.store import ALPHABET, Store
from companion.system.paths import DATABASE_NAME
from companion.web.app import create_app
from scoring.games import TRACKED_GAMES
from tests.conftest import disable_fsync
from tests.support.command import CommandResult, has_failed_with
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import play_moves, random_game_moves

pytestmark = pytest.mark.slow("damages files page by page")


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


@pytest.fixture(scope="module")
def instance_app(instance: Path) -> Flask:
    app = create_app(instance)
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture(scope="module")
def played_table(instance_app: Flask) -> SeatedTable:
    """Return a table with a whole game in which one step was undone and redone."""
    game = random_game_moves("trails", ("Ana", "Bo", "Cy"))
    table = play_moves(open_seated_table(instance_app, "Ana", "Bo", "Cy"), game[:20])
    number = str(table.table.steps[-1].number)
    other = (table.table.steps[-1].seat + 1) % 3
    for button in ("take_back", "put_back"):
        table.submit(other, "step", {button: number})
        (proposal,) = table.table.proposals
        for seat in proposal.waiting_seats:
            table.submit(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})
    return play_moves(table, game[20:])


def test_replay_of_an_export_has_the_same_score(run_waymark, write_file, played_table: SeatedTable, instance: Path):
    result = run_waymark("export", played_table.code.lower(), "--instance", instance)
    assert (result.status, result.err) == (0, "")
    replayed = run_waymark("replay", write_file(result.out.encode()))
    table = played_table.table
    assert (
        table.is_over
        and replayed.out == sheet_text(table.tracked.box.score(table.tracked.final_position(table.state))) + "\n"
    )


def test_export_contains_the_whole_log_and_no_phone_id(run_waymark, played_table: SeatedTable, instance: Path):
    result = run_waymark("export", played_table.code, "--instance", instance)
    exported = json.loads(result.out)
    assert (exported["waymark"], exported["code"]) == (1, played_table.code)
    assert [entry["number"] for entry in exported["log"]] == list(range(1, played_table.table.version + 1))
    assert {entry["device"] for entry in exported["log"]} == {"phone 1", "phone 2", "phone 3"}
    assert not [phone for phone in played_table.phones if phone.device in result.out]


def test_export_is_replayed_from_standard_input(
    run_waymark, played_table: SeatedTable, instance: Path, monkeypatch: pytest.MonkeyPatch
):
    result = run_waymark("export", played_table.code, "--instance", instance)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(result.out.encode())))
    assert run_waymark("replay", "-").status == 0


def test_damaged_log_is_exported_unchanged_and_replay_names_the_damage(
    run_waymark, write_file, instance_app: Flask, instance: Path
):
    table = open_seated_table(instance_app, "Ana", "Bo")
    with table.referee.store.db.conn as connection:
        connection.execute(
            "UPDATE entries SET what = 'gone' WHERE number = 3 AND table_id = (SELECT id FROM tables WHERE code = ?)",
            [table.code],
        )
    result = run_waymark("export", table.code, "--instance", instance)
    assert result.status == 0 and json.loads(result.out)["log"][2]["what"] == "gone"
    assert has_failed_with(
        run_waymark("replay", write_file(result.out.encode())), "log[2].what: expected an object, got text"
    )


def test_export_that_is_not_possible_is_reported_in_one_line(
    run_waymark, tmp_path: Path, instance_app: Flask, instance: Path
):
    assert has_failed_with(run_waymark("export", "BBBBB", "--instance", instance), "There is no table BBBBB.")
    assert has_failed_with(run_waymark("export", "BBBBB", "--instance", tmp_path), "has no tables yet")
    (tmp_path / "waymark.sqlite3").write_bytes(b"this is no database, only some text" * 100)
    assert has_failed_with(run_waymark("export", "BBBBB", "--instance", tmp_path), "file is not a database")


def opened_entry(**changes: object) -> list[dict]:
    change = {
        "type": "Opened",
        "game": "trails-tally",
        "version": TRACKED_GAMES["trails"].box.version,
        "setup": {"players": ["Ana", "Bo"]},
        **changes,
    }
    return [{"number": 1, "at": "", "device": "phone 1", "seat": None, "what": change}]


def entry(number: int, seat: object, **payload: object) -> dict:
    return {"number": number, "at": "", "device": "phone 1", "seat": seat, "what": payload}


INVALID_LOGS = [
    ([], "neither a log from waymark export nor a position"),
    ({}, "neither a log from waymark export nor a position"),
    ({"game": "trails", "players": []}, "neither a log from waymark export nor a position"),
    ({"log": []}, "the log is empty"),
    ({"log": {}}, "log: expected a list, got an object"),
    ({"log": [7]}, "log[0]: expected an object, got a whole number"),
    ({"log": [{}]}, "log[0].number: this is needed"),
    ({"log": opened_entry(type="Shouted")}, 'log[0].what.type: no kind "Shouted"; did you mean "Showed"?'),
    ({"log": opened_entry(type="\ud800")}, 'log[0].what.type: no kind "\\ud800"; there are Opened'),
    ({"log": opened_entry(game="chess")}, "Entry 1 of table ? cannot be replayed"),
    ({"log": opened_entry(setup={"players": ["Ana", "ana"]})}, "Entry 1 of table ? cannot be replayed"),
    ({"log": opened_entry(setup=7)}, "log[0].what.setup: expected an object, got a whole number"),
    ({"log": opened_entry() + [entry(2, 7, type="Sat")]}, "Entry 2 of table ? cannot be replayed"),
    ({"log": opened_entry() + [entry(2, None, type="Sat")]}, "Entry 2 of table ? cannot be replayed"),
    (
        {"log": opened_entry() + [entry(2, 0, type="Played", move={"type": "fly"})]},
        "Entry 2 of table ? cannot be replayed",
    ),
    (
        {"log": opened_entry() + [entry(2, 9, type="Played", move={"type": "done"})]},
        "Entry 2 of table ? cannot be replayed",
    ),
    ({"log": opened_entry() + [entry(2, 0, type="Agreed", proposal=9)]}, "Entry 2 of table ? cannot be replayed"),
    ({"log": [entry(1, 0, type="Sat")], "code": "BCDFG"}, "Entry 1 of table BCDFG cannot be replayed"),
    (b"[", "not JSON at line 1, column 2"),
]


@run_all_rows(("content", "message"), INVALID_LOGS, ids=[str(number) for number in range(len(INVALID_LOGS))])
def test_invalid_log_is_reported_by_replay_in_one_line(run_waymark, write_file, content: object, message: str):
    assert has_failed_with(run_waymark("replay", write_file(content)), message)


def test_decide_agrees_for_a_host_whose_phone_is_lost(run_waymark, instance_app: Flask, instance: Path):
    alone = open_seated_table(instance_app, "Ana", "Bo", phones=1)
    new = Phone(instance_app)
    for seat, name in enumerate(("Ana", "Bo")):
        new.post(f"{alone.path}/sit", {"seat": str(seat)})
        result = run_waymark("decide", alone.code.lower(), "--instance", instance)
        assert result.out == f"Approved: Move {name}\u2019s seat to another phone.\n"
    assert alone.table.seats == (new.device, new.device)
    assert "has no open requests" in run_waymark("decide", alone.code, "--instance", instance).out
    assert has_failed_with(run_waymark("decide", "BBBBB", "--instance", instance), "There is no table BBBBB.")
    assert has_failed_with(run_waymark("decide", "\udcff", "--instance", instance), "There is no table ?.")


# Damaged files: readable entries are saved, lost ones are named, and there is never a traceback.

PAGE_SIZE = 4096
# The first byte of a leaf page: of entries or an index, and of other tables.
ENTRIES, ROWS = 0x0A, 0x0D


@pytest.fixture(scope="module")
def database_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a database with twelve tables; each entry names its table and number."""
    store = Store(tmp_path_factory.mktemp("sound") / DATABASE_NAME)
    disable_fsync(store)
    with store.db.conn as db:
        for id, letter in enumerate(ALPHABET[:12], 1):
            db.execute("INSERT INTO tables VALUES (?, ?)", [id, letter * 5])
            for number in range(1, 30 + 11 * id):
                tap, time, phone = f"{letter}{number:06d}", f"2026-01-01T{number:06d}", f"phone {number % 3}"
                values = [id, number, tap, time, phone, entry_text(letter, number)]
                db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, 0, ?)", values)
    store.db.execute("PRAGMA journal_mode = DELETE")
    store.db.execute("VACUUM")  # every value is stored only once
    store.db.conn.close()
    return store.path.read_bytes()


def entry_text(letter: str, number: int) -> str:
    return f'"{letter * 5}-{number:06d}"'


def entry_pages(sound: bytes) -> dict[tuple[str, int], int]:
    """Return the page of the file for each entry."""
    found = re.finditer(rb'"([A-Z])\1{4}-(\d{6})"', sound)
    return {(each[1].decode(), int(each[2])): each.start() // PAGE_SIZE for each in found}


def schema_pages(sound: bytes) -> list[int]:
    """Return the pages, other than the first, that say which tables are where."""
    return [
        page
        for page in range(1, len(sound) // PAGE_SIZE)
        if b"CREATE TABLE" in sound[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    ]


@pytest.fixture
def export_damaged(run_waymark, tmp_path: Path):
    """Return a function that exports all tables of a damaged file.

    The function takes the bytes of the file and returns the result of the command and the saved entries of each table.
    """

    def salvage(content: bytes) -> tuple[CommandResult, dict[str, dict[int, object]]]:
        (tmp_path / DATABASE_NAME).write_bytes(content)
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            result = run_waymark("export", "--all", folder, "--instance", tmp_path)
            files = [json.loads(path.read_bytes()) for path in Path(folder).iterdir()]
        return result, {file["code"]: {entry["number"]: entry["what"] for entry in file["log"]} for file in files}

    return salvage


def test_export_all_saves_each_table_to_a_private_file(run_waymark, database_bytes: bytes, tmp_path: Path):
    (tmp_path / DATABASE_NAME).write_bytes(database_bytes)
    result = run_waymark("export", "--all", tmp_path / "all", "--instance", tmp_path)
    assert (result.status, result.out, result.err) == (0, f"Exported 12 tables to {tmp_path / 'all'}.\n", "")
    for path in (tmp_path / "all").iterdir():
        assert path.stat().st_mode & 0o077 == 0
        second_result = run_waymark("export", path.stem, "--instance", tmp_path)
        assert (second_result.status, second_result.out, second_result.err) == (0, path.read_text(), "")
    assert (tmp_path / DATABASE_NAME).read_bytes() == database_bytes


@pytest.mark.long("every page of a file")
def test_export_with_any_lost_page_saves_all_other_entries(export_damaged, database_bytes: bytes):
    page_by_entry = entry_pages(database_bytes)
    pages = {
        kind: [page for page in range(1, len(database_bytes) // PAGE_SIZE) if database_bytes[page * PAGE_SIZE] == kind]
        for kind in (ENTRIES, ROWS)
    }
    assert len(pages[ENTRIES]) > 20
    for page in pages[ROWS] + pages[ENTRIES][::3]:
        if page in schema_pages(database_bytes):
            continue
        result, saved = export_damaged(without_pages(database_bytes, {page}))
        affected = {letter * 5 for (letter, _), entry_page in page_by_entry.items() if entry_page == page}
        assert (result.status == 1 and "damaged" in result.err) or not affected
        for (letter, number), entry_page in page_by_entry.items():
            entry = saved.get(letter * 5, {}).get(number)
            assert (entry == json.loads(entry_text(letter, number))) == (entry_page != page), (
                f"page {page}, {letter * 5} {number}"
            )
        assert affected == set(re.findall("^Table ([A-Z]{5}): ", result.err, re.MULTILINE))


def test_export_without_the_schema_advises_a_backup(run_waymark, database_bytes: bytes, tmp_path: Path):
    assert schema_pages(database_bytes)
    for page in schema_pages(database_bytes):
        (tmp_path / DATABASE_NAME).write_bytes(without_pages(database_bytes, {page}))
        result = run_waymark("export", "--all", tmp_path / "all", "--instance", tmp_path)
        assert has_failed_with(result, "malformed. Restore a backup with waymark restore --force.")


def test_table_with_a_lost_page_is_exported_without_it(run_waymark, database_bytes: bytes, tmp_path: Path):
    pages = entry_pages(database_bytes)
    page = pages["G", 20]
    lost = [number for (letter, number), entry_page in sorted(pages.items()) if (letter, entry_page) == ("G", page)]
    (tmp_path / DATABASE_NAME).write_bytes(
        database_bytes[: page * PAGE_SIZE] + bytes(PAGE_SIZE) + database_bytes[(page + 1) * PAGE_SIZE :]
    )
    result = run_waymark("export", "ggggg", "--instance", tmp_path)
    assert result.status == 1 and result.err == f"Table GGGGG: entries {lost[0]} to {lost[-1]} cannot be read.\n"
    assert not {entry["number"] for entry in json.loads(result.out)["log"]} & set(lost)
    assert has_failed_with(
        run_waymark("export", "ZZZZZ", "--instance", tmp_path), "There is no table ZZZZZ. The database is damaged"
    )


@parametrize_cases("seed", range(60))
def test_export_of_any_damaged_file_has_no_traceback(export_damaged, database_bytes: bytes, seed: int):
    rng = random.Random(seed)
    content = bytearray(database_bytes)
    damaged_pages: set[int] = set()
    for _ in range(rng.choice((1, 1, 2, 5))):
        start, length = rng.randrange(len(database_bytes)), rng.choice((1, 8, 200, PAGE_SIZE, 5 * PAGE_SIZE))
        content[start : start + length] = rng.choice((rng.randbytes(length), bytes(length)))[
            : len(database_bytes) - start
        ]
        damaged_pages |= set(range(start // PAGE_SIZE, (start + length) // PAGE_SIZE + 1))
    if rng.random() < 0.1:
        del content[rng.randrange(len(content)) :]
    result, saved = export_damaged(bytes(content))
    assert result.status in (0, 1, 2) and (result.status != 2 or result.err.count("\n") == 1)
    for (letter, number), entry_page in entry_pages(database_bytes).items():
        entry = saved.get(letter * 5, {}).get(number)
        assert entry_page in damaged_pages or entry in (None, json.loads(entry_text(letter, number)))


def test_table_between_lost_pages_is_found_without_an_index(export_damaged, database_bytes: bytes):
    pages = entry_pages(database_bytes)
    all_entries = [
        page for page in range(1, len(database_bytes) // PAGE_SIZE) if database_bytes[page * PAGE_SIZE] == ENTRIES
    ]
    lost = {page for page in all_entries if page not in pages.values()} | {pages["B", 1], pages["P", 150]}
    _, saved = export_damaged(without_pages(database_bytes, lost))
    assert all(saved[letter * 5][number] for (letter, number), entry_page in pages.items() if entry_page not in lost)


def test_tables_missing_from_the_list_are_found_by_their_entries(export_damaged, database_bytes: bytes):
    pages = entry_pages(database_bytes)
    # The pages with the list of tables.
    codes = {found.start() // PAGE_SIZE for found in re.finditer(rb'(?<!")([B-Z])\1{4}(?!-)', database_bytes)}
    middle = pages["H", 40]
    indexes = {
        page
        for page in range(1, len(database_bytes) // PAGE_SIZE)
        if database_bytes[page * PAGE_SIZE] == ENTRIES and page not in pages.values()
    }
    result, saved = export_damaged(without_pages(database_bytes, codes | indexes | {middle}))
    ids = {letter: f"table-{id}" for id, letter in enumerate(ALPHABET[:12], 1)}
    assert result.status == 1
    assert all(
        saved[ids[letter]][number]
        for (letter, number), entry_page in pages.items()
        if letter in "BCDNP" and entry_page != middle
    )


def without_pages(sound: bytes, pages: set[int]) -> bytes:
    """Return the bytes of a file with some pages overwritten."""
    return b"".join(
        b"\xff" * PAGE_SIZE if page in pages else sound[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
        for page in range(len(sound) // PAGE_SIZE)
    )


def test_values_that_no_log_has_are_exported_as_text(run_waymark, instance_app: Flask, instance: Path):
    table = open_seated_table(instance_app, "Ana", "Bo")
    with table.referee.store.db.conn as connection:
        devices = [table.phones[0].device]
        connection.execute("UPDATE entries SET at = 9e999, device = x'ff00', what = x'ff22' WHERE device = ?", devices)
    result = run_waymark("export", table.code, "--instance", instance)
    assert result.status == 0 and json.loads(result.out)["log"][0]["at"] == "Inf"


def test_table_with_a_lost_code_is_saved_under_its_number(export_damaged, database_bytes: bytes):
    hidden = database_bytes.replace(b"CCCCC", b"\x00\x01\x02\x03\x04").replace(b'"\x00\x01\x02\x03\x04-', b'"CCCCC-')
    result, saved = export_damaged(hidden)
    assert result.status == 1 and len(saved["table-2"]) == 30 + 22 - 1


def test_export_from_a_read_only_folder_succeeds(run_waymark, database_bytes: bytes, shared_folder: Path):
    (shared_folder / DATABASE_NAME).write_bytes(database_bytes)
    store = Store(shared_folder / DATABASE_NAME)  # from now on SQLite wants files next to it
    store.db.conn.close()
    (shared_folder / DATABASE_NAME).chmod(0o444)
    shared_folder.chmod(0o555)
    as_owner = run_waymark("export", "BBBBB", "--instance", shared_folder)
    if os.geteuid() == 0:
        os.seteuid(65534)
    assert as_owner.status == 0 and run_waymark("export", "BBBBB", "--instance", shared_folder) == as_owner


def test_export_without_a_code_or_a_folder_is_refused(run_waymark, tmp_path: Path):
    for arguments in ([], ["BBBBB", "--all", tmp_path]):
        assert has_failed_with(
            run_waymark("export", *arguments, "--instance", tmp_path),
            "give a table’s code, or --all and a folder.",
        )


@run_all_rows("payload", [None, 5, "gone", '{"type":"Sat"'])
def test_payload_that_is_not_json_is_exported_unchanged(payload: object):
    assert import_export._payload_data(payload) == payload
