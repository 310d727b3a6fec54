"""ALPINE TRAILS: simultaneous rounds, tiles, loops, campsites, and the end with its lakes."""

import pytest

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.box import TENTS
from scoring.alpine_trails.map.tiles import PlacedTile
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
from scoring.kernel.errors import IllegalMoveError
from tests.support import rule_cases
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import (
    ANA,
    BASE_CAMP,
    BO,
    CY,
    NAMES,
    case_params,
    make_state,
    objection_rules_and_texts,
    refusal_params,
    state_after,
    with_ana,
    with_player,
)
from tests.support.parametrize import run_all_rows

NORTH = PlaceTrail("forest", "NS", 2, 0, -1)
ON = PlaceTrail("forest", "NS", 3, 0, -2)
EAST = PlaceTerrain("meadow", 2, 0)

# Before the first round


BAGS = {"solo-bag": [(1, 32, 16)], "bag": [(2, 64, 16), (3, 96, 16), (4, 112, 14), (5, 130, 13)]}


@pytest.mark.parametrize("players, tiles, rounds", case_params(BAGS))
def test_bag_size_follows_the_chart(players, tiles, rounds):
    setup = TRACKED_GAME.setup_format.default(list(NAMES[:players]))
    state = TRACKED_GAME.initial_state(setup)
    assert (setup.tiles, state.rounds, state.tiles_in_bag) == (tiles, rounds, tiles - 2 * players)


def make_setup(*names: str, tiles: int = 12, **more) -> Setup:
    return Setup(tuple(PlayerSetup(name) for name in names), tiles, **more)


NO_TABLE = {
    "players": [
        (make_setup(), "ALPINE TRAILS is for 1 to 5 players, not 0."),
        (make_setup(*"ABCDEF", tiles=24), "ALPINE TRAILS is for 1 to 5 players, not 6."),
        (make_setup("Ana", "ana"), "Two players are called Ana. Add an initial."),
    ],
    "solo-bag": [(make_setup("Ana", tiles=0), "Put 2 to 132 tiles in the bag, not 0.")],
    "bag": [
        (make_setup("Ana", "Bo", tiles=134), "Put 4 to 132 tiles in the bag, not 134."),
        (make_setup("Ana", "Bo", tiles=10), "Each round uses 4 tiles, so 10 tiles leave some over. Use 8 tiles."),
    ],
    "loop-camps": [
        (make_setup("Ana", rulings={"fork": "no"}), "There is no rules question \u201cfork\u201d; there are ")
    ],
    "path-fork": [
        (
            make_setup("Ana", rulings={"fork-miles": "maybe"}),
            "\u201cmaybe\u201d is not an option of this question: Does the fork where your longest path begins",
        ),
    ],
    "animal-card": [
        (
            make_setup("Ana", facts=AnimalCard("bear", "bear")),
            "The bear can have only one terrain, not forest and rock. Choose one.",
        )
    ],
}


@run_all_rows(
    "setup, sentence, rule", [(*case, rule) for rule, _, case in rule_cases.iterate_cases(TRACKED_GAME.box, NO_TABLE)]
)
def test_impossible_setup_is_refused(setup, sentence, rule):
    reasons = list(TRACKED_GAME.setup_format.check(setup))
    assert reasons[0].text.startswith(sentence)
    assert reasons[0].rule.id == rule


@pytest.mark.parametrize(
    "setup", [make_setup("Ana", tiles=2), make_setup("Ana", "Bo", tiles=132), make_setup(*"ABCDE", tiles=130)]
)
def test_shorter_bag_is_allowed(setup):
    assert not list(TRACKED_GAME.setup_format.check(setup))


CAMPS = {
    "base-camp": [(TakeCamp("rock"), BASE_CAMP)],
    "base-camp-squares": [
        (
            TakeCamp("rock", 2, "forest", 0),
            (PlacedTile(0, 0, "base", "rock", icons=2), PlacedTile(1, 0, "base", "forest", icons=0)),
        ),
        (
            TakeCamp("rock", upright=True),
            (PlacedTile(0, 0, "base", "rock", icons=1), PlacedTile(0, 1, "base", "rock", icons=1)),
        ),
    ],
}


@pytest.mark.parametrize("move, tiles", case_params(CAMPS))
def test_map_begins_with_base_camp_on_two_squares(move, tiles):
    state = TRACKED_GAME.initial_state(make_setup("Ana", "Bo"))
    assert [player.tiles for player in state.players] == [(), ()]
    assert [player.tiles for player in state_after(state, move).players] == [tiles, ()]


# A round

BEGUN = make_state()
ENDED = make_state(bag=4, round="over")
NO_CAMP = make_state(ana_map=())
COMPLETE = state_after(ENDED, Finish())
BOTH_PLAYED = "You have already used both tiles this round"
OFFERED_FORK = with_player(
    with_player(with_ana(make_state(3), tiles_used=2), BO, tiles_used=2, waterfalls_to_place=1),
    CY,
    tiles_used=2,
    offered_forks=("rock",),
)

REFUSED = {
    "base-camp": [
        (BEGUN, TakeCamp("rock"), "Your base camp is already on your map."),
        (NO_CAMP, NORTH, "Enter your base camp first."),
        (NO_CAMP, Discard(), "Enter your base camp first."),
        (NO_CAMP, PlaceCampsite(0, -1), "Enter your base camp first."),
    ],
    "base-camp-squares": [
        (NO_CAMP, TakeCamp("rock", 5), "A square has 0 to 4 icons."),
        (NO_CAMP, TakeCamp("rock", 1, "forest", -1), "A square has 0 to 4 icons."),
    ],
    "draw-two": [
        (
            with_ana(BEGUN, tiles_used=2, offered_forks=("forest",)),
            NORTH,
            "You have already used both tiles this round. You still have an animal to take or skip.",
        ),
        (
            with_ana(BEGUN, tiles_used=2, offered_forks=("forest",)),
            EAST,
            "You have already used both tiles this round. You still have an animal to take or skip.",
        ),
        (
            with_ana(BEGUN, tiles_used=2, offered_forks=("forest",)),
            Discard(),
            "You have already used both tiles this round. You still have an animal to take or skip.",
        ),
    ],
    "round-over": [
        (with_ana(BEGUN, tiles_used=2), Discard(), f"{BOTH_PLAYED}. Waiting for Bo to place tiles."),
        (with_ana(make_state(3), tiles_used=2), Discard(), f"{BOTH_PLAYED}. Waiting for Bo and Cy to place tiles."),
        (
            OFFERED_FORK,
            Discard(),
            f"{BOTH_PLAYED}. Waiting for Bo to place a waterfall and for Cy to take or skip an animal.",
        ),
    ],
    "score-total": [
        (COMPLETE, Finish(), "The last round is over and you are done. Waiting for Bo to finish."),
    ],
    "place-adjacent": [
        (BEGUN, PlaceTrail("forest", "NS", 2, 5, 5), "This square does not touch your map. Place tiles edge to edge."),
        (BEGUN, PlaceTerrain("forest", 5, 5), "This square does not touch your map. Place tiles edge to edge."),
    ],
    "trail-connected": [
        (
            BEGUN,
            PlaceTrail("forest", "EW", 2, 0, -1),
            "This trail must connect to base camp, a campsite or another trail. Rotate it or choose another square.",
        ),
    ],
    "trail-side": [(BEGUN, PlaceTrail("forest", "NS", 4, 0, -1), "A trail is 1, 2 or 3 miles long, not 4.")],
    "trail-shape": [
        (BEGUN, PlaceTrail("forest", "S", 1, 0, -1), "A trail has two, three or four exits."),
        (
            BEGUN,
            PlaceTrail("forest", "NESWN", 1, 0, -1),
            "Write the exits of a trail with the letters N, E, S and W, each once.",
        ),
        (
            BEGUN,
            PlaceTrail("forest", "ns", 1, 0, -1),
            "Write the exits of a trail with the letters N, E, S and W, each once.",
        ),
        (
            BEGUN,
            PlaceTrail("forest", "SN", 1, 0, -1),
            "Write the exits of a trail in the order N, E, S, W: NS, not SN.",
        ),
        (
            BEGUN,
            PlaceTrail("forest", "WE", 1, 0, -1),
            "Write the exits of a trail in the order N, E, S, W: EW, not WE.",
        ),
    ],
    "score-habitats": [
        (BEGUN, PlaceTrail("forest", "NS", 2, 0, -1, 5), "A tile has 0 to 4 icons, not 5."),
    ],
    "terrain-side": [
        (BEGUN, PlaceTerrain("forest", 2, 0, 1), "A terrain side has 2 icons, not 1."),
        (BEGUN, PlaceTerrain("forest", 2, 0, 3), "A terrain side has 2 icons, not 3."),
    ],
    "waterfall-at-once": [
        (with_ana(BEGUN, waterfalls_to_place=1), NORTH, "First, place the waterfall you earned."),
        (with_ana(BEGUN, waterfalls_to_place=1), EAST, "First, place the waterfall you earned."),
        (with_ana(BEGUN, waterfalls_to_place=1), Discard(), "First, place the waterfall you earned."),
        (with_ana(BEGUN, waterfalls_to_place=1), PlaceCampsite(0, -1), "First, place the waterfall you earned."),
    ],
    "loop": [(BEGUN, PlaceWaterfall(2, 0), "You have no waterfall to place. Complete a loop with a trail tile first.")],
    "place-waterfall": [
        (
            with_ana(make_state(ana_map=(*BASE_CAMP, parse_tile("NS2f", 0, -1))), waterfalls_to_place=1),
            PlaceWaterfall(0, -2),
            "This would block the trail to the south (straight 2-mile forest trail).",
        ),
    ],
    "game-over": [
        (ENDED, NORTH, "The last round is over, so you cannot place more tiles. Check your map now."),
        (ENDED, EAST, "The last round is over, so you cannot place more tiles. Check your map now."),
        (ENDED, Discard(), "The last round is over, so you cannot place more tiles. Check your map now."),
        (ENDED, PlaceWaterfall(2, 0), "The last round is over, so you cannot place more tiles. Check your map now."),
        (BEGUN, Finish(), "The bag still holds 60 tiles. Finish all rounds first."),
        (state_after(COMPLETE, Finish(), seat=BO), Finish(), "The game is over."),
    ],
}


BANNERS = [
    (NO_CAMP, ("Your base camp", "which terrain does it show?")),
    (BEGUN, ("Round 1 of 16", "draw 2 tiles, place the first.")),
    (with_ana(BEGUN, tiles_used=1), ("Round 1 of 16", "place your second tile.")),
    (
        with_ana(BEGUN, tiles_used=1, waterfalls_to_place=1),
        ("You completed a loop", "place your waterfall."),
    ),
    (
        with_ana(BEGUN, tiles_used=2, offered_forks=("forest",)),
        ("Another player\u2019s fork", "take or skip its animal."),
    ),
    (with_ana(BEGUN, tiles_used=2), ("Waiting for Bo", "Round 1 of 16")),
    (with_ana(make_state(ahead=True), tiles_used=2), ("Round 2 of 16", "draw 2 tiles once Bo is done.")),
    (with_ana(make_state(3, ahead=True), tiles_used=2), ("Round 2 of 16", "draw 2 tiles once the others are done.")),
    (
        with_player(with_ana(make_state(ahead=True), tiles_used=2), BO, tiles_used=2),
        ("Round 2 of 16", "draw 2 tiles, place the first."),
    ),
    (COMPLETE, ("Waiting for Bo", "")),
]


@run_all_rows("state, text", BANNERS)
def test_banner_where_no_one_has_a_turn_says_what_to_do(state, text):
    assert TRACKED_GAME.text.banner(state, ANA) == text


@run_all_rows("state, move, rule, sentence", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, rule, sentence):
    assert (rule, sentence) in objection_rules_and_texts(state, move)
    with pytest.raises(IllegalMoveError):
        TRACKED_GAME.play(state, ANA, move)


# Cases by rule: Ana's map, her moves, the tiles added to it, and how many of her two tiles are used.
PLAYED = {
    "place-sides": [
        (BASE_CAMP, (NORTH,), (PlacedTile(0, -1, "trail", "forest", "NS", 2, 1),), 1),
        (BASE_CAMP, (EAST,), (PlacedTile(2, 0, "terrain", "meadow", icons=2),), 1),
    ],
    "discard-tile": [(BASE_CAMP, (Discard(),), (), 1)],
    "place-turned": [
        (BASE_CAMP, (PlaceTrail("forest", "EW", 2, 2, 0),), (parse_tile("EW2f", 2, 0),), 1),
        (BASE_CAMP, (PlaceTrail("forest", "SW", 2, 0, -1),), (parse_tile("SW2f", 0, -1),), 1),
        (BASE_CAMP, (PlaceTrail("forest", "ES", 2, 0, -1),), (parse_tile("ES2f", 0, -1),), 1),
    ],
    # They need not be next to each other.
    "place-adjacent": [(BASE_CAMP, (NORTH, EAST), (NORTH.placed, EAST.placed), 2)],
    "base-camp-sides": [
        (
            BASE_CAMP,
            (PlaceTrail("rock", "NS", 1, 1, -1), PlaceTerrain("rock", 0, -1)),
            (parse_tile("NS1r", 1, -1), parse_tile("r", 0, -1)),
            2,
        ),
        (
            "camp EW3f EW3f Br Br",
            (PlaceTrail("rock", "EW", 1, -1, 0), PlaceTerrain("rock", 0, 1)),
            (parse_tile("EW1r", -1, 0), parse_tile("r", 0, 1)),
            2,
        ),
    ],
    "place-terrain": [(BASE_CAMP, (EAST, PlaceTerrain("wetland", 3, 0)), (EAST.placed, parse_tile("w", 3, 0)), 2)],
    "campsite-swap": [(". EW3f EW3f Br Br", (PlaceCampsite(0, 0),), (parse_tile("camp", 0, 0),), 1)],
}


@run_all_rows("ana, moves, placed, used", case_params(PLAYED))
def test_tile_is_played_by_its_rule(ana, moves, placed, used):
    before = make_state(3, ana_map=ana)
    state = state_after(before, *moves)
    assert state.players[ANA].tiles == (*before.players[ANA].tiles, *placed)
    assert (state.players[ANA].tiles_used, state.tiles_in_bag) == (used, before.tiles_in_bag)
    assert state.players[BO] == before.players[BO]


# Cases by rule: moves at a table of three, the seats the round then waits for, and the round.
ROUND_PROGRESS = {
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


@run_all_rows("moves, waiting, round", case_params(ROUND_PROGRESS))
def test_all_play_simultaneously_and_a_round_ends_after_two_tiles_each(moves, waiting, round):
    state = make_state(3)
    for seat, move in moves:
        state = state_after(state, move, seat=seat)
    assert (TRACKED_GAME.flow.to_move(state), state.round) == (waiting, round)
    assert round == 1 or [player.tiles_used for player in state.players] == [0, 0, 0]


# Loops and waterfalls

ALMOST = (*BASE_CAMP, parse_tile("ES1f", 0, -1))
CLOSES = PlaceTrail("forest", "SW", 1, 1, -1)


def test_loop_earns_a_waterfall_that_is_placed_first():
    state = state_after(make_state(ana_map=ALMOST), CLOSES)
    assert (state.players[ANA].waterfalls_to_place, state.players[ANA].tiles_used) == (1, 1)
    state = state_after(state, PlaceWaterfall(2, 0))
    assert state.players[ANA].tiles[-1] == PlacedTile(2, 0, "waterfall")
    assert (state.players[ANA].waterfalls_to_place, state.players[ANA].tiles_used) == (0, 1)


def test_round_waits_for_a_waterfall():
    state = state_after(with_ana(make_state(1, ana_map=ALMOST), tiles_used=1), CLOSES)
    assert (TRACKED_GAME.flow.to_move(state), state.round) == ((ANA,), 1)
    state = state_after(state, PlaceWaterfall(2, 0))
    assert state.round == 2


def test_loop_through_base_camp_earns_nothing_by_ruling():
    state = state_after(make_state(ana_map=ALMOST, rulings={"loop-through-camps": "no"}), CLOSES)
    assert state.players[ANA].waterfalls_to_place == 0


@pytest.mark.parametrize("waterfalls, earned", case_params({"waterfall-supply": [(36, 0), (35, 1)]}))
def test_loop_earns_nothing_when_no_waterfall_is_left(waterfalls, earned):
    state = make_state(
        ana_map=ALMOST, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "waterfall") for x in range(waterfalls)))
    )
    assert state_after(state, CLOSES).players[ANA].waterfalls_to_place == earned


# Campsites

FIVE = ". EW2f EW3f Br Br"
SIX = ". EW3f EW3f Br Br"
CAMPED = PlaceCampsite(0, 0)
REFUSED_CAMPS = {
    "campsite-six": [
        (
            make_state(ana_map=FIVE),
            CAMPED,
            "Base camp is only 5 miles away by trail (2 + 3). A campsite needs 6 miles: 1 more.",
        )
    ],
    "campsite-at-end": [
        (make_state(ana_map=SIX), PlaceCampsite(1, 1), "No trail ends here. A campsite goes at the end of a trail.")
    ],
    "campsite-one": [
        (
            with_ana(make_state(ana_map=SIX), has_placed_campsite=True, tiles_used=1),
            CAMPED,
            "You already placed a campsite this round. Place or discard your other tile.",
        )
    ],
    "campsite-tent": [
        (
            make_state(ana_map=SIX, other_map=(*BASE_CAMP, *(PlacedTile(x, 1, "campsite") for x in range(TENTS)))),
            CAMPED,
            "No tent is left for a campsite. All 25 are on the maps.",
        )
    ],
}


@run_all_rows("state, move, rule, sentence", refusal_params(REFUSED_CAMPS))
def test_campsite_is_refused_by_its_rule(state, move, rule, sentence):
    assert objection_rules_and_texts(state, move) == [(rule, sentence)]


def test_campsite_at_six_miles_replaces_one_tile():
    state = state_after(make_state(ana_map=SIX), CAMPED)
    player = state.players[ANA]
    assert player.tiles[-1] == PlacedTile(0, 0, "campsite")
    assert (player.tiles_used, player.has_placed_campsite) == (1, True)
    state = state_after(state, PlaceTerrain("meadow", 5, 0))
    assert state.players[ANA].tiles_used == 2


def test_next_round_may_have_a_campsite_again():
    state = state_after(make_state(1, ana_map=SIX), CAMPED, Discard())
    assert (state.round, state.players[ANA].has_placed_campsite) == (2, False)


def test_campsite_distance_is_unchecked_where_the_table_measures():
    assert not objection_rules_and_texts(make_state(ana_map=FIVE, rulings={"campsite-measure": "table"}), CAMPED)


# The end


SHARED = """
    .     .   SW1f
    NE1f  Br  Br
"""
# Cases by rule: Ana's map, the tile she places last, and the cells of the lakes then.
LAKES = {
    "lakes-at-ends": [
        (BASE_CAMP, (NORTH, PlaceTrail("rock", "EW", 1, 2, 0)), [(0, -2), (3, 0)]),
        (BASE_CAMP, (EAST, Discard()), []),
        ("lake EW1f Br Br", (Discard(), Discard()), [(0, 0)]),
    ],
    "lake-shared": [(SHARED, (PlaceTrail("forest", "ES", 1, 0, 0), Discard()), [(1, 0)])],
    "camps-need-no-lake": [
        ("camp EW3f EW3f Br Br", (Discard(), Discard()), []),
        (BASE_CAMP, (Discard(), Discard()), []),
    ],
}


@run_all_rows("ana, moves, lakes", case_params(LAKES))
def test_empty_bag_places_a_lake_at_every_open_trail(ana, moves, lakes):
    state = state_after(state_after(make_state(ana_map=ana, bag=4), Discard(), Discard(), seat=BO), *moves)
    assert state.is_play_over and not state.is_over
    assert [tile.cell for tile in state.players[ANA].tiles if tile.kind == "lake"] == lakes
    assert state.players[ANA].waterfalls_to_place == 0


@pytest.mark.parametrize("bag, ended", case_params({"game-over": [(4, True), (8, False)]}))
def test_game_ends_after_the_round_in_which_the_bag_is_emptied(bag, ended):
    state = state_after(make_state(bag=bag), Discard(), Discard())
    assert not state.is_play_over
    state = state_after(state, Discard(), Discard(), seat=BO)
    assert (state.is_play_over, state.is_over, TRACKED_GAME.flow.to_move(state)) == (ended, False, (0, 1))
    if ended:
        state = state_after(state_after(state, Finish()), Finish(), seat=BO)
        assert state.is_over and TRACKED_GAME.flow.to_move(state) == ()


@pytest.mark.parametrize("other_lakes, lakes", case_params({"lake-supply": [(70, 2), (71, 1), (72, 0)]}))
def test_lakes_are_placed_until_the_box_has_no_more(other_lakes, lakes):
    other_tiles = (*BASE_CAMP, *(PlacedTile(x, 1, "lake") for x in range(other_lakes)))
    state = state_after(make_state(2, bag=4, other_map=other_tiles), NORTH, PlaceTrail("rock", "EW", 1, 2, 0))
    state = state_after(state, Discard(), Discard(), seat=BO)
    assert sum(tile.kind == "lake" for tile in state.players[ANA].tiles) == lakes


# The score while playing, and secrets


def test_map_in_play_scores_as_if_its_trails_ended_in_lakes():
    column = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state_after(make_state(), NORTH))).columns[ANA]
    assert (column.points_in("lakes"), column.points_in("path"), column.warnings) == (2, 2, ())
