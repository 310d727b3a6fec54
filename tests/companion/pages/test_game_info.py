"""The region that a game can add to its seat page and to the table view."""

import re
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemLoader

from companion.rendering.templating import FallbackLoader
from scoring.games import GAMES, TRACKED_GAMES
from tests.support.page_parser import Page
from tests.support.phones import SeatedTable, new_tap, open_seated_table
from tests.support.small_games import ford

TURN_TEMPLATE = (
    "{% for seat in turn.table.to_move %}"
    "<p>Turn {{ turn.table.log_counts.turns_by_seat[seat] + 1 }} of {{ turn.table.names[seat] }}</p>"
    "{% endfor %}"
)
SEAT_TEMPLATE = "<p>{{ 'at seat ' ~ turn.seat if turn.seat is not none else 'in the table view' }}</p>"
BO_TEMPLATE = "{% if turn.table.log_counts.turns_by_seat[1] %}<p>Bo has had a turn</p>{% endif %}"
PATHS = ("seat/0", "board")


@pytest.fixture
def ford_templates(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install FORD for one test, and return the folder of its templates."""
    monkeypatch.setitem(GAMES, "ford", ford.GAME)
    monkeypatch.setitem(TRACKED_GAMES, "ford", ford.TRACKED_GAME)
    loader = app.jinja_env.loader
    assert isinstance(loader, FileSystemLoader)
    monkeypatch.setattr(app.jinja_env, "loader", FallbackLoader([tmp_path, *loader.searchpath]))
    folder = tmp_path / "ford"
    folder.mkdir()
    return folder


def ford_table(app: Flask, folder: Path, template: str, *rolls: int) -> SeatedTable:
    """Return a table of FORD where the region has a template and Ana and Bo have rolled."""
    (folder / "_game_info.html").write_text(template)
    table = open_seated_table(app, "Ana", "Bo", game="ford")
    for number, die in enumerate(rolls):
        table.play(number % 2, ford.Roll(die))
    return table


def is_region_hidden(page: Page) -> bool:
    """Return whether the region of the game takes no room."""
    (tag,) = (attributes for _, attributes in page.tags if attributes.get("id") == "fragment-game-info")
    return "hidden" in tag


def sent_fragments(table: SeatedTable, path: str, known: str | None) -> list[str]:
    """Return the etags of the fragments that a phone with known ones gets."""
    headers = {"HX-Request": "true"} | ({} if known is None else {"Known-Fragments": known})
    answer = table.phone(0).http.get(f"{table.path}/{path}/now", headers=headers)
    assert answer.status_code == 200
    return re.findall('data-fragment="([^"]*)"', answer.text)


def test_region_of_a_game_is_on_its_seat_page_and_in_the_table_view(app: Flask, ford_templates: Path):
    table = ford_table(app, ford_templates, TURN_TEMPLATE, 1, 1, 1, 1)
    for path in PATHS:
        page = table.phone(0).open(f"{table.path}/{path}")
        assert "Turn 3 of Ana" in page.text and not is_region_hidden(page)


def test_template_of_the_region_knows_the_seat_of_its_page(app: Flask, ford_templates: Path):
    table = ford_table(app, ford_templates, SEAT_TEMPLATE)
    assert "at seat 1" in table.page(1).text
    assert "in the table view" in table.phone(1).open(f"{table.path}/board").text


@pytest.mark.parametrize("path", PATHS)
def test_region_of_a_game_is_sent_only_when_it_changes(app: Flask, ford_templates: Path, path: str):
    table = ford_table(app, ford_templates, BO_TEMPLATE)
    known = sent_fragments(table, path, None)
    assert is_region_hidden(table.phone(0).open(f"{table.path}/{path}"))
    sent = []
    for seat in (0, 1, 0):
        table.play(seat, ford.Roll(1))
        new = sent_fragments(table, path, " ".join(known))
        sent.append([etag for etag in new if etag.startswith("game-info=")])
        known += new
    assert [len(etags) for etags in sent] == [0, 1, 0]
    assert not is_region_hidden(table.phone(0).open(f"{table.path}/{path}"))


def test_region_is_left_out_while_the_table_view_shows_an_earlier_position(app: Flask, ford_templates: Path):
    table = ford_table(app, ford_templates, TURN_TEMPLATE, 1, 1)
    table.referee.pin_step(table.table, table.phone(0).device, new_tap(), 0, table.table.steps[0].id)
    board = table.phone(0).open(f"{table.path}/board")
    assert is_region_hidden(board) and "Turn 2 of Ana" not in board.text
    assert "Turn 2 of Ana" in table.page(0).text


def test_game_without_a_region_has_a_hidden_one(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="trails-tally")
    for path in PATHS:
        assert is_region_hidden(table.phone(0).open(f"{table.path}/{path}"))
