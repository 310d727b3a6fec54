"""ALPINE TRAILS: when a player meets the lessons of a first game, and when not."""

from typing import Any

import pytest
from msgspec.structs import replace

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.lessons import LESSONS
from scoring.alpine_trails.moves.corrections import CorrectTile
from scoring.alpine_trails.moves.placing import Discard, PlaceCampsite, PlaceTerrain, PlaceTrail
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.setup import default_setup
from scoring.alpine_trails.state import State
from scoring.kernel.move import Move
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, NAMES, make_state, state_after, with_ana, with_player
from tests.support.parametrize import run_all_rows

START = make_state()
ONE_TILE = with_ana(make_state(ana_map="Br Br f"), tiles_used=1)
BOTH_TILES = with_ana(make_state(ana_map="Br Br f r"), tiles_used=2)
AHEAD = with_ana(make_state(ana_map="Br Br f r", ahead=True), tiles_used=2)
ROUND_TWO = make_state(round=2)
THREE_ROUNDS: dict[str, Any] = {"bag": 12}
OVER = make_state(bag=4, round="over")
ALMOST_A_LOOP = (*BASE_CAMP, parse_tile("ES1f", 0, -1))
SIX_MILES = ". EW3f EW3f Br Br"
CAMPSITE = PlaceCampsite(0, 0)
NORTH = PlaceTrail("forest", "NS", 2, 0, -1)
FORK = PlaceTrail("forest", "NES", 2, 0, -1)
EAST = PlaceTerrain("meadow", 2, 0)
SECOND = PlaceTerrain("meadow", 3, 0)

# Each lesson about a decision: positions in which Ana meets it, and similar ones in which she does not.
DECISIONS = {
    "tile": (
        [START, AHEAD, with_ana(START, offered_forks=("rock",))],
        [
            make_state(ana_map=()),
            OVER,
            with_ana(START, waterfalls_to_place=1),
            with_ana(BOTH_TILES, offered_forks=("rock",)),
            with_ana(AHEAD, offered_forks=("rock",)),
        ],
    ),
    "waterfall": ([with_ana(START, waterfalls_to_place=1)], [START]),
    "animal-offered": (
        [with_ana(START, offered_forks=("rock",)), with_ana(BOTH_TILES, offered_forks=("rock",))],
        [
            START,
            with_player(START, BO, offered_forks=("rock",)),
            with_ana(START, offered_forks=("rock",), waterfalls_to_place=1),
        ],
    ),
    "animal-kept": (
        [with_ana(START, kept_animals=("goat",))],
        [START, with_ana(OVER, kept_animals=("goat",)), with_ana(START, kept_animals=("goat",), waterfalls_to_place=1)],
    ),
    "connect": ([START, ONE_TILE, ROUND_TWO], []),
    "round": ([ROUND_TWO, AHEAD], [START, ONE_TILE]),
    "turning": ([ONE_TILE, ROUND_TWO], [START]),
    "habitat": ([ROUND_TWO, AHEAD], [ONE_TILE]),
    "last-round": (
        [make_state(round=3, **THREE_ROUNDS), with_ana(make_state(round=2, ahead=True, **THREE_ROUNDS), tiles_used=2)],
        [make_state(round=2, **THREE_ROUNDS), with_ana(make_state(round=2, **THREE_ROUNDS), tiles_used=1)],
    ),
    "loop": (
        [make_state(ana_map=ALMOST_A_LOOP), make_state(round=3)],
        [START, ROUND_TWO, with_ana(OVER, tiles=ALMOST_A_LOOP)],
    ),
    "path": ([make_state(ana_map=". EW3f EW2f Br Br")], [make_state(ana_map=". EW3f EW1f Br Br")]),
    "campsite-now": (
        [
            make_state(ana_map=SIX_MILES),
            with_ana(make_state(ana_map=SIX_MILES, ahead=True), tiles_used=2, has_placed_campsite=True),
        ],
        [
            START,
            make_state(ana_map=". EW3f EW2f Br Br"),
            with_ana(make_state(ana_map=SIX_MILES), tiles_used=1, has_placed_campsite=True),
        ],
    ),
    "campsite": (
        [make_state(ana_map=". EW3f EW2f Br Br"), make_state(ana_map=". EW3f EW1f Br Br"), make_state(round=4)],
        [START, make_state(round=3), make_state(ana_map=SIX_MILES), make_state(ana_map=". EW3f Br Br")],
    ),
    "solo-fork": ([make_state(1)], [START, with_ana(make_state(1), waterfalls_to_place=1)]),
}

WITH_GOAL = {"goal": Goal("path-length")}
GROVE = with_ana(make_state(ana_map="Br Br f"), kept_animals=("bear",), tiles_used=1)

# Each lesson about an event: positions and a move of Ana by which she meets it, and similar ones by which she does not.
EVENTS = {
    "fork-placed": (
        [(START, FORK), (START, PlaceTrail("rock", "NESW", 1, 0, -1))],
        [(START, NORTH), (make_state(1), FORK), (START, CorrectTile(ANA, 0, -1, "trail", "forest", "NES", 2, 1))],
    ),
    "campsite-placed": ([(make_state(ana_map=SIX_MILES), CAMPSITE)], [(START, NORTH), (START, Discard())]),
    "goal-card": (
        [(ONE_TILE, SECOND)],
        [(START, EAST), (with_ana(ONE_TILE, **WITH_GOAL), SECOND)],
    ),
}


def lessons_of_decision(state: State) -> set[str]:
    assert ANA in TRACKED_GAME.flow.to_move(state)
    return set(LESSONS.decisions(TRACKED_GAME.view(state, ANA), ANA))


def lessons_of_move(state: State, move: Move, seat: int = ANA) -> set[str]:
    after = state_after(state, move, seat=seat)
    return set(LESSONS.events(TRACKED_GAME.view(state, ANA), TRACKED_GAME.view(after, ANA), ANA))


@run_all_rows("lesson", DECISIONS)
def test_lesson_about_a_decision_is_met_when_it_helps(lesson):
    meeting, others = DECISIONS[lesson]
    assert [lesson in lessons_of_decision(state) for state in meeting] == [True] * len(meeting)
    assert [lesson in lessons_of_decision(state) for state in others] == [False] * len(others)


@run_all_rows("lesson", EVENTS)
def test_lesson_about_an_event_is_met_when_it_happens(lesson):
    meeting, others = EVENTS[lesson]
    assert [lesson in lessons_of_move(*case) for case in meeting] == [True] * len(meeting)
    assert [lesson in lessons_of_move(*case) for case in others] == [False] * len(others)


def test_move_of_another_player_gives_no_lesson():
    assert lessons_of_move(START, FORK, seat=BO) == set()
    assert lessons_of_move(with_ana(with_player(START, BO, tiles_used=1), tiles_used=2), Discard(), seat=BO) == set()


def test_waterfall_and_base_camp_are_entered_without_other_lessons():
    assert lessons_of_decision(with_ana(START, waterfalls_to_place=1, offered_forks=("rock",))) == {"waterfall"}
    assert lessons_of_decision(make_state(ana_map=())) == set()


def test_finished_map_has_no_lessons():
    assert lessons_of_decision(with_ana(OVER, kept_animals=("goat",))) == set()


@pytest.mark.parametrize(
    ("count", "tiles", "others"), [(1, 32, 100), (2, 64, 68), (3, 96, 36), (4, 112, 20), (5, 130, 2)]
)
def test_setup_has_the_tiles_of_each_number_of_players(count, tiles, others):
    texts = {step.id: step.text for step in LESSONS.setup_steps(default_setup(list(NAMES[:count])))}
    assert f"For {count} player{'s' if count > 1 else ''}, count {tiles} of them" in texts["bag"]
    assert f"the other {others} trail tiles to the box" in texts["rest"]
    assert ("together" in texts) == (count > 1)


def test_setup_follows_the_entered_number_of_tiles():
    for tiles, text in ((131, "the other 1 trail tile to"), (132, "all other tiles to")):
        steps = LESSONS.setup_steps(replace(default_setup(list(NAMES[:2])), tiles=tiles))
        assert [step for step in steps if text in step.text]


def test_setup_asks_for_what_is_not_entered():
    state = TRACKED_GAME.initial_state(default_setup(list(NAMES[:2])))
    assert LESSONS.setup_gaps(state) == {"animals": (ANA, BO), "camp": (ANA, BO)}
    assert LESSONS.setup_gaps(make_state(ana_map=())) == {"animals": (), "camp": (ANA,)}
    assert LESSONS.setup_gaps(START) == {"animals": (), "camp": ()}
