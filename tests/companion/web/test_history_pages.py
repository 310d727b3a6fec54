"""Tests of the history pages: visibility, the owner's actions, imports, photos and results."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace
from PIL import Image

from companion.cli.scores import sheet_text
from companion.history.figures import FIGURES
from companion.history.playing_time import player_seconds
from companion.history.result import PlayerResult, Result, name_key, result_text
from companion.log import preview
from companion.log.entries import Entry, format_date, local_date
from companion.service import clock as clock_module
from companion.service.import_export import import_data, log_data
from companion.service.referee import Referee
from companion.storage.bgg_ids import bgg_ids
from companion.storage.photos import list_photos
from companion.storage.store import Store
from companion.web import history as web_history
from companion.web.app import create_app
from companion.web.forms import PLAYER_KINDS
from tests.companion.storage.test_store import OPENING
from tests.conftest import disable_fsync
from tests.support.finished_tables import large_photo, random_game_table, scored_table
from tests.support.page_parser import Page, parse_page
from tests.support.phones import Phone


@pytest.fixture
def app(empty_app: Flask) -> Flask:
    return empty_app


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def owner(app: Flask) -> Phone:
    return Phone(app).become_owner()


@pytest.fixture
def add_result(app: Flask, phone: Phone) -> Callable[..., Result]:
    """Return a function that enters a result from the phone without a web request."""

    def enter(*players: tuple[str, int], game: str = "trails", ended: str = "2026-01-02", **more) -> Result:
        most = max(points for _, points in players)
        parts = tuple(PlayerResult(name, points, 1 + (points < most), points == most) for name, points in players)
        return app.extensions["waymark"].results.enter(Result("AAAAAA", game, ended, parts, **more), phone.device)

    return enter


def finished_table(phone: Phone, *names: str, game: str = "trails", steps: int | None = None):
    return random_game_table(phone.app.extensions["waymark"], game, *names, device=phone.device, steps=steps)


def referee(app: Flask) -> Referee:
    return app.extensions["waymark"]


def player(app: Flask, name: str) -> str:
    return f"/history/players/{referee(app).players.ids_by_name()[name_key(name)]}"


# Home and the list.


def test_home_shows_latest_results_and_open_tables(phone: Phone):
    finished, running = finished_table(phone, "Ana", "Bo"), finished_table(phone, "Cy", "Di", steps=5)
    page = phone.open("/")
    id = referee(phone.app).results.of_table(finished.code).id
    assert f"/r/{id}" in page.addresses and f"/t/{running.code}" in page.addresses
    assert f"/t/{finished.code}" not in page.addresses and "/history" in page.addresses
    winner = finished.sheet.winners[0]
    assert f"Winner: {winner}" in page.text and format_date(local_date(finished.steps[-1].created_at)) in page.text


def test_empty_history_explains_what_it_will_list(phone: Phone):
    page = phone.open("/history")
    assert "0 results" in page.text and "Your finished games will appear here" in page.text


def test_history_lists_results_with_details_and_filters_them(phone: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20), minutes=75, where="Cabin")
    add_result(("Cy", 9), ("Di", 8), game="parks", ended="2026-03-04")
    text = phone.open("/history").text
    assert "2 results" in text and "Winner: Ana" in text and "2 Jan 2026 TRAILS, 1 h 15 min, Cabin, not tracked" in text
    found = phone.open("/history?q=cabin&game=trails").text
    assert "1 result found" in found and "Winner: Cy" not in found
    assert "Try fewer or different words." in phone.open("/history?q=nowhere").text
    assert phone.get("/history?game=go").status_code == 404
    assert phone.get("/history?page=x&q=%25").status_code == 200


def test_further_results_are_on_the_next_page(phone: Phone, add_result: Callable):
    for number in range(1, 32):
        add_result(("Ana", number), ("Bo", 0), ended=f"2026-01-{number:02}")
    first = phone.open("/history?q=ana")
    assert "/history?q=ana&page=1" in [address.replace("&game=", "") for address in first.addresses]
    second = phone.open("/history?q=ana&page=1")
    assert "Ana 1, Bo 0" in second.text.replace(" ,", ",") and "Older" not in second.text and "Newer" in second.text


def test_stranger_sees_no_history_and_may_change_nothing(app: Flask, phone: Phone, add_result: Callable):
    result, stranger = add_result(("Ana", 30), ("Bo", 20)), Phone(app)
    assert "0 results" in stranger.open("/history").text
    assert stranger.get(player(app, "Ana")).status_code == 404
    assert stranger.get("/history.csv").text.count("\n") == 1 and "Ana" not in stranger.get("/history.json").text
    page = stranger.open(f"/r/{result.id.lower()}")  # anyone with the address sees that one result
    assert "Ana" in page.text and player(app, "Ana") not in page.addresses and "photo" not in [
        attributes.get("name") for _, attributes in page.tags
    ]  # fmt: skip
    for path, form in (
        (player(app, "Ana"), {"do": "rename", "name": "X"}),
        ("/history/bgg", {"trails": "1"}),
        (f"/r/{result.id}/hide", {"hidden": "1"}),
        (f"/r/{result.id}/about", {"where": "X"}),
        (f"/r/{result.id}/correct", result_form()),
        (f"/r/{result.id}/photos", {}),
    ):
        assert stranger.post(path, form).status_code == 403, path
    assert stranger.get(f"/r/{result.id}.json").status_code == 403
    # Phones that were at the table may not do this either, only the owner's.
    assert phone.post(player(app, "Ana"), {"do": "rename", "name": "X"}).status_code == 403


def test_wrong_addresses_of_results_are_rate_limited(app: Flask):
    stranger = Phone(app, "10.1.2.3")
    assert stranger.device
    answers = [stranger.get(f"/r/BCDFG{letter}").status_code for letter in "BCDFGHJKLMNP"]
    assert answers[0] == 404 and answers[-1] == 429


# A result.


def test_result_of_a_table_shows_its_points_and_links_to_the_score(app: Flask, phone: Phone):
    table = finished_table(phone, "Ana", "Bo")
    answer = phone.get(f"/t/{table.code}/result")
    page = phone.open(answer.headers["Location"])
    assert table.sheet.result_text in page.text and f"/t/{table.code}/score" in page.addresses
    assert all(str(column.total) in page.text for column in table.sheet.columns)
    assert player(app, "Ana") in page.addresses and any("bgstatsapp.com" in address for address in page.addresses)
    going_on = finished_table(phone, "Ana", "Bo", steps=4)
    assert phone.get(f"/t/{going_on.code}/result").headers["Location"].endswith("/score")


def test_result_is_hidden_and_restored_by_the_phone_that_entered_it(app: Flask, phone: Phone, add_result: Callable):
    result = add_result(("Ana", 30), ("Bo", 20))
    assert phone.post(f"/r/{result.id}/hide", {"hidden": "1"}).status_code == 303
    assert "0 results" in phone.open("/history").text and "is hidden from lists" in phone.open(f"/r/{result.id}").text
    phone.post(f"/r/{result.id}/hide", {"hidden": "0"})
    assert "1 result" in phone.open("/history").text


def test_result_of_a_deleted_table_still_shows_its_data(app: Flask, phone: Phone):
    table = scored_table(app.extensions["waymark"], "Ana", "Bo", device=phone.device)
    finished_table(phone, "Cy", "Di", steps=1)  # the latest table is never deleted
    id = referee(app).results.of_table(table.code).id
    assert table.code in app.extensions["waymark"].store.delete_inactive_tables("9999")
    page = phone.open(f"/r/{id}")
    assert table.sheet.result_text in page.text and f"/t/{table.code}/score" not in page.addresses
    assert phone.get(f"/r/{id}.json").json["table"] is None


def test_exported_result_is_imported_with_its_table(app: Flask, phone: Phone, tmp_path: Path):
    table = finished_table(phone, "Ana", "Bo")
    id = referee(app).results.of_table(table.code).id
    other = create_app(tmp_path / "other")
    disable_fsync(other.extensions["waymark"].store)
    other_phone = Phone(other)
    answer = send_file(other_phone, "/history/file", "file", "play.json", phone.get(f"/r/{id}.json").data)
    assert "Imported 1 table and 1 result." in parse_page(answer.text).text
    assert table.sheet.result_text in other_phone.open(f"/r/{id}").text
    assert other_phone.open(f"/t/{table.code}/score").text.count("Ana") > 1
    other.extensions["waymark"].store.db.conn.close()


def send_file(phone: Phone, path: str, field: str, name: str, content: bytes, **form: str):
    sent = {"csrf_token": phone.token, field: (io.BytesIO(content), name), **form}
    answer = phone.http.post(path, data=sent, content_type="multipart/form-data")
    answer.request.environ["wsgi.input"].close()
    return answer


@pytest.mark.slow("draws pictures by the press")
def test_picture_of_a_result_is_self_contained_and_available_as_png(app: Flask, phone: Phone, add_result: Callable):
    table = finished_table(phone, "Ana", "Bo")
    for id in (referee(app).results.of_table(table.code).id, add_result(("Ana", 30), ("Bo", 20)).id):
        svg = phone.get(f"/r/{id}/picture.svg")
        assert svg.mimetype == "image/svg+xml" and "Ana" in svg.text and "data:font/woff2" in svg.text
        assert "script" not in svg.headers["Content-Security-Policy"]
        png = phone.http.get(f"/r/{id}/picture.png", headers={"Accept": "image/png"})
        assert png.mimetype == "image/png" and Image.open(io.BytesIO(png.data)).size == (1080, 1350)


def test_get_request_of_a_history_form_redirects_to_its_page(phone: Phone, add_result: Callable):
    id = add_result(("Ana", 30), ("Bo", 20)).id
    for path in ("/history/file", "/history/bgg"):
        assert phone.get(path).headers["Location"] == "/history"
    for path in ("hide", "about", "photos", "photos/remove"):
        assert phone.get(f"/r/{id}/{path}").headers["Location"] == f"/r/{id}"


# Photos.


def make_picture(colour: str = "green", size: tuple[int, int] = (2000, 1500)) -> bytes:
    output = io.BytesIO()
    Image.new("RGB", size, colour).save(output, "JPEG")
    return output.getvalue()


def test_photo_is_added_to_a_result_shown_and_removed(app: Flask, phone: Phone, add_result: Callable):
    id = add_result(("Ana", 30), ("Bo", 20)).id
    assert send_file(phone, f"/r/{id}/photos", "photo", "table.jpg", large_photo()).status_code == 303
    (photo,) = list_photos(referee(app).store, id)
    large, small = (phone.get(f"/r/{id}/photo/{photo.id}.jpg{size}") for size in ("", "?small=1"))
    assert large.mimetype == small.mimetype == "image/jpeg" and len(small.data) < len(large.data)
    assert max(Image.open(io.BytesIO(large.data)).size) == 1600
    page = Phone(app).open(f"/r/{id}")  # anyone with the address sees it
    assert f"/r/{id}/photo/{photo.id}.jpg?small=1" in page.addresses
    Phone(app).post(f"/r/{id}/photos/remove", {"photo": photo.id})
    assert len(list_photos(referee(app).store, id)) == 1
    assert phone.post(f"/r/{id}/photos/remove", {"photo": photo.id}).status_code == 303
    assert list_photos(referee(app).store, id) == [] and phone.get(f"/r/{id}/photo/{photo.id}.jpg").status_code == 404


@pytest.mark.parametrize("content", [b"", b"no photo", make_picture()[:500]], ids=["nothing", "text", "cut off"])
def test_file_that_is_no_photo_is_refused_on_the_page_with_a_sentence(
    phone: Phone, add_result: Callable, content: bytes
):
    id = add_result(("Ana", 30), ("Bo", 20)).id
    answer = send_file(phone, f"/r/{id}/photos", "photo", "table.jpg", content)
    assert (
        answer.status_code == 422 and 'role="alert"' in answer.text and list_photos(referee(phone.app).store, id) == []
    )


# Players.


def test_player_page_shows_games_wins_averages_and_head_to_head(app: Flask, phone: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20))
    add_result(("Ana", 10), ("Bo", 20), ended="2026-01-03")
    add_result(("Ana", 50), ("Bo", 20), ended="2026-01-04")
    text = phone.open(player(app, "Ana")).text
    assert "3 games 2 wins 30.0 average score 50 best score" in text and "Best game: 4 Jan 2026" in text
    assert "Bo 3 2 1" in text
    assert [phone.get(f"/history/players/{id}").status_code for id in (0, 99, 2**63 - 1, 2**63, 10**20)] == [404] * 5


def test_games_of_a_player_are_listed_under_any_name_if_visible(app: Flask, owner: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20))
    add_result(("Anna", 10), ("Cy", 20))
    add_result(("Bo", 10), ("Cy", 20), note="with Ana looking on")
    ana, anna = player(app, "Ana"), player(app, "Anna")
    owner.post(ana, {"do": "rename", "name": "Ana Maria"})
    owner.post(anna, {"do": "merge", "into": ana.rpartition("/")[2]})
    (listed,) = [address for address in owner.open(ana).addresses if "/history?player=" in address]
    page = owner.open(listed)
    assert "2 results found" in page.text and "Only games with Ana Maria" in page.text and "looking on" not in page.text
    assert "1 result found" in owner.open(f"{listed}&q=cy").text
    assert [Phone(app).get(listed).status_code, owner.get("/history?player=99").status_code] == [404, 404]
    assert owner.get("/history?player=x").status_code == 200


def test_owner_renames_merges_and_splits_players(app: Flask, owner: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20))
    add_result(("Anna", 10), ("Bo", 20))
    ana, anna = player(app, "Ana"), player(app, "Anna")
    assert owner.post(ana, {"do": "rename", "name": "Ana Maria"}).headers["Location"] == ana
    assert "Ana Maria" in owner.open("/history").text
    refused = owner.post(ana, {"do": "rename", "name": "Bo"})
    assert refused.status_code == 409 and "Another player is called Bo" in parse_page(refused.text).text
    assert owner.post(anna, {"do": "merge", "into": ana.rpartition("/")[2]}).headers["Location"] == ana
    page = owner.open(ana)
    assert "2 games 1 win" in page.text and page.values("name").count("anna") == 1
    new_player = owner.post(ana, {"do": "part", "name": "anna"}).headers["Location"]
    assert "Anna" in owner.open(new_player).text and "1 game 0 wins" in owner.open(new_player).text
    assert owner.post(ana, {"do": "eat"}).status_code == 400
    for invalid_id in ("", "0", "99", str(10**20), "Bo"):
        assert owner.post(ana, {"do": "merge", "into": invalid_id}).status_code == 409


def test_player_erased_by_the_owner_is_on_no_page(app: Flask, owner: Phone, phone: Phone):
    table = finished_table(phone, "Xanthippe", "Bo")
    address = player(app, "Xanthippe")
    refused = owner.post(address, {"do": "forget"})
    assert refused.status_code == 409 and "check the box first" in parse_page(refused.text).text
    assert owner.post(address, {"do": "forget", "sure": "yes"}).headers["Location"] == "/history"
    id = referee(app).results.of_table(table.code).id
    for path in (
        "/",
        "/history",
        f"/r/{id}",
        f"/t/{table.code}",
        f"/t/{table.code}/score",
        f"/t/{table.code}/seat/0/log",
        "/history.json",
    ):
        answer = phone.get(path)
        assert answer.status_code == 200 and "Xanthippe" not in answer.text, path
    assert "Somebody" in phone.open(f"/r/{id}").text and owner.get(address).status_code == 404


def test_owner_enters_bgg_ids(app: Flask, owner: Phone, phone: Phone, add_result: Callable):
    id = add_result(("Ana", 30), ("Bo", 20)).id
    assert owner.post("/history/bgg", {"trails": "12345", "parks": ""}).status_code == 303
    (link,) = (address for address in phone.open(f"/r/{id}").addresses if "bgstats" in address)
    assert "bggId%22%3A12345" in link
    wrong = owner.post("/history/bgg", {"trails": "12a"})
    assert wrong.status_code == 422 and bgg_ids(referee(app).store)["trails"] == 12345


# Statistics of all games.


def test_statistics_without_results_explain_what_will_appear(phone: Phone):
    page = phone.open("/history/statistics")
    assert "The statistics of your finished games will appear here." in page.text
    assert "/history/statistics" in phone.open("/history").addresses
    assert not [attributes for tag, attributes in page.tags if tag == "select"]


def test_statistics_show_figures_with_links_to_results_and_files(phone: Phone, add_result: Callable):
    first = add_result(("Ana", 30), ("Bo", 20), minutes=90)
    add_result(("Ana", 9), ("Cy", 8), game="parks", ended="2026-03-04")
    page = phone.open("/history/statistics")
    for text in ("2 games.", "The length is known for 1 of 2 games.", "Ana and Bo", "TRAILS, Ana", "Mar 2026", "1.5 h"):
        assert text in page.text, text
    assert f"/r/{first.id}" in page.addresses
    assert {f"/history/statistics/{key}.csv" for key in FIGURES} <= {*page.addresses}


def test_statistics_are_filtered_by_game_year_and_player(app: Flask, phone: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20))
    add_result(("Cy", 12), ("Ana", 11), ended="2025-05-06")
    add_result(("Cy", 9), ("Di", 8), game="parks", ended="2026-03-04")
    ana = player(app, "Ana").rpartition("/")[2]
    for query, found in (
        ("", "3 games."),
        ("game=trails", "2 games."),
        ("year=2026", "2 games."),
        (f"player={ana}", "2 games with Ana ."),
        (f"game=trails&year=2026&player={ana}", "1 game with Ana ."),
        ("game=&year=&player=", "3 games."),
        ("game=on-the-trail", "No games found."),
        ("year=1999", "No games found."),
        ("year=x", "3 games."),
    ):
        assert found in phone.open(f"/history/statistics?{query}").text, query
    page = phone.open(f"/history/statistics?game=trails&year=2026&player={ana}")
    query = f"game=trails&year=2026&player={ana}"
    assert f"/history/statistics/partners.csv?{query}" in page.addresses and player(app, "Ana") in page.addresses
    selected = [each["value"] for tag, each in page.tags if tag == "option" and "selected" in each]
    assert selected == ["trails", "2026", ana]
    content = phone.get(f"/history/statistics/partners.csv?{query}").data.decode("utf-8-sig")
    assert [*csv.reader(io.StringIO(content))] == [["Player", "Games", "Length known", "Hours"], ["Bo", "1", "0", ""]]
    for wrong in ("game=go", "player=999"):
        assert phone.get(f"/history/statistics?{wrong}").status_code == 404
    assert phone.get("/history/statistics/other.csv").status_code == 404


def test_statistics_leave_out_hidden_results_and_those_of_other_phones(
    app: Flask, phone: Phone, owner: Phone, add_result: Callable
):
    hidden = add_result(("Ana", 99), ("Bo", 20))
    add_result(("Ana", 30), ("Bo", 20))
    phone.post(f"/r/{hidden.id}/hide", {"hidden": "1"})
    for reader in (phone, owner):
        page = reader.open("/history/statistics")
        assert "1 game." in page.text and "99" not in page.text
    stranger = Phone(app)
    assert "will appear here" in stranger.open("/history/statistics").text
    assert "Ana" not in stranger.get("/history/statistics/partners.csv").text
    ana = player(app, "Ana").rpartition("/")[2]
    assert stranger.get(f"/history/statistics?player={ana}").status_code == 404


def test_file_of_a_figure_opens_in_spreadsheets_and_has_no_formula(phone: Phone, add_result: Callable):
    add_result(("=1+1", 30), ("B\u00f6", 20), minutes=5)
    answer = phone.get("/history/statistics/scores.csv")
    assert answer.data.startswith(b"\xef\xbb\xbfGame,Player,Points,Date\r\n")
    assert "waymark-scores.csv" in answer.headers["Content-Disposition"]
    rows = [*csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))]
    assert rows[1:] == [["TRAILS", "'=1+1", "30", "2026-01-02"], ["TRAILS", "B\u00f6", "20", "2026-01-02"]]


def test_player_page_has_figures_of_the_player(app: Flask, phone: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20), minutes=90)
    add_result(("Cy", 30), ("Bo", 20), minutes=90)
    page = phone.open(player(app, "Ana"))
    ana = player(app, "Ana").rpartition("/")[2]
    assert "The length is known for 1 of 1 game." in page.text and "Played with" in page.text
    assert f"/history/statistics?player={ana}" in page.addresses
    assert f"/history/statistics/hours.csv?player={ana}" in page.addresses


# Entered results.


def result_form(**different: str) -> dict[str, str]:
    rows = {"players-0-name": "Ana", "players-0-points": "31", "players-1-name": "Bo", "players-1-points": "29"}
    return {"game": "trails", "day": "2026-01-02", **rows, "minutes": "", "where": "", "note": "", **different}


def test_entered_result_is_listed_like_any_other(app: Flask, phone: Phone):
    answer = phone.post("/history/new", result_form(minutes="45", where=" The  cabin "))
    page = phone.open(answer.headers["Location"])
    assert "Ana wins with 31 points." in page.text and "2 Jan 2026 , 45 min, The cabin" in page.text
    assert "Winner: Ana" in phone.open("/history").text


def two_players(first: str, second: str, **different: str) -> dict[str, str]:
    """Return the form with the points of Ana and Bo; `won` has the rows to tick, such as "01"."""
    ticks = {f"players-{row}-won": "y" for row in different.pop("won", "")}
    return result_form(**({"players-0-points": first, "players-1-points": second} | ticks | different))


def race(**different: str) -> dict[str, str]:
    return two_players("", "", **{"game": "on-the-trail", **different})


def solo_race(**different: str) -> dict[str, str]:
    return race(**{"players-1-name": "", **different})


def bot_race(**different: str) -> dict[str, str]:
    return solo_race(**{"players-1-kind": "bot", **different})


def save(phone: Phone, fields: dict[str, str]) -> Result:
    """Add a result and return it as it is stored."""
    answer = phone.post("/history/new", {"anyway": "1", **fields})
    assert answer.status_code == 303, parse_page(answer.text).text
    result = referee(phone.app).results.find(answer.headers["Location"][-6:])
    assert result
    return result


DECIDED_RESULTS = [
    (two_players("31", "29"), "points", "Ana wins with 31 points."),
    (two_players("31", "29", won="0"), "points", "Ana wins with 31 points."),
    (two_players("31", "31", won="1"), "tie-break", "Bo wins with 31 points on the tie-break."),
    (two_players("31", "31", won="01"), "shared", "Ana and Bo share the victory with 31 points."),
    (two_players("31", "31", outcome="shared"), "shared", "Ana and Bo share the victory with 31 points."),
    (two_players("31", "31", outcome="1"), "tie-break", "Bo wins with 31 points on the tie-break."),
    (two_players("31", "29", outcome="1"), "points", "Ana wins with 31 points."),
    (two_players("0", "0", outcome="0", game="parks"), "tie-break", "Ana wins with 0 points on the tie-break."),
    (race(won="1"), "points", "Bo wins."),
    (race(won="01"), "shared", "Ana and Bo share the victory."),
    (race(outcome="0"), "points", "Ana wins."),
    (race(outcome="none"), "points", "No one wins."),
    (solo_race(outcome="0"), "points", "Ana wins the solo game."),
    (solo_race(outcome="none"), "points", "Ana loses the solo game."),
    (bot_race(outcome="1"), "points", "Bot wins."),
    (bot_race(won="0"), "points", "Ana wins."),
    (solo_race(game="alpine-trails", **{"players-0-points": "98"}), "points", "Ana scored 98 points in a solo game."),
]


@pytest.mark.parametrize(("fields", "decided_by", "text"), DECIDED_RESULTS)
def test_entered_result_says_what_decided_it(phone: Phone, fields: dict, decided_by: str, text: str):
    result = save(phone, fields)
    assert (result.decided_by, result_text(result)) == (decided_by, text)
    assert text in phone.open(f"/r/{result.id}").text


OPEN_RESULTS = [
    (
        two_players("31", "31"),
        "Ana and Bo are tied at 31. Who won?",
        ["Ana and Bo share the victory", "Ana won on the tie-break", "Bo won on the tie-break"],
    ),
    (two_players("31", "31", outcome="none"), "Ana and Bo are tied at 31. Who won?", None),
    (
        two_players("31", "31", **{"players-2-name": "Cy", "players-2-points": "4"}),
        "Ana and Bo are tied at 31. Who won?",
        ["Ana and Bo share the victory", "Ana won on the tie-break", "Bo won on the tie-break"],
    ),
    (race(), "Who won?", ["Ana won", "Bo won", "Ana and Bo share the victory", "No one won"]),
    (bot_race(), "Who won?", ["Ana won", "Bot won", "Ana and Bot share the victory"]),
    (bot_race(outcome="none"), "Who won?", None),
    (solo_race(), "Did Ana win?", ["Ana won", "Ana lost"]),
]


@pytest.mark.parametrize(("fields", "question", "choices"), OPEN_RESULTS)
def test_winner_is_asked_for_if_nothing_says_who_won(phone: Phone, fields: dict, question: str, choices: list | None):
    answer = phone.post("/history/new", fields)
    page = parse_page(answer.text)
    assert answer.status_code == 422 and question in page.text and "0 results" in phone.open("/history").text
    values = [each["value"] for tag, each in page.tags if tag == "input" and each.get("name") == "outcome"]
    if choices:
        assert len(values) == len(choices) and all(choice in page.text for choice in choices)
    for value in values:
        save(phone, {**fields, "outcome": value})


WRONG_RESULTS = [
    ({"game": "go"}, "Choose a game"),
    ({"day": ""}, "Enter a date"),
    ({"day": "tomorrow"}, "Enter a date"),
    ({"day": (datetime.now(UTC) + timedelta(days=3)).date().isoformat()}, "in the future"),
    ({"day": "1066-10-14"}, "too early"),
    ({"players-1-name": "", "players-1-points": ""}, "Enter 2 to 4 players for"),
    ({"players-1-name": "ANA"}, "Two players are called"),
    ({"players-1-name": "x" * 41}, "at most 40 characters"),
    ({"players-1-name": "\u200b"}, "visible character"),
    ({"players-1-points": ""}, "Enter Bo\u2019s points."),
    ({"players-2-points": "3"}, "Enter a name for player 3, or choose Guest."),
    ({"players-2-won": "y"}, "Enter a name for player 3, or choose Guest."),
    ({"players-1-kind": "bot"}, "TRAILS has no bot. Choose Player or Guest."),
    ({"players-1-kind": "referee"}, "Choose Player, Guest or Bot."),
    ({"game": "on-the-trail", "players-2-kind": "bot"}, "In ON THE TRAIL, one player races one bot."),
    ({"game": "on-the-trail", "players-2-kind": "guest"}, "Enter 1 or 2 players for ON THE TRAIL."),
    ({"players-1-won": "y"}, "winner must have the most points"),
    ({"minutes": "0"}, "Enter a number from 1 to"),
    ({"note": "x" * 301}, "Use at most 300"),
]


@pytest.mark.parametrize(("different", "why"), WRONG_RESULTS)
def test_invalid_result_is_refused_and_keeps_the_input(phone: Phone, different: dict, why: str):
    answer = phone.post("/history/new", result_form(**different))
    page = parse_page(answer.text)
    assert answer.status_code == 422
    assert re.search(why, page.text), page.text[:900]
    assert page.value("players-0-name") == "Ana" and page.value("players-0-points") == "31"
    assert "0 results" in phone.open("/history").text


WRONG_POINTS = [
    ("-5", "Bo\u2019s points cannot be negative in TRAILS."),
    ("\u22125", "Bo\u2019s points cannot be negative in TRAILS."),
    ("1001", "Bo\u2019s points can be at most 1000."),
    ("99999999999", "Bo\u2019s points can be at most 1000."),
    ("20.5", "Bo\u2019s points must be a whole number, such as 20."),
    ("abc", "Bo\u2019s points must be a whole number, such as 20."),
    ("1e3", "Bo\u2019s points must be a whole number, such as 20."),
    ("1_0", "Bo\u2019s points must be a whole number, such as 20."),
]


@pytest.mark.parametrize(("points", "sentence"), WRONG_POINTS)
def test_wrong_points_are_refused_in_one_sentence_that_links_to_the_field(phone: Phone, points: str, sentence: str):
    answer = phone.post("/history/new", two_players("31", points))
    page = parse_page(answer.text)
    assert answer.status_code == 422 and answer.text.count(sentence) == 1
    assert answer.text.count('<li id="problem-') == 1
    (field,) = [each for tag, each in page.tags if tag == "input" and each.get("aria-invalid")]
    assert field["name"] == "players-1-points" and field["value"] == points
    assert field["aria-describedby"] == "problem-players-1-points" and "#players-1-points" in page.addresses


@pytest.mark.parametrize("points", ["\u0663\u0661", " 31 ", "031", "\uff13\uff11"])
def test_whole_numbers_are_accepted_in_the_digits_of_any_script(phone: Phone, points: str):
    assert save(phone, two_players(points, "29")).players[0].points == 31


def test_points_sent_for_a_race_are_ignored(phone: Phone):
    points = {"players-0-points": "abc", "players-1-points": "-7", "players-2-points": "5"}
    result = save(phone, race(won="0", **points))
    assert [part.points for part in result.players] == [0, 0] and len(result.players) == 2
    assert "points" not in parse_page(phone.get(f"/r/{result.id}").text).text.lower().replace("points over", "")


@pytest.mark.parametrize("names", [("Ana", "Bo"), ("Ana",)])
def test_no_output_of_a_race_has_points(phone: Phone, owner: Phone, names: tuple[str, ...]):
    table = next(
        table
        for seed in range(7, 99)
        if (table := random_game_table(referee(phone.app), "on-the-trail", *names, seed=seed, device=phone.device))
        and any(column.total for column in table.sheet.columns)
    )
    id = referee(phone.app).results.of_table(table.code).id
    for path in (f"/r/{id}", f"/t/{table.code}/score", f"/t/{table.code}/board", f"/t/{table.code}/print", "/history"):
        assert not re.search(r"[0-9] points?\b", phone.open(path).text), path
    printed = parse_page(phone.get(f"/t/{table.code}/print").text).text
    assert not re.search(r"\b[0-9]+\s+(Finished|Did not finish)", printed) and "Finished" in printed
    for cited in {rule.id for column in table.sheet.columns for line in column.lines for rule in line.rules}:
        assert "point" not in phone.open(f"/rules/on-the-trail/{cited}?table={table.code}").text.lower(), cited
    rows = csv.DictReader(io.StringIO(phone.get(f"/t/{table.code}/score.csv").text))
    assert {row["points"] for row in rows} == {""}
    rows = csv.DictReader(io.StringIO(phone.get("/history.csv").text))
    assert {(row["points"], row["decided by"]) for row in rows} <= {("", "finish"), ("", "hand"), ("", "shared")}
    assert not re.search(r"^  +[0-9]|: [0-9]+$", sheet_text(table.sheet), re.MULTILINE)
    differing = replace(table.sheet, columns=tuple(replace(column, lines=()) for column in table.sheet.columns))
    assert {each.label for each in preview._points(table.sheet, differing, is_itemized=False)} == {"Cards in hand"}


def test_result_of_a_table_shows_the_time_of_each_player(app: Flask, phone: Phone):
    table, entered = finished_table(phone, "Ana", "Bo"), save(phone, result_form(day="2026-01-03"))
    store = referee(app).store
    with store.transaction() as db:  # an entry each minute
        db.execute(
            "UPDATE entries SET at = strftime('%Y-%m-%dT%H:%M:%f+00:00', 0, 'unixepoch', (number * 60) || ' seconds')"
        )
    store.cache.clear()
    times = player_seconds(store.table(table.code))
    id = referee(app).results.of_table(table.code).id
    page = phone.open(f"/r/{id}")
    assert "Time per player" in page.text and "breaks over 15 minutes" in page.text
    assert all(f"{name} {seconds // 60} min" in page.text for name, seconds in zip(("Ana", "Bo"), times, strict=True))
    assert [player["seconds"] for player in phone.get(f"/r/{id}.json").json["player_times"]] == list(times)
    assert "Time per player" not in phone.open(f"/r/{entered.id}").text
    assert "player_times" not in phone.get(f"/r/{entered.id}.json").json


def test_guests_and_bots_need_no_name_and_have_no_statistics(app: Flask, phone: Phone):
    guests = {"players-1-kind": "guest", "players-2-kind": "guest", "players-2-points": "4", "players-3-name": "Guest"}
    table = save(phone, result_form(**{"players-1-name": "", "players-3-points": "1", **guests}))
    names = [(part.name, part.guest, part.bot) for part in table.players]
    assert names == [("Ana", False, False), ("Guest 2", True, False), ("Guest 3", True, False), ("Guest", False, False)]
    against_bot = save(phone, bot_race(won="0"))
    assert [(part.name, part.bot) for part in against_bot.players] == [("Ana", False), ("Bot", True)]
    assert {each.name for each in referee(app).players.visible(phone.device)} == {"Ana", "Guest"}


# The same game, entered twice.


def test_second_entry_of_a_game_is_asked_about_and_can_be_saved_anyway(phone: Phone):
    first = save(phone, result_form())
    other_order = {
        "players-0-name": "bo ",
        "players-0-points": "29",
        "players-1-name": "Anna",
        "players-1-points": "31",
    }
    answer = phone.post("/history/new", result_form(**other_order))
    page = parse_page(answer.text)
    assert (
        answer.status_code == 422 and "Is this game already here?" in page.text and f"/r/{first.id}" in page.addresses
    )
    assert page.value("players-0-name") == "bo" and "1 result" in phone.open("/history").text
    assert phone.post("/history/new", result_form(**other_order, anyway="1")).status_code == 303
    assert phone.post("/history/new", result_form(day="2026-01-03")).status_code == 303


def test_game_of_another_phone_is_asked_about_without_a_link(app: Flask, phone: Phone):
    first = save(phone, result_form(where="The cabin"))
    answer = Phone(app).post("/history/new", two_players("30", "29"))
    page = parse_page(answer.text)
    assert answer.status_code == 422 and "was saved on another phone" in page.text
    assert f"/r/{first.id}" not in page.addresses and "cabin" not in answer.text


def test_game_of_a_table_is_asked_about(phone: Phone):
    table = finished_table(phone, "Ana", "Bo")
    day = local_date(table.steps[-1].created_at)
    points = [str(column.total) for column in table.sheet.columns]
    answer = phone.post("/history/new", two_players(*points, day=day))
    assert answer.status_code == 422 and "Is this game already here?" in parse_page(answer.text).text


@pytest.mark.slow("draws pictures by the press")
def test_entered_result_is_corrected_by_the_phone_that_entered_it(app: Flask, phone: Phone):
    path = phone.post("/history/new", result_form(minutes="45", where="Cabin")).headers["Location"]
    before = phone.http.get(f"{path}/picture.png", headers={"Accept": "image/png"}).data
    page = phone.open(f"{path}/correct")
    assert [page.value(name) for name in ("players-0-name", "players-0-points", "minutes", "where", "day")] == [
        "Ana", "31", "45", "Cabin", "2026-01-02",
    ]  # fmt: skip
    assert phone.post(f"{path}/correct", result_form(**{"players-1-points": "1001"})).status_code == 422
    assert "Ana wins with 31 points." in phone.open(path).text
    assert (
        phone.post(f"{path}/correct", result_form(**{"players-1-name": "Cy", "players-1-points": "35"})).headers[
            "Location"
        ]
        == path
    )
    right = phone.open(path)
    assert "Cy wins with 35 points." in right.text and "Cabin" not in right.text and "45 min" not in right.text
    assert {each.name for each in referee(app).players.visible(phone.device)} == {"Ana", "Cy"}
    assert phone.http.get(f"{path}/picture.png", headers={"Accept": "image/png"}).data != before


VALID_RESULTS = [
    result_form(minutes="45", where="Cabin", note="Rain"),
    result_form(game="parks", **{"players-2-name": "Cy", "players-2-points": "9"}),
    *(fields for fields, _, _ in DECIDED_RESULTS),
    result_form(**{"players-1-kind": "guest", "players-1-name": ""}),
]
STORED_PLAYERS = {
    "negative points": ("trails", (PlayerResult("Ana", -3, 1, True), PlayerResult("Bo", -9, 2)), "points"),
    "unknown points": ("trails", (PlayerResult("Ana", 0, 1, True, unscored=True), PlayerResult("Bo", 9, 2)), "other"),
    "unknown winner": ("trails", (PlayerResult("Ana", unscored=True), PlayerResult("Bo", unscored=True)), "unknown"),
    "fewer points": ("trails", (PlayerResult("Ana", 3, 1, True), PlayerResult("Bo", 9, 2)), "other"),
    "a bot": ("parks", (PlayerResult("Ana", 3, 2), PlayerResult("Bot", 9, 1, True, bot=True)), "points"),
    "categories": (
        "trails",
        (PlayerResult("Ana", 3, 1, True, {"photos": 3}, color="red"), PlayerResult("Bo", 1, 2)),
        "points",
    ),
}


def correct(phone: Phone, id: str, **different: str) -> int:
    """Send the form of a correction with some fields changed, and return the status."""
    form = phone.open(f"/r/{id}/correct").forms[-1].default_values
    return phone.post(f"/r/{id}/correct", form | different).status_code


@pytest.mark.parametrize("fields", VALID_RESULTS)
def test_untouched_correction_form_changes_nothing(app: Flask, phone: Phone, fields: dict):
    original = save(phone, fields)
    assert correct(phone, original.id) == 303
    assert referee(app).results.find(original.id) == original


@pytest.mark.parametrize(("game", "players", "decided_by"), STORED_PLAYERS.values(), ids=STORED_PLAYERS)
def test_result_of_an_earlier_version_or_another_program_stays_correctable(
    app: Flask, phone: Phone, game: str, players: tuple, decided_by: str
):
    results = referee(app).results
    original = results.enter(Result("AAAAAA", game, "2026-01-02", players, decided_by), phone.device)
    assert correct(phone, original.id) == 303
    assert results.find(original.id) == original
    assert correct(phone, original.id, **{"players-0-name": "Dora"}) == 303
    corrected = results.find(original.id)
    assert corrected and corrected.players[0].name == "Dora" and corrected.decided_by == decided_by
    assert [part.points for part in corrected.players] == [part.points for part in players]


def test_correction_of_a_tie_stores_what_decided_it(app: Flask, phone: Phone):
    tie = (PlayerResult("Ana", 20, 1, True), PlayerResult("Bo", 20, 2))
    original = referee(app).results.enter(Result("AAAAAA", "trails", "2026-01-02", tie), phone.device)
    assert correct(phone, original.id) == 303
    assert referee(app).results.find(original.id).decided_by == "tie-break"


def test_only_the_date_of_a_tables_result_is_editable_by_the_owner(app: Flask, phone: Phone, owner: Phone):
    id = referee(app).results.of_table(finished_table(phone, "Ana", "Bo").code).id
    assert phone.get(f"/r/{id}/correct").status_code == 403
    fields = [each["name"] for tag, each in owner.open(f"/r/{id}/correct").tags if tag != "meta" and "name" in each]
    assert fields == ["csrf_token", "day", "today"]
    assert f"/r/{id}/correct" not in phone.open(f"/r/{id}").addresses


def test_place_and_note_are_written_by_players_and_searchable(app: Flask, phone: Phone):
    table = finished_table(phone, "Ana", "Bo")
    path = f"/r/{referee(app).results.of_table(table.code).id}"
    refused = phone.post(f"{path}/about", {"where": "x" * 301, "note": "Rain all day"})
    assert (
        refused.status_code == 422
        and "Use at most 300" in refused.text
        and parse_page(refused.text).value("note") == "Rain all day"
    )
    assert phone.post(f"{path}/about", {"where": " The  cabin ", "note": "Rain all day"}).status_code == 303
    page = phone.open(path)
    assert "The cabin" in page.text and "Rain all day" in page.text and "location%22" in " ".join(page.addresses)
    assert "sends this game’s title, date, length, location, note and the players’ names" in page.text
    assert "1 result found" in phone.open("/history?q=cabin+rain").text
    phone.post(f"{path}/about", {"where": "", "note": ""})
    assert "cabin" not in phone.open(path).text


def suggested_names(page: Page) -> list[str]:
    names = [item["value"] for tag, item in page.tags if tag == "option"]
    return [name for name in names if name not in PLAYER_KINDS]


def test_known_names_are_suggested_where_names_are_entered(app: Flask, phone: Phone, add_result: Callable):
    add_result(("Ana", 30), ("Bo", 20))
    add_result(("Ana", 30), ("Dimitra \u201cDi\u201d", 20), ended="2026-01-01")
    for path in ("/new/trails", "/history/new"):
        page = phone.open(path)
        assert suggested_names(page) == ["Ana", "Bo", "Dimitra \u201cDi\u201d"]
        assert suggested_names(Phone(app).open(path)) == [], "a stranger"


# Files.


def csv_cells(text: str) -> list[list[str]]:
    """Return the cells of a CSV file with a byte order mark."""
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text[1:])))


def test_history_csv_has_a_row_for_each_player_and_no_formula(phone: Phone, add_result: Callable):
    add_result(("=1+1", 30), ("Bo", 20), minutes=5)
    first, *rows = csv_cells(phone.get("/history.csv").text)
    assert first[:4] == ["date", "game", "table", "result"]
    assert [dict(zip(first, row, strict=True))["player"] for row in rows] == ["'=1+1", "Bo"]
    assert rows[0][:2] == ["2026-01-02", "TRAILS"] and rows[0][7:9] == ["yes", "30"]


def test_score_csv_has_date_game_and_table(phone: Phone):
    table = finished_table(phone, "Ana", "Bo")
    first, *rows = csv_cells(phone.get(f"/t/{table.code}/score.csv").text)
    assert first[:3] == ["date", "game", "table"] and rows
    assert {tuple(row[:3]) for row in rows} == {(local_date(table.opened_at), "TRAILS", table.code)}


def test_history_file_is_imported_once_by_another_instance(app: Flask, owner: Phone, phone: Phone, tmp_path: Path):
    finished_table(phone, "Ana", "Bo")
    going_on = finished_table(phone, "Ana", "Bo", game="parks", steps=6)
    file = owner.get("/history.json").data
    other = create_app(tmp_path / "other")
    disable_fsync(other.extensions["waymark"].store)
    other_phone = Phone(other).become_owner()
    assert (
        "Imported 1 table, 1 result and 2 players."
        in parse_page(send_file(other_phone, "/history/file", "file", "a", file).text).text
    )
    assert going_on.code.encode() not in file  # the file must not reveal notes of others in an open game
    second_page = parse_page(send_file(other_phone, "/history/file", "file", "a", file).text).text
    assert "Everything in this file is already here." in second_page
    assert other_phone.get("/history.json").data == file
    other.extensions["waymark"].store.db.conn.close()


def test_import_of_a_log_redirects_to_its_table_with_free_seats(app: Flask, phone: Phone, tmp_path: Path):
    table = finished_table(phone, "Ana", "Bo", steps=7)
    log = json.dumps(log_data(table.code, app.extensions["waymark"].store.read_log(table.code))).encode()
    other = create_app(tmp_path / "other")
    disable_fsync(other.extensions["waymark"].store)
    other_phone = Phone(other)
    assert send_file(other_phone, "/history/file", "file", "a", log).headers["Location"] == f"/t/{table.code}"
    page = other_phone.open(f"/t/{table.code}")
    assert "Tap to take this seat" in page.text and "another phone" not in page.text
    assert other_phone.post(f"/t/{table.code}/sit", {"seat": "0"}).headers["Location"] == f"/t/{table.code}/seat/0"
    other.extensions["waymark"].store.db.conn.close()


BAD_FILES = [
    (b"", 400, "Choose a file first."),
    (b"x", 400, "this is a text file, but no table of plays"),
    (b"[]", 400, "not a Waymark file"),
    (b'{"waymark":1}' + b" " * 2_000_001, 413, "waymark import FILE"),
    (b"x" * 20_000_001, 413, "waymark import FILE"),
]


@pytest.mark.parametrize(
    ("content", "status", "why"), BAD_FILES, ids=["none", "text", "not ours", "too large", "far too large"]
)
def test_file_that_cannot_be_imported_is_refused_with_the_reason(phone: Phone, content: bytes, status: int, why: str):
    answer = send_file(phone, "/history/file", "file", "a", content)
    assert answer.status_code == status and why in parse_page(answer.text).text


def test_file_longer_than_any_form_is_imported(app: Flask, owner: Phone, add_result: Callable):
    for number in range(400):
        add_result(("Ana", number), ("Bo", 0), note="a long evening at the cabin " * 5)
    content = owner.get("/history.json").data
    assert len(content) > 100_000
    answer = send_file(owner, "/history/file", "file", "history.json", content)
    assert "Everything in this file is already here" in parse_page(answer.text).text


def test_import_of_a_stranger_is_limited_and_of_an_owner_is_not(app: Flask, phone: Phone, owner: Phone):
    file = json.dumps(
        {"waymark": 1, "players": [{"name": f"P{each}", "names": [f"p{each}"]} for each in range(101)]}
    ).encode()
    answer = send_file(phone, "/history/file", "file", "a", file)
    assert (
        answer.status_code == 400
        and "at most 100" in parse_page(answer.text).text
        and referee(app).players.ids_by_name() == {}
    )
    assert "101 players" in parse_page(send_file(owner, "/history/file", "file", "a", file).text).text


def test_history_file_of_a_phone_omits_deleted_tables(app: Flask, phone: Phone):
    table = scored_table(app.extensions["waymark"], "Ana", "Bo", device=phone.device)
    finished_table(phone, "Cy", "Di", steps=1)
    app.extensions["waymark"].store.delete_inactive_tables("9999")
    exported = json.loads(phone.get("/history.json").text)
    assert [item["code"] for item in exported["results"]] == [table.code] and exported["tables"] == []


# A clock that is wrong.


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the clock for all places where days are entered.

    A day without a time means noon.
    """

    def set_clock(time: str) -> None:
        current = datetime.fromisoformat(time if "T" in time else f"{time}T12:00+00:00")
        for module in (clock_module, web_history):
            monkeypatch.setattr(module, "now", lambda: current)

    return set_clock


CLOCK_LOOKS_WRONG = "This computer’s clock looks wrong."


def test_future_day_is_refused_with_the_day_of_the_clock(phone: Phone, clock: Callable):
    clock("2030-05-01")
    answer = phone.post("/history/new", result_form(day="2030-05-03"))
    assert answer.status_code == 422 and "This computer\u2019s clock says 1 May 2030." in parse_page(answer.text).text
    assert phone.post("/history/new", result_form(day="2030-05-02")).status_code == 303


@pytest.mark.parametrize(
    ("time", "day", "status"),
    [
        ("2030-05-01T10:30+00:00", "2030-05-02", 303),  # where a phone is 14 hours ahead, the day has begun
        ("2030-05-01T09:30+00:00", "2030-05-02", 422),
        ("2030-05-01T23:30-12:00", "2030-05-03", 303),
        ("2030-05-02T08:00+13:00", "2030-05-02", 303),
    ],
)
def test_day_that_has_begun_in_any_time_zone_is_accepted(
    phone: Phone, clock: Callable, time: str, day: str, status: int
):
    clock(time)
    assert phone.post("/history/new", result_form(day=day)).status_code == status


def test_today_of_the_phone_is_accepted_if_the_clock_is_behind(phone: Phone, clock: Callable):
    clock("2030-05-01")
    assert phone.post("/history/new", result_form(day="2030-05-20", today="2030-05-20")).status_code == 303
    later = phone.post("/history/new", result_form(day="2030-05-21", today="2030-05-20"))
    assert later.status_code == 422 and "That date is in the future." in parse_page(later.text).text


def test_phone_without_scripts_confirms_its_today(app: Flask, phone: Phone, owner: Phone, clock: Callable):
    table = scored_table(referee(app), "Ana", "Bo", device=phone.device)
    address = f"/r/{referee(app).results.of_table(table.code).id}/correct"
    clock("2030-05-01")
    for form in ({"day": "2030-05-20"}, result_form(day="2030-05-20")):
        path = "/history/new" if "game" in form else address
        refused = owner.post(path, form)
        page = parse_page(refused.text)
        assert refused.status_code == 422 and "Today is 20 May 2030 or later." in page.text
        assert page.value("today") == "2030-05-20"
        saved = owner.post(path, form | {"today": page.value("today"), "anyway": "1"})
        assert saved.status_code == 303 and "20 May 2030" in owner.open(saved.headers["Location"]).text


def test_wrong_clock_is_reported_where_a_day_is_entered_and_any_day_counts(phone: Phone, clock: Callable):
    clock("2020-01-01")
    page = phone.open("/history/new")
    assert f"{CLOCK_LOOKS_WRONG} It says 1 Jan 2020, but this version is from" in page.text
    assert page.value("day") == ""
    answer = phone.post("/history/new", result_form(day="2030-05-03"))
    assert "3 May 2030" in phone.open(answer.headers["Location"]).text
    too_late = phone.post("/history/new", result_form(day="9999-12-31"))
    assert too_late.status_code == 422 and "That date is too late." in parse_page(too_late.text).text


def test_wrong_clock_is_reported_on_the_owner_page(phone: Phone, owner: Phone, clock: Callable):
    assert CLOCK_LOOKS_WRONG not in owner.open("/owner").text
    clock("2020-01-01")
    for each in (owner, phone):
        assert f"{CLOCK_LOOKS_WRONG} It says 1 Jan 2020, but" in each.open("/owner").text


def open_table_at(store: Store, time: str) -> None:
    store.open_table(Entry(1, time, "phone", None, OPENING.payload))


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("2030-05-01T11:00:00.000+00:00", ""),
        ("2030-05-01T12:04:00.000+00:00", ""),  # the network has set the clock back a little
        ("2030-05-01T13:00:00.000+00:00", "It says 1 May 2030, 12:00, but the latest move is from 1 May 2030, "),
        ("2030-05-03T13:00:00.000+00:00", "It says 1 May 2030, 12:00, but the latest move is from 3 May 2030, "),
        ("2030-05-03", "It says 1 May 2030, 12:00, but the latest move is from 3 May 2030, "),  # an imported table
    ],
)
def test_clock_behind_the_latest_move_is_wrong(store: Store, clock: Callable, time: str, text: str):
    clock("2030-05-01")
    open_table_at(store, "2030-04-01T09:00:00.000+00:00")
    open_table_at(store, time)
    warning = clock_module.clock_warning(store)
    assert text in warning and bool(warning) is bool(text)


def test_moves_of_a_clock_that_was_years_ahead_end_to_count(store: Store, clock: Callable):
    clock("2030-05-01")
    open_table_at(store, "2044-05-01T09:00:00.000+00:00")
    for day in range(1, clock_module.COMPARED_TABLES + 1):
        assert "from 1 May 2044" in clock_module.clock_warning(store)
        open_table_at(store, f"2030-04-{day:02}T09:00:00.000+00:00")
    assert clock_module.clock_warning(store) == ""


@pytest.mark.slow("whole games")
def test_day_of_a_table_is_fixed_by_the_owner_and_stays_in_exports(app: Flask, phone: Phone, owner: Phone, tmp_path):
    table = finished_table(phone, "Ana", "Bo")
    id = referee(app).results.of_table(table.code).id
    assert f"/r/{id}/correct" in owner.open(f"/r/{id}").addresses
    assert owner.post(f"/r/{id}/correct", {"day": "2200-01-01"}).status_code == 422
    assert owner.post(f"/r/{id}/correct", {"day": "2026-03-04"}).headers["Location"] == f"/r/{id}"
    store = app.extensions["waymark"].store
    referee(app).results.record_entry(
        store.table_at_entry(table.code, 1), store.table(table.code)
    )  # the table ends once more
    assert referee(app).results.find(id).date == "2026-03-04"
    pages = (f"/r/{id}", f"/r/{id}/picture.svg", f"/t/{table.code}/print", "/history?q=2026-03-04")
    for path in (*pages, "/history?q=4+Mar+2026"):
        assert "4 Mar 2026" in owner.get(path).text, path
    assert "4 Mar 2026" not in owner.get("/history?q=4+apr+2026").text
    for path in ("/history.csv", f"/t/{table.code}/score.csv"):
        assert "2026-03-04" in owner.get(path).text, path
    same_app = create_app(tmp_path)
    for file in (owner.get("/history.json").json, owner.get(f"/r/{id}.json").json):
        import_data(same_app.extensions["waymark"], file)
        assert [item.date for item in referee(same_app).results.all() if item.id == id] == ["2026-03-04"]
    same_app.extensions["waymark"].store.close()
