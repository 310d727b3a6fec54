"""Physical actions after a repair of ALPINE TRAILS, by the field that changed."""

from collections.abc import Iterator

from scoring.alpine_trails.editable import editable_fields
from scoring.alpine_trails.state import State
from scoring.kernel.editable import EditableField
from scoring.kernel.english import with_article
from scoring.kernel.table_actions import Count, Handlings, Pile, table_actions
from scoring.kernel.tracked_game import TableAction


def _tile_action(old: EditableField | None, new: EditableField | None) -> str:
    """Return the action at a cell of a map; its field's label is the location, after "tile"."""
    if new is None:
        assert old
        return f"Remove {_with_article(old.label)}."
    if old and old.value_text == new.value_text:
        return ""
    if old:
        return f"Replace {_with_article(new.label)} with {with_article(new.value_text)}."
    location = new.label.removeprefix("tile ")
    return f"Place {with_article(new.value_text)}, {location if location != new.label else f'as {location}'}."


def _with_article(label: str) -> str:
    return f"the {label}" if label.startswith("tile ") else label


HANDLINGS: Handlings = {
    "players.*.map.*.*": _tile_action,
    "players.*.kept": Pile("Take {} from the animal card.", "Put {} back on the animal card.", deck="animals"),
    "players.*.waterfalls": Count("waterfall tile"),
    "players.*.played": None,
    "players.*.campsite": None,
    "players.*.forks": None,
    "players.*.goal": None,
    "players.*.complete": None,
    "round": None,
    "bag": None,
}


def repair_actions(before: State, after: State) -> Iterator[TableAction]:
    """Yield the actions that turn the table of one state into that of another."""
    return table_actions(HANDLINGS, editable_fields(before), editable_fields(after))
