"""Cases listed by rule; records which rules have one, to find missing ones (test_rules.py)."""

from collections import defaultdict
from collections.abc import Iterator

import pytest

from scoring.kernel.box import Box
from tests.support.game_names import folder_of

# the key of a box -> the ids of its rules that have a case
COVERED_RULES: defaultdict[str, set[str]] = defaultdict(set)


def iterate_cases(box: Box, by_rule: dict[str, list]) -> Iterator[tuple[str, int, tuple]]:
    """Yield each case of a table with the rule it is listed under and its number there."""
    for rule, cases in by_rule.items():
        if rule not in box.rules:
            folder = folder_of(box.key)
            raise LookupError(
                f'{box.title} has no rule "{rule}". Add it to scoring/{folder}/rules.py, or list its cases elsewhere.'
            )
        COVERED_RULES[box.key].add(box.rules[rule].id)
        for number, case in enumerate(cases, 1):
            yield rule, number, case


def case_params(box: Box, by_rule: dict[str, list]) -> list:
    """Return the cases of a table, each named after the rule it is listed under."""
    return [pytest.param(*case, id=f"{rule}-{number}") for rule, number, case in iterate_cases(box, by_rule)]


def logged_edit(name: str, change_text: str) -> str:
    """Return the log line of an edit in lower case.

    If only a player's own fields change, the name is not repeated.
    """
    own_text = change_text if "; " in change_text else change_text.removeprefix(f"{name}\u2019s ")
    return f"{name} corrected: {own_text}".lower()
