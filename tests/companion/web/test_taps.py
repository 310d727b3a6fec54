"""Tests of taps: moves, undo, answers and seats, with and without htmx."""

import json
from collections.abc import Callable

import pytest
from flask import Flask

from companion.log.plans import Insert, RepairPlan
from companion.log.steps import quote_step
from companion.service.referee import Referee, TooManyRetriesError
from scoring.kernel.editable import Increment
from scoring.trails.moves.corrections import EditPosition
from scoring.trails.moves.hiking import Exchange, Hike
from tests.support.log_builder import leaf_edit
from tests.support.page_parser import parse_page
from tests.support.phones import Phone, SeatedTable, open_seated_table

HIKE = {"move": '{"type":"hike","steps":2}'}


def test_tap_is_answered_with_the_region_by_htmx_and_a_redirect_without(table_of_two: SeatedTable):
    answer = table_of_two.submit(0, "play", HIKE, htmx=True)
    assert answer.status_code == 200 and answer.text.lstrip().startswith("<main")
    assert "Ana hiked 2 tiles to the leaf site, +1 leaf." in parse_page(answer.text).text
    answer = table_of_two.submit(1, "play", HIKE)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{table_of_two.path}/seat/1")


def test_move_is_submitted_by_a_button_or_by_form_fields(table_of_two: SeatedTable):
    table_of_two.submit(0, "play", {"move.type": "name-card", "move.end": "trailhead", "move.badge": "science"})
    table_of_two.submit(0, "play", {"move.type": "hike", "move.steps": "2"})
    assert [step.text for step in table_of_two.table.steps] == [
        "New badge at the Trailhead: Science.",
        "Ana hiked 2 tiles to the leaf site, +1 leaf.",
    ]


@pytest.mark.parametrize("htmx", [True, False])
def test_refused_move_is_answered_with_the_reason_and_its_rule(table_of_two: SeatedTable, htmx: bool):
    answer = table_of_two.submit(0, "play", {"move": '{"type":"hike","steps":3}'}, htmx=htmx)
    page = parse_page(answer.text)
    assert answer.status_code == 422
    assert "Hike 1 or 2 tiles, not 3." in page.text
    assert "/rules/trails/hike-distance" in page.addresses
    assert ("<html" in answer.text) is not htmx
    assert table_of_two.table.steps == ()


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
def test_malformed_move_is_a_bad_request_and_changes_nothing(
    table_of_two: SeatedTable, form: dict[str, str], htmx: bool
):
    answer = table_of_two.submit(0, "play", form, htmx=htmx)
    assert answer.status_code == 400 and "could not be read" in parse_page(answer.text).text
    assert table_of_two.table.version == 3


MISSING = RepairPlan("", edits=(Insert(0, {"type": "hike", "steps": 2}),)).encode()
SUBMIT_FORMS = ("play", "right", "step", "asks", "answer", "show", f"mend/{MISSING}/ask")
LEAF = {"was.players.0.leaf": "1", "is.players.0.leaf": "2"}


@pytest.mark.parametrize("tap", ["", "x" * 33])
@pytest.mark.parametrize("form", ["sit", "stand", "answer", "setup", *(f"seat/0/{form}" for form in SUBMIT_FORMS)])
def test_every_form_needs_a_valid_tap(table_of_two: SeatedTable, form: str, tap: str):
    sent = {**HIKE, **LEAF, "seat": "0", "take_back": "3", "proposal": "3", "consent": "trust", "tap": tap}
    answer = table_of_two.phone(0).post(f"{table_of_two.path}/{form}", sent)
    assert answer.status_code == 400 and table_of_two.table.version == 3


def test_same_tap_sent_twice_is_answered_twice_and_counts_once(table_of_two: SeatedTable):
    for _ in range(2):
        answer = table_of_two.submit(0, "play", HIKE, tap="one", htmx=True)
        assert answer.status_code == 200 and "Ana hiked 2 tiles to the leaf site, +1 leaf." in answer.text
    assert len(table_of_two.table.steps) == 1


PRIVATE_PAGES = ["", "/now", "/tell", "/log", f"/mend/{MISSING}", f"/mend/{MISSING}/now"]


@pytest.mark.parametrize("page", PRIVATE_PAGES)
def test_page_of_another_phones_seat_redirects_to_the_lobby(table_of_two: SeatedTable, phone: Phone, page: str):
    assert phone.token  # its first page has set a cookie
    for other in (table_of_two.phone(1), phone):
        answer = other.get(f"{table_of_two.path}/seat/0{page}")
        assert (answer.status_code, answer.headers["Location"]) == (303, table_of_two.path)
        answer = other.get(f"{table_of_two.path}/seat/0{page}", htmx=True)
        assert (answer.status_code, answer.headers["HX-Redirect"], answer.text) == (200, table_of_two.path, "")


@pytest.mark.parametrize("htmx", [True, False])
@pytest.mark.parametrize("form", [*SUBMIT_FORMS, f"mend/{MISSING}/play", f"mend/{MISSING}/right"])
def test_form_of_another_phones_seat_changes_nothing(table_of_two: SeatedTable, form: str, htmx: bool):
    sent = {**HIKE, **LEAF, "take_back": "3", "proposal": "3", "consent": "trust", "step": "4"}
    answer = table_of_two.phone(1).post(f"{table_of_two.path}/seat/0/{form}", sent, htmx=htmx)
    location = answer.headers.get("Location", answer.headers.get("HX-Redirect"))
    page = table_of_two.phone(1).get(location)
    assert location == table_of_two.path or page.headers["Location"] in (
        table_of_two.path,
        f"{table_of_two.path}/seat/1/log#latest",
    )
    assert table_of_two.table.version == 3


def test_action_not_allowed_for_a_seat_is_refused_on_its_page(table_of_two: SeatedTable):
    answer = table_of_two.submit(0, "step", {"take_back": "2"}, htmx=True)
    assert answer.status_code == 403 and "This step no longer exists." in parse_page(answer.text).text
    answer = table_of_two.submit(0, "answer", {"proposal": "2", "yes": "1"})
    assert answer.status_code == 403 and "This request has already been answered." in parse_page(answer.text).text


@pytest.mark.parametrize("number", ["x", "", "-1", "9" * 5000, "\u00b2", "\u0663"])
def test_step_with_an_invalid_number_is_refused(table_of_two: SeatedTable, number: str):
    for name in ("take_back", "put_back"):
        assert table_of_two.submit(0, "step", {name: number}).status_code == 403


def test_undo_and_redo_work_and_a_conflict_redirects_to_the_repair(
    table_of_two: SeatedTable,
):
    number = str(table_of_two.play(0, Hike(2)).version)
    assert table_of_two.submit(0, "step", {"take_back": number}).status_code == 303
    assert table_of_two.table.steps == ()
    assert table_of_two.submit(0, "step", {"put_back": number}, htmx=True).status_code == 200
    table_of_two.play(1, Hike(2))
    version = table_of_two.table.version
    answer = table_of_two.submit(0, "step", {"take_back": number}, htmx=True)
    assert answer.status_code == 200 and answer.text == "" and table_of_two.table.version == version
    page = table_of_two.phone(0).open(answer.headers["HX-Redirect"])
    assert "A later move no longer works \u201cBo hiked 2 tiles to the leaf site\u201d" in page.text
    assert "At this point, it is still Ana\u2019s turn." in page.text


def test_undo_of_an_older_step_shows_first_what_else_would_change(table_of_two: SeatedTable):
    number = str(table_of_two.play(0, Hike(1)).version)
    exchanged = quote_step(table_of_two.play(0, Exchange("acorn", "leaf")).steps[-1])
    version = table_of_two.table.version
    answer = table_of_two.submit(0, "step", {"take_back": number}, htmx=True)
    assert table_of_two.table.version == version
    page = table_of_two.phone(0).open(answer.headers["HX-Redirect"])
    assert exchanged in page.text
    table_of_two.submit(0, f"mend/{RepairPlan(number, 1).encode()}/ask", {})
    assert table_of_two.table.steps == ()


def test_question_is_asked_and_answered_through_the_pages(table_of_two: SeatedTable):
    table_of_two.submit(1, "play", {"move": json.dumps(leaf_edit(0, 3))})
    form = table_of_two.page(0).form("/answer")
    assert "Bo asks" in table_of_two.page(0).text and form.button_values("yes") == ["1", "0"]
    answer = table_of_two.submit(0, "answer", {**form.default_values, "yes": "1"}, htmx=True)
    assert answer.status_code == 200 and table_of_two.table.state.players[0].cubes == (1, 4, 1)


def test_request_is_answered_on_its_own_page(table_of_two: SeatedTable):
    number = table_of_two.play(1, EditPosition((Increment("players.0.leaf", 3),))).version
    form = table_of_two.phone(0).open(f"{table_of_two.path}/if/{number}").form("/answer")
    assert form.button_values("yes") == ["1", "0"]
    answer = table_of_two.phone(0).post(form.action, {**form.default_values, "yes": "1"})
    assert answer.headers["Location"] == f"{table_of_two.path}/seat/0"
    assert table_of_two.table.state.players[0].cubes == (1, 4, 1)


def test_host_without_a_seat_decides_in_the_lobby(app: Flask, phone: Phone, advance_clock: Callable[[float], None]):
    table = open_seated_table(app, "Ana", "Bo")
    table.phone(0).post(f"{table.path}/stand", {"seat": "0"})
    phone.post(f"{table.path}/sit", {"seat": "0"})
    phone.post(f"{table.path}/seat/0/play", {"move": json.dumps(leaf_edit(1, 3))})
    request_path = f"{table.path}/if/{table.table.version}"
    assert request_path in table.phone(0).open(table.path).addresses
    drop, form = (form for form in table.phone(0).open(request_path).forms if form.action.endswith("/answer"))
    # The host's decision for others comes second, in a collapsed section.
    assert drop.button_values("yes") == ["0"] and form.button_values("yes") == ["1"]
    early_answer = table.phone(0).post(f"{table.path}/answer", {**form.default_values, "yes": "1"})
    assert (
        early_answer.status_code == 403 and "Give the others a moment to answer" in parse_page(early_answer.text).text
    )
    advance_clock(45)
    answer = table.phone(0).post(f"{table.path}/answer", {**form.default_values, "yes": "1"})
    assert answer.headers["Location"] == table.path and table.table.state.players[1].cubes == (1, 4, 1)


def test_seat_is_requested_handed_over_and_left(table_of_two: SeatedTable, phone: Phone):
    answer = phone.post(f"{table_of_two.path}/sit", {"seat": "1"})
    assert answer.headers["Location"] == table_of_two.path
    assert "You asked for Bo" in phone.open(table_of_two.path).text
    form = table_of_two.page(1).form("/answer")
    table_of_two.submit(1, "answer", {**form.default_values, "yes": "1"})
    assert phone.get(f"{table_of_two.path}/seat/1").status_code == 200
    assert table_of_two.phone(1).get(f"{table_of_two.path}/seat/1").status_code == 303
    assert phone.post(f"{table_of_two.path}/stand", {"seat": "1"}).headers["Location"] == table_of_two.path
    assert table_of_two.table.seats[1] is None


@pytest.mark.parametrize("form", [{}, {"seat": "7"}, {"seat": "x"}, {"seat": "-1"}])
def test_unknown_seat_cannot_be_taken(table_of_two: SeatedTable, phone: Phone, form: dict[str, str]):
    answer = phone.post(f"{table_of_two.path}/sit", form)
    assert answer.status_code == 403 and "This table has no such seat." in parse_page(answer.text).text


def test_tap_with_too_many_conflicts_is_answered_with_tap_again(
    table_of_two: SeatedTable, referee: Referee, monkeypatch
):
    def busy(*_: object) -> None:
        raise TooManyRetriesError

    monkeypatch.setattr(referee, "_commit", busy)
    answer = table_of_two.submit(0, "play", HIKE)
    assert answer.status_code == 503 and "Tap again." in parse_page(answer.text).text
