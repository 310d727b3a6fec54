"""Physical actions after a repair of TRAILS: how players carry out the change of each field."""

from collections.abc import Iterator

from scoring.kernel.editable import EditableField
from scoring.kernel.table_actions import Count, Handlings, Pile, Value, table_actions
from scoring.kernel.tracked_game import TableAction
from scoring.trails.editable import NOT_ENTERED, editable_fields
from scoring.trails.reminders import FLIP_DISCARD
from scoring.trails.state import LAY_TRAIL, RESOURCES, TRAIL_END, State
from scoring.trails.text import NONE, UNNAMED, space_name


def _hand_action(old: EditableField | None, new: EditableField | None) -> str:
    """Return what to do about a hand badge: others only know whether there is one."""
    was_empty, is_empty = (field is not None and field.value == NONE for field in (old, new))
    if was_empty == is_empty:
        return ""
    return "Put the hand badge back into the deck." if is_empty else "Draw a hand badge."


def _sun_action(old: EditableField | None, new: EditableField | None) -> str:
    if new is None or (old and old.value_text == new.value_text):
        return ""
    if new.value.startswith("taken"):
        return f"Put the Sun aside, {new.value_text}."
    return f"Move the Sun to the {new.value_text.removeprefix('the ')}."


END_CARD = Value(
    "Put {} down as the {field}.",
    {NONE: "Leave no {field}."},
    unknown=UNNAMED,
    deck="badges",
    draw="Draw a new {field}.",
)
HANDLINGS: Handlings = {
    **{f"players.*.{kind}": Count(kind) for kind in RESOURCES},
    "players.*.canteen": Value("Flip the canteen to its {} side."),
    "players.*.at": Value("Move the hiker to {}."),
    "players.*.back": Value("Turn the hiker to face {}."),
    "players.*.badges": Pile("Take {}.", "Give back {}.", "badge", deck="badges"),
    "players.*.hand": _hand_action,
    "players.*.photos": Count("photo", "Draw {} from the deck.", "Put {} back on the deck."),
    "players.*.photos.*": None,
    "players.*.hiker": None,
    "players.*.revealed": None,
    "sites.*": Value("Lay {} as site {number}.", unknown=NOT_ENTERED),
    "bear": Value("Move the bear to {}."),
    "sun": _sun_action,
    "track.trail_end.*": None,
    "track.trailhead.*": None,
    "trailhead.*": END_CARD,
    "trail_end.*": END_CARD,
    "discarded_photos": Count(
        "photo", "Put {} from the deck on the discard pile.", "Put {} from the discard pile back on the deck."
    ),
    "photo_up": Value("Put the photo with {} on top of the discard pile.", unknown=UNNAMED),
    "turn": None,
    "to_do": None,
    "over": None,
}


def repair_actions(before: State, after: State) -> Iterator[TableAction]:
    """Yield the actions that turn the table of one state into that of another."""
    for action in table_actions(HANDLINGS, editable_fields(before), editable_fields(after)):
        (path, *_) = (change.path for change in action.changes)
        is_flip = path == "discarded_photos" and before.photo_discard and not after.photo_discard
        yield TableAction(FLIP_DISCARD, None, action.changes) if is_flip else action
    if LAY_TRAIL in (before.tasks, after.tasks):
        return
    for space in range(1, TRAIL_END):
        if (is_night := after.is_night(space)) != before.is_night(space):
            yield TableAction(f"Flip {space_name(after, space)} to its {'night' if is_night else 'day'} side.")
