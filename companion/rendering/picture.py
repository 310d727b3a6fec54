"""A result as one picture to send in a chat: an SVG that needs nothing else, drawn by a template."""

import base64
import functools
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fontTools.ttLib import TTFont
from markupsafe import Markup

from companion.rendering.pdf import PICTURE, STATIC
from companion.rendering.print_pages import PrintPage, html
from scoring.kernel.english import listed
from scoring.kernel.sheet import Column, Sheet

(WIDTH, HEIGHT), EDGE = PICTURE, 60
ROW, SMALL_ROW, LARGE_ROW, FOOT = 84, 66, 150, 1270  # heights in the standing; where the picture of the table ends
WITH_CATEGORIES = 112  # a row as high as this says what its total is made of
BOARDS = {"trails": 236, "parks": 194, "on-the-trail": 280}  # how high the table is drawn, or each row of it
TITLE, WINNER, NAME, NOTE = 118, 82, 44, 34  # sizes of letters
DISPLAY, TEXT = "bricolage-grotesque-800", "atkinson-hyperlegible-next-700"
FACES = (
    ("Bricolage Grotesque", 800, DISPLAY),
    ("Bricolage Grotesque Ext", 800, "bricolage-grotesque-ext-800"),
    ("Atkinson Hyperlegible Next", 700, TEXT),
)
UNKNOWN = 1.0  # ems: how wide a letter may be that the font has not
INK = "#1f2a37"
INKS = {  # of a game: the sky, the hill
    "trails": ("#e8a33d", "#4f7f3a"),
    "parks": ("#f0b27a", "#2e6a7d"),
    "alpine-trails": ("#b9d3d6", "#3f6b2e"),
    "on-the-trail": ("#ecca86", "#a5532a"),
}


class Line(NamedTuple):
    """Words in a size in which they fit."""

    text: str
    size: float


class Row(NamedTuple):
    """A player's row of the standing."""

    place: int
    name: Line
    figure: str
    note: str
    made_of: Line
    won: bool


def svg(page: PrintPage, alone: bool = True) -> str:
    """Return a finished game as a picture of 1080 by 1350.

    :param alone: with its fonts, as it has to be where nothing else knows them.
    """
    return html("picture/result.svg", "", page=page, picture=_picture(page), faces=_faces() if alone else ())


class Picture(NamedTuple):
    """What stands where in the picture."""

    title: Line
    winner: Line
    verdict: tuple[str, ...]
    rows: tuple[Row, ...]
    row: float  # how high each is
    top: float  # of the standing
    board: float  # where the table as it lay begins ...
    high: float  # ... and how high it is; 0: it is not known
    seats: tuple[int, ...]  # those whose maps are drawn, the winner first
    inks: tuple[str, str, str]

    @staticmethod
    def display(x: float, line: Line, spacing: float = 0) -> str:
        """Return where the letters of a large line begin."""
        return places(x, line, DISPLAY, spacing)

    @staticmethod
    def text(x: float, text: str, size: float) -> str:
        """Return where the letters of a small line begin."""
        return places(x, Line(text, size), TEXT)

    @staticmethod
    def short(name: str, room: float) -> str:
        """Return a name that fits below a small map."""
        return fitting(name, TEXT, 24, room, least=24).text

    @staticmethod
    def placed(drawn: str, x: float, y: float, wide: float, high: float) -> Markup:
        """Return a picture somewhere in this one, as large as there is room and no larger than itself, in the middle, low down."""
        tag, _, rest = drawn.lstrip().partition(">")
        _, _, across, down = (float(each) for each in tag.partition('viewBox="')[2].partition('"')[0].split())
        scale = min(wide / across, high / down)
        x, y = x + (wide - scale * across) / 2, y + high - scale * down
        tag = re.sub(' (width|height)="[^"]*"', "", tag)
        return Markup(f'{tag} x="{x:.1f}" y="{y:.1f}" width="{scale * across:.1f}" height="{scale * down:.1f}">{rest}')


def _picture(page: PrintPage) -> Picture:
    sheet, game, room = page.sheet, page.game, WIDTH - 2 * EDGE
    verdict = tuple(wrapped(sheet.verdict, TEXT, NOTE, room)[:2])
    top = 470 + 44 * len(verdict)
    order = sorted(range(len(sheet.columns)), key=lambda seat: sheet.columns[seat].rank)
    seats = tuple(seat for seat in order if getattr(page.final.players[seat], "map", ())) if page.final else ()
    high = _board_height(page)
    if seats:
        row = ROW if len(order) < 4 else SMALL_ROW
        high = FOOT - top - row * len(order) - 40
    else:
        row = min(LARGE_ROW, max(SMALL_ROW, (FOOT - top - high - 40) // len(order)))
    rows = tuple(_row(page, sheet.columns[seat], row) for seat in order)
    return Picture(
        title=fitting(game.title, DISPLAY, TITLE, room),
        winner=fitting(_winner(sheet), DISPLAY, WINNER, room),
        verdict=verdict,
        rows=rows,
        row=row,
        top=top,
        board=FOOT - high,
        high=high,
        seats=seats,
        inks=(*INKS.get(game.key, ("#e6d5ae", "#6f8155")), INK),
    )


def _winner(sheet: Sheet) -> str:
    if len(sheet.columns) == 1:
        alone = sheet.columns[0]
        return f"{alone.name}: {alone.title}" if alone.title else alone.name
    return f"{listed(sheet.winners) or 'Nobody'} {'win' if len(sheet.winners) > 1 else 'wins'}"


def _board_height(page: PrintPage) -> float:
    """Return how high the table as it lay is drawn; maps have what is left."""
    if page.view is None or page.folder not in BOARDS:  # or it was only scored
        return 0
    rows = 2 if page.game.key == "on-the-trail" and len(page.view.legs) > 11 else 1
    return BOARDS[page.game.key] * rows + 12 * (rows - 1)


def _row(page: PrintPage, column: Column, high: float) -> Row:
    in_points = page.game.in_points
    figure = str(column.total) if in_points else ""
    note = "" if in_points else column.lines[0].label if column.lines else ""
    room = WIDTH - 2 * EDGE - 110 - width(figure, DISPLAY, 56) - width(note, TEXT, NOTE) - 60
    made_of = ", ".join(f"{title} {points}" for id, title in page.sheet.categories if (points := column.of(id)))
    return Row(
        place=column.rank,
        name=fitting(column.name, TEXT, NAME, room, least=30),
        figure=figure,
        note=note,
        made_of=fitting(made_of if in_points and high >= WITH_CATEGORIES else "", TEXT, 26, room, least=22),
        won=column.winner and len(page.sheet.columns) > 1,
    )


# How wide words are


@functools.cache
def _advances(font: str) -> dict[int, float]:
    """Return how wide each letter of a font is, in ems."""
    face = TTFont(STATIC / "fonts" / f"{font}.woff2")
    widths, em, letters = face["hmtx"].metrics, face["head"].__dict__["unitsPerEm"], face.getBestCmap() or {}
    return {letter: widths[glyph][0] / em for letter, glyph in letters.items()}


@functools.cache
def _kerning(font: str) -> Callable[[str, str], float]:
    """Return a font's kerning by pairs of letters, in ems; negative is closer."""
    face = TTFont(STATIC / "fonts" / f"{font}.woff2")
    names, em, gpos = face.getBestCmap() or {}, face["head"].__dict__["unitsPerEm"], face["GPOS"].__dict__["table"]
    kern = {
        at
        for each in gpos.FeatureList.FeatureRecord
        if each.FeatureTag == "kern"
        for at in each.Feature.LookupListIndex
    }
    tables = [
        getattr(table, "ExtSubTable", table) for at in sorted(kern) for table in gpos.LookupList.Lookup[at].SubTable
    ]

    @functools.cache
    def between(before: str, letter: str) -> float:
        one, other = names.get(ord(before)), names.get(ord(letter))
        for table in tables:
            if one not in table.Coverage.glyphs:
                continue
            if table.Format == 2:
                first, second = table.ClassDef1.classDefs.get(one, 0), table.ClassDef2.classDefs.get(other, 0)
                pairs = [table.Class1Record[first].Class2Record[second]]
            else:
                records = table.PairSet[table.Coverage.glyphs.index(one)].PairValueRecord
                pairs = [pair for pair in records if pair.SecondGlyph == other]
            if pairs:
                return (getattr(pairs[0].Value1, "XAdvance", 0) or 0) / em
        return 0

    return between


def places(x: float, line: Line, font: str, spacing: float = 0) -> str:
    """Return where each letter of a line begins, for a printer without kerning.

    Only `x` if the font lacks a letter.
    """
    advances, kerning = _advances(font), _kerning(font)
    if any(ord(letter) not in advances for letter in line.text):
        return str(x)
    at = [float(x)]
    for before, letter in pairwise(line.text):
        at.append(at[-1] + line.size * (advances[ord(before)] + kerning(before, letter)) + spacing)
    return " ".join(f"{each:.1f}" for each in at)


def width(text: str, font: str, size: float) -> float:
    """Return how wide words are at most, in the units of the picture."""
    advances = _advances(font)
    return size * sum(advances.get(ord(letter), UNKNOWN) for letter in text)


def fitting(text: str, font: str, size: float, room: float, least: float = 0) -> Line:
    """Return words as large as fits, down to a size (half, unless told); longer ones are cut short."""
    least = least or size / 2
    size = max(least, min(size, size * room / max(1.0, width(text, font, size))))
    if width(text, font, size) > room + 0.5:
        while text and width(f"{text}\u2026", font, size) > room:
            text = text[:-1].rstrip()
        text += "\u2026"
    return Line(text, round(size, 1))


def wrapped(text: str, font: str, size: float, room: float) -> Sequence[str]:
    """Return words in lines that fit."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", font, size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(fitting(word, font, size, room, least=size).text)
    return lines


@functools.cache
def _faces() -> tuple[tuple[str, int, str], ...]:
    """Return the fonts as they stand in the picture: family, weight, address."""
    return tuple(
        (
            family,
            weight,
            "data:font/woff2;base64," + base64.b64encode((STATIC / "fonts" / f"{file}.woff2").read_bytes()).decode(),
        )
        for family, weight, file in FACES
    )
