"""ON THE TRAIL: reminders of physical actions after a move."""

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import SETBACKS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.reveals import EnterLeg
from scoring.on_the_trail.moves.run_moves import Activate, Run, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeSetback
from scoring.on_the_trail.rules import EMPTY_PILE
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    case_params,
    make_state,
    parse_trail_card,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows
from tests.support.reminders import reminder_texts

AT_ONCE = make_state(rulings={EMPTY_PILE.id: "at-once"})
ALL = tuple(id for id, card in SETBACKS.items() for _ in range(card.copies))
SHUFFLE_SETBACKS = "Ana, shuffle the discarded Setbacks: they are the new pile."


def state_before_stop(kind: str, *setbacks: str, **changes):
    """Return Ana with an empty hand before the end of a yellow leg at a stop, with Setbacks."""
    facts = CardFacts(
        cards=(parse_trail_card(f"y{kind}g."), *CARD_FACTS.cards[1:]),
        boosts=CARD_FACTS.boosts,
        setbacks=CARD_FACTS.setbacks,
    )
    return state_with_hand(0, 1, 0, 0, state=make_state(facts=facts, **changes), setbacks=setbacks)


def state_with_discards(*discarded: str, left: str = "", **changes):
    """Return Ana before the end of a run at a Setback stop.

    :param discarded: Setbacks in the discard pile.
    :param left: the only Setback left in the pile, if any. All others are in front of Bo.
    """
    bo_setbacks = list(ALL)
    for id in (*discarded, *filter(None, [left])):
        bo_setbacks.remove(id)
    return with_changes(
        with_changes(state_before_stop("!", **changes), BO, setbacks=tuple(bo_setbacks)), setback_discard=discarded
    )


def bot_race_state(**changes):
    return make_state(solo=True, bot_deck="cards").with_player(BO, **changes)


DRAW_FOUR = "Ana, draw 4 cards."
RUN = Run("yellow")

# (state, moves, expected reminders after the last one)
REMINDERS = {
    "draw-four": [
        (state_before_stop("."), [RUN], [DRAW_FOUR]),
        (state_with_hand(0, 2, 0, 0), [RUN], []),
        (state_with_hand(0, 2, 0, 0), [RUN, Stay()], [DRAW_FOUR]),
    ],
    "cramps": [(state_before_stop(".", "cramps"), [RUN], ["Ana, draw 3 cards."])],
    "draw-floor": [(state_before_stop(".", "cramps", "cramps", "sprain"), [RUN], [])],
    "deck-reshuffle": [
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 3, 1)),
            [RUN],
            ["Ana, draw the last 2 cards, shuffle your discard pile as your new deck, and draw 2 more."],
        ),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 5, 1)),
            [RUN],
            ["Ana, shuffle your discard pile as your new deck, and draw 4 cards."],
        ),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 4, 1)),
            [RUN],
            ["Ana, draw the last card, shuffle your discard pile as your new deck, and draw 3 more."],
        ),
    ],
    "deck-ends": [
        (state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1)), [RUN], [DRAW_FOUR]),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1), state=AT_ONCE),
            [RUN],
            ["Ana, draw 4 cards, and shuffle your discard pile as your new deck."],
        ),
    ],
    "draw-three": [
        (
            state_with_hand(0, 0, 2, 0, boosts=("helping-hand",)),
            [Activate("helping-hand", green=2)],
            ["Ana, draw 3 cards."],
        ),
    ],
    "shed": [
        (
            state_with_hand(0, 1, 1, 0, boosts=("cool-off",), setbacks=("cramps", "blisters")),
            [Activate("cool-off", green=1, setback="cramps")],
            ["Ana, discard Cramps."],
        ),
    ],
    "aid-shed": [
        (
            state_before_stop("+", "cramps", "sprain"),
            [RUN, ShedSetbacks()],
            ["Ana, discard Cramps and Sprain.", DRAW_FOUR],
        ),
        (state_before_stop("+", "blisters"), [RUN], ["Ana, discard Blisters.", DRAW_FOUR]),
    ],
    "setback-reshuffle": [
        (state_with_discards("cramps", "sprain"), [RUN], [SHUFFLE_SETBACKS]),
        (state_with_discards("cramps", left="blisters"), [RUN], []),
        (state_with_discards("cramps", left="blisters"), [RUN, TakeSetback("blisters")], [DRAW_FOUR]),
        (
            state_with_discards("cramps", left="blisters", rulings={EMPTY_PILE.id: "at-once"}),
            [RUN, TakeSetback("blisters")],
            [DRAW_FOUR, SHUFFLE_SETBACKS],
        ),
    ],
    "finish-keeps": [
        (state_with_hand(1, 1, 0, 0, at=20, other_at=20), [RUN], ["Ana, keep the cards in your hand."]),
    ],
    "solo-flip": [
        (bot_race_state(), [Flip("yellow")], ["Ana, move the bot\u2019s runner 4 stops on."]),
        (bot_race_state(), [Flip("red")], ["Ana, move the bot\u2019s runner 2 stops on."]),
    ],
    "solo-deck": [
        (
            bot_race_state(discard=(3, 4, 4, 1)),
            [Flip("green")],
            [
                "Ana, move the bot\u2019s runner 2 stops on.",
                "Ana, shuffle the bot\u2019s discard pile: it is its new deck.",
            ],
        ),
    ],
}


@run_all_rows("state, moves, expected", case_params(REMINDERS))
def test_reminders_after_a_move(state, moves, expected):
    *earlier, last = moves
    before = state_after(state, *earlier)
    after = state_after(before, last)
    assert reminder_texts(TRACKED_GAME, before, after, last) == expected
    assert (
        reminder_texts(TRACKED_GAME, TRACKED_GAME.view(before, None), TRACKED_GAME.view(after, None), last) == expected
    )


def test_bot_whose_legs_are_entered_meanwhile_moves_all_the_way():
    begun = make_state(solo=True, bot_deck="cards", facts=CardFacts(), order=(0,))
    entered = state_after(begun, EnterLeg(0, 0, "yellow"))
    flipped = state_after(entered, Flip("red"))
    twice = state_after(flipped, EnterLeg(0, 1, "red"))
    assert reminder_texts(TRACKED_GAME, entered, flipped, Flip("red")) == ["Ana, move the bot\u2019s runner 1 stop on."]
    assert reminder_texts(TRACKED_GAME, entered, twice, Flip("red")) == ["Ana, move the bot\u2019s runner 2 stops on."]


def test_runner_draws_for_a_turn_that_is_over():
    state = with_changes(state_before_stop("."), BO, legs_run=3)
    assert reminder_texts(TRACKED_GAME, state, state_after(state, RUN), RUN) == [DRAW_FOUR]
    assert state_after(state, RUN).turn == BO != ANA
