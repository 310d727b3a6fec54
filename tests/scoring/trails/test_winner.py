"""TRAILS: the winner and the tie-breaks."""

import pytest

from tests.support.parametrize import run_all_rows
from tests.support.trails_table import NO_PHOTO, case_params, sheet

# (players, decided_by, ranks, result text)
TIED_SCORES = {
    "goal": [
        # Ties are broken for every rank; decided_by names the one for the first.
        (
            [
                (["climber-leaf", "climber-rock"], []),
                (["climber-acorn"], []),
                (["cartography-leaf", "navigation-leaf"], []),
            ],
            "points",
            [1, 3, 2],
            "Ana wins with 12 points.",
        ),
    ],
    "winner": [
        (
            [(["climber-leaf"], []), (["science"], []), (["science"], []), (["first-aid-rock"], [])],
            "points",
            [1, 2, 2, 4],
            "Ana wins with 6 points.",
        ),
    ],
    "tie-badges": [
        (
            [(["climber-leaf"], []), (["cartography-leaf", "navigation-leaf"], [])],
            "badges",
            [2, 1],
            "Ana and Bo are tied at 6 points. Bo wins by most badge cards: 2 against Ana 1.",
        ),
    ],
    "tie-photos": [
        (
            [(["climber-leaf"], [NO_PHOTO, NO_PHOTO]), (["climber-rock"], [NO_PHOTO])],
            "photos",
            [1, 2],
            "Ana and Bo are tied at 6 points. Ana wins by most photo cards: 2 against Bo 1.",
        ),
        # Cy has the most photos of all, but has already lost by badge cards.
        (
            [
                (["cartography-leaf", "navigation-leaf"], [NO_PHOTO]),
                (["cartography-rock", "navigation-rock"], []),
                (["climber-leaf"], [NO_PHOTO, NO_PHOTO, NO_PHOTO]),
            ],
            "photos",
            [1, 2, 3],
            "Ana, Bo and Cy are tied at 6 points. Ana wins by most photo cards: 1 against Bo 0.",
        ),
    ],
    "tie-birds": [
        (
            [(["climber-leaf"], []), (["seeker-leaf"], [])],
            "birds",
            [2, 1],
            "Ana and Bo are tied at 6 points. Bo wins by most birds: 1 against Ana 0.",
        ),
    ],
    "tie-shared": [
        (
            [(["climber-leaf"], [NO_PHOTO]), (["climber-rock"], [NO_PHOTO])],
            "shared",
            [1, 1],
            "Ana and Bo share the victory with 6 points each, "
            "also tied in most badge cards, most photo cards and most birds.",
        ),
        (
            [(["science"], []), (["climber-leaf"], []), (["climber-rock"], [])],
            "shared",
            [3, 1, 1],
            "Bo and Cy share the victory with 6 points each, "
            "also tied in most badge cards, most photo cards and most birds.",
        ),
        (
            [([], []), ([], [])],
            "shared",
            [1, 1],
            "Ana and Bo share the victory with 0 points each, "
            "also tied in most badge cards, most photo cards and most birds.",
        ),
    ],
    "science-tie": [
        # A Science is one card.
        (
            [(["science", "science"], []), (["sunshine-leaf", "first-aid-leaf", "rappelling-rock"], [])],
            "points",
            [2, 1],
            "Bo wins with 11 points.",
        ),
        (
            [(["science", "science"], []), (["cartography-leaf", "research-leaf", "first-aid-leaf"], [])],
            "badges",
            [2, 1],
            "Ana and Bo are tied at 6 points. Bo wins by most badge cards: 3 against Ana 2.",
        ),
    ],
}


@pytest.mark.parametrize("players, decided_by, ranks, result_text", case_params(TIED_SCORES))
def test_ties_are_broken_in_the_order_of_the_rulebook(players, decided_by, ranks, result_text):
    scored = sheet(*players)
    assert scored.decided_by == decided_by
    assert [column.rank for column in scored.columns] == ranks
    assert [column.winner for column in scored.columns] == [rank == 1 for rank in ranks]
    assert scored.result_text == result_text


@run_all_rows(
    "rule, tie_breaks",
    [
        ("tie-badges", ["badges"]),
        ("tie-photos", ["badges", "photos"]),
        ("tie-birds", ["badges", "photos", "birds"]),
        ("tie-shared", ["badges", "photos", "birds"]),
        ("winner", []),
    ],
)
def test_sheet_shows_the_tie_breaks_that_were_needed(rule, tie_breaks):
    players, *_ = TIED_SCORES[rule][0]
    assert [tie_break.id for tie_break in sheet(*players).tie_breaks] == tie_breaks
