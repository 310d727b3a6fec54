"""Texts about PARKS: spaces, tokens, the current task, changes and refusals."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from msgspec import Struct

from scoring.kernel.english import capitalize_first, fact_to_enter, join_words, truncate
from scoring.kernel.rule import Reason
from scoring.kernel.tracked_game import game_over_reason, waiting_reason
from scoring.parks import rules as r
from scoring.parks.box import (
    DIE,
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
    parse_gains,
)
from scoring.parks.costs import park_shortage
from scoring.parks.season import is_counted_in_backpack, season_tile_count, season_winners
from scoring.parks.state import (
    NO_CARD,
    TABLE_TASKS,
    TRAIL_END_SPACES,
    ActionKind,
    ChooseExtra,
    ChooseSide,
    DoAction,
    LayTrail,
    NameDrawnGear,
    NameSeasonTile,
    ParksAction,
    PlaceWater,
    ReturnTokens,
    RollForShutterbug,
    SeasonCount,
    SecondPhoto,
    StartHike,
    State,
    SwapGainedToken,
    Task,
)
from scoring.parks.turn import is_last_on_trail

ROLLING_ABILITIES = ("roll at instant", "roll at canteen")
MAX_SUGGESTIONS = 3  # names that a refusal suggests
TOKEN_NAMES = {token: token.capitalize() for token in TOKENS}
# Gains as instructions to the player, for buttons and sentences.
GAIN_INSTRUCTIONS: dict[str, str] = {
    "forest": "gain 1 Forest",
    "mountain": "gain 1 Mountain",
    "sun": "gain 1 Sun",
    "water": "gain 1 Water",
    "wildlife": "gain 1 Wildlife",
    "2 sun": "gain 2 Sun",
    "2 water": "gain 2 Water",
    "relight": "relight your campfire",
    "badge": "take the Shutterbug Badge",
    "canteen": "gain a canteen",
    "photo": "take a photo",
    "free photo": "take a free photo",
    "trade": "trade for Wildlife",
    "roll": "roll the Trail Die",
    "reserve": "reserve a park",
    "parks": "take a Parks action",
    "buy": "buy a gear card",
    "gear": "draw the top gear card",
    "canteen or photo": "gain a canteen or take a photo",
}


def space_name(state: State, space: int) -> str:
    """Return a space in words: "the Sun site", "the Photo space at Trail\u2019s End"."""
    if space == TRAILHEAD:
        return "the Trailhead"
    if end := state.end_space_at(space):
        return f"the {end.title} space at Trail\u2019s End"
    if not 1 <= space <= len(state.sites):
        return "Trail\u2019s End"
    site = state.sites[space - 1]
    return f"the {SITES[site].title} site" if site else f"site {space}"


def space_title(state: State, space: int) -> str:
    """Return a space as the label of a button: "Sun site", "Photo space at Trail\u2019s End"."""
    return capitalize_first(space_name(state, space).removeprefix("the "))


def describe_tokens(counts: Tokens) -> str:
    """Return tokens in words: "2 Sun, 1 Water", or "nothing"."""
    return (
        ", ".join(f"{count} {TOKEN_NAMES[kind]}" for count, kind in zip(counts, TOKENS, strict=True) if count)
        or "nothing"
    )


def signed_tokens(sign: str, counts: Tokens) -> list[str]:
    """Return each kind of token with its sign: "+2 Sun", "+1 Water"."""
    return [f"{sign}{count} {TOKEN_NAMES[kind]}" for count, kind in zip(counts, TOKENS, strict=True) if count]


def row_name(number: int) -> str:
    return ("the top row", "the middle row", "the bottom row")[number]


def gear_title(facts: CustomCards, id: str) -> str:
    return all_gear(facts)[id].title


def task_source(state: State) -> str:
    """Return the gear card of the current action, to follow it: " (Journal)", or ""."""
    match state.task:
        case DoAction(_, gear) if gear:
            return f" ({state.gear_source(gear)})"
    return ""


# Tasks as instructions for the player in turn, worded to follow "First" too. Every phone shows them: no "your".
_TASK_TEXTS: dict[type[Task], str] = {
    StartHike: "move a hiker",
    PlaceWater: "fill a canteen row or the backpack",
    ParksAction: "visit or reserve parks, or skip",
    SecondPhoto: "take a second photo, or skip",
    ChooseExtra: "choose the next benefit, or skip the rest",
    NameDrawnGear: "enter the drawn gear card",
    ChooseSide: "choose the passion\u2019s Gear Effect or End Game Bonus",
    ReturnTokens: "return Resources until 12 are left",
    RollForShutterbug: "roll for the Shutterbug token",
}
_ACTION_TEXTS: dict[ActionKind, str] = {
    "canteen": "gain a canteen, or skip",
    "photo": "take a photo for 1 Resource, or skip",
    "canteen or photo": "gain a canteen or photo, or skip",
    "trade": "trade for Wildlife, or skip",
    "roll": "roll the Trail Die",
    "reserve": "reserve a park, or skip",
    "buy": "buy a gear card, or skip",
}


def describe_task(state: State, task: Task | None) -> str:
    """Return an instruction for a task, worded to follow "First" or to stand alone."""
    match task:
        case None:
            return "nothing"
        case SwapGainedToken(token):
            return f"swap the {TOKEN_NAMES[token]} for Wildlife, or keep it"
        case ParksAction(has_visited=True):
            return "visit another park, or finish"
        case DoAction(action):
            return _ACTION_TEXTS[action]
        case NameSeasonTile():
            return f"enter the face-up {SEASONS[state.season]} tile"
        case LayTrail():
            number = f" {state.sites.index(None) + 1}" if None in state.sites else ""
            return f"enter the tile at site{number}"
    return _TASK_TEXTS[type(task)]


def _task_cause(state: State, task: Task | None) -> str:
    """Return the cause of a task, if the player cannot see it from the last move; or ""."""
    if state.awards is not None and state.season_count:
        return f"{SEASON_TILES[state.season_count.tile].season} bonus"
    match task:
        case PlaceWater(waters):
            return f"{waters} Water"
        case SwapGainedToken():
            return state.player.passion or ""
        case SecondPhoto():
            return "Shutterbug Badge"
        case ChooseSide():
            return "Objective complete"
        case ReturnTokens():
            return "Backpack limit"
        case DoAction(_, gear) if gear:
            return state.gear_source(gear)
        case DoAction(action):
            return _action_cause(state, action)
        case ParksAction():
            return _action_cause(state, "parks")
        case ChooseExtra(extras):
            sources = dict.fromkeys("gear" if extra.gear else "canteens" for extra in extras)
            return capitalize_first(join_words(list(sources)))
        case NameDrawnGear():
            return "Gear Deck"
        case NameSeasonTile() if len(state.tasks) == 1:
            return "Season bonus"
        case StartHike() if is_last_on_trail(state):
            return "Everyone else is done"
    return ""


def _action_cause(state: State, action: str) -> str:
    """Return the source of the current player's action; empty if several are possible."""
    causes = set(_possible_causes(state, action))
    return causes.pop() if len(causes) == 1 else ""


def _possible_causes(state: State, action: str) -> Iterator[str]:
    """Yield the possible sources of an action: a space, a canteen, a park, a passion, the die."""
    player, passion = state.player, state.passion_of(state.turn)
    for space in player.hikers:
        if end := state.end_space_at(space):
            if end.action == action:
                yield "Trail\u2019s End"
        elif space and (site := state.sites[space - 1]) and SITES[site].brings == action:
            yield "Canteen/Photo site" if site == "photo" else space_title(state, space)
    if any(is_full and action in row for row, is_full in zip(player.canteens, player.filled, strict=True)):
        yield "Canteen"
    if player.visited and all_parks(state.facts)[player.visited[-1]].instant == action:
        yield player.visited[-1]
    if action == "roll" and passion and player.side == "gear" and passion.gear in ROLLING_ABILITIES:
        yield passion.name
    if action in DIE:
        yield "Trail Die"


def prompt(state: State) -> str:
    """Return one line for the head of the page: what is to be done now."""
    if state.is_over:
        return "The game is over."
    instruction = describe_task(state, state.task)
    if isinstance(state.task, StartHike) and is_last_on_trail(state):
        is_one_left = state.player.has_one_hiker_left
        hikers_text = ("both hikers to Trail\u2019s End, one at a time", "the last hiker to Trail\u2019s End")[
            is_one_left
        ]
        instruction = f"move {hikers_text}"
    cause = _task_cause(state, state.task)
    return f"{cause}: {instruction}." if cause else f"{capitalize_first(instruction)}."


def season_result(state: State, seat: int, draft: dict[str, str]) -> str:
    """Return who gained the bonus of the season before: "Ana gained the Spring bonus (…).".

    Empty in the first season.
    """
    counted = state.season_count
    return f"{_describe_season_winners(state, counted, _count_texts(state))}." if counted else ""


def banner(state: State, seat: int) -> tuple[str, str] | None:
    """Return the heading and prompt of a task that any player may do, or None."""
    if not isinstance(state.task, TABLE_TASKS):
        return None
    return "Season tile" if isinstance(state.task, NameSeasonTile) else "Setup", prompt(state)


def _count_texts(state: State) -> str:
    """Return each player's count for the bonus of the last season: ": Ana 3, Bo 1"."""
    numbers = state.season_count.numbers if state.season_count else ()
    counts = zip(state.players, numbers, strict=True)
    return f": {', '.join(f'{player.name} {number}' for player, number in counts)}"


def _describe_season_bonus(state: State, counted: SeasonCount, counts: str = "") -> str:
    """Return a season's bonus, with the counts if given: "Spring bonus (most Sun: Ana 3, Bo 1)"."""
    tile = SEASON_TILES[counted.tile]
    return f"{tile.season} bonus (most {describe_tile_count(state, tile)}{counts})"


def _describe_season_winners(state: State, counted: SeasonCount, counts: str = "") -> str:
    """Return who gained a season's bonus: "Ana gained the Spring bonus (most Sun)"."""
    names = [state.players[seat].name for seat in season_winners(state, counted)]
    return f"{join_words(names) or 'No one'} gained the {_describe_season_bonus(state, counted, counts)}"


def describe_counted_items(state: State, tile: SeasonTile) -> str:
    """Return the items a season's tile counts, and where: "Sun in backpacks", "canteens".

    The place depends on the rulings spring-counts and summer-counts.
    """
    if tile.most not in TOKENS:
        return SEASON_COUNT_TEXTS[tile.most]
    return f"{TOKEN_NAMES[tile.most]} {'in backpacks' if is_counted_in_backpack(state, tile) else 'on visited parks'}"


def tile_title(state: State, tile: SeasonTile) -> str:
    """Return a season's tile as this table plays it.

    For example "Spring: most Sun" or "Summer: most Wildlife in backpacks".
    """
    return f"{tile.season}: most {describe_tile_count(state, tile)}"


def describe_tile_count(state: State, tile: SeasonTile) -> str:
    """Return the items that a tile counts, for log and banner.

    Spring's needs no place if it counts Resources in backpacks, which is the default.
    """
    has_default_place = tile.season == SEASONS[0] and is_counted_in_backpack(state, tile)
    return SEASON_COUNT_TEXTS[tile.most] if has_default_place else describe_counted_items(state, tile)


class SeasonStandings(Struct, frozen=True):
    """Who leads in what the season's tile counts."""

    title: str  # "Most Sun in backpacks"
    short_title: str  # "Most Sun"
    counts: tuple[int, ...]  # by seat

    @property
    def best(self) -> int:
        return max(self.counts)

    def seat_text(self, seat: int) -> str:
        """Return how a seat stands: "you lead", "you tie", "1 behind"."""
        behind = self.best - self.counts[seat]
        if not self.best:
            return ""
        if behind:
            return f"{behind} behind"
        return "you lead" if self.counts.count(self.best) == 1 else "you tie"


def season_standings(state: State, seat: int | None, draft: dict[str, str]) -> SeasonStandings | None:
    """Return the standings for the season's tile, or None if no one has entered it."""
    if state.tile is None:
        return None
    tile = SEASON_TILES[state.tile]
    return SeasonStandings(
        title=f"Most {describe_counted_items(state, tile)}",
        short_title=f"Most {SEASON_COUNT_TEXTS[tile.most]}",
        counts=tuple(season_tile_count(state, other, tile) for other in range(len(state.players))),
    )


class PlannedPark(Struct, frozen=True):
    """A face-up park or one in the player's reserve, and what the player lacks for a visit."""

    name: str | None  # None: a card that no one has entered
    shortage_text: str  # "1 Forest short", "5 short"; empty if the player can pay
    is_reserved: bool


def planned_parks(state: State, seat: int, draft: dict[str, str]) -> list[PlannedPark]:
    """Return the parks that a player could visit in a next turn."""
    reserved = state.players[seat].reserve
    cards = [(card, False) for card in state.parks if card != NO_CARD] + [(card, True) for card in reserved]
    return [PlannedPark(card, _shortage_text(state, seat, card), is_reserved) for card, is_reserved in cards]


def _shortage_text(state: State, seat: int, name: str | None) -> str:
    if name is None:
        return ""
    missing = park_shortage(state, seat, all_parks(state.facts)[name])
    kinds = [TOKEN_NAMES[kind] for kind, count in zip(TOKENS, missing, strict=True) if count]
    return f"{sum(missing)} {kinds[0] + ' ' if len(kinds) == 1 else ''}short" if kinds else ""


def final_call(view: State, seat: int | None) -> str:
    """Return the call of the last season, for a seat with how many hikers it may still move."""
    if view.season < len(SEASONS) - 1 or view.is_over:
        return ""
    if seat is None:
        return f"{SEASONS[-1]} is the last season"
    count = sum(hiker < TRAIL_END_SPACES[0] for hiker in view.players[seat].hikers)
    hikers_text = ("your hikers are done", "you have 1 hiker left", "you have 2 hikers left")[count]
    return f"Last season: {hikers_text}."


def next_seats(state: State) -> tuple[int, ...]:
    """Return the seats in the order of their next turns; empty between two seasons."""
    if state.is_over or state.awards is not None or any(isinstance(task, TABLE_TASKS) for task in state.tasks):
        return ()
    count = len(state.players)
    following = ((state.turn + step) % count for step in range(1, count))
    return tuple(seat for seat in following if state.players[seat].is_on_trail)


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield a sentence for the log about each change of the table between two states."""
    if after.badge != before.badge and after.badge is not None:
        yield f"{after.players[after.badge].name} took the Shutterbug Badge{_former_owner(before, before.badge)}."
    if after.first_hiker is not None and after.first_hiker != before.first_hiker:
        owner = _former_owner(before, before.first_hiker)
        yield f"{after.players[after.first_hiker].name} took the First Hiker token{owner}."
    # A season that changes without its trail being cleared has been corrected.
    has_season_begun = after.season != before.season and None in after.sites and None not in before.sites
    yield from _describe_awards(before, after, has_season_begun)
    if has_season_begun:
        yield f"{SEASONS[after.season]} began."
    if after.is_over and not before.is_over:
        yield f"{SEASONS[after.season]} is over."


def _former_owner(before: State, seat: int | None) -> str:
    """Return from whom a token was taken: " from Ana", or ""."""
    return "" if seat is None else f" from {before.players[seat].name}"


def _describe_awards(before: State, after: State, has_season_begun: bool) -> Iterator[str]:
    """Yield who gained a season's bonus, and the free photos gained with it."""
    counted = after.season_count
    if counted is None:
        return
    is_season_end = before.awards is None and (after.awards is not None or has_season_begun)
    winners = season_winners(after, counted) if is_season_end else (before.awards or ())[1:]
    # The seat at the head of `awards` has been given its bonus already.
    started = winners[: len(winners) - len((after.awards or ())[1:])]
    photographers = [
        seat
        for seat in started
        if "free photo" in parse_gains(SEASON_TILES[counted.tile].brings)
        and after.players[seat].photos > before.players[seat].photos
    ]
    if is_season_end:
        # A photo for every winner follows the bonus directly.
        all_have_photos = bool(winners) and len(photographers) == len(winners)
        photo = f", +1 photo{' each' if len(winners) > 1 else ''}" if all_have_photos else ""
        yield f"{_describe_season_winners(after, counted)}{photo}."
        if all_have_photos:
            return
    source = "" if is_season_end else f" ({SEASON_TILES[counted.tile].season} bonus)"
    for seat in photographers:
        yield f"{after.players[seat].name} gained +1 photo{source}."


def out_of_phase_reason(state: State) -> Reason:
    """Return why a move is refused that does not fit the current task."""
    match state.task:
        case None:
            return game_over_reason(r.WINNER)
        case StartHike():
            return Reason("hike-first", r.SITE_ACTION, "Move a hiker first.")
        case DoAction("roll"):
            return Reason("finish-first", r.DIE_SITE, ROLL_FIRST_TEXT)
        case task:
            rule = r.TRAIL_AGAIN if isinstance(task, TABLE_TASKS) else r.TURN_STEPS
            instruction = describe_task(state, task)
            return Reason("finish-first", rule, f"First {instruction}.", unknown_fact=fact_to_enter(instruction))


ROLL_FIRST_TEXT = "First roll the Trail Die."


def not_your_turn_reason(state: State, seat: int) -> Reason:
    """Return why a seat that is not to move is refused."""
    if state.is_over:
        return game_over_reason(r.WINNER)
    return waiting_reason([state.players[state.turn].name], r.TURN_ORDER)


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
    hint = f" Did you mean {suggestions}?" if names else ""
    return Reason(
        f"no-such-{noun.rsplit(maxsplit=1)[-1]}",
        r.COMPONENTS,
        f"There is no {noun} called \u201c{truncate(unknown_name)}\u201d.{hint}",
    )


def unknown_park_reason(facts: CustomCards, park: str) -> Reason:
    return unknown_name_reason("park", park, all_parks(facts))


def unknown_gear_reason(facts: CustomCards, gear: str) -> Reason:
    return unknown_name_reason("gear", gear, all_gear(facts))
