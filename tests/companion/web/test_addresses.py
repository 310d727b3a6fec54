"""Tests of the addresses of pages and files: full pages, live regions and error pages."""

import csv
import gzip
import io
import json
import re

import pytest
from flask import Flask

from companion.log.entries import format_date, local_date
from companion.rendering import pdf, qr
from companion.system.hosts import local_names
from companion.web.app import create_app
from scoring.games import GAMES, TRACKED_GAMES
from scoring.trails.moves.hiking import Hike
from scoring.trails.score_entry import AddBadge, Done
from tests.support.finished_tables import scored_table
from tests.support.page_parser import parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import GENERAL_PAGES

HIKE = {"move": '{"type":"hike","steps":2}'}
ANSWERED = [
    *GENERAL_PAGES,
    *(f"/new/{game}" for game in TRACKED_GAMES),
    *(f"/rules/{game}" for game in GAMES),
    "/rules/trails?q=bear",
    "/rules/trails/found?q=bear",
    "/rules/trails?q=qqqq+zzzz",
    "/rules/trails/bear-die",
    "/static/favicon.svg",
    "/static/css/waymark.css",
]


@pytest.mark.parametrize("path", ANSWERED)
def test_page_is_answered(phone: Phone, path: str):
    with phone.get(path) as answer:
        assert answer.status_code == 200


def is_page(phone: Phone, path: str) -> bool:
    """Return whether an address is answered with a page, and not with a file or another address."""
    with phone.get(path) as answer:
        return answer.mimetype == "text/html" and "Location" not in answer.headers


def test_every_page_without_parameters_is_listed(app: Flask, phone: Phone):
    addresses = [rule.rule for rule in app.url_map.iter_rules() if "GET" in rule.methods and not rule.arguments]
    pages = {address for address in addresses if is_page(phone, address)}
    unlisted, unknown = sorted(pages - {*GENERAL_PAGES}), sorted({*GENERAL_PAGES} - pages)
    assert not unlisted, f"Add {unlisted} to GENERAL_PAGES in tests/support/table_states.py, for tests of all pages."
    assert not unknown, f"No module of companion/web/ has the pages {unknown} of GENERAL_PAGES. Add their addresses."


MISSING = [
    "/nowhere",
    "/new/chess",
    "/rules/chess",
    "/rules/chess/bear-die",
    "/rules/trails/no-such-rule",
    "/pad/chess.pdf",
    "/static/nothing.css",
    "/t/BCDFG",
    "/t/BCDFG/now",
    "/t/BCDFG/seat/0",
    "/t/BCDFG/seat/0/now",
    "/t/BCDFG/seat/0/tell",
    "/t/BCDFG/seat/0/log",
    "/t/BCDFG/ask",
    "/t/BCDFG/ask/may",
    "/t/BCDFG/ask/sides",
    "/t/BCDFG/ask/ruling/zero-birds",
    "/t/BCDFG/verdict/3",
    "/t/BCDFG/verdict/3.pdf",
    "/t/BCDFG/verdict/3/print",
    "/t/BCDFG/board",
    "/t/BCDFG/board/now",
    "/t/BCDFG/score",
    "/t/BCDFG/score/now",
    "/t/BCDFG/score.pdf",
    "/t/BCDFG/score.json",
    "/t/BCDFG/score.csv",
    "/t/BCDFG/print",
    "/t/BCDFG/setup",
    "/t/BCDFG/qr.svg",
    "/t/BCDFG/live",
    "/t/BCDFG/attention",
    "/t/BCDFG/open",
    "/t/BCDFG/manifest.webmanifest",
    "/t/" + "B" * 3000,
    "/t/%00",
    "/t/..%2f..",
]


@pytest.mark.parametrize("path", MISSING, ids=lambda path: path[:40])
def test_missing_page_is_not_found_and_links_home(phone: Phone, path: str):
    answer = phone.get(path)
    assert answer.status_code == 404
    assert "/" in parse_page(answer.text).addresses


@pytest.mark.parametrize("form", ["sit", "stand", "answer", "setup", "seat/0/play", "seat/0/step", "seat/0/answer"])
def test_form_of_an_unknown_table_is_not_found(phone: Phone, form: str):
    answer = phone.post(f"/t/BCDFG/{form}", HIKE)
    assert answer.status_code == 404 and "There is no table with the code BCDFG." in parse_page(answer.text).text


@pytest.mark.parametrize("seat", ["9", "-1", "x", "1" * 5000])
def test_unknown_seat_redirects_to_the_lobby_or_is_not_found(table_of_two: SeatedTable, seat: str):
    answer = table_of_two.phone(0).get(f"{table_of_two.path}/seat/{seat}")
    assert (answer.status_code, answer.headers.get("Location")) in [(303, table_of_two.path), (404, None)]


@pytest.mark.parametrize(
    ("form", "page"),
    [
        *((f"seat/1/{form}", "/seat/1") for form in ("play", "step", "answer")),
        *((form, "") for form in ("sit", "stand", "answer", "again")),
    ],
)
def test_get_request_of_a_form_redirects_to_its_page(table_of_two: SeatedTable, form: str, page: str):
    answer = table_of_two.phone(1).get(f"{table_of_two.path}/{form}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{table_of_two.path}{page}")


def test_get_request_of_the_join_form_redirects_home(phone: Phone):
    assert (answer := phone.get("/join")).status_code == 303 and answer.headers["Location"] == "/"


def test_page_with_a_wrong_method_is_refused(phone: Phone):
    assert phone.http.put("/about").status_code == 405


REGIONS = ["", "/board", "/score", "/seat/0"]


@pytest.mark.parametrize("region", REGIONS)
def test_live_region_is_sent_only_when_there_is_news(table_of_two: SeatedTable, region: str):
    phone, version = table_of_two.phone(0), table_of_two.table.version
    page = phone.open(f"{table_of_two.path}{region}")
    now = next(attributes for _, attributes in page.tags if "data-version" in attributes)
    assert now["data-version"] == str(version)
    assert now["hx-get"] == f"{table_of_two.path}{region}/now?have={version}"
    unchanged = phone.get(now["hx-get"], htmx=True)
    assert (unchanged.status_code, unchanged.text) == (204, "")
    table_of_two.play(0, Hike(2))
    news = phone.get(now["hx-get"], htmx=True)
    assert news.status_code == 200 and f'data-version="{version + 1}"' in news.text
    assert "<html" not in news.text and news.text.lstrip().startswith("<main")


@pytest.mark.parametrize("region", REGIONS)
def test_live_region_is_part_of_the_page(table_of_two: SeatedTable, region: str):
    full_page, part = (
        table_of_two.phone(0).open(f"{table_of_two.path}{region}"),
        table_of_two.phone(0).open(f"{table_of_two.path}{region}/now"),
    )
    assert part.text in full_page.text


@pytest.mark.parametrize("version", ["", "x", "-1", "999", "1" * 5000])
def test_live_region_with_an_unknown_version_is_sent_whole(table_of_two: SeatedTable, version: str):
    assert table_of_two.phone(0).get(f"{table_of_two.path}/seat/0/now?have={version}").status_code == 200


def test_first_page_lists_the_tables_of_the_phone(table_of_two: SeatedTable, phone: Phone):
    assert (
        table_of_two.path in table_of_two.phone(1).open("/").addresses
        and table_of_two.path not in phone.open("/").addresses
    )


def test_score_entry_is_possible_for_all_simultaneously(score_entry_table: SeatedTable):
    for seat, badge in enumerate(("science", "climber-leaf")):
        assert (
            score_entry_table.submit(
                seat, "play", {"move.type": "add-badge", "move.badge": badge}, htmx=True
            ).status_code
            == 200
        )
    assert "6 points" in score_entry_table.page(1).text
    for seat in (0, 1):
        score_entry_table.submit(seat, "play", {"move": '{"type":"done"}'})
    assert "Bo wins with 6 points." in score_entry_table.page(0).text
    assert "You win with 6 points." in score_entry_table.page(1).text


def test_score_is_the_same_as_page_json_csv_and_print(score_entry_table: SeatedTable):
    score_entry_table.play(0, AddBadge("science"))
    score_entry_table.play(1, AddBadge("climber-leaf"))
    phone = score_entry_table.phone(0)
    data = json.loads(phone.get(f"{score_entry_table.path}/score.json").text)
    assert [(player["name"], player["total"]) for player in data["players"]] == [("Ana", 3), ("Bo", 6)]
    answer = phone.get(f"{score_entry_table.path}/score.csv")
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{score_entry_table.code}.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["player"], row["label"], row["points"]) for row in rows] == [
        ("Ana", "Science", "3"),
        ("Bo", "Climber (leaf)", "6"),
    ]
    for path in ("score", "print"):
        text = phone.open(f"{score_entry_table.path}/{path}").text
        assert "Science" in text and "Climber (leaf)" in text


@pytest.mark.slow("prints PDFs")
@parametrize_cases("paper", ["a4", "letter"])
def test_sheet_and_pad_are_printed(table_of_two: SeatedTable, paper: str):
    sheet = table_of_two.phone(0).get(f"{table_of_two.path}/score.pdf?paper={paper}")
    pad = table_of_two.phone(0).get(f"/pad/trails.pdf?paper={paper}")
    for answer, name in ((sheet, f"{table_of_two.code}.pdf"), (pad, "trails-pad.pdf")):
        assert answer.mimetype == "application/pdf" and answer.data.startswith(b"%PDF-")
        assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'


@pytest.mark.parametrize("paper", ["a5", "", "../a4"])
def test_unknown_paper_size_is_not_found(table_of_two: SeatedTable, paper: str):
    assert table_of_two.phone(0).get(f"{table_of_two.path}/score.pdf?paper={paper}").status_code == 404
    assert table_of_two.phone(0).get(f"/pad/trails.pdf?paper={paper}").status_code == 404


def test_page_without_pdf_support_says_so_and_links_to_print(
    table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pdf, "unavailable_reason", lambda: "No PDFs, because Pango is missing.")
    page = table_of_two.phone(0).open(f"{table_of_two.path}/score")
    assert "PDFs need" in page.text and f"{table_of_two.path}/print" in page.addresses
    assert not [address for address in page.addresses if "score.pdf" in address]
    for path, plain in (
        (f"{table_of_two.path}/score.pdf", f"{table_of_two.path}/print"),
        ("/pad/trails.pdf", "/pad/trails"),
    ):
        answer = table_of_two.phone(0).get(path)
        assert answer.status_code == 501 and "PDFs need WeasyPrint and Pango" in parse_page(answer.text).text
        assert plain in parse_page(answer.text).addresses and table_of_two.phone(0).get(plain).status_code == 200


HOST_NAME = next(name.removesuffix(".local") for name in local_names() if name.endswith(".local"))
HOSTS = [
    ("localhost:8000", "http://192.0.2.10:8000"),
    ("127.0.0.1", "http://192.0.2.10"),
    ("192.0.2.99:8000", "http://192.0.2.99:8000"),
    ("[::1]:8000", "http://192.0.2.10:8000"),
    ("localhost.:8000", "http://192.0.2.10:8000"),
    ("127.0.1.1:8000", "http://192.0.2.10:8000"),
    ("[::]:8000", "http://192.0.2.10:8000"),
    ("[::ffff:127.0.0.1]:8000", "http://192.0.2.10:8000"),
    ("[2001:db8::7]:8000", "http://192.0.2.10:8000"),
    ("[fe80::7]:8000", "http://192.0.2.10:8000"),
    ("192.0.2.99.:8000", "http://192.0.2.99:8000"),
    *((name, "http://192.0.2.10") for name in sorted(local_names())),
    (f"{HOST_NAME}.local.:8000", "http://192.0.2.10:8000"),
    (f"{HOST_NAME}.LOCAL:8000", "http://192.0.2.10:8000"),
]


@pytest.mark.parametrize(("host", "address"), HOSTS)
def test_displayed_address_can_be_opened_by_other_phones(
    table_of_two: SeatedTable, host: str, address: str, monkeypatch
):
    monkeypatch.setitem(table_of_two.app.config, "LAN_ADDRESS", "192.0.2.10")
    monkeypatch.setattr(qr, "svg", lambda text: f"<svg>{text}</svg>")
    for path in ("", "/now", "/board", "/board/now", "/qr.svg"):
        answer = table_of_two.phone(0).http.get(table_of_two.path + path, headers={"Host": host})
        assert f"<svg>{address}{table_of_two.path}</svg>" in answer.text


LOCAL_NAMES = {
    f"{HOST_NAME}.local:8000": f"{HOST_NAME}.local:8000",
    f"{HOST_NAME}.local.:8000": f"{HOST_NAME}.local:8000",
    HOST_NAME: HOST_NAME,
    "localhost:8000": "",
    "[::1]:8000": "",
    "192.0.2.99:8000": "",
}


@pytest.mark.parametrize(("host", "name"), LOCAL_NAMES.items())
def test_local_name_is_shown_beside_the_address(
    app: Flask, table_of_two: SeatedTable, host: str, name: str, monkeypatch
):
    monkeypatch.setitem(app.config, "LAN_ADDRESS", "192.0.2.10")
    phone = table_of_two.phone(0)
    scored = scored_table(app.extensions["waymark"], "Ana", "Bo", device=phone.device)
    result = f"/r/{app.extensions['waymark'].results.of_table(scored.code).id}"
    for path in (table_of_two.path, f"{table_of_two.path}/board", f"{table_of_two.path}/board/now", result):
        text = parse_page(phone.http.get(path, headers={"Host": host}).text).text
        assert ("192.0.2.99" if host.startswith("192") else "192.0.2.10") in text, path
        also = re.findall(r"(?:192[.\d]+(?::8000)? or |can also open http://)([^/ ]+)", text)
        assert also == [name] * bool(name), path
        assert "localhost" not in text and "[::1]" not in text


@pytest.mark.parametrize("host", ["[::1]:8000", "localhost:8000", f"{HOST_NAME}.local:8000"])
def test_address_without_a_network_is_the_requested_one(table_of_two: SeatedTable, host: str, monkeypatch):
    monkeypatch.setattr(qr, "svg", lambda text: f"<svg>{text}</svg>")
    answer = table_of_two.phone(0).http.get(table_of_two.path, headers={"Host": host})
    assert f"<svg>http://{host}{table_of_two.path}</svg>" in answer.text and "can also open" not in answer.text


@pytest.mark.slow("several apps")
@pytest.mark.parametrize("name", ["games.local", "games.lan", "games.home.arpa", "games"])
def test_local_name_that_was_given_is_replaced_too(tmp_path, name: str):
    app = create_app(tmp_path, LAN_ADDRESS="192.0.2.10", HOSTS=(name,))
    table = open_seated_table(app, "Ana", "Bo")
    text = parse_page(table.phone(0).http.get(table.path, headers={"Host": f"{name}:8000"}).text).text
    assert f"http://192.0.2.10:8000{table.path}" in text and f"can also open http://{name}:8000{table.path}" in text
    app.extensions["waymark"].store.close()


PUBLIC = {
    "a public name": ("waymark.example:8000", {"HOSTS": ("waymark.example",)}, {}, "http://waymark.example:8000"),
    "behind a proxy": (HOST_NAME, {"PROXIES": 1}, {"X-Forwarded-Proto": "http"}, f"http://{HOST_NAME}"),
    "https": (f"{HOST_NAME}.home", {"PROXIES": 1}, {"X-Forwarded-Proto": "https"}, f"https://{HOST_NAME}.home"),
}


@pytest.mark.slow("several apps")
@pytest.mark.parametrize(("host", "settings", "headers", "address"), PUBLIC.values(), ids=list(PUBLIC))
def test_name_that_every_phone_can_open_is_shown_as_it_is(
    tmp_path, host: str, settings: dict, headers: dict, address: str
):
    app = create_app(tmp_path, LAN_ADDRESS="192.0.2.10", **settings)
    table = open_seated_table(app, "Ana", "Bo")
    answer = table.phone(0).http.get(table.path, headers={"Host": host, **headers})
    assert f"{address}{table.path}" in answer.text and "192.0.2.10" not in answer.text
    app.extensions["waymark"].store.close()


def test_qr_code_is_an_svg_picture(table_of_two: SeatedTable):
    answer = table_of_two.phone(0).get(f"{table_of_two.path}/qr.svg")
    assert answer.mimetype == "image/svg+xml" and answer.text.startswith("<svg")


def test_pages_and_files_are_compressed(table_of_two: SeatedTable):
    style = next(address for address in table_of_two.phone(0).open("/").addresses if "waymark.css" in address)
    for path in (table_of_two.path, f"{table_of_two.path}/score.json", style):
        for _ in range(2):  # a file is compressed once and then sent from the cache
            with (
                table_of_two.phone(0).http.get(path, headers={"Accept-Encoding": "gzip"}) as packed,
                table_of_two.phone(0).get(path) as plain,
            ):
                assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
                assert packed.headers["Vary"] and len(packed.data) < len(plain.data)


def test_answer_to_a_tap_is_compressed(table_of_two: SeatedTable):
    htmx = {"HX-Request": "true"}
    packed, plain = (
        table_of_two.phone(0).http.get(f"{table_of_two.path}/seat/0/now", headers=headers)
        for headers in (htmx | {"Accept-Encoding": "gzip"}, htmx)
    )
    assert packed.headers["Content-Encoding"] == "gzip" and len(packed.data) < len(plain.data) / 3
    pages = (gzip.decompress(packed.data).decode(), plain.text)
    assert len({re.search('data-fragments="([^"]*)"', page).group(1) for page in pages}) == 1


def test_compressed_file_equals_the_uncompressed_one(table_of_two: SeatedTable):
    packed = table_of_two.phone(0).http.get(f"{table_of_two.path}/score.json", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == table_of_two.phone(0).get(f"{table_of_two.path}/score.json").data


SEARCHES = [
    ("bear", True),
    ("BEAR die", True),
    ("", True),
    ("qqqq zzzz", False),
    ("<script>", False),
    ("x" * 500, False),
]


@pytest.mark.parametrize(("query", "found"), SEARCHES)
@pytest.mark.parametrize("is_fragment", [True, False])
def test_rules_can_be_searched(phone: Phone, query: str, found: bool, is_fragment: bool):
    answer = phone.get("/rules/trails/found" if is_fragment else "/rules/trails", query_string={"q": query})
    page = parse_page(answer.text)
    assert answer.status_code == 200 and ("<html" in answer.text) is not is_fragment
    assert any("/rules/trails/" in address and "/found" not in address for address in page.addresses) is (
        found and not (is_fragment and not query)
    )
    assert ("No rule found" in page.text) is not found


def test_corrupt_table_is_reported_while_others_still_work(app: Flask, table_of_two: SeatedTable):
    other = open_seated_table(app, "Cy", "Di")
    with table_of_two.referee.store.db.conn as connection:
        connection.execute(
            "UPDATE entries SET what = 'gone' WHERE number = 3 AND table_id = (SELECT id FROM tables WHERE code = ?)",
            [table_of_two.code],
        )
    table_of_two.referee.store.cache.clear()
    for path in ("", "/board", "/score.json", "/live"):
        answer = table_of_two.phone(0).get(f"{table_of_two.path}{path}")
        assert answer.status_code == 500 and "waymark export" in parse_page(answer.text).text
    assert table_of_two.phone(0).get("/").status_code == 200
    assert other.phone(0).get(other.path).status_code == 200


def test_unexpected_error_is_answered_without_its_details(
    app: Flask, table_of_two: SeatedTable, monkeypatch: pytest.MonkeyPatch
):
    def wrong(code: str) -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(table_of_two.referee.store, "table", wrong)
    monkeypatch.setattr(app.logger, "exception", lambda text: None)
    answer = table_of_two.phone(0).get(table_of_two.path)
    assert answer.status_code == 500 and "secret details" not in answer.text
    assert "Nothing was lost. Go back and try again." in parse_page(answer.text).text


def test_rules_link_back_to_the_last_table_of_the_phone(table_of_two: SeatedTable, phone: Phone):
    rule = next(iter(table_of_two.table.tracked.box.rules))
    for path in ("/rules/trails", f"/rules/trails/{rule}"):
        assert f"{table_of_two.path}/seat/1" in table_of_two.phone(1).open(path).addresses
        assert "Back to the table" not in phone.open(path).text


def test_first_page_shows_the_result_and_date_of_a_game(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="trails-tally")
    for seat in (0, 1):
        table.play(seat, Done())
    page = table.phone(0).open("/")
    result = table.referee.results.of_table(table.code)
    assert (
        f"Winner: Ana 0, Winner: Bo 0 {format_date(local_date(table.table.opened_at))} TRAILS" in page.text
        and f"/r/{result.id}" in page.addresses
    )
    assert table.table.sheet.result_text in table.phone(0).open(f"/r/{result.id}").text
