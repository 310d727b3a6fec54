"""PARKS: what everybody sees on the table, thing by thing, and how each of these things is set right."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.editable import But, By, Change, Figure, Into, differences
from scoring.kernel.errors import Illegal
from scoring.parks.box import IN_BOX, SEASONS, HomeMade, HomePark
from scoring.parks.moves.corrections import Adopt, SetRight
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.reveals import NameTile
from scoring.parks.position import Table
from scoring.parks.state import (
    GONE,
    SET_OUT,
    AskTile,
    ChooseSide,
    Counted,
    Do,
    Extra,
    GainLater,
    Lay,
    Parks,
    Pick,
    PlaceBug,
    Pour,
    SetOut,
    State,
    Swap,
)
from tests.support.cases import LONG, every_row, marked
from tests.support.parks_invariants import TABLES, tokens_of
from tests.support.parks_table import (
    ANA,
    BO,
    PLAY,
    after,
    ana,
    but,
    cases,
    codes,
    doing,
    have,
    laid,
    left,
    over,
    shown,
    table,
)
from tests.support.random_games import one_change, random_move

PLAIN = table()
LIMITED = {"token-supply": "limited"}
AT_END = but(but(PLAIN, ANA, hikers=(10, 11)), BO, hikers=(10, 12))
LAYING = but(
    PLAIN,
    sites=(*PLAIN.sites[:6], None, None, None),
    shutterbug=None,
    tile=None,
    season=1,
    tasks=(SetOut(), PlaceBug(), Lay()),
)
AWARDS = but(
    table(3),
    players=tuple(replace(player, hikers=(10, 11)) for player in table(3).players),
    end_used=(True, True, False),
    counted=Counted("spring-sun", (3, 3, 3)),
    awards=(ANA, BO),
    tasks=(Do("roll"),),
)
OVER = over()


def figure(state: State, at: str) -> Figure:
    return next(figure for figure in PLAY.lying.figures(state) if figure.at == at)


def set_right(state: State, *changes: Change) -> State:
    """Return the state after the table has agreed to a correction, which Bo has asked for."""
    return PLAY.play(state, BO, SetRight(changes))


def told(state: State, *changes: Change) -> str:
    return SetRight(changes).told(state, BO).removeprefix("had it set right: ")


# Each kind of thing is set right: (before, changes, whose, what it is then, what the log says).

SET = {
    "token-supply": [
        (ana(tokens=have(1)), (By("players.0.sun", 2),), ANA, {"tokens": have(1, 0, 2)}, "Ana, Sun 0 \u2192 2"),
        (ana(tokens=have(1, 2)), (By("players.0.mountain", -2),), ANA, {"tokens": have(1)}, "Ana, Mountain 2 \u2192 0"),
        (PLAIN, (By("players.1.photos", 3),), BO, {"photos": 3}, "Bo, photos 0 \u2192 3"),
    ],
    "campfire-share": [
        (PLAIN, (Into("players.1.campfire", "out", "burning"),), BO, {"campfire": True}, "Bo, campfire out \u2192 burning"),
    ],
    "hikers": [
        (
            ana(hikers=(2, 5)), (Into("players.0.hikers.0", "site 2", "site 7"),), ANA, {"hikers": (5, 7)},
            "Ana, hiker behind the Mountain site \u2192 the Canteen or Photo site",
        ),
        (
            ana(hikers=(2, 5)), (Into("players.0.hikers.1", "site 5", "trailhead"),), ANA, {"hikers": (0, 2)},
            "Ana, hiker ahead the Parks site \u2192 the Trailhead",
        ),
        (
            ana(hikers=(0, 5)), (Into("players.0.hikers.1", "site 5", "end photo"),), ANA,
            {"hikers": (0, 11), "end_used": (False, True, False)},
            "Ana, hiker ahead the Parks site \u2192 Trail End, Photo",
        ),
    ],
    "canteen-rows": [
        (
            PLAIN, (But("players.0.middle.canteens", more=("2 sun", "2 sun")),), ANA, {"canteens": ((), ("2 sun", "2 sun"), ())},
            "Ana, canteens in the middle row +\u201c2 Sun\u201d, +\u201c2 Sun\u201d",
        ),
        (
            ana(canteens=(("photo",), (), ())), (But("players.0.top.canteens", ("photo",), ("parks",)),), ANA,
            {"canteens": (("parks",), (), ())},
            "Ana, canteens in the top row \u2212\u201cphoto for a token\u201d, +\u201cParks action\u201d",
        ),
    ],
    "canteen-row-once": [
        (
            ana(canteens=(("photo",), (), ())), (Into("players.0.top.water", "empty", "full"),), ANA,
            {"filled": (True, False, False)}, "Ana, top row empty \u2192 full",
        ),
    ],
    "visit-many": [
        (PLAIN, (But("players.1.visited", more=("Denali",)),), BO, {"visited": ("Denali",)}, "Bo, visited parks +Denali"),
    ],
    "reserve-own": [
        (
            ana(reserve=(None, "Arches")), (But("players.0.reserve", ("not named",), ("Denali",)),), ANA,
            {"reserve": ("Arches", "Denali")}, "Ana, reserve \u2212not named, +Denali",
        ),
        (PLAIN, (But("players.1.reserve", more=("not named",) * 2),), BO, {"reserve": (None, None)},
         "Bo, reserve +not named, +not named"),
    ],
    "gear-ready": [
        (
            ana(gear=("compass-die",)), (But("players.0.gear", ("compass-die",), ("journal-sun",)),), ANA,
            {"gear": ("journal-sun",)},
            "Ana, gear \u2212Compass (rolling the die), +Journal (2 Sun site)",
        ),
    ],
    "setup-passions": [
        (PLAIN, (Into("players.1.passion", "not named", "Botany"),), BO, {"passion": "Botany"},
         "Bo, passion not named \u2192 Botany"),
        (ana(passion="Botany"), (Into("players.0.passion", "Botany", "not named"),), ANA, {"passion": None},
         "Ana, passion Botany \u2192 not named"),
    ],
    "passion-side": [
        (ana(passion="Botany"), (Into("players.0.side", "none", "end"),), ANA, {"side": "end"},
         "Ana, side of the passion not chosen \u2192 end side"),
        (ana(passion="Botany", side="end"), (Into("players.0.side", "end", "none"),), ANA, {"side": None},
         "Ana, side of the passion end side \u2192 not chosen"),
    ],
    "passion-goal": [
        (PLAIN, (By("players.0.bought", 2),), ANA, {"bought": 2}, "Ana, gear bought 0 \u2192 2"),
        (PLAIN, (By("players.0.wild_photos", 1),), ANA, {"wild_photos": 1}, "Ana, photos paid with a Wildlife 0 \u2192 1"),
    ],
    "setup-tiles": [
        (
            PLAIN, (Into("sites.0", "forest", "gear"), Into("sites.8", "gear", "forest")), ANA,
            {"sites": ("gear", *PLAIN.sites[1:8], "forest"), "hikers": (0, 0)},
            "site 1 the Forest site \u2192 the Gear site; site 9 the Gear site \u2192 the Forest site",
        ),
        (LAYING, (Into("sites.0", "forest", "gear"),), ANA, {"sites": ("gear", *LAYING.sites[1:])},
         "site 1 the Forest site \u2192 the Gear site"),
    ],
    "weather-taken": [
        (PLAIN, (Into("weather.1", "none", "sun"),), ANA, {"weather": ("", "sun", *[""] * 7)},
         "weather on site 2 nothing \u2192 a Sun"),
    ],
    "shutterbug-faces": [
        (PLAIN, (Into("shutterbug", "mountain", "water"),), ANA, {"shutterbug": "water"},
         "Shutterbug under the Mountain site \u2192 under the 2 Water site"),
    ],
    "shutterbug-badge": [
        (PLAIN, (Into("badge", "nobody", "1"),), ANA, {"badge": BO}, "Shutterbug Badge nobody \u2192 Bo"),
        (but(PLAIN, badge=BO), (Into("badge", "1", "nobody"),), ANA, {"badge": None}, "Shutterbug Badge Bo \u2192 nobody"),
    ],
    "end-first-parks": [
        (PLAIN, (Into("first_hiker", "0", "1"),), ANA, {"first_hiker": BO}, "First Hiker token Ana \u2192 Bo"),
    ],
    "end-first-photo": [
        (PLAIN, (But("end_used", more=("photo",)),), ANA, {"end_used": (False, True, False)},
         "used and empty at Trail End +Photo"),
        (but(PLAIN, end_used=(False, True, False)), (But("end_used", less=("photo",)),), ANA, {"end_used": (False,) * 3},
         "used and empty at Trail End \u2212Photo"),
    ],
    "setup-displays": [
        (PLAIN, (Into("parks.0", "Zion", "Denali"),), ANA, {"parks": ("Denali", "Redwood", "Yellowstone")},
         "open park 1 Zion \u2192 Denali"),
        (PLAIN, (Into("parks.2", "Yellowstone", "not named"),), ANA, {"parks": ("Zion", "Redwood", None)},
         "open park 3 Yellowstone \u2192 not named"),
        (doing(Do("photo"), tokens=have(1)), (Into("parks.0", "Zion", "gone"),), ANA,
         {"parks": (GONE, "Redwood", "Yellowstone")}, "open park 1 Zion \u2192 gone"),
        (PLAIN, (Into("market.1", "journal-water", "compass-die"),), ANA,
         {"market": (PLAIN.market[0], "compass-die", PLAIN.market[2])},
         "open gear 2 Journal (2 Water site) \u2192 Compass (rolling the die)"),
        (PLAIN, (Into("canteens.2", "not named", "trade"),), None, {"canteens": (None, None, "trade")},
         "open canteen 3 not named \u2192 token for Wildlife"),
    ],
    "seasons": [
        (PLAIN, (Into("season", "Spring", "Summer"),), ANA, {"season": 1, "tile": None}, "season Spring \u2192 Summer"),
        (AT_END, (Into("season", "Spring", "Fall"), Into("tile", "spring-sun", "fall-sun"), Into("over", "on", "over")), ANA,
         {"season": 2, "tile": "fall-sun", "over": True, "tasks": ()},
         "season Spring \u2192 Fall; season tile Spring: most Sun \u2192 Fall: most Sun; game still on \u2192 over"),
        (OVER, (Into("over", "over", "on"), Into("players.0.hikers.0", "end photo", "site 3")), ANA,
         {"over": False, "tasks": SET_OUT, "hikers": (3, 12), "turn": ANA, "end_used": (False, True, True)},
         "game over \u2192 still on; Ana, hiker behind Trail End, Photo \u2192 the 2 Sun site"),
    ],
    "setup-season-tile": [
        (PLAIN, (Into("tile", "spring-sun", "spring-water"),), ANA, {"tile": "spring-water"},
         "season tile Spring: most Sun \u2192 Spring: most Water"),
        (PLAIN, (Into("tile", "spring-sun", "not named"),), ANA, {"tile": None},
         "season tile Spring: most Sun \u2192 not named"),
    ],
    "turn-order": [
        (
            but(doing(Do("photo"), tokens=have(1), gear=("compass-die",)), used=("compass-die",), second_used=True,
                passion_used=True, ready=(Extra("reserve", "compass-die"),)),
            (Into("turn", "0", "1"),), ANA,
            {"turn": BO, "tasks": SET_OUT, "used": (), "second_used": False, "passion_used": False, "ready": ()},
            "turn Ana \u2192 Bo",
        ),
        (LAYING, (Into("turn", "0", "1"),), ANA, {"turn": BO, "tasks": LAYING.tasks}, "turn Ana \u2192 Bo"),
    ],
    "turn-steps": [
        (
            ana(tokens=have(1), hikers=(0, 7)), (But("to_do", ("hike",), ("canteen or photo",)),), ANA,
            {"tasks": (Do("canteen or photo"),), "turn": ANA},
            "still to do \u2212hike, +canteen or photo",
        ),
        (
            doing(Do("photo"), Pour(2), tokens=have(1), canteens=(("photo",), (), ())),
            (But("to_do", less=('{"do":"pour","waters":2}',)),), ANA, {"tasks": (Do("photo"),)},
            "still to do \u22122 Water to pour",
        ),
    ],
    "gear-once": [
        (ana(gear=("compass-die",)), (But("used", more=("compass-die",)),), ANA, {"used": ("compass-die",)},
         "gear used this turn +Compass (rolling the die)"),
        (ana(gear=("compass-die", "journal-sun")), (But("set_off", more=("journal-sun",)),), ANA,
         {"ready": (Extra("reserve", "journal-sun"),)},
         "set off by gear +park to reserve by Journal (2 Sun site)"),
    ],
    "second-photo": [
        (PLAIN, (Into("second_used", "not used", "used"),), ANA, {"second_used": True},
         "second photo of this turn not used yet \u2192 used"),
    ],
    "passion-once": [
        (PLAIN, (Into("passion_used", "not used", "used"),), ANA, {"passion_used": True},
         "gear side of the passion, this turn not used yet \u2192 used"),
    ],
    "season-bonus": [
        (AWARDS, (But("awards", ("1",), ("2",)),), ANA, {"awards": (ANA, 2)}, "bonus still to come for \u2212Bo, +Cy"),
        (AWARDS, (But("awards", less=("1",)),), ANA, {"awards": (ANA,)}, "bonus still to come for \u2212Bo"),
    ],
    "components": [  # several things at once
        (
            PLAIN, (By("players.0.sun", 2), By("players.1.sun", 1), Into("parks.0", "Zion", "gone"),
                    But("players.0.visited", more=("Zion",))), ANA,
            {"tokens": have(0, 0, 2), "visited": ("Zion",), "parks": (GONE, "Redwood", "Yellowstone")},
            "Ana, Sun 0 \u2192 2; Bo, Sun 0 \u2192 1; open park 1 Zion \u2192 gone; Ana, visited parks +Zion",
        ),
    ],
}  # fmt: skip


@every_row("before, changes, whose, then, words", cases(SET))
def test_a_thing_is_set_right(before, changes, whose, then, words):
    now = set_right(before, *changes)
    assert (shown(now, then, whose) if whose is not None else {name: getattr(now, name) for name in then}) == then
    assert told(before, *changes) == words
    assert list(PLAY.lying.faults(now)) == [] and tuple(tokens_of(now)) == IN_BOX
    assert any(differences(PLAY.lying.figures(before), PLAY.lying.figures(now)))


# What cannot be is refused: (before, changes, code, sentence).

REFUSED = {
    "park-once": [
        (PLAIN, (But("players.1.visited", more=("Zion",)),), "park-once",
         "There is only one Zion, but it lies among the open parks and visited by Bo."),
        (ana(visited=("Denali",)), (But("players.1.reserve", more=("Denali",)),), "park-once",
         "There is only one Denali, but it lies visited by Ana and in the reserve of Bo."),
        (PLAIN, (But("players.1.visited", more=("Denali", "Denali")),), "park-once",
         "There is only one Denali, but it lies visited by Bo and visited by Bo."),
        (PLAIN, (Into("parks.0", "Zion", "Redwood"),), "park-once",
         "There is only one Redwood, but it lies among the open parks and among the open parks."),
        (but(PLAIN, BO, reserve=(None,) * 60), (But("players.0.reserve", more=("not named",)),), "deck-empty",
         "More parks lie on the table than there are."),
    ],
    "setup-passions": [
        (ana(passion="Botany"), (Into("players.1.passion", "not named", "Botany"),), "passion-taken",
         "There is only one Botany, but Ana and Bo have it."),
    ],
    "passion-side": [
        (PLAIN, (Into("players.1.side", "none", "gear"),), "no-passion",
         "Bo has chosen a side of a passion nobody has named."),
        (ana(passion="Botany", side="end"), (Into("players.0.passion", "Botany", "not named"),), "no-passion",
         "Ana has chosen a side of a passion nobody has named."),
    ],
    "setup-tiles": [
        (PLAIN, (Into("sites.0", "forest", "gear"),), "nine-sites", "There is only one Gear site."),
    ],
    "parks-site": [
        (LAYING, (Into("sites.4", "parks", "gear"),), "nine-sites", "The Parks site is printed on the board."),
    ],
    "canteen-brings": [
        (PLAIN, (Into("players.0.top.water", "empty", "full"),), "row-empty",
         "Without a canteen no Water can be in the top row of Ana."),
    ],
    "canteen-rows": [
        (ana(canteens=((), (), ("photo", "trade"))), (But("players.0.bottom.canteens", more=("parks",)),), "row-full",
         "The bottom row of Ana has room for two canteens."),
    ],
    "token-supply": [
        (left((1, 15, 30, 30, 14), table(rulings=LIMITED)), (By("players.0.forest", 2),), "box-counts",
         "The box has 15 Forest; more than that lie here."),
        (table(rulings=LIMITED), (By("players.0.photos", 29),), "box-counts",
         "The box has 28 photos; more than that lie here."),
        (left((9, 9, 0, 9, 9), table(rulings=LIMITED)), (Into("weather.1", "none", "sun"),), "box-counts",
         "The box has 30 Sun; more than that lie here."),
    ],
    "setup-season-tile": [
        (PLAIN, (Into("tile", "spring-sun", "fall-sun"),), "other-season",
         "This is Spring; its tile is not of this season."),
        (PLAIN, (Into("season", "Spring", "Summer"), Into("tile", "spring-sun", "spring-water")), "other-season",
         "This is Summer; its tile is not of this season."),
    ],
    "seasons": [
        (AT_END, (Into("over", "on", "over"),), "not-over",
         "The game is over when its third season is, with a tile that was counted."),
        (OVER, (Into("season", "Fall", "Summer"),), "not-over",
         "The game is over when its third season is, with a tile that was counted."),
        (OVER, (Into("tile", "fall-sun", "not named"),), "not-over",
         "The game is over when its third season is, with a tile that was counted."),
    ],
    "season-over": [
        (OVER, (Into("players.0.hikers.0", "end photo", "site 3"),), "not-over",
         "The game is over when all hikers are at Trail End."),
    ],
    "turn-steps": [
        (PLAIN, (But("to_do", less=("hike",)),), "no-tasks", "A turn has something left to do."),
    ],
    "site-action": [
        (PLAIN, (But("to_do", more=("photo",)),), "hike-first",
         "A turn starts with a hike: nothing waits until after it."),
    ],
    "trail-again": [
        (LAYING, (But("to_do", less=("lay the trail",)),), "trail-laid",
         "Tiles are laid as long as there are sites without one."),
    ],
    "setup-shutterbug": [
        (LAYING, (But("to_do", less=("place the shutterbug",)),), "no-shutterbug",
         "The die is rolled for the Shutterbug as long as it lies nowhere."),
    ],
    "season-bonus": [
        (AWARDS, (But("awards", more=("0",)),), "no-award", "A player is given a season\u2019s bonus once."),
        (AWARDS, (Into("season", "Spring", "Fall"),), "no-award",
         "A bonus is given once it has been counted, in Spring and Summer."),
    ],
    "components": [
        (PLAIN, (), "no-change", "Nothing is set right by this."),
        (ana(tokens=have(1)), (By("players.0.sun", 0),), "no-change", "Nothing is set right by this."),
        (PLAIN, (By("players.0.sun", -1),), "out-of-range", "Sun: -1 is not possible; there can be 0 to 99."),
        (PLAIN, (By("players.0.sun", 100),), "out-of-range", "Sun: 100 is not possible; there can be 0 to 99."),
        (PLAIN, (By("players.0.sun", 1), By("players.0.sun", 2)), "twice", "Sun is set right twice."),
        (PLAIN, (By("players.2.sun", 1),), "no-such-figure",
         "There is no such thing on this table that could be set right."),
        (PLAIN, (Into("rulings.backpack", "any", "twelve"),), "no-such-figure",
         "There is no such thing on this table that could be set right."),
        (PLAIN, (Into("sites.0", "forest", "not laid"),), "no-such-thing", "Site 1: there is no \u201cnot laid\u201d."),
        (PLAIN, (Into("shutterbug", "mountain", "gear"),), "no-such-thing", "Shutterbug: there is no \u201cgear\u201d."),
        (PLAIN, (Into("shutterbug", "mountain", "not placed"),), "no-such-thing",
         "Shutterbug: there is no \u201cnot placed\u201d."),
        (PLAIN, (Into("market.0", PLAIN.market[0], "gone"),), "no-such-thing", "Open gear 1: there is no \u201cgone\u201d."),
        (PLAIN, (But("players.0.gear", more=("kite",)),), "no-such-thing", "Gear: there is no \u201ckite\u201d."),
        (PLAIN, (But("players.0.visited", less=("Denali",)),), "otherwise-now", "Visited parks: Denali is not there."),
        (PLAIN, (Into("badge", "1", "0"),), "otherwise-now", "Shutterbug Badge: it is nobody by now."),
        (PLAIN, (By("players.0.campfire", 1),), "no-such-change", "Campfire is not set right like that."),
    ],
}  # fmt: skip


@every_row("state, changes, code, sentence", cases(REFUSED))
def test_what_cannot_be_is_refused(state, changes, code, sentence):
    reasons = list(PLAY.objections(state, BO, SetRight(changes)))
    assert [(reason.code, reason.text) for reason in reasons] == [(code, sentence)]
    with pytest.raises(Illegal):
        set_right(state, *changes)


def test_what_is_still_to_be_told_has_a_move_of_its_own():
    at_end = but(AT_END, tile=None, tasks=(AskTile(),))
    for state, at in ((LAYING, "sites.8"), (LAYING, "shutterbug"), (at_end, "tile"), (OVER, "to_do")):
        assert figure(state, at).fixed
        assert not figure(PLAIN, at).fixed
    assert set_right(at_end, By("players.0.sun", 1)).tasks == (AskTile(),)
    assert PLAY.play(at_end, BO, NameTile("spring-sun")).season == 1


def test_a_change_holds_for_what_is_there_when_the_table_agrees():
    asked = SetRight((By("players.1.sun", 2), But("players.1.gear", more=("compass-die",))))
    meanwhile = but(PLAIN, BO, tokens=have(0, 0, 3), gear=("journal-sun",))
    now = PLAY.play(meanwhile, ANA, asked)
    assert now.players[BO].tokens == have(0, 0, 5) and now.players[BO].gear == ("journal-sun", "compass-die")
    assert asked.what(meanwhile) == "Bo, Sun 3 \u2192 5; Bo, gear +Compass (rolling the die)"
    there = SetRight((Into("players.0.hikers.1", "trailhead", "site 6"),))
    assert codes(PLAIN, there) == [] and codes(PLAY.play(PLAIN, ANA, Hike(0, 1)), there) == ["otherwise-now"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_season_and_its_tile_are_set_right_together_in_any_order(turned):
    changes = (Into("season", "Spring", "Summer"), Into("tile", "spring-sun", "summer-gear"))
    now = set_right(PLAIN, *(reversed(changes) if turned else changes))
    assert (SEASONS[now.season], now.tile) == ("Summer", "summer-gear")


def test_a_season_that_is_set_right_does_not_begin():
    summer = SetRight((Into("season", "Spring", "Summer"),))
    assert PLAY.tell(PLAIN, PLAY.play(PLAIN, ANA, summer), ANA, summer) == (
        "Ana had it set right: season Spring \u2192 Summer."
    )


@pytest.mark.parametrize("turned", [False, True])
def test_whose_turn_it_is_and_what_is_left_of_it_are_set_right_together_in_any_order(turned):
    changes = (Into("turn", "0", "1"), But("to_do", ("hike",), ("photo",)))
    now = set_right(but(PLAIN, BO, tokens=have(1), hikers=(0, 7)), *(reversed(changes) if turned else changes))
    assert now.turn == BO and now.tasks == (Do("photo"),)


def test_a_hiker_and_the_weather_stay_on_their_site_when_its_tile_is_another_one():
    before = but(PLAY.begin(laid("Ana", "Bo")), ANA, hikers=(0, 5))
    now = set_right(before, Into("sites.4", "parks", "gear"), Into("sites.8", "gear", "parks"))
    assert now.players[ANA].hikers == (0, 5) and now.weather == before.weather
    lines = [
        (each.what, each.old, each.new) for each in differences(PLAY.lying.figures(before), PLAY.lying.figures(now))
    ]
    assert lines == [
        ("hiker ahead", "the Parks site", "the Gear site"),
        ("site 5", "the Parks site", "the Gear site"),
        ("site 9", "the Gear site", "the Parks site"),
    ]


def test_a_hiker_who_was_not_the_first_at_trail_end_takes_that_along():
    there = set_right(PLAIN, Into("players.1.hikers.1", "trailhead", "end photo"))
    assert there.end_used == (False, True, False)
    assert set_right(there, Into("players.1.hikers.1", "end photo", "end gear")).end_used == (False, False, True)


def test_gear_that_is_not_there_has_not_worked():
    state = but(ana(gear=("compass-die", "journal-sun", "compass-die")), used=("compass-die", "journal-sun"))
    assert set_right(state, But("players.0.gear", less=("journal-sun",))).used == ("compass-die",)
    assert set_right(state, But("players.0.gear", less=("compass-die",))).used == state.used


def test_setting_right_is_followed_by_what_leaves_no_choice():
    assert set_right(doing(Do("photo"), tokens=have(sun=1)), By("players.0.sun", -1)).turn == BO
    assert set_right(ana(hikers=(0, 11)), Into("players.0.hikers.0", "trailhead", "end gear")).turn == BO
    one_left = but(LAYING, sites=(*PLAIN.sites[:7], None, None))
    laid = set_right(one_left, Into("sites.0", "forest", "die"), Into("sites.1", "mountain", "gear"))
    assert laid.sites == ("die", "gear", *PLAIN.sites[2:7], None, None) and laid.tasks == one_left.tasks


def test_a_goal_that_is_met_by_a_correction_asks_for_a_side_at_once():
    now = set_right(ana(passion="Wildlife"), By("players.0.wild_photos", 1))
    assert now.task == ChooseSide() and now.turn == ANA


def test_after_the_end_what_scores_can_still_be_set_right():
    now = set_right(
        OVER, By("players.0.photos", 3), But("players.1.visited", more=("Denali",)), Into("first_hiker", "0", "1")
    )
    assert (
        now.over and now.players[ANA].photos == 3 and now.players[BO].visited == ("Denali",) and now.first_hiker == BO
    )
    assert codes(OVER, SetRight((Into("turn", "0", "1"),))) == []


def test_stand_ins_from_before_a_ruling_do_not_stand_in_the_way():
    many = PLAY.play(but(PLAIN, BO, tokens=have(forest=16)), ANA, Adopt("token-supply", "limited"))
    assert set_right(many, By("players.0.sun", 1)).players[ANA].tokens == have(sun=1)


# What everybody sees, in words.


def test_what_is_still_to_do_is_said_in_words():
    tasks = (
        SetOut(), Lay(), Do("buy"), Do("roll", "compass-die"), Parks(visited=True), Swap("forest"), GainLater("sun"), Pour(2),
        Pick((Extra("2 sun, relight", "journal-sun"), Extra("gear"))),
    )  # fmt: skip
    state = but(PLAIN, tasks=tasks, anyhow=True)
    assert figure(state, "to_do").said == (
        "choice of 2 Sun and campfire relit by Journal (2 Sun site) and top gear card, 2 Water to pour, Sun to come, "
        "Forest to swap, visit to another park, roll of the die by Compass (rolling the die), gear to buy, tiles to lay and hike"
    )


def test_what_was_counted_for_a_bonus_and_the_cards_of_ones_own_are_only_shown():
    facts = HomeMade(parks=(HomePark("Garden"),))
    said = {(f.whose, f.what): (f.said, f.fixed) for f in PLAY.lying.figures(replace(AWARDS, facts=facts))}
    assert said[BO, "counted for \u201cSpring: most Sun\u201d"] == ("3", True)
    assert said[None, "bonus still to come for"] == ("Bo", False)
    assert said[None, "parks of our own"] == ("Garden", True)
    assert all(
        each.fixed for each in PLAY.lying.figures(PLAIN) if each.at.startswith(("rulings.", "facts.", "counted."))
    )


def test_every_place_of_the_table_as_it_lies_has_a_figure():
    """Names are settled, stand-ins follow from tokens and rulings."""
    places = {
        each.at.split(".")[0]
        for each in PLAY.lying.figures(replace(AWARDS, facts=HomeMade(parks=(HomePark("Garden"),))))
    }
    assert places == {*Table.__struct_fields__} - {"stand_ins"}
    own = {each.at.split(".")[2] for each in PLAY.lying.figures(PLAIN) if each.whose == ANA}
    assert own == {*type(PLAY.lying.says(PLAIN).players[0]).__struct_fields__} - {"name"}


def test_cards_of_ones_own_may_be_called_as_they_like():
    home = HomeMade(parks=(HomePark("gone"), HomePark("not named")))
    state = but(PLAIN, facts=home, parks=("gone", None, "Zion"))
    assert [figure(state, f"parks.{number}").said for number in range(3)] == ["gone", "not named", "Zion"]
    now = set_right(state, Into("parks.0", "gone", "not named"), Into("parks.2", "Zion", "gone."))
    assert now.parks == ("not named", None, GONE)
    now = set_right(state, But("players.0.reserve", more=("not named.", "not named")))
    assert now.players[ANA].reserve == (None, "not named")


def test_the_seasons_are_the_chapters_of_a_game_and_its_turns_begin_with_a_hike():
    assert [PLAY.chapter(state) for state in (PLAIN, LAYING, OVER)] == ["Spring", "Summer", "Fall"]
    assert [kind for kind in PLAY.moves if kind.begins] == [Hike]
    assert after(PLAIN, Hike(0, 1)).turn == BO


# However a table is set right, the game goes on.

MENDED = [table for table in TABLES if table.play is PLAY]


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("mended", MENDED, ids=lambda table: table.name.replace(" ", "-"))
@pytest.mark.parametrize("seed", [0, *marked(range(1, 3), LONG)])
def test_a_game_that_is_set_right_all_the_time_adds_up_and_comes_to_its_end(mended, seed):
    rng = random.Random(f"{mended.name} {seed}")
    state = PLAY.begin(mended.setup)
    for number in range(3000):
        if not PLAY.to_move(state):
            break
        seat = rng.choice(PLAY.to_move(state))
        if number < 300 and rng.random() < 0.15:
            state = _mended(state, seat, rng)
            continue
        kinds = PLAY.asked(state)
        played = random_move(PLAY, state, seat, rng, rng.sample(kinds, len(kinds)))
        assert played, ("stuck", state)
        state = played[1]
    assert state.over


def _mended(state: State, seat: int, rng: random.Random) -> State:
    """Return the state after some things have been set right at once, if that adds up."""
    found = [figure for figure in PLAY.lying.figures(state) if not figure.fixed]
    shared = [figure for figure in found if figure.whose is None]
    some = rng.sample(rng.choice((found, shared)), rng.choice((1, 1, 2, 3)))
    move = SetRight(tuple(change for figure in some if (change := one_change(figure, rng))))
    if any(PLAY.objections(state, seat, move)):
        return state
    now = PLAY.play(state, seat, move)
    assert PLAY.decode(msgspec.json.decode(msgspec.json.encode(move))) == move
    assert list(PLAY.lying.faults(now)) == [] and PLAY.lying.state(PLAY.lying.says(now)) == now
    assert (state != now) == any(differences(PLAY.lying.figures(state), PLAY.lying.figures(now)))
    assert PLAY.tell(state, now, seat, move) and PLAY.prompt(now)
    return now
