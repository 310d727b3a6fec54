"""How a turn of PARKS runs: where hikers stop, what is done without asking, when a person must decide, when it ends."""

from msgspec.structs import replace

from scoring.kernel.move import chosen
from scoring.parks import rules as r
from scoring.parks.box import KIND, SITES, SITES_IN_ROW, WILDLIFE, EndSpace, Gain, Site, When, gains
from scoring.parks.costs import could, could_photo, could_reserve, could_visit
from scoring.parks.effects import (
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
from scoring.parks.season import end_season, fresh_turn, start_award
from scoring.parks.state import (
    ENDS,
    GONE,
    SET_OUT,
    AskTile,
    ChooseSide,
    Do,
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
    behind, ahead = state.player.hikers
    other = ahead if behind == start else behind
    campfire = state.player.campfire and not occupied(state, space)
    state = state.with_player(state.turn, hikers=(min(other, space), max(other, space)), campfire=campfire)
    end = state.end_at(space)
    return _reach_end(state, end) if end else _reach_site(state, space)


def _reach_site(state: State, space: int) -> State:
    site, weather = state.sites[space - 1], state.weather[space - 1]
    before = chosen(state.rulings, r.WEATHER_TIME) == "before"
    if weather:
        left = tuple("" if place == space - 1 else token for place, token in enumerate(state.weather))
        state = replace(state, weather=left, tray=plus(state.tray, some(weather)))
    if weather and not before:
        state = then(state, GainLater(weather))
    if site:  # hikes begin when all tiles lie
        state = bring(state, gains(SITES[site].brings))
    if site in SITES_WITH_GEAR:
        state = set_off(state, site)
    if site == state.shutterbug:
        state = take_badge(state)
    return take(state, some(weather)) if weather and before else state


def _reach_end(state: State, end: EndSpace) -> State:
    first = state.first_at(end.space) is not None
    state = replace(
        state, end_used=tuple(used or space == end.space for used, space in zip(state.end_used, ENDS, strict=True))
    )
    if end.gain is None:
        return then(replace(state, first_hiker=state.turn) if first else state, task_for(end.brings))
    before = chosen(state.rulings, r.END_FIRST) == "before"
    if first and not before:
        state = then(state, GainLater(end.gain))
    state = then(state, task_for(end.brings))
    if end.brings == "photo" and state.badge == state.turn and chosen(state.rulings, r.END_TWICE) == "three":
        state = then(state, task_for(end.brings))
    return take(state, some(end.gain)) if first and before else state


def _without_asking(state: State, task: Task) -> State | None:
    """Return the state with a task done that leaves no choice, or nothing when a person must decide."""
    match task:
        case SetOut():  # a correction may have put both hikers at Trail End
            return None if state.player.on_trail else done(state)
        case Pour(waters):
            return None if waters and state.player.fillable else put_in_backpack(done(state), some("water", waters))
        case Swap(token):
            able = state.has_ability(f"{token} to wildlife") and state.player.tokens[KIND[token]]
            return None if able and from_tray(state, some("wildlife"))[WILDLIFE] else done(state)
        case Do(what):
            return None if could(state, what) else done(state)
        case Parks(visited):
            return None if could_visit(state) or (not visited and could_reserve(state)) else done(state)
        case SecondPhoto():
            able = state.badge == state.turn and not state.second_used and could_photo(state)
            return None if able else done(state)
        case Pick(extras):
            return _pick(state, extras)
        case ChooseSide():  # a correction may have taken away what met the goal
            return None if state.goal_met(state.turn) else done(state)
        case PutDown():
            return None if state.to_put_back > 0 else done(state)
        case GainLater(token):
            return take(done(state), some(token))
        case AskTile():
            return done(state) if state.tile else None
        case Lay():
            match state.tiles_left:
                case ():
                    return done(state)
                case (last,):
                    return lay(state, last)
        case PlaceBug():
            return done(state) if state.shutterbug else None
    return None


def _pick(state: State, gained: tuple[Extra, ...]) -> State | None:
    """Join what gear has set off since, take what the order does not matter for, and ask only where there is a choice.

    Water waits for a canteen that may still come. What cannot be done yet waits for what the others bring.
    """
    joins = len(state.tasks) == 1
    extras = gained + (state.ready if joins else ())
    free = [extra for extra in extras if set(gains(extra.what)) <= ANY_ORDER]
    water = [extra for extra in extras if extra.what in WATERS]
    to_do = [extra for extra in extras if extra not in free and extra not in water]
    able = [extra for extra in to_do if could(state, extra.what)]
    if able and not free and extras == gained and (water or len({extra.what for extra in able}) > 1):
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
    return then(with_rest(state, rest), *(task_for(extra.what, extra.gear) for extra in able))


def _bring_all(state: State, extras: list[Extra]) -> State:
    return bring(state, tuple(word for extra in extras for word in gains(extra.what)))


def lay(state: State, tile: Site) -> State:
    """Return the state with a tile on the next free site."""
    sites = list(state.sites)
    sites[sites.index(None)] = tile
    return replace(state, sites=tuple(sites))


def settle(state: State) -> State:
    """Return the state with everything done that leaves no choice, up to the next decision or the end."""
    while (after := forced(state)) is not None:
        state = after
    return state


def forced(state: State) -> State | None:
    """Return the state after the next forced step, or None when a person must decide."""
    if state.over:
        return None
    if state.goal_met(state.turn) and ChooseSide() not in state.tasks:
        return then(state, ChooseSide())
    return _without_asking(state, state.tasks[-1]) if state.tasks else end_turn(state)


def end_turn(state: State) -> State:
    """Return the state after a turn with nothing left to decide: gear to use, the backpack, the next player."""
    if state.ready:
        return replace(state, tasks=(Pick(()),))
    if chosen(state.rulings, r.BACKPACK_LIMIT) == "twelve" and state.to_put_back > 0:
        return replace(state, tasks=(PutDown(),))
    if state.awards is not None:
        return start_award(refill(state), state.awards[1:])
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


def wanted(state: State) -> tuple[type[Task] | Gain, ...]:
    """Return what is to be done now: the task of the turn; where it is one of several things to do, that thing."""
    match state.task:
        case None:
            return ()
        case Do(what):
            return (what,)
        case task:
            return (type(task),)
