"""TRAILS as a final-position document: what a file or a form says of a finished game."""

from collections import Counter

from msgspec import Struct

from scoring.kernel.documents import at, quoted, read_name, read_players, read_rulings, unknown
from scoring.trails import rules as r
from scoring.trails.box import BADGES, MOST_BIRDS, MOST_POINTS, PHOTOS_IN_BOX
from scoring.trails.points import Final, FinalPlayer
from scoring.trails.state import Photo

SEATS = (2, 3, 4)


class _PhotoIn(Struct, forbid_unknown_fields=True):
    points: int = 0
    birds: int = 0


class _PlayerIn(Struct, forbid_unknown_fields=True):
    name: str
    badges: list[str] = []
    photos: list[_PhotoIn] = []


def read_final(document: dict) -> Final:
    """Return what scoring needs from a final-position document.

    :raises Malformed: one line that names the place of the fault and the nearest right value.
    """
    players = read_players(document, _PlayerIn, SEATS)
    rulings = read_rulings(document, r.RULINGS)
    names: set[str] = set()
    used: Counter[str] = Counter()
    photos = 0
    finals = []
    for number, player in enumerate(players):
        place = f"players[{number}]"
        name = read_name(player.name, f"{place}.name", names)
        for index, badge in enumerate(player.badges):
            _check_badge(badge, f"{place}.badges[{index}]", used)
        for index, photo in enumerate(player.photos):
            _check_photo(photo, f"{place}.photos[{index}]")
        photos += len(player.photos)
        if photos > PHOTOS_IN_BOX:
            raise at(f"{place}.photos", f"the box has {PHOTOS_IN_BOX} photos; with these there would be {photos}")
        shown = tuple(Photo(photo.points, photo.birds) for photo in player.photos)
        finals.append(FinalPlayer(name, tuple(player.badges), shown))
    return Final(tuple(finals), rulings)


def _check_badge(badge: str, place: str, used: Counter[str]) -> None:
    if badge not in BADGES:
        raise unknown(place, "badge", badge, BADGES)
    used[badge] += 1
    copies = BADGES[badge].copies
    if used[badge] > copies:
        raise at(place, f'the box has {copies} "{badge}"; this would be number {used[badge]}')


def _check_photo(photo: _PhotoIn, place: str) -> None:
    for field, value, most in (("points", photo.points, MOST_POINTS), ("birds", photo.birds, MOST_BIRDS)):
        if not 0 <= value <= most:
            nearest = min(max(value, 0), most)
            raise at(
                f"{place}.{field}", f"a photo shows 0 to {most} {field}, not {quoted(value)}; did you mean {nearest}?"
            )
