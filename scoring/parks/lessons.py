"""When players of PARKS meet the lessons of `lessons.toml`."""

from collections.abc import Iterator

from scoring.kernel.lessons import Lessons, read_lesson_texts
from scoring.kernel.move import chosen_option
from scoring.parks import rules as r
from scoring.parks.box import (
    PARKS_SPACE,
    SEASON_TILES,
    SEASONS,
    SITES,
    TRAILHEAD,
    WILDLIFE_INDEX,
    all_parks,
    parse_gains,
)
from scoring.parks.costs import can_buy_photo, can_gain_canteen, can_reserve_park
from scoring.parks.season import season_winners
from scoring.parks.state import (
    CANTEENS_PER_ROW,
    END_PARKS,
    ActionKind,
    ChooseExtra,
    ChooseSide,
    DoAction,
    NameDrawnGear,
    ParksAction,
    PlaceWater,
    Player,
    SecondPhoto,
    Setup,
    StartHike,
    State,
    start,
)
from scoring.parks.text import TOKEN_NAMES
from scoring.parks.turn import is_last_on_trail, is_occupied

# Actions that a player decides about, so that an end of the turn without a decision means that nothing could be done.
ACTIONS_WITH_DECISIONS = ("parks", "photo", "buy", "trade", "canteen or photo")


def decisions(view: State, seat: int) -> Iterator[str]:
    """Yield the ids of the lessons about what a player may decide now."""
    match view.task:
        case StartHike():
            yield from _hike_lessons(view)
        case PlaceWater():
            yield "fill-row"
        case DoAction(action, gear):
            if gear:
                yield "gear-works"
            elif view.awards and view.tile and action in parse_gains(SEASON_TILES[view.tile].brings):
                yield "season-bonus"
            yield from _action_lessons(view, action)
        case NameDrawnGear() if view.awards:
            yield "season-bonus"
        case SecondPhoto():
            yield "photo"
        case ParksAction(has_visited=False) if can_reserve_park(view):
            yield "parks"
        case ChooseExtra(extras) if any(extra.gear for extra in extras):
            yield "gear-works"
        case ChooseSide():
            yield "passion-met"


def _hike_lessons(view: State) -> Iterator[str]:
    """Yield the lessons about a hike: where hikers may stop, and what the season brings."""
    yield "hike"
    is_alone, hikers = is_last_on_trail(view), view.player.hikers
    if not is_alone and any(is_occupied(view, space) for space in range(hikers[0] + 1, END_PARKS)):
        yield "campfire-lit" if view.player.campfire else "campfire-out"
    if hikers[0] < hikers[1] < END_PARKS:
        yield "two-hikers"
    if is_alone or any(PARKS_SPACE <= space < END_PARKS for space in hikers):
        yield "end-ahead"
    if not is_alone and any(max(player.hikers) >= END_PARKS for player in view.players if player is not view.player):
        yield "others-done"
    if view.season == len(SEASONS) - 1:
        yield "fall"
    # At the very first hike, a player has enough to read.
    is_first_hike = view.season == 0 and hikers == (TRAILHEAD, TRAILHEAD)
    if view.tile and not is_first_hike:
        yield "season-race"


def _action_lessons(view: State, action: ActionKind) -> Iterator[str]:
    """Yield the lessons about the action of a site, a gear card, a canteen or a park card."""
    match action:
        case "trade":
            yield "trade"
        case "buy" if not view.has_ability("free gear"):
            yield "gear"
        case "photo":
            yield "photo"
        case "canteen":
            yield from _canteen_lessons(view.player)
        case "canteen or photo":
            if can_gain_canteen(view.player):
                yield from _canteen_lessons(view.player)
            if can_buy_photo(view):
                yield "photo"


def _canteen_lessons(player: Player) -> Iterator[str]:
    yield "canteen"
    rows = zip(player.canteens, player.filled, strict=True)
    if any(is_filled and len(canteens) < CANTEENS_PER_ROW for canteens, is_filled in rows):
        yield "canteen-late"


def events(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the ids of the lessons about what a player has met in a step."""
    if view.is_over:
        return
    if space := _stopping_space(before, view, seat):
        yield from _stop_lessons(before, view, seat, space)
    yield from _gain_lessons(before, view, seat)
    if before.turn == seat != view.turn and view.players[seat].passion is None:
        yield "passion-not-entered"
    counted = view.season_count
    if counted and counted != before.season_count and seat in season_winners(view, counted):
        yield "season-bonus"
    # A season that changes without its Trail being cleared has been corrected.
    if view.season > before.season and None in view.sites:
        yield "new-season"


def _stopping_space(before: State, view: State, seat: int) -> int | None:
    """Return the space where a hiker of a player stopped in a step, or None."""
    old, new = before.players[seat].hikers, view.players[seat].hikers
    if before.turn != seat or not isinstance(before.task, StartHike) or sum(new) <= sum(old):
        return None
    if view.turn == seat and isinstance(view.task, StartHike) and not is_last_on_trail(view):
        return None  # The hike is still to come: the hikers have been corrected.
    return next((space for space in new if new.count(space) > old.count(space)), None)


def _stop_lessons(before: State, view: State, seat: int, space: int) -> Iterator[str]:
    """Yield the lessons about the space where a hiker has stopped."""
    end = view.end_space_at(space)
    site = None if end else view.sites[space - 1]
    if end:
        yield "at-end"
    action = end.action if end else SITES[site].brings if site else ""
    is_turn_over = view.turn != seat or isinstance(view.task, StartHike)
    if action in ACTIONS_WITH_DECISIONS and is_turn_over:
        yield "nothing"


def _gain_lessons(before: State, view: State, seat: int) -> Iterator[str]:
    """Yield the lessons about tokens and cards that a player has gained."""
    old, new = before.players[seat], view.players[seat]
    if view.badge == seat != before.badge:
        yield "badge"
    if len(new.visited) > len(old.visited) and all_parks(view.facts)[new.visited[-1]].instant:
        yield "instant"
    if len(new.gear) > len(old.gear):
        yield "gear-works"
    if len(new.reserve) > len(old.reserve):
        yield "reserved"
    if new.tokens[WILDLIFE_INDEX] > old.tokens[WILDLIFE_INDEX]:
        yield "wildlife"
    if view.first_hiker == seat != before.first_hiker:
        yield "first-hiker"


def setup_values(setup: Setup) -> dict[str, object]:
    """Return the values in the texts of the setup: numbers of cards and tokens, and who starts."""
    state, starter = start(setup), setup.players[0].name
    weather = [TOKEN_NAMES[token] for token in state.weather if token]
    has_start_items = any(sum(player.tokens) or player.canteen for player in setup.players)
    return {
        "parks": setup.parks,
        "gear": setup.gear,
        "canteens": len(state.canteens),
        "weather": len(weather),
        "first_weather": weather[0],
        "except_parks": "" if chosen_option(setup.rulings, r.PARKS_WEATHER) == "yes" else " and Parks",
        "first_hiker": "beside the board" if state.first_hiker is None else f"in front of {starter}",
        "starter": starter,
        "start": "the items entered at setup" if has_start_items else "an empty backpack",
    }


def setup_gaps(view: State) -> dict[str, tuple[int, ...]]:
    """Return the seats that still have to enter something, for each step of the setup."""
    seats = tuple(range(len(view.players)))
    return {
        "trail": seats if None in view.sites else (),
        "shutterbug": seats if view.shutterbug is None else (),
        "tile": seats if view.tile is None else (),
        "passion": tuple(seat for seat in seats if view.players[seat].passion is None),
    }


LESSONS = Lessons(read_lesson_texts(__file__), decisions, events, setup_values, setup_gaps)
