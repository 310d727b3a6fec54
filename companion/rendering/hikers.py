"""Where the hikers of PARKS and their tags stand in the pictures of the Trail on a screen."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LETTER_WIDTH = 0.72  # in font sizes
FIGURE_WIDTH = 50  # at scale 1
MIN_CROWD = 5  # hikers on a space, from which two of one player share a tag
END_SCALE, ROWS_SCALE = 0.7, 0.8  # how much smaller figures are at Trail’s End, and above tags in rows


class Figure(NamedTuple):
    """A hiker of a player; x and y are the point between its feet."""

    seat: int
    number: int  # 0 or 1
    space: int
    x: float
    y: float
    scale: float
    is_marked: bool  # on a site, of the player in turn


class Tag(NamedTuple):
    """The letters of a player, under one hiker or two; x is the middle."""

    seat: int
    number: int  # of the hiker, or of the one in front
    text: str
    x: float
    ground: float
    row: int  # 0: the lowest

    @property
    def width(self) -> float:
        """Return the width of the tag in font sizes."""
        return LETTER_WIDTH * len(self.text) + 0.5


class TrailPicture(NamedTuple):
    """The measures of a picture of the Trail."""

    # Of each space, in its order on the Trail: the left edge, the y of the ground, the width.
    spaces: tuple[tuple[float, float, float], ...]
    first_end_space: int
    figure_scale: float
    tag_size: float  # the font size of the tags
    has_numbers: bool  # the hikers of the player in turn are numbered

    def place_hikers(
        self, hikers_by_seat: Sequence[tuple[int, int]], letters: Sequence[str], turn_seat: int | None
    ) -> tuple[list[Figure], list[Tag]]:
        """Return the figures and the tags of all hikers, by seat and number.

        Tags that do not fit beside each other are in rows, with the figures above them.
        """
        figures: list[Figure] = []
        tags: list[Tag] = []
        for space in {space for hikers in hikers_by_seat for space in hikers}:
            left, ground, width = self.spaces[space]
            is_end = space >= self.first_end_space
            places = list(_places(hikers_by_seat, space))
            tag_width = self.tag_size * (LETTER_WIDTH * max(len(letters[seat]) for seat, _ in places) + 0.6)
            columns = min(max(int(width // tag_width), 1), len(places))
            last_row = (len(places) - 1) // columns
            scale = self.figure_scale * (END_SCALE if is_end else 1) * (ROWS_SCALE if last_row else 1)
            outer_width = max(tag_width, FIGURE_WIDTH * scale) if self.has_numbers else tag_width
            step = min(2.1 * self.tag_size, (width - outer_width) / max(columns - 1, 1))
            middle = left + width / 2 + self._shift(space, len(places))
            for index, (seat, numbers) in enumerate(places):
                row_length = min(columns, len(places) - index // columns * columns)
                x = middle + step * (index % columns - (row_length - 1) / 2)
                row = last_row - index // columns
                y = ground - self.tag_size * (1.2 * last_row + 0.7 * row)
                is_marked = seat == turn_seat and space > 0 and not is_end
                *behind, front = numbers
                offset = self.tag_size * (0.6 if len(places) <= 2 else 0.35) if behind else 0
                figures.append(Figure(seat, front, space, x + offset, y, scale, is_marked))
                for number in behind:
                    figures.append(Figure(seat, number, space, x - offset, y - 0.35 * self.tag_size, scale, False))
                text = letters[seat] + self._number_text(hikers_by_seat[seat], front, seat == turn_seat)
                tags.append(Tag(seat, front, text, x, ground, row))
        return sorted(figures), sorted(tags)

    def _shift(self, space: int, place_count: int) -> float:
        """Return how far from the middle hikers stand, so that one or two do not hide the sign."""
        _, _, width = self.spaces[space]
        if place_count > 2 or (place_count == 2 and width < 6 * self.tag_size):
            return 0
        if place_count == 1 and space >= self.first_end_space:
            return -0.25 * width
        if not self.has_numbers:
            return -0.5 * self.tag_size
        return (0.4 if place_count == 1 and space else -0.4) * self.tag_size

    def _number_text(self, hikers: tuple[int, int], number: int, is_in_turn: bool) -> str:
        """Return the number of a hiker of the player in turn, while both hike and are on different spaces."""
        is_numbered = self.has_numbers and is_in_turn and hikers[0] != hikers[1] and hikers[1] < self.first_end_space
        return str(number + 1) if is_numbered else ""


def _places(hikers_by_seat: Sequence[tuple[int, int]], space: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the tags on a space: their seat, and the numbers of the hikers above each."""
    numbers_by_seat = [[number for number in (0, 1) if hikers[number] == space] for hikers in hikers_by_seat]
    is_crowd = sum(map(len, numbers_by_seat)) >= MIN_CROWD
    for seat, numbers in enumerate(numbers_by_seat):
        if is_crowd and numbers:
            yield seat, numbers
        else:
            yield from ((seat, [number]) for number in numbers)
