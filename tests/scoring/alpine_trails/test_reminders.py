"""ALPINE TRAILS: what hands must do at the real table after a move."""

from scoring.alpine_trails import PLAY
from scoring.alpine_trails.map.tiles import Placed
from scoring.alpine_trails.moves.placing import (
    Discard,
    PlaceCampsite,
    PlaceTerrain,
    PlaceTrail,
    PlaceWaterfall,
    TakeCamp,
)
from scoring.alpine_trails.moves.wildlife import TakeAnimal, TradeFork
from tests.support.alpine_trails_maps import tile
from tests.support.alpine_trails_table import ANA, BO, CAMP, cases, table, with_ana, with_side
from tests.support.cases import every_row
from tests.support.reminders import by_hand

NORTH = PlaceTrail("forest", "NS", 2, 0, -1)
FORK = PlaceTrail("forest", "NES", 2, 0, -1)
CLOSES = PlaceTrail("forest", "SW", 1, 1, -1)
ALMOST = (*CAMP, tile("ES1f", 0, -1))
SIGNS_OUT = (*CAMP, *(Placed(0, -1 - number, "trail", "rock", "NES", 1, 1) for number in range(12)))
LAST_OF_ROUND = with_ana(with_side(table(), BO, used=2), used=1)
LAST_OF_ALL = with_ana(with_side(table(bag=4, round=1), BO, used=2), used=1)

# (table, who moves, move, what hands must do)
HANDS = {
    "draw-two": [
        (table(), ANA, Discard(), []),
        (LAST_OF_ROUND, ANA, Discard(), ["Draw two tiles each from the bag."]),
        (with_ana(table(1), used=1), ANA, Discard(), ["Draw two tiles from the bag."]),
    ],
    "base-camp": [
        (table(ana="", others=CAMP, round=1), ANA, TakeCamp("rock"), ["Ana, draw two tiles from the bag."]),
        (table(1, ana="", round=1), ANA, TakeCamp("rock"), ["Ana, draw two tiles from the bag."]),
    ],
    "fork-sign": [(table(), ANA, FORK, ["Ana, put a sign where the trail parts."]), (table(), ANA, NORTH, [])],
    "sign-supply": [(table(others=SIGNS_OUT, anyhow=True), ANA, FORK, [])],
    "fork-animal": [
        (
            with_side(table(), BO, offered=("forest",)),
            BO,
            TakeAnimal("forest", "bear"),
            ["Bo, take the bear from the animal card."],
        )
    ],
    "solo-fork": [(table(1), ANA, TradeFork("rock", "goat"), ["Ana, take the goat from the animal card."])],
    "loop": [
        (table(ana=ALMOST), ANA, CLOSES, ["Ana, take a waterfall tile from the supply."]),
        (with_ana(table(ana=ALMOST), waterfalls=1), ANA, PlaceWaterfall(2, 0), []),
    ],
    "campsite-tent": [
        (
            table(ana=". EW3f EW3f Br Br"),
            ANA,
            PlaceCampsite(0, 0),
            ["Ana, put a tent on the campsite, and the tile you gave up back in the box."],
        )
    ],
    "lakes-at-ends": [
        (LAST_OF_ALL, ANA, NORTH, ["Ana, place a lake at the end of your open trail."]),
        (LAST_OF_ALL, ANA, PlaceTerrain("meadow", 2, 0), []),
    ],
}


@every_row("state, seat, move, said", cases(HANDS))
def test_what_hands_must_do_after_a_move(state, seat, move, said):
    assert by_hand(PLAY, state, PLAY.play(state, seat, move), move) == said
