"""ALPINE TRAILS final-position documents: maps, counts, and every fault with its line."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import BadPosition, score_document
from scoring.alpine_trails.rules import RULINGS
from tests.support.alpine_trails_maps import map_to_document, parse_map
from tests.support.hypothesis_settings import with_examples
from tests.support.parametrize import run_all_rows

BASE = [
    {"x": 0, "y": 0, "kind": "base", "terrain": "rock", "icons": 1},
    {"x": 1, "y": 0, "kind": "base", "terrain": "rock", "icons": 1},
]
DOCUMENTED = [
    *BASE,
    {"x": 0, "y": -1, "kind": "trail", "exits": "NS", "miles": 2, "terrain": "forest", "icons": 1},
    {"x": 0, "y": -2, "kind": "lake"},
    {"x": -1, "y": 0, "kind": "trail", "exits": "EW", "miles": 3, "terrain": "rock", "icons": 1},
    {"x": -2, "y": 0, "kind": "trail", "exits": "EW", "miles": 3, "terrain": "rock", "icons": 1},
    {"x": -3, "y": 0, "kind": "campsite"},
    {"x": 2, "y": 0, "kind": "terrain", "terrain": "meadow", "icons": 2, "animal": "wolf"},
    {"x": 1, "y": 1, "kind": "waterfall"},
]
MADDIE = {
    "forest": 11, "rock": 9, "meadow": 7, "wetland": 6,
    "waterfalls": 23, "lakes": 5, "tents": 2, "animals": 2, "path": 16, "goal": 7,
}  # fmt: skip
CATEGORIES = ("habitats", "waterfalls", "lakes", "tents", "animals", "path", "goal")


def document_of_ana(*tiles: dict, base: list[dict] = BASE, **player) -> dict:
    """Return a document with Ana alone: base camp, these tiles, and more fields of hers."""
    return {"game": "alpine-trails", "players": [{"name": "Ana", "map": [*base, *tiles], **player}]}


def document_with_counts(top: dict | None = None, **counts) -> dict:
    """Return a document with Ana alone, who counted herself."""
    return {"game": "alpine-trails", "players": [{"name": "Ana", "counts": counts}], **(top or {})}


def document_of_two(first: dict, second: dict, **top) -> dict:
    """Return a document with two players."""
    players = [{"name": "Ana", **first}, {"name": "Bo", **second}]
    return {"game": "alpine-trails", "players": players, **top}


def tiles_east(number: int, **tile) -> list[dict]:
    """Return this many tiles in a row east of base camp."""
    return [{"x": 2 + step, "y": 0, **tile} for step in range(number)]


# The result


def test_documented_map_is_scored():
    result = score_document(document_of_ana(base=DOCUMENTED, goal={"kind": "habitat-icons", "terrain": "rock"}))
    (player,) = result["players"]
    assert (result["game"], result["decided_by"]) == ("alpine-trails", "points")
    assert player["categories"] == {
        "habitats": 7,
        "waterfalls": 3,
        "lakes": 2,
        "tents": 8,
        "animals": 2,
        "path": 2,
        "goal": 4,
    }
    assert (player["total"], player["rank"], player["winner"]) == (28, 1, True)
    assert "warnings" not in player and "title" not in player
    assert player["lines"][-1] == {
        "category": "goal",
        "label": "Goal: icons in the largest rock habitat",
        "points": 4,
        "because": "4 icons, 1 point each.",
        "rules": ["goal-habitat"],
    }


def test_counts_of_the_example_come_to_109_points():
    (player,) = score_document(document_with_counts(**MADDIE))["players"]
    assert player["total"] == 109
    worth = {"habitats": 33, "waterfalls": 23, "lakes": 10, "tents": 16, "animals": 4, "path": 16, "goal": 7}
    assert player["categories"] == worth


def test_document_may_mix_a_map_and_counts():
    result = score_document(document_of_two({"map": DOCUMENTED}, {"counts": MADDIE}))
    assert [(player["total"], player["rank"]) for player in result["players"]] == [(24, 2), (109, 1)]


def test_equal_scores_share_the_victory():
    result = score_document(document_of_two({"counts": {"forest": 3}}, {"counts": {"rock": 3}}))
    assert result["decided_by"] == "shared"
    assert [(player["rank"], player["winner"]) for player in result["players"]] == [(1, True), (1, True)]


@run_all_rows(
    "tile, total",
    [
        ({"kind": "terrain", "terrain": "meadow"}, 2),
        ({"kind": "terrain", "terrain": "rock", "icons": 2}, 4),
        ({"kind": "terrain", "icons": 2}, 2),
        ({"kind": "trail", "exits": "EW"}, 2),
        ({"kind": "trail", "exits": "WE", "miles": 3, "terrain": "rock"}, 2),
        ({"kind": "trail", "exits": "WENS", "miles": 3, "terrain": "rock", "icons": 1}, 3),
        ({"kind": "campsite", "icons": 0, "exits": "", "animal": None}, 10),
    ],
)
def test_missing_key_means_nothing_or_none(tile, total):
    assert score_document(document_of_ana({"x": 2, "y": 0, **tile}))["players"][0]["total"] == total


def test_counts_and_goals_may_be_omitted():
    assert score_document(document_with_counts())["players"][0]["total"] == 0
    assert score_document(document_of_ana(goal=None)) == score_document(document_of_ana())


@pytest.mark.parametrize("solo, points", [(False, 2), (True, 4)])
def test_two_animals_of_a_kind_both_count_only_in_a_solo_game(solo, points):
    tiles = tiles_east(2, kind="terrain", terrain="meadow", icons=2, animal="wolf")
    assert score_document({**document_of_ana(*tiles), "solo": solo})["players"][0]["categories"]["animals"] == points


@pytest.mark.parametrize("top, title", [({}, None), ({"solo": False}, None), ({"solo": True}, "Trailblazer")])
def test_solo_score_has_a_rank(top, title):
    assert score_document(document_with_counts(top, **MADDIE))["players"][0].get("title") == title


def test_score_below_the_lowest_rank_has_no_rank():
    assert "title" not in score_document(document_with_counts({"solo": True}, forest=84))["players"][0]


@pytest.mark.parametrize(
    "tiles, warnings, path",
    [
        (parse_map("lake EW2f Br Br"), None, 2),
        (parse_map("EW2f Br Br"), [
            "Straight 2-mile forest trail just west of base camp: no lake at its west end.",
        ], 0),
        (parse_map("lake EW2f f Br Br"), [
            "Straight 2-mile forest trail 2 squares west of base camp: not connected to base camp.",
            "Straight 2-mile forest trail 2 squares west of base camp: runs into a forest terrain tile to the east.",
        ], 0),
    ],
)  # fmt: skip
def test_map_with_faults_is_scored_with_warnings(tiles, warnings, path):
    (player,) = score_document(document_of_ana(base=map_to_document(tiles)))["players"]
    assert player.get("warnings") == warnings
    assert player["categories"]["path"] == path
    assert player["categories"]["lakes"] == 2 * sum(tile.kind == "lake" for tile in tiles)


def test_every_option_of_every_ruling_is_accepted():
    for ruling in RULINGS:
        for option in ruling.options:
            assert score_document({**document_of_ana(), "rulings": {ruling.id: option.id}})["players"][0]["total"] == 2


def test_up_to_five_players_are_scored():
    players = [{"name": str(number), "map": BASE} for number in range(5)]
    assert len(score_document({"game": "alpine-trails", "players": players})["players"]) == 5


def test_whole_box_may_be_on_one_map():
    rows = [
        {"x": x, "y": 1 + y, "kind": "terrain", "terrain": "forest", "icons": 2} for x in range(12) for y in range(11)
    ]
    rows += [{"x": x, "y": y, "kind": "campsite"} for x in range(12) for y in (12, 13)]
    rows += [{"x": x, "y": y, "kind": "waterfall"} for x in range(12) for y in (14, 15, 16)]
    rows += [{"x": x, "y": 17, "kind": "lake"} for x in range(12)]
    (player,) = score_document(document_of_ana(*rows))["players"]
    assert player["categories"]["habitats"] == 2 + 2 * 132


# Faults: (document, error line)

TILE_PATH = "players[0].map[2]"
KINDS = "base, trail, terrain, waterfall, campsite, lake"
GOALS = "path-length, habitat-icons, path-icons, tent-icons, waterfall-icons"
TRAIL = {"x": 2, "y": 0, "kind": "trail", "exits": "EW", "miles": 2, "terrain": "rock", "icons": 1}
LAKE = {"x": 2, "y": 0, "kind": "lake"}
SHAPE = "a trail has two to four different exits out of NESW, not"
BASES_APART = "the two base squares must be adjacent; the other one is at 0, 0"
MEADOW = {"x": 2, "y": 0, "kind": "terrain", "terrain": "meadow", "icons": 2}

TILES = [
    (document_of_ana({**TRAIL, "kind": "trial"}), f'{TILE_PATH}.kind: no kind of tile "trial"; did you mean "trail"?'),
    (document_of_ana({**TRAIL, "kind": "pond"}), f'{TILE_PATH}.kind: no kind of tile "pond"; there are {KINDS}'),
    (document_of_ana({**TRAIL, "kind": 5}), f"{TILE_PATH}.kind: expected text, got a whole number"),
    (document_of_ana({"x": 2, "y": 0}), f"{TILE_PATH}.kind: this is needed"),
    (document_of_ana({"y": 0, "kind": "lake"}), f"{TILE_PATH}.x: this is needed"),
    (document_of_ana({"x": 2, "kind": "lake"}), f"{TILE_PATH}.y: this is needed"),
    (document_of_ana({**TRAIL, "x": 2.5}), f"{TILE_PATH}.x: expected a whole number, got a number with a fraction"),
    (document_of_ana({**TRAIL, "y": "0"}), f"{TILE_PATH}.y: expected a whole number, got text"),
    (document_of_ana({**TRAIL, "y": True}), f"{TILE_PATH}.y: expected a whole number, got true or false"),
    (document_of_ana({**TRAIL, "x": 1000}), f"{TILE_PATH}.x: a coordinate is from -999 to 999, not 1000"),
    (
        document_of_ana({**TRAIL, "y": -(10**9999)}),
        f"{TILE_PATH}.y: a coordinate is from -999 to 999, not a huge number",
    ),
    (document_of_ana({**TRAIL, "mile": 2}), f'{TILE_PATH}: no key "mile"; did you mean "miles"?'),
    (
        document_of_ana({**TRAIL, "z": 2}),
        f'{TILE_PATH}: no key "z"; there are x, y, kind, terrain, exits, miles, icons, animal',
    ),
    (
        document_of_ana({**TRAIL, "terrain": "medow"}),
        f'{TILE_PATH}.terrain: no terrain "medow"; did you mean "meadow"?',
    ),
    (
        document_of_ana({**TRAIL, "terrain": "any"}),
        f'{TILE_PATH}.terrain: no terrain "any"; there are forest, rock, meadow, wetland',
    ),
    (document_of_ana({**MEADOW, "animal": "wulf"}), f'{TILE_PATH}.animal: no animal "wulf"; did you mean "wolf"?'),
    (
        document_of_ana({**MEADOW, "animal": "yeti"}),
        f'{TILE_PATH}.animal: no animal "yeti"; there are goat, moose, bear, wolf',
    ),
    (
        document_of_ana({**TRAIL, "animal": "wolf"}),
        f'{TILE_PATH}.animal: a "trail" tile has no animal; only these do: terrain',
    ),
    (
        document_of_ana({**MEADOW, "exits": "NS"}),
        f'{TILE_PATH}.exits: a "terrain" tile has no exits; only these do: trail',
    ),
    (
        document_of_ana({**MEADOW, "miles": 2}),
        f'{TILE_PATH}.miles: a "terrain" tile has no miles; only these do: trail',
    ),
    (
        document_of_ana({**LAKE, "terrain": "rock"}),
        f'{TILE_PATH}.terrain: a "lake" tile has no terrain; only these do: base, trail, terrain',
    ),
    (
        document_of_ana({**LAKE, "icons": 1}),
        f'{TILE_PATH}.icons: a "lake" tile has no icons; only these do: base, trail, terrain',
    ),
    (document_of_ana({**TRAIL, "exits": "N"}), f'{TILE_PATH}.exits: {SHAPE} "N"'),
    (document_of_ana({**TRAIL, "exits": ""}), f'{TILE_PATH}.exits: {SHAPE} ""'),
    (document_of_ana({"x": 2, "y": 0, "kind": "trail"}), f'{TILE_PATH}.exits: {SHAPE} ""'),
    (document_of_ana({**TRAIL, "exits": "NSN"}), f'{TILE_PATH}.exits: {SHAPE} "NSN"; did you mean "NS"?'),
    (document_of_ana({**TRAIL, "exits": "ns"}), f'{TILE_PATH}.exits: {SHAPE} "ns"; did you mean "NS"?'),
    (document_of_ana({**TRAIL, "exits": "NX"}), f'{TILE_PATH}.exits: {SHAPE} "NX"'),
    (document_of_ana({**TRAIL, "exits": ["N", "S"]}), f"{TILE_PATH}.exits: expected text, got a list"),
    (document_of_ana({**TRAIL, "miles": 4}), f"{TILE_PATH}.miles: a trail has 1 to 3 miles, not 4; did you mean 3?"),
    (document_of_ana({**TRAIL, "miles": 0}), f"{TILE_PATH}.miles: a trail has 1 to 3 miles, not 0; did you mean 1?"),
    (document_of_ana({**TRAIL, "miles": -1}), f"{TILE_PATH}.miles: a trail has 1 to 3 miles, not -1; did you mean 1?"),
    (document_of_ana({**TRAIL, "icons": 5}), f"{TILE_PATH}.icons: a tile has 0 to 4 icons, not 5; did you mean 4?"),
    (document_of_ana({**TRAIL, "icons": -1}), f"{TILE_PATH}.icons: a tile has 0 to 4 icons, not -1; did you mean 0?"),
    (
        document_of_ana({**TRAIL, "icons": 10**40}),
        f"{TILE_PATH}.icons: a tile has 0 to 4 icons, not a huge number; did you mean 4?",
    ),
    (
        document_of_ana({**TRAIL, "icons": math.nan}),
        f"{TILE_PATH}.icons: expected a whole number, got a number with a fraction",
    ),
    (document_of_ana(7), f"{TILE_PATH}: expected an object, got a whole number"),
]

MAPS = [
    (document_of_ana(TRAIL, {**MEADOW}), "players[0].map[3]: there is already a tile at 2, 0: players[0].map[2]"),
    (document_of_ana({**MEADOW, "x": 0}), "players[0].map[2]: there is already a tile at 0, 0: players[0].map[0]"),
    (document_of_ana(base=[]), "players[0].map: a map has exactly two base squares; this one has 0"),
    (document_of_ana(base=BASE[:1]), "players[0].map: a map has exactly two base squares; this one has 1"),
    (
        document_of_ana({**BASE[0], "x": 2}),
        "players[0].map[2].kind: a map has exactly two base squares; this one has 3",
    ),
    (document_of_ana(base=[BASE[0], {**BASE[1], "x": 2}]), f"players[0].map[1]: {BASES_APART}"),
    (document_of_ana(base=[BASE[0], {**BASE[1], "y": 1}]), f"players[0].map[1]: {BASES_APART}"),
    (
        document_of_ana({**MEADOW, "x": 3}),
        "players[0].map[2]: the tile at 3, 0 is not connected to base camp edge to edge",
    ),
    (
        document_of_ana({**MEADOW, "y": 1}),
        "players[0].map[2]: the tile at 2, 1 is not connected to base camp edge to edge",
    ),
    (
        document_of_ana(TRAIL, {**MEADOW, "x": 5}, {**MEADOW, "x": 4}),
        "players[0].map[3]: the tile at 5, 0 is not connected to base camp edge to edge",
    ),
]

PLAYERS = [
    ({"game": "alpine-trails", "players": [{"name": "Ana"}]}, 'players[0]: this needs a "map" or "counts"'),
    (document_of_two({"map": BASE}, {"map": None}), 'players[1]: this needs a "map" or "counts"'),
    (document_of_ana(counts={}), 'players[0]: this needs "map" or "counts", not both'),
    (document_of_ana(maps=[]), 'players[0]: no key "maps"; did you mean "map"?'),
    (document_of_ana(score=5), 'players[0]: no key "score"; there are name, map, counts, goal'),
    (document_of_two({"map": BASE}, {"map": BASE, "name": "ana"}), 'players[1].name: the name "ana" is taken already'),
    ({"game": "alpine-trails", "players": []}, "players: this game has 1 to 5 players, not 0"),
    (
        {"game": "alpine-trails", "players": [{"name": str(number), "map": BASE} for number in range(6)]},
        "players: this game has 1 to 5 players, not 6",
    ),
    (document_of_two({"map": BASE}, {"map": BASE}, solo=True), "solo: the solo game has 1 player, not 2"),
    ({**document_of_ana(), "solo": "yes"}, "solo: expected true or false, got yes"),
    ({**document_of_ana(), "solo": 1}, "solo: expected true or false, got 1"),
    ({**document_of_ana(), "sola": True}, 'no key "sola"; did you mean "solo"?'),
    ({**document_of_ana(), "fall": "sun"}, 'no key "fall"; there are game, rulings, players, solo'),
    (
        {**document_of_ana(), "rulings": {"fork-mile": "no"}},
        'rulings: no ruling "fork-mile"; did you mean "fork-miles"?',
    ),
    (
        {**document_of_ana(), "rulings": {"fork-miles": "maybe"}},
        'rulings.fork-miles: no option "maybe"; there are no, yes',
    ),
]

GOAL_FAULTS = [
    (
        document_of_ana(goal={"kind": "path-lenght"}),
        'players[0].goal.kind: no goal "path-lenght"; did you mean "path-length"?',
    ),
    (document_of_ana(goal={"kind": "gold"}), f'players[0].goal.kind: no goal "gold"; there are {GOALS}'),
    (document_of_ana(goal={}), "players[0].goal.kind: this is needed"),
    (
        document_of_ana(goal={"kind": "tent-icons", "terain": "any"}),
        'players[0].goal: no key "terain"; did you mean "terrain"?',
    ),
    (
        document_of_ana(goal={"kind": "path-icons"}),
        "players[0].goal.terrain: this goal needs a terrain: forest, rock, meadow, wetland",
    ),
    (
        document_of_ana(goal={"kind": "tent-icons"}),
        "players[0].goal.terrain: this goal needs a terrain: forest, rock, meadow, wetland, any",
    ),
    (
        document_of_ana(goal={"kind": "path-icons", "terrain": "any"}),
        'players[0].goal.terrain: no terrain "any"; there are forest, rock, meadow, wetland',
    ),
    (
        document_of_ana(goal={"kind": "waterfall-icons", "terrain": "lake"}),
        'players[0].goal.terrain: no terrain "lake"; there are forest, rock, meadow, wetland, any',
    ),
    (
        document_of_ana(goal={"kind": "habitat-icons", "terrain": "wetlands"}),
        'players[0].goal.terrain: no terrain "wetlands"; did you mean "wetland"?',
    ),
    (
        document_of_ana(goal={"kind": "path-length", "terrain": "rock"}),
        'players[0].goal.terrain: a path-length goal has no terrain; remove "rock"',
    ),
]

COUNT_FAULTS = [
    (document_with_counts(forrest=3), 'players[0].counts: no key "forrest"; did you mean "forest"?'),
    (document_with_counts(forest=-1), "players[0].counts.forest: this count is 0 to 272, not -1; did you mean 0?"),
    (document_with_counts(forest=273), "players[0].counts.forest: this count is 0 to 272, not 273; did you mean 272?"),
    (
        document_with_counts(waterfalls=289),
        "players[0].counts.waterfalls: this count is 0 to 288, not 289; did you mean 288?",
    ),
    (document_with_counts(lakes=73), "players[0].counts.lakes: this count is 0 to 72, not 73; did you mean 72?"),
    (document_with_counts(tents=26), "players[0].counts.tents: this count is 0 to 25, not 26; did you mean 25?"),
    (document_with_counts(animals=5), "players[0].counts.animals: this count is 0 to 4, not 5; did you mean 4?"),
    (
        document_with_counts({"solo": True}, animals=21),
        "players[0].counts.animals: this count is 0 to 20, not 21; did you mean 20?",
    ),
    (document_with_counts(path=199), "players[0].counts.path: this count is 0 to 198, not 199; did you mean 198?"),
    (
        document_with_counts({"solo": True}, path=397),
        "players[0].counts.path: this count is 0 to 396, not 397; did you mean 396?",
    ),
    (
        document_with_counts(goal=10**30),
        "players[0].counts.goal: this count is 0 to 272, not a huge number; did you mean 272?",
    ),
    (document_with_counts(path=1.5), "players[0].counts.path: expected a whole number, got a number with a fraction"),
    (document_with_counts(path=None), "players[0].counts.path: expected a whole number, got null"),
    (document_of_ana(base=[], map=None, counts=[]), "players[0].counts: expected an object or null, got a list"),
]

BACKS = ("waterfall", "campsite", "campsite")
SUPPLY = [
    (
        document_of_ana(*tiles_east(133, kind="terrain", terrain="meadow")),
        "players[0].map[134]: the box has only 132 trail tiles; this makes 133",
    ),
    (
        document_of_two(
            {"map": [*BASE, *tiles_east(100, kind="terrain")]},
            {"map": [*BASE, *tiles_east(33, kind="trail", exits="EW")]},
        ),
        "players[1].map[34]: the box has only 132 trail tiles; this makes 133",
    ),
    (
        document_of_two(
            {"map": [*BASE, *tiles_east(20, kind="campsite")]}, {"map": [*BASE, *tiles_east(6, kind="campsite")]}
        ),
        "players[1].map[7]: the box has only 25 tents; this makes 26",
    ),
    (
        document_of_ana(*tiles_east(37, kind="waterfall")),
        "players[0].map[38]: the box has only 36 waterfalls; this makes 37",
    ),
    (
        document_of_two(
            {"map": [*BASE, *tiles_east(40, kind="lake")]},
            {
                "map": [
                    *BASE,
                    *tiles_east(30, kind="lake"),
                    *({**LAKE, "y": 1, "x": x, "kind": kind} for x, kind in enumerate(BACKS)),
                ]
            },
        ),
        "players[1].map[34]: the box has only 72 campsite, waterfall and lake tiles; this makes 73",
    ),
    (
        document_of_ana(*tiles_east(6, kind="terrain", terrain="meadow", animal="wolf")),
        "players[0].map[7]: the box has only 5 wolves; this makes 6",
    ),
    (
        document_of_two({"counts": {"tents": 20}}, {"counts": {"tents": 6}}),
        "players[1].counts: the box has only 25 tents; this makes 26",
    ),
    (
        document_of_two({"counts": {"lakes": 40}}, {"counts": {"lakes": 33}}),
        "players[1].counts: the box has only 72 campsite, waterfall and lake tiles; this makes 73",
    ),
    (
        document_with_counts(tents=2, waterfalls=9, lakes=69),
        "players[0].counts: the box has only 72 campsite, waterfall and lake tiles; this makes 73",
    ),
    (
        document_of_two({"counts": {"waterfalls": 288}}, {"counts": {"waterfalls": 1}}),
        "players[1].counts: the box has only 36 waterfalls; this makes 37",
    ),
    (
        document_of_two({"map": [*BASE, *tiles_east(25, kind="campsite")]}, {"counts": {"tents": 1}}),
        "players[1].counts: the box has only 25 tents; this makes 26",
    ),
]


@run_all_rows("document, fault", TILES + MAPS + PLAYERS + GOAL_FAULTS + COUNT_FAULTS + SUPPLY)
def test_fault_is_refused_with_one_line_that_names_its_place(document, fault):
    with pytest.raises(BadPosition, match=f"^{re.escape(fault)}$"):
        score_document(document)


# Random documents

SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 5) | st.integers() | st.floats() | st.text(max_size=4)
    | st.sampled_from([10**40, math.nan, "\ud800", "rock", "base", "NS", "wolf", "any"])
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
KINDS_OF_TILE = st.sampled_from(KINDS.split(", "))
TILE = st.fixed_dictionaries(
    {"x": st.integers(-2, 3) | SCALARS, "y": st.integers(-2, 2) | SCALARS, "kind": KINDS_OF_TILE | ANYTHING},
    optional={
        "terrain": st.sampled_from(["forest", "rock", "meadow", "wetland"]) | ANYTHING,
        "exits": st.sampled_from(["NS", "EW", "NE", "NESW"]) | ANYTHING,
        "miles": st.integers(1, 3) | ANYTHING,
        "icons": st.integers(0, 4) | ANYTHING,
        "animal": st.sampled_from(["wolf", "goat"]) | ANYTHING,
    },
)
GOAL = st.fixed_dictionaries(
    {"kind": st.sampled_from(GOALS.split(", ")) | ANYTHING},
    optional={"terrain": st.sampled_from(["rock", "any"]) | ANYTHING},
)
COUNTS = st.dictionaries(st.sampled_from(sorted(MADDIE)), st.integers(0, 80) | ANYTHING, max_size=4)
PLAYER = st.fixed_dictionaries(
    {"name": st.sampled_from(["Ana", "Bo", "Cy"]) | ANYTHING},
    optional={
        "map": st.lists(TILE | ANYTHING, max_size=5).map(lambda tiles: [*BASE, *tiles]) | ANYTHING,
        "counts": COUNTS | ANYTHING,
        "goal": GOAL | ANYTHING,
    },
)
DOCUMENT = st.fixed_dictionaries(
    {"game": st.just("alpine-trails"), "players": st.lists(PLAYER | ANYTHING, max_size=3) | ANYTHING},
    optional={"solo": st.booleans() | ANYTHING, "rulings": ANYTHING},
)


@pytest.mark.slow("made up by hypothesis")
@given(DOCUMENT)
@with_examples(400)
def test_random_document_is_scored_or_refused_with_one_line(document):
    try:
        result = score_document(document)
    except BadPosition as fault:
        assert len(str(fault).splitlines()) == 1 and str(fault).encode("utf-8")
        return
    for player in result["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"]) == sum(player["categories"].values())
        assert all(line["rules"] and line["because"] for line in player["lines"])
