"""The files of golden games: setup, moves with log text, final position, and result.

A golden game belongs to one version of its game's rules core. If its log comes to another result, so do real tables:
raise the game's version before you play the games again. Log texts may change freely.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from scoring.document import sheet_data, to_plain_data
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from tests.support.differences import first_difference

FOLDER = Path(__file__).parent
GameLog = list[tuple[int, Move]]
RENEW_HINT = "play the games again with `python -m tests.golden_games` and read the differences"


def replay_log(tracked: TrackedGame, setup: Any, log: GameLog) -> Iterator[tuple[Any, str]]:
    """Yield the state after each move of a log, and the log text of the move."""
    state = tracked.initial_state(setup)
    for seat, move in log:
        before, state = state, tracked.play(state, seat, move)
        yield state, tracked.log_sentence(before, state, seat, move)


def game_to_json(tracked: TrackedGame, setup: Any, log: GameLog) -> str:
    """Return a game as the content of its file."""
    steps = list(replay_log(tracked, setup, log))
    final = tracked.final_position(steps[-1][0])
    rows = [[seat, msgspec.to_builtins(move), text] for (seat, move), (_, text) in zip(log, steps, strict=True)]
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    head = json.dumps(
        {"game": tracked.key, "version": tracked.box.version, "setup": msgspec.to_builtins(setup)}, ensure_ascii=False
    )
    end = json.dumps(to_plain_data(final), ensure_ascii=False)
    result = json.dumps(sheet_data(tracked.box.score(final)), indent=2, ensure_ascii=False)
    return f'{head[:-1]},\n  "log": [\n{lines}\n  ],\n  "final": {end},\n  "result": {result}}}\n'


def read_golden_game(name: str) -> dict:
    """Return the content of a golden game's file."""
    return json.loads(FOLDER.joinpath(f"{name}.json").read_text(encoding="utf-8"))


def moves_of(golden_game: dict) -> GameLog:
    """Return the moves of a golden game."""
    return [(seat, TRACKED_GAMES[golden_game["game"]].decode(move)) for seat, move, _ in golden_game["log"]]


def log_texts(golden_game: dict) -> list[str]:
    """Return the log texts of a golden game."""
    return [text for _, _, text in golden_game["log"]]


def comparable_result(result: dict) -> dict:
    """Return the result without texts: points by category, ranks, and what decided."""
    numbers = ("name", "total", "rank", "winner", "categories")
    players = [{name: player[name] for name in numbers} for player in result["players"]]
    return {"decided_by": result["decided_by"], "players": players}


def describe_change(golden_game: dict) -> str:
    """Return how the outcome of a golden game has changed, or an empty string.

    Log texts are not compared.
    """
    tracked = TRACKED_GAMES[golden_game["game"]]
    try:
        state = tracked.replay(tracked.read_setup(golden_game["setup"]), moves_of(golden_game))
    except (IllegalMoveError, InvalidInputError) as error:
        return f"it can no longer be played: {error}"
    if seats := tracked.flow.to_move(state):
        return f"it is not over: seat {seats[0]} is to move"
    final = tracked.final_position(state)
    if to_plain_data(final) != golden_game["final"]:
        return f"it ends with another position: {first_difference(golden_game['final'], to_plain_data(final))}"
    old, new = comparable_result(golden_game["result"]), comparable_result(sheet_data(tracked.box.score(final)))
    return "" if old == new else f"it is scored otherwise: {first_difference(old, new)}"


def renewal_advice(golden_game: dict) -> str:
    """Return how to update a golden game whose result has changed."""
    tracked = TRACKED_GAMES[golden_game["game"]]
    if tracked.box.version == golden_game["version"]:
        return (
            f"{tracked.box.title} has another result by rules {tracked.box.version}. If that is intended, tables "
            f"that were played by them change too: raise `version` of the game, and {RENEW_HINT}"
        )
    kept, current = golden_game["version"], tracked.box.version
    return f"kept by rules {kept} of {tracked.box.title}, which are now {current}: {RENEW_HINT}"
