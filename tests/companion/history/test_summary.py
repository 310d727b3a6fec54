"""Tests of the summary of many results: groups, margins and winning scores."""

import datetime

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.history.figures import FIGURES, cell_text, figure_rows, figures_of
from companion.history.result import PlayerResult, Result
from companion.history.summary import (
    Month,
    Summary,
    count_plays,
    scores,
    winning_margin,
    winning_score,
)
from scoring.games import GAMES
from tests.support.hypothesis_settings import with_examples
from tests.support.parametrize import run_all_rows

CURRENT_NAMES = {"ana": "Ana", "anna": "Ana", "bo": "Bo", "cy": "Cy", "di": "Di"}


def make_result(
    *players: tuple[str, int | None], game: str = "trails", ended: str = "2026-01-02", winners: str = "", **more
) -> Result:
    """Return a result of players as (name, points).

    :param winners: names; empty if those with the most points won.
    """
    most = max((points for _, points in players if points is not None), default=None)
    parts = tuple(
        PlayerResult(
            name,
            points or 0,
            winner=name in winners.split() if winners else points == most is not None,
            unscored=points is None,
        )
        for name, points in players
    )
    return Result(more.pop("id", "AAAAAA"), game, ended, parts, **more)


def with_part(result: Result, seat: int, **changes) -> Result:
    """Return a result with one of its players changed."""
    parts = list(result.players)
    parts[seat] = replace(parts[seat], **changes)
    return replace(result, players=tuple(parts))


TWO = make_result(("Ana", 30), ("Bo", 20))
MARGINS = [
    (TWO, 30, 10),
    (make_result(("Ana", 30), ("Bo", 20), ("Cy", 29)), 30, 1),
    (make_result(("Ana", 30), ("Bo", 30)), 30, 0),  # they share the victory
    (make_result(("Ana", 30), ("Bo", 30), winners="Bo", decided_by="tie-break"), 30, 0),
    (make_result(("Ana", -2), ("Bo", -5)), -2, 3),
    (make_result(("Ana", 30)), None, None),  # solo
    (make_result(("Ana", 30), ("Bo", None)), 30, None),
    (make_result(("Ana", 30), ("Bo", 20), ("Cy", None)), 30, None),
    (make_result(("Ana", None), ("Bo", None), winners="Ana"), None, None),
    (make_result(("Ana", 30), ("Bo", 20), winners="Bo", decided_by="other"), 20, None),
    (make_result(("Ana", 30), ("Bo", 20), winners="no one", decided_by="unknown"), None, None),
    (make_result(("Ana", 1), ("Bo", 0), game="on-the-trail"), None, None),  # a race
    (with_part(TWO, 1, bot=True), 30, 10),
    (with_part(TWO, 1, guest=True), 30, 10),
]


@run_all_rows(("result", "score", "margin"), MARGINS)
def test_winning_score_and_margin_need_a_winner_and_known_points(result: Result, score: int | None, margin: int | None):
    assert (winning_score(result), winning_margin(result)) == (score, margin)


def test_pairs_are_counted_by_current_names_without_guests_and_bots():
    results = [
        make_result(("Anna", 1), ("Bo", 2), ("Cy", 3), minutes=30),
        make_result(("Bo", 1), ("Ana", 2)),
        with_part(make_result(("Ana", 1), ("Bo", 2)), 1, guest=True),
        with_part(make_result(("Ana", 1), ("Bo", 2)), 1, bot=True),
        make_result(("Ana", 1), ("Somebody", 2)),
        make_result(("Ana", 1), ("Anna", 2)),  # one person under two names
        make_result(("Ana", 9)),
    ]
    pairs = Summary(results, CURRENT_NAMES).by_pair
    assert {pair: len(found) for pair, found in pairs.items()} == {("Ana", "Bo"): 2, ("Ana", "Cy"): 1, ("Bo", "Cy"): 1}
    count = count_plays(pairs["Ana", "Bo"])
    assert (count.plays, count.timed, count.minutes) == (2, 1, 30)
    assert Summary(results, CURRENT_NAMES, "Bo").by_pair.keys() == {("Ana", "Bo"), ("Bo", "Cy")}


def test_bots_are_not_counted_as_players():
    against_bot = with_part(TWO, 1, bot=True)
    assert [*Summary([against_bot], CURRENT_NAMES).by_player_count] == [1]


def test_scores_of_a_player_include_other_names_and_leave_out_unknown_points():
    results = [make_result(("Anna", 31), ("Bo", None)), with_part(TWO, 1, guest=True), with_part(TWO, 0, bot=True)]
    everyone = scores(Summary(results, CURRENT_NAMES), "trails")
    assert [(score.points, score.name) for score in everyone] == [(31, "Ana"), (30, "Ana"), (20, "Bo"), (20, "Bo")]
    own = scores(Summary(results, CURRENT_NAMES, "Ana"), "trails")
    assert [(score.points, score.name) for score in own] == [(31, "Ana"), (30, "Ana")]
    assert scores(Summary(results, CURRENT_NAMES), "parks") == []


def test_month_is_that_of_the_local_date():
    summary = Summary([make_result(("Ana", 1), ended="2026-11-24")], CURRENT_NAMES)
    assert [*summary.by_month] == [Month(2026, 11)] and [*summary.by_year] == [2026]
    assert (str(Month(2026, 3)), cell_text(Month(2026, 3))) == ("2026-03", "Mar 2026")


# Sums of random results


@st.composite
def random_results(draw: st.DrawFn) -> list[Result]:
    """Return results of up to 20 years, earliest first."""
    days = sorted(draw(st.lists(st.dates(datetime.date(2006, 1, 1), datetime.date(2026, 12, 31)), max_size=25)))
    return [draw(random_result(day)) for day in days]


@st.composite
def random_result(draw: st.DrawFn, day: datetime.date) -> Result:
    """Return the result of a game on a day; anything about it may be unknown."""
    names = draw(st.lists(st.sampled_from(["Ana", "Bo", "Cy", "Di", "Stranger"]), min_size=1, max_size=4, unique=True))
    flags = ("winner", "bot", "guest", "unscored")
    parts = tuple(
        PlayerResult(name, draw(st.integers(-5, 60)), **{flag: draw(st.booleans()) for flag in flags}) for name in names
    )
    decided_by = draw(st.sampled_from(["points", "tie-break", "other", "unknown"]))
    game, minutes = draw(st.sampled_from([*GAMES])), draw(st.just(0) | st.integers(1, 300))
    return Result("AAAAAA", game, day.isoformat(), parts, decided_by, minutes=minutes)


def group_sizes(summary: Summary) -> list[int]:
    """Return the number of results in all groups of each kind that divides the results."""
    groups = (summary.by_month, summary.by_year, summary.by_game, summary.by_player_count)
    return [sum(map(len, each.values())) for each in groups]


@given(random_results())
@with_examples(120)
def test_sums_of_all_groups_are_the_number_of_results(results: list[Result]):
    summary = Summary(results, CURRENT_NAMES)
    assert group_sizes(summary) == [len(results)] * 4
    count = count_plays(results)
    assert (count.plays, count.minutes) == (len(results), sum(result.minutes for result in results))
    for groups in (summary.by_year, summary.by_month, summary.by_game):
        counts = [count_plays(found) for found in groups.values()]
        assert (
            sum(each.minutes for each in counts) == count.minutes and sum(each.timed for each in counts) == count.timed
        )


@given(random_results())
@with_examples(120)
def test_tables_of_figures_agree_with_the_results(results: list[Result]):
    figures = {figure.key: figure for figure in figures_of(Summary(results, CURRENT_NAMES))}
    assert ("years" in figures) == bool(results)
    for key in ("years", "months", "margins") if results else ():
        rows = figures[key].rows if key in figures else ()
        expected = len(Summary(results, CURRENT_NAMES).margins) if key == "margins" else len(results)
        assert sum(row.cells[-1] for row in rows) == expected
    for figure in figures.values():
        assert all(len(row.cells) == len(row.texts) == len(figure.columns) for row in figure.rows)


@given(random_results())
@with_examples(60)
def test_player_of_the_filter_has_only_own_pairs_and_scores(results: list[Result]):
    own = [result for result in results if any(part.name == "Ana" and part.is_person for part in result.players)]
    everyone, ana = Summary(results, CURRENT_NAMES), Summary(own, CURRENT_NAMES, "Ana")
    assert {pair: len(found) for pair, found in ana.by_pair.items()} == {
        pair: len(found) for pair, found in everyone.by_pair.items() if "Ana" in pair
    }
    assert len(own) == len(everyone.by_player.get("Ana", ()))
    assert all(score.name == "Ana" for game in GAMES for score in scores(ana, game))


def test_every_figure_has_its_key_and_a_file_without_results():
    for key, build in FIGURES.items():
        figure = build(Summary([], CURRENT_NAMES))
        assert figure.key == key and [*figure_rows(figure)] == [figure.columns]
    assert figures_of(Summary([], CURRENT_NAMES)) == ()
