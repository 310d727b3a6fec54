"""Tests of the pages where the colors of the players' pieces are chosen and shown."""

import re

import pytest
from flask import Flask

from companion.log.plans import RepairPlan
from companion.service.referee import NotAllowedError
from scoring.games import TRACKED_GAMES
from tests.support.finished_tables import random_game_moves, random_game_table
from tests.support.page_parser import Page
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.phones import Phone, SeatedTable, new_tap, open_seated_table
from tests.support.table_states import play_moves

NAMES = ("Ana", "Bo", "Cy")
PIECE = re.compile(r'icon-(hiker|bib) figure piece-(\w+)"')


COATS = {"#7d4522": "brown", "#3f6b2e": "green", "#666e7b": "grey", "#fff": "white"}  # of the hikers of TRAILS


def choose(table: SeatedTable, seat: int, color: str):
    """Send the form of a color in the lobby from a seat's phone."""
    return table.phone(seat).post(f"{table.path}/color?seat={seat}", {"color": color})


def new_lobby(phone: Phone, game: str, *names: str) -> str:
    answer = phone.post(f"/new/{game}", {f"names-{number}": name for number, name in enumerate(names)})
    assert answer.status_code == 303
    return answer.headers["Location"]


def shown_colors(page: Page | str) -> list[str]:
    """Return the colors of the pieces on a page, in the order of their first appearance."""
    return list(dict.fromkeys(color for _, color in PIECE.findall(page if isinstance(page, str) else page.html)))


def drawn_colors(game: str, page: str) -> list[str]:
    """Return the colors of the figures in the pictures of a page, in order of appearance."""
    coats = re.findall(r'id="hiker-(\d)".*?fill="(#\w+)" stroke="[^"]+" stroke-width="2.500"', page, re.DOTALL)
    if game == "trails" and coats:  # on a screen; in print each color has its hat
        return [COATS[coat] for _, coat in sorted(coats)]
    shapes = {
        "trails": r'#t-(\w+)" fill',
        "parks": r'(?:#pk-hat-|parks\.svg[^"]*#hiker-)(\w+)"',
        "on-the-trail": r"bib piece-(\w+)",
    }
    box = TRACKED_GAMES[game].box
    return [color for color in dict.fromkeys(re.findall(shapes[game], page)) if color in box.pieces.colors]


def finished_table(app: Flask, game: str, *names: str, colors: tuple[str, ...]) -> SeatedTable:
    """Return a finished table of one phone whose players have chosen colors."""
    phone = Phone(app)
    code = random_game_table(app.extensions["waymark"], game, *names, device=phone.device).code
    table = SeatedTable(app, code, (phone,))
    for seat, color in enumerate(colors):
        assert choose(table, seat, color).status_code == 303
    return table


def test_lobby_offers_the_colors_of_the_box_for_each_free_seat(app: Flask):
    phone = Phone(app)
    page = phone.get(new_lobby(phone, "parks", *NAMES)).text
    for seat in range(3):
        choices = re.findall(rf'name="color" value="(\w+)" formaction="[^"]*/color\?seat={seat}"', page)
        assert choices == ["red", "blue", "green", "yellow", "white"]
    assert page.count('aria-pressed="true"') == 3 and "disabled" not in page


def test_tap_on_a_color_takes_the_free_seat_with_it(app: Flask):
    phone = Phone(app)
    lobby = new_lobby(phone, "parks", *NAMES)
    answer = phone.post(f"{lobby}/color?seat=1", {"color": "white"})
    assert answer.headers["Location"] == f"{lobby}/seat/1"
    table = app.extensions["waymark"].store.table(lobby[-5:])
    assert table.seats == (None, phone.device, None) and table.piece_colors == ("red", "white", "green")


def test_tap_on_a_name_takes_the_seat_with_the_color_shown(app: Flask):
    phone = Phone(app)
    lobby = new_lobby(phone, "parks", *NAMES)
    phone.post(f"{lobby}/color?seat=0", {"color": "green"})
    other = Phone(app)
    assert other.post(f"{lobby}/sit", {"seat": "2"}).status_code == 303
    table = app.extensions["waymark"].store.table(lobby[-5:])
    assert table.piece_colors == ("green", "blue", "red")


def test_color_of_another_phone_is_shown_with_its_name_and_refused(app: Flask):
    table = open_seated_table(app, *NAMES, game="parks")
    page = table.phone(0).get(table.path).text
    taken = re.findall(
        r'<button class="color" name="color" value="(\w+)"[^>]* disabled>.*?<bdi>(\w+)</bdi>', page, re.DOTALL
    )
    assert taken == [("blue", "Bo"), ("green", "Cy")]
    answer = choose(table, 0, "blue")
    assert answer.status_code == 403
    assert "Bo has the blue hiker. Choose another color, or ask Bo to change first." in answer.text
    assert choose(table, 0, "purple").status_code == 403
    assert table.table.piece_colors == ("red", "blue", "green")


def test_only_the_phone_of_a_seat_chooses_its_color(app: Flask):
    table = open_seated_table(app, *NAMES, game="parks")
    assert "color?seat=1" not in table.phone(0).get(table.path).text
    answer = table.phone(0).post(f"{table.path}/color?seat=1", {"color": "white"})
    assert answer.status_code == 403 and "seat is not on this phone" in answer.text


def test_color_changes_at_any_time_without_a_request(app: Flask):
    table = play_moves(open_seated_table(app, *NAMES[:2], game="parks"), random_game_moves("parks", NAMES[:2], 7)[:30])
    state = table.table.state
    assert choose(table, 0, "white").headers["Location"] == table.path
    assert table.table.piece_colors == ("white", "blue") and table.table.state == state
    assert not table.table.proposals and table.table.messages[-1].text == "Ana\u2019s hiker is white."
    version = table.table.version
    assert choose(table, 0, "white").status_code == 303 and table.table.version == version
    choose(table, 0, "red")
    assert table.table.piece_colors == ("red", "blue")


def test_repeated_tap_on_a_color_counts_once(app: Flask):
    table = open_seated_table(app, *NAMES[:2], game="parks")
    tap = new_tap()
    for _ in range(2):
        table.phone(0).post(f"{table.path}/color?seat=0", {"color": "white"}, tap=tap)
    assert [line.text for line in table.table.messages].count("Ana\u2019s hiker is white.") == 1


@parametrize_cases("game", ["alpine-trails", "parks-tally"])
def test_no_color_is_asked_where_the_players_have_no_pieces(app: Flask, game: str):
    phone = Phone(app)
    lobby = new_lobby(phone, game, *NAMES)
    page = phone.get(lobby).text
    assert "color-picker" not in page and not PIECE.search(page)
    assert phone.post(f"{lobby}/color?seat=0", {"color": "red"}).status_code == 403


@run_all_rows(
    "game,colors",
    [
        ("trails", ("white", "grey", "brown")),
        ("parks", ("white", "yellow", "red")),
        ("on-the-trail", ("black", "white")),
    ],
)
def test_every_picture_and_row_shows_the_chosen_color(app: Flask, game: str, colors: tuple[str, ...]):
    names, results = NAMES[: len(colors)], app.extensions["waymark"].results
    table = finished_table(app, game, *names, colors=colors)
    phone = table.phone(0)
    result = phone.get(f"{table.path}/result", follow_redirects=True).text
    lobby, score = (phone.get(f"{table.path}{path}").text for path in ("", "/score"))
    assert [
        summary[1] for summary in re.findall(r'<summary class="seat-piece">.*?' + PIECE.pattern, lobby, re.DOTALL)
    ] == [*colors]
    if game != "on-the-trail":  # its score page has the numbered bibs, as below
        assert shown_colors(score) == [*colors]
    assert sorted(shown_colors(result)) == sorted(colors)
    history = phone.get("/history").text
    assert sorted(shown_colors(history)) == sorted(colors)
    playing = play_moves(open_seated_table(app, *names, game=game, phones=1), random_game_moves(game, names, 7)[:9])
    for seat, color in enumerate(colors):
        choose(playing, seat, color)
    for page in ("board", "seat/0"):
        drawn = drawn_colors(game, playing.phone(0).get(f"{playing.path}/{page}").text)
        assert (sorted(drawn) if game == "on-the-trail" else drawn) == [*colors]  # the last runner is drawn first
    if game == "trails":  # the other games draw no colored figures there
        assert drawn_colors(game, phone.get(f"{table.path}/print").text) == [*colors]
    if game != "on-the-trail":
        assert drawn_colors(game, phone.get(f"/r/{results.of_table(table.code).id}/picture.svg").text) == [*colors]


def test_result_follows_a_color_that_is_chosen_after_the_game(app: Flask):
    table = finished_table(app, "parks", *NAMES, colors=("white", "yellow", "red"))
    results = app.extensions["waymark"].results
    assert [part.color for part in results.of_table(table.code).players] == ["white", "yellow", "red"]
    choose(table, 0, "blue")
    assert [part.color for part in results.of_table(table.code).players] == ["blue", "yellow", "red"]


def test_player_page_shows_the_colors_of_the_latest_games(app: Flask):
    table = finished_table(app, "parks", *NAMES, colors=("white", "yellow", "red"))
    referee = app.extensions["waymark"]
    page = table.phone(0).get(f"/history/players/{referee.players.id('ana')}")
    assert page.status_code == 200 and sorted(shown_colors(page.text)) == ["red", "white", "yellow"]


@run_all_rows(
    "game,names,colors",
    [
        ("trails", NAMES, ("white", "grey", "brown")),
        ("parks", NAMES, ("white", "yellow", "red")),
        ("on-the-trail", NAMES[:2], ("black", "white")),
        ("on-the-trail", NAMES[:1], ("black",)),
    ],
)
def test_rematch_keeps_the_color_of_each_player_whoever_starts(app: Flask, game, names, colors):
    table = finished_table(app, game, *names, colors=colors)
    before = dict(zip(table.table.names, table.table.piece_colors, strict=True))
    first = len(names) - 1
    answer = table.phone(0).post(f"{table.path}/again", {"first": str(first)})
    new = SeatedTable(app, answer.headers["Location"].split("/")[2], table.phones).table
    assert new.names[0] == names[first]
    assert dict(zip(new.names, new.piece_colors, strict=True)) == before


def test_known_players_get_the_color_of_their_latest_game(app: Flask):
    table = finished_table(app, "parks", *NAMES, colors=("white", "yellow", "red"))
    phone = table.phone(0)
    store = app.extensions["waymark"].store

    def colors(*names: str, device: Phone = phone, game: str = "parks") -> tuple[str, ...]:
        return store.table(new_lobby(device, game, *names)[-5:]).piece_colors

    assert colors("Bo", "ANA", "Di") == ("yellow", "white", "red")
    assert colors("Di", "Cy") == ("blue", "red")
    assert colors("Bo", "Ana", game="trails") == ("brown", "green")
    assert colors("Bo", "Ana", device=Phone(app)) == ("red", "blue")  # this phone may not see that game


def test_undo_and_a_repair_keep_the_colors(app: Flask):
    table = play_moves(open_seated_table(app, *NAMES[:2], phones=1), random_game_moves("trails", NAMES[:2], 7)[:6])
    choose(table, 0, "white")
    step, device = table.table.steps[-1], table.phone(0).device
    after = table.referee.repair(table.table, device, new_tap(), step.seat, RepairPlan(step.id, 1))
    assert len(after.steps) == 5 and after.piece_colors == ("white", "green")


def test_referee_refuses_a_color_of_a_seat_that_is_not_there(app: Flask):
    referee = app.extensions["waymark"]
    table = random_game_table(referee, "parks", *NAMES[:2], steps=3)
    with pytest.raises(NotAllowedError, match="no such seat"):
        referee.choose_color(table, table.seats[0], new_tap(), 7, "red")
