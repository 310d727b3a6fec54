"""Lists of plays in the XML of BoardGameGeek, as a logged-in person can save them."""

import html
from collections.abc import Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from companion.exchange.plays import Play, PlayedBy, PlayFile, PlayReader, clean_text, find_game, play_id, read_day
from scoring.kernel.errors import InvalidInputError

SOURCE = "bgg"
# The first element of other files of BoardGameGeek -> what the file is.
OTHER_FILES = {
    "items": "a collection or list of games of BoardGameGeek; it has no plays",
    "boardgames": "a list of games of BoardGameGeek; it has no plays",
}
MAX_TEXT_LENGTH = 2000
MESSAGES = {"errors", "error", "message"}  # the first elements of answers without plays


class _RefuseDoctype(ElementTree.TreeBuilder):
    """Builds the tree of a file, but refuses one with declarations: entities could make it huge."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise InvalidInputError("this XML file has a document type declaration, which lists of plays do not have")


def parse_xml(content: bytes) -> Element:
    """Return the first element of an XML file.

    :raises InvalidInputError: when it is no XML, is cut off or has declarations.
    """
    try:
        return ElementTree.fromstring(content, ElementTree.XMLParser(target=_RefuseDoctype()))
    except ElementTree.ParseError as error:
        line, column = error.position
        is_cut_off = not content.rstrip().endswith(b">") or "no element found" in str(error)
        problem = "the file is cut off" if is_cut_off else f"it is not valid at line {line}, column {column + 1}"
        raise InvalidInputError(f"this is an XML file, but {problem}") from None
    except InvalidInputError:
        raise
    except (ValueError, LookupError):  # an unknown encoding
        raise InvalidInputError("this is an XML file in an unknown encoding") from None


def read_bgg_plays(root: Element, bgg_ids: Mapping[str, int]) -> PlayFile:
    """Return the plays of a list of plays.

    :param root: the first element of the file.
    :param bgg_ids: the BoardGameGeek ids of our games, by key.
    :raises InvalidInputError: when the file is no list of plays.
    """
    if root.tag in MESSAGES:
        message = clean_text("".join(root.itertext()), 120)
        quote = f": \u201c{message}\u201d" if message else ""
        raise InvalidInputError(f"this is a message of BoardGameGeek instead of plays{quote}")
    if root.tag != "plays":
        raise InvalidInputError(f"this is {OTHER_FILES.get(root.tag, 'an XML file of another kind')}")
    reader = PlayReader(SOURCE)
    for play in root.iter("play"):
        with reader.collects_problems():
            item = play.find("item")
            title, bgg_id = ("", 0) if item is None else (_text(item, "name"), _number(item, "objectid"))
            key = find_game(title, bgg_id, bgg_ids)
            if key is None:
                reader.count_other_game(title, max(1, _number(play, "quantity")), bgg_id)
            else:
                reader.add(_read_play(play, key))
    total, count = _number(root, "total"), len(root.findall("play"))
    if total > count:
        advice = "Save the other pages, too: add &page=2 to the address."
        reader.add_note(f"This file has {count} of your {total} plays at BoardGameGeek. {advice}")
    return reader.file


def _read_play(play: Element, game_key: str) -> Play:
    """Return a play.

    :raises InvalidInputError: when its date is missing or unreadable.
    """
    id, players = play.get("id", ""), list(play.iter("player"))
    if all(_number(player, "startposition") for player in players):
        players.sort(key=lambda player: _number(player, "startposition"))
    return Play(
        game=game_key,
        ids=(play_id(SOURCE, id),) if id else (),
        ended=read_day(play.get("date", ""), f"play {id}").isoformat(),
        players=tuple(_read_player(player) for player in players),
        minutes=_number(play, "length"),
        where=_text(play, "location"),
        note=_unescape(play.findtext("comments", "")),
        quantity=max(1, _number(play, "quantity")),
        is_hidden=bool(_number(play, "incomplete") or _number(play, "nowinstats")),
    )


def _read_player(player: Element) -> PlayedBy:
    name = _text(player, "name") or _text(player, "username")
    return PlayedBy(
        name=name,
        score=player.get("score", ""),
        is_winner=bool(_number(player, "win")),
        kind="player" if name else "guest",
    )


def _text(element: Element, attribute: str) -> str:
    return _unescape(element.get(attribute, "")).strip()


def _unescape(text: str) -> str:
    """Return a text that a program has escaped twice; a very long one is cut."""
    return html.unescape(text[:MAX_TEXT_LENGTH])


def _number(element: Element, attribute: str) -> int:
    """Return a whole number, at least 0; 0 if it is missing or no number."""
    text = element.get(attribute, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
