"""What a runner gained and paid by a move, for the log: "+2 legs", "\u22121 red card"."""

from collections.abc import Iterator

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move
from scoring.on_the_trail.box import BOOSTS
from scoring.on_the_trail.moves.run_moves import Activate, Stay
from scoring.on_the_trail.state import State
from scoring.on_the_trail.text import describe_draw, has_drawn_hand, list_cards
from scoring.on_the_trail.turn import draw_count


def describe_quantities(before: State, after: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the cards and legs of a move, without the names of secret cards."""
    old, new = before.players[seat], after.players[seat]
    if isinstance(move, Stay) and (details := move.log_details(before, seat)):
        yield details
    if isinstance(move, Activate):
        yield from (f"\u2212{cards}" for cards in list_cards(move.cards))
        if BOOSTS[move.boost].effect == "advance":
            legs_to_run = after.legs_to_run if after.turn == seat else 0
            yield f"+{pluralize(new.legs_run - old.legs_run + legs_to_run, 'leg')}"
        elif BOOSTS[move.boost].effect == "draw":
            yield describe_draw(new.held - old.held + sum(move.cards), new.held)
    if move.names_player and not move.out_of_turn and has_drawn_hand(before, after, seat):
        yield describe_draw(draw_count(new), new.held)
