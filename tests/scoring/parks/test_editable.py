"""PARKS: editable fields of the table, and edits with the table's consent."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.editable import AddRemove, Change, EditableField, Increment, Replace, compare_fields
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import Phase
from scoring.parks.box import SEASONS, TOKENS_IN_BOX, CustomCards, CustomPark
from scoring.parks.moves.corrections import Adopt, EditPosition
from scoring.parks.moves.hiking import Hike
from scoring.parks.moves.reveals import NameTile
from scoring.parks.position import Position
from scoring.parks.state import (
    NO_CARD,
    START_HIKE,
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    GainLater,
    LayTrail,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    RollForShutterbug,
    SeasonCount,
    StartHike,
    State,
    SwapGainedToken,
)
from tests.support.parametrize import LONG_CASE, mark_rows, run_all_rows
from tests.support.parks_invariants import TABLES, token_totals
from tests.support.parks_table import (
    ANA,
    BO,
    TRACKED_GAME,
    case_params,
    finished_state,
    make_state,
    objection_codes,
    ready_setup,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_supply_left,
    with_tasks,
)
from tests.support.random_games import random_change, random_move
from tests.support.rule_cases import logged_edit

PLAIN = make_state()
LIMITED = {"token-supply": "limited"}
AT_END = with_changes(with_changes(PLAIN, ANA, hikers=(10, 11)), BO, hikers=(10, 12))
DURING_TRAIL_SETUP = with_changes(
    PLAIN,
    sites=(*PLAIN.sites[:6], None, None, None),
    shutterbug=None,
    tile=None,
    season=1,
    tasks=(StartHike(), RollForShutterbug(), LayTrail()),
)
AWARDS = with_changes(
    make_state(3),
    players=tuple(replace(player, hikers=(10, 11)) for player in make_state(3).players),
    end_spaces_used=(True, True, False),
    season_count=SeasonCount("spring-sun", (3, 3, 3)),
    awards=(ANA, BO),
    tasks=(DoAction("roll"),),
)
OVER = finished_state()


def find_field(state: State, path: str) -> EditableField:
    return next(field for field in TRACKED_GAME.position_format.editable_fields(state) if field.path == path)


def edit_state(state: State, *changes: Change) -> State:
    """Return the state after an edit that Bo asked for and the table accepted."""
    return TRACKED_GAME.play(state, BO, EditPosition(changes))


def edit_log_text(state: State, *changes: Change) -> str:
    return f"Bo {EditPosition(changes).log_text(state, BO)}".lower()


# Cases for each kind of field: (before, changes, seat, expected values, log text)

EDITS = {
    "token-supply": [
        (
            with_ana(tokens=token_counts(1)),
            (Increment("players.0.sun", 2),),
            ANA,
            {"tokens": token_counts(1, 0, 2)},
            "Ana\u2019s Sun 0 \u2192 2",
        ),
        (
            with_ana(tokens=token_counts(1, 2)),
            (Increment("players.0.mountain", -2),),
            ANA,
            {"tokens": token_counts(1)},
            "Ana\u2019s Mountain 2 \u2192 0",
        ),
        (PLAIN, (Increment("players.1.photos", 3),), BO, {"photos": 3}, "Bo\u2019s photos 0 \u2192 3"),
    ],
    "first-hiker-spring": [
        (
            with_changes(PLAIN, first_hiker=None),
            (Replace("first_hiker", "nobody", "1"),),
            ANA,
            {"first_hiker": BO},
            "First Hiker token from no one yet to Bo",
        ),
    ],
    "campfire-share": [
        (
            PLAIN,
            (Replace("players.1.campfire", "out", "burning"),),
            BO,
            {"campfire": True},
            "Bo\u2019s campfire from out to lit",
        ),
    ],
    "hikers": [
        (
            with_ana(hikers=(2, 5)),
            (Replace("players.0.hikers.0", "site 2", "site 7"),),
            ANA,
            {"hikers": (5, 7)},
            "Ana\u2019s rear hiker from the Mountain site to the Canteen or Photo site",
        ),
        (
            with_ana(hikers=(2, 5)),
            (Replace("players.0.hikers.1", "site 5", "trailhead"),),
            ANA,
            {"hikers": (0, 2)},
            "Ana\u2019s front hiker from the Parks site to the Trailhead",
        ),
        (
            with_ana(hikers=(0, 5)),
            (Replace("players.0.hikers.1", "site 5", "end photo"),),
            ANA,
            {"hikers": (0, 11), "end_spaces_used": (False, True, False)},
            "Ana\u2019s front hiker from the Parks site to the Photo space at Trail\u2019s End",
        ),
    ],
    "canteen-rows": [
        (
            PLAIN,
            (AddRemove("players.0.middle.canteens", more=("2 sun", "2 sun")),),
            ANA,
            {"canteens": ((), ("2 sun", "2 sun"), ())},
            "Ana\u2019s canteens in the middle row +\u201c2 Sun\u201d, +\u201c2 Sun\u201d",
        ),
        (
            with_ana(canteens=(("photo",), (), ())),
            (AddRemove("players.0.top.canteens", ("photo",), ("parks",)),),
            ANA,
            {"canteens": (("parks",), (), ())},
            "Ana\u2019s canteens in the top row \u2212\u201ctake a photo\u201d, +\u201cParks action\u201d",
        ),
    ],
    "canteen-row-once": [
        (
            with_ana(canteens=(("photo",), (), ())),
            (Replace("players.0.top.water", "empty", "full"),),
            ANA,
            {"filled": (True, False, False)},
            "Ana\u2019s top row from not filled to filled",
        ),
    ],
    "visit-many": [
        (
            PLAIN,
            (AddRemove("players.1.visited", more=("Denali",)),),
            BO,
            {"visited": ("Denali",)},
            "Bo’s visited parks +Denali",
        ),
    ],
    "reserve-own": [
        (
            with_ana(reserve=(None, "Arches")),
            (AddRemove("players.0.reserve", ("not named",), ("Denali",)),),
            ANA,
            {"reserve": ("Arches", "Denali")},
            "Ana\u2019s reserve \u2212a park not entered yet, +Denali",
        ),
        (
            PLAIN,
            (AddRemove("players.1.reserve", more=("not named",) * 2),),
            BO,
            {"reserve": (None, None)},
            "Bo’s reserve +a park not entered yet, +a park not entered yet",
        ),
    ],
    "gear-ready": [
        (
            with_ana(gear=("compass-die",)),
            (AddRemove("players.0.gear", ("compass-die",), ("journal-sun",)),),
            ANA,
            {"gear": ("journal-sun",)},
            "Ana\u2019s gear \u2212Compass (when you roll the die), +Journal (Sun site)",
        ),
    ],
    "setup-passions": [
        (
            PLAIN,
            (Replace("players.1.passion", "not named", "Botany"),),
            BO,
            {"passion": "Botany"},
            "Bo\u2019s passion from not entered to Botany",
        ),
        (
            with_ana(passion="Botany"),
            (Replace("players.0.passion", "Botany", "not named"),),
            ANA,
            {"passion": None},
            "Ana\u2019s passion from Botany to not entered",
        ),
    ],
    "passion-side": [
        (
            with_ana(passion="Botany"),
            (Replace("players.0.side", "none", "end"),),
            ANA,
            {"side": "end"},
            "Ana\u2019s benefit of the passion from not chosen to End Game Bonus",
        ),
        (
            with_ana(passion="Botany", side="end"),
            (Replace("players.0.side", "end", "none"),),
            ANA,
            {"side": None},
            "Ana\u2019s benefit of the passion from End Game Bonus to not chosen",
        ),
    ],
    "passion-goal": [
        (PLAIN, (Increment("players.0.bought", 2),), ANA, {"bought": 2}, "Ana\u2019s gear cards bought 0 \u2192 2"),
        (
            PLAIN,
            (Increment("players.0.wild_photos", 1),),
            ANA,
            {"wild_photos": 1},
            "Ana\u2019s photos paid for with Wildlife 0 \u2192 1",
        ),
    ],
    "setup-tiles": [
        (
            PLAIN,
            (Replace("sites.0", "forest", "gear"), Replace("sites.8", "gear", "forest")),
            ANA,
            {"sites": ("gear", *PLAIN.sites[1:8], "forest"), "hikers": (0, 0)},
            "Site 1 from the Forest site to the Gear site, site 9 from the Gear site to the Forest site",
        ),
        (
            DURING_TRAIL_SETUP,
            (Replace("sites.0", "forest", "gear"),),
            ANA,
            {"sites": ("gear", *DURING_TRAIL_SETUP.sites[1:])},
            "Site 1 from the Forest site to the Gear site",
        ),
    ],
    "weather-taken": [
        (
            PLAIN,
            (Replace("weather.1", "none", "sun"),),
            ANA,
            {"weather": ("", "sun", *[""] * 7)},
            "Weather on site 2 from no token to Sun",
        ),
    ],
    "shutterbug-faces": [
        (
            PLAIN,
            (Replace("shutterbug", "mountain", "water"),),
            ANA,
            {"shutterbug": "water"},
            "Shutterbug token from under the Mountain site to under the Water site",
        ),
    ],
    "shutterbug-badge": [
        (PLAIN, (Replace("badge", "nobody", "1"),), ANA, {"badge": BO}, "Shutterbug Badge from no one to Bo"),
        (
            with_changes(PLAIN, badge=BO),
            (Replace("badge", "1", "nobody"),),
            ANA,
            {"badge": None},
            "Shutterbug Badge from Bo to no one",
        ),
    ],
    "end-first-parks": [
        (PLAIN, (Replace("first_hiker", "0", "1"),), ANA, {"first_hiker": BO}, "First Hiker token from Ana to Bo"),
    ],
    "end-first-photo": [
        (
            PLAIN,
            (AddRemove("end_used", more=("photo",)),),
            ANA,
            {"end_spaces_used": (False, True, False)},
            "Bonuses taken at Trail\u2019s End (first there) +Photo",
        ),
        (
            with_changes(PLAIN, end_spaces_used=(False, True, False)),
            (AddRemove("end_used", less=("photo",)),),
            ANA,
            {"end_spaces_used": (False,) * 3},
            "Bonuses taken at Trail\u2019s End (first there) \u2212Photo",
        ),
    ],
    "setup-displays": [
        (
            PLAIN,
            (Replace("parks.0", "Zion", "Denali"),),
            ANA,
            {"parks": ("Denali", "Redwood", "Yellowstone")},
            "Face-up park 1 from Zion to Denali",
        ),
        (
            PLAIN,
            (Replace("parks.2", "Yellowstone", "not named"),),
            ANA,
            {"parks": ("Zion", "Redwood", None)},
            "Face-up park 3 from Yellowstone to not entered",
        ),
        (
            with_tasks(DoAction("photo"), tokens=token_counts(1)),
            (Replace("parks.0", "Zion", "gone"),),
            ANA,
            {"parks": (NO_CARD, "Redwood", "Yellowstone")},
            "Face-up park 1 from Zion to no card",
        ),
        (
            PLAIN,
            (Replace("market.1", "journal-water", "compass-die"),),
            ANA,
            {"market": (PLAIN.market[0], "compass-die", PLAIN.market[2])},
            "Gear Market card 2 from Journal (Water site) to Compass (when you roll the die)",
        ),
        (
            PLAIN,
            (Replace("canteens.2", "not named", "trade"),),
            None,
            {"canteens": (None, None, "trade")},
            "Face-up canteen 3 from not entered to \u201ctrade for Wildlife\u201d",
        ),
    ],
    "seasons": [
        (
            PLAIN,
            (Replace("season", "Spring", "Summer"),),
            ANA,
            {"season": 1, "tile": None},
            "Season from Spring to Summer",
        ),
        (
            AT_END,
            (
                Replace("season", "Spring", "Fall"),
                Replace("tile", "spring-sun", "fall-sun"),
                Replace("over", "on", "over"),
            ),
            ANA,
            {"season": 2, "tile": "fall-sun", "is_over": True, "tasks": ()},
            "Season from Spring to Fall, season tile from Spring: most Sun to Fall: most Sun on visited parks, "
            "game from not over to over",
        ),
        (
            OVER,
            (Replace("over", "over", "on"), Replace("players.0.hikers.0", "end photo", "site 3")),
            ANA,
            {
                "is_over": False,
                "tasks": START_HIKE,
                "hikers": (3, 12),
                "turn": ANA,
                "end_spaces_used": (False, True, True),
            },
            "Game from over to not over; "
            "Ana\u2019s rear hiker from the Photo space at Trail\u2019s End to the Sun site",
        ),
    ],
    "setup-season-tile": [
        (
            PLAIN,
            (Replace("tile", "spring-sun", "spring-water"),),
            ANA,
            {"tile": "spring-water"},
            "Season tile from Spring: most Sun to Spring: most Water",
        ),
        (
            PLAIN,
            (Replace("tile", "spring-sun", "not named"),),
            ANA,
            {"tile": None},
            "Season tile from Spring: most Sun to not entered",
        ),
    ],
    "turn-order": [
        (
            with_changes(
                with_tasks(DoAction("photo"), tokens=token_counts(1), gear=("compass-die",)),
                used_gear=("compass-die",),
                is_second_photo_used=True,
                is_passion_used=True,
                triggered_extras=(Extra("reserve", "compass-die"),),
            ),
            (Replace("turn", "0", "1"),),
            ANA,
            {
                "turn": BO,
                "tasks": START_HIKE,
                "used_gear": (),
                "is_second_photo_used": False,
                "is_passion_used": False,
                "triggered_extras": (),
            },
            "Turn from Ana to Bo",
        ),
        (
            DURING_TRAIL_SETUP,
            (Replace("turn", "0", "1"),),
            ANA,
            {"turn": BO, "tasks": DURING_TRAIL_SETUP.tasks},
            "Turn from Ana to Bo",
        ),
    ],
    "turn-steps": [
        (
            with_ana(tokens=token_counts(1), hikers=(0, 7)),
            (AddRemove("to_do", ("hike",), ("canteen or photo",)),),
            ANA,
            {"tasks": (DoAction("canteen or photo"),), "turn": ANA},
            "Next steps \u2212\u201chike\u201d, +\u201ccanteen or photo\u201d",
        ),
        (
            with_tasks(DoAction("photo"), PlaceWater(2), tokens=token_counts(1), canteens=(("photo",), (), ())),
            (AddRemove("to_do", less=('{"do":"pour","waters":2}',)),),
            ANA,
            {"tasks": (DoAction("photo"),)},
            "Next steps \u2212\u201cplace 2 Water\u201d",
        ),
    ],
    "gear-once": [
        (
            with_ana(gear=("compass-die",)),
            (AddRemove("used", more=("compass-die",)),),
            ANA,
            {"used_gear": ("compass-die",)},
            "Gear used this turn +Compass (when you roll the die)",
        ),
        (
            with_ana(gear=("compass-die", "journal-sun")),
            (AddRemove("set_off", more=("journal-sun",)),),
            ANA,
            {"triggered_extras": (Extra("reserve", "journal-sun"),)},
            "Gear benefits to come +\u201creserve a park\u201d from Journal (Sun site)",
        ),
    ],
    "second-photo": [
        (
            PLAIN,
            (Replace("second_used", "not used", "used"),),
            ANA,
            {"is_second_photo_used": True},
            "Second photo this turn from not used yet to used",
        ),
    ],
    "passion-once": [
        (
            PLAIN,
            (Replace("passion_used", "not used", "used"),),
            ANA,
            {"is_passion_used": True},
            "Gear Effect this turn from not used yet to used",
        ),
    ],
    "season-bonus": [
        (
            AWARDS,
            (AddRemove("awards", ("1",), ("2",)),),
            ANA,
            {"awards": (ANA, 2)},
            "Players yet to get the season bonus \u2212Bo, +Cy",
        ),
        (
            AWARDS,
            (AddRemove("awards", less=("1",)),),
            ANA,
            {"awards": (ANA,)},
            "Players yet to get the season bonus \u2212Bo",
        ),
    ],
    "components": [  # Several components together.
        (
            PLAIN,
            (
                Increment("players.0.sun", 2),
                Increment("players.1.sun", 1),
                Replace("parks.0", "Zion", "gone"),
                AddRemove("players.0.visited", more=("Zion",)),
            ),
            ANA,
            {"tokens": token_counts(0, 0, 2), "visited": ("Zion",), "parks": (NO_CARD, "Redwood", "Yellowstone")},
            "Ana\u2019s Sun 0 \u2192 2; Bo\u2019s Sun 0 \u2192 1; face-up park 1 from Zion to no card; "
            "Ana\u2019s visited parks +Zion",
        ),
    ],
}


@run_all_rows("before, changes, seat, expected, log_text", case_params(EDITS))
def test_edit_changes_the_fields_and_the_log_lists_them(before, changes, seat, expected, log_text):
    after = edit_state(before, *changes)
    assert (
        select_fields(after, expected, seat) if seat is not None else {name: getattr(after, name) for name in expected}
    ) == expected
    assert edit_log_text(before, *changes) == logged_edit("Bo", log_text)
    assert (
        list(TRACKED_GAME.position_format.position_errors(after)) == [] and tuple(token_totals(after)) == TOKENS_IN_BOX
    )
    assert any(
        compare_fields(
            TRACKED_GAME.position_format.editable_fields(before), TRACKED_GAME.position_format.editable_fields(after)
        )
    )


# Impossible edits: (before, changes, code, sentence)

REFUSED = {
    "park-once": [
        (
            PLAIN,
            (AddRemove("players.1.visited", more=("Zion",)),),
            "park-once",
            "There is only one Zion, but it is among the face-up parks and visited by Bo.",
        ),
        (
            with_ana(visited=("Denali",)),
            (AddRemove("players.1.reserve", more=("Denali",)),),
            "park-once",
            "There is only one Denali, but it is visited by Ana and in Bo\u2019s reserve.",
        ),
        (
            PLAIN,
            (AddRemove("players.1.visited", more=("Denali", "Denali")),),
            "park-once",
            "There is only one Denali, but it is visited by Bo and visited by Bo.",
        ),
        (
            PLAIN,
            (Replace("parks.0", "Zion", "Redwood"),),
            "park-once",
            "There is only one Redwood, but it is among the face-up parks and among the face-up parks.",
        ),
        (
            with_changes(PLAIN, BO, reserve=(None,) * 60),
            (AddRemove("players.0.reserve", more=("not named",)),),
            "deck-empty",
            "There are more parks on the table than in the box.",
        ),
    ],
    "setup-passions": [
        (
            with_ana(passion="Botany"),
            (Replace("players.1.passion", "not named", "Botany"),),
            "passion-taken",
            "There is only one Botany, but Ana and Bo have it.",
        ),
    ],
    "passion-side": [
        (
            PLAIN,
            (Replace("players.1.side", "none", "gear"),),
            "no-passion",
            "Bo has a side of a passion, but no passion.",
        ),
        (
            with_ana(passion="Botany", side="end"),
            (Replace("players.0.passion", "Botany", "not named"),),
            "no-passion",
            "Ana has a side of a passion, but no passion.",
        ),
    ],
    "setup-tiles": [
        (
            PLAIN,
            (Replace("sites.0", "forest", "gear"),),
            "nine-sites",
            "There is only one Gear site. Place each tile once.",
        ),
    ],
    "parks-site": [
        (
            DURING_TRAIL_SETUP,
            (Replace("sites.4", "parks", "gear"),),
            "nine-sites",
            "The Trail has no Parks site, but it is printed on the board.",
        ),
    ],
    "canteen-brings": [
        (
            PLAIN,
            (Replace("players.0.top.water", "empty", "full"),),
            "row-empty",
            "Ana: the top row has no canteen, so it cannot have Water.",
        ),
    ],
    "canteen-rows": [
        (
            with_ana(canteens=((), (), ("photo", "trade"))),
            (AddRemove("players.0.bottom.canteens", more=("parks",)),),
            "row-full",
            "Ana: the bottom row has room for only two canteens.",
        ),
    ],
    "token-supply": [
        (
            with_supply_left((1, 15, 30, 30, 14), make_state(rulings=LIMITED)),
            (Increment("players.0.forest", 2),),
            "box-counts",
            "There is more Forest on the table than the 15 in the box.",
        ),
        (
            make_state(rulings=LIMITED),
            (Increment("players.0.photos", 29),),
            "box-counts",
            "There are more photos on the table than the 28 in the box.",
        ),
        (
            with_supply_left((9, 9, 0, 9, 9), make_state(rulings=LIMITED)),
            (Replace("weather.1", "none", "sun"),),
            "box-counts",
            "There is more Sun on the table than the 30 in the box.",
        ),
    ],
    "setup-season-tile": [
        (
            PLAIN,
            (Replace("tile", "spring-sun", "fall-sun"),),
            "other-season",
            "The season tile is not for Spring.",
        ),
        (
            PLAIN,
            (Replace("season", "Spring", "Summer"), Replace("tile", "spring-sun", "spring-water")),
            "other-season",
            "The season tile is not for Summer.",
        ),
    ],
    "seasons": [
        (
            AT_END,
            (Replace("over", "on", "over"),),
            "not-over",
            "The game is over only after Fall, with its season tile entered and nothing left to do.",
        ),
        (
            OVER,
            (Replace("season", "Fall", "Summer"),),
            "not-over",
            "The game is over only after Fall, with its season tile entered and nothing left to do.",
        ),
        (
            OVER,
            (Replace("tile", "fall-sun", "not named"),),
            "not-over",
            "The game is over only after Fall, with its season tile entered and nothing left to do.",
        ),
    ],
    "season-over": [
        (
            OVER,
            (Replace("players.0.hikers.0", "end photo", "site 3"),),
            "not-over",
            "The game is over only when all hikers are at Trail\u2019s End.",
        ),
    ],
    "turn-steps": [
        (
            PLAIN,
            (AddRemove("to_do", less=("hike",)),),
            "no-tasks",
            "The game goes on, so a player must have something to do.",
        ),
    ],
    "site-action": [
        (
            PLAIN,
            (AddRemove("to_do", more=("photo",)),),
            "hike-first",
            "A turn starts with a hike, so no hike can follow another step.",
        ),
    ],
    "trail-again": [
        (
            DURING_TRAIL_SETUP,
            (AddRemove("to_do", less=("lay the trail",)),),
            "trail-laid",
            "Trail tiles are entered exactly while a site has none.",
        ),
    ],
    "setup-shutterbug": [
        (
            DURING_TRAIL_SETUP,
            (AddRemove("to_do", less=("place the shutterbug",)),),
            "no-shutterbug",
            "The Trail Die is rolled for the Shutterbug token exactly while it is off the Trail.",
        ),
    ],
    "season-bonus": [
        (AWARDS, (AddRemove("awards", more=("0",)),), "no-award", "Each player gets a season bonus only once."),
        (
            AWARDS,
            (Replace("season", "Spring", "Fall"),),
            "no-award",
            "Players take a season bonus only after it is counted, in Spring and Summer.",
        ),
    ],
    "components": [
        (PLAIN, (), "no-change", "This changes nothing."),
        (
            with_ana(tokens=token_counts(1)),
            (Increment("players.0.sun", 0),),
            "no-change",
            "This changes nothing.",
        ),
        (PLAIN, (Increment("players.0.sun", -1),), "out-of-range", "Sun: -1 is not possible. Enter 0 to 99."),
        (PLAIN, (Increment("players.0.sun", 100),), "out-of-range", "Sun: 100 is not possible. Enter 0 to 99."),
        (PLAIN, (Increment("players.0.sun", 1), Increment("players.0.sun", 2)), "twice", "Sun is changed twice."),
        (
            PLAIN,
            (Increment("players.2.sun", 1),),
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            PLAIN,
            (Replace("rulings.backpack", "any", "twelve"),),
            "no-such-figure",
            "There is nothing like this to correct at this table.",
        ),
        (
            PLAIN,
            (Replace("sites.0", "forest", "not laid"),),
            "no-such-thing",
            "Site 1: \u201cnot laid\u201d does not exist.",
        ),
        (
            PLAIN,
            (Replace("shutterbug", "mountain", "gear"),),
            "no-such-thing",
            "Shutterbug token: \u201cgear\u201d does not exist.",
        ),
        (
            PLAIN,
            (Replace("shutterbug", "mountain", "not placed"),),
            "no-such-thing",
            "Shutterbug token: \u201cnot placed\u201d does not exist.",
        ),
        (
            PLAIN,
            (Replace("market.0", PLAIN.market[0], "gone"),),
            "no-such-thing",
            "Gear Market card 1: \u201cgone\u201d does not exist.",
        ),
        (
            PLAIN,
            (AddRemove("players.0.gear", more=("kite",)),),
            "no-such-thing",
            "Gear: \u201ckite\u201d does not exist.",
        ),
        (
            PLAIN,
            (AddRemove("players.0.visited", less=("Denali",)),),
            "otherwise-now",
            "Visited parks: Denali is no longer there.",
        ),
        (PLAIN, (Replace("badge", "1", "0"),), "otherwise-now", "Shutterbug Badge: this is no one now."),
        (PLAIN, (Increment("players.0.campfire", 1),), "no-such-change", "Campfire cannot be corrected this way."),
    ],
}


@run_all_rows("state, changes, code, sentence", case_params(REFUSED))
def test_impossible_edit_is_refused(state, changes, code, sentence):
    reasons = list(TRACKED_GAME.objections(state, BO, EditPosition(changes)))
    assert [(reason.code, reason.text) for reason in reasons] == [(code, sentence)]
    with pytest.raises(IllegalMoveError):
        edit_state(state, *changes)


def test_field_that_a_pending_move_will_set_is_read_only():
    at_end = with_changes(AT_END, tile=None, tasks=(NameSeasonTile(),))
    for state, path in (
        (DURING_TRAIL_SETUP, "sites.8"),
        (DURING_TRAIL_SETUP, "shutterbug"),
        (at_end, "tile"),
        (OVER, "to_do"),
    ):
        assert find_field(state, path).is_read_only
        assert not find_field(PLAIN, path).is_read_only
    assert edit_state(at_end, Increment("players.0.sun", 1)).tasks == (NameSeasonTile(),)
    assert TRACKED_GAME.play(at_end, BO, NameTile("spring-sun")).season == 1


def test_edit_applies_to_the_state_at_the_time_of_consent():
    edit = EditPosition((Increment("players.1.sun", 2), AddRemove("players.1.gear", more=("compass-die",))))
    changed = with_changes(PLAIN, BO, tokens=token_counts(0, 0, 3), gear=("journal-sun",))
    edited = TRACKED_GAME.play(changed, ANA, edit)
    assert edited.players[BO].tokens == token_counts(0, 0, 5) and edited.players[BO].gear == (
        "journal-sun",
        "compass-die",
    )
    assert edit.describe_change(changed) == "Bo\u2019s Sun 3 \u2192 5, gear +Compass (when you roll the die)"
    hiker_edit = EditPosition((Replace("players.0.hikers.1", "trailhead", "site 6"),))
    assert objection_codes(PLAIN, hiker_edit) == [] and objection_codes(
        TRACKED_GAME.play(PLAIN, ANA, Hike(0, 1)), hiker_edit
    ) == ["otherwise-now"]


@pytest.mark.parametrize("turned", [False, True])
def test_season_and_its_tile_are_edited_together_in_any_order(turned):
    changes = (Replace("season", "Spring", "Summer"), Replace("tile", "spring-sun", "summer-gear"))
    edited = edit_state(PLAIN, *(reversed(changes) if turned else changes))
    assert (SEASONS[edited.season], edited.tile) == ("Summer", "summer-gear")


def test_edited_season_has_no_start_of_season():
    summer = EditPosition((Replace("season", "Spring", "Summer"),))
    assert TRACKED_GAME.log_sentence(PLAIN, TRACKED_GAME.play(PLAIN, ANA, summer), ANA, summer) == (
        "Ana corrected: season from Spring to Summer."
    )


@pytest.mark.parametrize("turned", [False, True])
def test_turn_and_its_remaining_tasks_are_edited_together_in_any_order(turned):
    changes = (Replace("turn", "0", "1"), AddRemove("to_do", ("hike",), ("photo",)))
    edited = edit_state(
        with_changes(PLAIN, BO, tokens=token_counts(1), hikers=(0, 7)), *(reversed(changes) if turned else changes)
    )
    assert edited.turn == BO and edited.tasks == (DoAction("photo"),)


def test_hiker_and_weather_keep_their_site_when_its_tile_changes():
    before = with_changes(TRACKED_GAME.initial_state(ready_setup("Ana", "Bo")), ANA, hikers=(0, 5))
    after = edit_state(before, Replace("sites.4", "parks", "gear"), Replace("sites.8", "gear", "parks"))
    assert after.players[ANA].hikers == (0, 5) and after.weather == before.weather
    lines = [
        (change.label, change.old, change.new)
        for change in compare_fields(
            TRACKED_GAME.position_format.editable_fields(before), TRACKED_GAME.position_format.editable_fields(after)
        )
    ]
    assert lines == [
        ("front hiker", "the Parks site", "the Gear site"),
        ("site 5", "the Parks site", "the Gear site"),
        ("site 9", "the Gear site", "the Parks site"),
    ]


def test_edited_hiker_moves_the_used_space_at_trail_end_along():
    edited = edit_state(PLAIN, Replace("players.1.hikers.1", "trailhead", "end photo"))
    assert edited.end_spaces_used == (False, True, False)
    assert edit_state(edited, Replace("players.1.hikers.1", "end photo", "end gear")).end_spaces_used == (
        False,
        False,
        True,
    )


def test_removed_gear_does_not_count_as_used():
    state = with_changes(
        with_ana(gear=("compass-die", "journal-sun", "compass-die")), used_gear=("compass-die", "journal-sun")
    )
    assert edit_state(state, AddRemove("players.0.gear", less=("journal-sun",))).used_gear == ("compass-die",)
    assert edit_state(state, AddRemove("players.0.gear", less=("compass-die",))).used_gear == state.used_gear


def test_edit_is_followed_by_forced_steps():
    assert (
        edit_state(with_tasks(DoAction("photo"), tokens=token_counts(sun=1)), Increment("players.0.sun", -1)).turn == BO
    )
    assert edit_state(with_ana(hikers=(0, 11)), Replace("players.0.hikers.0", "trailhead", "end gear")).turn == BO
    before = with_changes(DURING_TRAIL_SETUP, sites=(*PLAIN.sites[:7], None, None))
    laid = edit_state(before, Replace("sites.0", "forest", "die"), Replace("sites.1", "mountain", "gear"))
    assert laid.sites == ("die", "gear", *PLAIN.sites[2:7], None, None) and laid.tasks == before.tasks


def test_edit_that_meets_a_goal_asks_for_a_side_immediately():
    edited = edit_state(with_ana(passion="Wildlife"), Increment("players.0.wild_photos", 1))
    assert edited.task == ChooseSide() and edited.turn == ANA


def test_scoring_fields_can_be_edited_after_the_end():
    edited = edit_state(
        OVER,
        Increment("players.0.photos", 3),
        AddRemove("players.1.visited", more=("Denali",)),
        Replace("first_hiker", "0", "1"),
    )
    assert (
        edited.is_over
        and edited.players[ANA].photos == 3
        and edited.players[BO].visited == ("Denali",)
        and edited.first_hiker == BO
    )
    assert objection_codes(OVER, EditPosition((Replace("turn", "0", "1"),))) == []


def test_stand_ins_from_before_a_ruling_do_not_block_an_edit():
    state = TRACKED_GAME.play(
        with_changes(PLAIN, BO, tokens=token_counts(forest=16)), ANA, Adopt("token-supply", "limited")
    )
    assert edit_state(state, Increment("players.0.sun", 1)).players[ANA].tokens == token_counts(sun=1)


# Texts of fields that everyone sees


def test_remaining_tasks_are_described():
    tasks = (
        StartHike(),
        LayTrail(),
        DoAction("buy"),
        DoAction("roll", "compass-die"),
        ParksAction(has_visited=True),
        SwapGainedToken("forest"),
        GainLater("sun"),
        PlaceWater(2),
        ChooseExtra((Extra("2 sun, relight", "journal-sun"), Extra("gear"))),
    )
    state = with_changes(PLAIN, tasks=tasks, allow_errors=True)
    assert find_field(state, "to_do").value_text == (
        "\u201cchoose +2 Sun, relight the campfire from Journal (Sun site) or top gear card\u201d, "
        "\u201cplace 2 Water\u201d, \u201cgain 1 Sun later\u201d, \u201cswap a Forest\u201d, "
        "\u201cvisit another park\u201d, \u201croll the die\u201d from Compass (when you roll the die), "
        "\u201cbuy gear\u201d, \u201center the Trail Site tiles\u201d and \u201chike\u201d"
    )


def test_end_of_the_last_bonus_shows_no_empty_difference():
    last, done = replace(AWARDS, awards=(ANA,)), replace(AWARDS, awards=None)
    fields = TRACKED_GAME.position_format.editable_fields
    assert not [*compare_fields(fields(last), fields(done))] and not [*compare_fields(fields(done), fields(last))]


def test_bonus_counts_and_custom_cards_are_read_only_fields():
    facts = CustomCards(parks=(CustomPark("Garden"),))
    values = {
        (f.seat, f.label): (f.value_text, f.is_read_only)
        for f in TRACKED_GAME.position_format.editable_fields(replace(AWARDS, facts=facts))
    }
    assert values[BO, "Sun counted for the Spring bonus"] == ("3", True)
    assert values[None, "players yet to get the season bonus"] == ("Bo", False)
    assert values[None, "custom parks"] == ("Garden", True)
    assert all(
        field.is_read_only
        for field in TRACKED_GAME.position_format.editable_fields(PLAIN)
        if field.path.startswith(("rulings.", "facts.", "counted."))
    )


def test_every_part_of_a_position_has_an_editable_field():
    """Exempt are names, which are fixed, and stand-ins, which follow from tokens and rulings."""
    names = {
        field.path.split(".")[0]
        for field in TRACKED_GAME.position_format.editable_fields(
            replace(AWARDS, facts=CustomCards(parks=(CustomPark("Garden"),)))
        )
    }
    assert names == {*Position.__struct_fields__} - {"stand_ins"}
    own_names = {
        field.path.split(".")[2] for field in TRACKED_GAME.position_format.editable_fields(PLAIN) if field.seat == ANA
    }
    assert own_names == {*type(TRACKED_GAME.position_format.to_position(PLAIN).players[0]).__struct_fields__} - {"name"}


def test_custom_cards_may_have_the_names_of_special_values():
    custom_cards = CustomCards(parks=(CustomPark("gone"), CustomPark("not named")))
    state = with_changes(PLAIN, facts=custom_cards, parks=("gone", None, "Zion"))
    assert [find_field(state, f"parks.{number}").value_text for number in range(3)] == ["gone", "not entered", "Zion"]
    edited = edit_state(state, Replace("parks.0", "gone", "not named"), Replace("parks.2", "Zion", "gone."))
    assert edited.parks == ("not named", None, NO_CARD)
    edited = edit_state(state, AddRemove("players.0.reserve", more=("not named.", "not named")))
    assert edited.players[ANA].reserve == (None, "not named")


def test_chapters_are_the_seasons_and_a_turn_starts_with_a_hike():
    assert [TRACKED_GAME.text.chapter(state) for state in (PLAIN, DURING_TRAIL_SETUP, OVER)] == [
        "Spring",
        "Summer",
        "Fall",
    ]
    assert [kind for kind in TRACKED_GAME.moves if kind.phase is Phase.TURN_START] == [Hike]
    assert state_after(PLAIN, Hike(0, 1)).turn == BO


# The game continues after any edit

EDITED_TABLES = [table for table in TABLES if table.tracked is TRACKED_GAME]


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", EDITED_TABLES, ids=lambda table: table.name.replace(" ", "-"))
@pytest.mark.parametrize("seed", [0, *mark_rows(range(1, 3), LONG_CASE)])
def test_random_game_with_edits_adds_up_and_ends(table, seed):
    rng = random.Random(f"{table.name} {seed}")
    state = TRACKED_GAME.initial_state(table.setup)
    for number in range(3000):
        if not TRACKED_GAME.flow.to_move(state):
            break
        seat = rng.choice(TRACKED_GAME.flow.to_move(state))
        if number < 300 and rng.random() < 0.15:
            state = _edited_state(state, seat, rng)
            continue
        kinds = TRACKED_GAME.available_moves(state)
        played = random_move(TRACKED_GAME, state, seat, rng, rng.sample(kinds, len(kinds)))
        assert played, ("stuck", state)
        state = played[1]
    assert state.is_over


def _edited_state(state: State, seat: int, rng: random.Random) -> State:
    """Return the state after a random edit of several fields, if the result adds up."""
    fields = [field for field in TRACKED_GAME.position_format.editable_fields(state) if not field.is_read_only]
    shared = [field for field in fields if field.seat is None]
    chosen = rng.sample(rng.choice((fields, shared)), rng.choice((1, 1, 2, 3)))
    move = EditPosition(tuple(change for field in chosen if (change := random_change(field, rng))))
    if any(TRACKED_GAME.objections(state, seat, move)):
        return state
    edited = TRACKED_GAME.play(state, seat, move)
    assert TRACKED_GAME.decode(msgspec.json.decode(msgspec.json.encode(move))) == move
    assert (
        list(TRACKED_GAME.position_format.position_errors(edited)) == []
        and TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(edited)) == edited
    )
    assert (state != edited) == any(
        compare_fields(
            TRACKED_GAME.position_format.editable_fields(state), TRACKED_GAME.position_format.editable_fields(edited)
        )
    )
    assert TRACKED_GAME.log_sentence(state, edited, seat, move) and TRACKED_GAME.text.prompt(edited)
    return edited
