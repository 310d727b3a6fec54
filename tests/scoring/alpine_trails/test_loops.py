"""ALPINE TRAILS: loops with the waterfalls they earn, and the six miles to a campsite."""

import pytest

from scoring.alpine_trails.map.fitting import objections
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap
from scoring.alpine_trails.map.trails import closed_loops, distances_to_camps, waterfalls_earned
from scoring.alpine_trails.moves.placing import PlaceTerrain
from tests.support.alpine_trails_maps import parse_map, parse_tile
from tests.support.alpine_trails_table import ANA, BASE_CAMP, BO, CY, case_params, make_state, state_after, with_player
from tests.support.parametrize import run_all_rows

AT_BASE = """
    ES1f  SW1f
    Br    Br
"""
RING = """
    ES1f   SW1f
    NES1f  NW1f
    Br     Br
"""
WHEEL = """
    ES1f  ESW1f   SW1f
    NS1f  NES1f   NSW1f
    NE1f  NESW1f  NW1f
    .     Br      Br
"""


def without_tile(text: str, x: int, y: int) -> tuple[TrailMap, PlacedTile]:
    """Return the drawn map without the tile of a cell, and that tile."""
    tiles = parse_map(text)
    return tuple(tile for tile in tiles if tile.cell != (x, y)), next(tile for tile in tiles if tile.cell == (x, y))


THROUGH = {"loop-through-camps": "yes"}
NOT_THROUGH = {"loop-through-camps": "no"}
EARNED = {
    "loop": [
        (*without_tile(RING, 1, 0), {}, 1, 1),  # Loop of trail tiles.
        (*without_tile(RING, 0, 1), NOT_THROUGH, 1, 1),  # Closed by its fork.
        (*without_tile(AT_BASE, 0, 0), {"two-loops": "each"}, 1, 1),
        (parse_map("EW1f Br Br"), parse_tile("ES1f", -1, 0), {}, 0, 0),  # A trail that goes on.
        (parse_map("Br Br"), parse_tile("EW1f", -1, 0), {}, 0, 0),  # A trail that starts.
    ],
    "loop-camps": [
        (*without_tile(AT_BASE, 1, 0), {}, 1, 1),
        (*without_tile(AT_BASE, 1, 0), NOT_THROUGH, 0, 0),
    ],
    "loop-two": [
        (*without_tile(WHEEL, 1, 1), {}, 2, 1),
        (*without_tile(WHEEL, 1, 1), {"two-loops": "each"}, 2, 2),
        (*without_tile(WHEEL, 1, 1), {"two-loops": "each", **NOT_THROUGH}, 2, 2),
    ],
}


@run_all_rows("tiles, placed, rulings, closed, earned", case_params(EARNED))
def test_trail_tile_that_closes_a_loop_earns_a_waterfall(tiles, placed, rulings, closed, earned):
    assert not list(objections(tiles, placed, rulings))
    found = closed_loops(tiles, placed, rulings)
    assert len(found) == closed
    assert waterfalls_earned(tiles, placed, rulings) == earned
    for circuit in found:
        assert circuit[0] == placed.cell
        assert len(set(circuit)) == len(circuit) >= 4
        steps = zip(circuit, (*circuit[1:], circuit[0]), strict=True)
        assert all(abs(x - east) + abs(y - south) == 1 for (x, y), (east, south) in steps)


def test_closed_loop_is_the_shortest_one():
    tiles, placed = without_tile(RING, 1, 0)
    assert set(closed_loops(tiles, placed)[0]) == {(0, 0), (1, 0), (0, 1), (1, 1)}


CLOSING_CAMP = parse_map("""
    ES3f  .     SW3f
    NS3f  .     NS3f
    NE3f  SW1f  NS3f
    .     NS1f  NS3f
    .     Br    Br
""")


@run_all_rows(
    "rulings, earned",
    case_params(
        {
            "loop-campsite": [
                ({}, 0),
                ({"campsite-closes-loop": "yes"}, 1),
                ({"campsite-closes-loop": "yes", **NOT_THROUGH}, 0),
                ({"campsite-closes-loop": "no", **THROUGH}, 0),
            ]
        }
    ),
)
def test_campsite_that_closes_a_loop_earns_by_the_rulings(rulings, earned):
    camp = PlacedTile(1, 0, "campsite")
    assert not list(objections(CLOSING_CAMP, camp, rulings))
    assert waterfalls_earned(CLOSING_CAMP, camp, rulings) == earned


@pytest.mark.parametrize("kind", ["lake", "waterfall"])
def test_only_trails_and_campsites_close_loops(kind):
    assert closed_loops(CLOSING_CAMP, PlacedTile(1, 0, kind)) == ()


def test_loop_earns_nothing_when_more_waterfalls_are_placed_than_the_supply():
    field = tuple(PlacedTile(x, 1, "waterfall") for x in range(36))
    state = with_player(with_player(make_state(3), ANA, waterfalls_to_place=1), BO, tiles=(*BASE_CAMP, *field))
    assert state_after(state, PlaceTerrain("rock", -1, 0), seat=CY).players[CY].waterfalls_to_place == 0


def test_trails_that_meet_at_a_lake_are_no_loop():
    ring = parse_map("""
        ES1f  lake  SW1f
        NS1f  .     .
        NE1f  Br    Br
    """)
    assert waterfalls_earned(ring, parse_tile("NS1f", 2, 1)) == 0


# Campsites: the six miles

TOUCHING = """
    .   .     ESW3f  EW3f  SW3f
    .   .     .      .     NS3f
    .   .     Br     Br    NW3f
"""
SIX_MILES = {
    "campsite-six": [
        (
            ". EW2f EW3f Br Br",
            {},
            ["Base camp is only 5 miles away by trail (2 + 3). A campsite needs 6 miles: 1 more."],
        ),
        (". EW3f EW3f Br Br", {}, []),
        (". EW3f EW3f EW1f Br Br", {}, []),
        (". EW1f Br Br", {}, ["Base camp is only 1 mile away by trail. A campsite needs 6 miles: 5 more."]),
        (
            ". EW2f camp EW3f EW3f Br Br",
            {},
            [
                "The campsite 3 squares west of base camp is only 2 miles away by trail. "
                "A campsite needs 6 miles: 4 more."
            ],
        ),
        (". EW3f EW3f camp EW3f EW3f Br Br", {}, []),
        (". EW3f EW3f camp EW1f Br Br", {}, []),  # Camps that are too close to each other stay so.
        (
            ". EW1f ESW1f EW2f EW1f Br Br \n . . NS2f . . . . \n . . camp . . . .",
            {},
            [
                "The campsite 3 squares west and 2 south of base camp is only 4 miles away by trail "
                "(1 + 1 + 2). A campsite needs 6 miles: 2 more.",
                "Base camp is only 5 miles away by trail (1 + 1 + 2 + 1). A campsite needs 6 miles: 1 more.",
            ],
        ),
    ],
    "campsite-measured": [
        (". EW2f EW3f Br Br", {"campsite-measure": "table"}, []),
        (
            """
            .  EW1f  ESW1f  EW1f  SW1f  .
            .  .     NE1f   EW1f  NEW1f Br  Br
            """,
            {},
            # The shorter of two ways.
            ["Base camp is only 5 miles away by trail (1 + 1 + 1 + 1 + 1). A campsite needs 6 miles: 1 more."],
        ),
    ],
    "campsite-forks": [
        (". EW2f NEW2f EW2f Br Br", {}, []),
        (
            ". EW2f NEW2f EW2f Br Br",
            {"fork-on-the-way": "no"},
            ["Base camp is only 4 miles away by trail (2 + 0 + 2). A campsite needs 6 miles: 2 more."],
        ),
    ],
}
BESIDE = "This square touches base camp or a campsite, which is 0 miles away. A campsite needs 6 miles."
NEAR = {"camp-beside-camp": "near"}
BESIDE_CAMP = {
    "campsite-touching": [
        (TOUCHING, (2, 1), {}, []),
        (TOUCHING, (2, 1), NEAR, [BESIDE]),
        (TOUCHING, (2, 1), {**NEAR, "campsite-measure": "table"}, []),
        (TOUCHING, (1, 0), NEAR, []),
        ("camp EW3f EW3f Br Br \n . EW3f EW3f EW3f NW3f", (0, 1), NEAR, [BESIDE]),
    ],
}


@run_all_rows("text, cell, rulings, sentences", case_params(BESIDE_CAMP))
def test_campsite_next_to_a_camp_is_too_close_by_ruling(text, cell, rulings, sentences):
    assert [reason.text for reason in objections(parse_map(text), PlacedTile(*cell, "campsite"), rulings)] == sentences


@run_all_rows("text, rulings, sentences", case_params(SIX_MILES))
def test_campsite_needs_six_miles_to_every_other_camp(text, rulings, sentences):
    found = list(objections(parse_map(text), PlacedTile(0, 0, "campsite"), rulings))
    assert [reason.text for reason in found] == sentences
    assert {reason.rule.id for reason in found} <= {"campsite-six"}


def test_base_camp_is_measured_once_by_its_nearer_square():
    tiles = parse_map("""
        .  EW3f  ESW1f  EW3f  SW3f
        .  .     NS3f   .     NS3f
        .  .     Br     Br    NW1f
    """)
    assert distances_to_camps(tiles, (0, 0)) == {(2, 2): (7, (3, 1, 3))}
