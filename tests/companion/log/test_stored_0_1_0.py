"""Tests that tables recorded with 0.1.0 replay to the same score.

The files of tests/stored/0.1.0 are games as `waymark export` of 0.1.0 wrote them, next to their results at that time.
They were played at random through its referee with everything that its logs can hold; `database.sql` is its empty
database. The files are never written again: where one no longer replays to its result, the change broke somebody's
game.

Only sentences may change, so they are not compared.
"""

import json
import sqlite3
from collections.abc import Iterator

import msgspec
import pytest

from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.table import Table
from companion.storage.store import Store
from companion.system.paths import CHECKOUT
from scoring.document import sheet_data
from tests.support.differences import assert_stored
from tests.support.parametrize import run_all_rows

FOLDER = CHECKOUT / "tests" / "stored" / "0.1.0"
OLD_LOGS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))}
ENTRY_TYPES = {
    "Opened",
    "SetUp",
    "Sat",
    "Stood",
    "Played",
    "TookBack",
    "PutBack",
    "Proposed",
    "Agreed",
    "Declined",
    "WentOn",
}
PROPOSABLE_TYPES = {"Played", "TookBack", "PutBack", "SeatAsked"}
WORDS = (
    "goes on from another phone",
    "Nobody is left to agree",
    "is no longer possible",
    "No longer asked",
    " declined: ",
)


def entries(old: dict) -> list[Entry]:
    return msgspec.convert(old["log"], list[Entry])


def table_result(table: Table) -> dict:
    """Return the result of a table as plain data."""
    result = {
        "score": sheet_data(table.tracked.box.score(table.tracked.final_position(table.state))),
        "over": table.is_over,
        "host": table.host,
        "names": table.names,
        "seats": table.seats,
        "version": table.version,
        "steps": len(table.steps),
        "wins": table.total_wins,
        "after": table.previous_code,
        "next": table.next_code,
        "undone": [(number, name) for number, (_, name) in ((int(id), item) for id, item in table.removed.items())],
        "proposals": [(item.number, item.text, item.seat, item.waiting_seats) for item in table.proposals],
        "lines": [
            (line.number, line.seat, line.text, line.is_secret, line.removed_by, line.is_step)
            for line in table.messages
        ],
    }
    return msgspec.json.decode(msgspec.json.encode(result))


def without_sentences(result: dict) -> dict:
    """Return a result without its sentences; each line still says whether it has one."""
    lines = [[number, seat, bool(text), *rest] for number, seat, text, *rest in result["lines"]]
    proposals = [[number, bool(text), *rest] for number, text, *rest in result["proposals"]]
    players = [
        {
            **player,
            "lines": [(line["category"], line["points"]) for line in player["lines"] if line["points"]],
            "warnings": len(player.get("warnings", ())),
        }
        for player in result["score"]["players"]
    ]
    score = {key: result["score"][key] for key in ("game", "decided_by")} | {"players": players}
    return {**result, "lines": lines, "proposals": proposals, "score": score}


@run_all_rows("name", OLD_LOGS)
def test_old_log_replays_to_its_recorded_result(name: str):
    table = None
    for entry in entries(OLD_LOGS[name]):
        table = load_entry(table, OLD_LOGS[name]["code"], entry)
    assert_stored(without_sentences(table_result(table)), without_sentences(OLD_LOGS[name]["result"]), name)


@pytest.fixture(scope="module")
def old_database_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Yield a store of the old tables, in a database of 0.1.0 that this version has opened."""
    path = tmp_path_factory.mktemp("old") / "waymark.sqlite3"
    database = sqlite3.connect(path)
    database.executescript((FOLDER / "database.sql").read_text(encoding="utf-8"))
    for id, old in enumerate(OLD_LOGS.values(), 1):
        database.execute("INSERT INTO tables (id, code) VALUES (?, ?)", [id, old["code"]])
        database.executemany(
            "INSERT INTO entries (table_id, number, tap, at, device, seat, what) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    id,
                    item["number"],
                    f"tap {item['number']}",
                    item["at"],
                    item["device"],
                    item["seat"],
                    json.dumps(item["what"]),
                )
                for item in old["log"]
            ],
        )
    database.commit()
    database.close()
    store = Store(path)
    yield store
    store.db.conn.close()


@pytest.mark.parametrize("name", OLD_LOGS)
def test_old_table_is_loaded_from_its_database(name: str, old_database_app: Store):
    found = table_result(old_database_app.table(OLD_LOGS[name]["code"]))
    assert_stored(without_sentences(found), without_sentences(OLD_LOGS[name]["result"]), name)


@pytest.mark.parametrize("game", sorted({old["log"][0]["what"]["game"] for old in OLD_LOGS.values()}))
def test_old_logs_of_a_game_contain_every_type_of_entry(game: str):
    logs = [old for old in OLD_LOGS.values() if old["log"][0]["what"]["game"] == game]
    payloads = [entry["what"] for old in logs for entry in old["log"]]
    assert {payload["type"] for payload in payloads} == ENTRY_TYPES
    assert {payload["wish"]["type"] for payload in payloads if payload["type"] == "Proposed"} == PROPOSABLE_TYPES
    assert {payload["decided"] for payload in payloads if payload["type"] == "Agreed"} == {True, False}
    lines = [line[2] for old in logs for line in old["result"]["lines"]]
    assert [text for text in WORDS if not any(text in line for line in lines)] == []
    assert any(old["result"]["over"] for old in logs) and any(old["result"]["after"] for old in logs)
