"""The longest path of a map: an out-and-back trail from a lake to the nearest fork, campsite or base camp."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import beside, cells, open_ends
from scoring.alpine_trails.map.tiles import BACK, Cell, TrailMap
from scoring.alpine_trails.map.trails import joined, links
from scoring.kernel.move import chosen


class Path(Struct, frozen=True):
    """An out-and-back trail: its miles and the tiles that count, from the lake back to where it starts."""

    miles: int
    cells: tuple[Cell, ...]
    end: Cell  # the lake
    start: Cell  # the fork, campsite or square of base camp it is measured to
    steps: tuple[int, ...]  # the miles of each tile
    pair: bool = False  # two trails that meet at a lake, added up


@lru_cache(maxsize=256)
def arms(tiles: TrailMap, forks: bool = False, without_lake: bool = False) -> tuple[Path, ...]:
    """Return every trail that ends in a lake, measured back to the nearest fork, campsite or base camp.

    With `forks`, the miles of the fork count too; `without_lake`, trails that were left open count as well.
    A trail that is not joined to base camp is left out.
    """
    at, home = cells(tiles), joined(tiles)
    ends = [tile.cell for tile in tiles if tile.kind == "lake"]
    ends += open_ends(tiles) if without_lake else ()
    found = []
    for end in ends:
        for letter, there in beside(end):
            if there in at and there in home and BACK[letter] in at[there].exits:
                found.append(_arm(tiles, end, there, forks))
    return tuple(arm for arm in found if arm)


def _arm(tiles: TrailMap, end: Cell, here: Cell, forks: bool) -> Path | None:
    at, linked = cells(tiles), links(tiles)
    walked: list[Cell] = []
    before = end
    while at[here].kind == "trail" and not at[here].fork:
        walked.append(here)
        onward = [there for there in linked[here] if there != before]
        if not onward:  # between two lakes, or broken off
            return None
        before, here = here, onward[0]
    if forks and at[here].fork:
        walked.append(here)
    steps = tuple(at[cell].miles for cell in walked)
    return Path(sum(steps), tuple(walked), end, here, steps)


def longest(tiles: TrailMap, rulings: dict[str, str] | None = None) -> tuple[Path, ...]:
    """Return the longest path, or all that tie for it; none if no trail ends in a lake."""
    rulings = rulings or {}
    found = list(arms(tiles, chosen(rulings, r.FORK_MILES) == "yes", chosen(rulings, r.PATH_WITHOUT_LAKE) == "yes"))
    if chosen(rulings, r.SHARED_LAKE) == "joined":
        found = [*found, *_joined_pairs(found)]
    most = max((path.miles for path in found), default=0)
    return tuple(path for path in found if path.miles == most)


def _joined_pairs(found: list[Path]) -> Iterator[Path]:
    for number, one in enumerate(found):
        for other in found[:number]:
            if one.end == other.end and not set(one.cells) & set(other.cells):
                steps = (*reversed(one.steps), *other.steps)
                yield Path(sum(steps), (*reversed(one.cells), *other.cells), one.end, other.start, steps, True)
