"""Tests of results: the sentence that names the winners."""

import pytest

from companion.exchange.spreadsheet import csv_rows
from companion.history.result import PlayerResult, Result, result_text, sheet_of


def two_players(game: str, first: int | None, second: int | None, winners: str = "first") -> tuple[str, tuple]:
    is_first, is_second = winners in ("first", "both"), winners in ("second", "both")
    ana = PlayerResult("Ana", first or 0, 1, is_first, unscored=first is None)
    return game, (ana, PlayerResult("Bo", second or 0, 2, is_second, unscored=second is None))


@pytest.mark.parametrize(
    ("players", "decided_by", "expected"),
    [
        (two_players("trails", 30, 20), "points", "Ana wins with 30 points."),
        (two_players("trails", 0, -2), "points", "Ana wins with 0 points."),
        (two_players("trails", 20, 20), "tie-break", "Ana wins with 20 points on the tie-break."),
        (two_players("trails", 20, 20, "both"), "shared", "Ana and Bo share the victory with 20 points."),
        (two_players("trails", None, None), "other", "Ana wins."),
        (two_players("trails", None, None, ""), "unknown", "The winner is not recorded."),
        (two_players("on-the-trail", 0, 0), "points", "Ana wins."),
        (two_players("on-the-trail", 0, 0, ""), "points", "No one wins."),
        (("trails", (PlayerResult("Ana", 1),)), "points", "Ana scored 1 point in a solo game."),
        (("trails", (PlayerResult("Ana", unscored=True),)), "points", "Ana played a solo game."),
        (("on-the-trail", (PlayerResult("Ana", winner=True),)), "points", "Ana wins the solo game."),
    ],
)
def test_result_is_told_in_one_sentence(players: tuple[str, tuple], decided_by: str, expected: str):
    assert result_text(Result("AAAAAA", players[0], "2026-01-02", players[1], decided_by)) == expected


@pytest.mark.parametrize("points", [0, 7])
def test_race_has_no_points_in_the_csv(points: int):
    result = Result("AAAAAA", "on-the-trail", "2026-01-02", (PlayerResult("Ana", points), PlayerResult("Bo")))
    assert {row[8] for row in csv_rows([result])} == {""}


@pytest.mark.parametrize(
    ("players", "decided_by", "expected"),
    [
        (two_players("trails", 20, 20), "tie-break", "tie-break"),
        (two_players("trails", 20, 20, "both"), "shared", "shared"),
        (two_players("trails", 30, 20), "points", "points"),
        (two_players("on-the-trail", 0, 0), "points", "finish"),
        (two_players("on-the-trail", 0, 0), "hand", "hand"),
    ],
)
def test_csv_says_what_decided_the_game(players: tuple[str, tuple], decided_by: str, expected: str):
    result = Result("AAAAAA", players[0], "2026-01-02", players[1], decided_by)
    assert {row[9] for row in csv_rows([result])} == {expected}


def test_sheet_of_a_race_has_notes_in_place_of_points():
    finished = PlayerResult("Ana", 2, winner=True, categories={"hand": 2}, note="Finished")
    lines = [column.lines for column in sheet_of(Result("AAAAAA", "on-the-trail", "2026-01-02", (finished,))).columns]
    assert [(line.label, line.points) for line in lines[0]] == [("Finished", 0)]
