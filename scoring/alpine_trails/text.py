"""Texts of ALPINE TRAILS: prompts, banners, consequences of a move, and goals."""

from collections.abc import Iterator

from scoring.alpine_trails.box import TILES_PER_ROUND
from scoring.alpine_trails.state import Player, State, to_move
from scoring.kernel.english import join_words, pluralize

GOAL_TEXTS = {
    "path-length": "the length of my longest path",
    "habitat-icons": "icons in my largest habitat of",
    "path-icons": "icons along my longest path of",
    "tent-icons": "icons around my tents",
    "waterfall-icons": "icons around my waterfalls",
}

ICON_BY_TERRAIN = {"forest": "pine", "rock": "crag", "meadow": "flower", "wetland": "reed"}  # the icon of each terrain


def prompt(state: State) -> str:
    """Return one line for the top of the page: the round and the players still to go."""
    if state.is_over:
        return "The game is over."
    waiting = [state.players[seat].name for seat in to_move(state)]
    if state.is_play_over:
        return f"The bag is empty. Look over the map and the lakes: {', '.join(waiting)} to go."
    round_text = f"Round {state.round} of {state.rounds}"
    if len(waiting) < len(state.players):
        return f"{round_text}: {', '.join(waiting)} to go."
    return f"{round_text}: two tiles each." if not state.solo else f"{round_text}: two tiles."


def banner(state: State, seat: int) -> tuple[str, str]:
    """Return a player's current activity and instruction; all players play at the same time."""
    player, waiting = state.players[seat], to_move(state)
    if seat not in waiting:
        names = [f"{state.players[other].name}\u2019s" for other in waiting]
        return (
            f"Waiting for {join_words(names)} "
            f"{'maps' if state.is_play_over and len(names) > 1 else 'map' if state.is_play_over else 'tiles'}",
            "",
        )
    if state.is_play_over:
        return "The bag is empty", "look over your map and its lakes."
    if not player.tiles:
        return "Base camp", "which terrain does yours show?"
    if player.waterfalls_to_place:
        waterfall_text = (
            "the waterfall" if player.waterfalls_to_place == 1 else pluralize(player.waterfalls_to_place, "waterfall")
        )
        return "A loop is closed", f"place {waterfall_text} beside your tiles."
    round_text = f"Round {state.round + player.tiles_used // TILES_PER_ROUND} of {state.rounds}"
    if player.tiles_used >= state.tile_limit:
        return (
            f"Round {state.round + (player.tiles_used - 1) // TILES_PER_ROUND} of {state.rounds}",
            "both tiles are told; now the animal.",
        )
    return f"{round_text}, tile {player.tiles_used % TILES_PER_ROUND + 1} of {TILES_PER_ROUND}", "what does it show?"


def chapter(state: State) -> str:
    """Return the heading of the game log that a state belongs to."""
    return "The bag is empty" if state.is_play_over else f"Round {state.round}"


def describe_changes(before: State, after: State) -> Iterator[str]:
    """Yield one sentence for the log for each other change between two states."""
    for old, new in zip(before.players, after.players, strict=True):
        if new.waterfalls_to_place > old.waterfalls_to_place:
            yield (
                "That closes a loop: "
                f"{pluralize(new.waterfalls_to_place - old.waterfalls_to_place, 'waterfall')} to place."
            )
    offered = [
        new
        for old, new in zip(before.players, after.players, strict=True)
        if len(new.offered_forks) > len(old.offered_forks)
    ]
    if offered:
        yield f"{join_words([player.name for player in offered])} may take {_fork_animal_text(after, offered[0])}."
    if after.is_play_over and not before.is_play_over:
        yield "The bag is empty."
        lakes = [
            f"{player.name} {count}"
            for player, count in zip(after.players, new_lakes(before, after), strict=True)
            if count
        ]
        yield (
            f"Lakes at the ends of the trails: {', '.join(lakes)}."
            if lakes
            else "No trail is open: nobody lays a lake."
        )
    elif after.round > before.round:
        yield f"Round {after.round} of {after.rounds}."


def _fork_animal_text(state: State, player: Player) -> str:
    terrain = player.offered_forks[-1]
    animal = state.facts.animal(terrain)
    return f"the {animal}" if animal else f"the animal of the {terrain}"


def new_lakes(before: State, after: State) -> Iterator[int]:
    """Yield how many lakes were placed on the map of each player."""
    for old, new in zip(before.players, after.players, strict=True):
        yield sum(tile.kind == "lake" for tile in new.tiles) - sum(tile.kind == "lake" for tile in old.tiles)


def describe_goal(kind: str, terrain: str | None) -> str:
    """Return a goal as text: "icons in my largest habitat of forest"."""
    if terrain is None:
        return GOAL_TEXTS[kind]
    if kind in ("tent-icons", "waterfall-icons"):
        return GOAL_TEXTS[kind] if terrain == "any" else f"{terrain} {GOAL_TEXTS[kind]}"
    return f"{GOAL_TEXTS[kind]} {terrain}"
