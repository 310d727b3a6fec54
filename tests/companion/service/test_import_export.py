"""Tests of exporting an instance or a table and importing it into another instance."""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from companion.history.result import PlayerResult, Result
from companion.log.plans import RepairPlan
from companion.log.table import to_data
from companion.service.import_export import ImportCounts, export_all, import_data, log_data
from companion.service.referee import Referee, new_tap
from companion.storage.erasure import erase_player
from companion.storage.own_rulings import export_rulings, import_rulings, list_rulings
from companion.storage.players import PlayerError
from scoring.games import GAMES
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.parsing import parse_json
from tests.companion.cli.test_damaged_files import damage
from tests.support.finished_tables import HOST_DEVICE, open_instance, random_game_moves, random_game_table, scored_table
from tests.support.hypothesis_settings import with_examples
from tests.support.log_builder import leaf_edit
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone

OTHER_DEVICE = "another phone"


@pytest.fixture
def new_instance(tmp_path: Path) -> Callable[[], Referee]:
    """Return a function that creates an empty instance."""
    opened: list[Referee] = []

    def new() -> Referee:
        opened.append(open_instance(tmp_path / str(len(opened))))
        return opened[-1]

    yield new
    for each in opened:
        each.store.db.conn.close()


@pytest.fixture
def source(new_instance: Callable[[], Referee]) -> Referee:
    return new_instance()


@pytest.fixture
def target(new_instance: Callable[[], Referee]) -> Referee:
    return new_instance()


def exported_json(referee: Referee) -> str:
    return "".join(export_all(referee, None))


def entries_of(referee: Referee, code: str) -> dict:
    return log_data(code, referee.store.read_log(code))


NAMES = st.sampled_from(
    ["Ana", "ANA", "Bo", "B\u00f6", "\u05e9\u05e8\u05d4", "<b>", 'Q"', "Somebody", "\u674e", "a" * 40, "x\\"]
)
TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)
ENTERED_RESULT = st.tuples(
    st.sampled_from(sorted(GAMES)),
    st.lists(NAMES, min_size=2, max_size=5, unique_by=str.casefold),
    TEXT,
    st.integers(-5, 99),
)
ACTIONS = st.one_of(
    st.tuples(st.just("hand"), ENTERED_RESULT),
    st.tuples(st.just("count"), st.lists(NAMES, min_size=2, max_size=4, unique_by=str.casefold)),
    st.tuples(
        st.just("play"),
        st.tuples(st.sampled_from(["trails", "parks", "on-the-trail", "alpine-trails"]), st.integers(0, 25)),
    ),
    st.tuples(
        st.sampled_from(["hide", "merge", "rename", "forget"]), st.tuples(st.integers(0, 9), st.integers(0, 9), NAMES)
    ),
)


def perform(referee: Referee, action: str, arguments: tuple | list) -> None:
    """Perform one action that changes the stored history."""
    match action, arguments:
        case "hand", (game, names, text, points):
            names = names[: GAMES[game].box.player_counts[-1]]
            parts = tuple(PlayerResult(name, points - place, place, place == 1) for place, name in enumerate(names, 1))
            referee.results.enter(Result("AAAAAA", game, "2026-01-02", parts, note=text, where=text[::-1]), HOST_DEVICE)
        case "count", names:
            scored_table(referee, *names)
        case "play", (game, steps):
            random_game_table(referee, game, "Ana", "Bo", steps=steps)
        case _, (first, second, name):
            results, players = referee.results.all(), sorted(set(referee.players.ids_by_name().values()))
            if action == "hide" and results:
                referee.results.change(results[first % len(results)].id, hidden=True, where=name)
            elif players:
                a, b = players[first % len(players)], players[second % len(players)]
                change = {
                    "merge": (referee.players.merge, a, b),
                    "rename": (referee.players.rename, a, name),
                    "forget": (erase_player, referee.store, a),
                }
                try:
                    change[action][0](*change[action][1:]) if action in change else None
                except PlayerError:
                    pass


@pytest.mark.slow("made up by hypothesis")
@with_examples(30)
@given(st.lists(ACTIONS, max_size=7))
def test_export_imported_into_an_empty_instance_exports_the_same_bytes(performed: list):
    with tempfile.TemporaryDirectory() as folder:
        first_referee, second_referee = open_instance(Path(folder) / "one"), open_instance(Path(folder) / "other")
        try:
            for action, arguments in performed:
                perform(first_referee, action, arguments)
            first = exported_json(first_referee)
            import_data(second_referee, parse_json(first.encode()))
            assert exported_json(second_referee) == first
            assert import_data(second_referee, parse_json(first.encode()))[:3] == (0, 0, 0)
            assert exported_json(second_referee) == first
        finally:
            for each in (first_referee, second_referee):
                each.store.db.conn.close()


@pytest.mark.slow("whole games")
def test_whole_game_of_every_title_has_the_same_result_after_import(source: Referee, target: Referee):
    names = {"trails": ("Ana", "Bo"), "parks": ("Ana", "Bo"), "alpine-trails": ("Ana",), "on-the-trail": ("Ana", "Bo")}
    tables = [random_game_table(source, game, *names[game]) for game in names]
    assert import_data(target, parse_json(exported_json(source).encode()), OTHER_DEVICE)[:3] == (4, 4, 2)
    for table in tables:
        assert target.store.table(table.code).sheet == table.sheet
    assert [result.verdict for result in target.results.visible(OTHER_DEVICE)] == [
        result.verdict for result in source.results.visible(HOST_DEVICE)
    ]


def test_import_keeps_existing_data_and_is_done_once(source: Referee, target: Referee):
    scored_table(source, "Ana", "Bo")
    own_table = scored_table(target, "Ana", "Cy")
    file = parse_json(exported_json(source).encode())
    assert import_data(target, file) == ImportCounts(1, 1, 1)  # Ana is known here
    assert import_data(target, file) == ImportCounts(0, 0, 0)
    assert target.store.table(own_table.code).sheet == own_table.sheet
    assert sorted(target.players.ids_by_name()) == ["ana", "bo", "cy"]
    assert len(target.results.all()) == 2


def test_imported_table_is_played_on_by_new_phones(source: Referee, target: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=12)
    counts = import_data(target, entries_of(source, table.code))
    assert counts == ImportCounts(1, 0, 0, table.code)
    arrived = target.store.table(table.code)
    assert arrived.state == table.state and arrived.seats == (None, None) and arrived.version == table.version
    assert exported_json(target).count('"number"') == table.version  # no entry has been added yet
    for seat in range(2):
        target.sit(target.store.table(table.code), OTHER_DEVICE, new_tap(), seat)
    seated_table = target.store.table(table.code)
    assert (
        seated_table.seats == (OTHER_DEVICE, OTHER_DEVICE)
        and seated_table.host == OTHER_DEVICE
        and seated_table.names == table.names
    )
    for seat, move in random_game_moves("trails", ("Ana", "Bo"), 7)[12:]:
        target.play(target.store.table(table.code), OTHER_DEVICE, new_tap(), seat, to_data(move))
    finished = target.store.table(table.code)
    assert finished.is_over and target.results.of_table(table.code).players[0].name == "Ana"
    reopened = target.repair(
        target.store.table(table.code),
        OTHER_DEVICE,
        new_tap(),
        finished.steps[3].seat,
        RepairPlan(finished.steps[-1].id, 1),
    )
    assert not reopened.is_over


def test_table_played_on_elsewhere_continues_when_imported_back(source: Referee, target: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=8)
    import_data(target, entries_of(source, table.code))
    for seat in range(2):
        target.sit(target.store.table(table.code), OTHER_DEVICE, new_tap(), seat)
    for seat, move in random_game_moves("trails", ("Ana", "Bo"), 7)[8:20]:
        target.play(target.store.table(table.code), OTHER_DEVICE, new_tap(), seat, to_data(move))
    assert import_data(source, entries_of(target, table.code)).tables == 1
    assert import_data(source, entries_of(target, table.code)).tables == 0
    reopened = source.store.table(table.code)
    assert reopened.state == target.store.table(table.code).state and reopened.seats == (None, None)
    assert source.sit(source.store.table(table.code), HOST_DEVICE, new_tap(), 0).seats == (HOST_DEVICE, None)


def test_imported_table_with_a_code_in_use_gets_a_new_code_once(source: Referee, target: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=5)
    own_table = random_game_table(target, "trails", "Cy", "Di", steps=3)
    log = entries_of(source, table.code) | {"code": own_table.code}
    first, second = import_data(target, log), import_data(target, log)
    assert first.tables == 1 and second.tables == 0 and first.code == second.code != own_table.code
    assert target.store.table(first.code).names == ("Ana", "Bo")
    assert target.store.table(own_table.code).names == ("Cy", "Di")


def test_import_drops_open_questions_and_held_seats(source: Referee, target: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=6)
    source.stand_up(source.store.table(table.code), HOST_DEVICE, new_tap(), 1)
    source.sit(source.store.table(table.code), OTHER_DEVICE, new_tap(), 1)
    source.play(source.store.table(table.code), HOST_DEVICE, new_tap(), 0, leaf_edit(1, 2))
    assert source.store.table(table.code).proposals
    import_data(target, entries_of(source, table.code))
    assert target.store.table(table.code).proposals == ()
    seated_table = target.sit(target.store.table(table.code), HOST_DEVICE, new_tap(), 0)
    assert seated_table.proposals == () and seated_table.seats == (HOST_DEVICE, None)


def test_export_of_a_phone_has_only_its_own_finished_tables(source: Referee, target: Referee):
    table, other_table = scored_table(source, "Ana", "Bo"), scored_table(source, "Cy", "Di", device=OTHER_DEVICE)
    going_on = random_game_table(source, "trails", "Ana", "Bo", steps=4)
    file = "".join(export_all(source, HOST_DEVICE))
    assert table.code in file and other_table.code not in file and going_on.code not in file and "Cy" not in file
    assert import_data(target, parse_json(file.encode()), OTHER_DEVICE)[:3] == (1, 1, 2)
    assert [result.code for result in target.results.latest(OTHER_DEVICE, 3)] == [table.code]


def valid_file() -> dict:
    return {"waymark": 1, "players": [], "results": [], "tables": []}


INVALID_FILES = [
    ([], "not a Waymark file"),
    ({"waymark": 2, "tables": []}, "newer version"),
    ({"waymark": 1}, "contains no results, tables or players"),
    ({**valid_file(), "tables": {}}, "tables: expected a list"),
    ({**valid_file(), "tables": 3}, "tables: expected a list"),
    ({**valid_file(), "tables": [3]}, r"tables\[0\].log: must be a list"),
    ({**valid_file(), "tables": [{"code": "BCDFG", "log": []}]}, r"tables\[0\].log: there are no entries"),
    ({**valid_file(), "tables": [{"code": "BCDFG", "log": [{}]}]}, r"tables\[0\].log\[0\].number: this is needed"),
    (
        {
            **valid_file(),
            "results": [{"id": "AAAAAA", "game": "go", "ended": "2026-01-01", "players": [{"name": "A"}]}],
        },
        "unknown game \u201cgo\u201d",
    ),
    (
        {
            **valid_file(),
            "results": [{"id": "../../", "game": "trails", "ended": "2026-01-01", "players": [{"name": "A"}]}],
        },
        r"results\[0\].id: expected text in another format",
    ),
    (
        {**valid_file(), "results": [{"id": "AAAAAA", "game": "trails", "ended": "soon", "players": [{"name": "A"}]}]},
        r"results\[0\].ended: expected text in another format",
    ),
    ({**valid_file(), "players": [{"name": 3, "names": []}]}, r"players\[0\].name: expected text, got a whole number"),
    ({**valid_file(), "players": [{"name": "a\nb", "names": ["ab"]}]}, "players: a name must be on one line"),
    ({"waymark": 1, "log": "x"}, "log: must be a list"),
    ({**valid_file(), "bgg": {"trails": 10**30}}, "bgg.trails: expected a whole number of at most 9999999"),
    (
        {**valid_file(), "results": [{"id": "AAAAAA", "game": "trails", "ended": "2026-01-01", "players": "\ud800"}]},
        r"results\[0\].players: a text has an incomplete character here",
    ),
    (
        {**valid_file(), "boxes": {"on-the-trail": {"cards": [{"legs": [], "whole": False}] * 6}}},
        "boxes: The box has 5 Trail cards",
    ),
    ({**valid_file(), "bgg": {"trails": -5}}, "bgg.trails: expected a whole number of at least 0"),
    (
        {
            **valid_file(),
            "results": [{"id": "AAAAAA", "game": "trails", "ended": "2026-13-99", "players": [{"name": "A"}]}],
        },
        "results: the end of AAAAAA is not a valid time",
    ),
    (
        {
            **valid_file(),
            "results": [
                {"id": "AAAAAA", "game": "parks", "ended": "2026-01-01", "players": [{"name": n} for n in "ABCDEF"]}
            ],
        },
        "results: PARKS is for at most 5 players; AAAAAA has 6",
    ),
    (
        {
            **valid_file(),
            "results": [
                {"id": "AAAAAA", "game": "trails", "ended": "2026-01-01", "players": [{"name": "A"}], "minutes": 10**30}
            ],
        },
        r"results\[0\].minutes: expected a whole number of at most 1000000",
    ),
]


@pytest.mark.parametrize(("file", "why"), INVALID_FILES)
def test_invalid_file_is_refused_with_the_place(source: Referee, file: object, why: str):
    before = exported_json(source)
    with pytest.raises(InvalidInputError, match=why):
        import_data(source, file)
    assert exported_json(source) == before


def test_log_with_an_illegal_move_is_refused_entirely(source: Referee, target: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=5)
    for corrupt in (
        lambda log: log[5]["what"]["move"].update(type="fly"),
        lambda log: log.pop(3),
        lambda log: log[0]["what"].update(game="go"),
        lambda log: log[0].update(seat=10**30),
        lambda log: log[2].update(seat=9),
        lambda log: log[2].update(at="soon"),
        lambda log: log[2].update(at="2026-13-99"),
    ):
        file = json.loads(json.dumps(entries_of(source, table.code)))
        corrupt(file["log"])
        with pytest.raises(InvalidInputError, match=r"log(\[0\]\.seat)?: "):
            import_data(target, file)
        assert target.store.codes() == []


@pytest.mark.slow("made up by chance")
@parametrize_cases("seed", [2, 23, 31])
def test_damaged_file_is_imported_or_refused_and_pages_still_work(source: Referee, app: Flask, seed: int):
    random_game_table(source, "on-the-trail", "Ana", "Bo")
    scored_table(source, "Ana", "Cy")
    source.results.enter(
        Result(
            "AAAAAA", "parks", "2026-01-02", (PlayerResult("Ana", 30, 1, True, {"parks": 3}), PlayerResult("Bo", 20, 2))
        ),
        HOST_DEVICE,
    )
    file, phone, rng = json.loads(exported_json(source)), Phone(app).become_owner(), random.Random(seed)
    rest = {key: value for key, value in file.items() if key != "tables"}
    target, refused = app.extensions["waymark"], 0
    phone.get("/")
    for _ in range(150):
        log = rng.choice(file["tables"])
        wrong = (
            damage(rest, rng)
            if rng.random() < 0.5
            else {"waymark": 1, "tables": [{**log, "log": damage(log["log"], rng)}]}
        )
        try:
            import_data(target, wrong, phone.device)
        except InvalidInputError:
            refused += 1
    assert 30 < refused < 150
    results = target.results.visible(phone.device)
    paths = [
        "/",
        "/history",
        "/history.csv",
        "/history.json",
        *(f"/history/players/{id}" for id in target.players.ids_by_name().values()),
    ]
    paths += [f"/r/{result.id}{page}" for result in results[:20] for page in ("", "/picture.svg", ".json")]
    paths += [f"/r/{result.id}/correct" for result in results if result.by_hand]
    assert any("correct" in path for path in paths)
    assert {phone.get(path).status_code for path in paths} == {200}


def test_result_in_a_file_does_not_decide_an_existing_table(source: Referee):
    table = random_game_table(source, "trails", "Ana", "Bo", steps=4)
    exported = {
        "id": "BCDFGH",
        "game": "trails",
        "ended": "2026-01-01",
        "players": [{"name": "Ana", "winner": True}],
        "code": table.code,
    }
    assert import_data(source, {**valid_file(), "results": [exported]})[:3] == (0, 1, 0)
    assert source.results.of_table(table.code) is None and source.results.find("BCDFGH").code == ""


def test_variants_of_the_owner_keep_their_rule_in_an_export(source: Referee, target: Referee):
    source.card_facts.owners.add(HOST_DEVICE)
    table = scored_table(source, "Ana", "Bo")
    source.write_ruling(
        source.store.table(table.code), HOST_DEVICE, new_tap(), 0, "How far?", "3 tiles.", "hike-distance"
    )
    file = exported_json(source)
    import_data(target, parse_json(file.encode()))
    assert [ruling.rule for ruling in list_rulings(target.store, GAMES["trails"].box)] == ["hike-distance"]
    assert exported_json(target) == file


def test_house_rules_of_the_owner_are_exported_and_imported(source: Referee, target: Referee):
    source.card_facts.owners.add(HOST_DEVICE)
    table = scored_table(source, "Ana", "Bo")
    source.write_ruling(source.store.table(table.code), HOST_DEVICE, new_tap(), 0, "May one peek?", "Nobody peeks")
    file = exported_json(source)
    import_data(target, parse_json(file.encode()))
    assert [item.interpretation for item in list_rulings(target.store, GAMES["trails"].box)] == ["Nobody peeks"]
    assert exported_json(target) == file
    import_rulings(target.store, [export_rulings(source.store)[0] | {"reading": "Everybody peeks"}])
    assert [item.interpretation for item in list_rulings(target.store, GAMES["trails"].box)] == ["Nobody peeks"]
