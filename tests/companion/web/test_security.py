"""Tests of protection against strangers on the network and malicious names."""

import csv
import io
import json
from base64 import b64encode
from itertools import product
from pathlib import Path

import pytest
from flask import Flask, url_for

from companion.log.plans import RepairPlan
from companion.rendering import pdf
from scoring.games import GAMES
from scoring.trails.moves.hiking import Hike
from tests.support import timeline_addresses
from tests.support.invariants import IS_THOROUGH, sample_size
from tests.support.log_builder import leaf_edit
from tests.support.page_parser import Page, parse_page
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import unpack_pdf
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.table_states import FILE_PAGES, PUBLIC_PAGES, SEAT_PAGES, STATES

pytestmark = pytest.mark.slow("every page of tables in every state")

# Forms.


def post_addresses(app: Flask) -> list[str]:
    """Return every address that accepts a form."""
    parts = {
        "code": "BCDFG",
        "seat": 0,
        "key": "trails",
        "plan": RepairPlan("4", 1).encode(),
        "id": 1,
        "change": "stop",
    }
    with app.test_request_context():
        return [
            url_for(rule.endpoint, **{name: parts[name] for name in rule.arguments})
            for rule in app.url_map.iter_rules()
            if "POST" in rule.methods
        ]


def test_no_form_is_taken_without_a_token_of_our_own_page(app: Flask, phone: Phone):
    addresses = post_addresses(app)
    assert {"/join", "/new/trails", "/t/BCDFG/sit", "/t/BCDFG/seat/0/play"} < set(addresses)
    assert phone.token  # the page has also set the cookie
    for address, token in product(addresses, ("", "forged", Phone(app).token)):
        answer = phone.http.post(address, data={"csrf_token": token, "tap": "tap"})
        assert answer.status_code == 400, address
        assert "This page is out of date" in answer.text


def test_get_requests_change_nothing(table_of_two: SeatedTable):
    """Links can be followed by anything that previews them."""
    table_of_two.play(0, Hike(2))
    addresses = timeline_addresses.seat_addresses(table_of_two.table, 0, [(1, Hike(1))])
    for path in (*SEAT_PAGES, *PUBLIC_PAGES, *FILE_PAGES, *addresses):
        table_of_two.phone(0).get(f"{table_of_two.path}/{path}".rstrip("/"))
    forms = ("play", "right", "step", "asks", "answer")
    plans = [path for path in addresses if "mend/" in path and not path.endswith("/now")]
    sent = [f"{plan}/{form}" for plan in plans for form in ("play", "right", "ask")]
    for path in ("sit", "stand", "answer", *(f"seat/0/{form}" for form in forms), *sent):
        assert (
            table_of_two.phone(0).get(f"{table_of_two.path}/{path}?seat=0&yes=1&take_back=4&consent=trust").status_code
            == 303
        ), path
    assert table_of_two.table.version == 4


def test_every_form_on_every_page_has_a_token_and_a_tap(every_page: list[tuple[str, str, Page]]):
    forms = [(path, form) for path, _, page in every_page for form in page.forms if form.method == "post"]
    assert len(forms) > 50
    for path, form in forms:
        assert "csrf_token" in form.default_values, f"{path} {form.action}"
        assert ("tap" in form.default_values) is ("/t/" in form.action or "setup" in path), f"{path} {form.action}"


# Headers and caches.


def test_a_phones_id_is_in_no_page(every_page: list[tuple[str, str, Page]], app: Flask):
    ids = {row[0] for row in app.extensions["waymark"].store.db.execute("SELECT DISTINCT device FROM entries")}
    assert ids and not [path for path, text, _ in every_page for id in ids if id in text]


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


@pytest.mark.parametrize("path", ["/", "/nowhere", "/about", "/rules/trails", "/t/BCDFG", "/static/css/waymark.css"])
def test_every_answer_says_what_a_browser_may_do_with_it(phone: Phone, path: str):
    with phone.get(path) as answer:
        policy = dict(rule.strip().split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'self'" and "script-src" not in policy and "style-src" not in policy
        assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert policy["form-action"] == "'self'" and policy["img-src"] == "'self' data:"
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_pages_are_not_cached_and_files_with_a_hash_are(table_of_two: SeatedTable):
    for path in (*SEAT_PAGES, *PUBLIC_PAGES, "seat/0/now?have=3", "seat/1"):
        assert (
            table_of_two.phone(0).get(f"{table_of_two.path}/{path}".rstrip("/")).headers["Cache-Control"] == "no-store"
        )
    assert table_of_two.phone(0).post(f"{table_of_two.path}/seat/0/play", {}).headers["Cache-Control"] == "no-store"
    sheet = next(address for address in table_of_two.phone(0).open("/").addresses if "waymark.css?v=" in address)
    with table_of_two.phone(0).get(sheet) as answer:
        assert "max-age=31536000" in answer.headers["Cache-Control"]


# Inline code and names.


SNAPSHOT_COUNT = sample_size(3)  # steps of the timeline whose pages are read


@pytest.fixture(scope="module")
def every_page(shared_app: Flask) -> list[tuple[str, str, Page]]:
    """Return every page of tables in every state for its own phone and a stranger.

    :returns: the path, the source and the parsed page of each.
    """
    pages = []
    for named, reach in STATES.items():
        table, stranger = reach(shared_app), Phone(shared_app)
        own = timeline_addresses.seat_addresses(
            table.table, 0, max_steps=1000 if named == "mended" and IS_THOROUGH else SNAPSHOT_COUNT
        )
        everybodys = timeline_addresses.public_addresses(table.table, max_steps=SNAPSHOT_COUNT)
        for phone, paths in (
            (table.phone(0), (*SEAT_PAGES, *PUBLIC_PAGES, *own)),
            (stranger, (*PUBLIC_PAGES, *everybodys)),
        ):
            for path in paths:
                answer = phone.get(f"{table.path}/{path}".rstrip("/"))
                assert answer.status_code == 200, f"{named}: {path}"
                pages.append((f"{named}: {path}", answer.text, parse_page(answer.text)))
    games = [f"/{page}/{game}" for page in ("new", "rules") for game in GAMES]
    boxes = [f"/box/{key}" for key, game in ((key, game.box) for key, game in GAMES.items()) if game.card_facts]
    for path in ("/", "/about", *games, *boxes, "/rules/trails/bear-die", "/nowhere"):
        text = Phone(shared_app).get(path).text
        pages.append((path, text, parse_page(text)))
    return pages


def test_no_page_has_inline_script_or_style(every_page: list[tuple[str, str, Page]]):
    for path, _, page in every_page:
        for tag, attributes in page.tags:
            assert tag not in ("style", "base", "object", "embed", "iframe"), path
            assert tag != "script" or attributes["src"].startswith("/static/"), path
            wrong = [
                name for name in attributes if name.startswith("on") or name in ("style", "hx-on", "hx-vals", "srcdoc")
            ]
            assert wrong == [], f"{path}: {tag} {wrong}"


def test_no_page_links_to_another_site(every_page: list[tuple[str, str, Page]]):
    for path, _, page in every_page:
        assert [address for address in page.addresses if address[0] not in "/#?"] == [], path


def test_every_id_of_a_page_is_unique(every_page: list[tuple[str, str, Page]]):
    for path, _, page in every_page:
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        assert len(ids) == len(set(ids)), f"{path}: {sorted(id for id in ids if ids.count(id) > 1)}"


@pytest.mark.long("every link of every page")
def test_every_link_of_every_page_is_answered(every_page: list[tuple[str, str, Page]], app: Flask):
    forms = {form.action for _, _, page in every_page for form in page.forms if form.method == "post"}
    links = {address.partition("#")[0] for _, _, page in every_page for address in page.addresses}
    addresses = {link for link in links - forms if link and not link.endswith(("/live", ".pdf", "paper=letter"))}
    addresses = {link for link in addresses if not link.startswith("?")}  # the same page with choices for a tile
    assert len([link for link in addresses if link.startswith("/rules/")]) > 10
    visiting_phone = Phone(app)
    for link in sorted(addresses):
        with visiting_phone.get(link) as answer:
            assert answer.status_code in (200, 204, 303), link


def test_every_anchor_link_has_its_target(every_page: list[tuple[str, str, Page]]):
    def ids_on(page: Page) -> set[str | None]:
        return {attributes.get("id") for _, attributes in page.tags}

    around = set().union(*(ids_on(page) for path, text, page in every_page if "<html" in text and ": seat/" in path))
    for path, text, page in every_page:
        ids = ids_on(page) if "<html" in text else ids_on(page) | around  # a fragment is part of a page
        inner = {
            address[1:] for tag, attributes in page.tags if (address := attributes.get("href", "")).startswith("#")
        }
        assert inner <= ids | {""}, f"{path}: {inner - ids}"


NASTY_NAMES = [
    ("<script>alert(1)</script>", "</title><h1>Bo"),
    ('"><img src=x onerror=a()>', "' onmouseover='a()"),
    ("{{ 7*7 }}{% raise %}", "${7*7}<%= 7 %>"),
    ("&lt;b&gt;&amp;&#60;", "javascript:alert(1)"),
    ("\u202eanA\u202c", "\U0001f43b\u200d\u2744\ufe0f\u0301\u0301"),
    ("=1+1", "@SUM(A1)"),
    ("+1", "-1"),
    ("\u05e2\u05e0\u05d4 <b>", "]]><!--"),
    ("\ufeffA\u200bB", "\u00ad\u2066B"),
]


@parametrize_cases("names", NASTY_NAMES, ids=repr)
def test_names_are_shown_as_text_everywhere(app: Flask, names: tuple[str, str]):
    table = open_seated_table(app, *names)
    assert table.table.names == names
    plain = open_seated_table(app, "Ana", "Bo")
    for each in (table, plain):
        each.play(0, Hike(2))
        each.submit(1, "play", {"move": json.dumps(leaf_edit(0, 2))})
    paths_with_names, paths = (
        set(),
        (*SEAT_PAGES, *PUBLIC_PAGES, *timeline_addresses.seat_addresses(table.table, 0, [(1, Hike(1))])),
    )
    for path in paths:
        page, plain_page = (each.phone(0).open(f"{each.path}/{path}".rstrip("/")) for each in (table, plain))
        assert tag_attributes(page) == tag_attributes(plain_page), path
        paths_with_names |= {
            path for name in names if name in page.text + " ".join(page.values("setup.players.0.name"))
        }
    assert paths_with_names == {*paths}


def tag_attributes(page: Page) -> list[tuple[str, list[str]]]:
    """Return the tags of a page with the names of their attributes, which no name may change.

    A long name on paper has a class, which sets it smaller.
    """
    return [(tag, [name for name in attributes if (tag, name) != ("bdi", "class")]) for tag, attributes in page.tags]


@parametrize_cases("names", NASTY_NAMES, ids=repr)
def test_names_are_unchanged_in_exported_files(app: Flask, names: tuple[str, str]):
    table = open_seated_table(app, *names, game="trails-tally")
    table.submit(0, "play", {"move.type": "add-badge", "move.badge": "science"})
    data = json.loads(table.phone(0).get(f"{table.path}/score.json").text)
    assert [player["name"] for player in data["players"]] == list(names)
    assert table.phone(0).get(f"{table.path}/score.pdf").data.startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_spreadsheet_reads_no_formula(app: Flask, name: str):
    table = open_seated_table(app, name, "Bo", game="trails-tally")
    table.submit(0, "play", {"move.type": "add-badge", "move.badge": "science"})
    rows = list(csv.reader(io.StringIO(table.phone(0).get(f"{table.path}/score.csv").text)))
    assert rows[1][3:] == [f"'{name}", "", "badges", "Science", "3", "3 points printed on the badge.", "science"]


# Resources in PDFs.


@pytest.mark.parametrize(
    "address", ["{file}", "file://{file}", "http://192.0.2.1/x.svg", "data:image/svg+xml;base64,{data}"]
)
def test_pdf_rendering_loads_no_files_or_addresses(tmp_path: Path, address: str):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z" fill="#123456"/></svg>'
    file = tmp_path / "x.svg"
    file.write_text(svg)
    source = f'<img src="{address.format(file=file, data=b64encode(svg.encode()).decode())}">'
    assert PDF_INK not in unpack_pdf(pdf.render_pdf(source, "a4"))
    assert PDF_INK in unpack_pdf(pdf.render_pdf(svg, "a4"))


PDF_INK = b"0.070588 0.203922 0.337255 rg"  # the color of the picture above


def test_wrong_method_is_refused_with_the_allowed_methods(phone: Phone):
    answer = phone.http.put("/")
    assert answer.status_code == 405 and "GET" in answer.headers["Allow"]
