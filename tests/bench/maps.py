"""The maps of ALPINE TRAILS: how long one takes to be scored, and where a drawn tile may lie."""

import random
from collections.abc import Callable, Iterator

from scoring.alpine import trailmap
from scoring.alpine.points import Final, FinalPlayer, Goal, score
from scoring.alpine.trailmap import Tile, TrailMap, legal
from tests.alpine_maps import any_tile, grown
from tests.bench.report import Options, Row, row, timed

TILES = 130  # trail and terrain sides, beside camps, waterfalls and lakes
SCORE_TARGET = 2  # ms
LEGAL_TARGET = 5  # ms


def run(options: Options) -> Iterator[Row]:
    """Measure maps that nothing is known of yet, and maps that the app has seen."""
    maps = [grown(random.Random(seed), TILES) for seed in range(5 if options.quick else 40)]
    open_maps = [grown(random.Random(seed), TILES, lakes=False) for seed in range(5 if options.quick else 40)]
    size = f"{min(map(len, maps))} to {max(map(len, maps))} tiles with camps, waterfalls and lakes"
    yield row("score of a map", "ms", [timed_new(scoring(tiles)) for tiles in maps], target=SCORE_TARGET, note=size)
    yield row("the same once more", "ms", [timed(scoring(tiles)) for tiles in maps])
    cells = [timed_new(placing(tiles, seed)) for seed, tiles in enumerate(open_maps)]
    yield row("legal cells and turns of a drawn tile", "ms", cells, target=LEGAL_TARGET, note="both sides of it")
    yield row("the same of a second tile", "ms", [timed(placing(tiles, -1 - seed)) for seed, tiles in enumerate(open_maps)])


def scoring(tiles: TrailMap) -> Callable[[], object]:
    final = Final((FinalPlayer("Ann", tiles, goal=Goal("path-icons", "rock")),))
    return lambda: score(final)


def placing(tiles: TrailMap, seed: int) -> Callable[[], object]:
    drawn = any_tile(random.Random(seed))
    trail = Tile("trail", drawn.terrain, drawn.exits or "NE", 2, 1)
    terrain = Tile("terrain", drawn.terrain, icons=2)
    return lambda: (legal(tiles, trail), legal(tiles, terrain))


def timed_new(job: Callable[[], object]) -> float:
    """Return how many milliseconds a call takes when nothing is remembered of any map."""
    for each in vars(trailmap).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
    return timed(job)
