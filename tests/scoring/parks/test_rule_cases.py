"""PARKS: a case under each rule that the tables of the other modules do not hold."""

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.errors import Illegal
from scoring.parks.box import HomeGear, HomeMade, HomePark
from scoring.parks.moves.hiking import Hike, Leave, PutBack, TakeSide, Use
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.sites import Fill, Roll, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.rules import END_TWICE
from scoring.parks.state import ChooseSide, Do, Extra, Lay, Parks, Pick, PlaceBug, Pour, SecondPhoto, SetOut
from tests.support.cases import every_row
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
    PLAY,
    SUN,
    WATER,
    WILDLIFE,
    after,
    ana,
    but,
    cases,
    have,
    laid,
    left,
    offered,
    shown,
    table,
)

RICH = have(3, 3, 3, 3, 3)
ALWAYS = {"passion-once": "always"}
LIMITED = table(rulings={"token-supply": "limited"})
FULL = (("2 sun", "2 sun"),) * 3
ONE_FILLED = (True, False, False)


def geared(*cards, **changes):
    return ana(**{"gear": cards, "tokens": have(sun=3), **changes})


def alone(state=None, **changes):
    """Return Ana with both hikers on the Trail, the others at its end, where nobody is first any more."""
    state = but(state or table(), BO, hikers=(END_GEAR, END_GEAR))
    return ana(but(state, end_used=(True,) * 3), **{"tokens": RICH, **changes})


def with_passion(passion, side="gear", rulings=None, **changes):
    return ana(table(rulings=rulings), **{"passion": passion, "side": side, "tokens": RICH, **changes})


def ending(season=0, **changes):
    """Return Ana one step before the end of a season, with nobody's bonus to come."""
    tile = ("spring-sun", "summer-instants", "fall-sun")[season]
    state = table(tile=tile, season=season, **changes)
    return ana(but(state, BO, hikers=(END_GEAR, END_GEAR), campfire=False), hikers=(9, END_GEAR))


END = Hike(9, END_GEAR)
HOME = HomeMade(parks=(HomePark("Garden", 3, sun=1, instant="roll"),), gear=(HomeGear("Kite", 0, "die", "2 sun"),))
NEXT = after(ending(), END)
TWO_AT_SUN = after(geared("journal-sun", "wide-angle-lens-sun"), Hike(0, SUN))

# (state, moves, what comes of it, and of whom if not of Ana)
OUTCOMES = {
    "seasons": [
        (ending(0), [END], {"season": 1, "over": False}),
        (ending(1), [END], {"season": 2, "over": False}),
        (ending(2), [END], {"season": 2, "over": True}),
    ],
    "season-over": [
        (ending(), [END], {"season": 1}),
        (ana(but(ending(), BO, hikers=(9, END_GEAR)), hikers=(8, END_GEAR)), [Hike(8, END_GEAR)], {"season": 0, "turn": BO}),
    ],
    "home-made": [
        (but(table(facts=HOME), ANA, tokens=RICH), [Hike(0, DIE), Roll("forest")], {"tokens": have(4, 3, 3, 3, 3)}),
        (
            but(table(facts=HOME), ANA, tokens=RICH, gear=("Kite",)),
            [Hike(0, DIE), Roll("forest")],
            {"tokens": have(4, 3, 5, 3, 3)},
        ),
        (
            but(table(facts=HOME, parks=("Garden",)), ANA, tokens=have(sun=1)),
            [Hike(0, PARKS_SITE), VisitPark("Garden"), Roll("forest")],
            {"visited": ("Garden",), "tokens": have(forest=1)},
        ),
    ],
    "wildlife-no-canteen": [
        (ana(canteens=(("forest",), (), ())), [Hike(0, DIE), Roll("wildlife")], {"tokens": have(wildlife=1), "turn": BO}),
    ],
    "pay-back": [
        (
            ana(tokens=have(mountain=3)),
            [Hike(0, PARKS_SITE), VisitPark("Zion")],
            {"tokens": have(), "tray": (15, 15, 30, 30, 14)},
        ),
        (ana(tokens=have(sun=1)), [Hike(0, PHOTO), TakePhoto("sun")], {"tray": (15, 15, 30, 30, 14)}),
    ],
    "token-supply": [
        (left((0, 15, 30, 30, 14), table()), [Hike(0, FOREST)], {"tokens": have(forest=1), "tray": (-1, 15, 30, 30, 14)}),
        (left((0, 15, 30, 30, 14), LIMITED), [Hike(0, FOREST)], {"tokens": have(), "tray": (0, 15, 30, 30, 14)}),
    ],
    "backpack": [
        (ana(tokens=have(sun=40)), [Hike(0, FOREST)], {"tokens": have(1, 0, 40), "turn": BO}),
        (
            ana(table(rulings={"backpack": "twelve"}), tokens=have(sun=12)),
            [Hike(0, FOREST), PutBack("sun")],
            {"tokens": have(1, 0, 11), "turn": BO},
        ),
    ],
    "setup-shutterbug": [
        (after(NEXT, *map(LayTile, ("gear", "die", "photo", "wildlife", "water", "sun", "mountain"))),
         [PlaceShutterbug("forest")], {"shutterbug": "forest", "tasks": (SetOut(),)}),
    ],
    "shutterbug-faces": [
        (
            but(table(), shutterbug=None, tasks=(SetOut(), PlaceBug())),
            [PlaceShutterbug(face)],
            {"shutterbug": site},
        )
        for face, site in (
            ("forest", "forest"), ("mountain", "mountain"), ("2 sun", "sun"), ("2 water", "water"), ("wildlife", "wildlife"),
            ("canteen", "photo"),
        )
    ],
    "first-hiker-starts": [
        (ending(first_hiker=BO), [END], {"season": 1, "turn": BO}),
        (ending(first_hiker=ANA), [END], {"season": 1, "turn": ANA}),
    ],
    "action-optional": [
        (ana(tokens=RICH), [Hike(0, WILDLIFE), Leave()], {"tokens": RICH, "turn": BO}),
        (ana(tokens=RICH), [Hike(0, GEAR_SITE), Leave()], {"tokens": RICH, "gear": (), "turn": BO}),
        (ana(tokens=RICH), [Hike(0, PARKS_SITE), Leave()], {"tokens": RICH, "reserve": (), "visited": (), "turn": BO}),
    ],
    "park-instant": [
        (
            ana(table(parks=("Dry Tortugas",)), tokens=have(water=3)),
            [Hike(0, PARKS_SITE), VisitPark("Dry Tortugas")],
            {"tokens": have(sun=2)},
        ),
    ],
    "instant-tokens": [
        (ana(table(parks=("Isle Royale",)), tokens=RICH), [Hike(0, PARKS_SITE), VisitPark("Isle Royale")], {"tasks": (Parks(True), Do("canteen"))}),
        (ana(table(parks=("Shenandoah",)), tokens=RICH), [Hike(0, PARKS_SITE), VisitPark("Shenandoah")], {"badge": ANA}),
        (ana(table(parks=("Olympic",)), tokens=RICH), [Hike(0, PARKS_SITE), VisitPark("Olympic")], {"tasks": (Parks(True), Do("roll"))}),
    ],
    "badge-between": [
        (ending(badge=BO), [END], {"badge": BO}),
        (ending(badge=BO, rulings={"badge-between": "returns"}), [END], {"badge": None}),
    ],
    "canteen-gain": [
        (table(canteens=("parks", "photo", None)), [Hike(0, PHOTO), TakeCanteen("photo", 0)], {"canteens": (("photo",), (), ())}),
        (
            table(canteens=("parks", "photo", None)),
            [Hike(0, PHOTO), TakeCanteen("forest", 0, stack=True)],
            {"canteens": (("forest",), (), ())},
        ),
    ],
    "canteen-full": [(ana(canteens=FULL), [Hike(0, DIE), Roll("canteen")], {"canteens": FULL, "turn": BO})],
    "water-together": [
        (ana(canteens=(("parks",), ("photo",), ()), tokens=RICH), [Hike(0, WATER), Fill(0)], {"tasks": (Parks(), Pour(1))}),
        (
            ana(canteens=(("parks",), ("photo",), ()), tokens=RICH),
            [Hike(0, WATER), Fill(0), Fill(1)],
            {"tasks": (Parks(), Do("photo"))},
        ),
    ],
    "gear-slides": [
        (
            ana(tokens=RICH),
            [Hike(0, GEAR_SITE), BuyGear("journal-water")],
            {"market": (None, "binoculars-reserve", "field-guide-forest")},
        ),
        (ana(tokens=RICH), [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")], {"market": table().market}),
    ],
    "gear-once": [
        (
            geared("journal-sun", "binoculars-reserve"),
            [Hike(0, SUN), Reserve("Zion"), Hike(0, FOREST), Hike(SUN, PARKS_SITE), Reserve("Redwood")],
            {"tokens": have(0, 2, 5), "reserve": ("Zion", "Redwood")},
        ),
        (
            geared("mystery-cache-die", "binoculars-reserve", "compass-die"),
            [Hike(0, DIE), Roll("wildlife"), Use("reserve", "compass-die"), Reserve("Zion"), Roll("wildlife")],
            {"tokens": have(0, 1, 3, 0, 2), "turn": BO},
        ),
    ],
    "gear-order": [
        (geared("journal-sun", "wide-angle-lens-sun"), [Hike(0, SUN)],
         {"tasks": (Pick((Extra("reserve", "journal-sun"), Extra("photo", "wide-angle-lens-sun"))),)}),
        (TWO_AT_SUN, [Use("photo", "wide-angle-lens-sun"), TakePhoto("sun"), Reserve("Zion")], {"photos": 1, "reserve": ("Zion",)}),
        (TWO_AT_SUN, [Use("reserve", "journal-sun"), Reserve("Zion"), TakePhoto("sun")], {"photos": 1, "reserve": ("Zion",)}),
        (TWO_AT_SUN, [Leave()], {"photos": 0, "reserve": (), "turn": BO}),
    ],
    "gear-chain": [
        (
            geared("journal-sun", "binoculars-reserve", "camp-mug-reserve"),
            [Hike(0, SUN), Reserve("Zion"), TakeCanteen("parks", 0)],
            {"tokens": have(mountain=1, sun=5), "canteens": (("parks",), (), ()), "turn": BO},
        ),
    ],
    "gear-waits": [
        (
            but(geared("sunscreen-photo", tokens=have(sun=1)), badge=ANA),
            [Hike(0, PHOTO), TakePhoto("sun")],
            {"photos": 1, "tokens": have(sun=2), "turn": BO},
        ),
        (
            geared("mystery-cache-die", "telephoto-lens-die", tokens=have()),
            [Hike(0, DIE), Roll("canteen"), Leave(), Roll("2 sun")],
            {"tasks": (Do("photo", "telephoto-lens-die"),)},
        ),
    ],
    "gear-kinds": [
        (geared("sleeping-bag-forest"), [Hike(0, FOREST)], {"tokens": have(1, 0, 5), "campfire": True}),
        (geared("binoculars-mountain"), [Hike(0, MOUNTAIN)], {"tokens": have(0, 2, 3)}),
        (geared("rain-gear-trade"), [Hike(0, WILDLIFE), Trade("sun")], {"tokens": have(0, 0, 2, 2, 1)}),
        (geared("sunscreen-photo"), [Hike(0, PHOTO), TakePhoto("sun")], {"tokens": have(sun=4)}),
        (geared("compass-die"), [Hike(0, DIE), Roll("forest")], {"tasks": (Do("reserve", "compass-die"),)}),
        (geared("rain-gear-trade"), [Hike(0, PHOTO), TakePhoto("sun")], {"tokens": have(sun=2)}),
    ],
    "extra-roll": [
        (geared("mystery-cache-die"), [Hike(0, DIE), Roll("forest"), Roll("forest")], {"tokens": have(2, 0, 3), "turn": BO}),
    ],
    "die-faces": [
        (table(), [Hike(0, DIE), Roll(face)], expected)
        for face, expected in (
            ("forest", {"tokens": have(1)}), ("mountain", {"tokens": have(0, 1)}), ("2 sun", {"tokens": have(sun=2)}),
            ("2 water", {"tokens": have(water=2)}), ("wildlife", {"tokens": have(wildlife=1)}),
            ("canteen", {"tokens": have(), "tasks": (Do("canteen"),)}),
        )
    ],
    "passion-goal": [
        (with_passion("Wildlife", None), [Hike(0, PHOTO), TakePhoto("sun")], {"turn": BO, "side": None}),
        (with_passion("Wildlife", None), [Hike(0, PHOTO), TakePhoto("wildlife")], {"turn": ANA, "tasks": (SecondPhoto(), ChooseSide())}),
        (but(table(), BO, passion="Wildlife", wild_photos=1), [], {"tasks": (SetOut(),)}),  # in their own turn
        (but(table(), BO, passion="Wildlife", wild_photos=1), [Hike(0, FOREST)], {"tasks": (SetOut(), ChooseSide())}),
    ],
    "passion-side": [
        (with_passion("Wildlife", None, wild_photos=1), [TakeSide("end")], {"side": "end", "tasks": (SetOut(),)}),
        (with_passion("Wildlife", None, wild_photos=1), [TakeSide("gear")], {"side": "gear", "tasks": (SetOut(),)}),
        (with_passion("Wildlife"), [Hike(0, PHOTO), TakePhoto("wildlife")], {"photos": 2}),
        (with_passion("Wildlife", "end"), [Hike(0, PHOTO), TakePhoto("wildlife")], {"photos": 1}),
    ],
    "passion-same-turn": [
        (
            with_passion("Birdwatching", None, reserve=("Arches", "Saguaro", "White Sands"), tokens=have(9, 9, 9, 9, 9)),
            [Hike(0, PARKS_SITE), VisitPark("Arches"), VisitPark("Saguaro"), TakeSide("gear"), VisitPark("White Sands")],
            {"tokens": have(8, 8, 5, 9, 8)},
        ),
    ],
    "passion-less": [
        (
            with_passion(passion, reserve=(park,), tokens=have(4, 4, 4, 4)),
            [Hike(0, PARKS_SITE), VisitPark(park)],
            {"tokens": tokens},
        )
        for passion, park, tokens in (
            ("Birdwatching", "Arches", have(4, 3, 3, 4)), ("Kayaking", "Everglades", have(4, 4, 4, 1)),
            ("Forestry", "Congaree", have(3, 4, 4, 4)), ("Mountaineering", "Pinnacles", have(4, 2, 3, 4)),
        )
    ],
    "passion-swap": [
        (with_passion("Botany"), [Hike(0, FOREST), SwapToken()], {"tokens": have(3, 3, 3, 3, 4)}),
        (with_passion("Rock Climbing"), [Hike(0, MOUNTAIN), SwapToken()], {"tokens": have(3, 3, 3, 3, 4)}),
        (with_passion("Botany"), [Hike(0, FOREST), Leave()], {"tokens": have(4, 3, 3, 3, 3), "turn": BO}),
        (with_passion("Botany"), [Hike(0, MOUNTAIN)], {"tokens": have(3, 4, 3, 3, 3), "turn": BO}),
    ],
    "passion-roll": [
        (
            with_passion("Adventure", reserve=("Voyageurs",)),
            [Hike(0, PARKS_SITE), VisitPark("Voyageurs")],
            {"tasks": (Parks(True), Do("roll"))},
        ),
        (with_passion("Adventure", reserve=("Congaree",)), [Hike(0, PARKS_SITE), VisitPark("Congaree")], {"passion_used": False}),
        (with_passion("Swimming", canteens=(("2 sun",), (), ())), [Hike(0, WATER), Fill(0)], {"tasks": (Do("roll"),)}),
    ],
    "passion-photos": [
        (with_passion("Wildlife"), [Hike(0, PHOTO), TakePhoto("wildlife")], {"photos": 2, "tokens": have(3, 3, 3, 3, 2)}),
        (with_passion("Wildlife"), [Hike(0, PHOTO), TakePhoto("sun")], {"photos": 1}),
    ],
    "passion-once": [
        (
            with_passion("Forestry", rulings=rulings, reserve=("Congaree", "Sequoia"), tokens=have(9)),
            [Hike(0, PARKS_SITE), VisitPark("Congaree"), VisitPark("Sequoia")],
            {"tokens": have(forests)},
        )
        for rulings, forests in ((None, 4), (ALWAYS, 5))
    ],
    "passion-free-gear": [
        (
            with_passion("Collecting"),
            [Hike(0, GEAR_SITE), BuyGear("field-guide-forest")],
            {"tokens": RICH, "gear": ("field-guide-forest",)},
        ),
        (with_passion("Collecting"), [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")], {"tokens": RICH}),
        (
            with_passion("Collecting", rulings={"free-gear": "market"}),
            [Hike(0, GEAR_SITE), BuyGear(), DrawGear("compass-die")],
            {"tokens": have(3, 3, 1, 3, 3)},
        ),
    ],
    "passion-kept": [
        # in the last turn two cards can be bought: either of them is the free one
        (
            alone(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water"), Hike(0, END_GEAR), BuyGear("field-guide-forest")],
            {"tokens": have(3, 3, 0, 3, 3)},
        ),
        (
            alone(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water", keep=True), Hike(0, END_GEAR), BuyGear("field-guide-forest")],
            {"tokens": have(3, 3, 2, 3, 3), "gear": ("journal-water", "field-guide-forest")},
        ),
        (
            alone(passion="Collecting", side="gear"),
            [Hike(0, END_GEAR), BuyGear("journal-water", 1, keep=True), Hike(0, END_PARKS), Leave()],
            {"tokens": have(3, 3, 3, 3, 2), "gear": ("journal-water",)},
        ),
    ],
    "end-crowd": [
        (but(table(), BO, hikers=(END_GEAR, END_GEAR)), [Hike(0, END_GEAR)], {"hikers": (0, END_GEAR), "campfire": False}),
    ],
    "end-photo-twice": [
        # both hikers of the last one on the Trail go to the Photo space in one turn, with the badge
        (
            alone(but(table(), badge=ANA)),
            [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 2, Hike(0, END_PHOTO), TakePhoto("sun")],
            {"photos": 3},
        ),
        (
            alone(table(rulings={"end-photo-twice": "three"}, badge=ANA)),
            [Hike(0, END_PHOTO), *[TakePhoto("sun")] * 3, Hike(0, END_PHOTO), *[TakePhoto("water")] * 2],
            {"photos": 5},
        ),
    ],
    "season-kinds": [
        (but(ending(), ANA, hikers=(9, END_GEAR), tokens=have(sun=1)), [END, Leave(), DrawGear("compass-die")], {"gear": ("compass-die",)}),
        (
            but(but(ending(), tile="spring-mountain"), ANA, hikers=(9, END_GEAR), tokens=have(mountain=1)),
            [END],
            {"photos": 1, "season": 1},
        ),
        (
            but(but(ending(1), tile="summer-canteens"), ANA, canteens=(("photo",), (), ())),
            [END, Roll("forest"), Roll("forest")],
            {"tokens": have(2), "season": 2},
        ),
    ],
    "season-none": [(ending(), [END], {"awards": None, "season": 1, "gear": ()})],
    "summer-counts": [
        (but(but(ending(1), tile="summer-wildlife"), ANA, tokens=have(wildlife=1)), [END, Leave()], {"awards": (ANA,)}),
        (but(but(ending(1), tile="summer-wildlife"), ANA, visited=("Katmai",)), [END], {"awards": None, "season": 2}),
        (
            but(but(ending(1, rulings={"summer-counts": "parks"}), tile="summer-wildlife"), ANA, visited=("Katmai",)),
            [END],
            {"awards": (ANA,)},
        ),
        (
            but(but(ending(1, rulings={"summer-counts": "parks"}), tile="summer-wildlife"), ANA, tokens=have(wildlife=1)),
            [END, Leave()],
            {"awards": None, "season": 2},
        ),
    ],
    "canteens-emptied": [
        (
            but(ending(), BO, canteens=(("2 sun",), (), ()), filled=ONE_FILLED),
            [END],
            {"canteens": (("2 sun",), (), ()), "filled": (False,) * 3, "tray": (15, 15, 26, 26, 14)},
            BO,
        ),
    ],
    "campfire-relit": [(ending(), [END], {"campfire": True}), (ending(), [END], {"campfire": True}, BO)],
    "hikers-return": [(ending(), [END], {"hikers": (0, 0)}), (ending(), [END], {"hikers": (0, 0)}, BO)],
    "weather-left": [
        (
            ending(weather=("", "sun", "", "water", "", "", "", "", "")),
            [END],
            {"weather": ("", *("sun", "water") * 4), "tray": (15, 15, 26, 26, 14)},
        ),
    ],
    "gear-discard": [(ending(), [END], {"market": (None, "binoculars-reserve", "journal-water")})],
    "setup-weather": [(ending(), [END], {"weather": ("", *("sun", "water") * 4)})],
    "parks-site": [(ending(), [END], {"sites": (None, None, None, None, "parks", None, None, None, None)})],
    "trail-again": [(ending(), [END], {"tasks": (SetOut(), PlaceBug(), Lay())})],
}  # fmt: skip


@every_row("row", cases({rule: [(each,) for each in rows] for rule, rows in OUTCOMES.items()}))
def test_it_goes_by_its_rule(row):
    state, moves, expected, *whose = row
    assert shown(after(state, *moves), expected, *(whose or [ANA])) == expected


USUAL = laid(*NAMES[:3])
TOKENS = replace(USUAL.players[0], tokens=have(1, 2, 3, 4, 5), canteen="parks")
BEGINS = {
    "start-tokens": [
        (USUAL, {"tokens": have(), "canteens": ((), (), ())}),
        (
            replace(USUAL, players=(TOKENS, *USUAL.players[1:])),
            {"tokens": have(1, 2, 3, 4, 5), "canteens": (("parks",), (), ())},
        ),
    ],
    "setup-weather": [(USUAL, {"weather": ("", *("sun", "water") * 4), "tray": (15, 15, 26, 26, 14)})],
    "weather-start": [(replace(USUAL, rulings={"weather-start": "water"}), {"weather": ("", *("water", "sun") * 4)})],
    "weather-parks": [
        (
            replace(USUAL, rulings={"weather-parks": "no"}),
            {"weather": ("", "sun", "water", "sun", "", "water", "sun", "water", "sun")},
        ),
    ],
    "parks-site": [
        (USUAL, {"sites": ("forest", "mountain", "sun", "water", "parks", "wildlife", "photo", "die", "gear")}),
        (replace(USUAL, sites=USUAL.sites[::-1]), {"sites": USUAL.sites[::-1]}),
    ],
    "setup-displays": [
        (USUAL, {"parks": (None,) * 3, "market": (None,) * 3}),
        (replace(USUAL, parks=5, gear=4), {"parks": (None,) * 5, "market": (None,) * 4}),
    ],
    "players": [(laid(*NAMES[:seats]), {"turn": ANA}) for seats in (2, 3, 4, 5)],
}


@every_row("setup, expected", cases(BEGINS))
def test_a_table_begins_by_its_rule(setup, expected):
    assert shown(PLAY.begin(PLAY.read_setup(msgspec.to_builtins(setup))), expected) == expected


NO_TABLES = {
    "players": [(laid("Ana"), "player-count"), (laid(*NAMES, "Flo"), "player-count")],
    "setup-displays": [(replace(USUAL, parks=0), "displays")],
    "home-made": [(replace(USUAL, facts=HomeMade(parks=(HomePark("Zion"),))), "home-name")],
    "shutterbug-faces": [(replace(USUAL, shutterbug="die"), "no-shutterbug")],
}


@every_row("setup, code", cases(NO_TABLES))
def test_a_table_that_cannot_be_is_refused(setup, code):
    with pytest.raises(Illegal) as refused:
        PLAY.read_setup(msgspec.to_builtins(setup))
    assert code in [reason.code for reason in refused.value.reasons]


AT_PHOTO = after(ana(canteens=(("forest",), (), ()), tokens=RICH), Hike(0, PHOTO))
CHEAPER = after(with_passion("Mountaineering", reserve=("Haleakala",), tokens=have(mountain=1)), Hike(0, PARKS_SITE))
# (state, move, code, what is said)
REFUSED = {
    "canteen-fill": [
        (AT_PHOTO, Fill(0), "not-gained", "Only Water you have just gained fills a row, not that in your backpack."),
    ],
    "parks-action": [
        (
            AT_PHOTO,
            VisitPark("Zion"),
            "no-parks-action",
            "A park is visited in a Parks action; what you can do now is: gain a canteen, or pay a token for a photo, or leave it.",
        ),
    ],
    "turn-steps": [
        (
            after(ana(tokens=RICH), Hike(0, PARKS_SITE)),
            Trade("sun"),
            "finish-first",
            "First reserve a park, visit parks, or leave them.",
        ),
        (  # the park of a canteen that has been filled
            after(ana(canteens=(("parks", "photo"), (), ()), tokens=RICH), Hike(0, WATER), Fill(0)),
            VisitPark("Zion"),
            "finish-first",
            "First choose what to do next, or leave it.",
        ),
    ],
    "die-site": [
        (after(table(), Hike(0, DIE)), Leave(), "roll-first", "First roll the Trail Die."),
        (after(table(), Hike(0, DIE)), Trade("sun"), "finish-first", "First roll the Trail Die."),
        (
            after(ana(table(parks=("Olympic", "Zion")), tokens=RICH), Hike(0, PARKS_SITE), VisitPark("Olympic")),
            VisitPark("Zion"),
            "finish-first",
            "First roll the Trail Die.",
        ),
    ],
    "site-action": [
        (table(), VisitPark("Zion"), "hike-first", "Your turn starts with a hike."),
        (table(), Fill(0), "hike-first", "Your turn starts with a hike."),
    ],
    "trail-again": [
        (NEXT, move, "finish-first", "First lay the next tile of the Trail.")
        for move in (TakeSide("end"), Fill(0), VisitPark("Zion"))
    ],
    "passion-goal": [
        (table(), TakeSide("end"), "no-passion", "First say which passion you have."),
        (
            ana(passion="Botany", visited=("Congaree",)),
            TakeSide("end"),
            "goal-not-met",
            "The goal of Botany is 3 Forest on parks; you have 2.",
        ),
    ],
    "passion-side": [
        (
            ana(passion="Botany", side="gear"),
            TakeSide("end"),
            "passion-done",
            "You have completed Botany already: it lies on its gear side.",
        ),
    ],
    "wildlife-trade": [
        (
            after(ana(tokens=RICH), Hike(0, WILDLIFE)),
            Trade("wildlife"),
            "no-wildlife",
            "Your table plays it so that a Wildlife is not traded for a Wildlife.",
        ),
    ],
    "park-cost": [
        (
            CHEAPER,
            VisitPark("Haleakala"),
            "cost",
            "Haleakala takes 3 Mountain (4, one less by your passion); you have 1.",
        ),
        (CHEAPER, VisitPark("Zion"), "cost", "Zion takes 2 Mountain (3, one less by your passion); you have 1."),
    ],
    "wildlife-wild": [
        (
            CHEAPER,
            VisitPark("Zion", mountain=3),
            "stand-in",
            "Zion costs 2 Mountain (3, one less by your passion); no more Wildlife can stand in.",
        ),
    ],
    "passion-kept": [
        (
            after(ana(tokens=RICH), Hike(0, GEAR_SITE)),
            BuyGear("journal-water", keep=True),
            "nothing-kept",
            "It is not free, so there is nothing to keep for another card.",
        ),
        (
            after(with_passion("Collecting"), Hike(0, GEAR_SITE)),
            BuyGear("journal-water", keep=True),
            "nothing-kept",
            "No other card can be bought free in this turn.",
        ),
    ],
}


@pytest.mark.parametrize("state, move, code, line", cases(REFUSED))
def test_a_refusal_gives_its_own_rule_and_what_is_so_at_this_table(state, move, code, line, request):
    rule = request.node.callspec.id.rpartition("-")[0]
    (reason,) = PLAY.objections(state, ANA, move)
    assert (reason.rule.id, reason.code, reason.text) == (rule, code, line)


def test_a_card_is_paid_for_although_it_is_free_only_where_another_can_be_free_instead():
    last = after(alone(passion="Collecting", side="gear"), Hike(0, END_GEAR))
    assert {move.keep for move in offered(last, BuyGear)} == {False, True}
    hints = {move.hint(last, ANA) for move in offered(last, BuyGear) if move.gear == "journal-water"}
    assert hints == {
        "free by your passion", "pay 1 Sun, and have another card free", "pay 1 Wildlife, and have another card free",
    }  # fmt: skip
    always = after(alone(table(rulings=ALWAYS), passion="Collecting", side="gear"), Hike(0, END_GEAR))
    plain = after(with_passion("Collecting"), Hike(0, GEAR_SITE))
    assert {move.keep for state in (always, plain) for move in offered(state, BuyGear)} == {False}


def test_both_readings_of_the_photo_space_say_what_two_hikers_there_bring():
    assert [option.follows for option in END_TWICE.options] == [
        f"With both hikers there in one turn: {photos}." for photos in ("three", "five")
    ]
