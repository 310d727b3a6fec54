"""TRAILS: what a waiting player could plan, and the marks of badges that can be paid for."""

from scoring.trails.display import PlannedBadge, payable_badges, planned_badges
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import ANA, NO_CARDS, make_state

NONE = (0, 0, 0)


def state_with(cubes=(2, 2, 0), **player):
    """Return a state where Ana holds Science, and First Aid and Observer are at Trail End."""
    ends = {"trailhead": ("climber-leaf", None), "trail_end": ("first-aid-acorn", "observer-rock")}
    return make_state(**ends).with_player(ANA, hand="science", cubes=cubes, **player)


# (state, planned badges)
PLANS = [
    (
        state_with(space=4),
        [
            ("first-aid-acorn", "at Trail End", NONE),
            ("science", "in your hand", (0, 0, 1)),
            ("observer-rock", "at Trail End", (0, 0, 2)),
            ("climber-leaf", "at the Trailhead", (0, 3, 0)),
        ],
    ),
    (
        state_with(space=1, cubes=(1, 1, 1)),
        [
            ("science", "in your hand", NONE),
            ("first-aid-acorn", "at Trail End (canteen)", (1, 0, 0)),
            ("observer-rock", "at Trail End (canteen)", (0, 0, 1)),
            ("climber-leaf", "at the Trailhead", (0, 4, 0)),
        ],
    ),
    (
        state_with(space=2, facing=-1, canteen=False, cubes=(2, 5, 0)),
        [
            ("climber-leaf", "at the Trailhead", NONE),
            ("first-aid-acorn", "at Trail End", NONE),
            ("science", "in your hand", (0, 0, 1)),
            ("observer-rock", "at Trail End", (0, 0, 2)),
        ],
    ),
    (make_state(trailhead=NO_CARDS, trail_end=(None, None)), []),
]


@run_all_rows("state, plans", PLANS)
def test_plan_lists_paid_badges_first_then_those_within_reach(state, plans):
    assert planned_badges(state, ANA, {}) == tuple(PlannedBadge(*plan) for plan in plans)


def test_badge_is_payable_when_the_resources_cover_its_price():
    payable = payable_badges(state_with(cubes=(3, 0, 0), badges=("climber-rock",)), ANA, {})
    assert {"first-aid-acorn", "research-acorn", "collector-acorn"} <= payable
    assert payable.isdisjoint({"science", "research-leaf", "climber-acorn"})


def test_research_is_payable_at_its_reduced_price():
    assert "research-rock" in payable_badges(state_with(cubes=(0, 0, 2), badges=("climber-rock",)), ANA, {})
