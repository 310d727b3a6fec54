"""PARKS: canteens in three rows, filled once a season by Water as it is gained."""

import pytest

from scoring.parks.box import CANTEENS
from scoring.parks.moves.hiking import Hike, Skip, UseExtra
from scoring.parks.moves.park_actions import Reserve, VisitPark
from scoring.parks.moves.sites import FillCanteenRow, Roll, StowWater, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import ChooseExtra, DoAction, Extra, ParksAction, PlaceWater
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
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


def canteen_rows(top: tuple = (), middle: tuple = (), bottom: tuple = ()) -> tuple:
    return top, middle, bottom


def state_at_water(*held: tuple, **changes):
    """Return Ana at the Water site with two Waters to place."""
    return state_after(
        with_ana(canteens=canteen_rows(*held), **{"tokens": token_counts(sun=1), **changes}), Hike(0, WATER)
    )


FILLED_TOP = (True, False, False)
# Effect of each face when its row is filled with one of two Waters; the other goes into the backpack.
FACES = {
    "2 sun": ([], {"tokens": token_counts(sun=3, water=1), "turn": BO}),
    "forest": ([], {"tokens": token_counts(forest=1, sun=1, water=1), "turn": BO}),
    "mountain": ([], {"tokens": token_counts(mountain=1, sun=1, water=1), "turn": BO}),
    "2 water": ([], {"tokens": token_counts(sun=1, water=3), "turn": BO}),
    "photo": ([TakePhoto("sun")], {"tokens": token_counts(water=1), "photos": 1, "turn": BO}),
    "trade": ([Trade("sun")], {"tokens": token_counts(water=1, wildlife=1), "turn": BO}),
    "parks": ([Reserve("Zion")], {"tokens": token_counts(sun=1, water=1), "reserve": ("Zion",), "turn": BO}),
}

OUTCOMES = {
    "canteen-fill": [
        (state_at_water(), [], {"tokens": token_counts(sun=1, water=2), "turn": BO}),
        (state_at_water(("forest",)), [], {"tokens": token_counts(sun=1), "tasks": (PlaceWater(2),)}),
        (
            state_at_water(("forest",)),
            [StowWater()],
            {"tokens": token_counts(sun=1, water=2), "filled": (False,) * 3, "turn": BO},
        ),
        (
            state_at_water(("forest",)),
            [FillCanteenRow(0)],
            {"tokens": token_counts(forest=1, sun=1, water=1), "filled": FILLED_TOP, "turn": BO},
        ),
        (
            state_at_water(("forest",), ("mountain",)),
            [FillCanteenRow(1), FillCanteenRow(0)],
            {"tokens": token_counts(1, 1, 1), "filled": (True, True, False)},
        ),
        (
            state_at_water(("forest",), ("mountain",)),
            [FillCanteenRow(1), StowWater()],
            {"tokens": token_counts(0, 1, 1, 1), "filled": (False, True, False)},
        ),
        (
            state_after(with_ana(canteens=canteen_rows(("forest",))), Hike(0, DIE), Roll("2 water")),
            [FillCanteenRow(0)],
            {"tokens": token_counts(forest=1, water=1)},
        ),
    ],
    "canteen-brings": [
        (state_at_water(("forest", "forest")), [FillCanteenRow(0)], {"tokens": token_counts(2, 0, 1, 1), "turn": BO}),
        (state_at_water(("2 sun", "mountain")), [FillCanteenRow(0)], {"tokens": token_counts(0, 1, 3, 1), "turn": BO}),
        (
            state_at_water(("2 sun", "photo")),
            [FillCanteenRow(0), Skip()],
            {"tokens": token_counts(sun=3, water=1), "photos": 0, "turn": BO},
        ),
        (state_at_water((), ("forest",)), [FillCanteenRow(1)], {"tokens": token_counts(forest=1, sun=1, water=1)}),
    ],
    "canteen-chain": [
        (
            state_at_water(("2 water",), ("forest",)),
            [FillCanteenRow(0), FillCanteenRow(1)],
            {"tokens": token_counts(1, 0, 1, 2), "filled": (True, True, False)},
        ),
        (
            state_at_water(("2 water",), ("forest",), ("2 sun",)),
            [FillCanteenRow(0), FillCanteenRow(1), FillCanteenRow(2)],
            {"tokens": token_counts(1, 0, 3, 1), "turn": BO},
        ),
        (
            state_at_water(("2 water",), ("2 water",), ("2 water",)),
            [FillCanteenRow(0), FillCanteenRow(1), FillCanteenRow(2)],
            {"tokens": token_counts(sun=1, water=5)},
        ),
    ],
    "canteen-row-once": [
        (state_at_water(("forest",), filled=FILLED_TOP), [], {"tokens": token_counts(sun=1, water=2), "turn": BO}),
        (
            state_at_water(("forest",), ("2 sun",), filled=FILLED_TOP),
            [FillCanteenRow(1)],
            {"tokens": token_counts(sun=3, water=1)},
        ),
    ],
    "canteen-late": [
        (
            state_after(
                with_ana(canteens=canteen_rows(("forest",)), filled=FILLED_TOP), Hike(0, PHOTO), TakeCanteen("2 sun", 0)
            ),
            [],
            {"canteens": canteen_rows(("forest", "2 sun")), "tokens": token_counts(), "turn": BO},
        ),
    ],
    "canteen-rows": [
        (
            state_after(with_ana(canteens=canteen_rows(("forest",))), Hike(0, PHOTO)),
            [TakeCanteen("2 sun", 0)],
            {"canteens": canteen_rows(("forest", "2 sun"))},
        ),
        (
            state_after(with_ana(canteens=canteen_rows(("forest",))), Hike(0, PHOTO)),
            [TakeCanteen("2 sun", 2)],
            {"canteens": canteen_rows(("forest",), (), ("2 sun",))},
        ),
    ],
}
REFUSED = {
    "canteen-row-once": [(state_at_water(("forest",), ("2 sun",), filled=FILLED_TOP), FillCanteenRow(0), "row-filled")],
    "canteen-brings": [(state_at_water(("forest",)), FillCanteenRow(1), "row-empty")],
    "canteen-rows": [
        (state_at_water(("forest",)), FillCanteenRow(3), "no-such-row"),
        (state_at_water(("forest",)), FillCanteenRow(-1), "no-such-row"),
    ],
    "turn-steps": [
        (state_at_water(("forest",)), Skip(), "finish-first"),
        (state_at_water(("photo",)), TakePhoto("sun"), "finish-first"),
    ],
    "site-action": [(make_state(), FillCanteenRow(0), "hike-first"), (make_state(), StowWater(), "hike-first")],
}


@run_all_rows("face", CANTEENS)
def test_canteen_face_has_its_effect(face):
    moves, expected = FACES[face]
    state = state_after(state_at_water((face,)), FillCanteenRow(0), *moves)
    assert select_fields(state, expected) == expected


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_canteen_move_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_canteen_move_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@pytest.mark.parametrize(
    "state, move, sentence",
    [
        (state_at_water(("forest",)), FillCanteenRow(1), "The middle row has no canteen. Choose another row."),
        (
            state_at_water(("forest",), ("2 sun",), filled=FILLED_TOP),
            FillCanteenRow(0),
            "The top row is already filled. Choose another row.",
        ),
        (
            state_at_water(("forest",)),
            Skip(),
            "First fill a canteen row or the backpack.",
        ),
    ],
)
def test_refusal_text_names_the_error(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_two_effects_of_one_row_come_in_the_order_the_player_chooses():
    state = state_after(state_at_water(("parks", "photo"), tokens=token_counts(mountain=3, sun=1)), FillCanteenRow(0))
    assert state.tasks == (ChooseExtra((Extra("parks"), Extra("photo"))),)
    photo_first = state_after(state, UseExtra("photo"), TakePhoto("sun"), VisitPark("Zion"))
    visit_first = state_after(state, UseExtra("parks"), VisitPark("Zion"), TakePhoto("sun"))
    assert photo_first.players == visit_first.players and photo_first.players[ANA].visited == ("Zion",)


def test_two_equal_effects_of_one_row_come_one_after_the_other():
    state = state_after(state_at_water(("photo", "photo")), FillCanteenRow(0), TakePhoto("sun"))
    assert state.tasks == (DoAction("photo"),)
    assert state_after(state, TakePhoto("water")).players[ANA].photos == 2


def test_wildlife_and_water_of_the_backpack_never_fill_a_canteen():
    state = state_after(
        with_ana(canteens=canteen_rows(("forest",)), tokens=token_counts(water=3, wildlife=3)), Hike(0, SUN)
    )
    assert state.turn == BO and state.players[ANA].filled == (False,) * 3


def test_water_of_weather_and_site_is_placed_together():
    state = make_state(weather=("", "", "", "water", "", "", "", "", ""))
    assert state_after(
        with_ana(state, canteens=canteen_rows(("forest",), ("2 sun",), ("mountain",))), Hike(0, WATER)
    ).tasks == (PlaceWater(3),)


def test_canteen_row_can_give_a_whole_parks_action():
    state = state_after(state_at_water(("parks",), tokens=token_counts(mountain=3, forest=4)), FillCanteenRow(0))
    assert state.tasks == (ParksAction(),)
    assert state_after(state, VisitPark("Zion")).players[ANA].visited == ("Zion",)


def test_only_rows_that_can_be_filled_are_offered():
    state = state_at_water(("forest",), (), ("2 sun",), filled=(False, False, True))
    assert legal_moves(state, FillCanteenRow) == [FillCanteenRow(0)]
    assert with_changes(state, turn=ANA).player.fillable_rows == (0,)
