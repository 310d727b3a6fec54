"""Texts of differences between two versions of a log."""

from companion.log.log_diff import LogDiff
from companion.log.steps import Step, make_step
from scoring.on_the_trail import TRACKED_GAME
from scoring.on_the_trail.moves.run_moves import Run, Stay
from scoring.on_the_trail.rules import DISCARDS_SEEN
from tests.support.on_the_trail_table import ANA, make_state, state_after, state_with_hand

STOPPED = "stopped at a neutral stop and kept a card"


def stop_of_a_run(keep: str, **changes) -> Step:
    """Return the step by which Ana stops with a hand of two red cards and a yellow one."""
    state = state_after(state_with_hand(2, 2, 0, 0, state=make_state(**changes)), Run("yellow"))
    return make_step(TRACKED_GAME, state, 1, ANA, Stay(keep))


def correction(old: Step, new: Step) -> LogDiff:
    return LogDiff(first_changed=old, removed=(old,), restored=(), inserted=(new,), is_truncation=False)


def test_correction_with_equal_texts_shows_the_cards():
    diff = correction(stop_of_a_run("red"), stop_of_a_run("yellow"))
    assert diff.log_text(ANA) == (
        f"corrected a move: {STOPPED}, \u22122 red cards (was: \u22121 red card, \u22121 yellow card)."
    )
    assert diff.request_text == (
        f"Change \u201cAna {STOPPED}\u201d from \u22121 red card, \u22121 yellow card to \u22122 red cards"
    )


def test_correction_of_hidden_cards_does_not_show_them():
    old, new = (stop_of_a_run(card, rulings={DISCARDS_SEEN.id: "hidden"}) for card in ("red", "yellow"))
    diff = correction(old, new)
    assert diff.log_text(ANA) == f"corrected a detail of a move: {STOPPED}."
    assert diff.request_text == f"Change a detail of \u201cAna {STOPPED}\u201d"
