"""ALPINE TRAILS: what lies on its table thing by thing, and any of it set right with the table's consent."""

import random

import pytest

from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.moves.corrections import CorrectTile, RemoveTile, SetRight
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail, PlaceWaterfall
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.moves.wildlife import TakeAnimal, TradeFork
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.state import State
from scoring.games import PLAYS
from scoring.kernel.editable import But, By, Change, Into, differences
from scoring.kernel.move import Move
from tests.support.alpine_trails_invariants import TABLES
from tests.support.alpine_trails_maps import tile
from tests.support.alpine_trails_table import ANA, BO, CAMP, after, cases, refusals, table, with_ana, with_side
from tests.support.cases import LONG, every_row, marked
from tests.support.random_repairs import mended_game

PLAY = PLAYS["alpine-trails"]
FIGURES = PLAY.lying.figures

ROW = (*CAMP, Placed(2, 0, "terrain", "meadow", icons=2), Placed(3, 0, "terrain", "rock", icons=2))
START = table(bag=40)
CAMPED = with_ana(START, used=1, camped=True)
KEPT = with_ana(START, held=("wolf", "bear"))
OPEN = (*CAMP, tile("NS2f", 0, -1))  # a trail that is open to the north
LAST = with_ana(table(1, ana=OPEN, bag=4, round=2), used=1)
LAID = table(ana=(*OPEN, tile("lake", 0, -2)), bag=40, round="over")
NOTED = with_ana(LAID, goal=Goal("path-length"), done=True)
REVEALED = with_side(with_side(NOTED, BO, done=True), BO, goal=Goal("habitat-icons", "forest"))
ONCE_MORE = (Into("round", "over", "9"),)


def set_right(state: State, *changes: Change) -> State:
    """Return the table as Bo, or whoever is alone, has it set right."""
    return PLAY.play(state, min(BO, len(state.players) - 1), SetRight(changes))


def said(state: State) -> dict[str, str]:
    return {figure.at: figure.said for figure in FIGURES(state)}


# (the table, what is set right, what the log says, what some figures are then)
RIGHT = {
    "draw-two": [
        (START, (By("players.0.played", 1),), "Ana, tiles played this round 0 \u2192 1", {"players.0.played": "1"}),
        (
            CAMPED,
            (By("players.0.played", 1),),
            "Ana, tiles played this round 1 \u2192 2",
            {"players.0.campsite": "yes"},
        ),
    ],
    "campsite-one": [
        (
            CAMPED,
            (By("players.0.played", -1), Into("players.0.campsite", "True", "False")),
            "Ana, tiles played this round 1 \u2192 0; Ana, tile given up for a campsite this round yes \u2192 no",
            {"players.0.played": "0", "players.0.campsite": "no"},
        ),
    ],
    "animal-kept": [
        (
            KEPT,
            (But("players.0.kept", more=("goat",)),),
            "Ana, animals kept +goat",
            {"players.0.kept": "goat, bear and wolf"},
        ),
        (
            KEPT,
            (But("players.0.kept", ("bear",), ("moose",)), But("players.1.kept", more=("bear",))),
            "Ana, animals kept \u2212bear, +moose; Bo, animals kept +bear",
            {"players.0.kept": "moose and wolf", "players.1.kept": "bear"},
        ),
        (REVEALED, (But("players.1.kept", more=("wolf",)),), "Bo, animals kept +wolf", {"players.1.kept": "wolf"}),
    ],
    "waterfall-at-once": [
        (START, (By("players.0.waterfalls", 1),), "Ana, waterfalls to place 0 \u2192 1", {"players.0.waterfalls": "1"}),
    ],
    "fork-animal": [
        (
            with_ana(START, offered=("rock",)),
            (But("players.0.forks", ("rock",), ("forest",)),),
            "Ana, forks whose animal may be taken \u2212rock, +forest",
            {"players.0.forks": "forest"},
        ),
    ],
    "round-over": [
        (START, (By("round", 3),), "round 1 \u2192 4", {"round": "4", "players.0.played": "0"}),
        (LAST, (By("players.0.played", 1),), "Ana, tiles played this round 1 \u2192 2", {"round": "over"}),
    ],
    "game-over": [
        (
            REVEALED,
            ONCE_MORE,
            "round over \u2192 9",
            {"round": "9", "players.0.played": "0", "players.0.campsite": "no"},
        ),
    ],
    "bag": [
        (START, (Into("bag", "40", "44"),), "tiles that went into the bag 40 \u2192 44", {"bag": "44"}),
        (LAID, (Into("bag", "40", "44"),), "tiles that went into the bag 40 \u2192 44", {"bag": "44", "round": "over"}),
    ],
    "score-total": [
        (
            NOTED,
            (Into("players.1.complete", "False", "True"),),
            "Bo, map complete no \u2192 yes",
            {"players.1.complete": "yes"},
        ),
    ],
    "goal-card": [
        (
            REVEALED,
            (Into("players.0.goal", "path-length", "tent-icons any"),),
            "Ana, goal length of the longest path \u2192 icons around the tents",
            {"players.0.goal": "icons around the tents"},
        ),
        (
            REVEALED,
            (Into("players.1.goal", "habitat-icons forest", "not told"),),
            "Bo, goal icons in the largest habitat of forest \u2192 not told",
            {"players.1.goal": "not told"},
        ),
    ],
}


@every_row("state, changes, told, now", cases(RIGHT))
def test_what_lies_otherwise_is_set_right(state, changes, told, now):
    move, seat = SetRight(changes), min(BO, len(state.players) - 1)
    mended = set_right(state, *changes)
    assert move.consent
    assert PLAY.tell(state, mended, seat, move).startswith(f"{state.players[seat].name} had it set right: {told}.")
    assert move.label(state, seat) == f"Set right: {told}"
    assert {at: said(mended)[at] for at in now} == now


def test_the_bag_that_is_not_empty_after_all_takes_the_lakes_with_it():
    mended = set_right(REVEALED, *ONCE_MORE)
    assert mended.players[ANA].tiles == OPEN
    assert PLAY.to_move(mended) == (ANA, BO)
    assert not any(at.endswith(".goal") for at in said(mended)), "goals are secret again"


def test_the_last_tile_of_the_last_round_lays_the_lakes():
    assert set_right(LAST, By("players.0.played", 1)).players[ANA].tiles == (*OPEN, tile("lake", 0, -2))


def test_what_is_set_right_holds_for_what_is_there_when_it_is_agreed():
    one_more = SetRight((By("players.0.played", 1),))
    meanwhile = after(START, Discard())
    assert PLAY.play(meanwhile, BO, one_more).players[ANA].used == 2
    assert PLAY.play(START, BO, one_more).players[ANA].used == 1


NO_SUCH_FIGURE = "There is no such thing on this table that could be set right."
FULL = with_ana(table(others=(*CAMP, *(Placed(x, 1, "waterfall") for x in range(35)))), waterfalls=1)
REFUSED = {
    "components": [
        (START, SetRight(()), "Nothing is set right by this."),
        (START, SetRight((By("players.0.played", 0),)), "Nothing is set right by this."),
        (
            START,
            SetRight((By("players.0.played", 3),)),
            "Tiles played this round: 3 is not possible; there can be 0 to 2.",
        ),
        (START, SetRight((By("round", 10),)), "Round: 11 is not possible; there can be 1 to 10."),
        (START, SetRight((But("players.0.kept", ("bear",)),)), "Animals kept: bear is not there."),
        (START, SetRight((But("players.0.kept", more=("hare",)),)), "Animals kept: there is no \u201chare\u201d."),
        (START, SetRight((Into("bag", "44", "40"),)), "Tiles that went into the bag: it is 40 by now."),
        (START, SetRight((By("round", 1), By("round", 2))), "Round is set right twice."),
        (START, SetRight((Into("round", "1", "over"),)), "Round is not set right like that."),
        (START, SetRight((Into("players.0.goal", "not told", "path-length"),)), NO_SUCH_FIGURE),
        (START, SetRight((Into("players.0.map.1.0", "base camp", "lake"),)), NO_SUCH_FIGURE),
        (START, SetRight((Into("animals.forest", "bear", "wolf"),)), NO_SUCH_FIGURE),
        (START, SetRight((Into("players.0.complete", "False", "True"),)), NO_SUCH_FIGURE),
        (LAID, SetRight((By("players.0.played", -1),)), NO_SUCH_FIGURE),
        (table(1), SetRight((But("players.0.forks", more=("rock",)),)), NO_SUCH_FIGURE),
    ],
    "campsite-one": [
        (CAMPED, SetRight((By("players.0.played", -1),)), "Ana has given up a tile for a campsite and played none."),
    ],
    "animal-once": [(KEPT, SetRight((But("players.0.kept", more=("bear",)),)), "Ana would have the bear twice.")],
    "animal-supply": [
        (table(1), SetRight((But("players.0.kept", more=("bear",) * 6),)), "There are 5 of each animal."),
    ],
    "fork-animal": [
        (
            with_ana(START, offered=("rock",)),
            SetRight((But("players.0.forks", more=("rock",)),)),
            "Forks of one terrain offer Ana one animal.",
        ),
    ],
    "waterfall-supply": [
        (
            FULL,
            SetRight((By("players.1.waterfalls", 1),)),
            "The box has 36 waterfalls, those that are to be placed among them.",
        ),
    ],
    "base-camp": [(table(ana=()), SetRight((By("players.0.waterfalls", 1),)), "Ana has no map yet.")],
    "bag": [
        (
            table(bag=40, round=10),
            SetRight((Into("bag", "40", "36"),)),
            "With 36 tiles in the bag there are 9 rounds.",
        ),
    ],
}


@every_row("state, move, rule, sentence", refusals(REFUSED))
def test_what_cannot_be_so_is_refused_by_its_rule(state, move, rule, sentence):
    assert [(reason.rule.id, reason.text) for reason in PLAY.objections(state, ANA, move)] == [(rule, sentence)]


# What a move does is a difference


TOLD = table(ana=ROW)
SHOWN = {
    "place-terrain": [
        (
            TOLD,
            PlaceTerrain("forest", -1, 0),
            [("tiles played this round", "0", "1"), ("tile 1 west of base camp", "", "forest tile")],
        ),
    ],
    "trail-connected": [
        (
            TOLD,
            PlaceTrail("rock", "NES", 2, 0, -1),
            [
                ("tiles played this round", "0", "1"),
                ("tile 1 north of base camp", "", "2 mile rock fork to the north, east and south"),
                ("forks whose animal may be taken", "none", "rock"),
            ],
        ),
    ],
    "campsite-swap": [
        (
            with_ana(table(ana="EW3f EW3f EW3f Br Br", bag=40)),
            PlaceCampsite(-1, 0),
            [
                ("tiles played this round", "0", "1"),
                ("tile given up for a campsite this round", "no", "yes"),
                ("tile 4 west of base camp", "", "campsite"),
            ],
        ),
    ],
    "place-waterfall": [
        (
            with_ana(TOLD, waterfalls=1),
            PlaceWaterfall(-1, 0),
            [("waterfalls to place", "1", "0"), ("tile 1 west of base camp", "", "waterfall")],
        ),
    ],
    "animal-card": [
        (
            with_ana(table(ana=ROW, animals={}), offered=("rock",)),
            TakeAnimal("rock", "goat"),
            [
                ("forks whose animal may be taken", "rock", "none"),
                ("animals kept", "none", "goat"),
                ("animal of the rock", "not told", "goat"),
            ],
        ),
    ],
    "place-adjacent": [
        (
            LAID,
            CorrectTile(ANA, 0, -1, "trail", "forest", "NS", 2, 2),
            [
                (
                    "tile 1 north of base camp",
                    "2 mile forest trail to the north and south",
                    "2 mile forest trail to the north and south with 2 icons",
                )
            ],
        ),
        (TOLD, RemoveTile(ANA, 3, 0), [("tile 3 east of base camp", "rock tile", "")]),
        (
            TOLD,
            CorrectTile(ANA, 2, 0, "terrain", "meadow", icons=2, animal="wolf"),
            [("tile 2 east of base camp", "meadow tile", "meadow tile with the wolf")],
        ),
    ],
    "base-camp-squares": [
        (
            TOLD,
            CorrectTile(ANA, 1, 0, "base", "forest", icons=3),
            [("tile 1 east of base camp", "base camp with 1 icon of rock", "base camp with 3 icons of forest")],
        ),
    ],
    "goal-secret": [
        (
            NOTED,
            Finish(),
            [("map complete", "no", "yes"), ("goal", "", "length of the longest path"), ("goal", "", "not told")],
        ),
    ],
}


@every_row("state, move, shown", cases(SHOWN))
def test_what_a_move_does_can_be_read_off_what_lies_on_the_table(state: State, move: Move, shown: list):
    seat = BO if isinstance(move, Finish) else ANA
    found = [(one.what, one.old, one.new) for one in differences(FIGURES(state), FIGURES(PLAY.play(state, seat, move)))]
    assert sorted(found) == sorted(shown)


def test_a_small_turn_begins_with_every_tile_drawn():
    begin = {kind for kind in PLAY.moves if kind.begins}
    assert begin == {PlaceTrail, PlaceTerrain, PlaceCampsite, Discard, TradeFork}


def test_the_rounds_are_the_chapters_of_the_story():
    assert [PLAY.chapter(state) for state in (START, set_right(START, By("round", 3)), LAID)] == [
        "Round 1",
        "Round 4",
        "The bag is empty",
    ]


TRACKED = [each for each in TABLES if each.play is PLAY]


@pytest.mark.slow("random games")
@pytest.mark.parametrize(
    "each", [TRACKED[0], *marked(TRACKED[1:], LONG)], ids=lambda each: each.label.replace(" ", "-")
)
def test_whatever_is_set_right_the_game_goes_on_and_comes_to_an_end(each):
    found = [mended_game(PLAY, each.setup, random.Random(f"{each.label} {number}")) for number in range(2)]
    assert len({place for _, places in found for place in places}) >= 8
