"""Tests of the figures of past games: tables, charts, and which games they list."""

import datetime

from companion.history.charts import WIDTH, ColumnChart
from companion.history.figures import FIGURES, Figure, cell_text, figures_of
from companion.history.result import Result
from companion.history.summary import Month, Summary
from tests.companion.history.test_summary import CURRENT_NAMES, make_result
from tests.support.parametrize import run_all_rows


def make_figure(key: str, results: list[Result], player_name: str = "") -> Figure:
    return FIGURES[key](Summary(results, CURRENT_NAMES, player_name))


def table_of(key: str, results: list[Result], player_name: str = "") -> list[tuple]:
    return [row.cells for row in make_figure(key, results, player_name).rows]


def play(day: str, *players: tuple, game: str = "trails", **more) -> Result:
    return make_result(*players, game=game, ended=day, **more)


PLAYS = [
    play("2024-12-31", ("Ana", 30), ("Bo", 20), minutes=60, id="AAAAAB"),
    play("2026-01-01", ("Ana", 10), ("Bo", 40), ("Cy", 39), id="AAAAAC"),
    play("2026-01-31", ("Ana", 0), ("Cy", 0), winners="Cy", game="on-the-trail", minutes=45, id="AAAAAD"),
    play("2026-03-01", ("Ana", 12), game="trails", minutes=30, id="AAAAAE"),
]

TABLES = {
    "years": [(2026, 2, 1, 3), (2024, 1, 0, 1)],
    "months": [(Month(2026, 3), 1, 0, 1), (Month(2026, 1), 1, 1, 2), (Month(2024, 12), 1, 0, 1)],
    "hours": [("TRAILS", 3, 2, 1.5, 45), ("ON THE TRAIL", 1, 1, 0.8, 45), ("All games", 4, 3, 2.2, 45)],
    "partners": [("Ana", "Bo", 2, 1, 1.0), ("Ana", "Cy", 2, 1, 0.8), ("Bo", "Cy", 1, 0, None)],
    "player-counts": [
        (1, "TRAILS", 1, None),
        (2, "TRAILS", 1, 30.0),
        (2, "ON THE TRAIL", 1, None),
        (3, "TRAILS", 1, 40.0),
    ],
    "scores": [
        ("TRAILS", "Bo", 40, datetime.date(2026, 1, 1)),
        ("TRAILS", "Cy", 39, datetime.date(2026, 1, 1)),
        ("TRAILS", "Ana", 30, datetime.date(2024, 12, 31)),
    ],
    "closest": [
        ("TRAILS", "Bo", "Cy", 1, datetime.date(2026, 1, 1)),
        ("TRAILS", "Ana", "Bo", 10, datetime.date(2024, 12, 31)),
    ],
    "durations": [
        ("Longest", "TRAILS", 60, datetime.date(2024, 12, 31)),
        ("Longest", "ON THE TRAIL", 45, datetime.date(2026, 1, 31)),
        ("Shortest", "TRAILS", 30, datetime.date(2026, 3, 1)),
    ],
    "new": [(2026, 1, 1), (2024, 1, 2)],
    "first": [
        ("TRAILS", "Game", datetime.date(2024, 12, 31)),
        ("Ana", "Player", datetime.date(2024, 12, 31)),
        ("Bo", "Player", datetime.date(2024, 12, 31)),
        ("Cy", "Player", datetime.date(2026, 1, 1)),
        ("ON THE TRAIL", "Game", datetime.date(2026, 1, 31)),
    ],
}  # fmt: skip


@run_all_rows(("key", "rows"), TABLES.items(), ids=TABLES)
def test_table_of_a_figure_has_the_values_of_the_results(key: str, rows: list[tuple]):
    assert table_of(key, PLAYS) == rows


def test_margins_from_ten_points_share_a_row():
    rows = table_of("margins", [*PLAYS, play("2026-04-01", ("Ana", 90), ("Bo", 1))])
    assert rows[1] == ("1", 1) and rows[10] == ("10+", 2) and sum(count for _, count in rows) == 3


def test_lists_link_each_row_to_its_result():
    links = [row.result_id for row in make_figure("first", PLAYS).rows]
    assert links == ["AAAAAB", "AAAAAB", "AAAAAB", "AAAAAC", "AAAAAD"]
    assert [row.result_id for row in make_figure("closest", PLAYS).rows] == ["AAAAAC", "AAAAAB"]


def test_lists_have_current_names():
    results = [play("2026-01-01", ("Anna", 30), ("Bo", 20))]
    assert table_of("closest", results)[0][1:3] == ("Ana", "Bo") and table_of("scores", results)[0][1] == "Ana"


def test_partners_of_a_player_are_listed_without_the_player():
    figure = make_figure("partners", PLAYS, "Ana")
    assert figure.title == "Played with" and [row.cells[:2] for row in figure.rows] == [("Bo", 2), ("Cy", 2)]


def test_single_result_makes_figures_and_a_race_makes_those_without_points():
    assert [figure.key for figure in figures_of(Summary(PLAYS[:1], CURRENT_NAMES))] == [*FIGURES]
    race = {figure.key for figure in figures_of(Summary(PLAYS[2:3], CURRENT_NAMES))}
    assert race == {*FIGURES} - {"scores", "margins", "closest"}
    assert table_of("durations", PLAYS[:1]) == [("Longest", "TRAILS", 60, datetime.date(2024, 12, 31))]


def test_unknown_winner_counts_as_a_game_but_not_in_margins_and_averages():
    unknown = play("2026-01-01", ("Ana", 30), ("Bo", 20), winners="no one", decided_by="unknown")
    assert table_of("years", [unknown]) == [(2026, 1)] and table_of("margins", [unknown]) == []
    assert table_of("player-counts", [unknown]) == [(2, "TRAILS", 1, None)]
    assert [row[1:3] for row in table_of("scores", [unknown])] == [("Ana", 30), ("Bo", 20)]


def column_names(figure: Figure) -> list[str]:
    assert isinstance(figure.chart, ColumnChart)
    return [column.name.text for column in figure.chart.columns]


def test_months_of_one_year_are_all_in_the_chart():
    figure = make_figure("months", PLAYS[1:])
    assert len(column_names(figure)) == 12 and figure.note == ""
    assert figure.chart_text.startswith("Jan 2026: 2, Feb 2026: 0, Mar 2026: 1") and "Dec 2026: 0." in figure.chart_text


def test_chart_of_several_years_shows_latest_months_and_says_so():
    figure = make_figure("months", PLAYS)
    assert figure.note == "The chart shows Apr 2025 to Mar 2026." and column_names(figure)[-1] == "Mar"
    assert "Dec 2024" not in figure.chart_text


def test_chart_of_many_years_shows_the_latest_twenty():
    figure = make_figure("years", [play(f"{year}-05-05", ("Ana", 3), ("Bo", 1)) for year in range(1990, 2027)])
    assert len(column_names(figure)) == 20 and column_names(figure)[-1] == "2026" and len(figure.rows) == 37
    assert figure.note == "The chart shows 2007 to 2026."


def test_years_without_games_are_in_the_chart():
    assert make_figure("years", PLAYS).chart_text == "2024: 1, 2025: 0, 2026: 3."


def test_length_that_is_never_known_has_no_chart():
    figure = make_figure("hours", PLAYS[1:2])
    assert figure.chart is None and figure.note == "The length is known for 0 of 1 game."


def test_chart_of_pairs_is_limited_and_its_table_is_not():
    names = {f"p{number}": f"P{number}" for number in range(8)}
    result = make_result(*((name, 1) for name in names.values()))
    figure = FIGURES["partners"](Summary([result], names))
    assert len(figure.chart.bars) == 10 and len(figure.rows) == 28
    assert figure.note == "The chart shows the 10 most frequent of 28."


CELLS = [(None, "\u2013"), (2.25, "2.2"), (7, "7"), ("Ana", "Ana"), (datetime.date(2026, 11, 5), "5 Nov 2026")]


@run_all_rows(("cell", "text"), CELLS)
def test_cell_is_shown_as_people_read_it(cell, text: str):
    assert cell_text(cell) == text


def test_charts_stay_in_their_picture():
    many = [
        play(f"{2000 + number % 27}-{1 + number % 12:02}-01", ("Ana", 1000), ("Bo", number), minutes=1 + number * 97)
        for number in range(900)
    ]
    for results in (PLAYS, PLAYS[:1], sorted(many, key=lambda result: result.ended)):
        for figure in figures_of(Summary(results, CURRENT_NAMES)):
            assert_inside(figure)


def assert_inside(figure: Figure) -> None:
    """Assert that no column, bar or total leaves its picture."""
    if isinstance(figure.chart, ColumnChart):
        for column in figure.chart.columns:
            assert figure.chart.left <= column.x and column.x + figure.chart.column_width <= figure.chart.right
            assert all(each.y >= 0 and each.y + each.height <= figure.chart.height for each in column.segments)
            assert column.total.y > 10 and column.name.y <= figure.chart.height
    elif figure.chart:
        for bar in figure.chart.bars:
            assert bar.total.x + 7 * len(bar.total.text) <= WIDTH, figure.key
            assert bar.y + 22 <= figure.chart.height
