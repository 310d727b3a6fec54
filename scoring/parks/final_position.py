"""PARKS as a final-position document: what a file or a form says of a finished game."""

from typing import get_args

from msgspec import Struct

from scoring.kernel.documents import at, name_fault, quoted, read, read_name, read_players, read_rulings, unknown
from scoring.parks import rules as r
from scoring.parks.box import (
    END_COUNTS,
    GEAR_NAMES,
    MOST_OF_A_TOKEN,
    MOST_PHOTOS,
    MOST_POINTS,
    PARKS,
    PASSIONS,
    TOKENS,
    Side,
)
from scoring.parks.points import ChosenPassion, Final, FinalPlayer, OwnGear, OwnPark

SEATS = (2, 3, 4, 5)
FALLS = ("sun", "water", "forest", "mountain")


class _PlayerIn(Struct, forbid_unknown_fields=True):
    name: str
    parks: list = []
    photos: int = 0
    gear: list = []
    first_hiker: bool = False
    passion: dict | None = None


def read_final(document: dict) -> Final:
    """Return what scoring needs from a final-position document.

    :raises Malformed: one line that names the place of the fault and the nearest right value.
    """
    players = read_players(document, _PlayerIn, SEATS, ("fall",))
    rulings = read_rulings(document, r.RULINGS)
    fall = document.get("fall")
    if fall is not None and fall not in FALLS:
        raise unknown("fall", "Fall tile", fall, FALLS)
    names: set[str] = set()
    parks: set[str] = set()
    passions: set[str] = set()
    finals: list[FinalPlayer] = []
    for number, player in enumerate(players):
        place = f"players[{number}]"
        finals.append(
            FinalPlayer(
                name=read_name(player.name, f"{place}.name", names),
                parks=tuple(_park(park, f"{place}.parks[{index}]", parks) for index, park in enumerate(player.parks)),
                photos=_photos(player.photos, f"{place}.photos", finals),
                gear=tuple(_gear(card, f"{place}.gear[{index}]") for index, card in enumerate(player.gear)),
                first_hiker=_first_hiker(player.first_hiker, f"{place}.first_hiker", finals),
                passion=_passion(player.passion, f"{place}.passion", passions),
            )
        )
    return Final(tuple(finals), fall, rulings)


def _once(name: str, place: str, noun: str, taken: set[str]) -> None:
    if name.casefold() in taken:
        raise at(place, f'the {noun} "{quoted(name)}" is named already')
    taken.add(name.casefold())


def _own_name(name: str, place: str, noun: str, box: tuple[str, ...]) -> str:
    """Return the trimmed name of a card that is not in the box."""
    trimmed = name.strip()
    if fault := name_fault(trimmed):
        raise at(place, fault)
    if known := next((known for known in box if known.casefold() == trimmed.casefold()), None):
        raise at(place, f'the box has a {noun} "{known}"; name it by that alone, or choose another name')
    return trimmed


def _park(park: object, place: str, taken: set[str]) -> str | OwnPark:
    if isinstance(park, str):
        if park not in PARKS:
            raise unknown(place, "park", park, PARKS)
        _once(park, place, "park", taken)
        return park
    own = read(park, OwnPark, place)
    name = _own_name(own.name, f"{place}.name", "park", tuple(PARKS))
    _once(name, f"{place}.name", "park", taken)
    _in_range(own.points, MOST_POINTS, f"{place}.points", "a park has 0 to 20 points")
    for token, due in own.cost.items():
        if token not in TOKENS:
            raise unknown(f"{place}.cost", "token", token, TOKENS)
        _in_range(due, MOST_OF_A_TOKEN, f"{place}.cost.{token}", "a park costs 0 to 9 of each token")
    return OwnPark(name, own.points, {token: own.cost[token] for token in TOKENS if own.cost.get(token)}, own.instant)


def _in_range(number: int, most: int, place: str, text: str) -> None:
    if not 0 <= number <= most:
        raise at(place, f"{text}, not {quoted(number)}; did you mean {min(max(number, 0), most)}?")


def _gear(card: object, place: str) -> str | OwnGear:
    if isinstance(card, str):
        if card not in GEAR_NAMES:
            raise unknown(place, "gear", card, GEAR_NAMES)
        return card
    return OwnGear(_own_name(read(card, OwnGear, place).name, f"{place}.name", "gear card", GEAR_NAMES))


def _photos(photos: int, place: str, before: list[FinalPlayer]) -> int:
    if photos < 0:
        raise at(place, f"nobody has fewer than no photos, not {quoted(photos)}; did you mean 0?")
    total = photos + sum(player.photos for player in before)
    if total > MOST_PHOTOS:
        raise at(place, f"there are at most {MOST_PHOTOS} photos in all; with these there would be {quoted(total)}")
    return photos


def _first_hiker(has: bool, place: str, before: list[FinalPlayer]) -> bool:
    if has and any(player.first_hiker for player in before):
        raise at(place, "only one player has the First Hiker token")
    return has


def _passion(passion: dict | None, place: str, taken: set[str]) -> ChosenPassion | None:
    if passion is None:
        return None
    for key, noun, known in (("side", "side", get_args(Side)), ("scores", "thing to count", END_COUNTS)):
        if isinstance(passion.get(key), str) and passion[key] not in known:
            raise unknown(f"{place}.{key}", noun, passion[key], known)
    said = read(passion, ChosenPassion, place)
    if said.card not in PASSIONS:
        if said.scores is None:
            raise unknown(f"{place}.card", "passion", said.card, PASSIONS)
        said = ChosenPassion(
            _own_name(said.card, f"{place}.card", "passion", tuple(PASSIONS)), said.side, said.scores, said.each
        )
        if not 1 <= said.each <= MOST_OF_A_TOKEN:
            raise at(f"{place}.each", f"a point is for 1 to {MOST_OF_A_TOKEN} of something, not {quoted(said.each)}")
    elif said.scores is not None or said.each != 1:
        raise at(place, f"what {said.card} scores is known; leave it out")
    _once(said.card, f"{place}.card", "passion", taken)
    return said
