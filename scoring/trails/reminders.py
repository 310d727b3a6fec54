"""Reminders of physical actions at a table of TRAILS that the app only counts."""

from collections.abc import Iterator

from scoring.kernel.english import pluralize
from scoring.kernel.move import Move
from scoring.kernel.tracked_game import Reminder
from scoring.trails.moves.badges import EarnBadge, current_visit
from scoring.trails.moves.hiking import draw_photos, photos_to_draw
from scoring.trails.state import NO_CARD, START_HIKE, TRAIL_END, TRAILHEAD, State
from scoring.trails.text import END_NAMES, space_name

DISCARD_PHOTO = "Put the other photo face up on the discard pile."
TURN_OVER_DISCARD = "Turn the photo discard over, unmixed: it is the new deck."


def reminders(before: State, after: State, move: Move) -> Iterator[Reminder]:
    """Yield the reminders for the player of a move, unless play is over."""
    if not after.is_over:
        yield from (Reminder(text, before.turn) for text in _reminder_texts(before, after, move))


def _reminder_texts(before: State, after: State, move: Move) -> Iterator[str]:
    for space in _new_night_spaces(before, after):
        yield f"Turn {space_name(after, space)} to its night side."
    yield from _photo_texts(before, after)
    yield from _badge_texts(before, after, move)


def _new_night_spaces(before: State, after: State) -> list[int]:
    """Return the spaces to turn to night.

    The last one is returned again when the visit to Trail End is over, as the visit may have taken long.
    """
    visited = before.tasks != START_HIKE and before.players[before.turn].space == TRAIL_END
    if visited and after.tasks == START_HIKE and after.sun_holder is None:
        left = len(after.track.trail_end) + TRAIL_END - after.sun  # the space that the Sun has left
        return [left] if TRAILHEAD < left < TRAIL_END else []
    return [space for space in range(1, TRAIL_END) if after.is_night(space) and not before.is_night(space)]


def _photo_texts(before: State, after: State) -> Iterator[str]:
    """Yield where drawn photos go, or nothing if the face-up photo was taken."""
    held = [sum(len(player.photos) for player in state.players) for state in (before, after)]
    drawn = draw_photos(before)
    piles = (after.photo_deck, after.photo_discard)
    if held[1] != held[0] + 1 or piles != (drawn.photo_deck, drawn.photo_discard):
        return
    deck, discard = before.photo_deck, before.photo_discard
    if piles == (deck, discard - 1):
        return
    if photos_to_draw(before) == 1:
        yield from [TURN_OVER_DISCARD] * (discard > 0)
    else:
        yield from (
            (TURN_OVER_DISCARD, DISCARD_PHOTO)
            if deck == 1
            else (DISCARD_PHOTO, TURN_OVER_DISCARD)
            if deck == 2
            else (DISCARD_PHOTO,)
        )


def _badge_texts(before: State, after: State, move: Move) -> Iterator[str]:
    """Yield where new badges are drawn (rulebook p. 13), unless they are already named."""
    drawn = before.badge_deck - after.badge_deck
    final_move = move if isinstance(move, EarnBadge) and drawn > 0 else None  # the move also ended the turn
    for end, end_name in END_NAMES.items():
        cards = list(before.face_up(end))
        if final_move and not final_move.hand and end == current_visit(before)[0]:
            cards[cards.index(final_move.badge if final_move.badge in cards else None)] = NO_CARD
        new_cards = [new for old, new in zip(cards, after.face_up(end), strict=True) if new not in (old, NO_CARD)]
        gaps = min(drawn, new_cards.count(None))
        if gaps > 0:
            yield (
                f"Draw {'a badge' if gaps == 1 else pluralize(gaps, 'badge')} "
                f"into the gap{'s' if gaps > 1 else ''} at {end_name}."
            )
        drawn -= len(new_cards)
    held = before.players[before.turn].hand
    if (
        drawn > 0
        and after.players[before.turn].hand != NO_CARD
        and (held == NO_CARD or (final_move and final_move.hand))
    ):
        yield "Draw a new badge for your hand."
