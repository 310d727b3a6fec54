"""PARKS texts: prompts, log lines and labels of buttons."""

import pytest

from scoring.kernel.editable import Increment
from scoring.parks import TRACKED_GAME
from scoring.parks.moves.corrections import EditPosition
from scoring.parks.moves.hiking import Hike, ReturnToken, Skip, TakeSide, UseExtra
from scoring.parks.moves.park_actions import BuyGear, DrawGear, Reserve, VisitPark
from scoring.parks.moves.reveals import NameGear, NameTile
from scoring.parks.moves.sites import FillCanteenRow, Roll, StowWater, SwapToken, TakeCanteen, TakePhoto, Trade
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import (
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    GainLater,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    ReturnTokens,
    RollForShutterbug,
    SeasonCount,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)
from scoring.parks.text import PlannedPark, SeasonStandings, planned_parks, season_result, season_standings
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    DIE,
    END_PARKS,
    FOREST,
    GEAR_SITE,
    PARKS_SITE,
    PHOTO,
    finished_state,
    make_state,
    token_counts,
    with_ana,
    with_changes,
    with_tasks,
)

SUN_COUNTS = SeasonCount("spring-sun", (3, 1))
OVER = finished_state()


def state_in_trail_setup(task: LayTrail | RollForShutterbug, **changes):
    """Return a state between two seasons.

    Two tiles are still to be placed; or, for RollForShutterbug, only the Shutterbug.
    """
    if isinstance(task, RollForShutterbug):
        return make_state(shutterbug=None, tasks=(StartHike(), task), **changes)
    return make_state(
        shutterbug=None,
        sites=(None, None, *make_state().sites[2:]),
        tasks=(StartHike(), RollForShutterbug(), task),
        **changes,
    )


PROMPTS = [
    (make_state(), "Move a hiker."),
    (
        with_changes(make_state(), BO, hikers=(11, 12)),
        "Everyone else is done: move both hikers to Trail\u2019s End, one at a time.",
    ),
    (
        with_changes(with_ana(hikers=(3, 10)), BO, hikers=(11, 12)),
        "Everyone else is done: move the last hiker to Trail\u2019s End.",
    ),
    (with_tasks(PlaceWater(2)), "2 Water: fill a canteen row or the backpack."),
    (with_tasks(PlaceWater(1)), "1 Water: fill a canteen row or the backpack."),
    (with_tasks(SwapGainedToken("forest")), "Swap the Forest for Wildlife, or keep it."),
    (with_tasks(ParksAction()), "Visit or reserve parks, or skip."),
    (with_tasks(ParksAction(has_visited=True)), "Visit another park, or finish."),
    (with_tasks(DoAction("roll")), "Roll the Trail Die."),
    (with_tasks(DoAction("photo")), "Take a photo for 1 Resource, or skip."),
    (
        with_tasks(DoAction("photo", "wide-angle-lens-sun")),
        "Wide Angle Lens: take a photo for 1 Resource, or skip.",
    ),
    (with_tasks(DoAction("canteen")), "Trail Die: gain a canteen, or skip."),
    (with_tasks(DoAction("canteen"), visited=("Badlands", "Biscayne")), "Gain a canteen, or skip."),
    (
        with_tasks(DoAction("canteen or photo"), hikers=(0, PHOTO)),
        "Canteen/Photo site: gain a canteen or photo, or skip.",
    ),
    (with_tasks(ParksAction(), hikers=(DIE, PARKS_SITE)), "Parks site: visit or reserve parks, or skip."),
    (
        with_tasks(ParksAction(has_visited=True), hikers=(DIE, END_PARKS)),
        "Trail\u2019s End: visit another park, or finish.",
    ),
    (with_tasks(DoAction("roll"), hikers=(0, DIE)), "Trail Die site: roll the Trail Die."),
    (with_tasks(DoAction("roll"), visited=("Olympic",)), "Olympic: roll the Trail Die."),
    (with_tasks(DoAction("roll"), passion="Adventure", side="gear"), "Adventure: roll the Trail Die."),
    (with_tasks(DoAction("roll"), hikers=(0, DIE), visited=("Olympic",)), "Roll the Trail Die."),
    (
        with_tasks(DoAction("trade"), canteens=(("trade",), (), ()), filled=(True, False, False)),
        "Canteen: trade for Wildlife, or skip.",
    ),
    (with_tasks(DoAction("buy"), hikers=(FOREST, GEAR_SITE)), "Gear site: buy a gear card, or skip."),
    (with_tasks(DoAction("trade")), "Trade for Wildlife, or skip."),
    (with_tasks(DoAction("buy")), "Buy a gear card, or skip."),
    (with_tasks(DoAction("reserve")), "Reserve a park, or skip."),
    (with_tasks(SecondPhoto()), "Shutterbug Badge: take a second photo, or skip."),
    (with_tasks(ChooseExtra((Extra("photo"), Extra("roll")))), "Canteens: choose the next benefit, or skip the rest."),
    (with_tasks(NameDrawnGear()), "Gear Deck: enter the drawn gear card."),
    (with_tasks(ChooseSide()), "Objective complete: choose the passion\u2019s Gear Effect or End Game Bonus."),
    (with_tasks(ReturnTokens()), "Backpack limit: return Resources until 12 are left."),
    (
        with_changes(with_tasks(DoAction("roll")), awards=(0,), season_count=SUN_COUNTS),
        "Spring bonus: roll the Trail Die.",
    ),
    (with_tasks(NameSeasonTile(), state=make_state(tile=None)), "Season bonus: enter the face-up Spring tile."),
    (state_in_trail_setup(LayTrail()), "Enter the tile at site 1."),
    (state_in_trail_setup(LayTrail(), season_count=SUN_COUNTS), "Enter the tile at site 1."),
    (state_in_trail_setup(RollForShutterbug()), "Roll for the Shutterbug token."),
    (OVER, "The game is over."),
]


@run_all_rows("state, line", PROMPTS)
def test_prompt_names_the_next_step(state, line):
    assert TRACKED_GAME.text.prompt(state) == line


BANNERS = [
    (make_state(), None),
    (state_in_trail_setup(LayTrail()), ("Setup", "Enter the tile at site 1.")),
    (
        state_in_trail_setup(RollForShutterbug()),
        ("Setup", "Roll for the Shutterbug token."),
    ),
    (
        with_tasks(NameSeasonTile(), state=make_state(tile=None)),
        ("Season tile", "Season bonus: enter the face-up Spring tile."),
    ),
    (OVER, None),
]


@run_all_rows("state, texts", BANNERS)
def test_banner_is_shown_while_any_player_may_act(state, texts):
    assert TRACKED_GAME.text.banner(state, BO) == texts


SEASON_RESULTS = [
    (make_state(), ""),
    (state_in_trail_setup(LayTrail(), season_count=SUN_COUNTS), "Ana gained the Spring bonus (most Sun: Ana 3, Bo 1)."),
    (
        state_in_trail_setup(LayTrail(), season_count=SeasonCount("summer-wildlife", (0, 0))),
        "No one gained the Summer bonus (most Wildlife in backpacks: Ana 0, Bo 0).",
    ),
]


@run_all_rows("state, line", SEASON_RESULTS)
def test_season_result_names_who_gained_the_bonus(state, line):
    assert season_result(state, ANA, {}) == line


# A state, the titles of its standings, the counts by seat, how Ana stands.
STANDINGS = [
    (
        with_changes(with_ana(tokens=token_counts(sun=1)), BO, tokens=token_counts(sun=3)),
        "Most Sun in backpacks",
        "Most Sun",
        (1, 3),
        "2 behind",
    ),
    (
        with_changes(
            with_ana(make_state(rulings={"spring-counts": "parks"}), visited=("Death Valley",)),
            BO,
            tokens=token_counts(sun=3),
        ),
        "Most Sun on visited parks",
        "Most Sun",
        (4, 0),
        "you lead",
    ),
    (
        with_ana(
            make_state(tile="summer-wildlife", season=1, rulings={"summer-counts": "parks"}),
            tokens=token_counts(wildlife=2),
        ),
        "Most Wildlife on visited parks",
        "Most Wildlife",
        (0, 0),
        "",
    ),
    (
        with_changes(
            with_ana(make_state(tile="summer-canteens", season=1), canteens=(("photo",), (), ())),
            BO,
            canteens=(("photo",), (), ()),
        ),
        "Most canteens",
        "Most canteens",
        (1, 1),
        "you tie",
    ),
    (
        with_ana(make_state(tile="fall-sun", season=2), visited=("Arches",)),
        "Most Sun on visited parks",
        "Most Sun",
        (2, 0),
        "you lead",
    ),
]


@run_all_rows("state, title, short_title, counts, note", STANDINGS)
def test_season_standings_count_what_the_tile_counts(state, title, short_title, counts, note):
    standings = season_standings(state, ANA, {})
    assert standings == SeasonStandings(title, short_title, counts)
    assert standings.seat_text(ANA) == note


def test_season_standings_need_a_season_tile():
    assert season_standings(make_state(tile=None), ANA, {}) is None


# A state, what its final call says to Ana, and to everyone.
FINAL_CALLS = [
    (make_state(season=1, tile=None), "", ""),
    (make_state(season=2, tile=None), "Last season: you have 2 hikers left.", "Fall is the last season"),
    (
        with_ana(make_state(season=2, tile=None), hikers=(3, 10)),
        "Last season: you have 1 hiker left.",
        "Fall is the last season",
    ),
    (
        with_ana(make_state(season=2, tile=None), hikers=(10, 12)),
        "Last season: your hikers are done.",
        "Fall is the last season",
    ),
    (OVER, "", ""),
]


@run_all_rows("state, own, public", FINAL_CALLS)
def test_final_call_counts_the_hikers_left_in_the_last_season(state, own, public):
    assert (TRACKED_GAME.text.final_call(state, ANA), TRACKED_GAME.text.final_call(state, None)) == (own, public)


def test_next_seats_are_the_players_on_the_trail_unless_a_season_ends():
    state = make_state()
    assert TRACKED_GAME.flow.next_seats(state) == (BO,)
    assert TRACKED_GAME.flow.next_seats(with_changes(state, BO, hikers=(10, 11))) == ()
    assert TRACKED_GAME.flow.next_seats(state_in_trail_setup(LayTrail())) == ()
    assert TRACKED_GAME.flow.next_seats(OVER) == ()


PLANNED_PARKS = [
    (
        ("Arches", None, "Zion"),
        token_counts(5, 5, 5, 5, 5),
        [("Arches", "", False), (None, "", False), ("Zion", "", False)],
    ),
    (("Death Valley",), token_counts(sun=3), [("Death Valley", "1 Sun short", False)]),
    (("Death Valley",), token_counts(sun=2, wildlife=1), [("Death Valley", "1 Sun short", False)]),
    (("Death Valley",), token_counts(sun=3, wildlife=1), [("Death Valley", "", False)]),
]


@run_all_rows("parks, tokens, planned", PLANNED_PARKS)
def test_planned_parks_say_what_is_missing_for_a_visit(parks, tokens, planned):
    state = with_changes(make_state(parks=parks), BO, tokens=tokens)
    assert planned_parks(state, BO, {}) == [PlannedPark(*each) for each in planned]


def test_planned_parks_count_what_is_missing_of_several_kinds_and_list_the_reserve():
    state = with_changes(make_state(parks=("",)), BO, reserve=("Yellowstone", None))
    (first, second) = planned_parks(state, BO, {})
    assert first == PlannedPark("Yellowstone", "6 short", True) and second == PlannedPark(None, "", True)


@pytest.mark.parametrize("ruling, place", [("backpack", "in backpacks"), ("parks", "on visited parks")])
def test_name_of_the_wildlife_tile_follows_the_ruling(ruling, place):
    state = make_state(tile=None, season=1, rulings={"summer-counts": ruling})
    named = NameTile("summer-wildlife")
    assert named.label(state, ANA).short_text == f"Summer: most Wildlife {place}"
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, named), ANA, named) == (
        f"Summer tile: most Wildlife {place}."
    )


RICH = token_counts(3, 3, 3, 3, 3)
LAST = with_changes(make_state(), BO, hikers=(12, 12))


def state_in_spring_bonus() -> State:
    """Return Ana with the Shutterbug Badge after her free photo, before Bo’s."""
    state = with_changes(
        with_ana(LAST, hikers=(12, 12), tokens=token_counts(mountain=2), photos=1), BO, hikers=(12, 12)
    )
    return with_changes(
        state,
        badge=ANA,
        tile="spring-mountain",
        tasks=(SecondPhoto(),),
        awards=(ANA, BO),
        season_count=SeasonCount("spring-mountain", (2, 2)),
    )


def state_with_passion_task(name: str, task: Task, **changes) -> State:
    """Return Ana with a task and the gear side of a passion."""
    return with_tasks(task, **{"tokens": RICH, "passion": name, "side": "gear", **changes})


LOG = [
    (
        with_changes(make_state(), weather=("sun", *[""] * 8)),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site, +1 Forest, +1 Sun (weather).",
    ),
    (
        with_changes(with_ana(campfire=True), BO, hikers=(0, 3)),
        Hike(0, 3),
        "Ana hiked from the Trailhead to the Sun site and extinguished their campfire, +2 Sun.",
    ),
    (
        make_state(shutterbug="forest"),
        Hike(0, 1),
        "Ana hiked from the Trailhead to the Forest site, +1 Forest. Ana took the Shutterbug Badge.",
    ),
    (
        with_changes(make_state(), first_hiker=BO),
        Hike(0, 10),
        "Ana hiked from the Trailhead to the Parks space at Trail\u2019s End. Ana took the First Hiker token from Bo.",
    ),
    (
        with_tasks(DoAction("photo"), tokens=RICH),
        TakePhoto("sun"),
        "Ana took a photo for 1 Sun.",
    ),
    (
        with_changes(with_tasks(SecondPhoto(), tokens=RICH), badge=ANA),
        TakePhoto("sun"),
        "Ana took a second photo for 1 Sun.",
    ),
    (
        with_tasks(DoAction("trade"), tokens=RICH),
        Trade("sun"),
        "Ana traded 1 Sun for 1 Wildlife.",
    ),
    (
        make_state(),
        Hike(0, 12),
        "Ana hiked from the Trailhead to the Gear space at Trail\u2019s End, +1 Sun (first there).",
    ),
    (
        with_changes(make_state(), weather=("", "", "", "water", *[""] * 5)),
        Hike(0, 4),
        "Ana hiked from the Trailhead to the Water site, +2 Water, +1 Water (weather).",
    ),
    *(
        (
            with_changes(with_tasks(GainLater(token), DoAction("photo"), tokens=RICH), rulings=rulings),
            TakePhoto("sun"),
            f"Ana took a photo for 1 Sun, +1 {token.capitalize()} ({source}).",
        )
        for token, rulings, source in [
            ("wildlife", {"end-first-when": "after"}, "first there"),
            ("sun", {"end-first-when": "after"}, "first there"),
            ("sun", {"weather-when": "after"}, "weather"),
            ("water", {"weather-when": "after"}, "weather"),
            ("sun", {"end-first-when": "after", "weather-when": "after"}, "after the action"),
        ]
    ),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH), parks=("Dry Tortugas",)),
        VisitPark("Dry Tortugas"),
        "Ana visited Dry Tortugas, \u22123 Water, +2 Sun (instant benefit).",
    ),
    (
        with_tasks(PlaceWater(2), canteens=(("2 water", "2 sun"), ("forest",), ())),
        FillCanteenRow(0),
        "Ana filled the top row of canteens, +2 Sun, +2 Water.",
    ),
    (with_tasks(DoAction("roll")), Roll("2 sun"), "Ana rolled 2 Sun."),
    (
        with_tasks(DoAction("canteen")),
        TakeCanteen("photo", 1),
        "Ana added a canteen (take a photo) to the middle row.",
    ),
    (
        with_tasks(DoAction("canteen")),
        TakeCanteen("2 sun", 0, True),
        "Ana added a canteen (2 Sun) from the stack to the top row.",
    ),
    (
        with_tasks(PlaceWater(1), canteens=(("forest",), (), ())),
        FillCanteenRow(0),
        "Ana filled the top row of canteens, +1 Forest.",
    ),
    (
        with_tasks(PlaceWater(2), canteens=(("forest",), (), ())),
        StowWater(),
        "Ana put 2 Water in their backpack.",
    ),
    (with_tasks(ParksAction(), tokens=RICH), VisitPark("Zion"), "Ana visited Zion, \u22123 Mountain."),
    (with_tasks(ParksAction()), Reserve("Zion"), "Ana reserved Zion."),
    (with_tasks(ParksAction()), Reserve(deck=True), "Ana reserved the top park of the deck."),
    (with_changes(with_tasks(ParksAction()), parks=(None, None, None)), Reserve(), "Ana reserved a face-up park."),
    (
        with_tasks(DoAction("buy"), tokens=RICH),
        BuyGear("journal-water"),
        "Ana bought Journal (Water site), \u22121 Sun.",
    ),
    (
        with_tasks(DoAction("buy"), tokens=RICH),
        BuyGear(wild=1),
        "Ana bought the top gear card, \u22121 Sun, \u22121 Wildlife.",
    ),
    (with_tasks(NameDrawnGear()), DrawGear("compass-die"), "Ana drew Compass (when you roll the die)."),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "Ana completed Botany and chose its End Game Bonus.",
    ),
    (with_tasks(ParksAction()), Skip(), "Ana skipped the Parks action."),
    (with_tasks(ParksAction(has_visited=True), tokens=RICH), Skip(), "Ana finished visiting parks."),
    (with_tasks(DoAction("buy"), tokens=RICH), Skip(), "Ana did not buy gear."),
    (with_tasks(DoAction("canteen or photo")), Skip(), "Ana skipped the canteen and the photo."),
    (
        with_tasks(ChooseExtra((Extra("reserve", "journal-sun"), Extra("canteen", "camp-mug-trade")))),
        UseExtra("reserve", "journal-sun"),
        "Ana chose to reserve a park (Journal).",
    ),
    (
        with_tasks(SwapGainedToken("forest"), tokens=token_counts(forest=1), passion="Botany", side="gear"),
        SwapToken(),
        "Ana swapped 1 Forest for 1 Wildlife (Botany passion).",
    ),
    (
        with_tasks(ReturnTokens(), tokens=token_counts(sun=14)),
        ReturnToken("sun"),
        "Ana returned 1 Sun (backpack limit).",
    ),
    (
        state_in_trail_setup(LayTrail()),
        LayTile("mountain"),
        "Site 1: Mountain.",
    ),
    (
        state_in_trail_setup(RollForShutterbug()),
        PlaceShutterbug("canteen"),
        "Shutterbug token: under the Canteen or Photo site.",
    ),
    (
        with_ana(with_changes(LAST, end_spaces_used=(True,) * 3), hikers=(9, 12), tokens=token_counts(mountain=2)),
        Hike(9, 12),
        (
            "Ana hiked from the Gear site to the Gear space at Trail\u2019s End. No one gained the Spring bonus (most "
            "Sun). Summer began."
        ),
    ),
    (
        with_ana(
            with_changes(LAST, tile="spring-forest", end_spaces_used=(True,) * 3),
            hikers=(9, 12),
            tokens=token_counts(forest=2),
        ),
        Hike(9, 12),
        (
            "Ana hiked from the Gear site to the Gear space at Trail\u2019s End. Ana gained the Spring bonus (most "
            "Forest)."
        ),
    ),
    (
        with_ana(with_changes(LAST, tile="fall-sun", season=2, end_spaces_used=(True,) * 3), hikers=(9, 12)),
        Hike(9, 12),
        "Ana hiked from the Gear site to the Gear space at Trail\u2019s End. Fall is over.",
    ),
    *(
        (
            with_changes(
                with_changes(
                    with_ana(
                        with_changes(LAST, tile="spring-mountain", rulings=rulings, end_spaces_used=(True,) * 3),
                        hikers=(9, 12),
                        tokens=token_counts(mountain=ana),
                    ),
                    BO,
                    tokens=token_counts(mountain=bo),
                    photos=photos,
                ),
                badge=badge,
            ),
            Hike(9, 12),
            f"Ana hiked from the Gear site to the Gear space at Trail\u2019s End. {bonus}",
        )
        for ana, bo, badge, photos, rulings, bonus in [
            (2, 0, None, 0, {}, "Ana gained the Spring bonus (most Mountain), +1 photo. Summer began."),
            (0, 2, None, 0, {}, "Bo gained the Spring bonus (most Mountain), +1 photo. Summer began."),
            (2, 2, None, 0, {}, "Ana and Bo gained the Spring bonus (most Mountain), +1 photo each. Summer began."),
            (2, 2, ANA, 0, {}, "Ana and Bo gained the Spring bonus (most Mountain). Ana gained +1 photo."),
            (
                *(2, 2, None, 27, {"token-supply": "limited"}),
                "Ana and Bo gained the Spring bonus (most Mountain). Ana gained +1 photo. Summer began.",
            ),
            (0, 2, None, 28, {"token-supply": "limited"}, "Bo gained the Spring bonus (most Mountain). Summer began."),
        ]
    ),
    (
        state_in_spring_bonus(),
        TakePhoto("mountain"),
        "Ana took a second photo for 1 Mountain. Bo gained +1 photo (Spring bonus). Summer began.",
    ),
    (state_in_spring_bonus(), Skip(), "Ana skipped the second photo. Bo gained +1 photo (Spring bonus). Summer began."),
    (
        with_changes(
            with_ana(LAST, hikers=(12, 12), tokens=token_counts(mountain=2)), tile=None, tasks=(NameSeasonTile(),)
        ),
        NameTile("spring-mountain"),
        "Spring tile: most Mountain. Ana gained the Spring bonus (most Mountain), +1 photo. Summer began.",
    ),
    (
        with_changes(with_ana(LAST, hikers=(12, 12)), tile=None, tasks=(NameSeasonTile(),)),
        NameTile("spring-mountain"),
        "Spring tile: most Mountain. No one gained the Spring bonus (most Mountain). Summer began.",
    ),
]


@run_all_rows("state, move, line", LOG)
def test_log_sentence_describes_the_move(state, move, line):
    state = TRACKED_GAME.flow.resolve_forced_steps(state)
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, move), ANA, move) == line


GAVE = [
    (
        with_ana(gear=("sleeping-bag-forest", "hiking-boots-forest")),
        Hike(0, 1),
        (
            "Ana hiked from the Trailhead to the Forest site, +1 Forest, +2 Sun (Sleeping Bag), campfire relit "
            "(Sleeping Bag), +1 Forest (Hiking Boots)."
        ),
    ),
    (
        with_ana(gear=("flint-tinder-sun",), campfire=True),
        Hike(0, 3),
        "Ana hiked from the Trailhead to the Sun site, +2 Sun.",
    ),
    (
        with_tasks(DoAction("trade"), tokens=RICH, gear=("rain-gear-trade",)),
        Trade("sun"),
        "Ana traded 1 Sun for 1 Wildlife, +2 Water (Rain Gear).",
    ),
    (
        with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH),
        TakePhoto("sun"),
        "Ana took a photo for 1 Sun (Telephoto Lens).",
    ),
    (
        with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH),
        Skip(),
        "Ana skipped the photo (Telephoto Lens).",
    ),
    (
        with_changes(with_tasks(DoAction("photo", "telephoto-lens-die"), tokens=RICH), market=(None,) * 3),
        NameGear("journal-sun"),
        "Gear Market: Journal (Sun site).",
    ),
    (
        with_tasks(DoAction("canteen", "camp-mug-trade")),
        TakeCanteen("photo", 1),
        "Ana added a canteen (take a photo) to the middle row (Camp Mug).",
    ),
    (with_tasks(DoAction("reserve", "journal-sun")), Reserve("Zion"), "Ana reserved Zion (Journal)."),
    (
        with_tasks(DoAction("reserve", "journal-sun"), gear=("journal-sun", "journal-water")),
        Reserve("Zion"),
        "Ana reserved Zion (Journal, Sun site).",
    ),
    (
        with_tasks(
            ChooseExtra((Extra("reserve", "journal-sun"), Extra("canteen", "camp-mug-trade"))),
            gear=("journal-sun", "journal-water", "camp-mug-trade"),
        ),
        UseExtra("reserve", "journal-sun"),
        "Ana chose to reserve a park (Journal, Sun site).",
    ),
    (
        with_ana(gear=("binoculars-sun", "binoculars-reserve")),
        Hike(0, 3),
        "Ana hiked from the Trailhead to the Sun site, +2 Sun, +1 Mountain (Binoculars, Sun site).",
    ),
    (
        with_changes(
            with_tasks(GainLater("sun"), DoAction("photo"), tokens=token_counts(sun=1)),
            rulings={"end-first-when": "after"},
        ),
        EditPosition((Increment("players.0.sun", -1),)),
        "Ana corrected: Sun 1 \u2192 0, Ana gained +1 Sun (first there).",
    ),
    (
        with_tasks(DoAction("roll", "mystery-cache-photo")),
        Roll("2 sun"),
        "Ana rolled 2 Sun (Mystery Cache).",
    ),
    (
        state_with_passion_task("Mountaineering", ParksAction()),
        VisitPark("Zion"),
        "Ana visited Zion, \u22122 Mountain, saved 1 Mountain (Mountaineering passion).",
    ),
    (
        with_changes(state_with_passion_task("Adventure", ParksAction()), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        "Ana visited Isle Royale, \u22121 Forest, \u22121 Water, +1 die roll (Adventure passion).",
    ),
    (
        state_with_passion_task("Swimming", PlaceWater(1), canteens=(("forest",), (), ())),
        FillCanteenRow(0),
        "Ana filled the top row of canteens, +1 Forest, +1 die roll (Swimming passion).",
    ),
    (
        state_with_passion_task("Wildlife", DoAction("photo")),
        TakePhoto("wildlife"),
        "Ana took a photo for 1 Wildlife, +1 photo (Wildlife passion).",
    ),
    (state_with_passion_task("Wildlife", DoAction("photo")), TakePhoto("sun"), "Ana took a photo for 1 Sun."),
    (
        state_with_passion_task("Botany", SwapGainedToken("forest")),
        SwapToken(),
        "Ana swapped 1 Forest for 1 Wildlife (Botany passion).",
    ),
    (
        state_with_passion_task("Rock Climbing", SwapGainedToken("mountain")),
        SwapToken(),
        "Ana swapped 1 Mountain for 1 Wildlife (Rock Climbing passion).",
    ),
    (
        state_with_passion_task("Collecting", DoAction("buy")),
        BuyGear("binoculars-reserve"),
        "Ana bought Binoculars (when you reserve a park), saved 2 Sun (Collecting passion).",
    ),
    (
        state_with_passion_task("Collecting", DoAction("buy")),
        BuyGear(),
        "Ana bought the top gear card, saved 2 Sun (Collecting passion).",
    ),
]


@run_all_rows("state, move, line", GAVE)
def test_log_line_names_the_gear_or_passion_behind_a_gain(state, move, line):
    state = TRACKED_GAME.flow.resolve_forced_steps(state)
    assert TRACKED_GAME.log_sentence(state, TRACKED_GAME.play(state, ANA, move), ANA, move) == line


BUTTONS = [
    (make_state(), Hike(0, 1), "Hike to the Forest site", "+1 Forest"),
    (make_state(), Hike(0, 7), "Hike to the Canteen or Photo site", "gain a canteen or take a photo"),
    (
        with_changes(with_ana(make_state(shutterbug="forest"), campfire=True), BO, hikers=(0, 1)),
        Hike(0, 1),
        "Hike to the Forest site",
        "+1 Forest, take the Shutterbug Badge, extinguish your campfire",
    ),
    (
        with_changes(make_state(), weather=("", "sun", *[""] * 7)),
        Hike(0, 2),
        "Hike to the Mountain site",
        "+1 Mountain, +1 Sun (weather), take the Shutterbug Badge",
    ),
    (
        make_state(),
        Hike(0, 11),
        "Hike to the Photo space at Trail\u2019s End",
        "take a photo, +1 Wildlife (first there)",
    ),
    (with_tasks(ParksAction(), tokens=RICH), VisitPark("Zion"), "Visit Zion", "4 points, pay 3 Mountain"),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH), parks=("Voyageurs",)),
        VisitPark("Voyageurs", forest=1),
        "Visit Voyageurs",
        "6 points, pay 2 Forest, 3 Water, 1 Wildlife, then gain 1 Sun for the next park",
    ),
    (
        with_tasks(ParksAction(), tokens=RICH, passion="Mountaineering", side="gear"),
        VisitPark("Zion", mountain=1),
        "Visit Zion",
        "4 points, pay 1 Mountain (3 without your passion), 1 Wildlife",
    ),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH, passion="Adventure", side="gear"), parks=("Isle Royale",)),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, then gain a canteen, roll the die with your passion",
    ),
    (
        with_changes(
            with_tasks(ParksAction(), tokens=RICH, canteens=(("photo", "photo"),) * 3), parks=("Isle Royale",)
        ),
        VisitPark("Isle Royale"),
        "Visit Isle Royale",
        "2 points, pay 1 Forest, 1 Water, no room for its canteen",
    ),
    (
        with_changes(with_tasks(ParksAction(), tokens=RICH), parks=("Great Sand Dunes",)),
        VisitPark("Great Sand Dunes"),
        "Visit Great Sand Dunes",
        "6 points, pay 3 Mountain, 3 Sun, then gain 1 Water for a canteen row or the next park",
    ),
    (with_tasks(DoAction("buy"), tokens=RICH), BuyGear("journal-water"), "Buy Journal (Water site)", "pay 1 Sun"),
    (
        with_tasks(DoAction("buy"), passion="Collecting", side="gear"),
        BuyGear(),
        "Buy the top gear card",
        "free with your passion",
    ),
    (
        with_tasks(PlaceWater(1), canteens=(("forest", "photo"), (), ())),
        FillCanteenRow(0),
        "Fill the top row",
        "+1 Forest, take a photo",
    ),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("gear"),
        "Choose the Gear Effect",
        "Swap a gained Forest for Wildlife",
    ),
    (
        with_tasks(ChooseSide(), passion="Botany", visited=("Sequoia",)),
        TakeSide("end"),
        "Choose the End Game Bonus",
        "1 point for every 2 Forest on visited parks",
    ),
    (
        with_tasks(DoAction("photo"), passion="Wildlife", side="gear"),
        TakePhoto("wildlife"),
        "Take a photo for 1 Wildlife",
        "+2 photos",
    ),
    (with_tasks(DoAction("roll")), Roll("canteen"), "Roll a canteen", ""),
    (with_tasks(SwapGainedToken("forest")), Skip(), "Keep the Forest", ""),
    (
        with_tasks(StartHike()),
        Hike(0, 10),
        "Hike from the Trailhead to the Parks space at Trail\u2019s End",
        "reserve a park or visit parks, keep the First Hiker token",
    ),
    (
        with_changes(with_tasks(StartHike()), first_hiker=BO),
        Hike(0, 10),
        "Hike from the Trailhead to the Parks space at Trail\u2019s End",
        "reserve a park or visit parks, take the First Hiker token",
    ),
]


@run_all_rows("state, move, label, hint", BUTTONS)
def test_button_label_and_hint(state, move, label, hint):
    assert (move.label(state, ANA).text, move.label(state, ANA).hint) == (label, hint)
