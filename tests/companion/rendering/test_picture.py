"""The picture of a result: alone it is whole, everything said is in it, and no word is wider than its room."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.history.result import Part, Result, sheet_of
from companion.log.entries import day
from companion.pages import pages
from companion.rendering import picture, print_pages
from companion.rendering.picture import (
    DISPLAY,
    EDGE,
    FOOT,
    NAME,
    TEXT,
    WIDTH,
    Line,
    fitting,
    places,
    svg,
    width,
    wrapped,
)
from companion.rendering.print_pages import PrintPage
from companion.service.referee import Referee
from scoring.games import GAMES
from tests.support.cases import cases
from tests.support.finished_tables import counted, instance, played

NAMES = ("Ana", "W" * 40, "\u05e9\u05e8\u05d4", "<b>&", "Maximiliana-Theodora von Hohenzollern")
FEWEST_AND_MOST = [
    (game.box.key, seats) for game in GAMES.values() for seats in sorted({game.box.seats[0], game.box.seats[-1]})
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    there = instance(tmp_path)
    yield there
    there.store.db.conn.close()


def page_of(table) -> PrintPage:
    return print_pages.of_table(pages.sheet_page(table, "", True))


def words(drawn: str) -> list[str]:
    return ["".join(each.itertext()) for each in ElementTree.fromstring(drawn).iter(f"{SVG}text")]


@cases(("game", "seats"), FEWEST_AND_MOST)
def test_a_whole_game_is_a_picture_with_every_player_and_total_and_the_table_as_it_lay(
    referee: Referee, game: str, seats: int
):
    table = played(referee, game, *NAMES[:seats])
    drawn = svg(page_of(table))
    said = words(drawn)
    assert table.play.box.title in said and day(table.steps[-1].at) in said
    shown = picture._picture(page_of(table))
    assert [row.place for row in shown.rows] == sorted(column.rank for column in table.sheet.columns)
    if table.play.box.in_points:
        assert sorted(row.figure for row in shown.rows) == sorted(str(column.total) for column in table.sheet.columns)
    assert all(row.name.text in said and (row.figure or row.note) in said for row in shown.rows)
    assert sum(row.won for row in shown.rows) == (
        sum(column.winner for column in table.sheet.columns) if len(shown.rows) > 1 else 0
    )
    assert shown.high > 150 and shown.board + shown.high <= FOOT + 0.1
    assert shown.top + shown.row * len(shown.rows) <= shown.board + 0.1
    boards = [each for each in ElementTree.fromstring(drawn) if each.tag == f"{SVG}svg"]
    assert len(boards) == (
        seats if game == "alpine-trails" else 2 if game == "on-the-trail" and len(table.state.legs) > 11 else 1
    )


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.tally])
def test_what_was_only_scored_is_a_picture_too(referee: Referee, game: str):
    names = NAMES[: GAMES[game].box.seats[-1]]
    assert words(svg(page_of(counted(referee, *names, game=game))))[1]


def test_a_result_of_which_only_points_are_known_is_a_picture_of_those():
    result = Result("AAAAAA", "parks", "2026-01-02", (Part("Ana", 30, 1, True), Part("Bo", 20, 2)))
    box = result.box
    said = words(svg(PrintPage(box, box.key, sheet_of(result), True, result.date, "", box.version, None, None)))
    assert {"PARKS", "Ana wins", "30", "20", "2026-01-02"} <= set(said)


@pytest.mark.parametrize("names", [NAMES[:2], ("W" * 40, "M" * 40), ("\u674e" * 40, "i" * 40)])
def test_no_word_is_wider_than_its_room(referee: Referee, names: tuple[str, str]):
    shown = picture._picture(page_of(played(referee, "trails", *names)))
    room = WIDTH - 2 * EDGE
    assert width(shown.winner.text, DISPLAY, shown.winner.size) <= room + 1
    assert all(width(line, TEXT, 34) <= room + 1 for line in shown.verdict)
    for row in shown.rows:
        assert 150 + width(row.name.text, TEXT, row.name.size) <= 996 - width(row.figure, DISPLAY, 56)


def test_words_are_as_wide_as_the_font_draws_them():
    one, other = width("W", DISPLAY, 100), width("i", DISPLAY, 100)
    assert 60 < one < 120 and 15 < other < 45 and width("WW", DISPLAY, 50) == pytest.approx(one)
    assert width("\u674e", TEXT, 10) == 10  # what the font has not is taken for a square


def test_letters_of_the_picture_stand_as_close_as_the_font_wants():
    for font in (DISPLAY, TEXT):
        start, end = map(float, places(60, Line("Tr", 100), font).split())
        assert 0 < end - start < width("T", font, 100) - 1
    assert places(60, Line("\u674e\u674e", 100), TEXT) == "60"  # drawn by another font


def test_words_that_do_not_fit_are_set_smaller_and_then_cut_short():
    assert fitting("Ana", TEXT, NAME, 500).size == NAME
    smaller = fitting("W" * 20, TEXT, NAME, 700)
    assert smaller.text == "W" * 20 and smaller.size < NAME
    short = fitting("W" * 40, TEXT, NAME, 200)
    assert short.text.endswith("\u2026") and width(short.text, TEXT, short.size) <= 200


def test_a_sentence_is_broken_between_words():
    lines = wrapped("Ana and Bo share the victory with 30 points each", TEXT, 34, 400)
    assert len(lines) > 1 and " ".join(lines) == "Ana and Bo share the victory with 30 points each"
    assert all(width(line, TEXT, 34) <= 400 for line in lines)


def test_names_are_text_and_only_alone_are_its_fonts_in_it(referee: Referee):
    page = page_of(counted(referee, "<script>", "Bo"))
    drawn = svg(page)
    assert "<script>" not in drawn and "&lt;script&gt;" in drawn and drawn.count("@font-face") == 3
    assert "@font-face" not in svg(page, alone=False)
