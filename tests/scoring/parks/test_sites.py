"""PARKS: the nine sites, paid with the tokens they need or with Wildlife instead."""

import pytest

from scoring.parks.moves.hiking import Hike, ReturnToken, Skip
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear
from scoring.parks.moves.sites import Roll, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import DoAction, ParksAction
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
    FOREST,
    GEAR_SITE,
    MOUNTAIN,
    PARKS_SITE,
    PHOTO,
    SUN,
    WATER,
    WILDLIFE,
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
    with_supply_left,
)

START = make_state()
TRADE_ANY = make_state(rulings={"wildlife-trade": "yes"})


def with_tokens(state=START, **tokens):
    return with_ana(state, tokens=token_counts(**tokens))


RICH = with_tokens(forest=2, mountain=3, sun=3, water=2)
WILD = with_tokens(wildlife=5)

OUTCOMES = {
    "forest-site": [
        (START, [Hike(0, FOREST)], {"tokens": token_counts(forest=1), "turn": BO}),
        (WILD, [Hike(0, FOREST)], {"tokens": token_counts(forest=1, wildlife=5), "turn": BO}),
    ],
    "mountain-site": [
        (START, [Hike(0, MOUNTAIN)], {"tokens": token_counts(mountain=1), "turn": BO}),
        (WILD, [Hike(0, MOUNTAIN)], {"tokens": token_counts(mountain=1, wildlife=5), "turn": BO}),
    ],
    "sun-site": [
        (START, [Hike(0, SUN)], {"tokens": token_counts(sun=2), "turn": BO}),
        (WILD, [Hike(0, SUN)], {"tokens": token_counts(sun=2, wildlife=5), "turn": BO}),
    ],
    "water-site": [
        (START, [Hike(0, WATER)], {"tokens": token_counts(water=2), "turn": BO}),
        (WILD, [Hike(0, WATER)], {"tokens": token_counts(water=2, wildlife=5), "turn": BO}),
    ],
    "die-site": [
        (START, [Hike(0, DIE), Roll("forest")], {"tokens": token_counts(forest=1), "turn": BO}),
        (START, [Hike(0, DIE), Roll("mountain")], {"tokens": token_counts(mountain=1), "turn": BO}),
        (START, [Hike(0, DIE), Roll("2 sun")], {"tokens": token_counts(sun=2), "turn": BO}),
        (START, [Hike(0, DIE), Roll("2 water")], {"tokens": token_counts(water=2), "turn": BO}),
        (WILD, [Hike(0, DIE), Roll("wildlife")], {"tokens": token_counts(wildlife=6), "turn": BO}),
        (START, [Hike(0, DIE), Roll("canteen")], {"tokens": token_counts(), "tasks": (DoAction("canteen"),)}),
        (
            START,
            [Hike(0, DIE), Roll("canteen"), TakeCanteen("parks", 1)],
            {"canteens": ((), ("parks",), ()), "turn": BO},
        ),
    ],
    "gear-site": [
        (
            RICH,
            [Hike(0, GEAR_SITE), BuyGear("binoculars-reserve")],
            {"tokens": token_counts(2, 3, 1, 2), "gear": ("binoculars-reserve",)},
        ),
        (
            RICH,
            [Hike(0, GEAR_SITE), BuyGear(), DrawGear("camp-mug-trade")],
            {"tokens": token_counts(2, 3, 1, 2), "gear": ("camp-mug-trade",)},
        ),
        (
            WILD,
            [Hike(0, GEAR_SITE), BuyGear("binoculars-reserve", 2)],
            {"tokens": token_counts(wildlife=3), "bought": 1, "turn": BO},
        ),
        (
            with_tokens(sun=2, wildlife=1),
            [Hike(0, GEAR_SITE), BuyGear("field-guide-forest", 1)],
            {"tokens": token_counts(), "turn": BO},
        ),
        (
            with_tokens(sun=2, wildlife=2),
            [Hike(0, GEAR_SITE), BuyGear("binoculars-reserve", 1)],
            {"tokens": token_counts(sun=1, wildlife=1)},
        ),
        (RICH, [Hike(0, GEAR_SITE), Skip()], {"tokens": RICH.players[ANA].tokens, "gear": (), "turn": BO}),
        (with_tokens(forest=5), [Hike(0, GEAR_SITE)], {"turn": BO, "gear": ()}),
    ],
    "photo-site": [
        (
            RICH,
            [Hike(0, PHOTO), TakePhoto("water")],
            {"photos": 1, "tokens": token_counts(2, 3, 3, 1), "canteens": ((), (), ()), "turn": BO},
        ),
        (
            RICH,
            [Hike(0, PHOTO), TakeCanteen("2 sun", 0)],
            {"photos": 0, "tokens": token_counts(2, 3, 3, 2), "turn": BO},
        ),
        (
            WILD,
            [Hike(0, PHOTO), TakePhoto("wildlife")],
            {"photos": 1, "wild_photos": 1, "tokens": token_counts(wildlife=4), "turn": BO},
        ),
        (START, [Hike(0, PHOTO), TakeCanteen("trade", 2, stack=True)], {"canteens": ((), (), ("trade",)), "turn": BO}),
        (RICH, [Hike(0, PHOTO), Skip()], {"photos": 0, "tokens": token_counts(2, 3, 3, 2), "turn": BO}),
        (with_ana(canteens=(("2 sun", "2 sun"),) * 3), [Hike(0, PHOTO)], {"photos": 0, "turn": BO}),
    ],
    "wildlife-site": [
        (RICH, [Hike(0, WILDLIFE), Trade("sun")], {"tokens": token_counts(2, 3, 2, 2, 1), "turn": BO}),
        (RICH, [Hike(0, WILDLIFE), Trade("forest")], {"tokens": token_counts(1, 3, 3, 2, 1), "turn": BO}),
        (RICH, [Hike(0, WILDLIFE), Skip()], {"tokens": token_counts(2, 3, 3, 2), "turn": BO}),
        (WILD, [Hike(0, WILDLIFE)], {"tokens": token_counts(wildlife=5), "turn": BO}),
    ],
    "wildlife-trade": [
        (
            with_ana(TRADE_ANY, tokens=token_counts(wildlife=1)),
            [Hike(0, WILDLIFE), Trade("wildlife")],
            {"tokens": token_counts(wildlife=1), "turn": BO},
        ),
    ],
    "parks-action": [
        (RICH, [Hike(0, PARKS_SITE), VisitPark("Zion")], {"visited": ("Zion",), "tokens": token_counts(2, 0, 3, 2)}),
        (RICH, [Hike(0, PARKS_SITE), Reserve("Redwood")], {"reserve": ("Redwood",), "visited": (), "turn": BO}),
        (RICH, [Hike(0, PARKS_SITE), Reserve(deck=True)], {"reserve": (None,), "turn": BO}),
        (
            WILD,
            [Hike(0, PARKS_SITE), VisitPark("Zion", mountain=3)],
            {"visited": ("Zion",), "tokens": token_counts(wildlife=2)},
        ),
        (
            WILD,
            [Hike(0, PARKS_SITE), VisitPark("Redwood", mountain=1, forest=4)],
            {"visited": ("Redwood",), "tokens": token_counts()},
        ),
        (START, [Hike(0, PARKS_SITE), Skip()], {"visited": (), "reserve": (), "turn": BO}),
    ],
}

REFUSED = {
    "photo-price": [
        (state_after(RICH, Hike(0, PHOTO)), TakePhoto("wildlife"), "photo-price"),
        (state_after(WILD, Hike(0, PHOTO)), TakePhoto("sun"), "photo-price"),
    ],
    "wildlife-trade": [
        (state_after(with_tokens(sun=1, wildlife=1), Hike(0, WILDLIFE)), Trade("wildlife"), "no-wildlife"),
    ],
    "wildlife-site": [(state_after(with_tokens(sun=1), Hike(0, WILDLIFE)), Trade("water"), "nothing-to-give")],
    "gear-market": [
        (state_after(with_tokens(sun=1), Hike(0, GEAR_SITE)), BuyGear("binoculars-reserve"), "cost"),
        (state_after(with_tokens(sun=3), Hike(0, GEAR_SITE)), BuyGear("sunscreen-photo"), "not-open"),
    ],
    "gear-deck": [(state_after(with_tokens(sun=1), Hike(0, GEAR_SITE)), BuyGear(), "cost")],
    "wildlife-wild": [
        (state_after(with_tokens(sun=2), Hike(0, GEAR_SITE)), BuyGear(wild=1), "cost"),
        (state_after(with_tokens(sun=2), Hike(0, GEAR_SITE)), BuyGear(wild=3), "stand-in"),
        (state_after(with_tokens(sun=2), Hike(0, GEAR_SITE)), BuyGear(wild=-1), "stand-in"),
        (state_after(RICH, Hike(0, PARKS_SITE)), VisitPark("Zion", forest=1), "stand-in"),
        (state_after(RICH, Hike(0, PARKS_SITE)), VisitPark("Zion", mountain=1), "cost"),
    ],
    "die-site": [
        (state_after(START, Hike(0, DIE)), Skip(), "roll-first"),
        (state_after(START, Hike(0, DIE)), Trade("sun"), "finish-first"),
    ],
    "turn-steps": [
        (state_after(RICH, Hike(0, GEAR_SITE)), Roll("forest"), "finish-first"),
        (state_after(RICH, Hike(0, PARKS_SITE)), TakePhoto("sun"), "finish-first"),
    ],
    "parks-action": [(state_after(RICH, Hike(0, PHOTO)), VisitPark("Zion"), "no-parks-action")],
    "components": [
        (state_after(RICH, Hike(0, GEAR_SITE)), BuyGear("binocular"), "no-such-gear"),
        (state_after(RICH, Hike(0, PARKS_SITE)), VisitPark("Zionn"), "no-such-park"),
        (state_after(RICH, Hike(0, PARKS_SITE)), Reserve("Zionn"), "no-such-park"),
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
        (
            state_after(RICH, Hike(0, PHOTO)),
            TakePhoto("wildlife"),
            "You have no Wildlife. Pay for the photo with another Resource.",
        ),
        (
            state_after(with_tokens(sun=1), Hike(0, GEAR_SITE)),
            BuyGear("binoculars-reserve"),
            "You need 1 more Sun.",
        ),
        (state_after(START, Hike(0, DIE)), Skip(), "First roll the Trail Die."),
        (
            state_after(RICH, Hike(0, PARKS_SITE)),
            VisitPark("Zionn"),
            "There is no park called \u201cZionn\u201d. Did you mean \u201cZion\u201d?",
        ),
        (
            state_after(RICH, Hike(0, PARKS_SITE)),
            VisitPark("Redwood"),
            "You need 2 more Forest.",
        ),
        (
            state_after(RICH, Hike(0, PHOTO)),
            Roll("forest"),
            "First gain a canteen or photo, or skip.",
        ),
    ],
)
def test_refusal_text_names_the_missing_part(state, move, sentence):
    assert objection_texts(state, move) == [sentence]


@pytest.mark.parametrize(
    "tokens, payments",
    [
        (token_counts(sun=2), [BuyGear("binoculars-reserve"), BuyGear("journal-water"), BuyGear()]),
        (
            token_counts(sun=1, wildlife=1),
            [BuyGear("binoculars-reserve", 1), BuyGear("journal-water"), BuyGear("journal-water", 1), BuyGear(None, 1)],
        ),
        (token_counts(wildlife=1), [BuyGear("journal-water", 1)]),
    ],
)
def test_all_payments_for_gear_are_offered(tokens, payments):
    assert legal_moves(state_after(with_ana(tokens=tokens), Hike(0, GEAR_SITE)), BuyGear) == payments


def test_unnamed_market_card_is_named_before_it_is_bought():
    state = state_after(with_ana(make_state(market=(None, None, None)), tokens=token_counts(sun=1)), Hike(0, GEAR_SITE))
    assert state.tasks == (DoAction("buy"),) and objection_codes(state, BuyGear("journal-sun")) == ["not-open"]
    assert objection_texts(state, BuyGear("journal-sun")) == [
        "Journal (Sun site) is not in the Gear Market. Enter the cards of the market first."
    ]


def test_market_card_named_by_buying_it_is_paid_as_the_player_chooses():
    state = state_after(
        with_ana(make_state(market=(None, None, None)), tokens=token_counts(sun=1, wildlife=1)), Hike(0, GEAR_SITE)
    )
    wild_counts = [move.wild for move in legal_moves(state, BuyGear) if move.gear == "journal-sun"]
    assert wild_counts == [0, 1]
    assert state_after(state, BuyGear("journal-sun", 1, unnamed=True)) == state_after(
        state, NameGear("journal-sun"), BuyGear("journal-sun", 1)
    )


def test_market_slides_right_and_the_new_card_comes_on_the_left():
    state = state_after(RICH, Hike(0, GEAR_SITE), BuyGear("journal-water"))
    assert state.market == (None, "binoculars-reserve", "field-guide-forest")


def test_taken_canteen_is_replaced_and_one_from_the_stack_leaves_the_display():
    state = make_state(canteens=("parks", "photo", None))
    assert state_after(state, Hike(0, PHOTO), TakeCanteen("photo", 0)).canteens == ("parks", None, None)
    assert state_after(state, Hike(0, PHOTO), TakeCanteen("forest", 0)).canteens == ("parks", "photo", None)
    assert state_after(state, Hike(0, PHOTO), TakeCanteen("photo", 0, stack=True)).canteens == ("parks", "photo", None)


@pytest.mark.parametrize(
    "move, refused_by, rule",
    [
        (TakeCanteen("2 sun", 0), "row-full", "canteen-rows"),
        (TakeCanteen("2 sun", 3), "no-such-row", "canteen-rows"),
        (TakeCanteen("forest", 1), "not-open", "canteen-gain"),
    ],
)
def test_canteen_needs_room_and_must_be_available(move, refused_by, rule):
    state = with_ana(make_state(canteens=("2 sun",) * 3), canteens=(("parks", "photo"), (), ()))
    state = state_after(state, Hike(0, PHOTO))
    assert objection_codes(state, move) == [refused_by] and objection_rules(state, move) == {rule}


def test_seventh_canteen_is_refused():
    state = state_after(with_ana(canteens=(("2 sun", "2 sun"),) * 3, tokens=token_counts(sun=1)), Hike(0, PHOTO))
    assert objection_codes(state, TakeCanteen("2 sun", 0)) == ["canteens-full"]


LIMITED = make_state(rulings={"token-supply": "limited"})
NO_FOREST = with_supply_left((0, 15, 30, 30, 14), LIMITED)
ONE_SUN = with_supply_left((15, 15, 1, 30, 14), LIMITED)
NO_WILDLIFE = with_ana(with_supply_left((15, 15, 30, 30, 0), LIMITED), tokens=token_counts(sun=1))


@run_all_rows(
    "state, moves, expected",
    [
        (NO_FOREST, [Hike(0, FOREST)], {"tokens": token_counts(), "turn": BO}),
        (ONE_SUN, [Hike(0, SUN)], {"tokens": token_counts(sun=1)}),
        (
            with_supply_left((-1, 15, 30, 30, 14), with_changes(LIMITED, has_stand_ins=True)),
            [Hike(0, FOREST)],
            {"tokens": token_counts(), "tray": (-1, 15, 30, 30, 14)},
        ),
        (NO_WILDLIFE, [Hike(0, WILDLIFE)], {"tokens": token_counts(sun=1), "turn": BO}),
        (
            with_supply_left((0, 0, 0, 0, 0), make_state()),
            [Hike(0, FOREST)],
            {"tokens": token_counts(forest=1), "tray": (-1, 0, 0, 0, 0)},
        ),
        (
            with_ana(LIMITED, tokens=token_counts(sun=1), photos=28),
            [Hike(0, 11)],
            {"photos": 28, "tokens": token_counts(sun=1, wildlife=1), "turn": BO},
        ),
        (with_ana(tokens=token_counts(sun=1), photos=28), [Hike(0, 11), TakePhoto("sun")], {"photos": 29}),
    ],
)
def test_supply_that_runs_out_is_missing_or_replaced_by_ruling(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


def test_photo_and_trade_are_refused_when_nothing_is_left():
    photo = with_changes(
        with_ana(LIMITED, tokens=token_counts(sun=1), photos=28), tasks=(DoAction("canteen or photo"),)
    )
    trade = with_changes(NO_WILDLIFE, tasks=(DoAction("trade"),))
    assert objection_codes(photo, TakePhoto("sun")) == ["no-photos"] and objection_rules(photo, TakePhoto("sun")) == {
        "token-supply"
    }
    assert objection_codes(trade, Trade("sun")) == ["tray-empty"] and objection_rules(trade, Trade("sun")) == {
        "token-supply"
    }


@pytest.mark.parametrize("held", [12, 13, 15])
def test_backpack_over_twelve_is_reduced_token_by_token_at_the_end_of_turn(held):
    state = with_ana(make_state(rulings={"backpack": "twelve"}), tokens=token_counts(sun=held - 1))
    state = state_after(state, Hike(0, FOREST), *[ReturnToken("sun")] * (held - 12))
    assert sum(state.players[ANA].tokens) == 12 and state.turn == BO


def test_backpack_has_no_limit_by_default():
    assert state_after(with_ana(tokens=token_counts(sun=40)), Hike(0, FOREST)).turn == BO


def test_parks_action_continues_until_no_park_is_within_reach():
    state = state_after(with_ana(tokens=token_counts(mountain=3)), Hike(0, PARKS_SITE), VisitPark("Zion"))
    assert state.turn == BO
    rich = state_after(with_ana(tokens=token_counts(mountain=4, forest=4)), Hike(0, PARKS_SITE), VisitPark("Zion"))
    assert rich.tasks == (ParksAction(has_visited=True),) and rich.turn == ANA
