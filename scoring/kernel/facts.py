"""What no book says of a box and only its owner can tell, once: the values printed on cards nobody has listed.

The set-up and the state of a game that has such facts carry them in a field `facts`; moves may tell more of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.rule import Reason

FactPath = tuple[
    str | int, ...
]  # of a value: ("cards", 2, "legs", 0, "colour"); what has a name has that for its number


class FactItem(NamedTuple):
    """Something facts are told of, as a card, and what is known of it in words."""

    path: FactPath  # all its values are below this one
    title: str
    text: str  # nothing, when nothing is known


class FactDifference(NamedTuple):
    """What is said of one thing otherwise in other facts of the same game."""

    path: FactPath
    title: str
    old: str
    new: str
    is_addition: bool  # only values that were not known


@dataclass(frozen=True)
class CardFactsFormat:
    """The facts of one game: their type, how they are read, checked, put together and told in words."""

    type: type[Struct]  # every field has a default: nothing known
    title: str  # what they are, as a heading: "The five Trail cards"
    read: Callable[[Any], Any]  # plain data -> facts; raises Malformed naming the place
    check: Callable[[Any], Iterator[Reason]]  # what speaks against facts that could be read
    # Kept facts, those of another owner's file -> both; where they differ, the file's. Raises Illegal if that cannot be.
    merge: Callable[[Any, Any], Any]
    describe_items: Callable[[Any], Iterator[FactItem]]  # everything that can be told of, known or not
    # Kept facts, a table's before and after it told something -> kept ones with it, not checked yet.
    merge_table_changes: Callable[[Any, Any, Any], Any]
    # What a table's players have told, its state, facts of a box -> those facts, with cards numbered as at the table.
    renumber_for_table: Callable[[Any, Any, Any], Any] = lambda told, state, box: box

    def from_data(self, data: Any) -> Any:
        """Return the facts that plain data stands for.

        :raises InvalidInputError: when it cannot be read.
        :raises IllegalMoveError: when no box can be so.
        """
        facts = self.read(data)
        if reasons := list(self.check(facts)):
            raise IllegalMoveError(reasons)
        return facts

    def with_values(self, facts: Any, entered: dict[str, str], remove: str = "") -> Any:
        """Return facts with values set by their paths ("cards.2.legs.1"), and one entry of a list removed.

        An index one past the end of a list appends; an empty value makes a fact unknown again.

        :raises InvalidInputError: when a path leads nowhere.
        :raises IllegalMoveError: when no box can be so.
        """
        data = _to_data(facts)
        for path, value in entered.items():
            _set(data, path, value)
        if remove:
            _remove(data, remove)
        return self.from_data(data)

    def update_from_table(self, stored: Any, before: Any, after: Any) -> Any:
        """Return kept facts with what a table has told between two states; where that makes no box, what is told counts.

        :raises IllegalMoveError: when they do not go together at all.
        """
        if before == after:
            return stored
        try:
            return self.from_data(_to_data(self._merge_table_changes(stored, before, after)))
        except (InvalidInputError, IllegalMoveError):
            told = {place: new for place, (_, new) in self.changed_values(before, after).items() if new is not None}
            return self.from_data(_to_data(self.merge(stored, self.put(self.type(), told))))

    def _merge_table_changes(self, stored: Any, before: Any, after: Any) -> Any:
        if stored == before:
            return after
        return self.merge_table_changes(stored, before, after)

    def values(self, facts: Any) -> dict[FactPath, Any]:
        """Return everything that is known, value by value."""
        return dict(_values(_to_data(facts)))

    def changed_values(self, old: Any, new: Any) -> dict[FactPath, tuple[Any, Any]]:
        """Return the values that differ, old and new; None is not known."""
        was, now = self.values(old), self.values(new)
        places = dict.fromkeys((*was, *now))
        return {place: (was.get(place), now.get(place)) for place in places if was.get(place) != now.get(place)}

    def differences(self, old: Any, new: Any) -> list[FactDifference]:
        """Return the same thing by thing, in words."""
        values = self.changed_values(old, new)
        was, now = ({thing.path: thing for thing in self.describe_items(facts)} for facts in (old, new))
        found = []
        for place in dict.fromkeys((*was, *now)):
            changed = [value for at, value in values.items() if at[: len(place)] == place]
            if changed:
                title = (now.get(place) or was[place]).title
                words = (things[place].text if place in things else "" for things in (was, now))
                found.append(
                    FactDifference(place, title, *words, is_addition=all(value[0] is None for value in changed))
                )
        return found

    def put(self, facts: Any, values: dict[FactPath, Any]) -> Any:
        """Return facts with values put in their places; None makes one unknown again.

        :raises InvalidInputError: when it cannot be read.
        :raises IllegalMoveError: when no box can be so.
        """
        data = _to_data(facts)
        for place, value in values.items():
            _put(data, place, value)
        return self.from_data(_tidied(data, _to_data(self.type())))


def merge_value_by_value(stored: Any, before: Any, after: Any) -> Any:
    """Return kept facts as plain data, with each value that a table told between two states."""
    return _merge_data_changes(*map(_to_data, (stored, before, after)))


def _to_data(facts: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(facts))


def _merge_data_changes(stored: Any, before: Any, after: Any) -> Any:
    """Return plain data with only what differs between two others put in."""
    if before == after:
        return stored
    nodes = (stored, before, after)
    if all(isinstance(node, dict) for node in nodes):
        keys = [key for key in stored | after if key in after or key not in before]
        return {key: _merge_data_changes(stored.get(key), before.get(key), after.get(key)) for key in keys}
    if all(isinstance(node, list) for node in nodes):
        if len(stored) == len(before) == len(after):
            return [_merge_data_changes(*each) for each in zip(*nodes, strict=True)]
        gone = [each for each in before if each not in after]
        left = [each for each in stored if each not in gone]  # with what others have added meanwhile
        return left + [each for each in after if each not in before and each not in stored]
    return after


def _walk(data: dict, path: str) -> tuple[Any, str]:
    """Return what a path leads through and its last part; what is not there yet is made, in a list one past its end."""
    parts = path.split(".")
    node: Any = data
    for part, following in pairwise(parts):
        new: Any = [] if following.isdecimal() else {}
        if isinstance(node, dict):
            node = node.setdefault(part, new)
        elif isinstance(node, list) and part.isdecimal() and int(part) <= len(node):
            if int(part) == len(node):
                node.append(new)
            node = node[int(part)]
        else:
            raise InvalidInputError(f"{path}: there is no such place")
    return node, parts[-1]


def _set(data: dict, path: str, value: str) -> None:
    node, last = _walk(data, path)
    said = value or None
    if isinstance(node, dict):
        node[last] = said
    elif isinstance(node, list) and last.isdecimal() and int(last) <= len(node):
        node[int(last) :] = [said, *node[int(last) + 1 :]]
    else:
        raise InvalidInputError(f"{path}: there is no such place")


def _remove(data: dict, path: str) -> None:
    node, last = _walk(data, path)
    if not (isinstance(node, list) and last.isdecimal() and int(last) < len(node)):
        raise InvalidInputError(f"{path}: there is no such place")
    del node[int(last)]


def _values(node: Any, place: FactPath = ()) -> Iterator[tuple[FactPath, Any]]:
    """Yield every value that is known, with its place; a card with a name and a list of words are one value."""
    if isinstance(node, dict):
        for key, each in node.items():
            yield from _values(each, (*place, key))
    elif isinstance(node, list) and all(isinstance(each, dict) for each in node):
        for number, each in enumerate(node):
            yield from [((*place, _key(each)), each)] if _key(each) else _values(each, (*place, number))
    elif node is not None and node is not False:  # "no" is what is said of everything before it is told
        yield place, node


def _has_values(node: Any) -> bool:
    return next(_values(node), None) is not None


def _key(thing: dict) -> str:
    return (thing.get("name") or "").casefold()


def _put(data: Any, place: FactPath, value: Any) -> None:
    """Put a value in its place, through what is not there yet; None takes it away."""
    node = data
    for part, following in pairwise(place):
        new: Any = [] if isinstance(following, int) else {}
        if isinstance(node, list):
            assert isinstance(part, int)  # what has a name is one value: no place goes on below it
            node.extend({} for _ in range(part + 1 - len(node)))
            node = node[part]
        else:
            node = node.setdefault(part, new)
    last = place[-1]
    if isinstance(node, list):  # of things with names
        others = [_key(each) for each in node]
        number = others.index(last) if last in others else len(node)
        node[number : number + 1] = [] if value is None else [value]
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = value


def _tidied(node: Any, usual: Any) -> Any:
    """Return plain data without what holds no values, as far as it is not there where nothing is known."""
    if isinstance(node, dict):
        known = usual if isinstance(usual, dict) else {}
        tidied = {key: _tidied(each, known.get(key)) for key, each in node.items()}
        return {key: each for key, each in tidied.items() if key in known or _has_values(each)}
    if isinstance(node, list):
        known = usual if isinstance(usual, list) else []
        tidied = [_tidied(each, known[number] if number < len(known) else None) for number, each in enumerate(node)]
        while len(tidied) > len(known) and isinstance(tidied[-1], dict) and not _has_values(tidied[-1]):
            tidied.pop()
        return tidied
    return node
