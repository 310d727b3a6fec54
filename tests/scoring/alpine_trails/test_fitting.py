"""ALPINE TRAILS: where a tile may lie on a map, and every reason why not."""

import random

import pytest

from scoring.alpine_trails import BOX
from scoring.alpine_trails.map.fitting import legal, loose, may, objections
from scoring.alpine_trails.map.grid import cells, edge, open_ends, where, with_lakes
from scoring.alpine_trails.map.tiles import Placed, Tile, faults, put, turned, turns
from tests.support import rule_cases
from tests.support.alpine_trails_maps import any_tile, drawn, grown, tile
from tests.support.alpine_trails_table import cases
from tests.support.cases import every_row

HOME = drawn("""
    .  .     .   .
    .  NS2f  .   .
    .  Br    Br  m
    .  .     .   .
""")


def against(tiles, placed: Placed, rulings: dict[str, str] | None = None) -> list[tuple[str, str, str]]:
    """Return all that speaks against a tile: code, rule, sentence."""
    return [(reason.code, reason.rule.id, reason.text) for reason in objections(tiles, placed, rulings)]


# In the hand


@every_row(
    "exits, quarters, now",
    [
        ("NS", 1, "EW"),
        ("NE", 1, "ES"),
        ("NE", 2, "SW"),
        ("NE", 3, "NW"),
        ("NES", 1, "ESW"),
        ("NESW", 3, "NESW"),
        ("NE", 0, "NE"),
    ],
)
def test_a_tile_is_turned_clockwise_and_its_exits_stay_in_order(exits, quarters, now):
    assert turned(Tile("trail", "rock", exits, 2, 1), quarters) == Tile("trail", "rock", now, 2, 1)


@every_row(
    "held, ways",
    [
        (Tile("trail", "rock", "NS", 2, 1), {0: "NS", 1: "EW"}),
        (Tile("trail", "rock", "NE", 2, 1), {0: "NE", 1: "ES", 2: "SW", 3: "NW"}),
        (Tile("trail", "rock", "NES", 2, 1), {0: "NES", 1: "ESW", 2: "NSW", 3: "NEW"}),
        (Tile("trail", "rock", "NESW", 2, 1), {0: "NESW"}),
        (Tile("terrain", "rock", icons=2), {0: ""}),
    ],
)
def test_only_ways_to_lie_that_differ_are_offered(held, ways):
    assert {quarters: way.exits for quarters, way in turns(held).items()} == ways


NO_SUCH_TILE = {
    "trail-shape": [
        (Tile("trail", "rock", "N", 2, 1), "exits"),
        (Tile("trail", "rock", "SN", 2, 1), "exits"),
    ],
    "trail-side": [
        (Tile("trail", "rock", "NS", 0, 1), "miles"),
        (Tile("trail", "rock", "NS", 4, 1), "miles"),
    ],
    "animal-place": [
        (Tile("trail", "rock", "NS", 1, 1, "bear"), "animal"),
    ],
    "place-sides": [
        (Tile("trail", None, "NS", 1, 1), "terrain"),
        (Tile("base"), "terrain"),
    ],
    "terrain-side": [
        (Tile("terrain", "rock", "NS", icons=2), "no-trail"),
        (Tile("terrain", "rock", miles=1, icons=2), "no-trail"),
        (Tile("terrain", "rock", icons=1), "icons"),
        (Tile("terrain", "rock", icons=3), "icons"),
    ],
    "score-habitats": [
        (Tile("base", "rock", icons=5), "icons"),
        (Tile("trail", "rock", "NS", 1, -1), "icons"),
    ],
    "base-camp-squares": [
        (Tile("base", "rock", "NS"), "bare"),
    ],
    "habitat-bare": [
        (Tile("lake", "rock"), "bare"),
        (Tile("campsite", icons=1), "bare"),
        (Tile("campsite", exits="NS"), "bare"),
        (Tile("waterfall", miles=1), "bare"),
        (Tile("waterfall", animal="bear"), "bare"),
    ],
}


@every_row("told, code, rule", [(*case, rule) for rule, _, case in rule_cases.rows(BOX, NO_SUCH_TILE)])
def test_what_no_tile_can_show_is_said(told, code, rule):
    assert [(reason.code, reason.rule.id) for reason in faults(told)] == [(code, rule)]


@every_row(
    "told",
    [
        Tile("trail", "rock", "NESW", 3, 0),
        Tile("terrain", "meadow", icons=2, animal="wolf"),
        Tile("lake"),
        Tile("base", "rock"),
    ],
)
def test_nothing_speaks_against_a_tile_of_the_box(told):
    assert not list(faults(told))


# On the map. By the rule that is cited first: what is held where, and all that speaks against it.

JOINED = "This trail would not be joined to base camp, a campsite or another trail."
REFUSED = {
    "place-empty": [
        (tile("f", 1, 2), [("occupied", "A base camp lies here already.")]),
        (tile("NS1r", 1, 1), [("occupied", "A 2 mile forest trail lies here already.")]),
    ],
    "place-adjacent": [
        (tile("f", 5, 5), [("not-adjacent", "No tile of your map lies side by side with this cell.")]),
        (tile("fall", 0, 0), [("not-adjacent", "No tile of your map lies side by side with this cell.")]),
    ],
    "trail-runs-on": [
        (tile("SW2r", 2, 1), [("runs-into", "To the west the trail would run into a 2 mile forest trail.")]),
        (
            tile("SW1r", 3, 1),
            [("runs-into", "To the south the trail would run into a meadow tile."), ("not-connected", JOINED)],
        ),
        (
            tile("EW1r", 1, 0),
            [
                ("blocks-end", "It would block the trail that comes from the south (2 mile forest trail)."),
                ("not-connected", JOINED),
            ],
        ),
    ],
    "trail-connected": [
        (tile("NS1r", 4, 2), [("not-connected", JOINED)]),
        (tile("EW1r", 1, 3), [("not-connected", JOINED)]),
    ],
    "place-terrain": [
        (
            tile("f", 1, 0),
            [("blocks-end", "It would block the trail that comes from the south (2 mile forest trail).")],
        ),
    ],
    "place-waterfall": [
        (
            tile("fall", 1, 0),
            [("blocks-end", "It would block the trail that comes from the south (2 mile forest trail).")],
        ),
    ],
    "campsite-at-end": [
        (tile("camp", 0, 2), [("no-end-here", "No trail ends here; a campsite lies at the end of a trail.")]),
    ],
    "campsite-six": [
        (tile("camp", 1, 0), [("too-near", "Base camp is only 2 miles away by trail; a campsite needs 6.")]),
    ],
    "lakes-at-ends": [
        (tile("lake", 0, 2), [("no-end-here", "No trail ends here; a lake lies at the end of a trail.")]),
    ],
    "base-camp": [
        (tile("Br", 0, 2), [("one-base-camp", "Your base camp is on the map already.")]),
    ],
}


@every_row("placed, refused, rule", [(*case, rule) for rule, _, case in rule_cases.rows(BOX, REFUSED)])
def test_a_tile_is_refused_with_every_reason(placed, refused, rule):
    found = against(HOME, placed)
    assert [(code, text) for code, _, text in found] == refused
    assert found[0][1] == rule
    assert not may(HOME, placed)


FITS = {
    "trail-runs-on": [
        (tile("NS3f", 1, 0),),
        (tile("NESW3f", 1, 0),),
        (tile("SE3r", 2, 1),),  # it passes by the side of another
    ],
    "base-camp-sides": [
        (tile("NE3f", 1, 3),),
        (tile("NS3r", 2, 3),),  # at the other square
        (tile("w", 2, 1),),
    ],
    "place-terrain": [(tile("m", 4, 2),), (tile("w", 2, 1),)],
    "place-waterfall": [(tile("fall", 3, 1),), (tile("fall", 0, 1),)],
    "lakes-at-ends": [(tile("lake", 1, 0),)],
    "place-empty": [(tile("f", 0, 2),)],
}


@every_row("placed", cases(FITS))
def test_nothing_speaks_against_a_tile_that_fits(placed):
    assert against(HOME, placed) == []
    assert may(HOME, placed)


def test_a_trail_may_run_into_a_lake_but_is_not_joined_by_it():
    shore = drawn("""
        lake  .
        NS1f  NS1f
        Br    Br
    """)
    assert against(shore, tile("SW1r", 1, 0)) == []
    assert against(shore[:2] + shore[3:], tile("SW1r", 1, 0)) == [("not-connected", "trail-connected", JOINED)]


@pytest.mark.parametrize("seed", range(12))
def test_the_legal_cells_are_those_nothing_speaks_against(seed):
    chance = random.Random(seed)
    tiles = grown(chance, 3 + 6 * seed, lakes=False)
    for held in (*(any_tile(chance) for _ in range(6)), Tile("waterfall"), Tile("lake"), Tile("base", "rock")):
        wanted = {
            (cell, quarters)
            for cell in edge(tiles)
            for quarters, way in turns(held).items()
            if not list(objections(tiles, put(way, *cell)))
        }
        assert {(cell, quarters) for cell, ways in legal(tiles, held).items() for quarters in ways} == wanted


def test_the_legal_cells_of_a_campsite_are_the_ends_of_trails_whatever_their_miles():
    assert legal(HOME, Tile("campsite")) == {(1, 0): (0,)}


# Lakes, words, and what does not fit


def test_a_lake_goes_to_every_open_end_and_two_ends_share_one():
    tiles = drawn("""
        .     .  .     .
        ES1f  .  EW1f  EW1f
        NE1f  Br Br    .
    """)
    assert open_ends(tiles) == ((1, 1), (4, 1))
    laid = with_lakes(tiles)
    assert laid == (*tiles, Placed(1, 1, "lake"), Placed(4, 1, "lake"))
    assert open_ends(laid) == ()
    assert not [sentence for _, sentence in loose(laid) if "lake" in sentence]


def test_base_camp_and_campsites_need_no_lake():
    assert with_lakes(drawn("camp EW3f EW3f Br Br")) == drawn("camp EW3f EW3f Br Br")


@every_row(
    "cell, words",
    [
        ((3, 1), "2 east, 1 north of base camp"),
        ((0, 2), "1 west of base camp"),
        ((1, 3), "1 south of base camp"),
        ((1, 2), "at base camp"),
    ],
)
def test_a_cell_is_named_as_seen_from_base_camp(cell, words):
    assert where(HOME, cell) == words


LOOSE = [
    ("lake EW1f Br Br", []),
    ("EW1f Br Br", ["The 1 mile forest trail 1 west of base camp has no lake at its end to the west."]),
    ("f EW1f Br Br", ["The 1 mile forest trail 1 west of base camp runs into a forest tile to the west."]),
    (
        "lake EW2f f Br Br",
        [
            "The 2 mile forest trail 2 west of base camp is not joined to base camp.",
            "The 2 mile forest trail 2 west of base camp runs into a forest tile to the east.",
        ],
    ),
    (
        "lake EW2f lake Br Br",
        ["The 2 mile forest trail 2 west of base camp is not joined to base camp."],
    ),
    ("lake EWf Br Br", ["The forest trail 1 west of base camp names no miles: it adds none to a path."]),
]


@every_row("text, sentences", LOOSE)
def test_what_does_not_fit_at_the_end_is_said(text, sentences):
    assert [sentence for _, sentence in loose(drawn(text))] == sentences


def test_icons_without_a_terrain_are_said():
    bare = (*drawn("Br Br"), Placed(2, 0, "terrain", icons=2))
    assert loose(bare) == (
        ((2, 0), "The terrain tile 2 east of base camp names no terrain: its icons belong to no habitat."),
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_map_grown_by_the_rules_has_nothing_loose(seed):
    tiles = grown(random.Random(seed), 40)
    assert loose(tiles) == ()
    assert len(cells(tiles)) == len(tiles)
