"""Charts of what has been played, as figures to draw: where each line, bar and word goes. Pure; the templates draw them.

Lengths are those of a view box as wide as a phone, so that words are never smaller than they can be read there.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from string import ascii_uppercase
from typing import NamedTuple

from companion.history.result import Part, Result
from companion.log.table import Table
from scoring.kernel.box import Box

WIDTH = 328.0
TEXT = 12.0  # the height of the smallest words
LINE = 15.0  # from one word to the next below it
NARROW, BROAD = frozenset("ijlftrI1 .,:;'!|()[]-"), frozenset("mMW@%\u2026\u00c6\u0152")
LETTERS = {
    "narrow": 5.0,
    "usual": 7.6,
    "capital": 9.0,
    "broad": 11.0,
    "square": 12.0,
}  # how wide they are, bold: at most
HEIGHT = 200.0
LEFT, TOP, BOTTOM = 26.0, 22.0, 20.0  # for the figures of the grid, the chapters, the days
NAMES = 104.0  # for the names at the lines' ends, at most
SAMPLE = 24.0  # of it for a piece of the line before the name
MOST_LINES = 5  # each has a pattern of its own
MOST_EVENINGS = 60
CROWD = 60  # with more dots than these each line has a strip of its own
STRIP, STRIP_GAP = 44.0, 16.0
DOT, DOT_IN_A_CROWD = 2.6, 1.6
BAR, BAR_GAP = 22.0, 12.0
PART_WITH_LETTER = 14.0  # as wide as a part of a bar has to be for its letter; for its figure it needs room beside that


class Course(NamedTuple):
    """The points of each player over the course of a game."""

    names: tuple[str, ...]
    series: tuple[tuple[int, ...], ...]  # of each player, after each step that changed any
    marks: tuple[tuple[int, str], ...]  # where a chapter begins, and what it is called
    unit: str  # "points", or what a race is told in


class Label(NamedTuple):
    """A word, and where it stands."""

    x: float
    y: float
    text: str


class Dot(NamedTuple):
    """A figure on a line."""

    x: float
    y: float
    value: int
    won: bool


class Stroke(NamedTuple):
    """One player's line."""

    number: int  # its pattern
    who: str
    name: Label  # as much of it as there is room for, beside the last figure
    path: str
    dots: tuple[Dot, ...]
    last: int


class Evening(NamedTuple):
    """What a chart shows of one evening: a dot of each line, or None of who was not there."""

    date: str
    dots: tuple[Dot | None, ...]


class Lines(NamedTuple):
    """A chart of lines."""

    height: float
    bottom: float  # where the lines' room ends below, ...
    right: float  # ... and at the side
    grid: tuple[Label, ...]  # a line across at each
    strokes: tuple[Stroke, ...]
    chapters: tuple[Label, ...] = ()  # a line down at each
    evenings: tuple[Evening, ...] = ()
    dot: float = DOT  # how large dots are, from the middle


class Piece(NamedTuple):
    """A part of a bar."""

    number: int  # its pattern
    x: float
    width: float
    text: str
    plate: float  # how much of its pattern the text covers


class Bar(NamedTuple):
    """One player's bar."""

    name: Label
    y: float
    pieces: tuple[Piece, ...]
    total: Label


class Bars(NamedTuple):
    """A chart of bars, and what its letters mean."""

    height: float
    bars: tuple[Bar, ...]
    key: tuple[tuple[int, str, str], ...]  # pattern, letter, title


# The course of a game


def course_of(table: Table) -> Course | None:
    """Return the points over the course of a game that is over, or how far the runners were; None where it was only scored."""
    play = table.play
    if play.counting or not table.steps:
        return None
    box, last, marks = play.box, None, []
    told: list[tuple[int, ...]] = []
    for state in (table.first, *(step.after for step in table.steps)):
        points = (
            tuple(column.total for column in box.score(play.final(state)).columns) if box.in_points else _run(state)
        )
        if not told or points != told[-1]:
            told.append(points)
        if (chapter := play.chapter(state)) != last:
            marks.append((len(told) - 1, chapter))
            last = chapter
    return Course(table.names, tuple(zip(*told, strict=True)), tuple(marks), "points" if box.in_points else "legs run")


def _run(state) -> tuple[int, ...]:
    """Return how far the runners of a race are."""
    return tuple(player.at for player in state.players)


def course_chart(course: Course) -> Lines:
    """Return the chart of a course: a step where points change."""
    lasts = [series[-1] for series in course.series]
    bottom, right = TOP + HEIGHT, _right(course.names, lasts)
    figures = _round_figures(course.series)
    across = _scale(0, len(course.series[0]), LEFT, right)
    down = _scale(figures[0], figures[-1], bottom, TOP)
    ends = _apart([down(last) for last in lasts])
    return Lines(
        height=bottom + BOTTOM / 2,
        bottom=bottom,
        right=right,
        grid=tuple(Label(LEFT - 4, down(each), str(each)) for each in figures),
        strokes=tuple(
            _stroke(number, name, last, right, end, f"{_stairs(series, across, down)}H{right:.1f}")
            for number, (name, last, end, series) in enumerate(
                zip(course.names, lasts, ends, course.series, strict=True)
            )
        ),
        chapters=tuple(_beside(Label(across(step), TOP - 8, text) for step, text in course.marks)),
    )


Scale = Callable[[float], float]


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    """Return what a figure between two is as a length between two."""
    return lambda value: start + (value - low) * (end - start) / (high - low)


def _stairs(series: Sequence[int], across: Scale, down: Scale) -> str:
    """Return a line that goes on level until the next figure."""
    first, *rest = series
    steps = (f"H{across(step):.1f}V{down(points):.1f}" for step, points in enumerate(rest, 1))
    return f"M{across(0):.1f} {down(first):.1f}{''.join(steps)}"


def _round_figures(series: Iterable[Iterable[int]]) -> list[int]:
    """Return a few round figures, from nothing or below the least to above the most."""
    values = [each for line in series for each in line]
    least, most = min(0, *values), max(1, *values)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (most - least) / step <= 5)
    return list(range(least // step * step, -(-most // step) * step + 1, step))


def _right(names: Iterable[str], lasts: Iterable[int]) -> float:
    """Return where lines end, so that beside them is room for names and last figures."""
    words = (f"{last} {name}" for name, last in zip(names, lasts, strict=True))
    return WIDTH - min(NAMES, SAMPLE + 1 + max(map(wide, words)))


def _stroke(
    number: int, who: str, last: int, right: float, end: float, path: str, dots: tuple[Dot, ...] = ()
) -> Stroke:
    """Return a line with its last figure and a name at its end."""
    name = _short(who, WIDTH - right - SAMPLE - wide(f"{last} "))
    return Stroke(number, who, Label(right + SAMPLE, end + 4, name), path, dots, last)


def _apart(ends: Sequence[float]) -> list[float]:
    """Return where names stand beside the ends of their lines: pushed apart where they would lie on each other."""
    places = list(ends)
    free = TOP
    for below, each in sorted(enumerate(ends), key=lambda end: end[1]):
        free = places[below] = max(each, free)
        free += LINE
    free = TOP + HEIGHT
    for each in sorted(range(len(places)), key=places.__getitem__, reverse=True):
        free = places[each] = min(places[each], free)
        free -= LINE
    return places


def wide(text: str) -> float:
    """Return about how wide a word is, rather too much than too little."""
    return sum(map(_wide, text))


def _wide(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":  # those of Chinese or Japanese, and emoji
        return LETTERS["square"]
    if letter in NARROW or letter in BROAD:
        return LETTERS["narrow" if letter in NARROW else "broad"]
    return LETTERS["usual" if letter.islower() or letter.isdigit() else "capital"]


def _short(text: str, room: float) -> str:
    """Return a name cut to its room."""
    if wide(text) <= room:
        return text
    while text and wide(f"{text}\u2026") > room:
        text = text[:-1].rstrip()
    return f"{text}\u2026"


def _beside(labels: Iterable[Label]) -> Iterator[Label]:
    """Yield labels side by side, without those that would lie on the one before."""
    free = 0.0
    for label in labels:
        if label.text and label.x >= free and label.x + wide(label.text) <= WIDTH:
            free = label.x + wide(label.text) + 4
            yield label


# What totals are made of


def stacked(players: Sequence[Part], categories: Sequence[tuple[str, str]]) -> Bars:
    """Return a bar for each player, stacked by category; less than nothing has no part."""
    used = [(id, title) for id, title in categories if any(part.categories.get(id, 0) > 0 for part in players)]
    most = max(1, *(sum(max(0, part.categories.get(id, 0)) for id, _ in used) for part in players))
    per_point = (WIDTH - 40) / most
    bars, y = [], 0.0
    for part in players:
        name = Label(0, y + TEXT, _short(part.name, WIDTH))
        pieces, x = [], 0.0
        for number, (id, _) in enumerate(used):
            points = max(0, part.categories.get(id, 0))
            width = points * per_point
            if points:
                text = _fitting(ascii_uppercase[number], points, width)
                pieces.append(Piece(number, x, width, text, min(width - 2, wide(text) + 2) if text else 0))
            x += width
        top = y + LINE + 3
        bars.append(Bar(name, top, tuple(pieces), Label(x + 6, top + BAR - 6, str(part.points))))
        y = top + BAR + BAR_GAP
    return Bars(
        y, tuple(bars), tuple((number, ascii_uppercase[number], title) for number, (_, title) in enumerate(used))
    )


def _fitting(letter: str, points: int, width: float) -> str:
    """Return what a part of a bar has room for."""
    both = f"{letter} {points}"
    return both if wide(both) <= width - 4 else letter if width >= PART_WITH_LETTER else ""


# Results over the evenings


def evenings(results: Sequence[Result], box: Box, called: Mapping[str, str], first: str) -> Lines | None:
    """Return points over the evenings of one game; of a game without points, games won so far. None: there are too few.

    :param called: how players are called now, by the names in the results; others are not drawn.
    :param first: whose chart it is; of the others those that were there most often are drawn.
    """
    latest = results[-MOST_EVENINGS:]
    if len(latest) < 2:
        return None
    told = [
        {called[part.name]: part for part in result.players if part.name in called and not part.bot}
        for result in latest
    ]
    met = Counter(name for there in told for name in there if name != first)
    drawn = [first, *(name for name, _ in met.most_common(MOST_LINES - 1))]
    values = [_values(told, name, box.in_points) for name in drawn]
    figures = _round_figures([each for each in series if each is not None] for series in values)
    lasts = [next(each for each in reversed(series) if each is not None) for series in values]
    strips = _strips(len(drawn), sum(each is not None for series in values for each in series))
    crowd = strips[0] != strips[-1]
    bottom, right = strips[-1].bottom, _right(drawn, lasts)
    across = _scale(0, len(latest) - 1, LEFT + 6, right - 6)
    downs = [_scale(figures[0], figures[-1], strip.bottom, strip.top) for strip in strips]
    lines = [
        [
            each if each is None else Dot(across(at), down(each), each, _won(there, name))
            for at, (there, each) in enumerate(zip(told, series, strict=True))
        ]
        for name, series, down in zip(drawn, values, downs, strict=True)
    ]
    dots = [tuple(filter(None, line)) for line in lines]
    ends = [(strip.top + strip.bottom) / 2 for strip in strips] if crowd else _apart([line[-1].y for line in dots])
    return Lines(
        height=bottom + BOTTOM,
        bottom=bottom,
        right=right,
        grid=tuple(Label(LEFT - 4, down(each), str(each)) for down in downs for each in (figures[0], figures[-1]))
        if crowd
        else tuple(Label(LEFT - 4, downs[0](each), str(each)) for each in figures),
        strokes=tuple(
            _stroke(number, name, last, right, end, _joined(line), line)
            for number, (name, last, end, line) in enumerate(zip(drawn, lasts, ends, dots, strict=True))
        ),
        evenings=tuple(Evening(each.date, there) for each, there in zip(latest, zip(*lines, strict=True), strict=True)),
        dot=DOT_IN_A_CROWD if crowd else DOT,
    )


class Strip(NamedTuple):
    """The room of a line."""

    top: float
    bottom: float


def _strips(lines: int, dots: int) -> list[Strip]:
    """Return the room of each line: the same for all, or a strip of its own where that would be a crowd."""
    if lines == 1 or dots <= CROWD:
        return [Strip(TOP, TOP + HEIGHT)] * lines
    tops = (TOP + number * (STRIP + STRIP_GAP) for number in range(lines))
    return [Strip(top, top + STRIP) for top in tops]


def _joined(dots: Iterable[Dot]) -> str:
    return "M" + "L".join(f"{dot.x:.1f} {dot.y:.1f}" for dot in dots)


def _values(told: Sequence[Mapping[str, Part]], name: str, in_points: bool) -> list[int | None]:
    """Return a player's points, or games won so far, on each evening; None: was not there."""
    won = accumulate(_won(there, name) for there in told)
    return [
        None if name not in there else there[name].points if in_points else wins
        for there, wins in zip(told, won, strict=True)
    ]


def _won(there: Mapping[str, Part], name: str) -> bool:
    return name in there and there[name].winner and len(there) > 1
