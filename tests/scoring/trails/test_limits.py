"""TRAILS: the end of a turn, the limit of eight resources, and the fifteen of each kind."""

import json
from operator import sub

import pytest
from flask import Flask
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.hiking import Hike, KeepResources, Photograph, RollWildlife, Skip
from scoring.trails.state import RESOURCES, EarnBadges, KeepEight, MoveBear, MoveSun, SiteAction, StartHike
from tests.support.changed_secrets import substitute_table
from tests.support.parametrize import run_all_rows
from tests.support.phones import open_seated_table
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BO,
    CY,
    case_params,
    make_state,
    objection_codes,
    objection_rules,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
)

FULL = make_state(bear="rock").with_player(ANA, cubes=(4, 4, 0))
FULL_BY_NIGHT = make_state(bear="rock", sun=ALL_NIGHT_SUN).with_player(ANA, cubes=(4, 4, 0))
CHOOSING = state_after(FULL_BY_NIGHT, Hike(2))  # 4 acorns, 6 leaves.
WITH_HAND = make_state(sun=1).with_player(ANA, space=5, hand="sunshine-acorn", cubes=(0, 8, 0))

OUTCOMES = {
    "resource-limit": [
        (FULL, [Hike(2)], {"cubes": (4, 5, 0), "tasks": (KeepEight(),), "turn": ANA}),
        (FULL, [Hike(2), KeepResources(3, 5, 0)], {"cubes": (3, 5, 0), "tasks": (StartHike(),), "turn": BO}),
        (FULL, [Hike(2), KeepResources(4, 4, 0)], {"cubes": (4, 4, 0), "turn": BO}),
        (CHOOSING, [KeepResources(2, 6, 0)], {"cubes": (2, 6, 0), "turn": BO}),
        (FULL.with_player(ANA, cubes=(4, 3, 0)), [Hike(2)], {"cubes": (4, 4, 0), "turn": BO}),
    ],
    "limit-at-end": [
        # Nine while the bear is still to be met, eight again when the turn ends.
        (FULL.with_player(ANA, space=3), [Hike(2)], {"cubes": (4, 4, 1), "tasks": (MoveBear(),), "turn": ANA}),
        (
            FULL.with_player(ANA, space=3),
            [Hike(2), RollWildlife("photo", "photo"), Photograph(pay="acorn")],
            {"cubes": (3, 4, 1), "turn": BO},
        ),
    ],
    "end-checklist": [
        (WITH_HAND, [Hike(1), Skip()], {"cubes": (0, 8, 1), "sun": 2, "tasks": (KeepEight(),), "turn": ANA}),
        (WITH_HAND, [Hike(1), Skip(), KeepResources(0, 7, 1)], {"cubes": (0, 7, 1), "turn": BO}),
    ],
}

REFUSED = {
    "resource-limit": [
        (CHOOSING, KeepResources(4, 5, 0), "keep-eight"),
        (CHOOSING, KeepResources(4, 3, 0), "keep-eight"),
        (CHOOSING, KeepResources(), "keep-eight"),
        (CHOOSING, KeepResources(5, 3, 0), "not-yours"),
        (CHOOSING, KeepResources(4, 3, 1), "not-yours"),
    ],
    "hike-must": [(make_state(), KeepResources(1, 1, 1), "hike-first")],
    "turn-steps": [
        (CHOOSING, Skip(), "finish-first"),
        (CHOOSING, Hike(1), "finish-first"),
        (
            make_state(tasks=(EarnBadges("trail-end"), MoveSun(), SiteAction("photo")), sun=2).with_player(
                ANA, space=6, facing=-1
            ),
            KeepResources(8, 0, 0),
            "finish-first",
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_end_of_a_turn_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_keeping_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


def test_refusal_names_the_number_of_each_wrong_kind():
    assert objection_texts(CHOOSING, KeepResources(5, 0, 3)) == [
        "You have 4 acorns. Keep no more than that.",
        "You have 0 rocks. Keep no more than that.",
    ]
    assert objection_texts(CHOOSING, KeepResources(2, 7, -1)) == [
        "You have 6 leaves. Keep no more than that.",
        "You have 0 rocks. Keep no more than that.",
    ]
    assert objection_texts(CHOOSING, KeepResources(4, 5, 0)) == ["Keep exactly 8 resources. You chose 9."]
    assert objection_texts(CHOOSING, Skip()) == ["First return 2 resources."]


def test_offers_are_all_ways_to_keep_eight():
    offers = [offer.move for offer in TRACKED_GAME.offers(CHOOSING, ANA) if isinstance(offer.move, KeepResources)]
    assert offers == [KeepResources(4, 4, 0), KeepResources(3, 5, 0), KeepResources(2, 6, 0)]


def test_log_names_the_returned_resources():
    move = KeepResources(2, 6, 0)
    assert move.label(CHOOSING, ANA).text == "Return 2 acorns"
    assert move.label(CHOOSING, ANA).hint == "keep 2 acorns and 6 leaves"
    assert (
        TRACKED_GAME.log_sentence(CHOOSING, state_after(CHOOSING, move), ANA, move)
        == "Ana returned 2 acorns (8-resource limit)."
    )


def test_put_back_buttons_follow_the_order_acorn_leaf_rock(app: Flask):
    seats = open_seated_table(app, "Ana", "Bo")
    table = seats.play(0, Hike(1))
    state = table.steps[-1].before.with_player(ANA, cubes=(4, 3, 3))
    last = replace(table.steps[-1], after=replace(state, tasks=(KeepEight(),)))
    with substitute_table(seats.referee.store, replace(table, steps=(last,))):
        keys = [json.loads(button["value"]) for button in seats.page(0).tags_with_class("trade")]
    kept = [tuple(key.get(kind, 0) for kind in RESOURCES) for key in keys]
    returned = [tuple(map(sub, (4, 3, 3), cubes)) for cubes in kept]
    assert returned == [(2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 2, 0), (0, 1, 1), (0, 0, 2)]


# The supply of a kind is what no player has, and never less than zero.
@pytest.mark.parametrize(
    "held, left",
    [((0, 1, 1), (14, 13, 13)), ((14, 1, 1), (0, 13, 13)), ((17, 1, 1), (0, 13, 13))],
)
def test_supply_is_what_no_player_has(held, left):
    state = make_state().with_player(BO, cubes=held)
    assert tuple(state.supply(kind) for kind in range(3)) == left


def test_return_to_a_limited_supply_takes_no_cubes_away():
    crowd = (
        make_state(3, bear="rock", rulings={"cube-supply": "limited"})
        .with_player(BO, cubes=(0, 8, 0))
        .with_player(CY, cubes=(0, 8, 0))
    )
    assert select_fields(state_after(crowd, Hike(2)), {"cubes": (), "turn": 0}) == {"cubes": (1, 1, 1), "turn": BO}
