"""A player who knows the moves and nothing else: random games of any game in the house."""

import random
from collections.abc import Sequence
from typing import Any

from scoring.kernel.faults import Illegal
from scoring.kernel.move import Move
from scoring.kernel.play import Play

LONGEST = 5000  # moves; a game that is not over by then has no end


def random_game(play: Play, setup: Any, rng: random.Random, record: list | None = None, *, chatter: float = 0.0) -> Any:
    """Return the last state of a random game; `record` takes its (seat, move), as `play.replay` wants them.

    With a probability of `chatter` somebody says something out of turn instead: a card they see, a note.

    :raises AssertionError: when a seat to move has no legal move, or the game does not end; with the seed.
    """
    seed = rng.getstate()
    asides = [kind for kind in play.moves if kind.anytime]
    state = play.begin(setup)
    for _ in range(LONGEST):
        seats = play.to_move(state)
        if not seats:
            return state
        seat = seats[int(rng.random() * len(seats))]
        played = None
        if chatter and rng.random() < chatter:
            speaker = rng.randrange(len(state.players))
            if played := random_move(play, state, speaker, rng, rng.sample(asides, len(asides))):
                seat = speaker
        if played is None:
            kinds = play.asked(state)
            first = int(rng.random() * len(kinds))  # much faster than a shuffle
            played = random_move(play, state, seat, rng, kinds[first:] + kinds[:first])
        assert played, f"seat {seat} has no legal move in {state}; seed {seed}"
        move, state = played
        if record is not None:
            record.append((seat, move))
    raise AssertionError(f"no end after {LONGEST} moves; seed {seed}")


def random_move(play: Play, state: Any, seat: int, rng: random.Random, kinds: Sequence[type[Move]]) -> tuple[Move, Any] | None:
    """Return a random legal move of the first kind that has one, and the state after it."""
    for kind in kinds:
        moves = list(kind.candidates(state, seat))
        while moves:
            move = moves.pop(int(rng.random() * len(moves)))
            try:
                return move, play.play(state, seat, move)
            except Illegal:
                continue
    return None
