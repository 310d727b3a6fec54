"""PARKS: cases of rules that the other modules do not cover."""

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.errors import IllegalMoveError
from scoring.parks.box import CustomCards, CustomGear, CustomPark
from scoring.parks.moves.hiking import Hike, ReturnToken, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.sites import FillCanteenRow, Roll, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.rules import END_TWICE
from scoring.parks.state import (
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    LayTrail,
    ParksAction,
    PlaceWater,
    RollForShutterbug,
    SecondPhoto,
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
    FOREST,
    GEAR_SITE,
    MOUNTAIN,
    NAMES,
    PARKS_SITE,
    PHOTO,
    SUN,
    TRACKED_GAME,
    WATER,
    WILDLIFE,
    case_params,
    legal_moves,
    make_state,
    ready_setup,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_supply_left,
)

RICH = token_counts(3, 3, 3, 3, 3)
ALWAYS = {"passion-once": "always"}
LIMITED = make_state(rulings={"token-supply": "limited"})
FULL = (("2 sun", "2 sun"),) * 3
ONE_FILLED = (True, False, False)


def state_with_gear(*cards, **changes):
    return with_ana(**{"gear": cards, "tokens": token_counts(sun=3), **changes})


def state_with_others_done(state=None, **changes):
    """Return Ana with both hikers on the Trail; the others are at its end, with no first visits."""
    state = with_changes(state or make_state(), BO, hikers=(END_GEAR, END_GEAR))
    return with_ana(with_changes(state, end_spaces_used=(True,) * 3), **{"tokens": RICH, **changes})


def state_with_passion(passion, side="gear", rulings=None, **changes):
    return with_ana(make_state(rulings=rulings), **{"passion": passion, "side": side, "tokens": RICH, **changes})


def state_before_season_end(season=0, **changes):
    """Return Ana one step before the end of a season in which no one gets a bonus."""
    tile = ("spring-sun", "summer-instants", "fall-sun")[season]
    state = make_state(tile=tile, season=season, **changes)
    return with_ana(with_changes(state, BO, hikers=(END_GEAR, END_GEAR), campfire=False), hikers=(9, END_GEAR))


END = Hike(9, END_GEAR)
CUSTOM_CARDS = CustomCards(
    parks=(CustomPark("Garden", 3, sun=1, instant="roll"),), gear=(CustomGear("Kite", 0, "die", "2 sun"),)
)
NEXT = state_after(state_before_season_end(), END)
TWO_AT_SUN = state_after(state_with_gear("journal-sun", "wide-angle-lens-sun"), Hike(0, SUN))

# (state, moves, expected values, seat they belong to if not Ana)
OUTCOMES = {
    "seasons": [
        (state_before_season_end(0), [END], {"season": 1, "is_over": False}),
        (state_before_season_end(1), [END], {"season": 2, "is_over": False}),
        (state_before_season_end(2), [END], {"season": 2, "is_over": True}),
    ],
    "season-over": [
        (state_before_season_end(), [END], {"season": 1}),
        (
            with_ana(with_changes(state_before_season_end(), BO, hikers=(9, END_GEAR)), hikers=(8, END_GEAR)),
            [Hike(8, END_GEAR)],
            {"season": 0, "turn": BO},
        ),
    ],
    "home-made": [
        (
            with_changes(make_state(facts=CUSTOM_CARDS), ANA, tokens=RICH),
            [Hike(0, DIE), Roll("forest")],
            {"tokens": token_counts(4, 3, 3, 3, 3)},
        ),
        (
            with_changes(make_state(facts=CUSTOM_CARDS), ANA, tokens=RICH, gear=("Kite",)),
            [Hike(0, DIE), Roll("forest")],
            {"tokens": token_counts(4, 3, 5, 3, 3)},
        ),
        (
            with_changes(make_state(facts=CUSTOM_CARDS, parks=("Garden",)), ANA, tokens=token_counts(sun=1)),
            [Hike(0, PARKS_SITE), VisitPark("Garden"), Roll("forest")],
            {"visited": ("Garden",), "tokens": token_counts(forest=1)},
        ),
    ],
    "wildlife-no-canteen": [
        (
            with_ana(canteens=(("forest",), (), ())),
            [Hike(0, DIE), Roll("wildlife")],
            {"tokens": token_counts(wildlife=1), "turn": BO},
        ),
    ],
    "pay-back": [
        (
            with_ana(tokens=token_counts(mountain=3)),
            [Hike(0, PARKS_SITE), VisitPark("Zion")],
            {"tokens": token_counts(), "tray": (15, 15, 30, 30, 14)},
        ),
        (with_ana(tokens=token_counts(sun=1)), [Hike(0, PHOTO), TakePhoto("sun")], {"tray": (15, 15, 30, 30, 14)}),
    ],
    "token-supply": [
        (
            with_supply_left((0, 15, 30, 30, 14), make_state()),
            [Hike(0, FOREST)],
            {"tokens": token_counts(forest=1), "tray": (-1, 15, 30, 30, 14)},
        ),
        (
            with_supply_left((0, 15, 30, 30, 14), LIMITED),
            [Hike(0, FOREST)],
            {"tokens": token_counts(), "tray": (0, 15, 30, 30, 14)},
        ),
    ],
    "backpack": [
        (with_ana(tokens=token_counts(sun=40)), [Hike(0, FOREST)], {"tokens": token_counts(1, 0, 40), "turn": BO}),
        (
            with_ana(make_state(rulings={"backpack": "twelve"}), tokens=token_counts(sun=12)),
            [Hike(0, FOREST), ReturnToken("sun")],
            {"tokens": token_counts(1, 0, 11), "turn": BO},
        ),
    ],
    "setup-shutterbug": [
        (
            state_after(NEXT, *map(LayTile, ("gear", "die", "photo", "wildlife", "water", "sun", "mountain"))),
            [PlaceShutterbug("forest")],
            {"shutterbug": "forest", "tasks": (StartHike(),)},
        ),
    ],
    "shutterbug-faces": [
        (
            with_changes(make_state(), shutterbug=None, tasks=(StartHike(), RollForShutterbug())),
            [PlaceShutterbug(face)],
            {"shutterbug": site},
        )
        for face, site in (
            ("forest", "forest"),
            ("mountain", "mountain"),
            ("2 sun", "sun"),
            ("2 water", "water"),
            ("wildlife", "wildlife"),
            ("canteen", "photo"),
        )
    ],
    "first-hiker-starts": [
        (state_before_season_end(first_hiker=BO), [END], {"season": 1, "turn": BO}),
        (state_before_season_end(first_hiker=ANA), [END], {"season": 1, "turn": ANA}),
    ],
    "action-optional": [
        (with_ana(tokens=RICH), [Hike(0, WILDLIFE), Skip()], {"tokens": RICH, "turn": BO}),
        (with_ana(tokens=RICH), [Hike(0, GEAR_SITE), Skip()], {"tokens": RICH, "gear": (), "turn": BO}),
        (
            with_ana(tokens=RICH),
            [Hike(0, PARKS_SITE), Skip()],
            {"tokens": RICH, "reserve": (), "visited": (), "turn": BO},
        ),
    ],
    "park-instant": [
        (
            with_ana(make_state(parks=("Dry Tortugas",)), tokens=token_counts(water=3)),
            [Hike(0, PARKS_SITE), VisitPark("Dry Tortugas")],
            {"tokens": token_counts(sun=2)},
        ),
    ],
    "instant-tokens": [
        (
            with_ana(make_state(parks=("Isle Royale",)), tokens=RICH),
            [Hike(0, PARKS_SITE), VisitPark("Isle Royale")],
            {"tasks": (ParksAction(True), DoAction("canteen"))},
        ),
        (
            with_ana(make_state(parks=("Shenandoah",)), tokens=RICH),
            [Hike(0, PARKS_SITE), VisitPark("Shenandoah")],
            {"badge": ANA},
        ),
        (
            with_ana(make_state(parks=("Olympic",)), tokens=RICH),
            [Hike(0, PARKS_SITE), VisitPark("Olympic")],
            {"tasks": (ParksAction(True), DoAction("roll"))},
        ),
    ],
    "badge-between": [
        (state_before_season_end(badge=BO), [END], {"badge": BO}),
        (state_before_season_end(badge=BO, rulings={"badge-between": "returns"}), [END], {"badge": None}),
    ],
    "canteen-gain": [
        (
            make_state(canteens=("parks", "photo", None)),
            [Hike(0, PHOTO), TakeCanteen("photo", 0)],
            {"canteens": (("photo",), (), ())},
        ),
        (
            make_state(canteens=("parks", "photo", None)),
            [Hike(0, PHOTO), TakeCanteen("forest", 0, stack=True)],
            {"canteens": (("forest",), (), ())},
        ),
    ],
    "canteen-full": [(with_ana(canteens=FULL), [Hike(0, DIE), Roll("canteen")], {"canteens": FULL, "turn": BO})],
    "water-together": [
        (
            with_ana(canteens=(("parks",), ("photo",), ()), tokens=RICH),
            [Hike(0, WATER), FillCanteenRow(0)],
            {"tasks": (ParksAction(), PlaceWater(1))},
        ),
        (
            with_ana(canteens=(("parks",), ("photo",), ()), tokens=RICH),
            [Hike(0, WATER), FillCanteenRow(0), FillCanteenRow(1)],
            {"tasks": (ParksAction(), DoAction("photo"))},
        ),
    ],
    "gear-slides": [
        (
            with_ana(tokens=RICH),
            [Hike(0, GEAR_SITE), BuyGear("journal-water")],
            {"market": (None, "binoculars-reserve", "field-guide-forest")},
        ),
        (
            with_ana(tokens=RICH),
            [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")],
            {"market": make_state().market},
        ),
    ],
    "gear-once": [
        (
            state_with_gear("journal-sun", "binoculars-reserve"),
            [Hike(0, SUN), Reserve("Zion"), Hike(0, FOREST), Hike(SUN, PARKS_SITE), Reserve("Redwood")],
            {"tokens": token_counts(0, 2, 5), "reserve": ("Zion", "Redwood")},
        ),
        (
            state_with_gear("mystery-cache-die", "binoculars-reserve", "compass-die"),
            [Hike(0, DIE), Roll("wildlife"), UseExtra("reserve", "compass-die"), Reserve("Zion"), Roll("wildlife")],
            {"tokens": token_counts(0, 1, 3, 0, 2), "turn": BO},
        ),
    ],
    "gear-order": [
        (
            state_with_gear("journal-sun", "wide-angle-lens-sun"),
            [Hike(0, SUN)],
            {"tasks": (ChooseExtra((Extra("reserve", "journal-sun"), Extra("photo", "wide-angle-lens-sun"))),)},
        ),
        (
            TWO_AT_SUN,
            [UseExtra("photo", "wide-angle-lens-sun"), TakePhoto("sun"), Reserve("Zion")],
            {"photos": 1, "reserve": ("Zion",)},
        ),
        (
            TWO_AT_SUN,
            [UseExtra("reserve", "journal-sun"), Reserve("Zion"), TakePhoto("sun")],
            {"photos": 1, "reserve": ("Zion",)},
        ),
        (TWO_AT_SUN, [Skip()], {"photos": 0, "reserve": (), "turn": BO}),
    ],
    "gear-chain": [
        (
            state_with_gear("journal-sun", "binoculars-reserve", "camp-mug-reserve"),
            [Hike(0, SUN), Reserve("Zion"), TakeCanteen("parks", 0)],
            {"tokens": token_counts(mountain=1, sun=5), "canteens": (("parks",), (), ()), "turn": BO},
        ),
    ],
    "gear-waits": [
        (
            with_changes(state_with_gear("sunscreen-photo", tokens=token_counts(sun=1)), badge=ANA),
            [Hike(0, PHOTO), TakePhoto("sun")],
            {"photos": 1, "tokens": token_counts(sun=2), "turn": BO},
        ),
        (
            state_with_gear("mystery-cache-die", "telephoto-lens-die", tokens=token_counts()),
            [Hike(0, DIE), Roll("canteen"), Skip(), Roll("2 sun")],
            {"tasks": (DoAction("photo", "telephoto-lens-die"),)},
        ),
    ],
    "gear-kinds": [
        (
            state_with_gear("sleeping-bag-forest"),
            [Hike(0, FOREST)],
            {"tokens": token_counts(1, 0, 5), "campfire": True},
        ),
        (state_with_gear("binoculars-mountain"), [Hike(0, MOUNTAIN)], {"tokens": token_counts(0, 2, 3)}),
        (
            state_with_gear("rain-gear-trade"),
            [Hike(0, WILDLIFE), Trade("sun")],
            {"tokens": token_counts(0, 0, 2, 2, 1)},
        ),
        (state_with_gear("sunscreen-photo"), [Hike(0, PHOTO), TakePhoto("sun")], {"tokens": token_counts(sun=4)}),
        (
            state_with_gear("compass-die"),
            [Hike(0, DIE), Roll("forest")],
            {"tasks": (DoAction("reserve", "compass-die"),)},
        ),
        (state_with_gear("rain-gear-trade"), [Hike(0, PHOTO), TakePhoto("sun")], {"tokens": token_counts(sun=2)}),
    ],
    "extra-roll": [
        (
            state_with_gear("mystery-cache-die"),
            [Hike(0, DIE), Roll("forest"), Roll("forest")],
            {"tokens": token_counts(2, 0, 3), "turn": BO},
        ),
    ],
    "die-faces": [
        (make_state(), [Hike(0, DIE), Roll(face)], expected)
        for face, expected in (
            ("forest", {"tokens": token_counts(1)}),
            ("mountain", {"tokens": token_counts(0, 1)}),
            ("2 sun", {"tokens": token_counts(sun=2)}),
            ("2 water", {"tokens": token_counts(water=2)}),
            ("wildlife", {"tokens": token_counts(wildlife=1)}),
            ("canteen", {"tokens": token_counts(), "tasks": (DoAction("canteen"),)}),
        )
    ],
    "passion-goal": [
        (state_with_passion("Wildlife", None), [Hike(0, PHOTO), TakePhoto("sun")], {"turn": BO, "side": None}),
        (
            state_with_passion("Wildlife", None),
            [Hike(0, PHOTO), TakePhoto("wildlife")],
            {"turn": ANA, "tasks": (SecondPhoto(), ChooseSide())},
        ),
        # Only in the player's own turn.
        (with_changes(make_state(), BO, passion="Wildlife", wild_photos=1), [], {"tasks": (StartHike(),)}),
        (
            with_changes(make_state(), BO, passion="Wildlife", wild_photos=1),
            [Hike(0, FOREST)],
            {"tasks": (StartHike(), ChooseSide())},
        ),
    ],
    "passion-side": [
        (
            state_with_passion("Wildlife", None, wild_photos=1),
            [TakeSide("end")],
            {"side": "end", "tasks": (StartHike(),)},
        ),
        (
            state_with_passion("Wildlife", None, wild_photos=1),
            [TakeSide("gear")],
            {"side": "gear", "tasks": (StartHike(),)},
        ),
        (state_with_passion("Wildlife"), [Hike(0, PHOTO), TakePhoto("wildlife")], {"photos": 2}),
        (state_with_passion("Wildlife", "end"), [Hike(0, PHOTO), TakePhoto("wildlife")], {"photos": 1}),
    ],
    "passion-same-turn": [
        (
            state_with_passion(
                "Birdwatching", None, reserve=("Arches", "Saguaro", "White Sands"), tokens=token_counts(9, 9, 9, 9, 9)
            ),
            [
                Hike(0, PARKS_SITE),
                VisitPark("Arches"),
                VisitPark("Saguaro"),
                TakeSide("gear"),
                VisitPark("White Sands"),
            ],
            {"tokens": token_counts(8, 8, 5, 9, 8)},
        ),
    ],
    "passion-less": [
        (
            state_with_passion(passion, reserve=(park,), tokens=token_counts(4, 4, 4, 4)),
            [Hike(0, PARKS_SITE), VisitPark(park)],
            {"tokens": tokens},
        )
        for passion, park, tokens in (
            ("Birdwatching", "Arches", token_counts(4, 3, 3, 4)),
            ("Kayaking", "Everglades", token_counts(4, 4, 4, 1)),
            ("Forestry", "Congaree", token_counts(3, 4, 4, 4)),
            ("Mountaineering", "Pinnacles", token_counts(4, 2, 3, 4)),
        )
    ],
    "passion-swap": [
        (state_with_passion("Botany"), [Hike(0, FOREST), SwapToken()], {"tokens": token_counts(3, 3, 3, 3, 4)}),
        (
            state_with_passion("Rock Climbing"),
            [Hike(0, MOUNTAIN), SwapToken()],
            {"tokens": token_counts(3, 3, 3, 3, 4)},
        ),
        (state_with_passion("Botany"), [Hike(0, FOREST), Skip()], {"tokens": token_counts(4, 3, 3, 3, 3), "turn": BO}),
        (state_with_passion("Botany"), [Hike(0, MOUNTAIN)], {"tokens": token_counts(3, 4, 3, 3, 3), "turn": BO}),
    ],
    "passion-roll": [
        (
            state_with_passion("Adventure", reserve=("Voyageurs",)),
            [Hike(0, PARKS_SITE), VisitPark("Voyageurs")],
            {"tasks": (ParksAction(True), DoAction("roll"))},
        ),
        (
            state_with_passion("Adventure", reserve=("Congaree",)),
            [Hike(0, PARKS_SITE), VisitPark("Congaree")],
            {"is_passion_used": False},
        ),
        (
            state_with_passion("Swimming", canteens=(("2 sun",), (), ())),
            [Hike(0, WATER), FillCanteenRow(0)],
            {"tasks": (DoAction("roll"),)},
        ),
    ],
    "passion-photos": [
        (
            state_with_passion("Wildlife"),
            [Hike(0, PHOTO), TakePhoto("wildlife")],
            {"photos": 2, "tokens": token_counts(3, 3, 3, 3, 2)},
        ),
        (state_with_passion("Wildlife"), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1}),
    ],
    "passion-once": [
        (
            state_with_passion("Forestry", rulings=rulings, reserve=("Congaree", "Sequoia"), tokens=token_counts(9)),
            [Hike(0, PARKS_SITE), VisitPark("Congaree"), VisitPark("Sequoia")],
            {"tokens": token_counts(forests)},
        )
        for rulings, forests in ((None, 4), (ALWAYS, 5))
    ],
    "passion-free-gear": [
        (
            state_with_passion("Collecting"),
            [Hike(0, GEAR_SITE), BuyGear("field-guide-forest")],
            {"tokens": RICH, "gear": ("field-guide-forest",)},
        ),
        (state_with_passion("Collecting"), [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")], {"tokens": RICH}),
        (
            state_with_passion("Collecting", rulings={"free-gear": "market"}),
            [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")],
            {"tokens": token_counts(3, 3, 1, 3, 3)},
        ),
    ],
    "passion-kept": [
        # In the last turn two cards can be bought: either can be the free one.
        (
            state_with_others_done(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water"), Hike(0, END_GEAR), BuyGear("field-guide-forest")],
            {"tokens": token_counts(3, 3, 0, 3, 3)},
        ),
        (
            state_with_others_done(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water", keep=True), Hike(0, END_GEAR), BuyGear("field-guide-forest")],
            {"tokens": token_counts(3, 3, 2, 3, 3), "gear": ("journal-water", "field-guide-forest")},
        ),
        (
            state_with_others_done(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water", 1, keep=True), Hike(0, END_PARKS), Skip()],
            {"tokens": token_counts(3, 3, 3, 3, 2), "gear": ("journal-water",)},
        ),
    ],
    "end-crowd": [
        (
            with_changes(make_state(), BO, hikers=(END_GEAR, END_GEAR)),
            [Hike(0, END_GEAR)],
            {"hikers": (0, END_GEAR), "campfire": False},
        ),
    ],
    "end-photo-twice": [
        # Both hikers of the last player on the Trail go to the Photo space in one turn, with the badge.
        (
            state_with_others_done(with_changes(make_state(), badge=ANA)),
            [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 2, Hike(0, END_PHOTO), TakePhoto("sun")],
            {"photos": 3},
        ),
        (
            state_with_others_done(make_state(rulings={"end-photo-twice": "three"}, badge=ANA)),
            [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 3, Hike(0, END_PHOTO), *[TakePhoto("water")] * 2],
            {"photos": 5},
        ),
    ],
    "season-kinds": [
        (
            with_changes(state_before_season_end(), ANA, hikers=(9, END_GEAR), tokens=token_counts(sun=1)),
            [END, Skip(), DrawGear("compass-die")],
            {"gear": ("compass-die",)},
        ),
        (
            with_changes(
                with_changes(state_before_season_end(), tile="spring-mountain"),
                ANA,
                hikers=(9, END_GEAR),
                tokens=token_counts(mountain=1),
            ),
            [END],
            {"photos": 1, "season": 1},
        ),
        (
            with_changes(
                with_changes(state_before_season_end(1), tile="summer-canteens"), ANA, canteens=(("photo",), (), ())
            ),
            [END, Roll("forest"), Roll("forest")],
            {"tokens": token_counts(2), "season": 2},
        ),
    ],
    "season-none": [(state_before_season_end(), [END], {"awards": None, "season": 1, "gear": ()})],
    "summer-counts": [
        (
            with_changes(
                with_changes(state_before_season_end(1), tile="summer-wildlife"), ANA, tokens=token_counts(wildlife=1)
            ),
            [END, Skip()],
            {"awards": (ANA,)},
        ),
        (
            with_changes(with_changes(state_before_season_end(1), tile="summer-wildlife"), ANA, visited=("Katmai",)),
            [END],
            {"awards": None, "season": 2},
        ),
        (
            with_changes(
                with_changes(state_before_season_end(1, rulings={"summer-counts": "parks"}), tile="summer-wildlife"),
                ANA,
                visited=("Katmai",),
            ),
            [END],
            {"awards": (ANA,)},
        ),
        (
            with_changes(
                with_changes(state_before_season_end(1, rulings={"summer-counts": "parks"}), tile="summer-wildlife"),
                ANA,
                tokens=token_counts(wildlife=1),
            ),
            [END, Skip()],
            {"awards": None, "season": 2},
        ),
    ],
    "canteens-emptied": [
        (
            with_changes(state_before_season_end(), BO, canteens=(("2 sun",), (), ()), filled=ONE_FILLED),
            [END],
            {"canteens": (("2 sun",), (), ()), "filled": (False,) * 3, "tray": (15, 15, 26, 26, 14)},
            BO,
        ),
    ],
    "campfire-relit": [
        (state_before_season_end(), [END], {"campfire": True}),
        (state_before_season_end(), [END], {"campfire": True}, BO),
    ],
    "hikers-return": [
        (state_before_season_end(), [END], {"hikers": (0, 0)}),
        (state_before_season_end(), [END], {"hikers": (0, 0)}, BO),
    ],
    "weather-left": [
        (
            state_before_season_end(weather=("", "sun", "", "water", "", "", "", "", "")),
            [END],
            {"weather": ("", *("sun", "water") * 4), "tray": (15, 15, 26, 26, 14)},
        ),
    ],
    "gear-discard": [(state_before_season_end(), [END], {"market": (None, "binoculars-reserve", "journal-water")})],
    "setup-weather": [(state_before_season_end(), [END], {"weather": ("", *("sun", "water") * 4)})],
    "parks-site": [
        (state_before_season_end(), [END], {"sites": (None, None, None, None, "parks", None, None, None, None)})
    ],
    "trail-again": [(state_before_season_end(), [END], {"tasks": (StartHike(), RollForShutterbug(), LayTrail())})],
}


@run_all_rows("row", case_params({rule: [(case,) for case in rows] for rule, rows in OUTCOMES.items()}))
def test_rule_case_has_its_outcome(row):
    state, moves, expected, *owner = row
    assert select_fields(state_after(state, *moves), expected, *(owner or [ANA])) == expected


DEFAULT_SETUP = ready_setup(*NAMES[:3])
TOKENS = replace(DEFAULT_SETUP.players[0], tokens=token_counts(1, 2, 3, 4, 5), canteen="parks")
BEGINS = {
    "start-tokens": [
        (DEFAULT_SETUP, {"tokens": token_counts(), "canteens": ((), (), ())}),
        (
            replace(DEFAULT_SETUP, players=(TOKENS, *DEFAULT_SETUP.players[1:])),
            {"tokens": token_counts(1, 2, 3, 4, 5), "canteens": (("parks",), (), ())},
        ),
    ],
    "setup-weather": [(DEFAULT_SETUP, {"weather": ("", *("sun", "water") * 4), "tray": (15, 15, 26, 26, 14)})],
    "weather-start": [
        (replace(DEFAULT_SETUP, rulings={"weather-start": "water"}), {"weather": ("", *("water", "sun") * 4)})
    ],
    "weather-parks": [
        (
            replace(DEFAULT_SETUP, rulings={"weather-parks": "no"}),
            {"weather": ("", "sun", "water", "sun", "", "water", "sun", "water", "sun")},
        ),
    ],
    "parks-site": [
        (DEFAULT_SETUP, {"sites": ("forest", "mountain", "sun", "water", "parks", "wildlife", "photo", "die", "gear")}),
        (replace(DEFAULT_SETUP, sites=DEFAULT_SETUP.sites[::-1]), {"sites": DEFAULT_SETUP.sites[::-1]}),
    ],
    "setup-displays": [
        (DEFAULT_SETUP, {"parks": (None,) * 3, "market": (None,) * 3}),
        (replace(DEFAULT_SETUP, parks=5, gear=4), {"parks": (None,) * 5, "market": (None,) * 4}),
    ],
    "players": [(ready_setup(*NAMES[:seats]), {"turn": ANA}) for seats in (2, 3, 4, 5)],
}


@run_all_rows("setup, expected", case_params(BEGINS))
def test_table_starts_by_its_rule(setup, expected):
    assert (
        select_fields(TRACKED_GAME.initial_state(TRACKED_GAME.read_setup(msgspec.to_builtins(setup))), expected)
        == expected
    )


INVALID_SETUPS = {
    "players": [(ready_setup("Ana"), "player-count"), (ready_setup(*NAMES, "Flo"), "player-count")],
    "setup-displays": [(replace(DEFAULT_SETUP, parks=0), "displays")],
    "home-made": [(replace(DEFAULT_SETUP, facts=CustomCards(parks=(CustomPark("Zion"),))), "home-name")],
    "shutterbug-faces": [(replace(DEFAULT_SETUP, shutterbug="die"), "no-shutterbug")],
}


@run_all_rows("setup, code", case_params(INVALID_SETUPS))
def test_impossible_setup_is_refused(setup, code):
    with pytest.raises(IllegalMoveError) as refused:
        TRACKED_GAME.read_setup(msgspec.to_builtins(setup))
    assert code in [reason.code for reason in refused.value.reasons]


AT_PHOTO = state_after(with_ana(canteens=(("forest",), (), ()), tokens=RICH), Hike(0, PHOTO))
CHEAPER = state_after(
    state_with_passion("Mountaineering", reserve=("Haleakala",), tokens=token_counts(mountain=1)), Hike(0, PARKS_SITE)
)
# (state, move, code, sentence)
REFUSED = {
    "canteen-fill": [
        (
            AT_PHOTO,
            FillCanteenRow(0),
            "not-gained",
            "Water from your backpack cannot fill a row. Gain Water first.",
        ),
    ],
    "parks-action": [
        (
            AT_PHOTO,
            VisitPark("Zion"),
            "no-parks-action",
            "You visit parks in a Parks action. Now gain a canteen or photo, or skip.",
        ),
    ],
    "turn-steps": [
        (
            state_after(with_ana(tokens=RICH), Hike(0, PARKS_SITE)),
            Trade("sun"),
            "finish-first",
            "First visit or reserve parks, or skip.",
        ),
        # The Parks action of a canteen that has been filled.
        (
            state_after(
                with_ana(canteens=(("parks", "photo"), (), ()), tokens=RICH), Hike(0, WATER), FillCanteenRow(0)
            ),
            VisitPark("Zion"),
            "finish-first",
            "First choose the next benefit, or skip the rest.",
        ),
    ],
    "die-site": [
        (state_after(make_state(), Hike(0, DIE)), Skip(), "roll-first", "First roll the Trail Die."),
        (state_after(make_state(), Hike(0, DIE)), Trade("sun"), "finish-first", "First roll the Trail Die."),
        (
            state_after(
                with_ana(make_state(parks=("Olympic", "Zion")), tokens=RICH), Hike(0, PARKS_SITE), VisitPark("Olympic")
            ),
            VisitPark("Zion"),
            "finish-first",
            "First roll the Trail Die.",
        ),
    ],
    "site-action": [
        (make_state(), VisitPark("Zion"), "hike-first", "Move a hiker first."),
        (make_state(), FillCanteenRow(0), "hike-first", "Move a hiker first."),
    ],
    "trail-again": [
        (NEXT, move, "finish-first", "First enter the tile at site 1.")
        for move in (TakeSide("end"), FillCanteenRow(0), VisitPark("Zion"))
    ],
    "passion-goal": [
        (make_state(), TakeSide("end"), "no-passion", "First enter your passion."),
        (
            with_ana(passion="Botany", visited=("Congaree",)),
            TakeSide("end"),
            "goal-not-met",
            "Botany is not complete. Its objective: visit parks with 3 Forest in total. You have 2.",
        ),
    ],
    "passion-side": [
        (
            with_ana(passion="Botany", side="gear"),
            TakeSide("end"),
            "passion-done",
            "You already chose a side of Botany: its Gear Effect.",
        ),
    ],
    "wildlife-trade": [
        (
            state_after(with_ana(tokens=RICH), Hike(0, WILDLIFE)),
            Trade("wildlife"),
            "no-wildlife",
            "You cannot trade Wildlife for Wildlife. Trade another Resource.",
        ),
    ],
    "park-cost": [
        (
            CHEAPER,
            VisitPark("Haleakala"),
            "cost",
            "You need 2 more Mountain.",
        ),
        (
            CHEAPER,
            VisitPark("Zion"),
            "cost",
            "You need 1 more Mountain.",
        ),
    ],
    "wildlife-wild": [
        (
            CHEAPER,
            VisitPark("Zion", mountain=3),
            "stand-in",
            "Zion costs 2 Mountain (3 without your passion). Pay no more Wildlife than that.",
        ),
    ],
    "passion-kept": [
        (
            state_after(with_ana(tokens=RICH), Hike(0, GEAR_SITE)),
            BuyGear("journal-water", keep=True),
            "nothing-kept",
            "You have no free purchase to keep. Pay for the card.",
        ),
        (
            state_after(state_with_passion("Collecting"), Hike(0, GEAR_SITE)),
            BuyGear("journal-water", keep=True),
            "nothing-kept",
            "You can buy no other card this turn. Take this one free.",
        ),
    ],
}


@pytest.mark.parametrize("state, move, code, line", case_params(REFUSED))
def test_refusal_has_its_rule_and_the_facts_of_this_table(state, move, code, line, request):
    rule = request.node.callspec.id.rpartition("-")[0]
    (reason,) = TRACKED_GAME.objections(state, ANA, move)
    assert (reason.rule.id, reason.code, reason.text) == (rule, code, line)


def test_free_card_is_paid_for_only_where_another_card_can_be_free():
    last = state_after(state_with_others_done(passion="Collecting", side="gear"), Hike(0, END_GEAR))
    assert {move.keep for move in legal_moves(last, BuyGear)} == {False, True}
    hints = {move.label(last, ANA).hint for move in legal_moves(last, BuyGear) if move.gear == "journal-water"}
    assert hints == {
        "free with your passion",
        "pay 1 Sun, keep your free purchase",
        "pay 1 Wildlife, keep your free purchase",
    }
    with_ruling = state_after(
        state_with_others_done(make_state(rulings=ALWAYS), passion="Collecting", side="gear"), Hike(0, END_GEAR)
    )
    plain = state_after(state_with_passion("Collecting"), Hike(0, GEAR_SITE))
    assert {move.keep for state in (with_ruling, plain) for move in legal_moves(state, BuyGear)} == {False}


def test_options_of_the_photo_space_ruling_state_their_consequence():
    assert [option.consequence for option in END_TWICE.options] == [
        f"{photos} if both your hikers arrive in one turn." for photos in ("Three", "Five")
    ]
