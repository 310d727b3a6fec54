"""Tests of the history: results that follow their tables, and players that can be merged."""

import datetime
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from companion.exchange.bg_stats import bg_stats_link
from companion.exchange.spreadsheet import csv_rows
from companion.history.result import (
    PlayerResult,
    Result,
    build_result,
    name_key,
    result_error,
    result_text,
    search_text,
)
from companion.history.statistics import LOST, WON, stats_by_game
from companion.log.entries import local_date, local_time
from companion.log.plans import RepairPlan
from companion.log.table import to_data
from companion.service.referee import Referee, new_tap
from companion.storage.bgg_ids import bgg_ids, set_bgg_id
from companion.storage.erasure import erase_player
from companion.storage.migrations import migrations
from companion.storage.photos import MAX_PHOTOS, TooManyPhotosError, add_photo, list_photos, read_photo, remove_photo
from companion.storage.players import PlayerError, Players
from companion.storage.results import PAGE_SIZE, Results
from scoring.games import GAMES, TRACKED_GAMES
from scoring.kernel.errors import InvalidInputError
from tests.support.finished_tables import HOST_DEVICE, open_instance, random_game_table, scored_table
from tests.support.player_names import names_for

STRANGER = "a stranger's phone"
OWNER = "the owner's phone"


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    opened = open_instance(tmp_path / "instance")
    opened.card_facts.owners.add(OWNER)
    yield opened
    opened.store.db.conn.close()


@pytest.fixture
def results(referee: Referee) -> Results:
    return referee.results


@pytest.fixture
def players(referee: Referee) -> Players:
    return referee.players


def entered_result(**different) -> Result:
    players = (PlayerResult("Ana", 30, 1, True), PlayerResult("Bo", 20, 2))
    return replace(Result("AAAAAA", "trails", "2026-01-02", players), **different)


def known_player_id(players: Players, name: str) -> int:
    return players.ids_by_name()[name_key(name)]


# Results.


@pytest.mark.parametrize("key", TRACKED_GAMES)
def test_finished_table_has_a_result_equal_to_its_sheet(referee: Referee, results: Results, key: str):
    tracked = TRACKED_GAMES[key]
    names = names_for(key)
    table = (
        scored_table(referee, *names, game=tracked.box.key)
        if tracked.is_score_entry
        else random_game_table(referee, key, *names)
    )
    result = results.of_table(table.code)
    assert result and result.game == tracked.box.key and result.code == table.code
    columns = table.sheet.columns
    assert [(part.name, part.points, part.place, part.winner) for part in result.players] == [
        (column.name, column.total, column.rank, column.winner) for column in columns
    ]
    assert all(sum(part.categories.values()) == part.points for part in result.players)
    assert [part.bot for part in result.players] == [seat >= len(table.seats) for seat in range(len(columns))]
    assert (result.minutes == 0) == tracked.is_score_entry
    assert result.verdict == table.sheet.result_text


def test_reopened_table_has_no_result_and_keeps_its_address(referee: Referee, results: Results):
    table = random_game_table(referee, "trails", "Ana", "Bo")
    id, last = results.of_table(table.code).id, table.steps[-1]
    reopened = referee.repair(table, HOST_DEVICE, new_tap(), last.seat, RepairPlan(last.id, 1))
    assert not reopened.is_over and results.of_table(table.code) is None and results.find(id) is None
    replayed = referee.play(table, HOST_DEVICE, new_tap(), last.seat, to_data(last.move))
    assert replayed.is_over and results.of_table(table.code).id == id


def test_repair_after_the_end_changes_the_result(referee: Referee, results: Results):
    table = scored_table(referee, "Ana", "Bo")
    before = results.of_table(table.code)
    last = table.steps[-1]
    referee.repair(table, HOST_DEVICE, new_tap(), last.seat, RepairPlan(last.id, 1))
    referee.play(table, HOST_DEVICE, new_tap(), 1, {"type": "done"})
    after = results.of_table(table.code)
    assert before.id == after.id and after.ended >= before.ended


def test_tables_finished_before_the_history_existed_are_added_to_it(referee: Referee, results: Results):
    finished, running = scored_table(referee, "Ana", "Bo"), random_game_table(referee, "trails", "Ana", "Bo", steps=10)
    with referee.store.transaction() as db:
        for table in ("results", "parts", "seen", "names", "players"):
            db.conn.execute(f"DELETE FROM {table}")
        db.conn.execute("INSERT INTO unread SELECT id FROM tables")
    assert results.unread_count() == 2 and results.of_table(finished.code) is None
    progress: list[tuple[int, int]] = []
    results.catch_up(lambda done, of: progress.append((done, of)))
    assert results.unread_count() == 0 and progress == [(1, 2), (2, 2)]
    assert results.of_table(finished.code).code == finished.code and results.of_table(running.code) is None
    assert [result.code for result in results.latest(HOST_DEVICE, 5)] == [finished.code]


def test_phone_sees_the_tables_it_was_at_and_the_owner_sees_all(referee: Referee, results: Results, players: Players):
    own_table, other_table = scored_table(referee, "Ana", "Bo"), scored_table(referee, "Cy", "Di", device=STRANGER)
    assert [result.code for result in results.latest(HOST_DEVICE, 5)] == [own_table.code]
    assert [result.code for result in results.search(STRANGER).results] == [other_table.code]
    assert {result.code for result in results.search(OWNER).results} == {own_table.code, other_table.code}
    assert [player.name for player in players.visible(HOST_DEVICE)] == ["Ana", "Bo"]
    assert len(players.visible(OWNER)) == 4 and players.visible("nobody's") == []
    id = results.of_table(own_table.code).id
    assert results.can_see(HOST_DEVICE, id) and results.can_see(OWNER, id) and not results.can_see(STRANGER, id)
    assert results.can_change(OWNER, id) and not results.can_change(HOST_DEVICE, id)


def test_result_that_a_phone_has_twice_can_be_changed(referee: Referee, results: Results):
    """Two processes may list a result at the same moment, one of them with its old time."""
    id = results.enter(entered_result(), HOST_DEVICE).id
    with referee.store.transaction() as db:
        db.execute("INSERT INTO seen VALUES (?, ?, ?)", [HOST_DEVICE, "2025-01-01", id])
    results.change(id, ended="2026-03-04")
    assert [result.ended for result in results.latest(HOST_DEVICE, 3)] == ["2026-03-04"]


SEARCHES = [
    ("", "", {1, 2, 3}),
    ("ana", "", {1, 2}),
    ("ANA bo", "", {1}),
    ("parks", "", {3}),
    ("", "parks", {3}),
    ("2026-02", "", {2}),
    ("cabin", "", {2}),
    ("ana", "parks", set()),
    ("100%", "", {3}),
    ("_", "", set()),
    ("\\", "", set()),
    ("stra\u00dfe", "", {3}),
    ("STRASSE", "", {3}),
]


@pytest.mark.parametrize(("search", "game", "found"), SEARCHES)
def test_search_finds_all_words_regardless_of_case(results: Results, search: str, game: str, found: set[int]):
    other = (PlayerResult("Ana", 1, 1, True), PlayerResult("Cy", 0, 2))
    results.enter(entered_result(minutes=1), HOST_DEVICE)
    results.enter(entered_result(minutes=2, ended="2026-02-03", players=other, where="The cabin"), HOST_DEVICE)
    players = (PlayerResult("Cy", 1, 1, True), PlayerResult("Di", 0, 2))
    results.enter(
        entered_result(minutes=3, game="parks", players=players, note="100% sun, Hohe Stra\u00dfe"), HOST_DEVICE
    )
    page = results.search(HOST_DEVICE, search, game)
    assert {result.minutes for result in page.results} == found and page.total == len(found)


def test_search_results_are_paginated(results: Results):
    for after in range(1, PAGE_SIZE + 4):
        results.enter(
            entered_result(ended=(datetime.date(2026, 1, 1) + datetime.timedelta(after)).isoformat()), HOST_DEVICE
        )
    first, second = results.search(HOST_DEVICE), results.search(HOST_DEVICE, page_number=1)
    assert first.total == second.total == PAGE_SIZE + 3
    days = [result.ended for result in (*first.results, *second.results)]
    assert len(first.results) == PAGE_SIZE and days == sorted(days, reverse=True) and len(set(days)) == PAGE_SIZE + 3
    assert results.search(HOST_DEVICE, page_number=9).results == []


def test_hidden_result_is_not_listed_or_counted_until_restored(results: Results, players: Players):
    result = results.enter(entered_result(), HOST_DEVICE)
    results.change(result.id, hidden=True)
    assert (
        results.latest(HOST_DEVICE, 3) == []
        and players.visible(HOST_DEVICE) == []
        and results.search(HOST_DEVICE).total == 0
    )
    assert results.of_player(known_player_id(players, "Ana"), HOST_DEVICE) == []
    assert [each.id for each in results.hidden()] == [result.id] and results.find(result.id).hidden
    results.change(result.id, hidden=False)
    assert [each.id for each in results.latest(HOST_DEVICE, 3)] == [result.id] and results.hidden() == []


def test_photos_of_a_result_are_limited_and_deleted_when_removed(referee: Referee, results: Results):
    id = results.enter(entered_result(), HOST_DEVICE).id
    for number in range(MAX_PHOTOS):
        add_photo(referee.store, id, HOST_DEVICE, b"large %d" % number, b"small %d" % number)
    with pytest.raises(TooManyPhotosError, match=f"{MAX_PHOTOS} photos"):
        add_photo(referee.store, id, HOST_DEVICE, b"", b"")
    photo = list_photos(referee.store, id)[0]
    assert (
        read_photo(referee.store, id, photo.id, is_small=False) == b"large 0"
        and read_photo(referee.store, id, photo.id, is_small=True) == b"small 0"
    )
    assert read_photo(referee.store, "BBBBBB", photo.id, is_small=False) is None
    remove_photo(referee.store, id, photo.id)
    assert (
        len(list_photos(referee.store, id)) == MAX_PHOTOS - 1
        and read_photo(referee.store, id, photo.id, is_small=False) is None
    )


# Players.


def test_name_in_any_case_is_one_player(results: Results, players: Players):
    results.enter(entered_result(), HOST_DEVICE)
    results.enter(
        entered_result(players=(PlayerResult(" ANA", 5, 1, True), PlayerResult("B\u00f6", 1, 2))), HOST_DEVICE
    )
    assert [(player.name, player.games_played, player.wins) for player in players.visible(HOST_DEVICE)] == [
        ("Ana", 2, 2), ("Bo", 1, 0), ("B\u00f6", 1, 0)
    ]  # fmt: skip


def test_solo_game_is_no_win_and_a_bot_is_no_player(referee: Referee, results: Results, players: Players):
    results.enter(entered_result(game="alpine-trails", players=(PlayerResult("Ana", 50, 1, True),)), HOST_DEVICE)
    results.enter(
        entered_result(
            game="on-the-trail", players=(PlayerResult("Ana", 2, 1, True), PlayerResult("Bot", 0, 2, bot=True))
        ),
        HOST_DEVICE,
    )
    assert [(player.name, player.games_played, player.wins) for player in players.visible(HOST_DEVICE)] == [
        ("Ana", 2, 1)
    ]


def test_renamed_player_is_found_by_the_old_and_new_name(results: Results, players: Players):
    results.enter(entered_result(), HOST_DEVICE)
    ana = known_player_id(players, "Ana")
    players.rename(ana, "  Anna  Maria ")
    assert (
        players.name(ana) == "Anna Maria"
        and known_player_id(players, "anna maria") == known_player_id(players, "ANA") == ana
    )
    players.rename(ana, "ANNA MARIA")
    assert players.name(ana) == "ANNA MARIA"
    for name, why in (
        ("Bo", "Another player"),
        ("", "1 to 40"),
        ("x" * 41, "1 to 40"),
        ("somebody 2", "Deleted players are shown as"),
    ):
        with pytest.raises(PlayerError, match=why):
            players.rename(ana, name)
    assert players.name(ana) == "ANNA MARIA"


def test_players_are_merged_and_split_again(results: Results, players: Players):
    results.enter(entered_result(), HOST_DEVICE)
    results.enter(entered_result(players=(PlayerResult("Anna", 5, 1, True), PlayerResult("Bo", 1, 2))), HOST_DEVICE)
    ana, anna, bo = (known_player_id(players, name) for name in ("Ana", "Anna", "Bo"))
    players.merge(anna, ana)
    assert [(player.name, player.games_played) for player in players.visible(HOST_DEVICE)] == [("Ana", 2), ("Bo", 2)]
    assert players.aliases(ana) == ["ana", "anna"] and players.name(anna) is None
    for source, target, message in (
        (ana, bo, "against each other on 2 Jan 2026"),
        (ana, ana, "another player"),
        (ana, 99, "another"),
    ):
        with pytest.raises(PlayerError, match=message):
            players.merge(source, target)
    new_player = players.split(ana, "anna")
    assert players.name(new_player) == "Anna" and len(players.visible(HOST_DEVICE)) == 3
    with pytest.raises(PlayerError, match="no other name"):
        players.split(ana, "ana")


def test_erased_player_is_removed_everywhere_and_others_keep_results(
    referee: Referee, results: Results, players: Players, tmp_path: Path
):
    name = "Zebulon Quux"
    table = random_game_table(referee, "trails", name, "Bo")
    scored_table(referee, "Bo", name.upper())
    going_on = random_game_table(referee, "parks", "Cy", name, steps=6)
    referee.write_ruling(table, HOST_DEVICE, new_tap(), 0, f"May {name} peek?", f"{name} may not")
    results.enter(
        entered_result(players=(PlayerResult("Bo", 3, 1, True), PlayerResult(name, 1, 2)), note=f"{name} was tired"),
        HOST_DEVICE,
    )
    before = {result.id: [(part.points, part.place) for part in result.players] for result in results.visible(OWNER)}
    bo = results.of_player(known_player_id(players, "Bo"), OWNER)

    erase_player(referee.store, known_player_id(players, name))

    after = {result.id: [(part.points, part.place) for part in result.players] for result in results.visible(OWNER)}
    assert after == before and len(results.of_player(known_player_id(players, "Bo"), OWNER)) == len(bo)
    assert "zebulon quux" not in players.ids_by_name()
    assert referee.store.table(table.code).names == ("Somebody", "Bo")
    assert referee.store.table(going_on.code).names == ("Cy", "Somebody")
    assert referee.store.table(table.code).sheet.columns[1].total == table.sheet.columns[1].total
    for file in (tmp_path / "instance").iterdir():
        assert b"zebulon" not in file.read_bytes().lower(), file.name


def test_two_erased_players_have_different_names_at_their_table(referee: Referee, results: Results, players: Players):
    table = scored_table(referee, "Ana", "Bo", "Cy")
    for name in ("Ana", "Bo"):
        erase_player(referee.store, known_player_id(players, name))
    assert referee.store.table(table.code).names == ("Somebody", "Somebody 2", "Cy")
    assert [part.name for part in results.of_table(table.code).players] == ["Somebody", "Somebody 2", "Cy"]
    assert [player.name for player in players.visible(HOST_DEVICE)] == ["Cy"]


def test_result_names_an_erased_player_as_its_table_does(referee: Referee, results: Results, players: Players):
    """Bo's name was typed at the table and changed before the game began."""
    results.enter(entered_result(), HOST_DEVICE)
    key = GAMES["trails"].score_entry.key
    table = referee.open_table(HOST_DEVICE, key, referee.default_setup(TRACKED_GAMES[key], ["Ana", "Bo"]))
    table = referee.sit(table, HOST_DEVICE, new_tap(), 0)
    referee.change_setup(
        table,
        HOST_DEVICE,
        new_tap(),
        referee.default_setup(TRACKED_GAMES[key], ["Ana", "Cy"]),
        0,
    )
    referee.sit(table, HOST_DEVICE, new_tap(), 1)
    for seat in (0, 1):
        referee.play(table, HOST_DEVICE, new_tap(), seat, {"type": "done"})
    for name in ("Bo", "Ana"):
        erase_player(referee.store, known_player_id(players, name))
    names = referee.store.table(table.code).names
    assert names == tuple(part.name for part in results.of_table(table.code).players) == ("Somebody 2", "Cy")


def test_park_named_like_an_erased_player_keeps_its_name(referee: Referee, players: Players):
    table = random_game_table(referee, "parks", "Zion", "Bo")
    states = [table.tracked.position_format.to_data(table.state)["players"][1]]
    erase_player(referee.store, known_player_id(players, "Zion"))
    after = referee.store.table(table.code)
    assert after.names[0] == "Somebody" and [after.tracked.position_format.to_data(after.state)["players"][1]] == states


# Contents of a result.


def test_result_entered_by_hand_has_a_text_about_the_winner():
    assert result_text(entered_result()) == "Ana wins with 30 points."
    players = (PlayerResult("Ana", 3, 1, True), PlayerResult("Bo", 3, 1, True))
    assert result_text(entered_result(players=players)) == "Ana and Bo share the victory with 3 points."
    assert (
        result_text(entered_result(players=(PlayerResult("Ana", 41, 1, True),)))
        == "Ana scored 41 points in a solo game."
    )
    race = (PlayerResult("Ana", 0, 1, True), PlayerResult("Bo", 0, 2))
    assert result_text(entered_result(game="on-the-trail", players=race)) == "Ana wins."
    assert (
        result_text(entered_result(game="on-the-trail", players=tuple(replace(part, winner=False) for part in race)))
        == "No one wins."
    )


def test_duration_is_in_hours_and_minutes():
    assert [entered_result(minutes=minutes).duration for minutes in (0, 5, 60, 125)] == [
        "",
        "5 min",
        "1 h",
        "2 h 5 min",
    ]


# The minutes, since the first step, of the second, of a middle and of the last step; and the duration.
DURATIONS = {
    "a usual game": (20, 40, 60, 60),
    "the clock was set back to before the game": (20, 40, -300, 0),
    "the clock was set back during the game": (240, 20, 260, 0),
    "the clock was set back by seconds": (20.2, 20, 60, 60),
    "the clock was years ahead for a while": (20, 5_000_000, 60, 0),
    "the clock was set ahead by years": (20, 40, 5_000_000, 0),
}


@pytest.mark.parametrize("case", DURATIONS)
def test_duration_is_unknown_if_the_clock_was_set_during_the_game(referee: Referee, case: str):
    table = random_game_table(referee, "on-the-trail", "Ana", "Bo")
    *minutes, duration = DURATIONS[case]
    last = len(table.steps) - 1
    since_start = dict(zip((1, last // 2, last), minutes, strict=True))
    start, passed, steps = datetime.datetime(2030, 5, 1, 9, tzinfo=datetime.UTC), 0.0, []
    for index, step in enumerate(table.steps):
        passed = since_start.get(index, passed)
        time = start + datetime.timedelta(minutes=passed)
        steps.append(replace(step, created_at=time.isoformat(timespec="milliseconds")))
    assert build_result(replace(table, steps=tuple(steps)), "AAAAAA").minutes == duration


def test_csv_has_a_row_for_each_player():
    first, second = csv_rows([entered_result(minutes=40, where="home")])
    assert first == ["2026-01-02", "TRAILS", "", "AAAAAA", 40, "Ana", 1, "yes", 30, "points", "home", "", "player"]
    assert second[5:9] == ["Bo", 2, "", 20]


def test_search_text_contains_everything_a_result_is_found_by():
    found = search_text(entered_result(where="Caf\u00e9", note="rain"))
    assert all(each in found for each in ("ana", "bo", "trails", "2026-01-02", "caf\u00e9", "rain", "aaaaaa"))


def link_data(result: Result) -> dict:
    """Return the data of a link to BG Stats."""
    return json.loads(parse_qs(urlsplit(bg_stats_link(result).url).query)["data"][0])


@pytest.mark.parametrize(("note", "expected"), [("rain", (True, True)), ("\U0001f3d4" * 300, (True, False))])
def test_bg_stats_link_with_a_long_note_has_no_note(note: str, expected: tuple[bool, bool]):
    players = tuple(PlayerResult("\U0001f43b" * 39 + str(seat), 20, 1) for seat in range(5))
    link = bg_stats_link(entered_result(game="parks", players=players, where="home", note=note))
    assert (link.has_location, link.has_note) == expected and len(link.url) <= 8000


def test_bg_stats_link_has_scores_winner_and_game_id():
    address = bg_stats_link(entered_result(minutes=30, where="Caf\u00e9 & more"), 437306).url
    assert address.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    data = json.loads(parse_qs(urlsplit(address).query)["data"][0])
    assert data["game"] == {
        "name": "Trails", "sourceGameId": "trails", "highestWins": True, "noPoints": False, "bggId": 437306
    }  # fmt: skip
    assert [(item["name"], item["score"], item["winner"], item["rank"]) for item in data["players"]] == [
        ("Ana", 30, True, 1), ("Bo", 20, False, 2)
    ]  # fmt: skip
    assert all(isinstance(item["startPlayer"], bool) for item in data["players"])
    assert (data["playDate"], data["durationMin"], data["location"], data["sourceName"], data["sourcePlayId"]) == (
        "2026-01-02 12:00:00", 30, "Caf\u00e9 & more", "Waymark", "AAAAAA"
    )  # fmt: skip
    race = link_data(entered_result(game="on-the-trail"))
    assert race["game"]["noPoints"] and "bggId" not in race["game"] and "score" not in race["players"][0]


def test_game_has_the_entered_bgg_id_or_that_of_its_box(referee: Referee):
    assert bgg_ids(referee.store) == {"parks": GAMES["parks"].box.bgg_id} and GAMES["parks"].box.bgg_id > 0
    set_bgg_id(referee.store, "trails", 123)
    set_bgg_id(referee.store, "parks", 7, overwrites=False)
    assert bgg_ids(referee.store) == {"trails": 123, "parks": 7}
    set_bgg_id(referee.store, "parks", 8, overwrites=False)
    set_bgg_id(referee.store, "trails", 0)
    assert bgg_ids(referee.store) == {"parks": 7}


def test_new_table_never_has_the_code_of_a_result(referee: Referee, results: Results, monkeypatch: pytest.MonkeyPatch):
    letters = iter("BBBBB" + "CCCCC")
    results.save(entered_result(code="BBBBB"), HOST_DEVICE)
    monkeypatch.setattr("companion.storage.store.secrets.choice", lambda letters_given: next(letters))
    assert referee.store.unused_code() == "CCCCC"


def test_result_has_the_local_date_not_the_utc_date(new_york_time):
    result = entered_result(ended="2026-11-25T01:30:05.120+00:00")
    assert result.date == "2026-11-24" and "2026-11-24" in search_text(result)
    data = link_data(result)
    assert data["playDate"] == "2026-11-25 01:30:00", "the link has UTC"
    typed = link_data(entered_result(ended="2026-11-24"))
    assert typed["playDate"] == "2026-11-24 17:00:00", "noon in New York"
    assert entered_result(ended="2026-11-25").date == "2026-11-25"


@pytest.mark.parametrize("invalid", ["", "long ago, I think", "0001-01-01T00:00:00+00:00"])
def test_invalid_time_is_shown_unchanged(invalid: str, new_york_time):
    assert (local_date(invalid), local_time(invalid)) == (invalid[:10], "")


def played(id: str, ended: str, winner: str) -> Result:
    return entered_result(id=id, ended=ended, players=tuple(PlayerResult(name, winner=name == winner) for name in "AB"))


EVENING_OF_FRIDAY = played("FRIDAY", "2026-11-21T02:30:00.000+00:00", "A")  # in New York 20 Nov, 21:30
SATURDAY = played("DAYSAT", "2026-11-21", "B")


def order(results: Results, device: str = HOST_DEVICE) -> list[list[str]]:
    """Return the ids in the order of each list, the earliest first."""
    latest_first = [results.search(device).results, results.latest(device, 10)]
    earliest_first = [results.visible(device), results.all()]
    return [[each.id for each in found] for found in [*(listed[::-1] for listed in latest_first), *earliest_first]]


@pytest.mark.parametrize("device", [HOST_DEVICE, OWNER])
def test_day_without_a_time_follows_the_evening_before(results: Results, new_york_time: None, device: str):
    for result in (SATURDAY, EVENING_OF_FRIDAY):
        results.save(result, HOST_DEVICE)
    results.add_ids("DAYSAT", ["bgg:1"], HOST_DEVICE)
    assert order(results, device) == [["FRIDAY", "DAYSAT"]] * 4
    results.change("DAYSAT", ended="2026-11-20", day_corrected=True)
    assert order(results, device) == [["DAYSAT", "FRIDAY"]] * 4


def test_streak_ends_with_the_last_game_by_local_time(results: Results, players: Players, new_york_time: None):
    for result in (SATURDAY, EVENING_OF_FRIDAY):
        results.save(result, HOST_DEVICE)
    ids = players.ids_by_name()
    for name, streak in (("a", 0), ("b", 1)):
        [stats] = stats_by_game(results.of_player(ids[name], HOST_DEVICE), ids[name], ids)
        assert stats.streak == streak and stats.outcomes[-1] == (WON if streak else LOST)


def test_order_of_earlier_rows_is_corrected(results: Results, new_york_time: None):
    results.save(EVENING_OF_FRIDAY, HOST_DEVICE)
    results.save(SATURDAY, HOST_DEVICE, [STRANGER])
    db = results._store.db
    for table, id in (("results", "id"), ("seen", "result")):
        db.execute(f"UPDATE {table} SET ended = '2026-11-21' WHERE {id} = 'DAYSAT'")
    assert order(results) == [["DAYSAT", "FRIDAY"]] * 4
    db.execute("DELETE FROM _sqlite_migrations WHERE name = 'order_of_days'")
    migrations.apply(db)
    assert order(results) == [["FRIDAY", "DAYSAT"]] * 4
    assert [result.id for result in results.visible(STRANGER)] == ["DAYSAT"]


@pytest.mark.parametrize("device", [HOST_DEVICE, OWNER])
def test_results_of_a_day_keep_the_order_in_which_they_were_added(results: Results, device: str):
    ids = ["ZZZZZZ", "AAAAAA", "MMMMMM", "BBBBBB"]
    for id in ids:
        results.save(played(id, "2026-11-21", "A"), HOST_DEVICE)
    results.change("AAAAAA", note="changed")
    assert order(results, device) == [ids] * 4


def test_result_that_could_not_be_read_again_is_not_saved(results: Results):
    with pytest.raises(InvalidInputError, match="the result of 2026-11-21 cannot be stored"):
        results.save(replace(SATURDAY, other_ids=("x" * 101,)), HOST_DEVICE)
    assert results.all() == []


@pytest.mark.parametrize("field", ["ended", "day"])
@pytest.mark.parametrize("day", ["0001-01-01", "1899-12-31", "2026-02-30"])
def test_result_on_a_day_before_the_calendar_of_games_is_refused_in_files(field: str, day: str):
    assert result_error(replace(SATURDAY, **{field: day})) == "the end of DAYSAT is not a valid time"
