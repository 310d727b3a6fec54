"""ALPINE TRAILS: where a tile may be placed on a map, and every reason against it."""

import random
from itertools import product

import pytest

from scoring.alpine_trails import BOX
from scoring.alpine_trails.map.finished import final_warnings
from scoring.alpine_trails.map.fitting import can_place, legal_placements, objections
from scoring.alpine_trails.map.grid import at_location, edge_cells, location_text, open_ends, tiles_by_cell, with_lakes
from scoring.alpine_trails.map.tiles import PlacedTile, Tile, place_tile, rotate, rotations, tile_errors
from tests.support import rule_cases
from tests.support.alpine_trails_maps import parse_map, parse_tile, random_map, random_tile
from tests.support.alpine_trails_table import case_params
from tests.support.parametrize import run_all_rows

HOME_MAP = parse_map("""
    .  .     .   .
    .  NS2f  .   .
    .  Br    Br  m
    .  .     .   .
""")


def placement_objections(
    tiles, placed: PlacedTile, rulings: dict[str, str] | None = None
) -> list[tuple[str, str, str]]:
    """Return all objections to a tile: code, rule, sentence."""
    return [(reason.code, reason.rule.id, reason.text) for reason in objections(tiles, placed, rulings)]


# A tile by itself


@run_all_rows(
    "exits, quarters, expected",
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
def test_rotated_tile_keeps_the_order_of_its_exits(exits, quarters, expected):
    assert rotate(Tile("trail", "rock", exits, 2, 1), quarters) == Tile("trail", "rock", expected, 2, 1)


@run_all_rows(
    "held, expected",
    [
        (Tile("trail", "rock", "NS", 2, 1), {0: "NS", 1: "EW"}),
        (Tile("trail", "rock", "NE", 2, 1), {0: "NE", 1: "ES", 2: "SW", 3: "NW"}),
        (Tile("trail", "rock", "NES", 2, 1), {0: "NES", 1: "ESW", 2: "NSW", 3: "NEW"}),
        (Tile("trail", "rock", "NESW", 2, 1), {0: "NESW"}),
        (Tile("terrain", "rock", icons=2), {0: ""}),
    ],
)
def test_only_different_rotations_are_offered(held, expected):
    assert {quarters: turned_tile.exits for quarters, turned_tile in rotations(held).items()} == expected


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


@run_all_rows("tile, code, rule", [(*case, rule) for rule, _, case in rule_cases.iterate_cases(BOX, NO_SUCH_TILE)])
def test_impossible_tile_is_reported(tile, code, rule):
    assert [(reason.code, reason.rule.id) for reason in tile_errors(tile)] == [(code, rule)]


@run_all_rows(
    "tile",
    [
        Tile("trail", "rock", "NESW", 3, 0),
        Tile("terrain", "meadow", icons=2, animal="wolf"),
        Tile("lake"),
        Tile("base", "rock"),
    ],
)
def test_tile_of_the_box_has_no_errors(tile):
    assert not list(tile_errors(tile))


# On the map: cases by the rule that is cited first, with the tiles held and all objections to each.

JOINED = "This trail must connect to base camp, a campsite or another trail. Rotate it or choose another square."
REFUSED = {
    "place-empty": [
        (parse_tile("f", 1, 2), [("occupied", "This square is taken: base camp. Choose an empty square.")]),
        (
            parse_tile("NS1r", 1, 1),
            [("occupied", "This square is taken: a straight 2-mile forest trail. Choose an empty square.")],
        ),
    ],
    "place-adjacent": [
        (parse_tile("f", 5, 5), [("not-adjacent", "This square does not touch your map. Place tiles edge to edge.")]),
        (
            parse_tile("fall", 0, 0),
            [("not-adjacent", "This square does not touch your map. Place tiles edge to edge.")],
        ),
    ],
    "trail-runs-on": [
        (
            parse_tile("SW2r", 2, 1),
            [("runs-into", "To the west, the trail would run into a straight 2-mile forest trail.")],
        ),
        (
            parse_tile("SW1r", 3, 1),
            [("runs-into", "To the south, the trail would run into a meadow terrain tile."), ("not-connected", JOINED)],
        ),
        (
            parse_tile("EW1r", 1, 0),
            [
                ("blocks-end", "This would block the trail to the south (straight 2-mile forest trail)."),
                ("not-connected", JOINED),
            ],
        ),
    ],
    "trail-connected": [
        (parse_tile("NS1r", 4, 2), [("not-connected", JOINED)]),
        (parse_tile("EW1r", 1, 3), [("not-connected", JOINED)]),
    ],
    "place-terrain": [
        (
            parse_tile("f", 1, 0),
            [("blocks-end", "This would block the trail to the south (straight 2-mile forest trail).")],
        ),
    ],
    "place-waterfall": [
        (
            parse_tile("fall", 1, 0),
            [("blocks-end", "This would block the trail to the south (straight 2-mile forest trail).")],
        ),
    ],
    "campsite-at-end": [
        (parse_tile("camp", 0, 2), [("no-end-here", "No trail ends here. A campsite goes at the end of a trail.")]),
    ],
    "campsite-six": [
        (
            parse_tile("camp", 1, 0),
            [("too-near", "Base camp is only 2 miles away by trail. A campsite needs 6 miles: 4 more.")],
        ),
    ],
    "lakes-at-ends": [
        (parse_tile("lake", 0, 2), [("no-end-here", "No trail ends here. A lake goes at the end of a trail.")]),
    ],
    "base-camp": [
        (parse_tile("Br", 0, 2), [("one-base-camp", "Your base camp is already on your map.")]),
    ],
}


@run_all_rows("placed, refused, rule", [(*case, rule) for rule, _, case in rule_cases.iterate_cases(BOX, REFUSED)])
def test_tile_is_refused_with_every_reason(placed, refused, rule):
    found = placement_objections(HOME_MAP, placed)
    assert [(code, text) for code, _, text in found] == refused
    assert found[0][1] == rule
    assert not can_place(HOME_MAP, placed)


FITS = {
    "trail-runs-on": [
        (parse_tile("NS3f", 1, 0),),
        (parse_tile("NESW3f", 1, 0),),
        (parse_tile("SE3r", 2, 1),),  # It passes beside another tile without an exit to it.
    ],
    "base-camp-sides": [
        (parse_tile("NE3f", 1, 3),),
        (parse_tile("NS3r", 2, 3),),  # At the other square.
        (parse_tile("w", 2, 1),),
    ],
    "place-terrain": [(parse_tile("m", 4, 2),), (parse_tile("w", 2, 1),)],
    "place-waterfall": [(parse_tile("fall", 3, 1),), (parse_tile("fall", 0, 1),)],
    "lakes-at-ends": [(parse_tile("lake", 1, 0),)],
    "place-empty": [(parse_tile("f", 0, 2),)],
}


@run_all_rows("placed", case_params(FITS))
def test_tile_that_fits_has_no_objections(placed):
    assert placement_objections(HOME_MAP, placed) == []
    assert can_place(HOME_MAP, placed)


def test_trail_may_end_at_a_lake_but_a_lake_does_not_connect_it():
    shore = parse_map("""
        lake  .
        NS1f  NS1f
        Br    Br
    """)
    assert placement_objections(shore, parse_tile("SW1r", 1, 0)) == []
    assert placement_objections(shore[:2] + shore[3:], parse_tile("SW1r", 1, 0)) == [
        ("not-connected", "trail-connected", JOINED)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_legal_placements_are_those_without_objections(seed):
    chance = random.Random(seed)
    tiles = random_map(chance, 3 + 6 * seed, lakes=False)
    for held in (*(random_tile(chance) for _ in range(6)), Tile("waterfall"), Tile("lake"), Tile("base", "rock")):
        expected = {
            (cell, quarters)
            for cell in edge_cells(tiles)
            for quarters, turned_tile in rotations(held).items()
            if not list(objections(tiles, place_tile(turned_tile, *cell)))
        }
        assert {
            (cell, quarters) for cell, turns in legal_placements(tiles, held).items() for quarters in turns
        } == expected


def test_legal_cells_of_a_campsite_are_trail_ends_of_any_length():
    assert legal_placements(HOME_MAP, Tile("campsite")) == {(1, 0): (0,)}


# Lakes, descriptions, and final warnings


def test_lake_is_placed_at_every_open_end_and_two_ends_share_one():
    tiles = parse_map("""
        .     .  .     .
        ES1f  .  EW1f  EW1f
        NE1f  Br Br    .
    """)
    assert open_ends(tiles) == ((1, 1), (4, 1))
    with_lakes_placed = with_lakes(tiles)
    assert with_lakes_placed == (*tiles, PlacedTile(1, 1, "lake"), PlacedTile(4, 1, "lake"))
    assert open_ends(with_lakes_placed) == ()
    assert not [sentence for _, sentence in final_warnings(with_lakes_placed) if "lake" in sentence]


def test_base_camp_and_campsites_need_no_lake():
    assert with_lakes(parse_map("camp EW3f EW3f Br Br")) == parse_map("camp EW3f EW3f Br Br")


FLAT, UPRIGHT = ((0, 0), (1, 0)), ((0, 0), (0, 1))  # The two ways that base camp can lie.


@run_all_rows(
    "base, cell, text",
    [
        (FLAT, (2, 0), "just east of base camp"),
        (FLAT, (-1, 0), "just west of base camp"),
        (FLAT, (-1, -1), "just northwest of base camp"),
        (FLAT, (2, 1), "just southeast of base camp"),
        (FLAT, (0, -1), "just north of base camp\u2019s west square"),
        (FLAT, (1, 3), "3 squares south of base camp\u2019s east square"),
        (FLAT, (3, 0), "2 squares east of base camp"),
        (FLAT, (3, -1), "2 squares east and 1 north of base camp"),
        (FLAT, (-1, 2), "1 square west and 2 south of base camp"),
        (FLAT, (1, 0), "base camp\u2019s east square"),
        (UPRIGHT, (0, -1), "just north of base camp"),
        (UPRIGHT, (1, 0), "just east of base camp\u2019s north square"),
        (UPRIGHT, (-2, 1), "2 squares west of base camp\u2019s south square"),
        (UPRIGHT, (1, 3), "1 square east and 2 south of base camp"),
    ],
)
def test_location_is_named_from_the_nearest_square_of_base_camp(base, cell, text):
    assert location_text(base, cell) == text


@pytest.mark.parametrize("corner", [(0, 0), (-3, 4)])
@pytest.mark.parametrize("layout", [FLAT, UPRIGHT])
def test_no_two_squares_have_the_same_location(layout, corner):
    base = tuple((x + corner[0], y + corner[1]) for x, y in layout)
    field = product(range(corner[0] - 7, corner[0] + 8), range(corner[1] - 7, corner[1] + 8))
    assert len({location_text(base, cell) for cell in field}) == 15 * 15


@run_all_rows(
    "text, description",
    [
        ("EW2r Br Br", "straight 2-mile rock trail just west of base camp"),
        ("ESW3w Br Br", "3-mile wetland fork just west of base camp"),
        ("r Br Br", "rock terrain tile just west of base camp"),
        ("camp EW1f Br Br", "campsite 2 squares west of base camp"),
        ("Br Br", "base camp\u2019s west square"),
    ],
)
def test_tile_is_described_with_its_shape_and_its_location(text, description):
    tiles = parse_map(text)
    assert at_location(tiles, tiles[0]) == description


WARNINGS = [
    ("lake EW1f Br Br", []),
    ("EW1f Br Br", ["Straight 1-mile forest trail just west of base camp: no lake at its west end."]),
    (
        "f EW1f Br Br",
        ["Straight 1-mile forest trail just west of base camp: runs into a forest terrain tile to the west."],
    ),
    (
        "lake EW2f f Br Br",
        [
            "Straight 2-mile forest trail 2 squares west of base camp: not connected to base camp.",
            "Straight 2-mile forest trail 2 squares west of base camp: runs into a forest terrain tile to the east.",
        ],
    ),
    (
        "lake EW2f lake Br Br",
        ["Straight 2-mile forest trail 2 squares west of base camp: not connected to base camp."],
    ),
    (
        "lake EWf Br Br",
        ["Straight forest trail just west of base camp: no miles entered, so it adds none to a path."],
    ),
]


@run_all_rows("text, sentences", WARNINGS)
def test_final_warnings_list_what_does_not_fit(text, sentences):
    assert [sentence for _, sentence in final_warnings(parse_map(text))] == sentences


def test_final_warning_lists_icons_without_a_terrain():
    terrain_only = (*parse_map("Br Br"), PlacedTile(2, 0, "terrain", icons=2))
    assert final_warnings(terrain_only) == (
        ((2, 0), "Terrain tile just east of base camp: no terrain entered, so its icons belong to no habitat."),
    )


@pytest.mark.parametrize("seed", range(4))
def test_map_built_by_the_rules_has_no_warnings(seed):
    tiles = random_map(random.Random(seed), 40)
    assert final_warnings(tiles) == ()
    assert len(tiles_by_cell(tiles)) == len(tiles)
