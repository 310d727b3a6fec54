"""PDF by WeasyPrint. The app runs without it (Pango may be missing) and says so."""

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
from typing import NamedTuple

from fontTools.ttLib import TTFont
from PIL.Image import Dither

from companion.system.paths import assets_folder

STATIC = assets_folder() / "static"
PAPER_SIZES = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # pt, width and height
IMPORT_CHECK = (sys.executable, "-c", "import weasyprint")
PDF_UNAVAILABLE = (
    "PDF needs WeasyPrint and Pango on the computer that runs Waymark; the plain page prints from any browser."
)
PANGO_INSTALL_HINTS = {  # how it is installed, by sys.platform
    "darwin": "brew install pango",
    "win32": "install MSYS2 from msys2.org, then in its shell pacman -S mingw-w64-x86_64-pango",
    "linux": "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or your system\u2019s package of Pango",
}
PICTURE_SIZE = (1080, 1350)  # width and height of a picture, in its units and in pixels
MAX_COLORS = 64  # of a picture
SHEET_MARK, LOG_MARK, NO_FONT_MARK = (
    '<section class="sheet',
    '<section class="story">',
    "<!--no font-->",
)  # what templates say of a page
MIN_FONT_SIZE, START_FONT_SIZE, MAX_FONT_SIZE = 7.5, 10.0, 14.0  # pt: the smallest words of a sheet
MIN_SPACING, MAX_SPACING = 0.4, 4.0  # times the size of those words
FONT_GROWTH, SPACING_GROWTH = (
    (1.0, 1.5),
    (0.2, 0.2),
)  # how much faster than its words, than its air a sheet grows: with room left; too full
MIN_FONT_FILL, MIN_SPACING_FILL, TARGET_FILL = (
    0.93,
    0.95,
    0.985,
)  # of a page: what is enough for the words, with the air, and what is looked for
MAX_TRIES = 6  # of sizes at most
ROLL_HEIGHT = 20000.0  # pt: a page so long that nothing is cut
POINTS_PER_PIXEL = 0.75  # pt, in which WeasyPrint measures
SVG_PATTERN = re.compile(
    r"(<svg\b[^>]*>)(?:[^<]|<(?!/?svg\b)|<svg\b(?:[^<]|<(?!/svg>))*</svg>)*</svg>"
)  # some have one within
CJK_NAME_PREFIXES = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HANGUL",
)  # how the names of letters begin that are in fonts-noto-cjk


class PdfUnavailableError(Exception):
    """WeasyPrint or the libraries it needs are missing; the text says which."""


@functools.cache
def _load_weasyprint():
    try:
        import weasyprint
    except (ImportError, OSError) as fault:
        raise PdfUnavailableError(PDF_UNAVAILABLE) from fault
    return weasyprint


_check_lock = threading.Lock()


def unavailable_reason() -> str | None:
    """Return in one line why no PDF can be made here and what to install, or None where it can.

    Tried once, in a process of its own, so that this one need not load WeasyPrint.
    """
    with _check_lock:  # functools.cache alone would try as often as it is asked before it knows
        return _check_weasyprint()


@functools.cache
def _check_weasyprint() -> str | None:
    try:
        if not find_spec("weasyprint"):
            return "No PDFs: WeasyPrint is missing. To have them: pip install weasyprint"
        subprocess.run(IMPORT_CHECK, capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return f"No PDFs: Pango is missing. To have them: {PANGO_INSTALL_HINTS.get(sys.platform, PANGO_INSTALL_HINTS['linux'])}"
    return None


def can_print() -> bool:
    """Return whether PDFs can be made here."""
    return unavailable_reason() is None


class SheetFit(NamedTuple):
    """How large a sheet is set, in pt: its smallest words, and the air between them."""

    font_size: float
    spacing: float


@functools.cache
def _stylesheet():
    return _load_weasyprint().CSS(filename=STATIC / "css" / "print.css", font_config=_font_config())


def _page_styles(paper: str, fit: SheetFit, roll_height: float = 0):
    """Return what a sheet is set on: pages as wide as a paper, and as high unless told, in pt."""
    width, height = PAPER_SIZES[paper]
    page = f"@page {{ size: {width}pt {roll_height or height}pt }}"
    sizes = f"html {{ font-size: {fit.spacing:.2f}pt }} body {{ font-size: {fit.font_size:.2f}pt }}"
    return [_stylesheet(), _load_weasyprint().CSS(string=page + sizes)]


@functools.cache
def _font_config():
    from weasyprint.text.fonts import FontConfiguration

    atexit.register(
        _font_config.cache_clear
    )  # it clears its folder away, which must be while the interpreter still can
    return FontConfiguration()


def render_pdf(html: str, paper: str) -> bytes:
    """Return a page as PDF bytes; `paper` is "a4" or "letter".

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    made = lay_out(html, paper).write_pdf()
    assert made is not None  # it is returned where no file is named to write it to
    return made


def lay_out(html: str, paper: str):
    """Return a page as WeasyPrint lays it out, every sheet of it as large as its paper has room for.

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    if missing := _missing_characters(html):
        html = html.translate(dict.fromkeys(map(ord, missing), "?")).replace(NO_FONT_MARK, _missing_font_text(missing))
    first, *more = [_render(sheet, _page_styles(paper, fit_sheet(sheet, paper))) for sheet in _split_sheets(html)]
    first.pages.extend(page for document in more for page in document.pages)
    return first


def _split_sheets(html: str) -> list[str]:
    """Return a page as pages of one sheet each, what follows a sheet with it."""
    head, *sheets = html.split(SHEET_MARK)
    return [head + SHEET_MARK + sheet for sheet in sheets] or [html]


def fit_sheet(html: str, paper: str) -> SheetFit:
    """Return the sizes in which a sheet fills its paper, as nearly as a few tries find them.

    The words are made as large as they can be. Where they are as large as anybody needs, the air takes what is left; where
    they are as small as anybody can read, it gives way.
    """
    if SHEET_MARK not in html:
        return SheetFit(START_FONT_SIZE, START_FONT_SIZE)
    filled = _FillMeter(html, paper)
    words = _largest_fitting_size(
        lambda size: filled(SheetFit(size, size)),
        (START_FONT_SIZE, MIN_FONT_SIZE, MAX_FONT_SIZE),
        FONT_GROWTH,
        MIN_FONT_FILL,
    )
    return SheetFit(
        words,
        _largest_fitting_size(
            lambda size: filled(SheetFit(words, size)),
            (words, MIN_SPACING * words, MAX_SPACING * words),
            SPACING_GROWTH,
            MIN_SPACING_FILL,
        ),
    )


def _largest_fitting_size(
    fill_of: Callable[[float], float], sizes: tuple[float, float, float], growth: tuple[float, float], enough: float
) -> float:
    """Return the largest size that is found to fill no more than a page, or the least.

    :param filled: what part of a page a size fills; it grows with the size.
    :param sizes: the one to begin with, the least, the most.
    :param rises: about how much faster it grows than the size, below a page and above, until that has been seen.
    :param enough: of a page, when no better fit is looked for.
    """
    size, low, high = sizes
    before = None
    for _ in range(MAX_TRIES):
        part = fill_of(size)
        low, high = (size, high) if part <= 1 else (low, size)
        if enough <= part <= 1 or low == high:
            break
        slope = (part - before[1]) / (size - before[0]) if before else growth[part > 1] * part / size
        before = size, part
        size = min(max(size + (TARGET_FILL - part) / slope, low), high) if slope > 0 else low
        if size == before[0]:
            size = (low + high) / 2
    return low


class _FillMeter:
    """How much of a page a sheet fills in some sizes, measured on a roll of paper, with pictures left blank."""

    def __init__(self, html: str, paper: str):
        blank = SVG_PATTERN.sub(r"\1</svg>", html.partition(LOG_MARK)[0])
        self._page = _load_weasyprint().HTML(string=blank, url_fetcher=_blocking_fetcher())
        self._paper = paper
        self._cache: dict[SheetFit, float] = {}

    def __call__(self, fit: SheetFit) -> float:
        """Return the part that is filled; more than 1 is too much."""
        if fit not in self._cache:
            styles = _page_styles(self._paper, fit, ROLL_HEIGHT)
            pages = self._page.render(stylesheets=styles, font_config=_font_config()).pages
            unused = ROLL_HEIGHT / POINTS_PER_PIXEL - PAPER_SIZES[self._paper][1] / POINTS_PER_PIXEL
            self._cache[fit] = max(used_height(page) / (page._page_box.height - unused) for page in pages)
        return self._cache[fit]


def used_height(page) -> float:
    """Return how far down what stands on a page reaches, in WeasyPrint's pixels from its upper margin."""
    box = page._page_box
    body = box.children[0].children[0]
    last = body.children[-1]
    return last.position_y + last.margin_height() - box.content_box_y()


def _missing_font_text(missing: str) -> str:
    """Return in a sentence that there is no font for some letters, and what brings one."""
    cjk = [unicodedata.name(letter, "").startswith(CJK_NAME_PREFIXES) for letter in missing]
    packages = {"fonts-noto-cjk" if each else "fonts-noto-core" for each in cjk}
    return f" For each ? in a name this computer has no font; on Debian: apt-get install {' '.join(sorted(packages))}."


@functools.cache
def _own_characters() -> frozenset[str]:
    """Return the letters of our own fonts."""
    return frozenset(
        chr(each) for file in (STATIC / "fonts").glob("*-400.woff2") for each in TTFont(file).getBestCmap() or ()
    )


class _MissingGlyphHandler(logging.Handler):
    """Keeps the letters of which WeasyPrint logs that it draws an empty box."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = ""

    def emit(self, record: logging.LogRecord) -> None:
        if str(record.msg).startswith(".notdef") and isinstance(record.args, tuple):
            self.letters += str(record.args[0])


def _missing_characters(html: str) -> str:
    """Return the letters on a page that no font of this computer has."""
    strange = "".join(sorted(letter for letter in set(unescape(html)) - _own_characters() if not letter.isspace()))
    log, missing = logging.getLogger("weasyprint"), _MissingGlyphHandler()
    log.addHandler(missing)
    try:
        if strange:
            _render(
                f"<p>{escape(strange)}",
                _page_styles(next(iter(PAPER_SIZES)), SheetFit(START_FONT_SIZE, START_FONT_SIZE)),
            ).write_pdf()
    finally:
        log.removeHandler(missing)
    return missing.letters


def render_png(svg: str) -> bytes:
    """Return a picture as a PNG.

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    import pypdfium2

    width, height = PICTURE_SIZE
    page = f"<style>@page {{ size: {width}px {height}px; margin: 0 }} svg {{ display: block }}</style>{svg}"
    made = _render(page, [_stylesheet()]).write_pdf()
    with closing(pypdfium2.PdfDocument(made)) as document:
        image = document[0].render(scale=width / document[0].get_width()).to_pil().convert("RGB")
    out = io.BytesIO()
    image.quantize(MAX_COLORS, dither=Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _render(html: str, styles: list):
    page = _load_weasyprint().HTML(string=html, url_fetcher=_blocking_fetcher())
    return page.render(stylesheets=styles, font_config=_font_config())


@functools.cache
def _blocking_fetcher():
    """Return what opens no address at all: a sheet brings its pictures along, and no name on it can ask for a file."""
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=())
