"""ON THE TRAIL: ways to run a leg, stopping, keeping a card, drawing, both tracking modes."""

import pytest
from msgspec.structs import replace

from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.moves.card_reveals import ForgetHand, NoteCard
from scoring.on_the_trail.moves.run_moves import Run, RunOn, Stay
from scoring.on_the_trail.moves.stops import ShedSetbacks, TakeBoost, TakeSetback
from scoring.on_the_trail.rules import DISCARDS_SEEN, EMPTY_PILE
from scoring.on_the_trail.state import State
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    case_params,
    make_state,
    objection_codes,
    objection_texts,
    refusal_params,
    select_fields,
    state_after,
    state_with_hand,
    with_changes,
)
from tests.support.parametrize import run_all_rows

YELLOW = state_with_hand(3, 1, 0, 0)  # Before the first leg.
LIGHT = make_state(tracking="light")
ALL_RED = with_changes(LIGHT, ANA, discard=(3, 0, 0, 0), unknown_hand=4)

OUTCOMES = {
    "run-colour": [
        (
            YELLOW,
            [Run("yellow")],
            {"legs_run": 1, "hand": (3, 0, 0, 0), "discard": (0, 1, 0, 0), "moved": 1, "turn": ANA},
        ),
        (YELLOW, [Run("yellow"), Run("red")], {"legs_run": 2, "hand": (2, 0, 0, 0), "moved": 2}),
    ],
    "run-wild": [(state_with_hand(0, 0, 0, 1), [Run("wild")], {"legs_run": 1, "held": 4, "turn": BO})],
    "run-pair": [
        (YELLOW, [Run("red", pair=True)], {"legs_run": 1, "hand": (1, 1, 0, 0), "discard": (2, 0, 0, 0)}),
        # As in the rulebook's example: a yellow leg with a yellow card, the next yellow one with two reds.
        (
            state_with_hand(2, 1, 1, 0, at=10),
            [Run("yellow"), Run("red", pair=True)],
            {"legs_run": 12, "hand": (0, 0, 1, 0)},
        ),
    ],
    "run-on": [
        (YELLOW, [Run("yellow"), Stay("red")], {"legs_run": 1, "hand": (1, 0, 0, 0), "unknown_hand": 4, "turn": BO})
    ],
    "keep-one": [
        (
            YELLOW,
            [Run("yellow"), Stay()],
            {"hand": (0, 0, 0, 0), "unknown_hand": 4, "discard": (3, 1, 0, 0), "turn": BO},
        ),
        (
            YELLOW,
            [Run("yellow"), Run("red"), Stay("red")],
            {"hand": (1, 0, 0, 0), "discard": (2, 1, 0, 0), "phase": "effect"},
        ),
        (
            LIGHT,
            [Run("yellow"), Stay("card")],
            {"unknown_hand": 5, "unknown_discards": 2, "discard": (0, 1, 0, 0), "deck": 5},
        ),
        (LIGHT, [Run("yellow"), Stay()], {"unknown_hand": 4, "unknown_discards": 3, "discard": (0, 1, 0, 0)}),
    ],
    "draw-four": [(YELLOW, [Run("yellow"), Stay()], {"held": 4, "deck": 5})],
    "played": [(LIGHT, [Run("red", pair=True)], {"unknown_hand": 2, "discard": (2, 0, 0, 0)})],
    "deck-reshuffle": [
        # Two cards are left and known to be green, so they are drawn without a question; the discards are shuffled.
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 3, 3, 1)),
            [Run("yellow")],
            {"hand": (0, 0, 2, 0), "unknown_hand": 2, "discard": (0, 0, 0, 0), "deck": 9},
        ),
        (
            with_changes(LIGHT, ANA, unknown_hand=1, unknown_discards=8, discard=(2, 1, 0, 0)),
            [Run("wild")],
            {"unknown_hand": 4, "unknown_discards": 0, "discard": (0, 0, 0, 0), "deck": 9},
        ),
    ],
    "deck-ends": [
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1)),
            [Run("yellow")],
            {"hand": (0, 1, 3, 0), "discard": (3, 3, 2, 1), "deck": 0},
        ),
        (
            state_with_hand(0, 1, 0, 0, discard=(3, 2, 2, 1), state=make_state(rulings={EMPTY_PILE.id: "at-once"})),
            [Run("yellow")],
            {"hand": (0, 1, 3, 0), "discard": (0, 0, 0, 0), "deck": 9},
        ),
    ],
    "setup-hand": [
        (make_state(), [NoteCard("red"), NoteCard("red")], {"hand": (2, 0, 0, 0), "unknown_hand": 2, "turn": ANA}),
        (make_state(), [NoteCard("wild"), ForgetHand()], {"hand": (0, 0, 0, 0), "unknown_hand": 4}),
    ],
    "turn-passes": [(YELLOW, [Run("yellow"), Stay()], {"turn": BO, "moved": 0, "phase": "run"})],
    # An empty hand can neither run nor keep a card, so the turn continues automatically.
    "turn-phases": [(state_with_hand(0, 1, 0, 0), [Run("yellow")], {"turn": BO, "held": 4})],
}


@run_all_rows("state, moves, expected", case_params(OUTCOMES))
def test_move_has_its_outcome(state, moves, expected):
    assert select_fields(state_after(state, *moves), expected) == expected


REFUSED = {
    "run-colour": [
        (YELLOW, Run("red"), "wrong-colour"),
        (state_with_hand(0, 0, 1, 0, at=0), Run("green"), "wrong-colour"),
    ],
    "run-pair": [(state_with_hand(0, 2, 0, 0), Run("yellow", pair=True), "own-colour")],
    "pair-alike": [(state_with_hand(1, 0, 0, 1), Run("wild", pair=True), "no-wild-pair")],
    "played": [
        (state_with_hand(2, 0, 0, 0), Run("yellow"), "not-in-hand"),
        (state_with_hand(1, 1, 0, 0), Run("red", pair=True), "not-in-hand"),
        (with_changes(LIGHT, ANA, unknown_hand=1), Run("red", pair=True), "too-few"),
        (state_after(YELLOW, Run("yellow")), Stay("green"), "not-in-hand"),
    ],
    "deck-cards": [
        (ALL_RED, Run("red", pair=True), "deck-count"),
        (with_changes(LIGHT, ANA, discard=(2, 0, 0, 0)), Run("red", pair=True), "deck-count"),
        (with_changes(LIGHT, ANA, discard=(0, 0, 0, 1)), Run("wild"), "deck-count"),
        (with_changes(make_state(), ANA, hand=(3, 0, 0, 0), unknown_hand=1), NoteCard("red"), "deck-count"),
        (
            with_changes(make_state(), ANA, hand=(1, 0, 0, 0), unknown_hand=3, discard=(2, 0, 0, 0)),
            NoteCard("red"),
            "deck-count",
        ),
    ],
    "run-must": [(YELLOW, Stay(), "run-first"), (LIGHT, Stay("card"), "run-first")],
    "keep-one": [
        (state_after(YELLOW, Run("yellow")), Stay("card"), "tracking"),
        (state_after(LIGHT, Run("yellow")), Stay("red"), "tracking"),
    ],
    "turn-phases": [
        (make_state(), Run("yellow"), "first"),
        (make_state(), Stay(), "first"),
    ],
    "stop-setback": [(YELLOW, TakeSetback("cramps"), "run-first")],
    "stop-aid": [(YELLOW, TakeBoost("intervals"), "run-first"), (YELLOW, ShedSetbacks(), "run-first")],
    "setup-hand": [
        (YELLOW, NoteCard("red"), "hand-told"),
        (make_state(), ForgetHand(), "nothing-told"),
        (LIGHT, NoteCard("red"), "light"),
    ],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_move_is_refused_by_its_rule(state, move, refused_by, rule):
    found = [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)]
    assert (refused_by, rule) in found


def test_wild_pair_is_refused_first_because_it_is_no_pair():
    assert objection_codes(state_with_hand(1, 0, 0, 1), Run("wild", pair=True)) == ["no-wild-pair", "not-in-hand"]


OBJECTION_TEXTS = {
    "played": [
        (YELLOW, Run("wild"), "Your wild card is not in your hand."),
        (
            state_with_hand(1, 0, 1, 0, at=1),
            Run("green", pair=True),
            "You need 2 green cards but have only 1 in hand.",
        ),
        (state_with_hand(0, 0, 1, 0, at=1), Run("red"), "You have no red cards in hand."),
        (with_changes(LIGHT, ANA, unknown_hand=1), Run("red", pair=True), "You need 2 cards but have 1 card in hand."),
    ],
    "turn-passes": [(with_changes(YELLOW, turn=BO), Run("yellow"), "It is Bo\u2019s turn: run at least 1 leg.")],
}


@run_all_rows("state, move, text", case_params(OBJECTION_TEXTS))
def test_refusal_text_names_the_needed_cards(state, move, text):
    assert objection_texts(state, move) == [text]


def test_refusal_uses_the_facts_of_this_table():
    assert objection_texts(YELLOW, Run("red")) == [
        "The next leg is yellow. Play a yellow card, your wild card or a pair."
    ]
    assert objection_texts(ALL_RED, Run("red", pair=True)) == [
        "Your deck has only 3 red cards, 3 of them in your discard pile."
    ]


def test_player_may_note_the_next_hand_while_the_other_runs():
    state = state_after(YELLOW, Run("yellow"), Stay())
    assert TRACKED_GAME.flow.to_move(state) == (BO,)
    assert TRACKED_GAME.play(state, ANA, NoteCard("green")).players[ANA].hand == (0, 0, 1, 0)


def test_log_of_stopping_does_not_reveal_the_kept_card():
    state = state_after(YELLOW, Run("yellow"))
    assert log_of_stopping(state, Stay("red")) == (
        "Ana stopped at a neutral stop and kept a card, \u22122 red cards, +4 cards: 5 in hand."
    )
    assert log_of_stopping(state, Stay()) == (
        "Ana stopped at a neutral stop and kept no card, \u22123 red cards, +4 cards: 4 in hand."
    )
    assert log_of_stopping(state_after(LIGHT, Run("yellow")), Stay("card")) == (
        "Ana stopped at a neutral stop and kept a card, \u22122 cards, +4 cards: 5 in hand."
    )
    assert Stay("red").log_text(state, ANA) == Stay("yellow").log_text(state, ANA)


def log_of_stopping(state: State, move: Stay) -> str:
    return TRACKED_GAME.log_sentence(state, state_after(state, move), ANA, move)


def test_hand_and_its_known_part_are_hidden_from_the_other_phone():
    state = with_changes(make_state(), ANA, hand=(2, 0, 1, 0), unknown_hand=1)
    for seat in (BO, None):
        player = TRACKED_GAME.view(state, seat).players[ANA]
        assert (player.hand, player.unknown_hand) == ((0, 0, 0, 0), 4)
    assert TRACKED_GAME.view(state, ANA).players[ANA] == state.players[ANA]
    assert TRACKED_GAME.view(replace(state, phase="over"), BO) == replace(state, phase="over")


LOG_TEXTS = {
    "discards": [
        ("open", "kept a card, \u22122 red cards, +4 cards: 5 in hand.", (2, 1, 0, 0), 0),
        ("hidden", "kept a card, \u22122 cards, +4 cards: 5 in hand.", (0, 0, 0, 0), 3),
    ]
}


@pytest.mark.parametrize("ruling, text, discard, lost", case_params(LOG_TEXTS))
def test_discards_are_shown_by_ruling(ruling: str, text: str, discard: tuple[int, ...], lost: int):
    state = make_state(rulings={DISCARDS_SEEN.id: ruling}, players=state_with_hand(3, 1, 0, 0).players)
    state = state_after(state, Run("yellow"))
    assert log_of_stopping(state, Stay("red")) == f"Ana stopped at a neutral stop and {text}"
    state = state_after(state, Stay("red"))
    for seat in (BO, None):
        player = TRACKED_GAME.view(state, seat).players[ANA]
        assert (player.discard, player.unknown_discards, player.deck, player.held) == (
            discard,
            lost,
            state.players[ANA].deck,
            5,
        )
    assert TRACKED_GAME.view(state, ANA).players[ANA].discard == (2, 1, 0, 0)


# Several legs in one tap


FAR = state_with_hand(1, 2, 1, 0)  # Before yellow, red, green, yellow.


def test_several_legs_are_run_in_one_move_with_matching_cards():
    assert RunOn.matching_colours(FAR, ANA) == ("yellow", "red", "green", "yellow")
    assert list(RunOn.candidates(FAR, ANA)) == [RunOn(2), RunOn(3), RunOn(4)]
    after = state_after(FAR, Run("yellow"), Run("red"), Run("green"))
    assert state_after(FAR, RunOn(3)) == after
    text = TRACKED_GAME.log_sentence(FAR, after, ANA, RunOn(3))
    assert text == "Ana ran 3 legs with matching cards (yellow, red, green)."
    assert (RunOn(3).label(FAR, ANA).text, RunOn(3).label(FAR, ANA).hint) == ("Run 3 legs", "yellow, red, green")


def test_log_of_legs_of_one_color_counts_them():
    state = state_with_hand(0, 0, 2, 0, at=4)  # Before green, green.
    move = RunOn(2)
    assert TRACKED_GAME.log_sentence(state, state_after(state, move), ANA, move) == (
        "Ana ran 2 green legs with 2 green cards to a Setback stop."
    )


def test_counted_deck_is_assumed_to_have_enough_cards_of_each_color():
    assert RunOn.matching_colours(with_changes(LIGHT, ANA, discard=(3, 0, 0, 0), unknown_hand=4), ANA) == ("yellow",)
    assert RunOn.matching_colours(LIGHT, ANA) == ("yellow", "red", "green", "yellow")  # No more than are in hand.


@pytest.mark.parametrize("legs, text", [
    (1, "To run 1 leg, choose the card to play."),
    (3, "You have no green cards in hand."),
])  # fmt: skip
def test_run_beyond_the_cards_is_refused_like_the_leg_itself(legs, text):
    assert objection_texts(state_with_hand(2, 1, 0, 0), RunOn(legs)) == [text]


def test_run_of_several_legs_ends_at_the_finish():
    home = state_after(state_with_hand(1, 1, 2, 0, at=19), RunOn(2))
    assert home.players[ANA].finished and home.players[ANA].hand == (1, 0, 1, 0)
