"""What phones say is judged on the table as it is: taps counted once, seats kept, faults told apart."""

from collections.abc import Callable

import pytest
from msgspec import to_builtins

from companion.log.repair import Back, Plan, putting_back
from companion.log.table import Table
from companion.service.referee import NotAllowed, NotWhole, Referee
from companion.storage.store import NoSuchTable
from scoring.kernel.errors import Illegal, Malformed
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER
from tests.support.positions import laid

HIKE = {"type": "hike", "steps": 2}
NAME = {"type": "name-card", "end": "trailhead", "badge": "science"}
CORRECT = {"type": "correct-player", "player": 0, "leaf": 4}


def usual(*names: str, game: str = "trails") -> dict:
    return to_builtins(laid(list(names), game))


def without(step: int) -> Plan:
    """Return the plan by which a step did not happen."""
    return Plan(str(step), 1)


def texts(table: Table) -> list[str]:
    return [step.text for step in table.steps]


def test_a_move_is_written_and_the_table_answered(judge: Referee, code: str):
    table = judge.play(code, ANA, "tap", 0, HIKE)
    assert texts(table) == ["Ana hiked 2 to the leaf site. +1 leaf."]
    assert judge.store.newest(code) == table.number == 4


def test_the_same_tap_twice_counts_once_even_where_the_move_could_be_made_again(judge: Referee, code: str):
    first = judge.play(code, ANA, "tap", 0, NAME)
    assert judge.play(code, ANA, "tap", 0, NAME) == first
    assert texts(first) == ["Ana sees Science at the Trailhead."]


def test_the_same_tap_twice_counts_once_and_is_not_refused_where_the_move_is_now_illegal(judge: Referee, code: str):
    first = judge.play(code, ANA, "tap", 0, HIKE)
    assert judge.play(code, ANA, "tap", 0, HIKE) == first
    with pytest.raises(Illegal, match="It is Bo\u2019s turn: hike."):
        judge.play(code, ANA, "another tap", 0, HIKE)


def test_a_tap_heard_again_much_later_is_still_counted_once(judge: Referee, code: str):
    judge.play(code, ANA, "tap", 0, HIKE)
    judge.play(code, BO, "bo", 1, HIKE)
    table = judge.play(code, ANA, "leave", 0, {"type": "hike", "steps": 2})
    assert judge.play(code, ANA, "tap", 0, HIKE) == table


REPEATED: list[tuple[str, Callable[[Referee, str, int], Table]]] = [
    ("sit", lambda judge, code, step: judge.sit(code, CY, "tap", 2)),
    ("stand", lambda judge, code, step: judge.stand(code, ANA, "tap", 0)),
    ("take back", lambda judge, code, step: judge.mend(code, ANA, "tap", 0, without(step))),
    ("ask to take back", lambda judge, code, step: judge.mend(code, BO, "tap", 1, without(step))),
    ("correct", lambda judge, code, step: judge.play(code, ANA, "tap", 0, CORRECT)),
    ("ask for a seat", lambda judge, code, step: judge.sit(code, STRANGER, "tap", 0)),
]


@pytest.mark.parametrize(("said", "say"), REPEATED, ids=[said for said, _ in REPEATED])
def test_whatever_is_said_the_same_tap_counts_once(judge: Referee, said: str, say):
    code = judge.open(HOST, "trails", usual("Ana", "Bo", "Cy")).code
    judge.sit(code, ANA, "sit 0", 0)
    judge.sit(code, BO, "sit 1", 1)
    step = judge.play(code, ANA, "hike", 0, HIKE).number
    table = say(judge, code, step)
    assert table.number == step + 1
    assert say(judge, code, step) == table


def test_the_same_answer_to_a_question_that_is_settled_is_not_refused(judge: Referee, code: str):
    asked = judge.play(code, ANA, "ask", 0, CORRECT).number
    table = judge.answer(code, BO, "yes", asked, True)
    assert judge.answer(code, BO, "yes", asked, True) == table
    with pytest.raises(NotAllowed, match="settled already"):
        judge.answer(code, BO, "yes again", asked, True)


def test_a_repeated_tap_is_not_told_what_stands_in_the_way_by_now(judge: Referee, code: str):
    """Bo asks, does not hear the answer, and asks again by the same tap, when Bo has moved on the other seat's phone."""
    step = judge.play(code, ANA, "hike", 0, HIKE).number
    judge.mend(code, BO, "ask", 1, without(step))
    table = judge.play(code, BO, "bo", 1, HIKE)
    assert judge.mend(code, BO, "ask", 1, without(step)) == table
    with pytest.raises(NotWhole) as fault:
        judge.mend(code, BO, "ask anew", 1, without(step))
    assert fault.value.mended.blocked.step == table.steps[-1]


NOT_YOURS: list[tuple[str, Callable[[Referee, str], Table], str]] = [
    (
        "another's seat",
        lambda judge, code: judge.play(code, BO, "t", 0, HIKE),
        "Your phone does not hold Ana\u2019s seat.",
    ),
    (
        "without a seat",
        lambda judge, code: judge.play(code, STRANGER, "t", 0, HIKE),
        "Your phone does not hold Ana\u2019s seat.",
    ),
    (
        "even the host",
        lambda judge, code: judge.play(code, HOST, "t", 0, HIKE),
        "Your phone does not hold Ana\u2019s seat.",
    ),
    ("no such seat", lambda judge, code: judge.play(code, ANA, "t", 2, HIKE), "There is no such seat at this table."),
    (
        "below the first",
        lambda judge, code: judge.play(code, BO, "t", -1, HIKE),
        "There is no such seat at this table.",
    ),
    ("sit nowhere", lambda judge, code: judge.sit(code, STRANGER, "t", 2), "There is no such seat at this table."),
    (
        "stand for another",
        lambda judge, code: judge.stand(code, BO, "t", 0),
        "Your phone does not hold Ana\u2019s seat.",
    ),
    (
        "take back for another",
        lambda judge, code: judge.mend(code, BO, "t", 0, without(4)),
        "Your phone does not hold Ana\u2019s seat.",
    ),
    ("take back nothing", lambda judge, code: judge.mend(code, BO, "t", 1, without(99)), "told otherwise since"),
    ("take back sitting down", lambda judge, code: judge.mend(code, BO, "t", 1, without(2)), "told otherwise since"),
    (
        "put back nothing",
        lambda judge, code: judge.mend(code, BO, "t", 1, Plan(here=(Back("99"),))),
        "told otherwise since",
    ),
    (
        "answer nothing",
        lambda judge, code: judge.answer(code, BO, "t", 99, True),
        "That question has been settled already.",
    ),
    (
        "set up without a seat",
        lambda judge, code: judge.change_setup(code, STRANGER, "t", usual("Ana", "Bo"), 0),
        "Take a seat first",
    ),
]


@pytest.mark.parametrize(("what", "say", "why"), NOT_YOURS, ids=[what for what, _, _ in NOT_YOURS])
def test_what_a_phone_may_not_do_is_refused_and_says_why(judge: Referee, code: str, what: str, say, why: str):
    with pytest.raises(NotAllowed, match=why):
        say(judge, code)
    assert judge.store.newest(code) == 3


def test_others_secret_steps_are_not_there_to_be_taken_back(judge: Referee, code: str):
    note = judge.play(code, ANA, "note", 0, {"type": "note-hand", "badge": "science"}).number
    with pytest.raises(NotAllowed, match="A note is its own player\u2019s alone"):
        judge.mend(code, BO, "t", 1, without(note))
    table = judge.mend(code, ANA, "back", 0, without(note))
    with pytest.raises(NotAllowed, match="A note is its own player\u2019s alone"):
        judge.mend(code, BO, "t2", 1, putting_back(table, str(note)))


def test_a_phone_takes_its_own_note_back_without_asking_whoever_has_moved_since(judge: Referee, code: str):
    note = judge.play(code, ANA, "note", 0, {"type": "note-hand", "badge": "science"}).number
    judge.play(code, ANA, "ana", 0, HIKE)
    judge.play(code, BO, "bo", 1, HIKE)
    table = judge.mend(code, ANA, "back", 0, without(note))
    assert table.proposals == () and table.state.players[0].hand is None
    table = judge.mend(code, ANA, "again", 0, putting_back(table, str(note)))
    assert table.proposals == () and table.state.players[0].hand == "science"


MALFORMED = [
    {},
    {"type": "fly"},
    {"type": "hike"},
    {"type": "hike", "steps": "2"},
    {"type": "hike", "steps": 2, "seat": 1},
    [],
    None,
    "hike",
]


@pytest.mark.parametrize("data", MALFORMED, ids=repr)
def test_what_is_no_move_is_malformed_whoever_has_the_turn(judge: Referee, code: str, data):
    for device, seat in ((ANA, 0), (BO, 1)):
        with pytest.raises(Malformed):
            judge.play(code, device, "t", seat, data)


def test_a_form_says_numbers_as_text(judge: Referee, code: str):
    assert judge.play(code, ANA, "t", 0, {"type": "hike", "steps": "2"}, strict=False).steps


@pytest.mark.parametrize("number", [0, 3, 10**30])
def test_what_the_rules_refuse_is_illegal_and_cites_them(judge: Referee, code: str, number: int):
    with pytest.raises(Illegal) as refusal:
        judge.play(code, ANA, "t", 0, {"type": "hike", "steps": number})
    assert refusal.value.reasons[0].rule.id == "hike-distance"


def test_nothing_can_be_said_at_a_table_that_is_not_there(judge: Referee):
    with pytest.raises(NoSuchTable):
        judge.play("BCDFG", ANA, "t", 0, HIKE)


def test_who_may_answer(judge: Referee, code: str):
    asked = judge.play(code, ANA, "ask", 0, CORRECT).number
    for device, yes in ((STRANGER, True), (STRANGER, False), (ANA, True)):
        with pytest.raises(NotAllowed, match="not for your phone"):
            judge.answer(code, device, f"{device} {yes}", asked, yes)
    assert judge.answer(code, ANA, "never mind", asked, False).proposals == ()
    asked = judge.play(code, ANA, "ask again", 0, CORRECT).number
    assert judge.answer(code, HOST, "decide", asked, True).state.players[0].cubes == (1, 4, 1)


def test_asking_the_same_again_while_it_waits_asks_once(judge: Referee, code: str):
    step = judge.play(code, ANA, "hike", 0, HIKE).number
    for tap in ("one", "two"):
        judge.play(code, ANA, f"correct {tap}", 0, CORRECT)
        judge.mend(code, BO, f"back {tap}", 1, without(step))
        table = judge.sit(code, STRANGER, f"sit {tap}", 1)
    assert len(table.proposals) == 3 and table.number == step + 3
    assert len(judge.play(code, BO, "another phone asks", 1, CORRECT).proposals) == 4


def test_sitting_where_one_sits_already_changes_nothing(judge: Referee, code: str):
    assert judge.sit(code, ANA, "t", 0).number == 3


def test_the_set_up_turns_so_that_another_player_is_first_and_seats_move_along(judge: Referee):
    code = judge.open(HOST, "trails", usual("Ana", "Bo", "Cy")).code
    for seat, device in enumerate((ANA, BO, CY)):
        judge.sit(code, device, f"sit {seat}", seat)
    table = judge.change_setup(code, HOST, "t", usual("Ana", "Bo", "Cy"), 1)
    assert table.names == ("Bo", "Cy", "Ana") and table.seats == (BO, CY, ANA)
    assert judge.play(code, BO, "bo", 0, HIKE).steps[-1].text.startswith("Bo hiked 2")


def test_the_set_up_cannot_be_changed_once_somebody_has_moved_unless_it_is_taken_back(judge: Referee, code: str):
    hike = judge.play(code, ANA, "hike", 0, HIKE).number
    with pytest.raises(NotAllowed, match="take its steps back"):
        judge.change_setup(code, HOST, "t", usual("Ana", "Bea"), 0)
    judge.mend(code, ANA, "back", 0, without(hike))
    assert judge.change_setup(code, BO, "t", usual("Ana", "Bea"), 0).names == ("Ana", "Bea")


def test_the_set_up_keeps_the_number_of_players(judge: Referee, code: str):
    with pytest.raises(Malformed, match="this table has 2 players, not 3"):
        judge.change_setup(code, HOST, "t", usual("Ana", "Bo", "Cy"), 0)


@pytest.mark.parametrize("players", [{}, {"x": "y"}, "Ana", None, 7])
def test_players_that_are_no_list_are_malformed(judge: Referee, code: str, players):
    with pytest.raises(Malformed):
        judge.change_setup(code, HOST, "t", {**usual("Ana", "Bo"), "players": players}, 0)


def test_what_is_said_is_announced_after_it_is_written(judge: Referee, code: str, monkeypatch):
    heard = []
    monkeypatch.setattr(judge.live, "announce", lambda code, number: heard.append((number, judge.store.newest(code))))
    judge.play(code, ANA, "tap", 0, HIKE)
    judge.play(code, ANA, "tap", 0, HIKE)
    judge.sit(code, ANA, "sit", 0)
    assert heard == [(4, 4)]
