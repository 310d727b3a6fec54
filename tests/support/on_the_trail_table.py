"""The race of ON THE TRAIL that the tests start from, and parameters for tables of cases.

The values of the Trail cards and Boosts here are invented: no source prints those of the box.

"""

import pytest
from msgspec.structs import replace

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.on_the_trail.card_facts import BoostFact, CardFacts, Leg, TrailCard
from scoring.on_the_trail.cards import NO_CARDS, Cards
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.rules import RULES
from scoring.on_the_trail.state import State
from tests.support import rule_cases

TRACKED_GAME = TRACKED_GAMES["on-the-trail"]
ANA, BO = 0, 1

_COLOURS = {"r": "red", "y": "yellow", "g": "green"}
_STOPS = {".": "neutral", "!": "setback", "+": "aid"}


def parse_trail_card(text: str) -> TrailCard:
    """Return a complete Trail card: a letter per leg, a sign per stop.

    The signs: `.` neutral, `!` Setback, `+` Aid Station.
    """
    legs = zip(text[::2], text[1::2], strict=True)
    return TrailCard(tuple(Leg(_COLOURS[colour], _STOPS[stop]) for colour, stop in legs), whole=True)


CARD_FACTS = CardFacts(
    cards=(
        parse_trail_card("y.r!g.y+"),
        parse_trail_card("g.g!r.y!r+"),
        parse_trail_card("r.y.y!g+"),
        parse_trail_card("g!y.g+"),
        parse_trail_card("y!g.r!g.y+"),
    ),
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
PARTIAL_CARD_FACTS = CardFacts(
    cards=(CARD_FACTS.cards[0], TrailCard(CARD_FACTS.cards[1].legs[:2]), TrailCard(), TrailCard(), TrailCard()),
    boosts={"cool-off": CARD_FACTS.boosts["cool-off"]},
    setbacks={"nausea": "green"},
)
UNFINISHED_CARD_FACTS = replace(
    CARD_FACTS,
    cards=(*CARD_FACTS.cards[:4], replace(CARD_FACTS.cards[4], legs=CARD_FACTS.cards[4].legs[:3], whole=False)),
)


def validate_state(state: State, *, allow_errors: bool = False) -> State:
    """Return the race, after asserting that a player could enter it as a position.

    With `allow_errors` nothing is asserted.
    """
    if allow_errors:
        return state
    assert list(TRACKED_GAME.position_format.position_errors(state)) == []
    assert TRACKED_GAME.position_format.from_position(TRACKED_GAME.position_format.to_position(state)) == state, (
        "the race goes on from there by itself"
    )
    return state


def with_changes(state: State, seat: int | None = None, *, allow_errors: bool = False, **changes) -> State:
    """Return the race with changed fields of the table, or of one runner if `seat` is given."""
    return validate_state(
        replace(state, **changes) if seat is None else state.with_player(seat, **changes), allow_errors=allow_errors
    )


def make_state(
    *, tracking: str = "open", solo: bool = False, facts: CardFacts = CARD_FACTS, order=(0, 1, 2, 3, 4), **changes
) -> State:
    """Return the race before the first turn, with the tests' card facts and unknown hands.

    The legs: 1 yellow, 2 red, 3 green, 4 yellow | 5 green, 6 green, 7 red, 8 yellow, 9 red | 10 red, 11 yellow, 12
    yellow, 13 green | 14 green, 15 yellow, 16 green | 17 yellow, 18 green, 19 red, 20 green, 21 yellow. Each card
    ends at an Aid Station; Setbacks are at 2, 6, 8, 12, 14, 17 and 19.
    """
    names = ["Ana"] if solo else ["Ana", "Bo"]
    setup = replace(TRACKED_GAME.setup_format.default(names), tracking=tracking, facts=facts, order=order)
    return with_changes(TRACKED_GAME.initial_state(setup), **changes)


def state_with_hand(
    *cards: int, at: int = 0, state: State | None = None, other_at: int | None = None, **changes
) -> State:
    """Return Ana's turn after `at` legs, with these red, yellow, green and wild cards known."""
    state = state or make_state()
    hand: Cards = tuple(cards) or NO_CARDS
    state = state.with_player(ANA, hand=hand, unknown_hand=0, legs_run=at, **changes)
    return with_changes(state, BO, legs_run=at if other_at is None else other_at)


# Ana is at the finish, and Bo at the start.
LAST_TURN = with_changes(make_state().with_player(ANA, legs_run=21, finished=True), turn=BO)
OVER = with_changes(LAST_TURN, phase="over")


def objection_codes(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the code of every objection to a move."""
    return [reason.code for reason in TRACKED_GAME.objections(state, seat, move)]


def objection_rules(state: State, move: Move, seat: int = ANA) -> set[str]:
    """Return the id of every rule that forbids a move."""
    return {reason.rule.id for reason in TRACKED_GAME.objections(state, seat, move)}


def objection_texts(state: State, move: Move, seat: int = ANA) -> list[str]:
    """Return the text of every objection to a move."""
    return [reason.text for reason in TRACKED_GAME.objections(state, seat, move)]


def state_after(state: State, *moves: Move) -> State:
    """Return the state after moves, each by the player to move."""
    for move in moves:
        state = TRACKED_GAME.play(state, TRACKED_GAME.flow.to_move(state)[0], move)
    return state


def select_fields(state: State, expected: dict, seat: int = ANA) -> dict:
    """Return the fields of the race, and of one runner, that a case names."""
    player = state.players[seat]
    everything = {name: getattr(state, name) for name in state.__struct_fields__}
    everything |= {name: getattr(player, name) for name in player.__struct_fields__} | {
        "held": player.held,
        "deck": player.deck,
        "complete": state.is_route_complete,
        "solo": state.is_solo,
        "setback_pile": state.setback_pile_size,
        "boosts_left": state.boosts_left,
        "stop": stop_at(state, player.legs_run),
    }
    return {name: everything[name] for name in expected}


def case_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a table, each named after the rule it is listed under."""
    return rule_cases.case_params(TRACKED_GAME.box, by_rule)


def refusal_params(by_rule: dict[str, list[tuple]]) -> list:
    """Return the cases of a (state, move, refused_by) table, each with the rule to be cited."""
    return [
        pytest.param(state, move, refused_by, RULES[rule].id, id=f"{rule}-{number}-{refused_by}")
        for rule, number, (state, move, refused_by) in rule_cases.iterate_cases(TRACKED_GAME.box, by_rule)
    ]
