"""A player who knows the moves and nothing else: random games of any game in the house."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.editable import But, By, Change, Figure, Into, OneOf, SetRight, SomeOf
from scoring.kernel.errors import Illegal
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Offer, Play
from tests.support.alpine_trails_drafts import DRAFTS

LONGEST = 5000  # moves; a game that is not over by then has no end


def random_game(play: Play, setup: Any, rng: random.Random, record: list | None = None, *, chatter: float = 0.0) -> Any:
    """Return the last state of a random game; `record` takes its (seat, move), as `play.replay` wants them.

    With a probability of `chatter` somebody says something out of turn instead: a card they see, a note.

    :raises AssertionError: when a seat to move has no legal move, or the game does not end; with the seed.
    """
    seed = rng.getstate()
    asides = [kind for kind in play.moves if kind.anytime and not issubclass(kind, (SetRight, UseBoxFacts))]
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


def offers(play: Play, state: Any, seat: int, kinds: Sequence[type[Move]] = ()) -> list[Offer]:
    """Return what a seat could want now: what is offered, and of what is put together bit by bit what somebody thinks of."""
    now = play.asked(state) if seat in play.to_move(state) else ()
    drafted = [kind for kind in kinds or play.moves if kind in DRAFTS and (kind.anytime or kind in now)]
    moves = [move for kind in drafted for move in DRAFTS[kind](state, seat)]
    moves += [
        move for kind in kinds or play.moves if issubclass(kind, SetRight) for move in set_right(kind, state, seat)
    ]
    return [
        *play.offers(state, seat, kinds),
        *(Offer(move, tuple(play.objections(state, seat, move))) for move in moves),
    ]


def set_right(kind: type[SetRight], state: Any, seat: int) -> Iterator[SetRight]:
    """Yield a way of setting a table right, another one at every moment and for every seat; there are many."""
    figures = [figure for figure in kind.known(state) if not figure.fixed]
    rng = random.Random(f"{seat} {[figure.value for figure in figures]}")
    if figures and (change := one_change(rng.choice(figures), rng)):
        yield kind((change,))


def one_change(figure: Figure, rng: random.Random) -> Change | None:
    """Return a change of a figure that somebody might ask for, if there is one."""
    match figure.can:
        case SomeOf(known) if figure.value and rng.random() < 0.5:
            return But(figure.at, less=(rng.choice(figure.value),))
        case SomeOf(known):
            return But(figure.at, more=(rng.choice(known).key,)) if known else None
        case OneOf(known):
            others = [thing.key for thing in known if thing.key != figure.value]
            return Into(figure.at, figure.value, rng.choice(others)) if others else None
    return By(figure.at, rng.choice((1, -1)))


def random_move(
    play: Play, state: Any, seat: int, rng: random.Random, kinds: Sequence[type[Move]]
) -> tuple[Move, Any] | None:
    """Return a random legal move of the first kind that has one, and the state after it."""
    for kind in kinds:
        moves = list(DRAFTS.get(kind, kind.candidates)(state, seat))
        while moves:
            move = moves.pop(int(rng.random() * len(moves)))
            try:
                return move, play.play(state, seat, move)
            except Illegal:
                continue
    return None
