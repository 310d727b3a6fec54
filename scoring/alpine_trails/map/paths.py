"""Out-and-back paths from a lake to a fork, campsite or base camp, and the longest of them."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.map.grid import neighbors, open_ends, tiles_by_cell
from scoring.alpine_trails.map.tiles import OPPOSITE, Cell, TrailMap
from scoring.alpine_trails.map.trails import cells_joined_to_camp, links
from scoring.kernel.move import chosen_option


class Path(Struct, frozen=True):
    """An out-and-back path with its miles, and the tiles that count from the lake back."""

    miles: int
    cells: tuple[Cell, ...]
    end: Cell  # cell of the lake, or of an open end
    start: Cell  # cell of the fork, campsite or base camp square where it starts
    tile_miles: tuple[int, ...]  # miles of each tile
    is_pair: bool = False  # whether it joins two trails that meet at a lake


@lru_cache(maxsize=256)
def out_and_back_paths(tiles: TrailMap, includes_forks: bool = False, includes_open: bool = False) -> tuple[Path, ...]:
    """Return every path from a lake back to the nearest fork, campsite or base camp.

    Trails that are not connected to base camp are left out.

    :param includes_forks: whether the miles of the fork count too.
    :param includes_open: whether trails without a lake count too.
    """
    by_cell, joined_cells = tiles_by_cell(tiles), cells_joined_to_camp(tiles)
    ends = [tile.cell for tile in tiles if tile.kind == "lake"]
    ends += open_ends(tiles) if includes_open else ()
    found = []
    for end in ends:
        for letter, neighbor in neighbors(end):
            if neighbor in by_cell and neighbor in joined_cells and OPPOSITE[letter] in by_cell[neighbor].exits:
                found.append(_out_and_back_path(tiles, end, neighbor, includes_forks))
    return tuple(path for path in found if path)


def _out_and_back_path(tiles: TrailMap, end: Cell, first_cell: Cell, includes_forks: bool) -> Path | None:
    by_cell, linked = tiles_by_cell(tiles), links(tiles)
    path_cells: list[Cell] = []
    before = end
    while by_cell[first_cell].kind == "trail" and not by_cell[first_cell].is_fork:
        path_cells.append(first_cell)
        next_cells = [neighbor for neighbor in linked[first_cell] if neighbor != before]
        if not next_cells:  # ends in another lake, or has no continuation
            return None
        before, first_cell = first_cell, next_cells[0]
    if includes_forks and by_cell[first_cell].is_fork:
        path_cells.append(first_cell)
    steps = tuple(by_cell[cell].miles for cell in path_cells)
    return Path(sum(steps), tuple(path_cells), end, first_cell, steps)


def longest_paths(tiles: TrailMap, rulings: dict[str, str] | None = None) -> tuple[Path, ...]:
    """Return the longest path, or all tied paths; empty if there is no path."""
    rulings = rulings or {}
    found = list(
        out_and_back_paths(
            tiles, chosen_option(rulings, r.FORK_MILES) == "yes", chosen_option(rulings, r.PATH_WITHOUT_LAKE) == "yes"
        )
    )
    if chosen_option(rulings, r.SHARED_LAKE) == "joined":
        found = [*found, *_joined_pairs(found)]
    most = max((path.miles for path in found), default=0)
    return tuple(path for path in found if path.miles == most)


def _joined_pairs(paths: list[Path]) -> Iterator[Path]:
    for number, first in enumerate(paths):
        for second in paths[:number]:
            if first.end == second.end and not set(first.cells) & set(second.cells):
                steps = (*reversed(first.tile_miles), *second.tile_miles)
                yield Path(sum(steps), (*reversed(first.cells), *second.cells), first.end, second.start, steps, True)
