"""Stored and public names must match two committed lists, whatever is renamed in the code.

`tests/stored/names/0.4.0.txt` has the names of 0.4.0, `since.txt` those that were added later. Three names of
0.4.0 were removed from its list. The request header `Waymark-Has` is now `Known-Fragments`. It is neither stored nor
public, since only our own scripts send it, to the server that they came from. There is no shell completion for tcsh
any more. The field `to` opened a choice on a page of PARKS, and was never read.
`tests/support/stored_names.py` collects the names of the current code.
"""

import re
from collections.abc import Set
from pathlib import Path
from typing import Literal

import pytest
from msgspec import Struct, defstruct
from msgspec import inspect as types

from tests.support import stored_names
from tests.support.parametrize import run_all_rows
from tests.support.registered_games import APP_TRACKED_GAMES
from tests.support.stored_names import OLD_NAMES_FILE, SINCE_FILE, read_lines

# Least number of lines of each area: somewhat fewer than there were when the lists were made.
MIN_LINES = {
    "moves": 800, "entries": 80, "setups": 80, "facts": 100, "positions": 1200, "final positions": 60, "results": 35,
    "plans": 14, "transfer files": 6, "rules": 500, "things": 300, "pages": 90, "browsers": 4, "exports": 150,
    "BG Stats": 20, "database": 70, "fields": 150, "commands": 100, "package": 4,
}  # fmt: skip
KNOWN = (
    "move trails hike.steps: int",
    'move trails wildlife.site: "acorn"',
    "entry Opened.game: str",
    "setup parks.players[].passion: str | null = null",
    "rule trails hike-distance",
    "ruling trails astronomy-bonus: bonus",
    'thing trails: "birdwatching-acorn"',
    'figure parks parks.#: "Acadia"',
    "page GET /t/<text>/seat/<int>",
    "field tap",
    "cookie waymark",
    "session device",
    "json score.json players[].total",
    "csv history.csv: decided by",
    "flag serve --instance: takes one",
    "command history",
    "env WAYMARK_INSTANCE",
    "bgstats game.sourceGameId: trails",
    "scoring score_document(document)",
    "table results.id: TEXT",
    "migration waymark history",
)  # fmt: skip


def difference(listed: Set[str], today: Set[str]) -> str:
    """Return instructions for names only in the lists or only in the code; "" if they agree."""
    missing, new = sorted(listed - today), sorted(today - listed)
    lines = []
    if missing:
        lines += [
            f"Missing: {len(missing)}. Stored data, files, links or scripts with these names would break:",
            *missing,
        ]
        lines += ["Give the code its old name for them. If only their line is worded otherwise, fix stored_names.py."]
    if new:
        lines += [f"New: {len(new)}. Stored data, files or links will have these names:", *new]
        lines += ["If they replace names that are missing, something was renamed: undo that."]
        lines += [f"If they were added on purpose: python -m tests.support.stored_names --add ({SINCE_FILE.name})"]
    return "\n".join(lines)


def first_word(line: str) -> str:
    """Return the first word of a line: "move", "page"."""
    return re.split(r"[ .]", line)[0]


def test_stored_names_of_today_compared_with_both_lists_are_the_same():
    """Compare the names of the code with the lists; a difference is explained."""
    listed, today, faults = {*read_lines(OLD_NAMES_FILE), *read_lines(SINCE_FILE)}, set[str](), list[str]()
    for area in stored_names.AREAS:
        try:
            today |= stored_names.area_lines(area)
        except Exception as fault:  # The other areas may explain the fault.
            faults.append(f"{area}: cannot be collected: {fault}")
    if faults:
        kinds = {*map(first_word, today)}
        listed = {line for line in listed if first_word(line) in kinds}
    if explained := "\n".join([difference(listed, today), *faults]).strip():
        pytest.fail(explained, pytrace=False)


@run_all_rows("file", [OLD_NAMES_FILE, SINCE_FILE])
def test_committed_list_of_names_is_sorted_and_has_no_duplicates(file: Path):
    assert read_lines(file) == sorted(set(read_lines(file)))


def test_name_in_the_list_of_0_4_0_is_in_no_other_list():
    assert not {*read_lines(OLD_NAMES_FILE)} & {*read_lines(SINCE_FILE)}


def test_every_area_has_a_minimum_number_of_lines():
    assert set(MIN_LINES) == set(stored_names.AREAS)


@run_all_rows("area, minimum", MIN_LINES.items())
def test_collected_area_has_at_least_its_minimum_of_names(area: str, minimum: int):
    assert len(stored_names.area_lines(area)) >= minimum


@run_all_rows("name", KNOWN)
def test_name_known_to_be_stored_or_public_is_collected(name: str):
    assert name in stored_names.stored_names()


def test_move_of_every_tracked_game_is_collected_with_its_tag():
    tags = {(key, kind.__struct_config__.tag) for key, tracked in APP_TRACKED_GAMES.items() for kind in tracked.moves}
    assert {f"move {key} {tag}: type={tag}" for key, tag in tags} <= stored_names.area_lines("moves")


# Lines the collector writes for types


class SampleStruct(Struct, tag="stone"):
    """Sample struct with a tag."""

    colour: Literal["grey", "red"]
    weight: int = 2


class SampleList(Struct):
    """Sample struct with a list of structs and an optional one."""

    stones: tuple[SampleStruct, ...]
    held: SampleStruct | None = None
    names: dict[str, SampleStruct] = {}


SHAPE_OF_A_STONE = {'.colour: "grey"', '.colour: "red"', ".colour: choice", ".weight: int = 2", ": type=stone"}


def struct_lines(kind: type) -> set[str]:
    return {*stored_names.type_lines("it", kind)}


def test_struct_within_lists_choices_and_objects_is_listed_with_its_path():
    within = {f"it.{path}{end}" for path in ("stones[]", "held<stone>", "names{}") for end in SHAPE_OF_A_STONE}
    own = {"it.stones: [object]", "it.held: object | null = null", "it.names: {str: object} = {}"}
    assert struct_lines(SampleList) == within | own


OTHERS = {
    "a field": defstruct("Stone", [("color", Literal["grey", "red"]), ("weight", int, 2)], tag="stone"),
    "a tag": defstruct("Stone", [("colour", Literal["grey", "red"]), ("weight", int, 2)], tag="rock"),
    "a value": defstruct("Stone", [("colour", Literal["gray", "red"]), ("weight", int, 2)], tag="stone"),
    "a type": defstruct("Stone", [("colour", Literal["grey", "red"]), ("weight", int | None, 2)], tag="stone"),
    "a default": defstruct("Stone", [("colour", Literal["grey", "red"]), ("weight", int, 3)], tag="stone"),
    "no default": defstruct("Stone", [("colour", Literal["grey", "red"]), ("weight", int)], tag="stone"),
}


@run_all_rows("changed, kind", OTHERS.items())
def test_struct_with_another_name_or_default_gives_another_line(changed: str, kind: type):
    assert struct_lines(kind) - struct_lines(SampleStruct), changed
    assert struct_lines(SampleStruct) - struct_lines(kind), changed


def test_struct_under_another_class_name_gives_the_same_lines():
    fields = [("colour", Literal["grey", "red"]), ("weight", int, 2)]
    assert struct_lines(defstruct("Pebble", fields, tag="stone")) == struct_lines(SampleStruct)


def test_moves_of_every_game_have_an_explicit_tag():
    """Class names are not stored: a class without `tag="..."` would have no tag at all."""
    assert [
        move for tracked in APP_TRACKED_GAMES.values() for move in tracked.moves if not types.type_info(move).tag
    ] == []


def test_difference_with_a_renamed_name_lists_missing_and_new_names():
    message = difference({"cookie waymark", "session device"}, {"cookie trail", "session device"})
    assert "would break:\ncookie waymark\n" in message
    assert "these names:\ncookie trail\n" in message and "--add (since.txt)" in message
    assert "session" not in message


def test_difference_of_equal_lists_is_empty():
    assert difference({"cookie waymark"}, {"cookie waymark"}) == ""
