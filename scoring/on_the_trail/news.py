"""The news of a turn: "ran 2 legs (yellow, green), Aid Station: drew Flat Out, kept 1 card"."""

from collections.abc import Sequence

from scoring.kernel.english import pluralize
from scoring.kernel.tracked_game import PlayedMove
from scoring.on_the_trail.bot import Flip
from scoring.on_the_trail.moves.run_moves import Activate, Run, RunOn, Stay
from scoring.on_the_trail.route import stop_at
from scoring.on_the_trail.text import describe_cards

STOP_NAMES = {"neutral": "neutral stop", "setback": "Setback stop", "aid": "Aid Station", None: "stopped"}
MAX_NAMED_LEGS = 2  # a longer run has only the number of its legs


def describe_turn(moves: Sequence[PlayedMove]) -> list[str]:
    """Return the phrases of a turn: legs, Boosts, the stop with its effect, the kept card."""
    first, last = moves[0], moves[-1]
    if isinstance(first.move, Flip):
        return [first.move.news_text(first.before, first.seat)]
    texts: dict[bool, list[str]] = {True: [], False: []}  # by whether they are about a Boost that was used
    for each in moves:
        if not isinstance(each.move, Run | RunOn | Stay):
            texts[isinstance(each.move, Activate)].append(each.move.news_text(each.before, each.seat))
    return [*_describe_legs(moves), *texts[True], *_describe_stop(first, last, texts[False]), *_describe_card(moves)]


def _describe_legs(moves: Sequence[PlayedMove]) -> list[str]:
    first, last = moves[0], moves[-1]
    start, end = (state.players[first.seat].legs_run for state in (first.before, last.after))
    colours = [leg.colour for leg in last.after.legs[start:end] if leg.colour]
    runs = [each.move for each in moves if isinstance(each.move, Run)]
    if end <= start:
        return []
    if end - start == 1 and len(runs) == 1 and colours:
        cards_text = f" with {describe_cards(runs[0].cards)}" if runs[0].card != colours[0] else ""
        return [f"ran 1 {colours[0]} leg{cards_text}"]
    colours_text = f" ({', '.join(colours)})" if 0 < len(colours) == end - start <= MAX_NAMED_LEGS else ""
    return [f"ran {pluralize(end - start, 'leg')}{colours_text}"]


def _describe_stop(first: PlayedMove, last: PlayedMove, effects: list[str]) -> list[str]:
    """Return the stop at the end of the turn and its effect: "Aid Station: drew Flat Out"."""
    after, seat = last.after, first.seat
    old, new = first.before.players[seat], after.players[seat]
    is_running = after.turn == seat and after.phase == "run" and after.moved
    if new.finished and not old.finished:
        return ["crossed the finish line", *effects]
    if is_running or new.legs_run <= old.legs_run:
        return effects
    stop = stop_at(after, new.legs_run)
    if stop == "aid" and not effects and old.setbacks and not new.setbacks:
        effects = ["discarded all Setbacks"]
    return [": ".join([STOP_NAMES[stop], *effects])]


def _describe_card(moves: Sequence[PlayedMove]) -> list[str]:
    return ["kept 1 card" for each in moves if isinstance(each.move, Stay) and each.move.keep]
