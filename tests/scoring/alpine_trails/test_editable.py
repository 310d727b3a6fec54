"""ALPINE TRAILS: editable fields of the table, and edits with the table's consent."""

import random

import pytest

from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.moves.corrections import CorrectTile, EditPosition, RemoveTile
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.moves.wildlife import TakeAnimal, TradeFork
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import State
from scoring.games import TRACKED_GAMES
from scoring.kernel.editable import AddRemove, Change, Increment, Replace, compare_fields
from scoring.kernel.move import Move, Phase
from tests.support.alpine_trails_invariants import TABLES
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import (
    ANA,
    BASE_CAMP,
    BO,
    case_params,
    make_state,
    refusal_params,
    state_after,
    with_ana,
    with_player,
)
from tests.support.parametrize import LONG_CASE, mark_rows, run_all_rows
from tests.support.random_repairs import random_game_with_edits
from tests.support.rule_cases import logged_edit

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
EDITABLE_FIELDS = TRACKED_GAME.position_format.editable_fields

ROW = (*BASE_CAMP, PlacedTile(2, 0, "terrain", "meadow", icons=2), PlacedTile(3, 0, "terrain", "rock", icons=2))
START = make_state(bag=40)
CAMPED = with_ana(START, tiles_used=1, has_placed_campsite=True)
ANIMALS_KEPT = with_ana(START, kept_animals=("wolf", "bear"))
OPEN = (*BASE_CAMP, parse_tile("NS2f", 0, -1))  # A trail that is open to the north.
LAST = with_ana(make_state(1, ana_map=OPEN, bag=4, round=2), tiles_used=1)
LAKES_PLACED = make_state(ana_map=(*OPEN, parse_tile("lake", 0, -2)), bag=40, round="over")
GOAL_NOTED = with_ana(LAKES_PLACED, goal=Goal("path-length"), is_complete=True)
GOALS_REVEALED = with_player(with_player(GOAL_NOTED, BO, is_complete=True), BO, goal=Goal("habitat-icons", "forest"))
REOPEN_ROUND = (Replace("round", "over", "9"),)


def edit_state(state: State, *changes: Change) -> State:
    """Return the state after an edit by Bo, or by the only player."""
    return TRACKED_GAME.play(state, min(BO, len(state.players) - 1), EditPosition(changes))


def field_texts(state: State) -> dict[str, str]:
    return {field.path: field.value_text for field in EDITABLE_FIELDS(state)}


# (state, changes, expected log text, expected values of some fields)
EDITS = {
    "draw-two": [
        (
            START,
            (Increment("players.0.played", 1),),
            "Ana\u2019s tiles used this round 0 \u2192 1",
            {"players.0.played": "1"},
        ),
        (
            CAMPED,
            (Increment("players.0.played", 1),),
            "Ana\u2019s tiles used this round 1 \u2192 2",
            {"players.0.campsite": "yes"},
        ),
    ],
    "campsite-one": [
        (
            CAMPED,
            (Increment("players.0.played", -1), Replace("players.0.campsite", "True", "False")),
            "Ana\u2019s tiles used this round 1 \u2192 0, campsite placed this round from yes to no",
            {"players.0.played": "0", "players.0.campsite": "no"},
        ),
    ],
    "animal-kept": [
        (
            ANIMALS_KEPT,
            (AddRemove("players.0.kept", more=("goat",)),),
            "Ana’s animals to place +goat",
            {"players.0.kept": "goat, bear and wolf"},
        ),
        (
            ANIMALS_KEPT,
            (AddRemove("players.0.kept", ("bear",), ("moose",)), AddRemove("players.1.kept", more=("bear",))),
            "Ana\u2019s animals to place \u2212bear, +moose; Bo\u2019s animals to place +bear",
            {"players.0.kept": "moose and wolf", "players.1.kept": "bear"},
        ),
        (
            GOALS_REVEALED,
            (AddRemove("players.1.kept", more=("wolf",)),),
            "Bo’s animals to place +wolf",
            {"players.1.kept": "wolf"},
        ),
    ],
    "waterfall-at-once": [
        (
            START,
            (Increment("players.0.waterfalls", 1),),
            "Ana\u2019s waterfalls to place 0 \u2192 1",
            {"players.0.waterfalls": "1"},
        ),
    ],
    "fork-animal": [
        (
            with_ana(START, offered_forks=("rock",)),
            (AddRemove("players.0.forks", ("rock",), ("forest",)),),
            "Ana\u2019s forks with an animal to take \u2212rock, +forest",
            {"players.0.forks": "forest"},
        ),
    ],
    "round-over": [
        (START, (Increment("round", 3),), "Round 1 \u2192 4", {"round": "4", "players.0.played": "0"}),
        (
            LAST,
            (Increment("players.0.played", 1),),
            "Ana\u2019s tiles used this round 1 \u2192 2",
            {"round": "end of game"},
        ),
    ],
    "game-over": [
        (
            GOALS_REVEALED,
            REOPEN_ROUND,
            "Round from end of game to 9",
            {"round": "9", "players.0.played": "0", "players.0.campsite": "no"},
        ),
    ],
    "bag": [
        (START, (Replace("bag", "40", "44"),), "Tiles in the bag at the start from 40 to 44", {"bag": "44"}),
        (
            LAKES_PLACED,
            (Replace("bag", "40", "44"),),
            "Tiles in the bag at the start from 40 to 44",
            {"bag": "44", "round": "end of game"},
        ),
    ],
    "score-total": [
        (
            GOAL_NOTED,
            (Replace("players.1.complete", "False", "True"),),
            "Bo\u2019s map finished from no to yes",
            {"players.1.complete": "yes"},
        ),
    ],
    "goal-card": [
        (
            GOALS_REVEALED,
            (Replace("players.0.goal", "path-length", "tent-icons any"),),
            "Ana\u2019s goal card from length of the longest path to all icons around tents",
            {"players.0.goal": "all icons around tents"},
        ),
        (
            GOALS_REVEALED,
            (Replace("players.1.goal", "habitat-icons forest", "not told"),),
            "Bo\u2019s goal card from icons in the largest forest habitat to not entered yet",
            {"players.1.goal": "not entered yet"},
        ),
    ],
}


@run_all_rows("state, changes, change_text, expected", case_params(EDITS))
def test_edit_changes_the_fields_and_the_log_lists_them(state, changes, change_text, expected):
    move, seat = EditPosition(changes), min(BO, len(state.players) - 1)
    edited = edit_state(state, *changes)
    assert move.needs_consent
    assert move.label(state, seat).text == change_text
    log_text = TRACKED_GAME.log_sentence(state, edited, seat, move)
    assert log_text.lower().startswith(f"{logged_edit(state.players[seat].name, change_text)}.")
    assert {path: field_texts(edited)[path] for path in expected} == expected


def test_edit_that_refills_the_bag_removes_the_lakes():
    edited = edit_state(GOALS_REVEALED, *REOPEN_ROUND)
    assert edited.players[ANA].tiles == OPEN
    assert TRACKED_GAME.flow.to_move(edited) == (ANA, BO)
    assert not any(path.endswith(".goal") for path in field_texts(edited)), "goals are secret again"


def test_edit_that_adds_the_last_tile_of_the_last_round_places_the_lakes():
    assert edit_state(LAST, Increment("players.0.played", 1)).players[ANA].tiles == (*OPEN, parse_tile("lake", 0, -2))


def test_edit_applies_to_the_state_at_the_time_of_consent():
    one_more = EditPosition((Increment("players.0.played", 1),))
    meanwhile = state_after(START, Discard())
    assert TRACKED_GAME.play(meanwhile, BO, one_more).players[ANA].tiles_used == 2
    assert TRACKED_GAME.play(START, BO, one_more).players[ANA].tiles_used == 1


NO_SUCH_FIELD = "There is nothing like this to correct at this table."
FULL = with_ana(
    make_state(other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "waterfall") for x in range(35)))), waterfalls_to_place=1
)
REFUSED = {
    "components": [
        (START, EditPosition(()), "This changes nothing."),
        (START, EditPosition((Increment("players.0.played", 0),)), "This changes nothing."),
        (
            START,
            EditPosition((Increment("players.0.played", 3),)),
            "Tiles used this round: 3 is not possible. Enter 0 to 2.",
        ),
        (START, EditPosition((Increment("round", 10),)), "Round: 11 is not possible. Enter 1 to 10."),
        (START, EditPosition((AddRemove("players.0.kept", ("bear",)),)), "Animals to place: bear is no longer there."),
        (
            START,
            EditPosition((AddRemove("players.0.kept", more=("hare",)),)),
            "Animals to place: \u201chare\u201d does not exist.",
        ),
        (START, EditPosition((Replace("bag", "44", "40"),)), "Tiles in the bag at the start: this is 40 now."),
        (START, EditPosition((Increment("round", 1), Increment("round", 2))), "Round is changed twice."),
        (START, EditPosition((Replace("round", "1", "over"),)), "Round cannot be corrected this way."),
        (START, EditPosition((Replace("players.0.goal", "not told", "path-length"),)), NO_SUCH_FIELD),
        (START, EditPosition((Replace("players.0.map.1.0", "base camp", "lake"),)), NO_SUCH_FIELD),
        (START, EditPosition((Replace("animals.forest", "bear", "wolf"),)), NO_SUCH_FIELD),
        (START, EditPosition((Replace("players.0.complete", "False", "True"),)), NO_SUCH_FIELD),
        (LAKES_PLACED, EditPosition((Increment("players.0.played", -1),)), NO_SUCH_FIELD),
        (make_state(1), EditPosition((AddRemove("players.0.forks", more=("rock",)),)), NO_SUCH_FIELD),
    ],
    "campsite-one": [
        (
            CAMPED,
            EditPosition((Increment("players.0.played", -1),)),
            "Ana has placed a campsite this round, so at least 1 tile is used.",
        ),
    ],
    "animal-once": [
        (
            ANIMALS_KEPT,
            EditPosition((AddRemove("players.0.kept", more=("bear",)),)),
            "Ana would have two bears. Each player may have only one.",
        )
    ],
    "animal-supply": [
        (
            make_state(1),
            EditPosition((AddRemove("players.0.kept", more=("bear",) * 6),)),
            "The box has only 5 of each animal.",
        ),
    ],
    "fork-animal": [
        (
            with_ana(START, offered_forks=("rock",)),
            EditPosition((AddRemove("players.0.forks", more=("rock",)),)),
            "Ana can take only one animal for forks of one terrain.",
        ),
    ],
    "waterfall-supply": [
        (
            FULL,
            EditPosition((Increment("players.1.waterfalls", 1),)),
            "The box has only 36 waterfalls, including those still to place.",
        ),
    ],
    "base-camp": [
        (
            make_state(ana_map=()),
            EditPosition((Increment("players.0.waterfalls", 1),)),
            "Ana has no map yet. Enter the base camp first.",
        )
    ],
    "bag": [
        (
            make_state(bag=40, round=10),
            EditPosition((Replace("bag", "40", "36"),)),
            "There is no round 10. A bag of 36 tiles lasts 9 rounds.",
        ),
    ],
}


@run_all_rows("state, move, rule, sentence", refusal_params(REFUSED))
def test_impossible_edit_is_refused_by_its_rule(state, move, rule, sentence):
    assert [(reason.rule.id, reason.text) for reason in TRACKED_GAME.objections(state, ANA, move)] == [(rule, sentence)]


# Effects of a move as differences between editable fields


WITH_ROW = make_state(ana_map=ROW)
FIELD_CHANGES = {
    "place-terrain": [
        (
            WITH_ROW,
            PlaceTerrain("forest", -1, 0),
            [("tiles used this round", "0", "1"), ("tile just west of base camp", "empty", "forest terrain tile")],
        ),
    ],
    "trail-connected": [
        (
            WITH_ROW,
            PlaceTrail("rock", "NES", 2, 0, -1),
            [
                ("tiles used this round", "0", "1"),
                ("tile just north of base camp’s west square", "empty", "2-mile rock fork, north, east and south"),
                ("forks with an animal to take", "none", "rock"),
            ],
        ),
    ],
    "campsite-swap": [
        (
            with_ana(make_state(ana_map="EW3f EW3f EW3f Br Br", bag=40)),
            PlaceCampsite(-1, 0),
            [
                ("tiles used this round", "0", "1"),
                ("campsite placed this round", "no", "yes"),
                ("tile 4 squares west of base camp", "empty", "campsite"),
            ],
        ),
    ],
    "place-waterfall": [
        (
            with_ana(WITH_ROW, waterfalls_to_place=1),
            PlaceWaterfall(-1, 0),
            [("waterfalls to place", "1", "0"), ("tile just west of base camp", "empty", "waterfall")],
        ),
    ],
    "animal-card": [
        (
            with_ana(make_state(ana_map=ROW, animals={}), offered_forks=("rock",)),
            TakeAnimal("rock", "goat"),
            [
                ("forks with an animal to take", "rock", "none"),
                ("animals to place", "none", "goat"),
                ("rock animal", "not entered yet", "goat"),
            ],
        ),
    ],
    "place-adjacent": [
        (
            LAKES_PLACED,
            CorrectTile(ANA, 0, -1, "trail", "forest", "NS", 2, 2),
            [
                (
                    "tile just north of base camp’s west square",
                    "straight 2-mile forest trail, north and south",
                    "straight 2-mile forest trail, north and south, 2 icons",
                )
            ],
        ),
        (WITH_ROW, RemoveTile(ANA, 3, 0), [("tile 2 squares east of base camp", "rock terrain tile", "empty")]),
        (
            WITH_ROW,
            CorrectTile(ANA, 2, 0, "terrain", "meadow", icons=2, animal="wolf"),
            [("tile just east of base camp", "meadow terrain tile", "meadow terrain tile with the wolf")],
        ),
    ],
    "base-camp-squares": [
        (
            WITH_ROW,
            CorrectTile(ANA, 1, 0, "base", "forest", icons=3),
            [("base camp’s east square", "rock, 1 icon", "forest, 3 icons")],
        ),
    ],
    "goal-secret": [
        (
            GOAL_NOTED,
            Finish(),
            [
                ("map finished", "no", "yes"),
                ("goal card", "hidden", "length of the longest path"),
                ("goal card", "hidden", "not entered yet"),
            ],
        ),
    ],
}


@run_all_rows("state, move, expected", case_params(FIELD_CHANGES))
def test_effects_of_a_move_show_as_changed_fields(state: State, move: Move, expected: list):
    seat = BO if isinstance(move, Finish) else ANA
    found = [
        (difference.label, difference.old, difference.new)
        for difference in compare_fields(EDITABLE_FIELDS(state), EDITABLE_FIELDS(TRACKED_GAME.play(state, seat, move)))
    ]
    assert sorted(found) == sorted(expected)


def test_turn_starts_with_the_moves_for_a_drawn_tile():
    begin = {kind for kind in TRACKED_GAME.moves if kind.phase is Phase.TURN_START}
    assert begin == {PlaceTrail, PlaceTerrain, PlaceCampsite, Discard, TradeFork}


def test_chapters_are_the_rounds():
    assert [
        TRACKED_GAME.text.chapter(state) for state in (START, edit_state(START, Increment("round", 3)), LAKES_PLACED)
    ] == [
        "Round 1",
        "Round 4",
        "End of game",
    ]


TRACKED_TABLES = [table for table in TABLES if table.tracked is TRACKED_GAME]


@pytest.mark.slow("random games")
@pytest.mark.parametrize(
    "table",
    [TRACKED_TABLES[0], *mark_rows(TRACKED_TABLES[1:], LONG_CASE)],
    ids=lambda table: table.label.replace(" ", "-"),
)
def test_random_game_with_edits_continues_to_its_end(table):
    found = [
        random_game_with_edits(TRACKED_GAME, table.setup, random.Random(f"{table.label} {number}"))
        for number in range(2)
    ]
    assert len({place for _, places in found for place in places}) >= 8
