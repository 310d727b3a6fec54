"""PARKS in words: what is to be done, what the log says, what stands on the buttons."""

import re

import pytest

from scoring.parks import PLAY
from scoring.parks.moves.hiking import Hike, Leave, PutBack, TakeSide, Use
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear, NameTile
from scoring.parks.moves.sites import Fill, Roll, Stow, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import (
    AskTile,
    ChooseSide,
    Counted,
    Do,
    DrawnGear,
    Extra,
    Lay,
    Parks,
    Pick,
    PlaceBug,
    Pour,
    PutDown,
    SecondPhoto,
    SetOut,
    State,
    Swap,
    Task,
)
from scoring.parks.text import race
from tests.support.cases import every_row
from tests.support.parks_table import ANA, BO, ana, but, doing, have, over, table

SUNS = Counted("spring-sun", (3, 1))
OVER = over()


def laying(task: Lay | PlaceBug, **changes):
    """Return a table between two seasons: two tiles are still to be laid, or only the Shutterbug."""
    if isinstance(task, PlaceBug):
        return table(shutterbug=None, tasks=(SetOut(), task), **changes)
    return table(shutterbug=None, sites=(None, None, *table().sites[2:]), tasks=(SetOut(), PlaceBug(), task), **changes)


PROMPTS = [
    (table(), "Move a hiker."),
    (
        but(table(), BO, hikers=(11, 12)),
        "Move your hikers to Trail End, one after the other: all others are there.",
    ),
    (doing(Pour(2)), "Fill a canteen row with your Water, or put all 2 in the backpack."),
    (doing(Pour(1)), "Fill a canteen row with your Water, or put it in the backpack."),
    (doing(Swap("forest")), "Swap your Forest for a Wildlife, or keep it."),
    (doing(Parks()), "Reserve a park, visit parks, or leave them."),
    (doing(Parks(visited=True)), "Visit another park, or say that you are done."),
    (doing(Do("roll")), "Roll the Trail Die."),
    (doing(Do("photo")), "Pay a token for a photo, or leave it."),
    (
        doing(Do("photo", "wide-angle-lens-sun")),
        "Pay a token for a photo with Wide Angle Lens (2 Sun site), or leave it.",
    ),
    (doing(Do("canteen")), "Gain a canteen, or leave it."),
    (doing(Do("canteen or photo")), "Gain a canteen, or pay a token for a photo, or leave it."),
    (doing(Do("trade")), "Trade a token for a Wildlife, or leave it."),
    (doing(Do("buy")), "Buy gear, or leave it."),
    (doing(Do("reserve")), "Reserve a park, or leave it."),
    (doing(SecondPhoto()), "Pay for a second photo by the Shutterbug Badge, or leave it."),
    (doing(Pick((Extra("photo"), Extra("roll")))), "Choose what to do next, or leave it."),
    (doing(DrawnGear()), "Say which gear card you drew."),
    (doing(ChooseSide()), "Choose a side of your passion."),
    (doing(PutDown()), "Put tokens back until twelve are left."),
    (
        but(doing(Do("roll")), awards=(0,), counted=SUNS),
        "Spring bonus, most Sun (Ana 3, Bo 1): roll the Trail Die.",
    ),
    (doing(AskTile(), state=table(tile=None)), "Say which season tile lies open."),
    (laying(Lay()), "Lay the next tile of the Trail."),
    (
        laying(Lay(), counted=SUNS),
        "Lay the next tile of the Trail. Spring bonus, most Sun (Ana 3, Bo 1): Ana.",
    ),
    (laying(PlaceBug()), "Roll the die for the Shutterbug."),
    (
        laying(Lay(), counted=Counted("summer-wildlife", (0, 0))),
        "Lay the next tile of the Trail. Summer bonus, most Wildlife in the backpack (Ana 0, Bo 0): nobody.",
    ),
    (OVER, "The game is over."),
]


@every_row("state, line", PROMPTS)
def test_the_head_of_the_page_says_what_is_to_be_done(state, line):
    assert PLAY.prompt(state) == line


RACES = [
    (table(tile=None), ""),
    (but(ana(tokens=have(sun=1)), BO, tokens=have(sun=3)), "Most Sun in the backpack: Bo 3, Ana 1"),
    (
        but(ana(table(rulings={"spring-counts": "parks"}), visited=("Death Valley",)), BO, tokens=have(sun=3)),
        "Most Sun on visited parks: Ana 4, Bo 0",
    ),
    (
        ana(table(tile="summer-wildlife", season=1), tokens=have(wildlife=2)),
        "Most Wildlife in the backpack: Ana 2, Bo 0",
    ),
    (
        ana(table(tile="summer-wildlife", season=1, rulings={"summer-counts": "parks"}), tokens=have(wildlife=2)),
        "Most Wildlife on visited parks: Ana 0, Bo 0",
    ),
    (ana(table(tile="summer-canteens", season=1), canteens=(("photo",), (), ())), "Most canteens: Ana 1, Bo 0"),
    (ana(table(tile="fall-sun", season=2), visited=("Arches",)), "Most Sun on visited parks: Ana 2, Bo 0"),
]


@every_row("state, line", RACES)
def test_who_leads_for_the_season_tile_is_said_with_the_counts_and_where_they_count(state, line):
    assert race(state, ANA, {}) == line


@pytest.mark.parametrize("where, words", [("backpack", "in the backpack"), ("parks", "on visited parks")])
def test_a_tile_that_counts_wildlife_is_called_as_the_table_plays_it(where, words):
    state = table(tile=None, season=1, rulings={"summer-counts": where})
    named = NameTile("summer-wildlife")
    assert named.label(state, ANA) == f"Summer: most Wildlife {words}"
    assert PLAY.tell(state, PLAY.play(state, ANA, named), ANA, named) == (
        f"Ana sees the season tile \u201cSummer: most Wildlife {words}\u201d."
    )


RICH = have(3, 3, 3, 3, 3)
LAST = but(table(), BO, hikers=(12, 12))


def with_passion(name: str, task: Task, **changes) -> State:
    """Return Ana with a task and the gear side of a passion."""
    return doing(task, **{"tokens": RICH, "passion": name, "side": "gear", **changes})


LOG = [
    (
        but(table(), weather=("sun", *[""] * 8)),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site. +1 Forest, 1 Sun.",
    ),
    (
        but(ana(campfire=True), BO, hikers=(0, 3)),
        Hike(0, 3),
        "Ana hiked from the Trailhead to the 2 Sun site and put out the campfire. +2 Sun. The campfire goes out.",
    ),
    (
        table(shutterbug="forest"),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site. +1 Forest. Ana has the Shutterbug Badge.",
    ),
    (
        but(table(), first_hiker=BO),
        Hike(0, 10),
        "Ana hiked from the Trailhead to Trail End, Parks. Ana has the First Hiker token.",
    ),
    (doing(Do("photo"), tokens=RICH), TakePhoto("sun"), "Ana took a photo for a Sun. \u22121 Sun. +1 photo."),
    (
        but(doing(SecondPhoto(), tokens=RICH), badge=ANA),
        TakePhoto("sun"),
        "Ana took a second photo for a Sun. \u22121 Sun. +1 photo.",
    ),
    (doing(Do("trade"), tokens=RICH), Trade("sun"), "Ana traded a Sun for a Wildlife. +1 Wildlife. \u22121 Sun."),
    (doing(Do("roll")), Roll("2 sun"), "Ana rolled 2 Sun. +2 Sun."),
    (doing(Do("canteen")), TakeCanteen("photo", 1), "Ana put a canteen with a photo for a token into the middle row."),
    (
        doing(Do("canteen")),
        TakeCanteen("2 sun", 0, True),
        "Ana put a canteen with 2 Sun from the stack into the top row.",
    ),
    (doing(Pour(1), canteens=(("forest",), (), ())), Fill(0), "Ana filled the top row of the canteens. +1 Forest."),
    (doing(Pour(2), canteens=(("forest",), (), ())), Stow(), "Ana put the Water into the backpack. +2 Water."),
    (doing(Parks(), tokens=RICH), VisitPark("Zion"), "Ana visited Zion. \u22123 Mountain."),
    (doing(Parks()), Reserve("Zion"), "Ana reserved Zion."),
    (doing(Parks()), Reserve(deck=True), "Ana reserved the top park of the deck."),
    (but(doing(Parks()), parks=(None, None, None)), Reserve(), "Ana reserved an open park."),
    (doing(Do("buy"), tokens=RICH), BuyGear("journal-water"), "Ana bought Journal (2 Water site). \u22121 Sun."),
    (
        doing(Do("buy"), tokens=RICH),
        BuyGear(wild=1),
        "Ana bought the top gear card of the deck. \u22121 Sun, 1 Wildlife.",
    ),
    (doing(DrawnGear()), DrawGear("compass-die"), "Ana drew Compass (rolling the die)."),
    (
        doing(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "Ana completed Botany and chose its end side.",
    ),
    (doing(Parks()), Leave(), "Ana left the parks."),
    (doing(Parks(visited=True), tokens=RICH), Leave(), "Ana was done with parks."),
    (doing(Do("buy"), tokens=RICH), Leave(), "Ana bought nothing."),
    (doing(Do("canteen or photo")), Leave(), "Ana left it."),
    (
        doing(Pick((Extra("reserve", "journal-sun"), Extra("canteen", "camp-mug-trade")))),
        Use("reserve", "journal-sun"),
        "Ana chose to reserve a park with Journal (2 Sun site).",
    ),
    (
        doing(Swap("forest"), tokens=have(forest=1), passion="Botany", side="gear"),
        SwapToken(),
        "Ana swapped the Forest for a Wildlife. +1 Wildlife. \u22121 Forest. The passion Botany gave this swap.",
    ),
    (doing(PutDown(), tokens=have(sun=14)), PutBack("sun"), "Ana put back a Sun. \u22121 Sun."),
    (
        laying(Lay()),
        LayTile("mountain"),
        "Ana laid Mountain as site 1.",
    ),
    (
        laying(PlaceBug()),
        PlaceShutterbug("canteen"),
        "Ana put the Shutterbug under the Canteen or Photo site.",
    ),
    (
        ana(but(LAST, end_used=(True,) * 3), hikers=(9, 12), tokens=have(mountain=2)),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. Spring: most Sun: nobody. Summer begins; lay the Trail anew.",
    ),
    (
        ana(but(LAST, tile="spring-forest", end_used=(True,) * 3), hikers=(9, 12), tokens=have(forest=2)),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. Spring: most Forest: Ana.",
    ),
    (
        ana(but(LAST, tile="fall-sun", season=2, end_used=(True,) * 3), hikers=(9, 12)),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. The last season is over.",
    ),
]


@every_row("state, move, line", LOG)
def test_the_log_says_what_happened(state, move, line):
    state = PLAY.settle(state)
    assert PLAY.tell(state, PLAY.play(state, ANA, move), ANA, move) == line


GAVE = [
    (
        ana(gear=("sleeping-bag-forest", "hiking-boots-forest")),
        Hike(0, 1),
        ["Sleeping Bag (Forest site) gave 2 Sun and relit the campfire.", "Hiking Boots (Forest site) gave 1 Forest."],
    ),
    (ana(gear=("flint-tinder-sun",), campfire=True), Hike(0, 3), []),
    (
        doing(Do("trade"), tokens=RICH, gear=("rain-gear-trade",)),
        Trade("sun"),
        ["Rain Gear (trading for Wildlife) gave 2 Water."],
    ),
    (
        doing(Do("photo", "telephoto-lens-die"), tokens=RICH),
        TakePhoto("sun"),
        ["Telephoto Lens (rolling the die) gave this photo."],
    ),
    (doing(Do("photo", "telephoto-lens-die"), tokens=RICH), Leave(), []),
    (but(doing(Do("photo", "telephoto-lens-die"), tokens=RICH), market=(None,) * 3), NameGear("journal-sun"), []),
    (
        doing(Do("canteen", "camp-mug-trade")),
        TakeCanteen("photo", 1),
        ["Camp Mug (trading for Wildlife) gave this canteen."],
    ),
    (doing(Do("reserve", "journal-sun")), Reserve("Zion"), ["Journal (2 Sun site) gave this park."]),
    (doing(Do("roll", "mystery-cache-photo")), Roll("2 sun"), ["Mystery Cache (trading for a photo) gave this roll."]),
    (with_passion("Mountaineering", Parks()), VisitPark("Zion"), ["The passion Mountaineering saved 1 Mountain."]),
    (
        but(with_passion("Adventure", Parks()), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        ["The passion Adventure gave a roll of the die."],
    ),
    (
        with_passion("Swimming", Pour(1), canteens=(("forest",), (), ())),
        Fill(0),
        ["The passion Swimming gave a roll of the die."],
    ),
    (with_passion("Wildlife", Do("photo")), TakePhoto("wildlife"), ["The passion Wildlife gave one more photo."]),
    (with_passion("Wildlife", Do("photo")), TakePhoto("sun"), []),
    (with_passion("Botany", Swap("forest")), SwapToken(), ["The passion Botany gave this swap."]),
    (with_passion("Rock Climbing", Swap("mountain")), SwapToken(), ["The passion Rock Climbing gave this swap."]),
    (with_passion("Collecting", Do("buy")), BuyGear("binoculars-reserve"), ["The passion Collecting saved 2 Sun."]),
    (with_passion("Collecting", Do("buy")), BuyGear(), ["The passion Collecting saved 2 Sun."]),
]


@pytest.mark.parametrize("state, move, sentences", GAVE)
def test_log_line_of_a_bonus_names_the_gear_or_passion(state, move, sentences):
    state = PLAY.settle(state)
    said = PLAY.tell(state, PLAY.play(state, ANA, move), ANA, move)
    assert re.findall(r"(?<=\. )[^.]*(?:gave|saved|relit)[^.]*\.", said) == sentences


BUTTONS = [
    (table(), Hike(0, 1), "The Forest site", "1 Forest"),
    (table(), Hike(0, 7), "The Canteen or Photo site", "canteen, or photo for a token"),
    (but(table(shutterbug="forest"), BO, hikers=(0, 1)), Hike(0, 1), "The Forest site", "1 Forest, badge, campfire"),
    (but(table(), weather=("", "sun", *[""] * 7)), Hike(0, 2), "The Mountain site", "1 Mountain, + Sun, badge"),
    (table(), Hike(0, 11), "Trail End, Photo", "photo for a token"),
    (doing(Parks(), tokens=RICH), VisitPark("Zion"), "Visit Zion", "4 points, pay 3 Mountain"),
    (
        but(doing(Parks(), tokens=RICH), parks=("Voyageurs",)),
        VisitPark("Voyageurs", forest=1),
        "Visit Voyageurs",
        "6 points, pay 2 Forest, 3 Water, 1 Wildlife, then 1 Sun, which can pay for the next park",
    ),
    (
        doing(Parks(), tokens=RICH, passion="Mountaineering", side="gear"),
        VisitPark("Zion", mountain=1),
        "Visit Zion",
        "4 points, pay 1 Mountain (3, one less by your passion), 1 Wildlife",
    ),
    (
        but(doing(Parks(), tokens=RICH, passion="Adventure", side="gear"), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, then a canteen, and a roll of the die by your passion",
    ),
    (
        but(doing(Parks(), tokens=RICH, canteens=(("photo", "photo"),) * 3), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, then a canteen, for which you have no room",
    ),
    (
        but(doing(Parks(), tokens=RICH), parks=("Great Sand Dunes",)),
        VisitPark("Great Sand Dunes"),
        "Visit Great Sand Dunes",
        "6 points, pay 3 Mountain, 3 Sun, then 1 Water, for a canteen row or the next park",
    ),
    (doing(Do("buy"), tokens=RICH), BuyGear("journal-water"), "Buy Journal (2 Water site)", "pay 1 Sun"),
    (
        doing(Do("buy"), passion="Collecting", side="gear"),
        BuyGear(),
        "Buy the top card of the deck",
        "free by your passion",
    ),
    (
        doing(Pour(1), canteens=(("forest", "photo"), (), ())),
        Fill(0),
        "Fill the top row",
        "1 Forest and a photo for a token",
    ),
    (
        doing(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("gear"),
        "Gear side",
        "swap a Forest you gain for a Wildlife",
    ),
    (
        doing(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "End side",
        "1 point for every 2 Forest on parks",
    ),
    (doing(Do("photo"), passion="Wildlife", side="gear"), TakePhoto("wildlife"), "Photo for a Wildlife", "two photos"),
    (doing(Do("roll")), Roll("canteen"), "A canteen", ""),
    (doing(Swap("forest")), Leave(), "Keep the Forest", ""),
    (doing(SetOut()), Hike(0, 10), "Trail End, Parks", "reserve or visit"),
]


@every_row("state, move, label, hint", BUTTONS)
def test_a_button_says_what_it_does_and_what_it_brings(state, move, label, hint):
    assert (move.label(state, ANA), move.hint(state, ANA)) == (label, hint)
