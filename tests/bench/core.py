"""Benchmark moves and whole games per second against Catanatron and OpenSpiel.

The peer games of OpenSpiel are those written in Python.
"""

import itertools
import random
from collections.abc import Callable, Iterator

from tests.bench import peer_games
from tests.bench.games import TRAILS, default_setup, random_game_moves
from tests.bench.report import Options, Row, make_row, measure_rates, ratio
from tests.support.random_games import random_game

GAME_COUNT = 20  # Games recorded for each number of players.
MOVES_TARGET = 60_000
GAMES_TARGET = 500


def run(options: Options) -> Iterator[Row]:
    """Measure the rules core and its peers, taking turns."""
    jobs: dict[str, Callable[[], dict[str, int]]] = {}
    for players in (2, 4):
        jobs[f"TRAILS: replay, {players} players"] = replay_job(players)
        jobs[f"TRAILS: random game, {players} players"] = random_game_job(players)
    ours = list(jobs)
    jobs |= peer_games.jobs()
    found = measure_rates(jobs, rounds=3 if options.quick else 9, seconds=0.2 if options.quick else 0.5)
    for name in ours:
        is_replay = "replay" in name
        yield make_row(
            name,
            "moves/s",
            found[name]["moves"],
            more_is_better=True,
            target=MOVES_TARGET if is_replay else None,
            note="each move is validated" if is_replay else "each move is chosen, validated and played",
        )
    for name in ours:
        if "random" in name:
            yield make_row(name, "games/s", found[name]["games"], more_is_better=True, target=GAMES_TARGET)
    for name in list(jobs)[len(ours) :]:
        players = "2" if ", 2 players" in name else "4"
        same = found[f"TRAILS: random game, {players} players"]
        for unit in ("moves", "games"):
            times = ratio(same[unit], found[name][unit])
            note = f"TRAILS plays {times:.1f} times as many {unit}"
            yield make_row(name, f"{unit}/s", found[name][unit], more_is_better=True, note=note)


def replay_job(players: int) -> Callable[[], dict[str, int]]:
    start, logs = (
        default_setup(players),
        itertools.cycle([random_game_moves(players, seed) for seed in range(GAME_COUNT)]),
    )

    def job() -> dict[str, int]:
        log = next(logs)
        TRAILS.replay(start, log)
        return {"moves": len(log), "games": 1}

    return job


def random_game_job(players: int) -> Callable[[], dict[str, int]]:
    start, seeds = default_setup(players), itertools.count()

    def job() -> dict[str, int]:
        moves: list = []
        random_game(TRAILS, start, random.Random(next(seeds)), moves)
        return {"moves": len(moves), "games": 1}

    return job
