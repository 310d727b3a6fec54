"""Computes charts of past games: where the templates draw lines, bars and labels.

Lengths are in units of a view box as wide as a phone's screen, so that labels stay readable there.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, count, islice, pairwise
from math import ceil
from string import ascii_uppercase
from typing import NamedTuple

from msgspec.structs import replace

from companion.history.result import PlayerResult, Result
from companion.log.table import Table
from scoring.kernel.box import Box
from scoring.kernel.state import GameState
from scoring.kernel.tracked_game import Progress, TrackedGame

WIDTH = 328.0
TEXT_HEIGHT = 12.0  # of the smallest text
LABEL_GAP = 4.0  # between labels of a row
LINE_HEIGHT = 15.0  # from one label to the next below it
NARROW_LETTERS, BROAD_LETTERS = frozenset("ijlftrI1 .,:;'!|()[]-"), frozenset("mMW@%\u2026\u00c6\u0152")
PLOT_HEIGHT = 200.0
LEFT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 26.0, 22.0, 20.0  # for axis values, chapters and dates
CHAPTER_Y = TOP_MARGIN - 8  # of the lowest row of chapters
NAMES_WIDTH = 104.0  # maximum for the names at the ends of the lines
SAMPLE_WIDTH = 24.0  # part of NAMES_WIDTH for a sample of the line before the name
MAX_LINES = 5  # each line has a different pattern
MAX_GAMES = 60
MAX_DOTS_IN_ONE_PLOT = 60  # with more dots, each line has a separate strip
STRIP_HEIGHT, STRIP_GAP = 44.0, 16.0
DOT_RADIUS, SMALL_DOT_RADIUS = 2.6, 1.6
NAME_HEIGHT, BAR_HEIGHT, BAR_GAP = 18.0, 22.0, 12.0  # of a player's row in a bar chart
COLUMNS_HEIGHT = 150.0  # of the plot of a column chart
COLUMN_SHARE, MAX_COLUMN_WIDTH = 0.76, 40.0  # of the room of a column that it fills
MIN_LETTER_SEGMENT = 14.0  # minimum width of a bar segment with a letter; its points need additional room


class PointsOverTime(NamedTuple):
    """The points of each player over the course of a game."""

    names: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]  # for each player, the points after each step that changed any points
    chapter_starts: tuple[tuple[int, str], ...]  # the first index in the series and the title of each chapter
    unit: str  # "points", or what a game without points counts
    awards_text: str = ""  # a sentence that names the points added at the end, such as for a majority


class Label(NamedTuple):
    """A text and its place."""

    x: float
    y: float
    text: str


class Dot(NamedTuple):
    """A value on a line."""

    x: float
    y: float
    value: int
    is_winner: bool


class ChartLine(NamedTuple):
    """The line of one player."""

    pattern: int  # index of the line's pattern
    player_name: str
    label: Label  # the name beside the last value, shortened to fit
    path: str
    dots: tuple[Dot, ...]
    last_value: int


class LineChart(NamedTuple):
    """A line chart."""

    height: float
    bottom: float  # bottom edge of the plot
    right: float  # right edge of the plot
    grid: tuple[Label, ...]  # each with a horizontal line
    lines: tuple[ChartLine, ...]
    chapters: tuple[Label, ...] = ()
    chapter_starts: tuple[float, ...] = ()  # each with a vertical line
    top: float = 0.0  # upper edge of the picture; negative if the chapters need several rows
    # The date of each game and the dots of all lines for it; None for players who did not take part.
    games: tuple[tuple[str, tuple[Dot | None, ...]], ...] = ()
    dot_radius: float = DOT_RADIUS


class BarSegment(NamedTuple):
    """A segment of a bar."""

    pattern: int  # index of the segment's pattern
    x: float
    width: float
    text: str
    label_width: float  # width of the pattern that the text covers


class Bar(NamedTuple):
    """The bar of one player, below the name."""

    name: str  # shortened to fit
    y: float
    segments: tuple[BarSegment, ...]
    total: Label


class BarRow(NamedTuple):
    """The values of a bar or a column."""

    name: str
    values: tuple[float, ...]  # of each segment, none negative
    total: str  # the sum as people read it


class BarChart(NamedTuple):
    """A bar chart with its legend."""

    height: float
    bars: tuple[Bar, ...]
    legend: tuple[tuple[int, str, str], ...]  # pattern, letter, title


class ColumnSegment(NamedTuple):
    """A segment of a column."""

    pattern: int  # index of the segment's pattern
    y: float
    height: float


class Column(NamedTuple):
    """A column with its total above and its name below; a label that has no room is empty."""

    x: float
    segments: tuple[ColumnSegment, ...]
    total: Label
    name: Label


class ColumnChart(NamedTuple):
    """A column chart with its legend."""

    height: float
    left: float  # left edge of the plot
    right: float  # right edge of the plot
    column_width: float
    grid: tuple[Label, ...]  # each with a horizontal line
    columns: tuple[Column, ...]
    legend: tuple[tuple[int, str, str], ...]  # pattern, letter (empty), title


# The course of a game


def points_over_time(table: Table) -> PointsOverTime | None:
    """Return the points, or the `progress` of the game, over the course of a finished game.

    Awards that may change hands are only in the last values. None if the game was only scored and not tracked.
    """
    tracked = table.tracked
    if tracked.is_score_entry or not table.steps:
        return None
    progress = tracked.progress or Progress("points", partial(_totals, tracked))
    previous_chapter: str | None = None
    marks: list[tuple[int, str]] = []
    values_by_step: list[tuple[int, ...]] = []
    for state in (table.initial_state, *(step.after for step in table.steps)):
        values = progress.values(state)
        if not values_by_step or values != values_by_step[-1]:
            values_by_step.append(values)
        if (chapter := tracked.text.chapter(state)) != previous_chapter:
            marks.append((len(values_by_step) - 1, chapter))
            previous_chapter = chapter
    if tracked.box.has_points and (totals := _totals(tracked, table.state)) != values_by_step[-1]:
        values_by_step.append(totals)
    series = tuple(zip(*values_by_step, strict=True))
    return PointsOverTime(table.names, series, tuple(marks), progress.unit, progress.awards_text)


def _totals(tracked: TrackedGame, state: GameState) -> tuple[int, ...]:
    """Return the points of each player, if the game ended in a state."""
    return tuple(column.total for column in tracked.box.score(tracked.final_position(state)).columns)


def points_chart(points: PointsOverTime) -> LineChart:
    """Return the chart of the points over the course of a game, as step lines."""
    last_values = [series[-1] for series in points.series]
    bottom, right = TOP_MARGIN + PLOT_HEIGHT, _right_edge(points.names, last_values)
    axis = _axis_values(points.series)
    x_scale = _scale(0, len(points.series[0]), LEFT_MARGIN, right)
    y_scale = _scale(axis[0], axis[-1], bottom, TOP_MARGIN)
    label_heights = _spread_labels([y_scale(last_value) for last_value in last_values])
    chapters = _chapter_labels([(x_scale(step), title) for step, title in points.chapter_starts if title])
    return LineChart(
        height=bottom + BOTTOM_MARGIN / 2,
        bottom=bottom,
        right=right,
        grid=_grid(axis, [y_scale]),
        lines=tuple(
            _chart_line(number, right, name, series[-1], height, f"{_step_path(series, x_scale, y_scale)}H{right:.1f}")
            for number, (name, series, height) in enumerate(
                zip(points.names, points.series, label_heights, strict=True)
            )
        ),
        chapters=chapters,
        chapter_starts=tuple(x_scale(step) for step, title in points.chapter_starts if title),
        top=min((label.y for label in chapters), default=CHAPTER_Y) - CHAPTER_Y,
    )


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    """Return a function that maps the range `low` to `high` linearly to `start` to `end`."""
    return lambda value: start + (value - low) * (end - start) / (high - low)


def _step_path(series: Sequence[int], x_scale: Scale, y_scale: Scale) -> str:
    """Return the SVG path of a line that stays constant until the next value."""
    first_points, *later_points = series
    steps = (f"H{x_scale(step):.1f}V{y_scale(points):.1f}" for step, points in enumerate(later_points, 1))
    return f"M{x_scale(0):.1f} {y_scale(first_points):.1f}{''.join(steps)}"


def _grid(values: Sequence[int], y_scales: Iterable[Scale], left: float = LEFT_MARGIN) -> tuple[Label, ...]:
    """Return the labels of some values in each plot."""
    return tuple(Label(left - 4, y_scale(value), str(value)) for y_scale in y_scales for value in values)


def _axis_values(series: Iterable[Iterable[int]]) -> list[int]:
    """Return a few round numbers that span all values and include zero."""
    values = [value for line in series for value in line]
    lowest, highest = min([0, *values]), max([1, *values])
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if (highest - lowest) / step <= 5)
    return list(range(lowest // step * step, -(-highest // step) * step + 1, step))


def _right_edge(names: Iterable[str], last_values: Iterable[int]) -> float:
    """Return the right edge of the plot that leaves room for the last values and the names."""
    labels = (f"{value} {name}" for name, value in zip(names, last_values, strict=True))
    return WIDTH - min(NAMES_WIDTH, SAMPLE_WIDTH + 1 + max(map(text_width, labels)))


def _chart_line(
    pattern: int, right: float, name: str, last_value: int, label_height: float, path: str, dots: tuple[Dot, ...] = ()
) -> ChartLine:
    """Return a line with its last value and the player's name at its end.

    :param right: the right edge of the plot.
    """
    short_name = _shorten(name, WIDTH - right - SAMPLE_WIDTH - text_width(f"{last_value} "))
    label = Label(right + SAMPLE_WIDTH, label_height + 4, short_name)
    return ChartLine(pattern, name, label, path, dots, last_value)


def _spread_labels(line_ends: Sequence[float]) -> list[float]:
    """Return the heights of the labels at the ends of lines, moved apart so that none overlap."""
    heights = list(line_ends)
    limit = TOP_MARGIN
    for index, height in sorted(enumerate(line_ends), key=lambda end: end[1]):
        limit = heights[index] = max(height, limit)
        limit += LINE_HEIGHT
    limit = TOP_MARGIN + PLOT_HEIGHT
    for height in sorted(range(len(heights)), key=heights.__getitem__, reverse=True):
        limit = heights[height] = min(heights[height], limit)
        limit -= LINE_HEIGHT
    return heights


def text_width(text: str) -> float:
    """Return an upper estimate of the width of a text, in bold."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":  # Chinese and Japanese characters, and emoji
        return 12.0
    if letter in NARROW_LETTERS:
        return 5.0
    if letter in BROAD_LETTERS:
        return 11.0
    return 7.6 if letter.islower() or letter.isdigit() else 9.0


def _shorten(text: str, max_width: float) -> str:
    """Return a text, shortened with an ellipsis if it is too wide."""
    if text_width(text) <= max_width:
        return text
    while text and text_width(f"{text}\u2026") > max_width:
        text = text[:-1].rstrip()
    return f"{text}\u2026"


def _chapter_labels(marks: Sequence[tuple[float, str]]) -> tuple[Label, ...]:
    """Return a label above the start of each chapter; shortened, in several rows, if they overlap.

    :param marks: the x of its start, and its title.
    """
    labels = _place_in_rows(marks)
    if any(label.y < CHAPTER_Y for label in labels):
        labels = _place_in_rows([(x, title) for (x, _), title in zip(marks, _short_titles(marks), strict=True)])
    return labels


def _short_titles(marks: Sequence[tuple[float, str]]) -> Iterator[str]:
    """Yield the titles of chapters without a repeated first word: "Round 1", "2", "3"."""
    previous_word = ""
    for _, title in marks:
        word, _, rest = title.partition(" ")
        yield rest if rest and word == previous_word else title
        previous_word = word


def _place_in_rows(marks: Iterable[tuple[float, str]]) -> tuple[Label, ...]:
    """Return labels that begin at their marks, each in the highest row that has room."""
    places: list[tuple[float, int, str]] = []  # x, row, text
    row_ends: list[float] = []  # from the highest row down
    for x, text in marks:
        left = min(x, WIDTH - text_width(text))
        row = next((row for row, end in enumerate(row_ends) if left >= end), len(row_ends))
        row_ends[row : row + 1] = [left + text_width(text) + LABEL_GAP]
        places.append((left, row, text))
    top = CHAPTER_Y - LINE_HEIGHT * (len(row_ends) - 1)
    return tuple(Label(left, top + LINE_HEIGHT * row, text) for left, row, text in places)


# Points by category


def stacked_bars(players: Sequence[PlayerResult], categories: Sequence[tuple[str, str]]) -> BarChart:
    """Return a bar for each player, stacked by category; negative points are left out."""
    used = [(id, title) for id, title in categories if any(player.categories.get(id, 0) > 0 for player in players)]
    rows = [
        BarRow(player.name, tuple(max(0, player.categories.get(id, 0)) for id, _ in used), str(player.points or 0))
        for player in players
    ]
    return bar_chart(rows, [title for _, title in used])


def bar_chart(rows: Sequence[BarRow], titles: Sequence[str] = ()) -> BarChart:
    """Return a horizontal bar for each row.

    :param titles: the titles of the segments; empty if each bar has one segment, which needs no title.
    """
    total_width = max([40.0, *(text_width(row.total) * 1.25 + 8 for row in rows)])
    per_unit = (WIDTH - total_width) / max([1.0, *(sum(row.values) for row in rows)])
    row_height = NAME_HEIGHT + BAR_HEIGHT + BAR_GAP
    return BarChart(
        height=row_height * len(rows),
        bars=tuple(
            _bar(row, per_unit, row_height * number + NAME_HEIGHT, ascii_uppercase[: len(titles)])
            for number, row in enumerate(rows)
        ),
        legend=tuple((number, ascii_uppercase[number], title) for number, title in enumerate(titles)),
    )


def _bar(row: BarRow, per_unit: float, y: float, letters: str) -> Bar:
    """Return the bar of a row.

    :param letters: the letters of the segments; empty if they have none.
    """
    segments, x = [], 0.0
    for number, value in enumerate(row.values):
        width = value * per_unit
        if value:
            text = _segment_label(letters[number], value, width) if letters else ""
            segments.append(BarSegment(number, x, width, text, min(width - 2, text_width(text) + 2) if text else 0))
        x += width
    total = Label(x + 6, y + BAR_HEIGHT - 6, row.total)
    return Bar(_shorten(row.name, WIDTH), y, tuple(segments), total)


def _segment_label(letter: str, value: float, width: float) -> str:
    """Return the letter and value of a bar segment, or as much of them as fits."""
    text = f"{letter} {value}"
    return text if text_width(text) <= width - 4 else letter if width >= MIN_LETTER_SEGMENT else ""


# Counts by month, year or another sequence


def column_chart(rows: Sequence[BarRow], titles: Sequence[str] = ()) -> ColumnChart:
    """Return a column for each row; names and totals are left out where they have no room.

    :param titles: the titles of the segments; empty if each column has one segment, which needs no title.
    """
    axis = _axis_values([[round(sum(row.values)) for row in rows]])
    left = max(LEFT_MARGIN, 4 + max(text_width(str(value)) for value in axis))
    bottom, right = TOP_MARGIN + COLUMNS_HEIGHT, WIDTH - 8
    room = (right - left) / max(1, len(rows))
    width = min(room * COLUMN_SHARE, MAX_COLUMN_WIDTH)
    y_scale = _scale(axis[0], axis[-1], bottom, TOP_MARGIN)
    names_apart = ceil(max([1.0, *(text_width(row.name) for row in rows)]) / room)
    has_totals = all(text_width(row.total) <= room for row in rows)
    return ColumnChart(
        height=bottom + BOTTOM_MARGIN,
        left=left,
        right=right,
        column_width=width,
        grid=_grid(axis, [y_scale], left),
        columns=tuple(
            _column(
                row,
                left + room * (number + 0.5),
                width,
                y_scale,
                name=row.name if (len(rows) - 1 - number) % names_apart == 0 else "",
                total=row.total if has_totals and any(row.values) else "",
            )
            for number, row in enumerate(rows)
        ),
        legend=tuple((number, "", title) for number, title in enumerate(titles)),
    )


def _column(row: BarRow, middle: float, width: float, y_scale: Scale, *, name: str, total: str) -> Column:
    """Return the column of a row, with the labels that have room."""
    tops = [y_scale(height) for height in accumulate(row.values, initial=0)]
    segments = (
        ColumnSegment(number, top, bottom - top) for number, (bottom, top) in enumerate(pairwise(tops)) if bottom > top
    )
    return Column(
        x=middle - width / 2,
        segments=tuple(segments),
        total=Label(middle, tops[-1] - 5, total),
        name=Label(middle, y_scale(0) + 15, name),
    )


# Results of several games


def results_chart(
    results: Sequence[Result], box: Box, current_names: Mapping[str, str], player_name: str
) -> LineChart | None:
    """Return the chart of points in several results; of games won, if the game has no points.

    None if fewer than two results have a value of the player.

    :param current_names: the players' current names by the names in the results; other players are not drawn.
    :param player_name: the player whose chart it is; the players who were met most often are drawn, too.
    """
    known = (
        (result, parts)
        for result in reversed(results)
        if _has_value(parts := _parts_by_name(result, current_names), player_name, box.has_points)
    )
    shown = [*islice(known, MAX_GAMES)][::-1]
    if len(shown) < 2:
        return None
    latest, parts_by_name = zip(*shown, strict=True)
    opponent_counts = Counter(
        name
        for parts in parts_by_name
        for name in parts
        if name != player_name and _has_value(parts, name, box.has_points)
    )
    names = [player_name, *(name for name, _ in opponent_counts.most_common(MAX_LINES - 1))]
    values = [_values(parts_by_name, name, box.has_points) for name in names]
    last_values = [next(value for value in reversed(series) if value is not None) for series in values]
    axis = _axis_values([value for value in series if value is not None] for series in values)
    strips = _strips(len(names), sum(value is not None for series in values for value in series))
    is_crowded = strips[0] != strips[-1]
    bottom, right = strips[-1][1], _right_edge(names, last_values)
    x_scale = _scale(0, len(latest) - 1, LEFT_MARGIN + 6, right - 6)
    y_scales = [_scale(axis[0], axis[-1], bottom, top) for top, bottom in strips]
    lines = [
        [
            None if value is None else Dot(x_scale(index), y_scale(value), value, _is_winner(parts, name))
            for index, (parts, value) in enumerate(zip(parts_by_name, series, strict=True))
        ]
        for name, series, y_scale in zip(names, values, y_scales, strict=True)
    ]
    dots = [tuple(filter(None, line)) for line in lines]
    label_heights = (
        [(top + bottom) / 2 for top, bottom in strips] if is_crowded else _spread_labels([line[-1].y for line in dots])
    )
    return LineChart(
        height=bottom + BOTTOM_MARGIN,
        bottom=bottom,
        right=right,
        grid=_grid((axis[0], axis[-1]), y_scales) if is_crowded else _grid(axis, y_scales[:1]),
        lines=tuple(
            _chart_line(number, right, name, line[-1].value, height, _polyline_path(line), line)
            for number, (name, height, line) in enumerate(zip(names, label_heights, dots, strict=True))
        ),
        games=tuple(
            (result.date, game_dots) for result, game_dots in zip(latest, zip(*lines, strict=True), strict=True)
        ),
        dot_radius=SMALL_DOT_RADIUS if is_crowded else DOT_RADIUS,
    )


def _parts_by_name(result: Result, current_names: Mapping[str, str]) -> dict[str, PlayerResult]:
    """Return the persons of a result by their current names; a solo game has no winner."""
    parts = (part for part in result.players if part.name in current_names and part.is_person)
    return {current_names[part.name]: replace(part, winner=part.winner and not result.is_solo) for part in parts}


def _has_value(parts: Mapping[str, PlayerResult], player_name: str, in_points: bool) -> bool:
    """Return whether a player took part in a game, and the points are known if it has points."""
    return player_name in parts and not (in_points and parts[player_name].unscored)


def _strips(line_count: int, dot_count: int) -> list[tuple[float, float]]:
    """Return the top and bottom of each line's plot.

    All lines share one plot; if there are many dots, each has its own strip.
    """
    if line_count == 1 or dot_count <= MAX_DOTS_IN_ONE_PLOT:
        return [(TOP_MARGIN, TOP_MARGIN + PLOT_HEIGHT)] * line_count
    tops = (TOP_MARGIN + number * (STRIP_HEIGHT + STRIP_GAP) for number in range(line_count))
    return [(top, top + STRIP_HEIGHT) for top in tops]


def _polyline_path(dots: Iterable[Dot]) -> str:
    return "M" + "L".join(f"{dot.x:.1f} {dot.y:.1f}" for dot in dots)


def _values(games: Sequence[Mapping[str, PlayerResult]], player_name: str, in_points: bool) -> list[int | None]:
    """Return a player's points, or wins so far, for each game; None if absent or unknown."""
    wins_so_far = accumulate(int(_is_winner(parts, player_name)) for parts in games)
    return [
        None if part is None or (in_points and part.unscored) else part.points if in_points else wins
        for part, wins in zip((parts.get(player_name) for parts in games), wins_so_far, strict=True)
    ]


def _is_winner(parts: Mapping[str, PlayerResult], player_name: str) -> bool:
    return player_name in parts and parts[player_name].winner
