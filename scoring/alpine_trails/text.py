"""Texts of ALPINE TRAILS: prompts, banners, log lines, and goals."""

from collections.abc import Iterator

from scoring.alpine_trails.box import TILES_PER_ROUND
from scoring.alpine_trails.map.tiles import Terrain
from scoring.alpine_trails.state import Player, State, to_move
from scoring.kernel.english import join_words, pluralize
from scoring.kernel.move import Move

GOAL_TEXTS = {
    "path-length": "length of the longest path",
    "habitat-icons": "icons in the largest {terrain} habitat",
    "path-icons": "{terrain} icons on the longest path",
    "tent-icons": "{terrain} icons around tents",
    "waterfall-icons": "{terrain} icons around waterfalls",
}

ICON_BY_TERRAIN = {"forest": "pine", "rock": "crag", "meadow": "flower", "wetland": "reed"}  # the icon of each terrain


def prompt(state: State) -> str:
    """Return one line about the table: the round and the players still to go."""
    if state.is_over:
        return "The game is over."
    title, text = table_heading(state)
    return f"{title}. {text}"


def table_heading(state: State) -> tuple[str, str]:
    """Return the round and what it waits for, for the table view."""
    waiting = [state.players[seat].name for seat in state.unfinished_seats]
    waiting_text = f"Waiting for {join_words(waiting)}."
    if state.is_play_over:
        return "The bag is empty", waiting_text
    if not all(player.tiles for player in state.players):
        text = "Enter your base camp." if state.solo else "Enter your base camps."
    elif len(waiting) < len(state.players):
        text = waiting_text
    else:
        text = "Draw two tiles." if state.solo else "Everyone draws two tiles."
    return _round_text(state, state.round), text


MAX_WAITING_NAMES = 2  # in a banner


def banner(state: State, seat: int) -> tuple[str, str]:
    """Return a player's current activity and instruction; all players play at the same time."""
    player, waiting = state.players[seat], to_move(state)
    if seat not in waiting:
        names = [state.players[other].name for other in waiting]
        waiting_text = join_words(names) if len(names) <= MAX_WAITING_NAMES else pluralize(len(names), "player")
        return f"Waiting for {waiting_text}", "" if state.is_play_over else _round_text(state, state.round)
    if state.is_play_over:
        return "The bag is empty", "add your lakes, then check your map."
    if not player.tiles:
        return "Your base camp", "which terrain does it show?"
    if player.waterfalls_to_place == 1:
        return "You completed a loop", "place your waterfall."
    if player.waterfalls_to_place:
        return f"You completed {player.waterfalls_to_place} loops", f"place {player.waterfalls_to_place} waterfalls."
    if player.tiles_used >= state.tile_limit:
        return "Another player\u2019s fork", "take or skip its animal."
    round_text = _round_text(state, _next_round(state, player))
    if player.tiles_used % TILES_PER_ROUND:
        return round_text, "place your second tile."
    others = [state.players[other].name for other in state.unfinished_seats if other != seat]
    if player.tiles_used and others:
        waiting_text = f"{others[0]} is" if len(others) == 1 else "the others are"
        return round_text, f"draw 2 tiles once {waiting_text} done."
    return round_text, "draw 2 tiles, place the first."


def final_call(view: State, seat: int | None) -> str:
    """Return the call of the last round, for a seat or (None) for everyone; empty before."""
    if view.is_play_over:
        return ""
    if seat is None:
        return "Last round: the bag is empty." if view.round == view.rounds else ""
    player = view.players[seat]
    if not player.tiles or _next_round(view, player) < view.rounds:
        return ""
    if _next_round(view, player) > view.rounds:
        return "Last round: you used your last tile."
    return f"Last round: your last {'tile' if player.tiles_used % TILES_PER_ROUND else 'two tiles'}."


def _next_round(state: State, player: Player) -> int:
    """Return the round of a player's next tile, which may be ahead of the table's."""
    return state.round + player.tiles_used // TILES_PER_ROUND


def _round_text(state: State, number: int) -> str:
    return f"Round {number} of {state.rounds}"


def chapter(state: State) -> str:
    """Return the heading of the game log that a state belongs to."""
    return "End of game" if state.is_play_over else f"Round {state.round}"


def describe_quantities(before: State, after: State, seat: int, move: Move) -> Iterator[str]:
    """Yield the gains of a move: the waterfalls that a loop earned."""
    if (earned := after.players[seat].waterfalls_to_place - before.players[seat].waterfalls_to_place) > 0:
        yield f"+{pluralize(earned, 'waterfall')} ({'loop' if earned == 1 else 'loops'})"


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield one sentence for the log for each other change between two states."""
    offered = [
        new
        for old, new in zip(before.players, after.players, strict=True)
        if len(new.offered_forks) > len(old.offered_forks)
    ]
    if offered:
        animal = fork_animal_text(after, offered[0].offered_forks[-1])
        yield f"{join_words([player.name for player in offered])} may take the {animal}."
    if after.is_play_over and not before.is_play_over:
        yield "The bag is empty."
        lakes = [
            f"{count} for {player.name}"
            for player, count in zip(after.players, new_lakes(before, after), strict=True)
            if count
        ]
        yield (
            f"Lakes at open trail ends: {join_words(lakes)}." if lakes else "No trail was open, so no lakes were added."
        )
    elif after.round > before.round:
        yield f"Round {after.round} of {after.rounds} began."


def fork_animal_text(state: State, terrain: Terrain) -> str:
    """Return the animal of a fork, or its terrain if it is not entered: "rock animal"."""
    return state.facts.animal(terrain) or f"{terrain} animal"


def new_lakes(before: State, after: State) -> Iterator[int]:
    """Yield how many lakes were placed on the map of each player."""
    for old, new in zip(before.players, after.players, strict=True):
        yield sum(tile.kind == "lake" for tile in new.tiles) - sum(tile.kind == "lake" for tile in old.tiles)


def describe_goal(kind: str, terrain: str | None) -> str:
    """Return a goal as text: "icons in the largest forest habitat"."""
    return GOAL_TEXTS[kind].format(terrain="all" if terrain == "any" else terrain)
