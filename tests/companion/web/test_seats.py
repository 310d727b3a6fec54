"""Whose seat is it: its phone decides for as long as it is there; what is given away without it can be taken back."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from msgspec import to_builtins

from companion.log.table import Table
from companion.service import referee as refereeing
from companion.service.referee import NotAllowed, Referee
from companion.system.presence import Presence
from scoring.games import PLAYS
from scoring.trails.moves.reveals import NoteHand
from tests.companion.web.test_presence import Clock
from tests.support.cases import every_row
from tests.support.log_builder import ANA, BO, CY, HOST, STRANGER
from tests.support.phones import Phone, Seated, seated
from tests.support.positions import laid

CORRECT = {"type": "correct-player", "player": 0, "leaf": 4}
TOO_SOON = "only Bo can hand the seat over"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def judge(judge: Referee, clock: Clock) -> Referee:
    judge.presence = Presence(clock)
    return judge


def open_table(judge: Referee, *devices: str, game: str = "trails", host: str = HOST) -> str:
    code = judge.open(host, game, to_builtins(laid(["Ana", "Bo", "Cy"], game))).code
    for seat, device in enumerate(devices):
        judge.sit(code, device, f"sit {seat}", seat)
    return code


@pytest.fixture
def code(judge: Referee) -> str:
    """Ana, Bo and Cy, each on a phone of their own that is there; the host's is another."""
    code = open_table(judge, ANA, BO, CY)
    for phone in (ANA, BO, CY, HOST):
        judge.presence.seen(code, phone)
    return code


def ask(judge: Referee, code: str, device: str = STRANGER, seat: int = 1) -> int:
    return judge.sit(code, device, f"{device} asks for {seat}", seat).number


def yes(judge: Referee, code: str, device: str, question: int) -> Table:
    table = judge.store.table(code)
    return judge.answer(code, device, f"{device} says yes at {table.number} {judge.presence._clock()}", question, True)


def lines(table: Table) -> list[str]:
    return [line.text for line in table.lines]


# As long as the phone is there


def test_a_seat_is_asked_for_on_the_phone_that_holds_it_and_its_yes_is_enough(judge: Referee, code: str):
    asked = ask(judge, code)
    assert judge.store.table(code).seats == (ANA, BO, CY)
    table = yes(judge, code, BO, asked)
    assert table.seats == (ANA, STRANGER, CY) and table.proposals == () and table.lost == ()
    assert lines(table)[-1] == "Bo goes on from another phone."


def test_its_no_is_enough_too(judge: Referee, code: str):
    asked = ask(judge, code)
    table = judge.answer(code, BO, "no", asked, False)
    assert table.seats == (ANA, BO, CY) and table.proposals == ()
    assert lines(table)[-1] == "Bo declined a request: \u201cGo on as Bo from another phone.\u201d"


@pytest.mark.parametrize("others", [(HOST,), (ANA,), (CY,), (ANA, CY), (ANA, CY, HOST)], ids=" and ".join)
@pytest.mark.parametrize("asks", [STRANGER, ANA, HOST])
def test_nobody_else_gives_the_seat_away_while_the_phone_is_there(
    judge: Referee, code: str, clock: Clock, others, asks: str
):
    asked = ask(judge, code, asks)
    clock.minutes(4.9)
    for other in others:
        if other != asks or other == HOST:
            with pytest.raises(NotAllowed, match=TOO_SOON):
                yes(judge, code, other, asked)
    table = judge.store.table(code)
    assert table.seats == (ANA, BO, CY) and table.number == asked


def test_a_phone_that_listens_is_there_for_the_whole_evening(judge: Referee, code: str, clock: Clock):
    with judge.presence.listening(code, BO):
        clock.minutes(300)
        with pytest.raises(NotAllowed, match=TOO_SOON):
            yes(judge, code, HOST, ask(judge, code))


def test_the_refusal_says_how_long_to_wait(judge: Referee, code: str, clock: Clock):
    asked = ask(judge, code)
    with pytest.raises(NotAllowed, match="you can decide in 5 minutes"):
        yes(judge, code, HOST, asked)
    clock.minutes(4.5)
    with pytest.raises(NotAllowed, match="you can decide in a minute"):
        yes(judge, code, HOST, asked)


def test_a_sign_of_the_phone_starts_the_wait_anew(judge: Referee, code: str, clock: Clock):
    asked = ask(judge, code)
    clock.minutes(4)
    judge.presence.seen(code, BO)
    clock.minutes(4)
    with pytest.raises(NotAllowed, match=TOO_SOON):
        yes(judge, code, HOST, asked)
    clock.minutes(1)
    assert yes(judge, code, HOST, asked).seats[1] == STRANGER


def test_after_a_restart_nobody_is_taken_for_long_gone(judge: Referee, code: str, clock: Clock):
    clock.minutes(60)
    judge.presence = Presence(clock)
    asked = ask(judge, code)
    with pytest.raises(NotAllowed, match=TOO_SOON):
        yes(judge, code, HOST, asked)


def test_the_asker_does_not_answer_its_own_question(judge: Referee, code: str, clock: Clock):
    clock.minutes(10)
    for device in (STRANGER, ANA):
        with pytest.raises(NotAllowed, match="not for your phone"):
            yes(judge, code, device, ask(judge, code, device))


# When it is silent


def test_all_others_together_give_a_silent_phones_seat_away(judge: Referee, code: str, clock: Clock):
    asked = ask(judge, code)
    clock.minutes(5)
    table = yes(judge, code, ANA, asked)
    assert table.seats[1] == BO and table.proposal(asked).waiting == (1, 2)
    table = yes(judge, code, CY, asked)
    assert table.seats == (ANA, STRANGER, CY)
    assert [(lost.seat, lost.device, lost.decided) for lost in table.lost] == [(1, BO, False)]


def test_the_host_alone_does_and_the_log_says_who_decided(judge: Referee, code: str, clock: Clock):
    asked = ask(judge, code)
    clock.minutes(5)
    table = yes(judge, code, HOST, asked)
    assert table.seats == (ANA, STRANGER, CY) and table.lost_by(BO)[0].decided
    assert lines(table)[-2:] == [
        "The host decided: \u201cGo on as Bo from another phone.\u201d",
        "Bo goes on from another phone.",
    ]


def test_where_nobody_else_sits_the_host_decides(judge: Referee, clock: Clock):
    code = open_table(judge, BO, BO)
    asked = ask(judge, code)
    assert judge.store.table(code).proposal(asked).waiting == (1,)
    clock.minutes(5)
    assert yes(judge, code, HOST, asked).seats == (BO, STRANGER, None)


def test_the_silent_phones_other_seats_are_not_asked(judge: Referee, clock: Clock):
    code = open_table(judge, ANA, BO, BO)
    asked = ask(judge, code)
    assert judge.store.table(code).proposal(asked).waiting == (1, 0)
    clock.minutes(5)
    assert yes(judge, code, ANA, asked).seats == (ANA, STRANGER, BO)


def test_two_minutes_are_enough_where_there_are_no_secrets(judge: Referee, clock: Clock):
    code = open_table(judge, ANA, BO, game="trails-tally")
    asked = ask(judge, code)
    clock.minutes(1.9)
    with pytest.raises(NotAllowed, match=TOO_SOON):
        yes(judge, code, ANA, asked)
    clock.minutes(0.1)
    assert yes(judge, code, ANA, asked).seats[1] == STRANGER


@every_row("key", PLAYS)
def test_the_wait_depends_on_the_game_and_never_on_what_was_noted(key: str):
    """Else how long it is would tell the others that there is a note."""
    secret = any(kind.secret for kind in PLAYS[key].moves)
    assert refereeing.patience(PLAYS[key]) == (5 if secret else 2)


def test_what_needs_consent_otherwise_is_kept_waiting_by_nobody_for_longer_than_it_takes_to_answer(
    judge: Referee, code: str, later: Callable[[float], None]
):
    asked = judge.play(code, ANA, "ask", 0, CORRECT).number
    later(44)
    with pytest.raises(NotAllowed, match="you can decide in a second"):
        yes(judge, code, HOST, asked)
    later(1)
    table = yes(judge, code, HOST, asked)
    assert table.state.players[0].cubes == (1, 4, 1)
    assert lines(table)[-2] == "The host decided: \u201cCorrect Ana: 4 leaves.\u201d"


def test_at_the_computer_nobody_has_to_wait(judge: Referee, code: str):
    """`waymark decide` has a referee that answers no phones."""
    asked = ask(judge, code)
    desk = Referee(judge.store, judge.live)
    assert desk.answer(code, HOST, "desk", asked, True).seats[1] == STRANGER


# When it comes back


@pytest.fixture
def lost(judge: Referee, code: str, clock: Clock) -> str:
    """A table where Bo's seat went to a stranger's phone, as the host decided."""
    asked = ask(judge, code)
    clock.minutes(5)
    yes(judge, code, HOST, asked)
    judge.presence.seen(code, STRANGER)
    return code


def test_the_phone_that_comes_back_takes_its_seat_with_one_tap_and_no_consent(judge: Referee, lost: str):
    table = judge.sit(lost, BO, "back", 1)
    assert table.seats == (ANA, BO, CY) and table.lost == () and table.proposals == ()
    assert lines(table)[-1] == "Bo\u2019s own phone is back and goes on."


def test_who_went_on_meanwhile_has_to_ask_from_then_on(judge: Referee, lost: str):
    judge.sit(lost, BO, "back", 1)
    judge.presence.seen(lost, BO)
    table = judge.sit(lost, STRANGER, "again", 1)
    assert table.seats[1] == BO and table.proposals[0].waiting[0] == 1
    with pytest.raises(NotAllowed, match=TOO_SOON):
        yes(judge, lost, HOST, table.number)


def test_it_finds_back_also_when_the_seat_was_handed_further_on(judge: Referee, lost: str):
    asked = ask(judge, lost, "accomplice")
    assert yes(judge, lost, STRANGER, asked).seats[1] == "accomplice"
    assert judge.sit(lost, BO, "back", 1).seats[1] == BO


def test_a_seat_that_its_phone_handed_over_or_gave_up_is_not_taken_back(judge: Referee, code: str):
    yes(judge, code, BO, ask(judge, code))
    assert judge.sit(code, BO, "back", 1).proposals[0].of_holder
    judge.stand(code, CY, "stand", 2)
    judge.sit(code, "di's phone", "sit", 2)
    assert judge.sit(code, CY, "back too", 2).seats[2] == "di's phone"


def test_whoever_sits_down_again_has_lost_nothing(judge: Referee, lost: str):
    judge.stand(lost, STRANGER, "stand", 1)
    table = judge.sit(lost, BO, "sit", 1)
    assert table.seats[1] == BO and table.lost == () and lines(table)[-1] == "Bo sits down."


def test_another_seat_is_not_taken_by_coming_back(judge: Referee, lost: str):
    assert judge.sit(lost, BO, "greedy", 2).seats[2] == CY


def test_a_lost_seat_moves_with_its_player_when_another_is_first(judge: Referee, lost: str):
    judge.change_setup(lost, HOST, "set up", to_builtins(laid(["Ana", "Bo", "Cy"])), 1)
    assert [(each.seat, each.device) for each in judge.store.table(lost).lost] == [(0, BO)]
    assert judge.sit(lost, BO, "back", 0).seats == (BO, CY, ANA)


def test_what_a_lost_seat_is_asked_is_not_asked_any_more_once_it_is_back(judge: Referee, lost: str):
    ask(judge, lost, "somebody")
    table = judge.sit(lost, BO, "back", 1)
    assert table.proposals == ()
    assert lines(table)[-1] == "No longer asked: \u201cGo on as Bo from another phone.\u201d"


def test_a_seat_given_up_is_not_asked_for_any_more(judge: Referee, code: str):
    ask(judge, code)
    table = judge.stand(code, BO, "stand", 1)
    assert table.proposals == () and judge.sit(code, STRANGER, "sit", 1).seats[1] == STRANGER


# How much may be asked


def test_a_phone_asks_for_one_seat_at_a_time(judge: Referee, code: str):
    asked = ask(judge, code)
    with pytest.raises(NotAllowed, match="asking for a seat already"):
        ask(judge, code, STRANGER, 2)
    judge.answer(code, STRANGER, "never mind", asked, False)
    assert ask(judge, code, STRANGER, 2)


def test_strangers_are_heard_three_at_a_time_and_players_beside_them(judge: Referee, code: str):
    for number in range(3):
        ask(judge, code, f"stranger {number}", number)
    with pytest.raises(NotAllowed, match="Others are asking already"):
        ask(judge, code, "stranger 3")
    assert len(judge.store.table(code).proposals) == 3
    ask(judge, code, ANA)
    judge.play(code, BO, "bo", 1, CORRECT)
    judge.play(code, CY, "cy", 2, CORRECT)
    assert len(judge.store.table(code).proposals) == 6
    with pytest.raises(NotAllowed, match="Others are asking already"):
        judge.play(code, BO, "bo too", 1, {**CORRECT, "leaf": 5})


def test_one_phone_asks_for_three_things_at_most(judge: Referee, code: str):
    for leaf in (2, 3, 4):
        judge.play(code, ANA, f"leaf {leaf}", 0, {**CORRECT, "leaf": leaf})
    with pytest.raises(NotAllowed, match="asking 3 things already"):
        judge.play(code, ANA, "leaf 5", 0, {**CORRECT, "leaf": 5})
    table = judge.play(code, ANA, "leaf 4 again", 0, {**CORRECT, "leaf": 4})
    assert len(table.proposals) == 3  # asking the same again is no new question


def test_where_nobody_has_to_agree_nobody_is_refused(judge: Referee):
    code = open_table(judge, ANA, ANA, ANA)
    for number in range(3):
        ask(judge, code, f"stranger {number}")
    for tap, leaf in enumerate((2, 3, 4, 5, 2, 3)):
        table = judge.play(code, ANA, f"tap {tap}", 0, {**CORRECT, "leaf": leaf})
        assert table.state.players[0].cubes[1] == leaf


def now(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr(refereeing, "stamp", lambda: f"2026-01-02T{time}.000+00:00")


def test_after_a_no_the_seat_is_not_asked_for_again_for_a_while(judge: Referee, code: str, monkeypatch):
    now(monkeypatch, "20:00:00")
    judge.answer(code, BO, "no", ask(judge, code), False)
    now(monkeypatch, "20:00:30")
    with pytest.raises(NotAllowed, match="ask for Bo\u2019s seat again in 2 minutes"):
        judge.sit(code, STRANGER, "again", 1)
    with pytest.raises(NotAllowed, match="The answer was No just now"):
        judge.sit(code, "the same stranger with a new cookie", "again, again", 1)
    assert judge.sit(code, ANA, "ana", 1).proposals and judge.sit(code, STRANGER, "cy's", 2).proposals[1:]
    now(monkeypatch, "20:02:00")
    assert judge.sit(code, "another", "later", 1).proposals[2:]


def test_a_clock_set_back_keeps_nobody_waiting(judge: Referee, code: str, monkeypatch):
    now(monkeypatch, "20:00:00")
    judge.answer(code, BO, "no", ask(judge, code), False)
    now(monkeypatch, "19:00:00")
    assert judge.sit(code, STRANGER, "again", 1).proposals


def test_who_stops_asking_may_ask_again_at_once(judge: Referee, code: str):
    judge.answer(code, STRANGER, "never mind", ask(judge, code), False)
    assert judge.sit(code, STRANGER, "again", 1).proposals


# On the pages


@pytest.fixture
def table(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Seated:
    """Ana, Bo and Cy, each with a phone of their own; Ana's is the host's."""
    table = seated(app, "Ana", "Bo", "Cy")
    monkeypatch.setattr(table.referee, "presence", Presence(clock))
    return table


def answer(table: Seated, seat: int, value: str, **how):
    question = table.table.proposals[0].number
    return table.tap(seat, "answer", {"proposal": str(question), "yes": value}, **how)


def test_the_holders_page_asks_and_hands_over_with_one_tap(table: Seated, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    page = table.page(1)
    assert "Somebody asks for your seat" in page.text and "Hand it over" in page.text and "secret" not in page.text
    sent = table.phone(1).post(f"{table.path}/seat/1/answer", {**page.form("/answer").untouched, "yes": "1"})
    assert sent.headers["Location"] == f"{table.path}/seat/1"
    assert table.table.seats[1] == phone.device
    assert "went to another phone" not in table.phone(1).open(table.path).text  # it did so itself


def test_two_who_ask_for_one_seat_are_told_apart_by_the_number_each_shows(table: Seated):
    askers = [Phone(table.app) for _ in range(2)]
    for asker in askers:
        asker.post(f"{table.path}/sit", {"seat": "1"})
    for asker, question in zip(askers, table.table.proposals, strict=True):
        assert f"This phone\u2019s number is {question.number}." in asker.open(table.path).text
        assert f"the phone that shows the number {question.number}." in table.page(1).text


def test_the_button_says_that_secret_notes_go_along_and_only_the_holder_reads_so(table: Seated, phone: Phone):
    table.say(1, NoteHand("science"))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    assert "Hand it over, with my notes" in table.page(1).text
    for other in (table.page(0), table.page(2), phone.open(table.path), Phone(table.app).open(table.path)):
        assert "asks to go on as Bo" in other.text or "You ask to go on as Bo" in other.text
        assert "my notes" not in other.text


@pytest.mark.parametrize("seat", [0, 2])
def test_nobody_else_takes_the_seat_and_its_notes_while_the_phone_is_there(
    table: Seated, phone: Phone, clock: Clock, seat: int
):
    """What was found: the host alone did, with all that had been noted in secret, while Bo looked on."""
    table.say(1, NoteHand("science"))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    for _ in range(10):
        clock.minutes(4)
        table.phone(1).get(f"{table.path}/seat/1/now?have={table.table.number}")  # Bo's page looks now and then
        refused = answer(table, seat, "1", htmx=True)
        assert refused.status_code == 403 and TOO_SOON in refused.text
    assert table.table.seats[1] == table.phone(1).device
    assert "Science" not in phone.open(table.path).text


def test_a_phone_that_comes_back_reads_what_happened_and_takes_its_seat_back(table: Seated, phone: Phone, clock: Clock):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    clock.minutes(5)
    for seat in (2, 0):
        assert answer(table, seat, "1").status_code == 303
    back = table.phone(1).get(f"{table.path}/seat/1")
    assert back.headers["Location"] == table.path
    lobby = table.phone(1).open(table.path)
    assert "seat went to another phone" in lobby.text and "the others agreed" in lobby.text
    form = lobby.form("/sit")
    assert form.button("seat") == ["1"]
    answered = table.phone(1).post(f"{table.path}/sit", {**form.untouched, "seat": "1"})
    assert answered.headers["Location"] == f"{table.path}/seat/1"
    assert "own phone is back" in table.page(0).text
    assert (
        phone.get(f"{table.path}/seat/1").status_code == 303
        and "went to another phone" not in phone.open(table.path).text
    )


def test_a_phone_that_keeps_another_seat_reads_it_on_its_page(app: Flask, clock: Clock, monkeypatch, phone: Phone):
    table = seated(app, "Ana", "Bo", "Cy", phones=2)  # the second phone holds Bo's seat and Cy's
    monkeypatch.setattr(table.referee, "presence", Presence(clock))
    phone.post(f"{table.path}/sit", {"seat": "1"})
    clock.minutes(5)
    answer(table, 0, "1")
    assert "seat went to another phone" in table.page(2).text


def test_what_is_refused_in_the_lobby_is_said_on_the_lobby(table: Seated, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "1"})
    refused = phone.post(f"{table.path}/sit", {"seat": "2"})
    assert refused.status_code == 403
    assert "asking for a seat already" in refused.text and "Tap your name" in refused.text
    decided = table.phone(0).post(f"{table.path}/answer", {"proposal": str(table.table.number), "yes": "1"})
    assert decided.status_code == 403 and TOO_SOON in decided.text and "Tap your name" in decided.text
    stood = phone.post(f"{table.path}/stand", {"seat": "2"})
    assert stood.status_code == 403 and "does not hold Cy" in stood.text and "Tap your name" in stood.text


def test_questions_for_this_phone_come_first_and_strangers_last(table: Seated, phone: Phone):
    phone.post(f"{table.path}/sit", {"seat": "2"})  # for Cy's seat, the first to ask
    table.tap(
        1, "play", {"move": '{"type":"adopt","ruling":"zero-birds","option":"everyone"}'}
    )  # it concerns everybody
    table.phone(0).post(f"{table.path}/sit", {"seat": "1"})
    order = (
        ["Bo asks", "You ask to go on as Bo", "Somebody asks to go on as Cy"],
        ["Ana asks for your seat", "You asked", "Somebody asks to go on as Cy"],
        ["Bo asks", "Somebody asks for your seat", "Ana asks to go on as Bo"],
    )
    for seat, expected in enumerate(order):
        text = table.page(seat).text
        assert sorted(expected, key=text.index) == expected


@pytest.mark.slow("many requests")
def test_150_strangers_do_not_bury_a_page(table: Seated):
    quiet = [len(table.phone(seat).get(f"{table.path}/seat/{seat}/now").data) for seat in range(3)]
    answers = [Phone(table.app).post(f"{table.path}/sit", {"seat": "1"}) for _ in range(150)]
    assert [each.status_code for each in answers] == [303] * 3 + [403] * 147
    for seat in range(3):
        for leaf in (4, 5):
            table.tap(seat, "play", {"move": f'{{"type":"correct-player","player":0,"leaf":{leaf}}}'})
    assert len(table.table.proposals) == 6
    for seat in range(3):
        page = table.phone(seat).get(f"{table.path}/seat/{seat}/now")
        assert len(page.data) - quiet[seat] < 12_000
    assert len(table.phone(0).get(table.path).data) < 30_000


def test_deciding_for_others_is_never_the_first_button(table: Seated):
    """What was found: one tap on the dark first button took another player's cube."""
    table.tap(0, "play", {"move": '{"type":"correct-player","player":1,"leaf":4}'})
    text = table.phone(0).get(f"{table.path}/seat/0/now").text
    section = text[text.index('class="ask"') : text.index("</section>", text.index('class="ask"'))]
    first = re.search(r"<button[^>]*>(.*?)</button>", section)
    assert "Never mind" in first[1] and "Decide" in section[section.index("<details") :]
    assert 'class="button"' not in section and "Decide" not in section[: section.index("<details")]
