"""PARKS: moving along the Trail, campfires, weather, the Shutterbug, the last hikers."""

from scoring.parks import TRACKED_GAME
from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.sites import FillCanteenRow, StowWater, TakeCanteen, TakePhoto
from scoring.parks.state import DoAction, ParksAction, StartHike
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    CY,
    DIE,
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    FOREST,
    MOUNTAIN,
    NO_WEATHER,
    PARKS_SITE,
    PHOTO,
    SUN,
    WATER,
    case_params,
    legal_moves,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
)

START = make_state()
FOUR = make_state(4)
HALF_WAY = with_ana(hikers=(FOREST, PARKS_SITE))
SHARED = with_changes(START, BO, hikers=(0, FOREST))
BURNING = with_changes(SHARED, ANA, campfire=True)
WEATHER = make_state(weather=("", "sun", "water", "sun", "water", "sun", "water", "sun", "water"))
WET = (*NO_WEATHER[:6], "water", "", "")
WET_PHOTO = make_state(weather=WET)
WET_LATER = make_state(weather=WET, rulings={"weather-when": "after"})
BUG = make_state(shutterbug="forest")
ALONE = with_changes(START, BO, hikers=(END_PARKS, END_GEAR))
ALONE_OF_THREE = with_changes(with_changes(make_state(3), BO, hikers=(10, 11)), CY, hikers=(12, 12))

OUTCOMES = {
    "hikers": [(START, [], {"hikers": (0, 0), "turn": ANA})],
    "hike-forward": [
        (START, [Hike(0, FOREST)], {"hikers": (0, FOREST), "turn": BO}),
        (START, [Hike(0, SUN)], {"hikers": (0, SUN), "turn": BO}),
        (HALF_WAY, [Hike(FOREST, MOUNTAIN)], {"hikers": (MOUNTAIN, PARKS_SITE), "turn": BO}),
        (HALF_WAY, [Hike(PARKS_SITE, DIE)], {"hikers": (FOREST, DIE), "turn": ANA}),
        (START, [Hike(0, END_PHOTO)], {"hikers": (0, END_PHOTO)}),
    ],
    "campfire-start": [
        (make_state(2), [], {"campfire": False}),
        (make_state(3), [], {"campfire": False}),
        (make_state(4), [], {"campfire": True}),
        (make_state(5), [], {"campfire": True}),
    ],
    "campfire-share": [
        (BURNING, [Hike(0, FOREST)], {"hikers": (0, FOREST), "campfire": False}),
        (BURNING, [Hike(0, MOUNTAIN)], {"campfire": True}),
        (
            with_ana(hikers=(0, FOREST), campfire=True),
            [Hike(0, FOREST)],
            {"hikers": (FOREST, FOREST), "campfire": False},
        ),
    ],
    "campfire-stays-out": [(START, [Hike(0, END_GEAR)], {"campfire": False})],
    "weather-taken": [
        (
            WEATHER,
            [Hike(0, MOUNTAIN)],
            {"tokens": token_counts(mountain=1, sun=1), "weather": ("", "", *WEATHER.weather[2:])},
        ),
        (WEATHER, [Hike(0, SUN)], {"tokens": token_counts(sun=2, water=1)}),
        (WEATHER, [Hike(0, FOREST)], {"tokens": token_counts(forest=1), "weather": WEATHER.weather}),
        (
            with_changes(state_after(WEATHER, Hike(0, MOUNTAIN), Hike(0, SUN)), ANA, campfire=True),
            [Hike(0, SUN)],
            {"tokens": token_counts(mountain=1, sun=3)},
        ),
    ],
    "weather-when": [
        (
            with_ana(WEATHER, canteens=(("forest",), (), ())),
            [Hike(0, SUN), StowWater()],
            {"tokens": token_counts(sun=2, water=1)},
        ),
        (make_state(shutterbug="photo"), [Hike(0, PHOTO)], {"badge": ANA}),
        (
            WET_PHOTO,
            [Hike(0, PHOTO), TakeCanteen("forest", 0)],
            {"tokens": token_counts(water=1), "filled": (False,) * 3, "turn": BO},
        ),
        (
            WET_LATER,
            [Hike(0, PHOTO), TakeCanteen("forest", 0), FillCanteenRow(0)],
            {"tokens": token_counts(forest=1), "turn": BO},
        ),
        (WET_LATER, [Hike(0, PHOTO), Skip()], {"tokens": token_counts(water=1), "weather": NO_WEATHER}),
    ],
    "shutterbug-badge": [
        (BUG, [Hike(0, FOREST)], {"badge": ANA, "shutterbug": "forest"}),
        (with_changes(BUG, badge=BO), [Hike(0, FOREST)], {"badge": ANA}),
        (BUG, [Hike(0, MOUNTAIN)], {"badge": None}),
        (with_changes(BUG, badge=BO), [Hike(0, MOUNTAIN)], {"badge": BO}),
        (
            with_changes(state_after(BUG, Hike(0, FOREST)), BO, campfire=True),
            [Hike(0, FOREST)],
            {"badge": BO, "shutterbug": "forest"},
        ),
    ],
    "turn-order": [
        (make_state(3), [Hike(0, FOREST), Hike(0, MOUNTAIN), Hike(0, SUN)], {"turn": ANA}),
        (FOUR, [Hike(0, FOREST), Hike(0, MOUNTAIN)], {"turn": CY}),
    ],
    "turn-skipped": [
        (with_changes(make_state(3), BO, hikers=(10, 11)), [Hike(0, FOREST)], {"turn": CY}),
        (with_changes(make_state(3), BO, hikers=(9, 11)), [Hike(0, FOREST)], {"turn": BO}),
    ],
    "last-on-trail": [
        (
            with_changes(ALONE, end_spaces_used=(True,) * 3),
            [Hike(0, END_PHOTO)],
            {"hikers": (0, END_PHOTO), "turn": ANA, "tasks": (StartHike(),)},
        ),
        (ALONE, [Hike(0, END_PARKS), Skip()], {"hikers": (0, END_PARKS), "turn": ANA}),
        (ALONE_OF_THREE, [Hike(0, END_PHOTO)], {"hikers": (0, END_PHOTO), "turn": ANA}),
    ],
    "nothing-to-do": [
        (START, [Hike(0, PHOTO), Skip()], {"turn": BO, "photos": 0}),
        (START, [Hike(0, 6)], {"turn": BO, "tokens": token_counts()}),
        (START, [Hike(0, 9)], {"turn": BO}),
        (START, [Hike(0, END_PHOTO), Skip()], {"turn": BO, "tokens": token_counts(wildlife=1)}),
    ],
}

REFUSED = {
    "hike-forward": [
        (HALF_WAY, Hike(PARKS_SITE, PARKS_SITE), "no-backtracking"),
        (HALF_WAY, Hike(PARKS_SITE, MOUNTAIN), "no-backtracking"),
    ],
    "hikers": [(START, Hike(FOREST, SUN), "no-hiker"), (HALF_WAY, Hike(0, MOUNTAIN), "no-hiker")],
    "trail-end-stays": [(with_ana(hikers=(0, END_PARKS)), Hike(END_PARKS, END_GEAR), "stays-at-end")],
    "end-choice": [(START, Hike(0, 13), "no-such-space"), (START, Hike(0, 0), "no-such-space")],
    "campfire-share": [
        (SHARED, Hike(0, FOREST), "campfire-out"),
        (with_ana(hikers=(0, FOREST)), Hike(0, FOREST), "campfire-out"),
    ],
    "last-on-trail": [(ALONE, Hike(0, FOREST), "straight-to-end"), (ALONE_OF_THREE, Hike(0, DIE), "straight-to-end")],
    "turn-steps": [(with_changes(START, tasks=(DoAction("buy"),)), Hike(0, FOREST), "finish-first")],
    "die-site": [(with_changes(START, tasks=(DoAction("roll"),)), Hike(0, FOREST), "finish-first")],
    "site-action": [(START, TakePhoto("sun"), "hike-first")],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_hike_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_hike_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


def test_hike_out_of_turn_is_refused():
    assert objection_codes(START, Hike(0, FOREST), BO) == ["not-your-turn"]


@run_all_rows(
    "state, move, sentence",
    [
        (SHARED, Hike(0, FOREST), "Another hiker is there, and your campfire is out. Choose an empty site."),
        (
            with_ana(hikers=(0, FOREST)),
            Hike(0, FOREST),
            "Your other hiker is there, and your campfire is out. Choose an empty site.",
        ),
        (HALF_WAY, Hike(PARKS_SITE, SUN), "Hikers never move back. Choose a space ahead of this hiker."),
        (ALONE, Hike(0, WATER), "Everyone else is at Trail\u2019s End. Move your hikers straight there."),
        (
            with_ana(ALONE, hikers=(FOREST, END_PARKS)),
            Hike(FOREST, WATER),
            "Everyone else is at Trail\u2019s End. Move your hiker straight there.",
        ),
        (
            with_changes(START, tasks=(ParksAction(),)),
            Hike(0, WATER),
            "First visit or reserve parks, or skip.",
        ),
    ],
)
def test_refusal_text_names_the_error(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_trail_end_space_holds_any_number_of_hikers_without_a_campfire():
    state = with_changes(with_changes(make_state(3), BO, hikers=(END_GEAR, END_GEAR)), CY, hikers=(0, END_GEAR))
    assert state_after(state, Hike(0, END_GEAR)).players[ANA].hikers == (0, END_GEAR)


def test_either_hiker_may_move_and_two_on_one_space_are_offered_once():
    assert len(legal_moves(START, Hike)) == len(TRACKED_GAME.offers(START, ANA, (Hike,))) == 12
    assert {move.start for move in legal_moves(HALF_WAY, Hike)} == {FOREST, PARKS_SITE}
    assert legal_moves(with_ana(hikers=(9, END_PARKS)), Hike) == [
        Hike(9, END_PARKS),
        Hike(9, END_PHOTO),
        Hike(9, END_GEAR),
    ]


def test_site_without_a_choice_takes_one_move():
    state = state_after(WEATHER, Hike(0, MOUNTAIN), Hike(0, SUN), Hike(0, WATER), Hike(SUN, DIE))
    assert state.turn == BO and state.tasks == (DoAction("roll"),)
