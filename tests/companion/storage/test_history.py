"""The history: results that follow their tables, players who are remembered, joined, parted and forgotten."""

import datetime
import json
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from companion.history.result import Part, Result, bg_stats, folded, rows, said, words
from companion.log.entries import clock, day
from companion.log.repair import Plan
from companion.log.table import plain_move
from companion.service.referee import Referee, new_tap
from companion.storage.history import A_PAGE, MOST_PHOTOS, History, Refused
from scoring.games import GAMES, PLAYS
from tests.support.finished_tables import HOST, counted, instance, played

STRANGER = "a stranger's phone"
OWNER = "the owner's phone"


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    there = instance(tmp_path / "instance")
    there.boxes.owners.add(OWNER)
    yield there
    there.store.db.conn.close()


@pytest.fixture
def history(referee: Referee) -> History:
    return referee.history


@pytest.fixture
def in_new_york(monkeypatch: pytest.MonkeyPatch):
    """Let the clocks here show what they show in New York."""
    monkeypatch.setenv("TZ", "EST5EDT,M3.2.0,M11.1.0")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def by_hand(**different) -> Result:
    players = (Part("Ana", 30, 1, True), Part("Bo", 20, 2))
    return replace(Result("AAAAAA", "trails", "2026-01-02", players), **different)


def known(history: History, name: str) -> int:
    return history.known_as()[folded(name)]


# Results


@pytest.mark.parametrize("key", PLAYS)
def test_a_table_that_is_over_has_a_result_that_is_its_sheet(referee: Referee, history: History, key: str):
    play = PLAYS[key]
    names = ("Ana", "Bo", "Cy")[: max(2, play.box.seats[0])]
    names = names if len(names) in play.box.seats else ("Ana",)
    table = counted(referee, *names, game=play.box.key) if play.counting else played(referee, key, *names)
    result = history.of_table(table.code)
    assert result and result.game == play.box.key and result.code == table.code
    columns = table.sheet.columns
    assert [(part.name, part.points, part.place, part.winner) for part in result.players] == [
        (column.name, column.total, column.rank, column.winner) for column in columns
    ]
    assert all(sum(part.categories.values()) == part.points for part in result.players)
    assert [part.bot for part in result.players] == [seat >= len(table.seats) for seat in range(len(columns))]
    assert (result.minutes == 0) == play.counting
    assert result.verdict == table.sheet.verdict


def test_a_table_that_goes_on_after_all_has_none_until_it_is_over_again_and_keeps_its_address(
    referee: Referee, history: History
):
    table = played(referee, "trails", "Ana", "Bo")
    id, last = history.of_table(table.code).id, table.steps[-1]
    back = referee.mend(table.code, HOST, new_tap(), last.seat, Plan(last.id, 1))
    assert not back.over and history.of_table(table.code) is None and history.result(id) is None
    again = referee.play(table.code, HOST, new_tap(), last.seat, plain_move(last.move))
    assert again.over and history.of_table(table.code).id == id


def test_what_is_set_right_after_the_end_is_set_right_in_the_result(referee: Referee, history: History):
    table = counted(referee, "Ana", "Bo")
    before = history.of_table(table.code)
    last = table.steps[-1]
    referee.mend(table.code, HOST, new_tap(), last.seat, Plan(last.id, 1))
    referee.play(table.code, HOST, new_tap(), 1, {"type": "done"})
    after = history.of_table(table.code)
    assert before.id == after.id and after.ended >= before.ended


def test_tables_that_were_over_before_there_was_a_history_are_caught_up_with(referee: Referee, history: History):
    over, going_on = counted(referee, "Ana", "Bo"), played(referee, "trails", "Ana", "Bo", steps=10)
    with referee.store.writing() as db:
        for table in ("results", "parts", "seen", "names", "players"):
            db.conn.execute(f"DELETE FROM {table}")
        db.conn.execute("INSERT INTO unread SELECT id FROM tables")
    assert history.unread() == 2 and history.of_table(over.code) is None
    seen: list[tuple[int, int]] = []
    history.catch_up(lambda done, of: seen.append((done, of)))
    assert history.unread() == 0 and seen == [(1, 2), (2, 2)]
    assert history.of_table(over.code).code == over.code and history.of_table(going_on.code) is None
    assert [result.code for result in history.latest(HOST, 5)] == [over.code]


def test_a_phone_sees_the_tables_it_was_at_and_the_owner_all(referee: Referee, history: History):
    mine, other = counted(referee, "Ana", "Bo"), counted(referee, "Cy", "Di", phone=STRANGER)
    assert [result.code for result in history.latest(HOST, 5)] == [mine.code]
    assert [result.code for result in history.found(STRANGER).results] == [other.code]
    assert {result.code for result in history.found(OWNER).results} == {mine.code, other.code}
    assert [player.name for player in history.players(HOST)] == ["Ana", "Bo"]
    assert len(history.players(OWNER)) == 4 and history.players("nobody's") == []
    id = history.of_table(mine.code).id
    assert history.sees(HOST, id) and history.sees(OWNER, id) and not history.sees(STRANGER, id)
    assert history.may_change(OWNER, id) and not history.may_change(HOST, id)


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
def test_a_search_finds_all_words_whatever_their_case(history: History, search: str, game: str, found: set[int]):
    other = (Part("Ana", 1, 1, True), Part("Cy", 0, 2))
    history.enter(by_hand(minutes=1), HOST)
    history.enter(by_hand(minutes=2, ended="2026-02-03", players=other, where="The cabin"), HOST)
    somebody = (Part("Cy", 1, 1, True), Part("Di", 0, 2))
    history.enter(by_hand(minutes=3, game="parks", players=somebody, note="100% sun, Hohe Stra\u00dfe"), HOST)
    page = history.found(HOST, search, game)
    assert {result.minutes for result in page.results} == found and page.many == len(found)


def test_a_page_has_so_many_and_the_next_goes_on_where_it_ends(history: History):
    for after in range(1, A_PAGE + 4):
        history.enter(by_hand(ended=(datetime.date(2026, 1, 1) + datetime.timedelta(after)).isoformat()), HOST)
    first, second = history.found(HOST), history.found(HOST, page=1)
    assert first.many == second.many == A_PAGE + 3
    days = [result.ended for result in (*first.results, *second.results)]
    assert len(first.results) == A_PAGE and days == sorted(days, reverse=True) and len(set(days)) == A_PAGE + 3
    assert history.found(HOST, page=9).results == []


def test_what_is_left_out_is_in_no_list_and_no_figure_and_can_be_put_in_again(history: History):
    result = history.enter(by_hand(), HOST)
    history.change(result.id, hidden=True)
    assert history.latest(HOST, 3) == [] and history.players(HOST) == [] and history.found(HOST).many == 0
    assert history.results_of(known(history, "Ana"), HOST) == []
    assert [each.id for each in history.hidden()] == [result.id] and history.result(result.id).hidden
    history.change(result.id, hidden=False)
    assert [each.id for each in history.latest(HOST, 3)] == [result.id] and history.hidden() == []


def test_photos_of_a_result_are_so_many_at_most_and_gone_when_removed(history: History):
    id = history.enter(by_hand(), HOST).id
    for number in range(MOST_PHOTOS):
        history.add_photo(id, HOST, b"large %d" % number, b"small %d" % number)
    with pytest.raises(Refused, match=f"{MOST_PHOTOS} photos"):
        history.add_photo(id, HOST, b"", b"")
    photo = history.photos(id)[0]
    assert (
        history.photo(id, photo.id, small=False) == b"large 0" and history.photo(id, photo.id, small=True) == b"small 0"
    )
    assert history.photo("BBBBBB", photo.id, small=False) is None
    history.remove_photo(id, photo.id)
    assert len(history.photos(id)) == MOST_PHOTOS - 1 and history.photo(id, photo.id, small=False) is None


# Players


def test_a_name_is_one_player_however_it_is_written(history: History):
    history.enter(by_hand(), HOST)
    history.enter(by_hand(players=(Part(" ANA", 5, 1, True), Part("B\u00f6", 1, 2))), HOST)
    assert [(player.name, player.plays, player.wins) for player in history.players(HOST)] == [
        ("Ana", 2, 2), ("Bo", 1, 0), ("B\u00f6", 1, 0)
    ]  # fmt: skip


def test_who_plays_alone_has_won_nothing_and_a_bot_is_no_player(referee: Referee, history: History):
    history.enter(by_hand(game="alpine-trails", players=(Part("Ana", 50, 1, True),)), HOST)
    history.enter(by_hand(game="on-the-trail", players=(Part("Ana", 2, 1, True), Part("Bot", 0, 2, bot=True))), HOST)
    assert [(player.name, player.plays, player.wins) for player in history.players(HOST)] == [("Ana", 2, 1)]


def test_a_player_is_renamed_and_whoever_types_the_new_name_is_that_player(history: History):
    history.enter(by_hand(), HOST)
    ana = known(history, "Ana")
    history.rename(ana, "  Anna  Maria ")
    assert history.player(ana) == "Anna Maria" and known(history, "anna maria") == known(history, "ANA") == ana
    history.rename(ana, "ANNA MARIA")
    assert history.player(ana) == "ANNA MARIA"
    for name, why in (
        ("Bo", "Another player"),
        ("", "1 to 40"),
        ("x" * 41, "1 to 40"),
        ("somebody 2", "were forgotten"),
    ):
        with pytest.raises(Refused, match=why):
            history.rename(ana, name)
    assert history.player(ana) == "ANNA MARIA"


def test_two_players_are_put_together_and_apart_again(history: History):
    history.enter(by_hand(), HOST)
    history.enter(by_hand(players=(Part("Anna", 5, 1, True), Part("Bo", 1, 2))), HOST)
    ana, anna, bo = (known(history, name) for name in ("Ana", "Anna", "Bo"))
    history.merge(anna, ana)
    assert [(player.name, player.plays) for player in history.players(HOST)] == [("Ana", 2), ("Bo", 2)]
    assert history.names_of(ana) == ["ana", "anna"] and history.player(anna) is None
    for one, other, why in (
        (ana, bo, "against each other on 2026-01-02"),
        (ana, ana, "another player"),
        (ana, 99, "another"),
    ):
        with pytest.raises(Refused, match=why):
            history.merge(one, other)
    apart = history.part(ana, "anna")
    assert history.player(apart) == "Anna" and len(history.players(HOST)) == 3
    with pytest.raises(Refused, match="no other name"):
        history.part(ana, "ana")


def test_who_is_forgotten_is_nowhere_any_more_and_the_others_keep_their_results(
    referee: Referee, history: History, tmp_path: Path
):
    name = "Zebulon Quux"
    table = played(referee, "trails", name, "Bo")
    counted(referee, "Bo", name.upper())
    going_on = played(referee, "parks", "Cy", name, steps=6)
    referee.write_ruling(table.code, HOST, new_tap(), 0, f"May {name} peek?", f"{name} may not")
    history.enter(by_hand(players=(Part("Bo", 3, 1, True), Part(name, 1, 2)), note=f"{name} was tired"), HOST)
    before = {result.id: [(part.points, part.place) for part in result.players] for result in history.all(OWNER)}
    bo = history.results_of(known(history, "Bo"), OWNER)

    history.forget(known(history, name))

    after = {result.id: [(part.points, part.place) for part in result.players] for result in history.all(OWNER)}
    assert after == before and len(history.results_of(known(history, "Bo"), OWNER)) == len(bo)
    assert "zebulon quux" not in history.known_as()
    assert referee.store.table(table.code).names == ("Somebody", "Bo")
    assert referee.store.table(going_on.code).names == ("Cy", "Somebody")
    assert referee.store.table(table.code).sheet.columns[1].total == table.sheet.columns[1].total
    for file in (tmp_path / "instance").iterdir():
        assert b"zebulon" not in file.read_bytes().lower(), file.name


def test_two_who_are_forgotten_are_told_apart_at_their_table(referee: Referee, history: History):
    table = counted(referee, "Ana", "Bo", "Cy")
    for name in ("Ana", "Bo"):
        history.forget(known(history, name))
    assert referee.store.table(table.code).names == ("Somebody", "Somebody 2", "Cy")
    assert [part.name for part in history.of_table(table.code).players] == ["Somebody", "Somebody 2", "Cy"]
    assert [player.name for player in history.players(HOST)] == ["Cy"]


def test_a_result_calls_who_is_forgotten_as_its_table_does(referee: Referee, history: History):
    """Bo's name was typed at the table and changed before the game began."""
    history.enter(by_hand(), HOST)
    key = GAMES["trails"].tally.key
    table = referee.open(HOST, key, referee.usual(PLAYS[key], ["Ana", "Bo"]))
    table = referee.sit(table.code, HOST, new_tap(), 0)
    referee.change_setup(table.code, HOST, new_tap(), referee.usual(PLAYS[key], ["Ana", "Cy"]), 0)
    referee.sit(table.code, HOST, new_tap(), 1)
    for seat in (0, 1):
        referee.play(table.code, HOST, new_tap(), seat, {"type": "done"})
    for name in ("Bo", "Ana"):
        history.forget(known(history, name))
    there = referee.store.table(table.code).names
    assert there == tuple(part.name for part in history.of_table(table.code).players) == ("Somebody 2", "Cy")


def test_a_park_called_like_a_player_keeps_its_name_when_the_player_is_forgotten(referee: Referee, history: History):
    table = played(referee, "parks", "Zion", "Bo")
    states = [table.play.lying.plain(table.state)["players"][1]]
    history.forget(known(history, "Zion"))
    after = referee.store.table(table.code)
    assert after.names[0] == "Somebody" and [after.play.lying.plain(after.state)["players"][1]] == states


# What a result says


def test_a_result_typed_by_hand_says_who_won():
    assert said(by_hand()) == "Ana wins with 30 points."
    both = (Part("Ana", 3, 1, True), Part("Bo", 3, 1, True))
    assert said(by_hand(players=both)) == "Ana and Bo share the victory with 3 points."
    assert said(by_hand(players=(Part("Ana", 41, 1, True),))) == "Ana played alone: 41 points."
    race = (Part("Ana", 0, 1, True), Part("Bo", 0, 2))
    assert said(by_hand(game="on-the-trail", players=race)) == "Ana wins."
    assert (
        said(by_hand(game="on-the-trail", players=tuple(replace(part, winner=False) for part in race)))
        == "Nobody wins."
    )


def test_a_length_is_said_in_hours_and_minutes():
    assert [by_hand(minutes=minutes).length for minutes in (0, 5, 60, 125)] == ["", "5 min", "1 h", "2 h 5 min"]


def test_rows_have_one_for_each_player():
    first, second = rows([by_hand(minutes=40, where="home")])
    assert first == ["2026-01-02", "TRAILS", "", "AAAAAA", 40, "Ana", 1, "yes", 30, "points", "home", ""]
    assert second[5:9] == ["Bo", 2, "", 20]


def test_words_hold_all_a_result_is_found_by():
    found = words(by_hand(where="Caf\u00e9", note="rain"))
    assert all(each in found for each in ("ana", "bo", "trails", "2026-01-02", "caf\u00e9", "rain", "aaaaaa"))


def test_bg_stats_is_offered_the_play_with_scores_winner_and_number():
    address = bg_stats(by_hand(minutes=30, where="Caf\u00e9 & more"), 437306)
    assert address.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    play = json.loads(parse_qs(urlsplit(address).query)["data"][0])
    assert play["game"] == {
        "name": "Trails", "sourceGameId": "trails", "highestWins": True, "noPoints": False, "bggId": 437306
    }  # fmt: skip
    assert [(each["name"], each["score"], each["winner"], each["rank"]) for each in play["players"]] == [
        ("Ana", "30", True, 1), ("Bo", "20", False, 2)
    ]  # fmt: skip
    assert (play["playDate"], play["durationMin"], play["location"], play["sourceName"], play["sourcePlayId"]) == (
        "2026-01-02 12:00:00", 30, "Caf\u00e9 & more", "Waymark", "AAAAAA"
    )  # fmt: skip
    race = json.loads(parse_qs(urlsplit(bg_stats(by_hand(game="on-the-trail"))).query)["data"][0])
    assert race["game"]["noPoints"] and "bggId" not in race["game"] and "score" not in race["players"][0]


def test_a_game_has_the_number_told_here_or_that_of_its_box(history: History):
    assert history.bgg() == {"parks": GAMES["parks"].box.bgg} and GAMES["parks"].box.bgg > 0
    history.number("trails", 123)
    history.number("parks", 7, over=False)
    assert history.bgg() == {"trails": 123, "parks": 7}
    history.number("parks", 8, over=False)
    history.number("trails", 0)
    assert history.bgg() == {"parks": 7}


def test_a_new_table_never_has_the_code_of_a_result(
    referee: Referee, history: History, monkeypatch: pytest.MonkeyPatch
):
    letters = iter("BBBBB" + "CCCCC")
    history.keep(by_hand(code="BBBBB"), HOST)
    monkeypatch.setattr("companion.storage.store.secrets.choice", lambda given: next(letters))
    assert referee.store.free_code() == "CCCCC"


def test_an_evening_is_of_its_own_day_where_it_is_tomorrow_in_greenwich(in_new_york):
    late = by_hand(ended="2026-11-25T01:30:05.120+00:00")
    assert late.date == "2026-11-24" and "2026-11-24" in words(late)
    play = json.loads(parse_qs(urlsplit(bg_stats(late)).query)["data"][0])
    assert play["playDate"] == "2026-11-24 20:30:00"
    assert by_hand(ended="2026-11-25").date == "2026-11-25"


@pytest.mark.parametrize("spoilt", ["", "long ago, I think", "0001-01-01T00:00:00+00:00"])
def test_a_moment_that_cannot_be_told_is_shown_as_it_stands(spoilt: str, in_new_york):
    assert (day(spoilt), clock(spoilt)) == (spoilt[:10], "")
