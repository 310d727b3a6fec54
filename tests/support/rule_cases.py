"""Cases told rule by rule. Which rules have one is remembered here, so that none is forgotten (see test_rules.py)."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from scoring.kernel.box import Box

TOLD: defaultdict[str, set[str]] = defaultdict(set)  # the key of a box -> the ids of its rules that have a case


def rows(box: Box, by_rule: dict[str, list]) -> Iterator[tuple[str, int, tuple]]:
    """Yield the cases of a table one by one: the rule each stands under, its number there, and the case."""
    for rule, cases in by_rule.items():
        TOLD[box.key].add(box.rules[rule].id)
        for number, case in enumerate(cases, 1):
            yield rule, number, case


def cases(box: Box, by_rule: dict[str, list]) -> list:
    """Return the cases of a table, each named after the rule it stands under."""
    return [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in rows(box, by_rule)]
