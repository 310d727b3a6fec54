"""Turns the summary of many results into figures: each a table of values, most with a chart."""

import calendar
import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from companion.history.charts import BarChart, BarRow, ColumnChart, bar_chart, column_chart
from companion.history.result import Result
from companion.history.summary import (
    Month,
    PlayCount,
    Score,
    Summary,
    count_plays,
    scores,
    winning_score,
)
from companion.log.entries import describe_date
from scoring.games import GAMES
from scoring.kernel.box import Box
from scoring.kernel.english import pluralize

MAX_MONTHS, MAX_YEARS, MAX_BARS = 12, 20, 10  # columns and bars of a chart
MAX_MARGIN = 10  # differences from here on share a column
LISTED_SCORES, LISTED_MARGINS, LISTED_DURATIONS = 3, 5, 3  # the best games of a list

Cell = str | int | float | datetime.date | Month | None


class FigureRow(NamedTuple):
    """A row of a figure's table."""

    cells: tuple[Cell, ...]  # the first names the row
    result_id: str = ""  # of the game that the row is about

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the cells as people read them."""
        return tuple(map(cell_text, self.cells))


class Figure(NamedTuple):
    """Values of past games as a table, and as a chart where that shows more."""

    key: str  # in the address of its file
    title: str
    note: str  # what the values mean; empty if the title says it
    columns: tuple[str, ...]
    rows: tuple[FigureRow, ...]
    chart: BarChart | ColumnChart | None = None
    chart_text: str = ""  # the values of the chart in words
    is_list: bool = False  # is the table a list of games, which is always shown?

    @property
    def is_column_chart(self) -> bool:
        """Return whether the chart has columns instead of bars."""
        return isinstance(self.chart, ColumnChart)


def cell_text(cell: Cell) -> str:
    """Return a cell as people read it; a file has the value."""
    match cell:
        case None:
            return "\u2013"
        case float():
            return f"{cell:.1f}"
        case datetime.date():
            return describe_date(cell)
        case Month():
            return f"{calendar.month_abbr[cell.number]} {cell.year}"
    return str(cell)


# Games played


def plays_by_year(summary: Summary) -> Figure:
    """Return the number of games played each year, the latest first in the table."""
    columns = [(year, str(year)) for year in _years_of_chart(summary)]
    return _plays_over_time("years", "Games by year", "Year", _games(summary), summary.by_year, columns)


def plays_by_month(summary: Summary) -> Figure:
    """Return the number of games played each month, the latest first in the table."""
    columns = [(month, calendar.month_abbr[month.number]) for month in _months_of_chart(summary)]
    return _plays_over_time("months", "Games by month", "Month", _games(summary), summary.by_month, columns)


def _years_of_chart(summary: Summary) -> list[int]:
    """Return all years from the first game to the latest one, or the latest of many."""
    years = {month.year for month in summary.by_month}
    return [*range(min(years), max(years) + 1)][-MAX_YEARS:] if years else []


def _months_of_chart(summary: Summary) -> list[Month]:
    """Return all months of the only year with games, or the 12 months up to the latest game."""
    known = sorted(summary.by_month)
    if not known:
        return []
    last = Month(known[-1].year, MAX_MONTHS) if known[0].year == known[-1].year else known[-1]
    end = last.year * 12 + last.number  # counted from January of the year 0
    return [Month(number // 12, number % 12 + 1) for number in range(end - MAX_MONTHS, end)]


def _plays_over_time(
    key: str,
    title: str,
    heading: str,
    games: Sequence[Box],
    groups: Mapping[Any, Sequence[Result]],
    columns: Sequence[tuple[Any, str]],
) -> Figure:
    """Return the number of games played in each period.

    :param groups: the results by period.
    :param columns: the periods in the chart with their labels.
    """
    counts = {period: count_plays(results) for period, results in groups.items()}
    rows = [_plays_row(label, counts.get(period) or count_plays(()), games) for period, label in columns]
    periods = [cell_text(period) for period, _ in columns]
    has_older = any(period < columns[0][0] for period in counts)
    return Figure(
        key,
        title,
        f"The chart shows {periods[0]} to {periods[-1]}." if has_older else "",
        (heading, *_game_columns(games)),
        tuple(FigureRow((period, *_plays_cells(counts[period], games))) for period in sorted(counts, reverse=True)),
        column_chart(rows, _legend(games)),
        _chart_text(zip(periods, (row.total for row in rows), strict=True)),
    )


def _game_columns(games: Sequence[Box]) -> tuple[str, ...]:
    """Return the headings of the numbers by game, and of their sum if there are several games."""
    return (*_titles(games), *(["All games"] if len(games) > 1 else []))


def _plays_cells(count: PlayCount, games: Sequence[Box]) -> tuple[int, ...]:
    """Return the numbers of games played, as `_game_columns` has the headings."""
    return (*(count.by_game[game.key] for game in games), *([count.plays] if len(games) > 1 else []))


def _games(summary: Summary) -> list[Box]:
    """Return the boxes of the games that were played."""
    return [game.box for key, game in GAMES.items() if key in summary.by_game]


def _titles(games: Iterable[Box]) -> tuple[str, ...]:
    return tuple(game.title for game in games)


def _legend(games: Sequence[Box]) -> tuple[str, ...]:
    """Return the titles of segments by game; a single game needs none."""
    return _titles(games) if len(games) > 1 else ()


def _plays_row(name: str, count: PlayCount, games: Iterable[Box]) -> BarRow:
    return BarRow(name, tuple(count.by_game[game.key] for game in games), str(count.plays))


def _chart_text(values: Iterable[tuple[str, str]]) -> str:
    return f"{', '.join(f'{name}: {value}' for name, value in values)}."


# Hours, players and pairs


def hours(summary: Summary) -> Figure:
    """Return the hours played of each game."""
    total = count_plays(summary.results)
    counts = [(game.title, count_plays(summary.by_game[game.key])) for game in _games(summary)]
    rows = [BarRow(title, (count.minutes,), f"{count.minutes / 60:.1f} h") for title, count in counts if count.timed]
    lines = [*counts, ("All games", total)] if len(counts) > 1 else counts
    return Figure(
        "hours",
        "Hours played",
        f"The length is known for {total.timed} of {pluralize(total.plays, 'game')}.",
        ("Game", "Played", "Length known", "Hours", "Average minutes"),
        tuple(
            FigureRow((title, count.plays, *_length_cells(count), _average_minutes(count))) for title, count in lines
        ),
        bar_chart(rows) if rows else None,
        _chart_text((row.name, row.total) for row in rows),
    )


def _length_cells(count: PlayCount) -> tuple[Cell, Cell]:
    """Return the number of games whose length is known, and their hours."""
    return count.timed, round(count.minutes / 60, 1) if count.timed else None


def _average_minutes(count: PlayCount) -> int | None:
    return round(count.minutes / count.timed) if count.timed else None


def pairs(summary: Summary) -> Figure:
    """Return who played together how often; for one player, the others who took part."""
    games, player = _games(summary), summary.player_name
    counts = [
        (pair, count_plays(results))
        for pair, results in sorted(summary.by_pair.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    names = [tuple(name for name in pair if name != player) for pair, _ in counts]
    rows = [_plays_row(" and ".join(name), count, games) for name, (_, count) in zip(names, counts, strict=True)]
    return Figure(
        "partners",
        "Played with" if player else "Who played together",
        f"The chart shows the {MAX_BARS} most frequent of {len(rows)}." if len(rows) > MAX_BARS else "",
        ("Player", *([] if player else ["Other player"]), "Games", "Length known", "Hours"),
        tuple(
            FigureRow((*name, count.plays, *_length_cells(count)))
            for name, (_, count) in zip(names, counts, strict=True)
        ),
        bar_chart(rows[:MAX_BARS], _legend(games)),
        _chart_text((row.name, row.total) for row in rows[:MAX_BARS]),
    )


def player_counts(summary: Summary) -> Figure:
    """Return the games played by each number of players, with the average score of the winner."""
    games, groups = _games(summary), sorted(summary.by_player_count.items())
    rows = [_plays_row(pluralize(number, "player"), count_plays(results), games) for number, results in groups]
    return Figure(
        "player-counts",
        "By number of players",
        "The numbers include the winner\u2019s average points. Solo games have no winner.",
        ("Players", "Game", "Played", "Average winning score"),
        tuple(
            FigureRow((number, game.title, len(played), _average_winning_score(played)))
            for number, results in groups
            for game in games
            if (played := [result for result in results if result.game == game.key])
        ),
        bar_chart(rows, _legend(games)),
        _chart_text((row.name, row.total) for row in rows),
    )


def _average_winning_score(results: Iterable[Result]) -> float | None:
    found = [score for result in results if (score := winning_score(result)) is not None]
    return round(sum(found) / len(found), 1) if found else None


# Best, closest, longest and first games


def highest_scores(summary: Summary) -> Figure:
    """Return the highest totals of each game; of equal ones, the earliest first."""
    best: list[Score] = []
    for game in _games(summary):
        best += sorted(scores(summary, game.key), key=lambda score: -score.points)[:LISTED_SCORES]
    rows = [
        BarRow(f"{score.result.box.title}, {score.name}", (max(0, score.points),), str(score.points)) for score in best
    ]
    return Figure(
        "scores",
        "Highest scores",
        "",
        ("Game", "Player", "Points", "Date"),
        tuple(
            FigureRow((score.result.box.title, score.name, score.points, _day(score.result)), score.result.id)
            for score in best
        ),
        bar_chart(rows),
        _chart_text((row.name, row.total) for row in rows),
        is_list=True,
    )


def _day(result: Result) -> datetime.date:
    return datetime.date.fromisoformat(result.date)


def margins(summary: Summary) -> Figure:
    """Return how many games ended with each difference between first and second."""
    games = [game for game in _games(summary) if game.has_points]
    groups: list[list[Result]] = [[] for _ in range(MAX_MARGIN + 1)]
    for margin, result in summary.margins:
        groups[min(margin, MAX_MARGIN)].append(result)
    counts = [count_plays(results) for results in groups] if any(groups) else []
    labels = [f"{MAX_MARGIN}+" if margin == MAX_MARGIN else str(margin) for margin in range(len(counts))]
    rows = [_plays_row(label, count, games) for label, count in zip(labels, counts, strict=True)]
    return Figure(
        "margins",
        "Winning margins",
        "Points between first and second. A tie counts as 0, even if a tie-break decided it.",
        ("Difference", *_game_columns(games)),
        tuple(FigureRow((label, *_plays_cells(count, games))) for label, count in zip(labels, counts, strict=True)),
        column_chart(rows, _legend(games)),
        _chart_text((row.name, row.total) for row in rows),
    )


def closest_games(summary: Summary) -> Figure:
    """Return the games with the smallest difference between first and second."""
    closest = sorted(summary.margins, key=lambda item: item[0])[:LISTED_MARGINS]
    return Figure(
        "closest",
        "Closest games",
        "",
        ("Game", "First", "Second", "Points apart", "Date"),
        tuple(
            FigureRow((result.box.title, *_first_two(summary, result), margin, _day(result)), result.id)
            for margin, result in closest
        ),
        is_list=True,
    )


def _first_two(summary: Summary, result: Result) -> tuple[str, str]:
    """Return the current names of the first and the second of a game."""
    first, second = sorted(result.players, key=lambda part: (not part.winner, -part.points))[:2]
    return summary.current_name(first), summary.current_name(second)


def durations(summary: Summary) -> Figure:
    """Return the longest and the shortest games; none is in both lists."""
    by_length = sorted(filter(attrgetter("minutes"), summary.results), key=attrgetter("minutes"))
    shortest = by_length[: min(LISTED_DURATIONS, len(by_length) // 2)]
    longest = by_length[max(len(by_length) - LISTED_DURATIONS, len(shortest)) :][::-1]
    listed = [("Longest", result) for result in longest] + [("Shortest", result) for result in reversed(shortest)]
    rows = [
        BarRow(f"{result.box.title}, {describe_date(_day(result))}", (result.minutes,), result.duration)
        for _, result in listed
    ]
    return Figure(
        "durations",
        "Longest and shortest games",
        "",
        ("Length", "Game", "Minutes", "Date"),
        tuple(FigureRow((kind, result.box.title, result.minutes, _day(result)), result.id) for kind, result in listed),
        bar_chart(rows),
        _chart_text((row.name, row.total) for row in rows),
        is_list=True,
    )


def firsts_by_year(summary: Summary) -> Figure:
    """Return how many games and players were new in each year."""
    groups = (summary.by_game.values(), summary.by_player.values())
    new_games, new_players = (Counter(_day(results[0]).year for results in each) for each in groups)
    rows = [
        BarRow(str(year), (new_games[year], new_players[year]), str(new_games[year] + new_players[year]))
        for year in _years_of_chart(summary)
    ]
    return Figure(
        "new",
        "New games and players",
        "By the year of their first game.",
        ("Year", "Games", "Players"),
        tuple(
            FigureRow((year, new_games[year], new_players[year]))
            for year in sorted(new_games.keys() | new_players.keys(), reverse=True)
        ),
        column_chart(rows, ("Games", "Players")),
        _chart_text(
            (row.name, f"{pluralize(int(row.values[0]), 'game')} and {pluralize(int(row.values[1]), 'player')}")
            for row in rows
        ),
    )


def first_games(summary: Summary) -> Figure:
    """Return the first play of each game and of each player, the earliest first."""
    firsts = [(GAMES[key].box.title, "Game", results[0]) for key, results in summary.by_game.items()]
    firsts += [(name, "Player", results[0]) for name, results in summary.by_player.items()]
    return Figure(
        "first",
        "First games",
        "",
        ("Name", "Kind", "Date"),
        tuple(
            FigureRow((name, kind, _day(result)), result.id)
            for name, kind, result in sorted(firsts, key=lambda item: item[2].order_time)
        ),
        is_list=True,
    )


# The figures of a page, in order.
FIGURES: dict[str, Callable[[Summary], Figure]] = {
    "years": plays_by_year,
    "months": plays_by_month,
    "hours": hours,
    "partners": pairs,
    "player-counts": player_counts,
    "scores": highest_scores,
    "margins": margins,
    "closest": closest_games,
    "durations": durations,
    "new": firsts_by_year,
    "first": first_games,
}
PLAYER_FIGURES = ("years", "hours", "partners")  # on the page of a player


def figures_of(summary: Summary, keys: Iterable[str] = FIGURES) -> tuple[Figure, ...]:
    """Return the figures that have any values."""
    return tuple(figure for key in keys if (figure := FIGURES[key](summary)).rows)


def figure_rows(figure: Figure) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows of a figure's file, headings first."""
    yield figure.columns
    yield from (row.cells for row in figure.rows)
