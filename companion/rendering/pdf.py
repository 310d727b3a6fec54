"""PDF by WeasyPrint; the app also runs without it (Pango may be missing)."""

import atexit
import functools
import io
import logging
import re
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable
from contextlib import closing
from html import escape, unescape
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fontTools.ttLib import TTFont
from PIL.Image import Dither

from companion.system.paths import assets_folder

STATIC = assets_folder() / "static"
PAPER_SIZES = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # pt, width and height
IMPORT_CHECK = (sys.executable, "-c", "import weasyprint")
PDF_UNAVAILABLE = (
    "PDFs need WeasyPrint and Pango on the computer that runs Waymark. Any browser can print the plain page."
)
PANGO_INSTALL_HINTS = {  # by sys.platform
    "darwin": "brew install pango",
    "win32": "install MSYS2 from msys2.org, then run in its shell: pacman -S mingw-w64-x86_64-pango",
    "linux": (
        "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or your system\u2019s Pango package"
    ),
}
PICTURE_SIZE = (1080, 1350)  # width and height of a picture, in SVG units and pixels
MAX_COLORS = 64  # of a picture
# Markers that templates put into a page.
SHEET_MARK, LANDSCAPE_MARK = '<section class="sheet', '<section class="sheet landscape'
LOG_MARK, NO_FONT_MARK = '<section class="game-log">', "<!--no font-->"
MIN_FONT_SIZE, START_FONT_SIZE, MAX_FONT_SIZE = 7.5, 10.0, 14.0  # pt: the smallest text of a sheet
MIN_SPACING, MAX_SPACING = 0.4, 4.0  # times the font size
# How much faster a sheet grows than its font size, or than its spacing: while it fits; when it is too full.
FONT_GROWTH, SPACING_GROWTH = (1.0, 1.5), (0.2, 0.2)
# Parts of a page: enough for the font size, enough with spacing, and the part aimed for.
MIN_FONT_FILL, MIN_SPACING_FILL, TARGET_FILL = 0.93, 0.95, 0.985
MAX_TRIES = 6  # sizes tried at most
ROLL_HEIGHT = 20000.0  # pt: a page so long that nothing is cut off
POINTS_PER_PIXEL = 0.75  # WeasyPrint measures in pixels
# Elements added to a sheet to measure it: WeasyPrint gives the place of each element with an id.
TOP, BOTTOM, END = "page-top", "page-bottom", "sheet-end"
MEASURED_ELEMENTS = (
    f'<p id="{END}"></p><p id="{TOP}" style="position:absolute;top:0"></p>'
    f'<p id="{BOTTOM}" style="position:absolute;bottom:0"></p>'
)
# An svg element, which may contain nested ones.
SVG_PATTERN = re.compile(r"(<svg\b[^>]*>)(?:[^<]|<(?!/?svg\b)|<svg\b(?:[^<]|<(?!/svg>))*</svg>)*</svg>")
# A line of text of the picture of a result without the places of its letters, as its template writes it.
LINE_PATTERN = re.compile(
    r'<text class="line" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)"(?: text-anchor="(?P<anchor>\w+)")?'
    r' font-family="(?P<family>[^"]*)" font-weight="(?P<weight>\d+)" font-size="(?P<size>[\d.]+)"'
    r' fill="(?P<color>[^"]*)">(?P<text>[^<]*)</text>'
)
LINE_EDGE = {None: "left:{x}px", "middle": "left:{x}px;transform:translateX(-50%)", "end": "right:{from_right}px"}
HINT_HEIGHT = 90  # of the strip below a picture that names the missing fonts
NOTO_FOLDER = Path("/usr/share/fonts/truetype/noto")
# Debian's packages of fonts: one of their files, and the letters that no package below has.
FONT_PACKAGES = {
    "fonts-noto-color-emoji": (
        NOTO_FOLDER / "NotoColorEmoji.ttf",
        re.compile(
            "[\u20e3\u23eb-\u23f0\u2705\u270a\u2728\u274c\u274e\u2754\u2755\u2795-\u2797\u27b0\u27bf"
            "\U0001f191-\U0001f19a\U0001f1e6-\U0001f1ff\U0001f201\U0001f202\U0001f21a\U0001f22f"
            "\U0001f232-\U0001f23a\U0001f250\U0001f251\U0001f300-\U0001f320\U0001f32d-\U0001f392"
            "\U0001f3a0-\U0001f3f0\U0001f3f4\U0001f3f8-\U0001f4fc\U0001f4ff-\U0001f53d\U0001f54b-\U0001f54e"
            "\U0001f57a\U0001f595\U0001f596\U0001f5a4\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5"
            "\U0001f6cc-\U0001f6d2\U0001f6d8\U0001f6dc-\U0001f6df\U0001f6eb\U0001f6ec\U0001f6f4-\U0001f6f6"
            "\U0001f7f0\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa75-\U0001faff]"
        ),
    ),
    "fonts-noto-cjk": (
        Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
        re.compile(
            "[\u1100-\u11ff\u2500-\u259f\u2e80-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
            "\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uffee\U0001f200-\U0001f265\U00020000-\U0003ffff]"
        ),
    ),
    "fonts-noto-core": (NOTO_FOLDER / "NotoSans-Regular.ttf", re.compile(".")),
}


class PdfUnavailableError(Exception):
    """WeasyPrint or the libraries it needs are missing; the text names them."""


@functools.cache
def _load_weasyprint():
    try:
        import weasyprint
    except (ImportError, OSError) as error:
        raise PdfUnavailableError(PDF_UNAVAILABLE) from error
    return weasyprint


_check_lock = threading.Lock()


def unavailable_reason() -> str | None:
    """Return a line with the reason why PDFs are unavailable and the fix, or None if they work.

    Checked once, in a subprocess, so that this process need not load WeasyPrint.
    """
    with _check_lock:  # functools.cache alone would let concurrent first calls each run the check
        return _check_weasyprint()


@functools.cache
def _check_weasyprint() -> str | None:
    try:
        if not find_spec("weasyprint"):
            return "No PDFs, because WeasyPrint is missing. To install it: pip install weasyprint"
        subprocess.run(IMPORT_CHECK, capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return (
            "No PDFs, because Pango is missing. To install it: "
            f"{PANGO_INSTALL_HINTS.get(sys.platform, PANGO_INSTALL_HINTS['linux'])}"
        )
    return None


def can_print() -> bool:
    """Return whether this computer can make PDFs."""
    return unavailable_reason() is None


class SheetFit(NamedTuple):
    """The sizes of a sheet in pt: its smallest text, and its spacing."""

    font_size: float
    spacing: float


@functools.cache
def _stylesheet():
    return _load_weasyprint().CSS(filename=STATIC / "css" / "print.css", font_config=_font_config())


def _page_styles(paper: str, fit: SheetFit, roll_height: float = 0):
    """Return the styles of a sheet.

    :param roll_height: in pt; 0 uses the height of the paper.
    """
    width, height = PAPER_SIZES[paper]
    page = (
        f"@page {{ size: {width}pt {roll_height or height}pt }}"
        f"@page landscape {{ size: {height}pt {roll_height or width}pt }}"
    )
    sizes = f"html {{ font-size: {fit.spacing:.2f}pt }} body {{ font-size: {fit.font_size:.2f}pt }}"
    return [_stylesheet(), _load_weasyprint().CSS(string=page + sizes)]


@functools.cache
def _font_config():
    from weasyprint.text.fonts import FontConfiguration

    # It removes its folder, which has to happen before the interpreter shuts down.
    atexit.register(_font_config.cache_clear)
    return FontConfiguration()


def render_pdf(html: str, paper: str) -> bytes:
    """Return a page as PDF bytes; `paper` is "a4" or "letter".

    :raises PdfUnavailableError: if WeasyPrint cannot run here.
    """
    pdf = lay_out(html, paper).write_pdf()
    assert pdf is not None  # bytes are returned when no file is given
    return pdf


def lay_out(html: str, paper: str):
    """Return a page as laid out by WeasyPrint, with every sheet as large as its paper allows.

    :raises PdfUnavailableError: if WeasyPrint cannot run here.
    """
    if missing := _missing_characters(html):
        html = _mark_missing(html, missing).replace(NO_FONT_MARK, f" {_hint_html(missing)}")
    document, *other_documents = [
        _render(sheet, _page_styles(paper, fit_sheet(sheet, paper))) for sheet in _split_sheets(html)
    ]
    document.pages.extend(page for other in other_documents for page in other.pages)
    return document


def _split_sheets(html: str) -> list[str]:
    """Split a page into pages of one sheet each, with the content that follows the sheet."""
    head, *sheets = html.split(SHEET_MARK)
    return [head + SHEET_MARK + sheet for sheet in sheets] or [html]


def fit_sheet(html: str, paper: str) -> SheetFit:
    """Return the sizes with which a sheet fills its paper, as well as a few tries can find.

    The text is made as large as possible. At the maximum font size, the spacing takes the remaining room; at the
    minimum, the spacing shrinks.
    """
    if SHEET_MARK not in html:
        return SheetFit(START_FONT_SIZE, START_FONT_SIZE)
    fill_of = _FillMeter(html, paper)
    font_size = _largest_fitting_size(
        lambda size: fill_of(SheetFit(size, size)),
        (START_FONT_SIZE, MIN_FONT_SIZE, MAX_FONT_SIZE),
        FONT_GROWTH,
        MIN_FONT_FILL,
    )
    return SheetFit(
        font_size,
        _largest_fitting_size(
            lambda size: fill_of(SheetFit(font_size, size)),
            (font_size, MIN_SPACING * font_size, MAX_SPACING * font_size),
            SPACING_GROWTH,
            MIN_SPACING_FILL,
        ),
    )


def _largest_fitting_size(
    fill_of: Callable[[float], float], sizes: tuple[float, float, float], growth: tuple[float, float], min_fill: float
) -> float:
    """Return the largest size found to fill at most one page, or the minimum.

    :param fill_of: the part of a page that a size fills, which grows with the size.
    :param sizes: the first to try, the minimum, the maximum.
    :param growth: the estimated slope before two sizes were measured: below one page, and above.
    :param min_fill: the part of a page at which the search stops.
    """
    size, low, high = sizes
    previous = None
    for _ in range(MAX_TRIES):
        fill = fill_of(size)
        low, high = (size, high) if fill <= 1 else (low, size)
        if min_fill <= fill <= 1 or low == high:
            break
        slope = (fill - previous[1]) / (size - previous[0]) if previous else growth[fill > 1] * fill / size
        previous = size, fill
        size = min(max(size + (TARGET_FILL - fill) / slope, low), high) if slope > 0 else low
        if size == previous[0]:
            size = (low + high) / 2
    return low


class _FillMeter:
    """Measures the part of a page that a sheet fills, on one long page with blank pictures."""

    def __init__(self, html: str, paper: str):
        blank = SVG_PATTERN.sub(r"\1</svg>", html.partition(LOG_MARK)[0]) + MEASURED_ELEMENTS
        self._page = _load_weasyprint().HTML(string=blank, url_fetcher=_blocking_fetcher())
        self._height = PAPER_SIZES[paper][0 if LANDSCAPE_MARK in html else 1]
        self._paper = paper
        self._cache: dict[SheetFit, float] = {}

    def __call__(self, fit: SheetFit) -> float:
        """Return the part of a page that is filled; more than 1 does not fit."""
        if fit not in self._cache:
            self._cache[fit] = self._measure(fit)
        return self._cache[fit]

    def _measure(self, fit: SheetFit) -> float:
        styles = _page_styles(self._paper, fit, ROLL_HEIGHT)
        page, *other_pages = self._page.render(stylesheets=styles, font_config=_font_config()).pages
        if other_pages:
            return ROLL_HEIGHT / self._height
        top, bottom, end = (page.anchors[name][1] for name in (TOP, BOTTOM, END))
        return (end - top) / (bottom - top - (ROLL_HEIGHT - self._height) / POINTS_PER_PIXEL)


def missing_font_hint(html: str) -> str:
    """Return a sentence on the letters of a page that have no font here; empty if all have one.

    :raises PdfUnavailableError: if WeasyPrint cannot run here.
    """
    missing = _missing_characters(html)
    return _hint_text(missing) if missing else ""


def _hint_text(missing: str) -> str:
    """Return a sentence that names the packages which may have fonts for the missing letters."""
    packages = sorted({package for letter in missing if (package := _font_package(letter))})
    advice = f" On Debian, try: apt-get install {' '.join(packages)}." if packages else ""
    return f"Waymark prints ? for a letter without a font on this computer.{advice}"


def _hint_html(missing: str) -> str:
    """Return the same sentence, with each package on one line."""
    return re.sub(r"fonts-[\w-]+", r'<span style="white-space:nowrap">\g<0></span>', _hint_text(missing))


def _font_package(letter: str) -> str | None:
    """Return the Debian package that may have a letter, or None.

    A package that is installed already does not have it. None has private and unassigned letters.
    """
    package = next(package for package, (_, letters) in FONT_PACKAGES.items() if letters.match(letter))
    font_file, _ = FONT_PACKAGES[package]
    is_unassigned = package == "fonts-noto-core" and unicodedata.category(letter) in ("Cn", "Co")
    return None if is_unassigned or font_file.exists() else package


def _mark_missing(html: str, missing: str) -> str:
    """Return a page with ? for each missing letter."""
    return html.translate(dict.fromkeys(map(ord, missing), "?"))


@functools.cache
def _own_characters() -> frozenset[str]:
    """Return the characters of the fonts that come with Waymark."""
    return frozenset(
        chr(code_point)
        for file in (STATIC / "fonts").glob("*-400.woff2")
        for code_point in TTFont(file).getBestCmap() or ()
    )


class _MissingGlyphHandler(logging.Handler):
    """Records the characters for which WeasyPrint logs that it draws an empty box."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = ""

    def emit(self, record: logging.LogRecord) -> None:
        if str(record.msg).startswith(".notdef") and isinstance(record.args, tuple):
            self.letters += str(record.args[0])


def _missing_characters(html: str) -> str:
    """Return the characters of a page that no font of this computer has."""
    foreign = "".join(sorted(letter for letter in set(unescape(html)) - _own_characters() if not letter.isspace()))
    logger, handler = logging.getLogger("weasyprint"), _MissingGlyphHandler()
    logger.addHandler(handler)
    try:
        if foreign:
            _render(
                f"<p>{escape(foreign)}",
                _page_styles(next(iter(PAPER_SIZES)), SheetFit(START_FONT_SIZE, START_FONT_SIZE)),
            ).write_pdf()
    finally:
        logger.removeHandler(handler)
    return handler.letters


def render_png(svg: str) -> bytes:
    """Return a picture as a PNG, with a strip below it if letters have no font.

    :raises PdfUnavailableError: if WeasyPrint cannot run here.
    """
    import pypdfium2

    width, height = PICTURE_SIZE
    hint = ""
    if missing := _missing_characters(svg):
        svg = _mark_missing(svg, missing)
        hint = f'<p style="margin:10px 60px;font-size:26px">{_hint_html(missing)}</p>'
        height += HINT_HEIGHT
    page = (
        f"<style>@page {{ size: {width}px {height}px; margin: 0 }} svg {{ display: block }}</style>"
        f"{_lines_as_html(svg)}{hint}"
    )
    pdf = _render(page, [_stylesheet()]).write_pdf()
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        image = document[0].render(scale=width / document[0].get_width()).to_pil().convert("RGB")
    output = io.BytesIO()
    image.quantize(MAX_COLORS, dither=Dither.NONE).save(output, "PNG", optimize=True)
    return output.getvalue()


def _lines_as_html(svg: str) -> str:
    """Return a picture with its lines as HTML above it, except those whose letters have places.

    WeasyPrint draws the text of an SVG letter by letter: without kerning, from left to right, unjoined, and emoji in
    their parts.
    """
    lines = "".join(map(_line_as_html, LINE_PATTERN.finditer(svg)))
    return LINE_PATTERN.sub("", svg) + lines


def _line_as_html(line: re.Match[str]) -> str:
    """Return a line of text at its place; a strut puts its baseline there."""
    x, y = float(line["x"]), float(line["y"])
    edge = LINE_EDGE[line["anchor"]].format(x=x, from_right=PICTURE_SIZE[0] - x)
    return (
        f'<div style="position:absolute;top:0;{edge};white-space:nowrap;color:{line["color"]};'
        f'font:{line["weight"]} {line["size"]}px {line["family"]};line-height:1">'
        f'<span style="display:inline-block;height:{y}px"></span>{line["text"]}</div>'
    )


def _render(html: str, styles: list):
    page = _load_weasyprint().HTML(string=html, url_fetcher=_blocking_fetcher())
    return page.render(stylesheets=styles, font_config=_font_config())


@functools.cache
def _blocking_fetcher():
    """Return a fetcher that opens no address, because sheets embed their pictures.

    Without it, a name on a sheet could load a file.
    """
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=())
