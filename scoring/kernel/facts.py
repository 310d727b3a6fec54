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
    # Kept facts, those of another owner's file -> both; where they differ, the file's. Raises Illegal if that cannot be.
    merge: Callable[[Any, Any], Any]
    # Kept facts, a table's before and after it told something -> kept ones with it; None: value by value.
    learn: Callable[[Any, Any, Any], Any] | None = None

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
        data = _plain(facts)
        for path, value in told.items():
            _set(data, path, value)
        if remove:
            _remove(data, remove)
        return self.checked(data)

    def learned(self, kept: Any, before: Any, after: Any) -> Any:
        """Return kept facts with what a table has told between two states; where that makes no box, as they were."""
        try:
            learnt = self.learn(kept, before, after) if self.learn else _changed(*map(_plain, (kept, before, after)))
            return self.checked(_plain(learnt))
        except (Malformed, Illegal):
            return kept


def _plain(facts: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(facts))


def _changed(kept: Any, before: Any, after: Any) -> Any:
    """Return plain data with only what differs between two others put in."""
    if before == after:
        return kept
    nodes = (kept, before, after)
    if all(isinstance(node, dict) for node in nodes):
        keys = [key for key in kept | after if key in after or key not in before]
        return {key: _changed(kept.get(key), before.get(key), after.get(key)) for key in keys}
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
