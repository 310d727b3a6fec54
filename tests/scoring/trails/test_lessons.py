"""TRAILS: which lessons of a first game a position or a step needs."""

import pytest
from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.trails.box import FIRST_GAME_SITES
from scoring.trails.lessons import LESSONS
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Exchange, Hike, Photograph, RollWildlife, Skip
from scoring.trails.moves.trail_setup import LaySites
from scoring.trails.setup import default_setup
from scoring.trails.state import (
    NO_CARD,
    TRAIL_END,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    KeepEight,
    LayTrail,
    MoveBear,
    MoveSun,
    RecyclingExchange,
    SiteAction,
    State,
    TakePhoto,
)
from scoring.trails.visibility import view
from tests.support.parametrize import run_all_rows
from tests.support.player_names import NAMES
from tests.support.trails_table import (
    ALL_NIGHT_SUN,
    ANA,
    BIRD,
    BO,
    FINAL_SUN,
    TRACKED_GAME,
    earn_from_hand,
    finished_state,
    make_state,
    state_after,
    state_with_hand,
    with_badges_earned,
    with_photos,
)

OVER_EXCHANGE = 5  # spaces the Sun has moved, with two players
VISIT, VISIT_TRAIL_END = EarnBadges("trailhead"), EarnBadges("trail-end")
SUN_BONUS = (VISIT_TRAIL_END, MoveSun())
NO_CUBES = (0, 0, 0)


def decision_ids(state: State, seat: int = ANA) -> set[str]:
    """Return the lessons about what a seat may decide now."""
    assert seat in TRACKED_GAME.flow.to_move(state)
    return set(LESSONS.decisions(view(state, seat), seat))


def event_ids(state: State, move: Move, seat: int = ANA) -> set[str]:
    """Return the lessons about what a seat meets when the player to move makes a move."""
    after = state_after(state, move)
    return set(LESSONS.events(view(state, seat), view(after, seat), seat))


def ana_on(space: int, *tasks, cubes=(1, 1, 1), **changes) -> State:
    """Return Ana on a space with these tasks left."""
    facing = -1 if space == TRAIL_END else 1
    return make_state(tasks=tasks, **changes).with_player(ANA, space=space, facing=facing, cubes=cubes)


def ana_before(space: int, *, cubes=(1, 1, 1), facing: int = 1, **changes) -> State:
    """Return Ana one tile before a space; she can earn no badge there."""
    state = make_state(**changes).with_player(ANA, space=space - facing, facing=facing, cubes=cubes, hand=NO_CARD)
    return with_badges_earned(state)


HIKES = [
    (make_state(), {"hike", "trail-end"}),
    (make_state(4), {"hike", "trailhead"}),
    (make_state().with_player(ANA, space=2), {"hike", "facing", "trail-end"}),
    (make_state().with_player(ANA, space=3, canteen=False), {"hike", "facing"}),
    (make_state().with_player(ANA, space=4, canteen=False), {"hike", "facing", "trail-end"}),
    (make_state().with_player(ANA, space=3, facing=-1, canteen=False), {"hike", "facing"}),
    (make_state().with_player(ANA, space=2, facing=-1, canteen=False), {"hike", "facing", "trailhead"}),
    (make_state().with_player(ANA, cubes=(6, 0, 0)), {"hike", "trail-end"}),
    (make_state().with_player(ANA, cubes=(7, 0, 0)), {"hike", "near-eight", "trail-end"}),
    (make_state(sun=FINAL_SUN), {"hike", "trail-end"}),
    (make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0), {"hike", "last-turn"}),
    (make_state(sun=FINAL_SUN, sun_holder=BO, turns_left=0).with_player(ANA, space=5), {"hike", "facing", "last-turn"}),
    (make_state(tasks=(LayTrail(),), sites_laid=0), set()),
]
BEAR = [
    (ana_on(3, MoveBear()), {"bear"}),
    (ana_on(3, SiteAction("acorn"), MoveBear()), {"bear"}),
    (ana_on(4, BearEncounter("photo"), bear="photo"), {"bear", "photo"}),
    (ana_on(4, BearEncounter("photo"), bear="photo", sun=ALL_NIGHT_SUN), {"bear", "photo-free"}),
    # Without a resource, or without a photo, only the bear is left to choose.
    (ana_on(4, BearEncounter("photo"), bear="photo", cubes=NO_CUBES), {"bear"}),
    (ana_on(4, BearEncounter("photo"), bear="photo", photo_deck=0), {"bear"}),
    (ana_on(1, BearEncounter("exchange"), bear="exchange", cubes=NO_CUBES), {"bear"}),
    (ana_on(1, BothSites("exchange", "photo"), bear="photo"), {"exchange-day", "photo"}),
    (ana_on(3, BothSites("acorn", "exchange"), bear="exchange"), {"exchange-day"}),
    (ana_on(6, *SUN_BONUS, MoveBear()), {"bear-bonus", "trail-end"}),
    (ana_on(0, VISIT, MoveBear(is_optional=True)), {"bear-bonus", "bonus"}),
]
SITES = [
    (ana_on(1, SiteAction("exchange")), {"exchange-day"}),
    (ana_on(1, SiteAction("exchange"), sun=ALL_NIGHT_SUN), {"exchange-night"}),
    (ana_on(4, SiteAction("photo")), {"photo"}),
    (ana_on(4, SiteAction("photo"), sun=ALL_NIGHT_SUN, cubes=NO_CUBES), {"photo-free"}),
    (ana_on(4, SiteAction("photo"), photo_discard=1), {"photo", "photo-up"}),
    # A single card left in the deck is drawn alone, unless the discard pile is flipped for a second one.
    (ana_on(4, SiteAction("photo"), photo_deck=1), set()),
    (ana_on(4, SiteAction("photo"), photo_deck=1, photo_discard=2), {"photo", "photo-up"}),
    (
        ana_on(4, SiteAction("photo"), photo_deck=1, photo_discard=2, rulings={"short-photo-deck": "one-card"}),
        {"photo-up"},
    ),
]
ENDS = [
    (ana_on(0, VISIT), {"trailhead", "earn"}),
    (ana_on(6, VISIT_TRAIL_END), {"trail-end", "earn"}),
    (ana_on(6, VISIT_TRAIL_END, sun=FINAL_SUN, sun_holder=BO, turns_left=0), {"earn"}),
    (ana_on(6, *SUN_BONUS, SiteAction("exchange"), sun=OVER_EXCHANGE), {"trail-end", "sun-site", "exchange-day"}),
    # The bear that the Sun brought has moved to a site; the Sun is above an icon.
    (ana_on(6, *SUN_BONUS, SiteAction("exchange"), bear="exchange"), {"trail-end", "exchange-day"}),
    (ana_on(6, VISIT_TRAIL_END, TakePhoto(), sun=FINAL_SUN, sun_holder=ANA, turns_left=1), {"sun-mine", "photo-free"}),
    (ana_on(6, VISIT_TRAIL_END, sun=FINAL_SUN, sun_holder=ANA, turns_left=1), {"earn"}),
    (ana_on(0, VISIT, TakePhoto("photography")), {"bonus", "photo-free"}),
    (ana_on(0, VISIT, ChooseResource()), {"bonus"}),
    (ana_on(0, VISIT, RecyclingExchange()), {"bonus"}),
    (ana_on(6, VISIT_TRAIL_END, EarnFreeBadge("trail-end")), {"bonus"}),
    (ana_on(0, VISIT, SiteAction("exchange"), bear="exchange"), {"bonus", "exchange-day"}),  # a Seeker’s bear
    (ana_on(6, KeepEight(), cubes=(9, 0, 0)), set()),  # the prompt says it all
]
GAME_END = [
    (with_photos(finished_state(), ANA, None).with_player(ANA, revealed=False), set()),
    (with_photos(finished_state(), ANA, BIRD, None).with_player(ANA, revealed=False), set()),
]


@pytest.mark.parametrize(
    "cases", [HIKES, BEAR, SITES, ENDS, GAME_END], ids=["hikes", "bear", "sites", "ends", "game_end"]
)
def test_decision_of_a_position_yields_its_lessons(cases):
    assert [decision_ids(state) for state, _ in cases] == [expected for _, expected in cases]


@run_all_rows(
    "state, moves, expected",
    [
        (ana_before(3), [Hike(1)], {"bear"}),
        (ana_before(1, facing=-1, bear="exchange"), [Hike(1), RollWildlife("rock", "rock")], {"exchange-day"}),
        (ana_before(6), [Hike(1)], {"bear-bonus", "trail-end"}),
        (ana_before(6, sun=FINAL_SUN), [Hike(1)], {"sun-mine", "photo-free"}),
        (
            state_with_hand("sunshine-acorn", (3, 2, 0), sun=OVER_EXCHANGE),
            [earn_from_hand("sunshine-acorn")],
            {"hike", "trail-end"},
        ),
        (
            state_with_hand("sunshine-acorn", (4, 2, 0), sun=OVER_EXCHANGE),
            [earn_from_hand("sunshine-acorn")],
            {"bonus", "exchange-day"},
        ),
    ],
)
def test_decision_after_moves_yields_its_lessons(state, moves, expected):
    after = state_after(state, *moves)
    assert decision_ids(after, after.turn) == expected


AT_PHOTO = ana_on(4, SiteAction("photo"))
EARNING = state_with_hand("science", (2, 3, 1))
HAND_EARNED = {"first-badge", "hand-earned"}


@run_all_rows(
    "state, move, expected",
    [
        # Arrivals, even if no decision is left there
        (ana_before(0, facing=-1), Hike(1), {"trailhead"}),
        (ana_before(6, sun=1), Hike(1), {"trail-end", "night"}),
        (ana_before(6, sun=2), Hike(1), {"trail-end"}),  # the Sun moves after the photo
        (ana_before(6, sun=FINAL_SUN), Hike(1), set()),
        (ana_before(6, sun=FINAL_SUN, sun_holder=BO, turns_left=0), Hike(1), set()),
        (ana_before(2), Hike(1), set()),
        # The canteen
        (make_state(), Hike(4, canteen=True), {"canteen"}),
        (make_state(), Hike(2), set()),
        (ana_before(2, facing=-1), Hike(3, canteen=True), {"trailhead"}),
        # Sites where there is nothing to pay with
        (ana_before(1, facing=-1, cubes=NO_CUBES), Hike(1), {"nothing"}),
        (ana_before(4, cubes=NO_CUBES), Hike(1), {"nothing"}),
        (ana_before(4, cubes=NO_CUBES, sun=ALL_NIGHT_SUN), Hike(1), set()),
        (ana_before(4, cubes=NO_CUBES, bear="photo"), Hike(1), set()),
        (ana_before(2, cubes=NO_CUBES), Hike(1), set()),
        (ana_before(4), Hike(1), set()),
        # The Sun
        (ana_on(6, *SUN_BONUS, SiteAction("exchange"), sun=OVER_EXCHANGE), Skip(), {"night"}),
        (ana_on(6, *SUN_BONUS, MoveBear(), sun=ALL_NIGHT_SUN), RollWildlife("leaf", "leaf"), {"sun-last"}),
        (ana_on(6, *SUN_BONUS, MoveBear()), RollWildlife("leaf", "leaf"), set()),
        # Photos
        (AT_PHOTO, Photograph(pay="leaf"), {"photos"}),
        (AT_PHOTO, Skip(), set()),
        (ana_on(1, SiteAction("exchange")), Exchange("acorn", "leaf"), set()),
        # Badges
        (EARNING, earn_from_hand("science"), HAND_EARNED),
        (EARNING.with_player(ANA, cubes=(1, 1, 1)), earn_from_hand("science"), HAND_EARNED),  # the turn ends
        (EARNING.with_player(ANA, cubes=(1, 1, 1), hand=None), earn_from_hand("science"), HAND_EARNED),
        (replace(EARNING, trailhead=("collector-leaf", NO_CARD)), EarnBadge("collector-leaf"), {"first-badge"}),
        (replace(EARNING, trailhead=("science", NO_CARD)), EarnBadge("science"), {"first-badge"}),
        (
            replace(EARNING, sun=FINAL_SUN, sun_holder=BO, turns_left=0),  # no new badge is drawn in the last turn
            earn_from_hand("science"),
            {"first-badge"},
        ),
        (with_badges_earned(EARNING), earn_from_hand("science"), {"first-badge"}),
    ],
)
def test_step_of_a_player_yields_its_lessons(state, move, expected):
    assert event_ids(state, move) == expected


@run_all_rows(
    "state, move, expected",
    [
        (ana_before(0, facing=-1), Hike(1), set()),
        (ana_before(6, sun=1), Hike(1), {"night"}),
        (ana_on(6, *SUN_BONUS, MoveBear(), sun=ALL_NIGHT_SUN), RollWildlife("leaf", "leaf"), {"sun-last"}),
        (AT_PHOTO, Photograph(pay="leaf"), set()),
        (EARNING, earn_from_hand("science"), set()),
    ],
)
def test_step_of_another_player_yields_only_lessons_about_the_sun(state, move, expected):
    assert event_ids(state, move, BO) == expected


def values_of(count: int) -> dict[str, object]:
    """Return the values in the texts of the setup for a number of players."""
    return LESSONS.setup_values(default_setup(list(NAMES[:count])))


def test_setup_values_name_the_icons_for_the_number_of_players():
    few = ("a bear", "a photo and a bear")
    four = ("1 leaf, 1 acorn and 1 rock", "a photo, 2 rocks, 2 acorns and 2 leaves")
    for count, icons in ((2, few), (3, few), (4, four)):
        values = values_of(count)
        assert (values["players"], values["trail_end"], values["trailhead"]) == (count, *icons)


def test_setup_values_name_the_hiker_of_each_player():
    assert values_of(2)["hikers"] == f"{NAMES[0]} brown and {NAMES[1]} green"
    assert values_of(4)["hikers"] == f"{NAMES[0]} brown, {NAMES[1]} green, {NAMES[2]} gray and {NAMES[3]} white"


def test_setup_of_four_players_has_hikers_at_both_ends():
    last_steps = {
        count: LESSONS.setup_steps(default_setup(list(NAMES[:count])))[-1].id
        for count in TRACKED_GAME.box.player_counts
    }
    assert last_steps == {2: "start-trailhead", 3: "start-trailhead", 4: "start-both-ends"}


def test_sites_are_a_gap_of_the_setup_until_they_are_entered():
    state = TRACKED_GAME.initial_state(default_setup(list(NAMES[:3])))
    assert LESSONS.setup_gaps(view(state, None)) == {"sites": (0, 1, 2)}
    state = TRACKED_GAME.play(state, BO, LaySites(FIRST_GAME_SITES))
    assert LESSONS.setup_gaps(view(state, None)) == {"sites": ()}
