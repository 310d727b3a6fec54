"""Benchmark scoring of ALPINE TRAILS maps and the search for legal cells of a drawn tile."""

import random
import sys
from collections.abc import Callable, Iterator

from scoring.alpine_trails.map.fitting import legal_placements
from scoring.alpine_trails.map.tiles import Tile, TrailMap
from scoring.alpine_trails.points import Final, FinalPlayer, Goal, score
from tests.bench.report import Options, Row, make_row, time_call
from tests.support.alpine_trails_maps import random_map, random_tile

TILES = 130  # Trail and terrain tiles; camps, waterfalls and lakes come on top.
SCORE_TARGET = 2  # Milliseconds.
LEGAL_TARGET = 5  # Milliseconds.


def run(options: Options) -> Iterator[Row]:
    """Measure maps with empty caches, and maps the app has seen before."""
    seeds = range(5 if options.quick else 40)
    maps = [random_map(random.Random(seed), TILES) for seed in seeds]
    size = f"{min(map(len, maps))} to {max(map(len, maps))} tiles with camps, waterfalls and lakes"
    new, repeated = zip(*(time_uncached(score_job(tiles), score_job(tiles)) for tiles in maps), strict=True)
    yield make_row("score a map", "ms", new, target=SCORE_TARGET, note=f"with empty caches; {size}")
    yield make_row("score it again", "ms", repeated)
    growing = [random_map(random.Random(seed), TILES, lakes=False) for seed in seeds]
    jobs = [
        (legal_cells_job(tiles, 2 * seed), legal_cells_job(tiles, 2 * seed + 1))
        for seed, tiles in zip(seeds, growing, strict=True)
    ]
    new, repeated = zip(*(time_uncached(*pair) for pair in jobs), strict=True)
    yield make_row(
        "find the legal cells of a drawn tile", "ms", new, target=LEGAL_TARGET, note="both sides, all rotations"
    )
    yield make_row("find those of another tile", "ms", repeated)


def score_job(tiles: TrailMap) -> Callable[[], object]:
    final = Final((FinalPlayer("Ann", tiles, goal=Goal("path-icons", "rock")),))
    return lambda: score(final)


def legal_cells_job(tiles: TrailMap, seed: int) -> Callable[[], object]:
    drawn = random_tile(random.Random(seed))
    trail = Tile("trail", drawn.terrain, drawn.exits or "NE", 2, 1)
    terrain = Tile("terrain", drawn.terrain, icons=2)
    return lambda: (legal_placements(tiles, trail), legal_placements(tiles, terrain))


def time_uncached(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds of a call with empty caches, and of one right after it."""
    ours = [module for name, module in sys.modules.items() if name.startswith("scoring.alpine_trails.")]
    for value in [value for module in ours for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()
    return time_call(first), time_call(second)
