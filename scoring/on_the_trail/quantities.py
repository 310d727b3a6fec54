"""What a runner gained and paid by a move, for the log: "+2 legs", "\u22121 red card"."""

from collections.abc import Iterator

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move
from scoring.on_the_trail.box import BOOSTS
from scoring.on_the_trail.moves.run_moves import Activate, Stay
from scoring.on_the_trail.route import legs_until_finish
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import describe_draw, has_drawn_hand, has_run_ended, list_cards, stop_text
from scoring.on_the_trail.turn import draw_count


def describe_quantities(before: State, after: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the cards and legs of a move, without the names of secret cards."""
    old, new = before.players[seat], after.players[seat]
    if isinstance(move, Stay) and (details := move.log_details(before, seat)):
        yield details
    if isinstance(move, Activate):
        yield from (f"\u2212{cards}" for cards in list_cards(move.cards))
        fact = before.facts.known_boost(move.boost)
        if BOOSTS[move.boost].effect == "advance" and fact and fact.legs:
            yield from _describe_boost_legs(before, after, seat, fact.legs)
        elif BOOSTS[move.boost].effect == "draw":
            yield describe_draw(new.held - old.held + sum(move.cards), new.held)
    if move.names_player and not move.out_of_turn and has_drawn_hand(before, after, seat):
        yield describe_draw(draw_count(new), new.held)


def _describe_boost_legs(before: State, after: State, seat: int, number: int) -> Iterator[str]:
    """Yield the legs that a Boost brings, if known, and the stop if they end the run."""
    if legs := legs_until_finish(before, seat, number):
        stop = stop_text(after, seat) if has_run_ended(before, after, seat) and not after.players[seat].finished else ""
        yield f"+{pluralize(legs, 'leg')}{f' to {stop}' if stop else ''}"
