"""Tests of the source of the templates: names that they read, long lines, nested blocks."""

import re
from pathlib import Path

import pytest
from jinja2 import meta, nodes

from companion.rendering.templating import create_template_app
from companion.system.paths import CHECKOUT
from scoring.games import GAMES

MAX_LINE_LENGTH = 160
MAX_NESTING = 5
TEMPLATES = CHECKOUT / "templates"
GAME_FOLDERS = sorted(
    folder for folder in TEMPLATES.iterdir() if folder.name.removesuffix("-score-entry") in {*GAMES, "default"}
)
GAME_TEMPLATES = [file for folder in GAME_FOLDERS for file in sorted(folder.glob("*.html"))]
ENVIRONMENT = create_template_app().jinja_env
GLOBALS = {*ENVIRONMENT.globals, "url_for", "request"}
ALL_TEMPLATES = sorted(file for file in TEMPLATES.rglob("*") if file.is_file())
BLOCK_TAGS = {"if", "for", "call", "with", "macro", "filter", "block"}
SHARED_NAMES = {"shared", "fragment"}
DOCUMENT = (CHECKOUT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
# The rows of the table in "Its templates": files -> names.
DOCUMENTED = {
    file: set(re.findall(r"`(\w+)`", names))
    for files, names in re.findall(r"^\| (`_[^|]*) \| [^|]* \| ([^|]*) \|$", DOCUMENT, re.MULTILINE)
    for file in re.findall(r"`([\w.]+)`", files)
}


def parse(file: Path) -> nodes.Template:
    return ENVIRONMENT.parse(file.read_text(encoding="utf-8"))


def set_names(file: Path) -> set[str]:
    """Return the names that a template sets anywhere, those of its macros included."""
    names = {name.name for name in parse(file).find_all(nodes.Name) if name.ctx != "load"}
    return names | {macro.name for macro in parse(file).find_all(nodes.Macro)}


def read_names(file: Path) -> set[str]:
    """Return the names that a template reads and does not set."""
    return meta.find_undeclared_variables(parse(file)) - set_names(file) - GLOBALS


def documented_names(file: Path) -> set[str]:
    """Return the names that a template of a game can read."""
    if file.name in DOCUMENTED:
        return DOCUMENTED[file.name]
    name, source = file.relative_to(TEMPLATES).as_posix(), {other: other.read_text() for other in GAME_TEMPLATES}
    if any(f'shared_fragment(turn.table, "{file.name}"' in text for text in source.values()):
        return SHARED_NAMES
    including = [other for other, text in source.items() if f'{{% include "{name}"' in text]
    return {known for other in including for known in documented_names(other) | set_names(other)}


@pytest.mark.parametrize("file", GAME_TEMPLATES, ids=lambda file: file.relative_to(TEMPLATES).as_posix())
def test_template_of_a_game_reads_documented_names_only(file: Path):
    unknown = sorted(read_names(file) - documented_names(file))
    assert not unknown, (
        f"{file.relative_to(CHECKOUT)} reads {unknown}. Read it from `turn`, `shared` or `page`, "
        'or add it to the table of "Its templates" in docs/adding-a-game.md.'
    )


def test_documented_templates_have_names():
    assert {"_moves.html", "_players.html", "_setup.html", "_score_pad.html"} <= DOCUMENTED.keys()
    assert all(DOCUMENTED.values())


def count_long_lines(source: str) -> int:
    return sum(len(line) > MAX_LINE_LENGTH for line in source.splitlines())


def deepest_nesting(source: str) -> int:
    """Return how many blocks are inside each other at most, such as loops and macros."""
    depth = deepest = 0
    tokens = [token for token in ENVIRONMENT.lex(source) if token[1] != "whitespace"]
    for number, (_, kind, _) in enumerate(tokens):
        if kind != "block_begin":
            continue
        tag = tokens[number + 1][2]
        end = next(later for later in range(number, len(tokens)) if tokens[later][1] == "block_end")
        is_set_block = tag == "set" and not any(token[2] == "=" for token in tokens[number:end])
        has_content = tag in BLOCK_TAGS or is_set_block
        depth += has_content - tag.startswith("end")
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize("file", ALL_TEMPLATES, ids=lambda file: file.relative_to(TEMPLATES).as_posix())
def test_template_has_short_lines_and_few_nested_blocks(file: Path):
    source = file.read_text(encoding="utf-8")
    assert count_long_lines(source) == 0, (
        f"Break the lines over {MAX_LINE_LENGTH} characters, inside a tag if possible."
    )
    assert deepest_nesting(source) <= MAX_NESTING, (
        f"Move blocks into a macro; {MAX_NESTING} inside each other are enough."
    )


def test_form_that_posts_a_tap_is_written_once():
    live = {file.relative_to(TEMPLATES).as_posix() for file in ALL_TEMPLATES if "hx-post=" in file.read_text()}
    assert live == {"_forms.html", "card_facts.html"}, "Use the macro `tap_form` for a form that posts a tap."
