"""Random games in which what lies on the table is set right every so often, some things at a time."""

import random
from typing import Any

from scoring.kernel.editable import SetRight
from scoring.kernel.tracked_game import Play
from tests.support.random_games import one_change, random_move

LONGEST = 3000  # moves
MENDED = 300  # so many may be followed by something set right
AFTER_THE_END = 3


def mended_game(play: Play, setup: Any, rng: random.Random) -> tuple[list[Any], list[str]]:
    """Return the states of a game, and the places that were set right in it."""
    (kind,) = (kind for kind in play.moves if issubclass(kind, SetRight))
    states, places, ended = [play.begin(setup)], [], 0
    while ended < AFTER_THE_END:
        state, seats = states[-1], play.to_move(states[-1])
        assert len(states) < LONGEST, f"no end: {state}"
        ended += not seats
        if not seats or (len(states) < MENDED and rng.random() < 0.4):
            move = something(kind, state, rng)
            states.append(_set_right(play, state, rng.randrange(len(setup.players)), move))
            places += [change.at for change in move.changes if states[-1] is not state]
            continue
        kinds = list(play.asked(state))
        found = random_move(play, state, rng.choice(seats), rng, rng.sample(kinds, len(kinds)))
        assert found, f"stuck: {state}"
        states.append(found[1])
    return states, places


def something(kind: type[SetRight], state: Any, rng: random.Random) -> SetRight:
    """Return one to three things set right together, sensible or not."""
    figures = [figure for figure in kind.known(state) if not figure.fixed]
    changes = (one_change(figure, rng) for figure in rng.sample(figures, min(len(figures), rng.choice((1, 1, 2, 3)))))
    return kind(tuple(change for change in changes if change))


def _set_right(play: Play, state: Any, seat: int, move: SetRight) -> Any:
    """Return the state after something is set right, or the same one where that is refused; everybody sees the same of it."""
    seen = play.view(state, seat)
    reasons = list(play.objections(state, seat, move))
    assert list(play.objections(seen, seat, move)) == reasons, move
    if reasons:
        return state
    after = play.play(state, seat, move)
    assert play.tell(state, after, seat, move) and move.label(state, seat)
    assert play.lying.state(play.lying.says(after)) == after, move
    if play.to_move(after):  # when it is over, secrets are revealed
        assert play.view(play.play(seen, seat, move), None) == play.view(after, None), move
    return after
