"""TRAILS: the Sunshine badge at every place of the Sun."""

from scoring.trails.moves.hiking import Exchange, Hike, Photograph, RollWildlife, Skip
from scoring.trails.state import EarnBadges, MoveBear, SiteAction, State, TakePhoto
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BO,
    FINAL_SUN,
    case_params,
    earn_from_hand,
    make_state,
    select_fields,
    state_after,
    state_with_hand,
)


def state_with_sunshine(sun: int, players: int = 2, **changes) -> State:
    """Return Ana at the Trailhead, about to earn Sunshine (acorn) and keep a rock."""
    return state_with_hand("sunshine-acorn", (3, 2, 1), players, sun=sun, **changes)


OUTCOMES = {
    "sunshine": [
        (
            state_with_sunshine(0),
            [earn_from_hand("sunshine-acorn")],
            {"tasks": (EarnBadges("trailhead"), MoveBear(is_optional=True)), "sun": 0},
        ),
        (state_with_sunshine(1), [earn_from_hand("sunshine-acorn")], {"cubes": (0, 0, 2), "sun": 1, "turn": BO}),
        (
            state_with_sunshine(2),
            [earn_from_hand("sunshine-acorn")],
            {"tasks": (EarnBadges("trailhead"), SiteAction("photo")), "sun": 2},
        ),
        (
            state_with_sunshine(2),
            [earn_from_hand("sunshine-acorn"), Photograph(pay="rock")],
            {"photos": (None,), "cubes": (0, 0, 0), "sun": 2},
        ),
        (state_with_sunshine(4), [earn_from_hand("sunshine-acorn")], {"cubes": (0, 1, 1), "sun": 4, "turn": BO}),
        (
            state_with_sunshine(5),
            [earn_from_hand("sunshine-acorn"), Exchange("rock", "leaf")],
            {"cubes": (0, 2, 0), "sun": 5, "turn": BO},
        ),
        (
            state_with_sunshine(6),
            [earn_from_hand("sunshine-acorn"), RollWildlife("leaf", "leaf")],
            {"cubes": (0, 2, 1), "sun": 6, "turn": BO},
        ),
        (
            state_with_sunshine(0, players=4),
            [earn_from_hand("sunshine-acorn")],
            {"cubes": (0, 0, 2), "sun": 0, "turn": BO},
        ),
        (
            state_with_sunshine(9, players=4),
            [earn_from_hand("sunshine-acorn")],
            {"cubes": (2, 0, 1), "sun": 9, "turn": BO},
        ),
    ],
    "sunshine-where": [
        # At Trail End the Sun moves first: from the bear to the rock site, from the rock site to the photo site.
        (
            make_state().with_player(ANA, space=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), RollWildlife("acorn", "acorn"), earn_from_hand("sunshine-acorn")],
            {"cubes": (1, 0, 1), "sun": 1, "turn": BO},
        ),
        (
            make_state(sun=1).with_player(ANA, space=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), earn_from_hand("sunshine-acorn"), Photograph(pay="rock")],
            {"cubes": (0, 0, 0), "photos": (None,), "sun": 2},
        ),
        (
            make_state(sun=3).with_player(ANA, space=1, facing=-1, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), earn_from_hand("sunshine-acorn")],
            {"cubes": (1, 0, 0), "sun": 3, "turn": BO},
        ),
    ],
    "sunshine-final": [
        (
            state_with_sunshine(FINAL_SUN),
            [earn_from_hand("sunshine-acorn")],
            {"tasks": (EarnBadges("trailhead"), TakePhoto("sunshine"))},
        ),
        (
            state_with_sunshine(FINAL_SUN),
            [earn_from_hand("sunshine-acorn"), Photograph()],
            {"photos": (None,), "cubes": (0, 0, 1), "sun_holder": None, "turns_left": None, "turn": BO},
        ),
    ],
    "sunshine-last-round": [
        (
            state_with_sunshine(FINAL_SUN, sun_holder=BO, turns_left=0),
            [earn_from_hand("sunshine-acorn"), Photograph()],
            {"photos": (None,), "sun_holder": BO, "is_over": True},
        ),
    ],
    "sunshine-trigger": [
        (
            make_state(sun=FINAL_SUN).with_player(ANA, space=5, hand="sunshine-acorn", cubes=(3, 2, 0)),
            [Hike(1), Photograph(), earn_from_hand("sunshine-acorn"), Photograph(face_up=True)],
            {"photos": (None, None), "sun_holder": ANA, "turns_left": 0, "turn": BO},
        ),
    ],
    "earn-bonus-lost": [
        (
            state_with_sunshine(2).with_player(ANA, cubes=(3, 2, 0)),
            [earn_from_hand("sunshine-acorn")],
            {"photos": (), "turn": BO},
        ),
    ],
    "earn-bonus-optional": [
        (
            state_with_sunshine(2),
            [earn_from_hand("sunshine-acorn"), Skip()],
            {"photos": (), "cubes": (0, 0, 1), "turn": BO},
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_sunshine_gives_the_bonus_of_the_place_under_the_sun(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected
