"""What a player of PARKS can pay, and in how many ways; what there is to do at a site, for all that has been named."""

from collections.abc import Callable
from functools import lru_cache
from itertools import product

from scoring.kernel.move import chosen
from scoring.parks import rules as r
from scoring.parks.box import PLAIN, TOKENS, WILDLIFE, Gear, Park, Token, Tokens, all_gear, all_parks
from scoring.parks.box import tokens as together
from scoring.parks.effects import from_tray, minus, some
from scoring.parks.state import GONE, Player, State

DECK_PRICE = 2  # suns for the top gear card
MOST_RESERVED = 3  # by the ruling reserve-limit
MOST_CANTEENS = 6


Way = tuple[int, int, int, int]  # how many Wildlife stand in for each plain token


@lru_cache(maxsize=65536)
def ways(cost: Tokens, held: Tokens) -> tuple[Way, ...]:
    """Return every way to pay, the one with the fewest Wildlife first."""
    spare = held[WILDLIFE] - cost[WILDLIFE]
    short = [max(0, due - have) for due, have in zip(cost[:4], held[:4], strict=True)]
    if sum(short) > spare:
        return ()
    forest, mountain, sun, water = (range(least, due + 1) for least, due in zip(short, cost[:4], strict=True))
    return tuple(sorted((way for way in product(forest, mountain, sun, water) if sum(way) <= spare), key=sum))


def paid(cost: Tokens, way: Way) -> Tokens:
    """Return the tokens that pay a cost when Wildlife stand in for some."""
    return together((*(due - wild for due, wild in zip(cost[:4], way, strict=True)), cost[WILDLIFE] + sum(way)))


def discount(state: State, park: Park) -> Token | None:
    """Return the token of which a park costs the player whose turn it is one less, by the gear side of their passion."""
    return next((token for token in PLAIN if park.shows(token) and state.has_ability(f"{token} less")), None)


def park_price(state: State, park: Park) -> Tokens:
    """Return what a park costs the player whose turn it is."""
    less = discount(state, park)
    return minus(park.cost, some(less)) if less else park.cost


def gear_price(state: State, card: Gear | None) -> int:
    """Return what gear costs the player whose turn it is, in suns; None is the top card of the deck."""
    if gear_is_free(state, card):
        return 0
    return card.cost if card else DECK_PRICE


def gear_is_free(state: State, card: Gear | None) -> bool:
    """Return whether Collecting makes gear free (rulings free-gear, passion-once)."""
    return state.has_ability("free gear") and (card is not None or chosen(state.rulings, r.FREE_GEAR) == "all")


def parks_here(state: State) -> list[str]:
    """Return the named parks the player whose turn it is could visit."""
    return [card for card in (*state.parks, *state.player.reserve) if card]


def unnamed_parks(state: State) -> bool:
    return None in state.parks or None in state.player.reserve


def affords(state: State, park: Park) -> bool:
    return bool(ways(park_price(state, park), state.player.tokens))


def could_visit(state: State) -> bool:
    """Return whether some park may be within reach, for all that has been named."""
    known = all_parks(state.facts)
    if any(affords(state, known[name]) for name in parks_here(state)):
        return True
    return unnamed_parks(state) and any(affords(state, known[name]) for name in state.other_parks)


def could_reserve(state: State) -> bool:
    full = len(state.player.reserve) >= MOST_RESERVED and chosen(state.rulings, r.RESERVED_PARKS) == "three"
    return not full and (any(card != GONE for card in state.parks) or state.park_deck > 0)


def could_buy(state: State) -> bool:
    suns = state.player.tokens[2] + state.player.tokens[WILDLIFE]
    known = all_gear(state.facts)
    if gear_price(state, None) <= suns:
        return True
    if any(gear_price(state, known[card]) <= suns for card in state.market if card):
        return True
    least = 0 if gear_is_free(state, next(iter(known.values()))) else min(card.cost for card in known.values())
    return None in state.market and least <= suns


def could_photo(state: State) -> bool:
    return any(state.player.tokens) and state.photos_left


def could_gain_canteen(player: Player) -> bool:
    return sum(map(len, player.canteens)) < MOST_CANTEENS


def tradeable(state: State) -> tuple[Token, ...]:
    """Return the kinds of token that may be traded for a Wildlife (ruling wildlife-trade)."""
    return TOKENS if chosen(state.rulings, r.TRADE_WILDLIFE) == "yes" else PLAIN


def could_trade(state: State) -> bool:
    held = zip(TOKENS, state.player.tokens, strict=True)
    wildlife = from_tray(state, some("wildlife"))[WILDLIFE]
    return bool(wildlife) and any(number for token, number in held if token in tradeable(state))


_COULD: dict[str, Callable[[State], bool]] = {
    "canteen": lambda state: could_gain_canteen(state.player),
    "photo": could_photo,
    "canteen or photo": lambda state: could_gain_canteen(state.player) or could_photo(state),
    "trade": could_trade,
    "roll": lambda state: True,
    "reserve": could_reserve,
    "parks": lambda state: could_reserve(state) or could_visit(state),
    "buy": could_buy,
    "gear": lambda state: True,
}


def could(state: State, what: str) -> bool:
    """Return whether there is anything to do about something gained."""
    return _COULD[what](state)
