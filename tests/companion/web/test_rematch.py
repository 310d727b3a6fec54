"""Tests of a rematch: one next table for all phones, with the same seats and the series."""

import pytest
from flask import Flask
from msgspec import json

from companion.log.apply import load_entry
from companion.log.entries import Entry, Payload
from companion.service.referee import NotAllowedError, Referee
from companion.storage.store import Store
from scoring.games import TRACKED_GAMES
from scoring.trails.score_entry import AddBadge, Done
from tests.support.finished_tables import random_game_table, scored_table
from tests.support.log_builder import stored_entries
from tests.support.phones import Phone, SeatedTable, new_tap, open_seated_table


@pytest.fixture
def finished_table(app: Flask) -> SeatedTable:
    """Return a finished table where Ana has won with one badge against none."""
    table = open_seated_table(app, "Ana", "Bo", game="trails-tally")
    for seat, move in ((0, AddBadge("climber-rock")), (0, Done()), (1, Done())):
        table.play(seat, move)
    return table


def request_rematch(table: SeatedTable, seat: int) -> SeatedTable:
    answer = table.phone(seat).post(f"{table.path}/again")
    assert answer.status_code == 303
    return SeatedTable(table.app, answer.headers["Location"].split("/")[2], table.phones)


def test_rematch_has_the_same_players_on_the_same_phones(finished_table: SeatedTable):
    new = request_rematch(finished_table, 1)
    assert (
        new.code != finished_table.code
        and new.table.names == finished_table.table.names
        and new.table.seats == finished_table.table.seats
    )
    assert new.table.setup == finished_table.table.setup and new.table.host == finished_table.table.host
    assert new.page(0).text and new.page(1).text


def test_end_of_the_game_shows_the_totals_of_all_players(finished_table: SeatedTable):
    for seat in range(2):
        assert "Ana 6 Bo 0" in finished_table.fragment(seat).text


def test_second_request_leads_to_the_same_rematch(finished_table: SeatedTable):
    assert (
        request_rematch(finished_table, 0).code
        == request_rematch(finished_table, 1).code
        == finished_table.table.next_code
    )
    assert len(finished_table.referee.store.codes_of_device(finished_table.phone(0).device)) == 2


def test_old_table_links_everybody_to_the_rematch(finished_table: SeatedTable):
    assert "Score another game" in finished_table.fragment(0).text
    new = request_rematch(finished_table, 0)
    for page in (
        finished_table.fragment(1),
        finished_table.phone(1).open(finished_table.path),
        Phone(finished_table.app).open(finished_table.path),
    ):
        assert f"Join the next game: {new.code}" in page.text


def test_wins_are_counted_through_the_series(finished_table: SeatedTable):
    assert finished_table.table.total_wins == (1, 0) and "Games won:" not in finished_table.fragment(0).text
    second = request_rematch(finished_table, 0)
    assert second.table.total_wins == (1, 0)
    for seat, move in ((1, AddBadge("science")), (0, Done()), (1, Done())):
        second.play(seat, move)
    assert second.table.total_wins == (1, 1)
    third = request_rematch(second, 1)
    assert third.table.earlier_wins == (1, 1)
    assert "Games won: Ana 1, Bo 1" in third.phone(0).open(third.path).text


def test_rematch_before_the_end_or_by_a_stranger_is_refused(finished_table: SeatedTable, app: Flask):
    stranger = Phone(app)
    assert stranger.post(f"{finished_table.path}/again").status_code == 403
    assert "Play again" not in stranger.open(finished_table.path).text
    running = open_seated_table(app, "Cy", "Di")
    with pytest.raises(NotAllowedError, match="not over yet"):
        running.referee.rematch(running.table, running.phone(0).device, new_tap())


def test_simultaneous_requests_open_only_one_rematch(finished_table: SeatedTable, monkeypatch: pytest.MonkeyPatch):
    """Another phone requests the rematch between the read of the table and the write."""
    store, judged = finished_table.referee.store, []
    tables = store.db["tables"].count
    real = Store.open_table

    def late(self, *entries, **keywords):
        if not judged:
            judged.append(True)
            Referee(store, finished_table.referee.live).rematch(
                finished_table.table, finished_table.phone(1).device, new_tap()
            )
        return real(self, *entries, **keywords)

    monkeypatch.setattr(Store, "open_table", late)
    new = finished_table.referee.rematch(finished_table.table, finished_table.phone(0).device, new_tap())
    assert new.code == finished_table.table.next_code
    assert store.db["tables"].count == tables + 1


def test_wins_move_with_their_players_when_the_order_changes(finished_table: SeatedTable):
    new = request_rematch(finished_table, 0)
    setup = {"players": ["Ana", "Bo"]}
    new.referee.change_setup(new.table, new.phone(0).device, new_tap(), setup, first_seat=1)
    assert new.table.names == ("Bo", "Ana") and new.table.earlier_wins == (0, 1)


def test_rematch_is_in_the_log_and_loads_again(finished_table: SeatedTable):
    new = request_rematch(finished_table, 0)
    assert finished_table.table.messages[-1].text == "The players started a new game."
    for table in (finished_table, new):
        current = None
        for number, created_at, device, seat, payload in stored_entries(finished_table.referee.store, table.code):
            current = load_entry(
                current, table.code, Entry(number, created_at, device, seat, json.decode(payload, type=Payload))
            )
        assert current == table.table


def open_page(table: SeatedTable, path: str, phone: Phone):
    return phone.get(f"{table.path}/{path}/now?have={table.table.version - 1}", htmx=True)


def test_open_pages_and_the_table_view_are_redirected_to_the_rematch(finished_table: SeatedTable):
    new = request_rematch(finished_table, 0)
    for seat in (0, 1):
        assert (
            open_page(finished_table, f"seat/{seat}", finished_table.phone(seat)).headers["HX-Redirect"]
            == f"{new.path}/seat/{seat}"
        )
    assert open_page(finished_table, "board", Phone(finished_table.app)).headers["HX-Redirect"] == f"{new.path}/board"


@pytest.mark.slow("whole games")
def test_finished_table_can_still_be_viewed(finished_table: SeatedTable):
    new = request_rematch(finished_table, 0)
    for path in ("seat/0", "board", "score"):
        assert new.code in finished_table.phone(0).open(f"{finished_table.path}/{path}").text or path == "score"


@pytest.mark.parametrize("first", [0, 1, 2])
def test_chosen_first_player_starts_and_the_order_is_kept(app: Flask, first: int):
    three = open_seated_table(app, "Ana", "Bo", "Cleo", game="trails-tally")
    for seat in range(3):
        three.play(seat, Done())
    new = three.referee.rematch(three.table, three.phone(1).device, new_tap(), first)
    names = ("Ana", "Bo", "Cleo")
    assert new.names == names[first:] + names[:first]
    assert [new.names[new.seats.index(three.phone(seat).device)] for seat in range(3)] == list(names)
    assert dict(zip(new.names, new.earlier_wins, strict=True)) == dict(zip(names, three.table.total_wins, strict=True))


def test_rematch_with_an_invalid_first_seat_is_refused(finished_table: SeatedTable):
    answer = finished_table.phone(0).post(f"{finished_table.path}/again", {"first": "7"})
    assert answer.status_code == 403 and not finished_table.table.next_code


@pytest.mark.slow("whole games")
@pytest.mark.parametrize(
    ("game", "names", "questions"),
    [
        ("trails", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("parks", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("on-the-trail", ("Ana", "Bo"), ["Ana", "Bo"]),
        ("on-the-trail", ("Ana",), []),  # the bot always starts
        ("alpine-trails", ("Ana", "Bo"), []),  # everybody plays simultaneously
        ("alpine-trails", ("Ana",), []),
        ("trails-tally", ("Ana", "Bo"), []),
    ],
)
def test_rematch_asks_who_starts_only_where_a_player_does(
    app: Flask, game: str, names: tuple[str, ...], questions: list[str]
):
    phone = Phone(app)
    referee: Referee = app.extensions["waymark"]
    finished = (
        scored_table(referee, *names, device=phone.device)
        if game.endswith("-tally")
        else random_game_table(referee, game, *names, device=phone.device)
    )
    for page in (f"/t/{finished.code}", f"/t/{finished.code}/seat/0"):
        text = phone.open(page).text
        assert ("who starts?" in text) == bool(questions), page
        starters = phone.open(page).form("/again").button_values("first")
        assert starters == [str(seat) for seat, _ in enumerate(questions)], page


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_names_are_requested_in_turn_order_where_players_take_turns(app: Flask, game: str):
    text = Phone(app).open(f"/new/{game}").text
    assert ("in turn order" in text) == TRACKED_GAMES[game].has_turns
