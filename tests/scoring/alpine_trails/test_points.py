"""ALPINE TRAILS: points of everything at the end, with the reasons."""

import pytest

from scoring.alpine_trails import BOX
from scoring.alpine_trails.map.paths import out_and_back_paths
from scoring.alpine_trails.map.tiles import PlacedTile, TrailMap
from scoring.alpine_trails.points import Counts, Final, FinalPlayer, Goal, score, solo_rank
from scoring.kernel.sheet import Line, Sheet
from tests.support import rule_cases
from tests.support.alpine_trails_maps import parse_map
from tests.support.alpine_trails_table import case_params
from tests.support.parametrize import run_all_rows


def score_map(
    tiles: TrailMap | str, goal: Goal | None = None, rulings: dict[str, str] | None = None, solo: bool = False
) -> Sheet:
    """Return the sheet of one player's map."""
    tiles = parse_map(tiles) if isinstance(tiles, str) else tiles
    return score(Final((FinalPlayer("Ana", tiles, goal=goal),), rulings or {}, solo))


def category_lines(category: str, *args, **options) -> list[Line]:
    """Return the lines of one category of one player's map."""
    return [line for line in score_map(*args, **options).columns[0].lines if line.category == category]


def line_cells(line: Line) -> set[tuple[int, int]]:
    """Return the cells a line refers to."""
    return {tuple(int(part) for part in mark.split(",")) for mark in line.marks}


# Examples of the rulebook


MADDIE = Counts(forest=11, rock=9, meadow=7, wetland=6, waterfalls=23, lakes=5, tents=2, animals=2, path=16, goal=7)


def test_example_of_the_rulebook_comes_to_109_points():
    column = score(Final((FinalPlayer("Maddie", counts=MADDIE),))).columns[0]
    assert column.total == 109
    assert [(line.category, line.label, line.points) for line in column.lines] == [
        ("habitats", "Forest", 11),
        ("habitats", "Rock", 9),
        ("habitats", "Meadow", 7),
        ("habitats", "Wetland", 6),
        ("waterfalls", "Waterfalls", 23),
        ("lakes", "5 lakes", 10),
        ("tents", "2 tents", 16),
        ("animals", "2 animals", 4),
        ("path", "Longest path", 16),
        ("goal", "Goal", 7),
    ]


def test_habitat_example_comes_to_8_2_2_and_1():
    example = parse_map("""
        m  m     NS1m  .     .  .
        .  m     NS1m  .     .  .
        .  f     Br    Br    EW1w  m
    """)
    found = category_lines("habitats", example)
    assert {line.label: line.points for line in found} == {"Meadow": 8, "Rock": 2, "Forest": 2, "Wetland": 1}
    assert [line.label for line in found] == ["Forest", "Rock", "Meadow", "Wetland"]
    assert {line.label: line_cells(line) for line in found} == {
        "Meadow": {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)},
        "Rock": {(2, 2), (3, 2)},
        "Forest": {(1, 2)},
        "Wetland": {(4, 2)},
    }
    assert [(line.because, [rule.id for rule in line.rules]) for line in found] == [
        ("2 icons on 1 tile.", ["score-habitats"]),
        ("2 icons on 2 tiles.", ["score-habitats", "base-camp-squares"]),
        ("8 icons on 5 tiles.", ["score-habitats"]),
        ("1 icon on 1 tile.", ["score-habitats"]),
    ]


FALLS = """
    lake  NS1f  m   .   r     fall
    f     fall  Br  Br  fall  m
    camp  w     f   f   .     r
"""
SURROUNDED = {
    "score-waterfalls": [
        ("Waterfall 1", 3, "2 squares east and 1 north of base camp: 3 tiles around it."),
        ("Waterfall 2", 8, "Just west of base camp: 8 tiles around it."),
        ("Waterfall 3", 6, "Just east of base camp: 6 tiles around it."),
    ]
}


@pytest.mark.parametrize("label, points, because", case_params(SURROUNDED))
def test_waterfalls_of_the_example_score_8_and_6(label, points, because):
    (line,) = [line for line in category_lines("waterfalls", FALLS) if line.label == label]
    assert (line.points, line.because, [rule.id for rule in line.rules]) == (points, because, ["score-waterfalls"])
    assert len(line_cells(line)) == points + 1


PATHS = parse_map("""
    .     .     .     .     .     .   .     lake   .     .     .     .
    lake  EW3f  EW3r  EW3m  SW1w  .   .     NS1m   .     .     .     .
    .     .     .     .     Bw    Bw  EW2f  NEW2r  EW3r  EW3r  EW1r  lake
    .     .     .     .     NS3f  .   .     .      .     .     .     .
    .     .     .     .     NS3f  .   .     .      .     .     .     .
    .     .     .     .     camp  .   .     .      .     .     .     .
    .     .     .     .     NS3f  .   .     .      .     .     .     .
    .     .     .     .     NS2f  .   .     .      .     .     .     .
    .     .     .     .     lake  .   .     .      .     .     .     .
""")


def test_paths_of_the_example_have_10_7_1_and_5_miles():
    assert {arm.end: arm.miles for arm in out_and_back_paths(PATHS)} == {(0, 1): 10, (11, 2): 7, (7, 0): 1, (4, 8): 5}
    assert {arm.end: arm.start for arm in out_and_back_paths(PATHS)} == {
        (0, 1): (4, 2),
        (11, 2): (7, 2),
        (7, 0): (7, 2),
        (4, 8): (4, 5),
    }
    (line,) = category_lines("path", PATHS)
    assert (line.label, line.points) == ("Longest path", 10)
    assert line.because == "3 + 3 + 3 + 1 miles from the lake back to base camp."
    assert line_cells(line) == {(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)}


def path_map(miles: int) -> str:
    """Return the drawing of a map with one path of these miles."""
    steps = [3] * (miles // 3) + [miles % 3] * bool(miles % 3)
    return f"lake {' '.join(f'EW{step}f' for step in steps)} Br Br"


LENGTHS = {
    "goal-length": [
        (14, {}, 0, "less than 15"),
        (15, {}, 5, "at least 15"),
        (19, {}, 5, "at least 15"),
        (20, {}, 10, "at least 20"),
        (31, {}, 10, "at least 20"),
    ],
    "goal-length-both": [
        (14, {"length-goal": "fifteen"}, 0, "less than 15"),
        (19, {"length-goal": "fifteen"}, 5, "at least 15"),
        (20, {"length-goal": "fifteen"}, 15, "at least 20"),
        (20, {"length-goal": "ten"}, 10, "at least 20"),
    ],
}


@run_all_rows("miles, rulings, points, reached", case_params(LENGTHS))
def test_path_length_goal_scores_from_15_and_from_20_miles(miles, rulings, points, reached):
    (line,) = category_lines("goal", path_map(miles), Goal("path-length"), rulings)
    assert (line.label, line.points) == ("Goal: length of the longest path", points)
    assert line.because == f"The longest path is {miles} miles long, {reached}."


# Habitats


HABITATS = {
    "score-habitats": [
        ("f f Br Br f", {}, {"Forest": 4, "Rock": 2}),
        (". f Br Br \n f . . .", {}, {"Forest": 2, "Rock": 2}),  # Not across a corner.
        ("NS1f0 Br Br", {}, {"Rock": 2}),
    ],
    "base-camp-squares": [("Bf Bw", {}, {"Forest": 1, "Wetland": 1}), ("r Br2 Br", {}, {"Rock": 5})],
    "habitat-largest": [
        ("EW1f EW1f EW1f Br Br EW1f4", {}, {"Forest": 4, "Rock": 2}),
        ("EW1f EW1f EW1f Br Br EW1f4", {"largest-habitat": "tiles"}, {"Forest": 3, "Rock": 2}),
        # Of equally large habitats, the one with more icons.
        ("EW1f EW1f Br Br f EW1f", {"largest-habitat": "tiles"}, {"Forest": 3, "Rock": 2}),
    ],
    "habitat-trails": [
        ("f EW1f Br Br", {}, {"Forest": 3, "Rock": 2}),
        ("f EW1f Br Br", {"trail-habitats": "no"}, {"Forest": 2, "Rock": 2}),
        ("r EW1r Br Br", {}, {"Rock": 5}),
        ("r EW1r Br Br", {"trail-habitats": "no"}, {"Rock": 2}),
    ],
    "habitat-bare": [
        ("r camp Br Br", {}, {"Rock": 2}),
        ("r fall Br Br", {}, {"Rock": 2}),
        ("r lake Br Br", {}, {"Rock": 2}),
    ],
}


@run_all_rows("text, rulings, points", case_params(HABITATS))
def test_largest_habitat_of_each_terrain_scores_its_icons(text, rulings, points):
    assert {line.label: line.points for line in category_lines("habitats", text, rulings=rulings)} == points


# Lakes, tents, animals


POINTS_EACH = {
    "score-lakes": [
        ("lake EW1f Br Br EW1f lake", "lakes", "2 lakes", 4, "2 points each."),
        ("lake Br Br", "lakes", "1 lake", 2, "2 points each."),
    ],
    "score-tents": [
        ("camp EW3f EW3f Br Br", "tents", "1 tent", 8, "8 points each."),
        ("camp EW3f EW3f Br Br EW3f EW3f camp", "tents", "2 tents", 16, "8 points each."),
    ],
}


@run_all_rows("text, category, label, points, because", case_params(POINTS_EACH))
def test_lakes_and_tents_score_each(text, category, label, points, because):
    (line,) = category_lines(category, text)
    assert (line.label, line.points, line.because) == (label, points, because)
    kind = {"lakes": "lake", "tents": "campsite"}[category]
    assert line_cells(line) == {tile.cell for tile in parse_map(text) if tile.kind == kind}


HERD = (
    *parse_map("Br Br"),
    PlacedTile(2, 0, "terrain", "meadow", icons=2, animal="wolf"),
    PlacedTile(3, 0, "terrain", "meadow", icons=2, animal="wolf"),
    PlacedTile(4, 0, "terrain", "forest", icons=2, animal="bear"),
)


BEAR = ("Bear", 2, "On the map.", ("4,0",))
HERDS = {
    "score-animals": [(HERD[2:3], False, [("Wolf", 2, "On the map.", ("2,0",))]), (HERD[:2], False, [])],
    "animal-once": [(HERD, False, [BEAR, ("Wolf", 2, "2 on the map, each type scores once.", ("2,0",))])],
    "solo-animals": [(HERD, True, [BEAR, ("Wolf", 4, "2 on the map, 2 points each.", ("2,0", "3,0"))])],
}


@run_all_rows("tiles, solo, found", case_params(HERDS))
def test_each_kind_of_animal_scores_once_but_each_animal_in_a_solo_game(tiles, solo, found):
    assert [
        (line.label, line.points, line.because, line.marks) for line in category_lines("animals", tiles, solo=solo)
    ] == found


# The longest path

OPEN = "EW3f EW3f Br Br EW2f lake"


MILES = {
    "score-path": [
        (OPEN, {}, 2, "2 miles from the lake back to base camp."),
        ("lake EW3f NEW2f EW1f Br Br", {}, 3, "3 miles from the lake back to the fork."),
        ("lake EW2f camp EW3f EW3f Br Br", {}, 2, "2 miles from the lake back to the campsite."),
        ("lake EW1f Br Br", {}, 1, "1 mile from the lake back to base camp."),
    ],
    "path-open": [
        (OPEN, {"path-without-lake": "yes"}, 6, "3 + 3 miles from its open end back to base camp."),
        ("EW2f lake EW1f EW2f Br Br", {"path-without-lake": "yes"}, 3, "1 + 2 miles from the lake back to base camp."),
    ],
    "path-fork": [
        ("lake EW3f NEW2f EW1f Br Br", {"fork-miles": "yes"}, 5, "3 + 2 miles from the lake back to the fork."),
        ("lake NEW2f EW1f Br Br", {"fork-miles": "yes"}, 2, "2 miles from the lake back to the fork."),
    ],
}


@run_all_rows("text, rulings, miles, because", case_params(MILES))
def test_longest_path_scores_its_miles(text, rulings, miles, because):
    (line,) = category_lines("path", text, rulings=rulings)
    assert (line.points, line.because) == (miles, because)


NOT_JOINED = "No trail from a lake leads back to a fork, a campsite or base camp."
NO_PATH = {
    "score-path": [
        ("EW3f EW3f Br Br", NOT_JOINED),
        ("lake NEW3f EW1f Br Br", "There are 0 miles between the lake and the fork."),
        ("lake EW0f EW0f Br Br", "There are 0 miles between the lake and base camp."),
        ("camp EW3f EW3f Br Br", NOT_JOINED),
    ],
    "path-loose": [
        ("lake EW3f lake Br Br", NOT_JOINED),
        ("lake EW3f f Br Br", NOT_JOINED),
        ("lake EW3f lake EW3f f Br Br", NOT_JOINED),
        ("lake EW3f NEW1f EW3f f Br Br", NOT_JOINED),
    ],
}


@run_all_rows("text, because", case_params(NO_PATH))
def test_trails_without_a_path_score_zero_with_the_reason(text, because):
    assert [(line.points, line.because) for line in category_lines("path", text)] == [(0, because)]


def test_map_without_a_trail_has_no_path_line():
    assert category_lines("path", "Br Br") == []


MEETING = """
    ES2f  EW3f  lake  EW3f  SW1f
    NE1f  EW1f  Bf    Bf    NW2f
"""
SHARED_LAKE = {
    "path-shared": [
        ({}, 7, "3 + 2 + 1 + 1 miles from the lake back to base camp.", {(2, 0), (1, 0), (0, 0), (0, 1), (1, 1)}),
        (
            {"shared-lake": "joined"},
            13,
            "1 + 1 + 2 + 3 + 3 + 1 + 2 miles on two trails that end in one lake.",
            {(1, 1), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1)},
        ),
    ]
}


@pytest.mark.parametrize("rulings, miles, because, marks", case_params(SHARED_LAKE))
def test_two_trails_at_one_lake_are_joined_only_by_ruling(rulings, miles, because, marks):
    (line,) = category_lines("path", MEETING, rulings=rulings)
    assert (line.points, line.because, line_cells(line)) == (miles, because, marks)


FORK_AND_LAKE = """
    ES2f   lake
    NES1f  NW3f
    Br     Br
"""


@pytest.mark.parametrize(
    "text, rulings, miles",
    [
        ("lake EW3f Br Br EW2f lake", {}, 3),
        (FORK_AND_LAKE, {}, 5),
        (FORK_AND_LAKE, {"fork-miles": "yes"}, 4),
    ],
)
def test_only_trails_at_one_lake_without_shared_tiles_are_joined(text, rulings, miles):
    (line,) = category_lines("path", text, rulings={"shared-lake": "joined", **rulings})
    assert line.points == miles


# Goals

GOALS = parse_map("""
    .     m     .     NS1m  .
    lake  EW3f  EW3r  EW3f  SW1f  .     f
    .     .     w     w     Br    Br    fall  NS1f
    .     .     .     NS1r3 NS3m  .     m     .
    .     .     .     w     NS3r  .     .     .
    .     .     .     r     camp  NS1f  .     .
""")


CARDS = {
    "goal-habitat": [
        (
            Goal("habitat-icons", "wetland"),
            "Goal: icons in the largest wetland habitat",
            4,
            "4 icons, 1 point each.",
            {(2, 2), (3, 2)},
        ),
        (
            Goal("habitat-icons", "meadow"),
            "Goal: icons in the largest meadow habitat",
            2,
            "2 icons, 1 point each.",
            None,
        ),
    ],
    "goal-path": [
        (
            Goal("path-icons", "forest"),
            "Goal: forest icons on the longest path",
            3,
            "3 icons, 1 point each.",
            {(1, 1), (3, 1), (4, 1)},
        ),
        (
            Goal("path-icons", "wetland"),
            "Goal: wetland icons on the longest path",
            0,
            "No icons.",
            set(),
        ),
    ],
    "goal-tents": [
        (
            Goal("tent-icons", "rock"),
            "Goal: rock icons around tents",
            3,
            "3 icons, 1 point each.",
            {(3, 5), (4, 4)},
        ),
    ],
    "goal-waterfalls": [
        (
            Goal("waterfall-icons", "forest"),
            "Goal: forest icons around waterfalls",
            3,
            "3 icons, 1 point each.",
            {(6, 1), (7, 2)},
        ),
    ],
    "goal-any": [
        (
            Goal("tent-icons", "any"),
            "Goal: icons around tents",
            6,
            "6 icons, 1 point each.",
            {(3, 5), (4, 4), (5, 5), (3, 4)},
        ),
        (
            Goal("waterfall-icons", "any"),
            "Goal: icons around waterfalls",
            6,
            "6 icons, 1 point each.",
            {(6, 1), (7, 2), (5, 2), (6, 3)},
        ),
    ],
    "goal-length": [
        (
            Goal("path-length"),
            "Goal: length of the longest path",
            0,
            "The longest path is 10 miles long, less than 15.",
            {(1, 1), (2, 1), (3, 1), (4, 1)},
        ),
    ],
}


@run_all_rows(
    "goal, label, points, because, marks, rule",
    [(*case, rule) for rule, _, case in rule_cases.iterate_cases(BOX, CARDS)],
)
def test_goal_scores_by_its_card(goal, label, points, because, marks, rule):
    (line,) = category_lines("goal", GOALS, goal)
    assert (line.label, line.points, line.because) == (label, points, because)
    assert rule in [each.id for each in line.rules]
    assert marks is None or line_cells(line) == marks


@pytest.mark.parametrize("terrain, points", case_params({"goal-tents": [("forest", 4)], "goal-any": [("any", 6)]}))
def test_icons_near_two_tents_count_once(terrain, points):
    (line,) = category_lines("goal", "camp NS1f4 camp \n Br Br .", Goal("tent-icons", terrain))
    assert line.points == points


TIED = "lake EW3f EW2r Br Br EW2m EW2m EW1m lake"


ADDED = "lake EW3f EW2m Br Br EW2m EW2m EW1m lake"
TIES = {
    "goal-path-tie": [
        (TIED, "forest", {}, 1, "1 icon."),
        (TIED, "meadow", {}, 3, "3 icons, 1 point each."),
        (TIED, "meadow", {"path-tie": "all"}, 3, "3 icons on 2 paths, 1 point each."),
        (ADDED, "meadow", {}, 3, "3 icons, 1 point each."),
        (ADDED, "meadow", {"path-tie": "all"}, 4, "4 icons on 2 paths, 1 point each."),
    ]
}


@run_all_rows("text, terrain, rulings, points, because", case_params(TIES))
def test_goal_counts_the_better_of_two_longest_paths_or_all_by_ruling(text, terrain, rulings, points, because):
    (line,) = category_lines("goal", text, Goal("path-icons", terrain), rulings)
    assert (line.points, line.because) == (points, because)


def test_path_line_shows_the_path_the_goal_counts():
    (path,) = category_lines("path", TIED, Goal("path-icons", "meadow"))
    assert line_cells(path) == {(5, 0), (6, 0), (7, 0), (8, 0)}
    (path,) = category_lines("path", TIED, Goal("path-icons", "forest"))
    assert line_cells(path) == {(0, 0), (1, 0), (2, 0)}


@pytest.mark.parametrize(
    "goal, labels", case_params({"score-goal": [(None, []), (Goal("tent-icons", "any"), ["Goal: icons around tents"])]})
)
def test_goal_scores_one_line_and_an_unknown_goal_none(goal, labels):
    assert [line.label for line in category_lines("goal", GOALS, goal)] == labels


# The sheet


def test_sheet_has_all_categories_in_the_order_of_the_score_pad():
    sheet = score_map(GOALS, Goal("path-length"))
    assert sheet.categories == (
        ("habitats", "Habitats"), ("waterfalls", "Waterfalls"), ("lakes", "Lakes"), ("tents", "Tents"),
        ("animals", "Animals"), ("path", "Longest path"), ("goal", "Goal"),
    )  # fmt: skip
    assert list(dict.fromkeys(line.category for line in sheet.columns[0].lines)) == [
        "habitats", "waterfalls", "lakes", "tents", "path", "goal",
    ]  # fmt: skip
    assert all(line.rules and line.because.endswith(".") for line in sheet.columns[0].lines)


TIED_GAMES = {
    "aim": [(("Br Br", "Br0 Br"), [1, 2], "Ana wins with 2 points.")],
    "score-total": [(("r Br Br", "Br Br", "lake EW3f Br Br"), [2, 3, 1], "Cy wins with 8 points.")],
    "tie-shared": [(("Br Br", "Br Br", "Br0 Br"), [1, 1, 3], "Ana and Bo share the victory with 2 points each.")],
}


@pytest.mark.parametrize("maps, ranks, result_text", case_params(TIED_GAMES))
def test_most_points_win_and_equal_scores_share_the_victory(maps, ranks, result_text):
    sheet = score(
        Final(tuple(FinalPlayer(name, parse_map(each)) for name, each in zip(("Ana", "Bo", "Cy"), maps, strict=False)))
    )
    assert [column.rank for column in sheet.columns] == ranks
    assert sheet.result_text == result_text
    assert sheet.decided_by == ("shared" if ranks.count(1) > 1 else "points")


def test_ruling_that_differs_from_the_default_is_on_the_sheet():
    assert score_map("Br Br").rulings == ()
    assert score_map("Br Br", rulings={"length-goal": "fifteen", "fork-miles": "no"}).rulings == (
        "How many points does the goal “length of the longest path” score at 20 miles? "
        "Fifteen points: 5 for 15 miles and 10 more for 20.",
    )


def test_misfit_is_a_warning_in_the_column():
    players = (
        FinalPlayer("Ana", parse_map("EW1f Br Br")),
        FinalPlayer("Bo", parse_map("Br Br")),
        FinalPlayer("Cy", counts=MADDIE),
    )
    assert [column.warnings for column in score(Final(players)).columns] == [
        ("Straight 1-mile forest trail just west of base camp: no lake at its west end.",),
        (),
        (),
    ]


RANKS = {
    "solo-ranks": [
        (0, ""),
        (84, ""),
        (85, "Weekend Wanderer"),
        (94, "Weekend Wanderer"),
        (95, "Pathfinder"),
        (104, "Pathfinder"),
        (105, "Trailblazer"),
        (114, "Trailblazer"),
        (115, "Peak Bagger"),
        (124, "Peak Bagger"),
        (125, "Mountain G.O.A.T."),
        (200, "Mountain G.O.A.T."),
    ]
}


@pytest.mark.parametrize("points, title", case_params(RANKS))
def test_solo_points_have_a_rank(points, title):
    assert solo_rank(points) == title


@pytest.mark.parametrize(
    "points, title, result_text",
    [
        (109, "Trailblazer", "Ana scores 109 points: Trailblazer."),
        (84, "", "Ana scores 84 points: ranks start at 85 points."),
        (125, "Mountain G.O.A.T.", "Ana scores 125 points: Mountain G.O.A.T."),
    ],
)
def test_solo_game_ends_with_its_rank(points, title, result_text):
    sheet = score(Final((FinalPlayer("Ana", counts=Counts(forest=points)),), solo=True))
    assert (sheet.columns[0].title, sheet.result_text, sheet.decided_by) == (title, result_text, "points")


def test_one_player_outside_the_solo_game_has_no_rank():
    sheet = score(Final((FinalPlayer("Ana", counts=MADDIE),)))
    assert (sheet.columns[0].title, sheet.result_text) == ("", "Ana wins with 109 points.")
