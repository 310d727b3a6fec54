"""Tests of requests to repair a table: who is asked, previews, and the effect of answers."""

from collections.abc import Callable

import pytest
from flask import Flask

from companion.log.plans import Insert, decode_plan
from companion.log.table import to_data
from scoring.kernel.english import join_words
from scoring.trails.moves.corrections import Adopt
from scoring.trails.moves.hiking import Hike, RollWildlife, Skip
from scoring.trails.moves.reveals import NoteHand
from scoring.trails.score_entry import AddBadge, Done
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.repair_pages import (
    CHANGED,
    DROPPED,
    RESTORED_TO,
    answer_proposal,
    approval_text,
    approve_by_all,
    enter_moves,
    open_request,
    open_snapshot,
    repair_links,
    request_repair,
    step_texts,
)
from tests.support.table_states import NAMES, play_moves

BO_LEAF = {"was.players.1.leaf": "1", "is.players.1.leaf": "3"}  # affects only Bo
ANA_PHOTO = {"was.players.0.photos": "0", "is.players.0.photos": "1"}  # another player could have drawn it
ANA_LEAF = {"was.players.0.leaf": "1", "is.players.0.leaf": "3"}
RULING = {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'}  # affects everybody


def open_with_consent(app: Flask, consent: str, *names: str, game: str = "trails") -> SeatedTable:
    """Open a table with this consent policy."""
    table = open_seated_table(app, *names, game=game)
    form = table.phone(0).open(f"{table.path}/setup").form("").default_values
    assert table.phone(0).post(f"{table.path}/setup", {**form, "consent": consent}).status_code == 303
    assert table.table.consent == consent
    return table


def open_after_hike(app: Flask, consent: str, *names: str) -> SeatedTable:
    """Return a table with this consent policy on which Ana has hiked."""
    return play_moves(open_with_consent(app, consent, *names), [(0, Hike(1))] if len(names) == 4 else [(0, Hike(2))])


def let_all_agree_from_now_on(table: SeatedTable) -> None:
    """Change the consent policy of a table to "everybody"."""
    table.submit(0, "asks", {"consent": "everybody"})
    approve_by_all(table, table.table.version)


def submit_request(table: SeatedTable, seat: int, sent: dict[str, str]) -> int:
    """Request a seat's correction or ruling; return the number of the request."""
    answer = table.submit(seat, "play" if "move" in sent else "right", sent)
    assert answer.status_code == 303, parse_page(answer.text).text
    return table.table.version


def test_request_is_previewed_before_asking_and_until_it_is_answered(table_after_hikes: SeatedTable):
    page = enter_moves(
        table_after_hikes, 1, repair_links(open_snapshot(table_after_hikes, 1, "8"))[CHANGED], 2, Hike(2, canteen=True)
    )
    before = table_after_hikes.phone(1).open(page).text
    assert "Changes Cy canteen filled \u2192 becomes empty The players affected must agree. Ask Cy" in before
    number = request_repair(table_after_hikes, 1, page)
    for seat in range(3):
        asks = "You asked:" if seat == 1 else "Bo asks:"
        asked_text = "Bo asks: Cy hiked 2 tiles to the leaf site with the canteen."
        assert ("You asked to correct a move." if seat == 1 else asked_text) in table_after_hikes.page(seat).text
        assert f"{table_after_hikes.path}/if/{number}" in table_after_hikes.page(seat).addresses
        preview = open_request(table_after_hikes, seat, number).text
        assert f"Preview {asks} Change \u201cCy hiked 2 tiles to the leaf site\u201d to" in preview
        assert "canteen filled \u2192 becomes empty" in preview and "The players affected must agree." in preview
        assert "New: \u201cCy hiked 2 tiles to the leaf site with the canteen" in preview
    approve_by_all(table_after_hikes, number)
    assert not table_after_hikes.table.state.players[2].canteen
    assert table_after_hikes.phone(0).get(f"{table_after_hikes.path}/if/{number}").status_code == 303


def test_affected_player_is_told_so(table_after_hikes: SeatedTable):
    number = submit_request(table_after_hikes, 2, {"was.players.1.leaf": "2", "is.players.1.leaf": "4"})
    assert table_after_hikes.table.find_proposal(number).waiting_seats == (1,)
    assert "Cy asks: Bo\u2019s leaves 2 \u2192 4. Agree Decline Preview" in table_after_hikes.page(1).text
    text = open_request(table_after_hikes, 1, number).text
    assert "This affects you." in text and "You leaves 2 \u2192 becomes 4" in text
    assert "This affects you" not in open_request(table_after_hikes, 0, number).text
    assert "Cy asks: Bo\u2019s leaves 2 \u2192 4. Waiting for Bo" in table_after_hikes.page(0).text
    assert table_after_hikes.page(1).form("/answer").button_values("yes") == ["1", "0"]
    assert table_after_hikes.page(2).form("/answer").button_values("yes") == ["0"]  # only to withdraw


# consent policy, Ana's request, asked seats, seats whose Yes is enough
CONSENT = [
    ("concerned", BO_LEAF, (1,), [1]),
    ("concerned", RULING, (1, 2, 3), [2, 1, 3]),
    ("concerned", ANA_LEAF, (), []),
    ("concerned", ANA_PHOTO, (1, 2, 3), [1, 2, 3]),  # no player is asked by herself
    ("everybody", BO_LEAF, (1, 2, 3), [3, 1, 2]),
    ("everybody", ANA_LEAF, (1, 2, 3), [3, 1, 2]),
    ("most", BO_LEAF, (1, 2, 3), [2, 3]),
    ("most", ANA_LEAF, (1, 2, 3), [2, 3]),
    ("most", RULING, (1, 2, 3), [3, 1]),
    ("trust", BO_LEAF, (), []),
    ("trust", RULING, (), []),
]


@pytest.mark.parametrize(("consent", "sent", "names", "agreeing"), CONSENT)
def test_consent_policy_decides_who_is_asked_and_how_many_are_enough(
    app: Flask, consent: str, sent: dict, names: tuple, agreeing: list[int]
):
    table = open_after_hike(app, consent, *NAMES)
    before = table.table.state
    number = submit_request(table, 0, sent)
    assert table.table.proposals == () if not names else table.table.find_proposal(number).waiting_seats == names
    for seat in agreeing:
        assert table.table.state == before
        answer_proposal(table, seat, number)
    assert table.table.state != before and table.table.proposals == ()
    log_page = table.phone(3).open(f"{table.path}/seat/3/log").text
    agreement = "agreed by " + join_words([NAMES[seat] for seat in agreeing])
    assert (agreement in log_page) if agreeing else ("agreed by" not in log_page)


@pytest.mark.parametrize("consent", ["concerned", "everybody", "most", "trust"])
def test_own_latest_step_is_changed_without_asking(app: Flask, consent: str):
    table = open_after_hike(app, consent, "Ana", "Bo", "Cy")
    request_repair(
        table,
        0,
        enter_moves(
            table, 0, repair_links(open_snapshot(table, 0, table.table.steps[-1].id))[CHANGED], 0, Hike(2, canteen=True)
        ),
    )
    assert (
        step_texts(table) == ["Ana hiked 2 tiles to the leaf site with the canteen, +1 leaf."]
        and table.table.proposals == ()
    )


def test_consent_policy_is_changed_only_by_everybody(table_after_hikes: SeatedTable):
    assert table_after_hikes.submit(0, "asks", {"consent": "trust"}).status_code == 303
    number = table_after_hikes.table.version
    assert table_after_hikes.table.consent == "concerned" and table_after_hikes.table.find_proposal(
        number
    ).waiting_seats == (1, 2)
    assert "From now on, corrections apply immediately." in approval_text(table_after_hikes.page(1))
    approve_by_all(table_after_hikes, number)
    assert table_after_hikes.table.consent == "trust"
    assert table_after_hikes.submit(0, "asks", {"consent": "nobody"}).status_code == 400


def test_declined_request_is_shown_to_all_and_changes_nothing(table_after_hikes: SeatedTable):
    number = request_repair(table_after_hikes, 2, repair_links(open_snapshot(table_after_hikes, 2, "10"))[DROPPED])
    before = table_after_hikes.table.state
    answer_proposal(table_after_hikes, 0, number, "0")
    assert table_after_hikes.table.proposals == () and table_after_hikes.table.state == before
    assert "You asked: Undo \u201cAna skipped the photo\u201d. Ana declined." in table_after_hikes.page(2).text
    assert (
        "Cy asked: Undo \u201cAna skipped the photo\u201d. Ana declined."
        in table_after_hikes.phone(1).open(f"{table_after_hikes.path}/seat/1/log").text
    )


def test_one_no_does_not_drop_a_request_under_majority_consent(app: Flask):
    table = open_after_hike(app, "most", *NAMES)
    number = submit_request(table, 0, BO_LEAF)
    answer_proposal(table, 1, number, "0")
    assert table.table.find_proposal(number).waiting_seats == (2, 3)
    answer_proposal(table, 2, number)
    answer_proposal(table, 3, number)
    assert table.table.proposals == () and table.table.state.players[1].cubes[1] == 3


def test_request_that_became_impossible_is_dropped_with_a_reason(table_after_hikes: SeatedTable):
    number = request_repair(table_after_hikes, 2, repair_links(open_snapshot(table_after_hikes, 2, "6"))[RESTORED_TO])
    other = request_repair(
        table_after_hikes,
        1,
        enter_moves(
            table_after_hikes,
            1,
            repair_links(open_snapshot(table_after_hikes, 1, "9"))[CHANGED],
            0,
            Hike(1, canteen=True),
        ),
    )
    approve_by_all(table_after_hikes, number)
    assert "No longer possible." in approval_text(table_after_hikes.page(1))
    assert "This is no longer possible." in open_request(table_after_hikes, 1, other).text
    answer = table_after_hikes.phone(1).get(f"{table_after_hikes.path}/seat/1/again/{other}")
    # That part of the log has been changed.
    assert answer.headers["Location"] == f"{table_after_hikes.path}/seat/1/log#latest"
    approve_by_all(table_after_hikes, other)
    assert "is no longer possible." in table_after_hikes.table.messages[-1].text and step_texts(table_after_hikes) == [
        "Bo\u2019s hand badge: Science."
    ]


def test_outdated_repair_request_can_be_continued_by_its_asker(table_after_hikes: SeatedTable):
    """While Bo's request waits, Bo hikes on to the photo, too far from the requested site."""
    let_all_agree_from_now_on(table_after_hikes)
    number = request_repair(
        table_after_hikes,
        1,
        enter_moves(
            table_after_hikes, 1, repair_links(open_snapshot(table_after_hikes, 1, "7"))[CHANGED], 1, Hike(1), Skip()
        ),
    )
    play_moves(table_after_hikes, [(1, Hike(2)), (1, Skip())])
    renewal = f"{table_after_hikes.path}/seat/1/again/{number}"
    assert "No longer possible. Tap to update it." in table_after_hikes.page(1).text
    assert renewal in open_request(table_after_hikes, 1, number).addresses
    assert renewal not in open_request(table_after_hikes, 0, number).addresses
    page = table_after_hikes.phone(1).get(renewal).headers["Location"]
    assert (
        "A later move no longer works “Bo skipped the photo” You can’t skip this roll."
        in table_after_hikes.phone(1).open(page).text
    )
    page = enter_moves(table_after_hikes, 1, page, 1, RollWildlife("leaf", "leaf"))
    answer_proposal(table_after_hikes, 1, number, "0")  # withdraws the request
    approve_by_all(table_after_hikes, request_repair(table_after_hikes, 1, page))
    assert table_after_hikes.table.state.players[1].space == 3


def test_repair_request_of_another_seat_cannot_be_opened(table_after_hikes: SeatedTable, phone: Phone):
    let_all_agree_from_now_on(table_after_hikes)
    page = enter_moves(
        table_after_hikes,
        1,
        repair_links(open_snapshot(table_after_hikes, 1, "7"))[CHANGED],
        1,
        Hike(1),
        NoteHand("climber-leaf"),
        Skip(),
    )
    renewal = f"{table_after_hikes.path}/seat/1/again/{request_repair(table_after_hikes, 1, page)}"
    assert (
        Insert(1, to_data(NoteHand("climber-leaf")))
        in decode_plan(table_after_hikes.phone(1).get(renewal).headers["Location"].rpartition("/")[2]).edits
    )
    for other in (table_after_hikes.phone(0), table_after_hikes.phone(2), phone):
        for seat in range(3):
            answer = other.get(renewal.replace("seat/1", f"seat/{seat}"))
            assert answer.headers["Location"] == f"{table_after_hikes.path}/seat/{seat}/log#latest"


@pytest.mark.parametrize("number", ["1", "99"])
def test_continuing_an_unknown_request_redirects_to_the_log(table_after_hikes: SeatedTable, number: str):
    answer = table_after_hikes.phone(1).get(f"{table_after_hikes.path}/seat/1/again/{number}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{table_after_hikes.path}/seat/1/log#latest")


def test_two_compatible_requests_both_take_effect(table_after_hikes: SeatedTable):
    first = request_repair(
        table_after_hikes,
        2,
        enter_moves(
            table_after_hikes,
            2,
            repair_links(open_snapshot(table_after_hikes, 2, "8"))[CHANGED],
            2,
            Hike(2, canteen=True),
        ),
    )
    second = submit_request(table_after_hikes, 1, {"was.players.2.leaf": "2", "is.players.2.leaf": "3"})
    approve_by_all(table_after_hikes, second)
    approve_by_all(table_after_hikes, first)
    cy = table_after_hikes.table.state.players[2]
    assert not cy.canteen and cy.cubes[1] == 3


def test_same_request_by_two_phones_is_settled_by_one_answer(table_after_hikes: SeatedTable):
    first = request_repair(table_after_hikes, 2, repair_links(open_snapshot(table_after_hikes, 2, "10"))[DROPPED])
    second = request_repair(table_after_hikes, 1, repair_links(open_snapshot(table_after_hikes, 1, "10"))[DROPPED])
    answer_proposal(table_after_hikes, 0, first)
    for seat in (1, 2):
        if (
            table_after_hikes.table.find_proposal(first)
            and seat in table_after_hikes.table.find_proposal(first).waiting_seats
        ):
            answer_proposal(table_after_hikes, seat, first)
    assert table_after_hikes.table.active_step("10") is None and table_after_hikes.table.find_proposal(second) is None


def test_correction_is_applied_as_a_difference_when_it_is_agreed(table_of_two: SeatedTable):
    """Ana, who has 1 leaf, is asked to have two more. She gains one before she agrees: 4."""
    number = submit_request(table_of_two, 1, ANA_LEAF)
    assert "leaves 1 \u2192 becomes 3" in open_request(table_of_two, 0, number).text
    table_of_two.play(0, Hike(2))
    assert "leaves 2 \u2192 becomes 4" in open_request(table_of_two, 0, number).text
    answer_proposal(table_of_two, 0, number)
    assert table_of_two.table.state.players[0].cubes == (1, 4, 1)


def test_several_values_are_corrected_by_one_request(table_of_two: SeatedTable):
    form = table_of_two.phone(0).open(f"{table_of_two.path}/seat/0/tell").form("/right").default_values
    changed = {"is.players.0.leaf": "3", "is.players.1.acorn": "0", "is.players.1.canteen": "empty"}
    number = submit_request(
        table_of_two,
        0,
        {name: value for name, value in {**form, **changed}.items() if name not in ("csrf_token", "tap")},
    )
    assert table_of_two.table.find_proposal(number).text == (
        "Ana\u2019s leaves 1 \u2192 3; Bo\u2019s acorns 1 \u2192 0, canteen from filled to empty"
    )
    answer_proposal(table_of_two, 1, number)
    ana, bo = table_of_two.table.state.players
    assert (ana.cubes, bo.cubes, bo.canteen) == ((1, 3, 1), (0, 1, 1), False)


def test_sheet_lists_corrections_made_during_the_game_only(table_of_two: SeatedTable):
    submit_request(table_of_two, 0, ANA_LEAF)
    table_of_two.play(0, Hike(2))
    submit_request(table_of_two, 1, BO_LEAF)
    submit_request(table_of_two, 0, {"was.players.0.acorn": "1", "is.players.0.acorn": "0"})
    for path in ("score", "print"):
        text = table_of_two.phone(1).open(f"{table_of_two.path}/{path}").text
        assert "Bo corrected: leaves 1 \u2192 3." in text and "acorns 1 \u2192 0." in text
        assert "Ana, leaves 1" not in text


def test_host_decides_only_after_a_delay_and_it_is_marked(
    table_after_hikes: SeatedTable, advance_clock: Callable[[float], None]
):
    number = request_repair(table_after_hikes, 0, repair_links(open_snapshot(table_after_hikes, 0, "8"))[RESTORED_TO])
    form = {"proposal": str(number), "yes": "1"}
    refused = table_after_hikes.submit(0, "answer", form)
    assert refused.status_code == 403 and "Give the others a moment to answer" in refused.text
    assert 'data-reveal-after="4' in table_after_hikes.phone(0).get(f"{table_after_hikes.path}/if/{number}").text
    # Only the host decides.
    assert "data-reveal-after" not in table_after_hikes.phone(1).get(f"{table_after_hikes.path}/if/{number}").text
    assert table_after_hikes.submit(2, "answer", {"proposal": str(number), "yes": "0"}, tap="no").status_code == 303
    number = request_repair(table_after_hikes, 0, repair_links(open_snapshot(table_after_hikes, 0, "8"))[RESTORED_TO])
    advance_clock(45)
    assert "data-reveal-after" not in table_after_hikes.phone(0).get(f"{table_after_hikes.path}/if/{number}").text
    answer_proposal(table_after_hikes, 0, number)
    assert (
        table_after_hikes.table.proposals == ()
        and step_texts(table_after_hikes)[-1] == "Bo hiked 2 tiles to the leaf site, +1 leaf."
    )
    log_page = table_after_hikes.phone(1).open(f"{table_after_hikes.path}/seat/1/log").text
    assert (
        "The host decided: Undo 3 moves, back to before \u201cCy hiked 2" in log_page
        and "(decided by the host)" in log_page
    )
    (repair,) = table_after_hikes.table.repairs
    assert (
        "decided by the host"
        in table_after_hikes.phone(2).open(f"{table_after_hikes.path}/log/{repair.number}/repair").text
    )
    assert (
        "The host decided: Undo 3 moves, back to before"
        in table_after_hikes.phone(1).open(f"{table_after_hikes.path}/score").text
    )


# After the end.


@pytest.fixture
def scored_table(app: Flask) -> SeatedTable:
    """Return a score entry of Ana and Bo that is finished, with three points for Ana."""
    table = open_with_consent(app, "trust", "Ana", "Bo", game="trails-tally")
    return play_moves(table, [(0, AddBadge("science")), (0, Done()), (1, Done())])


def test_change_after_the_end_needs_the_table_and_is_on_the_sheet(scored_table: SeatedTable):
    """This does not depend on the consent policy or on who entered the step."""
    last = scored_table.table.steps[-1]
    number = request_repair(scored_table, 1, repair_links(open_snapshot(scored_table, 1, last.id))[DROPPED])
    assert scored_table.table.find_proposal(number).waiting_seats == (0,) and scored_table.table.is_over
    answer_proposal(scored_table, 0, number, "0")
    number = request_repair(
        scored_table, 0, repair_links(open_snapshot(scored_table, 0, scored_table.table.steps[0].id))[DROPPED]
    )
    assert scored_table.table.find_proposal(number).waiting_seats == (1,)
    page = open_request(scored_table, 1, number).text
    assert "Ana Badges 3 \u2192 becomes 0 points 3 \u2192 becomes 0" in page and "Everyone must agree." in page
    approve_by_all(scored_table, number)
    assert [
        column.total
        for column in scored_table.table.tracked.box.score(
            scored_table.table.tracked.final_position(scored_table.table.state)
        ).columns
    ] == [
        0,
        0,
    ]
    remark = "After the end: Ana undid: added Science."
    assert scored_table.table.remarks == (remark,)
    for path in ("score", "print"):
        assert remark in scored_table.phone(1).open(f"{scored_table.path}/{path}").text


def test_change_after_the_end_on_one_phone_is_not_asked_but_on_the_sheet(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="trails-tally", phones=1)
    play_moves(table, [(0, AddBadge("science")), (0, Done()), (1, Done())])
    request_repair(table, 0, repair_links(open_snapshot(table, 0, table.table.steps[0].id))[DROPPED])
    assert table.table.proposals == () and table.table.is_over
    assert table.table.remarks == ("After the end: Ana undid: added Science.",)


def test_reopened_game_still_needs_consent_of_everybody(scored_table: SeatedTable):
    approve_by_all(
        scored_table,
        request_repair(
            scored_table, 1, repair_links(open_snapshot(scored_table, 1, scored_table.table.steps[-1].id))[DROPPED]
        ),
    )
    assert not scored_table.table.is_over
    number = request_repair(
        scored_table, 1, repair_links(open_snapshot(scored_table, 1, scored_table.table.steps[0].id))[DROPPED]
    )
    assert scored_table.table.find_proposal(number).waiting_seats == (0,)


def test_question_in_a_request_is_not_followed_by_a_colon(table_of_two: SeatedTable):
    table_of_two.submit(0, "play", RULING)
    page = table_of_two.phone(1).get(f"{table_of_two.path}/if/{table_of_two.table.version}").text
    assert '<span class="field-name question">Who gets the Bird Trophy if no one has a bird?</span>' in page


def test_request_addresses_the_reader_as_you(table_after_hikes: SeatedTable):
    number = submit_request(
        table_after_hikes,
        2,
        {"was.players.1.leaf": "2", "is.players.1.leaf": "4", "was.players.0.leaf": "2", "is.players.0.leaf": "1"},
    )
    assert table_after_hikes.table.find_proposal(number).waiting_seats == (0, 1)
    ana, bo, cy = (open_request(table_after_hikes, seat, number).text for seat in range(3))
    assert "You asked" in cy and "Waiting for Ana and Bo" in cy and "This affects you" not in cy
    assert "Waiting for Ana and Bo" in table_after_hikes.page(2).text
    assert "Cy asks:" in table_after_hikes.page(0).text and "This affects you. Waiting for you and Bo" in ana
    assert "Cy asks:" in table_after_hikes.page(1).text and "This affects you. Waiting for you and Ana" in bo
    assert "You leaves" in ana and "Bo leaves" in ana and "Ana leaves" not in ana and "You leaves" not in cy
    for phone in (table_after_hikes.phone(1), Phone(table_after_hikes.app)):  # the table view addresses everybody
        board = phone.open(f"{table_after_hikes.path}/board").text
        assert "Cy asks" in board and "Waiting for Ana and Bo" in board
    table_after_hikes.submit(0, "answer", {"proposal": str(number), "yes": "0"})
    assert "Ana declined." in table_after_hikes.page(2).text
    assert "Cy asked: " in table_after_hikes.page(1).text


def test_table_view_lists_requests_in_the_same_order_for_every_phone(table_after_hikes: SeatedTable):
    rulings = ("zero-birds", "bear-same-site")
    for seat, ruling in enumerate(rulings, 1):
        option = (
            table_after_hikes.table.tracked.box.rulings[
                [each.id for each in table_after_hikes.table.tracked.box.rulings].index(ruling)
            ]
            .options[1]
            .id
        )
        table_after_hikes.play(seat, Adopt(ruling, option))
    texts = [proposal.text for proposal in table_after_hikes.table.proposals]
    assert len(texts) == 2
    for phone in (*table_after_hikes.phones, Phone(table_after_hikes.app)):
        board = phone.open(f"{table_after_hikes.path}/board").text
        assert sorted(texts, key=board.index) == texts[::-1]  # the newest first
