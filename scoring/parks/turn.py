"""The course of a turn of PARKS: arrival, forced steps, decisions and the end of the turn."""

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.parks import rules as r
from scoring.parks.box import SITE_COUNT, SITES, TOKEN_INDEX, WILDLIFE_INDEX, EndSpace, Gain, Site, Trigger, parse_gains
from scoring.parks.costs import can_buy_photo, can_do, can_reserve_park, can_visit_park
from scoring.parks.effects import (
    add_to_backpack,
    add_tokens,
    apply_gains,
    available_in_tray,
    gain_tokens,
    pop_task,
    push_remaining_extras,
    push_task,
    take_badge,
    task_for,
    tokens_of_kind,
    trigger_gear,
)
from scoring.parks.season import end_season, start_award, start_turn
from scoring.parks.state import (
    NO_CARD,
    START_HIKE,
    TRAIL_END_SPACES,
    ChooseExtra,
    ChooseSide,
    DoAction,
    Extra,
    GainLater,
    LayTrail,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    ReturnTokens,
    RollForShutterbug,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)

SITES_WITH_GEAR: tuple[Trigger, ...] = ("sun", "water", "forest", "mountain")
ORDER_INDEPENDENT_GAINS = {
    "forest",
    "mountain",
    "sun",
    "wildlife",
    "relight",
}  # the order of these gains makes no difference
WATER_GAINS = ("water", "2 water")


def is_occupied(state: State, space: int) -> bool:
    """Return whether a hiker is on a site; the spaces of Trail's End have room for all."""
    return 1 <= space <= SITE_COUNT and any(space in player.hikers for player in state.players)


def is_last_on_trail(state: State) -> bool:
    """Return whether only the current player still has hikers on the Trail."""
    return not any(player.is_on_trail for seat, player in enumerate(state.players) if seat != state.turn)


def arrive(state: State, start: int, space: int) -> State:
    """Return the state after a hiker stops on a space, with the tasks this starts."""
    behind, ahead = state.player.hikers
    other_space = ahead if behind == start else behind
    campfire = state.player.campfire and not is_occupied(state, space)
    state = state.with_player(state.turn, hikers=(min(other_space, space), max(other_space, space)), campfire=campfire)
    end = state.end_space_at(space)
    return _reach_end(state, end) if end else _reach_site(state, space)


def _reach_site(state: State, space: int) -> State:
    site, weather = state.sites[space - 1], state.weather[space - 1]
    is_gained_before = chosen_option(state.rulings, r.WEATHER_TIME) == "before"
    if weather:
        left = tuple("" if place == space - 1 else token for place, token in enumerate(state.weather))
        state = replace(state, weather=left, tray=add_tokens(state.tray, tokens_of_kind(weather)))
    if weather and not is_gained_before:
        state = push_task(state, GainLater(weather))
    if site:  # A hike starts only after all tiles have been laid.
        state = apply_gains(state, parse_gains(SITES[site].brings))
    if site in SITES_WITH_GEAR:
        state = trigger_gear(state, site)
    if site == state.shutterbug:
        state = take_badge(state)
    return gain_tokens(state, tokens_of_kind(weather)) if weather and is_gained_before else state


def _reach_end(state: State, end: EndSpace) -> State:
    is_first_visit = state.unused_end_space_at(end.space) is not None
    state = replace(
        state,
        end_spaces_used=tuple(
            used or space == end.space for used, space in zip(state.end_spaces_used, TRAIL_END_SPACES, strict=True)
        ),
    )
    if end.first_visitor_gain is None:
        if is_first_visit:
            state = replace(state, first_hiker=state.turn)
        return push_task(state, task_for(end.action))
    is_gained_before = chosen_option(state.rulings, r.END_FIRST) == "before"
    if is_first_visit and not is_gained_before:
        state = push_task(state, GainLater(end.first_visitor_gain))
    state = push_task(state, task_for(end.action))
    if end.action == "photo" and state.badge == state.turn and chosen_option(state.rulings, r.END_TWICE) == "three":
        state = push_task(state, task_for(end.action))
    return gain_tokens(state, tokens_of_kind(end.first_visitor_gain)) if is_first_visit and is_gained_before else state


def _resolve_task(state: State, task: Task) -> State | None:
    """Return the state after a task that leaves no choice, or None if a player must decide."""
    match task:
        case PlaceWater(waters) if not (waters and state.player.fillable_rows):
            return add_to_backpack(pop_task(state), tokens_of_kind("water", waters))
        case ChooseExtra(extras):
            return _resolve_choose_extra(state, extras)
        case GainLater(token):
            return gain_tokens(pop_task(state), tokens_of_kind(token))
        case LayTrail() if len(state.tiles_left) == 1:
            return lay_tile(state, state.tiles_left[0])
    return None if _needs_decision(state, task) else pop_task(state)


def _needs_decision(state: State, task: Task) -> bool:
    """Return whether a player can do something about a task."""
    match task:
        case StartHike():  # A correction may have moved both hikers to Trail's End.
            return state.player.is_on_trail
        case SwapGainedToken(token):
            is_able = state.has_ability(f"{token} to wildlife") and state.player.tokens[TOKEN_INDEX[token]] > 0
            return is_able and available_in_tray(state, tokens_of_kind("wildlife"))[WILDLIFE_INDEX] > 0
        case DoAction(action):
            return can_do(state, action)
        case ParksAction(has_visited):
            return can_visit_park(state) or (not has_visited and can_reserve_park(state))
        case SecondPhoto():
            return state.badge == state.turn and not state.is_second_photo_used and can_buy_photo(state)
        case ChooseSide():  # A correction may have removed what met the goal.
            return state.has_met_goal(state.turn)
        case ReturnTokens():
            return state.excess_tokens > 0
        case NameSeasonTile():
            return not state.tile
        case LayTrail():
            return bool(state.tiles_left)
        case RollForShutterbug():
            return not state.shutterbug
    return True  # Water to place, or a drawn gear card to name.


def _resolve_choose_extra(state: State, extras_to_choose: tuple[Extra, ...]) -> State | None:
    """Return the state after the gains that need no decision, or None if a player must choose.

    Gains of gear triggered in the meantime are added first. Water waits for a canteen that may still come, and a gain
    that cannot be used yet waits for the others.
    """
    adds_triggered = len(state.tasks) == 1
    extras = extras_to_choose + (state.triggered_extras if adds_triggered else ())
    immediate = [extra for extra in extras if set(parse_gains(extra.what)) <= ORDER_INDEPENDENT_GAINS]
    water = [extra for extra in extras if extra.what in WATER_GAINS]
    to_do = [extra for extra in extras if extra not in immediate and extra not in water]
    usable = [extra for extra in to_do if can_do(state, extra.what)]
    if usable and not immediate and extras == extras_to_choose and (water or len({extra.what for extra in usable}) > 1):
        return None
    state = replace(pop_task(state), triggered_extras=() if adds_triggered else state.triggered_extras)
    if immediate:
        return _apply_extras(
            push_remaining_extras(state, [extra for extra in extras if extra not in immediate]),
            immediate,
        )
    if water and not usable:
        return _apply_extras(push_remaining_extras(state, to_do), water)
    if water or len({extra.what for extra in usable}) > 1:
        return push_task(state, ChooseExtra(extras))
    if not usable:  # The remaining gains are of no use to this player in any order.
        return state
    unusable = [extra for extra in to_do if extra not in usable]
    return push_task(push_remaining_extras(state, unusable), *(task_for(extra.what, extra.gear) for extra in usable))


def _apply_extras(state: State, extras: list[Extra]) -> State:
    return apply_gains(state, tuple(gain for extra in extras for gain in parse_gains(extra.what)))


def lay_tile(state: State, tile: Site) -> State:
    """Return the state with a tile on the next free site."""
    sites = list(state.sites)
    sites[sites.index(None)] = tile
    return replace(state, sites=tuple(sites))


def resolve_forced_steps(state: State) -> State:
    """Return the state with all forced steps resolved, up to the next decision or the end."""
    while (after := resolve_next_forced_step(state)) is not None:
        state = after
    return state


def resolve_next_forced_step(state: State) -> State | None:
    """Return the state after the next forced step, or None at a decision or the end."""
    if state.is_over:
        return None
    if state.has_met_goal(state.turn) and ChooseSide() not in state.tasks:
        return push_task(state, ChooseSide())
    return _resolve_task(state, state.tasks[-1]) if state.tasks else end_turn(state)


def end_turn(state: State) -> State:
    """Return the state at the end of a turn: remaining gear, backpack limit, next player."""
    if state.triggered_extras:
        return replace(state, tasks=(ChooseExtra(()),))
    if chosen_option(state.rulings, r.BACKPACK_LIMIT) == "twelve" and state.excess_tokens > 0:
        return replace(state, tasks=(ReturnTokens(),))
    if state.awards is not None:
        return start_award(refill_parks(state), state.awards[1:])
    if state.player.is_on_trail and is_last_on_trail(state):
        return replace(state, tasks=START_HIKE)
    state = refill_parks(state)
    seats = len(state.players)
    following = ((state.turn + step) % seats for step in range(1, seats + 1))
    for seat in following:
        if state.players[seat].is_on_trail:
            return start_turn(state, seat, START_HIKE)
    return end_season(state)


def refill_parks(state: State) -> State:
    """Return the state with the face-up parks slid right and unnamed ones drawn on the left."""
    if NO_CARD not in state.parks:
        return state
    remaining = tuple(card for card in state.parks if card != NO_CARD)
    gaps = len(state.parks) - len(remaining)
    drawn = min(gaps, state.park_deck)
    return replace(state, parks=(NO_CARD,) * (gaps - drawn) + (None,) * drawn + remaining)


def pending_decisions(state: State) -> tuple[type[Task] | Gain, ...]:
    """Return the decision that moves may resolve now: the current task, or its action."""
    match state.task:
        case None:
            return ()
        case DoAction(action):
            return (action,)
        case task:
            return (type(task),)
