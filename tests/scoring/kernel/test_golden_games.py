"""Whole games as they were told, move by move: each still comes to the result it is kept with, and reads as it did.

The files of tests/golden_games were played by `python -m tests.golden_games`, from seeds. A difference in words is either a mistake or a
change people will notice: then play them anew, and read what has changed. A difference in points or in what lies on the
table at the end needs another version of the game's rules first, since tables people have played come to it as well.
"""

import pytest

from scoring.document import sheet_data
from scoring.games import GAMES, PLAYS
from tests.golden_games.files import HERE, RENEW, advice, log_of, named, otherwise, plain, sentences, steps
from tests.support.cases import every_row

TOLD = [pytest.param(named(file.stem), id=file.stem) for file in sorted(HERE.glob("*.json"))]


@every_row("told", TOLD)
def test_a_told_game_comes_to_its_result(told):
    change = otherwise(told)
    assert not change, f"{change}\n{advice(told)}"


@every_row("told", TOLD)
def test_a_told_game_is_kept_by_the_rules_of_today(told):
    assert told["version"] == PLAYS[told["game"]].box.version, advice(told)


@every_row("told", TOLD)
def test_a_told_game_reads_as_it_did(told):
    play = PLAYS[told["game"]]
    read = [text for _, text in steps(play, play.read_setup(told["setup"]), log_of(told))]
    changed = [f"was: {was}\nis:  {now}" for was, now in zip(sentences(told), read, strict=True) if was != now]
    assert not changed, "\n".join([f"The log reads otherwise: {RENEW}", *changed[:10]])


@every_row("told", TOLD)
def test_the_score_of_a_told_game_reads_as_it_did(told):
    play = PLAYS[told["game"]]
    state = play.replay(play.read_setup(told["setup"]), log_of(told))
    assert sheet_data(play.box.score(play.final(state))) == told["result"], f"The score reads otherwise: {RENEW}"


@every_row("told", TOLD)
def test_a_told_game_is_written_as_it_would_be_written_today(told):
    play = PLAYS[told["game"]]
    assert [plain(play.decode(data)) for _, data, _ in told["log"]] == [data for _, data, _ in told["log"]], RENEW
    assert plain(play.read_setup(told["setup"])) == told["setup"], RENEW


@every_row("told", TOLD)
def test_a_told_game_scores_like_the_document_of_its_end(told):
    play = PLAYS[told["game"]]
    assert sheet_data(play.box.score(play.box.read_final({"game": told["game"], **told["final"]}))) == told["result"]


def test_there_is_a_told_game_of_every_game_with_every_number_of_players():
    told = {(param.values[0]["game"], len(param.values[0]["setup"]["players"])) for param in TOLD}
    assert {(game.box.key, seats) for game in GAMES.values() for seats in game.box.seats} <= told


# What a change of the rules core is answered with.


def told_otherwise(**changes) -> dict:
    return {**named("trails-2"), **changes}


def test_another_result_by_the_same_rules_asks_for_another_version():
    result = told_otherwise()["result"]
    result["players"][1]["total"] += 1
    change = otherwise(told_otherwise(result=result))
    assert change.startswith("it is scored otherwise: players.1.total was ")
    assert "raise `version`" in advice(told_otherwise())
    assert "raise" not in advice(told_otherwise(version="0")) and RENEW in advice(told_otherwise(version="0"))


def test_another_end_and_a_move_that_is_refused_are_other_results():
    final = told_otherwise()["final"]
    final["players"][0]["badges"] = final["players"][0]["badges"][1:]
    assert otherwise(told_otherwise(final=final)).startswith("it ends with another position: players.0.badges was ")
    log = told_otherwise()["log"]
    assert otherwise(told_otherwise(log=[*log, log[-1]])).startswith("it can no longer be played: ")
    assert otherwise(told_otherwise(log=log[:-1])).startswith("it is not over: seat ")


def test_other_words_are_no_other_result():
    result = told_otherwise()["result"]
    for player in result["players"]:
        player["lines"] = []
    rows = [[seat, move, "Something else."] for seat, move, _ in told_otherwise()["log"]]
    assert otherwise(told_otherwise(result=result, log=rows)) == ""
