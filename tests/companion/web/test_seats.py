"""Tests of seat requests: the holding phone decides while present, and can reclaim its seat."""

import json
import re
from collections.abc import Callable

import pytest
from flask import Flask
from msgspec import to_builtins

from companion.log.table import Table
from companion.pages.table import table_page
from companion.service import referee as referee_module
from companion.service.referee import NotAllowedError, Referee
from companion.system.presence import Presence
from scoring.games import TRACKED_GAMES
from scoring.trails.moves.reveals import NoteHand
from tests.companion.web.test_presence import Clock
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER, leaf_edit
from tests.support.parametrize import run_all_rows
from tests.support.phones import Phone, SeatedTable, open_seated_table
from tests.support.ready_setups import ready_setup

CORRECT = leaf_edit(0, 3)
TOO_SOON = "only Bo can hand over the seat"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bare_referee(bare_referee: Referee, clock: Clock) -> Referee:
    bare_referee.presence = Presence(clock)
    return bare_referee


def open_table(referee: Referee, *devices: str, game: str = "trails", host: str = HOST) -> str:
    code = referee.open_table(host, game, to_builtins(ready_setup(["Ana", "Bo", "Cy"], game))).code
    for seat, device in enumerate(devices):
        referee.sit(referee.store.table(code), device, f"sit {seat}", seat)
    return code


@pytest.fixture
def code(bare_referee: Referee) -> str:
    """Return a table with Ana, Bo and Cy, each on a present phone; the host has another one."""
    code = open_table(bare_referee, ANA, BO, CY)
    for phone in (ANA, BO, CY, HOST):
        bare_referee.presence.mark_seen(code, phone)
    return code


def request_seat(referee: Referee, code: str, device: str = STRANGER, seat: int = 1) -> int:
    return referee.sit(referee.store.table(code), device, f"{device} asks for {seat}", seat).version


def approve(referee: Referee, code: str, device: str, question: int) -> Table:
    table = referee.store.table(code)
    return referee.answer(
        referee.store.table(code),
        device,
        f"{device} says yes at {table.version} {referee.presence._clock()}",
        question,
        True,
    )


def log_texts(table: Table) -> list[str]:
    return [line.text for line in table.messages]


# While the phone is present.


def test_seat_is_handed_over_by_the_yes_of_its_phone(bare_referee: Referee, code: str):
    number = request_seat(bare_referee, code)
    assert bare_referee.store.table(code).seats == (ANA, BO, CY)
    table = approve(bare_referee, code, BO, number)
    assert table.seats == (ANA, STRANGER, CY) and table.proposals == () and table.reassigned_seats == ()
    assert log_texts(table)[-1] == "Bo moved to another phone."


def test_seat_is_kept_by_the_no_of_its_phone(bare_referee: Referee, code: str):
    number = request_seat(bare_referee, code)
    table = bare_referee.answer(bare_referee.store.table(code), BO, "no", number, False)
    assert table.seats == (ANA, BO, CY) and table.proposals == ()
    assert log_texts(table)[-1] == "Someone asked: Move Bo\u2019s seat to another phone. Bo declined."


@pytest.mark.parametrize("others", [(HOST,), (ANA,), (CY,), (ANA, CY), (ANA, CY, HOST)], ids=" and ".join)
@pytest.mark.parametrize("device", [STRANGER, ANA, HOST])
def test_nobody_else_reassigns_a_seat_while_its_phone_is_present(
    bare_referee: Referee, code: str, clock: Clock, others, device: str
):
    number = request_seat(bare_referee, code, device)
    clock.advance_minutes(4.9)
    for other in others:
        if other != device or other == HOST:
            with pytest.raises(NotAllowedError, match=TOO_SOON):
                approve(bare_referee, code, other, number)
    table = bare_referee.store.table(code)
    assert table.seats == (ANA, BO, CY) and table.version == number


def test_listening_phone_is_present_for_the_whole_game(bare_referee: Referee, code: str, clock: Clock):
    with bare_referee.presence.listening(code, BO):
        clock.advance_minutes(300)
        with pytest.raises(NotAllowedError, match=TOO_SOON):
            approve(bare_referee, code, HOST, request_seat(bare_referee, code))


def test_refusal_states_how_long_to_wait(bare_referee: Referee, code: str, clock: Clock):
    number = request_seat(bare_referee, code)
    with pytest.raises(NotAllowedError, match="you can decide in 5 minutes"):
        approve(bare_referee, code, HOST, number)
    clock.advance_minutes(4.5)
    with pytest.raises(NotAllowedError, match="you can decide in a minute"):
        approve(bare_referee, code, HOST, number)


def test_request_of_the_phone_restarts_the_wait(bare_referee: Referee, code: str, clock: Clock):
    number = request_seat(bare_referee, code)
    clock.advance_minutes(4)
    bare_referee.presence.mark_seen(code, BO)
    clock.advance_minutes(4)
    with pytest.raises(NotAllowedError, match=TOO_SOON):
        approve(bare_referee, code, HOST, number)
    clock.advance_minutes(1)
    assert approve(bare_referee, code, HOST, number).seats[1] == STRANGER


def test_restart_does_not_make_phones_look_silent(bare_referee: Referee, code: str, clock: Clock):
    clock.advance_minutes(60)
    bare_referee.presence = Presence(clock)
    number = request_seat(bare_referee, code)
    with pytest.raises(NotAllowedError, match=TOO_SOON):
        approve(bare_referee, code, HOST, number)


def test_asker_cannot_answer_the_own_request(bare_referee: Referee, code: str, clock: Clock):
    clock.advance_minutes(10)
    for device in (STRANGER, ANA):
        with pytest.raises(NotAllowedError, match="not asked to answer"):
            approve(bare_referee, code, device, request_seat(bare_referee, code, device))


# While the phone is silent.


def test_seat_of_a_silent_phone_is_reassigned_by_all_others_together(bare_referee: Referee, code: str, clock: Clock):
    number = request_seat(bare_referee, code)
    clock.advance_minutes(5)
    table = approve(bare_referee, code, ANA, number)
    assert table.seats[1] == BO and table.find_proposal(number).waiting_seats == (1, 2)
    table = approve(bare_referee, code, CY, number)
    assert table.seats == (ANA, STRANGER, CY)
    assert [(lost.seat, lost.device, lost.is_host_decision) for lost in table.reassigned_seats] == [(1, BO, False)]


def test_seat_of_a_silent_phone_is_reassigned_by_the_host_with_a_log_line(
    bare_referee: Referee, code: str, clock: Clock
):
    number = request_seat(bare_referee, code)
    clock.advance_minutes(5)
    table = approve(bare_referee, code, HOST, number)
    assert table.seats == (ANA, STRANGER, CY) and table.reclaimable_seats(BO)[0].is_host_decision
    assert log_texts(table)[-2:] == [
        "The host decided: Move Bo\u2019s seat to another phone.",
        "Bo moved to another phone.",
    ]
    assert [line.text for line in table_page(table, CY).news] == ["The host decided: Bo moved to another phone."]


def test_host_decides_where_nobody_else_has_a_seat(bare_referee: Referee, clock: Clock):
    code = open_table(bare_referee, BO, BO)
    number = request_seat(bare_referee, code)
    assert bare_referee.store.table(code).find_proposal(number).waiting_seats == (1,)
    clock.advance_minutes(5)
    assert approve(bare_referee, code, HOST, number).seats == (BO, STRANGER, None)


def test_other_seats_of_the_silent_phone_are_not_asked(bare_referee: Referee, clock: Clock):
    code = open_table(bare_referee, ANA, BO, BO)
    number = request_seat(bare_referee, code)
    assert bare_referee.store.table(code).find_proposal(number).waiting_seats == (1, 0)
    clock.advance_minutes(5)
    assert approve(bare_referee, code, ANA, number).seats == (ANA, STRANGER, BO)


def test_wait_is_two_minutes_in_games_without_secrets(bare_referee: Referee, clock: Clock):
    code = open_table(bare_referee, ANA, BO, game="trails-tally")
    number = request_seat(bare_referee, code)
    clock.advance_minutes(1.9)
    with pytest.raises(NotAllowedError, match=TOO_SOON):
        approve(bare_referee, code, ANA, number)
    clock.advance_minutes(0.1)
    assert approve(bare_referee, code, ANA, number).seats[1] == STRANGER


@run_all_rows("key", TRACKED_GAMES)
def test_wait_depends_on_the_game_and_not_on_existing_notes(key: str):
    """Its length would reveal to the others that there is a note."""
    secret = any(kind.is_secret for kind in TRACKED_GAMES[key].moves)
    assert referee_module.allowed_silence(TRACKED_GAMES[key]) == (5 if secret else 2)


def test_host_decides_other_requests_after_45_seconds(
    bare_referee: Referee, code: str, advance_clock: Callable[[float], None]
):
    number = bare_referee.play(bare_referee.store.table(code), BO, "ask", 1, CORRECT).version
    advance_clock(44)
    with pytest.raises(NotAllowedError, match="You can decide in a second"):
        approve(bare_referee, code, HOST, number)
    advance_clock(1)
    table = approve(bare_referee, code, HOST, number)
    assert table.state.players[0].cubes == (1, 4, 1)
    assert log_texts(table)[-2] == "The host decided: Ana\u2019s leaves 1 \u2192 4."
    news = ["The host decided: Bo corrected: Ana\u2019s leaves 1 \u2192 4."]
    assert [line.text for line in table_page(table, ANA).news] == news


def test_host_decides_immediately_on_the_command_line(bare_referee: Referee, code: str):
    """`waymark decide` has a referee that answers no phones."""
    number = request_seat(bare_referee, code)
    command_referee = Referee(bare_referee.store, bare_referee.live)
    assert command_referee.answer(command_referee.store.table(code), HOST, "desk", number, True).seats[1] == STRANGER


# When the phone comes back.


@pytest.fixture
def table_without_bo(bare_referee: Referee, code: str, clock: Clock) -> str:
    """Return a table where the host has given Bo's seat to a stranger's phone."""
    number = request_seat(bare_referee, code)
    clock.advance_minutes(5)
    approve(bare_referee, code, HOST, number)
    bare_referee.presence.mark_seen(code, STRANGER)
    return code


def test_returning_phone_reclaims_its_seat_without_consent(bare_referee: Referee, table_without_bo: str):
    table = bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "back", 1)
    assert table.seats == (ANA, BO, CY) and table.reassigned_seats == () and table.proposals == ()
    assert log_texts(table)[-1] == "Bo returned to the seat."


def test_phone_that_lost_the_reclaimed_seat_has_to_ask_for_it(bare_referee: Referee, table_without_bo: str):
    bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "back", 1)
    bare_referee.presence.mark_seen(table_without_bo, BO)
    table = bare_referee.sit(bare_referee.store.table(table_without_bo), STRANGER, "again", 1)
    assert table.seats[1] == BO and table.proposals[0].waiting_seats[0] == 1
    with pytest.raises(NotAllowedError, match=TOO_SOON):
        approve(bare_referee, table_without_bo, HOST, table.version)


def test_seat_is_reclaimed_even_if_it_was_handed_on(bare_referee: Referee, table_without_bo: str):
    number = request_seat(bare_referee, table_without_bo, "accomplice")
    assert approve(bare_referee, table_without_bo, STRANGER, number).seats[1] == "accomplice"
    assert bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "back", 1).seats[1] == BO


def test_seat_handed_over_or_left_voluntarily_is_not_reclaimed(bare_referee: Referee, code: str):
    approve(bare_referee, code, BO, request_seat(bare_referee, code))
    assert bare_referee.sit(bare_referee.store.table(code), BO, "back", 1).proposals[0].asks_holder
    bare_referee.stand_up(bare_referee.store.table(code), CY, "stand", 2)
    bare_referee.sit(bare_referee.store.table(code), "di's phone", "sit", 2)
    assert bare_referee.sit(bare_referee.store.table(code), CY, "back too", 2).seats[2] == "di's phone"


def test_sitting_down_on_the_lost_seat_ends_the_claim(bare_referee: Referee, table_without_bo: str):
    bare_referee.stand_up(bare_referee.store.table(table_without_bo), STRANGER, "stand", 1)
    table = bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "sit", 1)
    assert table.seats[1] == BO and table.reassigned_seats == () and log_texts(table)[-1] == "Bo joined."


def test_reclaim_does_not_apply_to_another_seat(bare_referee: Referee, table_without_bo: str):
    assert bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "greedy", 2).seats[2] == CY


def test_lost_seat_moves_with_its_player_when_the_order_changes(bare_referee: Referee, table_without_bo: str):
    bare_referee.change_setup(
        bare_referee.store.table(table_without_bo), HOST, "set up", to_builtins(ready_setup(["Ana", "Bo", "Cy"])), 1
    )
    assert [(seat.seat, seat.device) for seat in bare_referee.store.table(table_without_bo).reassigned_seats] == [
        (0, BO)
    ]
    assert bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "back", 0).seats == (BO, CY, ANA)


def test_open_request_for_a_reclaimed_seat_is_dropped(bare_referee: Referee, table_without_bo: str):
    request_seat(bare_referee, table_without_bo, "somebody")
    table = bare_referee.sit(bare_referee.store.table(table_without_bo), BO, "back", 1)
    assert table.proposals == ()
    assert log_texts(table)[-1] == "Request closed: Move Bo\u2019s seat to another phone."


def test_open_request_for_a_seat_that_was_left_is_dropped(bare_referee: Referee, code: str):
    request_seat(bare_referee, code)
    table = bare_referee.stand_up(bare_referee.store.table(code), BO, "stand", 1)
    assert (
        table.proposals == ()
        and bare_referee.sit(bare_referee.store.table(code), STRANGER, "sit", 1).seats[1] == STRANGER
    )


# Limits of requests.


def test_phone_requests_only_one_seat_at_a_time(bare_referee: Referee, code: str):
    number = request_seat(bare_referee, code)
    with pytest.raises(NotAllowedError, match="already asked for a seat"):
        request_seat(bare_referee, code, STRANGER, 2)
    bare_referee.answer(bare_referee.store.table(code), STRANGER, "never mind", number, False)
    assert request_seat(bare_referee, code, STRANGER, 2)


def test_strangers_have_at_most_three_requests_besides_those_of_players(bare_referee: Referee, code: str):
    for number in range(3):
        request_seat(bare_referee, code, f"stranger {number}", number)
    with pytest.raises(NotAllowedError, match="too many open requests"):
        request_seat(bare_referee, code, "stranger 3")
    assert len(bare_referee.store.table(code).proposals) == 3
    request_seat(bare_referee, code, ANA)
    bare_referee.play(bare_referee.store.table(code), BO, "bo", 1, CORRECT)
    bare_referee.play(bare_referee.store.table(code), CY, "cy", 2, CORRECT)
    assert len(bare_referee.store.table(code).proposals) == 6
    with pytest.raises(NotAllowedError, match="too many open requests"):
        bare_referee.play(bare_referee.store.table(code), BO, "bo too", 1, leaf_edit(0, 4))


def test_phone_has_at_most_three_open_requests(bare_referee: Referee, code: str):
    for more in (1, 2, 3):
        bare_referee.play(bare_referee.store.table(code), ANA, f"{more} more", 0, leaf_edit(1, more))
    with pytest.raises(NotAllowedError, match="already have 3 open requests"):
        bare_referee.play(bare_referee.store.table(code), ANA, "4 more", 0, leaf_edit(1, 4))
    table = bare_referee.play(bare_referee.store.table(code), ANA, "3 more again", 0, leaf_edit(1, 3))
    assert len(table.proposals) == 3  # repeating a request opens no new one


def test_changes_without_consent_are_not_limited(bare_referee: Referee):
    code = open_table(bare_referee, ANA, ANA, ANA)
    for number in range(3):
        request_seat(bare_referee, code, f"stranger {number}")
    for tap, (more, expected) in enumerate([(1, 2), (1, 3), (1, 4), (1, 5), (-3, 2), (1, 3)]):
        table = bare_referee.play(bare_referee.store.table(code), ANA, f"tap {tap}", 0, leaf_edit(0, more))
        assert table.state.players[0].cubes[1] == expected


def set_time(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr(referee_module, "timestamp", lambda: f"2026-01-02T{time}.000+00:00")


def test_declined_seat_request_cannot_be_repeated_for_two_minutes(bare_referee: Referee, code: str, monkeypatch):
    set_time(monkeypatch, "20:00:00")
    bare_referee.answer(bare_referee.store.table(code), BO, "no", request_seat(bare_referee, code), False)
    set_time(monkeypatch, "20:00:30")
    with pytest.raises(NotAllowedError, match="ask for Bo\u2019s seat again in 2 minutes"):
        bare_referee.sit(bare_referee.store.table(code), STRANGER, "again", 1)
    with pytest.raises(NotAllowedError, match="Your request was just declined"):
        bare_referee.sit(bare_referee.store.table(code), "the same stranger with a new cookie", "again, again", 1)
    assert (
        bare_referee.sit(bare_referee.store.table(code), ANA, "ana", 1).proposals
        and bare_referee.sit(bare_referee.store.table(code), STRANGER, "cy's", 2).proposals[1:]
    )
    set_time(monkeypatch, "20:02:00")
    assert bare_referee.sit(bare_referee.store.table(code), "another", "later", 1).proposals[2:]


def test_clock_set_back_does_not_extend_the_wait(bare_referee: Referee, code: str, monkeypatch):
    set_time(monkeypatch, "20:00:00")
    bare_referee.answer(bare_referee.store.table(code), BO, "no", request_seat(bare_referee, code), False)
    set_time(monkeypatch, "19:00:00")
    assert bare_referee.sit(bare_referee.store.table(code), STRANGER, "again", 1).proposals


def test_withdrawn_seat_request_can_be_repeated_immediately(bare_referee: Referee, code: str):
    bare_referee.answer(bare_referee.store.table(code), STRANGER, "never mind", request_seat(bare_referee, code), False)
    assert bare_referee.sit(bare_referee.store.table(code), STRANGER, "again", 1).proposals


# On the pages.


@pytest.fixture
def table(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> SeatedTable:
    """Return a table of Ana, Bo and Cy, each with an own phone; Ana's is the host."""
    table = open_seated_table(app, "Ana", "Bo", "Cy")
    monkeypatch.setattr(table.referee, "presence", Presence(clock))
    return table


def answer_request(table: SeatedTable, seat: int, value: str, **options):
    question = table.table.proposals[0].number
    return table.submit(seat, "answer", {"proposal": str(question), "yes": value}, **options)


def test_holders_page_asks_and_hands_over_with_one_tap(table: SeatedTable, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    page = table.page(1)
    assert (
        "Someone wants to take over your seat" in page.text and "Hand over" in page.text and "secret" not in page.text
    )
    sent = table.phone(1).post(f"{table.path}/seat/1/answer", {**page.form("/answer").default_values, "yes": "1"})
    assert sent.headers["Location"] == f"{table.path}/seat/1"
    assert table.table.seats[1] == phone.device
    assert (
        "seat moved to another phone" not in table.phone(1).open(table.path).text
    )  # Bo handed the seat over voluntarily


def test_two_requests_for_one_seat_are_distinguished_by_their_numbers(table: SeatedTable):
    askers = [Phone(table.app) for _ in range(2)]
    for asking_phone in askers:
        asking_phone.post(f"{table.path}/sit", {"seat": "1"})
    for asking_phone, question in zip(askers, table.table.proposals, strict=True):
        assert f"Your number is {question.number}." in asking_phone.open(table.path).text
        assert f"Their number is {question.number}." in table.page(1).text


def test_only_the_holders_button_mentions_secret_notes(table: SeatedTable, phone: Phone):
    table.play(1, NoteHand("science"))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    request_path = f"{table.path}/if/{table.table.version}"
    assert "Your private entries go with the seat. Hand over" in table.page(1).text
    assert "Hand over, with my private entries" in table.phone(1).open(request_path).text
    assert "You asked for Bo \u2019s seat" in phone.open(table.path).text
    for other in (table.phone(0), table.phone(2), Phone(table.app)):
        assert "take over Bo \u2019s seat" in other.open(table.path).text
    for other in (table.phone(0), table.phone(2), phone, Phone(table.app)):
        for path in (table.path, request_path):
            assert not re.search("(your|my) private entries", other.open(path).text, re.IGNORECASE)


@pytest.mark.parametrize("seat", [0, 2])
def test_nobody_else_takes_a_seat_with_notes_while_its_phone_is_present(
    table: SeatedTable, phone: Phone, clock: Clock, seat: int
):
    """Regression test: the host could take a seat with its secret notes while Bo was present."""
    table.play(1, NoteHand("science"))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    for _ in range(10):
        clock.advance_minutes(4)
        table.phone(1).get(f"{table.path}/seat/1/now?have={table.table.version}")  # Bo's page polls now and then
        refused = answer_request(table, seat, "1", htmx=True)
        assert refused.status_code == 403 and TOO_SOON in refused.text
    assert table.table.seats[1] == table.phone(1).device
    assert "Science" not in phone.open(table.path).text


def test_returning_phone_is_told_what_happened_and_reclaims_its_seat(table: SeatedTable, phone: Phone, clock: Clock):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    clock.advance_minutes(5)
    for seat in (2, 0):
        assert answer_request(table, seat, "1").status_code == 303
    answer = table.phone(1).get(f"{table.path}/seat/1")
    assert answer.headers["Location"] == table.path
    lobby = table.phone(1).open(table.path)
    assert "seat moved to another phone" in lobby.text and "The others agreed to this." in lobby.text
    form = lobby.form("/sit")
    assert form.button_values("seat") == ["1"]
    answered = table.phone(1).post(f"{table.path}/sit", {**form.default_values, "seat": "1"})
    assert answered.headers["Location"] == f"{table.path}/seat/1"
    assert "Bo returned to the seat" in table.page(0).text
    assert (
        phone.get(f"{table.path}/seat/1").status_code == 303
        and "seat moved to another phone" not in phone.open(table.path).text
    )


def test_phone_with_another_seat_is_told_about_the_lost_seat(app: Flask, clock: Clock, monkeypatch, phone: Phone):
    table = open_seated_table(app, "Ana", "Bo", "Cy", phones=2)  # the second phone has the seats of Bo and Cy
    monkeypatch.setattr(table.referee, "presence", Presence(clock))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    clock.advance_minutes(5)
    answer_request(table, 0, "1")
    assert "seat moved to another phone" in table.page(2).text


def test_refusal_in_the_lobby_is_shown_in_the_lobby(table: SeatedTable, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    refused = phone.post(f"{table.path}/sit", {"seat": "2"})
    assert refused.status_code == 403
    assert "already asked for a seat" in refused.text and "Tap your name" in refused.text
    decided = table.phone(0).post(f"{table.path}/answer", {"proposal": str(table.table.version), "yes": "1"})
    assert decided.status_code == 403 and TOO_SOON in decided.text and "Tap your name" in decided.text
    answer = phone.post(f"{table.path}/stand", {"seat": "2"})
    assert (
        answer.status_code == 403
        and "Cy\u2019s seat is not on this phone" in answer.text
        and "Tap your name" in answer.text
    )


def test_requests_for_this_phone_come_first_and_those_of_strangers_last(table: SeatedTable, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "2"})  # for Cy's seat, the first request
    # It affects everybody.
    table.submit(1, "play", {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'})
    table.phone(0).post(f"{table.path}/sit", {"seat": "1"})
    order = (
        ["Bo asks:", "You asked for Bo", "Someone wants to take over Cy"],
        ["Ana wants to take over your seat", "You asked about a rule.", "Someone wants to take over Cy"],
        ["Bo asks:", "Someone wants to take over your seat", "Ana wants to take over Bo"],
    )
    for seat, expected in enumerate(order):
        text = table.page(seat).text
        assert sorted(expected, key=text.index) == expected


@pytest.mark.slow("many requests")
def test_150_strangers_do_not_bury_a_page(table: SeatedTable):
    quiet = [len(table.phone(seat).get(f"{table.path}/seat/{seat}/now").data) for seat in range(3)]
    answers = [Phone(table.app).post(f"{table.path}/sit", {"seat": "1"}) for _ in range(150)]
    assert [answer.status_code for answer in answers] == [303] * 3 + [403] * 147
    for seat in range(3):
        for more in (3, 4):
            table.submit(seat, "play", {"move": json.dumps(leaf_edit((seat + 1) % 3, more))})
    assert len(table.table.proposals) == 6
    for seat in range(3):
        page = table.phone(seat).get(f"{table.path}/seat/{seat}/now")
        assert len(page.data) - quiet[seat] < 12_000
    assert len(table.phone(0).get(table.path).data) < 30_000


def test_host_decision_is_never_the_first_button(table: SeatedTable):
    """Regression test: one tap on the prominent first button removed another player's cube."""
    table.submit(0, "play", {"move": json.dumps(leaf_edit(1, 3))})
    assert "Decide" not in table.phone(0).get(f"{table.path}/seat/0/now").text
    text = table.phone(0).get(f"{table.path}/if/{table.table.version}").text
    section = text[text.index('class="proposal') : text.index("</section>", text.index('class="proposal'))]
    first = re.search(r"<button[^>]*>(.*?)</button>", section)
    assert "Withdraw" in first[1] and "Decide" in section[section.index("<details") :]
    assert 'class="button"' not in section and "Decide" not in section[: section.index("<details")]
