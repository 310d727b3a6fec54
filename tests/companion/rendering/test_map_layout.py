"""Tests that maps of ALPINE TRAILS have one scale and are readable wherever they are drawn."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

import msgspec
import pypdfium2
import pytest
from PIL import ImageStat

from companion.rendering import pdf, picture, print_pages
from companion.rendering.map_layout import (
    CAPTION_HEIGHT,
    GAP,
    LANDSCAPE,
    MIN_CELL,
    POINTS_PER_MM,
    PORTRAIT,
    fit_in_grid,
    largest_map,
    map_size,
    pack_rows,
    place_maps,
    print_maps,
)
from companion.rendering.print_pages import PrintPage, SheetLayout
from companion.rendering.text_size import TEXT_FONT, text_width
from scoring.alpine_trails.map.tiles import TERRAINS, Tile, TrailMap
from scoring.alpine_trails.points import FinalPlayer
from tests.support.alpine_trails_maps import parse_map
from tests.support.alpine_trails_sheets import NAMES, block_map, random_maps, sheet_of_maps
from tests.support.long_names import NAMES_OF_TWENTY_LETTERS
from tests.support.parametrize import parametrize_cases
from tests.support.pdf_content import filled_share, page_box

LAYOUTS = (SheetLayout(), SheetLayout(pages=2), SheetLayout(is_half_page=True))
TALL = (block_map(5, 15, 35), block_map(4, 18, 35), block_map(5, 14, 35))  # three tall maps of an evening
SHAPES = {
    "tall": TALL,
    "very tall": (block_map(4, 30, 35), block_map(2, 34, 35)),
    "wide": (block_map(30, 4, 35), block_map(9, 6, 35), block_map(5, 12, 30)),
    "wider than a page": (block_map(34, 2, 35), block_map(6, 7, 35)),
    "sprawling": (block_map(18, 18, 35),) * 5,
    **{f"{count} players": random_maps(count, "a") for count in range(1, 6)},
}
LONG_NAMES = tuple(f"{letter}{'abcdefghi ' * 4}"[:39].strip() for letter in "WMQAB")
TILE, MILES, DIFFERENT_GRAYS = 17.0, 6.0, 20  # pt: 6 mm; pt; of 255


def players_of(maps: Sequence[TrailMap], names: Sequence[str] = NAMES) -> list[FinalPlayer]:
    return [FinalPlayer(name, tiles) for name, tiles in zip(names, maps, strict=False)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", range(1, 6))
def test_random_maps_are_each_whole_on_a_page_with_tiles_of_6_mm(count: int, layout: SheetLayout):
    for seed in range(20):
        players = players_of(random_maps(count, seed))
        maps = print_maps(players, layout.pages, layout.is_half_page)
        assert maps and maps.cell >= TILE and not maps.is_too_small
        assert [seat for rows in (maps.on_sheet, *maps.on_own_pages) for row in rows for seat in row] == [*range(count)]
        width, height = LANDSCAPE if maps.is_landscape else PORTRAIT
        for rows in (maps.on_sheet, *maps.on_own_pages):
            sizes = [[map_size(players[seat].map) for seat in row] for row in rows]
            assert all(maps.cell * sum(w for w, _ in row) + GAP * (len(row) - 1) <= width + 0.1 for row in sizes)
            heights = [maps.cell * max(h for _, h in row) + CAPTION_HEIGHT for row in sizes]
            assert sum(heights) <= height + 0.1


def test_maps_are_on_the_sheet_only_where_their_tiles_are_large_enough():
    assert print_maps(players_of(random_maps(2, "a"))).on_sheet
    crowded = print_maps(players_of(random_maps(5, "a")))
    assert not crowded.on_sheet and len(crowded.on_own_pages) == 1
    assert len(print_maps(players_of(SHAPES["sprawling"])).on_own_pages) > 1
    assert print_maps(players_of(SHAPES["wider than a page"])).is_landscape


def test_players_without_a_map_have_no_place_among_the_maps():
    players = [FinalPlayer("Ana"), FinalPlayer("Bo", random_maps(1, "a")[0])]
    assert print_maps(players).on_sheet == ((1,),)
    assert print_maps(players[:1]) is None
    assert place_maps(players[:1], [0], (0, 0, 100, 100)) == ()


@pytest.mark.parametrize(
    ("sizes", "captions", "packed"),
    [
        ([(4, 2)], [0], (((0,),), 25)),
        ([(5, 5), (5, 5)], [0, 0], (((0, 1),), 9)),  # a gap of 10 is between them
        ([(10, 2), (10, 2)], [0, 0], (((0,), (1,)), 10)),
        ([(5, 1), (5, 1)], [10, 60], (((0,), (1,)), 20)),
        ([(9, 9), (1, 9)], [0, 45], (((0, 1),), 5)),  # the second is as wide as its caption
        ([(1, 1)], [101], (((0,),), 0)),  # the caption has no room
    ],
)
def test_pictures_are_packed_in_the_rows_with_the_largest_scale(sizes, captions, packed):
    assert pack_rows(sizes, captions, (100, 90), 0, 10) == packed


@pytest.mark.parametrize(
    ("size", "count", "area", "fit"),
    [
        ((4, 2), 1, (400, 100), (1, True, 50)),  # beside the caption of 100 x 50
        ((2, 4), 1, (200, 290), (1, False, 60)),  # below it
        ((4, 2), 2, (400, 200), (1, True, 50)),
        ((2, 4), 2, (400, 290), (2, False, 60)),
        ((2, 4), 3, (300, 250), (2, True, 25)),  # a third column would be too narrow
    ],
)
def test_grid_of_pictures_has_the_largest_scale(size, count, area, fit):
    assert fit_in_grid(size, count, area, caption=(100, 50), gap=0, min_width=120) == fit


def test_largest_map_has_the_largest_width_and_the_largest_height():
    assert largest_map([block_map(9, 2, 10), (), block_map(3, 7, 9)]) == (9, 7)
    assert largest_map([(), ()]) == (2, 1)


@pytest.mark.parametrize("names", [NAMES, LONG_NAMES])
@pytest.mark.parametrize("shape", SHAPES)
def test_maps_of_a_picture_have_one_scale_and_do_not_overlap(shape: str, names: Sequence[str]):
    players = players_of(SHAPES[shape], names)
    placed = place_maps(players, range(len(players)), (60, 500, 960, 600))
    assert [each.seat for each in placed] == list(range(len(players)))
    sizes = [map_size(players[each.seat].map) for each in placed]
    scales = [each.width / w for each, (w, _) in zip(placed, sizes, strict=True)]
    scales += [each.height / h for each, (_, h) in zip(placed, sizes, strict=True)]
    assert max(scales) - min(scales) < 1e-6 and min(scales) > 0
    assert all(each.x >= 60 and each.x + each.width <= 1020.1 and each.y >= 500 for each in placed)
    assert all(each.y + each.height + 40 <= 1100.1 for each in placed)
    assert [each.name.text for each in placed] == [player.name for player in players]
    boxes = []
    for each in placed:
        half = max(each.width, text_width(each.name.text, TEXT_FONT, each.name.size)) / 2
        middle = each.x + each.width / 2
        boxes.append((middle - half, each.y, middle + half, each.y + each.height + 40))
    for first, second in itertools.permutations(boxes, 2):
        is_beside = first[2] <= second[0] or second[2] <= first[0]
        assert is_beside or first[3] <= second[1] + 0.1 or second[3] <= first[1] + 0.1, (first, second)


def test_picture_of_a_result_has_each_map_at_the_same_scale():
    image = picture.svg(replace(sheet_of_maps(random_maps(4, "b")), picture_height=inf), embeds_fonts=False)
    frames = re.findall(r'data-w="(\d+)"[^>]*viewBox="\S+ \S+ (\S+) \S+"[^>]* width="([\d.]+)"', image)
    scales = [float(width) / float(view) for _, view, width in frames]
    assert len(frames) == 4 and max(scales) / min(scales) < 1.01


# Tiles


@pytest.fixture
def map_macros() -> Iterator:
    app = print_pages._template_app()
    with app.test_request_context():
        yield app.jinja_env.globals["macros"]("alpine-trails/_map.html")


@pytest.mark.parametrize("exits", ["NS", "NE", "NESW"])
def test_tile_without_entered_miles_has_no_number(map_macros, exits: str):
    unknown, known = (Tile("trail", "rock", exits, miles, 1) for miles in (0, 3))
    for draw in (map_macros.draw_unusual_tile, lambda tile: map_macros.draw_print_tile("#", tile)):
        assert "<text" not in draw(unknown) and ">3</text>" in draw(known)


def test_outline_surrounds_the_cells_of_a_habitat(map_macros):
    tiles = parse_map("""Br f f
                         f  m f""")
    outline = map_macros.habitat_outline(tiles, ("1,0", "2,0", "2,1"))
    assert sorted(re.findall(r"M[^M\"]+", outline)) == sorted(
        ["M100 0h100", "M100 0v100", "M100 0m0 100h100", "M200 0h100", "M200 0m100 0v100"]
        + ["M200 100m100 0v100", "M200 100m0 100h100", "M200 100v100"]
    )


# Paper


def sheet_html(page: PrintPage, size: str) -> str:
    return print_pages.render_html("print/sheet.html", size, page=page)


def drawn_maps(pages: Sequence, html: str) -> list[tuple[float, str]]:
    """Return each map on some pages with the points of one of its units."""
    from weasyprint.formatting_structure.boxes import ReplacedBox

    svgs = [found.group() for found in pdf.SVG_PATTERN.finditer(html)]
    boxes = [box for page in pages for box in page_box(page).descendants() if isinstance(box, ReplacedBox)]
    for page in pages:
        content = page_box(page)
        for box in content.descendants():
            if isinstance(box, ReplacedBox):
                assert box.position_x >= 0 and box.position_x + box.width <= content.margin_width()
                assert box.position_y + box.height <= content.margin_height() - content.margin_bottom + 0.5
    widths = [float(re.search(r'viewBox="\S+ \S+ (\S+) ', svg)[1]) for svg in svgs]
    return [
        (box.width * pdf.POINTS_PER_PIXEL / width, svg)
        for box, width, svg in zip(boxes, widths, svgs, strict=True)
        if 'class="alpine"' in svg
    ]


@pytest.mark.slow("prints PDFs")
@parametrize_cases("size", pdf.PAPER_SIZES)
@parametrize_cases("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_printed_maps_have_one_scale_tiles_of_6_mm_and_readable_miles(shape: str, layout: SheetLayout, size: str):
    page = sheet_of_maps(SHAPES[shape], layout=layout)
    html = sheet_html(page, size)
    pages = pdf.lay_out(html, size).pages
    plan = print_maps(page.final.players, layout.pages, layout.is_half_page)
    assert len(pages) == (1 if layout.is_half_page else layout.pages) + len(plan.on_own_pages)
    drawn = drawn_maps(pages, html)
    cells = [100 * scale for scale, _ in drawn]
    miles = [scale * float(each) for scale, svg in drawn for each in re.findall(r'<text[^>]*font-size="([\d.]+)"', svg)]
    print(f"{shape}: {len(pages)} pages, tiles of {min(cells) / POINTS_PER_MM:.1f} mm, miles {min(miles):.1f} pt")
    copies = 2 if layout.is_half_page and plan.on_sheet else 1
    assert len(drawn) == copies * len(SHAPES[shape])
    assert max(cells) - min(cells) < 0.05 and min(cells) >= TILE
    assert min(miles) >= MILES
    assert all(filled_share(each) <= 1.001 for each in pages)


@pytest.mark.slow("prints a PDF")
def test_sheet_with_many_notes_leaves_the_maps_to_their_own_page():
    tiles = random_maps(3, "a")
    untold = [tuple(msgspec.structs.replace(tile, miles=0) for tile in each) for each in tiles]
    assert print_maps(players_of(tiles)).on_sheet
    html = sheet_html(sheet_of_maps(untold), "letter")
    assert "Maps</p>" in html and len(pdf.lay_out(html, "letter").pages) == 2


@pytest.mark.slow("prints PDFs")
@parametrize_cases("layout", LAYOUTS)
@parametrize_cases("names", [LONG_NAMES, NAMES_OF_TWENTY_LETTERS, ("W" * 40,) * 5])
def test_names_at_printed_maps_are_whole(names: Sequence[str], layout: SheetLayout):
    page = sheet_of_maps(random_maps(5, "a"), names[:5], layout)
    html = sheet_html(page, "letter")
    pages = pdf.lay_out(html, "letter").pages
    drawn_maps(pages, html)
    printed = pypdfium2.PdfDocument(pdf.render_pdf(html, "letter"))
    own_pages = len(print_maps(page.final.players, layout.pages, layout.is_half_page).on_own_pages)
    map_pages = list(printed)[-own_pages:] if own_pages else [printed[0]]
    text = "\n".join(each.get_textpage().get_text_range() for each in map_pages)
    assert sum(text.count(name) for name in set(names[:5])) >= 5


def test_sheet_says_that_a_map_is_too_large_for_tiles_of_6_mm():
    page = sheet_of_maps((block_map(60, 1, 60), block_map(4, 5, 20)))
    assert print_maps(page.final.players).cell < MIN_CELL
    note = "too large for a page with tiles of 6 mm"
    assert note in sheet_html(page, "a4") and note not in sheet_html(sheet_of_maps(TALL), "a4")


def test_sheet_without_any_map_has_no_page_of_maps():
    html = sheet_html(sheet_of_maps(((), ())), "a4")
    assert "map-row" not in html and "Maps</p>" not in html


@pytest.mark.slow("prints a PDF")
def test_terrains_of_a_printed_map_differ_in_gray():
    page = sheet_of_maps((parse_map("Br Br .\nf f f\nr r r\nm m m\nw w w"),))
    html = sheet_html(page, "a4")
    (laid_out,) = pdf.lay_out(html, "a4").pages
    from weasyprint.formatting_structure.boxes import ReplacedBox

    box = next(box for box in page_box(laid_out).descendants() if isinstance(box, ReplacedBox))
    sheet = pypdfium2.PdfDocument(pdf.render_pdf(html, "a4"))[0].render(scale=4).to_pil().convert("L")
    unit = 4 * pdf.POINTS_PER_PIXEL
    cell = box.width / (3 + 0.12)
    grays = {}
    for row, terrain in enumerate(("forest", "rock", "meadow", "wetland"), 1):
        left, top = box.position_x + cell * 1.06, box.position_y + cell * (row + 0.06)
        corners = (left + cell * 0.1, top + cell * 0.1, left + cell * 0.9, top + cell * 0.25)
        part = sheet.crop(tuple(int(unit * each) for each in corners))
        grays[terrain] = ImageStat.Stat(part).mean[0]
    print(grays)
    assert set(grays) == set(TERRAINS)
    differences = [abs(first - second) for first, second in itertools.combinations(grays.values(), 2)]
    assert min(differences) >= DIFFERENT_GRAYS, grays
