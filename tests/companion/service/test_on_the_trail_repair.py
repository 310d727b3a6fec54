"""Tests of ON THE TRAIL's repairs of a wrong Trail."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from scoring.kernel.editable import Increment
from scoring.kernel.move import Move
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.box import TRAIL_CARDS
from scoring.on_the_trail.card_facts import CardFacts
from scoring.on_the_trail.moves.corrections import EditPosition
from scoring.on_the_trail.moves.reveals import CutCard, EndCard, EnterLeg, SwapCards
from scoring.on_the_trail.moves.run_moves import Run
from scoring.on_the_trail.state import State
from scoring.on_the_trail.turn import required_decision
from tests.support.invariants import TableConfig
from tests.support.on_the_trail_invariants import TABLES, assert_deck_adds_up, assert_piles_add_up
from tests.support.on_the_trail_table import (
    ANA,
    BO,
    CARD_FACTS,
    LAST_TURN,
    OVER,
    TRACKED_GAME,
    UNFINISHED_CARD_FACTS,
    make_state,
    objection_codes,
    refusal_params,
    state_after,
    state_with_hand,
    validate_state,
    with_changes,
)
from tests.support.parametrize import run_all_rows
from tests.support.random_games import random_move

REFUSED = {
    "setup-trail": [
        (make_state(), SwapCards(0, 5), "not-yet"),
        (make_state(), SwapCards(0, -1), "not-yet"),
        (make_state(order=(0, 1)), SwapCards(3, 2), "not-yet"),
        (make_state(), SwapCards(2, 2), "no-change"),
        (state_with_hand(at=18, state=make_state(facts=UNFINISHED_CARD_FACTS)), SwapCards(4, 0), "no-such-spot"),
        (state_with_hand(at=3), CutCard(0, 2), "no-such-spot"),
        # A runner at an edge that may be the finish would be there.
        (state_with_hand(at=18), CutCard(4, 2), "no-such-spot"),
        (LAST_TURN, CutCard(4, 5), "no-such-spot"),
    ],
    "trail-cards": [
        (make_state(), CutCard(0, 5), "no-such-leg"),
        (make_state(), CutCard(0, -1), "no-such-leg"),
        (make_state(facts=UNFINISHED_CARD_FACTS), CutCard(4, 3), "no-change"),
    ],
    "components": [(make_state(), SwapCards(5, 0), "no-such-card"), (make_state(), CutCard(-1, 0), "no-such-card")],
    "finish-round": [(OVER, move, "race-over") for move in (SwapCards(1, 0), CutCard(0, 1))],
}


@run_all_rows("state, move, refused_by, rule", refusal_params(REFUSED))
def test_illegal_repair_is_refused_with_its_rule(state: State, move: Move, refused_by: str, rule: str):
    reasons = {(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, ANA, move)}
    assert reasons == {(refused_by, rule)}


def test_swap_and_cut_are_decoded_from_a_form():
    forms = {"type": "swap-cards", "place": "0", "card": "2"}, {"type": "cut-card", "card": "0", "legs": "2"}
    assert [TRACKED_GAME.decode(fields, strict=False) for fields in forms] == [SwapCards(2, 0), CutCard(0, 2)]


def test_mixed_up_cards_are_swapped_in_the_row():
    state = TRACKED_GAME.play(make_state(), BO, SwapCards(2, 0))
    assert state.order == (2, 1, 0, 3, 4) and [leg.colour for leg in state.legs[:4]] == [
        "red",
        "yellow",
        "yellow",
        "green",
    ]


def test_known_card_is_replaced_by_one_that_was_still_to_come():
    state = TRACKED_GAME.play(make_state(order=(0, 1)), BO, SwapCards(4, 1))
    assert state.order == (0, 4)


def test_leg_that_does_not_exist_is_cut_and_the_race_goes_on():
    state = state_after(state_with_hand(0, 1, 0, 0), CutCard(0, 2), EndCard(0), Run("yellow"))
    assert [leg.colour for leg in state.legs[:3]] == ["yellow", "red", "green"]
    assert len(state.facts.cards[0].legs) == 2 and state.facts.cards[0].whole


def test_card_entered_as_complete_gets_another_leg():
    state = state_after(state_with_hand(1, 0, 0, 0, at=4), CutCard(0, 4))
    assert required_decision(state) == "leg" and not state.facts.cards[0].whole
    assert required_decision(state_after(state, EnterLeg(0, 4, "red"))) == "run"


def place_bo(legs: int) -> EditPosition:
    """Return the correction that places Bo this many legs from the start, where he still is."""
    return EditPosition((Increment("runners.1.at", legs),))


def test_runner_cannot_be_placed_where_the_finish_may_be():
    state = make_state(facts=UNFINISHED_CARD_FACTS)
    assert objection_codes(state, place_bo(len(state.legs))) == ["no-such-spot"]
    assert objection_codes(state, place_bo(len(state.legs) - 1)) == []
    # With no leg of the last card known, its start is no finish.
    blank = make_state(facts=replace(CARD_FACTS, cards=(*CARD_FACTS.cards[:4], CardFacts().cards[0])))
    assert objection_codes(blank, place_bo(len(blank.legs))) == []


def test_end_of_the_fourth_card_is_no_finish_while_the_fifth_is_unknown():
    blank = make_state(facts=replace(CARD_FACTS, cards=(*CARD_FACTS.cards[:4], CardFacts().cards[0])))
    state = state_after(state_with_hand(0, 0, 1, 1, at=15, state=blank), Run("green"))
    assert required_decision(state) == "run"
    bot = with_changes(make_state(solo=True, bot_deck="cards", facts=blank.facts), BO, legs_run=14)
    assert (
        TRACKED_GAME.flow.to_move(state_after(bot, Flip("red"))) == (ANA,) and state_after(bot, Flip("red")).turn == ANA
    )


def random_repair(state: State, rng: random.Random) -> Move:
    """Return a random repair of the Trail, sensible or not."""
    card = rng.randrange(TRAIL_CARDS)
    return rng.choice([
        SwapCards(card, rng.randrange(TRAIL_CARDS)),
        CutCard(card, rng.randint(0, len(state.facts.cards[card].legs))),
    ])  # fmt: skip


@pytest.mark.slow("random games at every table")
@pytest.mark.parametrize("table", [pytest.param(table, id=table.label.replace(" ", "-")) for table in TABLES])
def test_race_with_random_repairs_adds_up_and_ends(table: TableConfig):
    """Only a repair may move a runner back or take a card from a pile."""
    repaired_count = 0
    for seed in range(8):
        rng, states = random.Random(f"{table.label} {seed}"), [TRACKED_GAME.initial_state(table.setup)]
        while seats := TRACKED_GAME.flow.to_move(states[-1]):
            state, move = states[-1], random_repair(states[-1], rng)
            if len(states) < 200 and rng.random() < 0.9 and TRACKED_GAME.is_legal(state, seats[0], move):
                states.append(TRACKED_GAME.play(state, seats[0], move))
                repaired_count += 1
            else:
                kinds = list(TRACKED_GAME.available_moves(state))
                rng.shuffle(kinds)
                found = random_move(TRACKED_GAME, state, seats[0], rng, kinds)
                assert found, state
                states.append(found[1])
            assert len(states) < 2000, states[-1]
        for state in states:
            for player in state.players:
                assert_deck_adds_up(state, player)
            assert_piles_add_up(state)
            assert validate_state(state) is not None
        for previous, current in pairwise(states):
            assert all(new.finished >= old.finished for old, new in zip(previous.players, current.players, strict=True))
    assert repaired_count > 20
