"""ALPINE TRAILS: corrections, secret goals and rulings."""

from msgspec.structs import replace

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.moves.corrections import Adopt, CorrectTile, RemoveTile
from scoring.alpine_trails.moves.reveals import Finish, ForgetGoal, NoteGoal
from scoring.alpine_trails.points import Goal
from tests.support.alpine_trails_maps import parse_map, parse_tile
from tests.support.alpine_trails_table import (
    ANA,
    BASE_CAMP,
    BO,
    case_params,
    make_state,
    objection_rules_and_texts,
    refusal_params,
    state_after,
    with_ana,
    with_player,
)
from tests.support.parametrize import run_all_rows

ROW = (*BASE_CAMP, PlacedTile(2, 0, "terrain", "meadow", icons=2), PlacedTile(3, 0, "terrain", "rock", icons=2))
LAKES_PLACED = make_state(ana_map=ROW, round="over")
GOAL_NOTED = with_ana(LAKES_PLACED, goal=Goal("path-length"))
GOALS_REVEALED = with_player(with_ana(GOAL_NOTED, is_complete=True), BO, is_complete=True)
WOLF_HERE = with_ana(LAKES_PLACED, tiles=(*BASE_CAMP, replace(ROW[2], animal="wolf"), ROW[3]))


def correct_tile(placed: PlacedTile, player: int = ANA) -> CorrectTile:
    """Return the correction that puts a tile on a map."""
    return CorrectTile(player, *(getattr(placed, field) for field in PlacedTile.__struct_fields__))


@run_all_rows(
    "placed, tiles",
    [
        (parse_tile("f", 4, 0), (*ROW, parse_tile("f", 4, 0))),
        (parse_tile("NS1w", 3, 0), (*ROW[:3], parse_tile("NS1w", 3, 0))),
        (parse_tile("lake", 4, 0), (*ROW, parse_tile("lake", 4, 0))),
        (parse_tile("camp", 2, 1), (*ROW, parse_tile("camp", 2, 1))),
        (parse_tile("Bf3", 1, 0), (ROW[0], parse_tile("Bf3", 1, 0), *ROW[2:])),
        (replace(ROW[2], animal="wolf"), (*BASE_CAMP, replace(ROW[2], animal="wolf"), ROW[3])),
    ],
)
def test_correction_places_a_tile_on_a_map_regardless_of_the_rules(placed, tiles):
    state = state_after(LAKES_PLACED, correct_tile(placed), seat=BO)
    assert state.players[ANA].tiles == tiles
    assert correct_tile(placed).needs_consent


def test_correction_removes_a_tile_that_is_not_on_the_table():
    assert state_after(LAKES_PLACED, RemoveTile(ANA, 3, 0), seat=BO).players[ANA].tiles == ROW[:3]


FULL = {
    "trails": make_state(
        ana_map=ROW, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "terrain", "rock", icons=2) for x in range(130)))
    ),
    "tents": make_state(ana_map=ROW, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "campsite") for x in range(25)))),
    "waterfalls": make_state(ana_map=ROW, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "waterfall") for x in range(36)))),
    "lakes": make_state(ana_map=ROW, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "lake") for x in range(72)))),
}

NO_SUCH_GOAL = "There is no such goal card. Choose a goal, with its terrain if the card shows one."
REFUSED = {
    "components": [
        (LAKES_PLACED, correct_tile(ROW[2]), "This changes nothing."),
        (LAKES_PLACED, RemoveTile(ANA, 9, 9), "There is no tile on this square."),
        (FULL["trails"], correct_tile(parse_tile("f", 4, 0)), "The box has only 132 trail tiles."),
        (FULL["trails"], correct_tile(parse_tile("NS1f", 4, 0)), "The box has only 132 trail tiles."),
        (FULL["tents"], correct_tile(parse_tile("camp", 4, 0)), "The box has only 25 tents."),
        (FULL["waterfalls"], correct_tile(parse_tile("fall", 4, 0)), "The box has only 36 waterfalls."),
    ],
    "lake-supply": [
        (
            FULL["lakes"],
            correct_tile(parse_tile("lake", 4, 0)),
            "The box has only 72 campsite and waterfall tiles, lakes included.",
        ),
        (
            FULL["lakes"],
            correct_tile(parse_tile("camp", 4, 0)),
            "The box has only 72 campsite and waterfall tiles, lakes included.",
        ),
    ],
    "base-camp": [
        (
            LAKES_PLACED,
            correct_tile(parse_tile("f", 0, 0)),
            "Base camp stays on its two squares. Change only its terrain or icons.",
        ),
        (
            LAKES_PLACED,
            correct_tile(parse_tile("Br", 4, 0)),
            "Base camp stays on its two squares. Change only its terrain or icons.",
        ),
        (LAKES_PLACED, RemoveTile(ANA, 1, 0), "Base camp cannot be removed."),
        (make_state(ana_map=()), correct_tile(ROW[2]), "Ana has no map yet."),
    ],
    "place-adjacent": [
        (
            LAKES_PLACED,
            correct_tile(parse_tile("f", 9, 9)),
            "This square does not touch the map. Place tiles edge to edge.",
        ),
        (
            LAKES_PLACED,
            RemoveTile(ANA, 2, 0),
            "Removing this tile would split the map. Remove the tiles beyond it first.",
        ),
    ],
    "terrain-side": [(LAKES_PLACED, correct_tile(replace(ROW[2], icons=3)), "A terrain side has 2 icons, not 3.")],
    "trail-shape": [
        (
            LAKES_PLACED,
            correct_tile(replace(parse_tile("NS1f", 4, 0), exits="N")),
            "A trail has two, three or four exits.",
        ),
    ],
    "players": [
        (LAKES_PLACED, correct_tile(ROW[2], 7), "There is no such player at this table."),
        (LAKES_PLACED, RemoveTile(-1, 3, 0), "There is no such player at this table."),
    ],
    "animal-once": [
        (
            with_ana(LAKES_PLACED, kept_animals=("wolf",)),
            correct_tile(replace(ROW[2], animal="wolf")),
            "Ana would have two wolves. Each player may have only one.",
        ),
    ],
    "goal-card": [
        (make_state(), NoteGoal("path-length", "rock"), NO_SUCH_GOAL),
        (make_state(), NoteGoal("path-icons"), NO_SUCH_GOAL),
        (make_state(), NoteGoal("path-icons", "any"), NO_SUCH_GOAL),
        (make_state(), ForgetGoal(), "You have not entered a goal card."),
        (
            with_ana(make_state(), goal=Goal("path-length")),
            NoteGoal("path-length"),
            "You already entered this goal card.",
        ),
    ],
    "goal-secret": [
        (GOALS_REVEALED, NoteGoal("tent-icons", "any"), "The goal cards are revealed, so yours cannot change."),
        (GOALS_REVEALED, ForgetGoal(), "The goal cards are revealed, so yours cannot change."),
    ],
    "animal-place": [
        (
            LAKES_PLACED,
            correct_tile(replace(ROW[3], animal="wolf")),
            "Ana’s map, 2 squares east of base camp: "
            "The wolf goes on a meadow terrain tile. This is a rock terrain tile.",
        ),
    ],
}


@run_all_rows("state, move, rule, sentence", refusal_params(REFUSED))
def test_impossible_correction_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in objection_rules_and_texts(state, move)


def test_log_and_label_of_a_correction_name_the_animal():
    with_wolf, without = correct_tile(replace(ROW[2], animal="wolf")), correct_tile(ROW[2])
    assert with_wolf.label(LAKES_PLACED, BO).text == "Fix Ana’s map: tile just east of base camp, no animal → wolf"
    assert TRACKED_GAME.log_sentence(WOLF_HERE, state_after(WOLF_HERE, without, seat=BO), BO, without).startswith(
        "Ana’s map corrected: tile just east of base camp, wolf → no animal"
    )


# Goals


NOTED_NOW = state_after(LAKES_PLACED, NoteGoal("tent-icons", "any"))
VISIBLE_GOALS = {
    "goal-card": [(NOTED_NOW, ANA, Goal("tent-icons", "any"))],
    "goal-secret": [
        (NOTED_NOW, BO, None),
        (NOTED_NOW, None, None),
        (state_after(NOTED_NOW, Finish()), BO, None),
        (state_after(state_after(NOTED_NOW, Finish()), Finish(), seat=BO), BO, Goal("tent-icons", "any")),
    ],
}


@run_all_rows("state, viewer, goal", case_params(VISIBLE_GOALS))
def test_goal_is_known_only_to_its_owner_until_all_maps_are_complete(state, viewer, goal):
    assert TRACKED_GAME.view(state, viewer).players[ANA].goal == goal


def test_goal_counts_in_the_total_only_for_players_who_know_it():
    state = state_after(make_state(ana_map=parse_map("r Br Br")), NoteGoal("habitat-icons", "rock"))
    assert [
        TRACKED_GAME.box.score(TRACKED_GAME.final_position(TRACKED_GAME.view(state, seat)))
        .columns[ANA]
        .points_in("goal")
        for seat in (ANA, BO)
    ] == [4, 0]
    assert state_after(state, ForgetGoal()).players[ANA].goal is None


# Rulings


def test_ruling_counts_from_its_adoption():
    state = make_state(ana_map="lake EW3f NEW2f EW1f Br Br")
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].points_in("path") == 3
    state = state_after(state, Adopt("fork-miles", "yes"))
    assert TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA].points_in("path") == 5
