"""ALPINE TRAILS just scored: maps entered after the game, or counted by hand, by everyone for themselves."""

import pytest

from scoring.alpine_trails.box import BASE_SQUARES, MILES, MOST_ICONS, TRAIL_TILES
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.points import Counts, Goal
from scoring.alpine_trails.score_entry import (
    Count,
    CountAll,
    Done,
    LayLakes,
    NameGoal,
    PutTile,
    Reopen,
    StartAnew,
    TakeOff,
    Tally,
    TallySetup,
    TellCamp,
)
from scoring.alpine_trails.setup import check_setup
from scoring.alpine_trails.state import PlayerSetup, Setup
from scoring.games import PLAYS
from scoring.kernel.errors import Illegal
from tests.support.alpine_trails_maps import tile
from tests.support.alpine_trails_table import ANA, BO, CAMP, NAMES, cases, refusals
from tests.support.cases import every_row

TALLY = PLAYS["alpine-trails-tally"]
MADDIE = CountAll(11, 9, 7, 6, 23, 5, 2, 2, 16, 7)


def counting(players: int = 2, **rulings: str) -> Tally:
    return TALLY.begin(TallySetup(NAMES[:players], rulings))


def after(state: Tally, *moves, seat: int = ANA) -> Tally:
    for move in moves:
        state = TALLY.play(state, seat, move)
    return state


def put(placed: Placed) -> PutTile:
    """Return the move that puts a tile on one's map."""
    return PutTile(*(getattr(placed, field) for field in Placed.__struct_fields__))


MAPPED = after(counting(), TellCamp("rock"), put(tile("NS2f", 0, -1)))


def test_a_game_counted_by_hand_comes_to_its_sum():
    state = after(counting(1), MADDIE, Done())
    assert TALLY.to_move(state) == ()
    column = TALLY.box.score(TALLY.final(state)).columns[ANA]
    assert (column.total, column.title) == (109, "Trailblazer")


WRITTEN = {
    "count-by-hand": [
        ([Count("forest", 5), Count("lakes", 2), Count("forest", 6)], Counts(forest=6, lakes=2), 10),
        ([MADDIE], Counts(11, 9, 7, 6, 23, 5, 2, 2, 16, 7), 109),
    ]
}


@pytest.mark.parametrize("moves, counts, total", cases(WRITTEN))
def test_one_category_after_another_may_be_written_down_and_overwritten(moves, counts, total):
    state = after(counting(), *moves)
    assert state.players[ANA].counts == counts
    assert TALLY.box.score(TALLY.final(state)).columns[ANA].total == total


def test_a_map_is_entered_tile_by_tile_by_everyone_at_once():
    state = after(counting(), TellCamp("rock"), put(tile("f", 2, 0)))
    state = after(state, TellCamp("meadow"), put(tile("NS3f", 0, -1)), put(tile("lake", 0, -2)), Done(), seat=BO)
    assert TALLY.to_move(state) == (ANA,)
    state = after(state, NameGoal("habitat-icons", "forest"), Done())
    totals = [
        (column.of("habitats"), column.of("path"), column.of("goal"))
        for column in TALLY.box.score(TALLY.final(state)).columns
    ]
    assert totals == [(4, 0, 2), (3, 3, 0)]


def test_a_tile_is_replaced_and_taken_off():
    state = after(MAPPED, put(tile("NS3w", 0, -1)))
    assert state.players[ANA].tiles == (*CAMP, tile("NS3w", 0, -1))
    assert after(state, TakeOff(0, -1)).players[ANA].tiles == CAMP


TOLD = [
    (tile("NS3w", 0, -1), "Ana has a 3 mile wetland trail, 1 north of base camp, in place of the 2 mile forest trail."),
    (tile("EW2f", 0, -1), "Ana has a 2 mile forest trail, 1 north of base camp."),
    (tile("f", 2, 0), "Ana has a forest tile, 2 east of base camp."),
]


@pytest.mark.parametrize("placed, sentence", TOLD)
def test_the_log_says_what_a_tile_lies_in_place_of(placed, sentence):
    assert TALLY.tell(MAPPED, after(MAPPED, put(placed)), ANA, put(placed)) == sentence


def test_a_map_may_break_the_rules_of_placing_and_the_sheet_says_so():
    state = after(MAPPED, put(tile("f", 0, -2)), Done())
    (warning,) = TALLY.box.score(TALLY.final(state)).columns[ANA].warnings
    assert warning == "The 2 mile forest trail 1 north of base camp runs into a forest tile to the north."


def test_lakes_are_laid_at_every_open_end_at_once():
    state = after(MAPPED, LayLakes())
    assert state.players[ANA].tiles[-1] == tile("lake", 0, -2)


def test_a_map_that_is_done_without_its_lakes_has_none():
    columns = [TALLY.box.score(TALLY.final(state)).columns[ANA] for state in (MAPPED, after(MAPPED, Done()))]
    assert [(column.of("path"), column.of("lakes"), len(column.warnings)) for column in columns] == [
        (2, 2, 0),
        (0, 0, 1),
    ]


def test_whoever_is_done_may_go_on():
    state = after(MAPPED, Done())
    with pytest.raises(Illegal):
        TALLY.play(state, ANA, LayLakes())
    assert TALLY.to_move(after(state, Reopen())) == (ANA, BO)


def test_to_start_anew_clears_map_counts_and_goal():
    for state in (after(MAPPED, NameGoal("path-length")), after(counting(), MADDIE)):
        player = after(state, StartAnew()).players[ANA]
        assert (player.tiles, player.counts, player.goal) == ((), None, None)


def test_all_players_together_count_no_more_than_the_box_holds():
    everything = CountAll(lakes=40, tents=20, animals=2)
    state = after(counting(), everything)
    texts = {reason.text for reason in TALLY.objections(state, BO, everything)}
    assert texts == {
        "The box has 36 campsites; with this there would be 40.",
        "The box has 25 tents; with this there would be 40.",
        "The box has 72 campsite, waterfall and lake tiles; with this there would be 120.",
    }
    assert [reason.rule.id for reason in TALLY.objections(state, BO, Count("lakes", 13))] == ["components"]
    assert not list(TALLY.objections(state, BO, Count("lakes", 12)))


def test_goals_are_told_openly():
    state = after(counting(), NameGoal("path-length"))
    assert TALLY.view(state, BO).players[ANA].goal == Goal("path-length")


COUNTED = after(counting(), MADDIE)


def tile_with(animal: str, x: int) -> Placed:
    return Placed(x, 0, "terrain", "meadow", icons=2, animal=animal)


WOLVES = after(MAPPED, put(tile_with("wolf", 2)))
REFUSED = {
    "count-by-hand": [
        (COUNTED, TellCamp("rock"), "You count by hand; take the counts off to enter your map."),
        (COUNTED, put(tile("f", 2, 0)), "You count by hand; take the counts off to enter your map."),
        (MAPPED, Count("forest", 3), "You enter your map; clear it to count by hand."),
        (MAPPED, MADDIE, "You enter your map; clear it to count by hand."),
        (counting(), Count("animals", 5), "This is 0 to 4."),
        (counting(1), Count("animals", 21), "This is 0 to 20."),
        (counting(), Count("path", -1), "This is 0 to 198."),
        (counting(), CountAll(tents=26), "Tents: this is 0 to 25."),
        (counting(), StartAnew(), "You have not entered anything yet."),
    ],
    "base-camp": [
        (counting(), put(tile("f", 2, 0)), "First tell what your base camp shows."),
        (MAPPED, TellCamp("rock"), "Your base camp lies already."),
        (MAPPED, TakeOff(0, 0), "Base camp stays where it is, on its two squares."),
    ],
    "place-adjacent": [
        (MAPPED, put(tile("f", 9, 9)), "No tile of the map lies side by side with this cell."),
    ],
    "components": [
        (MAPPED, TakeOff(5, 5), "No tile lies here."),
    ],
    "lakes-at-ends": [
        (after(MAPPED, LayLakes()), LayLakes(), "No trail of your map is open."),
    ],
    "score-total": [
        (MAPPED, Reopen(), "You are still counting."),
    ],
    "goal-card": [
        (MAPPED, NameGoal("path-icons", "any"), None),
    ],
    "terrain-side": [
        (MAPPED, put(tile("f3", 2, 0)), "A terrain side shows 2 icons, not 3."),
    ],
    "animal-once": [
        (WOLVES, put(tile_with("wolf", 3)), "Ana would have the wolf twice."),
    ],
}


@every_row("state, move, rule, sentence", refusals(REFUSED))
def test_what_cannot_be_counted_is_refused_by_its_rule(state, move, rule, sentence):
    found = [(reason.rule.id, reason.text) for reason in TALLY.objections(state, ANA, move)]
    assert rule in [each for each, _ in found]
    assert sentence is None or (rule, sentence) in found


@pytest.mark.parametrize("names", [(), tuple("ABCDEF"), ("Ana", "ANA")])
def test_a_count_for_nobody_or_too_many_is_refused(names):
    assert list(TALLY.check_setup(TallySetup(names)))


@pytest.mark.parametrize("players", [1, 2, 3])
def test_what_the_fullest_bag_can_bring_is_not_too_much(players):
    """A table may fill its bag with more tiles than is printed: as many as the box has, in whole rounds."""
    sides = tuple(PlayerSetup(name) for name in NAMES[:players])
    bag = max(tiles for tiles in range(TRAIL_TILES + 1) if not any(check_setup(Setup(sides, tiles))))
    share = bag // players
    state = counting(players)
    assert TALLY.legal(state, ANA, Count("path", MILES[-1] * share))
    assert TALLY.legal(state, ANA, Count("forest", MOST_ICONS * (share + BASE_SQUARES)))
