"""Score entry from the fields of a struct: titles, limits, and refused fields."""

from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, defstruct, field

from scoring.kernel.errors import InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.parsing import error_at
from scoring.kernel.score_entry import score_entry_from_fields
from scoring.kernel.tracked_game import TrackedGame
from tests.support.parametrize import run_all_rows
from tests.support.small_games import peaks

assert peaks.GAME.score_entry
PEAKS_ENTRY = peaks.GAME.score_entry
USE = "use a whole number, a flag or a Literal of words, or write score_entry.py"


def score_entry_with(annotation: Any, **options: Any) -> TrackedGame:
    """Return a score entry whose players have a name and the field `tents`."""
    options = options or {"default": 0}
    player = defstruct("Climber", [("name", str), ("tents", annotation, field(**options))])
    return score_entry_from_fields(peaks.BOX, player)


REFUSED_FIELDS = {
    "a list": (list[int], {"default_factory": list}),
    "a tuple": (tuple[int, ...], {"default": ()}),
    "a set": (set[int], {"default_factory": set}),
    "a dictionary": (dict[str, int], {"default_factory": dict}),
    "a struct": (defstruct("Tent", [("size", int, 0)]), {"default": None}),
    "a number with a fraction": (float, {"default": 0.0}),
    "free text": (str, {"default": ""}),
    "an optional value or another union": (int | None, {"default": None}),
    "a Literal with other values than words": (Literal[1, 2], {"default": 1}),
    "a multiple of a number": (Annotated[int, Meta(multiple_of=5)], {"default": 0}),
    "a value of this type": (Any, {"default": 0}),
}


@run_all_rows(("noun", "case"), REFUSED_FIELDS.items())
def test_field_that_cannot_be_asked_is_refused_when_the_entry_is_built(noun: str, case: tuple[Any, dict]):
    annotation, options = case
    with pytest.raises(TypeError) as refusal:
        score_entry_with(annotation, **options)
    assert str(refusal.value) == f"Climber.tents: a score entry cannot ask for {noun}; {USE}"


@run_all_rows("options", [{"default_factory": int}, {"name": "tents"}])
def test_field_without_a_default_value_is_refused(options: dict[str, Any]):
    with pytest.raises(TypeError, match=r"Climber\.tents: a score entry needs a default value to start from; add one"):
        score_entry_with(int, **options)


@run_all_rows(
    ("annotation", "default", "text"),
    [
        (Annotated[int, Meta(ge=1, le=5)], 0, "0 cannot be entered; enter 1 to 5"),
        (Literal["small", "large"], "huge", "'huge' cannot be entered; choose Small or Large"),
        (bool, 3, "3 cannot be entered; choose Yes or No"),
    ],
)
def test_default_value_that_cannot_be_entered_is_refused(annotation: Any, default: object, text: str):
    with pytest.raises(TypeError) as refusal:
        score_entry_with(annotation, default=default)
    assert str(refusal.value) == f"Climber.tents: the default value {text}"


def first_entry_field(tracked: TrackedGame, seat: int = 0, **entered: str) -> Any:
    """Return the first field of a score entry after some values were entered."""
    return tracked.view_helpers["entry_fields"](state_after(tracked, **entered), seat, {})[0]


def enter_value(tracked: TrackedGame, name: str, value: str) -> Move:
    return tracked.decode({"type": "tell", "what": name, "value": value})


def state_after(tracked: TrackedGame, **entered: str) -> Any:
    """Return the state after Ana entered some values."""
    state = tracked.initial_state(tracked.setup_format.default(["Ana", "Bo", "Cy"]))
    for name, value in entered.items():
        state = tracked.play(state, 0, enter_value(tracked, name, value))
    return state


@run_all_rows(
    ("limits", "minimum", "maximum", "instruction"),
    [
        ({}, None, None, "enter a whole number"),
        ({"ge": 0}, 0, None, "enter 0 or more"),
        ({"le": 20}, None, 20, "enter 20 or less"),
        ({"ge": -5, "le": 20}, -5, 20, "enter -5 to 20"),
        ({"gt": -1, "lt": 3}, 0, 2, "enter 0 to 2"),
        ({"gt": -1, "le": 3}, 0, 3, "enter 0 to 3"),
    ],
)
def test_limits_of_a_number_are_read_from_its_meta(
    limits: dict[str, int], minimum: int | None, maximum: int | None, instruction: str
):
    entry_field = first_entry_field(score_entry_with(Annotated[int, Meta(**limits)]))
    assert (entry_field.minimum, entry_field.maximum, entry_field.instruction) == (minimum, maximum, instruction)


@run_all_rows(
    ("annotation", "default", "title", "labels"),
    [
        (Annotated[int, Meta(title="Tents pitched")], 0, "Tents pitched", {}),
        (Annotated[bool, Meta(title="Any tents?")], False, "Any tents?", {"true": "Yes", "false": "No"}),
        (
            Annotated[Literal["small", "large"], Meta(title="Size")],
            "small",
            "Size",
            {"small": "Small", "large": "Large"},
        ),
        (Annotated[int, Meta(ge=0)], 0, "Tents", {}),
        (bool, False, "Tents", {"true": "Yes", "false": "No"}),
    ],
)
def test_title_of_a_field_is_read_from_its_meta(annotation: Any, default: object, title: str, labels: dict[str, str]):
    entry_field = first_entry_field(score_entry_with(annotation, default=default))
    assert (entry_field.title, entry_field.labels) == (title, labels)


def test_field_without_a_title_has_its_name_with_spaces_as_title():
    player = defstruct("Climber", [("name", str), ("tents_in_use", int, 0)])
    assert first_entry_field(score_entry_from_fields(peaks.BOX, player)).title == "Tents in use"


def offered_values(tracked: TrackedGame, state: Any, name: str) -> list[str]:
    """Return the values that Ana is offered for a field."""
    moves = [offer.move for offer in tracked.offers(state, 0) if offer.is_legal]
    return [move.value for move in moves if getattr(move, "field_name", "") == name]


@run_all_rows(("entered", "offered"), [("0", ["1"]), ("7", ["8", "6"]), ("20", ["19"])])
def test_offered_numbers_stay_within_the_limits(entered: str, offered: list[str]):
    assert offered_values(PEAKS_ENTRY, state_after(PEAKS_ENTRY, summits=entered), "summits") == offered


def test_offered_words_leave_out_the_current_one():
    assert offered_values(PEAKS_ENTRY, state_after(PEAKS_ENTRY), "weather") == ["fair"]
    assert offered_values(PEAKS_ENTRY, state_after(PEAKS_ENTRY, guide="true"), "guide") == ["false"]


@run_all_rows(
    ("name", "value", "text"),
    [
        ("summits", "21", "Summits reached: enter 0 to 20."),
        ("summits", "-1", "Summits reached: enter 0 to 20."),
        ("summits", "many", "Summits reached: enter 0 to 20."),
        ("summits", "9" * 40, "Summits reached: enter 0 to 20."),
        ("guide", "perhaps", "Guide hired: choose Yes or No."),
        ("weather", "windy", "Weather on the last day: choose Fair or Foul."),
    ],
)
def test_value_outside_the_limits_is_refused_with_title_and_limits(name: str, value: str, text: str):
    reasons = [*PEAKS_ENTRY.objections(state_after(PEAKS_ENTRY), 0, enter_value(PEAKS_ENTRY, name, value))]
    assert [reason.text for reason in reasons] == [text]


@run_all_rows(
    ("name", "value", "label"),
    [
        ("summits", "2", "Summits reached: 2"),
        ("guide", "true", "Guide hired: Yes"),
        ("weather", "fair", "Weather on the last day: Fair"),
        ("tents", "2", "tents: 2"),
    ],
)
def test_button_and_log_line_of_a_value_have_the_title_of_its_field(name: str, value: str, label: str):
    state, move = state_after(PEAKS_ENTRY), enter_value(PEAKS_ENTRY, name, value)
    assert (move.label(state, 0).text, move.log_text(state, 0)) == (label, f"entered {label}")


@run_all_rows(
    ("summits", "text"),
    [
        (21, "players[0].summits: expected a whole number of at most 20"),
        (-1, "players[0].summits: expected a whole number of at least 0"),
        (10**30, "players[0].summits: expected a whole number of at most 20"),
        ("2", "players[0].summits: expected a whole number, got text"),
    ],
)
def test_document_with_a_value_outside_the_limits_is_refused_with_place_and_limit(summits: object, text: str):
    players = [{"name": "Ana", "summits": summits}, {"name": "Bo"}, {"name": "Cy"}]
    with pytest.raises(InvalidInputError) as refusal:
        peaks.BOX.read_final_position({"game": "peaks", "players": players})
    assert str(refusal.value) == text


def test_refusal_with_a_colon_in_its_text_is_shown_whole():
    def refuse(document: dict) -> None:
        raise error_at("players", 'only one player can have the lantern, not "Ann: A" and "Bo: B"')

    entry = score_entry_from_fields(replace(peaks.BOX, read_final_position=refuse), peaks.BOX.player_document)
    (reason,) = entry.objections(state_after(entry), 0, enter_value(entry, "summits", "2"))
    assert reason.text == 'Only one player can have the lantern, not "Ann: A" and "Bo: B".'
