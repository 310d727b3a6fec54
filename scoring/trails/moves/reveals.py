"""Moves that enter cards: face-up badges and photos, and players' secrets."""

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason
from scoring.kernel.state import StateT
from scoring.trails import rules as r
from scoring.trails.box import BADGES, MAX_PHOTO_BIRDS, MAX_PHOTO_POINTS, PHOTO_FACES
from scoring.trails.moves.badges import (
    all_copies_seen_reason,
    clear_contradicted_notes,
    empty_hand_reason,
    unknown_badge_reason,
    with_face_up,
)
from scoring.trails.state import NO_CARD, End, Photo, State
from scoring.trails.text import END_NAMES, badge_title, describe_photo
from scoring.trails.turn import has_unseen_copy, known_badges


class NameCard(Move[State], tag="name-card"):
    """Enter a face-up badge at an end of the Trail; `instead` replaces a wrong one."""

    title = "Enter a face-up badge"
    names_player = False
    rules = (r.SETUP_BADGES, r.BADGE_COPIES, r.LAST_ROUND, r.BADGES_REFILL, r.BADGE_DECK_EMPTY)
    out_of_turn = True

    end: End
    badge: str
    instead: str | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.is_over:
            yield Reason("play-over", r.LAST_ROUND, "The game is over. The badges at the ends no longer matter.")
        elif self.badge not in BADGES:
            yield unknown_badge_reason(self.badge)
        elif self.instead not in state.face_up(self.end):
            end = END_NAMES[self.end]
            if self.instead is None:
                text = f"The badges at {end} have already been entered. Choose the one that is wrong."
            else:
                text = f"There is no \u201c{self.instead}\u201d at {end}. Choose a badge that is there."
            yield Reason("no-such-card", r.SETUP_BADGES, text)
        elif self.instead == NO_CARD:
            if state.badge_deck:
                text = "That badge was earned. A new one is drawn at the end of the turn."
                yield Reason("no-such-card", r.BADGES_REFILL, text)
            else:
                text = "That badge was earned, and the badge deck is empty."
                yield Reason("no-such-card", r.BADGE_DECK_EMPTY, text)
        elif not has_unseen_copy(self.badge, known_badges(state, seat)):
            yield all_copies_seen_reason(self.badge)

    def apply(self, state: State, seat: int) -> State:
        cards = list(state.face_up(self.end))
        cards[cards.index(self.instead)] = self.badge
        return clear_contradicted_notes(with_face_up(state, self.end, tuple(cards)), self.badge)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameCard"]:
        if state.is_over:
            return
        known = known_badges(state, seat)
        for end in END_NAMES:
            if None in state.face_up(end):
                yield from (cls(end, card) for card in BADGES if has_unseen_copy(card, known))

    def variants(self, state: State, seat: int) -> Iterator["NameCard"]:
        """Yield each badge in the same place."""
        return (replace(self, badge=badge) for badge in BADGES)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(badge_title(self.badge), icon="badge")

    def log_text(self, state: State, seat: int) -> str:
        place, title = END_NAMES[self.end], badge_title(self.badge)
        if self.instead:
            return f"Badge at {place}: {title}, not {badge_title(self.instead)}"
        return f"New badge at {place}: {title}"


class PhotoMove(Move[StateT]):
    """A move that enters the points and birds on a photo."""

    points: int
    birds: int

    @property
    def photo(self) -> Photo:
        return Photo(self.points, self.birds)

    @classmethod
    def candidates(cls, state: StateT, seat: int) -> Iterator[Self]:
        return (cls(photo.points, photo.birds) for photo in PHOTO_FACES)

    def label(self, state: StateT, seat: int) -> MoveLabel:
        return MoveLabel(describe_photo(self.photo), icon="photo")


class NameFaceUpPhoto(PhotoMove[State], tag="name-photo-up"):
    """Enter the face-up photo on top of the discard pile, or correct it."""

    title = "Enter the top discarded photo"
    names_player = False
    rules = (r.PHOTO_FACE_UP, r.PHOTO_FACES, r.LAST_ROUND)
    out_of_turn = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.is_over:
            yield Reason("play-over", r.LAST_ROUND, "The game is over. Discarded photos no longer matter.")
        elif not state.photo_discard:
            yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, "The photo discard pile is empty.")
        elif state.photo_up == self.photo:
            yield Reason(
                "no-change", r.PHOTO_FACE_UP, "That has already been entered. Choose what the photo really shows."
            )
        yield from photo_face_errors(self.photo)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, photo_up=self.photo)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        if state.photo_discard and not state.is_over:
            yield from (move for move in super().candidates(state, seat) if move.photo != state.photo_up)

    def log_text(self, state: State, seat: int) -> str:
        old_text = f" (not {describe_photo(state.photo_up)})" if state.photo_up else ""
        return f"Top discarded photo: {describe_photo(self.photo)}{old_text}"


class NoteHand(Move[State], tag="note-hand"):
    """Enter the badge in your hand on your own phone, so that it can show what you can earn."""

    title = "Enter your hand badge"
    names_player = False
    rules = (r.SETUP_HAND, r.HAND_SECRET, r.HAND_REFILL, r.BADGE_COPIES, r.BADGE_DECK_EMPTY)
    out_of_turn = True
    is_secret = True

    badge: str | None  # None: clear it

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].hand == NO_CARD:
            yield empty_hand_reason(state)
        elif self.badge is None:
            return
        elif self.badge not in BADGES:
            yield unknown_badge_reason(self.badge)
        elif state.visible_copies(self.badge) >= BADGES[self.badge].copies:
            yield all_copies_seen_reason(self.badge)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=self.badge)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteHand"]:
        if state.is_over or state.players[seat].hand == NO_CARD:
            return
        for card in BADGES:
            if state.visible_copies(card) < BADGES[card].copies:
                yield cls(card)

    def label(self, state: State, seat: int) -> MoveLabel:
        return MoveLabel(badge_title(self.badge) if self.badge else "Clear my hand badge", icon="secret")

    def log_text(self, state: State, seat: int) -> str:
        return (
            f"{state.players[seat].name}\u2019s hand badge: {badge_title(self.badge) if self.badge else 'not entered'}"
        )


class NotePhoto(PhotoMove[State], tag="note-photo"):
    """Enter one of your photos: a private note during play, revealed after the end."""

    title = "Enter your photo"
    names_player = False
    resolves = ("reveal",)
    rules = (r.PHOTO_FACES, r.PHOTO_SECRET, r.REVEAL)
    out_of_turn = True
    is_secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if None not in state.players[seat].photos:
            yield Reason("photos-named", r.PHOTO_SECRET, "All your photos are entered. Re-enter them to change one.")
        yield from photo_face_errors(self.photo)

    def apply(self, state: State, seat: int) -> State:
        photos = list(state.players[seat].photos)
        if None not in photos:  # Logs of older versions may enter a photo that is already known.
            return state
        photos[photos.index(None)] = self.photo
        return state.with_player(seat, photos=tuple(photos))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator[Self]:
        return super().candidates(state, seat) if None in state.players[seat].photos else iter(())

    def log_text(self, state: State, seat: int) -> str:
        return f"{state.players[seat].name}\u2019s photo: {describe_photo(self.photo)}"


def photo_face_errors(photo: Photo) -> Iterator[Reason]:
    """Yield objections to the points and birds of a photo."""
    if not (0 <= photo.points <= MAX_PHOTO_POINTS and 0 <= photo.birds <= MAX_PHOTO_BIRDS):
        text = f"A photo shows 0 to {MAX_PHOTO_POINTS} points and 0 to {MAX_PHOTO_BIRDS} birds. Check the numbers."
        yield Reason("photo-faces", r.PHOTO_FACES, text)


class ForgetPhotos(Move[State], tag="forget-photos"):
    """Clear the notes on your photos, to enter them again."""

    title = "Re-enter your photos"
    fixed_label = MoveLabel("Re-enter my photos", icon="undo")
    fixed_log_text = "cleared the photos entered so far"
    rules = (r.PHOTO_SECRET,)
    out_of_turn = True
    is_secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not any(state.players[seat].photos):
            yield Reason("no-notes", r.PHOTO_SECRET, "You have not entered a photo yet.")

    def apply(self, state: State, seat: int) -> State:
        photos = state.players[seat].photos
        return state.with_player(seat, photos=(None,) * len(photos), revealed=False)
