"""The hand that plays: finds the control of a move on the page and taps it, as a person would."""

import math
from collections import Counter

import msgspec
from playwright.sync_api import Locator

from scoring.games import PLAYS
from scoring.kernel.move import Move
from scoring.trails.moves.badges import EarnBadge
from scoring.trails.moves.reveals import NameCard, NoteHand, NotePhoto
from scoring.trails.state import TRAIL_END, TRAILHEAD, Earn, End, FreeBadge, State
from tests.browser.choices import READ
from tests.browser.phone import Phone

PLAY = PLAYS["trails"]
NEAR = 80  # px: one place, and some more
# The middle of a button on its page; nowhere, while it is not shown.
MIDDLE = """button => {
  const box = button.getBoundingClientRect();
  return box.width ? [box.x + box.width / 2 + scrollX, box.y + box.height / 2 + scrollY] : null;
}"""


def press(phone: Phone, button: Locator) -> None:
    """Tap a button as a hand does: one that has come under the finger no quicker than it is read."""
    place = button.evaluate(MIDDLE)
    if not place or not phone.tapped or math.dist(place, phone.tapped) < NEAR:
        phone.until(READ)
    button.tap()
    phone.tapped = place


def tap(phone: Phone, state: State, seat: int, move: Move) -> None:
    """Play a move through a seat's page, unfolding what it lies under."""
    press(phone, control(phone, state, seat, move))


STORY = 50  # moves at the end of a game for many phones that are followed on every page


def before_the_story(phones: tuple[Phone, ...], moves: list[tuple[int, Move]]) -> int:
    """Return how many moves to say before the pages are looked at: none for two phones, most for four."""
    return 0 if len(phones) == 2 else len(moves) - STORY


def to_tap(moves: list[tuple[int, Move]], each: int = 1, last: int = 12) -> set[int]:
    """Return which moves of a game to tap: of every kind at every seat the first ones, and how the game ends.

    Their buttons have been tapped then; the moves between may come without a page (`Phone.say`), and all pages show them.
    """
    met: Counter[tuple] = Counter()
    tapped = set(range(len(moves) - last, len(moves)))
    for number, (seat, move) in enumerate(moves):
        kind = (seat, type(move), *msgspec.to_builtins(move))  # with the fields that are said
        met[kind] += 1
        if met[kind] <= each:
            tapped.add(number)
    return tapped


def control(phone: Phone, state: State, seat: int, move: Move) -> Locator:
    """Return what to tap for a move."""
    match move:
        case EarnBadge(badge, hand) if badge in _by_name(state, seat, hand):
            return _move(phone.find("form.moves-form"), move)
        case EarnBadge(badge, hand):
            return _pick(namer(phone, "hand" if hand else state.tasks[-1].end), badge)
        case NoteHand(str(badge)):
            tell(phone)
            return _pick(phone.open("note-hand"), badge)
        case NotePhoto() if not state.over:
            tell(phone)
            return _move(phone.open("note-photo"), move)
        case NameCard(end, badge, None) if _stands_before(state, seat, end):
            return _pick(namer(phone, end), badge)
        case NameCard(end, badge, instead):
            tell(phone)
            part = phone.open(f"name-{end}")
            part.locator(f'label:has(input[value="{instead or ""}"])').tap()
            return _pick(part, badge)
        case _:
            return _move(phone.find("form.moves-form"), move)


def namer(phone: Phone, where: str) -> Locator:
    """Unfold the names a card can have: of an end by the card itself, where it is to be tapped, or by the sheet."""
    link = phone.find(f'a.drafts[href*="draft.name={where}"]').last
    press(phone, link)
    sheet = phone.find(".whole-screen")
    sheet.wait_for()
    return sheet


def _stands_before(state: State, seat: int, end: End) -> bool:
    """Return whether a card at an end is named by a tap on it: one's hiker is there, and is not about to set out."""
    there = state.players[seat].at == (TRAILHEAD if end == "trailhead" else TRAIL_END)
    return there and (seat not in PLAY.to_move(state) or isinstance(state.tasks[-1], Earn | FreeBadge))


def tell(phone: Phone) -> None:
    """Go from a seat's page to the one where people tell the app what it cannot see."""
    phone.follow("/tell")


def _by_name(state: State, seat: int, hand: bool) -> tuple[str | None, ...]:
    """Return the badges that have a button of their own: those the app has been told."""
    return (state.players[seat].hand,) if hand else state.face_up(state.tasks[-1].end)


def _move(part: Locator, move: Move) -> Locator:
    return part.locator(f"button[name=move][value='{msgspec.json.encode(move).decode()}']")


def _pick(part: Locator, badge: str) -> Locator:
    return part.locator(f'button.pick[value="{badge}"]')
