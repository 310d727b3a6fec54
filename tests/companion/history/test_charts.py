"""Tests of charts: complete marks, no overlapping text, and nothing outside the picture."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from flask import Flask, render_template_string
from msgspec.structs import replace

from companion.history import charts
from companion.history.charts import (
    LINE_HEIGHT,
    MAX_DOTS_IN_ONE_PLOT,
    MAX_GAMES,
    MAX_LINES,
    TEXT_HEIGHT,
    TOP_MARGIN,
    WIDTH,
    BarRow,
    Label,
    LineChart,
    PointsOverTime,
    bar_chart,
    column_chart,
    points_chart,
    points_over_time,
    results_chart,
    stacked_bars,
    text_width,
)
from companion.history.result import PlayerResult, Result
from companion.rendering.templating import create_template_app
from companion.service.referee import Referee
from companion.system.paths import assets_folder
from scoring.games import GAMES
from scoring.trails.state import Photo
from tests.support.finished_tables import open_instance, random_game_table, scored_table
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.ready_setups import ready_setup

TRAILS, RACE = GAMES["trails"].box, GAMES["on-the-trail"].box
NAMES = ("Ana", "Maximiliana-Theodora von und zu Hohenz", "\u05e9\u05e8\u05d4", "<b>&", "Di")


@pytest.fixture(scope="module")
def print_app() -> Flask:
    return create_template_app()


@pytest.fixture
def draw_chart(print_app: Flask) -> Callable[..., str]:
    """Return a function that draws a chart with one of the macros."""

    def draw(macro: str, *arguments) -> str:
        with print_app.test_request_context():
            call = f"{{% import 'history/_charts.html' as charts %}}{{{{ charts.{macro}(*given) }}}}"
            return render_template_string(call, given=arguments)

    return draw


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    opened = open_instance(tmp_path)
    yield opened
    opened.store.db.conn.close()


def make_course(players: int, steps: int, max_points: int = 60) -> PointsOverTime:
    series = tuple(
        tuple((max_points * step // max(1, steps - 1) + 7 * player) % (max_points + 1) for step in range(steps))
        for player in range(players)
    )
    return PointsOverTime(
        NAMES[:players],
        series,
        ((0, "Spring"), (steps // 3, "Summer"), (steps // 3, "Fall"), (steps - 1, "The end")),
        "points",
    )


def assert_words_apart(chart: LineChart) -> None:
    """Assert that the bounding boxes of a chart's texts are inside it and do not overlap."""
    names = [
        (line.label.x, line.label.y, line.label.x + text_width(f"{line.last_value} {line.label.text}"))
        for line in chart.lines
    ]
    chapters = [(chapter.x, chapter.y, chapter.x + text_width(chapter.text)) for chapter in chart.chapters]
    scale = [(each.x - text_width(each.text), each.y + 4, each.x) for each in chart.grid]
    for (left, base, right), (other_left, other_base, other_right) in itertools.combinations(
        names + chapters + scale, 2
    ):
        assert right <= other_left or other_right <= left or abs(base - other_base) >= TEXT_HEIGHT
    for left, base, right in names + chapters:
        assert left >= 0 and base - chart.top >= TEXT_HEIGHT and right <= WIDTH and base <= chart.height
    ends = sorted(base for _, base, _ in names)
    assert all(below - above >= LINE_HEIGHT - 0.01 for above, below in itertools.pairwise(ends))
    assert all(left >= -4 for left, _, _ in scale)


def assert_inside(chart: LineChart) -> None:
    """Assert that no line or dot leaves the plot area."""
    for stroke in chart.lines:
        for x, y in path_corners(stroke.path):
            assert 0 <= x <= chart.right + 0.1 and TOP_MARGIN - 0.1 <= y <= chart.bottom + 0.1
        assert all(TOP_MARGIN <= dot.y <= chart.bottom and 0 <= dot.x <= chart.right for dot in stroke.dots)


def path_corners(path: str) -> list[tuple[float, float]]:
    """Return the corners of a path of lines."""
    x = y = 0.0
    corners = []
    for sign, first, second in re.findall(r"([MLHV])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        x, y = {
            "M": (float(first), float(second or 0)), "L": (float(first), float(second or 0)),
            "H": (float(first), y), "V": (x, float(first)),
        }[sign]  # fmt: skip
        corners.append((x, y))
    return corners


@pytest.mark.parametrize("players", [1, 2, 5])
@pytest.mark.parametrize("steps", [1, 2, 400])
@pytest.mark.parametrize("most", [0, 3, 140])
def test_points_chart_is_inside_its_picture_with_a_named_line_each(players: int, steps: int, most: int):
    chart = points_chart(make_course(players, steps, most))
    assert_words_apart(chart)
    assert_inside(chart)
    assert [stroke.pattern for stroke in sorted(chart.lines)] == list(range(players))
    for stroke in chart.lines:
        assert stroke.path.count("V") == steps - 1
        # The last value is visible too.
        assert path_corners(stroke.path)[-2][0] < path_corners(stroke.path)[-1][0] == chart.right
    assert 1 <= len(chart.grid) <= 7
    assert [mark.text for mark in chart.chapters] == ["Spring", "Summer", "Fall", "The end"]


CHAPTERS = {
    "seasons": ([(0, "Spring"), (1, "Summer"), (4, "Fall")], ["Spring", "Summer", "Fall"]),
    "seasons without points": ([(0, "Spring"), (0, "Summer"), (0, "Fall")], ["Spring", "Summer", "Fall"]),
    "rounds": (
        [*((2 * number, f"Round {number + 1}") for number in range(16)), (39, "End of game")],
        ["Round 1", *map(str, range(2, 17)), "End of game"],
    ),
    "rounds without points": (
        [(0, "Round 1"), *((5, f"Round {number}") for number in range(2, 6)), (39, "Round 6")],
        ["Round 1", *map(str, range(2, 7))],
    ),
    "rounds with room": ([(0, "Round 1"), (20, "Round 2")], ["Round 1", "Round 2"]),
    "no title": ([(0, ""), (16, "Last round"), (16, "Photos")], ["Last round", "Photos"]),
    "at the right edge": ([(39, "Last round"), (39, "Photos")], ["Last round", "Photos"]),
}


@parametrize_cases("chapters", CHAPTERS)
@pytest.mark.parametrize("players", [1, 5])
def test_every_chapter_has_a_label_that_overlaps_no_other(chapters: str, players: int):
    starts, titles = CHAPTERS[chapters]
    chart = points_chart(make_course(players, 40)._replace(chapter_starts=tuple(starts)))
    assert [label.text for label in chart.chapters] == titles
    assert len(chart.chapter_starts) == len(titles)
    shifts = [label.x - start for label, start in zip(chart.chapters, chart.chapter_starts, strict=True)]
    assert all(
        shift == 0 or label.x + text_width(label.text) == WIDTH
        for shift, label in zip(shifts, chart.chapters, strict=True)
    )
    assert_words_apart(chart)


def test_short_name_is_complete_and_long_name_is_shortened():
    ends = {stroke.player_name: stroke.label.text for stroke in points_chart(make_course(5, 30)).lines}
    assert ends["Ana"] == "Ana" and ends["Di"] == "Di" and ends[NAMES[2]] == NAMES[2]
    assert ends[NAMES[1]].startswith("Max") and ends[NAMES[1]].endswith("\u2026")
    alone = points_chart(PointsOverTime(("Bo",), ((0, 12),), (), "points"))
    assert alone.lines[0].label.text == "Bo" and alone.right > WIDTH - 80


def test_lines_with_equal_ends_have_names_that_do_not_overlap():
    for level in (0, 60):
        assert_words_apart(points_chart(PointsOverTime(NAMES, ((0, 60, level),) * 5, (), "points")))


def test_points_chart_with_negative_values_stays_in_its_picture():
    chart = points_chart(PointsOverTime(("Ana", "Bo"), ((0, -5, 3), (0, 2, 1)), (), "points"))
    assert all(TOP_MARGIN <= mark.y <= chart.bottom for mark in chart.grid) and "-4" in [
        mark.text for mark in chart.grid
    ]
    assert_inside(chart)
    assert_words_apart(chart)


def test_grid_values_are_round_and_enclose_all_points():
    chart = points_chart(PointsOverTime(("Ana", "Bo"), ((0, -33, 118), (0, 2, 1)), (), "points"))
    assert [mark.text for mark in chart.grid] == ["-50", "0", "50", "100", "150"]


@pytest.mark.parametrize(("game", "names"), [("trails", 3), ("parks", 2), ("alpine-trails", 2), ("on-the-trail", 2)])
def test_points_of_a_whole_game_end_in_its_totals(tmp_path: Path, game: str, names: int):
    referee = open_instance(tmp_path)
    table = random_game_table(referee, game, *("Ana", "Bo", "Cy")[:names])
    points = points_over_time(table)
    assert points and points.names == table.names
    assert points.unit == ("legs run" if game == "on-the-trail" else "points")
    ends = [series[-1] for series in points.series]
    assert ends == (
        [column.total for column in table.sheet.columns]
        if table.tracked.box.has_points
        else [player.legs_run for player in table.state.players]
    )
    assert all(len(series) == len(points.series[0]) for series in points.series)
    assert all(old != new for old, new in itertools.pairwise(zip(*points.series, strict=True)))
    assert_words_apart(points_chart(points))
    referee.store.db.conn.close()


AWARDS = {
    "trails": "Points for the most birds are added at the end.",
    "parks": "The Fall bonus, the photo bonus and First Hiker are added at the end.",
    "alpine-trails": "",
    "on-the-trail": "",
}


@parametrize_cases("game", AWARDS)
def test_awards_that_change_hands_are_only_in_the_last_points(referee: Referee, game: str, draw_chart):
    falls, moved_awards = 0, 0
    for seed in range(8):
        table = random_game_table(referee, game, "Ana", "Bo", seed=seed)
        points = points_over_time(table)
        assert points and points.awards_text == AWARDS[game]
        assert points.awards_text in draw_chart("points_over_time_chart", points_chart(points), points)
        falls += sum(new < old for series in points.series for old, new in itertools.pairwise(series))
        states = [table.initial_state, *(step.after for step in table.steps)]
        totals = zip(*(charts._totals(table.tracked, state) for state in states), strict=True)
        moved_awards += sum(new < old for series in totals for old, new in itertools.pairwise(series))
    if AWARDS[game]:
        assert falls == 0 < moved_awards
    else:  # a player's own step may lose points, such as a lake that a trail replaces
        assert falls == (moved_awards if game == "alpine-trails" else 0)


@run_all_rows("copied", [True, False])
def test_bonuses_for_the_most_birds_are_no_points_before_the_end(copied: bool):
    tracked = GAMES["trails"].tracked_games[0]
    state = tracked.initial_state(ready_setup(["Ana", "Bo"]))
    badges = ("observer-leaf", "rappelling-rock") if copied else ("observer-leaf",)
    birds = (Photo(points=0, birds=2), None)
    players = (msgspec.structs.replace(state.players[0], badges=badges, photos=birds), *state.players[1:])
    state = msgspec.structs.replace(state, players=players)
    printed = 2 * len(badges)
    assert tracked.progress.values(state) == (printed, 0)
    assert charts._totals(tracked, state)[0] == printed + 2 * len(badges) + 4


def test_game_that_was_only_scored_has_no_points_over_time(tmp_path: Path):
    referee = open_instance(tmp_path)
    assert points_over_time(scored_table(referee, "Ana", "Bo")) is None
    referee.store.db.conn.close()


def result_parts(*points: dict[str, int]) -> tuple[PlayerResult, ...]:
    return tuple(PlayerResult(NAMES[seat], sum(each.values()), categories=each) for seat, each in enumerate(points))


@run_all_rows(
    "points",
    [
        [{"badges": 10, "photos": 5}, {"badges": 3}],
        [{"badges": 0}, {}],
        [{"badges": -3, "photos": 4}],
        [{id: 9 for id, _ in TRAILS.categories} for _ in range(5)],
        [{"badges": 999}, {"badges": 1, "photos": 1, "bird-trophy": 4}],
    ],
)
def test_stacked_bars_have_a_segment_for_each_category_with_points(points: list[dict[str, int]]):
    chart = stacked_bars(result_parts(*points), TRAILS.categories)
    scales = set()
    for bar, points_by_category in zip(chart.bars, points, strict=True):
        positive = [value for value in points_by_category.values() if value > 0]
        assert len(bar.segments) == len(positive)
        scales |= {
            round(segment.width / value, 6)
            for segment, value in zip(
                bar.segments,
                (points_by_category[id] for id, _ in TRAILS.categories if points_by_category.get(id, 0) > 0),
                strict=True,
            )
        }
        assert bar.total.text == str(sum(points_by_category.values())) and bar.total.x <= WIDTH - 30
        assert all(left.x + left.width == pytest.approx(right.x) for left, right in itertools.pairwise(bar.segments))
        assert all(
            text_width(segment.text) <= segment.label_width + 0.01 <= segment.width
            for segment in bar.segments
            if segment.text
        )
        assert all(
            segment.text.partition(" ")[0] == chart.legend[segment.pattern][1]
            for segment in bar.segments
            if segment.text
        )
    assert len(scales) <= 1
    assert len({letter for _, letter, _ in chart.legend}) == len(chart.legend)


def assert_labels_apart(labels: Sequence[Label]) -> None:
    """Assert that centered labels do not overlap each other and are in the picture."""
    spans = [(label.x - text_width(label.text) / 2, label.x + text_width(label.text) / 2) for label in labels]
    assert all(right <= left + 0.01 for (_, right), (left, _) in itertools.pairwise(spans))
    assert all(left >= -4 and right <= WIDTH + 8 for left, right in spans)


@pytest.mark.parametrize("columns", [1, 2, 12, 20, 60])
@pytest.mark.parametrize("most", [0, 3, 140, 120_000])
def test_column_chart_has_labels_where_they_have_room(columns: int, most: int):
    values = [most * (number + 1) // columns for number in range(columns)]
    chart = column_chart([BarRow(str(2000 + number), (value,), str(value)) for number, value in enumerate(values)])
    names = [column.name for column in chart.columns if column.name.text]
    assert names[-1].text == str(1999 + columns)
    assert_labels_apart(names)
    assert_labels_apart([column.total for column in chart.columns if column.total.text])
    for column, value in zip(chart.columns, values, strict=True):
        assert [segment.height > 0 for segment in column.segments] == [True] * (value > 0)
    assert all(0 <= mark.y <= chart.height and mark.x >= text_width(mark.text) - 4 for mark in chart.grid)


def test_column_chart_stacks_its_segments_in_order():
    rows = [BarRow("Jan", (2, 0, 3), "5"), BarRow("Feb", (0, 0, 0), "0")]
    chart = column_chart(rows, ("TRAILS", "PARKS", "ALPINE TRAILS"))
    first, second = chart.columns
    lower, upper = first.segments
    assert (lower.pattern, upper.pattern) == (0, 2) and upper.y + upper.height == pytest.approx(lower.y)
    assert upper.height / lower.height == pytest.approx(1.5)
    assert second.segments == () and second.total.text == "" and second.name.text == "Feb"
    assert [title for _, _, title in chart.legend] == ["TRAILS", "PARKS", "ALPINE TRAILS"]


def test_bars_with_one_segment_have_no_letters_and_room_for_their_totals():
    chart = bar_chart([BarRow("TRAILS", (130,), "22 h 10 min"), BarRow("PARKS", (0,), "0 min")])
    assert chart.legend == () and [segment.text for bar in chart.bars for segment in bar.segments] == [""]
    assert all(bar.total.x + text_width(bar.total.text) <= WIDTH for bar in chart.bars)


def result(day: int, *players: tuple[str, int], game: str = "trails") -> Result:
    most = max(points for _, points in players)
    results = tuple(PlayerResult(name, points, 1, points == most) for name, points in players)
    return Result("AAAAAA", game, f"2026-{1 + day // 28:02}-{1 + day % 28:02}", results)


def identity_names(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def test_results_chart_has_a_dot_for_each_game_and_marks_wins():
    results = [result(0, ("Ana", 30), ("Bo", 20)), result(1, ("Ana", 10)), result(2, ("Ana", 25), ("Bo", 26))]
    chart = results_chart(results, TRAILS, identity_names("Ana", "Bo"), "Ana")
    assert [[dot.is_winner for dot in stroke.dots] for stroke in chart.lines] == [[True, False, False], [False, True]]
    assert [date for date, _ in chart.games] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert [[dot and dot.value for dot in dots] for _, dots in chart.games] == [
        [30, 20],
        [10, None],
        [25, 26],
    ]
    assert_words_apart(chart)
    assert_inside(chart)


def test_results_chart_leaves_out_unknown_points():
    unknown, known = result(0, ("Ana", 30), ("Bo", 20)), result(1, ("Ana", 10), ("Bo", 5))
    ana, bo = unknown.players
    bo_unknown = replace(unknown, players=(ana, replace(bo, unscored=True)))
    both_unknown = replace(unknown, players=(replace(ana, unscored=True), replace(bo, unscored=True)))
    names = identity_names("Ana", "Bo")
    assert results_chart([both_unknown] * 3, TRAILS, names, "Ana") is None
    assert results_chart([both_unknown, known], TRAILS, names, "Ana") is None
    assert [line.player_name for line in results_chart([bo_unknown] * 2, TRAILS, names, "Ana").lines] == ["Ana"]
    chart = results_chart([bo_unknown, both_unknown, known], TRAILS, names, "Ana")
    assert [[dot and dot.value for dot in dots] for _, dots in chart.games] == [[30, None], [10, 5]]
    assert chart.lines[0].dots[0].is_winner


def test_results_chart_of_a_race_counts_wins():
    results = [result(day, ("Ana", day % 2), ("Bo", 1 - day % 2), game="on-the-trail") for day in range(4)]
    chart = results_chart(results, RACE, identity_names("Ana", "Bo"), "Ana")
    assert [stroke.last_value for stroke in chart.lines] == [2, 2]


def test_results_chart_counts_wins_against_guests_and_bots():
    bot = (PlayerResult("The bot", bot=True), PlayerResult("Ana", winner=True))
    results = [replace(result(day, ("Ana", 1)), game="on-the-trail", players=bot) for day in range(2)]
    chart = results_chart(results, RACE, identity_names("Ana"), "Ana")
    assert str(chart.lines[0].last_value) == "2"
    assert [[dot.is_winner for dot in dots] for _, dots in chart.games] == [[True], [True]]


def test_results_chart_is_limited_to_latest_games_and_most_frequent():
    assert results_chart([result(0, ("Ana", 30), ("Bo", 20))], TRAILS, identity_names("Ana", "Bo"), "Ana") is None
    names = [f"P{number}" for number in range(8)]
    results = [result(day, ("Ana", 30), *((name, 9) for name in names[: 1 + day % 8])) for day in range(90)]
    chart = results_chart(results, TRAILS, identity_names("Ana", *names), "Ana")
    assert len(chart.lines) == MAX_LINES and len(chart.lines[0].dots) == MAX_GAMES
    assert [(stroke.last_value, stroke.label.text) for stroke in chart.lines] == [
        (30, "Ana"), (9, "P0"), (9, "P1"), (9, "P2"), (9, "P3"),
    ]  # fmt: skip
    assert_words_apart(chart)
    assert_inside(chart)


def test_results_chart_with_many_dots_has_a_strip_for_each_line():
    def chart_of_games(game_count: int):
        results = [result(day, *((name, 9 + day % 7) for name in NAMES)) for day in range(game_count)]
        return results_chart(results, TRAILS, identity_names(*NAMES), "Ana")

    few, many = (
        chart_of_games(MAX_DOTS_IN_ONE_PLOT // len(NAMES)),
        chart_of_games(MAX_DOTS_IN_ONE_PLOT // len(NAMES) + 1),
    )
    for chart in (few, many):
        assert_words_apart(chart)
        assert_inside(chart)
    reach = [[dot.y for dot in stroke.dots] for stroke in few.lines]
    assert all(each == reach[0] for each in reach)
    reach = [[dot.y for dot in stroke.dots] for stroke in many.lines]
    assert all(max(above) < min(below) for above, below in itertools.pairwise(reach))


def test_renamed_player_has_one_line():
    results = [result(0, ("Ana", 30), ("Bo", 20)), result(1, ("ANNA", 10), ("Bo", 2))]
    chart = results_chart(results, TRAILS, {"Ana": "Ana", "ANNA": "Ana", "Bo": "Bo"}, "Ana")
    assert len(chart.lines) == 2 and len(chart.lines[0].dots) == 2


def test_charts_have_a_label_and_escaped_names(
    draw_chart: Callable[..., str],
):
    points = make_course(5, 30)
    many = [result(day, *((name, 9 + day) for name in NAMES)) for day in range(5)]
    players = result_parts(*({"badges": 9, "photos": 20} for _ in NAMES))
    pages = [
        draw_chart("points_over_time_chart", points_chart(points), points),
        draw_chart("stacked_bars", stacked_bars(players, TRAILS.categories), players),
        draw_chart("results_chart", results_chart(many, TRAILS, identity_names(*NAMES), "<b>&"), TRAILS, "<b>&"),
        draw_chart("outcome_list", ("won", "lost", "shared", "alone")),
    ]
    for page in pages[:3]:
        assert "<b>" not in page and "&lt;b&gt;" in page
        for svg in re.findall(r"<svg class=\"chart.*?</svg>", page, re.DOTALL):
            picture = ElementTree.fromstring(svg)
            assert picture.get("role") == "img" and picture.get("aria-label")
    patterns = set(re.findall(r'class="line (pattern-\d)"', pages[0]))
    assert len(patterns) == 5
    assert [word in pages[3] for word in ("Won", "Lost", "Shared victory", "Solo")] == [True] * 4


def test_lines_have_unique_dashes_and_colors_and_bars_unique_textures(draw_chart: Callable[..., str]):
    ink = (assets_folder() / "static" / "css" / "history.css").read_text()
    lines = re.findall(r"\.pattern-\d\{stroke:([^;}]+)(?:;stroke-dasharray:([\d ]+))?\}", ink)
    assert len(lines) == len({dash for _, dash in lines}) == len({colour for colour, _ in lines}) == MAX_LINES
    categories = GAMES["alpine-trails"].box.categories
    players = result_parts({id: 9 for id, _ in categories})
    textures = re.findall(
        r'<pattern id="(texture-\d)"[^>]*>\s*<path d="([^"]*)"',
        draw_chart("stacked_bars", stacked_bars(players, categories), players),
    )
    assert len(textures) == len(dict(textures)) == len({path for _, path in textures}) == len(categories)


def test_line_charts_have_a_table_with_the_values(draw_chart: Callable[..., str]):
    points = PointsOverTime(("Ana", "<b>"), ((0, 3, -1), (0, 0, 8)), ((0, "Spring"), (1, "Summer")), "points")
    assert table_rows(draw_chart("points_over_time_chart", points_chart(points), points)) == [
        "0 Spring 0 0",
        "1 Summer 3 0",
        "Final -1 8",
    ]
    results = [result(0, ("Ana", 30), ("Bo", 20)), result(1, ("Ana", 10))]
    chart = results_chart(results, TRAILS, identity_names("Ana", "Bo"), "Ana")
    assert table_rows(draw_chart("results_chart", chart, TRAILS, "Ana")) == [
        "1 Jan 2026 30 won 20",
        "2 Jan 2026 10 no result",
    ]


def table_rows(page: str) -> list[str]:
    """Return the rows of the table on a page as text."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in body.split("</tr>")[:-1]]
