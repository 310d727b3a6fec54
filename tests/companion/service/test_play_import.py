"""Tests of the import of plays: new, known and similar plays, names and undo."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.exchange.bg_stats import write_bg_stats
from companion.exchange.files import CsvFile, PlayFile, WaymarkFile, read_file
from companion.exchange.spreadsheet import OWN_COLUMNS, csv_rows, guess_columns, read_plays, read_table, to_csv
from companion.history.result import PlayerResult, Result
from companion.service.live import LiveUpdates
from companion.service.play_import import ImportPlan, describe_plan, import_plays, plan_import, undo_import
from companion.service.referee import Referee
from companion.storage.erasure import erase_player
from companion.storage.imports import Upload
from companion.storage.photos import add_photo, list_photos
from companion.storage.store import Store
from scoring.kernel.errors import InvalidInputError
from tests.companion.exchange.test_bg_stats import BGG_IDS, bg_stats_file
from tests.companion.exchange.test_bgg import read_plays as read_bgg_plays
from tests.conftest import disable_fsync
from tests.support.results_in_files import random_id, random_result

DEVICE = "0" * 32


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    with empty_referee(tmp_path / "waymark.db") as referee:
        yield referee


@contextmanager
def empty_referee(path: Path) -> Iterator[Referee]:
    """Yield a referee with an empty database."""
    store = Store(path)
    disable_fsync(store)
    yield Referee(store, LiveUpdates(store, 1))
    store.db.conn.close()


def read(content: bytes | dict) -> PlayFile:
    content = content if isinstance(content, bytes) else msgspec.json.encode(content)
    file = read_file(content, BGG_IDS)
    if isinstance(file, CsvFile):
        table = read_table(file.content)
        return read_plays(table, guess_columns(table), BGG_IDS)
    assert not isinstance(file, WaymarkFile)
    return file


def plan(referee: Referee, file: PlayFile, device: str = DEVICE, **names: str) -> ImportPlan:
    return plan_import(referee, file, device, names)


def import_all(referee: Referee, file: PlayFile, device: str = DEVICE) -> list[str]:
    return import_plays(referee, plan(referee, file, device), device)


def counts(found: ImportPlan) -> tuple[int, int, int, int]:
    return len(found.new), len(found.known), len(found.similar), len(found.refused)


def enter(referee: Referee, *players: tuple[str, int], game: str = "trails", ended: str = "2026-11-20") -> Result:
    most = max(points for _, points in players)
    parts = tuple(PlayerResult(name, points, 1 + (points < most), points == most) for name, points in players)
    return referee.results.enter(Result("AAAAAA", game, ended, parts), DEVICE)


# The same file again

FILES = {
    "BG Stats": read(bg_stats_file()),
    "BoardGameGeek, three plays in one": read_bgg_plays(quantity="3"),
    "table": read(
        b"Date,Game,Player,Points\n2026-11-20,Trails,Ana,25\n2026-11-20,Trails,Bo,20\n2026-11-21,Trails,Ana,3\n"
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_same_file_twice_adds_nothing(referee: Referee, kind: str):
    ids = import_all(referee, FILES[kind])
    assert ids
    before = referee.results.all()
    again = plan(referee, FILES[kind])
    assert counts(again) == (0, len(ids), 0, 0) and import_plays(referee, again, DEVICE) == []
    assert referee.results.all() == before


@pytest.mark.parametrize("seed", range(6))
def test_random_file_twice_adds_nothing_and_is_here_as_it_was_written(referee: Referee, tmp_path: Path, seed: int):
    rng = random.Random(seed)
    results = [random_result(rng, random_id(number)) for number in range(40)]
    unique = {result.code: result for result in results if result.code} | {r.id: r for r in results if not r.code}
    file = read(write_bg_stats(unique.values(), BGG_IDS))
    import_all(referee, file)
    found = {result.id: result for result in referee.results.all()}
    assert found == {result.id: result for result in unique.values()}
    assert import_all(referee, file) == [] and len(referee.results.all()) == len(found)
    with empty_referee(tmp_path / "other.db") as other:
        import_all(other, read(write_bg_stats(referee.results.all(), BGG_IDS)))
        assert {result.id: result for result in other.results.all()} == found
        assert import_all(referee, read(write_bg_stats(other.results.all(), BGG_IDS))) == []


def test_own_results_come_back_from_other_programs_and_tables_without_doubles(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20))
    data = write_bg_stats(referee.results.all(), BGG_IDS)
    del data["plays"][0]["waymark"]
    data["plays"][0]["comments"] = "Changed there"
    assert counts(plan(referee, read(data))) == (0, 1, 0, 0)
    table = to_csv([OWN_COLUMNS, *csv_rows(referee.results.all())])
    assert counts(plan(referee, read(table.encode()))) == (0, 1, 0, 0)


def test_play_with_its_number_at_boardgamegeek_is_known_from_either_file(referee: Referee):
    import_all(referee, read_bgg_plays())
    found = plan(referee, read(bg_stats_file(bggId=900001)))
    assert counts(found) == (0, 1, 0, 0)
    import_plays(referee, found, DEVICE)
    (result,) = referee.results.all()
    assert result.other_ids == ("bgg:900001", "bg-stats:55555555-5555-4555-8555-555555555555")
    assert counts(plan(referee, read(bg_stats_file()))) == (0, 1, 0, 0), "also without that number, years later"


def test_play_twice_in_one_file_is_imported_once(referee: Referee):
    data = bg_stats_file()
    data["plays"] *= 2
    assert counts(plan(referee, read(data))) == (1, 1, 0, 0) and len(import_all(referee, read(data))) == 1


def test_entry_for_several_plays_becomes_several_results(referee: Referee):
    assert len(import_all(referee, read_bgg_plays(quantity="2"))) == 2
    assert sorted(result.other_ids for result in referee.results.all()) == [("bgg:900001",), ("bgg:900001#2",)]


# What looks like a result here

SIMILAR = [
    ((("Ana", 25), ("Bo", 20)), {}, True),
    ((("Bo", 20), ("Ana", 25)), {}, True),
    ((("ANA ", 25), ("bo", 20)), {}, True),
    ((("Anna", 25), ("Bo P.", 20)), {}, True),
    ((("Ana", 25), ("Bo", 21)), {}, False),
    ((("Ana", 25), ("Cy", 20)), {}, False),
    ((("Ana", 25), ("Bo", 20), ("Cy", 1)), {}, False),
    ((("Ana", 25), ("Bo", 20)), {"ended": "2026-11-21"}, False),
    ((("Ana", 25), ("Bo", 20)), {"game": "parks"}, False),
]


@pytest.mark.parametrize(("players", "fields", "is_similar"), SIMILAR)
def test_play_with_the_day_players_and_points_of_a_result_looks_like_it(
    referee: Referee, players: tuple, fields: dict, is_similar: bool
):
    here = enter(referee, *players, **fields)
    found = plan(referee, read(bg_stats_file()))
    assert counts(found) == ((0, 0, 1, 0) if is_similar else (1, 0, 0, 0))
    assert not is_similar or found.similar[0].existing == here


def test_play_without_points_looks_like_a_result_with_the_same_winner(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20))
    scores = ({"playerRefId": 1, "winner": True}, {"playerRefId": 2})
    assert counts(plan(referee, read(bg_stats_file(*scores)))) == (0, 0, 1, 0)
    assert counts(plan(referee, read(bg_stats_file(scores[1], scores[0] | {"winner": False})))) == (1, 0, 0, 0)


def test_result_looks_like_one_play_of_a_file_only(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20))
    data = bg_stats_file()
    data["plays"].append(data["plays"][0] | {"uuid": "OTHER"})
    assert counts(plan(referee, read(data))) == (1, 0, 1, 0)


def test_similar_play_that_is_not_imported_is_known_from_then_on(referee: Referee):
    here = enter(referee, ("Ana", 25), ("Bo", 20))
    assert import_all(referee, read(bg_stats_file())) == []
    assert counts(plan(referee, read(bg_stats_file()))) == (0, 1, 0, 0)
    assert referee.results.find(here.id).players == here.players


def test_similar_play_can_be_imported_anyway(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20))
    found = plan(referee, read(bg_stats_file()))
    assert len(import_plays(referee, found, DEVICE, {found.similar[0].number})) == 1
    assert len(referee.results.all()) == 2


def test_results_that_a_phone_may_not_see_do_not_show(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20))
    found = plan(referee, read(bg_stats_file()), "1" * 32)
    assert counts(found) == (1, 0, 0, 0) and found.known_names == ()
    assert [name.similar for name in found.unknown_names] == [(), ()]


@pytest.mark.parametrize(("name", "may_see"), [("Ana", True), ("Mallory", False)])
def test_phone_sees_a_known_play_only_if_it_knows_the_players(referee: Referee, name: str, may_see: bool):
    import_all(referee, read_bgg_plays())
    players = f'<players><player name="{name}" score="25" win="1"/><player name="Bo" score="20"/></players>'
    found = plan(referee, read_bgg_plays(players), "1" * 32)
    assert counts(found) == (0, 1, 0, 0)
    import_plays(referee, found, "1" * 32)
    assert len(referee.results.visible("1" * 32)) == may_see


# Names


def test_chosen_names_are_those_of_the_results(referee: Referee):
    found = plan(referee, read(bg_stats_file()), ana="Anna", bo="Bob")
    import_plays(referee, found, DEVICE)
    assert [part.name for part in referee.results.all()[0].players] == ["Anna", "Bob"]


def test_chosen_names_are_those_of_results_that_waymark_has_exported(referee: Referee, tmp_path: Path):
    enter(referee, ("Ana", 25), ("Bo", 20))
    with empty_referee(tmp_path / "other.db") as other:
        import_plays(other, plan(other, read(write_bg_stats(referee.results.all(), BGG_IDS)), ana="Anna"), DEVICE)
        assert [part.name for part in other.results.all()[0].players] == ["Anna", "Bo"]


def test_chosen_names_can_show_that_a_play_is_here_already(referee: Referee):
    enter(referee, ("Xenia", 25), ("Bo", 20))
    assert counts(plan(referee, read(bg_stats_file()))) == (1, 0, 0, 0)
    assert counts(plan(referee, read(bg_stats_file()), ana="Xenia")) == (0, 0, 1, 0)


def test_one_person_cannot_play_twice(referee: Referee):
    found = plan(referee, read(bg_stats_file()), ana="Bo")
    assert found.refused == ("TRAILS, 2026-11-20: one person would have played twice",)


def test_similar_names_are_proposed(referee: Referee):
    enter(referee, ("Ana Maria", 25), ("Bo P.", 20), ("Zed", 3))
    found = {name.name: name.similar for name in plan(referee, read(bg_stats_file())).unknown_names}
    assert found == {"Ana": ("Ana Maria",), "Bo": ("Bo P.",)}


def test_names_are_remembered_for_the_next_file_until_the_player_is_erased(referee: Referee):
    id = referee.imports.add(DEVICE, Upload("a.bgsplay", FILES["BG Stats"]))
    referee.imports.finish(id, ["AAAAAA"], {"ana": "Anna", "bo": "Bob"})
    assert referee.imports.chosen_names(DEVICE) == {"ana": "Anna", "bo": "Bob"}
    assert referee.imports.chosen_names("1" * 32) == {}
    enter(referee, ("Anna", 25), ("Bo", 20))
    anna = referee.players.id("anna")
    assert anna
    erase_player(referee.store, anna)
    assert referee.imports.chosen_names(DEVICE) == {"bo": "Bob"}


def test_remembered_name_can_be_changed_although_the_name_is_known_by_now(referee: Referee):
    enter(referee, ("Ana", 25), ("Bo", 20), ended="2026-01-01")
    found = plan(referee, FILES["BG Stats"], ana="Anna")
    assert [(name.name, name.chosen, name.is_known) for name in found.unknown_names] == [("Ana", "Anna", True)]
    assert found.known_names == ("Bo",)


def test_names_that_are_exchanged_are_exchanged_in_the_verdict(referee: Referee, tmp_path: Path):
    players = (PlayerResult("Ana", 30, 1, True), PlayerResult("Bo", 20, 2))
    verdict = "Ana wins with 30 points, Bo has 20."
    file = read(write_bg_stats([Result("AAAAAA", "trails", "2026-01-02", players, verdict=verdict)], BGG_IDS))
    (planned,) = plan(referee, file, ana="Bo", bo="Ana").new
    assert [part.name for part in planned.result.players] == ["Bo", "Ana"]
    assert planned.result.verdict == "Bo wins with 30 points, Ana has 20."


def test_merged_players_are_the_same_person(referee: Referee):
    enter(referee, ("Mom", 25), ("Bo", 20))
    enter(referee, ("Ana", 1), ("Bo", 2), ended="2026-01-01")
    mom, ana = (referee.players.id(name) or 0 for name in ("mom", "ana"))
    referee.players.merge(mom, ana)
    found = plan(referee, read(bg_stats_file()))
    assert counts(found) == (0, 0, 1, 0) and found.similar[0].has_same_players
    players = ({"id": 1, "name": "Ana"}, {"id": 2, "name": "Mom"})
    refused = plan(referee, read(bg_stats_file(players=players))).refused
    assert refused == ("TRAILS, 2026-11-20: one person would have played twice",)
    players = (PlayerResult("Ana", 25, 1, True), PlayerResult("Bo", 20, 2))
    assert referee.results.find_similar(Result("AAAAAA", "trails", "2026-11-20", players))


def test_number_of_a_play_does_not_depend_on_the_names(referee: Referee):
    data = bg_stats_file(players=({"id": 1, "name": "Ana"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}))
    (play,) = data["plays"]
    third = [play["playerScores"][0], play["playerScores"][1] | {"playerRefId": 3}]
    data["plays"] = [play, play | {"uuid": "B", "playerScores": third}]
    first, second = plan(referee, read(data)).new
    (left,) = plan(referee, read(data), bo="Ana").new
    assert left.number == second.number != first.number


# Import and undo


def test_import_is_undone_with_its_photos(referee: Referee):
    kept = enter(referee, ("Ana", 1), ("Bo", 2), ended="2026-01-01")
    ids = import_all(referee, FILES["table"])
    add_photo(referee.store, ids[0], DEVICE, b"photo", b"small")
    upload_id = referee.imports.add(DEVICE, Upload("plays.csv"))
    referee.imports.finish(upload_id, ids, {})
    (done,) = referee.imports.finished(DEVICE)
    undo_import(referee, referee.imports, done)
    assert referee.results.all() == [kept] and list_photos(referee.store, ids[0]) == []
    assert referee.imports.finished(DEVICE) == []
    assert counts(plan(referee, FILES["table"])) == (2, 0, 0, 0), "it can be imported again"


def test_phone_can_import_a_limited_number_of_plays(referee: Referee):
    found = plan(referee, read_bgg_plays(quantity="3"))
    with pytest.raises(InvalidInputError, match="at most 2 plays at a time"):
        import_plays(referee, found, DEVICE, max_items=2)
    assert referee.results.all() == []


def test_file_that_is_not_confirmed_is_replaced_by_the_next_and_belongs_to_its_phone(referee: Referee):
    first = referee.imports.add(DEVICE, Upload("a.csv", csv=b"\xff\0"))
    assert referee.imports.upload(first, DEVICE) == Upload("a.csv", csv=b"\xff\0")
    assert referee.imports.upload(first, "1" * 32) is None
    second = referee.imports.add(DEVICE, Upload("b.csv"))
    assert referee.imports.upload(first, DEVICE) is None and referee.imports.upload(second, DEVICE)


def test_plan_is_described_in_one_sentence(referee: Referee):
    assert describe_plan(plan(referee, read(bg_stats_file()))) == "1 new."
    data = bg_stats_file()
    data["games"].append({"id": 8, "name": "Catan"})
    data["plays"] += [data["plays"][0] | {"gameRefId": 8}, data["plays"][0] | {"uuid": "X", "playerScores": []}]
    assert (
        describe_plan(plan(referee, read(json.loads(json.dumps(data)))))
        == "1 new, 1 play of other games and 1 that cannot be imported."
    )
    assert describe_plan(plan(referee, read(b"<plays/>"))) == "No plays."
