"""Taps over the wire: moves, steps taken back, questions and seats, with htmx and without, refused and malformed."""

from collections.abc import Callable

import pytest
from flask import Flask

from companion.log.repair import Plan, Told
from companion.service.referee import Referee, TooBusy
from scoring.trails.moves.hiking import Exchange, Hike
from tests.support.page_reader import read
from tests.support.phones import Phone, Seated, seated

HIKE = {"move": '{"type":"hike","steps":2}'}


def test_a_tap_by_htmx_is_answered_with_the_region_and_without_script_with_the_page(two: Seated):
    answer = two.tap(0, "play", HIKE, htmx=True)
    assert answer.status_code == 200 and answer.text.lstrip().startswith("<main")
    assert "Ana hiked 2 to the leaf site." in read(answer.text).text
    answer = two.tap(1, "play", HIKE)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{two.path}/seat/1")


def test_a_move_is_said_by_a_button_or_by_the_fields_of_a_form(two: Seated):
    two.tap(0, "play", {"move.type": "name-card", "move.end": "trailhead", "move.badge": "science"})
    two.tap(0, "play", {"move.type": "hike", "move.steps": "2"})
    assert [step.text for step in two.table.steps] == [
        "Ana sees Science at the Trailhead.",
        "Ana hiked 2 to the leaf site. +1 leaf.",
    ]


@pytest.mark.parametrize("htmx", [True, False])
def test_a_move_the_rules_refuse_is_answered_with_the_sentence_and_the_rule(two: Seated, htmx: bool):
    answer = two.tap(0, "play", {"move": '{"type":"hike","steps":3}'}, htmx=htmx)
    page = read(answer.text)
    assert answer.status_code == 422
    assert "Without the canteen you hike 1 or 2 tiles, not 3." in page.text
    assert "/rules/trails/hike-distance" in page.addresses
    assert ("<html" in answer.text) is not htmx
    assert two.table.steps == ()


MALFORMED = [
    {"move": ""},
    {"move": "hike"},
    {"move": "{"},
    {"move": "null"},
    {"move": "[]"},
    {"move": '{"type":"fly"}'},
    {"move": '{"type":"hike"}'},
    {"move": '{"type":"hike","steps":"2"}'},
    {"move": '{"type":"hike","steps":2,"seat":1}'},
    {"move": '{"type":"hike","steps":1e400}'},
    {"move": '{"type":"note-hand","badge":"\\ud800"}'},
    {"move": "[" * 20_000},
    {"move": "1" * 5000},
    {"move.steps": "2"},
    {"move.type": "hike", "move.steps": "two"},
    {"move.type": "hike", "move.steps": "9" * 5000},
    {"move.0": "hike"},
    {"move.type.a": "hike"},
    {"move." + "a." * 500: "hike"},
    {},
]


@pytest.mark.parametrize("form", MALFORMED, ids=lambda form: str(form)[:40])
@pytest.mark.parametrize("htmx", [True, False])
def test_what_is_no_move_is_malformed_and_changes_nothing(two: Seated, form: dict[str, str], htmx: bool):
    answer = two.tap(0, "play", form, htmx=htmx)
    assert answer.status_code == 400 and "could not be read" in read(answer.text).text
    assert two.table.number == 3


MISSING = Plan("", here=(Told(0, {"type": "hike", "steps": 2}),)).packed()
SAYING = ("play", "right", "step", "asks", "answer", "show", f"mend/{MISSING}/ask")
LEAF = {"was.players.0.leaf": "1", "is.players.0.leaf": "2"}


@pytest.mark.parametrize("tap", ["", "x" * 33])
@pytest.mark.parametrize("form", ["sit", "stand", "answer", "setup", *(f"seat/0/{form}" for form in SAYING)])
def test_every_form_carries_a_tap(two: Seated, form: str, tap: str):
    sent = {**HIKE, **LEAF, "seat": "0", "take_back": "3", "proposal": "3", "consent": "trust", "tap": tap}
    answer = two.phone(0).post(f"{two.path}/{form}", sent)
    assert answer.status_code == 400 and two.table.number == 3


def test_the_same_tap_twice_is_answered_twice_and_counts_once(two: Seated):
    for _ in range(2):
        answer = two.tap(0, "play", HIKE, tap="one", htmx=True)
        assert answer.status_code == 200 and "Ana hiked 2 to the leaf site." in answer.text
    assert len(two.table.steps) == 1


NOT_MINE = ["", "/now", "/tell", "/log", f"/mend/{MISSING}", f"/mend/{MISSING}/now"]


@pytest.mark.parametrize("page", NOT_MINE)
def test_a_seat_that_is_not_mine_leads_to_the_lobby(two: Seated, phone: Phone, page: str):
    for other in (two.phone(1), phone):
        answer = other.get(f"{two.path}/seat/0{page}")
        assert (answer.status_code, answer.headers["Location"]) == (303, two.path)
        answer = other.get(f"{two.path}/seat/0{page}", htmx=True)
        assert (answer.status_code, answer.headers["HX-Redirect"], answer.text) == (200, two.path, "")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("form", [*SAYING, f"mend/{MISSING}/play", f"mend/{MISSING}/right"])
def test_nothing_can_be_said_from_a_seat_that_is_not_mine(two: Seated, form: str, htmx: bool):
    sent = {**HIKE, **LEAF, "take_back": "3", "proposal": "3", "consent": "trust", "step": "4"}
    answer = two.phone(1).post(f"{two.path}/seat/0/{form}", sent, htmx=htmx)
    led = answer.headers.get("Location", answer.headers.get("HX-Redirect"))
    page = two.phone(1).get(led)
    assert led == two.path or page.headers["Location"] in (two.path, f"{two.path}/seat/1/log")
    assert two.table.number == 3


def test_what_a_seat_may_not_do_is_said_on_its_page(two: Seated):
    answer = two.tap(0, "step", {"take_back": "2"}, htmx=True)
    assert answer.status_code == 403 and "There is no such step here any more." in read(answer.text).text
    answer = two.tap(0, "answer", {"proposal": "2", "yes": "1"})
    assert answer.status_code == 403 and "That question has been settled already." in read(answer.text).text


@pytest.mark.parametrize("number", ["x", "", "-1", "9" * 5000, "\u00b2", "\u0663"])
def test_a_step_with_an_odd_number_is_no_step(two: Seated, number: str):
    for name in ("take_back", "put_back"):
        assert two.tap(0, "step", {name: number}).status_code == 403


def test_a_step_is_taken_back_put_back_and_what_stands_in_the_way_leads_to_where_it_is_answered(two: Seated):
    number = str(two.say(0, Hike(2)).number)
    assert two.tap(0, "step", {"take_back": number}).status_code == 303
    assert two.table.steps == ()
    assert two.tap(0, "step", {"put_back": number}, htmx=True).status_code == 200
    two.say(1, Hike(2))
    version = two.table.number
    answer = two.tap(0, "step", {"take_back": number}, htmx=True)
    assert answer.status_code == 200 and answer.text == "" and two.table.number == version
    page = two.phone(0).open(answer.headers["HX-Redirect"])
    assert "Then this does not stand \u201cBo hiked 2 to the leaf site. +1 leaf.\u201d" in page.text
    assert "It would still be up to Ana there: hike 1 or 2 tiles, or use the canteen." in page.text


def test_undo_of_an_older_step_shows_first_what_else_would_change(two: Seated):
    number = str(two.say(0, Hike(1)).number)
    exchanged = two.say(0, Exchange("acorn", "leaf")).steps[-1].text
    version = two.table.number
    answer = two.tap(0, "step", {"take_back": number}, htmx=True)
    assert two.table.number == version
    page = two.phone(0).open(answer.headers["HX-Redirect"])
    assert exchanged in page.text
    two.tap(0, f"mend/{Plan(number, 1).packed()}/ask", {})
    assert two.table.steps == ()


def test_a_question_is_asked_and_answered_from_page_to_page(two: Seated):
    two.tap(0, "play", {"move": '{"type":"correct-player","player":0,"leaf":4}'})
    asked = two.page(1).form("/answer")
    assert "Ana asks" in two.page(1).text and asked.button("yes") == ["1", "0"]
    answer = two.tap(1, "answer", {**asked.untouched, "yes": "1"}, htmx=True)
    assert answer.status_code == 200 and two.table.state.players[0].cubes == (1, 4, 1)


def test_the_host_without_a_seat_decides_in_the_lobby(app: Flask, phone: Phone, later: Callable[[float], None]):
    two = seated(app, "Ana", "Bo")
    two.phone(0).post(f"{two.path}/stand", {"seat": "0"})
    phone.post(f"{two.path}/sit", {"seat": "0"})
    phone.post(f"{two.path}/seat/0/play", {"move": '{"type":"correct-player","player":0,"leaf":4}'})
    drop, form = (form for form in two.phone(0).open(two.path).forms if form.action.endswith("/answer"))
    assert drop.button("yes") == ["0"] and form.button("yes") == [
        "1"
    ]  # what decides for others comes second, folded in
    too_soon = two.phone(0).post(f"{two.path}/answer", {**form.untouched, "yes": "1"})
    assert too_soon.status_code == 403 and "Give the others a moment to answer" in read(too_soon.text).text
    later(45)
    answer = two.phone(0).post(f"{two.path}/answer", {**form.untouched, "yes": "1"})
    assert answer.headers["Location"] == two.path and two.table.state.players[0].cubes == (1, 4, 1)


def test_a_seat_is_taken_asked_for_and_given_up(two: Seated, phone: Phone):
    answer = phone.post(f"{two.path}/sit", {"seat": "1"})
    assert answer.headers["Location"] == two.path
    assert "You ask to go on as Bo" in phone.open(two.path).text
    form = two.page(1).form("/answer")
    two.tap(1, "answer", {**form.untouched, "yes": "1"})
    assert phone.get(f"{two.path}/seat/1").status_code == 200
    assert two.phone(1).get(f"{two.path}/seat/1").status_code == 303
    assert phone.post(f"{two.path}/stand", {"seat": "1"}).headers["Location"] == two.path
    assert two.table.seats[1] is None


@pytest.mark.parametrize("form", [{}, {"seat": "7"}, {"seat": "x"}, {"seat": "-1"}])
def test_a_seat_that_is_not_there_cannot_be_taken(two: Seated, phone: Phone, form: dict[str, str]):
    answer = phone.post(f"{two.path}/sit", form)
    assert answer.status_code == 403 and "There is no such seat at this table." in read(answer.text).text


def test_when_everybody_taps_at_once_a_phone_may_be_told_to_tap_again(two: Seated, referee: Referee, monkeypatch):
    def busy(*_: object) -> None:
        raise TooBusy

    monkeypatch.setattr(referee, "_say", busy)
    answer = two.tap(0, "play", HIKE)
    assert answer.status_code == 503 and "Tap again." in read(answer.text).text
