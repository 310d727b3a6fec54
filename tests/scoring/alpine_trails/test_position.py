"""ALPINE TRAILS positions: round trips at every step of a game, and what does not add up."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from scoring.alpine_trails import TRACKED_GAME
from scoring.alpine_trails.map.tiles import PlacedTile
from scoring.alpine_trails.points import Goal
from scoring.alpine_trails.position import PlayerPosition, Position
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from tests.support import rule_cases
from tests.support.alpine_trails_invariants import TABLES
from tests.support.alpine_trails_maps import parse_map, parse_tile
from tests.support.alpine_trails_table import BASE_CAMP, KNOWN_ANIMALS, NAMES
from tests.support.invariants import TableConfig
from tests.support.parametrize import parametrize_cases, run_all_rows
from tests.support.random_games import random_game

POSITION_FORMAT = TRACKED_GAME.position_format
WOLF = PlacedTile(2, 0, "terrain", "meadow", icons=2, animal="wolf")
WOLVES = (*BASE_CAMP, WOLF, replace(WOLF, x=3))


def row_of_tiles(kind: str, count: int, y: int = 1, **attributes) -> tuple[PlacedTile, ...]:
    """Return base camp with a row of tiles next to it."""
    return (*BASE_CAMP, *(PlacedTile(x, y, kind, **attributes) for x in range(count)))


def position_with(map: str | tuple[PlacedTile, ...] = BASE_CAMP, table: dict | None = None, **side) -> Position:
    """Return a table of two: Bo with base camp, Ana with this map and these fields."""
    tiles = parse_map(map) if isinstance(map, str) else map
    return Position(
        (PlayerPosition("Ana", tiles, **side), PlayerPosition("Bo", BASE_CAMP)),
        **{"animals": KNOWN_ANIMALS, **(table or {})},
    )


def solo_position(**side) -> Position:
    return Position((PlayerPosition("Ana", BASE_CAMP, **side),), animals=KNOWN_ANIMALS)


# Cases by the rule cited: a position and its one error line.
FAULTS = {
    "players": [
        (
            Position(tuple(PlayerPosition(name, BASE_CAMP) for name in "ABCDEF"), bag=72),
            "ALPINE TRAILS is for 1 to 5 players, not 6.",
        ),
        (
            Position((PlayerPosition("Ana", BASE_CAMP), PlayerPosition("ana", BASE_CAMP))),
            "Two players are called Ana. Add an initial.",
        ),
    ],
    "bag": [
        (position_with(table={"bag": 66}), "Each round uses 4 tiles, so 66 tiles leave some over. Use 64 tiles."),
        (position_with(table={"round": 17}), "There is no round 17. A bag of 64 tiles lasts 16 rounds."),
        (position_with(table={"round": 0}), "There is no round 0. A bag of 64 tiles lasts 16 rounds."),
    ],
    "animal-card": [
        (
            position_with(table={"animals": {"forest": "bear", "rock": "bear"}}),
            "The bear can have only one terrain, not forest and rock. Choose one.",
        ),
    ],
    "loop-two": [
        (
            position_with(table={"rulings": {"two-loops": "none"}}),
            "\u201cnone\u201d is not an option of this question: "
            "How many waterfalls do you earn if one tile completes two loops?",
        )
    ],
    "components": [
        (position_with(row_of_tiles("campsite", 26)), "The box has only 25 tents."),
        (position_with(row_of_tiles("waterfall", 37)), "The box has only 36 waterfalls."),
        (position_with(row_of_tiles("terrain", 133, terrain="rock", icons=2)), "The box has only 132 trail tiles."),
    ],
    "lake-supply": [
        (position_with(row_of_tiles("lake", 73)), "The box has only 72 campsite and waterfall tiles, lakes included.")
    ],
    "animal-supply": [(solo_position(kept=("bear",) * 6), "The box has only 5 of each animal.")],
    "animal-once": [
        (position_with(kept=("bear", "bear")), "Ana would have two bears. Each player may have only one."),
        (
            position_with((*BASE_CAMP, WOLF), kept=("wolf",)),
            "Ana would have two wolves. Each player may have only one.",
        ),
        (position_with(WOLVES), "Ana would have two wolves. Each player may have only one."),
    ],
    "draw-two": [
        (position_with(played=3), "Each player has 2 tiles a round. Ana cannot have used 3."),
        (position_with(played=-1), "Each player has 2 tiles a round. Ana cannot have used -1."),
    ],
    "base-camp": [
        (position_with((), played=1), "Ana has no map yet. Enter the base camp first."),
        (position_with((), table={"round": "over"}), "Ana has no map yet. Enter the base camp first."),
    ],
    "campsite-one": [
        (position_with(campsite=True), "Ana has placed a campsite this round, so at least 1 tile is used.")
    ],
    "loop": [(position_with(waterfalls=-1), "Ana cannot have -1 waterfalls to place. Use 0 or more.")],
    "solo-fork": [(solo_position(forks=("rock",)), "The solo game has no forks of other players.")],
    "fork-animal": [(position_with(forks=("rock", "rock")), "Ana can take only one animal for forks of one terrain.")],
    "goal-card": [(position_with(goal=Goal("path-icons", "any")), "The goal card of Ana does not exist.")],
    "game-over": [
        (
            position_with(table={"round": "over"}, waterfalls=1),
            "The bag is empty, so Ana has no waterfall to place and no animal to take.",
        ),
        (
            position_with(table={"round": "over"}, forks=("rock",)),
            "The bag is empty, so Ana has no waterfall to place and no animal to take.",
        ),
        (position_with(complete=True), "Ana’s map cannot be finished before the bag is empty."),
    ],
    "base-camp-squares": [
        (position_with("Br"), "Ana’s map must have one base camp, on two adjacent squares."),
        (position_with("Br f Br"), "Ana’s map must have one base camp, on two adjacent squares."),
        (position_with("Br Br Br"), "Ana’s map must have one base camp, on two adjacent squares."),
        (
            position_with((*BASE_CAMP[:1], PlacedTile(1, 0, "base", "rock", "NS", 1, 1))),
            "Ana’s map, base camp’s east square: Base camp has terrain and icons, but no trail and no animal.",
        ),
    ],
    "place-empty": [
        (
            position_with((*BASE_CAMP, parse_tile("f", 2, 0), parse_tile("lake", 2, 0))),
            "Ana’s map has two tiles on one square.",
        )
    ],
    "place-adjacent": [
        (position_with("Br Br . f"), "Ana’s map is not in one piece. All tiles must touch edge to edge.")
    ],
    "trail-side": [
        (position_with("EW4f Br Br"), "Ana’s map, just west of base camp: A trail is 1, 2 or 3 miles long, not 4.")
    ],
    "trail-shape": [
        (position_with("E1f Br Br"), "Ana’s map, just west of base camp: A trail has two, three or four exits.")
    ],
    "terrain-side": [
        (position_with("f3 Br Br"), "Ana’s map, just west of base camp: A terrain side has 2 icons, not 3.")
    ],
    "score-habitats": [
        (position_with("Br5 Br"), "Ana’s map, base camp’s west square: A tile has 0 to 4 icons, not 5.")
    ],
    "place-sides": [
        (
            position_with((*BASE_CAMP, PlacedTile(2, 0, "terrain", icons=2))),
            "Ana’s map, just east of base camp: Choose a terrain: forest, rock, meadow or wetland.",
        )
    ],
    "habitat-bare": [
        (
            position_with((*BASE_CAMP, PlacedTile(2, 0, "lake", icons=1))),
            "Ana’s map, just east of base camp: A lake has no terrain, trail or icons.",
        )
    ],
    "animal-place": [
        (
            position_with((*BASE_CAMP, replace(WOLF, terrain="rock"))),
            "Ana’s map, just east of base camp: The wolf goes on a meadow terrain tile. This is a rock terrain tile.",
        )
    ],
}


@run_all_rows(
    "position, line, rule", [(*case, rule) for rule, _, case in rule_cases.iterate_cases(TRACKED_GAME.box, FAULTS)]
)
def test_impossible_position_has_one_error_line(position, line, rule):
    found = list(POSITION_FORMAT.position_errors(POSITION_FORMAT.from_position(position)))
    assert [(reason.rule.id, reason.text) for reason in found] == [(rule, line)]
    with pytest.raises(IllegalMoveError):
        POSITION_FORMAT.from_data(msgspec.to_builtins(position))


FULL_POSITION = Position(
    (
        PlayerPosition(
            "Ana",
            (*BASE_CAMP, WOLF),
            Goal("tent-icons", "any"),
            kept=("bear",),
            played=1,
            waterfalls=1,
            forks=("rock",),
        ),
        PlayerPosition("Bo"),
    ),
    bag=12,
    round=3,
    animals={"meadow": "wolf"},
    rulings={"two-loops": "each"},
)


@run_all_rows(
    "position",
    [
        position_with(),
        solo_position(),
        FULL_POSITION,
        position_with(table={"round": "over"}, complete=True, goal=Goal("path-length")),
    ],
)
def test_position_round_trip_keeps_everything(position):
    state = POSITION_FORMAT.from_position(position)
    assert list(POSITION_FORMAT.position_errors(state)) == []
    assert POSITION_FORMAT.to_position(state) == position
    assert POSITION_FORMAT.from_data(POSITION_FORMAT.to_data(state)) == state


def test_default_values_may_be_omitted():
    camp = [{"x": x, "y": 0, "kind": "base", "terrain": "rock", "icons": 1} for x in (0, 1)]
    data = {"players": [{"name": name, "map": camp} for name in NAMES[:2]]}
    state = POSITION_FORMAT.from_data(data)
    assert (state.bag_size, state.round, state.is_play_over, state.players[0].tiles) == (64, 1, False, BASE_CAMP)
    assert msgspec.json.decode(msgspec.json.encode(POSITION_FORMAT.to_data(state))) == data


@run_all_rows(
    "data, text",
    [
        ({"players": [{"name": "Ana", "mapp": []}]}, 'players[0]: no key "mapp"; did you mean "map"?'),
        ({"players": [{"name": "Ana", "kept": ["yeti"]}]}, 'players[0].kept[0]: no value "yeti"; there are goat'),
        ({"players": [], "round": "never"}, 'round: no value "never"'),
        ([], "expected an object, got a list"),
    ],
)
def test_data_that_is_no_position_is_invalid_input(data, text):
    with pytest.raises(InvalidInputError) as refused:
        POSITION_FORMAT.from_data(data)
    assert str(refused.value).startswith(text)


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize(
    "table", [config for config in TABLES if config.tracked is TRACKED_GAME], ids=lambda table: table.name
)
@parametrize_cases("seed", range(2))
def test_every_state_of_a_game_survives_a_round_trip_and_adds_up(table: TableConfig, seed: int):
    log: list = []
    random_game(TRACKED_GAME, table.setup, random.Random(f"{table.name} {seed}"), log, out_of_turn_chance=0.15)
    state = TRACKED_GAME.initial_state(table.setup)
    for number, (seat, move) in enumerate(log):
        assert POSITION_FORMAT.from_position(POSITION_FORMAT.to_position(state)) == state
        assert list(POSITION_FORMAT.position_errors(state)) == []
        if number % 20 == 0:
            assert (
                POSITION_FORMAT.from_data(msgspec.json.decode(msgspec.json.encode(POSITION_FORMAT.to_data(state))))
                == state
            )
        state = TRACKED_GAME.play(state, seat, move)
    assert POSITION_FORMAT.from_position(POSITION_FORMAT.to_position(state)) == state
    assert list(POSITION_FORMAT.position_errors(state)) == []
