"""ALPINE TRAILS: circuits and the waterfalls they earn, and the six miles to a campsite."""

import pytest

from scoring.alpine.fitting import objections
from scoring.alpine.placing import PlaceTerrain
from scoring.alpine.tiles import Placed, TrailMap
from scoring.alpine.trails import loops, waterfalls_earned, ways_to_camps
from tests.alpine_maps import drawn, tile
from tests.alpine_table import ANA, BO, CAMP, CY, after, table

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


def without(text: str, x: int, y: int) -> tuple[TrailMap, Placed]:
    """Return the map of a drawing without the tile of a cell, and that tile."""
    tiles = drawn(text)
    return tuple(each for each in tiles if each.cell != (x, y)), next(each for each in tiles if each.cell == (x, y))


THROUGH = {"loop-through-camps": "yes"}
NOT_THROUGH = {"loop-through-camps": "no"}
EARNED = [
    pytest.param(*without(AT_BASE, 1, 0), {}, 1, 1, id="through base camp"),
    pytest.param(*without(AT_BASE, 1, 0), NOT_THROUGH, 0, 0, id="through base camp, where the table says no"),
    pytest.param(*without(RING, 1, 0), {}, 1, 1, id="of trail tiles"),
    pytest.param(*without(RING, 0, 1), NOT_THROUGH, 1, 1, id="of trail tiles alone, closed by its fork"),
    pytest.param(*without(WHEEL, 1, 1), {}, 2, 1, id="two circuits, one waterfall"),
    pytest.param(*without(WHEEL, 1, 1), {"two-loops": "each"}, 2, 2, id="two circuits, a waterfall each"),
    pytest.param(*without(WHEEL, 1, 1), {"two-loops": "each", **NOT_THROUGH}, 2, 2, id="two circuits of trail tiles"),
    pytest.param(drawn("EW1f Br Br"), tile("ES1f", -1, 0), {}, 0, 0, id="a trail that goes on"),
    pytest.param(drawn("Br Br"), tile("EW1f", -1, 0), {}, 0, 0, id="a trail that starts"),
    pytest.param(*without(AT_BASE, 0, 0), {"two-loops": "each"}, 1, 1, id="one circuit is one"),
]


@pytest.mark.parametrize("tiles, placed, rulings, closed, earned", EARNED)
def test_a_trail_tile_that_closes_a_circuit_earns_a_waterfall(tiles, placed, rulings, closed, earned):
    assert not list(objections(tiles, placed, rulings))
    found = loops(tiles, placed, rulings)
    assert len(found) == closed
    assert waterfalls_earned(tiles, placed, rulings) == earned
    for circuit in found:
        assert circuit[0] == placed.cell
        assert len(set(circuit)) == len(circuit) >= 4
        steps = zip(circuit, (*circuit[1:], circuit[0]), strict=True)
        assert all(abs(x - east) + abs(y - south) == 1 for (x, y), (east, south) in steps)


def test_a_circuit_is_the_shortest_one():
    tiles, placed = without(RING, 1, 0)
    assert set(loops(tiles, placed)[0]) == {(0, 0), (1, 0), (0, 1), (1, 1)}


CLOSING_CAMP = drawn("""
    ES3f  .     SW3f
    NS3f  .     NS3f
    NE3f  SW1f  NS3f
    .     NS1f  NS3f
    .     Br    Br
""")


@pytest.mark.parametrize(
    "rulings, earned",
    [
        ({}, 0),
        ({"campsite-closes-loop": "yes"}, 1),
        ({"campsite-closes-loop": "yes", **NOT_THROUGH}, 0),
        ({"campsite-closes-loop": "no", **THROUGH}, 0),
    ],
)
def test_a_campsite_that_closes_a_circuit_earns_what_the_table_says(rulings, earned):
    camp = Placed(1, 0, "campsite")
    assert not list(objections(CLOSING_CAMP, camp, rulings))
    assert waterfalls_earned(CLOSING_CAMP, camp, rulings) == earned


@pytest.mark.parametrize("kind", ["lake", "waterfall"])
def test_only_trails_and_campsites_close_circuits(kind):
    assert loops(CLOSING_CAMP, Placed(1, 0, kind)) == ()


def test_with_more_waterfalls_on_the_maps_than_the_supply_has_nobody_earns_any():
    field = tuple(Placed(x, 1, "waterfall") for x in range(36))
    state = table(3).with_player(ANA, waterfalls=1).with_player(BO, tiles=(*CAMP, *field))
    assert after(state, PlaceTerrain("rock", -1, 0), seat=CY).players[CY].waterfalls == 0


def test_trails_that_meet_at_a_lake_are_no_loop():
    ring = drawn("""
        ES1f  lake  SW1f
        NS1f  .     .
        NE1f  Br    Br
    """)
    assert waterfalls_earned(ring, tile("NS1f", 2, 1)) == 0


# Campsites: the six miles

SIX = [
    pytest.param(
        ". EW2f EW3f Br Br", {}, ["Base camp is only 5 miles away by trail (2 + 3); a campsite needs 6."], id="5 miles"
    ),
    pytest.param(". EW3f EW3f Br Br", {}, [], id="6 miles"),
    pytest.param(". EW3f EW3f EW1f Br Br", {}, [], id="7 miles"),
    pytest.param(". EW1f Br Br", {}, ["Base camp is only 1 mile away by trail; a campsite needs 6."], id="1 mile"),
    pytest.param(". EW2f EW3f Br Br", {"campsite-measure": "table"}, [], id="5 miles, measured by the table"),
    pytest.param(". EW2f NEW2f EW2f Br Br", {}, [], id="6 miles with those of the fork"),
    pytest.param(
        ". EW2f NEW2f EW2f Br Br",
        {"fork-on-the-way": "no"},
        ["Base camp is only 4 miles away by trail (2 + 0 + 2); a campsite needs 6."],
        id="6 miles where those of the fork do not count",
    ),
    pytest.param(
        ". EW2f camp EW3f EW3f Br Br",
        {},
        ["The campsite 3 west of base camp is only 2 miles away by trail; a campsite needs 6."],
        id="2 miles from a campsite",
    ),
    pytest.param(". EW3f EW3f camp EW3f EW3f Br Br", {}, [], id="6 miles from a campsite"),
    pytest.param(". EW3f EW3f camp EW1f Br Br", {}, [], id="camps that are too near each other stay so"),
    pytest.param(
        ". EW1f NEW1f EW2f EW1f Br Br \n . . NS2f . . . . \n . . camp . . . .".replace("NEW", "ESW"),
        {},
        [
            "The campsite 3 west, 2 south of base camp is only 4 miles away by trail (1 + 1 + 2); a campsite needs 6.",
            "Base camp is only 5 miles away by trail (1 + 1 + 2 + 1); a campsite needs 6.",
        ],
        id="too near to two camps",
    ),
    pytest.param(
        """
        .  EW1f  ESW1f  EW1f  SW1f  .
        .  .     NE1f   EW1f  NEW1f Br  Br
        """,
        {},
        ["Base camp is only 5 miles away by trail (1 + 1 + 1 + 1 + 1); a campsite needs 6."],
        id="the shorter of two ways",
    ),
]


@pytest.mark.parametrize("text, rulings, sentences", SIX)
def test_a_campsite_has_to_be_six_miles_from_every_other(text, rulings, sentences):
    found = list(objections(drawn(text), Placed(0, 0, "campsite"), rulings))
    assert [reason.text for reason in found] == sentences
    assert {reason.rule.id for reason in found} <= {"campsite-six"}


def test_of_base_camp_the_nearer_square_counts_and_once():
    tiles = drawn("""
        .  EW3f  ESW1f  EW3f  SW3f
        .  .     NS3f   .     NS3f
        .  .     Br     Br    NW1f
    """)
    assert ways_to_camps(tiles, (0, 0)) == {(2, 2): (7, (3, 1, 3))}
