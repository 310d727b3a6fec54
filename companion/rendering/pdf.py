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

from companion.system.paths import assets

STATIC = assets() / "static"
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}  # pt, width and height
TRY = (sys.executable, "-c", "import weasyprint")
NOT_HERE = "PDF needs WeasyPrint and Pango on the computer that runs Waymark; the plain page prints from any browser."
PANGO = {  # how it is installed, by sys.platform
    "darwin": "brew install pango",
    "win32": "install MSYS2 from msys2.org, then in its shell pacman -S mingw-w64-x86_64-pango",
    "linux": "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or your system\u2019s package of Pango",
}
PICTURE = (1080, 1350)  # width and height of a picture, in its units and in pixels
COLOURS = 64  # of a picture
SHEET, STORY, NO_FONT = (
    '<section class="sheet',
    '<section class="story">',
    "<!--no font-->",
)  # what templates say of a page
SMALLEST, START, LARGEST = 7.5, 10.0, 14.0  # pt: the smallest words of a sheet
LEAST_AIR, MOST_AIR = 0.4, 4.0  # times the size of those words
WORDS, AIR = (
    (1.0, 1.5),
    (0.2, 0.2),
)  # how much faster than its words, than its air a sheet grows: with room left; too full
ROUGHLY, FULL, AIM = 0.93, 0.95, 0.985  # of a page: what is enough for the words, with the air, and what is looked for
TRIES = 6  # of sizes at most
ROLL = 20000.0  # pt: a page so long that nothing is cut
PIXEL = 0.75  # pt, in which WeasyPrint measures
PICTURES = re.compile(
    r"(<svg\b[^>]*>)(?:[^<]|<(?!/?svg\b)|<svg\b(?:[^<]|<(?!/svg>))*</svg>)*</svg>"
)  # some have one within
FROM_CJK = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")  # how the names of letters begin that are in fonts-noto-cjk


class CannotPrint(Exception):
    """WeasyPrint or the libraries it needs are missing; the text says which."""


@functools.cache
def _weasyprint():
    try:
        import weasyprint
    except (ImportError, OSError) as fault:
        raise CannotPrint(NOT_HERE) from fault
    return weasyprint


_trying = threading.Lock()


def why_not() -> str | None:
    """Return in one line why no PDF can be made here and what to install, or None where it can.

    Tried once, in a process of its own, so that this one need not load WeasyPrint.
    """
    with _trying:  # functools.cache alone would try as often as it is asked before it knows
        return _tried()


@functools.cache
def _tried() -> str | None:
    try:
        if not find_spec("weasyprint"):
            return "No PDFs: WeasyPrint is missing. To have them: pip install weasyprint"
        subprocess.run(TRY, capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return f"No PDFs: Pango is missing. To have them: {PANGO.get(sys.platform, PANGO['linux'])}"
    return None


def can_print() -> bool:
    """Return whether PDFs can be made here."""
    return why_not() is None


class Fit(NamedTuple):
    """How large a sheet is set, in pt: its smallest words, and the air between them."""

    words: float
    air: float


@functools.cache
def _stylesheet():
    return _weasyprint().CSS(filename=STATIC / "css" / "print.css", font_config=_font_config())


def _on(paper: str, fit: Fit, high: float = 0):
    """Return what a sheet is set on: pages as wide as a paper, and as high unless told, in pt."""
    width, height = PAPERS[paper]
    page = f"@page {{ size: {width}pt {high or height}pt }}"
    sizes = f"html {{ font-size: {fit.air:.2f}pt }} body {{ font-size: {fit.words:.2f}pt }}"
    return [_stylesheet(), _weasyprint().CSS(string=page + sizes)]


@functools.cache
def _font_config():
    from weasyprint.text.fonts import FontConfiguration

    atexit.register(
        _font_config.cache_clear
    )  # it clears its folder away, which must be while the interpreter still can
    return FontConfiguration()


def pdf(html: str, paper: str) -> bytes:
    """Return a page as PDF bytes; `paper` is "a4" or "letter".

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    made = laid_out(html, paper).write_pdf()
    assert made is not None  # it is returned where no file is named to write it to
    return made


def laid_out(html: str, paper: str):
    """Return a page as WeasyPrint lays it out, every sheet of it as large as its paper has room for.

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    if missing := _without_a_font(html):
        html = html.translate(dict.fromkeys(map(ord, missing), "?")).replace(NO_FONT, _no_font(missing))
    first, *more = [_rendered(sheet, _on(paper, fitted(sheet, paper))) for sheet in _sheets(html)]
    first.pages.extend(page for document in more for page in document.pages)
    return first


def _sheets(html: str) -> list[str]:
    """Return a page as pages of one sheet each, what follows a sheet with it."""
    head, *sheets = html.split(SHEET)
    return [head + SHEET + sheet for sheet in sheets] or [html]


def fitted(html: str, paper: str) -> Fit:
    """Return the sizes in which a sheet fills its paper, as nearly as a few tries find them.

    The words are made as large as they can be. Where they are as large as anybody needs, the air takes what is left; where
    they are as small as anybody can read, it gives way.
    """
    if SHEET not in html:
        return Fit(START, START)
    filled = _Filled(html, paper)
    words = _largest(lambda size: filled(Fit(size, size)), (START, SMALLEST, LARGEST), WORDS, ROUGHLY)
    return Fit(
        words, _largest(lambda size: filled(Fit(words, size)), (words, LEAST_AIR * words, MOST_AIR * words), AIR, FULL)
    )


def _largest(
    filled: Callable[[float], float], sizes: tuple[float, float, float], rises: tuple[float, float], enough: float
) -> float:
    """Return the largest size that is found to fill no more than a page, or the least.

    :param filled: what part of a page a size fills; it grows with the size.
    :param sizes: the one to begin with, the least, the most.
    :param rises: about how much faster it grows than the size, below a page and above, until that has been seen.
    :param enough: of a page, when no better fit is looked for.
    """
    size, low, high = sizes
    before = None
    for _ in range(TRIES):
        part = filled(size)
        low, high = (size, high) if part <= 1 else (low, size)
        if enough <= part <= 1 or low == high:
            break
        slope = (part - before[1]) / (size - before[0]) if before else rises[part > 1] * part / size
        before = size, part
        size = min(max(size + (AIM - part) / slope, low), high) if slope > 0 else low
        if size == before[0]:
            size = (low + high) / 2
    return low


class _Filled:
    """How much of a page a sheet fills in some sizes, measured on a roll of paper, with pictures left blank."""

    def __init__(self, html: str, paper: str):
        blank = PICTURES.sub(r"\1</svg>", html.partition(STORY)[0])
        self._page = _weasyprint().HTML(string=blank, url_fetcher=_nothing_else())
        self._paper = paper
        self._known: dict[Fit, float] = {}

    def __call__(self, fit: Fit) -> float:
        """Return the part that is filled; more than 1 is too much."""
        if fit not in self._known:
            styles = _on(self._paper, fit, ROLL)
            pages = self._page.render(stylesheets=styles, font_config=_font_config()).pages
            unused = ROLL / PIXEL - PAPERS[self._paper][1] / PIXEL
            self._known[fit] = max(used(page) / (page._page_box.height - unused) for page in pages)
        return self._known[fit]


def used(page) -> float:
    """Return how far down what stands on a page reaches, in WeasyPrint's pixels from its upper margin."""
    box = page._page_box
    body = box.children[0].children[0]
    last = body.children[-1]
    return last.position_y + last.margin_height() - box.content_box_y()


def _no_font(missing: str) -> str:
    """Return in a sentence that there is no font for some letters, and what brings one."""
    cjk = [unicodedata.name(letter, "").startswith(FROM_CJK) for letter in missing]
    packages = {"fonts-noto-cjk" if each else "fonts-noto-core" for each in cjk}
    return f" For each ? in a name this computer has no font; on Debian: apt-get install {' '.join(sorted(packages))}."


@functools.cache
def _at_hand() -> frozenset[str]:
    """Return the letters of our own fonts."""
    return frozenset(
        chr(each) for file in (STATIC / "fonts").glob("*-400.woff2") for each in TTFont(file).getBestCmap() or ()
    )


class _Missing(logging.Handler):
    """Keeps the letters of which WeasyPrint logs that it draws an empty box."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = ""

    def emit(self, record: logging.LogRecord) -> None:
        if str(record.msg).startswith(".notdef") and isinstance(record.args, tuple):
            self.letters += str(record.args[0])


def _without_a_font(html: str) -> str:
    """Return the letters on a page that no font of this computer has."""
    strange = "".join(sorted(letter for letter in set(unescape(html)) - _at_hand() if not letter.isspace()))
    log, missing = logging.getLogger("weasyprint"), _Missing()
    log.addHandler(missing)
    try:
        if strange:
            _rendered(f"<p>{escape(strange)}", _on(next(iter(PAPERS)), Fit(START, START))).write_pdf()
    finally:
        log.removeHandler(missing)
    return missing.letters


def png(svg: str) -> bytes:
    """Return a picture as a PNG.

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    import pypdfium2

    width, height = PICTURE
    page = f"<style>@page {{ size: {width}px {height}px; margin: 0 }} svg {{ display: block }}</style>{svg}"
    made = _rendered(page, [_stylesheet()]).write_pdf()
    with closing(pypdfium2.PdfDocument(made)) as document:
        image = document[0].render(scale=width / document[0].get_width()).to_pil().convert("RGB")
    out = io.BytesIO()
    image.quantize(COLOURS, dither=Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _rendered(html: str, styles: list):
    page = _weasyprint().HTML(string=html, url_fetcher=_nothing_else())
    return page.render(stylesheets=styles, font_config=_font_config())


@functools.cache
def _nothing_else():
    """Return what opens no address at all: a sheet brings its pictures along, and no name on it can ask for a file."""
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=())
