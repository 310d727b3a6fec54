"""PARKS: Trail End's three spaces, what the first one there gains, and the Shutterbug Badge's second photo."""

from scoring.parks.moves.hiking import Hike, Leave
from scoring.parks.moves.park_actions import BuyGear, Reserve, VisitPark
from scoring.parks.moves.sites import TakePhoto
from scoring.parks.state import Do, SecondPhoto
from tests.support.cases import every_row
from tests.support.parks_table import (
    ANA,
    BO,
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    PHOTO,
    after,
    ana,
    but,
    cases,
    codes,
    have,
    offered,
    shown,
    table,
)

START = but(table(), first_hiker=BO)
LATER = but(START, end_used=(True, True, True))
AFTER = but(table(rulings={"end-first-when": "after"}), first_hiker=BO)
THREE = table(rulings={"end-photo-twice": "three"}, badge=ANA)
BADGE = but(table(), badge=ANA)


def rich(state, **changes):
    return ana(state, **{"tokens": have(3, 3, 3, 3, 3), **changes})


OUTCOMES = {
    "end-first-parks": [
        (rich(START), [Hike(0, END_PARKS), Reserve("Zion")], {"first_hiker": ANA, "end_used": (True, False, False)}),
        (rich(LATER), [Hike(0, END_PARKS), Reserve("Zion")], {"first_hiker": BO}),
        (rich(START), [Hike(0, END_PARKS), Leave()], {"first_hiker": ANA, "turn": BO}),
        (rich(START), [Hike(0, END_PARKS), VisitPark("Zion"), Leave()], {"visited": ("Zion",), "first_hiker": ANA}),
    ],
    "end-first-photo": [
        (
            rich(START),
            [Hike(0, END_PHOTO), TakePhoto("sun")],
            {"tokens": have(3, 3, 2, 3, 4), "photos": 1, "end_used": (False, True, False)},
        ),
        (rich(LATER), [Hike(0, END_PHOTO), TakePhoto("sun")], {"tokens": have(3, 3, 2, 3, 3), "photos": 1}),
        (LATER, [Hike(0, END_PHOTO)], {"photos": 0, "turn": BO}),
    ],
    "end-first-gear": [
        (
            rich(START),
            [Hike(0, END_GEAR), BuyGear("journal-water")],
            {"tokens": have(3, 3, 3, 3, 3), "end_used": (False, False, True)},
        ),
        (rich(LATER), [Hike(0, END_GEAR), BuyGear("journal-water")], {"tokens": have(3, 3, 2, 3, 3)}),
        (LATER, [Hike(0, END_GEAR)], {"gear": (), "turn": BO}),
    ],
    "end-first-when": [
        (START, [Hike(0, END_PHOTO), TakePhoto("wildlife")], {"photos": 1, "tokens": have()}),
        (START, [Hike(0, END_GEAR), BuyGear("journal-water")], {"gear": ("journal-water",), "tokens": have()}),
        (AFTER, [Hike(0, END_PHOTO)], {"photos": 0, "tokens": have(wildlife=1), "turn": BO}),
        (AFTER, [Hike(0, END_GEAR)], {"gear": (), "tokens": have(sun=1), "turn": BO}),
        (rich(AFTER), [Hike(0, END_PHOTO), TakePhoto("sun")], {"photos": 1, "tokens": have(3, 3, 2, 3, 4)}),
    ],
    "second-photo": [
        (rich(BADGE), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1, "tasks": (SecondPhoto(),)}),
        (
            rich(BADGE),
            [Hike(0, PHOTO), TakePhoto("sun"), TakePhoto("water")],
            {"photos": 2, "tokens": have(3, 3, 2, 2, 3), "turn": BO},
        ),
        (rich(BADGE), [Hike(0, PHOTO), TakePhoto("sun"), Leave()], {"photos": 1, "turn": BO}),
        (rich(BADGE, tokens=have(sun=1)), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1, "turn": BO}),
        (rich(but(BADGE, badge=BO)), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1, "turn": BO}),
        (
            rich(table(shutterbug="photo")),
            [Hike(0, PHOTO), TakePhoto("sun"), TakePhoto("sun")],
            {"photos": 2, "badge": ANA},
        ),
    ],
    "end-photo-twice": [
        (rich(BADGE), [Hike(0, END_PHOTO), TakePhoto("sun"), TakePhoto("sun")], {"photos": 2, "turn": BO}),
        (rich(THREE), [Hike(0, END_PHOTO)], {"tasks": (Do("photo"), Do("photo"))}),
        (rich(THREE), [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 3], {"photos": 3, "turn": BO}),
        (rich(but(THREE, badge=BO)), [Hike(0, END_PHOTO), TakePhoto("sun")], {"photos": 1, "turn": BO}),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_trail_end_goes_by_its_rule(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


def test_each_space_of_trail_end_has_its_own_first_one():
    state = after(rich(START), Hike(0, END_PHOTO), TakePhoto("sun"), Hike(0, END_PHOTO), Hike(0, END_GEAR), Leave())
    assert state.end_used == (False, True, True)


def test_the_second_photo_comes_once_in_a_turn():
    state = but(ana(but(BADGE, end_used=(True,) * 3), tokens=have(sun=6)), BO, hikers=(END_GEAR, END_GEAR))
    state = after(state, Hike(0, END_PHOTO), TakePhoto("sun"), TakePhoto("sun"), Hike(0, END_PHOTO), TakePhoto("sun"))
    assert state.players[ANA].photos == 3 and SecondPhoto() not in state.tasks


def test_the_last_two_hikers_act_one_after_the_other():
    state = but(rich(but(START, rulings={})), BO, hikers=(END_GEAR, END_GEAR))
    state = after(state, Hike(0, END_PARKS), Reserve("Zion"))
    assert state.turn == ANA and [move.start for move in offered(state, Hike)] == [0, 0, 0]
    assert codes(state, Hike(0, PHOTO)) == ["straight-to-end"]


def test_the_display_is_refilled_when_the_whole_turn_is_over():
    state = but(rich(START), BO, hikers=(END_GEAR, END_GEAR))
    state = after(state, Hike(0, END_PARKS), Reserve("Zion"))
    assert state.parks == ("", "Redwood", "Yellowstone")
    assert after(state, Hike(0, END_PARKS), Leave()).parks == (None, "Redwood", "Yellowstone")
