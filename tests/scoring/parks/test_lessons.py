"""PARKS: when a player meets the lessons of a first game, and when not."""

import pytest
from msgspec.structs import replace

from scoring.kernel.editable import Replace
from scoring.parks import TRACKED_GAME
from scoring.parks.lessons import LESSONS
from scoring.parks.moves.corrections import EditPosition
from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.sites import Roll, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile
from scoring.parks.state import (
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    NameDrawnGear,
    ParksAction,
    PlaceWater,
    SecondPhoto,
    Setup,
    State,
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
    PARKS_SITE,
    PHOTO,
    SUN,
    WATER,
    WILDLIFE,
    finished_state,
    make_state,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_tasks,
)
from tests.support.player_names import NAMES

START = make_state()
POOR, RICH = token_counts(), token_counts(3, 3, 3, 3, 3)
SIX_CANTEENS = (("forest", "forest"), ("mountain", "mountain"), ("photo", "photo"))
SHARED = with_changes(START, BO, hikers=(0, FOREST))
PASSED = with_changes(with_ana(hikers=(SUN, SUN)), BO, hikers=(0, FOREST))
ALONE = with_changes(SHARED, BO, hikers=(END_PARKS, END_GEAR))
COLLECTING = {"passion": "Collecting", "side": "gear", "bought": 2, "tokens": RICH}
FULL_RESERVE = {"reserve": ("Arches", "Congaree", "Katmai"), "tokens": RICH}


def before_season_end(tile: str = "spring-sun", **changes) -> State:
    """Return Ana with one hiker before the last step of Spring; Bo is done and has 1 Sun."""
    state = make_state(tile=tile, end_spaces_used=(True, True, True))
    state = with_changes(state, BO, hikers=(END_GEAR, END_GEAR), tokens=token_counts(sun=1))
    return with_ana(state, **{"hikers": (GEAR_SITE, END_GEAR), **changes})


LAST_STEP = Hike(GEAR_SITE, END_GEAR)

# Each lesson about a decision: positions of Ana in which she meets it, and similar ones in which she does not.
DECISIONS = {
    "hike": ([START, ALONE], [with_tasks(DoAction("roll"))]),
    "campfire-out": (
        [SHARED, with_ana(hikers=(0, FOREST))],
        [START, with_ana(SHARED, campfire=True), PASSED, with_ana(ALONE, hikers=(0, FOREST))],
    ),
    "campfire-lit": (
        [with_ana(SHARED, campfire=True)],
        [SHARED, with_ana(PASSED, campfire=True), with_ana(ALONE, hikers=(0, FOREST), campfire=True)],
    ),
    "end-ahead": (
        [with_ana(hikers=(0, PARKS_SITE)), ALONE],
        [START, with_ana(hikers=(0, WATER)), with_ana(hikers=(FOREST, END_PHOTO))],
    ),
    "others-done": (
        [with_changes(START, BO, hikers=(0, END_PHOTO))],
        [START, with_ana(hikers=(0, END_PHOTO)), ALONE],
    ),
    "fall": (
        [with_changes(START, season=2, tile="fall-sun")],
        [START, with_changes(START, season=1, tile="summer-gear")],
    ),
    "season-race": (
        [with_ana(hikers=(0, FOREST)), with_changes(START, season=1, tile="summer-gear")],
        [START, with_changes(with_ana(hikers=(0, FOREST)), tile=None)],
    ),
    "two-hikers": (
        [with_ana(hikers=(0, FOREST))],
        [START, with_ana(hikers=(FOREST, END_PHOTO)), with_ana(hikers=(SUN, SUN))],
    ),
    "fill-row": ([with_tasks(PlaceWater(1), canteens=(("forest",), (), ()))], [START]),
    "canteen": (
        [with_tasks(DoAction("canteen")), with_tasks(DoAction("canteen or photo"))],
        [with_tasks(DoAction("photo"), tokens=RICH), with_tasks(DoAction("canteen or photo"), canteens=SIX_CANTEENS)],
    ),
    "canteen-late": (
        [with_tasks(DoAction("canteen"), canteens=(("forest",), (), ()), filled=(True, False, False))],
        [
            with_tasks(DoAction("canteen"), canteens=(("forest",), (), ())),
            with_tasks(DoAction("canteen"), canteens=(("forest", "photo"), (), ()), filled=(True, False, False)),
        ],
    ),
    "photo": (
        [with_tasks(DoAction(action), tokens=RICH) for action in ("photo", "canteen or photo")]
        + [with_tasks(SecondPhoto(), tokens=RICH)],
        [with_tasks(DoAction("canteen"), tokens=RICH), with_tasks(DoAction("canteen or photo"), tokens=POOR)],
    ),
    "gear": (
        [with_tasks(DoAction("buy"), tokens=RICH)],
        [with_tasks(DoAction("buy"), **COLLECTING), with_tasks(NameDrawnGear())],
    ),
    "parks": (
        [
            with_tasks(ParksAction()),
            with_tasks(ParksAction(), **FULL_RESERVE),
        ],
        [
            with_tasks(ParksAction(has_visited=True), tokens=RICH),
            with_tasks(ParksAction(), state=make_state(rulings={"reserve-limit": "three"}), **FULL_RESERVE),
            with_tasks(DoAction("reserve")),
        ],
    ),
    "gear-works": (
        [
            with_tasks(DoAction("reserve", "binoculars-reserve"), gear=("binoculars-reserve",)),
            with_tasks(
                ChooseExtra((Extra("photo", "compass-die"), Extra("roll", "compass-die"))), gear=("compass-die",)
            ),
        ],
        [with_tasks(DoAction("reserve")), with_tasks(ChooseExtra((Extra("photo"), Extra("trade"))))],
    ),
    "passion-met": ([with_tasks(ChooseSide(), passion="Collecting", bought=2)], [with_ana(passion="Collecting")]),
    "season-bonus": (
        [
            state_after(before_season_end("spring-water", tokens=token_counts(water=1)), LAST_STEP),
            state_after(before_season_end(tokens=token_counts(sun=2)), LAST_STEP, Skip()),
        ],
        [with_tasks(DoAction("canteen")), state_after(before_season_end(tokens=RICH), LAST_STEP)],
    ),
}

AT_PARKS = state_after(with_ana(tokens=token_counts(9, 9, 9, 9, 9), passion="Botany"), Hike(0, PARKS_SITE))
PARKS_WITH_INSTANT = with_changes(AT_PARKS, parks=("Voyageurs", "Zion", "Redwood"))
MOVE_FORWARD = EditPosition((Replace("players.0.hikers.1", "trailhead", "site 9"),))

# Each lesson about an event: positions and moves of which the last lets Ana meet it, and similar ones that do not.
EVENTS = {
    "nothing": (
        [
            (START, [Hike(0, GEAR_SITE)]),
            (START, [Hike(0, WILDLIFE)]),
            (with_changes(ALONE, end_spaces_used=(True, True, True)), [Hike(0, END_GEAR)]),
        ],
        [
            (START, [Hike(0, FOREST)]),
            (with_ana(tokens=RICH), [Hike(0, GEAR_SITE)]),
            (with_ana(tokens=RICH), [Hike(0, WILDLIFE), Skip()]),
            (START, [MOVE_FORWARD]),
        ],
    ),
    "badge": (
        [
            (make_state(shutterbug="forest"), [Hike(0, FOREST)]),
            (make_state(shutterbug="forest", badge=BO), [Hike(0, FOREST)]),
        ],
        [
            (make_state(shutterbug="forest", badge=ANA), [Hike(0, FOREST)]),
            (make_state(shutterbug="sun"), [Hike(0, FOREST), Hike(0, SUN)]),
        ],
    ),
    "instant": (
        [(PARKS_WITH_INSTANT, [VisitPark("Voyageurs")])],
        [(PARKS_WITH_INSTANT, [VisitPark("Zion")]), (PARKS_WITH_INSTANT, [Reserve("Voyageurs")])],
    ),
    "reserved": ([(AT_PARKS, [Reserve("Zion")])], [(AT_PARKS, [VisitPark("Zion")]), (AT_PARKS, [Skip()])]),
    "wildlife": (
        [(with_ana(tokens=RICH), [Hike(0, WILDLIFE), Trade("sun")]), (START, [Hike(0, DIE), Roll("wildlife")])],
        [
            (with_ana(tokens=RICH), [Hike(0, WILDLIFE)]),
            (START, [Hike(0, DIE), Roll("forest")]),
            (with_ana(tokens=RICH), [Hike(0, PHOTO), TakePhoto("wildlife")]),
        ],
    ),
    "first-hiker": (
        [(make_state(first_hiker=BO), [Hike(0, END_PARKS)])],
        [(START, [Hike(0, END_PARKS)]), (make_state(first_hiker=BO), [Hike(0, END_GEAR)])],
    ),
    "at-end": (
        [(START, [Hike(0, END_GEAR)]), (with_ana(hikers=(FOREST, END_GEAR)), [Hike(FOREST, END_GEAR)])],
        [(START, [Hike(0, GEAR_SITE)]), (START, [Hike(0, FOREST), Hike(0, END_GEAR)])],
    ),
    "gear-works": (
        [
            (with_ana(tokens=RICH), [Hike(0, GEAR_SITE), BuyGear("journal-water")]),
            (with_ana(tokens=RICH), [Hike(0, GEAR_SITE), BuyGear(None), DrawGear("compass-die")]),
        ],
        [
            (with_ana(tokens=RICH), [Hike(0, GEAR_SITE), BuyGear(None)]),
            (with_ana(tokens=RICH), [Hike(0, GEAR_SITE), Skip()]),
            (with_changes(START, BO, tokens=RICH), [Hike(0, SUN), Hike(0, GEAR_SITE), BuyGear("journal-water")]),
        ],
    ),
    "passion-not-entered": (
        [(START, [Hike(0, FOREST)])],
        [
            (with_ana(passion="Botany"), [Hike(0, FOREST)]),
            (START, [Hike(0, FOREST), Hike(0, MOUNTAIN)]),
            (START, [Hike(0, DIE)]),
        ],
    ),
    "season-bonus": (
        [
            (before_season_end(tokens=token_counts(sun=2)), [LAST_STEP, Skip()]),
            (before_season_end("spring-mountain", tokens=token_counts(mountain=1)), [LAST_STEP]),
        ],
        [
            (before_season_end(), [LAST_STEP]),
            (before_season_end(tokens=token_counts(sun=2)), [LAST_STEP]),
            (START, [Hike(0, FOREST)]),
        ],
    ),
    "new-season": (
        [(before_season_end("spring-forest"), [LAST_STEP])],
        [
            (before_season_end("spring-forest"), [LAST_STEP, LayTile("forest")]),
            (START, [EditPosition((Replace("season", "Spring", "Summer"),))]),
        ],
    ),
}


def lessons_of_decision(state: State) -> set[str]:
    assert ANA in TRACKED_GAME.flow.to_move(state)
    return set(LESSONS.decisions(TRACKED_GAME.view(state, ANA), ANA))


def lessons_of_last_move(state: State, moves: list) -> set[str]:
    before = state_after(state, *moves[:-1])
    after = state_after(before, moves[-1])
    return set(LESSONS.events(TRACKED_GAME.view(before, ANA), TRACKED_GAME.view(after, ANA), ANA))


@run_all_rows("lesson", DECISIONS)
def test_lesson_about_a_decision_is_met_when_it_helps(lesson):
    meeting, others = DECISIONS[lesson]
    assert [lesson in lessons_of_decision(state) for state in meeting] == [True] * len(meeting)
    assert [lesson in lessons_of_decision(state) for state in others] == [False] * len(others)


@run_all_rows("lesson", EVENTS)
def test_lesson_about_an_event_is_met_when_it_happens(lesson):
    meeting, others = EVENTS[lesson]
    assert [lesson in lessons_of_last_move(*case) for case in meeting] == [True] * len(meeting)
    assert [lesson in lessons_of_last_move(*case) for case in others] == [False] * len(others)


def test_end_of_the_game_has_no_lessons():
    over = finished_state()
    assert list(LESSONS.events(with_changes(over, first_hiker=BO), over, ANA)) == []


def test_table_setup_has_no_lessons():
    state = TRACKED_GAME.initial_state(TRACKED_GAME.setup_format.default(["Ana", "Bo"]))
    assert lessons_of_decision(state) == set()


def setup_of(count: int, **changes) -> Setup:
    return replace(TRACKED_GAME.setup_format.default(list(NAMES[:count])), **changes)


def setup_texts(setup: Setup) -> dict[str, str]:
    return {step.id: step.text for step in LESSONS.setup_steps(setup)}


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_setup_has_the_counts_of_each_number_of_players(count):
    texts = setup_texts(setup_of(count))
    assert len(texts) == 12
    assert ("campfires-out" in texts, "campfires-lit" in texts) == (count <= 3, count > 3)
    assert f"in front of {NAMES[0]}. {NAMES[0]} takes" in texts["first-hiker"]
    assert [text for id in ("parks", "gear", "canteens") if "Turn 3 face up" not in (text := texts[id])] == []
    assert "except the first: 8 in all. Start with Sun," in texts["weather"]
    assert "an empty backpack" in texts["boards"]


def test_setup_follows_house_rules_and_entered_numbers():
    rulings = {"weather-start": "water", "weather-parks": "no", "first-hiker-spring": "no-one"}
    setup = setup_of(2, parks=4, gear=2, rulings=rulings)
    setup = replace(setup, players=(replace(setup.players[0], tokens=token_counts(sun=1)), *setup.players[1:]))
    texts = setup_texts(setup)
    assert "Turn 4 face up" in texts["parks"] and "Turn 2 face up" in texts["gear"]
    assert "except the first and Parks: 7 in all. Start with Water," in texts["weather"]
    assert "token beside the board." in texts["first-hiker"]
    assert "the items entered at setup" in texts["boards"]


def test_setup_asks_for_what_is_not_entered():
    state = TRACKED_GAME.initial_state(setup_of(2))
    everyone = (ANA, BO)
    assert LESSONS.setup_gaps(state) == dict.fromkeys(("trail", "shutterbug", "tile", "passion"), everyone)
    entered = with_changes(with_ana(passion="Botany"), shutterbug="sun", tile="spring-sun")
    assert LESSONS.setup_gaps(entered) == {"trail": (), "shutterbug": (), "tile": (), "passion": (BO,)}
