"""ALPINE TRAILS: forecast of a growing map, from public information."""

import pytest

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.forecast import Forecast
from scoring.alpine_trails.points import Goal
from tests.support.alpine_trails_table import ANA, make_state, with_ana
from tests.support.parametrize import run_all_rows


@run_all_rows(
    "drawn, found",
    [
        ("Br Br", Forecast(0, None, 0)),
        (". EW3f Br Br .", Forecast(3, 3, 0)),
        (". EW3f EW3f Br Br EW1f .", Forecast(6, 0, 0)),
        ("Br Br\nNE1w .", Forecast(1, 5, 1)),
    ],
)
def test_forecast_of_a_map(drawn: str, found: Forecast):
    assert TRACKED_GAME.view_helpers["forecast"](make_state(ana_map=drawn), ANA, {}) == found


@pytest.mark.parametrize(
    "found, lines",
    [
        (
            Forecast(3, 3, 1, has_length_goal=True),
            "Longest path: 3 miles. Your goal card scores at 15 miles. 3 more miles to your next campsite. "
            "There is 1 square where a trail would complete a loop.",
        ),
        (
            Forecast(16, 0, 0, has_length_goal=True),
            "Longest path: 16 miles. Your goal card scores at 20 miles. You can place a campsite.",
        ),
        (Forecast(3, 0, 0), "Longest path: 3 miles. You can place a campsite."),
        (
            Forecast(21, None, 0, has_length_goal=True),
            "Longest path: 21 miles. A campsite needs an open trail end.",
        ),
    ],
)
def test_forecast_has_sentences(found: Forecast, lines: str):
    assert " ".join(found.sentences) == lines


@pytest.mark.parametrize("kind, is_named", [(None, False), ("tent-icons", False), ("path-length", True)])
def test_forecast_names_the_next_step_only_to_the_owner_of_the_length_goal(kind, is_named):
    goal = Goal(kind, "any" if kind == "tent-icons" else None) if kind else None
    state = with_ana(make_state(ana_map=". EW3f Br Br ."), goal=goal)
    outlook = TRACKED_GAME.view_helpers["forecast"](state, ANA, {})
    assert ("Your goal card" in " ".join(outlook.sentences)) is is_named


@pytest.mark.parametrize(
    "miles, text", [(None, "no open trail"), (0, "uses a tile"), (1, "1 more mile"), (3, "3 more miles")]
)
def test_campsite_text_says_what_is_missing(miles, text):
    assert Forecast(miles_to_campsite=miles).campsite_text == text
