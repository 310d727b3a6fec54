"""PARKS: season bonuses, what is reset between seasons, a new Trail, and three seasons."""

import pytest
from msgspec.structs import replace

from scoring.parks import TRACKED_GAME
from scoring.parks.box import SEASON_TILES, SITES, TRAIL_TILES
from scoring.parks.moves.corrections import Adopt
from scoring.parks.moves.hiking import Hike, Skip
from scoring.parks.moves.park_actions import DrawGear, Reserve
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.sites import Roll, TakeCanteen, TakePhoto
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import (
    DoAction,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    RollForShutterbug,
    SecondPhoto,
    StartHike,
)
from tests.support.parametrize import run_all_rows
from tests.support.parks_table import (
    ANA,
    BO,
    CY,
    END_GEAR,
    END_PARKS,
    case_params,
    legal_moves,
    make_state,
    objection_codes,
    objection_rules,
    ready_setup,
    refusal_params,
    select_fields,
    state_after,
    token_counts,
    with_ana,
    with_changes,
    with_supply_left,
)

USED = {"end_spaces_used": (True, True, True)}


def state_before_season_end(
    tile: str | None, season: int = 0, rulings: dict | None = None, players: int = 2, **changes
):
    """Return Ana with one hiker before the end of a season; her step gives and costs nothing."""
    state = make_state(players, rulings, tile=tile, season=season, **{**USED, **changes})
    for seat in range(1, players):
        state = with_changes(state, seat, hikers=(END_GEAR, END_GEAR))
    return with_ana(state, hikers=(9, END_GEAR))


END = Hike(9, END_GEAR)


def after_last_step(state, *moves):
    """Return the state after Ana's last step, which buys nothing."""
    state = state_after(state, END)
    return state_after(
        state,
        *([Skip()] if state.tasks and state.tasks[-1] == DoAction("buy") and state.awards is None else []),
        *moves,
    )


# Each Spring and Summer tile: why Ana has the most, the moves that use the bonus, and the expected values.
BONUS = {
    "spring-sun": ({"tokens": token_counts(sun=1)}, [DrawGear("compass-die")], {"gear": ("compass-die",), "bought": 0}),
    "spring-water": ({"tokens": token_counts(water=1)}, [TakeCanteen("parks", 0)], {"canteens": (("parks",), (), ())}),
    "spring-forest": ({"tokens": token_counts(forest=1)}, [Reserve("Zion")], {"reserve": ("Zion",)}),
    "spring-mountain": ({"tokens": token_counts(mountain=1)}, [], {"photos": 1, "tokens": token_counts(mountain=1)}),
    "summer-gear": (
        {"gear": ("compass-trade",)},
        [Roll("forest"), Roll("2 sun")],
        {"tokens": token_counts(forest=1, sun=2)},
    ),
    "summer-wildlife": (
        {"tokens": token_counts(wildlife=1)},
        [Roll("forest"), Roll("forest")],
        {"tokens": token_counts(2, wildlife=1)},
    ),
    "summer-canteens": (
        {"canteens": (("2 sun",), (), ())},
        [Roll("mountain"), Roll("mountain")],
        {"tokens": token_counts(0, 2)},
    ),
    "summer-instants": (
        {"visited": ("Voyageurs",)},
        [Roll("mountain"), Roll("wildlife")],
        {"tokens": token_counts(0, 1, 0, 0, 1)},
    ),
}


def state_with_bonus(tile: str):
    changes, _, _ = BONUS[tile]
    return with_changes(
        state_before_season_end(tile, season=0 if tile.startswith("spring") else 1),
        ANA,
        **{"hikers": (9, END_GEAR), **changes},
    )


@run_all_rows("tile", BONUS)
def test_player_with_the_most_gets_the_season_bonus(tile):
    _, moves, expected = BONUS[tile]
    state = after_last_step(state_with_bonus(tile), *moves)
    assert select_fields(state, expected) == expected
    assert (
        state.awards is None
        and state.tasks[-1] == LayTrail()
        and state.season == (1 if tile.startswith("spring") else 2)
    )


@run_all_rows("tile", BONUS)
def test_player_with_none_or_fewer_gets_no_bonus(tile):
    changes, _, _ = BONUS[tile]
    bare = after_last_step(state_before_season_end(tile, season=0 if tile.startswith("spring") else 1))
    assert bare.tasks[-1] == LayTrail() and bare.players[ANA].photos == 0
    bare = with_changes(state_with_bonus(tile), ANA, tokens=token_counts(), gear=(), visited=(), canteens=((), (), ()))
    beaten = with_changes(bare, BO, **{**changes, "hikers": (END_GEAR, END_GEAR)})
    state = after_last_step(beaten)
    assert state.turn == BO or state.players[BO].photos == 1  # A free photo needs no decision.


@run_all_rows("tile", [tile for tile in SEASON_TILES if tile.startswith("fall")])
def test_fall_tile_ends_the_game_and_scores(tile):
    kind = tile.removeprefix("fall-")
    name = {"sun": "Arches", "water": "Everglades", "forest": "Congaree", "mountain": "Zion"}[kind]
    state = after_last_step(
        with_changes(state_before_season_end(tile, season=2, parks=("Denali",)), ANA, visited=(name,))
    )
    assert state.is_over and TRACKED_GAME.flow.to_move(state) == ()
    sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(state))
    assert [column.points_in("fall-bonus") for column in sheet.columns] == [3, 0]


def test_every_season_tile_has_a_case():
    assert set(BONUS) | {tile for tile in SEASON_TILES if tile.startswith("fall")} == set(SEASON_TILES)


TIED = {"tokens": token_counts(forest=2)}
NOBODY = {"season-tie": "nobody"}
NOT_RELIT = {"campfire-few": "no"}
START_WITH_TOKEN = TRACKED_GAME.initial_state(ready_setup("Ana", "Bo"))
START_WITHOUT_TOKEN = TRACKED_GAME.initial_state(
    replace(ready_setup("Ana", "Bo"), rulings={"first-hiker-spring": "no-one"})
)
ON_PARKS = {"spring-counts": "parks"}


def level_state(rulings: dict | None = None, first_hiker: int = 0):
    state = state_before_season_end("spring-forest", rulings=rulings, players=3, first_hiker=first_hiker)
    return with_changes(with_changes(state, ANA, **TIED), CY, **TIED)


OUTCOMES = {
    "season-tie": [
        (after_last_step(level_state()), [], {"turn": ANA, "awards": (ANA, CY)}),
        (
            after_last_step(level_state(), Reserve("Zion")),
            [],
            {"turn": CY, "awards": (CY,), "tasks": (DoAction("reserve"),)},
        ),
        (after_last_step(level_state(first_hiker=1)), [], {"turn": CY, "awards": (CY, ANA)}),
        (after_last_step(level_state(NOBODY)), [], {"awards": None, "season": 1}),
        (
            after_last_step(with_changes(level_state(NOBODY), ANA, tokens=token_counts(forest=3))),
            [],
            {"awards": (ANA,)},
        ),
    ],
    "spring-counts": [
        (
            after_last_step(with_changes(state_before_season_end("spring-forest", rulings=ON_PARKS), ANA, **TIED)),
            [],
            {"awards": None, "season": 1},
        ),
        (
            after_last_step(
                with_changes(state_before_season_end("spring-forest", rulings=ON_PARKS), ANA, visited=("Congaree",))
            ),
            [],
            {"awards": (ANA,)},
        ),
        (
            after_last_step(with_changes(state_before_season_end("spring-forest"), ANA, visited=("Congaree",))),
            [],
            {"awards": None, "season": 1},
        ),
    ],
    "season-bonus": [
        (after_last_step(level_state()), [Skip()], {"reserve": (), "turn": CY}),
        (
            after_last_step(with_changes(state_with_bonus("spring-water"), ANA, canteens=(("2 sun", "2 sun"),) * 3)),
            [],
            {"season": 1},
        ),
    ],
    "gear-ready": [
        (
            after_last_step(with_changes(level_state(), ANA, gear=("binoculars-reserve",))),
            [Reserve("Zion")],
            {"tokens": token_counts(forest=2, mountain=1)},
        ),
    ],
    "photo-free": [
        (
            after_last_step(with_changes(state_with_bonus("spring-mountain"), ANA, gear=("sunscreen-photo",))),
            [],
            {"tokens": token_counts(mountain=1), "photos": 1},
        ),
        (
            after_last_step(with_changes(state_with_bonus("spring-mountain"), badge=ANA)),
            [],
            {"tasks": (SecondPhoto(),), "photos": 1},
        ),
        (
            after_last_step(with_changes(state_with_bonus("spring-mountain"), badge=ANA)),
            [TakePhoto("mountain")],
            {"photos": 2, "tokens": token_counts()},
        ),
    ],
    "campfire-few": [
        (after_last_step(state_before_season_end("spring-sun")), [], {"season": 1, "campfire": True}),
        (after_last_step(state_before_season_end("spring-sun", rulings=NOT_RELIT)), [], {"campfire": False}),
        (after_last_step(state_before_season_end("spring-sun", rulings=NOT_RELIT, players=3)), [], {"campfire": False}),
        (
            after_last_step(with_ana(state_before_season_end("spring-sun", rulings=NOT_RELIT), campfire=True)),
            [],
            {"campfire": True},
        ),
        (
            after_last_step(
                with_ana(state_before_season_end("spring-sun", rulings=NOT_RELIT, players=4), campfire=False)
            ),
            [],
            {"campfire": True},
        ),
    ],
    "first-hiker-spring": [
        (START_WITH_TOKEN, [], {"turn": ANA, "first_hiker": ANA}),
        (START_WITHOUT_TOKEN, [], {"turn": ANA, "first_hiker": None}),
        (START_WITHOUT_TOKEN, [Hike(0, END_PARKS)], {"first_hiker": ANA}),
        (
            after_last_step(with_changes(state_before_season_end("spring-sun"), first_hiker=None)),
            [],
            {"season": 1, "turn": ANA, "first_hiker": None},
        ),
    ],
    "setup-season-tile": [
        (after_last_step(state_before_season_end(None)), [], {"tasks": (NameSeasonTile(),), "season": 0}),
        (after_last_step(state_before_season_end(None)), [NameTile("spring-forest")], {"season": 1, "tile": None}),
        (
            after_last_step(with_changes(state_before_season_end(None), ANA, **TIED)),
            [NameTile("spring-forest")],
            {"awards": (ANA,), "tile": "spring-forest"},
        ),
        (after_last_step(state_before_season_end(None, season=2)), [NameTile("fall-sun")], {"is_over": True}),
    ],
    "park-once": [
        (
            after_last_step(level_state(), Reserve("Zion"), Reserve("Redwood")),
            [],
            {"parks": (None, None, "Yellowstone")},
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_end_of_a_season_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


def test_first_hiker_token_that_no_one_took_scores_nothing():
    state = state_before_season_end("fall-sun", season=2)
    for owner, points in ((ANA, 1), (None, 0)):
        after = after_last_step(with_changes(state, first_hiker=owner))
        assert after.is_over
        sheet = TRACKED_GAME.box.score(TRACKED_GAME.final_position(after))
        assert sheet.columns[ANA].points_in("first-hiker") == points


def test_ruling_on_the_first_hiker_token_applies_while_no_one_could_take_it():
    without = state_after(START_WITH_TOKEN, Adopt("first-hiker-spring", "no-one"))
    assert without.first_hiker is None
    assert state_after(without, Adopt("first-hiker-spring", "first-player")).first_hiker == ANA
    taken = state_after(with_changes(START_WITH_TOKEN, first_hiker=BO), Hike(0, END_PARKS), Skip())
    assert state_after(taken, Adopt("first-hiker-spring", "no-one")).first_hiker == ANA


# Reset between seasons

LAST_STEP_STATE = state_before_season_end("spring-sun", weather=("", "sun", "", "", "", "", "", "water", ""))
LAST_STEP_STATE = with_changes(
    LAST_STEP_STATE, BO, canteens=(("2 sun",), ("photo",), ()), filled=(True, True, False), hikers=(END_GEAR, END_GEAR)
)
NEXT = after_last_step(LAST_STEP_STATE)


@run_all_rows(
    "seat, expected",
    [
        (ANA, {"hikers": (0, 0), "campfire": True, "filled": (False,) * 3}),
        (BO, {"hikers": (0, 0), "campfire": True, "filled": (False,) * 3, "canteens": (("2 sun",), ("photo",), ())}),
        (
            ANA,
            {
                "season": 1,
                "tile": None,
                "shutterbug": None,
                "end_spaces_used": (False,) * 3,
                "tasks": (StartHike(), RollForShutterbug(), LayTrail()),
            },
        ),
        (ANA, {"market": (None, "binoculars-reserve", "journal-water"), "badge": None}),
        (
            ANA,
            {
                "weather": ("", "sun", "water", "sun", "water", "sun", "water", "sun", "water"),
                "tray": (15, 15, 26, 26, 14),
            },
        ),
        (ANA, {"sites": (None, None, None, None, "parks", None, None, None, None)}),
    ],
)
def test_everything_is_reset_between_seasons(seat, expected):
    assert select_fields(NEXT, expected, seat) == expected


def test_badge_and_first_hiker_token_stay_with_their_owners():
    state = after_last_step(with_changes(LAST_STEP_STATE, badge=BO, first_hiker=BO))
    assert (state.badge, state.first_hiker, state.turn) == (BO, BO, BO)


def test_badge_returns_to_the_board_by_ruling():
    assert after_last_step(with_changes(LAST_STEP_STATE, badge=BO, rulings={"badge-between": "returns"})).badge is None


def lay_all(state):
    return state_after(state, *(LayTile(tile) for tile in reversed(TRAIL_TILES[1:])))


def test_trail_is_placed_tile_by_tile_and_the_last_tile_automatically():
    state = lay_all(NEXT)
    assert state.sites == ("gear", "die", "photo", "wildlife", "parks", "water", "sun", "mountain", "forest")
    assert state.tasks == (StartHike(), RollForShutterbug())
    state = state_after(state, PlaceShutterbug("canteen"))
    assert state.shutterbug == "photo" and state.tasks == (StartHike(),) and state.turn == ANA


def test_any_player_may_place_the_trail():
    assert TRACKED_GAME.flow.to_move(NEXT) == (ANA, BO)
    assert TRACKED_GAME.play(NEXT, BO, LayTile("die")).sites[0] == "die"


@run_all_rows("face", ["forest", "mountain", "2 sun", "2 water", "wildlife", "canteen"])
def test_die_decides_the_site_of_the_shutterbug(face):
    site = {"2 sun": "sun", "2 water": "water", "canteen": "photo"}.get(face, face)
    assert state_after(lay_all(NEXT), PlaceShutterbug(face)).shutterbug == site


REFUSED = {
    "setup-tiles": [
        (state_after(NEXT, LayTile("die")), LayTile("die"), "tile-lies"),
        (NEXT, LayTile("parks"), "tile-lies"),
    ],
    "trail-again": [
        (NEXT, Hike(0, 1), "finish-first"),
        (NEXT, PlaceShutterbug("forest"), "finish-first"),
        (lay_all(NEXT), Hike(0, 1), "finish-first"),
        (after_last_step(state_before_season_end(None)), Hike(0, 1), "finish-first"),
    ],
    "site-action": [
        (make_state(), LayTile("die"), "hike-first"),
        (make_state(), PlaceShutterbug("forest"), "hike-first"),
    ],
    "setup-season-tile": [
        (make_state(), NameTile("summer-gear"), "other-season"),
        (make_state(), NameTile("spring-sun"), "no-change"),
    ],
    "season-bonus": [(after_last_step(level_state()), NameTile("spring-sun"), "bonus-given")],
}


@run_all_rows("state, move, refused_by, rules", refusal_params(REFUSED))
def test_move_between_seasons_is_refused_by_its_rule(state, move, refused_by, rules):
    assert objection_codes(state, move) == refused_by
    assert objection_rules(state, move) == rules


def test_only_tiles_not_placed_yet_are_offered():
    assert {move.tile for move in legal_moves(state_after(NEXT, LayTile("die")), LayTile)} == set(TRAIL_TILES) - {"die"}
    assert len({move.tile for move in legal_moves(NEXT, LayTile)}) == len(SITES) - 1


@pytest.mark.parametrize(
    "rulings, weather",
    [
        ({}, ("", "sun", "water", "sun", "water", "sun", "water", "sun", "water")),
        ({"weather-start": "water"}, ("", "water", "sun", "water", "sun", "water", "sun", "water", "sun")),
        ({"weather-parks": "no"}, ("", "sun", "water", "sun", "", "water", "sun", "water", "sun")),
    ],
)
def test_weather_alternates_from_the_second_site(rulings, weather):
    state = TRACKED_GAME.initial_state(replace(ready_setup("Ana", "Bo"), rulings=rulings))
    assert state.weather == weather


def test_limited_tokens_reduce_the_weather():
    state = after_last_step(
        with_supply_left(
            (15, 15, 1, 2, 14), state_before_season_end("spring-forest", rulings={"token-supply": "limited"})
        )
    )
    assert state.weather == ("", "sun", "water", "", "water", "", "", "", "")


def test_third_season_is_the_last():
    assert not after_last_step(state_before_season_end("summer-gear", season=1)).is_over
    state = after_last_step(state_before_season_end("fall-sun", season=2))
    assert (
        state.is_over
        and objection_codes(state, Hike(0, 1)) == ["game-over"]
        and objection_rules(state, Hike(0, 1)) == {"winner"}
    )


def test_season_ends_only_when_all_hikers_are_at_trail_end():
    state = with_changes(state_before_season_end("spring-sun"), BO, hikers=(9, END_GEAR))
    state = state_after(state, END)
    assert state_after(state, *[Skip()] * (state.turn == ANA)).turn == BO


def test_drawn_gear_of_the_bonus_must_be_named():
    state = after_last_step(state_with_bonus("spring-sun"))
    assert state.tasks == (NameDrawnGear(),) and objection_codes(state, Skip()) == ["finish-first"]
