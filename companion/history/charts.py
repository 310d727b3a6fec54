"""Computes charts of past games: where the templates draw lines, bars and labels.

Lengths are in units of a view box as wide as a phone's screen, so that labels stay readable there.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from string import ascii_uppercase
from typing import NamedTuple

from companion.history.result import PlayerResult, Result
from companion.log.table import Table
from scoring.kernel.box import Box

WIDTH = 328.0
TEXT_HEIGHT = 12.0  # of the smallest text
LINE_HEIGHT = 15.0  # from one label to the next below it
NARROW_LETTERS, BROAD_LETTERS = frozenset("ijlftrI1 .,:;'!|()[]-"), frozenset("mMW@%\u2026\u00c6\u0152")
LETTER_WIDTHS = {
    "narrow": 5.0,
    "lowercase": 7.6,
    "capital": 9.0,
    "broad": 11.0,
    "square": 12.0,
}  # upper bounds, in bold
PLOT_HEIGHT = 200.0
LEFT_MARGIN, TOP_MARGIN, BOTTOM_MARGIN = 26.0, 22.0, 20.0  # for axis values, chapters and dates
NAMES_WIDTH = 104.0  # maximum for the names at the ends of the lines
SAMPLE_WIDTH = 24.0  # part of NAMES_WIDTH for a sample of the line before the name
MAX_LINES = 5  # each line has a different pattern
MAX_GAMES = 60
MAX_DOTS_IN_ONE_PLOT = 60  # with more dots, each line has a separate strip
STRIP_HEIGHT, STRIP_GAP = 44.0, 16.0
DOT_RADIUS, SMALL_DOT_RADIUS = 2.6, 1.6
BAR_HEIGHT, BAR_GAP = 22.0, 12.0
MIN_LETTER_SEGMENT = 14.0  # minimum width of a bar segment with a letter; its points need additional room


class PointsOverTime(NamedTuple):
    """The points of each player over the course of a game."""

    names: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]  # for each player, the points after each step that changed any points
    chapter_starts: tuple[tuple[int, str], ...]  # the first index in the series and the title of each chapter
    unit: str  # "points", or the unit of a race


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


class GameColumn(NamedTuple):
    """The dots of all lines for one game; None for players who did not take part."""

    date: str
    dots: tuple[Dot | None, ...]


class LineChart(NamedTuple):
    """A line chart."""

    height: float
    bottom: float  # bottom edge of the plot
    right: float  # right edge of the plot
    grid: tuple[Label, ...]  # each with a horizontal line
    lines: tuple[ChartLine, ...]
    chapters: tuple[Label, ...] = ()  # each with a vertical line
    games: tuple[GameColumn, ...] = ()
    dot_radius: float = DOT_RADIUS


class BarSegment(NamedTuple):
    """A segment of a bar."""

    pattern: int  # index of the segment's pattern
    x: float
    width: float
    text: str
    label_width: float  # width of the pattern that the text covers


class Bar(NamedTuple):
    """The bar of one player."""

    label: Label
    y: float
    segments: tuple[BarSegment, ...]
    total: Label


class BarChart(NamedTuple):
    """A bar chart with its legend."""

    height: float
    bars: tuple[Bar, ...]
    legend: tuple[tuple[int, str, str], ...]  # pattern, letter, title


# The course of a game


def points_over_time(table: Table) -> PointsOverTime | None:
    """Return the points, or the distances of runners, over the course of a finished game.

    None if the game was only scored and not tracked.
    """
    tracked = table.tracked
    if tracked.is_score_entry or not table.steps:
        return None
    box, previous_chapter, marks = tracked.box, None, []
    points_by_step: list[tuple[int, ...]] = []
    for state in (table.initial_state, *(step.after for step in table.steps)):
        points = (
            tuple(column.total for column in box.score(tracked.final_position(state)).columns)
            if box.has_points
            else _distances_run(state)
        )
        if not points_by_step or points != points_by_step[-1]:
            points_by_step.append(points)
        if (chapter := tracked.text.chapter(state)) != previous_chapter:
            marks.append((len(points_by_step) - 1, chapter))
            previous_chapter = chapter
    return PointsOverTime(
        table.names, tuple(zip(*points_by_step, strict=True)), tuple(marks), "points" if box.has_points else "legs run"
    )


def _distances_run(state) -> tuple[int, ...]:
    """Return the distance each runner of a race has covered."""
    return tuple(player.legs_run for player in state.players)


def points_chart(points: PointsOverTime) -> LineChart:
    """Return the chart of the points over the course of a game, as step lines."""
    last_values = [series[-1] for series in points.series]
    bottom, right = TOP_MARGIN + PLOT_HEIGHT, _right_edge(points.names, last_values)
    fields = _axis_values(points.series)
    x_scale = _scale(0, len(points.series[0]), LEFT_MARGIN, right)
    y_scale = _scale(fields[0], fields[-1], bottom, TOP_MARGIN)
    ends = _spread_labels([y_scale(last_value) for last_value in last_values])
    return LineChart(
        height=bottom + BOTTOM_MARGIN / 2,
        bottom=bottom,
        right=right,
        grid=tuple(Label(LEFT_MARGIN - 4, y_scale(value), str(value)) for value in fields),
        lines=tuple(
            _chart_line(number, name, last_value, right, end, f"{_step_path(series, x_scale, y_scale)}H{right:.1f}")
            for number, (name, last_value, end, series) in enumerate(
                zip(points.names, last_values, ends, points.series, strict=True)
            )
        ),
        chapters=tuple(
            _drop_overlapping(Label(x_scale(step), TOP_MARGIN - 8, text) for step, text in points.chapter_starts)
        ),
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


def _axis_values(series: Iterable[Iterable[int]]) -> list[int]:
    """Return a few round numbers that span all values and include zero."""
    values = [value for line in series for value in line]
    lowest, highest = min(0, *values), max(1, *values)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (highest - lowest) / step <= 5)
    return list(range(lowest // step * step, -(-highest // step) * step + 1, step))


def _right_edge(names: Iterable[str], last_values: Iterable[int]) -> float:
    """Return the right edge of the plot that leaves room for the last values and the names."""
    labels = (f"{value} {name}" for name, value in zip(names, last_values, strict=True))
    return WIDTH - min(NAMES_WIDTH, SAMPLE_WIDTH + 1 + max(map(text_width, labels)))


def _chart_line(
    pattern: int,
    player_name: str,
    last_value: int,
    right_edge: float,
    label_y: float,
    path: str,
    dots: tuple[Dot, ...] = (),
) -> ChartLine:
    """Return a line with its last value and the player's name at its end."""
    name = _shorten(player_name, WIDTH - right_edge - SAMPLE_WIDTH - text_width(f"{last_value} "))
    return ChartLine(pattern, player_name, Label(right_edge + SAMPLE_WIDTH, label_y + 4, name), path, dots, last_value)


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
    """Return an upper estimate of the width of a text."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":  # Chinese and Japanese characters, and emoji
        return LETTER_WIDTHS["square"]
    if letter in NARROW_LETTERS or letter in BROAD_LETTERS:
        return LETTER_WIDTHS["narrow" if letter in NARROW_LETTERS else "broad"]
    return LETTER_WIDTHS["lowercase" if letter.islower() or letter.isdigit() else "capital"]


def _shorten(text: str, max_width: float) -> str:
    """Return a text, shortened with an ellipsis if it is too wide."""
    if text_width(text) <= max_width:
        return text
    while text and text_width(f"{text}\u2026") > max_width:
        text = text[:-1].rstrip()
    return f"{text}\u2026"


def _drop_overlapping(labels: Iterable[Label]) -> Iterator[Label]:
    """Yield the labels of a row without those that would overlap the previous one."""
    left_limit = 0.0
    for label in labels:
        if label.text and label.x >= left_limit and label.x + text_width(label.text) <= WIDTH:
            left_limit = label.x + text_width(label.text) + 4
            yield label


# Points by category


def stacked_bars(players: Sequence[PlayerResult], categories: Sequence[tuple[str, str]]) -> BarChart:
    """Return a bar for each player, stacked by category; negative points are left out."""
    used_categories = [
        (id, title) for id, title in categories if any(part.categories.get(id, 0) > 0 for part in players)
    ]
    highest_total = max(1, *(sum(max(0, part.categories.get(id, 0)) for id, _ in used_categories) for part in players))
    per_point = (WIDTH - 40) / highest_total
    bars, y = [], 0.0
    for part in players:
        name = Label(0, y + TEXT_HEIGHT, _shorten(part.name, WIDTH))
        segments, x = [], 0.0
        for number, (id, _) in enumerate(used_categories):
            points = max(0, part.categories.get(id, 0))
            width = points * per_point
            if points:
                text = _segment_label(ascii_uppercase[number], points, width)
                segments.append(BarSegment(number, x, width, text, min(width - 2, text_width(text) + 2) if text else 0))
            x += width
        top = y + LINE_HEIGHT + 3
        bars.append(Bar(name, top, tuple(segments), Label(x + 6, top + BAR_HEIGHT - 6, str(part.points))))
        y = top + BAR_HEIGHT + BAR_GAP
    return BarChart(
        y,
        tuple(bars),
        tuple((number, ascii_uppercase[number], title) for number, (_, title) in enumerate(used_categories)),
    )


def _segment_label(category_letter: str, points: int, width: float) -> str:
    """Return the letter and points of a bar segment, or as much of them as fits."""
    text = f"{category_letter} {points}"
    return text if text_width(text) <= width - 4 else category_letter if width >= MIN_LETTER_SEGMENT else ""


# Results of several games


def results_chart(
    results: Sequence[Result], box: Box, current_names: Mapping[str, str], player_name: str
) -> LineChart | None:
    """Return the chart of points in several results; of games won, if the game has no points.

    None if there are fewer than two results.

    :param current_names: the players' current names by the names in the results; other players are not drawn.
    :param player_name: the player whose chart it is; the players who were met most often are drawn, too.
    """
    latest = results[-MAX_GAMES:]
    if len(latest) < 2:
        return None
    results_by_name = [
        {current_names[part.name]: part for part in result.players if part.name in current_names and not part.bot}
        for result in latest
    ]
    opponent_counts = Counter(name for game_results in results_by_name for name in game_results if name != player_name)
    drawn_names = [player_name, *(name for name, _ in opponent_counts.most_common(MAX_LINES - 1))]
    values = [_values(results_by_name, name, box.has_points) for name in drawn_names]
    fields = _axis_values([value for value in series if value is not None] for series in values)
    last_values = [next(value for value in reversed(series) if value is not None) for series in values]
    strips = _strips(len(drawn_names), sum(value is not None for series in values for value in series))
    is_crowded = strips[0] != strips[-1]
    bottom, right = strips[-1].bottom, _right_edge(drawn_names, last_values)
    x_scale = _scale(0, len(latest) - 1, LEFT_MARGIN + 6, right - 6)
    y_scales = [_scale(fields[0], fields[-1], strip.bottom, strip.top) for strip in strips]
    lines = [
        [
            value if value is None else Dot(x_scale(index), y_scale(value), value, _is_winner(game_results, name))
            for index, (game_results, value) in enumerate(zip(results_by_name, series, strict=True))
        ]
        for name, series, y_scale in zip(drawn_names, values, y_scales, strict=True)
    ]
    dots = [tuple(filter(None, line)) for line in lines]
    ends = (
        [(strip.top + strip.bottom) / 2 for strip in strips]
        if is_crowded
        else _spread_labels([line[-1].y for line in dots])
    )
    return LineChart(
        height=bottom + BOTTOM_MARGIN,
        bottom=bottom,
        right=right,
        grid=tuple(
            Label(LEFT_MARGIN - 4, y_scale(value), str(value))
            for y_scale in y_scales
            for value in (fields[0], fields[-1])
        )
        if is_crowded
        else tuple(Label(LEFT_MARGIN - 4, y_scales[0](value), str(value)) for value in fields),
        lines=tuple(
            _chart_line(number, name, last_value, right, end, _polyline_path(line), line)
            for number, (name, last_value, end, line) in enumerate(
                zip(drawn_names, last_values, ends, dots, strict=True)
            )
        ),
        games=tuple(
            GameColumn(value.date, game_results)
            for value, game_results in zip(latest, zip(*lines, strict=True), strict=True)
        ),
        dot_radius=SMALL_DOT_RADIUS if is_crowded else DOT_RADIUS,
    )


class Strip(NamedTuple):
    """The vertical extent of a line's plot."""

    top: float
    bottom: float


def _strips(lines: int, dots: int) -> list[Strip]:
    """Return each line's extent: one for all lines, or separate strips if there are many dots."""
    if lines == 1 or dots <= MAX_DOTS_IN_ONE_PLOT:
        return [Strip(TOP_MARGIN, TOP_MARGIN + PLOT_HEIGHT)] * lines
    tops = (TOP_MARGIN + number * (STRIP_HEIGHT + STRIP_GAP) for number in range(lines))
    return [Strip(top, top + STRIP_HEIGHT) for top in tops]


def _polyline_path(dots: Iterable[Dot]) -> str:
    return "M" + "L".join(f"{dot.x:.1f} {dot.y:.1f}" for dot in dots)


def _values(games: Sequence[Mapping[str, PlayerResult]], player_name: str, in_points: bool) -> list[int | None]:
    """Return a player's points, or number of wins so far, for each game; None if absent."""
    wins_so_far = accumulate(_is_winner(game_results, player_name) for game_results in games)
    return [
        None if player_name not in game_results else game_results[player_name].points if in_points else wins
        for game_results, wins in zip(games, wins_so_far, strict=True)
    ]


def _is_winner(player_results: Mapping[str, PlayerResult], player_name: str) -> bool:
    return player_name in player_results and player_results[player_name].winner and len(player_results) > 1
