"""Descriptions of the bonuses that gear and passions gave in a move of PARKS, for the log."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.english import join_words
from scoring.kernel.move import Move
from scoring.parks.box import TOKENS, all_gear, all_parks, make_tokens, parse_gains
from scoring.parks.costs import TOP_GEAR_PRICE, discounted_token, is_gear_free
from scoring.parks.effects import available_in_tray, subtract_tokens
from scoring.parks.moves.hiking import Skip
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.sites import FillCanteenRow, SwapToken, TakePhoto
from scoring.parks.state import ChooseExtra, DoAction, Extra, State
from scoring.parks.text import TOKEN_NAMES, describe_tokens, gear_title
from scoring.parks.turn import ORDER_INDEPENDENT_GAINS, WATER_GAINS, resolve_next_forced_step

ACTION_TEXTS = {"canteen": "this canteen", "photo": "this photo", "reserve": "this park", "roll": "this roll"}


def describe_bonuses(state: State, seat: int, move: Move) -> Iterator[str]:
    """Yield a sentence for each gear card or passion that gave something in a legal move."""
    match state.task:
        case DoAction(action, gear) if gear and action in move.resolves and not isinstance(move, Skip):
            yield f"{gear_title(state.facts, gear)} gave {ACTION_TEXTS[action]}."
    passion = state.passion_of(seat)
    if passion and (bonus_text := _passion_bonus_text(state, move)):
        yield f"The passion {passion.name} {bonus_text}."
    if not state.player.gear:
        return
    state = move.apply(state, seat)
    while (after := resolve_next_forced_step(state)) is not None:
        yield from _describe_gear_bonuses(state, after)
        state = after


def _passion_bonus_text(state: State, move: Move) -> str:
    """Return the bonus of a passion's gear side in a move, or ""."""
    match move:
        case VisitPark(park):
            card = all_parks(state.facts)[park]
            saved_token = discounted_token(state, card)
            roll = card.instant and state.has_ability("roll at instant")
            return f"saved 1 {TOKEN_NAMES[saved_token]}" if saved_token else "gave a roll of the die" if roll else ""
        case FillCanteenRow():
            return "gave a roll of the die" if state.has_ability("roll at canteen") else ""
        case TakePhoto("wildlife"):
            return "gave one more photo" if state.has_ability("two photos") else ""
        case SwapToken():
            return "gave this swap"
        case BuyGear(gear, keep=False):
            card = all_gear(state.facts)[gear] if gear else None
            return f"saved {card.cost if card else TOP_GEAR_PRICE} Sun" if is_gear_free(state, card) else ""
    return ""


def _describe_gear_bonuses(state: State, after: State) -> Iterator[str]:
    """Yield the bonuses of gear in a forced step."""
    for extra in (_pending_extras(state) - _pending_extras(after)).elements():
        if extra.gear and (extra.what in WATER_GAINS or set(parse_gains(extra.what)) <= ORDER_INDEPENDENT_GAINS):
            gains = parse_gains(extra.what)
            gained = available_in_tray(state, make_tokens(gains.count(token) for token in TOKENS))
            state = replace(state, tray=subtract_tokens(state.tray, gained))
            texts = [f"gave {describe_tokens(gained)}"] if any(gained) else []
            texts += ["relit the campfire"] if "relight" in gains and not state.player.campfire else []
            if texts:
                yield f"{gear_title(state.facts, extra.gear)} {join_words(texts)}."


def _pending_extras(state: State) -> Counter[Extra]:
    """Return the pending bonuses of gear and canteens."""
    choices = (extra for task in state.tasks if isinstance(task, ChooseExtra) for extra in task.extras)
    return Counter((*choices, *state.triggered_extras))
