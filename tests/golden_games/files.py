"""How a told game is kept: its set-up, a line for each move with its sentence of the log, how it ended, by which rules.

A kept game is tied to the version of its game's rules core. Where the log comes to another result, somebody's table does
so too: then the game's version has to be raised before the games are played anew. Sentences may change as they like.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from scoring.document import sheet_data
from scoring.games import PLAYS
from scoring.kernel.errors import Illegal, Malformed
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Play

HERE = Path(__file__).parent
Log = list[tuple[int, Move]]
RENEW = "play the games anew with `python -m tests.golden_games` and read what has changed"


def plain(value: Any) -> Any:
    """Return a value as a file holds it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def steps(play: Play, setup: Any, log: Log) -> Iterator[tuple[Any, str]]:
    """Yield the state after each move of a log, and the sentence the table reads."""
    state = play.begin(setup)
    for seat, move in log:
        before, state = state, play.play(state, seat, move)
        yield state, play.tell(before, state, seat, move)


def kept(play: Play, setup: Any, log: Log) -> str:
    """Return a game as it is kept."""
    told = list(steps(play, setup, log))
    final = play.final(told[-1][0])
    rows = [[seat, msgspec.to_builtins(move), text] for (seat, move), (_, text) in zip(log, told, strict=True)]
    lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
    head = json.dumps(
        {"game": play.key, "version": play.box.version, "setup": msgspec.to_builtins(setup)}, ensure_ascii=False
    )
    end = json.dumps(plain(final), ensure_ascii=False)
    result = json.dumps(sheet_data(play.box.score(final)), indent=2, ensure_ascii=False)
    return f'{head[:-1]},\n  "log": [\n{lines}\n  ],\n  "final": {end},\n  "result": {result}}}\n'


def named(name: str) -> dict:
    """Return what is kept of a game."""
    return json.loads(HERE.joinpath(f"{name}.json").read_text(encoding="utf-8"))


def log_of(told: dict) -> Log:
    """Return the moves of a kept game."""
    return [(seat, PLAYS[told["game"]].decode(move)) for seat, move, _ in told["log"]]


def sentences(told: dict) -> list[str]:
    """Return the log of a kept game as people read it."""
    return [text for _, _, text in told["log"]]


def points(result: dict) -> dict:
    """Return what of a result is no words: everybody's points by category, ranks, what decided."""
    numbers = ("name", "total", "rank", "winner", "categories")
    players = [{name: player[name] for name in numbers} for player in result["players"]]
    return {"decided_by": result["decided_by"], "players": players}


def otherwise(told: dict) -> str:
    """Return what a kept game comes to now that it did not then, words apart; nothing, where it comes to the same."""
    play = PLAYS[told["game"]]
    try:
        state = play.replay(play.read_setup(told["setup"]), log_of(told))
    except (Illegal, Malformed) as fault:
        return f"it can no longer be played: {fault}"
    if moving := play.to_move(state):
        return f"it is not over: seat {moving[0]} is to move"
    final = play.final(state)
    if plain(final) != told["final"]:
        return f"it ends with another position: {_differing(told['final'], plain(final))}"
    was, now = points(told["result"]), points(sheet_data(play.box.score(final)))
    return "" if was == now else f"it is scored otherwise: {_differing(was, now)}"


def advice(told: dict) -> str:
    """Return what to do about a kept game that comes to another result."""
    play = PLAYS[told["game"]]
    if play.box.version == told["version"]:
        return (
            f"{play.box.title} came to something else by rules {play.box.version}. Is that meant? Then tables that were played by them "
            f"change as well: raise `version` of the game, and {RENEW}"
        )
    return f"kept by rules {told['version']} of {play.box.title}, which are now {play.box.version}: {RENEW}"


def _differing(was: Any, now: Any, place: str = "") -> str:
    """Return the first place where two pieces of plain data differ, with both values."""
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        return next(_differing(was[key], now[key], f"{place}.{key}") for key in was if was[key] != now[key])
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        pairs = enumerate(zip(was, now, strict=True))
        return next(_differing(*pair, f"{place}.{number}") for number, pair in pairs if pair[0] != pair[1])
    return f"{place.lstrip('.')} was {was!r}, is {now!r}"
