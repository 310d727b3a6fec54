"""The table of ALPINE TRAILS that the tests start from, and parameters for tables of cases."""

import pytest

from scoring.alpine_trails.map.tiles import TrailMap
from scoring.alpine_trails.position import PlayerPosition, Position
from scoring.alpine_trails.rules import RULES
from scoring.alpine_trails.state import AnimalCard, State
from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from tests.support import rule_cases
from tests.support.alpine_trails_maps import parse_map

TRACKED_GAME = TRACKED_GAMES["alpine-trails"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")
KNOWN_ANIMALS = {"forest": "bear", "rock": "goat", "meadow": "wolf", "wetland": "moose"}
ANIMAL_CARD = AnimalCard(**KNOWN_ANIMALS)

ANA, BO, CY = 0, 1, 2
BASE_CAMP = parse_map("Br Br")


def make_state(
    players: int = 2,
    ana_map: str | TrailMap = BASE_CAMP,
    other_map: TrailMap = BASE_CAMP,
    *,
    allow_errors: bool = False,
    **changes,
) -> State:
    """Return a table in its first round with a known animal card; only Ana's map is drawn.

    The others have base camp. `changes` are fields of the table: bag, round, animals, rulings.
    """
    maps = [parse_map(ana_map) if isinstance(ana_map, str) else ana_map, *[other_map] * (players - 1)]
    sides = tuple(PlayerPosition(name, tiles) for name, tiles in zip(NAMES[:players], maps, strict=True))
    state = TRACKED_GAME.position_format.from_position(Position(sides, **{"animals": KNOWN_ANIMALS, **changes}))
    return state if allow_errors else validate_state(state)


def validate_state(state: State) -> State:
    """Return the state after asserting that it is consistent, as far as that is known."""
    assert list(TRACKED_GAME.position_format.position_errors(state)) == []
    assert TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(state)) == state
    return state


def with_player(state: State, seat: int, **changes) -> State:
    """Return the state with changed fields of one player."""
    return validate_state(state.with_player(seat, **changes))


def with_ana(state: State, **changes) -> State:
    """Return the state with changed fields of Ana."""
    return with_player(state, ANA, **changes)


def objection_rules_and_texts(state: State, move: Move, seat: int = ANA) -> list[tuple[str, str]]:
    """Return the rule and the text of every objection to a move."""
    return [(reason.rule.id, reason.text) for reason in TRACKED_GAME.objections(state, seat, move)]


def state_after(state: State, *moves: Move, seat: int = ANA) -> State:
    """Return the state after moves of one player."""
    for move in moves:
        state = TRACKED_GAME.play(state, seat, move)
    return state


def refusal_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a table of (state, move, text), each with the rule that must be cited."""
    return [
        pytest.param(state, move, RULES[rule].id, sentence, id=f"{rule}-{number}")
        for rule, number, (state, move, sentence) in rule_cases.iterate_cases(TRACKED_GAME.box, by_rule)
    ]


def case_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each under the rule it shows."""
    return rule_cases.case_params(TRACKED_GAME.box, by_rule)
