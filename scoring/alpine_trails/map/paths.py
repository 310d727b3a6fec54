"""Out-and-back paths from a lake to a fork, campsite or base camp, and the longest of them."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.box import MILES
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

    @property
    def least_miles(self) -> int:
        """Return the miles that it has at least if some are not entered."""
        return sum(miles or MILES[0] for miles in self.tile_miles)

    @property
    def most_miles(self) -> int:
        """Return the miles that it has at most if some are not entered."""
        return sum(miles or MILES[-1] for miles in self.tile_miles)

    @property
    def unknown_cells(self) -> tuple[Cell, ...]:
        """Return its tiles without miles, from the lake back."""
        return tuple(cell for cell, miles in zip(self.cells, self.tile_miles, strict=True) if not miles)


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
    found = candidate_paths(tiles, rulings or {})
    most = max((path.miles for path in found), default=0)
    return tuple(path for path in found if path.miles == most)


def candidate_paths(tiles: TrailMap, rulings: dict[str, str]) -> tuple[Path, ...]:
    """Return the paths among which the longest one scores."""
    found = out_and_back_paths(
        tiles, chosen_option(rulings, r.FORK_MILES) == "yes", chosen_option(rulings, r.PATH_WITHOUT_LAKE) == "yes"
    )
    if chosen_option(rulings, r.SHARED_LAKE) == "joined":
        return (*found, *_joined_pairs(found))
    return found


def next_path_to_measure(tiles: TrailMap, rulings: dict[str, str], counts_ties: bool) -> Path | None:
    """Return the path whose missing miles to enter first; None if none can change the score.

    A path can be the longest if it has more miles at most than another one has at least. As many miles make a
    difference only for a goal that counts the icons on the longest path.

    :param counts_ties: whether the score depends on which of several tied paths is the longest.
    """
    return max(_undecided_paths(tiles, rulings, counts_ties), key=_measuring_priority, default=None)


def _measuring_priority(path: Path) -> tuple[int, int]:
    return path.most_miles, len(path.unknown_cells)


def cells_to_measure(tiles: TrailMap, rulings: dict[str, str], counts_ties: bool) -> tuple[Cell, ...]:
    """Return the trail tiles whose missing miles can still change the score.

    :param counts_ties: whether the score depends on which of several tied paths is the longest.
    """
    undecided = _undecided_paths(tiles, rulings, counts_ties)
    return tuple(dict.fromkeys(cell for path in undecided for cell in path.unknown_cells))


def _undecided_paths(tiles: TrailMap, rulings: dict[str, str], counts_ties: bool) -> tuple[Path, ...]:
    found = candidate_paths(tiles, rulings)
    best = max((path.least_miles for path in found), default=0)
    return tuple(
        path
        for path in found
        if path.unknown_cells and (path.most_miles > best or (counts_ties and path.most_miles == best))
    )


def _joined_pairs(paths: tuple[Path, ...]) -> Iterator[Path]:
    for number, first in enumerate(paths):
        for second in paths[:number]:
            if first.end == second.end and not set(first.cells) & set(second.cells):
                steps = (*reversed(first.tile_miles), *second.tile_miles)
                yield Path(sum(steps), (*reversed(first.cells), *second.cells), first.end, second.start, steps, True)
