"""FORD: setup, moves and refusals, each under its rule."""

import pytest

from scoring.kernel.errors import IllegalMoveError
from tests.support.parametrize import run_all_rows
from tests.support.rule_cases import case_params, iterate_cases
from tests.support.small_games.ford import BOX, TRACKED_GAME, Correct, Hide, Roll
from tests.support.small_games.ford.state import Player, Setup, State

ANA, BO = 0, 1
START = TRACKED_GAME.initial_state(Setup(("Ana", "Bo")))
BO_TURN = TRACKED_GAME.play(START, ANA, Roll(1))
HIDDEN = START.with_player(ANA, hand="left")
ACROSS = State((Player("Ana", 5), Player("Bo", 3)), {}, turn=BO, is_over=True)
SHOWN = State((Player("Ana", 5, "left"), Player("Bo", 3, "right")), {}, turn=BO, is_over=True)

# rule -> (setup, code of the refusal)
REFUSED_SETUPS = {
    "players": [
        (Setup(("Ana",)), "player-count"),
        (Setup(("Ana", "Bo", "Cy", "Di")), "player-count"),
        (Setup(("Ana", "Ana")), "same-name"),
    ],
    "beyond": [(Setup(("Ana", "Bo"), {"beyond": "half"}), "no-option")],
}


@run_all_rows("setup, code", case_params(BOX, REFUSED_SETUPS))
def test_impossible_setup_is_refused(setup, code):
    assert [reason.code for reason in TRACKED_GAME.setup_format.check(setup)] == [code]


# rule -> (state, seat, move, values afterwards: step and hand of the seat, seats to move)
MOVES = {
    "turns": [(START, ANA, Roll(2), (2, None), (BO,)), (BO_TURN, BO, Roll(2), (2, None), (ANA,))],
    "die": [(START, ANA, Roll(1), (1, None), (BO,)), (START, ANA, Roll(3), (3, None), (BO,))],
    "stone": [(START, BO, Hide("left"), (0, "left"), (ANA,))],
    "over": [
        (START.with_player(ANA, step=4), ANA, Roll(1), (5, None), (ANA, BO)),
        (HIDDEN.with_player(ANA, step=3), ANA, Roll(3), (6, "left"), (BO,)),
        (ACROSS, BO, Hide("right"), (3, "right"), (ANA,)),
        (SHOWN, ANA, Correct(BO, 4), (5, "left"), ()),
    ],
}


@run_all_rows("state, seat, move, values, to_move", case_params(BOX, MOVES))
def test_move_follows_its_rule(state, seat, move, values, to_move):
    after = TRACKED_GAME.play(state, seat, move)
    assert (after.players[seat].step, after.players[seat].hand) == values
    assert TRACKED_GAME.flow.to_move(after) == to_move


# rule that is cited -> (state, seat, move, code of the refusal)
REFUSED_MOVES = {
    "turns": [(START, BO, Roll(1), "not-your-turn")],
    "die": [(START, ANA, Roll(0), "no-such-side"), (START, ANA, Roll(4), "no-such-side")],
    "stone": [(HIDDEN, ANA, Hide("right"), "hidden")],
    "over": [
        (ACROSS, ANA, Roll(1), "show-first"),
        (ACROSS.with_player(ANA, hand="left"), ANA, Roll(1), "not-your-turn"),
        (SHOWN, ANA, Roll(1), "game-over"),
        (START, ANA, Correct(BO, 5), "over"),
        (START, ANA, Correct(BO, 8), "no-such-step"),
    ],
    "players": [(START, ANA, Correct(2, 1), "no-such-player")],
}


@run_all_rows(
    "rule, state, seat, move, code",
    [pytest.param(rule, *case, id=f"{rule}-{number}") for rule, number, case in iterate_cases(BOX, REFUSED_MOVES)],
)
def test_illegal_move_is_refused_by_its_rule(rule, state, seat, move, code):
    reasons = [(reason.code, reason.rule.id) for reason in TRACKED_GAME.objections(state, seat, move)]
    assert (code, rule) in reasons


def test_stone_is_hidden_from_others_until_everyone_has_shown_theirs():
    assert TRACKED_GAME.view(HIDDEN, ANA).players[ANA].hand == "left"
    assert TRACKED_GAME.view(HIDDEN, BO).players[ANA].hand is None
    assert TRACKED_GAME.view(SHOWN, None) == SHOWN


def test_inconsistent_position_is_refused():
    position_format = TRACKED_GAME.position_format
    data = position_format.to_data(START)
    assert position_format.from_data(data) == START
    with pytest.raises(IllegalMoveError, match="There is no player 2"):
        position_format.from_data({**data, "turn": 2})
