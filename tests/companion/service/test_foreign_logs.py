"""Tests that logs from strangers are imported whole or refused with one sentence."""

import copy
import io
import json
import random
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from flask import Flask
from PIL import Image

from companion.log.entries import (
    AccountClaimed,
    ActionsDone,
    Agreed,
    ColorChosen,
    ConsentChanged,
    Decided,
    Declined,
    Imported,
    LogRewritten,
    MoveRedone,
    MoveUndone,
    NewMove,
    OwnRuling,
    Payload,
    Played,
    Proposed,
    RematchOpened,
    SeatLeft,
    SeatReclaimed,
    SeatRequested,
    SeatTaken,
    SetupChanged,
    SetupGuideChanged,
    SnapshotPinned,
    VerdictSaved,
)
from companion.log.plans import RepairPlan
from companion.log.table import to_data
from companion.service.import_export import import_data
from companion.service.referee import Referee
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import InvalidInputError
from tests.companion.cli.test_damaged_files import part_paths
from tests.support.command import has_failed_with
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, LogBuilder
from tests.support.page_parser import parse_page
from tests.support.phones import Phone
from tests.support.player_names import names_for
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

FOREIGN_CODE = "none of ours"  # not a valid code, so each table gets a new one
MUTATION_COUNT = 200  # mutated logs that the test tries
LONGEST = 300  # characters of a message that names a fault
PAGES = ("", "/log", "/board", "/score", "/ask", "/ask/sides", "/setup", "/seat/0", "/seat/0/log")


def log_with_every_entry(game: str) -> list[dict]:
    """Return the log of a short game with every kind of entry, as plain data."""
    moves: list = []
    random_game(
        TRACKED_GAMES[game],
        ready_setup(list(names_for(game, 3)), game),
        random.Random(game),
        moves,
    )
    names = names_for(game, 3)
    builder = LogBuilder(*names, game=game)
    phones = (ANA, BO, CY)[: len(names)]
    builder.add_entry(HOST, SetupChanged(builder.log[0].payload.setup, tuple(range(len(names))), "everybody"))
    builder.sit(*phones)
    start = builder.table.version

    def play(end: int) -> None:
        for seat, move in moves[len(builder.table.steps) : end]:
            builder.add_entry(phones[seat], Played(to_data(move)), seat)

    play(3)
    last = builder.table.steps[-1]
    builder.add_entry(ANA, LogRewritten(start_step=last.id, last_step=last.id), 0)
    builder.add_entry(ANA, LogRewritten(replacement=(NewMove(last.seat, to_data(last.move)),)), 0)
    builder.add_entry(ANA, ActionsDone(builder.table.version), 0)
    builder.add_entry(ANA, SetupGuideChanged(("sites",), is_open=False))
    builder.add_entry(ANA, SnapshotPinned(builder.table.steps[0].id), 0)
    builder.add_entry(BO, ConsentChanged("most"), 1)
    builder.add_entry(BO, OwnRuling("May we?", "Yes."), 1)
    builder.add_entry(
        BO, VerdictSaved("May I?", "No.", ("Because.",), (next(iter(builder.table.tracked.box.rules)),)), 1
    )
    builder.add_entry(ANA, AccountClaimed(RepairPlan(builder.table.steps[-1].id, 1).encode()), 0)
    ruling = builder.table.tracked.box.rulings[0]
    for answer in (Agreed, Declined, Decided):
        number = builder.propose(0, Played({"type": "adopt", "ruling": ruling.id, "option": ruling.options[1].id}))
        builder.add_entry(HOST if answer is Decided else BO, answer(number), None if answer is Decided else 1)
        if builder.table.proposals:
            builder.add_entry(HOST, Decided(number))
        if builder.table.steps[-1].move.needs_consent:
            step = builder.table.steps[-1].number
            builder.add_entry(ANA, MoveUndone(step), 0)
            builder.add_entry(ANA, MoveRedone(step), 0)
            builder.add_entry(ANA, MoveUndone(step), 0)
    number = builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    builder.add_entry(HOST, Decided(number))
    builder.add_entry(BO, SeatReclaimed(), 1)
    builder.add_entry(BO, SeatLeft(), 1)
    builder.add_entry(BO, SeatTaken(), 1)
    if pieces := builder.table.tracked.pieces:
        builder.add_entry(BO, ColorChosen([*pieces.colors][-1]), 1)
    builder.add_entry(ANA, Imported())
    builder.sit(*phones)
    builder.add_entry(ANA, Proposed(OwnRuling("May we?"), asked_seats=(1,), required_agreements=1), 0)
    builder.add_entry(HOST, RematchOpened("BBBBB"))
    assert start < builder.table.version
    return [msgspec.to_builtins(entry) for entry in builder.log]


TITLES = ("trails", "parks", "alpine-trails", "on-the-trail", "trails-tally")
WRONG_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 10**9, 10**40, 1.5,
    "", "0", "7", "99", "x" * 3000, "a\nb", "\ud800", [], {}, [0], ["99"], [-1, 99],
    {"type": "Sat"}, {"type": "Declined", "proposal": 7}, {"type": "x"},
)  # fmt: skip
MISSING = object()


def mutate_log(log: list[dict], rng: random.Random) -> list:
    """Return a log with one entry changed, dropped, duplicated or moved."""
    log = copy.deepcopy(log)
    index = rng.randrange(len(log))
    match rng.choice(("field", "field", "field", "field", "drop", "double", "move")):
        case "drop":
            del log[index]
        case "double":
            log.insert(index, copy.deepcopy(log[index]))
        case "move":
            log.insert(rng.randrange(len(log)), log.pop(index))
        case _:
            keys = rng.choice([*part_paths(log[index])])
            inner: Any = log[index]
            for key in keys[:-1]:
                inner = inner[key]
            wrong = rng.choice((MISSING, *WRONG_VALUES))
            if wrong is MISSING:
                del inner[keys[-1]]
            else:
                inner[keys[-1]] = copy.deepcopy(wrong)
            return log
    return [entry | {"number": number} for number, entry in enumerate(log, 1)] if rng.random() < 0.7 else log


@pytest.fixture(scope="module")
def logs() -> dict[str, list[dict]]:
    return {game: log_with_every_entry(game) for game in TITLES}


def test_logs_of_these_tests_contain_every_kind_of_entry(logs: dict[str, list[dict]]):
    kinds = {kind.__struct_config__.tag for kind in get_args(Payload)}
    assert {game: kinds - {entry["what"]["type"] for entry in log} for game, log in logs.items()} == {
        game: set() if TRACKED_GAMES[game].pieces else {ColorChosen.__struct_config__.tag} for game in TITLES
    }


def row_counts(referee: Referee) -> list[int]:
    """Return the number of rows in each database table that an import can fill."""
    return [
        referee.store.query(f"SELECT COUNT(*) FROM {name}")[0][0]
        for name in ("tables", "entries", "results", "arrivals")
    ]


@pytest.mark.slow("draws many pages")
def test_mutated_log_is_imported_whole_or_refused_with_one_sentence(
    app: Flask, referee: Referee, logs: dict[str, list[dict]]
):
    rng, phone, imported_count = random.Random(4), Phone(app).become_owner(), 0
    for _ in range(MUTATION_COUNT):
        log = mutate_log(logs[rng.choice(TITLES)], rng)
        before = row_counts(referee)
        try:
            counts = import_data(referee, {"waymark": 1, "code": FOREIGN_CODE, "log": log}, phone.device)
        except InvalidInputError as error:
            message = str(error)
            assert 0 < len(message) <= LONGEST and len(message.splitlines()) == 1, log
            assert row_counts(referee) == before, log
            continue
        imported_count += 1
        if imported_count % 3 == 0:  # rendering pages takes longer than importing a log
            phone.post(f"/t/{counts.code}/sit", {"seat": "0"})
            answers = {page: phone.get(f"/t/{counts.code}{page}").status_code for page in PAGES}
            assert set(answers.values()) <= {200, 303}, (answers, log)
    assert imported_count > MUTATION_COUNT / 20


def test_mutated_log_sent_by_a_stranger_is_answered(app: Flask, logs: dict[str, list[dict]]):
    rng, statuses = random.Random(5), set()
    for _ in range(40):
        log = mutate_log(logs[rng.choice(TITLES)], rng)
        statuses.add(send_file(Phone(app), json.dumps({"waymark": 1, "code": FOREIGN_CODE, "log": log}).encode())[0])
    assert statuses == {303, 400}


def send_file(phone: Phone, content: bytes, name: str = "file.json") -> tuple[int, str]:
    """Send a file to import; return the status and the text of the answer."""
    form = {"csrf_token": phone.token, "file": (io.BytesIO(content), name)}
    answer = phone.http.post("/history/file", data=form, content_type="multipart/form-data")
    return answer.status_code, parse_page(answer.text).text


@pytest.mark.slow("many logs")
def test_mutated_log_is_replayed_or_refused_in_one_line(run_waymark, write_file, logs: dict[str, list[dict]]):
    rng = random.Random(6)
    for _ in range(MUTATION_COUNT // 2):
        log = mutate_log(logs[rng.choice(TITLES)], rng)
        result = run_waymark("replay", write_file({"waymark": 1, "code": FOREIGN_CODE, "log": log}))
        assert result.status == 0 or has_failed_with(result, "written.json"), log
        assert len(result.err.splitlines()) <= 1 and len(result.err.rpartition("written.json")[2]) <= LONGEST + 1, log


def test_entry_of_a_seat_that_does_not_exist_is_refused(
    app: Flask, run_waymark, write_file, logs: dict[str, list[dict]]
):
    for entry in {entry["what"]["type"]: entry for entry in logs["trails"][1:]}.values():  # one entry of each kind
        changed = [each | {"seat": 5} if each is entry else each for each in logs["trails"]]
        data = {"waymark": 1, "code": FOREIGN_CODE, "log": changed}
        assert has_failed_with(run_waymark("replay", write_file(data)), "there is no seat 5"), entry
    for log in logs.values():
        declined = next(entry for entry in log if entry["what"]["type"] == "Declined")
        changed = [each | {"seat": 5} if each is declined else each for each in log]
        status, text = send_file(Phone(app), json.dumps({"waymark": 1, "code": FOREIGN_CODE, "log": changed}).encode())
        assert status == 400 and "there is no seat 5" in text


def test_log_with_numbers_for_other_players_is_refused(app: Flask, logs: dict[str, list[dict]]):
    log = logs["trails"]
    opened, set_up = log[0], next(entry for entry in log if entry["what"]["type"] == "SetUp")
    setup = {**set_up["what"]["setup"], "players": set_up["what"]["setup"]["players"][:-1]}
    for entry, change, why in (
        (opened, {"wins": [1] * 5}, "5 numbers of games won for"),
        (set_up, {"setup": setup}, f"the setup {len(setup['players'])}"),
    ):
        changed = [item | {"what": item["what"] | change} if item is entry else item for item in log]
        status, text = send_file(Phone(app), json.dumps({"waymark": 1, "code": FOREIGN_CODE, "log": changed}).encode())
        assert status == 400 and why in text, why


# Files of other origin.

BG_STATS = {
    "about": "This is a Play file that can be read by Board Game Stats.",
    "players": [],
    "games": [],
    "plays": [{}],
}
VALID_FILE = json.dumps({"waymark": 1, "results": [], "players": [{"name": "Ana", "names": ["ana"]}]})
PICTURE = io.BytesIO()
Image.new("L", (4, 4)).save(PICTURE, "PNG")
FOREIGN_FILES: dict[str, tuple[bytes, str]] = {
    "BG Stats without lists": (json.dumps(BG_STATS | {"games": 1}).encode(), "games: "),
    "collection of BoardGameGeek": (b"<?xml version='1.0'?><items/>", "a collection or list of games of boardgamegeek"),
    "another XML": (b"<?xml version='1.0'?><rss/>", "this is an XML file"),
    "half an XML": (b'<?xml version="1.0"?><plays><play id="1" ', "the file is cut off"),
    "XML with entities": (b'<!DOCTYPE a [<!ENTITY b "c">]><plays>&b;</plays>', "document type declaration"),
    "page": (b"<!DOCTYPE html><html></html>", "this is a web page"),
    "ZIP": (b"PK\x03\x04" + b"\0" * 40, "this zip archive is damaged or cut off"),
    "gzip": (b"\x1f\x8b\x08" + b"\0" * 40, "this is a compressed file"),
    "PNG": (PICTURE.getvalue(), "this is a picture (PNG)"),
    "JPEG": (b"\xff\xd8\xff\xe0" + b"\0" * 40, "this is a photo (JPEG)"),
    "HEIC": (b"\0\0\0\x18ftypheic" + b"\0" * 40, "this is a photo or a video"),
    "PDF": (b"%PDF-1.7", "this is a PDF"),
    "database": (b"SQLite format 3\0" + b"\0" * 40, "this is a database"),
    "Latin-1": ('{"waymark": 1, "note": "B\xf6"}'.encode("latin-1"), "not a text file in UTF-8"),
    "spaces": (b" \n", "is empty"),
    "text": (b"Ana 25, Bo 30", "this table has headings, but no rows"),
    "half": (VALID_FILE[:40].encode(), "the file is cut off"),
    "other data": (b'{"a": 1}', "this is not a Waymark file"),
    "newer": (b'{"waymark": 2}', "this file is from a newer version of Waymark"),
    "another thing": (b'{"waymark": "x"}', "this is not a Waymark file"),
    "nothing in it": (b'{"waymark": 1}', "this file contains no results, tables or players"),
}


@pytest.mark.parametrize("kind", FOREIGN_FILES)
def test_foreign_file_is_named_and_nothing_is_imported(
    kind: str, app: Flask, referee: Referee, run_waymark, write_file, tmp_path: Path
):
    content, why = FOREIGN_FILES[kind]
    before = row_counts(referee)
    status, text = send_file(Phone(app), content)
    assert status == 400 and why.casefold() in text.casefold() and "Nothing was imported: " in text
    assert row_counts(referee) == before
    for command in (["import", "--instance", tmp_path / "other"], ["replay"]):
        result = run_waymark(*command, write_file(content))
        assert has_failed_with(result, "written.json") and len(result.err.rpartition("written.json")[2]) <= LONGEST
        assert why.casefold() in result.err.casefold() or command == ["replay"]


def test_empty_file_is_refused_with_a_sentence(app: Flask, run_waymark, write_file, tmp_path: Path):
    assert send_file(Phone(app), b"")[1].count("Choose a file first.") == 1
    assert has_failed_with(run_waymark("import", write_file(b""), "--instance", tmp_path / "other"), "is empty")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_file_in_any_unicode_encoding_is_imported(app: Flask, encoding: str):
    status, text = send_file(Phone(app), VALID_FILE.encode(encoding))
    assert status == 200 and "imported" not in text


def test_file_with_an_invalid_second_table_names_the_imported_part(app: Flask, logs: dict[str, list[dict]]):
    tables = [{"code": "", "log": logs["trails-tally"]}, {"code": "", "log": logs["trails-tally"][:3] * 2}]
    players = [{"name": "Someone new", "names": ["someone new"]}]
    data = {"waymark": 1, "players": players, "tables": tables}
    status, text = send_file(Phone(app).become_owner(), json.dumps(data).encode())
    assert status == 400 and "Only 1 table and 1 player were imported: tables[1].log: entry 4 is missing." in text
    status, text = send_file(Phone(app).become_owner(), json.dumps(data).encode())
    assert status == 400 and "Nothing was imported: " in text


@pytest.mark.parametrize("key", ["rulings", "bgg", "boxes", "results", "players"])
def test_file_with_an_error_outside_its_tables_is_not_imported_at_all(key: str, app: Flask, referee: Referee, logs):
    data = {"waymark": 1, "tables": [{"code": "", "log": logs["parks"]}], key: {"alpine-trails": [7], "trails": "x"}}
    before = row_counts(referee)
    status, text = send_file(Phone(app).become_owner(), json.dumps(data).encode())
    assert status == 400 and f"imported: {key}" in text and "Nothing was imported: " in text
    assert row_counts(referee) == before
