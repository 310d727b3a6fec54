"""FORD: points of everything at the end."""

from tests.support.parametrize import run_all_rows
from tests.support.rule_cases import case_params
from tests.support.small_games.ford import BOX
from tests.support.small_games.ford.final_position import FinalPlayer, FinalPosition

# rule -> (Ana's step and hand, rulings, points of each line)
POINTS = {
    "total": [
        ((0, "right"), {}, [0, 0]),
        ((4, "right"), {}, [4, 0]),
        ((4, "left"), {}, [4, 1]),
    ],
    "beyond": [
        ((7, "right"), {}, [5, 0]),
        ((7, "right"), {"beyond": "nothing"}, [5, 0]),
        ((7, "right"), {"beyond": "point"}, [7, 0]),
    ],
}


@run_all_rows("ana, rulings, points", case_params(BOX, POINTS))
def test_player_scores_steps_and_the_stone(ana, rulings, points):
    sheet = BOX.score(FinalPosition((FinalPlayer("Ana", *ana), FinalPlayer("Bo")), rulings))
    assert [line.points for line in sheet.columns[0].lines] == points
    assert all(line.rules for line in sheet.columns[0].lines)
