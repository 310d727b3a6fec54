"""The final-position document of PARKS, read from a file or a form."""

from typing import Annotated, Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from scoring.kernel.parsing import (
    check_range,
    error_at,
    name_error,
    quote_value,
    read_names,
    read_players,
    read_rulings,
    read_struct,
    read_word,
    schema_only,
)
from scoring.parks import rules as r
from scoring.parks.box import (
    END_COUNT_TEXTS,
    GEAR_NAMES,
    MAX_CARD_NUMBER,
    MAX_PARK_POINTS,
    MAX_TOTAL_PHOTOS,
    PARKS,
    PASSIONS,
    TOKENS,
    Side,
)
from scoring.parks.points import FinalCustomGear, FinalCustomPark, FinalPassion, FinalPlayer, FinalPosition

PLAYER_COUNTS = (2, 3, 4, 5)
FallTileToken = Literal["sun", "water", "forest", "mountain"]
FALL_TILE_TOKENS: tuple[FallTileToken, ...] = get_args(FallTileToken)
EXTRA_FIELDS: dict[str, Any] = {"fall": FallTileToken | None}  # fields of the document beside the common ones


_NAME: dict[str, Any] = {"type": "string"}
_POINTS: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_PARK_POINTS}
_COST: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_CARD_NUMBER}
_CUSTOM_PARK: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": _NAME,
        "points": _POINTS,
        "cost": {"type": "object", "properties": dict.fromkeys(TOKENS, _COST)},
        "instant": {"type": "boolean"},
    },
    "required": ["name"],
}
_CUSTOM_GEAR: dict[str, Any] = {"type": "object", "properties": {"name": _NAME}, "required": ["name"]}
_PASSION_FIELDS: dict[str, Any] = {
    "card": {"description": "A passion in the box, or the name of a custom one.", **_NAME},
    "side": {"enum": list(get_args(Side))},
    "scores": {"description": "What a custom passion counts.", "enum": [None, *END_COUNT_TEXTS]},
    "each": {
        "description": "How many of them score 1 point.",
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_CARD_NUMBER,
    },
}


# The lists are read item by item, so their items have no type here.
class PlayerDocument(Struct, forbid_unknown_fields=True):
    """A player of a final-position document."""

    name: str
    parks: Annotated[list, schema_only(items={"anyOf": [{"enum": list(PARKS)}, _CUSTOM_PARK]})] = []
    photos: Annotated[int, schema_only(minimum=0, maximum=MAX_TOTAL_PHOTOS)] = 0
    gear: Annotated[list, schema_only(items={"anyOf": [{"enum": list(GEAR_NAMES)}, _CUSTOM_GEAR]})] = []
    first_hiker: bool = False
    passion: Annotated[dict, schema_only(properties=_PASSION_FIELDS, required=["card", "side"])] | None = None


def read_final_position(document: dict) -> FinalPosition:
    """Return the scoring data of a final-position document.

    :raises InvalidInputError: if the document is invalid; the message names the place and the nearest valid value.
    """
    players = read_players(document, PlayerDocument, PLAYER_COUNTS, tuple(EXTRA_FIELDS))
    rulings = read_rulings(document, r.RULINGS)
    fall = document.get("fall")
    if fall is not None:
        read_word(fall, FALL_TILE_TOKENS, "fall", "Fall tile")
    parks: set[str] = set()
    passions: set[str] = set()
    finals: list[FinalPlayer] = []
    for place, name, player in read_names(players):
        finals.append(
            FinalPlayer(
                name=name,
                parks=tuple(
                    _read_park(park, f"{place}.parks[{index}]", parks) for index, park in enumerate(player.parks)
                ),
                photos=_read_photos(player.photos, f"{place}.photos", finals),
                gear=tuple(_read_gear(card, f"{place}.gear[{index}]") for index, card in enumerate(player.gear)),
                first_hiker=_read_first_hiker(player.first_hiker, f"{place}.first_hiker", finals),
                passion=_read_passion(player.passion, f"{place}.passion", passions),
            )
        )
    return FinalPosition(tuple(finals), fall, rulings)


def _check_unused(name: str, path: str, noun: str, taken: set[str]) -> None:
    if name.casefold() in taken:
        raise error_at(path, f'the {noun} "{quote_value(name)}" appears twice')
    taken.add(name.casefold())


def _read_custom_name(name: str, path: str, noun: str, box: tuple[str, ...]) -> str:
    """Return the trimmed name of a card that is not in the box.

    :raises InvalidInputError: if the name is invalid or belongs to a card of the box.
    """
    stripped = name.strip()
    if error := name_error(stripped):
        raise error_at(path, error)
    if known := next((known for known in box if known.casefold() == stripped.casefold()), None):
        raise error_at(path, f'the box already has the {noun} "{known}"; enter only its name, or choose another name')
    return stripped


def _read_park(park: object, path: str, taken: set[str]) -> str | FinalCustomPark:
    if isinstance(park, str):
        read_word(park, PARKS, path, "park")
        _check_unused(park, path, "park", taken)
        return park
    own = read_struct(park, FinalCustomPark, path)
    name = _read_custom_name(own.name, f"{path}.name", "park", tuple(PARKS))
    _check_unused(name, f"{path}.name", "park", taken)
    check_range(own.points, 0, MAX_PARK_POINTS, f"{path}.points", "a park has 0 to 20 points")
    for token, due in own.cost.items():
        read_word(token, TOKENS, f"{path}.cost", "Resource")
        check_range(due, 0, MAX_CARD_NUMBER, f"{path}.cost.{token}", "a park costs 0 to 9 of each Resource")
    return FinalCustomPark(
        name, own.points, {token: own.cost[token] for token in TOKENS if own.cost.get(token)}, own.instant
    )


def _read_gear(card: object, path: str) -> str | FinalCustomGear:
    if isinstance(card, str):
        read_word(card, GEAR_NAMES, path, "gear")
        return card
    return FinalCustomGear(
        _read_custom_name(read_struct(card, FinalCustomGear, path).name, f"{path}.name", "gear card", GEAR_NAMES)
    )


def _read_photos(photos: int, path: str, before: list[FinalPlayer]) -> int:
    if photos < 0:
        raise error_at(path, f"a player has 0 photos or more, not {quote_value(photos)}; did you mean 0?")
    total = photos + sum(player.photos for player in before)
    if total > MAX_TOTAL_PHOTOS:
        raise error_at(path, f"all players together have at most {MAX_TOTAL_PHOTOS} photos, not {quote_value(total)}")
    return photos


def _read_first_hiker(has_token: bool, path: str, before: list[FinalPlayer]) -> bool:
    if has_token and any(player.first_hiker for player in before):
        raise error_at(path, "only one player can have the First Hiker token")
    return has_token


def _read_passion(passion: dict | None, path: str, taken: set[str]) -> FinalPassion | None:
    if passion is None:
        return None
    for key, noun, known in (("side", "side", get_args(Side)), ("scores", "thing to count", END_COUNT_TEXTS)):
        if isinstance(passion.get(key), str):
            read_word(passion[key], known, f"{path}.{key}", noun)
    final_passion = read_struct(passion, FinalPassion, path)
    if final_passion.card not in PASSIONS:
        if final_passion.scores is None:
            read_word(final_passion.card, PASSIONS, f"{path}.card", "passion")
        name = _read_custom_name(final_passion.card, f"{path}.card", "passion", tuple(PASSIONS))
        final_passion = replace(final_passion, card=name)
        if not 1 <= final_passion.each <= MAX_CARD_NUMBER:
            raise error_at(
                f"{path}.each",
                f"1 to {MAX_CARD_NUMBER} of them score 1 point, not {quote_value(final_passion.each)}",
            )
    elif final_passion.scores is not None or final_passion.each != 1:
        raise error_at(path, f"remove scores and each; the box says what {final_passion.card} scores")
    _check_unused(final_passion.card, f"{path}.card", "passion", taken)
    return final_passion
