"""TRAILS positions: round trips at every step of a game, and what does not add up."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.trails.box import SUN_TRACKS
from scoring.trails.position import TASKS_BY_NAME, PlayerPosition, Position
from scoring.trails.state import (
    NO_CARD,
    BearEncounter,
    BothSites,
    ChooseResource,
    EarnBadges,
    EarnFreeBadge,
    KeepEight,
    MoveSun,
    Photo,
    SiteAction,
    StartHike,
    SunTrack,
)
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup
from tests.support.rule_cases import iterate_cases
from tests.support.trails_invariants import TABLES
from tests.support.trails_table import (
    ANA,
    BO,
    FINAL_SUN,
    NO_CARDS,
    TRACKED_GAME,
    finished_state,
    make_state,
    with_badges_earned,
    with_photos,
)

TRACKED_TABLES = [table for table in TABLES if table.tracked is TRACKED_GAME]


def random_states(table, number: int):
    """Yield each state of a random game with moves out of turn and adopted rulings."""
    log: list = []
    random_game(TRACKED_GAME, table.setup, random.Random(f"{table.name} {number}"), log, out_of_turn_chance=0.3)
    state = TRACKED_GAME.initial_state(table.setup)
    yield state
    for seat, move in log:
        state = TRACKED_GAME.play(state, seat, move)
        yield state


def _json(data):
    return msgspec.json.decode(msgspec.json.encode(data))


@pytest.mark.slow("random games at every table")
@parametrize_cases("number", range(5))
@pytest.mark.parametrize("table", TRACKED_TABLES, ids=lambda table: table.name.replace(" ", "-"))
def test_every_state_of_a_game_survives_a_round_trip_and_adds_up(table, number):
    for state in random_states(table, number):
        assert list(TRACKED_GAME.position_format.position_errors(state)) == []
        assert TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(state)) == state
        assert TRACKED_GAME.position_format.from_data(_json(TRACKED_GAME.position_format.to_data(state))) == state


START = make_state()
AT_END = START.with_player(ANA, space=6, facing=-1)
EARNING = replace(AT_END, tasks=(EarnBadges("trail-end"),))

# (state, error line)
FAULTS = {
    "players": [
        (replace(START, players=START.players[:1]), "TRAILS is for 2 to 4 players, not 1."),
        (replace(START, turn=2), "There is no such player at this table. Choose one of the players."),
        (
            replace(START, sun=FINAL_SUN, sun_holder=2, turns_left=0),
            "There is no such player at this table. Choose one of the players.",
        ),
        (START.with_player(BO, name="ana"), "Two players are called Ana. Add an initial."),
    ],
    "setup-hiker": [(START.with_player(BO, hiker="brown"), "Two players have the brown hiker. Choose another one.")],
    "setup-sites": [
        (
            replace(START, sites=("acorn", "acorn", "leaf", "rock", "photo")),
            "The Trail needs each site once: acorn, leaf, rock, exchange and photo.",
        ),
        (START.with_player(BO, space=7), "Bo’s hiker is not on the Trail. Choose one of its seven tiles."),
        (START.with_player(BO, space=-1), "Bo’s hiker is not on the Trail. Choose one of its seven tiles."),
    ],
    "setup-track": [
        (
            replace(START, track=SunTrack(SUN_TRACKS[4][0], SUN_TRACKS[2][1])),
            "This side of Trail End is for 4 players. The side for 2 shows: bear.",
        ),
        (replace(START, sun=8), "The Sun can move at most 7 spaces."),
    ],
    "hike-facing": [
        (START.with_player(BO, space=2, facing=0), "Bo\u2019s hiker must face the Trailhead or Trail End.")
    ],
    "turn-around": [
        (START.with_player(BO, facing=-1), "Bo\u2019s hiker must face the Trail at the Trailhead."),
        (START.with_player(BO, space=6), "Bo\u2019s hiker must face the Trail at Trail End."),
    ],
    "components": [
        (START.with_player(BO, cubes=(-1, 1, 1)), "No player can have fewer than 0 acorns."),
        (
            make_state(3).with_player(ANA, cubes=(8, 0, 0)).with_player(BO, cubes=(8, 0, 0)),
            "The box has 15 acorns. The players would have 17.",
        ),
        (
            START.with_player(BO, hand="climber"),
            "There is no badge \u201cclimber\u201d. Did you mean \u201cclimber-rock\u201d?",
        ),
        (
            with_badges_earned(START, badges_left=-2),
            "The box has 42 badges, and 44 are entered. Remove some.",
        ),
    ],
    "resource-supply": [
        (
            replace(
                make_state(tasks=(SiteAction("acorn"),), rulings={"cube-supply": "stand-ins"}).with_player(
                    ANA, space=3, cubes=(100, 0, 0)
                )
            ),
            "No player can have more than 99 acorns.",
        ),
    ],
    "badge-copies": [
        (
            START.with_player(BO, badges=("climber-rock",)),
            "There is only one Climber (rock), and it has already been entered. Choose another badge.",
        ),
        (
            START.with_player(BO, hand="climber-rock"),
            "There is only one Climber (rock), and it has already been entered. Choose another badge.",
        ),
        (
            START.with_player(BO, badges=("science",) * 4),
            "There are only 3 Science badges, and all have already been entered. Choose another badge.",
        ),
    ],
    "photo-faces": [
        (with_photos(START, BO, Photo(3, 0)), "A photo shows 0 to 2 points and 0 to 2 birds. Check the numbers."),
    ],
    "photo-count": [
        (replace(START, photo_deck=31), "The box has 32 photos, but 31 are entered."),
        (make_state(photo_deck=-1), "The box has 32 photos, but 33 are entered."),
        (replace(START, photo_discard=-1, photo_deck=33), "The photo discard pile can’t have fewer than 0 photos."),
    ],
    "photo-deck-empty": [
        (
            make_state(photo_deck=0, photo_discard=3),
            "The photo deck is empty. Flip the discard pile to make a new deck.",
        ),
    ],
    "resource-limit": [
        (START.with_player(BO, cubes=(3, 3, 3)), "Bo has 9 resources. The limit at the end of a turn is 8."),
        (START.with_player(ANA, cubes=(9, 0, 0)), "Ana has 9 resources. The limit at the end of a turn is 8."),
    ],
    "hand-refill": [(EARNING.with_player(BO, hand=NO_CARD), "Bo has no hand badge, but the deck has 37 badges.")],
    "end-checklist": [
        (replace(START, trailhead=NO_CARDS), "A badge is missing at the start of a turn, but the deck has 38 badges."),
        (
            START.with_player(ANA, hand=NO_CARD),
            "A badge is missing at the start of a turn, but the deck has 37 badges.",
        ),
    ],
    "last-round": [
        (
            replace(finished_state(), sun_holder=None, turns_left=None),
            "Play ends after everyone else has had a turn once the Sun is taken.",
        ),
    ],
    "end-trigger": [
        (
            replace(START, sun=3, sun_holder=BO, turns_left=0),
            "The Sun is taken only from its final spot. That starts the last round.",
        ),
        (
            replace(START, sun=FINAL_SUN, sun_holder=BO, turns_left=1),
            "The Sun is taken only from its final spot. That starts the last round.",
        ),
    ],
    "sun-moves": [
        (
            replace(AT_END, sun=FINAL_SUN, tasks=(EarnBadges("trail-end"), MoveSun())),
            "The Sun can’t move this turn. It is already on its final spot.",
        ),
    ],
    "turn-steps": [
        (replace(START, tasks=()), "A turn starts with a hike, but nothing is left to do in this turn."),
        (replace(START, tasks=(StartHike(), StartHike())), "These steps are not from one turn: hike; hike."),
        (
            replace(AT_END, tasks=(EarnBadges("trail-end"), KeepEight())),
            "These steps are not from one turn: return all but 8 resources; earn badges at Trail End.",
        ),
    ],
    "earn-where": [
        (replace(START, tasks=(EarnBadges("trail-end"),)), "Ana must be at Trail End to earn badges there."),
        (
            replace(EARNING, tasks=(EarnBadges("trail-end"), EarnFreeBadge("trailhead"))),
            "Ana must be at the Trailhead to earn badges there.",
        ),
    ],
    "earn-bonus": [
        (
            replace(START, tasks=(ChooseResource(),)),
            "Choose a resource: only possible while earning badges at an end.",
        ),
    ],
    "bear-met": [(replace(START, tasks=(BearEncounter("acorn"),)), "Ana and the bear are not both at the acorn site.")],
    "bear-order": [
        (
            replace(START, tasks=(BothSites("photo", "acorn"),)),
            "Ana is not at the photo site with the bear at the acorn site.",
        ),
    ],
    "site-action": [
        (replace(START, tasks=(SiteAction("photo"),)), "Ana, the bear and the Sun are not at the photo site.")
    ],
}


@run_all_rows(
    "rule, state, line",
    [
        pytest.param(rule, *case, id=f"{rule}-{number}")
        for rule, number, case in iterate_cases(TRACKED_GAME.box, FAULTS)
    ],
)
def test_impossible_position_has_one_error_line(rule, state, line):
    assert [(fault.rule.id, fault.text) for fault in TRACKED_GAME.position_format.position_errors(state)] == [
        (rule, line)
    ]


def test_more_cubes_than_the_box_has_are_valid_after_stand_ins():
    crowd = make_state(3).with_player(ANA, cubes=(8, 0, 0)).with_player(BO, cubes=(8, 0, 0))
    for option in ("stand-ins", "limited"):
        assert list(TRACKED_GAME.position_format.position_errors(replace(crowd, rulings={"cube-supply": option}))) == []


def test_default_values_may_be_omitted():
    table = Position((PlayerPosition("Ana", "brown"), PlayerPosition("Bo", "green")))
    assert TRACKED_GAME.position_format.from_position(table) == TRACKED_GAME.initial_state(ready_setup(["Ana", "Bo"]))
    assert _json(msgspec.to_builtins(table)) == {
        "players": [{"name": "Ana", "hiker": "brown"}, {"name": "Bo", "hiker": "green"}]
    }


def test_position_in_the_middle_of_a_turn_uses_readable_words():
    data = {
        "players": [
            {"name": "Ana", "hiker": "grey", "at": "exchange", "back": True, "canteen": "empty", "acorn": 0},
            {
                "name": "Bo",
                "hiker": "green",
                "at": "trail-end",
                "badges": ["science"],
                "photos": [{"points": 2, "birds": 0}, "unnamed"],
            },
        ],
        "track": {"trail_end": ["2 leaf"], "trailhead": ["photo", "wildlife"]},
        "bear": "rock",
        "sun": {"by": 1},
        "trailhead": ["science", "unnamed"],
        "trail_end": ["unnamed", "unnamed"],
        "discarded_photos": 3,
        "to_do": ["do the exchange site"],
    }
    state = TRACKED_GAME.position_format.from_data(data)
    assert (state.sun, state.sun_holder, state.turns_left, state.photo_deck) == (7, BO, 0, 27)
    assert (state.players[ANA].space, state.players[ANA].facing, state.players[BO].facing) == (1, -1, -1)
    assert state.tasks == (SiteAction("exchange"),)
    assert _json(TRACKED_GAME.position_format.to_data(state)) == data


@pytest.mark.parametrize(
    "data, text",
    [
        ({"to_do": ["hik"]}, 'to_do[0]: no thing to do "hik"; did you mean "hike"?'),
        ({"suns": 3}, 'no key "suns"; did you mean "sun"?'),
    ],
)
def test_unreadable_position_is_refused_with_its_place(data, text):
    players = [{"name": "Ana", "hiker": "grey"}, {"name": "Bo", "hiker": "green"}]
    with pytest.raises(InvalidInputError) as refused:
        TRACKED_GAME.position_format.from_data({"players": players, **data})
    assert str(refused.value) == text


def test_impossible_position_is_refused_with_all_reasons():
    players = [{"name": "Ana", "hiker": "grey", "rock": 16}, {"name": "Bo", "hiker": "grey"}]
    with pytest.raises(IllegalMoveError) as refused:
        TRACKED_GAME.position_format.from_data({"players": players})
    assert [reason.code for reason in refused.value.reasons] == ["hiker-taken", "box-counts", "keep-eight"]


def test_every_task_has_a_different_name():
    assert len(set(TASKS_BY_NAME.values())) == len(TASKS_BY_NAME)
