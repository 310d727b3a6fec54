"""PARKS: forward along the Trail, campfires, weather, the Shutterbug, and the last one left on it."""

from scoring.parks import PLAY
from scoring.parks.moves.hiking import Hike, Leave
from scoring.parks.moves.sites import Fill, Stow, TakeCanteen, TakePhoto
from scoring.parks.state import Do, Parks, SetOut
from tests.support.cases import every_row
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
    after,
    ana,
    but,
    cases,
    cited,
    codes,
    have,
    offered,
    refusals,
    sentences,
    shown,
    table,
)

START = table()
FOUR = table(4)
HALF_WAY = ana(hikers=(FOREST, PARKS_SITE))
SHARED = but(START, BO, hikers=(0, FOREST))
BURNING = but(SHARED, ANA, campfire=True)
WEATHER = table(weather=("", "sun", "water", "sun", "water", "sun", "water", "sun", "water"))
WET = (*NO_WEATHER[:6], "water", "", "")
WET_PHOTO = table(weather=WET)
WET_LATER = table(weather=WET, rulings={"weather-when": "after"})
BUG = table(shutterbug="forest")
ALONE = but(START, BO, hikers=(END_PARKS, END_GEAR))
ALONE_OF_THREE = but(but(table(3), BO, hikers=(10, 11)), CY, hikers=(12, 12))

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
        (table(2), [], {"campfire": False}),
        (table(3), [], {"campfire": False}),
        (table(4), [], {"campfire": True}),
        (table(5), [], {"campfire": True}),
    ],
    "campfire-share": [
        (BURNING, [Hike(0, FOREST)], {"hikers": (0, FOREST), "campfire": False}),
        (BURNING, [Hike(0, MOUNTAIN)], {"campfire": True}),
        (ana(hikers=(0, FOREST), campfire=True), [Hike(0, FOREST)], {"hikers": (FOREST, FOREST), "campfire": False}),
    ],
    "campfire-stays-out": [(START, [Hike(0, END_GEAR)], {"campfire": False})],
    "weather-taken": [
        (WEATHER, [Hike(0, MOUNTAIN)], {"tokens": have(mountain=1, sun=1), "weather": ("", "", *WEATHER.weather[2:])}),
        (WEATHER, [Hike(0, SUN)], {"tokens": have(sun=2, water=1)}),
        (WEATHER, [Hike(0, FOREST)], {"tokens": have(forest=1), "weather": WEATHER.weather}),
        (
            but(after(WEATHER, Hike(0, MOUNTAIN), Hike(0, SUN)), ANA, campfire=True),
            [Hike(0, SUN)],
            {"tokens": have(mountain=1, sun=3)},
        ),
    ],
    "weather-when": [
        (ana(WEATHER, canteens=(("forest",), (), ())), [Hike(0, SUN), Stow()], {"tokens": have(sun=2, water=1)}),
        (table(shutterbug="photo"), [Hike(0, PHOTO)], {"badge": ANA}),
        (
            WET_PHOTO,
            [Hike(0, PHOTO), TakeCanteen("forest", 0)],
            {"tokens": have(water=1), "filled": (False,) * 3, "turn": BO},
        ),
        (WET_LATER, [Hike(0, PHOTO), TakeCanteen("forest", 0), Fill(0)], {"tokens": have(forest=1), "turn": BO}),
        (WET_LATER, [Hike(0, PHOTO), Leave()], {"tokens": have(water=1), "weather": NO_WEATHER}),
    ],
    "shutterbug-badge": [
        (BUG, [Hike(0, FOREST)], {"badge": ANA, "shutterbug": "forest"}),
        (but(BUG, badge=BO), [Hike(0, FOREST)], {"badge": ANA}),
        (BUG, [Hike(0, MOUNTAIN)], {"badge": None}),
        (but(BUG, badge=BO), [Hike(0, MOUNTAIN)], {"badge": BO}),
        (but(after(BUG, Hike(0, FOREST)), BO, campfire=True), [Hike(0, FOREST)], {"badge": BO, "shutterbug": "forest"}),
    ],
    "turn-order": [
        (table(3), [Hike(0, FOREST), Hike(0, MOUNTAIN), Hike(0, SUN)], {"turn": ANA}),
        (FOUR, [Hike(0, FOREST), Hike(0, MOUNTAIN)], {"turn": CY}),
    ],
    "turn-skipped": [
        (but(table(3), BO, hikers=(10, 11)), [Hike(0, FOREST)], {"turn": CY}),
        (but(table(3), BO, hikers=(9, 11)), [Hike(0, FOREST)], {"turn": BO}),
    ],
    "last-on-trail": [
        (
            but(ALONE, end_used=(True,) * 3),
            [Hike(0, END_PHOTO)],
            {"hikers": (0, END_PHOTO), "turn": ANA, "tasks": (SetOut(),)},
        ),
        (ALONE, [Hike(0, END_PARKS), Leave()], {"hikers": (0, END_PARKS), "turn": ANA}),
        (ALONE_OF_THREE, [Hike(0, END_PHOTO)], {"hikers": (0, END_PHOTO), "turn": ANA}),
    ],
    "nothing-to-do": [
        (START, [Hike(0, PHOTO), Leave()], {"turn": BO, "photos": 0}),
        (START, [Hike(0, 6)], {"turn": BO, "tokens": have()}),
        (START, [Hike(0, 9)], {"turn": BO}),
        (START, [Hike(0, END_PHOTO), Leave()], {"turn": BO, "tokens": have(wildlife=1)}),
    ],
}

REFUSED = {
    "hike-forward": [
        (HALF_WAY, Hike(PARKS_SITE, PARKS_SITE), "no-backtracking"),
        (HALF_WAY, Hike(PARKS_SITE, MOUNTAIN), "no-backtracking"),
    ],
    "hikers": [(START, Hike(FOREST, SUN), "no-hiker"), (HALF_WAY, Hike(0, MOUNTAIN), "no-hiker")],
    "trail-end-stays": [(ana(hikers=(0, END_PARKS)), Hike(END_PARKS, END_GEAR), "stays-at-end")],
    "end-choice": [(START, Hike(0, 13), "no-such-space"), (START, Hike(0, 0), "no-such-space")],
    "campfire-share": [
        (SHARED, Hike(0, FOREST), "campfire-out"),
        (ana(hikers=(0, FOREST)), Hike(0, FOREST), "campfire-out"),
    ],
    "last-on-trail": [(ALONE, Hike(0, FOREST), "straight-to-end"), (ALONE_OF_THREE, Hike(0, DIE), "straight-to-end")],
    "turn-steps": [(but(START, tasks=(Do("buy"),)), Hike(0, FOREST), "finish-first")],
    "die-site": [(but(START, tasks=(Do("roll"),)), Hike(0, FOREST), "finish-first")],
    "site-action": [(START, TakePhoto("sun"), "hike-first")],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_hiking_goes_by_its_rule(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_hiking_is_refused_by_its_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


def test_nobody_moves_out_of_turn():
    assert codes(START, Hike(0, FOREST), BO) == ["not-your-turn"]


@every_row(
    "state, move, sentence",
    [
        (SHARED, Hike(0, FOREST), "A hiker stands there, and your campfire is out."),
        (HALF_WAY, Hike(PARKS_SITE, SUN), "A hiker only goes forward."),
        (ALONE, Hike(0, WATER), "All others are at Trail End: your hikers go straight there."),
        (but(START, tasks=(Parks(),)), Hike(0, WATER), "First reserve a park, visit parks, or leave them."),
    ],
)
def test_a_refusal_says_what_is_in_the_way(state, move, sentence):
    assert sentences(state, move) == [sentence]


def test_any_number_of_hikers_stand_on_a_space_of_trail_end_without_a_campfire():
    state = but(but(table(3), BO, hikers=(END_GEAR, END_GEAR)), CY, hikers=(0, END_GEAR))
    assert after(state, Hike(0, END_GEAR)).players[ANA].hikers == (0, END_GEAR)


def test_either_hiker_may_go_and_two_on_one_space_are_offered_once():
    assert len(offered(START, Hike)) == len(PLAY.offers(START, ANA, (Hike,))) == 12
    assert {move.start for move in offered(HALF_WAY, Hike)} == {FOREST, PARKS_SITE}
    assert offered(ana(hikers=(9, END_PARKS)), Hike) == [Hike(9, END_PARKS), Hike(9, END_PHOTO), Hike(9, END_GEAR)]


def test_a_plain_site_takes_one_move():
    state = after(WEATHER, Hike(0, MOUNTAIN), Hike(0, SUN), Hike(0, WATER), Hike(SUN, DIE))
    assert state.turn == BO and state.tasks == (Do("roll"),)
