"""Tests of consent: who must agree to a request, and what answers and decisions lead to."""

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from companion.log.apply import CorruptLogError
from companion.log.consent import required_approvals
from companion.log.entries import (
    Agreed,
    ConsentChanged,
    ConsentPolicy,
    Decided,
    Declined,
    LogRewritten,
    MoveRedone,
    MoveUndone,
    OwnRuling,
    Payload,
    Played,
    Proposable,
    Proposed,
    SeatLeft,
    SeatReclaimed,
    SeatRequested,
)
from companion.log.preview import compare, preview_proposal, simulate
from companion.log.table import Agreement
from companion.service.referee import Referee
from scoring.trails.moves.hiking import Hike, Skip
from tests.support.log_builder import (
    ANA,
    BO,
    CY,
    HOST,
    STRANGER,
    LogBuilder,
    build_one_phone_log,
    build_seated_log,
    leaf_edit,
    stored_entries,
)
from tests.support.parametrize import run_all_rows
from tests.support.ready_setups import ready_setup

CORRECT_LEAVES, EDIT_BO = Played(leaf_edit(0, 3)), Played(leaf_edit(1, 2))
EDIT_BEAR = Played({"type": "set-right", "changes": [{"type": "into", "at": "bear", "was": "acorn", "now": "rock"}]})
RULING = Played({"type": "adopt", "ruling": "zero-birds", "option": "everyone"})


def ana_leaves(builder: LogBuilder) -> int:
    return builder.table.state.players[0].cubes[1]


def test_request_waits_until_all_other_phones_agree():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.propose(0, CORRECT_LEAVES)
    assert told.table.find_proposal(asked).waiting_seats == (1, 2)
    told.agree(1, asked)
    assert told.table.find_proposal(asked).waiting_seats == (2,) and ana_leaves(told) == 1
    told.agree(2, asked)
    assert told.table.proposals == () and ana_leaves(told) == 4
    assert told.table.steps[-1].seat == 0 and told.table.active_step(told.table.version)


def test_request_with_one_no_is_dropped():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.propose(0, CORRECT_LEAVES)
    told.agree(1, asked)
    told.decline(2, asked)
    assert told.table.proposals == () and ana_leaves(told) == 1
    assert told.log_texts[-1] == "Cy declined Ana\u2019s request: \u201cSet right: Ana, leaf 1 \u2192 4.\u201d"


def test_host_decides_for_players_who_do_not_answer():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.propose(0, CORRECT_LEAVES)
    told.add_entry(HOST, Decided(asked))
    assert ana_leaves(told) == 4
    assert told.log_texts[-2:] == [
        "The host decided: \u201cSet right: Ana, leaf 1 \u2192 4.\u201d",
        told.table.steps[-1].text,
    ]
    asked = told.propose(0, RULING)
    told.add_entry(HOST, Declined(asked))
    assert told.table.state.rulings == {}
    assert told.log_texts[-1].startswith("The host declined Ana\u2019s request: ")


def test_undo_of_a_host_decision_keeps_the_decision_in_the_log():
    told = build_seated_log("Ana", "Bo", "Cy")
    told.add_entry(HOST, Decided(told.propose(0, CORRECT_LEAVES)))
    corrected = told.table.steps[-1].number
    told.add_entry(HOST, Decided(told.propose(0, MoveUndone(corrected))))
    assert ana_leaves(told) == 1
    assert [line.text for line in told.table.messages if line.removed_by] == [
        told.table.removed[str(corrected)][0].text
    ]


def test_log_of_0_1_0_with_a_host_decision_is_read():
    told = build_seated_log("Ana", "Bo", "Cy")
    told.add_entry(HOST, Agreed(told.propose(0, CORRECT_LEAVES), decided=True))
    assert ana_leaves(told) == 4 and "decided" not in "".join(told.log_texts)


def test_withdrawn_request_is_not_shown_as_declined_by_the_host():
    told = build_seated_log("Ana", "Bo")
    asked = told.add_entry(STRANGER, Proposed(SeatRequested()), 1).version
    told.add_entry(STRANGER, Declined(asked))
    assert told.table.proposals == ()
    assert told.log_texts[-1] == "No longer asked: \u201cGo on as Bo from another phone.\u201d"


def test_phone_with_two_seats_agrees_once():
    told = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO, BO)
    asked = told.propose(0, CORRECT_LEAVES)
    assert told.table.find_proposal(asked).waiting_seats == (1, 2)
    told.agree(1, asked)
    assert ana_leaves(told) == 4


def test_free_seats_are_not_asked():
    told = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO)
    asked = told.propose(0, CORRECT_LEAVES)
    assert told.table.find_proposal(asked).waiting_seats == (1,)


def test_table_with_one_phone_needs_no_consent():
    told = build_one_phone_log("Ana", "Bo")
    told.propose(0, CORRECT_LEAVES)
    assert ana_leaves(told) == 4 and told.table.proposals == ()
    told.play(0, Hike(2))
    hike = told.play(1, Hike(2))
    told.propose(0, MoveUndone(hike))
    assert [step.number for step in told.table.steps] == [4, 5]
    told.propose(1, MoveRedone(hike))
    assert [step.number for step in told.table.steps] == [4, 5, hike]


def test_player_who_leaves_is_no_longer_waited_for():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.propose(0, CORRECT_LEAVES)
    told.add_entry(CY, SeatLeft(), 2)
    assert told.table.find_proposal(asked).waiting_seats == (1,)
    told.agree(1, asked)
    assert ana_leaves(told) == 4


def test_request_with_nobody_left_to_agree_is_dropped():
    told = build_seated_log("Ana", "Bo")
    told.propose(0, CORRECT_LEAVES)
    told.add_entry(BO, SeatLeft(), 1)
    assert told.table.proposals == () and ana_leaves(told) == 1
    assert told.log_texts[-1] == "Nobody is left to agree: \u201cSet right: Ana, leaf 1 \u2192 4.\u201d"
    told.propose(0, CORRECT_LEAVES)
    assert ana_leaves(told) == 4


def test_several_open_requests_are_settled_one_by_one():
    told = build_seated_log("Ana", "Bo")
    first, second = told.propose(0, CORRECT_LEAVES), told.propose(1, RULING)
    assert [proposal.number for proposal in told.table.proposals] == [first, second]
    told.agree(0, second)
    assert told.table.state.rulings == {"zero-birds": "everyone"} and told.table.find_proposal(first)
    told.decline(1, first)
    assert told.table.proposals == () and ana_leaves(told) == 1


def test_request_that_became_impossible_is_dropped_with_a_log_line():
    told = build_seated_log("Ana", "Bo")
    first, second = told.propose(0, EDIT_BEAR), told.propose(1, EDIT_BEAR)
    told.agree(1, first)
    steps = told.table.steps
    told.agree(0, second)
    assert told.table.steps == steps and told.table.proposals == ()
    assert told.log_texts[-1] == (
        "\u201cSet right: bear the acorn site \u2192 the rock site\u201d is no longer possible. "
        "Bear: it is the rock site by now. (guide \u201cComponents\u201d)"
    )


def test_undo_request_that_conflicts_by_now_is_dropped_with_a_log_line():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    asked = told.propose(1, MoveUndone(hike))
    assert told.table.find_proposal(asked).text == "Take back \u201cAna hiked 2 to the leaf site. +1 leaf.\u201d"
    told.play(1, Hike(1), Skip())
    told.agree(0, asked)
    assert told.table.active_step(hike) and told.table.proposals == ()
    assert (
        "is no longer possible. \u201cBo hiked 1 to the exchange site.\u201d stands in the way." in told.log_texts[-1]
    )


def test_two_undo_requests_for_one_step_undo_it_once():
    told = build_seated_log("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    first, other, _ = (
        told.propose(1, MoveUndone(hike)),
        told.propose(2, CORRECT_LEAVES),
        told.propose(2, MoveUndone(hike)),
    )
    for seat in (0, 2):
        told.agree(seat, first)
    assert told.table.steps == () and list(told.table.removed) == [str(hike)]
    assert [proposal.number for proposal in told.table.proposals] == [other]


def test_undo_by_its_player_closes_the_request_to_undo():
    told = build_seated_log("Ana", "Bo")
    hike = told.play(0, Hike(2))
    told.propose(1, MoveUndone(hike))
    told.add_entry(ANA, MoveUndone(hike), 0)
    assert told.table.steps == () and told.table.proposals == ()


def test_redone_step_closes_the_other_request_to_redo():
    told = build_seated_log("Ana", "Bo", "Cy")
    hike = told.play(0, Hike(2))
    told.add_entry(ANA, MoveUndone(hike), 0)
    first, _ = told.propose(1, MoveRedone(hike)), told.propose(2, MoveRedone(hike))
    for seat in (0, 2):
        told.agree(seat, first)
    assert [step.number for step in told.table.steps] == [hike] and told.table.proposals == ()


# Requests for a seat in logs of 0.1.0: the other players are asked, not the phone that holds it.

TAKEOVER = [
    (ANA, BO, CY, STRANGER, (0, 2)),  # the two others are asked; the silent phone itself is not
    (ANA, BO, CY, ANA, (2,)),  # asked from a phone that has another seat
    (ANA, BO, BO, STRANGER, (0, 2)),  # the phone that holds the seat is asked for its other one
    (None, BO, None, STRANGER, (1,)),  # no other phone can be asked
]


@run_all_rows(("ana", "bo", "cy", "asks", "waiting"), TAKEOVER)
def test_seat_request_of_an_old_log_needs_the_tables_consent(ana, bo, cy, asks, waiting):
    told = LogBuilder("Ana", "Bo", "Cy").sit(ana, bo, cy)  # None: the seat is free
    asked = told.add_entry(asks, Proposed(SeatRequested()), 1).version
    assert told.table.find_proposal(asked).text == "Go on as Bo from another phone"
    assert told.table.find_proposal(asked).waiting_seats == waiting and told.table.seats[1] == bo
    told.add_entry(HOST, Agreed(asked, decided=True))
    assert told.table.seats == (ana, asks, cy)
    assert told.log_texts[-1] == "Bo goes on from another phone."


def test_reassigned_seat_no_longer_answers_for_its_old_phone():
    told = build_seated_log("Ana", "Bo", "Cy")
    correct = told.propose(0, CORRECT_LEAVES)
    asked = told.add_entry(STRANGER, Proposed(SeatRequested()), 1).version
    for seat in (0, 2):
        told.agree(seat, asked)
    assert told.table.seats[1] == STRANGER
    assert told.table.find_proposal(correct).waiting_seats == (2,)
    told.agree(2, correct)
    assert ana_leaves(told) == 4


def test_phone_that_takes_over_an_asked_seat_is_not_waited_for():
    told = build_seated_log("Ana", "Bo")
    told.propose(0, CORRECT_LEAVES)
    asked = told.add_entry(ANA, Proposed(SeatRequested()), 1).version
    told.add_entry(HOST, Agreed(asked, decided=True))
    assert told.table.seats == (ANA, ANA) and told.table.proposals == ()
    assert told.log_texts[-2:] == [
        "Bo goes on from another phone.",
        "Nobody is left to agree: \u201cSet right: Ana, leaf 1 \u2192 4.\u201d",
    ]


# Requests for a seat today: the phone that holds it is asked, or all others together; the referee knows when the others
# may answer.

REQUIRED_APPROVALS = [
    (ANA, BO, CY, STRANGER, (1, 0, 2)),
    (ANA, BO, CY, ANA, (1, 2)),  # asked from a phone that has another seat
    (ANA, BO, BO, STRANGER, (1, 0)),  # the holder answers only once, whatever other seats it has
    (None, BO, None, STRANGER, (1,)),
]


@run_all_rows(("ana", "bo", "cy", "asks", "waiting"), REQUIRED_APPROVALS)
def test_holder_of_a_seat_hands_it_over(ana, bo, cy, asks, waiting):
    told = LogBuilder("Ana", "Bo", "Cy").sit(ana, bo, cy)
    asked = told.add_entry(asks, Proposed(SeatRequested(asks_holder=True)), 1).version
    assert told.table.find_proposal(asked).waiting_seats == waiting and told.table.seats[1] == bo
    told.agree(1, asked)
    assert told.table.seats == (ana, asks, cy) and told.table.reassigned_seats == ()


def test_seat_reassigned_by_all_others_can_be_reclaimed():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    told.agree(0, asked)
    assert told.table.seats[1] == BO
    told.agree(2, asked)
    assert told.table.seats[1] == STRANGER and [lost.seat for lost in told.table.reclaimable_seats(BO)] == [1]
    told.add_entry(BO, SeatReclaimed(), 1)
    assert told.table.seats[1] == BO and told.table.reassigned_seats == ()


def test_players_who_leave_have_not_agreed():
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    for seat, phone in ((0, ANA), (2, CY)):
        told.add_entry(phone, SeatLeft(), seat)
    assert told.table.find_proposal(asked).waiting_seats == (1,) and told.table.seats[1] == BO


@pytest.mark.parametrize(("device", "seat"), [(STRANGER, 1), (CY, 1), (BO, 0)])
def test_seat_is_reclaimed_only_by_the_phone_it_was_taken_from(device: str, seat: int):
    told = build_seated_log("Ana", "Bo", "Cy")
    asked = told.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    told.add_entry(HOST, Decided(asked))
    with pytest.raises(CorruptLogError, match="was not taken from this phone"):
        told.add_entry(device, SeatReclaimed(), seat)


def test_text_of_a_request_is_that_of_when_it_was_made():
    told = build_seated_log("Ana", "Bo")
    asked = told.propose(1, EDIT_BEAR)
    told.play(0, Hike(2))
    assert told.table.find_proposal(asked).text == "Set right: bear the acorn site \u2192 the rock site"
    assert to_builtins(told.log[asked - 1].payload)["wish"]["move"] == EDIT_BEAR.move


# The asked seats and the required number of agreements are stored with the request.


def propose_to(
    builder: LogBuilder, proposable: Proposable, asked_seats: tuple[int, ...], needed: int = 0, seat: int = 0
) -> int:
    return builder.add_entry(builder.table.seats[seat], Proposed(proposable, asked_seats, needed), seat).version


def bo_leaves(builder: LogBuilder) -> int:
    return builder.table.state.players[1].cubes[1]


def test_request_asks_only_the_seats_that_its_entry_names():
    told = build_seated_log("Ana", "Bo", "Cy", "Di")
    asked = propose_to(told, EDIT_BO, (1,))
    assert told.table.find_proposal(asked).waiting_seats == told.table.find_proposal(asked).asked_seats == (1,)
    told.agree(3, asked)
    assert told.table.find_proposal(asked) and bo_leaves(told) == 1  # Di was not asked
    told.agree(1, asked)
    assert bo_leaves(told) == 3
    assert told.table.agreements[told.table.version] == Agreement((1,))


def test_request_that_names_no_other_seat_takes_effect_immediately():
    told = build_seated_log("Ana", "Bo", "Cy")
    for asks in ((), (0,)):  # the asker's own seat is never asked
        asked = propose_to(told, EDIT_BO, asks)
        assert told.table.find_proposal(asked) is None
    assert bo_leaves(told) == 5


@pytest.mark.parametrize("yes", [(1, 2), (3, 1), (2, 3)])
def test_request_is_accepted_by_the_required_number_of_agreements(yes: tuple[int, int]):
    told = build_seated_log("Ana", "Bo", "Cy", "Di")
    asked = propose_to(told, EDIT_BO, (1, 2, 3), 2)
    told.agree(yes[0], asked)
    assert bo_leaves(told) == 1 and told.table.find_proposal(asked).agreed_seats == yes[:1]
    told.agree(yes[1], asked)
    assert bo_leaves(told) == 3 and told.table.agreements[told.table.version] == Agreement(yes)


def test_no_drops_a_request_only_if_too_few_seats_are_left():
    told = build_seated_log("Ana", "Bo", "Cy", "Di")
    asked = propose_to(told, EDIT_BO, (1, 2, 3), 2)
    told.decline(1, asked)
    assert told.table.find_proposal(asked).waiting_seats == (2, 3)
    told.decline(2, asked)
    assert told.table.find_proposal(asked) is None and bo_leaves(told) == 1


def test_asker_may_always_withdraw_a_request():
    told = build_seated_log("Ana", "Bo", "Cy", "Di")
    asked = propose_to(told, EDIT_BO, (1, 2, 3), 1)
    told.decline(0, asked)
    assert told.table.proposals == () and told.log_texts[-1].startswith("No longer asked: ")


def test_player_who_leaves_counts_neither_as_yes_nor_as_no():
    told = build_seated_log("Ana", "Bo", "Cy", "Di")
    asked = propose_to(told, EDIT_BO, (1, 2, 3), 2)
    told.agree(1, asked)
    told.add_entry(CY, SeatLeft(), 2)
    assert told.table.find_proposal(asked).waiting_seats == (3,) and bo_leaves(told) == 1
    told.agree(3, asked)
    assert bo_leaves(told) == 3


def test_reassigned_seat_is_no_longer_asked():
    """Its new phone never saw the request, which is dropped if no other seat was asked."""
    told = build_seated_log("Ana", "Bo", "Cy")
    asked, other = propose_to(told, EDIT_BO, (1,)), propose_to(told, RULING, (1, 2))
    wanted = told.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    told.agree(1, wanted)
    assert told.table.seats[1] == STRANGER
    assert told.table.find_proposal(asked) is None and told.table.find_proposal(other).waiting_seats == (2,)
    assert any(line.startswith("Nobody is left to agree: \u201cSet right: Bo, leaf 1") for line in told.log_texts)
    again = propose_to(told, EDIT_BO, (1,))
    told.add_entry(STRANGER, Agreed(again), 1)
    assert bo_leaves(told) == 3


def test_changed_consent_policy_does_not_affect_open_requests():
    told = build_seated_log("Ana", "Bo", "Cy")
    before = propose_to(told, EDIT_BO, (1, 2))
    told.agree(2, changed := propose_to(told, ConsentChanged("trust"), (1, 2)))
    told.agree(1, changed)
    assert told.table.consent == "trust" and told.log_texts[-1] == "From now on what somebody sets right holds at once."
    assert told.table.find_proposal(before).waiting_seats == (1, 2)


def test_host_decision_is_marked_and_listed_on_the_sheet():
    told = build_seated_log("Ana", "Bo", "Cy")
    told.add_entry(HOST, Decided(propose_to(told, EDIT_BO, (1,))))
    assert told.table.agreements[told.table.version].is_host_decision and bo_leaves(told) == 3
    assert told.table.remarks == ("The host decided: \u201cSet right: Bo, leaf 1 \u2192 3.\u201d",)


def test_logs_before_0_3_ask_all_others():
    told = build_seated_log("Ana", "Bo", "Cy")
    assert told.table.consent == "everybody"
    asked = told.propose(0, EDIT_BO)
    assert told.table.find_proposal(asked).waiting_seats == (1, 2)


# phones by seat, consent policy, asking phone, request, asked seats, required agreements
APPROVAL_CASES: list[tuple[tuple[str | None, ...], ConsentPolicy, str, Proposable, tuple[int, ...], int]] = [
    ((ANA, BO, CY), "concerned", ANA, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "concerned", CY, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "concerned", BO, EDIT_BO, (0, 2), 0),  # affects only Bo, who asks: all others
    ((ANA, BO, CY), "concerned", ANA, EDIT_BEAR, (1, 2), 0),  # affects the table: all others
    ((ANA, None, CY), "concerned", ANA, EDIT_BO, (2,), 0),  # the affected seat is free
    ((ANA, ANA, CY), "concerned", ANA, EDIT_BO, (2,), 0),
    ((ANA, BO, BO), "concerned", ANA, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "everybody", ANA, EDIT_BO, (1, 2), 0),
    ((ANA, BO, CY), "most", ANA, EDIT_BO, (1, 2), 1),  # with Ana's own, two of three
    ((ANA, BO, "di's phone", CY), "most", ANA, EDIT_BO, (1, 2, 3), 2),
    ((ANA, BO), "most", ANA, EDIT_BO, (1,), 1),
    ((ANA, ANA, BO, CY), "most", ANA, EDIT_BO, (2, 3), 1),
    ((ANA, BO, CY), "trust", ANA, EDIT_BO, (), 0),
    ((ANA, ANA), "everybody", ANA, EDIT_BO, (), 0),
]


@run_all_rows(("phones", "consent", "asker", "wish", "asks", "enough"), APPROVAL_CASES)
def test_required_approvals_follow_the_consent_policy(
    phones, consent: ConsentPolicy, asker: str, wish: Played, asks: tuple[int, ...], enough: int
):
    told = LogBuilder(*("Ana", "Bo", "Cy", "Di")[: len(phones)]).sit(*phones)
    table = replace(told.table, consent=consent)
    seat = phones.index(asker)
    would = compare(table, simulate(table, asker, seat, wish))
    assert required_approvals(table, asker, would) == (asks, enough)
    ended = replace(table, was_over=True)
    others = tuple(other for other, phone in enumerate(phones) if phone not in (asker, None))
    # A finished game, and a change of the policy itself, always ask all others.
    assert required_approvals(ended, asker, would) == required_approvals(table, asker) == (others, 0)


def test_referee_stores_the_asked_seats(bare_referee: Referee):
    code = bare_referee.open_table(HOST, "trails", to_builtins(ready_setup(["Ana", "Bo", "Cy"]))).code
    for seat, device in enumerate((ANA, BO, CY)):
        bare_referee.sit(code, device, f"sit {seat}", seat)
    bare_referee.play(code, ANA, "ask", 0, to_builtins(EDIT_BO.move))
    *_, last = stored_entries(bare_referee.store, code)
    assert json.decode(last[-1])["asks"] == [1]


# A request whose basis has vanished between asking and agreeing.


def deal_badge(name: str) -> Played:
    return Played({"type": "add-badge", "badge": name})


# Bo's request -> the entry that invalidates it before everybody has agreed.
OUTDATED_PROPOSALS: dict[str, tuple[Proposable, Payload]] = {
    "ruling": (RULING, RULING),
    "step to undo": (MoveUndone(9), LogRewritten(start_step="9", last_step="9")),
    "step to redo": (MoveRedone(6), LogRewritten(start_step="8", replacement=("6",))),
    "repair that redoes a step": (
        LogRewritten(start_step="7", replacement=("6",)),
        LogRewritten(start_step="8", replacement=("6",)),
    ),
    "repair whose first step goes": (
        LogRewritten(start_step="7", last_step="9"),
        LogRewritten(start_step="7", last_step="7"),
    ),
    "repair whose last step goes": (
        LogRewritten(start_step="7", last_step="9"),
        LogRewritten(start_step="9", last_step="9"),
    ),
    "repair between two steps": (
        LogRewritten(start_step="7", last_step="8"),
        LogRewritten(start_step="7", last_step="7"),
    ),
    "house rule": (OwnRuling("May we?", "Yes."), OwnRuling("May we?", "Yes.")),
    "house rule to drop": (OwnRuling("Can we?"), OwnRuling("Can we?")),
}


@pytest.mark.parametrize("kind", OUTDATED_PROPOSALS)
@pytest.mark.parametrize("ending", ["agreed", "decided", "declined", "withdrawn"])
def test_request_whose_basis_is_gone_is_answered_and_closed(kind: str, ending: str):
    told = build_seated_log("Ana", "Bo", "Cy", game="trails-tally")
    told.add_entry(ANA, OwnRuling("Can we?", "No."), 0)  # the fifth entry
    for phone, seat, name in (
        (ANA, 0, "seeker-acorn"),
        (BO, 1, "climber-rock"),
        (CY, 2, "science"),
        (BO, 1, "seeker-leaf"),
    ):
        told.add_entry(phone, deal_badge(name), seat)
    told.add_entry(ANA, LogRewritten(start_step="6", last_step="6"), 0)
    wish, gone = OUTDATED_PROPOSALS[kind]
    number = told.propose(1, wish)
    told.add_entry(ANA, gone, 0)
    told.add_entry(ANA, deal_badge("climber-leaf"), 0)
    why = preview_proposal(told.table, told.table.find_proposal(number))
    match ending:
        case "agreed":
            told.agree(0, number)
            told.agree(2, number)
        case "decided":
            told.add_entry(HOST, Decided(number))
        case "declined":
            told.decline(2, number)
        case "withdrawn":
            told.decline(1, number)
    assert told.table.proposals == ()
    if ending in ("agreed", "decided"):
        assert told.log_texts[-1].endswith(f" is no longer possible. {why}") and "there is no" not in why
