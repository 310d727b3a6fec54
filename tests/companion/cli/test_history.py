"""Tests of `waymark history` and `waymark import`."""

import csv
import io
import json
from pathlib import Path

import pytest

from companion.system.paths import DATABASE_NAME
from tests.support.finished_tables import open_instance, random_game_table, scored_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an instance in which three games were played, one of them unfinished."""
    instance = tmp_path / "instance"
    referee = open_instance(instance)
    scored_table(referee, "Ana", "Bo")
    scored_table(referee, "Cy", "Di", game="parks")
    random_game_table(referee, "trails", "Ana", "Bo", steps=4)
    referee.store.db.conn.close()
    (instance / "tables.db").rename(instance / DATABASE_NAME)
    return instance


def test_history_lists_results_latest_first(run_waymark, folder: Path):
    result = run_waymark("history", "--instance", folder)
    lines = result.out.splitlines()
    assert result.status == 0 and len(lines) == 2
    assert "PARKS" in lines[0] and "Cy 0 *, Di 0 *" in lines[0] and "TRAILS" in lines[1] and "(table " in lines[1]


def test_history_search_and_limit_filter_the_results(run_waymark, folder: Path):
    assert run_waymark("history", "--instance", folder, "--limit", "1").out.count("\n") == 1
    assert run_waymark("history", "ANA", "trails", "--instance", folder).out.count("\n") == 1
    result = run_waymark("history", "nobody", "--instance", folder)
    assert (result.status, result.out) == (1, "No result matches.\n")
    assert run_waymark("history", "--instance", folder, "--limit", "x").status == 2


def test_history_of_an_instance_without_results_reports_none(run_waymark, tmp_path: Path):
    open_instance(tmp_path).store.db.conn.close()
    (tmp_path / "tables.db").rename(tmp_path / DATABASE_NAME)
    result = run_waymark("history", "--instance", tmp_path)
    assert (result.status, result.out) == (0, "There are no past games yet.\n")
    assert run_waymark("history", "--instance", tmp_path / "nowhere").status == 2


def test_history_as_csv_has_a_row_for_each_player(run_waymark, folder: Path):
    rows = list(csv.DictReader(io.StringIO(run_waymark("history", "--csv", "--instance", folder).out)))
    assert [row["player"] for row in rows] == ["Cy", "Di", "Ana", "Bo"] and rows[0]["game"] == "PARKS"


def test_exported_instance_is_identical_after_import(run_waymark, write_file, folder: Path, tmp_path: Path):
    file = run_waymark("history", "--json", "--instance", folder).out
    path, other = write_file(file.encode()), tmp_path / "other"
    second_result = run_waymark("import", path, "--instance", other)
    assert (second_result.status, second_result.out) == (0, f"{path}: Imported 3 tables, 2 results and 4 players.\n")
    assert run_waymark("history", "--json", "--instance", other).out == file
    result = run_waymark("import", path, path, "--instance", other)
    assert result.out == f"{path}: Everything in this file is already here.\n" * 2


def test_imported_table_is_listed_with_its_code(run_waymark, write_file, folder: Path, tmp_path: Path):
    code = next(
        item["code"] for item in json.loads(run_waymark("history", "--json", "--instance", folder).out)["tables"]
    )
    path = write_file(run_waymark("export", code, "--instance", folder).out.encode())
    result = run_waymark("import", path, "--instance", tmp_path / "other")
    assert result.out == f"{path}: Imported 1 table and 1 result. The table\u2019s code is {code}.\n"


BAD = [
    (b"", "is empty"),
    (b"[]", "not a Waymark file"),
    (b'{"waymark": 1, "tables": [{"log": [{}]}]}', "tables[0].log"),
]


@pytest.mark.parametrize(("content", "why"), BAD)
def test_import_of_a_foreign_file_is_refused_in_one_line(
    run_waymark, write_file, tmp_path: Path, content: bytes, why: str
):
    result = run_waymark("import", write_file(content), "--instance", tmp_path / "other")
    assert result.status == 2 and result.out == "" and why in result.err and result.err.count("\n") == 1


def test_import_of_an_unreadable_file_creates_no_folder(run_waymark, write_file, tmp_path: Path):
    assert run_waymark("import", write_file(b"{"), "--instance", tmp_path / "other").status == 2
    assert not (tmp_path / "other").exists()


TABLE = b"Date,Game,Player,Points,Luck\n3/4/2026,Trails,Ana,25,5\n3/4/2026,Trails,Bo,20,3\nsoon,Trails,Cy,1,1\n"


def test_import_of_a_table_prints_what_to_check_and_what_is_refused(run_waymark, write_file, tmp_path: Path):
    path, other = write_file(TABLE), tmp_path / "other"
    result = run_waymark("import", path, "--instance", other)
    assert result.status == 0 and "Imported 1 result." in result.out
    for line in (
        "  Columns not used: Luck.\n",
        "  \u201c3/4/2026\u201d is read as 3 Apr 2026.\n",
        "  Not imported: row 4: the date \u201csoon\u201d is not readable\n",
    ):
        assert line in result.out
    assert "2026-04-03" in run_waymark("history", "--csv", "--instance", other).out
    assert "Imported 0 results." in run_waymark("import", path, "--instance", other).out


def test_similar_play_is_imported_only_on_request(run_waymark, write_file, tmp_path: Path):
    other = tmp_path / "other"

    def import_play(id: bytes, *options: str) -> str:
        text = b"Play,Date,Game,Player,Points\n%s,2026-11-20,Trails,Ana,25\n%s,2026-11-20,Trails,Bo,20\n" % (id, id)
        return run_waymark("import", write_file(text), *options, "--instance", other).out

    assert "Imported 1 result." in import_play(b"1")
    similar = import_play(b"2")
    assert "Imported 0 results." in similar and "  Maybe here already: 20 Nov 2026 " in similar
    assert "Imported 1 result." in import_play(b"3", "--similar")
