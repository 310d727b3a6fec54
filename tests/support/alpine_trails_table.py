"""The table of ALPINE TRAILS that the tests start from, and how a table of cases is read."""

import pytest

from scoring.alpine_trails.map.tiles import TrailMap
from scoring.alpine_trails.position import Position, Side
from scoring.alpine_trails.rules import RULES
from scoring.alpine_trails.state import AnimalCard, State
from scoring.games import PLAYS
from scoring.kernel.move import Move
from tests.support import rule_cases
from tests.support.alpine_trails_maps import drawn

PLAY = PLAYS["alpine-trails"]
NAMES = ("Ana", "Bo", "Cy", "Di", "Ed")
KNOWN = {"forest": "bear", "rock": "goat", "meadow": "wolf", "wetland": "moose"}
CARD = AnimalCard(**KNOWN)

ANA, BO, CY = 0, 1, 2
CAMP = drawn("Br Br")


def table(
    players: int = 2, ana: str | TrailMap = CAMP, others: TrailMap = CAMP, *, anyhow: bool = False, **changes
) -> State:
    """Return a table in its first round whose animal card is known; Ana's map is drawn, the others have base camp.

    `changes` are those of the table as it lies: its bag, round, animals, rulings.
    """
    maps = [drawn(ana) if isinstance(ana, str) else ana, *[others] * (players - 1)]
    sides = tuple(Side(name, tiles) for name, tiles in zip(NAMES[:players], maps, strict=True))
    state = PLAY.lying.state(Position(sides, **{"animals": KNOWN, **changes}))
    return state if anyhow else checked(state)


def checked(state: State) -> State:
    """Return a table on which everything adds up, as far as can be said of it."""
    assert list(PLAY.lying.faults(state)) == []
    assert PLAY.lying.state(PLAY.lying.says(state)) == state
    return state


def with_side(state: State, seat: int, **changes) -> State:
    """Return the table with one player's side of it changed."""
    return checked(state.with_player(seat, **changes))


def with_ana(state: State, **changes) -> State:
    """Return the table with Ana's side of it changed."""
    return with_side(state, ANA, **changes)


def against(state: State, move: Move, seat: int = ANA) -> list[tuple[str, str]]:
    """Return all that speaks against a move: the rule and the sentence."""
    return [(reason.rule.id, reason.text) for reason in PLAY.objections(state, seat, move)]


def after(state: State, *moves: Move, seat: int = ANA) -> State:
    """Return the state after a player's moves."""
    for move in moves:
        state = PLAY.play(state, seat, move)
    return state


def refusals(table: dict[str, list[tuple]]) -> list:
    """Return the cases of a table of (state, move, sentence), each with the rule that must be cited."""
    return [
        pytest.param(state, move, RULES[rule].id, sentence, id=f"{rule}-{number}")
        for rule, number, (state, move, sentence) in rule_cases.rows(PLAY.box, table)
    ]


def cases(table: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each under the rule it shows."""
    return rule_cases.cases(PLAY.box, table)
