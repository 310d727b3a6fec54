"""Reminders of physical actions at a table of TRAILS, in the order in which players do them."""

from collections.abc import Iterator

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Reminder
from scoring.trails.moves.badges import EarnBadge, current_visit
from scoring.trails.moves.hiking import Photograph, photos_to_draw
from scoring.trails.quantities import cubes_gained, cubes_paid
from scoring.trails.state import NO_CARD, START_HIKE, TRAIL_END, TRAILHEAD, State
from scoring.trails.text import END_NAMES, list_cubes, space_name, sun_place

DISCARD_PHOTO = "Draw 2 photos, keep 1 secret and put the other face up on the discard pile."
FLIP_DISCARD = "Flip the photo discard pile to make a new deck. Don\u2019t shuffle."


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders for the player of a move, unless play is over."""
    if not after.is_over:
        yield from (Reminder(text, before.turn) for text in _reminder_texts(before, after, move))


def _reminder_texts(before: State, after: State, move: Move) -> Iterator[str]:
    yield from _hiker_texts(before, after)
    if after.bear != before.bear:
        yield f"Move the bear to the {after.bear} site."
    yield from _supply_texts(before, after, move)
    yield from _sun_texts(before, after)
    if isinstance(move, Photograph) and not move.face_up:
        yield from _photo_texts(before)
    yield from _badge_texts(before, after, move)


def _hiker_texts(before: State, after: State) -> Iterator[str]:
    """Yield how to turn the hiker and the canteen, which may be refilled in one hike."""
    old, new = before.players[before.turn], after.players[before.turn]
    if old.canteen and not new.canteen:
        yield "Flip the canteen to its empty side."
    if new.facing != old.facing:
        yield "Turn the hiker around."
    if new.canteen and not old.canteen:
        yield "Flip the canteen to its filled side."


def _supply_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield the resources that the player returns to the supply and takes from it."""
    paid = cubes_paid(before, before.turn, move)
    gained = cubes_gained(before, after, before.turn, paid)
    takes = any(gained) and not move.out_of_turn
    if any(paid):
        yield f"Return {list_cubes(paid)} to the supply{f' and take {list_cubes(gained)}' if takes else ''}."
    elif takes:
        yield f"Take {list_cubes(gained)} from the supply."


def _sun_texts(before: State, after: State) -> Iterator[str]:
    """Yield where the Sun goes, and the sites to turn to night."""
    if after.sun_holder is not None and before.sun_holder is None:
        yield "Take the Sun."
    elif after.sun != before.sun:
        yield f"Move the Sun to {sun_place(after)}."
    yield from _night_texts(before, after)


def _night_texts(before: State, after: State) -> Iterator[str]:
    """Yield the sites to turn to night.

    The last one is to be checked when the visit to Trail End is over, as the visit may have taken long.
    """
    for space in range(1, TRAIL_END):
        if after.is_night(space) and not before.is_night(space):
            yield f"Flip {space_name(after, space)} to its night side."
    visited = before.tasks != START_HIKE and before.players[before.turn].space == TRAIL_END
    if visited and after.tasks == START_HIKE and after.sun_holder is None:
        left = len(after.track.trail_end) + TRAIL_END - after.sun  # the space that the Sun has left
        if TRAILHEAD < left < TRAIL_END and before.is_night(left):
            yield f"Check that {space_name(after, left)} is on its night side."


def _photo_texts(before: State) -> Iterator[str]:
    """Yield where the photos go after a draw."""
    deck, has_discard = before.photo_deck, before.photo_discard > 0
    if photos_to_draw(before) == 1:
        yield from [FLIP_DISCARD] * has_discard
    elif deck == 1:
        yield from (FLIP_DISCARD, DISCARD_PHOTO)
    else:
        yield DISCARD_PHOTO
        yield from [FLIP_DISCARD] * (deck == 2)


def _badge_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield where new badges are drawn (rulebook p. 13), unless they have already been entered."""
    drawn = before.badge_deck - after.badge_deck
    final_move = move if isinstance(move, EarnBadge) and drawn > 0 else None  # the move also ended the turn
    for end, end_name in END_NAMES.items():
        cards = list(before.face_up(end))
        if final_move and not final_move.hand and end == current_visit(before)[0]:
            cards[cards.index(final_move.badge if final_move.badge in cards else None)] = NO_CARD
        new_cards = [new for old, new in zip(cards, after.face_up(end), strict=True) if new not in (old, NO_CARD)]
        gaps = min(drawn, new_cards.count(None))
        if gaps > 0:
            yield f"Draw {'a new badge' if gaps == 1 else pluralize(gaps, 'new badge')} for {end_name}."
        drawn -= len(new_cards)
    held = before.players[before.turn].hand
    if (
        drawn > 0
        and after.players[before.turn].hand != NO_CARD
        and (held == NO_CARD or (final_move and final_move.hand))
    ):
        yield "Draw a new hand badge."
