"""Tests of the picture of a result: self-contained, complete, and with text that fits."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from xml.etree import ElementTree

import pytest

from companion.history.result import PlayerResult, Result, sheet_of
from companion.log.entries import format_date, local_date
from companion.pages import sheet as sheet_pages
from companion.rendering import pdf, picture, print_pages, text_size
from companion.rendering.picture import BOARD_BOTTOM, MARGIN, NAME_SIZE, WIDTH, WINNER_SIZE, svg
from companion.rendering.print_pages import PrintPage
from companion.rendering.text_size import DISPLAY_FONT, TEXT_FONT, FittedText, fit_text, text_width, wrap_text
from companion.service.referee import Referee
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from tests.support.finished_tables import open_instance, random_game_table, scored_table
from tests.support.parametrize import parametrize_cases

NAMES = ("Ana", "W" * 40, "\u05e9\u05e8\u05d4", "<b>&", "Maximiliana-Theodora von Hohenzollern", "Fay", "M" * 40)
FEWEST_AND_MOST = [
    (game.box.key, seats)
    for game in GAMES.values()
    for seats in sorted({game.box.player_counts[0], game.box.player_counts[-1]})
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    opened = open_instance(tmp_path)
    yield opened
    opened.store.db.conn.close()


def picture_page(table) -> PrintPage:
    return print_pages.print_page_of_table(sheet_pages.sheet_page(table, "", True))


def picture_words(image: str) -> list[str]:
    return ["".join(item.itertext()) for item in ElementTree.fromstring(image).iter(f"{SVG}text")]


@parametrize_cases(("game", "seats"), FEWEST_AND_MOST)
def test_picture_of_a_whole_game_shows_every_player_and_the_final_table(referee: Referee, game: str, seats: int):
    table = random_game_table(referee, GAMES[game].tracked_games[0].key, *NAMES[:seats])
    image = svg(picture_page(table))
    texts = picture_words(image)
    assert table.tracked.box.title in texts and format_date(local_date(table.steps[-1].created_at)) in texts
    layout = picture._lay_out(picture_page(table))
    assert [row.place for row in layout.rows] == sorted(column.rank for column in table.sheet.columns)
    if table.tracked.box.has_points:
        assert sorted(row.total for row in layout.rows) == sorted(str(column.total) for column in table.sheet.columns)
    assert all(row.name.text in texts and (row.total or row.note) in texts for row in layout.rows)
    assert sum(row.is_winner for row in layout.rows) == (
        sum(column.winner for column in table.sheet.columns) if len(layout.rows) > 1 else 0
    )
    assert all(f'fill="{color}"' in image for color in table.tracked.box.picture_colors)
    has_picture = (CHECKOUT / "templates" / game / "_picture.svg").exists()
    assert (layout.board_height > 150) == has_picture and layout.board_top + layout.board_height <= BOARD_BOTTOM + 0.1
    assert layout.rows_top + layout.row_height * len(layout.rows) <= layout.board_top + 0.1
    boards = [each for each in ElementTree.fromstring(image) if each.tag == f"{SVG}svg"]
    if game == "alpine-trails":
        assert len(boards) == seats
    elif game == "on-the-trail":
        assert len(boards) == (2 if len(table.state.legs) > 11 else 1)
    else:
        assert len(boards) == has_picture


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.score_entry])
def test_picture_of_a_score_entry_is_drawn(referee: Referee, game: str):
    names = NAMES[: GAMES[game].box.player_counts[-1]]
    assert picture_words(svg(picture_page(scored_table(referee, *names, game=game))))[1]


def test_picture_of_a_result_with_only_points_shows_the_points():
    result = Result("AAAAAA", "parks", "2026-01-02", (PlayerResult("Ana", 30, 1, True), PlayerResult("Bo", 20, 2)))
    box = result.box
    texts = picture_words(svg(PrintPage(box, box.key, sheet_of(result), True, result.date, "", None, None)))
    assert {"PARKS", "Ana wins with 30 points.", "30", "20", "2 Jan 2026"} <= set(texts)


def test_picture_of_a_result_with_unknown_points_shows_a_dash():
    result = Result(
        "AAAAAA", "parks", "2026-01-02", (PlayerResult("Ana", 0, 1, True, unscored=True), PlayerResult("Bo", 0, 2))
    )
    page = PrintPage(result.box, "parks", sheet_of(result), True, result.date, "", None, None)
    texts = picture_words(svg(replace(page, seats_without_points=frozenset({0}))))
    assert "\u2013" in texts and texts.count("0") == 1


def test_picture_names_the_winner_of_a_tie_once():
    verdict = "Ana and Bo are tied at 3 points. Ana wins by most parks: 2 against Bo 1."
    players = (PlayerResult("Ana", 3, 1, True), PlayerResult("Bo", 3, 2))
    result = Result("AAAAAA", "parks", "2026-01-02", players, verdict=verdict)
    texts = picture_words(svg(PrintPage(result.box, "parks", sheet_of(result), True, result.date, "", None, None)))
    assert texts[1:3] == ["Ana wins by most parks: 2 against Bo 1.", "Ana and Bo are tied at 3 points."]


@pytest.mark.parametrize("names", [NAMES[:2], ("W" * 40, "M" * 40), ("\u674e" * 40, "i" * 40)])
def test_text_of_a_picture_fits_its_space(referee: Referee, names: tuple[str, str]):
    layout = picture._lay_out(picture_page(random_game_table(referee, "trails", *names)))
    max_width = WIDTH - 2 * MARGIN
    assert all(text_width(line.text, DISPLAY_FONT, line.size) <= max_width + 1 for line in layout.winner)
    assert 1 <= len(layout.winner) <= 2 and layout.winner[0].size >= WINNER_SIZE / 2
    assert all(text_width(line.text, TEXT_FONT, 34) <= max_width + 1 for line in layout.verdict)
    for row in layout.rows:
        assert 150 + text_width(row.name.text, TEXT_FONT, row.name.size) <= 996 - text_width(
            row.total, DISPLAY_FONT, 56
        )


def test_breakdown_that_does_not_fit_ends_with_whole_parts():
    parts = ["Fall bonus 13", "Parks 25", "Photos 12"]
    widths = [text_width(", ".join(parts), TEXT_FONT, 22), text_width("Fall bonus 13, Parks 25, \u2026", TEXT_FONT, 22)]
    assert picture._fit_parts(parts, widths[0] + 1).text == "Fall bonus 13, Parks 25, Photos 12"
    assert picture._fit_parts(parts, widths[0] - 1).text == "Fall bonus 13, Parks 25, \u2026"
    assert picture._fit_parts(parts, widths[1] - 1).text == "Fall bonus 13, \u2026"
    assert picture._fit_parts([], 100).text == picture._fit_parts(parts, 10).text == ""


def test_verdict_longer_than_two_lines_ends_with_an_ellipsis():
    lines = picture._two_lines("Ana and Bo are tied. " * 12, TEXT_FONT, 34, 900)
    assert len(lines) == 2 and lines[0].text.endswith(("tied.", "Ana", "and", "Bo", "are"))
    assert lines[1].text.endswith("\u2026")


@parametrize_cases(("game", "seats"), FEWEST_AND_MOST)
def test_words_of_the_png_are_not_torn_apart(referee: Referee, game: str, seats: int):
    # WeasyPrint sets the letters of a line in an SVG without kerning, unless each has its place.
    names = ("Toy Wallis", "Ava Tyrell", "VAV Tolstoy", "Yvo", "To", "Tea", "P. T.")[:seats]
    image = svg(picture_page(random_game_table(referee, GAMES[game].tracked_games[0].key, *names)), embeds_fonts=False)
    drawn, _, moved = pdf._lines_as_html(image).partition('<div style="position:absolute')
    lines = [item for item in ElementTree.fromstring(drawn).iter(f"{SVG}text") if item.get("class") == "line"]
    assert lines and all(len(item.get("x", "").split()) == len(item.text or "") for item in lines)
    if game == "alpine-trails":
        assert all(f">{name}<" in moved for name in names)


def test_text_width_matches_the_font():
    wide, narrow = text_width("W", DISPLAY_FONT, 100), text_width("i", DISPLAY_FONT, 100)
    assert 60 < wide < 120 and 15 < narrow < 45 and text_width("WW", DISPLAY_FONT, 50) == pytest.approx(wide)
    assert text_width("\u674e", TEXT_FONT, 10) == 10  # a character that the font lacks counts as a square


def test_letters_of_a_picture_are_kerned():
    for font in (DISPLAY_FONT, TEXT_FONT):
        start, end = map(float, FittedText("Tr", 100, font).positions(60).split())
        assert 0 < end - start < text_width("T", font, 100) - 1
    assert FittedText("\u674e\u674e", 100, TEXT_FONT).positions(60) == "60"  # drawn by another font


def test_letters_are_measured_in_several_threads_at_once():
    for function in (text_size._font, text_size._advances, text_size._kerning_tables, text_size._kerning):
        function.cache_clear()
    barrier, interval = Barrier(8), sys.getswitchinterval()

    def positions(_: int) -> str:
        barrier.wait()
        return FittedText("AVATAR wins with 101 points.", 80, picture.DISPLAY_FONT).positions(0)

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(positions, range(8)))) == 1
    finally:
        sys.setswitchinterval(interval)


def test_text_that_does_not_fit_is_set_smaller_and_then_shortened():
    assert fit_text("Ana", TEXT_FONT, NAME_SIZE, 500).size == NAME_SIZE
    smaller = fit_text("W" * 20, TEXT_FONT, NAME_SIZE, 700)
    assert smaller.text == "W" * 20 and smaller.size < NAME_SIZE
    short = fit_text("W" * 40, TEXT_FONT, NAME_SIZE, 200)
    assert short.text.endswith("\u2026") and text_width(short.text, TEXT_FONT, short.size) <= 200


def test_sentence_is_wrapped_between_words():
    lines = wrap_text("Ana and Bo share the victory with 30 points each", TEXT_FONT, 34, 400)
    assert len(lines) > 1 and " ".join(lines) == "Ana and Bo share the victory with 30 points each"
    assert all(text_width(line, TEXT_FONT, 34) <= 400 for line in lines)


def test_names_in_a_picture_are_escaped_and_fonts_only_in_its_file(referee: Referee):
    page = picture_page(scored_table(referee, "<script>", "Bo"))
    image = svg(page)
    assert "<script>" not in image and "&lt;script&gt;" in image and image.count("@font-face") == 3
    assert "@font-face" not in svg(page, embeds_fonts=False)
