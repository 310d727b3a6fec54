"""Play random games in which several fields of the position are corrected now and then."""

import random
from typing import Any

from scoring.kernel.edit_position import EditPosition
from scoring.kernel.tracked_game import TrackedGame
from tests.support.random_games import random_change, random_move

MAX_MOVES = 3000  # moves
MAX_EDITED_STATES = 300  # maximum number of states followed by a correction
EDITS_AFTER_END = 3


def random_game_with_edits(tracked: TrackedGame, setup: Any, rng: random.Random) -> tuple[list[Any], list[str]]:
    """Return the states of a game, and the fields that were corrected in it."""
    (kind,) = (kind for kind in tracked.moves if issubclass(kind, EditPosition))
    states, places, ended = [tracked.initial_state(setup)], [], 0
    while ended < EDITS_AFTER_END:
        state, seats = states[-1], tracked.flow.to_move(states[-1])
        assert len(states) < MAX_MOVES, f"no end: {state}"
        ended += not seats
        if not seats or (len(states) < MAX_EDITED_STATES and rng.random() < 0.4):
            move = random_edit(kind, state, rng)
            states.append(_apply_edit(tracked, state, rng.randrange(len(setup.players)), move))
            places += [change.path for change in move.changes if states[-1] is not state]
            continue
        kinds = list(tracked.available_moves(state))
        found = random_move(tracked, state, rng.choice(seats), rng, rng.sample(kinds, len(kinds)))
        assert found, f"stuck: {state}"
        states.append(found[1])
    return states, places


def random_edit(kind: type[EditPosition], state: Any, rng: random.Random) -> EditPosition:
    """Return a correction of one to three random fields, sensible or not."""
    fields = [field for field in kind.position_format.editable_fields(state) if not field.is_read_only]
    changes = (random_change(field, rng) for field in rng.sample(fields, min(len(fields), rng.choice((1, 1, 2, 3)))))
    return kind(tuple(change for change in changes if change))


def _apply_edit(tracked: TrackedGame, state: Any, seat: int, move: EditPosition) -> Any:
    """Return the state after a correction, or the same state if it is refused.

    Asserts that all players see the same result.
    """
    view = tracked.view(state, seat)
    reasons = list(tracked.objections(state, seat, move))
    assert list(tracked.objections(view, seat, move)) == reasons, move
    if reasons:
        return state
    after = tracked.play(state, seat, move)
    assert tracked.log_sentence(state, after, seat, move) and move.label(state, seat).text
    assert tracked.position_format.from_position(tracked.position_format.to_position(after)) == after, move
    if tracked.flow.to_move(after):  # Secrets are revealed when the game is over.
        assert tracked.view(tracked.play(view, seat, move), None) == tracked.view(after, None), move
    return after
