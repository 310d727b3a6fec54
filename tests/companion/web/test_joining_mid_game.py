"""Tests of starting in the middle of a game that began without the app."""

import random

import pytest
from flask import Flask
from msgspec import to_builtins

from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.games import TRACKED_GAMES
from tests.support.parametrize import TRACKED_KEYS
from tests.support.phones import Phone, SeatedTable, new_tap, open_seated_table
from tests.support.random_games import random_game
from tests.support.table_states import random_game_moves

NAMES = ("Ana", "Bo")
LINK = "Start mid-game"
WORDS = f"Already playing? Enter the setup first, then tap \u201c{LINK}\u201d."
MIDWAY = ("alpine-trails", "parks", "trails")


def play_setup(table: SeatedTable) -> list:
    """Play the opening moves of a random game; return its other moves."""
    rest = random_game_moves(table.table.game_key, NAMES)
    while rest and not table.table.can_join_midgame:
        table.play(*rest.pop(0))
    return rest


@pytest.mark.parametrize("game", MIDWAY)
def test_start_mid_game_is_offered_from_setup_to_the_first_turn(app: Flask, game: str):
    table = open_seated_table(app, *NAMES, game=game, phones=1)
    rest = play_setup(table)
    assert LINK in table.page(0).text and LINK in table.phone(0).open(table.path).text
    assert LINK in table.phone(0).open(f"{table.path}/seat/0/start").text
    while table.table.can_join_midgame:
        table.play(*rest.pop(0))
    assert LINK not in table.page(0).text
    assert table.phone(0).get(f"{table.path}/seat/0/start").headers["Location"].endswith("/tell")


@pytest.mark.parametrize("game", TRACKED_KEYS)
def test_start_from_the_middle_is_announced_before_the_table_is_set_up(app: Flask, game: str):
    """The first pages of a table mention it in a sentence, and later pages link to it."""
    phone, setup = Phone(app), to_builtins(TRACKED_GAMES[game].setup_format.default(list(NAMES)))
    table = SeatedTable(app, app.extensions["waymark"].open_table(phone.device, game, setup).code, (phone,))
    for seat in range(2):
        phone.post(f"{table.path}/sit", {"seat": str(seat)})
    pages = [phone.open(f"{table.path}{page}") for page in ("", "/setup", "/seat/0")]
    offered = [WORDS in page.text or f"{table.path}/seat/0/start" in page.addresses for page in pages]
    assert offered == [game in MIDWAY] * 3
    rest: list = []
    random_game(TRACKED_GAMES[game], TRACKED_GAMES[game].setup_format.default(list(NAMES)), random.Random(game), rest)
    while game in MIDWAY and not table.table.can_join_midgame:
        table.play(*rest.pop(0))
    start = f"{table.path}/seat/0/start"
    links = [table.page(0).addresses.count(start), phone.open(table.path).addresses.count(start)]
    assert links == ([2, 1] if game in MIDWAY else [0, 0])  # on the seat's page also in the menu


@pytest.mark.parametrize(
    ("game", "path", "card", "is_entered"),
    [
        ("trails", "players.0.badges", "science", lambda player: player.badges == ("science", "science")),
        ("parks", "players.0.top.canteens", "2 sun", lambda player: player.canteens[0] == ("2 sun", "2 sun")),
    ],
)
def test_card_held_twice_has_a_key_for_each_copy(app: Flask, game: str, path: str, card: str, is_entered):
    table = open_seated_table(app, *NAMES, game=game, phones=1)
    play_setup(table)
    page = table.phone(0).open(f"{table.path}/seat/0/start")
    keys = [each for tag, each in page.tags if tag == "input" and each.get("name") == f"more.{path}"]
    assert sum(each["value"] == card for each in keys) >= 2
    form = page.form("/right").default_values
    answer = table.submit(0, "right", {**form, f"more.{path}": [card, card], "tap": new_tap()})
    assert answer.status_code < 400, answer.text
    assert is_entered(table.table.state.players[0])


@pytest.mark.parametrize(
    ("game", "position", "text"),
    [
        (
            "trails",
            {
                "is.players.0.acorn": "3",
                "is.players.1.at": "photo",
                "more.players.1.badges": "astronomy-acorn",
                "is.turn": "1",
            },
            lambda state: state.players[0].cubes[0] == 3 and state.turn == 1 and len(state.players[1].badges) == 1,
        ),
        (
            "parks",
            {"is.players.1.forest": "4", "is.players.0.photos": "2", "is.season": "Summer", "is.turn": "1"},
            lambda state: state.players[0].photos == 2 and state.turn == 1 and state.season == 1,
        ),
    ],
)
def test_table_continues_from_the_entered_position(app: Flask, game: str, position: dict[str, str], text):
    table = open_seated_table(app, *NAMES, game=game, phones=1)
    play_setup(table)
    form = table.phone(0).open(f"{table.path}/seat/0/start").form("/right").default_values
    answer = table.submit(0, "right", {**form, **position, "tap": new_tap()})
    assert answer.status_code < 400, answer.text
    assert text(table.table.state)


def test_start_mid_game_asks_the_players_affected(app: Flask):
    table = open_seated_table(app, *NAMES)
    form = table.phone(0).open(f"{table.path}/seat/0/start").form("/right").default_values
    table.submit(0, "right", {**form, "is.players.1.leaf": "3"})
    assert [item.text for item in table.table.proposals] == ["Bo\u2019s leaves 1 → 3"]


def leave_seat(table: SeatedTable) -> None:
    table.phone(1).post(f"{table.path}/stand", {"seat": "1"})


def agree_on_trust(table: SeatedTable) -> None:
    table.submit(0, "asks", {"consent": "trust"})
    table.submit(1, "answer", {"proposal": str(table.table.proposals[0].number), "yes": "1"})


@pytest.mark.parametrize(
    ("phones", "before", "asks_others"),
    [(2, None, True), (1, None, False), (2, leave_seat, False), (2, agree_on_trust, False)],
    ids=["on another phone", "on this phone", "on none", "who trusts"],
)
def test_button_texts_say_whether_the_others_are_asked(app: Flask, phones: int, before, asks_others: bool):
    table = open_seated_table(app, *NAMES, phones=phones)
    if before:
        before(table)
    pages = {page: table.phone(0).open(f"{table.path}/seat/0/{page}") for page in ("start", "tell")}
    assert ("Ask the table to start" in pages["start"].text) == asks_others and "start from here" in pages[
        "start"
    ].text.lower()
    assert ("Ask the table" in pages["tell"].text) == asks_others != ("Save" in pages["tell"].text)
    assert ("Play it this way" in pages["tell"].text) != asks_others
    table.submit(0, "right", {**pages["tell"].form("/right").default_values, "is.players.1.leaf": "3"})
    assert bool(table.table.proposals) == asks_others
    assert (table.table.state.players[1].cubes[1] == 3) != asks_others


def test_own_map_is_entered_without_asking(app: Flask):
    table = open_seated_table(app, *NAMES, game="alpine-trails")
    table.play(0, TakeCamp("forest"))
    for x in (2, 3):
        table.play(0, CorrectTile(0, x, 0, "terrain", "rock", icons=2))
    assert not table.table.proposals and len(table.table.state.players[0].tiles) == 4
    table.play(1, TakeCamp("forest"))
    table.play(0, CorrectTile(1, 2, 0, "terrain", "rock", icons=2))
    assert [proposal.waiting_seats for proposal in table.table.proposals] == [(1,)]


def test_start_page_of_another_seat_redirects_to_the_table(app: Flask):
    table = open_seated_table(app, *NAMES)
    assert table.phone(0).get(f"{table.path}/seat/1/start").headers["Location"].endswith(table.path)


def start_page_html(app: Flask, game: str) -> str:
    """Return the page for a start in the middle of a game of "ana" and "bo"."""
    table = open_seated_table(app, "ana", "bo", game=game, phones=1)
    play_setup(table)
    return table.phone(0).get(f"{table.path}/seat/0/start").text


def test_choices_of_the_position_start_with_a_capital(app: Flask):
    html = start_page_html(app, "alpine-trails")
    assert "<span>No</span>" in html and "<span>Yes</span>" in html and "<span>Forest</span>" in html
    assert ">no<" not in html and ">yes<" not in html and ">forest<" not in html


@pytest.mark.parametrize("game", ["parks", "trails"])
def test_names_among_the_choices_stay_as_they_are(app: Flask, game: str):
    html = start_page_html(app, game)
    assert "<span>ana</span>" in html and "<span>bo</span>" in html
