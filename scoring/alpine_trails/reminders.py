"""What hands must do at a table of ALPINE TRAILS now that something has happened there: take from the supply, draw, lay lakes."""

from collections import Counter
from collections.abc import Iterator

from scoring.alpine_trails.box import BASE_SQUARES, SIGNS
from scoring.alpine_trails.state import Player, State
from scoring.kernel.english import plural
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Reminder

# By the kind of tile that has come to lie on a map.
PUT_ON = {
    "campsite": "Put a tent on the campsite, and the tile you gave up back in the box.",
    "fork": "Put a sign where the trail parts.",
}


def hands(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        yield from (Reminder(order, seat) for order in _orders(old, new, _forks(after) <= SIGNS))
    if after.ended and not before.ended:
        for seat, lakes in enumerate(_lakes(before, after)):
            if lakes:
                ends = "end of your open trail" if lakes == 1 else f"{lakes} ends of your open trails"
                yield Reminder(f"Place a lake at the {ends}.", seat)
    elif after.round > before.round and not any(player.used for player in after.players):
        yield Reminder("Draw two tiles from the bag." if after.solo else "Draw two tiles each from the bag.")


def _orders(old: Player, new: Player, signs_left: bool) -> Iterator[str]:
    """Yield what a player takes from the supply."""
    if not old.tiles and len(new.tiles) == BASE_SQUARES and not new.used:
        yield "Draw two tiles from the bag."
    if old.tiles:  # else a map that was told as a whole
        more = Counter(_kinds(new)) - Counter(_kinds(old))
        yield from (words for kind, words in PUT_ON.items() if more[kind] and (kind != "fork" or signs_left))
    if (earned := new.waterfalls - old.waterfalls) > 0:
        yield f"Take {'a waterfall tile' if earned == 1 else plural(earned, 'waterfall tile')} from the supply."
    for animal in Counter(new.held) - Counter(old.held):
        yield f"Take the {animal} from the animal card."


def _kinds(player: Player) -> list[str]:
    return ["fork" if tile.kind == "trail" and tile.fork else tile.kind for tile in player.tiles]


def _forks(state: State) -> int:
    return sum(_kinds(player).count("fork") for player in state.players)


def _lakes(before: State, after: State) -> Iterator[int]:
    for old, new in zip(before.players, after.players, strict=True):
        yield sum(tile.kind == "lake" for tile in new.tiles) - sum(tile.kind == "lake" for tile in old.tiles)
