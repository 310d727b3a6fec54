"""ALPINE TRAILS: rounds that everybody plays at once, what a tile may be used for, loops, campsites, the end with its lakes."""

import pytest

from scoring.alpine_trails import PLAY
from scoring.alpine_trails.box import TENTS
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.reveals import Finish
from scoring.alpine_trails.state import AnimalCard, PlayerSetup, Setup
from scoring.kernel.errors import Illegal
from tests.support import rule_cases
from tests.support.alpine_trails_maps import tile
from tests.support.alpine_trails_table import (
    ANA,
    BO,
    CAMP,
    CY,
    NAMES,
    after,
    against,
    cases,
    refusals,
    table,
    with_ana,
    with_side,
)
from tests.support.cases import every_row

NORTH = PlaceTrail("forest", "NS", 2, 0, -1)
ON = PlaceTrail("forest", "NS", 3, 0, -2)
EAST = PlaceTerrain("meadow", 2, 0)

# Before the first round


BAGS = {"solo-bag": [(1, 32, 16)], "bag": [(2, 64, 16), (3, 96, 16), (4, 112, 14), (5, 130, 13)]}


@pytest.mark.parametrize("players, tiles, rounds", cases(BAGS))
def test_the_bag_is_as_large_as_the_chart_says(players, tiles, rounds):
    setup = PLAY.usual(list(NAMES[:players]))
    state = PLAY.begin(setup)
    assert (setup.tiles, state.rounds, state.bag) == (tiles, rounds, tiles - 2 * players)


def named(*names: str, tiles: int = 12, **more) -> Setup:
    return Setup(tuple(PlayerSetup(name) for name in names), tiles, **more)


NO_TABLE = {
    "players": [
        (named(), "ALPINE TRAILS is for 1 to 5 players, not 0."),
        (named(*"ABCDEF", tiles=24), "ALPINE TRAILS is for 1 to 5 players, not 6."),
        (named("Ana", "ana"), "Two players are called Ana; add an initial."),
    ],
    "solo-bag": [(named("Ana", tiles=0), "The bag holds 2 to 132 tiles, not 0.")],
    "bag": [
        (named("Ana", "Bo", tiles=134), "The bag holds 4 to 132 tiles, not 134."),
        (named("Ana", "Bo", tiles=10), "In a round 4 tiles are drawn, so 10 do not come out even; 8 do."),
    ],
    "loop-camps": [(named("Ana", rulings={"fork": "no"}), "There is no ruling \u201cfork\u201d; there are ")],
    "path-fork": [
        (
            named("Ana", rulings={"fork-miles": "maybe"}),
            "\u201cmaybe\u201d is no reading of this: Does the fork that a path is measured to",
        ),
    ],
    "animal-card": [
        (named("Ana", facts=AnimalCard("bear", "bear")), "The bear lives in one terrain only, not in forest and rock.")
    ],
}


@every_row("setup, sentence, rule", [(*case, rule) for rule, _, case in rule_cases.rows(PLAY.box, NO_TABLE)])
def test_a_table_that_cannot_be_is_refused(setup, sentence, rule):
    reasons = list(PLAY.check_setup(setup))
    assert reasons[0].text.startswith(sentence)
    assert reasons[0].rule.id == rule


@pytest.mark.parametrize("setup", [named("Ana", tiles=2), named("Ana", "Bo", tiles=132), named(*"ABCDE", tiles=130)])
def test_a_shorter_bag_will_do(setup):
    assert not list(PLAY.check_setup(setup))


CAMPS = {
    "base-camp": [(TakeCamp("rock"), CAMP)],
    "base-camp-squares": [
        (
            TakeCamp("rock", 2, "forest", 0),
            (Placed(0, 0, "base", "rock", icons=2), Placed(1, 0, "base", "forest", icons=0)),
        ),
        (
            TakeCamp("rock", upright=True),
            (Placed(0, 0, "base", "rock", icons=1), Placed(0, 1, "base", "rock", icons=1)),
        ),
    ],
}


@pytest.mark.parametrize("move, tiles", cases(CAMPS))
def test_a_map_begins_with_base_camp_on_two_squares(move, tiles):
    state = PLAY.begin(named("Ana", "Bo"))
    assert [player.tiles for player in state.players] == [(), ()]
    assert [player.tiles for player in after(state, move).players] == [tiles, ()]


# A round

BEGUN = table()
ENDED = table(bag=4, round="over")
NO_CAMP = table(ana=())
COMPLETE = after(ENDED, Finish())
BOTH_PLAYED = "You have played both tiles of this round"
OWING = with_side(with_side(with_ana(table(3), used=2), BO, used=2, waterfalls=1), CY, used=2, offered=("rock",))

REFUSED = {
    "base-camp": [
        (BEGUN, TakeCamp("rock"), "Your base camp lies already."),
        (NO_CAMP, NORTH, "First tell what your base camp shows."),
        (NO_CAMP, Discard(), "First tell what your base camp shows."),
        (NO_CAMP, PlaceCampsite(0, -1), "First tell what your base camp shows."),
    ],
    "base-camp-squares": [
        (NO_CAMP, TakeCamp("rock", 5), "A square shows 0 to 4 icons."),
        (NO_CAMP, TakeCamp("rock", 1, "forest", -1), "A square shows 0 to 4 icons."),
    ],
    "draw-two": [
        (
            with_ana(BEGUN, used=2, offered=("forest",)),
            NORTH,
            "You have played both tiles of this round; now take or leave an animal.",
        ),
        (
            with_ana(BEGUN, used=2, offered=("forest",)),
            EAST,
            "You have played both tiles of this round; now take or leave an animal.",
        ),
        (
            with_ana(BEGUN, used=2, offered=("forest",)),
            Discard(),
            "You have played both tiles of this round; now take or leave an animal.",
        ),
    ],
    "round-over": [
        (with_ana(BEGUN, used=2), Discard(), f"{BOTH_PLAYED}; Bo must still place theirs."),
        (with_ana(table(3), used=2), Discard(), f"{BOTH_PLAYED}; Bo and Cy must still place theirs."),
        (
            OWING,
            Discard(),
            f"{BOTH_PLAYED}; Bo must still place a waterfall and Cy must still take or leave an animal.",
        ),
    ],
    "score-total": [
        (COMPLETE, Finish(), "Play is over. You said your map is complete; Bo must still look over theirs."),
    ],
    "place-adjacent": [
        (BEGUN, PlaceTrail("forest", "NS", 2, 5, 5), "No tile of your map lies side by side with this cell."),
        (BEGUN, PlaceTerrain("forest", 5, 5), "No tile of your map lies side by side with this cell."),
    ],
    "trail-connected": [
        (
            BEGUN,
            PlaceTrail("forest", "EW", 2, 0, -1),
            "This trail would not be joined to base camp, a campsite or another trail.",
        ),
    ],
    "trail-side": [(BEGUN, PlaceTrail("forest", "NS", 4, 0, -1), "A trail is 1, 2 or 3 miles long, not 4.")],
    "trail-shape": [
        (BEGUN, PlaceTrail("forest", "S", 1, 0, -1), "A trail leaves its tile on two, three or four sides."),
        (
            BEGUN,
            PlaceTrail("forest", "NESWN", 1, 0, -1),
            "The sides of a trail are letters of N, E, S and W, each once.",
        ),
        (BEGUN, PlaceTrail("forest", "ns", 1, 0, -1), "The sides of a trail are letters of N, E, S and W, each once."),
        (
            BEGUN,
            PlaceTrail("forest", "SN", 1, 0, -1),
            "The sides of a trail are told in the order N, E, S, W: NS, not SN.",
        ),
        (
            BEGUN,
            PlaceTrail("forest", "WE", 1, 0, -1),
            "The sides of a trail are told in the order N, E, S, W: EW, not WE.",
        ),
    ],
    "score-habitats": [
        (BEGUN, PlaceTrail("forest", "NS", 2, 0, -1, 5), "A tile shows 0 to 4 icons, not 5."),
    ],
    "terrain-side": [
        (BEGUN, PlaceTerrain("forest", 2, 0, 1), "A terrain side shows 2 icons, not 1."),
        (BEGUN, PlaceTerrain("forest", 2, 0, 3), "A terrain side shows 2 icons, not 3."),
    ],
    "waterfall-at-once": [
        (with_ana(BEGUN, waterfalls=1), NORTH, "First place the waterfall you have earned."),
        (with_ana(BEGUN, waterfalls=1), EAST, "First place the waterfall you have earned."),
        (with_ana(BEGUN, waterfalls=1), Discard(), "First place the waterfall you have earned."),
        (with_ana(BEGUN, waterfalls=1), PlaceCampsite(0, -1), "First place the waterfall you have earned."),
    ],
    "loop": [(BEGUN, PlaceWaterfall(2, 0), "A waterfall is earned by a trail tile that closes a loop.")],
    "place-waterfall": [
        (
            with_ana(table(ana=(*CAMP, tile("NS2f", 0, -1))), waterfalls=1),
            PlaceWaterfall(0, -2),
            "It would block the trail that comes from the south (2 mile forest trail).",
        ),
    ],
    "game-over": [
        (ENDED, NORTH, "Play is over: the bag is empty. The maps are only looked over now."),
        (ENDED, EAST, "Play is over: the bag is empty. The maps are only looked over now."),
        (ENDED, Discard(), "Play is over: the bag is empty. The maps are only looked over now."),
        (ENDED, PlaceWaterfall(2, 0), "Play is over: the bag is empty. The maps are only looked over now."),
        (BEGUN, Finish(), "The bag still holds 60 tiles."),
        (after(COMPLETE, Finish(), seat=BO), Finish(), "The game is over."),
    ],
}


CALLS = [
    (NO_CAMP, ("Base camp", "which terrain does yours show?")),
    (BEGUN, ("Round 1 of 16, tile 1 of 2", "what does it show?")),
    (with_ana(BEGUN, used=1), ("Round 1 of 16, tile 2 of 2", "what does it show?")),
    (with_ana(BEGUN, used=1, waterfalls=1), ("A loop is closed", "place the waterfall beside your tiles.")),
    (with_ana(BEGUN, used=2, offered=("forest",)), ("Round 1 of 16", "both tiles are told; now the animal.")),
    (with_ana(BEGUN, used=2), ("Waiting for Bo\u2019s tiles", "")),
    (COMPLETE, ("Waiting for Bo\u2019s map", "")),
]


@every_row("state, said", CALLS)
def test_where_nobody_has_a_turn_everybody_reads_what_they_are_at(state, said):
    assert PLAY.calls(state, ANA) == said


@every_row("state, move, rule, sentence", refusals(REFUSED))
def test_a_move_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in against(state, move)
    with pytest.raises(Illegal):
        PLAY.play(state, ANA, move)


# By rule: Ana's map, what she does, what lies on it then beside what lay there, and how many of her two tiles are played.
PLAYED = {
    "place-sides": [
        (CAMP, (NORTH,), (Placed(0, -1, "trail", "forest", "NS", 2, 1),), 1),
        (CAMP, (EAST,), (Placed(2, 0, "terrain", "meadow", icons=2),), 1),
    ],
    "discard-tile": [(CAMP, (Discard(),), (), 1)],
    "place-turned": [
        (CAMP, (PlaceTrail("forest", "EW", 2, 2, 0),), (tile("EW2f", 2, 0),), 1),
        (CAMP, (PlaceTrail("forest", "SW", 2, 0, -1),), (tile("SW2f", 0, -1),), 1),
        (CAMP, (PlaceTrail("forest", "ES", 2, 0, -1),), (tile("ES2f", 0, -1),), 1),
    ],
    "place-adjacent": [(CAMP, (NORTH, EAST), (NORTH.placed, EAST.placed), 2)],  # they need not touch each other
    "base-camp-sides": [
        (
            CAMP,
            (PlaceTrail("rock", "NS", 1, 1, -1), PlaceTerrain("rock", 0, -1)),
            (tile("NS1r", 1, -1), tile("r", 0, -1)),
            2,
        ),
        (
            "camp EW3f EW3f Br Br",
            (PlaceTrail("rock", "EW", 1, -1, 0), PlaceTerrain("rock", 0, 1)),
            (tile("EW1r", -1, 0), tile("r", 0, 1)),
            2,
        ),
    ],
    "place-terrain": [(CAMP, (EAST, PlaceTerrain("wetland", 3, 0)), (EAST.placed, tile("w", 3, 0)), 2)],
    "campsite-swap": [(". EW3f EW3f Br Br", (PlaceCampsite(0, 0),), (tile("camp", 0, 0),), 1)],
}


@every_row("ana, moves, laid, used", cases(PLAYED))
def test_a_tile_is_played_as_its_rule_says(ana, moves, laid, used):
    before = table(3, ana=ana)
    state = after(before, *moves)
    assert state.players[ANA].tiles == (*before.players[ANA].tiles, *laid)
    assert (state.players[ANA].used, state.bag) == (used, before.bag)
    assert state.players[BO] == before.players[BO]


# By rule: who says what at a table of three, whom the round waits for then, and which it is.
GOES_ON = {
    "together": [
        ([], (0, 1, 2), 1),
        ([(BO, EAST)], (0, 1, 2), 1),
        ([(CY, EAST), (CY, Discard()), (ANA, NORTH)], (0, 1), 1),
    ],
    "draw-two": [([(ANA, Discard())], (0, 1, 2), 1), ([(ANA, Discard()), (ANA, NORTH)], (1, 2), 1)],
    "round-over": [
        ([(seat, Discard()) for seat in (0, 1, 2, 0, 2)], (1,), 1),
        ([(seat, Discard()) for seat in (0, 1, 2, 0, 2, 1)], (0, 1, 2), 2),
    ],
}


@every_row("said, waits, round", cases(GOES_ON))
def test_all_play_at_once_and_the_round_goes_on_when_all_have_played_two(said, waits, round):
    state = table(3)
    for seat, move in said:
        state = after(state, move, seat=seat)
    assert (PLAY.to_move(state), state.round) == (waits, round)
    assert round == 1 or [player.used for player in state.players] == [0, 0, 0]


# Loops and waterfalls

ALMOST = (*CAMP, tile("ES1f", 0, -1))
CLOSES = PlaceTrail("forest", "SW", 1, 1, -1)


def test_a_loop_earns_a_waterfall_that_is_placed_before_anything_else():
    state = after(table(ana=ALMOST), CLOSES)
    assert (state.players[ANA].waterfalls, state.players[ANA].used) == (1, 1)
    state = after(state, PlaceWaterfall(2, 0))
    assert state.players[ANA].tiles[-1] == Placed(2, 0, "waterfall")
    assert (state.players[ANA].waterfalls, state.players[ANA].used) == (0, 1)


def test_the_round_waits_for_a_waterfall():
    state = after(with_ana(table(1, ana=ALMOST), used=1), CLOSES)
    assert (PLAY.to_move(state), state.round) == ((ANA,), 1)
    state = after(state, PlaceWaterfall(2, 0))
    assert state.round == 2


def test_where_the_table_says_so_a_loop_through_base_camp_earns_nothing():
    state = after(table(ana=ALMOST, rulings={"loop-through-camps": "no"}), CLOSES)
    assert state.players[ANA].waterfalls == 0


@pytest.mark.parametrize("out, earned", cases({"waterfall-supply": [(36, 0), (35, 1)]}))
def test_when_no_waterfall_is_left_a_loop_earns_none(out, earned):
    state = table(ana=ALMOST, others=(*CAMP, *(Placed(x, 1, "waterfall") for x in range(out))))
    assert after(state, CLOSES).players[ANA].waterfalls == earned


# Campsites

FIVE = ". EW2f EW3f Br Br"
SIX = ". EW3f EW3f Br Br"
CAMPED = PlaceCampsite(0, 0)
REFUSED_CAMPS = {
    "campsite-six": [(table(ana=FIVE), CAMPED, "Base camp is only 5 miles away by trail (2 + 3); a campsite needs 6.")],
    "campsite-at-end": [
        (table(ana=SIX), PlaceCampsite(1, 1), "No trail ends here; a campsite lies at the end of a trail.")
    ],
    "campsite-one": [
        (
            with_ana(table(ana=SIX), camped=True, used=1),
            CAMPED,
            "One of your two tiles is a campsite already; the other is placed.",
        )
    ],
    "campsite-tent": [
        (
            table(ana=SIX, others=(*CAMP, *(Placed(x, 1, "campsite") for x in range(TENTS)))),
            CAMPED,
            "All 25 tents are on the maps.",
        )
    ],
}


@every_row("state, move, rule, sentence", refusals(REFUSED_CAMPS))
def test_a_campsite_is_refused_by_its_rule(state, move, rule, sentence):
    assert against(state, move) == [(rule, sentence)]


def test_a_campsite_at_six_miles_takes_the_place_of_one_tile():
    state = after(table(ana=SIX), CAMPED)
    player = state.players[ANA]
    assert player.tiles[-1] == Placed(0, 0, "campsite")
    assert (player.used, player.camped) == (1, True)
    state = after(state, PlaceTerrain("meadow", 5, 0))
    assert state.players[ANA].used == 2


def test_the_next_round_may_have_a_campsite_again():
    state = after(table(1, ana=SIX), CAMPED, Discard())
    assert (state.round, state.players[ANA].camped) == (2, False)


def test_where_the_table_measures_the_app_does_not():
    assert not against(table(ana=FIVE, rulings={"campsite-measure": "table"}), CAMPED)


# The end


SHARED = """
    .     .   SW1f
    NE1f  Br  Br
"""
# By rule: Ana's map, what she places last, and where lakes lie then.
LAKES = {
    "lakes-at-ends": [
        (CAMP, (NORTH, PlaceTrail("rock", "EW", 1, 2, 0)), [(0, -2), (3, 0)]),
        (CAMP, (EAST, Discard()), []),
        ("lake EW1f Br Br", (Discard(), Discard()), [(0, 0)]),
    ],
    "lake-shared": [(SHARED, (PlaceTrail("forest", "ES", 1, 0, 0), Discard()), [(1, 0)])],
    "camps-need-no-lake": [("camp EW3f EW3f Br Br", (Discard(), Discard()), []), (CAMP, (Discard(), Discard()), [])],
}


@every_row("ana, moves, lakes", cases(LAKES))
def test_when_the_bag_is_empty_every_open_trail_gets_its_lake(ana, moves, lakes):
    state = after(after(table(ana=ana, bag=4), Discard(), Discard(), seat=BO), *moves)
    assert state.ended and not state.over
    assert [each.cell for each in state.players[ANA].tiles if each.kind == "lake"] == lakes
    assert state.players[ANA].waterfalls == 0


@pytest.mark.parametrize("bag, ended", cases({"game-over": [(4, True), (8, False)]}))
def test_the_game_ends_after_the_round_in_which_the_bag_is_emptied(bag, ended):
    state = after(table(bag=bag), Discard(), Discard())
    assert not state.ended
    state = after(state, Discard(), Discard(), seat=BO)
    assert (state.ended, state.over, PLAY.to_move(state)) == (ended, False, (0, 1))
    if ended:
        state = after(after(state, Finish()), Finish(), seat=BO)
        assert state.over and PLAY.to_move(state) == ()


@pytest.mark.parametrize("out, laid", cases({"lake-supply": [(70, 2), (71, 1), (72, 0)]}))
def test_lakes_are_laid_as_far_as_the_box_goes(out, laid):
    others = (*CAMP, *(Placed(x, 1, "lake") for x in range(out)))
    state = after(table(2, bag=4, others=others), NORTH, PlaceTrail("rock", "EW", 1, 2, 0))
    state = after(state, Discard(), Discard(), seat=BO)
    assert sum(each.kind == "lake" for each in state.players[ANA].tiles) == laid


# The score while playing, and secrets


def test_while_playing_a_map_counts_as_if_its_trails_ended_in_lakes():
    column = PLAY.box.score(PLAY.final(after(table(), NORTH))).columns[ANA]
    assert (column.of("lakes"), column.of("path"), column.warnings) == (2, 2, ())
