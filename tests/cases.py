"""Which cases of a test are run where: the first one by `make test`, all of them by `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest

Case = type(pytest.param())
LONG = pytest.mark.long("another case of a test that `make test` runs")
SLOW = pytest.mark.slow("another case of a test that `make quick` runs")


def cases(
    names: str | tuple[str, ...], rows: Iterable[Any], *, others: pytest.MarkDecorator = LONG, **how: Any
) -> pytest.MarkDecorator:
    """Parametrize a test, and mark all of its cases but the first: `make test`, or `make quick`, leaves them out."""
    first, *rest = rows
    return pytest.mark.parametrize(
        names, [first, *marked(rest, others, several=isinstance(names, tuple) or "," in names)], **how
    )


def marked(rows: Iterable[Any], mark: pytest.MarkDecorator, *, several: bool = False) -> list[Any]:
    """Return cases with a mark of their own; `several` says that each is a row of values."""
    found = [row if isinstance(row, Case) else pytest.param(*(row if several else [row])) for row in rows]
    return [case._replace(marks=[*case.marks, mark]) for case in found]
