"""Arrange maps of ALPINE TRAILS at one scale: on paper, in pictures and in the table view."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.rendering.text_size import TEXT_FONT, FittedText, fit_text, text_width

POINTS_PER_MM = 72 / 25.4
MIN_CELL, MAX_CELL = 6.02 * POINTS_PER_MM, 20 * POINTS_PER_MM  # pt: width and height of a tile on paper
# pt: the room for maps on a page of their own, on either paper, upright and landscape.
PORTRAIT, LANDSCAPE = (538.0, 655.0), (735.0, 455.0)
# pt: the height of the room for maps on a sheet, by the number of its players: with text of 9.5 pt, and of 8.5 pt.
ROOMS_ON_SHEET = {1: (310, 360), 2: (285, 340), 3: (285, 330), 4: (165, 235), 5: (175, 235)}
ROOMS_ON_FIRST_OF_TWO_PAGES, ROOMS_ON_HALF_PAGE = (480, 520), (95, 125)
NOTE_HEIGHT = 21  # pt: of a note below the lines of a sheet
NAME_SIZE, MIN_NAME_SIZE, CAPTION_HEIGHT, GAP = 11.0, 7.0, 18.0, 12.0  # pt: of the names below maps, and between maps
# px: of the maps on the picture of a result
MAX_PICTURE_CELL, PICTURE_NAME_SIZE, MIN_PICTURE_NAME_SIZE, PICTURE_CAPTION_HEIGHT, PICTURE_GAP = 110.0, 24, 15, 40, 24

Rows = tuple[tuple[int, ...], ...]  # the numbers of the maps in each row


class PackedRows(NamedTuple):
    """Pictures in rows, all at one scale."""

    rows: Rows
    scale: float  # the size of one unit of a picture


class GridFit(NamedTuple):
    """A grid of pictures, all at one scale."""

    columns: int
    has_captions_beside: bool  # whether each caption is beside its picture, not above it
    scale: float  # the size of one unit of a picture


class PrintedMaps(NamedTuple):
    """The maps of a game on paper; each is whole on one page."""

    cell: float  # pt: the width and height of a tile
    on_sheet: Rows  # seats in each row, on the sheet with the points; empty if the maps have their own pages
    on_own_pages: tuple[Rows, ...]
    is_landscape: bool  # whether their own pages are wider than high
    name_sizes: dict[int, int]  # pt: of the name below each map, by seat

    @property
    def is_too_small(self) -> bool:
        """Return whether no page has room for a map with tiles of the least size."""
        return self.cell < MIN_CELL


class PlacedMap(NamedTuple):
    """A map on the picture of a result, with its name below it; all maps have the same scale."""

    seat: int
    x: float
    y: float
    width: float
    height: float
    name: FittedText


def map_size(tiles: Sequence[Any]) -> tuple[int, int]:
    """Return the width and height of a map in cells, (0, 0) without tiles."""
    if not tiles:
        return 0, 0
    xs, ys = [tile.x for tile in tiles], [tile.y for tile in tiles]
    return max(xs) + 1 - min(xs), max(ys) + 1 - min(ys)


def largest_map(maps: Iterable[Sequence[Any]]) -> tuple[int, int]:
    """Return the largest width and height of some maps, in cells; at least those of base camp."""
    widths, heights = zip((2, 1), *map(map_size, maps), strict=True)
    return max(widths), max(heights)


def fit_in_grid(
    size: tuple[float, float],
    count: int,
    area: tuple[float, float],
    caption: tuple[float, float],
    gap: float,
    min_width: float,
) -> GridFit:
    """Return the grid for some pictures in which their scale is largest.

    :param size: the largest width and the largest height of the pictures, in any unit.
    :param area: width and height of the grid.
    :param caption: the width of a caption beside a picture, and its height above one.
    :param min_width: the least width of a column.
    """
    fits = []
    max_columns = max(1, min(count, int(area[0] / (min_width + gap))))
    for columns, is_beside in itertools.product(range(1, max_columns + 1), (True, False)):
        width = area[0] / columns - gap - (caption[0] if is_beside else 0)
        height = area[1] / math.ceil(count / columns) - gap - (0 if is_beside else caption[1])
        fits.append(GridFit(columns, is_beside, min(width / size[0], height / size[1])))
    return max(fits, key=lambda fit: fit.scale)


def pack_rows(
    sizes: Sequence[tuple[float, float]],
    caption_widths: Sequence[float],
    area: tuple[float, float],
    caption_height: float,
    gap: float,
) -> PackedRows:
    """Return the rows, in order, in which pictures with captions below them have the largest scale.

    :param sizes: width and height of each picture, in any unit.
    :param area: width and height of the room for all rows.
    """

    def scale_of(rows: Rows) -> float:
        height = sum(max(sizes[item][1] for item in row) for row in rows)
        scale = (area[1] - len(rows) * caption_height) / height
        return min(scale, *(row_scale(row) for row in rows))

    def row_scale(row: tuple[int, ...]) -> float:
        return _scale_in_width(
            [sizes[item][0] for item in row], [caption_widths[item] for item in row], area[0] - gap * (len(row) - 1)
        )

    return max((PackedRows(rows, scale_of(rows)) for rows in _splits(range(len(sizes)))), key=lambda fit: fit.scale)


def _scale_in_width(widths: Sequence[float], caption_widths: Sequence[float], room: float) -> float:
    """Return the scale at which pictures, each as wide as its caption at least, fill a width."""
    items = sorted(zip(widths, caption_widths, strict=True), key=lambda item: item[1] / item[0])
    while True:
        width, caption_width = items[-1]
        scale = room / sum(width for width, _ in items)
        if scale * width >= caption_width:
            return scale
        if len(items) == 1:
            return scale if caption_width <= room else 0
        items.pop()
        room -= caption_width


def _splits(items: Sequence[int]) -> Iterator[Rows]:
    """Yield every way to split items into groups of neighbors, the fewest groups first."""
    for count in range(len(items)):
        for cuts in itertools.combinations(range(1, len(items)), count):
            yield tuple(tuple(items[start:end]) for start, end in itertools.pairwise((0, *cuts, len(items))))


def print_maps(
    players: Sequence[Any], page_count: int = 1, is_half_page: bool = False, note_count: int = 0
) -> PrintedMaps | None:
    """Return how the maps of a final position are printed, or None if it has no map.

    The maps are on the sheet if their tiles are large enough there, else on as few pages of their own as possible.

    :param page_count: the number of pages of the sheet without them.
    :param note_count: the number of notes below each other on it.
    """
    seats = [seat for seat, player in enumerate(players) if player.map]
    if not seats:
        return None
    sizes = [map_size(player.map) for player in players]
    names = [text_width(player.name, TEXT_FONT, MIN_NAME_SIZE) for player in players]

    def pack(chosen: Sequence[int], area: tuple[float, float]) -> PackedRows:
        rows, scale = pack_rows(
            [sizes[seat] for seat in chosen], [names[seat] for seat in chosen], area, CAPTION_HEIGHT, GAP
        )
        return PackedRows(tuple(tuple(chosen[item] for item in row) for row in rows), scale)

    def printed(scale: float, on_sheet: Rows, on_own_pages: tuple[Rows, ...], is_landscape: bool) -> PrintedMaps:
        cell = min(scale, MAX_CELL)
        name_sizes = {
            seat: int(max(MIN_NAME_SIZE, min(NAME_SIZE, MIN_NAME_SIZE * cell * sizes[seat][0] / max(names[seat], 1))))
            for seat in seats
        }
        return PrintedMaps(cell, on_sheet, on_own_pages, is_landscape, name_sizes)

    for height in _rooms_on_sheet(len(players), page_count, is_half_page, note_count):
        rows, scale = pack(seats, (PORTRAIT[0], height))
        if scale >= MIN_CELL:
            return printed(scale, rows, (), False)
    choices = [
        printed(min(page.scale for page in pages), (), tuple(page.rows for page in pages), is_landscape)
        for split in _splits(seats)
        for is_landscape, area in ((False, PORTRAIT), (True, LANDSCAPE))
        for pages in ([pack(group, area) for group in split],)
    ]
    return max(choices, key=lambda maps: (min(maps.cell, MIN_CELL), -len(maps.on_own_pages), maps.cell))


def place_maps(
    players: Sequence[Any], seats: Sequence[int], area: tuple[float, float, float, float]
) -> tuple[PlacedMap, ...]:
    """Return where the maps of a result are on its picture, in the order of the seats.

    :param area: left and upper edge, width and height of the room for them.
    """
    seats = [seat for seat in seats if players[seat].map]
    if not seats:
        return ()
    left, top, room, height = area
    sizes = [map_size(players[seat].map) for seat in seats]
    names = [text_width(players[seat].name, TEXT_FONT, MIN_PICTURE_NAME_SIZE) for seat in seats]
    rows, scale = pack_rows(sizes, names, (room, height), PICTURE_CAPTION_HEIGHT, PICTURE_GAP)
    scale = min(scale, MAX_PICTURE_CELL)
    row_heights = [scale * max(sizes[item][1] for item in row) + PICTURE_CAPTION_HEIGHT for row in rows]
    row_gap = (height - sum(row_heights)) / (len(rows) + 1)
    placed, bottom = [], top
    for row, row_height in zip(rows, row_heights, strict=True):
        bottom += row_height + row_gap
        widths = [max(scale * sizes[item][0], names[item]) for item in row]
        gap = (room - sum(widths)) / len(row)
        x = left + gap / 2
        for item, width in zip(row, widths, strict=True):
            map_width, map_height = scale * sizes[item][0], scale * sizes[item][1]
            name = fit_text(
                players[seats[item]].name, TEXT_FONT, PICTURE_NAME_SIZE, width + gap / 2, MIN_PICTURE_NAME_SIZE
            )
            y = bottom - PICTURE_CAPTION_HEIGHT - map_height
            placed.append(PlacedMap(seats[item], x + (width - map_width) / 2, y, map_width, map_height, name))
            x += width + gap
    return tuple(placed)


def _rooms_on_sheet(player_count: int, page_count: int, is_half_page: bool, note_count: int) -> tuple[float, ...]:
    if is_half_page:
        return ROOMS_ON_HALF_PAGE
    if page_count == 2:  # the lines and the notes are on the second
        return ROOMS_ON_FIRST_OF_TWO_PAGES
    return tuple(height - NOTE_HEIGHT * note_count for height in ROOMS_ON_SHEET[player_count])
