"""Tests of names, codes and setups that people enter, and of the messages for mistakes."""

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from companion.web.forms import read_nested_fields
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import InvalidInputError
from scoring.kernel.tracked_game import TrackedGame
from tests.support.hypothesis_settings import with_examples
from tests.support.page_parser import parse_page
from tests.support.parametrize import run_all_rows
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.player_names import NAMES, names_for

LONG = "a" * 41


def open_with_names(phone: Phone, *names: str, game: str = "trails"):
    return phone.post(f"/new/{game}", {f"names-{number}": name for number, name in enumerate(names)})


TABLES = [(key, names_for(key, seats)) for key, tracked in TRACKED_GAMES.items() for seats in tracked.box.player_counts]


@pytest.mark.parametrize("game, names", TABLES)
def test_table_is_opened_with_the_entered_names(app: Flask, phone: Phone, game: str, names: tuple[str, ...]):
    answer = open_with_names(phone, *names, game=game)
    assert answer.status_code == 303
    code = answer.headers["Location"].rpartition("/")[2]
    table = app.extensions["waymark"].store.table(code)
    assert (table.names[: len(names)], table.game_key, table.host) == (names, game, phone.device)
    assert table.seats == (None,) * len(names)
    assert all(name in phone.open(f"/t/{code}").text for name in names)


def test_unknown_name_fields_are_ignored(phone: Phone):
    answer = phone.post("/new/trails", {"names-0": "Ana", "names-1": "Bo", "names-\u00b2": "Cy", "names-x": "Di"})
    assert answer.status_code == 303


ENTERED_NAMES = [
    (["", "Ana", "", "Bo"], ("Ana", "Bo")),  # empty rows are left out
    (["  Ana  ", "Bo\t "], ("Ana", "Bo")),
    (["Ana   Maria", "Bo"], ("Ana Maria", "Bo")),
    (["a" * 40, "b" * 40], ("a" * 40, "b" * 40)),
    (["\u05e2\u05e0\u05d4", "\U0001f43b"], ("\u05e2\u05e0\u05d4", "\U0001f43b")),
]


@pytest.mark.parametrize(("entered", "names"), ENTERED_NAMES)
def test_names_are_normalized(app: Flask, phone: Phone, entered: list[str], names: tuple[str, ...]):
    code = open_with_names(phone, *entered).headers["Location"].rpartition("/")[2]
    assert app.extensions["waymark"].store.table(code).names == names


COUNTS = [
    pytest.param(tracked, [*NAMES, "Hal"][:count], id=f"{tracked.key}-{count}")
    for tracked in TRACKED_GAMES.values()
    for count in range(tracked.box.player_counts[-1] + 2)
    if count not in tracked.box.player_counts
]


@pytest.mark.parametrize(("tracked", "entered"), COUNTS)
def test_wrong_number_of_players_is_refused_with_the_possible_numbers(
    phone: Phone, tracked: TrackedGame, entered: list[str]
):
    answer = open_with_names(phone, *entered, "   ", game=tracked.key)
    counts = tracked.box.player_counts
    separator = "or" if len(counts) == 2 else "to"
    message = f"Enter {counts[0]} {separator} {counts[-1]} names." if len(counts) > 1 else f"Enter {counts[0]} names."
    assert answer.status_code == 422 and message in parse_page(answer.text).text


BAD_NAMES = [
    (["Ana", "ana"], "Two players are called ana. Add an initial."),
    (["Stra\u00dfe", "STRASSE"], "Two players are called STRASSE. Add an initial."),
    (["Ana", " Ana "], "Two players are called Ana. Add an initial."),
    (["Ana", LONG], "A name has at most 40 characters."),
]


@pytest.mark.parametrize("game", TRACKED_GAMES)
@pytest.mark.parametrize(("entered", "message"), BAD_NAMES)
def test_invalid_names_are_refused_and_stay_in_their_rows(phone: Phone, game: str, entered: list[str], message: str):
    entered = [*entered, *NAMES[2 : TRACKED_GAMES[game].box.player_counts[0]]]
    answer = open_with_names(phone, *entered, game=game)
    page = parse_page(answer.text)
    assert answer.status_code == 422 and message in page.text
    rows = [page.value(f"names-{number}") for number in range(len(entered))]
    assert rows == [" ".join(name.split()) for name in entered]


def test_page_for_names_has_a_row_for_each_player(phone: Phone):
    page = phone.open("/new/trails")
    assert [page.value(f"names-{number}") for number in range(4)] == [""] * 4
    assert phone.get("/new/chess").status_code == 404


CODES = [
    ("{code}", 303, ""),
    ("{lower}", 303, ""),
    (" {spaced} ", 303, ""),
    ("", 422, "A code has 5 letters"),
    ("BCDF", 422, "A code has 5 letters"),
    ("AEIOU", 422, "A code has 5 letters"),
    ("BCDFG", 404, "There is no table with the code BCDFG."),
]


@pytest.mark.parametrize(("code", "status", "message"), CODES)
def test_code_is_accepted_in_any_spelling(
    table_of_two: SeatedTable, phone: Phone, code: str, status: int, message: str
):
    spaced = " ".join(table_of_two.code) + "-"
    answer = phone.post(
        "/join", {"code": code.format(code=table_of_two.code, lower=table_of_two.code.lower(), spaced=spaced)}
    )
    assert answer.status_code == status and message in parse_page(answer.text).text
    assert answer.headers.get("Location") in (None, table_of_two.path)


def test_address_of_a_table_may_be_in_lower_case(table_of_two: SeatedTable, phone: Phone):
    assert phone.open(table_of_two.path.lower()).text == phone.open(table_of_two.path).text


# The setup.


def setup_form(table: SeatedTable, **changes: str) -> dict[str, str]:
    """Return the untouched form of the setup page, with some fields changed."""
    fields = table.phone(0).open(f"{table.path}/setup").form("").default_values
    del fields["csrf_token"]
    return {**fields, **{name.replace("__", "."): value for name, value in changes.items()}}


@pytest.mark.parametrize("game, names", TABLES)
def test_untouched_setup_form_changes_nothing(app: Flask, game: str, names: tuple[str, ...]):
    table = open_seated_table(app, *names, game=game)
    before = table.table
    answer = table.phone(0).post(f"{table.path}/setup", setup_form(table))
    assert answer.status_code == 303 and answer.headers["Location"] == table.path
    after = table.table
    assert after.seats == before.seats and after.initial_state.players == before.initial_state.players
    rulings = {ruling.id: ruling.default for ruling in before.tracked.box.rulings}
    assert after.setup == replace(before.setup, rulings=rulings)


CHANGES = [
    ({"setup.players.0.name": "Anabel "}, lambda state: state.players[0].name, "Anabel"),
    ({"first": "1"}, lambda state: state.players[0].name, "Bo"),
    ({"setup.players.0.hiker": "white"}, lambda state: state.players[0].hiker, "white"),
    ({"setup.track.trail_end.1": "2 rock"}, lambda state: state.track.trail_end, ("wildlife", "2 rock")),
    (
        {"setup.track.trail_end.0": "", "setup.track.trail_end.3": "1 leaf"},
        lambda state: state.track.trail_end,
        ("1 leaf",),
    ),
    ({"setup.rulings.zero-birds": "everyone"}, lambda state: state.rulings["zero-birds"], "everyone"),
]


@pytest.mark.parametrize(
    ("entered", "read_value", "value"), CHANGES, ids=[next(iter(entered)) for entered, _, _ in CHANGES]
)
def test_setup_can_be_changed_before_the_first_step(
    table_of_two: SeatedTable, entered: dict[str, str], read_value, value
):
    assert (
        table_of_two.phone(1).post(f"{table_of_two.path}/setup", {**setup_form(table_of_two), **entered}).status_code
        == 303
    )
    assert read_value(table_of_two.table.state) == value


REFUSED = [
    ({"setup.players.1.name": "ana"}, "Add an initial"),
    ({"setup.players.1.name": LONG}, "A name has 1 to 40 characters, but this one has 41"),
    ({"setup.players.1.name": " "}, "A name has 1 to 40 characters, but this one has 0"),
    ({"setup.players.1.hiker": "brown"}, "Two players have the brown hiker. Choose another one."),
    ({"setup.players.1.hiker": "pink"}, "There is no pink hiker. Choose brown, green, grey or white."),
    ({"setup.sites.0": "leaf"}, "The Trail needs each site once"),
    ({"setup.track.trailhead.0": "wildlife"}, "The leftmost icon at the Trailhead must be the photo icon"),
    ({"setup.track.trail_end.1": "photo"}, "The photo icon is only on the final spot. Choose another icon."),
    ({"setup.rulings.zero-birds": "maybe"}, "is not an option of"),
    ({"setup.rulings.no-such": "maybe"}, "There is no rules question"),
]


@pytest.mark.parametrize(("entered", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_illegal_setup_is_refused_with_its_rule_and_keeps_the_input(
    table_of_two: SeatedTable, entered: dict[str, str], message: str
):
    before = table_of_two.table
    answer = table_of_two.phone(0).post(
        f"{table_of_two.path}/setup",
        {**setup_form(table_of_two), "setup.players.0.name": "Ana", **entered, "first": "1"},
    )
    page = parse_page(answer.text)
    assert answer.status_code == 422 and message in page.text
    assert (
        table_of_two.phone(0)
        .get(next(address for address in page.addresses if "/rules/trails/" in address))
        .status_code
        == 200
    )
    assert table_of_two.table == before
    form = page.form("").default_values
    assert form["first"] == "1" and form["setup.players.1.name"] == entered.get("setup.players.1.name", "Bo").strip()


UNREADABLE = [
    {"setup.players.0.name": ""},
    {"setup.players.2.name": "Cy"},
    {"setup.players.0.age": "7"},
    {"setup.sites.0": "lake"},
    {"setup.track.trail_end.0": "3 acorn"},
    {"setup.track": "short"},
    {"setup.players": "x"},
    {"setup.weather": "sunny"},
    {"setup." + "a." * 3000: "x"},
]


@pytest.mark.parametrize("entered", UNREADABLE, ids=[next(iter(entered))[:24] for entered in UNREADABLE])
def test_unreadable_setup_is_a_bad_request(table_of_two: SeatedTable, entered: dict[str, str]):
    before = table_of_two.table
    answer = table_of_two.phone(0).post(f"{table_of_two.path}/setup", {**setup_form(table_of_two), **entered})
    assert answer.status_code == 400 and "Waymark could not read that" in answer.text
    assert table_of_two.table == before


def test_setup_cannot_be_changed_after_the_first_move(table_of_two: SeatedTable):
    form = setup_form(table_of_two)
    table_of_two.submit(0, "play", {"move": '{"type":"hike","steps":2}'})
    answer = table_of_two.phone(0).post(f"{table_of_two.path}/setup", form)
    assert answer.status_code == 403 and "Undo every step" in parse_page(answer.text).text
    assert "/setup" not in " ".join(table_of_two.phone(0).open(table_of_two.path).addresses)


def test_phone_without_a_seat_cannot_change_the_setup(table_of_two: SeatedTable, phone: Phone):
    answer = phone.post(f"{table_of_two.path}/setup", setup_form(table_of_two))
    assert answer.status_code == 403 and "Take a seat first" in parse_page(answer.text).text


# Reading nested fields of a form.

PATHS = [
    ({"move.type": "hike", "move.steps": "2"}, {"type": "hike", "steps": "2"}),
    ({"move.a": "", "move.b": "1", "other": "2"}, {"b": "1"}),
    ({"move.a.1": "y", "move.a.0": "x", "move.a.10": "z"}, {"a": ["x", "y", "z"]}),
    ({"move.a.0.name": "x", "move.a.2.name": "y"}, {"a": [{"name": "x"}, {"name": "y"}]}),
    ({"move.a": "x", "move.a.b": "y"}, {"a": "x"}),
    ({"move.a.b": "y", "move.a": "x"}, {"a": "x"}),
    ({"move.0": "x", "move.1": "y"}, {"0": "x", "1": "y"}),
    ({"move.a": " two  words "}, {"a": "two words"}),
    ({"move.a.9999": "x"}, {"a": {"9999": "x"}}),
    ({"move.a.\u0663": "x", "move.a.1": "y"}, {"a": ["y", "x"]}),
    ({"move.a.\u00b2": "x"}, {"a": {"\u00b2": "x"}}),
    ({"move.": "x", "move..": "y"}, {"": "x"}),
]


@run_all_rows(("form", "data"), PATHS)
def test_field_names_are_read_as_paths(form: dict[str, str], data: dict):
    assert read_nested_fields(MultiDict(form), "move.") == data


def test_path_that_is_too_deep_is_invalid():
    with pytest.raises(InvalidInputError, match="no form has such a field"):
        read_nested_fields(MultiDict({"a." * 5000: "x"}))


parts = st.one_of(
    st.sampled_from(["", "a", "b", "0", "1", "7", "00", "9" * 5000, "\u0663", "\u00b2", "-1", "\x00"]),
    st.text(max_size=3),
)
paths = st.lists(parts, max_size=12).map(".".join)


@with_examples(60)
@given(st.dictionaries(paths, st.text(max_size=4), max_size=12))
def test_any_form_is_read_as_plain_data_or_invalid(form: dict[str, str]):
    try:
        data = read_nested_fields(MultiDict(form))
    except InvalidInputError:
        return
    assert is_plain(data) and isinstance(data, dict)


def is_plain(data: object) -> bool:
    children = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return isinstance(data, dict | list | str) and all(map(is_plain, children))


def test_correction_changes_only_the_edited_fields(table_of_two: SeatedTable):
    """A form that was rendered before the moves of others must not undo them."""
    form = edit_form(table_of_two)
    table_of_two.submit(0, "right", {**form, "is.players.1.leaf": "3"})
    (proposal,) = table_of_two.table.proposals
    assert proposal.text == "Bo\u2019s leaves 1 \u2192 3"
    table_of_two.submit(0, "play", {"move": '{"type":"hike","steps":2}'})
    table_of_two.submit(1, "play", {"move": '{"type":"hike","steps":2}'})
    table_of_two.submit(1, "answer", {"proposal": str(proposal.number), "yes": "1"})
    bo = table_of_two.table.state.players[1]
    assert (bo.space, bo.cubes) == (2, (1, 4, 1))  # two more than there are by now


def test_correction_without_a_change_is_refused(table_of_two: SeatedTable):
    answer = table_of_two.submit(0, "right", edit_form(table_of_two))
    assert answer.status_code == 422 and "This changes nothing." in parse_page(answer.text).text


WRONG_EDITS = [
    ({"is.players.1.leaf": "three"}, 400, "\u201cthree\u201d is not a number"),
    ({"is.players.1.leaf": "-1"}, 422, "Leaves: -1 is not possible. Enter 0 to"),
    ({"is.players.1.leaf": "99999999999"}, 400, "is not a number"),
    ({"is.players.0.at": "moon"}, 422, "\u201cmoon\u201d does not exist."),
    ({"was.players.0.at": "leaf", "is.players.0.at": "photo"}, 422, "this is the Trailhead now."),
]


@pytest.mark.parametrize(("changed", "status", "why"), WRONG_EDITS)
def test_impossible_correction_is_refused_with_the_reason(
    table_of_two: SeatedTable, changed: dict[str, str], status: int, why: str
):
    answer = table_of_two.submit(0, "right", {**edit_form(table_of_two), **changed})
    assert answer.status_code == status and why in parse_page(answer.text).text
    assert table_of_two.table.version == 3


def edit_form(table: SeatedTable) -> dict[str, str]:
    """Return the untouched correction form of Ana's phone."""
    sent = table.phone(0).open(f"{table.path}/seat/0/tell").form("/right").default_values
    return {name: value for name, value in sent.items() if name not in ("csrf_token", "tap")}
