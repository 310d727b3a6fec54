"""A table is its log: what each entry folds to, and who may read which line."""

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from companion.log.apply import Broken, fold, follow
from companion.log.entries import (
    Agreed,
    CameBack,
    Decided,
    Declined,
    Entry,
    Opened,
    Played,
    Proposed,
    PutBack,
    Sat,
    SeatAsked,
    SetUp,
    Stood,
    TookBack,
    What,
)
from companion.log.table import lines_for
from scoring.games import PLAYS
from scoring.kernel.errors import Illegal
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.corrections import CorrectPlayer
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NameCard, NoteHand
from tests.support.cases import every_row
from tests.support.log_builder import ANA, AT, BO, CODE, HOST, STRANGER, Told, all_at, readable
from tests.support.positions import laid

HIKE = Played({"type": "hike", "steps": 2})


def test_an_opened_table_is_the_game_before_its_first_move():
    table = Told("Ana", "Bo").table
    play = PLAYS["trails"]
    assert table.play is play and table.names == ("Ana", "Bo")
    assert table.state == table.first == play.begin(laid(["Ana", "Bo"]))
    assert (table.code, table.number, table.host, table.opened, table.at) == (CODE, 1, HOST, AT, AT)
    assert table.seats == (None, None) and table.steps == () and not table.over
    assert table.rules_version == play.box.version
    assert [line.text for line in table.lines] == ["The table is open: TRAILS."]


def test_a_phone_sits_down_and_gives_the_seat_back():
    told = Told("Ana", "Bo").sit(ANA, BO)
    assert told.table.seats == (ANA, BO)
    assert told.table.seats_of(ANA) == (0,) and told.table.seats_of(STRANGER) == ()
    told.say(ANA, Stood(), 0)
    assert told.table.seats == (None, BO)
    assert told.lines[1:] == ["Ana sits down.", "Bo sits down.", "Ana\u2019s phone leaves the seat."]


def test_a_move_is_a_step_between_two_states_with_a_sentence_in_the_log():
    told = all_at("Ana", "Bo")
    number = told.play(0, Hike(2))
    step = told.table.step(number)
    assert (step.seat, step.move, step.before) == (0, Hike(2), told.table.first)
    assert told.table.state == step.after == PLAYS["trails"].play(told.table.first, 0, Hike(2))
    assert told.lines[-1] == step.text == "Ana hiked 2 to the leaf site. +1 leaf."
    assert told.table.lines[-1].step and told.table.step(99) is None


def test_the_number_of_the_last_entry_is_the_version_phones_compare():
    told = all_at("Ana", "Bo")
    told.say(HOST, Proposed(SeatAsked()), 0)
    assert told.table.number == len(told.log) == 4


def test_the_set_up_can_be_changed_and_the_seats_move_along_with_another_first_player():
    told = all_at("Ana", "Bo", "Cy")
    turned = laid(["Bo", "Cy", "Ana"])
    table = told.say(HOST, SetUp(to_builtins(turned), (1, 2, 0)))
    assert table.names == ("Bo", "Cy", "Ana")
    assert table.seats == ("bo's phone", "cy's phone", "ana's phone")
    assert table.setup == turned and table.first.players[0].name == "Bo"
    assert told.lines[-1] == "The set-up was changed."
    assert readable(table) == told.lines


def test_the_log_of_a_seat_goes_where_the_seat_goes():
    """A note that was taken back before the set-up changed still belongs to who made it."""
    told = all_at("Ana", "Bo")
    note = told.play(0, NoteHand("science"))
    told.say(ANA, TookBack(note), 0)
    table = told.say(HOST, SetUp(to_builtins(laid(["Bo", "Ana"])), (1, 0)))
    assert readable(table, 1)[3:5] == ["Ana noted Science in hand.", "Ana took back: Ana noted Science in hand."]
    assert readable(table, 0) == readable(table) == [line for line in told.lines if "Science" not in line]


def test_what_was_taken_back_or_asked_before_the_set_up_changed_is_gone_with_it():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.say(ANA, TookBack(hike), 0)
    told.propose(0, Played({"type": "correct-player", "player": 0, "acorn": 3}))
    table = told.say(HOST, SetUp(to_builtins(laid(["Bo", "Ana"])), (1, 0)))
    assert table.undone == {} and table.proposals == ()


def test_others_secret_lines_are_not_in_the_log_at_all():
    told = all_at("Ana", "Bo")
    told.play(0, NoteHand("climber-rock"))
    told.play(1, NoteHand("science"))
    told.play(0, Hike(2))
    public = ["The table is open: TRAILS.", "Ana sits down.", "Bo sits down."]
    ana, bo = "Ana noted Climber (rock) in hand.", "Bo noted Science in hand."
    hike = "Ana hiked 2 to the leaf site. +1 leaf."
    assert readable(told.table) == [*public, hike]
    assert readable(told.table, 0) == [*public, ana, hike]
    assert readable(told.table, 1) == [*public, bo, hike]
    assert readable(told.table, 0, 1) == [*public, ana, bo, hike]


def test_the_log_is_read_with_the_latest_line_first():
    assert [line.text for line in lines_for(all_at("Ana", "Bo").table, ())][::2] == [
        "Bo sits down.",
        "The table is open: TRAILS.",
    ]


def test_taking_a_secret_step_back_is_a_secret_too():
    told = all_at("Ana", "Bo")
    note = told.play(0, NoteHand("climber-rock"))
    told.say(ANA, TookBack(note), 0)
    told.say(ANA, PutBack(note), 0)
    assert readable(told.table, 1) == ["The table is open: TRAILS.", "Ana sits down.", "Bo sits down."]
    assert readable(told.table, 0)[3:] == [
        "Ana noted Climber (rock) in hand.",
        "Ana took back: Ana noted Climber (rock) in hand.",
        "Ana put back: Ana noted Climber (rock) in hand.",
    ]


def test_when_all_is_revealed_everybody_may_read_every_line():
    told = all_at("Ana", "Bo", game="trails-tally")
    secret = replace(told.table.lines[0], secret=True, seat=0)
    table = replace(told.table, lines=(*told.table.lines, secret))
    assert secret not in list(lines_for(table, (1,)))
    over = replace(told.table.first, players=tuple(replace(player, done=True) for player in told.table.first.players))
    assert secret in list(lines_for(replace(table, first=over), (1,)))


def entry(what: What, seat: int | None = 0, device: str = ANA) -> Entry:
    return Entry(4, AT, device, seat, what)


BROKEN = [
    (entry(Played({"type": "fly"})), "Invalid value 'fly'"),
    (entry(Played({"type": "hike", "steps": "far"})), "Expected `int`, got `str`"),
    (entry(Played({"type": "hike", "steps": 5})), "without the canteen you hike 1 or 2 tiles, not 5"),
    (entry(HIKE, seat=1, device=BO), "It is Ana\u2019s turn: hike."),
    (entry(HIKE, seat=None), "there is no seat None"),
    (entry(Played({"type": "note-hand", "badge": "science"}), seat=9), "there is no seat 9"),
    (entry(Played({"type": "note-hand", "badge": "science"}), seat=None), "there is no seat None"),
    (entry(Sat(), seat=2), "there is no seat 2"),
    (entry(Sat(), seat=None), "there is no seat None"),
    (entry(TookBack(99)), "there is no step 99"),
    (entry(PutBack(99)), "there is no step 99"),
    (entry(Agreed(99)), "nothing waits for an answer under the number 99"),
    (entry(Decided(99)), "nothing waits"),
    (entry(Declined(99)), "nothing waits for an answer under the number 99"),
    (entry(Proposed(TookBack(99))), "there is no step 99"),
    (entry(Proposed(PutBack(99))), "there is no step 99"),
    (entry(Proposed(SeatAsked()), seat=7), "there is no seat 7"),
    (entry(SetUp({"players": []}, (0, 1))), "trails is for 2 to 4 players"),
    (entry(SetUp(to_builtins(laid(["Ana", "Bo"])), (0, 7))), "the order [0, 7] does not name each seat once"),
    (entry(Opened("trails", "1", {})), "the table is open already"),
]


@every_row(("wrong", "said"), BROKEN, ids=lambda value: getattr(value, "what", value).__class__.__name__)
def test_an_entry_that_does_not_follow_from_the_log_is_broken_and_names_its_place(wrong: Entry, said: str):
    table = all_at("Ana", "Bo").table
    with pytest.raises(Broken) as fault:
        fold(table, CODE, wrong)
    assert str(fault.value).startswith("Entry 4 of table BCDFG cannot be followed: ")
    assert said.casefold() in str(fault.value).casefold()


def test_a_log_that_does_not_start_with_the_opening_is_broken():
    with pytest.raises(Broken, match="Entry 4 of table BCDFG"):
        fold(None, CODE, entry(HIKE))
    with pytest.raises(Broken, match="there is no game \u201cchess\u201d"):
        fold(None, CODE, entry(Opened("chess", "1", {})))


def test_a_mistake_in_the_rules_core_is_not_taken_for_a_broken_log(monkeypatch: pytest.MonkeyPatch):
    table = all_at("Ana", "Bo").table
    monkeypatch.setattr(Hike, "apply", lambda move, state, seat: state.no_such_thing)
    with pytest.raises(AttributeError, match="no_such_thing"):
        fold(table, CODE, entry(HIKE))


EVERY_KIND = (
    Opened("trails", "1", {"players": []}),
    SetUp({}, (1, 0)),
    Sat(),
    Stood(),
    CameBack(),
    HIKE,
    TookBack(3),
    PutBack(3),
    Proposed(SeatAsked()),
    Proposed(SeatAsked(holder=True)),
    Proposed(TookBack(3)),
    Agreed(4, decided=True),
    Decided(4),
    Declined(4),
)


@every_row("what", EVERY_KIND, ids=repr)
def test_an_entry_survives_being_written_and_read(what: What):
    assert json.decode(json.encode(what), type=What) == what


def test_folding_changes_no_table_that_is_already_there():
    """Phones are answered from tables in memory: a fold makes a new one."""
    told = all_at("Ana", "Bo")
    before, seen = told.table, repr(told.table)
    told.play(0, NameCard("trailhead", "science"))
    hike = told.play(0, Hike(2))
    told.say(ANA, TookBack(hike), 0)
    assert repr(before) == seen and before.steps == ()


def test_a_correction_shows_its_words_before_and_after_the_table_agrees():
    told = all_at("Ana", "Bo")
    asked = told.propose(1, Played({"type": "correct-player", "player": 0, "leaf": 4}))
    assert told.table.proposal(asked).text == "Correct Ana: 4 leaves"
    assert told.table.state.players[0].cubes == (1, 1, 1)
    told.agree(0, asked)
    assert told.table.state.players[0].cubes == (1, 4, 1)
    assert told.lines[-1] == "Bo had Ana corrected: 4 leaves. +3 leaves."
    assert told.table.steps[-1].move == CorrectPlayer(0, leaf=4)


def test_an_earned_card_that_contradicts_somebodys_note_only_drops_the_note():
    told = all_at("Ana", "Bo")
    told.play(1, NoteHand("climber-rock"))
    told.play(0, NameCard("trailhead", "climber-rock"))
    assert told.table.state.players[1].hand is None
    assert told.lines[-1] == "Ana sees Climber (rock) at the Trailhead."
    assert EarnBadge not in {type(step.move) for step in told.table.steps}


def test_what_was_legal_by_earlier_rules_stands_and_by_todays_it_is_broken():
    setup = to_builtins(PLAYS["alpine-trails"].usual(["Ana"]))
    log = [
        Played({"type": "take-camp", "terrain": "forest"}),
        Played({"type": "place-terrain", "terrain": "rock", "x": 0, "y": 1, "icons": 3}),  # until rules 2
        Played({"type": "place-terrain", "terrain": "rock", "x": 0, "y": 2, "icons": 2}),
    ]

    def folded(version: str):
        table = fold(None, CODE, Entry(1, AT, HOST, None, Opened("alpine-trails", version, setup)))
        table = fold(table, CODE, Entry(2, AT, ANA, 0, Sat()))
        for number, what in enumerate(log, 3):
            table = fold(table, CODE, Entry(number, AT, ANA, 0, what))
        return table

    assert [tile.icons for tile in folded("1").state.players[0].tiles] == [1, 1, 3, 2]
    with pytest.raises(Broken, match="Entry 4 of table BCDFG cannot be followed"):
        folded(PLAYS["alpine-trails"].box.version)
    with pytest.raises(Illegal):  # what is said today is judged by today's rules, whatever the table was opened with
        follow(folded("1"), Entry(6, AT, ANA, 0, log[1]))
