"""ALPINE TRAILS: the news of moves, directions on a map, the table's heading, the last call."""

import pytest
from msgspec.structs import replace

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.map.grid import direction_text
from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.wildlife import LeaveAnimal, TakeAnimal, TradeFork
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, make_state, with_ana, with_player
from tests.support.parametrize import run_all_rows

BEGUN = make_state()
OFFERED = with_ana(BEGUN, offered_forks=("forest",))
ALMOST_LOOP = make_state(ana_map=(*BASE_CAMP, parse_tile("ES1f", 0, -1)))


@run_all_rows(
    "state, move, phrases",
    [
        (make_state(ana_map=""), TakeCamp("rock"), []),
        (BEGUN, PlaceTrail("forest", "NS", 2, 0, -1), ["2-mile forest straight"]),
        (BEGUN, PlaceTrail("rock", "ES", 1, 0, -1), ["1-mile rock bend"]),
        (BEGUN, PlaceTrail("wetland", "NES", 3, 0, -1), ["3-mile wetland fork"]),
        (BEGUN, PlaceTrail("wetland", "NESW", 3, 0, -1), ["3-mile wetland four-way fork"]),
        (ALMOST_LOOP, PlaceTrail("forest", "SW", 2, 1, -1), ["2-mile forest bend", "+1 waterfall (loop)"]),
        (BEGUN, PlaceTerrain("meadow", 2, 0), ["meadow terrain"]),
        (make_state(ana_map=". EW3f EW3f Br Br"), PlaceCampsite(0, 0), ["campsite"]),
        (with_ana(ALMOST_LOOP, waterfalls_to_place=1), PlaceWaterfall(2, 0), []),
        (BEGUN, Discard(), ["discarded a tile"]),
        (OFFERED, TakeAnimal("forest", "bear"), ["took the bear"]),
        (OFFERED, LeaveAnimal("forest"), []),
        (make_state(1), TradeFork("rock", "goat"), ["discarded a rock fork and took the goat"]),
    ],
)
def test_news_names_tile_with_its_shape_and_gains(state, move, phrases):
    after = TRACKED_GAME.play(state, ANA, move)
    assert list(TRACKED_GAME.news_phrases(state, after, ANA, move)) == phrases


@pytest.mark.parametrize(
    "cell, text",
    [
        ((0, 0), "base camp"),
        ((2, 0), "just east"),
        ((-1, 0), "just west"),
        ((0, -1), "just north"),
        ((1, -1), "just north"),
        ((2, 1), "just southeast"),
        ((4, 0), "east"),
        ((6, -1), "east"),
        ((3, 3), "southeast"),
        ((-2, 4), "southwest"),
        ((0, 4), "south"),
    ],
)
def test_direction_is_seen_from_the_nearest_square_of_base_camp(cell, text):
    assert direction_text(((0, 0), (1, 0)), cell) == text


BO_IS_DONE = with_player(BEGUN, BO, tiles_used=2)
LAST_ROUND = make_state(bag=4, round=1)


@run_all_rows(
    "state, heading",
    [
        (make_state(ana_map=()), ("Round 1 of 16", "Enter your base camps.")),
        (BEGUN, ("Round 1 of 16", "Everyone draws two tiles.")),
        (BO_IS_DONE, ("Round 1 of 16", "Waiting for Ana.")),
        (replace(BO_IS_DONE, can_play_ahead=True), ("Round 1 of 16", "Waiting for Ana.")),
        (make_state(1), ("Round 1 of 16", "Draw two tiles.")),
        (make_state(bag=4, round="over"), ("The bag is empty", "Waiting for Ana and Bo.")),
    ],
)
def test_table_heading_has_the_round_and_who_is_waited_for(state, heading):
    assert TRACKED_GAME.text.table_heading(state) == heading


def test_banner_counts_the_players_if_more_than_two_are_waited_for():
    state = with_ana(make_state(4), tiles_used=2)
    assert TRACKED_GAME.text.banner(state, ANA) == ("Waiting for 3 players", "Round 1 of 14")


@run_all_rows(
    "state, own_call, public_call",
    [
        (BEGUN, "", ""),
        (LAST_ROUND, "Last round: your last two tiles.", "Last round: the bag is empty."),
        (with_ana(LAST_ROUND, tiles_used=1), "Last round: your last tile.", "Last round: the bag is empty."),
        (with_ana(LAST_ROUND, tiles_used=2), "Last round: you used your last tile.", "Last round: the bag is empty."),
        (make_state(bag=4, round="over"), "", ""),
    ],
)
def test_last_round_is_called_until_the_bag_is_empty_and_played(state, own_call, public_call):
    assert TRACKED_GAME.text.final_call(state, ANA) == own_call
    assert TRACKED_GAME.text.final_call(state, None) == public_call
