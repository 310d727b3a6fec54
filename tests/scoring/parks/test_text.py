"""PARKS texts: prompts, log lines and labels of buttons."""

import re

import pytest

from scoring.parks import TRACKED_GAME
from scoring.parks.moves.hiking import Hike, ReturnToken, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear, NameTile
from scoring.parks.moves.sites import FillCanteenRow, Roll, StowWater, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import (
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    ReturnTokens,
    RollForShutterbug,
    SeasonCount,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)
from scoring.parks.text import describe_season_standings
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    finished_state,
    make_state,
    token_counts,
    with_ana,
    with_changes,
    with_tasks,
)

SUN_COUNTS = SeasonCount("spring-sun", (3, 1))
OVER = finished_state()


def state_in_trail_setup(task: LayTrail | RollForShutterbug, **changes):
    """Return a state between two seasons.

    Two tiles are still to be placed; or, for RollForShutterbug, only the Shutterbug.
    """
    if isinstance(task, RollForShutterbug):
        return make_state(shutterbug=None, tasks=(StartHike(), task), **changes)
    return make_state(
        shutterbug=None,
        sites=(None, None, *make_state().sites[2:]),
        tasks=(StartHike(), RollForShutterbug(), task),
        **changes,
    )


PROMPTS = [
    (make_state(), "Move a hiker."),
    (
        with_changes(make_state(), BO, hikers=(11, 12)),
        "Move your hikers to Trail End, one after the other: all others are there.",
    ),
    (with_tasks(PlaceWater(2)), "Fill a canteen row with your Water, or put all 2 in the backpack."),
    (with_tasks(PlaceWater(1)), "Fill a canteen row with your Water, or put it in the backpack."),
    (with_tasks(SwapGainedToken("forest")), "Swap your Forest for a Wildlife, or keep it."),
    (with_tasks(ParksAction()), "Reserve a park, visit parks, or leave them."),
    (with_tasks(ParksAction(has_visited=True)), "Visit another park, or say that you are done."),
    (with_tasks(DoAction("roll")), "Roll the Trail Die."),
    (with_tasks(DoAction("photo")), "Pay a token for a photo, or leave it."),
    (
        with_tasks(DoAction("photo", "wide-angle-lens-sun")),
        "Pay a token for a photo with Wide Angle Lens (2 Sun site), or leave it.",
    ),
    (with_tasks(DoAction("canteen")), "Gain a canteen, or leave it."),
    (with_tasks(DoAction("canteen or photo")), "Gain a canteen, or pay a token for a photo, or leave it."),
    (with_tasks(DoAction("trade")), "Trade a token for a Wildlife, or leave it."),
    (with_tasks(DoAction("buy")), "Buy gear, or leave it."),
    (with_tasks(DoAction("reserve")), "Reserve a park, or leave it."),
    (with_tasks(SecondPhoto()), "Pay for a second photo by the Shutterbug Badge, or leave it."),
    (with_tasks(ChooseExtra((Extra("photo"), Extra("roll")))), "Choose what to do next, or leave it."),
    (with_tasks(NameDrawnGear()), "Say which gear card you drew."),
    (with_tasks(ChooseSide()), "Choose a side of your passion."),
    (with_tasks(ReturnTokens()), "Put tokens back until twelve are left."),
    (
        with_changes(with_tasks(DoAction("roll")), awards=(0,), season_count=SUN_COUNTS),
        "Spring bonus, most Sun (Ana 3, Bo 1): roll the Trail Die.",
    ),
    (with_tasks(NameSeasonTile(), state=make_state(tile=None)), "Say which season tile lies open."),
    (state_in_trail_setup(LayTrail()), "Lay the next tile of the Trail."),
    (
        state_in_trail_setup(LayTrail(), season_count=SUN_COUNTS),
        "Lay the next tile of the Trail. Spring bonus, most Sun (Ana 3, Bo 1): Ana.",
    ),
    (state_in_trail_setup(RollForShutterbug()), "Roll the die for the Shutterbug."),
    (
        state_in_trail_setup(LayTrail(), season_count=SeasonCount("summer-wildlife", (0, 0))),
        "Lay the next tile of the Trail. Summer bonus, most Wildlife in the backpack (Ana 0, Bo 0): nobody.",
    ),
    (OVER, "The game is over."),
]


@run_all_rows("state, line", PROMPTS)
def test_prompt_names_the_next_step(state, line):
    assert TRACKED_GAME.text.prompt(state) == line


RACES = [
    (make_state(tile=None), ""),
    (
        with_changes(with_ana(tokens=token_counts(sun=1)), BO, tokens=token_counts(sun=3)),
        "Most Sun in the backpack: Bo 3, Ana 1",
    ),
    (
        with_changes(
            with_ana(make_state(rulings={"spring-counts": "parks"}), visited=("Death Valley",)),
            BO,
            tokens=token_counts(sun=3),
        ),
        "Most Sun on visited parks: Ana 4, Bo 0",
    ),
    (
        with_ana(make_state(tile="summer-wildlife", season=1), tokens=token_counts(wildlife=2)),
        "Most Wildlife in the backpack: Ana 2, Bo 0",
    ),
    (
        with_ana(
            make_state(tile="summer-wildlife", season=1, rulings={"summer-counts": "parks"}),
            tokens=token_counts(wildlife=2),
        ),
        "Most Wildlife on visited parks: Ana 0, Bo 0",
    ),
    (
        with_ana(make_state(tile="summer-canteens", season=1), canteens=(("photo",), (), ())),
        "Most canteens: Ana 1, Bo 0",
    ),
    (with_ana(make_state(tile="fall-sun", season=2), visited=("Arches",)), "Most Sun on visited parks: Ana 2, Bo 0"),
]


@run_all_rows("state, line", RACES)
def test_season_standings_name_the_leaders_with_their_counts(state, line):
    assert describe_season_standings(state, ANA, {}) == line


@pytest.mark.parametrize("ruling, place", [("backpack", "in the backpack"), ("parks", "on visited parks")])
def test_name_of_the_wildlife_tile_follows_the_ruling(ruling, place):
    state = make_state(tile=None, season=1, rulings={"summer-counts": ruling})
    named = NameTile("summer-wildlife")
    assert named.label(state, ANA).text == f"Summer: most Wildlife {place}"
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, named), ANA, named) == (
        f"Ana sees the season tile \u201cSummer: most Wildlife {place}\u201d."
    )


RICH = token_counts(3, 3, 3, 3, 3)
LAST = with_changes(make_state(), BO, hikers=(12, 12))


def state_with_passion_task(name: str, task: Task, **changes) -> State:
    """Return Ana with a task and the gear side of a passion."""
    return with_tasks(task, **{"tokens": RICH, "passion": name, "side": "gear", **changes})


LOG = [
    (
        with_changes(make_state(), weather=("sun", *[""] * 8)),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site. +1 Forest, 1 Sun.",
    ),
    (
        with_changes(with_ana(campfire=True), BO, hikers=(0, 3)),
        Hike(0, 3),
        "Ana hiked from the Trailhead to the 2 Sun site and put out the campfire. +2 Sun. The campfire goes out.",
    ),
    (
        make_state(shutterbug="forest"),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site. +1 Forest. Ana has the Shutterbug Badge.",
    ),
    (
        with_changes(make_state(), first_hiker=BO),
        Hike(0, 10),
        "Ana hiked from the Trailhead to Trail End, Parks. Ana has the First Hiker token.",
    ),
    (
        with_tasks(DoAction("photo"), tokens=RICH),
        TakePhoto("sun"),
        "Ana took a photo for a Sun. \u22121 Sun. +1 photo.",
    ),
    (
        with_changes(with_tasks(SecondPhoto(), tokens=RICH), badge=ANA),
        TakePhoto("sun"),
        "Ana took a second photo for a Sun. \u22121 Sun. +1 photo.",
    ),
    (
        with_tasks(DoAction("trade"), tokens=RICH),
        Trade("sun"),
        "Ana traded a Sun for a Wildlife. +1 Wildlife. \u22121 Sun.",
    ),
    (with_tasks(DoAction("roll")), Roll("2 sun"), "Ana rolled 2 Sun. +2 Sun."),
    (
        with_tasks(DoAction("canteen")),
        TakeCanteen("photo", 1),
        "Ana put a canteen with a photo for a token into the middle row.",
    ),
    (
        with_tasks(DoAction("canteen")),
        TakeCanteen("2 sun", 0, True),
        "Ana put a canteen with 2 Sun from the stack into the top row.",
    ),
    (
        with_tasks(PlaceWater(1), canteens=(("forest",), (), ())),
        FillCanteenRow(0),
        "Ana filled the top row of the canteens. +1 Forest.",
    ),
    (
        with_tasks(PlaceWater(2), canteens=(("forest",), (), ())),
        StowWater(),
        "Ana put the Water into the backpack. +2 Water.",
    ),
    (with_tasks(ParksAction(), tokens=RICH), VisitPark("Zion"), "Ana visited Zion. \u22123 Mountain."),
    (with_tasks(ParksAction()), Reserve("Zion"), "Ana reserved Zion."),
    (with_tasks(ParksAction()), Reserve(deck=True), "Ana reserved the top park of the deck."),
    (with_changes(with_tasks(ParksAction()), parks=(None, None, None)), Reserve(), "Ana reserved an open park."),
    (
        with_tasks(DoAction("buy"), tokens=RICH),
        BuyGear("journal-water"),
        "Ana bought Journal (2 Water site). \u22121 Sun.",
    ),
    (
        with_tasks(DoAction("buy"), tokens=RICH),
        BuyGear(wild=1),
        "Ana bought the top gear card of the deck. \u22121 Sun, 1 Wildlife.",
    ),
    (with_tasks(NameDrawnGear()), DrawGear("compass-die"), "Ana drew Compass (rolling the die)."),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "Ana completed Botany and chose its end side.",
    ),
    (with_tasks(ParksAction()), Skip(), "Ana left the parks."),
    (with_tasks(ParksAction(has_visited=True), tokens=RICH), Skip(), "Ana was done with parks."),
    (with_tasks(DoAction("buy"), tokens=RICH), Skip(), "Ana bought nothing."),
    (with_tasks(DoAction("canteen or photo")), Skip(), "Ana left it."),
    (
        with_tasks(ChooseExtra((Extra("reserve", "journal-sun"), Extra("canteen", "camp-mug-trade")))),
        UseExtra("reserve", "journal-sun"),
        "Ana chose to reserve a park with Journal (2 Sun site).",
    ),
    (
        with_tasks(SwapGainedToken("forest"), tokens=token_counts(forest=1), passion="Botany", side="gear"),
        SwapToken(),
        "Ana swapped the Forest for a Wildlife. +1 Wildlife. \u22121 Forest. The passion Botany gave this swap.",
    ),
    (with_tasks(ReturnTokens(), tokens=token_counts(sun=14)), ReturnToken("sun"), "Ana put back a Sun. \u22121 Sun."),
    (
        state_in_trail_setup(LayTrail()),
        LayTile("mountain"),
        "Ana laid Mountain as site 1.",
    ),
    (
        state_in_trail_setup(RollForShutterbug()),
        PlaceShutterbug("canteen"),
        "Ana put the Shutterbug under the Canteen or Photo site.",
    ),
    (
        with_ana(with_changes(LAST, end_spaces_used=(True,) * 3), hikers=(9, 12), tokens=token_counts(mountain=2)),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. Spring: most Sun: nobody. Summer begins; lay the Trail anew.",
    ),
    (
        with_ana(
            with_changes(LAST, tile="spring-forest", end_spaces_used=(True,) * 3),
            hikers=(9, 12),
            tokens=token_counts(forest=2),
        ),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. Spring: most Forest: Ana.",
    ),
    (
        with_ana(with_changes(LAST, tile="fall-sun", season=2, end_spaces_used=(True,) * 3), hikers=(9, 12)),
        Hike(9, 12),
        "Ana hiked from the Gear site to Trail End, Gear. The last season is over.",
    ),
]


@run_all_rows("state, move, line", LOG)
def test_log_sentence_describes_the_move(state, move, line):
    state = TRACKED_GAME.flow.resolve_forced_steps(state)
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, move), ANA, move) == line


GAVE = [
    (
        with_ana(gear=("sleeping-bag-forest", "hiking-boots-forest")),
        Hike(0, 1),
        ["Sleeping Bag (Forest site) gave 2 Sun and relit the campfire.", "Hiking Boots (Forest site) gave 1 Forest."],
    ),
    (with_ana(gear=("flint-tinder-sun",), campfire=True), Hike(0, 3), []),
    (
        with_tasks(DoAction("trade"), tokens=RICH, gear=("rain-gear-trade",)),
        Trade("sun"),
        ["Rain Gear (trading for Wildlife) gave 2 Water."],
    ),
    (
        with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH),
        TakePhoto("sun"),
        ["Telephoto Lens (rolling the die) gave this photo."],
    ),
    (with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH), Skip(), []),
    (
        with_changes(with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH), market=(None,) * 3),
        NameGear("journal-sun"),
        [],
    ),
    (
        with_tasks(DoAction("canteen", "camp-mug-trade")),
        TakeCanteen("photo", 1),
        ["Camp Mug (trading for Wildlife) gave this canteen."],
    ),
    (with_tasks(DoAction("reserve", "journal-sun")), Reserve("Zion"), ["Journal (2 Sun site) gave this park."]),
    (
        with_tasks(DoAction("roll", "mystery-cache-photo")),
        Roll("2 sun"),
        ["Mystery Cache (trading for a photo) gave this roll."],
    ),
    (
        state_with_passion_task("Mountaineering", ParksAction()),
        VisitPark("Zion"),
        ["The passion Mountaineering saved 1 Mountain."],
    ),
    (
        with_changes(state_with_passion_task("Adventure", ParksAction()), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        ["The passion Adventure gave a roll of the die."],
    ),
    (
        state_with_passion_task("Swimming", PlaceWater(1), canteens=(("forest",), (), ())),
        FillCanteenRow(0),
        ["The passion Swimming gave a roll of the die."],
    ),
    (
        state_with_passion_task("Wildlife", DoAction("photo")),
        TakePhoto("wildlife"),
        ["The passion Wildlife gave one more photo."],
    ),
    (state_with_passion_task("Wildlife", DoAction("photo")), TakePhoto("sun"), []),
    (state_with_passion_task("Botany", SwapGainedToken("forest")), SwapToken(), ["The passion Botany gave this swap."]),
    (
        state_with_passion_task("Rock Climbing", SwapGainedToken("mountain")),
        SwapToken(),
        ["The passion Rock Climbing gave this swap."],
    ),
    (
        state_with_passion_task("Collecting", DoAction("buy")),
        BuyGear("binoculars-reserve"),
        ["The passion Collecting saved 2 Sun."],
    ),
    (state_with_passion_task("Collecting", DoAction("buy")), BuyGear(), ["The passion Collecting saved 2 Sun."]),
]


@pytest.mark.parametrize("state, move, sentences", GAVE)
def test_log_line_of_a_bonus_names_the_gear_or_passion(state, move, sentences):
    state = TRACKED_GAME.flow.resolve_forced_steps(state)
    sentence = TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, move), ANA, move)
    assert re.findall(r"(?<=\. )[^.]*(?:gave|saved|relit)[^.]*\.", sentence) == sentences


BUTTONS = [
    (make_state(), Hike(0, 1), "The Forest site", "1 Forest"),
    (make_state(), Hike(0, 7), "The Canteen or Photo site", "canteen, or photo for a token"),
    (
        with_changes(make_state(shutterbug="forest"), BO, hikers=(0, 1)),
        Hike(0, 1),
        "The Forest site",
        "1 Forest, badge, campfire",
    ),
    (
        with_changes(make_state(), weather=("", "sun", *[""] * 7)),
        Hike(0, 2),
        "The Mountain site",
        "1 Mountain, + Sun, badge",
    ),
    (make_state(), Hike(0, 11), "Trail End, Photo", "photo for a token"),
    (with_tasks(ParksAction(), tokens=RICH), VisitPark("Zion"), "Visit Zion", "4 points, pay 3 Mountain"),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH), parks=("Voyageurs",)),
        VisitPark("Voyageurs", forest=1),
        "Visit Voyageurs",
        "6 points, pay 2 Forest, 3 Water, 1 Wildlife, then 1 Sun, which can pay for the next park",
    ),
    (
        with_tasks(ParksAction(), tokens=RICH, passion="Mountaineering", side="gear"),
        VisitPark("Zion", mountain=1),
        "Visit Zion",
        "4 points, pay 1 Mountain (3, one less by your passion), 1 Wildlife",
    ),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH, passion="Adventure", side="gear"), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, then a canteen, and a roll of the die by your passion",
    ),
    (
        with_changes(
            with_tasks(ParksAction(), tokens=RICH, canteens=(("photo", "photo"),) * 3), parks=("Isle Royale",)
        ),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, then a canteen, for which you have no room",
    ),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH), parks=("Great Sand Dunes",)),
        VisitPark("Great Sand Dunes"),
        "Visit Great Sand Dunes",
        "6 points, pay 3 Mountain, 3 Sun, then 1 Water, for a canteen row or the next park",
    ),
    (with_tasks(DoAction("buy"), tokens=RICH), BuyGear("journal-water"), "Buy Journal (2 Water site)", "pay 1 Sun"),
    (
        with_tasks(DoAction("buy"), passion="Collecting", side="gear"),
        BuyGear(),
        "Buy the top card of the deck",
        "free by your passion",
    ),
    (
        with_tasks(PlaceWater(1), canteens=(("forest", "photo"), (), ())),
        FillCanteenRow(0),
        "Fill the top row",
        "1 Forest and a photo for a token",
    ),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("gear"),
        "Gear side",
        "swap a Forest you gain for a Wildlife",
    ),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "End side",
        "1 point for every 2 Forest on parks",
    ),
    (
        with_tasks(DoAction("photo"), passion="Wildlife", side="gear"),
        TakePhoto("wildlife"),
        "Photo for a Wildlife",
        "two photos",
    ),
    (with_tasks(DoAction("roll")), Roll("canteen"), "A canteen", ""),
    (with_tasks(SwapGainedToken("forest")), Skip(), "Keep the Forest", ""),
    (with_tasks(StartHike()), Hike(0, 10), "Trail End, Parks", "reserve or visit"),
]


@run_all_rows("state, move, label, hint", BUTTONS)
def test_button_label_and_hint(state, move, label, hint):
    assert (move.label(state, ANA).text, move.label(state, ANA).hint) == (label, hint)
