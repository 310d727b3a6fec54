"""PDF by WeasyPrint. The app runs without it (Pango may be missing) and says so."""

import atexit
import functools
import subprocess
import sys
import threading
from importlib.util import find_spec
from itertools import pairwise

from companion.where import assets

STATIC = assets() / "static"
PAPERS = {"a4": "A4", "letter": "Letter"}
TRY = (sys.executable, "-c", "import weasyprint")
NOT_HERE = "PDF needs WeasyPrint and Pango on the computer that runs Waymark; the plain page prints from any browser."
PANGO = {  # how it is installed, by sys.platform
    "darwin": "brew install pango",
    "win32": "install MSYS2 from msys2.org, then in its shell pacman -S mingw-w64-x86_64-pango",
    "linux": "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0, or your system\u2019s package of Pango",
}
SIZES = ("roomy", "wide", "close", "tight")  # a sheet is set in; its template guesses the largest that fits


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


@functools.cache
def _stylesheet(paper: str):
    weasyprint = _weasyprint()
    fonts = _font_config()
    page = weasyprint.CSS(string=f"@page {{ size: {PAPERS[paper]}; }}", font_config=fonts)
    return [weasyprint.CSS(filename=STATIC / "css" / "print.css", font_config=fonts), page]


@functools.cache
def _font_config():
    from weasyprint.text.fonts import FontConfiguration

    atexit.register(_font_config.cache_clear)  # it clears its folder away, which must be while the interpreter still can
    return FontConfiguration()


def pdf(html: str, paper: str) -> bytes:
    """Return a page as PDF bytes; `paper` is "a4" or "letter".

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    made = laid_out(html, paper).write_pdf()
    assert made is not None  # it is returned where no file is named to write it to
    return made


def laid_out(html: str, paper: str):
    """Return a page as WeasyPrint lays it out; a sheet too large for its paper is set smaller.

    :raises CannotPrint: when WeasyPrint cannot run here.
    """
    document = _rendered(html, paper)
    for larger, smaller in pairwise(SIZES):
        shrunk = html.replace(f'class="sheet {larger}"', f'class="sheet {smaller}"')
        if len(document.pages) > 1 and shrunk != html:
            html, document = shrunk, _rendered(shrunk, paper)
    return document


def _rendered(html: str, paper: str):
    document = _weasyprint().HTML(string=html, url_fetcher=_nothing_else())
    return document.render(stylesheets=_stylesheet(paper), font_config=_font_config())


@functools.cache
def _nothing_else():
    """Return what opens no address at all: a sheet brings its pictures along, and no name on it can ask for a file."""
    from weasyprint.urls import URLFetcher

    return URLFetcher(allowed_protocols=())
