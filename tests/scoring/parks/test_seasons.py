"""PARKS: every season tile's bonus, what is set back between seasons, the Trail laid anew, three seasons and no more."""

import pytest
from msgspec.structs import replace

from scoring.parks import PLAY
from scoring.parks.box import SEASON_TILES, SITES, TILES
from scoring.parks.moves.hiking import Hike, Leave
from scoring.parks.moves.park_actions import DrawGear, Reserve
from scoring.parks.moves.reveals import NameTile
from scoring.parks.moves.sites import Roll, TakeCanteen, TakePhoto
from scoring.parks.moves.trail_setup import LayTile, PlaceShutterbug
from scoring.parks.state import AskTile, Do, DrawnGear, Lay, PlaceBug, SecondPhoto, SetOut
from tests.support.cases import every_row
from tests.support.parks_table import (
    ANA,
    BO,
    CY,
    END_GEAR,
    after,
    ana,
    but,
    cases,
    cited,
    codes,
    have,
    laid,
    left,
    offered,
    refusals,
    shown,
    table,
)

USED = {"end_used": (True, True, True)}


def last_step(tile: str | None, season: int = 0, rulings: dict | None = None, players: int = 2, **changes):
    """Return Ana with one hiker left beside the end of a season; her step takes nothing and gives nothing."""
    state = table(players, rulings, tile=tile, season=season, **{**USED, **changes})
    for seat in range(1, players):
        state = but(state, seat, hikers=(END_GEAR, END_GEAR))
    return ana(state, hikers=(9, END_GEAR))


END = Hike(9, END_GEAR)


def over(state, *moves):
    """Return the state after Ana's last step, which buys nothing."""
    state = after(state, END)
    return after(
        state, *([Leave()] if state.tasks and state.tasks[-1] == Do("buy") and state.awards is None else []), *moves
    )


# Each tile of Spring and Summer: what makes Ana have most, the moves that take the bonus, and what comes of it.
BONUS = {
    "spring-sun": ({"tokens": have(sun=1)}, [DrawGear("compass-die")], {"gear": ("compass-die",), "bought": 0}),
    "spring-water": ({"tokens": have(water=1)}, [TakeCanteen("parks", 0)], {"canteens": (("parks",), (), ())}),
    "spring-forest": ({"tokens": have(forest=1)}, [Reserve("Zion")], {"reserve": ("Zion",)}),
    "spring-mountain": ({"tokens": have(mountain=1)}, [], {"photos": 1, "tokens": have(mountain=1)}),
    "summer-gear": ({"gear": ("compass-trade",)}, [Roll("forest"), Roll("2 sun")], {"tokens": have(forest=1, sun=2)}),
    "summer-wildlife": (
        {"tokens": have(wildlife=1)},
        [Roll("forest"), Roll("forest")],
        {"tokens": have(2, wildlife=1)},
    ),
    "summer-canteens": (
        {"canteens": (("2 sun",), (), ())},
        [Roll("mountain"), Roll("mountain")],
        {"tokens": have(0, 2)},
    ),
    "summer-instants": (
        {"visited": ("Voyageurs",)},
        [Roll("mountain"), Roll("wildlife")],
        {"tokens": have(0, 1, 0, 0, 1)},
    ),
}


def ready_for(tile: str):
    things, _, _ = BONUS[tile]
    return but(
        last_step(tile, season=0 if tile.startswith("spring") else 1), ANA, **{"hikers": (9, END_GEAR), **things}
    )


@every_row("tile", BONUS)
def test_whoever_has_most_gets_the_bonus_of_the_season(tile):
    _, moves, expected = BONUS[tile]
    state = over(ready_for(tile), *moves)
    assert shown(state, expected) == expected
    assert state.awards is None and state.tasks[-1] == Lay() and state.season == (1 if tile.startswith("spring") else 2)


@every_row("tile", BONUS)
def test_having_none_or_less_gets_nothing(tile):
    things, _, _ = BONUS[tile]
    bare = over(last_step(tile, season=0 if tile.startswith("spring") else 1))
    assert bare.tasks[-1] == Lay() and bare.players[ANA].photos == 0
    bare = but(ready_for(tile), ANA, tokens=have(), gear=(), visited=(), canteens=((), (), ()))
    beaten = but(bare, BO, **{**things, "hikers": (END_GEAR, END_GEAR)})
    state = over(beaten)
    assert state.turn == BO or state.players[BO].photos == 1  # a free photo takes no decision


@every_row("tile", [tile for tile in SEASON_TILES if tile.startswith("fall")])
def test_a_fall_tile_ends_the_game_and_scores(tile):
    kind = tile.removeprefix("fall-")
    name = {"sun": "Arches", "water": "Everglades", "forest": "Congaree", "mountain": "Zion"}[kind]
    state = over(but(last_step(tile, season=2, parks=("Denali",)), ANA, visited=(name,)))
    assert state.over and PLAY.to_move(state) == ()
    sheet = PLAY.box.score(PLAY.final(state))
    assert [column.of("fall-bonus") for column in sheet.columns] == [3, 0]


def test_every_season_tile_has_its_case():
    assert set(BONUS) | {tile for tile in SEASON_TILES if tile.startswith("fall")} == set(SEASON_TILES)


LEVEL = {"tokens": have(forest=2)}
NOBODY = {"season-tie": "nobody"}
ON_PARKS = {"spring-counts": "parks"}


def level(rulings: dict | None = None, first_hiker: int = 0):
    state = last_step("spring-forest", rulings=rulings, players=3, first_hiker=first_hiker)
    return but(but(state, ANA, **LEVEL), CY, **LEVEL)


OUTCOMES = {
    "season-tie": [
        (over(level()), [], {"turn": ANA, "awards": (ANA, CY)}),
        (over(level(), Reserve("Zion")), [], {"turn": CY, "awards": (CY,), "tasks": (Do("reserve"),)}),
        (over(level(first_hiker=1)), [], {"turn": CY, "awards": (CY, ANA)}),
        (over(level(NOBODY)), [], {"awards": None, "season": 1}),
        (over(but(level(NOBODY), ANA, tokens=have(forest=3))), [], {"awards": (ANA,)}),
    ],
    "spring-counts": [
        (over(but(last_step("spring-forest", rulings=ON_PARKS), ANA, **LEVEL)), [], {"awards": None, "season": 1}),
        (over(but(last_step("spring-forest", rulings=ON_PARKS), ANA, visited=("Congaree",))), [], {"awards": (ANA,)}),
        (over(but(last_step("spring-forest"), ANA, visited=("Congaree",))), [], {"awards": None, "season": 1}),
    ],
    "season-bonus": [
        (over(level()), [Leave()], {"reserve": (), "turn": CY}),
        (over(but(ready_for("spring-water"), ANA, canteens=(("2 sun", "2 sun"),) * 3)), [], {"season": 1}),
    ],
    "gear-ready": [
        (
            over(but(level(), ANA, gear=("binoculars-reserve",))),
            [Reserve("Zion")],
            {"tokens": have(forest=2, mountain=1)},
        ),
    ],
    "photo-free": [
        (
            over(but(ready_for("spring-mountain"), ANA, gear=("sunscreen-photo",))),
            [],
            {"tokens": have(mountain=1), "photos": 1},
        ),
        (over(but(ready_for("spring-mountain"), badge=ANA)), [], {"tasks": (SecondPhoto(),), "photos": 1}),
        (over(but(ready_for("spring-mountain"), badge=ANA)), [TakePhoto("mountain")], {"photos": 2, "tokens": have()}),
    ],
    "setup-season-tile": [
        (over(last_step(None)), [], {"tasks": (AskTile(),), "season": 0}),
        (over(last_step(None)), [NameTile("spring-forest")], {"season": 1, "tile": None}),
        (
            over(but(last_step(None), ANA, **LEVEL)),
            [NameTile("spring-forest")],
            {"awards": (ANA,), "tile": "spring-forest"},
        ),
        (over(last_step(None, season=2)), [NameTile("fall-sun")], {"over": True}),
    ],
    "park-once": [
        (over(level(), Reserve("Zion"), Reserve("Redwood")), [], {"parks": (None, None, "Yellowstone")}),
    ],
}


@every_row("state, moves, expected", cases(OUTCOMES))
def test_the_end_of_a_season_goes_by_its_rule(state, moves, expected):
    assert shown(after(state, *moves), expected) == expected


# What is set back

TIRED = last_step("spring-sun", weather=("", "sun", "", "", "", "", "", "water", ""))
TIRED = but(TIRED, BO, canteens=(("2 sun",), ("photo",), ()), filled=(True, True, False), hikers=(END_GEAR, END_GEAR))
NEXT = over(TIRED)


@every_row(
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
                "end_used": (False,) * 3,
                "tasks": (SetOut(), PlaceBug(), Lay()),
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
def test_between_seasons_everything_is_set_back(seat, expected):
    assert shown(NEXT, expected, seat) == expected


def test_the_badge_and_the_first_hiker_stay_with_their_owners():
    state = over(but(TIRED, badge=BO, first_hiker=BO))
    assert (state.badge, state.first_hiker, state.turn) == (BO, BO, BO)


def test_the_badge_goes_back_beside_the_board_where_the_table_rules_so():
    assert over(but(TIRED, badge=BO, rulings={"badge-between": "returns"})).badge is None


def lay_all(state):
    return after(state, *(LayTile(tile) for tile in reversed(TILES[1:])))


def test_the_trail_is_laid_tile_by_tile_around_the_parks_site_and_the_last_lays_itself():
    state = lay_all(NEXT)
    assert state.sites == ("gear", "die", "photo", "wildlife", "parks", "water", "sun", "mountain", "forest")
    assert state.tasks == (SetOut(), PlaceBug())
    state = after(state, PlaceShutterbug("canteen"))
    assert state.shutterbug == "photo" and state.tasks == (SetOut(),) and state.turn == ANA


def test_anybody_may_lay_the_trail():
    assert PLAY.to_move(NEXT) == (ANA, BO)
    assert PLAY.play(NEXT, BO, LayTile("die")).sites[0] == "die"


@every_row("face", ["forest", "mountain", "2 sun", "2 water", "wildlife", "canteen"])
def test_the_die_says_where_the_shutterbug_lies(face):
    site = {"2 sun": "sun", "2 water": "water", "canteen": "photo"}.get(face, face)
    assert after(lay_all(NEXT), PlaceShutterbug(face)).shutterbug == site


REFUSED = {
    "setup-tiles": [
        (after(NEXT, LayTile("die")), LayTile("die"), "tile-lies"),
        (NEXT, LayTile("parks"), "tile-lies"),
    ],
    "trail-again": [
        (NEXT, Hike(0, 1), "finish-first"),
        (NEXT, PlaceShutterbug("forest"), "finish-first"),
        (lay_all(NEXT), Hike(0, 1), "finish-first"),
        (over(last_step(None)), Hike(0, 1), "finish-first"),
    ],
    "site-action": [(table(), LayTile("die"), "hike-first"), (table(), PlaceShutterbug("forest"), "hike-first")],
    "setup-season-tile": [
        (table(), NameTile("summer-gear"), "other-season"),
        (table(), NameTile("spring-sun"), "no-change"),
    ],
    "season-bonus": [(over(level()), NameTile("spring-sun"), "bonus-given")],
}


@every_row("state, move, refused_by, rules", refusals(REFUSED))
def test_between_seasons_refusals_cite_their_rule(state, move, refused_by, rules):
    assert codes(state, move) == refused_by
    assert cited(state, move) == rules


def test_only_tiles_not_laid_yet_are_offered():
    assert {move.tile for move in offered(after(NEXT, LayTile("die")), LayTile)} == set(TILES) - {"die"}
    assert len({move.tile for move in offered(NEXT, LayTile)}) == len(SITES) - 1


@pytest.mark.parametrize(
    "rulings, weather",
    [
        ({}, ("", "sun", "water", "sun", "water", "sun", "water", "sun", "water")),
        ({"weather-start": "water"}, ("", "water", "sun", "water", "sun", "water", "sun", "water", "sun")),
        ({"weather-parks": "no"}, ("", "sun", "water", "sun", "", "water", "sun", "water", "sun")),
    ],
)
def test_weather_lies_by_turns_from_the_second_site_on(rulings, weather):
    state = PLAY.begin(replace(laid("Ana", "Bo"), rulings=rulings))
    assert state.weather == weather


def test_limited_tokens_make_for_less_weather():
    state = over(left((15, 15, 1, 2, 14), last_step("spring-forest", rulings={"token-supply": "limited"})))
    assert state.weather == ("", "sun", "water", "", "water", "", "", "", "")


def test_the_third_season_is_the_last():
    assert not over(last_step("summer-gear", season=1)).over
    state = over(last_step("fall-sun", season=2))
    assert state.over and codes(state, Hike(0, 1)) == ["game-over"] and cited(state, Hike(0, 1)) == {"winner"}


def test_a_season_ends_only_when_all_hikers_are_at_trail_end():
    state = but(last_step("spring-sun"), BO, hikers=(9, END_GEAR))
    state = after(state, END)
    assert after(state, *[Leave()] * (state.turn == ANA)).turn == BO


def test_the_drawn_gear_of_the_bonus_must_be_named():
    state = over(ready_for("spring-sun"))
    assert state.tasks == (DrawnGear(),) and codes(state, Leave()) == ["finish-first"]
