"""Moves from outdated pages: after the end, the refusal says that play is over."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import TrackedGame
from tests.support.random_games import random_game
from tests.support.ready_setups import ready_setup


def random_states(tracked: TrackedGame) -> tuple[list[tuple[int, Move]], list[Any]]:
    """Return the moves of a random game of two players, and the states between them."""
    log: list[tuple[int, Move]] = []
    setup = ready_setup(["Ana", "Bo"], tracked.key)
    random_game(tracked, setup, random.Random(tracked.key), log)
    states = [tracked.initial_state(setup)]
    for seat, move in log:
        states.append(tracked.play(states[-1], seat, move))
    return log, states


def refusals(tracked: TrackedGame, state: Any, log: list[tuple[int, Move]]) -> Iterator[tuple[int, Move, str]]:
    """Yield the refusals of each kind of move played so far, as its seat reads them."""
    last = {(seat, type(move)): move for seat, move in log if not move.out_of_turn}
    for (seat, _), move in last.items():
        yield from ((seat, move, reason.text) for reason in tracked.objections(state, seat, move))


@pytest.mark.parametrize("tracked", TRACKED_GAMES.values(), ids=TRACKED_GAMES.keys())
def test_move_after_the_end_is_refused_because_play_is_over(tracked: TrackedGame):
    log, states = random_states(tracked)
    found = list(refusals(tracked, states[-1], log))
    assert found and [refusal for refusal in found if "is over" not in refusal[2]] == []


@pytest.mark.parametrize("key", ["trails", "alpine-trails"])
def test_move_during_the_final_review_is_refused_because_play_is_over(key: str):
    """These games still accept photos or maps after the end, when no one has a turn."""
    tracked, count = TRACKED_GAMES[key], 0
    log, states = random_states(tracked)
    ended = next(
        step for step, state in enumerate(states) if (state.is_over if key == "trails" else state.is_play_over)
    )
    for step in range(ended, len(states)):
        kinds = {type(move) for _, move in log[ended:]}
        for _, move, text in refusals(tracked, states[step], log[:ended]):
            if type(move) not in kinds:
                count += 1
                assert "is over" in text and "turn" not in text, (move, text)
    assert count


@pytest.mark.parametrize(
    "tracked", [each for each in TRACKED_GAMES.values() if each.is_score_entry], ids=lambda tracked: tracked.key
)
def test_count_after_done_is_refused_with_the_actual_reason(tracked: TrackedGame):
    log, states = random_states(tracked)
    step = next(step for step, state in enumerate(states) if len(tracked.flow.to_move(state)) == 1)
    (waiting,) = tracked.flow.to_move(states[step])
    name = states[step].players[waiting].name
    own_texts = [text for seat, _, text in refusals(tracked, states[step], log) if seat != waiting]
    assert set(own_texts) == {
        f"You are done, and {name} is still counting. Tap \u201cChange my count\u201d to change yours."
    }
