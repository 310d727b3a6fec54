"""The race of ON THE TRAIL that the tests start from, and how a table of cases is read.

The values on the Trail cards and Boosts here are made up: no source prints those of the box.
"""

import pytest
from msgspec.structs import replace

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.on_the_trail.cards import NONE, Cards
from scoring.on_the_trail.facts import BoostFact, CardFacts, Leg, TrailCard
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.rules import RULES
from scoring.on_the_trail.state import State
from tests.support import rule_cases

PLAY = PLAYS["on-the-trail"]
ANA, BO = 0, 1

_COLOURS = {"r": "red", "y": "yellow", "g": "green"}
_STOPS = {".": "neutral", "!": "setback", "+": "aid"}


def trail(said: str) -> TrailCard:
    """Return a whole Trail card: a letter for each leg, a sign for its stop (. neutral, ! Setback, + Aid Station)."""
    legs = zip(said[::2], said[1::2], strict=True)
    return TrailCard(tuple(Leg(_COLOURS[colour], _STOPS[stop]) for colour, stop in legs), whole=True)


BOX = CardFacts(
    cards=(trail("y.r!g.y+"), trail("g.g!r.y!r+"), trail("r.y.y!g+"), trail("g!y.g+"), trail("y!g.r!g.y+")),
    boosts={
        "up-the-pace": BoostFact(("red", "green"), 2),
        "intervals": BoostFact(("yellow", "yellow"), 3),
        "flat-out": BoostFact(("red", "red", "any"), 4),
        "runners-high": BoostFact(("red", "yellow", "green"), 5),
        "cool-off": BoostFact(("green",)),
        "fire-pit-pitstop": BoostFact(("yellow",)),
        "welcome-break": BoostFact(("any",)),
        "helping-hand": BoostFact(("green", "green")),
        "personal-best": BoostFact(("yellow", "green")),
    },
    setbacks={"stitch": "red", "dehydration": "yellow", "nausea": "green"},
)
HALF_KNOWN = CardFacts(
    cards=(BOX.cards[0], TrailCard(BOX.cards[1].legs[:2]), TrailCard(), TrailCard(), TrailCard()),
    boosts={"cool-off": BOX.boosts["cool-off"]},
    setbacks={"nausea": "green"},
)
UNFINISHED = replace(BOX, cards=(*BOX.cards[:4], replace(BOX.cards[4], legs=BOX.cards[4].legs[:3], whole=False)))


def lying(state: State, *, anyhow: bool = False) -> State:
    """Return a race as somebody would say it to the app: none that could not lie so, unless `anyhow`."""
    if anyhow:
        return state
    assert list(PLAY.lying.faults(state)) == []
    assert PLAY.lying.state(PLAY.lying.says(state)) == state, "the race goes on from there by itself"
    return state


def but(state: State, seat: int | None = None, *, anyhow: bool = False, **changes) -> State:
    """Return a race with something else on the table, or on one runner's side of it."""
    return lying(replace(state, **changes) if seat is None else state.with_player(seat, **changes), anyhow=anyhow)


def race(
    *, tracking: str = "open", solo: bool = False, facts: CardFacts = BOX, order=(0, 1, 2, 3, 4), **changes
) -> State:
    """Return the race before the first turn, on the box of the tests; no hand is told.

    The legs: 1 yellow, 2 red, 3 green, 4 yellow | 5 green, 6 green, 7 red, 8 yellow, 9 red | 10 red, 11 yellow, 12 yellow,
    13 green | 14 green, 15 yellow, 16 green | 17 yellow, 18 green, 19 red, 20 green, 21 yellow. Each card ends at an Aid
    Station; Setbacks wait at 2, 6, 8, 12, 14, 17 and 19.
    """
    names = ["Ana"] if solo else ["Ana", "Bo"]
    setup = replace(PLAY.usual(names), tracking=tracking, facts=facts, order=order)
    return but(PLAY.begin(setup), **changes)


def holding(*cards: int, at: int = 0, state: State | None = None, other_at: int | None = None, **changes) -> State:
    """Return Ana's turn with these red, yellow, green and wild cards in hand, all told, before the leg after `at`."""
    state = state or race()
    hand: Cards = tuple(cards) or NONE
    state = state.with_player(ANA, hand=hand, unseen=0, at=at, **changes)
    return but(state, BO, at=at if other_at is None else other_at)


LAST_TURN = but(race().with_player(ANA, at=21, home=True), turn=BO)  # Ana is at the finish, and Bo at the start
OVER = but(LAST_TURN, phase="over")


def codes(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the codes of everything that speaks against a move."""
    return [reason.code for reason in PLAY.objections(state, seat, move)]


def cited(state: State, move: Move, seat: int = ANA) -> set[str]:
    """Return the ids of the rules that speak against a move."""
    return {reason.rule.id for reason in PLAY.objections(state, seat, move)}


def sentences(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return what is said against a move."""
    return [reason.text for reason in PLAY.objections(state, seat, move)]


def after(state: State, *moves: Move) -> State:
    """Return the state after moves, each by whoever is to move."""
    for move in moves:
        state = PLAY.play(state, PLAY.to_move(state)[0], move)
    return state


def shown(state: State, wanted: dict, seat: int = ANA) -> dict:
    """Return the fields of the race, and of one runner's side of it, that a case speaks of."""
    player = state.players[seat]
    everything = {name: getattr(state, name) for name in state.__struct_fields__}
    everything |= {name: getattr(player, name) for name in player.__struct_fields__} | {
        "held": player.held,
        "deck": player.deck,
        "complete": state.complete,
        "solo": state.solo,
        "setback_pile": state.setback_pile,
        "boosts_left": state.boosts_left,
        "stop": stop_at(state, player.at),
    }
    return {name: everything[name] for name in wanted}


def cases(table: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each named after the rule it stands under."""
    return rule_cases.cases(PLAY.box, table)


def refusals(table: dict[str, list[tuple]]) -> list:
    """Return the cases of a table of (state, move, refused_by), each with the rule that must be cited."""
    return [
        pytest.param(state, move, refused_by, RULES[rule].id, id=f"{rule}-{number}-{refused_by}")
        for rule, number, (state, move, refused_by) in rule_cases.rows(PLAY.box, table)
    ]
