"""Tests of the corrections page of PARKS, during the game and after its end."""

import pytest
from flask import Flask

from tests.support.page_parser import Page, parse_page
from tests.support.phones import SeatedTable, open_seated_table
from tests.support.table_states import random_game_moves

IN_PLAY = {"name-park", "name-gear", "name-canteen", "name-tile", "name-passion", "add-park", "add-gear", "add-passion"}


def fix_page(table: SeatedTable) -> Page:
    return table.phone(0).open(f"{table.path}/seat/0/tell")


def reveal_kinds(page: Page) -> set[str]:
    """Return the kinds of move that name, add or correct a card; all else is edited as values."""
    kinds = {form.default_values.get("move.type", "") for form in page.forms}
    return {kind for kind in kinds if kind.startswith(("name", "add", "correct", "swap"))}


def submit_edits(table: SeatedTable, *changes: str) -> None:
    table.submit(0, "play", {"move": f'{{"type":"set-right","changes":[{",".join(changes)}]}}'})


def test_whole_table_can_be_corrected_during_the_game(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks", phones=1)
    assert reveal_kinds(fix_page(table)) == IN_PLAY
    submit_edits(
        table,
        '{"type":"by","at":"players.1.bought","by":2}',
        '{"type":"but","at":"players.1.reserve","more":["not named"]}',
        '{"type":"into","at":"weather.0","was":"none","now":"water"}',
    )
    state = table.table.state
    assert (state.players[1].bought, state.players[1].reserve, state.weather[0]) == (2, (None,), "water")
    assert reveal_kinds(fix_page(table)) == IN_PLAY


def test_scoring_values_can_be_corrected_after_the_end(app: Flask):
    table = open_seated_table(app, "Ana", "Bo", game="parks", phones=1)
    for seat, move in random_game_moves("parks", ("Ana", "Bo"), 7):
        table.play(seat, move)
    assert table.table.is_over and f"{table.path}/seat/0/tell" in table.phone(0).get(f"{table.path}/seat/0").text
    page = fix_page(table)
    assert reveal_kinds(page) == {"name-tile"}
    before = table.table.state
    old, new = str(before.first_hiker), str(1 - before.first_hiker)
    submit_edits(
        table,
        '{"type":"by","at":"players.1.photos","by":2}',
        f'{{"type":"into","at":"first_hiker","was":"{old}","now":"{new}"}}',
    )
    tile = "fall-water" if before.tile != "fall-water" else "fall-sun"
    assert tile in page.values("move.tile")
    table.submit(0, "play", {"move.type": "name-tile", "move.tile": tile})
    after = table.table.state
    assert after.is_over and after.players[1].photos == before.players[1].photos + 2
    assert after.first_hiker == 1 - before.first_hiker and after.tile == tile


@pytest.mark.parametrize(
    ("query", "suggestions"), [("glac", ["Glacier", "Glacier Bay"]), ("yosemitty", ["Yosemite"]), ("xyz", [])]
)
def test_similar_names_are_offered_for_an_unknown_name(app: Flask, query: str, suggestions: list[str]):
    table = open_seated_table(app, "Ana", "Bo", game="parks", phones=1)
    answer = table.submit(0, "play", {"move.type": "name-park", "move.park": query})
    assert answer.status_code == 422
    buttons = [f'{{"type":"name-park","park":"{name}"}}' for name in suggestions]
    assert [value for value in parse_page(answer.text).values("move") if "name-park" in value] == buttons
    for button in buttons[:1]:
        table.submit(0, "play", {"move": button})
        assert table.table.state.parks[0] == suggestions[0]


@pytest.mark.parametrize("query", ["yose", "yosemite", "Yosemite"])
def test_name_is_recognized_by_a_part_in_lower_case(app: Flask, query: str):
    table = open_seated_table(app, "Ana", "Bo", game="parks", phones=1)
    table.submit(0, "play", {"move.type": "name-park", "move.park": query})
    assert table.table.state.parks[0] == "Yosemite"
