"""Tests that what earlier versions stored is read as it was meant.

The expected values of old corrections are those that 0.4.0 gave.
"""

import pytest
from msgspec.structs import replace

from companion.log.apply import CorruptLogError, apply_entry
from companion.log.entries import (
    Entry,
    LogRewritten,
    MoveRedone,
    MoveUndone,
    NewMove,
    OwnRuling,
    Played,
    Proposed,
    SeatRequested,
)
from companion.log.old_corrections import OLD_CORRECTIONS
from companion.log.preview import Preview, preview_proposal
from companion.log.steps import InvalidEntryError
from companion.log.upcast import decode_stored_move, upcast_change, upcast_entry
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import InvalidInputError
from scoring.on_the_trail.moves.run_moves import Run
from scoring.parks.state import LayTrail, RollForShutterbug
from scoring.parks.state import StartHike as ParksHike
from scoring.trails.moves.hiking import Hike, Skip
from scoring.trails.moves.reveals import NameCard
from scoring.trails.state import EarnBadges, MoveSun, SiteAction, StartHike
from tests.support import alpine_trails_table, parks_table, trails_table
from tests.support import on_the_trail_table as race_table
from tests.support.log_builder import ANA, BO, CY, STRANGER, TIME, LogBuilder, build_seated_log
from tests.support.parametrize import run_all_rows


def old(tag: str, **fields) -> dict:
    """Return an old correction as it is stored."""
    return {"type": tag, **fields}


TRAILS, TRAILS_OVER = trails_table.make_state(), trails_table.finished_state()
CROWD = trails_table.make_state(3).with_player(0, cubes=(7, 0, 0)).with_player(1, cubes=(7, 0, 0))
STAND_INS = (
    replace(CROWD, rulings={"cube-supply": "stand-ins"}).with_player(1, cubes=(8, 0, 0)).with_player(2, cubes=(3, 0, 0))
)
ONCE_STAND_INS = replace(STAND_INS, rulings={"cube-supply": "limited"})
SUN_TAKEN = trails_table.make_state(sun=trails_table.FINAL_SUN, sun_holder=1, turns_left=0)
ALPINE, TEN_ROUNDS = alpine_trails_table.make_state(), alpine_trails_table.make_state(bag=40)
CAMPED = alpine_trails_table.with_ana(ALPINE, tiles_used=1, has_placed_campsite=True)
LAKES_PLACED = alpine_trails_table.make_state(round="over")
PARKS, PARKS_OVER = parks_table.make_state(), parks_table.finished_state()
RESERVED = parks_table.with_changes(
    parks_table.with_ana(reserve=(None, "Arches")), 1, reserve=(None,), visited=("Acadia",)
)
LIMITED = parks_table.make_state(rulings={"token-supply": "limited"})
ONE_FOREST = parks_table.with_supply_left((1, 15, 30, 30, 14), LIMITED)
BO_AT_END = parks_table.with_changes(PARKS, 1, hikers=(0, 11))
USED_GEAR = parks_table.with_changes(
    parks_table.with_ana(gear=("compass-die", "journal-sun")), used_gear=("compass-die",)
)
RACE, SOLO = race_table.make_state(), race_table.make_state(solo=True)
FLIPPED = race_table.with_changes(
    race_table.make_state(solo=True, bot_deck="cards").with_player(1, discard=(1, 0, 0, 0)), flips=1
)

# (state, old correction, seat, values of the player there or of the table)
APPLIED = {
    "trails": [
        (TRAILS, old("correct-player", player=1, acorn=3), 1, {"cubes": (3, 1, 1)}),
        (TRAILS, old("correct-player", player=1, acorn=0, leaf=0, rock=0), 1, {"cubes": (0, 0, 0)}),
        (TRAILS, old("correct-player", player=1, rock=14), 1, {"cubes": (1, 1, 14)}),
        (TRAILS, old("correct-player", player=1, canteen=False), 1, {"canteen": False}),
        (TRAILS, old("correct-player", player=1, space=3), 1, {"space": 3, "facing": 1}),
        (TRAILS, old("correct-player", player=1, space=3, facing=-1), 1, {"space": 3, "facing": -1}),
        (
            TRAILS,
            old("correct-player", player=1, space=6, facing=-1),
            1,
            {"space": 6, "facing": -1, "tasks": (StartHike(),)},
        ),
        (STAND_INS, old("correct-player", player=1, acorn=20), 1, {"cubes": (20, 0, 0)}),
        (ONCE_STAND_INS, old("correct-player", player=1, acorn=7), 1, {"cubes": (7, 0, 0)}),
        (ONCE_STAND_INS, old("correct-player", player=1, canteen=False), 1, {"canteen": False}),
        (TRAILS, old("correct-table", bear="rock"), 1, {"bear": "rock"}),
        (TRAILS, old("correct-table", sun=4), 1, {"sun": 4, "bear": "acorn"}),
        (
            TRAILS,
            old("correct-table", sun=trails_table.FINAL_SUN),
            1,
            {"sun": trails_table.FINAL_SUN, "sun_holder": None},
        ),
        (TRAILS, old("correct-table", bear="leaf", sun=1), 1, {"sun": 1, "bear": "leaf"}),
        (SUN_TAKEN, old("correct-table", bear="rock"), 1, {"bear": "rock"}),
        (
            trails_table.make_state(tasks=(SiteAction("leaf"),)).with_player(0, space=2),
            old("correct-player", player=0, space=4),
            0,
            {"space": 4, "turn": 1},
        ),
        (TRAILS, old("correct-player", player=1, acorn=7), 1, {"cubes": (7, 1, 1)}),
    ],
    "alpine-trails": [
        (
            alpine_trails_table.with_ana(ALPINE, kept_animals=("bear", "wolf")),
            old("correct-player", player=0, bear=0, goat=1, used=1),
            0,
            {"kept_animals": ("wolf", "goat"), "tiles_used": 1},
        ),
        (
            alpine_trails_table.with_ana(ALPINE, kept_animals=("wolf", "bear")),
            old("correct-player", player=0, wolf=1, moose=1),
            0,
            {"kept_animals": ("wolf", "bear", "moose")},
        ),
        (TEN_ROUNDS, old("correct-round", round=4), 0, {"round": 4, "tiles_in_bag": 24}),
        (CAMPED, old("correct-player", player=0, used=0), 0, {"tiles_used": 0, "has_placed_campsite": False}),
        (CAMPED, old("correct-player", player=0, bear=1), 0, {"kept_animals": ("bear",), "has_placed_campsite": True}),
        (CAMPED, old("correct-player", player=1, used=1), 0, {"tiles_used": 1, "has_placed_campsite": True}),
        (LAKES_PLACED, old("correct-player", player=0, bear=1), 0, {"kept_animals": ("bear",), "is_play_over": True}),
    ],
    "parks": [
        (
            parks_table.with_ana(tokens=parks_table.token_counts(1, 2)),
            old("correct-player", player=0, sun=4),
            0,
            {"tokens": parks_table.token_counts(1, 2, 4)},
        ),
        (
            parks_table.with_ana(tokens=parks_table.token_counts(1, 2)),
            old("correct-player", player=0, forest=0, mountain=0, sun=1, water=1, wildlife=1),
            0,
            {"tokens": parks_table.token_counts(0, 0, 1, 1, 1)},
        ),
        (
            PARKS,
            old("correct-player", player=1, photos=3, campfire=True),
            1,
            {"photos": 3, "campfire": True, "tokens": parks_table.token_counts()},
        ),
        (parks_table.with_ana(hikers=(2, 5)), old("correct-hiker", player=0, start=2, to=7), 0, {"hikers": (5, 7)}),
        (parks_table.with_ana(hikers=(2, 5)), old("correct-hiker", player=0, start=5, to=0), 0, {"hikers": (0, 2)}),
        (PARKS, old("correct-park", player=1, park="Denali", where="visited"), 1, {"visited": ("Denali",)}),
        (
            PARKS,
            old("correct-park", player=0, park="Zion", where="reserve"),
            0,
            {"reserve": ("Zion",), "parks": ("", "Redwood", "Yellowstone")},
        ),
        (
            RESERVED,
            old("correct-park", player=0, park="Arches", where="visited"),
            0,
            {"reserve": (None,), "visited": ("Arches",)},
        ),
        (RESERVED, old("correct-park", player=1, park="Acadia", where="nowhere"), 1, {"visited": ()}),
        (
            RESERVED,
            old("correct-park", player=1, park="Acadia", where="reserve"),
            1,
            {"visited": (), "reserve": (None, "Acadia")},
        ),
        (PARKS, old("correct-gear", player=1, gear="compass-die", has=True), 1, {"gear": ("compass-die",)}),
        (
            parks_table.with_ana(gear=("compass-die", "compass-die")),
            old("correct-gear", player=0, gear="compass-die", has=False),
            0,
            {"gear": ("compass-die",)},
        ),
        (
            PARKS,
            old("correct-canteens", player=0, row=1, first="parks", second="photo"),
            0,
            {"canteens": ((), ("parks", "photo"), ())},
        ),
        (
            PARKS,
            old("correct-canteens", player=0, row=1, second="photo", water=True),
            0,
            {"canteens": ((), ("photo",), ()), "filled": (False, True, False)},
        ),
        (
            parks_table.with_ana(canteens=(("photo",), (), ()), filled=(True, False, False)),
            old("correct-canteens", player=0, row=0),
            0,
            {"filled": (False,) * 3},
        ),
        (
            PARKS,
            old("correct-passion", player=1, passion="Botany", side="end"),
            1,
            {"passion": "Botany", "side": "end"},
        ),
        (
            parks_table.with_ana(passion="Botany", side="end"),
            old("correct-passion", player=0, passion="Botany"),
            0,
            {"passion": "Botany", "side": None},
        ),
        (PARKS, old("correct-table", badge=1), 0, {"badge": 1}),
        (parks_table.with_changes(PARKS, badge=1), old("correct-table", badge=-1), 0, {"badge": None}),
        (PARKS, old("correct-table", first_hiker=1, shutterbug="water"), 0, {"first_hiker": 1, "shutterbug": "water"}),
        (PARKS, old("correct-table", photo_used=True), 0, {"end_spaces_used": (False, True, False)}),
        (PARKS, old("correct-player", player=0, bought=1, wild_photos=2), 0, {"bought": 1, "wild_photos": 2}),
        (PARKS, old("correct-weather", space=2, weather="sun"), 0, {"weather": ("", "sun", *[""] * 7)}),
        (
            parks_table.make_state(weather=("sun", *[""] * 8)),
            old("correct-weather", space=1),
            0,
            {"weather": ("",) * 9},
        ),
        (PARKS_OVER, old("correct-player", player=0, photos=3), 0, {"photos": 3}),
        (PARKS_OVER, old("correct-park", player=0, park="Denali", where="visited"), 0, {"visited": ("Denali",)}),
        (PARKS_OVER, old("correct-gear", player=0, gear="compass-die", has=True), 0, {"gear": ("compass-die",)}),
        (PARKS_OVER, old("correct-passion", player=0, passion="Botany", side="end"), 0, {"side": "end"}),
        (PARKS_OVER, old("correct-table", first_hiker=1), 0, {"first_hiker": 1}),
        (PARKS, old("swap-tiles", first="forest", second="gear"), 0, {"sites": ("gear", *PARKS.sites[1:8], "forest")}),
        (
            parks_table.with_ana(canteens=(("photo", "parks"), (), ())),
            old("correct-canteens", player=0, row=0, first="parks", second="photo"),
            0,
            {"canteens": (("parks", "photo"), (), ())},
        ),
        (
            BO_AT_END,
            old("correct-hiker", player=1, start=11, to=12),
            1,
            {"hikers": (0, 12), "end_spaces_used": (False, False, True)},
        ),
        (
            BO_AT_END,
            old("correct-hiker", player=1, start=11, to=3),
            1,
            {"hikers": (0, 3), "end_spaces_used": (False, False, False)},
        ),
        (
            parks_table.make_state(end_spaces_used=(False, True, False)),
            old("correct-hiker", player=1, start=0, to=12),
            1,
            {"end_spaces_used": (False, True, True)},
        ),
        (
            USED_GEAR,
            old("correct-gear", player=0, gear="compass-die", has=False),
            0,
            {"gear": ("journal-sun",), "used_gear": ()},
        ),
        (USED_GEAR, old("correct-gear", player=0, gear="journal-sun", has=False), 0, {"used_gear": ("compass-die",)}),
        (
            parks_table.with_changes(PARKS, 1, allow_errors=True, side="end"),
            old("correct-player", player=0, sun=2),
            0,
            {"tokens": parks_table.token_counts(sun=2)},
        ),
    ],
    "on-the-trail": [
        (RACE, old("correct", player=1, space=4), 1, {"legs_run": 4}),
        (
            race_table.with_changes(RACE, 0, hand=(1, 0, 0, 0), unknown_hand=3),
            old("correct", player=0, held=3),
            0,
            {"hand": (0, 0, 0, 0), "unknown_hand": 3},
        ),
        (
            race_table.with_changes(RACE, 0, hand=(1, 0, 0, 0), unknown_hand=3),
            old("correct", player=0, held=4, space=1),
            0,
            {"hand": (1, 0, 0, 0), "unknown_hand": 3},
        ),
        (
            race_table.with_changes(RACE, 0, discard=(1, 1, 1, 1)),
            old("correct", player=0, shuffled=True),
            0,
            {"discard": (0, 0, 0, 0), "deck": 9},
        ),
        (
            race_table.with_changes(RACE, 0, discard=(1, 2, 2, 0)),
            old("correct", player=0, shuffled=True, held=10),
            0,
            {"unknown_hand": 10, "discard": (0, 0, 0, 0), "deck": 3},
        ),
        (RACE, old("correct", player=0, lay="cramps"), 0, {"setbacks": ("cramps",)}),
        (
            race_table.make_state(setback_discard=("sprain",)),
            old("correct", player=0, lay="sprain"),
            0,
            {"setbacks": ("sprain",), "setback_discard": ()},
        ),
        (RACE, old("correct", player=0, lay="flat-out"), 0, {"boosts": ("flat-out",)}),
        (
            race_table.with_changes(RACE, 0, setbacks=("cramps", "cramps")),
            old("correct", player=0, clear="cramps"),
            0,
            {"setbacks": ("cramps",)},
        ),
        (
            race_table.with_changes(RACE, 0, boosts=("flat-out",)),
            old("correct", player=0, clear="flat-out"),
            0,
            {"boosts": ()},
        ),
        (FLIPPED, old("correct", player=1, shuffled=True), 1, {"discard": (0, 0, 0, 0)}),
    ],
}

# (state, old correction)
REFUSED = {
    "trails": [
        (TRAILS, old("correct-player", player=1)),
        (TRAILS, old("correct-player", player=1, acorn=1, canteen=True, space=0, facing=1)),
        (TRAILS, old("correct-player", player=2, acorn=0)),
        (TRAILS, old("correct-player", player=-1, acorn=0)),
        (TRAILS, old("correct-player", player=1, acorn=-1)),
        (TRAILS, old("correct-player", player=1, acorn=15)),
        (CROWD, old("correct-player", player=1, acorn=8)),
        (ONCE_STAND_INS, old("correct-player", player=1, acorn=9)),
        (STAND_INS, old("correct-player", player=1, acorn=10**30)),
        (TRAILS, old("correct-player", player=1, space=7)),
        (TRAILS, old("correct-player", player=1, space=-1)),
        (TRAILS, old("correct-player", player=1, space=3, facing=0)),
        (TRAILS, old("correct-player", player=1, facing=-1)),
        (TRAILS, old("correct-player", player=1, space=6)),
        (TRAILS_OVER, old("correct-player", player=1, acorn=3)),
        (TRAILS, old("correct-table")),
        (TRAILS, old("correct-table", bear="acorn", sun=0)),
        (TRAILS, old("correct-table", sun=8)),
        (TRAILS, old("correct-table", sun=-1)),
        (trails_table.make_state(4), old("correct-table", sun=12)),
        (SUN_TAKEN, old("correct-table", sun=3)),
        (
            trails_table.make_state(
                sun=5, tasks=(EarnBadges("trail-end"), MoveSun(), SiteAction("exchange"))
            ).with_player(0, space=6, facing=-1),
            old("correct-table", sun=trails_table.FINAL_SUN),
        ),
        (TRAILS_OVER, old("correct-table", bear="rock")),
        (TRAILS, old("correct-player", player=1, leaf=-2)),
        (
            trails_table.TRACKED_GAME.initial_state(trails_table.TRACKED_GAME.setup_format.default(["Ana", "Bo"])),
            old("correct-table", bear="leaf"),
        ),
    ],
    "alpine-trails": [
        (LAKES_PLACED, old("correct-player", player=0)),
        (LAKES_PLACED, old("correct-player", player=0, bear=0)),
        (ALPINE, old("correct-round", round=1)),
        (LAKES_PLACED, old("correct-player", player=2, bear=1)),
        (LAKES_PLACED, old("correct-player", player=0, bear=6)),
        (LAKES_PLACED, old("correct-player", player=0, goat=-1)),
        (LAKES_PLACED, old("correct-player", player=0, bear=2)),
        (LAKES_PLACED, old("correct-player", player=0, used=1)),
        (ALPINE, old("correct-player", player=0, used=3)),
        (TEN_ROUNDS, old("correct-round", round=11)),
        (TEN_ROUNDS, old("correct-round", round=0)),
        (LAKES_PLACED, old("correct-round", round=2)),
    ],
    "parks": [
        (PARKS_OVER, old("correct-player", player=0, sun=4)),
        (PARKS_OVER, old("correct-player", player=0, photos=3, campfire=True)),
        (PARKS_OVER, old("correct-park", player=0, park="Denali", where="reserve")),
        (PARKS_OVER, old("correct-table", badge=1)),
        (PARKS_OVER, old("correct-hiker", player=0, start=11, to=1)),
        (PARKS_OVER, old("correct-canteens", player=0, row=0, first="photo")),
        (PARKS_OVER, old("swap-tiles", first="forest", second="gear")),
        (PARKS_OVER, old("correct-table", first_hiker=1, shutterbug="water")),
        (PARKS_OVER, old("correct-park", player=0, park="Denaly", where="visited")),
        (PARKS, old("correct-player", player=0, bought=-1)),
        (PARKS, old("correct-weather", space=0, weather="sun")),
        (parks_table.with_supply_left((9, 9, 0, 9, 9), LIMITED), old("correct-weather", space=1, weather="sun")),
        (PARKS, old("correct-canteens", player=0, row=0, water=True)),
        (PARKS, old("correct-player", player=0)),
        (PARKS, old("correct-player", player=2, sun=4)),
        (PARKS, old("correct-player", player=-1, sun=4)),
        (PARKS, old("correct-player", player=0, sun=-1)),
        (PARKS, old("correct-player", player=0, sun=100)),
        (LIMITED, old("correct-player", player=0, forest=16)),
        (ONE_FOREST, old("correct-player", player=0, forest=2)),
        (LIMITED, old("correct-player", player=0, photos=29)),
        (PARKS, old("correct-hiker", player=0, start=3, to=4)),
        (PARKS, old("correct-hiker", player=0, start=0, to=13)),
        (PARKS, old("correct-hiker", player=5, start=0, to=1)),
        (PARKS, old("correct-hiker", player=0, start=0, to=0)),
        (PARKS, old("correct-park", player=0, park="Denaly", where="visited")),
        (RESERVED, old("correct-park", player=0, park="Acadia", where="visited")),
        (PARKS, old("correct-park", player=0, park="Denali", where="nowhere")),
        (PARKS, old("correct-gear", player=0, gear="kite", has=True)),
        (PARKS, old("correct-gear", player=0, gear="compass-die", has=False)),
        (PARKS, old("correct-canteens", player=0, row=3, first="photo")),
        (PARKS, old("correct-canteens", player=0, row=0)),
        (
            parks_table.with_supply_left((9, 9, 9, 0, 9), LIMITED),
            old("correct-canteens", player=0, row=0, first="photo", water=True),
        ),
        (PARKS, old("correct-passion", player=0, passion="Botanic")),
        (parks_table.with_ana(passion="Botany"), old("correct-passion", player=1, passion="Botany")),
        (PARKS, old("correct-table")),
        (PARKS, old("correct-table", badge=7)),
        (PARKS, old("correct-table", first_hiker=-1)),
        (PARKS, old("correct-table", shutterbug="die")),
        (
            parks_table.with_changes(PARKS, shutterbug=None, tasks=(ParksHike(), RollForShutterbug())),
            old("correct-table", shutterbug="water"),
        ),
        (
            parks_table.with_changes(PARKS, sites=(None, *PARKS.sites[1:]), tasks=(ParksHike(), LayTrail())),
            old("swap-tiles", first="forest", second="gear"),
        ),
        (PARKS, old("swap-tiles", first="gear", second="gear")),
        (BO_AT_END, old("correct-table", photo_used=False)),
        (
            parks_table.with_changes(PARKS, 1, visited=("Acadia",)),
            old("correct-park", player=0, park="Acadia", where="reserve"),
        ),
        (
            parks_table.with_changes(PARKS, 1, reserve=(None,) * 60),
            old("correct-park", player=0, park="Acadia", where="visited"),
        ),
        (parks_table.with_changes(PARKS, 1, passion="Botany"), old("correct-passion", player=0, passion="Botany")),
    ],
    "on-the-trail": [
        (RACE, old("correct", player=0)),
        (RACE, old("correct", player=0, lay="sunburn")),
        (RACE, old("correct", player=2, space=1)),
        (RACE, old("correct", player=-1, space=1)),
        (RACE, old("correct", player=0, space=21)),
        (RACE, old("correct", player=0, space=-1)),
        (race_table.LAST_TURN, old("correct", player=0, space=1)),
        (
            race_table.state_after(race_table.state_with_hand(1, 1, 0, 0), Run("yellow")),
            old("correct", player=0, space=3),
        ),
        (RACE, old("correct", player=0, held=14)),
        (RACE, old("correct", player=0, held=-1)),
        (SOLO, old("correct", player=1, held=1)),
        (SOLO, old("correct", player=1, held=0, space=2)),
        (RACE, old("correct", player=0, clear="cramps")),
        (race_table.with_changes(RACE, 1, setbacks=("sprain",)), old("correct", player=0, lay="sprain")),
        (race_table.with_changes(RACE, 1, boosts=("intervals",)), old("correct", player=0, lay="intervals")),
        (SOLO, old("correct", player=1, lay="cramps")),
        (SOLO, old("correct", player=1, shuffled=True)),
        (race_table.make_state(solo=True, bot_deck="cards"), old("correct", player=1, shuffled=True)),
        (race_table.OVER, old("correct", player=0, held=3)),
    ],
}


@run_all_rows("game, state, stored, seat, expected", [(game, *row) for game, rows in APPLIED.items() for row in rows])
def test_old_correction_sets_the_values_that_it_set(game, state, stored, seat, expected):
    tracked = TRACKED_GAMES[game]
    move = decode_stored_move(tracked, stored)
    after = tracked.play(state, 0, move)
    owners = (after.players[seat], after)
    found = {name: getattr(owners[not hasattr(owners[0], name)], name) for name in expected}
    assert found == expected
    assert tracked.log_sentence(state, after, 0, move).startswith(f"{state.players[0].name} corrected: ")
    assert (move.needs_consent, move.out_of_turn, move.is_secret) == (True, True, False)


@run_all_rows("game, state, stored", [(game, *row) for game, rows in REFUSED.items() for row in rows])
def test_old_correction_is_refused_where_it_was_refused(game, state, stored):
    move = decode_stored_move(TRACKED_GAMES[game], stored)
    assert not TRACKED_GAMES[game].is_legal(state, 0, move)
    assert move.label(state, 0).text == "A correction of an earlier version"


def test_every_old_tag_has_a_case():
    applied = {(game, stored["type"]) for game, rows in APPLIED.items() for _, stored, *_ in rows}
    assert applied == {(game, tag) for game, kinds in OLD_CORRECTIONS.items() for tag in kinds}
    assert len(applied) == 14


def test_parks_tokens_move_between_the_trays_and_the_table():
    tracked = TRACKED_GAMES["parks"]
    after = tracked.play(PARKS, 0, decode_stored_move(tracked, old("correct-player", player=0, sun=4)))
    more = parks_table.token_counts(sun=4 - PARKS.players[0].tokens[2])
    assert after.tray == tuple(count - added for count, added in zip(PARKS.tray, more, strict=True))


@run_all_rows("game, stored", [(game, rows[0][1]) for game, rows in APPLIED.items()])
def test_phone_cannot_make_an_old_correction(game, stored):
    with pytest.raises(InvalidInputError, match="type: no move"):
        TRACKED_GAMES[game].decode(stored)


@run_all_rows(
    "stored",
    [
        old("correct-player"),
        old("correct-player", player="0"),
        old("correct-player", player=0, acorn="many"),
        old("correct-player", player=0, seeds=1),
        old("correct-table", bear="moon"),
        old("correct-weather", space=1),
    ],
)
def test_unreadable_old_correction_is_refused(stored):
    with pytest.raises(InvalidInputError):
        decode_stored_move(TRACKED_GAMES["trails"], stored)


# In a log

LEAVES = old("correct-player", player=0, leaf=4)


def test_proposed_old_correction_applies_to_the_state_when_the_table_agrees():
    builder = build_seated_log("Ana", "Bo")
    number = builder.propose(1, Played(LEAVES))
    assert builder.table.find_proposal(number).text == "Ana\u2019s leaves 1 \u2192 4"
    builder.play(0, Hike(2))
    assert builder.table.state.players[0].cubes[1] == 2
    builder.agree(0, number)
    assert builder.table.state.players[0].cubes[1] == 4
    assert builder.log_texts[-1] == "Bo corrected: Ana\u2019s leaves 2 \u2192 4."


def test_old_correction_that_is_impossible_by_now_is_dropped_with_a_log_line():
    builder = build_seated_log("Ana", "Bo")
    first, second = builder.propose(0, Played(LEAVES)), builder.propose(1, Played(LEAVES))
    builder.agree(1, first)
    steps = builder.table.steps
    builder.agree(0, second)
    assert builder.table.steps == steps and builder.table.proposals == ()
    assert "is no longer possible. This correction is no longer possible." in builder.log_texts[-1]


def test_old_correction_is_replayed_when_an_earlier_step_is_removed():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.agree(1, builder.propose(0, Played(LEAVES)))
    assert builder.log_texts[-1] == "Ana corrected: Ana\u2019s leaves 2 \u2192 4."
    builder.add_entry(ANA, MoveUndone(hike), 0)
    assert builder.table.state.players[0].cubes == (1, 4, 1)
    assert builder.table.steps[-1].text == "Ana corrected: Ana\u2019s leaves 1 \u2192 4."


def test_old_correction_in_a_rewritten_log_is_applied():
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    builder.add_entry(ANA, LogRewritten(str(hike), str(hike), (NewMove(0, LEAVES), str(hike))), 0)
    assert builder.table.state.players[0].cubes == (1, 5, 1)


def test_impossible_old_correction_makes_a_log_corrupt():
    with pytest.raises(CorruptLogError, match="This correction is no longer possible"):
        build_seated_log("Ana", "Bo").add_entry(ANA, Played(old("correct-player", player=7, leaf=4)), 0)


# Other entries


def test_request_without_asked_seats_asks_all_others():
    builder = LogBuilder("Ana", "Bo", "Cy").sit(ANA, BO, CY)
    entry = Entry(9, TIME, ANA, 0, Proposed(Played(LEAVES)))
    assert upcast_entry(builder.table, entry).payload.asked_seats == (1, 2)
    stored = replace(entry, payload=Proposed(Played(LEAVES), (1,)))
    assert upcast_entry(builder.table, stored) is stored


@run_all_rows(
    "devices, device, expected",
    [((ANA, BO, CY), STRANGER, (0, 2)), ((ANA, BO, CY), ANA, (2,)), ((None, BO, None), STRANGER, (1,))],
)
def test_seat_request_of_0_1_0_asks_the_others_or_else_the_holder(devices, device, expected):
    table = LogBuilder("Ana", "Bo", "Cy").sit(*devices).table
    assert upcast_entry(table, Entry(9, TIME, device, 1, Proposed(SeatRequested()))).payload.asked_seats == expected
    today = Entry(9, TIME, device, 1, Proposed(SeatRequested(asks_holder=True)))
    assert upcast_entry(table, today) is today


def test_new_request_must_say_who_is_asked():
    table = build_seated_log("Ana", "Bo").table
    with pytest.raises(InvalidEntryError, match="does not say who must agree"):
        apply_entry(table, Entry(table.version + 1, TIME, ANA, 0, Proposed(OwnRuling("May we?", "Yes."))))


def test_undone_and_redone_step_become_rewrites_of_the_log():
    builder = build_seated_log("Ana", "Bo")
    first, second = builder.play(0, Hike(2)), builder.play(1, Hike(2))
    assert upcast_change(builder.table, MoveUndone(second)) == LogRewritten(str(second), str(second))
    builder.add_entry(BO, MoveUndone(second), 1)
    builder.add_entry(ANA, MoveUndone(first), 0)
    assert builder.table.steps == ()
    builder.add_entry(ANA, MoveRedone(first), 0)
    assert upcast_change(builder.table, MoveRedone(second)) == LogRewritten("", replacement=(str(second),))
    builder.add_entry(BO, MoveRedone(second), 1)
    assert [step.number for step in builder.table.steps] == [first, second]


def test_step_is_redone_before_the_steps_that_followed_the_request():
    builder = build_seated_log("Ana", "Bo")
    name = builder.play(1, NameCard("trailhead", "science"))
    builder.add_entry(BO, MoveUndone(name), 1)
    number = builder.propose(0, MoveRedone(name))
    hike = builder.play(0, Hike(2))
    assert isinstance(preview_proposal(builder.table, builder.table.find_proposal(number)), Preview)
    builder.agree(1, number)
    assert [step.number for step in builder.table.steps] == [name, hike]


def test_undo_request_of_an_old_log_is_dropped_when_the_game_has_gone_on():
    """Today such a request would be extended to the later steps."""
    builder = build_seated_log("Ana", "Bo")
    hike = builder.play(0, Hike(2))
    number = builder.propose(1, MoveUndone(hike))
    builder.play(1, Hike(1), Skip())
    builder.agree(0, number)
    assert builder.table.active_step(hike) and builder.table.proposals == ()
    assert "is no longer possible." in builder.log_texts[-1]
