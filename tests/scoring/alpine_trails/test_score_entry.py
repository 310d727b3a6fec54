"""ALPINE TRAILS score entry: each player enters a map after the game, or counts."""

import pytest

from scoring.alpine_trails.box import BASE_SQUARES, MAX_ICONS, MILES, TRAIL_TILES
from scoring.alpine_trails.entry_state import EntrySetup, EntryState
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.points import Counts, Goal
from scoring.alpine_trails.score_entry import (
    ClearEntries,
    Count,
    CountAll,
    Done,
    EnterCamp,
    EnterGoal,
    LayLakes,
    PutTile,
    Reopen,
    TakeOff,
)
from scoring.alpine_trails.setup import check_setup
from scoring.alpine_trails.state import PlayerSetup, Setup
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, NAMES, case_params, refusal_params
from tests.support.parametrize import run_all_rows

SCORE_ENTRY = TRACKED_GAMES["alpine-trails-tally"]
MADDIE = CountAll(11, 9, 7, 6, 23, 5, 2, 2, 16, 7)


def new_score_entry(players: int = 2, **rulings: str) -> EntryState:
    return SCORE_ENTRY.initial_state(EntrySetup(NAMES[:players], rulings))


def state_after(state: EntryState, *moves, seat: int = ANA) -> EntryState:
    for move in moves:
        state = SCORE_ENTRY.play(state, seat, move)
    return state


def put_tile(placed: PlacedTile) -> PutTile:
    """Return the move that puts a tile on the player's map."""
    return PutTile(*(getattr(placed, field) for field in PlacedTile.__struct_fields__))


MAP_ENTERED = state_after(new_score_entry(), EnterCamp("rock"), put_tile(parse_tile("NS2f", 0, -1)))


def test_entered_counts_come_to_their_sum():
    state = state_after(new_score_entry(1), MADDIE, Done())
    assert SCORE_ENTRY.flow.to_move(state) == ()
    column = SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns[ANA]
    assert (column.total, column.title) == (109, "Trailblazer")


WRITTEN = {
    "count-by-hand": [
        ([Count("forest", 5), Count("lakes", 2), Count("forest", 6)], Counts(forest=6, lakes=2), 10),
        ([MADDIE], Counts(11, 9, 7, 6, 23, 5, 2, 2, 16, 7), 109),
    ]
}


@pytest.mark.parametrize("moves, counts, total", case_params(WRITTEN))
def test_categories_are_entered_one_by_one_and_can_be_overwritten(moves, counts, total):
    state = state_after(new_score_entry(), *moves)
    assert state.players[ANA].counts == counts
    assert SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns[ANA].total == total


def test_maps_are_entered_tile_by_tile_by_all_players_in_parallel():
    state = state_after(new_score_entry(), EnterCamp("rock"), put_tile(parse_tile("f", 2, 0)))
    state = state_after(
        state,
        EnterCamp("meadow"),
        put_tile(parse_tile("NS3f", 0, -1)),
        put_tile(parse_tile("lake", 0, -2)),
        Done(),
        seat=BO,
    )
    assert SCORE_ENTRY.flow.to_move(state) == (ANA,)
    state = state_after(state, EnterGoal("habitat-icons", "forest"), Done())
    totals = [
        (column.points_in("habitats"), column.points_in("path"), column.points_in("goal"))
        for column in SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns
    ]
    assert totals == [(4, 0, 2), (3, 3, 0)]


def test_tile_is_replaced_and_removed():
    state = state_after(MAP_ENTERED, put_tile(parse_tile("NS3w", 0, -1)))
    assert state.players[ANA].tiles == (*BASE_CAMP, parse_tile("NS3w", 0, -1))
    assert state_after(state, TakeOff(0, -1)).players[ANA].tiles == BASE_CAMP


LOG_TEXTS = [
    (
        parse_tile("NS3w", 0, -1),
        "Ana fixed: tile just north of base camp’s west square, forest → wetland, 2 miles → 3 miles.",
    ),
    (
        parse_tile("EW2f", 0, -1),
        "Ana fixed: tile just north of base camp’s west square, north and south → east and west.",
    ),
    (parse_tile("f", 2, 0), "Ana entered a forest terrain tile just east of base camp."),
]


@pytest.mark.parametrize("placed, sentence", LOG_TEXTS)
def test_log_names_the_tile_that_is_replaced(placed, sentence):
    assert (
        SCORE_ENTRY.log_sentence(MAP_ENTERED, state_after(MAP_ENTERED, put_tile(placed)), ANA, put_tile(placed))
        == sentence
    )


def test_map_may_break_the_placing_rules_with_a_warning_on_the_sheet():
    state = state_after(MAP_ENTERED, put_tile(parse_tile("f", 0, -2)), Done())
    (warning,) = SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns[ANA].warnings
    assert warning == (
        "Straight 2-mile forest trail just north of base camp\u2019s west square: "
        "runs into a forest terrain tile to the north."
    )


def test_lakes_are_placed_at_all_open_ends_together():
    state = state_after(MAP_ENTERED, LayLakes())
    assert state.players[ANA].tiles[-1] == parse_tile("lake", 0, -2)


def test_map_that_is_done_without_lakes_has_none():
    columns = [
        SCORE_ENTRY.box.score(SCORE_ENTRY.final_position(state)).columns[ANA]
        for state in (MAP_ENTERED, state_after(MAP_ENTERED, Done()))
    ]
    assert [(column.points_in("path"), column.points_in("lakes"), len(column.warnings)) for column in columns] == [
        (2, 2, 0),
        (0, 0, 1),
    ]


def test_player_who_is_done_may_go_on():
    state = state_after(MAP_ENTERED, Done())
    with pytest.raises(IllegalMoveError):
        SCORE_ENTRY.play(state, ANA, LayLakes())
    assert SCORE_ENTRY.flow.to_move(state_after(state, Reopen())) == (ANA, BO)


def test_restart_clears_map_counts_and_goal():
    for state in (state_after(MAP_ENTERED, EnterGoal("path-length")), state_after(new_score_entry(), MADDIE)):
        player = state_after(state, ClearEntries()).players[ANA]
        assert (player.tiles, player.counts, player.goal) == ((), None, None)


def test_players_together_count_no_more_than_the_box_holds():
    everything = CountAll(lakes=40, tents=20, animals=2)
    state = state_after(new_score_entry(), everything)
    texts = {reason.text for reason in SCORE_ENTRY.objections(state, BO, everything)}
    assert texts == {
        "The box has only 36 campsites. This makes 40.",
        "The box has only 25 tents. This makes 40.",
        "The box has only 72 campsite, waterfall and lake tiles. This makes 120.",
    }
    assert [reason.rule.id for reason in SCORE_ENTRY.objections(state, BO, Count("lakes", 13))] == ["components"]
    assert not list(SCORE_ENTRY.objections(state, BO, Count("lakes", 12)))


def test_goals_are_entered_openly():
    state = state_after(new_score_entry(), EnterGoal("path-length"))
    assert SCORE_ENTRY.view(state, BO).players[ANA].goal == Goal("path-length")


COUNTED = state_after(new_score_entry(), MADDIE)


def tile_with_animal(animal: str, x: int) -> PlacedTile:
    return PlacedTile(x, 0, "terrain", "meadow", icons=2, animal=animal)


WOLVES = state_after(MAP_ENTERED, put_tile(tile_with_animal("wolf", 2)))
REFUSED = {
    "count-by-hand": [
        (COUNTED, EnterCamp("rock"), "You entered totals. Start over to enter your map instead."),
        (COUNTED, put_tile(parse_tile("f", 2, 0)), "You entered totals. Start over to enter your map instead."),
        (MAP_ENTERED, Count("forest", 3), "You entered a map. Start over to enter totals instead."),
        (MAP_ENTERED, MADDIE, "You entered a map. Start over to enter totals instead."),
        (new_score_entry(), Count("animals", 5), "Enter a number from 0 to 4 for animals."),
        (new_score_entry(1), Count("animals", 21), "Enter a number from 0 to 20 for animals."),
        (new_score_entry(), Count("path", -1), "Enter a number from 0 to 198 for longest path."),
        (new_score_entry(), CountAll(tents=26), "Enter a number from 0 to 25 for tents."),
        (new_score_entry(), ClearEntries(), "There is nothing to clear. You have not entered anything yet."),
    ],
    "base-camp": [
        (new_score_entry(), put_tile(parse_tile("f", 2, 0)), "Enter your base camp first."),
        (MAP_ENTERED, EnterCamp("rock"), "Your base camp is already on your map."),
        (MAP_ENTERED, TakeOff(0, 0), "Base camp cannot be removed."),
    ],
    "place-adjacent": [
        (MAP_ENTERED, put_tile(parse_tile("f", 9, 9)), "This square does not touch the map. Place tiles edge to edge."),
    ],
    "components": [
        (MAP_ENTERED, TakeOff(5, 5), "There is no tile on this square."),
    ],
    "lakes-at-ends": [
        (state_after(MAP_ENTERED, LayLakes()), LayLakes(), "All your trails are finished, so no lake is needed."),
    ],
    "score-total": [
        (MAP_ENTERED, Reopen(), "You are still counting."),
    ],
    "goal-card": [
        (MAP_ENTERED, EnterGoal("path-icons", "any"), None),
    ],
    "terrain-side": [
        (MAP_ENTERED, put_tile(parse_tile("f3", 2, 0)), "A terrain side has 2 icons, not 3."),
    ],
    "animal-once": [
        (WOLVES, put_tile(tile_with_animal("wolf", 3)), "Ana would have two wolves. Each player may have only one."),
    ],
}


@run_all_rows("state, move, rule, sentence", refusal_params(REFUSED))
def test_impossible_count_is_refused_by_its_rule(state, move, rule, sentence):
    found = [(reason.rule.id, reason.text) for reason in SCORE_ENTRY.objections(state, ANA, move)]
    assert rule in [cited for cited, _ in found]
    assert sentence is None or (rule, sentence) in found


@pytest.mark.parametrize("names", [(), tuple("ABCDEF"), ("Ana", "ANA")])
def test_setup_with_invalid_players_is_refused(names):
    assert list(SCORE_ENTRY.setup_format.check(EntrySetup(names)))


@pytest.mark.parametrize("players", [1, 2, 3])
def test_points_of_the_largest_allowed_bag_are_accepted(players):
    """A table may fill its bag with more tiles than printed: all of the box, in whole rounds."""
    sides = tuple(PlayerSetup(name) for name in NAMES[:players])
    bag = max(tiles for tiles in range(TRAIL_TILES + 1) if not any(check_setup(Setup(sides, tiles))))
    share = bag // players
    state = new_score_entry(players)
    assert SCORE_ENTRY.is_legal(state, ANA, Count("path", MILES[-1] * share))
    assert SCORE_ENTRY.is_legal(state, ANA, Count("forest", MAX_ICONS * (share + BASE_SQUARES)))
