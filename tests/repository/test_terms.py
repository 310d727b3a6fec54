"""Tests of the texts that people read: none has a word that docs/terms.md replaces."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.system.paths import CHECKOUT

# A word, as a regular expression without regard to case, and what to write instead.
BETTER_WORDS = {
    r"colour|grey\b|favour|neighbour|\bcentre\b|\blicen[cs]e\b(?<!license)": "American spelling",
    r"\b(?:no|every|some|any)body\b|\bwho(?:m)?ever\b": "no one, everyone, someone, anyone; or name the player",
    r"\bat once\b": "immediately, right away",
    r"\banew\b": "again, new",
    r"\btold\b|\buntold\b|\btell(?:s|ing)? (?:it|the app|what|of)\b": "entered, enter",
    r"\bset(?:s|ting)? right\b|\bmend(?:s|ed|ing)?\b": "fix, correct",
    r"\b(?:take|takes|taking|took|taken) back\b(?!\s*’s seat)": "undo",
    r"\bset aside\b": "removed",
    r"\b(?:lies|lie|lay|lying|lain) (?:otherwise|so|as|there|here|open|on|in|beside|besides|by)\b": "is; face-up",
    r"\b(?:are|is|be|being|all|players|those) level\b|\blevel (?:with|in)\b": "tied",
    r"\bleave (?:it|the (?:photo|resource|exchange|parks|reward|free \w+))\b": "skip",
    r"\ball told\b|\bthat is all i have\b": "done",
    r"\b(?:the|whole) story\b": "game log",
    r"\bverdicts?\b": "answer",
    r"\breadings?\b": "option, house rule",
    r"\bhouse rulings?\b": "house rule",
    r"\btwo accounts\b|\blaid? (?:it |them )?beside\b": "versions, compare",
    r"\(usual\)": "default",
    r"\bnever mind\b|\bnot so\b": "Cancel, Withdraw, Decline",
    r"\bback to here\b": "rewind",
    r"\btyped in\b|\btype in a\b": "add, enter",
    r"\b(?:take|takes|taken|took) in\b": "import",
    r"\bput together\b|\bforgotten\b": "merge, delete",
    r"\bgo(?:es)? on (?:as|playing|counting)\b": "take over, continue",
    r"\bby (?:itself|themselves)\b": "automatically",
    r"\bto and fro\b": "back and forth",
    r"\bthrow(?:n|s)? away\b": "discard",
    r"\bthe discards\b": "the discard pile",
    r"\bbesides\b": "also",
    r"\bthe app\b|\bthe companion\b": "Waymark",
    r"\brules core\b": "leave it out",
    r"\b\d{4}-\d\d-\d\d\b": "25 Nov 2026",
}
# Texts that are stored in tables or files, by file, so that they cannot change.
STORED_TEXTS = {
    "companion/storage/card_facts.py": {"taken back"},
    "companion/storage/erasure.py": {"Somebody"},
    "scoring/alpine_trails/editable.py": {"not told"},
    "scoring/alpine_trails/position.py": {"not told"},
    "scoring/on_the_trail/editable.py": {"not told"},
    "scoring/trails/editable.py": {"not told"},
    "scoring/trails/text.py": {"roll the die, or leave it"},
    "templates/_card_facts_changes.html": {"taken back"},
}
# Attributes of HTML elements that people read or hear.
READ_ATTRIBUTES = r"aria-label|aria-description|alt|title|placeholder|data-too-large|value"
SKIPPED_TOML_KEYS = {"source", "confidence"}
PROSE = re.compile(r"[^\W\d_]\W* \W*[^\W\d_]|^[A-Z][a-z]+$")  # several words, or one with a capital
PATTERN_MARKS = re.compile(r"\\[bwWdDsS]|\(\?|\bSELECT\b|\bINSERT\b|\bUPDATE\b|\bDELETE\b|\bCREATE\b")


class Text(NamedTuple):
    """A text that people read, and the line of the file in which it begins."""

    line: int
    text: str


def test_words_to_replace_are_found_in_each_kind_of_file(tmp_path: Path):
    (tmp_path / "a.html").write_text(
        '{# anew #}<p class="anew" title="Lay it anew">{{ anew("all anew") }}</p>\nat\nonce'
    )
    (tmp_path / "a.py").write_text(
        '"""Anew."""\nA = ("Deal " f"{1} anew.", "anew")\n"""All told."""\nB = r"\\banew all"\n'
    )
    (tmp_path / "a.toml").write_text('[a]\nsource = "told by a fan"\ntext = "Dealt anew"\n')
    found = {path.name: find_words(path) for path in sorted(tmp_path.iterdir())}
    assert {name: [(line, word) for line, word, _ in hits] for name, hits in found.items()} == {
        "a.html": [(1, "anew"), (1, "anew"), (2, "at once")],
        "a.py": [(2, "anew")],
        "a.toml": [(3, "anew")],
    }


def visible_files() -> list[Path]:
    """Return the templates, and the files of code and of boxes with texts that people read."""
    templates = [path for path in (CHECKOUT / "templates").rglob("*") if path.suffix in (".html", ".svg")]
    code = [path for folder in ("scoring", "companion") for path in (CHECKOUT / folder).rglob("*.py")]
    return sorted([*templates, *code, *(CHECKOUT / "scoring").rglob("box.toml")])


@pytest.mark.parametrize("path", visible_files(), ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_texts_have_no_replaced_words(path: Path):
    name = path.relative_to(CHECKOUT).as_posix()
    hits = find_words(path, STORED_TEXTS.get(name, set()))
    assert not hits, "\n" + "\n".join(f"{name}:{line}: \u201c{word}\u201d: {better}" for line, word, better in hits)


def find_words(path: Path, stored_texts: set[str] = frozenset()) -> list[tuple[int, str, str]]:
    """Return the line, the word and the better word of each place with a word that is replaced."""
    read = {".py": python_texts, ".toml": toml_texts}.get(path.suffix, template_texts)
    return sorted(
        (text.line + text.text[: match.start()].count("\n"), " ".join(match[0].split()), better)
        for text in read(path.read_text(encoding="utf-8"))
        if text.text not in stored_texts
        for pattern, better in BETTER_WORDS.items()
        for match in re.finditer(pattern.replace(" ", r"\s+"), text.text, re.IGNORECASE)
    )


def python_texts(source: str) -> Iterator[Text]:
    """Yield the plain strings of a module, and the help of commands."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(each) for each in node.decorator_list):
            yield Text(node.lineno, ast.get_docstring(node) or "")
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            text = "".join(part.value if isinstance(part, ast.Constant) else "\u2026" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if PROSE.search(text) and not PATTERN_MARKS.search(text):
            yield Text(node.lineno, text)


def toml_texts(source: str) -> Iterator[Text]:
    """Yield the texts of a box, but not the sources of its facts."""
    for text in _toml_strings(tomllib.loads(source)):
        if PROSE.search(text):
            yield Text(1 + source[: source.find(text)].count("\n"), text)


def _toml_strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _toml_strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in SKIPPED_TOML_KEYS:
                yield from _toml_strings(item)


def template_texts(source: str) -> Iterator[Text]:
    """Yield the text of a template, its attributes that people read, and its strings."""
    source = _blank(r"\{#.*?#\}|<!--.*?-->|<(script|style)\b.*?</\1>", source)
    for code in re.finditer(r"\{\{.*?\}\}|\{%.*?%\}", source, re.DOTALL):
        for literal in re.finditer(r'"([^"]*)"', code[0]):
            if PROSE.search(literal[1]):
                yield Text(1 + source[: code.start() + literal.start()].count("\n"), literal[1])
    source = _blank(r"\{\{.*?\}\}|\{%.*?%\}", source)
    for attribute in re.finditer(rf'\b(?:{READ_ATTRIBUTES})="([^"]*)"', source):
        yield Text(1 + source[: attribute.start()].count("\n"), attribute[1])
    yield Text(1, _blank(r"<[^>]*>", source))


def _blank(pattern: str, text: str) -> str:
    """Return a text with the matches of a pattern blanked, so that lines keep their numbers."""
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.DOTALL)
