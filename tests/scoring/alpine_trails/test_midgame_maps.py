"""Tests of a map that is entered as a whole in the middle of a game."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from scoring.alpine_trails.map.grid import open_ends
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap
from scoring.alpine_trails.moves.corrections import CorrectTile, EnterMap
from scoring.alpine_trails.moves.placing import TakeCamp
from scoring.alpine_trails.state import State
from scoring.kernel.move import Move
from tests.support.alpine_trails_maps import parse_map, parse_tile
from tests.support.alpine_trails_table import (
    ANA,
    BO,
    TRACKED_GAME,
    make_state,
    objection_rules_and_texts,
    state_after,
    with_ana,
)
from tests.support.parametrize import run_all_rows
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long("many games")) for seed in range(1, 30))]


def part_of_random_game(seed: int) -> tuple[State, State, list[tuple[int, Move]]]:
    """Return a random game before its first move and in the middle, and the moves that follow."""
    rng, record = random.Random(seed), []
    setup = ready_setup(["Ana", "Bo", "Cy", "Di"][: rng.randint(1, 4)], "alpine-trails")
    random_game(TRACKED_GAME, setup, rng, record)
    first = state = TRACKED_GAME.initial_state(setup)
    cut = rng.randint(len(record) // 8, len(record) * 3 // 4)
    for seat, move in record[:cut]:
        state = TRACKED_GAME.play(state, seat, move)
    return first, state, record[cut:]


def enter_tile_by_tile(state: State, seat: int, tiles: TrailMap) -> State:
    """Return the state after base camp is entered, and each tile next to an earlier one."""
    west, east = sorted((tile for tile in tiles if tile.kind == "base"), key=lambda tile: tile.cell)
    other = None if west.terrain == east.terrain else east.terrain
    moves = [TakeCamp(west.terrain, west.icons, other, east.icons, upright=west.x == east.x)]
    moves += [
        CorrectTile(seat, *(getattr(tile, field) for field in PlacedTile.__struct_fields__))
        for tile in tiles
        if tile.kind != "base"
    ]
    return state_after(state, *moves, seat=seat)


def paint(state: State, seat: int, tiles: TrailMap, rng: random.Random) -> State:
    """Return the state after a map is entered whose tiles come in any order."""
    return state_after(state, EnterMap(seat, tuple(rng.sample(tiles, len(tiles)))), seat=seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_painted_map_is_the_same_as_one_entered_tile_by_tile(seed: int):
    painted, middle, _ = part_of_random_game(seed)
    rng, by_tile = random.Random(seed), painted
    for seat, player in enumerate(middle.players):
        if player.tiles:
            painted = paint(painted, seat, player.tiles, rng)
            by_tile = enter_tile_by_tile(by_tile, seat, painted.players[seat].tiles)
            assert {*painted.players[seat].tiles} == {*player.tiles}
    assert painted == by_tile


@pytest.mark.parametrize("seed", SEEDS)
def test_game_continues_from_painted_maps_to_the_same_score(seed: int):
    painted, middle, rest = part_of_random_game(seed)
    rng = random.Random(seed)
    for seat, player in enumerate(middle.players):
        if player.tiles:
            painted = paint(painted, seat, player.tiles, rng)
    players = zip(middle.players, painted.players, strict=True)
    continued: Any = replace(middle, players=tuple(replace(old, tiles=new.tiles) for old, new in players))
    for seat, move in rest:
        middle, continued = (TRACKED_GAME.play(state, seat, move) for state in (middle, continued))
    scores = [TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)) for state in (middle, continued)]
    assert TRACKED_GAME.flow.to_move(continued) == ()
    assert [column.total for column in scores[0].columns] == [column.total for column in scores[1].columns]


OPEN = parse_map("Bf Bf EW2f")
WITH_LAKE = parse_map("Bf Bf EW2f lake")


def test_open_trails_are_no_error_in_the_middle_of_a_game():
    state = state_after(make_state(ana_map=()), EnterMap(ANA, OPEN))
    assert state.players[ANA].tiles == OPEN
    assert open_ends(OPEN) == ((3, 0),)


# The map, the rule, and the beginning of the sentence.
REFUSED = [
    ("f f", "base-camp-squares", "A map has one base camp"),
    (
        "Bf Bf EWf",
        "trail-side",
        "Straight forest trail just east of base camp: A trail is 1, 2 or 3 miles long, not 0.",
    ),
    ("Bf Bf . r", "place-adjacent", "Rock terrain tile 2 squares east of base camp: cut off"),
    ("Bf Bf EW2f r", "trail-runs-on", "Straight 2-mile forest trail just east"),
    ("Bf Bf r EW2f", "trail-connected", "Straight 2-mile forest trail 2 squares east"),
    ("Bf Bf camp", "campsite-at-end", "No trail leads into the campsite"),
]


@run_all_rows("drawing, rule, text", REFUSED)
def test_map_that_cannot_be_in_the_middle_of_a_game_is_refused(drawing, rule, text):
    reasons = objection_rules_and_texts(make_state(), EnterMap(ANA, parse_map(drawing)))
    assert any(found == rule and sentence.startswith(text) for found, sentence in reasons), reasons


WOLF_ON_ROCK = (*parse_map("Bf Bf"), replace(parse_tile("r", 2, 0), animal="wolf"))
WOLF_ON_MEADOW = (*parse_map("Bf Bf"), replace(parse_tile("m", 2, 0), animal="wolf"))
REFUSED_IN_STATE = [
    (make_state(), EnterMap(7, OPEN), "There is no such player at this table."),
    (make_state(ana_map=OPEN), EnterMap(ANA, OPEN), "This changes nothing."),
    (
        make_state(ana_map=WITH_LAKE, round="over"),
        EnterMap(ANA, OPEN),
        "The last round is over. Fix single tiles of the map instead.",
    ),
    (
        make_state(),
        EnterMap(ANA, WOLF_ON_ROCK),
        "Ana\u2019s map, just east of base camp: The wolf goes on a meadow terrain tile. This is a rock terrain tile.",
    ),
    (
        with_ana(make_state(), kept_animals=("wolf",)),
        EnterMap(ANA, WOLF_ON_MEADOW),
        "Ana would have two wolves. Each player may have only one.",
    ),
]


@run_all_rows("state, move, text", REFUSED_IN_STATE)
def test_map_that_does_not_fit_the_table_is_refused(state, move, text):
    assert text in [sentence for _, sentence in objection_rules_and_texts(state, move)]


LOOP = "Bf Bf ESW1f SW1f \n . . NE1f NW1f"
QUESTIONS = [
    ("Bf Bf EW2f", []),  # neither few tiles nor open ends are doubtful
    (LOOP, ["Your map has 1 loop and 0 waterfalls. Is a waterfall missing?"]),
    (f"{LOOP} fall", []),
    ("Bf Bf fall", ["Your map has 1 waterfall and 0 loops. Is a trail missing?"]),
]


@run_all_rows("drawing, questions", QUESTIONS)
def test_questions_are_only_about_waterfalls(drawing, questions):
    move = EnterMap(ANA, parse_map(drawing))
    assert list(move.questions(make_state(), ANA)) == questions
    assert list(move.questions(make_state(), BO)) == [text.replace("Your", "Ana\u2019s") for text in questions]


def test_waterfall_that_is_still_to_place_is_not_missing():
    state = with_ana(make_state(), waterfalls_to_place=1)
    assert list(EnterMap(ANA, parse_map(LOOP)).questions(state, ANA)) == []


def test_map_entered_again_keeps_the_order_of_its_tiles():
    state = make_state(ana_map=parse_map("Bf Bf f r"))
    fixed = parse_map("Bf Bf f m w")
    assert state_after(state, EnterMap(ANA, fixed[::-1])).players[ANA].tiles == fixed


def test_log_of_a_painted_map_counts_its_tiles():
    before, move = make_state(ana_map=()), EnterMap(ANA, parse_map("r f Bf Bf EW2f EW1f"))
    log = TRACKED_GAME.log_sentence(before, state_after(before, move), ANA, move)
    assert log.startswith("Ana\u2019s map entered: 2 trail tiles and 2 terrain tiles"), log
    assert move.label(before, ANA).text == "Enter Ana\u2019s map: 2 trail tiles and 2 terrain tiles"
