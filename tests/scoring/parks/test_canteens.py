"""PARKS: canteens in three rows, filled by Water as it is gained, once a season."""

import pytest

from scoring.parks.box import CANTEENS
from scoring.parks.moves.hiking import Hike, Leave, Use
from scoring.parks.moves.park_actions import Reserve, VisitPark
from scoring.parks.moves.sites import Fill, Roll, Stow, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import Do, Extra, Parks, Pick, Pour
from tests.support.cases import every_row
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
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


def rows(top: tuple = (), middle: tuple = (), bottom: tuple = ()) -> tuple:
    return top, middle, bottom


def at_water(*held: tuple, **changes):
    """Return Ana at the Water site with two Waters to put somewhere."""
    return after(ana(canteens=rows(*held), **{"tokens": have(sun=1), **changes}), Hike(0, WATER))


FILLED_TOP = (True, False, False)
# What each face brings when its row is filled with one of two Waters, and the other goes into the backpack.
FACES = {
    "2 sun": ([], {"tokens": have(sun=3, water=1), "turn": BO}),
    "forest": ([], {"tokens": have(forest=1, sun=1, water=1), "turn": BO}),
    "mountain": ([], {"tokens": have(mountain=1, sun=1, water=1), "turn": BO}),
    "2 water": ([], {"tokens": have(sun=1, water=3), "turn": BO}),
    "photo": ([TakePhoto("sun")], {"tokens": have(water=1), "photos": 1, "turn": BO}),
    "trade": ([Trade("sun")], {"tokens": have(water=1, wildlife=1), "turn": BO}),
    "parks": ([Reserve("Zion")], {"tokens": have(sun=1, water=1), "reserve": ("Zion",), "turn": BO}),
}

OUTCOMES = {
    "canteen-fill": [
        (at_water(), [], {"tokens": have(sun=1, water=2), "turn": BO}),
        (at_water(("forest",)), [], {"tokens": have(sun=1), "tasks": (Pour(2),)}),
        (at_water(("forest",)), [Stow()], {"tokens": have(sun=1, water=2), "filled": (False,) * 3, "turn": BO}),
        (
            at_water(("forest",)),
            [Fill(0)],
            {"tokens": have(forest=1, sun=1, water=1), "filled": FILLED_TOP, "turn": BO},
        ),
        (
            at_water(("forest",), ("mountain",)),
            [Fill(1), Fill(0)],
            {"tokens": have(1, 1, 1), "filled": (True, True, False)},
        ),
        (
            at_water(("forest",), ("mountain",)),
            [Fill(1), Stow()],
            {"tokens": have(0, 1, 1, 1), "filled": (False, True, False)},
        ),
        (
            after(ana(canteens=rows(("forest",))), Hike(0, DIE), Roll("2 water")),
            [Fill(0)],
            {"tokens": have(forest=1, water=1)},
        ),
    ],
    "canteen-brings": [
        (at_water(("forest", "forest")), [Fill(0)], {"tokens": have(2, 0, 1, 1), "turn": BO}),
        (at_water(("2 sun", "mountain")), [Fill(0)], {"tokens": have(0, 1, 3, 1), "turn": BO}),
        (at_water(("2 sun", "photo")), [Fill(0), Leave()], {"tokens": have(sun=3, water=1), "photos": 0, "turn": BO}),
        (at_water((), ("forest",)), [Fill(1)], {"tokens": have(forest=1, sun=1, water=1)}),
    ],
    "canteen-chain": [
        (
            at_water(("2 water",), ("forest",)),
            [Fill(0), Fill(1)],
            {"tokens": have(1, 0, 1, 2), "filled": (True, True, False)},
        ),
        (
            at_water(("2 water",), ("forest",), ("2 sun",)),
            [Fill(0), Fill(1), Fill(2)],
            {"tokens": have(1, 0, 3, 1), "turn": BO},
        ),
        (
            at_water(("2 water",), ("2 water",), ("2 water",)),
            [Fill(0), Fill(1), Fill(2)],
            {"tokens": have(sun=1, water=5)},
        ),
    ],
    "canteen-row-once": [
        (at_water(("forest",), filled=FILLED_TOP), [], {"tokens": have(sun=1, water=2), "turn": BO}),
        (at_water(("forest",), ("2 sun",), filled=FILLED_TOP), [Fill(1)], {"tokens": have(sun=3, water=1)}),
    ],
    "canteen-late": [
        (
            after(ana(canteens=rows(("forest",)), filled=FILLED_TOP), Hike(0, PHOTO), TakeCanteen("2 sun", 0)),
            [],
            {"canteens": rows(("forest", "2 sun")), "tokens": have(), "turn": BO},
        ),
    ],
    "canteen-rows": [
        (
            after(ana(canteens=rows(("forest",))), Hike(0, PHOTO)),
            [TakeCanteen("2 sun", 0)],
            {"canteens": rows(("forest", "2 sun"))},
        ),
        (
            after(ana(canteens=rows(("forest",))), Hike(0, PHOTO)),
            [TakeCanteen("2 sun", 2)],
            {"canteens": rows(("forest",), (), ("2 sun",))},
        ),
    ],
}
REFUSED = {
    "canteen-row-once": [(at_water(("forest",), ("2 sun",), filled=FILLED_TOP), Fill(0), "row-filled")],
    "canteen-brings": [(at_water(("forest",)), Fill(1), "row-empty")],
    "canteen-rows": [(at_water(("forest",)), Fill(3), "no-such-row"), (at_water(("forest",)), Fill(-1), "no-such-row")],
    "turn-steps": [
        (at_water(("forest",)), Leave(), "finish-first"),
        (at_water(("photo",)), TakePhoto("sun"), "finish-first"),
    ],
    "site-action": [(table(), Fill(0), "hike-first"), (table(), Stow(), "hike-first")],
}


@every_row("face", CANTEENS)
def test_every_face_brings_what_it_shows(face):
    moves, expected = FACES[face]
    state = after(at_water((face,)), Fill(0), *moves)
    assert shown(state, expected) == expected


@every_row("state, moves, expected", cases(OUTCOMES))
def test_canteens_go_by_their_rule(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_canteens_are_refused_by_their_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


@pytest.mark.parametrize(
    "state, move, sentence",
    [
        (at_water(("forest",)), Fill(1), "No canteen is in the middle row."),
        (at_water(("forest",), ("2 sun",), filled=FILLED_TOP), Fill(0), "Water is in the top row already this season."),
        (at_water(("forest",)), Leave(), "First fill a canteen row with your Water, or put all 2 in the backpack."),
    ],
)
def test_a_refusal_says_what_is_the_matter(state, move, sentence):
    assert sentences(state, move) == [sentence]


def test_two_things_to_do_of_one_row_come_in_the_order_its_player_likes():
    state = after(at_water(("parks", "photo"), tokens=have(mountain=3, sun=1)), Fill(0))
    assert state.tasks == (Pick((Extra("parks"), Extra("photo"))),)
    one = after(state, Use("photo"), TakePhoto("sun"), VisitPark("Zion"))
    other = after(state, Use("parks"), VisitPark("Zion"), TakePhoto("sun"))
    assert one.players == other.players and one.players[ANA].visited == ("Zion",)


def test_two_of_the_same_on_one_row_come_one_after_the_other():
    state = after(at_water(("photo", "photo")), Fill(0), TakePhoto("sun"))
    assert state.tasks == (Do("photo"),)
    assert after(state, TakePhoto("water")).players[ANA].photos == 2


def test_a_wildlife_never_fills_a_canteen_nor_does_water_of_the_backpack():
    state = after(ana(canteens=rows(("forest",)), tokens=have(water=3, wildlife=3)), Hike(0, SUN))
    assert state.turn == BO and state.players[ANA].filled == (False,) * 3


def test_weather_and_site_are_poured_together():
    state = table(weather=("", "", "", "water", "", "", "", "", ""))
    assert after(ana(state, canteens=rows(("forest",), ("2 sun",), ("mountain",))), Hike(0, WATER)).tasks == (Pour(3),)


def test_a_canteen_row_can_bring_a_whole_parks_action():
    state = after(at_water(("parks",), tokens=have(mountain=3, forest=4)), Fill(0))
    assert state.tasks == (Parks(),)
    assert after(state, VisitPark("Zion")).players[ANA].visited == ("Zion",)


def test_only_rows_that_can_be_filled_are_offered():
    state = at_water(("forest",), (), ("2 sun",), filled=(False, False, True))
    assert offered(state, Fill) == [Fill(0)]
    assert but(state, turn=ANA).player.fillable == (0,)
