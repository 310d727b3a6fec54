"""Gains and payments of a PARKS player: tokens, tasks, triggered gear and photos."""

from collections.abc import Callable, Iterable
from typing import cast

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.parks import rules as r
from scoring.parks.box import NO_TOKENS, TOKENS, Gain, Token, Tokens, Trigger, all_gear, make_tokens, parse_gains
from scoring.parks.state import (
    ActionKind,
    ChooseExtra,
    DoAction,
    Extra,
    NameDrawnGear,
    ParksAction,
    PlaceWater,
    SecondPhoto,
    State,
    SwapGainedToken,
    Task,
)


def push_task(state: State, *tasks: Task) -> State:
    """Return the state with tasks pushed on the stack; the last one is next."""
    return replace(state, tasks=state.tasks + tasks)


def pop_task(state: State) -> State:
    """Return the state without its current task."""
    return replace(state, tasks=state.tasks[:-1])


# Tokens: every gain comes from the trays, and every payment returns there.


def add_tokens(tokens: Tokens, more: Tokens) -> Tokens:
    return make_tokens(number + added for number, added in zip(tokens, more, strict=True))


def subtract_tokens(tokens: Tokens, fewer: Tokens) -> Tokens:
    return make_tokens(number - removed for number, removed in zip(tokens, fewer, strict=True))


def tokens_of_kind(token: Token, number: int = 1) -> Tokens:
    """Return a number of tokens of one kind."""
    return make_tokens(number if kind == token else 0 for kind in TOKENS)


def pay_tokens(state: State, tokens: Tokens) -> State:
    """Return the state after the current player returns tokens to the trays."""
    held = subtract_tokens(state.player.tokens, tokens)
    return replace(state.with_player(state.turn, tokens=held), tray=add_tokens(state.tray, tokens))


def available_in_tray(state: State, tokens: Tokens) -> Tokens:
    """Return the part of some tokens that can be gained (ruling token-supply)."""
    if chosen_option(state.rulings, r.SUPPLY) == "stand-ins":
        return tokens
    return make_tokens(min(number, max(0, left)) for number, left in zip(tokens, state.tray, strict=True))


def gain_tokens(state: State, tokens: Tokens) -> State:
    """Return the state after the current player gains tokens; Water may still fill a canteen."""
    tokens = available_in_tray(state, tokens)
    state = replace(state, tray=subtract_tokens(state.tray, tokens))
    forest, mountain, sun, water, wildlife = tokens
    state = add_to_backpack(state, (forest, mountain, sun, 0, wildlife))
    for swap, number in ((SwapGainedToken("forest"), forest), (SwapGainedToken("mountain"), mountain)):
        if number and state.has_ability(f"{swap.token} to wildlife"):
            times = number if chosen_option(state.rulings, r.PASSION_USES) == "always" else 1
            state = push_task(state, *(swap,) * times)
    return push_water(state, water) if water else state


def push_water(state: State, count: int) -> State:
    """Return the state with Water to place, merged with Water already waiting."""
    match state.task:
        case PlaceWater(already):
            return push_task(pop_task(state), PlaceWater(already + count))
    return push_task(state, PlaceWater(count))


def add_to_backpack(state: State, tokens: Tokens) -> State:
    return state.with_player(state.turn, tokens=add_tokens(state.player.tokens, tokens))


def apply_gains(state: State, gains: tuple[Gain, ...], gear: str = "") -> State:
    """Return the state after several gains: tokens first, then gains that need a decision."""
    tokens = make_tokens(gains.count(token) for token in TOKENS)
    to_do: list[Gain] = [gain for gain in gains if gain not in TOKENS and gain not in _IMMEDIATE_GAINS]
    if len(to_do) > 1:
        state = push_task(state, ChooseExtra(tuple(Extra(gain, gear) for gain in to_do)))
    else:
        state = push_task(state, *(task_for(gain, gear) for gain in to_do))
    for gain in gains:
        if gain in _IMMEDIATE_GAINS:
            state = _IMMEDIATE_GAINS[gain](state)
    return gain_tokens(state, tokens) if tokens != NO_TOKENS else state


def apply_extra(state: State, extra: Extra) -> State:
    """Return the state after one gain from a gear card or a canteen."""
    return apply_gains(state, parse_gains(extra.what), extra.gear)


def push_remaining_extras(state: State, extras: Iterable[Extra]) -> State:
    """Return the state with the remaining gains to choose from."""
    return push_task(state, ChooseExtra(left)) if (left := tuple(extras)) else state


def relight_campfire(state: State) -> State:
    return state.with_player(state.turn, campfire=True)


def take_badge(state: State) -> State:
    return replace(state, badge=state.turn)


def free_photo(state: State) -> State:
    """Return the state after a free photo; the badge may add a second one."""
    if not state.has_photos_left:
        return state
    return push_task(state.with_player(state.turn, photos=state.player.photos + 1), SecondPhoto())


_IMMEDIATE_GAINS: dict[Gain, Callable[[State], State]] = {
    "relight": relight_campfire,
    "badge": take_badge,
    "free photo": free_photo,
}


def task_for(gain: str, gear: str = "") -> Task:
    match gain:
        case "parks":
            return ParksAction()
        case "gear":
            return NameDrawnGear()
    return DoAction(cast("ActionKind", gain), gear)


def trigger_gear(state: State, when: Trigger) -> State:
    """Return the state with unused gear triggered; its gains follow after the site's action."""
    used = list(state.used_gear)
    for id in state.player.gear:
        if id in used:
            used.remove(id)
        elif (card := all_gear(state.facts)[id]).when == when:
            extra = Extra(card.effect, id)
            state = replace(state, used_gear=(*state.used_gear, id), triggered_extras=(*state.triggered_extras, extra))
    return state


def mark_passion_used(state: State) -> State:
    return replace(state, is_passion_used=True)
