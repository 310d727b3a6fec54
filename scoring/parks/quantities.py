"""What a player gained and paid in a move of PARKS, for the log and the reminders."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move, chosen_option
from scoring.parks import rules as r
from scoring.parks.box import NO_TOKENS, SITE_COUNT, TOKENS, Tokens, all_gear, all_parks, make_tokens, parse_gains
from scoring.parks.costs import TOP_GEAR_PRICE, discounted_token, is_gear_free
from scoring.parks.effects import add_tokens, available_in_tray, subtract_tokens, tokens_of_kind
from scoring.parks.moves.hiking import Hike, ReturnToken
from scoring.parks.moves.park_actions import BuyGear, VisitPark
from scoring.parks.moves.sites import FillCanteenRow, SwapToken, TakePhoto, Trade
from scoring.parks.state import ChooseExtra, Extra, GainLater, PlaceWater, State, SwapGainedToken
from scoring.parks.text import TOKEN_NAMES, signed_tokens
from scoring.parks.turn import ORDER_INDEPENDENT_GAINS, WATER_GAINS, resolve_next_forced_step


def tokens_paid(state: State, move: Move) -> Tokens:
    """Return the tokens that a legal move of the current player returns to the trays."""
    match move, state.task:
        case ((VisitPark() | BuyGear()), _):
            return move.payment(state)
        case ((TakePhoto(token) | Trade(token) | ReturnToken(token)), _):
            return tokens_of_kind(token)
        case SwapToken(), SwapGainedToken(token):
            return tokens_of_kind(token)
    return NO_TOKENS


def tokens_gained(before: State, after: State, seat: int, move: Move) -> Tokens:
    """Return the tokens that a player takes from the trays, without those spent.

    Tokens that an earlier move announced are left out: Water still to be placed, and what a hike postponed.
    """
    water_placed = tokens_of_kind("water", int(isinstance(move, FillCanteenRow)))
    left = subtract_tokens(_announced(before, seat), add_tokens(tokens_paid(before, move), water_placed))
    return make_tokens(max(0, count) for count in subtract_tokens(_announced(after, seat), left))


def describe_quantities(before: State, after: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the gains and payments of a move: "+1 Sun (weather)", "\u22122 Mountain".

    Gains and payments that the text of the move already names are left out.
    """
    if move.out_of_turn:
        # A correction is compared to the table after it, which may leave steps of the current player that are forced.
        yield from (f"{before.player.name} gained {text}" for text in _describe_forced_steps(before))
        return
    state = move.apply(before, seat)
    yield from _describe_move(before, state, seat, move)
    if passion := before.passion_of(seat):
        for text in _passion_texts(before, state, seat, move):
            yield f"{text} ({passion.name} passion)"
    yield from _describe_forced_steps(state)


def _describe_forced_steps(state: State) -> Iterator[str]:
    """Yield the gains of all forced steps, up to the next decision."""
    while (resolved := resolve_next_forced_step(state)) is not None:
        yield from _describe_forced_step(state, resolved)
        state = resolved


def _describe_move(state: State, applied: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the tokens that the move itself brought and cost."""
    match move:
        case Hike(_, to):
            yield from _describe_arrival(state, to, _difference(state, applied, seat))
        case FillCanteenRow():
            yield from signed_tokens("+", tokens_gained(state, applied, seat, move))
        case VisitPark():
            yield from signed_tokens("\u2212", tokens_paid(state, move))
            gained = tokens_gained(state, applied, seat, move)
            yield from _with_source(signed_tokens("+", gained), "instant benefit")
        case BuyGear():
            yield from signed_tokens("\u2212", tokens_paid(state, move))


def _describe_arrival(state: State, space: int, gained: Tokens) -> Iterator[str]:
    """Yield the tokens of a site with its weather, or of a space of Trail\u2019s End."""
    if space > SITE_COUNT:
        yield from _with_source(signed_tokens("+", gained), "first there")
        return
    weather = state.weather[space - 1]
    is_gained_now = weather and chosen_option(state.rulings, r.WEATHER_TIME) == "before"
    extra = make_tokens(min(1, count) if is_gained_now and kind == weather else 0 for kind, count in _by_kind(gained))
    yield from signed_tokens("+", subtract_tokens(gained, extra))
    yield from _with_source(signed_tokens("+", extra), "weather")


def _by_kind(tokens: Tokens) -> Iterator[tuple[str, int]]:
    return zip(TOKENS, tokens, strict=True)


def _difference(before: State, after: State, seat: int) -> Tokens:
    return subtract_tokens(_held(after, seat), _held(before, seat))


def _held(state: State, seat: int) -> Tokens:
    """Return a player's tokens, with Water that is still to be placed."""
    waiting = sum(task.count for task in state.tasks if isinstance(task, PlaceWater)) if seat == state.turn else 0
    return add_tokens(state.players[seat].tokens, tokens_of_kind("water", waiting))


def _announced(state: State, seat: int) -> Tokens:
    """Return a player's tokens, with Water still to be placed and tokens postponed by a hike."""
    postponed = [task.token for task in state.tasks if isinstance(task, GainLater)] if seat == state.turn else []
    return add_tokens(_held(state, seat), make_tokens(postponed.count(token) for token in TOKENS))


def _with_source(texts: list[str], source: str) -> Iterator[str]:
    return (f"{text} ({source})" for text in texts)


def _passion_texts(state: State, applied: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the gains and savings by the Gear Effect of a passion."""
    match move:
        case VisitPark(park):
            card = all_parks(state.facts)[park]
            if saved := discounted_token(state, card):
                yield f"saved 1 {TOKEN_NAMES[saved]}"
            if card.instant and state.has_ability("roll at instant"):
                yield "+1 die roll"
        case FillCanteenRow() if state.has_ability("roll at canteen"):
            yield "+1 die roll"
        case TakePhoto("wildlife") if applied.players[seat].photos > state.players[seat].photos + 1:
            yield "+1 photo"
        case BuyGear(gear, keep=False) if is_gear_free(state, card := all_gear(state.facts)[gear] if gear else None):
            yield f"saved {card.cost if card else TOP_GEAR_PRICE} Sun"


def _describe_forced_step(state: State, after: State) -> Iterator[str]:
    """Yield the gains of a forced step: gear, canteens and postponed tokens."""
    match state.task:
        case GainLater(token) as task if after.tasks.count(task) < state.tasks.count(task):
            gained = available_in_tray(state, tokens_of_kind(token))
            yield from _with_source(signed_tokens("+", gained), _later_source(state, token))
    for extra in (_pending_extras(state) - _pending_extras(after)).elements():
        if extra.what in WATER_GAINS or set(parse_gains(extra.what)) <= ORDER_INDEPENDENT_GAINS:
            gains = parse_gains(extra.what)
            gained = available_in_tray(state, make_tokens(gains.count(token) for token in TOKENS))
            state = replace(state, tray=subtract_tokens(state.tray, gained))
            texts = signed_tokens("+", gained)
            texts += ["campfire relit"] if "relight" in gains and not state.player.campfire else []
            yield from _with_source(texts, state.gear_source(extra.gear) if extra.gear else "canteen")


def _later_source(state: State, token: str) -> str:
    """Return the source of a token that is gained after the action.

    A Sun can be both where the table plays both rulings so.
    """
    if token == "wildlife" or (token == "sun" and chosen_option(state.rulings, r.WEATHER_TIME) == "before"):
        return "first there"
    is_weather = token == "water" or chosen_option(state.rulings, r.END_FIRST) == "before"
    return "weather" if is_weather else "after the action"


def _pending_extras(state: State) -> Counter[Extra]:
    """Return the pending benefits of gear and canteens."""
    choices = (extra for task in state.tasks if isinstance(task, ChooseExtra) for extra in task.extras)
    return Counter((*choices, *state.triggered_extras))
