"""Compare stored data with today's, and say where they differ."""

from typing import Any

import pytest

STORED_ADVICE = (
    "Tables that people have played must keep their result. Leave every point and every cited rule as it is where a "
    "table has chosen nothing new, such as under the default of a new ruling; files of tests/stored never change."
)


def first_difference(old: Any, new: Any, path: str = "") -> str:
    """Return the first place where two pieces of plain data differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return next(first_difference(old[key], new[key], f"{path}.{key}") for key in old if old[key] != new[key])
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return next(first_difference(*pair, f"{path}.{number}") for number, pair in pairs if pair[0] != pair[1])
    return f"{path.lstrip('.')} was {old!r}, is {new!r}"


def assert_stored(new: Any, old: Any, name: str = "") -> None:
    """Assert that today's data equal the stored data.

    The message names the first difference and the next step.
    """
    if new != old:
        pytest.fail(f"{name or 'stored data'}: {first_difference(old, new)}. {STORED_ADVICE}", pytrace=False)
