"""Card facts that no rulebook lists and that the owner of a box enters once.

The setup and the state of a game with such facts carry them in a field `facts`; moves may add to them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from scoring.kernel.errors import IllegalMoveError, InvalidInputError
from scoring.kernel.paths import Path, get_value, parse_path, with_value
from scoring.kernel.rule import Reason
from scoring.kernel.state import GameState

FactPath = Path  # of a value: ("cards", 2, "legs", 0, "colour"); a named item has its name in place of an index

FactsT = TypeVar("FactsT", bound=Struct)


class FactItem(NamedTuple):
    """An item that facts describe, such as a card, with its known facts as text."""

    path: FactPath  # the common prefix of all its values
    title: str
    text: str  # empty if nothing is known


class FactDifference(NamedTuple):
    """How one item differs between two sets of facts of the same game."""

    path: FactPath
    title: str
    old: str
    new: str
    is_addition: bool  # whether only unknown values were added


@dataclass(frozen=True)
class CardFactsFormat(Generic[FactsT]):
    """The facts of one game: their type, and how to read, check, merge and describe them."""

    type: type[FactsT]  # every field has a default, which means unknown
    title: str  # what they are, as a heading: "The five Trail cards"
    read: Callable[[object], FactsT]  # plain data -> facts; raises InvalidInputError naming the place
    check: Callable[[FactsT], Iterator[Reason]]  # facts -> objections to facts that could be read
    # Stored facts, facts from another owner's file -> both; where they differ, the file wins. Raises IllegalMoveError
    # if they cannot be combined.
    merge: Callable[[FactsT, FactsT], FactsT]
    describe_items: Callable[[FactsT], Iterator[FactItem]]  # every item that can be described, known or not
    # Stored facts, a table's facts before and after a change -> stored facts with the change, not checked yet.
    merge_table_changes: Callable[[FactsT, FactsT, FactsT], object]
    # Facts entered at a table, its state, facts of a box -> the box's facts, with cards numbered as at the table.
    renumber_for_table: Callable[[FactsT, Any, FactsT], FactsT] = lambda entered, state, stored: stored

    # The facts that a state carries.
    of_state: Callable[[GameState], FactsT] = attrgetter("facts")

    def from_data(self, data: object) -> FactsT:
        """Return the facts for plain data.

        :raises InvalidInputError: when it cannot be read.
        :raises IllegalMoveError: when no box can have these facts.
        """
        facts = self.read(data)
        if reasons := list(self.check(facts)):
            raise IllegalMoveError(reasons)
        return facts

    def with_values(self, facts: FactsT, entered: dict[str, str], remove: str = "") -> FactsT:
        """Return facts with values set by their paths, and one list entry removed.

        A path is text, such as "cards.2.legs.1". An index one past the end of a list appends; an empty value makes a
        fact unknown again.

        :raises InvalidInputError: when a path does not exist.
        :raises IllegalMoveError: when no box can have these facts.
        """
        data = _to_data(facts)
        path = remove
        try:
            for path, value in entered.items():
                data = with_value(data, parse_path(path), value or None, may_append=True)
            if path := remove:
                *list_path, number = parse_path(remove)
                items = get_value(data, list_path)
                if not isinstance(items, list) or not isinstance(number, int):
                    raise LookupError(number)
                del items[number]
        except (LookupError, TypeError, ValueError):
            raise InvalidInputError(f"{path}: there is no such field") from None
        return self.from_data(data)

    def update_from_table(self, stored: FactsT, before: FactsT, after: FactsT) -> FactsT:
        """Return stored facts with the values that a table changed between two states.

        If the result is impossible, the table's facts take precedence.

        :raises IllegalMoveError: when the two cannot be combined at all.
        """
        if before == after:
            return stored
        try:
            merged = after if stored == before else self.merge_table_changes(stored, before, after)
            return self.from_data(_to_data(merged))
        except (InvalidInputError, IllegalMoveError):
            entered = {path: new for path, (_, new) in self.changed_values(before, after).items() if new is not None}
            return self.from_data(_to_data(self.merge(stored, self.put(self.type(), entered))))

    def values(self, facts: FactsT) -> dict[FactPath, object]:
        """Return all known values by their paths."""
        return dict(_values(_to_data(facts)))

    def changed_values(self, old: FactsT, new: FactsT) -> dict[FactPath, tuple[object, object]]:
        """Return the values that differ, as (old, new) by path; None means unknown."""
        old_values, new_values = self.values(old), self.values(new)
        paths = dict.fromkeys((*old_values, *new_values))
        return {
            path: (old_values.get(path), new_values.get(path))
            for path in paths
            if old_values.get(path) != new_values.get(path)
        }

    def differences(self, old: FactsT, new: FactsT) -> list[FactDifference]:
        """Return the differences between two sets of facts item by item, as text."""
        values = self.changed_values(old, new)
        old_items, new_items = ({item.path: item for item in self.describe_items(facts)} for facts in (old, new))
        found = []
        for path in dict.fromkeys((*old_items, *new_items)):
            changed = [value for value_path, value in values.items() if value_path[: len(path)] == path]
            if changed:
                title = (new_items.get(path) or old_items[path]).title
                texts = (items[path].text if path in items else "" for items in (old_items, new_items))
                found.append(
                    FactDifference(path, title, *texts, is_addition=all(value[0] is None for value in changed))
                )
        return found

    def put(self, facts: FactsT, values: Mapping[FactPath, object]) -> FactsT:
        """Return facts with values set at their paths; None makes a value unknown again.

        :raises InvalidInputError: when the result cannot be read.
        :raises IllegalMoveError: when no box can have these facts.
        """
        data = _to_data(facts)
        for path, value in values.items():
            _put(data, path, value)
        return self.from_data(_prune(data, _to_data(self.type())))


def merge_value_by_value(stored: Struct, before: Struct, after: Struct) -> object:
    """Return stored facts as plain data, with each value that a table changed.

    :param before: the facts of the table before the change.
    :param after: the facts of the table after the change.
    """
    return _merge_data_changes(*map(_to_data, (stored, before, after)))


def _to_data(facts: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(facts))


def _merge_data_changes(stored: Any, before: Any, after: Any) -> Any:
    """Return plain data with only the differences between two others applied."""
    if before == after:
        return stored
    nodes = (stored, before, after)
    if all(isinstance(node, dict) for node in nodes):
        keys = [key for key in stored | after if key in after or key not in before]
        return {key: _merge_data_changes(stored.get(key), before.get(key), after.get(key)) for key in keys}
    if all(isinstance(node, list) for node in nodes):
        if len(stored) == len(before) == len(after):
            return [_merge_data_changes(*item) for item in zip(*nodes, strict=True)]
        removed = [item for item in before if item not in after]
        kept = [item for item in stored if item not in removed]  # This keeps entries that others have added meanwhile.
        return kept + [item for item in after if item not in before and item not in stored]
    return after


def _values(node: object, path: FactPath = ()) -> Iterator[tuple[FactPath, object]]:
    """Yield each known value with its path; a named card and a list of words are single values."""
    if isinstance(node, dict):
        for key, child in node.items():
            yield from _values(child, (*path, key))
    elif isinstance(node, list) and all(isinstance(child, dict) for child in node):
        for number, child in enumerate(node):
            yield from [((*path, _key(child)), child)] if _key(child) else _values(child, (*path, number))
    elif node is not None and node is not False:  # False is the default of a flag that has not been entered.
        yield path, node


def _has_values(node: object) -> bool:
    return next(_values(node), None) is not None


def _key(item: dict) -> str:
    return (item.get("name") or "").casefold()


def _put(data: Any, path: FactPath, value: object) -> None:
    """Set the value at a path, creating missing containers; None removes it."""
    node = data
    for part, following in pairwise(path):
        new: list | dict = [] if isinstance(following, int) else {}
        if isinstance(node, list):
            assert isinstance(part, int)  # A named item is a single value, so no path leads below it.
            node.extend({} for _ in range(part + 1 - len(node)))
            node = node[part]
        else:
            node = node.setdefault(part, new)
    last = path[-1]
    if isinstance(node, list):  # This is a list of named items.
        keys = [_key(item) for item in node]
        number = keys.index(last) if last in keys else len(node)
        node[number : number + 1] = [] if value is None else [value]
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = value


def _prune(node: object, default: object) -> object:
    """Return plain data without entries that hold no values, except those the default data has."""
    if isinstance(node, dict):
        known = default if isinstance(default, dict) else {}
        pruned = {key: _prune(child, known.get(key)) for key, child in node.items()}
        return {key: child for key, child in pruned.items() if key in known or _has_values(child)}
    if isinstance(node, list):
        known = default if isinstance(default, list) else []
        pruned = [_prune(child, known[number] if number < len(known) else None) for number, child in enumerate(node)]
        while len(pruned) > len(known) and isinstance(pruned[-1], dict) and not _has_values(pruned[-1]):
            pruned.pop()
        return pruned
    return node
