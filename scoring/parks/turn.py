"""How a turn of PARKS runs: where hikers stop, what is done without asking, when a person must decide, when it ends."""

from collections.abc import Callable

from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.kernel.rule import Rule
from scoring.parks import rules as r
from scoring.parks.box import SITES, TOKENS, WILDLIFE, Gain, When, gains
from scoring.parks.gaining import (
    bring,
    done,
    from_tray,
    plus,
    put_in_backpack,
    set_off,
    some,
    take,
    take_badge,
    task_for,
    then,
    with_rest,
)
from scoring.parks.paying import could, could_photo, could_reserve, could_visit
from scoring.parks.season import end_season, fresh_turn, next_award
from scoring.parks.state import (
    END_PARKS,
    END_PHOTO,
    ENDS,
    GONE,
    SET_OUT,
    SITES_IN_ROW,
    AskTile,
    ChooseSide,
    Do,
    DrawnGear,
    Extra,
    GainLater,
    Lay,
    Parks,
    Pick,
    PlaceBug,
    Pour,
    PutDown,
    SecondPhoto,
    SetOut,
    State,
    Swap,
    Task,
)

MOST_IN_BACKPACK = 12  # by the ruling backpack
SITES_WITH_GEAR: tuple[When, ...] = ("sun", "water", "forest", "mountain")
ANY_ORDER = {"forest", "mountain", "sun", "wildlife", "relight"}  # gained sooner or later, it is the same
WATERS = ("water", "2 water")


def occupied(state: State, space: int) -> bool:
    """Return whether a hiker stands on a site; the spaces of Trail End have room for all."""
    return 1 <= space <= SITES_IN_ROW and any(space in player.hikers for player in state.players)


def last_on_trail(state: State) -> bool:
    """Return whether only the player whose turn it is still has hikers on the Trail."""
    return not any(player.on_trail for seat, player in enumerate(state.players) if seat != state.turn)


def arrive(state: State, start: int, space: int) -> State:
    """Return the state as a hiker stops on a space, with what this starts."""
    other = state.player.hikers[1] if state.player.hikers[0] == start else state.player.hikers[0]
    campfire = state.player.campfire and not occupied(state, space)
    state = state.with_player(state.turn, hikers=tuple(sorted((other, space))), campfire=campfire)
    return _reach_end(state, space) if space in ENDS else _reach_site(state, space)


def _reach_site(state: State, space: int) -> State:
    site, weather = state.sites[space - 1], state.weather[space - 1]
    before = chosen(state.rulings, r.WEATHER_TIME) == "before"
    if weather:
        left = tuple("" if place == space - 1 else token for place, token in enumerate(state.weather))
        state = replace(state, weather=left, tray=plus(state.tray, some(weather)))
    if weather and not before:
        state = then(state, GainLater(weather))
    state = bring(state, gains(SITES[site].brings))
    if site in SITES_WITH_GEAR:
        state = set_off(state, site)
    if site == state.shutterbug:
        state = take_badge(state)
    return take(state, some(weather)) if weather and before else state


def _reach_end(state: State, space: int) -> State:
    first = not state.end_used[space - END_PARKS]
    state = replace(state, end_used=tuple(used or space == end for used, end in zip(state.end_used, ENDS, strict=True)))
    if space == END_PARKS:
        return then(replace(state, first_hiker=state.turn) if first else state, Parks())
    token = "wildlife" if space == END_PHOTO else "sun"
    before = chosen(state.rulings, r.END_FIRST) == "before"
    if first and not before:
        state = then(state, GainLater(token))
    state = then(state, Do("photo" if space == END_PHOTO else "buy"))
    if space == END_PHOTO and state.badge == state.turn and chosen(state.rulings, r.END_TWICE) == "three":
        state = then(state, Do("photo"))
    return take(state, some(token)) if first and before else state


# Each kind of task: what happens without asking, or None when a person must decide.


def _set_out(state: State, task: SetOut) -> State | None:
    """A correction may have put both hikers at Trail End."""
    return None if state.player.on_trail else done(state)


def _pour(state: State, task: Pour) -> State | None:
    if task.waters and state.player.fillable:
        return None
    return put_in_backpack(done(state), some("water", task.waters))


def _swap(state: State, task: Swap) -> State | None:
    able = state.has_ability(f"{task.token} to wildlife") and state.player.tokens[TOKENS.index(task.token)]
    return None if able and from_tray(state, some("wildlife"))[WILDLIFE] else done(state)


def _do(state: State, task: Do) -> State | None:
    return None if could(state, task.what) else done(state)


def _parks(state: State, task: Parks) -> State | None:
    return None if could_visit(state) or (not task.visited and could_reserve(state)) else done(state)


def _second_photo(state: State, task: SecondPhoto) -> State | None:
    able = state.badge == state.turn and not state.second_used and could_photo(state)
    return None if able else done(state)


def _pick(state: State, task: Pick) -> State | None:
    """Join what gear has set off since, take what the order does not matter for, and ask only where there is a choice.

    Water waits for a canteen that may still come. What cannot be done yet waits for what the others bring.
    """
    joins = len(state.tasks) == 1
    extras = task.extras + (state.ready if joins else ())
    free = [extra for extra in extras if set(gains(extra.what)) <= ANY_ORDER]
    water = [extra for extra in extras if extra.what in WATERS]
    to_do = [extra for extra in extras if extra not in free and extra not in water]
    able = [extra for extra in to_do if could(state, extra.what)]
    if able and not free and extras == task.extras and (water or len({extra.what for extra in able}) > 1):
        return None
    state = replace(done(state), ready=() if joins else state.ready)
    if free:
        return _bring_all(with_rest(state, [extra for extra in extras if extra not in free]), free)
    if water and not able:
        return _bring_all(with_rest(state, to_do), water)
    if water or len({extra.what for extra in able}) > 1:
        return then(state, Pick(extras))
    if not able:  # of no use to this player, whatever they do
        return state
    rest = [extra for extra in to_do if extra not in able]
    return then(with_rest(state, rest), *(task_for(extra.what) for extra in able))


def _bring_all(state: State, extras: list[Extra]) -> State:
    return bring(state, tuple(word for extra in extras for word in gains(extra.what)))


def _choose_side(state: State, task: ChooseSide) -> State | None:
    """A correction may have taken away what met the goal."""
    return None if state.goal_met(state.turn) else done(state)


def _put_down(state: State, task: PutDown) -> State | None:
    return None if sum(state.player.tokens) > MOST_IN_BACKPACK else done(state)


def _gain_later(state: State, task: GainLater) -> State:
    return take(done(state), some(task.token))


def _ask_tile(state: State, task: AskTile) -> State | None:
    return done(state) if state.tile else None


def _lay(state: State, task: Lay) -> State | None:
    match state.tiles_left:
        case ():
            return done(state)
        case (last,):
            return lay(state, last)
    return None


def lay(state: State, tile: str) -> State:
    """Return the state with a tile on the next free site."""
    sites = list(state.sites)
    sites[sites.index(None)] = tile
    return replace(state, sites=tuple(sites))


def _place_bug(state: State, task: PlaceBug) -> State | None:
    return done(state) if state.shutterbug else None


def _wait(state: State, task: Task) -> None:
    return None


_WITHOUT_ASKING: dict[type[Task], Callable[[State, Task], State | None]] = {
    SetOut: _set_out,
    Pour: _pour,
    Swap: _swap,
    Do: _do,
    Parks: _parks,
    SecondPhoto: _second_photo,
    Pick: _pick,
    DrawnGear: _wait,
    ChooseSide: _choose_side,
    PutDown: _put_down,
    GainLater: _gain_later,
    AskTile: _ask_tile,
    Lay: _lay,
    PlaceBug: _place_bug,
}


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice, up to the next decision or the end."""
    while not state.over:
        if state.goal_met(state.turn) and ChooseSide() not in state.tasks:
            state = then(state, ChooseSide())
        if not state.tasks:
            state = end_turn(state)
            continue
        task = state.tasks[-1]
        after = _WITHOUT_ASKING[type(task)](state, task)
        if after is None:
            return state
        state = after
    return state


def end_turn(state: State) -> State:
    """Return the state after a turn with nothing left to decide: gear to use, the backpack, the next player."""
    if state.ready:
        return replace(state, tasks=(Pick(()),))
    if chosen(state.rulings, r.BACKPACK_LIMIT) == "twelve" and sum(state.player.tokens) > MOST_IN_BACKPACK:
        return replace(state, tasks=(PutDown(),))
    if state.awards is not None:
        return next_award(refill(state))
    if state.player.on_trail and last_on_trail(state):
        return replace(state, tasks=SET_OUT)
    state = refill(state)
    seats = len(state.players)
    following = ((state.turn + step) % seats for step in range(1, seats + 1))
    for seat in following:
        if state.players[seat].on_trail:
            return fresh_turn(state, seat, SET_OUT)
    return end_season(state)


def refill(state: State) -> State:
    """Return the state with the open parks slid right and new ones, not named yet, drawn on the left."""
    if GONE not in state.parks:
        return state
    kept = tuple(card for card in state.parks if card != GONE)
    gaps = len(state.parks) - len(kept)
    drawn = min(gaps, state.park_deck)
    return replace(state, parks=(GONE,) * (gaps - drawn) + (None,) * drawn + kept)


# What the app does at each step, and the rules it carries out there.
STEPS: dict[type[Task], tuple[Rule, ...]] = {
    SetOut: (r.FIRST_HIKER_STARTS, r.TURN_ORDER, r.TURN_SKIPPED),
    Pour: (r.CANTEEN_FILL, r.CANTEEN_CHAIN, r.WATER_TOGETHER),
    Swap: (r.PASSION_SWAP,),
    Do: (
        r.SITE_ACTION, r.FOREST_SITE, r.MOUNTAIN_SITE, r.SUN_SITE, r.WATER_SITE, r.DIE_SITE, r.GEAR_SITE, r.PHOTO_SITE,
        r.WILDLIFE_SITE, r.NOTHING_TO_DO, r.WEATHER_TAKEN, r.SHUTTERBUG_BADGE, r.CANTEEN_FULL,
    ),
    Parks: (r.PARKS_ACTION, r.INSTANT_OPTIONAL),
    SecondPhoto: (r.SECOND_PHOTO, r.PHOTO_FREE),
    Pick: (r.GEAR_READY, r.GEAR_ORDER, r.GEAR_CHAIN, r.GEAR_WAITS, r.GEAR_KINDS, r.EXTRA_ROLL),
    DrawnGear: (r.GEAR_DECK,),
    ChooseSide: (r.PASSION_GOAL, r.PASSION_SHOWS),
    PutDown: (r.BACKPACK,),
    GainLater: (r.WEATHER_WHEN, r.END_FIRST_PHOTO, r.END_FIRST_GEAR, r.END_FIRST_PARKS),
    AskTile: (r.SETUP_SEASON_TILE, r.SEASON_OVER, r.SEASON_BONUS, r.SEASON_KINDS, r.SEASON_NONE),
    Lay: (r.TRAIL_AGAIN, r.CANTEENS_EMPTIED, r.CAMPFIRE_RELIT, r.HIKERS_RETURN, r.GEAR_DISCARD, r.SETUP_WEATHER,
        r.WEATHER_LEFT, r.BADGE_BETWEEN),
    PlaceBug: (r.SETUP_SHUTTERBUG, r.SHUTTERBUG_FACES),
}  # fmt: skip
REFILL = (r.PARKS_REFILL, r.PARK_ONCE)


def wanted(state: State) -> tuple[type[Task] | Gain, ...]:
    """Return what is to be done now: the task of the turn; where it is one of several things to do, that thing."""
    if state.over:
        return ()
    task = state.tasks[-1]
    return (task.what,) if isinstance(task, Do) else (type(task),)
