"""TRAILS: contents of the box, and valid setups."""

import tomllib
from collections import Counter

import pytest
from msgspec.structs import replace

from companion.system.paths import CHECKOUT
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.trails import TRACKED_GAME
from scoring.trails.box import (
    BADGES,
    DIE,
    FIRST_GAME_SITES,
    HIKERS,
    PHOTOS_IN_BOX,
    RESOURCES_OF_EACH,
    SITES,
    SUN_TRACKS,
)
from scoring.trails.rules import RULES
from scoring.trails.setup import default_setup
from scoring.trails.state import PlayerSetup, SunTrack
from tests.support.parametrize import run_all_rows
from tests.support.rule_cases import iterate_cases
from tests.support.trails_table import ANA, BO, CY, DI, NAMES, case_params

BOX = tomllib.loads((CHECKOUT / "scoring" / "trails" / "box.toml").read_text(encoding="utf-8"))
DECK = [badge for badge in BADGES.values() for _ in range(badge.copies)]
CONFIDENCES = {"printed", "copies", "copy", "reviewer", "inferred"}


# Badges


def test_the_deck_has_42_badges_of_40_kinds():
    assert (len(DECK), len(BADGES)) == (42, 40)
    assert BOX["components"]["badge_cards"] == 42


def test_there_are_13_badges_of_each_type_and_3_of_all_types():
    assert Counter(badge.type for badge in DECK) == {"acorn": 13, "leaf": 13, "rock": 13, "all": 3}


def test_only_science_has_more_than_one_copy():
    assert {badge.id: badge.copies for badge in BADGES.values() if badge.copies != 1} == {"science": 3}


def test_whole_deck_costs_the_same_of_each_resource():
    assert [sum(badge.cost[kind] for badge in DECK) for kind in range(3)] == [52, 52, 52]


def test_13_badge_names_have_all_types_and_three_have_one():
    types = {name: sorted(badge.type for badge in BADGES.values() if badge.name == name) for name in BY_NAME}
    every = ["acorn", "leaf", "rock"]
    single = {"Astronomy": ["acorn"], "Rappelling": ["rock"], "Shutterbug": ["leaf"], "Science": ["all"]}
    assert types == {name: single.get(name, every) for name in BY_NAME}


# By name: points, birds, and number of cubes it costs.
BY_NAME = {
    "Astronomy": (1, 0, 4),
    "Birdwatching": (3, 2, 4),
    "Cartography": (3, 0, 4),
    "Climber": (6, 0, 5),
    "Collector": (0, 0, 3),
    "First Aid": (1, 0, 2),
    "Navigation": (3, 0, 4),
    "Observer": (2, 1, 3),
    "Photography": (4, 0, 5),
    "Rappelling": (0, 0, 4),
    "Recycling": (4, 0, 4),
    "Research": (2, 0, 3),
    "Science": (3, 0, 3),
    "Seeker": (2, 1, 3),
    "Shutterbug": (2, 0, 4),
    "Sunshine": (5, 0, 5),
}


@run_all_rows("badge", BADGES.values(), ids=lambda badge: badge.id)
def test_badge_has_the_points_birds_and_cost_of_its_name(badge):
    assert (badge.points, badge.birds, sum(badge.cost)) == BY_NAME[badge.name]


@run_all_rows("badge", BADGES.values(), ids=lambda badge: badge.id)
def test_badge_id_and_title_follow_its_name_and_type(badge):
    slug = badge.name.lower().replace(" ", "-")
    assert badge.id in (f"{slug}-{badge.type}", slug)
    assert badge.title in (f"{badge.name} ({badge.type})", badge.name)
    assert (BADGES["science"].id, BADGES["science"].title) == ("science", "Science")


@run_all_rows("badge", [badge for badge in BADGES.values() if badge.type != "all"], ids=lambda badge: badge.id)
def test_badge_costs_most_of_its_own_type(badge):
    own = badge.cost[("acorn", "leaf", "rock").index(badge.type)]
    assert own == max(badge.cost) > sorted(badge.cost)[1]


@run_all_rows(
    "id, cost, gains",
    [
        ("cartography-acorn", (3, 1, 0), (0, 0, 2)),
        ("cartography-leaf", (0, 3, 1), (2, 0, 0)),
        ("cartography-rock", (1, 0, 3), (0, 2, 0)),
        ("navigation-acorn", (3, 0, 1), (0, 2, 0)),
        ("navigation-leaf", (1, 3, 0), (0, 0, 2)),
        ("navigation-rock", (0, 1, 3), (2, 0, 0)),
        ("birdwatching-leaf", (1, 2, 1), (0, 0, 0)),
        ("photography-acorn", (3, 0, 2), (0, 0, 0)),
        ("sunshine-rock", (2, 0, 3), (0, 0, 0)),
        ("science", (1, 1, 1), (0, 0, 0)),
    ],
)
def test_badge_has_its_printed_cost_and_gains(id, cost, gains):
    assert (BADGES[id].cost, BADGES[id].gains) == (cost, gains)


def test_cartography_and_navigation_give_two_of_the_kind_they_do_not_cost():
    giving = {badge.name for badge in BADGES.values() if any(badge.gains)}
    assert giving == {"Cartography", "Navigation"}
    for badge in BADGES.values():
        assert all(cost == 0 or gain == 0 for cost, gain in zip(badge.cost, badge.gains, strict=True))


def test_science_counts_as_every_type_and_others_only_as_their_own():
    assert all(BADGES["science"].counts_as(type) for type in ("acorn", "leaf", "rock"))
    assert [BADGES["climber-leaf"].counts_as(type) for type in ("acorn", "leaf", "rock")] == [False, True, False]


# Everything else


def test_box_has_15_cubes_of_each_kind_and_32_photos():
    assert (RESOURCES_OF_EACH, PHOTOS_IN_BOX) == (15, 32)


def test_first_game_has_the_recommended_order_of_sites():
    assert sorted(FIRST_GAME_SITES) == sorted(SITES) == ["acorn", "exchange", "leaf", "photo", "rock"]
    assert FIRST_GAME_SITES == ("exchange", "leaf", "acorn", "photo", "rock")


def test_die_has_a_face_for_each_site_and_a_bear():
    assert sorted(DIE) == sorted([*SITES, "bear"])


def test_there_are_four_hikers():
    assert len(set(HIKERS)) == 4


@pytest.mark.parametrize(
    "players, trail_end, trailhead",
    [
        (2, ("wildlife",), ("photo", "wildlife")),
        (3, ("wildlife",), ("photo", "wildlife")),
        (4, ("1 leaf", "1 acorn", "1 rock"), ("photo", "2 rock", "2 acorn", "2 leaf")),
    ],
)
def test_sun_track_depends_on_the_number_of_players(players, trail_end, trailhead):
    assert SUN_TRACKS[players] == (trail_end, trailhead)


def test_sun_track_exists_for_every_number_of_players():
    assert set(SUN_TRACKS) == set(TRACKED_GAME.box.player_counts) == {2, 3, 4}


def test_every_fact_of_the_box_has_a_source_and_a_confidence():
    for section in [*(BOX[name] for name in BOX if name != "sun_tracks"), *BOX["sun_tracks"]]:
        assert section["source"]
        assert section.get("confidence", "copy") in CONFIDENCES
    assert {badge.confidence for badge in BADGES.values()} <= CONFIDENCES


# Setup


# (players, seat, expected values before the first turn)
FIRST = {
    "setup-resources": [(2, ANA, {"cubes": (1, 1, 1)}), (4, DI, {"cubes": (1, 1, 1), "badges": (), "photos": ()})],
    "setup-canteen": [(2, BO, {"canteen": True}), (4, ANA, {"canteen": True})],
    "setup-bear": [(2, ANA, {"bear": "acorn"}), (4, ANA, {"bear": "acorn"})],
    "setup-sun": [(2, ANA, {"sun": 0, "under_sun": "wildlife"}), (4, ANA, {"sun": 0, "under_sun": "1 rock"})],
    "setup-first-game": [(3, ANA, {"sites": ("exchange", "leaf", "acorn", "photo", "rock")})],
    "setup-hikers-few": [
        (2, ANA, {"space": 0, "facing": 1}),
        (2, BO, {"space": 0, "facing": 1}),
        (3, CY, {"space": 0, "facing": 1}),
    ],
    "setup-hikers-four": [
        (4, ANA, {"space": 6, "facing": -1}),
        (4, BO, {"space": 6, "facing": -1}),
        (4, CY, {"space": 0, "facing": 1}),
        (4, DI, {"space": 0, "facing": 1}),
    ],
    "setup-badges": [(2, ANA, {"trailhead": (None, None), "trail_end": (None, None), "badge_deck": 36})],
    "setup-hand": [(4, DI, {"hand": None, "badge_deck": 34})],
    "setup-day": [(2, ANA, {"nights": 0}), (4, ANA, {"nights": 0})],
    "photo-count": [(2, ANA, {"photo_deck": 32, "photo_discard": 0})],
    "turn-order": [(4, ANA, {"turn": ANA})],
}


@run_all_rows("count, seat, expected", case_params(FIRST))
def test_table_starts_by_its_rule(count, seat, expected):
    state = TRACKED_GAME.initial_state(default_setup(list(NAMES[:count])))
    player = state.players[seat]
    assert {name: getattr(player if hasattr(player, name) else state, name) for name in expected} == expected


def test_bear_starts_on_the_third_site():
    setup = replace(default_setup(["Ana", "Bo"]), sites=("rock", "leaf", "photo", "acorn", "exchange"))
    assert TRACKED_GAME.initial_state(setup).bear == "photo"


SETUP = default_setup(["Ana", "Bo"])


def setup_with_players(*people: tuple[str, str]):
    return replace(SETUP, players=tuple(PlayerSetup(name, hiker) for name, hiker in people))


def setup_with_track(trail_end: tuple[str, ...], trailhead: tuple[str, ...]):
    return replace(SETUP, track=SunTrack(trail_end, trailhead))


FOUR_FOR_TWO = setup_with_track(*SUN_TRACKS[4])
TWO_FOR_FOUR = replace(default_setup(list(NAMES)), track=SunTrack(*SUN_TRACKS[2]))

# (setup, code of the refusal)
REFUSED = {
    "players": [
        (setup_with_players(("Ana", "brown")), "player-count"),
        (setup_with_players(("Ana", "brown"), ("ana", "grey")), "same-name"),
        (setup_with_players(("", "brown"), ("Bo", "grey")), "name"),
        (setup_with_players((" Ana", "brown"), ("Bo", "grey")), "name-spaces"),
        (setup_with_players(("x" * 41, "brown"), ("Bo", "grey")), "name"),
        (setup_with_players(("A\nna", "brown"), ("Bo", "grey")), "name"),
    ],
    "setup-hiker": [
        (
            setup_with_players(*((name, hiker) for name, hiker in zip("abcde", [*HIKERS, "pink"], strict=True))),
            "no-such-hiker",
        ),
        (setup_with_players(("Ana", "brown"), ("Bo", "brown")), "hiker-taken"),
        (setup_with_players(("Ana", "brown"), ("Bo", "pink")), "no-such-hiker"),
    ],
    "setup-sites": [
        (replace(SETUP, sites=("acorn", "leaf", "rock", "exchange", "exchange")), "five-sites"),
        (replace(SETUP, sites=("acorn", "leaf", "rock", "exchange")), "five-sites"),
    ],
    "setup-track": [
        (setup_with_track(("wildlife",), ("wildlife", "photo")), "final-spot"),
        (setup_with_track(("wildlife",), ()), "final-spot"),
        (setup_with_track(("photo",), ("photo",)), "final-spot"),
        (setup_with_track((), ("photo",)), "track-length"),
        (setup_with_track(("wildlife",) * 7, ("photo",)), "track-length"),
        (FOUR_FOR_TWO, "other-side-up"),
        (setup_with_track(("1 leaf", "1 acorn", "1 rock"), ("photo", "wildlife")), "other-side-up"),
        (TWO_FOR_FOUR, "other-side-up"),
    ],
    "canteen-new-tile": [
        (replace(SETUP, rulings={"no-such": "yes"}), "no-ruling"),
    ],
    "no-birds": [
        (replace(SETUP, rulings={"zero-birds": "some"}), "no-option"),
    ],
}


@run_all_rows(
    "rule, setup, code",
    [
        pytest.param(rule, *case, id=f"{rule}-{number}")
        for rule, number, case in iterate_cases(TRACKED_GAME.box, REFUSED)
    ],
)
def test_impossible_setup_is_refused_by_its_rule(rule, setup, code):
    reasons = list(TRACKED_GAME.setup_format.check(setup))
    assert (code, RULES[rule]) in [(reason.code, reason.rule) for reason in reasons]
    assert all(reason.text[0].isupper() or reason.text[0] == "\u201c" for reason in reasons)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_default_setup_is_valid(count):
    assert list(TRACKED_GAME.setup_format.check(default_setup(["Ana", "Bo", "Cy", "Di"][:count]))) == []


def test_setup_is_read_from_plain_data():
    data = {
        "players": [{"name": "Ana", "hiker": "grey"}, {"name": "Bo", "hiker": "white"}],
        "sites": ["rock", "leaf", "photo", "acorn", "exchange"],
        "track": {"trail_end": ["wildlife"], "trailhead": ["photo", "2 leaf"]},
    }
    assert TRACKED_GAME.read_setup(data).track == SunTrack(("wildlife",), ("photo", "2 leaf"))
    with pytest.raises(InvalidInputError):
        TRACKED_GAME.read_setup({**data, "sites": ["rock", "moon"]})
    with pytest.raises(IllegalMoveError):
        TRACKED_GAME.read_setup({**data, "players": [{"name": "Ana", "hiker": "grey"}]})
