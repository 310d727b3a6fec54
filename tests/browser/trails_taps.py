"""Play TRAILS on a phone: find the control of a move on the page and tap it."""

import math
from collections import Counter

import msgspec
from playwright.sync_api import Locator

from scoring.games import TRACKED_GAMES
from scoring.kernel.move import Move
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.hiking import Hike
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.state import TRAIL_END, TRAILHEAD, EarnBadges, EarnFreeBadge, End, State
from tests.browser.page_controls import CAN_TAP_SCRIPT
from tests.browser.phone import Phone

TRACKED_GAME = TRACKED_GAMES["trails"]
SHORT_HIKES = (1, 2)  # tiles that need no canteen; with it they are below the fold
NEAR_DISTANCE = 80  # px: about one place
# The middle of a button on its page; null while it is not shown.
MIDDLE_SCRIPT = """button => {
  const box = button.getBoundingClientRect();
  return box.width ? [box.x + box.width / 2 + scrollX, box.y + box.height / 2 + scrollY] : null;
}"""


def tap_button(phone: Phone, button: Locator) -> None:
    """Tap a button, but not sooner after a redraw than the page accepts a tap in its place."""
    button.scroll_into_view_if_needed()  # The place counts where it is tapped.
    place = button.evaluate(MIDDLE_SCRIPT)
    if not place or not phone.last_tap or math.dist(place, phone.last_tap) < NEAR_DISTANCE:
        phone.wait_until(CAN_TAP_SCRIPT)
    button.tap()
    phone.last_tap = place


def tap_move(phone: Phone, state: State, seat: int, move: Move) -> None:
    """Play a move through a seat's page, unfolding the sections its control is in."""
    tap_button(phone, find_control(phone, state, seat, move))


WATCHED_MOVES = 50  # moves at the end of a game for many phones that are followed on every page


def unwatched_move_count(phones: tuple[Phone, ...], moves: list[tuple[int, Move]]) -> int:
    """Return how many moves to submit before the pages are watched: none for two phones."""
    return 0 if len(phones) == 2 else len(moves) - WATCHED_MOVES


def moves_to_tap(moves: list[tuple[int, Move]], taps_per_kind: int = 1, last_moves: int = 12) -> set[int]:
    """Return the indexes of the moves to tap: each kind's first ones per seat, and the last.

    This covers every kind of button; other moves may be submitted without a page (`Phone.submit_move`), and all pages
    show them.

    """
    met: Counter[tuple] = Counter()
    tapped = set(range(len(moves) - last_moves, len(moves)))
    for number, (seat, move) in enumerate(moves):
        kind = (seat, type(move), *msgspec.to_builtins(move))  # with the fields of the move
        met[kind] += 1
        if met[kind] <= taps_per_kind:
            tapped.add(number)
    return tapped


def find_control(phone: Phone, state: State, seat: int, move: Move) -> Locator:
    """Return the control to tap for a move."""
    match move:
        case EarnBadge(badge, hand) if badge in _known_badges(state, seat, hand):
            return _move_button(phone.find("form.moves-form"), move)
        case EarnBadge(badge, hand) if not _move_button(phone.find("form.moves-form"), move).count():
            return _badge_button(open_card_names(phone, "hand" if hand else state.tasks[-1].end), badge)
        case Hike(steps, canteen=True) if steps in SHORT_HIKES:
            return _move_button(phone.unfold("other-moves"), move)
        case NoteHand(str(badge)):
            open_reveal_page(phone)
            return _badge_button(phone.unfold("note-hand"), badge)
        case NotePhoto() if not state.is_over:
            open_reveal_page(phone)
            return _move_button(phone.unfold("note-photo"), move)
        case NameCard(end, badge, None) if _is_at_card(state, seat, end):
            return _badge_button(open_card_names(phone, end), badge)
        case NameCard(end, badge, instead):
            open_reveal_page(phone)
            part = phone.unfold(f"name-{end}")
            part.locator(f'label:has(input[value="{instead or ""}"])').tap()
            return _badge_button(part, badge)
        case _:
            return _move_button(phone.find("form.moves-form"), move)


def open_card_names(phone: Phone, end: str) -> Locator:
    """Unfold the names a card can have, by tapping the card at an end or by the sheet."""
    link = phone.find(f'a.updates-draft[href*="draft.name={end}"]').last
    tap_button(phone, link)
    sheet = phone.find(".full-screen")
    sheet.wait_for()
    return sheet


def _is_at_card(state: State, seat: int, end: End) -> bool:
    """Return whether a tap on the card names it: the hiker is there and not about to set out."""
    is_at_end = state.players[seat].space == (TRAILHEAD if end == "trailhead" else TRAIL_END)
    return is_at_end and (
        seat not in TRACKED_GAME.flow.to_move(state) or isinstance(state.tasks[-1], EarnBadges | EarnFreeBadge)
    )


def open_reveal_page(phone: Phone) -> None:
    """Go from a seat's page to the page where players enter what the app cannot see."""
    phone.follow_link("/tell")


def _known_badges(state: State, seat: int, hand: bool) -> tuple[str | None, ...]:
    """Return the badges that have their own button: those known to the app."""
    return (state.players[seat].hand,) if hand else state.face_up(state.tasks[-1].end)


def _move_button(part: Locator, move: Move) -> Locator:
    return part.locator(f"button[name=move][value='{msgspec.json.encode(move).decode()}']")


def _badge_button(part: Locator, badge: str) -> Locator:
    return part.locator(f'button.pick[value="{badge}"]')
