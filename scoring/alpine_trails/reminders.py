"""Reminders of physical actions at an ALPINE TRAILS table: take tiles, place lakes."""

from collections import Counter
from collections.abc import Iterator

from scoring.alpine_trails.box import SIGNS
from scoring.alpine_trails.state import Player, State
from scoring.alpine_trails.text import new_lakes
from scoring.kernel.english import pluralize
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Reminder

# Reminders by the kind of tile that was placed.
PLACEMENT_REMINDERS = {
    "campsite": "Place a campsite tile with a tent, and return one of your two tiles to the box.",
    "fork": "Put a sign on the fork.",
}


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders after a move."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        yield from (Reminder(text, seat) for text in _player_reminders(old, new, _count_forks(after) <= SIGNS))
    if after.is_play_over and not before.is_play_over:
        for seat, lakes in enumerate(new_lakes(before, after)):
            if lakes:
                lakes_text = "a lake at the open trail end" if lakes == 1 else f"{lakes} lakes at the open trail ends"
                yield Reminder(f"Place {lakes_text}.", seat)


def _player_reminders(old: Player, new: Player, signs_left: bool) -> Iterator[str]:
    """Yield the reminders of what a player takes from the supply."""
    if old.tiles:  # A map that was entered as a whole needs no reminders.
        more = Counter(_tile_kinds(new)) - Counter(_tile_kinds(old))
        yield from (text for kind, text in PLACEMENT_REMINDERS.items() if more[kind] and (kind != "fork" or signs_left))
    if (earned := new.waterfalls_to_place - old.waterfalls_to_place) > 0:
        yield f"Take {'a waterfall tile' if earned == 1 else pluralize(earned, 'waterfall tile')} from the supply."
    for animal in Counter(new.kept_animals) - Counter(old.kept_animals):
        yield f"Take the {animal} from the animal card."


def _tile_kinds(player: Player) -> list[str]:
    return ["fork" if tile.kind == "trail" and tile.is_fork else tile.kind for tile in player.tiles]


def _count_forks(state: State) -> int:
    return sum(_tile_kinds(player).count("fork") for player in state.players)
