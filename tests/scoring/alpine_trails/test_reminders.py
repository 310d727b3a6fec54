"""ALPINE TRAILS: reminders of physical actions after a move."""

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.moves.placing import (
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
)
from scoring.alpine_trails.moves.wildlife import TakeAnimal, TradeFork
from tests.support.alpine_trails_maps import parse_tile
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, case_params, make_state, with_ana, with_player
from tests.support.parametrize import run_all_rows
from tests.support.reminders import reminder_texts

NORTH = PlaceTrail("forest", "NS", 2, 0, -1)
FORK = PlaceTrail("forest", "NES", 2, 0, -1)
CLOSES = PlaceTrail("forest", "SW", 1, 1, -1)
ALMOST = (*BASE_CAMP, parse_tile("ES1f", 0, -1))
SIGNS_OUT = (*BASE_CAMP, *(PlacedTile(0, -1 - number, "trail", "rock", "NES", 1, 1) for number in range(12)))
LAST_OF_ALL = with_ana(with_player(make_state(bag=4, round=1), BO, tiles_used=2), tiles_used=1)

# (state, seat, move, expected reminders)
REMINDERS = {
    "fork-sign": [
        (make_state(), ANA, FORK, ["Ana: Put a sign on the fork."]),
        (make_state(), ANA, NORTH, []),
    ],
    "sign-supply": [(make_state(other_map=SIGNS_OUT, allow_errors=True), ANA, FORK, [])],
    "fork-animal": [
        (
            with_player(make_state(), BO, offered_forks=("forest",)),
            BO,
            TakeAnimal("forest", "bear"),
            ["Bo: Take the bear from the animal card."],
        )
    ],
    "solo-fork": [(make_state(1), ANA, TradeFork("rock", "goat"), ["Ana: Take the goat from the animal card."])],
    "loop": [
        (make_state(ana_map=ALMOST), ANA, CLOSES, ["Ana: Take a waterfall tile from the supply."]),
        (with_ana(make_state(ana_map=ALMOST), waterfalls_to_place=1), ANA, PlaceWaterfall(2, 0), []),
    ],
    "campsite-tent": [
        (
            make_state(ana_map=". EW3f EW3f Br Br"),
            ANA,
            PlaceCampsite(0, 0),
            ["Ana: Place a campsite tile with a tent, and return one of your two tiles to the box."],
        )
    ],
    "lakes-at-ends": [
        (LAST_OF_ALL, ANA, NORTH, ["Ana: Place a lake at the open trail end."]),
        (LAST_OF_ALL, ANA, PlaceTerrain("meadow", 2, 0), []),
    ],
}


@run_all_rows("state, seat, move, texts", case_params(REMINDERS))
def test_reminders_after_a_move(state, seat, move, texts):
    assert reminder_texts(TRACKED_GAME, state, TRACKED_GAME.play(state, seat, move), move) == texts
