"""Facts of the box an owner enters once: values set by path and checked as a whole."""

import dataclasses
from typing import Literal

import pytest
from msgspec import Struct

from scoring.kernel.card_facts import CardFactsFormat, FactItem, merge_value_by_value
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.parsing import read_struct
from scoring.kernel.rule import Reason, Rule
from tests.support.parametrize import run_all_rows

RULE = Rule("cards", "Cards", "There are two cards.", "rulebook", "2")


class Card(Struct, frozen=True):
    legs: tuple[Literal["red", "blue"] | None, ...] = (None, None)
    name: str | None = None


class Box(Struct, frozen=True):
    cards: tuple[Card, ...] = ()
    note: str | None = None
    costs: dict[str, tuple[str, ...]] = {}


def check(box: Box):
    if len(box.cards) > 2:
        yield Reason("too-many-cards", RULE, "There are two cards.")


def items(box: Box):
    for number, card in enumerate(box.cards):
        yield FactItem(
            ("cards", (card.name or number)), f"Card {number + 1}", "/".join(leg or "?" for leg in card.legs)
        )
    yield FactItem(("note",), "The note", box.note or "")
    for id, cost in box.costs.items():
        yield FactItem(("costs", id), id, ", ".join(cost))


FACTS = CardFactsFormat(
    Box,
    "Cards",
    lambda data: read_struct(data, Box),
    check,
    lambda stored, entered: entered,
    items,
    merge_value_by_value,
)
STORED_FACTS = Box((Card(("red", None)),), "old")

CHANGES = {
    "a value": ({"note": "new"}, Box(STORED_FACTS.cards, "new")),
    "a value in a list": ({"cards.0.legs.1": "blue"}, Box((Card(("red", "blue")),), "old")),
    "two values": ({"note": "new", "cards.0.name": "first"}, Box((Card(("red", None), "first"),), "new")),
    "a new entry": ({"cards.1.name": "second"}, Box((*STORED_FACTS.cards, Card(name="second")), "old")),
    "the first of a new list": ({"costs.boost.0": "red"}, Box(STORED_FACTS.cards, "old", {"boost": ("red",)})),
    "not known any more": ({"cards.0.legs.0": ""}, Box((Card(),), "old")),
}


@run_all_rows("told, known", CHANGES.values(), ids=list(CHANGES))
def test_values_are_set_by_their_paths(told: dict, known: Box):
    assert FACTS.with_values(STORED_FACTS, told) == known


def test_list_entry_is_removed():
    assert FACTS.with_values(STORED_FACTS, {}, "cards.0") == Box((), "old")


UNKNOWN_PATHS = [
    "cards.2.name",
    "cards.x.name",
    "cards.0.legs.7",
    "note.deeper",
    "cards.-1.name",
    "cards.0.legs.0.deeper",
]


@run_all_rows("path", UNKNOWN_PATHS)
def test_path_that_leads_nowhere_is_named(path: str):
    with pytest.raises(InvalidInputError, match=path.replace(".", r"\.")):
        FACTS.with_values(STORED_FACTS, {path: "red"})


@run_all_rows("path", ["cards.1", "note", "cards", "nothing.0"])
def test_only_list_entries_are_removed(path: str):
    with pytest.raises(InvalidInputError, match=path):
        FACTS.with_values(STORED_FACTS, {}, path)


def test_value_of_the_wrong_type_is_refused_with_its_place():
    with pytest.raises(InvalidInputError, match=r"cards\[0\]\.legs\[1\]"):
        FACTS.with_values(STORED_FACTS, {"cards.0.legs.1": "green"})


def test_facts_no_box_can_have_are_refused_with_their_rule():
    full = Box((Card(), Card()))
    with pytest.raises(IllegalMoveError) as refused:
        FACTS.with_values(full, {"cards.2.name": "third"})
    assert [reason.code for reason in refused.value.reasons] == ["too-many-cards"]


LEARNED_FACTS = {
    "an entered value": (Box(note="mine"), Box(), Box((Card(),)), Box((Card(),), "mine")),
    "one value of a list": (
        Box((Card(("red", "red")),)),
        Box((Card(),)),
        Box((Card((None, "blue")),)),
        Box((Card(("red", "blue")),)),
    ),
    "nothing": (Box(note="mine"), Box(note="old"), Box(note="old"), Box(note="mine")),
    "a removed value": (Box(note="mine"), Box(note="mine"), Box(), Box()),
    "one key, and the others stay": (
        Box(costs={"one": ("red",)}),
        Box(),
        Box(costs={"two": ("blue",)}),
        Box(costs={"one": ("red",), "two": ("blue",)}),
    ),
    "a removed key": (
        Box(costs={"one": ("red",), "two": ("blue",)}),
        Box(costs={"two": ("blue",)}),
        Box(),
        Box(costs={"one": ("red",)}),
    ),
    "a card in addition to those added meanwhile": (
        Box((Card(name="kept"),)),
        Box(),
        Box((Card(name="told"),)),
        Box((Card(name="kept"), Card(name="told"))),
    ),
    "a card both have added": (Box((Card(name="a"),)), Box(), Box((Card(name="a"),)), Box((Card(name="a"),))),
    "a removed card": (
        Box((Card(name="old"), Card(name="kept"))),
        Box((Card(name="old"),)),
        Box(),
        Box((Card(name="kept"),)),
    ),
    "if both make no box, the entered value": (
        Box((Card(), Card())),
        Box(),
        Box((Card(name="told"),)),
        Box((Card(name="told"),)),
    ),
}


@run_all_rows("stored, before, after, known", LEARNED_FACTS.values(), ids=list(LEARNED_FACTS))
def test_only_facts_a_table_entered_meanwhile_are_learned(stored: Box, before: Box, after: Box, known: Box):
    assert FACTS.update_from_table(stored, before, after) == known


def test_facts_that_make_no_valid_box_are_not_learned():
    """Also if nothing else was entered meanwhile, and if the game's own merge is invalid."""
    full, fuller = Box((Card(), Card())), Box((Card(), Card(), Card(name="third")))
    # As if others had entered facts: the entered facts count.
    assert FACTS.update_from_table(full, full, fuller) == Box((Card(name="third"),))
    careless = dataclasses.replace(FACTS, merge=lambda stored, entered: fuller)
    for stored, before, after in ((full, full, fuller), (full, Box(), Box((Card(name="told"),)))):
        with pytest.raises(IllegalMoveError) as refused:
            careless.update_from_table(stored, before, after)
        assert [reason.code for reason in refused.value.reasons] == ["too-many-cards"]


def test_game_may_define_how_its_facts_are_learned():
    own = dataclasses.replace(
        FACTS, merge_table_changes=lambda stored, before, after: Box(stored.cards, f"{before.note} {after.note}")
    )
    assert own.update_from_table(STORED_FACTS, Box(note="from"), Box(note="to")) == Box(STORED_FACTS.cards, "from to")
