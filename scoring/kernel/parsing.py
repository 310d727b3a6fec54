"""Readers for typed or saved input whose errors name the place and the nearest valid value."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin
from unicodedata import category

import msgspec
from msgspec import Struct

from scoring.kernel.english import closest_match, describe_known_words, truncate
from scoring.kernel.errors import InvalidInputError

MAX_NAME_LENGTH = 40
UNPRINTABLE_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")  # control characters, surrogates, line and paragraph separators

StructT = TypeVar("StructT", bound=Struct)
WordT = TypeVar("WordT", bound=str)

# The first bytes of files that people may pick by mistake -> the kind of file.
FILE_SIGNATURES = {
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a compressed file (gzip)",
    b"\x89PNG": "a picture (PNG)",
    b"\xff\xd8\xff": "a photo (JPEG)",
    b"GIF8": "a picture (GIF)",
    b"RIFF": "a picture or a sound (RIFF)",
    b"BM": "a picture (BMP)",
    b"II*\0": "a picture (TIFF)",
    b"MM\0*": "a picture (TIFF)",
    b"%PDF": "a PDF",
    b"SQLite format 3\0": "a database",
    b"\xff\xfe": "a text file in UTF-16",
    b"\xfe\xff": "a text file in UTF-16",
}
NOT_UTF8 = "not a text file in UTF-8"
# Text found in files with markup -> the kind of file; the first match wins.
MARKUP_SIGNATURES = {
    "boardgamegeek": "a file of BoardGameGeek (XML)",
    "<plays": "a file of BoardGameGeek (XML)",
    "<html": "a web page",
    "<svg": "a picture (SVG)",
    "<": "an XML file",
}


def detect_binary_format(content: bytes) -> str:
    """Return the kind of a binary file by its first bytes, or an empty string."""
    if content[4:8] == b"ftyp":
        return "a photo or a video (HEIC or MP4)"
    return next((name for start, name in FILE_SIGNATURES.items() if content.startswith(start)), "")


def _detect_other_format(content: bytes) -> str:
    """Return the kind of a file that cannot be JSON in UTF-8, or an empty string."""
    if known := detect_binary_format(content):
        return f"{known}, {NOT_UTF8}"
    if b"\0" in content[:4]:
        return f"a text file in UTF-16, {NOT_UTF8}"
    text = content[:4000].decode(errors="replace").lstrip("\ufeff \r\n\t").casefold()
    return (
        f"{next(name for sign, name in MARKUP_SIGNATURES.items() if sign in text)}, not JSON"
        if text.startswith("<")
        else ""
    )


def _describe_json_error(text: str, error: str) -> str:
    """Return why a text is not JSON: it is empty, it is cut off, or the parser's error."""
    text = text.strip()
    if not text:
        return "the file is empty"
    return "the file is cut off" if text[0] in "{[" and text[-1] not in "]}" else error


def parse_json(content: bytes) -> object:
    """Return the decoded content of a JSON file.

    :raises InvalidInputError: with the kind of file it is instead, or the line and column of the error.
    """
    if foreign := _detect_other_format(content):
        raise InvalidInputError(f"this is {foreign}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(NOT_UTF8) from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInputError(
            f"not JSON at line {error.lineno}, column {error.colno}: {_describe_json_error(text, error.msg)}"
        ) from None
    except ValueError:
        raise InvalidInputError("a number in it has too many digits") from None
    except RecursionError:
        raise InvalidInputError("nested too deeply for a Waymark file") from None


def schema_only(**keywords: Any) -> msgspec.Meta:
    """Return an annotation that adds keywords to a JSON Schema only.

    Data is read as without it. It is for values that the reader checks with errors that name the nearest valid value.
    """
    return msgspec.Meta(extra_json_schema=keywords)


def error_at(path: str, text: str) -> InvalidInputError:
    """Return an error that names a place: `players[0].badges[2]: ...`."""
    return InvalidInputError(text, path)


def unknown_word_error(path: str, noun: str, word: object, known_words: Iterable[str]) -> InvalidInputError:
    """Return the error for an unknown word, with the nearest known one or a list."""
    known_words, quoted = list(known_words), quote_value(word)
    closest = closest_match(quoted, known_words)
    hint = f'did you mean "{closest}"?' if closest else describe_known_words(known_words)
    return error_at(path, f'no {noun} "{quoted}"; {hint}')


def read_word(word: object, known_words: Collection[WordT], path: str, noun: str) -> WordT:
    """Return a word that has to be one of the known ones.

    :raises InvalidInputError: when it is not, with the nearest known one or a list.
    """
    if word not in known_words:
        raise unknown_word_error(path, noun, word, known_words)
    return cast("WordT", word)


def quote_value(value: object) -> str:
    """Return a value as text for a one-line message, truncated if it is long."""
    match value:
        case str():
            text = value
        case dict():
            text = "{...}"
        case list():
            text = "[...]"
        case bool() | None:
            text = {True: "true", False: "false", None: "null"}[value]
        case int() if value.bit_length() > 64:
            text = "a huge number"
        case _:
            text = str(value)
    return "".join(
        repr(letter)[1:-1] if category(letter) in UNPRINTABLE_CATEGORIES else letter for letter in truncate(text)
    )


def read_struct(data: object, type: type[StructT], path: str = "", *, strict: bool = True) -> StructT:
    """Return plain data as a struct.

    :param strict: if false, numbers may also be given as text, as forms do.
    :raises InvalidInputError: naming the place and the expected value, also for unknown keys at any depth.
    """
    _refuse_unknown_keys(data, type, path)
    return convert_data(data, type, path, strict=strict)


_fields = cache(msgspec.structs.fields)


def _refuse_unknown_keys(data: object, type: Any, path: str) -> None:
    """Refuse a key that a struct does not have, at any depth of lists and unions."""
    for struct in filter(_is_struct, _choices(type)):
        for key in data if isinstance(data, dict) else ():
            read_word(key, struct.__struct_encode_fields__, path, "key")
    for part, part_type, part_path in _iter_parts(data, type, path):
        _refuse_unknown_keys(part, part_type, part_path)


def convert_data(data: object, type: Any, path: str = "", *, strict: bool = True, tag_noun: str = "kind") -> Any:
    """Return plain data as a value of a type, such as a struct or a union of structs.

    :param strict: if false, numbers may also be given as text, as forms do.
    :param tag_noun: what the tag of a struct names, for errors: "move".
    :raises InvalidInputError: naming the place and the nearest valid or the expected value.
    """
    try:
        return msgspec.convert(data, type, strict=strict)
    except CONVERSION_ERRORS as error:
        raise _locate_error(error, data, type, path, strict, tag_noun) from None


# A UnicodeEncodeError means half of a surrogate pair where another type than text is expected.
CONVERSION_ERRORS = (msgspec.ValidationError, UnicodeEncodeError)


def _locate_error(
    error: Exception, data: object, type: Any, path: str, strict: bool, tag_noun: str
) -> InvalidInputError:
    """Return the error of the first part that cannot be converted, or of the data itself."""
    for part, part_type, part_path in _iter_parts(data, type, path):
        try:
            msgspec.convert(part, part_type, strict=strict)
        except CONVERSION_ERRORS as part_error:
            return _locate_error(part_error, part, part_type, part_path, strict, tag_noun)
    return _describe_error(error, data, type, path, tag_noun)


def _iter_parts(data: object, type: Any, path: str) -> Iterator[tuple[object, Any, str]]:
    """Yield the parts of a list or an object, each with its type and its place."""
    for choice in _choices(type):
        arguments = get_args(choice)
        if isinstance(data, dict) and _is_struct(choice) and _has_tag(data, choice):
            for field in _fields(choice):
                if field.encode_name in data:
                    yield data[field.encode_name], field.type, _join_path(path, field.encode_name)
        elif isinstance(data, dict) and get_origin(choice) is dict:
            for key, value in data.items():
                yield key, arguments[0], path
                yield value, arguments[1], _join_path(path, quote_value(key))
        elif isinstance(data, list | tuple) and get_origin(choice) in (list, tuple):
            is_fixed = get_origin(choice) is tuple and Ellipsis not in arguments
            for number, item in enumerate(data[: len(arguments)] if is_fixed else data):
                yield item, arguments[number if is_fixed else 0], f"{path}[{number}]"


def _describe_error(error: Exception, data: object, type: Any, path: str, tag_noun: str) -> InvalidInputError:
    """Return the error for data whose parts are all valid, with the nearest known word."""
    structs = [choice for choice in _choices(type) if _is_struct(choice)]
    if isinstance(data, dict) and structs and (object_error := _describe_object_error(data, structs, path, tag_noun)):
        return object_error
    words = [str(word) for choice in _choices(type) if get_origin(choice) is Literal for word in get_args(choice)]
    if words and isinstance(data, str):
        return unknown_word_error(path, "value", data, words)
    if isinstance(error, UnicodeEncodeError):
        return error_at(path, "a text has an incomplete character here")
    text = _LIMIT.sub(lambda found: _LIMIT_TEXTS[found.group(1)], _PATH_SUFFIX.sub("", str(error)))
    text = re.sub(r"`([^`]*)`", lambda found: _describe_types(found.group(1)), text)
    text = re.sub(" matching regex .*", " in another format", text)
    return error_at(path, text[0].lower() + text[1:])


def _describe_object_error(data: dict, structs: list[Any], path: str, tag_noun: str) -> InvalidInputError | None:
    """Return the error of an unknown tag, an unknown key or a missing key, if there is one."""
    tag_field = structs[0].__struct_config__.tag_field
    struct = next((struct for struct in structs if _has_tag(data, struct)), None)
    if struct is None:
        tags = [str(struct.__struct_config__.tag) for struct in structs]
        tag_path = _join_path(path, tag_field)
        if tag_field not in data:
            return error_at(tag_path, f"this is needed; {describe_known_words(tags)}")
        return unknown_word_error(tag_path, tag_noun, data[tag_field], tags)
    known_keys = [*([tag_field] if tag_field else []), *struct.__struct_encode_fields__]
    for key in data:
        if key not in known_keys and (struct.__struct_config__.forbid_unknown_fields or not isinstance(key, str)):
            return unknown_word_error(path, "key", key, known_keys)
    for field in _fields(struct):
        if field.required and field.encode_name not in data:
            return error_at(_join_path(path, field.encode_name), "this is needed")
    return None


_PATH_SUFFIX = re.compile(" - at `.*$")
_TYPE_NAMES = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_LIMIT = re.compile("(?<=`) (>=|<=) ")
_LIMIT_TEXTS = {">=": " of at least ", "<=": " of at most "}


def _describe_types(types: str) -> str:
    return " or ".join(_TYPE_NAMES.get(type, type) for type in types.split(" | "))


def _choices(type: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the type itself, without annotations."""
    if get_origin(type) is Annotated:
        return _choices(get_args(type)[0])
    if get_origin(type) in (Union, UnionType):
        return tuple(choice for member in get_args(type) for choice in _choices(member))
    return (type,)


def _is_struct(type: Any) -> bool:
    return hasattr(type, "__struct_fields__")


def _has_tag(data: dict, struct: Any) -> bool:
    """Return whether an object has the tag of a struct, if the struct has one."""
    config = struct.__struct_config__
    return config.tag is None or data.get(config.tag_field) == config.tag


def _join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def read_players(
    document: dict, type: type[Struct], player_counts: Sequence[int], extra_keys: tuple[str, ...] = ()
) -> list:
    """Return the players of a final-position document as structs of a type.

    :param extra_keys: the game's own keys at the top of the document.
    :raises InvalidInputError: when a key, the number of players or a player is wrong.
    """
    known = ("game", "rulings", "players", *extra_keys)
    for key in document:
        read_word(key, known, "", "key")
    players = document.get("players")
    if not isinstance(players, list):
        raise error_at("players", "a list of players is needed")
    if len(players) not in player_counts:
        expected = f"{player_counts[0]} to {player_counts[-1]}" if len(player_counts) > 1 else f"{player_counts[0]}"
        raise error_at("players", f"this game has {expected} players, not {len(players)}")
    return [read_struct(player, type, f"players[{number}]") for number, player in enumerate(players)]


def read_names(players: Sequence[Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the place, the name without surrounding spaces and the data of each player, in order.

    :raises InvalidInputError: when a name is invalid or already taken, regardless of case.
    """
    taken_names: set[str] = set()
    for number, player in enumerate(players):
        path, name = f"players[{number}]", player.name.strip()
        if error := name_error(name):
            raise error_at(f"{path}.name", error)
        if name.casefold() in taken_names:
            raise error_at(f"{path}.name", f'the name "{name}" is taken already')
        taken_names.add(name.casefold())
        yield path, name, player


def check_range(number: int, minimum: int, maximum: int, path: str, text: str) -> None:
    """Check a number of a document.

    :param text: the possible numbers, such as "a tile shows 0 to 3 icons".
    :raises InvalidInputError: when it is out of range, with the nearest possible number.
    """
    if not minimum <= number <= maximum:
        nearest = min(max(number, minimum), maximum)
        raise error_at(path, f"{text}, not {quote_value(number)}; did you mean {nearest}?")


@cache
def warm_up_decoders() -> None:
    """Build a decoder for every struct type; call this before threads are started.

    msgspec inspects a type the first time it decodes it. If another thread decodes the same type meanwhile, the
    process crashes.
    """
    for type in _iter_subclasses(Struct):
        with suppress(TypeError):  # Some structs cannot be decoded.
            msgspec.json.Decoder(type)


def _iter_subclasses(parent: type) -> Iterator[type]:
    for subclass in parent.__subclasses__():
        yield subclass
        yield from _iter_subclasses(subclass)


@lru_cache(maxsize=256)
def name_error(name: str) -> str | None:
    """Return why a name without surrounding spaces is invalid, or None."""
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        return f"a name has 1 to {MAX_NAME_LENGTH} characters, but this one has {len(name)}"
    if any(category(letter) in UNPRINTABLE_CATEGORIES for letter in name):
        return "a name must be on one line, without control characters"
    if all(category(letter)[0] in "CZ" for letter in name):
        return "a name needs at least one visible character"
    return None


def read_rulings(document: dict, rulings: Sequence) -> dict[str, str]:
    """Return the rulings of a document: option ids by ruling id.

    :raises InvalidInputError: for an unknown ruling or option, with the known ones.
    """
    given = document.get("rulings", {})
    if not isinstance(given, dict):
        raise error_at("rulings", "expected an object of ruling to option")
    by_id = {ruling.id: ruling for ruling in rulings}
    for id, option in given.items():
        read_word(id, by_id, "rulings", "ruling")
        read_word(option, [known.id for known in by_id[id].options], f"rulings.{id}", "option")
    return dict(given)
