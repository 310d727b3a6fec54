"""Tests of the style sheets: on touch screens, and without unused classes."""

import re
from collections.abc import Iterator

import pytest
import tinycss2

from companion.rendering.fragments import LAYOUT_CLASSES
from companion.rendering.pdf import STATIC
from companion.system.paths import CHECKOUT
from scoring.games import GAMES

SHEETS = sorted((STATIC / "css").glob("*.css"))
SCENE_FILES = ("scoring/*/__init__.py", "scoring/*/display.py")  # the scene of a game is a class of the body


def sticky_hover_selectors(rules: list, query: str = "") -> Iterator[str]:
    """Yield the :hover selectors that apply on touch screens and stay until the next tap."""
    for rule in rules:
        if rule.type == "at-rule" and rule.content is not None:
            inner = tinycss2.serialize(rule.prelude).replace(" ", "")
            yield from sticky_hover_selectors(tinycss2.parse_rule_list(rule.content, True, True), query + inner)
        elif rule.type == "qualified-rule" and "(hover:hover)" not in query:
            selector = tinycss2.serialize(rule.prelude)
            if ":hover" in selector or ":hover" in tinycss2.serialize(rule.content):
                yield selector.strip()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_hover_styles_apply_only_to_pointers_that_hover(sheet):
    assert list(sticky_hover_selectors(tinycss2.parse_stylesheet(sheet.read_text(encoding="utf-8"), True, True))) == []


@pytest.mark.parametrize(
    "css",
    ["a:hover{b:c}", "@media print{a:hover{b:c}}", "@media (hover:none){a,b:hover{c:d}}", "a{&:hover{b:c}}"],
)
def test_hover_style_outside_its_media_query_is_found(css):
    assert len(list(sticky_hover_selectors(tinycss2.parse_stylesheet(css)))) == 1


# Classes

TEMPLATES = sorted((CHECKOUT / "templates").rglob("*.html"))
LIBRARY_CLASSES = {"htmx-request"}  # set by htmx
CLASS_ATTRIBUTE = re.compile(r'class="((?:\{\{.*?\}\}|\{%.*?%\}|[^"{])*)"')
EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")


def defined_classes(rules: list) -> Iterator[str]:
    """Yield the classes that the selectors of a style sheet name."""
    for rule in rules:
        if rule.type == "at-rule" and rule.content is not None:
            yield from defined_classes(tinycss2.parse_rule_list(rule.content, True, True))
        elif rule.type == "qualified-rule":
            yield from re.findall(r"\.([a-z][\w-]*)", tinycss2.serialize(rule.prelude))


def sheet_classes(sheet) -> set[str]:
    return set(defined_classes(tinycss2.parse_stylesheet(sheet.read_text(encoding="utf-8"), True, True)))


def words(*patterns: str) -> set[str]:
    """Return every word of the files that match."""
    files = (file for pattern in patterns for file in sorted(CHECKOUT.glob(pattern)))
    return {word for file in files for word in re.findall(r"[\w-]+", file.read_text(encoding="utf-8"))}


def template_classes(template) -> set[str]:
    """Return the classes that a template names as such; "space-{{ number }}" is not one."""
    attributes = CLASS_ATTRIBUTE.findall(template.read_text(encoding="utf-8"))
    return {name for attribute in attributes for name in EXPRESSION.sub("\0", attribute).split() if "\0" not in name}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_class_of_a_style_sheet_is_used(sheet):
    files = ("templates/**/*.html", "templates/**/*.svg", "static/js/*.js", "companion/**/*.py", *SCENE_FILES)
    used = words(*files) | LIBRARY_CLASSES
    prefixes = tuple(word for word in used if word.endswith("-") and word != "-")  # "space-{{ number }}"
    unused = sorted(name for name in sheet_classes(sheet) - used if not name.startswith(prefixes))
    assert not unused, (
        f"No template and no script uses the classes {unused}. "
        f"Use them in a file of templates/, or remove them from static/css/{sheet.name}."
    )


def test_class_of_a_template_is_styled_or_read_by_a_script_or_a_test():
    known = {name for sheet in SHEETS for name in sheet_classes(sheet)} | words("static/js/*.js", "tests/**/*.py")
    known |= LAYOUT_CLASSES
    unknown = {
        f"{name} in {template.relative_to(CHECKOUT)}"
        for template in TEMPLATES
        for name in template_classes(template) - known
    }
    assert not unknown, (
        f"Classes that nothing uses: {sorted(unknown)}. "
        "Style them in static/css/waymark.css, or in static/css/<key>.css for one game, or remove them."
    )


def test_every_layout_class_has_a_style_and_every_style_a_layout_class():
    named = {name for sheet in SHEETS for name in sheet_classes(sheet)} - {"has-highlights"}  # set by a script
    assert {name.removeprefix("has-") for name in named if name.startswith("has-")} == LAYOUT_CLASSES
    assert not LAYOUT_CLASSES - words("templates/**/*.html")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_style_searches_the_screen_for_what_the_server_knows(sheet):
    """What a player opens or chooses has no class; everything else would be searched after each change."""
    searches = re.findall(
        r"(?:html|body|\.screen|\.seat-page|\.fragment-\w+)[^\s,{>]*:has\((?!>)[^{]*", sheet.read_text(encoding="utf-8")
    )
    assert not [each for each in searches if not re.search(r"\[open\]|\[hidden\]|:checked", each)]


def test_every_color_of_a_piece_has_a_style_and_every_piece_an_icon():
    known = sheet_classes(CHECKOUT / "static" / "css" / "waymark.css")
    icons = (CHECKOUT / "static" / "icons.svg").read_text(encoding="utf-8")
    all_pieces = [game.box.pieces for game in GAMES.values() if game.box.pieces]
    assert {f"piece-{color}" for pieces in all_pieces for color in pieces.colors} <= known
    assert all(f'<symbol id="{pieces.noun}"' in icons for pieces in all_pieces)
