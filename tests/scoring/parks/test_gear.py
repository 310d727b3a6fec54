"""PARKS: every gear card has its effect once in a turn, in the order its player chooses."""

import pytest
from msgspec.structs import replace

from scoring.parks.box import EFFECT_TEXTS, GEAR
from scoring.parks.moves.hiking import Hike, Skip, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve
from scoring.parks.moves.reveals import NameGear
from scoring.parks.moves.sites import FillCanteenRow, Roll, TakeCanteen, TakePhoto, Trade
from scoring.parks.state import (
    ActionKind,
    ChooseExtra,
    DoAction,
    Extra,
    NameDrawnGear,
    ParksAction,
    PlaceWater,
    StartHike,
)
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
    END_GEAR,
    END_PARKS,
    END_PHOTO,
    GEAR_SITE,
    PARKS_SITE,
    PHOTO,
    SUN,
    WATER,
    WILDLIFE,
    find_gear,
    legal_moves,
    make_state,
    objection_codes,
    objection_rules,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_tasks,
)

# What triggers each kind of gear: the moves, and Ana's tokens without the gear. She starts with 3 Sun.
SET_OFF = {
    "sun": ([Hike(0, SUN)], token_counts(sun=5)),
    "water": ([Hike(0, WATER)], token_counts(sun=3, water=2)),
    "forest": ([Hike(0, 1)], token_counts(forest=1, sun=3)),
    "mountain": ([Hike(0, 2)], token_counts(mountain=1, sun=3)),
    "trade": ([Hike(0, WILDLIFE), Trade("sun")], token_counts(sun=2, wildlife=1)),
    "photo": ([Hike(0, PHOTO), TakePhoto("sun")], token_counts(sun=2)),
    "reserve": ([Hike(0, PARKS_SITE), Reserve("Zion")], token_counts(sun=3)),
    "die": ([Hike(0, DIE), Roll("wildlife")], token_counts(sun=3, wildlife=1)),
}
ADDS = {
    "forest": token_counts(1),
    "mountain": token_counts(0, 1),
    "wildlife": token_counts(wildlife=1),
    "2 sun": token_counts(sun=2),
    "2 water": token_counts(water=2),
}
ASKS: dict[str, ActionKind] = {"canteen": "canteen", "photo": "photo", "reserve": "reserve", "roll": "roll"}


def with_gear(*cards: str, state=None, **changes):
    return with_ana(state or make_state(), **{"gear": cards, "tokens": token_counts(sun=3), **changes})


def trigger_gear(card: str, **changes):
    """Return the state after a card was triggered, and the tokens without the card."""
    moves, plain = SET_OFF[GEAR[card].when]
    return state_after(with_gear(card, **changes), *moves), plain


def add_tokens(tokens, more):
    return tuple(a + b for a, b in zip(tokens, more, strict=True))


@run_all_rows("card", [id for id, gear in GEAR.items() if gear.effect in ADDS])
def test_gear_that_gives_tokens_gives_them_immediately(card):
    state, plain = trigger_gear(card)
    assert state.players[ANA].tokens == add_tokens(plain, ADDS[GEAR[card].effect])
    assert state.turn == BO


@run_all_rows("card", [id for id, gear in GEAR.items() if "relight" in gear.effect])
def test_gear_that_relights_the_campfire_relights_it(card):
    state, plain = trigger_gear(card)
    suns = token_counts(sun=2) if "2 sun" in GEAR[card].effect else token_counts()
    assert state.players[ANA].campfire and state.players[ANA].tokens == add_tokens(plain, suns)
    assert state.turn == BO


@run_all_rows("card", [id for id, gear in GEAR.items() if gear.effect in ASKS])
def test_gear_that_gives_an_action_asks_for_it(card):
    state, plain = trigger_gear(card)
    assert state.tasks == (DoAction(ASKS[GEAR[card].effect], card),) and state.turn == ANA
    assert state.players[ANA].tokens == plain


def test_every_gear_card_of_the_box_has_a_case():
    ids = {id for id, gear in GEAR.items() if gear.effect in ADDS or gear.effect in ASKS or "relight" in gear.effect}
    assert ids == set(GEAR) and len(GEAR) == 37
    assert {gear.effect for gear in GEAR.values()} == set(EFFECT_TEXTS)


@run_all_rows("card", GEAR)
@run_all_rows("trigger", SET_OFF)
def test_gear_is_triggered_only_at_its_own_time(card, trigger):
    moves, tokens = SET_OFF[trigger]
    state = state_after(with_gear(card), *moves)
    is_idle = (
        select_fields(state, {"tokens": 0, "campfire": 0}) == {"tokens": tokens, "campfire": False} and state.turn == BO
    )
    assert is_idle == (GEAR[card].when != trigger)


CHAINS = [
    # Reserving with a Journal triggers Binoculars and the Camp Mug.
    (
        ("journal-sun", "binoculars-reserve", "camp-mug-reserve"),
        [Hike(0, SUN), Reserve("Zion"), TakeCanteen("parks", 0)],
        {"tokens": token_counts(mountain=1, sun=5), "reserve": ("Zion",), "canteens": (("parks",), (), ()), "turn": BO},
    ),
    # A trade triggers a photo, the photo a roll, the roll a reserved park, and that a Forest.
    (
        ("telephoto-lens-trade", "mystery-cache-photo", "compass-die", "hiking-boots-reserve"),
        [Hike(0, WILDLIFE), Trade("sun"), TakePhoto("sun"), Roll("mountain"), Reserve(deck=True)],
        {"tokens": token_counts(1, 1, 1, 0, 1), "photos": 1, "reserve": (None,), "turn": BO},
    ),
    # The Mystery Cache for die rolls adds only one roll.
    (
        ("mystery-cache-die",),
        [Hike(0, DIE), Roll("forest"), Roll("forest")],
        {"tokens": token_counts(2, 0, 3), "turn": BO},
    ),
    # A photo by the Wide Angle Lens triggers Sunscreen.
    (
        ("wide-angle-lens-sun", "sunscreen-photo"),
        [Hike(0, SUN), TakePhoto("sun")],
        {"tokens": token_counts(sun=6), "photos": 1},
    ),
]


@run_all_rows("cards, moves, expected", CHAINS)
def test_effect_of_gear_can_trigger_other_gear(cards, moves, expected):
    assert select_fields(state_after(with_gear(*cards), *moves), expected) == expected


def test_gear_is_used_once_in_a_turn_and_again_in_the_next():
    cards = ("journal-sun", "compass-die", "binoculars-reserve", "mystery-cache-die")
    state = state_after(with_gear("binoculars-reserve", "journal-sun"), Hike(0, SUN), Reserve("Zion"))
    assert state.players[ANA].tokens == token_counts(mountain=1, sun=5)
    state = state_after(
        with_gear(*cards),
        Hike(0, DIE),
        Roll("wildlife"),
        UseExtra("reserve", "compass-die"),
        Reserve("Zion"),
        Roll("wildlife"),
    )
    assert state.players[ANA].tokens == token_counts(mountain=1, sun=3, wildlife=2) and state.turn == BO
    reserved = state_after(state, Hike(0, 2), Hike(0, PARKS_SITE), Reserve("Redwood"))
    assert reserved.players[ANA].tokens == token_counts(mountain=2, sun=3, wildlife=2)


def test_two_cards_of_a_kind_are_both_used():
    assert state_after(with_gear("field-guide-sun", "field-guide-sun"), Hike(0, SUN)).players[
        ANA
    ].tokens == token_counts(sun=5, wildlife=2)


TWO = with_gear("journal-sun", "wide-angle-lens-sun")
RESERVE, SNAP = Extra("reserve", "journal-sun"), Extra("photo", "wide-angle-lens-sun")


def test_gear_is_used_in_the_order_its_player_chooses():
    state = state_after(TWO, Hike(0, SUN))
    assert state.tasks == (ChooseExtra((RESERVE, SNAP)),)
    photo_first = state_after(state, UseExtra("photo", "wide-angle-lens-sun"), TakePhoto("sun"), Reserve("Zion"))
    reserve_first = state_after(state, UseExtra("reserve", "journal-sun"), Reserve("Zion"), TakePhoto("sun"))
    assert photo_first.players == reserve_first.players and photo_first.turn == reserve_first.turn == BO


def test_gear_may_be_skipped():
    state = state_after(TWO, Hike(0, SUN))
    assert state_after(state, Skip()).players[ANA].reserve == () and state_after(state, Skip()).turn == BO
    assert (
        state_after(state, UseExtra("photo", "wide-angle-lens-sun"), Skip(), Reserve("Zion")).players[ANA].photos == 0
    )


def test_only_triggered_gear_can_be_chosen():
    state = state_after(TWO, Hike(0, SUN))
    assert objection_codes(state, UseExtra("roll")) == ["not-gained"] and objection_rules(state, UseExtra("roll")) == {
        "gear-once"
    }
    assert objection_codes(state, UseExtra("photo", "journal-sun")) == ["not-gained"]
    assert objection_codes(state, Reserve("Zion")) == ["finish-first"]


def test_gear_without_a_possible_effect_is_skipped():
    full = (("2 sun", "2 sun"),) * 3
    assert state_after(with_gear("camp-mug-reserve", canteens=full), Hike(0, PARKS_SITE), Reserve("Zion")).turn == BO
    reserve_full = with_ana(
        make_state(rulings={"reserve-limit": "three"}), reserve=(None, None, None), gear=("journal-sun",)
    )
    assert state_after(reserve_full, Hike(0, SUN)).turn == BO


def test_gear_comes_after_the_action_of_the_site():
    state = state_after(with_gear("telephoto-lens-die"), Hike(0, DIE))
    assert state.tasks == (DoAction("roll"),)
    state = state_after(with_gear("journal-water", canteens=(("photo",), (), ())), Hike(0, WATER), FillCanteenRow(0))
    assert state.tasks[-1] == DoAction("photo") and state.triggered_extras == (Extra("reserve", "journal-water"),)


def test_water_waits_for_a_canteen_from_other_gear():
    state = state_after(with_gear("camp-mug-trade", "rain-gear-trade"), Hike(0, WILDLIFE), Trade("sun"))
    assert state.tasks == (ChooseExtra((Extra("canteen", "camp-mug-trade"), Extra("2 water", "rain-gear-trade"))),)
    state = state_after(state, UseExtra("canteen", "camp-mug-trade"), TakeCanteen("forest", 0), FillCanteenRow(0))
    assert select_fields(state, {"tokens": 0, "turn": 0}) == {
        "tokens": token_counts(forest=1, sun=2, water=1, wildlife=1),
        "turn": BO,
    }


def test_water_may_be_chosen_first_and_survives_skipping_the_rest():
    state = state_after(with_gear("camp-mug-trade", "rain-gear-trade"), Hike(0, WILDLIFE), Trade("sun"))
    first = state_after(state, UseExtra("2 water", "rain-gear-trade"))
    assert first.players[ANA].tokens == token_counts(sun=2, water=2, wildlife=1) and first.tasks == (
        DoAction("canteen", "camp-mug-trade"),
    )
    assert state_after(state, Skip()).players[ANA].tokens == token_counts(sun=2, water=2, wildlife=1)


def test_impossible_gear_waits_for_tokens_from_other_gear():
    cards = ("mystery-cache-die", "telephoto-lens-die")
    state = state_after(with_gear(*cards, tokens=token_counts()), Hike(0, DIE), Roll("canteen"), Skip(), Roll("2 sun"))
    assert state.tasks == (DoAction("photo", "telephoto-lens-die"),)
    idle = state_after(
        with_gear(*cards, tokens=token_counts()), Hike(0, DIE), Roll("canteen"), Skip(), Roll("canteen"), Skip()
    )
    assert idle.turn == BO


def test_impossible_gear_is_refused_while_other_gear_is_possible():
    cards = ("mystery-cache-die", "telephoto-lens-die", "compass-die")
    state = state_after(with_gear(*cards, tokens=token_counts()), Hike(0, DIE), Roll("canteen"), Skip())
    assert objection_codes(state, UseExtra("photo", "telephoto-lens-die")) == ["not-yet"]
    assert objection_rules(state, UseExtra("photo", "telephoto-lens-die")) == {"gear-waits"}


def test_canteen_row_waits_for_what_gear_gives():
    changes = {"canteens": (("photo", "parks"), (), ()), "tokens": token_counts()}
    state = state_after(with_gear("hiking-boots-reserve", **changes), Hike(0, WATER), FillCanteenRow(0))
    assert state.players[ANA].tokens == token_counts(water=1)
    broke = state_after(
        with_tasks(PlaceWater(1), gear=("hiking-boots-reserve",), canteens=changes["canteens"]),
        FillCanteenRow(0),
        Reserve("Zion"),
    )
    assert broke.tasks == (DoAction("photo"),) and broke.players[ANA].tokens == token_counts(forest=1)


def test_gear_does_not_pay_for_the_action_that_triggers_it():
    state = state_after(
        with_gear("sunscreen-photo", state=make_state(badge=ANA), tokens=token_counts(sun=1)),
        Hike(0, PHOTO),
        TakePhoto("sun"),
    )
    assert select_fields(state, {"photos": 0, "tokens": 0, "turn": 0}) == {
        "photos": 1,
        "tokens": token_counts(sun=2),
        "turn": BO,
    }


def test_bought_gear_can_be_used_for_the_rest_of_the_turn():
    state = with_gear(state=with_changes(make_state(), BO, hikers=(11, 11)), tokens=token_counts(sun=4))
    state = state_after(state, Hike(0, END_GEAR), BuyGear("binoculars-reserve"), Hike(0, END_PARKS), Reserve("Zion"))
    assert state.players[ANA].tokens == token_counts(mountain=1, sun=3)


@run_all_rows("card", GEAR)
def test_any_gear_card_may_come_from_the_deck(card):
    state = state_after(with_gear(), Hike(0, GEAR_SITE), BuyGear())
    assert state.tasks == (NameDrawnGear(),)
    state = state_after(state, DrawGear(card))
    assert state.players[ANA].gear == (card,) and state.players[ANA].bought == 1 and state.market == make_state().market


def test_unknown_gear_cannot_be_drawn():
    state = state_after(with_gear(), Hike(0, GEAR_SITE), BuyGear())
    assert objection_codes(state, DrawGear("kite")) == ["no-such-gear"]
    assert objection_codes(state, Skip()) == ["finish-first"]


def test_water_from_gear_may_fill_a_canteen():
    state = state_after(
        with_gear("rain-gear-photo", canteens=(("forest",), (), ())),
        Hike(0, PHOTO),
        TakePhoto("sun"),
        FillCanteenRow(0),
    )
    assert state.players[ANA].tokens == token_counts(forest=1, sun=2, water=1)


def test_gear_names_find_their_cards():
    assert find_gear("Sleeping Bag", "forest") == "sleeping-bag-forest"
    assert GEAR["binoculars-sun"].title == "Binoculars (Sun site)"
    assert len({gear.title for gear in GEAR.values()}) == len(GEAR)


def test_both_hikers_of_the_last_player_share_one_use_of_gear():
    state = with_gear(
        "sunscreen-photo",
        state=with_changes(with_changes(make_state(), end_spaces_used=(True,) * 3), BO, hikers=(11, 12)),
    )
    state = state_after(state, Hike(0, END_PHOTO), TakePhoto("sun"))
    assert state.tasks == (StartHike(),) and state.players[ANA].tokens == token_counts(sun=4)
    assert state_after(state, Hike(0, END_PHOTO), TakePhoto("sun")).players[ANA].tokens == token_counts(sun=3)


def test_reserve_from_gear_allows_only_reserving():
    state = state_after(with_gear("journal-sun", tokens=token_counts(mountain=3)), Hike(0, SUN))
    assert state.tasks == (DoAction("reserve", "journal-sun"),) and ParksAction() not in state.tasks


@pytest.mark.parametrize("used, works", [(0, 2), (1, 1), (2, 0)])
def test_each_of_two_copies_of_a_card_is_used_once_in_a_turn(used: int, works: int):
    """A copy may be added after one was used: by a correction, or with two boxes."""
    card = next(id for id, gear in GEAR.items() if gear.when in ("forest", "mountain") and gear.effect in ADDS)
    before = replace(with_gear(card, card), used_gear=(card,) * used)
    (hike, *_), plain = SET_OFF[GEAR[card].when]
    tokens = state_after(before, hike).players[ANA].tokens
    assert tokens == tuple(number + works * added for number, added in zip(plain, ADDS[GEAR[card].effect], strict=True))


def test_market_gear_is_named_by_buying_it():
    state = with_changes(with_tasks(DoAction("buy"), tokens=token_counts(sun=2)), market=(None, "journal-water", None))
    bought = state_after(state, BuyGear("compass-die", unnamed=True))
    assert bought == state_after(state, NameGear("compass-die"), BuyGear("compass-die"))
    assert bought.players[ANA].gear == ("compass-die",) and bought.market == (None, "journal-water", None)
    assert objection_codes(state, BuyGear("kite", unnamed=True)) == ["no-such-gear"]
    assert objection_codes(state, BuyGear("field-guide-sun", unnamed=True)) == ["cost"]
    named = with_tasks(DoAction("buy"), tokens=token_counts(sun=2))
    assert objection_codes(named, BuyGear("compass-die", unnamed=True)) == ["no-such-card"]
    assert not [move for move in legal_moves(named, BuyGear) if move.unnamed]
