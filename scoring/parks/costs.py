"""Costs in PARKS: prices, ways to pay, and which actions are possible with what is known."""

from collections.abc import Callable
from functools import lru_cache
from itertools import product

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.parks import rules as r
from scoring.parks.box import (
    DISCOUNTED_TOKENS,
    NON_WILD_TOKENS,
    TOKENS,
    WILDLIFE_INDEX,
    Gear,
    Park,
    Token,
    Tokens,
    all_gear,
    all_parks,
    make_tokens,
)
from scoring.parks.effects import available_in_tray, subtract_tokens, tokens_of_kind
from scoring.parks.state import NO_CARD, Player, State

TOP_GEAR_PRICE = 2  # suns for the top gear card
MAX_RESERVED = 3  # by the ruling reserve-limit
MAX_CANTEENS = 6


Substitution = tuple[int, int, int, int]  # number of Wildlife that replace each other kind of token


@lru_cache(maxsize=65536)
def substitutions(cost: Tokens, held: Tokens) -> tuple[Substitution, ...]:
    """Return every way to pay, the one with the fewest Wildlife first."""
    spare = held[WILDLIFE_INDEX] - cost[WILDLIFE_INDEX]
    short = [max(0, due - have) for due, have in zip(cost[:4], held[:4], strict=True)]
    if sum(short) > spare:
        return ()
    forest, mountain, sun, water = (range(least, due + 1) for least, due in zip(short, cost[:4], strict=True))
    possible = (numbers for numbers in product(forest, mountain, sun, water) if sum(numbers) <= spare)
    return tuple(sorted(possible, key=sum))


def payment(cost: Tokens, substitution: Substitution) -> Tokens:
    """Return the tokens paid for a cost when Wildlife replace some of them."""
    return make_tokens(
        (
            *(due - wild for due, wild in zip(cost[:4], substitution, strict=True)),
            cost[WILDLIFE_INDEX] + sum(substitution),
        )
    )


def discounted_token(state: State, park: Park) -> Token | None:
    """Return the token of which a park costs the current player one less, or None (passions)."""
    discounts = DISCOUNTED_TOKENS.items()
    return next((token for ability, token in discounts if park.has_icon(token) and state.has_ability(ability)), None)


def park_price(state: State, park: Park) -> Tokens:
    """Return the cost of a park for the current player."""
    less = discounted_token(state, park)
    return subtract_tokens(park.cost, tokens_of_kind(less)) if less else park.cost


def gear_price(state: State, card: Gear | None) -> int:
    """Return the price of gear for the current player, in Sun; None is the deck's top card."""
    if is_gear_free(state, card):
        return 0
    return card.cost if card else TOP_GEAR_PRICE


def is_gear_free(state: State, card: Gear | None) -> bool:
    """Return whether Collecting makes gear free (rulings free-gear, passion-once)."""
    return state.has_ability("free gear") and (card is not None or chosen_option(state.rulings, r.FREE_GEAR) == "all")


def available_parks(state: State) -> list[str]:
    """Return the named parks the current player could visit."""
    return [card for card in (*state.parks, *state.player.reserve) if card]


def has_unnamed_parks(state: State) -> bool:
    return None in state.parks or None in state.player.reserve


def can_afford(state: State, park: Park) -> bool:
    return bool(substitutions(park_price(state, park), state.player.tokens))


def park_shortage(state: State, seat: int, park: Park) -> Tokens:
    """Return the tokens that a player lacks for a park at the start of a turn.

    All Wildlife of the player is used first.
    """
    state = replace(state, turn=seat, is_passion_used=False)
    held, price = state.player.tokens, park_price(state, park)
    missing = [max(0, due - have) for due, have in zip(price, held, strict=True)]
    spare = max(0, held[WILDLIFE_INDEX] - price[WILDLIFE_INDEX])
    for index in range(len(NON_WILD_TOKENS)):
        covered = min(spare, missing[index])
        missing[index], spare = missing[index] - covered, spare - covered
    return make_tokens(missing)


def can_visit_park(state: State) -> bool:
    """Return whether a visit may be affordable; an unnamed park may be any remaining one."""
    known = all_parks(state.facts)
    if any(can_afford(state, known[name]) for name in available_parks(state)):
        return True
    return has_unnamed_parks(state) and any(can_afford(state, known[name]) for name in state.unnamed_parks)


def can_reserve_park(state: State) -> bool:
    full = len(state.player.reserve) >= MAX_RESERVED and chosen_option(state.rulings, r.RESERVED_PARKS) == "three"
    return not full and (any(card != NO_CARD for card in state.parks) or state.park_deck > 0)


def can_buy_gear(state: State) -> bool:
    suns = state.player.tokens[2] + state.player.tokens[WILDLIFE_INDEX]
    known = all_gear(state.facts)
    named_cards = (known[card] for card in state.market if card)
    if any(gear_price(state, card) <= suns for card in (None, *named_cards)):
        return True
    return None in state.market and gear_price(state, min(known.values(), key=lambda card: card.cost)) <= suns


def can_buy_photo(state: State) -> bool:
    return any(state.player.tokens) and state.has_photos_left


def can_gain_canteen(player: Player) -> bool:
    return sum(map(len, player.canteens)) < MAX_CANTEENS


def tradeable_tokens(state: State) -> tuple[Token, ...]:
    """Return the kinds of token that may be traded for a Wildlife (ruling wildlife-trade)."""
    return TOKENS if chosen_option(state.rulings, r.TRADE_WILDLIFE) == "yes" else NON_WILD_TOKENS


def can_trade(state: State) -> bool:
    held = zip(TOKENS, state.player.tokens, strict=True)
    wildlife = available_in_tray(state, tokens_of_kind("wildlife"))[WILDLIFE_INDEX]
    return bool(wildlife) and any(number for token, number in held if token in tradeable_tokens(state))


_CAN_DO: dict[str, Callable[[State], bool]] = {
    "canteen": lambda state: can_gain_canteen(state.player),
    "photo": can_buy_photo,
    "canteen or photo": lambda state: can_gain_canteen(state.player) or can_buy_photo(state),
    "trade": can_trade,
    "roll": lambda state: True,
    "reserve": can_reserve_park,
    "parks": lambda state: can_reserve_park(state) or can_visit_park(state),
    "buy": can_buy_gear,
    "gear": lambda state: True,
}


def can_do(state: State, action: str) -> bool:
    """Return whether the current player can do an action."""
    return _CAN_DO[action](state)
