"""What a player of PARKS gains and pays: tokens out of the trays and back, what gear sets off, photos from the badge."""

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.parks import rules as r
from scoring.parks.box import NOTHING, TOKENS, Gain, Gear, Token, Tokens, When, all_gear, gains
from scoring.parks.box import tokens as together
from scoring.parks.state import Deed, Do, DrawnGear, Extra, Parks, Pick, Pour, SecondPhoto, State, Swap, Task


def then(state: State, *tasks: Task) -> State:
    """Return the state with tasks put before those that wait; the last one is next."""
    return replace(state, tasks=state.tasks + tasks)


def done(state: State) -> State:
    """Return the state with the present task finished."""
    return replace(state, tasks=state.tasks[:-1])


# Tokens: whatever a player gains comes from the trays, whatever is paid goes back to them.


def plus(tokens: Tokens, others: Tokens) -> Tokens:
    return together(have + more for have, more in zip(tokens, others, strict=True))


def minus(tokens: Tokens, others: Tokens) -> Tokens:
    return together(have - less for have, less in zip(tokens, others, strict=True))


def some(token: Token, number: int = 1) -> Tokens:
    """Return a number of tokens of one kind."""
    return together(number if each == token else 0 for each in TOKENS)


def pay(state: State, tokens: Tokens) -> State:
    """Return the state after the player whose turn it is puts tokens back into the trays."""
    held = minus(state.player.tokens, tokens)
    return replace(state.with_player(state.turn, tokens=held), tray=plus(state.tray, tokens))


def from_tray(state: State, tokens: Tokens) -> Tokens:
    """Return what of some tokens there is to gain (ruling token-supply)."""
    if chosen(state.rulings, r.SUPPLY) == "stand-ins":
        return tokens
    return together(min(wanted, max(0, left)) for wanted, left in zip(tokens, state.tray, strict=True))


def take(state: State, tokens: Tokens) -> State:
    """Return the state after the player whose turn it is gains tokens; Water may still fill a canteen."""
    tokens = from_tray(state, tokens)
    state = replace(state, tray=minus(state.tray, tokens))
    forest, mountain, sun, water, wildlife = tokens
    state = put_in_backpack(state, (forest, mountain, sun, 0, wildlife))
    for swap, number in ((Swap("forest"), forest), (Swap("mountain"), mountain)):
        if number and state.has_ability(f"{swap.token} to wildlife"):
            times = number if chosen(state.rulings, r.PASSION_USES) == "always" else 1
            state = then(state, *(swap,) * times)
    return pour(state, water) if water else state


def pour(state: State, waters: int) -> State:
    """Return the state with Water to put somewhere, together with what waits for that already."""
    match state.task:
        case Pour(already):
            return then(done(state), Pour(already + waters))
    return then(state, Pour(waters))


def put_in_backpack(state: State, tokens: Tokens) -> State:
    return state.with_player(state.turn, tokens=plus(state.player.tokens, tokens))


def bring(state: State, words: tuple[Gain, ...], gear: str = "") -> State:
    """Return the state with several things gained at once: tokens first, then what takes a decision, in any order."""
    tokens = together(words.count(token) for token in TOKENS)
    to_do: list[Gain] = [word for word in words if word not in TOKENS and word not in _AT_ONCE]
    if len(to_do) > 1:
        state = then(state, Pick(tuple(Extra(word, gear) for word in to_do)))
    else:
        state = then(state, *(task_for(word, gear) for word in to_do))
    for word in words:
        if word in _AT_ONCE:
            state = _AT_ONCE[word](state)
    return take(state, tokens) if tokens != NOTHING else state


def bring_extra(state: State, extra: Extra) -> State:
    """Return the state with one of several things gained taken: by a gear card, or by a canteen."""
    return bring(state, gains(extra.what), extra.gear)


def with_rest(state: State, extras: Iterable[Extra]) -> State:
    """Return the state with what is left of several things gained still to choose from."""
    return then(state, Pick(left)) if (left := tuple(extras)) else state


def relight(state: State) -> State:
    return state.with_player(state.turn, campfire=True)


def take_badge(state: State) -> State:
    return replace(state, badge=state.turn)


def free_photo(state: State) -> State:
    """Return the state after a photo that costs nothing; the badge may add a second one."""
    if not state.photos_left:
        return state
    return then(state.with_player(state.turn, photos=state.player.photos + 1), SecondPhoto())


_AT_ONCE: dict[Gain, Callable[[State], State]] = {"relight": relight, "badge": take_badge, "free photo": free_photo}


def task_for(word: str, gear: str = "") -> Task:
    match word:
        case "parks":
            return Parks()
        case "gear":
            return DrawnGear()
    return Do(cast("Deed", word), gear)


def set_off(state: State, when: When) -> State:
    """Return the state with the gear set off that waits for this; what it brings comes after the site's action."""
    for card in idle_gear(state, when):
        state = replace(state, used=(*state.used, card.id), ready=(*state.ready, Extra(card.effect, card.id)))
    return state


def idle_gear(state: State, when: When) -> Iterator[Gear]:
    """Yield the player's gear cards that wait for something and have not worked this turn."""
    used = list(state.used)
    for id in state.player.gear:
        if id in used:
            used.remove(id)
        elif all_gear(state.facts)[id].when == when:
            yield all_gear(state.facts)[id]


def use_passion(state: State) -> State:
    return replace(state, passion_used=True)
