"""Values in nested data are found and changed by their paths."""

import pytest
from msgspec import Struct

from scoring.kernel.paths import get_value, parse_path, with_value


class Side(Struct, frozen=True):
    cards: tuple[str, ...] = ("a", "b")
    counts: dict[str, int] = {}


class Table(Struct, frozen=True):
    sides: tuple[Side, ...] = (Side(), Side())


def test_path_of_a_text_has_numbers_for_indexes():
    assert parse_path("sides.1.cards.0") == ("sides", 1, "cards", 0)


def test_value_is_found_in_structs_lists_and_dicts():
    table = Table((Side(counts={"x": 3}),))
    assert [get_value(table, parse_path(text)) for text in ("sides.0.cards.1", "sides.0.counts.x")] == ["b", 3]
    assert get_value(table, parse_path("sides.0.counts.y")) is None


def test_changed_copy_leaves_the_original_unchanged():
    table = Table()
    changed = with_value(table, parse_path("sides.1.cards.0"), "c")
    assert get_value(changed, parse_path("sides.1.cards")) == ["c", "b"]
    assert table == Table()


def test_missing_containers_are_created():
    assert with_value({}, parse_path("cards.0.name"), "c", may_append=True) == {"cards": [{"name": "c"}]}


@pytest.mark.parametrize(
    ("path", "may_append"), [("sides.2", False), ("sides.3", True), ("sides.x", True), ("sides.0.cards.0.deeper", True)]
)
def test_path_that_leads_nowhere_is_a_lookup_error(path: str, may_append: bool):
    with pytest.raises(LookupError):
        with_value(Table(), parse_path(path), "c", may_append=may_append)
