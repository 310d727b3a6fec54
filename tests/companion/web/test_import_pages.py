"""Tests of the pages of the import: columns, preview, names, duplicates, refusals and undo."""

import io
import json

import pytest
from flask import Flask

from companion.history.result import PlayerResult, Result
from companion.service.referee import Referee
from companion.web import imports as web_imports
from tests.companion.exchange.test_bg_stats import bg_stats_file
from tests.support.page_parser import Page, parse_page
from tests.support.phones import Phone

TABLE = "When;Ana;Bo\n20.11.2026;25;20\n"
COLUMNS = {f"column-{index}": role for index, role in enumerate(("day", "column", "column"))}
COLUMNS |= {"game": "trails", "order": "day", "headings": "1"}


@pytest.fixture
def app(empty_app: Flask) -> Flask:
    return empty_app


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app)


@pytest.fixture
def results(referee: Referee, phone: Phone):
    """Return a function that returns the results of the phone as (title, names with points)."""

    def found() -> list[list[tuple[str, int]]]:
        return [[(part.name, part.points) for part in each.players] for each in referee.results.visible(phone.device)]

    return found


def upload(phone: Phone, content: bytes | dict | str, name: str = "plays.bgsplay") -> str:
    """Send a file, and return the address that the phone is sent to."""
    if isinstance(content, dict):
        content = json.dumps(content)
    content = content if isinstance(content, bytes) else content.encode()
    form = {"csrf_token": phone.token, "file": (io.BytesIO(content), name)}
    answer = phone.http.post("/history/file", data=form, content_type="multipart/form-data")
    assert answer.status_code == 303, parse_page(answer.text).text
    return answer.headers["Location"]


def preview(phone: Phone, address: str) -> Page:
    page = phone.open(address)
    assert "Nothing is saved yet." in page.text
    return page


def test_nothing_is_saved_until_the_preview_is_confirmed(phone: Phone, results):
    address = upload(phone, bg_stats_file())
    page = preview(phone, address)
    assert "BG Stats, plays.bgsplay : 1 new." in page.text and results() == []
    answer = phone.post(address, {"do": "import"})
    assert results() == [[("Ana", 25), ("Bo", 20)]]
    assert "Imported 1 result from plays.bgsplay." in phone.open(answer.headers["Location"]).text
    assert phone.get(address).status_code == 410, "the file is gone"


def test_preview_names_unused_columns_and_says_how_a_date_is_read(phone: Phone):
    page = preview(phone, upload(phone, "Date,Game,Player,Luck\n3/4/2026,Trails,Ana,5\n", "games.csv"))
    assert "Columns not used: Luck." in page.text and "\u201c3/4/2026\u201d is read as 3 Apr 2026." in page.text


def test_canceled_import_saves_nothing(phone: Phone, results):
    address = upload(phone, bg_stats_file())
    assert phone.post(address, {"do": "cancel"}).status_code == 303
    assert results() == [] and phone.get(address).status_code == 410


def test_preview_belongs_to_the_phone_that_sent_the_file(app: Flask, phone: Phone):
    address = upload(phone, bg_stats_file())
    other = Phone(app)
    assert other.get(address).status_code == 410
    assert other.post(address, {"do": "import"}).status_code == 410
    assert preview(phone, address)


def test_same_file_again_is_shown_as_already_here(phone: Phone, results):
    phone.post(upload(phone, bg_stats_file()), {"do": "import"})
    page = preview(phone, upload(phone, bg_stats_file()))
    assert "1 already here." in page.text and "1 play was imported before, or came from here." in page.text
    phone.post(upload(phone, bg_stats_file()), {"do": "import"})
    assert len(results()) == 1


def test_names_are_chosen_checked_again_and_remembered(phone: Phone, results):
    address = upload(phone, bg_stats_file())
    assert phone.post(address, {"do": "check", "key-0": "ana", "name-0": "Anna"}).status_code == 303
    assert "Anna" in preview(phone, address).text and results() == []
    phone.post(address, {"do": "import"})
    assert results() == [[("Anna", 25), ("Bo", 20)]]
    later = bg_stats_file(uuid="LATER", playDate="2026-11-21 20:00:00")
    assert "Anna 25" in preview(phone, upload(phone, later)).text


@pytest.mark.parametrize("name", ["x" * 41, "\u202e\n", "\0"])
def test_invalid_name_is_refused_and_nothing_is_imported(phone: Phone, results, name: str):
    answer = phone.post(upload(phone, bg_stats_file()), {"do": "import", "key-0": "ana", "name-0": name})
    assert answer.status_code == 400 and results() == []


def test_play_that_looks_like_a_result_is_imported_only_if_chosen(phone: Phone, referee: Referee, results):
    players = (PlayerResult("Ana", 25, 1, True), PlayerResult("Bo", 20, 2))
    referee.results.enter(Result("AAAAAA", "trails", "2026-11-20", players), phone.device)
    address = upload(phone, bg_stats_file())
    page = preview(phone, address)
    assert "1 maybe here already." in page.text and page.values("shown") == ["0"]
    phone.post(address, {"do": "import", "shown": "0"})
    assert len(results()) == 1
    again = upload(phone, bg_stats_file(uuid="OTHER"))
    phone.post(again, {"do": "import", "shown": "0", "also": "0"})
    assert len(results()) == 2


def test_play_that_looks_like_a_result_with_the_chosen_names_is_shown_first(phone: Phone, referee: Referee, results):
    players = (PlayerResult("Xenia", 25, 1, True), PlayerResult("Bo", 20, 2))
    referee.results.enter(Result("AAAAAA", "trails", "2026-11-20", players), phone.device)
    answer = phone.post(upload(phone, bg_stats_file()), {"do": "import", "key-0": "ana", "name-0": "Xenia"})
    assert answer.status_code == 409 and "more plays look like results here" in answer.text
    assert len(results()) == 1


def test_play_of_the_future_is_marked(phone: Phone):
    page = preview(phone, upload(phone, bg_stats_file(playDate="2062-11-20 20:00:00")))
    assert "This date is in the future." in page.text
    assert "in the future" not in preview(phone, upload(phone, bg_stats_file())).text


def test_import_is_undone(phone: Phone, results):
    address = upload(phone, bg_stats_file())
    phone.post(address, {"do": "import"})
    page = phone.open("/history")
    assert "Undo an import" in page.text and "plays.bgsplay: 1 result" in page.text
    assert phone.post(f"{address}/undo", {}).status_code == 303
    assert results() == [] and "Undo an import" not in phone.open("/history").text
    assert phone.post(f"{address}/undo", {}).status_code == 410


def test_import_of_another_phone_cannot_be_undone(app: Flask, phone: Phone, results):
    address = upload(phone, bg_stats_file())
    phone.post(address, {"do": "import"})
    assert Phone(app).post(f"{address}/undo", {}).status_code == 410 and len(results()) == 1


def test_phone_imports_a_limited_number_of_plays_and_the_owner_any(app: Flask, phone: Phone, results, monkeypatch):
    monkeypatch.setattr(web_imports, "MAX_STRANGER_PLAYS", 1)
    data = bg_stats_file()
    data["plays"].append(data["plays"][0] | {"uuid": "B", "playDate": "2026-11-21 20:00:00"})
    answer = phone.post(upload(phone, data), {"do": "import"})
    assert answer.status_code == 422 and "at most 1 plays at a time" in answer.text and results() == []
    owner = Phone(app).become_owner()
    assert owner.post(upload(owner, data), {"do": "import"}).status_code == 303


def test_columns_are_asked_for_if_they_cannot_be_guessed(phone: Phone, results):
    address = upload(phone, TABLE, "club.csv")
    assert address.endswith("/columns")
    page = phone.open(address)
    assert "club.csv" in page.text and "20.11.2026" in page.text
    refused = phone.post(address, COLUMNS | {"column-0": ""})
    assert refused.status_code == 422 and "No column has the date." in refused.text
    answer = phone.post(address, COLUMNS)
    page = preview(phone, answer.headers["Location"])
    assert "Spreadsheet, club.csv : 1 new." in page.text and "Change the columns" in page.text
    phone.post(answer.headers["Location"], {"do": "import"})
    assert results() == [[("Ana", 25), ("Bo", 20)]]


def test_wrong_delimiter_is_refused_and_can_be_changed_again(phone: Phone, results):
    address = upload(phone, TABLE, "club.csv")
    refused = phone.post(address, COLUMNS | {"delimiter": "|"})
    assert refused.status_code == 422 and "This is a text file, but no table of plays." in refused.text
    assert phone.get(address).status_code == 200
    assert "1 new." in preview(phone, phone.post(address, COLUMNS | {"delimiter": ";"}).headers["Location"]).text


def test_second_tap_on_import_adds_nothing(phone: Phone, referee: Referee, results, monkeypatch):
    """The second request has read the file before the first one has imported it."""
    address = upload(phone, bg_stats_file())
    upload_of, inner = referee.imports.upload, []

    def tap_twice(id: str, device: str):
        found = upload_of(id, device)
        if not inner:
            inner.append(id)
            assert phone.post(address, {"do": "import"}).status_code == 303
        return found

    monkeypatch.setattr(referee.imports, "upload", tap_twice)
    answer = phone.post(address, {"do": "import"})
    assert answer.status_code == 303 and len(results()) == 1
    assert "Imported 1 result from plays.bgsplay." in phone.open(answer.headers["Location"]).text


def test_import_without_anything_new_says_so(phone: Phone, results):
    phone.post(upload(phone, bg_stats_file()), {"do": "import"})
    answer = phone.post(upload(phone, bg_stats_file()), {"do": "import"})
    assert "Imported nothing new from plays.bgsplay." in phone.open(answer.headers["Location"]).text


def test_play_with_odd_values_does_not_break_past_games(phone: Phone, results):
    phone.post(upload(phone, bg_stats_file(uuid="x" * 200, comments="x\ud83d")), {"do": "import"})
    assert len(results()) == 1 and phone.get("/history").status_code == 200


def test_note_of_an_imported_play_is_changed_without_its_time(phone: Phone, referee: Referee):
    phone.post(upload(phone, bg_stats_file()), {"do": "import"})
    (result,) = referee.results.visible(phone.device)
    form = phone.open(f"/r/{result.id}/correct").forms[-1].default_values
    assert phone.post(f"/r/{result.id}/correct", form | {"note": "Rain"}).status_code == 303
    (changed,) = referee.results.visible(phone.device)
    assert (changed.note, changed.ended, changed.day) == ("Rain", result.ended, result.day)


def test_columns_that_can_be_guessed_lead_to_the_preview(phone: Phone):
    address = upload(phone, "Date,Game,Player,Points\n2026-11-20,Trails,Ana,25\n", "club.csv")
    assert "1 new." in preview(phone, address).text
    assert phone.get(f"{address}/columns").status_code == 200


@pytest.mark.parametrize("wrong", [{"column-0": "x"}, {"game": "chess"}, {"encoding": "rot13"}, {"delimiter": "x"}])
def test_unknown_choice_of_columns_is_refused(phone: Phone, wrong: dict):
    assert phone.post(upload(phone, TABLE), COLUMNS | wrong).status_code == 400


def test_other_encoding_shows_the_names_right(phone: Phone):
    address = upload(phone, TABLE.replace("Ana", "\u0410\u043d\u043d\u0430").encode("cp1251"))
    phone.post(address, COLUMNS | {"encoding": "cp1251"})
    assert "\u0410\u043d\u043d\u0430 25" in phone.open(address.removesuffix("/columns")).text


def test_names_and_titles_of_a_file_are_escaped(phone: Phone):
    data = bg_stats_file(players=({"id": 1, "name": "<b>Ana"}, {"id": 2, "name": "Bo"}))
    data["games"].append({"id": 8, "name": "<script>x</script>"})
    data["plays"].append(data["plays"][0] | {"gameRefId": 8})
    answer = phone.get(upload(phone, data, "<i>.bgsplay"))
    assert not any(tag in answer.text for tag in ("<b>Ana", "<script>x", "<i>.bgsplay"))


def test_file_with_many_plays_and_names_is_listed_in_parts(phone: Phone):
    data = bg_stats_file(players=tuple({"id": number, "name": f"Player {number}"} for number in range(1, 200)))
    data["plays"] = [
        data["plays"][0] | {"uuid": str(number), "playerScores": [{"playerRefId": number, "score": "1"}]}
        for number in range(1, 200)
    ]
    page = preview(phone, upload(phone, data))
    assert "And 179 more." in page.text and "139 more names with few games keep their names." in page.text


def test_results_are_exported_for_bg_stats(phone: Phone, referee: Referee):
    players = (PlayerResult("Ana", 25, 1, True), PlayerResult("Bo", 20, 2))
    referee.results.enter(Result("AAAAAA", "trails", "2026-11-20", players), phone.device)
    answer = phone.get("/history.bgsplay")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="waymark.bgsplay"'
    assert "1 already here." in preview(phone, upload(phone, answer.data)).text


def test_csv_with_semicolons_has_the_same_cells(phone: Phone, referee: Referee):
    players = (PlayerResult("Ana", 25, 1, True), PlayerResult("Bo", 20, 2))
    referee.results.enter(Result("AAAAAA", "trails", "2026-11-20", players), phone.device)
    commas, semicolons = (phone.get(f"/history.csv{query}").text for query in ("", "?separator=semicolon"))
    assert semicolons == commas.replace(",", ";") and "Ana" in commas
