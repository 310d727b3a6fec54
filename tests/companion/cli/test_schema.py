"""Tests of `waymark schema`."""

import json

import pytest

from scoring import json_schemas
from scoring.games import GAMES
from tests.support.command import has_failed_with
from tests.support.small_games import peaks


@pytest.mark.parametrize("game", GAMES)
def test_schema_without_a_document_prints_all_schemas_of_a_game(run_waymark, game: str):
    result = run_waymark("schema", game)
    assert (result.status, json.loads(result.out)) == (0, json_schemas(game))


@pytest.mark.parametrize("document", json_schemas("parks"))
def test_schema_of_one_document_is_printed_alone(run_waymark, document: str):
    assert json.loads(run_waymark("schema", "parks", document).out) == json_schemas("parks")[document]


def test_schema_of_a_game_that_is_only_scored_is_its_final_position(run_waymark, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(GAMES, "peaks", peaks.GAME)
    assert list(json.loads(run_waymark("schema", "peaks").out)) == ["final-position"]
    assert has_failed_with(run_waymark("schema", "peaks", "move"), "peaks has no move. It has final-position.")


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["trials"], 'no game "trials"; did you mean "trails"?'),
        (["trails", "moves"], 'no document "moves"; did you mean "move"?'),
        (["trails", "box-facts"], "trails has no box-facts. It has final-position, setup, move, position."),
    ],
)
def test_unknown_game_or_document_is_refused_with_the_nearest_name(run_waymark, arguments: list[str], text: str):
    assert has_failed_with(run_waymark("schema", *arguments), text)
