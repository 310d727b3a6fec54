"""Tests of the turns and requests for which the table waits for a phone."""

import json

import pytest
from flask import Flask

from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.score_entry import Done
from tests.companion.web.test_presence import Clock
from tests.support.log_builder import leaf_edit
from tests.support.parametrize import run_all_rows
from tests.support.phones import SeatedTable, open_seated_table


def attention(table: SeatedTable, seat: int) -> dict:
    """Return the attention that a phone gets, and check that the page of its seat has the same."""
    phone = table.phone(seat)
    answer = phone.get(f"{table.path}/attention")
    tags = phone.open(f"{table.path}/seat/{seat}").tags
    of_page = next(attributes for _, attributes in tags if "data-attention" in attributes)
    assert (answer.status_code, json.loads(of_page["data-attention"])) == (200, answer.json)
    return answer.json


def play_turn(table: SeatedTable, seat: int) -> None:
    table.play(seat, Hike(1))
    while seat in table.table.tracked.flow.to_move(table.table.state):
        table.play(seat, Skip())


def test_turn_needs_the_attention_of_the_phone_that_is_to_move(table_of_two: SeatedTable):
    version = table_of_two.table.version
    assert attention(table_of_two, 0) == {"version": version, "reasons": ["turn-0"], "title": "Your turn · TRAILS"}
    assert attention(table_of_two, 1) == {"version": version, "reasons": [], "title": ""}
    play_turn(table_of_two, 0)
    assert [attention(table_of_two, seat)["reasons"] for seat in (0, 1)] == [[], ["turn-1"]]


def test_next_decision_of_the_same_turn_has_the_same_reason(table_of_two: SeatedTable):
    before = attention(table_of_two, 0)
    table_of_two.play(0, Hike(1))
    after = attention(table_of_two, 0)
    assert after["version"] > before["version"] and after["reasons"] == before["reasons"] == ["turn-0"]


def test_request_needs_the_attention_of_those_who_must_answer(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", "Cy")
    table.play(1, leaf_edit(2, 1))
    number = table.table.proposals[0].number
    asked = table.table.proposals[0].waiting_seats
    for seat in range(3):
        found = attention(table, seat)
        assert (f"request-{number}" in found["reasons"]) == (seat in asked)
        if seat in asked:
            assert found["title"] == "Answer needed · TRAILS"
    for seat in asked:
        table.submit(seat, "answer", {"proposal": str(number), "yes": "1"})
    assert attention(table, 0)["title"] == "Your turn · TRAILS"
    assert attention(table, 2)["reasons"] == []


def test_phone_that_another_one_asks_for_its_seat_must_answer(table_of_two: SeatedTable, phone):
    phone.post(f"{table_of_two.path}/sit", {"seat": "1"})
    number = table_of_two.table.proposals[0].number
    assert attention(table_of_two, 1)["reasons"] == [f"request-{number}"]


def test_phone_with_several_seats_is_told_whose_turn_it_is(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", "Cy", phones=2)  # the second phone has two seats
    play_turn(table, 0)
    assert attention(table, 1)["title"] == "Bo\u2019s turn · TRAILS"
    play_turn(table, 1)
    assert (found := attention(table, 2))["reasons"] == ["turn-2"] and found["title"] == "Cy\u2019s turn · TRAILS"


def test_phone_with_all_seats_never_waits_for_a_turn(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", phones=1)
    assert attention(table, 0)["reasons"] == []


def test_simultaneous_turn_ends_with_the_player_s_own_move(score_entry_table: SeatedTable):
    assert [attention(score_entry_table, seat)["reasons"] for seat in (0, 1)] == [["turn-0"], ["turn-1"]]
    score_entry_table.play(0, Done())
    assert [attention(score_entry_table, seat)["reasons"] for seat in (0, 1)] == [[], ["turn-1"]]
    score_entry_table.play(1, Done())
    assert [attention(score_entry_table, seat)["title"] for seat in (0, 1)] == ["", ""]


def test_phone_without_a_seat_needs_no_attention(table_of_two: SeatedTable, phone):
    assert phone.get(f"{table_of_two.path}/attention").json["reasons"] == []


@pytest.mark.parametrize(("path", "marks"), [("/attention", False), ("/seat/1/now", True)])
def test_page_in_the_background_does_not_make_a_player_present(table_of_two: SeatedTable, path: str, marks: bool):
    clock = Clock()
    presence = table_of_two.referee.presence
    presence._clock = clock
    device = table_of_two.phone(1).device
    presence.mark_seen(table_of_two.code, device)
    clock.advance_minutes(3)
    table_of_two.phone(1).get(f"{table_of_two.path}{path}")
    assert (presence.silence(table_of_two.code, device) == 0) is marks


# Every kind of page of a table, with "0" for the seat.
TABLE_PAGES = ("", "seat/0", "seat/0/tell", "seat/0/log", "board", "score", "setup", "ask", "ask/sides", "seat/0/start")


@run_all_rows("path", TABLE_PAGES)
def test_every_page_of_a_table_asks_for_the_attention_of_a_seated_phone(table_of_two: SeatedTable, phone, path: str):
    attribute = f'data-attention-url="{table_of_two.path}/attention"'
    address = f"{table_of_two.path}/{path}".rstrip("/")
    assert attribute in table_of_two.phone(0).get(address).text
    if "seat" not in path:
        assert attribute not in phone.get(address).text
