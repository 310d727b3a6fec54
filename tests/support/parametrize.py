"""Parametrize tests: many rows as one test, and cases that only `make test-all` runs."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from scoring.games import TRACKED_GAMES

ParameterSet = type(pytest.param())
LONG_CASE = pytest.mark.long("another case of a test that `make test` runs")
SLOW_CASE = pytest.mark.slow("another case of a test that `make quick` runs")

# games that track the whole table, not only the score
TRACKED_KEYS = [key for key, tracked in TRACKED_GAMES.items() if not tracked.is_score_entry]


def parametrize_cases(
    names: str | tuple[str, ...],
    rows: Iterable[Any],
    *,
    first: Any = None,
    other_mark: pytest.MarkDecorator = LONG_CASE,
    **options: Any,
) -> pytest.MarkDecorator:
    """Parametrize a test, and mark all cases but `first` (default: the first row).

    `make test` or `make quick` leaves the marked cases out.
    """
    one, *rest = sorted(rows, key=lambda row: row != first) if first is not None else rows
    return pytest.mark.parametrize(
        names, [one, *mark_rows(rest, other_mark, has_several_values=len(split_names(names)) > 1)], **options
    )


def mark_rows(rows: Iterable[Any], mark: pytest.MarkDecorator, *, has_several_values: bool = False) -> list[Any]:
    """Return cases with an additional mark.

    :param has_several_values: whether each row is a tuple of values.
    """
    found = [
        row if isinstance(row, ParameterSet) else pytest.param(*(row if has_several_values else [row])) for row in rows
    ]
    return [case._replace(marks=[*case.marks, mark]) for case in found]


def run_all_rows(
    names: str | tuple[str, ...], rows: Iterable[Any], ids: Callable | Iterable[str] | None = None
) -> Callable:
    """Run all rows as one test that lists every failing row.

    Use it only for tests whose fixtures no row changes.
    """
    fields, table = split_names(names), list(rows)
    labels = None if ids is None or callable(ids) else list(ids)

    def decorate(test: Callable) -> Callable:
        @functools.wraps(test)
        def all_rows(**fixtures: Any) -> None:
            faults: list[BaseException] = []
            for number, row in enumerate(table):
                values = row.values if isinstance(row, ParameterSet) else row if len(fields) > 1 else (row,)
                try:
                    test(**fixtures, **dict(zip(fields, values, strict=True)))
                except (Exception, pytest.fail.Exception) as fault:
                    name = (
                        labels[number]
                        if labels
                        else row.id
                        if isinstance(row, ParameterSet) and row.id
                        else repr(row)[:300]
                    )
                    fault.add_note(f"row {number + 1}: {name}")
                    faults.append(fault)
            if faults:
                raise BaseExceptionGroup(f"{len(faults)} of {len(table)} rows", faults)

        assert table and not any(isinstance(row, ParameterSet) and row.marks for row in table)
        taken = inspect.signature(test)
        rest = [parameter for name, parameter in taken.parameters.items() if name not in fields]
        all_rows.__signature__ = taken.replace(parameters=rest)
        return all_rows

    return decorate


def split_names(names: str | tuple[str, ...]) -> list[str]:
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
