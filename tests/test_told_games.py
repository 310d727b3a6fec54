"""Whole games as they were told, move by move: each still comes to the result it is kept with.

The files of tests/told were played by `python -m tests.told`, from seeds. A difference is either a mistake or a
change of the rules core that people will notice: then play them anew, and read what has changed.
"""

import json
from pathlib import Path

import msgspec
import pytest

from scoring.document import sheet_data
from scoring.games import GAMES

FILES = sorted((Path(__file__).parent / "told").glob("*.json"))
TOLD = [pytest.param(json.loads(file.read_text(encoding="utf-8")), id=file.stem) for file in FILES]


def plain(value):
    """Return a value as a file holds it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_comes_to_its_result(told):
    game = GAMES[told["game"]]
    state = before = game.begin(game.read_setup(told["setup"]))
    for seat, data in told["log"]:
        move = game.decode(data)
        before, state = state, game.play(state, seat, move)
    assert game.to_move(state) == ()
    assert game.tell(before, state, seat, move) == told["last"]
    assert sheet_data(game.score(game.final(state))) == told["result"]


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_is_written_as_it_would_be_written_today(told):
    game = GAMES[told["game"]]
    assert [plain(game.decode(data)) for _, data in told["log"]] == [data for _, data in told["log"]]
    assert plain(game.read_setup(told["setup"])) == told["setup"]


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_scores_like_the_document_of_its_end(told):
    game = GAMES[told["game"]]
    state = game.replay(game.read_setup(told["setup"]), [(seat, game.decode(data)) for seat, data in told["log"]])
    final = plain(game.final(state))
    document = {"game": told["game"], **final}
    assert sheet_data(game.score(game.read_final(document))) == told["result"]


def test_there_is_a_told_game_of_every_game_with_every_number_of_players():
    told = {(param.values[0]["game"], len(param.values[0]["setup"]["players"])) for param in TOLD}
    assert {(game.key, seats) for game in GAMES.values() for seats in game.seats} <= told
