"""What no book says of a box and only its owner can tell, once: the values printed on cards nobody has listed.

The set-up and the state of a game that has such facts carry them in a field `facts`; moves may tell more of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct

from scoring.kernel.game import Illegal, Malformed
from scoring.kernel.rule import Reason


@dataclass(frozen=True)
class Facts:
    """The facts of one game: their type, how they are read, checked and put together."""

    type: type[Struct]  # every field has a default: nothing known
    title: str  # what they are, as a heading: "The five Trail cards"
    read: Callable[[Any], Any]  # plain data -> facts; raises Malformed naming the place
    check: Callable[[Any], Iterator[Reason]]  # what speaks against facts that could be read
    merge: Callable[[Any, Any], Any]  # kept facts, those of another owner's file -> both; where they differ, the file's

    def checked(self, data: Any) -> Any:
        """Return the facts that plain data stands for.

        :raises Malformed: when it cannot be read.
        :raises Illegal: when no box can be so.
        """
        facts = self.read(data)
        if reasons := list(self.check(facts)):
            raise Illegal(reasons)
        return facts

    def with_values(self, facts: Any, told: dict[str, str], remove: str = "") -> Any:
        """Return facts with values set by their paths ("cards.2.legs.1"), and one entry of a list removed.

        An index one past the end of a list appends; an empty value makes a fact unknown again.

        :raises Malformed: when a path leads nowhere.
        :raises Illegal: when no box can be so.
        """
        data = msgspec.json.decode(msgspec.json.encode(facts))
        for path, value in told.items():
            _set(data, path, value)
        if remove:
            _remove(data, remove)
        return self.checked(data)

    def learned(self, kept: Any, before: Any, after: Any) -> Any:
        """Return kept facts with what a table has told between two states; where that makes no box, as they were."""
        data = [msgspec.json.decode(msgspec.json.encode(facts)) for facts in (kept, before, after)]
        try:
            return self.checked(_changed(*data))
        except (Malformed, Illegal):
            return kept


def _changed(kept: Any, before: Any, after: Any) -> Any:
    """Return plain data with only what differs between two others put in."""
    if before == after:
        return kept
    nodes = (kept, before, after)
    if all(isinstance(node, dict) for node in nodes):
        return {key: _changed(kept.get(key), before.get(key), after[key]) for key in after}
    if all(isinstance(node, list) for node in nodes):
        if len(kept) == len(before) == len(after):
            return [_changed(*each) for each in zip(*nodes, strict=True)]
        gone = [each for each in before if each not in after]
        left = [each for each in kept if each not in gone]  # with what others have added meanwhile
        return left + [each for each in after if each not in before and each not in kept]
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
            raise Malformed(f"{path}: there is no such place")
    return node, parts[-1]


def _set(data: dict, path: str, value: str) -> None:
    node, last = _walk(data, path)
    said = value if value else None
    if isinstance(node, dict):
        node[last] = said
    elif isinstance(node, list) and last.isdecimal() and int(last) <= len(node):
        node[int(last) :] = [said, *node[int(last) + 1 :]]
    else:
        raise Malformed(f"{path}: there is no such place")


def _remove(data: dict, path: str) -> None:
    node, last = _walk(data, path)
    if not (isinstance(node, list) and last.isdecimal() and int(last) < len(node)):
        raise Malformed(f"{path}: there is no such place")
    del node[int(last)]
