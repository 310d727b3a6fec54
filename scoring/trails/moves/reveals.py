"""What people tell the app outside a turn: cards they see, their own secrets, corrections, rulings."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, MOST_BIRDS, MOST_POINTS, PHOTO_FACES
from scoring.trails.moves.badges import all_seen, forget_impossible, hand_empty, no_such_badge, with_face_up
from scoring.trails.state import GONE, End, Photo, State
from scoring.trails.text import ENDS, badge, photo
from scoring.trails.turn import known_to, may_lie


class NameCard(Move, tag="name-card"):
    """Name a face-up badge at an end of the Trail; `instead` mends a wrong name."""

    sign = "badge"
    rules = (r.SETUP_BADGES, r.BADGE_COPIES)
    anytime = True

    end: End
    badge: str
    instead: str | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; the cards at the ends no longer matter.")
        elif self.badge not in BADGES:
            yield no_such_badge(self.badge)
        elif self.instead not in state.face_up(self.end):
            which = "without a name" if self.instead is None else f"called \u201c{self.instead}\u201d"
            yield Reason("no-such-card", r.SETUP_BADGES, f"No card {which} lies at {ENDS[self.end]}.")
        elif self.instead == GONE:
            if state.badge_deck:
                text = "That card has been earned; the next comes at the end of the turn."
                yield Reason("no-such-card", r.BADGES_REFILL, text)
            else:
                yield Reason(
                    "no-such-card", r.BADGE_DECK_EMPTY, "That card has been earned, and no badge is left to draw."
                )
        elif not may_lie(self.badge, known_to(state, seat)):
            yield all_seen(self.badge)

    def apply(self, state: State, seat: int) -> State:
        cards = list(state.face_up(self.end))
        cards[cards.index(self.instead)] = self.badge
        return forget_impossible(with_face_up(state, self.end, tuple(cards)), self.badge)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameCard"]:
        if state.over:
            return
        known = known_to(state, seat)
        for end in ENDS:
            if None in state.face_up(end):
                yield from (cls(end, card) for card in BADGES if may_lie(card, known))

    def label(self, state: State, seat: int) -> str:
        return badge(self.badge)

    def told(self, state: State, seat: int) -> str:
        instead = f", not {badge(self.instead)}" if self.instead else ""
        return f"sees {badge(self.badge)}{instead} at {ENDS[self.end]}"


class NamePhotoUp(Move, tag="name-photo-up"):
    """Name the photo that lies face up on top of the discard pile, or mend its name."""

    sign = "photo"
    rules = (r.PHOTO_FACE_UP, r.PHOTO_FACES)
    anytime = True

    points: int
    birds: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; the photos that were discarded no longer matter.")
        elif not state.photo_discard:
            yield Reason("no-face-up-photo", r.PHOTO_FACE_UP, "No photo lies face up.")
        elif state.photo_up == Photo(self.points, self.birds):
            yield Reason("no-change", r.PHOTO_FACE_UP, "The app has it so already.")
        yield from photo_faults(self.points, self.birds)

    def apply(self, state: State, seat: int) -> State:
        return replace(state, photo_up=Photo(self.points, self.birds))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NamePhotoUp"]:
        if state.photo_discard and not state.over:
            yield from (cls(points, birds) for points, birds in PHOTO_FACES if state.photo_up != Photo(points, birds))

    def label(self, state: State, seat: int) -> str:
        return photo(self.points, self.birds)

    def told(self, state: State, seat: int) -> str:
        was = state.photo_up
        instead = f", not {photo(was.points, was.birds)}," if was else ""
        return f"sees {photo(self.points, self.birds)}{instead} on the face-up photo"


class NoteHand(Move, tag="note-hand"):
    """Tell your own phone which badge you hold, so that it can say what you can earn."""

    sign = "secret"
    rules = (r.SETUP_HAND, r.HAND_SECRET)
    anytime = True
    secret = True

    badge: str | None  # None: forget it

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].hand == GONE:
            yield hand_empty(state)
        elif self.badge is None:
            return
        elif self.badge not in BADGES:
            yield no_such_badge(self.badge)
        elif state.seen(self.badge) >= BADGES[self.badge].copies:
            yield all_seen(self.badge)

    def apply(self, state: State, seat: int) -> State:
        return state.with_player(seat, hand=self.badge)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NoteHand"]:
        if state.over or state.players[seat].hand == GONE:
            return
        for card in BADGES:
            if state.seen(card) < BADGES[card].copies:
                yield cls(card)

    def label(self, state: State, seat: int) -> str:
        return badge(self.badge) if self.badge else "Forget my hand badge"

    def told(self, state: State, seat: int) -> str:
        return f"noted {badge(self.badge)} in hand" if self.badge else "took the hand note back"


class NotePhoto(Move, tag="note-photo"):
    """Say what one of your photos shows: a private note while playing, the reveal afterwards."""

    answers = ("reveal",)
    sign = "photo"
    rules = (r.PHOTO_FACES, r.PHOTO_SECRET, r.REVEAL)
    anytime = True
    secret = True

    points: int
    birds: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if None not in state.players[seat].photos:
            yield Reason("photos-named", r.PHOTO_SECRET, "All your photos are named already.")
        yield from photo_faults(self.points, self.birds)

    def apply(self, state: State, seat: int) -> State:
        photos = list(state.players[seat].photos)
        if None not in photos:  # a log of before told a face that is known by now
            return state
        photos[photos.index(None)] = Photo(self.points, self.birds)
        return state.with_player(seat, photos=tuple(photos))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NotePhoto"]:
        if None in state.players[seat].photos:
            for points, birds in PHOTO_FACES:
                yield cls(points, birds)

    def label(self, state: State, seat: int) -> str:
        return photo(self.points, self.birds)

    def told(self, state: State, seat: int) -> str:
        return f"noted a photo: {photo(self.points, self.birds)}"


def photo_faults(points: int, birds: int) -> Iterator[Reason]:
    """Yield what speaks against a photo that shows this."""
    if not (0 <= points <= MOST_POINTS and 0 <= birds <= MOST_BIRDS):
        text = f"A photo shows 0 to {MOST_POINTS} points and 0 to {MOST_BIRDS} birds."
        yield Reason("photo-faces", r.PHOTO_FACES, text)


class ForgetPhotos(Move, tag="forget-photos"):
    """Take back what you said of your photos, to name them anew."""

    sign = "undo"
    rules = (r.PHOTO_SECRET,)
    anytime = True
    secret = True

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if not any(state.players[seat].photos):
            yield Reason("no-notes", r.PHOTO_SECRET, "You have not named a photo yet.")

    def apply(self, state: State, seat: int) -> State:
        photos = state.players[seat].photos
        return state.with_player(seat, photos=(None,) * len(photos), revealed=False)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["ForgetPhotos"]:
        if any(state.players[seat].photos):
            yield cls()

    def label(self, state: State, seat: int) -> str:
        return "Name my photos anew"

    def told(self, state: State, seat: int) -> str:
        return "took the photo notes back"
