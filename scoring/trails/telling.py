"""What people tell the app outside a turn: cards they see, their own secrets, corrections, rulings."""

from collections.abc import Iterator

from msgspec.structs import replace

from scoring.kernel.move import Move, adopting, chosen
from scoring.kernel.rule import Reason
from scoring.trails import rules as r
from scoring.trails.box import BADGES, RESOURCES_OF_EACH
from scoring.trails.earning import all_seen, forget_impossible, no_such_badge, with_face_up
from scoring.trails.state import GONE, RESOURCES, TRAIL_END, TRAILHEAD, End, MoveSun, Photo, Site, State
from scoring.trails.turn import unseen, unseen_badges
from scoring.trails.words import ENDS, badge, place

MOST_POINTS = MOST_BIRDS = 2  # on one photo
MOST_CUBES = 99  # of a kind with one player, where stand-ins are played


class NameCard(Move):
    """Name a face-up badge at an end of the Trail; `instead` mends a wrong name."""

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
            yield Reason("no-such-card", r.BADGES_REFILL, "That card has been earned; the next comes at the end of the turn.")
        elif not unseen(state, seat, self.badge):
            yield all_seen(self.badge)

    def apply(self, state: State, seat: int) -> State:
        cards = list(state.face_up(self.end))
        cards[cards.index(self.instead)] = self.badge
        return forget_impossible(with_face_up(state, self.end, tuple(cards)), self.badge)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NameCard"]:
        if state.over:
            return
        for end in ENDS:
            if None in state.face_up(end):
                for card in unseen_badges(state, seat):
                    yield cls(end, card)

    def label(self, state: State, seat: int) -> str:
        return badge(self.badge)

    def icon(self, state: State, seat: int) -> str:
        return "badge"

    def told(self, state: State, seat: int) -> str:
        instead = f", not {badge(self.instead)}" if self.instead else ""
        return f"sees {badge(self.badge)}{instead} at {ENDS[self.end]}"


class NoteHand(Move):
    """Tell your own phone which badge you hold, so that it can say what you can earn."""

    rules = (r.SETUP_HAND, r.HAND_SECRET)
    anytime = True
    secret = True

    badge: str | None  # None: forget it

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.players[seat].hand == GONE:
            yield Reason("hand-empty", r.HAND_REFILL, "You draw a new hand badge at the end of the turn.")
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

    def icon(self, state: State, seat: int) -> str:
        return "secret"

    def told(self, state: State, seat: int) -> str:
        return f"noted {badge(self.badge)} in hand" if self.badge else "took the hand note back"


class NotePhoto(Move):
    """Say what one of your photos shows: a private note while playing, the reveal afterwards."""

    answers = ("reveal",)
    rules = (r.PHOTO_FACES, r.PHOTO_SECRET, r.REVEAL)
    anytime = True
    secret = True

    points: int
    birds: int

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if None not in state.players[seat].photos:
            yield Reason("photos-named", r.PHOTO_SECRET, "All your photos are named already.")
        if not (0 <= self.points <= MOST_POINTS and 0 <= self.birds <= MOST_BIRDS):
            yield Reason("photo-faces", r.PHOTO_FACES, "A photo shows 0 to 2 points and 0 to 2 birds.")

    def apply(self, state: State, seat: int) -> State:
        photos = list(state.players[seat].photos)
        photos[photos.index(None)] = Photo(self.points, self.birds)
        return state.with_player(seat, photos=tuple(photos))

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterator["NotePhoto"]:
        if None in state.players[seat].photos:
            for points, birds in ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0), (2, 1), (1, 2), (2, 2)):
                yield cls(points, birds)

    def label(self, state: State, seat: int) -> str:
        return photo_words(self.points, self.birds)

    def icon(self, state: State, seat: int) -> str:
        return "photo"

    def told(self, state: State, seat: int) -> str:
        return f"noted a photo: {photo_words(self.points, self.birds)}"


class ForgetPhotos(Move):
    """Take back what you said of your photos, to name them anew."""

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

    def icon(self, state: State, seat: int) -> str:
        return "undo"

    def told(self, state: State, seat: int) -> str:
        return "took the photo notes back"


class CorrectPlayer(Move):
    """Set a player's side right: cubes, canteen, hiker. Only the fields given change."""

    rules = (r.COMPONENTS,)
    anytime = True
    consent = True

    player: int
    acorn: int | None = None
    leaf: int | None = None
    rock: int | None = None
    canteen: bool | None = None
    space: int | None = None
    facing: int | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; cubes and hikers no longer matter.")
            return
        if not 0 <= self.player < len(state.players):
            yield Reason("no-such-player", r.PLAYERS, "There is no such player at this table.")
            return
        after = self.apply(state, seat)
        player = after.players[self.player]
        limited = chosen(state.rulings, r.CUBE_SUPPLY) == "limited"
        for number, kind in enumerate(RESOURCES):
            if player.cubes[number] < 0:
                yield Reason("box-counts", r.COMPONENTS, f"Nobody can have fewer than no {kind}.")
            elif limited and after.held(number) > max(RESOURCES_OF_EACH, state.held(number)):
                yield Reason("box-counts", r.COMPONENTS, f"The box has {RESOURCES_OF_EACH} {kind}; that would be more.")
            elif player.cubes[number] > MOST_CUBES:
                yield Reason("box-counts", r.RESOURCE_SUPPLY, f"Nobody can have more than {MOST_CUBES} {kind}.")
        if not TRAILHEAD <= player.at <= TRAIL_END:
            yield Reason("no-such-space", r.SETUP_SITES, "The Trail has seven tiles.")
        elif player.facing not in (1, -1):
            yield Reason("no-such-way", r.HIKE_FACING, "A hiker faces the Trailhead or Trail End.")
        elif (player.at, player.facing) in ((TRAILHEAD, -1), (TRAIL_END, 1)):
            yield Reason("faces-away", r.TURN_AROUND, f"At {place(state, player.at)} a hiker faces the Trail.")
        if after == state:
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        old = state.players[self.player]
        given = (self.acorn, self.leaf, self.rock)
        return state.with_player(
            self.player,
            cubes=tuple(old.cubes[k] if given[k] is None else given[k] for k in range(3)),
            canteen=old.canteen if self.canteen is None else self.canteen,
            at=old.at if self.space is None else self.space,
            facing=old.facing if self.facing is None else self.facing,
        )

    def label(self, state: State, seat: int) -> str:
        return f"Correct {state.players[self.player].name}: {self._what(state)}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had {state.players[self.player].name} corrected: {self._what(state)}"

    def _what(self, state: State) -> str:
        given = zip((self.acorn, self.leaf, self.rock), RESOURCES, strict=True)
        parts = [f"{number} {kind}" for number, kind in given if number is not None]
        if self.canteen is not None:
            parts.append(f"canteen {'full' if self.canteen else 'empty'}")
        if self.space is not None and TRAILHEAD <= self.space <= TRAIL_END:
            parts.append(f"at {place(state, self.space)}")
        if self.facing is not None:
            parts.append(f"facing {ENDS['trail-end' if self.facing == 1 else 'trailhead']}")
        return ", ".join(parts) or "nothing"


class CorrectTable(Move):
    """Set the shared table right: where the bear stands, how far the Sun has moved."""

    rules = (r.SUN_MOVES, r.BEAR_DIE)
    anytime = True
    consent = True

    bear: Site | None = None
    sun: int | None = None

    def objections(self, state: State, seat: int) -> Iterator[Reason]:
        if state.over:
            yield Reason("play-over", r.LAST_ROUND, "Play is over; bear and Sun no longer matter.")
            return
        if self.sun is not None:
            last = len(state.path) - 1
            if state.sun_holder is not None:
                yield Reason("sun-taken", r.END_TRIGGER, "The Sun has been taken; it no longer moves.")
            elif not 0 <= self.sun <= last:
                yield Reason("no-such-spot", r.SETUP_TRACK, f"The Sun moves {last} spaces in all.")
            elif self.sun == last and any(isinstance(task, MoveSun) for task in state.tasks):
                yield Reason("sun-to-move", r.SUN_MOVES, "The Sun is still to move this turn; set it after that.")
        if self.apply(state, seat) == state:
            yield Reason("no-change", r.COMPONENTS, "The app has it so already.")

    def apply(self, state: State, seat: int) -> State:
        return replace(
            state,
            bear=state.bear if self.bear is None else self.bear,
            sun=state.sun if self.sun is None else self.sun,
        )

    def label(self, state: State, seat: int) -> str:
        return f"Correct the table: {self._what()}"

    def icon(self, state: State, seat: int) -> str:
        return "pen"

    def told(self, state: State, seat: int) -> str:
        return f"had the table corrected: {self._what()}"

    def _what(self) -> str:
        bear = [f"bear on the {self.bear} site"] if self.bear else []
        return ", ".join(bear + ([f"Sun moved {self.sun} spaces"] if self.sun is not None else [])) or "nothing"


Adopt = adopting(r.RULINGS)


def photo_words(points: int, birds: int) -> str:
    """Return a photo's face in words: "1 point, 1 bird"."""
    parts = [f"{points} point{'s' * (points != 1)}"] if points or not birds else []
    return ", ".join(parts + ([f"{birds} bird{'s' * (birds != 1)}"] if birds else []))
