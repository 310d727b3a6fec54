"""Texts about PARKS: spaces, tokens, the current task, changes and refusals."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from scoring.kernel.english import capitalize_first, join_words, pluralize, truncate
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason, waiting_reason
from scoring.parks import rules as r
from scoring.parks.box import (
    SEASON_COUNT_TEXTS,
    SEASON_TILES,
    SEASONS,
    SITES,
    TOKENS,
    TRAILHEAD,
    CustomCards,
    SeasonTile,
    Tokens,
    all_gear,
    all_parks,
    make_tokens,
)
from scoring.parks.season import is_counted_in_backpack, season_tile_count, season_winners
from scoring.parks.state import (
    TABLE_TASKS,
    ChooseExtra,
    ChooseSide,
    DoAction,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    Player,
    ReturnTokens,
    RollForShutterbug,
    SeasonCount,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)

MAX_SUGGESTIONS = 3  # names that a refusal suggests
TOKEN_NAMES = {token: token.capitalize() for token in TOKENS}
# Gains as instructions to the player, for buttons and sentences.
GAIN_INSTRUCTIONS: dict[str, str] = {
    "forest": "take a Forest",
    "mountain": "take a Mountain",
    "sun": "take a Sun",
    "water": "take a Water",
    "wildlife": "take a Wildlife",
    "2 sun": "take 2 Suns",
    "2 water": "take 2 Waters",
    "relight": "relight your campfire",
    "badge": "take the Shutterbug Badge",
    "canteen": "gain a canteen",
    "photo": "pay a token for a photo",
    "free photo": "take a free photo",
    "trade": "trade a token for a Wildlife",
    "roll": "roll the Trail Die",
    "reserve": "reserve a park",
    "parks": "reserve a park, or visit parks",
    "buy": "buy gear",
    "gear": "draw the top gear card",
    "canteen or photo": "gain a canteen, or pay a token for a photo",
}


def space_name(state: State, space: int) -> str:
    """Return a space in words: "the 2 Sun site", "Trail End, Photo"."""
    if space == TRAILHEAD:
        return "the Trailhead"
    if end := state.end_space_at(space):
        return f"Trail End, {end.title}"
    if not 1 <= space <= len(state.sites):
        return "Trail End"
    site = state.sites[space - 1]
    return f"the {SITES[site].title} site" if site else f"site {space}"


def describe_tokens(counts: Tokens) -> str:
    """Return tokens in words: "2 Sun, 1 Water", or "nothing"."""
    return (
        ", ".join(f"{count} {TOKEN_NAMES[kind]}" for count, kind in zip(counts, TOKENS, strict=True) if count)
        or "nothing"
    )


def row_name(number: int) -> str:
    return ("the top row", "the middle row", "the bottom row")[number]


def gear_title(facts: CustomCards, id: str) -> str:
    return all_gear(facts)[id].title


# Tasks as instructions to the player, worded to follow "First" too.
_TASK_TEXTS: dict[type[Task], str] = {
    StartHike: "move a hiker",
    SecondPhoto: "pay for a second photo by the Shutterbug Badge, or leave it",
    ChooseExtra: "choose what to do next, or leave it",
    NameDrawnGear: "say which gear card you drew",
    ChooseSide: "choose a side of your passion",
    ReturnTokens: "put tokens back until twelve are left",
    NameSeasonTile: "say which season tile lies open",
    LayTrail: "lay the next tile of the Trail",
    RollForShutterbug: "roll the die for the Shutterbug",
}


def describe_task(state: State, task: Task | None) -> str:
    """Return an instruction for a task, worded to follow "First" or to stand alone."""
    match task:
        case PlaceWater(waters):
            return (
                f"fill a canteen row with your Water, or put {'it' if waters == 1 else f'all {waters}'} in the backpack"
            )
        case SwapGainedToken(token):
            return f"swap your {TOKEN_NAMES[token]} for a Wildlife, or keep it"
        case ParksAction(has_visited=True):
            return "visit another park, or say that you are done"
        case ParksAction():
            return "reserve a park, visit parks, or leave them"
        case DoAction(action, gear):
            gear_text = f" with {gear_title(state.facts, gear)}" if gear else ""
            return f"{GAIN_INSTRUCTIONS[action]}{gear_text}{'' if action == 'roll' else ', or leave it'}"
        case None:
            return "nothing"
    return _TASK_TEXTS[type(task)]


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.is_over:
        return "The game is over."
    instruction = f"{capitalize_first(describe_task(state, state.task))}."
    if state.awards is not None and state.season_count:
        return f"{_describe_season_bonus(state, state.season_count)}: {instruction[0].lower()}{instruction[1:]}"
    if isinstance(state.task, StartHike) and not any(
        player.is_on_trail for seat, player in enumerate(state.players) if seat != state.turn
    ):
        return "Move your hikers to Trail End, one after the other: all others are there."
    if isinstance(state.task, LayTrail) and state.season_count:
        return (
            f"{instruction} {_describe_season_bonus(state, state.season_count)}: "
            f"{_describe_players(state, season_winners(state, state.season_count))}."
        )
    return instruction


def _describe_season_bonus(state: State, counted: SeasonCount) -> str:
    """Return a season's bonus with its numbers: "Spring bonus, most Sun (Ana 3, Bo 1)"."""
    tile = SEASON_TILES[counted.tile]
    numbers = ", ".join(
        f"{player.name} {number}" for player, number in zip(state.players, counted.numbers, strict=True)
    )
    return f"{tile.season} bonus, most {_describe_tile_count(state, tile)} ({numbers})"


def describe_counted_items(state: State, tile: SeasonTile) -> str:
    """Return the items a season's tile counts, and where: "Sun in the backpack", "canteens".

    The place depends on the rulings spring-counts and summer-counts.
    """
    if tile.most not in TOKENS:
        return SEASON_COUNT_TEXTS[tile.most]
    return (
        f"{TOKEN_NAMES[tile.most]} {'in the backpack' if is_counted_in_backpack(state, tile) else 'on visited parks'}"
    )


def tile_title(state: State, tile: SeasonTile) -> str:
    """Return a season's tile as this table plays it.

    For example "Spring: most Sun" or "Summer: most Wildlife in the backpack".
    """
    return f"{tile.season}: most {_describe_tile_count(state, tile)}"


def _describe_tile_count(state: State, tile: SeasonTile) -> str:
    """Return the items that a tile counts, for log and banner.

    Only Wildlife needs its place, which the tile itself leaves open.
    """
    return describe_counted_items(state, tile) if tile.most == "wildlife" else SEASON_COUNT_TEXTS[tile.most]


def describe_season_standings(state: State, seat: int, draft: dict[str, str]) -> str:
    """Return the standings for the season's tile: "Most Sun in the backpack: Bo 3, Ana 1"."""
    if state.tile is None:
        return ""
    tile = SEASON_TILES[state.tile]
    counts = [(player.name, season_tile_count(state, seat, tile)) for seat, player in enumerate(state.players)]
    leading = ", ".join(f"{name} {count}" for name, count in sorted(counts, key=lambda item: -item[1]))
    return f"Most {describe_counted_items(state, tile)}: {leading}"


def _describe_players(state: State, seats: tuple[int, ...]) -> str:
    return join_words([state.players[seat].name for seat in seats]) or "nobody"


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield a sentence for the log about each side effect between two states."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        yield from _describe_player_changes("" if seat == before.turn else f"{new.name} ", old, new)
    if after.badge != before.badge and after.badge is not None:
        yield f"{after.players[after.badge].name} has the Shutterbug Badge."
    if after.first_hiker != before.first_hiker:
        yield f"{after.players[after.first_hiker].name} has the First Hiker token."
    counted = after.season_count
    # A season that changes without its trail being cleared has been corrected.
    has_season_begun = after.season != before.season and None in after.sites and None not in before.sites
    # If the tile was named late and nobody wins, only the prompt mentions the bonus.
    has_season_ended = has_season_begun and before.tile
    if counted and before.awards is None and (after.awards is not None or has_season_ended):
        yield (
            f"{tile_title(after, SEASON_TILES[counted.tile])}: "
            f"{_describe_players(after, season_winners(after, counted))}."
        )
    if has_season_begun:
        yield f"{SEASONS[after.season]} begins; lay the Trail anew."
    if after.is_over and not before.is_over:
        yield "The last season is over."


def _describe_player_changes(name_prefix: str, old: Player, new: Player) -> Iterator[str]:
    for sign, more, fewer in (("+", new.tokens, old.tokens), ("\u2212", old.tokens, new.tokens)):
        difference = make_tokens(max(0, high - low) for high, low in zip(more, fewer, strict=True))
        if any(difference):
            yield f"{name_prefix}{sign}{describe_tokens(difference)}."
    if new.photos > old.photos:
        yield f"{name_prefix}+{pluralize(new.photos - old.photos, 'photo')}."
    if old.campfire and not new.campfire:
        yield f"{name_prefix.rstrip()}\u2019s campfire goes out." if name_prefix else "The campfire goes out."


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not fit the current task."""
    match state.task:
        case None:
            return game_over_reason(r.WINNER)
        case StartHike():
            return Reason("hike-first", r.SITE_ACTION, "Your turn starts with a hike.")
        case DoAction("roll"):
            return Reason("finish-first", r.DIE_SITE, ROLL_FIRST_TEXT)
        case task:
            rule = r.TRAIL_AGAIN if isinstance(task, TABLE_TASKS) else r.TURN_STEPS
            return Reason("finish-first", rule, f"First {describe_task(state, task)}.")


ROLL_FIRST_TEXT = "First roll the Trail Die."


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if state.is_over:
        return game_over_reason(r.WINNER)
    return waiting_reason([state.players[state.turn].name], r.TURN_ORDER, describe_task(state, state.task))


def game_over_objections(state: State) -> Iterator[Reason]:
    """Yield why nothing more can be entered once the game is over."""
    if state.is_over:
        yield game_over_reason(r.SEASONS)


def similar_names(text: str, candidates: Iterable[str]) -> list[str]:
    """Return the names that contain a text, or the closest one."""
    names = {name.casefold(): name for name in candidates}
    part = [name for folded, name in names.items() if text and text.casefold() in folded][:MAX_SUGGESTIONS]
    return part or [names[folded] for folded in get_close_matches(text.casefold(), names, 1)]


def unknown_name_reason(noun: str, unknown_name: str, known_names: Iterable[str]) -> Reason:
    """Return why a card name is unknown, with suggestions."""
    names = similar_names(unknown_name, known_names)
    suggestions = " or ".join(f"\u201c{name}\u201d" for name in names)
    hint = f"; did you mean {suggestions}?" if names else "."
    return Reason(
        f"no-such-{noun.rsplit(maxsplit=1)[-1]}",
        r.COMPONENTS,
        f"There is no {noun} \u201c{truncate(unknown_name)}\u201d{hint}",
    )


def unknown_park_reason(facts: CustomCards, park: str) -> Reason:
    return unknown_name_reason("park", park, all_parks(facts))


def unknown_gear_reason(facts: CustomCards, gear: str) -> Reason:
    return unknown_name_reason("gear", gear, all_gear(facts))
