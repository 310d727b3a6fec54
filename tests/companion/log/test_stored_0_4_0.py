"""Tests that everything 0.4.0 stored is read today with the same result.

This covers logs, a whole instance, and the files exported from it. `tests/stored/0.4.0` was written by 0.4.0 (commit
9c0f787) and is never written again. Its parts:

- `logs/`: one table each, an entry a line; the changes of the position by each entry; the result.
- `instance.sql`, `keys/`: the database of an instance and its key files; `phones.json`: the cookies of its phones.
- `remembered.json`: the results, players, card facts and settings of that instance.
- `exports/`: the files that were exported from it.
- `tags.json`: the names of all entries, proposals and moves that 0.4.0 could store.

Races have no points in a CSV of today (`without_race_points`). Apart from that, only sentences may change, so these are
left out: `SENTENCES` of score.json, `SENTENCE_COLUMNS` of score.csv, and of results that are computed again from an
imported table their `verdict` and the `note` of each player.
"""

import base64
import csv
import io
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec
import pytest
from flask import Flask

from companion.exchange.bg_stats import bg_stats_link
from companion.log import table_files
from companion.log.apply import load_entry
from companion.log.entries import Entry
from companion.log.table import Table
from companion.service import import_export
from companion.service.referee import Referee
from companion.storage.bgg_ids import bgg_ids
from companion.storage.own_rulings import export_rulings, list_rulings
from companion.storage.photos import list_photos, read_photo
from companion.storage.store import Store
from companion.system.paths import CHECKOUT
from companion.web.app import create_app
from companion.web.context import RECENT_RESULTS
from scoring.document import sheet_data, to_plain_data
from scoring.games import GAMES
from tests.conftest import disable_fsync
from tests.support.differences import assert_stored
from tests.support.parametrize import run_all_rows

FOLDER = CHECKOUT / "tests" / "stored" / "0.4.0"
GAMES_OF_0_4_0 = {key: GAMES[key] for key in ("trails", "parks", "alpine-trails", "on-the-trail")}
LOGS = {file.stem: file for file in sorted((FOLDER / "logs").glob("*.json"))}
SENTENCES = {"label", "because", "warnings"}  # keys of score.json
SENTENCE_COLUMNS = {"label", "because"}  # of score.csv
OWNER, GUEST = "Hal", "Bo"  # phones whose exports were recorded


def recorded(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


# Results of tables.


def position(table: Table) -> Any:
    """Return the position of a table; where only points are counted, the score entry."""
    tracked = table.tracked
    return to_plain_data(
        tracked.position_format.to_data(table.state) if tracked.position_format else tracked.final_position(table.state)
    )


def changes(old: Any, new: Any) -> dict[str, Any]:
    """Return the differences between two positions: changed values by path, and removed paths."""
    removed: list[str] = []
    changed = dict(_changes(old, new, "", removed))
    return changed | ({"gone": removed} if removed else {})


def _changes(old: Any, new: Any, path: str, removed: list[str]) -> Iterator[tuple[str, Any]]:
    if isinstance(old, list) and isinstance(new, list) and (len(old) == len(new) or new[: len(old)] == old):
        old, new = (dict(enumerate(each)) for each in (old, new))
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if old != new:
            yield path, new
        return
    removed.extend(f"{path}{key}" for key in old if key not in new)
    for key in new:
        if key not in old:
            yield f"{path}{key}", new[key]
        else:
            for place, value in _changes(old[key], new[key], "", removed):
                yield f"{path}{key}.{place}" if place else f"{path}{key}", value


def numbers_of(score: dict) -> dict:
    """Return a score without its sentences."""
    names = ("name", "total", "rank", "winner", "categories")
    players = [
        {name: player[name] for name in names}
        | {"lines": [[line["category"], line["points"], line["rules"]] for line in player["lines"]]}
        for player in score["players"]
    ]
    return {"game": score["game"], "decided_by": score["decided_by"], "players": players}


def result_of(table: Table) -> dict:
    """Return the result of a table as plain data without sentences."""
    result = {
        "code": table.code,
        "game": table.game_key,
        "rules": table.rules_version,
        "number": table.version,
        "opened": table.opened_at,
        "at": table.updated_at,
        "host": table.host,
        "names": table.names,
        "seats": table.seats,
        "over": table.is_over,
        "ended": table.was_over,
        "elsewhere": table.imported,
        "score": numbers_of(sheet_data(table.tracked.box.score(table.tracked.final_position(table.state)))),
        "to move": table.tracked.flow.to_move(table.state),
        "wins": table.earlier_wins,
        "wins now": table.total_wins,
        "after": table.previous_code,
        "next": table.next_code,
        "consent": table.consent,
        "shown": table.pinned_step,
        "spoke": table.last_entry_by,
        "lost": [
            {"seat": each.seat, "device": each.device, "decided": each.is_host_decision}
            for each in table.reassigned_seats
        ],
        "refused": {
            str(seat): {"device": refusal.device, "at": refusal.created_at}
            for seat, refusal in table.seat_refusals.items()
        },
        "steps": [[step.id, step.seat, step.entered_by, step.created_at] for step in table.steps],
        "undone": {id: name for id, (_, name) in table.removed.items()},
        "proposals": [
            [
                proposal.number,
                proposal.device,
                proposal.seat,
                proposal.proposable,
                proposal.waiting_seats,
                proposal.created_at,
                proposal.asked_seats,
                proposal.agreed_seats,
                proposal.required_agreements,
            ]
            for proposal in table.proposals
        ],
        "repairs": [
            [
                repair.number,
                repair.created_at,
                repair.previous_step,
                *([step.id for step in steps] for steps in _stretches(repair)),
            ]
            for repair in table.repairs
        ],
        "agreements": {
            str(number): {"agreed": each.agreed_seats, "decided": each.is_host_decision}
            for number, each in table.agreements.items()
        },
        "remarks": len(table.remarks),
        "own rulings": table.own_rulings,
        "verdicts": [
            {"number": verdict.number, "at": verdict.created_at, "seat": verdict.seat, "what": verdict.payload}
            for verdict in table.verdicts
        ],
        "claims": table.claims,
        "lines": [[line.number, line.seat, line.is_secret, line.removed_by, line.is_step] for line in table.messages],
    }
    return to_plain_data(result)


def _stretches(repair: Any) -> tuple:
    return repair.old_steps, repair.new_steps, repair.removed, repair.added


def followed(code: str, log: list[dict]) -> tuple[dict, dict[str, Any]]:
    """Return the result of a log, and the changes of the position by the number of the entry."""
    table, previous, positions = None, {}, {}
    for entry in msgspec.convert(log, list[Entry]):
        state = table.state if table else None
        table = load_entry(table, code, entry)
        if table.state is not state:
            current = position(table)
            if changed := changes(previous, current):
                positions[str(entry.number)] = changed
            previous = current
    assert table
    return result_of(table), positions


# Data of an instance outside its tables.


def remembered(referee: Referee, phones: dict[str, str]) -> dict:
    """Return the data of an instance outside its tables.

    :param phones: the ids of phones by their owners' names.
    """
    boxes = referee.card_facts
    names_by_id = dict(referee.store.query("SELECT id, name FROM players"))
    results = referee.results.all()
    with_facts = [game.box for game in GAMES_OF_0_4_0.values() if game.box.card_facts]
    exported = {
        "tables": referee.store.codes(),
        "results": results,
        "hidden": [result.id for result in referee.results.hidden()],
        "unread": referee.results.unread_count(),
        "remembered": referee.players.export_players(),
        "called": {str(id): name for id, name in names_by_id.items()},
        "names": {str(id): referee.players.aliases(id) for id in names_by_id},
        "bgg": bgg_ids(referee.store),
        "photos": {
            result.id: [
                [*photo, *_pictures(referee.store, result.id, photo.id)]
                for photo in list_photos(referee.store, result.id)
            ]
            for result in results
        },
        "phones": {
            name: {
                "owner": boxes.owners.is_owner(device),
                "results": [result.id for result in referee.results.visible(device, includes_hidden=True)],
                "found": [result.id for result in referee.results.search(device, page_size=100).results],
                "found parks": [
                    result.id for result in referee.results.search(device, "Ana parks", page_size=100).results
                ],
                "latest": [result.id for result in referee.results.latest(device, 5)],
                "may change": [result.id for result in results if referee.results.can_change(device, result.id)],
                "players": referee.players.visible(device),
                "names": referee.players.names_in(referee.results.latest(device, RECENT_RESULTS)),
                "tables": referee.store.codes_of_device(device, 100),
                "open tables": referee.store.codes_of_device(device, 100, only_unfinished=True),
                "told": {box.key: boxes.entered_by(box, device) for box in with_facts},
            }
            for name, device in phones.items()
        },
        "facts": {box.key: boxes.facts(box) for box in with_facts},
        "waiting": {box.key: boxes.waiting_changes(box) for box in with_facts},
        "decided": {box.key: boxes.decided_changes(box, 100) for box in with_facts},
        "own rulings": {game.box.key: list_rulings(referee.store, game.box) for game in GAMES_OF_0_4_0.values()},
        "rulings told": export_rulings(referee.store),
    }
    return to_plain_data(exported)


def _pictures(store: Store, result: str, photo: str) -> Iterator[str]:
    for small in (False, True):
        yield base64.b64encode(read_photo(store, result, photo, small) or b"").decode()


# Exported files.


def exported(app: Flask, phones: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Return all exports of an instance: each file's text, or data where a file has several."""
    referee: Referee = app.extensions["waymark"]
    store = referee.store
    tables = {code: store.table(code) for code in store.codes()}
    results = referee.results.all()
    owner, other = (_client(app, phones[name]["cookie"]) for name in (OWNER, GUEST))
    with_facts = [key for key, game in GAMES_OF_0_4_0.items() if game.box.card_facts]
    by_hand = next(result for result in results if result.by_hand)
    tracked = next(result for result in results if result.code in tables)

    def got(client: Any, path: str) -> str:
        answer = client.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status}"
        return answer.text

    return {
        "everything.json": "".join(import_export.export_all(referee, None)),
        "everything-owner.json": codes_only(got(owner, "/history.json")),
        "everything-guest.json": codes_only(got(other, "/history.json")),
        "table.json": import_export.log_data(tracked.code, store.read_log(tracked.code)),
        "history-owner.csv": got(owner, "/history.csv"),
        "history-guest.csv": got(other, "/history.csv"),
        "result-by-hand.json": json.loads(got(owner, f"/r/{by_hand.id}.json")),
        "result-of-table.json": json.loads(got(owner, f"/r/{tracked.id}.json")),
        "bg-stats.json": {
            result.id: bg_stats_link(result, bgg_ids(referee.store).get(result.game, 0)).url for result in results
        },
        "boxes.json": {key: json.loads(got(owner, f"/box/{key}.json")) for key in with_facts},
        "scores.json": {code: without_sentences(json.loads(got(owner, f"/t/{code}/score.json"))) for code in tables},
        "scores-csv.json": {code: rows_of(got(owner, f"/t/{code}/score.csv")) for code in one_of_each_play(tables)},
        "positions.json": positions_of(tables),
    }


def positions_of(tables: dict[str, Table]) -> dict[str, dict]:
    """Return the position file of each table that has one."""
    return {
        code: to_plain_data(table_files.export_position(table))
        for code, table in tables.items()
        if table.tracked.position_format
    }


def _client(app: Flask, cookie: str) -> Any:
    client = app.test_client()
    client.set_cookie("waymark", cookie)
    return client


def codes_only(text: str) -> dict:
    """Return an export of everything with only the codes of its tables.

    The logs are left out because the export without a phone has them all.
    """
    data = json.loads(text)
    return data | {"tables": [table["code"] for table in data["tables"]]}


def without_sentences(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_sentences(value) for key, value in data.items() if key not in SENTENCES}
    return [without_sentences(item) for item in data] if isinstance(data, list) else data


def rows_of(text: str) -> list[list[str]]:
    """Return the rows of a score.csv without the columns of sentences."""
    rows = [*csv.reader(io.StringIO(text.removeprefix("\ufeff")))]
    columns = [place for place, name in enumerate(rows[0]) if name not in SENTENCE_COLUMNS]
    return [[row[place] for place in columns] for row in rows]


def one_of_each_play(tables: dict[str, Table]) -> list[str]:
    """Return the code of the first finished table of each tracked game."""
    first: dict[str, str] = {}
    for code, table in tables.items():
        if table.is_over:
            first.setdefault(table.game_key, code)
    return [*first.values()]


# Logs.


@run_all_rows("name", LOGS)
def test_log_of_0_4_0_replays_to_its_recorded_result_and_positions(name: str):
    log = recorded(f"logs/{name}.json")
    result, positions = followed(log["code"], log["log"])
    assert_stored(positions, log["positions"], f"positions of {name}")
    assert_stored(result, log["result"], f"result of {name}")


def test_logs_of_0_4_0_contain_every_entry_proposal_and_move():
    tags = recorded("tags.json")
    entries, changes, moves = set(), set(), {game: set() for game in tags["moves"]}
    for name in LOGS:
        log = recorded(f"logs/{name}.json")["log"]
        for payload in (entry["what"] for entry in log):
            entries.add(payload["type"])
            change = payload.get("wish", payload)
            if payload["type"] == "Proposed":
                changes.add(change["type"])
            parts = [change, *(item for item in change.get("tail", ()) if isinstance(item, dict))]
            moves[log[0]["what"]["game"]] |= {item["move"]["type"] for item in parts if "move" in item}
    assert (sorted(entries), sorted(changes)) == (tags["entries"], tags["wishes"])
    assert {game: sorted(found) for game, found in moves.items()} == tags["moves"]


def test_logs_of_0_4_0_contain_every_old_form_of_an_entry():
    """The app still reads these forms but no longer writes them; some entries omit fields."""
    payloads = [entry["what"] for name in LOGS for entry in recorded(f"logs/{name}.json")["log"]]
    proposed = [payload for payload in payloads if payload["type"] == "Proposed"]
    moves = [payload.get("wish", payload).get("move", {}) for payload in payloads]
    assert {payload["decided"] for payload in payloads if payload["type"] == "Agreed"} == {True, False}
    assert {payload["wish"].get("holder", False) for payload in proposed if payload["wish"]["type"] == "SeatAsked"} == {
        True,
        False,
    }
    assert {"asks" in payload for payload in proposed} == {"enough" in payload for payload in proposed} == {True, False}
    assert {change["type"] for move in moves for change in move.get("changes", ())} == {"by", "into", "but"}


# The instance.


@pytest.fixture(scope="module")
def utc() -> Iterator[None]:
    """Set the time zone in which the exports were recorded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(scope="module")
def instance(utc: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Yield the app of the 0.4.0 instance, opened by this version."""
    folder = tmp_path_factory.mktemp("stored")
    for key in (FOLDER / "keys").iterdir():
        (folder / key.name).write_bytes(key.read_bytes())
    database = sqlite3.connect(folder / "waymark.sqlite3")
    database.executescript((FOLDER / "instance.sql").read_text(encoding="utf-8"))
    database.close()
    app = create_app(folder)
    disable_fsync(app.extensions["waymark"].store)
    yield app
    app.extensions["waymark"].store.db.conn.close()


@pytest.fixture(scope="module")
def phones() -> dict[str, dict[str, str]]:
    return recorded("phones.json")


def test_tables_of_a_0_4_0_instance_have_their_recorded_results(instance: Flask):
    store = instance.extensions["waymark"].store
    expected = {log["code"]: log["result"] for log in (recorded(f"logs/{name}.json") for name in LOGS)}
    found = {code: result_of(store.table(code)) for code in store.codes()}
    assert_stored({code: found[code] for code in expected}, expected, "results of the tables")
    assert all(found[code]["elsewhere"] for code in found.keys() - expected.keys())


def test_data_of_a_0_4_0_instance_is_unchanged(instance: Flask, phones: dict[str, dict[str, str]]):
    found = remembered(instance.extensions["waymark"], {name: phone["device"] for name, phone in phones.items()})
    for path, expected in recorded("remembered.json").items():
        assert_stored(found[path], expected, path)


def test_phone_of_0_4_0_is_recognized_by_its_cookie(instance: Flask, phones: dict[str, dict[str, str]]):
    store = instance.extensions["waymark"].store
    held: dict[str | None, str] = {}  # the address of the first seat of each phone
    for code in store.codes():
        for seat, device in enumerate(store.table(code).seats):
            held.setdefault(device, f"/t/{code}/seat/{seat}")
    for name, phone in phones.items():
        client = _client(instance, phone["cookie"])
        with client.session_transaction() as session:
            assert session["device"] == phone["device"]
        for other in {name, GUEST, OWNER}:
            if seat := held.get(phones[other]["device"]):
                assert (client.get(seat).status_code == 200) == (other == name), (name, seat)


def test_owners_phone_of_0_4_0_is_still_the_owners(instance: Flask, phones: dict[str, dict[str, str]]):
    owners = instance.extensions["waymark"].card_facts.owners
    assert [name for name, phone in phones.items() if owners.is_owner(phone["device"])] == [OWNER]
    assert owners.key.replace("-", "") == (FOLDER / "keys" / "owner").read_text(encoding="ascii")


# Its exports.


@pytest.fixture(scope="module")
def exports(instance: Flask, phones: dict[str, dict[str, str]]) -> dict[str, Any]:
    return exported(instance, phones)


def test_every_export_of_a_0_4_0_instance_is_unchanged(instance: Flask, exports: dict[str, Any]):
    """Compare with score.json of today: it has a verdict, and no ranks before the end."""
    store = instance.extensions["waymark"].store
    assert {file.name for file in (FOLDER / "exports").iterdir()} == set(exports)
    for name, found in exports.items():
        text = (FOLDER / "exports" / name).read_bytes().decode()
        expected = text if isinstance(found, str) else json.loads(text)
        if name == "scores.json":
            unfinished = {code for code in expected if not store.table(code).is_over}
            expected |= {code: undecided(expected[code]) for code in unfinished}
            expected = {code: score | {"verdict": found[code]["verdict"]} for code, score in expected.items()}
            assert {code for code, score in expected.items() if score["verdict"] is None} == unfinished
        if name == "bg-stats.json":
            expected = {id: link_of_today(link) for id, link in expected.items()}
        if name.startswith("history-") and name.endswith(".csv"):
            expected = csv_of_today(expected)
        if name == "result-of-table.json":
            del found["player_times"]  # which follow from the log
        if name == "scores-csv.json":
            expected = {code: without_race_points(rows) for code, rows in expected.items()}
        assert_stored(found, expected, name)


def link_of_today(link: str) -> str:
    """Return a link to BG Stats as it is today: with points as numbers."""
    address, _, text = link.partition("?data=")
    data = json.loads(unquote(text))
    data["players"] = [each | ({"score": int(each["score"])} if "score" in each else {}) for each in data["players"]]
    return f"{address}?data={quote(json.dumps(data, ensure_ascii=False, separators=(',', ':')))}"


def csv_of_today(text: str) -> str:
    """Return the history as it is today: with the kind of player, races without points."""
    first, *rows = without_race_points([*csv.reader(io.StringIO(text))])
    output = io.StringIO()
    table = csv.writer(output)
    table.writerow([*first, "kind"])
    table.writerows([*row, "bot" if row[5] == "The bot" else "player"] for row in rows)
    return f"\ufeff{output.getvalue()}"


def without_race_points(rows: list[list[str]]) -> list[list[str]]:
    """Return the rows of a CSV as they are today: a race has no points, and its end decides it."""
    heading = rows[0]
    points, game, decided_by = (
        heading.index(name) if name in heading else None for name in ("points", "game", "decided by")
    )
    assert points is not None and game is not None
    for row in rows[1:]:
        if row[game] == "ON THE TRAIL":
            row[points] = ""
            if decided_by is not None and row[decided_by] == "points":
                row[decided_by] = "finish"
    return rows


def undecided(score: dict) -> dict:
    """Return a score as score.json has it today before the end of a game."""
    no_rank = {"rank": None, "winner": False}
    players = [{key: item[key] for key in item if key != "title"} | no_rank for item in score["players"]]
    return score | {"decided_by": None, "players": players}


@pytest.mark.slow("it plays every recorded table again, three times")
def test_export_of_0_4_0_is_imported_unchanged_into_an_empty_instance(utc: None, tmp_path: Path):
    expected = recorded("exports/everything.json")
    app = create_app(tmp_path)
    referee = app.extensions["waymark"]
    disable_fsync(referee.store)
    counts = import_export.import_data(referee, expected)
    found = json.loads("".join(import_export.export_all(referee, None)))
    positions = positions_of({code: referee.store.table(code) for code in referee.store.codes()})
    referee.store.db.conn.close()
    assert (counts.tables, counts.results) == (len(expected["tables"]), len(expected["results"]))
    assert [without_details(result) for result in found.pop("results")] == [
        without_details(each) for each in expected.pop("results")
    ]
    assert_stored(found, expected, "everything.json")
    assert positions == recorded("exports/positions.json")


def without_details(result: dict) -> dict:
    """Return a result without the sentences and colors, which are computed again from its table."""
    players = [{key: part[key] for key in part if key not in ("note", "color")} for part in result["players"]]
    return {key: value for key, value in result.items() if key != "verdict"} | {"players": players}
