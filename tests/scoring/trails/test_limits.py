"""TRAILS: the end of a turn, eight resources at most, and the box that holds fifteen of each."""

import pytest
from flask import Flask
from msgspec.structs import replace

from scoring.trails import PLAY
from scoring.trails.moves.hiking import Hike, Keep, Leave, Photograph, Wildlife
from scoring.trails.state import AtSite, Bear, Earn, KeepEight, MoveSun, SetOut
from tests.support.cases import every_row
from tests.support.other_secrets import serving
from tests.support.phones import seated
from tests.support.trails_table import (
    ALL_NIGHT,
    ANA,
    BO,
    CY,
    after,
    cases,
    cited,
    codes,
    refusals,
    sentences,
    shown,
    table,
)

FULL = table(bear="rock").with_player(ANA, cubes=(4, 4, 0))
FULL_BY_NIGHT = table(bear="rock", sun=ALL_NIGHT).with_player(ANA, cubes=(4, 4, 0))
CHOOSING = after(FULL_BY_NIGHT, Hike(2))  # 4 acorn, 6 leaf
WITH_HAND = table(sun=1).with_player(ANA, at=5, hand="sunshine-acorn", cubes=(0, 8, 0))

OUTCOMES = {
    "resource-limit": [
        (FULL, [Hike(2)], {"cubes": (4, 5, 0), "tasks": (KeepEight(),), "turn": ANA}),
        (FULL, [Hike(2), Keep(3, 5, 0)], {"cubes": (3, 5, 0), "tasks": (SetOut(),), "turn": BO}),
        (FULL, [Hike(2), Keep(4, 4, 0)], {"cubes": (4, 4, 0), "turn": BO}),
        (CHOOSING, [Keep(2, 6, 0)], {"cubes": (2, 6, 0), "turn": BO}),
        (FULL.with_player(ANA, cubes=(4, 3, 0)), [Hike(2)], {"cubes": (4, 4, 0), "turn": BO}),
    ],
    "limit-at-end": [
        # nine while the bear is still to be met, eight again when the turn ends
        (FULL.with_player(ANA, at=3), [Hike(2)], {"cubes": (4, 4, 1), "tasks": (Bear(),), "turn": ANA}),
        (
            FULL.with_player(ANA, at=3),
            [Hike(2), Wildlife("photo", "photo"), Photograph(pay="acorn")],
            {"cubes": (3, 4, 1), "turn": BO},
        ),
    ],
    "end-checklist": [
        (WITH_HAND, [Hike(1), Leave()], {"cubes": (0, 8, 1), "sun": 2, "tasks": (KeepEight(),), "turn": ANA}),
        (WITH_HAND, [Hike(1), Leave(), Keep(0, 7, 1)], {"cubes": (0, 7, 1), "turn": BO}),
    ],
}

REFUSED = {
    "resource-limit": [
        (CHOOSING, Keep(4, 5, 0), "keep-eight"),
        (CHOOSING, Keep(4, 3, 0), "keep-eight"),
        (CHOOSING, Keep(), "keep-eight"),
        (CHOOSING, Keep(5, 3, 0), "not-yours"),
        (CHOOSING, Keep(4, 3, 1), "not-yours"),
    ],
    "hike-must": [(table(), Keep(1, 1, 1), "hike-first")],
    "turn-steps": [
        (CHOOSING, Leave(), "finish-first"),
        (CHOOSING, Hike(1), "finish-first"),
        (
            table(tasks=(Earn("trail-end"), MoveSun(), AtSite("photo")), sun=2).with_player(ANA, at=6, facing=-1),
            Keep(8, 0, 0),
            "finish-first",
        ),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_a_turn_ends_as_its_rule_says(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_keeping_is_refused_by_its_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


def test_each_wrong_kind_is_said_by_its_own_figure():
    assert sentences(CHOOSING, Keep(5, 0, 3)) == ["You have 4 acorns.", "You have 0 rocks."]
    assert sentences(CHOOSING, Keep(2, 7, -1)) == ["You have 6 leaves.", "You have 0 rocks."]
    assert sentences(CHOOSING, Keep(4, 5, 0)) == ["You keep exactly eight, not 9."]
    assert sentences(CHOOSING, Leave()) == ["First choose eight resources to keep."]


def test_the_offers_are_every_way_to_keep_eight():
    offers = [offer.move for offer in PLAY.offers(CHOOSING, ANA) if isinstance(offer.move, Keep)]
    assert offers == [Keep(4, 4, 0), Keep(3, 5, 0), Keep(2, 6, 0)]


def test_the_log_says_what_was_put_back():
    move = Keep(2, 6, 0)
    assert move.label(CHOOSING, ANA) == "Put back 2 acorns"
    assert move.hint(CHOOSING, ANA) == "keep 2 acorns, 6 leaves"
    assert PLAY.tell(CHOOSING, after(CHOOSING, move), ANA, move) == "Ana kept eight. −2 acorns."


def test_put_back_buttons_follow_the_order_acorn_leaf_rock(app: Flask):
    seats = seated(app, "Ana", "Bo")
    told = seats.say(0, Hike(1))
    state = told.steps[-1].before.with_player(ANA, cubes=(4, 3, 3))
    last = replace(told.steps[-1], after=replace(state, tasks=(KeepEight(),)))
    with serving(seats.referee.store, replace(told, steps=(last,))):
        labels = [each["aria-label"] for each in seats.page(0).with_class("cell")]
    assert [label.split(":")[0] for label in labels] == [
        "Put back 2 acorns",
        "Put back 1 acorn, 1 leaf",
        "Put back 1 acorn, 1 rock",
        "Put back 2 leaves",
        "Put back 1 leaf, 1 rock",
        "Put back 2 rocks",
    ]


# The supply of a kind is what nobody has, and never less than nothing.
@pytest.mark.parametrize(
    "held, left",
    [((0, 1, 1), (14, 13, 13)), ((14, 1, 1), (0, 13, 13)), ((17, 1, 1), (0, 13, 13))],
)
def test_the_supply_is_what_nobody_has(held, left):
    state = table().with_player(BO, cubes=held)
    assert tuple(state.supply(kind) for kind in range(3)) == left


def test_going_back_to_a_limited_supply_takes_no_cubes_away():
    crowd = (
        table(3, bear="rock", rulings={"cube-supply": "limited"})
        .with_player(BO, cubes=(0, 8, 0))
        .with_player(CY, cubes=(0, 8, 0))
    )
    assert shown(after(crowd, Hike(2)), {"cubes": (), "turn": 0}) == {"cubes": (1, 1, 1), "turn": BO}
