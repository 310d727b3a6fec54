"""Tests of PDF output: each sheet and pad is one complete page of A4 or Letter."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from companion.rendering import pdf, print_pages
from companion.rendering.pdf import PdfUnavailableError
from companion.rendering.print_pages import PrintPage
from scoring.document import read_final_position
from scoring.games import GAMES, TRACKED_GAMES
from scoring.trails.box import BADGES
from tests.support import pdf_content
from tests.support.parametrize import parametrize_cases
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.ready_setups import ready_setup
from tests.support.table_states import STATES, at_the_end

pytestmark = pytest.mark.slow("prints many PDFs")

PAPERS = {"a4": (595, 842), "letter": (612, 792)}
NAMES = [letter * 40 for letter in "WMQ\u05e9"]
CARDS = [badge.id for badge in BADGES.values() for _ in range(badge.copies)]
FULL_DOCUMENT = {
    "game": "trails",
    # House rules that differ from the default.
    "rulings": {ruling.id: ruling.options[-1].id for ruling in TRACKED_GAMES["trails"].box.rulings},
    "players": [
        {"name": name, "badges": CARDS[12 * seat : 12 * seat + 12], "photos": [{"points": 2, "birds": 2}] * 8}
        for seat, name in enumerate(NAMES)
    ],
}


def sheet_html(document: dict, size: str) -> str:
    return print_pages.render_html("print/sheet.html", size, page=print_pages.print_page_of_file(document))


def unclipped_boxes(box: Any) -> Iterator[Any]:
    """Yield the boxes inside a box, except the contents of those that clip their overflow."""
    for child in getattr(box, "children", ()):
        yield child
        if child.style["overflow"] != "hidden":
            yield from unclipped_boxes(child)


@parametrize_cases("size", PAPERS)
def test_fullest_sheet_is_one_page_with_every_line_inside_it(size: str):
    """Four players have long names, all badges, eight photos each and every house rule."""
    html = sheet_html(FULL_DOCUMENT, size)
    (page,) = pdf.lay_out(html, size).pages
    assert (round(page.width * 0.75), round(page.height * 0.75)) == PAPERS[size]
    box = pdf_content.page_box(page)
    for each in unclipped_boxes(box):
        assert each.position_y + each.height <= box.margin_height() - box.margin_bottom + 0.5
        assert each.position_x >= 0 and each.position_x + each.width <= box.margin_width() + 0.5
    data = pdf.render_pdf(html, size)
    assert data.startswith(b"%PDF-") and pdf_content.page_count(data) == 1
    assert all(text in html for text in [*NAMES, "Climber (rock)", "8 photos", "Bird Trophy", "House rule:"])


# players, letters of the longest name, badges and photos each, house rules, with the picture of the table
CROWDED = [
    (2, 3, 0, 8, 8, True),
    (2, 14, 7, 8, 8, False),
    (2, 40, 3, 0, 8, False),
    (3, 3, 5, 8, 8, False),
    (3, 40, 0, 8, 0, True),
    (4, 14, 3, 0, 8, True),
    (4, 25, 10, 8, 0, True),
    (4, 40, 0, 8, 0, False),
]


@parametrize_cases("size", PAPERS)
@parametrize_cases(("players", "letters", "badges", "photos", "rulings", "picture"), CROWDED)
def test_crowded_sheet_is_scaled_down_to_one_page(size, players, letters, badges, photos, rulings, picture):
    game, names = GAMES["trails"].box, [name[:letters] for name in NAMES[:players]]
    document = {
        "game": "trails",
        "rulings": {ruling.id: ruling.options[-1].id for ruling in game.rulings[:rulings]},
        "players": [
            {"name": name, "badges": CARDS[badges * seat : badges * (seat + 1)], "photos": [{"points": 1}] * photos}
            for seat, name in enumerate(names)
        ],
    }
    view = {True: TRACKED_GAMES["trails"].initial_state(ready_setup(names)), False: None}[picture]
    game, final = read_final_position(document)
    colors = tuple(game.pieces.colors) if game.pieces else ()
    page = PrintPage(game, game.key, game.score(final), True, "2026-01-02", "BCDFG", view, final, piece_colors=colors)
    assert len(pdf.lay_out(print_pages.render_html("print/sheet.html", size, page=page), size).pages) == 1


def test_sheet_longer_than_any_page_gets_the_smallest_text():
    sheet = f'<body>{pdf.SHEET_MARK}">{"<p style=height:300pt>line" * 80}</section>'
    assert pdf.ROLL_HEIGHT < 80 * 300
    assert pdf.fit_sheet(sheet, "a4") == (pdf.MIN_FONT_SIZE, pdf.MIN_FONT_SIZE * pdf.MIN_SPACING)


@parametrize_cases("size", PAPERS)
@parametrize_cases("game", GAMES)
def test_pad_is_one_page(game: str, size: str):
    (page,) = pdf.lay_out(print_pages.render_html("print/pad.html", size, game=GAMES[game].box), size).pages
    assert (round(page.width * 0.75), round(page.height * 0.75)) == PAPERS[size]


MAP_PAGES = {"map game with lakes": 1, "map game at the end": 1}  # four maps with tiles of 6 mm need their own page


@parametrize_cases("state", STATES)
def test_sheet_of_a_table_is_one_page_in_any_state_without_its_maps(app: Flask, state: str):
    table = STATES[state](app)
    data = table.phone(0).get(f"{table.path}/score.pdf").data
    assert data.startswith(b"%PDF-") and pdf_content.page_count(data) == 1 + MAP_PAGES.get(state, 0)


@parametrize_cases("size", PAPERS)
def test_sheet_of_a_whole_game_with_long_names_is_one_page(app: Flask, size: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.support.table_states.NAMES", tuple(NAMES))
    table = at_the_end(app)
    data = table.phone(0).get(f"{table.path}/score.pdf?paper={size}").data
    assert pdf_content.page_count(data) == 1


def test_sheet_names_its_table_and_status_and_the_winner_once(score_entry_table: SeatedTable):
    page = score_entry_table.phone(0).open(f"{score_entry_table.path}/print")
    assert "The game is not over yet." in page.text and score_entry_table.code in page.text
    for seat in (0, 1):
        score_entry_table.submit(seat, "play", {"move": '{"type":"done"}'})
    page = score_entry_table.phone(0).open(f"{score_entry_table.path}/print")
    assert "The game is not over yet." not in page.text and page.text.count("Ana and Bo share") == 1
    assert "version" not in page.text and "unofficial" in page.text


def test_names_on_a_sheet_are_escaped(app: Flask):
    table = open_seated_table(app, "<b>&amp;", '"><script>', game="trails-tally")
    html = sheet_html({"game": "trails", "players": [{"name": name} for name in table.table.names]}, "a4")
    assert "<script>" not in html and "&lt;b&gt;&amp;amp;" in html
    assert pdf_content.page_count(pdf.render_pdf(html, "a4")) == 1


@pytest.fixture
def forget_weasyprint() -> None:
    """Clear the cached WeasyPrint module before and after the test."""
    memories = (pdf._load_weasyprint, pdf._check_weasyprint)
    for cached in memories:
        cached.cache_clear()
    yield
    for cached in memories:
        cached.cache_clear()


def test_printing_without_weasyprint_is_refused_with_a_hint(
    table_of_two: SeatedTable, forget_weasyprint: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    assert not pdf.can_print()
    with pytest.raises(PdfUnavailableError, match="PDFs need WeasyPrint and Pango"):
        pdf.render_pdf("<p>", "a4")
    assert table_of_two.phone(0).get(f"{table_of_two.path}/score.pdf").status_code == 501
    assert "Any browser can print" in table_of_two.phone(0).open(f"{table_of_two.path}/score").text
    assert table_of_two.phone(0).get(f"{table_of_two.path}/print").status_code == 200


class MissingPango:
    """An import hook that finds WeasyPrint but not the libraries it draws with."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")


def test_printing_without_pango_is_refused(forget_weasyprint: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.setattr(sys, "meta_path", [MissingPango(), *sys.meta_path])
    assert not pdf.can_print()


def test_printing_is_possible_where_weasyprint_is_installed():
    assert pdf.can_print()
