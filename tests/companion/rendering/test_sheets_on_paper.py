"""Tests that printed sheets fill their pages in readable sizes and show names in any script.

`python -m pytest tests/companion/rendering/test_sheets_on_paper.py -s` prints the measured sizes.
"""

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

import msgspec
import pypdfium2
import pytest
from flask import Flask
from PIL import ImageChops

from companion.rendering import pdf, print_pages
from companion.rendering.pdf import PAPER_SIZES, POINTS_PER_PIXEL
from companion.rendering.print_pages import PrintPage, SheetLayout
from companion.system.paths import CHECKOUT
from scoring.games import GAMES
from scoring.parks.score_entry import CountGear, CountPark, CountPassion
from tests.support import pdf_content
from tests.support.finished_tables import random_game_table
from tests.support.long_names import NAMES_OF_TWENTY_LETTERS
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import filled_share, page_box
from tests.support.phones import Phone, open_seated_table
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup
from tests.support.table_states import SEED, at_the_end, on_one_phone, play_moves

pytestmark = pytest.mark.slow("prints PDFs")

NAMES = ("Ana", "Bo", "Cyprian", "Dimitra", "Ed", "Fay", "Gustav")
EVERY = [(game.box.key, seats) for game in GAMES.values() for seats in game.box.player_counts]
FEWEST_AND_MOST = [
    (game.box.key, seats)
    for game in GAMES.values()
    for seats in (game.box.player_counts[0], game.box.player_counts[-1])
]
WORDS = 8.0  # pt: the smallest text on the sheet of a default game
LARGE = 13.5  # pt: a page set in letters of this size need not be full
TRAIL_NUMBER = 7.0  # pt: the smallest number in the picture of a trail
MILES = 6.0  # pt: the smallest number on a tile of a map
MIN_FILLED = 0.9  # of the page between its margins


def random_game_sheet(game: str, names: tuple[str, ...]) -> PrintPage:
    """Return the sheet of a whole random game."""
    tracked = GAMES[game].tracked_games[0]
    view = tracked.view(random_game(tracked, ready_setup(list(names), tracked.key), random.Random(SEED)), None)
    final = tracked.final_position(view)
    colors = tuple(tracked.pieces.colors) if tracked.pieces else ()
    return PrintPage(
        tracked.box, game, tracked.box.score(final), True, "2026-01-02", "BCDFG", view, final, piece_colors=colors
    )


def sheet_html(page: PrintPage, size: str = "a4") -> str:
    return print_pages.render_html("print/sheet.html", size, page=page)


def text_boxes(page) -> list:
    from weasyprint.formatting_structure.boxes import TextBox

    return [box for box in page_box(page).descendants() if isinstance(box, TextBox) and box.text.strip()]


def smallest_font(page, except_for: tuple[str, ...] = ()) -> float:
    """Return the size of the smallest text on a page, in pt.

    :param except_for: texts that do not count, such as names that are set smaller to fit their columns.
    """
    return min(box.style["font_size"] for box in text_boxes(page) if box.text not in except_for) * POINTS_PER_PIXEL


def document_text(document) -> str:
    return " ".join(box.text for page in document.pages for box in text_boxes(page))


def picture_scales(pages: Sequence, html: str) -> list[tuple[float, str]]:
    """Return the size in pt of a unit of each picture on some pages, with the picture."""
    from weasyprint.formatting_structure.boxes import ReplacedBox

    pictures = [found.group() for found in pdf.SVG_PATTERN.finditer(html)]
    wide = [float(re.search(r'viewBox="\S+ \S+ (\S+) ', svg)[1]) for svg in pictures]
    boxes = [box for page in pages for box in page_box(page).descendants() if isinstance(box, ReplacedBox)]
    return [(box.width * POINTS_PER_PIXEL / width, svg) for box, width, svg in zip(boxes, wide, pictures, strict=True)]


@parametrize_cases("names", [("Ana",), ("Ana", "Bo")])
def test_sheet_has_signature_lines_for_people_but_not_the_bot(app: Flask, names: tuple[str, ...]):
    table = random_game_table(app.extensions["waymark"], "on-the-trail", *names)
    for pages in (1, 2):
        text = Phone(app).get(f"/t/{table.code}/print?pages={pages}").text
        signed = text.partition('<table class="sign">')[2].partition("</table>")[0]
        assert re.findall("<bdi>(.*?)</bdi>", signed) == list(names)


@parametrize_cases("size", PAPER_SIZES)
@parametrize_cases(("game", "seats"), EVERY)
def test_sheet_is_one_full_page_in_readable_sizes(game: str, seats: int, size: str):
    html = sheet_html(random_game_sheet(game, NAMES[:seats]), size)
    page, *map_pages = pdf.lay_out(html, size).pages
    assert not map_pages or (game == "alpine-trails" and seats > 2)
    pictures = picture_scales((page, *map_pages), html)
    sizes = [scale * float(each) for scale, svg in pictures for each in re.findall(r'font-size="([\d.]+)"', svg)]
    print(f"{game} {seats} {size}: words {smallest_font(page):.1f} pt, filled {filled_share(page):.0%}", sizes)
    assert smallest_font(page) >= WORDS
    assert filled_share(page) <= 1 and (filled_share(page) >= MIN_FILLED or smallest_font(page) > LARGE)
    assert all(each >= (MILES if game == "alpine-trails" else TRAIL_NUMBER) for each in sizes)
    own = [CHECKOUT / "templates" / game / name for name in ("_print_table.html", "_print_final_position.html")]
    assert bool(pictures) == any(file.exists() for file in own)


def test_crowded_trail_end_has_its_letters_above_the_sign():
    names = ("Ana", "Bo", "Bob", "Dimitra", "Ed")
    sheet = random_game_sheet("parks", names)
    spaces = ((10, 11), (10, 11), (10, 12), (10, 10), (12, 12))
    players = tuple(
        msgspec.structs.replace(player, hikers=hikers)
        for player, hikers in zip(sheet.view.players, spaces, strict=True)
    )
    view = msgspec.structs.replace(sheet.view, players=players, is_over=False)
    image = sheet_html(replace(sheet, view=view))
    letters = re.findall(r'<text[^>]*text-anchor="middle"[^>]*>([A-Za-z ]+)</text>', image)
    assert letters == ["A", "B", "Bb", "E", "E", "A B", "Bb D"]


def parks_sheet(names: tuple[str, ...], park_count: int, passions: tuple[tuple[str | None, str | None], ...]):
    """Return the sheet of a game of PARKS in which each player visited many parks.

    :param passions: the passion and the side of each player.
    """
    page, tracked = random_game_sheet("parks", names), GAMES["parks"].tracked_games[0]
    box = tracked.box.components
    parks, gear = iter(box.PARKS), list(box.all_gear(page.view.facts))[::3]
    players = tuple(
        msgspec.structs.replace(
            player,
            visited=tuple(itertools.islice(parks, park_count)),
            gear=tuple(gear[seat : seat + 4]) if seat else (),
            passion=passion,
            side=side,
        )
        for seat, (player, (passion, side)) in enumerate(zip(page.view.players, passions, strict=True))
    )
    view = msgspec.structs.replace(page.view, players=players)
    final = tracked.final_position(view)
    return replace(page, view=view, final=final, sheet=tracked.box.score(final))


FIVE_PASSIONS = (
    (None, None), ("Botany", "gear"), ("Forestry", "end"), ("Collecting", None), ("Mountaineering", "gear")
)  # fmt: skip


def text_of(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", unescape(html.partition("<body")[2])).split())


@parametrize_cases("layout", [SheetLayout(), SheetLayout(pages=2), SheetLayout(is_half_page=True)])
def test_sheet_of_parks_has_parks_gear_and_passion_of_each_player(layout: SheetLayout):
    sheet = parks_sheet(NAMES[:5], 3, FIVE_PASSIONS)
    html = sheet_html(replace(sheet, layout=layout))
    text, box = text_of(html), sheet.game.components
    for player in sheet.final.players:
        assert all(name in text for name in (*player.parks, *(card for card in player.gear)))
    assert "Gear: none" in text and "Passion: not entered" in text
    assert f"Passion: Botany ({box.PASSIONS['Botany'].gear_text})" in text
    assert f"Passion: Forestry ({box.PASSIONS['Forestry'].end_text})" in text
    assert "Passion: Collecting, goal not met (" in text


def test_peaks_are_the_visited_parks_with_their_points_in_order():
    sheet = parks_sheet(NAMES[:2], 9, FIVE_PASSIONS[:2])
    cells = re.findall(r'aria-label="(\d+) points?">.*?</svg><p[^>]*>([^<]+)</p>', sheet_html(sheet), re.DOTALL)
    assert cells == [(str(park.points), park.name) for player in sheet.final.players for park in player.cards]


def test_park_is_named_once_on_a_single_page():
    sheet = parks_sheet(NAMES[:5], 8, FIVE_PASSIONS)
    assert sheet_html(sheet).count("Congaree") == 1
    assert sheet_html(replace(sheet, layout=SheetLayout(pages=2))).count("Congaree") == 2


@parametrize_cases("layout", [SheetLayout(), SheetLayout(pages=2), SheetLayout(is_half_page=True)])
@parametrize_cases("size", PAPER_SIZES)
def test_five_players_with_eight_parks_each_fit_their_pages(size: str, layout: SheetLayout):
    finished = parks_sheet(NAMES_OF_TWENTY_LETTERS[:5], 8, FIVE_PASSIONS)
    running = replace(finished, view=msgspec.structs.replace(finished.view, is_over=False), is_over=False)
    for sheet in (finished, running):
        html = sheet_html(replace(sheet, layout=layout), size)
        assert len(pdf.lay_out(html, size).pages) == layout.pages
        assert torn_words(html, size) == set()


def test_trail_is_printed_only_while_the_game_is_going_on():
    finished = parks_sheet(NAMES[:2], 1, FIVE_PASSIONS[:2])
    running = replace(finished, view=msgspec.structs.replace(finished.view, is_over=False))
    assert "parks-trail" not in sheet_html(finished) and "parks-trail" in sheet_html(running)


def test_entered_scores_of_parks_show_what_was_entered_and_nothing_else(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks-tally")
    play_moves(table, [(0, CountPark("Acadia")), (0, CountGear("Journal")), (0, CountPassion("Botany", "gear"))])
    text = text_of(table.phone(0).get(f"{table.path}/print").text)
    assert "Gear: Journal" in text and "Passion: Botany (swap a gained Forest for Wildlife)" in text
    assert text.count("No parks visited") == 1 and "Gear: none" not in text and "not entered" not in text


@parametrize_cases(("game", "seats"), [(game, seats) for game, seats in FEWEST_AND_MOST if seats > 2])
def test_sheet_on_two_pages_has_the_lines_on_page_two_and_larger_text(game: str, seats: int):
    page = random_game_sheet(game, NAMES[:seats])
    single, double = sheet_html(page), sheet_html(replace(page, layout=SheetLayout(pages=2)))
    (alone, *small_maps), (table, lines, *large_maps) = pdf.lay_out(single, "a4").pages, pdf.lay_out(double, "a4").pages
    if not small_maps:  # else both have the maps on a page of their own
        assert min(smallest_font(each, NAMES) for each in (table, lines)) >= smallest_font(alone, NAMES)
    assert all(filled_share(each) >= MIN_FILLED or smallest_font(each, NAMES) > LARGE for each in (table, lines))
    small, large = picture_scales((alone, *small_maps), single), picture_scales((table, lines, *large_maps), double)
    assert len(small) == len(large)
    assert not small or min(scale for scale, _ in large) >= min(scale for scale, _ in small)
    text = " ".join(box.text.strip() for box in text_boxes(lines))
    assert all(f"{line.label} {line.because}" in text for column in page.sheet.columns for line in column.lines)


@parametrize_cases(("game", "seats"), FEWEST_AND_MOST)
def test_half_page_sheet_is_printed_twice_without_the_lines(game: str, seats: int):
    sheet = random_game_sheet(game, NAMES[:seats])
    document = pdf.lay_out(sheet_html(replace(sheet, layout=SheetLayout(is_half_page=True))), "a4")
    page, *map_pages = document.pages
    assert not map_pages or game == "alpine-trails"
    heads = [box.position_y for box in text_boxes(page) if box.text == sheet.game.title]
    assert len(heads) == 2 and heads[1] - heads[0] > page_box(page).height * 0.4
    assert 'class="line"' not in sheet_html(replace(sheet, layout=SheetLayout(is_half_page=True)))
    assert all(name in document_text(document) for name in sheet.sheet.winners)


def test_layout_of_a_sheet_follows_the_query_of_its_address(app: Flask):
    table = at_the_end(app)
    phone, path = table.phone(0), f"{table.path}/score.pdf"
    numbers = {
        ask: pdf_content.page_count(phone.get(f"{path}?{ask}").data)
        for ask in ("paper=a4", "pages=2", "form=half", "log=1", "log=0")
    }
    assert numbers.pop("log=1") > 2
    assert numbers == {"paper=a4": 1, "pages=2": 2, "form=half": 1, "log=0": 1}
    assert [phone.get(f"{path}?{ask}").status_code for ask in ("pages=3", "form=third", "log=yes")] == [404] * 3
    page = phone.open(f"{table.path}/score")
    choices = {
        (item["name"], item["value"]) for _, item in page.tags if item.get("name") in ("paper", "pages", "form", "log")
    }
    assert choices == {("paper", "a4"), ("paper", "letter"), ("pages", "2"), ("form", "half"), ("log", "1")}


def test_printed_log_is_in_order_and_has_no_secrets_before_the_end(app: Flask):
    finished, running = at_the_end(app), on_one_phone(app)
    for table in (finished, running):
        log_text = table.phone(0).open(f"{table.path}/print?log=1").text.partition("Game log")[2]
        steps = [line for line in table.table.messages if line.is_step]
        secret = [line.text for line in steps if line.is_secret]
        assert [line.text in log_text for line in steps if not line.is_secret] == [True] * (len(steps) - len(secret))
        assert all((text in log_text) == table.table.is_over for text in secret)
    assert "Game log" not in finished.phone(0).open(f"{finished.path}/print").text


SCRIPTS = ("Δημήτρης", "Юлия", "שלומית", "محمد علي")


def test_names_in_greek_cyrillic_hebrew_and_arabic_use_bundled_fonts(caplog: pytest.LogCaptureFixture):
    html = sheet_html(random_game_sheet("trails", SCRIPTS))
    assert not set("".join(SCRIPTS)) - pdf._own_characters()
    assert all(f"<bdi>{name}</bdi>" in html for name in SCRIPTS)
    used = pdf_content.unpack_pdf(pdf.render_pdf(html, "a4"))
    assert all(font in used for font in (b"Paper-Greek-Cyrillic-Bold", b"Paper-Hebrew-Bold", b"Paper-Arabic-Bold"))
    assert b"Noto-Sans" not in used, "of the computer"
    assert not [message for message in caplog.messages if ".notdef" in message]


@parametrize_cases("pages", [1, 2])
def test_letters_without_a_font_are_question_marks_with_a_footnote(pages: int):
    sheet = replace(random_game_sheet("trails", ("A\ue000", "Bo")), layout=SheetLayout(pages=pages))
    document = pdf.lay_out(sheet_html(sheet), "a4")
    text = document_text(document)
    assert len(document.pages) == pages
    assert "A?" in text and "\ue000" not in text
    assert text.replace("\n", " ").count("Waymark prints ? for a letter without a font") == pages


def test_largest_fitting_size_is_found_with_few_layouts():
    sizes: list[float] = []

    def filled(size: float) -> float:
        sizes.append(size)
        return (size / 9.3) ** 1.7

    assert 0.97 <= filled(pdf._largest_fitting_size(filled, (10, 7.5, 14), (1.5, 1.5), 0.97)) <= 1
    assert len(sizes) <= 5
    assert pdf._largest_fitting_size(lambda size: size / 20, (10, 7.5, 14), (1.5, 1.5), 0.97) == 14
    assert pdf._largest_fitting_size(lambda size: size / 5, (10, 7.5, 14), (1.5, 1.5), 0.97) == 7.5


LONG = (
    "Maximilianalexandera",
    "Christopherjeromeson",
    "Wilhelminafredericka",
    "Bartholomewfrederick",
    "Konstantinaleksandra",
    "Theodoramagdalenaann",
    "Sebastianferdinandos",
)

WORD = re.compile(r"[^\W\d_]{2,}")


def torn_words(html: str, size: str) -> set[str]:
    """Return the fragments of torn words: words of the PDF's text that the page does not have."""
    words = set(WORD.findall(unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))))
    text = "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf.render_pdf(html, size)))
    found = set(WORD.findall(re.sub(r"\w+\u2026", " ", text)))
    return {word for word in found if word not in words and any(word in known_word for known_word in words)}


@parametrize_cases("size", PAPER_SIZES)
@parametrize_cases(("game", "seats"), FEWEST_AND_MOST, first=("parks", 5))
def test_no_word_is_torn_on_a_sheet(game: str, seats: int, size: str):
    assert torn_words(sheet_html(random_game_sheet(game, LONG[:seats]), size), size) == set()


@parametrize_cases("pages", [1, 2])
@parametrize_cases(("game", "seats"), FEWEST_AND_MOST, first=("parks", 5))
def test_names_of_twenty_letters_are_whole_on_a_sheet(game: str, seats: int, pages: int):
    sheet = replace(random_game_sheet(game, NAMES_OF_TWENTY_LETTERS[:seats]), layout=SheetLayout(pages=pages))
    printed = pypdfium2.PdfDocument(pdf.render_pdf(sheet_html(sheet, "letter"), "letter"))
    text = "\n".join(page.get_textpage().get_text_range() for page in printed)
    assert "\u2026" not in text and NAMES_OF_TWENTY_LETTERS[0].split()[0] in text


@parametrize_cases("pages", [1, 2])
@parametrize_cases(("game", "seats"), FEWEST_AND_MOST, first=("parks", 5))
def test_words_of_twenty_letters_are_set_smaller_and_whole(game: str, seats: int, pages: int):
    sheet = replace(random_game_sheet(game, LONG[:seats]), layout=SheetLayout(pages=pages))
    printed = pypdfium2.PdfDocument(pdf.render_pdf(sheet_html(sheet), "a4"))
    text = "\n".join(page.get_textpage().get_text_range() for page in printed)
    assert "\u2026" not in text and all(text.count(name) >= 3 for name in LONG[:seats])


@parametrize_cases(("game", "seats"), FEWEST_AND_MOST, first=("parks", 5))
def test_marks_above_and_below_letters_are_printed_at_each_name(game: str, seats: int):
    """The names differ only in marks outside the line: nothing may clip them."""
    others = LONG[1:seats]
    plain, marked = (
        printed_sheet(random_game_sheet(game, (name, *others))) for name in ("\u00c2\u00c2N", "\u1ea8\u1eacN")
    )
    heights = [
        difference_height(plain[number], page, box)
        for number, page in enumerate(marked)
        for box in text_boxes_of(page, "\u1ea8\u1eacN")
    ]
    assert len(heights) >= 3 and min(heights) > 0.93


def printed_sheet(page: PrintPage) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(pdf.render_pdf(sheet_html(page), "a4"))


def text_boxes_of(page: pypdfium2.PdfPage, text: str) -> list[tuple[float, float, float, float]]:
    """Return left, bottom, right and top of a text wherever it is on a page, in pt."""
    textpage = page.get_textpage()
    search, boxes = textpage.search(text), []
    while found := search.get_next():
        letters = [textpage.get_charbox(index) for index in range(found[0], sum(found))]
        left, bottom, right, top = zip(*letters, strict=True)
        boxes.append((min(left), min(bottom), max(right), max(top)))
    return boxes


def difference_height(
    page: pypdfium2.PdfPage, other: pypdfium2.PdfPage, box: tuple[float, float, float, float]
) -> float:
    """Return the height in which two pages differ at a text, in heights of its letters."""
    left, bottom, right, top = box
    height, scale = top - bottom, 4
    area = [left - 1, page.get_height() - top - height, right + 1, page.get_height() - bottom + height]
    images = [each.render(scale=scale).to_pil().convert("L") for each in (page, other)]
    difference = ImageChops.difference(*images).crop([round(scale * edge) for edge in area])
    found = difference.point(lambda level: 255 * (level > 64)).getbbox()
    return (found[3] - found[1]) / scale / height if found else 0


def without_explanations(page: PrintPage) -> PrintPage:
    """Return a sheet whose lines need no explanation."""
    columns = tuple(
        msgspec.structs.replace(
            column, lines=tuple(msgspec.structs.replace(line, needs_no_explanation=True) for line in column.lines)
        )
        for column in page.sheet.columns
    )
    return replace(page, sheet=msgspec.structs.replace(page.sheet, columns=columns))


def test_sheet_mentions_printed_points_only_where_they_are_printed_on_cards():
    note = "Points without a note are printed on the card."
    assert note not in sheet_html(random_game_sheet("alpine-trails", NAMES[:2]))
    assert note in sheet_html(without_explanations(random_game_sheet("peaks", NAMES)))


@parametrize_cases("size", PAPER_SIZES)
@parametrize_cases("game", GAMES)
def test_no_word_is_torn_on_a_pad(game: str, size: str):
    assert torn_words(print_pages.render_html("print/pad.html", size, game=GAMES[game].box), size) == set()
