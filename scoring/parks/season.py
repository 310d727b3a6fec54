"""The end of a season of PARKS: its bonus, then the reset for the next one."""

from msgspec.structs import replace

from scoring.kernel.move import chosen_option
from scoring.parks import rules as r
from scoring.parks.box import (
    PARKS_SPACE,
    SEASON_TILES,
    SEASONS,
    TOKEN_INDEX,
    TOKENS,
    TRAILHEAD,
    SeasonTile,
    parse_gains,
)
from scoring.parks.effects import add_tokens, apply_gains, tokens_of_kind
from scoring.parks.state import (
    CANTEEN_ROWS,
    START_HIKE,
    ChooseSide,
    LayTrail,
    NameSeasonTile,
    RollForShutterbug,
    SeasonCount,
    State,
    Task,
    bare_trail,
    has_few_players,
    lay_weather,
)


def start_turn(state: State, seat: int, tasks: tuple[Task, ...]) -> State:
    """Return the state at the start of a player's turn, with gear and passion unused."""
    return replace(
        state,
        turn=seat,
        tasks=tasks,
        used_gear=(),
        triggered_extras=(),
        is_second_photo_used=False,
        is_passion_used=False,
    )


def end_season(state: State) -> State:
    """Return the state with the season's bonus to award, or the game over after the third."""
    if state.tile is None:
        return replace(state, tasks=(NameSeasonTile(),))
    if state.season == len(SEASONS) - 1:
        # Passions that were named too late to be completed in a turn.
        late = [seat for seat in range(len(state.players)) if state.has_met_goal(seat)]
        return replace(state, turn=late[0], tasks=(ChooseSide(),)) if late else replace(state, is_over=True)
    counted = SeasonCount(
        state.tile,
        tuple(season_tile_count(state, seat, SEASON_TILES[state.tile]) for seat in range(len(state.players))),
    )
    return start_award(replace(state, season_count=counted), season_winners(state, counted))


def is_counted_in_backpack(state: State, tile: SeasonTile) -> bool:
    """Return whether a tile counts tokens in backpacks (rulings spring-counts, summer-counts)."""
    ruling = {"Spring": r.SPRING_WHERE, "Summer": r.SUMMER_WHERE}.get(tile.season)
    return ruling is not None and tile.most in TOKENS and chosen_option(state.rulings, ruling) == "backpack"


def season_tile_count(state: State, seat: int, tile: SeasonTile) -> int:
    """Return a player's count for a season's tile."""
    return (
        state.players[seat].tokens[TOKEN_INDEX[tile.most]]
        if is_counted_in_backpack(state, tile)
        else state.count(seat, tile.most)
    )


def season_winners(state: State, counted: SeasonCount) -> tuple[int, ...]:
    """Return the seats that get the season's bonus, in turn order (ruling season-tie)."""
    numbers = counted.numbers
    order = [(state.starting_seat + step) % len(numbers) for step in range(len(numbers))]
    first = tuple(seat for seat in order if numbers[seat] == max(numbers) > 0)
    return first if len(first) == 1 or chosen_option(state.rulings, r.SEASON_LEVEL) == "all" else ()


def start_award(state: State, seats: tuple[int, ...]) -> State:
    """Return the state with the next season bonus given, or with the next season started."""
    if not seats or state.tile is None:
        return start_next_season(state)
    return apply_gains(
        start_turn(replace(state, awards=seats), seats[0], ()), parse_gains(SEASON_TILES[state.tile].brings)
    )


def start_next_season(state: State) -> State:
    """Return the state reset for a new season, with its trail still to be laid."""
    tray = state.tray
    for player in state.players:
        tray = add_tokens(tray, tokens_of_kind("water", sum(player.filled)))
    for token in state.weather:
        if token:
            tray = add_tokens(tray, tokens_of_kind(token))
    is_relit = not has_few_players(state.players) or chosen_option(state.rulings, r.FEW_CAMPFIRES) == "yes"
    reset_values = {"hikers": (TRAILHEAD, TRAILHEAD), "filled": (False,) * CANTEEN_ROWS}
    parks = state.sites.index("parks") + 1 if "parks" in state.sites else PARKS_SPACE
    state = replace(
        state,
        players=tuple(
            replace(player, campfire=is_relit or player.campfire, **reset_values) for player in state.players
        ),
        tray=tray,
        sites=bare_trail(parks),
        market=(None, *state.market[:-1]) if state.market else (),
        shutterbug=None,
        badge=state.badge if chosen_option(state.rulings, r.BADGE_LATER) == "stays" else None,
        end_spaces_used=(False, False, False),
        season=state.season + 1,
        tile=None,
        awards=None,
    )
    return start_turn(lay_weather(state), state.starting_seat, (*START_HIKE, RollForShutterbug(), LayTrail()))
