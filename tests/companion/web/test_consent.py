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
from companion.log.preview import preview_proposal, simulate
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
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.propose(0, CORRECT_LEAVES)
    assert builder.table.find_proposal(number).waiting_seats == (1, 2)
    builder.agree(1, number)
    assert builder.table.find_proposal(number).waiting_seats == (2,) and ana_leaves(builder) == 1
    builder.agree(2, number)
    assert builder.table.proposals == () and ana_leaves(builder) == 4
    assert builder.table.steps[-1].seat == 0 and builder.table.active_step(builder.table.version)


def test_request_with_one_no_is_dropped():
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.propose(0, CORRECT_LEAVES)
    builder.agree(1, number)
    builder.decline(2, number)
    assert builder.table.proposals == () and ana_leaves(builder) == 1
    assert builder.log_texts[-1] == "Ana asked: Ana\u2019s leaves 1 \u2192 4. Cy declined."


def test_host_decides_for_players_who_do_not_answer():
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.propose(0, CORRECT_LEAVES)
    builder.add_entry(HOST, Decided(number))
    assert ana_leaves(builder) == 4
    assert builder.log_texts[-2:] == [
        "The host decided: Ana\u2019s leaves 1 \u2192 4.",
        builder.table.steps[-1].text,
    ]
    number = builder.propose(0, RULING)
    builder.add_entry(HOST, Declined(number))
    assert builder.table.state.rulings == {}
    assert builder.log_texts[-1].endswith(" The host declined.")


def test_undo_of_a_host_decision_keeps_the_decision_in_the_log():
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.add_entry(HOST, Decided(builder.propose(0, CORRECT_LEAVES)))
    corrected = builder.table.steps[-1].number
    builder.add_entry(HOST, Decided(builder.propose(0, MoveUndone(corrected))))
    assert ana_leaves(builder) == 1
    assert [line.text for line in builder.table.messages if line.removed_by] == [
        builder.table.removed[str(corrected)][0].text
    ]


def test_log_of_0_1_0_with_a_host_decision_is_read():
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.add_entry(HOST, Agreed(builder.propose(0, CORRECT_LEAVES), decided=True))
    assert ana_leaves(builder) == 4 and "decided" not in "".join(builder.log_texts)


def test_withdrawn_request_is_not_shown_as_declined_by_the_host():
    builder = build_seated_log("Ana", "Bo")
    number = builder.add_entry(STRANGER, Proposed(SeatRequested()), 1).version
    builder.add_entry(STRANGER, Declined(number))
    assert builder.table.proposals == ()
    assert builder.log_texts[-1] == "Someone withdrew a request: Move Bo\u2019s seat to another phone."


def test_phone_with_two_seats_agrees_once():
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO, BO)
    number = builder.propose(0, CORRECT_LEAVES)
    assert builder.table.find_proposal(number).waiting_seats == (1, 2)
    builder.agree(1, number)
    assert ana_leaves(builder) == 4


def test_free_seats_are_not_asked():
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO)
    number = builder.propose(0, CORRECT_LEAVES)
    assert builder.table.find_proposal(number).waiting_seats == (1,)


def test_table_with_one_phone_needs_no_consent():
    builder = build_one_phone_log("Ana", "Bo")
    builder.propose(0, CORRECT_LEAVES)
    assert ana_leaves(builder) == 4 and builder.table.proposals == ()
    builder.play(0, Hike(2))
    hike = builder.play(1, Hike(2))
    builder.propose(0, MoveUndone(hike))
    assert [step.number for step in builder.table.steps] == [4, 5]
    builder.propose(1, MoveRedone(hike))
    assert [step.number for step in builder.table.steps] == [4, 5, hike]


def test_player_who_leaves_is_no_longer_waited_for():
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.propose(0, CORRECT_LEAVES)
    builder.add_entry(CY, SeatLeft(), 2)
    assert builder.table.find_proposal(number).waiting_seats == (1,)
    builder.agree(1, number)
    assert ana_leaves(builder) == 4


def test_request_with_nobody_left_to_agree_is_dropped():
    builder = build_seated_log("Ana", "Bo")
    builder.propose(0, CORRECT_LEAVES)
    builder.add_entry(BO, SeatLeft(), 1)
    assert builder.table.proposals == () and ana_leaves(builder) == 1
    assert builder.log_texts[-1] == "No one is left to agree to this request: Ana\u2019s leaves 1 \u2192 4."
    builder.propose(0, CORRECT_LEAVES)
    assert ana_leaves(builder) == 4


def test_several_open_requests_are_settled_one_by_one():
    builder = build_seated_log("Ana", "Bo")
    first, second = builder.propose(0, CORRECT_LEAVES), builder.propose(1, RULING)
    assert [proposal.number for proposal in builder.table.proposals] == [first, second]
    builder.agree(0, second)
    assert builder.table.state.rulings == {"zero-birds": "everyone"} and builder.table.find_proposal(first)
    builder.decline(1, first)
    assert builder.table.proposals == () and ana_leaves(builder) == 1


def test_request_that_became_impossible_is_dropped_with_a_log_line():
    builder = build_seated_log("Ana", "Bo")
    first, second = builder.propose(0, EDIT_BEAR), builder.propose(1, EDIT_BEAR)
    builder.agree(1, first)
    steps = builder.table.steps
    builder.agree(0, second)
    assert builder.table.steps == steps and builder.table.proposals == ()
    assert builder.log_texts[-1] == (
        "Bo asked: Bear from the acorn site to the rock site. This is no longer possible. "
        "Bear: this is the rock site now. (how-to-play guide \u201cComponents\u201d)"
    )


def test_undo_request_that_conflicts_by_now_is_dropped_with_a_log_line():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    number = builder.propose(1, MoveUndone(hike))
    assert builder.table.find_proposal(number).text == "Undo \u201cAna hiked 2 tiles to the leaf site\u201d"
    builder.play(1, Hike(1), Skip())
    builder.agree(0, number)
    assert builder.table.active_step(hike) and builder.table.proposals == ()
    assert (
        "is no longer possible. A later move would become impossible: \u201cBo hiked 1 tile to the exchange site\u201d."
        in builder.log_texts[-1]
    )


def test_two_undo_requests_for_one_step_undo_it_once():
    builder = build_seated_log("Ana", "Bo", "Cy")
    hike = builder.play(0, Hike(2))
    first, other, _ = (
        builder.propose(1, MoveUndone(hike)),
        builder.propose(2, CORRECT_LEAVES),
        builder.propose(2, MoveUndone(hike)),
    )
    for seat in (0, 2):
        builder.agree(seat, first)
    assert builder.table.steps == () and list(builder.table.removed) == [str(hike)]
    assert [proposal.number for proposal in builder.table.proposals] == [other]


def test_undo_by_its_player_closes_the_request_to_undo():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.propose(1, MoveUndone(hike))
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert builder.table.steps == () and builder.table.proposals == ()


def test_redone_step_closes_the_other_request_to_redo():
    builder = build_seated_log("Ana", "Bo", "Cy")
    hike = builder.play(0, Hike(2))
    builder.add_entry(ANA, MoveUndone(hike), 0)
    first, _ = builder.propose(1, MoveRedone(hike)), builder.propose(2, MoveRedone(hike))
    for seat in (0, 2):
        builder.agree(seat, first)
    assert [step.number for step in builder.table.steps] == [hike] and builder.table.proposals == ()


# Requests for a seat in logs of 0.1.0: the other players are asked, not the phone that holds it.

TAKEOVER = [
    (ANA, BO, CY, STRANGER, (0, 2)),  # the two others are asked; the silent phone itself is not
    (ANA, BO, CY, ANA, (2,)),  # asked from a phone that has another seat
    (ANA, BO, BO, STRANGER, (0, 2)),  # the phone that holds the seat is asked for its other one
    (None, BO, None, STRANGER, (1,)),  # no other phone can be asked
]


@run_all_rows(("ana", "bo", "cy", "requester", "waiting"), TAKEOVER)
def test_seat_request_of_an_old_log_needs_the_tables_consent(ana, bo, cy, requester, waiting):
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ana, bo, cy)  # None: the seat is free
    number = builder.add_entry(requester, Proposed(SeatRequested()), 1).version
    assert builder.table.find_proposal(number).text == "Move Bo\u2019s seat to another phone"
    assert builder.table.find_proposal(number).waiting_seats == waiting and builder.table.seats[1] == bo
    builder.add_entry(HOST, Agreed(number, decided=True))
    assert builder.table.seats == (ana, requester, cy)
    assert builder.log_texts[-1] == "Bo moved to another phone."


def test_reassigned_seat_no_longer_answers_for_its_old_phone():
    builder = build_seated_log("Ana", "Bo", "Cy")
    correct = builder.propose(0, CORRECT_LEAVES)
    number = builder.add_entry(STRANGER, Proposed(SeatRequested()), 1).version
    for seat in (0, 2):
        builder.agree(seat, number)
    assert builder.table.seats[1] == STRANGER
    assert builder.table.find_proposal(correct).waiting_seats == (2,)
    builder.agree(2, correct)
    assert ana_leaves(builder) == 4


def test_phone_that_takes_over_an_asked_seat_is_not_waited_for():
    builder = build_seated_log("Ana", "Bo")
    builder.propose(0, CORRECT_LEAVES)
    number = builder.add_entry(ANA, Proposed(SeatRequested()), 1).version
    builder.add_entry(HOST, Agreed(number, decided=True))
    assert builder.table.seats == (ANA, ANA) and builder.table.proposals == ()
    assert builder.log_texts[-2:] == [
        "Bo moved to another phone.",
        "No one is left to agree to this request: Ana\u2019s leaves 1 \u2192 4.",
    ]


# Requests for a seat today: the phone that holds it is asked, or all others together; the referee knows when the others
# may answer.

REQUIRED_APPROVALS = [
    (ANA, BO, CY, STRANGER, (1, 0, 2)),
    (ANA, BO, CY, ANA, (1, 2)),  # asked from a phone that has another seat
    (ANA, BO, BO, STRANGER, (1, 0)),  # the holder answers only once, whatever other seats it has
    (None, BO, None, STRANGER, (1,)),
]


@run_all_rows(("ana", "bo", "cy", "requester", "waiting"), REQUIRED_APPROVALS)
def test_holder_of_a_seat_hands_it_over(ana, bo, cy, requester, waiting):
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ana, bo, cy)
    number = builder.add_entry(requester, Proposed(SeatRequested(asks_holder=True)), 1).version
    assert builder.table.find_proposal(number).waiting_seats == waiting and builder.table.seats[1] == bo
    builder.agree(1, number)
    assert builder.table.seats == (ana, requester, cy) and builder.table.reassigned_seats == ()


def test_seat_reassigned_by_all_others_can_be_reclaimed():
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    builder.agree(0, number)
    assert builder.table.seats[1] == BO
    builder.agree(2, number)
    assert builder.table.seats[1] == STRANGER and [lost.seat for lost in builder.table.reclaimable_seats(BO)] == [1]
    builder.add_entry(BO, SeatReclaimed(), 1)
    assert builder.table.seats[1] == BO and builder.table.reassigned_seats == ()


def test_players_who_leave_have_not_agreed():
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    for seat, phone in ((0, ANA), (2, CY)):
        builder.add_entry(phone, SeatLeft(), seat)
    assert builder.table.find_proposal(number).waiting_seats == (1,) and builder.table.seats[1] == BO


@pytest.mark.parametrize(("device", "seat"), [(STRANGER, 1), (CY, 1), (BO, 0)])
def test_seat_is_reclaimed_only_by_the_phone_it_was_taken_from(device: str, seat: int):
    builder = build_seated_log("Ana", "Bo", "Cy")
    number = builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    builder.add_entry(HOST, Decided(number))
    with pytest.raises(CorruptLogError, match="was not taken from this phone"):
        builder.add_entry(device, SeatReclaimed(), seat)


def test_text_of_a_request_is_that_of_when_it_was_made():
    builder = build_seated_log("Ana", "Bo")
    number = builder.propose(1, EDIT_BEAR)
    builder.play(0, Hike(2))
    assert builder.table.find_proposal(number).text == "Bear from the acorn site to the rock site"
    assert to_builtins(builder.log[number - 1].payload)["wish"]["move"] == EDIT_BEAR.move


# The asked seats and the required number of agreements are stored with the request.


def propose_to(
    builder: LogBuilder, proposable: Proposable, asked_seats: tuple[int, ...], required: int = 0, seat: int = 0
) -> int:
    return builder.add_entry(builder.table.seats[seat], Proposed(proposable, asked_seats, required), seat).version


def bo_leaves(builder: LogBuilder) -> int:
    return builder.table.state.players[1].cubes[1]


def test_request_asks_only_the_seats_that_its_entry_names():
    builder = build_seated_log("Ana", "Bo", "Cy", "Di")
    number = propose_to(builder, EDIT_BO, (1,))
    assert builder.table.find_proposal(number).waiting_seats == builder.table.find_proposal(number).asked_seats == (1,)
    builder.agree(3, number)
    assert builder.table.find_proposal(number) and bo_leaves(builder) == 1  # Di was not asked
    builder.agree(1, number)
    assert bo_leaves(builder) == 3
    assert builder.table.agreements[builder.table.version] == Agreement((1,))


def test_request_that_names_no_other_seat_takes_effect_immediately():
    builder = build_seated_log("Ana", "Bo", "Cy")
    for seats in ((), (0,)):  # the asker's own seat is never asked
        number = propose_to(builder, EDIT_BO, seats)
        assert builder.table.find_proposal(number) is None
    assert bo_leaves(builder) == 5


@pytest.mark.parametrize("agreeing", [(1, 2), (3, 1), (2, 3)])
def test_request_is_accepted_by_the_required_number_of_agreements(agreeing: tuple[int, int]):
    builder = build_seated_log("Ana", "Bo", "Cy", "Di")
    number = propose_to(builder, EDIT_BO, (1, 2, 3), 2)
    builder.agree(agreeing[0], number)
    assert bo_leaves(builder) == 1 and builder.table.find_proposal(number).agreed_seats == agreeing[:1]
    builder.agree(agreeing[1], number)
    assert bo_leaves(builder) == 3 and builder.table.agreements[builder.table.version] == Agreement(agreeing)


def test_no_drops_a_request_only_if_too_few_seats_are_left():
    builder = build_seated_log("Ana", "Bo", "Cy", "Di")
    number = propose_to(builder, EDIT_BO, (1, 2, 3), 2)
    builder.decline(1, number)
    assert builder.table.find_proposal(number).waiting_seats == (2, 3)
    builder.decline(2, number)
    assert builder.table.find_proposal(number) is None and bo_leaves(builder) == 1


def test_asker_may_always_withdraw_a_request():
    builder = build_seated_log("Ana", "Bo", "Cy", "Di")
    number = propose_to(builder, EDIT_BO, (1, 2, 3), 1)
    builder.decline(0, number)
    assert builder.table.proposals == () and builder.log_texts[-1].startswith("Ana withdrew a request: ")


def test_player_who_leaves_counts_neither_as_yes_nor_as_no():
    builder = build_seated_log("Ana", "Bo", "Cy", "Di")
    number = propose_to(builder, EDIT_BO, (1, 2, 3), 2)
    builder.agree(1, number)
    builder.add_entry(CY, SeatLeft(), 2)
    assert builder.table.find_proposal(number).waiting_seats == (3,) and bo_leaves(builder) == 1
    builder.agree(3, number)
    assert bo_leaves(builder) == 3


def test_reassigned_seat_is_no_longer_asked():
    """Its new phone never saw the request, which is dropped if no other seat was asked."""
    builder = build_seated_log("Ana", "Bo", "Cy")
    number, other = propose_to(builder, EDIT_BO, (1,)), propose_to(builder, RULING, (1, 2))
    seat_request = builder.add_entry(STRANGER, Proposed(SeatRequested(asks_holder=True)), 1).version
    builder.agree(1, seat_request)
    assert builder.table.seats[1] == STRANGER
    assert builder.table.find_proposal(number) is None and builder.table.find_proposal(other).waiting_seats == (2,)
    assert any(
        line.startswith("No one is left to agree to this request: Bo\u2019s leaves 1") for line in builder.log_texts
    )
    second_number = propose_to(builder, EDIT_BO, (1,))
    builder.add_entry(STRANGER, Agreed(second_number), 1)
    assert bo_leaves(builder) == 3


def test_changed_consent_policy_does_not_affect_open_requests():
    builder = build_seated_log("Ana", "Bo", "Cy")
    before = propose_to(builder, EDIT_BO, (1, 2))
    builder.agree(2, changed := propose_to(builder, ConsentChanged("trust"), (1, 2)))
    builder.agree(1, changed)
    assert builder.table.consent == "trust" and builder.log_texts[-1] == "From now on, corrections apply immediately."
    assert builder.table.find_proposal(before).waiting_seats == (1, 2)


def test_host_decision_is_marked_and_listed_on_the_sheet():
    builder = build_seated_log("Ana", "Bo", "Cy")
    builder.add_entry(HOST, Decided(propose_to(builder, EDIT_BO, (1,))))
    assert builder.table.agreements[builder.table.version].is_host_decision and bo_leaves(builder) == 3
    assert builder.table.remarks == ("The host decided: Bo\u2019s leaves 1 \u2192 3.",)


def test_logs_before_0_3_ask_all_others():
    builder = build_seated_log("Ana", "Bo", "Cy")
    assert builder.table.consent == "everybody"
    number = builder.propose(0, EDIT_BO)
    assert builder.table.find_proposal(number).waiting_seats == (1, 2)


# phones by seat, consent policy, asking phone, request, asked seats, required agreements
APPROVAL_CASES: list[tuple[tuple[str | None, ...], ConsentPolicy, str, Proposable, tuple[int, ...], int]] = [
    ((ANA, BO, CY), "concerned", ANA, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "concerned", CY, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "concerned", BO, EDIT_BO, (), 0),  # affects only Bo, who asks
    ((ANA, BO, CY), "concerned", ANA, EDIT_BEAR, (1, 2), 0),  # affects the table: all others
    ((ANA, None, CY), "concerned", ANA, EDIT_BO, (2,), 0),  # the affected seat is free
    ((ANA, ANA, CY), "concerned", ANA, EDIT_BO, (), 0),  # affects only a seat of the same phone
    ((ANA, BO, BO), "concerned", ANA, EDIT_BO, (1,), 0),
    ((ANA, BO, CY), "everybody", ANA, EDIT_BO, (1, 2), 0),
    ((ANA, BO, CY), "most", ANA, EDIT_BO, (1, 2), 1),  # with Ana's own, two of three
    ((ANA, BO, "di's phone", CY), "most", ANA, EDIT_BO, (1, 2, 3), 2),
    ((ANA, BO), "most", ANA, EDIT_BO, (1,), 1),
    ((ANA, ANA, BO, CY), "most", ANA, EDIT_BO, (2, 3), 1),
    ((ANA, BO, CY), "trust", ANA, EDIT_BO, (), 0),
    ((ANA, ANA), "everybody", ANA, EDIT_BO, (), 0),
]


@run_all_rows(("phones", "consent", "device", "change", "asked_seats", "required"), APPROVAL_CASES)
def test_required_approvals_follow_the_consent_policy(
    phones, consent: ConsentPolicy, device: str, change: Played, asked_seats: tuple[int, ...], required: int
):
    builder = LogBuilder(*("Ana", "Bo", "Cy", "Di")[: len(phones)]).sit(*phones)
    table = replace(builder.table, consent=consent)
    seat = phones.index(device)
    preview = simulate(table, device, seat, change).preview
    assert required_approvals(table, device, preview) == (asked_seats, required)
    ended = replace(table, was_over=True)
    others = tuple(other for other, phone in enumerate(phones) if phone not in (device, None))
    # A finished game, and a change of the policy itself, always ask all others.
    assert required_approvals(ended, device, preview) == required_approvals(table, device) == (others, 0)


def test_referee_stores_the_asked_seats(bare_referee: Referee):
    code = bare_referee.open_table(HOST, "trails", to_builtins(ready_setup(["Ana", "Bo", "Cy"]))).code
    for seat, device in enumerate((ANA, BO, CY)):
        bare_referee.sit(bare_referee.store.table(code), device, f"sit {seat}", seat)
    bare_referee.play(bare_referee.store.table(code), ANA, "ask", 0, to_builtins(EDIT_BO.move))
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
    builder = build_seated_log("Ana", "Bo", "Cy", game="trails-tally")
    builder.add_entry(ANA, OwnRuling("Can we?", "No."), 0)  # the fifth entry
    for phone, seat, name in (
        (ANA, 0, "seeker-acorn"),
        (BO, 1, "climber-rock"),
        (CY, 2, "science"),
        (BO, 1, "seeker-leaf"),
    ):
        builder.add_entry(phone, deal_badge(name), seat)
    builder.add_entry(ANA, LogRewritten(start_step="6", last_step="6"), 0)
    change, message = OUTDATED_PROPOSALS[kind]
    number = builder.propose(1, change)
    builder.add_entry(ANA, message, 0)
    builder.add_entry(ANA, deal_badge("climber-leaf"), 0)
    why = preview_proposal(builder.table, builder.table.find_proposal(number))
    match ending:
        case "agreed":
            builder.agree(0, number)
            builder.agree(2, number)
        case "decided":
            builder.add_entry(HOST, Decided(number))
        case "declined":
            builder.decline(2, number)
        case "withdrawn":
            builder.decline(1, number)
    assert builder.table.proposals == ()
    if ending in ("agreed", "decided"):
        assert builder.log_texts[-1].endswith(f" is no longer possible. {why}") and "there is no" not in why
