"""PARKS positions: round trips in random games, and the errors of impossible ones."""

import random

import pytest
from msgspec.structs import replace

from scoring.kernel.editable import Increment
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.parks import TRACKED_GAME
from scoring.parks.box import CustomCards, CustomPark
from scoring.parks.moves.corrections import Adopt, EditPosition
from scoring.parks.state import (
    NO_CARD,
    ChooseExtra,
    DoAction,
    Extra,
    LayTrail,
    NameSeasonTile,
    PlaceWater,
    RollForShutterbug,
    SeasonCount,
    StartHike,
)
from tests.support.parametrize import run_all_rows
from tests.support.parks_invariants import TABLES
from tests.support.parks_table import (
    ANA,
    BO,
    case_params,
    finished_state,
    make_state,
    ready_setup,
    token_counts,
    with_changes,
)
from tests.support.random_games import random_game

POSITION_FORMAT = TRACKED_GAME.position_format
GAMES = [
    (table, seed) for table in TABLES if table.tracked is TRACKED_GAME for seed in table.seeds(len(TABLES), step=20)
]


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table, seed", GAMES, ids=lambda value: getattr(value, "name", value))
def test_every_state_of_a_game_survives_a_round_trip_and_adds_up(table, seed):
    log = []
    random_game(TRACKED_GAME, table.setup, random.Random(seed), log, out_of_turn_chance=0.2)
    state = TRACKED_GAME.initial_state(table.setup)
    for seat, move in [(0, None), *log]:
        state = TRACKED_GAME.play(state, seat, move) if move else state
        assert POSITION_FORMAT.from_position(POSITION_FORMAT.to_position(state)) == state
        assert list(POSITION_FORMAT.position_errors(state)) == []
        assert POSITION_FORMAT.from_data(POSITION_FORMAT.to_data(state)) == state


PLAIN = make_state()


def test_position_with_names_only_is_the_start_of_a_game():
    state = POSITION_FORMAT.from_data({"players": [{"name": "Ana"}, {"name": "Bo"}]})
    assert state == TRACKED_GAME.initial_state(ready_setup("Ana", "Bo"))


def test_position_uses_readable_words():
    data = {
        "players": [
            {"name": "Ana", "sun": 2, "hikers": ["end photo", "sun"], "reserve": ["Zion", {"card": "not named"}]},
            {"name": "Bo", "top": {"canteens": ["forest"], "water": True}, "hikers": ["trailhead", "site 2"]},
        ],
        "weather": ["none", "none", "none", "water", "none", "none", "none", "none", "none"],
        "parks": [{"card": "gone"}, "Redwood", {"card": "not named"}],
        "to_do": [
            {"do": "pour", "waters": 1},
            {"do": "choose", "of": [{"what": "photo"}, {"what": "roll", "gear": "compass-die"}]},
        ],
        "badge": 1,
    }
    state = POSITION_FORMAT.from_data(data)
    ana, bo = state.players
    assert (ana.hikers, bo.hikers, ana.reserve, bo.filled) == ((3, 11), (0, 2), ("Zion", None), (True, False, False))
    assert state.parks == (NO_CARD, "Redwood", None) and state.badge == BO
    assert state.tasks == (ChooseExtra((Extra("photo"), Extra("roll", "compass-die"))), PlaceWater(1))
    # Derived values: the tokens left in the trays, and the used spaces of Trail End.
    assert state.tray == (15, 15, 28, 27, 14) and state.end_spaces_used == (False, True, False)


@run_all_rows(
    "ana, message",
    [
        ({"hikers": ["trailhead", "lake"]}, 'players[0].hikers[1]: no space "lake"'),
        ({"hikers": ["trailhead", "site 10"]}, 'players[0].hikers[1]: no space "site 10"'),
        ({"reserve": [{"card": "lost"}]}, "players[0].reserve[0].card: "),
        ({"acorns": 1}, 'players[0]: no key "acorns"'),
    ],
)
def test_unknown_word_is_refused_with_its_place(ana, message):
    with pytest.raises(InvalidInputError) as refused:
        POSITION_FORMAT.from_data({"players": [{"name": "Ana", **ana}, {"name": "Bo"}]})
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize("step", [{"do": "swap"}, {"do": "gain later", "token": "forest"}])
def test_task_for_a_token_without_the_token_is_refused(step):
    with pytest.raises(InvalidInputError) as refused:
        POSITION_FORMAT.from_data({"players": [{"name": "Ana"}, {"name": "Bo"}], "to_do": [step]})
    assert str(refused.value) == "to_do[0].token: which token is needed here"


def invalid_state(seat: int | None = None, **changes):
    """Return a state that may be impossible."""
    return with_changes(PLAIN, seat, allow_errors=True, **changes)


LIMITED = {"token-supply": "limited"}
DURING_TRAIL_SETUP = {"sites": (None, None, *PLAIN.sites[2:]), "shutterbug": None}
TWO_GARDENS = CustomCards(parks=(CustomPark("Garden"), CustomPark("Garden")))
FAULTS = {
    "players": [
        (invalid_state(BO, name="Ana"), "Two players are called Ana. Add an initial."),
        (invalid_state(turn=2), "There is no such player at this table."),
        (invalid_state(badge=5), "There is no such player at this table."),
    ],
    "token-supply": [
        (invalid_state(BO, photos=-1), "Bo cannot have fewer than 0 of anything."),
        (
            with_changes(invalid_state(rulings=LIMITED), BO, allow_errors=True, tokens=token_counts(forest=16)),
            "There is more Forest on the table than the 15 in the box.",
        ),
        (
            with_changes(invalid_state(rulings=LIMITED), BO, allow_errors=True, photos=29),
            "There are more photos on the table than the 28 in the box.",
        ),
        (
            invalid_state(rulings={"token-supply": "none"}),
            "\u201cnone\u201d is not an option of this question: What happens when a Resource or the photos run out?",
        ),
    ],
    "home-made": [(invalid_state(facts=TWO_GARDENS), "There is already a park called Garden. Choose another name.")],
    "components": [
        (
            invalid_state(BO, visited=("Zionn",)),
            "There is no park called \u201cZionn\u201d. Did you mean \u201cZion\u201d?",
        ),
        (invalid_state(BO, gear=("kite",)), "There is no gear called \u201ckite\u201d."),
        (
            invalid_state(BO, passion="Botanic"),
            "There is no passion called \u201cBotanic\u201d. Did you mean \u201cBotany\u201d?",
        ),
        (
            invalid_state(tile="spring"),
            (
                "There is no season tile called \u201cspring\u201d. Did you mean \u201cspring-sun\u201d or "
                "\u201cspring-water\u201d or \u201cspring-forest\u201d?"
            ),
        ),
    ],
    "reserve": [(invalid_state(BO, reserve=(NO_CARD,)), "A reserve cannot have gaps.")],
    "setup-tiles": [
        (invalid_state(sites=("forest", *PLAIN.sites[:8])), "There is only one Forest site. Place each tile once."),
        (invalid_state(sites=PLAIN.sites[:8]), "The Trail has nine sites."),
    ],
    "parks-site": [
        (
            invalid_state(
                **DURING_TRAIL_SETUP | {"sites": (None,) * 9, "tasks": (StartHike(), RollForShutterbug(), LayTrail())}
            ),
            "The Trail has no Parks site, but it is printed on the board.",
        )
    ],
    "setup-displays": [
        (invalid_state(parks=()), "There are 1 to 8 face-up parks and gear cards."),
        (invalid_state(canteens=()), "There are 3 face-up canteens."),
    ],
    "park-once": [
        (
            invalid_state(BO, visited=("Zion",)),
            "There is only one Zion, but it is among the face-up parks and visited by Bo.",
        ),
        (invalid_state(BO, reserve=(None,) * 61), "There are more parks on the table than in the box."),
    ],
    "setup-passions": [
        (
            with_changes(invalid_state(ANA, passion="Botany"), BO, allow_errors=True, passion="Botany"),
            "There is only one Botany, but Ana and Bo have it.",
        ),
    ],
    "passion-side": [(invalid_state(BO, side="end"), "Bo has a side of a passion, but no passion.")],
    "passion-goal": [
        (invalid_state(BO, bought=-1), "Bo cannot have bought gear or paid with Wildlife fewer than 0 times.")
    ],
    "canteen-rows": [
        (invalid_state(BO, canteens=(("photo",) * 3, (), ())), "Bo: the top row has room for only two canteens."),
    ],
    "canteen-brings": [
        (invalid_state(BO, filled=(False, True, False)), "Bo: the middle row has no canteen, so it cannot have Water.")
    ],
    "shutterbug-faces": [
        (invalid_state(shutterbug="gear"), "The die has no face for the site with the Shutterbug token.")
    ],
    "end-choice": [
        (
            replace(PLAIN, players=(replace(PLAIN.players[0], hikers=(0, 11)), PLAIN.players[1])),
            "A hiker is on the Photo space at Trail\u2019s End, so its bonus is already taken.",
        ),
        (
            replace(PLAIN, players=(replace(PLAIN.players[0], hikers=(0, 13)), PLAIN.players[1])),
            "Ana has a hiker off the Trail.",
        ),
    ],
    "setup-season-tile": [
        (invalid_state(tile="fall-sun"), "The season tile is not for Spring."),
        (invalid_state(tasks=(NameSeasonTile(),)), "The tile of this season has already been entered."),
    ],
    "seasons": [
        (
            finished_state(allow_errors=True, season=1, tile="summer-gear"),
            "The game is over only after Fall, with its season tile entered and nothing left to do.",
        ),
    ],
    "season-over": [
        (
            invalid_state(season=2, tile="fall-sun", is_over=True, tasks=()),
            "The game is over only when all hikers are at Trail\u2019s End.",
        )
    ],
    "turn-steps": [
        (invalid_state(tasks=()), "The game goes on, so a player must have something to do."),
        (invalid_state(tasks=(PlaceWater(0),)), "A step of the turn has nothing left to do."),
        (invalid_state(tasks=(ChooseExtra(()),)), "A step of the turn has nothing left to do."),
    ],
    "site-action": [
        (
            invalid_state(tasks=(DoAction("roll"), StartHike())),
            "A turn starts with a hike, so no hike can follow another step.",
        )
    ],
    "trail-again": [
        (invalid_state(sites=DURING_TRAIL_SETUP["sites"]), "Trail tiles are entered exactly while a site has none."),
        (invalid_state(tasks=(StartHike(), LayTrail())), "Trail tiles are entered exactly while a site has none."),
    ],
    "setup-shutterbug": [
        (
            invalid_state(shutterbug=None),
            "The Trail Die is rolled for the Shutterbug token exactly while it is off the Trail.",
        ),
        (
            invalid_state(tasks=(StartHike(), RollForShutterbug())),
            "The Trail Die is rolled for the Shutterbug token exactly while it is off the Trail.",
        ),
    ],
    "gear-once": [(invalid_state(used_gear=("compass-die",)), "Ana used gear that is not on their board.")],
    "season-bonus": [
        (invalid_state(awards=(BO,)), "Players take a season bonus only after it is counted, in Spring and Summer."),
        (
            invalid_state(season_count=SeasonCount("spring-sun", (1,))),
            "The season bonus needs a count for every player.",
        ),
    ],
}


@pytest.mark.parametrize("state, line", case_params(FAULTS))
def test_impossible_position_has_one_error_line_by_its_rule(state, line, request):
    rule = request.node.callspec.id.rpartition("-")[0]
    assert [(reason.rule.id, reason.text) for reason in POSITION_FORMAT.position_errors(state)] == [(rule, line)]


def test_stand_ins_from_before_a_ruling_remain_valid():
    state = with_changes(make_state(), BO, tokens=token_counts(forest=16), photos=29)
    ruled = TRACKED_GAME.play(state, ANA, Adopt("token-supply", "limited"))
    assert list(POSITION_FORMAT.position_errors(ruled)) == [] and ruled.has_stand_ins
    assert not TRACKED_GAME.play(PLAIN, ANA, Adopt("token-supply", "limited")).has_stand_ins


def test_position_that_does_not_add_up_is_refused():
    with pytest.raises(IllegalMoveError) as refused:
        POSITION_FORMAT.from_data(
            {"players": [{"name": "Ana", "visited": ["Zion"]}, {"name": "Bo", "visited": ["Zion"]}]}
        )
    assert [reason.code for reason in refused.value.reasons] == ["park-once"]


# Corrections are checked by the position they would create


def test_existing_fault_does_not_block_another_correction():
    state = with_changes(PLAIN, BO, allow_errors=True, side="end")
    assert list(TRACKED_GAME.objections(state, ANA, EditPosition((Increment("players.0.sun", 2),)))) == []
