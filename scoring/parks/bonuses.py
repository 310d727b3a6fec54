"""Which gear and passions gave something in a move of PARKS, for the log."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import listed
from scoring.kernel.move import Move
from scoring.parks.box import TOKENS, all_gear, all_parks, gains
from scoring.parks.box import tokens as together
from scoring.parks.costs import DECK_PRICE, discount, gear_is_free
from scoring.parks.effects import from_tray, minus
from scoring.parks.moves.hiking import Leave
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.sites import Fill, SwapToken, TakePhoto
from scoring.parks.state import Do, Extra, Pick, State
from scoring.parks.text import TOKEN, gear_title, tokens
from scoring.parks.turn import ANY_ORDER, WATERS, forced

ACTIONS = {"canteen": "this canteen", "photo": "this photo", "reserve": "this park", "roll": "this roll"}


def bonuses(state: State, seat: int, move: Move) -> Iterator[str]:
    """Yield a sentence for each gear card or passion that gave something in a legal move."""
    match state.task:
        case Do(what, gear) if gear and what in move.answers and not isinstance(move, Leave):
            yield f"{gear_title(state.facts, gear)} gave {ACTIONS[what]}."
    passion = state.passion_of(seat)
    if passion and (given := _by_passion(state, move)):
        yield f"The passion {passion.name} {given}."
    if not state.player.gear:
        return
    state = move.apply(state, seat)
    while (after := forced(state)) is not None:
        yield from _by_gear(state, after)
        state = after


def _by_passion(state: State, move: Move) -> str:
    """Return the bonus of a passion's gear side in a move, or None."""
    match move:
        case VisitPark(park):
            card = all_parks(state.facts)[park]
            saved = discount(state, card)
            roll = card.instant and state.has_ability("roll at instant")
            return f"saved 1 {TOKEN[saved]}" if saved else "gave a roll of the die" if roll else ""
        case Fill():
            return "gave a roll of the die" if state.has_ability("roll at canteen") else ""
        case TakePhoto("wildlife"):
            return "gave one more photo" if state.has_ability("two photos") else ""
        case SwapToken():
            return "gave this swap"
        case BuyGear(gear, keep=False):
            card = all_gear(state.facts)[gear] if gear else None
            return f"saved {card.cost if card else DECK_PRICE} Sun" if gear_is_free(state, card) else ""
    return ""


def _by_gear(state: State, after: State) -> Iterator[str]:
    """Yield the bonuses of gear in a forced step."""
    for extra in (_waiting(state) - _waiting(after)).elements():
        if extra.gear and (extra.what in WATERS or set(gains(extra.what)) <= ANY_ORDER):
            words = gains(extra.what)
            brought = from_tray(state, together(words.count(token) for token in TOKENS))
            state = replace(state, tray=minus(state.tray, brought))
            given = [f"gave {tokens(brought)}"] if any(brought) else []
            given += ["relit the campfire"] if "relight" in words and not state.player.campfire else []
            if given:
                yield f"{gear_title(state.facts, extra.gear)} {listed(given)}."


def _waiting(state: State) -> Counter[Extra]:
    """Return the bonuses of gear and canteens that are still due."""
    picks = (extra for task in state.tasks if isinstance(task, Pick) for extra in task.extras)
    return Counter((*picks, *state.ready))
