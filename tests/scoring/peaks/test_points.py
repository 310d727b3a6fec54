"""PEAKS: points of everything at the end, the winner, and documents that are refused."""

import re

import pytest

from scoring.kernel.errors import InvalidInputError
from scoring.kernel.sheet import Sheet
from tests.support.parametrize import run_all_rows
from tests.support.rule_cases import case_params
from tests.support.small_games.peaks import BOX

NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")


def document(*players: dict, count: int = 3, **rulings: str) -> dict:
    """Return a document with so many players, the first of whom have the given fields."""
    fields = [*players, *[{}] * (count - len(players))]
    named = [{"name": name, **player} for name, player in zip(NAMES, fields, strict=False)]
    return {"game": BOX.key, "rulings": rulings, "players": named}


def score(*players: dict, **rulings: str) -> Sheet:
    return BOX.score(BOX.read_final_position(document(*players, **rulings)))


# rule -> (Ana's fields, category, points, reason)
LINES = {
    "summits": [
        ({}, "summits", 0, "0 reached, 3 points each."),
        ({"summits": 2}, "summits", 6, "2 reached, 3 points each."),
        ({"summits": 2, "guide": True}, "summits", 4, "2 reached, 2 points each."),
    ],
    "stones": [({"cairns": 12}, "cairns", 12, "1 point each.")],
    "fair": [
        ({"weather": "fair"}, "weather", 2, "The weather was fair."),
        ({"weather": "foul"}, "weather", 0, "The weather was foul."),
    ],
}


@run_all_rows("fields, category, points, reason", case_params(BOX, LINES))
def test_line_of_the_sheet_has_points_and_a_reason(fields, category, points, reason):
    (line,) = [line for line in score(fields).columns[0].lines if line.category == category]
    assert (line.points, line.because) == (points, reason)


# rule -> (players' fields, rulings, winners, what decided it)
WINNERS = {
    "total": [
        (({"summits": 1}, {"cairns": 2}), {}, ["Ana"], "points"),
        (({"summits": 1}, {"cairns": 4}), {}, ["Bo"], "points"),
    ],
    "level": [
        (({"summits": 1}, {"cairns": 3}), {}, ["Ana", "Bo"], "shared"),
        (({"summits": 1}, {"cairns": 3}), {"ties": "cairns"}, ["Bo"], "cairns"),
        (({"cairns": 3}, {"cairns": 3}), {"ties": "cairns"}, ["Ana", "Bo"], "shared"),
    ],
}


@run_all_rows("players, rulings, winners, decided_by", case_params(BOX, WINNERS))
def test_most_points_win_and_the_table_rules_on_ties(players, rulings, winners, decided_by):
    sheet = score(*players, **rulings)
    assert [column.name for column in sheet.columns if column.winner] == winners
    assert sheet.decided_by == decided_by


# rule -> (document, error)
REFUSED = {
    "players": [
        (document(count=2), "players: this game has 3 to 7 players, not 2"),
        (document(count=8), "players: this game has 3 to 7 players, not 8"),
    ],
    "stones": [
        (document({"cairns": 13}), "players[0].cairns: expected a whole number of at most 12"),
        (document({"cairns": 6}, {"cairns": 7}), "players: the box has only 12 stones"),
        (document({"cairns": -1}), "players[0].cairns: expected a whole number of at least 0"),
    ],
    "fair": [(document({"weather": "windy"}), 'players[0].weather: no value "windy"; there are fair, foul')],
}


@run_all_rows("document, error", case_params(BOX, REFUSED))
def test_impossible_document_is_refused_with_its_place(document, error):
    with pytest.raises(InvalidInputError, match=f"^{re.escape(error)}$"):
        BOX.read_final_position(document)


@pytest.mark.parametrize("count", BOX.player_counts)
def test_every_number_of_players_is_scored(count):
    assert len(BOX.score(BOX.read_final_position(document(count=count))).columns) == count
