"""Tests of finished maps: their errors, what may be missing, and which miles can matter."""

import random

import pytest
from msgspec.structs import replace

from scoring.alpine_trails import rules as r
from scoring.alpine_trails.entry_state import EntrySetup, EntryState
from scoring.alpine_trails.map.finished import map_errors, map_questions
from scoring.alpine_trails.map.paths import candidate_paths, cells_to_measure, next_path_to_measure
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap
from scoring.alpine_trails.map.trails import count_loops
from scoring.alpine_trails.points import FinalPlayer, Goal, counts_tied_paths, player_lines
from scoring.alpine_trails.score_entry import LayLakes, PutMap, PutTile
from scoring.games import TRACKED_GAMES
from scoring.kernel.errors import IllegalMoveError
from tests.support.alpine_trails_maps import parse_map, random_map
from tests.support.parametrize import run_all_rows

SCORE_ENTRY = TRACKED_GAMES["alpine-trails-tally"]
RULINGS = (
    {},
    {"fork-miles": "yes"},
    {"shared-lake": "joined"},
    {"path-tie": "all"},
    {"fork-miles": "yes", "shared-lake": "joined"},
)
GOALS = (None, Goal("path-length"), Goal("path-icons", "forest"), Goal("path-icons", "rock"))


def start(players: int = 2, **rulings: str) -> EntryState:
    names = ("Ana", "Bo", "Cy", "Di", "Eve")[:players]
    return SCORE_ENTRY.initial_state(EntrySetup(names, {name.replace("_", "-"): rulings[name] for name in rulings}))


def without_miles(tiles: TrailMap) -> TrailMap:
    return tuple(replace(tile, miles=0) for tile in tiles)


# Drawings of maps that cannot have been built: the code, the rule, the marks and the beginning of the sentence.
ERRORS = [
    ("f f", "one-base-camp", "base-camp-squares", (), "A map has one base camp"),
    ("Bf . Bf", "one-base-camp", "base-camp-squares", (), "A map has one base camp"),
    ("Bf Bf Bf", "one-base-camp", "base-camp-squares", (), "A map has one base camp"),
    ("Bf Bf . r", "falls-apart", "place-adjacent", ("3,0",), "Rock terrain tile 2 squares east of base camp: cut off"),
    ("Bf Bf EW2f", "no-lake", "lakes-at-ends", ("2,0",), "2-mile forest"),
    ("Bf Bf EW2f r", "runs-into", "trail-runs-on", ("2,0",), "Straight 2-mile forest trail just east"),
    ("Bf Bf EW2f NS1r", "runs-into", "trail-runs-on", ("2,0",), "Straight 2-mile forest trail just east"),
    ("Bf Bf r EW2f lake", "not-connected", "trail-connected", ("3,0",), "Straight 2-mile forest trail 2 squares east"),
    ("Bf Bf lake", "no-end-here", "lakes-at-ends", ("2,0",), "No trail leads into the lake just east of base camp."),
    ("Bf Bf camp", "no-end-here", "campsite-at-end", ("2,0",), "No trail leads into the campsite"),
    ("Bf Bf f3", "icons", "terrain-side", ("2,0",), "Forest terrain tile just east of base camp: A terrain side"),
    ("Bf Bf EW2f7 lake", "icons", "score-habitats", ("2,0",), "Straight 2-mile forest trail just east"),
]  # fmt: skip


@run_all_rows("drawing, code, rule, marks, text", ERRORS)
def test_map_that_cannot_have_been_built_is_refused_with_place_and_rule(drawing, code, rule, marks, text):
    tiles = parse_map(drawing)
    reasons = list(map_errors(tiles))
    matching = [reason for reason in reasons if (reason.code, reason.rule.id, reason.marks) == (code, rule, marks)]
    assert matching, reasons
    if code != "no-lake":
        assert matching[0].text.startswith(text)
    with pytest.raises(IllegalMoveError):
        SCORE_ENTRY.play(start(), 0, PutMap(tiles))


def test_two_tiles_on_one_square_are_refused():
    tiles = (*parse_map("Bf Bf f"), PlacedTile(2, 0, "terrain", "rock", icons=2))
    assert [(reason.code, reason.marks) for reason in map_errors(tiles)] == [("occupied", ("2,0",))]


ANIMALS_ON_TILES = [
    ((("rock", "goat"), ("meadow", "wolf")), []),
    ((("rock", "goat"), ("meadow", "goat")), ["1,0", "2,0"]),
    ((("rock", "goat"), ("rock", "wolf")), ["1,0", "2,0"]),
]


@run_all_rows(
    "animals, marks", [(animals, [f"{2 + n},0" for n in range(len(marks))]) for animals, marks in ANIMALS_ON_TILES]
)
def test_animals_must_agree_about_the_animal_card(animals, marks):
    placed = [
        PlacedTile(2 + n, 0, "terrain", terrain, icons=2, animal=animal) for n, (terrain, animal) in enumerate(animals)
    ]
    reasons = list(map_errors((*parse_map("Bf Bf"), *placed)))
    assert [(reason.rule, *reason.marks) for reason in reasons] == [(r.ANIMAL_CARD, mark) for mark in marks]


@pytest.mark.parametrize("seed", range(12))
def test_map_built_by_the_rules_is_entered_with_or_without_miles(seed):
    rng = random.Random(seed)
    tiles = random_map(rng, rng.randint(4, 32))
    for entered in (tiles, without_miles(tiles)):
        after = SCORE_ENTRY.play(start(), 0, PutMap(entered, Goal("path-length")))
        assert after.players[0].tiles == entered
        assert after.players[0].done
        assert SCORE_ENTRY.play(after, 0, PutMap(tiles)).players[0].goal is None, "a map that is done can be changed"


@pytest.mark.parametrize("seed", range(6))
def test_painted_map_scores_like_the_same_map_entered_tile_by_tile(seed):
    rng = random.Random(seed)
    tiles = random_map(rng, 20)
    by_tiles = start()
    base = [tile for tile in tiles if tile.kind == "base"]
    by_tiles = by_tiles.with_player(0, tiles=tuple(base))
    for tile in tiles:
        if tile.kind not in ("base", "lake"):
            values = (tile.x, tile.y, tile.kind, tile.terrain, tile.exits, tile.miles, tile.icons, tile.animal)
            by_tiles = SCORE_ENTRY.play(by_tiles, 0, PutTile(*values))
    by_tiles = SCORE_ENTRY.play(by_tiles, 0, LayLakes())
    painted = SCORE_ENTRY.play(start(), 0, PutMap(tiles))
    score = SCORE_ENTRY.box.score
    totals = [score(SCORE_ENTRY.final_position(state)).columns[0] for state in (by_tiles, painted)]
    assert totals[0].total == totals[1].total
    assert totals[0].warnings == totals[1].warnings == ()


@pytest.mark.parametrize("seed", range(8))
def test_spoiled_map_is_refused_where_the_defect_is(seed):
    rng = random.Random(seed)
    tiles = random_map(rng, 24)
    removable = [tile for tile in tiles if tile.kind in ("trail", "lake")]
    removed = rng.choice(removable)
    reasons = list(map_errors(tuple(tile for tile in tiles if tile != removed)))
    assert reasons
    assert all(reason.marks for reason in reasons)


def test_map_without_a_lake_is_entered_if_the_box_has_none_left():
    state = start()
    all_lakes = tuple(PlacedTile(x, 0, "lake") for x in range(72))
    state = state.with_player(1, tiles=all_lakes)
    assert SCORE_ENTRY.play(state, 0, PutMap(parse_map("Bf Bf EW2f"))).players[0].done


def test_map_is_refused_after_totals_and_twice():
    tiles = parse_map("Bf Bf f")
    after = SCORE_ENTRY.play(start(), 0, PutMap(tiles))
    assert [reason.code for reason in SCORE_ENTRY.objections(after, 0, PutMap(tiles))] == ["no-change"]
    goal = PutMap(tiles, Goal("path-length", "rock"))
    assert [reason.code for reason in SCORE_ENTRY.objections(after, 0, goal)] == ["no-such-goal"]


LOOPS = [
    ("Bf Bf f", {}, 0),
    ("ES1f SW1f\nNE1f NW1f\nBf Bf", {}, 1),
    ("Bf  Bf\nNE1f NW1f", {}, 1),  # through base camp
    ("Bf  Bf\nNE1f NW1f", {"loop-through-camps": "no"}, 0),
    ("ES1f ESW1f SW1f\nNE1f NEW1f NW1f\n. Bf Bf", {}, 2),
]


@run_all_rows("drawing, rulings, loops", LOOPS)
def test_loops_of_a_finished_map_are_counted(drawing, rulings, loops):
    assert count_loops(parse_map(drawing), rulings) == loops


QUESTIONS = [
    ("Bf Bf" + " f" * 32, 2, []),
    ("Bf Bf" + " f" * 31, 2, ["You drew 32 tiles, and your map uses 31. Did you discard 1, or is one missing?"]),
    ("Bf Bf" + " f" * 20, 4, ["You drew 28 tiles, and your map uses 20. Did you discard 8, or are some missing?"]),
    ("Bf Bf" + " f" * 27, 5, ["You drew only 26 tiles, and your map uses 27. Is a tile wrong?"]),
    ("Bf Bf fall" + " f" * 32, 3, ["Your map has 1 waterfall and 0 loops. Is a trail missing?"]),
    ("Bf Bf" + " f" * 30 + "\nNE1f NW1f", 1, ["Your map has 1 loop and 0 waterfalls. Is a waterfall missing?"]),
]  # fmt: skip


@run_all_rows("drawing, players, questions", QUESTIONS)
def test_finished_map_is_questioned_about_lost_tiles_and_waterfalls(drawing, players, questions):
    tiles = parse_map(drawing)
    assert list(map_questions(tiles, players, {})) == questions
    assert list(PutMap(tiles).questions(start(players), 0)) == questions


# Which miles are asked for: the drawing, whether ties count, and the cells.
MILES = [
    ("Bf Bf EWf lake", False, [(2, 0)]),  # 1 to 3 miles, and there is no other path
    ("lake EWf Bf Bf EW3f EWf lake", False, [(5, 0)]),  # at most 3 miles are no more than the other's least 4
    ("lake EW3f Bf Bf EW3f lake", False, []),
    ("lake EWf Bf Bf EW3f lake", False, []),
    ("lake EWf Bf Bf EW3f lake", True, [(1, 0)]),  # a tie may have more icons
]


@run_all_rows("drawing, counts_ties, cells", MILES)
def test_miles_are_asked_only_where_a_path_can_still_be_the_longest(drawing, counts_ties, cells):
    assert list(cells_to_measure(parse_map(drawing), {}, counts_ties)) == cells


@pytest.mark.parametrize("seed", range(30))
def test_miles_that_are_not_asked_for_cannot_change_the_score(seed):
    rng = random.Random(seed)
    tiles, rulings, goal = random_map(rng, rng.randint(10, 32)), rng.choice(RULINGS), rng.choice(GOALS)
    miles, entered = {tile.cell: tile.miles for tile in tiles}, without_miles(tiles)
    while path := next_path_to_measure(entered, rulings, counts_tied_paths(goal)):
        asked = path.unknown_cells[0]
        entered = tuple(replace(tile, miles=miles[tile.cell]) if tile.cell == asked else tile for tile in entered)
    assert not cells_to_measure(entered, rulings, counts_tied_paths(goal))
    expected = points(entered, goal, rulings)
    assert expected == points(tiles, goal, rulings)
    fillings = [lambda: 1, lambda: 3, *[lambda: rng.randint(1, 3)] * 8]
    for fill in fillings:
        filled = tuple(replace(tile, miles=tile.miles or fill()) if tile.exits else tile for tile in entered)
        assert points(filled, goal, rulings) == expected
    assert all(path.miles <= path.least_miles <= path.most_miles for path in candidate_paths(entered, rulings))


def points(tiles: TrailMap, goal: Goal | None, rulings: dict[str, str]) -> list[tuple[str, int]]:
    return [(line.category, line.points) for line in player_lines(FinalPlayer("Ana", tiles, goal=goal), rulings, False)]
