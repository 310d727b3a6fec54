"""The threat model keeps its word: the tests it names are there, its figures are those that count."""

import re

from companion.system.limits import ALLOWED, MINUTE, Rate
from companion.system.paths import CHECKOUT
from companion.web.app import BODIES, BODY, KB
from tests.support.cases import every_row

TEXT = (CHECKOUT / "docs" / "threat-model.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+)`", TEXT)))
FILES = (CHECKOUT / "tests").rglob("test_*.py")
TESTS = {name for file in FILES for name in re.findall(r"(?m)^def (test_\w+)", file.read_text("utf-8"))}


@every_row("name", NAMED)
def test_every_test_the_threat_model_names_is_there(name: str):
    assert name in TESTS


def test_it_names_tests_at_all():
    assert len(NAMED) > 20


def in_words(rate: Rate | None) -> str:
    if not rate:
        return "as many as its phones"
    minutes = round(rate.seconds / MINUTE)
    return f"{rate.most} in {minutes} minute{'s' if minutes > 1 else ''}"


@every_row("allowed", ALLOWED.values(), ids=ALLOWED)
def test_every_limit_is_told_as_it_counts(allowed):
    what = re.fullmatch("That was many (.+)", allowed.what)[1]
    assert f"\n| {what} | {in_words(allowed.phone)} | {in_words(allowed.address)} |\n" in TEXT


def test_no_limit_is_told_that_does_not_count():
    table = TEXT.partition("| of these |")[2].partition("\n\n")[0]
    assert table.count("\n|") - 1 == len(ALLOWED)


def test_the_length_of_a_body_is_told_as_it_counts():
    assert f"{BODY // KB} kB for a form, {max(BODIES.values()) // KB} kB for one with a file" in TEXT
