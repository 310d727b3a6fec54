"""The sentences of a score sheet: who wins, and what each player needs to tie."""

from scoring.kernel.rule import Rule
from scoring.kernel.sheet import Contest, Line, Sheet, TieBreak, describe_gaps, make_sheet
from tests.support.parametrize import run_all_rows

RULE = Rule("total", "Scoring", "Most points win.", "leaflet", "1")


def sheet_of(points: list[int], *tie_breaks: list[int]) -> Sheet:
    """Return the sheet of Ana, Bo, Cy for their points and their values in tie-breaks."""
    names = ["Ana", "Bo", "Cy"][: len(points)]
    lines = [[Line("points", "Points", value, "", (RULE,))] for value in points]
    titles = ("Cards", "Birds")[: len(tie_breaks)]
    named = [
        TieBreak(title.lower(), title, RULE, tuple(values)) for title, values in zip(titles, tie_breaks, strict=True)
    ]
    return make_sheet("a game", (("points", "Points"),), names, lines, named)


@run_all_rows(
    ("points", "tie_breaks", "text"),
    [
        ([1, 0], [], "Ana wins with 1 point."),
        ([0, -1], [], "Ana wins with 0 points."),
        ([2, 1], [], "Ana wins with 2 points."),
        ([1, 1], [], "Ana and Bo share the victory with 1 point each."),
        ([2, 2, 2], [], "Ana, Bo and Cy share the victory with 2 points each."),
        ([1, 1], [[2, 1]], "Ana and Bo are tied at 1 point. Ana wins by cards: 2 against Bo 1."),
        ([3, 3, 3], [[0, 2, 1]], "Ana, Bo and Cy are tied at 3 points. Bo wins by cards: 2 against Ana 0, Cy 1."),
        ([3, 3], [[1, 1]], "Ana and Bo share the victory with 3 points each, also tied in cards."),
        (
            [3, 3],
            [[1, 1], [2, 2]],
            "Ana and Bo share the victory with 3 points each, also tied in cards and birds.",
        ),
    ],
)
def test_result_text_has_points_with_their_number(points: list[int], tie_breaks: list[list[int]], text: str):
    assert sheet_of(points, *tie_breaks).result_text == text


@run_all_rows(
    ("points", "tie_breaks", "text"),
    [
        ([3, 2], [], "Bo needs 1 more point to tie with Ana. They would share the victory."),
        ([3, 1], [], "Bo needs 2 more points to tie with Ana. They would share the victory."),
        ([3, 3], [[2, 1]], "Bo is tied with Ana. Ana would win the tiebreaker (cards: 2 to 1)."),
        (
            [3, 2],
            [[1, 1], [1, 2]],
            "Bo needs 1 more point to tie with Ana. Bo would win the tiebreaker (birds: 2 to 1).",
        ),
    ],
)
def test_gap_names_the_points_to_a_tie(points: list[int], tie_breaks: list[list[int]], text: str):
    assert [*describe_gaps(sheet_of(points, *tie_breaks), is_over=False)] == [text]


@run_all_rows(
    ("points", "tie_breaks", "text"),
    [
        ([3, 2], [], "Bo was 1 point behind Ana."),
        ([3, 1], [], "Bo was 2 points behind Ana."),
        ([3, 3], [[2, 1]], "Bo lost the tiebreaker."),
    ],
)
def test_gap_after_the_end_is_in_the_past(points: list[int], tie_breaks: list[list[int]], text: str):
    assert [*describe_gaps(sheet_of(points, *tie_breaks), is_over=True)] == [text]


@run_all_rows(
    "noun, count, qualifier, text",
    [
        ("bird", 1, "", "1 bird"),
        ("bird", 2, "more", "2 more birds"),
        ("", 2, "more", "2 more"),
    ],
)
def test_count_of_a_contest_names_what_it_counts(noun, count, qualifier, text):
    assert Contest("Most", RULE, (), noun).describe(count, qualifier) == text
