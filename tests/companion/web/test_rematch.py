"""Another game with the same players: one next table for all phones, everybody seated, the series counted."""

import pytest
from flask import Flask
from msgspec import json

from companion.log.apply import fold
from companion.log.entries import Entry, What
from companion.service.referee import NotAllowed, Referee
from companion.storage.store import Store
from scoring.games import PLAYS
from scoring.trails.score_entry import AddBadge, Done
from tests.support.finished_tables import counted, played
from tests.support.log_builder import stored
from tests.support.phones import Phone, Seated, new_tap, seated


@pytest.fixture
def ended(app: Flask) -> Seated:
    """Ana has won by a badge against none."""
    two = seated(app, "Ana", "Bo", game="trails-tally")
    for seat, move in ((0, AddBadge("climber-rock")), (0, Done()), (1, Done())):
        two.say(seat, move)
    return two


def go_on(table: Seated, seat: int) -> Seated:
    answer = table.phone(seat).post(f"{table.path}/again")
    assert answer.status_code == 303
    return Seated(table.app, answer.headers["Location"].split("/")[2], table.phones)


def test_the_next_table_has_the_same_players_on_the_same_phones(ended: Seated):
    new = go_on(ended, 1)
    assert new.code != ended.code and new.table.names == ended.table.names and new.table.seats == ended.table.seats
    assert new.table.setup == ended.table.setup and new.table.host == ended.table.host
    assert new.page(0).text and new.page(1).text


def test_whoever_asks_second_comes_to_the_same_table(ended: Seated):
    assert go_on(ended, 0).code == go_on(ended, 1).code == ended.table.next
    assert len(ended.referee.store.codes_of(ended.phone(0).device)) == 2


def test_everybody_is_led_there_from_the_old_table(ended: Seated):
    assert "Count again, with the same players" in ended.fragment(0).text
    new = go_on(ended, 0)
    for page in (ended.fragment(1), ended.phone(1).open(ended.path), Phone(ended.app).open(ended.path)):
        assert f"On to the next game: {new.code}" in page.text


def test_the_games_won_are_counted_through_the_series(ended: Seated):
    assert ended.table.wins_now == (1, 0) and "The series" not in ended.fragment(0).text
    second = go_on(ended, 0)
    assert second.table.wins_now == (1, 0)
    for seat, move in ((1, AddBadge("science")), (0, Done()), (1, Done())):
        second.say(seat, move)
    assert second.table.wins_now == (1, 1)
    third = go_on(second, 1)
    assert third.table.wins == (1, 1)
    assert "The series: Ana 1, Bo 1" in third.phone(0).open(third.path).text


def test_not_before_the_end_and_not_for_strangers(ended: Seated, app: Flask):
    stranger = Phone(app)
    assert stranger.post(f"{ended.path}/again").status_code == 403
    assert "Play again" not in stranger.open(ended.path).text
    going = seated(app, "Cy", "Di")
    with pytest.raises(NotAllowed, match="not over yet"):
        going.referee.again(going.code, going.phone(0).device, new_tap())


def test_what_is_said_meanwhile_does_not_open_two_tables(ended: Seated, monkeypatch: pytest.MonkeyPatch):
    """Somebody goes on between the look at the table and the writing."""
    store, judged = ended.referee.store, []
    tables = store.db["tables"].count
    real = Store.open

    def late(self, *entries, **how):
        if not judged:
            judged.append(True)
            Referee(store, ended.referee.live).again(ended.code, ended.phone(1).device, new_tap())
        return real(self, *entries, **how)

    monkeypatch.setattr(Store, "open", late)
    new = ended.referee.again(ended.code, ended.phone(0).device, new_tap())
    assert new.code == ended.table.next
    assert store.db["tables"].count == tables + 1


def test_wins_move_with_their_players_when_the_order_changes(ended: Seated):
    new = go_on(ended, 0)
    setup = {"players": ["Ana", "Bo"]}
    new.referee.change_setup(new.code, new.phone(0).device, new_tap(), setup, first=1)
    assert new.table.names == ("Bo", "Ana") and new.table.wins == (0, 1)


def test_the_log_tells_it_and_folds_again(ended: Seated):
    new = go_on(ended, 0)
    assert ended.table.lines[-1].text == "The players go on to another game."
    for table in (ended, new):
        told = None
        for number, at, device, seat, what in stored(ended.referee.store, table.code):
            told = fold(told, table.code, Entry(number, at, device, seat, json.decode(what, type=What)))
        assert told == table.table


def look(table: Seated, path: str, phone: Phone):
    return phone.get(f"{table.path}/{path}/now?have={table.table.number - 1}", htmx=True)


def test_every_phone_and_the_table_view_are_taken_along(ended: Seated):
    new = go_on(ended, 0)
    for seat in (0, 1):
        assert look(ended, f"seat/{seat}", ended.phone(seat)).headers["HX-Redirect"] == f"{new.path}/seat/{seat}"
    assert look(ended, "board", Phone(ended.app)).headers["HX-Redirect"] == f"{new.path}/board"


@pytest.mark.slow("whole games")
def test_the_ended_table_can_be_looked_at_all_the_same(ended: Seated):
    new = go_on(ended, 0)
    for path in ("seat/0", "board", "score"):
        assert new.code in ended.phone(0).open(f"{ended.path}/{path}").text or path == "score"


@pytest.mark.parametrize("first", [0, 1, 2])
def test_who_starts_is_asked_and_the_others_follow_in_order(app: Flask, first: int):
    three = seated(app, "Ana", "Bo", "Cleo", game="trails-tally")
    for seat in range(3):
        three.say(seat, Done())
    new = three.referee.again(three.code, three.phone(1).device, new_tap(), first)
    names = ("Ana", "Bo", "Cleo")
    assert new.names == names[first:] + names[:first]
    assert [new.names[new.seats.index(three.phone(seat).device)] for seat in range(3)] == list(names)
    assert dict(zip(new.names, new.wins, strict=True)) == dict(zip(names, three.table.wins_now, strict=True))


def test_nobody_starts_who_has_no_seat(ended: Seated):
    answer = ended.phone(0).post(f"{ended.path}/again", {"first": "7"})
    assert answer.status_code == 403 and not ended.table.next


@pytest.mark.slow("whole games")
@pytest.mark.parametrize(
    ("game", "names", "asks"),
    [
        ("trails", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("parks", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("on-the-trail", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("on-the-trail", ("Ana",), []),  # the bot always starts
        ("alpine-trails", ("Ana", "Bo"), []),  # everybody plays at the same time
        ("alpine-trails", ("Ana",), []),
        ("trails-tally", ("Ana", "Bo"), []),
    ],
)
def test_play_again_asks_who_starts_where_a_player_does(app: Flask, game: str, names: tuple[str, ...], asks: list[str]):
    phone = Phone(app)
    referee: Referee = app.extensions["waymark"]
    over = (
        counted(referee, *names, phone=phone.device)
        if game.endswith("-tally")
        else played(referee, game, *names, phone=phone.device)
    )
    for page in (f"/t/{over.code}", f"/t/{over.code}/seat/0"):
        text = phone.open(page).text
        assert ("who starts?" in text) == bool(asks), page
        starters = phone.open(page).form("/again").button("first")
        assert starters == [str(seat) for seat, _ in enumerate(asks)], page


@pytest.mark.parametrize("game", PLAYS)
def test_names_are_asked_in_turn_order_where_players_take_turns(app: Flask, game: str):
    text = Phone(app).open(f"/new/{game}").text
    assert ("In turn order" in text) == (game in ("trails", "parks", "on-the-trail"))
