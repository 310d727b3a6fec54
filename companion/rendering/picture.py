"""A result as one picture to share in a chat: a self-contained SVG, rendered by a template."""

import base64
import functools
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fontTools.ttLib import TTFont
from markupsafe import Markup

from companion.rendering.pdf import PICTURE_SIZE, STATIC
from companion.rendering.print_pages import PrintPage, render_html
from scoring.kernel.english import join_words
from scoring.kernel.sheet import Column, Sheet

(WIDTH, HEIGHT), MARGIN = PICTURE_SIZE, 60
# Row heights of the standings, and the lower edge of the picture of the table.
MAP_ROW_HEIGHT, MIN_ROW_HEIGHT, MAX_ROW_HEIGHT, BOARD_BOTTOM = 84, 66, 150, 1270
MIN_BREAKDOWN_ROW_HEIGHT = 112  # the minimum height of a row that shows the parts of its total
BOARD_HEIGHTS = {"trails": 236, "parks": 194, "on-the-trail": 280}  # height of the table, or of each of its rows
TITLE_SIZE, WINNER_SIZE, NAME_SIZE, NOTE_SIZE = 118, 82, 44, 34  # font sizes
DISPLAY_FONT, TEXT_FONT = "bricolage-grotesque-800", "atkinson-hyperlegible-next-700"
FONT_FACES = (
    ("Bricolage Grotesque", 800, DISPLAY_FONT),
    ("Bricolage Grotesque Ext", 800, "bricolage-grotesque-ext-800"),
    ("Atkinson Hyperlegible Next", 700, TEXT_FONT),
)
MISSING_GLYPH_WIDTH = 1.0  # in em, for characters that the font lacks
INK_COLOR = "#1f2a37"
GAME_COLORS = {  # of each game: sky, hill
    "trails": ("#e8a33d", "#4f7f3a"),
    "parks": ("#f0b27a", "#2e6a7d"),
    "alpine-trails": ("#b9d3d6", "#3f6b2e"),
    "on-the-trail": ("#ecca86", "#a5532a"),
}


class FittedText(NamedTuple):
    """A line of text, in a size at which it fits."""

    text: str
    size: float


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
    winner: FittedText
    verdict: tuple[str, ...]
    rows: tuple[StandingRow, ...]
    row_height: float  # of each row
    rows_top: float  # of the standings
    board_top: float  # of the final position
    board_height: float  # 0: the final position is not known
    map_seats: tuple[int, ...]  # seats whose maps are drawn, the winner first
    colors: tuple[str, str, str]

    @staticmethod
    def title_positions(x: float, line: FittedText, spacing: float = 0) -> str:
        """Return the positions of the letters of a large line."""
        return glyph_positions(x, line, DISPLAY_FONT, spacing)

    @staticmethod
    def text_positions(x: float, text: str, size: float) -> str:
        """Return the positions of the letters of a small line."""
        return glyph_positions(x, FittedText(text, size), TEXT_FONT)

    @staticmethod
    def short_name(name: str, max_width: float) -> str:
        """Return a name that fits below a small map."""
        return fit_text(name, TEXT_FONT, 24, max_width, min_size=24).text

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
    sheet, game, max_width = page.sheet, page.game, WIDTH - 2 * MARGIN
    verdict = tuple(wrap_text(sheet.result_text, TEXT_FONT, NOTE_SIZE, max_width)[:2])
    top = 470 + 44 * len(verdict)
    order = sorted(range(len(sheet.columns)), key=lambda seat: sheet.columns[seat].rank)
    seats = tuple(seat for seat in order if getattr(page.final.players[seat], "map", ())) if page.final else ()
    board_height = _board_height(page)
    if seats:
        row_height = MAP_ROW_HEIGHT if len(order) < 4 else MIN_ROW_HEIGHT
        board_height = BOARD_BOTTOM - top - row_height * len(order) - 40
    else:
        row_height = min(MAX_ROW_HEIGHT, max(MIN_ROW_HEIGHT, (BOARD_BOTTOM - top - board_height - 40) // len(order)))
    rows = tuple(_standing_row(page, sheet.columns[seat], row_height) for seat in order)
    return ResultPicture(
        title=fit_text(game.title, DISPLAY_FONT, TITLE_SIZE, max_width),
        winner=fit_text(_winner_text(sheet), DISPLAY_FONT, WINNER_SIZE, max_width),
        verdict=verdict,
        rows=rows,
        row_height=row_height,
        rows_top=top,
        board_top=BOARD_BOTTOM - board_height,
        board_height=board_height,
        map_seats=seats,
        colors=(*GAME_COLORS.get(game.key, ("#e6d5ae", "#6f8155")), INK_COLOR),
    )


def _winner_text(sheet: Sheet) -> str:
    if len(sheet.columns) == 1:
        player = sheet.columns[0]
        return f"{player.name}: {player.title}" if player.title else player.name
    return f"{join_words(sheet.winners) or 'Nobody'} {'win' if len(sheet.winners) > 1 else 'wins'}"


def _board_height(page: PrintPage) -> float:
    """Return the height of the final position; maps take the remaining space instead."""
    if page.view is None or page.template_folder not in BOARD_HEIGHTS:  # or the game was only scored
        return 0
    rows = 2 if page.game.key == "on-the-trail" and len(page.view.legs) > 11 else 1
    return BOARD_HEIGHTS[page.game.key] * rows + 12 * (rows - 1)


def _standing_row(page: PrintPage, column: Column, row_height: float) -> StandingRow:
    in_points = page.game.has_points
    total = str(column.total) if in_points else ""
    note = "" if in_points else column.lines[0].label if column.lines else ""
    max_width = (
        WIDTH - 2 * MARGIN - 110 - text_width(total, DISPLAY_FONT, 56) - text_width(note, TEXT_FONT, NOTE_SIZE) - 60
    )
    breakdown = ", ".join(
        f"{title} {points}" for id, title in page.sheet.categories if (points := column.points_in(id))
    )
    return StandingRow(
        place=column.rank,
        name=fit_text(column.name, TEXT_FONT, NAME_SIZE, max_width, min_size=30),
        total=total,
        note=note,
        breakdown=fit_text(
            breakdown if in_points and row_height >= MIN_BREAKDOWN_ROW_HEIGHT else "",
            TEXT_FONT,
            26,
            max_width,
            min_size=22,
        ),
        is_winner=column.winner and len(page.sheet.columns) > 1,
    )


# Text measurement


@functools.cache
def _advances(font: str) -> dict[int, float]:
    """Return the width of each character of a font, in em."""
    face = TTFont(STATIC / "fonts" / f"{font}.woff2")
    widths, em, letters = face["hmtx"].metrics, face["head"].__dict__["unitsPerEm"], face.getBestCmap() or {}
    return {letter: widths[glyph][0] / em for letter, glyph in letters.items()}


@functools.cache
def _kerning(font: str) -> Callable[[str, str], float]:
    """Return a font's kerning by pairs of characters, in em; negative is closer."""
    face = TTFont(STATIC / "fonts" / f"{font}.woff2")
    names, em, gpos = face.getBestCmap() or {}, face["head"].__dict__["unitsPerEm"], face["GPOS"].__dict__["table"]
    kern = {
        index
        for record in gpos.FeatureList.FeatureRecord
        if record.FeatureTag == "kern"
        for index in record.Feature.LookupListIndex
    }
    tables = [
        getattr(table, "ExtSubTable", table)
        for index in sorted(kern)
        for table in gpos.LookupList.Lookup[index].SubTable
    ]

    @functools.cache
    def between(previous: str, letter: str) -> float:
        left_glyph, right_glyph = names.get(ord(previous)), names.get(ord(letter))
        for table in tables:
            if left_glyph not in table.Coverage.glyphs:
                continue
            if table.Format == 2:
                left_class, right_class = (
                    table.ClassDef1.classDefs.get(left_glyph, 0),
                    table.ClassDef2.classDefs.get(right_glyph, 0),
                )
                pairs = [table.Class1Record[left_class].Class2Record[right_class]]
            else:
                records = table.PairSet[table.Coverage.glyphs.index(left_glyph)].PairValueRecord
                pairs = [pair for pair in records if pair.SecondGlyph == right_glyph]
            if pairs:
                return (getattr(pairs[0].Value1, "XAdvance", 0) or 0) / em
        return 0

    return between


def glyph_positions(x: float, line: FittedText, font: str, spacing: float = 0) -> str:
    """Return the x positions of the letters of a line, for renderers without kerning.

    Only `x` if the font lacks a letter.
    """
    advances, kerning = _advances(font), _kerning(font)
    if any(ord(letter) not in advances for letter in line.text):
        return str(x)
    positions = [float(x)]
    for previous, letter in pairwise(line.text):
        positions.append(positions[-1] + line.size * (advances[ord(previous)] + kerning(previous, letter)) + spacing)
    return " ".join(f"{position:.1f}" for position in positions)


def text_width(text: str, font: str, size: float) -> float:
    """Return the maximum width of a text, in the units of the picture."""
    advances = _advances(font)
    return size * sum(advances.get(ord(letter), MISSING_GLYPH_WIDTH) for letter in text)


def fit_text(text: str, font: str, size: float, max_width: float, min_size: float = 0) -> FittedText:
    """Return a text as large as it fits, cut off at `min_size` (0: half of `size`)."""
    min_size = min_size or size / 2
    size = max(min_size, min(size, size * max_width / max(1.0, text_width(text, font, size))))
    if text_width(text, font, size) > max_width + 0.5:
        while text and text_width(f"{text}\u2026", font, size) > max_width:
            text = text[:-1].rstrip()
        text += "\u2026"
    return FittedText(text, round(size, 1))


def wrap_text(text: str, font: str, size: float, max_width: float) -> Sequence[str]:
    """Return a text as lines that fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", font, size) <= max_width:
            lines[-1] += f" {word}"
        else:
            lines.append(fit_text(word, font, size, max_width, min_size=size).text)
    return lines


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
