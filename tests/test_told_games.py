"""Whole games as they were told, move by move: each still comes to the result it is kept with.

The files of tests/told were played by `python -m tests.told`, from seeds. A difference is either a mistake or a
change of the rules core that people will notice: then play them anew, and read what has changed.
"""

import json
from pathlib import Path

import msgspec
import pytest

from scoring.document import sheet_data
from scoring.games import GAMES, PLAYS

FILES = sorted((Path(__file__).parent / "told").glob("*.json"))
TOLD = [pytest.param(json.loads(file.read_text(encoding="utf-8")), id=file.stem) for file in FILES]


def plain(value):
    """Return a value as a file holds it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_comes_to_its_result(told):
    play = PLAYS[told["game"]]
    state = before = play.begin(play.read_setup(told["setup"]))
    for seat, data in told["log"]:
        move = play.decode(data)
        before, state = state, play.play(state, seat, move)
    assert play.to_move(state) == ()
    assert play.tell(before, state, seat, move) == told["last"]
    assert sheet_data(play.box.score(play.final(state))) == told["result"]


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_is_written_as_it_would_be_written_today(told):
    play = PLAYS[told["game"]]
    assert [plain(play.decode(data)) for _, data in told["log"]] == [data for _, data in told["log"]]
    assert plain(play.read_setup(told["setup"])) == told["setup"]


@pytest.mark.parametrize("told", TOLD)
def test_a_told_game_scores_like_the_document_of_its_end(told):
    play = PLAYS[told["game"]]
    state = play.replay(play.read_setup(told["setup"]), [(seat, play.decode(data)) for seat, data in told["log"]])
    final = plain(play.final(state))
    document = {"game": told["game"], **final}
    assert sheet_data(play.box.score(play.box.read_final(document))) == told["result"]


def test_there_is_a_told_game_of_every_game_with_every_number_of_players():
    told = {(param.values[0]["game"], len(param.values[0]["setup"]["players"])) for param in TOLD}
    assert {(game.box.key, seats) for game in GAMES.values() for seats in game.box.seats} <= told
