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
            "The longest path has 3 miles; the next step of the length goal is 15. A campsite needs 3 miles more. "
            "A trail can close a loop in 1 cell.",
        ),
        (
            Forecast(16, 0, 0, has_length_goal=True),
            "The longest path has 16 miles; the next step of the length goal is 20. A campsite can be placed.",
        ),
        (Forecast(3, 0, 0), "The longest path has 3 miles. A campsite can be placed."),
        (
            Forecast(21, None, 0, has_length_goal=True),
            "The longest path has 21 miles. No trail is open for a campsite.",
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
    assert ("length goal" in " ".join(outlook.sentences)) is is_named
