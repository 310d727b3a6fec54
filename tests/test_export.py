"""A table's whole log as a file: exported and replayed it has the same score; what is no log is said in one line."""

import io
import json
import sys
from pathlib import Path

import pytest
from flask import Flask

from companion import __main__ as commands
from companion.app import create_app
from tests.command import stopped
from tests.conftest import hasten
from tests.phones import Phone, Seated, seated
from tests.played import moves, play


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


@pytest.fixture(scope="module")
def kept(instance: Path) -> Flask:
    app = create_app(instance)
    hasten(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture(scope="module")
def played(kept: Flask) -> Seated:
    """A whole game with a step asked back and put back."""
    game = moves("trails", ("Ana", "Bo", "Cy"))
    table = play(seated(kept, "Ana", "Bo", "Cy"), game[:20])
    number = str(table.table.steps[-1].number)
    other = (table.table.steps[-1].seat + 1) % 3
    for button in ("take_back", "put_back"):
        table.tap(other, "step", {button: number})
        (asked,) = table.table.proposals
        for seat in asked.waiting:
            table.tap(seat, "answer", {"proposal": str(asked.number), "yes": "1"})
    return play(table, game[20:])


def test_an_exported_table_replayed_has_the_same_score(waymark, written, played: Seated, instance: Path):
    said = waymark("export", played.code.lower(), "--instance", instance)
    assert (said.status, said.err) == (0, "")
    replayed = waymark("replay", written(said.out.encode()))
    table = played.table
    assert table.over and replayed.out == commands._as_text(table.game.score(table.game.final(table.state))) + "\n"


def test_an_export_holds_the_whole_log_and_no_phones_id(waymark, played: Seated, instance: Path):
    said = waymark("export", played.code, "--instance", instance)
    exported = json.loads(said.out)
    assert (exported["waymark"], exported["code"]) == (1, played.code)
    assert [entry["number"] for entry in exported["log"]] == list(range(1, played.table.number + 1))
    assert {entry["device"] for entry in exported["log"]} == {"phone 1", "phone 2", "phone 3"}
    assert not [phone for phone in played.phones if phone.device in said.out]


def test_an_export_is_replayed_from_standard_input(waymark, played: Seated, instance: Path, monkeypatch: pytest.MonkeyPatch):
    said = waymark("export", played.code, "--instance", instance)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said.out.encode())))
    assert waymark("replay", "-").status == 0


def test_a_spoilt_log_is_exported_as_it_is_and_replay_says_where_it_is_spoilt(waymark, written, kept: Flask, instance: Path):
    table = seated(kept, "Ana", "Bo")
    with table.referee.store.db.conn as connection:
        connection.execute(
            "UPDATE entries SET what = 'gone' WHERE number = 3 AND table_id = (SELECT id FROM tables WHERE code = ?)", [table.code]
        )
    said = waymark("export", table.code, "--instance", instance)
    assert said.status == 0 and json.loads(said.out)["log"][2]["what"] == "gone"
    assert stopped(waymark("replay", written(said.out.encode())), "Expected `object`, got `str` - at `$[2].what`")


def test_what_cannot_be_exported_is_said_in_one_line(waymark, tmp_path: Path, kept: Flask, instance: Path):
    assert stopped(waymark("export", "BBBBB", "--instance", instance), "There is no table BBBBB here.")
    assert stopped(waymark("export", "BBBBB", "--instance", tmp_path), "no tables here yet")
    (tmp_path / "waymark.sqlite3").write_bytes(b"this is no database, only some text" * 100)
    assert stopped(waymark("export", "BBBBB", "--instance", tmp_path), "file is not a database")


def opened(**changes: object) -> list[dict]:
    what = {"type": "Opened", "game": "trails-tally", "version": "1", "setup": {"players": ["Ana", "Bo"]}, **changes}
    return [{"number": 1, "at": "", "device": "phone 1", "seat": None, "what": what}]


def entry(number: int, seat: object, **what: object) -> dict:
    return {"number": number, "at": "", "device": "phone 1", "seat": seat, "what": what}


NO_LOG = [
    ([], "not a log written by waymark export"),
    ({}, "not a log written by waymark export"),
    ({"game": "trails", "players": []}, "not a log written by waymark export"),
    ({"log": []}, "the log is empty"),
    ({"log": {}}, "Expected `array`"),
    ({"log": [7]}, "Expected `object`"),
    ({"log": [{}]}, "missing required field `number`"),
    ({"log": opened(type="Shouted")}, "Invalid value 'Shouted'"),
    ({"log": opened(type="\ud800")}, "surrogates not allowed"),
    ({"log": opened(game="chess")}, "Entry 1 of table ? cannot be followed"),
    ({"log": opened(setup={"players": ["Ana", "ana"]})}, "Entry 1 of table ? cannot be followed"),
    ({"log": opened(setup=7)}, "Expected `object`"),
    ({"log": opened() + [entry(2, 7, type="Sat")]}, "Entry 2 of table ? cannot be followed"),
    ({"log": opened() + [entry(2, None, type="Sat")]}, "Entry 2 of table ? cannot be followed"),
    ({"log": opened() + [entry(2, 0, type="Played", move={"type": "fly"})]}, "Entry 2 of table ? cannot be followed"),
    ({"log": opened() + [entry(2, 9, type="Played", move={"type": "done"})]}, "Entry 2 of table ? cannot be followed"),
    ({"log": opened() + [entry(2, 0, type="Agreed", proposal=9)]}, "Entry 2 of table ? cannot be followed"),
    ({"log": [entry(1, 0, type="Sat")], "code": "BCDFG"}, "Entry 1 of table BCDFG cannot be followed"),
    (b"[", "not JSON at line 1, column 2"),
]


@pytest.mark.parametrize(("content", "said"), NO_LOG, ids=[str(number) for number in range(len(NO_LOG))])
def test_what_cannot_be_replayed_is_said_in_one_line(waymark, written, content: object, said: str):
    assert stopped(waymark("replay", written(content)), said)


def test_the_computer_agrees_for_a_host_whose_phone_is_lost(waymark, kept: Flask, instance: Path):
    alone = seated(kept, "Ana", "Bo", phones=1)
    new = Phone(kept)
    for seat, name in enumerate(("Ana", "Bo")):
        new.post(f"{alone.path}/sit", {"seat": str(seat)})
        said = waymark("decide", alone.code.lower(), "--instance", instance)
        assert said.out == f"Agreed: Go on as {name} from another phone.\n"
    assert alone.table.seats == (new.device, new.device)
    assert "waits for anything" in waymark("decide", alone.code, "--instance", instance).out
    assert stopped(waymark("decide", "BBBBB", "--instance", instance), "There is no table BBBBB here.")
