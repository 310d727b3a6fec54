"""ON THE TRAIL: facts of the box, entered on their own screen or during a race."""

import re

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from scoring.kernel.editable import Increment
from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.card_facts import BoostFact, CardFacts, Leg, TrailCard
from scoring.on_the_trail.cards import NO_CARDS
from scoring.on_the_trail.moves.card_reveals import EnterColour, ForgetHand, NoteCard
from scoring.on_the_trail.moves.corrections import EditPosition
from scoring.on_the_trail.moves.reveals import EndCard, EnterLeg, EnterStop, LayCard
from scoring.on_the_trail.moves.run_moves import Run, Stay
from scoring.on_the_trail.route import possible_next_cards
from scoring.on_the_trail.state import Setup
from scoring.on_the_trail.turn import required_decision
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    OVER,
    PARTIAL_CARD_FACTS,
    make_state,
    objection_codes,
    parse_trail_card,
    refusal_params,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

FACTS = TRACKED_GAME.box.card_facts
NO_CARD_FACTS = CardFacts()
NOTHING_KNOWN = make_state(facts=CardFacts(), order=())


# Facts on their own screen


ENTERED_FACTS = {
    "the first leg": ({"cards.0.legs.0.colour": "red"}, CardFacts().with_card(0, legs=(Leg("red"),))),
    "a stop": ({"cards.2.legs.0.stop": "aid"}, CardFacts().with_card(2, legs=(Leg(None, "aid"),))),
    "a whole card": (
        {"cards.1.legs.0.colour": "red", "cards.1.whole": "true"},
        CardFacts().with_card(1, legs=(Leg("red", "aid"),), whole=True),
    ),
    "a whole card whose last stop is known": (
        {"cards.1.legs.0.stop": "neutral", "cards.1.whole": "true"},
        CardFacts().with_card(1, legs=(Leg(None, "neutral"),), whole=True),
    ),
    "a Boost\u2019s cost": ({"boosts.flat-out.cost.0": "any"}, CardFacts(boosts={"flat-out": BoostFact(("any",))})),
    "a Boost\u2019s legs": ({"boosts.flat-out.legs": "4"}, CardFacts(boosts={"flat-out": BoostFact((), 4)})),
    "a colour": ({"setbacks.stitch": "red"}, CardFacts(setbacks={"stitch": "red"})),
}


@run_all_rows("values, known", ENTERED_FACTS.values(), ids=list(ENTERED_FACTS))
def test_values_are_entered_one_by_one(values, known):
    assert FACTS.with_values(CardFacts(), values) == known


def test_values_are_cleared_and_legs_and_costs_removed():
    assert FACTS.with_values(CARD_FACTS, {"setbacks.stitch": ""}).setbacks["stitch"] is None
    assert len(FACTS.with_values(CARD_FACTS, {}, "cards.0.legs.1").cards[0].legs) == 3
    assert FACTS.with_values(CARD_FACTS, {}, "boosts.flat-out.cost.0").boosts["flat-out"].cost == ("red", "any")


BROKEN = [
    (None, "facts: an object is needed"),
    ([], "facts: an object is needed"),
    ({"card": []}, 'no key "card"; did you mean "cards"?'),
    ({"cards": 3}, "cards: expected a list, got a whole number"),
    ({"cards": [3]}, "cards[0]: expected an object, got a whole number"),
    ({"cards": [{}, {"leg": []}]}, 'cards[1]: no key "leg"; did you mean "legs"?'),
    ({"cards": [{"legs": [{"color": "red"}]}]}, 'cards[0].legs[0]: no key "color"; did you mean "colour"?'),
    (
        {"cards": [{"legs": [{"colour": "blue"}]}]},
        'cards[0].legs[0].colour: no value "blue"; there are red, yellow, green',
    ),
    (
        {"cards": [{"legs": [{"stop": "water"}]}]},
        'cards[0].legs[0].stop: no value "water"; there are neutral, setback, aid',
    ),
    ({"cards": [{"whole": "perhaps"}]}, "cards[0].whole: expected true or false, got text"),
    ({"boosts": []}, "boosts: an object is needed"),
    ({"boosts": {"flat-put": {}}}, 'boosts: no Boost "flat-put"; did you mean "flat-out"?'),
    ({"boosts": {"flat-out": {"price": []}}}, 'boosts.flat-out: no key "price"; there are cost, legs'),
    (
        {"boosts": {"flat-out": {"cost": ["wild"]}}},
        'boosts.flat-out.cost[0]: no value "wild"; there are red, yellow, green, any',
    ),
    ({"boosts": {"flat-out": {"legs": "four"}}}, "boosts.flat-out.legs: expected a whole number or null, got text"),
    ({"setbacks": {"cramps": "red"}}, 'setbacks: no Setback "cramps"; there are stitch, dehydration, nausea'),
    ({"setbacks": {"stitch": "blue"}}, 'setbacks.stitch: no color "blue"; there are red, yellow, green'),
    ({"setbacks": {"stitch": ["red"]}}, 'setbacks.stitch: no color "[...]"; there are red, yellow, green'),
    ({"setbacks": 3}, "setbacks: an object is needed"),
]


@run_all_rows("data, message", BROKEN)
def test_broken_file_is_refused_with_the_place_of_the_fault(data, message):
    with pytest.raises(InvalidInputError, match=f"^{re.escape(message)}$"):
        FACTS.from_data(data)


NO_BOX = [
    (replace(CardFacts(), cards=(TrailCard(),) * 4), "trail-cards", "The box has 5 Trail cards, not 4."),
    (CardFacts().with_card(1, whole=True), "no-legs", "Trail card 2 has no legs. Enter its legs first."),
    (CardFacts().with_card(1, legs=(Leg("red"),) * 13), "too-many-legs", "Trail card 2 has 13 legs. Enter at most 12."),
    (CardFacts(boosts={"flat-out": BoostFact(("red",) * 7)}), "boost-cost", "Flat Out costs at most 6 cards, not 7."),
    (CardFacts(boosts={"flat-out": BoostFact((), 0)}), "boost-legs", "Flat Out gives 1 to 9 legs, not 0."),
    (CardFacts(boosts={"cool-off": BoostFact(("red",), 2)}), "brings-no-legs", "Cool Off gives no legs."),
    (
        CardFacts(boosts={"eyes-ahead": BoostFact(("red",))}),
        "no-cost",
        "Eyes Ahead costs nothing. It works automatically.",
    ),
]


@run_all_rows("facts, code, text", NO_BOX)
def test_facts_no_box_can_have_are_refused_with_their_rule(facts, code, text):
    with pytest.raises(IllegalMoveError) as refused:
        FACTS.from_data(to_builtins(facts))
    assert [(reason.code, reason.text) for reason in refused.value.reasons] == [(code, text)]


def test_facts_survive_a_file_round_trip():
    for facts in (CARD_FACTS, PARTIAL_CARD_FACTS, CardFacts()):
        assert FACTS.from_data(json.decode(json.encode(facts))) == facts


def facts_with_cards(*cards: TrailCard, like: CardFacts = NO_CARD_FACTS) -> CardFacts:
    """Return facts with these Trail cards, and the other cards unknown."""
    return replace(like, cards=(*cards, *(TrailCard(),) * (5 - len(cards))))


def facts_with_card(number: int, text: str, *, is_whole: bool = False) -> CardFacts:
    """Return facts with nothing known but one Trail card."""
    return CardFacts().with_card(number, legs=parse_trail_card(text).legs, whole=is_whole)


MERGED = [
    (CARD_FACTS, CardFacts(), CARD_FACTS),
    (CardFacts(), CARD_FACTS, CARD_FACTS),
    (PARTIAL_CARD_FACTS, CARD_FACTS, CARD_FACTS),
    (CARD_FACTS, PARTIAL_CARD_FACTS, CARD_FACTS),
    (
        CARD_FACTS,
        CardFacts(setbacks={"stitch": "green"}),
        replace(CARD_FACTS, setbacks={**CARD_FACTS.setbacks, "stitch": "green"}),
    ),
    (
        CARD_FACTS,
        CardFacts(boosts={"flat-out": BoostFact((), 3)}),
        replace(CARD_FACTS, boosts={**CARD_FACTS.boosts, "flat-out": BoostFact(("red", "red", "any"), 3)}),
    ),
    # Trail cards are identified by their legs, whatever their numbers.
    (CARD_FACTS, facts_with_card(0, "r.y."), CARD_FACTS),
    (
        PARTIAL_CARD_FACTS,
        facts_with_card(2, "g.g!r.y!r+", is_whole=True),
        facts_with_cards(CARD_FACTS.cards[0], CARD_FACTS.cards[1], like=PARTIAL_CARD_FACTS),
    ),
    (
        facts_with_card(0, "y.r!g.y+", is_whole=True),
        facts_with_card(0, "g!", is_whole=True),
        facts_with_cards(CARD_FACTS.cards[0], parse_trail_card("g!")),
    ),
    (facts_with_card(0, "y.r!"), facts_with_card(0, "y.r!g."), facts_with_card(0, "y.r!g.")),
    (
        facts_with_cards(parse_trail_card("r."), parse_trail_card("r!")),
        replace(CARD_FACTS, boosts={}, setbacks={}),
        facts_with_cards(*CARD_FACTS.cards),
    ),
]


@run_all_rows("stored, entered, merged", MERGED)
def test_facts_entered_later_are_merged_into_the_kept_ones(stored, entered, merged):
    assert FACTS.merge(stored, entered) == merged


def test_card_unlike_all_kept_ones_is_refused_with_its_number():
    with pytest.raises(
        IllegalMoveError,
        match="^Trail card 3 in the file matches none of the 5 cards here. Import a file with all 5 cards",
    ):
        FACTS.merge(CARD_FACTS, facts_with_card(2, "r.", is_whole=True))


KNOWN_CARD = facts_with_card(0, "y.r!g.y+", is_whole=True)
LEARNED_FACTS = {
    "a card of its own number": (
        facts_with_card(0, "y.r!"),
        facts_with_card(0, "y.r!"),
        facts_with_card(0, "y.r!g."),
        facts_with_card(0, "y.r!g."),
    ),
    "what is known already": (KNOWN_CARD, facts_with_card(0, "y."), facts_with_card(0, "y.r!"), KNOWN_CARD),
    "another card with the same number": (
        KNOWN_CARD,
        CardFacts(),
        facts_with_card(0, "g!"),
        facts_with_cards(KNOWN_CARD.cards[0], TrailCard(parse_trail_card("g!").legs)),
    ),
    "more of that other card": (
        facts_with_cards(KNOWN_CARD.cards[0], TrailCard(parse_trail_card("g!").legs)),
        facts_with_card(0, "g!"),
        facts_with_card(0, "g!", is_whole=True),
        facts_with_cards(KNOWN_CARD.cards[0], parse_trail_card("g!")),
    ),
    "a known card with another number": (
        KNOWN_CARD,
        facts_with_card(3, "y.r!"),
        facts_with_card(3, "y.r!g."),
        KNOWN_CARD,
    ),
    "a card like one elsewhere in the row": (
        KNOWN_CARD,
        KNOWN_CARD,
        facts_with_cards(KNOWN_CARD.cards[0], TrailCard(parse_trail_card("y.").legs)),
        facts_with_cards(KNOWN_CARD.cards[0], TrailCard(parse_trail_card("y.").legs)),
    ),
    "a corrected colour": (
        KNOWN_CARD,
        KNOWN_CARD,
        facts_with_card(0, "r.r!g.y+", is_whole=True),
        facts_with_card(0, "r.r!g.y+", is_whole=True),
    ),
    "a leg taken off": (KNOWN_CARD, KNOWN_CARD, facts_with_card(0, "y.r!g."), facts_with_card(0, "y.r!g.")),
    "a leg taken off that others know": (KNOWN_CARD, facts_with_card(0, "y.r!"), facts_with_card(0, "y."), KNOWN_CARD),
    "nothing of a card its owner has corrected since": (
        facts_with_card(0, "r.r!g.y+", is_whole=True),
        KNOWN_CARD,
        KNOWN_CARD.with_leg(0, 1, stop="aid"),
        facts_with_card(0, "r.r!g.y+", is_whole=True),
    ),
    "nothing of a sixth card": (CARD_FACTS, CardFacts(), facts_with_card(2, "r.", is_whole=True), CARD_FACTS),
    "a Boost, and the others stay": (
        CardFacts(boosts={"cool-off": BoostFact(("red",))}),
        CardFacts(),
        CardFacts(boosts={"flat-out": BoostFact(("red",), 2)}),
        CardFacts(boosts={"cool-off": BoostFact(("red",)), "flat-out": BoostFact(("red",), 2)}),
    ),
    "a removed Boost": (CARD_FACTS, CARD_FACTS, replace(CARD_FACTS, boosts={}), replace(CARD_FACTS, boosts={})),
    "a new colour, while another has been corrected": (
        CardFacts(setbacks={"stitch": "red", "nausea": "red"}),
        CardFacts(setbacks={"nausea": "green"}),
        CardFacts(setbacks={"stitch": "green", "nausea": "green"}),
        CardFacts(setbacks={"stitch": "green", "nausea": "red"}),
    ),
}


@run_all_rows("stored, before, after, known", LEARNED_FACTS.values(), ids=list(LEARNED_FACTS))
def test_facts_entered_at_a_table_are_kept_at_the_matching_card(stored, before, after, known):
    assert FACTS.update_from_table(stored, before, after) == known


def test_two_tables_with_cards_in_different_orders_yield_all_five_cards():
    stored, tables = CardFacts(), [CardFacts(), CardFacts()]
    cards_by_table = [
        [(number, CARD_FACTS.cards[number]) for number in order] for order in ((0, 1, 2, 3, 4), (4, 2, 0, 1, 3))
    ]
    for number in range(5):
        for table, cards in enumerate(cards_by_table):
            card = cards[number][1]
            for legs in range(1, len(card.legs) + 2):
                entered = tables[table].with_card(number, legs=card.legs[:legs], whole=legs > len(card.legs))
                stored, tables[table] = FACTS.update_from_table(stored, tables[table], entered), entered
    assert sorted(stored.cards, key=str) == sorted(CARD_FACTS.cards, key=str)


# Facts entered during a race


def test_race_starts_with_nothing_known_and_is_entered_leg_by_leg():
    state = state_after(NOTHING_KNOWN, *map(NoteCard, ("red", "yellow", "green", "wild")))
    assert (required_decision(state), state.order) == ("leg", (0,))
    state = state_after(state, EnterLeg(0, 0, "yellow"), Run("yellow"))
    assert required_decision(state) == "run" and objection_codes(state, Run("wild")) == ["leg-unknown"]
    state = state_after(state, EndCard(0))
    assert state.order == (0, 1) and state.facts.cards[0] == TrailCard((Leg("yellow", "aid"),), True)
    state = state_after(state, EnterLeg(1, 0, "red"), Run("red"))
    assert [leg.colour for leg in state.legs] == ["yellow", "red"]


def test_known_cards_are_placed_in_the_order_drawn():
    state = make_state(order=())
    assert required_decision(
        state_after(state, *map(NoteCard, ("red", "yellow", "green", "wild")))
    ) == "leg" and possible_next_cards(state) == (
        0,
        1,
        2,
        3,
        4,
    )
    state = TRACKED_GAME.play(state, BO, LayCard(3))
    assert [leg.colour for leg in state.legs] == ["green", "yellow", "green"]
    for card in (1, 0, 4):
        state = TRACKED_GAME.play(state, ANA, LayCard(card))
    assert state.order == (3, 1, 0, 4, 2)  # Only one card is left.
    assert len(state.legs) == 21


def test_unknown_cards_are_interchangeable():
    assert possible_next_cards(make_state(facts=PARTIAL_CARD_FACTS, order=())) == (0, 1, 2)
    assert possible_next_cards(make_state(facts=PARTIAL_CARD_FACTS, order=(0, 1))) == (2,)


def test_leg_without_a_color_must_be_entered_though_another_was_run():
    state = state_after(
        state_with_hand(1, 1, 0, 0, state=make_state(facts=CARD_FACTS.with_leg(0, 1, colour=None))), Run("yellow")
    )
    assert objection_codes(state, Run("red")) == ["leg-unknown"] and EnterLeg in TRACKED_GAME.available_moves(state)
    assert objection_codes(state_after(state, EnterLeg(0, 1, "red")), Run("red")) == []
    assert EnterLeg not in TRACKED_GAME.available_moves(state_after(state_with_hand(1, 1, 0, 0), Run("yellow")))


def test_corrected_color_holds_for_the_whole_race():
    state = state_with_hand(1, 1, 0, 0)
    assert objection_codes(state, Run("red")) == ["wrong-colour"]
    assert objection_codes(TRACKED_GAME.play(state, BO, EnterLeg(0, 0, "red")), Run("red")) == []


REFUSED = {
    "trail-cards": [
        (make_state(), EnterLeg(0, 5, "red"), "no-such-leg"),
        (make_state(), EnterLeg(0, -1, "red"), "no-such-leg"),
        (make_state(), EnterLeg(0, 4, "red"), "card-whole"),
        (make_state(), EnterLeg(0, 0, "yellow"), "no-change"),
        (make_state(facts=PARTIAL_CARD_FACTS, order=(0, 1)), EnterLeg(2, 0, "red"), "card-whole"),
        (
            make_state(facts=CardFacts().with_card(0, legs=(Leg("red"),) * 12), order=(0,)),
            EnterLeg(0, 12, "red"),
            "too-many-legs",
        ),
        (make_state(), EndCard(0), "card-whole"),
        (NOTHING_KNOWN, EndCard(0), "no-legs"),
        (make_state(), EnterStop(0, 4, "aid"), "no-such-leg"),
        (make_state(), EnterStop(0, 0, "neutral"), "no-change"),
    ],
    "components": [
        (make_state(), EnterLeg(5, 0, "red"), "no-such-card"),
        (make_state(), EndCard(-1), "no-such-card"),
        (make_state(), LayCard(9), "no-such-card"),
        (make_state(), EnterStop(5, 0, "aid"), "no-such-card"),
    ],
    "setup-trail": [(make_state(), LayCard(0), "not-yet"), (make_state(order=(0,)), LayCard(0), "card-lies")],
    "no-pair": [
        (make_state(), EnterColour("cramps", "red"), "no-colour"),
        (make_state(), EnterColour("stitch", "red"), "no-change"),
    ],
    "finish-round": [
        (OVER, move, "race-over")
        for move in (
            NoteCard("red"),
            EnterLeg(0, 0, "red"),
            EndCard(0),
            LayCard(0),
            EnterStop(0, 0, "aid"),
            EnterColour("stitch", "green"),
        )
    ],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)] == [
        (refused_by, rule)
    ]


# Setup

SETUPS = [
    (Setup(()), "player-count"),
    (Setup(("Ana", "Bo", "Cy")), "player-count"),
    (Setup(("Ana", "ana")), "same-name"),
    (Setup(("the bot",)), "same-name"),
    (Setup((" Ana",)), "name-spaces"),
    (Setup(("",)), "name"),
    (Setup(("Ana",), order=(0, 0)), "trail-order"),
    (Setup(("Ana",), order=(5,)), "trail-order"),
    (Setup(("Ana",), order=(-1, 2, 0, 1, 3)), "trail-gap"),
    (Setup(("Ana",), order=(2, -1, -1, 1, -1)), "trail-gap"),
    (Setup(("Ana",), facts=CardFacts().with_card(0, whole=True)), "no-legs"),
    (Setup(("Ana",), facts=CardFacts(boosts={"wings": BoostFact()})), "no-such-boost"),
    (Setup(("Ana",), facts=CardFacts(setbacks={"cramps": "red"})), "no-colour"),
    (Setup(("Ana",), rulings={"nothing": "x"}), "no-ruling"),
    (Setup(("Ana",), rulings={"stranding": "x"}), "no-option"),
]


@run_all_rows("setup, code", SETUPS)
def test_impossible_setup_is_refused(setup, code):
    assert code in [reason.code for reason in TRACKED_GAME.setup_format.check(setup)]
    with pytest.raises(IllegalMoveError):
        TRACKED_GAME.read_setup(to_builtins(setup))


@pytest.mark.parametrize(
    "setup",
    [Setup(("Ana",)), Setup(("Ana", "The bot")), Setup(("Ana", "Bo"), order=(4, 2, -1, -1, -1), facts=CARD_FACTS)],
)
def test_possible_setup_is_accepted(setup):
    assert TRACKED_GAME.read_setup(to_builtins(setup)) == setup


# Cards the app knows because it knows all others

# Two green cards were left, then the discards were shuffled.
RAN_OUT = state_after(state_with_hand(0, 1, 0, 0, discard=(3, 3, 3, 1)), Run("yellow"))
EMPTY = state_after(state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1)), Run("yellow"))  # Four cards were left.
DEDUCED = {
    "the rest of a deck": (RAN_OUT, (0, 0, 2, 0)),
    "a whole hand": (EMPTY, (0, 1, 3, 0)),
    "still, once another card is noted": (TRACKED_GAME.play(RAN_OUT, ANA, NoteCard("red")), (0, 0, 2, 0)),
    "none, once the hand is entered again": (TRACKED_GAME.play(EMPTY, ANA, ForgetHand()), NO_CARDS),
    "none, once its number is corrected": (
        TRACKED_GAME.play(EMPTY, BO, EditPosition((Increment("runners.0.held", -1),))),
        NO_CARDS,
    ),
    "none, for everybody else": (TRACKED_GAME.view(EMPTY, BO), NO_CARDS),
    "none, on the table view": (TRACKED_GAME.view(RAN_OUT, None), NO_CARDS),
}


@run_all_rows("state, deduced", DEDUCED.values(), ids=list(DEDUCED))
def test_hand_marks_its_deduced_cards(state, deduced):
    assert state.players[ANA].deduced == deduced


WHOLE = TRACKED_GAME.play(TRACKED_GAME.play(RAN_OUT, ANA, NoteCard("red")), ANA, NoteCard("wild"))
ALREADY_KNOWN_REVEALS = [
    (
        EMPTY,
        "yellow",
        "You drew 1 yellow card and 3 green cards, the last cards in your deck. "
        "Your whole hand has already been entered.",
    ),
    (
        WHOLE,
        "green",
        "You drew 2 green cards, the last cards in your deck. Your whole hand has already been entered.",
    ),
    (
        with_changes(RAN_OUT, ANA, discard=(0, 0, 3, 0)),
        "green",
        "All 5 of your green cards are already in your hand or discard pile. "
        "You drew 2 green cards, the last cards in your deck.",
    ),
    (
        with_changes(RAN_OUT, ANA, discard=(3, 0, 0, 0)),
        "red",
        "All 3 of your red cards are already in your hand or discard pile.",
    ),
    (
        with_changes(make_state(), ANA, hand=(1, 1, 1, 1), unknown_hand=0),
        "red",
        "Your whole hand has already been entered.",
    ),
]


@run_all_rows("state, card, sentence", ALREADY_KNOWN_REVEALS)
def test_known_card_cannot_be_noted_again_and_the_refusal_explains(state, card, sentence):
    assert [reason.text for reason in TRACKED_GAME.objections(state, ANA, NoteCard(card))] == [sentence]


def test_card_of_the_same_kind_can_be_noted_if_more_were_drawn_since():
    assert objection_codes(RAN_OUT, NoteCard("green")) == []


def test_deduced_cards_are_cleared_once_the_hand_is_played():
    state = replace(EMPTY, turn=ANA, phase="run", moved=0)
    assert TRACKED_GAME.play(state, ANA, Run("green", pair=True)).players[ANA].deduced == NO_CARDS


UNKNOWN_BOX = make_state(tracking="light", facts=CardFacts(), order=(0,))


def test_run_enters_the_color_of_an_unknown_leg_in_the_same_move():
    move = Run("yellow", pair=True, leg="red")
    assert state_after(UNKNOWN_BOX, move) == state_after(UNKNOWN_BOX, EnterLeg(0, 0, "red"), Run("yellow", pair=True))
    assert move in Run.candidates(UNKNOWN_BOX, ANA)
    assert move.log_text(UNKNOWN_BOX, ANA) == "ran the red leg with 2 yellow cards"


def test_run_with_a_color_is_refused_for_the_wrong_card_or_a_known_leg():
    assert objection_codes(UNKNOWN_BOX, Run("yellow", leg="red")) == ["wrong-colour"]
    assert objection_codes(UNKNOWN_BOX, Run("yellow")) == ["first"]
    known = state_after(UNKNOWN_BOX, EnterLeg(0, 0, "green"))
    assert objection_codes(known, Run("red", leg="red")) == ["leg-known"]
    assert objection_codes(known, Run("green", leg="green")) == ["leg-known"]


def test_stay_enters_the_kind_of_an_unknown_stop_in_the_same_move():
    running = state_after(UNKNOWN_BOX, Run("red", leg="red"))
    move = Stay("card", "setback")
    assert state_after(running, move) == state_after(running, Stay("card"), EnterStop(0, 0, "setback"))
    assert move in Stay.candidates(running, ANA)
    assert move.log_text(running, ANA) == "stopped at a Setback stop and kept a card"
    known = state_after(running, EnterStop(0, 0, "aid"))
    assert objection_codes(known, move) == ["stop-known"]
