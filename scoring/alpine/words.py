"""How ALPINE TRAILS is put into words: what is to be done now, what came of a move."""

from collections.abc import Iterator

from scoring.alpine import rules as r
from scoring.alpine.state import DRAWN, Player, State, to_move
from scoring.kernel.play import game_over, waits_for
from scoring.kernel.rule import Reason
from scoring.kernel.words import listed, plural

GOAL_WORDS = {
    "path-length": "the length of my longest path",
    "habitat-icons": "icons in my largest habitat of",
    "path-icons": "icons along my longest path of",
    "tent-icons": "icons around my tents",
    "waterfall-icons": "icons around my waterfalls",
}

SIGNS = {"forest": "pine", "rock": "crag", "meadow": "flower", "wetland": "reed"}  # the icon of each terrain


def a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def prompt(state: State) -> str:
    """Return one line for the head of the page: the round, and whom it waits for."""
    if state.over:
        return "The game is over."
    waiting = [state.players[seat].name for seat in to_move(state)]
    if state.ended:
        return f"The bag is empty. Look over the map and the lakes: {', '.join(waiting)} to go."
    here = f"Round {state.round} of {state.rounds}"
    if len(waiting) < len(state.players):
        return f"{here}: {', '.join(waiting)} to go."
    return f"{here}: two tiles each." if not state.solo else f"{here}: two tiles."


def task(state: State, seat: int) -> str:
    """Return what one player has to do now, as a heading of their own page."""
    player = state.players[seat]
    if state.ended:
        return "Wait for the others" if player.done else "Look over your map"
    if not player.tiles:
        return "Your base camp"
    if player.waterfalls:
        return "A loop: place your waterfall"
    if player.used < DRAWN:
        return ("Your first tile", "Your second tile")[player.used]
    return "An animal for you" if player.offered else "Wait for the others"


def changes(before: State, after: State) -> Iterator[str]:
    """Yield what else changed between two states, a sentence each, for the log."""
    for old, new in zip(before.players, after.players, strict=True):
        if new.waterfalls > old.waterfalls:
            yield f"That closes a loop: {plural(new.waterfalls - old.waterfalls, 'waterfall')} to place."
    offered = [new for old, new in zip(before.players, after.players, strict=True) if len(new.offered) > len(old.offered)]
    if offered:
        yield f"{listed([player.name for player in offered])} may take {_its_animal(after, offered[0])}."
    if after.ended and not before.ended:
        yield "The bag is empty."
        lakes = [f"{player.name} {count}" for player, count in zip(after.players, _lakes(before, after), strict=True) if count]
        yield f"Lakes at the ends of the trails: {', '.join(lakes)}." if lakes else "No trail is open: nobody lays a lake."
    elif after.round > before.round:
        yield f"Round {after.round} of {after.rounds}."


def _its_animal(state: State, player: Player) -> str:
    terrain = player.offered[-1]
    animal = state.facts.animal(terrain)
    return f"the {animal}" if animal else f"the animal of the {terrain}"


def _lakes(before: State, after: State) -> Iterator[int]:
    for old, new in zip(before.players, after.players, strict=True):
        yield sum(tile.kind == "lake" for tile in new.tiles) - sum(tile.kind == "lake" for tile in old.tiles)


def goal_words(kind: str, terrain: str | None) -> str:
    """Return a goal in words: "icons in my largest habitat of forest"."""
    if terrain is None:
        return GOAL_WORDS[kind]
    if kind in ("tent-icons", "waterfall-icons"):
        return GOAL_WORDS[kind] if terrain == "any" else f"{terrain} {GOAL_WORDS[kind]}"
    return f"{GOAL_WORDS[kind]} {terrain}"


def first(state: State) -> Reason:
    """Return why a move is refused that is not what is asked for."""
    if state.ended:
        return Reason("play-over", r.GAME_OVER, "The bag is empty; the maps are only looked over now.")
    return Reason("bag-not-empty", r.GAME_OVER, f"The bag still holds {plural(state.bag, 'tile')}.")


def idle(state: State, seat: int) -> Reason:
    """Return why a seat is refused that is not to move."""
    if state.over:
        return game_over(r.GAME_OVER)
    waiting = [state.players[other].name for other in to_move(state)]
    if state.ended:
        return waits_for(waiting, r.SCORE_TOTAL, "your map is complete")
    return Reason(
        "both-played", r.ROUND_OVER, f"You have played both tiles of this round; {listed(waiting)} must still place theirs."
    )
