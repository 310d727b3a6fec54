"""ALPINE TRAILS: contents of the box, each fact with its source."""

import tomllib
from pathlib import Path

from scoring.alpine_trails import box, points
from scoring.alpine_trails.map import tiles
from tests.support.alpine_trails_table import case_params
from tests.support.parametrize import run_all_rows

BOX = tomllib.loads(Path(box.__file__).with_name("box.toml").read_text(encoding="utf-8"))
SECTIONS = [
    (name, entry) for name, section in BOX.items() for entry in (section if isinstance(section, list) else [section])
]


PRINTED = {
    "components": [
        ("TRAIL_TILES", 132),
        ("CAMPSITE_TILES", 36),
        ("WATERFALL_TILES", 36),
        ("LAKE_BACKS", 72),
        ("BASE_CAMPS", 8),
        ("GOAL_CARDS", 20),
        ("TENTS", 25),
        ("SIGNS", 12),
        ("ANIMALS_OF_EACH", 5),
    ],
    "draw-two": [("TILES_PER_ROUND", 2)],
    "terrain-side": [("TERRAIN_ICONS", 2)],
    "trail-side": [("MILES", (1, 2, 3))],
    "base-camp-squares": [("BASE_SQUARES", 2)],
    "campsite-six": [("CAMPSITE_MILES", 6)],
    "score-lakes": [("LAKE_POINTS", 2)],
    "score-tents": [("TENT_POINTS", 8)],
    "score-animals": [("ANIMAL_POINTS", 2)],
    "goal-length": [("LENGTH_GOAL_POINTS", ((15, 5), (20, 10)))],
}


@run_all_rows("part, count", case_params(PRINTED))
def test_component_counts_match_the_printed_numbers(part, count):
    assert getattr(box, part) == count


def test_bag_size_by_number_of_players():
    assert box.BAG_SIZES == {1: 32, 2: 64, 3: 96, 4: 112, 5: 130}
    assert all(tiles % (2 * players) == 0 for players, tiles in box.BAG_SIZES.items())
    assert max(box.BAG_SIZES.values()) <= box.TRAIL_TILES


def test_box_map_and_points_use_the_same_terrains_animals_and_goals():
    assert box.TERRAINS == tiles.TERRAINS
    assert box.ANIMALS == tiles.ANIMALS
    assert box.GOALS == points.GOAL_KINDS
    assert set(points.GOAL_LINES) == set(box.GOALS)


def test_solo_ranks_are_listed_from_the_highest():
    assert [least for least, _ in box.RANKS] == [125, 115, 105, 95, 85]
    assert box.RANKS[0][1] == "Mountain G.O.A.T." and box.RANKS[-1][1] == "Weekend Wanderer"


@run_all_rows("name, section", SECTIONS)
def test_every_fact_has_a_source_and_a_confidence(name, section):
    assert section["source"]
    assert section["confidence"] in ("printed", "inferred")
