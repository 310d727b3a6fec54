"""Values in nested structs, dicts and lists, by paths such as "players.1.acorn"."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

Path = tuple[str | int, ...]


def parse_path(text: str) -> Path:
    """Return the path for its text: "cards.2.name" leads to the name of the third card."""
    return tuple(int(part) if part.isdecimal() else part for part in text.split("."))


def get_value(node: Any, path: Sequence[str | int]) -> Any:
    """Return the value at a path; a missing key of a dict has the value None.

    :raises LookupError, AttributeError, TypeError: when the path leads nowhere.
    """
    for key in path:
        match node:
            case Struct():
                node = getattr(node, str(key))
            case dict():
                node = node.get(str(key))
            case _:
                node = node[key]
    return node


def with_value(node: Any, path: Sequence[str | int], value: object, *, may_append: bool = False) -> Any:
    """Return a copy of nested data with the value at a path replaced.

    Missing keys of dicts are added.

    :param may_append: whether an index one past the end of a list appends to it.
    :raises LookupError: when the path leads nowhere.
    """
    if not path:
        return value
    key, *rest = path
    set_rest = partial(with_value, path=rest, value=value, may_append=may_append)
    if node is UNSET:
        node = [] if isinstance(key, int) else {}
    match node:
        case Struct():
            return replace(node, **{str(key): set_rest(getattr(node, str(key)))})
        case dict():
            return {**node, str(key): set_rest(node.get(str(key), UNSET))}
        case list() | tuple() if isinstance(key, int) and key < len(node) + may_append:
            return [*node[:key], set_rest(node[key] if key < len(node) else UNSET), *node[key + 1 :]]
    raise LookupError(key)
