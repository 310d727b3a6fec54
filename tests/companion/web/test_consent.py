"""Consent: what concerns others waits until every other phone has agreed; one No drops it; the host can decide."""

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from companion.log.apply import Broken
from companion.log.entries import (
    Agreed,
    AgreesBy,
    CameBack,
    Consent,
    Decided,
    Declined,
    OwnRuling,
    Played,
    Proposed,
    PutBack,
    Rewrote,
    SeatAsked,
    Stood,
    TookBack,
    What,
    Wish,
)
from companion.log.preview import compare, if_so, preview, whom_to_ask
from companion.log.table import Agreement
from companion.service.referee import Referee
from scoring.trails.moves.hiking import Hike, Leave
from tests.support.cases import every_row
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, Told, all_at, on_one_phone, stored
from tests.support.positions import laid

LEAVES = Played({"type": "correct-player", "player": 0, "leaf": 4})
RULING = Played({"type": "adopt", "ruling": "zero-birds", "option": "everyone"})


def leaves(told: Told) -> int:
    return told.table.state.players[0].cubes[1]


def test_all_other_phones_must_agree():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.propose(0, LEAVES)
    assert told.table.proposal(asked).waiting == (1, 2)
    told.agree(1, asked)
    assert told.table.proposal(asked).waiting == (2,) and leaves(told) == 1
    told.agree(2, asked)
    assert told.table.proposals == () and leaves(told) == 4
    assert told.table.steps[-1].seat == 0 and told.table.step(told.table.number)


def test_one_no_drops_it():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.propose(0, LEAVES)
    told.agree(1, asked)
    told.decline(2, asked)
    assert told.table.proposals == () and leaves(told) == 1
    assert told.lines[-1] == "Cy declined Ana\u2019s request: \u201cCorrect Ana: 4 leaves.\u201d"


def test_the_host_decides_for_those_who_do_not_answer():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.propose(0, LEAVES)
    told.say(HOST, Decided(asked))
    assert leaves(told) == 4
    assert told.lines[-2:] == ["The host decided: \u201cCorrect Ana: 4 leaves.\u201d", told.table.steps[-1].text]
    asked = told.propose(0, RULING)
    told.say(HOST, Declined(asked))
    assert told.table.state.rulings == {}
    assert told.lines[-1].startswith("The host declined Ana\u2019s request: ")


def test_what_the_host_decided_is_taken_back_as_one_step_and_the_decision_stays_in_the_log():
    told = all_at("Ana", "Bo", "Cy")
    told.say(HOST, Decided(told.propose(0, LEAVES)))
    corrected = told.table.steps[-1].number
    told.say(HOST, Decided(told.propose(0, TookBack(corrected))))
    assert leaves(told) == 1
    assert [line.text for line in told.table.lines if line.undone_by] == [told.table.undone[str(corrected)][0].text]


def test_a_log_of_0_1_0_says_otherwise_that_the_host_decided():
    told = all_at("Ana", "Bo", "Cy")
    told.say(HOST, Agreed(told.propose(0, LEAVES), decided=True))
    assert leaves(told) == 4 and "decided" not in "".join(told.lines)


def test_whoever_asked_can_stop_asking_and_is_not_called_the_host():
    told = all_at("Ana", "Bo")
    asked = told.say(STRANGER, Proposed(SeatAsked()), 1).number
    told.say(STRANGER, Declined(asked))
    assert told.table.proposals == ()
    assert told.lines[-1] == "No longer asked: \u201cGo on as Bo from another phone.\u201d"


def test_a_phone_with_two_seats_agrees_once():
    told = Told("Ana", "Bo", "Cy").sit(ANA, BO, BO)
    asked = told.propose(0, LEAVES)
    assert told.table.proposal(asked).waiting == (1, 2)
    told.agree(1, asked)
    assert leaves(told) == 4


def test_free_seats_are_not_asked():
    told = Told("Ana", "Bo", "Cy").sit(ANA, BO)
    asked = told.propose(0, LEAVES)
    assert told.table.proposal(asked).waiting == (1,)


def test_a_table_with_one_phone_needs_no_consent():
    told = on_one_phone("Ana", "Bo")
    told.propose(0, LEAVES)
    assert leaves(told) == 4 and told.table.proposals == ()
    told.play(0, Hike(2))
    hike = told.play(1, Hike(2))
    told.propose(0, TookBack(hike))
    assert [step.number for step in told.table.steps] == [4, 5]
    told.propose(1, PutBack(hike))
    assert [step.number for step in told.table.steps] == [4, 5, hike]


def test_who_leaves_the_table_is_no_longer_waited_for():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.propose(0, LEAVES)
    told.say(CY, Stood(), 2)
    assert told.table.proposal(asked).waiting == (1,)
    told.agree(1, asked)
    assert leaves(told) == 4


def test_what_nobody_is_left_to_agree_to_is_dropped_and_can_be_asked_again():
    told = all_at("Ana", "Bo")
    told.propose(0, LEAVES)
    told.say(BO, Stood(), 1)
    assert told.table.proposals == () and leaves(told) == 1
    assert told.lines[-1] == "Nobody is left to agree: \u201cCorrect Ana: 4 leaves.\u201d"
    told.propose(0, LEAVES)
    assert leaves(told) == 4


def test_several_things_can_be_asked_at_once_and_are_settled_one_by_one():
    told = all_at("Ana", "Bo")
    first, second = told.propose(0, LEAVES), told.propose(1, RULING)
    assert [proposal.number for proposal in told.table.proposals] == [first, second]
    told.agree(0, second)
    assert told.table.state.rulings == {"zero-birds": "everyone"} and told.table.proposal(first)
    told.decline(1, first)
    assert told.table.proposals == () and leaves(told) == 1


def test_what_has_become_impossible_is_dropped_and_told():
    told = all_at("Ana", "Bo")
    first, second = told.propose(0, LEAVES), told.propose(1, LEAVES)
    told.agree(1, first)
    steps = told.table.steps
    told.agree(0, second)
    assert told.table.steps == steps and told.table.proposals == ()
    assert told.lines[-1] == (
        "\u201cCorrect Ana: 4 leaves\u201d is no longer possible. The app has it so already. (guide \u201cComponents\u201d)"
    )


def test_taking_back_what_something_has_come_to_rest_on_is_dropped_and_told():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    asked = told.propose(1, TookBack(hike))
    assert told.table.proposal(asked).text == "Take back \u201cAna hiked 2 to the leaf site. +1 leaf.\u201d"
    told.play(1, Hike(1), Leave())
    told.agree(0, asked)
    assert told.table.step(hike) and told.table.proposals == ()
    assert "is no longer possible. \u201cBo hiked 1 to the exchange site.\u201d stands in the way." in told.lines[-1]


def test_the_same_step_asked_back_by_two_is_taken_back_once_and_no_longer_asked():
    told = all_at("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    first, other, _ = told.propose(1, TookBack(hike)), told.propose(2, LEAVES), told.propose(2, TookBack(hike))
    for seat in (0, 2):
        told.agree(seat, first)
    assert told.table.steps == () and list(told.table.undone) == [str(hike)]
    assert [proposal.number for proposal in told.table.proposals] == [other]


def test_a_step_its_player_takes_back_is_no_longer_asked_back():
    told = all_at("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.propose(1, TookBack(hike))
    told.say(ANA, TookBack(hike), 0)
    assert told.table.steps == () and told.table.proposals == ()


def test_a_step_put_back_is_no_longer_asked_again():
    told = all_at("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    told.say(ANA, TookBack(hike), 0)
    first, _ = told.propose(1, PutBack(hike)), told.propose(2, PutBack(hike))
    for seat in (0, 2):
        told.agree(seat, first)
    assert [step.number for step in told.table.steps] == [hike] and told.table.proposals == ()


# How a seat is asked for in the logs of 0.1.0: the others are asked, not the phone that holds it.

TAKEOVER = [
    (ANA, BO, CY, STRANGER, (0, 2)),  # the two others are asked; the silent phone itself is not
    (ANA, BO, CY, ANA, (2,)),  # asked from a phone with a seat of its own
    (ANA, BO, BO, STRANGER, (0, 2)),  # the phone that holds the seat is asked for its other one
    (None, BO, None, STRANGER, (1,)),  # nobody else is there to ask
]


@every_row(("ana", "bo", "cy", "asks", "waiting"), TAKEOVER)
def test_in_old_logs_a_seat_goes_to_another_phone_with_the_tables_consent(ana, bo, cy, asks, waiting):
    told = Told("Ana", "Bo", "Cy").sit(ana, bo, cy)  # None: nobody has sat down there
    asked = told.say(asks, Proposed(SeatAsked()), 1).number
    assert told.table.proposal(asked).text == "Go on as Bo from another phone"
    assert told.table.proposal(asked).waiting == waiting and told.table.seats[1] == bo
    told.say(HOST, Agreed(asked, decided=True))
    assert told.table.seats == (ana, asks, cy)
    assert told.lines[-1] == "Bo goes on from another phone."


def test_a_seat_taken_over_no_longer_answers_for_its_old_phone():
    told = all_at("Ana", "Bo", "Cy")
    correct = told.propose(0, LEAVES)
    asked = told.say(STRANGER, Proposed(SeatAsked()), 1).number
    for seat in (0, 2):
        told.agree(seat, asked)
    assert told.table.seats[1] == STRANGER
    assert told.table.proposal(correct).waiting == (2,)
    told.agree(2, correct)
    assert leaves(told) == 4


def test_a_phone_that_takes_over_the_seat_of_whom_it_asked_is_not_waited_for():
    told = all_at("Ana", "Bo")
    told.propose(0, LEAVES)
    asked = told.say(ANA, Proposed(SeatAsked()), 1).number
    told.say(HOST, Agreed(asked, decided=True))
    assert told.table.seats == (ANA, ANA) and told.table.proposals == ()
    assert told.lines[-2:] == [
        "Bo goes on from another phone.",
        "Nobody is left to agree: \u201cCorrect Ana: 4 leaves.\u201d",
    ]


# How it is asked for now: the phone that holds it, or all others together; the referee knows when these may answer.

ASKED = [
    (ANA, BO, CY, STRANGER, (1, 0, 2)),
    (ANA, BO, CY, ANA, (1, 2)),  # asked from a phone with a seat of its own
    (ANA, BO, BO, STRANGER, (1, 0)),  # the holder answers for itself alone, whatever else it holds
    (None, BO, None, STRANGER, (1,)),
]


@every_row(("ana", "bo", "cy", "asks", "waiting"), ASKED)
def test_the_phone_that_holds_a_seat_hands_it_over(ana, bo, cy, asks, waiting):
    told = Told("Ana", "Bo", "Cy").sit(ana, bo, cy)
    asked = told.say(asks, Proposed(SeatAsked(holder=True)), 1).number
    assert told.table.proposal(asked).waiting == waiting and told.table.seats[1] == bo
    told.agree(1, asked)
    assert told.table.seats == (ana, asks, cy) and told.table.lost == ()


def test_all_others_together_give_a_seat_away_and_its_phone_can_come_back():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.say(STRANGER, Proposed(SeatAsked(holder=True)), 1).number
    told.agree(0, asked)
    assert told.table.seats[1] == BO
    told.agree(2, asked)
    assert told.table.seats[1] == STRANGER and [lost.seat for lost in told.table.lost_by(BO)] == [1]
    told.say(BO, CameBack(), 1)
    assert told.table.seats[1] == BO and told.table.lost == ()


def test_others_who_leave_have_not_agreed():
    told = all_at("Ana", "Bo", "Cy")
    asked = told.say(STRANGER, Proposed(SeatAsked(holder=True)), 1).number
    for seat, phone in ((0, ANA), (2, CY)):
        told.say(phone, Stood(), seat)
    assert told.table.proposal(asked).waiting == (1,) and told.table.seats[1] == BO


@pytest.mark.parametrize(("device", "seat"), [(STRANGER, 1), (CY, 1), (BO, 0)])
def test_nobody_comes_back_to_a_seat_that_was_not_taken_from_them(device: str, seat: int):
    told = all_at("Ana", "Bo", "Cy")
    asked = told.say(STRANGER, Proposed(SeatAsked(holder=True)), 1).number
    told.say(HOST, Decided(asked))
    with pytest.raises(Broken, match="was not taken from this phone"):
        told.say(device, CameBack(), seat)


def test_the_words_of_a_proposal_are_those_of_when_it_was_made():
    told = all_at("Ana", "Bo")
    asked = told.propose(1, Played({"type": "correct-player", "player": 0, "space": 3}))
    told.play(0, Hike(2))
    assert told.table.proposal(asked).text == "Correct Ana: at the acorn site"
    assert to_builtins(told.log[asked - 1].what)["wish"]["move"]["space"] == 3


# Who is asked, and how many are enough, stands in the log with the question.

FIGURES = Played({"type": "set-right", "changes": [{"type": "by", "at": "players.1.leaf", "by": 2}]})  # it concerns Bo
NOBODYS = Played({"type": "set-right", "changes": [{"type": "into", "at": "bear", "was": "acorn", "now": "rock"}]})


def ask(told: Told, wish: Wish, asks: tuple[int, ...], enough: int = 0, seat: int = 0) -> int:
    return told.say(told.table.seats[seat], Proposed(wish, asks, enough), seat).number


def bo_leaves(told: Told) -> int:
    return told.table.state.players[1].cubes[1]


def test_those_are_asked_whom_the_entry_names_and_nobody_else():
    told = all_at("Ana", "Bo", "Cy", "Di")
    asked = ask(told, FIGURES, (1,))
    assert told.table.proposal(asked).waiting == told.table.proposal(asked).asked == (1,)
    told.agree(3, asked)
    assert told.table.proposal(asked) and bo_leaves(told) == 1  # Di was not asked
    told.agree(1, asked)
    assert bo_leaves(told) == 3
    assert told.table.agreements[told.table.number] == Agreement((1,))


def test_an_entry_that_names_nobody_else_is_so_at_once():
    told = all_at("Ana", "Bo", "Cy")
    for asks in ((), (0,)):  # the asker's own seat is never asked
        asked = ask(told, FIGURES, asks)
        assert told.table.proposal(asked) is None
    assert bo_leaves(told) == 5


@pytest.mark.parametrize("yes", [(1, 2), (3, 1), (2, 3)])
def test_as_many_as_the_entry_says_are_enough(yes: tuple[int, int]):
    told = all_at("Ana", "Bo", "Cy", "Di")
    asked = ask(told, FIGURES, (1, 2, 3), 2)
    told.agree(yes[0], asked)
    assert bo_leaves(told) == 1 and told.table.proposal(asked).agreed == yes[:1]
    told.agree(yes[1], asked)
    assert bo_leaves(told) == 3 and told.table.agreements[told.table.number] == Agreement(yes)


def test_a_no_drops_it_only_where_those_left_are_not_enough():
    told = all_at("Ana", "Bo", "Cy", "Di")
    asked = ask(told, FIGURES, (1, 2, 3), 2)
    told.decline(1, asked)
    assert told.table.proposal(asked).waiting == (2, 3)
    told.decline(2, asked)
    assert told.table.proposal(asked) is None and bo_leaves(told) == 1


def test_who_asked_may_always_stop_asking():
    told = all_at("Ana", "Bo", "Cy", "Di")
    asked = ask(told, FIGURES, (1, 2, 3), 1)
    told.decline(0, asked)
    assert told.table.proposals == () and told.lines[-1].startswith("No longer asked: ")


def test_who_leaves_the_table_counts_neither_as_yes_nor_as_no():
    told = all_at("Ana", "Bo", "Cy", "Di")
    asked = ask(told, FIGURES, (1, 2, 3), 2)
    told.agree(1, asked)
    told.say(CY, Stood(), 2)
    assert told.table.proposal(asked).waiting == (3,) and bo_leaves(told) == 1
    told.agree(3, asked)
    assert bo_leaves(told) == 3


def test_a_seat_that_changes_hands_while_a_question_waits_is_no_longer_asked():
    """The phone that has it now never saw the question; where nobody else was asked, it is dropped and can be asked again."""
    told = all_at("Ana", "Bo", "Cy")
    asked, other = ask(told, FIGURES, (1,)), ask(told, RULING, (1, 2))
    wanted = told.say(STRANGER, Proposed(SeatAsked(holder=True)), 1).number
    told.agree(1, wanted)
    assert told.table.seats[1] == STRANGER
    assert told.table.proposal(asked) is None and told.table.proposal(other).waiting == (2,)
    assert any(line.startswith("Nobody is left to agree: \u201cSet right: Bo, leaf 1") for line in told.lines)
    again = ask(told, FIGURES, (1,))
    told.say(STRANGER, Agreed(again), 1)
    assert bo_leaves(told) == 3


def test_how_the_table_agrees_from_now_on_does_not_change_what_was_asked_before():
    told = all_at("Ana", "Bo", "Cy")
    before = ask(told, FIGURES, (1, 2))
    told.agree(2, changed := ask(told, AgreesBy("trust"), (1, 2)))
    told.agree(1, changed)
    assert told.table.consent == "trust" and told.lines[-1] == "From now on what somebody sets right holds at once."
    assert told.table.proposal(before).waiting == (1, 2)


def test_what_the_host_decided_is_marked_and_told_on_the_sheet():
    told = all_at("Ana", "Bo", "Cy")
    told.say(HOST, Decided(ask(told, FIGURES, (1,))))
    assert told.table.agreements[told.table.number].decided and bo_leaves(told) == 3
    assert told.table.remarks == ("The host decided: \u201cSet right: Bo, leaf 1 \u2192 3.\u201d",)


def test_logs_before_0_3_ask_all_others():
    told = all_at("Ana", "Bo", "Cy")
    assert told.table.consent == "everybody"
    asked = told.propose(0, FIGURES)
    assert told.table.proposal(asked).waiting == (1, 2)


# whose phones sit where, how they agree, who asks, and what: who is asked, how many are enough
WHOM: list[tuple[tuple[str | None, ...], Consent, str, Wish, tuple[int, ...], int]] = [
    ((ANA, BO, CY), "concerned", ANA, FIGURES, (1,), 0),
    ((ANA, BO, CY), "concerned", CY, FIGURES, (1,), 0),
    ((ANA, BO, CY), "concerned", BO, FIGURES, (0, 2), 0),  # of Bo alone, and Bo asks: all others
    ((ANA, BO, CY), "concerned", ANA, NOBODYS, (1, 2), 0),  # of the table: all others
    ((ANA, None, CY), "concerned", ANA, FIGURES, (2,), 0),  # nobody sits there
    ((ANA, ANA, CY), "concerned", ANA, FIGURES, (2,), 0),
    ((ANA, BO, BO), "concerned", ANA, FIGURES, (1,), 0),
    ((ANA, BO, CY), "everybody", ANA, FIGURES, (1, 2), 0),
    ((ANA, BO, CY), "most", ANA, FIGURES, (1, 2), 1),  # with Ana's own, two of three
    ((ANA, BO, "di's phone", CY), "most", ANA, FIGURES, (1, 2, 3), 2),
    ((ANA, BO), "most", ANA, FIGURES, (1,), 1),
    ((ANA, ANA, BO, CY), "most", ANA, FIGURES, (2, 3), 1),
    ((ANA, BO, CY), "trust", ANA, FIGURES, (), 0),
    ((ANA, ANA), "everybody", ANA, FIGURES, (), 0),
]


@every_row(("phones", "consent", "asker", "wish", "asks", "enough"), WHOM)
def test_whom_a_table_asks(phones, consent: Consent, asker: str, wish: Played, asks: tuple[int, ...], enough: int):
    told = Told(*("Ana", "Bo", "Cy", "Di")[: len(phones)]).sit(*phones)
    table = replace(told.table, consent=consent)
    seat = phones.index(asker)
    would = compare(table, if_so(table, asker, seat, wish))
    assert whom_to_ask(table, asker, would) == (asks, enough)
    ended = replace(table, ended=True)
    others = tuple(other for other, phone in enumerate(phones) if phone not in (asker, None))
    assert whom_to_ask(ended, asker, would) == whom_to_ask(table, asker) == (others, 0)  # the end, and how they agree


def test_the_referee_writes_down_whom_it_asks(judge: Referee):
    code = judge.open(HOST, "trails", to_builtins(laid(["Ana", "Bo", "Cy"]))).code
    for seat, device in enumerate((ANA, BO, CY)):
        judge.sit(code, device, f"sit {seat}", seat)
    judge.play(code, ANA, "ask", 0, to_builtins(FIGURES.move))
    *_, last = stored(judge.store, code)
    assert json.decode(last[-1])["asks"] == [1]


# A request whose basis has vanished between asking and agreeing


def badge(name: str) -> Played:
    return Played({"type": "add-badge", "badge": name})


LATE: dict[str, tuple[Wish, What]] = {  # what Bo asks for -> what takes its basis away before everybody has agreed
    "ruling": (RULING, RULING),
    "step to undo": (TookBack(9), Rewrote(at="9", until="9")),
    "step to redo": (PutBack(6), Rewrote(at="8", tail=("6",))),
    "repair that redoes a step": (Rewrote(at="7", tail=("6",)), Rewrote(at="8", tail=("6",))),
    "repair whose first step goes": (Rewrote(at="7", until="9"), Rewrote(at="7", until="7")),
    "repair whose last step goes": (Rewrote(at="7", until="9"), Rewrote(at="9", until="9")),
    "repair between two steps": (Rewrote(at="7", until="8"), Rewrote(at="7", until="7")),
    "house rule": (OwnRuling("May we?", "Yes."), OwnRuling("May we?", "Yes.")),
    "house rule to drop": (OwnRuling("Can we?"), OwnRuling("Can we?")),
}


@pytest.mark.parametrize("kind", LATE)
@pytest.mark.parametrize("ending", ["agreed", "decided", "declined", "withdrawn"])
def test_request_whose_basis_is_gone_is_answered_and_closed(kind: str, ending: str):
    told = all_at("Ana", "Bo", "Cy", game="trails-tally")
    told.say(ANA, OwnRuling("Can we?", "No."), 0)  # the fifth entry
    for phone, seat, name in (
        (ANA, 0, "seeker-acorn"),
        (BO, 1, "climber-rock"),
        (CY, 2, "science"),
        (BO, 1, "seeker-leaf"),
    ):
        told.say(phone, badge(name), seat)
    told.say(ANA, Rewrote(at="6", until="6"), 0)
    wish, gone = LATE[kind]
    number = told.propose(1, wish)
    told.say(ANA, gone, 0)
    told.say(ANA, badge("climber-leaf"), 0)
    why = preview(told.table, told.table.proposal(number))
    match ending:
        case "agreed":
            told.agree(0, number)
            told.agree(2, number)
        case "decided":
            told.say(HOST, Decided(number))
        case "declined":
            told.decline(2, number)
        case "withdrawn":
            told.decline(1, number)
    assert told.table.proposals == ()
    if ending in ("agreed", "decided"):
        assert told.lines[-1].endswith(f" is no longer possible. {why}") and "there is no" not in why
