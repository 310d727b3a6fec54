"""ON THE TRAIL: reminders of physical actions after a move."""

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import SETBACKS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.reveals import EnterLeg
from scoring.on_the_trail.moves.run_moves import Activate, Run, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeSetback
from scoring.on_the_trail.rules import DISCARDS_SEEN, EMPTY_PILE
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
SHUFFLE_SETBACKS = "Ana: Reshuffle the discarded Setbacks to make a new deck."


def state_before_stop(kind: str, *setbacks: str, hand: tuple[int, int, int, int] = (0, 1, 0, 0), **changes):
    """Return Ana before a yellow leg to a stop, with one card and Setbacks."""
    facts = CardFacts(
        cards=(parse_trail_card(f"y{kind}g."), *CARD_FACTS.cards[1:]),
        boosts=CARD_FACTS.boosts,
        setbacks=CARD_FACTS.setbacks,
    )
    return state_with_hand(*hand, state=make_state(facts=facts, **changes), setbacks=setbacks)


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


DRAW_FOUR = "Ana: Draw 4 cards."
TO_NEUTRAL = "Ana: Move the Runner marker 1 stop, to a neutral stop."
TO_AID = "Ana: Move the Runner marker 1 stop, to an Aid Station."
TO_SETBACK = "Ana: Move the Runner marker 1 stop, to a Setback stop."
RUN = Run("yellow")

FIVE_CARDS = state_with_hand(2, 1, 1, 1)
LIGHT = make_state(tracking="light")

# (state, moves, expected reminders after the last one)
REMINDERS = {
    "draw-four": [
        (state_before_stop("."), [RUN], [f"{TO_NEUTRAL} Draw 4 cards."]),
        (state_with_hand(0, 2, 0, 0), [RUN], []),
        (
            state_with_hand(0, 2, 0, 0),
            [RUN, Stay()],
            [f"{TO_NEUTRAL} Discard the last card in hand. Then draw 4 cards."],
        ),
    ],
    "cramps": [
        (state_before_stop(".", "cramps"), [RUN], [f"{TO_NEUTRAL} Draw 3 cards (Cramps: 1 fewer card)."]),
        (
            state_before_stop(".", "cramps", "sprain", "blisters"),
            [RUN],
            [f"{TO_NEUTRAL} Draw 1 card (Cramps and Sprain: 3 fewer cards)."],
        ),
    ],
    "draw-floor": [(state_before_stop(".", "cramps", "cramps", "sprain"), [RUN], [TO_NEUTRAL])],
    "deck-reshuffle": [
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 3, 1)),
            [RUN],
            [f"{TO_NEUTRAL} Draw the last 2 cards, reshuffle the Race discard pile and draw 2 more."],
        ),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 5, 1)),
            [RUN],
            [f"{TO_NEUTRAL} Reshuffle the Race discard pile and draw 4 cards."],
        ),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 4, 1)),
            [RUN],
            [f"{TO_NEUTRAL} Draw the last card, reshuffle the Race discard pile and draw 3 more."],
        ),
    ],
    "deck-ends": [
        (state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1)), [RUN], [f"{TO_NEUTRAL} Draw 4 cards."]),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1), state=AT_ONCE),
            [RUN],
            [f"{TO_NEUTRAL} Draw 4 cards and reshuffle the Race discard pile."],
        ),
    ],
    "draw-three": [
        (
            state_with_hand(0, 0, 2, 0, boosts=("helping-hand",)),
            [Activate("helping-hand", green=2)],
            ["Ana: Draw 3 cards."],
        ),
    ],
    "shed": [
        (
            state_with_hand(0, 1, 1, 0, boosts=("cool-off",), setbacks=("cramps", "blisters")),
            [Activate("cool-off", green=1, setback="cramps")],
            ["Ana: Discard Cramps."],
        ),
    ],
    "aid-shed": [
        (
            state_before_stop("+", "cramps", "sprain"),
            [RUN, ShedSetbacks()],
            ["Ana: Discard Cramps and Sprain. Then draw 4 cards."],
        ),
        (state_before_stop("+", "blisters"), [RUN], [f"{TO_AID} Discard Blisters. Then draw 4 cards."]),
    ],
    "setback-reshuffle": [
        (state_with_discards("cramps", "sprain"), [RUN], [TO_SETBACK, SHUFFLE_SETBACKS]),
        (state_with_discards("cramps", left="blisters"), [RUN], [TO_SETBACK]),
        (state_with_discards("cramps", left="blisters"), [RUN, TakeSetback("blisters")], [DRAW_FOUR]),
        (
            state_with_discards("cramps", left="blisters", rulings={EMPTY_PILE.id: "at-once"}),
            [RUN, TakeSetback("blisters")],
            [DRAW_FOUR, SHUFFLE_SETBACKS],
        ),
    ],
    "keep-one": [
        (FIVE_CARDS, [RUN, Stay("green")], [f"{TO_NEUTRAL} Keep 1 card and discard the other 3. Then draw 4 cards."]),
        (
            state_with_hand(0, 2, 1, 0),
            [RUN, Stay("green")],
            [f"{TO_NEUTRAL} Keep 1 card and discard the other. Then draw 4 cards."],
        ),
        (state_with_hand(0, 1, 1, 0), [RUN, Stay("green")], [f"{TO_NEUTRAL} Draw 4 cards."]),
        (FIVE_CARDS, [RUN, Stay()], [f"{TO_NEUTRAL} Discard all 4 cards in hand. Then draw 4 cards."]),
        (LIGHT, [RUN, Stay("card")], [f"{TO_NEUTRAL} Keep 1 card and discard the other 2. Then draw 4 cards."]),
        (
            state_before_stop("+", "blisters", hand=(1, 1, 1, 0)),
            [RUN, Stay("red")],
            [f"{TO_AID} Keep 1 card and discard the other. Discard Blisters. Then draw 4 cards."],
        ),
    ],
    "discards": [
        (
            state_with_hand(2, 2, 0, 1, state=make_state(rulings={DISCARDS_SEEN.id: "hidden"})),
            [RUN, Stay()],
            [f"{TO_NEUTRAL} Discard all 4 cards in hand face-down. Then draw 4 cards."],
        ),
    ],
    "advance": [
        (
            state_with_hand(1, 0, 2, 0, boosts=("up-the-pace",)),
            [Activate("up-the-pace", red=1, green=1), Stay()],
            ["Ana: Move the Runner marker 2 stops, to a Setback stop. Discard the last card in hand."],
        ),
    ],
    "finish-keeps": [
        (
            state_with_hand(1, 1, 0, 0, at=20, other_at=20),
            [RUN],
            ["Ana: Move the Runner marker 1 stop, across the finish line. Keep the cards in hand."],
        ),
    ],
    "solo-flip": [
        (bot_race_state(), [Flip("yellow")], ["Ana: Move the bot\u2019s Runner marker 4 stops, to an Aid Station."]),
        (bot_race_state(), [Flip("red")], ["Ana: Move the bot\u2019s Runner marker 2 stops, to a Setback stop."]),
    ],
    "solo-deck": [
        (
            bot_race_state(discard=(3, 4, 4, 1)),
            [Flip("green")],
            [
                "Ana: Move the bot\u2019s Runner marker 2 stops, to a Setback stop.",
                "Ana: Reshuffle the bot\u2019s discard pile to make a new deck.",
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


def test_reminder_to_discard_is_the_same_for_every_kept_card():
    before = state_after(FIVE_CARDS, RUN)
    texts = {
        tuple(reminder_texts(TRACKED_GAME, before, state_after(before, move), move))
        for move in (Stay("red"), Stay("green"), Stay("wild"))
    }
    assert texts == {(f"{TO_NEUTRAL} Keep 1 card and discard the other 3. Then draw 4 cards.",)}


def test_reminders_are_for_the_seat_that_has_to_act():
    before = state_after(FIVE_CARDS, RUN)
    after = state_after(before, Stay())
    assert [reminder.seat for reminder in TRACKED_GAME.text.reminders(before, after, Stay())] == [ANA]
    solo = bot_race_state()
    flipped = state_after(solo, Flip("red"))
    assert [reminder.seat for reminder in TRACKED_GAME.text.reminders(solo, flipped, Flip("red"))] == [ANA]


def test_bot_whose_legs_are_entered_meanwhile_moves_all_the_way():
    begun = make_state(solo=True, bot_deck="cards", facts=CardFacts(), order=(0,))
    entered = state_after(begun, EnterLeg(0, 0, "yellow"))
    flipped = state_after(entered, Flip("red"))
    twice = state_after(flipped, EnterLeg(0, 1, "red"))
    assert reminder_texts(TRACKED_GAME, entered, flipped, Flip("red")) == [
        "Ana: Move the bot\u2019s Runner marker 1 stop."
    ]
    assert reminder_texts(TRACKED_GAME, entered, twice, Flip("red")) == [
        "Ana: Move the bot\u2019s Runner marker 2 stops."
    ]


def test_runner_draws_for_a_turn_that_is_over():
    state = with_changes(state_before_stop("."), BO, legs_run=3)
    assert reminder_texts(TRACKED_GAME, state, state_after(state, RUN), RUN) == [f"{TO_NEUTRAL} Draw 4 cards."]
    assert state_after(state, RUN).turn == BO != ANA
