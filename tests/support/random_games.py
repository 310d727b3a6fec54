"""Play random games: a player who knows the legal moves and nothing else."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.kernel.box_facts import UseBoxFacts
from scoring.kernel.edit_position import EditPosition
from scoring.kernel.editable import AddRemove, Change, EditableField, Increment, OneOf, Replace, SomeOf
from scoring.kernel.errors import IllegalMoveError
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Offer, TrackedGame
from tests.support.alpine_trails_drafts import DRAFT_CANDIDATES

MAX_MOVES = 5000  # A game with more moves does not end.


def random_game(
    tracked: TrackedGame, setup: Any, rng: random.Random, record: list | None = None, *, out_of_turn_chance: float = 0.0
) -> Any:
    """Return the last state of a random game; `record` gets its (seat, move) pairs for a replay.

    With probability `out_of_turn_chance` a player makes an out-of-turn move instead, such as naming a card or a note.

    :raises AssertionError: if a seat to move has no legal move, or the game does not end; with the seed.
    """
    seed = rng.getstate()
    asides = [kind for kind in tracked.moves if kind.out_of_turn and not issubclass(kind, (EditPosition, UseBoxFacts))]
    state = tracked.initial_state(setup)
    for _ in range(MAX_MOVES):
        seats = tracked.flow.to_move(state)
        if not seats:
            return state
        seat = seats[int(rng.random() * len(seats))]
        played = None
        if out_of_turn_chance and rng.random() < out_of_turn_chance:
            speaker = rng.randrange(len(state.players))
            if played := random_move(tracked, state, speaker, rng, rng.sample(asides, len(asides))):
                seat = speaker
        if played is None:
            kinds = tracked.available_moves(state)
            first = int(rng.random() * len(kinds))  # much faster than a shuffle
            played = random_move(tracked, state, seat, rng, kinds[first:] + kinds[:first])
        assert played, f"seat {seat} has no legal move in {state}; seed {seed}"
        move, state = played
        if record is not None:
            record.append((seat, move))
    raise AssertionError(f"no end after {MAX_MOVES} moves; seed {seed}")


def possible_offers(tracked: TrackedGame, state: Any, seat: int, kinds: Sequence[type[Move]] = ()) -> list[Offer]:
    """Return the moves a seat could want now: offers, and examples of built moves."""
    available = tracked.available_moves(state) if seat in tracked.flow.to_move(state) else ()
    drafted = [
        kind for kind in kinds or tracked.moves if kind in DRAFT_CANDIDATES and (kind.out_of_turn or kind in available)
    ]
    moves = [move for kind in drafted for move in DRAFT_CANDIDATES[kind](state, seat)]
    moves += [
        move
        for kind in kinds or tracked.moves
        if issubclass(kind, EditPosition)
        for move in possible_edits(kind, state, seat)
    ]
    return [
        *tracked.offers(state, seat, kinds),
        *(Offer(move, tuple(tracked.objections(state, seat, move))) for move in moves),
    ]


def possible_edits(kind: type[EditPosition], state: Any, seat: int) -> Iterator[EditPosition]:
    """Yield corrections of a position, different ones for every state and seat; there are many."""
    fields = [field for field in kind.position_format.editable_fields(state) if not field.is_read_only]
    rng = random.Random(f"{seat} {[field.value for field in fields]}")
    if fields and (change := random_change(rng.choice(fields), rng)):
        yield kind((change,))


def random_change(field: EditableField, rng: random.Random) -> Change | None:
    """Return a random change of a field that a player might ask for, if there is one."""
    match field.domain:
        case SomeOf(known) if field.value and rng.random() < 0.5:
            return AddRemove(field.path, less=(rng.choice(field.value),))
        case SomeOf(known):
            return AddRemove(field.path, more=(rng.choice(known).key,)) if known else None
        case OneOf(known):
            others = [choice.key for choice in known if choice.key != field.value]
            return Replace(field.path, field.value, rng.choice(others)) if others else None
    return Increment(field.path, rng.choice((1, -1)))


def random_move(
    tracked: TrackedGame, state: Any, seat: int, rng: random.Random, kinds: Sequence[type[Move]]
) -> tuple[Move, Any] | None:
    """Return a random legal move of the first kind that has one, and the state after it."""
    for kind in kinds:
        moves = list(DRAFT_CANDIDATES.get(kind, kind.candidates)(state, seat))
        while moves:
            move = moves.pop(int(rng.random() * len(moves)))
            try:
                return move, tracked.play(state, seat, move)
            except IllegalMoveError:
                continue
    return None
