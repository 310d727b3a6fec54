"""TRAILS: the Sun's way over the Trail, what it brings at Trail End, and where night falls."""

import pytest
from msgspec.structs import replace

from scoring.trails import PLAY
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, Leave, Photograph, Wildlife
from scoring.trails.state import GONE, AtSite, Bear, Earn, MoveSun, State
from tests.support.cases import every_row
from tests.support.trails_table import ALL_NIGHT, ANA, BO, CY, DI, after, all_earned, cases, codes, shown, table


def coming(sun: int, players: int = 2) -> State:
    """Return a table where Ana is a tile before Trail End, and can pay for nothing there nor from her hand."""
    return all_earned(table(players, sun=sun).with_player(ANA, at=5, facing=1, hand=GONE))


def coming_of_four(sun: int) -> State:
    return coming(sun, players=4)


# What the Sun brings at every visit to Trail End, in order: how far it has come, what is done with its bonus,
# Ana's cubes and photos after that, and which spaces are night when she leaves.
FEW = [
    (0, [Wildlife("leaf", "leaf")], (1, 2, 1), 0, []),
    (1, [], (1, 1, 2), 0, [5]),
    (2, [Photograph(pay="acorn")], (0, 1, 1), 1, [4, 5]),
    (3, [], (2, 1, 1), 0, [3, 4, 5]),
    (4, [], (1, 2, 1), 0, [2, 3, 4, 5]),
    (5, [Exchange("leaf", "rock")], (1, 0, 3), 0, [1, 2, 3, 4, 5]),
    (6, [Wildlife("leaf", "leaf")], (1, 3, 1), 0, [1, 2, 3, 4, 5]),
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


@pytest.mark.parametrize("players, sun, moves, cubes, photos, nights", cases({"sun-moves": VISITS}))
def test_each_visit_brings_the_suns_bonus_and_then_moves_it(players, sun, moves, cubes, photos, nights):
    state = after(coming(sun, players), Hike(1), *moves)
    assert state.sun == sun + 1
    assert state.players[ANA].cubes == cubes
    assert len(state.players[ANA].photos) == photos
    assert [space for space in range(1, 6) if state.is_night(space)] == nights
    assert (state.turn, state.sun_holder) == (BO, None)


@pytest.mark.parametrize("players, spots", [(2, 8), (3, 8), (4, 12)])
def test_the_sun_has_as_many_spots_as_the_trail_and_its_ends_show(players, spots):
    assert len(table(players).path) == spots
    assert [table(players, sun=sun).on_final_spot for sun in range(spots)] == [False] * (spots - 1) + [True]


PATHS = {
    "sun-path": [
        (2, ("wildlife", 5, 4, 3, 2, 1, "wildlife", "photo")),
        (4, ("1 rock", "1 acorn", "1 leaf", 5, 4, 3, 2, 1, "2 leaf", "2 acorn", "2 rock", "photo")),
    ],
}


@pytest.mark.parametrize("players, path", cases(PATHS))
def test_the_suns_path_runs_from_right_to_left(players, path):
    assert table(players).path == path
    assert [replace(table(players), sun=sun).under_sun for sun in range(len(path))] == list(path)


OUTCOMES = {
    "trail-end-steps": [
        (
            coming(0),
            [Hike(1)],
            {"at": 6, "facing": -1, "tasks": (Earn("trail-end"), MoveSun(), Bear()), "sun": 0},
        ),
        (coming(0), [Hike(1), Wildlife("rock", "rock")], {"cubes": (1, 1, 2), "sun": 1, "turn": BO}),
        (coming(0), [Hike(1), Wildlife("photo", "photo")], {"sun": 0, "turn": ANA}),
        (coming(0), [Hike(1), Wildlife("photo", "photo"), Leave()], {"sun": 1, "turn": BO}),
    ],
    "sun-bonus": [
        (coming(0), [Hike(1), Wildlife("acorn", "acorn")], {"cubes": (2, 1, 1), "bear": "acorn", "sun": 1, "turn": BO}),
        (coming_of_four(0), [Hike(1)], {"cubes": (1, 1, 2), "sun": 1, "turn": BO}),
    ],
    "sun-pays": [
        (
            coming(1).with_player(ANA, cubes=(0, 0, 4)),
            [Hike(1), EarnBadge("climber-rock")],
            {"cubes": (0, 0, 0), "badges": ("climber-rock",)},
        ),
        (
            coming(0).with_player(ANA, cubes=(0, 0, 4)),
            [Hike(1), Wildlife("rock", "rock"), EarnBadge("climber-rock")],
            {"cubes": (0, 0, 0), "badges": ("climber-rock",)},
        ),
    ],
    "sun-bonus-site": [
        (coming(2), [Hike(1)], {"tasks": (Earn("trail-end"), MoveSun(), AtSite("photo"))}),
        (coming(2), [Hike(1), Leave()], {"photos": (), "cubes": (1, 1, 1), "sun": 3}),
        (coming(5), [Hike(1), Leave()], {"cubes": (1, 1, 1), "sun": 6}),
    ],
    "nothing-to-do": [
        (coming(2).with_player(ANA, cubes=(0, 0, 0)), [Hike(1)], {"photos": (), "sun": 3, "turn": BO}),
    ],
    "sun-day": [
        (coming(1), [Hike(1)], {"cubes": (1, 1, 2)}),
        (coming(4), [Hike(1)], {"cubes": (1, 2, 1)}),
    ],
    "sun-night": [
        (table(bear="leaf", sun=1).with_player(ANA, at=4), [Hike(1)], {"cubes": (1, 1, 2)}),
        (table(bear="leaf", sun=2).with_player(ANA, at=4), [Hike(1)], {"cubes": (1, 1, 3)}),
        (table(bear="leaf", sun=7).with_player(ANA, at=4), [Hike(1)], {"cubes": (1, 1, 3)}),
    ],
    "sun-stays": [
        (
            coming(1).with_player(BO, at=5),
            [Hike(1)],
            {"bear": "acorn", "sun": 2},
        ),
    ],
    "sun-not-trailhead": [
        (
            all_earned(table(sun=3).with_player(ANA, at=1, facing=-1, hand=GONE)),
            [Hike(1)],
            {"sun": 3, "cubes": (1, 1, 1)},
        ),
    ],
    "resource-supply": [
        (
            coming_of_four(8).with_player(CY, cubes=(0, 7, 1)).with_player(DI, cubes=(0, 6, 1)),
            [Hike(1)],
            {"cubes": (1, 1, 1), "sun": 9},
        ),
        (
            coming_of_four(8).with_player(CY, cubes=(0, 7, 1)).with_player(DI, cubes=(0, 5, 1)),
            [Hike(1)],
            {"cubes": (1, 2, 1), "sun": 9},
        ),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_trail_end_does_what_its_rule_says(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@pytest.mark.parametrize("seat, at", cases({"setup-no-visit": [(ANA, 6), (CY, 0)]}))
def test_starting_at_an_end_is_not_a_visit(seat, at):
    state = table(4, turn=seat, trailhead=("science", None), trail_end=("science", None))
    assert shown(state, {"at": at, "sun": 0, "cubes": (1, 1, 1)}, seat) == {"at": at, "sun": 0, "cubes": (1, 1, 1)}
    assert codes(state, EarnBadge("science"), seat) == ["hike-first"]
    assert after(state, Hike(1)).sun == 0


def test_hikers_stay_where_a_site_turns_to_night():
    state = after(coming(1).with_player(BO, at=5), Hike(1))
    assert shown(state, {"at": 5, "facing": 1}, BO) == {"at": 5, "facing": 1}


def test_the_next_visitor_gets_the_next_bonus():
    state = after(all_earned(coming(0).with_player(BO, at=5, hand=GONE)), Hike(1), Wildlife("acorn", "acorn"), Hike(1))
    assert shown(state, {"cubes": (1, 1, 2)}, BO) == {"cubes": (1, 1, 2)}
    assert state.sun == 2


ROLL = Wildlife("acorn", "acorn")


@pytest.mark.parametrize(
    "sun, moves, said",
    [
        (0, [ROLL], "Ana rolled acorn; the bear is on the acorn site. +1 acorn. The Sun moves over the rock site."),
        (
            5,
            [Leave()],
            "Ana left the exchange. The Sun moves to “wildlife” at the Trailhead. Night falls on the exchange site.",
        ),
        (6, [ROLL], "Ana rolled acorn; the bear is on the acorn site. +2 acorns. The Sun moves to its final spot."),
    ],
)
def test_the_log_says_where_the_sun_goes_and_where_night_falls(sun, moves, said):
    before = after(coming(sun), Hike(1))
    assert PLAY.tell(before, after(before, *moves), ANA, moves[0]) == said


def test_the_log_tells_the_whole_bonus_of_a_hike_that_leaves_no_choice():
    before = coming(1)
    assert PLAY.tell(before, after(before, Hike(1)), ANA, Hike(1)) == (
        "Ana hiked 1 to Trail End. +1 rock. The Sun moves over the photo site. Night falls on the rock site."
    )


def test_at_all_night_no_site_is_day():
    assert all(table(sun=ALL_NIGHT).is_night(space) for space in range(1, 6))
    assert not table(sun=ALL_NIGHT - 1).is_night(1)
