"""Final-position documents of TRAILS, from files and forms."""

from collections import Counter
from typing import Annotated

from msgspec import Struct

from scoring.kernel.parsing import (
    check_range,
    error_at,
    read_names,
    read_players,
    read_rulings,
    read_word,
    schema_only,
)
from scoring.trails import rules as r
from scoring.trails.box import BADGES, MAX_PHOTO_BIRDS, MAX_PHOTO_POINTS, PHOTOS_IN_BOX
from scoring.trails.points import FinalPlayer, FinalPosition
from scoring.trails.state import Photo

PLAYER_COUNTS = (2, 3, 4)


class PhotoDocument(Struct, forbid_unknown_fields=True):
    """A photo card of a final-position document."""

    points: Annotated[int, schema_only(minimum=0, maximum=MAX_PHOTO_POINTS)] = 0
    birds: Annotated[int, schema_only(minimum=0, maximum=MAX_PHOTO_BIRDS)] = 0


class PlayerDocument(Struct, forbid_unknown_fields=True):
    """A player of a final-position document."""

    name: str
    badges: list[Annotated[str, schema_only(enum=list(BADGES))]] = []
    photos: list[PhotoDocument] = []


def read_final_position(document: dict) -> FinalPosition:
    """Return the input for scoring from a final-position document.

    :raises InvalidInputError: with one line that names the place of the error and the nearest valid value.
    """
    players = read_players(document, PlayerDocument, PLAYER_COUNTS)
    rulings = read_rulings(document, r.RULINGS)
    used: Counter[str] = Counter()
    photos = 0
    finals = []
    for path, name, player in read_names(players):
        for index, badge in enumerate(player.badges):
            _check_badge(badge, f"{path}.badges[{index}]", used)
        for index, photo in enumerate(player.photos):
            _check_photo(photo, f"{path}.photos[{index}]")
        photos += len(player.photos)
        if photos > PHOTOS_IN_BOX:
            raise error_at(f"{path}.photos", f"the box has {PHOTOS_IN_BOX} photos; with these there would be {photos}")
        final_photos = tuple(Photo(photo.points, photo.birds) for photo in player.photos)
        finals.append(FinalPlayer(name, tuple(player.badges), final_photos))
    return FinalPosition(tuple(finals), rulings)


def _check_badge(badge: str, path: str, used: Counter[str]) -> None:
    read_word(badge, BADGES, path, "badge")
    used[badge] += 1
    copies = BADGES[badge].copies
    if used[badge] > copies:
        raise error_at(path, f'the box has {copies} "{badge}"; this would be number {used[badge]}')


def _check_photo(photo: PhotoDocument, path: str) -> None:
    for field, value, most in (("points", photo.points, MAX_PHOTO_POINTS), ("birds", photo.birds, MAX_PHOTO_BIRDS)):
        check_range(value, 0, most, f"{path}.{field}", f"a photo shows 0 to {most} {field}")
