"""Tests of a table as its log: the effect of each entry, and who may read which line."""

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from companion.log.apply import CorruptLogError, apply_entry, load_entry
from companion.log.entries import (
    Agreed,
    Decided,
    Declined,
    Entry,
    MoveRedone,
    MoveUndone,
    Opened,
    Payload,
    Played,
    Proposed,
    SeatLeft,
    SeatReclaimed,
    SeatRequested,
    SeatTaken,
    SetupChanged,
)
from companion.log.table import visible_messages
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import Increment
from scoring.kernel.errors import IllegalMoveError
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.log_builder import (
    ANA,
    BO,
    CODE,
    HOST,
    STRANGER,
    TIME,
    LogBuilder,
    build_seated_log,
    leaf_edit,
    readable_texts,
)
from tests.support.parametrize import run_all_rows
from tests.support.ready_setups import ready_setup

HIKE = Played({"type": "hike", "steps": 2})


def test_opened_table_is_the_game_before_its_first_move():
    table = LogBuilder("Ana", "Bo").table
    tracked = TRACKED_GAMES["trails"]
    assert table.tracked is tracked and table.names == ("Ana", "Bo")
    assert table.state == table.initial_state == tracked.initial_state(ready_setup(["Ana", "Bo"]))
    assert (table.code, table.version, table.host, table.opened_at, table.updated_at) == (CODE, 1, HOST, TIME, TIME)
    assert table.seats == (None, None) and table.steps == () and not table.is_over
    assert table.rules_version == tracked.box.version
    assert [line.text for line in table.messages] == ["New game: TRAILS."]


def test_phone_takes_a_seat_and_leaves_it():
    builder = LogBuilder("Ana", "Bo").sit(ANA, BO)
    assert builder.table.seats == (ANA, BO)
    assert builder.table.seats_of(ANA) == (0,) and builder.table.seats_of(STRANGER) == ()
    builder.add_entry(ANA, SeatLeft(), 0)
    assert builder.table.seats == (None, BO)
    assert builder.log_texts[1:] == ["Ana joined.", "Bo joined.", "Ana left the seat."]


def test_move_adds_a_step_with_its_states_and_a_log_line():
    builder = build_seated_log("Ana", "Bo")
    number = builder.play(0, Hike(2))
    step = builder.table.active_step(number)
    assert (step.seat, step.move, step.before) == (0, Hike(2), builder.table.initial_state)
    assert builder.table.state == step.after == TRACKED_GAMES["trails"].play(builder.table.initial_state, 0, Hike(2))
    assert builder.log_texts[-1] == step.text == "Ana hiked 2 tiles to the leaf site, +1 leaf."
    assert builder.table.messages[-1].is_step and builder.table.active_step(99) is None


def test_version_of_a_table_is_the_number_of_its_last_entry():
    builder = build_seated_log("Ana", "Bo")
    builder.add_entry(HOST, Proposed(SeatRequested()), 0)
    assert builder.table.version == len(builder.log) == 4


def test_changed_setup_moves_seats_with_their_players():
    builder = build_seated_log("Ana", "Bo", "Cy")
    new_setup = ready_setup(["Bo", "Cy", "Ana"])
    table = builder.add_entry(HOST, SetupChanged(to_builtins(new_setup), (1, 2, 0)))
    assert table.names == ("Bo", "Cy", "Ana")
    assert table.seats == ("bo's phone", "cy's phone", "ana's phone")
    assert table.setup == new_setup and table.initial_state.players[0].name == "Bo"
    assert builder.log_texts[-1] == "The setup was changed."
    assert readable_texts(table) == builder.log_texts


def test_log_lines_follow_their_seat_when_the_setup_changes():
    """A note that was undone before the setup changed still belongs to its author."""
    builder = build_seated_log("Ana", "Bo")
    note = builder.play(0, NoteHand("science"))
    builder.add_entry(ANA, MoveUndone(note), 0)
    table = builder.add_entry(HOST, SetupChanged(to_builtins(ready_setup(["Bo", "Ana"])), (1, 0)))
    assert readable_texts(table, 1)[3:5] == [
        "Ana\u2019s hand badge: Science.",
        "Ana undid: Ana\u2019s hand badge: Science.",
    ]
    assert (
        readable_texts(table, 0)
        == readable_texts(table)
        == [line for line in builder.log_texts if "Science" not in line]
    )


def test_changed_setup_drops_undone_steps_and_open_proposals():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.add_entry(ANA, MoveUndone(hike), 0)
    builder.propose(0, Played(leaf_edit(0, 2)))
    table = builder.add_entry(HOST, SetupChanged(to_builtins(ready_setup(["Bo", "Ana"])), (1, 0)))
    assert table.removed == {} and table.proposals == ()


def test_secret_lines_of_others_are_not_in_the_log():
    builder = build_seated_log("Ana", "Bo")
    builder.play(0, NoteHand("climber-rock"))
    builder.play(1, NoteHand("science"))
    builder.play(0, Hike(2))
    public = ["New game: TRAILS.", "Ana joined.", "Bo joined."]
    ana, bo = "Ana\u2019s hand badge: Climber (rock).", "Bo\u2019s hand badge: Science."
    hike = "Ana hiked 2 tiles to the leaf site, +1 leaf."
    assert readable_texts(builder.table) == [*public, hike]
    assert readable_texts(builder.table, 0) == [*public, ana, hike]
    assert readable_texts(builder.table, 1) == [*public, bo, hike]
    assert readable_texts(builder.table, 0, 1) == [*public, ana, bo, hike]


def test_messages_are_listed_latest_first():
    assert [line.text for line in visible_messages(build_seated_log("Ana", "Bo").table, ())][::2] == [
        "Bo joined.",
        "New game: TRAILS.",
    ]


def test_undo_of_a_secret_step_is_secret():
    builder = build_seated_log("Ana", "Bo")
    note = builder.play(0, NoteHand("climber-rock"))
    builder.add_entry(ANA, MoveUndone(note), 0)
    builder.add_entry(ANA, MoveRedone(note), 0)
    assert readable_texts(builder.table, 1) == ["New game: TRAILS.", "Ana joined.", "Bo joined."]
    assert readable_texts(builder.table, 0)[3:] == [
        "Ana\u2019s hand badge: Climber (rock).",
        "Ana undid: Ana\u2019s hand badge: Climber (rock).",
        "Ana redid: Ana\u2019s hand badge: Climber (rock).",
    ]


def test_all_lines_are_readable_when_secrets_are_revealed():
    builder = build_seated_log("Ana", "Bo", game="trails-tally")
    secret = replace(builder.table.messages[0], is_secret=True, seat=0)
    table = replace(builder.table, messages=(*builder.table.messages, secret))
    assert secret not in list(visible_messages(table, (1,)))
    finished = replace(
        builder.table.initial_state,
        players=tuple(replace(player, done=True) for player in builder.table.initial_state.players),
    )
    assert secret in list(visible_messages(replace(table, initial_state=finished), (1,)))


def make_entry(payload: Payload, seat: int | None = 0, device: str = ANA) -> Entry:
    return Entry(4, TIME, device, seat, payload)


BROKEN_LOGS = [
    (make_entry(Played({"type": "fly"})), 'type: no move "fly"; there are lay-site'),
    (make_entry(Played({"type": "hike", "steps": "far"})), "steps: expected a whole number, got text"),
    (make_entry(Played({"type": "hike", "steps": 5})), "Hike 1 or 2 tiles, not 5"),
    (make_entry(HIKE, seat=1, device=BO), "It is Ana\u2019s turn: hike 1 or 2 tiles."),
    (make_entry(HIKE, seat=None), "there is no seat None"),
    (make_entry(Played({"type": "note-hand", "badge": "science"}), seat=9), "there is no seat 9"),
    (make_entry(Played({"type": "note-hand", "badge": "science"}), seat=None), "there is no seat None"),
    (make_entry(SeatTaken(), seat=2), "there is no seat 2"),
    (make_entry(SeatTaken(), seat=None), "there is no seat None"),
    (make_entry(MoveUndone(99)), "there is no step 99"),
    (make_entry(MoveRedone(99)), "there is no step 99"),
    (make_entry(Agreed(99)), "no request 99"),
    (make_entry(Decided(99)), "no request 99"),
    (make_entry(Declined(99)), "no request 99"),
    (make_entry(Proposed(MoveUndone(99))), "there is no step 99"),
    (make_entry(Proposed(MoveRedone(99))), "there is no step 99"),
    (make_entry(Proposed(SeatRequested()), seat=7), "there is no seat 7"),
    (make_entry(SetupChanged({"players": []}, (0, 1))), "trails is for 2 to 4 players"),
    (
        make_entry(SetupChanged(to_builtins(ready_setup(["Ana", "Bo"])), (0, 7))),
        "the order [0, 7] does not name each seat once",
    ),
    (make_entry(Opened("trails", "1", {})), "the table is already open"),
]


@run_all_rows(("invalid", "message"), BROKEN_LOGS, ids=lambda value: getattr(value, "what", value).__class__.__name__)
def test_invalid_entry_is_reported_as_corrupt_with_its_place(invalid: Entry, message: str):
    table = build_seated_log("Ana", "Bo").table
    with pytest.raises(CorruptLogError) as error:
        load_entry(table, CODE, invalid)
    assert str(error.value).startswith("Entry 4 of table BCDFG cannot be replayed: ")
    assert message.casefold() in str(error.value).casefold()


def test_log_without_an_opening_is_corrupt():
    with pytest.raises(CorruptLogError, match="Entry 4 of table BCDFG"):
        load_entry(None, CODE, make_entry(HIKE))
    with pytest.raises(CorruptLogError, match="there is no game \u201cchess\u201d"):
        load_entry(None, CODE, make_entry(Opened("chess", "1", {})))


def test_bug_in_the_rules_core_is_not_reported_as_a_corrupt_log(monkeypatch: pytest.MonkeyPatch):
    table = build_seated_log("Ana", "Bo").table
    monkeypatch.setattr(Hike, "apply", lambda move, state, seat: state.no_such_thing)
    with pytest.raises(AttributeError, match="no_such_thing"):
        load_entry(table, CODE, make_entry(HIKE))


EVERY_KIND = (
    Opened("trails", "1", {"players": []}),
    SetupChanged({}, (1, 0)),
    SeatTaken(),
    SeatLeft(),
    SeatReclaimed(),
    HIKE,
    MoveUndone(3),
    MoveRedone(3),
    Proposed(SeatRequested()),
    Proposed(SeatRequested(asks_holder=True)),
    Proposed(MoveUndone(3)),
    Agreed(4, decided=True),
    Decided(4),
    Declined(4),
)


@run_all_rows("payload", EVERY_KIND, ids=repr)
def test_entry_survives_encoding_and_decoding(payload: Payload):
    assert json.decode(json.encode(payload), type=Payload) == payload


def test_applying_an_entry_leaves_earlier_tables_unchanged():
    """Pages are rendered from tables in memory, so applying an entry must create a new table."""
    builder = build_seated_log("Ana", "Bo")
    before, text = builder.table, repr(builder.table)
    builder.play(0, NameCard("trailhead", "science"))
    hike = builder.play(0, Hike(2))
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert repr(before) == text and before.steps == ()


def test_correction_has_a_text_before_and_after_the_table_agrees():
    builder = build_seated_log("Ana", "Bo")
    number = builder.propose(1, Played(leaf_edit(0, 3)))
    assert builder.table.find_proposal(number).text == "Ana\u2019s leaves 1 \u2192 4"
    assert builder.table.state.players[0].cubes == (1, 1, 1)
    builder.agree(0, number)
    assert builder.table.state.players[0].cubes == (1, 4, 1)
    assert builder.log_texts[-1] == "Bo corrected: Ana\u2019s leaves 1 \u2192 4."
    assert builder.table.steps[-1].move == EditPosition((Increment("players.0.leaf", 3),))


def test_earned_badge_that_contradicts_a_note_drops_the_note():
    builder = build_seated_log("Ana", "Bo")
    builder.play(1, NoteHand("climber-rock"))
    builder.play(0, NameCard("trailhead", "climber-rock"))
    assert builder.table.state.players[1].hand is None
    assert builder.log_texts[-1] == "New badge at the Trailhead: Climber (rock)."
    assert EarnBadge not in {type(step.move) for step in builder.table.steps}


def test_move_legal_by_earlier_rules_is_replayed_but_not_accepted():
    setup = to_builtins(TRACKED_GAMES["alpine-trails"].setup_format.default(["Ana"]))
    log = [
        Played({"type": "take-camp", "terrain": "forest"}),
        Played(
            {"type": "place-terrain", "terrain": "rock", "x": 0, "y": 1, "icons": 3}
        ),  # legal before version 2 of the rules
        Played({"type": "place-terrain", "terrain": "rock", "x": 0, "y": 2, "icons": 2}),
    ]

    def folded(version: str):
        table = load_entry(None, CODE, Entry(1, TIME, HOST, None, Opened("alpine-trails", version, setup)))
        table = load_entry(table, CODE, Entry(2, TIME, ANA, 0, SeatTaken()))
        for number, payload in enumerate(log, 3):
            table = load_entry(table, CODE, Entry(number, TIME, ANA, 0, payload))
        return table

    assert [tile.icons for tile in folded("1").state.players[0].tiles] == [1, 1, 3, 2]
    with pytest.raises(CorruptLogError, match="Entry 4 of table BCDFG cannot be replayed"):
        folded(TRACKED_GAMES["alpine-trails"].box.version)
    # A new move is judged by today's rules, whatever version the table was opened with.
    with pytest.raises(IllegalMoveError):
        apply_entry(folded("1"), Entry(6, TIME, ANA, 0, log[1]))
