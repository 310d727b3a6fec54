"""The threat model is up to date: its tests exist, and its limits are those of the code."""

import re

from companion.system.limits import ALLOWANCES, MINUTE, Rate
from companion.system.paths import CHECKOUT
from companion.web.app import KB, MAX_FORM_BYTES, MAX_UPLOAD_BYTES
from tests.support.parametrize import run_all_rows

TEXT = (CHECKOUT / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED_TESTS = sorted(set(re.findall(r"`(test_\w+)`", TEXT)))
FILES = (CHECKOUT / "tests").rglob("test_*.py")
TESTS = {name for file in FILES for name in re.findall(r"(?m)^def (test_\w+)", file.read_text("utf-8"))}


@run_all_rows("name", NAMED_TESTS)
def test_test_named_by_the_threat_model_exists(name: str):
    assert name in TESTS


def test_threat_model_names_tests():
    assert len(NAMED_TESTS) > 20


def test_every_defense_names_a_test():
    table = TEXT.partition("| attack | defense | tests |")[2].partition("\n\n")[0]
    rows = table.splitlines()[2:]
    assert len(rows) > 20
    assert [row for row in rows if not re.search(r"\| `test_[^|]+` \|$", row)] == []


def describe_rate(rate: Rate | None) -> str:
    if not rate:
        return "no limit"
    minutes = round(rate.seconds / MINUTE)
    return f"{rate.requests} in {minutes} minute{'s' if minutes > 1 else ''}"


@run_all_rows("allowed", ALLOWANCES.values(), ids=ALLOWANCES)
def test_every_rate_limit_is_documented_with_its_values(allowed):
    subject = re.fullmatch("Too many (.+)", allowed.message)[1]
    assert f"\n| {subject} | {describe_rate(allowed.phone)} | {describe_rate(allowed.address)} |\n" in TEXT


def test_no_other_rate_limit_is_documented():
    table = TEXT.partition("| action |")[2].partition("\n\n")[0]
    assert table.count("\n|") - 1 == len(ALLOWANCES)


def test_body_size_limits_are_documented_with_their_values():
    assert (
        f"{MAX_FORM_BYTES // KB} kB for a form, {max(MAX_UPLOAD_BYTES.values()) // KB} kB for one with a file" in TEXT
    )
