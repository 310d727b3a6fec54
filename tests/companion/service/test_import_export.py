"""An instance as a file: written, taken in elsewhere, written again, the same; a table that is played on where it arrives."""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from companion.history.result import Part, Result
from companion.log.repair import Plan
from companion.log.table import plain_move
from companion.service.import_export import Taken, everything, log_data, take_in
from companion.service.referee import Referee, new_tap
from companion.storage.history import Refused
from scoring.games import GAMES
from scoring.kernel.documents import parsed
from scoring.kernel.errors import Malformed
from tests.companion.cli.test_damaged_files import spoilt
from tests.support.cases import cases
from tests.support.finished_tables import HOST, counted, instance, moves_of, played
from tests.support.made_up import made_up
from tests.support.phones import Phone

OTHER = "another phone"


@pytest.fixture
def new_instance(tmp_path: Path) -> Callable[[], Referee]:
    """Set up an empty instance."""
    there: list[Referee] = []

    def new() -> Referee:
        there.append(instance(tmp_path / str(len(there))))
        return there[-1]

    yield new
    for each in there:
        each.store.db.conn.close()


@pytest.fixture
def here(new_instance: Callable[[], Referee]) -> Referee:
    return new_instance()


@pytest.fixture
def there(new_instance: Callable[[], Referee]) -> Referee:
    return new_instance()


def written(referee: Referee) -> str:
    return "".join(everything(referee, None))


def log_of(referee: Referee, code: str) -> dict:
    return log_data(code, referee.store.log(code))


NAMES = st.sampled_from(
    ["Ana", "ANA", "Bo", "B\u00f6", "\u05e9\u05e8\u05d4", "<b>", 'Q"', "Somebody", "\u674e", "a" * 40, "x\\"]
)
TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)
HAND = st.tuples(
    st.sampled_from(sorted(GAMES)),
    st.lists(NAMES, min_size=2, max_size=5, unique_by=str.casefold),
    TEXT,
    st.integers(-5, 99),
)
DOINGS = st.one_of(
    st.tuples(st.just("hand"), HAND),
    st.tuples(st.just("count"), st.lists(NAMES, min_size=2, max_size=4, unique_by=str.casefold)),
    st.tuples(
        st.just("play"),
        st.tuples(st.sampled_from(["trails", "parks", "on-the-trail", "alpine-trails"]), st.integers(0, 25)),
    ),
    st.tuples(
        st.sampled_from(["hide", "merge", "rename", "forget"]), st.tuples(st.integers(0, 9), st.integers(0, 9), NAMES)
    ),
)


def do(referee: Referee, what: str, how: tuple | list) -> None:
    """Do one of the things that leave something to be remembered."""
    history = referee.history
    match what, how:
        case "hand", (game, names, text, points):
            names = names[: GAMES[game].box.seats[-1]]
            parts = tuple(Part(name, points - place, place, place == 1) for place, name in enumerate(names, 1))
            history.enter(Result("AAAAAA", game, "2026-01-02", parts, note=text, where=text[::-1]), HOST)
        case "count", names:
            counted(referee, *names)
        case "play", (game, steps):
            played(referee, game, "Ana", "Bo", steps=steps)
        case _, (one, other, name):
            results, players = history.all_there_are(), sorted(set(history.known_as().values()))
            if what == "hide" and results:
                history.change(results[one % len(results)].id, hidden=True, where=name)
            elif players:
                a, b = players[one % len(players)], players[other % len(players)]
                change = {
                    "merge": (history.merge, a, b),
                    "rename": (history.rename, a, name),
                    "forget": (history.forget, a),
                }
                try:
                    change[what][0](*change[what][1:]) if what in change else None
                except Refused:
                    pass


@pytest.mark.slow("made up by hypothesis")
@made_up(30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(DOINGS, max_size=7))
def test_everything_taken_in_by_an_empty_instance_and_written_again_is_the_same_bytes(doings: list):
    with tempfile.TemporaryDirectory() as folder:
        one, other = instance(Path(folder) / "one"), instance(Path(folder) / "other")
        try:
            for what, how in doings:
                do(one, what, how)
            first = written(one)
            take_in(other, parsed(first.encode()))
            assert written(other) == first
            assert take_in(other, parsed(first.encode()))[:3] == (0, 0, 0)
            assert written(other) == first
        finally:
            for each in (one, other):
                each.store.db.conn.close()


@pytest.mark.slow("whole games")
def test_a_whole_game_of_every_title_comes_out_elsewhere_as_it_did_here(here: Referee, there: Referee):
    names = {"trails": ("Ana", "Bo"), "parks": ("Ana", "Bo"), "alpine-trails": ("Ana",), "on-the-trail": ("Ana", "Bo")}
    tables = [played(here, game, *names[game]) for game in names]
    assert take_in(there, parsed(written(here).encode()), OTHER)[:3] == (4, 4, 2)
    for table in tables:
        assert there.store.table(table.code).sheet == table.sheet
    assert [result.verdict for result in there.history.all(OTHER)] == [
        result.verdict for result in here.history.all(HOST)
    ]


def test_what_is_taken_in_beside_other_things_leaves_them_and_is_there_once(here: Referee, there: Referee):
    counted(here, "Ana", "Bo")
    mine = counted(there, "Ana", "Cy")
    file = parsed(written(here).encode())
    assert take_in(there, file) == Taken(1, 1, 1)  # Ana is known here
    assert take_in(there, file) == Taken(0, 0, 0)
    assert there.store.table(mine.code).sheet == mine.sheet
    assert sorted(there.history.known_as()) == ["ana", "bo", "cy"]
    assert len(there.history.all_there_are()) == 2


def test_a_table_taken_in_is_played_on_by_whoever_sits_down(here: Referee, there: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=12)
    taken = take_in(there, log_of(here, table.code))
    assert taken == Taken(1, 0, 0, table.code)
    arrived = there.store.table(table.code)
    assert arrived.state == table.state and arrived.seats == (None, None) and arrived.number == table.number
    assert written(there).count('"number"') == table.number  # looked at, nothing has been said yet
    for seat in range(2):
        there.sit(table.code, OTHER, new_tap(), seat)
    seated = there.store.table(table.code)
    assert seated.seats == (OTHER, OTHER) and seated.host == OTHER and seated.names == table.names
    for seat, move in moves_of("trails", ("Ana", "Bo"), 7)[12:]:
        there.play(table.code, OTHER, new_tap(), seat, plain_move(move))
    over = there.store.table(table.code)
    assert over.over and there.history.of_table(table.code).players[0].name == "Ana"
    back = there.mend(table.code, OTHER, new_tap(), over.steps[3].seat, Plan(over.steps[-1].id, 1))
    assert not back.over


def test_a_table_that_was_played_on_elsewhere_goes_on_here_when_it_comes_back(here: Referee, there: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=8)
    take_in(there, log_of(here, table.code))
    for seat in range(2):
        there.sit(table.code, OTHER, new_tap(), seat)
    for seat, move in moves_of("trails", ("Ana", "Bo"), 7)[8:20]:
        there.play(table.code, OTHER, new_tap(), seat, plain_move(move))
    assert take_in(here, log_of(there, table.code)).tables == 1
    assert take_in(here, log_of(there, table.code)).tables == 0
    back = here.store.table(table.code)
    assert back.state == there.store.table(table.code).state and back.seats == (None, None)
    assert here.sit(table.code, HOST, new_tap(), 0).seats == (HOST, None)


def test_a_table_whose_code_is_anothers_gets_a_new_one_once(here: Referee, there: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=5)
    mine = played(there, "trails", "Cy", "Di", steps=3)
    log = log_of(here, table.code) | {"code": mine.code}
    first, second = take_in(there, log), take_in(there, log)
    assert first.tables == 1 and second.tables == 0 and first.code == second.code != mine.code
    assert there.store.table(first.code).names == ("Ana", "Bo")
    assert there.store.table(mine.code).names == ("Cy", "Di")


def test_questions_that_waited_and_seats_that_were_held_do_not_bind_whoever_goes_on(here: Referee, there: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=6)
    here.stand(table.code, HOST, new_tap(), 1)
    here.sit(table.code, OTHER, new_tap(), 1)
    here.play(table.code, HOST, new_tap(), 0, {"type": "correct-player", "player": 1, "leaf": 5})
    assert here.store.table(table.code).proposals
    take_in(there, log_of(here, table.code))
    assert there.store.table(table.code).proposals == ()
    again = there.sit(table.code, HOST, new_tap(), 0)
    assert again.proposals == () and again.seats == (HOST, None)


def test_a_phone_takes_what_it_may_see_and_no_table_that_goes_on(here: Referee, there: Referee):
    mine, theirs = counted(here, "Ana", "Bo"), counted(here, "Cy", "Di", phone=OTHER)
    going_on = played(here, "trails", "Ana", "Bo", steps=4)
    file = "".join(everything(here, HOST))
    assert mine.code in file and theirs.code not in file and going_on.code not in file and "Cy" not in file
    assert take_in(there, parsed(file.encode()), OTHER)[:3] == (1, 1, 2)
    assert [result.code for result in there.history.latest(OTHER, 3)] == [mine.code]


def good() -> dict:
    return {"waymark": 1, "players": [], "results": [], "tables": []}


SPOILT = [
    ([], "no file written by Waymark"),
    ({"waymark": 2, "tables": []}, "newer version"),
    ({"waymark": 1}, "neither a result nor a table"),
    ({**good(), "tables": {}}, "tables: a list"),
    ({**good(), "tables": 3}, "tables: a list"),
    ({**good(), "tables": [3]}, r"tables\[0\].log: a list"),
    ({**good(), "tables": [{"code": "BCDFG", "log": []}]}, r"tables\[0\].log: it is empty"),
    ({**good(), "tables": [{"code": "BCDFG", "log": [{}]}]}, r"tables\[0\].log: .*number"),
    (
        {**good(), "results": [{"id": "AAAAAA", "game": "go", "ended": "2026-01-01", "players": [{"name": "A"}]}]},
        "no game \u201cgo\u201d",
    ),
    (
        {**good(), "results": [{"id": "../../", "game": "trails", "ended": "2026-01-01", "players": [{"name": "A"}]}]},
        "results: .*id",
    ),
    (
        {**good(), "results": [{"id": "AAAAAA", "game": "trails", "ended": "soon", "players": [{"name": "A"}]}]},
        "results: .*ended",
    ),
    ({**good(), "players": [{"name": 3, "names": []}]}, "players: .*str"),
    ({**good(), "players": [{"name": "a\nb", "names": ["ab"]}]}, "players: a name stands on one line"),
    ({"waymark": 1, "log": "x"}, "log: a list"),
    ({**good(), "bgg": {"trails": 10**30}}, "bgg: .*<"),
    (
        {**good(), "results": [{"id": "AAAAAA", "game": "trails", "ended": "2026-01-01", "players": "\ud800"}]},
        "results: .*surrogates",
    ),
    (
        {**good(), "boxes": {"on-the-trail": {"cards": [{"legs": [], "whole": False}] * 6}}},
        "boxes: The box has 5 Trail cards",
    ),
    ({**good(), "bgg": {"trails": -5}}, "bgg: .*>="),
    (
        {**good(), "results": [{"id": "AAAAAA", "game": "trails", "ended": "2026-13-99", "players": [{"name": "A"}]}]},
        "results: AAAAAA did not end at a time",
    ),
    (
        {
            **good(),
            "results": [
                {"id": "AAAAAA", "game": "parks", "ended": "2026-01-01", "players": [{"name": n} for n in "ABCDEF"]}
            ],
        },
        "results: PARKS takes 5 players at most; AAAAAA has 6",
    ),
    (
        {
            **good(),
            "results": [
                {"id": "AAAAAA", "game": "trails", "ended": "2026-01-01", "players": [{"name": "A"}], "minutes": 10**30}
            ],
        },
        "results: .*minutes",
    ),
]


@pytest.mark.parametrize(("file", "why"), SPOILT)
def test_a_file_that_is_none_of_ours_is_refused_with_the_place(here: Referee, file: object, why: str):
    before = written(here)
    with pytest.raises(Malformed, match=why):
        take_in(here, file)
    assert written(here) == before


def test_a_log_with_a_move_that_cannot_be_is_refused_and_nothing_of_it_is_here(here: Referee, there: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=5)
    for spoil in (
        lambda log: log[5]["what"]["move"].update(type="fly"),
        lambda log: log.pop(3),
        lambda log: log[0]["what"].update(game="go"),
        lambda log: log[0].update(seat=10**30),
        lambda log: log[2].update(seat=9),
        lambda log: log[2].update(at="soon"),
        lambda log: log[2].update(at="2026-13-99"),
    ):
        file = json.loads(json.dumps(log_of(here, table.code)))
        spoil(file["log"])
        with pytest.raises(Malformed, match="log: "):
            take_in(there, file)
        assert there.store.codes() == []


@pytest.mark.slow("made up by chance")
@cases("seed", [2, 23, 31])
def test_a_file_spoilt_in_any_way_is_taken_in_or_refused_and_every_page_is_there_still(
    here: Referee, app: Flask, seed: int
):
    played(here, "on-the-trail", "Ana", "Bo")
    counted(here, "Ana", "Cy")
    here.history.enter(
        Result("AAAAAA", "parks", "2026-01-02", (Part("Ana", 30, 1, True, {"parks": 3}), Part("Bo", 20, 2))), HOST
    )
    file, phone, rng = json.loads(written(here)), Phone(app).owning(), random.Random(seed)
    rest = {key: value for key, value in file.items() if key != "tables"}
    there, refused = app.extensions["waymark"], 0
    phone.get("/")
    for _ in range(150):
        log = rng.choice(file["tables"])
        wrong = (
            spoilt(rest, rng)
            if rng.random() < 0.5
            else {"waymark": 1, "tables": [{**log, "log": spoilt(log["log"], rng)}]}
        )
        try:
            take_in(there, wrong, phone.device)
        except Malformed:
            refused += 1
    assert 30 < refused < 150
    results = there.history.all(phone.device)
    paths = [
        "/",
        "/history",
        "/history.csv",
        "/history.json",
        *(f"/history/players/{id}" for id in there.history.known_as().values()),
    ]
    paths += [f"/r/{result.id}{page}" for result in results[:20] for page in ("", "/picture.svg", ".json")]
    paths += [f"/r/{result.id}/correct" for result in results if result.by_hand]
    assert any("correct" in path for path in paths)
    assert {phone.get(path).status_code for path in paths} == {200}


def test_a_file_does_not_say_how_a_table_that_is_here_came_out(here: Referee):
    table = played(here, "trails", "Ana", "Bo", steps=4)
    told = {
        "id": "BCDFGH",
        "game": "trails",
        "ended": "2026-01-01",
        "players": [{"name": "Ana", "winner": True}],
        "code": table.code,
    }
    assert take_in(here, {**good(), "results": [told]})[:3] == (0, 1, 0)
    assert here.history.of_table(table.code) is None and here.history.result("BCDFGH").code == ""


def test_what_the_owners_tables_play_where_the_book_is_silent_goes_along(here: Referee, there: Referee):
    here.boxes.owners.add(HOST)
    table = counted(here, "Ana", "Bo")
    here.write_ruling(table.code, HOST, new_tap(), 0, "May one peek?", "Nobody peeks")
    file = written(here)
    take_in(there, parsed(file.encode()))
    assert [each.reading for each in there.boxes.own_rulings(GAMES["trails"].box)] == ["Nobody peeks"]
    assert written(there) == file
    there.boxes.bring_rulings([here.boxes.rulings_told()[0] | {"reading": "Everybody peeks"}])
    assert [each.reading for each in there.boxes.own_rulings(GAMES["trails"].box)] == ["Nobody peeks"]
