"""Error lines for a fault in a file: short, and with the most similar known word."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.log.apply import CorruptLogError
from scoring.document import BadPosition, score_sheet
from scoring.kernel.english import MAX_MESSAGE_LENGTH, closest_match, describe_known_words
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from tests.companion.cli.test_damaged_files import VALID_DOCUMENTS, part_paths

WRONG = (
    "0",
    "",
    0,
    -1,
    None,
    True,
    [],
    {},
    "x" * 5000,
    "NO-SUCH-WORD",
    ["x" * 5000],
    {"x" * 5000: "x" * 5000},
    "a\nb",
    "\u2028",
)


def change_each_part(document: dict, change) -> Iterator[tuple[tuple, Any]]:
    """Yield copies of a document with one part changed, and the path of that part."""
    for path in part_paths(document):
        changed = copy.deepcopy(document)
        part: Any = changed
        for key in path[:-1]:
            part = part[key]
        for value in change(part[path[-1]]):
            part[path[-1]] = value
            yield path, changed


def error_text(document: dict) -> str:
    try:
        score_sheet(document)
    except BadPosition as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("document", VALID_DOCUMENTS, ids=lambda document: document["game"])
def test_fault_line_of_any_wrong_value_has_at_most_300_characters(document: dict):
    lines = {error_text(changed) for _, changed in change_each_part(document, lambda value: WRONG)}
    assert len(lines) > 10
    assert [line for line in lines if len(line) > MAX_MESSAGE_LENGTH or len(line.splitlines()) > 1] == []


@pytest.mark.parametrize("document", VALID_DOCUMENTS, ids=lambda document: document["game"])
def test_fault_line_names_the_nearest_word_regardless_of_case(document: dict):
    """A valid word in capitals or with one letter too many is named in the error line."""

    def misspelt(value: Any) -> Iterator[str]:
        if isinstance(value, str) and len(value) > 3:
            yield from (value.upper() + "X", value.title() + "s")

    missed = []
    for path, changed in change_each_part(document, misspelt):
        line, part = error_text(changed), document
        for key in path:
            part = part[key]
        if line and f'did you mean "{part}"?' not in line:
            missed.append(line)
    assert missed == []


def test_closest_match_ignores_case():
    assert closest_match("RECYCLING-LEAF", ["recycling-leaf", "science"]) == "recycling-leaf"
    assert closest_match("recycling leaf", ["Recycling-Leaf", "science"]) == "Recycling-Leaf"
    assert closest_match("0", ["recycling-leaf", "science"]) is None


def test_long_list_of_known_words_is_cut_and_says_how_many_more_there_are():
    assert describe_known_words(["acorn", "leaf", "rock"]) == "there are acorn, leaf, rock"
    many = describe_known_words(f"word-{number}" for number in range(90))
    assert many.startswith("there are word-0, word-1, ") and many.endswith(" more") and len(many) < 230


@pytest.mark.parametrize("text", ["word " * 200, "x" * 5000], ids=["many words", "one long word"])
@pytest.mark.parametrize(
    "fault", [InvalidInputError, CorruptLogError, lambda text: IllegalMoveError([Reason("wrong", r.WINNER, text)])]
)
def test_any_fault_message_has_at_most_300_characters(fault: Callable[[str], Exception], text: str):
    assert len(str(fault(text))) <= MAX_MESSAGE_LENGTH


def test_error_message_lists_as_many_whole_reasons_as_fit():
    reasons = [Reason("wrong", r.WINNER, f"{letter * 30} {letter * 60}.") for letter in "abcd"]
    assert str(IllegalMoveError(reasons)) == f"{reasons[0]} {reasons[1]}"
