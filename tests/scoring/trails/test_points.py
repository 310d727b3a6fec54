"""TRAILS: points of everything at the end, with the reasons."""

import pytest

from scoring.kernel.sheet import Line, Sheet
from scoring.trails.rules import RULES
from scoring.trails.state import Photo
from tests.support.parametrize import run_all_rows
from tests.support.trails_table import (
    ANA,
    BIRD,
    NO_PHOTO,
    TRACKED_GAME,
    TWO_BIRDS,
    case_params,
    finished_state,
    sheet,
    validate_state,
    with_photos,
)


def find_line(sheet: Sheet, label: str, player: int = 0) -> Line:
    """Return the one line of a player's column with this label."""
    (found,) = [line for line in sheet.columns[player].lines if line.label == label]
    return found


SIX_BIRDS = [TWO_BIRDS, TWO_BIRDS, TWO_BIRDS]


def test_worked_example_of_the_guide_comes_to_33_points():
    scored = sheet(
        (
            ["observer-leaf", "seeker-rock", "photography-rock", "climber-rock", "collector-rock", "rappelling-rock"],
            [BIRD, BIRD],
        ),
        (["birdwatching-leaf"], []),
    )
    assert [(line.label, line.points) for line in scored.columns[0].lines] == [
        ("Observer (leaf)", 4),
        ("Seeker (rock)", 2),
        ("Photography (rock)", 4),
        ("Climber (rock)", 6),
        ("Collector (rock)", 5),
        ("Rappelling (rock)", 6),
        ("2 photos", 2),
        ("Bird Trophy", 4),
    ]
    assert scored.columns[0].total == 33
    assert scored.decided_by == "points"
    assert scored.result_text == "Ana wins with 33 points."


# (Ana's badges, line, points, reason, rules cited); Bo has seen six birds
BADGE_LINES = {
    "badge-worth": [
        (["climber-leaf"], "Climber (leaf)", 6, "6 points printed on the badge.", ["climber"]),
        (["astronomy-acorn"], "Astronomy (acorn)", 1, "1 point printed on the badge.", ["astronomy"]),
        (["first-aid-rock"], "First Aid (rock)", 1, "1 point printed on the badge.", ["first-aid"]),
        (["science", "science", "climber-leaf"], "Climber (leaf)", 6, "6 points printed on the badge.", ["climber"]),
    ],
    "science": [
        (["science"], "Science", 3, "3 points printed on the badge.", ["science"]),
        (
            ["collector-leaf", "climber-leaf", "science"],
            "Collector (leaf)",
            3,
            "3 leaf badges, including this one.",
            ["collector", "badge-types", "science"],
        ),
    ],
    "collector": [
        (["collector-leaf"], "Collector (leaf)", 1, "1 leaf badge, including this one.", ["collector", "badge-types"]),
        (
            ["collector-rock", "rappelling-rock", "research-rock", "observer-rock"],
            "Collector (rock)",
            4,
            "4 rock badges, including this one.",
            ["collector", "badge-types"],
        ),
    ],
    "badge-types": [
        (
            ["collector-leaf", "climber-leaf", "seeker-leaf", "shutterbug-leaf", "climber-rock"],
            "Collector (leaf)",
            4,
            "4 leaf badges, including this one.",
            ["collector", "badge-types"],
        ),
    ],
    "observer": [
        (
            ["observer-rock"],
            "Observer (rock)",
            2,
            "2 points printed on the badge. Another player has more birds.",
            ["observer"],
        )
    ],
    "rappelling": [
        (
            ["climber-rock", "rappelling-rock", "sunshine-leaf"],
            "Rappelling (rock)",
            6,
            "Copies Climber (rock), the highest of the other badges.",
            ["rappelling"],
        ),
        (
            ["rappelling-rock", "sunshine-leaf", "science"],
            "Rappelling (rock)",
            5,
            "Copies Sunshine (leaf), the highest of the other badges.",
            ["rappelling"],
        ),
    ],
    "rappelling-alone": [
        (
            ["rappelling-rock"],
            "Rappelling (rock)",
            0,
            "No other badge to copy.",
            ["rappelling", "rappelling-alone"],
        ),
    ],
}


@run_all_rows("badges, label, points, because, rules", case_params(BADGE_LINES))
def test_badge_scores_what_its_line_explains(badges, label, points, because, rules):
    found = find_line(sheet((badges, []), ([], SIX_BIRDS)), label)
    assert (found.points, found.because, [rule.id for rule in found.rules]) == (points, because, rules)


def test_each_science_counts_once_for_every_collector():
    scored = sheet((["collector-acorn", "collector-leaf", "collector-rock", *["science"] * 3], []), ([], []))
    assert [find_line(scored, f"Collector ({kind})").points for kind in ("acorn", "leaf", "rock")] == [4, 4, 4]
    assert scored.columns[0].total == 4 * 3 + 3 * 3


def test_seven_leaf_badges_make_rappelling_worth_seven_like_a_collector():
    leaves = ["climber-leaf", "seeker-leaf", "shutterbug-leaf", "research-leaf", "first-aid-leaf", "navigation-leaf"]
    badges = ["collector-leaf", *leaves, "rappelling-rock"]
    found = find_line(sheet((badges, []), ([], SIX_BIRDS)), "Rappelling (rock)")
    assert found.points == 7
    assert found.because == "Copies Collector (leaf), the highest of the other badges."
    assert [rule.id for rule in found.rules] == ["rappelling", "rappelling-collector"]


# (rulings, Ana's badges, her photos, points of her Rappelling with Bo's two birds)
RAPPELLING = {
    "rappelling-collector": [
        ({}, ["rappelling-rock", "collector-rock", "research-rock"], [], 3),
        ({"rappelling-collector": "nothing"}, ["rappelling-rock", "collector-rock", "research-rock"], [], 2),
        ({"rappelling-collector": "nothing"}, ["rappelling-rock", "collector-rock"], [], 0),
    ],
    "rappelling-observer": [
        ({}, ["rappelling-rock", "observer-leaf"], [BIRD], 4),
        ({}, ["rappelling-rock", "observer-leaf"], [TWO_BIRDS], 4),
        ({}, ["rappelling-rock", "observer-leaf"], [], 2),
        ({"rappelling-observer": "printed"}, ["rappelling-rock", "observer-leaf"], [BIRD], 2),
        ({"rappelling-observer": "printed"}, ["rappelling-rock", "observer-leaf", "cartography-leaf"], [BIRD], 3),
        ({}, ["rappelling-rock", "observer-leaf", "cartography-leaf"], [BIRD], 4),
        ({}, ["rappelling-rock", "observer-leaf", "photography-leaf"], [], 4),
    ],
}


@run_all_rows("rulings, badges, photos, points", case_params(RAPPELLING))
def test_rappelling_compares_by_ruling(rulings, badges, photos, points):
    scored = sheet((badges, photos), ([], [TWO_BIRDS]), rulings=rulings)
    assert find_line(scored, "Rappelling (rock)").points == points


# (Ana's photos, Bo's photos, points of Ana's Observer, reason)
OBSERVER = [
    ([], [], 4, "2 points printed on the badge, plus 2 points for the most birds."),
    ([], [BIRD], 4, "2 points printed on the badge, plus 2 points for the most birds."),  # Tied at one bird.
    ([], [TWO_BIRDS], 2, "2 points printed on the badge. Another player has more birds."),
    ([TWO_BIRDS], [TWO_BIRDS], 4, "2 points printed on the badge, plus 2 points for the most birds."),
]


@run_all_rows("photos, other_photos, points, because", OBSERVER)
def test_observer_scores_two_more_unless_others_saw_more_birds(photos, other_photos, points, because):
    found = find_line(sheet((["observer-acorn"], photos), ([], other_photos)), "Observer (acorn)")
    assert (found.points, found.because) == (points, because)


def test_every_observer_of_those_tied_for_the_most_birds_scores_two_more():
    scored = sheet((["observer-acorn", "observer-leaf"], []), (["observer-rock"], [BIRD]), ([], [BIRD]))
    assert [column.points_in("badges") for column in scored.columns] == [8, 4, 0]
    assert [column.points_in("bird-trophy") for column in scored.columns] == [4, 4, 0]


# (badges and photos of each player, rulings, Bird Trophy points of each)
TROPHIES = {
    "bird-trophy": [
        ([([], [TWO_BIRDS]), ([], [BIRD])], {}, [4, 0]),
        ([(["birdwatching-leaf"], [BIRD]), ([], [TWO_BIRDS])], {}, [4, 0]),
    ],
    "bird-trophy-tie": [
        ([([], [TWO_BIRDS]), (["birdwatching-leaf"], [])], {}, [4, 4]),
        ([(["seeker-leaf"], []), (["observer-leaf"], []), ([], [])], {}, [4, 4, 0]),
    ],
    "no-birds": [
        ([([], []), ([], [])], {}, [0, 0]),
        ([([], [NO_PHOTO]), (["climber-leaf"], [])], {}, [0, 0]),
        ([([], [NO_PHOTO]), (["climber-leaf"], [])], {"zero-birds": "nobody"}, [0, 0]),
        ([([], [NO_PHOTO]), (["climber-leaf"], [])], {"zero-birds": "everyone"}, [4, 4]),
        ([([], [BIRD]), ([], []), ([], [])], {"zero-birds": "everyone"}, [4, 0, 0]),
    ],
}


@pytest.mark.parametrize("players, rulings, points", case_params(TROPHIES))
def test_bird_trophy_goes_to_the_players_with_the_most_birds(players, rulings, points):
    assert [column.points_in("bird-trophy") for column in sheet(*players, rulings=rulings).columns] == points


@pytest.mark.parametrize(
    "players, rulings, because, rules",
    [
        ([([], [TWO_BIRDS]), ([], [BIRD])], {}, "2 birds, the most.", ["bird-trophy"]),
        ([([], [BIRD]), ([], [])], {}, "1 bird, the most.", ["bird-trophy"]),
        (
            [([], [BIRD]), ([], [BIRD])],
            {},
            "1 bird, tied for the most. Each tied player scores 4 points.",
            ["bird-trophy", "bird-trophy-tie"],
        ),
        (
            [([], []), ([], [])],
            {"zero-birds": "everyone"},
            "0 birds, tied for the most. Each tied player scores 4 points.",
            ["bird-trophy", "bird-trophy-tie", "no-birds"],
        ),
    ],
)
def test_bird_trophy_line_has_its_reason(players, rulings, because, rules):
    found = find_line(sheet(*players, rulings=rulings), "Bird Trophy")
    assert (found.because, [rule.id for rule in found.rules]) == (because, rules)


PHOTOS = {
    "score-photos": [
        ([Photo(2, 0)], "1 photo", 2, "2."),
        ([Photo(2, 0), BIRD, TWO_BIRDS], "3 photos", 3, "2 + 1 + 0."),
        ([NO_PHOTO], "1 photo", 0, "0."),
    ],
}


@pytest.mark.parametrize("photos, label, points, because", case_params(PHOTOS))
def test_photos_score_their_points(photos, label, points, because):
    found = find_line(sheet(([], photos), ([], [])), label)
    assert (found.points, found.because, found.rules) == (points, because, (RULES["score-photos"],))


def test_player_with_nothing_has_no_line_and_no_points():
    scored = sheet(([], []), (["climber-leaf"], []))
    assert scored.columns[0].lines == ()
    assert scored.columns[0].total == 0


def test_ruling_that_differs_from_the_default_is_on_the_sheet():
    assert sheet(([], []), ([], []), rulings={"zero-birds": "nobody"}).rulings == ()
    assert sheet(([], []), ([], []), rulings={"zero-birds": "everyone"}).rulings == (
        "Who gets the Bird Trophy if no one has a bird? Everyone. All are tied for the most, so each scores 4 points.",
    )


def test_line_marks_its_badge():
    assert find_line(sheet((["climber-leaf"], []), ([], [])), "Climber (leaf)").marks == ("climber-leaf",)


# (Ana's badges, the badge in her hand, her photos, her points for badges, photos and the Bird Trophy)
SCORED = {
    "score-badges": [
        (["climber-leaf", "science"], "climber-rock", [], (9, 0, 0)),
        ([], "climber-rock", [], (0, 0, 0)),
    ],
    "score-total": [
        (["climber-leaf", "seeker-rock"], "science", [Photo(2, 0), BIRD], (8, 3, 4)),
        (["climber-leaf"], "science", [Photo(2, 0)], (6, 2, 0)),
    ],
}


@run_all_rows("badges, hand, photos, scored", case_params(SCORED))
def test_score_is_badges_photos_and_the_trophy_without_the_hand(badges, hand, photos, scored):
    state = with_photos(finished_state(trailhead=(None, None), trail_end=(None, None)), ANA, *photos)
    state = validate_state(
        TRACKED_GAME.flow.resolve_forced_steps(state.with_player(ANA, badges=tuple(badges), hand=hand))
    )
    column = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state)).columns[ANA]
    assert tuple(column.points_in(category) for category in ("badges", "photos", "bird-trophy")) == scored
    assert column.total == sum(scored)
