"""The past over the wire: from a line of the log to the table as it was, what can be said of it, who is asked, what comes of it."""

import re
from collections.abc import Callable

import msgspec
import pytest
from flask import Flask

from companion.mending import Back, Plan, Stop, Told, unpacked
from companion.table import plain_move
from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.kernel.words import listed
from scoring.trails.hiking import Exchange, Hike, Leave, Wildlife
from scoring.trails.tally import AddBadge, Done
from scoring.trails.telling import NameCard, NoteHand
from tests.past import of_a_seat
from tests.phones import Phone, Seated, seated
from tests.played import NAMES, half_mapped, in_the_middle, mended, on_its_own, on_one_phone, play
from tests.played import counted as counted_all
from tests.reader import Page, read

HIKED = "Ana hiked 2 to the leaf site. +1 leaf."
ELSE, NOT, MISSING, BACK = "else", "not", "missing", "back"


def said(page: Page) -> dict[str, str]:
    """Return where the things lead that can be said of a step on its page."""
    plans = {address: unpacked(address.rpartition("/")[2]) for address in page.addresses if "/mend/" in address}
    return {_kind(plan): address for address, plan in plans.items()}


def _kind(plan: Plan) -> str:
    if plan.open:
        return ELSE if plan.out else MISSING
    return NOT if plan.out else BACK if plan.here == (Stop(),) else "put back" if isinstance(plan.here[0], Back) else "told"


def moment(table: Seated, seat: int, id: str) -> Page:
    return table.phone(seat).open(f"{table.path}/log/{id}")


def tell(table: Seated, seat: int, page: str, who: int, *moves: Move) -> str:
    """Say on a page of a repair what a player did there; return the page that leads to."""
    for move in moves:
        answer = table.phone(seat).post(f"{page}/play?as={who}", {"move": as_json(move)})
        assert answer.status_code == 303, read(answer.text).text
        page = answer.headers["Location"]
    return page


def ask(table: Seated, seat: int, page: str) -> int:
    """Ask for a repair that has been told to its end; return the number of the entry."""
    answer = table.phone(seat).post(f"{page}/ask")
    assert (answer.status_code, answer.headers.get("Location")) == (303, f"{table.path}/seat/{seat}"), read(answer.text).text
    return table.table.number


def answers(table: Seated, seat: int, number: int, yes: str = "1") -> None:
    answer = table.tap(seat, "answer", {"proposal": str(number), "yes": yes})
    assert answer.status_code == 303, read(answer.text).text


def agreed(table: Seated, number: int) -> None:
    """Have all agree who are asked."""
    for seat in range(len(table.table.seats)):
        if (question := table.table.proposal(number)) and seat in question.waiting:
            answers(table, seat, number)
    assert not table.table.proposal(number)


def texts(table: Seated) -> list[str]:
    return [step.text for step in table.table.steps]


def asking(page: Page) -> str:
    """Return what a page says is asked."""
    return page.text[page.text.index(" asks") :]


@pytest.fixture
def hiked(three: Seated) -> Seated:
    """Ana, Bo and Cy have hiked to the leaf site, Ana on to the photo, where she has left it. Bo has noted a badge before."""
    three.say(1, NoteHand("science"))
    return play(three, [*((seat, Hike(2)) for seat in range(3)), (0, Hike(2)), (0, Leave())])


# From a line to the table as it was.


def test_a_line_of_the_story_opens_the_table_as_it_was(hiked: Seated):
    story = hiked.phone(1).open(f"{hiked.path}/seat/1/log")
    lines = [address.partition("?")[0] for address in story.addresses if "/log/" in address]
    assert lines == [f"{hiked.path}/log/{step.id}" for step in hiked.table.steps]
    page = moment(hiked, 1, "8")  # Cy's hike
    assert "The table before step 4 of 6" in page.text and "Hike 1 or 2 tiles, or use the canteen." in page.text
    assert page.with_class("trail")  # the picture
    assert "What happened Cy hiked 2 to the leaf site. +1 leaf. Cy leaf 1 \u2192 becomes 2" in page.text
    assert "What was possible Hike 1 to the exchange site 1 for 2 Hike 2 to the leaf site" in page.text
    assert "Canteen: hike 4 to the photo site" in page.text
    assert all(rule.text in page.text for rule in Hike.rules)
    assert {f"{hiked.path}/log/{step}?seat=1" for step in (7, 9)} <= set(page.addresses)  # earlier, later


def test_earlier_and_later_lead_through_all_that_a_phone_may_read(hiked: Seated):
    for phone, steps in ((hiked.phone(1), 6), (hiked.phone(0), 5), (Phone(hiked.app), 5)):
        address, seen = f"{hiked.path}/log/{hiked.table.steps[-1].id}", []
        while address:
            seen.append(address)
            page = phone.open(address)
            assert f"The table before step {steps + 1 - len(seen)} of {steps}" in page.text
            links = [attributes for tag, attributes in page.tags if tag == "a" and attributes.get("rel") == "prev"]
            address = links[0]["href"] if links else ""
        assert len(seen) == steps


@pytest.mark.parametrize("id", ["1", "2", "99", "8.1", "x", "0", "-1", "9" * 400])
def test_what_is_no_step_leads_to_the_story(hiked: Seated, id: str):
    for ending in ("", "/now"):
        answer = hiked.phone(0).get(f"{hiked.path}/log/{id}{ending}")
        assert answer.status_code == 303 and answer.headers["Location"].endswith("/log")


@pytest.mark.parametrize("plan", ["x", "eNo", "A" * 3000, Plan("99", 1).packed(), Plan("8", 10**9).packed()[:-3]])
def test_what_is_no_repair_leads_to_the_story(hiked: Seated, plan: str):
    for ending in ("", "/now"):
        assert hiked.phone(0).get(f"{hiked.path}/seat/0/mend/{plan}{ending}").status_code in (303, 404)
    for form in ("play", "right", "ask"):
        answer = hiked.phone(0).post(f"{hiked.path}/seat/0/mend/{plan}/{form}", {"move": '{"type":"hike","steps":1}'})
        assert answer.status_code in (303, 400, 403, 404)
    assert hiked.table.number == 10


def test_who_only_looks_on_reads_the_story_and_has_nothing_to_say_of_it(hiked: Seated, phone: Phone):
    hiked.tap(1, "right", {"was.players.0.leaf": "2", "is.players.0.leaf": "4"})
    story = phone.open(f"{hiked.path}/log")
    assert HIKED in story.text and "noted" not in story.text
    assert said(phone.open(f"{hiked.path}/log/6")) == {}
    for path in ("", "/board", f"/if/{hiked.table.number}"):
        assert "Set right: Ana, leaf 2 \u2192 4" in phone.open(f"{hiked.path}{path}").text
    answers(hiked, 0, hiked.table.number)
    repaired = ask(hiked, 2, said(moment(hiked, 2, "10"))[NOT])
    assert f"{hiked.path}/log/{repaired}/repair" not in phone.open(f"{hiked.path}/log").addresses  # it is asked, not made
    agreed(hiked, repaired)
    (repair,) = hiked.table.repairs
    assert f"{hiked.path}/log/{repair.number}/repair" in phone.open(f"{hiked.path}/log").addresses
    assert "Cy took back: Ana left the photo." in phone.open(f"{hiked.path}/log/{repair.number}/repair").text


# What can be said of a step, and what each leads to.


def test_four_things_can_be_said_of_a_step_and_nothing_changes_before_it_has_been_asked(hiked: Seated):
    ways = said(moment(hiked, 2, "6"))
    assert list(ways) == [ELSE, NOT, MISSING, BACK]
    pages = {way: hiked.phone(2).open(address).text for way, address in ways.items()}
    assert "What happened? Instead of \u201cAna hiked 2 to the leaf site. +1 leaf.\u201d" in pages[ELSE]
    assert "Then this does not stand \u201cBo hiked 2 to the leaf site. +1 leaf.\u201d" in pages[NOT]
    assert "What happened? Before \u201cAna hiked 2 to the leaf site. +1 leaf.\u201d" in pages[MISSING]
    assert "This would be so From \u201cAna hiked 2" in pages[BACK] and "Set aside: Cy hiked 2" in pages[BACK]
    assert hiked.table.number == 10


def test_something_else_happened_and_what_came_after_stands(hiked: Seated):
    """Cy used the canteen: nobody's later step depends on it."""
    page = tell(hiked, 2, said(moment(hiked, 2, "8"))[ELSE], 2, Hike(2, canteen=True))
    text = hiked.phone(2).open(page).text
    assert "This would be so" in text and "canteen full \u2192 becomes empty" in text
    number = ask(hiked, 2, page)
    assert hiked.table.step("8") and hiked.table.proposal(number).text == (
        "\u201cCy hiked 2 to the leaf site with the canteen. +1 leaf.\u201d, not \u201cCy hiked 2 to the leaf site. +1 leaf.\u201d"
    )
    agreed(hiked, number)
    assert [step.id for step in hiked.table.steps] == ["5", "6", "7", f"{hiked.table.number}.1", "9", "10"]
    assert "Cy hiked 2 to the leaf site. +1 leaf." not in texts(hiked)


def test_it_did_not_happen(hiked: Seated):
    number = ask(hiked, 2, said(moment(hiked, 2, "10"))[NOT])
    assert hiked.table.proposal(number).text == "Take back \u201cAna left the photo.\u201d"
    agreed(hiked, number)
    assert texts(hiked)[-1] == "Ana hiked 2 to the photo site."
    page = moment(hiked, 0, "10")
    assert "Set aside by Cy" in page.text and list(said(page)) == ["put back"]
    ask(hiked, 0, said(page)["put back"])
    assert texts(hiked)[-1] == "Ana left the photo."


def test_something_was_missing(hiked: Seated):
    page = tell(hiked, 2, said(moment(hiked, 2, "9"))[MISSING], 2, NameCard("trailhead", "climber-leaf"))
    assert "left badge at the Trailhead not named \u2192 becomes Climber (leaf)" in hiked.phone(2).open(page).text
    ask(hiked, 2, page)
    assert texts(hiked)[4] == "Cy sees Climber (leaf) at the Trailhead." and hiked.table.proposals == ()
    assert hiked.table.state.trailhead == ("climber-leaf", None)


def test_back_to_here_and_all_of_it_can_be_brought_back(hiked: Seated):
    before = hiked.table.state
    agreed(hiked, ask(hiked, 0, said(moment(hiked, 0, "7"))[BACK]))
    assert texts(hiked)[-1] == HIKED and hiked.table.play.to_move(hiked.table.state) == (1,)
    (repair,) = hiked.table.repairs
    page = hiked.phone(2).open(f"{hiked.path}/log/{repair.number}/repair")
    assert "Ana went back to before \u201cBo hiked 2 to the leaf site. +1 leaf.\u201d; 4 steps set aside." in page.text
    assert "agreed by Bo and Cy" in page.text
    (way,) = [address for address in page.addresses if "/mend/" in address]
    agreed(hiked, ask(hiked, 2, way))
    assert hiked.table.state == before and hiked.table.undone == {}


# A later step that does not stand.


@pytest.fixture
def blocked(hiked: Seated) -> str:
    """The page where Bo has said that Cy hiked 1 only, to the exchange: then it was not Ana's turn yet."""
    return tell(hiked, 1, said(moment(hiked, 1, "8"))[ELSE], 2, Hike(1))


def ways_on(page: Page) -> dict[str, str]:
    """Return where a page leads that shows what does not stand: "out", "stop"."""
    plans = {address: unpacked(address.rpartition("/")[2]) for address in page.addresses if re.search("/mend/[^/?]+$", address)}
    return {"stop" if plan.said[-1] == Stop() else "out": address for address, plan in plans.items()}


def test_what_does_not_stand_is_shown_with_the_reason_and_three_ways_on(hiked: Seated, blocked: str):
    page = hiked.phone(1).open(blocked)
    assert "Then this does not stand \u201cAna hiked 2 to the photo site.\u201d" in page.text
    assert "It would still be up to Cy there: exchange a resource, or leave it." in page.text
    assert (
        "Say below what Cy did there, or leave it out; or stop here: 2 steps are set aside, and can be put back." in page.text
    )
    assert any(address.startswith(f"{blocked}/play?as=2") for address in page.addresses)
    assert sorted(ways_on(page)) == ["out", "stop"]
    assert hiked.phone(1).post(f"{blocked}/ask").headers["Location"] == blocked  # nothing is asked before it is whole
    assert hiked.table.number == 10


@pytest.mark.parametrize("way", ["out", "stop"])
def test_it_can_be_left_out_or_all_from_there_on_set_aside(hiked: Seated, blocked: str, way: str):
    address = ways_on(hiked.phone(1).open(blocked))[way]
    text = hiked.phone(1).open(address).text
    assert "This would be so" in text and "Set aside: Ana hiked 2 to the photo site. Set aside: Ana left the photo." in text
    agreed(hiked, ask(hiked, 1, address))
    assert texts(hiked)[-1] == "Cy hiked 1 to the exchange site." and {"8", "9", "10"} == set(hiked.table.undone)
    assert "told by Bo, agreed by Ana and Cy" in hiked.phone(0).open(f"{hiked.path}/seat/0/log").text


def test_it_can_be_told_what_happened_there(hiked: Seated, blocked: str):
    page = tell(hiked, 1, blocked, 2, Exchange("leaf", "rock"))
    text = hiked.phone(1).open(page).text
    assert "This would be so" in text and "Told anew: Cy exchanged a leaf for 2 rock." in text and "Ask Cy" in text
    agreed(hiked, ask(hiked, 1, page))
    assert texts(hiked)[3:] == [
        "Cy hiked 1 to the exchange site.",
        "Cy exchanged a leaf for 2 rock. +2 rock. \u22121 leaf.",
        "Ana hiked 2 to the photo site.",
        "Ana left the photo.",
    ]


@pytest.mark.parametrize("htmx", [True, False])
def test_a_move_that_was_not_possible_then_is_refused_with_the_rule(hiked: Seated, htmx: bool):
    page = said(moment(hiked, 2, "8"))[ELSE]
    answer = hiked.phone(2).post(f"{page}/play?as=2", {"move": '{"type":"hike","steps":3}'}, htmx=htmx)
    assert answer.status_code == 422
    text = read(answer.text)
    assert "Without the canteen you hike 1 or 2 tiles, not 3." in text.text
    assert "/rules/trails/hike-distance" in text.addresses and ("<html" in answer.text) is not htmx
    answer = hiked.phone(2).post(f"{page}/play?as=1", {"move": '{"type":"hike","steps":1}'}, htmx=htmx)
    assert answer.status_code == 422 and "It would still be up to Cy there" in read(answer.text).text
    answer = hiked.phone(2).post(f"{page}/play?as=2", {"move": "{"}, htmx=htmx)
    assert answer.status_code == 400 and "could not be read" in read(answer.text).text
    assert hiked.phone(2).post(f"{page}/play?as=9", {"move": '{"type":"hike","steps":1}'}).status_code == 303
    assert hiked.table.number == 10


def test_what_lay_otherwise_then_is_said_by_the_form_of_figures(hiked: Seated):
    page = said(moment(hiked, 2, "8"))[MISSING]
    answer = hiked.phone(2).post(f"{page}/right?as=2", {"was.players.1.leaf": "2", "is.players.1.leaf": "4"})
    text = hiked.phone(2).open(answer.headers["Location"]).text
    assert "Told anew: Cy had it set right: Bo, leaf 2 \u2192 4." in text and "Ask Bo" in text
    refused = hiked.phone(2).post(f"{page}/right?as=2", {"was.players.1.leaf": "2", "is.players.1.leaf": "-1"})
    assert refused.status_code == 422 and "Leaf: -1 is not possible" in read(refused.text).text


@pytest.mark.parametrize("game", PLAYS)
def test_nothing_is_ever_said_to_be_somebodys_turn_about_a_moment_that_never_was(app: Flask, game: str):
    """What stands in the way of the past is told as what would be there, not as what is now."""
    table = seated(app, "Ana", "Bo", game=game)
    play(table, on_its_own(table)[:30])
    readable = [step for step in table.table.steps if not step.move.secret]
    for step in readable[:: max(1, len(readable) // 10)]:
        for seat in (0, 1):
            ways = said(moment(table, seat, step.id))
            for way in (NOT, MISSING, BACK):
                text = table.phone(seat).open(ways[way]).text
                assert not re.search("It is \\w+\u2019s turn", text[: text.find("What happened")]), step.text
                answer = table.phone(seat).post(f"{ways[MISSING]}/play?as={1 - step.seat}", {"move": as_json(step.move)})
                assert not re.search("It is \\w+\u2019s turn", read(answer.text).text), step.text


def as_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()


# What would differ, and who is asked.

BO_LEAF = {"was.players.1.leaf": "1", "is.players.1.leaf": "3"}  # it concerns Bo alone
ANA_LEAF = {"was.players.0.leaf": "1", "is.players.0.leaf": "3"}
RULING = {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'}  # it concerns everybody


def agreeing(app: Flask, consent: str, *names: str) -> Seated:
    """Open a table that agrees in one of the ways, where Ana has hiked."""
    table = seated(app, *names)
    form = table.phone(0).open(f"{table.path}/setup").form("").untouched
    assert table.phone(0).post(f"{table.path}/setup", {**form, "consent": consent}).status_code == 303
    assert table.table.consent == consent
    return play(table, [(0, Hike(1))] if len(names) == 4 else [(0, Hike(2))])


def send(table: Seated, seat: int, sent: dict[str, str]) -> int:
    """Send what a seat wants set right, or a ruling; return the number of the question."""
    answer = table.tap(seat, "play" if "move" in sent else "right", sent)
    assert answer.status_code == 303, read(answer.text).text
    return table.table.number


def test_old_and_new_are_seen_by_who_asks_before_asking_and_by_all_until_it_is_answered(hiked: Seated):
    page = tell(hiked, 2, said(moment(hiked, 2, "8"))[ELSE], 2, Hike(2, canteen=True))
    before = hiked.phone(2).open(page).text
    assert "What would differ Cy canteen full \u2192 becomes empty Ask Ana and Bo" in before  # of Cy alone: then all are asked
    number = ask(hiked, 2, page)
    for seat in range(3):
        text = asking(hiked.page(seat))
        assert "canteen full \u2192 becomes empty" in text
        assert f"{hiked.path}/if/{number}" in hiked.page(seat).addresses
        then = hiked.phone(seat).open(f"{hiked.path}/if/{number}").text
        assert "If everybody agrees Cy asks:" in then and "canteen full \u2192 becomes empty" in then
    agreed(hiked, number)
    assert not hiked.table.state.players[2].canteen
    assert hiked.phone(0).get(f"{hiked.path}/if/{number}").status_code == 303


def test_whom_it_concerns_is_told_so(hiked: Seated):
    number = send(hiked, 2, {"was.players.1.leaf": "2", "is.players.1.leaf": "4"})
    assert hiked.table.proposal(number).waiting == (1,)
    assert "Cy asks: it concerns you Set right: Bo, leaf 2 \u2192 4. Bo leaf 2 \u2192 becomes 4" in hiked.page(1).text
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
    table = agreeing(app, consent, *NAMES)
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
    table = agreeing(app, consent, "Ana", "Bo", "Cy")
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
    assert "Ana declined: Take back \u201cAna left the photo.\u201d." in hiked.page(2).text
    assert "Ana declined" in hiked.phone(1).open(f"{hiked.path}/seat/1/log").text


def test_where_most_are_enough_one_no_is_not(app: Flask):
    table = agreeing(app, "most", *NAMES)
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
    assert "This is no longer possible:" in text and hiked.table.proposal(other)
    again = hiked.phone(1).get(f"{hiked.path}/seat/1/again/{other}")
    assert again.headers["Location"] == f"{hiked.path}/seat/1/log"  # that part of the story has been told otherwise
    agreed(hiked, other)
    assert "is no longer possible:" in hiked.table.lines[-1].text and texts(hiked) == ["Bo noted Science in hand."]


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
    number = send(two, 0, {name: value for name, value in {**form, **changed}.items() if name not in ("csrf_token", "tap")})
    assert two.table.proposal(number).text == (
        "Set right: Ana, leaf 1 \u2192 3; Bo, acorn 1 \u2192 0; Bo, canteen full \u2192 empty"
    )
    answers(two, 1, number)
    ana, bo = two.table.state.players
    assert (ana.cubes, bo.cubes, bo.canteen) == ((1, 3, 1), (0, 1, 1), False)


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
    assert "The host decided: Back to before \u201cCy hiked 2" in story and "(the host decided)" in story
    (repair,) = hiked.table.repairs
    assert "the host decided" in hiked.phone(2).open(f"{hiked.path}/log/{repair.number}/repair").text
    assert "The host decided: Back to before" in hiked.phone(1).open(f"{hiked.path}/score").text


# After the end.


@pytest.fixture
def counted(app: Flask) -> Seated:
    """Ana and Bo have counted: the game is over, with three points for Ana."""
    table = agreeing_tally(app, "trust")
    return play(table, [(0, AddBadge("science")), (0, Done()), (1, Done())])


def agreeing_tally(app: Flask, consent: str) -> Seated:
    table = seated(app, "Ana", "Bo", game="trails-tally")
    form = table.phone(0).open(f"{table.path}/setup").form("").untouched
    assert table.phone(0).post(f"{table.path}/setup", {**form, "consent": consent}).status_code == 303
    return table


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
    assert [column.total for column in counted.table.play.box.score(counted.table.play.final(counted.table.state)).columns] == [
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


# The table view.


def test_a_moment_is_shown_on_the_table_view_until_somebody_goes_on(hiked: Seated):
    board = f"{hiked.path}/board"
    assert hiked.tap(2, "show", {"step": "8"}).headers["Location"] == f"{hiked.path}/log/8"
    page = Phone(hiked.app).open(board)
    assert "As it was then Cy hiked 2 to the leaf site. +1 leaf." in page.text
    hiked.tap(0, "show", {"step": ""})
    assert "As it was then" not in hiked.phone(0).open(board).text
    hiked.tap(2, "show", {"step": "8"})
    hiked.say(1, Hike(2))
    assert "As it was then" not in hiked.phone(0).open(board).text


@pytest.mark.parametrize("step", ["5", "99", "x", "1"])
def test_neither_a_note_nor_what_is_no_step_is_shown_on_the_table_view(hiked: Seated, step: str):
    for seat in range(3):
        assert hiked.tap(seat, "show", {"step": step}).status_code == 303
    assert hiked.table.shown == "" and hiked.table.number == 10
    assert "noted" not in hiked.phone(1).open(f"{hiked.path}/board").text


# Notes in a repaired stretch.


def test_a_note_that_went_with_a_repair_is_named_to_its_own_player_alone(hiked: Seated, phone: Phone):
    hiked.say(1, NoteHand("climber-leaf"))
    note = "Bo noted Climber (leaf) in hand."
    page = tell(hiked, 2, said(moment(hiked, 2, "6"))[MISSING], 2, NameCard("trailhead", "climber-leaf"))
    text = hiked.phone(2).open(page).text
    assert "In the story Told anew: Cy sees Climber (leaf) at the Trailhead. Leave all as it is" in text
    agreed(hiked, ask(hiked, 2, page))
    (repair,) = hiked.table.repairs
    assert [step.text for step in repair.gone] == [note] and hiked.table.state.players[1].hand == "science"  # as noted before
    address = f"{hiked.path}/log/{repair.number}/repair"
    assert note in hiked.phone(1).open(address).text
    for other in (hiked.phone(0), hiked.phone(2), phone):
        assert "Climber (leaf) at the Trailhead" in other.open(address).text and note not in other.open(address).text
        for path in ("", "/log", f"/log/{repair.gone[0].id}", "/board"):
            assert note not in other.get(hiked.path + path).text


# Buttons.


def buttons(page: Page) -> list[tuple[str, dict[str, str]]]:
    """Return what each button of a page sends where, but for those that say what has been chosen in their form."""
    forms = [form for form in page.forms if form.method == "post" and "move.type" not in form.untouched]
    named = [(form.action, {**form.untouched, name: value}) for form in forms for name, value in form.buttons]
    asking = [(form.action, form.untouched) for form in forms if form.action.endswith("/ask")]
    sent = [*named, *asking]
    return [
        (action, {name: value for name, value in form.items() if name not in ("csrf_token", "tap")}) for action, form in sent
    ]


def pages_of(table: Seated, seat: int) -> list[str]:
    """Return a seat's own page, its story, the latest moments, and what can be said there."""
    moments = [path for path in of_a_seat(table.table, seat, most=6) if path.startswith("log/") and not path.endswith("now")]
    phone = table.phone(seat)
    plans = [address for path in moments for address in said(phone.open(f"{table.path}/{path}")).values()]
    return [table.path, *(f"{table.path}/{path}" for path in (f"seat/{seat}", f"seat/{seat}/log", *moments)), *plans]


BUTTONS: dict[str, Callable[[Flask], Seated]] = {
    "repairs made and asked for": mended,
    "a game of TRAILS": in_the_middle,
    "maps": half_mapped,
    "counted": counted_all,
    "one phone": on_one_phone,
}
BUTTONS |= {game: lambda app, game=game: begun(app, game) for game in ("parks", "on-the-trail", "parks-tally")}


def begun(app: Flask, game: str) -> Seated:
    table = seated(app, "Ana", "Bo", game=game)
    return play(table, on_its_own(table)[:40])


@pytest.mark.parametrize("state", BUTTONS)
def test_a_phone_sees_no_button_that_is_refused(app: Flask, monkeypatch: pytest.MonkeyPatch, state: str):
    """Each button of each page is pressed on the table as it stands; nothing is written."""
    table, pressed = BUTTONS[state](app), set()
    monkeypatch.setattr(table.referee.store, "append", lambda *_: None)
    for seat in range(len(table.phones)):
        for path in pages_of(table, seat):
            for action, sent in buttons(table.phone(seat).open(path)):
                if (seat, action, str(sent)) in pressed or action.endswith("/again"):
                    continue
                pressed.add((seat, action, str(sent)))
                answer = table.phone(seat).post(action, sent)
                assert answer.status_code == 303, f"{path}: {action} {sent}: {read(answer.text).text[:400]}"
    assert len(pressed) > 10


@pytest.mark.parametrize("who", ["x", "", "-1", "7", "9" * 5000, "\u00b2", "\u0663", "1.5"])
def test_whoever_it_is_told_of_there_is_a_page(hiked: Seated, who: str):
    page = said(moment(hiked, 2, "8"))[MISSING]
    for ending in ("", "/now"):
        assert hiked.phone(2).get(f"{page}{ending}", query_string={"as": who}).status_code == 200
    answer = hiked.phone(2).post(f"{page}/play?as={who}", {"move": '{"type":"fly"}'})
    assert answer.status_code == 400
