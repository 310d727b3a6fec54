"""A result as one picture to share in a chat: a self-contained SVG, rendered by a template."""

import base64
import functools
import re
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from markupsafe import Markup

from companion.pages.sheet import result_heading
from companion.rendering.pdf import PICTURE_SIZE, STATIC
from companion.rendering.print_pages import PrintPage, render_html
from companion.rendering.text_size import DISPLAY_FONT, TEXT_FONT, FittedText, fit_text, text_width, wrap_text

WIDTH, MARGIN = PICTURE_SIZE[0], 60
# Row heights of the standings, and the lower edge of the picture of the table.
MAP_ROW_HEIGHT, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT, BOARD_BOTTOM = 84, 66, 150, 1270
MIN_BREAKDOWN_ROW_HEIGHT = 112  # the minimum height of a row that shows the parts of its total
TITLE_SIZE, WINNER_SIZE, NAME_SIZE, NOTE_SIZE = 118, 82, 44, 34  # font sizes
BREAKDOWN_SIZE, MIN_BREAKDOWN_SIZE = 26, 22
FONT_FACES = (
    ("Bricolage Grotesque", 800, DISPLAY_FONT),
    ("Bricolage Grotesque Ext", 800, "bricolage-grotesque-ext-800"),
    ("Atkinson Hyperlegible Next", 700, TEXT_FONT),
)


class StandingRow(NamedTuple):
    """A player's row of the standings."""

    place: int
    name: FittedText
    total: str
    note: str
    breakdown: FittedText
    is_winner: bool


def svg(page: PrintPage, embeds_fonts: bool = True) -> str:
    """Return a finished game as a picture of 1080 by 1350.

    :param embeds_fonts: whether the picture contains its fonts, which it needs outside of our pages.
    """
    return render_html(
        "picture/result.svg", "", page=page, picture=_lay_out(page), font_faces=_font_faces() if embeds_fonts else ()
    )


class ResultPicture(NamedTuple):
    """The positions and contents of the parts of the picture."""

    title: FittedText
    winner: tuple[FittedText, ...]  # one line, or two smaller ones
    verdict: tuple[FittedText, ...]  # at most two lines
    rows: tuple[StandingRow, ...]
    row_height: float  # of each row
    rows_top: float  # of the standings
    board_top: float  # of the final position
    board_height: float  # 0: the final position is not known
    seats: tuple[int, ...]  # in the order of the rows

    @staticmethod
    def small_text(text: str, size: float, max_width: float = inf) -> FittedText:
        """Return a text in one size, cut off where it does not fit."""
        return fit_text(text, TEXT_FONT, size, max_width, min_size=size)

    @staticmethod
    def place_svg(svg_text: str, x: float, y: float, max_width: float, max_height: float) -> Markup:
        """Return an SVG placed in this one: fitted into a box, centered, at the bottom."""
        tag, _, content = svg_text.lstrip().partition(">")
        _, _, view_width, view_height = (
            float(number) for number in tag.partition('viewBox="')[2].partition('"')[0].split()
        )
        scale = min(max_width / view_width, max_height / view_height)
        x, y = x + (max_width - scale * view_width) / 2, y + max_height - scale * view_height
        tag = re.sub(' (width|height)="[^"]*"', "", tag)
        width, height = scale * view_width, scale * view_height
        return Markup(f'{tag} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}">{content}')


def _lay_out(page: PrintPage) -> ResultPicture:
    sheet, max_width, board_height = page.sheet, WIDTH - 2 * MARGIN, page.picture_height
    heading, detail = result_heading(sheet)
    verdict = _two_lines(detail, TEXT_FONT, NOTE_SIZE, max_width)
    seats = sorted(range(len(sheet.columns)), key=lambda seat: sheet.columns[seat].rank)
    rows_top = 470 + 44 * len(verdict)
    room = BOARD_BOTTOM - rows_top - 40
    if board_height == inf:
        row_height = MAP_ROW_HEIGHT if len(seats) < 4 else MIN_ROW_HEIGHT
        board_height = room - row_height * len(seats)
    else:
        row_height = min(MAX_ROW_HEIGHT, max(MIN_ROW_HEIGHT, (room - board_height) // len(seats)))
    return ResultPicture(
        title=fit_text(page.game.title, DISPLAY_FONT, TITLE_SIZE, max_width),
        winner=_fit_heading(heading, max_width),
        verdict=verdict,
        rows=tuple(_standing_row(page, seat, row_height) for seat in seats),
        row_height=row_height,
        rows_top=rows_top,
        board_top=BOARD_BOTTOM - board_height,
        board_height=board_height,
        seats=tuple(seats),
    )


def _fit_heading(heading: str, max_width: float) -> tuple[FittedText, ...]:
    """Return a heading as one line, or as two lines of half the size."""
    size = WINNER_SIZE / 2
    if text_width(heading, DISPLAY_FONT, size) <= max_width:
        return (fit_text(heading, DISPLAY_FONT, WINNER_SIZE, max_width),)
    return _two_lines(heading, DISPLAY_FONT, size, max_width)


def _two_lines(text: str, font: str, size: float, max_width: float) -> tuple[FittedText, ...]:
    """Return a text as at most two lines; the second is cut off where it does not fit."""
    first, *rest = wrap_text(text, font, size, max_width) or [""]
    return tuple(fit_text(line, font, size, max_width, min_size=size) for line in (first, " ".join(rest)) if line)


def _standing_row(page: PrintPage, seat: int, row_height: float) -> StandingRow:
    column = page.sheet.columns[seat]
    total, note, breakdown = "", column.lines[0].label if column.lines else "", []
    if page.game.has_points:
        total, note = "\u2013" if seat in page.seats_without_points else str(column.total), ""
        if row_height >= MIN_BREAKDOWN_ROW_HEIGHT:
            parts = ((title, column.points_in(id)) for id, title in page.sheet.categories)
            breakdown = [f"{title} {points}" for title, points in parts if points]
    texts_width = text_width(total, DISPLAY_FONT, 56) + text_width(note, TEXT_FONT, NOTE_SIZE)
    max_width = WIDTH - 2 * MARGIN - 110 - texts_width - 60
    return StandingRow(
        place=column.rank,
        name=fit_text(column.name, TEXT_FONT, NAME_SIZE, max_width, min_size=30),
        total=total,
        note=note,
        breakdown=_fit_parts(breakdown, max_width),
        is_winner=column.winner and len(page.sheet.columns) > 1,
    )


def _fit_parts(parts: Sequence[str], max_width: float) -> FittedText:
    """Return the parts of a total as a line; an ellipsis replaces those that do not fit."""
    texts = [", ".join(parts), *(", ".join((*parts[:count], "\u2026")) for count in range(len(parts) - 1, 0, -1))]
    fitting = (text for text in texts if text_width(text, TEXT_FONT, MIN_BREAKDOWN_SIZE) <= max_width)
    return fit_text(next(fitting, ""), TEXT_FONT, BREAKDOWN_SIZE, max_width, min_size=MIN_BREAKDOWN_SIZE)


@functools.cache
def _font_faces() -> tuple[tuple[str, int, str], ...]:
    """Return the fonts to embed: family, weight, address."""
    return tuple(
        (
            family,
            weight,
            "data:font/woff2;base64," + base64.b64encode((STATIC / "fonts" / f"{file}.woff2").read_bytes()).decode(),
        )
        for family, weight, file in FONT_FACES
    )
