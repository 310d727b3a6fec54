"""ON THE TRAIL: what is told of the box, once on its own screen or while the race gets there, and what is set right."""

import re

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from scoring.kernel.errors import Illegal, Malformed
from scoring.on_the_trail import PLAY
from scoring.on_the_trail.cards import NONE
from scoring.on_the_trail.facts import BoostFact, CardFacts, Leg, TrailCard
from scoring.on_the_trail.moves.card_reveals import ForgetHand, NoteCard, TellColour
from scoring.on_the_trail.moves.corrections import Correct
from scoring.on_the_trail.moves.reveals import EndCard, LayCard, TellLeg, TellStop
from scoring.on_the_trail.moves.run_moves import Run
from scoring.on_the_trail.route import coming
from scoring.on_the_trail.state import Setup
from scoring.on_the_trail.turn import need
from tests.support.cases import every_row
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    HALF_KNOWN,
    LAST_TURN,
    OVER,
    after,
    but,
    codes,
    holding,
    race,
    refusals,
    shown,
    trail,
)

FACTS = PLAY.box.facts
NOTHING_TOLD = CardFacts()
NOTHING = race(facts=CardFacts(), order=())


# A box on its own screen


SET = {
    "the first leg": ({"cards.0.legs.0.colour": "red"}, CardFacts().with_card(0, legs=(Leg("red"),))),
    "a stop": ({"cards.2.legs.0.stop": "aid"}, CardFacts().with_card(2, legs=(Leg(None, "aid"),))),
    "a whole card": (
        {"cards.1.legs.0.colour": "red", "cards.1.whole": "true"},
        CardFacts().with_card(1, legs=(Leg("red", "aid"),), whole=True),
    ),
    "a whole card whose last stop is told": (
        {"cards.1.legs.0.stop": "neutral", "cards.1.whole": "true"},
        CardFacts().with_card(1, legs=(Leg(None, "neutral"),), whole=True),
    ),
    "a Boost\u2019s cost": ({"boosts.flat-out.cost.0": "any"}, CardFacts(boosts={"flat-out": BoostFact(("any",))})),
    "a Boost\u2019s legs": ({"boosts.flat-out.legs": "4"}, CardFacts(boosts={"flat-out": BoostFact((), 4)})),
    "a colour": ({"setbacks.stitch": "red"}, CardFacts(setbacks={"stitch": "red"})),
}


@every_row("told, known", SET.values(), ids=list(SET))
def test_values_are_told_one_by_one(told, known):
    assert FACTS.with_values(CardFacts(), told) == known


def test_values_are_forgotten_and_legs_and_costs_removed():
    assert FACTS.with_values(BOX, {"setbacks.stitch": ""}).setbacks["stitch"] is None
    assert len(FACTS.with_values(BOX, {}, "cards.0.legs.1").cards[0].legs) == 3
    assert FACTS.with_values(BOX, {}, "boosts.flat-out.cost.0").boosts["flat-out"].cost == ("red", "any")


BROKEN = [
    (None, "facts: an object is needed"),
    ([], "facts: an object is needed"),
    ({"card": []}, 'no key "card"; did you mean "cards"?'),
    ({"cards": 3}, "cards: expected a list, got a whole number"),
    ({"cards": [3]}, "cards[0]: expected an object, got a whole number"),
    ({"cards": [{}, {"leg": []}]}, 'cards[1]: no key "leg"; did you mean "legs"?'),
    ({"cards": [{"legs": [{"color": "red"}]}]}, 'cards[0].legs[0]: no key "color"; did you mean "colour"?'),
    ({"cards": [{"legs": [{"colour": "blue"}]}]}, "cards[0].legs[0].colour: invalid enum value 'blue'"),
    ({"cards": [{"legs": [{"stop": "water"}]}]}, "cards[0].legs[0].stop: invalid enum value 'water'"),
    ({"cards": [{"whole": "perhaps"}]}, "cards[0].whole: expected true or false, got text"),
    ({"boosts": []}, "boosts: an object is needed"),
    ({"boosts": {"flat-put": {}}}, 'boosts: no Boost "flat-put"; did you mean "flat-out"?'),
    ({"boosts": {"flat-out": {"price": []}}}, 'boosts.flat-out: no key "price"; there are cost, legs'),
    ({"boosts": {"flat-out": {"cost": ["wild"]}}}, "boosts.flat-out.cost[0]: invalid enum value 'wild'"),
    ({"boosts": {"flat-out": {"legs": "four"}}}, "boosts.flat-out.legs: expected a whole number or null, got text"),
    ({"setbacks": {"cramps": "red"}}, 'setbacks: no Setback "cramps"; there are stitch, dehydration, nausea'),
    ({"setbacks": {"stitch": "blue"}}, 'setbacks.stitch: no colour "blue"; there are red, yellow, green'),
    ({"setbacks": {"stitch": ["red"]}}, 'setbacks.stitch: no colour "[...]"; there are red, yellow, green'),
    ({"setbacks": 3}, "setbacks: an object is needed"),
]


@every_row("data, fault", BROKEN)
def test_a_broken_file_is_refused_with_the_place_of_the_fault(data, fault):
    with pytest.raises(Malformed, match=f"^{re.escape(fault)}$"):
        FACTS.checked(data)


NO_BOX = [
    (replace(CardFacts(), cards=(TrailCard(),) * 4), "trail-cards", "The box has 5 Trail cards, not 4."),
    (CardFacts().with_card(1, whole=True), "no-legs", "Trail card 2 cannot be complete without a leg."),
    (CardFacts().with_card(1, legs=(Leg("red"),) * 13), "too-many-legs", "Trail card 2 has 13 legs; at most 12 fit."),
    (CardFacts(boosts={"flat-out": BoostFact(("red",) * 7)}), "boost-cost", "Flat Out costs at most 6 cards, not 7."),
    (CardFacts(boosts={"flat-out": BoostFact((), 0)}), "boost-legs", "Flat Out brings 1 to 9 legs, not 0."),
    (CardFacts(boosts={"cool-off": BoostFact(("red",), 2)}), "brings-no-legs", "Cool Off brings no legs."),
    (CardFacts(boosts={"eyes-ahead": BoostFact(("red",))}), "no-cost", "Eyes Ahead costs nothing; it works by itself."),
]


@every_row("facts, code, text", NO_BOX)
def test_what_no_box_can_be_is_refused_with_its_rule(facts, code, text):
    with pytest.raises(Illegal) as refused:
        FACTS.checked(to_builtins(facts))
    assert [(reason.code, reason.text) for reason in refused.value.reasons] == [(code, text)]


def test_a_box_comes_back_from_its_file():
    for facts in (BOX, HALF_KNOWN, CardFacts()):
        assert FACTS.checked(json.decode(json.encode(facts))) == facts


def box_of(*cards: TrailCard, like: CardFacts = NOTHING_TOLD) -> CardFacts:
    """Return facts with these Trail cards, and others nobody has told."""
    return replace(like, cards=(*cards, *(TrailCard(),) * (5 - len(cards))))


def numbered(number: int, said: str, *, whole: bool = False) -> CardFacts:
    """Return facts with nothing known but one Trail card."""
    return CardFacts().with_card(number, legs=trail(said).legs, whole=whole)


MERGED = [
    (BOX, CardFacts(), BOX),
    (CardFacts(), BOX, BOX),
    (HALF_KNOWN, BOX, BOX),
    (BOX, HALF_KNOWN, BOX),
    (BOX, CardFacts(setbacks={"stitch": "green"}), replace(BOX, setbacks={**BOX.setbacks, "stitch": "green"})),
    (
        BOX,
        CardFacts(boosts={"flat-out": BoostFact((), 3)}),
        replace(BOX, boosts={**BOX.boosts, "flat-out": BoostFact(("red", "red", "any"), 3)}),
    ),
    # Trail cards are told apart by their legs, whatever their numbers.
    (BOX, numbered(0, "r.y."), BOX),
    (HALF_KNOWN, numbered(2, "g.g!r.y!r+", whole=True), box_of(BOX.cards[0], BOX.cards[1], like=HALF_KNOWN)),
    (numbered(0, "y.r!g.y+", whole=True), numbered(0, "g!", whole=True), box_of(BOX.cards[0], trail("g!"))),
    (numbered(0, "y.r!"), numbered(0, "y.r!g."), numbered(0, "y.r!g.")),
    (box_of(trail("r."), trail("r!")), replace(BOX, boosts={}, setbacks={}), box_of(*BOX.cards)),
]


@every_row("kept, told, both", MERGED)
def test_what_is_told_later_is_put_to_what_is_kept(kept, told, both):
    assert FACTS.merge(kept, told) == both


def test_a_card_that_is_none_of_the_kept_ones_is_refused_with_its_number():
    with pytest.raises(Illegal, match="^Trail card 3 of the file is none of the 5 known here; a file with all of them"):
        FACTS.merge(BOX, numbered(2, "r.", whole=True))


KNOWN = numbered(0, "y.r!g.y+", whole=True)
LEARNED = {
    "a card of its own number": (numbered(0, "y.r!"), numbered(0, "y.r!"), numbered(0, "y.r!g."), numbered(0, "y.r!g.")),
    "what is known already": (KNOWN, numbered(0, "y."), numbered(0, "y.r!"), KNOWN),
    "another card with the same number": (KNOWN, CardFacts(), numbered(0, "g!"), box_of(KNOWN.cards[0], TrailCard(trail("g!").legs))),
    "more of that other card": (
        box_of(KNOWN.cards[0], TrailCard(trail("g!").legs)), numbered(0, "g!"), numbered(0, "g!", whole=True),
        box_of(KNOWN.cards[0], trail("g!")),
    ),
    "a known card with another number": (KNOWN, numbered(3, "y.r!"), numbered(3, "y.r!g."), KNOWN),
    "a card like one that lies elsewhere in the row": (
        KNOWN, KNOWN, box_of(KNOWN.cards[0], TrailCard(trail("y.").legs)), box_of(KNOWN.cards[0], TrailCard(trail("y.").legs)),
    ),
    "a colour set right": (KNOWN, KNOWN, numbered(0, "r.r!g.y+", whole=True), numbered(0, "r.r!g.y+", whole=True)),
    "a leg taken off": (KNOWN, KNOWN, numbered(0, "y.r!g."), numbered(0, "y.r!g.")),
    "a leg taken off that others know": (KNOWN, numbered(0, "y.r!"), numbered(0, "y."), KNOWN),
    "nothing of a card its owner has set right since": (
        numbered(0, "r.r!g.y+", whole=True), KNOWN, KNOWN.with_leg(0, 1, stop="aid"), numbered(0, "r.r!g.y+", whole=True),
    ),
    "nothing of a sixth card": (BOX, CardFacts(), numbered(2, "r.", whole=True), BOX),
    "a Boost, and the others stay": (
        CardFacts(boosts={"cool-off": BoostFact(("red",))}), CardFacts(), CardFacts(boosts={"flat-out": BoostFact(("red",), 2)}),
        CardFacts(boosts={"cool-off": BoostFact(("red",)), "flat-out": BoostFact(("red",), 2)}),
    ),
    "a Boost taken back": (BOX, BOX, replace(BOX, boosts={}), replace(BOX, boosts={})),
    "a colour told anew, while another has been set right": (
        CardFacts(setbacks={"stitch": "red", "nausea": "red"}), CardFacts(setbacks={"nausea": "green"}),
        CardFacts(setbacks={"stitch": "green", "nausea": "green"}), CardFacts(setbacks={"stitch": "green", "nausea": "red"}),
    ),
}  # fmt: skip


@every_row("kept, before, after, known", LEARNED.values(), ids=list(LEARNED))
def test_what_a_table_tells_is_kept_at_the_card_it_is(kept, before, after, known):
    assert FACTS.learned(kept, before, after) == known


def test_two_tables_that_knew_nothing_tell_their_cards_in_other_orders_and_all_five_are_kept():
    kept, tables = CardFacts(), [CardFacts(), CardFacts()]
    told = [[(number, BOX.cards[number]) for number in order] for order in ((0, 1, 2, 3, 4), (4, 2, 0, 1, 3))]
    for number in range(5):
        for table, cards in enumerate(told):
            card = cards[number][1]
            for legs in range(1, len(card.legs) + 2):
                now = tables[table].with_card(number, legs=card.legs[:legs], whole=legs > len(card.legs))
                kept, tables[table] = FACTS.learned(kept, tables[table], now), now
    assert sorted(kept.cards, key=str) == sorted(BOX.cards, key=str)


# While the race gets there


def test_a_race_starts_with_nothing_known_and_is_told_leg_by_leg():
    state = after(NOTHING, *map(NoteCard, ("red", "yellow", "green", "wild")))
    assert (need(state), state.order) == ("leg", (0,))
    state = after(state, TellLeg(0, 0, "yellow"), Run("yellow"))
    assert need(state) == "run" and codes(state, Run("wild")) == ["leg-unknown"]
    state = after(state, EndCard(0))
    assert state.order == (0, 1) and state.facts.cards[0] == TrailCard((Leg("yellow", "aid"),), True)
    state = after(state, TellLeg(1, 0, "red"), Run("red"))
    assert [leg.colour for leg in state.legs] == ["yellow", "red"]


def test_known_cards_are_laid_as_they_come():
    state = race(order=())
    assert need(after(state, *map(NoteCard, ("red", "yellow", "green", "wild")))) == "leg" and coming(state) == (
        0,
        1,
        2,
        3,
        4,
    )
    state = PLAY.play(state, BO, LayCard(3))
    assert [leg.colour for leg in state.legs] == ["green", "yellow", "green"]
    for card in (1, 0, 4):
        state = PLAY.play(state, ANA, LayCard(card))
    assert state.order == (3, 1, 0, 4, 2)  # the last one is the only one left
    assert len(state.legs) == 21


def test_of_cards_nobody_has_told_one_is_as_good_as_another():
    assert coming(race(facts=HALF_KNOWN, order=())) == (0, 1, 2)
    assert coming(race(facts=HALF_KNOWN, order=(0, 1))) == (2,)


def test_a_leg_without_a_colour_is_asked_for_though_another_has_been_run():
    state = after(holding(1, 1, 0, 0, state=race(facts=BOX.with_leg(0, 1, colour=None))), Run("yellow"))
    assert codes(state, Run("red")) == ["leg-unknown"] and TellLeg in PLAY.asked(state)
    assert codes(after(state, TellLeg(0, 1, "red")), Run("red")) == []
    assert TellLeg not in PLAY.asked(after(holding(1, 1, 0, 0), Run("yellow")))


def test_whoever_mends_a_colour_mends_it_for_the_race():
    state = holding(1, 1, 0, 0)
    assert codes(state, Run("red")) == ["wrong-colour"]
    assert codes(PLAY.play(state, BO, TellLeg(0, 0, "red")), Run("red")) == []


REFUSED = {
    "trail-cards": [
        (race(), TellLeg(0, 5, "red"), "no-such-leg"),
        (race(), TellLeg(0, -1, "red"), "no-such-leg"),
        (race(), TellLeg(0, 4, "red"), "card-whole"),
        (race(), TellLeg(0, 0, "yellow"), "no-change"),
        (race(facts=HALF_KNOWN, order=(0, 1)), TellLeg(2, 0, "red"), "card-whole"),
        (
            race(facts=CardFacts().with_card(0, legs=(Leg("red"),) * 12), order=(0,)),
            TellLeg(0, 12, "red"),
            "too-many-legs",
        ),
        (race(), EndCard(0), "card-whole"),
        (NOTHING, EndCard(0), "no-legs"),
        (race(), TellStop(0, 4, "aid"), "no-such-leg"),
        (race(), TellStop(0, 0, "neutral"), "no-change"),
    ],
    "components": [
        (race(), TellLeg(5, 0, "red"), "no-such-card"),
        (race(), EndCard(-1), "no-such-card"),
        (race(), LayCard(9), "no-such-card"),
        (race(), TellStop(5, 0, "aid"), "no-such-card"),
        (race(), Correct(ANA), "no-change"),
        (race(), Correct(ANA, lay="sunburn"), "no-such-card"),
    ],
    "setup-trail": [(race(), LayCard(0), "not-yet"), (race(order=(0,)), LayCard(0), "card-lies")],
    "no-pair": [(race(), TellColour("cramps", "red"), "no-colour"), (race(), TellColour("stitch", "red"), "no-change")],
    "players": [(race(), Correct(2, space=1), "no-such-player"), (race(), Correct(-1, space=1), "no-such-player")],
    "finish": [
        (race(), Correct(ANA, space=21), "no-such-spot"),
        (race(), Correct(ANA, space=-1), "no-such-spot"),
        (LAST_TURN, Correct(ANA, space=1), "not-racing"),
    ],
    "turn-phases": [(after(holding(1, 1, 0, 0), Run("yellow")), Correct(ANA, space=3), "running")],
    "deck-cards": [
        (race(), Correct(ANA, held=14), "deck-count"),
        (race(), Correct(ANA, held=-1), "deck-count"),
        (race(solo=True), Correct(BO, held=1), "deck-count"),
        (race(solo=True), Correct(BO, held=0, space=2), "deck-count"),
    ],
    "setback-pile": [
        (race(), Correct(ANA, clear="cramps"), "not-there"),
        (but(race(), BO, setbacks=("sprain",)), Correct(ANA, lay="sprain"), "setback-copies"),
    ],
    "boost-pile": [(but(race(), BO, boosts=("intervals",)), Correct(ANA, lay="intervals"), "boost-taken")],
    "solo-stops": [(race(solo=True), Correct(BO, lay="cramps"), "bot-runs")],
    "finish-round": [
        (OVER, move, "race-over")
        for move in (
            NoteCard("red"),
            TellLeg(0, 0, "red"),
            EndCard(0),
            LayCard(0),
            TellStop(0, 0, "aid"),
            TellColour("stitch", "green"),
            Correct(0),
        )
    ],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state, move, refused_by, rule):
    assert [(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)] == [(refused_by, rule)]


RIGHT = [
    (race(), Correct(BO, space=4), BO, {"at": 4}),
    (but(race(), ANA, hand=(1, 0, 0, 0), unseen=3), Correct(ANA, held=3), ANA, {"hand": (0, 0, 0, 0), "unseen": 3}),
    (
        but(race(), ANA, hand=(1, 0, 0, 0), unseen=3),
        Correct(ANA, held=4, space=1),
        ANA,
        {"hand": (1, 0, 0, 0), "unseen": 3},
    ),
    (but(race(), ANA, discard=(1, 1, 1, 1)), Correct(ANA, shuffled=True), ANA, {"discard": (0, 0, 0, 0), "deck": 9}),
    # What is shuffled into the deck can be in the hand again.
    (
        but(race(), ANA, discard=(1, 2, 2, 0)),
        Correct(ANA, shuffled=True, held=10),
        ANA,
        {"unseen": 10, "discard": (0, 0, 0, 0), "deck": 3},
    ),
    (race(), Correct(ANA, lay="cramps"), ANA, {"setbacks": ("cramps",)}),
    (
        race(setback_discard=("sprain",)),
        Correct(ANA, lay="sprain"),
        ANA,
        {"setbacks": ("sprain",), "setback_discard": ()},
    ),
    (race(), Correct(ANA, lay="flat-out"), ANA, {"boosts": ("flat-out",)}),
    (but(race(), ANA, setbacks=("cramps", "cramps")), Correct(ANA, clear="cramps"), ANA, {"setbacks": ("cramps",)}),
    (but(race(), ANA, boosts=("flat-out",)), Correct(ANA, clear="flat-out"), ANA, {"boosts": ()}),
]


@every_row("state, move, seat, wanted", RIGHT)
def test_a_runner_is_set_right(state, move, seat, wanted):
    assert move.consent
    assert shown(PLAY.play(state, BO, move), wanted, seat) == wanted


# Set-ups

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


@every_row("setup, code", SETUPS)
def test_a_set_up_that_will_not_do(setup, code):
    assert code in [reason.code for reason in PLAY.check_setup(setup)]
    with pytest.raises(Illegal):
        PLAY.read_setup(to_builtins(setup))


@pytest.mark.parametrize(
    "setup", [Setup(("Ana",)), Setup(("Ana", "The bot")), Setup(("Ana", "Bo"), order=(4, 2, -1, -1, -1), facts=BOX)]
)
def test_a_set_up_that_will_do(setup):
    assert PLAY.read_setup(to_builtins(setup)) == setup


# Cards the app knows because it knows all others

RAN_OUT = after(
    holding(0, 1, 0, 0, discard=(3, 3, 3, 1)), Run("yellow")
)  # two greens were left, then the discards were shuffled
EMPTY = after(holding(0, 1, 0, 0, discard=(3, 2, 2, 1)), Run("yellow"))  # four cards were left
DEDUCED = {
    "the rest of a deck": (RAN_OUT, (0, 0, 2, 0)),
    "a whole hand": (EMPTY, (0, 1, 3, 0)),
    "still, once another card is noted": (PLAY.play(RAN_OUT, ANA, NoteCard("red")), (0, 0, 2, 0)),
    "none, once the hand is told anew": (PLAY.play(EMPTY, ANA, ForgetHand()), NONE),
    "none, once its number is set right": (PLAY.play(EMPTY, BO, Correct(ANA, held=3)), NONE),
    "none, for everybody else": (PLAY.view(EMPTY, BO), NONE),
    "none, on the table view": (PLAY.view(RAN_OUT, None), NONE),
}  # fmt: skip


@every_row("state, deduced", DEDUCED.values(), ids=list(DEDUCED))
def test_a_hand_knows_which_of_its_cards_nobody_had_to_tell(state, deduced):
    assert state.players[ANA].deduced == deduced


WHOLE = PLAY.play(PLAY.play(RAN_OUT, ANA, NoteCard("red")), ANA, NoteCard("wild"))
AGAIN = [
    (EMPTY, "yellow", "You drew 1 yellow, 3 green: that is known, as all other cards of your deck were. So are all the cards you hold."),
    (WHOLE, "green", "You drew two green cards: that is known, as all other cards of your deck were. So are all the cards you hold."),
    (
        but(RAN_OUT, ANA, discard=(0, 0, 3, 0)), "green",
        "Your deck has 5 green cards; all are in your hand or on your discard pile. "
        "You drew two green cards: that is known, as all other cards of your deck were.",
    ),
    (but(RAN_OUT, ANA, discard=(3, 0, 0, 0)), "red", "Your deck has 3 red cards; all are in your hand or on your discard pile."),
    (but(race(), ANA, hand=(1, 1, 1, 1), unseen=0), "red", "You have told all the cards you hold."),
]  # fmt: skip


@every_row("state, card, sentence", AGAIN)
def test_a_card_that_is_known_is_not_told_again_and_the_app_says_why(state, card, sentence):
    assert [reason.text for reason in PLAY.objections(state, ANA, NoteCard(card))] == [sentence]


def test_where_more_was_drawn_after_it_the_same_kind_can_be_told():
    assert codes(RAN_OUT, NoteCard("green")) == []


def test_what_the_app_knew_is_no_news_once_the_hand_is_played():
    state = replace(EMPTY, turn=ANA, phase="run", moved=0)
    assert PLAY.play(state, ANA, Run("green", pair=True)).players[ANA].deduced == NONE
