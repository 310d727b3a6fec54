"""Tests of names in any script on sheets and pictures: drawn, or marked with a hint."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from companion.history.result import PlayerResult, Result, sheet_of
from companion.rendering import pdf, picture
from companion.rendering.print_pages import PrintPage
from companion.system.paths import CHECKOUT
from tests.support.parametrize import parametrize_cases

pytestmark = pytest.mark.slow("prints PDFs")

EMOJI, CJK, CORE = "fonts-noto-color-emoji", "fonts-noto-cjk", "fonts-noto-core"
PRIVATE = "\ue000"  # a letter that no font has
# A name; how a computer without any fonts prints it; the packages that it misses.
NAMES = {
    "emoji": ("\U0001f98a Fox", "? Fox", [EMOJI]),
    "family joined by ZWJ": ("\U0001f468\u200d\U0001f469\u200d\U0001f467 Fam", "??? Fam", [EMOJI]),
    "joined emoji of two packages": ("\U0001f3f4\u200d\u2620\ufe0f Jo", "?? Jo", [EMOJI, CORE]),
    "variation selector": ("\u2764\ufe0f Di", "? Di", [CORE]),
    "skin tone": ("\U0001f44d\U0001f3fd Ed", "?? Ed", [EMOJI]),
    "flag": ("\U0001f1e9\U0001f1ea Udo", "?? Udo", [EMOJI]),
    "flag of tags": ("\U0001f3f4\U000e0067\U000e0062\U000e007f Liz", "? Liz", [EMOJI]),
    "keycap": ("1\ufe0f\u20e3 Kay", "1? Kay", [EMOJI]),
    "emoji of Unicode 15": ("\U0001fae8 Sam", "? Sam", [EMOJI]),
    "Chinese": ("\u674e\u660e", "??", [CJK]),
    "Japanese": ("\u3055\u304f\u3089", "???", [CJK]),
    "Korean": ("\ubbfc\uc900", "??", [CJK]),
    "full width": ("\uff21\uff42", "??", [CJK]),
    "CJK extension B": ("\U00020bb7", "?", [CJK]),
    "Thai": ("\u0e2a\u0e21", "??", [CORE]),
    "Devanagari": ("\u0905\u0928\u093f\u0924\u093e", "?????", [CORE]),
    "Tamil": ("\u0ba4\u0bae\u0bbf\u0bb4\u0bcd", "?????", [CORE]),
    "Georgian": ("\u10dc\u10d8\u10dc\u10dd", "????", [CORE]),
    "Armenian": ("\u0531\u0580\u0561\u0574", "????", [CORE]),
    "Ethiopic": ("\u1230\u120b\u121d", "???", [CORE]),
    "chess piece": ("\u265e Cy", "? Cy", [CORE]),
    "emoji and Chinese": ("\U0001f43b\u674e", "??", [EMOJI, CJK]),
    "private": (f"Al{PRIVATE}", "Al?", []),
    "unassigned": ("Al\U000bfff0", "Al?", []),
    "Hebrew and digits": ("\u05d3\u05d5\u05d3 123", None, []),
    "Arabic and digits": ("\u0639\u0644\u064a 7", None, []),
    "Persian with a non-joiner": ("\u0645\u06cc\u200c\u062e\u0648", None, []),
    "Greek": ("\u0394\u03ae\u03bc\u03b7", None, []),
    "Cyrillic": ("\u042e\u043b\u0438\u044f", None, []),
    "Polish": ("\u0141ukasz", None, []),
    "Vietnamese": ("Nguy\u1ec5n", None, []),
    "combining marks": ("Zoe\u0308", None, []),
    "no-width letters": ("A\u200d\u200b\u00adB", None, []),
}
NO_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}</cachedir></fontconfig>"""
PRINT_NAMES = """
import json, sys, warnings
warnings.simplefilter("ignore")  # of WeasyPrint, which misses the fonts
from companion.rendering import pdf
names = json.load(sys.stdin)
missing = [pdf._missing_characters(f"<p>{name}") for name in names]
print(json.dumps([[pdf._mark_missing(name, letters), letters] for name, letters in zip(names, missing)]))
"""


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Simulate a computer without the font packages; return the folder for their files."""
    packages = {package: (tmp_path / package, letters) for package, (_, letters) in pdf.FONT_PACKAGES.items()}
    monkeypatch.setattr(pdf, "FONT_PACKAGES", packages)
    return tmp_path


def result_picture(*names: str) -> str:
    """Return the picture of a result, as it is drawn for a PNG."""
    players = tuple(PlayerResult(name, 30 - seat, seat + 1, not seat) for seat, name in enumerate(names))
    result = Result("AAAAAA", "parks", "2026-01-02", players)
    page = PrintPage(result.box, "parks", sheet_of(result), True, result.date, "", None, None)
    return picture.svg(page, embeds_fonts=False)


def drawn_picture(*names: str) -> Image.Image:
    return Image.open(io.BytesIO(pdf.render_png(result_picture(*names)))).convert("RGB")


def test_names_on_a_computer_without_fonts_are_whole_or_marked(tmp_path: Path, no_packages: Path):
    (tmp_path / "fonts.conf").write_text(NO_FONTS.format(folder=tmp_path))
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    names = [name for name, _, _ in NAMES.values()]
    run = subprocess.run(
        [sys.executable, "-c", PRINT_NAMES], input=json.dumps(names), env=environment, cwd=CHECKOUT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    shown = {
        kind: (visible(marked), {pdf._font_package(letter) for letter in letters} - {None})
        for kind, (marked, letters) in zip(NAMES, json.loads(run.stdout), strict=True)
    }
    assert shown == {
        kind: (visible(name if printed is None else printed), set(packages))
        for kind, (name, printed, packages) in NAMES.items()
    }


def visible(text: str) -> str:
    """Return a text without joiners, variation selectors and tags."""
    return "".join(letter for letter in text if letter not in "\ufe0f\u200d" and ord(letter) < 0xE0000)


@parametrize_cases(
    ("letters", "advice"),
    [
        ("\U0001f98a", f" On Debian, try: apt-get install {EMOJI}."),
        ("\u674e\U0001f98a", f" On Debian, try: apt-get install {CJK} {EMOJI}."),
        (PRIVATE, ""),
    ],
)
def test_hint_names_the_packages_that_may_have_the_letters(no_packages: Path, letters: str, advice: str):
    hint = "Waymark prints ? for a letter without a font on this computer."
    assert pdf._hint_text(letters) == hint + advice


def test_hint_does_not_name_an_installed_package(no_packages: Path):
    (no_packages / CJK).touch()
    assert "apt-get" not in pdf._hint_text("\U00020000")
    assert pdf._hint_text("\U00020000\U0001f98a").endswith(f"apt-get install {EMOJI}.")


def test_letter_without_a_font_is_marked_in_the_png_with_a_hint_below():
    plain, marked = drawn_picture("Ana", "Bo"), drawn_picture("Ana", f"Bo{PRIVATE}")
    (width, height), total_height = pdf.PICTURE_SIZE, pdf.PICTURE_SIZE[1] + pdf.HINT_HEIGHT
    assert plain.size == (width, height) and marked.size == (width, total_height)
    difference = ImageChops.difference(plain, marked.crop((0, 0, width, height))).convert("L")
    mark = difference.point(lambda level: 255 * (level > 64)).getbbox()
    assert mark and mark[2] - mark[0] < 60, "a letter"
    left, top, right, bottom = ImageChops.invert(marked.crop((0, height, width, total_height))).getbbox()
    assert 50 < left < right < width - 50 and 0 < top < bottom < pdf.HINT_HEIGHT - 4, "the hint"


def test_svg_keeps_letters_without_a_font_for_the_phone_that_opens_it():
    assert f"Bo{PRIVATE}" in result_picture("Ana", f"Bo{PRIVATE}")


@parametrize_cases("name", ["\u05d3\u05d5\u05d3 12", "\u0639\u0644\u064a"])
def test_right_to_left_name_in_the_png_reads_from_right_to_left(name: str):
    page = f"<style>@page {{ size: 1080px 1350px; margin: 0 }}</style>{pdf._lines_as_html(result_picture('Ana', name))}"
    document = pypdfium2.PdfDocument(pdf._render(page, [pdf._stylesheet()]).write_pdf())
    assert name in document[0].get_textpage().get_text_range()


def test_line_in_another_script_has_the_baseline_of_other_lines():
    ana, greek = (drawn_picture("Bo", name).crop((150, 560, 700, 800)) for name in ("AHN", "\u0391\u0397\u039d"))
    bottoms = [
        ImageChops.difference(image, Image.new("RGB", image.size, "#fbf6ea")).getbbox() for image in (ana, greek)
    ]
    assert abs(bottoms[0][3] - bottoms[1][3]) <= 2
