"""Many cases of one test: rows of data that are one test, and cases that only `make test-all` runs."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from scoring.games import PLAYS

Case = type(pytest.param())
LONG = pytest.mark.long("another case of a test that `make test` runs")
SLOW = pytest.mark.slow("another case of a test that `make quick` runs")

TRACKED = [key for key, play in PLAYS.items() if not play.counting]  # games whose table is tracked, not only counted


def cases(
    names: str | tuple[str, ...],
    rows: Iterable[Any],
    *,
    first: Any = None,
    others: pytest.MarkDecorator = LONG,
    **how: Any,
) -> pytest.MarkDecorator:
    """Parametrize a test, and mark all cases but `first` (or the first row): `make test`, or `make quick`, leaves them out."""
    one, *rest = sorted(rows, key=lambda row: row != first) if first is not None else rows
    return pytest.mark.parametrize(names, [one, *marked(rest, others, several=len(_split(names)) > 1)], **how)


def marked(rows: Iterable[Any], mark: pytest.MarkDecorator, *, several: bool = False) -> list[Any]:
    """Return cases with a mark of their own; `several` says that each is a row of values."""
    found = [row if isinstance(row, Case) else pytest.param(*(row if several else [row])) for row in rows]
    return [case._replace(marks=[*case.marks, mark]) for case in found]


def every_row(
    names: str | tuple[str, ...], rows: Iterable[Any], ids: Callable | Iterable[str] | None = None
) -> Callable:
    """Make rows of data one test, which lists all rows that fail. Only for tests whose fixtures no row changes."""
    fields, table = _split(names), list(rows)
    labels = None if ids is None or callable(ids) else list(ids)

    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def all_rows(**fixtures: Any) -> None:
            faults: list[BaseException] = []
            for number, row in enumerate(table):
                values = row.values if isinstance(row, Case) else row if len(fields) > 1 else (row,)
                try:
                    test(**fixtures, **dict(zip(fields, values, strict=True)))
                except (Exception, pytest.fail.Exception) as fault:
                    name = labels[number] if labels else row.id if isinstance(row, Case) and row.id else repr(row)[:300]
                    fault.add_note(f"row {number + 1}: {name}")
                    faults.append(fault)
            if faults:
                raise BaseExceptionGroup(f"{len(faults)} of {len(table)} rows", faults)

        assert table and not any(isinstance(row, Case) and row.marks for row in table)
        taken = inspect.signature(test)
        rest = [parameter for name, parameter in taken.parameters.items() if name not in fields]
        all_rows.__signature__ = taken.replace(parameters=rest)
        return all_rows

    return decorate


def _split(names: str | tuple[str, ...]) -> list[str]:
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
