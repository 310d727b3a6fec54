"""PARKS: Trail End with its three spaces, its first visitors, and the badge's second photo."""

from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.park_actions import BuyGear, Reserve, VisitPark
from scoring.parks.moves.sites import TakePhoto
from scoring.parks.state import DoAction, SecondPhoto
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    PHOTO,
    case_params,
    legal_moves,
    make_state,
    objection_codes,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
)

START = with_changes(make_state(), first_hiker=BO)
LATER = with_changes(START, end_spaces_used=(True, True, True))
AFTER = with_changes(make_state(rulings={"end-first-when": "after"}), first_hiker=BO)
THREE = make_state(rulings={"end-photo-twice": "three"}, badge=ANA)
BADGE = with_changes(make_state(), badge=ANA)


def with_rich_player(state, **changes):
    return with_ana(state, **{"tokens": token_counts(3, 3, 3, 3, 3), **changes})


OUTCOMES = {
    "end-first-parks": [
        (
            with_rich_player(START),
            [Hike(0, END_PARKS), Reserve("Zion")],
            {"first_hiker": ANA, "end_spaces_used": (True, False, False)},
        ),
        (with_rich_player(LATER), [Hike(0, END_PARKS), Reserve("Zion")], {"first_hiker": BO}),
        (with_rich_player(START), [Hike(0, END_PARKS), Skip()], {"first_hiker": ANA, "turn": BO}),
        (
            with_rich_player(START),
            [Hike(0, END_PARKS), VisitPark("Zion"), Skip()],
            {"visited": ("Zion",), "first_hiker": ANA},
        ),
    ],
    "end-first-photo": [
        (
            with_rich_player(START),
            [Hike(0, END_PHOTO), TakePhoto("sun")],
            {"tokens": token_counts(3, 3, 2, 3, 4), "photos": 1, "end_spaces_used": (False, True, False)},
        ),
        (
            with_rich_player(LATER),
            [Hike(0, END_PHOTO), TakePhoto("sun")],
            {"tokens": token_counts(3, 3, 2, 3, 3), "photos": 1},
        ),
        (LATER, [Hike(0, END_PHOTO)], {"photos": 0, "turn": BO}),
    ],
    "end-first-gear": [
        (
            with_rich_player(START),
            [Hike(0, END_GEAR), BuyGear("journal-water")],
            {"tokens": token_counts(3, 3, 3, 3, 3), "end_spaces_used": (False, False, True)},
        ),
        (
            with_rich_player(LATER),
            [Hike(0, END_GEAR), BuyGear("journal-water")],
            {"tokens": token_counts(3, 3, 2, 3, 3)},
        ),
        (LATER, [Hike(0, END_GEAR)], {"gear": (), "turn": BO}),
    ],
    "end-first-when": [
        (START, [Hike(0, END_PHOTO), TakePhoto("wildlife")], {"photos": 1, "tokens": token_counts()}),
        (START, [Hike(0, END_GEAR), BuyGear("journal-water")], {"gear": ("journal-water",), "tokens": token_counts()}),
        (AFTER, [Hike(0, END_PHOTO)], {"photos": 0, "tokens": token_counts(wildlife=1), "turn": BO}),
        (AFTER, [Hike(0, END_GEAR)], {"gear": (), "tokens": token_counts(sun=1), "turn": BO}),
        (
            with_rich_player(AFTER),
            [Hike(0, END_PHOTO), TakePhoto("sun")],
            {"photos": 1, "tokens": token_counts(3, 3, 2, 3, 4)},
        ),
    ],
    "second-photo": [
        (with_rich_player(BADGE), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1, "tasks": (SecondPhoto(),)}),
        (
            with_rich_player(BADGE),
            [Hike(0, PHOTO), TakePhoto("sun"), TakePhoto("water")],
            {"photos": 2, "tokens": token_counts(3, 3, 2, 2, 3), "turn": BO},
        ),
        (with_rich_player(BADGE), [Hike(0, PHOTO), TakePhoto("sun"), Skip()], {"photos": 1, "turn": BO}),
        (
            with_rich_player(BADGE, tokens=token_counts(sun=1)),
            [Hike(0, PHOTO), TakePhoto("sun")],
            {"photos": 1, "turn": BO},
        ),
        (
            with_rich_player(with_changes(BADGE, badge=BO)),
            [Hike(0, PHOTO), TakePhoto("sun")],
            {"photos": 1, "turn": BO},
        ),
        (
            with_rich_player(make_state(shutterbug="photo")),
            [Hike(0, PHOTO), TakePhoto("sun"), TakePhoto("sun")],
            {"photos": 2, "badge": ANA},
        ),
    ],
    "end-photo-twice": [
        (with_rich_player(BADGE), [Hike(0, END_PHOTO), TakePhoto("sun"), TakePhoto("sun")], {"photos": 2, "turn": BO}),
        (with_rich_player(THREE), [Hike(0, END_PHOTO)], {"tasks": (DoAction("photo"), DoAction("photo"))}),
        (with_rich_player(THREE), [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 3], {"photos": 3, "turn": BO}),
        (
            with_rich_player(with_changes(THREE, badge=BO)),
            [Hike(0, END_PHOTO), TakePhoto("sun")],
            {"photos": 1, "turn": BO},
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_trail_end_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


def test_each_space_of_trail_end_has_its_own_first_visitor():
    state = state_after(
        with_rich_player(START), Hike(0, END_PHOTO), TakePhoto("sun"), Hike(0, END_PHOTO), Hike(0, END_GEAR), Skip()
    )
    assert state.end_spaces_used == (False, True, True)


def test_second_photo_comes_once_in_a_turn():
    state = with_changes(
        with_ana(with_changes(BADGE, end_spaces_used=(True,) * 3), tokens=token_counts(sun=6)),
        BO,
        hikers=(END_GEAR, END_GEAR),
    )
    state = state_after(
        state, Hike(0, END_PHOTO), TakePhoto("sun"), TakePhoto("sun"), Hike(0, END_PHOTO), TakePhoto("sun")
    )
    assert state.players[ANA].photos == 3 and SecondPhoto() not in state.tasks


def test_last_two_hikers_act_one_after_the_other():
    state = with_changes(with_rich_player(with_changes(START, rulings={})), BO, hikers=(END_GEAR, END_GEAR))
    state = state_after(state, Hike(0, END_PARKS), Reserve("Zion"))
    assert state.turn == ANA and [move.start for move in legal_moves(state, Hike)] == [0, 0, 0]
    assert objection_codes(state, Hike(0, PHOTO)) == ["straight-to-end"]


def test_display_is_refilled_after_the_whole_turn():
    state = with_changes(with_rich_player(START), BO, hikers=(END_GEAR, END_GEAR))
    state = state_after(state, Hike(0, END_PARKS), Reserve("Zion"))
    assert state.parks == ("", "Redwood", "Yellowstone")
    assert state_after(state, Hike(0, END_PARKS), Skip()).parks == (None, "Redwood", "Yellowstone")
