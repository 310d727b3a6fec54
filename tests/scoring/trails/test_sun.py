"""TRAILS: the path of the Sun over the Trail, its bonuses at Trail End, and the night."""

import pytest
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, Photograph, RollWildlife, Skip
from scoring.trails.state import NO_CARD, EarnBadges, MoveBear, MoveSun, SiteAction, State
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BO,
    CY,
    DI,
    case_params,
    make_state,
    objection_codes,
    select_fields,
    state_after,
    with_badges_earned,
)


def state_before_trail_end(sun: int, players: int = 2) -> State:
    """Return Ana one tile before Trail End; she can afford no badge there or from her hand."""
    return with_badges_earned(make_state(players, sun=sun).with_player(ANA, space=5, facing=1, hand=NO_CARD))


def state_before_trail_end_of_four(sun: int) -> State:
    return state_before_trail_end(sun, players=4)


# The Sun's bonus at every visit to Trail End, in order: spot of the Sun, the moves for its bonus, Ana's cubes
# and photos after that, and the spaces that are night when she leaves.
FEW = [
    (0, [RollWildlife("leaf", "leaf")], (1, 2, 1), 0, []),
    (1, [], (1, 1, 2), 0, [5]),
    (2, [Photograph(pay="acorn")], (0, 1, 1), 1, [4, 5]),
    (3, [], (2, 1, 1), 0, [3, 4, 5]),
    (4, [], (1, 2, 1), 0, [2, 3, 4, 5]),
    (5, [Exchange("leaf", "rock")], (1, 0, 3), 0, [1, 2, 3, 4, 5]),
    (6, [RollWildlife("leaf", "leaf")], (1, 3, 1), 0, [1, 2, 3, 4, 5]),
]
FOUR = [
    (0, [], (1, 1, 2), 0, []),
    (1, [], (2, 1, 1), 0, []),
    (2, [], (1, 2, 1), 0, []),
    (3, [], (1, 1, 2), 0, [5]),
    (4, [Photograph(pay="acorn")], (0, 1, 1), 1, [4, 5]),
    (5, [], (2, 1, 1), 0, [3, 4, 5]),
    (6, [], (1, 2, 1), 0, [2, 3, 4, 5]),
    (7, [Exchange("leaf", "rock")], (1, 0, 3), 0, [1, 2, 3, 4, 5]),
    (8, [], (1, 3, 1), 0, [1, 2, 3, 4, 5]),
    (9, [], (3, 1, 1), 0, [1, 2, 3, 4, 5]),
    (10, [], (1, 1, 3), 0, [1, 2, 3, 4, 5]),
]
VISITS = [(2, *visit) for visit in FEW] + [(3, *visit) for visit in FEW] + [(4, *visit) for visit in FOUR]


@pytest.mark.parametrize("players, sun, moves, cubes, photos, nights", case_params({"sun-moves": VISITS}))
def test_each_visit_gives_the_suns_bonus_and_then_moves_the_sun(players, sun, moves, cubes, photos, nights):
    state = state_after(state_before_trail_end(sun, players), Hike(1), *moves)
    assert state.sun == sun + 1
    assert state.players[ANA].cubes == cubes
    assert len(state.players[ANA].photos) == photos
    assert [space for space in range(1, 6) if state.is_night(space)] == nights
    assert (state.turn, state.sun_holder) == (BO, None)


@pytest.mark.parametrize("players, count", [(2, 8), (3, 8), (4, 12)])
def test_sun_has_one_spot_for_each_space_of_the_trail_and_its_ends(players, count):
    assert len(make_state(players).sun_path) == count
    assert [make_state(players, sun=sun).is_sun_on_final_spot for sun in range(count)] == [False] * (count - 1) + [True]


PATHS = {
    "sun-path": [
        (2, ("wildlife", 5, 4, 3, 2, 1, "wildlife", "photo")),
        (4, ("1 rock", "1 acorn", "1 leaf", 5, 4, 3, 2, 1, "2 leaf", "2 acorn", "2 rock", "photo")),
    ],
}


@pytest.mark.parametrize("players, path", case_params(PATHS))
def test_sun_path_runs_from_right_to_left(players, path):
    assert make_state(players).sun_path == path
    assert [replace(make_state(players), sun=sun).under_sun for sun in range(len(path))] == list(path)


OUTCOMES = {
    "trail-end-steps": [
        (
            state_before_trail_end(0),
            [Hike(1)],
            {"space": 6, "facing": -1, "tasks": (EarnBadges("trail-end"), MoveSun(), MoveBear()), "sun": 0},
        ),
        (
            state_before_trail_end(0),
            [Hike(1), RollWildlife("rock", "rock")],
            {"cubes": (1, 1, 2), "sun": 1, "turn": BO},
        ),
        (state_before_trail_end(0), [Hike(1), RollWildlife("photo", "photo")], {"sun": 0, "turn": ANA}),
        (state_before_trail_end(0), [Hike(1), RollWildlife("photo", "photo"), Skip()], {"sun": 1, "turn": BO}),
    ],
    "sun-bonus": [
        (
            state_before_trail_end(0),
            [Hike(1), RollWildlife("acorn", "acorn")],
            {"cubes": (2, 1, 1), "bear": "acorn", "sun": 1, "turn": BO},
        ),
        (state_before_trail_end_of_four(0), [Hike(1)], {"cubes": (1, 1, 2), "sun": 1, "turn": BO}),
    ],
    "sun-pays": [
        (
            state_before_trail_end(1).with_player(ANA, cubes=(0, 0, 4)),
            [Hike(1), EarnBadge("climber-rock")],
            {"cubes": (0, 0, 0), "badges": ("climber-rock",)},
        ),
        (
            state_before_trail_end(0).with_player(ANA, cubes=(0, 0, 4)),
            [Hike(1), RollWildlife("rock", "rock"), EarnBadge("climber-rock")],
            {"cubes": (0, 0, 0), "badges": ("climber-rock",)},
        ),
    ],
    "sun-bonus-site": [
        (state_before_trail_end(2), [Hike(1)], {"tasks": (EarnBadges("trail-end"), MoveSun(), SiteAction("photo"))}),
        (state_before_trail_end(2), [Hike(1), Skip()], {"photos": (), "cubes": (1, 1, 1), "sun": 3}),
        (state_before_trail_end(5), [Hike(1), Skip()], {"cubes": (1, 1, 1), "sun": 6}),
    ],
    "nothing-to-do": [
        (state_before_trail_end(2).with_player(ANA, cubes=(0, 0, 0)), [Hike(1)], {"photos": (), "sun": 3, "turn": BO}),
    ],
    "sun-day": [
        (state_before_trail_end(1), [Hike(1)], {"cubes": (1, 1, 2)}),
        (state_before_trail_end(4), [Hike(1)], {"cubes": (1, 2, 1)}),
    ],
    "sun-night": [
        (make_state(bear="leaf", sun=1).with_player(ANA, space=4), [Hike(1)], {"cubes": (1, 1, 2)}),
        (make_state(bear="leaf", sun=2).with_player(ANA, space=4), [Hike(1)], {"cubes": (1, 1, 3)}),
        (make_state(bear="leaf", sun=7).with_player(ANA, space=4), [Hike(1)], {"cubes": (1, 1, 3)}),
    ],
    "sun-stays": [
        (
            state_before_trail_end(1).with_player(BO, space=5),
            [Hike(1)],
            {"bear": "acorn", "sun": 2},
        ),
    ],
    "sun-not-trailhead": [
        (
            with_badges_earned(make_state(sun=3).with_player(ANA, space=1, facing=-1, hand=NO_CARD)),
            [Hike(1)],
            {"sun": 3, "cubes": (1, 1, 1)},
        ),
    ],
    "resource-supply": [
        (
            state_before_trail_end_of_four(8).with_player(CY, cubes=(0, 7, 1)).with_player(DI, cubes=(0, 6, 1)),
            [Hike(1)],
            {"cubes": (1, 1, 1), "sun": 9},
        ),
        (
            state_before_trail_end_of_four(8).with_player(CY, cubes=(0, 7, 1)).with_player(DI, cubes=(0, 5, 1)),
            [Hike(1)],
            {"cubes": (1, 2, 1), "sun": 9},
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_trail_end_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@pytest.mark.parametrize("seat, space", case_params({"setup-no-visit": [(ANA, 6), (CY, 0)]}))
def test_start_at_an_end_is_not_a_visit(seat, space):
    state = make_state(4, turn=seat, trailhead=("science", None), trail_end=("science", None))
    assert select_fields(state, {"space": space, "sun": 0, "cubes": (1, 1, 1)}, seat) == {
        "space": space,
        "sun": 0,
        "cubes": (1, 1, 1),
    }
    assert objection_codes(state, EarnBadge("science"), seat) == ["hike-first"]
    assert state_after(state, Hike(1)).sun == 0


def test_hikers_stay_where_a_site_turns_to_night():
    state = state_after(state_before_trail_end(1).with_player(BO, space=5), Hike(1))
    assert select_fields(state, {"space": 5, "facing": 1}, BO) == {"space": 5, "facing": 1}


def test_next_visitor_gets_the_next_bonus():
    state = state_after(
        with_badges_earned(state_before_trail_end(0).with_player(BO, space=5, hand=NO_CARD)),
        Hike(1),
        RollWildlife("acorn", "acorn"),
        Hike(1),
    )
    assert select_fields(state, {"cubes": (1, 1, 2)}, BO) == {"cubes": (1, 1, 2)}
    assert state.sun == 2


ROLL = RollWildlife("acorn", "acorn")


@pytest.mark.parametrize(
    "sun, moves, text",
    [
        (
            0,
            [ROLL],
            "Ana rolled an acorn, and the bear stayed at the acorn site, +1 acorn (bear). "
            "The Sun moved to the rock site.",
        ),
        (
            5,
            [Skip()],
            "Ana skipped the exchange. The Sun moved to the bear icon at the Trailhead. "
            "Night fell on the exchange site.",
        ),
        (
            6,
            [ROLL],
            "Ana rolled an acorn, and the bear stayed at the acorn site, +2 acorns (bear). "
            "The Sun moved to its final spot.",
        ),
    ],
)
def test_log_says_where_the_sun_goes_and_where_night_falls(sun, moves, text):
    before = state_after(state_before_trail_end(sun), Hike(1))
    assert TRACKED_GAME.log_sentence(before, state_after(before, *moves), ANA, moves[0]) == text


def test_log_has_the_whole_bonus_of_a_hike_without_a_choice():
    before = state_before_trail_end(1)
    assert TRACKED_GAME.log_sentence(before, state_after(before, Hike(1)), ANA, Hike(1)) == (
        "Ana hiked 1 tile to Trail End, +1 rock (Sun bonus). "
        "The Sun moved to the photo site. Night fell on the rock site."
    )


def test_all_sites_are_night_at_the_all_night_spot():
    assert all(make_state(sun=ALL_NIGHT_SUN).is_night(space) for space in range(1, 6))
    assert not make_state(sun=ALL_NIGHT_SUN - 1).is_night(1)
