"""Who is asked about the past of a table, what is seen before anybody agrees, and what comes of the answers."""

from collections.abc import Callable

import pytest
from flask import Flask

from companion.log.repair import Told, unpacked
from companion.log.table import plain_move
from scoring.kernel.english import listed
from scoring.trails.moves.corrections import Adopt
from scoring.trails.moves.hiking import Hike, Leave, Wildlife
from scoring.trails.moves.reveals import NoteHand
from scoring.trails.score_entry import AddBadge, Done
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated, seated
from tests.support.repair_pages import BACK, ELSE, NOT, agreed, answers, ask, asking, moment, said, tell, texts
from tests.support.table_states import NAMES, play

BO_LEAF = {"was.players.1.leaf": "1", "is.players.1.leaf": "3"}  # it concerns Bo alone
ANA_LEAF = {"was.players.0.leaf": "1", "is.players.0.leaf": "3"}
RULING = {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'}  # it concerns everybody


def agreeing(app: Flask, consent: str, *names: str, game: str = "trails") -> Seated:
    """Open a table that agrees in one of the ways."""
    table = seated(app, *names, game=game)
    form = table.phone(0).open(f"{table.path}/setup").form("").untouched
    assert table.phone(0).post(f"{table.path}/setup", {**form, "consent": consent}).status_code == 303
    assert table.table.consent == consent
    return table


def after_a_hike(app: Flask, consent: str, *names: str) -> Seated:
    """Return a table that agrees in one of the ways, where Ana has hiked."""
    return play(agreeing(app, consent, *names), [(0, Hike(1))] if len(names) == 4 else [(0, Hike(2))])


def send(table: Seated, seat: int, sent: dict[str, str]) -> int:
    """Send what a seat wants set right, or a ruling; return the number of the question."""
    answer = table.tap(seat, "play" if "move" in sent else "right", sent)
    assert answer.status_code == 303, read(answer.text).text
    return table.table.number


def test_old_and_new_are_seen_by_who_asks_before_asking_and_by_all_until_it_is_answered(hiked: Seated):
    page = tell(hiked, 2, said(moment(hiked, 2, "8"))[ELSE], 2, Hike(2, canteen=True))
    before = hiked.phone(2).open(page).text
    assert (
        "What would differ Cy canteen full \u2192 becomes empty Ask Ana and Bo" in before
    )  # of Cy alone: then all are asked
    number = ask(hiked, 2, page)
    for seat in range(3):
        text = asking(hiked.page(seat))
        assert "canteen full \u2192 becomes empty" in text
        assert f"{hiked.path}/if/{number}" in hiked.page(seat).addresses
        then = hiked.phone(seat).open(f"{hiked.path}/if/{number}").text
        assert (
            f"If everybody agrees {'You asked' if seat == 2 else 'Cy asks'}:" in then
            and "canteen full \u2192 becomes empty" in then
        )
    agreed(hiked, number)
    assert not hiked.table.state.players[2].canteen
    assert hiked.phone(0).get(f"{hiked.path}/if/{number}").status_code == 303


def test_whom_it_concerns_is_told_so(hiked: Seated):
    number = send(hiked, 2, {"was.players.1.leaf": "2", "is.players.1.leaf": "4"})
    assert hiked.table.proposal(number).waiting == (1,)
    assert "Cy asks: it concerns you Set right: Bo, leaf 2 \u2192 4. You leaf 2 \u2192 becomes 4" in hiked.page(1).text
    assert "it concerns you" not in hiked.page(0).text and "Waiting for Bo" in hiked.page(0).text
    assert hiked.page(1).form("/answer").button("yes") == ["1", "0"]
    assert hiked.page(2).form("/answer").button("yes") == ["0"]  # never mind


# how the table agrees, what Ana wants, who is asked, whose Yes does it
CONSENT = [
    ("concerned", BO_LEAF, (1,), [1]),
    ("concerned", RULING, (1, 2, 3), [2, 1, 3]),
    ("concerned", ANA_LEAF, (1, 2, 3), [1, 2, 3]),  # nobody asks herself alone
    ("everybody", BO_LEAF, (1, 2, 3), [3, 1, 2]),
    ("most", BO_LEAF, (1, 2, 3), [2, 3]),
    ("most", RULING, (1, 2, 3), [3, 1]),
    ("trust", BO_LEAF, (), []),
    ("trust", RULING, (), []),
]


@pytest.mark.parametrize(("consent", "sent", "asked", "yes"), CONSENT)
def test_who_is_asked_and_how_many_are_enough(app: Flask, consent: str, sent: dict, asked: tuple, yes: list[int]):
    table = after_a_hike(app, consent, *NAMES)
    before = table.table.state
    number = send(table, 0, sent)
    assert table.table.proposals == () if not asked else table.table.proposal(number).waiting == asked
    for seat in yes:
        assert table.table.state == before
        answers(table, seat, number)
    assert table.table.state != before and table.table.proposals == ()
    story = table.phone(3).open(f"{table.path}/seat/3/log").text
    agreement = "agreed by " + listed([NAMES[seat] for seat in yes])
    assert (agreement in story) if yes else ("agreed by" not in story)


@pytest.mark.parametrize("consent", ["concerned", "everybody", "most", "trust"])
def test_what_was_told_wrong_by_oneself_a_moment_ago_is_asked_of_nobody(app: Flask, consent: str):
    table = after_a_hike(app, consent, "Ana", "Bo", "Cy")
    ask(table, 0, tell(table, 0, said(moment(table, 0, table.table.steps[-1].id))[ELSE], 0, Hike(2, canteen=True)))
    assert texts(table) == ["Ana hiked 2 to the leaf site with the canteen. +1 leaf."] and table.table.proposals == ()


def test_how_a_table_agrees_is_changed_by_everybody(hiked: Seated):
    assert hiked.tap(0, "asks", {"consent": "trust"}).status_code == 303
    number = hiked.table.number
    assert hiked.table.consent == "concerned" and hiked.table.proposal(number).waiting == (1, 2)
    assert "From now on what somebody sets right holds at once" in asking(hiked.page(1))
    agreed(hiked, number)
    assert hiked.table.consent == "trust"
    assert hiked.tap(0, "asks", {"consent": "nobody"}).status_code == 400


def test_one_no_is_told_to_all_and_leaves_everything_as_it_is(hiked: Seated):
    number = ask(hiked, 2, said(moment(hiked, 2, "10"))[NOT])
    before = hiked.table.state
    answers(hiked, 0, number, "0")
    assert hiked.table.proposals == () and hiked.table.state == before
    assert "Ana declined your request: \u201cTake back \u2018Ana left the photo.\u2019\u201d" in hiked.page(2).text
    assert "Ana declined" in hiked.phone(1).open(f"{hiked.path}/seat/1/log").text


def test_where_most_are_enough_one_no_is_not(app: Flask):
    table = after_a_hike(app, "most", *NAMES)
    number = send(table, 0, BO_LEAF)
    answers(table, 1, number, "0")
    assert table.table.proposal(number).waiting == (2, 3)
    answers(table, 2, number)
    answers(table, 3, number)
    assert table.table.proposals == () and table.table.state.players[1].cubes[1] == 3


def test_what_is_no_longer_possible_is_dropped_and_told_with_the_reason(hiked: Seated):
    number = ask(hiked, 2, said(moment(hiked, 2, "6"))[BACK])
    other = ask(hiked, 1, tell(hiked, 1, said(moment(hiked, 1, "9"))[ELSE], 0, Hike(1, canteen=True)))
    agreed(hiked, number)
    text = asking(hiked.page(1))
    assert "This is no longer possible." in text and hiked.table.proposal(other)
    again = hiked.phone(1).get(f"{hiked.path}/seat/1/again/{other}")
    assert again.headers["Location"] == f"{hiked.path}/seat/1/log"  # that part of the story has been told otherwise
    agreed(hiked, other)
    assert "is no longer possible." in hiked.table.lines[-1].text and texts(hiked) == ["Bo noted Science in hand."]


def test_what_has_been_asked_and_no_longer_holds_is_told_anew_by_whoever_asked(hiked: Seated):
    """While Bo's question waits, Bo hikes on to the photo and leaves it: from the exchange there is no photo so far ahead."""
    number = ask(hiked, 1, tell(hiked, 1, said(moment(hiked, 1, "7"))[ELSE], 1, Hike(1), Leave()))
    play(hiked, [(1, Hike(2)), (1, Leave())])
    again = f"{hiked.path}/seat/1/again/{number}"
    assert again in hiked.page(1).addresses and again not in hiked.page(0).addresses
    page = hiked.phone(1).get(again).headers["Location"]
    assert "this does not stand “Bo left the photo.” Roll the die" in hiked.phone(1).open(page).text
    page = tell(hiked, 1, page, 1, Wildlife("leaf", "leaf"))
    answers(hiked, 1, number, "0")  # never mind
    agreed(hiked, ask(hiked, 1, page))
    assert hiked.table.state.players[1].at == 3


def test_what_somebody_else_asks_is_not_told_anew_for_it_may_hold_a_note(hiked: Seated, phone: Phone):
    page = tell(hiked, 1, said(moment(hiked, 1, "7"))[ELSE], 1, Hike(1), NoteHand("climber-leaf"), Leave())
    again = f"{hiked.path}/seat/1/again/{ask(hiked, 1, page)}"
    assert (
        Told(1, plain_move(NoteHand("climber-leaf")))
        in unpacked(hiked.phone(1).get(again).headers["Location"].rpartition("/")[2]).here
    )
    for other in (hiked.phone(0), hiked.phone(2), phone):
        for seat in range(3):
            answer = other.get(again.replace("seat/1", f"seat/{seat}"))
            assert answer.headers["Location"] == f"{hiked.path}/seat/{seat}/log"


@pytest.mark.parametrize("number", ["1", "99"])
def test_where_nothing_is_asked_the_story_is_told_from_its_lines(hiked: Seated, number: str):
    answer = hiked.phone(1).get(f"{hiked.path}/seat/1/again/{number}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{hiked.path}/seat/1/log")


def test_two_questions_cross_and_both_come_true_where_both_can(hiked: Seated):
    first = ask(hiked, 2, tell(hiked, 2, said(moment(hiked, 2, "8"))[ELSE], 2, Hike(2, canteen=True)))
    second = send(hiked, 1, {"was.players.2.leaf": "2", "is.players.2.leaf": "3"})
    agreed(hiked, second)
    agreed(hiked, first)
    cy = hiked.table.state.players[2]
    assert not cy.canteen and cy.cubes[1] == 3


def test_the_same_asked_by_two_phones_is_settled_by_one_answer(hiked: Seated):
    first = ask(hiked, 2, said(moment(hiked, 2, "10"))[NOT])
    second = ask(hiked, 1, said(moment(hiked, 1, "10"))[NOT])
    answers(hiked, 0, first)
    for seat in (1, 2):
        if hiked.table.proposal(first) and seat in hiked.table.proposal(first).waiting:
            answers(hiked, seat, first)
    assert hiked.table.step("10") is None and hiked.table.proposal(second) is None


def test_a_difference_holds_for_what_is_there_when_it_is_agreed(two: Seated):
    """Ana asks for two more leaves when she has 1, and gains one before Bo says Yes: she has 4."""
    number = send(two, 0, ANA_LEAF)
    assert "leaf 1 \u2192 becomes 3" in asking(two.page(1))
    two.say(0, Hike(2))
    assert "leaf 2 \u2192 becomes 4" in asking(two.page(1))
    answers(two, 1, number)
    assert two.table.state.players[0].cubes == (1, 4, 1)


def test_several_things_are_set_right_by_one_question(two: Seated):
    form = two.phone(0).open(f"{two.path}/seat/0/tell").form("/right").untouched
    changed = {"is.players.0.leaf": "3", "is.players.1.acorn": "0", "is.players.1.canteen": "empty"}
    number = send(
        two, 0, {name: value for name, value in {**form, **changed}.items() if name not in ("csrf_token", "tap")}
    )
    assert two.table.proposal(number).text == (
        "Set right: Ana, leaf 1 \u2192 3; Bo, acorn 1 \u2192 0; Bo, canteen full \u2192 empty"
    )
    answers(two, 1, number)
    ana, bo = two.table.state.players
    assert (ana.cubes, bo.cubes, bo.canteen) == ((1, 3, 1), (0, 1, 1), False)


def test_the_sheet_says_what_was_set_right_while_playing_and_not_what_lay_there_before(two: Seated):
    answers(two, 1, send(two, 0, ANA_LEAF))
    two.say(0, Hike(2))
    answers(two, 0, send(two, 1, BO_LEAF))
    answers(two, 1, send(two, 0, {"was.players.0.acorn": "1", "is.players.0.acorn": "0"}))
    for path in ("score", "print"):
        text = two.phone(1).open(f"{two.path}/{path}").text
        assert "Bo had it set right: Bo, leaf 1 \u2192 3." in text and "acorn 1 \u2192 0." in text
        assert "Ana, leaf 1" not in text


def test_the_host_decides_only_after_a_while_and_it_is_told_and_marked(hiked: Seated, later: Callable[[float], None]):
    number = ask(hiked, 0, said(moment(hiked, 0, "8"))[BACK])
    form = {"proposal": str(number), "yes": "1"}
    refused = hiked.tap(0, "answer", form)
    assert refused.status_code == 403 and "Give the others a moment to answer" in refused.text
    assert 'data-opens="4' in hiked.phone(0).get(f"{hiked.path}/seat/0").text
    assert "data-opens" not in hiked.phone(1).get(f"{hiked.path}/seat/1").text  # only the host decides
    assert hiked.tap(2, "answer", {"proposal": str(number), "yes": "0"}, tap="no").status_code == 303
    number = ask(hiked, 0, said(moment(hiked, 0, "8"))[BACK])
    later(45)
    assert "data-opens" not in hiked.phone(0).get(f"{hiked.path}/seat/0").text
    answers(hiked, 0, number)
    assert hiked.table.proposals == () and texts(hiked)[-1] == "Bo hiked 2 to the leaf site. +1 leaf."
    story = hiked.phone(1).open(f"{hiked.path}/seat/1/log").text
    assert "The host decided: \u201cBack to before \u2018Cy hiked 2" in story and "(the host decided)" in story
    (repair,) = hiked.table.repairs
    assert "the host decided" in hiked.phone(2).open(f"{hiked.path}/log/{repair.number}/repair").text
    assert "The host decided: \u201cBack to before" in hiked.phone(1).open(f"{hiked.path}/score").text


# After the end.


@pytest.fixture
def counted(app: Flask) -> Seated:
    """Ana and Bo have counted: the game is over, with three points for Ana."""
    table = agreeing(app, "trust", "Ana", "Bo", game="trails-tally")
    return play(table, [(0, AddBadge("science")), (0, Done()), (1, Done())])


def test_after_the_end_everything_needs_the_table_and_the_sheet_says_what_was_changed(counted: Seated):
    """However the table agrees, and whoever told the step."""
    last = counted.table.steps[-1]
    number = ask(counted, 1, said(moment(counted, 1, last.id))[NOT])
    assert counted.table.proposal(number).waiting == (0,) and counted.table.over
    answers(counted, 0, number, "0")
    number = ask(counted, 0, said(moment(counted, 0, counted.table.steps[0].id))[NOT])
    assert counted.table.proposal(number).waiting == (1,)
    assert "Ana Badges 3 \u2192 becomes 0 points 3 \u2192 becomes 0" in asking(counted.page(1))
    agreed(counted, number)
    assert [
        column.total for column in counted.table.play.box.score(counted.table.play.final(counted.table.state)).columns
    ] == [
        0,
        0,
    ]
    remark = "After the end: Ana took back: Ana has Science."
    assert counted.table.remarks == (remark,)
    for path in ("score", "print"):
        assert remark in counted.phone(1).open(f"{counted.path}/{path}").text


def test_where_one_phone_holds_all_seats_nobody_is_asked_after_the_end_but_the_sheet_says_so(app: Flask):
    table = seated(app, "Ana", "Bo", game="trails-tally", phones=1)
    play(table, [(0, AddBadge("science")), (0, Done()), (1, Done())])
    ask(table, 0, said(moment(table, 0, table.table.steps[0].id))[NOT])
    assert table.table.proposals == () and table.table.over
    assert table.table.remarks == ("After the end: Ana took back: Ana has Science.",)


def test_a_game_that_was_over_and_goes_on_still_needs_everybody(counted: Seated):
    agreed(counted, ask(counted, 1, said(moment(counted, 1, counted.table.steps[-1].id))[NOT]))
    assert not counted.table.over
    number = ask(counted, 1, said(moment(counted, 1, counted.table.steps[0].id))[NOT])
    assert counted.table.proposal(number).waiting == (0,)


def test_a_question_that_is_set_right_is_followed_by_no_colon(two: Seated):
    two.tap(0, "play", RULING)
    page = two.phone(1).get(f"{two.path}/seat/1").text
    assert '<span class="what asked">Who gets the Bird Trophy when nobody has seen a bird?</span>' in page


def test_request_speaks_to_the_reader_as_you(hiked: Seated):
    number = send(
        hiked,
        2,
        {"was.players.1.leaf": "2", "is.players.1.leaf": "4", "was.players.0.leaf": "2", "is.players.0.leaf": "1"},
    )
    assert hiked.table.proposal(number).waiting == (0, 1)
    ana, bo, cy = (asking(hiked.page(seat)) for seat in range(3))
    assert "You asked" in hiked.page(2).text and "Waiting for Ana and Bo" in cy and "it concerns you" not in cy
    assert "Cy asks: it concerns you" in hiked.page(0).text and "Waiting for you and Bo" in ana
    assert "Cy asks: it concerns you" in hiked.page(1).text and "Waiting for you and Ana" in bo
    assert "You leaf" in ana and "Bo leaf" in ana and "Ana leaf" not in ana
    for looker in (hiked.phone(1), Phone(hiked.app)):  # the table view speaks to everybody
        board = looker.open(f"{hiked.path}/board").text
        assert "Cy asks" in board and "Waiting for Ana and Bo" in board
    hiked.tap(0, "answer", {"proposal": str(number), "yes": "0"})
    assert "Ana declined your request:" in hiked.page(2).text
    assert "Ana declined Cy\u2019s request:" in hiked.page(1).text


def test_table_view_lists_requests_in_the_same_order_for_every_phone(hiked: Seated):
    rulings = ("zero-birds", "bear-same-site")
    for seat, ruling in enumerate(rulings, 1):
        option = (
            hiked.table.play.box.rulings[[each.id for each in hiked.table.play.box.rulings].index(ruling)].options[1].id
        )
        hiked.say(seat, Adopt(ruling, option))
    texts = [proposal.text for proposal in hiked.table.proposals]
    assert len(texts) == 2
    for looker in (*hiked.phones, Phone(hiked.app)):
        board = looker.open(f"{hiked.path}/board").text
        assert sorted(texts, key=board.index) == texts
