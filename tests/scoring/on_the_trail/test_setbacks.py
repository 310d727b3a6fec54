"""ON THE TRAIL: the stops, and every Setback with what it does; several add up."""

from scoring.on_the_trail import PLAY
from scoring.on_the_trail.box import SETBACKS
from scoring.on_the_trail.facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import TellColour
from scoring.on_the_trail.moves.reveals import TellStop
from scoring.on_the_trail.moves.run_moves import Activate, Run, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeBoost, TakeSetback
from scoring.on_the_trail.rules import EMPTY_PILE
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import need
from tests.support.cases import every_row
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    after,
    but,
    cases,
    codes,
    holding,
    race,
    refusals,
    sentences,
    shown,
    trail,
)

ALL = tuple(id for id, card in SETBACKS.items() for _ in range(card.copies))


def ending(stop: str, *setbacks: str, hand=(0, 1, 1, 0), **changes) -> State:
    """Return Ana about to run a yellow leg to a stop, with Setbacks in front of her."""
    cards = (trail(f"y{stop}g."), *BOX.cards[1:])
    facts = CardFacts(cards=cards, boosts=BOX.boosts, setbacks=BOX.setbacks)
    return holding(*hand, state=race(facts=facts), setbacks=setbacks, **changes)


RUN = [Run("yellow"), Stay()]
KEEP = [Run("yellow"), Stay("green")]
AT_SETBACK = after(ending("!"), *RUN)
AT_AID = after(ending("+", "cramps", "sprain"), *RUN)

BOOST_IDS = tuple(PLAY.box.components.BOOSTS)
LEFT = tuple(id for id in BOOST_IDS if id != "flat-out")


def discarded(*setbacks: str, left: str = "") -> State:
    """Return Ana at a Setback stop with these discarded, one left at most, and all the others in front of Bo."""
    others = list(ALL)
    for id in (*setbacks, *filter(None, [left])):
        others.remove(id)
    return after(but(ending("!").with_player(BO, setbacks=tuple(others)), setback_discard=setbacks), *RUN)


LAST_SETBACK = discarded("cramps", "sprain", left="blisters")
NO_SETBACKS = discarded("sprain", "blisters")
OUTCOMES = {
    "stop-neutral": [(ending("."), RUN, {"setbacks": (), "held": 4, "turn": BO})],
    "stop-final": [
        (ending("!", hand=(0, 1, 2, 0)), [Run("yellow"), Run("green"), Stay()], {"at": 2, "setbacks": (), "turn": BO})
    ],
    "stop-shared": [(but(ending("!", hand=(0, 1, 1, 0)), BO, at=1), RUN, {"phase": "effect", "turn": ANA})],
    "stop-setback": [
        (AT_SETBACK, [TakeSetback("im-fine")], {"setbacks": ("im-fine",), "held": 4, "turn": BO}),
        (AT_SETBACK, [TakeSetback("blisters")], {"setbacks": ("blisters",), "held": 4, "turn": BO}),
    ],
    "no-setback-left": [(but(ending("!"), BO, setbacks=ALL), RUN, {"setbacks": (), "turn": BO})],
    "stop-aid": [
        (AT_AID, [ShedSetbacks()], {"setbacks": (), "boosts": (), "turn": BO}),
        (
            AT_AID,
            [TakeBoost("flat-out")],
            {"setbacks": ("cramps", "sprain"), "boosts": ("flat-out",), "held": 1, "turn": BO},
        ),
    ],
    "aid-boost": [(AT_AID, [TakeBoost("flat-out")], {"boosts": ("flat-out",), "boosts_left": LEFT})],
    "aid-shed": [(AT_AID, [ShedSetbacks()], {"setbacks": (), "setback_discard": ("cramps", "sprain"), "held": 4})],
    "setback-active": [
        (AT_SETBACK, [TakeSetback("sprain")], {"setbacks": ("sprain",), "held": 2}),
        (ending(".", "sprain"), RUN, {"setbacks": ("sprain",), "held": 2}),  # in the turns that follow, too
        (AT_AID, [ShedSetbacks()], {"held": 4}),  # until it is discarded
    ],
    "setback-reshuffle": [
        # Two have been discarded when the last one is drawn: they are shuffled when one is to be drawn again, or at once.
        (LAST_SETBACK, [TakeSetback("blisters")], {"setback_discard": ("cramps", "sprain"), "setback_pile": 0}),
        (
            but(LAST_SETBACK, rulings={EMPTY_PILE.id: "at-once"}),
            [TakeSetback("blisters")],
            {"setback_discard": (), "setback_pile": 2},
        ),
        (NO_SETBACKS, [TakeSetback("sprain")], {"setbacks": ("sprain",), "setback_discard": (), "setback_pile": 1}),
    ],
    "blisters": [
        # Only discarding is left: it needs no tap.
        (ending("+", "blisters"), RUN, {"setbacks": (), "setback_discard": ("blisters",), "boosts": (), "turn": BO}),
        (ending("+", "blisters", "cramps"), RUN, {"setbacks": (), "held": 4, "turn": BO}),
        (after(ending("!"), *RUN), [TakeSetback("blisters")], {"boosts": (), "held": 4}),
    ],
    "fine": [(ending(".", "im-fine", "im-fine"), KEEP, {"held": 5, "turn": BO})],
    "cramps": [
        (ending(".", "cramps"), RUN, {"held": 3}),
        (ending(".", "cramps", "cramps"), RUN, {"held": 2}),
        (ending(".", "cramps", "cramps", "cramps"), KEEP, {"held": 2}),
    ],
    "sprain": [(ending(".", "sprain"), RUN, {"held": 2})],
    "cumulative": [
        (ending(".", "cramps", "sprain"), RUN, {"held": 1}),
        (ending(".", "cramps", "cramps", "sprain"), RUN, {"held": 0}),
    ],
    "draw-floor": [(ending(".", "cramps", "cramps", "cramps", "sprain"), RUN, {"held": 0, "turn": BO})],
    "cut-at-once": [
        (AT_SETBACK, [TakeSetback("cramps")], {"held": 3}),
        (AT_SETBACK, [TakeSetback("sprain")], {"held": 2}),
        (after(ending("!"), *KEEP), [TakeSetback("hitting-the-wall")], {"held": 5, "hand": (0, 0, 1, 0)}),
    ],
    "exhaustion": [(ending("!", "exhaustion"), [*RUN, TakeSetback("im-fine")], {"held": 4})],
    "no-pair": [
        (holding(2, 0, 0, 0, setbacks=("nausea",)), [Run("red", pair=True)], {"at": 1}),
        (holding(0, 0, 2, 0, setbacks=("stitch", "dehydration")), [Run("green", pair=True)], {"at": 1}),
        (AT_SETBACK, [TakeSetback("stitch")], {"setbacks": ("stitch",), "turn": BO}),
    ],
    "hitting-the-wall": [(ending(".", "hitting-the-wall"), RUN, {"held": 4, "discard": (0, 1, 1, 0)})],
    "no-boost-left": [
        (
            but(ending("+"), BO, boosts=BOOST_IDS),
            RUN,
            {"boosts": (), "setbacks": (), "turn": BO},
        ),
        (but(ending("+", "cramps"), BO, boosts=BOOST_IDS), RUN, {"setbacks": (), "held": 4}),
    ],
}


@every_row("state, moves, wanted", cases(OUTCOMES))
def test_what_comes_of_it(state, moves, wanted):
    assert shown(after(state, *moves), wanted) == wanted


WALL = after(ending(".", "hitting-the-wall"), Run("yellow"))
REFUSED = {
    "hitting-the-wall": [(WALL, Stay("green"), "no-keep")],
    "exhaustion": [
        (
            holding(1, 1, 1, 0, setbacks=("exhaustion",), boosts=("up-the-pace",)),
            Activate("up-the-pace", red=1, green=1),
            "exhausted",
        ),
        (
            holding(1, 1, 1, 0, setbacks=("exhaustion",), boosts=("cool-off",)),
            Activate("cool-off", green=1, setback="exhaustion"),
            "exhausted",
        ),
    ],
    "no-pair": [
        (holding(2, 0, 0, 0, setbacks=("stitch",)), Run("red", pair=True), "pair-stopped"),
        (holding(0, 0, 2, 0, setbacks=("nausea",)), Run("green", pair=True), "pair-stopped"),
        (holding(0, 2, 0, 0, at=1, setbacks=("dehydration",)), Run("yellow", pair=True), "pair-stopped"),
    ],
    "setback-pile": [
        (after(ending("!", "sprain"), *RUN), TakeSetback("sprain"), "setback-copies"),
        (after(but(ending("!"), BO, setbacks=("cramps",) * 3), *RUN), TakeSetback("cramps"), "setback-copies"),
        (AT_SETBACK, TakeSetback("sunburn"), "no-such-setback"),
    ],
    "boost-pile": [
        (after(but(ending("+"), BO, boosts=("intervals",)), *RUN), TakeBoost("intervals"), "boost-taken"),
        (AT_AID, TakeBoost("wings"), "no-such-boost"),
    ],
    "aid-nothing": [(after(ending("+"), *RUN), ShedSetbacks(), "no-setback")],
    "turn-phases": [(AT_SETBACK, TakeBoost("intervals"), "first"), (AT_AID, TakeSetback("cramps"), "first")],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)] == [(refused_by, rule)]


def test_every_setback_has_a_case_of_its_own():
    tried = {id for rows in (*OUTCOMES.values(), *REFUSED.values()) for row in rows for id in named(row)}
    assert set(SETBACKS) <= tried


def named(row: tuple) -> set[str]:
    """Return the Setbacks a case has in front of Ana, or draws."""
    moves = row[1] if isinstance(row[1], list) else [row[1]]
    return {*row[0].players[ANA].setbacks, *(move.setback for move in moves if isinstance(move, TakeSetback))}


def test_the_box_has_fourteen_setbacks_and_ten_boosts():
    assert (len(ALL), len(PLAY.box.components.BOOSTS)) == (14, 10)


def test_an_empty_pile_gives_what_has_been_discarded():
    assert codes(NO_SETBACKS, TakeSetback("sprain")) == []
    assert sentences(NO_SETBACKS, TakeSetback("im-fine")) == [
        "I\u2019m Fine, I\u2019m Fine is there in 4 copies; none is in the pile."
    ]


NOBODY_ASKED = [
    (ending("+", "blisters", "cramps"), RUN, ["It is an Aid Station.", "Blisters: no Boost; Ana discards Blisters and Cramps.", "Ana has 4 cards in hand."]),
    (ending("+", "blisters", hand=(0, 1, 0, 0)), RUN[:1], ["It is an Aid Station.", "Blisters: no Boost; Ana discards Blisters.", "Ana has 4 cards in hand."]),
    (
        but(ending("+", "cramps"), BO, boosts=BOOST_IDS), RUN,
        ["It is an Aid Station.", "No Boost is left to draw; Ana discards Cramps.", "Ana has 4 cards in hand."],
    ),
    (
        but(ending("+"), BO, boosts=BOOST_IDS), RUN,
        ["It is an Aid Station.", "No Boost is left to draw.", "Ana has 4 cards in hand."],
    ),
    (but(ending("!"), BO, setbacks=ALL), RUN, ["It is a Setback stop.", "No Setback is left to draw.", "Ana has 4 cards in hand."]),
    (ending("."), RUN, ["It is a neutral stop.", "Ana has 4 cards in hand."]),
    (ending("+"), RUN, ["It is an Aid Station."]),
    (AT_AID, [ShedSetbacks()], ["Ana has 4 cards in hand."]),
]  # fmt: skip


@every_row("state, moves, told", NOBODY_ASKED)
def test_the_log_says_what_a_stop_does_without_asking(state, moves, told):
    state = after(state, *moves[:-1])
    assert list(PLAY.changes(state, after(state, moves[-1]))) == told


@every_row(
    "state, move, told",
    [
        (AT_SETBACK, TakeSetback("im-fine"), f"Ana drew {SETBACKS['im-fine'].name}. Ana has 4 cards in hand."),
        (AT_SETBACK, TakeSetback("sprain"), f"Ana drew {SETBACKS['sprain'].name}. Ana has 2 cards in hand."),
        (AT_AID, TakeBoost("flat-out"), "Ana drew the Boost Flat Out. Ana has 1 card in hand."),
        (AT_AID, ShedSetbacks(), "Ana discarded all Setbacks. Ana has 4 cards in hand."),
    ],
)
def test_the_log_says_what_was_drawn_at_a_stop(state, move, told):
    assert PLAY.tell(state, after(state, move), ANA, move) == told


def test_the_log_says_so_too_when_the_stop_itself_had_to_be_told():
    unknown = ending("+").facts.with_leg(0, 0, stop=None)
    state = after(holding(0, 1, 1, 0, state=race(facts=unknown), setbacks=("blisters",)), *RUN)
    told = after(state, TellStop(0, 0, "aid"))
    assert next(iter(PLAY.changes(state, told))) == "Blisters: no Boost; Ana discards Blisters."


def test_a_stop_and_a_colour_nobody_knows_are_asked_for_when_they_matter():
    facts = CardFacts(cards=(trail("y.g."), *BOX.cards[1:]))
    unknown = facts.with_leg(0, 0, stop=None)
    state = after(holding(0, 1, 1, 0, state=race(facts=unknown)), *RUN)
    assert need(state) == "stop"
    state = after(state, TellStop(0, 0, "setback"), TakeSetback("stitch"))
    assert need(state) == "colour" and PLAY.to_move(state) == (ANA,)
    state = after(state, TellColour("stitch", "green"))
    assert PLAY.to_move(state) == (BO,) and state.facts.setbacks == {"stitch": "green"}
