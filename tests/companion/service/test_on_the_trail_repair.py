"""ON THE TRAIL: a Trail that lies otherwise than it was told, and races in which anything is set right at any time."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import BOOSTS, SETBACKS, TRAIL_CARDS
from scoring.on_the_trail.facts import CardFacts
from scoring.on_the_trail.moves.corrections import Correct
from scoring.on_the_trail.moves.reveals import CutCard, EndCard, SwapCards, TellLeg
from scoring.on_the_trail.moves.run_moves import Run
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import need
from tests.support.cases import every_row
from tests.support.invariants import Table
from tests.support.on_the_trail_invariants import TABLES, deck_adds_up, piles_add_up
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    BOX,
    LAST_TURN,
    OVER,
    PLAY,
    UNFINISHED,
    after,
    but,
    codes,
    holding,
    lying,
    race,
    refusals,
)
from tests.support.random_games import random_move

REFUSED = {
    "setup-trail": [
        (race(), SwapCards(0, 5), "not-yet"),
        (race(), SwapCards(0, -1), "not-yet"),
        (race(order=(0, 1)), SwapCards(3, 2), "not-yet"),
        (race(), SwapCards(2, 2), "no-change"),
        (holding(at=18, state=race(facts=UNFINISHED)), SwapCards(4, 0), "no-such-spot"),
        (holding(at=3), CutCard(0, 2), "no-such-spot"),
        (holding(at=18), CutCard(4, 2), "no-such-spot"),  # who stands at an edge that may be the finish would be there
        (LAST_TURN, CutCard(4, 5), "no-such-spot"),
    ],
    "trail-cards": [
        (race(), CutCard(0, 5), "no-such-leg"),
        (race(), CutCard(0, -1), "no-such-leg"),
        (race(facts=UNFINISHED), CutCard(4, 3), "no-change"),
    ],
    "components": [(race(), SwapCards(5, 0), "no-such-card"), (race(), CutCard(-1, 0), "no-such-card")],
    "finish-round": [(OVER, move, "race-over") for move in (SwapCards(1, 0), CutCard(0, 1))],
}


@every_row("state, move, refused_by, rule", refusals(REFUSED))
def test_refused(state: State, move: Move, refused_by: str, rule: str):
    reasons = {(reason.code, reason.rule.id) for reason in PLAY.objections(state, ANA, move)}
    assert reasons == {(refused_by, rule)}


def test_both_are_read_from_a_form():
    typed = {"type": "swap-cards", "place": "0", "card": "2"}, {"type": "cut-card", "card": "0", "legs": "2"}
    assert [PLAY.decode(fields, strict=False) for fields in typed] == [SwapCards(2, 0), CutCard(0, 2)]


def test_cards_that_were_taken_for_each_other_are_swapped_in_the_row():
    state = PLAY.play(race(), BO, SwapCards(2, 0))
    assert state.order == (2, 1, 0, 3, 4) and [leg.colour for leg in state.legs[:4]] == [
        "red",
        "yellow",
        "yellow",
        "green",
    ]


def test_a_card_that_lies_known_turns_out_to_be_one_that_was_to_come():
    state = PLAY.play(race(order=(0, 1)), BO, SwapCards(4, 1))
    assert state.order == (0, 4)


def test_a_leg_that_is_not_there_is_taken_off_and_the_race_goes_on():
    state = after(holding(0, 1, 0, 0), CutCard(0, 2), EndCard(0), Run("yellow"))
    assert [leg.colour for leg in state.legs[:3]] == ["yellow", "red", "green"]
    assert len(state.facts.cards[0].legs) == 2 and state.facts.cards[0].whole


def test_a_card_taken_to_be_whole_goes_on():
    state = after(holding(1, 0, 0, 0, at=4), CutCard(0, 4))
    assert need(state) == "leg" and not state.facts.cards[0].whole
    assert need(after(state, TellLeg(0, 4, "red"))) == "run"


def test_nobody_is_set_where_the_finish_may_be():
    state = race(facts=UNFINISHED)
    assert codes(state, Correct(BO, space=len(state.legs))) == ["no-such-spot"]
    assert codes(state, Correct(BO, space=len(state.legs) - 1)) == []
    # With no leg of the last card known, its start is no finish.
    blank = race(facts=replace(BOX, cards=(*BOX.cards[:4], CardFacts().cards[0])))
    assert codes(blank, Correct(BO, space=len(blank.legs))) == []


def test_the_end_of_the_fourth_card_is_no_finish_while_the_fifth_is_blank():
    blank = race(facts=replace(BOX, cards=(*BOX.cards[:4], CardFacts().cards[0])))
    state = after(holding(0, 0, 1, 1, at=15, state=blank), Run("green"))
    assert need(state) == "run"
    bot = but(race(solo=True, bot_deck="cards", facts=blank.facts), BO, at=14)
    assert PLAY.to_move(after(bot, Flip("red"))) == (ANA,) and after(bot, Flip("red")).turn == ANA


@every_row("change", [{"space": 0}, {"held": 4}, {"space": 0, "held": 4}, {"shuffled": False}])
def test_a_correction_that_changes_nothing_is_not_asked_of_the_table(change: dict):
    assert codes(race(), Correct(BO, **change)) == ["no-change"]


def test_the_deck_the_app_shuffles_for_the_bot_is_not_corrected():
    assert codes(race(solo=True), Correct(BO, shuffled=True)) == ["app-deck"]
    by_hand = race(solo=True, bot_deck="cards")
    assert codes(by_hand, Correct(BO, shuffled=True)) == ["no-change"]
    flipped = by_hand.with_player(BO, discard=(1, 0, 0, 0))
    assert codes(but(flipped, flips=1), Correct(BO, shuffled=True)) == []


def anything(state: State, rng: random.Random) -> Move:
    """Return something somebody could set right, sensible or not."""
    runner, card = rng.randrange(2), rng.randrange(TRAIL_CARDS)
    return rng.choice([
        Correct(runner, space=rng.randint(0, len(state.legs))),
        Correct(runner, held=rng.randint(0, 6)),
        Correct(runner, shuffled=True),
        Correct(runner, lay=rng.choice([*SETBACKS, *BOOSTS])),
        Correct(runner, clear=rng.choice([*state.players[runner].setbacks, *state.players[runner].boosts, "cramps"])),
        SwapCards(card, rng.randrange(TRAIL_CARDS)),
        CutCard(card, rng.randint(0, len(state.facts.cards[card].legs))),
    ])  # fmt: skip


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_whatever_is_set_right_the_race_adds_up_and_comes_to_an_end(table: Table):
    """Only what is set right may set a runner back, or take a card from a pile."""
    mended = 0
    for seed in range(8):
        rng, states = random.Random(f"{table.label} {seed}"), [PLAY.begin(table.setup)]
        while seats := PLAY.to_move(states[-1]):
            state, move = states[-1], anything(states[-1], rng)
            if len(states) < 200 and rng.random() < 0.3 and PLAY.legal(state, seats[0], move):
                states.append(PLAY.play(state, seats[0], move))
                mended += 1
            else:
                kinds = list(PLAY.asked(state))
                rng.shuffle(kinds)
                found = random_move(PLAY, state, seats[0], rng, kinds)
                assert found, state
                states.append(found[1])
            assert len(states) < 2000, states[-1]
        for state in states:
            for player in state.players:
                deck_adds_up(state, player)
            piles_add_up(state)
            assert lying(state) is not None
        for before, now in pairwise(states):
            assert all(new.home >= old.home for old, new in zip(before.players, now.players, strict=True))
    assert mended > 20
