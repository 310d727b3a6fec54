"""Reading what people typed or saved: the place of every fault, and the nearest right value."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin
from unicodedata import category

import msgspec
from msgspec import Struct

from scoring.kernel.english import cut, nearest, there_are
from scoring.kernel.errors import Malformed

LONGEST_NAME = 40
UNPRINTED = ("Cc", "Cs", "Zl", "Zp")  # control characters, half characters, line and paragraph ends


FOREIGN = {  # the first bytes of files that people have beside ours -> what the file is
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
NO_TEXT = "not a text file in UTF-8"
MARKUP = {  # what the text of a file with tags has in it -> what the file is
    "boardgamegeek": "a file of BoardGameGeek (XML)",
    "<plays": "a file of BoardGameGeek (XML)",
    "<html": "a web page",
    "<svg": "a picture (SVG)",
    "<": "an XML file",
}


def _foreign(content: bytes) -> str:
    """Return the kind of a file that cannot be JSON in UTF-8, or an empty text."""
    if known := next((name for start, name in FOREIGN.items() if content.startswith(start)), ""):
        return f"{known}, {NO_TEXT}"
    if content[4:8] == b"ftyp":
        return f"a photo or a video (HEIC or MP4), {NO_TEXT}"
    if b"\0" in content[:4]:
        return f"a text file in UTF-16, {NO_TEXT}"
    text = content[:4000].decode(errors="replace").lstrip("\ufeff \r\n\t").casefold()
    return f"{next(name for sign, name in MARKUP.items() if sign in text)}, not JSON" if text.startswith("<") else ""


def _why_not(text: str, fault: str) -> str:
    """Return why a text is not JSON: it is empty or cut off, or the reader's fault."""
    text = text.strip()
    if not text:
        return "the file is empty"
    return "the file is cut off" if text[0] in "{[" and text[-1] not in "]}" else fault


def parsed(content: bytes) -> Any:
    """Return what a JSON file holds.

    :raises Malformed: naming what the file is instead, or with the line and column of the fault.
    """
    if foreign := _foreign(content):
        raise Malformed(f"this is {foreign}")
    try:
        text = content.decode("utf-8-sig")
        return json.loads(text)
    except UnicodeDecodeError:
        raise Malformed(NO_TEXT) from None
    except json.JSONDecodeError as fault:
        raise Malformed(f"not JSON at line {fault.lineno}, column {fault.colno}: {_why_not(text, fault.msg)}") from None
    except ValueError:
        raise Malformed("a number in it has too many digits") from None
    except RecursionError:
        raise Malformed("nested too deeply to be one of ours") from None


def at(place: str, text: str) -> Malformed:
    """Return the error that names a place: `players[0].badges[2]: ...`."""
    return Malformed(f"{place}: {text}" if place else text)


def unknown(place: str, noun: str, word: Any, known: Iterable[str]) -> Malformed:
    """Return the error for an unknown word, with the nearest known one or a list."""
    known, said = list(known), quoted(word)
    near = nearest(said, known)
    hint = f'did you mean "{near}"?' if near else there_are(known)
    return at(place, f'no {noun} "{said}"; {hint}')


def quoted(value: Any) -> str:
    """Return what stands in a document so that a one-line message can hold it, cut short where it is long."""
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
    return "".join(repr(letter)[1:-1] if category(letter) in UNPRINTED else letter for letter in cut(text))


def read(data: Any, type: type[Struct], place: str = "", *, strict: bool = True) -> Any:
    """Return plain data as a struct; without `strict`, numbers may also be given as text, as forms do.

    :raises Malformed: naming the place and what is wanted there.
    """
    _refuse_unknown_keys(data, type, place)
    try:
        return msgspec.convert(data, type, strict=strict)
    except msgspec.ValidationError as fault:
        raise _located(str(fault), place) from None
    except UnicodeEncodeError:  # text with half a surrogate pair, where something else is wanted
        raise at(place, "there is half a character in a text here") from None


_fields = cache(msgspec.structs.fields)


def _refuse_unknown_keys(data: Any, type: Any, place: str) -> None:
    """Refuse a key that a struct does not have, however deep inside lists and choices it lies."""
    if isinstance(data, dict) and hasattr(type, "__struct_fields__"):
        for key in data:
            if key not in type.__struct_fields__:
                raise unknown(place, "key", key, type.__struct_fields__)
        for field in _fields(type):
            _refuse_unknown_keys(data.get(field.name), field.type, f"{place}.{field.name}" if place else field.name)
    elif get_origin(type) in (Union, UnionType):
        for choice in get_args(type):
            _refuse_unknown_keys(data, choice, place)
    elif isinstance(data, list) and get_origin(type) in (list, tuple):
        for number, each in enumerate(data):
            _refuse_unknown_keys(each, get_args(type)[0], f"{place}[{number}]")


_AT = re.compile(r" - at `\$?\.?(.*)`$")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_WORDS = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def _located(fault: str, place: str) -> Malformed:
    """Turn msgspec's "Expected `int`, got `str` - at `$.photos[0].points`" into place first, then the fault."""
    where = _AT.search(fault)
    inner = where.group(1) if where else ""
    text = _AT.sub("", fault)
    if missing := _MISSING.fullmatch(text):
        inner, text = f"{inner}.{missing.group(1)}" if inner else missing.group(1), "this is needed"
    text = re.sub(r"`([^`]*)`", lambda found: _in_words(found.group(1)), text)
    return at(".".join(part for part in (place, inner) if part), text[0].lower() + text[1:])


def _in_words(types: str) -> str:
    return " or ".join(_WORDS.get(type, type) for type in types.split(" | "))


def read_players(document: dict, type: type[Struct], counts: Sequence[int], top: tuple[str, ...] = ()) -> list:
    """Return the players of a final-position document, with their names trimmed and checked.

    `top` names the game's own keys at the top of the document.

    :raises Malformed: when a key, the number of players or a name is wrong.
    """
    known = ("game", "rulings", "players", *top)
    for key in document:
        if key not in known:
            raise unknown("", "key", key, known)
    players = document.get("players")
    if not isinstance(players, list):
        raise at("players", "a list of players is needed")
    if len(players) not in counts:
        wanted = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        raise at("players", f"this game has {wanted} players, not {len(players)}")
    return [read(player, type, f"players[{number}]") for number, player in enumerate(players)]


def read_name(name: str, place: str, taken: set[str]) -> str:
    """Return a trimmed player name and add it to those taken.

    :raises Malformed: when it is empty, too long or taken, whatever its case.
    """
    trimmed = name.strip()
    if fault := name_fault(trimmed):
        raise at(place, fault)
    if trimmed.casefold() in taken:
        raise at(place, f'the name "{trimmed}" is taken already')
    taken.add(trimmed.casefold())
    return trimmed


@cache
def know_every_type() -> None:
    """Find out what every type holds that anything is read into; to be called before there are threads.

    msgspec finds it out when it first reads one, and while it does another thread that reads the same ends the process.
    """
    for type in _below(Struct):
        with suppress(TypeError):  # nothing can be read into it
            msgspec.json.Decoder(type)


def _below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


@lru_cache(maxsize=256)
def name_fault(name: str) -> str | None:
    """Return what is wrong with a trimmed name, if anything is."""
    if not 1 <= len(name) <= LONGEST_NAME:
        return f"a name has 1 to {LONGEST_NAME} characters, this one has {len(name)}"
    if any(category(letter) in UNPRINTED for letter in name):
        return "a name stands on one line and has no control characters"
    if all(category(letter)[0] in "CZ" for letter in name):
        return "a name has at least one character that can be seen"
    return None


def read_rulings(document: dict, rulings: Sequence) -> dict[str, str]:
    """Return the rulings of a document.

    :raises Malformed: for one that is unknown, or an option it does not have, with the list.
    """
    given = document.get("rulings", {})
    if not isinstance(given, dict):
        raise at("rulings", "expected an object of ruling to option")
    by_id = {ruling.id: ruling for ruling in rulings}
    for id, option in given.items():
        if id not in by_id:
            raise unknown("rulings", "ruling", id, by_id)
        if by_id[id].option(option) is None:
            raise unknown(f"rulings.{id}", "option", option, [each.id for each in by_id[id].options])
    return dict(given)
