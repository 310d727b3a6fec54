"""Score entry for TRAILS: players enter their badges and photos at the end of a game."""

from collections.abc import Iterator

from scoring.kernel.move import Move, MoveLabel
from scoring.kernel.rule import Reason
from scoring.kernel.score_entry import ScoreEntryPlayer, ScoreEntrySetup, ScoreEntryState, make_done_moves
from scoring.trails import rules as r
from scoring.trails.box import BADGES, PHOTOS_IN_BOX, Photo
from scoring.trails.moves.badges import all_copies_seen_reason, unknown_badge_reason
from scoring.trails.moves.corrections import Adopt
from scoring.trails.moves.reveals import PhotoMove, photo_face_errors
from scoring.trails.points import FinalPlayer, FinalPosition
from scoring.trails.text import badge_title, describe_photo


class EntryPlayer(ScoreEntryPlayer, frozen=True):
    """The cards that one player has entered so far."""

    badges: tuple[str, ...] = ()
    photos: tuple[Photo, ...] = ()


class EntryState(ScoreEntryState, frozen=True):
    """The cards entered so far for a game that was not tracked."""

    players: tuple[EntryPlayer, ...]
    rulings: dict[str, str] = {}


def start(setup: ScoreEntrySetup) -> EntryState:
    return EntryState(tuple(EntryPlayer(name) for name in setup.players), setup.rulings)


def final_position(state: EntryState) -> FinalPosition:
    return FinalPosition(
        tuple(FinalPlayer(player.name, player.badges, player.photos) for player in state.players), state.rulings
    )


PARTS = ("badges", "photos", "all")  # the parts of score entry, shown one at a time on a phone


def current_part(state: EntryState, seat: int, draft: dict[str, str]) -> str:
    """Return the part of score entry that a phone shows."""
    return draft.get("part", "") if draft.get("part") in PARTS else PARTS[0]


VIEW_HELPERS = {"current_part": current_part}


class AddBadge(Move[EntryState], tag="add-badge"):
    """Add one of your badges to the sheet."""

    title = "Add a badge"
    rules = (r.SCORE_BADGES, r.BADGE_COPIES)

    badge: str

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.badge not in BADGES:
            yield unknown_badge_reason(self.badge)
        elif sum(player.badges.count(self.badge) for player in state.players) >= BADGES[self.badge].copies:
            yield all_copies_seen_reason(self.badge)

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, badges=(*state.players[seat].badges, self.badge))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["AddBadge"]:
        return map(cls, BADGES)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(badge_title(self.badge), icon="badge")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"added {badge_title(self.badge)}"


class RemoveBadge(Move[EntryState], tag="remove-badge"):
    """Remove one of your badges from the sheet."""

    title = "Remove a badge"
    rules = (r.SCORE_BADGES,)

    badge: str

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.badge not in state.players[seat].badges:
            badge = badge_title(self.badge) if self.badge in BADGES else f"\u201c{self.badge}\u201d"
            yield Reason("not-yours", r.SCORE_BADGES, f"{badge} is not on your sheet.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        badges = list(state.players[seat].badges)
        badges.remove(self.badge)
        return state.with_player(seat, badges=tuple(badges))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["RemoveBadge"]:
        return map(cls, dict.fromkeys(state.players[seat].badges))

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Remove {badge_title(self.badge)}", icon="minus")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"removed {badge_title(self.badge)}"


class AddPhoto(PhotoMove[EntryState], tag="add-photo"):
    """Add one of your photos to the sheet."""

    title = "Add a photo"
    rules = (r.SCORE_PHOTOS, r.PHOTO_COUNT)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        yield from photo_face_errors(self.photo)
        if sum(len(player.photos) for player in state.players) >= PHOTOS_IN_BOX:
            yield Reason(
                "photo-count", r.PHOTO_COUNT, f"All {PHOTOS_IN_BOX} photos of the box are entered. Remove one first."
            )

    def apply(self, state: EntryState, seat: int) -> EntryState:
        return state.with_player(seat, photos=(*state.players[seat].photos, self.photo))

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"added a photo: {describe_photo(self.photo)}"


class RemovePhoto(PhotoMove[EntryState], tag="remove-photo"):
    """Remove one of your photos from the sheet."""

    title = "Remove a photo"
    rules = (r.SCORE_PHOTOS,)

    def objections(self, state: EntryState, seat: int) -> Iterator[Reason]:
        if self.photo not in state.players[seat].photos:
            yield Reason("not-yours", r.SCORE_PHOTOS, "That photo is not on your sheet.")

    def apply(self, state: EntryState, seat: int) -> EntryState:
        photos = list(state.players[seat].photos)
        photos.remove(self.photo)
        return state.with_player(seat, photos=tuple(photos))

    @classmethod
    def candidates(cls, state: EntryState, seat: int) -> Iterator["RemovePhoto"]:
        for photo in dict.fromkeys(state.players[seat].photos):
            yield cls(photo.points, photo.birds)

    def label(self, state: EntryState, seat: int) -> MoveLabel:
        return MoveLabel(f"Remove photo: {describe_photo(self.photo)}", icon="minus")

    def log_text(self, state: EntryState, seat: int) -> str:
        return f"removed a photo: {describe_photo(self.photo)}"


Done, Reopen = make_done_moves(r.SCORE_TOTAL)

MOVES = (AddBadge, RemoveBadge, AddPhoto, RemovePhoto, Done, Reopen, Adopt)
