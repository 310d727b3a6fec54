"""ON THE TRAIL: ways to run a leg, stopping, keeping a card, drawing, both ways of tracking."""

import pytest
from msgspec.structs import replace

from scoring.on_the_trail import PLAY
from scoring.on_the_trail.moves.card_reveals import ForgetHand, NoteCard
from scoring.on_the_trail.moves.run_moves import Run, RunOn, Stay
from scoring.on_the_trail.moves.stops import TakeSetback
from scoring.on_the_trail.rules import DISCARDS_SEEN, EMPTY_PILE
from tests.support.cases import every_row
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    after,
    but,
    cases,
    codes,
    holding,
    race,
    refusals,
    sentences,
    shown,
)

YELLOW = holding(3, 1, 0, 0)  # before the first leg
LIGHT = race(tracking="light")
ALL_RED = but(LIGHT, ANA, discard=(3, 0, 0, 0), unseen=4)

OUTCOMES = {
    "run-colour": [
        (YELLOW, [Run("yellow")], {"at": 1, "hand": (3, 0, 0, 0), "discard": (0, 1, 0, 0), "moved": 1, "turn": ANA}),
        (YELLOW, [Run("yellow"), Run("red")], {"at": 2, "hand": (2, 0, 0, 0), "moved": 2}),
    ],
    "run-wild": [(holding(0, 0, 0, 1), [Run("wild")], {"at": 1, "held": 4, "turn": BO})],
    "run-pair": [
        (YELLOW, [Run("red", pair=True)], {"at": 1, "hand": (1, 1, 0, 0), "discard": (2, 0, 0, 0)}),
        # As in the rulebook's example: a yellow leg with a yellow card, the next yellow one with two reds.
        (holding(2, 1, 1, 0, at=10), [Run("yellow"), Run("red", pair=True)], {"at": 12, "hand": (0, 0, 1, 0)}),
    ],
    "run-on": [(YELLOW, [Run("yellow"), Stay("red")], {"at": 1, "hand": (1, 0, 0, 0), "unseen": 4, "turn": BO})],
    "keep-one": [
        (YELLOW, [Run("yellow"), Stay()], {"hand": (0, 0, 0, 0), "unseen": 4, "discard": (3, 1, 0, 0), "turn": BO}),
        (
            YELLOW,
            [Run("yellow"), Run("red"), Stay("red")],
            {"hand": (1, 0, 0, 0), "discard": (2, 1, 0, 0), "phase": "effect"},
        ),
        (LIGHT, [Run("yellow"), Stay("card")], {"unseen": 5, "lost": 2, "discard": (0, 1, 0, 0), "deck": 5}),
        (LIGHT, [Run("yellow"), Stay()], {"unseen": 4, "lost": 3, "discard": (0, 1, 0, 0)}),
    ],
    "draw-four": [(YELLOW, [Run("yellow"), Stay()], {"held": 4, "deck": 5})],
    "played": [(LIGHT, [Run("red", pair=True)], {"unseen": 2, "discard": (2, 0, 0, 0)})],
    "deck-reshuffle": [
        # Two cards are left, known to be green: they come to the hand by themselves; the discards are shuffled.
        (
            holding(0, 1, 0, 0, discard=(3, 3, 3, 1)),
            [Run("yellow")],
            {"hand": (0, 0, 2, 0), "unseen": 2, "discard": (0, 0, 0, 0), "deck": 9},
        ),
        (
            but(LIGHT, ANA, unseen=1, lost=8, discard=(2, 1, 0, 0)),
            [Run("wild")],
            {"unseen": 4, "lost": 0, "discard": (0, 0, 0, 0), "deck": 9},
        ),
    ],
    "deck-ends": [
        (
            holding(0, 1, 0, 0, discard=(3, 2, 2, 1)),
            [Run("yellow")],
            {"hand": (0, 1, 3, 0), "discard": (3, 3, 2, 1), "deck": 0},
        ),
        (
            holding(0, 1, 0, 0, discard=(3, 2, 2, 1), state=race(rulings={EMPTY_PILE.id: "at-once"})),
            [Run("yellow")],
            {"hand": (0, 1, 3, 0), "discard": (0, 0, 0, 0), "deck": 9},
        ),
    ],
    "setup-hand": [
        (race(), [NoteCard("red"), NoteCard("red")], {"hand": (2, 0, 0, 0), "unseen": 2, "turn": ANA}),
        (race(), [NoteCard("wild"), ForgetHand()], {"hand": (0, 0, 0, 0), "unseen": 4}),
    ],
    "turn-passes": [(YELLOW, [Run("yellow"), Stay()], {"turn": BO, "moved": 0, "phase": "run"})],
    # An empty hand leaves nothing to run or keep: the turn goes on by itself.
    "turn-phases": [(holding(0, 1, 0, 0), [Run("yellow")], {"turn": BO, "held": 4})],
}


@every_row("state, moves, wanted", cases(OUTCOMES))
def test_what_comes_of_it(state, moves, wanted):
    assert shown(after(state, *moves), wanted) == wanted


REFUSED = {
    "run-colour": [
        (YELLOW, Run("red"), "wrong-colour"),
        (holding(0, 0, 1, 0, at=0), Run("green"), "wrong-colour"),
    ],
    "run-pair": [(holding(0, 2, 0, 0), Run("yellow", pair=True), "own-colour")],
    "pair-alike": [(holding(1, 0, 0, 1), Run("wild", pair=True), "no-wild-pair")],
    "played": [
        (holding(2, 0, 0, 0), Run("yellow"), "not-in-hand"),
        (holding(1, 1, 0, 0), Run("red", pair=True), "not-in-hand"),
        (but(LIGHT, ANA, unseen=1), Run("red", pair=True), "too-few"),
        (after(YELLOW, Run("yellow")), Stay("green"), "not-in-hand"),
    ],
    "deck-cards": [
        (ALL_RED, Run("red", pair=True), "deck-count"),
        (but(LIGHT, ANA, discard=(2, 0, 0, 0)), Run("red", pair=True), "deck-count"),
        (but(LIGHT, ANA, discard=(0, 0, 0, 1)), Run("wild"), "deck-count"),
        (but(race(), ANA, hand=(3, 0, 0, 0), unseen=1), NoteCard("red"), "deck-count"),
        (but(race(), ANA, hand=(1, 0, 0, 0), unseen=3, discard=(2, 0, 0, 0)), NoteCard("red"), "deck-count"),
    ],
    "run-must": [(YELLOW, Stay(), "run-first"), (LIGHT, Stay("card"), "run-first")],
    "keep-one": [
        (after(YELLOW, Run("yellow")), Stay("card"), "tracking"),
        (after(LIGHT, Run("yellow")), Stay("red"), "tracking"),
    ],
    "turn-phases": [
        (race(), Run("yellow"), "first"),
        (race(), Stay(), "first"),
        (YELLOW, TakeSetback("cramps"), "first"),
    ],
    "setup-hand": [
        (YELLOW, NoteCard("red"), "hand-told"),
        (race(), ForgetHand(), "nothing-told"),
        (LIGHT, NoteCard("red"), "light"),
    ],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state, move, refused_by, rule):
    found = [(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)]
    assert (refused_by, rule) in found


def test_the_wild_pair_is_refused_for_being_none_before_all_else():
    assert codes(holding(1, 0, 0, 1), Run("wild", pair=True)) == ["no-wild-pair", "not-in-hand"]


SAID = {
    "played": [
        (YELLOW, Run("wild"), "That takes the wild card; you have told none."),
        (holding(1, 0, 1, 0, at=1), Run("green", pair=True), "That takes two green cards; you have told one."),
        (holding(0, 0, 1, 0, at=1), Run("red"), "That takes a red card; you have told none."),
        (but(LIGHT, ANA, unseen=1), Run("red", pair=True), "That takes 2 cards; you hold 1."),
    ],
    "turn-passes": [(but(YELLOW, turn=BO), Run("yellow"), "It is Bo\u2019s turn: run at least one leg.")],
}


@every_row("state, move, said", cases(SAID))
def test_a_refusal_says_what_it_takes(state, move, said):
    assert sentences(state, move) == [said]


def test_a_refusal_speaks_of_this_table():
    assert sentences(YELLOW, Run("red")) == ["The next leg is yellow; one red card does not run it."]
    assert sentences(ALL_RED, Run("red", pair=True)) == [
        "Your deck has 3 red cards; 3 of them lie on your discard pile."
    ]


def test_one_may_note_the_next_hand_while_the_other_runs():
    state = after(YELLOW, Run("yellow"), Stay())
    assert PLAY.to_move(state) == (BO,)
    assert PLAY.play(state, ANA, NoteCard("green")).players[ANA].hand == (0, 0, 1, 0)


def test_what_somebody_stayed_with_does_not_tell_the_kept_card():
    state = after(YELLOW, Run("yellow"))
    assert Stay("red").told(state, ANA) == "stayed, kept a card and discarded two red cards"
    assert Stay().told(state, ANA) == "stayed, kept no card and discarded three red cards"
    assert Stay("card").told(after(LIGHT, Run("yellow")), ANA) == "stayed and kept a card"


def test_a_hand_is_hidden_from_the_other_phone_with_how_much_of_it_is_told():
    state = but(race(), ANA, hand=(2, 0, 1, 0), unseen=1)
    for seat in (BO, None):
        seen = PLAY.view(state, seat).players[ANA]
        assert (seen.hand, seen.unseen) == ((0, 0, 0, 0), 4)
    assert PLAY.view(state, ANA).players[ANA] == state.players[ANA]
    assert PLAY.view(replace(state, phase="over"), BO) == replace(state, phase="over")


SEEN = {
    "discards": [
        ("open", "stayed, kept a card and discarded two red cards", (2, 1, 0, 0), 0),
        ("hidden", "stayed, kept a card and discarded the rest", (0, 0, 0, 0), 3),
    ]
}


@pytest.mark.parametrize("ruling, said, discard, lost", cases(SEEN))
def test_what_is_discarded_is_shown_as_the_table_plays_it(ruling: str, said: str, discard: tuple[int, ...], lost: int):
    state = race(rulings={DISCARDS_SEEN.id: ruling}, players=holding(3, 1, 0, 0).players)
    state = after(state, Run("yellow"))
    assert Stay("red").told(state, ANA) == said
    state = after(state, Stay("red"))
    for seat in (BO, None):
        seen = PLAY.view(state, seat).players[ANA]
        assert (seen.discard, seen.lost, seen.deck, seen.held) == (discard, lost, state.players[ANA].deck, 5)
    assert PLAY.view(state, ANA).players[ANA].discard == (2, 1, 0, 0)


# Several legs in one tap


FAR = holding(1, 2, 1, 0)  # before yellow, red, green, yellow


def test_several_legs_are_run_at_once_each_with_a_card_of_its_colour():
    assert RunOn.ahead(FAR, ANA) == ("yellow", "red", "green", "yellow")
    assert list(RunOn.candidates(FAR, ANA)) == [RunOn(2), RunOn(3), RunOn(4)]
    one_by_one = after(FAR, Run("yellow"), Run("red"), Run("green"))
    assert after(FAR, RunOn(3)) == one_by_one
    said = PLAY.tell(FAR, one_by_one, ANA, RunOn(3))
    assert said == "Ana ran 3 legs with a card of each colour: yellow, red, green."
    assert (RunOn(3).label(FAR, ANA), RunOn(3).hint(FAR, ANA)) == ("Run three legs", "yellow, red, green")


def test_a_deck_that_is_only_counted_has_enough_cards_of_each_colour():
    assert RunOn.ahead(but(LIGHT, ANA, discard=(3, 0, 0, 0), unseen=4), ANA) == ("yellow",)
    assert RunOn.ahead(LIGHT, ANA) == ("yellow", "red", "green", "yellow")  # no more than are in hand


@pytest.mark.parametrize("legs, text", [
    (1, "One leg is run with a card; say which."),
    (3, "That takes a green card; you have told none."),
])  # fmt: skip
def test_further_than_the_cards_go_is_refused_as_the_leg_there_would_be(legs, text):
    assert sentences(holding(2, 1, 0, 0), RunOn(legs)) == [text]


def test_a_run_of_several_legs_ends_at_the_finish():
    home = after(holding(1, 1, 2, 0, at=19), RunOn(2))
    assert home.players[ANA].home and home.players[ANA].hand == (1, 0, 1, 0)
