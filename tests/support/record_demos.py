"""Record the demo of each game: python -m tests.support.record_demos

Simulated players play a whole game. The seeds are those at which the viewer meets the most lessons.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.log.entries import Entry, Opened, Payload, Played, SeatTaken, SetupGuideChanged
from companion.log.table import to_data
from companion.pages import demo
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.on_the_trail.card_facts import CardFacts
from tests.golden_games import alpine_trails, on_the_trail, parks, trails

NAMES = ["Ana", "Bo"]
TIME = "2026-11-25T18:00:00.000+00:00"
SEEDS = 30


def play_trails(seed: str) -> Any:
    game = trails.SimulatedGame(seed, NAMES, {})
    game.play()
    return game


def play_parks(seed: str) -> Any:
    game = parks.SimulatedGame(seed, NAMES, {})
    game.play()
    return game


def play_alpine_trails(seed: str) -> Any:
    return alpine_trails.SimulatedGame(seed, len(NAMES), tiles=32).play()


def play_on_the_trail(seed: str) -> Any:
    setup = on_the_trail.TRACKED_GAME.setup_format.default(NAMES)
    return on_the_trail.SimulatedGame(seed, replace(setup, facts=CardFacts())).play()


PLAYERS: dict[str, Callable[[str], Any]] = {
    "trails": play_trails,
    "parks": play_parks,
    "alpine-trails": play_alpine_trails,
    "on-the-trail": play_on_the_trail,
}


def payloads(key: str, setup: Any, moves: Sequence[tuple[int, Move]]) -> Iterator[tuple[int | None, Payload]]:
    """Yield the entries of a demo with their seats: a guided setup, then the moves."""
    tracked = TRACKED_GAMES[key]
    assert tracked.lessons
    yield None, Opened(key, tracked.box.version, to_data(setup))
    for seat in range(len(setup.players)):
        yield seat, SeatTaken()
    done: tuple[str, ...] = ()
    yield None, SetupGuideChanged()
    for step in tracked.lessons.setup_steps(setup):
        done = (*done, step.id)
        yield None, SetupGuideChanged(done)
    for seat, move in moves:
        yield seat, Played(to_data(move))


def record(key: str, seed: str) -> int:
    """Record the game of a seed as the demo; return how many lessons the viewer reads."""
    game = PLAYERS[key](seed)
    log = [
        Entry(number, TIME, f"demo {seat or 0}", seat, payload)
        for number, (seat, payload) in enumerate(payloads(key, game.setup, game.log), 1)
    ]
    (demo.FOLDER / f"{key}.json").write_bytes(msgspec.json.encode({"log": log}) + b"\n")
    demo.demo_frames.cache_clear()
    return len(demo.demo_frames(key)[-1].learner.read)


def main() -> None:
    for key in PLAYERS:
        seeds = [f"demo {key} {number}" for number in range(SEEDS)]
        best = max(seeds, key=lambda seed: record(key, seed))
        print(key, best, record(key, best), "lessons,", len(demo.demo_frames(key)), "frames")


if __name__ == "__main__":
    main()
