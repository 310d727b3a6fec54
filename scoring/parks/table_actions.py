"""Physical actions after a repair of PARKS: how players carry out the change of each field."""

from collections.abc import Iterator

from scoring.kernel.table_actions import Count, Handlings, Pile, Value, table_actions
from scoring.kernel.tracked_game import TableAction
from scoring.parks.box import TOKENS
from scoring.parks.editable import editable_fields
from scoring.parks.state import State
from scoring.parks.text import TOKEN_NAMES, row_name


def _display(deck: str, unknown: str = "not named") -> Value:
    """Return the handling of a face-up card of a display."""
    return Value(
        "Put {} down as {field}.",
        {"gone": "Leave {field} empty."},
        unknown=unknown,
        deck=deck,
        draw="Draw a new card for {field}.",
    )


_ROWS = tuple((name, row_name(number)) for number, name in enumerate(("top", "middle", "bottom")))
HANDLINGS: Handlings = {
    **{
        f"players.*.{token}": Count(TOKEN_NAMES[token], "Take {}.", "Return {}.", plural=TOKEN_NAMES[token])
        for token in TOKENS
    },
    "players.*.photos": Count("photo", "Take {}.", "Return {}."),
    "players.*.campfire": Value("", {"burning": "Relight the campfire.", "out": "Extinguish the campfire."}),
    "players.*.hikers.*": Value("Move the {field} to {}."),
    **{
        f"players.*.{name}.canteens": Pile(f"Put {{}} on {row}.", f"Take {{}} off {row}.", "canteen", deck="canteens")
        for name, row in _ROWS
    },
    **{
        f"players.*.{name}.water": Value("", {"full": f"Put 1 Water on {row}.", "empty": f"Take the Water off {row}."})
        for name, row in _ROWS
    },
    "players.*.visited": Pile("Take {} as visited.", "Give back {}.", "park", deck="parks"),
    "players.*.reserve": Pile(
        "Put {} into the reserve.",
        "Take {} out of the reserve.",
        unknown="not named",
        unknown_text="a park",
        deck="parks",
    ),
    "players.*.gear": Pile("Take {}.", "Give back {}.", "gear card", deck="gear"),
    "players.*.passion": Value("Take the passion {}.", unknown="not named", deck="passions"),
    "players.*.side": Value("Use the passion for {}.", {"none": "Choose no side of the passion yet."}),
    "players.*.bought": None,
    "players.*.wild_photos": None,
    "sites.*": Value("Lay {} as site {number}.", unknown="not laid"),
    "weather.*": Value(
        "Put a {} weather token on site {number}.", {"none": "Remove the weather token from site {number}."}
    ),
    "shutterbug": Value("Put the Shutterbug token {}.", unknown="not placed"),
    "parks.*": _display("parks"),
    "market.*": _display("gear"),
    "canteens.*": _display("canteens"),
    "tile": Value("Turn up the season tile {}.", unknown="not named"),
    "badge": Value("Give {} the Shutterbug Badge.", {"nobody": "Put the Shutterbug Badge beside the board."}),
    "first_hiker": Value("Give {} the First Hiker token.", {"nobody": "Put the First Hiker token beside the board."}),
    "end_used": None,
    "season": None,
    "turn": None,
    "to_do": None,
    "set_off": None,
    "used": None,
    "second_used": None,
    "passion_used": None,
    "over": None,
    "awards": None,
    "counted.numbers.*": None,
}


def repair_actions(before: State, after: State) -> Iterator[TableAction]:
    """Yield the actions that turn the table of one state into that of another."""
    return table_actions(HANDLINGS, editable_fields(before), editable_fields(after))
