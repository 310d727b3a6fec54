"""TRAILS: the five sites by day and by night, and their automatic effects."""

import pytest
from msgspec.structs import replace

from scoring.trails import TRACKED_GAME
from scoring.trails.moves.hiking import Exchange, Hike, Photograph, RollWildlife, Skip
from scoring.trails.state import EarnBadges, RecyclingExchange, SiteAction
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
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

DAY = make_state(bear="rock")
NIGHT = make_state(bear="rock", sun=ALL_NIGHT_SUN)
ROCK_DAY = make_state(bear="acorn").with_player(0, space=4)
ROCK_NIGHT = make_state(bear="acorn", sun=ALL_NIGHT_SUN).with_player(0, space=4)
EXCHANGE_DAY = make_state(tasks=(SiteAction("exchange"),)).with_player(0, space=1, cubes=(2, 0, 1))
EXCHANGE_NIGHT = make_state(tasks=(SiteAction("exchange"),), sun=ALL_NIGHT_SUN).with_player(0, space=1, cubes=(2, 0, 1))
PHOTO_DAY = make_state(tasks=(SiteAction("photo"),)).with_player(0, space=4, cubes=(2, 0, 1))
PHOTO_NIGHT = make_state(tasks=(SiteAction("photo"),), sun=ALL_NIGHT_SUN).with_player(0, space=4, cubes=(2, 0, 1))


def state_with_leaves(state, bo: int, cy: int):
    """Return a state of three players where the others have only these numbers of leaves."""
    return state.with_player(BO, cubes=(0, bo, 0)).with_player(CY, cubes=(0, cy, 0))


THREE_AT_EXCHANGE = make_state(3, tasks=(SiteAction("exchange"),)).with_player(0, space=1, cubes=(2, 0, 1))
NO_LEAF_LEFT = state_with_leaves(THREE_AT_EXCHANGE, 8, 7)
ONE_LEAF_LEFT = state_with_leaves(THREE_AT_EXCHANGE, 7, 7)

NO_LEAF_NO_ROCK = make_state(4, tasks=(SiteAction("exchange"),), sun=9).with_player(0, space=1, cubes=(1, 4, 3))
for seat, held in enumerate(((0, 8, 0), (0, 3, 5), (0, 0, 7)), 1):
    NO_LEAF_NO_ROCK = NO_LEAF_NO_ROCK.with_player(seat, cubes=held)

OUTCOMES = {
    "acorn-site": [
        (DAY, [Hike(3, canteen=True)], {"cubes": (2, 1, 1), "turn": BO}),
        (NIGHT, [Hike(3, canteen=True)], {"cubes": (3, 1, 1), "turn": BO}),
    ],
    "leaf-site": [
        (DAY, [Hike(2)], {"cubes": (1, 2, 1), "turn": BO}),
        (NIGHT, [Hike(2)], {"cubes": (1, 3, 1), "turn": BO}),
    ],
    "rock-site": [
        (ROCK_DAY, [Hike(1)], {"cubes": (1, 1, 2), "turn": BO}),
        (ROCK_NIGHT, [Hike(1)], {"cubes": (1, 1, 3), "turn": BO}),
    ],
    "exchange-day": [
        (DAY, [Hike(1), Exchange("leaf", "acorn")], {"cubes": (3, 0, 1), "turn": BO}),
        (EXCHANGE_DAY, [Exchange("acorn", "leaf")], {"cubes": (1, 2, 1), "turn": BO}),
        (EXCHANGE_DAY, [Exchange("rock", "acorn")], {"cubes": (4, 0, 0), "turn": BO}),
    ],
    "exchange-night": [
        (NIGHT, [Hike(1), Exchange("leaf")], {"cubes": (2, 0, 2), "turn": BO}),
        (EXCHANGE_NIGHT, [Exchange("acorn")], {"cubes": (1, 1, 2), "turn": BO}),
        (EXCHANGE_NIGHT, [Exchange("rock")], {"cubes": (3, 1, 0), "turn": BO}),
    ],
    "photo-day": [
        (PHOTO_DAY, [Photograph(pay="acorn")], {"cubes": (1, 0, 1), "photos": (None,), "turn": BO}),
        (PHOTO_DAY, [Photograph(pay="rock")], {"cubes": (2, 0, 0), "photos": (None,), "turn": BO}),
        (PHOTO_DAY.with_player(0, cubes=(0, 1, 0)), [Photograph(pay="leaf")], {"cubes": (0, 0, 0), "photos": (None,)}),
    ],
    "photo-night": [(PHOTO_NIGHT, [Photograph()], {"cubes": (2, 0, 1), "photos": (None,), "turn": BO})],
    "nothing-to-do": [
        (DAY.with_player(0, cubes=(0, 0, 0)), [Hike(1)], {"space": 1, "cubes": (0, 0, 0), "turn": BO}),
        (NIGHT.with_player(0, cubes=(0, 0, 0)), [Hike(1)], {"space": 1, "cubes": (0, 0, 0), "turn": BO}),
        (DAY.with_player(0, cubes=(0, 0, 0)), [Hike(4, canteen=True)], {"space": 4, "photos": (), "turn": BO}),
        (NIGHT.with_player(0, cubes=(0, 0, 0)), [Hike(4, canteen=True)], {"space": 4, "turn": 0}),
    ],
    "swap-optional": [
        (DAY, [Hike(1), Skip()], {"cubes": (1, 1, 1), "turn": BO}),
        (DAY, [Hike(4, canteen=True), Skip()], {"cubes": (1, 1, 1), "photos": (), "turn": BO}),
        (PHOTO_NIGHT, [Skip()], {"photos": (), "photo_deck": 32, "turn": BO}),
    ],
    "photo-none-left": [
        (make_state(photo_deck=0, bear="rock", sun=ALL_NIGHT_SUN), [Hike(4, canteen=True)], {"photos": (), "turn": BO}),
        (
            make_state(photo_deck=0, bear="rock"),
            [Hike(4, canteen=True)],
            {"photos": (), "cubes": (1, 1, 1), "turn": BO},
        ),
    ],
    "gains-taken": [(DAY.with_player(0, cubes=(8, 0, 0)), [Hike(2)], {"cubes": (8, 1, 0), "turn": 0})],
    "resource-supply": [
        (state_with_leaves(make_state(3, bear="rock"), 7, 7), [Hike(2)], {"cubes": (1, 1, 1)}),
        (state_with_leaves(make_state(3, bear="rock", sun=ALL_NIGHT_SUN), 7, 6), [Hike(2)], {"cubes": (1, 2, 1)}),
        (ONE_LEAF_LEFT, [Exchange("acorn", "leaf")], {"cubes": (1, 1, 1)}),
        (NO_LEAF_LEFT.with_player(0, cubes=(2, 0, 0)), [Skip()], {"cubes": (2, 0, 0)}),
        (
            state_with_leaves(make_state(3, rulings={"cube-supply": "stand-ins"}, bear="rock"), 7, 7),
            [Hike(2)],
            {"cubes": (1, 2, 1)},
        ),
    ],
}

REFUSED = {
    "exchange-day": [
        (EXCHANGE_DAY, Exchange("acorn"), "day-exchange"),
        (EXCHANGE_DAY, Exchange("acorn", "acorn"), "same-kind"),
        (EXCHANGE_DAY, Exchange("leaf", "rock"), "nothing-to-give"),
    ],
    "exchange-night": [
        (EXCHANGE_NIGHT, Exchange("acorn", "leaf"), "night-exchange"),
        (EXCHANGE_NIGHT, Exchange("leaf"), "nothing-to-give"),
    ],
    "resource-supply": [
        (NO_LEAF_LEFT, Exchange("acorn", "leaf"), "supply-empty"),
        (NO_LEAF_NO_ROCK, Exchange("acorn"), "supply-empty"),
    ],
    "site-action": [
        (PHOTO_DAY, Exchange("acorn", "leaf"), "no-exchange"),
        (EXCHANGE_DAY, Photograph(pay="acorn"), "no-photo"),
    ],
    "photo-day": [
        (PHOTO_DAY, Photograph(), "photo-price"),
        (PHOTO_DAY, Photograph(pay="leaf"), "photo-price"),
    ],
    "photo-night": [
        (PHOTO_NIGHT, Photograph(pay="acorn"), "photo-is-free"),
    ],
    "photo-face-up": [
        (PHOTO_DAY, Photograph(face_up=True, pay="acorn"), "no-face-up-photo"),
        (PHOTO_NIGHT, Photograph(face_up=True), "no-face-up-photo"),
    ],
    "bear-met": [(PHOTO_DAY, RollWildlife("leaf", "leaf"), "no-bear")],
    "turn-steps": [
        (make_state(tasks=(EarnBadges("trailhead"),)), Exchange("acorn", "leaf"), "finish-first"),
        (make_state(tasks=(EarnBadges("trailhead"),)), Photograph(), "finish-first"),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_site_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_site_move_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


@run_all_rows(
    "state, move, sentence",
    [
        (EXCHANGE_DAY, Exchange("leaf", "rock"), "You have no leaves to exchange. Choose another resource."),
        (PHOTO_DAY, Photograph(pay="leaf"), "You have no leaves to pay with. Choose another resource."),
        (
            PHOTO_DAY,
            Exchange("acorn", "leaf"),
            "You can’t exchange anything now. First pay 1 resource for a photo, or skip.",
        ),
        (
            EXCHANGE_DAY,
            Photograph(pay="acorn"),
            "You can’t take a photo now. First exchange 1 resource, or skip.",
        ),
        (NO_LEAF_LEFT, Exchange("acorn", "leaf"), "The supply has none left. Choose another type."),
    ],
)
def test_refusal_at_a_site_says_what_is_missing(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


def test_night_exchange_gives_what_is_left_of_the_other_two_kinds():
    state = state_with_leaves(replace(THREE_AT_EXCHANGE, sun=ALL_NIGHT_SUN), 8, 7)
    assert select_fields(state_after(state, Exchange("acorn")), {"cubes": ()}) == {"cubes": (1, 0, 2)}


def test_recycling_is_a_day_exchange_even_at_night():
    state = make_state(tasks=(EarnBadges("trailhead"), RecyclingExchange()), sun=ALL_NIGHT_SUN)
    assert objection_codes(state, Exchange("acorn", "leaf")) == []
    assert objection_codes(state, Exchange("acorn")) == ["day-exchange"]


@run_all_rows("space, site", [(1, "exchange"), (2, "leaf"), (3, "acorn"), (4, "photo"), (5, "rock")])
def test_first_game_has_the_recommended_order_of_sites(space, site):
    assert make_state().site_at(space) == site
    assert make_state().space_of(site) == space


@pytest.mark.parametrize("space", [0, 6])
def test_ends_of_the_trail_are_no_sites(space):
    assert make_state().site_at(space) is None


def test_exchange_offers_every_pair_by_day_and_every_resource_by_night():
    by_day = [offer.move for offer in TRACKED_GAME.offers(EXCHANGE_DAY, 0) if isinstance(offer.move, Exchange)]
    by_night = [offer.move for offer in TRACKED_GAME.offers(EXCHANGE_NIGHT, 0) if isinstance(offer.move, Exchange)]
    assert len(by_day) == len(set(by_day)) == 6
    assert by_night == [Exchange("acorn"), Exchange("leaf"), Exchange("rock")]
