"""ON THE TRAIL: the stops, and every Setback with its effect, also several together."""

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.box import SETBACKS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.card_reveals import EnterColour
from scoring.on_the_trail.moves.reveals import EnterStop
from scoring.on_the_trail.moves.run_moves import Activate, Run, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeBoost, TakeSetback
from scoring.on_the_trail.rules import EMPTY_PILE
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import required_decision
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    case_params,
    make_state,
    objection_codes,
    objection_texts,
    parse_trail_card,
    refusal_params,
    select_fields,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

ALL = tuple(id for id, card in SETBACKS.items() for _ in range(card.copies))


def state_before_stop(stop: str, *setbacks: str, hand=(0, 1, 1, 0), **changes) -> State:
    """Return Ana about to run a yellow leg to a stop, with Setbacks in front of her."""
    cards = (parse_trail_card(f"y{stop}g."), *CARD_FACTS.cards[1:])
    facts = CardFacts(cards=cards, boosts=CARD_FACTS.boosts, setbacks=CARD_FACTS.setbacks)
    return state_with_hand(*hand, state=make_state(facts=facts), setbacks=setbacks, **changes)


RUN = [Run("yellow"), Stay()]
KEEP = [Run("yellow"), Stay("green")]
AT_SETBACK = state_after(state_before_stop("!"), *RUN)
AT_AID = state_after(state_before_stop("+", "cramps", "sprain"), *RUN)

BOOST_IDS = tuple(TRACKED_GAME.box.components.BOOSTS)
LEFT = tuple(id for id in BOOST_IDS if id != "flat-out")


def state_with_discards(*setbacks: str, left: str = "") -> State:
    """Return Ana at a Setback stop.

    :param setbacks: Setbacks in the discard pile.
    :param left: the only Setback left in the pile, if any. All others are in front of Bo.
    """
    bo_setbacks = list(ALL)
    for id in (*setbacks, *filter(None, [left])):
        bo_setbacks.remove(id)
    return state_after(
        with_changes(state_before_stop("!").with_player(BO, setbacks=tuple(bo_setbacks)), setback_discard=setbacks),
        *RUN,
    )


LAST_SETBACK = state_with_discards("cramps", "sprain", left="blisters")
NO_SETBACKS = state_with_discards("sprain", "blisters")
OUTCOMES = {
    "stop-neutral": [(state_before_stop("."), RUN, {"setbacks": (), "held": 4, "turn": BO})],
    "stop-final": [
        (
            state_before_stop("!", hand=(0, 1, 2, 0)),
            [Run("yellow"), Run("green"), Stay()],
            {"legs_run": 2, "setbacks": (), "turn": BO},
        )
    ],
    "stop-shared": [
        (with_changes(state_before_stop("!", hand=(0, 1, 1, 0)), BO, legs_run=1), RUN, {"phase": "effect", "turn": ANA})
    ],
    "stop-setback": [
        (AT_SETBACK, [TakeSetback("im-fine")], {"setbacks": ("im-fine",), "held": 4, "turn": BO}),
        (AT_SETBACK, [TakeSetback("blisters")], {"setbacks": ("blisters",), "held": 4, "turn": BO}),
    ],
    "no-setback-left": [(with_changes(state_before_stop("!"), BO, setbacks=ALL), RUN, {"setbacks": (), "turn": BO})],
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
        (state_before_stop(".", "sprain"), RUN, {"setbacks": ("sprain",), "held": 2}),  # In later turns, too.
        (AT_AID, [ShedSetbacks()], {"held": 4}),  # Until it is discarded.
    ],
    "setback-reshuffle": [
        # Two are in the discard pile when the last one is drawn: they are shuffled when another is drawn.
        (LAST_SETBACK, [TakeSetback("blisters")], {"setback_discard": ("cramps", "sprain"), "setback_pile": 0}),
        (
            with_changes(LAST_SETBACK, rulings={EMPTY_PILE.id: "at-once"}),
            [TakeSetback("blisters")],
            {"setback_discard": (), "setback_pile": 2},
        ),
        (NO_SETBACKS, [TakeSetback("sprain")], {"setbacks": ("sprain",), "setback_discard": (), "setback_pile": 1}),
    ],
    "blisters": [
        # Only discarding is possible, so it needs no tap.
        (
            state_before_stop("+", "blisters"),
            RUN,
            {"setbacks": (), "setback_discard": ("blisters",), "boosts": (), "turn": BO},
        ),
        (state_before_stop("+", "blisters", "cramps"), RUN, {"setbacks": (), "held": 4, "turn": BO}),
        (state_after(state_before_stop("!"), *RUN), [TakeSetback("blisters")], {"boosts": (), "held": 4}),
    ],
    "fine": [(state_before_stop(".", "im-fine", "im-fine"), KEEP, {"held": 5, "turn": BO})],
    "cramps": [
        (state_before_stop(".", "cramps"), RUN, {"held": 3}),
        (state_before_stop(".", "cramps", "cramps"), RUN, {"held": 2}),
        (state_before_stop(".", "cramps", "cramps", "cramps"), KEEP, {"held": 2}),
    ],
    "sprain": [(state_before_stop(".", "sprain"), RUN, {"held": 2})],
    "cumulative": [
        (state_before_stop(".", "cramps", "sprain"), RUN, {"held": 1}),
        (state_before_stop(".", "cramps", "cramps", "sprain"), RUN, {"held": 0}),
    ],
    "draw-floor": [(state_before_stop(".", "cramps", "cramps", "cramps", "sprain"), RUN, {"held": 0, "turn": BO})],
    "cut-at-once": [
        (AT_SETBACK, [TakeSetback("cramps")], {"held": 3}),
        (AT_SETBACK, [TakeSetback("sprain")], {"held": 2}),
        (
            state_after(state_before_stop("!"), *KEEP),
            [TakeSetback("hitting-the-wall")],
            {"held": 5, "hand": (0, 0, 1, 0)},
        ),
    ],
    "exhaustion": [(state_before_stop("!", "exhaustion"), [*RUN, TakeSetback("im-fine")], {"held": 4})],
    "no-pair": [
        (state_with_hand(2, 0, 0, 0, setbacks=("nausea",)), [Run("red", pair=True)], {"legs_run": 1}),
        (state_with_hand(0, 0, 2, 0, setbacks=("stitch", "dehydration")), [Run("green", pair=True)], {"legs_run": 1}),
        (AT_SETBACK, [TakeSetback("stitch")], {"setbacks": ("stitch",), "turn": BO}),
    ],
    "hitting-the-wall": [(state_before_stop(".", "hitting-the-wall"), RUN, {"held": 4, "discard": (0, 1, 1, 0)})],
    "no-boost-left": [
        (
            with_changes(state_before_stop("+"), BO, boosts=BOOST_IDS),
            RUN,
            {"boosts": (), "setbacks": (), "turn": BO},
        ),
        (with_changes(state_before_stop("+", "cramps"), BO, boosts=BOOST_IDS), RUN, {"setbacks": (), "held": 4}),
    ],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_stop_or_setback_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


WALL = state_after(state_before_stop(".", "hitting-the-wall"), Run("yellow"))
REFUSED = {
    "hitting-the-wall": [(WALL, Stay("green"), "no-keep")],
    "exhaustion": [
        (
            state_with_hand(1, 1, 1, 0, setbacks=("exhaustion",), boosts=("up-the-pace",)),
            Activate("up-the-pace", red=1, green=1),
            "exhausted",
        ),
        (
            state_with_hand(1, 1, 1, 0, setbacks=("exhaustion",), boosts=("cool-off",)),
            Activate("cool-off", green=1, setback="exhaustion"),
            "exhausted",
        ),
    ],
    "no-pair": [
        (state_with_hand(2, 0, 0, 0, setbacks=("stitch",)), Run("red", pair=True), "pair-stopped"),
        (state_with_hand(0, 0, 2, 0, setbacks=("nausea",)), Run("green", pair=True), "pair-stopped"),
        (state_with_hand(0, 2, 0, 0, at=1, setbacks=("dehydration",)), Run("yellow", pair=True), "pair-stopped"),
    ],
    "setback-pile": [
        (state_after(state_before_stop("!", "sprain"), *RUN), TakeSetback("sprain"), "setback-copies"),
        (
            state_after(with_changes(state_before_stop("!"), BO, setbacks=("cramps",) * 3), *RUN),
            TakeSetback("cramps"),
            "setback-copies",
        ),
        (AT_SETBACK, TakeSetback("sunburn"), "no-such-setback"),
    ],
    "boost-pile": [
        (
            state_after(with_changes(state_before_stop("+"), BO, boosts=("intervals",)), *RUN),
            TakeBoost("intervals"),
            "boost-taken",
        ),
        (AT_AID, TakeBoost("wings"), "no-such-boost"),
    ],
    "aid-nothing": [(state_after(state_before_stop("+"), *RUN), ShedSetbacks(), "no-setback")],
    "turn-phases": [(AT_SETBACK, TakeBoost("intervals"), "first"), (AT_AID, TakeSetback("cramps"), "first")],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)] == [
        (refused_by, rule)
    ]


def test_every_setback_has_a_case():
    tried = {id for rows in (*OUTCOMES.values(), *REFUSED.values()) for row in rows for id in setbacks_of_case(row)}
    assert set(SETBACKS) <= tried


def setbacks_of_case(row: tuple) -> set[str]:
    """Return the Setbacks that a case has in front of Ana, or draws."""
    moves = row[1] if isinstance(row[1], list) else [row[1]]
    return {*row[0].players[ANA].setbacks, *(move.setback for move in moves if isinstance(move, TakeSetback))}


def test_box_has_fourteen_setbacks_and_ten_boosts():
    assert (len(ALL), len(TRACKED_GAME.box.components.BOOSTS)) == (14, 10)


def test_draw_from_an_empty_pile_gives_discarded_setbacks():
    assert objection_codes(NO_SETBACKS, TakeSetback("sprain")) == []
    assert objection_texts(NO_SETBACKS, TakeSetback("im-fine")) == [
        "No \u201cI\u2019m Fine, I\u2019m Fine\u201d cards are left in the Setback deck."
    ]
    assert objection_texts(NO_SETBACKS, TakeSetback("cramps")) == ["No Cramps cards are left in the Setback deck."]
    assert objection_texts(NO_SETBACKS, TakeSetback("hitting-the-wall")) == [
        "Hitting the Wall is not in the Setback deck."
    ]


NO_PENDING_DECISION = [
    (
        state_before_stop("+", "blisters", "cramps"),
        RUN,
        ["Ana could not draw a Boost because of Blisters.", "Ana discarded all Setbacks (Blisters and Cramps)."],
    ),
    (
        state_before_stop("+", "blisters", hand=(0, 1, 0, 0)),
        RUN[:1],
        ["Ana could not draw a Boost because of Blisters.", "Ana discarded all Setbacks (Blisters)."],
    ),
    (
        with_changes(state_before_stop("+", "cramps"), BO, boosts=BOOST_IDS),
        RUN,
        ["No Boosts were left to draw.", "Ana discarded all Setbacks (Cramps)."],
    ),
    (
        with_changes(state_before_stop("+"), BO, boosts=BOOST_IDS),
        RUN,
        ["No Boosts were left to draw."],
    ),
    (
        with_changes(state_before_stop("!"), BO, setbacks=ALL),
        RUN,
        ["No Setbacks were left to draw."],
    ),
    (state_before_stop("."), RUN, []),
    (state_before_stop("+"), RUN, []),
    (AT_AID, [ShedSetbacks()], []),
]


@run_all_rows("state, moves, sentences", NO_PENDING_DECISION)
def test_log_names_the_automatic_effects_of_a_stop(state, moves, sentences):
    state = state_after(state, *moves[:-1])
    assert list(TRACKED_GAME.text.describe_changes(state, state_after(state, moves[-1]))) == sentences


@run_all_rows(
    "state, move, sentence",
    [
        (
            AT_SETBACK,
            TakeSetback("im-fine"),
            "Ana drew \u201cI\u2019m Fine, I\u2019m Fine\u201d (no effect), +4 cards: 4 in hand.",
        ),
        (AT_SETBACK, TakeSetback("sprain"), "Ana drew Sprain (draw 2 fewer cards), +2 cards: 2 in hand."),
        (AT_AID, TakeBoost("flat-out"), "Ana drew Flat Out (Boost), +1 card: 1 in hand."),
        (AT_AID, ShedSetbacks(), "Ana discarded all Setbacks (Cramps and Sprain), +4 cards: 4 in hand."),
    ],
)
def test_log_names_the_card_drawn_at_a_stop(state, move, sentence):
    assert TRACKED_GAME.log_sentence(state, state_after(state, move), ANA, move) == sentence


def test_log_names_the_effects_of_a_stop_that_had_to_be_entered():
    unknown = state_before_stop("+").facts.with_leg(0, 0, stop=None)
    state = state_after(state_with_hand(0, 1, 1, 0, state=make_state(facts=unknown), setbacks=("blisters",)), *RUN)
    after = state_after(state, EnterStop(0, 0, "aid"))
    assert TRACKED_GAME.log_sentence(state, after, ANA, EnterStop(0, 0, "aid")) == (
        "Stop 1 on Trail card 1 is an Aid Station. "
        "Ana could not draw a Boost because of Blisters. Ana discarded all Setbacks (Blisters), "
        "+4 cards: 4 in hand."
    )


def test_unknown_stop_and_color_must_be_entered_when_they_matter():
    facts = CardFacts(cards=(parse_trail_card("y.g."), *CARD_FACTS.cards[1:]))
    unknown = facts.with_leg(0, 0, stop=None)
    state = state_after(state_with_hand(0, 1, 1, 0, state=make_state(facts=unknown)), *RUN)
    assert required_decision(state) == "stop"
    state = state_after(state, EnterStop(0, 0, "setback"), TakeSetback("stitch"))
    assert required_decision(state) == "colour" and TRACKED_GAME.flow.to_move(state) == (ANA,)
    state = state_after(state, EnterColour("stitch", "green"))
    assert TRACKED_GAME.flow.to_move(state) == (BO,) and state.facts.setbacks == {"stitch": "green"}


@run_all_rows("setback", SETBACKS)
def test_drawing_a_setback_cites_the_rule_of_its_card_only(setback):
    cited = {rule.id for rule in TakeSetback(setback).cited_rules()}
    rules_by_setback = {id: {rule.id for rule in TakeSetback(id).cited_rules()} for id in SETBACKS}
    common = set.intersection(*rules_by_setback.values())
    assert len(cited - common) == 1 and "stop-setback" in common


@run_all_rows(
    "boost, own_rule, other_rules",
    [
        ("up-the-pace", "advance", {"shed", "draw-three", "eyes-ahead"}),
        ("cool-off", "shed", {"advance", "draw-three"}),
        ("helping-hand", "draw-three", {"advance", "shed"}),
    ],
)
def test_using_a_boost_cites_no_rules_about_other_effects(boost, own_rule, other_rules):
    cited = {rule.id for rule in Activate(boost).cited_rules()}
    assert own_rule in cited and not other_rules & cited
