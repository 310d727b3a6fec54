"""The judge's pages and what they write: who may ask, what is kept, what the table writes where the book is silent."""

import re
from html import unescape

import pytest
from flask import Flask
from msgspec.structs import replace

from companion.log.entries import OwnRuling
from companion.log.repair import Plan, Told
from companion.log.table import plain_move
from companion.pages import judge
from companion.storage.store import Store
from scoring.games import PLAYS
from scoring.kernel.legality import may, wishes
from scoring.kernel.rule import Reason
from scoring.parks.moves.trail_setup import LayTile
from scoring.trails import rules as r
from scoring.trails.moves.hiking import Hike, Leave
from scoring.trails.moves.reveals import NoteHand
from tests.support.other_secrets import serving
from tests.support.parks_table import ana, have
from tests.support.phones import Seated, seated
from tests.support.positions import laid

HIKE = '{"type":"hike","steps":2}'
NINE = '{"type":"hike","steps":9}'


@pytest.fixture
def three(app: Flask) -> Seated:
    return seated(app, "Ana", "Bo", "Cy")


def agreed(table: Seated) -> None:
    """Have everybody agree to all that is asked."""
    for proposal in table.table.proposals:
        for seat in proposal.waiting:
            table.tap(seat, "answer", {"proposal": str(proposal.number), "yes": "1"})


def kept(table: Seated, seat: int, move: str, **form: str) -> int:
    answer = table.phone(seat).post(f"{table.path}/ask/keep", {"move": move, "seat": str(seat), **form})
    assert answer.status_code == 303
    return int(answer.headers["Location"].rpartition("/")[2])


def test_asking_says_nothing_and_what_happens_then_is_shown(three: Seated):
    before = three.table
    page = three.phone(0).open(f"{three.path}/ask/may?seat=0&move={HIKE}")
    assert "Yes." in page.text and "Nothing has been said by this." in page.text and "Ana hiked 2" in page.text
    assert three.table == before


def test_whose_turn_it_is_not_hears_that_and_what_a_turn_could_bring(three: Seated):
    page = three.phone(1).open(f"{three.path}/ask/may?seat=1&move={HIKE}")
    assert "Not now; on a turn that began now: yes." in page.text and "It is Ana\u2019s turn" in page.text
    assert "this is what a turn that began now could bring" in three.phone(1).open(f"{three.path}/ask?seat=1").text


def test_a_no_names_its_rule(three: Seated):
    page = three.phone(0).open(f"{three.path}/ask/may?seat=0&move={NINE}")
    assert "No, not this turn." in page.text
    assert "/rules/trails/hike-distance" in page.addresses


VISIT = '{"type":"visit-park","park":"Yellowstone"}'


def test_a_no_names_the_nearest_step_and_what_is_missing_there(app: Flask):
    table = seated(app, "Ana", "Bo", game="parks")
    told = table.say(0, LayTile("forest"))
    last = replace(told.steps[-1], after=ana(tokens=have(forest=1)))
    with serving(table.referee.store, replace(told, steps=(last,))):
        page = table.phone(0).open(f"{table.path}/ask/may?seat=0&move={VISIT}").text
    assert "Your turn starts with a hike." in page
    missing = page.partition("After \u201cThe Parks site\u201d:")[2]
    assert all(f"Yellowstone takes {cost};" in missing for cost in ("2 Sun", "3 Water", "1 Wildlife"))
    assert "Nothing you can do this turn leads to it." not in page


def test_a_no_says_where_nothing_in_the_turn_leads_to_the_move(app: Flask):
    table = seated(app, "Ana", "Bo", game="parks")  # the Trail is laid first
    page = table.phone(0).open(f"{table.path}/ask/may?seat=0&move={VISIT}").text
    assert "First lay the next tile of the Trail." in page and "Nothing you can do this turn leads to it." in page


@pytest.mark.parametrize("move", ["", "{", "[]", '{"type":"fly"}', '{"type":"hike"}', "x" * 9000])
def test_what_is_no_move_leads_back_to_asking(three: Seated, move: str):
    answer = three.phone(0).get(f"{three.path}/ask/may", query_string={"seat": 0, "move": move})
    assert answer.status_code == 303 and "/ask" in answer.headers["Location"]
    answer = three.phone(0).post(f"{three.path}/ask/keep", {"move": move, "seat": "0"})
    assert answer.status_code == 303 and not three.table.verdicts


def test_a_phone_without_a_seat_reads_but_asks_for_nobody(app: Flask, three: Seated):
    stranger = seated(app, "Di", "Ed").phone(0)
    assert "May I" not in stranger.open(f"{three.path}/ask").text
    for path, form in (("ask/keep", {"move": HIKE}), ("ask/own", {"question": "a", "reading": "b"}), ("ask/sides", {})):
        assert stranger.post(f"{three.path}/{path}", {**form, "seat": "0"}).status_code == 303
    assert three.table.number == 4 and not three.table.proposals


def test_a_private_note_that_no_longer_fits_is_not_told_on_the_readings_page(three: Seated, monkeypatch):
    note = three.say(0, NoteHand("science")).steps[-1]
    why = Reason("hand", r.HAND_SECRET, "The hand shows Science.")
    monkeypatch.setattr(judge, "_from_start", lambda *_: ((), note, (why,)))
    for phone in three.phones:
        page = phone.open(f"{three.path}/ask/ruling/zero-birds?seat={three.phones.index(phone)}").text
        assert "A private note." in page and "The hand shows Science." not in page and note.text not in page


def test_a_verdict_stands_as_it_was_given_whatever_is_told_later(three: Seated):
    number = kept(three, 0, NINE)
    first = three.phone(2).open(f"{three.path}/verdict/{number}").text
    assert "No, not this turn." in first and "Ana" in first
    three.say(0, Hike(2))
    assert three.phone(1).open(f"{three.path}/verdict/{number}").text.split("Back to")[0] == first.split("Back to")[0]
    assert f"{three.path}/verdict/{number}" in three.phone(1).open(f"{three.path}/seat/1/log").addresses
    assert f"{three.path}/verdict/{number}" in three.phone(2).open(f"{three.path}/seat/2").addresses
    assert three.phone(1).get(f"{three.path}/verdict/{number}/print").status_code == 200
    for gone in (1, 999):
        assert three.phone(1).get(f"{three.path}/verdict/{gone}").status_code == 303


def test_a_verdict_is_called_by_no_words_but_its_buttons(three: Seated):
    three.say(0, Hike(2))
    leave = '{"type":"leave"}'
    number = kept(three, 0, leave, called="I have won")
    verdict = next(each for each in three.table.verdicts if each.number == number)
    assert "won" not in verdict.what.question


def test_it_is_asked_about_a_moment_of_the_past_and_not_about_anothers_note(three: Seated):
    three.say(0, NoteHand("science"))
    note = three.table.steps[-1].id
    hike = str(three.say(0, Hike(2)).number)
    page = three.phone(1).open(f"{three.path}/ask?step={hike}&seat=1")
    assert "About the table as it was before a step" in page.text
    assert three.phone(1).get(f"{three.path}/ask?step={note}&seat=1").status_code == 303
    assert three.phone(0).get(f"{three.path}/ask?step={note}&seat=0").status_code == 200
    assert three.phone(0).get(f"{three.path}/ask?step=77&seat=0").status_code == 303


def test_what_the_book_is_silent_on_is_written_down_once_all_agree(three: Seated):
    three.phone(0).post(
        f"{three.path}/ask/own", {"seat": "0", "question": " May one  whistle? ", "reading": "At night."}
    )
    assert three.table.own_rulings == () and three.table.proposals[0].waiting == (1, 2)
    agreed(three)
    assert three.table.own_rulings == (OwnRuling("May one whistle?", "At night."),)
    assert "May one whistle? At night." in three.phone(1).open(f"{three.path}/score").text
    assert "May one whistle? At night." in three.phone(1).open(f"{three.path}/print").text
    again = three.phone(0).post(
        f"{three.path}/ask/own", {"seat": "0", "question": "May one whistle?", "reading": "At night."}
    )
    assert again.status_code == 303 and not three.table.proposals
    three.phone(1).post(f"{three.path}/ask/own", {"seat": "1", "question": "May one whistle?"})
    agreed(three)
    assert three.table.own_rulings == ()


@pytest.mark.parametrize("form", [{"reading": "x"}, {"question": "x"}, {"question": " ", "reading": "x"}])
def test_half_of_it_is_refused_with_why(three: Seated, form: dict):
    answer = three.phone(0).post(f"{three.path}/ask/own", {"seat": "0", **form})
    assert answer.status_code == 403 and "Write down" in answer.text and not three.table.proposals


@pytest.mark.parametrize("owner", [True, False])
def test_only_where_the_boxs_owner_plays_it_is_kept_with_the_box(app: Flask, owner: bool):
    table = seated(app, "Ana", "Bo")
    if owner:
        table.phone(1).owning()
    table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "Whistle?", "reading": "Yes."})
    agreed(table)
    other = seated(app, "Cy", "Di")
    page = other.phone(0).open(f"{other.path}/ask").text
    assert ("So it was played at another table with this box" in page) is owner
    assert "Whistle?" not in seated(app, "Cy", "Di", game="parks").phone(0).open(f"{other.path}/ask").text or owner
    table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "Whistle?"})
    agreed(table)
    assert "Whistle?" not in other.phone(0).open(f"{other.path}/ask").text


def hiked(table: Seated) -> str:
    """Have everybody hike; return the id of Ana's first step."""
    first = str(table.say(0, Hike(2)).number)
    for seat in (0, 1, 1, 2, 2):
        offers = (Leave(), Hike(2)) if seat == 0 else (Hike(1), Leave())
        for move in offers:
            if table.table.play.legal(table.table.state, seat, move):
                table.say(seat, move)
                break
    return first


def claim(table: Seated, seat: int, plan: Plan, **form: str):
    return table.phone(seat).post(f"{table.path}/seat/{seat}/mend/{plan.packed()}/claim?as=0", form)


def test_each_side_is_played_out_and_the_one_agreed_to_ends_the_dispute(three: Seated):
    first = hiked(three)
    otherwise = Plan(first, 1, (Told(0, plain_move(Hike(1))),))
    assert claim(three, 1, otherwise).status_code == 303
    assert claim(three, 2, Plan(first, 1, open=True), move=NINE).status_code == 303
    assert [each.seat for each in three.table.claims] == [1, 2]
    page = three.phone(0).open(f"{three.path}/ask/sides").text
    assert (
        "That cannot have been." in page
        and "/rules/trails/hike-distance" in three.phone(0).get(f"{three.path}/ask/sides").text
    )
    assert claim(three, 1, otherwise).status_code == 303
    assert len(three.table.claims) == 2  # the same again changes nothing
    three.phone(2).post(f"{three.path}/ask/sides", {"seat": "2"})
    assert [each.seat for each in three.table.claims] == [1]


def test_a_claim_about_a_note_is_refused(three: Seated):
    three.say(0, NoteHand("science"))
    note = three.table.steps[-1].id
    assert claim(three, 0, Plan(note, 1)).status_code == 403
    assert not three.table.claims


def test_a_story_that_has_gone_another_way_since_is_said_to_have(three: Seated):
    first = hiked(three)
    assert claim(three, 1, Plan(first, 1, (Told(0, plain_move(Hike(1))),))).status_code == 303
    while three.table.steps:
        table = three.table
        table_steps = [step for step in table.steps if not step.move.secret]
        three.tap(table_steps[-1].seat, "step", {"take_back": table_steps[-1].id})
        agreed(three)
    assert "has to be said anew" in three.phone(0).open(f"{three.path}/ask/sides").text


def test_the_table_as_it_stood_is_folded_from_its_log(three: Seated):
    store: Store = three.referee.store
    then = three.table
    three.say(0, Hike(2))
    assert store.table_then(three.code, then.number).state == then.state


def test_every_answer_links_to_pages_that_are_there(three: Seated):
    three.say(0, Hike(2))
    links = re.findall(r'href="([^"]*/ask/may[^"]*)"', three.phone(0).get(f"{three.path}/ask").text)
    assert links
    for link in links[:6]:
        page = three.phone(0).get(unescape(link))
        assert page.status_code == 200
        for rule in re.findall(r'href="(/rules/[^"]*)"', page.text):
            assert three.phone(0).get(rule).status_code == 200


def test_to_leave_one_thing_is_not_to_leave_another():
    play = PLAYS["trails"]
    state = play.begin(laid(["Ana", "Bo"]))
    for move in (Hike(1), Leave(), Hike(2), Leave(), Hike(2), Leave()):
        seat = play.to_move(state)[0]
        state = play.play(state, seat, move) if play.legal(state, seat, move) else state
    seat = play.to_move(state)[0]
    left = {wish.label for wish in wishes(play, state, seat) if isinstance(wish.move, Leave)}
    assert len(left) > 1
    for label in left:
        answer = may(play, state, seat, Leave(), label)
        assert answer.label == label and answer.yes in ("now", "later")


def test_house_rule_says_that_it_was_sent_and_whom_it_waits_for(three: Seated):
    form = {"seat": "0", "question": "May one whistle?", "reading": "At night."}
    answer = three.phone(0).post(f"{three.path}/ask/own", form)
    page = three.phone(0).open(answer.headers["Location"])
    assert "Sent. Waiting for Bo and Cy" in page.text and "It counts once they agree." in page.text
    assert "You asked: The table plays \u201cMay one whistle?\u201d so: \u201cAt night.\u201d" in page.text
    later = three.phone(0).open(f"{three.path}/ask?seat=0").text  # it still waits when the page is opened again
    assert "Sent." not in later and "You asked" in later and "Waiting for Bo and Cy" in later
    theirs = three.phone(1).open(f"{three.path}/ask?seat=1").text
    assert "Ana asks" in theirs and "Waiting for you and Cy" in theirs
    again = three.phone(0).post(f"{three.path}/ask/own", form).headers["Location"]
    assert "Done." not in three.phone(0).open(again).text  # it was asked for already
    for seat in (1, 2):
        three.tap(seat, "answer", {"proposal": str(three.table.proposals[0].number), "yes": "1"})
    assert "You asked" not in three.phone(0).open(f"{three.path}/ask?seat=0").text


def test_house_rule_that_holds_at_once_says_so(app: Flask):
    table = seated(app, "Ana", "Bo", phones=1)
    form = {"seat": "0", "question": "May one whistle?", "reading": "At night"}
    answer = table.phone(0).post(f"{table.path}/ask/own", form)
    text = table.phone(0).open(answer.headers["Location"]).text
    assert (
        "Done. The table plays \u201cMay one whistle?\u201d so: \u201cAt night.\u201d" in text and "Sent." not in text
    )
    dropped = table.phone(0).post(f"{table.path}/ask/own", {"seat": "0", "question": "May one whistle?"})
    assert "Done. The table has no ruling on" in table.phone(0).open(dropped.headers["Location"]).text
