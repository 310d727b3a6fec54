"""Golden games: recorded games must keep their result, their log and their score sheet.

The files of tests/golden_games were played by `python -m tests.golden_games`, from seeds. A difference in texts is
either a mistake or a change that players notice: in that case play the games again, and read the changes. A difference
in points or in the final position first needs another version of the game's rules, because it also changes the tables
people have played.
"""

import pytest

from scoring.document import sheet_data, to_plain_data
from scoring.games import GAMES, TRACKED_GAMES
from tests.golden_games.files import (
    FOLDER,
    RENEW_HINT,
    describe_change,
    log_texts,
    moves_of,
    read_golden_game,
    renewal_advice,
    replay_log,
)
from tests.support.parametrize import run_all_rows

GOLDEN_GAMES = [pytest.param(read_golden_game(file.stem), id=file.stem) for file in sorted(FOLDER.glob("*.json"))]


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_comes_to_its_result(golden_game):
    change = describe_change(golden_game)
    assert not change, f"{change}\n{renewal_advice(golden_game)}"


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_has_the_current_rules_version(golden_game):
    assert golden_game["version"] == TRACKED_GAMES[golden_game["game"]].box.version, renewal_advice(golden_game)


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_log_is_unchanged(golden_game):
    tracked = TRACKED_GAMES[golden_game["game"]]
    current = [text for _, text in replay_log(tracked, tracked.read_setup(golden_game["setup"]), moves_of(golden_game))]
    changed = [
        f"was: {old}\nis:  {new}" for old, new in zip(log_texts(golden_game), current, strict=True) if old != new
    ]
    assert not changed, "\n".join([f"The log has another text: {RENEW_HINT}", *changed[:10]])


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_score_sheet_is_unchanged(golden_game):
    tracked = TRACKED_GAMES[golden_game["game"]]
    state = tracked.replay(tracked.read_setup(golden_game["setup"]), moves_of(golden_game))
    assert sheet_data(tracked.box.score(tracked.final_position(state))) == golden_game["result"], (
        f"The score has another text: {RENEW_HINT}"
    )


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_is_stored_as_it_would_be_stored_today(golden_game):
    tracked = TRACKED_GAMES[golden_game["game"]]
    assert [to_plain_data(tracked.decode(data)) for _, data, _ in golden_game["log"]] == [
        data for _, data, _ in golden_game["log"]
    ], RENEW_HINT
    assert to_plain_data(tracked.read_setup(golden_game["setup"])) == golden_game["setup"], RENEW_HINT


@run_all_rows("golden_game", GOLDEN_GAMES)
def test_golden_game_scores_like_the_document_of_its_end(golden_game):
    tracked = TRACKED_GAMES[golden_game["game"]]
    assert (
        sheet_data(
            tracked.box.score(tracked.box.read_final_position({"game": golden_game["game"], **golden_game["final"]}))
        )
        == golden_game["result"]
    )


def test_golden_games_cover_every_game_with_turns_and_number_of_players():
    covered = {(param.values[0]["game"], len(param.values[0]["setup"]["players"])) for param in GOLDEN_GAMES}
    with_turns = [game.box for game in GAMES.values() if game.tracked]
    missing = {(box.key, seats) for box in with_turns for seats in box.player_counts} - covered
    assert not missing, (
        f"No golden game of {sorted(missing)}. Run `python -m tests.golden_games` and commit its files, "
        "tests/golden_games/<key>-<players>.json. Random players play them unless tests/golden_games/<folder>.py does."
    )


# Advice for a change of the rules core.


def changed_game(**changes) -> dict:
    return {**read_golden_game("trails-2"), **changes}


def test_other_points_by_the_same_rules_ask_for_a_new_version():
    result = changed_game()["result"]
    result["players"][1]["total"] += 1
    change = describe_change(changed_game(result=result))
    assert change.startswith("it is scored otherwise: players.1.total was ")
    assert "raise `version`" in renewal_advice(changed_game())
    assert "raise" not in renewal_advice(changed_game(version="0")) and RENEW_HINT in renewal_advice(
        changed_game(version="0")
    )


def test_other_final_position_and_refused_move_are_changes():
    final = changed_game()["final"]
    final["players"][0]["badges"] = final["players"][0]["badges"][1:]
    assert describe_change(changed_game(final=final)).startswith("it ends with another position: players.0.badges was ")
    log = changed_game()["log"]
    assert describe_change(changed_game(log=[*log, log[-1]])).startswith("it can no longer be played: ")
    assert describe_change(changed_game(log=log[:-1])).startswith("it is not over: seat ")


def test_other_texts_are_no_change():
    result = changed_game()["result"]
    for player in result["players"]:
        player["lines"] = []
    rows = [[seat, move, "Something else."] for seat, move, _ in changed_game()["log"]]
    assert describe_change(changed_game(result=result, log=rows)) == ""
